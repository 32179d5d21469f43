// What the compiler folds and the debugger computes is what the instructions are defined to be: isa::scalar against the
// definition, every instruction with each of its types, over all strata of operands.
#include "shader-core/isa/scalar.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/certify/definition.h"

namespace tessera::certify {
namespace {

namespace scalar = isa::scalar;

constexpr size_t kElements = 1 << 16;  ///< eight of each stratum's runs: all pairs of special values are there

struct Stratified {
    std::array<std::vector<uint32_t>, 3> of;
    Stratified() {
        for (uint32_t element = 0; element < kElements; ++element) {
            const std::array<uint32_t, 3> abc = stratifiedOperands(element);
            for (size_t s = 0; s < 3; ++s) of[s].push_back(abc[s]);
        }
    }
    [[nodiscard]] Operands spans() const { return {of[0], of[1], of[2]}; }
};

bool isAcross(isa::Op op) {
    return op == isa::Op::Dp3 || op == isa::Op::Dp4 || op == isa::Op::Lit || op == isa::Op::Nrm;
}

/// Component after component, as elements are numbered.
std::vector<uint32_t> acrossComponents(isa::Op op, const Operands& operands) {
    std::vector<uint32_t> results(kElements);
    for (size_t group = 0; group < kElements; group += kGroupElements)
        for (size_t lane = group; lane < group + kLanes; ++lane) {
            const auto gather = [&](std::span<const uint32_t> from) {
                return scalar::Register{from[lane], from[lane + kLanes], from[lane + 2 * kLanes],
                                        from[lane + 3 * kLanes]};
            };
            const auto result = scalar::across(op, gather(operands[0]), gather(operands[1]));
            REQUIRE(result.has_value());
            for (size_t c = 0; c < 4; ++c) results[lane + c * kLanes] = (*result)[c];
        }
    return results;
}

std::vector<uint32_t> byComponent(const Function& f, const Operands& operands) {
    std::vector<uint32_t> results(kElements);
    for (size_t e = 0; e < kElements; ++e) {
        const uint32_t a =
            scalar::modified(f.type, operands[0][e], f.modifier == Modifier::Absolute, f.modifier == Modifier::Negate);
        const auto result = scalar::component(f.op, f.type, a, operands[1][e], operands[2][e]);
        REQUIRE(result.has_value());
        results[e] = f.modifier == Modifier::Saturate ? scalar::saturated(*result) : *result;
    }
    return results;
}

TEST_CASE("isa::scalar computes what the definition says, instruction by instruction") {
    const Stratified operands;
    for (const Function& f : functions()) {
        if (f.op == isa::Op::Sum || f.op == isa::Op::Dot) continue;  // of all lanes
        CAPTURE(f.name);
        std::vector<uint32_t> expected(kElements);
        define(f, operands.spans(), expected);
        const std::vector<uint32_t> found =
            isAcross(f.op) ? acrossComponents(f.op, operands.spans()) : byComponent(f, operands.spans());
        for (size_t e = 0; e < kElements; ++e) {
            if (found[e] == expected[e]) continue;
            CAPTURE(operands.of[0][e]);
            CAPTURE(operands.of[1][e]);
            CAPTURE(operands.of[2][e]);
            REQUIRE(found[e] == expected[e]);
        }
    }
}

TEST_CASE("isa::scalar leaves to the machine what one lane does not decide") {
    for (int o = 0; o < isa::kOpCount; ++o) {
        const isa::OpInfo& info = isa::opInfo(static_cast<isa::Op>(o));
        const bool computes =
            info.unit == isa::Unit::Alu || info.unit == isa::Unit::Tfu || info.unit == isa::Unit::Light;
        const bool derivative = info.op == isa::Op::Ddx || info.op == isa::Op::Ddy;
        CAPTURE(info.mnemonic);
        CHECK(scalar::component(info.op, isa::Type::U32, 1, 1, 1).has_value() ==
              (computes && !derivative && !isAcross(info.op)));
        CHECK(scalar::across(info.op, {}).has_value() == isAcross(info.op));
    }
    CHECK(scalar::holds(isa::Type::F32, 0x7fc00000));
    CHECK(!scalar::holds(isa::Type::F32, 0x80000000));
    CHECK(scalar::holds(isa::Type::I32, 0x80000000));
}

}  // namespace
}  // namespace tessera::certify
