#include "tests/goldens/scenes/scene.h"

#include <EGL/eglext.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <stb/stb_image_write.h>

namespace scenes {

namespace {

[[noreturn]] void fail(const char* what, const char* detail = "") {
    std::fprintf(stderr, "%s %s\n", what, detail);
    std::exit(1);
}

void openContext(int version) {
    auto getDisplay = procedure<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
    EGLDisplay display = getDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    if (eglInitialize(display, nullptr, nullptr) != EGL_TRUE) fail("no display");
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                             version == 3 ? EGL_OPENGL_ES3_BIT_KHR : EGL_OPENGL_ES2_BIT, EGL_NONE};
    const EGLint asked[] = {EGL_CONTEXT_CLIENT_VERSION, version, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    eglBindAPI(EGL_OPENGL_ES_API);
    if (eglChooseConfig(display, wanted, &config, 1, &count) != EGL_TRUE || count == 0) fail("no configuration");
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, asked);
    if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) != EGL_TRUE) fail("no surfaceless context");
}

void writePicture(const char* path, int width, int height) {
    std::vector<unsigned char> pixels(static_cast<size_t>(width) * static_cast<size_t>(height) * 4);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    for (size_t i = 3; i < pixels.size(); i += 4) pixels[i] = 255;
    stbi_flip_vertically_on_write(1);
    if (stbi_write_png(path, width, height, 4, pixels.data(), width * 4) == 0) fail("cannot write", path);
}

GLuint compile(GLenum type, const std::string& source) {
    const GLuint shader = glCreateShader(type);
    const char* text = source.c_str();
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    GLint good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    char log[1000] = "";
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    if (good == 0) fail(text, log);
    return shader;
}

}  // namespace

int run(int argc, char** argv, int width, int height, void (*draw)(), int version) {
    if (argc != 3 || std::strcmp(argv[1], "--out") != 0) fail("usage: --out FILE");
    openContext(version);
    draw();
    writePicture(argv[2], width, height);
    if (const GLenum error = glGetError(); error != GL_NO_ERROR) fail("GL error", std::to_string(error).c_str());
    std::printf("%s\n", reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
    return 0;
}

void (*procedureAddress(const char* name))() {
    void (*address)() = eglGetProcAddress(name);
    if (address == nullptr) fail("no function", name);
    return address;
}

bool hasExtension(const char* name) {
    const std::string all = std::string(" ") + reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS)) + " ";
    return all.find(std::string(" ") + name + " ") != std::string::npos;
}

GLuint useProgram(const std::string& vertex, const std::string& fragment,
                  std::initializer_list<const char*> attributes) {
    const GLuint program = glCreateProgram();
    glAttachShader(program, compile(GL_VERTEX_SHADER, vertex));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, fragment));
    GLuint location = 0;
    for (const char* name : attributes) glBindAttribLocation(program, location++, name);
    glLinkProgram(program);
    GLint good = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    char log[1000] = "";
    glGetProgramInfoLog(program, sizeof log, nullptr, log);
    if (good == 0) fail("link:", log);
    glUseProgram(program);
    return program;
}

GLint uniform(const char* name) {
    GLint program = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    return glGetUniformLocation(static_cast<GLuint>(program), name);
}

Direction direction(double turns) {
    const double angle = (turns - static_cast<int>(turns)) * 6.283185307179586;
    double sums[2] = {}, term = 1;  // Taylor's series, two signs at a time
    for (int i = 0; i < 40; ++i) {
        sums[i % 2] += i % 4 < 2 ? term : -term;
        term *= angle / (i + 1);
    }
    return {static_cast<float>(sums[0]), static_cast<float>(sums[1])};
}

const char* const kQuadVertex = R"(
attribute vec4 position;
varying highp vec2 at;
void main() { gl_Position = position; at = position.xy * 0.5 + 0.5; }
)";

void drawQuad() {
    static const GLfloat kCorners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    for (GLuint i = 1; i < 4; ++i) glDisableVertexAttribArray(i);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kCorners);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

GLuint newTexture(GLenum target) {
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(target, name);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return name;
}

void boardImage(GLenum target, int size, int cells, unsigned a, unsigned b, GLenum internal, GLenum format) {
    std::vector<unsigned> pixels;
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) pixels.push_back((x * cells / size + y * cells / size) % 2 == 0 ? a : b);
    glTexImage2D(target, 0, static_cast<GLint>(internal), size, size, 0, format, GL_UNSIGNED_BYTE, pixels.data());
}

}  // namespace scenes
