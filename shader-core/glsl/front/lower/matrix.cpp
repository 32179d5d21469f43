// Functions of matrices that GLSL ES 3.00 brings (section 8.6): the inverse is the adjugate over the determinant.
#include "shader-core/glsl/front/lower/ast_to_ir.h"

namespace tessera::glsl::front {

using namespace glslang;

namespace {

const ir::Operand& column(const Value& matrix, int c) { return matrix.registers[static_cast<size_t>(c)]; }
ir::Operand at(const Value& matrix, int c, int row) { return ir::component(column(matrix, c), row); }

}  // namespace

/// A vector of scalars.
AstToIr::Operand AstToIr::collect(std::span<const Operand> components) {
    const uint32_t t = b_.newTemp(static_cast<int>(components.size()));
    for (size_t i = 0; i < components.size(); i++)
        b_.emitTo(ir::tempDest(t, static_cast<uint8_t>(1u << i)), Op::Mov, components[i]);
    return b_.tempOperand(t);
}

/// a d - b c
AstToIr::Operand AstToIr::determinantOfTwo(const Operand& a, const Operand& b, const Operand& c, const Operand& d) {
    return emit(1, Op::Mad, ir::negated(b), c, emit(1, Op::Mul, a, d));
}

/// Determinants of rows (0 1), (0 2), (0 3), (1 2), (1 3), (2 3) of two columns.
AstToIr::Minors AstToIr::minors(const Value& matrix) {
    constexpr int kRows[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    Minors m;
    const auto minor = [&](int first, const int(&rows)[2]) {
        return determinantOfTwo(at(matrix, first, rows[0]), at(matrix, first + 1, rows[0]), at(matrix, first, rows[1]),
                                at(matrix, first + 1, rows[1]));
    };
    for (size_t i = 0; i < 6; i++) {
        m.left[i] = minor(0, kRows[i]);
        m.right[i] = minor(2, kRows[i]);
    }
    return m;
}

AstToIr::Operand AstToIr::determinant(const Value& matrix) {
    if (matrix.type.rows == 2)
        return determinantOfTwo(at(matrix, 0, 0), at(matrix, 1, 0), at(matrix, 0, 1), at(matrix, 1, 1));
    if (matrix.type.rows == 3) return dot(column(matrix, 0), cross(column(matrix, 1), column(matrix, 2)), 3);
    const Minors m = minors(matrix);
    Operand sum = emit(1, Op::Mul, m.left[0], m.right[5]);
    for (const auto& [i, negative] : {std::pair<size_t, bool>{1, true}, {2, false}, {3, false}, {4, true}, {5, false}})
        sum = emit(1, Op::Mad, negative ? ir::negated(m.left[i]) : m.left[i], m.right[5 - i], sum);
    return sum;
}

Value AstToIr::inverse(const Value& matrix) {
    const int n = matrix.type.rows;
    Value result{matrix.type, {}};
    const Operand divisor = determinant(matrix);
    const auto addColumn = [&](const Operand& adjugate) {
        result.registers.push_back(emit(n, Op::Div, adjugate, divisor));
    };
    if (n == 2) {
        addColumn(collect(std::array{at(matrix, 1, 1), ir::negated(at(matrix, 0, 1))}));
        addColumn(collect(std::array{ir::negated(at(matrix, 1, 0)), at(matrix, 0, 0)}));
        return result;
    }
    if (n == 3) {
        const std::array<Operand, 3> rows{cross(column(matrix, 1), column(matrix, 2)),
                                          cross(column(matrix, 2), column(matrix, 0)),
                                          cross(column(matrix, 0), column(matrix, 1))};
        for (int c = 0; c < 3; c++)
            addColumn(
                collect(std::array{ir::component(rows[0], c), ir::component(rows[1], c), ir::component(rows[2], c)}));
        return result;
    }
    const Minors m = minors(matrix);
    // Of three entries and the minors that go with them, a x - b y + c z.
    const auto cofactor = [&](const std::array<Operand, 3>& entries, const Operand& x, const Operand& y,
                              const Operand& z, bool negative) {
        const auto sign = [&](const Operand& o, bool minus) { return minus != negative ? ir::negated(o) : o; };
        Operand sum = emit(1, Op::Mul, sign(entries[0], false), x);
        sum = emit(1, Op::Mad, sign(entries[1], true), y, sum);
        return emit(1, Op::Mad, sign(entries[2], false), z, sum);
    };
    for (int c = 0; c < 4; c++) {
        // Column c of the adjugate has the cofactors of row c, for which the other three rows count.
        int rows[3] = {}, count = 0;
        for (int r = 0; r < 4; r++)
            if (r != c) rows[count++] = r;
        const auto minor = [&](const std::array<Operand, 6>& of, int i, int k) {
            constexpr int kNumber[4][4] = {{0, 0, 1, 2}, {0, 0, 3, 4}, {1, 3, 0, 5}, {2, 4, 5, 0}};
            return of[static_cast<size_t>(kNumber[rows[i]][rows[k]])];
        };
        std::vector<Operand> components;
        for (int r = 0; r < 4; r++) {
            const int other = r ^ 1;  // the column that stands beside, whose entries multiply the other pair's minors
            const auto& of = r < 2 ? m.right : m.left;
            const std::array<Operand, 3> entries{at(matrix, other, rows[0]), at(matrix, other, rows[1]),
                                                 at(matrix, other, rows[2])};
            components.push_back(
                cofactor(entries, minor(of, 1, 2), minor(of, 0, 2), minor(of, 0, 1), ((r + c) & 1) != 0));
        }
        addColumn(collect(components));
    }
    return result;
}

Value AstToIr::matrixFunction(TOperator op, std::span<const Value> arguments, const Type& type) {
    const Value& a = arguments[0];
    Value result{type, {}};
    switch (op) {
        case EOpDeterminant:
            return single(type, determinant(a));
        case EOpMatrixInverse:
            return inverse(a);
        case EOpOuterProduct:
            for (int c = 0; c < type.columns; c++)
                result.registers.push_back(
                    emit(type.rows, Op::Mul, a.scalar(), ir::component(arguments[1].scalar(), c)));
            return result;
        default:  // transpose
            for (int c = 0; c < type.columns; c++) {
                std::vector<Operand> row;
                for (int r = 0; r < type.rows; r++) row.push_back(at(a, r, c));
                result.registers.push_back(collect(row));
            }
            return result;
    }
}

}  // namespace tessera::glsl::front
