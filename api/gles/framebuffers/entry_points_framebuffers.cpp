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

using validate::AttachedImage;
using validate::AttachmentParameter;

/// What the numbers of an image are; of one that does not exist OpenGL ES 3.0 says nothing.
GLenum componentType(const AttachedImage& image) {
    if (image.isStencil) return GL_UNSIGNED_INT;
    const tessera::texture::FormatInfo& bits = image.bits;
    if (bits.format == tessera::texture::PixelFormat::None) return GL_NONE;
    switch (tessera::texture::elementInfo(bits.element).number) {
        case tessera::texture::Number::Float:
        case tessera::texture::Number::DepthFloat:
        case tessera::texture::Number::SharedExponent:
            return GL_FLOAT;
        case tessera::texture::Number::Uint:
            return GL_UNSIGNED_INT;
        case tessera::texture::Number::Sint:
            return GL_INT;
        case tessera::texture::Number::Snorm:
            return GL_SIGNED_NORMALIZED;
        case tessera::texture::Number::Unorm:
        case tessera::texture::Number::Srgb:
        case tessera::texture::Number::Depth:
            break;
    }
    return GL_UNSIGNED_NORMALIZED;
}

constexpr AttachmentParameter kAttachmentParameters[] = {
    {GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, [](const AttachedImage& image) -> int64_t { return image.type; },
     AttachmentParameter::Of::Anything},
    {GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME,
     [](const AttachedImage& image) -> int64_t { return image.attachment->name(); }, AttachmentParameter::Of::Objects},
    {GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE,
     [](const AttachedImage& image) -> int64_t { return componentType(image); }},
    {GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING,
     [](const AttachedImage& image) -> int64_t { return image.bits.srgb() ? GL_SRGB : GL_LINEAR; }},
    {GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE, [](const AttachedImage& image) -> int64_t { return image.bits.red; },
     AttachmentParameter::Of::Images, true},
    {GL_FRAMEBUFFER_ATTACHMENT_GREEN_SIZE, [](const AttachedImage& image) -> int64_t { return image.bits.green; },
     AttachmentParameter::Of::Images, true},
    {GL_FRAMEBUFFER_ATTACHMENT_BLUE_SIZE, [](const AttachedImage& image) -> int64_t { return image.bits.blue; },
     AttachmentParameter::Of::Images, true},
    {GL_FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE, [](const AttachedImage& image) -> int64_t { return image.bits.alpha; },
     AttachmentParameter::Of::Images, true},
    {GL_FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE, [](const AttachedImage& image) -> int64_t { return image.bits.depth; },
     AttachmentParameter::Of::Images, true},
    {GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE, [](const AttachedImage& image) -> int64_t { return image.bits.stencil; },
     AttachmentParameter::Of::Images, true},
    {GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_SAMPLES_EXT,
     [](const AttachedImage& image) -> int64_t { return image.attachment->textureSamples; },
     AttachmentParameter::Of::Textures},
    {GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL,
     [](const AttachedImage& image) -> int64_t { return image.attachment->level; }, AttachmentParameter::Of::Textures},
    {GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER, [](const AttachedImage& image) -> int64_t { return image.attachment->z; },
     AttachmentParameter::Of::Textures},
    {GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_NUM_VIEWS_OVR,
     [](const AttachedImage& image) -> int64_t { return image.attachment->views; }, AttachmentParameter::Of::Textures,
     true},
    {GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_BASE_VIEW_INDEX_OVR,
     [](const AttachedImage& image) -> int64_t { return image.attachment->views != 0 ? image.attachment->z : 0; },
     AttachmentParameter::Of::Textures, true},
    {GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE,
     [](const AttachedImage& image) -> int64_t {
         const GLenum target = image.attachment->textarget;
         return bindTargetOf(target) == GL_TEXTURE_CUBE_MAP ? target : 0;
     },
     AttachmentParameter::Of::Textures},
};

