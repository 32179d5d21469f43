// tessera commands: a recorded command stream, listed or replayed.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/limits.h"
#include "base/process/env.h"
#include "pipeline/command/gpu.h"
#include "pipeline/recording/needed_steps.h"
#include "pipeline/recording/replay.h"
#include "shader-core/tier/tier.h"
#include "tools/commands/listing.h"
#include "tools/commands/recording.h"
#include "tools/diff/image_diff.h"
#include "tools/files.h"
#include "tools/shard.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

struct Options {
    std::string file, picture, pictures;
    bool json = false, replays = false, hashes = false;
    Shard shard;  ///< of the frames
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

/// FNV-1a of the pixels from the bottom row on, as demos print it with --hash.
uint64_t hashOf(const imagediff::Image& picture) {
    uint64_t hash = 0xCBF29CE484222325u;
    const size_t stride = static_cast<size_t>(picture.width) * 4;
    for (size_t row = picture.rgba.size(); row != 0; row -= stride)
        for (size_t at = row - stride; at < row; ++at) hash = (hash ^ picture.rgba[at]) * 0x100000001B3u;
    return hash;
}

/// Frames as they end: their hashes, and pictures of them.
class Film {
public:
    explicit Film(const Options& options) : options_(&options) {}

    void take(size_t frame, const texture::Image& image) {
        const imagediff::Image picture = pictureOf(image);
        hashes_.push_back({frame, fmt::format("{:016x}", hashOf(picture))});
        if (options_->pictures.empty() || !problem_.empty()) return;
        const std::string file = fmt::format("{}/frame-{:06}.png", options_->pictures, frame);
        std::string error;
        if (!imagediff::writePng(file, picture, error)) problem_ = fmt::format("{}: error: {}", file, error);
    }
    [[nodiscard]] const auto& hashes() const { return hashes_; }
    [[nodiscard]] const std::string& problem() const { return problem_; }

private:
    const Options* options_;
    std::vector<std::pair<size_t, std::string>> hashes_;
    std::string problem_;
};

std::vector<std::string> mismatchesOf(const pipeline::CommandStream& stream, const pipeline::ReplayResult& result) {
    std::vector<std::string> lines;
    for (const pipeline::Mismatch& wrong : result.mismatches) {
        std::string what = fmt::format("buffer {}", wrong.buffer);
        if (wrong.image != 0) {
            const texture::Image& image = *stream.images[wrong.image - 1];
            what = fmt::format("image {} ({}x{} {})", wrong.image, image.width(), image.height(),
                               texture::formatInfo(image.format()).name);
        }
        lines.push_back(fmt::format("{} hashes to {:016x}, recorded was {:016x}", what, wrong.found, wrong.expected));
    }
    return lines;
}

/// The steps of a shard's frames that are compared with what the file says.
std::vector<size_t> comparedOf(const pipeline::CommandStream& stream, const std::vector<bool>& needed) {
    std::vector<size_t> compared;
    for (size_t i = 0; i < stream.steps.size(); ++i)
        if (std::holds_alternative<pipeline::CommandStream::Expectation>(stream.steps[i]) && needed[i])
            compared.push_back(i);
    return compared;
}

/// What a shard has replayed, for the one who merges it.
bool leave(const Recording& recording, const Options& options, const std::vector<bool>& needed,
           const pipeline::ReplayResult& result, const Film& film, double seconds) {
    const auto& [bytes, stream] = recording;
    ShardResult shard{
        .verb = "commands --replay",
        .options = {{"stream", fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()))},
                    {"commands", stream.commandCount()},
                    {"contents", std::ranges::count_if(
                                     stream.steps,
                                     [](const auto& step) {
                                         return std::holds_alternative<pipeline::CommandStream::Expectation>(step);
                                     })},
                    {"frames", pipeline::frameCount(stream)},
                    {"hash", options.hashes}},
        .counts = {{"frames", film.hashes().size()}, {"commands", result.commands}},
        .outputs = {{"frames", film.hashes()}, {"compared", comparedOf(stream, needed)}, {"warnings", result.faults}},
        .failures = mismatchesOf(stream, result),
        .seconds = seconds};
    return writeShard(options.shard, shard);
}

