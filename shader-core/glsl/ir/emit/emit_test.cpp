// How many instructions typical shaders take, and what the words hold.
#include <doctest/doctest.h>

#include <chrono>
#include <limits>

#include "shader-core/glsl/ir/builder.h"
#include "shader-core/glsl/ir/ir.h"
#include "shader-core/glsl/ir/optimize/passes.h"

namespace ir = tessera::glsl::ir;
namespace isa = tessera::isa;
using ir::Op;
using ir::Operand;

namespace {

/// A shader under construction, and its code.
struct Shader {
    ir::Module module;
    ir::Builder b{module};
    isa::Program program;
    std::vector<isa::Instruction> code;  ///< without the final ret

    explicit Shader(isa::Stage stage = isa::Stage::Fragment) { module.stage = stage; }

    void compile() {
        REQUIRE(ir::verify(module) == "");
        ir::optimizeFreely(module);
        REQUIRE(ir::verify(module) == "");
        ir::EmitResult result = ir::emit(module);
        REQUIRE(result.error == "");
        program = std::move(result.program);
        REQUIRE(isa::verify(program) == "");
        for (isa::Word word : program.code) code.push_back(*isa::decode(word));
        REQUIRE(code.back().op == Op::Ret);
        code.pop_back();
    }
    [[nodiscard]] int count(Op op) const {
        int n = 0;
        for (const isa::Instruction& i : code) n += i.op == op;
        return n;
    }
    [[nodiscard]] std::string text() const { return ir::print(module); }
};

/// Columns in uniforms first..first + 3, the way AstToIr writes m * v.
Operand transform(ir::Builder& b, uint32_t first, const Operand& v) {
    Operand r = b.mul(4, ir::uniformOperand(first), ir::component(v, 0));
    for (int c = 1; c < 4; c++)
        r = b.mad(4, ir::uniformOperand(first + static_cast<uint32_t>(c)), ir::component(v, c), r);
    return r;
}

}  // namespace

TEST_CASE("mat4 * vec4 takes four instructions") {
    Shader s(isa::Stage::Vertex);
    Operand p = transform(s.b, 0, ir::inputOperand(0));
    s.b.emitTo(ir::outputDest(0), Op::Mov, p);
    s.compile();
    CHECK_MESSAGE(s.code.size() == 4, s.text());
    CHECK(s.program.tempCount == 1);
}

TEST_CASE("divisions of integer constants are folded as the ISA defines them") {
    const uint32_t least = 0x80000000u, minusOne = ~0u;
    const struct {
        Op op;
        ir::Type type;
        uint32_t a, b, result;
    } rows[] = {
        {Op::Div, ir::Type::I32, static_cast<uint32_t>(-7), 2, static_cast<uint32_t>(-3)},
        {Op::Mod, ir::Type::I32, static_cast<uint32_t>(-7), 2, minusOne},
        {Op::Div, ir::Type::U32, minusOne, 2, 0x7FFFFFFFu},
        {Op::Div, ir::Type::I32, least, minusOne, least},
        {Op::Mod, ir::Type::I32, least, minusOne, 0},
        {Op::Div, ir::Type::I32, 7, 0, minusOne},  // docs/isa.md
        {Op::Mod, ir::Type::U32, 7, 0, 7},
    };
    for (const auto& row : rows) {
        ir::Instruction i;
        i.op = row.op, i.type = row.type;
        i.dst = ir::outputDest(0);
        i.src[0] = ir::literalBits({row.a, row.a, row.a, row.a});
        i.src[1] = ir::literalBits({row.b, row.b, row.b, row.b});
        CHECK(ir::simplifyInstruction(i));
        CHECK(i.op == Op::Mov);
        CHECK(i.src[0].literal == std::array{row.result, row.result, row.result, row.result});
    }
}

TEST_CASE("mat4 * vec4(position, 1) multiplies three columns and adds the fourth") {
    Shader s(isa::Stage::Vertex);
    uint32_t v = s.b.newTemp(4);
    s.b.emitTo(ir::tempDest(v, 0x7), Op::Mov, ir::inputOperand(0, 3));
    s.b.emitTo(ir::tempDest(v, 0x8), Op::Mov, ir::literal(1.0f));
    s.b.emitTo(ir::outputDest(0), Op::Mov, transform(s.b, 0, s.b.tempOperand(v)));
    s.compile();
    CHECK_MESSAGE(s.code.size() == 4, s.text());
    CHECK(s.count(Op::Mad) == 2);
    CHECK(s.count(Op::Add) == 1);
    CHECK(s.program.literals.empty());
}

