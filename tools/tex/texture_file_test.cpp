// The KTX 1 and DDS readers: files built here byte by byte, every truncation, and random damage.
#include "tools/tex/texture_file.h"

#include <doctest/doctest.h>

#include <random>

namespace tessera::tools {
namespace {

std::span<const std::byte> bytesOf(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string errorOf(const std::string& bytes) {
    TextureFile file;
    std::string error;
    return parseTextureFile(bytesOf(bytes), file, error) ? "" : error;
}

void setWord(std::string& bytes, size_t at, uint32_t word) {
    for (size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(word >> 8 * i & 0xFF);
}
void addWords(std::string& bytes, std::initializer_list<uint32_t> words) {
    for (const uint32_t word : words) {
        bytes.resize(bytes.size() + 4);
        setWord(bytes, bytes.size() - 4, word);
    }
}

/// 5 x 3 RGB 5_6_5, rows padded to four bytes, one level.
std::string ktx565() {
    std::string bytes = "\xABKTX 11\xBB\r\n\x1A\n";
    addWords(bytes, {0x04030201, 0x8363, 2, 0x1907, 0x8D62, 0x1907, 5, 3, 0, 0, 1, 1, 0, 36});
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 6; ++x) {
            const int pixel = x < 5 ? x * 6 << 11 | y * 21 << 5 | 31 : 0xFFFF;
            bytes += static_cast<char>(pixel & 0xFF);
            bytes += static_cast<char>(pixel >> 8);
        }
    return bytes;
}

/// 8 x 4 DXT1: a red block and a blue one; then a 4 x 2 level, green.
std::string ddsDxt1() {
    std::string bytes = "DDS ";
    addWords(bytes, {124, 0x21007, 4, 8, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    addWords(bytes, {32, 4, 0x31545844, 0, 0, 0, 0, 0, 0x401008, 0, 0, 0, 0});
    for (const uint32_t color : {0xF800u, 0x001Fu, 0x07E0u}) addWords(bytes, {color << 16 | color, 0});
    return bytes;
}

}  // namespace

TEST_CASE("a KTX file of 16-bit pixels with padded rows") {
    const std::string bytes = ktx565();
    TextureFile file;
    std::string error;
    REQUIRE_MESSAGE(parseTextureFile(bytesOf(bytes), file, error), error);
    CHECK(file.container == "KTX 1");
    CHECK(file.layout.name == "GL_RGB, GL_UNSIGNED_SHORT_5_6_5");
    const Texels texels = decodeLevel(bytesOf(bytes), file, 0, 0, 0);
    CHECK(texels.width == 5);
    CHECK(texels.height == 3);
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 5; ++x) {
            const uint8_t* texel = &texels.rgba[static_cast<size_t>(y * 5 + x) * 4];
            CHECK(texel[0] == (x * 6 * 255 * 2 + 31) / 62);
            CHECK(texel[1] == (y * 21 * 255 * 2 + 63) / 126);
            CHECK(texel[2] == 255);
            CHECK(texel[3] == 255);
        }
}

TEST_CASE("a DDS file of blocks with two levels") {
    const std::string bytes = ddsDxt1();
    TextureFile file;
    std::string error;
    REQUIRE_MESSAGE(parseTextureFile(bytesOf(bytes), file, error), error);
    REQUIRE(file.levels[0].size() == 2);
    const Texels base = decodeLevel(bytesOf(bytes), file, 0, 0, 0);
    const auto at = [](const Texels& t, int x, int y) {
        const uint8_t* p = &t.rgba[static_cast<size_t>(y * t.width + x) * 4];
        return std::array<int, 4>{p[0], p[1], p[2], p[3]};
    };
    CHECK(at(base, 3, 3) == std::array{255, 0, 0, 255});
    CHECK(at(base, 4, 0) == std::array{0, 0, 255, 255});
    const Texels level = decodeLevel(bytesOf(bytes), file, 0, 1, 0);
    CHECK(level.width == 4);
    CHECK(level.height == 2);
    CHECK(at(level, 3, 1) == std::array{0, 255, 0, 255});
}

TEST_CASE("a DDS file of BPTC, which has a number of DXGI alone") {
    std::string bytes = "DDS ";
    addWords(bytes, {124, 0x1007, 4, 4, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    addWords(bytes, {32, 4, 0x30315844, 0, 0, 0, 0, 0, 0x1000, 0, 0, 0, 0});
    addWords(bytes, {98, 3, 0, 1, 0});
    addWords(bytes, {0x001FFFC0, 0xFFFE0000, 1, 0});  // mode 6: red and alpha, and the lowest bit of all
    TextureFile file;
    std::string error;
    REQUIRE_MESSAGE(parseTextureFile(bytesOf(bytes), file, error), error);
    const Texels texels = decodeLevel(bytesOf(bytes), file, 0, 0, 0);
    CHECK(std::vector<uint8_t>(texels.rgba.begin(), texels.rgba.begin() + 4) == std::vector<uint8_t>{255, 1, 1, 255});
}

TEST_CASE("written files are read back, cube maps too") {
    TexelChains faces;
    for (int face = 0; face < 6; ++face) {
        Texels base{4, 4, {}};
        for (int i = 0; i < 64; ++i) base.rgba.push_back(static_cast<uint8_t>(face * 40 + i));
        faces.push_back(mipChain(base));
    }
    for (const std::string& bytes : {writeKtx(faces), writeDds(faces)}) {
        TextureFile file;
        std::string error;
        REQUIRE_MESSAGE(parseTextureFile(bytesOf(bytes), file, error), error);
        CHECK(file.faces == 6);
        for (int face = 0; face < 6; ++face)
            for (int level = 0; level < 3; ++level)
                CHECK(decodeLevel(bytesOf(bytes), file, face, level, 0).rgba ==
                      faces[static_cast<size_t>(face)][static_cast<size_t>(level)].rgba);
        const TextureFileLevel& last = file.levels[5].back();
        CHECK(last.offset + last.bytes == bytes.size());
    }
}

TEST_CASE("what is wrong is said with its place") {
    CHECK(errorOf("") == "at byte 0: this is neither a KTX 1 nor a DDS file, nor a PNG or JPEG picture");
    std::string bytes = ktx565();
    const auto damaged = [&](size_t at, uint32_t word) {
        std::string copy = bytes;
        setWord(copy, at, word);
        return errorOf(copy);
    };
    CHECK(damaged(12, 0x01020304) == "at byte 12: big-endian files are not read");
    CHECK(damaged(16, 0x1234) == "at byte 16: 0x1234 is no pixel type known here");
    CHECK(damaged(24, 0x1908) == "at byte 24: GL_RGBA and GL_UNSIGNED_SHORT_5_6_5 do not go together");
    CHECK(damaged(36, 0) == "at byte 36: the width is 0, it must be 1 to 16384");
    CHECK(damaged(36, 0x80000000) == "at byte 36: the width is 2147483648, it must be 1 to 16384");
    CHECK(damaged(52, 3) == "at byte 52: there are 3 faces, not 1 or 6");
    CHECK(damaged(56, 9) == "at byte 36: there are 9 levels, but 3 lead down to one texel");
    CHECK(damaged(60, 0xFFFFFFFF) == "at byte 60: the metadata is longer than the file");
    CHECK(damaged(64, 35) == "at byte 64: level 0 says it has 35 bytes; 5 x 3 x 1 texels have 36");
    CHECK(errorOf(bytes.substr(0, bytes.size() - 1)) == "at byte 68: level 0 is cut off: 35 of 36 bytes are there");
    bytes = ddsDxt1();
    CHECK(damaged(4, 100) == "at byte 4: the header does not say that it has 124 bytes");
    CHECK(damaged(84, 0x39545844) == "at byte 84: four-character code 0x39545844 is not known here");
    CHECK(damaged(28, 7) == "at byte 12: there are 7 levels, but 4 lead down to one texel");
    CHECK(damaged(80, 0x40).starts_with("at byte 88: 0-bit pixels"));
    CHECK(damaged(112, 0x200) == "at byte 112: cube maps without all six faces are not read");
}

TEST_CASE("a header that is cut off is told as such, at whichever byte") {
    std::string ten = ddsDxt1();
    setWord(ten, 84, 0x30315844);
    struct Row {
        std::string whole;
        size_t first, header;  ///< what tells the kind of file is there behind `first` bytes
        const char* message;
    };
    for (const Row& row :
         {Row{ktx565(), 12, 64, "the header is cut off"}, Row{ddsDxt1(), 4, 128, "the header is cut off"},
          Row{ten, 128, 148, "the DX10 header is cut off"}}) {
        for (size_t n = row.first; n < row.header; ++n)
            CHECK(errorOf(row.whole.substr(0, n)) == "at byte " + std::to_string(n) + ": " + row.message);
        CHECK(errorOf(row.whole.substr(0, row.header)).find("header is cut off") == std::string::npos);
    }
}

TEST_CASE("no truncation and no damage is read beyond its bytes") {
    std::mt19937 random(17);
    for (const std::string& whole : {ktx565(), ddsDxt1()}) {
        for (size_t n = 0; n < whole.size(); ++n) CHECK(!errorOf(whole.substr(0, n)).empty());
        for (int round = 0; round < 20000; ++round) {
            std::string bytes = whole;
            for (int i = 0; i < 1 + round % 4; ++i) {
                const size_t at = random() % bytes.size();
                if (random() % 2 != 0)
                    bytes[at] = static_cast<char>(random());
                else
                    setWord(bytes, std::min(at & ~size_t{3}, bytes.size() - 4),
                            random() % 3 != 0 ? random() % 20 : random());
            }
            TextureFile file;
            std::string error;
            if (!parseTextureFile(bytesOf(bytes), file, error)) continue;
            for (int face = 0; face < file.faces; ++face)
                for (int level = 0; level < static_cast<int>(file.levels[0].size()); ++level) {
                    const TextureFileLevel& one = file.levels[static_cast<size_t>(face)][static_cast<size_t>(level)];
                    REQUIRE(one.offset + one.bytes <= bytes.size());
                    (void)decodeLevel(bytesOf(bytes), file, face, level, one.depth - 1);
                }
        }
    }
}

}  // namespace tessera::tools
