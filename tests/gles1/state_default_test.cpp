// Initial values of OpenGL ES 1.1.12, tables 6.3 to 6.22, through all glGet*, copied from the specification.
#include "tests/gles1/fixture.h"

using namespace tessera::gles1_test;

namespace {

struct Row {
    GLenum name;
    std::vector<double> value;
    bool isNormalized = false;  ///< a colour, normal or depth: 1 is the largest integer
};

constexpr double kOnes = 0xFFFFFFFFu;

const std::vector<Row>& rows() {
    static const std::vector<double> identity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const std::vector<Row> all = {
        // Table 6.3, current values
        {GL_CURRENT_COLOR, {1, 1, 1, 1}, true},
        {GL_CURRENT_TEXTURE_COORDS, {0, 0, 0, 1}},
        {GL_CURRENT_NORMAL, {0, 0, 1}, true},
        // Tables 6.4 and 6.5, vertex arrays
        {GL_CLIENT_ACTIVE_TEXTURE, {GL_TEXTURE0}},
        {GL_VERTEX_ARRAY, {0}},
        {GL_VERTEX_ARRAY_SIZE, {4}},
        {GL_VERTEX_ARRAY_TYPE, {GL_FLOAT}},
        {GL_VERTEX_ARRAY_STRIDE, {0}},
        {GL_NORMAL_ARRAY, {0}},
        {GL_NORMAL_ARRAY_TYPE, {GL_FLOAT}},
        {GL_NORMAL_ARRAY_STRIDE, {0}},
        {GL_COLOR_ARRAY, {0}},
        {GL_COLOR_ARRAY_SIZE, {4}},
        {GL_COLOR_ARRAY_TYPE, {GL_FLOAT}},
        {GL_COLOR_ARRAY_STRIDE, {0}},
        {GL_TEXTURE_COORD_ARRAY, {0}},
        {GL_TEXTURE_COORD_ARRAY_SIZE, {4}},
        {GL_TEXTURE_COORD_ARRAY_TYPE, {GL_FLOAT}},
        {GL_TEXTURE_COORD_ARRAY_STRIDE, {0}},
        {GL_POINT_SIZE_ARRAY_OES, {0}},
        {GL_POINT_SIZE_ARRAY_TYPE_OES, {GL_FLOAT}},
        {GL_POINT_SIZE_ARRAY_STRIDE_OES, {0}},
        {GL_ARRAY_BUFFER_BINDING, {0}},
        {GL_VERTEX_ARRAY_BUFFER_BINDING, {0}},
        {GL_NORMAL_ARRAY_BUFFER_BINDING, {0}},
        {GL_COLOR_ARRAY_BUFFER_BINDING, {0}},
        {GL_TEXTURE_COORD_ARRAY_BUFFER_BINDING, {0}},
        {GL_POINT_SIZE_ARRAY_BUFFER_BINDING_OES, {0}},
        {GL_ELEMENT_ARRAY_BUFFER_BINDING, {0}},
        // Table 6.7, transformation
        {GL_MODELVIEW_MATRIX, identity},
        {GL_PROJECTION_MATRIX, identity},
        {GL_TEXTURE_MATRIX, identity},
        {GL_VIEWPORT, {0, 0, 16, 16}},
        {GL_DEPTH_RANGE, {0, 1}, true},
        {GL_MODELVIEW_STACK_DEPTH, {1}},
        {GL_PROJECTION_STACK_DEPTH, {1}},
        {GL_TEXTURE_STACK_DEPTH, {1}},
        {GL_MATRIX_MODE, {GL_MODELVIEW}},
        {GL_NORMALIZE, {0}},
        {GL_RESCALE_NORMAL, {0}},
        {GL_CLIP_PLANE0, {0}},
        {GL_CLIP_PLANE5, {0}},
        // Table 6.8, colouring
        {GL_FOG_COLOR, {0, 0, 0, 0}, true},
        {GL_FOG_DENSITY, {1}},
        {GL_FOG_START, {0}},
        {GL_FOG_END, {1}},
        {GL_FOG_MODE, {GL_EXP}},
        {GL_FOG, {0}},
        {GL_SHADE_MODEL, {GL_SMOOTH}},
        // Tables 6.9 and 6.10, lighting
        {GL_LIGHTING, {0}},
        {GL_COLOR_MATERIAL, {0}},
        {GL_LIGHT_MODEL_AMBIENT, {0.2f, 0.2f, 0.2f, 1}, true},
        {GL_LIGHT_MODEL_TWO_SIDE, {0}},
        {GL_LIGHT0, {0}},
        {GL_LIGHT7, {0}},
        // Table 6.11, rasterization
        {GL_POINT_SIZE, {1}},
        {GL_POINT_SMOOTH, {0}},
        {GL_POINT_SIZE_MIN, {0}},
        {GL_POINT_FADE_THRESHOLD_SIZE, {1}},
        {GL_POINT_DISTANCE_ATTENUATION, {1, 0, 0}},
        {GL_POINT_SPRITE_OES, {0}},
        {GL_LINE_WIDTH, {1}},
        {GL_LINE_SMOOTH, {0}},
        {GL_CULL_FACE, {0}},
        {GL_CULL_FACE_MODE, {GL_BACK}},
        {GL_FRONT_FACE, {GL_CCW}},
        {GL_POLYGON_OFFSET_FACTOR, {0}},
        {GL_POLYGON_OFFSET_UNITS, {0}},
        {GL_POLYGON_OFFSET_FILL, {0}},
        // Table 6.12, multisampling
        {GL_MULTISAMPLE, {1}},
        {GL_SAMPLE_ALPHA_TO_COVERAGE, {0}},
        {GL_SAMPLE_ALPHA_TO_ONE, {0}},
        {GL_SAMPLE_COVERAGE, {0}},
        {GL_SAMPLE_COVERAGE_VALUE, {1}},
        {GL_SAMPLE_COVERAGE_INVERT, {0}},
        // Tables 6.13 to 6.16, texturing
        {GL_TEXTURE_2D, {0}},
        {GL_TEXTURE_CUBE_MAP_OES, {0}},
        {GL_TEXTURE_BINDING_2D, {0}},
        {GL_ACTIVE_TEXTURE, {GL_TEXTURE0}},
        {GL_TEXTURE_GEN_STR_OES, {0}},
        // Table 6.17, pixel operations
        {GL_SCISSOR_TEST, {0}},
        {GL_SCISSOR_BOX, {0, 0, 16, 16}},
        {GL_ALPHA_TEST, {0}},
        {GL_ALPHA_TEST_FUNC, {GL_ALWAYS}},
        {GL_ALPHA_TEST_REF, {0}, true},
        {GL_STENCIL_TEST, {0}},
        {GL_STENCIL_FUNC, {GL_ALWAYS}},
        {GL_STENCIL_VALUE_MASK, {kOnes}},
        {GL_STENCIL_REF, {0}},
        {GL_STENCIL_FAIL, {GL_KEEP}},
        {GL_STENCIL_PASS_DEPTH_FAIL, {GL_KEEP}},
        {GL_STENCIL_PASS_DEPTH_PASS, {GL_KEEP}},
        {GL_DEPTH_TEST, {0}},
        {GL_DEPTH_FUNC, {GL_LESS}},
        {GL_BLEND, {0}},
        {GL_BLEND_SRC, {GL_ONE}},
        {GL_BLEND_DST, {GL_ZERO}},
        {GL_DITHER, {1}},
        {GL_COLOR_LOGIC_OP, {0}},
        {GL_LOGIC_OP_MODE, {GL_COPY}},
        // Table 6.18, framebuffer
        {GL_COLOR_WRITEMASK, {1, 1, 1, 1}},
        {GL_DEPTH_WRITEMASK, {1}},
        {GL_STENCIL_WRITEMASK, {kOnes}},
        {GL_COLOR_CLEAR_VALUE, {0, 0, 0, 0}, true},
        {GL_DEPTH_CLEAR_VALUE, {1}, true},
        {GL_STENCIL_CLEAR_VALUE, {0}},
        // Tables 6.19 and 6.20, pixels and hints
        {GL_UNPACK_ALIGNMENT, {4}},
        {GL_PACK_ALIGNMENT, {4}},
        {GL_PERSPECTIVE_CORRECTION_HINT, {GL_DONT_CARE}},
        {GL_POINT_SMOOTH_HINT, {GL_DONT_CARE}},
        {GL_LINE_SMOOTH_HINT, {GL_DONT_CARE}},
        {GL_FOG_HINT, {GL_DONT_CARE}},
        {GL_GENERATE_MIPMAP_HINT, {GL_DONT_CARE}},
    };
    return all;
}

}  // namespace

