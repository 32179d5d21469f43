// Entry points of textures as objects, and of their parameters.
#include <algorithm>
#include <bit>

#include "api/gles/context/entry.h"
#include "api/gles/context/object_names.h"
#include "api/gles/context/parameter.h"
#include "api/gles/entry_points.h"
#include "api/gles/state/state_queries.h"
#include "api/gles/textures/validation.h"

using namespace tessera::gles;

namespace {

/// An enum given as a float, which is rounded; values that are none become one that no parameter accepts. (0 is GL_NONE
/// and GL_ZERO.)
GLenum enumOf(GLfloat value) {
    return value >= 0 && value < 65536.0f ? static_cast<GLenum>(value + 0.5f) : GL_INVALID_INDEX;
}
GLenum enumOf(GLint value) { return static_cast<GLenum>(value); }

/// One of what sampler objects have, too, as glTexParameterf or glTexParameteri gave it. The target is one.
template <class T>
void setSampling(Context& c, GLenum target, SamplingParameters& parameters, GLenum pname, T value) {
    const auto number = static_cast<GLfloat>(value);
    if (!validate::samplingParameter(c, target, pname, enumOf(value), number)) return;
    if (GLenum* named = parameters.find(pname)) *named = enumOf(value);
    if (pname == GL_TEXTURE_MAX_ANISOTROPY_EXT) parameters.maxAnisotropy = number;
    if (pname == GL_TEXTURE_MIN_LOD) parameters.minLod = number;
    if (pname == GL_TEXTURE_MAX_LOD) parameters.maxLod = number;
}

/// `value` as glTexParameterf or glTexParameteri gave it.
template <class T>
void changeTexture(Context& c, GLenum target, GLenum pname, T value) {
    if (!validate::textureTarget(c, target)) return;
    Texture& texture = **c.textureBinding(target);
    const bool isLevel = pname == GL_TEXTURE_MAX_LEVEL_APPLE || (pname == GL_TEXTURE_BASE_LEVEL && c.isEs3());
    if (isLevel) {
        const GLint level = roundToInt(static_cast<double>(value));
        if (!validate::textureLevelParameter(c, level)) return;
        (pname == GL_TEXTURE_BASE_LEVEL ? texture.baseLevel : texture.maxLevel) = level;
        return texture.invalidateViews();
    }
    if (pname >= GL_TEXTURE_SWIZZLE_R && pname <= GL_TEXTURE_SWIZZLE_A && c.isEs3()) {
        if (!validate::swizzle(c, enumOf(value))) return;
        texture.swizzle[pname - GL_TEXTURE_SWIZZLE_R] = enumOf(value);
        return texture.invalidateViews();
    }
    if (pname == GL_GENERATE_MIPMAP && c.fixedFunction) {
        texture.generateMipmap = value != 0;
        return;
    }
    setSampling(c, target, texture.sampling, pname, value);
}

template <class T>
void setTextureParameter(GLenum target, GLenum pname, T value, const char* call = __builtin_FUNCTION()) {
    enter([&](Context& c) { changeTexture(c, target, pname, value); }, call);
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
void changeSampler(Context& c, GLuint sampler, GLenum pname, T value) {
    if (validate::sampler(c, sampler))
        setSampling(c, GL_NONE, c.group().samplers.findOrMake(sampler)->parameters, pname, value);
}

template <class T>
void setSamplerParameter(GLuint sampler, GLenum pname, T value, const char* call = __builtin_FUNCTION()) {
    enterEs3([&](Context& c) { changeSampler(c, sampler, pname, value); }, call);
}

/// What glGetTexParameter and glGetSamplerParameter tell of both.
struct SamplingParameter {
    GLenum name;
    StateValue (*read)(const SamplingParameters& sampling);
    std::string_view since = kCore;
};

/// What glGetTexParameter tells besides.
struct TextureParameter {
    GLenum name;
    StateValue (*read)(const Texture& texture);
    enum class Of { All, Es1, Es3 } of = Of::All;
};

StateValue real(double value) { return {StateValue::Kind::Float, 1, {value}}; }
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

StateValue borderColor(const SamplingParameters& sampling) {
    if (!sampling.borderIsInteger) return several(StateValue::Kind::Normalized, sampling.borderColor);
    std::array<GLint, 4> bits{};
    std::ranges::transform(sampling.borderColor, bits.begin(), [](GLfloat one) { return std::bit_cast<GLint>(one); });
    return several(StateValue::Kind::Integer, bits);
}

constexpr SamplingParameter kSamplingParameters[] = {
    {GL_TEXTURE_MIN_FILTER, [](const SamplingParameters& sampling) { return integer(sampling.minFilter); }},
    {GL_TEXTURE_MAG_FILTER, [](const SamplingParameters& sampling) { return integer(sampling.magFilter); }},
    {GL_TEXTURE_WRAP_S, [](const SamplingParameters& sampling) { return integer(sampling.wrapS); }},
    {GL_TEXTURE_WRAP_T, [](const SamplingParameters& sampling) { return integer(sampling.wrapT); }},
    {GL_TEXTURE_WRAP_R, [](const SamplingParameters& sampling) { return integer(sampling.wrapR); }},
    {GL_TEXTURE_MIN_LOD, [](const SamplingParameters& sampling) { return real(sampling.minLod); }, kCore3},
    {GL_TEXTURE_MAX_LOD, [](const SamplingParameters& sampling) { return real(sampling.maxLod); }, kCore3},
    {GL_TEXTURE_COMPARE_MODE, [](const SamplingParameters& sampling) { return integer(sampling.compareMode); }},
    {GL_TEXTURE_COMPARE_FUNC, [](const SamplingParameters& sampling) { return integer(sampling.compareFunction); }},
    {GL_TEXTURE_SRGB_DECODE_EXT, [](const SamplingParameters& sampling) { return integer(sampling.srgbDecode); }},
    {GL_TEXTURE_MAX_ANISOTROPY_EXT, [](const SamplingParameters& sampling) { return real(sampling.maxAnisotropy); }},
    {GL_TEXTURE_BORDER_COLOR_EXT, borderColor},
};

constexpr TextureParameter kTextureParameters[] = {
    {GL_TEXTURE_MAX_LEVEL, [](const Texture& texture) { return integer(texture.maxLevel); }},
    {GL_TEXTURE_IMMUTABLE_FORMAT, [](const Texture& texture) { return integer(texture.immutableLevels != 0); }},
    {GL_REQUIRED_TEXTURE_IMAGE_UNITS_OES, [](const Texture&) { return integer(1); }},
    {GL_TEXTURE_CACHE_HITS_TESSERA, cacheCounter<GL_TEXTURE_CACHE_HITS_TESSERA>},
    {GL_TEXTURE_CACHE_MISSES_TESSERA, cacheCounter<GL_TEXTURE_CACHE_MISSES_TESSERA>},
    {GL_TEXTURE_CACHE_CONFLICTS_TESSERA, cacheCounter<GL_TEXTURE_CACHE_CONFLICTS_TESSERA>},
    {GL_TEXTURE_CACHE_BYTES_TESSERA, cacheCounter<GL_TEXTURE_CACHE_BYTES_TESSERA>},
    {GL_GENERATE_MIPMAP, [](const Texture& texture) { return integer(texture.generateMipmap); },
     TextureParameter::Of::Es1},
    {GL_TEXTURE_CROP_RECT_OES,
     [](const Texture& texture) { return several(StateValue::Kind::Integer, texture.cropRect); },
     TextureParameter::Of::Es1},
    {GL_TEXTURE_BASE_LEVEL, [](const Texture& texture) { return integer(texture.baseLevel); },
     TextureParameter::Of::Es3},
    {GL_TEXTURE_IMMUTABLE_LEVELS, [](const Texture& texture) { return integer(texture.immutableLevels); },
     TextureParameter::Of::Es3},
    {GL_TEXTURE_SWIZZLE_R, [](const Texture& texture) { return integer(texture.swizzle[0]); },
     TextureParameter::Of::Es3},
    {GL_TEXTURE_SWIZZLE_G, [](const Texture& texture) { return integer(texture.swizzle[1]); },
     TextureParameter::Of::Es3},
    {GL_TEXTURE_SWIZZLE_B, [](const Texture& texture) { return integer(texture.swizzle[2]); },
     TextureParameter::Of::Es3},
    {GL_TEXTURE_SWIZZLE_A, [](const Texture& texture) { return integer(texture.swizzle[3]); },
     TextureParameter::Of::Es3},
};

const SamplingParameter* findSampling(const Context& c, GLenum pname) {
    const SamplingParameter* row = findParameter(kSamplingParameters, pname);
    return row && (row->since != kCore3 || c.isEs3()) ? row : nullptr;
}

const TextureParameter* findOfTexture(const Context& c, GLenum pname) {
    const TextureParameter* row = findParameter(kTextureParameters, pname);
    const bool isThere = row && (row->of == TextureParameter::Of::All ||
                                 (row->of == TextureParameter::Of::Es1 ? c.fixedFunction != nullptr : c.isEs3()));
    return isThere ? row : nullptr;
}

/// `convert` is toInt or toFloat.
template <class T>
using Conversion = T (*)(const StateValue&, int);

template <class T>
void tell(const StateValue& value, T* params, Conversion<T> convert) {
    for (int i = 0; i < value.count; ++i) params[i] = convert(value, i);
}

template <class T>
void tellOfTexture(Context& c, GLenum target, GLenum pname, T* params, Conversion<T> convert) {
    const SamplingParameter* common = findSampling(c, pname);
    const TextureParameter* own = findOfTexture(c, pname);
    if (!validate::getTexParameter(c, target, common || own) || !params) return;
    const Texture& texture = **c.textureBinding(target);
    tell(common ? common->read(texture.sampling) : own->read(texture), params, convert);
}

template <class T>
void getTextureParameter(GLenum target, GLenum pname, T* params, Conversion<T> convert,
                         const char* call = __builtin_FUNCTION()) {
    enter([&](Context& c) { tellOfTexture(c, target, pname, params, convert); }, call);
}

template <class T>
void getSamplerParameter(GLuint sampler, GLenum pname, T* params, Conversion<T> convert,
                         const char* call = __builtin_FUNCTION()) {
    enterEs3(
        [&](Context& c) {
            const SamplingParameter* parameter = findSampling(c, pname);
            if (validate::getSamplerParameter(c, sampler, parameter != nullptr) && params)
                tell(parameter->read(c.group().samplers.findOrMake(sampler)->parameters), params, convert);
        },
        call);
}

/// A component of a border colour as 0..1, or whatever colour it stands for.
GLfloat borderComponent(GLfloat value) { return value; }
GLfloat borderComponent(GLint value) {
    return std::max(static_cast<GLfloat>(value / 2147483647.0), -1.0f);  // OpenGL ES 3.0, equation 2.2
}

template <class T>
void setBorderColor(SamplingParameters& sampling, const T* params) {
    std::transform(params, params + 4, sampling.borderColor.begin(), [](T value) { return borderComponent(value); });
    sampling.borderIsInteger = false;
}

/// Components of a border colour as integers: glTexParameterIiv and its kin.
template <class T>
struct Integers {
    const T* values;
};
template <class T>
void setBorderColor(SamplingParameters& sampling, Integers<T> params) {
    std::transform(params.values, params.values + 4, sampling.borderColor.begin(),
                   [](T value) { return std::bit_cast<GLfloat>(value); });
    sampling.borderIsInteger = true;
}

template <class T>
void setTextureBorder(GLenum target, const T* params, const char* call = __builtin_FUNCTION()) {
    enter(
        [&](Context& c) {
            if (validate::textureTarget(c, target) && params)
                setBorderColor((*c.textureBinding(target))->sampling, params);
        },
        call);
}

template <class T>
void setSamplerParameters(GLuint sampler, GLenum pname, const T* params, const char* call = __builtin_FUNCTION()) {
    if (!params) return enterEs3([](Context&) {}, call);
    if (pname != GL_TEXTURE_BORDER_COLOR_EXT) return setSamplerParameter(sampler, pname, *params, call);
    enterEs3(
        [&](Context& c) {
            if (validate::sampler(c, sampler))
                setBorderColor(c.group().samplers.findOrMake(sampler)->parameters, params);
        },
        call);
}

/// The integer forms differ in border colours alone.
template <class T>
void setIntegerParameters(GLenum target, GLenum pname, const T* params, const char* call = __builtin_FUNCTION()) {
    enterEs3(
        [&](Context& c) {
            if (!params) return;
            if (pname != GL_TEXTURE_BORDER_COLOR_EXT)
                return changeTexture(c, target, pname, static_cast<GLint>(*params));
            if (validate::textureTarget(c, target))
                setBorderColor((*c.textureBinding(target))->sampling, Integers<T>{params});
        },
        call);
}
template <class T>
void setIntegerSamplerParameters(GLuint sampler, GLenum pname, const T* params,
                                 const char* call = __builtin_FUNCTION()) {
    enterEs3(
        [&](Context& c) {
            if (!params) return;
            if (pname != GL_TEXTURE_BORDER_COLOR_EXT)
                return changeSampler(c, sampler, pname, static_cast<GLint>(*params));
            if (validate::sampler(c, sampler))
                setBorderColor(c.group().samplers.findOrMake(sampler)->parameters, Integers<T>{params});
        },
        call);
}

GLuint toUint(const StateValue& state, int i) { return static_cast<GLuint>(toInt(state, i)); }

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
    if (pname == GL_TEXTURE_BORDER_COLOR_EXT) return setTextureBorder(target, params);
    setTextureParameters(target, pname, params);
}
void GL_APIENTRY glTexParameteriv(GLenum target, GLenum pname, const GLint* params) {
    if (pname == GL_TEXTURE_BORDER_COLOR_EXT) return setTextureBorder(target, params);
    setTextureParameters(target, pname, params);
}
void GL_APIENTRY glGetTexParameterfv(GLenum target, GLenum pname, GLfloat* params) {
    getTextureParameter(target, pname, params, toFloat);
}
void GL_APIENTRY glGetTexParameteriv(GLenum target, GLenum pname, GLint* params) {
    getTextureParameter(target, pname, params, toInt);
}

// EXT_texture_border_clamp, OES_texture_border_clamp

void GL_APIENTRY glTexParameterIivEXT(GLenum target, GLenum pname, const GLint* params) {
    setIntegerParameters(target, pname, params);
}
void GL_APIENTRY glTexParameterIivOES(GLenum target, GLenum pname, const GLint* params) {
    glTexParameterIivEXT(target, pname, params);
}
void GL_APIENTRY glTexParameterIuivEXT(GLenum target, GLenum pname, const GLuint* params) {
    setIntegerParameters(target, pname, params);
}
void GL_APIENTRY glTexParameterIuivOES(GLenum target, GLenum pname, const GLuint* params) {
    glTexParameterIuivEXT(target, pname, params);
}
void GL_APIENTRY glGetTexParameterIivEXT(GLenum target, GLenum pname, GLint* params) {
    enterEs3([&](Context& c) { tellOfTexture<GLint>(c, target, pname, params, toInt); });
}
void GL_APIENTRY glGetTexParameterIivOES(GLenum target, GLenum pname, GLint* params) {
    glGetTexParameterIivEXT(target, pname, params);
}
void GL_APIENTRY glGetTexParameterIuivEXT(GLenum target, GLenum pname, GLuint* params) {
    enterEs3([&](Context& c) { tellOfTexture<GLuint>(c, target, pname, params, toUint); });
}
void GL_APIENTRY glGetTexParameterIuivOES(GLenum target, GLenum pname, GLuint* params) {
    glGetTexParameterIuivEXT(target, pname, params);
}
void GL_APIENTRY glSamplerParameterIivEXT(GLuint sampler, GLenum pname, const GLint* param) {
    setIntegerSamplerParameters(sampler, pname, param);
}
void GL_APIENTRY glSamplerParameterIivOES(GLuint sampler, GLenum pname, const GLint* param) {
    glSamplerParameterIivEXT(sampler, pname, param);
}
void GL_APIENTRY glSamplerParameterIuivEXT(GLuint sampler, GLenum pname, const GLuint* param) {
    setIntegerSamplerParameters(sampler, pname, param);
}
void GL_APIENTRY glSamplerParameterIuivOES(GLuint sampler, GLenum pname, const GLuint* param) {
    glSamplerParameterIuivEXT(sampler, pname, param);
}
void GL_APIENTRY glGetSamplerParameterIivEXT(GLuint sampler, GLenum pname, GLint* params) {
    getSamplerParameter(sampler, pname, params, toInt);
}
void GL_APIENTRY glGetSamplerParameterIivOES(GLuint sampler, GLenum pname, GLint* params) {
    glGetSamplerParameterIivEXT(sampler, pname, params);
}
void GL_APIENTRY glGetSamplerParameterIuivEXT(GLuint sampler, GLenum pname, GLuint* params) {
    getSamplerParameter(sampler, pname, params, toUint);
}
void GL_APIENTRY glGetSamplerParameterIuivOES(GLuint sampler, GLenum pname, GLuint* params) {
    glGetSamplerParameterIuivEXT(sampler, pname, params);
}

// Sampler objects

void GL_APIENTRY glGenSamplers(GLsizei count, GLuint* samplers) {
    enterEs3([&](Context& c) { generate(c, c.group().samplers, count, samplers); });
}

void GL_APIENTRY glDeleteSamplers(GLsizei count, const GLuint* samplers) {
    enterEs3([&](Context& c) { erase(c, c.group().samplers, count, samplers); });
}

// A name of glGenSamplers is a sampler's from the first question on.
GLboolean GL_APIENTRY glIsSampler(GLuint sampler) {
    return enterEs3For(GLboolean{GL_FALSE}, [&](Context& c) {
        return static_cast<GLboolean>(sampler != 0 && c.group().samplers.contains(sampler));
    });
}

void GL_APIENTRY glBindSampler(GLuint unit, GLuint sampler) {
    enterEs3([&](Context& c) {
        if (validate::bindSampler(c, unit, sampler))
            c.textureImageUnits[unit].sampler = named(c.group().samplers, sampler);
    });
}

void GL_APIENTRY glSamplerParameteri(GLuint sampler, GLenum pname, GLint param) {
    setSamplerParameter(sampler, pname, param);
}
void GL_APIENTRY glSamplerParameterf(GLuint sampler, GLenum pname, GLfloat param) {
    setSamplerParameter(sampler, pname, param);
}
void GL_APIENTRY glSamplerParameteriv(GLuint sampler, GLenum pname, const GLint* param) {
    setSamplerParameters(sampler, pname, param);
}
void GL_APIENTRY glSamplerParameterfv(GLuint sampler, GLenum pname, const GLfloat* param) {
    setSamplerParameters(sampler, pname, param);
}
void GL_APIENTRY glGetSamplerParameteriv(GLuint sampler, GLenum pname, GLint* params) {
    getSamplerParameter(sampler, pname, params, toInt);
}
void GL_APIENTRY glGetSamplerParameterfv(GLuint sampler, GLenum pname, GLfloat* params) {
    getSamplerParameter(sampler, pname, params, toFloat);
}

}  // extern "C"
