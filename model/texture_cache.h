// The texture cache of a texture engine (seed 004, section 2.3): 2 KB, 32 lines of 64 bytes, a line holding one tile of
// 4x4 texels of 32 bits; each line in four banks of 128 bits, which are read separately, so that the texels of a filter
// that lie in one tile come at once.
//
// What the paper leaves open is chosen here:
//   * A line is found by the tile's coordinates: set = interleaved bits of (x, y) of the tile, modulo the sets; 8 sets
//     of 4 ways. Tiles that touch are so in different sets, whatever the texture's width.
//   * The least recently used line of a set is replaced.
//   * A bank holds one row of a tile. In one cycle each bank delivers 128 bits of one line; texels of one lookup that
//     need a bank again cost one more cycle each time: a bank conflict.
//   * A texel of 64 or 128 bits takes two or four entries side by side.
//   * Every draw starts with empty caches, as it may read what the one before has written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/probe/texture_probe.h"

namespace tessera::model {

/// Powers of two throughout; ways divides lines.
struct TextureCacheShape {
    int lines = 32, ways = 4;
    int tileWidth = 4, tileHeight = 4;  ///< entries of 32 bits that a line holds
    int banks = 4, bankEntries = 4;     ///< a bank delivers that many neighbouring entries of a line, in a cycle

    [[nodiscard]] int lineBytes() const { return tileWidth * tileHeight * 4; }
    [[nodiscard]] int bytes() const { return lines * lineBytes(); }
    /// "2 KB, 32 lines of 4x4, 4 ways"
    [[nodiscard]] std::string name() const;
};

/// One image that is read: what tells it from others, and how many entries wide a texel is.
struct CachedImage {
    uint32_t number = 0;      ///< distinct for every image, face and level of a draw
    int entriesPerTexel = 1;  ///< 1, 2 or 4
};

/// The texels that one lookup reads of one image: the products of the columns and rows, of each slice.
struct TexelFootprint {
    int columns = 1, rows = 1, slices = 1;  ///< 1 or 2 each
    int32_t x[2], y[2], z[2] = {0, 0};
};

/// A line that a lookup reads.
struct LineRead {
    uint32_t tileX = 0, tileY = 0, slice = 0;  ///< where it lies in the image, in lines
    uint8_t texels = 0;                        ///< of the footprint, that begin in it
    uint8_t cycles = 0;                        ///< that the banks take, beyond those for the lines before it
};
/// The lines that one lookup reads, each once, in the order of the footprint's texels: slice by slice, row by row.
/// Their cycles together are those of the lookup: 1 and its bank conflicts.
struct LineReads {
    static constexpr int kMost = 32;  ///< two slices of two rows of two texels of four entries
    int count = 0;
    LineRead line[kMost];
};
[[nodiscard]] LineReads lineReads(const TextureCacheShape& shape, int entriesPerTexel, const TexelFootprint& footprint);

class TextureCache {
public:
    explicit TextureCache(const TextureCacheShape& shape = {});

    /// One lookup, and what it alone counted. Lines that it missed are added to `missed`, unless that is null.
    pipeline::TextureCacheCounters read(const CachedImage& image, const TexelFootprint& footprint,
                                        std::vector<LineRead>* missed = nullptr);
    void clear();  ///< empties the cache; the counters stay

    [[nodiscard]] const pipeline::TextureCacheCounters& counters() const { return counters_; }
    [[nodiscard]] const TextureCacheShape& shape() const { return shape_; }

private:
    struct Line {
        uint64_t tag = kEmpty;
        uint64_t lastUse = 0;
    };
    static constexpr uint64_t kEmpty = ~uint64_t{0};

    /// Asks for a line; false: it had to be fetched.
    [[nodiscard]] bool touch(uint64_t tag, uint32_t set);

    TextureCacheShape shape_;
    int sets_;
    std::vector<Line> lines_;  ///< the ways of a set follow each other
    uint64_t now_ = 0;
    pipeline::TextureCacheCounters counters_;
};

}  // namespace tessera::model
