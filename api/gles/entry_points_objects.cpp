// Entry points of buffers, textures as objects, renderbuffers, framebuffers and vertex arrays.
#include <algorithm>
#include <cstring>
#include <new>
#include <type_traits>

#include "api/gles/entry.h"
#include "api/gles/state/state_queries.h"
#include "api/gles/transfer.h"
#include "api/gles/validation.h"

using namespace tessera::gles;
using tessera::pipeline::Bytes;

namespace {

template <class Object>
void generate(Context& c, NameTable<Object>& table, GLsizei n, GLuint* names) {
    if (!validate::count(c, n) || !names) return;
    std::generate_n(names, n, [&] { return table.generate(); });
}

/// Frees names; unknown ones and 0 are ignored.
template <class Object>
void erase(Context& c, NameTable<Object>& table, GLsizei n, const GLuint* names) {
    if (!validate::count(c, n) || !names) return;
    for (GLsizei i = 0; i < n; ++i)
        if (std::shared_ptr<Object> object = table.erase(names[i])) c.unbind(object);
}

/// The object that a bind call names, made on first use; null for name 0.
template <class Object>
std::shared_ptr<Object> named(NameTable<Object>& table, GLuint name) {
    return name == 0 ? nullptr : table.findOrMake(name);
}

template <class Object>
GLboolean exists(const NameTable<Object>& table, GLuint name) {
    return table.find(name) ? GL_TRUE : GL_FALSE;
}

GLenum& textureParameter(Texture& texture, GLenum pname) {
    switch (pname) {
        case GL_TEXTURE_MIN_FILTER:
            return texture.minFilter;
        case GL_TEXTURE_MAG_FILTER:
            return texture.magFilter;
        case GL_TEXTURE_WRAP_S:
            return texture.wrapS;
        case GL_TEXTURE_WRAP_R_OES:
            return texture.wrapR;
        case GL_TEXTURE_COMPARE_MODE_EXT:
            return texture.compareMode;
        case GL_TEXTURE_COMPARE_FUNC_EXT:
            return texture.compareFunction;
        default:
            return texture.wrapT;
    }
}

/// An enum given as a float; values that are none become 0, which no parameter accepts.
GLenum enumOf(GLfloat value) { return value >= 0 && value < 65536.0f ? static_cast<GLenum>(value) : 0; }
GLenum enumOf(GLint value) { return static_cast<GLenum>(value); }

/// `value` as glTexParameterf or glTexParameteri gave it.
template <class T>
void setTextureParameter(GLenum target, GLenum pname, T value, const char* call = __builtin_FUNCTION()) {
    enter(
        [&](Context& c) {
            if (pname == GL_TEXTURE_MAX_ANISOTROPY_EXT) {
                const auto degree = static_cast<GLfloat>(value);
                if (validate::maxAnisotropy(c, target, degree)) (*c.textureBinding(target))->maxAnisotropy = degree;
                return;
            }
            if (pname == GL_TEXTURE_MAX_LEVEL_APPLE) {
                const GLint level = roundToInt(static_cast<double>(value));
                if (!validate::maxLevel(c, target, level)) return;
                (*c.textureBinding(target))->maxLevel = level;
                (*c.textureBinding(target))->invalidateView();
                return;
            }
            if (pname == GL_GENERATE_MIPMAP && c.fixedFunction) {
                if (validate::textureTarget(c, target)) (*c.textureBinding(target))->generateMipmap = value != 0;
                return;
            }
            if (!validate::texParameter(c, target, pname, enumOf(value))) return;
            Texture& texture = **c.textureBinding(target);
            textureParameter(texture, pname) = enumOf(value);
            if (pname == GL_TEXTURE_MIN_FILTER) texture.invalidateView();
        },
        call);
}

/// glTexParameterfv and glTexParameteriv: the crop rectangle of OES_draw_texture has four values, all others have one.
template <class T>
void setTextureParameters(GLenum target, GLenum pname, const T* values, const char* call = __builtin_FUNCTION()) {
    if (!values) return;
    if (pname != GL_TEXTURE_CROP_RECT_OES) return setTextureParameter(target, pname, *values, call);
    enter(
        [&](Context& c) {
            if (!validate::cropRect(c, target)) return;
            for (size_t i = 0; i < 4; ++i)
                (*c.textureBinding(target))->cropRect[i] = roundToInt(static_cast<double>(values[i]));
        },
        call);
}

template <class T>
void getTextureParameter(GLenum target, GLenum pname, T* params, const char* call = __builtin_FUNCTION()) {
    enter(
        [&](Context& c) {
            if (!validate::getTexParameter(c, target, pname) || !params) return;
            Texture& texture = **c.textureBinding(target);
            if (pname == GL_TEXTURE_IMMUTABLE_FORMAT_EXT) {
                *params = static_cast<T>(texture.immutableLevels != 0);
            } else if (pname == GL_REQUIRED_TEXTURE_IMAGE_UNITS_OES) {
                *params = static_cast<T>(1);
            } else if (isTextureCacheCounter(pname)) {
                const tessera::pipeline::TextureProbe* probe = Driver::instance().gpu().textureProbe();
                const auto counters =
                    probe ? probe->ofTexture(texture.identity) : tessera::pipeline::TextureCacheCounters{};
                *params = static_cast<T>(static_cast<GLint>(textureCacheCounter(pname, counters)));
            } else if (pname == GL_TEXTURE_BORDER_COLOR_EXT) {
                StateValue color{StateValue::Kind::Normalized, 4, {}};
                std::copy(texture.borderColor.begin(), texture.borderColor.end(), color.value.begin());
                for (int i = 0; i < 4; ++i)
                    params[i] = std::is_integral_v<T> ? static_cast<T>(toInt(color, i)) : static_cast<T>(color.at(i));
            } else if (pname == GL_GENERATE_MIPMAP) {
                *params = static_cast<T>(texture.generateMipmap);
            } else if (pname == GL_TEXTURE_CROP_RECT_OES) {
                for (size_t i = 0; i < 4; ++i) params[i] = static_cast<T>(texture.cropRect[i]);
            } else if (pname == GL_TEXTURE_MAX_LEVEL_APPLE) {
                *params = static_cast<T>(texture.maxLevel);
            } else if (pname == GL_TEXTURE_MAX_ANISOTROPY_EXT) {
                const GLfloat degree = texture.maxAnisotropy;
                *params = std::is_integral_v<T> ? static_cast<T>(roundToInt(degree)) : static_cast<T>(degree);
            } else {
                *params = static_cast<T>(textureParameter(texture, pname));
            }
        },
        call);
}

GLint renderbufferParameter(const Renderbuffer& renderbuffer, GLenum pname) {
    using tessera::texture::FormatInfo;
    FormatInfo none{};
    const FormatInfo& info = renderbuffer.image ? tessera::texture::formatInfo(renderbuffer.image->format()) : none;
    switch (pname) {
        case GL_RENDERBUFFER_WIDTH:
            return renderbuffer.width;
        case GL_RENDERBUFFER_HEIGHT:
            return renderbuffer.height;
        case GL_RENDERBUFFER_INTERNAL_FORMAT:
            return static_cast<GLint>(renderbuffer.internalformat);
        case GL_RENDERBUFFER_SAMPLES_EXT:
            return renderbuffer.samples();
        case GL_RENDERBUFFER_RED_SIZE:
            return info.red;
        case GL_RENDERBUFFER_GREEN_SIZE:
            return info.green;
        case GL_RENDERBUFFER_BLUE_SIZE:
            return info.blue;
        case GL_RENDERBUFFER_ALPHA_SIZE:
            return info.alpha;
        case GL_RENDERBUFFER_DEPTH_SIZE:
            return info.depth;
        case GL_RENDERBUFFER_STENCIL_SIZE:
            return info.stencil;
    }
    return 0;
}

void attachTexture(Context& c, GLenum target, GLenum attachment, GLenum textarget, GLuint texture, GLint level,
                   GLsizei samples) {
    Attachment point;
    point.texture = c.group().textures.find(texture);
    if (point.texture) {
        point.textarget = textarget;
        point.level = level;
        point.textureSamples = samples;
    }
    c.resolveSamples();
    *c.framebufferBinding(target)->find(attachment) = std::move(point);
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

/// Sets GL_TEXTURE_BORDER_COLOR; `scale` turns a component into 0..1 or whatever colour it stands for.
template <class T, class Scale>
void setBorderColor(GLenum target, const T* params, Scale scale, const char* call = __builtin_FUNCTION()) {
    enter(
        [&](Context& c) {
            if (!validate::borderColor(c, target) || !params) return;
            std::transform(params, params + 4, (*c.textureBinding(target))->borderColor.begin(), scale);
        },
        call);
}

}  // namespace

extern "C" {

// Buffers

void GL_APIENTRY glGenBuffers(GLsizei n, GLuint* buffers) {
    enter([&](Context& c) { generate(c, c.group().buffers, n, buffers); });
}

void GL_APIENTRY glDeleteBuffers(GLsizei n, const GLuint* buffers) {
    enter([&](Context& c) { erase(c, c.group().buffers, n, buffers); });
}

GLboolean GL_APIENTRY glIsBuffer(GLuint buffer) {
    return enterFor(GLboolean{GL_FALSE}, [&](Context& c) { return exists(c.group().buffers, buffer); });
}

void GL_APIENTRY glBindBuffer(GLenum target, GLuint buffer) {
    enter([&](Context& c) {
        if (validate::bufferTarget(c, target)) *c.bufferBinding(target) = named(c.group().buffers, buffer);
    });
}

void GL_APIENTRY glBufferData(GLenum target, GLsizeiptr size, const void* data, GLenum usage) {
    enter([&](Context& c) {
        if (!validate::bufferData(c, target, size, usage)) return;
        if (size > kMaxBufferSize) throw std::bad_alloc();
        Buffer& buffer = **c.bufferBinding(target);
        const auto* from = static_cast<const std::byte*>(data);
        // A new store always: recorded draws keep the old one.
        buffer.data =
            from ? std::make_shared<Bytes>(from, from + size) : std::make_shared<Bytes>(static_cast<size_t>(size));
        buffer.usage = usage;
        buffer.mapping.reset();
    });
}

void GL_APIENTRY glBufferSubData(GLenum target, GLintptr offset, GLsizeiptr size, const void* data) {
    enter([&](Context& c) {
        if (!validate::bufferSubData(c, target, offset, size) || size == 0 || !data) return;
        Buffer& buffer = **c.bufferBinding(target);
        if (!soleOwner(buffer.data)) buffer.data = std::make_shared<Bytes>(*buffer.data);
        std::memcpy(buffer.data->data() + offset, data, static_cast<size_t>(size));
    });
}

void GL_APIENTRY glGetBufferParameteriv(GLenum target, GLenum pname, GLint* params) {
    enter([&](Context& c) {
        if (!validate::getBufferParameter(c, target, pname) || !params) return;
        const Buffer& buffer = **c.bufferBinding(target);
        switch (pname) {
            case GL_BUFFER_SIZE:
                *params = roundToInt(static_cast<double>(buffer.data->size()));
                break;
            case GL_BUFFER_USAGE:
                *params = static_cast<GLint>(buffer.usage);
                break;
            case GL_BUFFER_ACCESS_OES:
                *params = GL_WRITE_ONLY_OES;
                break;
            default:
                *params = buffer.mapping.has_value();
        }
    });
}

// Textures as objects

void GL_APIENTRY glGenTextures(GLsizei n, GLuint* textures) {
    enter([&](Context& c) { generate(c, c.group().textures, n, textures); });
}

void GL_APIENTRY glDeleteTextures(GLsizei n, const GLuint* textures) {
    enter([&](Context& c) {
        c.resolveSamples();  // a deleted texture lives on in other framebuffers
        erase(c, c.group().textures, n, textures);
    });
}

GLboolean GL_APIENTRY glIsTexture(GLuint texture) {
    return enterFor(GLboolean{GL_FALSE}, [&](Context& c) { return exists(c.group().textures, texture); });
}

void GL_APIENTRY glActiveTexture(GLenum texture) {
    enter([&](Context& c) {
        if (validate::activeTexture(c, texture)) c.activeTexture = static_cast<int>(texture - GL_TEXTURE0);
    });
}

void GL_APIENTRY glBindTexture(GLenum target, GLuint texture) {
    enter([&](Context& c) {
        if (!validate::bindTexture(c, target, texture)) return;
        if (texture == 0) {
            *c.textureBinding(target) = c.defaultTexture(target);
            return;
        }
        std::shared_ptr<Texture> object = c.group().textures.findOrMake(texture);
        object->setTarget(target);
        *c.textureBinding(target) = std::move(object);
    });
}

void GL_APIENTRY glTexParameterf(GLenum target, GLenum pname, GLfloat param) {
    setTextureParameter(target, pname, param);
}
void GL_APIENTRY glTexParameteri(GLenum target, GLenum pname, GLint param) {
    setTextureParameter(target, pname, param);
}
void GL_APIENTRY glTexParameterfv(GLenum target, GLenum pname, const GLfloat* params) {
    if (pname == GL_TEXTURE_BORDER_COLOR_EXT)
        return setBorderColor(target, params, [](GLfloat value) { return value; });
    setTextureParameters(target, pname, params);
}
void GL_APIENTRY glTexParameteriv(GLenum target, GLenum pname, const GLint* params) {
    if (pname == GL_TEXTURE_BORDER_COLOR_EXT)
        return setBorderColor(target, params, [](GLint value) {
            return std::max(static_cast<GLfloat>(value / 2147483647.0), -1.0f);  // OpenGL ES 3.0, equation 2.2
        });
    setTextureParameters(target, pname, params);
}
void GL_APIENTRY glGetTexParameterfv(GLenum target, GLenum pname, GLfloat* params) {
    getTextureParameter(target, pname, params);
}
void GL_APIENTRY glGetTexParameteriv(GLenum target, GLenum pname, GLint* params) {
    getTextureParameter(target, pname, params);
}

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
        if (validate::getRenderbufferParameter(c, target, pname) && params)
            *params = renderbufferParameter(*c.renderbuffer, pname);
    });
}

