#include "tools/run/group_textures.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "inspect/pixel_report.h"
#include "texture/transfer/transfer.h"

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
    bind(unit, *picture, sampling);
    return true;
}

void GroupTextures::bind(int unit, const imagediff::Image& picture, Sampling sampling) {
    auto view = std::make_shared<texture::TextureView>();
    int width = picture.width, height = picture.height;
    while (true) {
        auto image = std::make_shared<texture::Image>(texture::PixelFormat::Rgba8, width, height);
        if (view->levels == 0)
            texture::upload(*image, {0, 0, width, height}, reinterpret_cast<const std::byte*>(picture.rgba.data()),
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
}

std::vector<debug::CapturedTexture> GroupTextures::captured() const {
    std::vector<debug::CapturedTexture> list;
    for (size_t unit = 0; unit < bindings_.size(); ++unit)
        if (bindings_[unit].view != nullptr)
            list.push_back(inspect::capturedTexture(static_cast<int>(unit), bindings_[unit]));
    return list;
}

namespace {

/// A file may say any size: whether `image` can be level `level` of a texture of that kind which begins with `base`,
/// and has the blocks of its size.
bool isLevel(const debug::CapturedImage& image, const debug::CapturedImage& base, size_t level, texture::Kind kind) {
    if (image.format == 0 || image.format >= texture::kPixelFormats || image.format != base.format) return false;
    if (image.width != std::max(base.width >> level, 1) || image.height != std::max(base.height >> level, 1))
        return false;
    if (std::max(image.width, image.height) > texture::kMaxTextureSize) return false;
    if (kind == texture::Kind::Tex3D && image.depth > texture::kMaxDepth) return false;
    const int depth = kind == texture::Kind::Array2D ? base.depth
                      : kind == texture::Kind::Tex3D ? std::max(base.depth >> level, 1)
                                                     : 1;
    const auto blocks = [](int size) { return static_cast<size_t>(size + 3) / 4; };
    const texture::Element element = texture::formatInfo(static_cast<texture::PixelFormat>(image.format)).element;
    return image.depth == depth && image.blocks.size() == blocks(image.width) * blocks(image.height) *
                                                              static_cast<size_t>(depth) * 16 *
                                                              static_cast<size_t>(texture::elementBytes(element));
}

}  // namespace

bool GroupTextures::bind(const debug::CapturedTexture& texture) {
    auto view = std::make_shared<texture::TextureView>();
    view->kind = static_cast<texture::Kind>(texture.kind);
    const size_t faces = view->kind == texture::Kind::Cube ? 6 : 1;
    if (texture.images.size() != faces) return false;
    const size_t levels = texture.images[0].size();
    if (levels > texture::kMaxLevels) return false;
    for (size_t face = 0; face < faces; ++face) {
        if (texture.images[face].size() != levels) return false;
        for (size_t level = 0; level < levels; ++level) {
            const debug::CapturedImage& from = texture.images[face][level];
            if (!isLevel(from, texture.images[0][0], level, view->kind)) return false;
            auto image = std::make_shared<texture::Image>(static_cast<texture::PixelFormat>(from.format), from.width,
                                                          from.height, 1, from.depth);
            std::memcpy(image->block(0, 0), from.blocks.data(), from.blocks.size());
            view->image[face][level] = std::move(image);
        }
    }
    view->levels = static_cast<int>(levels);
    for (size_t c = 0; c < view->swizzle.size(); ++c)
        view->swizzle[c] = static_cast<texture::Channel>(texture.swizzle[c]);
    pipeline::TextureBinding binding;
    binding.view = std::move(view);
    binding.state.magFilter = static_cast<texture::Filter>(texture.magFilter);
    binding.state.minFilter = static_cast<texture::Filter>(texture.minFilter);
    binding.state.mipFilter = static_cast<texture::MipFilter>(texture.mipFilter);
    binding.state.wrapS = static_cast<texture::Wrap>(texture.wrapS);
    binding.state.wrapT = static_cast<texture::Wrap>(texture.wrapT);
    binding.state.wrapR = static_cast<texture::Wrap>(texture.wrapR);
    binding.state.compare = static_cast<texture::DepthCompare>(texture.compare);
    binding.state.maxAnisotropy = static_cast<uint8_t>(texture.maxAnisotropy);
    binding.state.isEs3 = texture.isEs3;
    binding.state.asCodes = texture.asCodes;
    binding.state.minLod = texture.minLod;
    binding.state.maxLod = texture.maxLod;
    binding.state.border = texture.border;
    bind(texture.unit, std::move(binding));
    return true;
}

std::optional<debug::Group> groupOf(const std::string& captureBytes, std::string& title, int& lane,
                                    std::string& error) {
    std::optional<debug::Capture> capture = debug::deserializeCapture(std::as_bytes(std::span(captureBytes)), error);
    if (!capture) return std::nullopt;
    const auto units = std::make_shared<GroupTextures>();
    for (const debug::CapturedTexture& texture : capture->textures)
        if (!units->bind(texture)) {
            error = "the capture is damaged: an image has not the size that its format needs";
            return std::nullopt;
        }
    units->finish();
    capture->group.textures = units;
    title = capture->title, lane = capture->lane;
    return std::move(capture->group);
}

}  // namespace tessera::tools