TEST_CASE("a product and a sum are not fused") {
    Shader s;
    Operand p = s.b.mul(4, ir::inputOperand(0), ir::inputOperand(1));
    s.b.emitTo(ir::outputDest(0), Op::Add, p, ir::inputOperand(2));
    s.compile();
    CHECK(s.code.size() == 2);
    CHECK(s.count(Op::Mad) == 0);
}

TEST_CASE("a Phong shader has no moves") {
    Shader s;
    ir::Builder& b = s.b;
    auto variable = [&](int n, const Operand& value) {
        uint32_t t = b.newTemp(n);
        b.emitTo(ir::tempDest(t, ir::maskOfSize(n)), Op::Mov, value);
        return b.tempOperand(t);
    };
    Operand n = variable(3, b.nrm(3, ir::inputOperand(0, 3)));
    Operand l = variable(3, b.nrm(3, b.sub(3, ir::uniformOperand(0, 3), ir::inputOperand(1, 3))));
    Operand v = variable(3, b.nrm(3, ir::negated(ir::inputOperand(1, 3))));
    Operand diffuse = variable(1, b.max(1, b.dp3(n, l), ir::literal(0.0f)));
    // reflect(-l, n) = -l - 2 dot(n, -l) n
    Operand twice = b.mul(1, b.dp3(n, ir::negated(l)), ir::literal(2.0f));
    Operand r = variable(3, b.sub(3, ir::negated(l), b.mul(3, twice, n)));
    Operand specular = variable(1, b.pow(1, b.max(1, b.dp3(r, v), ir::literal(0.0f)), ir::uniformOperand(3, 1)));
    Operand texel = variable(4, b.texture(Op::Tex, {}, ir::inputOperand(2, 2)));
    Operand base = b.mul(3, texel, diffuse);
    Operand colour = variable(3, b.add(3, base, b.mul(3, ir::uniformOperand(4, 3), specular)));
    uint32_t result = b.newTemp(4);
    b.emitTo(ir::tempDest(result, 0x7), Op::Mov, colour);
    b.emitTo(ir::tempDest(result, 0x8), Op::Mov, ir::component(texel, 3));
    b.emitTo(ir::outputDest(0), Op::Mov, b.tempOperand(result));
    s.compile();
    // 3 nrm, sub, dp3, max, dp3, mul 2, mul n, sub, dp3, max, pow, tex, 2 mul, add: 17; alpha is a move.
    CHECK_MESSAGE(s.count(Op::Mov) <= 1, s.text());
    CHECK_MESSAGE(s.code.size() <= 18, s.text());
    CHECK(s.program.tempCount <= 6);
}

TEST_CASE("clamp to 0..1 is the saturate modifier, which the producer takes") {
    Shader s;
    Operand x = s.b.add(4, ir::inputOperand(0), ir::inputOperand(1));
    s.b.emitTo(ir::outputDest(0), Op::Min, ir::literal(1.0f), s.b.max(4, ir::literal(0.0f), x));
    s.compile();
    REQUIRE_MESSAGE(s.code.size() == 1, s.text());
    CHECK(s.code[0].op == Op::Add);
    CHECK(s.code[0].saturate);
}

TEST_CASE("other orders of min and max treat NaN differently and stay") {
    Shader first;  // 1 for NaN
    Operand x = first.b.min(4, ir::literal(1.0f), ir::inputOperand(0));
    first.b.emitTo(ir::outputDest(0), Op::Max, ir::literal(0.0f), x);
    first.compile();
    CHECK(first.code.size() == 2);
    Shader second;  // NaN for NaN
    x = second.b.max(4, ir::inputOperand(0), ir::literal(0.0f));
    second.b.emitTo(ir::outputDest(0), Op::Min, ir::literal(1.0f), x);
    second.compile();
    CHECK(second.code.size() == 2);
}

