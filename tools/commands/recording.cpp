#include "tools/commands/recording.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
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

/// What a process that was ended, or never came to the end of a frame, has left of the file, if anything; of several
/// the last one's.
std::string leftOf(const std::string& file) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (fs::exists(file, ignored)) return file;
    std::string left;
    fs::file_time_type latest;
    for (const auto& entry : fs::directory_iterator(fs::path(file).parent_path(), ignored)) {
        const std::string path = entry.path().string();
        if (!path.starts_with(file + ".") || !path.ends_with(".part") || entry.file_size(ignored) == 0) continue;
        const fs::file_time_type time = entry.last_write_time(ignored);
        if (left.empty() || time > latest) left = path, latest = time;
    }
    return left;
}

std::optional<Recording> record(const std::vector<std::string>& program, std::optional<FrameRange> frames,
                                bool takesRest, int timeout, const char* option, int& status) {
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
        if (frames)
            setenv("TESSERA_COMMANDS_FRAME", fmt::format("{}-{}", frames->first, frames->last).c_str(), 1);
        else
            unsetenv("TESSERA_COMMANDS_FRAME");
    });
    if (!running.hasStarted()) return std::nullopt;
    const auto isThere = [&] {
        if (frames && isRecorded(file)) return true;
        return takesRest && running.waitFor(std::chrono::milliseconds(0)) && !leftOf(file).empty();
    };
    const Awaited awaited{
        .program = program[0],
        .what = frames ? fmt::format("frame {}", frames->last) : "the end of what it draws",
        .timeout = timeout,
        .isThere = isThere,
        .hasLoaded = [&] { return folder.wasWritten(); },
        .advice = [option] { return *option == 0 ? "" : fmt::format("; try an earlier one ({})", option); }};
    if (!running.waitFor(awaited)) return std::nullopt;
    return readRecording(leftOf(file), status, takesRest);
}

}  // namespace

std::optional<Recording> readRecording(const std::string& path, int& status, bool mayBeCut) {
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
    if (recording->stream.cut && !mayBeCut)
        fmt::print(stderr, "{}: warning: {}\n", path, pipeline::cutText(*recording->stream.cut));
    status = kDone;
    return recording;
}

std::optional<Recording> recordProgram(const std::vector<std::string>& program, FrameRange frames, int timeout,
                                       const char* option, int& status) {
    return record(program, frames, false, timeout, option, status);
}

std::optional<Recording> recordWhatItDraws(const std::vector<std::string>& program, std::optional<FrameRange> frames,
                                           int timeout, int& status) {
    return record(program, frames, true, timeout, frames ? "--frame" : "", status);
}

}  // namespace tessera::tools
