#include "shader-core/isa/program.h"
#include "shader-core/isa/debug_info.h"

#include <doctest/doctest.h>

#include <chrono>
#include <random>

#include "shader-core/isa/built_in_uniforms.h"
#include "shader-core/isa/testing/random_instruction.h"

namespace tessera::isa {
namespace {

Instruction control(Op op, int target = 0, int guard = 0) {
    Instruction i;
    i.op = op;
    i.target = static_cast<uint16_t>(target);
    i.guard = static_cast<uint8_t>(guard);
    return i;
}

Instruction move(Destination dst, Source src) {
    Instruction i;
    i.op = Op::Mov;
    i.dst = dst;
    i.src[0] = src;
    return i;
}

Program programOf(const std::vector<Instruction>& code, Stage stage = Stage::Fragment) {
    Program p;
    p.stage = stage;
    for (const Instruction& i : code) p.code.push_back(encode(i));
    deriveUsage(p);
    return p;
}

std::string verdict(const std::vector<Instruction>& code, Stage stage = Stage::Fragment) {
    return verify(programOf(code, stage));
}

Program richProgram() {
    Program p = programOf({move({File::R, 3}, {File::V, 1}), control(Op::If, 3, 1), move({File::O, 0}, {File::C, 9}),
                           control(Op::Endif), control(Op::Loop, 6), control(Op::Brk, 6, 2), control(Op::Endloop, 4),
                           control(Op::Call, 9), control(Op::Ret), control(Op::Kil, 0, 1), control(Op::Ret)});
    p.lines = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    p.source = "void main() {}\n";
    p.literals = {{9, {0x3f800000, 1, 2, 0x7fc00001}}};
    p.varyings = {{"v_color", VarType::Vec4, Precision::Medium, 0, 1}};
    p.uniforms = {{"lights[1].position", VarType::Vec3, Precision::High, 2, 0},
                  {"image", VarType::SamplerCube, Precision::Low, 0, 3}};
    deriveUsage(p);
    return p;
}

TEST_CASE("sizes of interface types") {
    CHECK(columnCount(VarType::Mat3) == 3);
    CHECK(columnCount(VarType::Vec4) == 1);
    CHECK(componentCount(VarType::BVec3) == 3);
    CHECK(componentCount(VarType::Mat2) == 2);
    CHECK(componentCount(VarType::Int) == 1);
    CHECK(isSampler(VarType::Sampler2DShadow));
    CHECK(!isSampler(VarType::Mat4));
    CHECK(isMatrix(VarType::Mat4));
    CHECK(registerCount(Variable{"m", VarType::Mat3, Precision::None, 4, 0}) == 12);
}

TEST_CASE("usage is found in the code and the declarations") {
    const Program p = richProgram();
    CHECK(p.tempCount == 4);
    CHECK(p.constantCount == 10);
    CHECK(p.inputMask == 0b10);
    CHECK(p.outputMask == 1);
    CHECK(p.usesKill);
    CHECK(!p.usesDerivatives);
    CHECK(!p.writesDepth);
    CHECK(verify(p) == "");

    Instruction tex;
    tex.op = Op::Tex;
    tex.textureUnit = 5;
    tex.src[0] = {File::S, 2};
    tex.dst = {File::O, kOutDepth};
    const Program t = programOf({tex, control(Op::Ret)});
    CHECK(t.samplerMask == 0b100000);
    CHECK(t.usesDerivatives);
    CHECK(t.writesDepth);
    CHECK(t.specialMask == 0b100);
    CHECK(
        programOf({move({File::O, kOutPointSize, 1}, {File::V, 0}), control(Op::Ret)}, Stage::Vertex).writesPointSize);
}

TEST_CASE("relative operands count for all they may reach") {
    Source input{File::V, 2};
    input.relative = true;
    Destination output{File::O, 3};
    output.relative = true;
    Program p;
    p.stage = Stage::Vertex;
    p.tempCount = 40;
    Source temp{File::R, 7};
    temp.relative = true;
    for (const Instruction& i : {move(output, input), move({File::R, 0}, temp), control(Op::Ret)})
        p.code.push_back(encode(i));
    p.attributes = {{"a", VarType::Mat4, Precision::None, 0, 1}};
    p.varyings = {{"v", VarType::Vec4, Precision::None, 3, 1}};
    deriveUsage(p);
    CHECK(p.tempCount == 40);
    CHECK(p.inputMask == 0b11110);
    CHECK(p.outputMask == 0b111000);
    p.tempCount = 3;
    deriveUsage(p);
    CHECK(p.tempCount == 8);

    Source varying{File::V, 1};
    varying.relative = true;
    Program f;
    f.stage = Stage::Fragment;
    f.varyings = {{"v", VarType::Vec4, Precision::None, 30, 1}};
    f.code = {encode(move({File::O, 0}, varying)), encode(control(Op::Ret))};
    deriveUsage(f);
    CHECK(f.inputMask == RegisterMask::range(1, 30));
    varying.index = kInLastColor0 + 1;
    f.code[0] = encode(move({File::O, 0}, varying));
    deriveUsage(f);
    CHECK(f.inputMask == RegisterMask::range(kInLastColor0, kColors));
    CHECK(verify(f) == "");
    f.code[0] = encode(move(output, varying));
    deriveUsage(f);
    CHECK(f.outputMask == RegisterMask::range(kOutColor0, kColors));
    output.index = kOutDepth;
    f.code[0] = encode(move(output, varying));
    deriveUsage(f);
    CHECK(f.outputMask == RegisterMask::range(kOutDepth, 1));
    CHECK(verify(f) == "");
}

TEST_CASE("well nested programs verify") {
    CHECK(verdict({control(Op::Ret)}) == "");
    CHECK(verdict({control(Op::If, 1, 1), control(Op::Else, 2), control(Op::Endif), control(Op::Ret)}) == "");
    CHECK(verdict({control(Op::Loop, 6), control(Op::If, 3, 1), control(Op::Brk, 6), control(Op::Else, 5),
                   control(Op::Cont, 6), control(Op::Endif), control(Op::Endloop, 0), control(Op::Ret)}) == "");
    CHECK(verdict({control(Op::Ret, 0, 1), control(Op::Ret)}) == "");
}

TEST_CASE("broken control flow is rejected with the place") {
    CHECK(verdict({}) != "");
    CHECK(verdict({control(Op::Kil)}).find("must end in") != std::string::npos);
    CHECK(verdict({control(Op::Ret, 0, 1)}).find("must end in") != std::string::npos);
    CHECK(verdict({control(Op::If, 1, 1), control(Op::Ret)}) == "instruction 0: if without endif");
    CHECK(verdict({control(Op::Endif), control(Op::Ret)}) == "instruction 0: endif without if");
    CHECK(verdict({control(Op::Else, 1), control(Op::Endif), control(Op::Ret)}) == "instruction 0: else without if");
    CHECK(verdict({control(Op::If, 1, 1), control(Op::Else, 2), control(Op::Else, 3), control(Op::Endif),
                   control(Op::Ret)}) == "instruction 2: else without if");
    CHECK(verdict({control(Op::If, 2, 1), control(Op::Else, 2), control(Op::Endif), control(Op::Ret)}) ==
          "instruction 0: the target must be its else, instruction 1");
    CHECK(verdict({control(Op::If, 1, 1), control(Op::Else, 3), control(Op::Endif), control(Op::Ret)}) ==
          "instruction 1: the target must be its endif, instruction 2");
    CHECK(verdict({control(Op::Loop, 2), control(Op::Endloop, 0), control(Op::Ret)}) ==
          "instruction 0: the target must be its endloop, instruction 1");
    CHECK(verdict({control(Op::Loop, 1), control(Op::Endloop, 1), control(Op::Ret)}) ==
          "instruction 1: the target must be its loop, instruction 0");
    CHECK(verdict({control(Op::Brk, 1), control(Op::Ret)}) == "instruction 0: brk outside a loop");
    CHECK(verdict({control(Op::Loop, 4), control(Op::Loop, 3), control(Op::Cont, 4), control(Op::Endloop, 1),
                   control(Op::Endloop, 0), control(Op::Ret)})
              .find("instruction 2: the target must be the endloop") == 0);
    CHECK(verdict({control(Op::Loop, 3), control(Op::If, 3, 1), control(Op::Endloop, 0), control(Op::Endif),
                   control(Op::Ret)}) == "instruction 2: endloop without loop");
}

TEST_CASE("calls reach subroutines only, without recursion") {
    CHECK(verdict({control(Op::Call, 2), control(Op::Ret), control(Op::Ret)}) == "");
    CHECK(verdict({control(Op::Call, 0), control(Op::Ret)}).find("does not start a subroutine") != std::string::npos);
    CHECK(verdict({control(Op::Call, 3), control(Op::Ret), control(Op::Kil, 0, 1), control(Op::Ret)})
              .find("does not start a subroutine") != std::string::npos);
    CHECK(verdict({control(Op::Ret), control(Op::Call, 1), control(Op::Ret)}) == "instruction 1: recursive call");
    CHECK(verdict({control(Op::Call, 2), control(Op::Ret), control(Op::Call, 4), control(Op::Ret), control(Op::Call, 2),
                   control(Op::Ret)})
              .find("recursive call") != std::string::npos);
}

TEST_CASE("the stack bound covers ifs, loops and calls together") {
    // A chain of `calls` subroutines, and `ifs` nested ifs in the last one.
    const auto chain = [](int calls, int ifs) {
        std::vector<Instruction> code;
        for (int c = 0; c < calls; ++c) {
            code.push_back(control(Op::Call, 2 * c + 2));
            code.push_back(control(Op::Ret));
        }
        const int first = static_cast<int>(code.size());
        for (int n = 0; n < ifs; ++n) code.push_back(control(Op::If, first + 2 * ifs - 1 - n, 1));
        for (int n = 0; n < ifs; ++n) code.push_back(control(Op::Endif));
        code.push_back(control(Op::Ret));
        return verdict(code);
    };
    CHECK(chain(0, kMaxNesting) == "");
    CHECK(chain(0, kMaxNesting + 1) != "");
    CHECK(chain(kMaxNesting, 0) == "");
    CHECK(chain(kMaxNesting + 1, 0) != "");
    CHECK(chain(kMaxNesting / 2, kMaxNesting / 2) == "");
    CHECK(chain(kMaxNesting / 2, kMaxNesting / 2 + 1) != "");
    CHECK(chain(30000, 0) != "");  // must not exhaust the host's stack
}

TEST_CASE("registers must lie within what the program declares") {
    Program p = richProgram();
    p.tempCount = 3;
    CHECK(verify(p) == "instruction 0: r3 of 3 temporaries");
    p = richProgram();
    p.constantCount = 9;
    CHECK(verify(p) == "literal c9 lies beyond constant register 9");
    p = richProgram();
    p.inputMask = 1;
    CHECK(verify(p) == "instruction 0: v1 is not in the input mask");
    p = richProgram();
    p.uniforms[1].reg = kMaxTextureUnits;
    CHECK(verify(p) != "");
    p = richProgram();
    p.uniforms[0].arraySize = 65535;
    deriveUsage(p);
    CHECK(verify(p) != "");
    p = richProgram();
    p.varyings[0].component = 1;
    CHECK(verify(p) != "");
    p = richProgram();
    p.uniforms[0].component = 1;
    CHECK((verify(p) == "") == (componentCount(p.uniforms[0].type) < 4));
    p.uniforms[0].component = 4;
    CHECK(verify(p) != "");
    p = richProgram();
    p.broadcastColor = p.stage != Stage::Fragment;
    CHECK((verify(p) == "") == (p.stage == Stage::Fragment));
    p = richProgram();
    p.varyings[0].name = "two words";
    CHECK(verify(p) != "");
    p = richProgram();
    p.code[2] = Word{};
    CHECK(verify(p) == "instruction 2: not an instruction");
}

TEST_CASE("names are declared once, and those with a meaning as what they mean") {
    const auto withUniform = [](Variable v) {
        Program p = richProgram();
        p.uniforms.push_back(std::move(v));
        deriveUsage(p);
        return verify(p);
    };
    for (const std::string_view name : kDepthRangeUniforms) {
        const std::string text(name);
        CHECK(withUniform({text, VarType::Float, Precision::High, 0, 4, 3}) == "");
        for (const VarType type :
             {VarType::Sampler2D, VarType::SamplerCube, VarType::Mat4, VarType::Int, VarType::Vec2})
            CHECK(withUniform({text, type, Precision::High, 0, 4}) == text + " must be a float");
        for (const uint16_t size : {1, 2})
            CHECK(withUniform({text, VarType::Float, Precision::High, size, 4}) == text + " must be a float");
    }
    CHECK(withUniform({"gl_DepthRange", VarType::Vec3, Precision::High, 0, 4}) ==
          "uniform gl_DepthRange has a name of the shading language's own");
    CHECK(withUniform({"gl_Other", VarType::Sampler2D, Precision::None, 0, 4}) != "");
    CHECK(withUniform({"image", VarType::SamplerCube, Precision::Low, 0, 5}) == "uniform image is declared twice");
    Program p = richProgram();
    p.varyings.push_back({"v_color", VarType::Vec4, Precision::Medium, 0, 2});
    CHECK(verify(p) == "varying v_color is declared twice");
    p.varyings.back().name = "gl_DepthRange.far";
    p.varyings.back().type = VarType::Float;
    CHECK(verify(p) == "varying gl_DepthRange.far has a name of the shading language's own");
    p = programOf({control(Op::Ret)}, Stage::Vertex);
    p.attributes = {{"gl_Vertex", VarType::Vec4, Precision::High, 0, 0}};
    CHECK(verify(p) == "attribute gl_Vertex has a name of the shading language's own");
}

TEST_CASE("each stage has its registers and instructions") {
    CHECK(verdict({move({File::R, 0}, {File::S, 0}), control(Op::Ret)}, Stage::Fragment) == "");
    CHECK(verdict({move({File::R, 0}, {File::S, 0}), control(Op::Ret)}, Stage::Vertex) != "");
    CHECK(verdict({move({File::R, 0}, {File::S, 3}), control(Op::Ret)}, Stage::Vertex) == "");
    for (const uint16_t input : {15, 30, 32, 39})
        CHECK(verdict({move({File::R, 0}, {File::V, input}), control(Op::Ret)}, Stage::Fragment) == "");
    CHECK(verdict({move({File::R, 0}, {File::V, 31}), control(Op::Ret)}, Stage::Fragment) != "");
    CHECK(verdict({move({File::R, 0}, {File::V, 0}), control(Op::Ret)}, Stage::Compute) != "");
    CHECK(verdict({move({File::R, 0}, {File::V, 15}), control(Op::Ret)}, Stage::Vertex) == "");
    CHECK(verdict({move({File::R, 0}, {File::V, 16}), control(Op::Ret)}, Stage::Vertex) ==
          "instruction 0: v16 does not exist in this stage");
    for (const uint16_t output : {0, 7, 8, 9})
        CHECK(verdict({move({File::O, output}, {File::V, 0}), control(Op::Ret)}, Stage::Fragment) == "");
    for (const uint16_t output : {10, 32})
        CHECK(verdict({move({File::O, output}, {File::V, 0}), control(Op::Ret)}, Stage::Fragment) != "");
    CHECK(verdict({move({File::O, 32}, {File::V, 0}), control(Op::Ret)}, Stage::Vertex) == "");
    CHECK(verdict({control(Op::Kil), control(Op::Ret)}, Stage::Vertex) != "");
    Instruction subset = move({File::R, 0}, {File::R, 0});
    subset.subsetWidth = 1;
    CHECK(verdict({subset, control(Op::Ret)}, Stage::Fragment) != "");
    CHECK(verdict({subset, control(Op::Ret)}, Stage::Compute) == "");
    Instruction loop = control(Op::Loop, 1);
    loop.iterations = 4;
    CHECK(verdict({loop, control(Op::Endloop, 0), control(Op::Ret)}, Stage::Fragment) != "");
    CHECK(verdict({loop, control(Op::Endloop, 0), control(Op::Ret)}, Stage::Compute) == "");
}

TEST_CASE(".tsb keeps the program") {
    const Program p = richProgram();
    std::string error;
    const std::vector<std::byte> bytes = serialize(p);
    const std::optional<Program> back = deserialize(bytes, &error);
    REQUIRE_MESSAGE(back, error);
    CHECK(back->stage == p.stage);
    CHECK(back->code == p.code);
    CHECK(back->lines == p.lines);
    CHECK(back->source == p.source);
    CHECK(back->literals == p.literals);
    CHECK(back->varyings == p.varyings);
    CHECK(back->uniforms == p.uniforms);
    CHECK(back->tempCount == p.tempCount);
    CHECK(back->constantCount == p.constantCount);
    CHECK(back->usesKill);
    CHECK(serialize(*back) == bytes);
    CHECK(verify(*back) == "");
}

TEST_CASE(".tsb keeps how varyings are interpolated, outputs and uniform blocks, each without the others") {
    const auto kept = [](const Program& p) {
        std::string error;
        const std::optional<Program> back = deserialize(serialize(p), &error);
        REQUIRE_MESSAGE(back, error);
        CHECK(back->varyings == p.varyings);
        CHECK(back->outputs == p.outputs);
        CHECK(back->blocks == p.blocks);
    };
    Program flat = richProgram(), output = richProgram(), block = richProgram();
    flat.varyings[0].interpolation = Interpolation::Flat;
    kept(flat);
    output.outputs = {{"color", VarType::Vec4, Precision::High, 0, 0}};
    kept(output);
    block.constantCount = 20;
    block.blocks = {{.name = "B", .reg = 12, .registers = 1, .byteSize = 16}};
    kept(block);
}

/// CRC-32 bit by bit, to repair the checksum of damaged files so that the parser behind it is reached.
uint32_t slowCrc(std::span<const std::byte> bytes) {
    uint32_t c = 0xFFFFFFFF;
    for (std::byte b : bytes)
        for (int bit = 0; bit < 8; ++bit) {
            const uint32_t in = static_cast<uint32_t>(b) >> bit & 1;
            c = (c ^ in) & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
        }
    return ~c;
}

void putInteger(std::vector<std::byte>& bytes, size_t at, uint32_t value) {
    for (int i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::byte>(value >> 8 * i);
}

void repairHeader(std::vector<std::byte>& bytes) {
    if (bytes.size() < 16) return;
    putInteger(bytes, 8, static_cast<uint32_t>(bytes.size() - 16));
    putInteger(bytes, 12, slowCrc(std::span(bytes).subspan(16)));
}

TEST_CASE("uniform blocks share no register, and their members fit") {
    Program p = richProgram();
    p.constantCount = 20;
    const auto member = [](const char* name, VarType type, uint16_t elements) {
        return BlockMember{.name = name, .type = type, .arraySize = elements, .offset = 0, .arrayStride = 16};
    };
    p.blocks = {{"A", 0, 4, 64, true, {member("a", VarType::Mat3, 0), member("b", VarType::Float, 7)}},
                {"B", 4, 16, 256, true, {member("c", VarType::Vec4, 16)}},
                {"Unread", 0, 0, 1u << 30, true, {member("d", VarType::Vec4, 0xFFFF)}}};
    CHECK(verify(p) == "");
    const auto refused = [&](auto change) {
        Program other = p;
        change(other);
        return verify(other);
    };
    CHECK(refused([](Program& o) { o.blocks[1].reg = 3, o.blocks[1].registers = 17, o.blocks[1].byteSize = 272; }) ==
          "block B has registers of another one");
    CHECK(refused([](Program& o) { o.blocks[1].byteSize = 240; }) == "block B of 240 bytes has 16 registers");
    CHECK(refused([](Program& o) { o.blocks[0].members[1].arraySize = 8; }) ==
          "block A has members of more than its 64 bytes");
    CHECK(refused([](Program& o) { o.blocks[1].members[0].arraySize = 0xFFFF; }) ==
          "block B has members of more than its 256 bytes");
    CHECK(refused([](Program& o) { o.blocks[2].members[0].arraySize = 0, o.blocks[2].byteSize = 12; }) ==
          "block Unread has members of more than its 12 bytes");
}

TEST_CASE("the checksum is the CRC-32 everyone has") {
    std::vector<std::byte> bytes = serialize(richProgram());
    const std::vector<std::byte> written = bytes;
    repairHeader(bytes);
    CHECK(bytes == written);
    std::vector<std::byte> digits;
    for (char c : std::string("123456789")) digits.push_back(static_cast<std::byte>(c));
    CHECK(slowCrc(digits) == 0xCBF43926u);
}

TEST_CASE(".tsb files of another version are refused by its number") {
    std::vector<std::byte> bytes = serialize(richProgram());
    for (const uint8_t version : {1, 2, 4}) {
        bytes[4] = std::byte{version};
        std::string error;
        CHECK_FALSE(deserialize(bytes, &error));
        CHECK(error == "version " + std::to_string(version) + " of .tsb; this build reads version 3");
    }
}

TEST_CASE("damaged .tsb files give a reason, never a crash") {
    const std::vector<std::byte> good = serialize(richProgram());
    std::mt19937 random(7);
    int parsed = 0, verified = 0;
    const auto start = std::chrono::steady_clock::now();
    for (int n = 0; n < 100000; ++n) {
        std::vector<std::byte> bytes = good;
        for (uint32_t edits = 1 + random() % 3; edits; --edits) {
            const size_t at = random() % bytes.size();
            switch (random() % 4) {
                case 0:
                    bytes[at] = static_cast<std::byte>(random());
                    break;
                case 1:
                    bytes[at] ^= static_cast<std::byte>(1u << random() % 8);
                    break;
                case 2:
                    bytes.resize(std::max<size_t>(at, 1));
                    break;
                case 3:
                    bytes.insert(bytes.begin() + at, static_cast<std::byte>(random() % 3 ? 0xFF : 0));
                    break;
            }
        }
        if (n % 8) repairHeader(bytes);
        std::string error;
        const std::optional<Program> program = deserialize(bytes, &error);
        REQUIRE(program.has_value() == error.empty());
        if (!program) continue;
        ++parsed;
        verified += verify(*program).empty();
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    CHECK(parsed > 5000);
    CHECK(verified > 500);
    CHECK(verified < parsed);
    CHECK(seconds.count() < 60);
}

TEST_CASE("variables of the source go along, unknown sections are skipped, and unsound ones refused") {
    Program program = richProgram();
    const size_t plain = serialize(program).size();
    const auto instructions = static_cast<uint32_t>(program.code.size());
    DebugInfo info;
    DebugVariable variable;
    variable.name = "z", variable.function = "main", variable.type = VarType::Vec2;
    variable.firstLine = 3, variable.lastLine = 9;
    DebugPlace inRegister;
    inRegister.kind = DebugPlace::Kind::Register, inRegister.index = 2, inRegister.component = 3;
    inRegister.negate = true;
    DebugPlace constant;
    constant.kind = DebugPlace::Kind::Constant, constant.bits = 0x40490FDB;
    variable.ranges = {{0, 1, 0, constant}, {1, instructions, 0, inRegister}, {0, instructions, 1, constant}};
    info.variables = {variable};
    CHECK(debugInfoProblem(program, info).empty());
    program.debugInfo = std::make_shared<DebugInfo>(info);
    std::vector<std::byte> bytes = serialize(program);
    std::string error;
    const std::optional<Program> back = deserialize(bytes, &error);
    REQUIRE_MESSAGE(back, error);
    REQUIRE(back->debugInfo);
    CHECK(*back->debugInfo == info);

    putInteger(bytes, plain, 0x4E4F4E45);  // another tag
    repairHeader(bytes);
    const std::optional<Program> without = deserialize(bytes, &error);
    REQUIRE(without);
    CHECK(!without->debugInfo);

    const auto refused = [&](auto&& change) {
        DebugInfo broken = info;
        change(broken.variables[0]);
        program.debugInfo = std::make_shared<DebugInfo>(broken);
        CHECK(!debugInfoProblem(program, broken).empty());
        CHECK(!deserialize(serialize(program), &error));
    };
    refused([&](DebugVariable& v) { v.ranges[1].end = instructions + 1; });
    refused([&](DebugVariable& v) { v.ranges[1].begin = 0; });
    refused([&](DebugVariable& v) { v.ranges[2].component = 2; });
    refused([&](DebugVariable& v) { v.ranges[1].place.index = 512; });
    refused([&](DebugVariable& v) { v.ranges[1].place.component = 4; });
    refused([&](DebugVariable& v) { v.ranges[1].place.file = File::I; });
    refused([&](DebugVariable& v) { v.type = VarType::Sampler2D; });
    refused([&](DebugVariable& v) { v.arraySize = 0xFFFF; });
    refused([&](DebugVariable& v) { v.lastLine = 2; });
    refused([&](DebugVariable& v) { v.name.clear(); });
}

TEST_CASE("a section holds what it is for and no more, and variables come once") {
    const size_t plain = serialize(richProgram()).size();
    Program flat = richProgram(), told = richProgram();
    flat.varyings[0].interpolation = Interpolation::Flat;
    DebugVariable variable{.name = "z", .function = "main"};
    variable.firstLine = variable.lastLine = 3;
    variable.ranges = {{0, 1, 0, {.kind = DebugPlace::Kind::Constant}}};
    told.debugInfo = std::make_shared<DebugInfo>(DebugInfo{{variable}});
    for (const Program* program : {&flat, &told}) {
        const std::vector<std::byte> whole = serialize(*program);
        // The section without its tag and size; what its interpolation, or the place's modifiers, may not be.
        const auto size = static_cast<uint32_t>(whole.size() - plain - 8);
        const size_t inside = program == &flat ? plain + 8 + 4 : whole.size() - 5;
        std::string error;
        const auto isRead = [&](std::vector<std::byte> bytes) {
            repairHeader(bytes);
            return deserialize(bytes, &error).has_value();
        };
        CHECK(isRead(whole));
        std::vector<std::byte> longer = whole, wrong = whole, twice = whole;
        longer.push_back(std::byte{0});
        putInteger(longer, plain + 4, size + 1);
        CHECK_FALSE(isRead(longer));
        wrong[inside] = std::byte{17};
        CHECK_FALSE(isRead(wrong));
        twice.insert(twice.end(), whole.begin() + static_cast<std::ptrdiff_t>(plain), whole.end());
        if (program == &told) CHECK_FALSE(isRead(twice));
    }
}

TEST_CASE("a huge count in a small file is refused without allocating") {
    std::vector<std::byte> bytes = serialize(richProgram());
    putInteger(bytes, 16 + 3, 0xFFFFFFFF);  // instruction count
    repairHeader(bytes);
    std::string error;
    CHECK(!deserialize(bytes, &error));
    CHECK(error == "the contents do not fit the .tsb layout");
    CHECK(!deserialize({}, nullptr));
}

}  // namespace
}  // namespace tessera::isa
