// Test only: what is made of a program, and what it computes beside another tier, bit for bit.
#pragma once

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "shader-core/interp/testing/group.h"
#include "shader-core/isa/executor.h"
#include "shader-core/jit/codegen/linked_jit.h"

namespace tessera::jit {

using interp::TestGroup;

/// A lookup whose result depends on every bit of what it is asked, but those of a NaN, and for derived levels of detail
/// on the whole quad. Where a single texel is says its position with the offset, whoever adds it.
class HashingTextures : public isa::TextureUnits {
public:
    void sample(int unit, const isa::TextureRequest& q, isa::GroupRegister& result) const override {
        const bool isTexel = q.lodMode == isa::LodMode::Texel, isInteger = isTexel || q.lodMode == isa::LodMode::Size;
        const int coordinates = q.lodMode == isa::LodMode::Size ? 1 : isa::coordinateCount(q.target);
        const int gradients = q.lodMode == isa::LodMode::Gradient ? isa::gradientCount(q.target) : 0;
        const bool derives = q.lodMode == isa::LodMode::Implicit || q.lodMode == isa::LodMode::Bias;
        for (uint32_t lane = 0; lane < 32; ++lane) {
            if (!(q.mask >> lane & 1)) continue;
            uint32_t hash = static_cast<uint32_t>(unit) * 0x9e3779b9u + static_cast<uint32_t>(q.target) * 77 +
                            static_cast<uint32_t>(q.lodMode) * 1013 + q.hasQuads + static_cast<uint32_t>(q.type) * 4099;
            for (const int8_t offset : q.offset) hash = hash * 31 + static_cast<uint32_t>(isTexel ? 0 : offset);
            const auto mix = [&](const float* row, uint32_t from, int8_t offset = 0) {
                const float x = !isInteger && std::isnan(row[from]) ? NAN : row[from];
                hash = (hash ^ (__builtin_bit_cast(uint32_t, x) + static_cast<uint32_t>(offset))) * 0x01000193u;
                hash ^= hash >> 15;
            };
            for (int c = 0; c < coordinates; ++c) {
                const bool isMoved = isTexel && c < isa::offsetCount(q.target);
                mix(q.coord[c], lane, isMoved ? q.offset[static_cast<size_t>(c)] : int8_t{0});
                if (derives && q.hasQuads)
                    for (const uint32_t other : {lane & ~5u, (lane & ~5u) | 1, (lane & ~5u) | 4})
                        mix(q.coord[c], other);
            }
            for (int c = 0; c < gradients; ++c) mix(q.ddx[c], lane), mix(q.ddy[c], lane);
            if (q.lod != nullptr) mix(q.lod, lane);
            for (int c = 0; c < 4; ++c) result.lane[c][lane] = static_cast<float>(hash >> (8 * c) & 255) * 0.0625f;
        }
    }
};

/// Runs both and compares what a caller can see.
inline void compare(const isa::Routine& expected, const isa::Routine& actual, TestGroup& group) {
    TestGroup other;
    std::memcpy(other.inputs, group.inputs, sizeof group.inputs);
    std::memcpy(other.specials, group.specials, sizeof group.specials);
    other.constants = group.constants;
    other.run = group.run;
    other.run.inputs = other.inputs, other.run.outputs = other.outputs, other.run.specials = other.specials;
    other.run.constants = reinterpret_cast<const float(*)[4]>(other.constants.data());
    expected.run(group.run);
    actual.run(other.run);
    REQUIRE(other.run.budgetExceeded == group.run.budgetExceeded);
    if (group.run.budgetExceeded) return;
    const uint32_t judged = group.run.activeMask & ~group.run.helperMask;
    REQUIRE((other.run.killMask & judged) == (group.run.killMask & judged));
    const uint32_t wanted = judged & ~group.run.killMask;
    for (int o = 0; o < 5; ++o) {
        for (int c = 0; c < 4; ++c) {
            for (int lane = 0; lane < 32; ++lane) {
                const bool seen = (wanted >> lane & 1) != 0 || !(group.run.activeMask >> lane & 1);
                if (!seen || other.bits(o, c, lane) == group.bits(o, c, lane)) continue;
                CAPTURE(o);
                CAPTURE(c);
                CAPTURE(lane);
                REQUIRE(other.bits(o, c, lane) == group.bits(o, c, lane));
            }
        }
    }
    const bool oneBlock = (group.run.activeMask & 0xFFFF) == 0 || group.run.activeMask >> 16 == 0;
    if (oneBlock)
        REQUIRE(other.run.instructions == group.run.instructions);
    else
        REQUIRE(other.run.instructions <= group.run.instructions);
}

/// What is made of a program. None: it is refused.
struct Routines {
    std::vector<std::shared_ptr<const isa::Routine>> all;
    bool hasPair = false;
};

/// Without a compiler, where that is possible.
inline Routines baselineOf(SimdLevel level, const std::shared_ptr<isa::Program>& program) {
    auto routine = makeJit({.level = level, .baseline = Baseline::Only})->prepare(program);
    if (routine == nullptr) return {};
    return {{std::move(routine)}};
}

/// LLVM alone, with code that it makes soon.
inline std::shared_ptr<isa::Executor> compilerOf(SimdLevel level) {
    return makeJit({.level = level, .baseline = Baseline::Never});
}

/// By the executor: soon, well, and refined where that is a pair; and without a compiler.
inline Routines routinesOf(isa::Executor& executor, SimdLevel level, const std::shared_ptr<isa::Program>& program) {
    const auto first = executor.prepareFirst(program), good = executor.prepare(program),
               refined = executor.prepareFirst(program);
    if (first == nullptr || good == nullptr) return {};
    executor.refine(*refined, *program);
    Routines routines = baselineOf(level, program);
    routines.all.insert(routines.all.begin(), {first, good});
    if (refined->blockCode().pair != nullptr) {
        routines.all.push_back(refined);
        routines.hasPair = true;
    }
    return routines;
}

inline int fromEnvironment(const char* name, int fallback) {
    const char* text = std::getenv(name);
    return text == nullptr ? fallback : std::atoi(text);
}

}  // namespace tessera::jit
