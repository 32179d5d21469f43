// OES_texture_3D, EXT_shadow_samplers, APPLE_texture_max_level: behaviour and errors.
#include <vector>

#include "api/gles/gles.h"
#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

constexpr const char* kVertex = R"(
attribute vec4 position;
varying highp vec2 place;
void main() { gl_Position = position; place = position.xy * 0.5 + 0.5; }
)";
constexpr const char* kVolumeFragment = R"(
#extension GL_OES_texture_3D : require
precision highp float;
uniform highp sampler3D volume;
uniform float depth;
uniform float level;
varying vec2 place;
void main() { gl_FragColor = texture3D(volume, vec3(place, depth), level); }
)";
constexpr const char* kShadowFragment = R"(
#extension GL_EXT_shadow_samplers : require
precision highp float;
uniform highp sampler2DShadow shadow;
uniform float reference;
uniform float projected;
varying vec2 place;
void main() {
    float plain = shadow2DEXT(shadow, vec3(place, reference));
    float divided = shadow2DProjEXT(shadow, vec4(place, reference, 1.0) * 3.0);
    gl_FragColor = vec4(mix(plain, divided, projected), 0.0, 0.0, 1.0);
}
)";

void drawQuadWith(GLuint program) {
    glUseProgram(program);
    drawQuad();
}
void setUniform(GLuint program, const char* name, float value) {
    glUseProgram(program);
    glUniform1f(glGetUniformLocation(program, name), value);
}
void setFilters(GLenum target, GLint min, GLint mag) {
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, min);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, mag);
}

/// Texel (x, y, z) is red 40 x, green 40 y, blue 40 z.
std::vector<uint8_t> gradient(int width, int height, int depth) {
    std::vector<uint8_t> pixels;
    for (int z = 0; z < depth; ++z)
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                for (const int value : {40 * x, 40 * y, 40 * z, 255}) pixels.push_back(static_cast<uint8_t>(value));
    return pixels;
}

GLuint makeVolume(int width, int height, int depth) {
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_3D_OES, name);
    glTexImage3DOES(GL_TEXTURE_3D_OES, 0, GL_RGBA, width, height, depth, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                    gradient(width, height, depth).data());
    setFilters(GL_TEXTURE_3D_OES, GL_NEAREST, GL_NEAREST);
    return name;
}

constexpr uint32_t rgb(int r, int g, int b) { return 0xFF000000u | static_cast<uint32_t>(b << 16 | g << 8 | r); }

/// The colour at the middle of the texel (x, y) of slice z of a 4 x 4 x `depth` volume.
uint32_t texelSeen(GLuint program, int x, int y, float z, int depth) {
    setUniform(program, "depth", (z + 0.5f) / static_cast<float>(depth));
    drawQuadWith(program);
    return packedPixelAt(x * 8 + 4, y * 8 + 4);
}

}  // namespace

