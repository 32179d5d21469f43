// What whoever makes code wants to know of a program before: where lanes can diverge, and which files need memory.
//
// A register component is uniform when every write gives all lanes the same value: its sources are constants,
// immediates or uniform registers, and the instruction is executed by all launch lanes or none. Control flow on uniform
// predicates keeps the lanes together, needs no masks and becomes plain branches. Flow-insensitive in registers,
// iterated to a fixed point (Coutinho et al., Divergence Analysis and Optimizations, PACT 2011, gives the general
// form).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "shader-core/analysis/webs.h"
#include "shader-core/isa/program.h"

namespace tessera::analysis {

using ThreadBlockSize = std::array<uint32_t, 3>;  ///< threads of a block in x, y, z

/// How a register component lies across the lanes of a group: base + stride * lane as integers, or anything.
struct Spread {
    enum Kind : uint8_t { Unset, Linear, Varying } kind = Unset;
    uint32_t stride = 0;  ///< Linear; 0: the same in all lanes
    [[nodiscard]] bool scalar() const { return kind != Varying; }
    [[nodiscard]] bool uniform() const { return kind != Varying && stride == 0; }
    bool operator==(const Spread&) const = default;
};

struct InstructionFacts {
    bool divergent = false;       ///< the executing lanes may be fewer than the launch lanes
    bool uniformGuard = true;     ///< the guard has the same value in all lanes
    bool uniformAddress = false;  ///< a0.x has the same value in all lanes
    /// A lookup of whose result nothing is used but products with zero, as filters have them that take their weights
    /// from a table: numbers from 0 to 1 all do as well.
    bool nulled = false;
    /// Of the first of some instructions under one guard, in a program with many of these: the one behind them. Where
    /// no lane has the guard, a jump there is faster than to compute what nobody keeps. Else 0; in kernels always.
    uint32_t jumpTo = 0;
    /// Kernels: the result's components. Those that do not vary are computed once, for lane 0.
    std::array<Spread, 4> result{Spread{Spread::Varying}, Spread{Spread::Varying}, Spread{Spread::Varying},
                                 Spread{Spread::Varying}};
    Spread address{Spread::Varying};  ///< Kernels: of a memory instruction
};

struct Facts {
    std::string refusal;  ///< why the program is left to other tiers; empty when it is not
    std::vector<isa::Instruction> code;
    std::vector<InstructionFacts> at;  ///< one for each instruction
    unsigned temporaries = 0;
    bool relativeTemps = false;  ///< some operand reaches r registers relative to a0.x
    bool relativeOutputs = false;
    bool usesTextures = false;
    /// Lanes have nothing to do with each other beyond their quads: there are no relative registers, calls and
    /// discards. Lookups, if there are some, have a derived level of detail and are done by all lanes of a block;
    /// nothing is jumped over.
    bool lanesApart = false;
    /// A fragment program of such lanes that may run on both blocks of a group at once. (Vertex programs lose by it.)
    bool pairs = false;
    bool forks = false;  ///< there are ifs or loops
    // Kernels
    Webs webs;
    std::vector<Spread> spreads;    ///< what all writes of a web have in common
    std::vector<bool> integerWebs;  ///< some instruction writes it as an integer
    /// Kernels: of a predicate as an instruction reads or writes it.
    [[nodiscard]] bool uniformPredicate(size_t at, unsigned predicate, bool write) const {
        return spreads[webs.of(at, Webs::kPredicates, predicate, write)].uniform();
    }
};

/// `program` must have passed isa::verify(). With a block size the program is a kernel; its facts are about whole
/// groups.
[[nodiscard]] Facts findFacts(const isa::Program& program, const ThreadBlockSize* block = nullptr);

/// How component c of the special `thread` lies across the lanes.
[[nodiscard]] Spread threadSpread(const ThreadBlockSize& block, int component);

}  // namespace tessera::analysis
