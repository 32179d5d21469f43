// GLSL ES 1.00 section 3.4, rule by rule.
#include "shader-core/glsl/front/preprocess/preprocess.h"

#include <doctest/doctest.h>

#include <ctime>
#include <map>
#include <string>

using namespace tessera::glsl;
using front::preprocess;
using front::Preprocessed;

namespace {

/// The tokens of the output, separated by single blanks; "!" and the first message when it failed.
std::string expanded(const std::string& source) {
    Preprocessed p = preprocess(source, {});
    if (!p.ok) return "! " + p.messages.at(0).text;
    std::string out;
    for (char c : p.text) {
        bool blank = c == '\n' || c == ' ';
        if (!blank) out += c;
        if (blank && !out.empty() && out.back() != ' ') out += ' ';
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
}

bool fails(const std::string& source, const std::string& place) {
    Preprocessed p = preprocess(source, {});
    REQUIRE(!p.messages.empty());
    const Message& first = p.messages[0];
    INFO(first.text);
    return !p.ok && first.error && std::to_string(first.string) + ":" + std::to_string(first.line) == place;
}

}  // namespace

TEST_CASE("macros expand") {
    CHECK(expanded("#define A 1\nA A") == "1 1");
    CHECK(expanded("#define F(x) (x)\nF(2) F (3) F") == "( 2 ) ( 3 ) F");
    CHECK(expanded("#define F(a,b) b a\nF((1,2), 3)") == "3 ( 1 , 2 )");
    CHECK(expanded("#define F() 7\nF()") == "7");
    CHECK(expanded("#define F (x)\nF(2)") == "( x ) ( 2 )");
    CHECK(expanded("#define A B\n#define B A\nA") == "A");
    CHECK(expanded("#define F(x) x F\nF(1)(2)") == "1 F ( 2 )");
    CHECK(expanded("#define F(x) x\n#define G F\nG(5)") == "5");
    CHECK(expanded("#define F(A) A\n#define A 2\nF(A)") == "2");
    CHECK(expanded("#define F(x) [x]\n#define A F((A)\nA)") == "[ ( A ) ]");
    CHECK(expanded("#define F(x)\n#define A F((A)\nA) 1") == "1");
    CHECK(expanded("#define F(x) x x\n#define G(x) F(F(x))\nG(G(1))") == "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1");
    CHECK(expanded("#define F(a, b) a\n#define IGN(x) 1\nIGN(F(1)) F(IGN(F(2)), F(3))") == "1 1");
    CHECK(expanded("#define F(a, b) a\n#define SECOND(x, y) [y]\nSECOND(F(1), F(2, 3))") == "[ 2 ]");
    CHECK(expanded("#define F(a, b) a\n#define ID(x) x\nID(F(1))").starts_with("! 'F' : macro takes 2"));
    CHECK(expanded("#define __X 4\n__X") == "4");
    CHECK(expanded("#define E +1\n0xe+1 0xE-E 1e+1") == "0xe + 1 0xE - + 1 1e+1");
    CHECK(expanded("#define X 1 \\\n + 2\nX") == "1 + 2");
    CHECK(expanded("#define X 1 // a\n#undef X\nX") == "X");
    CHECK(expanded("#define X /* two\nlines */ 3\nX") == "3");
    CHECK(expanded("__VERSION__ GL_ES GL_FRAGMENT_PRECISION_HIGH __FILE__") == "100 1 1 0");
}

TEST_CASE("locations are taken out of declarations of attributes and varyings") {
    Limits limits;
    limits.separateObjects = true;
    const std::string enable = "#extension GL_EXT_separate_shader_objects : enable\n";
    using Locations = std::map<std::string, int>;
    const auto locations = [&](const std::string& text) {
        Locations found;
        for (const auto& [name, declaration] : preprocess(enable + text, limits).declarations)
            if (declaration.location >= 0) found[name] = declaration.location;
        return found;
    };
    CHECK(locations("layout(location = 3) varying vec4 a;") == Locations{{"a", 3}});
    CHECK(locations("invariant layout ( location=0x1F )varying mediump vec3[2] a, b; varying vec4 c;") ==
          Locations{{"a", 31}, {"b", 31}});
    CHECK(locations("#define L(n) layout(location = n)\nL(010) attribute mat2 m[N(1, 2)];\nvoid f(vec4 x) { x; }") ==
          Locations{{"m", 8}});
    CHECK(preprocess(enable + "layout(location = 3) varying vec4 a;", limits).text.find("layout") == std::string::npos);
    // Without the extension it is a name.
    CHECK(expanded("varying vec4 layout;") == "varying vec4 layout ;");
    CHECK(preprocess("GL_EXT_separate_shader_objects", limits).text == "1\n");
    for (const char* wrong : {"layout", "layout(location)", "layout(location = 1.0)", "layout(location = -1)",
                              "layout(location = 99999999999)", "layout(location = 08)", "layout(binding = 1)",
                              "layout(location = 1, location = 2)", "layout(location = 1) layout(location = 2)"}) {
        CAPTURE(wrong);
        const Preprocessed p = preprocess(enable + wrong + " varying vec4 a;", limits);
        CHECK_FALSE(p.ok);
        REQUIRE(p.messages.size() == 1);
        CHECK(p.messages[0].line == 2);
        CHECK(p.messages[0].column > 0);
    }
    for (const char* wrong : {"layout(location = 1) uniform vec4 a;", "layout(location = 1) vec4 a;",
                              "void f() { layout(location = 1) varying vec4 a; }", "layout(location = 1);"})
        CHECK_FALSE(preprocess(enable + wrong, limits).ok);
}

TEST_CASE("a line ends with \\n, \\r or both, in comments too") {
    for (const std::string end : {"\n", "\r", "\r\n"}) {
        CHECK(fails("x" + end + "$", "0:2"));
        CHECK(fails("/* 1" + end + "2" + end + "*/ $", "0:3"));
        CHECK(fails("// 1" + end + "$", "0:2"));
    }
}

TEST_CASE("a macro redefined must be the same") {
    CHECK(expanded("#define A (1 + 2)\n#define A (1   + 2)\nA") == "( 1 + 2 )");
    CHECK(fails("#define A (1 + 2)\n#define A (1+ 2)\n", "0:2"));
    CHECK(fails("#define F(a) a\n#define F(b) b\n", "0:2"));
    CHECK(fails("#define F(a) a\n#define F a\n", "0:2"));
    // So must the names of its parameters, though none occurs.
    CHECK(fails("#define F(a) 1\n#define F(b) 1\n", "0:2"));
    CHECK(fails("#define F(a, b) 1\n#define F(b, a) 1\n", "0:2"));
}

TEST_CASE("definitions that are wrong") {
    for (const char* line : {"#define",
                             "#define 1 2",
                             "#define GL_X 1",
                             "#define __LINE__ 1",
                             "#define F(a,a) a",
                             "#define F(a",
                             "#define F(a b) a",
                             "#define F(,a) a",
                             "#define defined 1",
                             "#undef GL_ES",
                             "#undef 3",
                             "#undef A B",
                             "#foo",
                             "#error no",
                             "#if",
                             "#ifdef",
                             "#ifdef 1",
                             "#endif",
                             "#else",
                             "#elif 1",
                             "#if 1",
                             "#if 1\n#else\n#else\n#endif",
                             "#ifdef A B\n#endif",
                             "#version 101",
                             "#version",
                             "#version 100 es",
                             "x # y",
                             "a $ b",
                             "/* open"}) {
        CAPTURE(line);
        CHECK_FALSE(preprocess(std::string(line) + "\n", {}).ok);
    }
    CHECK(fails("#define F(a,b) a\n\nF(1)", "0:3"));
    CHECK(fails("#define F(a) a\nF(1", "0:2"));
}

TEST_CASE("#if takes the right group") {
    auto value = [](const std::string& e) { return expanded("#if " + e + "\nyes\n#else\nno\n#endif"); };
    for (const char* e :
         {"1", "!0", "2 - 2 / 2 == 1", "-4 + 5 == 1", "(1 << 4) == 16", "-16 >> 2 == -4", "7 & 5 ^ 2", "1 || X",
          "!(0 && X)", "0x10 == 16 && 010 == 8", "0xabcdef == 11259375 && 0XABCDEF == 0xabcdef && 0x7F == 0177",
          "5 % 3 == 2", "~0 == -1", "4294967295 == -1", "1 << 33 == 2", "defined GL_ES",
          "defined(GL_ES) && !defined(X)", "1 ? 1 : 1"}) {
        CAPTURE(e);
        if (std::string(e).find('?') == std::string::npos)
            CHECK(value(e) == "yes");
        else
            CHECK(value(e).starts_with("!"));  // no conditional operator in the preprocessor
    }
    for (const char* e : {"0", "1 == 2", "3 < 3", "!defined GL_ES", "1 && 0"}) CHECK(value(e) == "no");
    for (const char* e :
         {"X", "1 && X", "1 / 0", "1 +", "(1", "1)", "1 2", "1.5", "++1", "defined", "defined(", "09", "4294967296"})
        CHECK(value(e).starts_with("!"));
    CHECK(expanded("#define D defined(X)\n#if !D\nyes\n#endif") == "yes");
    CHECK(expanded("#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 1\nc\n#elif 1\nd\n#endif") == "c");
    CHECK(expanded("#if 0\n#bogus\n#error x\n$\n#endif\nok") == "ok");
}

// GLSL ES 1.00 section 3.4 leaves this to the standard of C++: C++98 section 16.1, paragraph 7. "Directives are
// processed only in order to keep track of the level of nested conditionals; the rest of the directives' preprocessing
// tokens are ignored, as are the other preprocessing tokens in the group." And "control expressions are evaluated in
// order": once one was true, the others decide nothing.
TEST_CASE("a group that is decided is not read") {
    // After the group that was taken.
    for (const char* rest : {"#elif", "#elif 1 +", "#elif F(3", "#elif 1 / 0", "#elif $", "#elif X",
                             "#elif 1\nno\n#elif", "#elif 1 2\nno\n#else\nno"}) {
        CAPTURE(rest);
        CHECK(expanded("#define F(x) x\n#if 1\nyes\n" + std::string(rest) + "\n#endif") == "yes");
        CHECK(expanded("#define A\n#ifdef A\nyes\n" + std::string(rest) + "\n#endif") == "yes");
        CHECK(expanded("#if 0\n#elif 1\nyes\n" + std::string(rest) + "\n#endif") == "yes");
    }
    // In a group that is skipped: before the one that is taken, behind it, and inside another one.
    for (const char* group : {"#foo",
                              "#error no",
                              "#version 300 es",
                              "#extension x",
                              "#extension GL_X : require",
                              "#line a b c",
                              "#line",
                              "#pragma",
                              "#define",
                              "#define F(a,a)",
                              "#define GL_X 1",
                              "#undef 3",
                              "#undef GL_ES",
                              "#!",
                              "#3",
                              "#",
                              "x # y",
                              "a $ b ' \"",
                              "#define D 2",
                              "F(",
                              "/* #endif */",
                              "#if\n#endif",
                              "#if 1 +\n#endif",
                              "#ifdef\n#endif",
                              "#ifdef 1 2\n#endif",
                              "#ifndef\n#endif",
                              "#if 1\n#elif\n#endif",
                              "#if 1\n#elif $\n#endif",
                              "#if 1\n#else x\n#endif",
                              "#if 1\n#endif x",
                              "#if\n#elif\n#else 1\n#endif 2",
                              "#if 0\n#if\n#else x\n#endif x\n#endif x"}) {
        CAPTURE(group);
        const std::string text = "\n" + std::string(group) + "\n", before = "#define D 1\n#define F(x) x\n";
        CHECK(expanded(before + "#if 0" + text + "#endif\nD") == "1");
        CHECK(expanded(before + "#if 0" + text + "#else\nyes\n#endif\nD") == "yes 1");
        CHECK(expanded(before + "#if 1\nyes\n#else" + text + "#endif\nD") == "yes 1");
        CHECK(expanded(before + "#if 1\nyes\n#elif 1" + text + "#else" + text + "#endif\nD") == "yes 1");
        CHECK(expanded(before + "#if 0\n#if 1" + text + "#endif\n#else\nyes\n#endif\nD") == "yes 1");
    }
    // What the level of conditionals itself needs is still looked at, and what is no part of a skipped group.
    for (const char* wrong : {"#if 0\n#if 1\n#endif", "#if 0\n/* open\n#endif", "#if 0\n#else\n#else\n#endif",
                              "#if 1\n#else\n#elif\n#endif", "#if 0\n#if 1\n#else\n#elif 1\n#endif\n#endif",
                              "#if 1\n#else x\n#endif", "#if 0\n#else x\n#endif", "#if 1\n#endif x", "#if 0\n#endif x",
                              "#if 0\n#elif\n#endif", "#if 0\n#elif 0\n#elif 1 +\n#endif"}) {
        CAPTURE(wrong);
        CHECK_FALSE(preprocess(std::string(wrong) + "\n", {}).ok);
    }
}

TEST_CASE("a conditional that is wrong is one error") {
    for (const char* wrong : {"#if\nx\n#else\ny\n#endif", "#if 1 +\nx\n#elif 1\nz\n#endif", "#ifdef\n#endif",
                              "#ifndef A B\n#elif\n#endif", "#if 0\n#elif\n#elif\n#endif", "#if 1\n#endif x",
                              "#if 1\n#if\n#endif\n#endif", "#define F(x) x\nF(\n#if 1\n#endif\n1)"}) {
        CAPTURE(wrong);
        CHECK(preprocess(std::string(wrong) + "\n", {}).messages.size() == 1);
    }
    CHECK(fails("x\n#if 1\n#if 0\n#else\n#endif\n", "0:2"));
    CHECK(fails("x\n#if 1\n#ifdef A\n#else\n", "0:3"));
}

// C++98 section 16.3, paragraph 10: a call's arguments end at the parenthesis that matches. Section 16.3.1: an argument
// is expanded as if it were all of the rest of the file, where the body has its parameter; nowhere else.
TEST_CASE("a call that the end of the file cuts off is an error, at its name") {
    const std::string b = "#define a b(\n#define b(x) x\n", unused = "#define a b(\n#define b(x)\n";
    for (const std::string& text :
         {b + "b(1", b + "a", b + " a 1", b + "a(1)", b + "#define c a\n#define d c\nd", b + "b(a)", b + "b(b(a))",
          b + "b(1, ", unused + "a", unused + "b(a", unused + "b(a) a", unused + "#define e(x) x a\ne(1)"}) {
        CAPTURE(text);
        const Preprocessed p = preprocess(text, {});
        CHECK_FALSE(p.ok);
        REQUIRE(p.messages.size() == 1);
        CHECK(p.messages[0].text == "'b' : macro call is not closed");
        CHECK(p.messages[0].line == (text.find("#define d") != std::string::npos   ? 5
                                     : text.find("#define e") != std::string::npos ? 4
                                                                                   : 3));
        CHECK(p.messages[0].column > 0);
    }
    CHECK(expanded(b + "a 1)") == "1");
    CHECK(expanded(unused + "b(a) 2") == "2");
    CHECK(expanded("#define open (\n#define b(x) x\nb open 1)") == "b ( 1 )");
    const Message few = preprocess("#define F(x) x\nint i = F(1, 2);\n", {}).messages.at(0);
    CHECK(few.text == "'F' : macro takes 1 argument, not 2");
    CHECK((few.line == 2 && few.column == 9));
}

TEST_CASE("lines stay where they are, #line moves their numbers") {
    Preprocessed p = preprocess("a\n/* x\n y */ b\n#define F(x) x\nF(\n c)\n", {});
    CHECK(p.text.starts_with("a\n\nb\n\n\nc )") == false);
    CHECK(p.text.starts_with("a\n\nb\n\n\nc"));
    CHECK(expanded("\n\n__LINE__") == "3");
    CHECK(expanded("#line 10\n__LINE__\n__LINE__ __FILE__") == "10 11 0");
    CHECK(expanded("#define N 7\n#line N (2)\n__LINE__ __FILE__") == "7 2");
    for (const auto& [operands, place] : std::map<std::string, std::string>{
             {"5+2", "7 0"},
             {"5 +2", "7 0"},
             {"7 -3", "4 0"},
             {"-3 + 10", "7 0"},
             {"7 3", "7 3"},
             {"(10) (3)", "10 3"},
             {"10+2 (3)", "12 3"},
             {"10+2 1+2", "12 3"},
             {"(1 + 2) * 4 (3)", "12 3"},
             {"2 * 3 << 1 (1 | 2)", "12 3"},
             {"N N", "7 7"},
             {"N + N (N - 4)", "14 3"},
         }) {
        CAPTURE(operands);
        CHECK(expanded("#define N 7\n#line " + operands + "\n__LINE__ __FILE__") == place);
    }
    for (const char* operands : {"1 +", "(1", "1)", "1 2 3", "1 + 2 3 + 4 5", "X", "1, 2", "1.0", "* 2"}) {
        CAPTURE(operands);
        CHECK_FALSE(preprocess(std::string("#line ") + operands + "\n", {}).ok);
    }
    CHECK(fails("#line 100 3\n\n$", "3:101"));
    CHECK(expanded("#line 100 3\n#line 7\n__LINE__ __FILE__") == "7 3");  // the string stays
    CHECK_FALSE(preprocess("#line\n", {}).ok);
    const Message moved = preprocess("#line 50\nx\n", {}).fromLog("ERROR: 0:2: 'x' :  y ");
    CHECK((moved.error && moved.sourceLine == 2 && moved.line == 50 && moved.column == 0));
    CHECK(moved.text == "'x' : y");
    CHECK(preprocess("x\n", {}).fromLog("WARNING: no place").sourceLine == 0);
}

TEST_CASE("#extension, #pragma, #version") {
    CHECK(expanded("#version 100\nx") == "x");
    CHECK(expanded("/* c */\n\n#version 100\nx") == "x");
    CHECK(fails("x\n#version 100\n", "0:2"));
    // Version 3.00 has other names to define, and other extensions.
    Limits third;
    third.version = 300;
    const auto inThird = [&](const std::string& text) {
        const Preprocessed p = preprocess("#version 300 es\n" + text, third);
        return p.ok && p.text.find("yes") != std::string::npos;
    };
    CHECK(inThird("#define defined yes\ndefined"));
    CHECK(fails("#define defined yes\ndefined", "0:1"));
    CHECK(inThird("#ifndef GL_OES_standard_derivatives\nyes\n#endif"));
    CHECK(expanded("#ifdef GL_OES_standard_derivatives\nyes\n#endif") == "yes");
    CHECK(preprocess("\n#pragma STDGL invariant(all)\n", {}).invariantAll == 2);
    CHECK(preprocess("#pragma anything \xA4 goes\n", {}).ok);
    using Behaviors = std::map<std::string, std::string>;
    const auto behaviors = [](const std::string& source) { return preprocess(source, {}).extensions.behaviors; };
    const std::string enable = "#extension GL_OES_standard_derivatives : enable\n";
    CHECK(behaviors(enable) == Behaviors{{"GL_OES_standard_derivatives", "enable"}});
    CHECK(behaviors("#extension all : warn\n").at("GL_OES_standard_derivatives") == "warn");
    CHECK(behaviors("#extension all : warn\n" + enable).at("GL_OES_standard_derivatives") == "enable");
    CHECK(behaviors(enable + "#extension all : disable\n").at("GL_OES_standard_derivatives") == "disable");
    CHECK(expanded(enable) == "");
    Preprocessed unknown = preprocess("#extension GL_X_y : enable\n", {});
    CHECK(unknown.ok);
    REQUIRE(unknown.messages.size() == 1);
    CHECK((!unknown.messages[0].error && unknown.messages[0].line == 1 && unknown.messages[0].column == 12));
    CHECK(expanded("#extension all : warn\n") == "");
    for (const char* line : {"#extension GL_X_y : require", "#extension all : require", "#extension all : enable",
                             "#extension", "#extension all", "#extension all ;", "#extension 2 : all",
                             "#extension all : WARN", "x\n#extension all : warn"}) {
        CAPTURE(line);
        CHECK_FALSE(preprocess(std::string(line) + "\n", {}).ok);
    }
    Limits without;
    without.standardDerivatives = false;
    CHECK_FALSE(preprocess("#extension GL_OES_standard_derivatives : require\n", without).ok);
    CHECK(preprocess("#ifdef GL_OES_standard_derivatives\n#error x\n#endif\n", without).ok);
}

TEST_CASE("expansion and nesting are bounded") {
    std::string bomb = "#define A0 x x x x x x x x\n";
    for (int i = 1; i < 20; i++) {
        std::string a = "A" + std::to_string(i - 1) + " ";
        bomb += "#define A" + std::to_string(i) + " " + a + a + a + a + a + a + a + a + "\n";
    }
    CHECK_FALSE(preprocess(bomb + "A19\n", {}).ok);
    CHECK_FALSE(preprocess(bomb + "#define ID(x) x\nID(A19)\n", {}).ok);
    CHECK(expanded(bomb + "#define IGN(x) 1\nIGN(A19)\n") == "1");
    CHECK_FALSE(preprocess(std::string(100000, '('), {}).ok);
    CHECK_FALSE(preprocess("#if " + std::string(100000, '('), {}).ok);
    CHECK_FALSE(preprocess("#if " + std::string(100000, '-'), {}).ok);
}

TEST_CASE("macros of many parameters, and many macros") {
    constexpr int kCount = 60000;
    std::string names, values, body;
    for (int i = 0; i < kCount; ++i) {
        names += (i ? ", p" : "p") + std::to_string(i);
        values += (i ? ", " : "") + std::to_string(i);
    }
    for (int i = 0; i < 10; ++i) body += " p" + std::to_string(kCount - 1 - i * 1000);
    const std::string define = "#define F(" + names + ")" + body + "\n";
    const std::clock_t begin = std::clock();  // time of the processor, which others cannot take
    CHECK(expanded(define + "F(" + values + ")") == "59999 58999 57999 56999 55999 54999 53999 52999 51999 50999");
    CHECK(expanded(define + define + define) == "");
    CHECK(expanded(define + "#define F(p0, p1)\n") == "! 'F' : macro redefined differently");
    CHECK(expanded("#define F(" + names + ", p59998)\n") == "! 'p59998' : macro parameter named twice");
    std::string many;
    for (int i = 0; i < kCount; ++i) many += "#define M" + std::to_string(i) + " M" + std::to_string(i + 1) + "\n";
    CHECK(expanded(many + "M0") == "M60000");
    CHECK(std::clock() - begin < 5 * CLOCKS_PER_SEC);  // a tenth of a second, unless each name looks through all others
}

TEST_CASE("structures of structures are bounded") {
    const auto doubled = [](int levels) {
        std::string text = "struct S0 { float x; };\n";
        for (int i = 1; i <= levels; i++) {
            const std::string before = "S" + std::to_string(i - 1);
            text += "struct S" + std::to_string(i) + " { " + before + " a, b; };\n";
        }
        return text;
    };
    CHECK(preprocess(doubled(14), {}).ok);
    const Preprocessed refused = preprocess(doubled(15), {});
    CHECK_FALSE(refused.ok);
    REQUIRE(refused.messages.size() == 1);
    CHECK(refused.messages[0].text == "'S15' : structure too large");
    CHECK(refused.messages[0].sourceLine == 16);
    // In lines of their own, with qualifiers, in arrays, behind macros, hidden by a smaller one of the same name.
    std::string other = "struct A { float a, b, c, d; };\n#define M(s) mediump s\n";
    for (int i = 0; i < 8; i++) {
        const std::string before = i == 0 ? "A" : "B" + std::to_string(i - 1);
        other += "struct B" + std::to_string(i) + " { M(" + before + ") a; " + before + " b[2]; " + before +
                 " c; };\n" + "void f" + std::to_string(i) + "() { struct B" + std::to_string(i) +
                 " { float x; } y; }\n";
    }
    CHECK_FALSE(preprocess(other, {}).ok);  // 4 * 3^8
    CHECK(preprocess("struct S { float x; } s; void main() { struct { float y, z; } t; }\n", {}).ok);
}

TEST_CASE("members of one structure are bounded, as their names are compared") {
    const auto wide = [](int structures, int members) {
        std::string text;
        for (int s = 0; s < structures; ++s) {
            text += "struct S" + std::to_string(s) + " { ";
            for (int i = 0; i < members; i += 2)
                text += "float a" + std::to_string(i) + ", b" + std::to_string(i) + "; ";
            text += "};\n";
        }
        return preprocess(text, {});
    };
    CHECK(wide(1, 11000).ok);
    CHECK(wide(1, 12000).messages.at(0).text == "'S0' : structures have too many members");
    CHECK(wide(30, 2000).ok);
    CHECK(wide(40, 2000).messages.at(0).text == "'S33' : structures have too many members");
}

TEST_CASE("uses of structures are bounded by their members") {
    std::string large = "struct S0 { vec4 v; };\n";  // S10 has 1024 members
    for (int i = 1; i <= 10; i++) {
        const std::string before = "S" + std::to_string(i - 1);
        large += "struct S" + std::to_string(i) + " { " + before + " a, b; };\n";
    }
    const auto repeated = [&](const std::string& before, const std::string& text, int times) {
        std::string shader = large + before;
        for (int i = 0; i < times; ++i) shader += text;
        return preprocess(shader + "\n", {});
    };
    const std::string k = "const S10 k = S10(a, b); ";
    const struct {
        std::string before, text;
        int uses;
    } rows[] = {{k, "f(k);", 1},
                {k, "x = k == k;", 2},
                {k, "const S10 z = k;", 3},
                {"", "S10 z;", 2},
                {"S10 make(float x); ", "make(1.0);", 1},
                {"S1 s; uniform S10 a, b; ", "b.v;", 1}};
    for (const auto& [before, text, uses] : rows) {
        CAPTURE(text);
        CHECK(repeated(before, text, 3800 / uses).ok);
        const Preprocessed refused = repeated(before, text, 4000 / uses);
        REQUIRE(refused.messages.size() == 1);
        CHECK(refused.messages[0].text.find("structures are used too often for their size") != std::string::npos);
    }
    // Small ones as often as there are tokens.
    CHECK(repeated("struct L { vec4 a, b, c; float d; } l; ", "x += l.d;", 30000).ok);
}
