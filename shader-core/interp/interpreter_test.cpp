// What surrounds the arithmetic: masks, helpers, discard, quads, budgets, addressing, textures, observation.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "shader-core/interp/testing/group.h"

using namespace tessera;
using namespace tessera::interp;
using isa::File;
using isa::Instruction;
using isa::Op;
using isa::Type;

namespace {

std::shared_ptr<const isa::Routine> prepare(const std::vector<Instruction>& code,
                                            isa::Stage stage = isa::Stage::Fragment, int temps = 0, int constants = 0) {
    const auto program = makeProgram(code, stage, temps, constants);
    REQUIRE(isa::verify(*program) == "");
    return makeInterpreter()->prepare(program);
}

Instruction withImmediate(Instruction i, uint32_t bits) {
    i.immediate = bits;
    return i;
}

Instruction guardedBy(Instruction i, int predicate, bool negate = false) {
    i.guard = static_cast<uint8_t>(predicate);
    i.guardNegate = negate;
    return i;
}

isa::Source relative(File file, int index) {
    isa::Source s = reg(file, index);
    s.relative = true;
    return s;
}

/// p1 = v0.x != 0
Instruction predicateFromInput() { return make(Op::Mov, Type::F32, File::P, 1, {reg(File::V, 0)}, 1); }

/// Answers each lookup with unit, first coordinate and level; notes what it was asked.
class RecordingTextures : public isa::TextureUnits {
public:
    struct Call {
        int unit;
        isa::TextureRequest request;
        float s[32], t[32], r[32], q[32], lod[32], ddx[32], ddy[32];
    };
    mutable std::vector<Call> calls;

    void sample(int unit, const isa::TextureRequest& q, isa::GroupRegister& result) const override {
        Call call{unit, q, {}, {}, {}, {}, {}, {}, {}};
        std::copy_n(q.coord[0], 32, call.s);
        std::copy_n(q.coord[1], 32, call.t);
        std::copy_n(q.coord[2], 32, call.r);
        if (isa::coordinateCount(q.target) == 4) std::copy_n(q.coord[3], 32, call.q);
        if (q.lod != nullptr) std::copy_n(q.lod, 32, call.lod);
        if (q.ddx[0] != nullptr) std::copy_n(q.ddx[1], 32, call.ddx);
        if (q.ddy[0] != nullptr) std::copy_n(q.ddy[2], 32, call.ddy);
        calls.push_back(call);
        for (int lane = 0; lane < 32; ++lane) {
            if (!(q.mask >> lane & 1)) continue;
            result.lane[0][lane] = static_cast<float>(unit);
            result.lane[1][lane] = q.coord[0][lane];
            result.lane[2][lane] = q.coord[1][lane];
            result.lane[3][lane] = 1;
        }
    }
};

struct CountingObserver : Observer {
    std::vector<Step> steps;
    size_t stopAfter = SIZE_MAX;
    bool before(const Step& step) override {
        steps.push_back(step);
        return steps.size() <= stopAfter;
    }
};

}  // namespace

TEST_CASE("outputs that no active lane writes read zero") {
    const auto routine = prepare({predicateFromInput(), control(Op::If, 3, 1),
                                  make(Op::Mov, Type::F32, File::O, 0, {reg(File::V, 1)}, 0x5), control(Op::Endif),
                                  make(Op::Mov, Type::F32, File::O, 1, {reg(File::V, 1)}), control(Op::Ret)});
    TestGroup group;
    group.run.activeMask = 0x0f0f0f0f;
    for (int lane = 0; lane < 32; ++lane) {
        group.inputs[0].lane[0][lane] = lane % 2 ? 1.0f : 0.0f;
        for (int c = 0; c < 4; ++c) group.inputs[1].lane[c][lane] = 100.0f + static_cast<float>(lane);
    }
    routine->run(group.run);
    for (int lane = 0; lane < 32; ++lane) {
        const bool active = group.run.activeMask >> lane & 1;
        for (int c = 0; c < 4; ++c) {
            const float value = 100.0f + static_cast<float>(lane);
            CHECK(group.outputs[0].lane[c][lane] == (active && lane % 2 && c % 2 == 0 ? value : 0.0f));
            CHECK(group.outputs[1].lane[c][lane] == (active ? value : 0.0f));
        }
    }
}

