// Texture lookups of compiled programs: who is asked, for how many at once, and what comes back, against the
// interpreter.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "shader-core/interp/interpreter.h"
#include "shader-core/interp/testing/group.h"
#include "shader-core/isa/block.h"
#include "shader-core/jit/codegen/linked_jit.h"
#include "shader-core/jit/host/host.h"

using namespace tessera;
using interp::control;
using interp::make;
using interp::makeProgram;
using interp::reg;
using interp::withUniforms;
using isa::File;
using isa::Instruction;
using isa::Op;
using isa::Type;

namespace {

constexpr uint32_t kAnyNumbers = isa::BlockLookup::bitOf(isa::TextureTarget::Tex2D);
constexpr uint32_t kPlane = kAnyNumbers | isa::BlockLookup::kUpToOne;

/// The unit of an array; others have planes.
constexpr int kLayered = 2;

/// Of a texture that knows its unit.
float texel(int unit, float s, float t, int channel) {
    return s * 0.25f + t * 0.125f + static_cast<float>(unit) * 0.5f + static_cast<float>(channel) * 0.0625f;
}

/// Answers lookups of all units with texel() in every way there is, and writes down in `asked` who was asked.
class Units : public isa::TextureUnits {
public:
    /// `targets`: what the units have functions for. `together`: whether for several lookups too.
    Units(uint32_t targets, bool together) {
        for (int i = 0; i < isa::kMaxTextureUnits; ++i) {
            textures_[i] = {this, i};
            lookups_[i] = {one,     together ? several : nullptr, texels, &textures_[i],
                           targets, together ? moved : nullptr};
        }
    }
    Units(const Units&) = delete;
    [[nodiscard]] const isa::BlockLookup* lookups() const { return lookups_.data(); }

