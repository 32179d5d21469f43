// The cache of one texture engine: lines are found by the tile's coordinates, the least recently used one is replaced.
#include "model/texture_cache.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/check.h"

namespace tessera::model {

namespace {

/// The bits of x and y taken in turn, those of x first: neighbours in the plane are neighbours in the result.
uint32_t interleave(uint32_t x, uint32_t y) {
    const auto spread = [](uint32_t v) {
        v = (v | v << 8) & 0x00FF00FFu;
        v = (v | v << 4) & 0x0F0F0F0Fu;
        v = (v | v << 2) & 0x33333333u;
        return (v | v << 1) & 0x55555555u;
    };
    return spread(x & 0xFFFFu) | spread(y & 0xFFFFu) << 1;
}

int log2Of(int powerOfTwo) { return std::countr_zero(static_cast<unsigned>(powerOfTwo)); }

/// Entries of one lookup: two slices of two rows of two texels of four entries at most.
constexpr int kMostEntries = 32;

}  // namespace

std::string TextureCacheShape::name() const {
    const std::string size = bytes() % 1024 == 0 ? fmt::format("{} KB", bytes() / 1024) : fmt::format("{} B", bytes());
    return fmt::format("{}, {} lines of {}x{}, {} way{}", size, lines, tileWidth, tileHeight, ways,
                       ways == 1 ? "" : "s");
}

TextureCache::TextureCache(const TextureCacheShape& shape)
    : shape_(shape), sets_(shape.lines / shape.ways), lines_(shape.lines) {
    for (const int value : {shape.lines, shape.ways, shape.tileWidth, shape.tileHeight, shape.banks, shape.bankEntries})
        CHECK(value > 0 && std::has_single_bit(static_cast<unsigned>(value)));
    CHECK_LE(shape.ways, shape.lines);
}

void TextureCache::clear() { std::fill(lines_.begin(), lines_.end(), Line{}); }

bool TextureCache::touch(uint64_t tag, uint32_t set) {
    ++now_;
    Line* const first = &lines_[static_cast<size_t>(set) * shape_.ways];
    Line* const end = first + shape_.ways;
    Line* line = std::find_if(first, end, [&](const Line& one) { return one.tag == tag; });
    const bool isHit = line != end;
    if (!isHit) {
        line = std::min_element(first, end, [](const Line& a, const Line& b) { return a.lastUse < b.lastUse; });
        line->tag = tag;
    }
    line->lastUse = now_;
    return isHit;
}

pipeline::TextureCacheCounters TextureCache::read(const CachedImage& image, const TexelFootprint& footprint) {
    const int widthBits = log2Of(shape_.tileWidth), heightBits = log2Of(shape_.tileHeight);
    const int wordBits = log2Of(shape_.bankEntries);
    uint64_t asked[kMostEntries];  // lines
    uint64_t words[kMostEntries];  // a bank's words of a line, that the lookup reads
    int askedCount = 0, wordCount = 0;
    const auto isNew = [](const uint64_t* list, int count, uint64_t value) {
        return std::find(list, list + count, value) == list + count;
    };
    pipeline::TextureCacheCounters own;
    own.lookups = 1;
    for (int slice = 0; slice < footprint.slices; ++slice)
        for (int row = 0; row < footprint.rows; ++row)
            for (int i = 0; i < footprint.columns * image.entriesPerTexel; ++i) {
                const int column = i / image.entriesPerTexel, entry = i % image.entriesPerTexel;
                const auto x = static_cast<uint32_t>(footprint.x[column] * image.entriesPerTexel + entry);
                const auto y = static_cast<uint32_t>(footprint.y[row]), z = static_cast<uint32_t>(footprint.z[slice]);
                const uint32_t tileX = x >> widthBits, tileY = y >> heightBits;
                const uint64_t tag = static_cast<uint64_t>(image.number) << 44 | static_cast<uint64_t>(z) << 32 |
                                     static_cast<uint64_t>(tileY) << 16 | tileX;
                if (isNew(asked, askedCount, tag)) {
                    asked[askedCount++] = tag;
                    const auto set = (interleave(tileX, tileY) ^ z) & static_cast<uint32_t>(sets_ - 1);
                    ++(touch(tag, set) ? own.hits : own.misses);
                }
                const uint32_t inTile = (y & static_cast<uint32_t>(shape_.tileHeight - 1)) << widthBits |
                                        (x & static_cast<uint32_t>(shape_.tileWidth - 1));
                // Distinct words are told apart by the line's place in `asked` and their number in it.
                const auto line = static_cast<uint64_t>(std::find(asked, asked + askedCount, tag) - asked);
                const uint64_t word = line << 32 | inTile >> wordBits;
                if (isNew(words, wordCount, word)) words[wordCount++] = word;
            }
    // The lookup takes as many cycles as the busiest bank has words to deliver.
    int busiest = 0;
    for (int bank = 0; bank < shape_.banks; ++bank)
        busiest = std::max(busiest, static_cast<int>(std::count_if(words, words + wordCount, [&](uint64_t word) {
                               return (word & static_cast<uint64_t>(shape_.banks - 1)) == static_cast<uint64_t>(bank);
                           })));
    own.bankConflicts = static_cast<uint64_t>(busiest - 1);
    own.bytes = own.misses * static_cast<uint64_t>(shape_.lineBytes());
    counters_.add(own);
    return own;
}

}  // namespace tessera::model
