// The commands of a tile in order: a draw is prepared once for each run of its primitives, a clear is split into
// its images. What happens per block is in raster_tile_simd.cpp.
#include "pipeline/raster/raster.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "base/check.h"
#include "base/env.h"
#include "pipeline/command/gpu.h"
#include "pipeline/pixel/pixel_color.h"
#include "pipeline/pixel/pixel_ops.h"
#include "pipeline/probe/pixel_probe.h"
#include "pipeline/raster/fragment_group.h"
#include "pipeline/raster/raster_kernels.h"
#include "pipeline/units/texture_units.h"
#include "shader-core/isa/stage_registers.h"

namespace tessera::pipeline {

// One copy of the kernels for each SIMD level: pipeline/raster/raster_blocks_simd.cpp.
TESSERA_SIMD_COPIES(RasterKernels rasterKernels();)

RasterKernels rasterKernels(SimdLevel level) { return TESSERA_SIMD_COPY(level, rasterKernels)(); }

namespace {

Surface surfaceOf(texture::Image& image) {
    return {image.tileBlocks(), image.blocksWide(), kBlockLanes * texture::elementBytes(image.element()),
            static_cast<int64_t>(image.planeBytes())};
}
Surface surfaceOf(const texture::ImagePtr& image) { return image != nullptr ? surfaceOf(*image) : Surface{}; }

/// The element of a colour buffer cleared to the colour, for normalised channels.
uint32_t clearElement(const ColorLayout& layout, const float (&color)[4]) {
    ColorBlock block;
    for (int channel = 0; channel < 4; ++channel)
        block.channel[channel] = clamp(splat(color[channel]), 0.0f, 1.0f) * layout.scale[channel];
    return packRgba8(layout, quantizeColor(layout, block, false))[0];
}

/// Its bits that a clear writes: the channels of the colour mask, and those that the buffer lacks.
uint32_t clearElementMask(const ColorLayout& layout, uint8_t colorMask) {
    uint32_t mask = 0;
    for (int channel = 0; channel < 4; ++channel) {
        const bool exists = (layout.channels >> channel & 1) != 0;
        if (!exists || (colorMask >> channel & 1) != 0) mask |= 255u << (8 * channel);
    }
    return mask;
}

/// What coverage.h needs to be exact in 32 bits; setup promises it. Without branches: it is asked for each primitive.
bool isSane(const SetupPrimitive& primitive, const PrimitiveChunk& chunk, int varyingCount) {
    constexpr int64_t kEdgeLimit = int64_t{1} << 32, kLineLimit = int64_t{1} << 24;
    const auto isBeyond = [](int64_t value, int64_t limit) { return (limit - 1 - value) | (limit - 1 + value); };
    int64_t beyond = 0, fraction = 0;  // the sign of one, the lowest bits of the other
    if (primitive.kind == PrimitiveKind::ThinLine) [[unlikely]] {
        beyond = isBeyond(int64_t{primitive.lineX1} - primitive.lineX0, kLineLimit) |
                 isBeyond(int64_t{primitive.lineY1} - primitive.lineY0, kLineLimit);
    } else {
        if (primitive.edgeCount > 4) return false;
        for (int i = 0; i < primitive.edgeCount; ++i) {
            const Edge& edge = primitive.edge[i];
            beyond |= isBeyond(edge.a, kEdgeLimit) | isBeyond(edge.b, kEdgeLimit);
            fraction |= edge.a | edge.b;
        }
    }
    const bool hasPlanes = primitive.firstPlane + 4 * static_cast<size_t>(varyingCount) <= chunk.planes.size();
    return hasPlanes & (beyond >= 0) & ((fraction & 0xFF) == 0);
}

/// Asks for memory that will be read soon.
void prefetch(const void* memory, size_t bytes) {
    constexpr size_t kLineBytes = 64;
    for (size_t at = 0; at < bytes; at += kLineBytes) __builtin_prefetch(static_cast<const std::byte*>(memory) + at);
}

/// Runs a fragment program and shows the groups that hold a watched pixel.
class ProbedRoutine final : public isa::Routine {
public:
    using Look = std::function<void(const isa::GroupRun&)>;
    ProbedRoutine(const isa::Routine& routine, Look look) : routine_(routine), look_(std::move(look)) {}
    void run(isa::GroupRun& run) const override {
        routine_.run(run);
        look_(run);
    }
    [[nodiscard]] const isa::Routine& routine() const { return routine_; }

private:
    const isa::Routine& routine_;
    Look look_;
};

/// One tile of one scene.
class TileRaster {
public:
    TileRaster(const RasterKernels& kernels, const Scene& scene, int tileX, int tileY, RasterStats& stats)
        : scene_(scene),
          kernels_(kernels),
          stats_(stats),
          samples_(scene.target.samples()),
          tileX_(tileX),
          tileY_(tileY) {
        int width = scene.target.width, height = scene.target.height;
        const auto limit = [&](const texture::ImagePtr& image) {
            if (image == nullptr) return;
            width = std::min(width, image->width());
            height = std::min(height, image->height());
        };
        for (const texture::ImagePtr& image : scene.target.color) limit(image);
        limit(scene.target.depth);
        limit(scene.target.stencil);
        tile_.minX = tileX * kTileSize, tile_.minY = tileY * kTileSize;
        tile_.maxX = std::min(tile_.minX + kTileSize, width) - 1;
        tile_.maxY = std::min(tile_.minY + kTileSize, height) - 1;
    }

