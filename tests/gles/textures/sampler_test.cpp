// Sampler objects (OpenGL ES 3.0), and the parameters of textures that 3.0 adds.
#include <algorithm>
#include <string>
#include <vector>

#include "api/gles/gles.h"

#include "tests/gles/api_test.h"
#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

constexpr const char* kVertex =
    "#version 300 es\nin vec4 position; out vec2 at; void main() { gl_Position = position; at = position.xy; }";
constexpr const char* kFragment =
    "#version 300 es\nprecision highp float; in vec2 at; uniform sampler2D image; out vec4 color;"
    " void main() { color = texture(image, at * 0.5 + 0.5); }";

GLuint makeSampler() {
    GLuint name = 0;
    glGenSamplers(1, &name);
    return name;
}

/// A texture of 2 x 2 texels with its levels: red, green, blue and white; the smaller level is grey.
void bindQuarters() {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    const uint32_t texels[] = {0xFF0000FF, 0xFF00FF00, 0xFFFF0000, 0xFFFFFFFF}, grey = 0xFF808080;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexImage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, &grey);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

uint32_t drawn(int x = 3, int y = 3) {
    drawQuad();
    return packedPixelAt(x, y);
}

}  // namespace

TEST_CASE("names of samplers") {
    TestContext context(kEs3);
    CHECK(glIsSampler(0) == GL_FALSE);
    CHECK(glIsSampler(7) == GL_FALSE);
    const GLuint sampler = makeSampler();
    CHECK(glIsSampler(sampler) == GL_TRUE);  // from the first question on
    glBindSampler(3, sampler);
    glActiveTexture(GL_TEXTURE3);
    CHECK(getInt(GL_SAMPLER_BINDING) == static_cast<GLint>(sampler));
    glActiveTexture(GL_TEXTURE0);
    CHECK(getInt(GL_SAMPLER_BINDING) == 0);
    glDeleteSamplers(1, &sampler);
    CHECK(glIsSampler(sampler) == GL_FALSE);
    glActiveTexture(GL_TEXTURE3);
    CHECK(getInt(GL_SAMPLER_BINDING) == 0);
    CHECK(glGetError() == GL_NO_ERROR);
    glBindSampler(0, sampler);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glBindSampler(static_cast<GLuint>(getInt(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS)), 0);
    CHECK(glGetError() == GL_INVALID_VALUE);
}

TEST_CASE("samplers have labels") {
    TestContext context(kEs3);
    const GLuint sampler = makeSampler();
    glObjectLabelKHR(GL_SAMPLER_KHR, sampler, -1, "trilinear");
    GLchar label[16] = {};
    glGetObjectLabelKHR(GL_SAMPLER_KHR, sampler, sizeof label, nullptr, label);
    CHECK(std::string(label) == "trilinear");
    CHECK(glGetError() == GL_NO_ERROR);
    glObjectLabelKHR(GL_SAMPLER_KHR, sampler + 1, -1, "none");
    CHECK(glGetError() == GL_INVALID_VALUE);
}

