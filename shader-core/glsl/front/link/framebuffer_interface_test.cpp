// What a fragment shader has of the framebuffer and gives to it: draw buffers, last and second colours, samples, depth.
#include "shader-core/glsl/front/testing/shaders.h"
#include "shader-core/isa/sample_words.h"
#include "shader-core/isa/stage_registers.h"

using namespace tessera;
using namespace tessera::glsl;

TEST_CASE("several draw buffers") {
    Limits four;
    four.drawBuffers = 4;
    auto program = [&](const std::string& statements) {
        CompileResult f = compile(
            isa::Stage::Fragment,
            "#extension GL_EXT_draw_buffers : enable\nprecision mediump float; void main() { " + statements + " }",
            four);
        INFO(f.infoLog);
        REQUIRE(f.shader);
        LinkResult r = link(*vertex("attribute vec4 p; void main() { gl_Position = p; }").shader, *f.shader, {}, four);
        INFO(r.infoLog);
        REQUIRE(r.ok);
        return *r.fragment;
    };
    isa::Program p = program("gl_FragData[3] = vec4(1.0); gl_FragData[1] = vec4(0.5);");
    CHECK(p.outputMask == 0b1010);
    CHECK_FALSE(p.broadcastColor);
    p = program("gl_FragColor = vec4(1.0);");
    CHECK(p.outputMask == 1);
    CHECK(p.broadcastColor);
    // Programs of video players write to several without naming the extension.
    CHECK(compile(isa::Stage::Fragment, "void main() { gl_FragData[3] = vec4(1.0); }", four).shader);
    CHECK_FALSE(compile(isa::Stage::Fragment, "void main() { gl_FragData[4] = vec4(1.0); }", four).shader);
    CHECK(fragment("void main() { gl_FragData[gl_MaxDrawBuffers - 1] = vec4(1.0); }", four).shader);
    CHECK_FALSE(fragment("void main() { gl_FragData[1] = vec4(1.0); }").shader);
    // Loop indices are constant-index-expressions (appendix A.5); other indices are taken as well.
    const std::string colors = "uniform mediump vec4 u[4]; uniform mediump int n; ";
    for (const char* body : {"for (int i = 0; i < 4; ++i) gl_FragData[i] = u[i];", "gl_FragData[n] = u[0];",
                             "for (int i = 0; i < gl_MaxDrawBuffers; ++i) { gl_FragData[i].x = 1.0; }"}) {
        CAPTURE(body);
        CHECK(compile(isa::Stage::Fragment, colors + "void main() { " + body + " }", four).shader);
    }
    CHECK(program("for (int i = 0; i < 4; ++i) gl_FragData[i] = vec4(float(i));").outputMask == 0b1111);
    CHECK(compile(isa::Stage::Fragment, "#extension GL_EXT_draw_buffers : require\nvoid main() {}", four).shader);
    CHECK_FALSE(compile(isa::Stage::Fragment, "#extension GL_EXT_draw_buffers : require\nvoid main() {}").shader);
    CHECK(compile(isa::Stage::Fragment,
                  "#extension GL_NV_draw_buffers : require\n#if GL_NV_draw_buffers == 1\n"
                  "void main() { gl_FragData[3] = vec4(1.0); }\n#endif",
                  four)
              .shader);
    CHECK_FALSE(compile(isa::Stage::Fragment, "#extension GL_NV_draw_buffers : require\nvoid main() {}").shader);
}

