// Errors of setting state.
#include "api/gles/state/validation.h"

#include "api/gles/extensions.h"
#include "api/gles/state/state_queries.h"

namespace tessera::gles::validate {

bool isSecondColorFactor(GLenum factor) {
    return factor == GL_SRC1_ALPHA_EXT || (factor >= GL_SRC1_COLOR_EXT && factor <= GL_ONE_MINUS_SRC1_ALPHA_EXT);
}

bool enable(Context& c, GLenum cap) { return capability(c, cap) != nullptr || c.error(GL_INVALID_ENUM); }

namespace {

bool isFace(GLenum face) { return face == GL_FRONT || face == GL_BACK || face == GL_FRONT_AND_BACK; }

bool isBlendEquation(GLenum mode) {
    return mode == GL_FUNC_ADD || mode == GL_FUNC_SUBTRACT || mode == GL_FUNC_REVERSE_SUBTRACT || mode == GL_MIN_EXT ||
           mode == GL_MAX_EXT;
}

bool isBlendFactor(GLenum factor) {
    return factor == GL_ZERO || factor == GL_ONE || (factor >= GL_SRC_COLOR && factor <= GL_ONE_MINUS_DST_COLOR) ||
           (factor >= GL_CONSTANT_COLOR && factor <= GL_ONE_MINUS_CONSTANT_ALPHA);
}

bool isStencilOp(GLenum op) {
    switch (op) {
        case GL_KEEP:
        case GL_ZERO:
        case GL_REPLACE:
        case GL_INCR:
        case GL_DECR:
        case GL_INVERT:
        case GL_INCR_WRAP:
        case GL_DECR_WRAP:
            return true;
    }
    return false;
}

}  // namespace

bool drawBufferIndex(Context& c, GLuint index) { return index < kMaxDrawBuffers || c.error(GL_INVALID_VALUE); }

bool enableIndexed(Context& c, GLenum cap, GLuint index) {
    return cap == GL_BLEND ? drawBufferIndex(c, index) : c.error(GL_INVALID_ENUM);
}

bool blendEquation(Context& c, GLenum rgb, GLenum alpha) {
    return (isBlendEquation(rgb) && isBlendEquation(alpha)) || c.error(GL_INVALID_ENUM);
}

bool blendEquationOfAll(Context& c, GLenum mode) {
    return (c.isEs3() && advancedBlendEquation(mode) >= 0) || blendEquation(c, mode, mode);
}

bool blendFunc(Context& c, GLenum srcRgb, GLenum dstRgb, GLenum srcAlpha, GLenum dstAlpha) {
    const bool extended = !c.fixedFunction;  // EXT_blend_func_extended is for OpenGL ES 2.0
    const auto isDestination = [&](GLenum factor) {
        return isBlendFactor(factor) || (extended && (factor == GL_SRC_ALPHA_SATURATE || isSecondColorFactor(factor)));
    };
    const auto isSource = [&](GLenum factor) { return isDestination(factor) || factor == GL_SRC_ALPHA_SATURATE; };
    const bool valid = isSource(srcRgb) && isDestination(dstRgb) && isSource(srcAlpha) && isDestination(dstAlpha);
    return valid || c.error(GL_INVALID_ENUM);
}

bool clipControl(Context& c, GLenum origin, GLenum depth) {
    const bool valid = (origin == GL_LOWER_LEFT_EXT || origin == GL_UPPER_LEFT_EXT) &&
                       (depth == GL_NEGATIVE_ONE_TO_ONE_EXT || depth == GL_ZERO_TO_ONE_EXT);
    return valid || c.error(GL_INVALID_ENUM);
}

bool cullFace(Context& c, GLenum mode) { return isFace(mode) || c.error(GL_INVALID_ENUM); }
bool frontFace(Context& c, GLenum mode) { return mode == GL_CW || mode == GL_CCW || c.error(GL_INVALID_ENUM); }
bool depthFunc(Context& c, GLenum func) { return isCompareFunc(func) || c.error(GL_INVALID_ENUM); }
bool stencilFace(Context& c, GLenum face) { return isFace(face) || c.error(GL_INVALID_ENUM); }

bool stencilFunc(Context& c, GLenum face, GLenum func) {
    return (isFace(face) && isCompareFunc(func)) || c.error(GL_INVALID_ENUM);
}

bool stencilOp(Context& c, GLenum face, GLenum fail, GLenum depthFail, GLenum depthPass) {
    bool valid = isFace(face) && isStencilOp(fail) && isStencilOp(depthFail) && isStencilOp(depthPass);
    return valid || c.error(GL_INVALID_ENUM);
}

// Written so that a width that is not a number fails too.
bool lineWidth(Context& c, GLfloat width) { return width > 0 || c.error(GL_INVALID_VALUE); }

bool getInternalformat(Context& c, GLenum target, GLenum internalformat, GLenum pname, GLsizei bufSize) {
    // Section 4.4.4: unsized RGB and RGBA can be rendered to, too.
    const bool isRenderable = renderbufferFormat(c.isEs3(), internalformat) != texture::PixelFormat::None ||
                              internalformat == GL_RGB || internalformat == GL_RGBA;
    const bool isKnown =
        target == GL_RENDERBUFFER && (pname == GL_SAMPLES || pname == GL_NUM_SAMPLE_COUNTS) && isRenderable;
    if (!isKnown) return c.error(GL_INVALID_ENUM);
    return count(c, bufSize);
}

bool getString(Context& c, GLenum name, GLuint index) {
    if (name != GL_EXTENSIONS) return c.error(GL_INVALID_ENUM);
    return index < extensions(c.isEs3()).size() || c.error(GL_INVALID_VALUE);
}

bool hint(Context& c, GLenum target, GLenum mode) {
    bool knownTarget = (c.fixedFunction && c.fixedFunction->hint(target)) || target == GL_GENERATE_MIPMAP_HINT ||
                       target == GL_FRAGMENT_SHADER_DERIVATIVE_HINT_OES;
    bool knownMode = mode == GL_FASTEST || mode == GL_NICEST || mode == GL_DONT_CARE;
    return (knownTarget && knownMode) || c.error(GL_INVALID_ENUM);
}

}  // namespace tessera::gles::validate
