// What a lookup reads, told to whoever listens: the texels around each place, image by image, in the order in which the
// sampler fetches them. Plain data; nobody is told anything unless SampleInput::listener is set.
#pragma once

#include <cstdint>

#include "texture/image.h"

namespace tessera::texture {

/// The texels that a block of lookups reads of one image. Unfiltered: texel (x[0], y[0]) of each lane, in slice z[0];
/// filtered linearly: the products of {x[0], x[1]} and {y[0], y[1]}, in a volume also {z[0], z[1]}, which may coincide
/// at an edge.
struct alignas(64) TexelFetch {
    const Image* image = nullptr;
    int face = 0, level = 0;
    bool linear = false;
    uint32_t lanes = 0;  ///< the lanes that read; bits 0..15
    int32_t x[2][16], y[2][16], z[2][16];
};

struct TextureView;

struct TexelListener {
    void (*heard)(const TexelListener& listener, const TexelFetch& fetch) = nullptr;
    void* owner = nullptr;  ///< the listener's own
    const TextureView* view = nullptr;
    int unit = 0;       ///< texture unit
    int firstLane = 0;  ///< of the block within its group: 0 or 16
};

}  // namespace tessera::texture
