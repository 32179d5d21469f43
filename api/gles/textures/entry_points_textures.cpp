// Entry points of textures as objects, and of their parameters.
#include <algorithm>

#include "api/gles/context/entry.h"
#include "api/gles/context/object_names.h"
#include "api/gles/context/parameter.h"
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

/// What glGetTexParameter tells.
struct TextureParameter {
    GLenum name;
    StateValue (*read)(const Texture& texture);
    bool isOld = false;  ///< of OpenGL ES 1.1 alone
};

StateValue integer(double value) { return {StateValue::Kind::Integer, 1, {value}}; }

template <class T>
StateValue several(StateValue::Kind kind, const std::array<T, 4>& values) {
    StateValue out{kind, 4, {}};
    std::ranges::copy(values, out.value.begin());
    return out;
}

/// A counter of the texture's lookups (GL_TESSERA_texture_cache).
template <GLenum name>
StateValue cacheCounter(const Texture& texture) {
    const tessera::pipeline::TextureProbe* probe = Driver::instance().gpu().textureProbe();
    return integer(textureCacheCounter(
        name, probe ? probe->ofTexture(texture.identity) : tessera::pipeline::TextureCacheCounters{}));
}

constexpr TextureParameter kTextureParameters[] = {
    {GL_TEXTURE_MIN_FILTER, [](const Texture& texture) { return integer(texture.minFilter); }},
    {GL_TEXTURE_MAG_FILTER, [](const Texture& texture) { return integer(texture.magFilter); }},
    {GL_TEXTURE_WRAP_S, [](const Texture& texture) { return integer(texture.wrapS); }},
    {GL_TEXTURE_WRAP_T, [](const Texture& texture) { return integer(texture.wrapT); }},
    {GL_TEXTURE_WRAP_R_OES, [](const Texture& texture) { return integer(texture.wrapR); }},
    {GL_TEXTURE_COMPARE_MODE_EXT, [](const Texture& texture) { return integer(texture.compareMode); }},
    {GL_TEXTURE_COMPARE_FUNC_EXT, [](const Texture& texture) { return integer(texture.compareFunction); }},
    {GL_TEXTURE_MAX_LEVEL_APPLE, [](const Texture& texture) { return integer(texture.maxLevel); }},
    {GL_TEXTURE_MAX_ANISOTROPY_EXT,
     [](const Texture& texture) { return StateValue{StateValue::Kind::Float, 1, {texture.maxAnisotropy}}; }},
    {GL_TEXTURE_BORDER_COLOR_EXT,
     [](const Texture& texture) { return several(StateValue::Kind::Normalized, texture.borderColor); }},
    {GL_TEXTURE_IMMUTABLE_FORMAT_EXT, [](const Texture& texture) { return integer(texture.immutableLevels != 0); }},
    {GL_REQUIRED_TEXTURE_IMAGE_UNITS_OES, [](const Texture&) { return integer(1); }},
    {GL_TEXTURE_CACHE_HITS_TESSERA, cacheCounter<GL_TEXTURE_CACHE_HITS_TESSERA>},
    {GL_TEXTURE_CACHE_MISSES_TESSERA, cacheCounter<GL_TEXTURE_CACHE_MISSES_TESSERA>},
    {GL_TEXTURE_CACHE_CONFLICTS_TESSERA, cacheCounter<GL_TEXTURE_CACHE_CONFLICTS_TESSERA>},
    {GL_TEXTURE_CACHE_BYTES_TESSERA, cacheCounter<GL_TEXTURE_CACHE_BYTES_TESSERA>},
    {GL_GENERATE_MIPMAP, [](const Texture& texture) { return integer(texture.generateMipmap); }, true},
    {GL_TEXTURE_CROP_RECT_OES,
     [](const Texture& texture) { return several(StateValue::Kind::Integer, texture.cropRect); }, true},
};

/// `convert` is toInt or toFloat.
template <class T>
void getTextureParameter(GLenum target, GLenum pname, T* params, T (*convert)(const StateValue&, int),
                         const char* call = __builtin_FUNCTION()) {
    enter(
        [&](Context& c) {
            const TextureParameter* parameter = findParameter(kTextureParameters, pname);
            const bool isKnown = parameter && (!parameter->isOld || c.fixedFunction);
            if (!validate::getTexParameter(c, target, isKnown) || !params) return;
            const StateValue value = parameter->read(**c.textureBinding(target));
            for (int i = 0; i < value.count; ++i) params[i] = convert(value, i);
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
    getTextureParameter(target, pname, params, toFloat);
}
void GL_APIENTRY glGetTexParameteriv(GLenum target, GLenum pname, GLint* params) {
    getTextureParameter(target, pname, params, toInt);
}

}  // extern "C"