TEST_CASE("texels of every slice are where they belong") {
    TestContext context(kLarge);
    const GLuint program = makeProgram(kVertex, kVolumeFragment);
    makeVolume(4, 4, 5);
    for (int z = 0; z < 5; ++z) CHECK(texelSeen(program, 1, 3, static_cast<float>(z), 5) == rgb(40, 120, 40 * z));
    // Between two slices, and the three wrap modes of r.
    setFilters(GL_TEXTURE_3D_OES, GL_LINEAR, GL_LINEAR);
    CHECK((texelSeen(program, 1, 3, 1.5f, 5) >> 16 & 0xFF) == 60);
    setFilters(GL_TEXTURE_3D_OES, GL_NEAREST, GL_NEAREST);
    const struct {
        GLint wrap;
        float z;
        int slice;
    } wraps[] = {{GL_REPEAT, 5, 0},         {GL_REPEAT, -1, 4},         {GL_CLAMP_TO_EDGE, 9, 4},
                 {GL_CLAMP_TO_EDGE, -3, 0}, {GL_MIRRORED_REPEAT, 5, 4}, {GL_MIRRORED_REPEAT, -2, 1}};
    for (const auto& one : wraps) {
        glTexParameteri(GL_TEXTURE_3D_OES, GL_TEXTURE_WRAP_R_OES, one.wrap);
        CHECK(texelSeen(program, 0, 0, one.z, 5) == rgb(0, 0, 40 * one.slice));
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("sub-volumes, copies from the framebuffer and drawing into a slice") {
    TestContext context(kLarge);
    const GLuint program = makeProgram(kVertex, kVolumeFragment);
    const GLuint volume = makeVolume(4, 4, 4);
    CHECK(texelSeen(program, 2, 2, 2, 4) == rgb(80, 80, 80));
    // A draw that is recorded but not run keeps the old texels.
    const std::vector<uint8_t> white(2 * 2 * 2 * 4, 255);
    drawQuadWith(program);
    glTexSubImage3DOES(GL_TEXTURE_3D_OES, 0, 2, 2, 2, 2, 2, 2, GL_RGBA, GL_UNSIGNED_BYTE, white.data());
    CHECK(packedPixelAt(20, 20) == rgb(80, 80, 80));
    CHECK(texelSeen(program, 2, 2, 2, 4) == rgb(255, 255, 255));
    CHECK(texelSeen(program, 1, 2, 2, 4) == rgb(40, 80, 80));
    CHECK(texelSeen(program, 3, 3, 3, 4) == rgb(255, 255, 255));
    CHECK(texelSeen(program, 3, 3, 1, 4) == rgb(120, 120, 40));

    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glCopyTexSubImage3DOES(GL_TEXTURE_3D_OES, 0, 0, 0, 1, 3, 3, 1, 4);
    CHECK(texelSeen(program, 0, 3, 1, 4) == rgb(0, 255, 0));
    CHECK(texelSeen(program, 1, 3, 1, 4) == rgb(40, 120, 40));
    CHECK(texelSeen(program, 0, 3, 2, 4) == rgb(0, 120, 80));

    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture3DOES(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_3D_OES, volume, 0, 3);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    GLint slice = -1;
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                          GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_3D_ZOFFSET_OES, &slice);
    CHECK(slice == 3);
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(packedPixelAt(0, 0) == rgb(0, 0, 255));
    glFramebufferTexture3DOES(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_3D_OES, volume, 0, 4);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    CHECK(texelSeen(program, 0, 0, 3, 4) == rgb(0, 0, 255));
    CHECK(texelSeen(program, 0, 0, 2, 4) == rgb(0, 0, 80));
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("mipmaps of volumes, by hand, generated and cut") {
    TestContext context(kLarge);
    const GLuint program = makeProgram(kVertex, kVolumeFragment);
    makeVolume(4, 4, 4);
    setFilters(GL_TEXTURE_3D_OES, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST);
    CHECK(texelSeen(program, 0, 0, 0, 4) == rgb(0, 0, 0));  // incomplete: opaque black
    glGenerateMipmap(GL_TEXTURE_3D_OES);
    setUniform(program, "level", 4);  // a bias; rho is 1/8
    CHECK(texelSeen(program, 3, 0, 3, 4) == rgb(100, 20, 100));
    setUniform(program, "level", 9);
    CHECK(texelSeen(program, 3, 0, 3, 4) == rgb(60, 60, 60));
    glTexParameteri(GL_TEXTURE_3D_OES, GL_TEXTURE_MAX_LEVEL_APPLE, 1);
    CHECK(texelSeen(program, 3, 0, 3, 4) == rgb(100, 20, 100));
    glTexParameteri(GL_TEXTURE_3D_OES, GL_TEXTURE_MAX_LEVEL_APPLE, 0);
    CHECK(texelSeen(program, 3, 0, 3, 4) == rgb(120, 0, 120));
    GLint level = -1;
    glGetTexParameteriv(GL_TEXTURE_3D_OES, GL_TEXTURE_MAX_LEVEL_APPLE, &level);
    CHECK(level == 0);

    // Odd sizes take the exact footprint: of 3 texels the thirds, of 1 the one.
    GLuint odd = 0;
    glGenTextures(1, &odd);
    glBindTexture(GL_TEXTURE_3D_OES, odd);
    const uint8_t pixels[] = {30, 60, 150};
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage3DOES(GL_TEXTURE_3D_OES, 0, GL_LUMINANCE, 1, 1, 3, 0, GL_LUMINANCE, GL_UNSIGNED_BYTE, pixels);
    setFilters(GL_TEXTURE_3D_OES, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST);
    glGenerateMipmap(GL_TEXTURE_3D_OES);
    CHECK(texelSeen(program, 0, 0, 0, 1) == rgb(80, 80, 80));
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a largest level makes a short chain complete") {
    TestContext context(kLarge);
    const GLuint program = makeProgram(kVertex, R"(
precision highp float;
uniform sampler2D image;
varying vec2 place;
void main() { gl_FragColor = texture2D(image, place, 20.0); }
)");
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    setFilters(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST);
    for (int level = 0; level < 2; ++level) {
        const std::vector<uint32_t> pixels(64, rgb(100 * level, 50, 0));
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA, 8 >> level, 8 >> level, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     pixels.data());
    }
    drawQuadWith(program);
    CHECK(packedPixelAt(5, 5) == rgb(0, 0, 0));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL_APPLE, 1);
    drawQuadWith(program);
    CHECK(packedPixelAt(5, 5) == rgb(100, 50, 0));
    glGenerateMipmap(GL_TEXTURE_2D);  // level 1 only
    drawQuadWith(program);
    CHECK(packedPixelAt(5, 5) == rgb(0, 50, 0));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL_APPLE, 1000);
    drawQuadWith(program);
    CHECK(packedPixelAt(5, 5) == rgb(0, 0, 0));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL_APPLE, -1);
    CHECK(glGetError() == GL_INVALID_VALUE);
}

