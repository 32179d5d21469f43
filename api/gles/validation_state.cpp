// Errors of state setting, buffers and vertex arrays.
#include "api/gles/validation.h"

#include <algorithm>

namespace tessera::gles::validate {

bool count(Context& c, GLsizei n) { return n >= 0 || c.error(GL_INVALID_VALUE); }
bool attribIndex(Context& c, GLuint index) { return index < kMaxVertexAttribs || c.error(GL_INVALID_VALUE); }
bool isCompareFunc(GLenum func) { return func >= GL_NEVER && func <= GL_ALWAYS; }
bool isFace(GLenum face) { return face == GL_FRONT || face == GL_BACK || face == GL_FRONT_AND_BACK; }

bool completeFramebuffer(Context& c) {
    return c.framebufferStatus() == GL_FRAMEBUFFER_COMPLETE || c.error(GL_INVALID_FRAMEBUFFER_OPERATION);
}

bool readableFramebuffer(Context& c) {
    if (c.readFramebufferStatus() != GL_FRAMEBUFFER_COMPLETE) return c.error(GL_INVALID_FRAMEBUFFER_OPERATION);
    return !c.readsNeedBlit() || c.error(GL_INVALID_OPERATION);
}

bool enable(Context& c, GLenum cap) {
    if (c.fixedFunction && c.fixedFunction->capability(c, cap)) return true;
    switch (cap) {
        case GL_BLEND:
        case GL_CULL_FACE:
        case GL_DEPTH_TEST:
        case GL_DITHER:
        case GL_POLYGON_OFFSET_FILL:
        case GL_SAMPLE_ALPHA_TO_COVERAGE:
        case GL_SAMPLE_COVERAGE:
        case GL_SCISSOR_TEST:
        case GL_STENCIL_TEST:
        case GL_DEBUG_OUTPUT_KHR:
        case GL_DEBUG_OUTPUT_SYNCHRONOUS_KHR:
            return true;
    }
    return c.error(GL_INVALID_ENUM);
}

namespace {

bool isBlendEquation(GLenum mode) {
    return mode == GL_FUNC_ADD || mode == GL_FUNC_SUBTRACT || mode == GL_FUNC_REVERSE_SUBTRACT || mode == GL_MIN_EXT ||
           mode == GL_MAX_EXT;
}

bool isSecondColorFactor(GLenum factor) {
    return factor == GL_SRC1_ALPHA_EXT || (factor >= GL_SRC1_COLOR_EXT && factor <= GL_ONE_MINUS_SRC1_ALPHA_EXT);
}

bool isBlendFactor(GLenum factor) {
    return factor == GL_ZERO || factor == GL_ONE || (factor >= GL_SRC_COLOR && factor <= GL_ONE_MINUS_DST_COLOR) ||
           (factor >= GL_CONSTANT_COLOR && factor <= GL_ONE_MINUS_CONSTANT_ALPHA);
}

bool isStencilOp(GLenum op) {
    switch (op) {
        case GL_KEEP:
        case GL_ZERO:
        case GL_REPLACE:
        case GL_INCR:
        case GL_DECR:
        case GL_INVERT:
        case GL_INCR_WRAP:
        case GL_DECR_WRAP:
            return true;
    }
    return false;
}

}  // namespace

bool blendEquation(Context& c, GLenum rgb, GLenum alpha) {
    return (isBlendEquation(rgb) && isBlendEquation(alpha)) || c.error(GL_INVALID_ENUM);
}

bool blendFunc(Context& c, GLenum srcRgb, GLenum dstRgb, GLenum srcAlpha, GLenum dstAlpha) {
    const bool extended = !c.fixedFunction;  // EXT_blend_func_extended is for OpenGL ES 2.0
    const auto isDestination = [&](GLenum factor) {
        return isBlendFactor(factor) || (extended && (factor == GL_SRC_ALPHA_SATURATE || isSecondColorFactor(factor)));
    };
    const auto isSource = [&](GLenum factor) { return isDestination(factor) || factor == GL_SRC_ALPHA_SATURATE; };
    const bool valid = isSource(srcRgb) && isDestination(dstRgb) && isSource(srcAlpha) && isDestination(dstAlpha);
    return valid || c.error(GL_INVALID_ENUM);
}

bool secondColorTargets(Context& c) {
    static_assert(kMaxDualSourceDrawBuffers == 1);
    if (!c.framebuffer) return true;
    const auto& buffers = c.framebuffer->drawBuffers;
    if (std::all_of(buffers.begin() + 1, buffers.end(), [](GLenum buffer) { return buffer == GL_NONE; })) return true;
    const State& s = c.state;
    const GLenum factors[] = {s.blendSrcRgb, s.blendSrcAlpha, s.blendDstRgb, s.blendDstAlpha};
    return std::none_of(std::begin(factors), std::end(factors), isSecondColorFactor) || c.error(GL_INVALID_OPERATION);
}

bool clipControl(Context& c, GLenum origin, GLenum depth) {
    const bool valid = (origin == GL_LOWER_LEFT_EXT || origin == GL_UPPER_LEFT_EXT) &&
                       (depth == GL_NEGATIVE_ONE_TO_ONE_EXT || depth == GL_ZERO_TO_ONE_EXT);
    return valid || c.error(GL_INVALID_ENUM);
}

bool cullFace(Context& c, GLenum mode) { return isFace(mode) || c.error(GL_INVALID_ENUM); }
bool frontFace(Context& c, GLenum mode) { return mode == GL_CW || mode == GL_CCW || c.error(GL_INVALID_ENUM); }
bool depthFunc(Context& c, GLenum func) { return isCompareFunc(func) || c.error(GL_INVALID_ENUM); }
bool stencilFace(Context& c, GLenum face) { return isFace(face) || c.error(GL_INVALID_ENUM); }

bool stencilFunc(Context& c, GLenum face, GLenum func) {
    return (isFace(face) && isCompareFunc(func)) || c.error(GL_INVALID_ENUM);
}

bool stencilOp(Context& c, GLenum face, GLenum fail, GLenum depthFail, GLenum depthPass) {
    bool valid = isFace(face) && isStencilOp(fail) && isStencilOp(depthFail) && isStencilOp(depthPass);
    return valid || c.error(GL_INVALID_ENUM);
}

// Written so that a width that is not a number fails too.
bool lineWidth(Context& c, GLfloat width) { return width > 0 || c.error(GL_INVALID_VALUE); }
bool size(Context& c, GLsizei width, GLsizei height) {
    return (width >= 0 && height >= 0) || c.error(GL_INVALID_VALUE);
}

bool hint(Context& c, GLenum target, GLenum mode) {
    bool knownTarget = (c.fixedFunction && c.fixedFunction->hint(target)) || target == GL_GENERATE_MIPMAP_HINT ||
                       target == GL_FRAGMENT_SHADER_DERIVATIVE_HINT_OES;
    bool knownMode = mode == GL_FASTEST || mode == GL_NICEST || mode == GL_DONT_CARE;
    return (knownTarget && knownMode) || c.error(GL_INVALID_ENUM);
}

bool pixelStore(Context& c, GLenum pname, GLint param) {
    if (!pixelStoreParameter(c.state, pname)) return c.error(GL_INVALID_ENUM);
    if (pname == GL_PACK_REVERSE_ROW_ORDER_ANGLE) return true;  // anything but 0 is true
    if (pname != GL_UNPACK_ALIGNMENT && pname != GL_PACK_ALIGNMENT) return param >= 0 || c.error(GL_INVALID_VALUE);
    return param == 1 || param == 2 || param == 4 || param == 8 || c.error(GL_INVALID_VALUE);
}

bool bufferTarget(Context& c, GLenum target) { return c.bufferBinding(target) != nullptr || c.error(GL_INVALID_ENUM); }

bool bufferData(Context& c, GLenum target, GLsizeiptr size, GLenum usage) {
    if (!bufferTarget(c, target)) return false;
    if (usage != GL_STREAM_DRAW && usage != GL_STATIC_DRAW && usage != GL_DYNAMIC_DRAW) return c.error(GL_INVALID_ENUM);
    if (size < 0) return c.error(GL_INVALID_VALUE);
    return *c.bufferBinding(target) != nullptr || c.error(GL_INVALID_OPERATION);
}

bool bufferSubData(Context& c, GLenum target, GLintptr offset, GLsizeiptr size) {
    if (!bufferTarget(c, target)) return false;
    if (offset < 0 || size < 0) return c.error(GL_INVALID_VALUE);
    const std::shared_ptr<Buffer>& buffer = *c.bufferBinding(target);
    if (!buffer) return c.error(GL_INVALID_OPERATION);
    if (buffer->mapping) return c.error(GL_INVALID_OPERATION);
    auto capacity = static_cast<GLsizeiptr>(buffer->data->size());
    return (offset <= capacity && size <= capacity - offset) || c.error(GL_INVALID_VALUE);
}

bool getBufferParameter(Context& c, GLenum target, GLenum pname) {
    if (!bufferTarget(c, target)) return false;
    bool known = pname == GL_BUFFER_SIZE || pname == GL_BUFFER_USAGE || pname == GL_BUFFER_ACCESS_OES ||
                 pname == GL_BUFFER_MAPPED_OES;
    if (!known) return c.error(GL_INVALID_ENUM);
    return *c.bufferBinding(target) != nullptr || c.error(GL_INVALID_OPERATION);
}

namespace {

/// A buffer is bound to the target; null otherwise.
Buffer* boundBuffer(Context& c, GLenum target) {
    if (!bufferTarget(c, target)) return nullptr;
    Buffer* buffer = c.bufferBinding(target)->get();
    if (!buffer) c.error(GL_INVALID_OPERATION);
    return buffer;
}

}  // namespace

bool mapBuffer(Context& c, GLenum target, GLenum access) {
    if (!bufferTarget(c, target)) return false;
    if (access != GL_WRITE_ONLY_OES) return c.error(GL_INVALID_ENUM);
    const Buffer* buffer = boundBuffer(c, target);
    return buffer && (!buffer->mapping || c.error(GL_INVALID_OPERATION));
}

bool mapBufferRange(Context& c, GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access) {
    constexpr GLbitfield kKnown = GL_MAP_READ_BIT_EXT | GL_MAP_WRITE_BIT_EXT | GL_MAP_INVALIDATE_RANGE_BIT_EXT |
                                  GL_MAP_INVALIDATE_BUFFER_BIT_EXT | GL_MAP_FLUSH_EXPLICIT_BIT_EXT |
                                  GL_MAP_UNSYNCHRONIZED_BIT_EXT;
    constexpr GLbitfield kNotWithRead =
        GL_MAP_INVALIDATE_RANGE_BIT_EXT | GL_MAP_INVALIDATE_BUFFER_BIT_EXT | GL_MAP_UNSYNCHRONIZED_BIT_EXT;
    const Buffer* buffer = boundBuffer(c, target);
    if (!buffer) return false;
    const auto size = static_cast<GLsizeiptr>(buffer->data->size());
    if (offset < 0 || length < 0 || offset > size || length > size - offset || (access & ~kKnown) != 0)
        return c.error(GL_INVALID_VALUE);
    const bool reads = (access & GL_MAP_READ_BIT_EXT) != 0, writes = (access & GL_MAP_WRITE_BIT_EXT) != 0;
    const bool valid = length > 0 && !buffer->mapping && (reads || writes) &&
                       !(reads && (access & kNotWithRead) != 0) &&
                       !(!writes && (access & GL_MAP_FLUSH_EXPLICIT_BIT_EXT) != 0);
    return valid || c.error(GL_INVALID_OPERATION);
}

bool flushMappedBufferRange(Context& c, GLenum target, GLintptr offset, GLsizeiptr length) {
    const Buffer* buffer = boundBuffer(c, target);
    if (!buffer) return false;
    if (offset < 0 || length < 0) return c.error(GL_INVALID_VALUE);
    if (!buffer->mapping || (buffer->mapping->access & GL_MAP_FLUSH_EXPLICIT_BIT_EXT) == 0)
        return c.error(GL_INVALID_OPERATION);
    const GLsizeiptr mapped = buffer->mapping->length;
    return (offset <= mapped && length <= mapped - offset) || c.error(GL_INVALID_VALUE);
}

bool unmapBuffer(Context& c, GLenum target) {
    const Buffer* buffer = boundBuffer(c, target);
    return buffer && (buffer->mapping || c.error(GL_INVALID_OPERATION));
}

bool getBufferPointer(Context& c, GLenum target, GLenum pname) {
    if (!bufferTarget(c, target)) return false;
    if (pname != GL_BUFFER_MAP_POINTER_OES) return c.error(GL_INVALID_ENUM);
    return boundBuffer(c, target) != nullptr;
}

bool vertexAttribPointer(Context& c, GLuint index, GLint size, GLenum type, GLsizei stride) {
    if (!attribIndex(c, index)) return false;
    if (size < 1 || size > 4 || stride < 0) return c.error(GL_INVALID_VALUE);
    switch (type) {
        case GL_BYTE:
        case GL_UNSIGNED_BYTE:
        case GL_SHORT:
        case GL_UNSIGNED_SHORT:
        case GL_FIXED:
        case GL_FLOAT:
        case GL_HALF_FLOAT_OES:
        case GL_HALF_FLOAT:
            return true;
    }
    return c.error(GL_INVALID_ENUM);
}

// Unlike the other objects, vertex arrays take names from glGen* only.
bool bindVertexArray(Context& c, GLuint name) {
    return name == 0 || c.vertexArrays.contains(name) || c.error(GL_INVALID_OPERATION);
}

bool getVertexAttrib(Context& c, GLuint index, GLenum pname) {
    if (!attribIndex(c, index)) return false;
    switch (pname) {
        case GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING:
        case GL_VERTEX_ATTRIB_ARRAY_ENABLED:
        case GL_VERTEX_ATTRIB_ARRAY_SIZE:
        case GL_VERTEX_ATTRIB_ARRAY_STRIDE:
        case GL_VERTEX_ATTRIB_ARRAY_TYPE:
        case GL_VERTEX_ATTRIB_ARRAY_NORMALIZED:
        case GL_CURRENT_VERTEX_ATTRIB:
        case GL_VERTEX_ATTRIB_ARRAY_DIVISOR_EXT:
            return true;
    }
    return c.error(GL_INVALID_ENUM);
}

}  // namespace tessera::gles::validate
