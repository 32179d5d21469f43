// Random calls of OpenGL ES 3.0: buffers that are copied and mapped, uniform blocks and transform feedback with them,
// vertex arrays, draws of all kinds, queries and fences. As in misuse_test.cpp, nothing may crash, hang or read outside
// its buffers, and errors must be those that GL knows.
#define GL_GLEXT_PROTOTYPES 1
#include <GLES3/gl3.h>
// After it: the tokens of extensions.
#include <GLES2/gl2ext.h>

#include <algorithm>

#include "tests/gles/fixture.h"
#include "tests/gles/misuse/chooser.h"

using namespace tessera::gles_test;

namespace {

constexpr GLenum kBufferTargets[] = {GL_ARRAY_BUFFER,      GL_ELEMENT_ARRAY_BUFFER,      GL_COPY_READ_BUFFER,
                                     GL_COPY_WRITE_BUFFER, GL_PIXEL_PACK_BUFFER,         GL_PIXEL_UNPACK_BUFFER,
                                     GL_UNIFORM_BUFFER,    GL_TRANSFORM_FEEDBACK_BUFFER, GL_TEXTURE_2D};
constexpr GLenum kUsages[] = {GL_STREAM_READ, GL_STATIC_COPY, GL_DYNAMIC_DRAW, GL_RGBA};
constexpr GLenum kTypes[] = {GL_BYTE,
                             GL_UNSIGNED_BYTE,
                             GL_SHORT,
                             GL_UNSIGNED_SHORT,
                             GL_INT,
                             GL_UNSIGNED_INT,
                             GL_FLOAT,
                             GL_HALF_FLOAT,
                             GL_FIXED,
                             GL_INT_2_10_10_10_REV,
                             GL_UNSIGNED_INT_2_10_10_10_REV,
                             GL_RGBA};
constexpr GLenum kQueries[] = {GL_ANY_SAMPLES_PASSED, GL_ANY_SAMPLES_PASSED_CONSERVATIVE,
                               GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, GL_RGBA};

void callBuffers(Chooser& r) {
    const GLenum target = r.of(kBufferTargets);
    switch (r() % 8) {
        case 0:
        case 1:
            glBindBuffer(target, r.name());
            break;
        case 2:
            glBufferData(target, r() % 500, r() % 2 ? memory.data() : nullptr, r.of(kUsages));
            break;
        case 3:
            glCopyBufferSubData(target, r.of(kBufferTargets), r() % 4 ? r() % 64 : r.number(),
                                r() % 4 ? r() % 64 : r.number(), r() % 4 ? r() % 64 : r.number());
            break;
        case 4: {
            const GLsizeiptr length = r() % 64;
            if (void* range = glMapBufferRange(target, r() % 64, length, r() % 64))
                std::fill_n(static_cast<std::byte*>(range), length, std::byte{0});
            break;
        }
        case 5:
            glFlushMappedBufferRange(target, r.number(), r.number());
            break;
        case 6:
            (void)glUnmapBuffer(target);
            break;
        case 7: {
            const GLuint buffer = r.name();
            if (r() % 4 == 0) glDeleteBuffers(1, &buffer);
            GLint64 value = 0;
            glGetBufferParameteri64v(target, r() % 2 ? GL_BUFFER_MAP_LENGTH : r(), &value);
        }
    }
}

/// Pointers are offsets, or client memory where the context takes it.
void callArrays(Chooser& r) {
    GLint bound = 0;
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &bound);
    const void* pointer = bound != 0 ? reinterpret_cast<const void*>(uintptr_t{r() % 64}) : memory.data();
    const GLuint index = r() % 20;
    switch (r() % 9) {
        case 0:
            glVertexAttribPointer(index, r.size(), r.of(kTypes), r() % 2, r.size(), pointer);
            break;
        case 1:
            glVertexAttribIPointer(index, r.size(), r.of(kTypes), r.size(), pointer);
            break;
        case 2:
            glEnableVertexAttribArray(index);
            break;
        case 3:
            glDisableVertexAttribArray(index);
            break;
        case 4:
            glVertexAttribDivisor(index, r() % 4 ? r() % 3 : r());
            break;
        case 5:
            glBindVertexArray(r.name());
            break;
        case 6: {
            GLuint array = 0;
            glGenVertexArrays(1, &array);
            break;
        }
        case 7: {
            const GLuint array = r.name();
            glDeleteVertexArrays(1, &array);
            break;
        }
        case 8: {
            GLuint value[4] = {};
            glVertexAttribI4ui(index, r(), r(), r(), r());
            glGetVertexAttribIuiv(index, r() % 2 ? GL_CURRENT_VERTEX_ATTRIB : GL_VERTEX_ATTRIB_ARRAY_INTEGER, value);
        }
    }
}