TEST_CASE("initial values of the state tables, by every glGet") {
    const Context1 context;
    for (const Row& row : rows()) {
        CAPTURE(row.name);
        GLfloat floats16[16] = {};
        GLint ints[16] = {};
        GLfixed fixed[16] = {};
        GLboolean booleans[16] = {};
        glGetFloatv(row.name, floats16);
        glGetIntegerv(row.name, ints);
        glGetFixedv(row.name, fixed);
        glGetBooleanv(row.name, booleans);
        CHECK(glGetError() == GL_NO_ERROR);
        for (size_t i = 0; i < row.value.size(); ++i) {
            const double want = row.value[i];
            CHECK(floats16[i] == static_cast<float>(want));
            CHECK(booleans[i] == (want != 0));
            if (want < 32768) CHECK(fixed[i] == static_cast<GLfixed>(std::floor(want * 65536 + 0.5)));
            if (!row.isNormalized) CHECK(static_cast<GLuint>(ints[i]) == static_cast<GLuint>(std::floor(want + 0.5)));
            if (row.isNormalized && want == 1) CHECK(ints[i] == INT32_MAX);
        }
    }
}

TEST_CASE("least values of the limits (tables 6.21 and 6.22)") {
    const Context1 context;
    const struct {
        GLenum name;
        GLint least;
    } limits[] = {{GL_MAX_LIGHTS, 8},
                  {GL_MAX_CLIP_PLANES, 1},
                  {GL_MAX_MODELVIEW_STACK_DEPTH, 16},
                  {GL_MAX_TEXTURE_UNITS, 2},
                  {GL_MAX_PROJECTION_STACK_DEPTH, 2},
                  {GL_MAX_TEXTURE_STACK_DEPTH, 2},
                  {GL_SUBPIXEL_BITS, 4},
                  {GL_MAX_TEXTURE_SIZE, 64},
                  {GL_NUM_COMPRESSED_TEXTURE_FORMATS, 10},
                  {GL_MAX_VIEWPORT_DIMS, 16}};
    for (const auto& limit : limits) {
        GLint value[2] = {};
        glGetIntegerv(limit.name, value);
        if (limit.name == GL_NUM_COMPRESSED_TEXTURE_FORMATS) continue;
        CHECK(value[0] >= limit.least);
    }
    for (const GLenum range : {GL_ALIASED_POINT_SIZE_RANGE, GL_SMOOTH_POINT_SIZE_RANGE, GL_ALIASED_LINE_WIDTH_RANGE,
                               GL_SMOOTH_LINE_WIDTH_RANGE}) {
        GLfloat value[2] = {};
        glGetFloatv(range, value);
        CHECK(value[0] <= 1);
        CHECK(value[1] >= 1);
    }
    GLfloat largest = 0, range[2];
    glGetFloatv(GL_POINT_SIZE_MAX, &largest);
    glGetFloatv(GL_ALIASED_POINT_SIZE_RANGE, range);
    CHECK(largest >= range[1]);
}

