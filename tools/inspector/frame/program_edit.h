// Programs of a recorded stream whose text somebody has written anew: compiled and linked as the driver does it, or
// assembled, in the place of the recorded ones.
//
// Uniforms, textures, attributes and varyings keep what they had by their names, wherever the new program has them;
// those that the recorded one had not are 0, and a note says so. What the file says that images hold afterwards is left
// out of the stream, as it is not true any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/recording/decode.h"

namespace tessera::tools {

struct ProgramEdit {
    uint32_t program = 0;  ///< its number in the stream
    isa::Stage stage = isa::Stage::Fragment;
    std::string text;  ///< GLSL or assembly
    std::string name;  ///< what messages call it
};

/// What is said of a text.
struct EditMessage {
    size_t edit = 0;           ///< of those given
    int line = 0, column = 0;  ///< from 1; 0: not known
    bool isError = true;
    std::string text;
};

struct EditResult {
    std::vector<EditMessage> messages;
    std::string log;                 ///< the same for people, with lines and carets
    std::vector<std::string> notes;  ///< "uniform 'x' is new: it is 0"
    [[nodiscard]] bool isDone() const;
};

/// The stage that assembly says it is for; nothing: it is none, as GLSL.
[[nodiscard]] std::optional<isa::Stage> assemblyStage(std::string_view text);

/// The text that a stage is edited as: its source, or where it has none its instructions.
[[nodiscard]] std::string editableText(const isa::Program& program);

/// Applies the edits, of each stage one at most. With an error the stream is as it was.
[[nodiscard]] EditResult replacePrograms(pipeline::CommandStream& stream, std::span<const ProgramEdit> edits);

}  // namespace tessera::tools