    void sample(int unit, const isa::TextureRequest& request, isa::GroupRegister& result) const override {
        asked += "units ";
        wanted |= request.mask;
        for (int c = 0; c < 4; ++c)
            for (int lane = 0; lane < isa::kGroupSize; ++lane)
                if (request.mask >> lane & 1)
                    result.lane[c][lane] =
                        request.lodMode == isa::LodMode::Texel
                            ? fetched(unit, request, lane, c)
                            : texel(unit, request.coord[0][lane] + movedBy(request.offset), request.coord[1][lane], c);
    }
    mutable std::string asked;
    mutable uint32_t wanted = 0;  ///< lanes that sample() was asked for

private:
    struct Texture {
        Units* owner;
        int unit;
    };
    static void answer(const Texture& texture, const float* coordinates, float* result) {
        constexpr int kLanes = isa::LookupRows::kLanes;
        for (int c = 0; c < 4; ++c)
            for (int lane = 0; lane < kLanes; ++lane)
                result[c * kLanes + lane] = texel(texture.unit, coordinates[lane], coordinates[kLanes + lane], c);
    }
    static void one(const void* texture, uint32_t, const float* coordinates, float* result) {
        const auto& of = *static_cast<const Texture*>(texture);
        of.owner->asked += std::to_string(of.unit) + " ";
        answer(of, coordinates, result);
    }
    static void several(const void* texture, uint32_t, int32_t count, float* lookups, uint32_t channels) {
        const auto& of = *static_cast<const Texture*>(texture);
        of.owner->asked += std::to_string(of.unit) + "x" + std::to_string(count) + " ";
        auto* rows = reinterpret_cast<isa::LookupRows*>(lookups);
        for (int i = 0; i < count; ++i) {
            answer(of, rows[i].coordinate[0], rows[i].result[0]);
            spoilOthers(rows[i], channels);
        }
    }
    static float movedBy(std::array<int8_t, 3> offset) {
        return static_cast<float>(offset[0] + 16 * offset[1] + 256 * offset[2]);
    }
    static void moved(const void* texture, uint32_t, int32_t count, float* lookups, uint32_t channels) {
        const auto& of = *static_cast<const Texture*>(texture);
        of.owner->asked += std::to_string(of.unit) + "m" + std::to_string(count) + " ";
        for (auto* rows = reinterpret_cast<isa::LookupRows*>(lookups); count > 0; --count, ++rows) {
            const auto descriptor = std::bit_cast<uint32_t>(rows->coordinate[isa::LookupRows::kMove][0]);
            const float move = movedBy(isa::TextureDescriptor::unpack(descriptor).offset);
            for (float& s : rows->coordinate[0]) s += move;
            answer(of, rows->coordinate[0], rows->result[0]);
            spoilOthers(*rows, channels);
        }
    }
    static float fetched(int unit, std::array<int32_t, 4> at, int channel) {
        return static_cast<float>((((at[0] * 100 + at[1]) * 100 + at[2]) * 10 + at[3]) * 10 + unit * 4 + channel);
    }
    static float fetched(int unit, const isa::TextureRequest& request, int lane, int channel) {
        const auto integer = [lane](const float* row) { return std::bit_cast<int32_t>(row[lane]); };
        std::array<int32_t, 4> at = {};
        for (size_t i = 0; i < 2; ++i) at[i] = integer(request.coord[i]) + request.offset[i];
        if (request.target != isa::TextureTarget::Tex2D) at[2] = integer(request.coord[2]);
        at[3] = integer(request.lod);
        return fetched(unit, at, channel);
    }
    static void texels(const void* texture, uint32_t, int32_t count, float* lookups, uint32_t channels) {
        const auto& of = *static_cast<const Texture*>(texture);
        of.owner->asked += std::to_string(of.unit) + "f" + std::to_string(count) + " ";
        for (auto* rows = reinterpret_cast<isa::LookupRows*>(lookups); count > 0; --count, ++rows) {
            for (int lane = 0; lane < isa::LookupRows::kLanes; ++lane) {
                const auto integer = [&](int row) { return std::bit_cast<int32_t>(rows->coordinate[row][lane]); };
                const std::array<int32_t, 4> at = {integer(0), integer(1), of.unit == kLayered ? integer(2) : 0,
                                                   integer(isa::LookupRows::kLevel)};
                for (int c = 0; c < 4; ++c) rows->result[c][lane] = fetched(of.unit, at, c);
            }
            spoilOthers(*rows, channels);
        }
    }
    /// What nobody asked for is anything.
    static void spoilOthers(isa::LookupRows& rows, uint32_t channels) {
        for (int c = 0; c < 4; ++c)
            if ((channels >> c & 1) == 0) std::ranges::fill(rows.result[c], -1e9f);
    }
    Texture textures_[isa::kMaxTextureUnits];
    isa::BlockLookups lookups_;
};
/// What has no function is answered: infinite.
class InfiniteTextures : public isa::TextureUnits {
public:
    void sample(int, const isa::TextureRequest&, isa::GroupRegister& result) const override {
        for (auto& row : result.lane)
            for (float& lane : row) lane = INFINITY;
    }
};

/// Lane 5 of one block, whose inputs are 1 and, of v1, 2.
struct LookupResult {
    float o0[4], o1[4];
};
constexpr int kLane = 5;
void fillInputs(isa::GroupRegister (&inputs)[2]) {
    for (int i = 0; i < 2; ++i)
        for (auto& row : inputs[i].lane) std::ranges::fill(row, static_cast<float>(i + 1));
}
LookupResult resultOf(const isa::GroupRegister* outputs) {
    LookupResult result;
    for (int c = 0; c < 4; ++c) result.o0[c] = outputs[0].lane[c][kLane], result.o1[c] = outputs[1].lane[c][kLane];
    return result;
}
constexpr int kUniforms = 2;  ///< all zero

LookupResult runBlock(const isa::Routine& routine, const isa::TextureUnits& textures, const isa::BlockLookup* lookups) {
    const isa::BlockCode code = routine.blockCode();
    alignas(64) isa::GroupRegister inputs[2], outputs[2] = {}, specials[5] = {};
    fillInputs(inputs);
    isa::BlockRun run;
    run.inputs = inputs[0].lane[0], run.outputs = outputs[0].lane[0], run.specials = specials[0].lane[0];
    isa::DrawValues values;
    constexpr float kZeros[kUniforms][4] = {};
    run.constants = kZeros[0], run.values = &values;
    run.sample = code.sample, run.textures = &textures, run.lookups = lookups;
    run.budget = 1000, run.launch = 0xFFFF, run.hasQuads = 1;
    code.function(&run);
    return resultOf(outputs);
}
LookupResult interpreted(const std::shared_ptr<isa::Program>& program) {
    const Units units(0, false);
    interp::TestGroup group;
    alignas(64) isa::GroupRegister inputs[2];
    fillInputs(inputs);
    group.run.inputs = inputs, group.run.textures = &units, group.run.budget = 1000;
    interp::makeInterpreter(kLeastSimdLevel)->prepare(program)->run(group.run);
    return resultOf(group.outputs);
}

/// Compiled soon, and well.
std::vector<std::shared_ptr<const isa::Routine>> routinesOf(SimdLevel level,
                                                            const std::shared_ptr<isa::Program>& program) {
    const auto executor = jit::makeJit({.level = level, .baseline = jit::Baseline::Never});
    return {executor->prepareFirst(program), executor->prepare(program)};
}

Instruction lookUp(int to, isa::Source coordinates, int unit = 0) {
    Instruction i = make(Op::Tex, Type::F32, File::R, to, {coordinates});
    i.textureUnit = static_cast<uint8_t>(unit);
    return i;
}
Instruction lookUp(Op op, int to) {
    if (op == Op::Txb) return make(op, Type::F32, File::R, to, {reg(File::V, 0), reg(File::V, 1)});
    return lookUp(to, reg(File::V, 0));
}
Instruction movedLookUp(int to, isa::Source coordinates, std::array<int8_t, 3> offset) {
    Instruction i = lookUp(to, coordinates);
    i.texelOffset = offset;
    return i;
}
Instruction add(File file, int to, isa::Source a, isa::Source b) { return make(Op::Add, Type::F32, file, to, {a, b}); }

}  // namespace

