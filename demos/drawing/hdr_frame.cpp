#include "demos/drawing/hdr_frame.h"

#include <EGL/egl.h>
#include <GLES2/gl2ext.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "demos/drawing/mesh.h"
#include "demos/drawing/shader_file.h"
#include "demos/host/harness.h"

namespace demos {

namespace {

constexpr GLsizei kSamples = 4;

// OpenGL ES 3.0's names; its functions are the way to samples on drivers without the extension of 2.0.
constexpr GLenum kReadFramebuffer = 0x8CA8, kDrawFramebuffer = 0x8CA9, kRgba16F = 0x881A;
using RenderbufferStorage = void (*)(GLenum, GLsizei, GLenum, GLsizei, GLsizei);
using BlitFramebuffer = void (*)(GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLbitfield, GLenum);

template <class Function>
Function procedure(const char* name) {
    return reinterpret_cast<Function>(eglGetProcAddress(name));
}

bool hasExtension(const char* name) {
    std::string all = std::string(" ") + reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS)) + " ";
    return all.find(std::string(" ") + name + " ") != std::string::npos;
}

/// What follows a fragment shader whose main() is called scene(): what scene() found is shown. The roots are within
/// 0.002 of the sRGB curve.
constexpr const char* kToneMapping = R"(
#undef main
vec3 filmic(vec3 x) {
    return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}
void main() {
    scene();
    vec3 color = filmic(gl_FragColor.rgb * kExposure), root = sqrt(color), fourth = sqrt(root);
    gl_FragColor = vec4(max(0.585122 * root + 0.783140 * fourth - 0.368263 * sqrt(fourth), 0.0), 1.0);
}
)";

bool isVersion3() {
    return std::strncmp(reinterpret_cast<const char*>(glGetString(GL_VERSION)), "OpenGL ES 3", 11) == 0;
}

}  // namespace

GLenum linearLightType() {
    bool has = hasExtension("GL_OES_texture_half_float_linear") && hasExtension("GL_EXT_color_buffer_half_float");
    return has ? GL_HALF_FLOAT_OES : GL_UNSIGNED_BYTE;
}

HdrFrame::HdrFrame(bool plain, float exposure) : plain_(plain), exposure_(exposure) {
    if (!plain_) return;
    program_ = demos::loadProgram("screen_quad.vert", "tone_mapping.frag", {"a_position"});
    if (hasExtension("GL_EXT_multisampled_render_to_texture"))
        samples_ = Samples::Implicit;
    else if (isVersion3() && linearLightType() == GL_HALF_FLOAT_OES)
        samples_ = Samples::Blit;
    glGenTextures(1, &texture_);
    glGenRenderbuffers(1, &depth_);
    glGenRenderbuffers(1, &color_);
    glGenFramebuffers(1, &framebuffer_);
    glGenFramebuffers(1, &resolved_);
}

GLuint HdrFrame::loadProgram(const char* vertexFile, const char* fragmentFile,
                             std::initializer_list<const char*> attributes) const {
    if (plain_) return demos::loadProgram(vertexFile, fragmentFile, attributes);
    const std::string text = "#define LESS_WORK\n#define main scene\n" + readShader(fragmentFile) +
                             "const float kExposure = " + std::to_string(exposure_) + ";" + kToneMapping;
    return buildProgram(readShader(vertexFile).c_str(), text.c_str(), attributes);
}

HdrFrame::~HdrFrame() {
    glDeleteFramebuffers(1, &resolved_);
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(1, &color_);
    glDeleteRenderbuffers(1, &depth_);
    glDeleteTextures(1, &texture_);
    glDeleteProgram(program_);
}

void HdrFrame::allocate() {
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width_, height_, 0, GL_RGBA, linearLightType(), nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    auto storage = samples_ == Samples::One ? nullptr
                                            : procedure<RenderbufferStorage>(samples_ == Samples::Implicit
                                                                                 ? "glRenderbufferStorageMultisampleEXT"
                                                                                 : "glRenderbufferStorageMultisample");
    glBindRenderbuffer(GL_RENDERBUFFER, depth_);
    if (storage == nullptr)
        glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24_OES, width_, height_);
    else
        storage(GL_RENDERBUFFER, kSamples, GL_DEPTH_COMPONENT24_OES, width_, height_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_);
    if (samples_ == Samples::Implicit) {
        procedure<PFNGLFRAMEBUFFERTEXTURE2DMULTISAMPLEEXTPROC>("glFramebufferTexture2DMultisampleEXT")(
            GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0, kSamples);
    } else if (samples_ == Samples::Blit) {
        glBindRenderbuffer(GL_RENDERBUFFER, color_);
        storage(GL_RENDERBUFFER, kSamples, kRgba16F, width_, height_);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_);
        glBindFramebuffer(GL_FRAMEBUFFER, resolved_);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    } else {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
    }
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) return;
    std::fprintf(stderr, "the driver has no framebuffer of this kind\n");
    std::exit(1);
}

void HdrFrame::begin(int width, int height) {
    if (!plain_) {
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glViewport(0, 0, width, height);
        glEnable(GL_DEPTH_TEST);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        return;
    }
    if (width != width_ || height != height_) {
        width_ = width, height_ = height;
        allocate();
    }
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glViewport(0, 0, width_, height_);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

void HdrFrame::end() {
    if (!plain_) return;
    if (samples_ == Samples::Blit) {
        glBindFramebuffer(kReadFramebuffer, framebuffer_);
        glBindFramebuffer(kDrawFramebuffer, resolved_);
        procedure<BlitFramebuffer>("glBlitFramebuffer")(0, 0, width_, height_, 0, 0, width_, height_,
                                                        GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width_, height_);
    glDisable(GL_DEPTH_TEST);
    glUseProgram(program_);
    glUniform1f(glGetUniformLocation(program_, "u_exposure"), exposure_);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture_);
    drawScreenQuad();
}

}  // namespace demos
