// Textures that are drawn and then looked up, as browsers draw pages. A first program draws stripes into a texture of
// 16x16, a second one draws them turned by a quarter into a picture of 32x32, each texel as a square of four pixels, in
// front of a background; lookups are a little beside the centres of texels, less than weights are rounded to. The
// picture is a pbuffer's or, without a surface, a texture's.
//
// Usage: drawn_textures surface|surfaceless plain|repeat|samples|copy|blit|layer [FILE]
// How the stripes come into the texture that is looked up: drawn to it; drawn to it, and looked up where
// it is repeated; drawn with samples, which are resolved; copied by glCopyTexSubImage2D; blitted upside down; drawn to
// layer 2 of an array, which is looked up mirrored. FILE gets the picture that is read back: rows of RGBA from the
// first on.
#include <EGL/egl.h>
#include <GLES3/gl3.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr GLsizei kTexture = 16, kPicture = 32;

GLuint shaderOf(GLenum kind, const char* text) {
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    return shader;
}

GLuint programOf(const char* fragment) {
    const GLuint program = glCreateProgram();
    glAttachShader(program, shaderOf(GL_VERTEX_SHADER, R"(#version 300 es
out vec2 at;
void main() {
    at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
})"));
    glAttachShader(program, shaderOf(GL_FRAGMENT_SHADER, fragment));
    glLinkProgram(program);
    return program;
}

constexpr GLsizei kLayers = 3, kLayer = 2;

/// Bound; an array where there is a target of such.
GLuint textureOf(GLsizei size, GLenum target = GL_TEXTURE_2D, GLint wrap = GL_CLAMP_TO_EDGE) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    if (target == GL_TEXTURE_2D_ARRAY)
        glTexStorage3D(target, 1, GL_RGBA8, size, size, kLayers);
    else
        glTexStorage2D(target, 1, GL_RGBA8, size, size);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) glTexParameteri(target, axis, wrap);
    return texture;
}

/// Bound; of the texture, or of a renderbuffer with samples where there is none.
GLuint framebufferOf(GLuint texture) {
    GLuint framebuffer = 0, renderbuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    if (texture != 0) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        return framebuffer;
    }
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, kTexture, kTexture);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
    return framebuffer;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) return 2;
    const std::string_view where = arguments[1], how = arguments[2];
    const bool hasSurface = where == "surface";
    const EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    constexpr EGLint kWanted[] =
        {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8,
         EGL_NONE},
                     kSize[] = {EGL_WIDTH, kPicture, EGL_HEIGHT, kPicture, EGL_NONE},
                     kVersion[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint found = 0;
    if (!eglInitialize(display, nullptr, nullptr) || !eglChooseConfig(display, kWanted, &config, 1, &found)) return 1;
    const EGLSurface surface = hasSurface ? eglCreatePbufferSurface(display, config, kSize) : EGL_NO_SURFACE;
    if (!eglMakeCurrent(display, surface, surface, eglCreateContext(display, config, EGL_NO_CONTEXT, kVersion)))
        return 1;

    const GLuint stripes = programOf(R"(#version 300 es
precision highp float;
in vec2 at;
out vec4 color;
void main() {
    float column = floor(at.x * 16.0), row = floor(at.y * 16.0);
    color = vec4(column * 10.0, row * 10.0, 255.0 - column * 10.0, 255.0) / 255.0;
})");
    const bool isLayer = how == "layer", repeats = how == "repeat";
    const std::string turnedText = isLayer ? R"(#version 300 es
precision highp float;
uniform highp sampler2DArray u_stripes;
in vec2 at;
out vec4 color;
void main() {
    vec2 place = (floor(at.yx * 16.0) + 0.5) / 16.0;
    color = texture(u_stripes, vec3(-place, 2.0));
})"
                                           : R"(#version 300 es
precision highp float;
uniform sampler2D u_stripes;
in vec2 at;
out vec4 color;
void main() {
    vec2 place = (floor(at.yx * 16.0) + 0.4999) / 16.0;
    color = texture(u_stripes, place)" + std::string(repeats ? " + 3.0" : "") +
                                                 ");\n}";
    const GLuint turned = programOf(turnedText.c_str());
    const bool isCopied = how == "copy" || how == "blit";
    const GLenum target = isLayer ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D;
    const GLuint texture = textureOf(kTexture, target,
                                     isLayer   ? GL_MIRRORED_REPEAT
                                     : repeats ? GL_REPEAT
                                               : GL_CLAMP_TO_EDGE);
    const GLuint drawn = how == "samples" ? 0 : isCopied ? textureOf(kTexture) : texture;
    framebufferOf(isLayer ? 0 : drawn);
    if (isLayer) glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, kLayer);
    glViewport(0, 0, kTexture, kTexture);
    glUseProgram(stripes);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    if (how == "copy") {
        glBindTexture(GL_TEXTURE_2D, texture);
        glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, kTexture, kTexture);
    } else if (how == "samples" || how == "blit") {
        GLuint to = 0;
        glGenFramebuffers(1, &to);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
        glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        const GLint first = how == "blit" ? kTexture : 0;
        glBlitFramebuffer(0, 0, kTexture, kTexture, 0, first, kTexture, kTexture - first, GL_COLOR_BUFFER_BIT,
                          GL_NEAREST);
    }

    if (hasSurface)
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
    else
        framebufferOf(textureOf(kPicture));
    glViewport(0, 0, kPicture, kPicture);
    glClearColor(0.25f, 0.5f, 0.75f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glBindTexture(target, texture);
    glUseProgram(turned);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    std::vector<uint8_t> picture(size_t{kPicture} * kPicture * 4);
    glReadPixels(0, 0, kPicture, kPicture, GL_RGBA, GL_UNSIGNED_BYTE, picture.data());
    if (hasSurface) eglSwapBuffers(display, surface);
    if (count > 3)
        std::ofstream(arguments[3], std::ios::binary)
            .write(reinterpret_cast<const char*>(picture.data()), static_cast<std::streamsize>(picture.size()));
    return glGetError() == GL_NO_ERROR ? 0 : 1;
}