TEST_CASE("lookups with a function of their own ask it, others the texture units") {
    for (const Op op : {Op::Tex, Op::Txb}) {
        const auto program = makeProgram({lookUp(op, 0), make(Op::Mov, Type::F32, File::O, 0, {reg(File::R, 0)}),
                                          make(Op::Mov, Type::F32, File::O, 1, {reg(File::R, 0)}), control(Op::Ret)});
        REQUIRE(isa::verify(*program) == "");
        for (const SimdLevel level : simdLevels())
            for (const auto& routine : routinesOf(level, program))
                for (const uint32_t targets : {0u, kPlane, ~kPlane}) {
                    const Units units(targets, true);
                    const LookupResult result = runBlock(*routine, units, units.lookups());
                    CHECK(units.asked == (op == Op::Tex && targets == kPlane ? "0 " : "units "));
                    CHECK(result.o0[1] == texel(0, 1, 1, 1));
                }
    }
}

TEST_CASE("lookups of a unit that do not need each other are asked for together") {
    const isa::Source v0 = reg(File::V, 0), v1 = reg(File::V, 1);
    const auto r = [](int index) { return reg(File::R, index); };
    const Instruction sum = add(File::O, 0, r(0), r(1)), other = add(File::O, 1, r(2), r(3));
    Instruction masked = lookUp(1, v1);
    masked.guard = 1;
    struct Case {
        const char* name;
        std::vector<Instruction> code;
        const char *asked, *apart;  ///< where there is a function for several, and where not
    };
    const Case cases[] = {
        {"two places", {lookUp(0, v0), lookUp(1, v1), sum}, "0x2 ", "0 0 "},
        {"computed behind the first",
         {lookUp(0, v0), add(File::R, 4, v0, v1), add(File::R, 4, r(4), v1), lookUp(1, r(4)), sum},
         "0x2 ",
         "0 0 "},
        {"computed behind the first, once in a draw",
         {lookUp(0, v0), add(File::R, 4, reg(File::C, 0), reg(File::C, 1)), add(File::R, 4, r(4), v1), lookUp(1, r(4)),
          sum},
         "0x2 ",
         "0 0 "},
        {"used in between",
         {lookUp(0, v0), add(File::R, 3, r(0), v0), lookUp(1, v1), add(File::R, 2, r(1), r(3)), lookUp(2, v0), sum,
          other},
         "0x3 ",
         "0 0 0 "},
        {"of the first's texel", {lookUp(0, v0), lookUp(1, r(0)), sum}, "0 0 ", "0 0 "},
        {"of what comes of it", {lookUp(0, v0), add(File::R, 4, r(0), v1), lookUp(1, r(4)), sum}, "0 0 ", "0 0 "},
        {"two steps of two",
         {lookUp(0, v0), lookUp(1, v1), lookUp(2, r(0)), lookUp(3, r(1)), sum, other},
         "0x2 0x2 ",
         "0 0 0 0 "},
        {"two units in turn",
         {lookUp(0, v0, 1), lookUp(1, v0, 2), lookUp(2, v1, 1), lookUp(3, v1, 2), sum, other},
         "1x2 2x2 ",
         "1 1 2 2 "},
        {"of an earlier unit's texel",
         {lookUp(0, v0, 1), lookUp(2, v0), lookUp(3, r(0)), sum, other},
         "1 0x2 ",
         "1 0 0 "},
        {"of a later unit's texel", {lookUp(2, v0), lookUp(0, v0, 1), lookUp(3, r(0)), sum, other}, "0 1 0 ", "0 1 0 "},
        {"at offsets",
         {movedLookUp(0, v0, {1, -2, 0}), movedLookUp(1, v1, {-8, 7, 0}), movedLookUp(2, v1, {0, 3, 0}), sum, other},
         "0m3 ",
         "units units units "},
        {"at an offset and at the position",
         {lookUp(0, v0), movedLookUp(1, v0, {1, 0, 0}), lookUp(2, v1), sum, other},
         "0x2 0m1 ",
         "0 0 units "},
        {"of fewer lanes", {make(Op::Mov, Type::F32, File::P, 1, {v0}, 1), lookUp(0, v0), masked, sum}, "0 0 ", "0 0 "},
        {"in two basic blocks",
         {lookUp(0, v0), make(Op::Mov, Type::F32, File::P, 1, {v0}, 1), control(Op::If, 4, 1), lookUp(1, v1),
          control(Op::Endif), sum},
         "0 0 ",
         "0 0 "},
    };
    for (const Case& one : cases) {
        CAPTURE(one.name);
        std::vector<Instruction> code = one.code;
        if (std::ranges::none_of(code, [](const Instruction& i) { return i.dst.file == File::O && i.dst.index == 1; }))
            code.push_back(make(Op::Mov, Type::F32, File::O, 1, {v0}));
        code.push_back(control(Op::Ret));
        const auto program = withUniforms(makeProgram(code), kUniforms);
        REQUIRE(isa::verify(*program) == "");
        const LookupResult expected = interpreted(program);
        for (const SimdLevel level : simdLevels())
            for (const auto& routine : routinesOf(level, program)) {
                const auto check = [&](uint32_t targets, bool together, const std::string& asked) {
                    const Units units(targets, together);
                    const LookupResult result = runBlock(*routine, units, units.lookups());
                    CHECK(units.asked == asked);
                    for (int c = 0; c < 4; ++c) {
                        CHECK(result.o0[c] == expected.o0[c]);
                        CHECK(result.o1[c] == expected.o1[c]);
                    }
                };
                check(kPlane, true, one.asked);
                check(kPlane, false, one.apart);
                std::string general;
                for (const Instruction& i : code) general += i.op == Op::Tex ? "units " : "";
                check(0, true, general);
            }
    }
}

