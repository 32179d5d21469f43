// The sampler: filtering of a 4x4 block of lookups at a time.
//
// Level of detail follows the OpenGL ES 2.0.25 specification, section 3.7.7, with the derivatives taken once
// for each 2x2 quad: rho = max(length(d/dx), length(d/dy)) in texels, lambda = log2(rho) computed by the
// definition in docs/isa.md (no libm). Weights are exact functions of the coordinate: the fraction is rounded
// to 8 bits, and an 8-bit texel is filtered in integers, so that every tier and host gives the same bytes.
#pragma once

#include "base/simd.h"
#include "texture/sample/bound_texture.h"
#include "texture/sample/texel_fetch.h"
#include "texture/texture.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

enum class LodMode : uint8_t { Implicit, Bias, Explicit, Gradient, Zero };

/// Sixteen lookups. Coordinates are as the shader gave them: s, t for 2D; direction x, y, z for cube maps; s, t, r for
/// 3D; s, t and the layer for arrays.
struct SampleInput {
    LodMode lodMode = LodMode::Implicit;
    uint32_t mask = 0xFFFF;  ///< lanes whose result is wanted
    bool compares = false;   ///< with `reference`, by SamplerState::compare if the texture is a depth texture
    F32x16 coord[3] = {};
    F32x16 reference = {};
    F32x16 lod = {};                          ///< Bias: added; Explicit: the level of detail itself
    F32x16 ddx[3] = {}, ddy[3] = {};          ///< Gradient: derivatives of `coord` with respect to window x and y
    std::array<int8_t, 3> offset{};           ///< texels that the lookups are moved by in each level; not of cube maps
    const TexelListener* listener = nullptr;  ///< is told what is read; null: nobody
};

/// Filtered RGBA, 0..1 for normalised formats; the integers' bits of integer ones.
struct SampleOutput {
    F32x16 rgba[4];
};

void sample(const TextureView& view, const SamplerState& state, const SampleInput& in, SampleOutput& out);
/// As if the view had no swizzle.
void sampleUnswizzled(const TextureView& view, const SamplerState& state, const SampleInput& in, SampleOutput& out);

/// Sixteen fetches of single texels, not of cube maps.
struct FetchInput {
    uint32_t mask = 0xFFFF;
    I32x16 at[3] = {};  ///< x, y, z or the layer
    I32x16 level = {};
    const TexelListener* listener = nullptr;
};
/// What is outside of the image, or of levels that the view has not, is 0 in every channel.
void fetchTexels(const TextureView& view, const FetchInput& in, SampleOutput& out);

/// Width, height and depth or number of layers (0 of others) of the level of each lane; 0 of levels that the view has
/// not.
void findSizes(const TextureView& view, I32x16 level, I32x16 (&size)[3]);

/// The lookups that programs mostly make, sixteen with a derived level of detail, in code for their state alone:
/// eight-bit texels, planes of floats and depth without mip levels. Gives what sample() gives. `texture` is a
/// BoundTexture; its type is not named, as a compiled program calls the function. `lanes` want a result; other lanes of
/// their quads hold coordinates, the rest holds anything. s, t and r, which is not read for 2D, start at `coordinates`,
/// the four channels at `result`, each kLookupStride floats apart.
using BlockSampler = void (*)(const void* texture, uint32_t lanes, const float* coordinates, float* result);
inline constexpr int kLookupStride = 16;
/// Null for all other states.
[[nodiscard]] BlockSampler blockSampler(const TextureView& view, const SamplerState& state);

/// Lookups of any level of detail without an offset, in code for their state. Gives what sample() gives, in rows of
/// kLookupStride floats.
using InputSampler = void (*)(const BoundTexture& texture, const SampleInput& in, float* result);
/// Null for all other states.
[[nodiscard]] InputSampler inputSampler(const TextureView& view, const SamplerState& state);

/// `count` lookups of one block at once, so that the texels of one are not waited for before the next one's are asked
/// for. Each is four rows of coordinates, of which there may be fewer, then four of the result, kLookupFloats in all.
/// Of the channels those are wanted whose bits are set.
using SeveralSampler = void (*)(const void* texture, uint32_t lanes, int32_t count, float* lookups, uint32_t channels);
inline constexpr int kLookupResult = 4 * kLookupStride, kLookupFloats = 2 * kLookupResult;
/// Null where the function of blockSampler(), lookup by lookup, is as quick, or there is none.
[[nodiscard]] SeveralSampler severalSampler(const TextureView& view, const SamplerState& state);

/// `count` lookups of planes, each moved by texels: by the signed bits 16 to 19 in x and 20 to 23 in y of the first
/// lane of its fourth row of coordinates. Gives what sample() gives with that offset.
inline constexpr int kMoveRow = 3, kMoveXBit = 16, kMoveYBit = 20;
/// Null for all other states.
[[nodiscard]] SeveralSampler movedSampler(const TextureView& view, const SamplerState& state);

/// What fetchTexels() gives, in code for the view's element: the rows are x, y, z or the layer, which is not read for
/// 2D, and the level, integers. Null for cube maps.
[[nodiscard]] SeveralSampler texelFetcher(const TextureView& view);

/// Whether blockSampler() is quicker where the images have row copies.
[[nodiscard]] bool gainsByRows(const TextureView& view, const SamplerState& state);

/// Whether blockSampler() is for lookups that compare, with the reference in `r`, and for no others.
[[nodiscard]] bool comparesDepth(const TextureView& view, const SamplerState& state);

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