    void run(const std::vector<TileCommand>& commands) {
        if (tile_.minX > tile_.maxX || tile_.minY > tile_.maxY) return;
        if (scene_.pixelProbe != nullptr) watch();
        if (scene_.undo != nullptr)
            undo_ = &scene_.undo->tiles[static_cast<size_t>(tileY_) * scene_.tilesWide + tileX_];
        for (size_t i = undo_ != nullptr ? undo_->next : 0; i < commands.size() && !isStopped();) {
            const TileCommand& command = commands[i];
            if (command.kind == TileCommand::Kind::Clear) {
                endDraw();
                watched_.empty() ? clear(*scene_.clears[command.item]) : watchClear(*scene_.clears[command.item]);
                ++i;
            } else if (const RasterDraw& draw = *scene_.draws[command.item]; draw.isLeftOut) {
                ++i;
            } else {
                if (draw.mayBeUndone && !undo_->isSaved) save(i);
                i += watched_.empty() ? drawCommands({commands.data() + i, commands.size() - i}) : watchDraws(command);
            }
        }
        endDraw();
    }

private:
    // --- Watched pixels: the general way, one primitive at a time ---

    void watch() {
        watched_ = scene_.pixelProbe->pixels(scene_.target);
        std::erase_if(watched_, [&](const WatchedPixel& pixel) {
            return pixel.x < tile_.minX || pixel.x > tile_.maxX || pixel.y < tile_.minY || pixel.y > tile_.maxY;
        });
    }

    size_t watchDraws(const TileCommand& command) {
        for (const uint32_t number : numbersOf(command)) watchDraw(command, number);
        return 1;
    }

    void watchClear(const Clear& command) {
        std::vector<PixelContents> before;
        for (const WatchedPixel& pixel : watched_) before.push_back(readPixel(scene_.target, pixel.x, pixel.y));
        clear(command);
        for (size_t i = 0; i < watched_.size(); ++i) {
            const WatchedPixel& pixel = watched_[i];
            if (!isCleared(command, pixel)) continue;
            PixelEvent event;
            event.kind = PixelEvent::Kind::Clear;
            event.command = scene_.pixelProbe->number(&command);
            event.before = before[i];
            event.after = readPixel(scene_.target, pixel.x, pixel.y);
            scene_.pixelProbe->event(scene_.target, pixel, event);
        }
    }

    static bool isCleared(const Clear& command, const WatchedPixel& pixel) {
        const Box& box = command.scissor;
        return !command.scissorTest || (pixel.x >= box.x && pixel.y >= box.y && pixel.x - int64_t{box.x} < box.width &&
                                        pixel.y - int64_t{box.y} < box.height);
    }

