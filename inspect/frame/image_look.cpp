#include "inspect/frame/image_look.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "texture/transfer/transfer.h"

namespace tessera::inspect {

namespace {

using texture::ImagePtr;

/// The plane as an image; of samples without a number the whole, of which transfers read the mean.
ImagePtr planeOf(const ImagePtr& image, int plane) {
    const int planes = image->samples() * image->depth();
    if (planes == 1 || (plane < 0 && image->samples() > 1)) return image;
    return std::make_shared<texture::Image>(image, std::clamp(plane, 0, planes - 1));
}

uint32_t bitsOf(const texture::Image& image, const texture::Field& field, int x, int y) {
    const size_t element = static_cast<size_t>((y & 3) * 4 + (x & 3));
    const size_t words = static_cast<size_t>(texture::elementInfo(image.element()).words);
    uint32_t word = 0;
    std::memcpy(&word, image.block(x >> 2, y >> 2) + (element * words + field.word) * sizeof word, sizeof word);
    return (word & field.mask()) >> field.shift;
}

double depthOf(const texture::Image& image, int x, int y) {
    const texture::ElementInfo& element = texture::elementInfo(image.element());
    const uint32_t bits = bitsOf(image, element.channel[0], x, y);
    if (element.number == texture::Number::DepthFloat) return __builtin_bit_cast(float, bits);
    return static_cast<double>(bits) / ((uint64_t{1} << element.channel[0].bits) - 1);
}

/// Colours of a row, as the numbers that they stand for.
class Rows {
public:
    explicit Rows(const texture::Image& image)
        : image_(image), words_(static_cast<size_t>(image.width()) * 4), isInteger_(isInteger(image.element())) {}

    void read(int y, std::vector<std::array<double, 4>>& row) {
        using texture::ClientFormat, texture::ClientType;
        const bool isSigned = texture::elementInfo(image_.element()).number == texture::Number::Sint;
        const ClientType type = !isInteger_ ? ClientType::F32 : isSigned ? ClientType::I32 : ClientType::U32;
        texture::readBack(image_, {0, y, image_.width(), 1}, reinterpret_cast<std::byte*>(words_.data()),
                          {isInteger_ ? ClientFormat::RgbaInteger : ClientFormat::Rgba, type, words_.size() * 4});
        row.resize(static_cast<size_t>(image_.width()));
        for (size_t i = 0; i < words_.size(); ++i)
            row[i / 4][i % 4] = !isInteger_ ? static_cast<double>(__builtin_bit_cast(float, words_[i]))
                                : isSigned  ? static_cast<double>(static_cast<int32_t>(words_[i]))
                                            : static_cast<double>(words_[i]);
    }

private:
    const texture::Image& image_;
    std::vector<uint32_t> words_;
    const bool isInteger_;
};

/// Calls use(x, y, numbers, count) for each texel, in rows from the bottom: of a single channel one number.
template <class Use>
void forEachTexel(const texture::Image& image, Channels channels, const Use& use) {
    const texture::ElementInfo& element = texture::elementInfo(image.element());
    if (channels == Channels::Depth || channels == Channels::Stencil) {
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const double value = channels == Channels::Depth ? depthOf(image, x, y)
                                     : element.stencil.bits == 0 ? 0
                                                                 : bitsOf(image, element.stencil, x, y);
                use(x, y, &value, 1);
            }
        return;
    }
    Rows rows(image);
    std::vector<std::array<double, 4>> row;
    for (int y = 0; y < image.height(); ++y) {
        rows.read(y, row);
        for (int x = 0; x < image.width(); ++x) {
            const std::array<double, 4>& texel = row[static_cast<size_t>(x)];
            if (channels == Channels::Color || channels == Channels::WithAlpha)
                use(x, y, texel.data(), channels == Channels::Color ? 3 : 4);
            else
                use(x, y, &texel[static_cast<size_t>(channels) - static_cast<size_t>(Channels::Red)], 1);
        }
    }
}

bool hasStencil(const texture::Image& image) {
    return texture::isDepth(image.element()) && texture::formatInfo(image.format()).stencil != 0;
}

}  // namespace