TEST_CASE("last colours are registers behind those of varyings") {
    Limits limits;
    limits.drawBuffers = 4;
    const std::string extension = "#extension GL_EXT_shader_framebuffer_fetch : enable\n";
    const auto linked = [&](const std::string& body) {
        CompileResult f = compile(isa::Stage::Fragment, extension + body, limits);
        CompileResult v =
            compile(isa::Stage::Vertex,
                    "varying vec4 a[12]; void main() { for (int i = 0; i < 12; i++) a[i] = vec4(float(i)); "
                    "gl_Position = vec4(1.0); }");
        INFO(f.infoLog);
        REQUIRE(f.shader);
        LinkResult r = link(*v.shader, *f.shader, {}, limits);
        INFO(r.infoLog);
        REQUIRE(r.ok);
        CHECK(r.fragment->varyings.size() <= 1);
        CHECK(linkSingle(*f.shader, limits).fragment->inputMask == r.fragment->inputMask);
        return r.fragment->inputMask.bits();
    };
    CHECK(linked("void main() { gl_FragColor = gl_LastFragData[0]; }") == uint64_t{1} << 32);
    CHECK(linked("void main() { gl_FragData[2] = gl_LastFragData[1] + gl_LastFragData[3]; }") == uint64_t{0b1010}
                                                                                                     << 32);
    CHECK(linked("precision highp float; varying vec4 a[12]; uniform int n;\n"
                 "void main() { gl_FragColor = a[n] + gl_LastFragData[0]; }") == (0xFFF | uint64_t{1} << 32));
    CHECK(linked("uniform lowp int n; void main() { gl_FragColor = gl_LastFragData[n]; }") == uint64_t{0xFF} << 32);
    for (const char* precision : {"lowp", "mediump", "highp"})
        for (const char* size : {"gl_MaxDrawBuffers", "4"})
            CHECK(linked(std::string(precision) + " vec4\ngl_LastFragData[" + size +
                         "];\nvoid main() { gl_FragColor = gl_LastFragData[0]; }") == uint64_t{1} << 32);
}

TEST_CASE("last colours are read only, enabled by their extension, and keep their size") {
    Limits limits;
    limits.drawBuffers = 4;
    limits.separateObjects = true;
    const std::string fetch = "#extension GL_EXT_shader_framebuffer_fetch : enable\n";
    const std::string nonCoherent = "#extension GL_EXT_shader_framebuffer_fetch_non_coherent : enable\n";
    const std::string read = "void main() { gl_FragColor = gl_LastFragData[0]; }";
    const auto compiles = [&](const std::string& text, isa::Stage stage = isa::Stage::Fragment) {
        const CompileResult result = compile(stage, text, limits);
        INFO(result.infoLog);
        CHECK_FALSE(contains(result.infoLog, "tessera_"));
        if (!result.shader) CHECK(contains(result.infoLog, "gl_LastFragData"));
        return result.shader != nullptr;
    };
    CHECK(compiles(fetch + read));
    CHECK_FALSE(compiles(read));
    CHECK_FALSE(compiles("#extension GL_EXT_shader_framebuffer_fetch : disable\n" + read));
    CHECK_FALSE(compile(isa::Stage::Fragment, "#extension GL_EXT_shader_framebuffer_fetch : require\n" + read,
                        {.framebufferFetch = false})
                    .shader);
    CHECK_FALSE(compiles(fetch + "void main() { gl_LastFragData[0] = vec4(1.0); }"));
    CHECK_FALSE(
        compiles(fetch + "void set(out mediump vec4 x) { x = vec4(1.0); } void main() { set(gl_LastFragData[0]); }"));
    CHECK_FALSE(compiles(fetch + "void main() { gl_Position = gl_LastFragData[0]; }", isa::Stage::Vertex));
    CHECK_FALSE(compiles(fetch + "highp vec4 gl_LastFragData[3];\n" + read));
    CHECK_FALSE(compiles(fetch + "void main() { highp vec4 gl_LastFragData[4]; gl_FragColor = gl_LastFragData[0]; }"));
    const std::string layout = "layout(noncoherent) mediump vec4 gl_LastFragData[gl_MaxDrawBuffers];\n";
    CHECK(compiles(nonCoherent + layout + read));
    CHECK(compiles(fetch + nonCoherent + layout + read));
    CHECK(compiles(fetch + nonCoherent + read));
    CHECK(compiles("#extension GL_EXT_separate_shader_objects : enable\n" + nonCoherent + layout + read));
    CHECK_FALSE(compiles(nonCoherent + read));
    CHECK_FALSE(compiles(nonCoherent + "mediump vec4 gl_LastFragData[4];\n" + read));
    CHECK_FALSE(compile(isa::Stage::Fragment, fetch + layout + read, limits).shader);
}

