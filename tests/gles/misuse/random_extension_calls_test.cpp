// Random calls of extension entry points, between the core calls that give them something to work on. As in
// misuse_test.cpp, nothing may crash, hang or read outside its buffers, and errors must be those that GL knows.
#include <vector>

#include "api/gles/gles.h"
#include "tests/gles/fixture.h"
#include "tests/gles/misuse/chooser.h"

using namespace tessera::gles_test;

namespace {

constexpr GLenum kFormats[] = {GL_RGBA,
                               GL_RGB,
                               GL_ALPHA,
                               GL_LUMINANCE_ALPHA,
                               GL_RED_EXT,
                               GL_RG_EXT,
                               GL_BGRA_EXT,
                               GL_DEPTH_COMPONENT,
                               GL_DEPTH_STENCIL_OES,
                               GL_RGBA8_OES,
                               GL_RGBA16F_EXT,
                               GL_RGB32F_EXT,
                               GL_R8_EXT,
                               GL_RG16F_EXT,
                               GL_BGRA8_EXT,
                               GL_RGB565,
                               GL_DEPTH24_STENCIL8_OES,
                               GL_DEPTH_COMPONENT16,
                               GL_LUMINANCE8_OES,
                               GL_STENCIL_INDEX8,
                               GL_SRGB_EXT,
                               GL_SRGB_ALPHA_EXT,
                               GL_SRGB8_ALPHA8_EXT,
                               GL_RGBA32F_EXT,
                               GL_R11F_G11F_B10F_APPLE,
                               GL_DEPTH_COMPONENT32_OES,
                               0x1234};
constexpr GLenum kTypes[] = {
    GL_UNSIGNED_BYTE,         GL_FLOAT,         GL_HALF_FLOAT_OES,        GL_UNSIGNED_SHORT,
    GL_UNSIGNED_INT,          GL_UNSIGNED_BYTE, GL_UNSIGNED_INT_24_8_OES, GL_UNSIGNED_SHORT_5_6_5,
    GL_UNSIGNED_SHORT_4_4_4_4};
constexpr GLenum kTargets[] = {GL_TEXTURE_2D,       GL_TEXTURE_CUBE_MAP,     GL_TEXTURE_CUBE_MAP_POSITIVE_X,
                               GL_ARRAY_BUFFER,     GL_ELEMENT_ARRAY_BUFFER, GL_FRAMEBUFFER,
                               GL_RENDERBUFFER,     GL_TEXTURE_EXTERNAL_OES, GL_ANY_SAMPLES_PASSED_EXT,
                               GL_TIME_ELAPSED_EXT, GL_TIMESTAMP_EXT};
constexpr GLenum kAttachments[] = {GL_COLOR_ATTACHMENT0,
                                   GL_COLOR_ATTACHMENT1_EXT,
                                   GL_COLOR_ATTACHMENT3_EXT,
                                   GL_COLOR_ATTACHMENT0 + 4,
                                   GL_DEPTH_ATTACHMENT,
                                   GL_STENCIL_ATTACHMENT,
                                   GL_NONE,
                                   GL_BACK,
                                   GL_COLOR_EXT};
constexpr GLenum kDebug[] = {GL_DONT_CARE,
                             GL_DEBUG_SOURCE_APPLICATION_KHR,
                             GL_DEBUG_SOURCE_API_KHR,
                             GL_DEBUG_TYPE_OTHER_KHR,
                             GL_DEBUG_TYPE_MARKER_KHR,
                             GL_DEBUG_SEVERITY_HIGH_KHR,
                             GL_DEBUG_SEVERITY_LOW_KHR,
                             GL_BUFFER_KHR,
                             GL_TEXTURE,
                             GL_PROGRAM_KHR,
                             GL_QUERY_OBJECT_EXT};

void callImages(Chooser& r) {
    switch (r() % 9) {
        case 0:
            glTexImage2D(r.of(kTargets), r.size(), static_cast<GLint>(r.of(kFormats)), r.size(), r.size(), 0,
                         r.of(kFormats), r.of(kTypes), r() % 2 ? memory.data() : nullptr);
            break;
        case 1:
            glTexSubImage2D(r.of(kTargets), r.size(), r.size(), r.size(), r.size(), r.size(), r.of(kFormats),
                            r.of(kTypes), memory.data());
            break;
        case 2:
            glTexStorage2DEXT(r.of(kTargets), r.size(), r.of(kFormats), r.size(), r.size());
            break;
        case 3:
            glCopyTexImage2D(r.of(kTargets), r.size(), r.of(kFormats), r.size(), r.size(), r.size(), r.size(), 0);
            break;
        case 4: {
            constexpr GLenum kStores[] = {GL_UNPACK_ROW_LENGTH_EXT,       GL_UNPACK_SKIP_ROWS_EXT,
                                          GL_UNPACK_SKIP_PIXELS_EXT,      GL_PACK_ROW_LENGTH_NV,
                                          GL_PACK_SKIP_ROWS_NV,           GL_PACK_SKIP_PIXELS_NV,
                                          GL_PACK_REVERSE_ROW_ORDER_ANGLE};
            glPixelStorei(r.of(kStores), r.size());
            break;
        }
        case 5: {
            std::vector<std::byte> pixels(1 << 14);
            glReadnPixelsKHR(r.size(), r.size(), r.size(), r.size(), r.of(kFormats), r.of(kTypes),
                             r() % 4 ? static_cast<GLsizei>(pixels.size()) : r.size(), pixels.data());
            break;
        }
        case 6:
            glGenerateMipmap(r.of(kTargets));
            break;
        case 7:
            glBindTexture(r.of(kTargets), r.name());
            glTexParameterf(r.of(kTargets), GL_TEXTURE_MAX_ANISOTROPY_EXT, static_cast<GLfloat>(r.number()));
            break;
        case 8: {
            const GLuint texture = r.name();
            glDeleteTextures(1, &texture);
        }
    }
}

void callFramebuffers(Chooser& r) {
    const GLenum list[] = {r.of(kAttachments), r.of(kAttachments), r.of(kAttachments), r.of(kAttachments)};
    switch (r() % 9) {
        case 0:
            glBindFramebuffer(GL_FRAMEBUFFER, r.name());
            break;
        case 1:
            glBindRenderbuffer(GL_RENDERBUFFER, r.name());
            break;
        case 2:
            glRenderbufferStorageMultisampleEXT(GL_RENDERBUFFER, r.size(), r.of(kFormats), r.size(), r.size());
            break;
        case 3:
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, r.of(kAttachments), GL_RENDERBUFFER, r.name());
            break;
        case 4:
            glFramebufferTexture2DMultisampleEXT(GL_FRAMEBUFFER, r.of(kAttachments), r.of(kTargets), r.name(), r.size(),
                                                 r.size());
            break;
        case 5:
            glFramebufferTexture2D(GL_FRAMEBUFFER, r.of(kAttachments), r.of(kTargets), r.name(), r.size());
            break;
        case 6:
            glDrawBuffersEXT(r.size() % 5, list);
            break;
        case 7:
            glReadBufferNV(list[0]);
            break;
        case 8:
            glDiscardFramebufferEXT(GL_FRAMEBUFFER, r.size() % 5, list);
    }
}

