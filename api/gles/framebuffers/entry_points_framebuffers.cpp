// Entry points of renderbuffers and framebuffers as objects.
#include "api/gles/context/entry.h"
#include "api/gles/context/object_names.h"
#include "api/gles/context/parameter.h"
#include "api/gles/framebuffers/contents.h"

using namespace tessera::gles;

namespace {

/// The channels of an image; while there is none, no channel has bits.
tessera::texture::FormatInfo bits(const AttachableImage& image) {
    return image ? tessera::texture::formatInfo(image.format()) : tessera::texture::FormatInfo{};
}

constexpr Parameter<Renderbuffer> kRenderbufferParameters[] = {
    {GL_RENDERBUFFER_WIDTH, [](const Renderbuffer& object) -> int64_t { return object.width; }},
    {GL_RENDERBUFFER_HEIGHT, [](const Renderbuffer& object) -> int64_t { return object.height; }},
    {GL_RENDERBUFFER_INTERNAL_FORMAT, [](const Renderbuffer& object) -> int64_t { return object.internalformat; }},
    {GL_RENDERBUFFER_SAMPLES_EXT, [](const Renderbuffer& object) -> int64_t { return object.samples(); }},
    {GL_RENDERBUFFER_RED_SIZE, [](const Renderbuffer& object) -> int64_t { return bits(object.image).red; }},
    {GL_RENDERBUFFER_GREEN_SIZE, [](const Renderbuffer& object) -> int64_t { return bits(object.image).green; }},
    {GL_RENDERBUFFER_BLUE_SIZE, [](const Renderbuffer& object) -> int64_t { return bits(object.image).blue; }},
    {GL_RENDERBUFFER_ALPHA_SIZE, [](const Renderbuffer& object) -> int64_t { return bits(object.image).alpha; }},
    {GL_RENDERBUFFER_DEPTH_SIZE, [](const Renderbuffer& object) -> int64_t { return bits(object.image).depth; }},
    {GL_RENDERBUFFER_STENCIL_SIZE, [](const Renderbuffer& object) -> int64_t { return bits(object.image).stencil; }},
};

constexpr validate::AttachmentParameter kAttachmentParameters[] = {
    {GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, [](const Attachment& point) -> int64_t { return point.type(); },
     validate::AttachmentParameter::Of::Anything},
    {GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, [](const Attachment& point) -> int64_t { return point.name(); }},
    {GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE_EXT,
     [](const Attachment& point) -> int64_t {
         return point.image() && isFloatFormat(point.image().format()) ? GL_FLOAT : GL_UNSIGNED_NORMALIZED_EXT;
     }},
    {GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING_EXT,
     [](const Attachment& point) -> int64_t { return bits(point.image()).srgb() ? GL_SRGB_EXT : GL_LINEAR; }},
    {GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_SAMPLES_EXT,
     [](const Attachment& point) -> int64_t { return point.textureSamples; },
     validate::AttachmentParameter::Of::Textures},
    {GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL, [](const Attachment& point) -> int64_t { return point.level; },
     validate::AttachmentParameter::Of::Textures},
    {GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_3D_ZOFFSET_OES, [](const Attachment& point) -> int64_t { return point.z; },
     validate::AttachmentParameter::Of::Textures},
    {GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE,
     [](const Attachment& point) -> int64_t {
         return bindTargetOf(point.textarget) == GL_TEXTURE_CUBE_MAP ? point.textarget : 0;
     },
     validate::AttachmentParameter::Of::Textures},
};

void attachTexture(Context& c, GLenum target, GLenum attachment, GLenum textarget, GLuint texture, GLint level, GLint z,
                   GLsizei samples) {
    Attachment point;
    point.texture = c.group().textures.find(texture);
    if (point.texture) {
        point.textarget = textarget;
        point.level = level;
        point.z = z;
        point.textureSamples = samples;
    }
    c.framebufferBinding(target)->attach(SamplesResolved(c), attachment, std::move(point));
}

/// `needsBlit`: for the extensions whose samples only blits resolve.
void storeMultisample(GLenum target, GLsizei samples, GLenum internalformat, GLsizei width, GLsizei height,
                      bool needsBlit, const char* call = __builtin_FUNCTION()) {
    enter(
        [&](Context& c) {
            if (!validate::renderbufferStorage(c, target, samples, internalformat, width, height)) return;
            renderbufferStorage(c, samples, internalformat, width, height);
            c.renderbuffer->needsBlit = needsBlit;
        },
        call);
}

}  // namespace

