// Errors of debug output.
#include "api/gles/debug/validation.h"

namespace tessera::gles::validate {

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
        case GL_SAMPLER_KHR:
        case GL_TRANSFORM_FEEDBACK:
            if (c.isEs3()) return true;
            break;
    }
    return c.error(GL_INVALID_ENUM);
}

}  // namespace tessera::gles::validate
