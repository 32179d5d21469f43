// Entry points of matrices and clip planes (OpenGL ES 1.1.12, sections 2.10, 2.11).
#include <algorithm>
#include <cmath>

#include "api/gles1/fixed_context.h"
#include "api/gles1/parameters.h"

using namespace tessera::gles1;
using tessera::gles::Context;

namespace {

int maxDepth(const FixedState& state) {
    if (state.matrixMode == GL_MODELVIEW) return kMaxModelViewDepth;
    return state.matrixMode == GL_PROJECTION ? kMaxProjectionDepth : kMaxTextureDepth;
}

template <class Act>
void changeMatrix(Act&& act, const char* call) {
    enterFixedState([&](Context& c, FixedState& state) { act(state.currentStack(c.activeTexture).top()); }, call);
}

void load(const Matrix& matrix, const char* call = __builtin_FUNCTION()) {
    changeMatrix([&](Matrix& top) { top = matrix; }, call);
}
void multiply(const Matrix& matrix, const char* call = __builtin_FUNCTION()) {
    changeMatrix([&](Matrix& top) { top = top * matrix; }, call);
}

Matrix matrixOf(const GLfloat* m) {
    Matrix out;
    std::copy_n(m, 16, out.begin());
    return out;
}
Matrix matrixOf(const GLfixed* m) {
    Matrix out;
    std::transform(m, m + 16, out.begin(), fromFixed);
    return out;
}

/// Six planes of a volume; those of a frustum have positive near and far distances.
void multiplyVolume(bool isFrustum, std::array<GLfloat, 6> p, const char* call = __builtin_FUNCTION()) {
    enterFixedState(
        [&](Context& c, FixedState& state) {
            const bool isFlat = p[0] == p[1] || p[2] == p[3] || p[4] == p[5];
            if (isFlat || (isFrustum && !(p[4] > 0 && p[5] > 0))) {
                c.error(GL_INVALID_VALUE);
                return;
            }
            Matrix& top = state.currentStack(c.activeTexture).top();
            top = top * (isFrustum ? frustum : orthographic)(p[0], p[1], p[2], p[3], p[4], p[5]);
        },
        call);
}

ClipPlane* clipPlane(Context& c, FixedState& state, GLenum plane) {
    if (plane >= GL_CLIP_PLANE0 && plane < GL_CLIP_PLANE0 + kMaxClipPlanes)
        return &state.clipPlane[plane - GL_CLIP_PLANE0];
    c.error(GL_INVALID_ENUM);
    return nullptr;
}

/// The equation becomes one of eye coordinates by the model-view matrix of now.
void setClipPlane(GLenum plane, const Parameters& equation, const char* call = __builtin_FUNCTION()) {
    if (equation.isNull()) return;
    enterFixedState(
        [&](Context& c, FixedState& state) {
            if (ClipPlane* target = clipPlane(c, state, plane))
                target->equation = transformRow(equation.vector(), inverse(state.modelView.top()));
        },
        call);
}

}  // namespace

