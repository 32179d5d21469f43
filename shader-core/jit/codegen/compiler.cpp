// The pipeline is short because first use waits for it: registers to values, canonical NaNs where they can be seen,
// lane functions inlined, then the local clean-ups that matter for straight-line vector code.
//
// InstCombine is left out on purpose: that of LLVM 19.1 folds "x is NaN, or |x| > 0" to "x is NaN or x > 0" (a random
// program found it), and what it adds to the code of shaders is not worth doubting its reasoning about NaN and zeros.
#include "shader-core/jit/codegen/compiler.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/PassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

#include "base/check.h"
#include "shader-core/analysis/facts.h"
#include "shader-core/analysis/routines.h"
#include "shader-core/jit/codegen/cost.h"
#include "shader-core/jit/codegen/link.h"
#include "shader-core/jit/codegen/llvm_entry.h"
#include "shader-core/jit/codegen/parts.h"
#include "shader-core/jit/host/host.h"
#include "shader-core/jit/lower/alternate.h"
#include "shader-core/jit/lower/block_values.h"
#include "shader-core/jit/lower/booleans.h"
#include "shader-core/jit/lower/canonical.h"
#include "shader-core/jit/lower/graphics.h"
#include "shader-core/jit/lower/kernel.h"
#include "shader-core/jit/lower/lookups.h"
#include "shader-core/jit/lower/quotients.h"
#include "shader-core/jit/lower/wide_masks.h"
#include "shader-core/jit/run/frame.h"
#include "shader-core/jit/run/image.h"

// embedded.S
#define TESSERA_BITCODE_OF(level, ...) \
    extern "C" const char tessera_lane_functions_##level[], tessera_lane_functions_##level##_end[];
TESSERA_EACH_SIMD_LEVEL(TESSERA_BITCODE_OF)
#undef TESSERA_BITCODE_OF

namespace tessera::jit {

namespace {

/// Programs with more instructions than this after inlining are not compiled: time and memory would be unreasonable.
constexpr uint64_t kMaxExpandedInstructions = 12000;

llvm::StringRef laneBitcode(SimdLevel level) {
#define TESSERA_BITCODE_RANGE(level, ...) {tessera_lane_functions_##level, tessera_lane_functions_##level##_end},
    static const struct {
        const char *begin, *end;
    } bitcode[] = {TESSERA_EACH_SIMD_LEVEL(TESSERA_BITCODE_RANGE)};
#undef TESSERA_BITCODE_RANGE
    const auto [begin, end] = bitcode[static_cast<size_t>(level)];
    return {begin, static_cast<size_t>(end - begin)};
}

std::unique_ptr<llvm::TargetMachine> makeTargetMachine(SimdLevel level, Effort effort) {
    static const llvm::Target* target = [] {
        initialiseHost();
        std::string error;
        return llvm::TargetRegistry::lookupTarget(kHostTriple, error);
    }();
    CHECK(target != nullptr);
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
    options.NoInfsFPMath = options.NoNaNsFPMath = options.NoSignedZerosFPMath = options.UnsafeFPMath = false;
    return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
        kHostTriple, hostLevel(level).processor, "", options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
        effort == Effort::Quick ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default,
        /*JIT=*/true));
}

/// Kept, as a machine's tables take longer to make than the code of a short program. One for each effort: code
/// generation changes it.
llvm::TargetMachine& targetMachine(SimdLevel level, Effort effort) {
    static std::unique_ptr<llvm::TargetMachine> machines[kSimdLevelCount][2];
    std::unique_ptr<llvm::TargetMachine>& machine =
        machines[static_cast<size_t>(level)][effort == Effort::Quick ? 1 : 0];
    if (machine == nullptr) machine = makeTargetMachine(level, effort);
    return *machine;
}

/// Remembers whether a function's frame was larger than its attribute allows.
class FrameSizeHandler final : public llvm::DiagnosticHandler {
public:
    explicit FrameSizeHandler(bool& tooLarge) : tooLarge_(tooLarge) {}
    bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
        tooLarge_ |= info.getKind() == llvm::DK_StackSize;
        return true;
    }

private:
    bool& tooLarge_;
};

/// How many bits registers must have for pairs. Of narrower ones two blocks would need four times as many as there are.
constexpr unsigned kLeastPairBits = 256;

