// The encoded command stream: what is recorded is read back, executes to the same bytes on any number of threads, and
// no file, however broken, does more than be refused.
#include "pipeline/recording/encode.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "base/testing/process.h"
#include "pipeline/command/command_buffer.h"
#include "pipeline/command/gpu.h"
#include "pipeline/recording/replay.h"
#include "pipeline/testing/recorded_scene.h"
#include "shader-core/interp/interpreter.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;
using texture::Image;
using texture::ImagePtr;
using texture::PixelFormat;

namespace {

std::optional<CommandStream> decoded(const std::string& file, std::string* problem) {
    return decodeCommands(std::as_bytes(std::span(file)), problem);
}

bool samePixels(const Image& a, const Image& b) {
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            if (a.texel32(x, y) != b.texel32(x, y)) return false;
    return a.width() == b.width() && a.height() == b.height();
}

/// Calls use(start of the record, size of its payload) for each record.
template <class Use>
void forEachRecord(const std::string& file, const Use& use) {
    for (size_t at = kCommandHeaderSize; at < file.size();) {
        uint64_t size = 0;
        std::memcpy(&size, file.data() + at + 8, sizeof size);
        use(at, static_cast<size_t>(size));
        at += kRecordHeaderSize + size;
    }
}

/// Makes the checksum fit of the record that starts there.
void fitChecksum(std::string& file, size_t at, size_t size) {
    const auto hash = static_cast<uint32_t>(hashOf(file.data() + at + kRecordHeaderSize, size));
    std::memcpy(file.data() + at + 4, &hash, sizeof hash);
}

}  // namespace

TEST_CASE("a recorded stream is replayed to the same bytes, on any number of threads") {
    RecordedScene scene;
    const std::string file = scene.record();
    for (const int threads : {1, 3}) {
        std::string problem;
        std::optional<CommandStream> stream = decoded(file, &problem);
        REQUIRE_MESSAGE(stream, problem);
        CHECK(stream->commandCount() == 24);
        REQUIRE(!stream->states.empty());
        for (const auto& state : stream->states) {
            CHECK(state->pixel.target[0] == TargetState());
            CHECK(state->pixel.target[1] == kSecondTarget);
            CHECK(state->pixel.target[2] == TargetState());
        }
        Gpu gpu(interp::makeInterpreter(), threads);
        const ReplayResult result = replay(*stream, gpu);
        CHECK(result.commands == 24);
        CHECK(result.expectations >= 14);
        CHECK(result.mismatches.empty());
        CHECK(result.faults.empty());
        REQUIRE(result.last);
        CHECK(samePixels(*result.last, *scene.color));
        CHECK(scene.isComputed(*scene.to));
        CHECK(std::ranges::count_if(stream->buffers, [&](const BufferPtr& buffer) {
                  return buffer->size() == scene.to->size() && scene.isComputed(*buffer);
              }) == 1);
        // The pixels lie upside down behind 44 bytes, of which 32 are the first row of what was uploaded.
        CHECK(scene.packed->as<uint32_t>()[11] == scene.color->texel32(40, 27));
        CHECK(scene.levels[0]->texel32(2, 1) == 0);
        CHECK(scene.levels[0]->texel32(3, 1) == scene.packed->as<uint32_t>()[11]);
        CHECK(std::ranges::count_if(stream->buffers, [&](const BufferPtr& buffer) {
                  return std::ranges::equal(buffer->bytes(), scene.packed->bytes());
              }) == 1);
        CHECK(scene.written->primitives == 3);
        CHECK(stream->places.size() == 1);
        CHECK(stream->places.front().place->vertices == 9);
        CHECK(std::ranges::count_if(stream->buffers, [&](const BufferPtr& buffer) {
                  return std::ranges::equal(buffer->bytes(), scene.captured->bytes());
              }) == 1);
        // Not what a broken recording would hold as well.
        CHECK(scene.color->texel32(0, kSize - 1) != scene.color->texel32(40, 20));
    }
}

