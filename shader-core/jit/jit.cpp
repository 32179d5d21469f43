// Executor and routine: compiles programs, runs their blocks, answers their texture lookups.
#include "shader-core/jit/jit.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "shader-core/analysis/routines.h"
#include "shader-core/jit/kernel.h"
#include "shader-core/jit/run/frame.h"
#include "shader-core/jit/store/code_store.h"

namespace tessera::jit {

namespace {

constexpr uint32_t kLanesOfBlock = 16, kBlockMask = 0xFFFF;

// --- Texture lookups ---

void sampleUnit(const Frame& frame, int unit, const isa::TextureRequest& request, isa::GroupRegister& result) {
    if (frame.textures != nullptr) return frame.textures->sample(unit, request, result);
    isa::answerIncomplete(request, result);
}

/// Lanes may name different units: each distinct unit is asked once, for its lanes.
void sampleRelative(const Frame& frame, TextureCall& call, int firstUnit, isa::TextureRequest request) {
    const auto unitOf = [&](uint32_t lane) {
        const int64_t unit = int64_t{firstUnit} + call.address[lane];
        return static_cast<int>(unit < 0 ? 0 : unit >= isa::kMaxTextureUnits ? isa::kMaxTextureUnits - 1 : unit);
    };
    isa::GroupRegister partial;
    for (uint32_t left = request.mask; left != 0;) {
        const int unit = unitOf(static_cast<uint32_t>(__builtin_ctz(left)));
        request.mask = 0;
        for (uint32_t lanes = left; lanes != 0; lanes &= lanes - 1) {
            const uint32_t lane = static_cast<uint32_t>(__builtin_ctz(lanes));
            if (unitOf(lane) == unit) request.mask |= 1u << lane;
        }
        left &= ~request.mask;
        sampleUnit(frame, unit, request, partial);
        for (uint32_t lanes = request.mask; lanes != 0; lanes &= lanes - 1) {
            const uint32_t lane = static_cast<uint32_t>(__builtin_ctz(lanes));
            for (int c = 0; c < 4; ++c) call.result.lane[c][lane] = partial.lane[c][lane];
        }
    }
}

void sample(const Frame* frame, TextureCall* call, uint32_t descriptorBits, uint32_t lanes) {
    if (lanes == 0) return;
    const TextureDescriptor descriptor = TextureDescriptor::unpack(descriptorBits);
    isa::TextureRequest request;
    request.target = static_cast<isa::TextureTarget>(descriptor.target);
    request.lodMode = static_cast<isa::LodMode>(descriptor.lodMode);
    request.mask = lanes << frame->firstLane;
    request.hasQuads = frame->hasQuads != 0;
    request.offset = descriptor.offset;
    request.type = descriptor.type;
    const bool gradient = request.lodMode == isa::LodMode::Gradient;
    for (int c = 0; c < 4; ++c) request.coord[c] = call->row[c];
    for (int c = 0; c < 3 && gradient; ++c) {
        request.ddx[c] = call->row[TextureCall::kDdx + c];
        request.ddy[c] = call->row[TextureCall::kDdy + c];
    }
    if (isa::hasLod(request.lodMode)) request.lod = call->row[TextureCall::kLod];
    if (descriptor.relative)
        sampleRelative(*frame, *call, descriptor.unit, request);
    else
        sampleUnit(*frame, descriptor.unit, request, call->result);
}

void sampleRows(const Frame* frame, LookupRows* lookups, int32_t count, uint32_t descriptor, uint32_t lanes) {
    const TextureDescriptor unpacked = TextureDescriptor::unpack(descriptor);
    const int coordinates = isa::coordinateCount(static_cast<isa::TextureTarget>(unpacked.target));
    const bool hasLevel = static_cast<isa::LodMode>(unpacked.lodMode) == isa::LodMode::Texel;
    // A pair runs all lanes, but somebody may hear of each lookup.
    const bool isPair = frame->launch >> kLanesOfBlock != 0;
    if (isPair) lanes &= isa::wholeQuads(frame->launch);
    Frame block = *frame;
    TextureCall call;
    for (int32_t i = 0; i < count; ++i) {
        if (isPair) block.firstLane = static_cast<uint32_t>(i) % 2 * kLanesOfBlock;
        const uint32_t first = block.firstLane;
        LookupRows& lookup = lookups[i];
        const auto pass = [&](int row, const auto& from) { std::memcpy(call.row[row] + first, from, sizeof from); };
        for (int c = 0; c < coordinates; ++c) pass(c, lookup.coordinate[c]);
        if (hasLevel) pass(TextureCall::kLod, lookup.coordinate[LookupRows::kLevel]);
        sample(&block, &call, descriptor, isPair ? lanes >> first & kBlockMask : lanes);
        for (int c = 0; c < 4; ++c) std::memcpy(lookup.result[c], call.result.lane[c] + first, sizeof lookup.result[c]);
    }
}

constexpr isa::SampleFunctions kSample = {sample, sampleRows};

// --- Routine ---

class JitRoutine final : public isa::Routine {
public:
    JitRoutine(CodeStore::First first, const isa::Program& program)
        : outputMask_(program.outputMask),
          hasQuads_(program.stage == isa::Stage::Fragment),
          hasLoops_(analysis::hasLoops(program)),
          wantsFinal_(!first.isFinal) {
        show(std::move(first.code));
    }
    JitRoutine(CodeStore::Kept kept, const isa::Program& program) : JitRoutine(std::move(kept.first), program) {
        if (kept.pair != nullptr) showPair(std::move(kept.pair));
    }