TEST_CASE("parameters of samplers: what they begin with, what they take, what they refuse") {
    TestContext context(kEs3);
    const GLuint sampler = makeSampler();
    const auto value = [&](GLenum pname) {
        GLint integer = -1;
        glGetSamplerParameteriv(sampler, pname, &integer);
        GLfloat real = -1;
        glGetSamplerParameterfv(sampler, pname, &real);
        CHECK(real == static_cast<GLfloat>(integer));
        return integer;
    };
    CHECK(value(GL_TEXTURE_MIN_FILTER) == GL_NEAREST_MIPMAP_LINEAR);
    CHECK(value(GL_TEXTURE_MAG_FILTER) == GL_LINEAR);
    CHECK(value(GL_TEXTURE_WRAP_S) == GL_REPEAT);
    CHECK(value(GL_TEXTURE_WRAP_T) == GL_REPEAT);
    CHECK(value(GL_TEXTURE_WRAP_R) == GL_REPEAT);
    CHECK(value(GL_TEXTURE_MIN_LOD) == -1000);
    CHECK(value(GL_TEXTURE_MAX_LOD) == 1000);
    CHECK(value(GL_TEXTURE_COMPARE_MODE) == GL_NONE);
    CHECK(value(GL_TEXTURE_COMPARE_FUNC) == GL_LEQUAL);
    glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glSamplerParameterf(sampler, GL_TEXTURE_WRAP_R, GL_MIRRORED_REPEAT);
    glSamplerParameteri(sampler, GL_TEXTURE_MIN_LOD, 2);
    const GLfloat most = 3;
    glSamplerParameterfv(sampler, GL_TEXTURE_MAX_LOD, &most);
    const GLint mode = GL_COMPARE_REF_TO_TEXTURE;
    glSamplerParameteriv(sampler, GL_TEXTURE_COMPARE_MODE, &mode);
    glSamplerParameteri(sampler, GL_TEXTURE_COMPARE_FUNC, GL_GREATER);
    CHECK(value(GL_TEXTURE_MIN_FILTER) == GL_LINEAR);
    CHECK(value(GL_TEXTURE_WRAP_R) == GL_MIRRORED_REPEAT);
    CHECK(value(GL_TEXTURE_MIN_LOD) == 2);
    CHECK(value(GL_TEXTURE_MAX_LOD) == 3);
    CHECK(value(GL_TEXTURE_COMPARE_MODE) == GL_COMPARE_REF_TO_TEXTURE);
    CHECK(value(GL_TEXTURE_COMPARE_FUNC) == GL_GREATER);
    CHECK(glGetError() == GL_NO_ERROR);
    const auto error = [&](GLenum pname, GLint param) {
        glSamplerParameteri(sampler, pname, param);
        return glGetError();
    };
    CHECK(error(GL_TEXTURE_MIN_FILTER, GL_REPEAT) == GL_INVALID_ENUM);
    CHECK(error(GL_TEXTURE_MAG_FILTER, GL_LINEAR_MIPMAP_LINEAR) == GL_INVALID_ENUM);
    CHECK(error(GL_TEXTURE_WRAP_S, -1) == GL_INVALID_ENUM);
    CHECK(error(GL_TEXTURE_COMPARE_MODE, GL_ALWAYS) == GL_INVALID_ENUM);
    CHECK(error(GL_TEXTURE_COMPARE_FUNC, GL_NONE) == GL_INVALID_ENUM);
    CHECK(error(GL_TEXTURE_BASE_LEVEL, 0) == GL_INVALID_ENUM);  // of textures alone
    CHECK(error(GL_TEXTURE_SWIZZLE_R, GL_RED) == GL_INVALID_ENUM);
    CHECK(error(GL_TEXTURE_2D, 0) == GL_INVALID_ENUM);
    glSamplerParameterf(sampler, GL_TEXTURE_COMPARE_MODE, -1);  // which is not GL_NONE
    CHECK(glGetError() == GL_INVALID_ENUM);
    CHECK(value(GL_TEXTURE_COMPARE_MODE) == GL_COMPARE_REF_TO_TEXTURE);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, -1);  // nor GL_ZERO
    CHECK(glGetError() == GL_INVALID_ENUM);
    GLint none = 0;
    glGetSamplerParameteriv(sampler, GL_TEXTURE_IMMUTABLE_LEVELS, &none);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glGetSamplerParameteriv(sampler + 1, GL_TEXTURE_WRAP_S, &none);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("the unit's sampler takes the place of the texture's parameters") {
    TestContext context(kEs3);
    useProgram(kVertex, kFragment);
    bindQuarters();
    CHECK(drawn() == 0xFF0000FF);
    const GLuint sampler = makeSampler();
    glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glBindSampler(0, sampler);
    CHECK(drawn(7, 7) != 0xFF0000FF);
    glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    CHECK(drawn(7, 7) == 0xFF0000FF);
    // Complete is what the sampler's filter makes it.
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 5);
    GLuint single = 0;
    glGenTextures(1, &single);
    glBindTexture(GL_TEXTURE_2D, single);
    const uint32_t texels[4] = {0xFF112233, 0xFF112233, 0xFF112233, 0xFF112233};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    CHECK(drawn() == 0xFF112233);  // though the texture's own filter wants mipmaps
    glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    CHECK(drawn() == 0xFF000000);
    glBindSampler(0, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    CHECK(drawn() == 0xFF112233);
    glBindSampler(0, sampler);
    glDeleteSamplers(1, &sampler);
    CHECK(drawn() == 0xFF112233);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("textures begin at their base level and end at their largest") {
    TestContext context(kEs3);
    useProgram(kVertex, kFragment);
    bindQuarters();
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
    CHECK(drawn() == 0xFF808080);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 2);
    CHECK(drawn() == 0xFF000000);  // there is none
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 2000);
    CHECK(drawn() == 0xFF000000);
    glGenerateMipmap(GL_TEXTURE_2D);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, -1);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, -1);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    CHECK(drawn() == 0xFF000000);  // the base is above the largest
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
    CHECK(drawn() == 0xFF808080);
    // What is immutable has the base it is given as far as it has levels.
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 2, GL_RGBA8, 2, 2);
    const uint32_t color = 0xFF445566;
    glTexSubImage2D(GL_TEXTURE_2D, 1, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &color);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 7);
    CHECK(drawn() == color);
    GLint levels = 0;
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_IMMUTABLE_LEVELS, &levels);
    CHECK(levels == 2);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("in OpenGL ES 3.0 the minification filter begins at level of detail 0, whatever the filters are") {
    const auto drawnAt = [](const std::string& lookup, bool isEs3) {
        TestContext context(isEs3 ? kEs3 : ContextSettings{});
        const std::string vertex = isEs3 ? "#version 300 es\nin vec4 position; void main() { gl_Position = position; }"
                                         : "attribute vec4 position; void main() { gl_Position = position; }";
        useProgram(vertex, lookup);
        bindQuarters();
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        return drawn();
    };
    // Where four texels meet, a quarter of a level above the first.
    CHECK(drawnAt("#version 300 es\nprecision highp float; uniform sampler2D image; out vec4 color;"
                  " void main() { color = textureLod(image, vec2(0.49, 0.49), 0.25); }",
                  true) == 0xFF0000FF);
    CHECK(drawnAt("#extension GL_EXT_shader_texture_lod : require\nprecision highp float; uniform sampler2D image;"
                  " void main() { gl_FragColor = texture2DLodEXT(image, vec2(0.49, 0.49), 0.25); }",
                  false) != 0xFF0000FF);
}

