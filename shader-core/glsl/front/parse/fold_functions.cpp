// Built-in functions of one operand that GLSL ES 3.00 brings and glslang 12 does not fold, though they are constant
// expressions when their operand is one (section 4.3.3): in double precision, rounded where bits are taken.
//
// The linker is told (--wrap, see CMakeLists.txt) that glslang's calls of TIntermConstantUnion::fold() for one operand
// come here first.
#include <glslang/MachineIndependent/localintermediate.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "base/portable_math.h"

using namespace glslang;

namespace portable = tessera::portable;

extern "C" {
TIntermTyped* glslangFoldFunction(const TIntermConstantUnion* operand, TOperator op, const TType& type) asm(
    "__real__ZNK7glslang20TIntermConstantUnion4foldENS_9TOperatorERKNS_5TTypeE");
TIntermTyped* foldFunction(const TIntermConstantUnion* operand, TOperator op, const TType& type) asm(
    "__wrap__ZNK7glslang20TIntermConstantUnion4foldENS_9TOperatorERKNS_5TTypeE");
}

namespace {

using Numbers = std::vector<double>;

double hyperbolic(TOperator op, double x) {
    const double a = std::fabs(x), e = portable::exp(a);
    switch (op) {
        case EOpSinh:
            return std::copysign((e - 1 / e) / 2, x);
        case EOpCosh:
            return (e + 1 / e) / 2;
        case EOpTanh:
            return std::copysign(1 - 2 / (e * e + 1), x);
        case EOpAsinh:
            return std::copysign(portable::log(a + std::sqrt(a * a + 1)), x);
        case EOpAcosh:
            return portable::log(x + std::sqrt(x * x - 1));
        default:
            return std::copysign(portable::log((1 + a) / (1 - a)) / 2, x);
    }
}

uint32_t bitsOf(double x) { return std::bit_cast<uint32_t>(static_cast<float>(x)); }
double valueOf(uint32_t bits) { return std::bit_cast<float>(bits); }

uint32_t pack(TOperator op, double x) {
    if (op == EOpPackHalf2x16) {
        const auto single = static_cast<float>(x);
        return std::isnan(single) ? 0x7e00u : std::bit_cast<uint16_t>(static_cast<_Float16>(single));
    }
    const bool isSigned = op == EOpPackSnorm2x16;
    // As clamp() is: what is no number becomes the least.
    const double least = isSigned ? -1 : 0, atLeast = least < x ? x : least, clamped = atLeast < 1 ? atLeast : 1;
    const double scaled = __builtin_roundeven(clamped * (isSigned ? 32767 : 65535));
    return static_cast<uint32_t>(static_cast<int32_t>(scaled)) & 0xffff;
}

double unpack(TOperator op, uint32_t half) {
    if (op == EOpUnpackHalf2x16) return static_cast<float>(std::bit_cast<_Float16>(static_cast<uint16_t>(half)));
    if (op == EOpUnpackUnorm2x16) return half / 65535.0;
    return std::max(static_cast<int16_t>(half) / 32767.0, -1.0);
}

/// Of the n columns of a square matrix without one row and one column.
double minorOf(const Numbers& m, size_t n, size_t column, size_t row);

double determinant(const Numbers& m, size_t n) {
    if (n == 1) return m[0];
    double sum = 0;
    for (size_t c = 0; c < n; c++) sum += (c % 2 == 0 ? 1 : -1) * m[c * n] * minorOf(m, n, c, 0);
    return sum;
}

double minorOf(const Numbers& m, size_t n, size_t column, size_t row) {
    Numbers rest;
    for (size_t c = 0; c < n; c++)
        for (size_t r = 0; r < n; r++)
            if (c != column && r != row) rest.push_back(m[c * n + r]);
    return determinant(rest, n - 1);
}

TIntermTyped* constantOf(const TIntermConstantUnion* operand, const TConstUnionArray& values, const TType& type) {
    auto* folded = new TIntermConstantUnion(values, type);
    folded->getWritableType().getQualifier().storage = EvqConst;
    folded->setLoc(operand->getLoc());
    return folded;
}

TIntermTyped* foldMatrix(const TIntermConstantUnion* operand, TOperator op, const TType& type) {
    const TConstUnionArray& in = operand->getConstArray();
    const auto columns = static_cast<size_t>(operand->getType().getMatrixCols());
    const auto rows = static_cast<size_t>(operand->getType().getMatrixRows());
    Numbers m, result;
    for (size_t i = 0; i < columns * rows; i++) m.push_back(in[i].getDConst());
    if (op == EOpDeterminant) result.push_back(determinant(m, rows));
    if (op == EOpTranspose)
        for (size_t r = 0; r < rows; r++)
            for (size_t c = 0; c < columns; c++) result.push_back(m[c * rows + r]);
    if (op == EOpMatrixInverse)
        for (size_t c = 0; c < columns; c++)
            for (size_t r = 0; r < rows; r++)
                result.push_back(((c + r) % 2 == 0 ? 1 : -1) * minorOf(m, rows, r, c) / determinant(m, rows));
    TConstUnionArray out(static_cast<int>(result.size()));
    for (size_t i = 0; i < result.size(); i++) out[i].setDConst(result[i]);
    return constantOf(operand, out, type);
}

}  // namespace

