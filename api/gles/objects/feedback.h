// Transform feedback: which varyings a program captures, and the objects that captured vertices go through.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/gles/gles.h"
#include "api/gles/limits.h"
#include "api/gles/objects/buffer.h"
#include "pipeline/stream_out.h"
#include "shader-core/isa/program.h"

namespace tessera::gles {

struct Program;

/// glTransformFeedbackVaryings.
struct FeedbackNames {
    std::vector<std::string> names;
    GLenum mode = GL_INTERLEAVED_ATTRIBS;
};

/// What a linked program captures.
struct CapturedVaryings {
    GLenum mode = GL_INTERLEAVED_ATTRIBS;
    std::vector<isa::Variable> varyings;  ///< named as the application did; their registers are not told
    pipeline::StreamOutLayout layout;
};

/// Empty, and `*error` says why, when the vertex program has no such outputs or they are too many.
/// Null: there is no vertex program, and no output of one.
[[nodiscard]] std::optional<CapturedVaryings> captureVaryings(const isa::Program* vertex, const FeedbackNames& wanted,
                                                              std::string* error);

/// A transform feedback object.
struct TransformFeedback {
    explicit TransformFeedback(GLuint n) : name(n) {}
    GLuint name;
    std::string label;  ///< KHR_debug
    std::array<IndexedBinding, kMaxFeedbackBuffers> buffers;

    // Since glBeginTransformFeedback:
    bool isActive = false, isPaused = false;
    GLenum primitiveMode = GL_POINTS;
    std::shared_ptr<Program> program;                 ///< in use then; counted as a user
    std::shared_ptr<pipeline::StreamOutPlace> place;  ///< the GPU's
    uint64_t vertices = 0;                            ///< that draws which are recorded capture

    /// Draws are captured.
    [[nodiscard]] bool captures() const { return isActive && !isPaused; }
    /// Vertices that there is room for in all buffers that the layout writes.
    [[nodiscard]] uint64_t capacity(const pipeline::StreamOutLayout& layout) const;
    /// Of the next draw, whose vertices there is room for. `counter`: of its primitives; may be null.
    [[nodiscard]] std::shared_ptr<const pipeline::StreamOut> streamOut(
        const pipeline::StreamOutLayout& layout, std::shared_ptr<pipeline::PrimitiveCounter> counter) const;
};

}  // namespace tessera::gles
