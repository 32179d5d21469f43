// Errors of draws.
#include "api/gles/drawing/validation.h"

#include <algorithm>

#include "api/gles/framebuffers/validation.h"
#include "api/gles/state/validation.h"

namespace tessera::gles::validate {

namespace {

bool isMapped(const std::shared_ptr<Buffer>& buffer) { return buffer && buffer->mapping; }

/// An array that the draw reads lies in a mapped buffer.
bool readsMappedArray(const Context& c, const Executable& vertex) {
    const isa::RegisterMask inputs = vertex.program->vertex().inputMask;
    for (size_t i = 0; i < kMaxVertexAttribs; ++i) {
        const AttribArray& array = c.vertexArray->attribs[i];
        if (inputs.has(i) && array.enabled && isMapped(array.buffer)) return true;
    }
    return false;
}

/// Two colours are blended into one buffer alone (EXT_blend_func_extended, 15.1.5.X).
bool secondColorTargets(Context& c) {
    static_assert(kMaxDualSourceDrawBuffers == 1);
    if (!c.framebuffer()) return true;
    const auto& buffers = c.framebuffer()->drawBuffers;
    if (std::all_of(buffers.begin() + 1, buffers.end(), [](GLenum buffer) { return buffer == GL_NONE; })) return true;
    const State& s = c.state;
    const GLenum factors[] = {s.blendSrcRgb, s.blendSrcAlpha, s.blendDstRgb, s.blendDstAlpha};
    return std::none_of(std::begin(factors), std::end(factors), isSecondColorFactor) || c.error(GL_INVALID_OPERATION);
}

bool draw(Context& c, GLenum mode, GLsizei n, GLsizei instances) {
    if (mode > GL_TRIANGLE_FAN) return c.error(GL_INVALID_ENUM);
    if (n < 0 || instances < 0) return c.error(GL_INVALID_VALUE);
    if (c.isAsLastDrawn()) return true;
    if (!completeFramebuffer(c)) return false;
    if (!secondColorTargets(c)) return false;
    const ProgramStages stages = c.stages();
    const Executable* vertex = stages[isa::Stage::Vertex];
    if (vertex != nullptr && readsMappedArray(c, *vertex)) return c.error(GL_INVALID_OPERATION);
    if (!c.program && c.pipeline) return c.pipeline->drawError().empty() || c.error(GL_INVALID_OPERATION);
    return !stages.hasSamplerConflict() || c.error(GL_INVALID_OPERATION);
}

}  // namespace

bool drawArrays(Context& c, GLenum mode, GLint first, GLsizei n, GLsizei instances) {
    if (mode <= GL_TRIANGLE_FAN && first < 0) return c.error(GL_INVALID_VALUE);
    return draw(c, mode, n, instances);
}

bool drawElements(Context& c, GLenum mode, GLsizei n, GLenum type, GLsizei instances) {
    if (type != GL_UNSIGNED_BYTE && type != GL_UNSIGNED_SHORT && type != GL_UNSIGNED_INT)
        return c.error(GL_INVALID_ENUM);
    if (!draw(c, mode, n, instances)) return false;
    return !isMapped(c.vertexArray->elementBuffer) || c.error(GL_INVALID_OPERATION);
}

bool drawRangeElements(Context& c, GLenum mode, GLuint start, GLuint end, GLsizei n, GLenum type) {
    if (end < start) return c.error(GL_INVALID_VALUE);
    return drawElements(c, mode, n, type, 1);
}

bool multiDraw(Context& c, GLenum mode, GLsizei primcount) {
    if (mode > GL_TRIANGLE_FAN) return c.error(GL_INVALID_ENUM);
    return count(c, primcount);
}

bool hasVertexRateArray(Context& c) {
    const Executable* vertex = c.stages()[isa::Stage::Vertex];
    if (vertex == nullptr) return true;  // draws nothing
    const isa::RegisterMask inputs = vertex->program->vertex().inputMask;
    for (size_t i = 0; i < kMaxVertexAttribs; ++i) {
        const AttribArray& array = c.vertexArray->attribs[i];
        if (inputs.has(i) && array.enabled && array.divisor == 0) return true;
    }
    return c.error(GL_INVALID_OPERATION);
}

}  // namespace tessera::gles::validate
