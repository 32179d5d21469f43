// Built-in functions (chapter 8) but for trigonometry, bits, matrices and texture lookups.
#include <cmath>
#include <numbers>

#include "shader-core/glsl/front/lower/ast_to_ir.h"

namespace tessera::glsl::front {

using namespace glslang;

AstToIr::Operand AstToIr::dot(const Operand& a, const Operand& b, int n) {
    switch (n) {
        case 1:
            return emit(1, Op::Mul, a, b);
        case 2: {
            Operand x = emit(1, Op::Mul, ir::component(a, 0), ir::component(b, 0));
            return emit(1, Op::Mad, ir::component(a, 1), ir::component(b, 1), x);
        }
        case 3:
            return emit(1, Op::Dp3, a, b);
        default:
            return emit(1, Op::Dp4, a, b);
    }
}

AstToIr::Operand AstToIr::all(const Operand& v, int n) {
    if (n == 1) return v;
    Operand r = emit(1, Op::Mul, ir::component(v, 0), ir::component(v, 1));
    for (int i = 2; i < n; i++) r = emit(1, Op::Mul, r, ir::component(v, i));
    return r;
}

AstToIr::Operand AstToIr::any(const Operand& v, int n) {
    if (n == 1) return v;
    Operand r = emit(1, Op::Max, ir::component(v, 0), ir::component(v, 1));
    for (int i = 2; i < n; i++) r = emit(1, Op::Max, r, ir::component(v, i));
    return r;
}

/// As the language words it, "y if y is beyond x, otherwise x", but for a constant, which stands first: then a NaN, for
/// which the language leaves the result open, gives the constant.
AstToIr::Operand AstToIr::extremum(int n, Op op, const Operand& x, const Operand& y, isa::Type type) {
    const bool swaps = y.kind == ir::Kind::Literal && x.kind != ir::Kind::Literal;
    return swaps ? emit(n, op, y, x, {}, type) : emit(n, op, x, y, {}, type);
}

/// Bounds stand first, so that a NaN is clamped to `low`, and a clamp to 0..1 is the saturate modifier.
AstToIr::Operand AstToIr::clamped(int n, const Operand& x, const Operand& low, const Operand& high, isa::Type type) {
    return emit(n, Op::Min, high, emit(n, Op::Max, low, x, {}, type), {}, type);
}

AstToIr::Operand AstToIr::cross(const Operand& a, const Operand& b) {
    auto yzx = [](const Operand& o) { return ir::select(o, {1, 2, 0}); };
    auto zxy = [](const Operand& o) { return ir::select(o, {2, 0, 1}); };
    Operand second = emit(3, Op::Mul, zxy(a), yzx(b));
    return emit(3, Op::Mad, yzx(a), zxy(b), ir::negated(second));
}

/// matrix * vector: columns scaled and summed from the first to the last, each step one fused rounding. Every
/// product of a matrix and a vector in every shader has this form, so equal inputs give equal bits.
AstToIr::Operand AstToIr::transform(const Value& matrix, const Operand& vector) {
    int n = matrix.type.rows;
    Operand sum = emit(n, Op::Mul, matrix.registers[0], ir::component(vector, 0));
    for (int c = 1; c < matrix.type.columns; c++)
        sum = emit(n, Op::Mad, matrix.registers[static_cast<size_t>(c)], ir::component(vector, c), sum);
    return sum;
}

Value AstToIr::builtIn(TOperator op, std::span<const Value> arguments, const Type& type) {
    const Value& a = arguments[0];
    int n = a.type.rows;
    switch (op) {
        case EOpSin:
        case EOpCos:
        case EOpTan:
        case EOpAsin:
        case EOpAcos:
        case EOpAtan: {
            std::vector<Operand> operands;
            for (const Value& v : arguments) operands.push_back(v.scalar());
            return single(type, trigonometric(op, operands, type.rows));
        }
        case EOpSinh:
        case EOpCosh:
        case EOpTanh:
        case EOpAsinh:
        case EOpAcosh:
        case EOpAtanh:
            return single(type, hyperbolic(op, a.scalar(), n));
        case EOpFloatBitsToInt:
        case EOpFloatBitsToUint:
            return single(type, emit(n, Op::Mov, a.scalar()));  // with its sign
        case EOpIntBitsToFloat:
        case EOpUintBitsToFloat:
            return single(type, a.scalar());
        case EOpPackSnorm2x16:
        case EOpPackUnorm2x16:
        case EOpPackHalf2x16:
            return single(type, pack(op, a.scalar()));
        case EOpUnpackSnorm2x16:
        case EOpUnpackUnorm2x16:
        case EOpUnpackHalf2x16:
            return single(type, unpack(op, a.scalar()));
        case EOpOuterProduct:
        case EOpTranspose:
        case EOpDeterminant:
        case EOpMatrixInverse:
            return matrixFunction(op, arguments, type);
        case EOpIsNan:
            return single(type, emit(n, Op::Sne, a.scalar(), a.scalar()));
        case EOpIsInf:
            return single(type, emit(n, Op::Seq, ir::absolute(a.scalar()), infinity()));
        case EOpLessThan:
        case EOpGreaterThan:
        case EOpLessThanEqual:
        case EOpGreaterThanEqual:
        case EOpVectorEqual:
        case EOpVectorNotEqual:
        case EOpEqual:
        case EOpNotEqual:
            return compare(op, a, arguments[1]);
        case EOpAny:
            return single(type, any(a.scalar(), n));
        case EOpAll:
            return single(type, all(a.scalar(), n));
        case EOpVectorLogicalNot:
            return single(type, emit(n, Op::Seq, a.scalar(), ir::literal(0)));
        case EOpMul:
            return arithmetic(EOpMul, a, arguments[1], type);  // matrixCompMult
        case EOpDPdx:
            return single(type, emit(n, Op::Ddx, a.scalar()));
        case EOpDPdy:
            return single(type, emit(n, Op::Ddy, a.scalar()));
        case EOpFwidth: {
            Operand dx = emit(n, Op::Ddx, a.scalar()), dy = emit(n, Op::Ddy, a.scalar());
            return single(type, emit(n, Op::Add, ir::absolute(dx), ir::absolute(dy)));
        }
        case EOpLength:
        case EOpDistance:
        case EOpDot:
        case EOpCross:
        case EOpNormalize:
        case EOpFaceForward:
        case EOpReflect:
        case EOpRefract:
            return geometricFunction(op, arguments, n);
        default:
            return commonFunction(op, arguments, type);
    }
}

/// Component by component; scalar operands combine with every component.
Value AstToIr::commonFunction(TOperator op, std::span<const Value> arguments, const Type& type) {
    const int n = type.rows;
    Operand x = arguments[0].scalar();
    Operand y = arguments.size() > 1 ? arguments[1].scalar() : Operand{};
    Operand z = arguments.size() > 2 ? arguments[2].scalar() : Operand{};
    auto result = [&](const Operand& o) { return single(type, o); };
    const isa::Type t = operationType(type.base);
    constexpr float kLog2E = std::numbers::log2e_v<float>, kLn2 = std::numbers::ln2_v<float>;
    constexpr float kDegree = std::numbers::pi_v<float> / 180.0f;
    switch (op) {
        case EOpRadians:
            return result(emit(n, Op::Mul, x, ir::literal(kDegree)));
        case EOpDegrees:
            return result(emit(n, Op::Mul, x, ir::literal(180.0f / std::numbers::pi_v<float>)));
        case EOpPow:
            return result(emit(n, Op::Pow, x, y));
        case EOpExp:
            return result(emit(n, Op::Ex2, emit(n, Op::Mul, x, ir::literal(kLog2E))));
        case EOpLog:
            return result(emit(n, Op::Mul, emit(n, Op::Lg2, x), ir::literal(kLn2)));
        case EOpExp2:
            return result(emit(n, Op::Ex2, x));
        case EOpLog2:
            return result(emit(n, Op::Lg2, x));
        case EOpSqrt:
            return result(emit(n, Op::Sqt, x));
        case EOpInverseSqrt:
            return result(emit(n, Op::Rsq, x));
        case EOpAbs:
            if (type.isInteger())
                return result(emit(n, Op::Max, x, emit(n, Op::Mul, x, ir::literalInt(-1), {}, t), {}, t));
            return result(emit(n, Op::Mov, ir::absolute(x)));
        case EOpSign: {
            if (type.isInteger()) return result(clamped(n, x, ir::literalInt(-1), ir::literalInt(1), t));
            Operand positive = emit(n, Op::Slt, ir::literal(0), x), negative = emit(n, Op::Slt, x, ir::literal(0));
            return result(emit(n, Op::Add, positive, ir::negated(negative)));
        }
        case EOpFloor:
            return result(emit(n, Op::Flr, x));
        case EOpCeil:
            return result(ir::negated(emit(n, Op::Flr, ir::negated(x))));
        case EOpTrunc:
            return result(emit(n, Op::Trc, x));
        case EOpRound:
        case EOpRoundEven:
            return result(emit(n, Op::Rne, x));
        case EOpFract:
            return result(emit(n, Op::Frc, x));
        case EOpMod: {
            Operand whole = emit(n, Op::Flr, emit(n, Op::Div, x, y));
            return result(emit(n, Op::Mad, ir::negated(whole), y, x));
        }
        case EOpMin:
            return result(extremum(n, Op::Min, x, y, t));
        case EOpMax:
            return result(extremum(n, Op::Max, x, y, t));
        case EOpClamp:
            return result(clamped(n, x, y, z, t));
        case EOpMix: {
            if (arguments[2].type.base == Base::Bool) return result(emit(n, Op::Sel, z, y, x, t));
            Operand rest = emit(n, Op::Add, ir::literal(1), ir::negated(z));
            return result(emit(n, Op::Mad, y, z, emit(n, Op::Mul, x, rest)));
        }
        case EOpStep:
            return result(emit(n, Op::Sge, y, x));
        case EOpSmoothStep: {
            Operand t = emit(n, Op::Div, emit(n, Op::Add, z, ir::negated(x)), emit(n, Op::Add, y, ir::negated(x)));
            t = clamped(n, t, ir::literal(0), ir::literal(1));
            Operand slope = emit(n, Op::Mad, t, ir::literal(-2), ir::literal(3));
            return result(emit(n, Op::Mul, emit(n, Op::Mul, t, t), slope));
        }
        default:
            fail("'' : built-in function not supported");
    }
}

Value AstToIr::geometricFunction(TOperator op, std::span<const Value> arguments, int n) {
    Operand x = arguments[0].scalar();
    Operand y = arguments.size() > 1 ? arguments[1].scalar() : Operand{};
    auto scalar = [&](const Operand& o) { return single(vectorType(Base::Float, 1), o); };
    auto vector = [&](const Operand& o) { return single(vectorType(Base::Float, n), o); };
    auto length = [&](const Operand& v) {
        return n == 1 ? emit(1, Op::Mov, ir::absolute(v)) : emit(1, Op::Sqt, dot(v, v, n));
    };
    switch (op) {
        case EOpLength:
            return scalar(length(x));
        case EOpDistance:
            return scalar(length(emit(n, Op::Add, x, ir::negated(y))));
        case EOpDot:
            return scalar(dot(x, y, n));
        case EOpCross:
            return vector(cross(x, y));
        case EOpNormalize:
            if (n == 1) {
                Operand positive = emit(1, Op::Slt, ir::literal(0), x), negative = emit(1, Op::Slt, x, ir::literal(0));
                return scalar(emit(1, Op::Add, positive, ir::negated(negative)));
            }
            if (n == 3) return vector(emit(3, Op::Nrm, x));
            return vector(emit(n, Op::Mul, x, emit(1, Op::Rsq, dot(x, x, n))));
        case EOpFaceForward: {
            Operand toward = emit(1, Op::Slt, dot(arguments[2].scalar(), y, n), ir::literal(0));
            return vector(emit(n, Op::Sel, toward, x, ir::negated(x)));
        }
        case EOpReflect: {  // I - 2 dot(N, I) N
            Operand d = dot(y, x, n);
            Operand twice = emit(1, Op::Add, d, d);
            return vector(emit(n, Op::Mad, ir::negated(twice), y, x));
        }
        case EOpRefract: {
            Operand eta = arguments[2].scalar();
            Operand d = dot(y, x, n);
            // k = 1 - eta^2 (1 - d^2); below 0 the light is reflected whole and the result is 0
            Operand sine = emit(1, Op::Mad, ir::negated(d), d, ir::literal(1));
            Operand scaled = emit(1, Op::Mul, emit(1, Op::Mul, eta, eta), sine);
            Operand k = emit(1, Op::Add, ir::literal(1), ir::negated(scaled));
            Operand factor = emit(1, Op::Mad, eta, d, emit(1, Op::Sqt, emit(1, Op::Max, k, ir::literal(0))));
            Operand bent = emit(n, Op::Mad, ir::negated(factor), y, emit(n, Op::Mul, eta, x));
            return vector(emit(n, Op::Sel, emit(1, Op::Slt, k, ir::literal(0)), ir::literal(0), bent));
        }
        default:
            fail("'' : built-in function not supported");
    }
}

}  // namespace tessera::glsl::front
