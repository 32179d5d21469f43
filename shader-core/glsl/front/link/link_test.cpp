// The link rules of ES 2.0 and GLSL ES 1.00, one by one, and the registers they lead to.
#include <set>

#include "shader-core/glsl/front/link/packing.h"
#include "shader-core/glsl/front/testing/shaders.h"
#include "shader-core/isa/stage_registers.h"

using namespace tessera;
using namespace tessera::glsl;

namespace {

const std::string kVertex = "attribute vec4 p; void main() { gl_Position = p; }";
const std::string kFragment = "void main() { gl_FragColor = vec4(1.0); }";

bool fails(const LinkResult& r, const std::string& part) {
    INFO(r.infoLog);
    CHECK_FALSE(r.vertex);
    CHECK_FALSE(r.fragment);
    return !r.ok && contains(r.infoLog, part);
}

}  // namespace

TEST_CASE("a small program links") {
    LinkResult r = linked(
        "attribute vec4 p; attribute vec2 t; uniform mat4 mvp; varying vec2 tc; void main() { gl_Position = mvp * p; "
        "tc = t; }",
        "uniform sampler2D tex; uniform vec4 tint; varying vec2 tc; void main() { gl_FragColor = tint * texture2D(tex, "
        "tc); }");
    INFO(r.infoLog);
    REQUIRE(r.ok);
    CHECK(r.infoLog.empty());
    REQUIRE(r.vertex->attributes.size() == 2);
    CHECK(r.vertex->attributes[0].reg != r.vertex->attributes[1].reg);
    REQUIRE(find(r.vertex->uniforms, "mvp"));
    CHECK(find(r.vertex->uniforms, "mvp")->type == isa::VarType::Mat4);
    REQUIRE(find(r.fragment->uniforms, "tex"));
    CHECK(find(r.fragment->uniforms, "tex")->reg == 0);
    CHECK(r.fragment->samplerMask == 1);
    REQUIRE(r.fragment->varyings.size() == 1);
    CHECK(r.fragment->varyings[0].reg == r.vertex->varyings[0].reg);
}

TEST_CASE("both stages are complete") {
    CHECK(fails(linked("void f() {}", kFragment), "no main"));
    CHECK(fails(linked(kVertex, "float f(float x); void main() { gl_FragColor = vec4(f(1.0)); }"), "'f'"));
    CHECK(fails(linked(kVertex, "float case(float x); void main() { gl_FragColor = vec4(case(1.0)); }"), "'case'"));
    CHECK(fails(linked(kVertex, "float a__b(float x); void main() { gl_FragColor = vec4(a__b(1.0)); }"), "'a__b'"));
    CompileResult v = vertex(kVertex);
    CHECK_FALSE(link(*v.shader, *v.shader, {}).ok);
}

TEST_CASE("keywords of other languages are names in the interface") {
    const LinkResult r = linked(
        "attribute vec4 filter; uniform struct case { mat4 active; } common; varying vec2 partition;"
        "void main() { gl_Position = common.active * filter; partition = filter.xy; }",
        "uniform vec4 samplerCubeArray[2]; varying vec2 partition;"
        "void main() { gl_FragColor = samplerCubeArray[1] * partition.xyxy; }",
        {{"filter", 3}});
    INFO(r.infoLog);
    REQUIRE(r.ok);
    REQUIRE(find(r.vertex->attributes, "filter"));
    CHECK(find(r.vertex->attributes, "filter")->reg == 3);
    CHECK(find(r.vertex->uniforms, "common.active"));
    CHECK(find(r.vertex->varyings, "partition"));
    CHECK(find(r.fragment->varyings, "partition"));
    CHECK(find(r.fragment->uniforms, "samplerCubeArray"));
}