TEST_CASE("what a view's images were decoded from is recorded, and has to decode to them") {
    constexpr uint32_t kDxt1 = 0x83F1, kAstc = 0x93B0, kUnknown = 0x1234;  // with alpha both: they decode to Rgba8
    RecordedScene scene;
    const auto recorded = [&](uint32_t storedAs) {
        Draw draw = scene.draw(true, 0.5f);
        auto view = std::make_shared<texture::TextureView>(*draw.state->textures[isa::Stage::Fragment][0].view);
        view->storedAs = storedAs;
        draw.state->textures[isa::Stage::Fragment][0].view = view;
        CommandBuffer buffer;
        buffer.commands.emplace_back(draw);
        buffer.commands.emplace_back(scene.draw(true, 0.25f));  // the same images, as they were specified
        return scene.recordOnly(std::move(buffer));
    };
    std::string problem;
    for (const uint32_t storedAs : {kDxt1, kAstc}) {
        const std::optional<CommandStream> stream = decoded(recorded(storedAs), &problem);
        REQUIRE_MESSAGE(stream, problem);
        REQUIRE(stream->views.size() == 2);
        CHECK(stream->views[0]->storedAs == storedAs);
        CHECK(stream->views[1]->storedAs == 0);
    }
    CHECK_FALSE(decoded(recorded(kUnknown), &problem));
    CHECK(problem.ends_with("its images are not decoded from the format 0x1234"));
}

TEST_CASE("a frame alone starts with what the images held") {
    RecordedScene scene;
    const std::string file = scene.record({2, 2});
    std::string problem;
    std::optional<CommandStream> stream = decoded(file, &problem);
    REQUIRE_MESSAGE(stream, problem);
    CHECK(stream->commandCount() == 15);
    Gpu gpu(interp::makeInterpreter(), 1);
    const ReplayResult result = replay(*stream, gpu);
    CHECK(result.mismatches.empty());
    REQUIRE(result.last);
    CHECK(samePixels(*result.last, *scene.color));
    // So does a stream-out that has come that far, however often it is replayed.
    REQUIRE(stream->places.size() == 1);
    CHECK(stream->places.front().first == 3);
    CHECK(stream->places.front().place->vertices == 9);
    forgetContents(*stream);
    CHECK(replay(*stream, gpu).mismatches.empty());
    CHECK(stream->places.front().place->vertices == 9);
}

TEST_CASE("a frame alone starts with what the buffers held; memory is the same buffer however often it is wrapped") {
    RecordedScene scene;
    alignas(4) static std::byte memory[kWords * 4];
    std::memset(memory, 0, sizeof memory);
    scene.to = Buffer::wrap(memory);
    const std::string path = (std::filesystem::path(TESSERA_BINARY_DIR) / "encode_buffers_test.tsc").string();
    const auto recorder = std::make_shared<CommandRecorder>(path, FrameRange{2, 2});
    Gpu gpu(scene.executor, 2);
    gpu.setCommandProbe(recorder);
    for (int frame = 0; frame < 2; ++frame) {
        CommandBuffer buffer;
        for (uint32_t i = 0; i < kWords; ++i) scene.from->as<uint32_t>()[i] = i;
        buffer.commands.emplace_back(scene.dispatch(scene.from, scene.to));
        // What was written is read under another name.
        buffer.commands.emplace_back(scene.dispatch(Buffer::wrap(memory), scene.from));
        buffer.commands.emplace_back(EndFrame{});
        gpu.execute(std::move(buffer));
    }
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    std::filesystem::remove(path);
    std::string problem;
    const std::string file = bytes.str();  // which the stream points into
    std::optional<CommandStream> stream = decoded(file, &problem);
    REQUIRE_MESSAGE(stream, problem);
    CHECK(stream->buffers.size() == 2);
    Gpu other(interp::makeInterpreter(), 1);
    const ReplayResult result = replay(*stream, other);
    CHECK(result.expectations == 2);
    CHECK(result.mismatches.empty());
    CHECK(stream->buffers[0]->as<uint32_t>()[kWords - 1] == kWords - 1 + 6);
}

TEST_CASE("a link is followed, and what is no file stays what it is") {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(TESSERA_BINARY_DIR) / "encode_target_test";
    fs::remove_all(folder);
    fs::create_directory(folder);
    fs::create_symlink("target.tsc", folder / "link.tsc");
    CommandRecorder((folder / "link.tsc").string(), FrameRange{}).finish();
    CHECK(fs::is_symlink(folder / "link.tsc"));
    CHECK(fs::is_regular_file(folder / "target.tsc"));

    const std::string pipe = (folder / "pipe").string();
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    CommandRecorder(pipe, FrameRange{}).finish();
    CHECK(fs::is_fifo(pipe));
    fs::remove_all(folder);
}

