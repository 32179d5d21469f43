#include "pipeline/recording/encode.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <new>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/limits.h"
#include "base/process/env.h"
#include "base/process/recording_file.h"
#include "pipeline/command/command_buffer.h"
#include "pipeline/recording/fields.h"
#include "shader-core/isa/program.h"

namespace tessera::pipeline {

uint64_t hashOf(const void* bytes, size_t size) { return XXH3_64bits(bytes, size); }

uint64_t hashOfPixels(const texture::Image& image) {
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    const auto element = static_cast<size_t>(texture::elementBytes(image.element()));
    const int whole = image.width() / 4, planes = image.samples() * image.depth();
    const size_t blockBytes = element * 16;
    for (int plane = 0; plane < planes; ++plane)
        for (int by = 0; by < image.blocksHigh(); ++by) {
            const std::byte* const row = image.sampleBlock(plane, 0, by);
            const int rows = std::min(4, image.height() - by * 4), rest = image.width() % 4;
            if (rows == 4) XXH3_64bits_update(&state, row, blockBytes * static_cast<size_t>(whole));
            for (int bx = rows == 4 ? whole : 0; bx < image.blocksWide(); ++bx)
                for (int y = 0; y < rows; ++y)
                    XXH3_64bits_update(&state,
                                       row + (static_cast<size_t>(bx) * 16 + static_cast<size_t>(y) * 4) * element,
                                       element * static_cast<size_t>(bx < whole ? 4 : rest));
        }
    return XXH3_64bits_digest(&state);
}

namespace {

/// Little endian, as all hosts are.
template <class T>
void put(std::string& out, T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void putRecord(std::string& out, RecordKind kind, const void* payload, size_t size) {
    put(out, kind);
    put(out, static_cast<uint32_t>(hashOf(payload, size)));
    put(out, static_cast<uint64_t>(size));
    out.append(static_cast<const char*>(payload), size);
}
void putRecord(std::string& out, RecordKind kind, const std::string& payload) {
    putRecord(out, kind, payload.data(), payload.size());
}

bool isZero(std::span<const std::byte> bytes) {
    return bytes.empty() ||
           (bytes[0] == std::byte{0} && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

/// Calls use(image) for each image that the command writes.
template <class Use>
void forEachImageWritten(const Command& command, const Use& use) {
    const auto visit = [&](const auto& one) {
        using One = std::remove_cvref_t<decltype(one)>;
        if constexpr (std::is_same_v<One, Draw>) {
            forEachImage(one.state->target, use);
        } else if constexpr (std::is_same_v<One, Clear>) {
            forEachImage(*one.target, use);
        } else if constexpr (std::is_same_v<One, Upload> || std::is_same_v<One, Decode>) {
            if (one.image) use(*one.image);
        } else if constexpr (requires { one.to->samples(); }) {
            if (one.to) use(*one.to);
        } else if constexpr (std::is_same_v<One, GenerateMipmap>) {
            for (const auto& face : one.faces)
                for (size_t level = 1; level < face.size(); ++level)
                    if (face[level]) use(*face[level]);
        }
    };
    std::visit(visit, command);
}

/// Calls use(buffer) for each buffer that the command may write.
template <class Use>
void forEachBufferWritten(const Command& command, const Use& use) {
    if (const auto* dispatch = std::get_if<Dispatch>(&command)) {
        for (const BufferPtr& buffer : dispatch->buffers)
            if (buffer) use(*buffer);
    } else if (const auto* copy = std::get_if<CopyBuffer>(&command)) {
        use(*copy->to);
    } else if (const auto* pack = std::get_if<PackPixels>(&command)) {
        if (pack->to) use(*pack->to);
    } else if (const auto* draw = std::get_if<Draw>(&command); draw != nullptr && draw->streamOut) {
        for (const StreamOutRange& range : draw->streamOut->ranges)
            if (range.buffer) use(*range.buffer);
    }
}

/// Whether a kernel was stopped before its end. What it left in its buffers is not defined then, so a recording does
/// not ask for it.
bool hasFailed(const Command& command) {
    const auto* dispatch = std::get_if<Dispatch>(&command);
    return dispatch != nullptr && dispatch->result && !dispatch->result->isDone;
}

}  // namespace

struct CommandRecorder::Impl {
    struct KnownImage {
        uint32_t number = 0;
        texture::PixelFormat format{};
        int width = 0, height = 0, samples = 0, depth = 0;
        uint64_t hash = 0;  ///< of its pixels after the last buffer that uses it
    };
    /// A buffer is its memory: the application may wrap the same again.
    using Memory = std::pair<const std::byte*, size_t>;
    struct KnownBuffer {
        uint32_t number = 0;
        uint64_t hash = 0;       ///< of its bytes after the last command buffer that uses it
        bool isWritten = false;  ///< by a command: what the application writes is its contents, and no other version
    };
    /// Values that are the same when their encoded form is.
    struct Pool {
        std::unordered_map<std::string, uint32_t> numbers;
        std::unordered_map<const void*, uint32_t> ofBuffer;  ///< by address, within one buffer
    };

    /// Archive of fields.h: makes a payload, and the definitions that it needs.
    struct Encoder {
        Impl& recorder;
        std::string payload;

        void flag(const auto&, bool value) { put(payload, static_cast<uint8_t>(value)); }
        void number(const auto&, auto value, auto, auto) { put(payload, value); }
        void real(const auto&, float value, float, float) { put(payload, value); }
        void choice(const auto&, auto value, Words) { put(payload, static_cast<uint8_t>(value)); }
        template <class List, class Use>
        void list(const auto&, const List& values, size_t, const Use& use) {
            put(payload, static_cast<uint32_t>(values.size()));
            for (const auto& value : values) use(value);
        }
        void within(const auto&, const auto& use) { use(); }
        void image(const auto&, const texture::ImagePtr& image) {
            put(payload, image ? recorder.numberOf(image->whole()) : 0u);
            if (image) put(payload, planeOf(*image));
        }
        void buffer(const auto&, const ConstBufferPtr& buffer) {
            put(payload, buffer ? recorder.numberOf(*buffer) : 0u);
        }
        void view(const auto&, const texture::TextureViewPtr& view) {
            put(payload, view ? recorder.numberOf(*view) : 0u);
        }
        void program(const auto&, const std::shared_ptr<const Program>& program) {
            put(payload, program ? recorder.numberOf(program) : 0u);
        }
        void state(const auto&, const std::shared_ptr<DrawState>& state) { put(payload, recorder.numberOf(*state)); }
        void optional(const auto&, const auto& value, const auto& use) {
            put(payload, static_cast<uint8_t>(value != nullptr));
            if (value != nullptr) use(*value);
        }
        void place(const auto&, const std::shared_ptr<StreamOutPlace>& place) {
            put(payload,
                recorder.places.try_emplace(place, static_cast<uint32_t>(recorder.places.size()) + 1).first->second);
            put(payload, place->vertices);
        }
        void counter(const auto&, const auto& counter) {
            put(payload, counter
                             ? recorder.counters.try_emplace(counter.get(), recorder.counters.size() + 1).first->second
                             : 0u);
        }
        void constants(const auto&, std::span<const ConstantRegister> registers) {
            put(payload, static_cast<uint32_t>(registers.size()));
            payload.append(reinterpret_cast<const char*>(registers.data()), registers.size_bytes());
        }
        void blockFormat(const auto&, const texture::BlockFormat* format) { put(payload, format->internalformat); }
        void task(const auto&, const std::shared_ptr<Task>& task) { payload += task->name(); }

        /// 0: the whole image; else a plane's number, from 1.
        static uint32_t planeOf(const texture::Image& image) {
            const texture::Image& whole = image.whole();
            if (&whole == &image) return 0;
            const std::ptrdiff_t bytes = image.block(0, 0) - whole.block(0, 0);
            return static_cast<uint32_t>(static_cast<size_t>(bytes) / whole.planeBytes()) + 1;
        }
    };

    [[nodiscard]] bool isRecording() const { return file.isOpen() && frame >= frames.first && frame <= frames.last; }

    uint32_t numberOf(const texture::Image& image) {
        const auto [at, isNew] = images.try_emplace(&image);
        KnownImage& known = at->second;
        const bool isSame = !isNew && known.format == image.format() && known.width == image.width() &&
                            known.height == image.height() && known.samples == image.samples() &&
                            known.depth == image.depth();
        if (!usedImages.emplace(&image).second && isSame) return known.number;
        const uint64_t hash = hashOfPixels(image);
        if (!isSame) {
            known = {++imageCount, image.format(), image.width(), image.height(), image.samples(), image.depth(), hash};
            std::string payload;
            put(payload, static_cast<uint8_t>(image.format()));
            for (const int size : {image.width(), image.height(), image.samples(), image.depth()})
                put(payload, static_cast<uint32_t>(size));
            putRecord(definitions, RecordKind::Image, payload);
            if (!isZero({image.block(0, 0), image.byteCount()})) putContents(known.number, image);
        } else if (hash != known.hash) {
            known.hash = hash;
            putContents(known.number, image);
            if (const auto at = written.find(known.number); at != written.end()) at->second = hash;
        }
        return known.number;
    }

    void putContents(uint32_t number, const texture::Image& image) {
        std::string payload;
        payload.reserve(sizeof number + image.byteCount());
        put(payload, number);
        payload.append(reinterpret_cast<const char*>(image.block(0, 0)), image.byteCount());
        putRecord(definitions, RecordKind::Contents, payload);
    }

    static Memory memoryOf(const Buffer& buffer) { return {buffer.data(), buffer.size()}; }

    uint32_t numberOf(const Buffer& buffer) {
        const Memory memory = memoryOf(buffer);
        const auto [at, isNew] = buffers.try_emplace(memory);
        KnownBuffer& known = at->second;
        if (!usedBuffers.emplace(memory).second) return known.number;
        if (isShared(memory)) file.giveUp("two buffers have a part of their memory in common");
        const uint64_t hash = hashOf(buffer.data(), buffer.size());
        if (isNew || (hash != known.hash && !known.isWritten)) {
            known.number = ++bufferCount;
            std::string payload;
            put(payload, static_cast<uint64_t>(buffer.size()));
            if (!isZero(buffer.bytes())) payload.append(reinterpret_cast<const char*>(buffer.data()), buffer.size());
            putRecord(definitions, RecordKind::Buffer, payload);
        } else if (hash != known.hash) {
            std::string payload;
            payload.reserve(sizeof known.number + buffer.size());
            put(payload, known.number);
            payload.append(reinterpret_cast<const char*>(buffer.data()), buffer.size());
            putRecord(definitions, RecordKind::BufferContents, payload);
            if (const auto expected = writtenBuffers.find(known.number); expected != writtenBuffers.end())
                expected->second = hash;
        }
        known.hash = hash;
        return known.number;
    }

    /// Whether another buffer that the command buffer uses has a part of that memory.
    [[nodiscard]] bool isShared(const Memory& memory) const {
        const auto overlaps = [&](const Memory& other) {
            return std::less<>()(other.first, memory.first + memory.second) &&
                   std::less<>()(memory.first, other.first + other.second);
        };
        const auto at = usedBuffers.find(memory);
        return (at != usedBuffers.begin() && overlaps(*std::prev(at))) ||
               (std::next(at) != usedBuffers.end() && overlaps(*std::next(at)));
    }

    /// What the command buffer has written to buffers. Those that a dispatch which failed was given, or one that came
    /// after it, are written into the file again when they are used next.
    void noteBuffersWritten(const CommandBuffer& buffer) {
        std::map<Memory, bool> areDefined;  // what was written
        bool isDefined = true;
        for (const Command& command : buffer.commands) {
            isDefined &= !hasFailed(command);
            forEachBufferWritten(command, [&](const Buffer& to) { areDefined[memoryOf(to)] = isDefined; });
        }
        for (const auto& [memory, isDefinedThere] : areDefined) {
            KnownBuffer& known = buffers[memory];
            const uint64_t hash = hashOf(memory.first, memory.second);
            known.isWritten = true;
            known.hash = isDefinedThere ? hash : ~hash;
            if (isDefinedThere)
                writtenBuffers[known.number] = hash;
            else
                writtenBuffers.erase(known.number);
        }
    }

    /// The number of a value that encode(encoder) encodes.
    template <class Encode>
    uint32_t numberIn(Pool& pool, const void* address, RecordKind kind, const Encode& encode) {
        if (const auto at = pool.ofBuffer.find(address); at != pool.ofBuffer.end()) return at->second;
        Encoder encoder{*this, {}};
        encode(encoder);
        const auto [at, isNew] =
            pool.numbers.try_emplace(encoder.payload, static_cast<uint32_t>(pool.numbers.size()) + 1);
        if (isNew) putRecord(definitions, kind, encoder.payload);
        pool.ofBuffer[address] = at->second;
        return at->second;
    }

    uint32_t numberOf(const texture::TextureView& view) {
        return numberIn(views, &view, RecordKind::View, [&](Encoder& encoder) {
            put(encoder.payload, view.identity);
            put(encoder.payload, static_cast<uint8_t>(view.kind));
            put(encoder.payload, static_cast<uint8_t>(view.levels));
            for (const texture::Channel channel : view.swizzle) put(encoder.payload, static_cast<uint8_t>(channel));
            for (int face = 0; face < (view.kind == texture::Kind::Cube ? 6 : 1); ++face)
                for (int level = 0; level < view.levels; ++level)
                    encoder.image("", view.image[static_cast<size_t>(face)][static_cast<size_t>(level)]);
            if (view.storedAs) put(encoder.payload, view.storedAs);
        });
    }

    uint32_t numberOf(const DrawState& state) {
        return numberIn(states, &state, RecordKind::State, [&](Encoder& encoder) { fields(encoder, state); });
    }

    /// Programs are kept, so that none is at the place of another.
    uint32_t numberOf(const std::shared_ptr<const Program>& program) {
        const auto [at, isNew] = programs.try_emplace(program, static_cast<uint32_t>(programs.size()) + 1);
        if (!isNew) return at->second;
        std::string payload;
        put(payload, program->name);
        put(payload, static_cast<uint8_t>(program->isBanned));
        for (const int8_t source : program->varyingSource) put(payload, source);
        for (const Interpolation one : program->interpolation) put(payload, static_cast<uint8_t>(one));
        const auto putStage = [&](const ProgramStage& stage) {
            const std::vector<std::byte> tsb =
                stage.program ? isa::serialize(*stage.program) : std::vector<std::byte>();
            put(payload, static_cast<uint64_t>(tsb.size()));
            payload.append(reinterpret_cast<const char*>(tsb.data()), tsb.size());
        };
        for (const isa::Stage stage : kDrawStages) putStage(program->stages[stage]);
        if (const ProgramStage& compute = program->stages[isa::Stage::Compute]; compute.program) {
            for (const uint32_t threads : program->block) put(payload, threads);
            putStage(compute);
        }
        putRecord(definitions, RecordKind::Program, payload);
        return at->second;
    }

    void encode(const CommandBuffer& buffer) {
        std::string commands;
        for (const Command& command : buffer.commands) {
            Encoder encoder{*this, {}};
            std::visit([&](const auto& one) { fields(encoder, one); }, command);
            const auto kind = static_cast<uint32_t>(RecordKind::Command) + static_cast<uint32_t>(command.index());
            putRecord(commands, static_cast<RecordKind>(kind), encoder.payload);
            records += 1;
        }
        putRecord(commands, RecordKind::EndBuffer, {});
        write(definitions);
        write(commands);
        definitions.clear();
    }

    void write(const std::string& text) { file.write(text); }

    void expect() {
        std::string text;
        for (const auto& [number, hash] : written) {
            std::string payload;
            put(payload, number);
            put(payload, hash);
            putRecord(text, RecordKind::Expect, payload);
        }
        for (const auto& [number, hash] : writtenBuffers) {
            std::string payload;
            put(payload, number);
            put(payload, hash);
            putRecord(text, RecordKind::BufferExpect, payload);
        }
        write(text);
        written.clear();
        writtenBuffers.clear();
    }

    /// A record that says how many commands there are before it.
    void putCount(RecordKind kind) {
        std::string text;
        std::string payload;
        put(payload, records);
        putRecord(text, kind, payload);
        write(text);
    }

    void markWhole() {
        expect();
        putCount(RecordKind::Whole);
        file.markWhole();
    }

    void finish() {
        expect();
        putCount(RecordKind::End);
        file.finish();
    }

    Impl(const std::string& path, std::optional<FrameRange> range)
        : file("TESSERA_COMMANDS", path), frames(range.value_or(FrameRange{})), hasFrames(range.has_value()) {}

    RecordingFile file;
    const FrameRange frames;
    const bool hasFrames;
    uint64_t frame = 1;
    uint64_t records = 0;     ///< commands written
    std::string definitions;  ///< that the buffer needs
    std::unordered_map<const texture::Image*, KnownImage> images;
    std::map<Memory, KnownBuffer> buffers;
    std::unordered_map<std::shared_ptr<const Program>, uint32_t> programs;
    std::unordered_map<const void*, uint32_t> counters;
    std::unordered_map<std::shared_ptr<StreamOutPlace>, uint32_t> places;  ///< kept, as programs are
    Pool views, states;
    std::unordered_set<const texture::Image*> usedImages;  ///< by the buffer
    std::set<Memory> usedBuffers;                          ///< likewise
    std::map<uint32_t, uint64_t> written;         ///< images drawn to, with their hash, since the last expect()
    std::map<uint32_t, uint64_t> writtenBuffers;  ///< likewise
    uint32_t imageCount = 0, bufferCount = 0;
};

CommandRecorder::CommandRecorder(const std::string& path, std::optional<FrameRange> frames)
    : impl_(std::make_unique<Impl>(path, frames)) {
    std::string header(kCommandMagic, sizeof kCommandMagic);
    put(header, kCommandVersion);
    put(header, instructionBudget());
    impl_->write(header);
}

CommandRecorder::~CommandRecorder() = default;

void CommandRecorder::before(const CommandBuffer& buffer) noexcept {
    if (!impl_->isRecording()) return;
    try {
        impl_->usedImages.clear();
        impl_->usedBuffers.clear();
        impl_->views.ofBuffer.clear();
        impl_->states.ofBuffer.clear();
        impl_->encode(buffer);
    } catch (const std::bad_alloc&) {
        impl_->file.giveUp("there is no memory to record more");
    }
}

void CommandRecorder::after(const CommandBuffer& buffer) noexcept {
    if (!impl_->file.isOpen()) return;
    try {
        if (impl_->isRecording()) {
            impl_->noteBuffersWritten(buffer);
            for (const Command& command : buffer.commands)
                forEachImageWritten(command, [&](const texture::Image& part) {
                    const texture::Image& image = part.whole();
                    if (impl_->usedImages.erase(&image) == 0) return;  // seen to already
                    Impl::KnownImage& known = impl_->images[&image];
                    impl_->written[known.number] = known.hash = hashOfPixels(image);
                });
        }
        if (!impl_->hasFrames) return impl_->markWhole();
        for (const Command& command : buffer.commands) {
            if (!std::holds_alternative<EndFrame>(command)) continue;
            const bool isRecorded = impl_->isRecording();
            if (++impl_->frame > impl_->frames.last) return finish();
            if (isRecorded) impl_->markWhole();
        }
    } catch (const std::bad_alloc&) {
        impl_->file.giveUp("there is no memory to record more");
    }
}

bool CommandRecorder::isOpen() const noexcept { return impl_->file.isOpen(); }

void CommandRecorder::finish() noexcept {
    if (!impl_->file.isOpen()) return;
    if (impl_->frame < impl_->frames.first) return impl_->file.giveUp("the program ended before that frame");
    try {
        impl_->finish();
    } catch (const std::bad_alloc&) {
        impl_->file.giveUp("there is no memory to record more");
    }
}

}  // namespace tessera::pipeline