// Derivatives see lanes that were not launched: what their registers hold, which is zero but for the inputs.
TEST_CASE("lanes that are not launched keep their registers") {
    isa::Source relative = reg(File::V, 0);
    relative.relative = true;
    const auto routine = prepare({withImmediate(make(Op::Mov, Type::I32, File::A, 0, {reg(File::I, 0)}), 1),
                                  make(Op::Add, Type::F32, File::R, 0, {reg(File::V, 0), reg(File::V, 0)}),
                                  make(Op::Tex, Type::F32, File::R, 2, {reg(File::V, 1)}),
                                  make(Op::Mov, Type::F32, File::R, 1, {relative}),
                                  make(Op::Ddx, Type::F32, File::O, 0, {reg(File::R, 0)}),
                                  make(Op::Ddx, Type::F32, File::O, 1, {reg(File::R, 1)}),
                                  make(Op::Ddx, Type::F32, File::O, 2, {reg(File::R, 2)}),
                                  make(Op::Ddx, Type::F32, File::O, 3, {relative}), control(Op::Ret)});
    TestGroup group;
    group.run.activeMask = 0xAAAAAAAA;
    for (int lane = 0; lane < 32; ++lane)
        for (int c = 0; c < 4; ++c) {
            group.inputs[0].lane[c][lane] = static_cast<float>(lane + 3);
            group.inputs[1].lane[c][lane] = static_cast<float>(100 * lane + 7);
        }
    routine->run(group.run);
    for (int lane = 1; lane < 32; lane += 2) {
        CHECK(group.outputs[0].lane[0][lane] == 2 * static_cast<float>(lane + 3));
        CHECK(group.outputs[1].lane[0][lane] == static_cast<float>(100 * lane + 7));
        CHECK(group.outputs[2].lane[3][lane] == 1);  // alpha of no texture
        CHECK(group.outputs[3].lane[0][lane] == static_cast<float>(100 * lane + 7 - (lane - 1 + 3)));
    }
}

TEST_CASE("temporaries and predicates start at zero whatever ran before") {
    const auto dirty = prepare({withImmediate(make(Op::Mov, Type::U32, File::R, 0, {reg(File::I, 0)}), 0x12345678),
                                withImmediate(make(Op::Mov, Type::U32, File::R, 1, {reg(File::I, 0)}), 0x12345678),
                                make(Op::Mov, Type::U32, File::O, 0, {reg(File::R, 0)}), control(Op::Ret)},
                               isa::Stage::Fragment, 8);
    // r0 is written on one side of an if only, r1 only under a guard, r2.x only inside a loop that may be left before.
    const auto reader =
        prepare({predicateFromInput(), control(Op::If, 3, 1), make(Op::Mov, Type::F32, File::R, 0, {reg(File::V, 1)}),
                 control(Op::Endif), guardedBy(make(Op::Mov, Type::F32, File::R, 1, {reg(File::V, 1)}), 1),
                 control(Op::Loop, 8), control(Op::Brk, 8), make(Op::Mov, Type::F32, File::R, 2, {reg(File::V, 1)}, 1),
                 control(Op::Endloop, 5), make(Op::Mov, Type::F32, File::O, 0, {reg(File::R, 0)}),
                 make(Op::Mov, Type::F32, File::O, 1, {reg(File::R, 1)}),
                 make(Op::Mov, Type::F32, File::O, 2, {reg(File::R, 2)}),
                 make(Op::Mov, Type::F32, File::O, 3, {reg(File::P, 2)}), control(Op::Ret)},
                isa::Stage::Fragment, 8);
    TestGroup first, second;
    dirty->run(first.run);
    CHECK(first.bits(0, 0, 5) == 0x12345678);
    for (int lane = 0; lane < 32; ++lane) {
        second.inputs[0].lane[0][lane] = lane < 16 ? 1.0f : 0.0f;
        for (int c = 0; c < 4; ++c) second.inputs[1].lane[c][lane] = 7;
    }
    reader->run(second.run);
    for (int lane = 0; lane < 32; ++lane) {
        for (int c = 0; c < 4; ++c) {
            CHECK(second.outputs[0].lane[c][lane] == (lane < 16 ? 7.0f : 0.0f));
            CHECK(second.outputs[1].lane[c][lane] == (lane < 16 ? 7.0f : 0.0f));
            CHECK(second.outputs[2].lane[c][lane] == 0.0f);
            CHECK(second.outputs[3].lane[c][lane] == 0.0f);
        }
    }
}

