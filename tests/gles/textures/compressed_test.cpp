// Compressed textures through GL: OES_compressed_ETC1_RGB8_texture, OES_compressed_ETC2_*, OES_compressed_EAC_*,
// EXT_texture_compression_bptc, _dxt1, _rgtc, _s3tc and _s3tc_srgb, KHR_texture_compression_astc_ldr,
// OES_compressed_paletted_texture. What the codecs make of a block is texture/codec/codec_test.cpp's business.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <set>
#include <vector>

#include "api/gles/gles.h"
#include "tests/gles/texturing.h"
#include "texture/codec/codec.h"
#include "texture/codec/paletted.h"
#include "texture/srgb.h"

using namespace tessera;
using namespace tessera::gles_test;

namespace {

constexpr GLenum kDxt1 = 0x83F0, kDxt5 = 0x83F3, kEtc1 = 0x8D64, kAstc6x5 = 0x93B3, kPalette4Rgb = 0x8B90;

constexpr const char* kCubeFragment = R"(
precision highp float;
uniform samplerCube image;
uniform vec3 direction;
void main() { gl_FragColor = textureCube(image, direction); }
)";

std::vector<std::byte> randomBytes(size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(count);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    return bytes;
}

GLenum compressedImage(GLenum format, int level, int width, int height, const std::vector<std::byte>& data) {
    glCompressedTexImage2D(GL_TEXTURE_2D, level, format, width, height, 0, static_cast<GLsizei>(data.size()),
                           data.data());
    return glGetError();
}

/// A program that shows a texture and brings signed values to 0..1 if asked to.
GLuint useChangingProgram(bool isSigned) {
    const GLuint program = useTextureProgram("texture2D(image, at) * change.x + change.y", "uniform vec2 change;");
    glUniform2f(glGetUniformLocation(program, "change"), isSigned ? 0.5f : 1.0f, isSigned ? 0.5f : 0.0f);
    return program;
}

/// What the fragment shader makes of a stored texel: 0..255 for each channel.
double shaded(const texture::Image& image, int x, int y, int channel, bool isSigned) {
    const std::byte* block = image.block(x / 4, y / 4);
    const int element = y % 4 * 4 + x % 4;
    if (image.element() == texture::Element::Rgba16F) {
        uint16_t half;
        std::memcpy(&half, block + 8 * element + 2 * channel, 2);
        const double magnitude = (half & 0x7C00) == 0 ? std::ldexp(half & 1023, -24)
                                                      : std::ldexp(1024 + (half & 1023), (half >> 10 & 31) - 25);
        const double value = (half & 0x8000) != 0 ? -magnitude : magnitude;
        return std::clamp(isSigned ? value * 0.5 + 0.5 : value, 0.0, 1.0) * 255;
    }
    const auto code = static_cast<unsigned>(block[4 * element + channel]);
    return texture::formatInfo(image.format()).srgb() && channel < 3 ? texture::kLinearOfSrgb[code] : code;
}

}  // namespace

TEST_CASE("every block format: uploaded, replaced in part, sampled") {
    TestContext context(kLarge);
    unsigned seed = 1;
    for (const texture::BlockFormat& format : texture::blockFormats()) {
        CAPTURE(format.name);
        const bool isSigned = std::strstr(format.name, "SIGNED") != nullptr;
        useChangingProgram(isSigned);
        const int width = 2 * format.width + 3, height = format.height + 2;
        std::vector<std::byte> data = randomBytes(texture::compressedBytes(format, width, height), ++seed);
        GLuint texture = bindNewTexture(GL_TEXTURE_2D);
        CHECK(compressedImage(format.internalformat, 0, width, height, data) == GL_NO_ERROR);
        (void)drawnPixels(width, height);

        // The last column and row of blocks.
        const int left = 2 * format.width, bottom = format.height;
        std::vector<std::byte> part = randomBytes(format.bytes, ++seed);
        glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, left, bottom, width - left, height - bottom, format.internalformat,
                                  format.bytes, part.data());
        CHECK(glGetError() == GL_NO_ERROR);
        texture::Image expected(format.storage, width, height);
        texture::decode(format, data.data(), expected, {0, 0, width, height});
        texture::decode(format, part.data(), expected, {left, bottom, width - left, height - bottom});
        std::vector<uint32_t> pixels = drawnPixels(width, height);
        int wrong = 0;
        for (int i = 0; i < width * height; ++i) {
            for (int c = 0; c < 4; ++c) {
                const double value = shaded(expected, i % width, i / width, c, isSigned);
                wrong += std::abs((pixels[static_cast<size_t>(i)] >> 8 * c & 255) - value) > 0.51;
            }
        }
        CHECK(wrong == 0);
        glDeleteTextures(1, &texture);
    }
}