/// Whether a pair is slower than one block after the other. Where sixteen lanes are two registers of sixteen it may
/// keep too much on the stack: its code, of twice that for one block, was 0.9 to 1.2 in programs that gain, and 1.5 in
/// those that lose a third (docs/notes/fast-everywhere.md, Pairs that lose). Anywhere it may be too long for the
/// processor's first cache, from which the code of one block still comes (docs/notes/programs.md, Frames of long code).
bool losesAsPair(const Target& target, const std::vector<char>& image) {
    constexpr double kMostGrowth = 1.3;
    constexpr uint32_t kMostBytes = 64 << 10;
    ImageHeader header;
    if (!target.pair || image.size() < sizeof header) return false;
    std::memcpy(&header, image.data(), sizeof header);
    if (header.functionBytes > kMostBytes) return true;
    if (target.singleBytes == 0 || hostLevel(target.level).registerBits != 256) return false;
    return header.functionBytes > kMostGrowth * 2 * static_cast<double>(target.singleBytes);
}

/// A module under construction and the machine it is for.
class Compilation {
public:
    Compilation(SimdLevel level, Effort atMost = Effort::Full)
        : level_(level), machine_(&targetMachine(level, atMost)), atMost_(atMost) {}

    /// Empty, or why the program is refused.
    std::string build(const isa::Program& program, const ThreadBlockSize* block = nullptr, bool pair = false) {
        if (analysis::expandedSize(analysis::decodedCode(program)) > kMaxExpandedInstructions)
            return "too large after inlining its calls";
        const Facts facts = analysis::findFacts(program, block);
        if (!facts.refusal.empty()) return facts.refusal;
        if (pair && !facts.pairs) return "blocks go one by one";
        if (pair && hostLevel(level_).registerBits < kLeastPairBits) return "no room for pairs";
        pair_ = pair;
        widens_ = block == nullptr && hostLevel(level_).widensMasks;
        context_.setDiagnosticHandler(std::make_unique<FrameSizeHandler>(frameTooLarge_));
        if (!lower(program, facts, block, pair ? 2 * kBlockLanes : kBlockLanes))
            return "too many registers in too many branches";
        if (block == nullptr && !pair && facts.lanesApart && !facts.forks && !facts.usesTextures) {
            const unsigned lanes = lanesAtATime(*function_, level_, lanesOfDerivatives(facts));
            if (lanes != kBlockLanes) {
                CHECK(lower(program, facts, block, lanes));
                runInParts(*function_, lanes);
                inParts_ = true;
            }
        }
        if (block == nullptr) alignFrame();
        writeInputComponents(block == nullptr);
        return {};
    }

    /// What effort code generation may take, by the size of the code alone.
    [[nodiscard]] Effort allowedEffort() const {
        return effortFor(expectedSize(*function_, level_), function_->size(), countLoops(*function_));
    }

    Effort chooseEffort() {
        Effort effort = std::max(allowedEffort(), atMost_);
        // A pair is worth its scheduling only.
        if (pair_ && effort != Effort::Full) effort = Effort::Refused;
        if (effort == Effort::Quick) machine_ = &targetMachine(level_, effort);
        return effort;
    }

    llvm::Module& module() { return *module_; }
    [[nodiscard]] bool frameTooLarge() const { return frameTooLarge_; }

    std::unique_ptr<llvm::MemoryBuffer> emit(llvm::CodeGenFileType type) {
        llvm::SmallVector<char, 0> bytes;
        llvm::raw_svector_ostream stream(bytes);
        llvm::legacy::PassManager passes;
        if (inParts_ || (pair_ && hostLevel(level_).registerBits == 512))
            addPassesInOrder(passes, stream, type);
        else
            CHECK(!machine_->addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true));
        passes.run(*module_);
        return std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(bytes), "routine", false);
    }