TIntermTyped* foldFunction(const TIntermConstantUnion* operand, TOperator op, const TType& type) {
    const TConstUnionArray& in = operand->getConstArray();
    const auto count = static_cast<size_t>(in.size());
    const bool unpacks = op == EOpUnpackSnorm2x16 || op == EOpUnpackUnorm2x16 || op == EOpUnpackHalf2x16;
    TConstUnionArray out(unpacks ? 2 : static_cast<int>(count));
    switch (op) {
        case EOpSinh:
        case EOpCosh:
        case EOpTanh:
        case EOpAsinh:
        case EOpAcosh:
        case EOpAtanh:
            for (size_t i = 0; i < count; i++) out[i].setDConst(hyperbolic(op, in[i].getDConst()));
            break;
        case EOpTrunc:
            for (size_t i = 0; i < count; i++) out[i].setDConst(std::trunc(in[i].getDConst()));
            break;
        case EOpRound:
        case EOpRoundEven:
            for (size_t i = 0; i < count; i++) out[i].setDConst(__builtin_roundeven(in[i].getDConst()));
            break;
        case EOpIsNan:
            for (size_t i = 0; i < count; i++) out[i].setBConst(std::isnan(in[i].getDConst()));
            break;
        case EOpIsInf:
            for (size_t i = 0; i < count; i++) out[i].setBConst(std::isinf(static_cast<float>(in[i].getDConst())));
            break;
        case EOpFloatBitsToInt:
            for (size_t i = 0; i < count; i++) out[i].setIConst(static_cast<int>(bitsOf(in[i].getDConst())));
            break;
        case EOpFloatBitsToUint:
            for (size_t i = 0; i < count; i++) out[i].setUConst(bitsOf(in[i].getDConst()));
            break;
        case EOpIntBitsToFloat:
            for (size_t i = 0; i < count; i++) out[i].setDConst(valueOf(static_cast<uint32_t>(in[i].getIConst())));
            break;
        case EOpUintBitsToFloat:
            for (size_t i = 0; i < count; i++) out[i].setDConst(valueOf(in[i].getUConst()));
            break;
        case EOpPackSnorm2x16:
        case EOpPackUnorm2x16:
        case EOpPackHalf2x16: {
            TConstUnionArray word(1);
            word[0].setUConst(pack(op, in[0].getDConst()) | pack(op, in[1].getDConst()) << 16);
            return constantOf(operand, word, type);
        }
        case EOpUnpackSnorm2x16:
        case EOpUnpackUnorm2x16:
        case EOpUnpackHalf2x16:
            for (size_t i = 0; i < 2; i++) out[i].setDConst(unpack(op, in[0].getUConst() >> (16 * i) & 0xffff));
            break;
        case EOpTranspose:
        case EOpDeterminant:
        case EOpMatrixInverse:
            return foldMatrix(operand, op, type);
        default:
            return glslangFoldFunction(operand, op, type);
    }
    return constantOf(operand, out, type);
}