TEST_CASE("a compressed image filters as the same image uncompressed does") {
    TestContext context(kLarge);
    useTextureProgram();
    for (GLenum name : {kDxt5, kEtc1, kAstc6x5}) {
        const texture::BlockFormat& format = *texture::blockFormat(name);
        std::vector<std::byte> data = randomBytes(texture::compressedBytes(format, 13, 9), name);
        texture::Image image(format.storage, 13, 9);
        texture::decode(format, data.data(), image, {0, 0, 13, 9});
        std::vector<uint32_t> plain;
        for (int y = 0; y < 9; ++y)
            for (int x = 0; x < 13; ++x) plain.push_back(image.texel32(x, y));
        bindNewTexture(GL_TEXTURE_2D, GL_LINEAR);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 13, 9, 0, GL_RGBA, GL_UNSIGNED_BYTE, plain.data());
        std::vector<uint32_t> expected = drawnPixels(32, 32);
        bindNewTexture(GL_TEXTURE_2D, GL_LINEAR);
        CHECK(compressedImage(name, 0, 13, 9, data) == GL_NO_ERROR);
        CHECK(drawnPixels(32, 32) == expected);
    }
}

TEST_CASE("mip chains: each level has its own blocks; all must have one format") {
    TestContext context(kLarge);
    useTextureProgram();
    GLuint texture = bindNewTexture(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST);
    // DXT1 blocks of one colour: both endpoints alike, all codes 0.
    const uint16_t colors[] = {0xF800, 0x07E0, 0x001F, 0xFFFF};
    for (int level = 0; level < 4; ++level) {
        const int side = 8 >> level;
        std::vector<std::byte> data(side == 8 ? 32 : 8);
        for (size_t i = 0; i < data.size(); i += 8) {
            data[i] = data[i + 2] = static_cast<std::byte>(colors[level]);
            data[i + 1] = data[i + 3] = static_cast<std::byte>(colors[level] >> 8);
        }
        CHECK(compressedImage(kDxt1, level, side, side, data) == GL_NO_ERROR);
    }
    const uint32_t expected[] = {0xFF0000FFu, 0xFF00FF00u, 0xFFFF0000u, 0xFFFFFFFFu};
    for (int level = 0; level < 4; ++level) CHECK(drawnPixels(8 >> level, 8 >> level)[0] == expected[level]);
    glGenerateMipmap(GL_TEXTURE_2D);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    CHECK(compressedImage(kEtc1, 1, 4, 4, std::vector<std::byte>(8)) == GL_NO_ERROR);
    CHECK(drawnPixels(8, 8)[0] == 0xFF000000u);  // incomplete
    glDeleteTextures(1, &texture);
}

