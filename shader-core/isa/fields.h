// The bit fields of the instruction word, as data: encode, decode, the generated documentation and the overlap
// proofs below all read these tables.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "shader-core/isa/isa.h"

namespace tessera::isa {

struct Field {
    std::string_view name;
    uint8_t first, width;  ///< bits first .. first + width - 1 of the 128-bit word
    std::string_view meaning;
};

namespace field {
inline constexpr Field kOpcode{"opcode", 0, 5, "group of instructions"};
inline constexpr Field kFunction{"function", 5, 5, "instruction within the group"};
inline constexpr Field kSaturate{"saturate", 10, 1, "clamp the f32 result to 0..1"};
inline constexpr Field kGuard{"guard", 11, 2, "0 unguarded, 1..3 predicate p1..p3"};
inline constexpr Field kGuardNegate{"guard negate", 13, 1, "execute where the predicate is false"};
inline constexpr Field kType{"type", 14, 2, "data type: 0 f32, 1 i32, 2 u32"};
inline constexpr Field kSubsetWidth{"subset width", 16, 2, "0 full, 1 half, 2 quarter, 3 one (compute)"};
inline constexpr Field kSubsetDepth{"subset depth", 18, 2, "0 full, 1 half, 2 quarter, 3 one (compute)"};
inline constexpr Field kSubsetOfBlock{"subset of block", 63, 1,
                                      "0 of the rows of a group, 1 of the wavefronts of the block (compute)"};
inline constexpr Field kDstFile{"d file", 20, 3, "destination register file"};
inline constexpr Field kDstIndex{"d index", 23, 9, "destination register number"};
inline constexpr Field kDstMask{"d mask", 32, 4, "write mask: bit 0 x, bit 1 y, bit 2 z, bit 3 w"};
inline constexpr Field kDstRelative{"d relative", 36, 1, "add a0.x to the register number"};
inline constexpr Field kSnoopRow{"snoop row", 61, 2, "row of the lanes that snooping sources read (compute)"};
inline constexpr Field kSnoopOfBlock{
    "snoop of block", 127, 1, "sources snoop 0 in the rows of a group, 1 in the wavefronts of the block (compute)"};
inline constexpr Field kFirstWavefront{"first wavefront", 120, 7, "of the block, that the first snooping source reads"};
inline constexpr Field kSecondWavefront{"second wavefront", 112, 7, "the same for the second"};
inline constexpr Field kTextureUnit{"unit", 112, 5, "texture unit"};
inline constexpr Field kTextureTarget{
    "target", 117, 4, "0 2d, 1 cube, 2 3d, 3 external, 4 2dshadow, 5 2darray, 6 cubeshadow, 7 2darrayshadow"};
inline constexpr Field kTextureRelative{"unit relative", 121, 1, "add a0.x to the texture unit"};
inline constexpr Field kTexelOffsetX{"offset x", 16, 4, "texels added to the column of a lookup, -8..7"};
inline constexpr Field kTexelOffsetY{"offset y", 122, 4, "the same of the row"};
inline constexpr Field kTexelOffsetZ{"offset z", 60, 4, "the same of the slice"};
inline constexpr Field kGathered{"gathered", 126, 2, "component that a lookup takes of four texels"};
inline constexpr Field kImmediate{"immediate", 88, 32, "value of file i"};
inline constexpr Field kTarget{"branch target", 112, 16, "instruction number"};
inline constexpr Field kIterations{"iterations", 88, 16, "of a loop, 0 without end (compute)"};
inline constexpr Field kSlot{"slot", 120, 5, "memory: 0..15 buffers b0..b15, 16 shared"};
inline constexpr Field kElementSize{"element size", 125, 2, "0 word, 1 half, 2 byte"};
inline constexpr Field kBarrier{"barrier", 112, 4, "number of the barrier"};
inline constexpr Field kBarrierGroups{"groups", 116, 7, "groups that meet at the barrier, 0 all"};
}  // namespace field

/// The eight-part source descriptor; sources a, b and c start at these bits.
struct SourceFields {
    Field file, index, swizzle, negate, absolute, relative, snoop;
};
inline constexpr std::array<uint8_t, 3> kSourceFirst{37, 64, 88};
inline constexpr uint8_t kSourceWidth = 24;

constexpr SourceFields sourceFields(int source) {
    const uint8_t first = kSourceFirst[source];
    const auto at = [first](int offset) { return static_cast<uint8_t>(first + offset); };
    return {{"file", at(0), 3, "source register file"},
            {"index", at(3), 9, "source register number"},
            {"swizzle", at(12), 8, "two bits for each component, x lowest: 0 x, 1 y, 2 z, 3 w"},
            {"negate", at(20), 1, "negate, after absolute"},
            {"absolute", at(21), 1, "absolute value"},
            {"relative", at(22), 1, "add a0.x to the register number"},
            {"snoop", at(23), 1, "read the register of another lane (compute)"}};
}

inline constexpr std::array kCommonFields{field::kOpcode, field::kFunction,    field::kSaturate,
                                          field::kGuard,  field::kGuardNegate, field::kType};
/// Of all but lookups.
inline constexpr std::array kSubsetFields{field::kSubsetWidth, field::kSubsetDepth, field::kSubsetOfBlock};
inline constexpr std::array kDestinationFields{field::kDstFile, field::kDstIndex, field::kDstMask, field::kDstRelative};
inline constexpr std::array kTextureFields{field::kTextureUnit,  field::kTextureTarget, field::kTextureRelative,
                                           field::kTexelOffsetX, field::kTexelOffsetY,  field::kTexelOffsetZ};
/// Of lookups, and zero until there are instructions that have it.
inline constexpr std::array kReservedTextureFields{field::kGathered};

// --- Proofs: in every form a word can take, no bit belongs to two fields and no field straddles the halves. ---

namespace detail {

struct BitSet {
    uint64_t lo = 0, hi = 0;
    bool disjoint = true;