TEST_CASE("derivatives are differences inside the quad") {
    const auto routine = prepare({make(Op::Ddx, Type::F32, File::O, 0, {reg(File::V, 0)}),
                                  make(Op::Ddy, Type::F32, File::O, 1, {reg(File::V, 0)}), control(Op::Ret)});
    TestGroup group;
    for (int c = 0; c < 4; ++c)
        for (int lane = 0; lane < 32; ++lane)
            group.inputs[0].lane[c][lane] = static_cast<float>((lane * 37 + c * 11) % 101);
    routine->run(group.run);
    for (int c = 0; c < 4; ++c) {
        for (int lane = 0; lane < 32; ++lane) {
            const float* v = group.inputs[0].lane[c];
            CHECK(group.outputs[0].lane[c][lane] == v[lane | 1] - v[lane & ~1]);
            CHECK(group.outputs[1].lane[c][lane] == v[lane | 4] - v[lane & ~4]);
        }
    }
}

TEST_CASE("discarded lanes go on as helpers and are reported") {
    // p1 = v0.x; kil p1; r0 = v1 * 2; o0 = ddx r0; a discarded lane's r0 must still be computed.
    const auto routine = prepare({predicateFromInput(), control(Op::Kil, 0, 1),
                                  make(Op::Add, Type::F32, File::R, 0, {reg(File::V, 1), reg(File::V, 1)}),
                                  make(Op::Ddx, Type::F32, File::O, 0, {reg(File::R, 0)}), control(Op::Ret)});
    TestGroup group;
    for (int lane = 0; lane < 32; ++lane) {
        group.inputs[0].lane[0][lane] = lane % 4 == 1 ? 1.0f : 0.0f;
        for (int c = 0; c < 4; ++c) group.inputs[1].lane[c][lane] = static_cast<float>(lane * lane);
    }
    routine->run(group.run);
    CHECK(group.run.killMask == 0x22222222u);
    for (int lane = 0; lane < 32; lane += 2)
        CHECK(group.outputs[0].lane[0][lane] == static_cast<float>(2 * ((lane + 1) * (lane + 1) - lane * lane)));
}

TEST_CASE("a group whose wanted lanes are all discarded ends at once") {
    const auto routine = prepare({control(Op::Kil), control(Op::Loop, 2), control(Op::Endloop, 1), control(Op::Ret)});
    TestGroup group;
    group.run.helperMask = 0xff00;
    routine->run(group.run);  // the endless loop behind the kil is never reached
    CHECK((group.run.killMask | group.run.helperMask) == ~0u);
    CHECK(group.run.instructions == 1);
    CHECK_FALSE(group.run.budgetExceeded);
}

TEST_CASE("a block whose lanes are all discarded is charged for nothing more") {
    // docs/isa.md, budget: what its lanes do as helpers beside another block's is nobody's.
    std::vector<Instruction> code = {predicateFromInput(), control(Op::Kil, 0, 1), control(Op::If, 23, 1)};
    while (code.size() < 23) code.push_back(make(Op::Add, Type::F32, File::R, 0, {reg(File::R, 0), reg(File::V, 0)}));
    code.insert(code.end(), {control(Op::Endif), control(Op::Ret)});
    const auto routine = prepare(code);
    for (const int discarded : {0, 1, 2}) {  // neither block's: lanes 2 and 18
        TestGroup group;
        for (int lane = 0; lane < 32; ++lane)
            group.inputs[0].lane[0][lane] = (discarded == 2 ? lane % 16 == 2 : lane / 16 == discarded) ? 1.0f : 0.0f;
        group.run.budget = 10;
        routine->run(group.run);
        CHECK(group.run.budgetExceeded == (discarded == 2));
    }
}

