// Draw recording: gathers everything a draw reads into one pipeline::Draw. Arguments have been validated.
#pragma once

#include "api/gles/context/context.h"
#include "pipeline/vertex_data.h"

namespace tessera::gles {

/// More vertices than limits.h allows are refused as out of memory.
/// `baseInstance` is added to the elements of instanced arrays (EXT_base_instance).
void drawArrays(Context& c, GLenum mode, GLint first, GLsizei count, GLsizei instances, GLuint baseInstance = 0);
/// `indices` is an offset when an element array buffer is bound, else client memory. `baseVertex` is added to each
/// index modulo 2^32 (OES_draw_elements_base_vertex); an element of a negative sum reads 0.
void drawElements(Context& c, GLenum mode, GLsizei count, GLenum type, const void* indices, GLsizei instances,
                  GLint baseVertex = 0, GLuint baseInstance = 0);

/// Vertices that transform feedback captures of a draw: strips, fans and loops are taken apart.
[[nodiscard]] uint64_t capturedVertices(pipeline::Primitive primitive, uint32_t count, uint32_t instances);

}  // namespace tessera::gles