    void run(isa::GroupRun& run) const override {
        if (run.values == nullptr) [[unlikely]]
            return runByItself(run);
        run.killMask = 0;
        run.budgetExceeded = false;
        run.instructions = 0;
        const uint64_t limit = run.budget != 0 ? run.budget : UINT64_MAX;
        const isa::BlockCode& code = *current_.load(std::memory_order_acquire);
        if (code.pair != nullptr && (run.activeMask & kBlockMask) != 0 && run.activeMask >> kLanesOfBlock != 0)
            if (runPair(run, code.pair, limit)) return;
        for (uint32_t firstLane = 0; firstLane < isa::kGroupSize; firstLane += kLanesOfBlock) {
            const uint32_t launch = run.activeMask >> firstLane & kBlockMask;
            if (launch == 0) {
                clearOutputs(run, firstLane);
                continue;
            }
            runBlock(run, code.function, firstLane, launch, limit);
            if (run.budgetExceeded) break;
        }
        // Nobody may take the outputs of a stopped group for results.
        if (run.budgetExceeded)
            for (uint32_t firstLane = 0; firstLane < isa::kGroupSize; firstLane += kLanesOfBlock)
                clearOutputs(run, firstLane);
    }

    [[nodiscard]] isa::BlockCode blockCode() const override { return *current_.load(std::memory_order_acquire); }

    /// Once: what better code there is.
    void refine(CodeStore& store, const isa::Program& program) const {
        if (wantsFinal_)
            if (CodePointer code = store.codeOf(program); code != nullptr) show(std::move(code));
        if (CodePointer pair = store.pairOf(program, *versions_[shown_ - 1].code); pair != nullptr)
            showPair(std::move(pair));
    }

private:
    /// Of no draw: nobody else wants the values.
    [[gnu::noinline]] void runByItself(isa::GroupRun& run) const {
        isa::DrawValues values;
        run.values = &values;
        JitRoutine::run(run);
        run.values = nullptr;
    }

    static Frame frameOf(const isa::GroupRun& run, uint32_t firstLane) {
        Frame frame;
        frame.inputs = run.inputs != nullptr ? run.inputs->lane[0] + firstLane : nullptr;
        frame.outputs = run.outputs != nullptr ? run.outputs->lane[0] + firstLane : nullptr;
        frame.specials = run.specials != nullptr ? run.specials->lane[0] + firstLane : nullptr;
        frame.constants = reinterpret_cast<const float*>(run.constants);
        frame.values = run.values;
        frame.sample = kSample;
        frame.textures = run.textures;
        return frame;
    }

