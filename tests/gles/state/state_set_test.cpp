// Every state that can be set: what was set comes back, clamped where the specification clamps, converted by 6.1.2.
#include <cmath>
#include <cstring>

#include "tests/gles/api_test.h"

using namespace tessera::gles_test;

namespace {

GLint integer(GLenum name) {
    GLint value[4] = {};
    glGetIntegerv(name, value);
    return value[0];
}

std::vector<GLfloat> floats(GLenum name, int count) {
    std::vector<GLfloat> value(4, -99.0f);
    glGetFloatv(name, value.data());
    value.resize(static_cast<size_t>(count));
    return value;
}

std::vector<GLint> integers(GLenum name, int count) {
    std::vector<GLint> value(4, -99);
    glGetIntegerv(name, value.data());
    value.resize(static_cast<size_t>(count));
    return value;
}

using Floats = std::vector<GLfloat>;
using Ints = std::vector<GLint>;

}  // namespace

TEST_CASE("depths are clamped when set, colours kept for float buffers; both spread over the integers when asked for") {
    TestContext context;
    glClearColor(-1, 0.25f, 1, 7);
    CHECK(floats(GL_COLOR_CLEAR_VALUE, 4) == Floats{-1, 0.25f, 1, 7});
    glBlendColor(2, -3, 0.5f, 0.75f);
    CHECK(floats(GL_BLEND_COLOR, 4) == Floats{2, -3, 0.5f, 0.75f});
    glClearDepthf(3);
    CHECK(floats(GL_DEPTH_CLEAR_VALUE, 1) == Floats{1});
    glClearDepthf(-3);
    CHECK(floats(GL_DEPTH_CLEAR_VALUE, 1) == Floats{0});
    glDepthRangef(2, -1);
    CHECK(floats(GL_DEPTH_RANGE, 2) == Floats{1, 0});
    glDepthRangef(0.75f, 0.5f);
    CHECK(floats(GL_DEPTH_RANGE, 2) == Floats{0.75f, 0.5f});
    glSampleCoverage(5, GL_TRUE);
    CHECK(floats(GL_SAMPLE_COVERAGE_VALUE, 1) == Floats{1});
    CHECK(integer(GL_SAMPLE_COVERAGE_INVERT) == 1);
    glSampleCoverage(-5, GL_FALSE);
    CHECK(floats(GL_SAMPLE_COVERAGE_VALUE, 1) == Floats{0});
    CHECK(integer(GL_SAMPLE_COVERAGE_INVERT) == 0);

    glBlendColor(1, 0, 0.5f, 0.75f);
    Ints color = integers(GL_BLEND_COLOR, 4);
    CHECK(color[0] == INT32_MAX);
    CHECK(std::abs(color[1]) <= 1);
    CHECK(std::abs(color[2] - 1073741823.5) <= 1.5);
    GLboolean truth[4] = {};
    glGetBooleanv(GL_BLEND_COLOR, truth);
    CHECK(truth[1] == GL_FALSE);
    CHECK(truth[2] == GL_TRUE);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("floats are rounded to the nearest integer") {
    TestContext context;
    for (GLfloat width : {1.25f, 1.75f, 3.0f, 62.6f}) {
        glLineWidth(width);
        CHECK(floats(GL_LINE_WIDTH, 1) == Floats{width});
        CHECK(integer(GL_LINE_WIDTH) == std::lround(static_cast<double>(width)));
    }
    glPolygonOffset(-1.75f, 2.25f);
    CHECK(floats(GL_POLYGON_OFFSET_FACTOR, 1) == Floats{-1.75f});
    CHECK(floats(GL_POLYGON_OFFSET_UNITS, 1) == Floats{2.25f});
    CHECK(integer(GL_POLYGON_OFFSET_FACTOR) == -2);
    CHECK(integer(GL_POLYGON_OFFSET_UNITS) == 2);
    GLboolean truth = GL_FALSE;
    glGetBooleanv(GL_POLYGON_OFFSET_FACTOR, &truth);
    CHECK(truth == GL_TRUE);
    glPolygonOffset(1e30f, -1e30f);  // beyond the integers: the ends of the range
    CHECK(integer(GL_POLYGON_OFFSET_FACTOR) == INT32_MAX);
    CHECK(integer(GL_POLYGON_OFFSET_UNITS) == INT32_MIN);
}

TEST_CASE("rectangles, with the viewport's size limited to what is supported") {
    TestContext context;
    glViewport(-3, 4, 5, 6);
    CHECK(integers(GL_VIEWPORT, 4) == Ints{-3, 4, 5, 6});
    glScissor(-7, 8, 9, 10);
    CHECK(integers(GL_SCISSOR_BOX, 4) == Ints{-7, 8, 9, 10});
    CHECK(floats(GL_SCISSOR_BOX, 4) == Floats{-7, 8, 9, 10});
    Ints limit = integers(GL_MAX_VIEWPORT_DIMS, 2);
    glViewport(1, 2, INT32_MAX, INT32_MAX);
    CHECK(integers(GL_VIEWPORT, 4) == Ints{1, 2, limit[0], limit[1]});
    glScissor(0, 0, INT32_MAX, INT32_MAX);
    CHECK(integers(GL_SCISSOR_BOX, 4) == Ints{0, 0, INT32_MAX, INT32_MAX});
}

TEST_CASE("masks") {
    TestContext context;
    glColorMask(GL_FALSE, 2, GL_FALSE, 255);
    CHECK(integers(GL_COLOR_WRITEMASK, 4) == Ints{0, 1, 0, 1});
    GLboolean mask[4] = {7, 7, 7, 7};
    glGetBooleanv(GL_COLOR_WRITEMASK, mask);
    CHECK(mask[0] == GL_FALSE);
    CHECK(mask[1] == GL_TRUE);
    glDepthMask(GL_FALSE);
    CHECK(integer(GL_DEPTH_WRITEMASK) == 0);
    glDepthMask(200);
    CHECK(integer(GL_DEPTH_WRITEMASK) == 1);
}

TEST_CASE("stencil state by face") {
    TestContext context;
    struct Names {
        GLenum func, ref, mask, fail, depthFail, depthPass, writeMask;
    };
    const Names front = {GL_STENCIL_FUNC,
                         GL_STENCIL_REF,
                         GL_STENCIL_VALUE_MASK,
                         GL_STENCIL_FAIL,
                         GL_STENCIL_PASS_DEPTH_FAIL,
                         GL_STENCIL_PASS_DEPTH_PASS,
                         GL_STENCIL_WRITEMASK};
    const Names back = {GL_STENCIL_BACK_FUNC,
                        GL_STENCIL_BACK_REF,
                        GL_STENCIL_BACK_VALUE_MASK,
                        GL_STENCIL_BACK_FAIL,
                        GL_STENCIL_BACK_PASS_DEPTH_FAIL,
                        GL_STENCIL_BACK_PASS_DEPTH_PASS,
                        GL_STENCIL_BACK_WRITEMASK};
    auto state = [](const Names& n) {
        return Ints{integer(n.func),      integer(n.ref),       integer(n.mask),     integer(n.fail),
                    integer(n.depthFail), integer(n.depthPass), integer(n.writeMask)};
    };
    const Ints first = {GL_LESS, 5, 0x31, GL_INCR, GL_DECR, GL_INVERT, 0x17};
    const Ints second = {GL_GREATER, 9, 0x42, GL_ZERO, GL_REPLACE, GL_INCR_WRAP, 0x28};
    auto set = [](GLenum face, const Ints& v) {
        auto e = [&](size_t i) { return static_cast<GLenum>(v[i]); };
        glStencilFuncSeparate(face, e(0), v[1], e(2));
        glStencilOpSeparate(face, e(3), e(4), e(5));
        glStencilMaskSeparate(face, e(6));
    };
    set(GL_FRONT, first);
    set(GL_BACK, second);
    CHECK(state(front) == first);
    CHECK(state(back) == second);
    set(GL_FRONT_AND_BACK, first);
    CHECK(state(front) == first);
    CHECK(state(back) == first);
    glStencilFunc(GL_GREATER, 9, 0x42);
    glStencilOp(GL_ZERO, GL_REPLACE, GL_INCR_WRAP);
    glStencilMask(0x28);
    CHECK(state(front) == second);
    CHECK(state(back) == second);
    glClearStencil(0x55);
    CHECK(integer(GL_STENCIL_CLEAR_VALUE) == 0x55);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("the stencil reference is clamped to the stencil buffer's range") {  // section 4.1.4
    TestContext context;
    glStencilFunc(GL_ALWAYS, 300, ~0u);
    CHECK(integer(GL_STENCIL_REF) == 255);
    CHECK(integer(GL_STENCIL_BACK_REF) == 255);
    glStencilFunc(GL_ALWAYS, -4, ~0u);
    CHECK(integer(GL_STENCIL_REF) == 0);
    CHECK(integer(GL_STENCIL_BACK_REF) == 0);
}

TEST_CASE("blending state") {
    TestContext context;
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_CONSTANT_COLOR, GL_DST_ALPHA);
    CHECK(integer(GL_BLEND_SRC_RGB) == GL_SRC_ALPHA);
    CHECK(integer(GL_BLEND_DST_RGB) == GL_ONE_MINUS_SRC_ALPHA);
    CHECK(integer(GL_BLEND_SRC_ALPHA) == GL_CONSTANT_COLOR);
    CHECK(integer(GL_BLEND_DST_ALPHA) == GL_DST_ALPHA);
    glBlendFunc(GL_DST_COLOR, GL_SRC_COLOR);
    CHECK(integer(GL_BLEND_SRC_ALPHA) == GL_DST_COLOR);
    CHECK(integer(GL_BLEND_DST_ALPHA) == GL_SRC_COLOR);
    glBlendEquationSeparate(GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT);
    CHECK(integer(GL_BLEND_EQUATION_RGB) == GL_FUNC_SUBTRACT);
    CHECK(integer(GL_BLEND_EQUATION_ALPHA) == GL_FUNC_REVERSE_SUBTRACT);
    glBlendEquation(GL_FUNC_SUBTRACT);
    CHECK(integer(GL_BLEND_EQUATION_ALPHA) == GL_FUNC_SUBTRACT);
}

TEST_CASE("modes, hints and pixel storage") {
    TestContext context;
    for (GLenum mode : {GL_FRONT, GL_FRONT_AND_BACK, GL_BACK}) {
        glCullFace(mode);
        CHECK(integer(GL_CULL_FACE_MODE) == static_cast<GLint>(mode));
    }
    glFrontFace(GL_CW);
    CHECK(integer(GL_FRONT_FACE) == GL_CW);
    for (GLenum func = GL_NEVER; func <= GL_ALWAYS; ++func) {
        glDepthFunc(func);
        CHECK(integer(GL_DEPTH_FUNC) == static_cast<GLint>(func));
    }
    for (GLenum mode : {GL_FASTEST, GL_NICEST, GL_DONT_CARE}) {
        glHint(GL_GENERATE_MIPMAP_HINT, mode);
        CHECK(integer(GL_GENERATE_MIPMAP_HINT) == static_cast<GLint>(mode));
    }
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 8);
    CHECK(integer(GL_PACK_ALIGNMENT) == 1);
    CHECK(integer(GL_UNPACK_ALIGNMENT) == 8);
}

