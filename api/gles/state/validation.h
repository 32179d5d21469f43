// Errors of setting state. See context/validation.h.
#pragma once

#include "api/gles/context/validation.h"

namespace tessera::gles::validate {

[[nodiscard]] inline bool isCompareFunc(GLenum func) { return func >= GL_NEVER && func <= GL_ALWAYS; }
[[nodiscard]] bool isSecondColorFactor(GLenum factor);  ///< EXT_blend_func_extended
[[nodiscard]] bool enable(Context& c, GLenum cap);
[[nodiscard]] bool drawBufferIndex(Context& c, GLuint index);
[[nodiscard]] bool enableIndexed(Context& c, GLenum cap, GLuint index);
[[nodiscard]] bool blendEquation(Context& c, GLenum rgb, GLenum alpha);
/// Of colour and alpha together, which the advanced ones are (KHR_blend_equation_advanced).
[[nodiscard]] bool blendEquationOfAll(Context& c, GLenum mode);
[[nodiscard]] bool blendFunc(Context& c, GLenum srcRgb, GLenum dstRgb, GLenum srcAlpha, GLenum dstAlpha);
[[nodiscard]] bool clipControl(Context& c, GLenum origin, GLenum depth);
[[nodiscard]] bool cullFace(Context& c, GLenum mode);
[[nodiscard]] bool frontFace(Context& c, GLenum mode);
[[nodiscard]] bool depthFunc(Context& c, GLenum func);
[[nodiscard]] bool stencilFunc(Context& c, GLenum face, GLenum func);
[[nodiscard]] bool stencilOp(Context& c, GLenum face, GLenum fail, GLenum depthFail, GLenum depthPass);
[[nodiscard]] bool stencilFace(Context& c, GLenum face);
[[nodiscard]] bool lineWidth(Context& c, GLfloat width);
[[nodiscard]] bool getInternalformat(Context& c, GLenum target, GLenum internalformat, GLenum pname, GLsizei bufSize);
[[nodiscard]] bool getString(Context& c, GLenum name, GLuint index);
[[nodiscard]] bool hint(Context& c, GLenum target, GLenum mode);

}  // namespace tessera::gles::validate
