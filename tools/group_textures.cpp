#include "tools/group_textures.h"

#include <algorithm>

#include <fmt/format.h>

#include "texture/transfer.h"
#include "tools/diff/image_diff.h"

namespace tessera::tools {

void GroupTextures::bind(int unit, pipeline::TextureBinding binding) {
    const auto index = static_cast<size_t>(unit);
    if (bindings_.size() <= index) bindings_.resize(index + 1);
    bindings_[index] = std::move(binding);
}

bool GroupTextures::load(int unit, const std::string& file, Sampling sampling, std::string& problem) {
    const std::optional<imagediff::Image> picture = imagediff::readPng(file, problem);
    if (!picture) return false;
    if (std::max(picture->width, picture->height) > texture::kMaxTextureSize) {
        problem = fmt::format("{} is larger than {} x {}", file, texture::kMaxTextureSize, texture::kMaxTextureSize);
        return false;
    }
    auto view = std::make_shared<texture::TextureView>();
    int width = picture->width, height = picture->height;
    while (true) {
        auto image = std::make_shared<texture::Image>(texture::PixelFormat::Rgba8, width, height);
        if (view->levels == 0)
            texture::upload(*image, {0, 0, width, height}, reinterpret_cast<const std::byte*>(picture->rgba.data()),
                            {texture::ClientFormat::Rgba, texture::ClientType::U8, static_cast<size_t>(width) * 4});
        else
            texture::downsample(*view->image[0][static_cast<size_t>(view->levels - 1)], *image);
        view->image[0][static_cast<size_t>(view->levels++)] = std::move(image);
        if (width == 1 && height == 1) break;
        width = std::max(width / 2, 1), height = std::max(height / 2, 1);
    }
    pipeline::TextureBinding binding;
    binding.view = std::move(view);
    binding.state.magFilter = binding.state.minFilter =
        sampling.linear ? texture::Filter::Linear : texture::Filter::Nearest;
    binding.state.mipFilter = sampling.linear ? texture::MipFilter::Linear : texture::MipFilter::Nearest;
    binding.state.wrapS = binding.state.wrapT = sampling.repeat ? texture::Wrap::Repeat : texture::Wrap::ClampToEdge;
    bind(unit, std::move(binding));
    return true;
}

}  // namespace tessera::tools