void callBuffers(Chooser& r) {
    const GLenum target = r.of(kTargets);
    switch (r() % 8) {
        case 0:
            glBindBuffer(target, r.name());
            break;
        case 1:
            glBufferData(target, r() % 200, nullptr, GL_STATIC_DRAW);
            break;
        case 2: {
            const GLsizeiptr length = r() % 64;
            if (void* range = glMapBufferRangeEXT(target, r() % 64, length, r() % 64))
                std::fill_n(static_cast<std::byte*>(range), length, std::byte{1});
            break;
        }
        case 3:
            (void)glMapBufferOES(target, r() % 2 ? GL_WRITE_ONLY_OES : r());
            break;
        case 4:
            glFlushMappedBufferRangeEXT(target, r.number(), r.number());
            break;
        case 5:
            (void)glUnmapBufferOES(target);
            break;
        case 6: {
            const GLuint buffer = r.name();
            glDeleteBuffers(1, &buffer);
            break;
        }
        case 7: {
            void* pointer = nullptr;
            glGetBufferPointervOES(target, GL_BUFFER_MAP_POINTER_OES, &pointer);
        }
    }
}

void callDraws(Chooser& r) {
    switch (r() % 9) {
        case 6:
            if (getInt(GL_ELEMENT_ARRAY_BUFFER_BINDING) == 0) break;
            glDrawElementsInstancedBaseVertexOES(r() % 8, r() % 30, GL_UNSIGNED_BYTE,
                                                 reinterpret_cast<const void*>(static_cast<intptr_t>(r.number())),
                                                 r.size(), getInt(GL_ARRAY_BUFFER_BINDING) ? r.number() : r.size());
            break;
        case 7:
            glClipControlEXT(r() % 2 ? GL_LOWER_LEFT_EXT : GL_UPPER_LEFT_EXT,
                             r() % 2 ? GL_NEGATIVE_ONE_TO_ONE_EXT : GL_ZERO_TO_ONE_EXT);
            break;
        case 8:
            glBeginConditionalRenderNV(r.name(), GL_QUERY_WAIT_NV + r() % 5);
            if (r() % 2) glEndConditionalRenderNV();
            break;
        case 0: {
            const bool inBuffer = getInt(GL_ARRAY_BUFFER_BINDING) != 0;
            glVertexAttribPointer(
                r() % 3, 1 + r() % 4, r() % 2 ? GL_FLOAT : GL_HALF_FLOAT_OES, r() % 2, inBuffer ? r.number() : r.size(),
                inBuffer ? reinterpret_cast<const void*>(static_cast<intptr_t>(r.number())) : memory.data());
            break;
        }
        case 1:
            r() % 3 ? glEnableVertexAttribArray(r() % 3) : glDisableVertexAttribArray(r() % 3);
            break;
        case 2:
            glVertexAttribDivisorEXT(r() % 3, r() % 4 ? r() % 3 : r());
            break;
        case 3:
            glDrawArraysInstancedEXT(r() % 8, r.size(), r() % 30, r() % 8 ? r.size() : r.number());
            break;
        case 4:
            if (getInt(GL_ELEMENT_ARRAY_BUFFER_BINDING) == 0) break;
            glDrawElementsInstancedANGLE(r() % 8, r() % 30, GL_UNSIGNED_BYTE,
                                         reinterpret_cast<const void*>(static_cast<intptr_t>(r.number())), r.size());
            break;
        case 5:
            glClear(GL_COLOR_BUFFER_BIT | (r() % 2 ? GL_DEPTH_BUFFER_BIT : 0));
    }
}

