// Every arithmetic instruction against plain scalar code, special values against special values, at every SIMD level.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "shader-core/interp/testing/group.h"
#include "shader-core/interp/testing/reference_thread.h"
#include "shader-core/interp/testing/special_values.h"

using namespace tessera;
using namespace tessera::interp;
using isa::File;
using isa::Op;
using isa::Type;

namespace {

struct Values {
    std::mt19937 random{11};
    uint32_t next() { return interp::specialOrRandom(random); }
    /// Numbers of moderate size, for operations whose interesting cases lie there.
    uint32_t moderate() { return reference::asBits((static_cast<int>(random() % 20001) - 10000) * 0x1p-7f); }
};

std::vector<isa::Source> inputs(int count) {
    std::vector<isa::Source> sources;
    for (int s = 0; s < count; ++s) sources.push_back(reg(File::V, s));
    return sources;
}

/// Fills v0..v2 so that the pairs of special values all occur over the first groups, then anything.
void fill(TestGroup& group, Values& values, size_t number) {
    const size_t n = interp::kSpecialBits.size();
    for (int c = 0; c < 4; ++c) {
        for (int lane = 0; lane < 32; ++lane) {
            const size_t pair = number * 128 + static_cast<size_t>(c) * 32 + static_cast<size_t>(lane);
            const bool special = pair < n * n;
            TestGroup::set(group.inputs[0], c, lane, special ? interp::kSpecialBits[pair / n] : values.next());
            TestGroup::set(group.inputs[1], c, lane, special ? interp::kSpecialBits[pair % n] : values.next());
            TestGroup::set(group.inputs[2], c, lane, values.next());
        }
    }
}

reference::Vec4 vec(const isa::GroupRegister& r, int lane) {
    reference::Vec4 v;
    for (int c = 0; c < 4; ++c) v[c] = reference::asBits(r.lane[c][lane]);
    return v;
}

void compare(const isa::Instruction& i, const TestGroup& group, SimdLevel level) {
    for (int lane = 0; lane < 32; ++lane) {
        reference::Thread thread;
        thread.inputMask = thread.outputMask = ~isa::RegisterMask();
        for (int v = 0; v < 3; ++v) thread.inputs[v] = vec(group.inputs[v], lane);
        thread.constants.resize(4);
        for (int k = 0; k < 4; ++k)
            for (int c = 0; c < 4; ++c) thread.constants[k][c] = reference::asBits(group.constants[k][c]);
        thread.compute(i);
        for (int c = 0; c < 4; ++c) {
            const uint32_t want = thread.outputs[0][c], got = group.bits(0, c, lane);
            if (got == want) continue;
            CAPTURE(isa::opInfo(i.op).mnemonic);
            CAPTURE(static_cast<int>(i.type));
            CAPTURE(simdLevelName(level));
            CAPTURE(c);
            CAPTURE(thread.inputs[0][c]);
            CAPTURE(thread.inputs[1][c]);
            CAPTURE(thread.inputs[2][c]);
            REQUIRE(got == want);
        }
    }
}

void check(const isa::Instruction& i, size_t groups) {
    const auto program = makeProgram({i, control(Op::Ret)}, isa::Stage::Fragment, 0, 4);
    REQUIRE(isa::verify(*program).empty());
    for (const SimdLevel level : simdLevels()) {
        const auto routine = makeInterpreter(level)->prepare(program);
        Values values;
        for (size_t number = 0; number < groups; ++number) {
            TestGroup group;
            fill(group, values, number);
            for (int k = 0; k < 4; ++k)
                for (int c = 0; c < 4; ++c) group.constants[k][c] = reference::asFloat(values.next());
            routine->run(group.run);
            compare(i, group, level);
        }
    }
}

bool isTranscendental(Op op) {
    const isa::Unit unit = isa::opInfo(op).unit;
    return unit == isa::Unit::Tfu || unit == isa::Unit::Light;
}
bool isPlain(Op op) {
    const isa::OpInfo& info = isa::opInfo(op);
    return info.unit == isa::Unit::Alu && info.set != isa::InstructionSet::Compute && op != Op::Ddx && op != Op::Ddy;
}

}  // namespace

