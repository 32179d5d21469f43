// Initial values of all state, tables 6.2 to 6.20 of the specification, through the three glGet* of section 6.1.2.
#include <cmath>
#include <cstring>

#include "tests/gles/api_test.h"

using namespace tessera::gles_test;

namespace {

enum class Kind { Boolean, Integer, Float, Normalized };  // Normalized: colours and depths

struct Row {
    GLenum name;
    Kind kind;
    std::vector<double> value;
};

// Contexts here have a drawable of 24 x 20 pixels with 8 bits in each channel, 24 of depth and 8 of stencil.
constexpr double kWidth = 24, kHeight = 20;

const std::vector<Row>& contextState() {
    static const std::vector<Row> rows = {
        // Table 6.2, vertex array data
        {GL_ARRAY_BUFFER_BINDING, Kind::Integer, {0}},
        {GL_ELEMENT_ARRAY_BUFFER_BINDING, Kind::Integer, {0}},
        // Table 6.4, transformation
        {GL_VIEWPORT, Kind::Integer, {0, 0, kWidth, kHeight}},
        {GL_DEPTH_RANGE, Kind::Normalized, {0, 1}},
        // Table 6.5, rasterization
        {GL_LINE_WIDTH, Kind::Float, {1}},
        {GL_CULL_FACE, Kind::Boolean, {0}},
        {GL_CULL_FACE_MODE, Kind::Integer, {GL_BACK}},
        {GL_FRONT_FACE, Kind::Integer, {GL_CCW}},
        {GL_POLYGON_OFFSET_FACTOR, Kind::Float, {0}},
        {GL_POLYGON_OFFSET_UNITS, Kind::Float, {0}},
        {GL_POLYGON_OFFSET_FILL, Kind::Boolean, {0}},
        // Table 6.6, multisampling
        {GL_SAMPLE_ALPHA_TO_COVERAGE, Kind::Boolean, {0}},
        {GL_SAMPLE_COVERAGE, Kind::Boolean, {0}},
        {GL_SAMPLE_COVERAGE_VALUE, Kind::Float, {1}},
        {GL_SAMPLE_COVERAGE_INVERT, Kind::Boolean, {0}},
        // Tables 6.7 and 6.8, textures
        {GL_TEXTURE_BINDING_2D, Kind::Integer, {0}},
        {GL_TEXTURE_BINDING_CUBE_MAP, Kind::Integer, {0}},
        {GL_ACTIVE_TEXTURE, Kind::Integer, {GL_TEXTURE0}},
        // Tables 6.9 and 6.10, pixel operations
        {GL_SCISSOR_TEST, Kind::Boolean, {0}},
        {GL_SCISSOR_BOX, Kind::Integer, {0, 0, kWidth, kHeight}},
        {GL_STENCIL_TEST, Kind::Boolean, {0}},
        {GL_STENCIL_FUNC, Kind::Integer, {GL_ALWAYS}},
        {GL_STENCIL_REF, Kind::Integer, {0}},
        {GL_STENCIL_FAIL, Kind::Integer, {GL_KEEP}},
        {GL_STENCIL_PASS_DEPTH_FAIL, Kind::Integer, {GL_KEEP}},
        {GL_STENCIL_PASS_DEPTH_PASS, Kind::Integer, {GL_KEEP}},
        {GL_STENCIL_BACK_FUNC, Kind::Integer, {GL_ALWAYS}},
        {GL_STENCIL_BACK_REF, Kind::Integer, {0}},
        {GL_STENCIL_BACK_FAIL, Kind::Integer, {GL_KEEP}},
        {GL_STENCIL_BACK_PASS_DEPTH_FAIL, Kind::Integer, {GL_KEEP}},
        {GL_STENCIL_BACK_PASS_DEPTH_PASS, Kind::Integer, {GL_KEEP}},
        {GL_DEPTH_TEST, Kind::Boolean, {0}},
        {GL_DEPTH_FUNC, Kind::Integer, {GL_LESS}},
        {GL_BLEND, Kind::Boolean, {0}},
        {GL_BLEND_SRC_RGB, Kind::Integer, {GL_ONE}},
        {GL_BLEND_SRC_ALPHA, Kind::Integer, {GL_ONE}},
        {GL_BLEND_DST_RGB, Kind::Integer, {GL_ZERO}},
        {GL_BLEND_DST_ALPHA, Kind::Integer, {GL_ZERO}},
        {GL_BLEND_EQUATION, Kind::Integer, {GL_FUNC_ADD}},
        {GL_BLEND_EQUATION_RGB, Kind::Integer, {GL_FUNC_ADD}},
        {GL_BLEND_EQUATION_ALPHA, Kind::Integer, {GL_FUNC_ADD}},
        {GL_BLEND_COLOR, Kind::Normalized, {0, 0, 0, 0}},
        {GL_DITHER, Kind::Boolean, {1}},
        // Table 6.11, framebuffer control
        {GL_COLOR_WRITEMASK, Kind::Boolean, {1, 1, 1, 1}},
        {GL_DEPTH_WRITEMASK, Kind::Boolean, {1}},
        {GL_COLOR_CLEAR_VALUE, Kind::Normalized, {0, 0, 0, 0}},
        {GL_DEPTH_CLEAR_VALUE, Kind::Normalized, {1}},
        {GL_STENCIL_CLEAR_VALUE, Kind::Integer, {0}},
        // Table 6.12, pixels
        {GL_UNPACK_ALIGNMENT, Kind::Integer, {4}},
        {GL_PACK_ALIGNMENT, Kind::Integer, {4}},
        // Table 6.13, programs; 6.16, hints
        {GL_CURRENT_PROGRAM, Kind::Integer, {0}},
        {GL_GENERATE_MIPMAP_HINT, Kind::Integer, {GL_DONT_CARE}},
        // Tables 6.17 to 6.20, constants
        {GL_SHADER_COMPILER, Kind::Boolean, {1}},
        {GL_NUM_SHADER_BINARY_FORMATS, Kind::Integer, {1}},
        {GL_NUM_COMPRESSED_TEXTURE_FORMATS, Kind::Integer, {65}},
        {GL_SAMPLE_BUFFERS, Kind::Integer, {0}},
        {GL_SAMPLES, Kind::Integer, {0}},
        {GL_RED_BITS, Kind::Integer, {8}},
        {GL_GREEN_BITS, Kind::Integer, {8}},
        {GL_BLUE_BITS, Kind::Integer, {8}},
        {GL_ALPHA_BITS, Kind::Integer, {8}},
        {GL_DEPTH_BITS, Kind::Integer, {24}},
        {GL_STENCIL_BITS, Kind::Integer, {8}},
        // Tables 6.22 and 6.24, renderbuffers and framebuffers
        {GL_FRAMEBUFFER_BINDING, Kind::Integer, {0}},
        {GL_RENDERBUFFER_BINDING, Kind::Integer, {0}},
    };
    return rows;
}

/// GLint of a value, by section 6.1.2: numbers to the nearest, colours and depths so that 1 is the largest integer.
bool integerMatches(const Row& row, double value, GLint got) {
    if (row.kind != Kind::Normalized) return got == static_cast<GLint>(value);
    return std::abs(static_cast<double>(got) - value * 2147483647.0) <= 1.0;
}

}  // namespace

