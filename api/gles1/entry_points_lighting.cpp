// Entry points of lights, materials, fog and the shade model (OpenGL ES 1.1.12, sections 2.12 and 3.8).
#include <algorithm>

#include "api/gles1/fixed_context.h"
#include "api/gles1/parameters.h"

using namespace tessera::gles1;
using tessera::gles::Context;

namespace {

/// Calls with one value take the parameters that have one.
enum class Form { Scalar, Vector };

/// A group of consecutive values of a light or of the material, for setting and asking.
struct Field {
    float* values = nullptr;  ///< null: there is none of that name
    size_t count = 0;
};

Field lightField(Light& light, GLenum pname) {
    switch (pname) {
        case GL_AMBIENT:
            return {light.ambient.data(), 4};
        case GL_DIFFUSE:
            return {light.diffuse.data(), 4};
        case GL_SPECULAR:
            return {light.specular.data(), 4};
        case GL_POSITION:
            return {light.position.data(), 4};
        case GL_SPOT_DIRECTION:
            return {light.spotDirection.data(), 3};
        case GL_SPOT_EXPONENT:
            return {&light.spotExponent, 1};
        case GL_SPOT_CUTOFF:
            return {&light.spotCutoff, 1};
        case GL_CONSTANT_ATTENUATION:
        case GL_LINEAR_ATTENUATION:
        case GL_QUADRATIC_ATTENUATION:
            return {&light.attenuation[pname - GL_CONSTANT_ATTENUATION], 1};
    }
    return {};
}

Field materialField(Material& material, GLenum pname) {
    switch (pname) {
        case GL_AMBIENT:
            return {material.ambient.data(), 4};
        case GL_DIFFUSE:
            return {material.diffuse.data(), 4};
        case GL_SPECULAR:
            return {material.specular.data(), 4};
        case GL_EMISSION:
            return {material.emission.data(), 4};
        case GL_SHININESS:
            return {&material.shininess, 1};
    }
    return {};
}

bool isLightValue(GLenum pname, GLfloat value) {
    if (pname == GL_SPOT_EXPONENT) return value >= 0 && value <= 128;
    if (pname == GL_SPOT_CUTOFF) return (value >= 0 && value <= 90) || value == 180;
    return value >= 0;
}

Light* findLight(Context& c, FixedState& state, GLenum light) {
    if (light >= GL_LIGHT0 && light < GL_LIGHT0 + kMaxLights) return &state.light[light - GL_LIGHT0];
    c.error(GL_INVALID_ENUM);
    return nullptr;
}

void setLight(GLenum name, GLenum pname, Form form, const Parameters& from, const char* call = __builtin_FUNCTION()) {
    if (from.isNull()) return;
    enterFixedState(
        [&](Context& c, FixedState& state) {
            Light* light = findLight(c, state, name);
            if (!light) return;
            const Field field = lightField(*light, pname);
            if (!field.values || (form == Form::Scalar && field.count != 1)) {
                c.error(GL_INVALID_ENUM);
                return;
            }
            if (field.count == 1 && !isLightValue(pname, from.number())) {
                c.error(GL_INVALID_VALUE);
                return;
            }
            const Matrix& modelView = state.modelView.top();
            if (pname == GL_POSITION) {
                light->position = modelView * from.vector();
            } else if (pname == GL_SPOT_DIRECTION) {
                const Vector4 direction = modelView * Vector4{from.number(0), from.number(1), from.number(2), 0};
                std::copy_n(direction.begin(), 3, light->spotDirection.begin());
            } else {
                for (size_t i = 0; i < field.count; ++i) field.values[i] = from.number(i);
            }
        },
        call);
}

void setMaterial(GLenum face, GLenum pname, Form form, const Parameters& from,
                 const char* call = __builtin_FUNCTION()) {
    if (from.isNull()) return;
    enterFixedState(
        [&](Context& c, FixedState& state) {
            const bool both = pname == GL_AMBIENT_AND_DIFFUSE;
            const Field field = materialField(state.material, both ? GL_DIFFUSE : pname);
            if (face != GL_FRONT_AND_BACK || !field.values || (form == Form::Scalar && field.count != 1)) {
                c.error(GL_INVALID_ENUM);
                return;
            }
            if (pname == GL_SHININESS && !(from.number() >= 0 && from.number() <= 128)) {
                c.error(GL_INVALID_VALUE);
                return;
            }
            // While colours are tracked they cannot be set.
            const bool isTracked = state.colorMaterial && (both || pname == GL_AMBIENT || pname == GL_DIFFUSE);
            if (isTracked) return;
            for (size_t i = 0; i < field.count; ++i) field.values[i] = from.number(i);
            if (both) state.material.ambient = state.material.diffuse;
        },
        call);
}

void setLightModel(GLenum pname, Form form, const Parameters& from, const char* call = __builtin_FUNCTION()) {
    if (from.isNull()) return;
    enterFixedState(
        [&](Context& c, FixedState& state) {
            if (pname == GL_LIGHT_MODEL_TWO_SIDE) {
                state.twoSided = from.boolean();
            } else if (pname == GL_LIGHT_MODEL_AMBIENT && form == Form::Vector) {
                state.sceneAmbient = from.vector();
            } else {
                c.error(GL_INVALID_ENUM);
            }
        },
        call);
}

void setFog(GLenum pname, Form form, const Parameters& from, const char* call = __builtin_FUNCTION()) {
    if (from.isNull()) return;
    enterFixedState(
        [&](Context& c, FixedState& state) {
            switch (pname) {
                case GL_FOG_MODE: {
                    const GLenum mode = from.enumerant();
                    if (mode == GL_LINEAR || mode == GL_EXP || mode == GL_EXP2)
                        state.fogMode = mode;
                    else
                        c.error(GL_INVALID_ENUM);
                    return;
                }
                case GL_FOG_DENSITY:
                    if (from.number() >= 0)
                        state.fogDensity = from.number();
                    else
                        c.error(GL_INVALID_VALUE);
                    return;
                case GL_FOG_START:
                    state.fogStart = from.number();
                    return;
                case GL_FOG_END:
                    state.fogEnd = from.number();
                    return;
                case GL_FOG_COLOR:
                    if (form == Form::Scalar) break;
                    state.fogColor = from.vector();
                    for (float& channel : state.fogColor) channel = channel > 0 ? std::min(channel, 1.0f) : 0.0f;
                    return;
            }
            c.error(GL_INVALID_ENUM);
        },
        call);
}

template <class T, class Convert>
void getLight(GLenum name, GLenum pname, T* params, Convert convert, const char* call = __builtin_FUNCTION()) {
    enterFixedState(
        [&](Context& c, FixedState& state) {
            Light* light = findLight(c, state, name);
            if (!light) return;
            const Field field = lightField(*light, pname);
            if (!field.values)
                c.error(GL_INVALID_ENUM);
            else if (params)
                std::transform(field.values, field.values + field.count, params, convert);
        },
        call);
}

template <class T, class Convert>
void getMaterial(GLenum face, GLenum pname, T* params, Convert convert, const char* call = __builtin_FUNCTION()) {
    enterFixedState(
        [&](Context& c, FixedState& state) {
            const Field field = materialField(state.material, pname);
            if (!field.values || (face != GL_FRONT && face != GL_BACK))
                c.error(GL_INVALID_ENUM);
            else if (params)
                std::transform(field.values, field.values + field.count, params, convert);
        },
        call);
}

constexpr auto kAsFloat = [](float value) { return value; };

}  // namespace