TEST_CASE("components are what the swizzle says") {
    TestContext context(kEs3);
    useProgram(kVertex, kFragment);
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    const uint32_t color = 0x44332211;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, &color);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    CHECK(drawn() == 0x44332211);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, GL_ALPHA);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_G, GL_RED);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_B, GL_ZERO);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_A, GL_ONE);
    CHECK(drawn() == 0xFF001144);
    GLint swizzle = 0;
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, &swizzle);
    CHECK(swizzle == GL_ALPHA);
    CHECK(glGetError() == GL_NO_ERROR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_A, GL_LUMINANCE);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_A, 2);
    CHECK(glGetError() == GL_INVALID_ENUM);
}

TEST_CASE("depth is red, and without a comparison it is not filtered") {
    TestContext context(kEs3);
    useProgram(kVertex, kFragment);
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    const GLfloat depth[4] = {1, 2, -1, 1.5f};  // clamped to 0..1
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT32F, 2, 2, 0, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    CHECK(drawn() == 0xFF0000FF);
    CHECK(packedPixelAt(12, 12) == 0xFF0000FF);
    CHECK(packedPixelAt(3, 12) == 0xFF000000);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    CHECK(drawn() == 0xFF000000);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_LINEAR);
    CHECK(drawn() == 0xFF000000);
    // The format without a size, of OES_depth_texture, is filtered.
    const std::array<GLuint, 4> far = {~0u, ~0u, ~0u, ~0u};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, 2, 2, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, far.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    CHECK(drawn() == 0xFF0000FF);
}

