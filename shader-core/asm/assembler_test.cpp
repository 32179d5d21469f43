#include "shader-core/asm/assembler.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "shader-core/asm/disassembler.h"
#include "shader-core/asm/spelling.h"
#include "shader-core/isa/testing/random_instruction.h"

namespace tessera::assembly {
namespace {

using isa::File;
using isa::Instruction;
using isa::Op;
using isa::Program;

/// Code and declarations of a program as .tsb bytes: what a round trip must keep.
std::vector<std::byte> essence(Program program) {
    program.lines.clear();
    program.source.clear();
    program.debugInfo.reset();
    return isa::serialize(program);
}

Instruction single(const std::string& text) {
    const AssembleResult result = assemble(text, "test", Extent::Instructions);
    REQUIRE_MESSAGE(result.program, result.log());
    REQUIRE(result.program->code.size() == 1);
    return *isa::decode(result.program->code[0]);
}

std::string firstError(const std::string& text) {
    const AssembleResult result = assemble(text, "t.tsa");
    CHECK(!result.program);
    return result.log().substr(0, result.log().find('\n'));
}

std::vector<std::filesystem::path> examples() {
    std::vector<std::filesystem::path> files;
    for (const char* folder : {"shader-core/asm/examples", "demos/isa"}) {
        const std::filesystem::path path = std::filesystem::path(TESSERA_SOURCE_DIR) / folder;
        if (!std::filesystem::exists(path)) continue;
        for (const auto& entry : std::filesystem::directory_iterator(path))
            if (entry.path().extension() == ".tsa") files.push_back(entry.path());
    }
    return files;
}

std::string read(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

TEST_CASE("operands") {
    const Instruction mad = single("(!p2) mad.sat r0.xz, -v1.wzyx, |c[a0.x + 300].y|, -|r2.xyz|");
    CHECK(mad.op == Op::Mad);
    CHECK(mad.saturate);
    CHECK(mad.guard == 2);
    CHECK(mad.guardNegate);
    CHECK(mad.dst == isa::Destination{File::R, 0, 0b0101, false});
    CHECK(mad.src[0] == isa::Source{File::V, 1, isa::makeSwizzle(3, 2, 1, 0), true, false, false, false});
    CHECK(mad.src[1] == isa::Source{File::C, 300, isa::broadcast(1), false, true, true, false});
    CHECK(mad.src[2] == isa::Source{File::R, 2, isa::makeSwizzle(0, 1, 2, 2), true, true, false, false});

    CHECK(single("mov o1.rgba, frag_coord.b").src[0] == isa::Source{File::S, 0, isa::broadcast(2)});
    CHECK(single("mov r[a0.x].y, s3").dst == isa::Destination{File::R, 0, 0b0010, true});
    CHECK(single("mov.i32 a0.x, r1").dst.file == File::A);
    CHECK(single("slt p3, r0.x, 0.5").dst == isa::Destination{File::P, 3, 1, false});
    CHECK(single("mov r0, p2").src[0].file == File::P);
    CHECK(single("add.w4.d1 r0, &r1, r2").src[0].snoop);
    CHECK(single("add.w4.d1 r0, &r1, r2").subsetWidth == 2);
    CHECK(single("add.w4.d1 r0, &r1, r2").subsetDepth == 3);
    CHECK(!single("add.w4.d1 r0, &r1, r2").subsetOfBlock);
    CHECK(single("add.w4.d1.block r0, &r1, r2").subsetOfBlock);
    CHECK(!single("add.w4.d1.block r0, &r1, r2").src[0].snoopOfBlock);
    const Instruction wavefronts = single("mad.d1.block r0, &[5 * 2]r1.x, r2, -|&[127]r3|");
    CHECK(wavefronts.src[0].snoopOfBlock);
    CHECK(wavefronts.src[0].wavefront == 10);
    CHECK(!wavefronts.src[1].snoop);
    CHECK(wavefronts.src[2].wavefront == 127);

    const Instruction txd = single("txd r0, v0, r1, r2.xy, t[a0.x + 3], cube");
    CHECK(txd.textureUnit == 3);
    CHECK(txd.textureRelative);
    CHECK(txd.textureTarget == isa::TextureTarget::Cube);
    const Instruction moved = single("txf.i32 r0, r1, r2.x, t5, 2darray, (-8, 7)");
    CHECK(moved.type == isa::Type::I32);
    CHECK(moved.textureTarget == isa::TextureTarget::Array2D);
    CHECK(moved.texelOffset == std::array<int8_t, 3>{-8, 7, 0});
    CHECK(disassemble(moved) == "txf.i32 r0, r1, r2.x, t5, 2darray, (-8, 7, 0)");
    CHECK(firstError(".fragment\ntex r0, v0, t0, 2d, (8)\nret").find('7') != std::string::npos);
    for (const char* offset : {"()", "(1", "(1,)", "(1, 2,)", "(1, 2, 3,)", "(1, 2, 3, 4)"})
        CHECK(firstError(std::string(".fragment\ntex r0, v0, t0, 2d, ") + offset + "\nret") != "");
    CHECK(single("brk @17").target == 17);
}

TEST_CASE("immediates are read by the type of the operand") {
    CHECK(single("add r0, r1, 0.5").immediate == 0x3f000000);
    CHECK(single("add r0, r1, 3").immediate == 0x40400000);
    CHECK(single("add r0, r1, -3e2").immediate == 0xc3960000);
    CHECK(single("add r0, r1, 0x3f800000").immediate == 0x3f800000);
    CHECK(single("add.i32 r0, r1, -1").immediate == 0xFFFFFFFF);
    CHECK(single("add.u32 r0, r1, 4294967295").immediate == 0xFFFFFFFF);
    CHECK(single("f2i r0, 2").immediate == 0x40000000);
    CHECK(single("i2f.u32 r0, 2").immediate == 2);
    CHECK(single("mov r0, -0.0").immediate == 0x80000000);
    CHECK(single("mov r0, .25").immediate == 0x3e800000);
    CHECK(single("mov r0, 1e-60").immediate == 0);
    CHECK(!single("mov r0, -0.5").src[0].negate);
    CHECK(single("mov r0, -(0.5)").src[0].negate);
    CHECK(single("mov r0, -|0.5|").src[0].absolute);
}

TEST_CASE("structure gives the targets") {
    const AssembleResult result = assemble(R"(.fragment
        loop
          slt p1, r0.x, 0.5
          (p1) if
            (p2) brk
          else
            cont
          endif
        endloop
        call twice
        ret
twice:  add o0, r0, r0
        ret)",
                                           "t");
    REQUIRE_MESSAGE(result.program, result.log());
    const auto target = [&](size_t at) { return isa::decode(result.program->code[at])->target; };
    CHECK(target(0) == 7);   // loop
    CHECK(target(2) == 4);   // if
    CHECK(target(3) == 7);   // brk
    CHECK(target(4) == 6);   // else
    CHECK(target(5) == 7);   // cont
    CHECK(target(7) == 0);   // endloop
    CHECK(target(8) == 10);  // call
    CHECK(result.program->lines[8] == 10);
}

TEST_CASE("declarations") {
    const AssembleResult result = assemble(R"(.vertex
.input v0 a_position vec4
.output o3 v_matrix highp mat3[2]
.varying o2 v_color vec4
.uniform c8 lights[1].color mediump vec3[4]
.uniform c12.y narrow float[2]
.sampler t2 images 2d[3]
.const c20 = 0.5, 1, -0.0, 0x7fc00001
.const.i32 c21 = 1, -1, 2, 3
    mov o0, v0
    ret)",
                                           "t");
    REQUIRE_MESSAGE(result.program, result.log());
    const Program& p = *result.program;
    using isa::Precision;
    using isa::VarType;
    CHECK(p.attributes == std::vector<isa::Variable>{{"a_position", VarType::Vec4, Precision::None, 0, 0}});
    CHECK(p.varyings == std::vector<isa::Variable>{{"v_matrix", VarType::Mat3, Precision::High, 2, 1},
                                                   {"v_color", VarType::Vec4, Precision::None, 0, 0}});
    CHECK(p.uniforms == std::vector<isa::Variable>{{"lights[1].color", VarType::Vec3, Precision::Medium, 4, 8},
                                                   {"narrow", VarType::Float, Precision::None, 2, 12, 1},
                                                   {"images", VarType::Sampler2D, Precision::None, 3, 2}});
    CHECK(p.literals == std::vector<isa::Literal>{{20, {0x3f000000, 0x3f800000, 0x80000000, 0x7fc00001}},
                                                  {21, {1, 0xFFFFFFFF, 2, 3}}});
    CHECK(p.constantCount == 22);
    CHECK(disassemble(p).find(".uniform c12.y narrow float[2]\n") != std::string::npos);
}

TEST_CASE("uniforms share a register when their components differ") {
    CHECK(assemble(".vertex\n.uniform c1 a vec2\n.uniform c1.z b vec2\n ret", "t").program);
    CHECK(firstError(".vertex\n.uniform c1 a vec2\n.uniform c1.y b float\n ret").find("taken") != std::string::npos);
    CHECK(firstError(".vertex\n.uniform c1.z a vec3\n ret").find("does not fit") != std::string::npos);
    CHECK(firstError(".vertex\n.uniform c1.xy a vec2\n ret").find("first component") != std::string::npos);
}

TEST_CASE("varyings say how they are interpolated") {
    const AssembleResult result = assemble(
        ".fragment\n.input v0 a flat vec4\n.varying v1 b centroid highp vec2\n.input v2 c ivec3\n mov o0, v0\n ret",
        "t");
    REQUIRE_MESSAGE(result.program, result.log());
    const std::vector<isa::Variable>& varyings = result.program->varyings;
    CHECK(varyings[0].interpolation == isa::Interpolation::Flat);
    CHECK(varyings[1].interpolation == isa::Interpolation::Centroid);
    CHECK(varyings[1].precision == isa::Precision::High);
    CHECK(varyings[2].interpolation == isa::Interpolation::Smooth);
    const std::string text = disassemble(*result.program);
    CHECK(text.find(".input v0 a flat vec4\n.input v1 b centroid highp vec2\n.input v2 c ivec3\n") !=
          std::string::npos);
    CHECK(assemble(text, "t").program->varyings == varyings);
    CHECK(assemble(".vertex\n.output o2 a flat ivec4\n ret", "t").program->varyings[0].interpolation ==
          isa::Interpolation::Flat);
    for (const char* other : {".vertex\n.input v0 a flat vec4\n ret", ".fragment\n.uniform c0 a flat vec4\n ret",
                              ".fragment\n.sampler t0 a centroid 2d\n ret"})
        CHECK(firstError(other).find("only varyings are ") != std::string::npos);
}

TEST_CASE("uniform blocks and names of colours") {
    const std::string declared =
        ".output o0 color highp vec4\n.output o2 ids uvec4[2]\n.uniform c0 tint highp vec4\n"
        ".block c1 Lights 164\n.member 0 place highp vec4[4] stride 16\n.member 64 turn mediump mat3 columns 16\n"
        ".member 112 sun.turn mat2[2] stride 32 rows 8\n.member 148 power highp float\n"
        ".block unread Other[0] 16 packed\n.member 0 Other.scale float\n"
        ".block c600 Far 32\n.member 16 far vec4\n";
    const AssembleResult result = assemble(
        ".fragment\n" + declared + " mov r0, place[a0.x + 1]\n mad color, r0, power.x, turn[2].x\n mov o2, 1.0\n ret",
        "t");
    REQUIRE_MESSAGE(result.program, result.log());
    const Program& p = *result.program;
    using isa::Precision;
    using isa::VarType;
    CHECK(p.outputs == std::vector<isa::Variable>{{"color", VarType::Vec4, Precision::High, 0, 0},
                                                  {"ids", VarType::UVec4, Precision::None, 2, 2}});
    CHECK(p.blocks ==
          std::vector<isa::UniformBlock>{{"Lights",
                                          1,
                                          11,
                                          164,
                                          true,
                                          {{"place", VarType::Vec4, Precision::High, 4, 0, 16},
                                           {"turn", VarType::Mat3, Precision::Medium, 0, 64, 0, 16},
                                           {"sun.turn", VarType::Mat2, Precision::None, 2, 112, 32, 8, true},
                                           {"power", VarType::Float, Precision::High, 0, 148}}},
                                         {"Other[0]", 0, 0, 16, false, {{"Other.scale", VarType::Float}}},
                                         {"Far", 600, 2, 32, true, {{"far", VarType::Vec4, Precision::None, 0, 16}}}});
    CHECK(p.constantCount == 602);
    const std::string text = disassemble(p);
    CHECK(text.find(declared) != std::string::npos);
    CHECK(text.find("mov r0, c[a0.x + 2]\n    mad o0, r0, c10.y, c7.x\n") != std::string::npos);
    CHECK(disassemble(*assemble(text, "t").program) == text);

    // std140's distances need not be said.
    const AssembleResult left = assemble(
        ".vertex\n.block c0 B 224\n.member 0 m mat4\n.member 64 f float[4]\n.member 128 r mat2x3[2] rows 16\n"
        " mov o0, m[3]\n ret",
        "t");
    REQUIRE_MESSAGE(left.program, left.log());
    CHECK(left.program->blocks[0].members[0].matrixStride == 16);
    CHECK(left.program->blocks[0].members[1].arrayStride == 16);
    CHECK(left.program->blocks[0].members[2].arrayStride == 48);  // three rows

    const auto error = [](const std::string& line) {
        return firstError(".fragment\n.block c4 A 32\n" + line + "\nret");
    };
    CHECK(error(".block c5 B 16") == "t.tsa:3:8: error: c5 is taken by an earlier declaration; choose free registers");
    CHECK(error(".uniform c5 u vec4") ==
          "t.tsa:3:10: error: c5 is taken by an earlier declaration; choose free registers");
    CHECK(error(".block c6 A 16") == "t.tsa:3:11: error: block A is declared already; choose another name");
    CHECK(error(".block c65534 B 17").find("t.tsa:3:8: error: 2 registers from c65534 on do not fit") == 0);
    CHECK(error(".block B 16").find("t.tsa:3:8: error: the first register of the block must stand here") == 0);
    CHECK(error(".block c6 B 16 shared").find("t.tsa:3:16: error: only 'packed' may follow") == 0);
    CHECK(error(".member 32 a float").find("t.tsa:3:9: error: ") == 0);
    CHECK(error(".member 0 a vec4[3]") == "t.tsa:3:9: error: a lies behind the end of A, which has 32 bytes");
    CHECK(error(".member 0 a vec4 stride 16").find("t.tsa:3:18: error: only elements of arrays") == 0);
    CHECK(error(".member 0 a vec4 rows 16").find("t.tsa:3:18: error: a is no matrix") == 0);
    CHECK(error(".member 0 a 2d").find("t.tsa:3:13: error: ") == 0);
    CHECK(firstError(".fragment\n.member 0 a vec4\nret").find("t.tsa:2:9: error: a block must stand before") == 0);
    CHECK(firstError(".compute\n.block c0 A 16\nret").find("t.tsa:2:8: error: compute programs have no uniform") == 0);
    CHECK(error(".output o8 depth float").find("t.tsa:3:9: error: colours are o0 to o7") == 0);
    CHECK(error(".output o7 many vec4[2]").find("t.tsa:3:9: error: many goes to o8") == 0);
}

TEST_CASE("one colour for every target") {
    const AssembleResult result = assemble(".fragment\n.broadcast\n mov o0, v0\n ret", "t");
    REQUIRE(result.program);
    CHECK(result.program->broadcastColor);
    CHECK(disassemble(*result.program).find(".broadcast\n") != std::string::npos);
    CHECK(firstError(".vertex\n.broadcast\n ret") != "");
}

TEST_CASE("errors are located and say what to do") {
    CHECK(firstError(".fragment\n  madd r0, r1\n") ==
          "t.tsa:2:3: error: unknown instruction 'madd'; did you mean 'mad'?");
    CHECK(firstError(".fragment\n  mov r512, r1\n  ret") ==
          "t.tsa:2:7: error: there is no register r512; use r0 to r511");
    CHECK(firstError(".fragment\n  mov c0, r1\n  ret").find("t.tsa:2:7: error: a destination is") == 0);
    CHECK(firstError(".fragment\n  mov r0, r1, r2\n  ret") ==
          "t.tsa:2:13: error: ', r2' is too much here; mov is written mov d, a");
    CHECK(firstError(".fragment\n  add r0, r1\n  ret") ==
          "t.tsa:2:13: error: an operand is missing; add is written add d, a, b");
    CHECK(firstError(".fragment\n  add r0, r1, 1.5x\n  ret").find("t.tsa:2:15: error: '1.5x' is no number") == 0);
    CHECK(firstError(".fragment\n  mad r0, r1, r2, 1.0\n  ret").find("t.tsa:2:19: error: mad has no room") == 0);
    CHECK(firstError(".fragment\n  dp3.i32 r0, r1, r2\n  ret").find("t.tsa:2:7: error: dp3 has no i32 form") == 0);
    CHECK(firstError(".fragment\n  (p1) if\n  ret").find("t.tsa:2:3: error: if is not closed") == 0);
    CHECK(firstError(".fragment\n  endif\n  ret").find("t.tsa:2:3: error: endif without if") == 0);
    CHECK(firstError(".fragment\n  call nowhere\n  ret").find("t.tsa:2:8: error: there is no label 'nowhere'") == 0);
    // Of many labels a dozen are named.
    std::string labels = ".fragment\n  call nowhere\n  ret\n";
    for (char label = 'a'; label <= 'z'; ++label) labels += std::string(3, label) + ": ret\n";
    CHECK(firstError(labels).ends_with("; the program has aaa bbb ccc ddd eee fff ggg hhh iii jjj kkk lll"));
    CHECK(firstError(".fragment\n  mov r0, 0.0\n").find("t.tsa:2:3: error: the program must end") == 0);
    CHECK(firstError(".vertex\n\n  kil\n  ret").find("t.tsa:3:3: error: kil is for fragment programs") == 0);
    CHECK(firstError("ret").find("t.tsa:1:1: error: the stage is missing") == 0);
    CHECK(firstError(".vertex\n.fragment\nret").find("t.tsa:2:2: error: the stage is vertex already") == 0);
    CHECK(firstError(".vertex\n.uniform c0 m mat4\n.const c3 = 1,1,1,1\nret") ==
          "t.tsa:3:8: error: c3 is taken by an earlier declaration; choose free registers");
    CHECK(firstError(".vertex\n.input v0 a mat2\n.input v1 b vec4\nret") ==
          "t.tsa:3:8: error: v1 is taken by an earlier declaration; choose free registers");
    CHECK(firstError(".vertex\n.output o2 a vec2\n.output o2 b vec2\nret") ==
          "t.tsa:3:9: error: o2 is taken by an earlier declaration; choose free registers");
    CHECK(firstError(".vertex\n.uniform c0 m mat5\nret").find("t.tsa:2:15: error: the type must stand here") == 0);
    CHECK(firstError(".vertex\n.unifrom c0 m mat4\nret") ==
          "t.tsa:2:2: error: unknown directive '.unifrom'; did you mean '.uniform'?");
    CHECK(firstError(".fragment\nmov r0, 99999999999999999999999999999999999999999.0\nret").find("too large") !=
          std::string::npos);
    CHECK(firstError(".fragment\nadd.i32 r0, r0, 0.5\nret").find("not an integer") != std::string::npos);

    const AssembleResult many = assemble(".fragment\n mov\n add r0\n ret\n", "t");
    CHECK(many.errors.size() == 2);
}

TEST_CASE("numbers survive the way to text and back") {
    std::mt19937 random(5);
    for (int n = 0; n < 50000; ++n) {
        const uint32_t bits = n % 3 ? static_cast<uint32_t>(random()) : static_cast<uint32_t>(random()) & 0xFFFF0000u;
        for (isa::Type type : {isa::Type::F32, isa::Type::I32, isa::Type::U32})
            REQUIRE(readLiteral(literalText(bits, type), type).bits == bits);
    }
    CHECK(literalText(0x3dcccccd, isa::Type::F32) == "0.1");
    CHECK(literalText(0x7fc00000, isa::Type::F32) == "0x7fc00000");
    CHECK(literalText(0x41200000, isa::Type::F32) == "10.0");
}

TEST_CASE("any hundred thousand instructions: as(dis(x)) == x") {
    isa::RandomInstruction random(11);
    for (int n = 0; n < 100; ++n) {
        Program program;
        for (int k = 0; k < 1000; ++k) program.code.push_back(isa::encode(random.next()));
        isa::deriveUsage(program);
        const std::string text = disassemble(program);
        const AssembleResult back = assemble(text, "random", Extent::Instructions);
        REQUIRE_MESSAGE(back.program, back.log());
        for (size_t k = 0; k < program.code.size(); ++k)
            REQUIRE_MESSAGE(back.program->code[k] == program.code[k], disassemble(*isa::decode(program.code[k])));
        REQUIRE(essence(*back.program) == essence(program));
    }
}

TEST_CASE("a single instruction is printed as it is read") {
    for (const char* text :
         {"mov r0, v1", "(!p2) mov.sat o0.xyz, -|r2.wzyx|", "add.i32 r1.x, r1.x, 1", "tex r0, v0, t3, cube",
          "sel r0, p1, c2, r[a0.x + 4]", "brk @12", "f2i.i32 a0.x, r0", "mov r0, lane.x", "min.u32 r0, -(5), r1"})
        CHECK(disassemble(single(text)) == text);
}

TEST_CASE("what stands in an if, an else or a loop is indented") {
    const std::string text =
        ".fragment\n\n"
        "    (p1) if\n"
        "        loop\n"
        "            (p2) brk\n"
        "        endloop\n"
        "    else\n"
        "        mov o0, v0\n"
        "    endif\n"
        "    ret\n";
    CHECK(disassemble(*assemble(text, "t").program) == text);
}

TEST_CASE("words that are no instructions are kept") {
    Program program;
    program.code = {isa::Word{0, 0}, isa::Word{0x123456789ABCDEF0, 0xFFFFFFFFFFFFFFFF}};
    const AssembleResult back = assemble(disassemble(program), "t", Extent::Instructions);
    REQUIRE(back.program);
    CHECK(back.program->code == program.code);
    CHECK(!assemble(disassemble(program), "t").program);
}

TEST_CASE("the examples assemble and round trip") {
    REQUIRE(examples().size() >= 5);
    AssembleOptions options;
    options.include = [](const std::string& path, const std::string& from) {
        return IncludedFile{read(std::filesystem::path(from).parent_path() / path), {}, {}};
    };
    options.warnDeadWrites = options.warnUninitialised = options.warnTruthValues = options.warnUndeclared = true;
    for (const std::filesystem::path& path : examples()) {
        const AssembleResult first = assemble(read(path), path.string(), options);
        CHECK_MESSAGE(first.warnings.empty(), first.log());
        REQUIRE_MESSAGE(first.program, first.log());
        CHECK(isa::verify(*first.program) == "");
        const AssembleResult second = assemble(disassemble(*first.program), "disassembly");
        REQUIRE_MESSAGE(second.program, second.log());
        CHECK(essence(*second.program) == essence(*first.program));
        CHECK(disassemble(*second.program) == disassemble(*first.program));
        CHECK(assemble(disassembleWithSource(*first.program), "t").program.has_value());
    }
}

TEST_CASE("declared temporaries beyond those named survive") {
    const AssembleResult first = assemble(".fragment\n.temps 40\n mov r[a0.x + 2], 0.0\n ret", "t");
    REQUIRE_MESSAGE(first.program, first.log());
    CHECK(first.program->tempCount == 40);
    const AssembleResult second = assemble(disassemble(*first.program), "t");
    REQUIRE(second.program);
    CHECK(second.program->tempCount == 40);
}

TEST_CASE("source comments show each line once") {
    const AssembleResult result = assemble(".fragment\n  mov o0, 1.0\n  ret", "t");
    REQUIRE(result.program);
    CHECK(disassembleWithSource(*result.program).find("; 2: mov o0, 1.0\n    mov o0, 1.0\n") != std::string::npos);
}

TEST_CASE("any text gives a program or errors") {
    std::vector<std::string> seeds;
    for (const std::filesystem::path& path : examples()) seeds.push_back(read(path));
    const std::vector<std::string> pieces{"c[a0.x + ", "(!p",   "-|", "0x",     "1e",        ".const c", "@",
                                          "t[",        "99999", "]",  "loop\n", "(p1) if\n", "call ",    ":",
                                          ".word 0x",  "..",    "&",  "\xff",   "vec4[",     "endloop\n"};
    std::mt19937 random(13);
    int good = 0;
    for (int n = 0; n < 20000; ++n) {
        std::string text = seeds[random() % seeds.size()];
        for (uint32_t edits = random() % 6; edits; --edits) {
            const size_t at = random() % (text.size() + 1);
            switch (random() % 5) {
                case 0:
                    text.insert(at, pieces[random() % pieces.size()]);
                    break;
                case 1:
                    text.erase(at, random() % 8);
                    break;
                case 2:
                    text.insert(at, 1, static_cast<char>(random()));
                    break;
                case 3:
                    text.insert(at, text.substr(random() % text.size(), random() % 40));
                    break;
                case 4:
                    text.resize(at);
                    break;
            }
            if (text.empty()) text = "\n";
        }
        const AssembleResult result = assemble(text, "fuzz");
        REQUIRE(result.program.has_value() == result.errors.empty());
        for (const Diagnostic& d : result.errors) REQUIRE((d.line >= 1 && d.column >= 1 && !d.message.empty()));
        if (!result.program) continue;
        ++good;
        const AssembleResult again = assemble(disassemble(*result.program), "again");
        REQUIRE_MESSAGE(again.program, again.log());
        REQUIRE(essence(*again.program) == essence(*result.program));
    }
    CHECK(good > 1000);
    CHECK(!assemble("", "empty").program);
    CHECK(!assemble(std::string(100000, '('), "long").program);
}

}  // namespace
}  // namespace tessera::assembly