TEST_CASE("varyings match by name, type and invariance") {
    std::string write = "attribute vec4 p; varying vec2 a; void main() { gl_Position = p; a = p.xy; }";
    CHECK(linked(write, "varying vec2 a; void main() { gl_FragColor = a.xyxy; }").ok);
    CHECK(linked(write, "varying highp vec2 a; void main() { gl_FragColor = a.xyxy; }").ok);
    CHECK(linked(write, kFragment).ok);
    CHECK(linked(kVertex, "varying vec2 b; void main() { gl_FragColor = vec4(1.0); }").ok);
    CHECK(fails(linked(kVertex, "varying vec2 b; void main() { gl_FragColor = b.xyxy; }"), "'b'"));
    CHECK(fails(linked(kVertex,
                       "varying vec2 b; void f() { gl_FragColor = b.xyxy; } void main() { gl_FragColor = vec4(1.0); }"),
                "'b'"));
    CHECK(fails(linked(write, "varying vec3 a; void main() { gl_FragColor = a.xyzx; }"), "'a'"));
    CHECK(fails(linked(write, "varying vec2 a[2]; void main() { gl_FragColor = a[0].xyxy; }"), "vec2[2]"));
    CHECK(fails(linked(write, "invariant varying vec2 a; void main() { gl_FragColor = a.xyxy; }"), "invariant"));
    std::string invariant = "attribute vec4 p; invariant varying vec2 a; void main() { gl_Position = p; a = p.xy; }";
    CHECK(linked(invariant, "invariant varying vec2 a; void main() { gl_FragColor = a.xyxy; }").ok);
    CHECK(fails(linked(invariant, "varying vec2 a; void main() { gl_FragColor = a.xyxy; }"), "invariant"));
    // The pragma is for outputs alone.
    const std::string pragma = "#pragma STDGL invariant(all)\n";
    CHECK(fails(linked(pragma + write, "varying vec2 a; void main() { gl_FragColor = a.xyxy; }"), "invariant"));
    CHECK(linked(pragma + write, "invariant varying vec2 a; void main() { gl_FragColor = a.xyxy; }").ok);
    const std::string reads = "precision mediump float; varying vec2 a; void main() { gl_FragColor = a.xyxy; }";
    const CompileResult all = compile(isa::Stage::Fragment, pragma + reads);
    REQUIRE(all.shader);
    CHECK(link(*vertex(write).shader, *all.shader, {}, {}).ok);
    CHECK(fails(link(*vertex(invariant).shader, *all.shader, {}, {}), "invariant"));
    std::string coord = "invariant gl_FragCoord; void main() { gl_FragColor = gl_FragCoord; }";
    CHECK(fails(linked(kVertex, coord), "gl_Position"));
    CHECK(linked("invariant gl_Position; " + kVertex, coord).ok);
    std::string unused = "invariant gl_PointCoord; void main() { gl_FragColor = vec4(1.0); }";
    CHECK(fails(linked(kVertex, unused), "gl_PointSize"));
    CHECK(linked("invariant gl_Position, gl_PointSize; " + kVertex, unused).ok);
    for (const std::string& built : {coord, unused}) CHECK(linked(pragma + kVertex, built).ok);
}

TEST_CASE("link errors name the place of the declaration, and of its partner in the other shader") {
    // linked() puts a line before the fragment shader's.
    const auto logOf = [](const std::string& vertexText, const std::string& fragmentText) {
        return linked(vertexText, fragmentText).infoLog;
    };
    const std::string write = "attribute vec4 p;\nvarying vec2 x, a;\nvoid main() { gl_Position = p; a = p.xy; }";
    CHECK(logOf(write, "\n\nvarying vec3 a; void main() { gl_FragColor = a.xyzx; }") ==
          "ERROR: 0:4:14: 'a' : varying is vec3 in the fragment shader but vec2 in the vertex shader at 0:2:17\n");
    CHECK(logOf(write, "varying vec2 a[2],\n  b; void main() { gl_FragColor = b.xyxy; }") ==
          "ERROR: 0:2:14: 'a' : varying is vec2[2] in the fragment shader but vec2 in the vertex shader at 0:2:17\n"
          "ERROR: 0:3:3: 'b' : varying used by the fragment shader is not declared in the vertex shader\n");
    // As #line counts, through macros, and behind the members of a structure.
    CHECK(logOf("attribute vec4 p;\n#line 70 4\nuniform struct S { mediump float a, b; } s; void main() { gl_Position "
                "= p * s.a; }",
                "#define NAME s\nuniform struct S { mediump float a; mediump vec2 b; }\nNAME;\n"
                "void main() { gl_FragColor = vec4(s.a); }") ==
          "ERROR: 0:4:1: 's.b' : uniform is struct S in the fragment shader but struct S in the vertex shader at "
          "4:70:42, with "
          "different members\n");
    CHECK(linked("attribute vec4 p;\nattribute mat4 m; void main() { gl_Position = m * p; }", kFragment, {{"m", 14}})
              .infoLog == "ERROR: 0:2:16: 'm' : attribute bound to location 14 needs 4 of 16 locations\n");
}