extern "C" {

// Renderbuffers

void GL_APIENTRY glGenRenderbuffers(GLsizei n, GLuint* renderbuffers) {
    enter([&](Context& c) { generate(c, c.group().renderbuffers, n, renderbuffers); });
}

void GL_APIENTRY glDeleteRenderbuffers(GLsizei n, const GLuint* renderbuffers) {
    enter([&](Context& c) { erase(c, c.group().renderbuffers, n, renderbuffers); });
}

GLboolean GL_APIENTRY glIsRenderbuffer(GLuint renderbuffer) {
    return enterFor(GLboolean{GL_FALSE}, [&](Context& c) { return exists(c.group().renderbuffers, renderbuffer); });
}

void GL_APIENTRY glBindRenderbuffer(GLenum target, GLuint renderbuffer) {
    enter([&](Context& c) {
        if (validate::renderbufferTarget(c, target)) c.renderbuffer = named(c.group().renderbuffers, renderbuffer);
    });
}

void GL_APIENTRY glRenderbufferStorage(GLenum target, GLenum internalformat, GLsizei width, GLsizei height) {
    storeMultisample(target, 0, internalformat, width, height, false);
}

// OpenGL ES 3.0 resolves what has samples by blits alone, EXT_multisampled_render_to_texture whenever it is read.
void GL_APIENTRY glRenderbufferStorageMultisample(GLenum target, GLsizei samples, GLenum internalformat, GLsizei width,
                                                  GLsizei height) {
    const Context* const c = current();
    storeMultisample(target, samples, internalformat, width, height, c && c->isEs3());
}

void GL_APIENTRY glRenderbufferStorageMultisampleEXT(GLenum target, GLsizei samples, GLenum internalformat,
                                                     GLsizei width, GLsizei height) {
    storeMultisample(target, samples, internalformat, width, height, false);
}

void GL_APIENTRY glRenderbufferStorageMultisampleNV(GLenum target, GLsizei samples, GLenum internalformat,
                                                    GLsizei width, GLsizei height) {
    storeMultisample(target, samples, internalformat, width, height, true);
}

void GL_APIENTRY glRenderbufferStorageMultisampleANGLE(GLenum target, GLsizei samples, GLenum internalformat,
                                                       GLsizei width, GLsizei height) {
    storeMultisample(target, samples, internalformat, width, height, true);
}

void GL_APIENTRY glGetRenderbufferParameteriv(GLenum target, GLenum pname, GLint* params) {
    enter([&](Context& c) {
        const auto* parameter = findParameter(kRenderbufferParameters, pname);
        if (validate::getRenderbufferParameter(c, target, parameter != nullptr) && params)
            *params = static_cast<GLint>(parameter->read(*c.renderbuffer));
    });
}

// Framebuffers

void GL_APIENTRY glGenFramebuffers(GLsizei n, GLuint* framebuffers) {
    enter([&](Context& c) { generate(c, c.framebuffers, n, framebuffers); });
}

void GL_APIENTRY glDeleteFramebuffers(GLsizei n, const GLuint* framebuffers) {
    enter([&](Context& c) { erase(c, c.framebuffers, n, framebuffers); });
}

GLboolean GL_APIENTRY glIsFramebuffer(GLuint framebuffer) {
    return enterFor(GLboolean{GL_FALSE}, [&](Context& c) { return exists(c.framebuffers, framebuffer); });
}

void GL_APIENTRY glBindFramebuffer(GLenum target, GLuint framebuffer) {
    enter([&](Context& c) {
        if (validate::framebufferTarget(c, target)) c.bindFramebuffer(target, named(c.framebuffers, framebuffer));
    });
}

GLenum GL_APIENTRY glCheckFramebufferStatus(GLenum target) {
    return enterFor(GLenum{0}, [&](Context& c) {
        if (!validate::framebufferTarget(c, target)) return GLenum{0};
        return target == GL_READ_FRAMEBUFFER_NV ? c.readFramebufferStatus() : c.framebufferStatus();
    });
}

void GL_APIENTRY glFramebufferRenderbuffer(GLenum target, GLenum attachment, GLenum renderbuffertarget,
                                           GLuint renderbuffer) {
    enter([&](Context& c) {
        if (!validate::framebufferRenderbuffer(c, target, attachment, renderbuffertarget, renderbuffer)) return;
        Attachment point;
        point.renderbuffer = c.group().renderbuffers.find(renderbuffer);
        c.framebufferBinding(target)->attach(SamplesResolved(c), attachment, std::move(point));
    });
}

void GL_APIENTRY glFramebufferTexture2D(GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                                        GLint level) {
    enter([&](Context& c) {
        if (validate::framebufferTexture2D(c, target, attachment, textarget, texture, level))
            attachTexture(c, target, attachment, textarget, texture, level, 0, 0);
    });
}

void GL_APIENTRY glFramebufferTexture2DMultisampleEXT(GLenum target, GLenum attachment, GLenum textarget,
                                                      GLuint texture, GLint level, GLsizei samples) {
    enter([&](Context& c) {
        if (validate::framebufferTexture2DMultisample(c, target, attachment, textarget, texture, level, samples))
            attachTexture(c, target, attachment, textarget, texture, level, 0, samples == 0 ? 0 : kMaxSamples);
    });
}

void GL_APIENTRY glFramebufferTexture3DOES(GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                                           GLint level, GLint zoffset) {
    enter([&](Context& c) {
        if (validate::framebufferTexture3D(c, target, attachment, textarget, texture, level, zoffset))
            attachTexture(c, target, attachment, textarget, texture, level, zoffset, 0);
    });
}

void GL_APIENTRY glGetFramebufferAttachmentParameteriv(GLenum target, GLenum attachment, GLenum pname, GLint* params) {
    enter([&](Context& c) {
        const auto* parameter = findParameter(kAttachmentParameters, pname);
        if (validate::getFramebufferAttachment(c, target, attachment, parameter) && params)
            *params = static_cast<GLint>(parameter->read(*c.framebufferBinding(target)->find(attachment)));
    });
}

}  // extern "C"