TEST_CASE("updates happen between the draws they were made between") {
    TestContext context(kLarge);
    useTextureProgram();
    bindNewTexture(GL_TEXTURE_2D);
    auto solid = [](uint16_t color, size_t blocks) {
        std::vector<std::byte> data(8 * blocks);
        for (size_t i = 0; i < data.size(); i += 8) {
            data[i] = data[i + 2] = static_cast<std::byte>(color);
            data[i + 1] = data[i + 3] = static_cast<std::byte>(color >> 8);
        }
        return data;
    };
    CHECK(compressedImage(kDxt1, 0, 8, 4, solid(0xF800, 2)) == GL_NO_ERROR);
    auto drawAt = [](int x) {
        glViewport(x, 0, 8, 4);
        drawQuad();
    };
    drawAt(0);
    std::vector<std::byte> green = solid(0x07E0, 1), blue = solid(0x001F, 2);
    glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 4, 0, 4, 4, kDxt1, 8, green.data());
    green.assign(8, std::byte{0});  // the call has taken its data
    drawAt(8);
    glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 8, 4, kDxt1, 16, blue.data());
    drawAt(16);
    CHECK(glGetError() == GL_NO_ERROR);
    const uint32_t kRed = 0xFF0000FFu, kGreen = 0xFF00FF00u, kBlue = 0xFFFF0000u;
    const uint32_t expected[] = {kRed, kRed, kRed, kGreen, kBlue, kBlue};
    for (int i = 0; i < 6; ++i) CHECK(packedPixelAt(4 * i + 1, 1) == expected[i]);
}

TEST_CASE("cube faces and immutable storage") {
    TestContext context(kLarge);
    const GLuint program = useProgram(kPassVertex, kCubeFragment);
    bindNewTexture(GL_TEXTURE_CUBE_MAP);
    std::byte face[8] = {};
    for (unsigned i = 0; i < 6; ++i) {
        face[0] = face[2] = static_cast<std::byte>(i + 1);  // blue
        glCompressedTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, 0, kDxt1, 4, 4, 0, 8, face);
        glCompressedTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, 0, kDxt1, 4, 3, 0, 8, face);
        CHECK(glGetError() == GL_INVALID_VALUE);
    }
    const float directions[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (unsigned i = 0; i < 6; ++i) {
        glUniform3fv(glGetUniformLocation(program, "direction"), 1, directions[i]);
        CHECK((drawnPixels(1, 1)[0] >> 16) == (0xFF00u | ((i + 1) * 527 + 23) >> 6));
    }

    useTextureProgram();
    GLuint texture = bindNewTexture(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST);
    glTexStorage2DEXT(GL_TEXTURE_2D, 4, kDxt1, 8, 8);
    CHECK(glGetError() == GL_NO_ERROR);
    glCompressedTexSubImage2D(GL_TEXTURE_2D, 3, 0, 0, 1, 1, kDxt1, 8, face);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK((drawnPixels(1, 1)[0] >> 16) == (0xFF00u | (6 * 527 + 23) >> 6));
    CHECK(compressedImage(kDxt1, 0, 8, 8, std::vector<std::byte>(32)) == GL_INVALID_OPERATION);
    glDeleteTextures(1, &texture);
    bindNewTexture(GL_TEXTURE_2D);
    glTexStorage2DEXT(GL_TEXTURE_2D, 1, kPalette4Rgb, 8, 8);
    CHECK(glGetError() == GL_INVALID_ENUM);
}