TEST_CASE("varyings nobody reads disappear, written or read by the vertex shader itself") {
    LinkResult r = linked(
        "attribute vec4 p; varying vec4 a[3]; varying vec2 b; varying float c; uniform int k;\n"
        "void main() { a[k] = p; a[1].x = 2.0; b = a[1].xy; c = b.x; gl_Position = p * a[k].x; }",
        "varying float c; varying vec2 b; void main() { gl_FragColor = vec4(b, b); }");
    INFO(r.infoLog);
    REQUIRE(r.ok);
    REQUIRE(r.vertex->varyings.size() == 1);
    CHECK(r.vertex->varyings[0].name == "b");
    CHECK(r.vertex->outputMask == (1u << isa::kOutPosition | 1u << isa::kOutVarying0));
    CHECK(r.fragment->inputMask == 1);
}

TEST_CASE("captured varyings stay, though the fragment shader does not read them") {
    const std::string write =
        "attribute vec4 p; struct S { vec2 x; vec2 y; }; varying vec4 a[3]; varying vec2 b; varying float c;\n"
        "void main() { a[0] = a[1] = a[2] = p; b = p.xy; c = p.x; gl_Position = p; }";
    const std::string read = "precision highp float; varying vec2 b; void main() { gl_FragColor = b.xyxy; }";
    const LinkResult r =
        link(*vertex(write).shader, *fragment(read).shader, {}, {}, {"a[1]", "gl_Position", "c", "none", "cc"});
    INFO(r.infoLog);
    REQUIRE(r.ok);
    CHECK(r.fragment->varyings.size() == 1);
    REQUIRE(r.vertex->varyings.size() == 3);
    CHECK(r.vertex->varyings[0].name == "b");
    CHECK(r.vertex->varyings[1].name == "a");
    CHECK(r.vertex->varyings[1].reg == 1);
    CHECK(r.vertex->varyings[2].name == "c");
    CHECK(r.vertex->varyings[2].reg == 4);
    CHECK(r.vertex->outputMask == (1u << isa::kOutPosition | 0b11111u << isa::kOutVarying0));
}

TEST_CASE("captured varyings are packed like others, and tell where") {
    std::string declare, write = "void main() { gl_Position = p;";
    std::vector<std::string> captured;
    for (int i = 0; i < 40; i++) {
        captured.push_back("v" + std::to_string(i));
        declare += "varying float " + captured.back() + ";\n";
        write += captured.back() + " = p.x;";
    }
    const auto vertexShader = vertex("attribute vec4 p;" + declare + write + "}").shader;
    const auto fragmentShader = fragment("void main() { gl_FragColor = vec4(1); }").shader;
    REQUIRE(vertexShader);
    const LinkResult r = link(*vertexShader, *fragmentShader, {}, {}, captured);
    INFO(r.infoLog);
    REQUIRE(r.ok);
    std::set<std::pair<int, int>> places;
    for (const isa::Variable& v : r.vertex->varyings) places.insert({v.reg, v.component});
    CHECK(places.size() == 40);
    CHECK(isa::verify(*r.vertex) == "");
}

TEST_CASE("outputs that nobody writes are 0, not whatever the register held") {
    LinkResult r =
        linked("varying vec4 a[2]; void main() {}", "varying vec4 a[2]; void main() { gl_FragColor = a[0] + a[1]; }");
    REQUIRE(r.ok);
    CHECK(r.vertex->outputMask == (1u << isa::kOutPosition | 3u << isa::kOutVarying0));
    CHECK(linked(kVertex, "void main() {}").fragment->outputMask == 1);
}