    void watchDraw(const TileCommand& command, uint32_t number) {
        const RasterDraw& source = *scene_.draws[command.item];
        if (&source != source_) {
            endDraw();
            beginDraw(source, command.item);
        }
        const PrimitiveChunk& chunk = source.chunks[command.chunk];
        const SetupPrimitive& primitive = chunk.primitives[number];
        touched_.clear();
        for (const WatchedPixel& pixel : watched_) {
            const bool near = pixel.x >= primitive.minX && pixel.x <= primitive.maxX && pixel.y >= primitive.minY &&
                              pixel.y <= primitive.maxY;
            const uint32_t covered = near ? coveredSamples(primitive, tile_, draw_, samples_, pixel.x, pixel.y) : 0;
            if (covered != 0) touched_.push_back({pixel, covered, {}, {}});
        }
        if (touched_.empty() || isStopped()) return drawPrimitive(chunk, number);
        const auto finish = samples_ == 1 ? kernels_.finish : kernels_.finishSamples;
        finish(draw_, group_);
        for (Touched& one : touched_) beginEvent(one, command, primitive, chunk.first);
        const ProbedRoutine probed(*draw_.routine, [&](const isa::GroupRun& run) { lookAt(run, chunk.first); });
        draw_.routine = &probed;
        drawPrimitive(chunk, number);
        finish(draw_, group_);
        draw_.routine = &probed.routine();
        noteBudget();
        for (Touched& one : touched_) {
            one.event.after = readPixel(scene_.target, one.pixel.x, one.pixel.y);
            describeTests(primitive, one.pixel.x, one.pixel.y, one.covered,
                          draw_.writesDepth && one.event.shaded ? &one.shaderDepth : nullptr, one.event);
            scene_.pixelProbe->event(scene_.target, one.pixel, one.event);
        }
    }

    struct Touched {
        WatchedPixel pixel;
        uint32_t covered = 0;
        PixelEvent event;
        float shaderDepth = 0;
    };

    void beginEvent(Touched& one, const TileCommand& command, const SetupPrimitive& primitive, uint64_t number) const {
        PixelEvent& event = one.event;
        event.command = scene_.pixelProbe->number(scene_.draws[command.item]->draw);
        event.primitive = number;
        event.primitiveKind = primitive.kind;
        event.frontFacing = primitive.frontFacing;
        event.key = draw_.key;
        event.values = draw_.values;
        event.before = readPixel(scene_.target, one.pixel.x, one.pixel.y);
    }

    /// A group has been executed: the watched pixels among its lanes.
    void lookAt(const isa::GroupRun& run, uint64_t primitive) {
        for (Touched& one : touched_)
            for (int slot = 0; slot < 2; ++slot) {
                const PendingBlock& block = group_.block[slot];
                const int lane = slot * kBlockLanes + (one.pixel.y & 3) * kBlockSize + (one.pixel.x & 3);
                const bool here = block.blockX == one.pixel.x >> 2 && block.blockY == one.pixel.y >> 2;
                if (!here || ((run.activeMask & ~run.helperMask) >> lane & 1) == 0) continue;
                one.event.shaded = true;
                one.event.discarded = (run.killMask >> lane & 1) != 0;
                for (size_t target = 0; target < kMaxColorTargets; ++target)
                    for (size_t c = 0; c < 4; ++c)
                        one.event.color[target][c] = run.outputs[isa::kOutColor0 + target].lane[c][lane];
                one.shaderDepth = run.outputs[isa::kOutDepth].lane[0][lane];
                one.event.instructions = instructionsFor(run, lane);
                ProbedGroup group{source_->draw, primitive, &run, lane, {}, {}};
                for (int i = 0; i < 2; ++i)
                    group.blockX[i] = group_.block[i].blockX, group.blockY[i] = group_.block[i].blockY;
                scene_.pixelProbe->shaded(one.pixel, group);
            }
    }

    /// What the pixel costs by itself: its quad is run again alone, or its lane where no derivative is taken.
    [[nodiscard]] uint64_t instructionsFor(const isa::GroupRun& run, int lane) const {
        std::vector<isa::GroupRegister> outputs(isa::kMaxOutputs);
        isa::GroupRun alone = run;
        const uint32_t self = 1u << lane;
        const int half = lane & ~(kBlockLanes - 1);
        alone.activeMask = draw_.quads ? wholeQuads(self >> half) << half : self;
        alone.helperMask = run.helperMask & alone.activeMask;
        alone.outputs = outputs.data();
        static_cast<const ProbedRoutine*>(draw_.routine)->routine().run(alone);
        return alone.instructions;
    }

