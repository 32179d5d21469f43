// Texture units for fuzzed programs, whose answers tell which lookup was asked, of which unit.
#pragma once

#include <limits>

#include "shader-core/isa/block.h"
#include "tests/fuzz/check.h"

namespace tessera::fuzz {

/// Units that read all that they are given and answer with a mix of it. Lookups of a whole group and those of a block
/// (lookups()) give the same.
class EchoTextures final : public isa::TextureUnits {
public:
    /// `targets`: bits of isa::BlockLookup::bitOf(); units that can have functions of their own for one of these do.
    /// Each can for one target. `together`: for several lookups too.
    EchoTextures(uint32_t targets, bool together) {
        for (uint32_t i = 0; i < isa::kMaxTextureUnits; ++i) {
            units_[i] = {static_cast<int>(i), static_cast<isa::TextureTarget>(i % kTargets)};
            const auto own = [&](isa::LodMode mode) { return isa::BlockLookup::bitOf(units_[i].target, mode); };
            lookups_[i] = {
                one,
                together ? several : nullptr,
                texels,
                &units_[i],
                targets & (own(isa::LodMode::Implicit) | own(isa::LodMode::Texel) | isa::BlockLookup::kUpToOne),
                together ? moved : nullptr};
        }
    }
    EchoTextures(const EchoTextures&) = delete;
    EchoTextures& operator=(const EchoTextures&) = delete;
    /// Live as long as the units.
    [[nodiscard]] const isa::BlockLookup* lookups() const { return lookups_.data(); }

    void sample(int unit, const isa::TextureRequest& request, isa::GroupRegister& result) const override {
        demand(unit >= 0 && unit < isa::kMaxTextureUnits, "the texture unit exists");
        const int count = request.lodMode == isa::LodMode::Size ? 1 : isa::coordinateCount(request.target);
        // Such as isa::mayBeBlockLookup() and mayBeMovedLookup() let blocks ask for.
        const bool isDerived =
            request.lodMode == isa::LodMode::Implicit && request.type == isa::Type::F32 && count <= 3;
        for (int lane = 0; lane < isa::kGroupSize; ++lane)
            for (int c = 0; c < 4; ++c) {
                const bool isAsked = (request.mask >> lane & 1) != 0;
                const float coordinate = isAsked && c < count ? request.coord[c][lane] : 0;
                result.lane[c][lane] = isDerived  ? fraction(unit, c, coordinate, movesOf(request.offset))
                                       : !isAsked ? 0.0f
                                       : request.lodMode == isa::LodMode::Texel
                                           ? texel(unit, c, request, lane)
                                           : mixed(unit, c, request, lane, coordinate);
            }
    }

private:
    /// Of which blocks ask, the first ones.
    static constexpr uint32_t kTargets = static_cast<uint32_t>(isa::TextureTarget::Array2D) + 1;
    struct Unit {
        int number;
        isa::TextureTarget target;
    };

    /// A NaN of a lookup may have any bits.
    static float withoutPayload(float x) { return x == x ? x : std::numeric_limits<float>::quiet_NaN(); }

    /// The part of a descriptor's bits that says by how much a lookup is moved.
    static uint32_t movesOf(std::array<int8_t, 3> offset) {
        isa::TextureDescriptor moved{};
        moved.offset = offset;
        return moved.pack() >> 16;
    }
    /// From 0 to 1, as isa::BlockLookup wants it.
    static float fraction(int unit, int channel, float coordinate, uint32_t moves) {
        const uint32_t bits = __builtin_bit_cast(uint32_t, withoutPayload(coordinate)) ^ moves * 0xC2B2AE35u;
        const uint32_t mixed = (bits ^ static_cast<uint32_t>(unit * 4 + channel + 1) * 0x9E3779B9u) * 0x85EBCA6Bu;
        return static_cast<float>((mixed ^ mixed >> 15) >> 8) * 0x1p-24f;
    }

