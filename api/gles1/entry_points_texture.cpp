// Entry points of texture environments and texture coordinate generation (OpenGL ES 1.1.12, section 3.7.12,
// OES_texture_env_crossbar, OES_point_sprite, OES_texture_cube_map), and fixed-point texture parameters.
#include <algorithm>

#include "api/gles1/fixed_context.h"
#include "api/gles1/parameters.h"

using namespace tessera::gles1;
using tessera::gles::Context;

namespace {

bool isMode(GLenum mode) {
    return mode == GL_MODULATE || mode == GL_REPLACE || mode == GL_DECAL || mode == GL_BLEND || mode == GL_ADD ||
           mode == GL_COMBINE;
}

bool isFunction(GLenum function, bool isAlpha) {
    switch (function) {
        case GL_REPLACE:
        case GL_MODULATE:
        case GL_ADD:
        case GL_ADD_SIGNED:
        case GL_INTERPOLATE:
        case GL_SUBTRACT:
            return true;
        case GL_DOT3_RGB:
        case GL_DOT3_RGBA:
            return !isAlpha;
    }
    return false;
}

bool isSource(GLenum source) {
    return source == GL_TEXTURE || source == GL_CONSTANT || source == GL_PRIMARY_COLOR || source == GL_PREVIOUS ||
           (source >= GL_TEXTURE0 && source < GL_TEXTURE0 + kMaxTextureUnits);
}

bool isOperand(GLenum operand, bool isAlpha) {
    if (operand == GL_SRC_ALPHA || operand == GL_ONE_MINUS_SRC_ALPHA) return true;
    return !isAlpha && (operand == GL_SRC_COLOR || operand == GL_ONE_MINUS_SRC_COLOR);
}

/// An enumerant of the texture environment, with what it may be; null: there is none of that name.
struct EnvironmentEnum {
    GLenum* value = nullptr;
    bool (*isValid)(GLenum) = nullptr;
};

EnvironmentEnum environmentEnum(FixedTextureUnit& unit, GLenum pname) {
    switch (pname) {
        case GL_TEXTURE_ENV_MODE:
            return {&unit.mode, isMode};
        case GL_COMBINE_RGB:
            return {&unit.rgb.function, [](GLenum value) { return isFunction(value, false); }};
        case GL_COMBINE_ALPHA:
            return {&unit.alpha.function, [](GLenum value) { return isFunction(value, true); }};
        case GL_SRC0_RGB:
        case GL_SRC1_RGB:
        case GL_SRC2_RGB:
            return {&unit.rgb.source[pname - GL_SRC0_RGB], isSource};
        case GL_SRC0_ALPHA:
        case GL_SRC1_ALPHA:
        case GL_SRC2_ALPHA:
            return {&unit.alpha.source[pname - GL_SRC0_ALPHA], isSource};
        case GL_OPERAND0_RGB:
        case GL_OPERAND1_RGB:
        case GL_OPERAND2_RGB:
            return {&unit.rgb.operand[pname - GL_OPERAND0_RGB], [](GLenum value) { return isOperand(value, false); }};
        case GL_OPERAND0_ALPHA:
        case GL_OPERAND1_ALPHA:
        case GL_OPERAND2_ALPHA:
            return {&unit.alpha.operand[pname - GL_OPERAND0_ALPHA],
                    [](GLenum value) { return isOperand(value, true); }};
    }
    return {};
}

float* environmentScale(FixedTextureUnit& unit, GLenum pname) {
    if (pname == GL_RGB_SCALE) return &unit.rgb.scale;
    return pname == GL_ALPHA_SCALE ? &unit.alpha.scale : nullptr;
}

FixedTextureUnit& activeUnit(Context& c, FixedState& state) { return state.unit[static_cast<size_t>(c.activeTexture)]; }

void setEnvironment(GLenum target, GLenum pname, bool isVector, const Parameters& from,
                    const char* call = __builtin_FUNCTION()) {
    if (from.isNull()) return;
    enterFixedState(
        [&](Context& c, FixedState& state) {
            FixedTextureUnit& unit = activeUnit(c, state);
            if (target == GL_POINT_SPRITE_OES && pname == GL_COORD_REPLACE_OES) {
                unit.coordReplace = from.boolean();
                return;
            }
            // EXT_texture_lod_bias is not there: of its target nothing is known.
            if (target != GL_TEXTURE_ENV) {
                c.error(GL_INVALID_ENUM);
                return;
            }
            if (pname == GL_TEXTURE_ENV_COLOR && isVector) {
                unit.environmentColor = from.color();
                for (float& channel : unit.environmentColor) channel = channel > 0 ? std::min(channel, 1.0f) : 0.0f;
            } else if (float* scale = environmentScale(unit, pname)) {
                const float value = from.number();
                if (value == 1 || value == 2 || value == 4)
                    *scale = value;
                else
                    c.error(GL_INVALID_VALUE);
            } else {
                const EnvironmentEnum entry = environmentEnum(unit, pname);
                if (entry.value && entry.isValid(from.enumerant()))
                    *entry.value = from.enumerant();
                else
                    c.error(GL_INVALID_ENUM);
            }
        },
        call);
}

/// `number` and `color` convert what are numbers and colours; enumerants and booleans stay.
template <class T, class Number, class Color>
void getEnvironment(GLenum target, GLenum pname, T* params, Number number, Color color,
                    const char* call = __builtin_FUNCTION()) {
    enterFixedState(
        [&](Context& c, FixedState& state) {
            FixedTextureUnit& unit = activeUnit(c, state);
            if (target == GL_POINT_SPRITE_OES && pname == GL_COORD_REPLACE_OES) {
                if (params) *params = static_cast<T>(unit.coordReplace);
                return;
            }
            const EnvironmentEnum entry = environmentEnum(unit, pname);
            const float* scale = environmentScale(unit, pname);
            if (target != GL_TEXTURE_ENV || (!entry.value && !scale && pname != GL_TEXTURE_ENV_COLOR)) {
                c.error(GL_INVALID_ENUM);
                return;
            }
            if (!params) return;
            if (entry.value)
                *params = static_cast<T>(*entry.value);
            else if (scale)
                *params = number(*scale);
            else
                std::transform(unit.environmentColor.begin(), unit.environmentColor.end(), params, color);
        },
        call);
}

GLint colorToInt(float value) {
    return tessera::gles::toInt({tessera::gles::StateValue::Kind::Normalized, 1, {value}}, 0);
}
constexpr auto kAsFloat = [](float value) { return value; };

void setTexGen(GLenum coord, GLenum pname, const Parameters& from, const char* call = __builtin_FUNCTION()) {
    if (from.isNull()) return;
    enterFixedState(
        [&](Context& c, FixedState& state) {
            const GLenum mode = from.enumerant();
            const bool known = coord == GL_TEXTURE_GEN_STR_OES && pname == GL_TEXTURE_GEN_MODE_OES &&
                               (mode == GL_REFLECTION_MAP_OES || mode == GL_NORMAL_MAP_OES);
            if (known)
                activeUnit(c, state).generateMode = mode;
            else
                c.error(GL_INVALID_ENUM);
        },
        call);
}

template <class T>
void getTexGen(GLenum coord, GLenum pname, T* params, const char* call = __builtin_FUNCTION()) {
    enterFixedState(
        [&](Context& c, FixedState& state) {
            if (coord != GL_TEXTURE_GEN_STR_OES || pname != GL_TEXTURE_GEN_MODE_OES)
                c.error(GL_INVALID_ENUM);
            else if (params)
                *params = static_cast<T>(activeUnit(c, state).generateMode);
        },
        call);
}

/// Texture parameters that are numbers, not enumerants.
bool isNumber(GLenum pname) { return pname == GL_TEXTURE_MAX_ANISOTROPY_EXT; }

}  // namespace

