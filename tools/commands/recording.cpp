#include "tools/commands/recording.h"

#include <fmt/format.h>

#include "tools/files.h"

namespace tessera::tools {

std::optional<Recording> readRecording(const std::string& path, int& status) {
    status = kTrouble;
    std::optional<std::string> bytes = readRecorded(path);
    if (!bytes) return std::nullopt;
    std::optional<Recording> recording(std::in_place, std::move(*bytes));
    std::string problem;
    std::optional<pipeline::CommandStream> stream =
        pipeline::decodeCommands(std::as_bytes(std::span(recording->bytes)), &problem);
    if (!stream) {
        fmt::print(stderr, "{}: error: {}\n", path, problem);
        status = kWrongInput;
        return std::nullopt;
    }
    recording->stream = std::move(*stream);
    if (recording->stream.cut) fmt::print(stderr, "{}: warning: {}\n", path, pipeline::cutText(*recording->stream.cut));
    status = kDone;
    return recording;
}

}  // namespace tessera::tools
