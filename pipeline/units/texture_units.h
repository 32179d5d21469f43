// The texture units of a draw: what a shader core asks for a group of 32 lanes, answered by the sampler in two
// halves of sixteen.
//
// Lanes 0..15 of a request are one 4x4 block, lanes 16..31 another, so quads never cross the halves and the
// sampler can derive its level of detail for each half alone.
#pragma once

#include <array>
#include <atomic>
#include <vector>

#include "pipeline/probe/texture_probe.h"
#include "pipeline/texture_binding.h"
#include "shader-core/isa/block.h"
#include "texture/sample/bound_texture.h"

namespace tessera::pipeline {

/// A unit with what answers its lookups, plain data.
struct TextureUnit {
    /// Of this machine's SIMD level, where alone its type is known.
    using Function = void (*)();
    texture::BoundTexture bound;
    const texture::TexelListener* listener = nullptr;
    Function input = nullptr;  ///< texture::InputSampler; null: sample() answers
};

/// Never fails: a unit out of range, without a view, with an incomplete view, or bound to a texture of another
/// kind than the lookup asks for gives (0, 0, 0, 1), of the lookup's type, as the specification wants for incomplete
/// textures (OpenGL ES 2.0.25, section 3.8.2); a size is then 0. Lookups of the external target are 2D lookups.
class DrawTextureUnits final : public isa::TextureUnits {
public:
    /// `bindings` belongs to the draw and must outlive the units. Cheap: one may be made per draw and tile. `probe`,
    /// when there is one, hears what sample() reads; it must outlive the units too.
    /// Once `stop` is set, if there is one, lookups give what incomplete textures give: nobody will see it, and a
    /// program of lookups with large footprints ends soon.
    explicit DrawTextureUnits(const std::vector<TextureBinding>& bindings, DrawProbe* probe = nullptr,
                              const std::atomic<bool>* stop = nullptr);
    DrawTextureUnits(const DrawTextureUnits&) = delete;  // units point at their listeners
    DrawTextureUnits& operator=(const DrawTextureUnits&) = delete;

    /// Thread safe. Only lanes of `request.mask` of `result` have a meaning afterwards.
    void sample(int unit, const isa::TextureRequest& request, isa::GroupRegister& result) const override;

    /// For isa::BlockRun::lookups of a block whose `textures` are these units. Of those without a view only the targets
    /// may be looked at: they are none.
    [[nodiscard]] const isa::BlockLookup* lookups() const {
        return bindings_->empty() ? isa::kNoBlockLookups.data() : lookups_.made.data();
    }

private:
    using SampleGroup = void (*)(const TextureUnit& unit, const isa::BlockLookup& lookup,
                                 const isa::TextureRequest& request, isa::GroupRegister& result);
    const std::vector<TextureBinding>* bindings_;
    const std::atomic<bool>* stop_;  ///< of the scene; null: never
    SampleGroup sampleGroup_;        ///< of this machine's SIMD level
    /// Of what has a view is made alone, as clearing the others would cost a small draw more than the rest of this.
    template <class Elements>
    union Room {
        Room() {}  // NOLINT(modernize-use-equals-default): that one makes nothing of elements with initialisers
        Elements made;
    };
    Room<std::array<TextureUnit, isa::kMaxTextureUnits>> units_;
    Room<isa::BlockLookups> lookups_;                ///< of what is bound in units_
    std::vector<texture::TexelListener> listeners_;  ///< one for each binding, or none
};

}  // namespace tessera::pipeline
