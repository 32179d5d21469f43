// What a vertex or fragment program computes of constants alone, and is the same in every lane of a draw: products of
// matrices, sines of the time, a light's direction that is normalised. Compiled code computes it in the first block of
// a draw (isa::DrawValues). Who executes a program instruction by instruction does not ask.
//
// A register component is a draw's when one instruction writes it, for all that read it, and reads nothing but
// constants and such components.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "shader-core/analysis/facts.h"

namespace tessera::analysis {

struct DrawSteps {
    static constexpr uint8_t kNoPlace = 0xFF;
    struct Step {
        uint8_t computed = 0;  ///< components of the result that are computed once; others are computed in each block
        uint8_t needed = 0;    ///< and those that the once computed ones are made of
        std::array<uint8_t, 4> place{kNoPlace, kNoPlace, kNoPlace, kNoPlace};  ///< of those that blocks read
        bool operator==(const Step&) const = default;
    };
    std::vector<Step> at;  ///< one for each instruction; empty where it is not worth anything
    Webs webs;
    [[nodiscard]] bool any() const { return !at.empty(); }
};

/// `facts` of a vertex or fragment program, which must not be refused; `program` as there.
[[nodiscard]] DrawSteps findDrawSteps(const Facts& facts, const isa::Program& program);

}  // namespace tessera::analysis
