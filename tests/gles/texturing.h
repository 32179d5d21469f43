// Programs that show a texture, for the tests of textures.
#pragma once

#include <string>

#include "tests/gles/fixture.h"

namespace tessera::gles_test {

/// A program whose colour is `lookup`: a GLSL expression of sampler2D `image` and vec2 `at`, 0..1 over the viewport.
inline GLuint useTextureProgram(const std::string& lookup = "texture2D(image, at)") {
    return useProgram(
        "attribute vec4 position; varying highp vec2 at; void main() { at = position.xy * 0.5 + 0.5; gl_Position = "
        "position; }",
        "precision highp float; uniform sampler2D image; varying highp vec2 at; void main() { gl_FragColor = " +
            lookup + "; }");
}

/// A texture without mipmaps, nearest filter, clamped; bound.
inline GLuint bindNewTexture(GLenum target) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

}  // namespace tessera::gles_test
