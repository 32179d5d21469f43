// The JIT against the interpreter, bit for bit: every instruction on special values, endless loops.
#include "shader-core/jit/codegen/linked_jit.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <string>

#include "shader-core/analysis/facts.h"
#include "shader-core/interp/interpreter.h"
#include "shader-core/interp/testing/group.h"
#include "shader-core/interp/testing/special_values.h"
#include "shader-core/isa/block.h"
#include "shader-core/jit/baseline/baseline.h"
#include "shader-core/jit/codegen/compiler.h"
#include "shader-core/jit/host/host.h"
#include "shader-core/jit/lower/quotients.h"
#include "shader-core/jit/testing/compare.h"

using namespace tessera;
using interp::control;
using interp::kSpecialBits;
using interp::make;
using interp::makeProgram;
using interp::reg;
using interp::specialOrRandom;
using interp::TestGroup;
using interp::withUniforms;
using isa::File;
using isa::Instruction;
using isa::Op;
using isa::Type;
using jit::baselineOf;
using jit::compare;
using jit::compilerOf;
using jit::fromEnvironment;
using jit::HashingTextures;
using jit::routinesOf;

namespace {

std::vector<isa::Source> inputs(int count) {
    std::vector<isa::Source> sources;
    for (int s = 0; s < count; ++s) sources.push_back(reg(File::V, s));
    return sources;
}

/// On inputs of all kinds, on everything that is made of the code.
void checkCode(std::vector<Instruction> code, size_t groups, uint32_t seed,
               std::span<const SimdLevel> levels = simdLevels()) {
    const Instruction i = code.back();
    code.push_back(control(Op::Ret));
    const auto program = withUniforms(makeProgram(code), 4);
    REQUIRE(isa::verify(*program) == "");
    const HashingTextures textures;
    for (const SimdLevel level : levels) {
        CAPTURE(simdLevelName(level));
        CAPTURE(isa::opInfo(i.op).mnemonic);
        CAPTURE(static_cast<int>(i.type));
        const auto expected = interp::makeInterpreter(level)->prepare(program);
        const auto routines = routinesOf(*compilerOf(level), level, program);
        REQUIRE(!routines.all.empty());
        std::mt19937 random(seed);
        const size_t n = kSpecialBits.size();
        for (size_t number = 0; number < groups; ++number) {
            TestGroup group;
            group.run.textures = &textures;
            for (int c = 0; c < 4; ++c) {
                for (int lane = 0; lane < 32; ++lane) {
                    const size_t pair = number * 128 + static_cast<size_t>(c) * 32 + static_cast<size_t>(lane);
                    const bool special = pair < n * n;
                    TestGroup::set(group.inputs[0], c, lane,
                                   special ? kSpecialBits[pair / n] : specialOrRandom(random));
                    TestGroup::set(group.inputs[1], c, lane,
                                   special ? kSpecialBits[pair % n] : specialOrRandom(random));
                    TestGroup::set(group.inputs[2], c, lane, specialOrRandom(random));
                }
            }
            for (int k = 0; k < 4; ++k)
                for (float& x : group.constants[k]) x = __builtin_bit_cast(float, specialOrRandom(random));
            for (const auto& actual : routines.all) compare(*expected, *actual, group);
        }
    }
}

void checkOperation(const Instruction& i, size_t groups, uint32_t seed,
                    std::span<const SimdLevel> levels = simdLevels()) {
    checkCode({i}, groups, seed, levels);
}

}  // namespace

TEST_CASE("every instruction, every type, special values against special values") {
    for (int o = 0; o < isa::kOpCount; ++o) {
        const Op op = static_cast<Op>(o);
        const isa::OpInfo& info = isa::opInfo(op);
        if (info.unit == isa::Unit::Control || info.set == isa::InstructionSet::Compute) continue;
        for (const Type type : {Type::F32, Type::I32, Type::U32}) {
            if (!(info.types >> static_cast<int>(type) & 1)) continue;
            checkOperation(make(op, type, File::O, 0, inputs(isa::sourceCount(info.shape))), 16, 11);
        }
    }
}

