#include "model/texel_stream.h"

#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace tessera::model {

namespace {

constexpr char kMagic[] = "TSTREAM2";
constexpr size_t kMagicBytes = sizeof kMagic - 1;
constexpr uint8_t kTargetRecord = 1, kBlockRecord = 2, kEndRecord = 3;

template <class T>
void append(std::string& bytes, T value) {
    for (size_t i = 0; i < sizeof(T); ++i) bytes.push_back(static_cast<char>(value >> 8 * i & 0xFF));
}

/// Takes little-endian numbers; past the end they are 0 and ok() is false.
class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    template <class T>
    T take() {
        T value = 0;
        if (bytes_.size() - at_ < sizeof(T)) {
            ok_ = false;
            at_ = bytes_.size();
            return 0;
        }
        for (size_t i = 0; i < sizeof(T); ++i)
            value = static_cast<T>(value | static_cast<T>(std::to_integer<T>(bytes_[at_ + i]) << 8 * i));
        at_ += sizeof(T);
        return value;
    }
    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] size_t at() const { return at_; }
    [[nodiscard]] bool atEnd() const { return at_ == bytes_.size(); }

private:
    std::span<const std::byte> bytes_;
    size_t at_ = 0;
    bool ok_ = true;
};

/// What is wrong with a block's fields; empty: nothing.
const char* wrongField(const TexelBlock& block) {
    const auto isPair = [](int count) { return count == 1 || count == 2; };
    if (!isPair(block.columns) || !isPair(block.rows) || !isPair(block.slices)) return "a footprint is 1 or 2 texels";
    if (block.entriesPerTexel != 1 && block.entriesPerTexel != 2 && block.entriesPerTexel != 4)
        return "a texel has 1, 2 or 4 entries";
    if (block.unit >= 16) return "there are 16 texture units";
    if (block.image >= 1u << 20) return "image numbers have 20 bits";
    return "";
}

TexelBlock takeBlock(Reader& in) {
    TexelBlock block;
    block.draw = in.take<uint32_t>();
    block.image = in.take<uint32_t>();
    block.target = in.take<uint32_t>();
    block.texture = in.take<uint32_t>();
    block.pixelX = in.take<uint16_t>();
    block.pixelY = in.take<uint16_t>();
    block.lanes = in.take<uint16_t>();
    block.unit = in.take<uint8_t>();
    block.entriesPerTexel = in.take<uint8_t>();
    block.columns = in.take<uint8_t>();
    block.rows = in.take<uint8_t>();
    block.slices = in.take<uint8_t>();
    block.isVertex = in.take<uint8_t>() != 0;
    return block;
}

void takeTexels(Reader& in, TexelBlock& block) {
    for (uint32_t lanes = block.lanes; lanes != 0; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        for (int i = 0; i < block.columns; ++i) block.x[i][lane] = in.take<uint16_t>();
        for (int i = 0; i < block.rows; ++i) block.y[i][lane] = in.take<uint16_t>();
        for (int i = 0; i < block.slices; ++i) block.z[i][lane] = in.take<uint16_t>() & 0xFFF;
    }
}

}  // namespace

TexelFootprint TexelBlock::footprint(int lane) const {
    TexelFootprint result;
    result.columns = columns, result.rows = rows, result.slices = slices;
    for (int i = 0; i < 2; ++i) {
        result.x[i] = x[i][lane];
        result.y[i] = y[i][lane];
        result.z[i] = z[i][lane];
    }
    return result;
}

int TexelBlock::engineOf(int lane) const { return isVertex ? lane : (pixelX / 4 & 3) | (pixelY / 4 & 3) << 2; }

std::string beginStream() { return kMagic; }

void appendTarget(std::string& bytes, uint32_t number, StreamTarget target) {
    append(bytes, kTargetRecord);
    append(bytes, number);
    append(bytes, target.width);
    append(bytes, target.height);
}

void appendBlock(std::string& bytes, const TexelBlock& block) {
    append(bytes, kBlockRecord);
    for (const uint32_t value : {block.draw, block.image, block.target, block.texture}) append(bytes, value);
    for (const uint16_t value : {block.pixelX, block.pixelY, block.lanes}) append(bytes, value);
    for (const uint8_t value : {block.unit, block.entriesPerTexel, block.columns, block.rows, block.slices,
                                static_cast<uint8_t>(block.isVertex ? 1 : 0)})
        append(bytes, value);
    for (uint32_t lanes = block.lanes; lanes != 0; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        for (int i = 0; i < block.columns; ++i) append(bytes, block.x[i][lane]);
        for (int i = 0; i < block.rows; ++i) append(bytes, block.y[i][lane]);
        for (int i = 0; i < block.slices; ++i) append(bytes, block.z[i][lane]);
    }
}