TEST_CASE("the second colour has an output of its own") {
    const std::string extension = "#extension GL_EXT_blend_func_extended : enable\n";
    const auto outputs = [&](const std::string& body) -> int64_t {
        const CompileResult f = compile(isa::Stage::Fragment, extension + "void main() { " + body + " }");
        return f.shader ? static_cast<int64_t>(linkSingle(*f.shader).fragment->outputMask.bits()) : -1;
    };
    CHECK(outputs("gl_FragColor = vec4(1.0); gl_SecondaryFragColorEXT = vec4(0.5);") == 0b1000000001);
    CHECK(outputs("gl_FragData[0] = vec4(1.0); gl_SecondaryFragDataEXT[0] = vec4(0.5);") == 0b1000000001);
    CHECK(outputs("gl_SecondaryFragColorEXT = vec4(float(gl_MaxDualSourceDrawBuffersEXT));") == 0b1000000001);
    CHECK(outputs("gl_FragData[0] = vec4(1.0); gl_SecondaryFragColorEXT = vec4(0.5);") == -1);
    CHECK(outputs("gl_FragColor = vec4(1.0); gl_SecondaryFragDataEXT[0] = vec4(0.5);") == -1);
    CHECK(outputs("gl_SecondaryFragColorEXT = gl_SecondaryFragDataEXT[0];") == -1);
    CHECK(outputs("gl_SecondaryFragDataEXT[1] = vec4(0.5);") == -1);
    CHECK_FALSE(compile(isa::Stage::Fragment, "void main() { gl_SecondaryFragColorEXT = vec4(1.0); }").shader);
    CHECK_FALSE(compile(isa::Stage::Fragment,
                        "#extension GL_EXT_blend_func_extended : require\nvoid main() { gl_FragColor = vec4(1.0); }",
                        {.dualSource = false})
                    .shader);
}