    // --- All others ---

    /// The commands of one draw at the front of the list; returns how many.
    size_t drawCommands(std::span<const TileCommand> commands) {
        const RasterDraw& source = *scene_.draws[commands[0].item];
        if (&source != source_) {
            endDraw();
            beginDraw(source, commands[0].item);
        }
        const bool inBlocks = samples_ == 1 && draw_.code.function != nullptr;
        PrimitiveBatch batch;
        size_t used = 0;
        for (; used < commands.size(); ++used) {
            const TileCommand& command = commands[used];
            if (command.item != commands[0].item || command.kind != TileCommand::Kind::Draw) break;
            const PrimitiveChunk& chunk = source.chunks[command.chunk];
            for (const uint32_t number : numbersOf(command)) {
                if (!inBlocks) {
                    drawPrimitive(chunk, number);
                } else {
                    batch.add(chunk, number);
                    if (batch.count == kRunPrimitives) drawBatch(batch);
                }
            }
        }
        drawBatch(batch);
        return used;
    }

    [[nodiscard]] std::span<const uint32_t> numbersOf(const TileCommand& command) const {
        return std::span(scene_.draws[command.item]->chunks[command.chunk].byTile)
            .subspan(command.first, command.count);
    }

    /// Primitives of the current draw on their way to drawBlocks. They are first touched when all are known.
    struct PrimitiveBatch {
        int count = 0;
        const PrimitiveChunk* chunk[kRunPrimitives];
        PlacedPrimitive placed[kRunPrimitives];

        void add(const PrimitiveChunk& from, uint32_t number) {
            chunk[count] = &from;
            placed[count] = {from.primitives.data() + number, from.planes.data()};
            prefetch(placed[count++].setup, offsetof(SetupPrimitive, edge[3]));
        }
    };

    void drawBatch(PrimitiveBatch& batch) {
        const int count = std::exchange(batch.count, 0);
        if (count == 0) return;
        bool areSane = true;
        for (int i = 0; i < count; ++i) {
            PlacedPrimitive& placed = batch.placed[i];
            areSane &= isSane(*placed.setup, *batch.chunk[i], source_->varyingCount);
            placed.planes += placed.setup->firstPlane;
            prefetch(placed.planes, 4 * static_cast<size_t>(source_->varyingCount) * sizeof(Plane));
        }
        CHECK(areSane);
        if (isStopped()) return;
        kernels_.drawBlocks(tile_, batch.placed, count, draw_);
        noteBudget();
    }

    /// Of the current draw.
    void drawPrimitive(const PrimitiveChunk& chunk, uint32_t number) {
        if (isStopped()) return;
        const SetupPrimitive& primitive = chunk.primitives[number];
        CHECK(isSane(primitive, chunk, source_->varyingCount));
        const auto draw = samples_ != 1 ? kernels_.drawSamples : kernels_.drawPrimitive;
        draw(tile_, primitive, chunk.planes.data() + primitive.firstPlane, draw_, group_);
        noteBudget();
    }

    void noteBudget() {
        if (draw_.stats.budgetExceeded && scene_.undo != nullptr) scene_.undo->note(item_);
    }

    /// What is in the tile will not stay: the scene is given up, or the current draw or one before it has overrun in
    /// some tile. So a shader that never ends costs one budget for each worker, not one for each tile.
    [[nodiscard]] bool isStopped() const {
        if (scene_.stop != nullptr && scene_.stop->load(std::memory_order_relaxed)) return true;
        return undo_ != nullptr && undo_->isSaved && scene_.undo->firstOverrun.load(std::memory_order_relaxed) <= item_;
    }

    void save(size_t command) {
        endDraw();
        saveTile(scene_.target, tileX_, tileY_, *undo_);
        undo_->next = command;
    }