TEST_CASE("depth is compared, nearest and percentage closer") {
    TestContext context(kLarge);
    const GLuint program = makeProgram(kVertex, kShadowFragment);
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    // Left half at depth 0.25, right half at 0.75.
    std::vector<uint32_t> depths;
    for (int i = 0; i < 16; ++i) depths.push_back(i % 4 < 2 ? 0x40000000u : 0xC0000000u);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, 4, 4, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, depths.data());
    setFilters(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE_EXT, GL_COMPARE_REF_TO_TEXTURE_EXT);
    const auto seen = [&](float reference, int x) {
        setUniform(program, "reference", reference);
        drawQuadWith(program);
        return static_cast<int>(packedPixelAt(x, 8) & 0xFF);
    };
    for (const float projected : {0.0f, 1.0f}) {
        setUniform(program, "projected", projected);
        CHECK(seen(0.5f, 4) == 0);     // 0.5 <= 0.25 does not hold
        CHECK(seen(0.5f, 28) == 255);  // 0.5 <= 0.75 does
        CHECK(seen(0.1f, 4) == 255);
        CHECK(seen(0.9f, 28) == 0);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC_EXT, GL_GREATER);
    CHECK(seen(0.5f, 4) == 255);
    CHECK(seen(0.5f, 28) == 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC_EXT, GL_LEQUAL);
    setFilters(GL_TEXTURE_2D, GL_LINEAR, GL_LINEAR);
    // Pixel 15 is at texel coordinate 1.9375: 0.4375 of the way from texel 1 to texel 2.
    CHECK(seen(0.5f, 15) == 112);
    CHECK(seen(0.1f, 15) == 255);
    GLint value = 0;
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC_EXT, &value);
    CHECK(value == GL_LEQUAL);
    CHECK(glGetError() == GL_NO_ERROR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE_EXT, GL_LEQUAL);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC_EXT, GL_LINEAR);
    CHECK(glGetError() == GL_INVALID_ENUM);
}

TEST_CASE("a comparison is one number wherever it stands") {
    TestContext context(kLarge);
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    const uint32_t depth = 0x40000000u;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, 1, 1, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, &depth);
    setFilters(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE_EXT, GL_COMPARE_REF_TO_TEXTURE_EXT);
    const std::string lookup = "shadow2DEXT(shadow, vec3(0.5, 0.5, 0.75))";
    for (const std::string& color : {"vec4(" + lookup + ")", "vec4(1.0) * " + lookup, lookup + " + vec4(0.0)",
                                     "mix(vec4(0.0), vec4(1.0), " + lookup + ")",
                                     std::string("vec4(shadow2DProjEXT(shadow, vec4(0.5, 0.5, 0.75, 1.0)))")}) {
        CAPTURE(color);
        drawQuadWith(makeProgram(kVertex,
                                 "#extension GL_EXT_shadow_samplers : require\nprecision mediump float;\n"
                                 "uniform mediump sampler2DShadow shadow;\nvoid main() { gl_FragColor = " +
                                     color + "; }"));
        CHECK(packedPixelAt(5, 5) == 0u);
    }
}

