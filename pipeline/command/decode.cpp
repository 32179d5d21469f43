#include "pipeline/command/decode.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "pipeline/command/command_buffer.h"
#include "pipeline/command/encode.h"
#include "pipeline/command/fields.h"
#include "pipeline/command/gpu.h"
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

// --- What fields have to do with each other: empty, or what is wrong ---

bool isDepth(const texture::Image& image) { return texture::isDepth(image.element()); }

bool contains(const texture::Image& image, const Rect& rect) {
    return rect.x >= 0 && rect.y >= 0 && int64_t{rect.x} + rect.width <= image.width() &&
           int64_t{rect.y} + rect.height <= image.height();
}

/// The last byte of a rectangle in client memory, and one; nothing when it is beyond all memory.
std::optional<size_t> clientBytes(const Rect& rect, const texture::ClientLayout& layout) {
    if (rect.width == 0 || rect.height == 0) return 0;
    const auto pixel = static_cast<size_t>(texture::clientPixelBytes(layout.format, layout.type));
    size_t bytes = 0;
    if (__builtin_mul_overflow(layout.rowStride, static_cast<size_t>(rect.height - 1), &bytes)) return std::nullopt;
    if (__builtin_add_overflow(bytes, static_cast<size_t>(rect.width) * pixel, &bytes)) return std::nullopt;
    return bytes;
}

std::string problemOf(const RenderTarget& target) {
    std::string problem;
    int samples = 0;
    const auto look = [&](const texture::ImagePtr& image, bool wantsDepth, const char* what) {
        if (!image || !problem.empty()) return;
        if (samples == 0) samples = image->samples();
        if (image->width() < target.width || image->height() < target.height)
            problem = fmt::format("the {} image is smaller than the target", what);
        else if (isDepth(*image) != wantsDepth || !texture::formatInfo(image->format()).renderable)
            problem = fmt::format("the {} image has the format {}", what, texture::formatInfo(image->format()).name);
        else if (image->samples() != samples || image->depth() != 1)
            problem = fmt::format("the {} image has other samples, or slices", what);
    };
    for (const texture::ImagePtr& image : target.color) look(image, false, "color");
    look(target.depth, true, "depth");
    look(target.stencil, true, "stencil");
    return problem;
}

std::string problemOf(const texture::TextureView& view) {
    for (int face = 0; face < (view.kind == texture::Kind::Cube ? 6 : 1); ++face)
        for (int level = 0; level < view.levels; ++level) {
            const auto& levels = view.image[static_cast<size_t>(face)];
            const texture::ImagePtr &image = levels[static_cast<size_t>(level)], &base = view.image[0][0];
            if (!image || !base) return fmt::format("face {} has no level {}", face, level);
            const auto scaled = [&](int size) { return std::max(size >> level, 1); };
            const bool isVolume = view.kind == texture::Kind::Tex3D;
            if (image->format() != base->format() || image->width() != scaled(base->width()) ||
                image->height() != scaled(base->height()) || image->samples() != 1 ||
                image->depth() != (isVolume ? scaled(base->depth()) : 1) ||
                (view.kind == texture::Kind::Cube && base->width() != base->height()))
                return fmt::format("level {} of face {} does not follow from level 0", level, face);
        }
    return {};
}

std::string problemOf(const DrawState& state) {
    if (!state.program || !state.program->stages[isa::Stage::Vertex].program) return "there is no program to draw with";
    return problemOf(state.target);
}

std::string problemOf(const Draw& draw) {
    if (uint64_t{draw.count} * draw.instances > kMaxVertices)
        return fmt::format("{} vertices in {} instances are more than {}", draw.count, draw.instances, kMaxVertices);
    return {};
}

std::string problemOf(const Clear& clear) { return problemOf(clear.target); }

std::string problemOf(const Upload& upload) {
    if (!upload.image || !upload.pixels) return "the image or the pixels are missing";
    if (upload.image->samples() != 1 || !contains(*upload.image, upload.rect))
        return "the rectangle is not inside the image";
    if (texture::clientPixelBytes(upload.layout.format, upload.layout.type) == 0)
        return "there is no such format with that type";
    const std::optional<size_t> bytes = clientBytes(upload.rect, upload.layout);
    if (!bytes || *bytes > upload.pixels->size()) return "the rectangle needs more bytes than there are";
    return {};
}

std::string problemOf(const Decode& decode) {
    if (!decode.image || !decode.blocks) return "the image or the blocks are missing";
    if (decode.image->format() != decode.format->storage) return "the image has another format than blocks decode to";
    if (decode.image->samples() != 1 || !contains(*decode.image, decode.rect))
        return "the rectangle is not inside the image";
    if (decode.blocks->size() < texture::compressedBytes(*decode.format, decode.rect.width, decode.rect.height))
        return "the rectangle needs more bytes than there are";
    return {};
}

