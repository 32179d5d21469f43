#include "model/chip/record.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "shader-core/isa/stage_registers.h"
#include "texture/codec/stored.h"

namespace tessera::model {

namespace {

constexpr uint64_t kLineBytes = 64, kPageBytes = 4096;

/// More than that is no frame; less than 4 GB together.
constexpr size_t kMostExecuted = size_t{1} << 26, kMostAccesses = size_t{1} << 27;

/// Blocks after which there is progress to tell.
constexpr size_t kProgressBlocks = 16384;

// What the command processor reads of a draw, in bytes: ours, as no paper says it. Numbers take four bytes, addresses
// eight; state is read when it is another than that of the last draw.
constexpr uint32_t kDrawBytes = 32;       ///< primitive, first, count, instances, indices, state
constexpr uint32_t kStateBytes = 128;     ///< programs, target, viewport, scissor, tests, blending
constexpr uint32_t kAttributeBytes = 24;  ///< address, stride, type, divisor
constexpr uint32_t kTextureBytes = 32;    ///< address, sizes, format, filters, wraps
constexpr uint32_t kConstantBytes = 16;

const char* primitiveWord(pipeline::Primitive primitive, uint32_t count) {
    const bool one = count == 1;
    switch (primitive) {
        case pipeline::Primitive::Points:
            return one ? "point" : "points";
        case pipeline::Primitive::Lines:
        case pipeline::Primitive::LineLoop:
        case pipeline::Primitive::LineStrip:
            return one ? "line" : "lines";
        default:
            return one ? "triangle" : "triangles";
    }
}

/// Channels that memory writes by themselves, as bytes under a mask.
bool hasWholeBytes(texture::Element element) {
    const texture::ElementInfo& info = texture::elementInfo(element);
    return std::ranges::all_of(info.channel, [](const texture::Field& field) { return field.bits % 8 == 0; }) &&
           info.stencil.bits % 8 == 0;
}

/// Of a texel of a texture that is stored as it is: what the format takes (seed 004, 2.3).
uint64_t storedBytes(const texture::Image& image) {
    return static_cast<uint64_t>(texture::storedTexelBytes(image.format()));
}

/// Of a pixel of a target, which pixel engines keep as an element.
uint64_t elementBytes(const texture::Image& image) {
    return static_cast<uint64_t>(texture::elementBytes(image.element()));
}

/// The part of a rectangle that lies in an image.
uint64_t pixelsWithin(const Rect& rect, const texture::Image& image) {
    const auto length = [](int64_t from, int64_t size, int64_t limit) {
        return static_cast<uint64_t>(std::max<int64_t>(0, std::min(from + size, limit) - std::max<int64_t>(from, 0)));
    };
    return length(rect.x, rect.width, image.width()) * length(rect.y, rect.height, image.height());
}

uint64_t pixelsOf(const texture::Image& image) { return pixelsWithin({0, 0, image.width(), image.height()}, image); }

/// How an image that is sampled lies in SDRAM, by lines of the texture cache: what a line is read from, as its format
/// is stored, and how far lines are apart. Formats of other blocks than 4x4 texels share blocks between lines; a line
/// is read from all that it has a texel of.
class StoredLines {
public:
    StoredLines(const texture::TextureView& view, const texture::Image& image, int entries)
        : wide_(4 / entries), width_(image.width()), height_(image.height()) {
        if (view.storedAs != 0) block_ = texture::storedBlock(view.storedAs, image.format());
        const int texels = wide_ * kLineRows;
        plain_ = static_cast<uint8_t>(texels * texture::storedTexelBytes(image.format()));
        const int part = block_ ? block_->width * block_->height : 1;
        const int mean = block_ ? (texels * block_->bytes + part - 1) / part : plain_;
        step_ = static_cast<uint8_t>(std::min(std::bit_ceil(static_cast<unsigned>(mean)), unsigned{kLineBytes}));
    }
    [[nodiscard]] uint8_t bytes(uint32_t tileX, uint32_t tileY) const {
        if (!block_) return plain_;
        const auto blocks = [](int first, int texels, int size, int each) {
            return std::min(first + texels, size) / each - first / each + (std::min(first + texels, size) % each != 0);
        };
        const int x = static_cast<int>(tileX) * wide_, y = static_cast<int>(tileY) * kLineRows;
        const int all = blocks(x, wide_, width_, block_->width) * blocks(y, kLineRows, height_, block_->height);
        return static_cast<uint8_t>(std::min<uint64_t>(static_cast<uint64_t>(all * block_->bytes), kLineBytes));
    }
    [[nodiscard]] uint8_t step() const { return step_; }

private:
    static constexpr int kLineRows = 4;
    int wide_, width_, height_;
    std::optional<texture::StoredBlock> block_;
    uint8_t plain_, step_;
};

int vertexBytes(const pipeline::VertexAttribute& attribute) {
    return pipeline::vertexElementBytes(attribute.type, attribute.components);
}

int indexBytes(pipeline::IndexType type) {
    switch (type) {
        case pipeline::IndexType::None:
            return 0;
        case pipeline::IndexType::U8:
            return 1;
        case pipeline::IndexType::U16:
            return 2;
        case pipeline::IndexType::U32:
            return 4;
    }
    return 0;
}

Fate fateOf(pipeline::PrimitiveFate fate) {
    switch (fate) {
        case pipeline::PrimitiveFate::Drawn:
            return Fate::Drawn;
        case pipeline::PrimitiveFate::Outside:
            return Fate::Outside;
        case pipeline::PrimitiveFate::Facing:
            return Fate::Facing;
        case pipeline::PrimitiveFate::Empty:
            return Fate::Empty;
    }
    return Fate::Empty;
}

}  // namespace

uint64_t AddressSpace::of(const void* thing, uint64_t bytes) {
    const auto [place, isNew] = places_.try_emplace(thing, end_);
    if (isNew) end_ += (std::max<uint64_t>(bytes, 1) + kPageBytes - 1) / kPageBytes * kPageBytes;
    return place->second;
}

// --- Instructions ---

/// Appends what a group executes.
class Recorder::GroupObserver final : public interp::Observer {
public:
    GroupObserver(Recorder& recorder, const std::vector<isa::Instruction>& code)
        : recorder_(recorder), tracer_(code, recorder.runs_++) {}