TEST_CASE("OES_compressed_paletted_texture: one call makes the whole chain") {
    TestContext context(kLarge);
    useTextureProgram();
    for (const texture::PalettedFormat& format : texture::palettedFormats()) {
        CAPTURE(format.name);
        GLuint texture = bindNewTexture(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST);
        std::vector<std::byte> data = randomBytes(texture::palettedBytes(format, 9, 5, 4), format.internalformat);
        CHECK(compressedImage(format.internalformat, -3, 9, 5, data) == GL_NO_ERROR);
        for (int level = 0; level < 4; ++level) {
            const int width = std::max(9 >> level, 1), height = std::max(5 >> level, 1);
            texture::Image image(format.storage, width, height);
            texture::decodePaletted(format, data.data(), 9, 5, level, image);
            std::vector<uint32_t> pixels = drawnPixels(width, height);
            int wrong = 0;
            for (int i = 0; i < width * height; ++i)
                wrong += pixels[static_cast<size_t>(i)] != image.texel32(i % width, i / width);
            CHECK(wrong == 0);
        }
        CHECK(compressedImage(format.internalformat, 1, 9, 5, data) == GL_INVALID_VALUE);
        CHECK(compressedImage(format.internalformat, -4, 9, 5, data) == GL_INVALID_VALUE);
        CHECK(compressedImage(format.internalformat, -2, 9, 5, data) == GL_INVALID_VALUE);  // other size
        CHECK(compressedImage(format.internalformat, INT32_MIN, 9, 5, data) == GL_INVALID_VALUE);
        glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, format.internalformat, 8, data.data());
        CHECK(glGetError() == GL_INVALID_OPERATION);
        glDeleteTextures(1, &texture);
    }
}

TEST_CASE("the list of compressed formats is the table's") {
    TestContext context(kLarge);
    const GLint count = getInt(GL_NUM_COMPRESSED_TEXTURE_FORMATS);
    REQUIRE(count == static_cast<GLint>(texture::blockFormats().size() + texture::palettedFormats().size()));
    std::vector<GLint> formats(static_cast<size_t>(count) + 1, -7);
    glGetIntegerv(GL_COMPRESSED_TEXTURE_FORMATS, formats.data());
    CHECK(formats.back() == -7);
    formats.pop_back();
    std::set<GLint> unique(formats.begin(), formats.end());
    CHECK(unique.size() == formats.size());
    for (GLint format : formats) {
        const auto name = static_cast<GLenum>(format);
        CHECK((texture::blockFormat(name) || texture::palettedFormat(name)));
    }
    std::vector<GLfloat> floats(static_cast<size_t>(count));
    glGetFloatv(GL_COMPRESSED_TEXTURE_FORMATS, floats.data());
    CHECK(floats[0] == static_cast<GLfloat>(formats[0]));
}

