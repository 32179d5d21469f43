// pow with a constant exponent as a chain of products.
//
// The ISA's pow is ex2(y * lg2(x)). GLSL leaves the error of pow to those of exp2 and log2, so the compiler may take
// what is shorter and nearer to the true value: x squared again and again, the squares that the exponent's bits name
// multiplied, a square root for a half, a reciprocal for a minus. Each product adds half a unit in the last place and
// squaring doubles what there is, so the error of x^n stays under n units; that of the instruction may be 1 + 2.1 |log2
// x^n| units. A negative x, which the language leaves undefined, gets the power that it has.
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "shader-core/glsl/ir/builder.h"
#include "shader-core/glsl/ir/optimize/passes.h"
#include "shader-core/isa/scalar.h"

namespace tessera::glsl::ir {

namespace {

/// Of products, so that a chain stays well under what the two functions and their product take.
constexpr int kMostProducts = 12;

/// |exponent| = whole + (half ? 1/2 : 0), when a chain serves it.
struct Chain {
    uint32_t whole = 0;
    bool half = false, reciprocal = false;
};

std::optional<Chain> chainOf(float exponent) {
    const float magnitude = std::fabs(exponent);
    if (!(magnitude <= 1024)) return std::nullopt;
    const float whole = std::floor(magnitude);
    const float rest = magnitude - whole;
    if (rest != 0 && rest != 0.5f) return std::nullopt;
    const Chain chain{static_cast<uint32_t>(whole), rest != 0, exponent < 0};
    const int squares = std::bit_width(chain.whole) - 1, products = squares + std::popcount(chain.whole) - 1;
    return products <= kMostProducts ? std::optional(chain) : std::nullopt;
}

bool hasConstantExponent(const Instruction& i) { return i.op == Op::Pow && i.src[1].kind == Kind::Literal; }

class PowerExpander {
public:
    explicit PowerExpander(Module& module) : module_(module), builder_(module) {}

    bool run() {
        if (std::ranges::none_of(module_.code, hasConstantExponent)) return false;
        std::vector<Instruction> code = std::move(module_.code);
        module_.code.clear();
        bool changed = false;
        for (const Instruction& i : code) {
            builder_.setLine(i.line);
            if (i.assigns != kNone) builder_.assigned(i.assigns);
            if (expand(i))
                changed = true;
            else
                builder_.append(i);
        }
        return changed;
    }

private:
    bool expand(const Instruction& i) {
        if (!hasConstantExponent(i)) return false;
        std::array<float, 4> exponents{};
        uint8_t left = i.dst.writeMask;
        for (int c = 0; c < 4; c++) {
            const Operand& y = i.src[1];
            exponents[c] = std::bit_cast<float>(
                isa::scalar::modified(Type::F32, y.literal[isa::swizzleAt(y.swizzle, c)], y.absolute, y.negate));
            if ((left >> c & 1) && !chainOf(exponents[c])) return false;
        }
        const uint32_t result = builder_.newTemp(4);
        while (left != 0) {
            const float exponent = exponents[static_cast<size_t>(std::countr_zero(left))];
            uint8_t alike = 0;
            for (int c = 0; c < 4; c++)
                if ((left >> c & 1) && exponents[c] == exponent) alike |= static_cast<uint8_t>(1 << c);
            write(result, alike, i.src[0], *chainOf(exponent));
            left &= static_cast<uint8_t>(~alike);
        }
        builder_.emitTo(i.dst, Op::Mov, builder_.tempOperand(result)).saturate = i.saturate;
        return true;
    }

    /// The components of `mask` of a temp.
    void write(uint32_t temp, uint8_t mask, const Operand& x, const Chain& chain) {
        const auto emit = [&](Op op, const Operand& a, const Operand& b = {}) {
            const uint32_t fresh = builder_.newTemp(4);
            builder_.emitTo(tempDest(fresh, mask), op, a, b);
            return builder_.tempOperand(fresh);
        };
        std::optional<Operand> product;
        const auto take = [&](const Operand& factor) { product = product ? emit(Op::Mul, *product, factor) : factor; };
        if (chain.half) take(emit(Op::Sqt, x));
        Operand square = x;
        for (uint32_t bits = chain.whole; bits != 0; bits >>= 1) {
            if (bits & 1) take(square);
            if (bits > 1) square = emit(Op::Mul, square, square);
        }
        builder_.emitTo(tempDest(temp, mask), chain.reciprocal ? Op::Rcp : Op::Mov, product.value_or(literal(1.0f)));
    }

    Module& module_;
    Builder builder_;
};

}  // namespace

bool expandPowers(Module& module) { return PowerExpander(module).run(); }

}  // namespace tessera::glsl::ir