// Framebuffers

void GL_APIENTRY glGenFramebuffers(GLsizei n, GLuint* framebuffers) {
    enter([&](Context& c) { generate(c, c.framebuffers, n, framebuffers); });
}

void GL_APIENTRY glDeleteFramebuffers(GLsizei n, const GLuint* framebuffers) {
    enter([&](Context& c) {
        c.resolveSamples();
        erase(c, c.framebuffers, n, framebuffers);
    });
}

GLboolean GL_APIENTRY glIsFramebuffer(GLuint framebuffer) {
    return enterFor(GLboolean{GL_FALSE}, [&](Context& c) { return exists(c.framebuffers, framebuffer); });
}

void GL_APIENTRY glBindFramebuffer(GLenum target, GLuint framebuffer) {
    enter([&](Context& c) {
        if (!validate::framebufferTarget(c, target)) return;
        const std::shared_ptr<Framebuffer> object = named(c.framebuffers, framebuffer);
        if (target != GL_DRAW_FRAMEBUFFER_NV) c.readFramebuffer = object;
        if (target == GL_READ_FRAMEBUFFER_NV) return;
        c.resolveSamples();
        c.framebuffer = object;
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
        c.resolveSamples();
        *c.framebufferBinding(target)->find(attachment) = std::move(point);
    });
}

