// Errors of fixed-function state, capabilities, hints, queries of state and strings (sections 2.5, 2.12, 3, 4, 6.1).
#include "tests/gles/api_test.h"

namespace {

constexpr GLenum kNoEnum = 0x12345;

}  // namespace

ERROR_TEST(glGetError) {
    CHECK(glGetError() == GL_NO_ERROR);
    glEnable(kNoEnum);
    glViewport(0, 0, -1, -1);
    CHECK(glGetError() == GL_INVALID_ENUM);
    CHECK(glGetError() == GL_NO_ERROR);
}

ERROR_TEST(glEnable, GL_INVALID_ENUM) {
    for (GLenum cap : {kNoEnum, GLenum{GL_TEXTURE_2D}, GLenum{GL_DEPTH_FUNC}, GLenum{0}})
        t.error(GL_INVALID_ENUM, [=] { glEnable(cap); });
    for (GLenum cap : {GL_BLEND, GL_CULL_FACE, GL_DEPTH_TEST, GL_DITHER, GL_POLYGON_OFFSET_FILL,
                       GL_SAMPLE_ALPHA_TO_COVERAGE, GL_SAMPLE_COVERAGE, GL_SCISSOR_TEST, GL_STENCIL_TEST})
        t.fine([=] { glEnable(cap); });
}

ERROR_TEST(glDisable, GL_INVALID_ENUM) {
    for (GLenum cap : {kNoEnum, GLenum{GL_TEXTURE_2D}, GLenum{GL_LINE_WIDTH}})
        t.error(GL_INVALID_ENUM, [=] { glDisable(cap); });
    t.fine([] { glDisable(GL_DITHER); });
}

ERROR_TEST(glIsEnabled, GL_INVALID_ENUM) {
    for (GLenum cap : {kNoEnum, GLenum{GL_TEXTURE_CUBE_MAP}})
        t.error(GL_INVALID_ENUM, [=] { CHECK(glIsEnabled(cap) == GL_FALSE); });
    t.fine([] { CHECK(glIsEnabled(GL_DITHER) == GL_TRUE); });
}

ERROR_TEST(glBlendColor) {
    t.fine([] { glBlendColor(-1, 2, 0.5f, 1e30f); });
}

ERROR_TEST(glBlendEquation, GL_INVALID_ENUM) {
    for (GLenum mode : {kNoEnum, GLenum{0}, GLenum{GL_ONE}}) t.error(GL_INVALID_ENUM, [=] { glBlendEquation(mode); });
    for (GLenum mode : {GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT})
        t.fine([=] { glBlendEquation(mode); });
}

ERROR_TEST(glBlendEquationSeparate, GL_INVALID_ENUM) {
    t.error(GL_INVALID_ENUM, [] { glBlendEquationSeparate(kNoEnum, GL_FUNC_SUBTRACT); });
    t.error(GL_INVALID_ENUM, [] { glBlendEquationSeparate(GL_FUNC_SUBTRACT, kNoEnum); });
    t.fine([] { glBlendEquationSeparate(GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT); });
}

ERROR_TEST(glBlendFunc, GL_INVALID_ENUM) {
    t.error(GL_INVALID_ENUM, [] { glBlendFunc(kNoEnum, GL_ZERO); });
    t.error(GL_INVALID_ENUM, [] { glBlendFunc(GL_ZERO, kNoEnum); });
    // Table 4.2: saturation is a source factor only.
    t.fine([] { glBlendFunc(GL_ONE, GL_SRC_ALPHA_SATURATE); });  // EXT_blend_func_extended
    t.fine([] { glBlendFunc(GL_SRC_ALPHA_SATURATE, GL_ONE); });
}

ERROR_TEST(glBlendFuncSeparate, GL_INVALID_ENUM) {
    const GLenum good[] = {GL_ZERO,           GL_ONE,
                           GL_SRC_COLOR,      GL_ONE_MINUS_SRC_COLOR,
                           GL_DST_COLOR,      GL_ONE_MINUS_DST_COLOR,
                           GL_SRC_ALPHA,      GL_ONE_MINUS_SRC_ALPHA,
                           GL_DST_ALPHA,      GL_ONE_MINUS_DST_ALPHA,
                           GL_CONSTANT_COLOR, GL_ONE_MINUS_CONSTANT_COLOR,
                           GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA};
    for (GLenum factor : good) t.fine([=] { glBlendFuncSeparate(factor, factor, factor, factor); });
    t.fine([] { glBlendFuncSeparate(GL_SRC_ALPHA_SATURATE, GL_ONE, GL_SRC_ALPHA_SATURATE, GL_ONE); });
    t.error(GL_INVALID_ENUM, [] { glBlendFuncSeparate(kNoEnum, GL_ONE, GL_ONE, GL_ONE); });
    t.error(GL_INVALID_ENUM, [] { glBlendFuncSeparate(GL_ONE, kNoEnum, GL_ONE, GL_ONE); });
    t.error(GL_INVALID_ENUM, [] { glBlendFuncSeparate(GL_ONE, GL_ONE, kNoEnum, GL_ONE); });
    t.error(GL_INVALID_ENUM, [] { glBlendFuncSeparate(GL_ONE, GL_ONE, GL_ONE, kNoEnum); });
    t.fine([] { glBlendFuncSeparate(GL_ONE, GL_SRC_ALPHA_SATURATE, GL_ONE, GL_SRC_ALPHA_SATURATE); });
}

