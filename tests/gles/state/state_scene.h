// A scene of some pixels that shows most states: fronts and backs that overlap in depth, textures larger and smaller
// than their texels, lines, points, a restarted strip, instances, and an image that each drawing uploads anew.
#pragma once

#include <GLES2/gl2.h>

#include <vector>

#include "tests/gles/fixture.h"
#include "tests/gles/state/state_walk.h"

namespace tessera::gles_test {

class StateScene final : public StateView {
public:
    /// Makes program and textures and binds them; for the current context.
    explicit StateScene(int version);

    /// The program, where another has been used since.
    void use() const override { glUseProgram(program_); }
    void clear() const override { glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT); }
    void draw(Half half) const override;
    [[nodiscard]] Picture read() const override;

private:
    int version_;
    GLuint program_ = 0, texture_ = 0, layers_ = 0, shadow_ = 0;
    GLint place_ = -1, look_ = -1, tint_ = -1;
    std::vector<GLfloat> vertices_;
};

}  // namespace tessera::gles_test