/// Separable programs: two of each stage, one of both.
struct SeparablePrograms {
    SeparablePrograms() {
        const GLchar* vertices[] = {
            "attribute vec4 position; uniform vec4 u[2]; varying vec4 v; varying vec2 w;"
            "void main() { gl_Position = position; v = u[1]; w = position.xy; }",
            "#extension GL_EXT_separate_shader_objects : enable\nattribute vec4 position, other;"
            "layout(location = 1) varying vec4 a[2]; void main() { gl_Position = position; a[0] = a[1] = other; }"};
        const GLchar* fragments[] = {
            "precision highp float; varying vec4 v; uniform sampler2D s; uniform float u;"
            "void main() { gl_FragColor = texture2D(s, v.xy) + u; }",
            "#extension GL_EXT_separate_shader_objects : enable\nprecision highp float; uniform samplerCube s;"
            "layout(location = 1) varying vec4 b[2]; void main() { gl_FragColor = b[1] + textureCube(s, b[0].xyz); }"};
        for (int i = 0; i < 2; ++i) {
            names[i] = glCreateShaderProgramvEXT(GL_VERTEX_SHADER, 1, vertices + i);
            names[2 + i] = glCreateShaderProgramvEXT(GL_FRAGMENT_SHADER, 1, fragments + i);
        }
        names[4] = makeProgram(kPassVertex, kColorFragment);
        glProgramParameteriEXT(names[4], GL_PROGRAM_SEPARABLE_EXT, GL_TRUE);
        glLinkProgram(names[4]);
    }
    GLuint names[5];
};

void callPipelines(Chooser& r, const SeparablePrograms& programs) {
    const GLuint program = r() % 16 ? programs.names[r() % 5] : r.name();
    GLuint pipeline = r.name();
    GLint value = 0;
    switch (r() % 10) {
        case 0:
            glGenProgramPipelinesEXT(1, &pipeline);
            break;
        case 1:
            if (r() % 4 == 0) glDeleteProgramPipelinesEXT(1, &pipeline);
            break;
        case 2:
            glUseProgram(r() % 4 ? 0 : program);
            glBindProgramPipelineEXT(pipeline);
            break;
        case 3:
        case 4:
            glUseProgramStagesEXT(pipeline, r() % 8 ? r() % 4 : r(), program);
            break;
        case 5:
            glActiveShaderProgramEXT(pipeline, program);
            glUniform1f(r.size(), 0.5f);
            break;
        case 6:
            glProgramUniform4fvEXT(program, r.size(), r.size(), reinterpret_cast<const GLfloat*>(memory.data()));
            glProgramUniform1iEXT(program, r.size(), r.number());
            break;
        case 7:
            glValidateProgramPipelineEXT(pipeline);
            glGetProgramPipelineivEXT(pipeline, GL_INFO_LOG_LENGTH, &value);
            break;
        case 8:
            if (r() % 8 == 0) glProgramParameteriEXT(programs.names[4], GL_PROGRAM_SEPARABLE_EXT, r() % 4 != 0);
            if (r() % 8 == 0) glLinkProgram(programs.names[4]);
            break;
        case 9:
            glIsProgramPipelineEXT(pipeline);
    }
}

