// Entry points of the remaining state: alpha test, logical operation, fixed-point forms of shared calls, queries.
#include <algorithm>

#include "api/gles/state/validation.h"
#include "api/gles1/fixed_context.h"
#include "api/gles1/parameters.h"

using namespace tessera::gles1;
namespace gles = tessera::gles;
using gles::Context;

namespace {

void setAlphaFunction(GLenum function, GLfloat reference, const char* call = __builtin_FUNCTION()) {
    enterFixedState(
        [&](Context& c, FixedState& state) {
            if (!gles::validate::isCompareFunc(function)) {
                c.error(GL_INVALID_ENUM);
                return;
            }
            state.alphaFunction = function;
            state.alphaReference = reference > 0 ? std::min(reference, 1.0f) : 0.0f;
        },
        call);
}

}  // namespace

extern "C" {

GL_API void GL_APIENTRY glAlphaFunc(GLenum func, GLfloat ref) { setAlphaFunction(func, ref); }
GL_API void GL_APIENTRY glAlphaFuncx(GLenum func, GLfixed ref) { setAlphaFunction(func, fromFixed(ref)); }

GL_API void GL_APIENTRY glLogicOp(GLenum opcode) {
    enterFixed([&](Context& c, FixedContext&) {
        if (opcode >= GL_CLEAR && opcode <= GL_SET)
            c.state.logicOperation = opcode;
        else
            c.error(GL_INVALID_ENUM);
    });
}

GL_API void GL_APIENTRY glClearColorx(GLfixed red, GLfixed green, GLfixed blue, GLfixed alpha) {
    glClearColor(fromFixed(red), fromFixed(green), fromFixed(blue), fromFixed(alpha));
}
GL_API void GL_APIENTRY glClearDepthx(GLfixed depth) { glClearDepthf(fromFixed(depth)); }
GL_API void GL_APIENTRY glDepthRangex(GLfixed n, GLfixed f) { glDepthRangef(fromFixed(n), fromFixed(f)); }
GL_API void GL_APIENTRY glLineWidthx(GLfixed width) { glLineWidth(fromFixed(width)); }
GL_API void GL_APIENTRY glPolygonOffsetx(GLfixed factor, GLfixed units) {
    glPolygonOffset(fromFixed(factor), fromFixed(units));
}
GL_API void GL_APIENTRY glSampleCoveragex(GLclampx value, GLboolean invert) {
    glSampleCoverage(fromFixed(value), invert);
}

GL_API void GL_APIENTRY glGetFixedv(GLenum pname, GLfixed* params) {
    enterFixed([&](Context& c, FixedContext&) {
        gles::StateValue state;
        if (!gles::queryState(c, pname, state) || !params) return;
        for (int i = 0; i < state.count; ++i) params[i] = toFixed(state.at(i));
    });
}

}  // extern "C"