std::string problemOfPair(const texture::ImagePtr& from, const texture::ImagePtr& to) {
    if (!from || !to) return "an image is missing";
    if (isDepth(*from) != isDepth(*to)) return "one image is of colors and one is not";
    return {};
}

std::string problemOf(const CopyImage& copy) {
    if (std::string problem = problemOfPair(copy.from, copy.to); !problem.empty()) return problem;
    return contains(*copy.to, copy.rect) ? "" : "the rectangle is not inside the image";
}

std::string problemOf(const Blit& blit) { return problemOfPair(blit.from, blit.to); }

bool areAlike(const texture::Image& a, const texture::Image& b) {
    return a.format() == b.format() && a.width() == b.width() && a.height() == b.height();
}

std::string problemOf(const Resolve& resolve) {
    if (std::string problem = problemOfPair(resolve.from, resolve.to); !problem.empty()) return problem;
    return resolve.to->samples() == 1 ? "" : "the destination has samples";
}

std::string problemOf(const FillSamples& fill) {
    if (std::string problem = problemOfPair(fill.from, fill.to); !problem.empty()) return problem;
    const bool fits = areAlike(*fill.from, *fill.to) && fill.from->samples() == 1 && fill.from->depth() == 1 &&
                      fill.to->samples() == texture::kMaxSamples;
    return fits ? "" : "the images differ in more than their samples";
}

std::string problemOf(const GenerateMipmap& mipmap) {
    for (const auto& face : mipmap.faces)
        for (size_t level = 0; level < face.size(); ++level) {
            const texture::ImagePtr& image = face[level];
            if (!image || isDepth(*image) || image->samples() != 1)
                return fmt::format("level {} is missing, or no image of colors", level);
            if (level == 0) continue;
            const texture::Image& larger = *face[level - 1];
            const auto half = [](int size) { return std::max(size / 2, 1); };
            if (image->format() != larger.format() || image->width() != half(larger.width()) ||
                image->height() != half(larger.height()) || image->depth() != half(larger.depth()))
                return fmt::format("level {} does not follow from the one before", level);
        }
    return {};
}

std::string problemOf(const ReadBack& read) { return read.image ? "" : "the image is missing"; }
std::string problemOf(const Timestamp&) { return {}; }
std::string problemOf(const EndFrame&) { return {}; }
std::string problemOf(const RunTask&) { return {}; }

std::string problemOf(const Dispatch& dispatch) {
    if (!dispatch.program || !dispatch.program->stages[isa::Stage::Compute].program)
        return "there is no compute program";
    compute::LaunchSize size{.grid = dispatch.grid, .block = dispatch.program->block};
    return compute::resolveSize(*dispatch.program->stages[isa::Stage::Compute].program, size);
}

bool contains(const ConstBufferPtr& buffer, uint64_t offset, uint64_t size) {
    return buffer && size <= buffer->size() && offset <= buffer->size() - size;
}

std::string problemOf(const CopyBuffer& copy) {
    const bool areInside =
        contains(copy.from, copy.fromOffset, copy.size) && contains(copy.to, copy.toOffset, copy.size);
    return areInside ? "" : "a range is not inside its buffer";
}

std::string problemOf(const PackPixels& pack) {
    if (!pack.image || !pack.to) return "the image or the buffer is missing";
    if (!contains(*pack.image, pack.rect)) return "the rectangle is not inside the image";
    if (texture::clientPixelBytes(pack.layout.format, pack.layout.type) == 0)
        return "there is no such format with that type";
    const std::optional<size_t> bytes = clientBytes(pack.rect, pack.layout);
    return bytes && contains(pack.to, pack.offset, *bytes) ? "" : "the rectangle needs more bytes than there are";
}

