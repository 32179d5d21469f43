// Shader and program objects: sources, logs, linking, locations, active variables (sections 2.10, 6.1.8).
#include <cstring>
#include <map>

#include "tests/gles/api_test.h"

using namespace tessera::gles_test;

namespace {

GLint shaderValue(GLuint shader, GLenum name) {
    GLint value = -1;
    glGetShaderiv(shader, name, &value);
    return value;
}

GLint programValue(GLuint program, GLenum name) {
    GLint value = -1;
    glGetProgramiv(program, name, &value);
    return value;
}

void setSource(GLuint shader, const std::string& text) {
    const char* string = text.c_str();
    glShaderSource(shader, 1, &string, nullptr);
}

struct Active {
    GLint size;
    GLenum type;
    bool operator==(const Active&) const = default;
};

template <class Get>
std::map<std::string, Active> activeVariables(GLuint program, GLenum countName, GLenum lengthName, Get get) {
    std::map<std::string, Active> variables;
    GLint count = programValue(program, countName), longest = 0;
    for (GLint i = 0; i < count; ++i) {
        char name[256] = {};
        GLsizei length = 0;
        Active active{};
        get(program, static_cast<GLuint>(i), sizeof name, &length, &active.size, &active.type, name);
        CHECK(length == static_cast<GLsizei>(std::strlen(name)));
        CHECK(variables.emplace(name, active).second);
        longest = std::max(longest, length + 1);
    }
    CHECK(programValue(program, lengthName) == longest);
    CHECK(glGetError() == GL_NO_ERROR);
    return variables;
}

std::map<std::string, Active> activeUniforms(GLuint program) {
    return activeVariables(program, GL_ACTIVE_UNIFORMS, GL_ACTIVE_UNIFORM_MAX_LENGTH, glGetActiveUniform);
}

std::map<std::string, Active> activeAttributes(GLuint program) {
    return activeVariables(program, GL_ACTIVE_ATTRIBUTES, GL_ACTIVE_ATTRIBUTE_MAX_LENGTH, glGetActiveAttrib);
}

}  // namespace

