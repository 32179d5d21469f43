// The verifier refuses each breach of the contract, the printer shows what it is told, renumbering keeps arrays.
#include <doctest/doctest.h>

#include <functional>

#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/builder.h"
#include "shader-core/glsl/ir/ir.h"

namespace ir = tessera::glsl::ir;
namespace isa = tessera::isa;
using ir::Op;

namespace {

ir::Module fragment(const std::function<void(ir::Builder&)>& write) {
    ir::Module module;
    module.stage = isa::Stage::Fragment;
    ir::Builder b(module);
    write(b);
    return module;
}

void refuses(const char* why, const std::function<void(ir::Builder&)>& write) {
    std::string problem = ir::verify(fragment(write));
    CHECK_MESSAGE(problem.find(why) != std::string::npos, std::string(why) << " expected, got \"" << problem << "\"");
}

}  // namespace

TEST_CASE("a sound module is accepted") {
    ir::Module module = fragment([](ir::Builder& b) {
        ir::Operand x = b.mul(3, ir::inputOperand(0, 3), ir::literal(2.0f));
        b.beginLoop();
        b.brk(b.slt(1, x, ir::literal(1.0f)));
        b.beginIf(x, true);
        b.kil();
        b.beginElse();
        b.cont(x);
        b.endIf();
        b.endLoop();
        b.emitTo(ir::outputDest(0, 7), Op::Mov, x);
        b.ret();
    });
    CHECK(ir::verify(module) == "");
}

TEST_CASE("breaches are refused") {
    refuses("temp out of range", [](auto& b) { b.mov(4, ir::registerOperand(ir::Kind::Temp, 7)); });
    refuses("reads a component that does not exist", [](auto& b) {
        uint32_t t = b.newTemp(1);
        b.mov(2, ir::registerOperand(ir::Kind::Temp, t, 2));
    });
    refuses("a component is written that does not exist",
            [](auto& b) { b.emitTo(ir::tempDest(b.newTemp(2), 0x4), Op::Mov, ir::literal(1.0f)); });
    refuses("a source is missing", [](auto& b) { b.emit(1, Op::Add, ir::literal(1.0f)); });
    refuses("too many sources", [](auto& b) { b.emit(1, Op::Mov, ir::literal(1.0f), ir::literal(1.0f)); });
    refuses("the destination must be", [](auto& b) { b.emitTo(ir::Dest{}, Op::Mov, ir::literal(1.0f)); });
    refuses("no destination expected", [](auto& b) { b.append(Op::Kil).dst = ir::tempDest(b.newTemp(1)); });
    refuses("no condition expected", [](auto& b) { b.control(Op::Ret, ir::literal(1.0f)); });
    refuses("an if needs a condition", [](auto& b) { b.beginIf(ir::Operand{}); });
    refuses("else without if", [](auto& b) { b.beginElse(); });
    refuses("endif without if", [](auto& b) { b.endIf(); });
    refuses("endloop without loop", [](auto& b) {
        b.beginIf(ir::literal(1.0f));
        b.endLoop();
    });
    refuses("outside of a loop", [](auto& b) { b.brk(); });
    refuses("left open", [](auto& b) { b.beginLoop(); });
    refuses("calls name a function", [](auto& b) { b.control(Op::Call); });
    refuses("type not allowed", [](auto& b) { b.emit(1, Op::Rcp, ir::literal(1.0f), {}, {}, isa::Type::I32); });
    refuses("only floats are saturated", [](auto& b) {
        b.emit(1, Op::Add, ir::literalInt(1), ir::literalInt(2), {}, isa::Type::I32);
        b.module().code.back().saturate = true;
    });
    refuses("must be in an array", [](auto& b) {
        ir::Operand i = b.f2i(1, ir::literal(1.0f));
        uint32_t t = b.newTemp(4);
        b.mov(4, ir::indexed(b.tempOperand(t), i, t, 1));
    });
    refuses("leaves the array", [](auto& b) {
        ir::Operand i = b.f2i(1, ir::literal(1.0f));
        uint32_t first = b.module().arrays[b.newArray(3, 4)].firstTemp;
        b.mov(4, ir::indexed(b.tempOperand(first), i, first, 4));
    });
    refuses("no texture unit expected", [](auto& b) {
        b.mov(1, ir::literal(1.0f));
        b.module().code.back().sampler = 1;
    });
    ir::Module vertex = fragment([](auto& b) { b.kil(); });
    vertex.stage = isa::Stage::Vertex;
    CHECK(ir::verify(vertex).find("only fragment shaders") != std::string::npos);
}

