#include "tests/gles/api_test.h"

#include <GLES2/gl2ext.h>

#include <algorithm>
#include <cstdio>

namespace tessera::gles_test {

const char* errorName(GLenum error) {
    switch (error) {
        case GL_NO_ERROR:
            return "NO_ERROR";
        case 0x0507:
            return "CONTEXT_LOST";
        case 0x0504:
            return "STACK_UNDERFLOW";
        case GL_INVALID_ENUM:
            return "INVALID_ENUM";
        case GL_INVALID_VALUE:
            return "INVALID_VALUE";
        case GL_INVALID_OPERATION:
            return "INVALID_OPERATION";
        case GL_INVALID_FRAMEBUFFER_OPERATION:
            return "INVALID_FRAMEBUFFER_OPERATION";
        case GL_OUT_OF_MEMORY:
            return "OUT_OF_MEMORY";
    }
    return "an unknown error";
}

namespace {

struct Parameter {
    GLenum name;
    const char* text;
    int count;
};
#define PARAMETER(name, count) {name, #name, count}
constexpr Parameter kParameters[] = {
    PARAMETER(GL_ARRAY_BUFFER_BINDING, 1),
    PARAMETER(GL_ELEMENT_ARRAY_BUFFER_BINDING, 1),
    PARAMETER(GL_VIEWPORT, 4),
    PARAMETER(GL_DEPTH_RANGE, 2),
    PARAMETER(GL_LINE_WIDTH, 1),
    PARAMETER(GL_CULL_FACE, 1),
    PARAMETER(GL_CULL_FACE_MODE, 1),
    PARAMETER(GL_FRONT_FACE, 1),
    PARAMETER(GL_POLYGON_OFFSET_FACTOR, 1),
    PARAMETER(GL_POLYGON_OFFSET_UNITS, 1),
    PARAMETER(GL_POLYGON_OFFSET_CLAMP_EXT, 1),
    PARAMETER(GL_POLYGON_OFFSET_FILL, 1),
    PARAMETER(GL_SAMPLE_ALPHA_TO_COVERAGE, 1),
    PARAMETER(GL_SAMPLE_COVERAGE, 1),
    PARAMETER(GL_SAMPLE_COVERAGE_VALUE, 1),
    PARAMETER(GL_SAMPLE_COVERAGE_INVERT, 1),
    PARAMETER(GL_TEXTURE_BINDING_2D, 1),
    PARAMETER(GL_TEXTURE_BINDING_CUBE_MAP, 1),
    PARAMETER(GL_ACTIVE_TEXTURE, 1),
    PARAMETER(GL_SCISSOR_TEST, 1),
    PARAMETER(GL_SCISSOR_BOX, 4),
    PARAMETER(GL_STENCIL_TEST, 1),
    PARAMETER(GL_STENCIL_FUNC, 1),
    PARAMETER(GL_STENCIL_VALUE_MASK, 1),
    PARAMETER(GL_STENCIL_REF, 1),
    PARAMETER(GL_STENCIL_FAIL, 1),
    PARAMETER(GL_STENCIL_PASS_DEPTH_FAIL, 1),
    PARAMETER(GL_STENCIL_PASS_DEPTH_PASS, 1),
    PARAMETER(GL_STENCIL_BACK_FUNC, 1),
    PARAMETER(GL_STENCIL_BACK_VALUE_MASK, 1),
    PARAMETER(GL_STENCIL_BACK_REF, 1),
    PARAMETER(GL_STENCIL_BACK_FAIL, 1),
    PARAMETER(GL_STENCIL_BACK_PASS_DEPTH_FAIL, 1),
    PARAMETER(GL_STENCIL_BACK_PASS_DEPTH_PASS, 1),
    PARAMETER(GL_DEPTH_TEST, 1),
    PARAMETER(GL_DEPTH_FUNC, 1),
    PARAMETER(GL_BLEND, 1),
    PARAMETER(GL_BLEND_SRC_RGB, 1),
    PARAMETER(GL_BLEND_SRC_ALPHA, 1),
    PARAMETER(GL_BLEND_DST_RGB, 1),
    PARAMETER(GL_BLEND_DST_ALPHA, 1),
    PARAMETER(GL_BLEND_EQUATION_RGB, 1),
    PARAMETER(GL_BLEND_EQUATION_ALPHA, 1),
    PARAMETER(GL_BLEND_COLOR, 4),
    PARAMETER(GL_DITHER, 1),
    PARAMETER(GL_COLOR_WRITEMASK, 4),
    PARAMETER(GL_DEPTH_WRITEMASK, 1),
    PARAMETER(GL_STENCIL_WRITEMASK, 1),
    PARAMETER(GL_STENCIL_BACK_WRITEMASK, 1),
    PARAMETER(GL_COLOR_CLEAR_VALUE, 4),
    PARAMETER(GL_DEPTH_CLEAR_VALUE, 1),
    PARAMETER(GL_STENCIL_CLEAR_VALUE, 1),
    PARAMETER(GL_FRAMEBUFFER_BINDING, 1),
    PARAMETER(GL_RENDERBUFFER_BINDING, 1),
    PARAMETER(GL_UNPACK_ALIGNMENT, 1),
    PARAMETER(GL_PACK_ALIGNMENT, 1),
    PARAMETER(GL_CURRENT_PROGRAM, 1),
    PARAMETER(GL_GENERATE_MIPMAP_HINT, 1),
};
constexpr Parameter kArrayParameters[] = {
    PARAMETER(GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, 1),
    PARAMETER(GL_VERTEX_ATTRIB_ARRAY_ENABLED, 1),
    PARAMETER(GL_VERTEX_ATTRIB_ARRAY_SIZE, 1),
    PARAMETER(GL_VERTEX_ATTRIB_ARRAY_STRIDE, 1),
    PARAMETER(GL_VERTEX_ATTRIB_ARRAY_TYPE, 1),
    PARAMETER(GL_VERTEX_ATTRIB_ARRAY_NORMALIZED, 1),
    PARAMETER(GL_CURRENT_VERTEX_ATTRIB, 4),
};
constexpr Parameter kTextureParameters[] = {PARAMETER(GL_TEXTURE_MIN_FILTER, 1), PARAMETER(GL_TEXTURE_MAG_FILTER, 1),
                                            PARAMETER(GL_TEXTURE_WRAP_S, 1), PARAMETER(GL_TEXTURE_WRAP_T, 1)};
constexpr Parameter kRenderbufferParameters[] = {PARAMETER(GL_RENDERBUFFER_WIDTH, 1),
                                                 PARAMETER(GL_RENDERBUFFER_HEIGHT, 1),
                                                 PARAMETER(GL_RENDERBUFFER_INTERNAL_FORMAT, 1)};
constexpr Parameter kBufferParameters[] = {PARAMETER(GL_BUFFER_SIZE, 1), PARAMETER(GL_BUFFER_USAGE, 1)};
constexpr Parameter kAttachments[] = {PARAMETER(GL_COLOR_ATTACHMENT0, 1), PARAMETER(GL_DEPTH_ATTACHMENT, 1),
                                      PARAMETER(GL_STENCIL_ATTACHMENT, 1)};
#undef PARAMETER

void add(std::vector<std::string>& lines, const std::string& what, const GLfloat (&value)[4], int count) {
    std::string line = what + " =";
    for (int i = 0; i < count; ++i) {
        char text[40];
        std::snprintf(text, sizeof text, " %.9g", static_cast<double>(value[i]));
        line += text;
    }
    lines.push_back(std::move(line));
}

void addInt(std::vector<std::string>& lines, const std::string& what, GLint value) {
    lines.push_back(what + " = " + std::to_string(value));
}

GLint integer(GLenum pname) {
    GLint value = 0;
    glGetIntegerv(pname, &value);
    return value;
}

void addVertexArrays(std::vector<std::string>& lines) {
    for (GLuint i = 0; i < 16; ++i) {
        std::string index = "[" + std::to_string(i) + "] ";
        for (const Parameter& p : kArrayParameters) {
            GLfloat value[4] = {};
            glGetVertexAttribfv(i, p.name, value);
            add(lines, index + p.text, value, p.count);
        }
        void* pointer = nullptr;
        glGetVertexAttribPointerv(i, GL_VERTEX_ATTRIB_ARRAY_POINTER, &pointer);
        lines.push_back(index + "pointer " + std::to_string(reinterpret_cast<uintptr_t>(pointer)));
    }
}

void addBoundObjects(std::vector<std::string>& lines) {
    for (GLenum target : {GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP})
        for (const Parameter& p : kTextureParameters) {
            GLint value = 0;
            glGetTexParameteriv(target, p.name, &value);
            addInt(lines, std::to_string(target) + " " + p.text, value);
        }
    for (const Parameter& p : kRenderbufferParameters) {
        if (integer(GL_RENDERBUFFER_BINDING) == 0) break;
        GLint value = 0;
        glGetRenderbufferParameteriv(GL_RENDERBUFFER, p.name, &value);
        addInt(lines, p.text, value);
    }
    for (const Parameter& p : kBufferParameters) {
        GLint value = 0;
        if (integer(GL_ARRAY_BUFFER_BINDING) != 0) {
            glGetBufferParameteriv(GL_ARRAY_BUFFER, p.name, &value);
            addInt(lines, std::string("array ") + p.text, value);
        }
        if (integer(GL_ELEMENT_ARRAY_BUFFER_BINDING) != 0) {
            glGetBufferParameteriv(GL_ELEMENT_ARRAY_BUFFER, p.name, &value);
            addInt(lines, std::string("element ") + p.text, value);
        }
    }
    for (const Parameter& p : kAttachments) {
        if (integer(GL_FRAMEBUFFER_BINDING) == 0) break;
        GLint type = 0, name = 0;
        glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, p.name, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &type);
        if (type != GL_NONE)
            glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, p.name, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, &name);
        addInt(lines, std::string(p.text) + " type", type);
        addInt(lines, std::string(p.text) + " name", name);
    }
}