TEST_CASE("borders of signed textures are signed") {
    TestContext context(kEs3);
    useProgram(kVertex,
               "#version 300 es\nprecision highp float; uniform sampler2D image; out vec4 color;"
               " void main() { color = -texture(image, vec2(-1.0)); }");
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8_SNORM, 1, 1, 0, GL_RGBA, GL_BYTE, nullptr);
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        glTexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
    const GLfloat border[] = {-0.2f, -0.4f, -3, 0.5f};
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR_EXT, border);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER_EXT);
    CHECK(drawn() == 0x00FF6633);
}

TEST_CASE("one texture's depth is red in a context of OpenGL ES 3.0, and grey in one of 2.0") {
    TestContext third(kEs3);
    useProgram(kVertex, kFragment);
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    const GLuint far = ~0u;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, 1, 1, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, &far);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    CHECK(drawn() == 0xFF0000FF);
    glFinish();
    {
        TestContext second({.share = &third});
        useProgram(kPassVertex,
                   "precision mediump float; uniform sampler2D image; void main() { gl_FragColor = texture2D(image, "
                   "vec2(0.5)); }");
        glBindTexture(GL_TEXTURE_2D, texture);
        CHECK(drawn() == 0xFFFFFFFF);
        glFinish();
    }
    third.makeCurrent();
    CHECK(drawn() == 0xFF0000FF);
}

