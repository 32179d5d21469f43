// How registers and their contents are spelled for people: shared by trace, debugger and comparison.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "shader-core/isa/core.h"
#include "shader-core/isa/program.h"

namespace tessera::debug {

/// How 32 bits are read.
enum class Format : uint8_t { F32, I32, U32, Hex, Bool };
[[nodiscard]] Format formatOf(isa::Type type);
[[nodiscard]] Format formatOf(isa::VarType type);
[[nodiscard]] std::optional<Format> formatByName(std::string_view name);  ///< f, i, u, x; f32, i32, u32, hex

/// Floats in the fewest digits that read back to the same bits, and with a point or an exponent: 1.0, where the
/// integer is 1.
[[nodiscard]] std::string valueText(uint32_t bits, Format format);
[[nodiscard]] inline std::string valueText(float bits, Format format) {
    return valueText(__builtin_bit_cast(uint32_t, bits), format);
}

/// "r12", "p1".
[[nodiscard]] std::string registerName(isa::File file, int index);
/// "0x0000ffff"
[[nodiscard]] std::string maskText(uint32_t lanes);
inline constexpr std::string_view kComponents = "xyzw";

/// A register as a user writes it: file, number and components ("r3", "r3.xz"; components in the order given).
struct RegisterName {
    isa::File file = isa::File::R;
    int index = 0;
    std::string components = "xyzw";
};
/// Nothing when the text is no register of the ISA. s0..s4 may be named frag_coord, front_facing, ... too.
[[nodiscard]] std::optional<RegisterName> parseRegister(std::string_view text);

}  // namespace tessera::debug