TEST_CASE("varyings are packed when there are too many for one register each") {
    auto program = [](int vec3s, int floats) {
        std::string declarations, writes, sum = "0.0";
        for (int i = 0; i < vec3s; i++) {
            std::string n = "v" + std::to_string(i);
            declarations += "varying vec3 " + n + ";";
            writes += n + " = p.zxy * " + std::to_string(i) + ".0;";
            sum += " + " + n + ".x * " + n + ".y + " + n + ".z";
        }
        for (int i = 0; i < floats; i++) {
            std::string n = "f" + std::to_string(i);
            declarations += "varying float " + n + ";";
            writes += n + " = p.w + " + std::to_string(i) + ".0;";
            sum += " + " + n;
        }
        return linked("attribute vec4 p;" + declarations + "void main() { gl_Position = p;" + writes + "}",
                      declarations + "void main() { gl_FragColor = vec4(" + sum + "); }");
    };
    CHECK(program(13, 0).ok);
    CHECK(program(31, 0).ok);
    CHECK(program(31, 31).ok);
    CHECK(program(0, 124).ok);
    CHECK(fails(program(32, 0), "limit 31"));
    CHECK(fails(program(31, 32), "limit 31"));
    CHECK(fails(program(0, 125), "limit 31"));
    LinkResult full = program(31, 31);
    for (const isa::Variable& v : full.fragment->varyings) CHECK(v.reg < 31);
    CHECK(full.fragment->inputMask == isa::RegisterMask::range(0, 31));
    CHECK(full.vertex->outputMask == (isa::RegisterMask::range(isa::kOutVarying0, 31) | 1u << isa::kOutPosition));
    CHECK(isa::verify(*full.vertex) == "");
    CHECK(isa::verify(*full.fragment) == "");
}

TEST_CASE("uniforms of the two stages agree") {
    auto run = [&](const std::string& v, const std::string& f, const std::string& use) {
        std::string vs = "attribute vec4 p; " + v + " void main() { gl_Position = p * float(" + use + "); }";
        std::string fs = f + " void main() { gl_FragColor = vec4(" + use + "); }";
        return linked(vs, fs);
    };
    CHECK(run("uniform mediump float x;", "uniform mediump float x;", "x").ok);
    CHECK(fails(run("uniform highp float x;", "uniform mediump float x;", "x"), "precision"));
    CHECK(fails(run("uniform mediump float x;", "uniform mediump int x;", "x"), "'x'"));
    CHECK(fails(run("uniform mediump float x[2];", "uniform mediump float x[3];", "x[0]"), "'x'"));
    std::string s = "struct S { mediump float a; mediump vec2 b; }; uniform S x;";
    CHECK(run(s, s, "x.a").ok);
    CHECK(fails(run(s, "struct S { mediump float a; highp vec2 b; }; uniform S x;", "x.a"), "'x.b'"));
    CHECK(fails(run(s, "struct S { mediump float a; mediump vec3 b; }; uniform S x;", "x.a"), "'x.b'"));
    CHECK(fails(run(s, "struct T { mediump float a; mediump vec2 b; }; uniform T x;", "x.a"), "'x'"));
    LinkResult unused = linked("attribute vec4 p; uniform highp float x; void main() { gl_Position = p; }",
                               "uniform mediump float x; void main() { gl_FragColor = vec4(x); }");
    CHECK(unused.ok);
    CHECK(contains(unused.infoLog, "WARNING"));
}

TEST_CASE("only active uniforms are listed, structures member by member") {
    LinkResult r = linked(
        kVertex,
        "struct L { vec3 c[2]; float f; sampler2D t; }; uniform L ls[2]; uniform vec4 dead; uniform float z[3];\n"
        "uniform int k; void main() { gl_FragColor = vec4(ls[1].c[1], ls[0].f) * z[1] + texture2D(ls[1].t, vec2(0.5)) "
        "* gl_DepthRange.far; }");
    INFO(r.infoLog);
    REQUIRE(r.ok);
    const auto& u = r.fragment->uniforms;
    CHECK_FALSE(find(u, "dead"));
    CHECK_FALSE(find(u, "k"));
    CHECK_FALSE(find(u, "ls[0].c"));
    REQUIRE(find(u, "ls[1].c"));
    CHECK(find(u, "ls[1].c")->arraySize == 2);
    CHECK(find(u, "ls[0].f"));
    CHECK_FALSE(find(u, "ls[0].t"));
    REQUIRE(find(u, "ls[1].t"));
    CHECK(find(u, "ls[1].t")->reg == 0);
    REQUIRE(find(u, "z"));
    CHECK(find(u, "z")->arraySize == 3);
    REQUIRE(find(u, "gl_DepthRange.far"));
    CHECK(find(u, "gl_DepthRange.far")->precision == isa::Precision::High);
    // No two of them share a register.
    std::vector<int> owner(64);
    for (const isa::Variable& v : u)
        if (!isa::isSampler(v.type))
            for (int i = 0; i < std::max<int>(v.arraySize, 1); i++) CHECK(owner.at(v.reg + i)++ == 0);
}