void callDraws(Chooser& r) {
    constexpr GLenum kCapabilities[] = {
        GL_PRIMITIVE_RESTART_FIXED_INDEX, GL_RASTERIZER_DISCARD, GL_DEPTH_CLAMP_EXT, GL_CLIP_DISTANCE0_EXT,
        GL_FRAMEBUFFER_SRGB_EXT,          GL_SAMPLE_SHADING_OES};
    constexpr GLenum kIndexTypes[] = {GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT, GL_UNSIGNED_INT, GL_RGBA};
    GLint bound = 0;
    glGetIntegerv(GL_ELEMENT_ARRAY_BUFFER_BINDING, &bound);
    const void* indices = bound != 0 ? reinterpret_cast<const void*>(uintptr_t{r() % 64}) : memory.data();
    const GLenum mode = r() % 8;
    const GLsizei count = static_cast<GLsizei>(r() % 40) - 1;
    constexpr GLenum kEquations[] = {GL_FUNC_ADD, GL_MULTIPLY_KHR, GL_HSL_COLOR_KHR, GL_MAX};
    switch (r() % 10) {
        case 8:
            glDrawArraysInstancedBaseInstanceEXT(mode, r.size(), count, r.size(), r() % 8);
            break;
        case 9:
            glMinSampleShadingOES(r.of({-1.0f, 0.0f, 0.3f, 1.0f, 2.0f, NAN}));
            glDrawElementsInstancedBaseVertexBaseInstanceEXT(mode, count, r.of(kIndexTypes), indices, r.size(),
                                                             r.number(), r() % 8);
            break;
        case 6:
            glBlendEquation(r.of(kEquations));
            break;
        case 7:
            (r() % 2 ? glEnable : glDisable)(GL_CLIP_DISTANCE0_EXT + r() % 9);
            break;
        case 0:
            glDrawArrays(mode, r.size(), count);
            break;
        case 1:
            glDrawArraysInstanced(mode, r.size(), count, r.size());
            break;
        case 2:
            glDrawElements(mode, count, r.of(kIndexTypes), indices);
            break;
        case 3:
            glDrawElementsInstanced(mode, count, r.of(kIndexTypes), indices, r.size());
            break;
        case 4:
            glDrawRangeElements(mode, r() % 8, r() % 8, count, r.of(kIndexTypes), indices);
            break;
        case 5:
            (r() % 2 ? glEnable : glDisable)(r.of(kCapabilities));
    }
}

void callQueries(Chooser& r) {
    GLuint name = r.name();
    switch (r() % 6) {
        case 0:
            glGenQueries(1, &name);
            break;
        case 1:
            glBeginQuery(r.of(kQueries), name);
            break;
        case 2:
            glEndQuery(r.of(kQueries));
            break;
        case 3:
            glGetQueryObjectuiv(name, r() % 2 ? GL_QUERY_RESULT : GL_QUERY_RESULT_AVAILABLE, &name);
            break;
        case 4:
            glDeleteQueries(1, &name);
            break;
        case 5: {
            const GLsync sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, r() % 8 == 0);
            (void)glClientWaitSync(sync, 0, r() % 2 ? 1000 : 0);
            glDeleteSync(sync);
        }
    }
}