// --- Records ---

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
    void counter(const std::string& name, std::shared_ptr<OcclusionCounter>& counter) {
        if (take<uint32_t>(name) != 0) counter = std::make_shared<OcclusionCounter>();
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
        in.number("depth", depth, 1, texture::kMaxDepth);
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
        if (!in.problem.empty()) return;
        view->levels = levels;
        for (size_t face = 0; face < (view->kind == texture::Kind::Cube ? 6 : 1); ++face)
            for (size_t level = 0; level < levels; ++level) in.image("level", view->image[face][level]);
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

// --- Replay ---

namespace {

/// Hands the steps of a stream to the GPU.
class Replay {
public:
    Replay(CommandStream& stream, Gpu& gpu, const ReplayOptions& options)
        : stream_(stream), gpu_(gpu), options_(options) {}

    ReplayResult run() {
        for (const std::shared_ptr<Program>& program : stream_.programs) prepare(*program);
        for (size_t i = 0; i < stream_.steps.size(); ++i) {
            step_ = i;
            const auto* const command = std::get_if<Command>(&stream_.steps[i]);
            frame_ += command != nullptr && std::holds_alternative<EndFrame>(*command);
            if (!options_.steps.empty() && !options_.steps[i]) continue;
            std::visit([this](const auto& step) { take(step); }, stream_.steps[i]);
        }
        finish();
        if (!result_.last) result_.last = lastDrawnTo_;
        for (std::string& news : faults_->takeNews()) result_.faults.push_back(std::move(news));
        if (faults_->takeOutOfMemory()) result_.faults.emplace_back("there was no memory for a command");
        return std::move(result_);
    }

private:
    void prepare(Program& program) {
        for (const isa::Stage one : kDrawStages)
            if (ProgramStage& stage = program.stages[one]; stage.program)
                stage.routine = gpu_.executor().prepare(stage.program);
        if (ProgramStage& stage = program.stages[isa::Stage::Compute]; stage.program)
            stage.kernel = gpu_.executor().prepareKernel(stage.program, program.block);
    }

    void take(const Command& command) {
        ++result_.commands;
        if (const auto* recorded = std::get_if<Dispatch>(&command)) {
            Dispatch dispatch = *recorded;
            dispatch.result = std::make_shared<compute::DispatchResult>();
            dispatches_.push_back(dispatch);
            buffer_.commands.emplace_back(std::move(dispatch));
            return;
        }
        if (const auto* end = std::get_if<EndFrame>(&command); end != nullptr && end->color) result_.last = end->color;
        if (const auto* draw = std::get_if<Draw>(&command)) lastDrawnTo_ = draw->state->target.color[0];
        // These two give a result to a program, and in a replay there is none that waits for it.
        if (std::holds_alternative<ReadBack>(command) || std::holds_alternative<Timestamp>(command)) return;
        buffer_.commands.push_back(command);
        if (const auto* end = std::get_if<EndFrame>(&command); end != nullptr && end->color && options_.frameEnded) {
            finish();
            options_.frameEnded(frame_, *end->color);
        }
    }
    void take(const CommandStream::Contents& contents) {
        finish();
        std::byte* const to = contents.image ? contents.image->block(0, 0) : contents.buffer->data();
        std::memcpy(to, contents.bytes.data(), contents.bytes.size());
    }
    void take(const CommandStream::Expectation& expectation) {
        finish();
        ++result_.expectations;
        const auto& [image, buffer, hash] = expectation;
        const uint64_t found = image ? hashOfPixels(*image) : hashOf(buffer->data(), buffer->size());
        if (found == hash) return;
        const auto numberIn = [](const auto& all, const auto& one) {
            return one ? static_cast<uint32_t>(std::ranges::find(all, one) - all.begin()) + 1 : 0;
        };
        result_.mismatches.push_back(
            {numberIn(stream_.images, image), numberIn(stream_.buffers, buffer), step_, hash, found});
    }
    void take(const CommandStream::EndBuffer&) { submit(); }

    void submit() {
        if (buffer_.commands.empty()) return;
        buffer_.faults = faults_;
        serial_ = gpu_.submit(std::exchange(buffer_, {}));
    }
    /// Everything so far is in the images.
    void finish() {
        submit();
        if (serial_ != 0) gpu_.wait(serial_);
        for (const Dispatch& dispatch : std::exchange(dispatches_, {}))
            if (!dispatch.result->isDone) result_.faults.push_back(faultOf(dispatch));
    }

    static std::string faultOf(const Dispatch& dispatch) {
        const auto& [isDone, counters, fault] = *dispatch.result;
        return fault.kind == isa::FaultKind::None
                   ? "a dispatch was given up"
                   : compute::faultMessage(*dispatch.program->stages[isa::Stage::Compute].program, fault,
                                           dispatch.grid);
    }

    CommandStream& stream_;
    Gpu& gpu_;
    const ReplayOptions& options_;
    CommandBuffer buffer_;
    std::vector<Dispatch> dispatches_;  ///< submitted, or about to be
    uint64_t serial_ = 0;
    size_t step_ = 0, frame_ = 0;
    texture::ImagePtr lastDrawnTo_;
    const std::shared_ptr<Faults> faults_ = std::make_shared<Faults>();
    ReplayResult result_;
};

}  // namespace

void forgetContents(CommandStream& stream) {
    for (const texture::ImagePtr& image : stream.images) std::memset(image->block(0, 0), 0, image->byteCount());
    for (size_t i = 0; i < stream.buffers.size(); ++i) {
        const auto& [buffer, contents] = std::tie(stream.buffers[i], stream.firstContents[i]);
        if (contents.empty())
            std::ranges::fill(buffer->bytes(), std::byte{0});
        else
            std::ranges::copy(contents, buffer->data());
    }
}

ReplayResult replay(CommandStream& stream, Gpu& gpu, const ReplayOptions& options) {
    return Replay(stream, gpu, options).run();
}

}  // namespace tessera::pipeline
