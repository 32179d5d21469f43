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

LineReads lineReads(const TextureCacheShape& shape, int entriesPerTexel, const TexelFootprint& footprint) {
    const int widthBits = log2Of(shape.tileWidth), heightBits = log2Of(shape.tileHeight);
    const int wordBits = log2Of(shape.bankEntries);
    const auto bankMask = static_cast<uint32_t>(shape.banks - 1);
    struct Word {
        int line;
        uint32_t number;  ///< in the line; the bank is its lowest bits
        bool operator==(const Word&) const = default;
    };
    LineReads reads;
    Word words[LineReads::kMost];  // distinct
    int wordCount = 0;
    for (int slice = 0; slice < footprint.slices; ++slice)
        for (int row = 0; row < footprint.rows; ++row)
            for (int i = 0; i < footprint.columns * entriesPerTexel; ++i) {
                const int column = i / entriesPerTexel, entry = i % entriesPerTexel;
                const auto x = static_cast<uint32_t>(footprint.x[column] * entriesPerTexel + entry);
                const auto y = static_cast<uint32_t>(footprint.y[row]), z = static_cast<uint32_t>(footprint.z[slice]);
                const LineRead line = {x >> widthBits, y >> heightBits, z};
                LineRead* const end = reads.line + reads.count;
                LineRead* const found = std::find_if(reads.line, end, [&](const LineRead& other) {
                    return other.tileX == line.tileX && other.tileY == line.tileY && other.slice == line.slice;
                });
                if (found == end) reads.line[reads.count++] = line;
                found->texels += entry == 0;
                const uint32_t inTile = (y & static_cast<uint32_t>(shape.tileHeight - 1)) << widthBits |
                                        (x & static_cast<uint32_t>(shape.tileWidth - 1));
                const Word word = {static_cast<int>(found - reads.line), inTile >> wordBits};
                if (std::find(words, words + wordCount, word) == words + wordCount) words[wordCount++] = word;
            }
    // A lookup takes as many cycles as the busiest bank has words to deliver.
    int busiest = 0;
    for (int i = 0; i < reads.count; ++i) {
        const int before = busiest;
        for (uint32_t bank = 0; bank <= bankMask; ++bank)
            busiest = std::max(busiest, static_cast<int>(std::count_if(words, words + wordCount, [&](const Word& word) {
                                   return word.line <= i && (word.number & bankMask) == bank;
                               })));
        reads.line[i].cycles = static_cast<uint8_t>(busiest - before);
    }
    return reads;
}

pipeline::TextureCacheCounters TextureCache::read(const CachedImage& image, const TexelFootprint& footprint,
                                                  std::vector<LineRead>* missed) {
    pipeline::TextureCacheCounters own;
    own.lookups = 1;
    const LineReads reads = lineReads(shape_, image.entriesPerTexel, footprint);
    for (int i = 0; i < reads.count; ++i) {
        const LineRead& line = reads.line[i];
        const uint64_t tag = static_cast<uint64_t>(image.number) << 44 | static_cast<uint64_t>(line.slice) << 32 |
                             static_cast<uint64_t>(line.tileY) << 16 | line.tileX;
        const auto set = (interleave(line.tileX, line.tileY) ^ line.slice) & static_cast<uint32_t>(sets_ - 1);
        const bool isHit = touch(tag, set);
        ++(isHit ? own.hits : own.misses);
        if (!isHit && missed != nullptr) missed->push_back(line);
        own.bankConflicts += line.cycles;
    }
    --own.bankConflicts;
    own.bytes = own.misses * static_cast<uint64_t>(shape_.lineBytes());
    counters_.add(own);
    return own;
}

}  // namespace tessera::model
