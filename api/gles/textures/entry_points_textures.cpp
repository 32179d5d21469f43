// Entry points of textures as objects, and of their parameters.
#include <algorithm>
#include <type_traits>

#include "api/gles/context/object_names.h"
#include "api/gles/entry.h"
#include "api/gles/state/state_queries.h"
#include "api/gles/textures/validation.h"

using namespace tessera::gles;

namespace {

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

void GL_APIENTRY glGenTextures(GLsizei n, GLuint* textures) {
    enter([&](Context& c) { generate(c, c.group().textures, n, textures); });
}

void GL_APIENTRY glDeleteTextures(GLsizei n, const GLuint* textures) {
    enter([&](Context& c) { erase(c, c.group().textures, n, textures); });
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

}  // extern "C"
