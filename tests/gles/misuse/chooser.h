// What the tests of random calls have in common: where arguments come from, the client memory that they point to, and
// the errors that GL knows.
#pragma once

#include <GLES2/gl2.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

namespace tessera::gles_test {

class Chooser {
public:
    explicit Chooser(unsigned seed) : random_(seed) {}
    template <class T, size_t n>
    T of(const T (&values)[n]) {
        return values[random_() % n];
    }
    GLuint name() { return static_cast<GLuint>(random_() % 6); }
    /// Small: `memory` has what calls of such sizes read.
    GLint size() { return static_cast<GLint>(random_() % 9) - 1; }
    GLint number() { return of<GLint, 9>({0, 1, 2, 4, 12, 100, -1, INT32_MAX, INT32_MIN}); }
    unsigned operator()() { return static_cast<unsigned>(random_()); }

private:
    std::mt19937 random_;
};

/// Client memory for everything that the calls read.
inline std::array<std::byte, 1 << 16> memory;

[[nodiscard]] inline bool isError(GLenum code) {
    return code == GL_NO_ERROR || (code >= GL_INVALID_ENUM && code <= GL_INVALID_OPERATION) ||
           code == GL_OUT_OF_MEMORY || code == GL_INVALID_FRAMEBUFFER_OPERATION;
}

}  // namespace tessera::gles_test