TEST_CASE("vectors of every magnitude are normalised as by division") {
    const auto program =
        withUniforms(makeProgram({make(Op::Nrm, Type::F32, File::O, 0, {reg(File::V, 0)}), control(Op::Ret)}), 1);
    std::mt19937 random(31);
    // A component: zero of either sign, or any mantissa with an exponent from a range.
    const auto component = [&](int lowest, int highest) {
        const uint32_t sign = static_cast<uint32_t>(random()) & 0x80000000;
        if (random() % 12 == 0) return sign;
        const uint32_t mantissa = random() % 8 == 0 ? (random() % 2 == 0 ? 0x7fffffu : 1u) : random() & 0x7fffff;
        const int exponent = lowest + static_cast<int>(random() % static_cast<uint32_t>(highest - lowest + 1));
        return sign | static_cast<uint32_t>(exponent + 127) << 23 | mantissa;
    };
    constexpr std::array<std::array<int, 2>, 5> kExponents = {{{-1, 0}, {-12, 12}, {-60, 40}, {-64, -36}, {36, 43}}};
    for (const SimdLevel level : simdLevels()) {
        const auto expected = interp::makeInterpreter(level)->prepare(program);
        const auto routines = routinesOf(*compilerOf(level), level, program);
        REQUIRE(!routines.all.empty());
        for (size_t number = 0; number < 3000; ++number) {
            TestGroup group;
            const auto [lowest, highest] = kExponents[number % kExponents.size()];
            for (int c = 0; c < 3; ++c)
                for (int lane = 0; lane < 32; ++lane)
                    TestGroup::set(group.inputs[0], c, lane, component(lowest, highest));
            if (number % 3 == 0)
                TestGroup::set(group.inputs[0], static_cast<int>(random() % 3), static_cast<int>(random() % 32),
                               specialOrRandom(random));
            for (const auto& actual : routines.all) compare(*expected, *actual, group);
        }
    }
}

TEST_CASE("operands that take the most registers: predicates, negated, as integers") {
    for (const Op op : {Op::Sel, Op::Mad, Op::Min, Op::Add, Op::Nrm, Op::Dp4, Op::Div}) {
        for (const Type type : {Type::F32, Type::I32}) {
            if (!(isa::opInfo(op).types >> static_cast<int>(type) & 1)) continue;
            std::vector<Instruction> code;
            for (int p = 1; p <= 3; ++p) code.push_back(make(Op::Slt, Type::F32, File::P, p, inputs(2), 1));
            code[1].src[0].swizzle = code[2].src[1].swizzle = isa::broadcast(2);
            Instruction i = make(op, type, File::O, 0, {});
            for (size_t s = 0; s < static_cast<size_t>(isa::sourceCount(isa::opInfo(op).shape)); ++s) {
                i.src[s] = reg(File::P, static_cast<int>(s) + 1);
                i.src[s].negate = i.src[s].absolute = true;
            }
            i.guard = 2, i.guardNegate = true;
            code.push_back(i);
            checkCode(code, 4, 7);
        }
    }
}

TEST_CASE("modifiers, swizzles, write masks, saturation, constants, immediates and literals") {
    std::mt19937 random(5);
    const int count = fromEnvironment("TESSERA_RANDOM_PROGRAMS", 300);
    for (int k = 0; k < count; ++k) {
        const Op op = static_cast<Op>(random() % isa::kOpCount);
        const Type type = static_cast<Type>(random() % 3);
        const isa::OpInfo& info = isa::opInfo(op);
        if (info.unit == isa::Unit::Control || info.set == isa::InstructionSet::Compute) continue;
        if (!(info.types >> static_cast<int>(type) & 1)) continue;
        const int sources = isa::sourceCount(info.shape);
        Instruction i = make(op, type, File::O, 0, inputs(sources), static_cast<uint8_t>(random() % 15 + 1));
        for (int s = 0; s < sources; ++s) {
            isa::Source& source = i.src[static_cast<size_t>(s)];
            source.swizzle = static_cast<uint8_t>(random());
            source.negate = random() % 3 == 0;
            source.absolute = random() % 3 == 0;
            if (random() % 3 == 0) {
                source.file = File::C;
                source.index = static_cast<uint16_t>(random() % 4);
            }
        }
        const bool immediate = info.shape == isa::Shape::DS1 || info.shape == isa::Shape::DS1S2;
        if (immediate && random() % 2 == 0) {
            isa::Source& source = i.src[random() % static_cast<size_t>(sources)];
            source.file = File::I;
            source.index = 0;
            source.swizzle = isa::kSwizzleXYZW;
            i.immediate = specialOrRandom(random);
        }
        i.saturate = isa::resultType(op, type) == Type::F32 && random() % 3 == 0;
        checkOperation(i, 2, static_cast<uint32_t>(k));
    }
}

