// Errors of queries, syncs, debug output and robustness.
#include <array>

#include "api/gles/validation.h"

namespace tessera::gles::validate {

namespace {

bool isOcclusionTarget(GLenum target) {
    return target == GL_ANY_SAMPLES_PASSED_EXT || target == GL_ANY_SAMPLES_PASSED_CONSERVATIVE_EXT;
}

/// A name from glGenQueriesEXT whose object, if there is one, has that target and is not active.
bool usableQuery(Context& c, GLuint id, GLenum target) {
    if (!c.queries.contains(id)) return c.error(GL_INVALID_OPERATION);
    std::shared_ptr<Query> query = c.queries.find(id);
    bool usable = !query || (query->target == target && !query->active);
    return usable || c.error(GL_INVALID_OPERATION);
}

}  // namespace

bool beginQuery(Context& c, GLenum target, GLuint id) {
    const std::shared_ptr<Query>* slot = c.activeQuery(target);
    if (!slot) return c.error(GL_INVALID_ENUM);
    if (*slot) return c.error(GL_INVALID_OPERATION);
    if (c.conditionalQuery && c.conditionalQuery->name == id) return c.error(GL_INVALID_OPERATION);
    return usableQuery(c, id, target);
}

bool beginConditionalRender(Context& c, GLuint id, GLenum mode) {
    if (mode < GL_QUERY_WAIT_NV || mode > GL_QUERY_BY_REGION_NO_WAIT_NV) return c.error(GL_INVALID_ENUM);
    if (c.conditionalQuery) return c.error(GL_INVALID_OPERATION);
    const std::shared_ptr<Query> query = c.queries.find(id);
    if (!query) return c.error(GL_INVALID_VALUE);
    return (isOcclusionTarget(query->target) && !query->active) || c.error(GL_INVALID_OPERATION);
}

bool endQuery(Context& c, GLenum target) {
    const std::shared_ptr<Query>* slot = c.activeQuery(target);
    if (!slot) return c.error(GL_INVALID_ENUM);
    return (*slot && (*slot)->target == target) || c.error(GL_INVALID_OPERATION);
}

bool queryCounter(Context& c, GLuint id, GLenum target) {
    if (target != GL_TIMESTAMP_EXT) return c.error(GL_INVALID_ENUM);
    return usableQuery(c, id, target);
}

bool getQuery(Context& c, GLenum target, GLenum pname) {
    bool knownTarget = isOcclusionTarget(target) || target == GL_TIME_ELAPSED_EXT || target == GL_TIMESTAMP_EXT;
    bool knownName = pname == GL_CURRENT_QUERY_EXT || pname == GL_QUERY_COUNTER_BITS_EXT;
    return (knownTarget && knownName) || c.error(GL_INVALID_ENUM);
}

bool getQueryObject(Context& c, GLuint id, GLenum pname) {
    std::shared_ptr<Query> query = c.queries.find(id);
    if (!query || query->active) return c.error(GL_INVALID_OPERATION);
    return pname == GL_QUERY_RESULT_EXT || pname == GL_QUERY_RESULT_AVAILABLE_EXT || c.error(GL_INVALID_ENUM);
}

bool fenceSync(Context& c, GLenum condition, GLbitfield flags) {
    if (condition != GL_SYNC_GPU_COMMANDS_COMPLETE_APPLE) return c.error(GL_INVALID_ENUM);
    return flags == 0 || c.error(GL_INVALID_VALUE);
}

bool clientWaitSync(Context& c, GLbitfield flags) {
    return (flags & ~GLbitfield{GL_SYNC_FLUSH_COMMANDS_BIT_APPLE}) == 0 || c.error(GL_INVALID_VALUE);
}

bool waitSync(Context& c, GLbitfield flags, GLuint64 timeout) {
    return (flags == 0 && timeout == GL_TIMEOUT_IGNORED_APPLE) || c.error(GL_INVALID_VALUE);
}

bool getSync(Context& c, GLenum pname, GLsizei bufSize) {
    if (pname < GL_OBJECT_TYPE_APPLE || pname > GL_SYNC_FLAGS_APPLE) return c.error(GL_INVALID_ENUM);
    return count(c, bufSize);
}

namespace {

bool isSource(GLenum source) { return source >= GL_DEBUG_SOURCE_API_KHR && source <= GL_DEBUG_SOURCE_OTHER_KHR; }
bool isOwnSource(GLenum source) {
    return source == GL_DEBUG_SOURCE_APPLICATION_KHR || source == GL_DEBUG_SOURCE_THIRD_PARTY_KHR;
}
bool isMessageType(GLenum type) {
    return (type >= GL_DEBUG_TYPE_ERROR_KHR && type <= GL_DEBUG_TYPE_OTHER_KHR) ||
           (type >= GL_DEBUG_TYPE_MARKER_KHR && type <= GL_DEBUG_TYPE_POP_GROUP_KHR);
}
bool isSeverity(GLenum severity) {
    return (severity >= GL_DEBUG_SEVERITY_HIGH_KHR && severity <= GL_DEBUG_SEVERITY_LOW_KHR) ||
           severity == GL_DEBUG_SEVERITY_NOTIFICATION_KHR;
}
bool messageLength(Context& c, size_t length) { return length < kMaxDebugMessageLength || c.error(GL_INVALID_VALUE); }

}  // namespace

bool debugMessageControl(Context& c, GLenum source, GLenum type, GLenum severity, GLsizei n) {
    bool known = (source == GL_DONT_CARE || isSource(source)) && (type == GL_DONT_CARE || isMessageType(type)) &&
                 (severity == GL_DONT_CARE || isSeverity(severity));
    if (!known) return c.error(GL_INVALID_ENUM);
    if (!count(c, n)) return false;
    // Names mean something for one source and type, and have the severity they have.
    bool valid = n == 0 || (source != GL_DONT_CARE && type != GL_DONT_CARE && severity == GL_DONT_CARE);
    return valid || c.error(GL_INVALID_OPERATION);
}

bool debugMessageInsert(Context& c, GLenum source, GLenum type, GLenum severity, size_t length) {
    if (!isOwnSource(source) || !isMessageType(type) || !isSeverity(severity)) return c.error(GL_INVALID_ENUM);
    return messageLength(c, length);
}

bool pushDebugGroup(Context& c, GLenum source, size_t length) {
    if (!isOwnSource(source)) return c.error(GL_INVALID_ENUM);
    if (!messageLength(c, length)) return false;
    return c.debug.groupDepth() < kMaxDebugGroupDepth || c.error(GL_STACK_OVERFLOW_KHR);
}

bool labelIdentifier(Context& c, GLenum identifier) {
    switch (identifier) {
        case GL_BUFFER_KHR:
        case GL_SHADER_KHR:
        case GL_PROGRAM_KHR:
        case GL_PROGRAM_PIPELINE_KHR:
        case GL_VERTEX_ARRAY_KHR:
        case GL_QUERY_KHR:
        case GL_TEXTURE:
        case GL_RENDERBUFFER:
        case GL_FRAMEBUFFER:
            return true;
    }
    return c.error(GL_INVALID_ENUM);
}

}  // namespace tessera::gles::validate
