#include "pipeline/recording/decode.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "pipeline/recording/command_problems.h"
#include "pipeline/recording/encode.h"
#include "pipeline/recording/fields.h"
#include "shader-core/isa/executor.h"
#include "shader-core/isa/program.h"

namespace tessera::pipeline {
namespace {

/// A name without anything to do.
class RecordedTask final : public Task {
public:
    explicit RecordedTask(std::string name) : name_(std::move(name)) {}
    [[nodiscard]] const char* name() const override { return name_.c_str(); }
    void run() override {}

private:
    const std::string name_;
};

/// Archive of fields.h: reads one record's payload.
class Decoder {
public:
    Decoder(CommandStream& stream, std::span<const std::byte> payload) : stream_(stream), rest_(payload) {}

    std::string problem;  ///< the first one
    [[nodiscard]] std::span<const std::byte> rest() const { return rest_; }

    void fail(const std::string& name, const std::string& what) {
        if (problem.empty()) problem = prefix_ + name + ": " + what;
    }

    /// The next value as it is; 0 behind the end.
    template <class T>
    T take(const std::string& name) {
        T value{};
        if (rest_.size() < sizeof value) {
            fail(name, "the record ends before it");
            rest_ = {};
            return value;
        }
        std::memcpy(&value, rest_.data(), sizeof value);
        rest_ = rest_.subspan(sizeof value);
        return value;
    }

    /// The next bytes, of which there are so many.
    std::span<const std::byte> skip(size_t size) {
        const std::span<const std::byte> skipped = rest_.first(size);
        rest_ = rest_.subspan(size);
        return skipped;
    }

    template <class Low, class High>
    void checkRange(const std::string& name, auto value, Low low, High high) {
        if (std::cmp_less(value, low) || std::cmp_greater(value, high))
            fail(name, fmt::format("{} is not from {} to {}", value, low, high));
    }
    void flag(const std::string& name, bool& value) {
        const auto taken = take<uint8_t>(name);
        checkRange(name, taken, 0, 1);
        value = taken == 1;
    }
    template <class T, class Low, class High>
    void number(const std::string& name, T& value, Low low, High high) {
        value = take<T>(name);
        checkRange(name, value, low, high);
    }
    void real(const std::string& name, float& value, float low, float high) {
        value = take<float>(name);
        if (high != kAnyReal && !(value >= low && value <= high))
            fail(name, fmt::format("{} is not from {} to {}", value, low, high));
    }
    template <class E>
    void choice(const std::string& name, E& value, Words words) {
        const auto taken = take<uint8_t>(name);
        checkRange(name, taken, 0, words.size() - 1);
        if (taken < words.size()) value = static_cast<E>(taken);
    }
    template <class List, class Use>
    void list(const std::string& name, List& values, size_t most, const Use& use) {
        const auto count = take<uint32_t>(name);
        checkRange(name, count, 0, most);
        values.resize(std::min<size_t>(count, most));
        for (auto& value : values) use(value);
    }
    void within(const std::string& name, const auto& use) {
        const size_t size = prefix_.size();
        prefix_ += name + " ";
        use();
        prefix_.resize(size);
    }
    void image(const std::string& name, texture::ImagePtr& image) {
        image = at(name, stream_.images);
        if (!image) return;
        const auto plane = take<uint32_t>(name);
        if (plane == 0) return;
        checkRange(name, plane, 1, image->samples() * image->depth());
        image = problem.empty() ? std::make_shared<texture::Image>(image, static_cast<int>(plane) - 1) : nullptr;
    }
    void buffer(const std::string& name, auto& buffer) { buffer = at(name, stream_.buffers); }
    void view(const std::string& name, texture::TextureViewPtr& view) { view = at(name, stream_.views); }
    void program(const std::string& name, std::shared_ptr<const Program>& program) {
        program = at(name, stream_.programs);
    }
    void state(const std::string& name, std::shared_ptr<DrawState>& state) {
        const std::shared_ptr<DrawState> known = at(name, stream_.states);
        if (known) return void(state = known);
        fail(name, "there is none");
    }
    template <class Counter>
    void counter(const std::string& name, std::shared_ptr<Counter>& counter) {
        if (take<uint32_t>(name) != 0) counter = std::make_shared<Counter>();
    }
    template <class T>
    void optional(const std::string& name, std::shared_ptr<const T>& value, const auto& use) {
        bool isThere = false;
        flag(name, isThere);
        if (!isThere) return;
        auto read = std::make_shared<T>();
        within(name, [&] { use(*read); });
        value = std::move(read);
    }
    /// One that is new begins where it was.
    void place(const std::string& name, std::shared_ptr<StreamOutPlace>& place) {
        const auto number = take<uint32_t>(name);
        const auto vertices = take<uint64_t>(name);
        auto& places = stream_.places;
        if (number == 0 || number > places.size() + 1)
            return fail(name, fmt::format("number {} is not defined before", number));
        if (number > places.size())
            places.push_back({std::make_shared<StreamOutPlace>(StreamOutPlace{vertices}), vertices});
        place = places[number - 1].place;
    }
    void constants(const std::string& name, std::span<const ConstantRegister>& registers) {
        const auto count = take<uint32_t>(name);
        checkRange(name, count, 0, isa::kMaxConstantRegisters);
        if (!problem.empty() || count == 0) return;
        if (rest_.size() < count * sizeof(ConstantRegister)) return fail(name, "the record ends before them");
        auto memory = std::make_unique_for_overwrite<ConstantRegister[]>(count);
        std::memcpy(memory.get(), rest_.data(), count * sizeof(ConstantRegister));
        rest_ = rest_.subspan(count * sizeof(ConstantRegister));
        registers = {memory.get(), count};
        stream_.constants.push_back(std::move(memory));
    }
    void blockFormat(const std::string& name, const texture::BlockFormat*& format) {
        format = texture::blockFormat(take<uint32_t>(name));
        if (format == nullptr) fail(name, "there is no such compressed format");
    }
    void task(const std::string&, std::shared_ptr<Task>& task) {
        std::string text;
        for (const std::byte byte : rest_.first(std::min<size_t>(rest_.size(), 100)))
            text += byte >= std::byte{' '} && byte <= std::byte{'~'} ? static_cast<char>(byte) : '?';
        rest_ = {};
        task = std::make_shared<RecordedTask>(std::move(text));
    }

private:
    /// What has the next number; null for 0.
    template <class T>
    T at(const std::string& name, const std::vector<T>& values) {
        const auto number = take<uint32_t>(name);
        if (number == 0) return nullptr;
        if (number <= values.size()) return values[number - 1];
        fail(name, fmt::format("number {} is not defined before", number));
        return nullptr;
    }

