#include "api/gles/testing/fixture.h"

#include <doctest/doctest.h>

#include "shader-core/interp/interpreter.h"

namespace tessera::gles {

void installTestExecutor() {
    setExecutorFactory([] { return interp::makeInterpreter(); });
}

Fixture::Fixture(std::shared_ptr<Context> share) {
    installTestExecutor();
    drawable = std::make_shared<Drawable>();
    drawable->width = drawable->height = kSize;
    drawable->color = std::make_shared<texture::Image>(texture::PixelFormat::Rgba8, kSize, kSize);
    drawable->depthStencil = std::make_shared<texture::Image>(texture::PixelFormat::Depth24Stencil8, kSize, kSize);
    context = createContext({.share = std::move(share)});
    makeCurrent();
}

Fixture::~Fixture() { gles::makeCurrent(nullptr, nullptr, nullptr); }

void Fixture::makeCurrent() { gles::makeCurrent(context, drawable, drawable); }

GLuint Fixture::shader(GLenum type, const char* source) {
    GLuint name = glCreateShader(type);
    glShaderSource(name, 1, &source, nullptr);
    glCompileShader(name);
    GLint status = 0;
    glGetShaderiv(name, GL_COMPILE_STATUS, &status);
    char log[1024] = "";
    glGetShaderInfoLog(name, sizeof log, nullptr, log);
    INFO(log);
    REQUIRE(status == GL_TRUE);
    return name;
}

GLuint Fixture::program(const char* vertex, const char* fragment) {
    GLuint name = glCreateProgram();
    GLuint vs = shader(GL_VERTEX_SHADER, vertex), fs = shader(GL_FRAGMENT_SHADER, fragment);
    glAttachShader(name, vs);
    glAttachShader(name, fs);
    glDeleteShader(vs);
    glDeleteShader(fs);
    glLinkProgram(name);
    GLint status = 0;
    glGetProgramiv(name, GL_LINK_STATUS, &status);
    char log[1024] = "";
    glGetProgramInfoLog(name, sizeof log, nullptr, log);
    INFO(log);
    REQUIRE(status == GL_TRUE);
    return name;
}

uint32_t Fixture::pixel(int x, int y) {
    uint32_t value = 0xDEADBEEF;
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &value);
    return value;
}

}  // namespace tessera::gles