TEST_CASE("texture parameters belong to the object, bindings to the unit") {
    TestContext context;
    GLuint textures[2] = {};
    glGenTextures(2, textures);
    glBindTexture(GL_TEXTURE_2D, textures[0]);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    GLint mirrored[] = {GL_MIRRORED_REPEAT};
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, mirrored);
    GLfloat nearest[] = {GL_NEAREST};
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, nearest);
    glActiveTexture(GL_TEXTURE7);
    CHECK(integer(GL_ACTIVE_TEXTURE) == GL_TEXTURE7);
    CHECK(integer(GL_TEXTURE_BINDING_2D) == 0);
    glBindTexture(GL_TEXTURE_2D, textures[1]);
    GLint value = 0;
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, &value);
    CHECK(value == GL_REPEAT);
    glBindTexture(GL_TEXTURE_2D, textures[0]);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, &value);
    CHECK(value == GL_CLAMP_TO_EDGE);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, &value);
    CHECK(value == GL_MIRRORED_REPEAT);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, &value);
    CHECK(value == GL_LINEAR);
    GLfloat real = 0;
    glGetTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, &real);
    CHECK(real == GL_NEAREST);
    glActiveTexture(GL_TEXTURE0);
    CHECK(integer(GL_TEXTURE_BINDING_2D) == static_cast<GLint>(textures[0]));
    CHECK(integer(GL_TEXTURE_BINDING_CUBE_MAP) == 0);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("current vertex attributes fill up with 0, 0, 1") {
    TestContext context;
    const GLfloat v[] = {1.25f, -2.75f, 3.5f, 4.5f};
    auto current = [](GLuint i) {
        Floats value(4);
        glGetVertexAttribfv(i, GL_CURRENT_VERTEX_ATTRIB, value.data());
        return value;
    };
    glVertexAttrib4f(3, 9, 9, 9, 9);
    glVertexAttrib1f(3, v[0]);
    CHECK(current(3) == Floats{v[0], 0, 0, 1});
    glVertexAttrib2f(3, v[0], v[1]);
    CHECK(current(3) == Floats{v[0], v[1], 0, 1});
    glVertexAttrib3f(3, v[0], v[1], v[2]);
    CHECK(current(3) == Floats{v[0], v[1], v[2], 1});
    glVertexAttrib4f(3, v[0], v[1], v[2], v[3]);
    CHECK(current(3) == Floats{v[0], v[1], v[2], v[3]});
    glVertexAttrib1fv(4, v);
    CHECK(current(4) == Floats{v[0], 0, 0, 1});
    glVertexAttrib2fv(4, v);
    CHECK(current(4) == Floats{v[0], v[1], 0, 1});
    glVertexAttrib3fv(4, v);
    CHECK(current(4) == Floats{v[0], v[1], v[2], 1});
    glVertexAttrib4fv(4, v);
    CHECK(current(4) == Floats{v[0], v[1], v[2], v[3]});
    GLint rounded[4] = {};
    glGetVertexAttribiv(4, GL_CURRENT_VERTEX_ATTRIB, rounded);
    CHECK(rounded[0] == 1);
    CHECK(rounded[1] == -3);
}