    CommandStream& stream_;
    std::span<const std::byte> rest_;
    std::string prefix_;
};

constexpr const char* kTooMuchMemory =
    "all images and buffers together take more memory than a replay may; record fewer frames";

/// Reads records into a stream.
class StreamReader {
public:
    explicit StreamReader(CommandStream& stream) : stream_(stream) {}

    /// Empty, or what is wrong.
    std::string read(RecordKind kind, std::span<const std::byte> payload) {
        Decoder in(stream_, payload);
        switch (kind) {
            case RecordKind::Image:
                readImage(in);
                break;
            case RecordKind::Contents: {
                const texture::ImagePtr image = numbered(in, "image", stream_.images);
                if (!in.problem.empty()) return in.problem;
                return readContents({image, nullptr, in.rest()}, image->byteCount());
            }
            case RecordKind::View:
                readView(in);
                break;
            case RecordKind::Program:
                readProgram(in);
                break;
            case RecordKind::State: {
                auto state = std::make_shared<DrawState>();
                readFields(in, *state);
                stream_.states.push_back(std::move(state));
                break;
            }
            case RecordKind::EndBuffer:
                stream_.steps.emplace_back(CommandStream::EndBuffer{});
                ++buffers_;
                break;
            case RecordKind::Expect: {
                CommandStream::Expectation expectation;
                expectation.image = numbered(in, "image", stream_.images);
                expectation.hash = in.take<uint64_t>("hash");
                stream_.steps.emplace_back(std::move(expectation));
                break;
            }
            case RecordKind::Buffer:
                return readBuffer(in);
            case RecordKind::BufferContents: {
                const BufferPtr buffer = numbered(in, "buffer", stream_.buffers);
                if (!in.problem.empty()) return in.problem;
                return readContents({nullptr, buffer, in.rest()}, buffer->size());
            }
            case RecordKind::BufferExpect: {
                CommandStream::Expectation expectation;
                expectation.buffer = numbered(in, "buffer", stream_.buffers);
                expectation.hash = in.take<uint64_t>("hash");
                stream_.steps.emplace_back(std::move(expectation));
                break;
            }
            case RecordKind::Whole:
                readCount(in);
                break;
            case RecordKind::End:
                readCount(in);
                isEnded_ = true;
                break;
            default:
                if (!readCommand(in, static_cast<uint32_t>(kind) - static_cast<uint32_t>(RecordKind::Command)))
                    return fmt::format("there are no records of kind {}", static_cast<uint32_t>(kind));
        }
        if (in.problem.empty() && !in.rest().empty()) return "the record is longer than what it holds";
        if (in.problem.empty()) noteWhole(kind, payload);
        return in.problem;
    }
    [[nodiscard]] bool isEnded() const { return isEnded_; }

