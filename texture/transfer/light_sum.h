// The mean of sRGB texels, as light: what a mipmap level makes of several.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "texture/srgb.h"

namespace tessera::texture {

/// Light is summed in double, alpha whole.
class LightSum {
public:
    void add(uint32_t texel, uint64_t weight) {
        for (size_t c = 0; c < light_.size(); ++c)
            light_[c] += static_cast<double>(weight) * static_cast<double>(kLinearOfSrgb[texel >> (8 * c) & 0xFF]);
        alpha_ += weight * (texel >> 24);
    }
    /// The mean is rounded to single and encoded; alpha is rounded once, halves up. `total`: of the weights.
    [[nodiscard]] uint32_t mean(uint64_t total) const {
        auto word = static_cast<uint32_t>((alpha_ + total / 2) / total) << 24;
        const double scale = 1.0 / static_cast<double>(total);
        for (size_t c = 0; c < light_.size(); ++c) {
            // As linearToSrgb(): the codes that end below it.
            const auto* end =
                std::upper_bound(kSrgbEnd.begin(), kSrgbEnd.end() - 1, static_cast<float>(light_[c] * scale));
            word |= static_cast<uint32_t>(end - kSrgbEnd.begin()) << (8 * c);
        }
        return word;
    }

private:
    std::array<double, 3> light_{};
    uint64_t alpha_ = 0;
};

}  // namespace tessera::texture