TEST_CASE("an endless loop ends with the budget, outputs initialised") {
    const auto routine =
        prepare({make(Op::Mov, Type::F32, File::O, 0, {reg(File::V, 0)}), control(Op::Loop, 3),
                 make(Op::Add, Type::F32, File::R, 0, {reg(File::R, 0), reg(File::V, 0)}), control(Op::Endloop, 1),
                 make(Op::Mov, Type::F32, File::O, 1, {reg(File::R, 0)}), control(Op::Ret)});
    TestGroup group;
    group.run.budget = 1000;
    routine->run(group.run);
    CHECK(group.run.budgetExceeded);
    CHECK(group.run.instructions == 1000);
    for (int lane = 0; lane < 32; ++lane)
        for (int c = 0; c < 4; ++c) CHECK(group.bits(1, c, lane) == 0);
}

TEST_CASE("a group without lanes does nothing but initialise") {
    const auto routine = prepare({make(Op::Mov, Type::F32, File::O, 0, {reg(File::V, 0)}), control(Op::Ret)});
    TestGroup group;
    group.run.activeMask = 0;
    routine->run(group.run);
    CHECK(group.run.instructions == 0);
    CHECK(group.bits(0, 0, 0) == 0);
}

TEST_CASE("relative addressing per lane; out of range reads zero and writes nothing") {
    // a0.x = v0.x (integer); o0 = r[a0.x + 1]; o1 = c[a0.x]; r[a0.x] = v1; o2 = r0; o3 = r3
    const auto routine = prepare({make(Op::Mov, Type::I32, File::A, 0, {reg(File::V, 0)}, 1),
                                  withImmediate(make(Op::Mov, Type::U32, File::R, 0, {reg(File::I, 0)}), 100),
                                  withImmediate(make(Op::Mov, Type::U32, File::R, 1, {reg(File::I, 0)}), 101),
                                  withImmediate(make(Op::Mov, Type::U32, File::R, 2, {reg(File::I, 0)}), 102),
                                  withImmediate(make(Op::Mov, Type::U32, File::R, 3, {reg(File::I, 0)}), 103),
                                  make(Op::Mov, Type::U32, File::O, 0, {relative(File::R, 1)}),
                                  make(Op::Mov, Type::U32, File::O, 1, {relative(File::C, 0)}),
                                  [] {
                                      Instruction i = make(Op::Mov, Type::U32, File::R, 0, {reg(File::V, 1)});
                                      i.dst.relative = true;
                                      return i;
                                  }(),
                                  make(Op::Mov, Type::U32, File::O, 2, {reg(File::R, 0)}),
                                  make(Op::Mov, Type::U32, File::O, 3, {reg(File::R, 3)}), control(Op::Ret)},
                                 isa::Stage::Fragment, 4, 3);
    for (const bool uniform : {false, true}) {
        const int32_t offsets[] = {0, 1, 2, 3, 4, -1, -2, INT32_MAX, INT32_MIN, 1000000, -512};
        for (size_t first = 0; first < std::size(offsets); ++first) {
            TestGroup group;
            const auto offset = [&](int lane) {
                return offsets[uniform ? first : (first + static_cast<size_t>(lane)) % std::size(offsets)];
            };
            for (int lane = 0; lane < 32; ++lane) {
                TestGroup::set(group.inputs[0], 0, lane, static_cast<uint32_t>(offset(lane)));
                for (int c = 0; c < 4; ++c)
                    TestGroup::set(group.inputs[1], c, lane, 500u + static_cast<uint32_t>(lane));
            }
            for (uint32_t k = 0; k < 4; ++k) group.constants[k].fill(__builtin_bit_cast(float, 200 + k));
            routine->run(group.run);
            for (int lane = 0; lane < 32; ++lane) {
                const int64_t o = offset(lane);
                const bool inR = o + 1 >= 0 && o + 1 < 4, inC = o >= 0 && o < 3;
                CHECK(group.bits(0, 2, lane) == (inR ? 101 + o : 0));
                CHECK(group.bits(1, 1, lane) == (inC ? 200 + o : 0));
                CHECK(group.bits(2, 3, lane) == (o == 0 ? 500u + static_cast<uint32_t>(lane) : 100u));
                CHECK(group.bits(3, 0, lane) == (o == 3 ? 500u + static_cast<uint32_t>(lane) : 103u));
            }
        }
    }
}

