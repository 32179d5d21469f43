// Transfer rows: clears, pixels read back, textures and vertices sent anew for each frame. What is sent is drawn, on a
// few pixels, so that no driver can put the work off for ever.
#include <GLES2/gl2.h>

#include <algorithm>

#include "bench/gl.h"
#include "bench/row.h"

namespace bench {

namespace {

/// What a row that draws image `image` of two over the whole viewport shows around the middle.
std::vector<ExpectedPixel> sentImage(const GLint (&viewport)[4], int image, int tolerance) {
    std::vector<ExpectedPixel> pixels;
    for (double place : {0.45, 0.5, 0.55}) {
        int x = static_cast<int>(place * viewport[2]), y = static_cast<int>(place * viewport[3]);
        Color color = waves((x + 0.5) / viewport[2] + 0.25 * image, (y + 0.5) / viewport[3]);
        pixels.push_back({x, y, color, tolerance});
    }
    return pixels;
}

constexpr const char* kQuadVertexShader = R"(
attribute vec2 a_position;
varying vec2 v_texCoord;
void main() {
    v_texCoord = a_position * 0.5 + 0.5;
    gl_Position = vec4(a_position, 0.0, 1.0);
}
)";

constexpr const char* kTextureFragment = R"(
precision mediump float;
uniform sampler2D u_image;
varying vec2 v_texCoord;
void main() { gl_FragColor = texture2D(u_image, v_texCoord); }
)";

constexpr Color kClearColors[2] = {{0.2, 0.4, 0.6}, {0.8, 0.4, 0.2}};

/// A quad of half the width and height would cost fragments: an eighth of each side, in the middle.
void smallQuad() {
    makeBuffer(GL_ARRAY_BUFFER, std::vector<float>{-0.125f, -0.125f, 0.125f, -0.125f, -0.125f, 0.125f, 0.125f, 0.125f});
    floatAttribute(0, 2, 2 * sizeof(float), 0);
}

void clearTo(const Color& color) {
    glClearColor(static_cast<float>(color[0]), static_cast<float>(color[1]), static_cast<float>(color[2]), 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

class ClearRow : public Row {
public:
    explicit ClearRow(Size size) : size_(size) {
        GLuint program = makeProgram(kQuadVertexShader, kUniformColorFragment, {"a_position"});
        glUniform4f(uniform(program, "u_color"), 1, 1, 0, 1);
        smallQuad();
        glEnable(GL_DEPTH_TEST);
    }
    void frame() override {
        color_ ^= 1;
        clearTo(kClearColors[color_]);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    [[nodiscard]] double workPerFrame() const override { return size_.megapixels(); }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override {
        const Color& color = kClearColors[color_];
        return {{0, 0, color, 1},
                {size_.width - 1, size_.height / 3, color, 1},
                {size_.width / 2, size_.height / 2, {1, 1, 0}, 1}};
    }

protected:
    Size size_;
    int color_ = 0;
};

class ReadBackRow final : public ClearRow {
public:
    explicit ReadBackRow(Size size) : ClearRow(size), pixels_(static_cast<size_t>(size.width) * size.height * 4) {}
    void frame() override {
        ClearRow::frame();
        glReadPixels(0, 0, size_.width, size_.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels_.data());
    }
    /// What was read is looked at, by drawing from it what the checks then read.
    void settle() override {
        size_t middle = (static_cast<size_t>(size_.height / 2) * size_.width + size_.width / 2) * 4;
        if (pixels_[middle] != 255 || pixels_[middle + 2] != 0) clearTo({0, 0, 0});
    }

private:
    std::vector<unsigned char> pixels_;
};

/// Whole-texture updates, two images in turn. A mip level is never needed unless `hasMips`.
class UploadRow final : public Row {
public:
    UploadRow(int side, GLenum format, GLenum type, bool hasMips)
        : side_(side), format_(format), type_(type), hasMips_(hasMips) {
        (void)makeProgram(kQuadVertexShader, kTextureFragment, {"a_position"});
        smallQuad();
        (void)makeTexture(16, hasMips ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR, GL_LINEAR);
        for (int i = 0; i < 2; ++i) images_[i] = makeImage(0.25 * i);
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), side, side, 0, format, type, nullptr);
        if (hasMips) glGenerateMipmap(GL_TEXTURE_2D);
    }
    void frame() override {
        image_ ^= 1;
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, side_, side_, format_, type_, images_[image_].data());
        if (hasMips_) glGenerateMipmap(GL_TEXTURE_2D);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        glGetIntegerv(GL_VIEWPORT, viewport_);
    }
    [[nodiscard]] double workPerFrame() const override { return side_ * 1e-6 * side_; }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override {
        return sentImage(viewport_, image_, type_ == GL_UNSIGNED_SHORT_5_6_5 ? 8 : 5);
    }

private:
    [[nodiscard]] std::vector<unsigned char> makeImage(double shift) const {
        std::vector<unsigned char> wide = wavesImage(side_, shift);
        if (type_ == GL_UNSIGNED_BYTE) return wide;
        std::vector<unsigned char> packed;
        for (size_t i = 0; i < wide.size(); i += 4) {
            unsigned texel = (wide[i] >> 3) << 11 | (wide[i + 1] >> 2) << 5 | wide[i + 2] >> 3;
            packed.push_back(static_cast<unsigned char>(texel & 255));
            packed.push_back(static_cast<unsigned char>(texel >> 8));
        }
        return packed;
    }

    int side_;
    GLenum format_, type_;
    bool hasMips_;
    std::vector<unsigned char> images_[2];
    int image_ = 0;
    GLint viewport_[4] = {};
};

