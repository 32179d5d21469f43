// For tests of the GPU as a whole: an image that is drawn to, a clear of it, and a square that covers a part of it.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "pipeline/commands.h"
#include "pipeline/testing/geometry.h"
#include "texture/image.h"

namespace tessera::pipeline::test {

constexpr int kSize = 200;  ///< of the image, in both directions

inline texture::ImagePtr colorImage() {
    return std::make_shared<texture::Image>(texture::PixelFormat::Rgba8, kSize, kSize);
}

inline Clear clearTo(const RenderTarget& target, float red, float green, float blue) {
    Clear clear;
    *clear.target = target;
    clear.clearColor = true;
    const float color[4] = {red, green, blue, 1};
    std::copy(color, color + 4, clear.color);
    return clear;
}

inline RenderTarget targetOf(const texture::ImagePtr& image) {
    RenderTarget target;
    target.width = target.height = kSize;
    target.color[0] = image;
    return target;
}

inline std::vector<TestVertex> square(float left, float right, float red, float green) {
    const auto corner = [&](float x, float y) { return TestVertex{{x, y, 0, 1}, {red, green, 0, 1}}; };
    return {corner(left, -1), corner(right, -1), corner(right, 1), corner(left, -1), corner(right, 1), corner(left, 1)};
}

}  // namespace tessera::pipeline::test
