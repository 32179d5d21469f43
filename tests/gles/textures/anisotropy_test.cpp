// EXT_texture_filter_anisotropic: the parameter, and that a steeply seen texture keeps its detail across the view.
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include <limits>

#include "tests/gles/texturing.h"

using namespace tessera::gles_test;

namespace {

GLfloat parameter() {
    GLfloat value = -1;
    glGetTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, &value);
    return value;
}

}  // namespace

TEST_CASE("the degree of anisotropy: limit, default, values, errors") {
    TestContext context;
    GLfloat limit = 0;
    glGetFloatv(GL_MAX_TEXTURE_MAX_ANISOTROPY_EXT, &limit);
    CHECK(limit == 16);
    CHECK(parameter() == 1);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, 2.5f);
    CHECK(parameter() == 2.5f);
    GLint rounded = 0;
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, &rounded);
    CHECK((rounded == 2 || rounded == 3));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, 4);
    CHECK(parameter() == 4);
    const GLfloat large = 1000;
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, &large);
    CHECK(glGetError() == GL_NO_ERROR);
    const GLint three = 3;
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, &three);
    CHECK(parameter() == 3);
    for (GLfloat bad : {0.99f, 0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN()}) {
        glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, bad);
        CHECK(glGetError() == GL_INVALID_VALUE);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, 0);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glTexParameteri(GL_RENDERBUFFER, GL_TEXTURE_MAX_ANISOTROPY_EXT, 2);
    CHECK(glGetError() == GL_INVALID_ENUM);
    CHECK(parameter() == 3);
}

// Columns of one texel, black and white, seen so that a pixel covers one texel across and eight along: isotropic
// filtering takes level 3, which is grey; anisotropic filtering keeps the columns.
TEST_CASE("anisotropy keeps detail across the direction of view") {
    TestContext context({64, 64});
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    std::vector<Rgba> pixels(64 * 64);
    for (size_t i = 0; i < pixels.size(); ++i) {
        const uint8_t value = i % 2 == 0 ? 0 : 255;
        pixels[i] = {value, value, value, 255};
    }
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    useProgram(
        "attribute vec4 position; varying vec2 at; void main() { gl_Position = position;"
        " at = (position.xy * 0.5 + 0.5) * vec2(1.0, 8.0); }",
        "precision mediump float; uniform sampler2D image; varying vec2 at;"
        " void main() { gl_FragColor = texture2D(image, at); }");
    auto contrast = [] {
        drawQuad();
        return std::abs(pixelAt(21, 30)[0] - pixelAt(22, 30)[0]);
    };
    CHECK(contrast() <= 1);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, 4);  // level 1 is grey already
    CHECK(contrast() <= 1);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, 16);
    CHECK(contrast() >= 254);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    CHECK(contrast() <= 1);
    CHECK(glGetError() == GL_NO_ERROR);
}
