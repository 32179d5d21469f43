// Thousands of calls with arguments drawn at random from the likely, the extreme and the absurd. Nothing may crash,
// hang or read outside its buffers (the sanitizer builds watch), and errors must be those that GL knows.
#include <vector>

#include "api/gles/gles.h"
#include "tests/gles/fixture.h"
#include "tests/gles/misuse/chooser.h"

using namespace tessera::gles_test;

namespace {

constexpr GLenum kEnums[] = {
    GL_ARRAY_BUFFER,
    GL_ELEMENT_ARRAY_BUFFER,
    GL_STATIC_DRAW,
    GL_TEXTURE_2D,
    GL_TEXTURE_CUBE_MAP,
    GL_TEXTURE_CUBE_MAP_POSITIVE_X,
    GL_TEXTURE_CUBE_MAP_NEGATIVE_Z,
    GL_RGBA,
    GL_RGB,
    GL_ALPHA,
    GL_LUMINANCE,
    GL_LUMINANCE_ALPHA,
    GL_BGRA_EXT,
    GL_UNSIGNED_BYTE,
    GL_UNSIGNED_SHORT,
    GL_UNSIGNED_INT,
    GL_FLOAT,
    GL_BYTE,
    GL_SHORT,
    GL_FIXED,
    GL_UNSIGNED_SHORT_4_4_4_4,
    GL_UNSIGNED_SHORT_5_5_5_1,
    GL_UNSIGNED_SHORT_5_6_5,
    GL_FRAMEBUFFER,
    GL_RENDERBUFFER,
    GL_COLOR_ATTACHMENT0,
    GL_DEPTH_ATTACHMENT,
    GL_STENCIL_ATTACHMENT,
    GL_RGBA4,
    GL_RGB565,
    GL_DEPTH_COMPONENT16,
    GL_STENCIL_INDEX8,
    GL_DEPTH24_STENCIL8_OES,
    GL_TEXTURE_MIN_FILTER,
    GL_TEXTURE_MAG_FILTER,
    GL_TEXTURE_WRAP_S,
    GL_LINEAR,
    GL_NEAREST,
    GL_NEAREST_MIPMAP_LINEAR,
    GL_REPEAT,
    GL_CLAMP_TO_EDGE,
    GL_BLEND,
    GL_DEPTH_TEST,
    GL_STENCIL_TEST,
    GL_SCISSOR_TEST,
    GL_CULL_FACE,
    GL_FRONT,
    GL_BACK,
    GL_FRONT_AND_BACK,
    GL_KEEP,
    GL_INCR_WRAP,
    GL_ALWAYS,
    GL_LESS,
    GL_ONE,
    GL_SRC_ALPHA,
    GL_FUNC_ADD,
    GL_MIN_EXT,
    GL_TEXTURE0,
    GL_TEXTURE31,
    GL_UNPACK_ALIGNMENT,
    GL_VIEWPORT,
    GL_LINK_STATUS,
    GL_COMPILE_STATUS,
    GL_INFO_LOG_LENGTH,
    GL_SHADER_BINARY_TESSERA,
};

/// The likely, the extreme and the absurd.
class WildChooser : public Chooser {
public:
    using Chooser::Chooser;
    GLenum enumerant() { return (*this)() % 8 == 0 ? (*this)() : of(kEnums); }
    GLuint name() { return of<GLuint, 7>({0, 1, 2, 3, 4, 5, 0xFFFFFFFF}); }
    GLint number() { return of<GLint, 14>({0, 1, 2, 3, 4, 7, 8, 16, 31, -1, -7, 5000, INT32_MAX, INT32_MIN}); }
    GLint small() { return static_cast<GLint>((*this)() % 20) - 2; }
    GLfloat real() {
        return of<GLfloat, 9>({0, 1, -1, 0.5f, 1e-40f, 3e38f, -3e38f, __builtin_inff(), __builtin_nanf("")});
    }
};

/// Quads over the viewport, as many as any draw below may name.
const std::vector<GLfloat> kManyQuads = [] {
    std::vector<GLfloat> vertices;
    for (int i = 0; i < 64; ++i) vertices.insert(vertices.end(), std::begin(kQuad), std::end(kQuad));
    return vertices;
}();

void callState(WildChooser& r) {
    switch (r() % 18) {
        case 0:
            glEnable(r.enumerant());
            break;
        case 1:
            glDisable(r.enumerant());
            break;
        case 2:
            glViewport(r.number(), r.number(), r.number(), r.number());
            break;
        case 3:
            glScissor(r.number(), r.number(), r.number(), r.number());
            break;
        case 4:
            glDepthRangef(r.real(), r.real());
            break;
        case 5:
            glClearColor(r.real(), r.real(), r.real(), r.real());
            break;
        case 6:
            glClear(r() % 2 ? GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT : r());
            break;
        case 7:
            glStencilFuncSeparate(r.enumerant(), r.enumerant(), r.number(), r());
            break;
        case 8:
            glStencilOp(r.enumerant(), r.enumerant(), r.enumerant());
            break;
        case 9:
            glBlendFunc(r.enumerant(), r.enumerant());
            break;
        case 10:
            glBlendEquation(r.enumerant());
            break;
        case 11:
            glLineWidth(r.real());
            break;
        case 12:
            glPolygonOffset(r.real(), r.real());
            break;
        case 13:
            glPixelStorei(r.enumerant(), r.number());
            break;
        case 14:
            glCullFace(r.enumerant());
            break;
        case 15:
            glSampleCoverage(r.real(), r() & 1);
            break;
        case 16:
            glDepthFunc(r.enumerant());
            break;
        case 17: {
            GLint values[16];
            glGetIntegerv(r() % 2 ? r.enumerant() : 0x0B00 + r() % 0x500, values);
        }
    }
}

void callObjects(WildChooser& r) {
    GLuint name = r.name();
    GLint value[16];
    switch (r() % 20) {
        case 0:
            glBindBuffer(r.enumerant(), name);
            break;
        case 1:
            glDeleteBuffers(r.small() / 9, &name);
            break;
        case 2:
            glBufferData(r.of<GLenum, 2>({GL_ARRAY_BUFFER, GL_ELEMENT_ARRAY_BUFFER}), r.small() * 8,
                         r() % 2 ? memory.data() : nullptr, GL_STATIC_DRAW);
            break;
        case 3:
            glBufferSubData(GL_ARRAY_BUFFER, r.number(), r.small(), memory.data());
            break;
        case 4:
            glBindTexture(r.enumerant(), name);
            break;
        case 5:
            glDeleteTextures(r.small() / 9, &name);
            break;
        case 6:
            glActiveTexture(r.enumerant());
            break;
        case 7:
            glTexParameteri(r.enumerant(), r.enumerant(), static_cast<GLint>(r.enumerant()));
            break;
        case 8: {
            GLenum format = r.enumerant();
            glTexImage2D(r.enumerant(), r.small(), static_cast<GLint>(format), r.small(), r.small(), 0,
                         r() % 4 ? format : r.enumerant(), r.enumerant(), r() % 2 ? memory.data() : nullptr);
            break;
        }
        case 9:
            glTexSubImage2D(r.enumerant(), r.small(), r.number(), r.number(), r.small(), r.small(), r.enumerant(),
                            r.enumerant(), memory.data());
            break;
        case 10:
            glCopyTexImage2D(r.enumerant(), r.small(), r.enumerant(), r.number(), r.number(), r.small(), r.small(), 0);
            break;
        case 11:
            glCopyTexSubImage2D(r.enumerant(), r.small(), r.number(), r.number(), r.number(), r.number(), r.small(),
                                r.small());
            break;
        case 12:
            glGenerateMipmap(r.enumerant());
            break;
        case 13:
            glBindFramebuffer(GL_FRAMEBUFFER, r() % 2 ? 0 : name);
            break;
        case 14:
            glFramebufferTexture2D(GL_FRAMEBUFFER, r.enumerant(), r.enumerant(), name, r.small() / 8);
            break;
        case 15:
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, r.enumerant(), GL_RENDERBUFFER, name);
            break;
        case 16:
            glBindRenderbuffer(GL_RENDERBUFFER, name);
            break;
        case 17:
            glRenderbufferStorage(GL_RENDERBUFFER, r.enumerant(), r.small(), r.small());
            break;
        case 18:
            glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, r.enumerant(), r.enumerant(), value);
            break;
        case 19:
            glReadPixels(r.number(), r.number(), r.small(), r.small(), r.enumerant(), r.enumerant(), memory.data());
            break;
    }
}