/// Writes the block of one colour, with indices and weights that are not all alike.
using EncodeBlock = void (*)(const unsigned char* rgb, unsigned char* block);

void putBits(unsigned char* block, int first, int count, unsigned value) {
    for (int i = 0; i < count; ++i) {
        if ((value >> i & 1) != 0) block[(first + i) / 8] |= static_cast<unsigned char>(1 << (first + i) % 8);
    }
}

void encodeDxt1(const unsigned char* rgb, unsigned char* block) {
    const unsigned color =
        (rgb[0] * 31u + 127) / 255 << 11 | (rgb[1] * 63u + 127) / 255 << 5 | (rgb[2] * 31u + 127) / 255;
    putBits(block, 0, 16, color);
    putBits(block, 16, 16, color);
    putBits(block, 32, 32, 0x12484821u);  // codes 0 to 2
}

/// Differential mode without a difference; indices of the smallest modifiers, +2 and -2.
void encodeEtc(const unsigned char* rgb, unsigned char* block) {
    for (int i = 0; i < 3; ++i) block[i] = static_cast<unsigned char>((rgb[i] * 31u + 127) / 255 << 3);
    block[3] = 2;
    block[4] = 0x5A, block[5] = 0xC3;
}

void encodeEtcRgba(const unsigned char* rgb, unsigned char* block) {
    block[0] = 255, block[1] = 0x05;  // a multiplier of 0
    block[2] = 0x39, block[4] = 0x77, block[6] = 0xA5;
    encodeEtc(rgb, block + 8);
}

/// One partition, RGB endpoints that are alike, 4 x 4 weights of two bits.
void encodeAstc(const unsigned char* rgb, unsigned char* block) {
    putBits(block, 0, 11, 0x42);
    putBits(block, 13, 4, 8);
    for (int i = 0; i < 6; ++i) putBits(block, 17 + 8 * i, 8, rgb[i / 2]);
    putBits(block, 96, 32, 0x1B2E93C6u);
}

struct Compression {
    GLenum format;
    EncodeBlock encode;
    int side, bytes;  ///< of a block
};