TEST_CASE("shader sources come back, cut to the buffer") {
    TestContext context;
    GLuint shader = glCreateShader(GL_VERTEX_SHADER);
    const char* const strings[] = {"void ", "main", "(){}zzz"};
    const GLint lengths[] = {5, -1, 4};
    glShaderSource(shader, 3, strings, lengths);
    CHECK(shaderValue(shader, GL_SHADER_SOURCE_LENGTH) == 14);  // with the terminator
    char text[32];
    std::memset(text, '#', sizeof text);
    GLsizei length = -1;
    glGetShaderSource(shader, sizeof text, &length, text);
    CHECK(std::string(text) == "void main(){}");
    CHECK(length == 13);
    std::memset(text, '#', sizeof text);
    glGetShaderSource(shader, 5, &length, text);
    CHECK(std::string(text) == "void");
    CHECK(length == 4);
    CHECK(text[5] == '#');
    glGetShaderSource(shader, 1, &length, text);
    CHECK(text[0] == '\0');
    CHECK(length == 0);
    std::memset(text, '#', sizeof text);
    glGetShaderSource(shader, 0, &length, text);
    CHECK(length == 0);
    CHECK(text[0] == '#');
    setSource(shader, "other");  // replaces
    CHECK(shaderValue(shader, GL_SHADER_SOURCE_LENGTH) == 6);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("compiling reports its status and says what is wrong") {
    TestContext context;
    GLuint shader = glCreateShader(GL_FRAGMENT_SHADER);
    setSource(shader, "void main() {\n  gl_FragColor = vec4(nothing);\n}\n");
    glCompileShader(shader);
    CHECK(shaderValue(shader, GL_COMPILE_STATUS) == GL_FALSE);
    GLint logLength = shaderValue(shader, GL_INFO_LOG_LENGTH);
    REQUIRE(logLength > 1);
    std::string log(static_cast<size_t>(logLength), '#');
    GLsizei length = -1;
    glGetShaderInfoLog(shader, logLength, &length, log.data());
    CHECK(length == logLength - 1);
    CHECK(log.back() == '\0');
    CHECK(log.find("nothing") != std::string::npos);
    CHECK(log.find('2') != std::string::npos);  // the line
    std::string part(6, '#');
    glGetShaderInfoLog(shader, 5, &length, part.data());
    CHECK(length == 4);
    CHECK(part[4] == '\0');
    CHECK(part[5] == '#');
    setSource(shader, "void main() { gl_FragColor = vec4(1.0); }");
    CHECK(shaderValue(shader, GL_COMPILE_STATUS) == GL_FALSE);  // until it is compiled
    glCompileShader(shader);
    CHECK(shaderValue(shader, GL_COMPILE_STATUS) == GL_TRUE);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("linking needs one compiled shader of each kind") {
    TestContext context;
    GLuint vertex = makeShader(GL_VERTEX_SHADER, kPassVertex),
           fragment = makeShader(GL_FRAGMENT_SHADER, kColorFragment);
    GLuint uncompiled = glCreateShader(GL_FRAGMENT_SHADER);
    GLuint program = glCreateProgram();
    auto linked = [&] {
        glLinkProgram(program);
        CHECK(glGetError() == GL_NO_ERROR);
        GLint status = programValue(program, GL_LINK_STATUS);
        if (status == GL_FALSE) CHECK(programValue(program, GL_INFO_LOG_LENGTH) > 1);
        return status;
    };
    CHECK(linked() == GL_FALSE);
    glAttachShader(program, vertex);
    CHECK(linked() == GL_FALSE);
    glAttachShader(program, uncompiled);
    CHECK(linked() == GL_FALSE);
    glDetachShader(program, uncompiled);
    glAttachShader(program, fragment);
    CHECK(linked() == GL_TRUE);
    glDetachShader(program, vertex);
    glDetachShader(program, fragment);
    CHECK(programValue(program, GL_LINK_STATUS) == GL_TRUE);  // the link's result stays
    CHECK(linked() == GL_FALSE);
    GLuint mismatched = makeShader(GL_FRAGMENT_SHADER,
                                   "precision mediump float; varying vec3 missing; void main() { gl_FragColor = "
                                   "vec4(missing, 1.0); }");
    glAttachShader(program, vertex);
    glAttachShader(program, mismatched);
    CHECK(linked() == GL_FALSE);
    char log[1024] = {};
    glGetProgramInfoLog(program, sizeof log, nullptr, log);
    CHECK(std::string(log).find("missing") != std::string::npos);
}

TEST_CASE("a program in use keeps its code when linking it again fails") {  // section 2.10.3
    TestContext context;
    GLuint vertex = makeShader(GL_VERTEX_SHADER, kPassVertex);
    GLuint green = makeShader(GL_FRAGMENT_SHADER, "void main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); }");
    GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, green);
    glBindAttribLocation(program, 0, "position");
    glLinkProgram(program);
    glUseProgram(program);
    glDetachShader(program, green);
    glLinkProgram(program);
    CHECK(programValue(program, GL_LINK_STATUS) == GL_FALSE);
    drawQuad();
    CHECK(pixelAt(8, 8) == Rgba{0, 255, 0, 255});
    CHECK(glGetError() == GL_NO_ERROR);
    // A successful link takes effect at once, without another glUseProgram.
    GLuint blue = makeShader(GL_FRAGMENT_SHADER, "void main() { gl_FragColor = vec4(0.0, 0.0, 1.0, 1.0); }");
    glAttachShader(program, blue);
    glLinkProgram(program);
    drawQuad();
    CHECK(pixelAt(8, 8) == Rgba{0, 0, 255, 255});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("attribute locations: bound, automatic, aliased, matrices") {
    TestContext context;
    GLuint vertex = makeShader(GL_VERTEX_SHADER, R"(
        attribute vec4 a; attribute vec3 b; attribute float c; attribute mat3 m;
        void main() { gl_Position = a + vec4(b, c) + vec4(m[0] + m[1] * 2.0 + m[2], 0.0); })");
    GLuint fragment = makeShader(GL_FRAGMENT_SHADER, kColorFragment);
    GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glBindAttribLocation(program, 9, "a");
    glBindAttribLocation(program, 4, "m");
    glBindAttribLocation(program, 5, "unused");
    glLinkProgram(program);
    REQUIRE(programValue(program, GL_LINK_STATUS) == GL_TRUE);
    CHECK(glGetAttribLocation(program, "a") == 9);
    CHECK(glGetAttribLocation(program, "m") == 4);
    CHECK(glGetAttribLocation(program, "unused") == -1);
    GLint b = glGetAttribLocation(program, "b"), c = glGetAttribLocation(program, "c");
    std::set<GLint> taken = {9, 4, 5, 6};
    CHECK(b >= 0);
    CHECK(b < 16);
    CHECK(taken.insert(b).second);
    CHECK(taken.insert(c).second);
    CHECK(activeAttributes(program) ==
          std::map<std::string, Active>{
              {"a", {1, GL_FLOAT_VEC4}}, {"b", {1, GL_FLOAT_VEC3}}, {"c", {1, GL_FLOAT}}, {"m", {1, GL_FLOAT_MAT3}}});
    // A new binding waits for the next link.
    glBindAttribLocation(program, 12, "a");
    CHECK(glGetAttribLocation(program, "a") == 9);
    glLinkProgram(program);
    CHECK(glGetAttribLocation(program, "a") == 12);
    // A matrix whose columns do not fit does not link.
    glBindAttribLocation(program, 14, "m");
    glLinkProgram(program);
    CHECK(programValue(program, GL_LINK_STATUS) == GL_FALSE);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("all uniform types are active with name, size and type") {
    TestContext context;
    GLuint program = makeProgram(R"(
        attribute vec4 position;
        uniform float f; uniform vec2 v2; uniform vec3 v3; uniform vec4 v4[3];
        uniform int i; uniform ivec2 i2; uniform ivec3 i3; uniform ivec4 i4;
        uniform bool b; uniform bvec2 b2; uniform bvec3 b3; uniform bvec4 b4;
        uniform mat2 m2; uniform mat3 m3[2]; uniform mat4 m4;
        uniform float unused;
        void main() {
            vec4 sum = vec4(f) + v2.xyxy + v3.xyzx + v4[0] + v4[1] + v4[2] + vec4(i) + vec4(ivec4(i2, i2));
            sum += vec4(ivec4(i3, i)) + vec4(i4) + vec4(b) + vec4(bvec4(b2, b2)) + vec4(bvec4(b3, b)) + vec4(b4);
            gl_Position = position + sum + m4 * sum + vec4(m3[0] * v3 + m3[1] * v3, 1.0) + vec4(m2 * v2, 0.0, 0.0);
        })",
                                 R"(
        precision mediump float;
        struct Light { vec3 color; float power[2]; };
        uniform Light lights[2]; uniform Light sun;
        uniform sampler2D plain; uniform samplerCube cube; uniform sampler2D flats[2];
        void main() {
            vec3 sum = lights[0].color * lights[0].power[1] + lights[1].color * lights[1].power[0];
            sum += lights[0].color * lights[0].power[0] + lights[1].color * lights[1].power[1];
            sum += sun.color * sun.power[0] * sun.power[1];
            gl_FragColor = vec4(sum, 1.0) + texture2D(plain, sum.xy) + textureCube(cube, sum) +
                           texture2D(flats[0], sum.xy) + texture2D(flats[1], sum.xy);
        })");
    REQUIRE(program != 0);
    CHECK(activeUniforms(program) == std::map<std::string, Active>{{"f", {1, GL_FLOAT}},
                                                                   {"v2", {1, GL_FLOAT_VEC2}},
                                                                   {"v3", {1, GL_FLOAT_VEC3}},
                                                                   {"v4[0]", {3, GL_FLOAT_VEC4}},
                                                                   {"i", {1, GL_INT}},
                                                                   {"i2", {1, GL_INT_VEC2}},
                                                                   {"i3", {1, GL_INT_VEC3}},
                                                                   {"i4", {1, GL_INT_VEC4}},
                                                                   {"b", {1, GL_BOOL}},
                                                                   {"b2", {1, GL_BOOL_VEC2}},
                                                                   {"b3", {1, GL_BOOL_VEC3}},
                                                                   {"b4", {1, GL_BOOL_VEC4}},
                                                                   {"m2", {1, GL_FLOAT_MAT2}},
                                                                   {"m3[0]", {2, GL_FLOAT_MAT3}},
                                                                   {"m4", {1, GL_FLOAT_MAT4}},
                                                                   {"lights[0].color", {1, GL_FLOAT_VEC3}},
                                                                   {"lights[0].power[0]", {2, GL_FLOAT}},
                                                                   {"lights[1].color", {1, GL_FLOAT_VEC3}},
                                                                   {"lights[1].power[0]", {2, GL_FLOAT}},
                                                                   {"sun.color", {1, GL_FLOAT_VEC3}},
                                                                   {"sun.power[0]", {2, GL_FLOAT}},
                                                                   {"plain", {1, GL_SAMPLER_2D}},
                                                                   {"cube", {1, GL_SAMPLER_CUBE}},
                                                                   {"flats[0]", {2, GL_SAMPLER_2D}}});
    // Names are cut to the buffer.
    char name[8];
    std::memset(name, '#', sizeof name);
    GLsizei length = -1;
    GLint size = 0;
    GLenum type = 0;
    glGetActiveUniform(program, 0, 2, &length, &size, &type, name);
    CHECK(length <= 1);
    CHECK(name[2] == '#');
}

TEST_CASE("uniform locations by name") {
    TestContext context;
    GLuint program = makeProgram(
        "attribute vec4 position; uniform vec4 v[3]; void main() { gl_Position = position + "
        "v[0] + v[1] + v[2]; }",
        "precision mediump float; struct S { vec4 a; vec4 b[2]; }; uniform S s[2]; uniform "
        "vec4 color; void main() { gl_FragColor = color + s[0].a + s[1].b[1] + s[1].a + "
        "s[0].b[0]; }");
    REQUIRE(program != 0);
    auto location = [&](const char* name) { return glGetUniformLocation(program, name); };
    CHECK(location("v") >= 0);
    CHECK(location("v[0]") == location("v"));
    CHECK(location("v[1]") >= 0);
    CHECK(location("v[1]") != location("v"));
    CHECK(location("v[2]") != location("v[1]"));
    CHECK(location("s[1].b[1]") >= 0);
    CHECK(location("s[1].b") == location("s[1].b[0]"));
    std::set<GLint> all;
    for (const char* name : {"v[0]", "v[1]", "v[2]", "s[0].a", "s[1].a", "color"})
        CHECK(all.insert(location(name)).second);
    for (const char* name : {"v[3]", "v[-1]", "v[", "v[]", "v[0", "v[1x]", "v[ 1]", "v[99999999999]", "color[0]", "s",
                             "s[0]", "s.a", "s[2].a", "s[0].c", "", "Color", "position", "color ", "v[0][0]"}) {
        CAPTURE(name);
        CHECK(location(name) == -1);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("validating a program") {
    TestContext context;
    GLuint program = makeProgram(kPassVertex, kColorFragment), unlinked = glCreateProgram();
    CHECK(programValue(program, GL_VALIDATE_STATUS) == GL_FALSE);
    glValidateProgram(program);
    CHECK(programValue(program, GL_VALIDATE_STATUS) == GL_TRUE);
    // Section 2.10.4: what was validated can execute. Linking makes something else of it, of which nothing is known.
    glLinkProgram(program);
    CHECK(programValue(program, GL_LINK_STATUS) == GL_TRUE);
    CHECK(programValue(program, GL_VALIDATE_STATUS) == GL_FALSE);
    glValidateProgram(program);
    CHECK(programValue(program, GL_VALIDATE_STATUS) == GL_TRUE);
    glValidateProgram(unlinked);
    CHECK(programValue(unlinked, GL_VALIDATE_STATUS) == GL_FALSE);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("more of anything than the limits does not link") {
    TestContext context;
    auto links = [](const std::string& vertex, const std::string& fragment) {
        GLuint program = glCreateProgram();
        for (const auto& [type, text] :
             {std::pair{GL_VERTEX_SHADER, vertex}, std::pair{GL_FRAGMENT_SHADER, fragment}}) {
            GLuint shader = glCreateShader(static_cast<GLenum>(type));
            setSource(shader, text);
            glCompileShader(shader);
            glAttachShader(program, shader);
        }
        glLinkProgram(program);
        GLint linked = programValue(program, GL_LINK_STATUS);
        if (!linked) CHECK(programValue(program, GL_INFO_LOG_LENGTH) > 1);
        CHECK(glGetError() == GL_NO_ERROR);
        return linked == GL_TRUE;
    };
    auto uniforms = [](int n) {
        return "uniform vec4 u[" + std::to_string(n) + "]; attribute vec4 position; void main() { vec4 s = position; " +
               "for (int i = 0; i < " + std::to_string(n) + "; ++i) s += u[i]; gl_Position = s; }";
    };
    CHECK(links(uniforms(256), kColorFragment));
    CHECK_FALSE(links(uniforms(257), kColorFragment));
    auto attributes = [](int n) {
        std::string declare, sum = "vec4(0.0)";
        for (int i = 0; i < n; ++i) {
            declare += "attribute vec4 a" + std::to_string(i) + ";";
            sum += " + a" + std::to_string(i);
        }
        return declare + "void main() { gl_Position = " + sum + "; }";
    };
    CHECK(links(attributes(16), kColorFragment));
    CHECK_FALSE(links(attributes(17), kColorFragment));
    auto varyings = [](int n, bool vertex) {
        std::string declare = "precision highp float; attribute vec4 position;", write = "gl_Position = position;";
        std::string sum = "vec4(0.0)";
        if (!vertex) declare = "precision highp float;";
        for (int i = 0; i < n; ++i) {
            std::string name = "v" + std::to_string(i);
            declare += "varying vec4 " + name + ";";
            write += name + " = position;";
            sum += " + " + name;
        }
        return declare + "void main() { " + (vertex ? write : "gl_FragColor = " + sum + ";") + " }";
    };
    CHECK(links(varyings(31, true), varyings(31, false)));
    CHECK_FALSE(links(varyings(32, true), varyings(32, false)));
}