ERROR_TEST(glClearColor) {
    t.fine([] { glClearColor(-1, 2, 0.5f, 1e30f); });
}

ERROR_TEST(glClearDepthf) {
    t.fine([] { glClearDepthf(-7); });
}

ERROR_TEST(glClearStencil) {
    t.fine([] { glClearStencil(-7); });
}

ERROR_TEST(glColorMask) {
    t.fine([] { glColorMask(GL_TRUE, GL_FALSE, 2, 255); });
}

ERROR_TEST(glCullFace, GL_INVALID_ENUM) {
    t.error(GL_INVALID_ENUM, [] { glCullFace(kNoEnum); });
    t.error(GL_INVALID_ENUM, [] { glCullFace(GL_CCW); });
    for (GLenum mode : {GL_FRONT, GL_FRONT_AND_BACK, GL_BACK}) t.fine([=] { glCullFace(mode); });
}

ERROR_TEST(glDepthFunc, GL_INVALID_ENUM) {
    t.error(GL_INVALID_ENUM, [] { glDepthFunc(kNoEnum); });
    t.error(GL_INVALID_ENUM, [] { glDepthFunc(GL_NEVER - 1); });
    t.error(GL_INVALID_ENUM, [] { glDepthFunc(GL_ALWAYS + 1); });
    for (GLenum func = GL_NEVER; func <= GL_ALWAYS; ++func) t.fine([=] { glDepthFunc(func); });
}

ERROR_TEST(glDepthMask) {
    t.fine([] { glDepthMask(7); });
}

ERROR_TEST(glDepthRangef) {
    t.fine([] { glDepthRangef(2, -1); });
}

ERROR_TEST(glFrontFace, GL_INVALID_ENUM) {
    t.error(GL_INVALID_ENUM, [] { glFrontFace(kNoEnum); });
    t.error(GL_INVALID_ENUM, [] { glFrontFace(GL_FRONT); });
    for (GLenum mode : {GL_CW, GL_CCW}) t.fine([=] { glFrontFace(mode); });
}

ERROR_TEST(glHint, GL_INVALID_ENUM) {
    t.error(GL_INVALID_ENUM, [] { glHint(kNoEnum, GL_NICEST); });
    t.error(GL_INVALID_ENUM, [] { glHint(GL_GENERATE_MIPMAP_HINT, kNoEnum); });
    for (GLenum mode : {GL_FASTEST, GL_NICEST, GL_DONT_CARE}) t.fine([=] { glHint(GL_GENERATE_MIPMAP_HINT, mode); });
}

ERROR_TEST(glLineWidth, GL_INVALID_VALUE) {
    t.error(GL_INVALID_VALUE, [] { glLineWidth(0); });
    t.error(GL_INVALID_VALUE, [] { glLineWidth(-1); });
    t.fine([] { glLineWidth(0.25f); });
    t.fine([] { glLineWidth(100000); });
}

ERROR_TEST(glPixelStorei, GL_INVALID_ENUM, GL_INVALID_VALUE) {
    t.error(GL_INVALID_ENUM, [] { glPixelStorei(kNoEnum, 4); });
    for (GLint alignment : {0, -1, 3, 5, 7, 16})
        for (GLenum pname : {GL_PACK_ALIGNMENT, GL_UNPACK_ALIGNMENT})
            t.error(GL_INVALID_VALUE, [=] { glPixelStorei(pname, alignment); });
    for (GLint alignment : {1, 2, 4, 8})
        for (GLenum pname : {GL_PACK_ALIGNMENT, GL_UNPACK_ALIGNMENT}) t.fine([=] { glPixelStorei(pname, alignment); });
}

ERROR_TEST(glPolygonOffset) {
    t.fine([] { glPolygonOffset(-1e30f, 1e30f); });
}

ERROR_TEST(glSampleCoverage) {
    t.fine([] { glSampleCoverage(-2, 7); });
}

ERROR_TEST(glScissor, GL_INVALID_VALUE) {
    t.error(GL_INVALID_VALUE, [] { glScissor(1, 2, -1, 3); });
    t.error(GL_INVALID_VALUE, [] { glScissor(1, 2, 3, -1); });
    t.fine([] { glScissor(-5, -6, 0, 0); });
    t.fine([] { glScissor(INT32_MAX, INT32_MIN, INT32_MAX, INT32_MAX); });
}

ERROR_TEST(glViewport, GL_INVALID_VALUE) {
    t.error(GL_INVALID_VALUE, [] { glViewport(1, 2, -1, 3); });
    t.error(GL_INVALID_VALUE, [] { glViewport(1, 2, 3, -1); });
    t.fine([] { glViewport(-5, -6, 0, 0); });
    t.fine([] { glViewport(INT32_MAX, INT32_MIN, INT32_MAX, INT32_MAX); });
}

