// Vertex collection: the range of vertex numbers, their array elements, their numbers in the chunk, the corners.
#include "pipeline/geometry/vertex_collect.h"

#include <algorithm>
#include <cstring>

#include "base/simd.h"
#include "pipeline/commands.h"
#include "pipeline/geometry/assembly.h"

namespace tessera::pipeline {
namespace {

/// A table over the elements pays as long as it is not much larger than the list.
constexpr uint32_t kTablePerElement = 8, kTableLeast = 1024;

/// The vertex numbers that a run of primitives names: `count` from `first` on; a fan's first vertex comes before them.
struct OrdinalRange {
    uint32_t first = 0, count = 0;
    bool hasCenter = false;
};

OrdinalRange ordinalRange(Primitive primitive, uint32_t first, uint32_t count) {
    switch (primitive) {
        case Primitive::Points:
            return {first, count};
        case Primitive::Lines:
            return {2 * first, 2 * count};
        case Primitive::LineLoop:
        case Primitive::LineStrip:
            return {first, count + 1};
        case Primitive::Triangles:
            return {3 * first, 3 * count};
        case Primitive::TriangleStrip:
            return {first, count + 2};
        case Primitive::TriangleFan:
            return {first + 1, count + 1, true};
    }
    return {};
}

template <class Index>
void loadIndices(const std::byte* from, uint32_t base, uint32_t* to, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        Index index;
        std::memcpy(&index, from + size_t{i} * sizeof(Index), sizeof(Index));
        to[i] = index + base;
    }
}

/// The array elements of the range, of a draw with indices.
void loadElements(const Draw& draw, OrdinalRange range, uint32_t* to) {
    if (range.hasCenter) *to++ = vertexElement(draw, 0);
    const uint32_t bytes = draw.indexType == IndexType::U8 ? 1 : draw.indexType == IndexType::U16 ? 2 : 4;
    const uint64_t size = draw.indices ? draw.indices->size() : 0;
    const uint64_t length = uint64_t{range.count} * bytes;
    uint64_t start = 0;
    if (__builtin_add_overflow(draw.indexOffset, uint64_t{range.first} * bytes, &start) || start > size ||
        size - start < length) {
        for (uint32_t i = 0; i < range.count; ++i) to[i] = vertexElement(draw, range.first + i);
        return;
    }
    const std::byte* from = draw.indices->data() + start;
    const auto base = static_cast<uint32_t>(draw.baseVertex);
    if (bytes == 1) return loadIndices<uint8_t>(from, base, to, range.count);
    if (bytes == 2) return loadIndices<uint16_t>(from, base, to, range.count);
    loadIndices<uint32_t>(from, base, to, range.count);
}

}  // namespace

void VertexCache::clear() {
    keys_.clear();
    std::fill(slots_.begin(), slots_.end(), 0);
}

void VertexCache::grow() {
    const size_t size = std::max<size_t>(64, slots_.size() * 2);
    std::vector<VertexKey> keys;
    keys.swap(keys_);
    slots_.assign(size, 0);
    for (VertexKey key : keys) add(key);
}

uint32_t VertexCache::add(VertexKey key) {
    if (keys_.size() * 2 >= slots_.size()) grow();
    const uint64_t mixed = (uint64_t{key.instance} << 32 | key.element) * 0x9E3779B97F4A7C15;  // Fibonacci hashing
    const size_t mask = slots_.size() - 1;
    size_t slot = mixed >> 40 & mask;
    for (; slots_[slot] != 0; slot = (slot + 1) & mask)
        if (keys_[slots_[slot] - 1] == key) return slots_[slot] - 1;
    keys_.push_back(key);
    slots_[slot] = static_cast<uint32_t>(keys_.size());
    return slots_[slot] - 1;
}

void VertexCollector::collect(const Draw& draw, std::span<const IndexRun> runs, uint32_t perInstance, uint64_t first,
                              uint32_t count) {
    for (std::vector<uint32_t>& corner : corner_)
        if (corner.size() < count + kBlockLanes) corner.resize(count + kBlockLanes);
    keys_ = {};
    Part part = {static_cast<uint32_t>(first / perInstance), static_cast<uint32_t>(first % perInstance), 0, 0, 0};
    for (; part.at < count; part.at += part.count, ++part.instance, part.first = 0) {
        part.count = std::min(count - part.at, perInstance - part.first);
        part.firstKey = static_cast<uint32_t>(keys_.size());
        // Only the first instance may begin in the middle, so the one before this is whole.
        if (part.count == perInstance && part.at >= perInstance) {
            repeat(part);
            continue;
        }
        // The last line of a loop goes back to vertex 0.
        const bool isRange = draw.primitive != Primitive::LineLoop || uint64_t{part.first} + part.count < draw.count;
        if (!runs.empty() ? !collectRuns(draw, runs, part) : !isRange || !collectRange(draw, part))
            return collectAny(draw, runs, perInstance, first, count);
    }
}