std::vector<Channels> channelsOf(const texture::Image& image) {
    if (!texture::isDepth(image.element()))
        return {Channels::Color, Channels::WithAlpha, Channels::Red, Channels::Green, Channels::Blue, Channels::Alpha};
    std::vector<Channels> channels;
    if (texture::formatInfo(image.format()).depth != 0) channels.push_back(Channels::Depth);
    if (hasStencil(image)) channels.push_back(Channels::Stencil);
    return channels;
}

Look usualLook(const texture::Image& image, Channels channels) {
    Look look{.channels = channels};
    if (channels == Channels::Stencil || texture::isInteger(image.element())) look.high = 255;
    return look;
}

std::optional<std::array<double, 2>> rangeOf(const ImagePtr& image, const Look& look) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    std::array<double, 2> range = {kInfinity, -kInfinity};
    forEachTexel(*planeOf(image, look.plane), look.channels, [&](int, int, const double* numbers, int count) {
        for (int i = 0; i < std::min(count, 3); ++i)
            if (std::isfinite(numbers[i])) range = {std::min(range[0], numbers[i]), std::max(range[1], numbers[i])};
    });
    if (range[0] > range[1]) return std::nullopt;
    return range;
}

Picture pictureOf(const ImagePtr& image, const Look& look) {
    const ImagePtr plane = planeOf(image, look.plane);
    Picture picture{plane->width(), plane->height(), {}};
    picture.rgba.resize(static_cast<size_t>(picture.width) * static_cast<size_t>(picture.height) * 4);
    const double scale = look.high != look.low ? 255 / (look.high - look.low) : 0;
    const auto shade = [&](double value) {
        return static_cast<uint8_t>(std::clamp((value - look.low) * scale + 0.5, 0.0, 255.0));
    };
    forEachTexel(*plane, look.channels, [&](int x, int y, const double* numbers, int count) {
        uint8_t* const to =
            &picture.rgba[(static_cast<size_t>(picture.height - 1 - y) * static_cast<size_t>(picture.width) +
                           static_cast<size_t>(x)) *
                          4];
        to[3] = 255;
        if (std::any_of(numbers, numbers + count, [](double number) { return std::isnan(number); })) {
            to[0] = to[2] = 255, to[1] = 0;
            return;
        }
        for (int c = 0; c < 3; ++c) to[c] = shade(numbers[count == 1 ? 0 : c]);
        if (count == 4) to[3] = shade(numbers[3]);
    });
    return picture;
}

std::string texelText(const ImagePtr& image, int plane, int x, int y) {
    const ImagePtr of = planeOf(image, plane);
    const texture::ElementInfo& element = texture::elementInfo(of->element());
    if (texture::isDepth(of->element())) {
        std::string text;
        if (texture::formatInfo(of->format()).depth != 0)
            text = element.number == texture::Number::DepthFloat
                       ? fmt::format("depth {}", static_cast<float>(depthOf(*of, x, y)))
                       : fmt::format("depth {:.8f} ({})", depthOf(*of, x, y), bitsOf(*of, element.channel[0], x, y));
        if (hasStencil(*of))
            text += fmt::format("{}stencil {}", text.empty() ? "" : ", ", bitsOf(*of, element.stencil, x, y));
        return text;
    }
    std::vector<std::array<double, 4>> row;
    Rows(*of).read(y, row);
    std::string text;
    for (const double value : row[static_cast<size_t>(x)])
        text += (text.empty() ? "" : " ") + (texture::isInteger(of->element())
                                                 ? fmt::format("{}", static_cast<int64_t>(value))
                                                 : fmt::format("{}", static_cast<float>(value)));
    if (texture::isNormalized(of->element()) && of->samples() == 1) {
        text += " (";
        for (int c = 0; c < 4; ++c)
            text += fmt::format("{}{}", c == 0 ? "" : " ", bitsOf(*of, element.channel[static_cast<size_t>(c)], x, y));
        text += ")";
    }
    return text;
}

}  // namespace tessera::inspect
