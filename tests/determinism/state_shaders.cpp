#include "tests/determinism/state_shaders.h"

namespace determinism {

namespace {

constexpr const char* kVertex = R"(
IN vec4 a_position; IN vec4 a_color; IN vec2 a_place;
OUT vec4 v_color; OUT vec2 v_place;
void main() { gl_Position = a_position; v_color = a_color; v_place = a_place; gl_PointSize = 5.0; }
)";

/// Bodies that set `color`, by kind.
constexpr const char* kBodies[kStatePrograms] = {
    "color = u_color;",
    "color = v_color;",
    "color = LOOKUP(u_image, v_place);",
    "color = LOOKUP(u_image, v_place) * v_color;",
    "color = LOOKUP(u_image, v_place); if (color.r < 0.5) discard; color = u_color;",
    "color = mod(floor(gl_FragCoord.x) + floor(gl_FragCoord.y), 2.0) < 0.5 ? u_color : v_color;",
    "color = gl_FrontFacing ? v_color : u_color;",
    "color = fract(v_color * 1.7 + v_place.xyxy * 0.37 + u_color);",
    // Lanes that leave the loop together with those that are seen have another sum.
    "float sum = 0.0;"
    "for (int i = 0; i < 100; ++i) {"
    "  if (float(i) > 12.0 * fract(v_place.x * 7.3 + v_place.y * 3.1)) break;"
    "  sum += v_place.y + 0.1 * float(i);"
    "}"
    "color = fract(vec4(dFdx(sum), dFdy(sum), sum, 1.0) + v_color);",
    "float sum = 0.0;"
    // Some rectangles of a draw may take as long as they want.
    "for (int i = 0; i < 30000; ++i) {"
    "  if (i >= (v_color.r > 0.5 ? u_count : 5)) break;"
    "  sum = fract(sum + v_place.x + 0.31);"
    "}"
    "color = vec4(sum, v_color.gba);",
    "color = v_color; DEPTH = 0.25 + 0.5 * fract(v_place.x * 2.3);",
};

std::string fragmentText(StateProgram kind, bool isEs3) {
    std::string text = isEs3 ? "#version 300 es\n" : "";
    if (!isEs3 && kind == StateProgram::Slopes) text += "#extension GL_OES_standard_derivatives : require\n";
    if (!isEs3 && kind == StateProgram::Depth) text += "#extension GL_EXT_frag_depth : require\n";
    text += isEs3 ? "#define IN in\n#define LOOKUP texture\n#define DEPTH gl_FragDepth\n"
                  : "#define IN varying\n#define LOOKUP texture2D\n#define DEPTH gl_FragDepthEXT\n";
    text +=
        "precision highp float;\nIN vec4 v_color; IN vec2 v_place;\n"
        "uniform vec4 u_color; uniform sampler2D u_image; uniform int u_count;\n";
    if (isEs3)
        text +=
            "layout(location = 0) out vec4 o_0; layout(location = 1) out vec4 o_1;\n"
            "layout(location = 2) out vec4 o_2;\n";
    text += "void main() {\n vec4 color;\n " + std::string(kBodies[static_cast<int>(kind)]) + "\n";
    text += isEs3 ? " o_0 = color; o_1 = color.gbra; o_2 = color.brga;\n}\n" : " gl_FragColor = color;\n}\n";
    return text;
}

std::string vertexText(bool isEs3) {
    return (isEs3 ? "#version 300 es\n#define IN in\n#define OUT out\n"
                  : "#define IN attribute\n#define OUT varying\n") +
           std::string(kVertex);
}

}  // namespace

GLuint linkStateProgram(StateProgram kind, bool isEs3, std::string& texts, std::string& errors) {
    const GLuint program = glCreateProgram();
    const std::string text[] = {vertexText(isEs3), fragmentText(kind, isEs3)};
    texts += text[1] + "---\n";
    for (int i = 0; i < 2; ++i) {
        const GLuint shader = glCreateShader(i == 0 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
        const char* source = text[i].c_str();
        glShaderSource(shader, 1, &source, nullptr);
        glCompileShader(shader);
        char log[2048] = "";
        GLint good = 0;
        glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
        if (good == 0) glGetShaderInfoLog(shader, sizeof log, nullptr, log);
        errors += log;
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    constexpr const char* kAttributes[] = {"a_position", "a_color", "a_place"};
    for (GLuint i = 0; i < 3; ++i) glBindAttribLocation(program, i, kAttributes[i]);
    glLinkProgram(program);
    GLint good = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    char log[2048] = "";
    if (good == 0) glGetProgramInfoLog(program, sizeof log, nullptr, log);
    errors += log;
    return program;
}

}  // namespace determinism