void GL_APIENTRY glFramebufferTexture2D(GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                                        GLint level) {
    enter([&](Context& c) {
        if (validate::framebufferTexture2D(c, target, attachment, textarget, texture, level))
            attachTexture(c, target, attachment, textarget, texture, level, 0);
    });
}

void GL_APIENTRY glFramebufferTexture2DMultisampleEXT(GLenum target, GLenum attachment, GLenum textarget,
                                                      GLuint texture, GLint level, GLsizei samples) {
    enter([&](Context& c) {
        if (validate::framebufferTexture2DMultisample(c, target, attachment, textarget, texture, level, samples))
            attachTexture(c, target, attachment, textarget, texture, level, samples == 0 ? 0 : kMaxSamples);
    });
}

void GL_APIENTRY glGetFramebufferAttachmentParameteriv(GLenum target, GLenum attachment, GLenum pname, GLint* params) {
    enter([&](Context& c) {
        if (!validate::getFramebufferAttachment(c, target, attachment, pname) || !params) return;
        const Attachment& point = *c.framebufferBinding(target)->find(attachment);
        switch (pname) {
            case GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE:
                *params = static_cast<GLint>(point.type());
                break;
            case GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME:
                *params = static_cast<GLint>(point.name());
                break;
            case GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE_EXT: {
                tessera::texture::ImagePtr image = point.image();
                *params = image && isFloatFormat(image->format()) ? GL_FLOAT : GL_UNSIGNED_NORMALIZED_EXT;
                break;
            }
            case GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING_EXT: {
                tessera::texture::ImagePtr image = point.image();
                *params = image && tessera::texture::formatInfo(image->format()).srgb ? GL_SRGB_EXT : GL_LINEAR;
                break;
            }
            case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_SAMPLES_EXT:
                *params = point.textureSamples;
                break;
            case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL:
                *params = point.level;
                break;
            case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_3D_ZOFFSET_OES:
                *params = point.z;
                break;
            default:
                *params = point.textarget == GL_TEXTURE_2D || point.textarget == GL_TEXTURE_3D_OES
                              ? 0
                              : static_cast<GLint>(point.textarget);
        }
    });
}

// Vertex arrays (OES_vertex_array_object)

void GL_APIENTRY glGenVertexArraysOES(GLsizei n, GLuint* arrays) {
    enter([&](Context& c) { generate(c, c.vertexArrays, n, arrays); });
}

void GL_APIENTRY glDeleteVertexArraysOES(GLsizei n, const GLuint* arrays) {
    enter([&](Context& c) { erase(c, c.vertexArrays, n, arrays); });
}

GLboolean GL_APIENTRY glIsVertexArrayOES(GLuint array) {
    return enterFor(GLboolean{GL_FALSE}, [&](Context& c) { return exists(c.vertexArrays, array); });
}

void GL_APIENTRY glBindVertexArrayOES(GLuint array) {
    enter([&](Context& c) {
        if (!validate::bindVertexArray(c, array)) return;
        c.vertexArray = array == 0 ? c.defaultVertexArray : c.vertexArrays.findOrMake(array);
    });
}

}  // extern "C"