TEST_CASE("lookups of pairs are asked for both blocks together") {
    const isa::Source v0 = reg(File::V, 0), v1 = reg(File::V, 1), r0 = reg(File::R, 0), r1 = reg(File::R, 1);
    Instruction masked = lookUp(1, v1), nulled = make(Op::Mul, Type::F32, File::O, 0, {r0, reg(File::I, 0)});
    masked.guard = 1;
    struct Case {
        std::vector<Instruction> code;
        const char *asked, *apart, *general;
    };
    const Case cases[] = {
        {{lookUp(0, v0), lookUp(1, v1), add(File::O, 0, r0, r1)}, "0x4 ", "0 0 0 0 ", "units units units units "},
        {{lookUp(0, v0), lookUp(1, r0), add(File::O, 0, r0, r1)}, "0x2 0x2 ", "0 0 0 0 ", "units units units units "},
        {{make(Op::Mov, Type::F32, File::P, 1, {v0}, 1), lookUp(0, v0), masked, add(File::O, 0, r0, r1)},
         "0x2 0x2 ",
         "0 0 0 0 ",
         "units units units units "},
        {{movedLookUp(0, v0, {1, -2, 0}), movedLookUp(1, v1, {-8, 7, 0}), add(File::O, 0, r0, r1)},
         "0m4 ",
         "units units units units ",
         "units units units units "},
        {{lookUp(0, v0), nulled}, "", "", "units units "},
    };
    alignas(64) isa::GroupRegister inputs[2], outputs[2] = {}, specials[5] = {};
    for (int i = 0; i < 2; ++i)
        for (int c = 0; c < 4; ++c)
            for (int lane = 0; lane < isa::kGroupSize; ++lane)
                inputs[i].lane[c][lane] = static_cast<float>((lane * 7 + i * 5 + c * 3) % 32 - 4) * 0.125f;
    for (const Case& one : cases) {
        std::vector<Instruction> code = one.code;
        code.push_back(control(Op::Ret));
        const auto program = makeProgram(code);
        REQUIRE(isa::verify(*program) == "");
        const Units reference(0, false);
        interp::TestGroup group;
        group.run.inputs = inputs, group.run.textures = &reference, group.run.budget = 1000;
        interp::makeInterpreter(kLeastSimdLevel)->prepare(program)->run(group.run);
        for (const SimdLevel level : simdLevels()) {
            const auto executor = jit::makeJit(level);
            const auto routine = executor->prepare(program);
            executor->refine(*routine, *program);
            const isa::BlockCode made = routine->blockCode();
            // Of registers of 256 bits and more.
            CHECK((made.pair != nullptr) == (jit::hostLevel(level).registerBits >= 256));
            if (made.pair == nullptr) continue;
            const auto check = [&](uint32_t targets, bool together, uint32_t launch, const std::string& asked) {
                const Units units(targets, together);
                isa::DrawValues values;
                isa::BlockRun run;
                run.values = &values;
                run.inputs = inputs[0].lane[0], run.outputs = outputs[0].lane[0], run.specials = specials[0].lane[0];
                run.sample = made.sample, run.textures = &units, run.lookups = units.lookups();
                run.launch = launch, run.hasQuads = 1;
                made.pair(&run);
                CHECK(units.asked == asked);
                CHECK((units.wanted & ~isa::wholeQuads(launch)) == 0);
                int different = 0;
                for (int c = 0; c < 4; ++c)
                    for (int lane = 0; lane < isa::kGroupSize; ++lane)
                        different +=
                            (launch >> lane & 1) != 0 && outputs[0].lane[c][lane] != group.outputs[0].lane[c][lane];
                CHECK(different == 0);
            };
            for (const uint32_t launch : {~0u, 0x00310C8Fu}) {
                check(kPlane, true, launch, one.asked);
                check(kPlane, false, launch, one.apart);
                check(0, true, launch, one.general);
            }
        }
    }
}