TEST_CASE("of samplers the array is active that an index reaches, and none beside it") {
    const LinkResult r = linked(
        kVertex,
        "uniform sampler2D shown, dead, unused; uniform sampler2D array[2]; uniform sampler2D behind; uniform int k;\n"
        "void main() { gl_FragColor = texture2D(shown, vec2(0.5)) + texture2D(array[k], vec2(0.5)); }");
    INFO(r.infoLog);
    REQUIRE(r.ok);
    const auto& u = r.fragment->uniforms;
    for (const char* name : {"dead", "unused", "behind"}) CHECK_FALSE(find(u, name));
    REQUIRE(find(u, "shown"));
    REQUIRE(find(u, "array"));
    CHECK(find(u, "array")->arraySize == 2);
    CHECK(find(u, "shown")->reg == 0);
    CHECK(find(u, "array")->reg == 1);
}

TEST_CASE("uniform and sampler limits") {
    auto fragmentWith = [](const std::string& declaration, const std::string& use) {
        return linked(kVertex, declaration + " uniform int k; void main() { gl_FragColor = vec4(" + use + "); }");
    };
    CHECK(fragmentWith("uniform vec4 a[255];", "a[k]").ok);
    CHECK(fails(fragmentWith("uniform vec4 a[257];", "a[k]"), "limit 256"));
    CHECK(fragmentWith("uniform float a[200], b[200];", "a[k] + b[k]").ok);
    CHECK(fragmentWith("uniform sampler2D s[16];", "texture2D(s[0], vec2(0.0)) + texture2D(s[15], vec2(0.0))").ok);
    CHECK(fails(fragmentWith("uniform sampler2D s[17];", "texture2D(s[16], vec2(0.0))"), "limit 16"));
    Limits few;
    few.combinedTextureUnits = 1;
    CHECK(fails(linked("uniform sampler2D a; void main() { gl_Position = texture2D(a, vec2(0.0)); }",
                       "uniform sampler2D b; void main() { gl_FragColor = texture2D(b, vec2(0.0)); }", {}, few),
                "limit 1"));
}

TEST_CASE("attribute locations") {
    std::string source =
        "attribute vec4 a, b; attribute mat4 m; attribute float dead; void main() { gl_Position = m * a + b; }";
    LinkResult r = linked(source, kFragment, {{"a", 3}, {"dead", 3}, {"nothing", 99}});
    INFO(r.infoLog);
    REQUIRE(r.ok);
    const auto& list = r.vertex->attributes;
    REQUIRE(list.size() == 3);
    CHECK(find(list, "a")->reg == 3);
    CHECK(find(list, "m")->reg == 4);
    CHECK(find(list, "b")->reg == 0);
    CHECK(r.vertex->inputMask == (1u | 1u << 3 | 0xFu << 4));
    CHECK(fails(linked(source, kFragment, {{"m", 13}}), "'m'"));
    CHECK(linked(source, kFragment, {{"m", 12}}).ok);
    CHECK(linked(source, kFragment, {{"a", 1}, {"b", 1}}).ok);  // aliasing
    CHECK(fails(linked(source, kFragment, {{"a", 2}, {"b", 5}, {"m", 20}}), "'m'"));
    std::string full = "attribute mat4 a, b, c, d; void main() { gl_Position = (a * b * c * d)[0]; }";
    CHECK(linked(full, kFragment).ok);
    CHECK(fails(linked("attribute float e; " + full.substr(0, full.size() - 1) + " gl_Position.x += e; }", kFragment),
                "'e'"));
}

TEST_CASE("the same expression gives the same code whatever surrounds it") {
    auto positionCode = [](const std::string& extra, const std::string& declarations) {
        CompileResult v = vertex("attribute vec4 p; uniform mat4 m; " + declarations +
                                 " void main() { gl_Position = m * (p * 2.0 + p.wzyx); " + extra + " }");
        REQUIRE(v.shader);
        std::string ops;
        for (const ir::Instruction& i : v.shader->module.code) {
            ops += std::string(isa::opInfo(i.op).mnemonic) + " ";
            if (i.dst.kind == ir::Kind::Output && i.dst.index == isa::kOutPosition) break;
        }
        return ops;
    };
    std::string alone = positionCode("", "");
    CHECK(contains(alone, "mad"));
    CHECK(positionCode("x = (m * p).x + dot(p, p);", "varying float x;") == alone);
}

