// Errors that OpenGL ES 3.0 names and that depend on what there is: a row says what is made, what is called then, and
// what that gives. (es3_calls.cpp has what is wrong in a new context already.)
#include <GLES3/gl3.h>

#include <climits>
#include <string>

#include "tests/gles/api_test.h"

using namespace tessera::gles_test;

namespace {

constexpr GLenum kEnum = GL_INVALID_ENUM, kValue = GL_INVALID_VALUE, kOperation = GL_INVALID_OPERATION,
                 kFramebuffer = GL_INVALID_FRAMEBUFFER_OPERATION;

// What a state leaves for its call, and memory for whatever a call reads or writes.
GLuint object = 0, other = 0;
GLsync fence = nullptr;
unsigned char bytes[1 << 10];
GLint* const ints = reinterpret_cast<GLint*>(bytes);
GLuint* const uints = reinterpret_cast<GLuint*>(bytes);
GLfloat* const floats = reinterpret_cast<GLfloat*>(bytes);
GLchar* const text = reinterpret_cast<GLchar*>(bytes);

// Buffers of 64 bytes.
GLuint bindBuffer(GLenum target) {
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, 64, nullptr, GL_STATIC_DRAW);
    return buffer;
}
void map(GLenum target, GLbitfield access = GL_MAP_WRITE_BIT) {
    REQUIRE(glMapBufferRange(target, 16, 32, access) != nullptr);
}
void vertices() {
    object = bindBuffer(GL_ARRAY_BUFFER);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
}
void mappedVertices() {
    vertices();
    map(GL_ARRAY_BUFFER);
}
void mappedIndices() {
    bindBuffer(GL_ELEMENT_ARRAY_BUFFER);
    map(GL_ELEMENT_ARRAY_BUFFER);
}
void flushed() {
    bindBuffer(GL_ARRAY_BUFFER);
    map(GL_ARRAY_BUFFER, GL_MAP_WRITE_BIT | GL_MAP_FLUSH_EXPLICIT_BIT);
}
void copied() {
    bindBuffer(GL_COPY_READ_BUFFER);
    bindBuffer(GL_COPY_WRITE_BUFFER);
}
void copiedMapped() {
    copied();
    map(GL_COPY_READ_BUFFER);
}
void copiedToMapped() {
    copied();
    map(GL_COPY_WRITE_BUFFER);
}
void copiedWithin() { glBindBuffer(GL_COPY_WRITE_BUFFER, bindBuffer(GL_COPY_READ_BUFFER)); }
void vertexArray() {
    glGenVertexArrays(1, &object);
    glBindVertexArray(object);
}

// Textures: 2D and cubes of 8 x 8 RGBA8, arrays and volumes of 8 x 8 x 4.
void texture(GLenum target) {
    glGenTextures(1, &object);
    glBindTexture(target, object);
}
void flat() {
    texture(GL_TEXTURE_2D);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
}
void array() {
    texture(GL_TEXTURE_2D_ARRAY);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 8, 8, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
}
void volume() {
    texture(GL_TEXTURE_3D);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 8, 8, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
}
void integers() {
    texture(GL_TEXTURE_2D);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8UI, 8, 8, 0, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, nullptr);
}
void compressed() {
    texture(GL_TEXTURE_2D_ARRAY);
    glCompressedTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_COMPRESSED_RGB8_ETC2, 8, 8, 4, 0, 4 * 32, bytes);
}
void immutable() {
    texture(GL_TEXTURE_2D);
    glTexStorage2D(GL_TEXTURE_2D, 2, GL_RGBA8, 8, 8);
    texture(GL_TEXTURE_2D_ARRAY);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 2, GL_RGBA8, 8, 8, 4);
}
void emptyTextures() {
    for (const GLenum target : {GL_TEXTURE_2D, GL_TEXTURE_3D, GL_TEXTURE_2D_ARRAY}) texture(target);
}
void unpacking() {
    array();
    bindBuffer(GL_PIXEL_UNPACK_BUFFER);
}
void unpackingMapped() {
    unpacking();
    map(GL_PIXEL_UNPACK_BUFFER);
}
void unpackingBlocks() {
    compressed();
    bindBuffer(GL_PIXEL_UNPACK_BUFFER);
}
void unpackingBlocksMapped() {
    unpackingBlocks();
    map(GL_PIXEL_UNPACK_BUFFER);
}
void sampler() {
    glGenSamplers(1, &object);
    glBindSampler(0, object);
}
void deletedSampler() {
    sampler();
    glDeleteSamplers(1, &object);
}