TEST_CASE("predicates as sources, and written from floats and integers") {
    const auto routine = prepare({make(Op::Mov, Type::F32, File::P, 1, {reg(File::V, 0)}, 1),
                                  make(Op::Mov, Type::I32, File::P, 2, {reg(File::V, 0)}, 1),
                                  make(Op::Mov, Type::F32, File::O, 0, {reg(File::P, 1)}),
                                  make(Op::Mov, Type::I32, File::O, 1, {reg(File::P, 2)}), control(Op::Ret)});
    TestGroup group;
    group.inputs[0].lane[0][0] = 0.0f;
    group.inputs[0].lane[0][1] = -0.0f;  // zero as a float, not as an integer
    group.inputs[0].lane[0][2] = 2.5f;
    group.inputs[0].lane[0][3] = __builtin_nanf("");
    routine->run(group.run);
    const float wantFloat[] = {0, 0, 1, 1};
    const uint32_t wantInteger[] = {0, 1, 1, 1};
    for (int lane = 0; lane < 4; ++lane) {
        CHECK(group.outputs[0].lane[3][lane] == wantFloat[lane]);
        CHECK(group.bits(1, 2, lane) == wantInteger[lane]);
    }
}

TEST_CASE("texture requests carry what the instruction says") {
    Instruction tex = make(Op::Tex, Type::F32, File::O, 0, {reg(File::V, 0, isa::makeSwizzle(1, 0, 2, 3))});
    tex.textureUnit = 3;
    Instruction txb = make(Op::Txb, Type::F32, File::O, 1, {reg(File::V, 0), reg(File::V, 1)}, 0x6);
    txb.textureTarget = isa::TextureTarget::Cube;
    Instruction txl = make(Op::Txl, Type::F32, File::O, 2, {reg(File::V, 0), reg(File::C, 0)});
    txl.src[0].negate = true;
    Instruction txd = make(Op::Txd, Type::F32, File::O, 3, {reg(File::V, 0), reg(File::V, 1), reg(File::V, 2)});
    txd.textureTarget = isa::TextureTarget::ShadowCube;
    Instruction txf = make(Op::Txf, Type::I32, File::R, 0, {reg(File::V, 0), reg(File::V, 1)});
    txf.textureTarget = isa::TextureTarget::Array2D;
    txf.texelOffset = {-8, 7, 0};
    txf.src[0].negate = true;
    const Instruction txs = make(Op::Txs, Type::U32, File::R, 1, {reg(File::V, 1)});
    const auto routine = prepare({tex, txb, txl, txd, txf, txs, control(Op::Ret)}, isa::Stage::Fragment, 2, 1);
    TestGroup group;
    RecordingTextures textures;
    group.run.textures = &textures;
    group.run.activeMask = 0x00ff00ff;
    for (int v = 0; v < 3; ++v)
        for (int c = 0; c < 4; ++c)
            for (int lane = 0; lane < 32; ++lane)
                group.inputs[v].lane[c][lane] = static_cast<float>(v * 1000 + c * 100 + lane);
    group.constants[0] = {2.5f, 0, 0, 0};
    routine->run(group.run);
    REQUIRE(textures.calls.size() == 6);
    const auto& calls = textures.calls;
    CHECK(calls[0].unit == 3);
    CHECK(calls[0].request.mask == 0x00ff00ff);
    CHECK(calls[0].request.lodMode == isa::LodMode::Implicit);
    CHECK(calls[0].request.hasQuads);
    CHECK(calls[0].s[7] == 107.0f);
    CHECK(calls[0].t[7] == 7.0f);
    CHECK(calls[0].r[7] == 207.0f);
    CHECK(calls[1].request.target == isa::TextureTarget::Cube);
    CHECK(calls[1].request.lodMode == isa::LodMode::Bias);
    CHECK(calls[1].lod[5] == 1005.0f);
    CHECK(calls[2].request.lodMode == isa::LodMode::Explicit);
    CHECK(calls[2].s[4] == -4.0f);
    CHECK(calls[2].lod[31] == 2.5f);
    CHECK(calls[3].request.lodMode == isa::LodMode::Gradient);
    CHECK(calls[3].ddx[2] == 1102.0f);
    CHECK(calls[3].ddy[2] == 2202.0f);
    CHECK(calls[3].q[2] == 302.0f);
    CHECK(calls[3].request.type == Type::F32);
    CHECK(calls[3].request.offset == std::array<int8_t, 3>{});
    CHECK(calls[4].request.lodMode == isa::LodMode::Texel);
    CHECK(calls[4].request.target == isa::TextureTarget::Array2D);
    CHECK(calls[4].request.type == Type::I32);
    CHECK(calls[4].request.offset == std::array<int8_t, 3>{-8, 7, 0});
    CHECK(std::bit_cast<int32_t>(calls[4].r[3]) == -std::bit_cast<int32_t>(203.0f));  // an integer's negative
    CHECK(calls[4].lod[3] == 1003.0f);
    CHECK(calls[5].request.lodMode == isa::LodMode::Size);
    CHECK(calls[5].request.type == Type::U32);
    CHECK(calls[5].s[3] == 1003.0f);
    CHECK(group.outputs[0].lane[0][2] == 3.0f);
    CHECK(group.outputs[0].lane[1][2] == 102.0f);
    CHECK(group.outputs[1].lane[0][2] == 0.0f);  // outside the write mask
    CHECK(group.outputs[1].lane[1][2] == 2.0f);
    CHECK(group.outputs[0].lane[3][9] == 0.0f);  // outside the active mask
}