TEST_CASE("levels of one chain are of one internal format, and a fetch needs no filter to reach them") {
    TestContext context(kEs3);
    useProgram(kVertex,
               "#version 300 es\nprecision highp float; uniform sampler2D image; uniform bool fetches; out vec4 color; "
               "void main() { color = fetches ? texelFetch(image, ivec2(0), 1) : textureLod(image, vec2(0.5), 1.0); }");
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    const std::vector<uint32_t> large(4, 0xFF0000FFu), small(1, 0xFF00FF00u);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, large.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    for (const GLint format : {GL_SRGB8_ALPHA8, GL_RGBA8}) {
        glTexImage2D(GL_TEXTURE_2D, 1, format, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, small.data());
        CHECK(drawn() == (format == GL_RGBA8 ? 0xFF00FF00u : 0xFF000000u));
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    CHECK(drawn() == 0xFF0000FFu);
    GLint program = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    glUniform1i(glGetUniformLocation(static_cast<GLuint>(program), "fetches"), 1);
    CHECK(drawn() == 0xFF00FF00u);
}

TEST_CASE("levels of arrays have all layers, and are made layer by layer") {
    TestContext context(kEs3);
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    CHECK(getInt(GL_TEXTURE_BINDING_2D_ARRAY) == static_cast<GLint>(texture));
    std::vector<uint32_t> texels;
    for (uint32_t layer = 0; layer < 3; ++layer) texels.insert(texels.end(), 16, 0xFF000000 + layer * 0x40);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 4, 4, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    glGenerateMipmap(GL_TEXTURE_2D_ARRAY);
    CHECK(glGetError() == GL_NO_ERROR);
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (GLint layer = 0; layer < 3; ++layer) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 2, layer);
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        CHECK(packedPixelAt(0, 0) == 0xFF000000 + static_cast<uint32_t>(layer) * 0x40);
    }
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 2, 3);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 3, 0);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    // A copy goes into one layer.
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, 2);
    glCopyTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 1, 0, 0, 2, 2);
    CHECK(glGetError() == GL_NO_ERROR);
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, 1);
    CHECK(packedPixelAt(1, 1) == 0xFF000080);
    CHECK(packedPixelAt(2, 2) == 0xFF000040);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 4, 4, getInt(GL_MAX_ARRAY_TEXTURE_LAYERS) + 1, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, nullptr);
    CHECK(glGetError() == GL_INVALID_VALUE);
    // All of them are there.
    const GLint layers = getInt(GL_MAX_ARRAY_TEXTURE_LAYERS);
    CHECK(layers == 2048);
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, layers);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 4, 4, layers, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, layers - 1);
    CHECK(glGetError() == GL_NO_ERROR);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(packedPixelAt(3, 3) == 0xFF00FF00);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 4, GL_RGBA8, 4, 4, 8);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 3, GL_RGBA8, 4, 4, 8);
    CHECK(glGetError() == GL_NO_ERROR);
    glTexStorage3D(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4, 8);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 4, 4, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("borders are integers where textures are, given as such") {
    TestContext context(kEs3);
    useProgram(kVertex,
               "#version 300 es\nprecision highp float; precision highp isampler2D; uniform isampler2D image;"
               " out vec4 color; void main() { color = vec4(textureLod(image, vec2(3.0), 0.0)) / 255.0; }");
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32I, 1, 1, 0, GL_RGBA_INTEGER, GL_INT, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    const GLint wrap = GL_CLAMP_TO_BORDER_EXT, border[] = {10, 20, 30, 40};
    glTexParameterIivEXT(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, &wrap);
    glTexParameterIivEXT(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR_EXT, border);
    GLint read[4] = {};
    glGetTexParameterIivEXT(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR_EXT, read);
    CHECK(std::equal(border, border + 4, read));
    CHECK(drawn() == 0x281E140A);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32I, 1, 1, 0, GL_RED_INTEGER, GL_INT, nullptr);
    CHECK(drawn() == 0x0100000A);
    // A sampler object's takes its place, here as unsigned ones.
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32I, 1, 1, 0, GL_RGBA_INTEGER, GL_INT, nullptr);
    const GLuint sampler = makeSampler(), unsignedBorder[] = {1, 2, 3, 4}, unsignedWrap = GL_CLAMP_TO_BORDER_EXT,
                 nearest = GL_NEAREST;
    glSamplerParameterIuivEXT(sampler, GL_TEXTURE_WRAP_T, &unsignedWrap);
    glSamplerParameterIuivEXT(sampler, GL_TEXTURE_BORDER_COLOR_EXT, unsignedBorder);
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        glSamplerParameterIuivEXT(sampler, filter, &nearest);
    GLuint unsignedRead[4] = {};
    glGetSamplerParameterIuivEXT(sampler, GL_TEXTURE_BORDER_COLOR_EXT, unsignedRead);
    CHECK(std::equal(unsignedBorder, unsignedBorder + 4, unsignedRead));
    glBindSampler(0, sampler);
    CHECK(drawn() == 0x04030201);
    // Given as a colour it is one again.
    const GLfloat color[] = {1, 0.5f, 0, 0};
    glSamplerParameterfv(sampler, GL_TEXTURE_BORDER_COLOR_EXT, color);
    GLint asColor[4] = {};
    glGetSamplerParameteriv(sampler, GL_TEXTURE_BORDER_COLOR_EXT, asColor);
    CHECK(asColor[0] == INT32_MAX);
    glGetSamplerParameterIivEXT(sampler, GL_TEXTURE_WRAP_T, read);
    CHECK(read[0] == GL_CLAMP_TO_BORDER_EXT);
    CHECK(glGetError() == GL_NO_ERROR);
    glTexParameterIivEXT(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, border);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glSamplerParameterIivEXT(sampler, GL_TEXTURE_BASE_LEVEL, border);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glGetTexParameterIuivEXT(GL_TEXTURE_2D, GL_TEXTURE_2D, unsignedRead);
    CHECK(glGetError() == GL_INVALID_ENUM);
}