    void beginDraw(const RasterDraw& source, uint32_t item) {
        source_ = &source;
        item_ = item;
        if (!isDrawn_)
            forEachImage(scene_.target, [&](texture::Image& image) { image.tiles().forget(tileX_, tileY_); });
        isDrawn_ = true;
        const DrawState& state = *source.draw->state;
        const isa::Program& program = *state.program->fragment;
        CHECK_EQ(std::popcount(isa::varyingMask(program)), source.varyingCount);
        draw_ = TileDraw{};
        draw_.key = pixelKey(state.pixel, scene_.target, program);
        draw_.values = pixelValues(state.pixel);
        draw_.depth = surfaceOf(scene_.target.depth);
        draw_.stencil = surfaceOf(scene_.target.stencil);
        bool anyColor = false;
        for (int index = 0; index < kMaxColorTargets; ++index) {
            draw_.color[index] = surfaceOf(scene_.target.color[index]);
            anyColor |= draw_.key.color[index].present;
        }
        draw_.stop = scene_.stop;
        draw_.routine = state.program->fragmentRoutine.get();
        probe_ = {scene_.probe, source.number, false, scene_.target.anyImage(), {}, {}};
        draw_.probe = scene_.probe != nullptr ? &probe_ : nullptr;
        draw_.textures = &textures_.emplace(state.fragmentTextures, draw_.probe);
        draw_.constants = reinterpret_cast<const float(*)[4]>(source.fragmentConstants.data());
        draw_.varyingMask = isa::varyingMask(program);
        beginLastColors(program);
        draw_.specialMask = program.specialMask;
        clearRegisters(program.inputMask & ~clearedInputs_, group_.inputs);
        clearRegisters(program.specialMask & kFilledSpecials & ~clearedSpecials_, group_.specials);
        clearedInputs_ |= program.inputMask;
        clearedSpecials_ |= program.specialMask;
        draw_.shade = anyColor || draw_.key.order != TestOrder::Early;
        draw_.quads = program.usesDerivatives;
        draw_.writesDepth = program.writesDepth;
        beginBlocks(program);
    }

    void beginLastColors(const isa::Program& program) {
        draw_.lastColorMask = static_cast<uint8_t>(isa::lastColorMask(program));
        draw_.inOrder = draw_.key.order == TestOrder::LateWithReject || draw_.lastColorMask != 0;
        for (uint32_t left = draw_.lastColorMask; left != 0; left &= left - 1) {
            const int target = std::countr_zero(left);
            const texture::ImagePtr& image = scene_.target.color[static_cast<size_t>(target)];
            if (image != nullptr) draw_.lastColor[target] = colorLayout(image->format());
        }
    }

    /// What blocks through machine code need besides.
    void beginBlocks(const isa::Program& program) {
        const PixelKey& key = draw_.key;
        draw_.finish = finishKind(key);
        if (samples_ != 1 || draw_.probe != nullptr) return;
        draw_.code = draw_.routine->blockCode();
        draw_.sampleBlock = textures_->blockFunction(draw_.code.sample);
        draw_.countsSamples = source_->draw->occlusion != nullptr;
        draw_.constantColor = program.inputMask == 0 && program.specialMask == 0;
        const bool falls = key.depthCompare == Compare::Less || key.depthCompare == Compare::LessEqual ||
                           key.depthCompare == Compare::Equal || key.depthCompare == Compare::Never;
        if (key.depthTest && key.depthWrite && !falls) tileDepth_ = unknownDepth();
        draw_.tileDepth = &tileDepth_;
        draw_.batch = &batch_;
        listComponents(program);
        if (canDefer(program)) {
            if (!deferredIsClear_) clearDeferred();
            draw_.deferred = &deferred_;
        }
        // Components that the pipeline does not fill read zero.
        const uint32_t specials = program.specialMask & kFilledSpecials & ~clearedBatchSpecials_;
        for (BlockRegisters& registers : batch_.registers) clearRegisters(specials, registers.specials);
        clearedBatchSpecials_ |= specials;
    }

    void listComponents(const isa::Program& program) {
        draw_.components = &components_;
        components_.count = 0;
        int plane = 0;
        for (uint32_t left = isa::varyingMask(program); left != 0; left &= left - 1) {
            const int input = std::countr_zero(left);
            for (int c = 0; c < 4; ++c, ++plane) {
                if ((draw_.code.inputComponents >> (4 * input + c) & 1) == 0) continue;
                components_.plane[components_.count] = static_cast<uint16_t>(plane);
                components_.offset[components_.count++] = static_cast<uint16_t>((4 * input + c) * isa::kGroupSize);
            }
        }
    }

