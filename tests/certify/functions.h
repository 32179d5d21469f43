// The functions of the certificate: every instruction whose result follows from its operands alone, and what it is
// tried on. docs/certificate.md says why; functions.txt has their hashes.
//
// An element is one 32-bit result, numbered from 0. A group of 32 lanes computes 128 elements at once, component after
// component: element e belongs to lane e % 32 and component e / 32 % 4 of group e / 128. Most instructions compute each
// element by itself; dp3, dp4, lit and nrm take a lane's four together, sum and dot those of one component.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shader-core/isa/isa.h"

namespace tessera::certify {

inline constexpr size_t kLanes = 32, kGroupElements = 4 * kLanes;

enum class Modifier : uint8_t { None, Negate, Absolute, Saturate };

struct Function {
    std::string name;  ///< "rcp.f32", "mov.f32.sat"
    isa::Op op;
    isa::Type type;
    Modifier modifier;
    int operands;     ///< 1 to 3
    bool exhaustive;  ///< element e has the operand with the bits e; else operands are stratified
};

/// From the instruction table, in its order.
[[nodiscard]] const std::vector<Function>& functions();

/// The instruction as a line of assembly.
[[nodiscard]] std::string instructionText(const Function& function, const std::string& destination,
                                          const std::array<std::string, 3>& sources);

/// Operands a, b, c of some elements; those that a function does not have are ignored.
using Operands = std::array<std::span<const uint32_t>, 3>;

/// Operands of the element with that number. Those of two and more are stratified: every 1,024 neighbouring elements
/// are of one of eight kinds (functions.cpp). Over all 2^32 elements each operand of the first kind has 2^29 values.
[[nodiscard]] std::array<uint32_t, 3> stratifiedOperands(uint32_t element);

}  // namespace tessera::certify
