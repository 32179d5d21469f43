// Random modules through every pass and through the interpreter; the evaluator of testing.h is the judge.
#include <doctest/doctest.h>

#include <bit>
#include <functional>

#include "shader-core/glsl/ir/passes.h"
#include "shader-core/glsl/ir/testing.h"
#include "shader-core/interp/interpreter.h"

namespace ir = tessera::glsl::ir;
namespace isa = tessera::isa;
using namespace ir::testing;

namespace {

std::vector<Inputs> someInputs(Random& random, int count) {
    std::vector<Inputs> list;
    for (int n = 0; n < count; n++) list.push_back(randomInputs(random));
    return list;
}

ir::Module makeModule(uint64_t seed) {
    Random random(seed);
    isa::Stage stage = random.chance(50) ? isa::Stage::Vertex : isa::Stage::Fragment;
    return randomModule(random, stage, 5 + random.below(seed % 16 == 0 ? 400 : 60));
}

void checkPass(const char* name, uint64_t firstSeed, int modules, const std::function<bool(ir::Module&)>& pass) {
    int changed = 0;
    for (int n = 0; n < modules; n++) {
        uint64_t seed = firstSeed + static_cast<uint64_t>(n);
        ir::Module before = makeModule(seed);
        REQUIRE_MESSAGE(ir::verify(before).empty(), "seed " << seed << ": " << ir::verify(before));
        // Some passes only find work in code that others have cleaned.
        if (n % 2) ir::propagateValues(before);
        ir::Module after = before;
        changed += pass(after);
        REQUIRE_MESSAGE(ir::verify(after).empty(), std::string(name) << " seed " << seed << ": " << ir::verify(after));
        Random random(seed ^ 0x5555);
        for (const Inputs& inputs : someInputs(random, 4)) {
            Result expected = evaluateModule(before, inputs), got = evaluateModule(after, inputs);
            REQUIRE(!expected.endless);
            REQUIRE_MESSAGE((expected == got), std::string(name) << " seed " << seed << "\n"
                                                                 << print(before) << "\n"
                                                                 << print(after));
        }
    }
    CHECK_MESSAGE(changed > modules / 20, std::string(name) << " found work in only " << changed);
}

class TestTextures : public isa::TextureUnits {
public:
    void sample(int unit, const isa::TextureRequest& request, isa::GroupRegister& result) const override {
        for (int lane = 0; lane < isa::kGroupSize; lane++) {
            if (!(request.mask >> lane & 1)) continue;
            bool cube = request.target == isa::TextureTarget::Cube;
            std::array<float, 3> coordinate{request.coord[0][lane], request.coord[1][lane],
                                            cube ? request.coord[2][lane] : 0.0f};
            float lod = request.lodMode == isa::LodMode::Implicit ? 0.0f : request.lod[lane];
            auto texel = sampleTexture(unit, request.target, coordinate, lod);
            for (int c = 0; c < 4; c++) result.lane[c][lane] = texel[c];
        }
    }
};

uint32_t canonicalBits(float x) { return x == x ? std::bit_cast<uint32_t>(x) : 0x7FC00000; }

/// 32 threads on the interpreter.
std::vector<Result> interpret(std::shared_ptr<const isa::Program> program, const std::vector<Inputs>& threads) {
    std::vector<isa::GroupRegister> inputs(isa::kMaxInputs), outputs(isa::kMaxOutputs), specials(isa::kSpecials);
    for (size_t lane = 0; lane < threads.size(); lane++)
        for (uint32_t r = 0; r < kInputs; r++)
            for (int c = 0; c < 4; c++) inputs[r].lane[c][lane] = std::bit_cast<float>(threads[lane].inputs[r][c]);
    std::vector<std::array<float, 4>> constants(std::max<size_t>(program->constantCount, kUniforms));
    for (uint32_t r = 0; r < kUniforms; r++)
        for (int c = 0; c < 4; c++) constants[r][c] = std::bit_cast<float>(threads[0].uniforms[r][c]);
    for (const isa::Literal& literal : program->literals)
        for (int c = 0; c < 4; c++) constants[literal.reg][c] = std::bit_cast<float>(literal.bits[c]);
    TestTextures textures;
    isa::GroupRun run;
    run.activeMask = 0xFFFFFFFF;
    run.inputs = inputs.data();
    run.outputs = outputs.data();
    run.specials = specials.data();
    run.constants = reinterpret_cast<const float(*)[4]>(constants.data());
    run.textures = &textures;
    static const auto interpreter = tessera::interp::makeInterpreter();
    interpreter->prepare(program)->run(run);
    std::vector<Result> results(threads.size());
    for (size_t lane = 0; lane < threads.size(); lane++) {
        results[lane].killed = run.killMask >> lane & 1;
        for (uint32_t r = 0; r < isa::kMaxOutputs; r++)
            for (int c = 0; c < 4 && !results[lane].killed; c++)
                if (program->outputMask >> r & 1) results[lane].outputs[r][c] = canonicalBits(outputs[r].lane[c][lane]);
    }
    return results;
}

void checkEmitted(uint64_t seed, const ir::Module& module, bool optimised) {
    Random random(seed ^ 0xAAAA);
    std::vector<Inputs> threads = someInputs(random, isa::kGroupSize);
    for (Inputs& t : threads) t.uniforms = threads[0].uniforms;
    ir::Module copy = module;
    if (optimised) ir::optimize(copy);
    REQUIRE_MESSAGE(ir::verify(copy).empty(), "seed " << seed << ": " << ir::verify(copy));
    ir::EmitResult emitted = ir::emit(copy);
    REQUIRE_MESSAGE(emitted.error.empty(), "seed " << seed << ": " << emitted.error);
    auto program = std::make_shared<isa::Program>(std::move(emitted.program));
    REQUIRE_MESSAGE(isa::verify(*program).empty(), "seed " << seed << ": " << isa::verify(*program));
    REQUIRE(program->lines.size() == program->code.size());
    std::vector<Result> got = interpret(program, threads);
    for (size_t lane = 0; lane < threads.size(); lane++) {
        Result expected = evaluateModule(module, threads[lane]);
        REQUIRE_MESSAGE((expected == got[lane]), "seed " << seed << " lane " << lane << " optimised " << optimised
                                                         << "\n"
                                                         << print(module) << "\n"
                                                         << print(copy));
    }
}

}  // namespace

