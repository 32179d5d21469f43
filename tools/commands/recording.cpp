#include "tools/commands/recording.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <span>

#include <fmt/format.h>

#include "tools/driver.h"
#include "tools/files.h"
#include "tools/running_program.h"

namespace tessera::tools {

namespace {

/// Whether the driver has written all of the frames into the file.
bool isRecorded(const std::string& file) {
    std::string end(pipeline::kEndRecordSize, '\0');
    std::ifstream bytes(file, std::ios::binary);
    bytes.seekg(-static_cast<std::streamoff>(end.size()), std::ios::end);
    bytes.read(end.data(), static_cast<std::streamsize>(end.size()));
    return bytes && pipeline::isEndOfCommands(std::as_bytes(std::span(end)));
}

}  // namespace

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

std::optional<Recording> recordProgram(const std::vector<std::string>& program, FrameRange frames, int timeout,
                                       const char* option, int& status) {
    status = kNothingGiven;
    const Interruptible interruptible;  // outlives what has to be cleaned up
    const TemporaryFolder folder;
    if (!folder.isThere()) {
        fmt::print(stderr, "error: no temporary folder: {}\n", std::strerror(errno));
        return std::nullopt;
    }
    const Driver driver = installedDriver();
    if (driver.libraries.empty()) {
        fmt::print(stderr, "error: libtessera.so.0 is not installed beside this command\n");
        return std::nullopt;
    }
    const std::string file = folder.file("frame.tsc");
    RunningProgram running(program, [&] {
        selectDriver(driver);
        setenv("TESSERA_COMMANDS", file.c_str(), 1);
        setenv("TESSERA_COMMANDS_FRAME", fmt::format("{}-{}", frames.first, frames.last).c_str(), 1);
    });
    if (!running.hasStarted()) return std::nullopt;
    const Awaited awaited{.program = program[0],
                          .what = fmt::format("frame {}", frames.last),
                          .timeout = timeout,
                          .isThere = [&] { return isRecorded(file); },
                          .hasLoaded = [&] { return folder.wasWritten(); },
                          .advice = [option] { return fmt::format("; try an earlier one ({})", option); }};
    if (!running.waitFor(awaited)) return std::nullopt;
    return readRecording(file, status);
}

}  // namespace tessera::tools
