// Entry points of vertex arrays, current values and points (OpenGL ES 1.1.12, sections 2.7, 2.8, 3.3).
#include <algorithm>

#include "api/gles1/fixed_context.h"
#include "api/gles1/parameters.h"

using namespace tessera::gles1;
namespace gles = tessera::gles;
using gles::Context;

namespace {

/// What a gl*Pointer call may be given.
struct ArrayRule {
    GLint minSize, maxSize;
    std::initializer_list<GLenum> types;
    GLenum normalizedType = GL_NONE;  ///< integers of this type stand for 0..1
    bool allNormalized = false;       ///< integers of any type stand for -1..1
};

void setArray(Context& c, GLuint index, const ArrayRule& rule, GLint size, GLenum type, GLsizei stride,
              const void* pointer) {
    if (size < rule.minSize || size > rule.maxSize || stride < 0) {
        c.error(GL_INVALID_VALUE);
        return;
    }
    if (std::ranges::find(rule.types, type) == rule.types.end()) {
        c.error(GL_INVALID_ENUM);
        return;
    }
    const bool isInteger = type != GL_FLOAT && type != GL_FIXED;
    gles::AttribArray& array = c.vertexArray->attribs[index];
    array.size = size;
    array.type = type;
    array.normalized = isInteger && (rule.allNormalized || type == rule.normalizedType);
    array.stride = stride;
    array.pointer = pointer;
    array.buffer = c.arrayBuffer;
}

/// Number of the attribute whose array glEnableClientState names; -1 for none.
int clientArray(const FixedState& state, GLenum array) {
    switch (array) {
        case GL_VERTEX_ARRAY:
            return kVertex;
        case GL_NORMAL_ARRAY:
            return kNormal;
        case GL_COLOR_ARRAY:
            return kColor;
        case GL_POINT_SIZE_ARRAY_OES:
            return kPointSize;
        case GL_TEXTURE_COORD_ARRAY:
            return static_cast<int>(kTextureCoord) + state.clientActiveTexture;
    }
    return -1;
}

void setClientState(GLenum array, bool enabled, const char* call = __builtin_FUNCTION()) {
    enterFixed(
        [&](Context& c, FixedContext& fixed) {
            const int index = clientArray(fixed.state, array);
            if (index < 0)
                c.error(GL_INVALID_ENUM);
            else
                c.vertexArray->attribs[static_cast<size_t>(index)].enabled = enabled;
        },
        call);
}

void setColor(const Vector4& color, const char* call = __builtin_FUNCTION()) {
    enterFixed(
        [&](Context& c, FixedContext& fixed) {
            c.currentAttrib[kColor] = color;
            if (fixed.state.colorMaterial) fixed.state.material.ambient = fixed.state.material.diffuse = color;
        },
        call);
}

void setNormal(GLfloat x, GLfloat y, GLfloat z, const char* call = __builtin_FUNCTION()) {
    enterFixed([&](Context& c, FixedContext&) { c.currentAttrib[kNormal] = {x, y, z, 1}; }, call);
}

void setTextureCoord(GLenum target, const Vector4& value, const char* call = __builtin_FUNCTION()) {
    enterFixed(
        [&](Context& c, FixedContext&) {
            if (target < GL_TEXTURE0 || target >= GL_TEXTURE0 + kMaxTextureUnits)
                c.error(GL_INVALID_ENUM);
            else
                c.currentAttrib[kTextureCoord + (target - GL_TEXTURE0)] = value;
        },
        call);
}

void setPointSize(GLfloat size, const char* call = __builtin_FUNCTION()) {
    enterFixed(
        [&](Context& c, FixedContext&) {
            if (size > 0)
                c.currentAttrib[kPointSize][0] = size;
            else
                c.error(GL_INVALID_VALUE);
        },
        call);
}

void setPointParameter(GLenum pname, bool isVector, const Parameters& from, const char* call = __builtin_FUNCTION()) {
    if (from.isNull()) return;
    enterFixedState(
        [&](Context& c, FixedState& state) {
            if (pname == GL_POINT_DISTANCE_ATTENUATION && isVector) {
                for (size_t i = 0; i < 3; ++i) state.pointAttenuation[i] = from.number(i);
                return;
            }
            float* value = nullptr;
            if (pname == GL_POINT_SIZE_MIN) value = &state.pointSizeMin;
            if (pname == GL_POINT_SIZE_MAX) value = &state.pointSizeMax;
            if (pname == GL_POINT_FADE_THRESHOLD_SIZE) value = &state.pointFadeThreshold;
            if (!value)
                c.error(GL_INVALID_ENUM);
            else if (!(from.number() >= 0))
                c.error(GL_INVALID_VALUE);
            else
                *value = from.number();
        },
        call);
}

}  // namespace