extern "C" {

GL_API void GL_APIENTRY glLightf(GLenum light, GLenum pname, GLfloat param) {
    setLight(light, pname, Form::Scalar, Parameters(&param));
}
GL_API void GL_APIENTRY glLightfv(GLenum light, GLenum pname, const GLfloat* params) {
    setLight(light, pname, Form::Vector, Parameters(params));
}
GL_API void GL_APIENTRY glLightx(GLenum light, GLenum pname, GLfixed param) {
    setLight(light, pname, Form::Scalar, Parameters::fixed(&param));
}
GL_API void GL_APIENTRY glLightxv(GLenum light, GLenum pname, const GLfixed* params) {
    setLight(light, pname, Form::Vector, Parameters::fixed(params));
}
GL_API void GL_APIENTRY glGetLightfv(GLenum light, GLenum pname, GLfloat* params) {
    getLight(light, pname, params, kAsFloat);
}
GL_API void GL_APIENTRY glGetLightxv(GLenum light, GLenum pname, GLfixed* params) {
    getLight(light, pname, params, toFixed);
}

GL_API void GL_APIENTRY glMaterialf(GLenum face, GLenum pname, GLfloat param) {
    setMaterial(face, pname, Form::Scalar, Parameters(&param));
}
GL_API void GL_APIENTRY glMaterialfv(GLenum face, GLenum pname, const GLfloat* params) {
    setMaterial(face, pname, Form::Vector, Parameters(params));
}
GL_API void GL_APIENTRY glMaterialx(GLenum face, GLenum pname, GLfixed param) {
    setMaterial(face, pname, Form::Scalar, Parameters::fixed(&param));
}
GL_API void GL_APIENTRY glMaterialxv(GLenum face, GLenum pname, const GLfixed* params) {
    setMaterial(face, pname, Form::Vector, Parameters::fixed(params));
}
GL_API void GL_APIENTRY glGetMaterialfv(GLenum face, GLenum pname, GLfloat* params) {
    getMaterial(face, pname, params, kAsFloat);
}
GL_API void GL_APIENTRY glGetMaterialxv(GLenum face, GLenum pname, GLfixed* params) {
    getMaterial(face, pname, params, toFixed);
}

GL_API void GL_APIENTRY glLightModelf(GLenum pname, GLfloat param) {
    setLightModel(pname, Form::Scalar, Parameters(&param));
}
GL_API void GL_APIENTRY glLightModelfv(GLenum pname, const GLfloat* params) {
    setLightModel(pname, Form::Vector, Parameters(params));
}
GL_API void GL_APIENTRY glLightModelx(GLenum pname, GLfixed param) {
    setLightModel(pname, Form::Scalar, Parameters::fixed(&param));
}
GL_API void GL_APIENTRY glLightModelxv(GLenum pname, const GLfixed* params) {
    setLightModel(pname, Form::Vector, Parameters::fixed(params));
}

GL_API void GL_APIENTRY glFogf(GLenum pname, GLfloat param) { setFog(pname, Form::Scalar, Parameters(&param)); }
GL_API void GL_APIENTRY glFogfv(GLenum pname, const GLfloat* params) {
    setFog(pname, Form::Vector, Parameters(params));
}
GL_API void GL_APIENTRY glFogx(GLenum pname, GLfixed param) { setFog(pname, Form::Scalar, Parameters::fixed(&param)); }
GL_API void GL_APIENTRY glFogxv(GLenum pname, const GLfixed* params) {
    setFog(pname, Form::Vector, Parameters::fixed(params));
}

GL_API void GL_APIENTRY glShadeModel(GLenum mode) {
    enterFixedState([&](Context& c, FixedState& state) {
        if (mode == GL_FLAT || mode == GL_SMOOTH)
            state.shadeModel = mode;
        else
            c.error(GL_INVALID_ENUM);
    });
}

}  // extern "C"
