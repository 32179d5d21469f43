// Random modules through every pass and through the interpreter; the evaluator of random_ir.h is the judge.
#include <doctest/doctest.h>

#include <bit>
#include <functional>
#include <string>

#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/optimize/passes.h"
#include "shader-core/glsl/ir/testing/random_ir.h"
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
    const int functions = seed % 4 == 3 ? static_cast<int>(1 + seed / 4 % 3) : 0;
    return randomModule(random, stage, 5 + random.below(seed % 16 == 0 ? 400 : 60), functions);
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
            std::array<float, 4> coordinate{};
            for (int c = 0; c < isa::coordinateCount(request.target); c++) coordinate[c] = request.coord[c][lane];
            float lod = request.lodMode == isa::LodMode::Implicit ? 0.0f : request.lod[lane];
            auto texel = sampleTexture(unit, request.target, coordinate, lod, request.offset);
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
                if (program->outputMask.has(r)) results[lane].outputs[r][c] = canonicalBits(outputs[r].lane[c][lane]);
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

/// Every temp is a variable of the source, assigned wherever the module writes it.
ir::Module withVariables(ir::Module module) {
    for (size_t t = 0; t < module.temps.size(); t++) {
        isa::DebugVariable variable;
        variable.name = "t" + std::to_string(t);
        variable.type = isa::VarType::Vec4;
        module.debug.variables.push_back(variable);
        module.debug.firstSlot.push_back(module.debug.slots);
        module.debug.slots += 4;
    }
    for (size_t n = 0; n + 1 < module.code.size(); n++) {
        const ir::Instruction& i = module.code[n];
        if (!ir::writesResult(i.op) || i.dst.kind != ir::Kind::Temp || i.dst.relative != ir::kNone) continue;
        for (uint32_t c = 0; c < 8; c++) {
            if (!(i.dst.writeMask >> c / 2 & 1)) continue;
            ir::Assignment a{.slot = 4 * i.dst.index + c / 2, .follows = c % 2 != 0, .kind = ir::Kind::Temp};
            a.index = i.dst.index;
            a.component = static_cast<uint8_t>(c / 2);
            a.next = module.code[n + 1].assigns;
            module.code[n + 1].assigns = static_cast<uint32_t>(module.debug.assignments.size());
            module.debug.assignments.push_back(a);
        }
    }
    return module;
}

using Values = std::vector<std::vector<uint32_t>>;  ///< of each slot, one after the other
Values valuesOf(const std::vector<Assigned>& trace, uint32_t slots) {
    Values values(slots);
    for (const Assigned& one : trace)
        if (values[one.slot].empty() || values[one.slot].back() != one.bits) values[one.slot].push_back(one.bits);
    return values;
}
/// Some of the values of `all`, in their order.
bool isPartOf(const std::vector<uint32_t>& some, const std::vector<uint32_t>& all) {
    size_t at = 0;
    for (uint32_t bits : some) {
        while (at < all.size() && all[at] != bits) at++;
        if (at == all.size()) return false;
    }
    return true;
}

/// A place that is not known has nothing of one that was.
bool lostPlacesSayWhyAlone(const isa::DebugInfo& info) {
    using Kind = isa::DebugPlace::Kind;
    for (const isa::DebugVariable& variable : info.variables)
        for (const isa::DebugRange& range : variable.ranges) {
            const Kind kind = range.place.kind;
            if (kind != Kind::Register && kind != Kind::Constant && range.place != isa::DebugPlace{.kind = kind})
                return false;
        }
    return true;
}

/// What a debugger would show for each variable, stopping before each instruction of one lane.
class Watcher final : public tessera::interp::Observer {
public:
    Watcher(const isa::Program& program, const ir::Module& module, const isa::GroupRegister* inputs,
            const std::vector<std::array<float, 4>>& constants, const isa::GroupRegister* specials)
        : program_(program), module_(module), inputs_(inputs), constants_(constants), specials_(specials) {}