TEST_CASE("compressed images: errors") {
    TestContext context(kLarge);
    bindNewTexture(GL_TEXTURE_2D);
    std::vector<std::byte> data(256);
    auto image = [&](GLenum target, GLenum format, int level, int width, int height, int border, int bytes) {
        glCompressedTexImage2D(target, level, format, width, height, border, bytes, data.data());
        return glGetError();
    };
    CHECK(image(GL_TEXTURE_2D, kDxt1, 0, 8, 8, 0, 32) == GL_NO_ERROR);
    CHECK(image(GL_TEXTURE_2D, GL_RGBA, 0, 8, 8, 0, 32) == GL_INVALID_ENUM);
    CHECK(image(GL_TEXTURE_CUBE_MAP, kDxt1, 0, 8, 8, 0, 32) == GL_INVALID_ENUM);
    CHECK(image(GL_TEXTURE_2D, kDxt1, -1, 8, 8, 0, 32) == GL_INVALID_VALUE);
    CHECK(image(GL_TEXTURE_2D, kDxt1, 15, 1, 1, 0, 8) == GL_INVALID_VALUE);
    CHECK(image(GL_TEXTURE_2D, kDxt1, 0, -1, 8, 0, 0) == GL_INVALID_VALUE);
    CHECK(image(GL_TEXTURE_2D, kDxt1, 0, 16385, 1, 0, 8) == GL_INVALID_VALUE);
    CHECK(image(GL_TEXTURE_2D, kDxt1, 0, 8, 8, 1, 32) == GL_INVALID_VALUE);
    for (int bytes : {-1, 0, 31, 33, 64}) CHECK(image(GL_TEXTURE_2D, kDxt1, 0, 8, 8, 0, bytes) == GL_INVALID_VALUE);
    CHECK(image(GL_TEXTURE_2D, kAstc6x5, 0, 7, 6, 0, 64) == GL_NO_ERROR);
    CHECK(image(GL_TEXTURE_2D, kAstc6x5, 0, 6, 5, 0, 16) == GL_NO_ERROR);
    CHECK(image(GL_TEXTURE_2D, kAstc6x5, 0, 0, 0, 0, 0) == GL_NO_ERROR);

    auto part = [&](GLenum format, int level, int x, int y, int width, int height, int bytes) {
        glCompressedTexSubImage2D(GL_TEXTURE_2D, level, x, y, width, height, format, bytes, data.data());
        return glGetError();
    };
    for (GLenum format : {kDxt1, kEtc1}) {
        CHECK(image(GL_TEXTURE_2D, format, 0, 14, 10, 0, 96) == GL_NO_ERROR);
        CHECK(part(format, 0, 0, 0, 4, 4, 8) == GL_NO_ERROR);
        CHECK(part(format, 0, 12, 8, 2, 2, 8) == GL_NO_ERROR);
        CHECK(part(format, 0, 4, 4, 0, 0, 0) == GL_NO_ERROR);
        CHECK(part(format, 0, 2, 0, 4, 4, 8) == GL_INVALID_OPERATION);
        CHECK(part(format, 0, 0, 2, 4, 4, 8) == GL_INVALID_OPERATION);
        CHECK(part(format, 0, 0, 0, 3, 4, 8) == GL_INVALID_OPERATION);
        CHECK(part(format, 0, 0, 0, 4, 2, 8) == GL_INVALID_OPERATION);
        CHECK(part(kDxt5, 0, 0, 0, 4, 4, 16) == GL_INVALID_OPERATION);
        CHECK(part(format, 1, 0, 0, 4, 4, 8) == GL_INVALID_OPERATION);
        CHECK(part(GL_RGB, 0, 0, 0, 4, 4, 8) == GL_INVALID_ENUM);
        CHECK(part(format, 0, 0, 0, 4, 4, 9) == GL_INVALID_VALUE);
        CHECK(part(format, 0, 12, 8, 4, 4, 8) == GL_INVALID_VALUE);
        CHECK(part(format, 0, -4, 0, 4, 4, 8) == GL_INVALID_VALUE);
        CHECK(part(format, -1, 0, 0, 4, 4, 8) == GL_INVALID_VALUE);
    }
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_RGB, GL_UNSIGNED_BYTE, data.data());
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(kEtc1), 4, 4, 0, GL_RGB, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, kEtc1, 0, 0, 4, 4, 0);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(kEtc1), 4, 4, 0, kEtc1, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 4, 4, 0, kEtc1, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 4, 4, 0, GL_RGB, GL_UNSIGNED_BYTE, nullptr);
    CHECK(part(kEtc1, 0, 0, 0, 4, 4, 8) == GL_INVALID_OPERATION);
}

TEST_CASE("compressed images are not rendered to") {
    TestContext context(kLarge);
    std::vector<std::byte> data(16);
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (GLenum format : {kEtc1, GLenum{0x9270}, kDxt1}) {
        GLuint texture = bindNewTexture(GL_TEXTURE_2D);
        CHECK(compressedImage(format, 0, 4, 4, std::vector<std::byte>(8)) == GL_NO_ERROR);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        if (format == kDxt1) {
            CHECK(glGetError() == GL_INVALID_OPERATION);
        } else {
            CHECK(glGetError() == GL_NO_ERROR);
            CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
        }
    }
}

