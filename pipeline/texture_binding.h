// What a texture unit looks up.
#pragma once

#include "texture/texture.h"

namespace tessera::pipeline {

struct TextureBinding {
    texture::TextureViewPtr view;  ///< null: incomplete, samples (0,0,0,1)
    texture::SamplerState state;
};

}  // namespace tessera::pipeline
