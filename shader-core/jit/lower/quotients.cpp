#include "shader-core/jit/lower/quotients.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace tessera::jit {

namespace {

using llvm::Value;

// --- Reciprocals ---

float quotient(float x, Reciprocal r) { return std::fma(x, r.high, x * r.low); }

/// Of 1 <= divisor < 2. The remainder of the first part is exact.
Reciprocal twoParts(float divisor) {
    const double whole = 1.0 / static_cast<double>(divisor);
    constexpr uint64_t kDigitsThatFloatsLack = (uint64_t{1} << 29) - 1;
    const auto high = std::bit_cast<double>(std::bit_cast<uint64_t>(whole) & ~kDigitsThatFloatsLack);
    const double rest = 1.0 - static_cast<double>(divisor) * high;
    return {static_cast<float>(high), static_cast<float>(rest / static_cast<double>(divisor))};
}

/// The number whose product with an odd one is 1, modulo 2^32: each step doubles the digits that are right.
uint32_t inverse(uint32_t odd) {
    uint32_t x = odd;
    for (int step = 0; step < 4; ++step) x *= 2 - odd * x;
    return x;
}

/// Whether fma(x, high, x * low) is rounded as x / divisor is, for all x, 1 <= divisor < 2.
///
/// With the integers X and D of 24 bits, x and the divisor times 2^23, middles of two floats are M / 2^s, M odd and of
/// 25 bits: s = 25 where X < D, as the quotient is in 1/2..1, else s = 24. X / D is away from the middle by k = X 2^s -
/// M D, in units of 1 / (2^s D) > 2^-49. The sum is off by 2^-49 x at most for the rounding of low, and 2^-48 for that
/// of x * low: four units. So the quotients with |k| <= 4 are found and looked at. For a divisor of at most 21 digits
/// there are none, as 8 divides k.
bool holdsForAll(float divisor, Reciprocal r) {
    const uint32_t d = (std::bit_cast<uint32_t>(divisor) & 0x7fffff) | 0x800000;
    const int zeros = std::countr_zero(d);
    if (zeros >= 3) return true;
    const uint32_t odd = d >> zeros;
    for (const int s : {25, 24}) {
        for (int k = -4; k <= 4; ++k) {
            if (k == 0 || (k & ((1 << zeros) - 1)) != 0) continue;
            // M odd = -k / 2^zeros modulo 2^(s - zeros); the digits above it are free.
            const auto target = static_cast<uint32_t>(-(k >> zeros));
            const uint32_t least = (inverse(odd) * target) & ((1u << (s - zeros)) - 1);
            for (uint32_t middle = least; middle < 1u << 25; middle += 1u << (s - zeros)) {
                if (middle % 2 == 0 || middle < 1u << 24) continue;
                const int64_t dividend = static_cast<int64_t>(middle) * d + k;
                const int64_t x = dividend >> s;
                if (x < 0x800000 || x > 0xffffff) continue;
                const float value = std::ldexp(static_cast<float>(x), -23);
                if (quotient(value, r) != value / divisor) return false;
            }
        }
    }
    return true;
}

/// Whether quotients of denormal numbers are zero where they should be, the divisor being positive: up to 2^-150, of
/// dividends of as many 2^-149 as half of the divisor says. Of the next one x * low is 0, and x * high must not be.
bool keepsWhatIsNotZero(float divisor, Reciprocal r) {
    return (std::floor(static_cast<double>(divisor) / 2) + 1) * static_cast<double>(r.high) > 0.5;
}

// --- Dividends and uses ---

const llvm::APFloat* constantOf(const Value* x) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(x);
    if (constant == nullptr) return nullptr;
    const auto* scalar = llvm::dyn_cast<llvm::ConstantFP>(constant);
    if (scalar == nullptr) scalar = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant->getSplatValue());
    return scalar == nullptr ? nullptr : &scalar->getValueAPF();
}

llvm::Intrinsic::ID intrinsicOf(const Value* x) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(x);
    return call == nullptr ? llvm::Intrinsic::not_intrinsic : call->getIntrinsicID();
}

bool roundsToInteger(const Value* x) {
    switch (intrinsicOf(x)) {
        case llvm::Intrinsic::floor:
        case llvm::Intrinsic::trunc:
        case llvm::Intrinsic::roundeven:
            return true;
        default:
            return false;
    }
}

/// How far a question goes before the answer is no.
constexpr unsigned kMostValues = 64;