extern "C" {

GL_API void GL_APIENTRY glMatrixMode(GLenum mode) {
    enterFixedState([&](Context& c, FixedState& state) {
        if (mode != GL_MODELVIEW && mode != GL_PROJECTION && mode != GL_TEXTURE) {
            c.error(GL_INVALID_ENUM);
            return;
        }
        state.matrixMode = mode;
    });
}

GL_API void GL_APIENTRY glPushMatrix() {
    enterFixedState([&](Context& c, FixedState& state) {
        MatrixStack& stack = state.currentStack(c.activeTexture);
        if (stack.depth() >= maxDepth(state)) {
            c.error(GL_STACK_OVERFLOW);
            return;
        }
        stack.matrices.push_back(Matrix(stack.top()));
    });
}

GL_API void GL_APIENTRY glPopMatrix() {
    enterFixedState([&](Context& c, FixedState& state) {
        MatrixStack& stack = state.currentStack(c.activeTexture);
        if (stack.depth() == 1) {
            c.error(GL_STACK_UNDERFLOW);
            return;
        }
        stack.matrices.pop_back();
    });
}

GL_API void GL_APIENTRY glLoadIdentity() { load(kIdentity); }
GL_API void GL_APIENTRY glLoadMatrixf(const GLfloat* m) {
    if (m) load(matrixOf(m));
}
GL_API void GL_APIENTRY glLoadMatrixx(const GLfixed* m) {
    if (m) load(matrixOf(m));
}
GL_API void GL_APIENTRY glMultMatrixf(const GLfloat* m) {
    if (m) multiply(matrixOf(m));
}
GL_API void GL_APIENTRY glMultMatrixx(const GLfixed* m) {
    if (m) multiply(matrixOf(m));
}
GL_API void GL_APIENTRY glRotatef(GLfloat angle, GLfloat x, GLfloat y, GLfloat z) {
    multiply(rotation(angle, x, y, z));
}
GL_API void GL_APIENTRY glRotatex(GLfixed angle, GLfixed x, GLfixed y, GLfixed z) {
    multiply(rotation(fromFixed(angle), fromFixed(x), fromFixed(y), fromFixed(z)));
}
GL_API void GL_APIENTRY glScalef(GLfloat x, GLfloat y, GLfloat z) { multiply(scaling(x, y, z)); }
GL_API void GL_APIENTRY glScalex(GLfixed x, GLfixed y, GLfixed z) {
    multiply(scaling(fromFixed(x), fromFixed(y), fromFixed(z)));
}
GL_API void GL_APIENTRY glTranslatef(GLfloat x, GLfloat y, GLfloat z) { multiply(translation(x, y, z)); }
GL_API void GL_APIENTRY glTranslatex(GLfixed x, GLfixed y, GLfixed z) {
    multiply(translation(fromFixed(x), fromFixed(y), fromFixed(z)));
}
GL_API void GL_APIENTRY glFrustumf(GLfloat l, GLfloat r, GLfloat b, GLfloat t, GLfloat n, GLfloat f) {
    multiplyVolume(true, {l, r, b, t, n, f});
}
GL_API void GL_APIENTRY glFrustumx(GLfixed l, GLfixed r, GLfixed b, GLfixed t, GLfixed n, GLfixed f) {
    multiplyVolume(true, {fromFixed(l), fromFixed(r), fromFixed(b), fromFixed(t), fromFixed(n), fromFixed(f)});
}
GL_API void GL_APIENTRY glOrthof(GLfloat l, GLfloat r, GLfloat b, GLfloat t, GLfloat n, GLfloat f) {
    multiplyVolume(false, {l, r, b, t, n, f});
}
GL_API void GL_APIENTRY glOrthox(GLfixed l, GLfixed r, GLfixed b, GLfixed t, GLfixed n, GLfixed f) {
    multiplyVolume(false, {fromFixed(l), fromFixed(r), fromFixed(b), fromFixed(t), fromFixed(n), fromFixed(f)});
}

GL_API void GL_APIENTRY glClipPlanef(GLenum plane, const GLfloat* equation) {
    setClipPlane(plane, Parameters(equation));
}
GL_API void GL_APIENTRY glClipPlanex(GLenum plane, const GLfixed* equation) {
    setClipPlane(plane, Parameters::fixed(equation));
}
GL_API void GL_APIENTRY glGetClipPlanef(GLenum plane, GLfloat* equation) {
    enterFixedState([&](Context& c, FixedState& state) {
        if (const ClipPlane* from = clipPlane(c, state, plane); from && equation)
            std::copy(from->equation.begin(), from->equation.end(), equation);
    });
}
GL_API void GL_APIENTRY glGetClipPlanex(GLenum plane, GLfixed* equation) {
    enterFixedState([&](Context& c, FixedState& state) {
        if (const ClipPlane* from = clipPlane(c, state, plane); from && equation)
            std::transform(from->equation.begin(), from->equation.end(), equation, toFixed);
    });
}

// OES_query_matrix: value = mantissa * 2^exponent, as near as sixteen bits of mantissa come.
GL_API GLbitfield GL_APIENTRY glQueryMatrixxOES(GLfixed* mantissa, GLint* exponent) {
    GLbitfield unusable = 0;
    enterFixedState([&](Context& c, FixedState& state) {
        if (!mantissa || !exponent) return;
        const Matrix& matrix = state.currentStack(c.activeTexture).top();
        for (size_t i = 0; i < 16; ++i) {
            mantissa[i] = exponent[i] = 0;
            if (!std::isfinite(matrix[i])) {
                unusable |= 1u << i;
                continue;
            }
            int power = 0;
            mantissa[i] = toFixed(static_cast<double>(std::frexp(matrix[i], &power)));
            exponent[i] = power;
        }
    });
    return unusable;
}

}  // extern "C"
