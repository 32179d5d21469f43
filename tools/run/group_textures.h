// Texture units for groups that run outside a driver: pictures from files, or images from a capture, through the
// pipeline's own sampler.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "pipeline/units/texture_units.h"
#include "shader-core/debug/replay/capture.h"
#include "tools/diff/image_diff.h"

namespace tessera::tools {

class GroupTextures final : public isa::TextureUnits {
public:
    struct Sampling {
        bool linear = true, repeat = true;
    };
    /// A PNG with its mipmaps; its first row is at t = 0. False and a reason when it cannot be read.
    [[nodiscard]] bool load(int unit, const std::string& file, Sampling sampling, std::string& problem);
    /// The same of one in memory, of at most kMaxTextureSize.
    void bind(int unit, const imagediff::Image& picture, Sampling sampling);
    void bind(int unit, pipeline::TextureBinding binding);
    /// A captured unit; false when an image has not the size that its format needs.
    [[nodiscard]] bool bind(const debug::CapturedTexture& texture);
    /// Others that have the same bound, and may have more.
    [[nodiscard]] std::shared_ptr<GroupTextures> copy() const {
        auto units = std::make_shared<GroupTextures>();
        units->bindings_ = bindings_;
        return units;
    }
    /// What is bound, for another process.
    [[nodiscard]] std::vector<debug::CapturedTexture> captured() const;
    /// After the last binding, before the first lookup.
    void finish() { units_.emplace(bindings_); }

    /// The same units with somebody who hears of lookups. The probe and this must outlive them.
    [[nodiscard]] std::shared_ptr<isa::TextureUnits> probed(pipeline::DrawProbe& probe) const {
        return std::make_shared<pipeline::DrawTextureUnits>(bindings_, &probe);
    }

    void sample(int unit, const isa::TextureRequest& request, isa::GroupRegister& result) const override {
        units_->sample(unit, request, result);
    }

private:
    std::vector<pipeline::TextureBinding> bindings_;
    std::optional<pipeline::DrawTextureUnits> units_;
};

/// The group with the texture units of its capture. Nothing, and why, when the images are not sound.
[[nodiscard]] std::optional<debug::Group> groupOf(const std::string& captureBytes, std::string& title, int& lane,
                                                  std::string& error);

}  // namespace tessera::tools