void appendEnd(std::string& bytes, uint32_t blocks) {
    append(bytes, kEndRecord);
    append(bytes, blocks);
}

bool readStream(std::span<const std::byte> bytes, TexelStream& stream, std::string& error) {
    const auto wrong = [&](size_t at, const std::string& what) {
        error = fmt::format("at byte {}: {}", at, what);
        return false;
    };
    if (bytes.size() < kMagicBytes || std::memcmp(bytes.data(), kMagic, kMagicBytes) != 0)
        return wrong(0, fmt::format("a texel stream starts with \"{}\"", kMagic));
    Reader in(bytes.subspan(kMagicBytes));
    while (true) {
        const size_t at = kMagicBytes + in.at();
        const auto kind = in.take<uint8_t>();
        if (kind == kTargetRecord) {
            const auto number = in.take<uint32_t>();
            const auto width = in.take<uint16_t>(), height = in.take<uint16_t>();
            if (in.ok()) stream.targets[number] = {width, height};
        } else if (kind == kBlockRecord) {
            TexelBlock block = takeBlock(in);
            if (const char* what = wrongField(block); in.ok() && *what != 0) return wrong(at, what);
            takeTexels(in, block);
            if (in.ok()) stream.blocks.push_back(block);
        } else if (kind == kEndRecord) {
            const auto blocks = in.take<uint32_t>();
            if (in.ok() && blocks != static_cast<uint32_t>(stream.blocks.size()))
                return wrong(at, fmt::format("{} blocks are promised, {} are there", blocks, stream.blocks.size()));
            if (in.ok()) return in.atEnd() || wrong(kMagicBytes + in.at(), "something follows the end of the stream");
        } else if (in.ok()) {
            return wrong(at, fmt::format("no record is of kind {}", kind));
        }
        if (!in.ok()) {
            stream.leftOut = bytes.size() - at;
            return true;
        }
    }
}

TexelBlock texelBlock(const pipeline::TextureFetch& fetch, uint32_t image, uint32_t target) {
    const texture::TexelFetch& texels = *fetch.texels;
    TexelBlock block;
    block.draw = static_cast<uint32_t>(fetch.draw);
    block.image = image;
    block.target = target;
    block.texture = static_cast<uint32_t>(fetch.view->identity);
    block.pixelX = static_cast<uint16_t>(fetch.pixelX);
    block.pixelY = static_cast<uint16_t>(fetch.pixelY);
    block.lanes = static_cast<uint16_t>(texels.lanes);
    block.unit = static_cast<uint8_t>(fetch.unit);
    block.entriesPerTexel = static_cast<uint8_t>(texture::elementBytes(texels.image->element()) / 4);
    block.columns = block.rows = texels.linear ? 2 : 1;
    block.slices = texels.linear && fetch.view->kind == texture::Kind::Tex3D ? 2 : 1;
    block.isVertex = fetch.isVertex;
    for (int i = 0; i < 2; ++i)
        for (int lane = 0; lane < 16; ++lane) {
            block.x[i][lane] = static_cast<uint16_t>(texels.x[i][lane]);
            block.y[i][lane] = static_cast<uint16_t>(texels.y[i][lane]);
            block.z[i][lane] = static_cast<uint16_t>(texels.z[i][lane]);
        }
    return block;
}

pipeline::TextureCacheCounters EngineCaches::read(const TexelBlock& block, uint32_t* missesOfLane,
                                                  std::vector<LineRead>* missed) {
    std::vector<TextureCache>& caches = draws_[block.draw];
    if (caches.empty()) caches.assign(kTextureEngines, TextureCache(shape_));
    const CachedImage image = {block.image, block.entriesPerTexel};
    pipeline::TextureCacheCounters own;
    for (uint32_t lanes = block.lanes; lanes != 0; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        const pipeline::TextureCacheCounters lookup =
            caches[block.engineOf(lane)].read(image, block.footprint(lane), missed);
        if (missesOfLane != nullptr) missesOfLane[lane] = static_cast<uint32_t>(lookup.misses);
        own.add(lookup);
    }
    return own;
}

}  // namespace tessera::model
