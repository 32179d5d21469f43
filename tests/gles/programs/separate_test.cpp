// EXT_separate_shader_objects: stages of different programs drawn together, how their varyings meet, and the objects'
// rules. The picture of separate programs is compared with that of one program linked of the same shaders.
#define GL_GLEXT_PROTOTYPES 1
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>
#include <GLES2/gl2tessera.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

constexpr Rgba kGreen = {0, 255, 0, 255}, kBlack = {0, 0, 0, 255};
const std::string kExtension = "#extension GL_EXT_separate_shader_objects : require\n";
const std::string kPrecision = "precision highp float;\n";
const std::string kPlainVertex =
    kExtension + "layout(location = 0) attribute vec4 position; void main() { gl_Position = position; }";

GLint parameter(GLuint program, GLenum pname) {
    GLint value = -1;
    glGetProgramiv(program, pname, &value);
    return value;
}

GLint pipelineParameter(GLuint pipeline, GLenum pname) {
    GLint value = -1;
    glGetProgramPipelineivEXT(pipeline, pname, &value);
    return value;
}

std::string logOf(GLuint program) {
    char text[1024] = "";
    glGetProgramInfoLog(program, sizeof text, nullptr, text);
    return text;
}

std::string pipelineLog(GLuint pipeline) {
    char text[1024] = "";
    glGetProgramPipelineInfoLogEXT(pipeline, sizeof text, nullptr, text);
    return text;
}

GLuint separate(GLenum type, const std::string& source) {
    const GLchar* text = source.c_str();
    const GLuint program = glCreateShaderProgramvEXT(type, 1, &text);
    INFO(logOf(program));
    REQUIRE(parameter(program, GL_LINK_STATUS) == GL_TRUE);
    return program;
}
GLuint separateVertex(const std::string& source) { return separate(GL_VERTEX_SHADER, source); }
GLuint separateFragment(const std::string& source) { return separate(GL_FRAGMENT_SHADER, kPrecision + source); }
GLuint plainColor(const std::string& rgba) {
    return separateFragment("void main() { gl_FragColor = vec4(" + rgba + "); }");
}

/// A pipeline of the two programs, bound, with no program in use.
GLuint bindPipeline(GLuint vertex, GLuint fragment) {
    GLuint pipeline = 0;
    glGenProgramPipelinesEXT(1, &pipeline);
    glUseProgramStagesEXT(pipeline, GL_VERTEX_SHADER_BIT_EXT, vertex);
    glUseProgramStagesEXT(pipeline, GL_FRAGMENT_SHADER_BIT_EXT, fragment);
    glUseProgram(0);
    glBindProgramPipelineEXT(pipeline);
    REQUIRE(glGetError() == GL_NO_ERROR);
    return pipeline;
}

Rgba drawn() {
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    drawQuad();
    return pixelAt(8, 8);
}

/// A varying of a random interface: what it is declared as, written from and read as.
struct Varying {
    std::string type, name, array, value, sum;
};

std::vector<Varying> randomInterface(std::mt19937& random) {
    const struct {
        const char *type, *value, *sum;
        int rows;
    } kinds[] = {{"float", "position.x * K", "vec4(V)", 1},
                 {"vec2", "position.yx * K", "V.xyxy", 1},
                 {"vec3", "vec3(position.xy, K)", "V.zyxz", 1},
                 {"vec4", "position.yxyx - K", "V", 1},
                 {"mat2", "mat2(position.xyyx * K)", "V[0].xyxy + V[1].yyxx", 2},
                 {"mat3", "mat3(K)", "V[1].xyzx + V[2].zzyx", 3}};
    std::vector<Varying> made;
    for (int rows = 0, i = 0; rows < 9; ++i) {
        const auto& kind = kinds[random() % std::size(kinds)];
        const bool isArray = kind.rows == 1 && random() % 3 == 0;
        rows += isArray ? 3 : kind.rows;
        if (rows > 12) break;
        std::string value = kind.value, sum = kind.sum;
        value.replace(value.find('K'), 1, std::to_string(i + 1) + ".5");
        const std::string name = "v" + std::to_string(i);
        const std::string read = isArray ? name + "[1]" : name;
        for (size_t at = sum.find('V'); at != std::string::npos; at = sum.find('V', at + read.size()))
            sum.replace(at, 1, read);
        made.push_back({kind.type, name, isArray ? "[3]" : "", value, sum});
    }
    return made;
}

std::string declarations(const std::vector<Varying>& varyings) {
    std::string text;
    for (const Varying& v : varyings) text += "varying " + v.type + " " + v.name + v.array + ";\n";
    return text;
}