TEST_CASE("without texture units lookups give what incomplete textures give") {
    const Instruction floats = make(Op::Tex, Type::F32, File::R, 0, {reg(File::V, 0)});
    const Instruction integers = make(Op::Txf, Type::U32, File::R, 1, {reg(File::V, 0), reg(File::V, 0)});
    const Instruction size = make(Op::Txs, Type::I32, File::R, 2, {reg(File::V, 0)});
    std::vector<Instruction> code = {floats, integers, size};
    for (const int n : {0, 1, 2}) code.push_back(make(Op::Mov, Type::U32, File::O, n, {reg(File::R, n)}));
    code.push_back(control(Op::Ret));
    const auto routine = prepare(code, isa::Stage::Fragment, 3);
    TestGroup group;
    group.run.activeMask = ~0u;
    routine->run(group.run);
    for (const int c : {0, 1, 2, 3}) {
        CHECK(group.outputs[0].lane[c][5] == (c == 3 ? 1.0f : 0.0f));
        CHECK(group.bits(1, c, 5) == (c == 3 ? 1u : 0u));
        CHECK(group.bits(2, c, 5) == 0);
    }
}

TEST_CASE("lanes that name different texture units: each unit is asked once") {
    Instruction tex = make(Op::Tex, Type::F32, File::O, 0, {reg(File::V, 1)});
    tex.textureUnit = 2;
    tex.textureRelative = true;
    const auto routine = prepare({make(Op::Mov, Type::I32, File::A, 0, {reg(File::V, 0)}, 1), tex, control(Op::Ret)});
    TestGroup group;
    RecordingTextures textures;
    group.run.textures = &textures;
    const int32_t offsets[] = {0, 1, 5, 100, -100};
    const int units[] = {2, 3, 7, isa::kMaxTextureUnits - 1, 0};
    for (int lane = 0; lane < 32; ++lane)
        TestGroup::set(group.inputs[0], 0, lane, static_cast<uint32_t>(offsets[lane % 5]));
    routine->run(group.run);
    REQUIRE(textures.calls.size() == 5);
    uint32_t covered = 0;
    for (const auto& call : textures.calls) {
        CHECK((covered & call.request.mask) == 0);
        covered |= call.request.mask;
    }
    CHECK(covered == ~0u);
    for (int lane = 0; lane < 32; ++lane) CHECK(group.outputs[0].lane[0][lane] == static_cast<float>(units[lane % 5]));
    // An address that nobody writes is 0, whatever ran before.
    prepare({tex, control(Op::Ret)})->run(group.run);
    for (int lane = 0; lane < 32; ++lane) CHECK(group.outputs[0].lane[0][lane] == 2);
}