/// Whole-texture updates with blocks, two images in turn.
class CompressedUploadRow final : public Row {
public:
    CompressedUploadRow(int side, const Compression& compression) : side_(side), compression_(compression) {
        (void)makeProgram(kQuadVertexShader, kTextureFragment, {"a_position"});
        smallQuad();
        (void)makeTexture(16, GL_LINEAR, GL_LINEAR);
        for (int i = 0; i < 2; ++i) images_[i] = makeImage(0.25 * i);
        glCompressedTexImage2D(GL_TEXTURE_2D, 0, compression.format, side, side, 0, bytes(), images_[0].data());
    }
    void frame() override {
        image_ ^= 1;
        glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, side_, side_, compression_.format, bytes(),
                                  images_[image_].data());
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        glGetIntegerv(GL_VIEWPORT, viewport_);
    }
    [[nodiscard]] double workPerFrame() const override { return side_ * 1e-6 * side_; }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override { return sentImage(viewport_, image_, 14); }

private:
    [[nodiscard]] GLsizei bytes() const { return static_cast<GLsizei>(images_[0].size()); }
    /// Each block has the colour of its middle.
    [[nodiscard]] std::vector<unsigned char> makeImage(double shift) const {
        const int across = side_ / compression_.side;
        std::vector<unsigned char> texels = wavesImage(across, shift);
        const auto blockBytes = static_cast<size_t>(compression_.bytes);
        std::vector<unsigned char> blocks(static_cast<size_t>(across) * across * blockBytes);
        for (size_t i = 0; i < blocks.size() / blockBytes; ++i)
            compression_.encode(texels.data() + 4 * i, blocks.data() + blockBytes * i);
        return blocks;
    }

    int side_;
    Compression compression_;
    std::vector<unsigned char> images_[2];
    int image_ = 0;
    GLint viewport_[4] = {};
};

/// 32 batches a frame of 1,024 small quads each (four pixels), whose vertices are sent before each draw: into one
/// buffer that is orphaned each time, or straight from the client's memory.
class StreamRow final : public Row {
public:
    StreamRow(Size size, bool usesBuffer) : size_(size), usesBuffer_(usesBuffer) {
        GLuint program = makeProgram(kQuadVertexShader, kUniformColorFragment, {"a_position"});
        glUniform4f(uniform(program, "u_color"), 1, 1, 0, 1);
        for (int batch = 0; batch < kBatches; ++batch) batches_[batch] = makeBatch(batch);
        if (usesBuffer) makeBuffer(GL_ARRAY_BUFFER, batches_[0], GL_STREAM_DRAW);
        floatAttribute(0, 2, 2 * sizeof(float), 0);
    }
    void frame() override {
        glClear(GL_COLOR_BUFFER_BIT);
        for (const std::vector<float>& batch : batches_) {
            auto bytes = static_cast<GLsizeiptr>(batch.size() * sizeof(float));
            if (usesBuffer_) {
                glBufferData(GL_ARRAY_BUFFER, bytes, nullptr, GL_STREAM_DRAW);
                glBufferSubData(GL_ARRAY_BUFFER, 0, bytes, batch.data());
            } else {
                glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, batch.data());
            }
            glDrawArrays(GL_TRIANGLES, 0, kQuads * 6);
        }
    }
    [[nodiscard]] double workPerFrame() const override {
        return static_cast<double>(kBatches) * kQuads * 12 * sizeof(float) * 1e-6;
    }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override {
        std::vector<ExpectedPixel> pixels;
        for (int batch : {0, 7, kBatches - 1}) {
            auto [x, y] = corner(batch, 333);
            pixels.push_back({x, y, {1, 1, 0}, 1});
            pixels.push_back({x + 1, y + 1, {1, 1, 0}, 1});
            pixels.push_back({x + 2, y, {0, 0, 0}, 1});
        }
        return pixels;
    }

