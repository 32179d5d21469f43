// The address stream of the texture units, as a probe hears it and as a file: blocks of sixteen lookups with the texels
// that each lane reads. Images and targets are numbers, not addresses, so that a stream is the same in every run.
//
// A stream file (.tstream) is "TSTREAM2", then records, all little endian. A target: u8 1, u32 number, u16 width,
// u16 height. A block: u8 2, u32 draw, u32 image, u32 target, u32 texture (GL's name), u16 pixelX, u16 pixelY, u16
// lanes, u8 unit, u8 entries per texel, u8 columns, u8 rows, u8 slices, u8 stage (1: vertex); then for each lane in
// `lanes`, from the lowest, u16 for each column, row and slice. The end, behind which there is nothing: u8 3, u32
// number of blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/texture_cache.h"

namespace tessera::model {

/// What the lookups of a block read of one image. `unit` is GL's texture unit, where the image is bound; it does not
/// say which texture engine of the chip does the work.
struct TexelBlock {
    uint32_t draw = 0, image = 0, target = 0, texture = 0;
    uint16_t pixelX = 0, pixelY = 0, lanes = 0;
    uint8_t unit = 0, entriesPerTexel = 1, columns = 1, rows = 1, slices = 1;
    bool isVertex = false;
    uint16_t x[2][16] = {}, y[2][16] = {}, z[2][16] = {};

    [[nodiscard]] TexelFootprint footprint(int lane) const;
    /// The texture engine that serves a lane, 0..15. Engines serve fragments by their place on the target, a block of
    /// 4x4 pixels each, sixteen blocks in a square side by side; vertices, which have no place, by their lane
    /// (docs/adr/0013-texture-engines-by-place.md).
    [[nodiscard]] int engineOf(int lane) const;
};

/// What a probe hears, with the numbers that image and target are to have.
[[nodiscard]] TexelBlock texelBlock(const pipeline::TextureFetch& fetch, uint32_t image, uint32_t target);

struct StreamTarget {
    uint16_t width = 0, height = 0;
};

struct TexelStream {
    std::map<uint32_t, StreamTarget> targets;
    std::vector<TexelBlock> blocks;  ///< in the order in which they were read
    std::optional<size_t> leftOut;   ///< bytes behind the last whole record of a file that is cut off; none: it is not
};

/// The bytes of a stream file without records.
[[nodiscard]] std::string beginStream();
/// Append a record.
void appendTarget(std::string& bytes, uint32_t number, StreamTarget target);
void appendBlock(std::string& bytes, const TexelBlock& block);
void appendEnd(std::string& bytes, uint32_t blocks);

/// False, and what is wrong with the bytes and where, unless they are a stream file, or what is left of one that is cut
/// off.
[[nodiscard]] bool readStream(std::span<const std::byte> bytes, TexelStream& stream, std::string& error);

inline constexpr int kTextureEngines = 16;  ///< seed 004, section 2.3

/// The caches of the sixteen texture engines, for every draw that is under way: draws of a scene are rasterised tile by
/// tile, but each has the caches to itself and starts with empty ones.
class EngineCaches {
public:
    explicit EngineCaches(const TextureCacheShape& shape = {}) : shape_(shape) {}

    /// Counters of this block alone. `missesOfLane`, unless null, gets 16 numbers, and `missed` the lines.
    pipeline::TextureCacheCounters read(const TexelBlock& block, uint32_t* missesOfLane = nullptr,
                                        std::vector<LineRead>* missed = nullptr);
    /// The draws so far are done.
    void clear() { draws_.clear(); }

private:
    TextureCacheShape shape_;
    std::map<uint32_t, std::vector<TextureCache>> draws_;
};

}  // namespace tessera::model
