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
constexpr uint32_t kFilledSpecials = (1u << sizeof(FragmentGroup::specials) / sizeof(isa::GroupRegister)) - 1;

/// Blocks that a group lacks leave their lanes alone; those lanes are not active, but no one reads rubbish.
void clearRegisters(uint32_t mask, isa::GroupRegister* registers) {
    for (; mask != 0; mask &= mask - 1) registers[std::countr_zero(mask)] = {};
}

uint32_t writtenChannels(const PixelKey& key) {
    uint32_t written = 0;
    for (int target = 0; target < kMaxColorTargets; ++target) {
        const TargetKey& to = key.target[target];
        if (to.layout.present) written |= static_cast<uint32_t>(to.writeMask & to.layout.channels) << 4 * target;
    }
    return written;
}

/// Whether pixels of several primitives may be lanes of one block: they tell the program apart by their varyings
/// alone, and tests by their depths, do not look at each other, and need not be coloured one primitive after the
/// other. Programs that may overrun are left alone, as their budget is a block's.
bool canShareBlocks(const TileDraw& draw, const InputComponents& components, const Program& linked) {
    return draw.key.order == TestOrder::Early && draw.forms.tests != TestForm::General &&
           draw.forms.finish != FinishForm::General && draw.lastColorMask == 0 && draw.specialMask == 0 &&
           !draw.quads && components.count != 0 && !linked.stages[isa::Stage::Fragment].mayOverrun;
}

/// Whether what later primitives cover need not be shaded: they overwrite it, whatever it is, and do not read it.
/// Programs that may overrun are left alone, as a hidden pixel may be the one that does. Lanes that are hidden become
/// helpers of their quads, which may leave loops sooner: so are programs that would see that in a derivative.
bool canDefer(const TileDraw& draw, const Program& linked) {
    const PixelKey& key = draw.key;
    const bool readsColor = std::ranges::any_of(
        key.target, [](const TargetKey& target) { return target.layout.present && target.readsColor(); });
    const bool overwrites =
        !readsColor || draw.forms.finish == FinishForm::Opaque || draw.forms.finish == FinishForm::Rgb565;
    return draw.shade && overwrites && draw.lastColorMask == 0 && key.order == TestOrder::Early &&
           !linked.stages[isa::Stage::Fragment].mayOverrun &&
           !(linked.fragment().usesDerivatives && draw.code.hasLoops);
}

void listComponents(const isa::Program& program, uint64_t read, InputComponents& components) {
    components.count = 0;
    int plane = 0;
    for (uint32_t left = isa::varyingMask(program); left != 0; left &= left - 1) {
        const int input = std::countr_zero(left);
        for (int c = 0; c < 4; ++c, ++plane) {
            if ((read >> (4 * input + c) & 1) == 0) continue;
            components.plane[components.count] = static_cast<uint16_t>(plane);
            components.offset[components.count++] = static_cast<uint16_t>((4 * input + c) * isa::kGroupSize);
        }
    }
}

