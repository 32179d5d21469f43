#include "bench/gl.h"

#include <EGL/eglext.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

namespace bench {

namespace {

EGLDisplay openDisplay() {
    auto getPlatformDisplay =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    EGLDisplay display = EGL_NO_DISPLAY;
    if (getPlatformDisplay != nullptr)
        display = getPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr) == EGL_TRUE) return display;
    display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    return eglInitialize(display, nullptr, nullptr) == EGL_TRUE ? display : EGL_NO_DISPLAY;
}

/// The first configuration with exactly this number of samples (eglChooseConfig sorts the smaller numbers first).
bool chooseConfig(EGLDisplay display, int multisamples, int version, EGLConfig* config) {
    const EGLint attributes[] = {EGL_SURFACE_TYPE,
                                 EGL_PBUFFER_BIT,
                                 EGL_RENDERABLE_TYPE,
                                 version == 2 ? EGL_OPENGL_ES2_BIT : EGL_OPENGL_ES3_BIT_KHR,
                                 EGL_RED_SIZE,
                                 8,
                                 EGL_GREEN_SIZE,
                                 8,
                                 EGL_BLUE_SIZE,
                                 8,
                                 EGL_ALPHA_SIZE,
                                 8,
                                 EGL_DEPTH_SIZE,
                                 24,
                                 EGL_STENCIL_SIZE,
                                 8,
                                 EGL_SAMPLE_BUFFERS,
                                 multisamples > 0 ? 1 : 0,
                                 EGL_SAMPLES,
                                 multisamples,
                                 EGL_NONE};
    EGLint count = 0, samples = 0;
    if (eglChooseConfig(display, attributes, config, 1, &count) != EGL_TRUE || count == 0) return false;
    eglGetConfigAttrib(display, *config, EGL_SAMPLES, &samples);
    return samples == multisamples;
}

GLuint compile(GLenum type, const std::string& source) {
    GLuint shader = glCreateShader(type);
    const char* text = source.c_str();
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    GLint ok = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok != 0) return shader;
    char log[4096] = "";
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    std::fprintf(stderr, "bench: shader does not compile:\n%s\n%s\n", text, log);
    std::exit(1);
}

}  // namespace

std::unique_ptr<Context> Context::open(Size size, int multisamples, std::string* error, int version) {
    auto fail = [&](const char* why) {
        *error = why;
        return nullptr;
    };
    std::unique_ptr<Context> context(new Context);
    context->display_ = openDisplay();
    if (context->display_ == EGL_NO_DISPLAY) return fail("no headless EGL display");
    eglBindAPI(EGL_OPENGL_ES_API);
    EGLConfig config = nullptr;
    if (!chooseConfig(context->display_, multisamples, version, &config)) return fail("no such EGL configuration");
    const EGLint contextAttributes[] = {EGL_CONTEXT_CLIENT_VERSION, version, EGL_NONE};
    const EGLint surfaceAttributes[] = {EGL_WIDTH, size.width, EGL_HEIGHT, size.height, EGL_NONE};
    context->context_ = eglCreateContext(context->display_, config, EGL_NO_CONTEXT, contextAttributes);
    if (context->context_ == EGL_NO_CONTEXT)
        return fail(version == 2 ? "no OpenGL ES 2.0 context" : "no OpenGL ES 3.0 context");
    context->surface_ = eglCreatePbufferSurface(context->display_, config, surfaceAttributes);
    if (context->surface_ == EGL_NO_SURFACE) return fail("no pbuffer of this size");
    if (eglMakeCurrent(context->display_, context->surface_, context->surface_, context->context_) != EGL_TRUE)
        return fail("the pbuffer cannot be made current");
    glViewport(0, 0, size.width, size.height);
    glDisable(GL_DITHER);
    return context;
}

Context::~Context() {
    if (display_ == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (surface_ != EGL_NO_SURFACE) eglDestroySurface(display_, surface_);
    if (context_ != EGL_NO_CONTEXT) eglDestroyContext(display_, context_);
    eglTerminate(display_);
}

GLuint makeProgram(const std::string& vertexSource, const std::string& fragmentSource,
                   std::initializer_list<const char*> attributes) {
    GLuint program = glCreateProgram();
    for (GLuint shader : {compile(GL_VERTEX_SHADER, vertexSource), compile(GL_FRAGMENT_SHADER, fragmentSource)}) {
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    GLuint location = 0;
    for (const char* name : attributes) glBindAttribLocation(program, location++, name);
    glLinkProgram(program);
    GLint ok = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (ok == 0) {
        char log[4096] = "";
        glGetProgramInfoLog(program, sizeof log, nullptr, log);
        std::fprintf(stderr, "bench: program does not link:\n%s\n", log);
        std::exit(1);
    }
    glUseProgram(program);
    return program;
}

GLint uniform(GLuint program, const char* name) { return glGetUniformLocation(program, name); }

void floatAttribute(GLuint index, GLint components, size_t stride, size_t offset) {
    glEnableVertexAttribArray(index);
    glVertexAttribPointer(index, components, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride),
                          reinterpret_cast<const void*>(offset));
}

Color waves(double u, double v) {
    constexpr double kTurn = 2 * std::numbers::pi;
    return {0.5 + 0.4 * std::sin(kTurn * u), 0.5 + 0.4 * std::cos(kTurn * v), 0.5 + 0.4 * std::sin(kTurn * (u + v))};
}

std::vector<unsigned char> wavesImage(int side, double shift) {
    std::vector<unsigned char> texels;
    texels.reserve(static_cast<size_t>(side) * side * 4);
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            for (double channel : waves((x + 0.5) / side + shift, (y + 0.5) / side))
                texels.push_back(static_cast<unsigned char>(std::lround(channel * 255)));
            texels.push_back(255);
        }
    return texels;
}

GLuint makeTexture(int side, GLenum minFilter, GLenum magFilter) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, side, side, 0, GL_RGBA, GL_UNSIGNED_BYTE, wavesImage(side).data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, static_cast<GLint>(minFilter));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, static_cast<GLint>(magFilter));
    if (minFilter != GL_NEAREST && minFilter != GL_LINEAR) glGenerateMipmap(GL_TEXTURE_2D);
    return texture;
}

std::array<unsigned char, 4> readPixel(int x, int y) {
    std::array<unsigned char, 4> pixel{};
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel.data());
    return pixel;
}

std::string checkPixels(std::span<const ExpectedPixel> pixels) {
    if (pixels.empty()) return "no pixel to check";
    for (const ExpectedPixel& expected : pixels) {
        std::array<unsigned char, 4> actual = readPixel(expected.x, expected.y);
        for (size_t channel = 0; channel < 3; ++channel) {
            double want = expected.color[channel] * 255;
            if (std::abs(actual[channel] - want) <= expected.tolerance) continue;
            char text[160];
            std::snprintf(text, sizeof text, "pixel (%d, %d) is %d %d %d, expected %.1f %.1f %.1f within %d",
                          expected.x, expected.y, actual[0], actual[1], actual[2], expected.color[0] * 255,
                          expected.color[1] * 255, expected.color[2] * 255, expected.tolerance);
            return text;
        }
    }
    GLenum error = glGetError();
    return error == GL_NO_ERROR ? "" : "GL error " + std::to_string(error);
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace bench