    /// Whether what a draw's later primitives cover need not be shaded: they overwrite it, whatever it is,
    /// and do not read it. Programs that may overrun are left alone, as a hidden pixel may be the one that does. Lanes
    /// that are hidden become helpers of their quads, which may leave loops sooner: so are programs that would see that
    /// in a derivative.
    [[nodiscard]] bool canDefer(const isa::Program& program) const {
        const PixelKey& key = draw_.key;
        const bool overwrites =
            !key.readsColor() || draw_.finish == FinishKind::Opaque || draw_.finish == FinishKind::Rgb565;
        return draw_.code.function != nullptr && draw_.shade && overwrites && draw_.lastColorMask == 0 &&
               key.order == TestOrder::Early && !source_->draw->state->program->fragmentMayOverrun &&
               !(program.usesDerivatives && draw_.code.hasLoops);
    }

    void finishDeferred() {
        if (isStopped()) {
            clearDeferred();
            return;
        }
        kernels_.finishBlocks(tile_, draw_);
        noteBudget();
    }

    void clearDeferred() {
        deferred_.count = 0;
        std::memset(deferred_.number, 0, sizeof deferred_.number);
        deferredIsClear_ = true;
    }

    static TileDepth unknownDepth() {
        TileDepth depth;
        std::fill(std::begin(depth.largest), std::end(depth.largest), TileDepth::kUnknown);
        return depth;
    }

    void noteDepthClear(const TileClear& part, int32_t depth) {
        const bool whole = part.bounds.minX == tile_.minX && part.bounds.minY == tile_.minY &&
                           part.bounds.maxX == tile_.maxX && part.bounds.maxY == tile_.maxY;
        for (int32_t& largest : tileDepth_.largest) largest = whole ? depth : std::max(largest, depth);
    }

    /// Of the special registers those that the pipeline fills; the executor makes the rest.
    static constexpr uint32_t kFilledSpecials =
        (1u << sizeof(FragmentGroup::specials) / sizeof(isa::GroupRegister)) - 1;

    /// Blocks that a group lacks leave their lanes alone; those lanes are not active, but no one reads rubbish.
    static void clearRegisters(uint32_t mask, isa::GroupRegister* registers) {
        for (; mask != 0; mask &= mask - 1) registers[std::countr_zero(mask)] = {};
    }

    void endDraw() {
        if (source_ == nullptr) return;
        if (isStopped()) group_.count = 0;
        if (deferred_.count != 0) finishDeferred();
        (samples_ == 1 ? kernels_.finish : kernels_.finishSamples)(draw_, group_);
        noteBudget();
        if (draw_.samples != 0 && source_->draw->occlusion != nullptr) {
            if (undo_ != nullptr && undo_->isSaved)
                undo_->samples.emplace_back(source_->draw->occlusion, draw_.samples);
            else
                source_->draw->occlusion->samples.fetch_add(draw_.samples, std::memory_order_relaxed);
        }
        stats_.fragments += draw_.stats.fragments;
        stats_.instructions += draw_.stats.instructions;
        source_ = nullptr;
    }

    void clear(const Clear& command) {
        TileClear part;
        part.bounds = tile_;
        if (command.scissorTest) {
            const Box& box = command.scissor;
            part.bounds.minX = std::max(tile_.minX, box.x);
            part.bounds.minY = std::max(tile_.minY, box.y);
            part.bounds.maxX = static_cast<int>(std::min<int64_t>(tile_.maxX, int64_t{box.x} + box.width - 1));
            part.bounds.maxY = static_cast<int>(std::min<int64_t>(tile_.maxY, int64_t{box.y} + box.height - 1));
            if (part.bounds.minX > part.bounds.maxX || part.bounds.minY > part.bounds.maxY) return;
        }
        if (command.clearColor && command.colorMask != 0) clearColors(command, part);
        clearDepthStencil(command, part);
    }

    void clearColors(const Clear& command, TileClear part) {
        part.colorMask = command.colorMask;
        std::copy(std::begin(command.color), std::end(command.color), part.color);
        for (const texture::ImagePtr& image : scene_.target.color) {
            if (image == nullptr) continue;
            part.layout = colorLayout(image->format());
            part.isFloat = !isNormalized(part.layout);
            if (!part.isFloat) {
                part.element = clearElement(part.layout, command.color);
                part.elementMask = clearElementMask(part.layout, command.colorMask);
            }
            clearImage(*image, part);
        }
    }

