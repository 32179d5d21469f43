// Divisions by constants as two products, which are quicker and give the same bits.
//
// 1 / c in two floats, high + low, gives x / c as fma(x, high, x * low): that sum is off by less than any quotient is
// away from the middle of two floats, if c has few digits; of others the few quotients that lie closest to a middle are
// looked at (reciprocalOf). Source: Brisebarre, Muller and Raina, "Accelerating correctly rounded floating-point
// division when the divisor is known in advance", IEEE Transactions on Computers 53(8), 2004.
//
// Of quotients below 2^-100 digits are lost: x * low is denormal. So a division goes where its dividend is no number
// that small (integers), or where nobody can tell such quotients from each other: they are rounded to integers, added
// to numbers, compared.
#pragma once

#include <optional>

namespace llvm {
class Function;
}

namespace tessera::jit {

/// The reciprocal of a divisor, rounded toward zero, and what is missing, of the same sign: so zeros keep their sign,
/// and infinities do not meet their opposite.
struct Reciprocal {
    float high, low;
};

/// For x / divisor == fma(x, high, x * low) to the bit, for all x of which x / divisor is at least 2^-100, or is 0 or
/// no number; smaller ones have the sign of theirs, are that small, too, and are 0 where x / divisor is. None: the
/// divisor is a power of two, no number, or not within 2^-20 and 2^20, or it does not hold of all x.
[[nodiscard]] std::optional<Reciprocal> reciprocalOf(float divisor);

/// Expects registers to be values and NaNs resolved (canonical.h), and a host that has fma.
void divideByProducts(llvm::Function& function);

}  // namespace tessera::jit
