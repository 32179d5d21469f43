// What programs ask of a machine, read off their code: the first step of seed 002's algorithm 1, and what besides
// instructions can be trimmed. Nothing is run; what a relative operand may reach counts as used.
#pragma once

#include <cstdint>
#include <vector>

#include "model/trim/instructions.h"

namespace tessera::model {

/// One program, or the most that any of several needs.
struct Needs {
    InstructionForms forms{};
    uint32_t temporaries = 0;         ///< r registers of a thread
    uint32_t constants = 0;           ///< c registers
    uint32_t predicates = 0;          ///< p1..
    uint32_t instructions = 0;        ///< of the longest program, words of 128 bits
    uint32_t sharedBytes = 0;         ///< of a block
    uint32_t sharedBytesOfGroup = 0;  ///< a group's part of them, rounded up
    uint32_t stack = 0;               ///< ifs, loops and calls around an instruction, those around the call included
    uint32_t branches = 0, loops = 0, calls = 0;  ///< of them, at most so many of each kind
    uint32_t textureUnits = 0;                    ///< units 0 .. n - 1
    uint32_t buffers = 0;                         ///< slots b0 .. b(n-1)
    uint32_t barriers = 0;                        ///< numbers 0 .. n - 1
    uint8_t textureTargets = 0;                   ///< bit 1 << isa::TextureTarget
    bool vertex = false, fragment = false, compute = false;

    /// So much that programs of both fit.
    void add(const Needs& other);
    [[nodiscard]] bool draws() const { return vertex || fragment; }
    bool operator==(const Needs&) const = default;
};

/// `program` must have passed isa::verify().
[[nodiscard]] Needs needsOf(const isa::Program& program);

/// Ifs, loops and calls around each instruction of a routine called from outside all of them.
struct Nesting {
    uint32_t branches = 0, loops = 0, calls = 0;
    [[nodiscard]] uint32_t depth() const { return branches + loops + calls; }
};
/// The deepest nesting in which each instruction can be executed, calls included; instructions that no path reaches are
/// nested as their routine is. `program` must have passed isa::verify().
[[nodiscard]] std::vector<Nesting> nestingOf(const isa::Program& program);

}  // namespace tessera::model