TEST_CASE("samplers of both kinds are active uniforms, and need their extension") {
    TestContext context(kLarge);
    for (const auto& [source, expected] :
         {std::pair{kVolumeFragment, GL_SAMPLER_3D_OES}, std::pair{kShadowFragment, GL_SAMPLER_2D_SHADOW_EXT}}) {
        const GLuint program = makeProgram(kVertex, source);
        GLint count = 0;
        bool found = false;
        glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
        for (GLint i = 0; i < count; ++i) {
            char name[64];
            GLint size = 0;
            GLenum type = GL_NONE;
            glGetActiveUniform(program, static_cast<GLuint>(i), sizeof name, nullptr, &size, &type, name);
            found |= type == static_cast<GLenum>(expected);
        }
        CHECK(found);
        std::string without = source;
        without.erase(0, without.find("precision"));
        const char* text = without.c_str();
        const GLuint shader = glCreateShader(GL_FRAGMENT_SHADER);
        glShaderSource(shader, 1, &text, nullptr);
        glCompileShader(shader);
        GLint status = GL_TRUE;
        glGetShaderiv(shader, GL_COMPILE_STATUS, &status);
        CHECK(status == GL_FALSE);
    }
}

TEST_CASE("errors of volumes") {
    TestContext context(kLarge);
    const GLuint volume = makeVolume(4, 4, 4);
    const auto image = [](GLenum target, GLint level, GLenum internal, GLsizei w, GLsizei h, GLsizei d, GLint border,
                          GLenum format, GLenum type) {
        glTexImage3DOES(target, level, internal, w, h, d, border, format, type, nullptr);
        return glGetError();
    };
    constexpr GLenum k3D = GL_TEXTURE_3D_OES, kBytes = GL_UNSIGNED_BYTE;
    CHECK(image(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 1, 0, GL_RGBA, kBytes) == GL_INVALID_ENUM);
    CHECK(image(k3D, -1, GL_RGBA, 1, 1, 1, 0, GL_RGBA, kBytes) == GL_INVALID_VALUE);
    CHECK(image(k3D, 10, GL_RGBA, 1, 1, 1, 0, GL_RGBA, kBytes) == GL_INVALID_VALUE);
    CHECK(image(k3D, 0, GL_RGBA, 1, 1, 513, 0, GL_RGBA, kBytes) == GL_INVALID_VALUE);
    CHECK(image(k3D, 0, GL_RGBA, 1, -1, 1, 0, GL_RGBA, kBytes) == GL_INVALID_VALUE);
    CHECK(image(k3D, 0, GL_RGBA, 1, 1, 1, 1, GL_RGBA, kBytes) == GL_INVALID_VALUE);
    CHECK(image(k3D, 0, GL_RGB, 1, 1, 1, 0, GL_RGBA, kBytes) == GL_INVALID_OPERATION);
    CHECK(image(k3D, 0, GL_DEPTH_COMPONENT, 1, 1, 1, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT) == GL_INVALID_OPERATION);
    CHECK(image(k3D, 0, GL_RGBA, 0, 1, 1, 0, GL_RGBA, kBytes) == GL_NO_ERROR);
    // What OpenGL ES 3.0 knows and this has not is a combination that is not valid; what is no format at all, no
    // enumerant.
    constexpr GLenum kRgb10A2 = 0x8059, kRgba32Ui = 0x8D70, kRgbaInteger = 0x8D99;
    CHECK(image(k3D, 0, GL_RGBA, 1, 1, 1, 0, GL_RGB, GL_UNSIGNED_SHORT_4_4_4_4) == GL_INVALID_OPERATION);
    CHECK(image(k3D, 0, GL_RGB5_A1, 1, 1, 1, 0, GL_RGB, GL_UNSIGNED_SHORT_5_5_5_1) == GL_INVALID_OPERATION);
    CHECK(image(k3D, 0, kRgb10A2, 1, 1, 1, 0, GL_RGB, GL_UNSIGNED_INT_2_10_10_10_REV_EXT) == GL_INVALID_OPERATION);
    CHECK(image(k3D, 0, kRgba32Ui, 1, 1, 1, 0, kRgbaInteger, GL_INT) == GL_INVALID_OPERATION);
    CHECK(image(k3D, 0, GL_RGBA, 1, 1, 1, 0, 0, kBytes) == GL_INVALID_ENUM);
    CHECK(image(k3D, 0, GL_RGBA, 1, 1, 1, 0, GL_RGBA, 0) == GL_INVALID_ENUM);
    CHECK(image(k3D, 0, 0, 1, 1, 1, 0, GL_RGBA, kBytes) == GL_INVALID_VALUE);
    glTexImage2D(k3D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, kBytes, nullptr);
    CHECK(glGetError() == GL_INVALID_ENUM);
    // Negative numbers are wrong whatever the level holds: here nothing.
    for (int negative = 0; negative < 6; ++negative) {
        GLint box[6] = {0, 0, 0, 1, 1, 1};
        box[negative] = -1;
        glTexSubImage3DOES(k3D, 0, box[0], box[1], box[2], box[3], box[4], box[5], GL_RGBA, kBytes, nullptr);
        CHECK(glGetError() == GL_INVALID_VALUE);
        if (negative == 5) break;  // a copy has no depth
        glCopyTexSubImage3DOES(k3D, 0, box[0], box[1], box[2], 0, 0, box[3], box[4]);
        CHECK(glGetError() == GL_INVALID_VALUE);
    }
    glTexSubImage3DOES(k3D, 0, 0, 0, 0, 1, 1, 1, GL_RGBA, kBytes, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);  // the level is empty now
    makeVolume(4, 4, 4);
    glTexSubImage3DOES(k3D, 0, 0, 0, 2, 1, 1, 3, GL_RGBA, kBytes, nullptr);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glTexSubImage3DOES(k3D, 0, 0, 0, 0, 1, 1, 1, GL_RGB, kBytes, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glCopyTexSubImage3DOES(k3D, 0, 0, 0, 4, 0, 0, 1, 1);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glCopyTexSubImage3DOES(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 0, 1, 1);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glCompressedTexImage3DOES(k3D, 0, GL_RGBA, 4, 4, 4, 0, 0, nullptr);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glCompressedTexSubImage3DOES(k3D, 0, 0, 0, 0, 4, 4, 4, GL_ETC1_RGB8_OES, 0, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glFramebufferTexture3DOES(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, k3D, volume, 0, 0);
    CHECK(glGetError() == GL_INVALID_OPERATION);  // no framebuffer object
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture3DOES(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, k3D, volume, 0, 512);
    CHECK(glGetError() == GL_INVALID_VALUE);
    constexpr GLenum kTexture2DMultisample = 0x9100;
    GLuint flat = 0;
    glGenTextures(1, &flat);
    glBindTexture(GL_TEXTURE_2D, flat);
    for (const GLuint texture : {volume, flat})
        for (const GLenum other : {GLenum{GL_TEXTURE_2D}, GLenum{GL_TEXTURE_CUBE_MAP_POSITIVE_X},
                                   GLenum{GL_TEXTURE_CUBE_MAP_NEGATIVE_Z}, kTexture2DMultisample}) {
            glFramebufferTexture3DOES(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, other, texture, 0, 0);
            CHECK(glGetError() == GL_INVALID_OPERATION);
        }
    glFramebufferTexture3DOES(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RGBA, volume, 0, 0);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glFramebufferTexture3DOES(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, k3D, flat, 0, 0);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, volume, 0);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glBindTexture(GL_TEXTURE_2D, volume);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    CHECK(getInt(GL_MAX_3D_TEXTURE_SIZE_OES) == 512);

    GLuint fixed = 0;
    glGenTextures(1, &fixed);
    glBindTexture(k3D, fixed);
    glTexStorage3DEXT(k3D, 4, GL_RGBA8_OES, 4, 4, 4);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glTexStorage3DEXT(k3D, 4, GL_RGBA8_OES, 4, 4, 8);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(getInt(GL_TEXTURE_BINDING_3D_OES) == static_cast<GLint>(fixed));
    CHECK(image(k3D, 0, GL_RGBA, 1, 1, 1, 0, GL_RGBA, kBytes) == GL_INVALID_OPERATION);
    glTexStorage3DEXT(GL_TEXTURE_2D, 1, GL_RGBA8_OES, 4, 4, 4);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glDeleteTextures(1, &fixed);
    CHECK(getInt(GL_TEXTURE_BINDING_3D_OES) == 0);
}
