#include "tests/gles/extension_calls.h"

#define GL_GLEXT_PROTOTYPES 1
#include <GLES2/gl2ext.h>
#include <GLES2/gl2tessera.h>

#include <climits>

namespace tessera::gles_test {

namespace {

// What is written here stays as it was: checked by nothing, but valid memory.
GLuint names[4] = {77, 78, 79, 80};
GLint ints[16] = {};
GLint64 longs[16] = {};
GLuint64 unsignedLongs[16] = {};
GLfloat floats[16] = {};
GLchar text[16] = {};
GLenum enums[4] = {GL_TEXTURE_2D, GL_TEXTURE_2D, GL_TEXTURE_2D, GL_TEXTURE_2D};
unsigned char bytes[64] = {};
void* pointer = nullptr;
const void* indices = bytes;
const GLsync noSync = reinterpret_cast<GLsync>(bytes);

constexpr GLenum kNone = GL_NO_ERROR, kEnum = GL_INVALID_ENUM, kValue = GL_INVALID_VALUE,
                 kOperation = GL_INVALID_OPERATION;

constexpr WrongCall kCalls[] = {
    // Queries
    {"glGenQueriesEXT", kValue, [] { glGenQueriesEXT(-1, names); }},
    {"glGenQueriesEXT", kNone, [] { glGenQueriesEXT(0, nullptr); }},
    {"glDeleteQueriesEXT", kValue, [] { glDeleteQueriesEXT(INT_MIN, names); }},
    {"glDeleteQueriesEXT", kNone, [] { glDeleteQueriesEXT(4, names); }},
    {"glDeleteQueriesEXT", kNone, [] { glDeleteQueriesEXT(1, nullptr); }},
    {"glIsQueryEXT", kNone, [] { (void)glIsQueryEXT(77); }},
    {"glBeginQueryEXT", kEnum, [] { glBeginQueryEXT(GL_TEXTURE_2D, 1); }},
    {"glBeginQueryEXT", kOperation, [] { glBeginQueryEXT(GL_ANY_SAMPLES_PASSED_EXT, 77); }},
    {"glBeginQueryEXT", kOperation, [] { glBeginQueryEXT(GL_ANY_SAMPLES_PASSED_EXT, 0); }},
    {"glEndQueryEXT", kEnum, [] { glEndQueryEXT(GL_TEXTURE_2D); }},
    {"glEndQueryEXT", kOperation, [] { glEndQueryEXT(GL_ANY_SAMPLES_PASSED_EXT); }},
    {"glPolygonOffsetClampEXT", kNone, [] { glPolygonOffsetClampEXT(0, 0, 0); }},
    {"glQueryCounterEXT", kEnum, [] { glQueryCounterEXT(77, GL_TEXTURE_2D); }},
    {"glQueryCounterEXT", kOperation, [] { glQueryCounterEXT(77, GL_TIMESTAMP_EXT); }},
    {"glGetQueryivEXT", kEnum, [] { glGetQueryivEXT(GL_TEXTURE_2D, GL_CURRENT_QUERY_EXT, ints); }},
    {"glGetQueryivEXT", kEnum, [] { glGetQueryivEXT(GL_ANY_SAMPLES_PASSED_EXT, GL_RGBA, ints); }},
    {"glGetQueryivEXT", kNone, [] { glGetQueryivEXT(GL_ANY_SAMPLES_PASSED_EXT, GL_CURRENT_QUERY_EXT, nullptr); }},
    {"glGetQueryObjectivEXT", kOperation, [] { glGetQueryObjectivEXT(77, GL_QUERY_RESULT_EXT, ints); }},
    {"glGetQueryObjectuivEXT", kOperation, [] { glGetQueryObjectuivEXT(77, GL_QUERY_RESULT_EXT, names); }},
    {"glGetQueryObjectuivEXT", kOperation, [] { glGetQueryObjectuivEXT(0, GL_QUERY_RESULT_EXT, nullptr); }},
    {"glGetQueryObjecti64vEXT", kOperation, [] { glGetQueryObjecti64vEXT(77, GL_QUERY_RESULT_EXT, longs); }},
    {"glGetQueryObjectui64vEXT", kOperation, [] { glGetQueryObjectui64vEXT(77, GL_RGBA, unsignedLongs); }},
    {"glGetInteger64vEXT", kEnum, [] { glGetInteger64vEXT(GL_TRIANGLES, longs); }},
    {"glGetInteger64vEXT", kNone, [] { glGetInteger64vEXT(GL_TIMESTAMP_EXT, nullptr); }},
    // Vertex arrays, instances
    {"glGenVertexArraysOES", kValue, [] { glGenVertexArraysOES(-1, names); }},
    {"glGenVertexArraysOES", kNone, [] { glGenVertexArraysOES(0, nullptr); }},
    {"glDeleteVertexArraysOES", kValue, [] { glDeleteVertexArraysOES(-1, names); }},
    {"glDeleteVertexArraysOES", kNone, [] { glDeleteVertexArraysOES(4, names); }},
    {"glBindVertexArrayOES", kOperation, [] { glBindVertexArrayOES(77); }},
    {"glIsVertexArrayOES", kNone, [] { (void)glIsVertexArrayOES(77); }},
    {"glVertexAttribDivisorEXT", kValue, [] { glVertexAttribDivisorEXT(16, 1); }},
    {"glVertexAttribDivisorANGLE", kValue, [] { glVertexAttribDivisorANGLE(UINT_MAX, 1); }},
    {"glMultiDrawArraysEXT", kEnum, [] { glMultiDrawArraysEXT(GL_RGBA, ints, ints, 1); }},
    {"glMultiDrawArraysEXT", kValue, [] { glMultiDrawArraysEXT(GL_TRIANGLES, ints, ints, INT_MIN); }},
    {"glMultiDrawArraysEXT", kNone, [] { glMultiDrawArraysEXT(GL_TRIANGLES, nullptr, nullptr, 2); }},
    {"glMultiDrawElementsEXT", kEnum, [] { glMultiDrawElementsEXT(7, ints, GL_UNSIGNED_BYTE, &indices, 1); }},
    {"glMultiDrawElementsEXT", kValue,
     [] { glMultiDrawElementsEXT(GL_TRIANGLES, ints, GL_UNSIGNED_BYTE, &indices, -1); }},
    {"glMultiDrawElementsEXT", kNone,
     [] { glMultiDrawElementsEXT(GL_TRIANGLES, nullptr, GL_UNSIGNED_BYTE, nullptr, 1); }},
    {"glMaxShaderCompilerThreadsKHR", kNone, [] { glMaxShaderCompilerThreadsKHR(~0u); }},
    {"glDrawArraysInstancedEXT", kEnum, [] { glDrawArraysInstancedEXT(GL_RGBA, 0, 3, 1); }},
    {"glDrawArraysInstancedEXT", kValue, [] { glDrawArraysInstancedEXT(GL_TRIANGLES, 0, 3, -1); }},
    {"glDrawArraysInstancedEXT", kValue, [] { glDrawArraysInstancedEXT(GL_TRIANGLES, -1, 3, 1); }},
    {"glDrawArraysInstancedANGLE", kValue, [] { glDrawArraysInstancedANGLE(GL_TRIANGLES, 0, INT_MIN, 1); }},
    {"glDrawElementsInstancedEXT", kEnum, [] { glDrawElementsInstancedEXT(GL_TRIANGLES, 3, GL_FLOAT, bytes, 1); }},
    {"glDrawElementsInstancedEXT", kValue,
     [] { glDrawElementsInstancedEXT(GL_TRIANGLES, 3, GL_UNSIGNED_INT, bytes, -1); }},
    {"glDrawElementsInstancedANGLE", kValue,
     [] { glDrawElementsInstancedANGLE(GL_TRIANGLES, -3, GL_UNSIGNED_BYTE, nullptr, 1); }},
    // Buffers
    {"glMapBufferOES", kEnum, [] { (void)glMapBufferOES(GL_TEXTURE_2D, GL_WRITE_ONLY_OES); }},
    {"glMapBufferOES", kOperation, [] { (void)glMapBufferOES(GL_ARRAY_BUFFER, GL_WRITE_ONLY_OES); }},
    {"glMapBufferRangeEXT", kEnum, [] { (void)glMapBufferRangeEXT(GL_TEXTURE_2D, 0, 1, GL_MAP_READ_BIT_EXT); }},
    {"glMapBufferRangeEXT", kOperation,
     [] { (void)glMapBufferRangeEXT(GL_ARRAY_BUFFER, -1, PTRDIFF_MAX, GL_MAP_READ_BIT_EXT); }},
    {"glFlushMappedBufferRangeEXT", kEnum, [] { glFlushMappedBufferRangeEXT(GL_TEXTURE_2D, 0, 1); }},
    {"glFlushMappedBufferRangeEXT", kOperation, [] { glFlushMappedBufferRangeEXT(GL_ARRAY_BUFFER, -1, -1); }},
    {"glUnmapBufferOES", kEnum, [] { (void)glUnmapBufferOES(GL_TEXTURE_2D); }},
    {"glUnmapBufferOES", kOperation, [] { (void)glUnmapBufferOES(GL_ELEMENT_ARRAY_BUFFER); }},
    {"glGetBufferPointervOES", kEnum,
     [] { glGetBufferPointervOES(GL_TEXTURE_2D, GL_BUFFER_MAP_POINTER_OES, &pointer); }},
    {"glGetBufferPointervOES", kEnum, [] { glGetBufferPointervOES(GL_ARRAY_BUFFER, GL_RGBA, &pointer); }},
    {"glGetBufferPointervOES", kOperation,
     [] { glGetBufferPointervOES(GL_ARRAY_BUFFER, GL_BUFFER_MAP_POINTER_OES, nullptr); }},
    // Textures and framebuffers
    {"glBlitFramebufferNV", kValue, [] { glBlitFramebufferNV(0, 0, 1, 1, 0, 0, 1, 1, 1, GL_NEAREST); }},
    {"glBlitFramebufferNV", kEnum,
     [] { glBlitFramebufferNV(0, 0, 1, 1, 0, 0, INT_MIN, 1, GL_COLOR_BUFFER_BIT, GL_LINEAR_MIPMAP_LINEAR); }},
    {"glBlitFramebufferNV", kOperation,
     [] { glBlitFramebufferNV(0, 0, 1, 1, 0, 0, 1, 1, GL_DEPTH_BUFFER_BIT, GL_LINEAR); }},
    {"glBlitFramebufferANGLE", kValue, [] { glBlitFramebufferANGLE(0, 0, 1, 1, 0, 0, 1, 1, 1, GL_NEAREST); }},
    {"glBlitFramebufferANGLE", kEnum,
     [] { glBlitFramebufferANGLE(0, 0, 1, 1, 0, 0, 1, 1, GL_COLOR_BUFFER_BIT, GL_LINEAR); }},
    {"glBlitFramebufferANGLE", kOperation,
     [] { glBlitFramebufferANGLE(0, 0, 1, 1, 1, 0, 0, 1, GL_COLOR_BUFFER_BIT, GL_NEAREST); }},
    {"glRenderbufferStorageMultisampleNV", kEnum,
     [] { glRenderbufferStorageMultisampleNV(GL_RENDERBUFFER, 4, GL_RGBA, 1, 1); }},
    {"glRenderbufferStorageMultisampleNV", kValue,
     [] { glRenderbufferStorageMultisampleNV(GL_RENDERBUFFER, INT_MAX, GL_RGBA4, 1, 1); }},
    {"glRenderbufferStorageMultisampleNV", kOperation,
     [] { glRenderbufferStorageMultisampleNV(GL_RENDERBUFFER, 4, GL_RGBA4, 1, 1); }},
    {"glRenderbufferStorageMultisampleANGLE", kEnum,
     [] { glRenderbufferStorageMultisampleANGLE(GL_FRAMEBUFFER, 4, GL_RGBA4, 1, 1); }},
    {"glRenderbufferStorageMultisampleANGLE", kValue,
     [] { glRenderbufferStorageMultisampleANGLE(GL_RENDERBUFFER, -1, GL_RGBA4, 1, 1); }},
    // Syncs
    {"glFenceSyncAPPLE", kEnum, [] { (void)glFenceSyncAPPLE(GL_SIGNALED_APPLE, 0); }},
    {"glFenceSyncAPPLE", kValue, [] { (void)glFenceSyncAPPLE(GL_SYNC_GPU_COMMANDS_COMPLETE_APPLE, 1); }},
    {"glIsSyncAPPLE", kNone, [] { (void)glIsSyncAPPLE(noSync); }},
    {"glDeleteSyncAPPLE", kValue, [] { glDeleteSyncAPPLE(noSync); }},
    {"glDeleteSyncAPPLE", kNone, [] { glDeleteSyncAPPLE(nullptr); }},
    {"glClientWaitSyncAPPLE", kValue, [] { (void)glClientWaitSyncAPPLE(noSync, 0, 1); }},
    {"glWaitSyncAPPLE", kValue, [] { glWaitSyncAPPLE(nullptr, 0, GL_TIMEOUT_IGNORED_APPLE); }},
    {"glGetInteger64vAPPLE", kEnum, [] { glGetInteger64vAPPLE(GL_TRIANGLES, longs); }},
    {"glGetSyncivAPPLE", kValue, [] { glGetSyncivAPPLE(noSync, GL_SYNC_STATUS_APPLE, 1, nullptr, ints); }},
    {"glTexStorage2DEXT", kEnum, [] { glTexStorage2DEXT(GL_TEXTURE_2D, 1, GL_RGBA, 4, 4); }},
    {"glTexStorage2DEXT", kValue, [] { glTexStorage2DEXT(GL_TEXTURE_2D, 1, GL_RGBA8_OES, INT_MIN, 4); }},
    {"glTexStorage2DEXT", kValue, [] { glTexStorage2DEXT(GL_TEXTURE_2D, 1, GL_RGBA8_OES, INT_MAX, 4); }},
    {"glTexStorage2DEXT", kOperation, [] { glTexStorage2DEXT(GL_TEXTURE_2D, 1, GL_RGBA8_OES, 4, 4); }},
    {"glTexStorage3DEXT", kEnum, [] { glTexStorage3DEXT(GL_TEXTURE_3D_OES, 1, GL_RGBA, 4, 4, 4); }},
    {"glTexStorage3DEXT", kValue, [] { glTexStorage3DEXT(GL_TEXTURE_3D_OES, 1, GL_RGBA8_OES, 4, 4, INT_MIN); }},
    {"glTexStorage3DEXT", kOperation, [] { glTexStorage3DEXT(GL_TEXTURE_3D_OES, 1, GL_RGBA8_OES, 4, 4, 4); }},
    // 3D textures
    {"glTexImage3DOES", kValue,
     [] { glTexImage3DOES(GL_TEXTURE_3D_OES, 0, GL_RGBA, 4, 4, INT_MAX, 0, GL_RGBA, GL_UNSIGNED_BYTE, bytes); }},
    {"glTexSubImage3DOES", kOperation,
     [] { glTexSubImage3DOES(GL_TEXTURE_3D_OES, 0, 0, 0, INT_MAX, 1, 1, INT_MAX, GL_RGBA, GL_UNSIGNED_BYTE, bytes); }},
    {"glTexSubImage3DOES", kValue,
     [] { glTexSubImage3DOES(GL_TEXTURE_3D_OES, 0, 0, 0, 0, 1, INT_MIN, 1, GL_RGBA, GL_UNSIGNED_BYTE, bytes); }},
    {"glCopyTexSubImage3DOES", kValue, [] { glCopyTexSubImage3DOES(GL_TEXTURE_3D_OES, 0, 0, 0, INT_MIN, 0, 0, 4, 4); }},
    {"glCopyTexSubImage3DOES", kOperation,
     [] { glCopyTexSubImage3DOES(GL_TEXTURE_3D_OES, 0, 0, 0, INT_MAX, 0, 0, 4, 4); }},
    {"glCompressedTexImage3DOES", kEnum,
     [] { glCompressedTexImage3DOES(GL_TEXTURE_3D_OES, 0, GL_RGBA, 4, 4, 4, 0, INT_MAX, bytes); }},
    {"glCompressedTexSubImage3DOES", kEnum,
     [] { glCompressedTexSubImage3DOES(GL_TEXTURE_2D, 0, 0, 0, 0, 4, 4, 4, GL_RGBA, INT_MAX, bytes); }},
    {"glFramebufferTexture3DOES", kEnum,
     [] { glFramebufferTexture3DOES(GL_FRAMEBUFFER, GL_NONE, GL_TEXTURE_3D_OES, 77, 0, 0); }},
    {"glRenderbufferStorageMultisampleEXT", kEnum,
     [] { glRenderbufferStorageMultisampleEXT(GL_TEXTURE_2D, 4, GL_RGBA4, 1, 1); }},
    {"glRenderbufferStorageMultisampleEXT", kValue,
     [] { glRenderbufferStorageMultisampleEXT(GL_RENDERBUFFER, 5, GL_RGBA4, 1, 1); }},
    {"glRenderbufferStorageMultisampleEXT", kValue,
     [] { glRenderbufferStorageMultisampleEXT(GL_RENDERBUFFER, 4, GL_RGBA4, 1, INT_MAX); }},
    {"glRenderbufferStorageMultisampleEXT", kOperation,
     [] { glRenderbufferStorageMultisampleEXT(GL_RENDERBUFFER, 4, GL_RGBA4, 1, 1); }},
    {"glFramebufferTexture2DMultisampleEXT", kEnum,
     [] { glFramebufferTexture2DMultisampleEXT(GL_FRAMEBUFFER, GL_RGBA, GL_TEXTURE_2D, 0, 0, 4); }},
    {"glFramebufferTexture2DMultisampleEXT", kOperation,
     [] { glFramebufferTexture2DMultisampleEXT(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 77, 0, 4); }},
    {"glDiscardFramebufferEXT", kEnum, [] { glDiscardFramebufferEXT(GL_TEXTURE_2D, 1, enums); }},
    {"glDiscardFramebufferEXT", kEnum, [] { glDiscardFramebufferEXT(GL_FRAMEBUFFER, 1, enums); }},
    {"glDiscardFramebufferEXT", kValue, [] { glDiscardFramebufferEXT(GL_FRAMEBUFFER, -1, enums); }},
    {"glDiscardFramebufferEXT", kNone, [] { glDiscardFramebufferEXT(GL_FRAMEBUFFER, 1, nullptr); }},
    {"glDrawBuffersEXT", kValue, [] { glDrawBuffersEXT(-1, enums); }},
    {"glDrawBuffersEXT", kValue, [] { glDrawBuffersEXT(INT_MAX, enums); }},
    {"glDrawBuffersEXT", kValue, [] { glDrawBuffersEXT(1, nullptr); }},
    {"glDrawBuffersEXT", kOperation, [] { glDrawBuffersEXT(4, enums); }},
    {"glDrawBuffersNV", kValue, [] { glDrawBuffersNV(0, enums); }},
    {"glDrawBuffersNV", kValue, [] { glDrawBuffersNV(INT_MAX, enums); }},
    {"glDrawBuffersNV", kValue, [] { glDrawBuffersNV(1, nullptr); }},
    {"glDrawBuffersNV", kOperation, [] { glDrawBuffersNV(4, enums); }},
    {"glReadBufferNV", kEnum, [] { glReadBufferNV(GL_TEXTURE_2D); }},
    {"glReadBufferNV", kOperation, [] { glReadBufferNV(GL_COLOR_ATTACHMENT0); }},
    {"glEGLImageTargetTexture2DOES", kEnum, [] { glEGLImageTargetTexture2DOES(GL_TEXTURE_CUBE_MAP, bytes); }},
    {"glEGLImageTargetTexture2DOES", kValue, [] { glEGLImageTargetTexture2DOES(GL_TEXTURE_2D, bytes); }},
    {"glEGLImageTargetTexture2DOES", kValue, [] { glEGLImageTargetTexture2DOES(GL_TEXTURE_2D, nullptr); }},
    {"glEGLImageTargetRenderbufferStorageOES", kEnum,
     [] { glEGLImageTargetRenderbufferStorageOES(GL_TEXTURE_2D, bytes); }},
    {"glEGLImageTargetRenderbufferStorageOES", kOperation,
     [] { glEGLImageTargetRenderbufferStorageOES(GL_RENDERBUFFER, nullptr); }},
    // Programs
    {"glGetProgramBinaryOES", kValue, [] { glGetProgramBinaryOES(77, 64, ints, enums, bytes); }},
    {"glGetProgramBinaryOES", kValue, [] { glGetProgramBinaryOES(77, -1, nullptr, nullptr, nullptr); }},
    {"glProgramBinaryOES", kValue, [] { glProgramBinaryOES(77, GL_PROGRAM_BINARY_TESSERA, bytes, 64); }},
    {"glProgramBinaryOES", kValue, [] { glProgramBinaryOES(0, GL_RGBA, nullptr, -1); }},
    // Robustness
    {"glGetGraphicsResetStatusEXT", kNone, [] { (void)glGetGraphicsResetStatusEXT(); }},
    {"glGetGraphicsResetStatusKHR", kNone, [] { (void)glGetGraphicsResetStatusKHR(); }},
    {"glReadnPixelsEXT", kEnum, [] { glReadnPixelsEXT(0, 0, 1, 1, GL_RGBA, GL_RGBA, 64, bytes); }},
    {"glReadnPixelsEXT", kValue, [] { glReadnPixelsEXT(0, 0, -1, 1, GL_RGBA, GL_UNSIGNED_BYTE, 64, bytes); }},
    {"glReadnPixelsEXT", kOperation,
     [] { glReadnPixelsEXT(0, 0, INT_MAX, INT_MAX, GL_RGBA, GL_UNSIGNED_BYTE, 64, bytes); }},
    {"glReadnPixelsEXT", kNone, [] { glReadnPixelsEXT(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, 64, nullptr); }},
    {"glReadnPixelsKHR", kOperation, [] { glReadnPixelsKHR(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, -1, bytes); }},
    {"glGetnUniformfvEXT", kValue, [] { glGetnUniformfvEXT(77, 0, 64, floats); }},
    {"glGetnUniformfvKHR", kValue, [] { glGetnUniformfvKHR(77, 0, 64, nullptr); }},
    {"glGetnUniformivEXT", kValue, [] { glGetnUniformivEXT(77, 0, 64, ints); }},
    {"glGetnUniformivKHR", kValue, [] { glGetnUniformivKHR(0, -1, -1, ints); }},
    // Debug output
    {"glDebugMessageControlKHR", kEnum,
     [] { glDebugMessageControlKHR(GL_RGBA, GL_DONT_CARE, GL_DONT_CARE, 0, nullptr, GL_TRUE); }},
    {"glDebugMessageControlKHR", kValue,
     [] { glDebugMessageControlKHR(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, -1, nullptr, GL_TRUE); }},
    {"glDebugMessageControlKHR", kOperation,
     [] { glDebugMessageControlKHR(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 1, names, GL_TRUE); }},
    {"glDebugMessageInsertKHR", kEnum,
     [] {
         glDebugMessageInsertKHR(GL_DEBUG_SOURCE_API_KHR, GL_DEBUG_TYPE_OTHER_KHR, 1, GL_DEBUG_SEVERITY_LOW_KHR, -1,
                                 "text");
     }},
    {"glDebugMessageInsertKHR", kEnum, [] { glDebugMessageInsertKHR(GL_RGBA, GL_RGBA, 1, GL_RGBA, -1, nullptr); }},
    {"glDebugMessageInsertKHR", kNone,  // KHR_debug, table 5.4
     [] {
         glDebugMessageInsertKHR(GL_DEBUG_SOURCE_APPLICATION_KHR, GL_DEBUG_TYPE_PUSH_GROUP_KHR, 1,
                                 GL_DEBUG_SEVERITY_LOW_KHR, -1, "text");
     }},
    {"glDebugMessageInsertKHR", kEnum,
     [] {
         glDebugMessageInsertKHR(GL_DEBUG_SOURCE_APPLICATION_KHR, GL_DEBUG_TYPE_POP_GROUP_KHR + 1, 1,
                                 GL_DEBUG_SEVERITY_LOW_KHR, -1, "text");
     }},
    {"glDebugMessageCallbackKHR", kNone, [] { glDebugMessageCallbackKHR(nullptr, nullptr); }},
    {"glGetDebugMessageLogKHR", kValue,
     [] { (void)glGetDebugMessageLogKHR(1, -1, nullptr, nullptr, nullptr, nullptr, nullptr, text); }},
    {"glGetDebugMessageLogKHR", kNone,
     [] { (void)glGetDebugMessageLogKHR(UINT_MAX, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr); }},
    {"glGetPointervKHR", kEnum, [] { glGetPointervKHR(GL_RGBA, &pointer); }},
    {"glGetPointervKHR", kNone, [] { glGetPointervKHR(GL_DEBUG_CALLBACK_FUNCTION_KHR, nullptr); }},
    {"glPushDebugGroupKHR", kEnum, [] { glPushDebugGroupKHR(GL_RGBA, 1, -1, "group"); }},
    {"glPopDebugGroupKHR", GL_STACK_UNDERFLOW_KHR, [] { glPopDebugGroupKHR(); }},
    {"glObjectLabelKHR", kEnum, [] { glObjectLabelKHR(GL_RGBA, 77, -1, "label"); }},
    {"glObjectLabelKHR", kValue, [] { glObjectLabelKHR(GL_BUFFER_KHR, 77, -1, nullptr); }},
    {"glGetObjectLabelKHR", kEnum, [] { glGetObjectLabelKHR(GL_RGBA, 77, 16, ints, text); }},
    {"glGetObjectLabelKHR", kValue, [] { glGetObjectLabelKHR(GL_TEXTURE, 77, 16, nullptr, nullptr); }},
    {"glObjectPtrLabelKHR", kValue, [] { glObjectPtrLabelKHR(bytes, -1, "label"); }},
    {"glGetObjectPtrLabelKHR", kValue, [] { glGetObjectPtrLabelKHR(nullptr, 16, ints, text); }},
    {"glLabelObjectEXT", kEnum, [] { glLabelObjectEXT(GL_RGBA, 77, 0, "label"); }},
    {"glLabelObjectEXT", kValue, [] { glLabelObjectEXT(GL_TEXTURE, 77, -1, "label"); }},
    {"glLabelObjectEXT", kOperation, [] { glLabelObjectEXT(GL_TEXTURE, 77, 0, nullptr); }},
    {"glGetObjectLabelEXT", kEnum, [] { glGetObjectLabelEXT(GL_RGBA, 77, 16, ints, text); }},
    {"glGetObjectLabelEXT", kOperation, [] { glGetObjectLabelEXT(GL_TEXTURE, 77, 16, nullptr, nullptr); }},
    {"glInsertEventMarkerEXT", kNone, [] { glInsertEventMarkerEXT(-1, nullptr); }},
    {"glPushGroupMarkerEXT", kNone, [] { glPushGroupMarkerEXT(0, nullptr); }},
    {"glPopGroupMarkerEXT", kNone, [] { glPopGroupMarkerEXT(); }},
    {"glPopGroupMarkerEXT", kNone, [] { glPopGroupMarkerEXT(); }},
};

}  // namespace

const std::span<const WrongCall> kWrongExtensionCalls = kCalls;

}  // namespace tessera::gles_test
