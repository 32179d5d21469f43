// Errors of draws.
#include "api/gles/drawing/validation.h"

#include <algorithm>

#include "api/gles/drawing/draw.h"
#include "api/gles/framebuffers/validation.h"
#include "api/gles/state/validation.h"
#include "pipeline/geometry/assembly.h"

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
    const bool isUsed = std::ranges::any_of(c.state.drawBuffers, [](const DrawBufferState& buffer) {
        const GLenum factors[] = {buffer.srcRgb, buffer.srcAlpha, buffer.dstRgb, buffer.dstAlpha};
        return std::ranges::any_of(factors, isSecondColorFactor);
    });
    return !isUsed || c.error(GL_INVALID_OPERATION);
}

/// Advanced equations are for one colour buffer, and for fragment shaders that say so (KHR_blend_equation_advanced).
bool advancedBlending(Context& c, const ProgramStages& stages) {
    const DrawBufferState& first = c.state.drawBuffers[0];
    const auto isNone = [](GLenum buffer) { return buffer == GL_NONE; };
    for (size_t i = 0; i < c.state.drawBuffers.size(); ++i) {
        const DrawBufferState& buffer = c.state.drawBuffers[i];
        const bool isDrawn = c.framebuffer() ? !isNone(c.framebuffer()->drawBuffers[i]) : i == 0;
        if (!isDrawn || !buffer.blend || advancedBlendEquation(buffer.equationRgb) < 0) continue;
        const Executable* fragment = stages[isa::Stage::Fragment];
        const bool isAlone = i == 0 && (!c.framebuffer() || std::all_of(c.framebuffer()->drawBuffers.begin() + 1,
                                                                        c.framebuffer()->drawBuffers.end(), isNone));
        const bool isSupported =
            fragment == nullptr || (fragment->blendSupport >> advancedBlendEquation(first.equationRgb) & 1) != 0;
        if (!isAlone || !isSupported) return c.error(GL_INVALID_OPERATION);
    }
    return true;
}

bool draw(Context& c, GLenum mode, GLsizei n, GLsizei instances) {
    if (mode > GL_TRIANGLE_FAN) return c.error(GL_INVALID_ENUM);
    if (n < 0 || instances < 0) return c.error(GL_INVALID_VALUE);
    if (c.isAsLastDrawn()) return true;
    if (!completeFramebuffer(c)) return false;
    if (!secondColorTargets(c)) return false;
    const ProgramStages stages = c.stages();
    if (!advancedBlending(c, stages)) return false;
    const Executable* vertex = stages[isa::Stage::Vertex];
    const int views = c.framebuffer() ? c.framebuffer()->views() : 1;
    if (vertex != nullptr && vertex->views != views) return c.error(GL_INVALID_OPERATION);
    if (views > 1 && c.transformFeedback->captures()) return c.error(GL_INVALID_OPERATION);
    if (vertex != nullptr && readsMappedArray(c, *vertex)) return c.error(GL_INVALID_OPERATION);
    if (!c.program && c.pipeline) return c.pipeline->drawError().empty() || c.error(GL_INVALID_OPERATION);
    return !stages.hasSamplerConflict() || c.error(GL_INVALID_OPERATION);
}

}  // namespace

namespace {

/// Transform feedback captures primitives of its kind, and there is room for those of the draw.
bool captured(Context& c, GLenum mode, GLsizei n, GLsizei instances) {
    const TransformFeedback& feedback = *c.transformFeedback;
    const pipeline::StreamOutLayout& layout = feedback.program->executable->captured.layout;
    const auto primitive = static_cast<pipeline::Primitive>(mode);
    constexpr GLenum kModes[] = {GL_POINTS, GL_LINES, GL_TRIANGLES};
    if (feedback.primitiveMode != kModes[pipeline::cornerCount(primitive) - 1]) return c.error(GL_INVALID_OPERATION);
    for (size_t i = 0; i < feedback.buffers.size(); ++i)
        if (const auto& buffer = feedback.buffers[i].buffer; layout.stride[i] != 0 && (!buffer || isMapped(buffer)))
            return c.error(GL_INVALID_OPERATION);
    const uint64_t more = capturedVertices(primitive, static_cast<uint32_t>(n), static_cast<uint32_t>(instances));
    return feedback.vertices + more <= feedback.capacity(layout) || c.error(GL_INVALID_OPERATION);
}

}  // namespace

bool drawArrays(Context& c, GLenum mode, GLint first, GLsizei n, GLsizei instances) {
    if (mode <= GL_TRIANGLE_FAN && first < 0) return c.error(GL_INVALID_VALUE);
    return draw(c, mode, n, instances) && (!c.transformFeedback->captures() || captured(c, mode, n, instances));
}

bool drawElements(Context& c, GLenum mode, GLsizei n, GLenum type, GLsizei instances) {
    if (type != GL_UNSIGNED_BYTE && type != GL_UNSIGNED_SHORT && type != GL_UNSIGNED_INT)
        return c.error(GL_INVALID_ENUM);
    if (!draw(c, mode, n, instances)) return false;
    if (c.transformFeedback->captures()) return c.error(GL_INVALID_OPERATION);  // indices are not captured
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
