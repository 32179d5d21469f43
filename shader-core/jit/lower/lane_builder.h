// Writes LLVM IR over values of one width: so many lanes, or a single value that stands for all of them.
//
// It has no state but where it writes and how wide: the same calls in the same order write the same code. Values travel
// as floats, integers as their bits. A NaN that an instruction computes is canonical() before it goes anywhere;
// canonical.h removes what nobody can tell.
#pragma once

#include <string>
#include <vector>

#include <llvm/IR/IRBuilder.h>

#include "shader-core/jit/lower/lane_calls.h"

namespace tessera::jit {

/// Function that stands for "the canonical NaN if x is NaN, else x" until resolveCanonical() (canonical.h).
inline constexpr const char* kCanonicalName = "tessera.canonical";

class LaneBuilder {
public:
    using Value = llvm::Value;

    LaneBuilder(llvm::IRBuilder<>& builder, LaneCalls& calls, const HostLevel& host, unsigned width);

    /// Where it writes: what LLVM has at any width.
    llvm::IRBuilder<>* operator->() const { return &b_; }
    [[nodiscard]] unsigned width() const { return width_; }
    [[nodiscard]] llvm::Type* floats() const { return floats_; }
    [[nodiscard]] llvm::Type* ints() const { return ints_; }
    [[nodiscard]] llvm::Type* mask() const { return mask_; }

    // --- Constants and conversions ---
    [[nodiscard]] Value* splat(float x) const;
    [[nodiscard]] Value* splatBits(uint32_t bits) const;  ///< as floats
    [[nodiscard]] Value* splatInt(uint32_t x) const;
    [[nodiscard]] Value* broadcast(Value* scalar) const;
    [[nodiscard]] Value* laneNumbers(uint32_t stride = 1) const;  ///< stride * lane
    [[nodiscard]] Value* allLanes() const { return llvm::Constant::getAllOnesValue(mask_); }
    [[nodiscard]] Value* noLanes() const { return llvm::Constant::getNullValue(mask_); }
    [[nodiscard]] Value* asInt(Value* x) const { return b_.CreateBitCast(x, ints_); }
    [[nodiscard]] Value* asFloat(Value* x) const { return b_.CreateBitCast(x, floats_); }
    [[nodiscard]] Value* halfFromFloat(Value* bits) const;
    [[nodiscard]] Value* floatFromHalf(Value* bits) const;
    [[nodiscard]] Value* toInteger(Value* x, bool isSigned) const;

    // --- Arithmetic ---
    [[nodiscard]] Value* intrinsic(llvm::Intrinsic::ID id, const std::vector<Value*>& arguments) const;
    [[nodiscard]] Value* laneFunction(const std::string& name, const std::vector<Value*>& arguments) const;
    [[nodiscard]] Value* canonical(Value* x) const;
    [[nodiscard]] Value* truth(Value* mask) const;  ///< 1.0 or 0.0
    [[nodiscard]] Value* saturate(Value* x) const;
    [[nodiscard]] Value* squareRoot(Value* x) const;
    [[nodiscard]] Value* fusedMultiplyAdd(Value* a, Value* b, Value* c) const;
    [[nodiscard]] Value* power(Value* x, Value* y) const;
    [[nodiscard]] Value* divideIntegers(Value* a, Value* b, bool isSigned, bool remainder) const;
    [[nodiscard]] Value* extremum(Value* a, Value* b, bool maximum) const;
    /// The larger of x and +0, which a NaN becomes.
    [[nodiscard]] Value* positive(Value* x) const { return extremum(splat(0.0f), x, true); }
    [[nodiscard]] Value* derivative(Value* x, unsigned neighbour) const;

private:
    [[nodiscard]] Value* fmaByDoubles(Value* a, Value* b, Value* c) const;

    llvm::IRBuilder<>& b_;
    LaneCalls& calls_;
    const HostLevel& host_;
    const unsigned width_;
    llvm::Type *const floats_, *const ints_, *const mask_;
};

}  // namespace tessera::jit
