// APPLE_rgb_422, MESA_ycbcr_texture, and the packed BGRA types of TESSERA_texture_packed_bgra.
#include <algorithm>
#include <cmath>
#include <vector>

#include "api/gles/gles.h"
#include "tests/gles/texturing.h"

using namespace tessera::gles_test;

namespace {

/// Shows the texture that is returned, which is bound.
GLuint bindShownTexture() {
    useTextureProgram();
    return bindNewTexture(GL_TEXTURE_2D);
}

// Y Cb Y Cr of two pairs in two rows, which are 12 bytes apart.
constexpr unsigned char kYuyv[] = {50, 60, 200, 220, 16,  128, 235, 128, 9, 9, 9, 9,
                                   81, 90, 90,  240, 145, 54,  41,  34,  9, 9, 9, 9};

uint32_t raw(int y, int cb, int cr) { return static_cast<uint32_t>(cr | y << 8 | cb << 16) | 0xFF000000u; }
/// BT.601 for limited range, in double precision.
uint32_t converted(int y, int cb, int cr) {
    const double light = (y - 16) / 219.0, red = light + 1.402 * (cr - 128) / 224,
                 blue = light + 1.772 * (cb - 128) / 224;
    const double green = (light - 0.299 * red - 0.114 * blue) / 0.587;
    auto code = [](double value) { return static_cast<uint32_t>(std::floor(std::clamp(value, 0.0, 1.0) * 255 + 0.5)); };
    return code(red) | code(green) << 8 | code(blue) << 16 | 0xFF000000u;
}
std::vector<uint32_t> expected(uint32_t (*color)(int, int, int)) {
    return {color(50, 60, 220), color(200, 60, 220), color(16, 128, 128), color(235, 128, 128),
            color(81, 90, 240), color(90, 90, 240),  color(145, 54, 34),  color(41, 54, 34)};
}

}  // namespace

TEST_CASE("packed video: both orders, row length, sub-images") {
    TestContext context(kLarge);
    bindShownTexture();
    std::vector<unsigned char> swapped(std::begin(kYuyv), std::end(kYuyv));
    for (size_t i = 0; i < swapped.size(); i += 2) std::swap(swapped[i], swapped[i + 1]);
    glPixelStorei(GL_UNPACK_ROW_LENGTH_EXT, 6);
    for (GLenum format : {GL_RGB_422_APPLE, GL_YCBCR_MESA}) {
        const std::vector<uint32_t> colors = expected(format == GL_RGB_422_APPLE ? raw : converted);
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), 4, 2, 0, format, GL_UNSIGNED_SHORT_8_8_REV_APPLE,
                     kYuyv);
        CHECK(glGetError() == GL_NO_ERROR);
        CHECK(drawnPixels(4, 2) == colors);
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), 4, 2, 0, format, GL_UNSIGNED_SHORT_8_8_APPLE,
                     nullptr);
        CHECK(drawnPixels(4, 2) != colors);
        // One while the texture is in use, one when it is not.
        glViewport(8, 8, 4, 2);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 2, 2, format, GL_UNSIGNED_SHORT_8_8_APPLE, swapped.data());
        glFinish();
        glTexSubImage2D(GL_TEXTURE_2D, 0, 2, 0, 2, 2, format, GL_UNSIGNED_SHORT_8_8_APPLE, swapped.data() + 4);
        CHECK(glGetError() == GL_NO_ERROR);
        CHECK(drawnPixels(4, 2) == colors);
    }
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 4, 2, 0, GL_RGB_422_APPLE, GL_UNSIGNED_SHORT_8_8_REV_APPLE, kYuyv);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(drawnPixels(4, 2) == expected(raw));
}

TEST_CASE("APPLE_rgb_422: complete only when clamped and without mipmaps; immutable storage") {
    TestContext context(kLarge);
    bindShownTexture();
    glTexStorage2DEXT(GL_TEXTURE_2D, 1, GL_RGB_RAW_422_APPLE, 4, 2);
    glPixelStorei(GL_UNPACK_ROW_LENGTH_EXT, 6);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 2, GL_RGB_422_APPLE, GL_UNSIGNED_SHORT_8_8_REV_APPLE, kYuyv);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(drawnPixels(4, 2) == expected(raw));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
    CHECK(drawnPixels(1, 1)[0] == 0xFF000000u);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    CHECK(drawnPixels(1, 1)[0] == 0xFF000000u);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    CHECK(drawnPixels(4, 2) == expected(raw));
}

