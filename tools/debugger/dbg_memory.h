// Memory of a compute program as the debugger shows it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "shader-core/debug/replay/replay.h"
#include "shader-core/debug/replay/value.h"

namespace tessera::tools {

/// Elements of a buffer or of shared memory: NAME[INDEX] or NAME+BYTES, with an optional format of an element behind
/// it: /f /i /u /x are words, /i8 /u8 /i16 /u16 narrower ones.
struct MemoryPlace {
    int slot = 0;
    uint64_t byte = 0;  ///< of the first element
    uint64_t index = 0;
    int bytes = 4;  ///< of an element
    std::string format = "f";
};

/// Whether the text names memory of the program: the name in front is that of a buffer, or "shared".
[[nodiscard]] bool namesMemory(const isa::Program& program, std::string_view text);
/// Nothing where the text is not written like that. `format` is that of a place that names none.
[[nodiscard]] std::optional<MemoryPlace> parseMemoryPlace(const isa::Program& program, std::string_view text,
                                                          std::optional<debug::Format> format);

/// `count` elements in lines of eight, each line with the index of its first one; what lies behind the end is left out.
[[nodiscard]] std::string memoryText(const debug::Replay& replay, const MemoryPlace& place, uint64_t count);
/// One element; nothing where it is outside.
[[nodiscard]] std::optional<std::string> elementText(const debug::Replay& replay, const MemoryPlace& place);
/// The element that a text names; nothing, and why, when there is none.
[[nodiscard]] std::optional<std::string> elementText(const debug::Replay& replay, std::string_view text,
                                                     std::optional<debug::Format> format, std::string& error);

}  // namespace tessera::tools