TEST_CASE("lookups without texture units are opaque black") {
    const auto routine = prepare({make(Op::Tex, Type::F32, File::O, 0, {reg(File::V, 0)}), control(Op::Ret)});
    TestGroup group;
    routine->run(group.run);
    CHECK(group.outputs[0].lane[0][0] == 0.0f);
    CHECK(group.outputs[0].lane[3][31] == 1.0f);
}

TEST_CASE("a derivative in divergent code sees what the other lanes last had") {
    // Lanes with v0.x write r0 inside the if; the other lane of the pair still has its start value, zero.
    const auto routine =
        prepare({predicateFromInput(), control(Op::If, 4, 1), make(Op::Mov, Type::F32, File::R, 0, {reg(File::V, 1)}),
                 make(Op::Ddx, Type::F32, File::O, 0, {reg(File::R, 0)}), control(Op::Endif), control(Op::Ret)});
    TestGroup group;
    for (int lane = 0; lane < 32; ++lane) {
        group.inputs[0].lane[0][lane] = lane % 2 ? 1.0f : 0.0f;
        group.inputs[1].lane[0][lane] = static_cast<float>(lane);
    }
    routine->run(group.run);
    for (int lane = 1; lane < 32; lane += 2) CHECK(group.outputs[0].lane[0][lane] == static_cast<float>(lane));
}

TEST_CASE("an observer sees each instruction, may change registers, and may stop the group") {
    const std::vector<Instruction> code = {predicateFromInput(),
                                           control(Op::If, 4, 1),
                                           make(Op::Mov, Type::F32, File::R, 0, {reg(File::V, 1)}),
                                           make(Op::Add, Type::F32, File::R, 0, {reg(File::R, 0), reg(File::R, 0)}),
                                           control(Op::Endif),
                                           make(Op::Mov, Type::F32, File::O, 0, {reg(File::R, 0)}),
                                           control(Op::Ret)};
    const auto routine = prepare(code);
    TestGroup group;
    for (int lane = 0; lane < 32; ++lane) {
        group.inputs[0].lane[0][lane] = lane < 8 ? 1.0f : 0.0f;
        group.inputs[1].lane[0][lane] = 3;
    }
    CountingObserver counting;
    runObserved(*routine, group.run, counting);
    REQUIRE(counting.steps.size() == code.size());
    CHECK(group.run.instructions == code.size());
    for (size_t k = 0; k < code.size(); ++k) CHECK(counting.steps[k].pc == k);
    CHECK(counting.steps[1].guardedMask == 0xffu);
    CHECK(counting.steps[3].execMask == 0xffu);
    CHECK(counting.steps[3].stackDepth == 1);
    CHECK(counting.steps[5].execMask == ~0u);
    CHECK(group.outputs[0].lane[0][3] == 6.0f);

    struct Poke : Observer {
        bool before(const Step& step) override {
            if (step.pc == 5) step.temps[0].lane[0][20] = 42;
            return true;
        }
    } poke;
    runObserved(*routine, group.run, poke);
    CHECK(group.outputs[0].lane[0][20] == 42.0f);

    CountingObserver stopping;
    stopping.stopAfter = 3;
    runObserved(*routine, group.run, stopping);
    CHECK(group.run.budgetExceeded);
    CHECK(group.run.instructions == 3);
}