void callPrograms(WildChooser& r) {
    GLuint name = r.name(), other = r.name();
    GLint value[16];
    GLchar text[8];
    const GLfloat reals[64] = {r.real(), r.real(), r.real(), r.real()};
    const GLint ints[16] = {r.number(), r.number(), r.number(), r.number()};
    switch (r() % 16) {
        case 0:
            glUseProgram(name);
            break;
        case 1:
            glAttachShader(name, other);
            break;
        case 2:
            glDetachShader(name, other);
            break;
        case 3:
            glLinkProgram(name);
            break;
        case 4:
            glUniform4fv(r.small(), r.small() / 5, reals);
            break;
        case 5:
            glUniform1iv(r.small(), r.small() / 5, ints);
            break;
        case 6:
            glUniformMatrix4fv(r.small(), r.small() / 5, GL_FALSE, reals);
            break;
        case 7:
            glGetProgramiv(name, r.enumerant(), value);
            break;
        case 8:
            glGetShaderiv(name, r.enumerant(), value);
            break;
        case 9:
            glGetActiveUniform(name, r() % 4, r.small(), nullptr, value, nullptr, r.small() > 8 ? nullptr : text);
            break;
        case 10:
            glGetUniformfv(name, r.small(), const_cast<GLfloat*>(reals));
            break;
        case 11:
            glValidateProgram(name);
            break;
        case 12:
            glBindAttribLocation(name, r() % 20, "position");
            break;
        case 13:
            glShaderBinary(r.small() / 9, &name, r.enumerant(), memory.data(), r.small());
            break;
        case 14:
            glCompileShader(name);
            break;
        case 15:
            glGetShaderInfoLog(name, 8, nullptr, text);
            break;
    }
}

