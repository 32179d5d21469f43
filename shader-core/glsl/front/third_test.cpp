// GLSL ES 3.00: versions, the link rules that are its own, and what programs say of their interfaces. What shaders
// compute is in tests/shaders.
#include <algorithm>
#include <map>
#include <string>

#include "shader-core/glsl/front/testing/shaders.h"

using namespace tessera;
using namespace tessera::glsl;

namespace {

constexpr Limits kThird{.version = 300};

std::string third(const std::string& text) {
    return "#version 300 es\nprecision highp float; precision highp int;\n" + text;
}

LinkResult linkedThird(const std::string& vertexText, const std::string& fragmentText,
                       const std::map<std::string, int>& bindings = {}) {
    const CompileResult v = compile(isa::Stage::Vertex, third(vertexText), kThird);
    const CompileResult f = compile(isa::Stage::Fragment, third(fragmentText), kThird);
    INFO(v.infoLog << f.infoLog);
    REQUIRE(v.shader);
    REQUIRE(f.shader);
    return link(*v.shader, *f.shader, bindings, kThird);
}

std::string logOf(isa::Stage stage, const std::string& text, const Limits& limits = kThird) {
    const CompileResult r = compile(stage, text, limits);
    CHECK(r.shader == nullptr);
    return r.infoLog;
}

constexpr const char* kVertex = "void main() { gl_Position = vec4(0.0); }";
constexpr const char* kFragment = "out vec4 o; void main() { o = vec4(1.0); }";

}  // namespace

TEST_CASE("what is invariant, and what a macro may hold") {
    const std::string pragma = "#version 300 es\n#pragma STDGL invariant(all)\n";
    const std::string fragment = std::string("precision mediump float;\n") + kFragment;
    CHECK(compiles(compile(isa::Stage::Vertex, pragma + kVertex, kThird)));
    CHECK(contains(logOf(isa::Stage::Fragment, pragma + fragment), "0:2: '#pragma' : invariant(all)"));
    CHECK(compiles(compile(isa::Stage::Fragment, "#pragma STDGL invariant(all)\nvoid main() {}", kThird)));
    CHECK(compiles(compile(isa::Stage::Vertex, third(std::string("#define sushi \xE5\xAF\xBF\n") + kVertex), kThird)));
    logOf(isa::Stage::Vertex,
          third("#define sushi \xE5\xAF\xBF\nint a = sushi;\nvoid main() { gl_Position = vec4(0.0); }"));
    logOf(isa::Stage::Vertex, std::string("#define sushi \xE5\xAF\xBF\n") + kVertex);
}

TEST_CASE("names of other versions and of extensions are the shader's to declare") {
    for (const char* name : {"average", "absoluteDifference", "memoryBarrier", "textureGather", "imageLoad",
                             "texture2DLodEXT", "shadow2DEXT", "countLeadingZeros", "debugPrintfEXT"}) {
        CAPTURE(name);
        const std::string function = name;
        CHECK(compiles(compile(isa::Stage::Fragment,
                               third("float " + function +
                                     "(const in vec3 v) { return dot(v, vec3(0.3333333)); } out vec4 o;"
                                     " void main() { o = vec4(" +
                                     function + "(vec3(1.0))); }"),
                               kThird)));
    }
    for (const char* name : {"shared", "samplerCubeArray", "image2DRect", "nonprivate", "workgroupcoherent"}) {
        CAPTURE(name);
        const std::string variable = name;
        CHECK(compiles(
            compile(isa::Stage::Fragment,
                    third("layout(std140) uniform; layout(shared) uniform Block { vec4 color; }; uniform float " +
                          variable + "; out vec4 o; void main() { o = color * max(1.0, " + variable + "); }"),
                    kThird)));
    }
    for (const char* name : {"sin", "dFdx", "textureGrad"}) {
        CAPTURE(name);
        CHECK_FALSE(
            compiles(compile(isa::Stage::Fragment,
                             third("float " + std::string(name) + "(int x) { return 1.0; }" + kFragment), kThird)));
    }
    CHECK(contains(logOf(isa::Stage::Fragment, third("float average(float x) { return x; } out vec4 o; void main() {\n"
                                                     "o = vec4(average(true)); }")),
                   "'average' : no matching overloaded function found"));
}