    /// False: a block used more than its budget. One by one it is found out which, and when.
    bool runPair(isa::GroupRun& run, BlockFunction pair, uint64_t limit) const {
        Frame frame = frameOf(run, 0);
        frame.budget = limit;
        frame.launch = run.activeMask;
        frame.helper = run.helperMask & run.activeMask;
        frame.hasQuads = hasQuads_;
        pair(&frame);
        run.instructions = std::max(frame.instructions, frame.secondInstructions);
        if (frame.stopped != Stop::Finished || run.instructions > limit) return run.instructions = 0, false;
        for (uint32_t firstLane = 0; firstLane < isa::kGroupSize; firstLane += kLanesOfBlock)
            clearLanes(run, firstLane, kBlockMask & ~(run.activeMask >> firstLane));
        return true;
    }

    /// From now on `code` runs; what runs already may go on with what there was.
    void show(CodePointer code) const {
        Version& version = versions_[shown_++];
        version.code = std::move(code);
        version.block = {version.code->function(), kSample, version.code->inputComponents(), hasLoops_, nullptr};
        current_.store(&version.block, std::memory_order_release);
    }

    void showPair(CodePointer pair) const {
        Version& version = versions_[shown_++];
        version.block = *current_.load(std::memory_order_relaxed);
        version.block.pair = pair->function();
        version.code = std::move(pair);
        current_.store(&version.block, std::memory_order_release);
    }

    void runBlock(isa::GroupRun& run, BlockFunction function, uint32_t firstLane, uint32_t launch,
                  uint64_t limit) const {
        Frame frame = frameOf(run, firstLane);
        frame.budget = limit;
        frame.launch = launch;
        frame.helper = run.helperMask >> firstLane & kBlockMask;
        frame.firstLane = firstLane;
        frame.hasQuads = hasQuads_;
        function(&frame);
        run.killMask |= frame.kill << firstLane;
        if (frame.instructions > limit) {
            frame.instructions = limit;
            run.budgetExceeded = true;
        }
        // Both blocks mostly take the same way, and a group counts an instruction once.
        if (frame.instructions > run.instructions) run.instructions = frame.instructions;
        if (frame.stopped != Stop::Finished)
            clearOutputs(run, firstLane);
        else if (launch != kBlockMask)
            clearLanes(run, firstLane, kBlockMask & ~launch);
    }

    /// Outputs of lanes that were not launched read 0.
    void clearLanes(isa::GroupRun& run, uint32_t firstLane, uint32_t lanes) const {
        uint32_t kept[kLanesOfBlock];
        for (uint32_t lane = 0; lane < kLanesOfBlock; ++lane) kept[lane] = (lanes >> lane & 1) - 1;
        for (const int output : outputMask_)
            for (auto& component : run.outputs[output].lane) {
                uint32_t bits[kLanesOfBlock];
                std::memcpy(bits, component + firstLane, sizeof bits);
                for (uint32_t lane = 0; lane < kLanesOfBlock; ++lane) bits[lane] &= kept[lane];
                std::memcpy(component + firstLane, bits, sizeof bits);
            }
    }

    void clearOutputs(isa::GroupRun& run, uint32_t firstLane) const {
        for (const int output : outputMask_)
            for (auto& component : run.outputs[output].lane)
                std::memset(component + firstLane, 0, kLanesOfBlock * sizeof(float));
    }

    struct Version {
        CodePointer code;
        isa::BlockCode block;
    };
    /// First code, final code, the pair: written by one thread, each before `current_` shows it, and kept while the
    /// routine lives, as any of them may be running.
    mutable Version versions_[3];
    mutable size_t shown_ = 0;
    mutable std::atomic<const isa::BlockCode*> current_ = nullptr;
    isa::RegisterMask outputMask_;
    bool hasQuads_, hasLoops_;
    bool wantsFinal_;
};

// --- Executor ---

class Jit final : public isa::Executor {
public:
    Jit(const Options& options, LoadCompiler loadCompiler)
        : level_(options.level), baseline_(options.baseline), store_(options, std::move(loadCompiler)) {}