private:
    static constexpr int kBatches = 32, kQuads = 1024;

    /// A batch fills one band of the surface; quads are four pixels apart.
    [[nodiscard]] std::pair<int, int> corner(int batch, int quad) const {
        int perLine = std::max(1, size_.width / 4);
        int band = size_.height / kBatches, line = quad / perLine * 4 % std::max(1, band - 4);
        return {quad % perLine * 4, batch * band + line};
    }
    [[nodiscard]] std::vector<float> makeBatch(int batch) const {
        constexpr int kCorners[6][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 0}, {2, 2}, {0, 2}};
        std::vector<float> positions;
        for (int quad = 0; quad < kQuads; ++quad) {
            auto [x, y] = corner(batch, quad);
            for (auto [dx, dy] : kCorners) {
                positions.push_back(2 * static_cast<float>(x + dx) / static_cast<float>(size_.width) - 1);
                positions.push_back(2 * static_cast<float>(y + dy) / static_cast<float>(size_.height) - 1);
            }
        }
        return positions;
    }

    Size size_;
    bool usesBuffer_;
    std::vector<float> batches_[kBatches];
};

RowInfo upload(const char* name, const char* meaning, GLenum format, GLenum type, bool hasMips) {
    return {.name = name, .unit = "Mtexel/s", .meaning = meaning, .make = [=](Size) {
                return std::make_unique<UploadRow>(1024, format, type, hasMips);
            }};
}

RowInfo compressed(const char* name, const char* meaning, const char* extension, const Compression& compression) {
    return {.name = name, .unit = "Mtexel/s", .meaning = meaning, .extension = extension, .make = [=](Size) {
                return std::make_unique<CompressedUploadRow>(1024, compression);
            }};
}

RowInfo stream(const char* name, const char* meaning, bool usesBuffer) {
    return {.name = name, .unit = "MB/s", .meaning = meaning, .make = [=](Size size) {
                return std::make_unique<StreamRow>(size, usesBuffer);
            }};
}

}  // namespace

std::vector<RowInfo> transferRows() {
    return {
        {.name = "clear",
         .unit = "Mpixel/s",
         .meaning = "colour and depth cleared, then a quad of 1/64 of the surface",
         .make = [](Size size) { return std::make_unique<ClearRow>(size); }},
        {.name = "read_back",
         .unit = "Mpixel/s",
         .meaning = "the same, and the whole surface read as RGBA8",
         .make = [](Size size) { return std::make_unique<ReadBackRow>(size); }},
        upload("upload", "glTexSubImage2D of 1024 x 1024 RGBA8, drawn small", GL_RGBA, GL_UNSIGNED_BYTE, false),
        upload("upload_565", "the same with RGB565 texels", GL_RGB, GL_UNSIGNED_SHORT_5_6_5, false),
        compressed("upload_dxt1", "the same with DXT1 blocks", "GL_EXT_texture_compression_dxt1",
                   {0x83F0, encodeDxt1, 4, 8}),
        compressed("upload_etc1", "the same with ETC1 blocks", "GL_OES_compressed_ETC1_RGB8_texture",
                   {0x8D64, encodeEtc, 4, 8}),
        compressed("upload_etc2_rgba", "the same with ETC2 blocks that have EAC alpha",
                   "GL_OES_compressed_ETC2_RGBA8_texture", {0x9278, encodeEtcRgba, 4, 16}),
        compressed("upload_astc_4x4", "the same with ASTC blocks of 4 x 4 texels",
                   "GL_KHR_texture_compression_astc_ldr", {0x93B0, encodeAstc, 4, 16}),
        compressed("upload_astc_8x8", "and of 8 x 8", "GL_KHR_texture_compression_astc_ldr",
                   {0x93B7, encodeAstc, 8, 16}),
        upload("mipmaps", "RGBA8 and glGenerateMipmap", GL_RGBA, GL_UNSIGNED_BYTE, true),
        stream("stream", "32 batches of 48 KiB of vertices a frame into an orphaned buffer, each drawn as 1,024 quads",
               true),
        stream("client_arrays", "the same from client memory", false),
    };
}

}  // namespace bench