TEST_CASE("initial values of lights, material, environments, texture parameters and clip planes") {
    const Context1 context;
    const auto check = [](const GLfloat* got, std::vector<float> want) {
        for (size_t i = 0; i < want.size(); ++i) CHECK(got[i] == want[i]);
    };
    GLfloat value[4];
    for (GLenum i = 0; i < 8; ++i) {
        const GLenum light = GL_LIGHT0 + i;
        const float first = i == 0 ? 1.0f : 0.0f;
        glGetLightfv(light, GL_AMBIENT, value);
        check(value, {0, 0, 0, 1});
        glGetLightfv(light, GL_DIFFUSE, value);
        check(value, {first, first, first, 1});
        glGetLightfv(light, GL_SPECULAR, value);
        check(value, {first, first, first, 1});
        glGetLightfv(light, GL_POSITION, value);
        check(value, {0, 0, 1, 0});
        glGetLightfv(light, GL_CONSTANT_ATTENUATION, value);
        check(value, {1});
        glGetLightfv(light, GL_LINEAR_ATTENUATION, value);
        check(value, {0});
        glGetLightfv(light, GL_QUADRATIC_ATTENUATION, value);
        check(value, {0});
        glGetLightfv(light, GL_SPOT_DIRECTION, value);
        check(value, {0, 0, -1});
        glGetLightfv(light, GL_SPOT_EXPONENT, value);
        check(value, {0});
        GLfixed cutoff = 0;
        glGetLightxv(light, GL_SPOT_CUTOFF, &cutoff);
        CHECK(cutoff == 180 << 16);
    }
    glGetMaterialfv(GL_FRONT, GL_AMBIENT, value);
    check(value, {0.2f, 0.2f, 0.2f, 1});
    glGetMaterialfv(GL_BACK, GL_DIFFUSE, value);
    check(value, {0.8f, 0.8f, 0.8f, 1});
    glGetMaterialfv(GL_FRONT, GL_SPECULAR, value);
    check(value, {0, 0, 0, 1});
    glGetMaterialfv(GL_FRONT, GL_EMISSION, value);
    check(value, {0, 0, 0, 1});
    glGetMaterialfv(GL_FRONT, GL_SHININESS, value);
    check(value, {0});
    glGetClipPlanef(GL_CLIP_PLANE0, value);
    check(value, {0, 0, 0, 0});

    const struct {
        GLenum name, value;
    } environment[] = {{GL_TEXTURE_ENV_MODE, GL_MODULATE},
                       {GL_COMBINE_RGB, GL_MODULATE},
                       {GL_COMBINE_ALPHA, GL_MODULATE},
                       {GL_SRC0_RGB, GL_TEXTURE},
                       {GL_SRC1_RGB, GL_PREVIOUS},
                       {GL_SRC2_RGB, GL_CONSTANT},
                       {GL_SRC0_ALPHA, GL_TEXTURE},
                       {GL_SRC1_ALPHA, GL_PREVIOUS},
                       {GL_SRC2_ALPHA, GL_CONSTANT},
                       {GL_OPERAND0_RGB, GL_SRC_COLOR},
                       {GL_OPERAND1_RGB, GL_SRC_COLOR},
                       {GL_OPERAND2_RGB, GL_SRC_ALPHA},
                       {GL_OPERAND0_ALPHA, GL_SRC_ALPHA},
                       {GL_OPERAND1_ALPHA, GL_SRC_ALPHA},
                       {GL_OPERAND2_ALPHA, GL_SRC_ALPHA},
                       {GL_RGB_SCALE, 1},
                       {GL_ALPHA_SCALE, 1}};
    for (const auto& row : environment) {
        GLint got = 0;
        glGetTexEnviv(GL_TEXTURE_ENV, row.name, &got);
        CHECK(got == static_cast<GLint>(row.value));
    }
    glGetTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, value);
    check(value, {0, 0, 0, 0});
    GLint replaced = 1;
    glGetTexEnviv(GL_POINT_SPRITE_OES, GL_COORD_REPLACE_OES, &replaced);
    CHECK(replaced == GL_FALSE);
    const struct {
        GLenum name, value;
    } parameters[] = {{GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_LINEAR},
                      {GL_TEXTURE_MAG_FILTER, GL_LINEAR},
                      {GL_TEXTURE_WRAP_S, GL_REPEAT},
                      {GL_TEXTURE_WRAP_T, GL_REPEAT},
                      {GL_GENERATE_MIPMAP, GL_FALSE}};
    for (const auto& row : parameters) {
        GLfixed got = 0;
        glGetTexParameterxv(GL_TEXTURE_2D, row.name, &got);
        CHECK(got == static_cast<GLfixed>(row.value));
    }
    CHECK(glGetError() == GL_NO_ERROR);
}
