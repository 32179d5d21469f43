// Programs (program.h) on the JIT and on the interpreter: whatever the compiler takes gives the same outputs, discarded
// lanes and instructions executed, and is stopped where the interpreter stops it. Both efforts, without LLVM, every
// SIMD level, refined code, blocks as the pipeline runs them, and kernels.
#include "shader-core/jit/codegen/linked_jit.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "tests/fuzz/execute.h"
#include "tests/fuzz/program.h"

namespace {

using namespace tessera;
using interp::TestGroup;

/// How one input is compiled and run.
struct Choices {
    jit::Options options;
    uint32_t activeMask = ~0u;
    uint32_t seed = 0;
    bool looksUpOften = false;
};

Choices choicesOf(fuzz::Input& in) {
    const uint8_t how = in.byte(), lanes = in.byte();
    Choices choices;
    choices.options.level = simdLevels()[how % simdLevels().size()];
    choices.options.atMost = how & 0x80 ? jit::Effort::Quick : jit::Effort::Full;
    choices.options.baseline = how & 0x20 ? jit::Baseline::Only : jit::Baseline::Never;
    // Whole quads, as the pipeline has them; sometimes of one block.
    if (lanes % 4 == 0) choices.activeMask = isa::wholeQuads(lanes * 0x01010101u & in.word());
    if (lanes % 8 == 1) choices.activeMask &= 0xFFFF;
    if (lanes % 8 == 3) choices.activeMask &= 0xFFFF0000;
    choices.looksUpOften = (how & 0x40) != 0;
    return choices;
}

/// With lookups of unit 0 alone, by all lanes that are there, so that some are asked for together.
std::shared_ptr<const isa::Program> withLookups(const isa::Program& program) {
    auto changed = std::make_shared<isa::Program>(program);
    for (size_t at = 0; at < changed->code.size(); ++at) {
        const std::optional<isa::Instruction> i = isa::decode(changed->code[at]);
        if (at % 4 == 3 || !i || !isa::hasDestination(isa::opInfo(i->op).shape)) continue;
        const bool isRegister = i->dst.file == isa::File::R || i->dst.file == isa::File::O;
        if (!isRegister) continue;
        isa::Instruction lookup;
        lookup.op = isa::Op::Tex;
        lookup.dst = i->dst;
        lookup.src[0] = i->src[0].file <= isa::File::V ? i->src[0] : isa::Source{.file = isa::File::V};
        changed->code[at] = isa::encode(lookup);
    }
    isa::deriveUsage(*changed);
    return changed;
}

/// Executors are made once for each way of compiling: making one prepares LLVM.
isa::Executor& compilerOf(const Choices& choices) {
    static std::map<std::tuple<SimdLevel, jit::Effort, jit::Baseline>, std::shared_ptr<isa::Executor>> made;
    const jit::Options& options = choices.options;
    std::shared_ptr<isa::Executor>& one = made[{options.level, options.atMost, options.baseline}];
    if (!one) one = jit::makeJit(options);
    return *one;
}

void compareGroups(const isa::Program& program, const TestGroup& expected, const TestGroup& actual) {
    const auto text = [&program] { return assembly::disassemble(program); };
    const isa::GroupRun &here = expected.run, &there = actual.run;
    fuzz::demand(here.budgetExceeded == there.budgetExceeded, "the JIT stops what the interpreter stops", text);
    if (here.budgetExceeded) return;
    const uint32_t judged = here.activeMask & ~here.helperMask;
    fuzz::demand(((here.killMask ^ there.killMask) & judged) == 0, "the JIT discards the same lanes", text);
    const uint32_t seen = (judged & ~here.killMask) | ~here.activeMask;
    for (int o = 0; o < isa::kMaxOutputs; ++o) {
        if (!program.outputMask.has(o)) continue;
        for (int c = 0; c < 4; ++c)
            for (int lane = 0; lane < isa::kGroupSize; ++lane)
                fuzz::demand((seen >> lane & 1) == 0 || expected.bits(o, c, lane) == actual.bits(o, c, lane),
                             "the JIT's outputs are the interpreter's", text);
    }
    // The interpreter runs both blocks of a group as one; the JIT counts the longer of them.
    const bool oneBlock = (here.activeMask & 0xFFFF) == 0 || here.activeMask >> 16 == 0;
    fuzz::demand(oneBlock ? there.instructions == here.instructions : there.instructions <= here.instructions,
                 "the JIT executes as many instructions", text);
}

/// As Routine::run(), but block by block as the pipeline does, whose units answer for blocks.
void runInBlocks(const isa::Program& program, const isa::Routine& routine, const Choices& choices, TestGroup& group) {
    const fuzz::EchoTextures textures(choices.seed % 8 == 7 ? 0 : ~0u, choices.seed % 4 != 3);
    const std::vector<std::array<float, 4>> constants = fuzz::constantsOf(program, group);
    const isa::BlockCode code = routine.blockCode();
    isa::DrawValues values;
    constexpr uint32_t kLanes = isa::kGroupSize / 2, kMask = (1u << kLanes) - 1;
    const auto blockAt = [&](uint32_t firstLane) {
        isa::BlockRun run;
        run.inputs = group.inputs[0].lane[0] + firstLane;
        run.outputs = group.outputs[0].lane[0] + firstLane;
        run.specials = group.specials[0].lane[0] + firstLane;
        run.constants = reinterpret_cast<const float*>(constants.data()), run.values = &values;
        run.sample = code.sample, run.textures = &textures, run.lookups = textures.lookups();
        run.budget = fuzz::kBudget, run.firstLane = firstLane;
        run.hasQuads = program.stage == isa::Stage::Fragment;
        return run;
    };
    isa::GroupRun& result = group.run;
    if (code.pair != nullptr && (result.activeMask & kMask) != 0 && result.activeMask >> kLanes != 0) {
        isa::BlockRun both = blockAt(0);
        both.launch = result.activeMask;
        code.pair(&both);
        result.instructions = both.instructions;
        result.budgetExceeded = both.instructions > fuzz::kBudget;
    } else {
        for (const uint32_t firstLane : {0u, kLanes}) {
            isa::BlockRun run = blockAt(firstLane);
            run.launch = result.activeMask >> firstLane & kMask;
            if (run.launch == 0) continue;
            run.helper = result.helperMask >> firstLane & kMask;
            code.function(&run);
            result.killMask |= run.kill << firstLane;
            result.budgetExceeded |= run.instructions > fuzz::kBudget;
            result.instructions = std::max(result.instructions, run.instructions);
        }
    }
    // Nobody looks at lanes that were not launched; a routine gives 0 for them.
    for (isa::GroupRegister& output : group.outputs)
        for (int c = 0; c < 4; ++c)
            for (int lane = 0; lane < isa::kGroupSize; ++lane)
                if ((result.activeMask >> lane & 1) == 0) TestGroup::set(output, c, lane, 0);
}

void compareRoutines(const std::shared_ptr<const isa::Program>& program, const Choices& choices) {
    isa::Executor& compiler = compilerOf(choices);
    const auto compiled = compiler.prepareFirst(program);
    if (!compiled) return;
    TestGroup expected;
    fuzz::fill(expected, choices.seed);
    expected.run.activeMask = choices.activeMask;
    if (program->stage == isa::Stage::Fragment) expected.run.helperMask = choices.activeMask & choices.seed * 40503u;
    fuzz::runGroup(*program, *interp::makeInterpreter(choices.options.level)->prepare(program), expected);
    for (const bool refined : {false, true}) {
        if (refined) compiler.refine(*compiled, *program);
        for (const bool inBlocks : {false, true}) {
            auto actual = std::make_unique<TestGroup>();
            fuzz::fill(*actual, choices.seed);
            actual->run.activeMask = expected.run.activeMask;
            actual->run.helperMask = expected.run.helperMask;
            if (inBlocks)
                runInBlocks(*program, *compiled, choices, *actual);
            else
                fuzz::runGroup(*program, *compiled, *actual);
            compareGroups(*program, expected, *actual);
        }
    }
}

void compareKernels(const std::shared_ptr<const isa::Program>& program, const Choices& choices) {
    if (!fuzz::isSmall(*program)) return;
    const auto compiled = compilerOf(choices).prepareKernel(program, fuzz::blockOf(*program));
    const auto interpreted =
        interp::makeInterpreter(choices.options.level)->prepareKernel(program, fuzz::blockOf(*program));
    if (!compiled || !interpreted) return;
    const auto text = [&program] { return assembly::disassemble(*program); };
    const fuzz::Blocks expected = fuzz::runBlocks(*program, *interpreted, choices.seed);
    const fuzz::Blocks actual = fuzz::runBlocks(*program, *compiled, choices.seed);
    fuzz::demand(expected.fault == actual.fault, "the JIT stops the blocks that the interpreter stops", text);
    if (expected.fault != isa::FaultKind::None) return;  // what had been written by then is not defined
    fuzz::demand(expected == actual, "the JIT's memory and counters are the interpreter's", text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input in(data, size);
    Choices choices = choicesOf(in);
    const fuzz::SeededProgram made = fuzz::programOf(in);
    if (!isa::verify(*made.program).empty()) return 0;
    choices.seed = made.seed;
    if (made.program->stage == isa::Stage::Compute)
        compareKernels(made.program, choices);
    else
        compareRoutines(made.program, choices);
    if (made.program->stage != isa::Stage::Fragment || !choices.looksUpOften) return 0;
    const std::shared_ptr<const isa::Program> changed = withLookups(*made.program);
    if (isa::verify(*changed).empty()) compareRoutines(changed, choices);
    return 0;
}