TEST_CASE("a recording beyond the size that files may have is given up, and raises no signal") {
    const std::string path = "encode_limit_test.tsc";
    const auto isGivenUp = [&] {
        const rlimit none{0, 0};
        setrlimit(RLIMIT_FSIZE, &none);
        setenv("TESSERA_LOG", "0", 1);
        CommandRecorder(path, FrameRange{}).finish();
        return !std::filesystem::exists(path);
    };
    std::filesystem::remove(path);
    CHECK(tessera::testing::inChild(isGivenUp, _exit));
}

TEST_CASE("buffers that share a part of their memory are not recorded; a dispatch that fails is recorded around") {
    RecordedScene scene;
    alignas(4) static std::byte memory[kWords * 4 + 8];
    const std::string path = (std::filesystem::path(TESSERA_BINARY_DIR) / "encode_overlap_test.tsc").string();
    const auto record = [&](std::vector<std::vector<Command>> buffers) {
        std::filesystem::remove(path);
        Gpu gpu(scene.executor, 1);
        const auto recorder = std::make_shared<CommandRecorder>(path, FrameRange{});
        gpu.setCommandProbe(recorder);
        for (std::vector<Command>& commands : buffers) {
            CommandBuffer buffer;
            buffer.commands = std::move(commands);
            gpu.execute(std::move(buffer));
        }
        recorder->finish();
        std::ostringstream bytes;
        bytes << std::ifstream(path, std::ios::binary).rdbuf();
        std::filesystem::remove(path);
        return bytes.str();
    };
    const std::span<std::byte> all = memory;
    CHECK(record({{scene.dispatch(Buffer::wrap(all.first(64)), Buffer::wrap(all.subspan(32, 64)))}}).empty());

    Dispatch failing = scene.dispatch(scene.from, scene.to);
    failing.budget = 2;
    Dispatch second = scene.dispatch(scene.to, scene.from);
    const std::string file = record({{failing}, {second}});
    CHECK(!failing.result->isDone);
    CHECK(failing.result->fault.kind == isa::FaultKind::OutOfBudget);
    std::string problem;
    std::optional<CommandStream> stream = decoded(file, &problem);
    REQUIRE_MESSAGE(stream, problem);
    Gpu gpu(interp::makeInterpreter(), 1);
    const ReplayResult result = replay(*stream, gpu);
    CHECK(result.mismatches.empty());
    REQUIRE(result.faults.size() == 1);
    CHECK(result.faults[0].find("budget") != std::string::npos);
}

TEST_CASE("a dispatch that another byte comes from says so") {
    RecordedScene scene;
    std::string file = scene.record(), problem;
    std::optional<CommandStream> stream = decoded(file, &problem);
    REQUIRE(stream);
    for (CommandStream::Step& step : stream->steps)
        if (auto* command = std::get_if<Command>(&step))
            if (auto* copy = std::get_if<CopyBuffer>(command); copy != nullptr && copy->size == 280) copy->size -= 4;
    Gpu gpu(interp::makeInterpreter(), 1);
    const ReplayResult result = replay(*stream, gpu);
    REQUIRE(result.mismatches.size() == 2);
    CHECK(result.mismatches[0].image == 0);
    const auto sizeOf = [&](const Mismatch& mismatch) { return stream->buffers.at(mismatch.buffer - 1)->size(); };
    CHECK(sizeOf(result.mismatches[0]) == scene.from->size());
    CHECK(sizeOf(result.mismatches[1]) == scene.to->size());
}

TEST_CASE("a replay that gives another byte says so") {
    RecordedScene scene;
    std::string file = scene.record(), problem;
    std::optional<CommandStream> stream = decoded(file, &problem);
    REQUIRE(stream);
    for (CommandStream::Step& step : stream->steps)
        if (auto* command = std::get_if<Command>(&step))
            if (auto* clear = std::get_if<Clear>(command)) clear->color[1] = 0.5f;
    Gpu gpu(interp::makeInterpreter(), 1);
    CHECK(!replay(*stream, gpu).mismatches.empty());
}