void VertexCollector::collectAny(const Draw& draw, std::span<const IndexRun> runs, uint32_t perInstance, uint64_t first,
                                 uint32_t count) {
    const int corners = cornerCount(draw.primitive);
    cache_.clear();
    for (uint32_t i = 0; i < count; ++i) {
        const auto instance = static_cast<uint32_t>((first + i) / perInstance);
        const auto number = static_cast<uint32_t>((first + i) % perInstance);
        uint32_t ordinals[3];
        drawCorners(draw, runs, number, ordinals);
        for (int c = 0; c < corners; ++c) corner_[c][i] = cache_.add({vertexElement(draw, ordinals[c]), instance});
    }
    keys_ = cache_.keys();
}

bool VertexCollector::collectRange(const Draw& draw, const Part& part) {
    const OrdinalRange range = ordinalRange(draw.primitive, part.first, part.count);
    const uint32_t listed = range.count + (range.hasCenter ? 1 : 0);
    makeRoom(part, listed);
    if (draw.indexType == IndexType::None) {
        VertexKey* keys = distinct_.data() + part.firstKey;
        uint32_t* number = elements_.data();
        if (range.hasCenter) *keys++ = {draw.first, part.instance};
        for (uint32_t i = 0; i < range.count; ++i) keys[i] = {draw.first + range.first + i, part.instance};
        for (uint32_t i = 0; i < listed; ++i) number[i] = part.firstKey + i;
        keys_ = {distinct_.data(), part.firstKey + listed};
    } else {
        loadElements(draw, range, elements_.data());
        if (!numberElements(part, listed)) return false;
    }
    const uint32_t* number = elements_.data();
    assemble(draw.primitive, part.first, part.count, range.hasCenter ? number + 1 : number, number[0], part.at);
    return true;
}

/// For `listed` vertices more.
void VertexCollector::makeRoom(const Part& part, uint32_t listed) {
    if (elements_.size() < listed) elements_.resize(listed);
    if (distinct_.size() <= part.firstKey + listed) distinct_.resize(part.firstKey + listed + 1);
}

/// A whole instance behind another whole one: its primitives are the same.
void VertexCollector::repeat(const Part& part) {
    const uint32_t before = part.at - part.count, end = part.firstKey;
    uint32_t first = end;  // of the keys of the instance before
    while (first != 0 && distinct_[first - 1].instance == part.instance - 1) --first;
    const uint32_t own = end - first;
    makeRoom(part, own);
    for (uint32_t i = 0; i < own; ++i) distinct_[end + i] = {distinct_[first + i].element, part.instance};
    for (std::vector<uint32_t>& corner : corner_)
        for (uint32_t i = 0; i < part.count; ++i) corner[part.at + i] = corner[before + i] + own;
    keys_ = {distinct_.data(), end + own};
}

