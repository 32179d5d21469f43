// Programs that show a texture, for the tests of textures.
#pragma once

#include <string>
#include <vector>

#include "tests/gles/fixture.h"

namespace tessera::gles_test {

/// A program whose colour is `lookup`: a GLSL expression of sampler2D `image` and vec2 `at`, 0..1 over the viewport,
/// and of what is declared besides.
inline GLuint useTextureProgram(const std::string& lookup = "texture2D(image, at)", const std::string& declared = "") {
    return useProgram(
        "attribute vec4 position; varying highp vec2 at; void main() { at = position.xy * 0.5 + 0.5; gl_Position = "
        "position; }",
        "precision highp float; uniform sampler2D image; varying highp vec2 at; " + declared +
            " void main() { gl_FragColor = " + lookup + "; }");
}

/// The program over the lower left width x height pixels, as they then are: row 0 first, 0xAABBGGRR.
inline std::vector<uint32_t> drawnPixels(int width, int height) {
    glViewport(0, 0, width, height);
    drawQuad();
    std::vector<uint32_t> pixels(static_cast<size_t>(width) * static_cast<size_t>(height));
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    return pixels;
}

/// A texture, clamped; bound. Without another filter for less than a texel to a pixel: nearest, and no mipmaps.
inline GLuint bindNewTexture(GLenum target, GLenum minFilter = GL_NEAREST) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, static_cast<GLint>(minFilter));
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, minFilter == GL_LINEAR ? GL_LINEAR : GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

}  // namespace tessera::gles_test