ERROR_TEST(glStencilFunc, GL_INVALID_ENUM) {
    t.error(GL_INVALID_ENUM, [] { glStencilFunc(kNoEnum, 1, 2); });
    for (GLenum func = GL_NEVER; func <= GL_ALWAYS; ++func) t.fine([=] { glStencilFunc(func, -1, 0); });
}

ERROR_TEST(glStencilFuncSeparate, GL_INVALID_ENUM) {
    t.error(GL_INVALID_ENUM, [] { glStencilFuncSeparate(kNoEnum, GL_LESS, 1, 2); });
    t.error(GL_INVALID_ENUM, [] { glStencilFuncSeparate(GL_FRONT, kNoEnum, 1, 2); });
    for (GLenum face : {GL_FRONT, GL_BACK, GL_FRONT_AND_BACK})
        t.fine([=] { glStencilFuncSeparate(face, GL_LESS, 1, 2); });
}

ERROR_TEST(glStencilMask) {
    t.fine([] { glStencilMask(0x5A5A5A5A); });
}

ERROR_TEST(glStencilMaskSeparate, GL_INVALID_ENUM) {
    t.error(GL_INVALID_ENUM, [] { glStencilMaskSeparate(kNoEnum, 2); });
    for (GLenum face : {GL_FRONT, GL_BACK, GL_FRONT_AND_BACK}) t.fine([=] { glStencilMaskSeparate(face, 1); });
}

ERROR_TEST(glStencilOp, GL_INVALID_ENUM) {
    t.error(GL_INVALID_ENUM, [] { glStencilOp(kNoEnum, GL_INCR, GL_INCR); });
    t.error(GL_INVALID_ENUM, [] { glStencilOp(GL_INCR, kNoEnum, GL_INCR); });
    t.error(GL_INVALID_ENUM, [] { glStencilOp(GL_INCR, GL_INCR, kNoEnum); });
    for (GLenum op : {GL_KEEP, GL_ZERO, GL_REPLACE, GL_INCR, GL_DECR, GL_INVERT, GL_INCR_WRAP, GL_DECR_WRAP})
        t.fine([=] { glStencilOp(op, op, op); });
}

ERROR_TEST(glStencilOpSeparate, GL_INVALID_ENUM) {
    t.error(GL_INVALID_ENUM, [] { glStencilOpSeparate(kNoEnum, GL_INCR, GL_INCR, GL_INCR); });
    t.error(GL_INVALID_ENUM, [] { glStencilOpSeparate(GL_BACK, kNoEnum, GL_INCR, GL_INCR); });
    t.error(GL_INVALID_ENUM, [] { glStencilOpSeparate(GL_BACK, GL_INCR, kNoEnum, GL_INCR); });
    t.error(GL_INVALID_ENUM, [] { glStencilOpSeparate(GL_BACK, GL_INCR, GL_INCR, kNoEnum); });
    for (GLenum face : {GL_FRONT, GL_BACK, GL_FRONT_AND_BACK})
        t.fine([=] { glStencilOpSeparate(face, GL_INCR, GL_DECR, GL_INVERT); });
}

ERROR_TEST(glGetBooleanv, GL_INVALID_ENUM) {
    GLboolean value[4] = {7, 7, 7, 7};
    t.error(GL_INVALID_ENUM, [&] { glGetBooleanv(kNoEnum, value); });
    t.error(GL_INVALID_ENUM, [&] { glGetBooleanv(GL_NO_ERROR, value); });
    CHECK(value[0] == 7);
    t.fine([&] { glGetBooleanv(GL_DEPTH_TEST, value); });
}

ERROR_TEST(glGetIntegerv, GL_INVALID_ENUM) {
    GLint value[4] = {7, 7, 7, 7};
    t.error(GL_INVALID_ENUM, [&] { glGetIntegerv(kNoEnum, value); });
    t.error(GL_INVALID_ENUM, [&] { glGetIntegerv(GL_TEXTURE_2D, value); });
    CHECK(value[0] == 7);
    t.fine([&] { glGetIntegerv(GL_DEPTH_TEST, value); });
}

ERROR_TEST(glGetFloatv, GL_INVALID_ENUM) {
    GLfloat value[4] = {7, 7, 7, 7};
    t.error(GL_INVALID_ENUM, [&] { glGetFloatv(kNoEnum, value); });
    CHECK(value[0] == 7);
    t.fine([&] { glGetFloatv(GL_DEPTH_TEST, value); });
}

ERROR_TEST(glGetString, GL_INVALID_ENUM) {
    t.error(GL_INVALID_ENUM, [] { CHECK(glGetString(kNoEnum) == nullptr); });
    for (GLenum name : {GL_VENDOR, GL_RENDERER, GL_VERSION, GL_SHADING_LANGUAGE_VERSION, GL_EXTENSIONS})
        t.fine([=] { CHECK(glGetString(name) != nullptr); });
}

ERROR_TEST(glFlush) {
    t.fine([] { glFlush(); });
}

ERROR_TEST(glFinish) {
    t.fine([] { glFinish(); });
}