TEST_CASE("single texels are fetched by the unit's own function, several at once, on every tier") {
    const auto fetch = [](int to, int unit, std::array<int8_t, 3> offset, isa::Source level) {
        Instruction i = make(Op::Txf, Type::U32, File::R, to, {reg(File::V, 0), level});
        i.textureUnit = static_cast<uint8_t>(unit), i.texelOffset = offset;
        if (unit == kLayered) i.textureTarget = isa::TextureTarget::Array2D;
        return i;
    };
    const isa::Source v1 = reg(File::V, 1);
    // An offset has no layers, nor what a plane has not.
    const auto program = makeProgram(
        {fetch(0, 1, {0, 0, 0}, v1), fetch(1, 1, {-3, 5, 7}, v1), fetch(2, kLayered, {1, -8, 7}, v1),
         add(File::R, 3, reg(File::R, 0), reg(File::R, 1)), add(File::O, 0, reg(File::R, 3), reg(File::R, 2)),
         make(Op::Mov, Type::F32, File::O, 1, {reg(File::R, 1)}), control(Op::Ret)});
    REQUIRE(isa::verify(*program) == "");
    const uint32_t own = isa::BlockLookup::bitOf(isa::TextureTarget::Tex2D, isa::LodMode::Texel) |
                         isa::BlockLookup::bitOf(isa::TextureTarget::Array2D, isa::LodMode::Texel);
    const auto numbers = [](isa::GroupRegister(&inputs)[2]) {
        for (int lane = 0; lane < isa::kGroupSize; ++lane)
            for (int c = 0; c < 4; ++c) {
                inputs[0].lane[c][lane] = std::bit_cast<float>(20 + lane * 3 + c * 7);
                inputs[1].lane[c][lane] = std::bit_cast<float>(lane % 3);
            }
    };
    alignas(64) isa::GroupRegister inputs[2], outputs[2], specials[5] = {};
    numbers(inputs);
    const Units reference(0, false);
    interp::TestGroup group;
    group.run.inputs = inputs, group.run.textures = &reference, group.run.budget = 1000;
    interp::makeInterpreter(kLeastSimdLevel)->prepare(program)->run(group.run);
    for (const SimdLevel level : simdLevels())
        for (const auto baseline : {jit::Baseline::Never, jit::Baseline::Only}) {
            const auto executor = jit::makeJit({.level = level, .baseline = baseline});
            const auto routine = executor->prepare(program);
            if (routine == nullptr) continue;  // where there is no code without LLVM
            const isa::BlockCode code = routine->blockCode();
            const bool together = baseline == jit::Baseline::Never;
            for (const uint32_t targets : {own, 0u})
                for (const uint32_t first : {0u, 16u}) {
                    const Units units(targets, true);
                    isa::DrawValues values;
                    isa::BlockRun run;
                    run.values = &values;
                    run.inputs = inputs[0].lane[0] + first, run.outputs = outputs[0].lane[0] + first;
                    run.specials = specials[0].lane[0] + first;
                    run.sample = code.sample, run.textures = &units, run.lookups = units.lookups();
                    run.budget = 1000, run.launch = 0xFFFF, run.hasQuads = 1, run.firstLane = first;
                    code.function(&run);
                    const std::string alone = together ? "1f2 2f1 " : "1f1 1f1 2f1 ";
                    CHECK(units.asked == (targets == own ? alone : "units units units "));
                    for (int output = 0; output < 2; ++output)
                        for (uint32_t lane = first; lane < first + 16; ++lane)
                            for (int c = 0; c < 4; ++c)
                                CHECK(outputs[output].lane[c][lane] == group.outputs[output].lane[c][lane]);
                }
        }
}