/// Blocks of uniforms, and what captures vertices. `program` has both.
void callBlocksAndFeedback(Chooser& r, GLuint program) {
    constexpr GLenum kModes[] = {GL_POINTS, GL_LINES, GL_TRIANGLES, GL_TRIANGLE_STRIP};
    constexpr GLenum kTargets[] = {GL_UNIFORM_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER, GL_ARRAY_BUFFER};
    GLuint name = r.name();
    switch (r() % 10) {
        case 0:
            glBindBufferBase(r.of(kTargets), r() % 6, name);
            break;
        case 1:
            glBindBufferRange(r.of(kTargets), r() % 6, name, r() % 4 ? (r() % 8) * 16 : r.number(),
                              r() % 4 ? (r() % 30) * 4 : r.number());
            break;
        case 2:
            glUniformBlockBinding(program, r() % 3, r() % 6);
            break;
        case 3:
            glUniform2ui(r.size(), r(), r());
            break;
        case 4:
        case 5:
            glBeginTransformFeedback(r.of(kModes));
            break;
        case 6:
            glEndTransformFeedback();
            break;
        case 7:
            glPauseTransformFeedback();
            break;
        case 8:
            glResumeTransformFeedback();
            break;
        case 9:
            if (r() % 8 == 0) glDeleteTransformFeedbacks(1, &name);
            if (r() % 2) glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, name);
            if (r() % 8 == 0) glGenTransformFeedbacks(1, &name);
            if (r() % 8 == 0) glLinkProgram(program);
    }
}

}  // namespace

TEST_CASE("random calls of OpenGL ES 3.0") {
    const uint64_t before = drawnFragments();
    for (unsigned seed = 0; seed < 6; ++seed) {
        TestContext context(kEs3);
        const GLuint program = useProgram(
            "#version 300 es\n#extension GL_EXT_clip_cull_distance : require\n"
            "layout(location = 0) in vec4 position; layout(location = 1) in ivec4 numbers;"
            " layout(location = 2) in uvec2 pair; out vec4 color; uniform uvec2 more;"
            " out highp float gl_ClipDistance[5]; out highp float gl_CullDistance[1];"
            " uniform Block { vec4 shift; uint table[20]; }; void main() { gl_Position = position + shift;"
            " color = vec4(numbers) + vec4(pair + more, gl_VertexID, gl_InstanceID) + float(table[pair.x % 20u]);"
            " gl_PointSize = 2.0; for (int i = 0; i < 5; ++i) gl_ClipDistance[i] = color[i % 4];"
            " gl_CullDistance[0] = position.x; }",
            "#version 300 es\n#extension GL_KHR_blend_equation_advanced : require\n"
            "layout(blend_support_all_equations) out; precision highp float; in vec4 color; out vec4 result;"
            " void main() { result = color; }");
        REQUIRE(program != 0);
        const char* const captured[] = {"color", "gl_Position"};
        glTransformFeedbackVaryings(program, 2, captured, seed % 2 ? GL_SEPARATE_ATTRIBS : GL_INTERLEAVED_ATTRIBS);
        glLinkProgram(program);
        Chooser r(seed);
        for (std::byte& byte : memory) byte = static_cast<std::byte>(r());
        // What may become indices stays within what client arrays have.
        std::fill_n(memory.begin(), 1 << 12, std::byte{0});
        for (int i = 0; i < 1500; ++i) {
            switch (r() % 5) {
                case 4:
                    callBlocksAndFeedback(r, program);
                    break;
                case 0:
                    callBuffers(r);
                    break;
                case 1:
                    callArrays(r);
                    break;
                case 2:
                    callDraws(r);
                    break;
                case 3:
                    callQueries(r);
            }
            const GLenum error = glGetError();
            CHECK_MESSAGE(isError(error), "seed " << seed << ", call " << i << ": " << error);
        }
        glFinish();
    }
    // The calls are not all refused: they do reach the pipeline.
    CHECK(drawnFragments() - before > 1000);
}
