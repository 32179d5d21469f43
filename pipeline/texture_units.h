// The texture units of a draw: what a shader core asks for a group of 32 lanes, answered by the sampler in two
// halves of sixteen.
//
// Lanes 0..15 of a request are one 4x4 block, lanes 16..31 another, so quads never cross the halves and the
// sampler can derive its level of detail for each half alone.
#pragma once

#include <vector>

#include "pipeline/state.h"

namespace tessera::pipeline {

/// Never fails: a unit out of range, without a view, with an incomplete view, or bound to a texture of another
/// kind than the lookup asks for gives (0, 0, 0, 1), as the specification wants for incomplete textures
/// (OpenGL ES 2.0.25, section 3.8.2). Lookups of the external target are 2D lookups.
class DrawTextureUnits final : public isa::TextureUnits {
public:
    /// `bindings` belongs to the draw and must outlive the units. Cheap: one may be made per draw and tile.
    explicit DrawTextureUnits(const std::vector<TextureBinding>& bindings);

    /// Thread safe. Only lanes of `request.mask` of `result` have a meaning afterwards.
    void sample(int unit, const isa::TextureRequest& request, isa::GroupRegister& result) const override;

private:
    using Kernel = void (*)(const texture::TextureView& view, const texture::SamplerState& state,
                            const isa::TextureRequest& request, isa::GroupRegister& result);
    const std::vector<TextureBinding>* bindings_;
    Kernel kernel_;
};

}  // namespace tessera::pipeline