    bool before(const interp::Step& step) override {
        Workload& work = recorder_.work_;
        Executed executed = tracer_.follow(step);
        executed.accesses.first = static_cast<uint32_t>(work.accesses.size());
        work.executed.push_back(executed);
        std::ranges::fill(recorder_.lookups_, uint8_t{0});
        return true;
    }

private:
    Recorder& recorder_;
    Tracer tracer_;
};

class Recorder::RecordedRoutine final : public isa::Routine {
public:
    RecordedRoutine(Recorder& recorder, std::shared_ptr<const isa::Routine> routine, const isa::Program& program)
        : recorder_(recorder), routine_(std::move(routine)), code_(decodeAll(program)) {}

    void run(isa::GroupRun& run) const override {
        if (!recorder_.isRecording()) return routine_->run(run);
        GroupObserver observer(recorder_, code_);
        interp::runObserved(*routine_, run, observer);
    }

private:
    Recorder& recorder_;
    const std::shared_ptr<const isa::Routine> routine_;
    const std::vector<isa::Instruction> code_;
};

class Recorder::RecordedExecutor final : public isa::Executor {
public:
    explicit RecordedExecutor(Recorder& recorder) : recorder_(recorder) {}
    std::shared_ptr<const isa::Routine> prepare(std::shared_ptr<const isa::Program> program) override {
        return std::make_shared<RecordedRoutine>(recorder_, recorder_.interpreter_->prepare(program), *program);
    }
    std::shared_ptr<const isa::Kernel> prepareKernel(std::shared_ptr<const isa::Program> program,
                                                     std::array<uint32_t, 3> block) override {
        return recordedKernel(recorder_, std::move(program), block);
    }
    std::string name() const override { return recorder_.interpreter_->name(); }

private:
    Recorder& recorder_;
};

Recorder::Recorder(FrameRange frames, Progress progress)
    : frames_(frames), progress_(std::move(progress)), interpreter_(interp::makeInterpreter()) {}
Recorder::~Recorder() = default;

std::shared_ptr<isa::Executor> Recorder::executor() { return std::make_shared<RecordedExecutor>(*this); }

Workload Recorder::take() {
    CHECK(drawn_.empty());
    for (size_t i = 0; i < work_.draws.size(); ++i) {
        const uint32_t primitives = work_.draws[i].primitives.count;
        work_.draws[i].name = fmt::format("draw {}: {} {}, program {}", i + 1, primitives,
                                          primitiveWord(sources_[i].primitive, primitives), sources_[i].program);
    }
    return std::exchange(work_, {});
}

void Recorder::noteSize() { isFull_ |= work_.executed.size() > kMostExecuted || work_.accesses.size() > kMostAccesses; }

/// What was executed since the last call.
Range Recorder::takeTrace() {
    const auto end = static_cast<uint32_t>(work_.executed.size());
    const Range trace = {traceStart_, end - traceStart_};
    traceStart_ = end;
    runs_ = 0;
    return trace.count == 0 ? Range{} : trace;
}

void Recorder::fetched(const pipeline::TextureFetch& fetch) {
    if (!isRecording() || work_.executed.size() == traceStart_) return;
    const texture::TexelFetch& texels = *fetch.texels;
    const texture::Image& image = *texels.image;
    const int entries = texture::elementBytes(image.element()) / 4;
    constexpr TextureCacheShape kShape;
    const uint64_t wide = (static_cast<uint64_t>(image.width()) * static_cast<uint64_t>(entries) + 3) / 4;
    const auto high = static_cast<uint64_t>(image.blocksHigh());
    const uint64_t base = memory_.of(&image.whole(), image.whole().byteCount());
    const StoredLines stored(*fetch.view, image, entries);
    TexelFootprint footprint;
    footprint.columns = footprint.rows = texels.linear ? 2 : 1;
    footprint.slices = texels.linear && fetch.view->kind == texture::Kind::Tex3D ? 2 : 1;
    for (uint32_t left = texels.lanes; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        for (int i = 0; i < 2; ++i) {
            footprint.x[i] = texels.x[i][lane];
            footprint.y[i] = texels.y[i][lane];
            footprint.z[i] = texels.z[i][lane];
        }
        const LineReads reads = lineReads(kShape, entries, footprint);
        const uint8_t lookup = lookups_[fetch.firstLane + lane]++;
        for (const LineRead& line : std::span(reads.line, static_cast<size_t>(reads.count))) {
            const uint64_t tile = (line.slice * high + line.tileY) * wide + line.tileX;
            work_.accesses.push_back({base + tile * kLineBytes, static_cast<uint8_t>(fetch.firstLane + lane),
                                      line.cycles, lookup, line.texels, stored.bytes(line.tileX, line.tileY),
                                      stored.step()});
        }
    }
    Executed& executed = work_.executed.back();
    executed.accesses.count = static_cast<uint32_t>(work_.accesses.size()) - executed.accesses.first;
}

// --- Commands ---

void Recorder::command(const pipeline::Command& command) {
    if (const auto* draw = std::get_if<pipeline::Draw>(&command)) {
        ++draws_;
        if (isRecording()) record(*draw);
    } else if (const auto* end = std::get_if<pipeline::EndFrame>(&command)) {
        surface_ = end->color;
    } else if (isRecording()) {
        std::visit(
            [this](const auto& one) {
                if constexpr (requires { record(one); }) record(one);
            },
            command);
    }
}

void Recorder::endFrame() {
    if (isRecording()) {
        work_.commands.push_back({CommandWork::Kind::EndFrame, static_cast<uint32_t>(frame_)});
        if (surface_ != nullptr) work_.width = surface_->width(), work_.height = surface_->height();
    }
    ++frame_;
    surface_ = nullptr;
}

uint32_t Recorder::programNumber(const pipeline::Program& program, isa::Stage stage) {
    const std::shared_ptr<const isa::Program>& code = program.stages[stage].program;
    const auto [found, isNew] = programs_.try_emplace(code.get(), static_cast<uint32_t>(work_.programs.size()));
    if (isNew)
        work_.programs.push_back(
            {code, fmt::format("{} program {}", stage == isa::Stage::Vertex ? "vertex" : "fragment", program.name),
             code->tempCount});
    return found->second;
}

uint32_t Recorder::commandBytes(const pipeline::Draw& draw) {
    uint32_t bytes = kDrawBytes;
    for (const isa::Stage stage : pipeline::kDrawStages)
        bytes += kConstantBytes * static_cast<uint32_t>(draw.constants[stage].size());
    const std::shared_ptr<const pipeline::DrawState> last = std::exchange(state_, draw.state);
    if (last == draw.state) return bytes;
    bytes += kStateBytes;
    bytes += kAttributeBytes * static_cast<uint32_t>(draw.state->program->vertex().inputMask.count());
    for (const isa::Stage stage : pipeline::kDrawStages)
        bytes += kTextureBytes * static_cast<uint32_t>(draw.state->textures[stage].size());
    return bytes;
}

PixelWork Recorder::pixelWork(const pipeline::Draw& draw) {
    const pipeline::RenderTarget& target = draw.state->target;
    const pipeline::PixelKey key = pipeline::pixelKey(draw.state->pixel, target, draw.state->program->fragment());
    PixelWork work;
    work.depthRead = key.depthTest;
    work.depthWrite = key.depthWrite;
    work.stencil = key.stencilTest;
    work.earlyTests = key.order != pipeline::TestOrder::Late && (key.depthTest || key.stencilTest);
    work.targets = 0;
    for (size_t i = 0; i < std::size(key.target); ++i) {
        const pipeline::TargetKey& one = key.target[i];
        if (!one.layout.present) continue;
        ++work.targets;
        const bool writesPart = (one.writeMask & one.layout.channels) != one.layout.channels;
        work.colorRead |= one.readsColor() || (writesPart && !hasWholeBytes(one.layout.element));
        work.colorBytes = static_cast<uint8_t>(texture::elementBytes(one.layout.element));
    }
    work.samples = static_cast<uint8_t>(target.samples());
    work.target = targetNumber(target);
    return work;
}

uint32_t Recorder::targetNumber(const pipeline::RenderTarget& target) {
    const auto same = std::ranges::find(targets_, target);
    const auto number = static_cast<uint32_t>(same - targets_.begin());
    if (same == targets_.end()) targets_.push_back(target);
    return number;
}

void Recorder::record(const pipeline::Draw& draw) {
    const pipeline::DrawState& state = *draw.state;
    if (state.program == nullptr) return;
    work_.commands.push_back({CommandWork::Kind::Draw, static_cast<uint32_t>(work_.draws.size())});
    places_[draws_] = work_.draws.size();
    DrawWork& work = work_.draws.emplace_back();
    sources_.push_back({&draw, draw.primitive, state.program->name});
    work.call = draw.indexType == pipeline::IndexType::None ? "glDrawArrays" : "glDrawElements";
    if (draw.instances > 1) work.call += "Instanced";
    work.vertexProgram = programNumber(*state.program, isa::Stage::Vertex);
    work.fragmentProgram = programNumber(*state.program, isa::Stage::Fragment);
    work.attributes = static_cast<uint8_t>(state.program->vertex().inputMask.count());
    work.varyings = static_cast<uint8_t>(isa::varyingMask(state.program->fragment()).count());
    work.pixels = pixelWork(draw);
    work.commandBytes = commandBytes(draw);
}

// --- Transfers ---

TransferWork& Recorder::transfer(std::string name, uint64_t read, uint64_t written) {
    work_.commands.push_back({CommandWork::Kind::Transfer, static_cast<uint32_t>(work_.transfers.size())});
    TransferWork& transfer = work_.transfers.emplace_back();
    transfer.name = std::move(name);
    transfer.bytesRead = read;
    transfer.bytesWritten = written;
    return transfer;
}

void Recorder::record(const pipeline::Clear& clear) {
    const pipeline::RenderTarget& target = *clear.target;
    Rect rect = {0, 0, target.width, target.height};
    if (clear.scissorTest) rect = clear.scissor;
    uint64_t read = 0, written = 0, whole = 0;
    // Parts of an element keep their value: it is read, if they are no bytes. True: the whole image is cleared.
    const auto add = [&](const texture::ImagePtr& image, bool isWhole, bool keepsBits = false) {
        if (image == nullptr) return true;
        const uint64_t pixels = pixelsWithin(rect, *image);
        const uint64_t bytes = pixels * static_cast<uint64_t>(image->samples()) * elementBytes(*image);
        written += bytes;
        if (keepsBits || (!isWhole && !hasWholeBytes(image->element()))) read += bytes;
        return isWhole && !keepsBits && pixels == pixelsOf(*image);
    };
    const bool keepsBits = clear.stencilMask != 0xFF;  // of stencils each bit has its mask
    bool wholeColor = clear.clearColor, wholeDepth = false;
    for (size_t i = 0; i < target.color.size(); ++i) {
        if (clear.clearColor && clear.colorMask[i] != 0)
            wholeColor &= add(target.color[i], clear.colorMask[i] == 0xF);
        else
            wholeColor &= target.color[i] == nullptr;
    }
    if (wholeColor) whole = written;
    const uint64_t color = written;
    const bool depth = clear.clearDepth && clear.depthMask && target.depth != nullptr;
    const bool stencil = clear.clearStencil && clear.stencilMask != 0 && target.stencil != nullptr;
    const auto hasBoth = [](const texture::Image& image) {
        const texture::FormatInfo& format = texture::formatInfo(image.format());
        return format.depth != 0 && format.stencil != 0;
    };
    if (depth && stencil && target.depth == target.stencil) {
        wholeDepth = add(target.depth, true, keepsBits);
    } else {
        if (depth) wholeDepth = add(target.depth, !hasBoth(*target.depth));
        // Stencils in an image of their own lie beside no depth, as early tests read them.
        if (stencil) (void)add(target.stencil, !hasBoth(*target.stencil), keepsBits);
        wholeDepth &= target.stencil == nullptr || target.stencil == target.depth;
    }
    if (wholeDepth) whole += written - color;
    std::string what = clear.clearColor ? " color" : "";
    if (depth) what += " depth";
    if (stencil) what += " stencil";
    TransferWork& work = transfer("clear" + what, read, written);
    if (!wholeColor && !wholeDepth) return;
    work.target = targetNumber(target);
    work.wholeColor = wholeColor;
    work.wholeDepth = wholeDepth;
    work.bytesWhole = whole;
}

void Recorder::record(const pipeline::Upload& upload) {
    if (upload.image == nullptr) return;
    const uint64_t pixels = pixelsWithin(upload.rect, *upload.image);
    const auto bytes = static_cast<uint64_t>(texture::clientPixelBytes(upload.layout.format, upload.layout.type));
    transfer("upload", pixels * bytes, pixels * storedBytes(*upload.image)).host = TransferWork::Host::Read;
}

void Recorder::record(const pipeline::Decode& decode) {
    if (decode.image == nullptr) return;
    const texture::BlockFormat& format = *decode.format;
    const auto blocks = [](int size, int block) { return static_cast<uint64_t>((size + block - 1) / block); };
    // Compressed they stay: what is read of them is converted.
    const uint64_t bytes =
        blocks(decode.rect.width, format.width) * blocks(decode.rect.height, format.height) * format.bytes;
    transfer(fmt::format("upload {}", format.name), bytes, bytes).host = TransferWork::Host::Read;
}

void Recorder::record(const pipeline::CopyImage& copy) {
    if (copy.from == nullptr || copy.to == nullptr) return;
    const uint64_t pixels = pixelsWithin(copy.rect, *copy.to);
    transfer("copy", pixels * elementBytes(*copy.from) * static_cast<uint64_t>(copy.from->samples()),
             pixels * storedBytes(*copy.to));
}

void Recorder::record(const pipeline::Blit& blit) {
    if (blit.from == nullptr || blit.to == nullptr) return;
    const auto rectOf = [](const texture::Corners& corners) {
        const auto [left, right] = std::minmax(corners.x0, corners.x1);
        const auto [low, high] = std::minmax(corners.y0, corners.y1);
        return Rect{left, low, right - left, high - low};
    };
    const auto bytes = [](const Rect& rect, const texture::Image& image) {
        return pixelsWithin(rect, image) * elementBytes(image) * static_cast<uint64_t>(image.samples());
    };
    transfer("blit", bytes(rectOf(blit.how.from), *blit.from), bytes(rectOf(blit.how.to), *blit.to));
}

void Recorder::record(const pipeline::Resolve& resolve) {
    if (resolve.from == nullptr || resolve.to == nullptr) return;
    transfer("resolve",
             pixelsOf(*resolve.from) * elementBytes(*resolve.from) * static_cast<uint64_t>(resolve.from->samples()),
             pixelsOf(*resolve.to) * elementBytes(*resolve.to));
}

void Recorder::record(const pipeline::FillSamples& fill) {
    if (fill.from == nullptr || fill.to == nullptr) return;
    const uint64_t bytes = pixelsOf(*fill.from) * elementBytes(*fill.from);
    transfer("fill samples", bytes, bytes * static_cast<uint64_t>(fill.to->samples()));
}

void Recorder::record(const pipeline::GenerateMipmap& mipmap) {
    uint64_t read = 0, written = 0;
    for (const auto& face : mipmap.faces)
        for (size_t level = 1; level < face.size(); ++level) {
            if (face[level - 1] == nullptr || face[level] == nullptr) continue;
            const auto bytes = [](const texture::Image& image) {
                return pixelsOf(image) * storedBytes(image) * static_cast<uint64_t>(image.depth());
            };
            read += bytes(*face[level - 1]);
            written += bytes(*face[level]);
        }
    transfer("generate mipmap", read, written);
}

/// Of a read back, or of pixels that are packed.
template <class Read>
void Recorder::readPixels(const char* name, const Read& read, TransferWork::Host host) {
    if (read.image == nullptr) return;
    const uint64_t pixels = pixelsWithin(read.rect, *read.image);
    const auto bytes = static_cast<uint64_t>(texture::clientPixelBytes(read.layout.format, read.layout.type));
    transfer(name, pixels * elementBytes(*read.image) * static_cast<uint64_t>(read.image->samples()), pixels * bytes)
        .host = host;
}

void Recorder::record(const pipeline::ReadBack& read) { readPixels("read back", read, TransferWork::Host::Written); }

void Recorder::record(const pipeline::PackPixels& pack) { readPixels("pack pixels", pack, TransferWork::Host::None); }

// --- Geometry ---

DrawWork* Recorder::recordedDraw(uint64_t number) {
    if (!isRecording()) return nullptr;
    const auto place = places_.find(number);
    return place != places_.end() ? &work_.draws[place->second] : nullptr;
}

void Recorder::chunk(const pipeline::ProbedChunk& chunk) {
    chunk_ = chunk;
    DrawWork* const draw = recordedDraw(chunk.draw);
    if (draw == nullptr) return;
    shadedVertices_ = 0;
    firstBatch_ = static_cast<uint32_t>(work_.batches.size());
    if (draw->batches.count == 0) draw->batches.first = firstBatch_;
    if (draw->primitives.count == 0) draw->primitives.first = static_cast<uint32_t>(work_.primitives.size());
}

void Recorder::shaded(uint32_t lanes) {
    DrawWork* const draw = recordedDraw(chunk_.draw);
    if (draw == nullptr) return;
    const pipeline::Draw& source = *sources_[places_.at(chunk_.draw)].draw;
    VertexBatch batch;
    batch.lanes = lanes;
    batch.trace = takeTrace();
    const size_t firstLine = work_.lines.size();
    fetchIndices(source);
    fetchVertices(source, chunk_.vertices.subspan(shadedVertices_, batch.vertices()));
    batch.fetches = {static_cast<uint32_t>(firstLine), static_cast<uint32_t>(work_.lines.size() - firstLine)};
    shadedVertices_ += batch.vertices();
    ++draw->batches.count;
    work_.batches.push_back(batch);
}

/// Lines of something, but for those that the batch, whose lines begin at `first`, has already.
void Recorder::addLines(uint64_t address, uint64_t bytes, size_t first) {
    for (uint64_t line = address / kLineBytes; line * kLineBytes < address + bytes; ++line) {
        const auto known = std::span(work_.lines).subspan(first);
        if (std::ranges::find(known, line * kLineBytes) == known.end()) work_.lines.push_back(line * kLineBytes);
    }
}

/// The next batch's share of the indices that the chunk reads: they come as the batches need them.
void Recorder::fetchIndices(const pipeline::Draw& draw) {
    if (draw.indices == nullptr) return;
    const auto batches = static_cast<uint32_t>((chunk_.vertices.size() + isa::kGroupSize - 1) / isa::kGroupSize);
    const auto batch = static_cast<uint32_t>(work_.batches.size()) - firstBatch_;
    const uint64_t from = uint64_t{chunk_.ordinals} * batch / batches;
    const uint64_t end = uint64_t{chunk_.ordinals} * (batch + 1) / batches;
    const auto bytes = static_cast<uint64_t>(indexBytes(draw.indexType));
    const uint64_t size = draw.indices->size();
    uint64_t first = 0;
    if (__builtin_add_overflow(draw.indexOffset, (chunk_.firstOrdinal + from) * bytes, &first) || first >= size) return;
    addLines(memory_.of(draw.indices->data(), size) + first, std::min((end - from) * bytes, size - first),
             work_.lines.size());
}

void Recorder::fetchVertices(const pipeline::Draw& draw, std::span<const pipeline::VertexKey> keys) {
    const size_t firstLine = work_.lines.size();
    for (const pipeline::VertexKey& key : keys)
        for (const int input : draw.state->program->vertex().inputMask) {
            const pipeline::VertexAttribute& attribute = draw.state->attributes[static_cast<size_t>(input)];
            if (attribute.data == nullptr) continue;
            const uint32_t element = attribute.divisor == 0 ? key.element : key.instance / attribute.divisor;
            const auto size = static_cast<int64_t>(attribute.data->size());
            const int64_t bytes = vertexBytes(attribute);
            int64_t at = 0;
            if (__builtin_add_overflow(int64_t{attribute.stride} * element, attribute.offset, &at)) continue;
            if (at < 0 || at > size - bytes) continue;  // reads 0, 0, 0, 1
            addLines(memory_.of(attribute.data->data(), attribute.data->size()) + static_cast<uint64_t>(at),
                     static_cast<uint64_t>(bytes), firstLine);
        }
}

void Recorder::assembled(const pipeline::ProbedPrimitive& probed) {
    DrawWork* const draw = recordedDraw(chunk_.draw);
    if (draw == nullptr) return;
    Primitive primitive;
    for (int corner = 0; corner < probed.corners; ++corner)
        primitive.batch[corner] = firstBatch_ + probed.vertex[static_cast<size_t>(corner)] / isa::kGroupSize;
    primitive.fate = fateOf(probed.fate);
    primitive.outcodes = probed.outcodes;
    primitive.newVertices = probed.newVertices;
    ++draw->primitives.count;
    work_.primitives.push_back(primitive);
}

// --- Rasteriser ---

void Recorder::scanned(const pipeline::ProbedScan& scan) {
    const DrawWork* const draw = recordedDraw(scan.draw);
    if (draw != nullptr) work_.primitives[draw->primitives.first + scan.primitive].scanned += scan.blocks;
}

void Recorder::drawn(const pipeline::ProbedBlock& probed) {
    const DrawWork* const draw = recordedDraw(probed.draw);
    if (draw == nullptr) return;
    const Range trace = takeTrace();
    if (probed.covered == 0) return;
    Block block;
    block.x = static_cast<int16_t>(probed.x), block.y = static_cast<int16_t>(probed.y);
    block.covered = static_cast<uint16_t>(probed.covered);
    block.early = static_cast<uint16_t>(probed.early);
    block.written = static_cast<uint16_t>(probed.written);
    block.trace = trace;
    drawn_.push_back({draw->primitives.first + static_cast<uint32_t>(probed.primitive),
                      static_cast<uint32_t>(drawn_.size()), block});
    if (progress_ && drawn_.size() % kProgressBlocks == 0) progress_(work_);
}

/// Tile by tile becomes primitive by primitive.
void Recorder::drawsDone() {
    std::ranges::sort(drawn_, {}, [](const DrawnBlock& one) { return std::pair(one.primitive, one.number); });
    for (const DrawnBlock& one : drawn_) {
        Range& blocks = work_.primitives[one.primitive].blocks;
        if (blocks.count++ == 0) blocks.first = static_cast<uint32_t>(work_.blocks.size());
        work_.blocks.push_back(one.block);
    }
    drawn_.clear();
    for (; firstPrimitive_ < work_.primitives.size(); ++firstPrimitive_) {
        Primitive& primitive = work_.primitives[firstPrimitive_];
        if (primitive.fate == Fate::Drawn && primitive.blocks.count == 0) primitive.fate = Fate::Empty;
    }
    noteSize();
    if (progress_ && isRecording()) progress_(work_);
}

}  // namespace tessera::model