TEST_CASE("outputs of version 3.00 begin as what the framebuffer holds") {
    const Limits limits{.version = 300};
    const std::string fetch = "#extension GL_EXT_shader_framebuffer_fetch : require\n",
                      nonCoherent = "#extension GL_EXT_shader_framebuffer_fetch_non_coherent : require\n";
    const auto build = [&](const std::string& text, isa::Stage stage = isa::Stage::Fragment) {
        const CompileResult f = compile(stage, "#version 300 es\n" + text, limits);
        return f.shader ? linkSingle(*f.shader, limits) : LinkResult{.infoLog = f.infoLog};
    };
    const std::string one = "inout highp vec4 a; void main() { a = a * 2.0; }";
    const LinkResult read = build(fetch + one);
    REQUIRE(read.ok);
    CHECK(isa::lastColorMask(*read.fragment) == 0b1);
    CHECK(read.fragment->outputs[0].reg == 0);
    // Each has the last colour of its own location; one that is written before it is read has none.
    const LinkResult several = build(
        fetch +
        "precision highp float; layout(location = 5) inout mediump vec2 a, unread; layout(location = 2) inout highp "
        "ivec4 b[2]; layout(location = 1) inout vec4 c; layout(location = 0) out vec4 d;\nin vec4 v, w;\n"
        "void main() { a += 1.0; b[1] += 1; c = v; d = w + c; }");
    INFO(several.infoLog);
    CHECK_FALSE(several.ok);  // "a" and "unread" have one location
    const LinkResult apart = build(
        fetch +
        "precision highp float; layout(location = 5) inout mediump vec2 a; layout(location = 2) inout highp ivec4 b[2];"
        "layout(location = 1) inout vec4 c; layout(location = 0) out vec4 d;\nin vec4 v, w;\n"
        "void main() { a += 1.0; b[1] += 1; c = v; d = w + c; }");
    INFO(apart.infoLog);
    REQUIRE(apart.ok);
    CHECK(isa::lastColorMask(*apart.fragment) == 0b101100);  // b[0] goes out as it came
    CHECK(apart.fragment->outputMask == 0b101111);
    // The rest of a colour of which a part is written, also by a function.
    CHECK(isa::lastColorMask(*build(fetch + "inout highp vec4 a; void main() { a.x = 1.0; }").fragment) == 0b1);
    CHECK(
        build(fetch + "inout highp vec4 a; void halve(inout highp vec4 x) { x *= 0.5; } void main() { halve(a); }").ok);
    const Limits called{.version = 300, .callsFunctions = true};
    const CompileResult f =
        compile(isa::Stage::Fragment,
                "#version 300 es\n" + fetch +
                    "inout highp vec4 a; void halve() { a *= 0.5; } void main() { halve(); halve(); }",
                called);
    REQUIRE(f.shader);
    CHECK(isa::lastColorMask(*linkSingle(*f.shader, called).fragment) == 0b1);
    for (const char* layout : {"layout(noncoherent)", "layout(noncoherent, location = 3)",
                               "layout(location = 3, noncoherent)", "layout(location = 3) layout(noncoherent)"}) {
        CAPTURE(layout);
        CHECK(build(nonCoherent + layout + one).ok);
        CHECK(build(fetch + nonCoherent + layout + one).ok);
        CHECK_FALSE(build(fetch + layout + one).ok);
    }
    CHECK(build(fetch + nonCoherent + one).ok);
    CHECK_FALSE(build(nonCoherent + one).ok);
    CHECK_FALSE(build(one).ok);
    CHECK_FALSE(build("#extension GL_EXT_shader_framebuffer_fetch : disable\n" + one).ok);
    CHECK_FALSE(build(fetch + "inout highp vec4 a; void main() { gl_Position = a; }", isa::Stage::Vertex).ok);
    CHECK_FALSE(build(fetch + "inout highp float gl_FragDepth; void main() { gl_FragDepth += 0.5; }").ok);
    CHECK_FALSE(build(fetch + "out highp vec4 a; void main() { a = gl_LastFragData[0]; }").ok);
    CHECK_FALSE(build(fetch + "layout(location = 7) inout highp vec4 a[2]; void main() {}").ok);
    CHECK_FALSE(build(fetch + "inout inout highp vec4 a; void main() {}").ok);
    for (const char* broken :
         {"inout", "inout;", "layout(noncoherent", "layout(noncoherent) inout", "noncoherent inout;",
          "layout(,noncoherent) inout highp vec4 a;", "layout noncoherent inout highp vec4 a;"})
        CHECK_FALSE(build(fetch + nonCoherent + broken).ok);
}