void addProgram(std::vector<std::string>& lines) {
    GLint program = integer(GL_CURRENT_PROGRAM);
    if (program == 0) return;
    for (GLenum pname : {GL_LINK_STATUS, GL_DELETE_STATUS, GL_ATTACHED_SHADERS, GL_ACTIVE_UNIFORMS}) {
        GLint value = 0;
        glGetProgramiv(static_cast<GLuint>(program), pname, &value);
        addInt(lines, "program " + std::to_string(pname), value);
    }
    // Element by element: locations of this implementation are small numbers, any other just gives an error.
    for (GLint location = 0; location < 64; ++location) {
        GLfloat value[16] = {};
        glGetUniformfv(static_cast<GLuint>(program), location, value);
        if (glGetError() != GL_NO_ERROR) break;
        std::string line = "uniform " + std::to_string(location);
        for (GLfloat x : value) line += " " + std::to_string(x);
        lines.push_back(std::move(line));
    }
}

/// An error other than the given one, by a call that changes nothing.
GLenum provokeAnotherError(GLenum than) {
    if (than == GL_INVALID_ENUM) {
        glViewport(0, 0, -1, 0);
        return GL_INVALID_VALUE;
    }
    glEnable(GL_TEXTURE_2D);
    return GL_INVALID_ENUM;
}

}  // namespace