    bool before(const tessera::interp::Step& step) override {
        for (size_t v = 0; v < program_.debugInfo->variables.size(); v++)
            for (const isa::DebugRange& range : program_.debugInfo->variables[v].ranges) {
                if (step.pc < range.begin || step.pc >= range.end || (step.execMask & 1) == 0) continue;
                const isa::DebugPlace& p = range.place;
                float value = 0;
                if (p.kind == isa::DebugPlace::Kind::Constant)
                    value = std::bit_cast<float>(p.bits);
                else if (p.kind != isa::DebugPlace::Kind::Register)
                    continue;
                else if (p.file == isa::File::R)
                    value = step.temps[p.index].lane[p.component][0];
                else if (p.file == isa::File::O)
                    value = step.outputs[p.index].lane[p.component][0];
                else if (p.file == isa::File::V)
                    value = inputs_[p.index].lane[p.component][0];
                else if (p.file == isa::File::C)
                    value = constants_[p.index][p.component];
                else if (p.file == isa::File::S)
                    value = specials_[p.index].lane[p.component][0];
                uint32_t bits = std::bit_cast<uint32_t>(value);
                if (p.absolute) bits &= 0x7FFFFFFF;
                if (p.negate) bits ^= 0x80000000;
                trace.push_back(
                    {module_.debug.firstSlot[v] + range.component, canonicalBits(std::bit_cast<float>(bits))});
            }
        return true;
    }
    std::vector<Assigned> trace;

private:
    const isa::Program& program_;
    const ir::Module& module_;
    const isa::GroupRegister* inputs_;
    const std::vector<std::array<float, 4>>& constants_;
    const isa::GroupRegister* specials_;
};

std::vector<Assigned> watch(const std::shared_ptr<const isa::Program>& program, const ir::Module& module,
                            const Inputs& thread) {
    std::vector<isa::GroupRegister> inputs(isa::kMaxInputs), outputs(isa::kMaxOutputs), specials(isa::kSpecials);
    for (uint32_t r = 0; r < kInputs; r++)
        for (int c = 0; c < 4; c++) inputs[r].lane[c][0] = std::bit_cast<float>(thread.inputs[r][c]);
    std::vector<std::array<float, 4>> constants(std::max<size_t>(program->constantCount, kUniforms));
    for (uint32_t r = 0; r < kUniforms; r++)
        for (int c = 0; c < 4; c++) constants[r][c] = std::bit_cast<float>(thread.uniforms[r][c]);
    for (const isa::Literal& literal : program->literals)
        for (int c = 0; c < 4; c++) constants[literal.reg][c] = std::bit_cast<float>(literal.bits[c]);
    TestTextures textures;
    isa::GroupRun run;
    run.activeMask = 1;
    run.inputs = inputs.data();
    run.outputs = outputs.data();
    run.specials = specials.data();
    run.constants = reinterpret_cast<const float(*)[4]>(constants.data());
    run.textures = &textures;
    Watcher watcher(*program, module, inputs.data(), constants, specials.data());
    static const auto interpreter = tessera::interp::makeInterpreter();
    const auto routine = interpreter->prepare(program);
    tessera::interp::runObserved(*routine, run, watcher);
    return watcher.trace;
}

}  // namespace

TEST_CASE("variables are where the passes and the allocator leave them, and cost no instruction") {
    size_t assigned = 0, followed = 0, seen = 0;
    for (uint64_t seed = 30000; seed < 30600; seed++) {
        const ir::Module plain = makeModule(seed), module = withVariables(plain);
        ir::Module without = plain, with = module;
        ir::optimize(without);
        ir::optimize(with);
        REQUIRE_MESSAGE(print(without) == print(with), "seed " << seed);
        const ir::EmitResult expected = ir::emit(without), emitted = ir::emit(with);
        REQUIRE(emitted.error.empty());
        REQUIRE(emitted.program.code == expected.program.code);
        REQUIRE(emitted.program.lines == expected.program.lines);
        const auto program = std::make_shared<isa::Program>(emitted.program);
        REQUIRE(program->debugInfo);
        REQUIRE(isa::debugInfoProblem(*program, *program->debugInfo).empty());
        CHECK(lostPlacesSayWhyAlone(*program->debugInfo));

        Random random(seed ^ 0x3333);
        for (const Inputs& inputs : someInputs(random, 2)) {
            std::vector<Assigned> before, after;
            (void)evaluateModule(module, inputs, &before);
            (void)evaluateModule(with, inputs, &after);
            const Values all = valuesOf(before, module.debug.slots), kept = valuesOf(after, module.debug.slots);
            const Values shown = valuesOf(watch(program, module, inputs), module.debug.slots);
            for (uint32_t slot = 0; slot < module.debug.slots; slot++) {
                const std::string where =
                    "seed " + std::to_string(seed) + " t" + std::to_string(slot / 4) + "." + "xyzw"[slot % 4] + "\n";
                REQUIRE_MESSAGE(isPartOf(kept[slot], all[slot]), where << print(module) << "\n" << print(with));
                REQUIRE_MESSAGE(isPartOf(shown[slot], all[slot]), where << print(module) << "\n" << print(with));
                assigned += all[slot].size(), followed += kept[slot].size(), seen += shown[slot].size();
            }
        }
    }
    // Most of what the modules compute is needed nowhere; of what is left much can be seen.
    CHECK(followed > assigned / 20);
    CHECK(seen > followed / 2);
    MESSAGE("assigned " << assigned << ", followed " << followed << ", seen " << seen);
}

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