int replay(Recording& recording, const Options& options) {
    pipeline::CommandStream& stream = recording.stream;
    if (stream.budget != instructionBudget())
        fmt::print(stderr, "{}: warning: recorded with TESSERA_BUDGET={}; here it is {}\n", options.file, stream.budget,
                   instructionBudget());
    if (!options.pictures.empty()) {
        std::error_code error;
        std::filesystem::create_directories(options.pictures, error);
        if (error) {
            fmt::print(stderr, "{}: error: {}\n", options.pictures, error.message());
            return kTrouble;
        }
    }
    const auto began = std::chrono::steady_clock::now();
    Film film(options);
    pipeline::ReplayOptions how;
    const auto choose = [&](pipeline::SurfaceStart start) {
        const auto isWanted = [&](size_t frame) { return options.shard.has(frame - 1); };
        if (options.shard.isGiven) how.steps = pipeline::neededSteps(stream, isWanted, start);
    };
    choose(pipeline::SurfaceStart::Unknown);
    if (options.shard.isGiven || options.hashes || !options.pictures.empty())
        how.frameEnded = [&film](size_t frame, const texture::Image& image) { film.take(frame, image); };
    pipeline::Gpu gpu(tier::makeExecutor(tier::tierFromEnvironment(tier::Tier::Jit)), threadCount());
    pipeline::ReplayResult result = pipeline::replay(stream, gpu, how);
    if (options.shard.isGiven && !result.mismatches.empty()) {
        choose(pipeline::SurfaceStart::AsItEnded);
        pipeline::forgetContents(stream);
        film = Film(options);
        result = pipeline::replay(stream, gpu, how);
    }
    if (options.hashes)
        for (const auto& [frame, hash] : film.hashes()) fmt::print("frame {} {}\n", frame, hash);
    for (const std::string& fault : result.faults) fmt::print(stderr, "{}: warning: {}\n", options.file, fault);
    for (const std::string& wrong : mismatchesOf(stream, result))
        fmt::print(stderr, "{}: error: {}\n", options.file, wrong);
    fmt::print("{} commands replayed ({}, {} {}); of {} recorded contents {}\n", result.commands, gpu.executor().name(),
               gpu.threads(), gpu.threads() == 1 ? "thread" : "threads", result.expectations,
               result.mismatches.empty() ? "all are the same to the byte"
                                         : fmt::format("{} differ", result.mismatches.size()));
    if (!film.problem().empty()) {
        fmt::print(stderr, "{}\n", film.problem());
        return kTrouble;
    }
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
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (options.shard.isGiven && !leave(recording, options, how.steps, result, film, seconds)) return kTrouble;
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
    if (options.replays) return replay(*recording, options);
    const pipeline::CommandStream& stream = recording->stream;
    fmt::print("{}", options.json ? listingJson(stream) : listing(stream));
    return kDone;
}

}  // namespace

void addCommands(CLI::App& app, int& status) {
    const auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("commands", "List or replay a recorded command stream");
    verb->add_option("file", options->file, "What TESSERA_COMMANDS=FILE wrote")->required();
    CLI::Option* json = verb->add_flag("--json", options->json, "List as JSON, with all fields");
    CLI::Option* replay =
        verb->add_flag("--replay", options->replays, "Execute the commands and compare what was drawn")->excludes(json);
    CLI::Option* last =
        verb->add_option("-o,--output", options->picture, "With --replay: the last frame as a PNG file");
    verb->add_option("--pictures", options->pictures,
                     "With --replay: each frame as a PNG file of this folder, from frame-000001.png on")
        ->needs(replay);
    verb->add_flag("--hash", options->hashes, "With --replay: print a hash of every frame's pixels, as demos do")
        ->needs(replay);
    addShardOptions(*verb, replay, options->shard);
    last->excludes("--shard");
    verb->footer(
        "A program writes the file when it runs with TESSERA_COMMANDS=FILE; TESSERA_COMMANDS_FRAME=3 or 3-5 records\n"
        "those frames only. Of a program that was killed the whole frames are there, and a warning says what is left\n"
        "out; one that was killed in its first frame leaves FILE.PID.part. A listing has one line for each command; "
        "draws show the state that is another than the\n"
        "last draw's. A replay runs on TESSERA_TIER (or the JIT) with TESSERA_THREADS workers; the status\n"
        "is 1 when an image holds another byte than where it was recorded. docs/commands.md is the format.\n"
        "With --shard K/N every N-th frame is replayed, with what it depends on; docs/many-machines.md.\n"
        "Example: TESSERA_COMMANDS=gears.tsc TESSERA_COMMANDS_FRAME=2 ./run demo gears\n"
        "         tessera commands gears.tsc --replay -o gears.png");
    verb->callback([options, &status] { status = commands(*options); });
}

}  // namespace tessera::tools
