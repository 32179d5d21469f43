// Query objects (OpenGL ES 3.0, EXT_occlusion_query_boolean, EXT_disjoint_timer_query). What a query measures is filled
// in by the command processor, so it lives apart from the object, shared with the recorded commands.
#pragma once

#include <atomic>
#include <string>

#include "api/gles/gles.h"
#include "pipeline/query_counters.h"

namespace tessera::gles {

struct QueryResult {
    pipeline::OcclusionCounter samples;
    pipeline::PrimitiveCounter primitives;
    /// As pipeline::timestamp() tells it; the start is 0 for a time stamp.
    std::atomic<int64_t> start{0}, end{0};
    /// Of the last buffer that adds to the result; set when it is submitted. Null when there was no memory for it.
    std::shared_ptr<const std::atomic<uint64_t>> serial;
    /// 0: not submitted.
    [[nodiscard]] uint64_t serialNumber() const { return serial ? serial->load() : 0; }
};

struct Query {
    explicit Query(GLuint n) : name(n) {}
    GLuint name;
    GLenum target = GL_NONE;              ///< none until first used
    std::shared_ptr<QueryResult> result;  ///< null: never used, the result is 0
    bool active = false;
    std::string label;
};

}  // namespace tessera::gles