    constexpr void add(const Field& f) {
        if (f.width == 0 || f.first + f.width > 128 || (f.first < 64 && f.first + f.width > 64)) disjoint = false;
        for (int bit = f.first; bit < f.first + f.width; ++bit) {
            uint64_t& half = bit < 64 ? lo : hi;
            const uint64_t one = uint64_t{1} << (bit & 63);
            if (half & one) disjoint = false;
            half |= one;
        }
    }
    constexpr void add(std::span<const Field> fields) {
        for (const Field& f : fields) add(f);
    }
};

constexpr int shapeSources(Shape shape) {
    switch (shape) {
        case Shape::None:
        case Shape::Branch:
        case Shape::Barrier:
            return 0;
        case Shape::DS1:
        case Shape::DM:
        case Shape::DT1:
            return 1;
        case Shape::DS1S2:
        case Shape::MS:
        case Shape::DMS1:
        case Shape::DT2:
            return 2;
        case Shape::DS1S2S3:
        case Shape::DMS2:
        case Shape::DT3:
            return 3;
    }
    return 0;
}
constexpr bool shapeIsTexture(Shape shape) { return shape >= Shape::DT1; }
constexpr bool shapeHasDestination(Shape shape) { return shape >= Shape::DS1; }
constexpr bool shapeIsMemory(Shape shape) {
    return shape == Shape::MS || shape == Shape::DM || shape == Shape::DMS1 || shape == Shape::DMS2;
}
/// Loads and stores have elements of different sizes; atomics work on words.
constexpr bool shapeHasElementSize(Shape shape) { return shape == Shape::MS || shape == Shape::DM; }
/// The byte offset of these lies where the immediate does; it is also the whole address when source a is of file i.
constexpr bool shapeHasOffset(Shape shape) { return shape == Shape::MS || shape == Shape::DM || shape == Shape::DMS1; }
/// The immediate lies over source c and the texture fields, so only these shapes can carry one.
constexpr bool shapeTakesImmediate(Shape shape) { return shape == Shape::DS1 || shape == Shape::DS1S2; }

/// Register addresses of a whole block have room where nothing else lies behind the sources.
constexpr bool shapeSnoopsBlock(Shape shape) {
    return shape == Shape::DS1 || shape == Shape::DS1S2 || shape == Shape::DS1S2S3;
}

/// `wavefronts`: of sources that snoop in the block, at most two.
constexpr BitSet formBits(Shape shape, bool immediate, int wavefronts) {
    BitSet bits;
    bits.add(kCommonFields);
    const bool isTexture = shapeIsTexture(shape);
    if (!isTexture) bits.add(kSubsetFields);
    if (shapeHasDestination(shape)) bits.add(kDestinationFields);
    if (shape == Shape::MS) bits.add(field::kDstMask);
    if (shapeSources(shape) > 0 && !isTexture) bits.add(field::kSnoopRow);
    for (int s = 0; s < shapeSources(shape); ++s) {
        const SourceFields f = sourceFields(s);
        for (const Field& part : {f.file, f.index, f.swizzle, f.negate, f.absolute, f.relative}) bits.add(part);
        if (!isTexture) bits.add(f.snoop);
    }
    if (isTexture) bits.add(kTextureFields);
    if (shape == Shape::Branch) {
        bits.add(field::kTarget);
        bits.add(field::kIterations);
    }
    if (shapeIsMemory(shape)) bits.add(field::kSlot);
    if (shapeHasElementSize(shape)) bits.add(field::kElementSize);
    if (shape == Shape::Barrier) {
        bits.add(field::kBarrier);
        bits.add(field::kBarrierGroups);
    }
    if (immediate || shapeHasOffset(shape)) bits.add(field::kImmediate);
    if (shapeSnoopsBlock(shape)) bits.add(field::kSnoopOfBlock);
    if (wavefronts > 0) bits.add(field::kFirstWavefront);
    if (wavefronts > 1) bits.add(field::kSecondWavefront);
    return bits;
}

constexpr bool allFormsDisjoint() {
    for (int s = 0; s <= static_cast<int>(Shape::DT3); ++s) {
        const Shape shape = static_cast<Shape>(s);
        const int wavefronts = !shapeSnoopsBlock(shape) ? 0 : shapeSources(shape) < 2 ? shapeSources(shape) : 2;
        BitSet bits = formBits(shape, false, wavefronts);
        if (shapeIsTexture(shape)) bits.add(kReservedTextureFields);
        if (!bits.disjoint) return false;
        // An immediate is one of the sources.
        if (shapeTakesImmediate(shape) && !formBits(shape, true, shapeSources(shape) - 1).disjoint) return false;
    }
    return true;
}
static_assert(allFormsDisjoint(), "two fields of an instruction form share a bit");

}  // namespace detail

/// The bits an instruction of this shape, with so many sources that snoop in the block, may set; all others are
/// reserved and must be zero.
constexpr Word usedBits(Shape shape, bool immediate, int wavefronts) {
    const detail::BitSet bits = detail::formBits(shape, immediate, wavefronts);
    return {bits.lo, bits.hi};
}

}  // namespace tessera::isa