TEST_CASE("what OES_texture_border_clamp names sets and tells what EXT_texture_border_clamp does") {
    TestContext context(kEs3);
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    const GLuint sampler = makeSampler();
    constexpr GLenum kBorder = GL_TEXTURE_BORDER_COLOR_EXT;
    const GLint border[4] = {-1, 20, INT32_MAX, INT32_MIN};
    const GLuint unsignedBorder[4] = {1, 20, UINT32_MAX, 0x80000000};
    const auto reset = [&] {
        constexpr GLint kZero[4] = {};
        glTexParameterIivEXT(GL_TEXTURE_2D, kBorder, kZero);
        glSamplerParameterIivEXT(sampler, kBorder, kZero);
    };
    const auto told = [](auto get, GLuint object, const auto* wanted) {
        std::remove_const_t<std::remove_pointer_t<decltype(wanted)>> read[4] = {7, 7, 7, 7};
        get(object, kBorder, read);
        CHECK(std::equal(wanted, wanted + 4, read));
    };
    reset();
    glTexParameterIivOES(GL_TEXTURE_2D, kBorder, border);
    told(glGetTexParameterIivEXT, GL_TEXTURE_2D, border);
    told(glGetTexParameterIivOES, GL_TEXTURE_2D, border);
    glSamplerParameterIivOES(sampler, kBorder, border);
    told(glGetSamplerParameterIivEXT, sampler, border);
    told(glGetSamplerParameterIivOES, sampler, border);
    reset();
    glTexParameterIuivOES(GL_TEXTURE_2D, kBorder, unsignedBorder);
    told(glGetTexParameterIuivEXT, GL_TEXTURE_2D, unsignedBorder);
    told(glGetTexParameterIuivOES, GL_TEXTURE_2D, unsignedBorder);
    glSamplerParameterIuivOES(sampler, kBorder, unsignedBorder);
    told(glGetSamplerParameterIuivEXT, sampler, unsignedBorder);
    told(glGetSamplerParameterIuivOES, sampler, unsignedBorder);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("EXT_texture_sRGB_decode: samplers have it too, and fetches always decode") {
    TestContext context(kEs3);
    const GLubyte pixel[4] = {188, 188, 188, 10};
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    useProgram("#version 300 es\nin vec4 position; void main() { gl_Position = position; }",
               "#version 300 es\nprecision highp float; uniform sampler2D image; out vec4 color;"
               "void main() { vec4 one = texture(image, vec2(0.5)), other = texelFetch(image, ivec2(0), 0);"
               " color = vec4(one.r, one.a, other.r, other.a); }");
    const auto drawn = [] {
        drawQuad();
        return pixelAt(1, 1);
    };
    constexpr Rgba kLight = {128, 10, 128, 10}, kCodes = {188, 10, 128, 10};
    CHECK(near(drawn(), kLight, 1));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SRGB_DECODE_EXT, GL_SKIP_DECODE_EXT);
    CHECK(near(drawn(), kCodes, 1));
    const GLuint sampler = makeSampler();
    glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glBindSampler(0, sampler);
    CHECK(near(drawn(), kLight, 1));
    glSamplerParameteri(sampler, GL_TEXTURE_SRGB_DECODE_EXT, GL_SKIP_DECODE_EXT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SRGB_DECODE_EXT, GL_DECODE_EXT);
    CHECK(near(drawn(), kCodes, 1));
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("floats that stand for enums are rounded") {
    TestContext context(kEs3);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, 1.25f);
    CHECK(glGetError() == GL_NO_ERROR);
    GLint value = 0;
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, &value);
    CHECK(value == GL_ONE);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, 1.5f);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, static_cast<GLfloat>(GL_LINEAR) - 0.5f);
    CHECK(glGetError() == GL_NO_ERROR);
}
