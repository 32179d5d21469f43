// The commands of a tile in order; a draw is prepared once for each run of its primitives. What happens per block is in
// raster_groups_simd.cpp and raster_blocks_simd.cpp, a clear is in tile_clear.cpp, pixels that a probe watches are in
// tile_watch.cpp.
#include "pipeline/raster/raster.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "base/check.h"
#include "base/process/env.h"
#include "pipeline/commands.h"
#include "pipeline/raster/fragment_group.h"
#include "pipeline/raster/raster_functions.h"
#include "pipeline/raster/tile_clear.h"
#include "pipeline/raster/tile_listener.h"
#include "pipeline/raster/tile_watch.h"
#include "pipeline/units/texture_units.h"
#include "shader-core/isa/stage_registers.h"

namespace tessera::pipeline {

// One copy of the functions for each SIMD level: pipeline/raster/raster_groups_simd.cpp.
TESSERA_SIMD_COPIES(RasterFunctions rasterFunctions();)

RasterFunctions rasterFunctions(SimdLevel level) { return TESSERA_SIMD_COPY(level, rasterFunctions)(); }

namespace {

/// What coverage.h needs to be exact in 32 bits; setup promises it. Without branches: it is asked for each primitive.
bool isSane(const SetupPrimitive& primitive, const PrimitiveChunk& chunk, int varyingCount) {
    constexpr int64_t kEdgeLimit = int64_t{1} << 32, kLineLimit = int64_t{1} << 24;
    const auto isBeyond = [](auto value, int64_t limit) { return (limit - 1 - value) | (limit - 1 + value); };
    int64_t beyond = 0, fraction = 0;  // the sign of one, the lowest bits of the other
    if (primitive.kind == PrimitiveKind::ThinLine) [[unlikely]] {
        beyond = isBeyond(int64_t{primitive.lineX1} - primitive.lineX0, kLineLimit) |
                 isBeyond(int64_t{primitive.lineY1} - primitive.lineY0, kLineLimit);
    } else {
        if (primitive.edgeCount > 4) return false;
        // a and b of an edge.
        using Steps = int64_t __attribute__((ext_vector_type(2)));
        Steps anyBeyond = 0, anyFraction = 0;
        const auto look = [&](const Edge& edge) {
            Steps steps;
            static_assert(offsetof(Edge, a) == 0 && offsetof(Edge, b) == sizeof(int64_t));
            std::memcpy(&steps, &edge, sizeof steps);
            anyBeyond |= isBeyond(steps, kEdgeLimit);
            anyFraction |= steps;
        };
        if (primitive.edgeCount == 3) [[likely]] {
            for (int i = 0; i < 3; ++i) look(primitive.edge[i]);
        } else {
            for (int i = 0; i < primitive.edgeCount; ++i) look(primitive.edge[i]);
        }
        beyond = anyBeyond[0] | anyBeyond[1];
        fraction = anyFraction[0] | anyFraction[1];
    }
    const bool hasPlanes = primitive.firstPlane + 4 * static_cast<size_t>(varyingCount) <= chunk.planes.size();
    return hasPlanes & (beyond >= 0) & ((fraction & 0xFF) == 0);
}

/// Asks for memory that will be read soon.
void prefetch(const void* memory, size_t bytes) {
    constexpr size_t kLineBytes = 64;
    for (size_t at = 0; at < bytes; at += kLineBytes) __builtin_prefetch(static_cast<const std::byte*>(memory) + at);
}

/// One tile of one scene.
class TileRaster {
public:
    TileRaster(const RasterFunctions& functions, const Scene& scene, int tileX, int tileY, RasterStats& stats)
        : scene_(scene),
          functions_(functions),
          stats_(stats),
          tile_(placeTile(scene.target, tileX, tileY)),
          watch_(scene, tile_),
          listener_(scene.machineProbe, tile_) {}

    void run(const std::vector<TileCommand>& commands) {
        if (tile_.bounds.isEmpty()) return;
        if (scene_.undo != nullptr)
            undo_ = &scene_.undo->tiles[static_cast<size_t>(tile_.y) * scene_.tilesWide + tile_.x];
        for (size_t i = undo_ != nullptr ? undo_->next : 0; i < commands.size() && !isStopped();) {
            const TileCommand& command = commands[i];
            if (command.kind == TileCommand::Kind::Clear) {
                endDraw();
                clear(*scene_.clears[command.item]);
                ++i;
            } else if (const RasterDraw& draw = *scene_.draws[command.item]; draw.isLeftOut) {
                ++i;
            } else {
                if (draw.mayBeUndone && !undo_->isSaved) save(i);
                i +=
                    watch_.isEmpty() ? drawCommands({commands.data() + i, commands.size() - i}) : watchCommand(command);
            }
        }
        endDraw();
    }

private:
    void clear(const Clear& command) {
        watch_.beforeClear();
        clearTile(functions_, scene_.target, tile_, command, tileDepth_);
        drawn_ = 0;
        watch_.afterClear(command);
    }