/// Whether all lanes are integers, infinities or NaNs. What depends on itself, in a loop, is if all else is.
bool isWhole(const Value* x, llvm::SmallPtrSetImpl<const Value*>& seen) {
    if (const llvm::APFloat* constant = constantOf(x)) return !constant->isFinite() || constant->isInteger();
    if (llvm::isa<llvm::UndefValue>(x) || !seen.insert(x).second) return true;
    if (seen.size() > kMostValues) return false;
    const auto allOf = [&](llvm::ArrayRef<const Value*> operands) {
        return llvm::all_of(operands, [&](const Value* operand) { return isWhole(operand, seen); });
    };
    if (roundsToInteger(x)) return true;
    if (intrinsicOf(x) == llvm::Intrinsic::fabs) return isWhole(llvm::cast<llvm::User>(x)->getOperand(0), seen);
    if (intrinsicOf(x) == llvm::Intrinsic::fma) {
        const auto* call = llvm::cast<llvm::User>(x);
        return allOf({call->getOperand(0), call->getOperand(1), call->getOperand(2)});
    }
    const auto* i = llvm::dyn_cast<llvm::Instruction>(x);
    if (i == nullptr) return false;
    switch (i->getOpcode()) {
        case llvm::Instruction::SIToFP:
        case llvm::Instruction::UIToFP:
            return true;
        // What is beyond 2^24 and rounded is an integer, too.
        case llvm::Instruction::FAdd:
        case llvm::Instruction::FSub:
        case llvm::Instruction::FMul:
        case llvm::Instruction::ShuffleVector:
            return allOf({i->getOperand(0), i->getOperand(1)});
        case llvm::Instruction::FNeg:
            return isWhole(i->getOperand(0), seen);
        case llvm::Instruction::Select:
            return allOf({i->getOperand(1), i->getOperand(2)});
        case llvm::Instruction::PHI:
            return llvm::all_of(i->operand_values(), [&](const Value* value) { return isWhole(value, seen); });
        default:
            return false;
    }
}

/// Whether a number less than 2^-99 gives what any other gives that is as small, of the same sign, and 0 where it is.
bool isSmallAlike(const Value* x, llvm::SmallPtrSetImpl<const Value*>& seen) {
    if (!seen.insert(x).second) return true;
    if (seen.size() > kMostValues) return false;
    return llvm::all_of(x->users(), [&](const llvm::User* user) {
        if (roundsToInteger(user)) return true;
        if (intrinsicOf(user) == llvm::Intrinsic::fabs) return isSmallAlike(user, seen);
        const auto* i = llvm::cast<llvm::Instruction>(user);
        const auto other = [&] {
            const llvm::APFloat* constant = constantOf(i->getOperand(i->getOperand(0) == x ? 1 : 0));
            return constant == nullptr ? -1.0 : std::fabs(static_cast<double>(constant->convertToFloat()));
        };
        switch (i->getOpcode()) {
            case llvm::Instruction::FPToSI:
            case llvm::Instruction::FPToUI:
                return true;
            case llvm::Instruction::FNeg:
            case llvm::Instruction::ShuffleVector:
            case llvm::Instruction::Select:
                return isSmallAlike(user, seen);
            case llvm::Instruction::FAdd:
            case llvm::Instruction::FSub:
                return other() >= 0x1p-70;
            case llvm::Instruction::FCmp:
                return i->getOperand(0) == i->getOperand(1) || other() == 0 || other() >= 0x1p-70;
            default:
                return false;
        }
    });
}

}  // namespace

std::optional<Reciprocal> reciprocalOf(float divisor) {
    const float magnitude = std::fabs(divisor);
    if (!(magnitude >= 0x1p-20f && magnitude <= 0x1p20f)) return std::nullopt;
    int exponent = 0;
    const float mantissa = 2 * std::frexp(magnitude, &exponent);
    if (mantissa == 1) return std::nullopt;
    Reciprocal r = twoParts(mantissa);
    if (!holdsForAll(mantissa, r)) return std::nullopt;
    r = {std::ldexp(r.high, 1 - exponent), std::ldexp(r.low, 1 - exponent)};
    if (!keepsWhatIsNotZero(magnitude, r)) return std::nullopt;
    return Reciprocal{std::copysign(r.high, divisor), std::copysign(r.low, divisor)};
}

void divideByProducts(llvm::Function& function) {
    llvm::SmallVector<llvm::BinaryOperator*, 16> divisions;
    for (llvm::Instruction& i : llvm::instructions(function))
        if (i.getOpcode() == llvm::Instruction::FDiv && i.getType()->getScalarType()->isFloatTy())
            divisions.push_back(llvm::cast<llvm::BinaryOperator>(&i));
    for (llvm::BinaryOperator* division : divisions) {
        const llvm::APFloat* divisor = constantOf(division->getOperand(1));
        if (divisor == nullptr) continue;
        Value* dividend = division->getOperand(0);
        llvm::SmallPtrSet<const Value*, 16> values, users;
        if (!isWhole(dividend, values) && !isSmallAlike(division, users)) continue;
        const std::optional<Reciprocal> r = reciprocalOf(divisor->convertToFloat());
        if (!r) continue;
        llvm::IRBuilder<> b(division);
        llvm::Type* type = division->getType();
        Value* rest = b.CreateFMul(dividend, llvm::ConstantFP::get(type, r->low));
        Value* product =
            b.CreateIntrinsic(type, llvm::Intrinsic::fma, {dividend, llvm::ConstantFP::get(type, r->high), rest});
        division->replaceAllUsesWith(product);
        division->eraseFromParent();
    }
}

}  // namespace tessera::jit