TEST_CASE("pow with a constant exponent that is whole or a half is products") {
    const auto compiled = [](const Operand& y, int components = 1) {
        Shader s;
        s.b.emitTo(ir::outputDest(0, ir::maskOfSize(components)), Op::Pow, ir::inputOperand(0, components), y);
        s.compile();
        return s;
    };
    const auto check = [&](float y, int products, int roots, int reciprocals) {
        CAPTURE(y);
        const Shader s = compiled(ir::literal(y));
        CHECK_MESSAGE(s.count(Op::Mul) == products, s.text());
        CHECK(s.count(Op::Sqt) == roots);
        CHECK(s.count(Op::Rcp) == reciprocals);
        CHECK(s.count(Op::Pow) == 0);
    };
    check(2, 1, 0, 0);
    check(32, 5, 0, 0);
    check(7, 4, 0, 0);
    check(0.5f, 0, 1, 0);
    check(2.5f, 2, 1, 0);
    check(-1, 0, 0, 1);
    check(-1.5f, 1, 1, 1);
    check(1, 0, 0, 0);
    check(-0.0f, 0, 0, 0);
    check(1024, 10, 0, 0);
    for (const float y : {2.2f, 1025.0f, 511.0f, 0.25f, std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN()}) {
        CAPTURE(y);
        CHECK(compiled(ir::literal(y)).count(Op::Pow) == 1);
    }
    const Shader mixed = compiled(ir::literal(2, 3, 2), 3);
    CHECK_MESSAGE(mixed.count(Op::Pow) == 0, mixed.text());
    CHECK_MESSAGE(mixed.count(Op::Mul) <= 3, mixed.text());
    CHECK(compiled(ir::uniformOperand(0, 1)).count(Op::Pow) == 1);
}

TEST_CASE("alpha test: the comparison writes the predicate of the kil") {
    Shader s;
    s.b.beginIf(s.b.slt(1, ir::inputOperand(0, 1), ir::uniformOperand(0, 1)));
    s.b.kil();
    s.b.endIf();
    s.b.emitTo(ir::outputDest(0), Op::Mov, ir::inputOperand(0));
    s.compile();
    REQUIRE_MESSAGE(s.code.size() == 3, s.text());
    CHECK(s.code[0].dst.file == isa::File::P);
    CHECK(s.code[1].op == Op::Kil);
    CHECK(s.code[1].guard == s.code[0].dst.index);
}

TEST_CASE("a small if becomes guarded instructions") {
    Shader s;
    uint32_t t = s.b.newTemp(4);
    s.b.beginIf(s.b.slt(1, ir::inputOperand(0, 1), ir::literal(0.5f)));
    s.b.emitTo(ir::tempDest(t), Op::Add, ir::inputOperand(1), ir::uniformOperand(0));
    s.b.beginElse();
    s.b.emitTo(ir::tempDest(t), Op::Mul, ir::inputOperand(1), ir::uniformOperand(1));
    s.b.endIf();
    s.b.emitTo(ir::outputDest(0), Op::Mul, s.b.tempOperand(t), ir::inputOperand(2));
    s.compile();
    REQUIRE_MESSAGE(s.code.size() == 4, s.text());
    CHECK(s.code[1].guard != 0);
    CHECK_FALSE(s.code[1].guardNegate);
    CHECK(s.code[2].guardNegate);
}

TEST_CASE("literals: immediates where they fit, else packed constants that share values and signs") {
    Shader s;
    s.module.uniforms.push_back({.name = "u", .type = isa::VarType::Mat4, .reg = 3});
    Operand x = s.b.add(4, ir::inputOperand(0), ir::literal(0.5f));
    x = s.b.mad(4, x, ir::literal(3.0f), ir::literal(0.25f));
    x = s.b.mad(4, x, ir::inputOperand(1), ir::literal(-0.25f));
    x = s.b.mad(4, x, ir::inputOperand(2), ir::literal(3.0f, 0.25f, 7.0f, 8.0f));
    s.b.emitTo(ir::outputDest(0), Op::Mov, x);
    s.compile();
    CHECK(s.code[0].src[1].file == isa::File::I);
    CHECK(s.code[0].immediate == 0x3F000000);
    CHECK(s.code[2].src[2].negate);
    REQUIRE(s.program.literals.size() == 1);
    CHECK(s.program.literals[0].reg == 7);
    CHECK((s.program.literals[0].bits == std::array<uint32_t, 4>{0x40400000, 0x3E800000, 0x40E00000, 0x41000000}));
    CHECK(s.program.constantCount == 8);
}

TEST_CASE("literals beyond the constant registers are built from immediates") {
    Shader s;
    s.module.uniforms.push_back({.name = "u", .type = isa::VarType::Vec4, .arraySize = 512, .reg = 0});
    Operand x = s.b.mad(4, ir::inputOperand(0), ir::literal(1, 2, 3, 4), ir::literal(5.0f));
    s.b.emitTo(ir::outputDest(0), Op::Mov, x);
    s.compile();
    CHECK(s.program.literals.empty());
    CHECK(s.code.size() == 6);
    CHECK(s.count(Op::Mov) == 5);
}