extern "C" {

GL_API void GL_APIENTRY glTexEnvf(GLenum target, GLenum pname, GLfloat param) {
    setEnvironment(target, pname, false, Parameters(&param));
}
GL_API void GL_APIENTRY glTexEnvfv(GLenum target, GLenum pname, const GLfloat* params) {
    setEnvironment(target, pname, true, Parameters(params));
}
GL_API void GL_APIENTRY glTexEnvi(GLenum target, GLenum pname, GLint param) {
    setEnvironment(target, pname, false, Parameters::integers(&param));
}
GL_API void GL_APIENTRY glTexEnviv(GLenum target, GLenum pname, const GLint* params) {
    setEnvironment(target, pname, true, Parameters::integers(params));
}
GL_API void GL_APIENTRY glTexEnvx(GLenum target, GLenum pname, GLfixed param) {
    setEnvironment(target, pname, false, Parameters::fixed(&param));
}
GL_API void GL_APIENTRY glTexEnvxv(GLenum target, GLenum pname, const GLfixed* params) {
    setEnvironment(target, pname, true, Parameters::fixed(params));
}
GL_API void GL_APIENTRY glGetTexEnvfv(GLenum target, GLenum pname, GLfloat* params) {
    getEnvironment(target, pname, params, kAsFloat, kAsFloat);
}
GL_API void GL_APIENTRY glGetTexEnviv(GLenum target, GLenum pname, GLint* params) {
    getEnvironment(target, pname, params, [](float value) { return static_cast<GLint>(value); }, colorToInt);
}
GL_API void GL_APIENTRY glGetTexEnvxv(GLenum target, GLenum pname, GLfixed* params) {
    getEnvironment(target, pname, params, toFixed, toFixed);
}

GL_API void GL_APIENTRY glTexGenfOES(GLenum coord, GLenum pname, GLfloat param) {
    setTexGen(coord, pname, Parameters(&param));
}
GL_API void GL_APIENTRY glTexGenfvOES(GLenum coord, GLenum pname, const GLfloat* params) {
    setTexGen(coord, pname, Parameters(params));
}
GL_API void GL_APIENTRY glTexGeniOES(GLenum coord, GLenum pname, GLint param) {
    setTexGen(coord, pname, Parameters::integers(&param));
}
GL_API void GL_APIENTRY glTexGenivOES(GLenum coord, GLenum pname, const GLint* params) {
    setTexGen(coord, pname, Parameters::integers(params));
}
GL_API void GL_APIENTRY glTexGenxOES(GLenum coord, GLenum pname, GLfixed param) {
    setTexGen(coord, pname, Parameters::fixed(&param));
}
GL_API void GL_APIENTRY glTexGenxvOES(GLenum coord, GLenum pname, const GLfixed* params) {
    setTexGen(coord, pname, Parameters::fixed(params));
}
GL_API void GL_APIENTRY glGetTexGenfvOES(GLenum coord, GLenum pname, GLfloat* params) {
    getTexGen(coord, pname, params);
}
GL_API void GL_APIENTRY glGetTexGenivOES(GLenum coord, GLenum pname, GLint* params) { getTexGen(coord, pname, params); }
GL_API void GL_APIENTRY glGetTexGenxvOES(GLenum coord, GLenum pname, GLfixed* params) {
    getTexGen(coord, pname, params);
}

GL_API void GL_APIENTRY glTexParameterx(GLenum target, GLenum pname, GLfixed param) {
    if (isNumber(pname)) return glTexParameterf(target, pname, fromFixed(param));
    glTexParameteri(target, pname, param);
}
GL_API void GL_APIENTRY glTexParameterxv(GLenum target, GLenum pname, const GLfixed* params) {
    if (!params) return;
    if (pname != GL_TEXTURE_CROP_RECT_OES) return glTexParameterx(target, pname, *params);
    const GLfloat rectangle[4] = {fromFixed(params[0]), fromFixed(params[1]), fromFixed(params[2]),
                                  fromFixed(params[3])};
    glTexParameterfv(target, pname, rectangle);
}
GL_API void GL_APIENTRY glGetTexParameterxv(GLenum target, GLenum pname, GLfixed* params) {
    if (!params) return;
    if (isNumber(pname)) {
        GLfloat value = fromFixed(*params);
        glGetTexParameterfv(target, pname, &value);
        *params = toFixed(static_cast<double>(value));
        return;
    }
    glGetTexParameteriv(target, pname, params);
    if (pname == GL_TEXTURE_CROP_RECT_OES)
        std::transform(params, params + 4, params, [](GLint value) { return toFixed(value); });
}

}  // extern "C"