TEST_CASE("initial context state in all three types") {
    TestContext context({.width = 24, .height = 20});
    for (const Row& row : contextState()) {
        CAPTURE(row.name);
        GLfloat floats[4] = {-5, -5, -5, -5};
        GLint ints[4] = {-5, -5, -5, -5};
        GLboolean booleans[4] = {7, 7, 7, 7};
        glGetFloatv(row.name, floats);
        glGetIntegerv(row.name, ints);
        glGetBooleanv(row.name, booleans);
        CHECK(glGetError() == GL_NO_ERROR);
        for (size_t i = 0; i < 4; ++i) {
            if (i >= row.value.size()) {
                CHECK(floats[i] == -5);
                CHECK(ints[i] == -5);
                CHECK(booleans[i] == 7);
                continue;
            }
            CHECK(static_cast<double>(floats[i]) == row.value[i]);
            CHECK_MESSAGE(integerMatches(row, row.value[i], ints[i]), ints[i]);
            CHECK(booleans[i] == (row.value[i] != 0 ? GL_TRUE : GL_FALSE));
        }
    }
}

TEST_CASE("initial stencil masks are all ones") {
    TestContext context;
    for (GLenum name :
         {GL_STENCIL_VALUE_MASK, GL_STENCIL_WRITEMASK, GL_STENCIL_BACK_VALUE_MASK, GL_STENCIL_BACK_WRITEMASK}) {
        GLint mask = 0;
        glGetIntegerv(name, &mask);
        CHECK((mask & 0xFF) == 0xFF);
    }
}