/// Primitives of an instance from several runs; false where their vertex numbers or elements lie too far apart, as of a
/// long fan or loop.
bool VertexCollector::collectRuns(const Draw& draw, std::span<const IndexRun> runs, const Part& part) {
    const uint32_t first = part.first, count = part.count;
    const bool goesBack = draw.primitive == Primitive::TriangleFan || draw.primitive == Primitive::LineLoop;
    const IndexRun* const begin = &runOf(runs, first);
    const IndexRun& last = runOf(runs, first + count - 1);
    // Where the first vertex is, and the end.
    const OrdinalRange from = ordinalRange(draw.primitive, first - begin->firstPrimitive, 1);
    const OrdinalRange to = ordinalRange(draw.primitive, first + count - 1 - last.firstPrimitive, 1);
    const uint32_t low = begin->first + (goesBack ? 0 : from.first);
    // The last line of a loop goes beyond its vertices.
    const uint32_t high = last.first + std::min(to.first + to.count, last.count);
    if (high - low > kTablePerElement * count + kTableLeast) return false;
    makeRoom(part, high - low);
    loadElements(draw, {low, high - low, false}, elements_.data());
    uint32_t* const element = elements_.data();
    // Calls use(run, local, own, at, closes) for each run: `own` primitives of it, from its number `local` on, are
    // those of the chunk from `at` on; `closes`: the last one goes back to where a loop began.
    const auto forEachRun = [&](const auto& use) {
        uint32_t done = 0;
        for (const IndexRun* run = begin; done < count; ++run) {
            const uint32_t local = first + done - run->firstPrimitive;
            const uint32_t own = std::min(count - done, primitiveCount(draw.primitive, run->count) - local);
            use(*run, local, own, part.at + done, draw.primitive == Primitive::LineLoop && local + own == run->count);
            done += own;
        }
    };
    // What is in no primitive, as the indices between runs, is no vertex: one that is stands for it.
    uint32_t next = 0;
    const uint32_t used = element[begin->first + from.first - low];
    forEachRun([&](const IndexRun& run, uint32_t local, uint32_t own, uint32_t, bool closes) {
        const OrdinalRange range = ordinalRange(draw.primitive, local, own);
        const uint32_t start = run.first - low;
        const auto skipTo = [&](uint32_t to) {
            if (next < to) std::fill(element + next, element + to, used);
        };
        if (range.hasCenter || closes) skipTo(start), next = start + 1;
        skipTo(start + range.first);
        next = start + std::min(range.first + range.count, run.count);
    });
    if (!numberElements(part, high - low)) return false;
    forEachRun([&](const IndexRun& run, uint32_t local, uint32_t own, uint32_t at, bool closes) {
        const OrdinalRange range = ordinalRange(draw.primitive, local, own);
        const uint32_t start = run.first - low;  // below 0 where the chunk begins in the middle of the run
        const uint32_t* const number = element + static_cast<uint32_t>(start + range.first);
        const uint32_t center = range.hasCenter || closes ? element[start] : 0;
        assemble(draw.primitive, local, own - (closes ? 1 : 0), number, center, at);
        if (closes) corner_[0][at + own - 1] = number[own - 1], corner_[1][at + own - 1] = center;
    });
    return true;
}

/// Numbers `listed` elements in ascending order; false when they lie too far apart.
bool VertexCollector::numberElements(const Part& part, uint32_t listed) {
    uint32_t* elements = elements_.data();
    uint32_t low = ~0u, high = 0;
    for (uint32_t i = 0; i < listed; ++i) {
        low = std::min(low, elements[i]);
        high = std::max(high, elements[i]);
    }
    const uint64_t span = uint64_t{high} - low + 1;
    if (span > uint64_t{kTablePerElement} * listed + kTableLeast) return false;
    if (table_.size() < span) table_.resize(span);
    uint32_t* table = table_.data();
    std::memset(table, 0, span * sizeof(uint32_t));
    for (uint32_t i = 0; i < listed; ++i) table[elements[i] - low] = 1;
    VertexKey* keys = distinct_.data();  // has a place more than elements are listed
    uint32_t number = part.firstKey;
    for (uint32_t i = 0; i < span; ++i) {
        const uint32_t isUsed = table[i];
        keys[number] = {low + i, part.instance};
        table[i] = number;
        number += isUsed;
    }
    for (uint32_t i = 0; i < listed; ++i) elements[i] = table[elements[i] - low];
    keys_ = {distinct_.data(), number};
    return true;
}

/// The corners of primitives from `first` on of a run, from the numbers of its vertices: see primitiveCorners(). Those
/// of the first primitive's are at `number`, a fan's without its `center`; the corners go to place `at` and on.
void VertexCollector::assemble(Primitive primitive, uint32_t first, uint32_t count, const uint32_t* number,
                               uint32_t center, uint32_t at) {
    uint32_t *a = corner_[0].data() + at, *b = corner_[1].data() + at, *c = corner_[2].data() + at;
    switch (primitive) {
        case Primitive::Points:
            std::copy_n(number, count, a);
            return;
        case Primitive::Lines:
            for (uint32_t i = 0; i < count; ++i) a[i] = number[2 * i], b[i] = number[2 * i + 1];
            return;
        case Primitive::LineLoop:
        case Primitive::LineStrip:
            std::copy_n(number, count, a);
            std::copy_n(number + 1, count, b);
            return;
        case Primitive::Triangles:
            for (uint32_t i = 0; i < count; ++i)
                a[i] = number[3 * i], b[i] = number[3 * i + 1], c[i] = number[3 * i + 2];
            return;
        case Primitive::TriangleStrip:
            for (uint32_t i = 0; i < count; ++i) {
                const uint32_t isOdd = (first + i) & 1;
                a[i] = number[i + isOdd], b[i] = number[i + 1 - isOdd], c[i] = number[i + 2];
            }
            return;
        case Primitive::TriangleFan:
            std::fill_n(a, count, center);
            std::copy_n(number, count, b);
            std::copy_n(number + 1, count, c);
            return;
    }
}

}  // namespace tessera::pipeline