TEST_CASE("a limit says which versions a shader may name") {
    const std::string text = third(kFragment);
    CHECK(compiles(compile(isa::Stage::Fragment, text, kThird)));
    CHECK(contains(logOf(isa::Stage::Fragment, text, {}), "GLSL ES 1.00 is #version 100"));
    CHECK(contains(logOf(isa::Stage::Fragment, "#version 300\nvoid main() {}"), "GLSL ES 3.00 is #version 300 es"));
    CHECK(contains(logOf(isa::Stage::Fragment, "#version 310 es\nvoid main() {}"), "version not supported"));
    CHECK(contains(logOf(isa::Stage::Fragment, "#version 300 es x\nvoid main() {}"), "unexpected tokens"));
    const char* old = "#version 100\n#if __VERSION__ != 100\n#error\n#endif\nvoid main() { gl_FragColor = vec4(1.0); }";
    CHECK(compiles(compile(isa::Stage::Fragment, old, kThird)));
    CHECK(compiles(compile(isa::Stage::Fragment,
                           third(std::string("#if __VERSION__ != 300\n#error\n#endif\n") + kFragment), kThird)));
    const auto advice = [](const std::string& text) { return logOf(isa::Stage::Fragment, third(text)); };
    CHECK(contains(advice("void main() { gl_FragColor = vec4(1.0); }"), "declare an output: out vec4 color;"));
    CHECK(contains(advice("varying vec4 a; void main() {}"), "GLSL ES 3.00 has 'out' in vertex shaders"));
    CHECK(contains(
        advice("uniform sampler2D s; out vec4 o; void main() { o = texture2D(s, vec2(0.0)); }"),
        "0:3:52: 'texture2D' : no matching overloaded function found; GLSL ES 3.00 has texture(sampler, position)"));
    CHECK(contains(advice("out vec4 o; void main() { o = lerp(o, o, 0.5); }"), "GLSL has mix(a, b, t)"));
    CHECK(contains(advice("out vec4 o; void main() { uint n = 1; o = vec4(n); }"), "write uint(...)"));
    CHECK(contains(advice("out struct S { float x[2]; } s; void main() {}"), "'out' : cannot be a structure"));
}

TEST_CASE("shaders of different versions do not link") {
    const CompileResult v = compile(isa::Stage::Vertex, third(kVertex), kThird);
    const CompileResult f = compile(isa::Stage::Fragment, "void main() { gl_FragColor = vec4(1.0); }", kThird);
    REQUIRE(v.shader);
    REQUIRE(f.shader);
    const LinkResult r = link(*v.shader, *f.shader, {}, kThird);
    CHECK(!r.ok);
    CHECK(contains(r.infoLog, "of #version 300 es, the fragment shader of #version 100"));
}

TEST_CASE("varyings agree on being flat, and carry how they are interpolated") {
    const char* vertexText =
        "flat out int n; out vec2 s; out vec3 c; void main() { n = 1; s = vec2(1.0); c = vec3(1.0); gl_Position = "
        "vec4(0.0); }";
    const LinkResult good = linkedThird(vertexText,
                                        "flat in int n; in vec2 s; centroid in vec3 c; out vec4 o;\n"
                                        "void main() { o = vec4(s, c.x, float(n)); }");
    REQUIRE(good.ok);
    for (const auto& program : {good.vertex, good.fragment}) {
        REQUIRE(program->varyings.size() == 3);
        CHECK(find(program->varyings, "n")->interpolation == isa::Interpolation::Flat);
        CHECK(find(program->varyings, "n")->type == isa::VarType::Int);
        CHECK(find(program->varyings, "s")->interpolation == isa::Interpolation::Smooth);
        CHECK(find(program->varyings, "c")->interpolation == isa::Interpolation::Centroid);
    }
    const LinkResult bad = linkedThird(vertexText, "flat in vec2 s; out vec4 o; void main() { o = vec4(s, s); }");
    CHECK(!bad.ok);
    CHECK(contains(bad.infoLog,
                   "0:3:14: 's' : varying is flat in the fragment shader but smooth in the vertex shader at 0:3:"));
    CHECK(contains(logOf(isa::Stage::Fragment, third("in int n; out vec4 o; void main() { o = vec4(float(n)); }")),
                   "flat"));
}