TEST_CASE("EXT_texture_compression_s3tc: images are compressed from pixels") {
    TestContext context(kLarge);
    useTextureProgram();
    auto pixelAt = [](int x, int y, int shade) {
        return static_cast<uint32_t>(x * 9 | y * 7 << 8 | shade << 16) | (x < 8 ? 0xFF000000u : 0x55000000u);
    };
    for (const texture::BlockFormat& format : texture::blockFormats()) {
        if (format.family != texture::CodecFamily::S3tc || format.isSrgb()) continue;
        CAPTURE(format.name);
        bindNewTexture(GL_TEXTURE_2D);
        // A slope of 14 x 10 texels in rows of 16.
        std::vector<uint32_t> pixels(160), part(160);
        for (int i = 0; i < 160; ++i) pixels[static_cast<size_t>(i)] = pixelAt(i % 16, i / 16, 40);
        for (int i = 0; i < 160; ++i) part[static_cast<size_t>(i)] = pixelAt(i % 16, i / 16, 200);
        glPixelStorei(GL_UNPACK_ROW_LENGTH_EXT, 16);
        const auto name = static_cast<GLint>(format.internalformat);
        glTexImage2D(GL_TEXTURE_2D, 0, name, 14, 10, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
        CHECK(glGetError() == GL_NO_ERROR);
        glPixelStorei(GL_UNPACK_SKIP_PIXELS_EXT, 4);
        glPixelStorei(GL_UNPACK_SKIP_ROWS_EXT, 8);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 4, 8, 4, 2, GL_RGBA, GL_UNSIGNED_BYTE, part.data());
        CHECK(glGetError() == GL_NO_ERROR);
        glPixelStorei(GL_UNPACK_ROW_LENGTH_EXT, 0);
        glPixelStorei(GL_UNPACK_SKIP_PIXELS_EXT, 0);
        glPixelStorei(GL_UNPACK_SKIP_ROWS_EXT, 0);
        std::vector<uint32_t> drawn = drawnPixels(14, 10);
        int worst = 0, wrongAlpha = 0;
        for (int y = 0; y < 10; ++y) {
            for (int x = 0; x < 14; ++x) {
                const uint32_t texel = drawn[static_cast<size_t>(y * 14 + x)];
                const bool isReplaced = x >= 4 && x < 8 && y >= 8;
                const uint32_t expected = pixelAt(x, y, isReplaced ? 200 : 40);
                const uint32_t alpha = format.internalformat == kDxt1       ? 255
                                       : format.internalformat == kDxt1 + 1 ? (x < 8 ? 255 : 0)
                                                                            : expected >> 24;
                wrongAlpha += texel >> 24 != alpha;
                for (int c = 0; c < 24 && alpha != 0; c += 8)
                    worst = std::max(
                        worst, std::abs(static_cast<int>(texel >> c & 255) - static_cast<int>(expected >> c & 255)));
            }
        }
        CHECK(wrongAlpha == 0);
        CHECK(worst <= 20);  // 28 x 21 codes of a slope in two directions on one line
        glTexSubImage2D(GL_TEXTURE_2D, 0, 2, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
        CHECK(glGetError() == GL_INVALID_OPERATION);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_LUMINANCE, GL_UNSIGNED_BYTE, pixels.data());
        CHECK(glGetError() == GL_INVALID_OPERATION);
        glTexImage2D(GL_TEXTURE_2D, 0, name, 4, 4, 0, GL_LUMINANCE, GL_UNSIGNED_BYTE, nullptr);
        CHECK(glGetError() == GL_INVALID_OPERATION);
        const std::vector<GLfloat> floats(64, 0.6f);
        glTexImage2D(GL_TEXTURE_2D, 0, name, 4, 4, 0, GL_RGBA, GL_FLOAT, floats.data());
        CHECK(glGetError() == GL_NO_ERROR);
        CHECK(std::abs(static_cast<int>(drawnPixels(4, 4)[5] & 255) - 153) <= 4);
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X, 0, name, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        CHECK(glGetError() == GL_INVALID_OPERATION);
        glTexImage2D(GL_TEXTURE_2D, 0, name, 4, 4, 0, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, nullptr);
        CHECK(glGetError() == GL_NO_ERROR);
    }
}
