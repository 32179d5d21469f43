// tessera commands: a recorded command stream, listed or replayed.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/limits.h"
#include "base/process/env.h"
#include "shader-core/tier/tier.h"
#include "tools/commands/listing.h"
#include "tools/commands/recording.h"
#include "tools/diff/image_diff.h"
#include "tools/files.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

struct Options {
    std::string file, picture;
    bool json = false, replays = false;
};

/// The top row first, as in a window.
imagediff::Image pictureOf(const texture::Image& image) {
    imagediff::Image picture;
    picture.width = image.width(), picture.height = image.height();
    const size_t stride = static_cast<size_t>(image.width()) * 4;
    picture.rgba.resize(stride * static_cast<size_t>(image.height()));
    for (int y = 0; y < image.height(); ++y)
        texture::readBack(image, {0, image.height() - 1 - y, image.width(), 1},
                          reinterpret_cast<std::byte*>(picture.rgba.data()) + stride * static_cast<size_t>(y),
                          {texture::ClientFormat::Rgba, texture::ClientType::U8, stride});
    return picture;
}

int replay(pipeline::CommandStream& stream, const Options& options) {
    if (stream.budget != instructionBudget())
        fmt::print(stderr, "{}: warning: recorded with TESSERA_BUDGET={}; here it is {}\n", options.file, stream.budget,
                   instructionBudget());
    pipeline::Gpu gpu(tier::makeExecutor(tier::tierFromEnvironment(tier::Tier::Jit)), threadCount());
    const pipeline::ReplayResult result = pipeline::replay(stream, gpu);
    for (const std::string& fault : result.faults) fmt::print(stderr, "{}: warning: {}\n", options.file, fault);
    for (const pipeline::Mismatch& wrong : result.mismatches) {
        std::string what = fmt::format("buffer {}", wrong.buffer);
        if (wrong.image != 0) {
            const texture::Image& image = *stream.images[wrong.image - 1];
            what = fmt::format("image {} ({}x{} {})", wrong.image, image.width(), image.height(),
                               texture::formatInfo(image.format()).name);
        }
        fmt::print(stderr, "{}: error: {} hashes to {:016x}, recorded was {:016x}\n", options.file, what, wrong.found,
                   wrong.expected);
    }
    fmt::print("{} commands replayed ({}, {} {}); of {} recorded contents {}\n", result.commands, gpu.executor().name(),
               gpu.threads(), gpu.threads() == 1 ? "thread" : "threads", result.expectations,
               result.mismatches.empty() ? "all are the same to the byte"
                                         : fmt::format("{} differ", result.mismatches.size()));
    if (!options.picture.empty()) {
        if (!result.last) {
            fmt::print(stderr, "{}: error: nothing is drawn that a picture could show\n", options.file);
            return kWrongInput;
        }
        std::string error;
        if (!imagediff::writePng(options.picture, pictureOf(*result.last), error)) {
            fmt::print(stderr, "{}: error: {}\n", options.picture, error);
            return kTrouble;
        }
    }
    return result.mismatches.empty() ? kDone : kWrongInput;
}

int commands(const Options& options) {
    if (!options.picture.empty() && !options.replays) {
        fmt::print(stderr, "error: -o needs --replay\n");
        return kTrouble;
    }
    int status = kDone;
    std::optional<Recording> recording = readRecording(options.file, status);
    if (!recording) return status;
    pipeline::CommandStream& stream = recording->stream;
    if (options.replays) return replay(stream, options);
    fmt::print("{}", options.json ? listingJson(stream) : listing(stream));
    return kDone;
}

}  // namespace

void addCommands(CLI::App& app, int& status) {
    const auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("commands", "List or replay a recorded command stream");
    verb->add_option("file", options->file, "What TESSERA_COMMANDS=FILE wrote")->required();
    CLI::Option* json = verb->add_flag("--json", options->json, "List as JSON, with all fields");
    verb->add_flag("--replay", options->replays, "Execute the commands and compare what was drawn")->excludes(json);
    verb->add_option("-o,--output", options->picture, "With --replay: the last frame as a PNG file");
    verb->footer(
        "A program writes the file when it runs with TESSERA_COMMANDS=FILE; TESSERA_COMMANDS_FRAME=3 or 3-5 records\n"
        "those frames only. Of a program that was killed the whole frames are there, and a warning says what is left\n"
        "out; one that was killed in its first frame leaves FILE.PID.part. A listing has one line for each command; "
        "draws show the state that is another than the\n"
        "last draw's. A replay runs on TESSERA_TIER (or the JIT) with TESSERA_THREADS workers; the status\n"
        "is 1 when an image holds another byte than where it was recorded. docs/commands.md is the format.\n"
        "Example: TESSERA_COMMANDS=gears.tsc TESSERA_COMMANDS_FRAME=2 ./run demo gears\n"
        "         tessera commands gears.tsc --replay -o gears.png");
    verb->callback([options, &status] { status = commands(*options); });
}

}  // namespace tessera::tools