TEST_CASE("discarded lanes leave a loop whose body writes what it counts, as it may not end") {
    const auto breaks = [](const std::string& statement) {
        const CompileResult f =
            compile(isa::Stage::Fragment,
                    third("uniform float u; out vec4 o;\n"
                          "void read(float x) { o.x += x; }\n"
                          "void write(out float x) { x = u; }\n"
                          "void add(inout float x) { x += u; }\n"
                          "void main() { if (u > 1.0) discard; float f = u; for (float i = 0.0; i < u; i++) { " +
                          statement + " o += i + f; } }"),
                    kThird);
        INFO(f.infoLog);
        REQUIRE(f.shader);
        return std::ranges::count(f.shader->module.code, ir::Op::Brk, &ir::Instruction::op);
    };
    const auto counted = breaks("");
    for (const char* statement : {"f = i;", "f += i;", "f++;", "f = modf(i, f);", "read(i);", "write(f);"}) {
        CAPTURE(statement);
        CHECK(breaks(statement) == counted);
    }
    for (const char* statement : {"i = f;", "i += f;", "i++;", "--i;", "f = modf(f, i);", "write(i);", "add(i);"}) {
        CAPTURE(statement);
        CHECK(breaks(statement) == counted + 1);
    }
}

TEST_CASE("structures pass between the stages member by member") {
    const char* type = "struct S { vec3 colour; float weight; mat2 turn; };\n";
    const LinkResult r = linkedThird(
        std::string(type) +
            "out S s; void main() { s.colour = vec3(1.0); s.weight = 2.0; s.turn = mat2(3.0); gl_Position = "
            "vec4(0.0); }",
        std::string(type) + "in S s; out vec4 o; void main() { o = vec4(s.colour.xy, s.weight, s.turn[1].y); }");
    REQUIRE(r.ok);
    for (const auto& program : {r.vertex, r.fragment}) {
        CHECK(find(program->varyings, "s.colour") != nullptr);
        CHECK(find(program->varyings, "s.weight")->type == isa::VarType::Float);
        CHECK(find(program->varyings, "s.turn")->type == isa::VarType::Mat2);
    }
    CHECK(r.vertex->varyings == r.fragment->varyings);
    const LinkResult other = linkedThird(
        "struct S { vec2 colour; }; out S s; void main() { s.colour = vec2(1.0); gl_Position = vec4(0.0); }",
        std::string(type) + "in S s; out vec4 o; void main() { o = vec4(s.colour, 1.0); }");
    CHECK(!other.ok);
    CHECK(contains(other.infoLog, "'s' : varying is struct S"));
}

TEST_CASE("a fragment program names its outputs") {
    const LinkResult r = linkedThird(kVertex,
                                     "layout(location = 2) out ivec2 second; layout(location = 0) out vec4 first[2];\n"
                                     "void main() { first[0] = first[1] = vec4(1.0); second = ivec2(3); }");
    REQUIRE(r.ok);
    REQUIRE(r.fragment->outputs.size() == 2);
    CHECK(find(r.fragment->outputs, "first")->arraySize == 2);
    CHECK(find(r.fragment->outputs, "second")->reg == isa::kOutColor0 + 2);
    CHECK(find(r.fragment->outputs, "second")->type == isa::VarType::IVec2);
    CHECK(!r.fragment->broadcastColor);
}

TEST_CASE("locations of attributes lie apart") {
    const char* text = "layout(location = 1) in mat2 m; in vec4 a; void main() { gl_Position = a + m[0].xyxy; }";
    const LinkResult good = linkedThird(text, kFragment, {{"a", 3}});
    REQUIRE(good.ok);
    CHECK(find(good.vertex->attributes, "m")->reg == 1);
    const LinkResult bad = linkedThird(text, kFragment, {{"a", 2}});
    CHECK(!bad.ok);
    CHECK(contains(bad.infoLog, "attribute has location 2, and so has 'm'"));
    // So do those that are declared and not used; names of no attribute are nobody's.
    const char* unused = "in vec4 a, b; in mat3 m; void main() { gl_Position = a; }";
    CHECK(linkedThird(unused, kFragment, {{"a", 3}, {"b", 4}, {"m", 0}, {"c", 3}}).ok);
    CHECK(contains(linkedThird(unused, kFragment, {{"a", 3}, {"b", 3}}).infoLog, "'b' : attribute has location 3"));
    CHECK(contains(linkedThird(unused, kFragment, {{"b", 7}, {"m", 5}}).infoLog, "'m' : attribute has location 7"));
    for (const int beyond : {-1, 15, 16, 0x7FFFFFFF, -0x7FFFFFFF - 1})
        CHECK(linkedThird(unused, kFragment, {{"a", 3}, {"m", beyond}}).ok);
}

