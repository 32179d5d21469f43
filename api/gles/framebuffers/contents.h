// What the buffers of a framebuffer hold: storage, clears, blits. Arguments have been validated.
#pragma once

#include "api/gles/formats.h"
#include "api/gles/framebuffers/validation.h"

namespace tessera::gles {

/// Any number of samples but 0 gives kMaxSamples.
void renderbufferStorage(Context& c, GLsizei samples, GLenum internalformat, GLsizei width, GLsizei height);

void clear(Context& c, GLbitfield mask);
/// `bits`: four floats, int32s or uint32s, as the kind is; buffers of another do not take them.
void clearColorBuffer(Context& c, GLint drawBuffer, ColorKind kind, const void* bits);
/// Null: that one is not cleared.
void clearDepthStencil(Context& c, const GLfloat* depth, const GLint* stencil);
void blit(Context& c, const validate::BlitCall& call);

}  // namespace tessera::gles