// Framebuffers of 8 x 8.
void framebuffer() {
    GLuint name = 0;
    glGenFramebuffers(1, &name);
    glBindFramebuffer(GL_FRAMEBUFFER, name);
}
void renderbuffer(GLenum attachment, GLenum format, GLsizei samples = 0) {
    glGenRenderbuffers(1, &object);
    glBindRenderbuffer(GL_RENDERBUFFER, object);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, 8, 8);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, object);
}
void colors(GLenum format, GLsizei samples = 0) {
    framebuffer();
    renderbuffer(GL_COLOR_ATTACHMENT0, format, samples);
}
void bytesTarget() { colors(GL_RGBA8); }
void unsignedTarget() { colors(GL_RGBA8UI); }
void sampledTarget() { colors(GL_RGBA8, 4); }
/// Read from `first`, drawn to `second`.
void blitting(GLenum first, GLsizei firstSamples, GLenum second, GLsizei secondSamples = 0) {
    colors(second, secondSamples);
    GLint name = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &name);
    colors(first, firstSamples);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(name));
}
void blittingBytes() { blitting(GL_RGBA8, 0, GL_RGBA8); }
void blittingToUnsigned() { blitting(GL_RGBA8, 0, GL_RGBA8UI); }
void blittingSignedToUnsigned() { blitting(GL_RGBA8I, 0, GL_RGBA8UI); }
void blittingIntegers() { blitting(GL_RGBA8I, 0, GL_RGBA8I); }
void blittingToSamples() { blitting(GL_RGBA8, 0, GL_RGBA8, 4); }
void blittingSamples() { blitting(GL_RGBA8, 4, GL_RGBA8); }
void blittingSamplesToOthers() { blitting(GL_RGBA8, 4, GL_RGB565); }
void blittingDepths() {
    framebuffer();
    renderbuffer(GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT16);
    GLint name = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &name);
    framebuffer();
    renderbuffer(GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(name));
}
void packing() { bindBuffer(GL_PIXEL_PACK_BUFFER); }
void packingMapped() {
    packing();
    map(GL_PIXEL_PACK_BUFFER, GL_MAP_READ_BIT);
}
void readNothing() { glReadBuffer(GL_NONE); }
void attachable() {
    array();
    other = object;
    volume();
    framebuffer();
}
void attachableFlat() {
    flat();
    framebuffer();
}

// Queries and fences.
void querying() {
    glGenQueries(1, &object);
    glGenQueries(1, &other);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, object);
}
void queried() {
    querying();
    glEndQuery(GL_ANY_SAMPLES_PASSED);
}
void fenced() { fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0); }

// Programs.
void program() {
    object = useProgram(
        "#version 300 es\nin vec4 position; uniform Block { vec4 inside; }; uniform uint u; uniform uvec2 v;"
        " uniform uint array[2]; uniform int i; uniform mat2x3 m;"
        " void main() { gl_Position = position + inside + vec4(v, u, i) + vec4(m[0], array[1]); }",
        "#version 300 es\nprecision highp float; uniform sampler2D image; out vec4 color;"
        " void main() { color = texture(image, vec2(0)); }");
}
void drawnMapped() {
    program();
    mappedVertices();
}
GLint at(const char* name) { return glGetUniformLocation(object, name); }
void unlinked() { object = glCreateProgram(); }
void shader() { object = glCreateShader(GL_VERTEX_SHADER); }

struct Row {
    GLenum error;
    const char* name;  ///< of the entry point
    void (*state)();
    void (*call)();
};

