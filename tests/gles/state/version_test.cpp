// What contexts of OpenGL ES 2.0 and 3.0 say of themselves (OpenGL ES 3.0.6, section 6.1.5).
#include <GLES3/gl3.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include "tests/gles/api_test.h"

using namespace tessera::gles_test;

namespace {

std::string text(GLenum name) { return reinterpret_cast<const char*>(glGetString(name)); }

std::set<std::string> listed() {
    std::istringstream list(text(GL_EXTENSIONS));
    std::set<std::string> names;
    for (std::string name; list >> name;) names.insert(name);
    return names;
}

}  // namespace

TEST_CASE("a context of OpenGL ES 3.0 says so") {
    TestContext context(kEs3);
    CHECK(text(GL_VERSION).rfind("OpenGL ES 3.0 ", 0) == 0);
    CHECK(text(GL_SHADING_LANGUAGE_VERSION).rfind("OpenGL ES GLSL ES 3.00", 0) == 0);
    CHECK(getInt(GL_MAJOR_VERSION) == 3);
    CHECK(getInt(GL_MINOR_VERSION) == 0);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a context of OpenGL ES 2.0 is none of 3.0") {
    TestContext context;
    CHECK(text(GL_VERSION).rfind("OpenGL ES 2.0 ", 0) == 0);
    CHECK(text(GL_SHADING_LANGUAGE_VERSION).rfind("OpenGL ES GLSL ES 1.00", 0) == 0);
    for (GLenum name : {GL_MAJOR_VERSION, GL_MINOR_VERSION, GL_NUM_EXTENSIONS}) {
        CHECK(getInt(name) == -12345);
        CHECK(glGetError() == GL_INVALID_ENUM);
    }
    CHECK(glGetStringi(GL_EXTENSIONS, 0) == nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("extensions one by one are those of the text") {
    TestContext context(kEs3);
    std::set<std::string> names;
    const GLint count = getInt(GL_NUM_EXTENSIONS);
    for (GLint i = 0; i < count; ++i)
        names.insert(reinterpret_cast<const char*>(glGetStringi(GL_EXTENSIONS, static_cast<GLuint>(i))));
    CHECK(names.size() == static_cast<size_t>(count));
    CHECK(names == listed());
    // What is core is no extension; what is none is one.
    CHECK(names.count("GL_EXT_texture_storage") == 0);
    CHECK(names.count("GL_OES_compressed_ETC2_RGB8_texture") == 0);
    CHECK(names.count("GL_EXT_texture_filter_anisotropic") == 1);
    CHECK(names.count("GL_KHR_debug") == 1);
    CHECK(glGetStringi(GL_EXTENSIONS, static_cast<GLuint>(count)) == nullptr);
    CHECK(glGetError() == GL_INVALID_VALUE);
}

TEST_CASE("contexts of OpenGL ES 2.0 and 3.0 share objects") {
    TestContext old;
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 12, nullptr, GL_STATIC_DRAW);
    TestContext context({.version = 3, .share = &old});
    CHECK(glIsBuffer(buffer) == GL_TRUE);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    GLint size = 0;
    glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
    CHECK(size == 12);
}

TEST_CASE("limits of OpenGL ES 3.0 are at least what it asks for") {
    TestContext context(kEs3);
    struct Limit {
        GLenum name;
        GLint64 least;
    };
    // Tables 6.28 to 6.33.
    for (const Limit& limit : {Limit{GL_MAX_ELEMENT_INDEX, (1 << 24) - 1},
                               {GL_SUBPIXEL_BITS, 4},
                               {GL_MAX_3D_TEXTURE_SIZE, 256},
                               {GL_MAX_TEXTURE_SIZE, 2048},
                               {GL_MAX_ARRAY_TEXTURE_LAYERS, 256},
                               {GL_MAX_TEXTURE_LOD_BIAS, 2},
                               {GL_MAX_CUBE_MAP_TEXTURE_SIZE, 2048},
                               {GL_MAX_RENDERBUFFER_SIZE, 2048},
                               {GL_MAX_DRAW_BUFFERS, 8},
                               {GL_MAX_COLOR_ATTACHMENTS, 8},
                               {GL_NUM_COMPRESSED_TEXTURE_FORMATS, 10},
                               {GL_MAX_VERTEX_ATTRIBS, 16},
                               {GL_MAX_VERTEX_UNIFORM_COMPONENTS, 1024},
                               {GL_MAX_VERTEX_UNIFORM_VECTORS, 256},
                               {GL_MAX_VERTEX_UNIFORM_BLOCKS, 12},
                               {GL_MAX_VERTEX_OUTPUT_COMPONENTS, 64},
                               {GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, 16},
                               {GL_MAX_FRAGMENT_UNIFORM_COMPONENTS, 896},
                               {GL_MAX_FRAGMENT_UNIFORM_VECTORS, 224},
                               {GL_MAX_FRAGMENT_UNIFORM_BLOCKS, 12},
                               {GL_MAX_FRAGMENT_INPUT_COMPONENTS, 60},
                               {GL_MAX_TEXTURE_IMAGE_UNITS, 16},
                               {GL_MAX_PROGRAM_TEXEL_OFFSET, 7},
                               {GL_MAX_UNIFORM_BUFFER_BINDINGS, 24},
                               {GL_MAX_UNIFORM_BLOCK_SIZE, 16384},
                               {GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, 1},
                               {GL_MAX_COMBINED_UNIFORM_BLOCKS, 24},
                               {GL_MAX_COMBINED_VERTEX_UNIFORM_COMPONENTS, 12 * 16384 / 4 + 1024},
                               {GL_MAX_COMBINED_FRAGMENT_UNIFORM_COMPONENTS, 12 * 16384 / 4 + 896},
                               {GL_MAX_VARYING_COMPONENTS, 60},
                               {GL_MAX_VARYING_VECTORS, 15},
                               {GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, 32},
                               {GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, 64},
                               {GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, 4},
                               {GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS, 4},
                               {GL_MAX_SAMPLES, 4}}) {
        CAPTURE(limit.name);
        GLint64 value = -1;
        glGetInteger64v(limit.name, &value);
        CHECK(value >= limit.least);
        // As a GLint the nearest one.
        CHECK(getInt(limit.name) == static_cast<GLint>(std::min<GLint64>(value, INT32_MAX)));
        CHECK(glGetError() == GL_NO_ERROR);
    }
    CHECK(getInt(GL_MIN_PROGRAM_TEXEL_OFFSET) <= -8);
    CHECK(getInt(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT) <= 256);
}

TEST_CASE("a context of OpenGL ES 2.0 has four draw buffers and the limits of its extensions") {
    TestContext context;
    CHECK(getInt(GL_MAX_DRAW_BUFFERS) == 4);
    CHECK(getInt(GL_MAX_COLOR_ATTACHMENTS) == 4);
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT4, GL_RENDERBUFFER, 0);
    CHECK(glGetError() == GL_INVALID_ENUM);
    CHECK(getInt(GL_MAX_UNIFORM_BLOCK_SIZE) == -12345);
    CHECK(glGetError() == GL_INVALID_ENUM);
}

