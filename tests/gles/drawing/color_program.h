// A program of one colour, and clears to one, for tests of what is done to fragments.
#pragma once

#include <array>

#include "tests/gles/fixture.h"

namespace tessera::gles_test {

using Color = std::array<double, 4>;

struct ColorProgram {
    GLuint name = useProgram(kPassVertex, kColorFragment);
    GLint color = glGetUniformLocation(name, "color");
    void set(double r, double g, double b, double a) const {
        glUniform4f(color, static_cast<GLfloat>(r), static_cast<GLfloat>(g), static_cast<GLfloat>(b),
                    static_cast<GLfloat>(a));
    }
};

inline void clearTo(const Color& color) {
    glClearColor(static_cast<GLfloat>(color[0]), static_cast<GLfloat>(color[1]), static_cast<GLfloat>(color[2]),
                 static_cast<GLfloat>(color[3]));
    glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace tessera::gles_test
