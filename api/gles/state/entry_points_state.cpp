// Entry points that set or query context state.
#include <algorithm>

#include "api/gles/context/entry.h"
#include "api/gles/extensions.h"
#include "api/gles/state/state_queries.h"
#include "api/gles/state/validation.h"

using namespace tessera::gles;
namespace texture = tessera::texture;

namespace {

/// GLclampf: what is not a number becomes 0.
GLfloat clampUnit(GLfloat x) { return x > 0 ? std::min(x, 1.0f) : 0.0f; }

/// Colours are not clamped: float buffers take any value (EXT_color_buffer_half_float). What is no number becomes 0.
GLfloat colorValue(GLfloat x) { return x == x ? x : 0.0f; }

void setCapability(Context& c, GLenum cap, bool on) {
    *capability(c, cap) = on;
    if (cap == GL_BLEND)
        for (DrawBufferState& buffer : c.state.drawBuffers) buffer.blend = on;
    if (c.fixedFunction) c.fixedFunction->capabilityChanged(c, cap);
}

void setBlendEquation(DrawBufferState& buffer, GLenum rgb, GLenum alpha) {
    buffer.equationRgb = rgb;
    buffer.equationAlpha = alpha;
}

void setBlendFunc(DrawBufferState& buffer, GLenum srcRgb, GLenum dstRgb, GLenum srcAlpha, GLenum dstAlpha) {
    buffer.srcRgb = srcRgb;
    buffer.dstRgb = dstRgb;
    buffer.srcAlpha = srcAlpha;
    buffer.dstAlpha = dstAlpha;
}

void setColorMask(DrawBufferState& buffer, GLboolean red, GLboolean green, GLboolean blue, GLboolean alpha) {
    const GLboolean mask[4] = {red, green, blue, alpha};
    std::transform(mask, mask + 4, buffer.colorMask, [](GLboolean on) { return on != GL_FALSE; });
}

/// Calls set(state) with that of one draw buffer (OES_draw_buffers_indexed), if there is one of that number.
template <class Set>
void setDrawBuffer(GLuint index, Set&& set, const char* call = __builtin_FUNCTION()) {
    enterEs3(
        [&](Context& c) {
            if (!validate::drawBufferIndex(c, index)) return;
            c.state.drawBuffersDiffer = true;
            set(c, c.state.drawBuffers[index]);
        },
        call);
}

void setIndexedCapability(GLenum cap, GLuint index, bool on, const char* call = __builtin_FUNCTION()) {
    enterEs3(
        [&](Context& c) {
            if (!validate::enableIndexed(c, cap, index)) return;
            c.state.drawBuffersDiffer = true;
            c.state.drawBuffers[index].blend = on;
        },
        call);
}

template <class Set>
void forFaces(Context& c, GLenum face, Set&& set) {
    if (face != GL_BACK) set(c.state.stencilFront);
    if (face != GL_FRONT) set(c.state.stencilBack);
}

}  // namespace