TEST_CASE("sample counts of formats") {
    TestContext context(kEs3);
    const auto counts = [](GLenum format) {
        GLint count = -1;
        glGetInternalformativ(GL_RENDERBUFFER, format, GL_NUM_SAMPLE_COUNTS, 1, &count);
        return count;
    };
    for (const GLenum format : {GL_RGBA8, GL_RGB565, GL_RGBA, GL_DEPTH_COMPONENT16, GL_STENCIL_INDEX8}) {
        REQUIRE(counts(format) == 1);
        GLint samples[2] = {-1, -1};
        glGetInternalformativ(GL_RENDERBUFFER, format, GL_SAMPLES, 2, samples);
        CHECK(samples[0] == getInt(GL_MAX_SAMPLES));
        CHECK(samples[1] == -1);
    }
    CHECK(counts(GL_RGBA8UI) == 0);  // of integers there are none in 3.0
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("initial values of what OpenGL ES 3.0 adds") {
    TestContext context(kEs3);
    // Tables 6.2 to 6.27.
    for (const GLenum binding :
         {GL_VERTEX_ARRAY_BINDING, GL_COPY_READ_BUFFER_BINDING, GL_COPY_WRITE_BUFFER_BINDING,
          GL_PIXEL_PACK_BUFFER_BINDING, GL_PIXEL_UNPACK_BUFFER_BINDING, GL_UNIFORM_BUFFER_BINDING,
          GL_DRAW_FRAMEBUFFER_BINDING, GL_READ_FRAMEBUFFER_BINDING, GL_TEXTURE_BINDING_3D})
        CHECK(getInt(binding) == 0);
    for (const GLenum capability : {GL_PRIMITIVE_RESTART_FIXED_INDEX, GL_RASTERIZER_DISCARD})
        CHECK(glIsEnabled(capability) == GL_FALSE);
    CHECK(getInt(GL_DRAW_BUFFER0) == GL_BACK);
    for (const GLenum buffer : {GL_DRAW_BUFFER1, GL_DRAW_BUFFER4, GL_DRAW_BUFFER7}) CHECK(getInt(buffer) == GL_NONE);
    CHECK(getInt(GL_READ_BUFFER) == GL_BACK);
    CHECK(getInt(GL_FRAGMENT_SHADER_DERIVATIVE_HINT) == GL_DONT_CARE);
    for (const GLenum store : {GL_PACK_ROW_LENGTH, GL_PACK_SKIP_ROWS, GL_PACK_SKIP_PIXELS, GL_UNPACK_ROW_LENGTH})
        CHECK(getInt(store) == 0);
    GLint value = -1;
    glGetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, 0, &value);
    CHECK(value == 0);
    for (const GLenum name : {GL_VERTEX_ATTRIB_ARRAY_INTEGER, GL_VERTEX_ATTRIB_ARRAY_DIVISOR}) {
        glGetVertexAttribiv(3, name, &value);
        CHECK(value == 0);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}
