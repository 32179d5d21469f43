// Functions of GLSL ES 3.00 that pack floats into the bits of an integer and take them out (section 8.4).
#include "shader-core/glsl/front/lower/ast_to_ir.h"

namespace tessera::glsl::front {

using namespace glslang;

namespace {

constexpr float kSignedNorm = 32767, kUnsignedNorm = 65535;

}  // namespace

/// x in the lower half of the word, y in the upper; normalised values rounded to the nearest, ties to even.
AstToIr::Operand AstToIr::pack(TOperator op, const Operand& v) {
    const auto normalised = [&](float low, float scale, isa::Type type) {
        const Operand scaled = emit(2, Op::Mul, clamped(2, v, ir::literal(low), ir::literal(1)), ir::literal(scale));
        return emit(2, Op::F2i, emit(2, Op::Rne, scaled), {}, {}, type);
    };
    const Operand halves = op == EOpPackHalf2x16    ? emit(2, Op::F2h, v, {}, {}, isa::Type::U32)
                           : op == EOpPackSnorm2x16 ? normalised(-1, kSignedNorm, isa::Type::I32)
                                                    : normalised(0, kUnsignedNorm, isa::Type::U32);
    const Operand low = emit(1, Op::And, ir::component(halves, 0), ir::literalInt(0xffff), {}, isa::Type::U32);
    const Operand high = emit(1, Op::Shl, ir::component(halves, 1), ir::literalInt(16), {}, isa::Type::U32);
    return emit(1, Op::Or, low, high, {}, isa::Type::U32);
}

AstToIr::Operand AstToIr::unpack(TOperator op, const Operand& bits) {
    const isa::Type type = op == EOpUnpackSnorm2x16 ? isa::Type::I32 : isa::Type::U32;
    // What the lower half needs for its sign is shifted up first.
    const Operand places = ir::literalBits({16, 0, 0, 0});
    const Operand raised = emit(2, Op::Shl, ir::component(bits, 0), places, {}, isa::Type::U32);
    const Operand halves = emit(2, Op::Shr, raised, ir::literalInt(16), {}, type);
    if (op == EOpUnpackHalf2x16) return emit(2, Op::H2f, halves, {}, {}, isa::Type::U32);
    const Operand numbers = emit(2, Op::I2f, halves, {}, {}, type);
    if (op == EOpUnpackUnorm2x16) return emit(2, Op::Div, numbers, ir::literal(kUnsignedNorm));
    return clamped(2, emit(2, Op::Div, numbers, ir::literal(kSignedNorm)), ir::literal(-1), ir::literal(1));
}

}  // namespace tessera::glsl::front
