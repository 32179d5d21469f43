#include "tools/tex/texture_file.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include <fmt/format.h>

namespace tessera::tools {

namespace {

using texture::ClientFormat;
using texture::ClientType;
using texture::PixelFormat;

constexpr int kMaxSide = 16384, kMaxSlices = 2048;

/// What is wrong, and at which byte.
struct Wrong {
    size_t at = 0;
    std::string what;
};

/// Little-endian numbers at places that have been checked.
uint32_t wordAt(std::span<const std::byte> bytes, size_t at) {
    uint32_t word = 0;
    for (size_t i = 0; i < 4; ++i) word |= std::to_integer<uint32_t>(bytes[at + i]) << 8 * i;
    return word;
}

PixelFormat storageOf(ClientFormat format, ClientType type) {
    const bool isFloat = type == ClientType::F16 || type == ClientType::F32;
    switch (format) {
        case ClientFormat::Alpha:
            return isFloat ? PixelFormat::Alpha32F : PixelFormat::Alpha8;
        case ClientFormat::Luminance:
            return isFloat ? PixelFormat::Luminance32F : PixelFormat::Luminance8;
        case ClientFormat::LuminanceAlpha:
            return isFloat ? PixelFormat::LuminanceAlpha32F : PixelFormat::LuminanceAlpha8;
        case ClientFormat::Red:
            return isFloat ? PixelFormat::R32F : PixelFormat::R8;
        case ClientFormat::Rg:
            return isFloat ? PixelFormat::Rg32F : PixelFormat::Rg8;
        case ClientFormat::Rgb:
            return isFloat ? PixelFormat::Rgb32F : PixelFormat::Rgb8;
        case ClientFormat::Bgra:
            return PixelFormat::Bgra8;
        default:
            return isFloat ? PixelFormat::Rgba32F : PixelFormat::Rgba8;
    }
}

TexelLayout pixelLayout(std::string name, ClientFormat format, ClientType type) {
    TexelLayout layout;
    layout.name = std::move(name);
    layout.client.format = format;
    layout.client.type = type;
    layout.storage = storageOf(format, type);
    return layout;
}
TexelLayout blockLayout(const texture::BlockFormat& format) {
    TexelLayout layout;
    layout.name = format.name;
    layout.blocks = &format;
    layout.storage = format.storage;
    return layout;
}

size_t rowBytes(const TexelLayout& layout, int width) {
    const auto pixel = static_cast<size_t>(texture::clientPixelBytes(layout.client.format, layout.client.type));
    const auto alignment = static_cast<size_t>(layout.rowAlignment);
    return (pixel * static_cast<size_t>(width) + alignment - 1) / alignment * alignment;
}
size_t sliceBytes(const TexelLayout& layout, int width, int height) {
    if (layout.blocks != nullptr) return texture::compressedBytes(*layout.blocks, width, height);
    return rowBytes(layout, width) * static_cast<size_t>(height);
}

/// Sizes that make sense, of level 0; empty when they do.
std::string wrongSize(uint32_t width, uint32_t height, uint32_t depth, uint32_t levels) {
    if (width < 1 || width > kMaxSide) return fmt::format("the width is {}, it must be 1 to {}", width, kMaxSide);
    if (height < 1 || height > kMaxSide) return fmt::format("the height is {}, it must be 1 to {}", height, kMaxSide);
    if (depth < 1 || depth > kMaxSlices) return fmt::format("the depth is {}, it must be 1 to {}", depth, kMaxSlices);
    const uint32_t largest = std::max({width, height, depth});
    uint32_t full = 1;
    while (largest >> full != 0) ++full;
    if (levels > full) return fmt::format("there are {} levels, but {} lead down to one texel", levels, full);
    return "";
}

TextureFileLevel levelOf(uint32_t width, uint32_t height, uint32_t depth, uint32_t level) {
    TextureFileLevel result;
    result.width = static_cast<int>(std::max(width >> level, 1u));
    result.height = static_cast<int>(std::max(height >> level, 1u));
    result.depth = static_cast<int>(std::max(depth >> level, 1u));
    return result;
}

/// Room for the level's bytes at its offset.
bool holds(std::span<const std::byte> bytes, const TextureFileLevel& level) {
    return level.offset <= bytes.size() && level.bytes <= bytes.size() - level.offset;
}

// --- KTX 1 ---

constexpr unsigned char kKtxMagic[12] = {0xAB, 'K', 'T', 'X', ' ', '1', '1', 0xBB, '\r', '\n', 0x1A, '\n'};
constexpr size_t kKtxHeader = 64;

struct GlName {
    uint32_t value;
    const char* name;
    int meaning;  ///< ClientFormat or ClientType
};
constexpr GlName kGlFormats[] = {
    {0x1908, "GL_RGBA", static_cast<int>(ClientFormat::Rgba)},
    {0x1907, "GL_RGB", static_cast<int>(ClientFormat::Rgb)},
    {0x1906, "GL_ALPHA", static_cast<int>(ClientFormat::Alpha)},
    {0x1909, "GL_LUMINANCE", static_cast<int>(ClientFormat::Luminance)},
    {0x190A, "GL_LUMINANCE_ALPHA", static_cast<int>(ClientFormat::LuminanceAlpha)},
    {0x80E1, "GL_BGRA", static_cast<int>(ClientFormat::Bgra)},
    {0x1903, "GL_RED", static_cast<int>(ClientFormat::Red)},
    {0x8227, "GL_RG", static_cast<int>(ClientFormat::Rg)},
};
constexpr GlName kGlTypes[] = {
    {0x1401, "GL_UNSIGNED_BYTE", static_cast<int>(ClientType::U8)},
    {0x8363, "GL_UNSIGNED_SHORT_5_6_5", static_cast<int>(ClientType::U16_565)},
    {0x8033, "GL_UNSIGNED_SHORT_4_4_4_4", static_cast<int>(ClientType::U16_4444)},
    {0x8034, "GL_UNSIGNED_SHORT_5_5_5_1", static_cast<int>(ClientType::U16_5551)},
    {0x140B, "GL_HALF_FLOAT", static_cast<int>(ClientType::F16)},
    {0x8D61, "GL_HALF_FLOAT_OES", static_cast<int>(ClientType::F16)},
    {0x1406, "GL_FLOAT", static_cast<int>(ClientType::F32)},
};
const GlName* find(std::span<const GlName> names, uint32_t value) {
    const auto found = std::find_if(names.begin(), names.end(), [&](const GlName& n) { return n.value == value; });
    return found == names.end() ? nullptr : &*found;
}

bool ktxLayout(std::span<const std::byte> bytes, TexelLayout& layout, Wrong& wrong) {
    const uint32_t type = wordAt(bytes, 16), format = wordAt(bytes, 24), internal = wordAt(bytes, 28);
    if (type == 0) {
        const texture::BlockFormat* blocks = texture::blockFormat(internal);
        if (blocks == nullptr)
            return wrong = {28, fmt::format("0x{:04X} is no compressed format known here", internal)}, false;
        layout = blockLayout(*blocks);
        return true;
    }
    const GlName* glFormat = find(kGlFormats, format);
    const GlName* glType = find(kGlTypes, type);
    if (glType == nullptr) return wrong = {16, fmt::format("0x{:04X} is no pixel type known here", type)}, false;
    if (glFormat == nullptr) return wrong = {24, fmt::format("0x{:04X} is no pixel format known here", format)}, false;
    const auto client = static_cast<ClientFormat>(glFormat->meaning);
    const auto clientType = static_cast<ClientType>(glType->meaning);
    if (texture::clientPixelBytes(client, clientType) == 0)
        return wrong = {24, fmt::format("{} and {} do not go together", glFormat->name, glType->name)}, false;
    layout = pixelLayout(fmt::format("{}, {}", glFormat->name, glType->name), client, clientType);
    layout.rowAlignment = 4;
    return true;
}

/// "key\0value" pairs, each with its size before and padding after.
bool ktxMetadata(std::span<const std::byte> bytes, size_t end, TextureFile& file, Wrong& wrong) {
    for (size_t at = kKtxHeader; at < end;) {
        if (end - at < 4) return wrong = {at, "a key-value pair is cut off"}, false;
        const size_t size = wordAt(bytes, at);
        if (size > end - at - 4) return wrong = {at, "a key-value pair is longer than the metadata"}, false;
        std::string text(reinterpret_cast<const char*>(bytes.data() + at + 4), size);
        const size_t zero = text.find('\0');
        if (zero == std::string::npos) return wrong = {at + 4, "a key without its terminating zero"}, false;
        const std::string key = text.substr(0, zero), value = text.substr(zero + 1);
        if (key == "KTXorientation") file.topRowFirst = value.find("T=u") == std::string::npos;
        std::string line = key + ": " + value.substr(0, 60);
        for (char& c : line)
            if (c < ' ' || c > '~') c = c == '\0' ? ' ' : '?';
        while (!line.empty() && line.back() == ' ') line.pop_back();
        file.notes.push_back(line);
        at += 4 + std::min((size + 3) & ~size_t{3}, end - at - 4);
    }
    return true;
}

bool ktxLevels(std::span<const std::byte> bytes, size_t at, uint32_t levels, TextureFile& file, Wrong& wrong) {
    const uint32_t width = wordAt(bytes, 36), height = std::max(wordAt(bytes, 40), 1u),
                   depth = std::max(wordAt(bytes, 44), 1u);
    file.levels.resize(static_cast<size_t>(file.faces));
    for (uint32_t i = 0; i < levels; ++i) {
        TextureFileLevel level = levelOf(width, height, depth, i);
        level.bytes = sliceBytes(file.layout, level.width, level.height) * static_cast<size_t>(level.depth);
        if (bytes.size() < 4 || at > bytes.size() - 4)
            return wrong = {at, fmt::format("level {} is missing", i)}, false;
        if (wordAt(bytes, at) != level.bytes)
            return wrong = {at, fmt::format("level {} says it has {} bytes; {} x {} x {} texels have {}", i,
                                            wordAt(bytes, at), level.width, level.height, level.depth, level.bytes)},
                   false;
        at += 4;
        for (auto& face : file.levels) {
            level.offset = at;
            if (!holds(bytes, level))
                return wrong = {at, fmt::format("level {} is cut off: {} of {} bytes are there", i,
                                                bytes.size() - std::min(at, bytes.size()), level.bytes)},
                       false;
            face.push_back(level);
            at += (level.bytes + 3) & ~size_t{3};
        }
    }
    return true;
}

bool parseKtx(std::span<const std::byte> bytes, TextureFile& file, Wrong& wrong) {
    file.container = "KTX 1";
    if (bytes.size() < kKtxHeader) return wrong = {bytes.size(), "the header is cut off"}, false;
    if (wordAt(bytes, 12) != 0x04030201)
        return wrong = {12, wordAt(bytes, 12) == 0x01020304 ? "big-endian files are not read"
                                                            : "the endianness is neither little nor big"},
               false;
    if (!ktxLayout(bytes, file.layout, wrong)) return false;
    if (wordAt(bytes, 48) != 0) return wrong = {48, "array textures are not read"}, false;
    const uint32_t faces = wordAt(bytes, 52), levels = std::max(wordAt(bytes, 56), 1u);
    if (faces != 1 && faces != 6) return wrong = {52, fmt::format("there are {} faces, not 1 or 6", faces)}, false;
    file.faces = static_cast<int>(faces);
    const std::string size =
        wrongSize(wordAt(bytes, 36), std::max(wordAt(bytes, 40), 1u), std::max(wordAt(bytes, 44), 1u), levels);
    if (!size.empty()) return wrong = {36, size}, false;
    const size_t metadata = wordAt(bytes, 60);
    if (metadata > bytes.size() - kKtxHeader) return wrong = {60, "the metadata is longer than the file"}, false;
    return ktxMetadata(bytes, kKtxHeader + metadata, file, wrong) &&
           ktxLevels(bytes, kKtxHeader + metadata, levels, file, wrong);
}

// --- DDS ---

constexpr size_t kDdsHeader = 128, kDdsHeader10 = 148;

constexpr uint32_t fourCC(const char (&name)[5]) {
    return static_cast<uint32_t>(name[0]) | static_cast<uint32_t>(name[1]) << 8 | static_cast<uint32_t>(name[2]) << 16 |
           static_cast<uint32_t>(name[3]) << 24;
}

/// Code of a format, and GL's compressed format that it is.
struct DdsBlocks {
    uint32_t code, internalformat;
};
constexpr DdsBlocks kFourCCs[] = {
    {fourCC("DXT1"), 0x83F1}, {fourCC("DXT3"), 0x83F2}, {fourCC("DXT5"), 0x83F3},
    {fourCC("ATI1"), 0x8DBB}, {fourCC("BC4U"), 0x8DBB}, {fourCC("BC4S"), 0x8DBC},
    {fourCC("ATI2"), 0x8DBD}, {fourCC("BC5U"), 0x8DBD}, {fourCC("BC5S"), 0x8DBE},
};
constexpr DdsBlocks kDxgiBlocks[] = {{71, 0x83F1}, {72, 0x8C4D}, {74, 0x83F2}, {75, 0x8C4E}, {77, 0x83F3},
                                     {78, 0x8C4F}, {80, 0x8DBB}, {81, 0x8DBC}, {83, 0x8DBD}, {84, 0x8DBE},
                                     {95, 0x8E8F}, {96, 0x8E8E}, {98, 0x8E8C}, {99, 0x8E8D}};

struct DxgiPixels {
    uint32_t code;
    const char* name;
    ClientFormat format;
    ClientType type;
};
constexpr DxgiPixels kDxgiPixels[] = {
    {2, "R32G32B32A32_FLOAT", ClientFormat::Rgba, ClientType::F32},
    {10, "R16G16B16A16_FLOAT", ClientFormat::Rgba, ClientType::F16},
    {28, "R8G8B8A8_UNORM", ClientFormat::Rgba, ClientType::U8},
    {29, "R8G8B8A8_UNORM_SRGB", ClientFormat::Rgba, ClientType::U8},
    {49, "R8G8_UNORM", ClientFormat::Rg, ClientType::U8},
    {61, "R8_UNORM", ClientFormat::Red, ClientType::U8},
    {65, "A8_UNORM", ClientFormat::Alpha, ClientType::U8},
    {85, "B5G6R5_UNORM", ClientFormat::Rgb, ClientType::U16_565},
    {86, "B5G5R5A1_UNORM", ClientFormat::Bgra, ClientType::U16_1555Rev},
    {87, "B8G8R8A8_UNORM", ClientFormat::Bgra, ClientType::U8},
    {91, "B8G8R8A8_UNORM_SRGB", ClientFormat::Bgra, ClientType::U8},
    {115, "B4G4R4A4_UNORM", ClientFormat::Bgra, ClientType::U16_4444Rev},
};

/// Uncompressed pixels by their masks.
struct DdsMasks {
    uint32_t bits, red, green, blue, alpha;
    const char* name;
    ClientFormat format;
    ClientType type;
};
constexpr DdsMasks kDdsMasks[] = {
    {32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000, "A8R8G8B8", ClientFormat::Bgra, ClientType::U8},
    {32, 0xFF, 0xFF00, 0xFF0000, 0xFF000000, "A8B8G8R8", ClientFormat::Rgba, ClientType::U8},
    {16, 0xF800, 0x7E0, 0x1F, 0, "R5G6B5", ClientFormat::Rgb, ClientType::U16_565},
    {16, 0x7C00, 0x3E0, 0x1F, 0x8000, "A1R5G5B5", ClientFormat::Bgra, ClientType::U16_1555Rev},
    {16, 0xF00, 0xF0, 0xF, 0xF000, "A4R4G4B4", ClientFormat::Bgra, ClientType::U16_4444Rev},
    {16, 0xFF, 0, 0, 0xFF00, "A8L8", ClientFormat::LuminanceAlpha, ClientType::U8},
    {8, 0xFF, 0, 0, 0, "L8", ClientFormat::Luminance, ClientType::U8},
    {8, 0, 0, 0, 0xFF, "A8", ClientFormat::Alpha, ClientType::U8},
};

bool useBlocks(uint32_t internalformat, TexelLayout& layout) {
    const texture::BlockFormat* blocks = texture::blockFormat(internalformat);
    if (blocks != nullptr) layout = blockLayout(*blocks);
    return blocks != nullptr;
}

bool dxgiLayout(uint32_t code, TexelLayout& layout) {
    for (const DdsBlocks& one : kDxgiBlocks)
        if (one.code == code) return useBlocks(one.internalformat, layout);
    for (const DxgiPixels& one : kDxgiPixels)
        if (one.code == code) return layout = pixelLayout(one.name, one.format, one.type), true;
    return false;
}

bool ddsLayout(std::span<const std::byte> bytes, TexelLayout& layout, Wrong& wrong) {
    constexpr uint32_t kHasFourCC = 4;
    const uint32_t flags = wordAt(bytes, 80), code = wordAt(bytes, 84);
    if ((flags & kHasFourCC) != 0 && code == fourCC("DX10")) {
        if (bytes.size() < kDdsHeader10) return wrong = {bytes.size(), "the DX10 header is cut off"}, false;
        if (dxgiLayout(wordAt(bytes, 128), layout)) return true;
        return wrong = {128, fmt::format("DXGI format {} is not known here", wordAt(bytes, 128))}, false;
    }
    if ((flags & kHasFourCC) != 0) {
        for (const DdsBlocks& one : kFourCCs)
            if (one.code == code && useBlocks(one.internalformat, layout)) return true;
        return wrong = {84, fmt::format("four-character code 0x{:08X} is not known here", code)}, false;
    }
    const uint32_t bits = wordAt(bytes, 88);
    for (const DdsMasks& one : kDdsMasks)
        if (one.bits == bits && one.red == wordAt(bytes, 92) && one.green == wordAt(bytes, 96) &&
            one.blue == wordAt(bytes, 100) && one.alpha == wordAt(bytes, 104))
            return layout = pixelLayout(one.name, one.format, one.type), true;
    return wrong = {88, fmt::format("{}-bit pixels with masks {:X} {:X} {:X} {:X} are not known here", bits,
                                    wordAt(bytes, 92), wordAt(bytes, 96), wordAt(bytes, 100), wordAt(bytes, 104))},
           false;
}

bool parseDds(std::span<const std::byte> bytes, TextureFile& file, Wrong& wrong) {
    constexpr uint32_t kCubeMap = 0x200, kAllFaces = 0xFC00, kVolume = 0x200000, kHasMipCount = 0x20000;
    file.container = "DDS";
    if (bytes.size() < kDdsHeader) return wrong = {bytes.size(), "the header is cut off"}, false;
    if (wordAt(bytes, 4) != 124) return wrong = {4, "the header does not say that it has 124 bytes"}, false;
    if (wordAt(bytes, 76) != 32) return wrong = {76, "the pixel format does not say that it has 32 bytes"}, false;
    if (!ddsLayout(bytes, file.layout, wrong)) return false;
    const bool hasTen = (wordAt(bytes, 80) & 4) != 0 && wordAt(bytes, 84) == fourCC("DX10");
    const uint32_t caps = wordAt(bytes, 112);
    if (hasTen && wordAt(bytes, 140) > 1) return wrong = {140, "array textures are not read"}, false;
    const bool isCube = (caps & kCubeMap) != 0 || (hasTen && (wordAt(bytes, 136) & 4) != 0);
    if (isCube && !hasTen && (caps & kAllFaces) != kAllFaces)
        return wrong = {112, "cube maps without all six faces are not read"}, false;
    file.faces = isCube ? 6 : 1;
    const uint32_t width = wordAt(bytes, 16), height = wordAt(bytes, 12);
    const uint32_t depth = (caps & kVolume) != 0 ? wordAt(bytes, 24) : 1;
    const uint32_t levels = (wordAt(bytes, 8) & kHasMipCount) != 0 ? std::max(wordAt(bytes, 28), 1u) : 1;
    const std::string size = wrongSize(width, height, depth, levels);
    if (!size.empty()) return wrong = {12, size}, false;
    size_t at = hasTen ? kDdsHeader10 : kDdsHeader;
    file.levels.resize(static_cast<size_t>(file.faces));
    for (int face = 0; face < file.faces; ++face)
        for (uint32_t i = 0; i < levels; ++i) {
            TextureFileLevel level = levelOf(width, height, depth, i);
            level.bytes = sliceBytes(file.layout, level.width, level.height) * static_cast<size_t>(level.depth);
            level.offset = at;
            if (!holds(bytes, level))
                return wrong = {at, fmt::format("level {} of face {} is cut off: {} of {} bytes are there", i, face,
                                                bytes.size() - std::min(at, bytes.size()), level.bytes)},
                       false;
            at += level.bytes;
            file.levels[static_cast<size_t>(face)].push_back(level);
        }
    return true;
}

}  // namespace

bool parseTextureFile(std::span<const std::byte> bytes, TextureFile& file, std::string& error) {
    Wrong wrong;
    bool isRead = false;
    if (bytes.size() >= sizeof kKtxMagic && std::memcmp(bytes.data(), kKtxMagic, sizeof kKtxMagic) == 0) {
        isRead = parseKtx(bytes, file, wrong);
    } else if (bytes.size() >= 4 && wordAt(bytes, 0) == fourCC("DDS ")) {
        isRead = parseDds(bytes, file, wrong);
    } else {
        wrong = {0, "this is neither a KTX 1 nor a DDS file, nor a PNG or JPEG picture"};
    }
    if (!isRead) error = fmt::format("at byte {}: {}", wrong.at, wrong.what);
    return isRead;
}

Texels decodeLevel(std::span<const std::byte> bytes, const TextureFile& file, int face, int level, int slice) {
    const TextureFileLevel& from = file.levels[static_cast<size_t>(face)][static_cast<size_t>(level)];
    const size_t oneSlice = from.bytes / static_cast<size_t>(from.depth);
    const std::byte* texels = bytes.data() + from.offset + oneSlice * static_cast<size_t>(slice);
    texture::Image image(file.layout.storage, from.width, from.height);
    const Rect all = {0, 0, from.width, from.height};
    if (file.layout.blocks != nullptr) {
        texture::decode(*file.layout.blocks, texels, image, all);
    } else {
        texture::ClientLayout client = file.layout.client;
        client.rowStride = rowBytes(file.layout, from.width);
        texture::upload(image, all, texels, client);
    }
    Texels result{from.width, from.height, {}};
    result.rgba.resize(static_cast<size_t>(from.width) * from.height * 4);
    texture::readBack(image, all, reinterpret_cast<std::byte*>(result.rgba.data()),
                      {ClientFormat::Rgba, ClientType::U8, static_cast<size_t>(from.width) * 4});
    return result;
}

std::vector<Texels> mipChain(const Texels& base) {
    std::vector<Texels> chain = {base};
    auto image = std::make_unique<texture::Image>(PixelFormat::Rgba8, base.width, base.height);
    const auto layoutOf = [](int width) {
        return texture::ClientLayout{ClientFormat::Rgba, ClientType::U8, static_cast<size_t>(width) * 4};
    };
    texture::upload(*image, {0, 0, base.width, base.height}, reinterpret_cast<const std::byte*>(base.rgba.data()),
                    layoutOf(base.width));
    while (image->width() > 1 || image->height() > 1) {
        const int width = std::max(image->width() / 2, 1), height = std::max(image->height() / 2, 1);
        auto next = std::make_unique<texture::Image>(PixelFormat::Rgba8, width, height);
        texture::downsample(*image, *next);
        Texels level{width, height, std::vector<uint8_t>(static_cast<size_t>(width) * height * 4)};
        texture::readBack(*next, {0, 0, width, height}, reinterpret_cast<std::byte*>(level.rgba.data()),
                          layoutOf(width));
        chain.push_back(std::move(level));
        image = std::move(next);
    }
    return chain;
}

namespace {

void appendWord(std::string& bytes, uint32_t word) {
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(word >> 8 * i & 0xFF));
}
void appendTexels(std::string& bytes, const Texels& level) {
    bytes.append(reinterpret_cast<const char*>(level.rgba.data()), level.rgba.size());
}

}  // namespace