TEST_CASE("each pass keeps the results of random modules") {
    checkPass("propagateValues", 1000, 400, ir::propagateValues);
    checkPass("removeDeadCode", 2000, 400, ir::removeDeadCode);
    checkPass("forwardDestinations", 3000, 400, ir::forwardDestinations);
    checkPass("mergeComponents", 4000, 400, ir::mergeComponents);
    checkPass("simplifyControl", 5000, 400, ir::simplifyControl);
    checkPass("unrollLoops", 6000, 400, [](ir::Module& m) {
        uint32_t budget = 4096;
        return ir::unrollLoops(m, budget);
    });
    checkPass("splitArrays and compactTemps", 6500, 400, [](ir::Module& m) {
        ir::splitArrays(m);
        ir::removeDeadCode(m);
        size_t before = m.temps.size();
        ir::compactTemps(m);
        return m.temps.size() < before;
    });
    checkPass("optimize", 7000, 400, [](ir::Module& m) {
        ir::optimize(m);
        return true;
    });
}

TEST_CASE("code generation keeps the results of random modules") {
    for (uint64_t seed = 10000; seed < 10700; seed++) checkEmitted(seed, makeModule(seed), false);
}

TEST_CASE("optimised code on the interpreter gives the results of the module") {
    for (uint64_t seed = 20000; seed < 21200; seed++) checkEmitted(seed, makeModule(seed), true);
}