TEST_CASE("a logical operation takes one component, behind three that are in use") {
    for (const std::string operation : {"&&", "||", "^^"}) {
        CAPTURE(operation);
        const CompileResult f =
            fragment("uniform bool k, l; varying vec3 a; void main() { vec3 c = a * a; bool x = k " + operation +
                     " l; gl_FragColor = x ? c.xyzx : c.zyxy; }");
        REQUIRE(f.shader);
        CHECK(linkSingle(*f.shader).fragment->tempCount == 1);
    }
}

TEST_CASE("names with two underscores are names") {
    LinkResult r = linked("attribute vec4 __p; varying vec2 a___b; void main() { gl_Position = __p; a___b = __p.xy; }",
                          "struct S__ { vec2 m__; }; uniform S__ s__; varying vec2 a___b; void main() { gl_FragColor = "
                          "vec4(a___b, s__.m__); }");
    INFO(r.infoLog);
    REQUIRE(r.ok);
    CHECK(find(r.vertex->attributes, "__p"));
    CHECK(find(r.fragment->uniforms, "s__.m__"));
    CHECK(find(r.fragment->varyings, "a___b"));
    CHECK(contains(vertex("void main() { x__y; }").infoLog, "'x__y'"));
}

TEST_CASE("the number of the instance") {
    Limits instanced;
    instanced.drawInstanced = true;
    const std::string extension = "#extension GL_EXT_draw_instanced : enable\n";
    const std::string main = "void main() { gl_Position = vec4(float(gl_InstanceIDEXT)); }";
    CompileResult v = compile(isa::Stage::Vertex, extension + main, instanced);
    INFO(v.infoLog);
    REQUIRE(v.shader);
    LinkResult r = linkSingle(*v.shader, instanced);
    REQUIRE(r.ok);
    CHECK(r.vertex->specialMask == 1 << static_cast<int>(isa::Special::InstanceId));
    CHECK(r.vertex->uniforms.empty());
    CHECK(contains(compile(isa::Stage::Vertex, main, instanced).infoLog, "'gl_InstanceIDEXT'"));
    CHECK(contains(compile(isa::Stage::Vertex, extension + "void main() { gl_InstanceIDEXT = 1; }", instanced).infoLog,
                   "gl_InstanceIDEXT"));
    CHECK_FALSE(compile(isa::Stage::Fragment, extension + main, instanced).shader);
    CHECK_FALSE(compile(isa::Stage::Vertex, extension + main).shader);
}

TEST_CASE("external images") {
    Limits external;
    external.imageExternal = true;
    const std::string shader =
        "#extension GL_OES_EGL_image_external : require\nprecision mediump float;\nuniform samplerExternalOES s;\n"
        "varying vec4 v;\nvoid main() { gl_FragColor = texture2D(s, v.xy) + texture2DProj(s, v) + "
        "texture2DProj(s, v.xyz); }";
    CompileResult f = compile(isa::Stage::Fragment, shader, external);
    INFO(f.infoLog);
    REQUIRE(f.shader);
    LinkResult r = linkSingle(*f.shader, external);
    REQUIRE(r.ok);
    CHECK(find(r.fragment->uniforms, "s")->type == isa::VarType::SamplerExternal);
    bool lookup = false;
    for (isa::Word word : r.fragment->code)
        if (auto i = isa::decode(word); i->op == isa::Op::Tex)
            lookup = i->textureTarget == isa::TextureTarget::External;
    CHECK(lookup);
    CHECK_FALSE(compile(isa::Stage::Fragment, shader).shader);
}

TEST_CASE("linkSingle numbers in declaration order") {
    CompileResult f = fragment("varying vec2 a; varying vec4 b; void main() { gl_FragColor = b; }");
    REQUIRE(f.shader);
    LinkResult r = linkSingle(*f.shader);
    INFO(r.infoLog);
    REQUIRE(r.ok);
    REQUIRE(r.fragment);
    CHECK(find(r.fragment->varyings, "b")->reg == 1);
    CHECK(r.fragment->inputMask == 2);
}

