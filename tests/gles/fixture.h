// What every test of the GLES front end starts from: a context with a drawable in memory, and short ways to make
// programs and textures and to read pixels back. Only GL types here: the driver's own headers stay in fixture.cpp, and
// in the tests that look behind GL.
#pragma once

#include <GLES2/gl2.h>
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tessera::gles {
class Context;
struct Drawable;
}  // namespace tessera::gles

namespace tessera::gles_test {

struct ContextSettings {
    int width = 16, height = 16;
    bool surface = true;             ///< false: surfaceless
    bool depthStencil = true;        ///< 24 bits of depth, 8 of stencil
    int version = 2;                 ///< of OpenGL ES: 1 (1.1), 2 (2.0) or 3 (3.0)
    bool resetNotification = false;  ///< a shader that never ends loses the context
    const class TestContext* share = nullptr;
};
/// For drawings of which 16 x 16 pixels show too little.
inline constexpr ContextSettings kLarge{.width = 32, .height = 32};
inline constexpr ContextSettings kEs3{.version = 3};

/// A context, current on this thread from construction; none is current after destruction.
class TestContext {
public:
    explicit TestContext(const ContextSettings& settings = {});
    ~TestContext();
    TestContext(const TestContext&) = delete;
    TestContext& operator=(const TestContext&) = delete;

    void makeCurrent() const;
    static void makeNoneCurrent();
    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }
    [[nodiscard]] const std::shared_ptr<gles::Context>& context() const;
    [[nodiscard]] const std::shared_ptr<gles::Drawable>& drawable() const;  ///< null: surfaceless

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
    int width_, height_;
};

/// What executes programs: TESSERA_TIER, else the interpreter.
[[nodiscard]] std::string tierName();

using Rgba = std::array<uint8_t, 4>;

/// One pixel of the framebuffer.
[[nodiscard]] Rgba pixelAt(int x, int y);
/// The same as a word: 0xAABBGGRR.
[[nodiscard]] uint32_t packedPixelAt(int x, int y);
/// A rectangle, row 0 first, tightly packed RGBA.
[[nodiscard]] std::vector<Rgba> readRect(int x, int y, int width, int height);
/// Waits for what all contexts have submitted: the next test's begins while the last one's is still being drawn.
void finishAllContexts();
/// Fragments drawn by all contexts so far, finished draws only.
[[nodiscard]] uint64_t drawnFragments();
/// True when every channel differs by at most `tolerance`.
[[nodiscard]] bool near(const Rgba& a, const Rgba& b, int tolerance);

[[nodiscard]] GLint getInt(GLenum pname);

/// Compiles and links with "position" at location 0, deletes the shaders, which stay attached; 0 on failure, with the
/// logs in the test's output.
[[nodiscard]] GLuint makeProgram(const std::string& vertex, const std::string& fragment);
[[nodiscard]] GLuint makeShader(GLenum type, const std::string& source);
/// Whether it compiles; nothing is said where it does not.
[[nodiscard]] bool compiles(GLenum type, const std::string& source);
/// A program made of another one's binary (OpenGL ES 3.0).
[[nodiscard]] GLuint reloaded(GLuint program);

/// attribute vec4 position, passed through.
extern const char* const kPassVertex;
/// uniform vec4 color, written.
extern const char* const kColorFragment;

/// Two triangles over the whole viewport, as a strip.
inline constexpr GLfloat kQuad[] = {-1, -1, 1, -1, -1, 1, 1, 1};
/// The same at depth z, drawn; the program's "position" must be at location 0.
void drawQuad(float z = 0);
/// makeProgram and the program in use.
GLuint useProgram(const std::string& vertex, const std::string& fragment);

/// A framebuffer object with a texture (RGBA) or renderbuffer as colour buffer, bound; deleted at the end.
class ColorTarget {
public:
    ColorTarget(GLenum internalformat, int width, int height, GLenum depthFormat = GL_NONE);
    ~ColorTarget();
    ColorTarget(const ColorTarget&) = delete;
    ColorTarget& operator=(const ColorTarget&) = delete;
    GLuint framebuffer = 0, renderbuffer = 0, depthRenderbuffer = 0;
};

}  // namespace tessera::gles_test

/// Pixels in messages.
template <>
struct doctest::StringMaker<tessera::gles_test::Rgba> {
    static String convert(const tessera::gles_test::Rgba& pixel) {
        std::string text = "(";
        for (int channel : pixel) text += " " + std::to_string(channel);
        return (text + " )").c_str();
    }
};