TEST_CASE("glIsEnabled agrees with the initial state") {
    TestContext context;
    for (GLenum cap : {GL_BLEND, GL_CULL_FACE, GL_DEPTH_TEST, GL_POLYGON_OFFSET_FILL, GL_SAMPLE_ALPHA_TO_COVERAGE,
                       GL_SAMPLE_COVERAGE, GL_SCISSOR_TEST, GL_STENCIL_TEST, GL_DITHER}) {
        CAPTURE(cap);
        CHECK(glIsEnabled(cap) == (cap == GL_DITHER ? GL_TRUE : GL_FALSE));
        glEnable(cap);
        CHECK(glIsEnabled(cap) == GL_TRUE);
        GLint value = 7;
        glGetIntegerv(cap, &value);
        CHECK(value == 1);
        glDisable(cap);
        CHECK(glIsEnabled(cap) == GL_FALSE);
        glGetIntegerv(cap, &value);
        CHECK(value == 0);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("initial vertex attributes") {  // table 6.2
    TestContext context;
    for (GLuint i = 0; i < 16; ++i) {
        CAPTURE(i);
        const struct {
            GLenum name;
            GLint value;
        } rows[] = {{GL_VERTEX_ATTRIB_ARRAY_ENABLED, 0},    {GL_VERTEX_ATTRIB_ARRAY_SIZE, 4},
                    {GL_VERTEX_ATTRIB_ARRAY_STRIDE, 0},     {GL_VERTEX_ATTRIB_ARRAY_TYPE, GL_FLOAT},
                    {GL_VERTEX_ATTRIB_ARRAY_NORMALIZED, 0}, {GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, 0}};
        for (const auto& row : rows) {
            CAPTURE(row.name);
            GLint value = 7;
            GLfloat real = 7;
            glGetVertexAttribiv(i, row.name, &value);
            glGetVertexAttribfv(i, row.name, &real);
            CHECK(value == row.value);
            CHECK(real == static_cast<GLfloat>(row.value));
        }
        GLfloat current[4] = {7, 7, 7, 7};
        GLint rounded[4] = {7, 7, 7, 7};
        glGetVertexAttribfv(i, GL_CURRENT_VERTEX_ATTRIB, current);
        glGetVertexAttribiv(i, GL_CURRENT_VERTEX_ATTRIB, rounded);
        for (int j = 0; j < 4; ++j) CHECK(current[j] == (j == 3 ? 1.0f : 0.0f));
        for (int j = 0; j < 4; ++j) CHECK(rounded[j] == (j == 3 ? 1 : 0));
        void* pointer = &context;
        glGetVertexAttribPointerv(i, GL_VERTEX_ATTRIB_ARRAY_POINTER, &pointer);
        CHECK(pointer == nullptr);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("initial texture, buffer, renderbuffer and framebuffer objects") {
    TestContext context;
    for (GLenum target : {GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP}) {  // table 6.8
        for (bool named : {false, true}) {
            GLuint texture = 0;
            if (named) glGenTextures(1, &texture);
            glBindTexture(target, texture);
            GLint value = 0;
            glGetTexParameteriv(target, GL_TEXTURE_MIN_FILTER, &value);
            CHECK(value == GL_NEAREST_MIPMAP_LINEAR);
            glGetTexParameteriv(target, GL_TEXTURE_MAG_FILTER, &value);
            CHECK(value == GL_LINEAR);
            glGetTexParameteriv(target, GL_TEXTURE_WRAP_S, &value);
            CHECK(value == GL_REPEAT);
            glGetTexParameteriv(target, GL_TEXTURE_WRAP_T, &value);
            CHECK(value == GL_REPEAT);
        }
    }
    glBindBuffer(GL_ARRAY_BUFFER, 5);  // table 6.3
    GLint value = 7;
    glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &value);
    CHECK(value == 0);
    glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_USAGE, &value);
    CHECK(value == GL_STATIC_DRAW);

    glBindRenderbuffer(GL_RENDERBUFFER, 5);  // table 6.22
    for (GLenum name : {GL_RENDERBUFFER_WIDTH, GL_RENDERBUFFER_HEIGHT, GL_RENDERBUFFER_RED_SIZE,
                        GL_RENDERBUFFER_GREEN_SIZE, GL_RENDERBUFFER_BLUE_SIZE, GL_RENDERBUFFER_ALPHA_SIZE,
                        GL_RENDERBUFFER_DEPTH_SIZE, GL_RENDERBUFFER_STENCIL_SIZE}) {
        value = 7;
        glGetRenderbufferParameteriv(GL_RENDERBUFFER, name, &value);
        CAPTURE(name);
        CHECK(value == 0);
    }
    glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_INTERNAL_FORMAT, &value);
    CHECK(value == GL_RGBA4);

    glBindFramebuffer(GL_FRAMEBUFFER, 5);  // table 6.24
    for (GLenum attachment : {GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT, GL_STENCIL_ATTACHMENT}) {
        value = 7;
        glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, attachment, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE,
                                              &value);
        CHECK(value == GL_NONE);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("initial shader and program objects") {  // tables 6.13 to 6.15
    TestContext context;
    GLint value = 7;
    for (GLenum type : {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER}) {
        GLuint shader = glCreateShader(type);
        glGetShaderiv(shader, GL_SHADER_TYPE, &value);
        CHECK(value == static_cast<GLint>(type));
        for (GLenum name : {GL_DELETE_STATUS, GL_COMPILE_STATUS, GL_INFO_LOG_LENGTH, GL_SHADER_SOURCE_LENGTH}) {
            value = 7;
            glGetShaderiv(shader, name, &value);
            CHECK(value == 0);
        }
    }
    GLuint program = glCreateProgram();
    for (GLenum name :
         {GL_DELETE_STATUS, GL_LINK_STATUS, GL_VALIDATE_STATUS, GL_INFO_LOG_LENGTH, GL_ATTACHED_SHADERS,
          GL_ACTIVE_ATTRIBUTES, GL_ACTIVE_UNIFORMS, GL_ACTIVE_ATTRIBUTE_MAX_LENGTH, GL_ACTIVE_UNIFORM_MAX_LENGTH}) {
        value = 7;
        glGetProgramiv(program, name, &value);
        CHECK(value == 0);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("limits") {
    TestContext context;
    const struct {
        GLenum name;
        GLint least;
    } limits[] = {{GL_MAX_VERTEX_ATTRIBS, 16},
                  {GL_MAX_VARYING_VECTORS, 12},
                  {GL_MAX_VERTEX_UNIFORM_VECTORS, 256},
                  {GL_MAX_FRAGMENT_UNIFORM_VECTORS, 256},
                  {GL_MAX_TEXTURE_IMAGE_UNITS, 16},
                  {GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, 16},
                  {GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, 32},
                  {GL_MAX_TEXTURE_SIZE, 16384},
                  {GL_MAX_CUBE_MAP_TEXTURE_SIZE, 16384},
                  {GL_MAX_RENDERBUFFER_SIZE, 16384},
                  {GL_SUBPIXEL_BITS, 8}};
    for (const auto& limit : limits) {
        CAPTURE(limit.name);
        GLint value = 0;
        GLfloat real = 0;
        GLboolean truth = GL_FALSE;
        glGetIntegerv(limit.name, &value);
        glGetFloatv(limit.name, &real);
        glGetBooleanv(limit.name, &truth);
        CHECK(value >= limit.least);
        CHECK(real == static_cast<GLfloat>(value));
        CHECK(truth == GL_TRUE);
    }
    GLint dimensions[2] = {};
    glGetIntegerv(GL_MAX_VIEWPORT_DIMS, dimensions);
    CHECK(dimensions[0] >= 16384);
    CHECK(dimensions[1] >= 16384);
    for (GLenum name : {GL_ALIASED_POINT_SIZE_RANGE, GL_ALIASED_LINE_WIDTH_RANGE}) {
        GLfloat range[2] = {7, 0};
        glGetFloatv(name, range);
        CHECK(range[0] <= 1);
        CHECK(range[1] >= 1);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("strings") {
    TestContext context;
    auto text = [](GLenum name) { return std::string(reinterpret_cast<const char*>(glGetString(name))); };
    CHECK(text(GL_VERSION).rfind("OpenGL ES 2.0 ", 0) == 0);
    // Nothing behind the number: programs read the last word as the version.
    CHECK(text(GL_SHADING_LANGUAGE_VERSION) == "OpenGL ES GLSL ES 1.00");
    CHECK(text(GL_RENDERER).rfind("Tessera", 0) == 0);
    CHECK_FALSE(text(GL_VENDOR).empty());
    // Extension names are separated by single spaces and each has its prefix.
    std::string extensions = text(GL_EXTENSIONS) + " ";
    for (size_t from = 0, to; (to = extensions.find(' ', from)) != std::string::npos; from = to + 1)
        CHECK(extensions.compare(from, 3, "GL_") == 0);
}

TEST_CASE("precision formats") {  // section 6.1.8; table 6.19
    TestContext context;
    for (GLenum shader : {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER}) {
        for (GLenum type : {GL_LOW_FLOAT, GL_MEDIUM_FLOAT, GL_HIGH_FLOAT}) {
            GLint range[2] = {}, precision = -1;
            glGetShaderPrecisionFormat(shader, type, range, &precision);
            // Section 4.5.2 of the shading language: highp needs 62, 62, 16; mediump 14, 14, 10; lowp 1, 1, 8.
            GLint exponent = type == GL_HIGH_FLOAT ? 62 : type == GL_MEDIUM_FLOAT ? 14 : 1;
            GLint mantissa = type == GL_HIGH_FLOAT ? 16 : type == GL_MEDIUM_FLOAT ? 10 : 8;
            CHECK(range[0] >= exponent);
            CHECK(range[1] >= exponent);
            CHECK(precision >= mantissa);
        }
        for (GLenum type : {GL_LOW_INT, GL_MEDIUM_INT, GL_HIGH_INT}) {
            GLint range[2] = {}, precision = -1;
            glGetShaderPrecisionFormat(shader, type, range, &precision);
            GLint bits = type == GL_HIGH_INT ? 16 : type == GL_MEDIUM_INT ? 10 : 8;
            CHECK(range[0] >= bits);
            CHECK(range[1] >= bits);
            CHECK(precision == 0);
        }
    }
    CHECK(glGetError() == GL_NO_ERROR);
}