void callDraws(WildChooser& r) {
    switch (r() % 8) {
        case 0:
            glEnableVertexAttribArray(r() % 18);
            break;
        case 1:
            glDisableVertexAttribArray(r() % 18);
            break;
        case 2: {
            // Pointers into client memory must name real memory; offsets into buffers may be anything.
            bool inBuffer = getInt(GL_ARRAY_BUFFER_BINDING) != 0;
            const void* pointer = inBuffer ? reinterpret_cast<const void*>(static_cast<intptr_t>(r.number()))
                                           : static_cast<const void*>(memory.data());
            glVertexAttribPointer(r() % 18, r.small(), r.enumerant(), r() & 1, inBuffer ? r.number() : r.small(),
                                  pointer);
            break;
        }
        case 3:
            glVertexAttrib4f(r() % 18, r.real(), r.real(), r.real(), r.real());
            break;
        case 4:
        case 5:
            glDrawArrays(r() % 9, r.small() * 4, r.small());
            break;
        case 6:
        case 7:
            if (getInt(GL_ELEMENT_ARRAY_BUFFER_BINDING) != 0) {
                glDrawElements(r() % 9, r.small(), GL_UNSIGNED_BYTE,
                               reinterpret_cast<const void*>(static_cast<intptr_t>(r.number())));
            } else {
                glDrawElements(r() % 9, r.small(), GL_UNSIGNED_BYTE, memory.data() + 256);
            }
    }
}

/// Puts enough in order for the next draw to reach the pixels.
void recover(GLuint program) {
    const GLfloat identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "s"), 0);
    glUniform1i(glGetUniformLocation(program, "c"), 1);
    glUniformMatrix4fv(glGetUniformLocation(program, "m"), 1, GL_FALSE, identity);
    glUniform4f(glGetUniformLocation(program, "a[1]"), 0, 0, 0, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, kLarge.width, kLarge.width);
    for (GLenum cap : {GL_SCISSOR_TEST, GL_CULL_FACE, GL_STENCIL_TEST, GL_DEPTH_TEST}) glDisable(cap);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    auto position = static_cast<GLuint>(glGetAttribLocation(program, "position"));
    glVertexAttribPointer(position, 2, GL_FLOAT, GL_FALSE, 0, kManyQuads.data());
    glEnableVertexAttribArray(position);
}

}  // namespace

TEST_CASE("random calls never crash") {
    const uint64_t before = drawnFragments();
    for (unsigned seed = 1; seed <= 6; ++seed) {
        CAPTURE(seed);
        TestContext context(kLarge);
        WildChooser r(seed);
        for (size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i * 7);
        GLuint program = makeProgram(
            "attribute vec4 position; varying vec4 v; uniform vec4 a[2]; uniform mat4 m;"
            "void main() { gl_Position = m * position + a[1]; v = position; gl_PointSize = a[0].x; }",
            "precision highp float; varying vec4 v; uniform sampler2D s; uniform samplerCube c; uniform vec4 a[2];"
            "void main() { gl_FragColor = texture2D(s, v.xy) + textureCube(c, v.xyz) * a[0]; }");
        glUseProgram(program);
        for (int i = 0; i < 2500; ++i) {
            switch (r() % 8) {
                case 0:
                case 1:
                    callState(r);
                    break;
                case 2:
                case 3:
                    callObjects(r);
                    break;
                case 4:
                    callPrograms(r);
                    break;
                default:
                    callDraws(r);
            }
            if (r() % 16 == 0) recover(program);
            REQUIRE(isError(glGetError()));
        }
        glFinish();
    }
    // The calls are not all refused: they do reach the pipeline.
    CHECK(drawnFragments() - before > 1000);
}