TEST_CASE("operands that optimisers like to reason about: zeros, absolute values, the same register twice") {
    // LLVM's InstCombine got min(0, |x|) wrong for negative x.
    const isa::Source zero = reg(File::R, 0), x = reg(File::V, 0);
    isa::Source absolute = x, negative = x, negativeAbsolute = x;
    absolute.absolute = negative.negate = negativeAbsolute.absolute = negativeAbsolute.negate = true;
    isa::Source minusZero = zero;
    minusZero.negate = true;
    for (const Op op : {Op::Add, Op::Mul, Op::Min, Op::Max, Op::Slt, Op::Sge, Op::Seq, Op::Sne, Op::Div, Op::Pow}) {
        for (const isa::Source& a : {zero, minusZero, x, absolute, negative, negativeAbsolute}) {
            for (const isa::Source& b : {zero, minusZero, x, absolute, negative, negativeAbsolute}) {
                Instruction i = make(op, Type::F32, File::O, 0, {a, b});
                checkOperation(i, 1, 3, simdLevels().last(1));
                i.saturate = true;
                checkOperation(i, 1, 3, simdLevels().last(1));
            }
        }
    }
}

TEST_CASE("powers that are known when a program is compiled") {
    isa::Source immediate;
    immediate.file = File::I;
    for (const float power : {-2.0f, 0.0f, 0.5f, 0x1.7ffffep0f, 1.5f, 2.0f, 24.0f, 100.5f, 4096.0f, 4096.5f,
                              std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        CAPTURE(power);
        Instruction i = make(Op::Pow, Type::F32, File::O, 0, {reg(File::V, 0), immediate});
        i.immediate = std::bit_cast<uint32_t>(power);
        checkOperation(i, 40, 7);
    }
}

TEST_CASE("reciprocals that stand for a division give its quotients, of all mantissas") {
    int held = 0;
    for (const float divisor :
         {3.0f, 7.0f, 289.0f, 288.0f, 255.0f,     1.75f,      65535.0f,   -6.0f,      1000000.0f,    0.1f,
          0.3f, 0.7f, 2.2f,   1.78f,  6.2831853f, 3.1415927f, 1.0f / 255, 43758.547f, 0x1.fffffep0f, 0x1.000002p0f}) {
        CAPTURE(divisor);
        const std::optional<jit::Reciprocal> r = jit::reciprocalOf(divisor);
        // All that are short hold.
        const bool isShort = (std::bit_cast<uint32_t>(divisor) & 7) == 0;
        if (isShort) REQUIRE(r.has_value());
        if (!r) continue;
        ++held;
        const auto quotient = [&](float x) { return std::fma(x, r->high, x * r->low); };
        int wrong = 0;
        for (uint32_t mantissa = 0; mantissa <= 0x7fffff; ++mantissa) {
            const float x = std::bit_cast<float>(0x3f800000 | mantissa);
            wrong += quotient(x) != x / divisor;
        }
        CHECK(wrong == 0);
        // Any exponent: what is as large as was promised is right, less has its sign, and is zero where the quotient
        // is.
        std::mt19937 random(1);
        for (int n = 0; n < 200000; ++n) {
            const auto x = std::bit_cast<float>(n < 100000 ? static_cast<uint32_t>(random())
                                                           : (static_cast<uint32_t>(n) - 100000) |
                                                                 static_cast<uint32_t>(n % 2) << 31);
            const float got = quotient(x), exact = x / divisor;
            wrong += std::isnan(got) != std::isnan(exact);
            if (std::isnan(exact)) continue;
            const bool isSmall = exact != 0 && std::fabs(exact) < 0x1p-100f;
            wrong += isSmall ? std::fabs(got) >= 0x1p-99f : got != exact;
            wrong += std::signbit(got) != std::signbit(exact) || (got == 0) != (exact == 0);
        }
        for (const float x : {0.0f, std::numeric_limits<float>::infinity()}) {
            wrong += std::bit_cast<uint32_t>(quotient(x)) != std::bit_cast<uint32_t>(x / divisor);
            wrong += std::bit_cast<uint32_t>(quotient(-x)) != std::bit_cast<uint32_t>(-x / divisor);
        }
        CHECK(wrong == 0);
    }
    CHECK(held >= 13);
    for (const float divisor : {0.0f, 1.0f, 4.0f, 0x1p-21f, 0x1.8p20f, std::numeric_limits<float>::infinity(), NAN})
        CHECK_FALSE(jit::reciprocalOf(divisor).has_value());
}

TEST_CASE("divisions by constants: no host divides where integers are divided, or made of quotients") {
    isa::Source divisor;
    divisor.file = File::I;
    const isa::Source x = reg(File::V, 0), r0 = reg(File::R, 0), o = reg(File::R, 1);
    const auto one = [](Op op, int to, const isa::Source& from, Type type = Type::F32) {
        return make(op, type, File::R, to, {from});
    };
    for (const float by : {289.0f, -3.0f, 0.1f, 6.2831853f}) {
        CAPTURE(by);
        const bool hasReciprocal = jit::reciprocalOf(by).has_value();
        const auto quotient = [&](const isa::Source& dividend, File file, int to) {
            Instruction i = make(Op::Div, Type::F32, file, to, {dividend, divisor});
            i.immediate = std::bit_cast<uint32_t>(by);
            return i;
        };
        Instruction moved = make(Op::Add, Type::F32, File::O, 0, {r0, divisor}),
                    scaled = make(Op::Mul, Type::F32, File::O, 0, {r0, divisor});
        moved.immediate = scaled.immediate = std::bit_cast<uint32_t>(0.5f);
        isa::Source negated = r0;
        negated.negate = true;
        const struct {
            std::vector<Instruction> code;
            bool isProduct;
        } cases[] = {
            {{quotient(x, File::R, 0), make(Op::Flr, Type::F32, File::O, 0, {r0})}, true},
            {{quotient(x, File::R, 0), make(Op::Flr, Type::F32, File::O, 0, {negated})}, true},
            {{quotient(x, File::R, 0), make(Op::F2i, Type::I32, File::O, 0, {r0})}, true},
            {{quotient(x, File::R, 0), moved}, true},
            {{one(Op::Flr, 1, x), quotient(o, File::O, 0)}, true},
            {{one(Op::I2f, 1, x, Type::I32), make(Op::Mad, Type::F32, File::R, 1, {o, o, o}), quotient(o, File::O, 0)},
             true},
            {{quotient(x, File::O, 0)}, false},
            {{quotient(x, File::R, 0), scaled}, false},
            {{quotient(x, File::R, 0), make(Op::Frc, Type::F32, File::O, 0, {r0})}, false},
        };
        for (const auto& [code, isProduct] : cases) {
            checkCode(code, 60, 3);
            std::vector<Instruction> whole = code;
            whole.push_back(control(Op::Ret));
            const auto program = withUniforms(makeProgram(whole), 1);
            for (const SimdLevel level : simdLevels()) {
                const bool divides =
                    jit::describeMachineCode(*program, level, nullptr).find("div") != std::string::npos;
                CHECK(divides == !(isProduct && hasReciprocal && jit::hostLevel(level).hasFma));
            }
        }
    }
}

#if defined(__x86_64__)
TEST_CASE("long code that keeps vectors on the stack has a frame that is aligned as they are, short code has none") {
    constexpr int kLive = 48;
    const isa::Source x = reg(File::V, 0);
    std::vector<Instruction> code;
    for (int r = 0; r < kLive; ++r) code.push_back(make(Op::Mad, Type::F32, File::R, r, {x, reg(File::C, r % 4), x}));
    for (int r = 0; r < 3 * kLive; ++r) {
        const auto at = [&](int k) { return reg(File::R, (r + k) % kLive); };
        code.push_back(make(Op::Mad, Type::F32, File::R, r % kLive, {at(0), at(7), at(11)}));
    }
    for (int r = 1; r < kLive; ++r)
        code.push_back(make(Op::Add, Type::F32, File::R, 0, {reg(File::R, 0), reg(File::R, r)}));
    code.push_back(make(Op::Mov, Type::F32, File::O, 0, {reg(File::R, 0)}));
    checkCode(code, 4, 5);
    code.push_back(control(Op::Ret));
    const auto large = withUniforms(makeProgram(code), 4),
               small =
                   withUniforms(makeProgram({make(Op::Mul, Type::F32, File::O, 0, inputs(2)), control(Op::Ret)}), 4);
    for (const SimdLevel level : simdLevels()) {
        const unsigned bytes = jit::hostLevel(level).registerBits / 8;
        const std::string aligns = "andq\t$-" + std::to_string(bytes) + ", %rsp";
        const auto holds = [&](const isa::Program& program, const std::string& text) {
            return jit::describeMachineCode(program, level, nullptr).find(text) != std::string::npos;
        };
        CHECK(holds(*large, aligns) == (bytes > 16));
        CHECK_FALSE(holds(*small, aligns));
    }
}
#endif

namespace {

/// Straight code on `live` registers of four components, `rounds` times each, with what a quad's lanes have of each
/// other, guards and functions: products and sums of registers that are `near` and `far` behind.
std::vector<Instruction> longCode(int live, int rounds, int near, int far, bool derives) {
    const isa::Source x = reg(File::V, 0), y = reg(File::V, 1);
    std::vector<Instruction> code = {make(Op::Slt, Type::F32, File::P, 1, {x, y}, 1)};
    for (int r = 0; r < live; ++r) code.push_back(make(Op::Mul, Type::F32, File::R, r, {x, reg(File::C, r % 4)}));
    for (int n = 0; n < rounds * live; ++n) {
        const auto at = [&](int k) { return reg(File::R, (n + k) % live); };
        code.push_back(make(Op::Mul, Type::F32, File::R, live, {at(0), at(near)}));
        code.push_back(make(Op::Add, Type::F32, File::R, n % live, {reg(File::R, live), at(far)}));
        if (n % 5 == 0) code.back().guard = 1, code.back().dst.writeMask = 3;  // too little to jump over
        if (derives && n % 50 == 0)
            code.push_back(make(n % 100 == 0 ? Op::Ddx : Op::Ddy, Type::F32, File::R, n % live, {at(near)}));
    }
    for (int r = 1; r < live; ++r)
        code.push_back(make(Op::Xor, Type::I32, File::R, 0, {reg(File::R, 0), reg(File::R, r)}));
    code.push_back(make(Op::Mov, Type::I32, File::O, 0, {reg(File::R, 0)}));
    return code;
}

/// How many lanes the arithmetic of a program's code has.
unsigned lanesOfCode(const isa::Program& program, SimdLevel level) {
    const std::string text = jit::describe(program, level);
    for (const unsigned lanes : {4u, 8u, 16u})
        if (text.find("fmul <" + std::to_string(lanes) + " x float>") != std::string::npos) return lanes;
    return 0;
}

}  // namespace

TEST_CASE("long straight code runs on parts of a block's lanes where sixteen are several registers") {
    const auto programOf = [](std::vector<Instruction> code, isa::Stage stage = isa::Stage::Fragment) {
        code.push_back(control(Op::Ret));
        return withUniforms(makeProgram(code, stage), 4);
    };
    const auto expect = [&](const std::vector<Instruction>& code, unsigned least, SimdLevel level,
                            isa::Stage stage = isa::Stage::Fragment) {
        CAPTURE(simdLevelName(level));
        const unsigned ofRegister = jit::hostLevel(level).registerBits / 32;
        CHECK(lanesOfCode(*programOf(code, stage), level) == std::max(least, ofRegister));
    };
    const auto wide = longCode(24, 12, 11, 7, false), deriving = longCode(24, 12, 11, 7, true);
    const auto levels = simdLevels();
    for (const SimdLevel level : levels) {
        expect(wide, 4, level);
        expect(wide, 4, level, isa::Stage::Vertex);
        expect(deriving, 8, level);  // quads lie in two rows
        expect(longCode(24, 2, 11, 7, false), 16, level);
        // One chain: the lanes of a block are the only company that its instructions have.
        expect(longCode(1, 900, 0, 0, false), 16, level);
    }
    checkCode(wide, 2, 1, levels.first(1));
    checkCode(deriving, 2, 2, levels.first(std::min<size_t>(2, levels.size())));
}

TEST_CASE("an endless loop ends with the budget, outputs initialised") {
    for (const Instruction& jump : {control(Op::Cont, 4, 1), control(Op::Brk, 4, 1, true)}) {
        // p1 = v0.x != 0 or, without the guard, the same for all lanes.
        for (const bool uniform : {false, true}) {
            const Instruction predicate =
                make(Op::Mov, Type::F32, File::P, 1, {reg(uniform ? File::C : File::V, 0)}, 1);
            const auto program =
                withUniforms(makeProgram({predicate, make(Op::Mov, Type::F32, File::O, 0, {reg(File::V, 0)}),
                                          control(Op::Loop, 4), jump, control(Op::Endloop, 2), control(Op::Ret)}),
                             1);
            REQUIRE(isa::verify(*program) == "");
            for (const SimdLevel level : simdLevels()) {
                const auto routine = jit::makeJit(level)->prepare(program);
                REQUIRE(routine != nullptr);
                TestGroup group;
                for (float& x : group.inputs[0].lane[0]) x = 1;
                group.constants[0][0] = 1;
                group.run.budget = 1000;
                routine->run(group.run);
                CHECK(group.run.budgetExceeded);
                CHECK(group.run.instructions == 1000);
                for (int lane = 0; lane < 32; ++lane) CHECK(group.bits(0, 0, lane) == 0);
            }
        }
    }
}

/// Each routine calls the next one `calls` times: calls^levels additions of v0 to r0, which is the result.
std::shared_ptr<isa::Program> calledOften(int levels, int calls) {
    std::vector<Instruction> code;
    for (int level = 0; level < levels; ++level) {
        const int next = calls + 2 + level * (calls + 1);
        for (int call = 0; call < calls; ++call) code.push_back(control(Op::Call, next));
        if (level == 0) code.push_back(make(Op::Mov, Type::F32, File::O, 0, {reg(File::R, 0)}));
        code.push_back(control(Op::Ret));
    }
    code.push_back(make(Op::Add, Type::F32, File::R, 0, {reg(File::R, 0), reg(File::V, 0)}));
    code.push_back(control(Op::Ret));
    const auto program = makeProgram(code);
    REQUIRE(isa::verify(*program) == "");
    return program;
}

TEST_CASE("programs that blow up when inlined are refused, and code that needs no inlining stops at the budget") {
    const auto program = calledOften(10, 4);
    CHECK(jit::makeJit(kLeastSimdLevel)->prepare(program) == nullptr);
    for (const SimdLevel level : simdLevels()) {
        const auto expected = interp::makeInterpreter(level)->prepare(program);
        for (const auto& actual : baselineOf(level, program).all) {
            TestGroup group;
            group.run.budget = 1000;
            compare(*expected, *actual, group);
            CHECK(group.run.budgetExceeded);
        }
    }
}

TEST_CASE("a routine that is called often is code once") {
    const auto program = calledOften(3, 30);  // 27,000 calls
    TestGroup group;
    for (int lane = 0; lane < 32; ++lane) group.inputs[0].lane[0][lane] = static_cast<float>(lane % 7);
    for (const SimdLevel level : simdLevels()) {
        const auto expected = interp::makeInterpreter(level)->prepare(program);
        const auto routines = baselineOf(level, program);
        CHECK(routines.all.size() == size_t{jit::kHasBaseline});
        for (const auto& actual : routines.all) compare(*expected, *actual, group);
    }
}