TEST_CASE("linkSingle puts varyings at their locations, the others in the gaps") {
    Limits limits;
    limits.separateObjects = true;
    const std::string enable = "#extension GL_EXT_separate_shader_objects : enable\n";
    const auto single = [&](const std::string& text) {
        const CompileResult v = vertex(enable + text, limits);
        REQUIRE(compiles(v));
        return linkSingle(*v.shader, limits, {{"q", 4}, {"p", 2}});
    };
    const LinkResult r = single(
        "varying mat2 a; layout(location = 1) varying vec2 b; varying float c; layout(location = 4) varying vec4 d[2];"
        "layout(location = 9) attribute vec4 p; attribute vec4 q;"
        "void main() { a = mat2(1.0); b = p.xy; c = 1.0; d[1] = p; gl_Position = q; }");
    INFO(r.infoLog);
    REQUIRE(r.ok);
    CHECK(find(r.vertex->varyings, "a")->reg == 2);
    CHECK(find(r.vertex->varyings, "layout(location=1)")->reg == 1);
    CHECK(find(r.vertex->varyings, "c")->reg == 0);
    CHECK(find(r.vertex->varyings, "layout(location=4)")->reg == 4);
    CHECK(r.vertex->outputMask == (1u << isa::kOutPosition | 0x3Fu << isa::kOutVarying0));
    CHECK(find(r.vertex->attributes, "p")->reg == 9);
    CHECK(find(r.vertex->attributes, "q")->reg == 4);
    CHECK(isa::verify(*r.vertex) == "");

    CHECK(fails(single("layout(location = 31) varying vec4 a; void main() {}"), "location 31 needs 1 of 31"));
    CHECK(fails(single("layout(location = 5) varying mat4 a; layout(location = 8) varying float b; void main() {}"),
                "'b' : varying has location 8, and so has 'a'"));
    CHECK(fails(single("layout(location = 15) varying float a; varying vec4 b[16]; void main() {}"),
                "'b' : no 16 neighbouring varying vectors of 31"));
    CHECK(fails(single("layout(location = 15) attribute mat2 p; void main() { gl_Position = p[0].xyxy; }"),
                "location 15 needs 2 of 16"));
}

TEST_CASE("varyings of one program match by location, or else by name") {
    Limits limits;
    limits.separateObjects = true;
    const auto both = [&](const std::string& v, const std::string& f) {
        const std::string enable = "#extension GL_EXT_separate_shader_objects : enable\nprecision mediump float;\n";
        const CompileResult vs = compile(isa::Stage::Vertex, enable + v, limits);
        const CompileResult fs = compile(isa::Stage::Fragment, enable + f, limits);
        REQUIRE(compiles(vs));
        REQUIRE(compiles(fs));
        return link(*vs.shader, *fs.shader, {}, limits);
    };
    const std::string writes =
        "layout(location = 7) varying vec4 a; varying vec2 b;"
        "void main() { a = vec4(1.0); b = vec2(0.5); gl_Position = a; }";
    const LinkResult r =
        both(writes, "varying vec2 b; layout(location = 7) varying vec4 c; void main() { gl_FragColor = c + b.xyxy; }");
    INFO(r.infoLog);
    REQUIRE(r.ok);
    CHECK(r.fragment->inputMask == 3);
    CHECK(fails(both(writes, "varying vec4 a; void main() { gl_FragColor = a; }"), "'a'"));
    CHECK(fails(both(writes, "layout(location = 6) varying vec4 a; void main() { gl_FragColor = a; }"),
                "with location 6"));
    CHECK(fails(both(writes, "layout(location = 7) varying vec3 a; void main() { gl_FragColor = a.xyzx; }"), "vec3"));
}