TEST_CASE("every ALU instruction, every type, special values against special values") {
    for (int o = 0; o < isa::kOpCount; ++o) {
        const Op op = static_cast<Op>(o);
        if (!isPlain(op)) continue;
        for (const Type type : {Type::F32, Type::I32, Type::U32}) {
            if (!(isa::opInfo(op).types >> static_cast<int>(type) & 1)) continue;
            check(make(op, type, File::O, 0, inputs(isa::sourceCount(isa::opInfo(op).shape))), 20);
        }
    }
}

TEST_CASE("modifiers, swizzles, write masks, saturation, constants and immediates") {
    std::mt19937 random(5);
    for (int k = 0; k < 600; ++k) {
        const Op op = static_cast<Op>(random() % isa::kOpCount);
        const Type type = static_cast<Type>(random() % 3);
        const isa::OpInfo& info = isa::opInfo(op);
        if (!isPlain(op) || !(info.types >> static_cast<int>(type) & 1)) continue;
        const int count = isa::sourceCount(info.shape);
        isa::Instruction i = make(op, type, File::O, 0, inputs(count), static_cast<uint8_t>(random() % 15 + 1));
        for (int s = 0; s < count; ++s) {
            i.src[s].swizzle = static_cast<uint8_t>(random());
            i.src[s].negate = random() % 3 == 0;
            i.src[s].absolute = random() % 3 == 0;
            if (random() % 3 == 0) {
                i.src[s].file = File::C;
                i.src[s].index = static_cast<uint16_t>(random() % 4);
            }
        }
        if (count < 3 && random() % 4 == 0) {
            i.src[count - 1].file = File::I;
            i.src[count - 1].index = 0;
            i.src[count - 1].swizzle = isa::kSwizzleXYZW;
            i.immediate = interp::kSpecialBits[random() % interp::kSpecialBits.size()];
        }
        i.saturate = isa::resultType(op, type) == Type::F32 && random() % 3 == 0;
        check(i, 3);
    }
}

TEST_CASE("transcendental and lighting instructions agree with double precision") {
    struct Row {
        Op op;
        double (*exact)(double);
    };
    const Row rows[] = {{Op::Rcp, [](double x) { return 1 / x; }},
                        {Op::Rsq, [](double x) { return 1 / std::sqrt(std::fabs(x)); }},
                        {Op::Sqt, [](double x) { return std::sqrt(std::fabs(x)); }},
                        {Op::Ex2, [](double x) { return std::exp2(x); }},
                        {Op::Lg2, [](double x) { return std::log2(std::fabs(x)); }},
                        {Op::Sin, [](double x) { return std::sin(x); }},
                        {Op::Cos, [](double x) { return std::cos(x); }}};
    for (const SimdLevel level : simdLevels()) {
        for (const Row& row : rows) {
            isa::Instruction i = make(row.op, Type::F32, File::O, 0, {reg(File::V, 0)});
            const bool positive = row.op == Op::Rsq || row.op == Op::Sqt || row.op == Op::Lg2;
            i.src[0].absolute = positive;
            i.src[0].swizzle = isa::makeSwizzle(0, 0, 2, 1);
            const auto routine = makeInterpreter(level)->prepare(makeProgram({i, control(Op::Ret)}));
            Values values;
            TestGroup group;
            for (int c = 0; c < 4; ++c)
                for (int lane = 0; lane < 32; ++lane) TestGroup::set(group.inputs[0], c, lane, values.moderate());
            routine->run(group.run);
            for (int c = 0; c < 4; ++c) {
                for (int lane = 0; lane < 32; ++lane) {
                    const int from = c == 3 ? 1 : c == 1 ? 0 : c;
                    const double x = static_cast<double>(group.inputs[0].lane[from][lane]);
                    const double want = row.exact(x), got = static_cast<double>(group.outputs[0].lane[c][lane]);
                    CAPTURE(isa::opInfo(row.op).mnemonic);
                    CAPTURE(x);
                    if (std::fabs(want) > 3.5e38) {
                        CHECK(got == static_cast<double>(INFINITY) * (want < 0 ? -1 : 1));
                    } else {
                        CHECK(std::fabs(got - want) <=
                              std::max(std::fabs(want) * 0x1p-22, 0x1p-22 * (row.op >= Op::Sin)));
                    }
                }
            }
        }
    }
}