TEST_CASE("breaches of what temporaries, arrays and registers are, are refused") {
    for (const uint8_t size : {uint8_t{0}, uint8_t{5}})
        refuses("has no size", [&](auto& b) { b.module().temps[b.newTemp(1)].components = size; });
    refuses("names no array", [](auto& b) { b.module().temps[b.newTemp(1)].array = 3; });
    refuses("is not in its array", [](auto& b) {
        const uint32_t array = b.newArray(2, 4);
        b.module().temps[b.newTemp(4)].array = array;
    });
    for (const uint32_t count : {0u, 4u})
        refuses("array 0 is out of range", [&](auto& b) {
            ir::Array& array = b.module().arrays[b.newArray(3, 4)];
            for (uint32_t t = 0; count == 0 && t < 3; ++t) b.module().temps[array.firstTemp + t].array = ir::kNone;
            array.count = count;
        });
    refuses("does not name its array", [](auto& b) {
        const uint32_t first = b.module().arrays[b.newArray(3, 4)].firstTemp;
        b.module().temps[first + 2].array = ir::kNone;
    });
    const auto reads = [](ir::Builder& b, ir::Operand source) { b.emitTo(ir::outputDest(0), Op::Mov, source); };
    const auto relative = [](ir::Operand to, uint32_t temp, uint8_t component = 0) {
        to.relative = temp, to.relativeComponent = component;
        to.arrayFirst = to.index, to.arrayCount = 2;
        return to;
    };
    refuses("the index is no temp", [&](auto& b) { reads(b, relative(ir::uniformOperand(2), 7)); });
    refuses("the index component does not exist",
            [&](auto& b) { reads(b, relative(ir::uniformOperand(2), b.newTemp(2), 2)); });
    refuses("this kind cannot be indexed", [&](auto& b) { reads(b, relative(ir::literal(1.0f), b.newTemp(1))); });
    refuses("empty index range", [&](auto& b) {
        ir::Operand none = relative(ir::uniformOperand(2), b.newTemp(1));
        none.arrayCount = 0;
        reads(b, none);
    });
    refuses("special register out of range",
            [&](auto& b) { reads(b, ir::registerOperand(ir::Kind::Special, isa::kSpecials)); });
    refuses("register out of range", [&](auto& b) { reads(b, ir::uniformOperand(1u << 16)); });
    refuses("row out of range", [&](auto& b) {
        b.module().table.resize(3);
        reads(b, ir::registerOperand(ir::Kind::Table, 3));
    });
    refuses("row out of range", [&](auto& b) {
        b.module().table.resize(3);
        reads(b, relative(ir::registerOperand(ir::Kind::Table, 2), b.newTemp(1)));
    });
    refuses("the write mask is empty",
            [](auto& b) { b.emitTo(ir::tempDest(b.newTemp(4), 0), Op::Mov, ir::literal(1.0f)); });
    refuses("a missing condition is not negated", [](auto& b) { b.control(Op::Ret, {}, true); });
    refuses("only fragment shaders", [](auto& b) {
        b.mov(1, ir::literal(1.0f));
        b.module().code.back().op = Op::Ddx;
        b.module().stage = isa::Stage::Vertex;
    });
    for (const auto& [unit, why] : {std::pair{1u << 16, "texture unit out of range"}, {0u, "no such target"}})
        refuses(why, [&, unit = unit](auto& b) {
            const ir::Operand place = b.mov(2, ir::literal(1.0f));
            b.texture(Op::Tex, {.unit = unit}, place);
            if (unit == 0)
                b.module().code.back().target =
                    static_cast<isa::TextureTarget>(static_cast<int>(isa::kLastTextureTarget) + 1);
        });
}

TEST_CASE("the text shows operands, modifiers, indices and lines") {
    ir::Module module = fragment([](ir::Builder& b) {
        b.setLine(7);
        ir::Operand i = b.f2i(1, ir::inputOperand(0, 1));
        b.setLine(12);
        ir::Operand u = ir::indexed(ir::uniformOperand(2), i, 2, 4);
        b.emitTo(ir::outputDest(0, 0x7), Op::Add, ir::negated(ir::absolute(u)), ir::literal(0.5f, 1, 2));
        b.module().code.back().saturate = true;
    });
    std::string text = ir::print(module);
    CHECK(text.find("    7  f2i.i32 t0.x, v0.x\n") != std::string::npos);
    CHECK(text.find("   12  add.sat o0.xyz, -|c[2 + t0.x in 2..5]|.xyz, (0.5, 1, 2)\n") != std::string::npos);
}

TEST_CASE("renumbering moves registers, arrays as a whole, and usage() sees the result") {
    ir::Module module = fragment([](ir::Builder& b) {
        ir::Operand i = b.f2i(1, ir::inputOperand(3, 1));
        ir::Operand u = ir::indexed(ir::uniformOperand(1), i, 1, 2);
        ir::Operand t = b.texture(Op::Tex, {.unit = 1}, ir::inputOperand(0, 2));
        b.emitTo(ir::outputDest(0), Op::Mul, u, t);
    });
    using Map = std::vector<uint32_t>;
    ir::remap(module, Map{2, ir::kNone, ir::kNone, 0}, Map{4}, Map{ir::kNone, 5, 6}, Map{0, 9});
    ir::Usage usage = ir::usage(module);
    CHECK(usage.inputs == 0b101);
    CHECK(usage.outputs == 0b10000);
    CHECK(usage.samplerUnits == 1u << 9);
    CHECK((usage.uniformSlots == std::vector<bool>{false, false, false, false, false, true, true}));
    CHECK(module.code[2].src[0].index == 5);
    CHECK(module.code[2].src[0].arrayFirst == 5);
    CHECK(ir::verify(module) == "");
}

TEST_CASE("the fast facts about operations are those of the ISA's table") {
    for (int n = 0; n < isa::kOpCount; n++) {
        Op op = static_cast<Op>(n);
        isa::Shape shape = isa::opInfo(op).shape;
        CHECK(ir::writesResult(op) == isa::hasDestination(shape));
        CHECK(ir::isTextureOp(op) == isa::isTexture(shape));
        CHECK(ir::sourceCountOf(op) == isa::sourceCount(shape));
    }
}
