// What the functions of the certificate are, one element after the other, from docs/isa.md: integers, single and double
// precision as IEEE-754 has them, and nothing of the machine that is tested.
#pragma once

#include "tests/certify/functions.h"

namespace tessera::certify {

/// The results of whole groups: `results` has a multiple of kGroupElements elements, and so has each operand.
void define(const Function& function, const Operands& operands, std::span<uint32_t> results);

}  // namespace tessera::certify