private:
    /// A module with the program's function of so many lanes. False: with more registers in more branches than can be
    /// made values of.
    bool lower(const isa::Program& program, const Facts& facts, const ThreadBlockSize* block, unsigned lanes) {
        llvm::MemoryBufferRef buffer(laneBitcode(level_), "lane functions");
        llvm::Expected<std::unique_ptr<llvm::Module>> module = llvm::getLazyBitcodeModule(buffer, context_);
        CHECK(static_cast<bool>(module));
        module_ = std::move(*module);
        module_->setDataLayout(machine_->createDataLayout());
        module_->setTargetTriple(kHostTriple);
        function_ = block != nullptr ? KernelToLlvm(*module_, program, facts, level_, *block).run()
                                     : GraphicsToLlvm(*module_, program, facts, level_, lanes, inlinedSize()).run();
        if (block != nullptr) function_->addFnAttr(llvm::Attribute::NoRedZone);
        function_->addFnAttr("warn-stack-size", std::to_string(block != nullptr ? kMaxKernelFrame : kMaxGraphicsFrame));
        function_->addFnAttr("probe-stack", "inline-asm");  // a large frame meets the page that guards the stack
        if (tooManyVariables(*function_)) return false;
        takeLaneFunctions();
        optimise();
        return true;
    }

    /// Derivatives are of quads, which lie in two rows of a block.
    static unsigned lanesOfDerivatives(const Facts& facts) {
        constexpr unsigned kRow = 4;
        const bool derives = std::ranges::any_of(
            facts.code, [](const isa::Instruction& i) { return i.op == isa::Op::Ddx || i.op == isa::Op::Ddy; });
        return derives ? 2 * kRow : kRow;
    }

    /// How large lane functions may be that are inlined. Selecting the instructions of one power takes longer than
    /// those of a short program.
    [[nodiscard]] int inlinedSize() const {
        if (atMost_ == Effort::Quick) return 0;
        const int size = hostLevel(level_).registerBits == 512 ? kMaxInlinedSizeWide : kMaxInlinedSize;
        return pair_ ? 2 * size : size;
    }

    /// Vectors that the code keeps on the stack lie across two cache lines, each or every other one, where the frame is
    /// aligned to 16 bytes as callers leave it. A frame of its own alignment costs four instructions, so that it is
    /// left to code that is long, which mostly keeps some.
    void alignFrame() {
        constexpr unsigned kCallersAlignment = 128;  // in bits
        constexpr uint64_t kLeastSize = 400;
        if (hostLevel(level_).registerBits > kCallersAlignment && expectedSize(*function_, level_) >= kLeastSize)
            function_->addFnAttr("stackrealign");
    }

    /// As addPassesToEmitFile(), but instructions stay in the order of the program. In that of pairs those of the two
    /// blocks alternate: the scheduler, to save registers, would put one block after the other, and both would wait.
    /// Where sixteen lanes are two registers, of sixteen, there are chains enough, and twice as many spills without it.
    /// In long code it lets more values live at a time than the program does: twice as many spills with it.
    void addPassesInOrder(llvm::legacy::PassManager& passes, llvm::raw_pwrite_stream& stream,
                          llvm::CodeGenFileType type) {
        auto& machine = static_cast<llvm::LLVMTargetMachine&>(*machine_);
        llvm::TargetPassConfig* config = machine.createPassConfig(passes);
        config->setDisableVerify(true);
        config->disablePass(&llvm::MachineSchedulerID);
        auto* functions = new llvm::MachineModuleInfoWrapperPass(&machine);  // the manager's, as is the configuration
        passes.add(config);
        passes.add(functions);
        CHECK(!config->addISelPasses());
        config->addMachinePasses();
        config->setInitialized();
        CHECK(!machine.addAsmPrinter(passes, stream, nullptr, type, functions->getMMI().getContext()));
        passes.add(llvm::createFreeMachineFunctionPass());
    }

    /// Reads the lane functions that are used, drops the others.
    void takeLaneFunctions() {
        std::vector<llvm::Function*> unused;
        for (llvm::Function& f : *module_) {
            if (&f == function_ || !f.isMaterializable()) continue;
            if (f.use_empty()) {
                unused.push_back(&f);
                continue;
            }
            CHECK(!f.materialize());
            f.setLinkage(llvm::Function::InternalLinkage);
            f.addFnAttr(llvm::Attribute::AlwaysInline);
        }
        for (llvm::Function* f : unused) f->eraseFromParent();
    }

    /// What is left of the loads of inputs, as a constant of the object.
    void writeInputComponents(bool hasInputs) {
        const llvm::DataLayout& layout = module_->getDataLayout();
        const auto offsetFrom = [&](llvm::Value* pointer, int64_t& offset) {
            llvm::APInt bytes(64, 0);
            llvm::Value* base = pointer->stripAndAccumulateConstantOffsets(layout, bytes, /*AllowNonInbounds=*/true);
            offset = bytes.getSExtValue();
            return base;
        };
        isa::ComponentMasks components;
        for (llvm::Instruction& instruction : llvm::instructions(*function_)) {
            auto* registers = llvm::dyn_cast<llvm::LoadInst>(&instruction);
            int64_t offset = 0;
            if (!hasInputs || registers == nullptr ||
                offsetFrom(registers->getPointerOperand(), offset) != function_->getArg(0) ||
                offset != offsetof(Frame, inputs))
                continue;
            addComponents(*registers, components);
        }
        uint64_t bits[4];
        for (size_t c = 0; c < 4; ++c) bits[c] = components.component[c].bits();
        llvm::Constant* value = llvm::ConstantDataArray::get(context_, bits);
        new llvm::GlobalVariable(*module_, value->getType(), true, llvm::GlobalValue::ExternalLinkage, value,
                                 kInputComponentsName);
    }

    /// All, where an address is not a constant.
    static void addComponents(const llvm::Value& registers, isa::ComponentMasks& components) {
        for (const llvm::User* user : registers.users()) {
            uint64_t offset = 0;
            const llvm::User* load = user;
            if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
                llvm::APInt bytes(64, 0);
                if (!address->accumulateConstantOffset(address->getModule()->getDataLayout(), bytes))
                    return void(components = isa::ComponentMasks::all());
                offset = bytes.getZExtValue();
                for (const llvm::User* one : address->users())
                    if (!llvm::isa<llvm::LoadInst>(one)) return void(components = isa::ComponentMasks::all());
            } else if (!llvm::isa<llvm::LoadInst>(load)) {
                return void(components = isa::ComponentMasks::all());
            }
            const auto place = static_cast<int>(offset / (isa::kGroupSize * sizeof(float)));
            components.add(place / 4, place % 4);
        }
    }

    void optimise() {
        llvm::LoopAnalysisManager loops;
        llvm::FunctionAnalysisManager functions;
        llvm::CGSCCAnalysisManager graphs;
        llvm::ModuleAnalysisManager modules;
        llvm::PassBuilder builder(machine_);
        builder.registerModuleAnalyses(modules);
        builder.registerCGSCCAnalyses(graphs);
        builder.registerFunctionAnalyses(functions);
        builder.registerLoopAnalyses(loops);
        builder.crossRegisterProxies(loops, functions, graphs, modules);

        forwardInBlocks(*function_);
        llvm::FunctionPassManager toValues;
        toValues.addPass(llvm::PromotePass());
        toValues.addPass(llvm::EarlyCSEPass());
        toValues.run(*function_, functions);
        resolveBooleans(*function_);
        resolveCanonical(*function_);
        if (hostLevel(level_).hasFma) divideByProducts(*function_);
        functions.invalidate(*function_, llvm::PreservedAnalyses::none());

        // Before inlining: the lane functions have been through the optimiser when they were made.
        llvm::FunctionPassManager simplifying;
        simplifying.addPass(llvm::InstSimplifyPass());
        simplifying.addPass(llvm::SimplifyCFGPass());
        simplifying.run(*function_, functions);
        resolveLookups(*function_);
        functions.invalidate(*function_, llvm::PreservedAnalyses::none());

        if (pair_) inlineAlternating(*function_);
        llvm::ModulePassManager inlining;
        inlining.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
        inlining.run(*module_, modules);

        llvm::FunctionPassManager cleaning;
        cleaning.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
        cleaning.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/false));
        cleaning.addPass(llvm::ADCEPass());
        cleaning.run(*function_, functions);
        if (widens_) widenMasks(*function_, hostLevel(level_));
        if (hostLevel(level_).hasMinNum) keepComparisons(*function_);
    }

    SimdLevel level_;
    llvm::LLVMContext context_;
    llvm::TargetMachine* machine_;
    Effort atMost_;
    std::unique_ptr<llvm::Module> module_;
    llvm::Function* function_ = nullptr;
    bool frameTooLarge_ = false, pair_ = false, inParts_ = false, widens_ = false;
};

}  // namespace