/// A fragment shader that sums uniforms of every type; each is declared `count` times.
static std::string manyUniforms(const std::vector<std::pair<std::string, int>>& types, const std::string& extra) {
    std::string declarations = "precision highp float; uniform int k;\n", sum = "vec4 s = vec4(0.0);\n";
    for (const auto& [type, count] : types) {
        for (int i = 0; i < count; i++) {
            std::string name = (type.back() == ']' ? "a_" : "u_") + type.substr(0, type.find('[')) + std::to_string(i);
            size_t bracket = type.find('[');
            std::string array = bracket == std::string::npos ? "" : type.substr(bracket);
            declarations += "uniform " + type.substr(0, bracket) + " " + name + array + ";\n";
            std::string use = array.empty() ? name : name + "[k]";
            bool matrix = type.starts_with("mat");
            sum += (type.starts_with("float")                              ? "s.x += "
                    : type.starts_with("vec2") || type.starts_with("mat2") ? "s.xy += "
                    : type.starts_with("vec3") || type.starts_with("mat3") ? "s.xyz += "
                                                                           : "s += ") +
                   use + (matrix ? "[1];\n" : ";\n");
        }
    }
    return declarations + "void main() {\n" + sum + extra + "gl_FragColor = s; }";
}

TEST_CASE("uniforms that fit by the packing algorithm link, whatever the number of registers") {
    std::string literals;  // 100 registers of literals
    for (int i = 0; i < 100; i++)
        for (char c : {'x', 'y', 'z', 'w'})
            literals += std::string("s.") + c + " = s." + c + " * s." + c + " + sin(s." + c + " / " +
                        std::to_string(i * 4 + c - 'w') + ".123);\n";
    using Types = std::vector<std::pair<std::string, int>>;
    for (const Types& types :
         {Types{{"float", 1020}}, Types{{"vec2", 510}}, Types{{"vec3", 255}, {"float", 250}}, Types{{"float[17]", 60}},
          Types{{"mat2", 250}}, Types{{"mat3", 80}, {"float[3]", 79}},
          Types{{"mat4", 40}, {"vec2", 100}, {"float", 100}, {"vec3[4]", 4}, {"float[16]", 1}}, Types{{"vec4", 255}}}) {
        CompileResult f = compile(isa::Stage::Fragment, manyUniforms(types, literals));
        INFO(f.infoLog);
        REQUIRE(f.shader);
        LinkResult r = linkSingle(*f.shader);
        INFO(r.infoLog);
        REQUIRE(r.ok);
        std::vector<std::array<bool, 4>> taken(isa::kMaxConstants);
        for (const isa::Literal& l : r.fragment->literals) taken[l.reg].fill(true);
        for (const isa::Variable& v : r.fragment->uniforms)
            for (int i = 0; i < isa::registerCount(v); i++)
                for (int c = 0; c < isa::componentCount(v.type); c++) {
                    bool& used = taken[static_cast<size_t>(v.reg + i)][static_cast<size_t>(v.component + c)];
                    CHECK_FALSE(used);
                    used = true;
                }
    }
    CompileResult f = compile(isa::Stage::Fragment, manyUniforms({{"float", 1025}}, ""));
    REQUIRE(f.shader);
    CHECK_FALSE(linkSingle(*f.shader).ok);
}

TEST_CASE("packing follows appendix A.7") {
    using front::PackItem;
    auto fits = [](std::vector<PackItem> items, uint32_t rows) { return !front::pack(items, rows).empty(); };
    CHECK(fits({{4, 2}, {3, 1}, {1, 1}}, 3));
    CHECK_FALSE(fits({{4, 2}, {3, 1}, {2, 1}}, 3));
    CHECK(fits({{2, 4}, {2, 4}}, 4));
    CHECK_FALSE(fits({{1, 5}}, 4));
    CHECK(fits({{3, 4}, {1, 4}}, 4));
    CHECK(fits({{2, 1}, {2, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}, 2));
    // The specification's own example: vec4, mat3, mat2, vec2[6], vec2[4], vec2, float[3], float[2], float.
    std::vector<PackItem> example = {{4, 1}, {3, 3}, {2, 2}, {2, 6}, {2, 4}, {2, 1}, {1, 3}, {1, 2}, {1, 1}};
    CHECK(fits(example, 12));
    CHECK_FALSE(fits(example, 11));
    auto places = front::pack(std::vector<PackItem>{{2, 2}, {2, 2}, {1, 1}}, 3);
    REQUIRE(places.size() == 3);
    std::vector<int> used(12);
    const PackItem items[] = {{2, 2}, {2, 2}, {1, 1}};
    for (size_t i = 0; i < 3; i++)
        for (uint32_t r = 0; r < items[i].rows; r++)
            for (int c = 0; c < items[i].width; c++) CHECK(used[(places[i].row + r) * 4 + places[i].column + c]++ == 0);
}