    void clearDepthStencil(const Clear& command, TileClear part) {
        const bool depth = command.clearDepth && command.depthMask && scene_.target.depth != nullptr;
        const bool stencil = command.clearStencil && command.stencilMask != 0 && scene_.target.stencil != nullptr;
        const bool together = depth && stencil && scene_.target.depth == scene_.target.stencil;
        if (depth) {
            texture::Image& image = *scene_.target.depth;
            const texture::FormatInfo& format = texture::formatInfo(image.format());
            const auto value =
                static_cast<uint32_t>(quantizeDepth(splat(command.depth), format.depth <= 16 ? 16 : 24)[0]);
            // A buffer without stencil bits is cleared whole.
            part.element = value << 8 | (format.stencil != 0 ? command.stencil : 0u);
            part.elementMask = 0xFFFFFF00u | (together ? command.stencilMask : format.stencil != 0 ? 0u : 0xFFu);
            clearImage(image, part);
            noteDepthClear(part, static_cast<int32_t>(value));
        }
        if (stencil && !together) {
            part.element = command.stencil;
            part.elementMask = command.stencilMask;
            clearImage(*scene_.target.stencil, part);
        }
    }

    /// All samples of the image, unless they are known to be what they would become.
    void clearImage(texture::Image& image, TileClear part) {
        if (image.samples() == samples_ && !part.isFloat) {
            const TileBounds& bounds = part.bounds;
            const bool whole = bounds.minX == tile_.minX && bounds.minY == tile_.minY &&
                               bounds.maxX >= std::min(tile_.minX + kTileSize, image.width()) - 1 &&
                               bounds.maxY >= std::min(tile_.minY + kTileSize, image.height()) - 1;
            if (image.tiles().clear(tileX_, tileY_, part.element, part.elementMask, whole)) return;
        } else {
            image.tiles().forget(tileX_, tileY_);
        }
        part.surface = surfaceOf(image);
        for (int sample = 0; sample < samples_; ++sample, part.surface.blocks += part.surface.planeBytes)
            kernels_.clear(part);
        isDrawn_ = false;
    }

    const Scene& scene_;
    const RasterKernels kernels_;
    RasterStats& stats_;
    const int samples_;
    const int tileX_, tileY_;
    TileBounds tile_;
    bool isDrawn_ = false;      ///< since the last clear: nothing is known of the tile
    TileUndo* undo_ = nullptr;  ///< null: no draw of the scene may be undone
    const RasterDraw* source_ = nullptr;
    uint32_t item_ = 0;  ///< number of that draw in the scene
    DrawProbe probe_;
    std::optional<DrawTextureUnits> textures_;
    TileDraw draw_;
    TileDepth tileDepth_ = unknownDepth();
    FragmentGroup group_;
    BlockBatch batch_;
    InputComponents components_;
    DeferredPixels deferred_;
    bool deferredIsClear_ = false;
    uint32_t clearedInputs_ = 0, clearedSpecials_ = 0;  ///< registers of the group
    uint32_t clearedBatchSpecials_ = 0;
    std::vector<WatchedPixel> watched_;  ///< in this tile
    std::vector<Touched> touched_;       ///< by the primitive being drawn
};

}  // namespace

void rasterTileWith(const RasterKernels& kernels, const Scene& scene, int tileX, int tileY, RasterStats& stats) {
    const size_t index = static_cast<size_t>(tileY) * scene.tilesWide + tileX;
    TileRaster(kernels, scene, tileX, tileY, stats).run(scene.tiles[index]);
}

static_assert(kTileSize == texture::TileValues::kTileSize);

void beginTiles(const RenderTarget& target) {
    forEachImage(target, [](texture::Image& image) {
        // Of a slice nothing is noted: others may write the volume's memory.
        if (&image.whole() == &image) image.tiles().begin(image.width(), image.height());
    });
}

void rasterTile(const Scene& scene, int tileX, int tileY, RasterStats& stats) {
    rasterTileWith(rasterKernels(simdLevel()), scene, tileX, tileY, stats);
}

}  // namespace tessera::pipeline