std::string vertexText(const std::vector<Varying>& varyings) {
    std::string text =
        "attribute vec4 position;\n" + declarations(varyings) + "void main() { gl_Position = position;\n";
    for (const Varying& v : varyings)
        for (const char* element : {"[0]", "[1]", "[2]"}) {
            text += v.name + (v.array.empty() ? "" : element) + " = " + v.value + ";\n";
            if (v.array.empty()) break;
        }
    return text + "}";
}

std::string fragmentText(const std::vector<Varying>& varyings) {
    std::string text = declarations(varyings) + "void main() { vec4 sum = vec4(0.0);\n";
    for (const Varying& v : varyings) text += "sum += " + v.sum + ";\n";
    return text + "gl_FragColor = fract(sum * 0.37); }";
}

std::vector<Rgba> picture() {
    glClear(GL_COLOR_BUFFER_BIT);
    drawQuad();
    return readRect(0, 0, 16, 16);
}

}  // namespace

TEST_CASE("stages of two programs draw together, in any combination") {
    TestContext context;
    const GLuint upper = separateVertex(
        "attribute vec4 position; varying vec4 tint; uniform vec4 shade;"
        "void main() { gl_Position = vec4(position.x, max(position.y, 0.0), position.zw); tint = shade; }");
    const GLuint whole = separateVertex(
        "attribute vec4 position; varying vec4 tint; void main() { gl_Position = position; tint = vec4(0, 1, 1, 1); }");
    const GLuint plain = separateFragment("varying vec4 tint; void main() { gl_FragColor = tint; }");
    const GLuint swapped = separateFragment("varying vec4 tint; void main() { gl_FragColor = tint.zyxw; }");
    glProgramUniform4fEXT(upper, glGetUniformLocation(upper, "shade"), 1, 1, 0, 1);
    const struct {
        GLuint vertex, fragment;
        Rgba low, high;
    } rows[] = {{upper, plain, kBlack, {255, 255, 0, 255}},
                {upper, swapped, kBlack, {0, 255, 255, 255}},
                {whole, plain, {0, 255, 255, 255}, {0, 255, 255, 255}},
                {whole, swapped, {255, 255, 0, 255}, {255, 255, 0, 255}}};
    GLuint pipeline = 0;
    glGenProgramPipelinesEXT(1, &pipeline);
    glBindProgramPipelineEXT(pipeline);
    for (const auto& row : rows) {
        glUseProgramStagesEXT(pipeline, GL_VERTEX_SHADER_BIT_EXT, row.vertex);
        glUseProgramStagesEXT(pipeline, GL_FRAGMENT_SHADER_BIT_EXT, row.fragment);
        CHECK(drawn() == row.high);
        CHECK(pixelAt(8, 3) == row.low);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("each stage of a pipeline is exchanged by itself") {
    TestContext context;
    const auto vertex = [](const std::string& tint) {
        return separateVertex(
            "attribute vec4 position; varying vec4 tint; void main() { gl_Position = position; tint = vec4(" + tint +
            "); }");
    };
    const GLuint red = vertex("1, 0, 0, 1"), green = vertex("0, 1, 0, 1");
    const GLuint plain = separateFragment("varying vec4 tint; void main() { gl_FragColor = tint; }");
    const GLuint swapped = separateFragment("varying vec4 tint; void main() { gl_FragColor = tint.zyxw; }");
    const GLuint pipeline = bindPipeline(red, plain);
    CHECK(drawn() == Rgba{255, 0, 0, 255});
    glUseProgramStagesEXT(pipeline, GL_VERTEX_SHADER_BIT_EXT, green);
    CHECK(drawn() == kGreen);
    glUseProgramStagesEXT(pipeline, GL_VERTEX_SHADER_BIT_EXT, red);
    CHECK(drawn() == Rgba{255, 0, 0, 255});
    glUseProgramStagesEXT(pipeline, GL_FRAGMENT_SHADER_BIT_EXT, swapped);
    CHECK(drawn() == Rgba{0, 0, 255, 255});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("in OpenGL ES 3.0 stages of two programs keep what is flat, and clip by distances") {
    TestContext context(kEs3);
    const std::string version = "#version 300 es\n";
    const GLuint vertex =
        separate(GL_VERTEX_SHADER, version +
                                       "#extension GL_EXT_clip_cull_distance : require\n"
                                       "layout(location = 0) in vec4 position; flat out vec2 corner; out float "
                                       "gl_ClipDistance[1]; void main() { gl_Position = position; corner = position.xy;"
                                       " gl_ClipDistance[0] = position.x; }");
    const GLuint fragment =
        separate(GL_FRAGMENT_SHADER, version +
                                         "precision highp float; flat in vec2 corner; out vec4 color;"
                                         " void main() { color = vec4(abs(corner), 0, 1); }");
    bindPipeline(vertex, fragment);
    CHECK(drawn() == Rgba{255, 255, 0, 255});
    CHECK(pixelAt(1, 6) == Rgba{255, 255, 0, 255});
    glEnable(GL_CLIP_DISTANCE0_EXT);
    CHECK(drawn() == Rgba{255, 255, 0, 255});
    CHECK(pixelAt(1, 6) == kBlack);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("varyings of the same declarations meet by name: the picture is that of one linked program") {
    TestContext context;
    std::mt19937 random(21);
    int differing = 0;
    for (int round = 0; round < 25; ++round) {
        std::vector<Varying> varyings = randomInterface(random);
        const std::string vertex = vertexText(varyings);
        std::shuffle(varyings.begin(), varyings.end(), random);
        const std::string fragment = fragmentText(varyings);
        INFO(vertex << fragment);
        useProgram(vertex, kPrecision + fragment);
        const std::vector<Rgba> linked = picture();
        differing += linked.front() != linked.back();
        bindPipeline(separateVertex(vertex), separateFragment(fragment));
        CHECK(picture() == linked);
    }
    CHECK(differing > 15);
}

TEST_CASE("varyings with a location meet by it: other names, other order, outputs nobody reads, wider outputs") {
    TestContext context;
    const std::string vertex = kExtension + R"(
        layout(location = 0) attribute vec4 position;
        layout(location = 9) varying vec2 last;
        varying vec4 unread;
        layout(location = 0) varying float first;
        layout(location = 2) varying vec4 wide;
        layout(location = 0x4) varying vec3 list[3];
        void main() {
            gl_Position = position; unread = position;
            last = vec2(0.25, 0.5); first = 0.125; wide = vec4(0.5, 0.75, 7.0, 8.0);
            list[0] = vec3(0.0); list[1] = vec3(0.25); list[2] = vec3(1.0);
        })";
    const std::string fragment = kExtension + kPrecision + R"(
        #define PLACE 2
        layout(location = 4) varying vec3 other[3], notHere;
        layout(location = PLACE) varying vec2 narrow;
        layout(location = 011) varying vec2 end;
        layout(location = 0) varying float begin;
        void main() {
            bool good = narrow == vec2(0.5, 0.75) && end == vec2(0.25, 0.5) && begin == 0.125;
            for (int i = 0; i < 3; i++) good = good && other[i] == vec3(i == 0 ? 0.0 : i == 1 ? 0.25 : 1.0);
            gl_FragColor = good ? vec4(0.0, 1.0, 0.0, 1.0) : vec4(1.0, 0.0, 0.0, 1.0);
        })";
    // A second name of the declaration would have the same location.
    const GLchar* text = fragment.c_str();
    const GLuint twice = glCreateShaderProgramvEXT(GL_FRAGMENT_SHADER, 1, &text);
    CHECK(parameter(twice, GL_LINK_STATUS) == GL_FALSE);
    CHECK(logOf(twice).find("'notHere' : varying has location 4, and so has 'other'") != std::string::npos);
    std::string once = fragment;
    once.erase(once.find(", notHere"), 9);
    bindPipeline(separateVertex(vertex), separate(GL_FRAGMENT_SHADER, once));
    CHECK(drawn() == kGreen);
    // In one program too, with types that are the same.
    std::string same = vertex;
    same.replace(same.find("varying vec4 wide"), 17, "varying vec2 wide");
    same.replace(same.find("vec4(0.5, 0.75, 7.0, 8.0)"), 25, "vec2(0.5, 0.75)");
    useProgram(same, once);
    CHECK(drawn() == kGreen);
}

TEST_CASE("what does not match reads 0") {
    TestContext context;
    const GLuint vertex = separateVertex(kExtension + R"(
        attribute vec4 position; varying vec4 named; layout(location = 1) varying vec2 narrow; varying vec3 typed;
        void main() { gl_Position = position; named = vec4(1.0); narrow = vec2(1.0); typed = vec3(1.0); })");
    for (const char* declared : {"layout(location = 3) varying vec4 named", "varying vec4 nobody",
                                 "layout(location = 1) varying vec4 narrow", "varying mat3 typed"}) {
        CAPTURE(declared);
        const std::string name = std::string(declared).substr(std::string(declared).rfind(' ') + 1);
        const std::string read = name == "typed" ? "typed[0].xyzx" : name;
        const std::string text = kExtension + kPrecision + declared + "; void main() { gl_FragColor = vec4(" + read +
                                 ") + vec4(0.0, 0.0, 0.0, 1.0); }";
        bindPipeline(vertex, separate(GL_FRAGMENT_SHADER, text));
        CHECK(drawn() == kBlack);
        CHECK(glGetError() == GL_NO_ERROR);
    }
}

TEST_CASE("a location in the shader comes before glBindAttribLocation's") {
    TestContext context;
    const GLuint program = glCreateProgram();
    glProgramParameteriEXT(program, GL_PROGRAM_SEPARABLE_EXT, GL_TRUE);
    glAttachShader(program, makeShader(GL_VERTEX_SHADER, kExtension + R"(
        layout(location = 5) attribute vec4 a; attribute vec4 b; layout(location = 7) attribute mat2 c;
        void main() { gl_Position = a + b + c[0].xyxy + c[1].xyxy; })"));
    glBindAttribLocation(program, 3, "a");
    glBindAttribLocation(program, 2, "b");
    glLinkProgram(program);
    REQUIRE(parameter(program, GL_LINK_STATUS) == GL_TRUE);
    CHECK(glGetAttribLocation(program, "a") == 5);
    CHECK(glGetAttribLocation(program, "b") == 2);
    CHECK(glGetAttribLocation(program, "c") == 7);
}

TEST_CASE("a program in use comes before the pipeline, for draws and for uniforms") {
    TestContext context;
    const GLuint vertex = separateVertex(kPlainVertex);
    const GLuint fragment = separateFragment("uniform vec4 color; void main() { gl_FragColor = color; }");
    const GLint color = glGetUniformLocation(fragment, "color");
    const GLuint pipeline = bindPipeline(vertex, fragment);
    glUniform4f(color, 1, 1, 1, 1);
    CHECK(glGetError() == GL_INVALID_OPERATION);  // no active program
    glActiveShaderProgramEXT(pipeline, fragment);
    glUniform4f(color, 0, 1, 0, 1);
    CHECK(drawn() == kGreen);
    CHECK(pipelineParameter(pipeline, GL_ACTIVE_PROGRAM_EXT) == static_cast<GLint>(fragment));

    const GLuint program = useProgram(kPassVertex, kColorFragment);
    glUniform4f(glGetUniformLocation(program, "color"), 0, 0, 1, 1);
    CHECK(drawn() == Rgba{0, 0, 255, 255});
    glUseProgram(0);
    CHECK(drawn() == kGreen);
    // Values set between draws that share their state.
    glUniform4f(color, 1, 0, 0, 1);
    drawQuad();
    CHECK(pixelAt(8, 8) == Rgba{255, 0, 0, 255});
    glProgramUniform4fEXT(fragment, color, 1, 1, 0, 1);
    drawQuad();
    CHECK(pixelAt(8, 8) == Rgba{255, 255, 0, 255});
    glBindProgramPipelineEXT(0);
    CHECK(drawn() == kBlack);
    // A program of one stage alone in use: nothing to draw with, no error.
    glUseProgram(fragment);
    CHECK(drawn() == kBlack);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("glProgramUniform sets what glUniform sets") {
    TestContext context;
    const GLuint program = makeProgram(kPassVertex, kPrecision + R"(
        uniform float f1; uniform vec2 f2; uniform vec3 f3; uniform vec4 f4, a4[2];
        uniform int i1; uniform ivec2 i2; uniform ivec3 i3; uniform ivec4 i4;
        uniform mat2 m2; uniform mat3 m3; uniform mat4 m4; uniform sampler2D s;
        void main() { gl_FragColor = vec4(f1) + f2.xyxy + f3.xyzx + f4 + a4[0] + a4[1] + vec4(i1) + vec4(i2, i2)
            + vec4(i3, 1) + vec4(i4) + vec4(m2[1], m2[0]) + vec4(m3[2], 1.0) + m4[3] + texture2D(s, f2); })");
    const auto at = [&](const char* name) { return glGetUniformLocation(program, name); };
    const GLfloat floats[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    const GLint ints[4] = {21, 22, 23, 24};
    const auto isFloats = [&](const char* name, const std::vector<GLfloat>& expected) {
        std::vector<GLfloat> got(16);
        glGetUniformfv(program, at(name), got.data());
        got.resize(expected.size());
        return got == expected;
    };
    glUseProgram(0);
    glProgramUniform1fEXT(program, at("f1"), 31);
    CHECK(isFloats("f1", {31}));
    glProgramUniform2fEXT(program, at("f2"), 31, 32);
    CHECK(isFloats("f2", {31, 32}));
    glProgramUniform3fEXT(program, at("f3"), 31, 32, 33);
    CHECK(isFloats("f3", {31, 32, 33}));
    glProgramUniform4fEXT(program, at("f4"), 31, 32, 33, 34);
    CHECK(isFloats("f4", {31, 32, 33, 34}));
    glProgramUniform1iEXT(program, at("i1"), 41);
    CHECK(isFloats("i1", {41}));
    glProgramUniform2iEXT(program, at("i2"), 41, 42);
    CHECK(isFloats("i2", {41, 42}));
    glProgramUniform3iEXT(program, at("i3"), 41, 42, 43);
    CHECK(isFloats("i3", {41, 42, 43}));
    glProgramUniform4iEXT(program, at("i4"), 41, 42, 43, 44);
    CHECK(isFloats("i4", {41, 42, 43, 44}));
    glProgramUniform1fvEXT(program, at("f1"), 1, floats);
    CHECK(isFloats("f1", {1}));
    glProgramUniform2fvEXT(program, at("f2"), 1, floats);
    CHECK(isFloats("f2", {1, 2}));
    glProgramUniform3fvEXT(program, at("f3"), 1, floats);
    CHECK(isFloats("f3", {1, 2, 3}));
    glProgramUniform4fvEXT(program, at("a4"), 2, floats);
    CHECK(isFloats("a4[0]", {1, 2, 3, 4}));
    CHECK(isFloats("a4[1]", {5, 6, 7, 8}));
    glProgramUniform1ivEXT(program, at("s"), 1, ints);
    CHECK(isFloats("s", {21}));
    glProgramUniform2ivEXT(program, at("i2"), 1, ints);
    CHECK(isFloats("i2", {21, 22}));
    glProgramUniform3ivEXT(program, at("i3"), 1, ints);
    CHECK(isFloats("i3", {21, 22, 23}));
    glProgramUniform4ivEXT(program, at("i4"), 1, ints);
    CHECK(isFloats("i4", {21, 22, 23, 24}));
    glProgramUniformMatrix2fvEXT(program, at("m2"), 1, GL_FALSE, floats);
    CHECK(isFloats("m2", {floats, floats + 4}));
    glProgramUniformMatrix3fvEXT(program, at("m3"), 1, GL_FALSE, floats);
    CHECK(isFloats("m3", {floats, floats + 9}));
    glProgramUniformMatrix4fvEXT(program, at("m4"), 1, GL_FALSE, floats);
    CHECK(isFloats("m4", {floats, floats + 16}));
    CHECK(glGetError() == GL_NO_ERROR);
    const auto error = [](GLenum expected, auto call) {
        call();
        CHECK(glGetError() == expected);
    };
    error(GL_INVALID_OPERATION, [&] { glProgramUniform2fEXT(program, at("f1"), 1, 2); });
    error(GL_INVALID_OPERATION, [&] { glProgramUniform1fEXT(program, 999, 1); });
    error(GL_NO_ERROR, [&] { glProgramUniform1fEXT(program, -1, 1); });
    error(GL_INVALID_VALUE, [&] { glProgramUniform1iEXT(program, at("s"), 999); });
    error(GL_INVALID_VALUE, [&] { glProgramUniformMatrix2fvEXT(program, at("m2"), 1, GL_TRUE, floats); });
    error(GL_INVALID_OPERATION, [&] { glProgramUniform1fEXT(glCreateProgram(), 0, 1); });
    error(GL_INVALID_OPERATION, [&] { glProgramUniform1fEXT(glCreateShader(GL_VERTEX_SHADER), 0, 1); });
    CHECK(isFloats("f1", {1}));
}

TEST_CASE("glCreateShaderProgram links alone, and says what the compiler and the linker say") {
    TestContext context;
    const GLchar* parts[] = {"attribute vec4 position;", "void main() {", "gl_Position = position; }"};
    const GLuint good = glCreateShaderProgramvEXT(GL_VERTEX_SHADER, 3, parts);
    CHECK(parameter(good, GL_LINK_STATUS) == GL_TRUE);
    CHECK(parameter(good, GL_PROGRAM_SEPARABLE_EXT) == GL_TRUE);
    CHECK(parameter(good, GL_ATTACHED_SHADERS) == 0);
    CHECK(parameter(good, GL_ACTIVE_ATTRIBUTES) == 1);
    const GLchar* wrong = "void main() { gl_FragColor = vec4(nobody); }";
    const GLuint bad = glCreateShaderProgramvEXT(GL_FRAGMENT_SHADER, 1, &wrong);
    CHECK(glIsProgram(bad) == GL_TRUE);
    CHECK(parameter(bad, GL_LINK_STATUS) == GL_FALSE);
    CHECK(logOf(bad).find("nobody") != std::string::npos);
    const GLchar* tooFar =
        "#extension GL_EXT_separate_shader_objects : enable\n"
        "layout(location = 30) varying mat2 m; attribute vec4 p;"
        "void main() { gl_Position = p; m = mat2(1.0); }";
    const GLuint far = glCreateShaderProgramvEXT(GL_VERTEX_SHADER, 1, &tooFar);
    CHECK(parameter(far, GL_LINK_STATUS) == GL_FALSE);
    CHECK(logOf(far).find("'m' : varying with location 30 needs 2 of 31 locations") != std::string::npos);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(glCreateShaderProgramvEXT(GL_TEXTURE_2D, 1, parts) == 0);
    CHECK(glGetError() == GL_INVALID_ENUM);
    CHECK(glCreateShaderProgramvEXT(GL_VERTEX_SHADER, -1, parts) == 0);
    CHECK(glGetError() == GL_INVALID_VALUE);
    // Without the parameter a program of one stage does not link.
    const GLuint half = glCreateProgram();
    glAttachShader(half, makeShader(GL_VERTEX_SHADER, kPassVertex));
    CHECK(parameter(half, GL_PROGRAM_SEPARABLE_EXT) == GL_FALSE);
    glLinkProgram(half);
    CHECK(parameter(half, GL_LINK_STATUS) == GL_FALSE);
    glProgramParameteriEXT(half, GL_PROGRAM_SEPARABLE_EXT, GL_TRUE);
    glLinkProgram(half);
    CHECK(parameter(half, GL_LINK_STATUS) == GL_TRUE);
}

TEST_CASE("errors of program pipelines") {
    TestContext context;
    GLuint pipeline = 0;
    glGenProgramPipelinesEXT(1, &pipeline);
    const GLuint vertex = separateVertex(kPlainVertex), linked = makeProgram(kPassVertex, kColorFragment);
    const GLuint shader = glCreateShader(GL_VERTEX_SHADER), unlinked = glCreateProgram();
    const auto error = [](GLenum expected, auto call) {
        call();
        CHECK(glGetError() == expected);
    };
    CHECK(glIsProgramPipelineEXT(pipeline) == GL_FALSE);  // a name, until it is used
    error(GL_INVALID_OPERATION, [&] { glUseProgramStagesEXT(pipeline, GL_VERTEX_SHADER_BIT_EXT, linked); });
    error(GL_INVALID_OPERATION, [&] { glUseProgramStagesEXT(pipeline, GL_VERTEX_SHADER_BIT_EXT, unlinked); });
    error(GL_INVALID_OPERATION, [&] { glUseProgramStagesEXT(pipeline, GL_VERTEX_SHADER_BIT_EXT, shader); });
    error(GL_INVALID_VALUE, [&] { glUseProgramStagesEXT(pipeline, GL_VERTEX_SHADER_BIT_EXT, 999); });
    error(GL_INVALID_VALUE, [&] { glUseProgramStagesEXT(pipeline, 4, vertex); });
    error(GL_INVALID_VALUE, [&] { glUseProgramStagesEXT(pipeline, 0x7FFFFFFF, vertex); });
    error(GL_INVALID_VALUE, [&] { glActiveShaderProgramEXT(pipeline, 999); });
    error(GL_INVALID_ENUM, [&] { (void)pipelineParameter(pipeline, GL_LINK_STATUS); });
    error(GL_INVALID_VALUE, [&] { glGetProgramPipelineInfoLogEXT(pipeline, -1, nullptr, nullptr); });
    CHECK(glIsProgramPipelineEXT(pipeline) == GL_FALSE);  // what is refused makes nothing
    CHECK(pipelineParameter(pipeline, GL_VERTEX_SHADER) == 0);
    CHECK(glIsProgramPipelineEXT(pipeline) == GL_TRUE);
    error(GL_INVALID_OPERATION, [&] { glActiveShaderProgramEXT(pipeline, unlinked); });
    error(GL_INVALID_OPERATION, [&] { glActiveShaderProgramEXT(pipeline, shader); });
    error(GL_INVALID_VALUE, [&] { glActiveShaderProgramEXT(pipeline, 999); });
    error(GL_NO_ERROR, [&] { glActiveShaderProgramEXT(pipeline, linked); });
    error(GL_NO_ERROR, [&] { glActiveShaderProgramEXT(pipeline, 0); });
    error(GL_NO_ERROR, [&] { glUseProgramStagesEXT(pipeline, GL_ALL_SHADER_BITS_EXT, vertex); });
    CHECK(pipelineParameter(pipeline, GL_VERTEX_SHADER) == static_cast<GLint>(vertex));
    CHECK(pipelineParameter(pipeline, GL_FRAGMENT_SHADER) == 0);  // it has no code for it
    error(GL_NO_ERROR, [&] { glUseProgramStagesEXT(pipeline, GL_ALL_SHADER_BITS_EXT, 0); });
    CHECK(pipelineParameter(pipeline, GL_VERTEX_SHADER) == 0);
    error(GL_INVALID_ENUM, [&] { (void)pipelineParameter(pipeline, GL_LINK_STATUS); });
    error(GL_INVALID_VALUE, [&] { glGetProgramPipelineInfoLogEXT(pipeline, -1, nullptr, nullptr); });
    error(GL_INVALID_ENUM, [&] { glProgramParameteriEXT(linked, GL_LINK_STATUS, GL_TRUE); });
    error(GL_INVALID_VALUE, [&] { glProgramParameteriEXT(linked, GL_PROGRAM_SEPARABLE_EXT, 2); });
    error(GL_INVALID_OPERATION, [&] { glProgramParameteriEXT(shader, GL_PROGRAM_SEPARABLE_EXT, GL_TRUE); });
    glBindProgramPipelineEXT(pipeline);
    GLint bound = 0;
    glGetIntegerv(GL_PROGRAM_PIPELINE_BINDING_EXT, &bound);
    CHECK(bound == static_cast<GLint>(pipeline));
    glDeleteProgramPipelinesEXT(1, &pipeline);
    glGetIntegerv(GL_PROGRAM_PIPELINE_BINDING_EXT, &bound);
    CHECK(bound == 0);
    CHECK(glIsProgramPipelineEXT(pipeline) == GL_FALSE);
    error(GL_INVALID_OPERATION, [&] { glBindProgramPipelineEXT(pipeline); });
    error(GL_INVALID_OPERATION, [&] { glValidateProgramPipelineEXT(pipeline); });
}

TEST_CASE("draws with a pipeline that cannot execute are errors, and validation says why") {
    TestContext context;
    const GLuint fragment = plainColor("0.0, 1.0, 0.0, 1.0");
    const auto twoStages = [] {
        const GLuint program = glCreateProgram();
        glProgramParameteriEXT(program, GL_PROGRAM_SEPARABLE_EXT, GL_TRUE);
        glAttachShader(program, makeShader(GL_VERTEX_SHADER, kPassVertex));
        glAttachShader(program, makeShader(GL_FRAGMENT_SHADER, kColorFragment));
        glBindAttribLocation(program, 0, "position");
        glLinkProgram(program);
        return program;
    };
    const auto isRefused = [](GLuint pipeline, const std::string& why) {
        glValidateProgramPipelineEXT(pipeline);
        CHECK(pipelineParameter(pipeline, GL_VALIDATE_STATUS) == GL_FALSE);
        CHECK(pipelineLog(pipeline).find(why) != std::string::npos);
        CHECK(pipelineParameter(pipeline, GL_INFO_LOG_LENGTH) == static_cast<GLint>(pipelineLog(pipeline).size()) + 1);
        CHECK(drawn() == kBlack);
        return glGetError() == GL_INVALID_OPERATION;
    };
    const GLuint both = twoStages();
    const GLuint mixed = bindPipeline(both, fragment);
    CHECK(isRefused(mixed, "is used for one"));
    glUseProgramStagesEXT(mixed, GL_ALL_SHADER_BITS_EXT, both);
    glProgramUniform4fEXT(both, glGetUniformLocation(both, "color"), 0, 1, 0, 1);
    CHECK(drawn() == kGreen);
    glValidateProgramPipelineEXT(mixed);
    CHECK(pipelineParameter(mixed, GL_VALIDATE_STATUS) == GL_TRUE);
    CHECK(pipelineParameter(mixed, GL_INFO_LOG_LENGTH) == 0);

    glProgramParameteriEXT(both, GL_PROGRAM_SEPARABLE_EXT, GL_FALSE);
    CHECK(drawn() == kGreen);  // until it is linked
    glLinkProgram(both);
    CHECK(isRefused(mixed, "no longer separable"));

    // A failed link leaves the pipeline what it had.
    const GLuint other = twoStages();
    glUseProgramStagesEXT(mixed, GL_ALL_SHADER_BITS_EXT, other);
    glProgramUniform4fEXT(other, glGetUniformLocation(other, "color"), 0, 1, 0, 1);
    glAttachShader(other, glCreateShader(GL_VERTEX_SHADER));
    CHECK(glGetError() == GL_INVALID_OPERATION);
    GLuint attached[2] = {};
    glGetAttachedShaders(other, 2, nullptr, attached);
    glDetachShader(other, attached[0]);
    glDetachShader(other, attached[1]);
    glLinkProgram(other);
    CHECK(parameter(other, GL_LINK_STATUS) == GL_FALSE);
    CHECK(drawn() == kGreen);

    // Samplers of two types on one unit, each in its own program.
    const GLuint lookup =
        separateVertex(kExtension +
                       "layout(location = 0) attribute vec4 position; uniform samplerCube s;"
                       "void main() { gl_Position = position + 0.0 * textureCube(s, position.xyz); }");
    const GLuint texture =
        separateFragment("uniform sampler2D s; void main() { gl_FragColor = texture2D(s, vec2(0.5)); }");
    const GLuint samplers = bindPipeline(lookup, texture);
    CHECK(isRefused(samplers, "same texture image unit"));
    glProgramUniform1iEXT(lookup, glGetUniformLocation(lookup, "s"), 1);
    CHECK(drawn() == kBlack);
    CHECK(glGetError() == GL_NO_ERROR);
    // No program for a stage: undefined, so nothing, and no error.
    glUseProgramStagesEXT(samplers, GL_FRAGMENT_SHADER_BIT_EXT, 0);
    CHECK(drawn() == kBlack);
    CHECK(glGetError() == GL_NO_ERROR);
    glValidateProgramPipelineEXT(samplers);
    CHECK(pipelineLog(samplers) == "ERROR: no program is used for the fragment stage\n");
}

TEST_CASE("a program that a pipeline uses stays when it is deleted, and goes with the pipeline") {
    TestContext context;
    const GLuint vertex = separateVertex(kPlainVertex), fragment = plainColor("0.0, 1.0, 0.0, 1.0");
    GLuint pipeline = bindPipeline(vertex, fragment);
    glActiveShaderProgramEXT(pipeline, fragment);
    glDeleteProgram(vertex);
    glDeleteProgram(fragment);
    CHECK(parameter(fragment, GL_DELETE_STATUS) == GL_TRUE);
    CHECK(drawn() == kGreen);
    glUseProgramStagesEXT(pipeline, GL_FRAGMENT_SHADER_BIT_EXT, 0);
    CHECK(glIsProgram(fragment) == GL_TRUE);  // still active
    glActiveShaderProgramEXT(pipeline, 0);
    CHECK(glIsProgram(fragment) == GL_FALSE);
    CHECK(glIsProgram(vertex) == GL_TRUE);
    glDeleteProgramPipelinesEXT(1, &pipeline);
    CHECK(glIsProgram(vertex) == GL_FALSE);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("pipelines have labels (KHR_debug, EXT_debug_label)") {
    TestContext context;
    const GLuint pipeline = bindPipeline(separateVertex(kPlainVertex), plainColor("1.0"));
    char label[16] = "";
    glObjectLabelKHR(GL_PROGRAM_PIPELINE_KHR, pipeline, -1, "lit");
    glGetObjectLabelEXT(GL_PROGRAM_PIPELINE_OBJECT_EXT, pipeline, sizeof label, nullptr, label);
    CHECK(std::string(label) == "lit");
    CHECK(glGetError() == GL_NO_ERROR);
    glObjectLabelKHR(GL_PROGRAM_PIPELINE_KHR, pipeline + 1, -1, "none");
    CHECK(glGetError() == GL_INVALID_VALUE);
}

TEST_CASE("pipelines are a context's own, and free their programs with it") {
    TestContext first;
    const GLuint vertex = separateVertex(kPlainVertex), fragment = plainColor("0.0, 1.0, 0.0, 1.0");
    const GLuint pipeline = bindPipeline(vertex, fragment);
    {
        TestContext second({.share = &first});
        CHECK(glIsProgramPipelineEXT(pipeline) == GL_FALSE);
        bindPipeline(vertex, fragment);
        CHECK(drawn() == kGreen);
        first.makeCurrent();
        glUseProgramStagesEXT(pipeline, GL_ALL_SHADER_BITS_EXT, 0);
        glDeleteProgram(vertex);
        CHECK(glIsProgram(vertex) == GL_TRUE);
    }
    first.makeCurrent();
    CHECK(glIsProgram(vertex) == GL_FALSE);
}

TEST_CASE("separable programs as binaries: one stage each, matched as before") {
    TestContext context;
    const GLuint originals[2] = {
        separateVertex(kExtension +
                       "attribute vec4 position; layout(location = 3) varying vec4 tint; varying vec2 more;"
                       "void main() { gl_Position = position; tint = vec4(0, 1, 0, 1); more = tint.xy; }"),
        separateFragment("varying vec2 more; void main() { gl_FragColor = vec4(more, 0.0, 1.0); }")};
    GLuint loaded[2] = {};
    for (int i = 0; i < 2; ++i) {
        std::vector<unsigned char> bytes(static_cast<size_t>(parameter(originals[i], GL_PROGRAM_BINARY_LENGTH_OES)));
        GLenum format = 0;
        glGetProgramBinaryOES(originals[i], static_cast<GLsizei>(bytes.size()), nullptr, &format, bytes.data());
        loaded[i] = glCreateProgram();
        glProgramBinaryOES(loaded[i], format, bytes.data(), static_cast<GLint>(bytes.size()));
        INFO(logOf(loaded[i]));
        CHECK(parameter(loaded[i], GL_LINK_STATUS) == GL_TRUE);
    }
    bindPipeline(loaded[0], loaded[1]);
    CHECK(drawn() == kGreen);
}