    /// The file ends here, in the middle of something. Takes what is not whole out of the stream; false when nothing
    /// is.
    bool cut(std::span<const std::byte> file) {
        if (whole_.end == nullptr) return false;
        stream_.steps.resize(whole_.steps);
        stream_.images.resize(whole_.images);
        stream_.buffers.resize(whole_.buffers);
        stream_.firstContents.resize(whole_.buffers);
        stream_.views.resize(whole_.views);
        stream_.programs.resize(whole_.programs);
        stream_.states.resize(whole_.states);
        const auto leftOut = static_cast<size_t>(file.data() + file.size() - whole_.end);
        stream_.cut = {whole_.unit, whole_.units, leftOut};
        return true;
    }

private:
    /// The stream up to where it was whole last.
    struct Whole {
        const std::byte* end = nullptr;  ///< in the file; null: nowhere
        size_t steps = 0, images = 0, buffers = 0, views = 0, programs = 0, states = 0;
        CommandStream::Cut::Unit unit = CommandStream::Cut::Unit::BeforeFrame;
        size_t units = 0;
    };

    /// A record that says so makes the stream whole, and until there is one the end of a command buffer does.
    void noteWhole(RecordKind kind, std::span<const std::byte> payload) {
        using Unit = CommandStream::Cut::Unit;
        const bool isMark = kind == RecordKind::Whole;
        if (!isMark && (kind != RecordKind::EndBuffer || isMarked_)) return;
        isMarked_ |= isMark;
        whole_ = {payload.data() + payload.size(),
                  stream_.steps.size(),
                  stream_.images.size(),
                  stream_.buffers.size(),
                  stream_.views.size(),
                  stream_.programs.size(),
                  stream_.states.size(),
                  !isMark        ? Unit::BeforeFrame
                  : frames_ != 0 ? Unit::Frame
                                 : Unit::Buffer,
                  isMark && frames_ != 0 ? frames_ : buffers_};
    }

    void readCount(Decoder& in) const {
        const auto count = in.take<uint64_t>("commands");
        if (count != commands_) in.fail("commands", fmt::format("{} are promised, {} are there", count, commands_));
    }

    template <class T>
    static void readFields(Decoder& in, T& value) {
        fields(in, value);
        if (!in.problem.empty()) return;
        if (const std::string problem = problemOf(value); !problem.empty()) in.problem = problem;
    }

    /// Reads the command whose type has this index in the variant.
    template <size_t kIndex = 0>
    bool readCommand(Decoder& in, size_t index) {
        if constexpr (kIndex == std::variant_size_v<Command>) {
            return false;
        } else {
            if (index != kIndex) return readCommand<kIndex + 1>(in, index);
            std::variant_alternative_t<kIndex, Command> command{};
            readFields(in, command);
            if (!in.problem.empty()) in.problem = std::string(kCommandWords[kIndex]) + ": " + in.problem;
            stream_.steps.emplace_back(Command(std::move(command)));
            ++commands_;
            frames_ += std::is_same_v<decltype(command), EndFrame>;
            return true;
        }
    }

    template <class T>
    static std::shared_ptr<T> numbered(Decoder& in, const char* what, const std::vector<std::shared_ptr<T>>& defined) {
        const auto number = in.take<uint32_t>(what);
        if (number >= 1 && number <= defined.size()) return defined[number - 1];
        in.fail(what, fmt::format("number {} is not defined before", number));
        return nullptr;
    }

    /// False: more than images and buffers together may.
    bool takesMemory(uint64_t bytes) {
        if (bytes > kMaxRecordedMemory - memory_) return false;
        memory_ += bytes;
        return true;
    }

    void readImage(Decoder& in) {
        uint8_t format = 0;
        uint32_t width = 0, height = 0, samples = 0, depth = 0;
        in.number("format", format, 1, texture::kPixelFormats - 1);
        in.number("width", width, 1, kMaxRenderSize);
        in.number("height", height, 1, kMaxRenderSize);
        in.number("samples", samples, 1, texture::kMaxSamples);
        in.number("depth", depth, 1, texture::kMaxLayers);
        if (!in.problem.empty()) return;
        if (samples != 1 && (samples != texture::kMaxSamples || depth != 1))
            return in.fail("samples", fmt::format("{} of {} slices are no samples of an image", samples, depth));
        const auto pixelFormat = static_cast<texture::PixelFormat>(format);
        const auto element = static_cast<size_t>(texture::elementBytes(texture::formatInfo(pixelFormat).element));
        if (!takesMemory(((width + 3) / 4) * size_t{(height + 3) / 4} * 16 * element * samples * depth))
            return in.fail("image", kTooMuchMemory);
        stream_.images.push_back(std::make_shared<texture::Image>(pixelFormat, static_cast<int>(width),
                                                                  static_cast<int>(height), static_cast<int>(samples),
                                                                  static_cast<int>(depth)));
    }