    void beginDrawOf(const TileCommand& command) {
        const RasterDraw& source = *scene_.draws[command.item];
        if (&source == source_) return;
        endDraw();
        beginDraw(source, command.item);
    }

    /// The command while pixels are watched: the general way, one primitive at a time.
    size_t watchCommand(const TileCommand& command) {
        beginDrawOf(command);
        const PrimitiveChunk& chunk = source_->chunks[command.chunk];
        for (const uint32_t number : numbersOf(command)) {
            const SetupPrimitive& primitive = chunk.primitives[number];
            if (!watch_.touches(primitive, draw_) || isStopped()) {
                drawPrimitive(chunk, number);
                continue;
            }
            finishGroup();
            const isa::Routine* routine =
                std::exchange(draw_.routine, &watch_.begin(*source_, chunk, primitive, draw_, group_));
            drawPrimitive(chunk, number);
            finishGroup();
            draw_.routine = routine;
            noteBudget();
            watch_.end(primitive, draw_);
        }
        return 1;
    }

    void finishGroup() {
        if (group_.count != 0) functions_.finishGroup(draw_, group_);
    }

    /// The commands of one draw at the front of the list; returns how many.
    size_t drawCommands(std::span<const TileCommand> commands) {
        beginDrawOf(commands[0]);
        const bool inBlocks = tile_.samples == 1 && draw_.code.function != nullptr;
        PrimitiveBatch batch;
        size_t used = 0;
        for (; used < commands.size(); ++used) {
            const TileCommand& command = commands[used];
            if (command.item != commands[0].item || command.kind != TileCommand::Kind::Draw) break;
            const PrimitiveChunk& chunk = source_->chunks[command.chunk];
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
        uint32_t squares = 0;
        for (int i = 0; i < count; ++i) {
            PlacedPrimitive& placed = batch.placed[i];
            areSane &= isSane(*placed.setup, *batch.chunk[i], source_->varyingCount);
            squares |= squaresOf(*placed.setup, tile_.bounds);
            placed.planes += placed.setup->firstPlane;
            prefetch(placed.planes, 4 * static_cast<size_t>(source_->varyingCount) * sizeof(Plane));
        }
        CHECK(areSane);
        if (isStopped()) return;
        noteDrawn(squares);
        functions_.drawBlocks(tile_.bounds, batch.placed, count, draw_);
        noteBudget();
    }

    /// Of the current draw.
    void drawPrimitive(const PrimitiveChunk& chunk, uint32_t number) {
        if (isStopped()) return;
        const SetupPrimitive& primitive = chunk.primitives[number];
        CHECK(isSane(primitive, chunk, source_->varyingCount));
        if (draw_.listener != nullptr) listener_.begin(*source_, chunk, number);
        noteDrawn(squaresOf(primitive, tile_.bounds));
        functions_.drawPrimitive(tile_.bounds, primitive, chunk.planes.data() + primitive.firstPlane, draw_, group_);
        noteBudget();
    }

    void noteDrawn(uint32_t squares) {
        if ((squares & ~drawn_) == 0) return;
        drawn_ |= squares;
        forEachImage(scene_.target, [&](texture::Image& image) { image.tiles().draw(tile_.x, tile_.y, drawn_); });
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
        saveTile(scene_.target, tile_.x, tile_.y, *undo_);
        undo_->next = command;
    }

    void beginDraw(const RasterDraw& source, uint32_t item) {
        source_ = &source;
        item_ = item;
        const DrawState& state = *source.draw->state;
        CHECK_EQ(std::popcount(isa::varyingMask(state.program->fragment())), source.varyingCount);
        if (!isPrepared(state)) prepare(state, source.number);
        draw_.samplesPassed = 0;
        draw_.stats = {};
        draw_.constants = reinterpret_cast<const float(*)[4]>(source.fragmentConstants.data());
        if (draw_.copy != nullptr) copyConstants(*draw_.copy);
        draw_.countsSamples = source.draw->occlusion != nullptr;
        tileDepth_.noteDraw(draw_.key);
    }

    /// Whether `draw_` is that state's already, as draws that follow each other often share theirs, with the machine
    /// code that there is now.
    [[nodiscard]] bool isPrepared(const DrawState& state) const {
        return &state == state_ && scene_.probe == nullptr &&
               (tile_.samples != 1 || draw_.routine->blockCode().function == draw_.code.function);
    }

    /// All of `draw_` that comes from the state; `number`: the draw's, for a probe.
    void prepare(const DrawState& state, uint64_t number) {
        state_ = &state;
        const isa::Program& program = state.program->fragment();
        draw_ = TileDraw{};
        draw_.samples = tile_.samples;
        draw_.key = pixelKey(state.pixel, scene_.target, program);
        draw_.values = pixelValues(state.pixel);
        draw_.forms = pixelForms(draw_.key);
        draw_.depth = surfaceOf(scene_.target.depth);
        draw_.stencil = surfaceOf(scene_.target.stencil);
        bool anyColor = false;
        for (int index = 0; index < kMaxColorTargets; ++index) {
            draw_.color[index] = surfaceOf(scene_.target.color[index]);
            anyColor |= draw_.key.target[index].layout.present;
        }
        draw_.stop = scene_.stop;
        draw_.routine = state.program->stages[isa::Stage::Fragment].routine.get();
        probe_ = {scene_.probe, number, false, scene_.target.anyImage(), {}, {}};
        draw_.probe = scene_.probe != nullptr ? &probe_ : nullptr;
        draw_.listener = listener_.blocks();
        draw_.textures = &textures_.emplace(state.textures[isa::Stage::Fragment], draw_.probe, scene_.stop);
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
        beginBlocks(*state.program);
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
    void beginBlocks(const Program& linked) {
        const isa::Program& program = linked.fragment();
        if (tile_.samples != 1) return;
        if (draw_.probe == nullptr) draw_.code = draw_.routine->blockCode();
        // Groups of one sample take no short forms: what they draw is what those are held to.
        if (draw_.code.function == nullptr) {
            draw_.forms = draw_.forms.general();
            return;
        }
        draw_.lookups = textures_->lookups();
        draw_.constantColor = program.inputMask == 0 && program.specialMask == 0;
        draw_.tileDepth = &tileDepth_;
        draw_.batch = &batch_;
        if (const Picture& picture = linked.stages[isa::Stage::Fragment].picture; picture.isCopy()) {
            draw_.copy = &picture;
            listCopied(picture);
        } else {
            listComponents(program);
        }
        draw_.components = &components_;
        draw_.sharesBlocks = canShareBlocks(linked);
        beginPicture(linked);
        if (canDefer(linked)) {
            if (!deferredIsClear_) clearDeferred();
            draw_.deferred = &deferred_;
        }
        // Components that the pipeline does not fill read zero.
        const uint32_t specials = program.specialMask & kFilledSpecials & ~clearedBatchSpecials_;
        for (BlockRegisters& registers : batch_.registers) clearRegisters(specials, registers.specials);
        clearedBatchSpecials_ |= specials;
    }

    /// Whether pixels of several primitives may be lanes of one block: they tell the program apart by their varyings
    /// alone, and tests by their depths, do not look at each other, and need not be coloured one primitive after the
    /// other. Programs that may overrun are left alone, as their budget is a block's.
    [[nodiscard]] bool canShareBlocks(const Program& linked) const {
        return draw_.key.order == TestOrder::Early && draw_.forms.tests != TestForm::General &&
               draw_.forms.finish != FinishForm::General && draw_.lastColorMask == 0 && draw_.specialMask == 0 &&
               !draw_.quads && components_.count != 0 && !linked.stages[isa::Stage::Fragment].mayOverrun;
    }

    /// Whether rectangles may be filled without the program: it shows a picture, all tests come before colour, and that
    /// is written in a short form.
    void beginPicture(const Program& linked) {
        const Picture& picture = linked.stages[isa::Stage::Fragment].picture;
        if (!picture.isLookup() || draw_.key.order != TestOrder::Early || draw_.forms.finish == FinishForm::General)
            return;
        const isa::BlockLookup& lookup = textures_->lookups()[picture.unit];
        if (lookup.function == nullptr) return;
        draw_.picture = &picture;
        draw_.pictureTexture = static_cast<const texture::BoundTexture*>(lookup.texture);
    }

    void listComponents(const isa::Program& program) {
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

    /// Straight to where the program would copy them.
    void listCopied(const Picture& copy) {
        constexpr size_t kOutputs = offsetof(BlockRegisters, outputs) - offsetof(BlockRegisters, inputs);
        constexpr size_t kColor = kOutputs / sizeof(float) + size_t{4} * isa::kOutColor0 * isa::kGroupSize;
        components_.count = 0;
        for (size_t c = 0; c < 4; ++c) {
            if (copy.channel[c].factor != Picture::Factor::Varying) continue;
            components_.plane[components_.count] = static_cast<uint16_t>(copy.channel[c].at);
            components_.offset[components_.count++] = static_cast<uint16_t>(kColor + c * isa::kGroupSize);
        }
    }

    /// The channels that are the same for the whole draw.
    void copyConstants(const Picture& copy) {
        for (int c = 0; c < 4; ++c) {
            const Picture::Channel& channel = copy.channel[c];
            if (channel.factor == Picture::Factor::Varying) continue;
            const float value = channel.factor == Picture::Factor::Literal
                                    ? std::bit_cast<float>(channel.at)
                                    : draw_.constants[channel.at / 4][channel.at % 4];
            for (BlockRegisters& registers : batch_.registers)
                std::ranges::fill(registers.outputs[isa::kOutColor0].lane[c], value);
        }
    }

    /// Whether what a draw's later primitives cover need not be shaded: they overwrite it, whatever it is,
    /// and do not read it. Programs that may overrun are left alone, as a hidden pixel may be the one that does. Lanes
    /// that are hidden become helpers of their quads, which may leave loops sooner: so are programs that would see that
    /// in a derivative.
    [[nodiscard]] bool canDefer(const Program& linked) const {
        const PixelKey& key = draw_.key;
        const bool readsColor = std::ranges::any_of(
            key.target, [](const TargetKey& target) { return target.layout.present && target.readsColor(); });
        const bool overwrites =
            !readsColor || draw_.forms.finish == FinishForm::Opaque || draw_.forms.finish == FinishForm::Rgb565;
        return draw_.shade && overwrites && draw_.lastColorMask == 0 && key.order == TestOrder::Early &&
               !linked.stages[isa::Stage::Fragment].mayOverrun &&
               !(linked.fragment().usesDerivatives && draw_.code.hasLoops);
    }

    void finishDeferred() {
        if (isStopped()) {
            clearDeferred();
            return;
        }
        functions_.finishBlocks(tile_.bounds, draw_);
        noteBudget();
    }

    void clearDeferred() {
        deferred_.count = 0;
        std::memset(deferred_.number, 0, sizeof deferred_.number);
        deferredIsClear_ = true;
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
        finishGroup();
        noteBudget();
        if (draw_.samplesPassed != 0 && source_->draw->occlusion != nullptr) {
            if (undo_ != nullptr && undo_->isSaved)
                undo_->samples.emplace_back(source_->draw->occlusion, draw_.samplesPassed);
            else
                source_->draw->occlusion->samples.fetch_add(draw_.samplesPassed, std::memory_order_relaxed);
        }
        stats_.fragments += draw_.stats.fragments;
        stats_.instructions += draw_.stats.instructions;
        source_ = nullptr;
    }

    const Scene& scene_;
    const RasterFunctions functions_;
    RasterStats& stats_;
    const TilePlace tile_;
    TileWatch watch_;
    TileListener listener_;
    uint32_t drawn_ = 0;        ///< squares of the tile, since the last clear
    TileUndo* undo_ = nullptr;  ///< null: no draw of the scene may be undone
    const RasterDraw* source_ = nullptr;
    const DrawState* state_ = nullptr;  ///< that `draw_` is of; null: of none yet
    uint32_t item_ = 0;                 ///< number of that draw in the scene
    DrawProbe probe_;
    std::optional<DrawTextureUnits> textures_;
    TileDraw draw_;
    TileDepth tileDepth_;
    FragmentGroup group_;
    BlockBatch batch_;
    InputComponents components_;
    DeferredPixels deferred_;
    bool deferredIsClear_ = false;
    uint32_t clearedInputs_ = 0, clearedSpecials_ = 0;  ///< registers of the group
    uint32_t clearedBatchSpecials_ = 0;
};

}  // namespace

void rasterTileWith(const RasterFunctions& functions, const Scene& scene, int tileX, int tileY, RasterStats& stats) {
    const size_t index = static_cast<size_t>(tileY) * scene.tilesWide + tileX;
    TileRaster(functions, scene, tileX, tileY, stats).run(scene.tiles[index]);
}

static_assert(kTileSize == texture::TileValues::kTileSize);

void beginTiles(const RenderTarget& target) {
    forEachImage(target, [](texture::Image& image) {
        // Of a slice nothing is noted: others may write the volume's memory.
        if (&image.whole() == &image) image.tiles().begin(image.width(), image.height());
    });
}

void rasterTile(const Scene& scene, int tileX, int tileY, RasterStats& stats) {
    rasterTileWith(rasterFunctions(simdLevel()), scene, tileX, tileY, stats);
}

void clearTiles(const Scene& scene, const Clear& clear, int tileX, int tileY, int count) {
    const TilePlace tiles = placeTile(scene.target, tileX, tileY, count);
    TileDepth depth;
    if (!tiles.bounds.isEmpty()) clearTile(rasterFunctions(simdLevel()), scene.target, tiles, clear, depth);
}

}  // namespace tessera::pipeline
