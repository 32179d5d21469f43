#include "tools/pixel/recorded_run.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "tools/files.h"
#include "tools/options.h"

namespace tessera::tools {

namespace {

bool isFile(const FrameOptions& frame) { return frame.program.size() == 1 && isCommandStream(frame.program[0]); }

}  // namespace

void addRecordedOptions(CLI::App& verb, RecordedOptions& options) {
    CLI::Option* const frame = verb.get_option("--frame");
    CLI::Option* const picture =
        verb.add_option("--picture", options.picture,
                        "Of a recording: the pixel is of this PNG, which the program read back")
            ->excludes(frame);
    verb.add_option("--command", options.command,
                    "Of a recording: the pixel is of what this command, as `tessera commands` numbers it, draws to, "
                    "reads or writes")
        ->check(CLI::Range(uint64_t{1}, uint64_t{1000000000}))
        ->excludes(picture)
        ->excludes(frame);
    verb.add_option("--image", options.image,
                    "Of a recording: the pixel is of this image, at the end or behind --command")
        ->check(CLI::Range(uint32_t{1}, uint32_t{1000000000}))
        ->excludes(picture)
        ->excludes(frame);
    verb.add_option("--follow", options.follow,
                    "Go from the pixel to the texel that its draw looked up, and on, so many times; records the "
                    "program")
        ->check(CLI::Range(0, 1000));
    verb.add_option("--keep", options.kept, "Keep the recording of the program in a file");
}

bool isAboutRecording(const FrameOptions& frame, const RecordedOptions& options) {
    return isFile(frame) || options.command != 0 || options.image != 0 || !options.picture.empty() || options.follow ||
           !options.kept.empty();
}

bool suitRecording(const CLI::App& verb, const FrameOptions& frame, std::initializer_list<const char*> others) {
    const std::string& name = frame.program[0];
    return areAbsent(verb, others, name, "does nothing for a recording") &&
           (!isFile(frame) || areAbsent(verb, {"--timeout", "--keep"}, name, "does nothing for a recording"));
}

std::optional<Recording> openRecording(const FrameOptions& frame, const RecordedOptions& options, int& status) {
    if (isFile(frame)) return readRecording(frame.program[0], status);
    const bool isWhole = !options.picture.empty() || options.command != 0 || options.image != 0;
    const auto frames = isWhole ? std::nullopt : std::optional(FrameRange{1, frame.frame + 1});
    std::optional<Recording> recording = recordWhatItDraws(frame.program, frames, frame.timeout, status);
    if (recording && !options.kept.empty() && !writeFile(options.kept, recording->bytes)) {
        status = kTrouble;
        return std::nullopt;
    }
    return recording;
}

PixelChoice choiceOf(const FrameOptions& frame, const RecordedOptions& options, std::array<int, 2> pixel) {
    return {.pixel = pixel,
            .bottomUp = frame.bottomUp,
            .frame = frame.frame,
            .command = options.command,
            .image = options.image,
            .picture = options.picture};
}

std::string debuggedBy(const FrameOptions& frame, const RecordedOptions& options, std::array<int, 2> pixel) {
    const std::string file = isFile(frame) ? frame.program[0] : options.kept;
    if (file.empty()) return {};
    std::string text = fmt::format("tessera dbg --pixel {},{}", pixel[0], pixel[1]);
    if (frame.bottomUp) text += " --gl";
    if (frame.frame != 0) text += fmt::format(" --frame {}", frame.frame);
    if (!options.picture.empty()) text += " --picture " + options.picture;
    if (options.command != 0) text += fmt::format(" --command {}", options.command);
    if (options.image != 0) text += fmt::format(" --image {}", options.image);
    return text + " " + file;
}

}  // namespace tessera::tools
