// Small helpers over GLES and EGL: a headless context, programs, buffers, textures, one pixel read back.
#pragma once

#include <EGL/egl.h>
#include <GLES2/gl2.h>

#include <array>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/row.h"

namespace bench {

/// A current context of OpenGL ES on a pbuffer of EGL's surfaceless platform (of the default display where the driver
/// has no such platform): RGBA8, depth 24, stencil 8.
class Context {
public:
    /// Null with a reason when the driver cannot.
    [[nodiscard]] static std::unique_ptr<Context> open(Size size, int multisamples, std::string* error,
                                                       int version = 2);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

private:
    Context() = default;
    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLSurface surface_ = EGL_NO_SURFACE;
    EGLContext context_ = EGL_NO_CONTEXT;
};

/// Every fragment has the colour u_color.
inline constexpr const char* kUniformColorFragment = R"(
precision mediump float;
uniform vec4 u_color;
void main() { gl_FragColor = u_color; }
)";

/// Compiles, links and makes current, with attribute i of the list at location i. On failure prints the info log and
/// ends the process with status 1.
[[nodiscard]] GLuint makeProgram(const std::string& vertexSource, const std::string& fragmentSource,
                                 std::initializer_list<const char*> attributes);

[[nodiscard]] GLint uniform(GLuint program, const char* name);

template <class Element>
GLuint makeBuffer(GLenum target, const std::vector<Element>& elements, GLenum usage = GL_STATIC_DRAW) {
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, static_cast<GLsizeiptr>(elements.size() * sizeof(Element)), elements.data(), usage);
    return buffer;
}

/// Enables float attribute `index`; `offset` is a byte offset in the bound buffer.
void floatAttribute(GLuint index, GLint components, size_t stride, size_t offset);

/// The picture of every texture here: smooth and periodic in u and v, so that each filter at each level must give
/// nearly the function itself.
[[nodiscard]] Color waves(double u, double v);

/// `side` x `side` RGBA8 texels of waves(), shifted in u by `shift`.
[[nodiscard]] std::vector<unsigned char> wavesImage(int side, double shift = 0);

/// A 2D texture of waves(), repeating, with mip levels when the minification filter uses them.
[[nodiscard]] GLuint makeTexture(int side, GLenum minFilter, GLenum magFilter);

/// Waits for the GPU by reading a pixel.
std::array<unsigned char, 4> readPixel(int x, int y);

/// Empty when all pixels are as expected, else what is wrong with the first that is not.
[[nodiscard]] std::string checkPixels(std::span<const ExpectedPixel> pixels);

/// Seconds of the monotonic clock, which all processes share.
[[nodiscard]] double now();

}  // namespace bench