    std::shared_ptr<const isa::Routine> prepare(std::shared_ptr<const isa::Program> program) override {
        if (baseline_ == Baseline::Only) return routineOf({store_.baselineCodeOf(*program)}, *program);
        return routineOf({store_.codeOf(*program)}, *program);
    }

    std::shared_ptr<const isa::Routine> prepareFirst(std::shared_ptr<const isa::Program> program) override {
        if (baseline_ == Baseline::Only) return prepare(std::move(program));
        return routineOf(store_.firstCodeOf(*program), *program);
    }

    std::shared_ptr<const isa::Kernel> prepareKernel(std::shared_ptr<const isa::Program> program,
                                                     ThreadBlockSize block) override {
        if (baseline_ == Baseline::Only) return nullptr;
        CodePointer code = store_.codeOf(*program, &block);
        return kernelOf(std::move(code), std::move(program), block);
    }

    isa::KeptRoutine prepareKept(const isa::Program& program) override {
        CodeStore::Kept kept = store_.keptCodeOf(program);
        const bool isWhole = kept.isWhole;
        // Also where it is known that the compiler refuses the program.
        if (kept.first.code == nullptr && baseline_ == Baseline::First)
            kept.first = {store_.baselineCodeOf(program), isWhole};
        if (kept.first.code == nullptr) return {nullptr, isWhole};
        return {std::make_shared<JitRoutine>(std::move(kept), program), isWhole};
    }

    std::shared_ptr<const isa::Kernel> prepareKeptKernel(std::shared_ptr<const isa::Program> program,
                                                         ThreadBlockSize block) override {
        std::optional<CodePointer> code = store_.keptCodeOf(*program, block);
        return code ? kernelOf(std::move(*code), std::move(program), block) : nullptr;
    }

    void getReady() override { (void)store_.compiler(); }

    void refine(const isa::Routine& routine, const isa::Program& program) override {
        if (baseline_ == Baseline::Only) return;
        static_cast<const JitRoutine&>(routine).refine(store_, program);
    }

    std::string name() const override { return "jit"; }

private:
    static std::shared_ptr<const isa::Routine> routineOf(CodeStore::First first, const isa::Program& program) {
        if (first.code == nullptr) return nullptr;
        return std::make_shared<JitRoutine>(std::move(first), program);
    }
    std::shared_ptr<const isa::Kernel> kernelOf(CodePointer code, std::shared_ptr<const isa::Program> program,
                                                const ThreadBlockSize& block) const {
        if (code == nullptr) return nullptr;
        return makeKernel(std::move(code), level_, std::move(program), block);
    }

    SimdLevel level_;
    Baseline baseline_;
    CodeStore store_;
};

/// Users without a home have the name of one that is not there; it is not for us to make.
std::string defaultCacheDirectory() {
    const std::string cache = envString("XDG_CACHE_HOME", ""), home = envString("HOME", "");
    std::error_code error;
    const bool hasHome = !home.empty() && std::filesystem::is_directory(home, error);
    const std::string usual = !cache.empty() ? cache + "/tessera" : hasHome ? home + "/.cache/tessera" : "";
    return envString("TESSERA_CACHE_DIR", usual.c_str());
}

}  // namespace

Options optionsFromEnvironment(SimdLevel level) {
    return {.level = level, .cacheDirectory = defaultCacheDirectory(), .perf = envFlag("TESSERA_PERF")};
}

std::shared_ptr<isa::Executor> makeJit(const Options& options, LoadCompiler loadCompiler) {
    return std::make_shared<Jit>(options, std::move(loadCompiler));
}

}  // namespace tessera::jit