    std::string readBuffer(Decoder& in) {
        const auto size = in.take<uint64_t>("size");
        if (!in.problem.empty()) return in.problem;
        const std::span<const std::byte> contents = in.rest();
        if (!contents.empty() && contents.size() != size)
            return fmt::format("{} bytes for a buffer of {}", contents.size(), size);
        if (contents.empty() && !takesMemory(size)) return fmt::format("buffer: {}", kTooMuchMemory);
        stream_.buffers.push_back(contents.empty() ? std::make_shared<Buffer>(size)
                                                   : std::make_shared<Buffer>(contents));
        stream_.firstContents.push_back(contents);
        return {};
    }

    std::string readContents(CommandStream::Contents contents, size_t size) {
        if (contents.bytes.size() != size)
            return fmt::format("{} bytes for {} of {}", contents.bytes.size(), contents.image ? "an image" : "a buffer",
                               size);
        stream_.steps.emplace_back(std::move(contents));
        return {};
    }

    void readView(Decoder& in) {
        auto view = std::make_shared<texture::TextureView>();
        view->identity = in.take<uint64_t>("identity");
        in.choice("kind", view->kind, kKindWords);
        uint8_t levels = 0;
        in.number("levels", levels, 0, texture::kMaxLevels);
        for (texture::Channel& channel : view->swizzle) in.choice("swizzle", channel, kChannelWords);
        if (!in.problem.empty()) return;
        view->levels = levels;
        for (size_t face = 0; face < (view->kind == texture::Kind::Cube ? 6 : 1); ++face)
            for (size_t level = 0; level < levels; ++level) in.image("level", view->image[face][level]);
        if (!in.rest().empty()) view->storedAs = in.take<uint32_t>("stored as");
        if (in.problem.empty()) in.problem = problemOf(*view);
        stream_.views.push_back(std::move(view));
    }

    void readProgram(Decoder& in) {
        auto program = std::make_shared<Program>();
        program->name = in.take<uint32_t>("name");
        in.flag("banned", program->isBanned);
        for (int8_t& source : program->varyingSource) in.number("varying", source, -1, isa::kMaxVaryings - 1);
        for (Interpolation& one : program->interpolation) in.choice("interpolation", one, kInterpolationWords);
        for (const isa::Stage stage : kDrawStages) {
            const std::string name(kStageWords[static_cast<size_t>(stage)]);
            program->stages[stage].program = readStage(in, stage, name);
            if (!in.problem.empty()) return;
            if (const auto& code = program->stages[stage].program)
                program->stages[stage].facts = analysis::factsOfStage(*code);
        }
        const bool draws = program->stages[isa::Stage::Vertex].program != nullptr;
        if (draws) program->distances = distancesOf(program->vertex());
        if (draws != (program->stages[isa::Stage::Fragment].program != nullptr))
            return in.fail("program", "it has one of the stages that draw, and not the other");
        if (!draws) {
            for (uint32_t& threads : program->block) threads = in.take<uint32_t>("block");
            program->stages[isa::Stage::Compute].program = readStage(in, isa::Stage::Compute, "compute");
            if (in.problem.empty() && !program->stages[isa::Stage::Compute].program)
                in.fail("program", "it has no stage at all");
            if (!in.problem.empty()) return;
            compute::LaunchSize size{.block = program->block};
            if (size.block == std::array<uint32_t, 3>{}) return in.fail("block", "it has no threads");
            in.problem = compute::resolveSize(*program->stages[isa::Stage::Compute].program, size);
        }
        stream_.programs.push_back(std::move(program));
    }

    /// Null without a problem: the program has no such stage.
    static std::shared_ptr<const isa::Program> readStage(Decoder& in, isa::Stage stage, const std::string& name) {
        const auto size = in.take<uint64_t>(name);
        if (size == 0) return nullptr;
        if (size > in.rest().size()) return in.fail(name, "the record ends before it"), nullptr;
        std::string problem;
        std::optional<isa::Program> program = isa::deserialize(in.skip(size), &problem);
        if (program && program->stage != stage) problem = "it is a program of another stage";
        if (program && problem.empty()) problem = isa::verify(*program);
        if (!problem.empty()) return in.fail(name + " program", problem), nullptr;
        return std::make_shared<const isa::Program>(std::move(*program));
    }