extern "C" {

void GL_APIENTRY glEnable(GLenum cap) {
    enter([&](Context& c) {
        if (validate::enable(c, cap)) setCapability(c, cap, true);
    });
}

void GL_APIENTRY glDisable(GLenum cap) {
    enter([&](Context& c) {
        if (validate::enable(c, cap)) setCapability(c, cap, false);
    });
}

GLboolean GL_APIENTRY glIsEnabled(GLenum cap) {
    return enterFor(GLboolean{GL_FALSE}, [&](Context& c) {
        if (const bool* array = c.fixedFunction ? c.fixedFunction->clientArray(c, cap) : nullptr)
            return static_cast<GLboolean>(*array);
        return static_cast<GLboolean>(validate::enable(c, cap) && *capability(c, cap));
    });
}

void GL_APIENTRY glBlendColor(GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha) {
    enter([&](Context& c) {
        const GLfloat color[4] = {red, green, blue, alpha};
        std::transform(color, color + 4, c.state.blendColor, colorValue);
    });
}

void GL_APIENTRY glBlendEquation(GLenum mode) {
    enter([&](Context& c) {
        if (!validate::blendEquationOfAll(c, mode)) return;
        for (DrawBufferState& buffer : c.state.drawBuffers) setBlendEquation(buffer, mode, mode);
    });
}

// KHR_blend_equation_advanced: blending is in the order of primitives in any case.
void GL_APIENTRY glBlendBarrierKHR(void) {
    enter([](Context&) {});
}

void GL_APIENTRY glBlendEquationSeparate(GLenum modeRGB, GLenum modeAlpha) {
    enter([&](Context& c) {
        if (!validate::blendEquation(c, modeRGB, modeAlpha)) return;
        for (DrawBufferState& buffer : c.state.drawBuffers) setBlendEquation(buffer, modeRGB, modeAlpha);
    });
}

// Draw buffers one by one (OES_draw_buffers_indexed, EXT_draw_buffers_indexed)

void GL_APIENTRY glEnableiOES(GLenum target, GLuint index) { setIndexedCapability(target, index, true); }
void GL_APIENTRY glEnableiEXT(GLenum target, GLuint index) { glEnableiOES(target, index); }
void GL_APIENTRY glDisableiOES(GLenum target, GLuint index) { setIndexedCapability(target, index, false); }
void GL_APIENTRY glDisableiEXT(GLenum target, GLuint index) { glDisableiOES(target, index); }

GLboolean GL_APIENTRY glIsEnablediOES(GLenum target, GLuint index) {
    return enterEs3For(GLboolean{GL_FALSE}, [&](Context& c) {
        return static_cast<GLboolean>(validate::enableIndexed(c, target, index) && c.state.drawBuffers[index].blend);
    });
}
GLboolean GL_APIENTRY glIsEnablediEXT(GLenum target, GLuint index) { return glIsEnablediOES(target, index); }

void GL_APIENTRY glBlendEquationSeparateiOES(GLuint buf, GLenum modeRGB, GLenum modeAlpha) {
    setDrawBuffer(buf, [&](Context& c, DrawBufferState& buffer) {
        if (validate::blendEquation(c, modeRGB, modeAlpha)) setBlendEquation(buffer, modeRGB, modeAlpha);
    });
}
void GL_APIENTRY glBlendEquationSeparateiEXT(GLuint buf, GLenum modeRGB, GLenum modeAlpha) {
    glBlendEquationSeparateiOES(buf, modeRGB, modeAlpha);
}
void GL_APIENTRY glBlendEquationiOES(GLuint buf, GLenum mode) {
    setDrawBuffer(buf, [&](Context& c, DrawBufferState& buffer) {
        if (validate::blendEquationOfAll(c, mode)) setBlendEquation(buffer, mode, mode);
    });
}
void GL_APIENTRY glBlendEquationiEXT(GLuint buf, GLenum mode) { glBlendEquationiOES(buf, mode); }

void GL_APIENTRY glBlendFuncSeparateiOES(GLuint buf, GLenum srcRGB, GLenum dstRGB, GLenum srcAlpha, GLenum dstAlpha) {
    setDrawBuffer(buf, [&](Context& c, DrawBufferState& buffer) {
        if (validate::blendFunc(c, srcRGB, dstRGB, srcAlpha, dstAlpha))
            setBlendFunc(buffer, srcRGB, dstRGB, srcAlpha, dstAlpha);
    });
}
void GL_APIENTRY glBlendFuncSeparateiEXT(GLuint buf, GLenum srcRGB, GLenum dstRGB, GLenum srcAlpha, GLenum dstAlpha) {
    glBlendFuncSeparateiOES(buf, srcRGB, dstRGB, srcAlpha, dstAlpha);
}
void GL_APIENTRY glBlendFunciOES(GLuint buf, GLenum src, GLenum dst) {
    glBlendFuncSeparateiOES(buf, src, dst, src, dst);
}
void GL_APIENTRY glBlendFunciEXT(GLuint buf, GLenum src, GLenum dst) {
    glBlendFuncSeparateiOES(buf, src, dst, src, dst);
}

void GL_APIENTRY glColorMaskiOES(GLuint index, GLboolean r, GLboolean g, GLboolean b, GLboolean a) {
    setDrawBuffer(index, [&](Context&, DrawBufferState& buffer) { setColorMask(buffer, r, g, b, a); });
}
void GL_APIENTRY glColorMaskiEXT(GLuint index, GLboolean r, GLboolean g, GLboolean b, GLboolean a) {
    glColorMaskiOES(index, r, g, b, a);
}

void GL_APIENTRY glBlendFunc(GLenum sfactor, GLenum dfactor) {
    glBlendFuncSeparate(sfactor, dfactor, sfactor, dfactor);
}

void GL_APIENTRY glBlendFuncSeparate(GLenum srcRGB, GLenum dstRGB, GLenum srcAlpha, GLenum dstAlpha) {
    enter([&](Context& c) {
        if (!validate::blendFunc(c, srcRGB, dstRGB, srcAlpha, dstAlpha)) return;
        for (DrawBufferState& buffer : c.state.drawBuffers) setBlendFunc(buffer, srcRGB, dstRGB, srcAlpha, dstAlpha);
    });
}

void GL_APIENTRY glClearColor(GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha) {
    enter([&](Context& c) {
        const GLfloat color[4] = {red, green, blue, alpha};
        std::transform(color, color + 4, c.state.clearColor, colorValue);
    });
}

void GL_APIENTRY glClearDepthf(GLfloat d) {
    enter([&](Context& c) { c.state.clearDepth = clampUnit(d); });
}

void GL_APIENTRY glClearStencil(GLint s) {
    enter([&](Context& c) { c.state.clearStencil = s; });
}

void GL_APIENTRY glColorMask(GLboolean red, GLboolean green, GLboolean blue, GLboolean alpha) {
    enter([&](Context& c) {
        for (DrawBufferState& buffer : c.state.drawBuffers) setColorMask(buffer, red, green, blue, alpha);
    });
}

void GL_APIENTRY glCullFace(GLenum mode) {
    enter([&](Context& c) {
        if (validate::cullFace(c, mode)) c.state.cullFaceMode = mode;
    });
}

void GL_APIENTRY glDepthFunc(GLenum func) {
    enter([&](Context& c) {
        if (validate::depthFunc(c, func)) c.state.depthFunc = func;
    });
}

void GL_APIENTRY glDepthMask(GLboolean flag) {
    enter([&](Context& c) { c.state.depthMask = flag != GL_FALSE; });
}

void GL_APIENTRY glDepthRangef(GLfloat n, GLfloat f) {
    enter([&](Context& c) {
        c.state.depthRange[0] = clampUnit(n);
        c.state.depthRange[1] = clampUnit(f);
    });
}

void GL_APIENTRY glFrontFace(GLenum mode) {
    enter([&](Context& c) {
        if (validate::frontFace(c, mode)) c.state.frontFace = mode;
    });
}

void GL_APIENTRY glHint(GLenum target, GLenum mode) {
    enter([&](Context& c) {
        if (!validate::hint(c, target, mode)) return;
        if (GLenum* own = c.fixedFunction ? c.fixedFunction->hint(target) : nullptr) {
            *own = mode;
            return;
        }
        (target == GL_GENERATE_MIPMAP_HINT ? c.state.generateMipmapHint : c.state.derivativeHint) = mode;
    });
}

void GL_APIENTRY glLineWidth(GLfloat width) {
    enter([&](Context& c) {
        if (validate::lineWidth(c, width)) c.state.lineWidth = width;
    });
}

void GL_APIENTRY glClipControlEXT(GLenum origin, GLenum depth) {
    enter([&](Context& c) {
        if (!validate::clipControl(c, origin, depth)) return;
        c.state.clipOrigin = origin;
        c.state.clipDepthMode = depth;
    });
}

void GL_APIENTRY glPolygonOffset(GLfloat factor, GLfloat units) { glPolygonOffsetClampEXT(factor, units, 0); }

void GL_APIENTRY glPolygonOffsetClampEXT(GLfloat factor, GLfloat units, GLfloat clamp) {
    enter([&](Context& c) {
        c.state.polygonOffsetFactor = factor;
        c.state.polygonOffsetUnits = units;
        c.state.polygonOffsetClamp = clamp;
    });
}

void GL_APIENTRY glSampleCoverage(GLfloat value, GLboolean invert) {
    enter([&](Context& c) {
        c.state.sampleCoverageValue = clampUnit(value);
        c.state.sampleCoverageInvert = invert != GL_FALSE;
    });
}

void GL_APIENTRY glMinSampleShadingOES(GLfloat value) {
    enterEs3([&](Context& c) { c.state.minSampleShading = clampUnit(value); });
}

void GL_APIENTRY glScissor(GLint x, GLint y, GLsizei width, GLsizei height) {
    enter([&](Context& c) {
        if (!validate::size(c, width, height)) return;
        const GLint box[4] = {x, y, width, height};
        std::copy_n(box, 4, c.state.scissorBox);
    });
}

void GL_APIENTRY glViewport(GLint x, GLint y, GLsizei width, GLsizei height) {
    enter([&](Context& c) {
        if (!validate::size(c, width, height)) return;
        const GLint box[4] = {x, y, std::min(width, kMaxViewportSize), std::min(height, kMaxViewportSize)};
        std::copy_n(box, 4, c.state.viewport);
    });
}

void GL_APIENTRY glStencilFunc(GLenum func, GLint ref, GLuint mask) {
    glStencilFuncSeparate(GL_FRONT_AND_BACK, func, ref, mask);
}

void GL_APIENTRY glStencilFuncSeparate(GLenum face, GLenum func, GLint ref, GLuint mask) {
    enter([&](Context& c) {
        if (!validate::stencilFunc(c, face, func)) return;
        forFaces(c, face, [&](StencilState& stencil) {
            stencil.func = func;
            stencil.ref = ref;
            stencil.valueMask = mask;
        });
    });
}

void GL_APIENTRY glStencilMask(GLuint mask) { glStencilMaskSeparate(GL_FRONT_AND_BACK, mask); }

void GL_APIENTRY glStencilMaskSeparate(GLenum face, GLuint mask) {
    enter([&](Context& c) {
        if (!validate::stencilFace(c, face)) return;
        forFaces(c, face, [&](StencilState& stencil) { stencil.writeMask = mask; });
    });
}

void GL_APIENTRY glStencilOp(GLenum fail, GLenum zfail, GLenum zpass) {
    glStencilOpSeparate(GL_FRONT_AND_BACK, fail, zfail, zpass);
}

void GL_APIENTRY glStencilOpSeparate(GLenum face, GLenum sfail, GLenum dpfail, GLenum dppass) {
    enter([&](Context& c) {
        if (!validate::stencilOp(c, face, sfail, dpfail, dppass)) return;
        forFaces(c, face, [&](StencilState& stencil) {
            stencil.fail = sfail;
            stencil.depthFail = dpfail;
            stencil.depthPass = dppass;
        });
    });
}

void GL_APIENTRY glGetBooleanv(GLenum pname, GLboolean* data) {
    enter([&](Context& c) {
        StateValue state;
        if (!queryState(c, pname, state) || !data) return;
        for (int i = 0; i < state.count; ++i) data[i] = toBoolean(state, i);
    });
}

void GL_APIENTRY glGetIntegerv(GLenum pname, GLint* data) {
    enter([&](Context& c) {
        StateValue state;
        if (!queryState(c, pname, state) || !data) return;
        for (int i = 0; i < state.count; ++i) data[i] = toInt(state, i);
    });
}

void GL_APIENTRY glGetIntegeri_v(GLenum target, GLuint index, GLint* data) {
    enterEs3([&](Context& c) {
        StateValue state;
        if (!queryIndexedState(c, target, index, state) || !data) return;
        for (int i = 0; i < state.count; ++i) data[i] = toInt(state, i);
    });
}

void GL_APIENTRY glGetInteger64i_v(GLenum target, GLuint index, GLint64* data) {
    enterEs3([&](Context& c) {
        StateValue state;
        if (!queryIndexedState(c, target, index, state) || !data) return;
        for (int i = 0; i < state.count; ++i) data[i] = toInt64(state, i);
    });
}

void GL_APIENTRY glGetFloatv(GLenum pname, GLfloat* data) {
    enter([&](Context& c) {
        StateValue state;
        if (!queryState(c, pname, state) || !data) return;
        for (int i = 0; i < state.count; ++i) data[i] = toFloat(state, i);
    });
}

void GL_APIENTRY glGetInternalformativ(GLenum target, GLenum internalformat, GLenum pname, GLsizei bufSize,
                                       GLint* params) {
    enterEs3([&](Context& c) {
        if (!validate::getInternalformat(c, target, internalformat, pname, bufSize) || bufSize == 0 || !params) return;
        // Integers have one sample a pixel in OpenGL ES 3.0 (section 6.1.15).
        const texture::PixelFormat format = renderbufferFormat(c.isEs3(), internalformat);
        const bool hasSamples =
            format == texture::PixelFormat::None || !texture::isInteger(texture::formatInfo(format).element);
        if (pname == GL_NUM_SAMPLE_COUNTS)
            *params = hasSamples;
        else if (hasSamples)
            *params = kMaxSamples;
    });
}

const GLubyte* GL_APIENTRY glGetStringi(GLenum name, GLuint index) {
    return enterEs3For(static_cast<const GLubyte*>(nullptr), [&](Context& c) -> const GLubyte* {
        if (!validate::getString(c, name, index)) return nullptr;
        return reinterpret_cast<const GLubyte*>(extensions(c.isEs3())[index].c_str());
    });
}

const GLubyte* GL_APIENTRY glGetString(GLenum name) {
    return enterFor(static_cast<const GLubyte*>(nullptr), [&](Context& c) { return queryString(c, name); });
}

}  // extern "C"