// clang-format off
constexpr Row kRows[] = {
    {kOperation, "glBeginQuery", querying, [] { glBeginQuery(GL_ANY_SAMPLES_PASSED, other); }},
    {kOperation, "glBeginQuery", querying, [] { glBeginQuery(GL_ANY_SAMPLES_PASSED_CONSERVATIVE, other); }},
    {kOperation, "glBeginQuery", querying, [] { glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, object); }},
    {kOperation, "glBeginQuery", queried, [] { glBeginQuery(GL_ANY_SAMPLES_PASSED_CONSERVATIVE, object); }},
    {kOperation, "glEndQuery", querying, [] { glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN); }},
    {kOperation, "glGetQueryObjectuiv", querying, [] { glGetQueryObjectuiv(object, GL_QUERY_RESULT_AVAILABLE, uints); }},
    {kOperation, "glGetQueryObjectuiv", querying, [] { glGetQueryObjectuiv(other, GL_QUERY_RESULT_AVAILABLE, uints); }},
    {kEnum, "glGetQueryObjectuiv", queried, [] { glGetQueryObjectuiv(object, GL_CURRENT_QUERY, uints); }},
    {kValue, "glClientWaitSync", fenced, [] { (void)glClientWaitSync(fence, 2, 0); }},
    {kValue, "glWaitSync", fenced, [] { glWaitSync(fence, 1, GL_TIMEOUT_IGNORED); }},
    {kValue, "glWaitSync", fenced, [] { glWaitSync(fence, 0, 0); }},
    {kEnum, "glGetSynciv", fenced, [] { glGetSynciv(fence, GL_SIGNALED, 1, nullptr, ints); }},
    {kValue, "glGetSynciv", fenced, [] { glGetSynciv(fence, GL_SYNC_STATUS, -1, nullptr, ints); }},

    {kOperation, "glBufferSubData", mappedVertices, [] { glBufferSubData(GL_ARRAY_BUFFER, 0, 4, bytes); }},
    {kValue, "glCopyBufferSubData", copied, [] { glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, -1, 0, 4); }},
    {kValue, "glCopyBufferSubData", copied, [] { glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, -1, 4); }},
    {kValue, "glCopyBufferSubData", copied, [] { glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 61, 0, 4); }},
    {kValue, "glCopyBufferSubData", copied, [] { glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 61, 4); }},
    {kValue, "glCopyBufferSubData", copiedWithin, [] { glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 15, 16); }},
    {kOperation, "glCopyBufferSubData", copiedMapped, [] { glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, 4); }},
    {kOperation, "glCopyBufferSubData", copiedToMapped, [] { glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, 4); }},
    {kValue, "glFlushMappedBufferRange", flushed, [] { glFlushMappedBufferRange(GL_ARRAY_BUFFER, -1, 4); }},
    {kValue, "glFlushMappedBufferRange", flushed, [] { glFlushMappedBufferRange(GL_ARRAY_BUFFER, 0, -4); }},
    {kValue, "glFlushMappedBufferRange", flushed, [] { glFlushMappedBufferRange(GL_ARRAY_BUFFER, 16, 17); }},
    {kOperation, "glFlushMappedBufferRange", vertices, [] { glFlushMappedBufferRange(GL_ARRAY_BUFFER, 0, 4); }},
    {kOperation, "glFlushMappedBufferRange", mappedVertices, [] { glFlushMappedBufferRange(GL_ARRAY_BUFFER, 0, 4); }},
    {kEnum, "glGetBufferParameteri64v", vertices, [] { glGetBufferParameteri64v(GL_ARRAY_BUFFER, GL_RGBA, nullptr); }},
    {kEnum, "glGetBufferPointerv", vertices, [] { glGetBufferPointerv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, nullptr); }},
    {kValue, "glMapBufferRange", vertices, [] { glMapBufferRange(GL_ARRAY_BUFFER, -1, 4, GL_MAP_READ_BIT); }},
    {kValue, "glMapBufferRange", vertices, [] { glMapBufferRange(GL_ARRAY_BUFFER, 0, -4, GL_MAP_READ_BIT); }},
    {kValue, "glMapBufferRange", vertices, [] { glMapBufferRange(GL_ARRAY_BUFFER, 32, 33, GL_MAP_READ_BIT); }},
    {kValue, "glMapBufferRange", vertices, [] { glMapBufferRange(GL_ARRAY_BUFFER, 0, 4, GL_MAP_READ_BIT | 0x40); }},
    {kOperation, "glMapBufferRange", vertices, [] { glMapBufferRange(GL_ARRAY_BUFFER, 0, 0, GL_MAP_READ_BIT); }},
    {kOperation, "glMapBufferRange", vertices, [] { glMapBufferRange(GL_ARRAY_BUFFER, 0, 4, 0); }},
    {kOperation, "glMapBufferRange", vertices, [] { glMapBufferRange(GL_ARRAY_BUFFER, 0, 4, GL_MAP_READ_BIT | GL_MAP_INVALIDATE_RANGE_BIT); }},
    {kOperation, "glMapBufferRange", vertices, [] { glMapBufferRange(GL_ARRAY_BUFFER, 0, 4, GL_MAP_READ_BIT | GL_MAP_INVALIDATE_BUFFER_BIT); }},
    {kOperation, "glMapBufferRange", vertices, [] { glMapBufferRange(GL_ARRAY_BUFFER, 0, 4, GL_MAP_READ_BIT | GL_MAP_UNSYNCHRONIZED_BIT); }},
    {kOperation, "glMapBufferRange", vertices, [] { glMapBufferRange(GL_ARRAY_BUFFER, 0, 4, GL_MAP_READ_BIT | GL_MAP_FLUSH_EXPLICIT_BIT); }},
    {kOperation, "glMapBufferRange", mappedVertices, [] { glMapBufferRange(GL_ARRAY_BUFFER, 0, 4, GL_MAP_READ_BIT); }},
    {kOperation, "glUnmapBuffer", vertices, [] { glUnmapBuffer(GL_ARRAY_BUFFER); }},
    {kOperation, "glVertexAttribIPointer", vertexArray, [] { glVertexAttribIPointer(0, 4, GL_INT, 0, bytes); }},
    {kOperation, "glVertexAttribPointer", vertexArray, [] { glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, bytes); }},
    {kOperation, "glVertexAttribPointer", vertices, [] { glVertexAttribPointer(0, 3, GL_INT_2_10_10_10_REV, GL_FALSE, 0, nullptr); }},
    {kOperation, "glDrawArrays", drawnMapped, [] { glDrawArrays(GL_POINTS, 0, 1); }},
    {kOperation, "glDrawArraysInstanced", drawnMapped, [] { glDrawArraysInstanced(GL_POINTS, 0, 1, 1); }},
    {kOperation, "glDrawElements", mappedIndices, [] { glDrawElements(GL_POINTS, 1, GL_UNSIGNED_BYTE, nullptr); }},
    {kOperation, "glDrawElementsInstanced", mappedIndices, [] { glDrawElementsInstanced(GL_POINTS, 1, GL_UNSIGNED_BYTE, nullptr, 1); }},
    {kOperation, "glDrawRangeElements", mappedIndices, [] { glDrawRangeElements(GL_POINTS, 0, 1, 1, GL_UNSIGNED_BYTE, nullptr); }},
    {kFramebuffer, "glDrawArraysInstanced", framebuffer, [] { glDrawArraysInstanced(GL_POINTS, 0, 1, 1); }},
    {kFramebuffer, "glDrawElementsInstanced", framebuffer, [] { glDrawElementsInstanced(GL_POINTS, 1, GL_UNSIGNED_BYTE, bytes, 1); }},
    {kFramebuffer, "glDrawRangeElements", framebuffer, [] { glDrawRangeElements(GL_POINTS, 0, 1, 1, GL_UNSIGNED_BYTE, bytes); }},

    {kOperation, "glBindTexture", flat, [] { glBindTexture(GL_TEXTURE_3D, object); }},
    {kOperation, "glBindSampler", deletedSampler, [] { glBindSampler(0, object); }},
    {kEnum, "glGetSamplerParameterfv", sampler, [] { glGetSamplerParameterfv(object, GL_TEXTURE_SWIZZLE_R, floats); }},
    {kEnum, "glGetSamplerParameteriv", sampler, [] { glGetSamplerParameteriv(object, GL_TEXTURE_BASE_LEVEL, ints); }},
    {kEnum, "glSamplerParameterf", sampler, [] { glSamplerParameterf(object, GL_TEXTURE_WRAP_S, -1); }},
    {kEnum, "glSamplerParameterf", sampler, [] { glSamplerParameterf(object, GL_TEXTURE_2D, 0); }},
    {kEnum, "glSamplerParameterfv", sampler, [] { const GLfloat one = 1; glSamplerParameterfv(object, GL_TEXTURE_MIN_FILTER, &one); }},
    {kEnum, "glSamplerParameteri", sampler, [] { glSamplerParameteri(object, GL_TEXTURE_COMPARE_FUNC, GL_LINEAR); }},
    {kEnum, "glSamplerParameteriv", sampler, [] { const GLint one = 1; glSamplerParameteriv(object, GL_TEXTURE_COMPARE_MODE, &one); }},
    {kOperation, "glGenerateMipmap", integers, [] { glGenerateMipmap(GL_TEXTURE_2D); }},
    {kOperation, "glGenerateMipmap", compressed, [] { glGenerateMipmap(GL_TEXTURE_2D_ARRAY); }},
    {kValue, "glTexImage3D", array, [] { glTexImage3D(GL_TEXTURE_2D_ARRAY, -1, GL_RGBA8, 1, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); }},
    {kValue, "glTexImage3D", array, [] { glTexImage3D(GL_TEXTURE_2D_ARRAY, 31, GL_RGBA8, 1, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); }},
    {kValue, "glTexImage3D", array, [] { glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 1, 1, INT_MAX, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); }},
    {kValue, "glTexImage3D", volume, [] { glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 1, -1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); }},
    {kValue, "glTexImage3D", volume, [] { glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 1, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); }},
    {kEnum, "glTexImage3D", volume, [] { glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 1, 1, 1, 0, GL_RGBA8, GL_UNSIGNED_BYTE, nullptr); }},
    {kEnum, "glTexImage3D", volume, [] { glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 1, 1, 1, 0, GL_RGBA, GL_RGBA, nullptr); }},
    {kValue, "glTexImage3D", volume, [] { glTexImage3D(GL_TEXTURE_3D, 0, GL_FLOAT, 1, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); }},
    {kOperation, "glTexImage3D", volume, [] { glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 1, 1, 1, 0, GL_RGB, GL_UNSIGNED_BYTE, nullptr); }},
    {kOperation, "glTexImage3D", volume, [] { glTexImage3D(GL_TEXTURE_3D, 0, GL_DEPTH_COMPONENT16, 1, 1, 1, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, nullptr); }},
    {kOperation, "glTexImage3D", immutable, [] { glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 1, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); }},
    {kOperation, "glTexImage3D", unpacking, [] { glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 4, 4, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); }},
    {kOperation, "glTexImage3D", unpacking, [] { glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_R16F, 1, 1, 1, 0, GL_RED, GL_HALF_FLOAT, reinterpret_cast<const void*>(1)); }},
    {kOperation, "glTexImage3D", unpackingMapped, [] { glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 1, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); }},
    {kValue, "glTexSubImage3D", array, [] { glTexSubImage3D(GL_TEXTURE_2D_ARRAY, -1, 0, 0, 0, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, bytes); }},
    {kValue, "glTexSubImage3D", array, [] { glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, -1, 0, 0, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, bytes); }},
    {kValue, "glTexSubImage3D", array, [] { glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 4, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, bytes); }},
    {kValue, "glTexSubImage3D", array, [] { glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 1, 9, 1, GL_RGBA, GL_UNSIGNED_BYTE, bytes); }},
    {kValue, "glTexSubImage3D", array, [] { glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 1, 1, -1, GL_RGBA, GL_UNSIGNED_BYTE, bytes); }},
    {kEnum, "glTexSubImage3D", array, [] { glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 1, 1, 1, GL_RGBA8, GL_UNSIGNED_BYTE, bytes); }},
    {kEnum, "glTexSubImage3D", array, [] { glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 1, 1, 1, GL_RGBA, GL_RGBA, bytes); }},
    {kOperation, "glTexSubImage3D", array, [] { glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 1, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, bytes); }},
    {kOperation, "glTexSubImage3D", array, [] { glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 1, 0, 0, 0, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, bytes); }},
    {kOperation, "glTexSubImage3D", emptyTextures, [] { glTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, 0, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, bytes); }},
    {kOperation, "glTexSubImage3D", compressed, [] { glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 4, 4, 1, GL_RGB, GL_UNSIGNED_BYTE, bytes); }},
    {kOperation, "glTexSubImage3D", unpacking, [] { glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 4, 4, 2, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); }},
    {kOperation, "glTexSubImage3D", unpackingMapped, [] { glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); }},
    {kOperation, "glTexStorage2D", [] {}, [] { glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 8, 8); }},
    {kOperation, "glTexStorage2D", immutable, [] { glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 8, 8); }},
    {kEnum, "glTexStorage2D", emptyTextures, [] { glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA, 8, 8); }},
    {kValue, "glTexStorage2D", emptyTextures, [] { glTexStorage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 8, 8); }},
    {kValue, "glTexStorage2D", emptyTextures, [] { glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 0, 8); }},
    {kOperation, "glTexStorage2D", emptyTextures, [] { glTexStorage2D(GL_TEXTURE_2D, 5, GL_RGBA8, 8, 8); }},
    {kOperation, "glTexStorage3D", immutable, [] { glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, 8, 8, 8); }},
    {kEnum, "glTexStorage3D", emptyTextures, [] { glTexStorage3D(GL_TEXTURE_3D, 1, GL_RGBA, 8, 8, 8); }},
    {kValue, "glTexStorage3D", emptyTextures, [] { glTexStorage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 8, 8, 8); }},
    {kValue, "glTexStorage3D", emptyTextures, [] { glTexStorage3D(GL_TEXTURE_3D, 1, GL_RGBA8, 8, 8, 0); }},
    {kOperation, "glTexStorage3D", emptyTextures, [] { glTexStorage3D(GL_TEXTURE_3D, 5, GL_RGBA8, 8, 8, 8); }},
    {kOperation, "glTexStorage3D", emptyTextures, [] { glTexStorage3D(GL_TEXTURE_2D_ARRAY, 5, GL_RGBA8, 8, 8, 16); }},
    {kOperation, "glTexStorage3D", emptyTextures, [] { glTexStorage3D(GL_TEXTURE_3D, 1, GL_COMPRESSED_RGB8_ETC2, 8, 8, 8); }},
    {kValue, "glCopyTexSubImage3D", array, [] { glCopyTexSubImage3D(GL_TEXTURE_2D_ARRAY, -1, 0, 0, 0, 0, 0, 1, 1); }},
    {kValue, "glCopyTexSubImage3D", array, [] { glCopyTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 4, 0, 0, 1, 1); }},
    {kValue, "glCopyTexSubImage3D", array, [] { glCopyTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 8, 0, 0, 0, 0, 1, 1); }},
    {kValue, "glCopyTexSubImage3D", array, [] { glCopyTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 0, 0, -1, 1); }},
    {kOperation, "glCopyTexSubImage3D", emptyTextures, [] { glCopyTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, 0, 0, 0, 1, 1); }},
    {kOperation, "glCopyTexSubImage3D", compressed, [] { glCopyTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 0, 0, 4, 4); }},
    {kOperation, "glCopyTexSubImage3D", [] { array(); readNothing(); }, [] { glCopyTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 0, 0, 1, 1); }},
    {kOperation, "glCopyTexSubImage3D", [] { array(); sampledTarget(); }, [] { glCopyTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 0, 0, 1, 1); }},
    {kOperation, "glCopyTexSubImage3D", [] { array(); unsignedTarget(); }, [] { glCopyTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 0, 0, 1, 1); }},
    {kFramebuffer, "glCopyTexSubImage3D", [] { array(); framebuffer(); }, [] { glCopyTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 0, 0, 1, 1); }},
    {kValue, "glCompressedTexImage3D", compressed, [] { glCompressedTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_COMPRESSED_RGB8_ETC2, 4, 4, 2, 0, 8, bytes); }},
    {kValue, "glCompressedTexImage3D", compressed, [] { glCompressedTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_COMPRESSED_RGB8_ETC2, 4, 4, 1, 1, 8, bytes); }},
    {kValue, "glCompressedTexImage3D", compressed, [] { glCompressedTexImage3D(GL_TEXTURE_2D_ARRAY, -1, GL_COMPRESSED_RGB8_ETC2, 4, 4, 1, 0, 8, bytes); }},
    {kEnum, "glCompressedTexImage3D", compressed, [] { glCompressedTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGB8, 4, 4, 1, 0, 48, bytes); }},
    {kOperation, "glCompressedTexImage3D", volume, [] { glCompressedTexImage3D(GL_TEXTURE_3D, 0, GL_COMPRESSED_RGB8_ETC2, 4, 4, 1, 0, 8, bytes); }},
    {kOperation, "glCompressedTexImage3D", immutable, [] { glCompressedTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_COMPRESSED_RGB8_ETC2, 4, 4, 1, 0, 8, bytes); }},
    {kOperation, "glCompressedTexImage3D", unpackingBlocks, [] { glCompressedTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_COMPRESSED_RGB8_ETC2, 12, 12, 1, 0, 72, nullptr); }},
    {kOperation, "glCompressedTexImage3D", unpackingBlocksMapped, [] { glCompressedTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_COMPRESSED_RGB8_ETC2, 4, 4, 1, 0, 8, nullptr); }},
    {kValue, "glCompressedTexSubImage3D", compressed, [] { glCompressedTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 4, 4, 1, GL_COMPRESSED_RGB8_ETC2, 7, bytes); }},
    {kValue, "glCompressedTexSubImage3D", compressed, [] { glCompressedTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 4, 4, 4, 1, GL_COMPRESSED_RGB8_ETC2, 8, bytes); }},
    {kOperation, "glCompressedTexSubImage3D", compressed, [] { glCompressedTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 1, 0, 0, 4, 4, 1, GL_COMPRESSED_RGB8_ETC2, 8, bytes); }},
    {kOperation, "glCompressedTexSubImage3D", compressed, [] { glCompressedTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 3, 4, 1, GL_COMPRESSED_RGB8_ETC2, 8, bytes); }},
    {kOperation, "glCompressedTexSubImage3D", compressed, [] { glCompressedTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 4, 4, 1, GL_COMPRESSED_R11_EAC, 8, bytes); }},
    {kOperation, "glCompressedTexSubImage3D", unpackingBlocks, [] { glCompressedTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 8, 8, 3, GL_COMPRESSED_RGB8_ETC2, 96, nullptr); }},
    {kOperation, "glCompressedTexSubImage3D", unpackingBlocksMapped, [] { glCompressedTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 4, 4, 1, GL_COMPRESSED_RGB8_ETC2, 8, nullptr); }},

    {kOperation, "glBlitFramebuffer", blittingBytes, [] { glBlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_DEPTH_BUFFER_BIT, GL_LINEAR); }},
    {kOperation, "glBlitFramebuffer", blittingBytes, [] { glBlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_STENCIL_BUFFER_BIT, GL_LINEAR); }},
    {kOperation, "glBlitFramebuffer", blittingToUnsigned, [] { glBlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST); }},
    {kOperation, "glBlitFramebuffer", blittingSignedToUnsigned, [] { glBlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST); }},
    {kOperation, "glBlitFramebuffer", blittingIntegers, [] { glBlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_LINEAR); }},
    {kOperation, "glBlitFramebuffer", blittingToSamples, [] { glBlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST); }},
    {kOperation, "glBlitFramebuffer", blittingSamples, [] { glBlitFramebuffer(0, 0, 8, 8, 0, 0, 4, 4, GL_COLOR_BUFFER_BIT, GL_NEAREST); }},
    {kOperation, "glBlitFramebuffer", blittingSamplesToOthers, [] { glBlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST); }},
    {kOperation, "glBlitFramebuffer", blittingDepths, [] { glBlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_DEPTH_BUFFER_BIT, GL_NEAREST); }},
    {kFramebuffer, "glBlitFramebuffer", framebuffer, [] { glBlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST); }},
    {kFramebuffer, "glClearBufferfi", framebuffer, [] { glClearBufferfi(GL_DEPTH_STENCIL, 0, 1, 0); }},
    {kFramebuffer, "glClearBufferfv", framebuffer, [] { glClearBufferfv(GL_COLOR, 0, floats); }},
    {kFramebuffer, "glClearBufferiv", framebuffer, [] { glClearBufferiv(GL_COLOR, 0, ints); }},
    {kFramebuffer, "glClearBufferuiv", framebuffer, [] { glClearBufferuiv(GL_COLOR, 0, uints); }},
    {kOperation, "glDrawBuffers", [] {}, [] { const GLenum two[] = {GL_BACK, GL_NONE}; glDrawBuffers(2, two); }},
    {kOperation, "glDrawBuffers", [] {}, [] { const GLenum one = GL_COLOR_ATTACHMENT0; glDrawBuffers(1, &one); }},
    {kEnum, "glDrawBuffers", [] {}, [] { const GLenum one = GL_FRONT; glDrawBuffers(1, &one); }},
    {kOperation, "glDrawBuffers", bytesTarget, [] { const GLenum one = GL_BACK; glDrawBuffers(1, &one); }},
    {kOperation, "glDrawBuffers", bytesTarget, [] { const GLenum one = GL_COLOR_ATTACHMENT1; glDrawBuffers(1, &one); }},
    {kValue, "glDrawBuffers", bytesTarget, [] { glDrawBuffers(9, uints); }},
    {kOperation, "glReadBuffer", [] {}, [] { glReadBuffer(GL_COLOR_ATTACHMENT0); }},
    {kOperation, "glReadBuffer", bytesTarget, [] { glReadBuffer(GL_BACK); }},
    {kOperation, "glReadPixels", readNothing, [] { glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, bytes); }},
    {kOperation, "glReadPixels", sampledTarget, [] { glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, bytes); }},
    {kOperation, "glReadPixels", unsignedTarget, [] { glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, bytes); }},
    {kOperation, "glReadPixels", unsignedTarget, [] { glReadPixels(0, 0, 1, 1, GL_RGBA_INTEGER, GL_INT, bytes); }},
    {kOperation, "glReadPixels", bytesTarget, [] { glReadPixels(0, 0, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, bytes); }},
    {kOperation, "glReadPixels", bytesTarget, [] { glReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, bytes); }},
    {kOperation, "glReadPixels", packing, [] { glReadPixels(0, 0, 5, 4, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); }},
    {kOperation, "glReadPixels", packingMapped, [] { glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); }},
    {kFramebuffer, "glReadPixels", framebuffer, [] { glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, bytes); }},
    {kOperation, "glFramebufferTextureLayer", volume, [] { glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, object, 0, 0); }},
    {kValue, "glFramebufferTextureLayer", attachable, [] { glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, object, 0, -1); }},
    {kValue, "glFramebufferTextureLayer", attachable, [] { glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, object, 0, 1 << 20); }},
    {kValue, "glFramebufferTextureLayer", attachable, [] { glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, other, 0, 1 << 20); }},
    {kValue, "glFramebufferTextureLayer", attachable, [] { glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, other, -1, 0); }},
    {kOperation, "glFramebufferTextureLayer", attachableFlat, [] { glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, object, 0, 0); }},
    {kOperation, "glFramebufferTexture2D", attachable, [] { glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, object, 0); }},
    {kOperation, "glGetFramebufferAttachmentParameteriv", [] {}, [] { glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, ints); }},
    {kEnum, "glGetFramebufferAttachmentParameteriv", bytesTarget, [] { glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER, ints); }},
    {kOperation, "glGetFramebufferAttachmentParameteriv", framebuffer, [] { glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE, ints); }},
    {kOperation, "glGetFramebufferAttachmentParameteriv", [] { framebuffer(); renderbuffer(GL_DEPTH_ATTACHMENT, GL_DEPTH24_STENCIL8); },
     [] { glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, ints); }},
    {kOperation, "glInvalidateFramebuffer", bytesTarget, [] { const GLenum one = GL_COLOR_ATTACHMENT31; glInvalidateFramebuffer(GL_FRAMEBUFFER, 1, &one); }},
    {kOperation, "glInvalidateSubFramebuffer", bytesTarget, [] { const GLenum one = GL_COLOR_ATTACHMENT31; glInvalidateSubFramebuffer(GL_FRAMEBUFFER, 1, &one, 0, 0, 1, 1); }},
    {kEnum, "glInvalidateFramebuffer", bytesTarget, [] { const GLenum one = GL_COLOR; glInvalidateFramebuffer(GL_FRAMEBUFFER, 1, &one); }},
    {kOperation, "glRenderbufferStorageMultisample", bytesTarget, [] { glRenderbufferStorageMultisample(GL_RENDERBUFFER, 5, GL_RGBA8, 8, 8); }},
    {kOperation, "glRenderbufferStorageMultisample", bytesTarget, [] { glRenderbufferStorageMultisample(GL_RENDERBUFFER, 1, GL_RGBA8UI, 8, 8); }},
    {kValue, "glRenderbufferStorageMultisample", bytesTarget, [] { glRenderbufferStorageMultisample(GL_RENDERBUFFER, -1, GL_RGBA8, 8, 8); }},
    {kValue, "glRenderbufferStorageMultisample", bytesTarget, [] { glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, 8, -8); }},
    {kValue, "glRenderbufferStorageMultisample", bytesTarget, [] { glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, INT_MAX, 8); }},
    {kEnum, "glRenderbufferStorageMultisample", bytesTarget, [] { glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA, 8, 8); }},

    {kValue, "glGetActiveUniformBlockName", program, [] { glGetActiveUniformBlockName(object, 1, 8, nullptr, text); }},
    {kValue, "glGetActiveUniformBlockName", program, [] { glGetActiveUniformBlockName(object, 0, -1, nullptr, text); }},
    {kOperation, "glGetActiveUniformBlockName", shader, [] { glGetActiveUniformBlockName(object, 0, 8, nullptr, text); }},
    {kValue, "glGetActiveUniformBlockiv", program, [] { glGetActiveUniformBlockiv(object, 1, GL_UNIFORM_BLOCK_BINDING, ints); }},
    {kEnum, "glGetActiveUniformBlockiv", program, [] { glGetActiveUniformBlockiv(object, 0, GL_UNIFORM_TYPE, ints); }},
    {kOperation, "glGetActiveUniformBlockiv", shader, [] { glGetActiveUniformBlockiv(object, 0, GL_UNIFORM_BLOCK_BINDING, ints); }},
    {kValue, "glGetActiveUniformsiv", program, [] { const GLuint beyond = 99; glGetActiveUniformsiv(object, 1, &beyond, GL_UNIFORM_TYPE, ints); }},
    {kValue, "glGetActiveUniformsiv", program, [] { glGetActiveUniformsiv(object, -1, uints, GL_UNIFORM_TYPE, ints); }},
    {kEnum, "glGetActiveUniformsiv", program, [] { const GLuint first = 0; glGetActiveUniformsiv(object, 1, &first, GL_UNIFORM_BLOCK_BINDING, ints); }},
    {kOperation, "glGetActiveUniformsiv", shader, [] { const GLuint first = 0; glGetActiveUniformsiv(object, 1, &first, GL_UNIFORM_TYPE, ints); }},
    {kOperation, "glGetFragDataLocation", unlinked, [] { glGetFragDataLocation(object, "color"); }},
    {kOperation, "glGetFragDataLocation", shader, [] { glGetFragDataLocation(object, "color"); }},
    {kOperation, "glGetProgramBinary", program, [] { glGetProgramBinary(object, 1, nullptr, uints, uints + 1); }},
    {kValue, "glGetProgramBinary", program, [] { glGetProgramBinary(object, -1, nullptr, uints, uints + 1); }},
    {kOperation, "glGetProgramBinary", unlinked, [] { glGetProgramBinary(object, 64, nullptr, uints, uints + 1); }},
    {kOperation, "glGetProgramBinary", shader, [] { glGetProgramBinary(object, 64, nullptr, uints, uints + 1); }},
    {kEnum, "glGetProgramiv", program, [] { glGetProgramiv(object, GL_TRANSFORM_FEEDBACK_BINDING, ints); }},
    {kValue, "glGetTransformFeedbackVarying", program, [] { glGetTransformFeedbackVarying(object, 0, 8, nullptr, ints, uints + 1, text + 8); }},
    {kOperation, "glGetTransformFeedbackVarying", unlinked, [] { glGetTransformFeedbackVarying(object, 0, 8, nullptr, ints, uints + 1, text + 8); }},
    {kOperation, "glGetTransformFeedbackVarying", shader, [] { glGetTransformFeedbackVarying(object, 0, 8, nullptr, ints, uints + 1, text + 8); }},
    {kOperation, "glGetUniformBlockIndex", shader, [] { (void)glGetUniformBlockIndex(object, "Block"); }},
    {kOperation, "glGetUniformIndices", shader, [] { const GLchar* one = "u"; glGetUniformIndices(object, 1, &one, uints); }},
    {kValue, "glGetUniformIndices", program, [] { const GLchar* one = "u"; glGetUniformIndices(object, -1, &one, uints); }},
    {kOperation, "glGetUniformuiv", program, [] { glGetUniformuiv(object, 4711, uints); }},
    {kOperation, "glGetUniformuiv", unlinked, [] { glGetUniformuiv(object, 0, uints); }},
    {kOperation, "glGetUniformuiv", shader, [] { glGetUniformuiv(object, 0, uints); }},
    {kEnum, "glProgramBinary", program, [] { glProgramBinary(object, GL_RGBA, bytes, 4); }},
    {kOperation, "glProgramBinary", shader, [] { glProgramBinary(object, GL_RGBA, bytes, 4); }},
    {kEnum, "glProgramParameteri", program, [] { glProgramParameteri(object, GL_LINK_STATUS, GL_TRUE); }},
    {kValue, "glProgramParameteri", program, [] { glProgramParameteri(object, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, 2); }},
    {kOperation, "glProgramParameteri", shader, [] { glProgramParameteri(object, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE); }},
    {kEnum, "glTransformFeedbackVaryings", program, [] { glTransformFeedbackVaryings(object, 0, nullptr, GL_RGBA); }},
    {kValue, "glTransformFeedbackVaryings", program, [] { glTransformFeedbackVaryings(object, -1, nullptr, GL_SEPARATE_ATTRIBS); }},
    {kValue, "glTransformFeedbackVaryings", program, [] { const GLchar* five[] = {"a", "b", "c", "d", "e"}; glTransformFeedbackVaryings(object, 5, five, GL_SEPARATE_ATTRIBS); }},
    {kOperation, "glTransformFeedbackVaryings", shader, [] { glTransformFeedbackVaryings(object, 0, nullptr, GL_SEPARATE_ATTRIBS); }},
    {kValue, "glUniformBlockBinding", program, [] { glUniformBlockBinding(object, 1, 0); }},
    {kValue, "glUniformBlockBinding", program, [] { glUniformBlockBinding(object, 0, 4711); }},
    {kOperation, "glUniformBlockBinding", shader, [] { glUniformBlockBinding(object, 0, 0); }},
    {kOperation, "glUniform1ui", program, [] { glUniform1ui(4711, 1); }},
    {kOperation, "glUniform1ui", program, [] { glUniform1ui(at("i"), 1); }},
    {kOperation, "glUniform1ui", program, [] { glUniform1ui(at("v"), 1); }},
    {kOperation, "glUniform1ui", program, [] { glUniform1ui(at("image"), 1); }},
    {kOperation, "glUniform1ui", program, [] { glUniform1ui(at("m"), 1); }},
    {kOperation, "glUniform1uiv", program, [] { glUniform1uiv(at("u"), 2, uints); }},
    {kValue, "glUniform1uiv", program, [] { glUniform1uiv(at("array"), -1, uints); }},
    {kOperation, "glUniform1i", program, [] { glUniform1i(at("u"), 1); }},
    {kOperation, "glUniform1f", program, [] { glUniform1f(at("u"), 1); }},
    {kOperation, "glUniform2ui", program, [] { glUniform2ui(at("u"), 1, 2); }},
    {kOperation, "glUniform2uiv", program, [] { glUniform2uiv(at("v"), 2, uints); }},
    {kOperation, "glUniform3ui", program, [] { glUniform3ui(at("v"), 1, 2, 3); }},
    {kOperation, "glUniform3uiv", program, [] { glUniform3uiv(at("v"), 1, uints); }},
    {kOperation, "glUniform4ui", program, [] { glUniform4ui(at("v"), 1, 2, 3, 4); }},
    {kOperation, "glUniform4uiv", program, [] { glUniform4uiv(at("v"), 1, uints); }},
    {kOperation, "glUniformMatrix2x3fv", program, [] { glUniformMatrix2x3fv(at("m"), 2, GL_FALSE, floats); }},
    {kValue, "glUniformMatrix2x3fv", program, [] { glUniformMatrix2x3fv(at("m"), -1, GL_TRUE, floats); }},
    {kOperation, "glUniformMatrix3x2fv", program, [] { glUniformMatrix3x2fv(at("m"), 1, GL_FALSE, floats); }},
    {kOperation, "glUniformMatrix2x4fv", program, [] { glUniformMatrix2x4fv(at("m"), 1, GL_TRUE, floats); }},
    {kOperation, "glUniformMatrix4x2fv", program, [] { glUniformMatrix4x2fv(at("m"), 1, GL_FALSE, floats); }},
    {kOperation, "glUniformMatrix3x4fv", program, [] { glUniformMatrix3x4fv(at("m"), 1, GL_FALSE, floats); }},
    {kOperation, "glUniformMatrix4x3fv", program, [] { glUniformMatrix4x3fv(at("m"), 1, GL_FALSE, floats); }},
    {kOperation, "glUniformMatrix2fv", program, [] { glUniformMatrix2fv(at("m"), 1, GL_FALSE, floats); }},
};
// clang-format on

}  // namespace

TEST_CASE("calls that are wrong for what there is give their error and change nothing") {
    for (size_t i = 0; i < std::size(kRows); ++i) {
        const Row& row = kRows[i];
        INFO("row " << i << ", " << std::string(row.name));
        TestContext context(kEs3);
        row.state();
        REQUIRE(std::string(errorName(glGetError())) == std::string(errorName(GL_NO_ERROR)));
        const std::vector<std::string> before = stateSnapshot();
        REQUIRE(glGetError() == GL_NO_ERROR);
        row.call();
        CHECK(std::string(errorName(glGetError())) == std::string(errorName(row.error)));
        CHECK(glGetError() == GL_NO_ERROR);
        CHECK(stateSnapshot() == before);
    }
}
