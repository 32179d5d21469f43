// The parts of the assembly language that make it one for people: names, expressions, files, macros, listing.
#include <doctest/doctest.h>

#include <map>

#include "shader-core/asm/assembler.h"
#include "shader-core/asm/disassembler.h"
#include "shader-core/asm/expression.h"

namespace tessera::assembly {
namespace {

std::string body(const std::string& text) {
    const AssembleResult result = assemble(text, "t.tsa");
    REQUIRE_MESSAGE(result.program, result.log());
    const std::string all = disassemble(*result.program);
    return all.substr(all.find("\n\n") + 2);
}

std::string log(const std::string& text, const std::map<std::string, std::string>& files = {}) {
    AssembleOptions options;
    options.include = [&files](const std::string& path, const std::string&) {
        const auto at = files.find(path);
        if (at == files.end()) return IncludedFile{std::nullopt, "there is none", "/shaders"};
        return IncludedFile{at->second, {}, {}};
    };
    return assemble(text, "t.tsa", options).log();
}

/// Places of the errors.
std::vector<std::string> errors(const std::string& text) {
    AssembleOptions options;
    options.include = [](const std::string&, const std::string&) {
        return IncludedFile{std::nullopt, "there is none", "/shaders"};
    };
    std::vector<std::string> places;
    for (const Diagnostic& d : assemble(text, "t.tsa", options).errors)
        places.push_back(std::to_string(d.line) + ":" + std::to_string(d.column));
    return places;
}

double value(const std::string& text) {
    const ExpressionResult result = readExpression(text, {});
    REQUIRE_MESSAGE(result.value, result.error);
    return *result.value;
}

TEST_CASE("expressions") {
    CHECK(value("1 + 2 * 3") == 7);
    CHECK(value("(1 + 2) * 3") == 9);
    CHECK(value("7 / 2") == 3.5);
    CHECK(value("floor(7 / 2) % 2") == 1);
    CHECK(value("1 << 4 >> 2") == 4);
    CHECK(value("-2 - -3") == 1);
    CHECK(value("0x10 + 1") == 17);
    CHECK(value("max(sqrt(16), abs(-5))") == 5);
    CHECK(value("min(1, 2)") == 1);
    CHECK(value("pi") == doctest::Approx(3.14159265358979));
    CHECK(readExpression("1 / 0", {}).error == "division by zero");
    CHECK(readExpression("1 << 32", {}).error.find("a shift takes") == 0);
    CHECK(!readExpression("sqrt(0 - 1)", {}).value);
    CHECK(!readExpression("1e308 * 10", {}).value);
    CHECK(!readExpression("unknown", {}).value);
    CHECK(readExpression(std::string(1000, '('), {}).error == "parentheses are nested too deep");
    CHECK(readExpression("2 , 3", {}).length == 1);
}

TEST_CASE("names of numbers, registers, constants and interface variables") {
    CHECK(body(R"(.fragment
.define kSteps = 4 * 8
.define kHalf = 1 / 2
.alias r3 normal
.input v0 v_normal vec3
.const c11 ones = 1, kHalf, 1, 1
    mov normal, v_normal
    mul normal.xyz, normal.zyx, ones.y
    add.i32 r0, r0, -kSteps
    add r0, r0, -(kHalf)
    max r0, r0, |-kHalf|
    mov r[kSteps + 1], c[4 + 7]
    mov o0, 0x3f800000
    ret)") == R"(    mov r3, v0
    mul r3.xyz, r3.zyx, c11.y
    add.i32 r0, r0, -32
    add r0, r0, -(0.5)
    max r0, r0, |-0.5|
    mov r33, c11
    mov o0, 1.0
    ret
)");
}

TEST_CASE("a guard may be named; a name has its own components") {
    const std::string text = body(R"(.fragment
.define kHalf = 1 / 2
.alias r4.xy place
.alias r5.w weight
.alias p2 inside
.uniform c10.y u_scale float
.uniform c11.z u_pair vec2
    mov place, 1.0
    slt inside, place, kHalf
    (!inside) mov weight, u_scale
    mov r0.xy, u_pair
    mov r1, u_pair.y
    ret)");
    CHECK(text == R"(    mov r4.xy, 1.0
    slt p2, r4.xy, 0.5
    (!p2) mov r5.w, c10.yzw
    mov r0.xy, c11.zw
    mov r1, c11.w
    ret
)");
}

TEST_CASE("arrays and matrices are indexed by element and column, within their bounds") {
    const std::string head = ".vertex\n.uniform c0 u_lights vec4[4]\n.uniform c4 u_turn mat3[2]\n";
    CHECK(
        body(head + "mov o0, u_lights[2]\nmov o1, u_turn[1][2]\nmov o2, u_turn[1]\nmov o3, u_lights[a0.x + 1]\nret") ==
        "    mov o0, c2\n    mov o1, c9\n    mov o2, c7\n    mov o3, c[a0.x + 1]\n    ret\n");
    CHECK(log(head + "mov o0, u_lights[4]\nret").find("t.tsa:4:18: error: a number from 0 to 3 must stand here") == 0);
    CHECK(log(head + "mov o0, u_lights[1][0]\nret").find("has no such index") != std::string::npos);
    CHECK(log(head + "mov o0, u_light\nret").find("did you mean 'u_lights'?") != std::string::npos);
    CHECK(log(".vertex\n.define r7 = 1\nret").find("'r7' is the assembler's own") != std::string::npos);
    CHECK(log(".vertex\n.define a = 1\n.define b = 1\n.alias r1 b\nret").find("'a' is the assembler's own") !=
          std::string::npos);
    CHECK(log(".vertex\n.define bb = 1\n.alias r1 bb\nret").find("'bb' is named already") != std::string::npos);
}

TEST_CASE("the name of a sampler brings unit and target") {
    CHECK(body(".fragment\n.sampler t2 u_sky cube\n.sampler t3 u_maps 2d[2]\ntex r0, r0, u_sky\ntex r0, r0, u_maps[1]\n"
               "tex r0, r0, u_sky, cube\nret") ==
          "    tex r0, r0, t2, cube\n    tex r0, r0, t4, 2d\n    tex r0, r0, t2, cube\n    ret\n");
    CHECK(log(".fragment\n.sampler t2 u_sky cube\nmov r0, u_sky\nret").find("is a texture unit, no register") !=
          std::string::npos);
}

TEST_CASE("macros") {
    CHECK(body(R"(.fragment
.macro transform to, matrix, from, scale=1.0
    mul \to, \matrix[0], \from.x        ; a comment with \anything
    mad \to, \matrix[1], \from.y, \to
    mul \to, \to, \scale
.endmacro
.macro twice x
    add \x, \x, \x
.endmacro
.macro four x
    twice \x
    twice \x
.endmacro
.uniform c0 u_m mat2
start: transform r0, u_m, v0
    four r0.x
    transform o0, u_m, r0, (2 * 2)
    ret)") == R"(    mul r0, c0, v0.x
    mad r0, c1, v0.y, r0
    mul r0, r0, 1.0
    add r0.x, r0.x, r0.x
    add r0.x, r0.x, r0.x
    mul o0, c0, r0.x
    mad o0, c1, r0.y, o0
    mul o0, o0, 4.0
    ret
)");
    // \@ makes labels of their own.
    CHECK(body(".fragment\n.macro sub\ncall s\\@\n.endmacro\nsub\nret\ns0: mov o0, 1.0\nret").find("call sub2") !=
          std::string::npos);
}

TEST_CASE("errors inside macros and files name the way") {
    CHECK(
        log(".fragment\n.macro bad x\n    madd \\x, r1\n.endmacro\n.macro outer\n  bad r0\n.endmacro\n outer\n ret") ==
        "t.tsa:3:5: error: unknown instruction 'madd'; did you mean 'mad'?\n"
        "        madd r0, r1\n"
        "        ^\n"
        "  t.tsa:6:3: in the expansion of 'bad'\n"
        "  t.tsa:8:2: in the expansion of 'outer'\n");
    CHECK(log(".fragment\n.include \"lib/a.tsa\"\nret",
              {{"lib/a.tsa", "mov r0, 1.0\n.include \"b.tsa\"\n"}, {"b.tsa", " mov x"}}) ==
          "lib/b.tsa:1:6: error: nothing is named 'x'; registers are r0 v0 c0 o0 a0 p1 s0, specials frag_coord "
          "front_facing "
          "point_coord lane instance_id thread block block_size grid_size group\n"
          "     mov x\n"
          "         ^\n"
          "  lib/a.tsa:2:1: included here\n"
          "  t.tsa:2:1: included here\n");
    CHECK(
        log(".fragment\n.include \"c.tsa\"\nret") ==
        "t.tsa:2:1: error: 'c.tsa' cannot be read: there is none; the folder searched is that of this file, /shaders\n"
        "    .include \"c.tsa\"\n    ^\n");
    CHECK(assemble(".fragment\n.include \"c.tsa\"\nret", "t.tsa")
              .log()
              .find("t.tsa:2:1: error: this program is read without files beside it; put the lines here\n") == 0);
    // What the file may have held is no second error; a mistake in a macro is one, however often it is used.
    CHECK(errors(".fragment\n.include \"c.tsa\"\nhelper r0\nmov o0, kLib\n(pDone) mov o0, v0\nadd r0\nret") ==
          std::vector<std::string>{"2:1", "6:7"});
    CHECK(errors(".fragment\n.macro m x\nad \\x, \\x, \\x\n.endmacro\nm r0\nm r1\nret") ==
          std::vector<std::string>{"3:1"});
    CHECK(log(".fragment\n.macro m a\nmov \\b, \\a\n.endmacro\nm r0\nret").find("has no parameter 'b'") !=
          std::string::npos);
    CHECK(log(".fragment\n.macro m a, b=1\n.endmacro\nm\nret").find("'m' takes the arguments (a, b=1), not 0") !=
          std::string::npos);
    CHECK(log(".fragment\n.macro mad\n.endmacro\nret").find("'mad' is an instruction") != std::string::npos);
    CHECK(log(".fragment\n.macro m\nret").find("t.tsa:2:1: error: the macro has no .endmacro") == 0);
    CHECK(log(".fragment\n.endmacro\nret").find("t.tsa:2:1: error: .endmacro without .macro") == 0);
}

TEST_CASE("expansion ends, whatever the text") {
    CHECK(log(".fragment\n.macro m\nm\n.endmacro\nm\nret").find("does one use itself") != std::string::npos);
    CHECK(log(".fragment\n.include \"t\"\nret", {{"t", ".include \"t\"\n"}}).find("more than 16 deep") !=
          std::string::npos);
    std::string doubling = ".fragment\n.macro m0\n.endmacro\n";
    for (int k = 1; k < 30; ++k)
        doubling += ".macro m" + std::to_string(k) + "\nm" + std::to_string(k - 1) + "\nm" + std::to_string(k - 1) +
                    "\n.endmacro\n";
    CHECK(log(doubling + "m29\nret").find("more than 131072 macros and files") != std::string::npos);
}

TEST_CASE("the line table names the line that brought the instruction in") {
    AssembleOptions options;
    options.include = [](const std::string&, const std::string&) { return IncludedFile{"mov r0, 1.0\n", {}, {}}; };
    const AssembleResult result =
        assemble(".fragment\n.macro m\n\n\nmov r1, r0\n.endmacro\n.include \"x\"\n m\n mov o0, r1\n ret", "t", options);
    REQUIRE_MESSAGE(result.program, result.log());
    CHECK(result.program->lines == std::vector<uint32_t>{7, 8, 9, 10});
}

TEST_CASE("the listing shows number, word and line") {
    const AssembleResult result =
        assemble(".fragment\n.macro one\n  mov o0, 1.0\n.endmacro\n  one   ; white\n  ret\n", "t");
    REQUIRE(result.program);
    char word[64];
    std::snprintf(word, sizeof word, "    0  %016llx %016llx    3",
                  static_cast<unsigned long long>(result.program->code[0].hi),
                  static_cast<unsigned long long>(result.program->code[0].lo));
    CHECK(result.listing().find(std::string(word) + "      mov o0, 1.0\n") != std::string::npos);
    CHECK(result.listing().find("    6    ret\n") != std::string::npos);
}

TEST_CASE("a comment may hold quotes and a quote comment signs") {
    CHECK(withoutComment("mov r0, r1 ; it's \"quoted") == "mov r0, r1 ");
    CHECK(withoutComment(".include \"a//b;c\" // end") == ".include \"a//b;c\" ");
    CHECK(withoutComment(".include \"open ; comment") == ".include \"open ");
}

}  // namespace
}  // namespace tessera::assembly