namespace {

CompileResult compileWithin(const isa::Program& program, const Target& target) {
    Compilation compilation(target.level, target.atMost);
    if (std::string refusal = compilation.build(program, target.block, target.pair); !refusal.empty())
        return {.refusal = std::move(refusal)};
    const Effort allowed = compilation.allowedEffort(), effort = compilation.chooseEffort();
    if (effort == Effort::Refused) return {.refusal = "too large", .allowed = allowed};
    const std::unique_ptr<llvm::MemoryBuffer> object = compilation.emit(llvm::CodeGenFileType::ObjectFile);
    if (compilation.frameTooLarge()) return {.refusal = "a group needs too much stack"};
    std::vector<char> image = link(object->getMemBufferRef());
    if (losesAsPair(target, image)) return {.refusal = "two blocks at once are slower"};
    return {.image = std::move(image), .effort = effort, .allowed = allowed};
}

}  // namespace

void compile(const isa::Program& program, const Target& target, CompileResult& result) {
    CompileResult made;
    if (enterLlvm([&] { made = compileWithin(program, target); })) result = std::move(made);
}

std::string describe(const isa::Program& program, SimdLevel level, const ThreadBlockSize* block) {
    Compilation compilation(level);
    if (!compilation.build(program, block).empty()) return {};
    std::string text;
    llvm::raw_string_ostream stream(text);
    compilation.module().print(stream, nullptr);
    return text;
}

std::string describeMachineCode(const isa::Program& program, SimdLevel level, const ThreadBlockSize* block, bool pair) {
    Compilation compilation(level);
    if (!compilation.build(program, block, pair).empty()) return {};
    return compilation.emit(llvm::CodeGenFileType::AssemblyFile)->getBuffer().str();
}

}  // namespace tessera::jit
