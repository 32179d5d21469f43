// Which vertices a chunk of primitives needs: every distinct one gets a number, so that each is shaded once, and the
// corners of the primitives are given as such numbers.
//
// Primitives that follow each other name a contiguous range of vertex numbers of the draw (a fan its first vertex
// besides), also those of several runs (index_runs.h). Without indices these are the vertices. With indices whose
// values lie close together a table over the values numbers them in ascending order, which also keeps the attribute
// fetch on neighbouring memory; others are looked up in a hash table. Instances of a chunk are collected one after
// another, and a whole one is numbered as the whole one before it.
#pragma once

#include <span>
#include <vector>

#include "pipeline/geometry/index_runs.h"
#include "pipeline/geometry/vertex_fetch.h"

namespace tessera::pipeline {

/// Gives every distinct key a number in order of first use.
class VertexCache {
public:
    void clear();
    uint32_t add(VertexKey key);
    [[nodiscard]] const std::vector<VertexKey>& keys() const { return keys_; }

private:
    void grow();
    std::vector<VertexKey> keys_;
    std::vector<uint32_t> slots_;  ///< vertex number + 1, or 0; open addressing, a power of two
};

/// Memory is kept from chunk to chunk.
class VertexCollector {
public:
    /// Collects primitives first .. first + count - 1 of the draw, which has `perInstance` for each instance, and
    /// `runs` if an index restarts it.
    void collect(const Draw& draw, std::span<const IndexRun> runs, uint32_t perInstance, uint64_t first,
                 uint32_t count);

    /// The distinct vertices.
    [[nodiscard]] std::span<const VertexKey> keys() const { return keys_; }
    /// Corner number `c` of each of the primitives; readable up to kBlockLanes beyond the last.
    [[nodiscard]] const uint32_t* corner(int c) const { return corner_[c].data(); }

private:
    void collectAny(const Draw& draw, std::span<const IndexRun> runs, uint32_t perInstance, uint64_t first,
                    uint32_t count);
    /// What a chunk has of an instance.
    struct Part {
        uint32_t instance;
        uint32_t first, count;  ///< primitives of the instance
        uint32_t at;            ///< of the chunk
        uint32_t firstKey;      ///< keys of the parts before
    };
    bool collectRange(const Draw& draw, const Part& part);
    bool collectRuns(const Draw& draw, std::span<const IndexRun> runs, const Part& part);
    void repeat(const Part& part);
    void makeRoom(const Part& part, uint32_t listed);
    bool numberElements(const Part& part, uint32_t listed);
    void assemble(Primitive primitive, uint32_t first, uint32_t count, const uint32_t* number, uint32_t center,
                  uint32_t at);

    std::span<const VertexKey> keys_;
    std::vector<uint32_t> corner_[3];
    std::vector<uint32_t> elements_;  ///< array elements of the range; then their numbers
    std::vector<uint32_t> table_;     ///< by element: used or not, then the number
    std::vector<VertexKey> distinct_;
    VertexCache cache_;
};

}  // namespace tessera::pipeline
