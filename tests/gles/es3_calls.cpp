#include "tests/gles/es3_calls.h"

#include <climits>

namespace tessera::gles_test {

namespace {

// What is written here stays as it was: checked by nothing, but valid memory.
GLuint names[4] = {77, 78, 79, 80};
GLint ints[16] = {};
GLint64 longs[16] = {};
GLenum enums[4] = {GL_TEXTURE_2D, GL_TEXTURE_2D, GL_TEXTURE_2D, GL_TEXTURE_2D};
unsigned char bytes[64] = {};
void* pointer = nullptr;
const GLsync noSync = reinterpret_cast<GLsync>(bytes);

constexpr GLenum kNone = GL_NO_ERROR, kEnum = GL_INVALID_ENUM, kValue = GL_INVALID_VALUE,
                 kOperation = GL_INVALID_OPERATION;

// clang-format off
constexpr Es3Call kCalls[] = {
    {"glBeginQuery", kEnum, [] { glBeginQuery(GL_TEXTURE_2D, 1); }},
    {"glBeginQuery", kOperation, [] { glBeginQuery(GL_ANY_SAMPLES_PASSED, 77); }},
    {"glBeginQuery", kOperation, [] { glBeginQuery(GL_ANY_SAMPLES_PASSED, 0); }},
    {"glBindBufferBase", kEnum, [] { glBindBufferBase(GL_ARRAY_BUFFER, 0, 0); }},
    {"glBindBufferBase", kValue, [] { glBindBufferBase(GL_UNIFORM_BUFFER, 1 << 20, 0); }},
    {"glBindBufferRange", kEnum, [] { glBindBufferRange(GL_ARRAY_BUFFER, 0, 77, 0, 16); }},
    {"glBindBufferRange", kValue, [] { glBindBufferRange(GL_UNIFORM_BUFFER, 0, 77, 0, 0); }},
    {"glBindBufferRange", kValue, [] { glBindBufferRange(GL_UNIFORM_BUFFER, 0, 77, 3, 16); }},
    {"glBindBufferRange", kValue, [] { glBindBufferRange(GL_UNIFORM_BUFFER, 0, 77, -16, 16); }},
    {"glBindVertexArray", kOperation, [] { glBindVertexArray(77); }},
    {"glBlitFramebuffer", kValue, [] { glBlitFramebuffer(0, 0, 1, 1, 0, 0, 1, 1, 1, GL_NEAREST); }},
    {"glBlitFramebuffer", kEnum, [] { glBlitFramebuffer(0, 0, 1, 1, 0, 0, 1, 1, GL_COLOR_BUFFER_BIT, GL_REPEAT); }},
    {"glClientWaitSync", kValue, [] { (void)glClientWaitSync(noSync, 0, 0); }},
    {"glCompressedTexImage3D", kEnum, [] { glCompressedTexImage3D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 1, 0, 4, bytes); }},
    {"glCompressedTexSubImage3D", kEnum,
     [] { glCompressedTexSubImage3D(GL_TEXTURE_2D, 0, 0, 0, 0, 1, 1, 1, GL_RGBA, 4, bytes); }},
    {"glCopyTexSubImage3D", kEnum, [] { glCopyTexSubImage3D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 0, 1, 1); }},
    {"glDeleteQueries", kValue, [] { glDeleteQueries(-1, names); }},
    {"glDeleteQueries", kNone, [] { glDeleteQueries(4, names); }},
    {"glDeleteQueries", kNone, [] { glDeleteQueries(1, nullptr); }},
    {"glDeleteSync", kValue, [] { glDeleteSync(noSync); }},
    {"glDeleteSync", kNone, [] { glDeleteSync(nullptr); }},
    {"glDeleteVertexArrays", kValue, [] { glDeleteVertexArrays(INT_MIN, names); }},
    {"glDeleteVertexArrays", kNone, [] { glDeleteVertexArrays(4, names); }},
    {"glDrawArraysInstanced", kEnum, [] { glDrawArraysInstanced(7, 0, 3, 1); }},
    {"glDrawArraysInstanced", kValue, [] { glDrawArraysInstanced(GL_TRIANGLES, 0, 3, -1); }},
    {"glDrawArraysInstanced", kValue, [] { glDrawArraysInstanced(GL_TRIANGLES, -1, 3, 1); }},
    {"glDrawBuffers", kValue, [] { glDrawBuffers(-1, enums); }},
    {"glDrawElementsInstanced", kEnum, [] { glDrawElementsInstanced(7, 3, GL_UNSIGNED_BYTE, bytes, 1); }},
    {"glDrawElementsInstanced", kEnum, [] { glDrawElementsInstanced(GL_POINTS, 3, GL_BYTE, bytes, 1); }},
    {"glDrawElementsInstanced", kValue, [] { glDrawElementsInstanced(GL_POINTS, -3, GL_UNSIGNED_BYTE, bytes, 1); }},
    {"glEndQuery", kEnum, [] { glEndQuery(GL_TEXTURE_2D); }},
    {"glEndQuery", kOperation, [] { glEndQuery(GL_ANY_SAMPLES_PASSED); }},
    {"glFenceSync", kEnum, [] { (void)glFenceSync(GL_TEXTURE_2D, 0); }},
    {"glFenceSync", kValue, [] { (void)glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 1); }},
    {"glFlushMappedBufferRange", kEnum, [] { glFlushMappedBufferRange(GL_TEXTURE_2D, 0, 1); }},
    {"glFlushMappedBufferRange", kOperation, [] { glFlushMappedBufferRange(GL_ARRAY_BUFFER, 0, 1); }},
    {"glGenQueries", kValue, [] { glGenQueries(-1, names); }},
    {"glGenQueries", kNone, [] { glGenQueries(0, nullptr); }},
    {"glGenVertexArrays", kValue, [] { glGenVertexArrays(-1, names); }},
    {"glGenVertexArrays", kNone, [] { glGenVertexArrays(0, nullptr); }},
    {"glGetActiveUniformBlockName", kValue, [] { glGetActiveUniformBlockName(77, 0, 0, nullptr, nullptr); }},
    {"glGetActiveUniformBlockiv", kValue, [] { glGetActiveUniformBlockiv(77, 0, GL_UNIFORM_BLOCK_BINDING, ints); }},
    {"glGetActiveUniformsiv", kValue, [] { glGetActiveUniformsiv(77, 1, names, GL_UNIFORM_TYPE, ints); }},
    {"glGetBufferPointerv", kEnum, [] { glGetBufferPointerv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &pointer); }},
    {"glGetBufferPointerv", kEnum, [] { glGetBufferPointerv(GL_TEXTURE_2D, GL_BUFFER_MAP_POINTER, &pointer); }},
    {"glGetBufferPointerv", kOperation, [] { glGetBufferPointerv(GL_ARRAY_BUFFER, GL_BUFFER_MAP_POINTER, &pointer); }},
    {"glGetFragDataLocation", kValue, [] { (void)glGetFragDataLocation(77, nullptr); }},
    {"glGetInteger64v", kEnum, [] { glGetInteger64v(GL_TRIANGLES, longs); }},
    {"glGetProgramBinary", kValue, [] { glGetProgramBinary(77, 64, ints, enums, bytes); }},
    {"glGetQueryObjectuiv", kOperation, [] { glGetQueryObjectuiv(77, GL_QUERY_RESULT, names); }},
    {"glGetQueryiv", kEnum, [] { glGetQueryiv(GL_TEXTURE_2D, GL_CURRENT_QUERY, ints); }},
    {"glGetQueryiv", kEnum, [] { glGetQueryiv(GL_ANY_SAMPLES_PASSED, GL_RGBA, ints); }},
    {"glGetStringi", kEnum, [] { (void)glGetStringi(GL_VERSION, 0); }},
    {"glGetStringi", kValue, [] { (void)glGetStringi(GL_EXTENSIONS, 10000); }},
    {"glGetSynciv", kValue, [] { glGetSynciv(noSync, GL_SYNC_STATUS, 1, nullptr, ints); }},
    {"glGetUniformBlockIndex", kValue, [] { (void)glGetUniformBlockIndex(77, nullptr); }},
    {"glGetUniformIndices", kValue, [] { glGetUniformIndices(77, 1, nullptr, names); }},
    {"glGetUniformuiv", kValue, [] { glGetUniformuiv(77, 0, names); }},
    {"glIsQuery", kNone, [] { (void)glIsQuery(77); }},
    {"glIsSync", kNone, [] { (void)glIsSync(noSync); }},
    {"glIsVertexArray", kNone, [] { (void)glIsVertexArray(77); }},
    {"glMapBufferRange", kEnum, [] { (void)glMapBufferRange(GL_TEXTURE_2D, 0, 1, GL_MAP_READ_BIT); }},
    {"glMapBufferRange", kOperation, [] { (void)glMapBufferRange(GL_ARRAY_BUFFER, 0, 1, GL_MAP_READ_BIT); }},
    {"glProgramBinary", kValue, [] { glProgramBinary(77, GL_RGBA, bytes, 4); }},
    {"glProgramParameteri", kValue, [] { glProgramParameteri(77, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE); }},
    {"glReadBuffer", kEnum, [] { glReadBuffer(GL_TEXTURE_2D); }},
    {"glRenderbufferStorageMultisample", kEnum,
     [] { glRenderbufferStorageMultisample(GL_TEXTURE_2D, 4, GL_RGBA8, 1, 1); }},
    {"glTexImage3D", kEnum,
     [] { glTexImage3D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, bytes); }},
    {"glTexStorage2D", kEnum, [] { glTexStorage2D(GL_TEXTURE_3D, 1, GL_RGBA8, 1, 1); }},
    {"glTexStorage3D", kEnum, [] { glTexStorage3D(GL_TEXTURE_2D, 1, GL_RGBA8, 1, 1, 1); }},
    {"glTexSubImage3D", kEnum,
     [] { glTexSubImage3D(GL_TEXTURE_2D, 0, 0, 0, 0, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, bytes); }},
    {"glUniform1ui", kOperation, [] { glUniform1ui(0, 1); }},
    {"glUniform1uiv", kOperation, [] { glUniform1uiv(0, 1, names); }},
    {"glUniform1uiv", kValue, [] { glUniform1uiv(0, -1, names); }},
    {"glUniform2ui", kOperation, [] { glUniform2ui(0, 1, 1); }},
    {"glUniform2uiv", kOperation, [] { glUniform2uiv(0, 1, names); }},
    {"glUniform2uiv", kValue, [] { glUniform2uiv(0, -1, names); }},
    {"glUniform3ui", kOperation, [] { glUniform3ui(0, 1, 1, 1); }},
    {"glUniform3uiv", kOperation, [] { glUniform3uiv(0, 1, names); }},
    {"glUniform3uiv", kValue, [] { glUniform3uiv(0, -1, names); }},
    {"glUniform4ui", kOperation, [] { glUniform4ui(0, 1, 1, 1, 1); }},
    {"glUniform4uiv", kOperation, [] { glUniform4uiv(0, 1, names); }},
    {"glUniform4uiv", kValue, [] { glUniform4uiv(0, -1, names); }},
    {"glUniformBlockBinding", kValue, [] { glUniformBlockBinding(77, 0, 0); }},
    {"glUniformMatrix2x3fv", kOperation, [] { glUniformMatrix2x3fv(0, 1, GL_TRUE, nullptr); }},
    {"glUniformMatrix2x3fv", kValue, [] { glUniformMatrix2x3fv(0, -1, GL_FALSE, nullptr); }},
    {"glUniformMatrix2x4fv", kOperation, [] { glUniformMatrix2x4fv(0, 1, GL_TRUE, nullptr); }},
    {"glUniformMatrix2x4fv", kValue, [] { glUniformMatrix2x4fv(0, -1, GL_FALSE, nullptr); }},
    {"glUniformMatrix3x2fv", kOperation, [] { glUniformMatrix3x2fv(0, 1, GL_TRUE, nullptr); }},
    {"glUniformMatrix3x2fv", kValue, [] { glUniformMatrix3x2fv(0, -1, GL_FALSE, nullptr); }},
    {"glUniformMatrix3x4fv", kOperation, [] { glUniformMatrix3x4fv(0, 1, GL_TRUE, nullptr); }},
    {"glUniformMatrix3x4fv", kValue, [] { glUniformMatrix3x4fv(0, -1, GL_FALSE, nullptr); }},
    {"glUniformMatrix4x2fv", kOperation, [] { glUniformMatrix4x2fv(0, 1, GL_TRUE, nullptr); }},
    {"glUniformMatrix4x2fv", kValue, [] { glUniformMatrix4x2fv(0, -1, GL_FALSE, nullptr); }},
    {"glUniformMatrix4x3fv", kOperation, [] { glUniformMatrix4x3fv(0, 1, GL_TRUE, nullptr); }},
    {"glUniformMatrix4x3fv", kValue, [] { glUniformMatrix4x3fv(0, -1, GL_FALSE, nullptr); }},
    {"glUnmapBuffer", kEnum, [] { (void)glUnmapBuffer(GL_TEXTURE_2D); }},
    {"glUnmapBuffer", kOperation, [] { (void)glUnmapBuffer(GL_ARRAY_BUFFER); }},
    {"glVertexAttribDivisor", kValue, [] { glVertexAttribDivisor(16, 1); }},
    {"glWaitSync", kValue, [] { glWaitSync(noSync, 0, GL_TIMEOUT_IGNORED); }},
};
// clang-format on

}  // namespace

const std::span<const Es3Call> kEs3Calls = kCalls;

}  // namespace tessera::gles_test