TEST_CASE("packed video: errors") {
    TestContext context(kLarge);
    const GLuint texture = bindShownTexture();
    auto image = [](GLenum target, GLenum internalformat, int width, GLenum format, GLenum type) {
        glTexImage2D(target, 0, static_cast<GLint>(internalformat), width, 2, 0, format, type, nullptr);
        return glGetError();
    };
    constexpr GLenum kType = GL_UNSIGNED_SHORT_8_8_APPLE;
    CHECK(image(GL_TEXTURE_2D, GL_RGB_422_APPLE, 2, GL_RGB_422_APPLE, kType) == GL_NO_ERROR);
    CHECK(image(GL_TEXTURE_2D, GL_RGB_422_APPLE, 3, GL_RGB_422_APPLE, kType) == GL_INVALID_OPERATION);
    CHECK(image(GL_TEXTURE_2D, GL_RGB_422_APPLE, 2, GL_RGB_422_APPLE, GL_UNSIGNED_BYTE) == GL_INVALID_OPERATION);
    CHECK(image(GL_TEXTURE_2D, GL_RGBA, 2, GL_RGB_422_APPLE, kType) == GL_INVALID_OPERATION);
    CHECK(image(GL_TEXTURE_2D, GL_RGB, 2, GL_RGB, kType) == GL_INVALID_OPERATION);
    CHECK(image(GL_TEXTURE_CUBE_MAP_POSITIVE_X, GL_RGB_422_APPLE, 2, GL_RGB_422_APPLE, kType) == GL_INVALID_OPERATION);
    CHECK(image(GL_TEXTURE_2D, GL_YCBCR_MESA, 2, GL_RGB, GL_UNSIGNED_BYTE) == GL_INVALID_ENUM);
    CHECK(image(GL_TEXTURE_2D, GL_RGB, 2, GL_YCBCR_MESA, kType) == GL_INVALID_ENUM);
    CHECK(image(GL_TEXTURE_2D, GL_YCBCR_MESA, 2, GL_YCBCR_MESA, GL_UNSIGNED_BYTE) == GL_INVALID_OPERATION);
    CHECK(image(GL_TEXTURE_2D, GL_YCBCR_MESA, 2, GL_YCBCR_MESA, kType) == GL_NO_ERROR);
    const unsigned char bytes[16] = {};
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 2, 2, GL_RGB, GL_UNSIGNED_BYTE, bytes);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 2, GL_YCBCR_MESA, kType, bytes);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 2, 2);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glGenerateMipmap(GL_TEXTURE_2D);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glReadPixels(0, 0, 2, 2, GL_YCBCR_MESA, kType, nullptr);
    CHECK(glGetError() == GL_INVALID_ENUM);
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
}

TEST_CASE("TESSERA_texture_packed_bgra: all 65,536 texels of both types, and their precision") {
    TestContext context(kLarge);
    const GLuint texture = bindShownTexture();
    for (GLenum type : {GL_UNSIGNED_SHORT_4_4_4_4_REV_EXT, GL_UNSIGNED_SHORT_1_5_5_5_REV_EXT}) {
        std::vector<uint16_t> texels(65536);
        for (size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<uint16_t>(i);
        GLuint framebuffer = 0;
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_BGRA_EXT, 256, 256, 0, GL_BGRA_EXT, type, texels.data());
        CHECK(glGetError() == GL_NO_ERROR);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        std::vector<uint32_t> pixels(65536);
        glReadPixels(0, 0, 256, 256, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
        const int bits = type == GL_UNSIGNED_SHORT_4_4_4_4_REV_EXT ? 4 : 5;
        int wrong = 0;
        for (uint32_t i = 0; i < 65536; ++i) {
            auto code = [&](int low, int count) {
                const uint32_t top = (1u << count) - 1;
                return ((i >> low & top) * 510 + top) / (2 * top);
            };
            const uint32_t color = code(2 * bits, bits) | code(bits, bits) << 8 | code(0, bits) << 16 |
                                   code(3 * bits, 16 - 3 * bits) << 24;
            wrong += pixels[i] != color;
        }
        CHECK(wrong == 0);
        std::vector<uint16_t> back(65536);
        glReadPixels(0, 0, 256, 256, GL_BGRA_EXT, type, back.data());
        CHECK(back == texels);
        // Bytes are reduced to the precision of the image.
        const unsigned char bgra[4] = {131, 7, 250, 200};
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_BGRA_EXT, GL_UNSIGNED_BYTE, bgra);
        CHECK(glGetError() == GL_NO_ERROR);
        glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
        CHECK(pixels[0] == (bits == 4 ? 0xCC8800FFu : 0xFF8408F7u));
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glDeleteFramebuffers(1, &framebuffer);
    }
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_SHORT_1_5_5_5_REV_EXT, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_BGRA_EXT, 1, 1, 0, GL_BGRA_EXT, GL_UNSIGNED_SHORT_5_6_5, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}