TEST_CASE("outputs of version 3.00 have a location and an index") {
    const Limits limits{.version = 300};
    const std::string extension = "#extension GL_EXT_blend_func_extended : require\n";
    const auto build = [&](const std::string& text, const OutputBindings& bindings = {}) {
        const CompileResult f = compile(isa::Stage::Fragment, "#version 300 es\n" + text, limits);
        return f.shader ? linkSingle(*f.shader, limits, {}, bindings) : LinkResult{.infoLog = f.infoLog};
    };
    const auto registers = [&](const std::string& text, const OutputBindings& bindings = {}) {
        const LinkResult linked = build(text, bindings);
        std::map<std::string, int> found;
        if (linked.ok)
            for (const isa::Variable& v : linked.fragment->outputs) found[v.name] = v.reg;
        return found;
    };
    using Places = std::map<std::string, int>;
    CHECK(registers(extension + "layout(location = 0) out highp vec4 a; layout(location = 0, index = 1) out highp vec4 "
                                "b; void main() { a = b = vec4(gl_MaxDualSourceDrawBuffersEXT); }") ==
          Places{{"a", 0}, {"b", isa::kOutSecondColor}});
    const std::string two = "out highp vec4 a, b; void main() { a = vec4(1.0); b = vec4(0.5); }";
    CHECK(registers(extension + two) == Places{{"a", 0}, {"b", 1}});
    CHECK(registers(extension + two, {{"b", {0, true}}}) == Places{{"a", 0}, {"b", isa::kOutSecondColor}});
    CHECK(registers(extension + two, {{"b", {0, false}}}) == Places{{"a", 1}, {"b", 0}});
    CHECK(registers(extension + two, {{"a", {4, false}}, {"b", {2, false}}, {"c", {2, false}}}) ==
          Places{{"a", 4}, {"b", 2}});
    CHECK(registers("out highp vec4 a; void main() { a = vec4(1.0); }", {{"a", {3, false}}}) == Places{{"a", 3}});
    // The shader's word comes first.
    CHECK(registers("layout(location = 1) out highp vec4 a; void main() { a = vec4(1.0); }", {{"a", {3, false}}}) ==
          Places{{"a", 1}});
    const std::string array = "out highp vec4 a; out highp vec4 b[3]; void main() { a = b[2] = vec4(1.0); }";
    CHECK(registers(extension + array) == Places{{"a", 3}, {"b", 0}});
    CHECK(registers(extension + array, {{"b[0]", {1, false}}}) == Places{{"a", 0}, {"b", 1}});
    CHECK(registers(extension + array, {{"a", {2, false}}}) == Places{{"a", 2}, {"b", 3}});
    const LinkResult moved = build(extension + array, {{"a", {7, false}}, {"b", {4, false}}});
    REQUIRE(moved.ok);
    CHECK(moved.fragment->outputMask == 0b11000000);
    const std::string inouts = "#extension GL_EXT_shader_framebuffer_fetch : require\n" + extension +
                               "inout highp vec4 a, b; void main() { a += 1.0; b = vec4(0.5); }";
    CHECK(isa::lastColorMask(*build(inouts, {{"a", {6, false}}}).fragment) == 0b1000000);
    const auto fails = [&](const std::string& text, const OutputBindings& bindings, const char* why) {
        const LinkResult linked = build(text, bindings);
        CAPTURE(text);
        CAPTURE(linked.infoLog);
        CHECK_FALSE(linked.ok);
        CHECK(linked.infoLog.find(why) != std::string::npos);
    };
    fails(two, {}, "must have a location");
    fails(extension + two, {{"a", {1, false}}, {"b", {1, false}}}, "'b' : output has location 1, and so has 'a'");
    fails(extension + two, {{"a", {0, true}}, {"b", {0, true}}}, "'b' : output of index 1 has location 0");
    fails(extension + two, {{"a", {1, false}}, {"b", {0, true}}}, "with one there are 1 locations");
    fails(extension + array, {{"b", {6, false}}}, "'b' : output bound to location 6 needs 3 of 8 locations");
    fails(extension + array, {{"b", {0, true}}}, "needs 3 of 1 locations of index 1");
    fails(extension + "out highp vec4 a, b, c; out highp vec4 d[4]; void main() {}",
          {{"a", {2, false}}, {"b", {5, false}}}, "no 4 neighbouring locations of 8 are left");
    fails("layout(location = 0, index = 1) out highp vec4 a; void main() {}", {}, "index");
    fails(extension + "layout(index = 1) out highp vec4 a; void main() {}", {}, "index");
    fails(extension + "layout(location = 0, index = 2) out highp vec4 a; void main() {}", {}, "index");
    fails(extension + "layout(location = 1, index = 1) out highp vec4 a; void main() {}", {},
          "bound to location 1 needs 1 of 1");
    fails(extension +
              "layout(location = 0) out highp vec4 a; layout(location = 0, index = 0) out highp vec4 b; void "
              "main() {}",
          {}, "");
    fails(extension + "out highp vec4 a; void main() { gl_SecondaryFragColorEXT = a; }", {},
          "gl_SecondaryFragColorEXT");
}

