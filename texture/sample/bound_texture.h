// What a texture unit samples, and how.
#pragma once

#include "texture/texture.h"

namespace tessera::texture {

struct BoundTexture {
    const TextureView* view = nullptr;
    const SamplerState* state = nullptr;
};

}  // namespace tessera::texture