/// A buffer of the default framebuffer.
AttachedImage defaultImage(const Drawable* drawable, GLenum buffer) {
    AttachedImage out;
    out.isStencil = buffer == GL_STENCIL;
    if (!drawable) return out;
    if (buffer == GL_BACK) {
        if (drawable->color) out.bits = tessera::texture::formatInfo(drawable->color->format());
        out.bits.red = static_cast<uint8_t>(drawable->redBits);
        out.bits.green = static_cast<uint8_t>(drawable->greenBits);
        out.bits.blue = static_cast<uint8_t>(drawable->blueBits);
        out.bits.alpha = static_cast<uint8_t>(drawable->alphaBits);
        out.type = GL_FRAMEBUFFER_DEFAULT;
        return out;
    }
    const int bits = buffer == GL_DEPTH ? drawable->depthBits : drawable->stencilBits;
    if (!drawable->depthStencil || bits == 0) return out;
    out.bits = tessera::texture::formatInfo(drawable->depthStencil->format());
    out.bits.depth = static_cast<uint8_t>(drawable->depthBits);
    out.bits.stencil = static_cast<uint8_t>(drawable->stencilBits);
    out.type = GL_FRAMEBUFFER_DEFAULT;
    return out;
}

AttachedImage attachedImage(Context& c, GLenum target, GLenum attachment) {
    const std::shared_ptr<Framebuffer>& framebuffer = c.framebufferBinding(target);
    if (!framebuffer) return defaultImage(c.defaultFramebuffer(target), attachment);
    const Attachment& point = *framebuffer->find(attachment);
    return {point.type(), &point, bits(point.image()), attachment == GL_STENCIL_ATTACHMENT};
}

void attachTexture(Context& c, GLenum target, GLenum attachment, GLenum textarget, GLuint texture, GLint level, GLint z,
                   GLsizei samples, GLsizei views = 0) {
    Attachment point;
    point.texture = c.group().textures.find(texture);
    if (point.texture) {
        point.textarget = textarget;
        point.level = level;
        point.z = z;
        point.textureSamples = samples;
        point.views = views;
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

void GL_APIENTRY glFramebufferTextureLayer(GLenum target, GLenum attachment, GLuint texture, GLint level, GLint layer) {
    enterEs3([&](Context& c) {
        if (!validate::framebufferTextureLayer(c, target, attachment, texture, level, layer)) return;
        const std::shared_ptr<Texture> object = c.group().textures.find(texture);
        attachTexture(c, target, attachment, object ? object->target : GL_NONE, texture, level, layer, 0);
    });
}

// OVR_multiview
void GL_APIENTRY glFramebufferTextureMultiviewOVR(GLenum target, GLenum attachment, GLuint texture, GLint level,
                                                  GLint baseViewIndex, GLsizei numViews) {
    enterEs3([&](Context& c) {
        if (validate::framebufferTextureMultiview(c, target, attachment, texture, level, baseViewIndex, numViews))
            attachTexture(c, target, attachment, GL_TEXTURE_2D_ARRAY, texture, level, baseViewIndex, 0, numViews);
    });
}

// OVR_multiview_multisampled_render_to_texture
void GL_APIENTRY glFramebufferTextureMultisampleMultiviewOVR(GLenum target, GLenum attachment, GLuint texture,
                                                             GLint level, GLsizei samples, GLint baseViewIndex,
                                                             GLsizei numViews) {
    enterEs3([&](Context& c) {
        if (validate::framebufferTextureMultisampleMultiview(c, target, attachment, texture, level, samples,
                                                             baseViewIndex, numViews))
            attachTexture(c, target, attachment, GL_TEXTURE_2D_ARRAY, texture, level, baseViewIndex,
                          samples == 0 ? 0 : kMaxSamples, numViews);
    });
}

void GL_APIENTRY glGetFramebufferAttachmentParameteriv(GLenum target, GLenum attachment, GLenum pname, GLint* params) {
    enter([&](Context& c) {
        const auto* parameter = findParameter(kAttachmentParameters, pname);
        if (validate::getFramebufferAttachment(c, target, attachment, parameter) && params)
            *params = static_cast<GLint>(parameter->read(attachedImage(c, target, attachment)));
    });
}

}  // extern "C"