/// Straight to where the program would copy them.
void listCopied(const Picture& copy, InputComponents& components) {
    constexpr size_t kOutputs = offsetof(BlockRegisters, outputs) - offsetof(BlockRegisters, inputs);
    constexpr size_t kColor = kOutputs / sizeof(float) + size_t{4} * isa::kOutColor0 * isa::kGroupSize;
    components.count = 0;
    for (size_t c = 0; c < 4; ++c) {
        if (copy.channel[c].factor != Picture::Factor::Varying) continue;
        components.plane[components.count] = static_cast<uint16_t>(copy.channel[c].at);
        components.offset[components.count++] = static_cast<uint16_t>(kColor + c * isa::kGroupSize);
    }
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

TileDraws::TileDraws(const RasterFunctions& functions, const Scene& scene, const TilePlace& tile,
                     BlockListener* listener, FragmentGroup& group, RasterStats& stats)
    : functions_(functions), scene_(scene), tile_(tile), listener_(listener), group_(group), stats_(stats) {}

TileDraw& TileDraws::begin(const RasterDraw& source) {
    const DrawState& state = *source.draw->state;
    CHECK_EQ(std::popcount(isa::varyingMask(state.program->fragment())), source.varyingCount);
    current_ = nullptr;
    PreparedDraw& prepared = find(state, source.number);
    TileDraw& draw = prepared.draw;
    const bool takesOver = draw.deferred != nullptr && (waitingChannels_ & ~prepared.written) == 0;
    if (draw.shade && !takesOver) shadeWaiting();
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
    if (draw.copy != nullptr) copyConstants(*draw.copy, draw.constants, batch_);
}

// --- States ---

/// Whether it is what prepare() would make of its state, as draws that follow each other often share theirs: with the
/// machine code that there is now.
bool TileDraws::isCurrent(const PreparedDraw& prepared) const {
    return scene_.probe == nullptr &&
           (tile_.samples != 1 || prepared.draw.routine->blockCode().function == prepared.draw.code.function);
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
    prepare(state, number, place.emplace());
    return *place;
}

/// All that comes from the state; `number`: the draw's, for a probe.
void TileDraws::prepare(const DrawState& state, uint64_t number, PreparedDraw& prepared) {
    const isa::Program& program = state.program->fragment();
    TileDraw& draw = prepared.draw;
    draw.samples = tile_.samples;
    draw.key = pixelKey(state.pixel, scene_.target, program);
    draw.values = pixelValues(state.pixel);
    draw.forms = pixelForms(draw.key);
    draw.depth = surfaceOf(scene_.target.depth);
    draw.stencil = surfaceOf(scene_.target.stencil);
    bool anyColor = false;
    for (int index = 0; index < kMaxColorTargets; ++index) {
        draw.color[index] = surfaceOf(scene_.target.color[index]);
        anyColor |= draw.key.target[index].layout.present;
    }
    draw.stop = scene_.stop;
    draw.routine = state.program->stages[isa::Stage::Fragment].routine.get();
    prepared.probe = {scene_.probe, number, false, scene_.target.anyImage(), {}, {}};
    draw.probe = scene_.probe != nullptr ? &prepared.probe : nullptr;
    draw.listener = listener_;
    draw.textures = &prepared.textures.emplace(state.textures[isa::Stage::Fragment], draw.probe, scene_.stop);
    draw.varyingMask = isa::varyingMask(program);
    prepareLastColors(program, draw);
    draw.specialMask = program.specialMask;
    clearRegisters(program.inputMask & ~clearedInputs_, group_.inputs);
    clearRegisters(program.specialMask & kFilledSpecials & ~clearedSpecials_, group_.specials);
    clearedInputs_ |= program.inputMask;
    clearedSpecials_ |= program.specialMask;
    draw.shade = anyColor || draw.key.order != TestOrder::Early;
    draw.quads = program.usesDerivatives;
    draw.writesDepth = program.writesDepth;
    prepared.written = writtenChannels(draw.key);
    prepareBlocks(*state.program, prepared);
}

void TileDraws::prepareLastColors(const isa::Program& program, TileDraw& draw) const {
    draw.lastColorMask = static_cast<uint8_t>(isa::lastColorMask(program));
    draw.inOrder = draw.key.order == TestOrder::LateWithReject || draw.lastColorMask != 0;
    for (uint32_t left = draw.lastColorMask; left != 0; left &= left - 1) {
        const int target = std::countr_zero(left);
        const texture::ImagePtr& image = scene_.target.color[static_cast<size_t>(target)];
        if (image != nullptr) draw.lastColor[target] = colorLayout(image->format());
    }
}

/// What blocks through machine code need besides.
void TileDraws::prepareBlocks(const Program& linked, PreparedDraw& prepared) {
    TileDraw& draw = prepared.draw;
    const isa::Program& program = linked.fragment();
    if (tile_.samples != 1) {
        if (draw.probe == nullptr && draw.listener == nullptr && canDefer(draw, linked))
            draw.deferredBlocks = &deferredBlocks_;
        return;
    }
    if (draw.probe == nullptr) draw.code = draw.routine->blockCode();
    // Groups of one sample take no short forms: what they draw is what those are held to.
    if (draw.code.function == nullptr) {
        draw.forms = draw.forms.general();
        return;
    }
    draw.lookups = prepared.textures->lookups();
    draw.constantColor = program.inputMask == 0 && program.specialMask == 0;
    draw.tileDepth = &tileDepth_;
    draw.batch = &batch_;
    if (const Picture& picture = linked.stages[isa::Stage::Fragment].picture; picture.isCopy()) {
        draw.copy = &picture;
        listCopied(picture, prepared.components);
    } else {
        listComponents(program, draw.code.inputComponents, prepared.components);
    }
    draw.components = &prepared.components;
    draw.sharesBlocks = canShareBlocks(draw, prepared.components, linked);
    preparePicture(linked, prepared);
    if (canDefer(draw, linked)) draw.deferred = &deferred_;
    // Components that the pipeline does not fill read zero.
    const uint32_t specials = program.specialMask & kFilledSpecials & ~clearedBatchSpecials_;
    for (BlockRegisters& registers : batch_.registers) clearRegisters(specials, registers.specials);
    clearedBatchSpecials_ |= specials;
}

/// Whether rectangles may be filled without the program: it shows a picture, all tests come before colour, and that
/// is written in a short form.
void TileDraws::preparePicture(const Program& linked, PreparedDraw& prepared) const {
    TileDraw& draw = prepared.draw;
    const Picture& picture = linked.stages[isa::Stage::Fragment].picture;
    if (!picture.isLookup() || draw.key.order != TestOrder::Early || draw.forms.finish == FinishForm::General) return;
    const isa::BlockLookup& lookup = prepared.textures->lookups()[picture.unit];
    if (lookup.function == nullptr) return;
    draw.picture = &picture;
    draw.pictureTexture = static_cast<const texture::BoundTexture*>(lookup.texture);
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