TEST_CASE("precisions of uniforms agree, whoever reads them") {
    const auto linkedWith = [](const char* own, const char* other) {
        return linkedThird("uniform " + std::string(own) + " u; " + kVertex,
                           "uniform " + std::string(other) + " u; " + kFragment);
    };
    CHECK(linkedWith("mediump vec4", "mediump vec4").ok);
    CHECK(contains(linkedWith("mediump vec4", "highp vec4").infoLog,
                   "ERROR: 0:3:20: 'u' : uniform has another precision"));
}

TEST_CASE("a program says what its uniform blocks are") {
    const LinkResult r = linkedThird(
        "layout(std140) uniform Camera { mat4 view; vec3 eye; float near; } camera; void main() { gl_Position = "
        "camera.view * vec4(camera.eye, camera.near); }",
        "struct Light { vec3 colour; float weight; };\n"
        "layout(std140) uniform Camera { mat4 view; vec3 eye; float near; } view;\n"
        "layout(std140) uniform Lights { int count; Light light[2]; float table[3]; layout(row_major) mat3x2 turn; };\n"
        "uniform Unused { vec4 u; } unused[2];\n"
        "out vec4 o; void main() { o = vec4(light[count].colour * light[1].weight, table[count] + turn[2].y); }");
    REQUIRE(r.ok);
    REQUIRE(r.vertex->blocks.size() == 1);
    REQUIRE(r.fragment->blocks.size() == 4);
    const isa::UniformBlock& camera = r.vertex->blocks[0];
    CHECK(camera.name == "Camera");
    CHECK(camera.byteSize == 80);
    CHECK(camera.registers == 5);
    CHECK(camera.members[2].name == "Camera.near");
    CHECK(camera.members[2].offset == 76);
    CHECK(r.fragment->blocks[0].registers == 0);  // declared and not read
    const isa::UniformBlock& lights = r.fragment->blocks[1];
    const auto member = [&](const char* name) {
        for (const isa::BlockMember& m : lights.members)
            if (m.name == name) return m;
        FAIL("no member " << name);
        return isa::BlockMember{};
    };
    CHECK(lights.byteSize == 128);
    CHECK(member("light[1].colour").offset == 32);
    CHECK(member("light[1].weight").offset == 44);
    CHECK(member("table").offset == 48);
    CHECK(member("table").arrayStride == 16);
    CHECK(member("turn").offset == 96);
    CHECK(member("turn").rowMajor);
    CHECK(member("turn").matrixStride == 16);
    CHECK(r.fragment->blocks[2].name == "Unused[0]");
    std::string why;
    const auto back = isa::deserialize(isa::serialize(*r.fragment), &why);
    REQUIRE(back);
    CHECK(back->blocks == r.fragment->blocks);
    CHECK(back->outputs == r.fragment->outputs);
    CHECK(back->constantCount == r.fragment->constantCount);
    CHECK(isa::verify(*back) == "");
}

TEST_CASE("members of a block are aligned, and structures padded") {
    const LinkResult r = linkedThird(kVertex,
                                     "struct Small { vec3 one; };\n"
                                     "layout(std140) uniform B { float a; vec3 b; vec2 c; Small s; float d; }; "
                                     "layout(packed) uniform P { vec4 p; };\n"
                                     "out vec4 o; void main() { o = vec4(a, b) + vec4(c, s.one.xy) * d + p; }");
    REQUIRE(r.ok);
    REQUIRE(r.fragment->blocks.size() == 2);
    std::map<std::string, uint32_t> offsets;
    for (const isa::BlockMember& member : r.fragment->blocks[0].members) offsets[member.name] = member.offset;
    CHECK(offsets == std::map<std::string, uint32_t>{{"a", 0}, {"b", 16}, {"c", 32}, {"s.one", 48}, {"d", 64}});
    CHECK(r.fragment->blocks[0].byteSize == 80);
    CHECK(r.fragment->blocks[0].isShared);
    CHECK_FALSE(r.fragment->blocks[1].isShared);
}