TEST_CASE("without texture units lookups give what incomplete textures give, of their type") {
    const Instruction floats = lookUp(0, reg(File::V, 0));
    const Instruction integers = make(Op::Txf, Type::U32, File::R, 1, {reg(File::V, 0), reg(File::V, 0)});
    const auto program = makeProgram({floats, integers, make(Op::Mov, Type::F32, File::O, 0, {reg(File::R, 0)}),
                                      make(Op::Mov, Type::U32, File::O, 1, {reg(File::R, 1)}), control(Op::Ret)});
    REQUIRE(isa::verify(*program) == "");
    for (const SimdLevel level : simdLevels())
        for (const auto& routine : routinesOf(level, program)) {
            interp::TestGroup group;
            alignas(64) isa::GroupRegister inputs[2];
            fillInputs(inputs);
            group.run.inputs = inputs, group.run.budget = 1000;
            routine->run(group.run);
            for (int c = 0; c < 4; ++c) {
                CHECK(group.outputs[0].lane[c][kLane] == (c == 3 ? 1.0f : 0.0f));
                CHECK(std::bit_cast<uint32_t>(group.outputs[1].lane[c][kLane]) == (c == 3 ? 1u : 0u));
            }
        }
}

TEST_CASE("more lookups than results are kept of are all answered") {
    constexpr int kLookups = 100;
    const isa::Source sum = reg(File::R, 1);
    std::vector<Instruction> code = {make(Op::Mov, Type::F32, File::R, 1, {reg(File::V, 0)})};
    for (int i = 0; i < kLookups; ++i) {
        code.push_back(lookUp(0, reg(File::V, i % 2), i % 3));
        code.push_back(add(File::R, 1, sum, reg(File::R, 0)));
    }
    for (const int to : {0, 1}) code.push_back(make(Op::Mov, Type::F32, File::O, to, {sum}));
    code.push_back(control(Op::Ret));
    const auto program = makeProgram(code);
    REQUIRE(isa::verify(*program) == "");
    const LookupResult expected = interpreted(program);
    for (const SimdLevel level : simdLevels())
        for (const auto& routine : routinesOf(level, program))
            for (const uint32_t targets : {0u, kPlane}) {
                const Units units(targets, true);
                const LookupResult result = runBlock(*routine, units, units.lookups());
                for (int c = 0; c < 4; ++c) CHECK(result.o0[c] == expected.o0[c]);
            }
}