    CommandStream& stream_;
    uint64_t memory_ = 0;  ///< of images and buffers
    size_t commands_ = 0, frames_ = 0, buffers_ = 0;
    Whole whole_;
    bool isMarked_ = false, isEnded_ = false;
};

struct RecordHeader {
    RecordKind kind{};
    uint32_t hash = 0;
    uint64_t size = 0;
};

/// Of the record that the bytes begin with; nothing when it is not all there.
std::optional<RecordHeader> headerAt(std::span<const std::byte> bytes) {
    if (bytes.size() < kRecordHeaderSize) return std::nullopt;
    RecordHeader header;
    std::memcpy(&header.kind, bytes.data(), sizeof header.kind);
    std::memcpy(&header.hash, bytes.data() + 4, sizeof header.hash);
    std::memcpy(&header.size, bytes.data() + 8, sizeof header.size);
    if (header.size > bytes.size() - kRecordHeaderSize) return std::nullopt;
    return header;
}

}  // namespace

size_t CommandStream::commandCount() const {
    return static_cast<size_t>(std::ranges::count_if(steps, [](const Step& step) { return step.index() == 0; }));
}

std::string cutText(const CommandStream::Cut& cut) {
    using Unit = CommandStream::Cut::Unit;
    const auto counted = [](size_t count, const char* what) {
        return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    const char* const unit = cut.unit == Unit::Frame ? "frame" : "command buffer";
    const std::string whole = counted(cut.units, fmt::format("whole {}", unit).c_str());
    const std::string rest = cut.leftOut == 0 ? "nothing" : counted(cut.leftOut, "byte");
    if (cut.unit == Unit::BeforeFrame) return fmt::format("no frame is marked as whole: {}, {} left out", whole, rest);
    if (cut.leftOut == 0) return fmt::format("the recording was not ended: {}, nothing left out", whole);
    return fmt::format("the last {} is cut off: {}, {} left out", unit, whole, rest);
}

bool isEndOfCommands(std::span<const std::byte> bytes) {
    static_assert(kEndRecordSize == kRecordHeaderSize + sizeof(uint64_t));
    const std::optional<RecordHeader> record = headerAt(bytes);
    return record && bytes.size() == kEndRecordSize && record->kind == RecordKind::End &&
           record->size == sizeof(uint64_t) &&
           static_cast<uint32_t>(hashOf(bytes.data() + kRecordHeaderSize, sizeof(uint64_t))) == record->hash;
}

std::optional<CommandStream> decodeCommands(std::span<const std::byte> file, std::string* problem) {
    const auto refuse = [&](size_t at, const std::string& what) {
        *problem = fmt::format("byte {}: {}", at, what);
        return std::nullopt;
    };
    constexpr const char* kCut = "the file is cut off here, and no command buffer before is whole";
    if (file.size() < sizeof kCommandMagic || std::memcmp(file.data(), kCommandMagic, sizeof kCommandMagic) != 0)
        return refuse(0, "this is no recorded command stream; TESSERA_COMMANDS=FILE writes one");
    if (file.size() < kCommandHeaderSize) return refuse(file.size(), kCut);
    uint32_t version = 0;
    std::memcpy(&version, file.data() + 4, sizeof version);
    if (version != kCommandVersion)
        return refuse(
            4, fmt::format("version {}; this build reads version {}: record it again", version, kCommandVersion));
    std::optional<CommandStream> stream(std::in_place);
    std::memcpy(&stream->budget, file.data() + 8, sizeof stream->budget);
    StreamReader reader(*stream);
    size_t at = kCommandHeaderSize;
    try {
        while (!reader.isEnded()) {
            const std::optional<RecordHeader> record = headerAt(file.subspan(at));
            if (!record) {
                if (!reader.cut(file)) return refuse(at, kCut);
                return stream;
            }
            const auto& [kind, hash, size] = *record;
            const std::span<const std::byte> payload = file.subspan(at + kRecordHeaderSize, size);
            if (static_cast<uint32_t>(hashOf(payload.data(), payload.size())) != hash)
                return refuse(at, "the record is damaged: its checksum is another; copy or record the file again");
            if (const std::string wrong = reader.read(kind, payload); !wrong.empty()) return refuse(at, wrong);
            at += kRecordHeaderSize + size;
        }
    } catch (const std::bad_alloc&) {
        return refuse(at, "there is no memory for what the file holds");
    }
    if (at != file.size()) return refuse(at, "something follows the end of the recording");
    return stream;
}

}  // namespace tessera::pipeline