std::vector<std::string> stateSnapshot() {
    std::vector<std::string> lines;
    for (const Parameter& p : kParameters) {
        GLfloat value[4] = {};
        glGetFloatv(p.name, value);
        add(lines, p.text, value, p.count);
    }
    addVertexArrays(lines);
    addBoundObjects(lines);
    addProgram(lines);
    return lines;
}

void ErrorTest::error(GLenum expected, const std::function<void()>& call) {
    INFO(name_ << " gives " << errorName(expected));
    GLenum before = glGetError();
    CHECK_MESSAGE(before == GL_NO_ERROR, "left over: " << errorName(before));
    std::vector<std::string> state = stateSnapshot();
    REQUIRE(glGetError() == GL_NO_ERROR);

    call();
    GLenum got = glGetError();
    CHECK_MESSAGE(got == expected, "got " << errorName(got));
    CHECK(glGetError() == GL_NO_ERROR);
    std::vector<std::string> now = stateSnapshot();
    CHECK(now.size() == state.size());
    for (size_t i = 0; i < std::min(now.size(), state.size()); ++i) CHECK(now[i] == state[i]);

    GLenum pending = provokeAnotherError(expected);
    call();
    CHECK_MESSAGE(glGetError() == pending, "the first error did not stick");
    CHECK(glGetError() == GL_NO_ERROR);
    if (got == expected) seen_.insert(expected);
}

void ErrorTest::fine(const std::function<void()>& call) {
    INFO(name_ << " gives no error");
    call();
    GLenum got = glGetError();
    CHECK_MESSAGE(got == GL_NO_ERROR, "got " << errorName(got));
}

void ErrorTest::finish() {
    GLenum left = glGetError();
    CHECK_MESSAGE(left == GL_NO_ERROR, name_ << " leaves " << errorName(left));
    for (GLenum error : named_)
        CHECK_MESSAGE(seen_.count(error) == 1, name_ << ": " << errorName(error) << " was not provoked");
}

std::set<std::string>& testedEntryPoints() {
    static std::set<std::string> names;
    return names;
}

bool registerEntryPoint(const char* name) {
    // Naming a function twice would hide that another is missing.
    return testedEntryPoints().insert(name).second;
}

}  // namespace tessera::gles_test