TEST_CASE("one load of the address register serves equal indices") {
    Shader s;
    Operand i = s.b.f2i(1, ir::inputOperand(0, 1));
    Operand a = ir::indexed(ir::uniformOperand(0), i, 0, 8), c = ir::indexed(ir::uniformOperand(8), i, 8, 8);
    s.b.emitTo(ir::outputDest(0), Op::Mul, s.b.mul(4, a, ir::inputOperand(1)), c);
    s.compile();
    int loads = 0;
    for (const isa::Instruction& w : s.code) loads += w.dst.file == isa::File::A;
    CHECK(loads == 1);
    CHECK_MESSAGE(s.code.size() == 4, s.text());
}

TEST_CASE("registers that only an index reaches are counted") {
    Shader s;
    uint32_t first = s.module.arrays[s.b.newArray(6, 4)].firstTemp;
    Operand i = s.b.f2i(1, ir::inputOperand(0, 1));
    s.b.emitTo(ir::indexed(ir::tempDest(first), i, first, 6), Op::Mov, ir::inputOperand(1));
    s.b.emitTo(ir::outputDest(0), Op::Mov, ir::indexed(s.b.tempOperand(first), i, first, 6));
    s.compile();
    CHECK(s.program.tempCount >= 6);
}

TEST_CASE("two indices in one instruction take a copy") {
    Shader s;
    Operand i = s.b.f2i(2, ir::inputOperand(0, 2));
    Operand a = ir::indexed(ir::uniformOperand(0), ir::component(i, 0), 0, 8);
    Operand c = ir::indexed(ir::uniformOperand(8), ir::component(i, 1), 8, 8);
    s.b.emitTo(ir::outputDest(0), Op::Mul, a, c);
    s.compile();
    CHECK_MESSAGE(s.code.size() == 5, s.text());
}

TEST_CASE("a constant added to an index goes to the register number") {
    Shader s;
    Operand row = s.b.f2i(1, ir::inputOperand(0));
    Operand next = s.b.emit(1, Op::Add, row, ir::literalInt(1), {}, isa::Type::I32);
    Operand a = s.b.emit(4, Op::Mov, ir::indexed(ir::uniformOperand(4), row, 4, 8));
    Operand b = s.b.emit(4, Op::Mov, ir::indexed(ir::uniformOperand(4), next, 4, 8));
    s.b.emitTo(ir::outputDest(0), Op::Add, a, b);
    s.compile();
    CHECK_MESSAGE(s.count(Op::Mov) == 2, s.text());  // a0, and one element
    CHECK(s.code.size() == 4);
}

TEST_CASE("a loop over a uniform array is unrolled and its indices become constants") {
    Shader s;
    uint32_t sum = s.b.newTemp(4), counter = s.b.newTemp(1);
    s.b.emitTo(ir::tempDest(sum), Op::Mov, ir::literal(0.0f));
    s.b.emitTo(ir::tempDest(counter, 1), Op::Mov, ir::literal(0.0f));
    s.b.beginLoop();
    s.b.brk(s.b.slt(1, s.b.tempOperand(counter), ir::literal(4.0f)), true);
    Operand u = ir::indexed(ir::uniformOperand(0), s.b.f2i(1, s.b.tempOperand(counter)), 0, 4);
    s.b.emitTo(ir::tempDest(sum), Op::Mad, u, ir::inputOperand(0), s.b.tempOperand(sum));
    s.b.emitTo(ir::tempDest(counter, 1), Op::Add, s.b.tempOperand(counter), ir::literal(1.0f));
    s.b.endLoop();
    s.b.emitTo(ir::outputDest(0), Op::Mov, s.b.tempOperand(sum));
    s.compile();
    CHECK_MESSAGE(s.code.size() == 4, s.text());
    CHECK(s.count(Op::Mad) == 4);
}

