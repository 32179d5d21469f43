// What machine code for one block of sixteen lanes is called with, and what it calls. The JIT makes such code; the
// pipeline may call it without a GroupRun in between, so that nothing is copied between the stages of a block.
// Offsets of these structures are part of cached machine code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "shader-core/isa/executor.h"

namespace tessera::isa {

/// A texture lookup of one block, in 32-lane rows as the texture units read them; only the block's lanes hold values.
struct alignas(64) TextureCall {
    static constexpr int kLod = 4, kDdx = 5, kDdy = 8, kRows = 11;
    float row[kRows][kGroupSize];  ///< s, t, r, q; lod; ddx of s, t, r; ddy of s, t, r
    int32_t address[kGroupSize];   ///< a0.x, when the unit is relative
    GroupRegister result;
};

/// The lookup instruction's constants, packed for the call.
struct TextureDescriptor {
    uint8_t unit, target, lodMode;
    bool relative;
    Type type = Type::F32;
    std::array<int8_t, 3> offset{};
    [[nodiscard]] constexpr uint32_t pack() const {
        uint32_t bits = static_cast<uint32_t>(unit) | static_cast<uint32_t>(target) << 5 |
                        static_cast<uint32_t>(lodMode) << 9 | static_cast<uint32_t>(relative) << 12 |
                        static_cast<uint32_t>(type) << 13;
        for (int c = 0; c < 3; ++c)
            bits |= (static_cast<uint32_t>(offset[static_cast<size_t>(c)]) & 15) << (16 + 4 * c);
        return bits;
    }
    [[nodiscard]] static constexpr TextureDescriptor unpack(uint32_t bits) {
        TextureDescriptor d{static_cast<uint8_t>(bits & 31), static_cast<uint8_t>(bits >> 5 & 15),
                            static_cast<uint8_t>(bits >> 9 & 7), (bits >> 12 & 1) != 0,
                            static_cast<Type>(bits >> 13 & 3)};
        for (int c = 0; c < 3; ++c)
            d.offset[static_cast<size_t>(c)] =
                static_cast<int8_t>(static_cast<int>((bits >> (16 + 4 * c) & 15) ^ 8) - 8);
        return d;
    }
};

/// A lookup of one block with a derived level of detail, or of single texels.
struct alignas(64) LookupRows {
    static constexpr int kLanes = kGroupSize / 2, kLevel = 3, kMove = 3;
    /// s, t, r, as many as the target has; of texels integers, and the level at kLevel; of lookups at an offset
    /// TextureDescriptor::pack() in the first lane at kMove.
    float coordinate[4][kLanes];
    float result[4][kLanes];  ///< red, green, blue, alpha
};

/// What answers a unit's lookups of one block with a derived level of detail, and those of single texels, without a way
/// through TextureUnits.
struct BlockLookup {
    /// `coordinates` and `result` are LookupRows::coordinate and LookupRows::result.
    using Function = void (*)(const void* texture, uint32_t lanes, const float* coordinates, float* result);
    /// The same of `count` LookupRows, one behind the other. Of results there must be the channels whose bits are set.
    using Several = void (*)(const void* texture, uint32_t lanes, int32_t count, float* lookups, uint32_t channels);
    static constexpr uint32_t kAllChannels = 0xF;
    Function function = nullptr;
    Several several = nullptr;      ///< null where `function`, lookup by lookup, is as quick
    Several texels = nullptr;       ///< of single texels, whose numbers may be any
    const void* texture = nullptr;  ///< what the functions are for
    uint32_t targets = 0;           ///< what they answer: bits of bitOf(); the rest asks BlockRun::sample. Or kUpToOne
    Several moved = nullptr;  ///< of lookups at an offset, of which each has its own; null where `function` alone is

    /// A bit of `targets`: results of `function` are numbers from 0 to 1.
    static constexpr uint32_t kUpToOne = 1u << 31;

    [[nodiscard]] static constexpr uint32_t bitOf(TextureTarget target, LodMode mode = LodMode::Implicit) {
        return 1u << (static_cast<uint32_t>(target) + (mode == LodMode::Texel ? 16 : 0));
    }
};
using BlockLookups = std::array<BlockLookup, kMaxTextureUnits>;
inline constexpr BlockLookups kNoBlockLookups{};

/// What machine code computes of constants alone, for those who run the same program with the same constants again: the
/// first run leaves it here for the others.
struct DrawValues {
    static constexpr size_t kPlaces = 128;
    uint32_t areThere = 0;  ///< 0: to be computed
    float value[kPlaces];   ///< where which one is, the program alone decides
};

/// One block of a group. The register pointers are those of the group, moved to the block's first lane.
struct BlockRun {
    const float* inputs = nullptr;
    float* outputs = nullptr;  ///< lanes that are not launched get anything
    const float* specials = nullptr;
    const float* constants = nullptr;
    DrawValues* values = nullptr;  ///< of the program with these constants; never null where code runs
    SampleFunctions sample;
    const TextureUnits* textures = nullptr;
    const BlockLookup* lookups = kNoBlockLookups.data();  ///< of each unit of `textures`
    uint64_t budget = 0;                                  ///< instructions the block may execute
    uint64_t instructions = 0;                            ///< result: instructions executed
    uint64_t secondInstructions = 0;                      ///< result of BlockCode::pair: by the second block
    uint32_t launch = 0;  ///< lanes to execute, bits 0..15; not zero. BlockCode::pair: bits 0..31, some of each block
    uint32_t helper = 0;
    uint32_t kill = 0;       ///< result
    uint32_t firstLane = 0;  ///< 0 or 16
    uint32_t stopped = 0;    ///< result: a Stop; the outputs were not written unless it is Finished
    uint32_t hasQuads = 0;
};

enum Stop : uint32_t { Finished, OutOfBudget, Discarded };

}  // namespace tessera::isa
