// What the tests of this room share: a context with an in-memory drawable, no EGL.
#pragma once

#include <array>
#include <string>

#include "api/gles/driver.h"
#include "api/gles/gles.h"

namespace tessera::gles {

/// The tier that tests run on; see fixture.cpp.
void installTestExecutor();

class Fixture {
public:
    static constexpr int kSize = 32;

    explicit Fixture(std::shared_ptr<Context> share = nullptr);
    ~Fixture();

    void makeCurrent();
    /// A linked program; fails the test with the info logs otherwise.
    static GLuint program(const char* vertex, const char* fragment);
    static GLuint shader(GLenum type, const char* source);
    /// The pixel as glReadPixels gives it, 0xAABBGGRR.
    static uint32_t pixel(int x, int y);

    std::shared_ptr<Drawable> drawable;
    std::shared_ptr<Context> context;
};

inline GLint getInt(GLenum pname) {
    GLint value = -12345;
    glGetIntegerv(pname, &value);
    return value;
}

inline constexpr const char* kPlainVertex = R"(
attribute vec4 position;
void main() { gl_Position = position; }
)";
inline constexpr const char* kPlainFragment = R"(
precision mediump float;
uniform vec4 color;
void main() { gl_FragColor = color; }
)";
/// Two triangles over the whole viewport, as a strip.
inline constexpr GLfloat kQuad[] = {-1, -1, 1, -1, -1, 1, 1, 1};

}  // namespace tessera::gles
