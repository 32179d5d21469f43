// What the buffers of a framebuffer hold: storage, clears, blits. Arguments have been validated.
#pragma once

#include "api/gles/framebuffers/validation.h"

namespace tessera::gles {

/// Any number of samples but 0 gives kMaxSamples.
void renderbufferStorage(Context& c, GLsizei samples, GLenum internalformat, GLsizei width, GLsizei height);

void clear(Context& c, GLbitfield mask);
void blit(Context& c, const validate::BlitCall& call);

}  // namespace tessera::gles