TEST_CASE("samples: who names them, and what is written of them") {
    const Limits limits{.version = 300};
    const std::string extension = "#extension GL_OES_sample_variables : require\nprecision highp float;\n";
    const auto compiles = [&](const std::string& text, isa::Stage stage = isa::Stage::Fragment) {
        return compile(stage, "#version 300 es\n" + text, limits).shader != nullptr;
    };
    const std::string out = "out vec4 color; void main() { ";
    CHECK(compiles(extension + out +
                   "color = vec4(gl_SampleID, gl_SamplePosition, gl_SampleMaskIn[0] + gl_NumSamples); "
                   "gl_SampleMask[0] = gl_MaxSamples; }"));
    CHECK(compiles(extension + out + "color = vec4(gl_SampleMaskIn.length(), gl_SampleMask.length(), 0, 0); }"));
    CHECK(compiles(extension + "void main() { gl_Position = vec4(gl_MaxSamples); }", isa::Stage::Vertex));
    CHECK_FALSE(compiles("precision highp float;\n" + out + "color = vec4(gl_SampleID); }"));
    CHECK_FALSE(compiles(extension + "void main() { gl_Position = vec4(gl_SampleID); }", isa::Stage::Vertex));
    for (const char* wrong :
         {"gl_SampleID = 1;", "gl_SamplePosition.x = 1.0;", "gl_SampleMaskIn[0] = 1;", "gl_NumSamples = 1;",
          "gl_SampleMask[1] = 1;", "gl_SampleMask = 1;", "gl_SampleMask[0] = 1.0;", "gl_MaxSamples = 4;"})
        CHECK_FALSE(compiles(extension + out + wrong + " }"));
    CHECK_FALSE(compiles(extension + "out highp int gl_SampleMask[1];\n" + out + "gl_SampleMask[0] = 1; }"));
    const CompileResult named =
        compile(isa::Stage::Fragment, "#version 300 es\n" + extension + out + "gl_SampleID = 1; }", limits);
    CHECK(named.infoLog.find("gl_SampleID") != std::string::npos);
    CHECK(named.infoLog.find("tessera") == std::string::npos);
    // Who neither names a sample nor masks any is run once for a pixel.
    const auto readsSample = [&](const std::string& statements) {
        const CompileResult f =
            compile(isa::Stage::Fragment, "#version 300 es\n" + extension + out + statements + " }", limits);
        REQUIRE(f.shader);
        const LinkResult linked = linkSingle(*f.shader, limits);
        for (const isa::Word& word : linked.fragment->code) {
            const isa::Instruction i = *isa::decode(word);
            for (int s = 0; s < isa::sourceCount(isa::opInfo(i.op).shape); ++s)
                for (int c = 0; c < 4; ++c)
                    if (i.src[s].file == isa::File::S && (isa::componentsRead(i, s) >> c & 1) != 0 &&
                        isa::swizzleAt(i.src[s].swizzle, c) == isa::kSampleComponent)
                        return true;
        }
        return false;
    };
    CHECK(readsSample("color = vec4(gl_SampleID);"));
    CHECK(readsSample("color = gl_SamplePosition.xyxy;"));
    CHECK(readsSample("color = vec4(1); gl_SampleMask[0] = 1;"));
    CHECK_FALSE(readsSample("color = vec4(gl_SampleMaskIn[0]);"));
    CHECK_FALSE(readsSample("color = vec4(gl_NumSamples);"));
    CHECK_FALSE(readsSample("color = vec4(gl_SampleMask[0]);"));
    CHECK_FALSE(readsSample("color = vec4(gl_PointCoord, 0, 1);"));
}