std::string writeKtx(const TexelChains& faces) {
    std::string bytes(reinterpret_cast<const char*>(kKtxMagic), sizeof kKtxMagic);
    const std::string orientation("KTXorientation\0S=r,T=d\0", 23);
    const auto levels = static_cast<uint32_t>(faces[0].size());
    for (const uint32_t word :
         {0x04030201u, 0x1401u, 1u, 0x1908u, 0x8058u, 0x1908u, static_cast<uint32_t>(faces[0][0].width),
          static_cast<uint32_t>(faces[0][0].height), 0u, 0u, static_cast<uint32_t>(faces.size()), levels, 28u})
        appendWord(bytes, word);
    appendWord(bytes, static_cast<uint32_t>(orientation.size()));
    bytes += orientation + std::string(1, '\0');
    for (uint32_t i = 0; i < levels; ++i) {
        appendWord(bytes, static_cast<uint32_t>(faces[0][i].rgba.size()));
        for (const auto& chain : faces) appendTexels(bytes, chain[i]);
    }
    return bytes;
}

std::string writeDds(const TexelChains& faces) {
    std::string bytes = "DDS ";
    const auto width = static_cast<uint32_t>(faces[0][0].width), height = static_cast<uint32_t>(faces[0][0].height);
    const auto levels = static_cast<uint32_t>(faces[0].size());
    const bool isCube = faces.size() == 6;
    // Flags: caps, height, width, pitch, pixel format, mipmap count.
    for (const uint32_t word : {124u, 0x2100Fu, height, width, width * 4, 0u, levels}) appendWord(bytes, word);
    for (int i = 0; i < 11; ++i) appendWord(bytes, 0);
    for (const uint32_t word : {32u, 0x41u, 0u, 32u, 0xFFu, 0xFF00u, 0xFF0000u, 0xFF000000u}) appendWord(bytes, word);
    for (const uint32_t word : {0x401008u, isCube ? 0xFE00u : 0u, 0u, 0u, 0u}) appendWord(bytes, word);
    for (const auto& chain : faces)
        for (const Texels& level : chain) appendTexels(bytes, level);
    return bytes;
}

}  // namespace tessera::tools