    /// The coordinate, in whose last bits is what else the request says.
    static float mixed(int unit, int channel, const isa::TextureRequest& request, int lane, float coordinate) {
        uint32_t hash = static_cast<uint32_t>(unit * 4 + channel);
        const auto mix = [&hash](uint32_t bits) { hash = (hash ^ bits ^ hash >> 15) * 0x85EBCA6Bu; };
        const auto mixRow = [&](const float* row) { mix(__builtin_bit_cast(uint32_t, withoutPayload(row[lane]))); };
        mix(static_cast<uint32_t>(request.target) << 8 | static_cast<uint32_t>(request.lodMode) << 4 |
            static_cast<uint32_t>(request.type));
        for (const int8_t offset : request.offset) mix(static_cast<uint32_t>(offset));
        if (isa::hasLod(request.lodMode)) mixRow(request.lod);
        const bool hasGradients = request.lodMode == isa::LodMode::Gradient;
        for (int i = 0; hasGradients && i < isa::gradientCount(request.target); ++i)
            mixRow(request.ddx[i]), mixRow(request.ddy[i]);
        const uint32_t bits = __builtin_bit_cast(uint32_t, withoutPayload(coordinate)) ^ hash >> 24;
        return withoutPayload(__builtin_bit_cast(float, bits));
    }

    /// Of what a texel is fetched by: `at` and, behind it, the level.
    static float texel(int unit, int channel, const uint32_t (&at)[4]) {
        uint32_t hash = static_cast<uint32_t>(unit * 4 + channel);
        for (const uint32_t bits : at) hash = (hash ^ bits ^ hash >> 15) * 0x85EBCA6Bu;
        return withoutPayload(__builtin_bit_cast(float, hash));
    }
    static float texel(int unit, int channel, const isa::TextureRequest& request, int lane) {
        uint32_t at[4] = {};
        for (int i = 0; i < isa::coordinateCount(request.target) && i < 3; ++i)
            at[i] = __builtin_bit_cast(uint32_t, request.coord[i][lane]);
        for (int i = 0; i < isa::offsetCount(request.target); ++i)
            at[i] += static_cast<uint32_t>(request.offset[static_cast<size_t>(i)]);
        at[3] = __builtin_bit_cast(uint32_t, request.lod[lane]);
        return texel(unit, channel, at);
    }
    static void texels(const void* texture, uint32_t lanes, int32_t count, float* lookups, uint32_t channels) {
        const auto& unit = *static_cast<const Unit*>(texture);
        for (auto* rows = reinterpret_cast<isa::LookupRows*>(lookups); count > 0; --count, ++rows)
            for (int lane = 0; lane < isa::LookupRows::kLanes; ++lane) {
                uint32_t at[4] = {};
                for (int i = 0; i < 4; ++i)
                    if (i < isa::coordinateCount(unit.target) || i == isa::LookupRows::kLevel)
                        at[i] = __builtin_bit_cast(uint32_t, rows->coordinate[i][lane]);
                for (int c = 0; c < 4; ++c)
                    if ((channels >> c & 1) != 0)
                        rows->result[c][lane] = (lanes >> lane & 1) != 0 ? texel(unit.number, c, at) : 0;
            }
    }

    static void one(const void* texture, uint32_t lanes, const float* coordinates, float* result) {
        oneMoved(texture, lanes, coordinates, result, 0);
    }
    static void oneMoved(const void* texture, uint32_t lanes, const float* coordinates, float* result, uint32_t moves) {
        constexpr int kLanes = isa::LookupRows::kLanes;
        const auto& unit = *static_cast<const Unit*>(texture);
        for (int c = 0; c < 4; ++c)
            for (int lane = 0; lane < kLanes; ++lane) {
                const bool hasRow = c < isa::coordinateCount(unit.target) && (lanes >> lane & 1) != 0;
                result[c * kLanes + lane] =
                    fraction(unit.number, c, hasRow ? coordinates[c * kLanes + lane] : 0, moves);
            }
    }
    static void moved(const void* texture, uint32_t lanes, int32_t count, float* lookups, uint32_t) {
        for (auto* rows = reinterpret_cast<isa::LookupRows*>(lookups); count > 0; --count, ++rows)
            oneMoved(texture, lanes, rows->coordinate[0], rows->result[0],
                     __builtin_bit_cast(uint32_t, rows->coordinate[isa::LookupRows::kMove][0]) >> 16);
    }
    static void several(const void* texture, uint32_t lanes, int32_t count, float* lookups, uint32_t) {
        auto* rows = reinterpret_cast<isa::LookupRows*>(lookups);
        for (int32_t i = 0; i < count; ++i) one(texture, lanes, rows[i].coordinate[0], rows[i].result[0]);
    }

    Unit units_[isa::kMaxTextureUnits];
    isa::BlockLookups lookups_;
};

}  // namespace tessera::fuzz
