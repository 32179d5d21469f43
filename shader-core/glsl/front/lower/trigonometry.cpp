// Trigonometry (section 8.1) over the ISA's sin, cos, ex2 and lg2.
//
// The inverse functions are polynomials of x * x found by interpolation at Chebyshev nodes, after the usual
// reductions (Muller, "Elementary Functions", chapter 11):
//   asin x = pi/2 - 2 asin sqrt((1 - x) / 2)   for x > 1/2      error below 2e-7
//   atan x = pi/2 - atan 1/x                   for x > 1        error below 2e-7
#include <array>
#include <numbers>

#include "shader-core/glsl/front/lower/ast_to_ir.h"

namespace tessera::glsl::front {

using namespace glslang;

namespace {

constexpr float kPi = std::numbers::pi_v<float>, kHalfPi = kPi / 2;

/// (asin x / x - 1) / x^2 on [0, 1/4] in x^2: 1.5e-9.
constexpr std::array<float, 6> kArcSine = {0.166666657f,  0.0750009418f, 0.0445994027f,
                                           0.0311006624f, 0.0171492379f, 0.0336908475f};
/// (atan x / x - 1) / x^2 on [0, 1] in x^2: 6.2e-8.
constexpr std::array<float, 8> kArcTangent = {-0.333333224f,  0.199986815f,  -0.142570451f,  0.108657591f,
                                              -0.0800968185f, 0.0489143208f, -0.0200267471f, 0.00386673887f};

}  // namespace

AstToIr::Operand AstToIr::polynomial(const Operand& x, std::span<const float> coefficients, int n) {
    Operand sum = ir::literal(coefficients.back());
    for (size_t i = coefficients.size() - 1; i-- > 0;) sum = emit(n, Op::Mad, sum, x, ir::literal(coefficients[i]));
    return sum;
}

AstToIr::Operand AstToIr::trigonometric(TOperator op, std::span<const Operand> arguments, int n) {
    const Operand& x = arguments[0];
    switch (op) {
        case EOpSin:
            return emit(n, Op::Sin, x);
        case EOpCos:
            return emit(n, Op::Cos, x);
        case EOpTan:
            return emit(n, Op::Div, emit(n, Op::Sin, x), emit(n, Op::Cos, x));
        case EOpAsin:
            return arcSine(x, n);
        case EOpAcos:
            return arcCosine(x, n);
        default:
            return arguments.size() == 2 ? arcTangent2(x, arguments[1], n) : arcTangent(x, n);
    }
}

/// Over e = exp |x|, so that odd functions are odd to the bit; those of a large argument do not overflow to NaN.
AstToIr::Operand AstToIr::hyperbolic(TOperator op, const Operand& x, int n) {
    constexpr float kLog2E = std::numbers::log2e_v<float>, kLn2 = std::numbers::ln2_v<float>;
    const Operand a = ir::absolute(x);
    const auto logarithm = [&](const Operand& v) { return emit(n, Op::Mul, emit(n, Op::Lg2, v), ir::literal(kLn2)); };
    const auto withSign = [&](const Operand& r) {
        return emit(n, Op::Sel, emit(n, Op::Slt, x, ir::literal(0)), ir::negated(r), r);
    };
    switch (op) {
        case EOpSinh:
        case EOpCosh: {
            const Operand power = emit(n, Op::Mul, a, ir::literal(kLog2E));
            const Operand e = emit(n, Op::Ex2, power), inverse = emit(n, Op::Ex2, ir::negated(power));
            const Operand twice = emit(n, Op::Add, e, op == EOpSinh ? ir::negated(inverse) : inverse);
            const Operand half = emit(n, Op::Mul, twice, ir::literal(0.5f));
            return op == EOpSinh ? withSign(half) : half;
        }
        case EOpTanh: {  // 1 - 2 / (e^2 + 1)
            const Operand square = emit(n, Op::Ex2, emit(n, Op::Mul, a, ir::literal(2 * kLog2E)));
            const Operand part = emit(n, Op::Div, ir::literal(2), emit(n, Op::Add, square, ir::literal(1)));
            return withSign(emit(n, Op::Add, ir::literal(1), ir::negated(part)));
        }
        case EOpAsinh:
            return withSign(logarithm(emit(n, Op::Add, a, emit(n, Op::Sqt, emit(n, Op::Mad, a, a, ir::literal(1))))));
        case EOpAcosh: {
            const Operand product =
                emit(n, Op::Mul, emit(n, Op::Add, x, ir::literal(1)), emit(n, Op::Add, x, ir::literal(-1)));
            return logarithm(emit(n, Op::Add, x, emit(n, Op::Sqt, product)));
        }
        default: {  // atanh: half of log((1 + x) / (1 - x))
            const Operand quotient =
                emit(n, Op::Div, emit(n, Op::Add, ir::literal(1), a), emit(n, Op::Add, ir::literal(1), ir::negated(a)));
            return withSign(emit(n, Op::Mul, logarithm(quotient), ir::literal(0.5f)));
        }
    }
}

/// asin t, where t is a = |x| or, for large a, sqrt((1 - a) / 2): t + t z P(z) with z = t t.
AstToIr::FoldedArcSine AstToIr::foldedArcSine(const Operand& x, int n) {
    Operand a = ir::absolute(x);
    Operand large = emit(n, Op::Slt, ir::literal(0.5f), a);
    Operand half = emit(n, Op::Mad, a, ir::literal(-0.5f), ir::literal(0.5f));
    Operand z = emit(n, Op::Sel, large, half, emit(n, Op::Mul, x, x));
    Operand t = emit(n, Op::Sel, large, emit(n, Op::Sqt, half), a);
    return {large, emit(n, Op::Mad, emit(n, Op::Mul, t, z), polynomial(z, kArcSine, n), t)};
}

/// asin a = pi/2 - 2 asin sqrt((1 - a) / 2) for large a; asin -a = -asin a.
AstToIr::Operand AstToIr::arcSine(const Operand& x, int n) {
    auto [large, r] = foldedArcSine(x, n);
    r = emit(n, Op::Sel, large, emit(n, Op::Mad, r, ir::literal(-2), ir::literal(kHalfPi)), r);
    return emit(n, Op::Sel, emit(n, Op::Slt, x, ir::literal(0)), ir::negated(r), r);
}

/// acos a = 2 asin sqrt((1 - a) / 2) for large a, else pi/2 - asin a; acos -a = pi - acos a.
AstToIr::Operand AstToIr::arcCosine(const Operand& x, int n) {
    auto [large, r] = foldedArcSine(x, n);
    r = emit(n, Op::Sel, large, emit(n, Op::Add, r, r), emit(n, Op::Add, ir::literal(kHalfPi), ir::negated(r)));
    Operand mirrored = emit(n, Op::Add, ir::literal(kPi), ir::negated(r));
    return emit(n, Op::Sel, emit(n, Op::Slt, x, ir::literal(0)), mirrored, r);
}

AstToIr::Operand AstToIr::arcTangent(const Operand& x, int n) {
    Operand a = ir::absolute(x);
    Operand large = emit(n, Op::Slt, ir::literal(1), a);
    Operand t = emit(n, Op::Sel, large, emit(n, Op::Rcp, a), a);
    Operand z = emit(n, Op::Mul, t, t);
    Operand r = emit(n, Op::Mad, emit(n, Op::Mul, t, z), polynomial(z, kArcTangent, n), t);
    r = emit(n, Op::Sel, large, emit(n, Op::Add, ir::literal(kHalfPi), ir::negated(r)), r);
    return emit(n, Op::Sel, emit(n, Op::Slt, x, ir::literal(0)), ir::negated(r), r);
}

/// The angle of (x, y): the smaller side over the larger, then mirrored into the quadrant. 0 at the origin.
AstToIr::Operand AstToIr::arcTangent2(const Operand& y, const Operand& x, int n) {
    Operand ax = ir::absolute(x), ay = ir::absolute(y);
    Operand larger = emit(n, Op::Max, ax, ay), smaller = emit(n, Op::Min, ax, ay);
    Operand t = emit(n, Op::Sel, larger, emit(n, Op::Div, smaller, larger), ir::literal(0));
    Operand z = emit(n, Op::Mul, t, t);
    Operand r = emit(n, Op::Mad, emit(n, Op::Mul, t, z), polynomial(z, kArcTangent, n), t);
    Operand steep = emit(n, Op::Slt, ax, ay);
    r = emit(n, Op::Sel, steep, emit(n, Op::Add, ir::literal(kHalfPi), ir::negated(r)), r);
    Operand mirrored = emit(n, Op::Add, ir::literal(kPi), ir::negated(r));
    r = emit(n, Op::Sel, emit(n, Op::Slt, x, ir::literal(0)), mirrored, r);
    return emit(n, Op::Sel, emit(n, Op::Slt, y, ir::literal(0)), ir::negated(r), r);
}

}  // namespace tessera::glsl::front