TEST_CASE("vertex attribute arrays remember pointer and buffer") {
    TestContext context;
    static const GLfloat data[4] = {};
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    auto get = [](GLuint i, GLenum name) {
        GLint value = -7;
        glGetVertexAttribiv(i, name, &value);
        return value;
    };
    glVertexAttribPointer(2, 3, GL_SHORT, GL_TRUE, 44, data);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    CHECK(get(2, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING) == 0);  // bound when the pointer is given, not later
    glVertexAttribPointer(5, 2, GL_UNSIGNED_BYTE, 200, 8, reinterpret_cast<const void*>(16));
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    CHECK(get(2, GL_VERTEX_ATTRIB_ARRAY_SIZE) == 3);
    CHECK(get(2, GL_VERTEX_ATTRIB_ARRAY_TYPE) == GL_SHORT);
    CHECK(get(2, GL_VERTEX_ATTRIB_ARRAY_NORMALIZED) == 1);
    CHECK(get(2, GL_VERTEX_ATTRIB_ARRAY_STRIDE) == 44);
    CHECK(get(5, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING) == static_cast<GLint>(buffer));
    CHECK(get(5, GL_VERTEX_ATTRIB_ARRAY_NORMALIZED) == 1);
    void* pointer = nullptr;
    glGetVertexAttribPointerv(2, GL_VERTEX_ATTRIB_ARRAY_POINTER, &pointer);
    CHECK(pointer == data);
    glGetVertexAttribPointerv(5, GL_VERTEX_ATTRIB_ARRAY_POINTER, &pointer);
    CHECK(pointer == reinterpret_cast<void*>(16));
    CHECK(get(2, GL_VERTEX_ATTRIB_ARRAY_ENABLED) == 0);
    glEnableVertexAttribArray(2);
    CHECK(get(2, GL_VERTEX_ATTRIB_ARRAY_ENABLED) == 1);
    glDisableVertexAttribArray(2);
    CHECK(get(2, GL_VERTEX_ATTRIB_ARRAY_ENABLED) == 0);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("state is kept while the context is not current, and contexts do not see each other's") {
    TestContext first;
    glClearColor(1, 0.5f, 0, 0);
    glEnable(GL_BLEND);
    glViewport(1, 2, 3, 4);
    std::vector<std::string> before = stateSnapshot();
    {
        TestContext second;
        CHECK(glIsEnabled(GL_BLEND) == GL_FALSE);
        CHECK(floats(GL_COLOR_CLEAR_VALUE, 4) == Floats{0, 0, 0, 0});
        glEnable(GL_STENCIL_TEST);
        glEnable(0x12345);  // its error stays with it
        first.makeCurrent();
        CHECK(glGetError() == GL_NO_ERROR);
        second.makeCurrent();
        CHECK(glGetError() == GL_INVALID_ENUM);
    }
    first.makeCurrent();
    CHECK(stateSnapshot() == before);
}

TEST_CASE("null pointers where a query writes are survived") {
    TestContext context;
    GLuint program = glCreateProgram(), shader = glCreateShader(GL_VERTEX_SHADER);
    glGetIntegerv(GL_VIEWPORT, nullptr);
    glGetFloatv(GL_VIEWPORT, nullptr);
    glGetBooleanv(GL_VIEWPORT, nullptr);
    glGetShaderiv(shader, GL_SHADER_TYPE, nullptr);
    glGetProgramiv(program, GL_LINK_STATUS, nullptr);
    glGetShaderInfoLog(shader, 10, nullptr, nullptr);
    glGetShaderSource(shader, 10, nullptr, nullptr);
    glGetProgramInfoLog(program, 10, nullptr, nullptr);
    glGetAttachedShaders(program, 4, nullptr, nullptr);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, nullptr);
    glGetTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, nullptr);
    glGetVertexAttribiv(0, GL_CURRENT_VERTEX_ATTRIB, nullptr);
    glGetVertexAttribfv(0, GL_CURRENT_VERTEX_ATTRIB, nullptr);
    glGetVertexAttribPointerv(0, GL_VERTEX_ATTRIB_ARRAY_POINTER, nullptr);
    glGetShaderPrecisionFormat(GL_VERTEX_SHADER, GL_HIGH_FLOAT, nullptr, nullptr);
    glGenBuffers(2, nullptr);
    glDeleteBuffers(2, nullptr);
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, nullptr);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, nullptr);
    glVertexAttrib4fv(0, nullptr);
    glShaderSource(shader, 3, nullptr, nullptr);
    const char* const strings[] = {nullptr, "void main() {}"};
    glShaderSource(shader, 2, strings, nullptr);
    glReadPixels(0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glGetError() == GL_NO_ERROR);
}