TEST_CASE("pow, lit and nrm") {
    for (const SimdLevel level : simdLevels()) {
        const auto routine = makeInterpreter(level)->prepare(
            makeProgram({make(Op::Pow, Type::F32, File::O, 0, {reg(File::V, 0), reg(File::V, 1, isa::broadcast(0))}),
                         make(Op::Lit, Type::F32, File::O, 1, {reg(File::V, 2)}),
                         make(Op::Nrm, Type::F32, File::O, 2, {reg(File::V, 2)}), control(Op::Ret)}));
        std::mt19937 random(3);
        TestGroup group;
        for (int lane = 0; lane < 32; ++lane) {
            for (int c = 0; c < 4; ++c) {
                group.inputs[0].lane[c][lane] = static_cast<float>(random() % 1000) * 0.01f;
                group.inputs[1].lane[c][lane] = static_cast<float>(random() % 1000) * 0.01f - 5.0f;
                group.inputs[2].lane[c][lane] = static_cast<float>(random() % 2000) * 0.005f - 5.0f;
            }
        }
        group.inputs[2].lane[0][0] = NAN;
        routine->run(group.run);
        for (int lane = 0; lane < 32; ++lane) {
            const auto v = [&](int r, int c) { return static_cast<double>(group.inputs[r].lane[c][lane]); };
            const auto o = [&](int r, int c) { return static_cast<double>(group.outputs[r].lane[c][lane]); };
            const auto near = [](double got, double want) {
                return got == want || std::fabs(got - want) <= std::fabs(want) * 0x1p-22;
            };
            // The error of a power grows with its logarithm (docs/isa.md).
            const auto nearPower = [](double got, double x, double y) {
                const double want = std::pow(x, y), log = std::fabs(y * std::log2(x));
                return got == want || std::fabs(got - want) <= std::fabs(want) * 0x1p-23 * (1 + 2.1 * log);
            };
            for (int c = 0; c < 4; ++c) CHECK(nearPower(o(0, c), v(0, c), v(1, 0)));
            const double x = v(2, 0), y = std::fmax(v(2, 1), 0);
            CHECK(o(1, 0) == 1.0);
            CHECK(o(1, 3) == 1.0);
            CHECK(o(1, 1) == std::fmax(x, 0));
            CHECK((x > 0 ? nearPower(o(1, 2), y, v(2, 3)) : o(1, 2) == 0.0));
            if (lane == 0) continue;
            const double length = std::sqrt(x * x + v(2, 1) * v(2, 1) + v(2, 2) * v(2, 2));
            for (int c = 0; c < 3; ++c) CHECK(near(o(2, c), v(2, c) / length));
            CHECK(near(o(2, 3), length));
        }
        CHECK(group.bits(2, 0, 0) == 0x7fc00000u);
    }
}

TEST_CASE("the SIMD levels agree to the bit on every instruction") {
    const auto levels = simdLevels();
    for (int o = 0; o < isa::kOpCount; ++o) {
        const Op op = static_cast<Op>(o);
        if (!isTranscendental(op) && !isPlain(op) && op != Op::Ddx && op != Op::Ddy) continue;
        for (const Type type : {Type::F32, Type::I32, Type::U32}) {
            if (!(isa::opInfo(op).types >> static_cast<int>(type) & 1)) continue;
            const auto program = makeProgram(
                {make(op, type, File::O, 0, inputs(isa::sourceCount(isa::opInfo(op).shape))), control(Op::Ret)});
            Values values;
            for (size_t number = 0; number < 60; ++number) {
                TestGroup first, other;
                fill(first, values, number);
                std::memcpy(other.inputs, first.inputs, sizeof first.inputs);
                makeInterpreter(levels[0])->prepare(program)->run(first.run);
                for (size_t l = 1; l < levels.size(); ++l) {
                    makeInterpreter(levels[l])->prepare(program)->run(other.run);
                    CAPTURE(isa::opInfo(op).mnemonic);
                    REQUIRE(std::memcmp(first.outputs, other.outputs, sizeof first.outputs[0]) == 0);
                }
            }
        }
    }
}