TEST_CASE("of a file that is cut anywhere the whole frames are read, and what is left out is counted") {
    using Unit = CommandStream::Cut::Unit;
    RecordedScene scene;
    const std::string file = scene.record();
    std::vector<size_t> ends = {0, 3, 4, 8, kCommandHeaderSize - 1};
    std::map<size_t, Unit> wholes;  // ends of what can be read without the rest
    forEachRecord(file, [&](size_t at, size_t size) {
        ends.insert(ends.end(), {at, at + 1, at + kRecordHeaderSize, at + kRecordHeaderSize + size / 2});
        RecordKind kind{};
        std::memcpy(&kind, file.data() + at, sizeof kind);
        const bool isFrame = kind == RecordKind::Whole;
        if (isFrame || (kind == RecordKind::EndBuffer && wholes.empty()))
            wholes[at + kRecordHeaderSize + size] = isFrame ? Unit::Frame : Unit::BeforeFrame;
    });
    REQUIRE(wholes.size() == 3);  // the first buffer, and both frames
    const size_t firstFrame = std::next(wholes.begin())->first;
    Gpu gpu(interp::makeInterpreter(), 1);
    size_t refused = 0, replayed = 0;
    for (const size_t end : ends) {
        if (end >= file.size()) continue;
        CAPTURE(end);
        std::string problem;
        const std::string cutFile = file.substr(0, end);
        std::optional<CommandStream> stream = decoded(cutFile, &problem);
        const auto after = wholes.upper_bound(end);
        if (after == wholes.begin()) {
            CHECK(!stream);
            CHECK(problem.starts_with("byte "));
            ++refused;
            continue;
        }
        REQUIRE_MESSAGE(stream, problem);
        REQUIRE(stream->cut);
        const auto [whole, unit] = *std::prev(after);
        CHECK(stream->cut->unit == unit);
        CHECK(stream->cut->leftOut == end - whole);
        CHECK(stream->cut->units == (unit == Unit::Frame && whole != firstFrame ? 2 : 1));
        CHECK(stream->commandCount() == (whole <= firstFrame ? 8 : 23));
        // As if no more had been recorded.
        const std::string wholeFile = file.substr(0, whole);
        const std::optional<CommandStream> alone = decoded(wholeFile, &problem);
        REQUIRE(alone);
        CHECK(alone->steps.size() == stream->steps.size());
        CHECK(alone->images.size() == stream->images.size());
        CHECK(alone->programs.size() == stream->programs.size());
        CHECK(alone->states.size() == stream->states.size());
        if (end % 3 != 0) continue;
        const ReplayResult result = replay(*stream, gpu);
        CHECK(result.mismatches.empty());
        CHECK((result.expectations > 0) == (unit == Unit::Frame));
        ++replayed;
    }
    CHECK(refused > 10);
    CHECK(replayed > 10);
    std::string problem;
    CHECK(!decoded(file + "x", &problem));
    std::string later = file;
    later[4] = kCommandVersion + 1;
    CHECK(!decoded(later, &problem));
    CHECK(problem == "byte 4: version " + std::to_string(kCommandVersion + 1) + "; this build reads version " +
                         std::to_string(kCommandVersion) + ": record it again");
    CHECK(cutText({Unit::Frame, 41, 12345}) == "the last frame is cut off: 41 whole frames, 12345 bytes left out");
    CHECK(cutText({Unit::Frame, 1, 0}) == "the recording was not ended: 1 whole frame, nothing left out");
    CHECK(cutText({Unit::Buffer, 7, 1}) ==
          "the last command buffer is cut off: 7 whole command buffers, 1 byte left out");
    CHECK(cutText({Unit::BeforeFrame, 2, 9}) ==
          "no frame is marked as whole: 2 whole command buffers, 9 bytes left out");
}

TEST_CASE("the end of a complete recording is known") {
    RecordedScene scene;
    const std::string file = scene.record();
    const auto isEnd = [&](size_t size) {
        return isEndOfCommands(std::as_bytes(std::span(file)).first(size).last(kEndRecordSize));
    };
    CHECK(isEnd(file.size()));
    CHECK(!isEnd(file.size() - 1));
    CHECK(!isEnd(file.size() - kEndRecordSize));  // where a frame ends
}