extern "C" {

GL_API void GL_APIENTRY glVertexPointer(GLint size, GLenum type, GLsizei stride, const void* pointer) {
    enterFixed([&](Context& c, FixedContext&) {
        setArray(c, kVertex, {2, 4, {GL_BYTE, GL_SHORT, GL_FIXED, GL_FLOAT}}, size, type, stride, pointer);
    });
}
GL_API void GL_APIENTRY glNormalPointer(GLenum type, GLsizei stride, const void* pointer) {
    enterFixed([&](Context& c, FixedContext&) {
        const ArrayRule rule{3, 3, {GL_BYTE, GL_SHORT, GL_FIXED, GL_FLOAT}, GL_NONE, true};
        setArray(c, kNormal, rule, 3, type, stride, pointer);
    });
}
GL_API void GL_APIENTRY glColorPointer(GLint size, GLenum type, GLsizei stride, const void* pointer) {
    enterFixed([&](Context& c, FixedContext&) {
        const ArrayRule rule{4, 4, {GL_UNSIGNED_BYTE, GL_FIXED, GL_FLOAT}, GL_UNSIGNED_BYTE};
        setArray(c, kColor, rule, size, type, stride, pointer);
    });
}
GL_API void GL_APIENTRY glTexCoordPointer(GLint size, GLenum type, GLsizei stride, const void* pointer) {
    enterFixed([&](Context& c, FixedContext& fixed) {
        const GLuint index = kTextureCoord + static_cast<GLuint>(fixed.state.clientActiveTexture);
        setArray(c, index, {2, 4, {GL_BYTE, GL_SHORT, GL_FIXED, GL_FLOAT}}, size, type, stride, pointer);
    });
}
GL_API void GL_APIENTRY glPointSizePointerOES(GLenum type, GLsizei stride, const void* pointer) {
    enterFixed([&](Context& c, FixedContext&) {
        setArray(c, kPointSize, {1, 1, {GL_FIXED, GL_FLOAT}}, 1, type, stride, pointer);
    });
}

GL_API void GL_APIENTRY glEnableClientState(GLenum array) { setClientState(array, true); }
GL_API void GL_APIENTRY glDisableClientState(GLenum array) { setClientState(array, false); }
GL_API void GL_APIENTRY glClientActiveTexture(GLenum texture) {
    enterFixedState([&](Context& c, FixedState& state) {
        if (texture < GL_TEXTURE0 || texture >= GL_TEXTURE0 + kMaxTextureUnits)
            c.error(GL_INVALID_ENUM);
        else
            state.clientActiveTexture = static_cast<int>(texture - GL_TEXTURE0);
    });
}
GL_API void GL_APIENTRY glGetPointerv(GLenum pname, void** params) {
    GLenum array = GL_NONE;
    switch (pname) {
        case GL_VERTEX_ARRAY_POINTER:
            array = GL_VERTEX_ARRAY;
            break;
        case GL_NORMAL_ARRAY_POINTER:
            array = GL_NORMAL_ARRAY;
            break;
        case GL_COLOR_ARRAY_POINTER:
            array = GL_COLOR_ARRAY;
            break;
        case GL_TEXTURE_COORD_ARRAY_POINTER:
            array = GL_TEXTURE_COORD_ARRAY;
            break;
        case GL_POINT_SIZE_ARRAY_POINTER_OES:
            array = GL_POINT_SIZE_ARRAY_OES;
            break;
        default:
            return glGetPointervKHR(pname, params);
    }
    enterFixedState([&](Context& c, FixedState& state) {
        const auto index = static_cast<size_t>(clientArray(state, array));
        if (params) *params = const_cast<void*>(c.vertexArray->attribs[index].pointer);
    });
}

GL_API void GL_APIENTRY glColor4f(GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha) {
    setColor({red, green, blue, alpha});
}
GL_API void GL_APIENTRY glColor4ub(GLubyte red, GLubyte green, GLubyte blue, GLubyte alpha) {
    setColor({static_cast<float>(red) / 255.0f, static_cast<float>(green) / 255.0f, static_cast<float>(blue) / 255.0f,
              static_cast<float>(alpha) / 255.0f});
}
GL_API void GL_APIENTRY glColor4x(GLfixed red, GLfixed green, GLfixed blue, GLfixed alpha) {
    setColor({fromFixed(red), fromFixed(green), fromFixed(blue), fromFixed(alpha)});
}
GL_API void GL_APIENTRY glNormal3f(GLfloat x, GLfloat y, GLfloat z) { setNormal(x, y, z); }
GL_API void GL_APIENTRY glNormal3x(GLfixed x, GLfixed y, GLfixed z) {
    setNormal(fromFixed(x), fromFixed(y), fromFixed(z));
}
GL_API void GL_APIENTRY glMultiTexCoord4f(GLenum target, GLfloat s, GLfloat t, GLfloat r, GLfloat q) {
    setTextureCoord(target, {s, t, r, q});
}
GL_API void GL_APIENTRY glMultiTexCoord4x(GLenum target, GLfixed s, GLfixed t, GLfixed r, GLfixed q) {
    setTextureCoord(target, {fromFixed(s), fromFixed(t), fromFixed(r), fromFixed(q)});
}

GL_API void GL_APIENTRY glPointSize(GLfloat size) { setPointSize(size); }
GL_API void GL_APIENTRY glPointSizex(GLfixed size) { setPointSize(fromFixed(size)); }
GL_API void GL_APIENTRY glPointParameterf(GLenum pname, GLfloat param) {
    setPointParameter(pname, false, Parameters(&param));
}
GL_API void GL_APIENTRY glPointParameterfv(GLenum pname, const GLfloat* params) {
    setPointParameter(pname, true, Parameters(params));
}
GL_API void GL_APIENTRY glPointParameterx(GLenum pname, GLfixed param) {
    setPointParameter(pname, false, Parameters::fixed(&param));
}
GL_API void GL_APIENTRY glPointParameterxv(GLenum pname, const GLfixed* params) {
    setPointParameter(pname, true, Parameters::fixed(params));
}

}  // extern "C"
