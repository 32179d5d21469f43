#include "tests/gles/hostile_caller.h"

#include <array>
#include <cstring>
#include <random>

namespace tessera::gles_test {

namespace {

constexpr size_t kBlockBytes = size_t{1} << 23;

constexpr GLenum kEnums[] = {GL_POINTS,
                             GL_LINES,
                             GL_LINE_LOOP,
                             GL_LINE_STRIP,
                             GL_TRIANGLES,
                             GL_TRIANGLE_STRIP,
                             GL_TRIANGLE_FAN,
                             GL_ARRAY_BUFFER,
                             GL_ELEMENT_ARRAY_BUFFER,
                             GL_STATIC_DRAW,
                             GL_DYNAMIC_DRAW,
                             GL_BUFFER_SIZE,
                             GL_BUFFER_USAGE,
                             GL_TEXTURE_2D,
                             GL_TEXTURE_CUBE_MAP,
                             GL_TEXTURE_CUBE_MAP_POSITIVE_X,
                             GL_TEXTURE_CUBE_MAP_NEGATIVE_X,
                             GL_TEXTURE_CUBE_MAP_POSITIVE_Y,
                             GL_TEXTURE_CUBE_MAP_NEGATIVE_Y,
                             GL_TEXTURE_CUBE_MAP_POSITIVE_Z,
                             GL_TEXTURE_CUBE_MAP_NEGATIVE_Z,
                             GL_RGBA,
                             GL_RGB,
                             GL_ALPHA,
                             GL_LUMINANCE,
                             GL_LUMINANCE_ALPHA,
                             GL_UNSIGNED_BYTE,
                             GL_UNSIGNED_SHORT,
                             GL_BYTE,
                             GL_SHORT,
                             GL_FIXED,
                             GL_FLOAT,
                             GL_UNSIGNED_SHORT_4_4_4_4,
                             GL_UNSIGNED_SHORT_5_5_5_1,
                             GL_UNSIGNED_SHORT_5_6_5,
                             GL_FRAMEBUFFER,
                             GL_RENDERBUFFER,
                             GL_COLOR_ATTACHMENT0,
                             GL_DEPTH_ATTACHMENT,
                             GL_STENCIL_ATTACHMENT,
                             GL_RGBA4,
                             GL_RGB5_A1,
                             GL_RGB565,
                             GL_DEPTH_COMPONENT16,
                             GL_STENCIL_INDEX8,
                             0x88F0,
                             GL_TEXTURE_MIN_FILTER,
                             GL_TEXTURE_MAG_FILTER,
                             GL_TEXTURE_WRAP_S,
                             GL_TEXTURE_WRAP_T,
                             GL_NEAREST,
                             GL_LINEAR,
                             GL_NEAREST_MIPMAP_NEAREST,
                             GL_LINEAR_MIPMAP_LINEAR,
                             GL_REPEAT,
                             GL_CLAMP_TO_EDGE,
                             GL_MIRRORED_REPEAT,
                             GL_BLEND,
                             GL_CULL_FACE,
                             GL_DEPTH_TEST,
                             GL_DITHER,
                             GL_POLYGON_OFFSET_FILL,
                             GL_SCISSOR_TEST,
                             GL_STENCIL_TEST,
                             GL_FRONT,
                             GL_BACK,
                             GL_FRONT_AND_BACK,
                             GL_CW,
                             GL_CCW,
                             GL_NEVER,
                             GL_LESS,
                             GL_EQUAL,
                             GL_LEQUAL,
                             GL_GREATER,
                             GL_ALWAYS,
                             GL_KEEP,
                             GL_ZERO,
                             GL_REPLACE,
                             GL_INCR,
                             GL_DECR_WRAP,
                             GL_INVERT,
                             GL_ONE,
                             GL_SRC_COLOR,
                             GL_ONE_MINUS_SRC_ALPHA,
                             GL_DST_COLOR,
                             GL_SRC_ALPHA_SATURATE,
                             GL_CONSTANT_COLOR,
                             GL_FUNC_ADD,
                             GL_FUNC_SUBTRACT,
                             GL_FUNC_REVERSE_SUBTRACT,
                             GL_VERTEX_SHADER,
                             GL_FRAGMENT_SHADER,
                             GL_COMPILE_STATUS,
                             GL_LINK_STATUS,
                             GL_DELETE_STATUS,
                             GL_INFO_LOG_LENGTH,
                             GL_ACTIVE_UNIFORMS,
                             GL_ATTACHED_SHADERS,
                             GL_CURRENT_VERTEX_ATTRIB,
                             GL_VERTEX_ATTRIB_ARRAY_SIZE,
                             GL_VERTEX_ATTRIB_ARRAY_POINTER,
                             GL_VIEWPORT,
                             GL_COLOR_CLEAR_VALUE,
                             GL_MAX_TEXTURE_SIZE,
                             GL_HIGH_FLOAT,
                             GL_LOW_INT,
                             GL_VENDOR,
                             GL_EXTENSIONS,
                             GL_GENERATE_MIPMAP_HINT,
                             GL_NICEST,
                             GL_PACK_ALIGNMENT,
                             GL_UNPACK_ALIGNMENT,
                             GL_RENDERBUFFER_WIDTH,
                             GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME,
                             GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL,
                             GL_TEXTURE0,
                             GL_TEXTURE1,
                             GL_TEXTURE31,
                             GL_COLOR_BUFFER_BIT,
                             GL_DEPTH_BUFFER_BIT,
                             GL_STENCIL_BUFFER_BIT};

const char* const kTexts[] = {
    "attribute vec4 a; attribute vec2 b; varying vec2 v; uniform mat4 m; void main() { v = b; gl_Position = m * a + a; "
    "gl_PointSize = b.x * 9.0; }",
    "attribute vec4 a; uniform sampler2D s; varying vec2 v; void main() { v = texture2D(s, a.xy).xy; gl_Position = a; "
    "gl_PointSize = 3.0; }",
    "precision mediump float; varying vec2 v; uniform vec4 c[3]; uniform bool k; void main() { gl_FragColor = k ? c[1] "
    ": "
    "vec4(v, 1.0, 1.0); }",
    "precision mediump float; varying vec2 v; uniform sampler2D s; uniform samplerCube t; void main() { if (v.x > 0.7) "
    "discard; gl_FragColor = texture2D(s, v) + textureCube(t, vec3(v, 1.0)); }",
    "void main() { broken",
    "void main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); }"};

/// Half of it numbers that make good positions, half anything.
std::vector<uint8_t> block() {
    std::vector<uint8_t> bytes(kBlockBytes);
    std::mt19937 random(20261);
    std::uniform_real_distribution<float> place(-2, 2);
    for (size_t i = 0; i + 4 <= bytes.size(); i += 4) {
        const float number = place(random);
        const auto bits = static_cast<uint32_t>(random());
        std::memcpy(&bytes[i], i / 4096 % 2 == 0 ? static_cast<const void*>(&number) : &bits, 4);
    }
    return bytes;
}

}  // namespace

HostileCaller::HostileCaller(std::function<uint32_t()> next, bool clientArrays)
    : next_(std::move(next)), clientArrays_(clientArrays) {
    static const std::vector<uint8_t> kBlock = block();
    block_ = kBlock;
}

GLenum HostileCaller::anEnum() {
    return pick(40) == 0 ? static_cast<GLenum>(next_()) : kEnums[pick(std::size(kEnums))];
}
GLenum HostileCaller::among(std::initializer_list<GLenum> good) {
    return pick(12) == 0 ? anEnum() : good.begin()[pick(static_cast<unsigned>(good.size()))];
}
GLuint HostileCaller::name() { return pick(20) == 0 ? static_cast<GLuint>(next_()) : pick(9); }
GLint HostileCaller::small() { return static_cast<GLint>(pick(40)) - 4; }
GLint HostileCaller::integer() {
    constexpr GLint kOdd[] = {0, -1, 1, INT32_MAX, INT32_MIN, 4096, 16385, 65536};
    return pick(10) == 0 ? kOdd[pick(8)] : small();
}
/// Of a compressed image, mostly right: DXT1, ETC1, ETC2 RGBA, ASTC 5x4, a palette of 16 RGBA8.
GLsizei HostileCaller::compressedBytes(GLenum format, GLsizei width, GLsizei height) {
    if (pick(12) == 0 || width < 0 || height < 0) return size();
    if (format == 0x8B91) return 64 + (width * height + 1) / 2;
    const GLsizei blockWidth = format == 0x93B1 ? 5 : 4, blockBytes = format == 0x9278 || format == 0x93B1 ? 16 : 8;
    return (width + blockWidth - 1) / blockWidth * ((height + 3) / 4) * blockBytes;
}
void HostileCaller::compressedImage(GLenum image) {
    const GLenum format = among({0x83F0, 0x8D64, 0x9278, 0x93B1, 0x8B91});
    const GLsizei width = size(), height = pick(3) ? width : size();
    glCompressedTexImage2D(image, pick(3) ? 0 : small() / 8, format, width, height, 0,
                           compressedBytes(format, width, height), memory<void>());
}
void HostileCaller::compressedPart(GLenum image) {
    const GLenum format = among({0x83F0, 0x8D64, 0x9278, 0x93B1});
    const GLint step = pick(4) ? (format == 0x93B1 ? 5 : 4) : 1;
    const GLsizei width = step * static_cast<GLsizei>(pick(4)), height = pick(4) ? 4 : size();
    glCompressedTexSubImage2D(image, 0, step * static_cast<GLint>(pick(3)), 4 * static_cast<GLint>(pick(3)), width,
                              height, format, compressedBytes(format, width, height), memory<void>());
}
/// Sizes stay small: the run is about calls, not about memory.
GLsizei HostileCaller::size() { return pick(60) == 0 ? (pick(2) ? -1 : 16385) : static_cast<GLsizei>(pick(20)); }
GLfloat HostileCaller::real() {
    constexpr GLfloat kOdd[] = {0, -1, 1, 1e30f, -1e30f, __builtin_nanf(""), __builtin_inff(), 0.5f};
    return pick(6) == 0 ? kOdd[pick(8)] : static_cast<GLfloat>(small()) / 8.0f;
}
GLint HostileCaller::location() { return static_cast<GLint>(pick(8)) - 1; }
GLuint HostileCaller::shader() { return shaders_[pick(kShaders)]; }
GLuint HostileCaller::program() { return pick(10) == 0 ? name() : programs_[pick(kPrograms)]; }

void HostileCaller::makePrograms() {
    for (GLuint& name : programs_) {
        glDeleteProgram(name);
        name = glCreateProgram();
        for (unsigned stage = 0; stage < 2; ++stage) {
            GLuint& shader = shaders_[pick(kShaders)];
            glDeleteShader(shader);
            shader = glCreateShader(stage == 0 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
            const char* text = kTexts[stage == 0 ? pick(2) : 2 + pick(2)];
            glShaderSource(shader, 1, &text, nullptr);
            glCompileShader(shader);
            glAttachShader(name, shader);
        }
        glLinkProgram(name);
    }
    glUseProgram(programs_[pick(kPrograms)]);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, 16, 16);
    while (glGetError() != GL_NO_ERROR) {
    }
}

GLenum HostileCaller::call() {
    oneCall();
    return glGetError();
}

void HostileCaller::oneCall() {
    const unsigned which = pick(50);
    if (which < 10) return state(pick(27));
    if (which < 18) return textures(pick(16));
    if (which < 23) return framebuffers(pick(14));
    if (which < 26) return programs(pick(14));
    if (which < 31) return uniforms(pick(14));
    if (which < 37) return draws(pick(9));
    if (which < 43) return vertices(pick(13));
    queries(pick(31));
}

void HostileCaller::state(unsigned which) {
    switch (which) {
        case 0:
            return glEnable(anEnum());
        case 1:
            return glDisable(anEnum());
        case 2:
            return glBlendColor(real(), real(), real(), real());
        case 3:
            return glBlendEquation(among({GL_FUNC_ADD, GL_FUNC_SUBTRACT}));
        case 4:
            return glBlendEquationSeparate(among({GL_FUNC_ADD}), among({GL_FUNC_REVERSE_SUBTRACT}));
        case 5:
            return glBlendFunc(among({GL_ONE, GL_SRC_ALPHA}), among({GL_ZERO, GL_DST_COLOR}));
        case 6:
            return glBlendFuncSeparate(anEnum(), anEnum(), anEnum(), anEnum());
        case 7:
            return glClearColor(real(), real(), real(), real());
        case 8:
            return glClearDepthf(real());
        case 9:
            return glClearStencil(integer());
        case 10:
            return glColorMask(pick(2) != 0, pick(2) != 0, pick(2) != 0, pick(2) != 0);
        case 11:
            return glCullFace(among({GL_FRONT, GL_BACK}));
        case 12:
            return glDepthFunc(among({GL_LESS, GL_ALWAYS, GL_EQUAL}));
        case 13:
            return glDepthMask(pick(2) != 0);
        case 14:
            return glDepthRangef(real(), real());
        case 15:
            return glFrontFace(among({GL_CW, GL_CCW}));
        case 16:
            return glHint(among({GL_GENERATE_MIPMAP_HINT}), among({GL_NICEST}));
        case 17:
            return glLineWidth(real());
        case 18:
            return glPixelStorei(among({GL_PACK_ALIGNMENT, GL_UNPACK_ALIGNMENT}), static_cast<GLint>(1 << pick(5)));
        case 19:
            return glPolygonOffset(real(), real());
        case 20:
            return glSampleCoverage(real(), pick(2) != 0);
        case 21:
            return glScissor(integer(), integer(), size(), size());
        case 22:
            return glViewport(integer(), integer(), size(), size());
        case 23:
            return pick(2) ? glStencilFunc(anEnum(), integer(), next_())
                           : glStencilFuncSeparate(anEnum(), anEnum(), integer(), next_());
        case 24:
            return pick(2) ? glStencilMask(next_()) : glStencilMaskSeparate(anEnum(), next_());
        case 25:
            return glStencilOp(among({GL_KEEP, GL_INVERT}), among({GL_INCR}), among({GL_DECR_WRAP}));
        default:
            return glStencilOpSeparate(anEnum(), anEnum(), anEnum(), anEnum());
    }
}

void HostileCaller::textures(unsigned which) {
    GLuint names[3] = {name(), name(), name()};
    GLenum format = among({GL_RGBA, GL_RGB, GL_ALPHA, GL_LUMINANCE});
    GLenum image = among({GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP_POSITIVE_X, GL_TEXTURE_CUBE_MAP_NEGATIVE_Z});
    GLenum target = among({GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP});
    GLint filter[] = {static_cast<GLint>(anEnum())};
    GLfloat filterf[] = {static_cast<GLfloat>(anEnum())};
    switch (which) {
        case 0:
            return glActiveTexture(GL_TEXTURE0 + pick(4));
        case 1:
            return glBindTexture(target, name());
        case 2:
            return glGenTextures(static_cast<GLsizei>(pick(4)), names);
        case 3:
            return pick(4) ? glBindTexture(target, name()) : glDeleteTextures(static_cast<GLsizei>(pick(4)), names);
        case 4:
        case 5:
            return glTexImage2D(image, small() / 8, static_cast<GLint>(pick(8) ? format : 0x83F3), size(), size(),
                                pick(20) == 0, format, among({GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT_5_6_5}),
                                memory<void>());
        case 6:
            return glTexSubImage2D(image, small() / 8, small(), small(), size(), size(), format,
                                   among({GL_UNSIGNED_BYTE}), memory<void>());
        case 7:
            return glCopyTexImage2D(image, small() / 8, format, integer(), integer(), size(), size(), 0);
        case 8:
            return glCopyTexSubImage2D(image, small() / 8, small(), small(), integer(), integer(), size(), size());
        case 9:
            return compressedImage(image);
        case 10:
            return compressedPart(image);
        case 11:
            return glGenerateMipmap(target);
        case 12:
            return glTexParameteri(target, among({GL_TEXTURE_MIN_FILTER, GL_TEXTURE_WRAP_S}),
                                   static_cast<GLint>(among({GL_NEAREST, GL_LINEAR, GL_REPEAT})));
        case 13:
            return glTexParameterf(target, among({GL_TEXTURE_MIN_FILTER}), static_cast<GLfloat>(among({GL_LINEAR})));
        case 14:
            return glTexParameteriv(target, anEnum(), filter);
        default:
            return glTexParameterfv(target, anEnum(), filterf);
    }
}

void HostileCaller::framebuffers(unsigned which) {
    GLuint names[3] = {name(), name(), name()};
    GLenum attachment = among({GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT, GL_STENCIL_ATTACHMENT});
    switch (which) {
        case 0:
            return glGenFramebuffers(static_cast<GLsizei>(pick(4)), names);
        case 1:
            return glGenRenderbuffers(static_cast<GLsizei>(pick(4)), names);
        case 2:
            return glDeleteFramebuffers(static_cast<GLsizei>(pick(2)), names);
        case 3:
            return glDeleteRenderbuffers(static_cast<GLsizei>(pick(2)), names);
        case 4:
        case 5:
            return glBindFramebuffer(among({GL_FRAMEBUFFER}), pick(3) ? 0 : name());
        case 6:
            return glBindRenderbuffer(among({GL_RENDERBUFFER}), name());
        case 7:
            return glRenderbufferStorage(among({GL_RENDERBUFFER}), among({GL_RGBA4, GL_RGB565, GL_DEPTH_COMPONENT16}),
                                         size(), size());
        case 8:
            return glFramebufferRenderbuffer(among({GL_FRAMEBUFFER}), attachment, among({GL_RENDERBUFFER}), name());
        case 9:
        case 10:
            return glFramebufferTexture2D(among({GL_FRAMEBUFFER}), attachment,
                                          among({GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP_POSITIVE_X}), name(),
                                          pick(10) == 0);
        case 11:
            return void(glCheckFramebufferStatus(among({GL_FRAMEBUFFER})));
        case 12:
            return glClear(pick(20) ? (GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT) : next_());
        default:
            return glReadPixels(integer(), integer(), size(), static_cast<GLsizei>(pick(16)), among({GL_RGBA}),
                                among({GL_UNSIGNED_BYTE}), memory<void>());
    }
}

void HostileCaller::programs(unsigned which) {
    const char* text = kTexts[pick(std::size(kTexts))];
    GLuint one = shader();
    switch (which) {
        case 0:
            return pick(4) ? void() : glCompileShader(one);
        case 1:
            return glShaderSource(one, 1, &text, nullptr);
        case 2:
            return glAttachShader(program(), one);
        case 3:
            return glDetachShader(program(), one);
        case 4:
            return pick(8) ? void() : glDeleteShader(one);
        case 5:
            return pick(8) ? void() : glDeleteProgram(program());
        case 6:
            return pick(4) ? void() : glLinkProgram(program());
        case 7:
        case 8:
            return glUseProgram(program());
        case 9:
            return glValidateProgram(program());
        case 10:
            return glBindAttribLocation(program(), pick(18), pick(2) ? "a" : "gl_b");
        case 11:
            return glReleaseShaderCompiler();
        case 12:
            return glShaderBinary(static_cast<GLsizei>(pick(3)), &one, anEnum(), block_.data(), size());
        default:
            return pick(30) ? void() : void(glCreateShader(anEnum()) + glCreateProgram());
    }
}

void HostileCaller::uniforms(unsigned which) {
    const auto* reals = reinterpret_cast<const GLfloat*>(block_.data());
    const auto* ints = reinterpret_cast<const GLint*>(block_.data());
    GLint at = location();
    GLsizei n = static_cast<GLsizei>(pick(6)) - 1;
    switch (which) {
        case 0:
            return glUniform1f(at, real());
        case 1:
            return glUniform2f(at, real(), real());
        case 2:
            return glUniform3f(at, real(), real(), real());
        case 3:
            return glUniform4f(at, real(), real(), real(), real());
        case 4:
            return glUniform1i(at, integer());
        case 5:
            return pick(2) ? glUniform2i(at, small(), small()) : glUniform2iv(at, n, ints);
        case 6:
            return pick(2) ? glUniform3i(at, small(), small(), small()) : glUniform3iv(at, n, ints);
        case 7:
            return pick(2) ? glUniform4i(at, small(), small(), small(), small()) : glUniform4iv(at, n, ints);
        case 8:
            return pick(2) ? glUniform1fv(at, n, reals) : glUniform2fv(at, n, reals);
        case 9:
            return pick(2) ? glUniform3fv(at, n, reals) : glUniform4fv(at, n, reals);
        case 10:
            return glUniform1iv(at, n, ints);
        case 11:
            return glUniformMatrix2fv(at, n, pick(8) == 0, reals);
        case 12:
            return glUniformMatrix3fv(at, n, pick(8) == 0, reals);
        default:
            return glUniformMatrix4fv(at, n, pick(8) == 0, reals);
    }
}

void HostileCaller::draws(unsigned which) {
    GLenum mode = pick(20) == 0 ? anEnum() : pick(7);
    auto count = static_cast<GLsizei>(pick(40)) - 1;
    GLenum type = among({GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT});
    GLint elements = 0;
    glGetIntegerv(GL_ELEMENT_ARRAY_BUFFER_BINDING, &elements);
    // Four-byte indices may be anything, so they go with buffers only, where everything is checked.
    if (clientArrays_ && type != GL_UNSIGNED_BYTE && type != GL_UNSIGNED_SHORT) type = GL_UNSIGNED_BYTE;
    if (!clientArrays_ && pick(4) == 0) type = GL_UNSIGNED_INT;
    const void* indices = elements
                              ? reinterpret_cast<const void*>(static_cast<uintptr_t>(pick(4) ? pick(600) : next_()))
                              : memory<void>();
    switch (which) {
        case 0:
        case 1:
        case 2:
            return glDrawArrays(mode, static_cast<GLint>(pick(300)) - 1, count);
        case 3:
        case 4:
        case 5:
            return glDrawElements(mode, count, type, indices);
        case 6:
            return glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        case 7:
            return pick(20) ? glFlush() : glFinish();
        default:
            return glUseProgram(programs_[pick(kPrograms)]);
    }
}

void HostileCaller::vertices(unsigned which) {
    GLuint names[3] = {name(), name(), name()}, index = pick(18);
    GLenum target = among({GL_ARRAY_BUFFER, GL_ELEMENT_ARRAY_BUFFER});
    GLint bound = 0;
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &bound);
    const void* pointer = bound ? reinterpret_cast<const void*>(static_cast<uintptr_t>(pick(4) ? pick(200) : next_()))
                          : clientArrays_ ? memory<void>()
                                          : nullptr;
    switch (which) {
        case 0:
            return glGenBuffers(static_cast<GLsizei>(pick(4)), names);
        case 1:
            return pick(3) ? void() : glDeleteBuffers(static_cast<GLsizei>(pick(3)), names);
        case 2:
        case 3:
            return glBindBuffer(target, pick(3) ? name() : 0);
        case 4:
            return glBufferData(target, pick(40) ? static_cast<GLsizeiptr>(pick(4000)) : -1, memory<void>(),
                                among({GL_STATIC_DRAW}));
        case 5:
            return glBufferSubData(target, integer(), size(), memory<void>());
        case 6:
        case 7:
            return glVertexAttribPointer(index, static_cast<GLint>(pick(6)),
                                         among({GL_FLOAT, GL_BYTE, GL_UNSIGNED_SHORT, GL_FIXED}), pick(2) != 0,
                                         pick(30) ? static_cast<GLsizei>(pick(60)) : -1, pointer);
        case 8:
        case 9:
            return glEnableVertexAttribArray(index);
        case 10:
            return glDisableVertexAttribArray(index);
        case 11:
            return glVertexAttrib4f(index, real(), real(), real(), real());
        default: {
            const GLfloat values[4] = {real(), real(), real(), real()};
            if (pick(2)) glVertexAttrib1fv(index, values);
            if (pick(2)) glVertexAttrib2fv(index, values);
            if (pick(2)) glVertexAttrib3fv(index, values);
            if (pick(2)) glVertexAttrib4fv(index, values);
            if (pick(2)) glVertexAttrib1f(index, real());
            if (pick(2)) glVertexAttrib2f(index, real(), real());
            if (pick(2)) glVertexAttrib3f(index, real(), real(), real());
        }
    }
}

