// The certificate of functions: hashes of their results over all elements, as functions.txt publishes them, and what
// gives other results than the definition.
//
// The 2^32 elements of a function are 256 chunks of 2^24. A chunk's hash is XXH3 (64 bits, seed 0) over its results,
// each four bytes, little endian. A sample has one element of every 4,096 neighbours and a hash of its own.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "tests/certify/functions.h"

namespace tessera::certify {

inline constexpr uint32_t kChunks = 256, kChunkElements = 1u << 24, kSampleElements = 1u << 20;
/// Chunks that are published of a function with more than one operand.
inline constexpr uint32_t kStratifiedChunks = 16;
[[nodiscard]] inline uint32_t publishedChunks(const Function& f) { return f.exhaustive ? kChunks : kStratifiedChunks; }

/// Some elements of every function: a chunk, or the sample.
struct Slice {
    static constexpr uint32_t kSample = kChunks;
    uint32_t chunk = kSample;

    [[nodiscard]] uint32_t size() const { return chunk == kSample ? kSampleElements : kChunkElements; }
    /// Number of the slice's n-th element.
    [[nodiscard]] uint32_t element(uint32_t n) const;
    [[nodiscard]] bool isPublished(const Function& f) const { return chunk == kSample || chunk < publishedChunks(f); }
    [[nodiscard]] std::string name() const;
};

/// Whatever computes results: a tier, or the definition. The function is a number in functions().
using Evaluate = std::function<void(size_t function, const Operands& operands, std::span<uint32_t> results)>;

/// Hashes of some functions over the slice. They share what it takes to make operands.
[[nodiscard]] std::vector<uint64_t> hashSlice(Slice slice, std::span<const size_t> which, const Evaluate& evaluate);

struct Difference {
    uint32_t element = 0;
    std::array<uint32_t, 3> operands{};
    uint32_t expected = 0, found = 0;
};
/// The slice's first element whose result is not the defined one.
[[nodiscard]] std::optional<Difference> firstDifference(Slice slice, size_t which, const Evaluate& evaluate);
/// "rcp.f32: of 0x00400000 expected 0x7e800000, found 0x7e800001 (element 4194304)".
[[nodiscard]] std::string describe(const Function& function, const Difference& difference);

/// What is published of a function.
struct Record {
    uint64_t sample = 0;
    std::vector<uint64_t> chunks;

    [[nodiscard]] uint64_t& at(Slice slice) { return slice.chunk == Slice::kSample ? sample : chunks[slice.chunk]; }
    bool operator==(const Record&) const = default;
};
using Records = std::map<std::string, Record, std::less<>>;

/// Text of functions.txt, functions in the order of the instruction table; and back. Empty, with a reason, for what
/// toText() did not write or somebody changed by half.
[[nodiscard]] std::string toText(const Records& records);
[[nodiscard]] Records fromText(std::string_view text, std::string* why);

}  // namespace tessera::certify
