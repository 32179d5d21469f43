#include "tests/egl/fixture.h"

#include <cstring>
#include <string>
#include <utility>

namespace egltest {

bool contains(const char* extensions, const char* name) {
    return extensions != nullptr &&
           (" " + std::string(extensions) + " ").find(" " + std::string(name) + " ") != std::string::npos;
}

DisplayFixture::DisplayFixture(EGLDisplay from) : display(from) {
    if (display == EGL_NO_DISPLAY) display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    eglInitialize(display, nullptr, nullptr);
    eglBindAPI(EGL_OPENGL_ES_API);
}

DisplayFixture::~DisplayFixture() {
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglTerminate(display);
    eglReleaseThread();
}

EGLConfig DisplayFixture::config(EGLint surfaceType, EGLint alpha) const {
    const EGLint wanted[] = {EGL_SURFACE_TYPE, surfaceType, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT,
                             EGL_RED_SIZE,     8,           EGL_GREEN_SIZE,      8,
                             EGL_BLUE_SIZE,    8,           EGL_ALPHA_SIZE,      alpha,
                             EGL_DEPTH_SIZE,   24,          EGL_STENCIL_SIZE,    8,
                             EGL_NONE};
    std::vector<EGLConfig> found(64);
    EGLint count = 0;
    eglChooseConfig(display, wanted, found.data(), static_cast<EGLint>(found.size()), &count);
    for (EGLint i = 0; i < count; ++i)
        if (attribute(found[static_cast<size_t>(i)], EGL_ALPHA_SIZE) == alpha) return found[static_cast<size_t>(i)];
    return nullptr;
}

EGLConfig DisplayFixture::choose(std::vector<EGLint> attributes) const {
    attributes.insert(attributes.end(), {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_NONE});
    EGLConfig found = nullptr;
    EGLint count = 0;
    eglChooseConfig(display, attributes.data(), &found, 1, &count);
    return count == 1 ? found : nullptr;
}

EGLContext DisplayFixture::context(EGLContext share) const {
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    return eglCreateContext(display, config(), share, version);
}

EGLSurface DisplayFixture::pbuffer(int width, int height) const {
    const EGLint size[] = {EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE};
    return eglCreatePbufferSurface(display, config(), size);
}

EGLint DisplayFixture::attribute(EGLConfig config, EGLint name) const {
    EGLint value = -1;
    eglGetConfigAttrib(display, config, name, &value);
    return value;
}

Color pixelAt(int x, int y) {
    unsigned char bytes[4] = {};
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
    return {bytes[0], bytes[1], bytes[2], bytes[3]};
}

GLuint program(const char* vertex, const char* fragment) {
    GLuint made = glCreateProgram();
    for (auto [type, source] : {std::pair(GL_VERTEX_SHADER, vertex), std::pair(GL_FRAGMENT_SHADER, fragment)}) {
        GLuint shader = glCreateShader(static_cast<GLenum>(type));
        glShaderSource(shader, 1, &source, nullptr);
        glCompileShader(shader);
        glAttachShader(made, shader);
        glDeleteShader(shader);
    }
    glBindAttribLocation(made, 0, "position");
    glBindAttribLocation(made, 1, "shade");
    glLinkProgram(made);
    return made;
}

GLuint plainProgram() {
    return program("attribute vec4 position; void main() { gl_Position = position; }",
                   "uniform lowp vec4 color; void main() { gl_FragColor = color; }");
}

void clearTo(float red, float green, float blue, float alpha) {
    glClearColor(red, green, blue, alpha);
    glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace egltest