void HostileCaller::queries(unsigned which) {
    GLint ints[64];
    GLfloat reals[64];
    GLboolean booleans[64];
    GLchar text[64];
    GLsizei length = 0;
    GLenum type = 0;
    void* pointer = nullptr;
    auto room = static_cast<GLsizei>(pick(66)) - 2;
    switch (which) {
        case 0:
            return glGetIntegerv(anEnum(), ints);
        case 1:
            return glGetFloatv(anEnum(), reals);
        case 2:
            return glGetBooleanv(anEnum(), booleans);
        case 3:
            return void(glGetString(anEnum()));
        case 4:
            return void(glIsEnabled(anEnum()));
        case 5:
            return void(glIsBuffer(name()) + glIsTexture(name()) + glIsShader(name()));
        case 6:
            return void(glIsFramebuffer(name()) + glIsRenderbuffer(name()) + glIsProgram(name()));
        case 7:
            return glGetBufferParameteriv(anEnum(), anEnum(), ints);
        case 8:
            return glGetTexParameteriv(anEnum(), anEnum(), ints);
        case 9:
            return glGetTexParameterfv(anEnum(), anEnum(), reals);
        case 10:
            return glGetRenderbufferParameteriv(anEnum(), anEnum(), ints);
        case 11:
            return glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, anEnum(), anEnum(), ints);
        case 12:
            return glGetVertexAttribiv(pick(18), anEnum(), ints);
        case 13:
            return glGetVertexAttribfv(pick(18), anEnum(), reals);
        case 14:
            return glGetVertexAttribPointerv(pick(18), anEnum(), &pointer);
        case 15:
            return glGetShaderiv(shader(), anEnum(), ints);
        case 16:
            return glGetProgramiv(program(), anEnum(), ints);
        case 17:
            return glGetShaderInfoLog(shader(), room, &length, text);
        case 18:
            return glGetProgramInfoLog(program(), room, &length, text);
        case 19:
            return glGetShaderSource(shader(), room, &length, text);
        case 20:
            return glGetAttachedShaders(program(), room, &length, reinterpret_cast<GLuint*>(ints));
        case 21:
            return glGetActiveUniform(program(), pick(5), room, &length, ints, &type, text);
        case 22:
            return glGetActiveAttrib(program(), pick(4), room, &length, ints, &type, text);
        case 23:
            return void(glGetAttribLocation(program(), pick(2) ? "a" : "zz"));
        case 24:
            return void(glGetUniformLocation(program(), pick(2) ? "c[2]" : "c[-1]"));
        case 25:
            return glGetUniformfv(program(), location(), reals);
        case 26:
            return glGetUniformiv(program(), location(), ints);
        case 27:
            return glGetShaderPrecisionFormat(anEnum(), anEnum(), ints, ints + 2);
        case 28:
            return void(glGetError());
        default:
            return glUseProgram(programs_[pick(kPrograms)]);
    }
}

}  // namespace tessera::gles_test
