#include "pipeline/raster/tile_draws.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "pipeline/commands.h"
#include "shader-core/isa/stage_registers.h"

namespace tessera::pipeline {

namespace {

/// The special registers that the pipeline fills. The executor makes the others.
constexpr isa::RegisterMask kFilledSpecials =
    isa::RegisterMask::range(0, sizeof(FragmentGroup::specials) / sizeof(isa::GroupRegister));

/// Blocks that a group lacks leave their lanes alone; those lanes are not active, but no one reads rubbish.
void clearRegisters(isa::RegisterMask mask, isa::GroupRegister* registers) {
    for (const int number : mask) registers[number] = {};
}

uint32_t writtenChannels(const PixelKey& key) {
    uint32_t written = 0;
    for (int target = 0; target < kMaxColorTargets; ++target) {
        const TargetKey& to = key.target[target];
        if (to.layout.present) written |= static_cast<uint32_t>(to.writeMask & to.layout.channels) << 4 * target;
    }
    return written;
}

/// Calls list(isFlat) for either kind of components in their order.
template <class List>
void listByKind(InputComponents& components, const List& list) {
    components.count = 0;
    list(false);
    components.interpolated = components.count;
    list(true);
}

/// `flat`: varyings, bits by number.
void listComponents(const isa::Program& program, const isa::ComponentMasks& read, uint32_t flat,
                    InputComponents& components) {
    listByKind(components, [&](bool isFlat) {
        int varying = 0;
        for (const int input : isa::varyingMask(program)) {
            for (int c = 0; c < 4; ++c) {
                if (!read.has(input, c) || (flat >> varying & 1) != isFlat) continue;
                components.plane[components.count] = static_cast<uint16_t>(4 * varying + c);
                components.offset[components.count++] = static_cast<uint16_t>((4 * input + c) * isa::kGroupSize);
            }
            ++varying;
        }
    });
}

/// Straight to where the program would copy them.
void listCopied(const Picture& copy, uint32_t flat, InputComponents& components) {
    constexpr size_t kOutputs = offsetof(BlockRegisters, outputs) - offsetof(BlockRegisters, inputs);
    constexpr size_t kColor = kOutputs / sizeof(float) + size_t{4} * isa::kOutColor0 * isa::kGroupSize;
    listByKind(components, [&](bool isFlat) {
        for (size_t c = 0; c < 4; ++c) {
            const Picture::Channel& channel = copy.channel[c];
            if (channel.factor != Picture::Factor::Varying || (flat >> (channel.at / 4) & 1) != isFlat) continue;
            components.plane[components.count] = static_cast<uint16_t>(channel.at);
            components.offset[components.count++] = static_cast<uint16_t>(kColor + c * isa::kGroupSize);
        }
    });
}

/// The channels that are the same for the whole draw.
void copyConstants(const Picture& copy, const float (*constants)[4], BlockBatch& batch) {
    for (int c = 0; c < 4; ++c) {
        const Picture::Channel& channel = copy.channel[c];
        if (channel.factor == Picture::Factor::Varying) continue;
        const float value = channel.factor == Picture::Factor::Literal ? std::bit_cast<float>(channel.at)
                                                                       : constants[channel.at / 4][channel.at % 4];
        for (BlockRegisters& registers : batch.registers)
            std::ranges::fill(registers.outputs[isa::kOutColor0].lane[c], value);
    }
}

}  // namespace

// Here, so that nothing is cleared but what says so: room for units and components of all registers is 3 KB.
PreparedDraw::PreparedDraw(const DrawState& state, const RenderTarget& target)
    : draw(state.pixel, target, state.program->fragment()) {}

TileDraws::TileDraws(const RasterFunctions& functions, const Scene& scene, const TilePlace& tile,
                     const Audience& audience, FragmentGroup& group, RasterStats& stats)
    : functions_(functions), scene_(scene), tile_(tile), audience_(audience), group_(group), stats_(stats) {}

TileDraw& TileDraws::begin(const RasterDraw& source) {
    const DrawState& state = *source.draw->state;
    CHECK_EQ(isa::varyingMask(state.program->fragment()).count(), source.varyingCount);
    current_ = nullptr;
    PreparedDraw& prepared = find(state, source.number);
    TileDraw& draw = prepared.draw;
    const bool takesOver =
        draw.way.kind == BlockWay::Kind::Blocks && draw.way.waits && (waitingChannels_ & ~prepared.written) == 0;
    if (draw.way.color != BlockWay::Color::None && !takesOver) shadeWaiting();
    source_ = &source;
    current_ = &prepared;
    draw.samplesPassed = 0;
    draw.stats = {};
    draw.countsSamples = source.draw->occlusion != nullptr;
    useConstants(source, draw);
    tileDepth_.noteDraw(draw.key);
    return draw;
}

void TileDraws::useConstants(const RasterDraw& source, TileDraw& draw) {
    draw.constants = reinterpret_cast<const float(*)[4]>(source.fragmentConstants.data());
    draw.computed.areThere = 0;
    if (draw.way.color == BlockWay::Color::Copy) copyConstants(*draw.blocks.picture, draw.constants, batch_);
}

// --- States ---

/// Whether it is what prepare() would make of its state, as draws that follow each other often share theirs: with the
/// machine code that there is now.
bool TileDraws::isCurrent(const PreparedDraw& prepared) const {
    return scene_.probe == nullptr &&
           prepared.draw.groups.routine->blockCode().function == prepared.draw.blocks.code.function;
}

PreparedDraw& TileDraws::find(const DrawState& state, uint64_t number) {
    auto at = static_cast<size_t>(std::ranges::find(states_, &state) - states_.begin());
    if (at == kPrepared) {
        at = oldest_;
        oldest_ = (oldest_ + 1) % kPrepared;
    } else if (isCurrent(*prepared_[at])) {
        return *prepared_[at];
    }
    std::optional<PreparedDraw>& place = prepared_[at];
    const bool isUsed =
        place.has_value() && std::any_of(waiting_, waiting_ + waitingCount_,
                                         [&](const WaitingDraw& waiting) { return waiting.prepared == &*place; });
    if (isUsed) shadeWaiting();
    states_[at] = &state;
    prepare(state, number, place.emplace(state, scene_.target));
    return *place;
}

/// All that comes from the state; `number`: the draw's, for a probe.
void TileDraws::prepare(const DrawState& state, uint64_t number, PreparedDraw& prepared) {
    const isa::Program& program = state.program->fragment();
    TileDraw& draw = prepared.draw;
    draw.depth = surfaceOf(scene_.target.depth);
    draw.stencil = surfaceOf(scene_.target.stencil);
    for (int index = 0; index < kMaxColorTargets; ++index)
        if (const texture::ImagePtr& image = scene_.target.color[index]; image != nullptr)
            draw.color[index] = surfaceOf(*image);
    draw.stop = scene_.stop;
    draw.groups.routine = state.program->stages[isa::Stage::Fragment].routine.get();
    draw.blocks.code = draw.groups.routine->blockCode();
    prepared.probe = {scene_.probe, number, false, scene_.target.anyImage(), {}, {}};
    draw.groups.probe = scene_.probe != nullptr ? &prepared.probe : nullptr;
    draw.textures = &prepared.textures.emplace(state.textures[isa::Stage::Fragment], draw.groups.probe, scene_.stop);
    prepareProgram(program, state.pixel.encodesSrgb, draw);
    draw.eachSample = state.pixel.eachSample;
    prepared.written = writtenChannels(draw.key);
    draw.wayCase = wayCase(*state.program, prepared);
    draw.way = blockWay(draw.key, draw.wayCase);
    if (draw.way.kind == BlockWay::Kind::Blocks)
        prepareBlocks(*state.program, prepared);
    else
        prepareGroups(*state.program, prepared);
}

/// What all ways have to know of the program.
void TileDraws::prepareProgram(const isa::Program& program, bool encodesSrgb, TileDraw& draw) const {
    draw.specialMask = program.specialMask;
    draw.quads = program.usesDerivatives;
    draw.writesDepth = program.writesDepth;
    draw.lastColorMask = isa::lastColorMask(program);
    for (const int target : draw.lastColorMask) {
        const texture::ImagePtr& image = scene_.target.color[static_cast<size_t>(target)];
        if (image != nullptr) draw.lastColor[static_cast<size_t>(target)] = colorLayout(image->format(), encodesSrgb);
    }
}

WayCase TileDraws::wayCase(const Program& linked, const PreparedDraw& prepared) const {
    const ProgramStage& stage = linked.stages[isa::Stage::Fragment];
    const isa::BlockCode& code = prepared.draw.blocks.code;
    const auto isFlat = [flat = linked.varyingsWith(Interpolation::Flat)](uint32_t plane) {
        return (flat >> (plane / 4) & 1) != 0;
    };
    WayCase of;
    of.samples = tile_.samples;
    of.isCompiled = code.function != nullptr;
    of.hasPairs = code.pair != nullptr;
    of.isWatched = audience_.watches;
    of.isHeard = prepared.draw.groups.probe != nullptr || audience_.listener != nullptr;
    of.readsVaryings = isa::varyingMask(*stage.program).any();
    of.readsSpecials = stage.program->specialMask.any();
    of.readsLastColors = prepared.draw.lastColorMask.any();
    of.eachSample = stage.facts.readsSample || prepared.draw.eachSample;
    of.takesDerivatives = stage.program->usesDerivatives;
    of.hasLoops = code.hasLoops;
    of.mayOverrun = stage.facts.mayOverrun;
    const Picture& picture = stage.facts.picture;
    of.copies = picture.isCopy();
    of.showsPicture = picture.isLookup() && !isFlat(picture.s) && !isFlat(picture.t) &&
                      (prepared.textures->lookups()[picture.unit].targets & isa::BlockLookup::kUpToOne) != 0;
    return of;
}

void TileDraws::prepareGroups(const Program& linked, PreparedDraw& prepared) {
    const isa::Program& program = linked.fragment();
    GroupDraw& groups = prepared.draw.groups;
    groups.varyingMask = isa::varyingMask(program);
    groups.flat = linked.varyingsWith(Interpolation::Flat);
    groups.centroid = linked.varyingsWith(Interpolation::Centroid);
    groups.listener = audience_.listener;
    groups.deferred = &deferredBlocks_;
    clearRegisters(program.inputMask & ~clearedInputs_, group_.inputs);
    clearRegisters(program.specialMask & kFilledSpecials & ~clearedSpecials_, group_.specials);
    clearedInputs_ |= program.inputMask;
    clearedSpecials_ |= program.specialMask;
}

void TileDraws::prepareBlocks(const Program& linked, PreparedDraw& prepared) {
    const isa::Program& program = linked.fragment();
    const BlockWay& way = prepared.draw.way;
    BlockDraw& blocks = prepared.draw.blocks;
    blocks.lookups = prepared.textures->lookups();
    blocks.batch = &batch_;
    blocks.components = &prepared.components;
    blocks.deferred = &deferred_;
    blocks.depth = &tileDepth_;
    blocks.flat = linked.varyingsWith(Interpolation::Flat);
    blocks.picture = &linked.stages[isa::Stage::Fragment].facts.picture;
    if (way.color == BlockWay::Color::Copy)
        listCopied(*blocks.picture, blocks.flat, prepared.components);
    else
        listComponents(program, blocks.code.inputComponents, blocks.flat, prepared.components);
    if (way.color == BlockWay::Color::Picture)
        blocks.pictureTexture = static_cast<const texture::BoundTexture*>(blocks.lookups[blocks.picture->unit].texture);
    // Components that the pipeline does not fill read zero.
    const isa::RegisterMask specials = program.specialMask & kFilledSpecials & ~clearedBatchSpecials_;
    for (BlockRegisters& registers : batch_.registers) clearRegisters(specials, registers.specials);
    clearedBatchSpecials_ |= specials;
}

// --- Pixels that wait ---

/// Pixels that began to wait since the last call belong to the current draw.
void TileDraws::numberWaiting() {
    numbered_ = deferred_.count;
    if (waitingCount_ != 0 && waiting_[waitingCount_ - 1].source == source_)
        waiting_[waitingCount_ - 1].last = numbered_;
    else
        waiting_[waitingCount_++] = {source_, current_, numbered_};
    waitingChannels_ |= current_->written;
}

void TileDraws::shadeWaiting() {
    if (!areWaiting()) return;
    if (scene_.stop != nullptr && scene_.stop->load(std::memory_order_relaxed)) return dropWaiting();
    functions_.listDeferred(deferred_);
    int number = 1;
    for (int i = 0; i < waitingCount_; ++i) {
        const WaitingDraw& waiting = waiting_[i];
        const int first = std::exchange(number, waiting.last + 1);
        if (deferred_.first[first] == deferred_.first[number]) continue;
        TileDraw& draw = waiting.prepared->draw;
        const RasterStats own = std::exchange(draw.stats, {});
        useConstants(*waiting.source, draw);
        for (int one = first; one < number; ++one) {
            const int begin = deferred_.first[one], count = deferred_.first[one + 1] - begin;
            if (count == 0 || draw.stats.budgetExceeded) continue;
            functions_.shadeDeferred(tile_.bounds, deferred_.primitive[one], deferred_.entry + begin, count, draw);
        }
        stats_.fragments += draw.stats.fragments;
        stats_.instructions += draw.stats.instructions;
        const bool exceeded = own.budgetExceeded || draw.stats.budgetExceeded;
        draw.stats = own;
        draw.stats.budgetExceeded = exceeded;
    }
    forgetWaiting();
    // Within a draw: another one's may have been used.
    if (current_ != nullptr) useConstants(*source_, current_->draw);
}

void TileDraws::dropWaiting() {
    if (!areWaiting()) return;
    deferred_.areNumbered = deferred_.numbersAreClear = false;
    forgetWaiting();
}

void TileDraws::forgetWaiting() {
    deferred_.count = numbered_ = waitingCount_ = 0;
    waitingChannels_ = 0;
    std::memset(deferred_.listed, 0, sizeof deferred_.listed);
}

}  // namespace tessera::pipeline