TEST_CASE("what follows from the counter does not count when a loop is unrolled") {
    // Sixteen iterations of some twenty instructions: cosines of the counter, or of an input.
    for (const bool ofCounter : {true, false}) {
        Shader s;
        uint32_t sum = s.b.newTemp(1), counter = s.b.newTemp(1);
        s.b.emitTo(ir::tempDest(sum, 1), Op::Mov, ir::literal(0.0f));
        s.b.emitTo(ir::tempDest(counter, 1), Op::Mov, ir::literal(0.0f));
        s.b.beginLoop();
        s.b.brk(s.b.slt(1, s.b.tempOperand(counter), ir::literal(16.0f)), true);
        Operand x = ofCounter ? s.b.tempOperand(counter) : ir::component(ir::inputOperand(0), 0);
        for (int n = 0; n < 16; n++) x = s.b.cos(1, s.b.add(1, x, s.b.tempOperand(counter)));
        s.b.emitTo(ir::tempDest(sum, 1), Op::Mad, ir::component(ir::inputOperand(0), 1), x, s.b.tempOperand(sum));
        s.b.emitTo(ir::tempDest(counter, 1), Op::Add, s.b.tempOperand(counter), ir::literal(1.0f));
        s.b.endLoop();
        s.b.emitTo(ir::outputDest(0), Op::Mov, s.b.tempOperand(sum));
        s.compile();
        CHECK_MESSAGE(s.count(Op::Loop) == (ofCounter ? 0 : 1), s.text());
        CHECK(s.count(Op::Cos) == (ofCounter ? 0 : 16));
        if (ofCounter) CHECK(s.count(Op::Mad) == 16);
    }
}

TEST_CASE("scalar operations on one register become a vector operation") {
    Shader s;
    uint32_t t = s.b.newTemp(4);
    for (int c = 0; c < 4; c++) {
        Operand x = s.b.mul(1, ir::component(ir::inputOperand(0), 3 - c), ir::component(ir::uniformOperand(0), c));
        s.b.emitTo(ir::tempDest(t, static_cast<uint8_t>(1 << c)), Op::Mov, x);
    }
    s.b.emitTo(ir::outputDest(0), Op::Mov, s.b.tempOperand(t));
    s.compile();
    REQUIRE_MESSAGE(s.code.size() == 1, s.text());
    CHECK(s.code[0].src[0].swizzle == isa::makeSwizzle(3, 2, 1, 0));
    CHECK(s.code[0].dst.writeMask == 0xF);
}

TEST_CASE("scalars and pairs share registers") {
    Shader s;
    std::vector<Operand> values;
    for (uint32_t n = 0; n < 8; n++) values.push_back(s.b.sin(1 + static_cast<int>(n % 2), ir::inputOperand(n, 2)));
    Operand sum = values[0];
    for (size_t n = 1; n < values.size(); n++) sum = s.b.add(2, sum, values[n]);
    s.b.emitTo(ir::outputDest(0), Op::Mov, sum);
    s.compile();
    CHECK(s.program.tempCount == 3);  // 4 scalars and 4 pairs: 12 components
}

TEST_CASE("limits end in a message") {
    Shader s;
    std::vector<Operand> values;
    for (int n = 0; n < 530; n++) values.push_back(s.b.add(4, ir::inputOperand(0), ir::literal(float(n), 1, 2, 3)));
    Operand sum = ir::literal(0.0f);
    for (const Operand& v : values) sum = s.b.add(4, sum, v);
    s.b.emitTo(ir::outputDest(0), Op::Mov, sum);
    CHECK(ir::emit(s.module).error.find("too many temporaries") == 0);

    Shader deep;
    for (int n = 0; n < 65; n++) deep.b.beginIf(ir::inputOperand(0, 1));
    for (int n = 0; n < 65; n++) deep.b.endIf();
    CHECK(ir::emit(deep.module).error.find("control flow nested too deeply") == 0);
}

TEST_CASE("five thousand instructions compile in a moment") {
    Shader s;
    std::vector<Operand> values{ir::inputOperand(0), ir::inputOperand(1)};
    uint32_t variable = s.b.newTemp(4);
    s.b.emitTo(ir::tempDest(variable), Op::Mov, ir::inputOperand(2));
    for (uint32_t n = 0; n < 1600; n++) {
        values.push_back(s.b.mul(4, values[values.size() - 1 - n % 2], ir::literal(1.0f + float(n % 100), 2, 3, 4)));
        if (n % 16 == 0) s.b.beginIf(values.back());
        s.b.emitTo(ir::tempDest(variable), Op::Add, s.b.tempOperand(variable), values.back());
        if (n % 16 == 7) s.b.endIf();
        if (n % 16 == 7) values = {ir::inputOperand(n % 5), s.b.tempOperand(variable)};
    }
    s.b.emitTo(ir::outputDest(0), Op::Mov, s.b.tempOperand(variable));
    auto start = std::chrono::steady_clock::now();
    s.compile();
    auto time = std::chrono::steady_clock::now() - start;
    CHECK(time < std::chrono::seconds(2));  // some milliseconds; a quadratic pass would take far longer
    MESSAGE(s.code.size() << " instructions in " << std::chrono::duration_cast<std::chrono::microseconds>(time).count()
                          << " us");
}