TEST_CASE("what is recorded up to a frame's end is there whatever ends the process, and an old recording until then") {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(TESSERA_BINARY_DIR) / "encode_killed_test";
    const std::string path = folder / "file.tsc";
    const auto read = [](const std::string& file) {
        std::ostringstream bytes;
        bytes << std::ifstream(file, std::ios::binary).rdbuf();
        return bytes.str();
    };
    enum class At { Nothing, Buffer, Frame };
    for (const At at : {At::Nothing, At::Buffer, At::Frame})
        for (const int signal : {SIGKILL, SIGTERM, SIGSEGV, 0}) {
            CAPTURE(signal);
            fs::remove_all(folder);
            fs::create_directory(folder);
            std::ofstream(path) << "old";
            std::fflush(nullptr);
            const pid_t child = fork();
            if (child == 0) {
                std::signal(signal, SIG_DFL);
                RecordedScene scene;
                Gpu gpu(scene.executor, 1);
                gpu.setCommandProbe(std::make_shared<CommandRecorder>(path, FrameRange{}));
                CommandBuffer first = scene.first();
                if (at == At::Buffer) first.commands.pop_back();
                if (at != At::Nothing) gpu.execute(std::move(first));
                if (at == At::Frame) {
                    CommandBuffer part = scene.second();
                    part.commands.pop_back();
                    gpu.execute(std::move(part));
                }
                if (signal == 0) _exit(0);
                raise(signal);
                _exit(1);
            }
            int status = 0;
            REQUIRE(waitpid(child, &status, 0) == child);
            CHECK((WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status)) == signal);
            const std::string part = path + "." + std::to_string(child) + ".part";
            CHECK(fs::exists(part) == (at != At::Frame));
            if (at != At::Frame) CHECK(read(path) == "old");
            const std::string file = read(at == At::Frame ? path : part);
            std::string problem;
            std::optional<CommandStream> stream = decoded(file, &problem);
            CHECK(stream.has_value() == (at != At::Nothing));
            if (!stream) continue;
            REQUIRE(stream->cut);
            CHECK(stream->commandCount() == (at == At::Frame ? 8 : 7));
            CHECK(stream->cut->units == 1);
            CHECK((stream->cut->leftOut > 0) == (at == At::Frame));
            Gpu gpu(interp::makeInterpreter(), 1);
            CHECK(replay(*stream, gpu).mismatches.empty());
        }
    fs::remove_all(folder);
}

TEST_CASE("of a device without frames each command buffer is whole") {
    RecordedScene scene;
    const std::string path = (std::filesystem::path(TESSERA_BINARY_DIR) / "encode_device_test.tsc").string();
    Gpu gpu(scene.executor, 1);
    gpu.setCommandProbe(std::make_shared<CommandRecorder>(path, std::nullopt));
    for (int i = 0; i < 3; ++i) {
        CommandBuffer buffer;
        buffer.commands.emplace_back(scene.dispatch(scene.from, scene.to));
        gpu.execute(std::move(buffer));
        std::ostringstream bytes;
        bytes << std::ifstream(path, std::ios::binary).rdbuf();
        const std::string file = bytes.str();
        std::string problem;
        std::optional<CommandStream> stream = decoded(file, &problem);
        REQUIRE_MESSAGE(stream, problem);
        REQUIRE(stream->cut);
        CHECK(stream->cut->unit == CommandStream::Cut::Unit::Buffer);
        CHECK(stream->cut->units == static_cast<size_t>(i) + 1);
        CHECK(stream->cut->leftOut == 0);
        Gpu other(interp::makeInterpreter(), 1);
        const ReplayResult result = replay(*stream, other);
        CHECK(result.mismatches.empty());
        CHECK(result.expectations >= static_cast<size_t>(i) + 1);
    }
    std::filesystem::remove(path);
}

TEST_CASE("where the file may not grow any further, the frames before stay") {
    const std::string path = (std::filesystem::path(TESSERA_BINARY_DIR) / "encode_full_test.tsc").string();
    std::filesystem::remove(path);
    const auto isKept = [&] {
        setenv("TESSERA_LOG", "0", 1);
        RecordedScene scene;
        Gpu gpu(scene.executor, 1);
        const auto recorder = std::make_shared<CommandRecorder>(path, FrameRange{});
        gpu.setCommandProbe(recorder);
        gpu.execute(scene.first());
        const auto size = std::filesystem::file_size(path);
        const rlimit few{size + 100, size + 100};
        setrlimit(RLIMIT_FSIZE, &few);
        gpu.execute(scene.second());
        recorder->finish();
        return std::filesystem::file_size(path) == size;
    };
    CHECK(tessera::testing::inChild(isKept, _exit));
    std::filesystem::remove(path);
}