void callServices(Chooser& r) {
    GLuint names[4];
    char text[64];
    GLsizei length = 0;
    switch (r() % 12) {
        case 0:
            glGenQueriesEXT(r.size() % 4, names);
            break;
        case 1:
            names[0] = r.name();
            glDeleteQueriesEXT(1, names);
            break;
        case 2:
            glBeginQueryEXT(r.of(kTargets), r.name());
            break;
        case 3:
            glEndQueryEXT(r.of(kTargets));
            break;
        case 4:
            glQueryCounterEXT(r.name(), r.of(kTargets));
            break;
        case 5: {
            GLuint64 value;
            glGetQueryObjectui64vEXT(r.name(), r() % 2 ? GL_QUERY_RESULT_EXT : GL_QUERY_RESULT_AVAILABLE_EXT, &value);
            break;
        }
        case 6:
            glDebugMessageInsertKHR(r.of(kDebug), r.of(kDebug), r(), r.of(kDebug), -1, "message");
            break;
        case 7:
            glDebugMessageControlKHR(r.of(kDebug), r.of(kDebug), r.of(kDebug), r.size() % 4, names, r() % 2);
            break;
        case 8:
            r() % 2 ? glPushDebugGroupKHR(r.of(kDebug), r(), 3, "abc") : glPopDebugGroupKHR();
            break;
        case 9:
            glObjectLabelKHR(r.of(kDebug), r.name(), 3, "abc");
            glGetObjectLabelEXT(r.of(kDebug), r.name(), r.size(), &length, text);
            break;
        case 10:
            glGetDebugMessageLogKHR(1, static_cast<GLsizei>(r() % sizeof text), nullptr, nullptr, nullptr, nullptr,
                                    nullptr, text);
            break;
        case 11:
            r() % 2 ? glEnable(GL_DEBUG_OUTPUT_KHR) : glDisable(GL_DEBUG_OUTPUT_KHR);
    }
}

/// Puts enough in order for the next draw to reach the pixels, of the default framebuffer or of a new one.
void recover(GLuint program) {
    glEndConditionalRenderNV();
    glUseProgram(program);
    // As long as `memory`: draws with other counts may follow.
    static const std::vector<GLfloat> quads = [] {
        constexpr GLfloat strip[] = {-1, -1, 1, -1, -1, 1, 1, 1};
        std::vector<GLfloat> result(memory.size() / sizeof(GLfloat));
        for (size_t i = 0; i < result.size(); ++i) result[i] = strip[i % std::size(strip)];
        return result;
    }();
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, quads.data());
    glEnableVertexAttribArray(0);
    glVertexAttribDivisorEXT(0, 0);
    glDisableVertexAttribArray(1);
    glDisableVertexAttribArray(2);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/// KHR_debug's stack of groups has errors of its own.
bool isErrorHere(GLenum code) {
    return isError(code) || code == GL_STACK_OVERFLOW_KHR || code == GL_STACK_UNDERFLOW_KHR;
}

}  // namespace

TEST_CASE("random calls of extensions never crash") {
    const uint64_t before = drawnFragments();
    for (size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i * 7);
    for (unsigned seed = 1; seed <= 8; ++seed) {
        CAPTURE(seed);
        TestContext context(kLarge);
        Chooser r(seed);
        GLuint program = makeProgram(R"(
#extension GL_EXT_draw_instanced : require
attribute vec4 position, other, third;
varying vec4 v;
void main() { v = other + third; gl_Position = position + float(gl_InstanceIDEXT) * 0.01; gl_PointSize = 2.0; }
)",
                                     R"(
#extension GL_EXT_draw_buffers : require
precision highp float;
varying vec4 v;
uniform sampler2D image;
void main() { gl_FragData[0] = texture2D(image, v.xy); gl_FragData[1] = v; gl_FragData[3] = v; }
)");
        glUseProgram(program);
        const SeparablePrograms separable;
        for (int i = 0; i < 3000; ++i) {
            switch (r() % 7) {
                case 0:
                    callImages(r);
                    break;
                case 1:
                    callFramebuffers(r);
                    break;
                case 2:
                    callBuffers(r);
                    break;
                case 3:
                    callServices(r);
                    break;
                case 4:
                    callPipelines(r, separable);
                    break;
                default:
                    callDraws(r);
            }
            if (r() % 16 == 0) recover(program);
            REQUIRE(isErrorHere(glGetError()));
        }
        glFinish();
    }
    // The calls are not all refused: they do reach the pipeline.
    CHECK(drawnFragments() - before > 10000);
}