TEST_CASE("lookups that are multiplied by zero are left out where they are numbers") {
    const auto product = [](int to, int zero) {
        Instruction i = make(Op::Mul, Type::F32, File::O, to, {reg(File::R, 0), reg(File::I, 0)});
        i.immediate = static_cast<uint32_t>(zero);
        return i;
    };
    const Instruction other = make(Op::Mov, Type::F32, File::O, 1, {reg(File::R, 0)});
    const Instruction nothing = make(Op::Mov, Type::F32, File::R, 0, {reg(File::V, 0)});
    const Instruction least = make(Op::Min, Type::F32, File::O, 1, {reg(File::R, 0), reg(File::V, 0)});
    const Instruction guard = make(Op::Mov, Type::F32, File::P, 1, {reg(File::V, 0)}, 1);
    constexpr int kOne = 0x3f800000, kMinus = static_cast<int>(0x80000000);
    struct Case {
        std::vector<Instruction> code;
        bool isNulled;
    };
    const Case cases[] = {
        {{lookUp(Op::Tex, 0), product(0, 0), product(1, 0)}, true},
        {{lookUp(Op::Tex, 0), product(0, kMinus), nothing, other}, true},
        {{lookUp(Op::Tex, 0), product(0, 0), product(1, kOne)}, false},
        {{lookUp(Op::Tex, 0), product(0, 0), other}, false},
        {{lookUp(Op::Tex, 0), product(0, 0), least}, false},
        {{lookUp(Op::Tex, 0), product(0, 0), guard, control(Op::If, 5, 1), other, control(Op::Endif)}, false},
    };
    for (const Case& one : cases) {
        std::vector<Instruction> code = one.code;
        code.push_back(control(Op::Ret));
        const auto program = makeProgram(code);
        REQUIRE(isa::verify(*program) == "");
        for (const SimdLevel level : simdLevels())
            for (const auto& routine : routinesOf(level, program)) {
                const Units own(kPlane, true), floats(kAnyNumbers, true), none(0, true);
                CHECK(runBlock(*routine, floats, floats.lookups()).o0[1] == 0);
                CHECK(floats.asked == "0 ");
                CHECK(runBlock(*routine, own, own.lookups()).o0[1] == 0);
                CHECK(own.asked == (one.isNulled ? "" : "0 "));
                // Infinite texels times zero are no numbers.
                CHECK(std::isnan(runBlock(*routine, InfiniteTextures(), none.lookups()).o0[1]));
            }
    }
}