TEST_CASE("inputs for each sample, and inputs elsewhere") {
    const Limits limits{.version = 300};
    const std::string extension =
        "#extension GL_OES_shader_multisample_interpolation : require\nprecision highp float;\nout vec4 color;\n";
    const auto compiles = [&](const std::string& text, isa::Stage stage = isa::Stage::Fragment) {
        return compile(stage, "#version 300 es\n" + text, limits).shader != nullptr;
    };
    const auto main = [](const std::string& value) { return " void main() { color = vec4(" + value + "); }"; };
    for (const char* declared : {"sample in vec4 v;", "sample in highp vec4 w, v;", "smooth sample in vec4 v;",
                                 "flat sample in vec4 v;", "sample in vec4 u[2], v;"})
        CHECK(compiles(extension + declared + main("v")));
    for (const char* wrong :
         {"sample vec4 v;", "in sample vec4 v;", "sample out vec4 v;", "sample uniform vec4 v;",
          "centroid sample in vec4 v;", "sample centroid in vec4 v;", "const vec4 sample = vec4(1);"})
        CHECK_FALSE(compiles(extension + wrong + main("1")));
    CHECK_FALSE(compiles("precision highp float; out vec4 color; sample in vec4 v;" + main("v")));
    CHECK(compiles(extension + "sample out vec4 v; void main() { v = gl_Position = vec4(1); }", isa::Stage::Vertex) ==
          compiles(extension + "out vec4 v; void main() { v = gl_Position = vec4(1); }", isa::Stage::Vertex));
    CHECK_FALSE(compiles(extension + "sample in vec4 v; void main() { gl_Position = v; }", isa::Stage::Vertex));
    const std::string inputs =
        "in float a; in vec2 b; in vec3 c[3]; centroid in vec4 d; flat in vec4 e; uniform int i;";
    for (const char* call :
         {"interpolateAtCentroid(a)", "interpolateAtSample(b, 2), 0, 1", "interpolateAtOffset(c[1], vec2(0.25)), 1",
          "interpolateAtOffset(c[i], b), 1", "interpolateAtCentroid(d)", "interpolateAtSample(e, i)",
          "interpolateAtOffset(interpolateAtCentroid(d) == d ? d : e, b)"}) {
        CAPTURE(call);
        const bool isInput = std::string(call).find('?') == std::string::npos;
        CHECK(compiles(extension + inputs + main(call)) == isInput);
        CHECK_FALSE(compiles("precision highp float; out vec4 color;" + inputs + main(call)));
    }
    for (const char* wrong : {"interpolateAtCentroid(d.xy), 0, 1", "interpolateAtSample(1.0, 1)",
                              "interpolateAtOffset(c, b)", "interpolateAtOffset(a + 1.0, b)", "interpolateAtOffset(a)",
                              "interpolateAtCentroid(vec4(i))", "interpolateAtElse(a)"})
        CHECK_FALSE(compiles(extension + inputs + main(wrong)));
    const CompileResult named = compile(
        isa::Stage::Fragment, "#version 300 es\n" + extension + inputs + main("interpolateAtCentroid(d.x)"), limits);
    CHECK(named.infoLog.find("'interpolateAtCentroid' : the first argument is an input") != std::string::npos);
}

TEST_CASE("gl_FragDepth may be declared with what it promises") {
    const Limits limits{.version = 300};
    const std::string extension = "#extension GL_EXT_conservative_depth : require\n",
                      main = "\nvoid main() { gl_FragDepth = 0.5; }";
    const auto compiles = [&](const std::string& text, isa::Stage stage = isa::Stage::Fragment) {
        return compile(stage, "#version 300 es\n" + text, limits).shader != nullptr;
    };
    for (const char* layout :
         {"", "layout(depth_any) ", "layout(depth_greater) ", "layout(depth_less) ", "layout(depth_unchanged) "}) {
        CAPTURE(layout);
        CHECK(compiles(extension + layout + "out highp float gl_FragDepth;" + main));
        CHECK(compiles(extension + layout + "out float gl_FragDepth;" + main));
        CHECK_FALSE(compiles(std::string(layout) + "out highp float gl_FragDepth;" + main));
        CHECK_FALSE(
            compiles(extension + "void main() { gl_FragDepth = 0.5; }\n" + layout + "out highp float gl_FragDepth;"));
    }
    for (const char* wrong :
         {"layout(depth_all) out highp float gl_FragDepth;",
          "layout(depth_any, depth_less) out highp float gl_FragDepth;",
          "layout(depth_any) in highp float gl_FragDepth;", "layout(depth_any) out highp vec2 gl_FragDepth;",
          "layout(depth_any) out highp float other;", "layout(depth_any) highp float gl_FragDepth;"})
        CHECK_FALSE(compiles(extension + wrong + main));
    CHECK_FALSE(
        compiles(extension + "layout(depth_any) out highp float gl_FragDepth; void main() {}", isa::Stage::Vertex));
}