TEST_CASE("a file that promises another number of commands than it has is refused") {
    RecordedScene scene;
    const std::string file = scene.record();
    int marks = 0;
    forEachRecord(file, [&](size_t at, size_t size) {
        RecordKind kind{};
        std::memcpy(&kind, file.data() + at, sizeof kind);
        if (kind != RecordKind::Whole && kind != RecordKind::End) return;
        ++marks;
        std::string broken = file, problem;
        ++broken[at + kRecordHeaderSize];
        fitChecksum(broken, at, size);
        CHECK(!decoded(broken, &problem));
        CHECK_MESSAGE(problem.find("are promised, ") != std::string::npos, problem);
    });
    CHECK(marks == 3);
}

TEST_CASE("a flag of a command is 0 or 1") {
    RecordedScene scene;
    const std::string file = scene.record();
    const auto clear = static_cast<uint32_t>(RecordKind::Command) + static_cast<uint32_t>(Command(Clear()).index());
    int clears = 0;
    forEachRecord(file, [&](size_t at, size_t size) {
        uint32_t kind = 0;
        std::memcpy(&kind, file.data() + at, sizeof kind);
        if (kind != clear) return;
        ++clears;
        for (const char value : {0, 1, 2}) {
            std::string changed = file, problem;
            changed[at + kRecordHeaderSize + size - 1] = value;  // whether it encodes sRGB
            fitChecksum(changed, at, size);
            CHECK(decoded(changed, &problem).has_value() == (value < 2));
        }
    });
    CHECK(clears > 0);
}

TEST_CASE("what is wrong with a program is told with its stage") {
    RecordedScene scene;
    const std::string file = scene.record();
    // The first program that is recorded draws; those of its stages follow each other.
    size_t place = 0;
    for (const char* stage : {"vertex", "fragment"}) {
        place = file.find("TSB1", place + 1);
        REQUIRE(place != std::string::npos);
        std::string broken = file, problem;
        broken[place] = 'X';
        forEachRecord(file, [&](size_t at, size_t size) { fitChecksum(broken, at, size); });
        CHECK(!decoded(broken, &problem));
        CHECK_MESSAGE(problem.find(std::string(": ") + stage + " program: ") != std::string::npos, problem);
    }
}

TEST_CASE("a damaged file is refused; one whose checksums were made to fit does no harm") {
    RecordedScene scene;
    const std::string file = scene.record();
    std::vector<std::pair<size_t, size_t>> records;
    forEachRecord(file, [&](size_t at, size_t size) {
        if (size != 0) records.emplace_back(at, size);
    });
    std::mt19937 random(5);
    const auto below = [&](size_t n) { return random() % n; };
    int accepted = 0, replayed = 0, unplaced = 0;
    Gpu gpu(interp::makeInterpreter(), 1);
    gpu.setTimeLimit(std::chrono::milliseconds(300));
    for (int i = 0; i < 1500; ++i) {
        std::string broken = file, problem;
        const auto [at, size] = records[below(records.size())];
        for (size_t bytes = 1 + below(3); bytes != 0; --bytes) {
            // Values that fields are wrong at, and any.
            constexpr unsigned char kValues[] = {0, 1, 2, 0x7F, 0x80, 0xFF};
            char& byte = broken[at + kRecordHeaderSize + below(std::min<size_t>(size, 600))];
            const auto value =
                below(2) == 0 ? kValues[below(std::size(kValues))] : static_cast<unsigned char>(random());
            byte = static_cast<char>(static_cast<unsigned char>(byte) == value ? ~value : value);
        }
        if (broken == file) continue;  // changed back
        accepted += decoded(broken, &problem).has_value();
        fitChecksum(broken, at, size);
        std::optional<CommandStream> stream = decoded(broken, &problem);
        if (!stream) {
            unplaced += !problem.starts_with("byte ");
        } else {
            ++replayed;
            (void)replay(*stream, gpu);
        }
    }
    CHECK(accepted == 0);
    CHECK(unplaced == 0);
    CHECK(replayed > 50);
}