TEST_CASE("a block of both stages is one") {
    const auto differ = [](const std::string& vertex, const std::string& fragment) {
        const LinkResult r = linkedThird(vertex + kVertex, fragment + kFragment);
        CHECK_FALSE(r.ok);
        return r.infoLog;
    };
    const std::string block = "uniform B { mat2 m; vec4 v; }";
    CHECK(linkedThird(block + "; " + kVertex, block + "; " + kFragment).ok);
    CHECK(contains(differ(block + ";", "layout(packed) " + block + ";"), "another layout"));
    CHECK(contains(differ(block + " b[2];", block + " b[3];"), "another number of instances"));
    CHECK(contains(differ(block + ";", block + " b;"), "its members named in another way"));
    CHECK(contains(differ(block + ";", "uniform B { mat2 m; mediump vec4 v; };"), "another precision of 'v'"));
    CHECK(
        contains(differ(block + ";", "uniform B { layout(row_major) mat2 m; vec4 v; };"), "another order of matrices"));
}

TEST_CASE("blocks are of so many bytes, and so many of each stage and of both") {
    const auto blocks = [](const std::string& prefix, int count) {
        std::string text;
        for (int i = 0; i < count; ++i)
            text += "uniform " + prefix + std::to_string(i) + " { vec4 " + prefix + "v" + std::to_string(i) + "; };\n";
        return text;
    };
    const auto words = [](int vectors) { return "uniform Large { vec4 large[" + std::to_string(vectors) + "]; };"; };
    CHECK(linkedThird(kVertex, words(4096) + kFragment).ok);
    const LinkResult large = linkedThird(kVertex, words(4097) + kFragment);
    CHECK_FALSE(large.ok);
    CHECK(contains(large.infoLog, "uniform block has 65552 bytes, limit 65536"));
    CHECK(linkedThird(blocks("A", 12) + kVertex, blocks("B", 12) + kFragment).ok);
    const LinkResult many = linkedThird(blocks("A", 13) + kVertex, kFragment);
    CHECK_FALSE(many.ok);
    CHECK(contains(many.infoLog, "the vertex shader has 13 uniform blocks up to here, limit 12"));
    Limits few = kThird;
    few.combinedUniformBlocks = 5;
    for (const int count : {2, 3}) {
        const CompileResult v = compile(isa::Stage::Vertex, third(blocks("A", 3) + kVertex), few);
        const CompileResult f = compile(isa::Stage::Fragment, third(blocks("B", count) + kFragment), few);
        REQUIRE(v.shader);
        REQUIRE(f.shader);
        const LinkResult both = link(*v.shader, *f.shader, {}, few);
        CHECK(both.ok == (count == 2));
        CHECK(contains(both.infoLog, "the program has 6 uniform blocks, limit 5") == (count == 3));
    }
}

TEST_CASE("names of a block's members and of uniforms are apart") {
    const LinkResult r = linkedThird("uniform vec4 x; void main() { gl_Position = x; }",
                                     "uniform B { vec4 x; }; out vec4 o; void main() { o = x; }");
    CHECK(!r.ok);
    CHECK(contains(r.infoLog, "0:3:14: 'x' : uniform has the name of a member of block 'B'"));
}

TEST_CASE("messages name matrices as the language does, columns first") {
    const auto log = [](const std::string& statement) {
        return compile(isa::Stage::Vertex, "#version 300 es\nvoid main() { " + statement + " }", kThird).infoLog;
    };
    CHECK(contains(log("mat2x3 m = mat3x2(1.0);"), "cannot convert from 'const mat3x2' to 'mat2x3'"));
    CHECK(contains(log("mat4 m = mat2(1.0);"), "cannot convert from 'const mat2' to 'mat4'"));
}

TEST_CASE("messages hold whole characters") {
    const auto log = [](const std::string& statement) {
        return compile(isa::Stage::Vertex, "#version 300 es\nvoid main() { " + statement + " }", kThird).infoLog;
    };
    const auto isAscii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    const std::string one = log("\n#define a \xe7\xae\xb8\nint a;");
    INFO(one);
    CHECK(one.starts_with("ERROR: 0:4"));
    CHECK(std::ranges::all_of(one, isAscii));
    CHECK(contains(one, "\\x"));
    CHECK(std::ranges::all_of(log("\xff"), isAscii));
    // One that the end cuts off.
    const std::string cut = log("\n#error \xe7\xae\n");
    INFO(cut);
    CHECK(contains(cut, "#error"));
    CHECK(std::ranges::all_of(cut, isAscii));
}
