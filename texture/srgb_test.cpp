#include "texture/srgb.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "texture/image.h"
#include "texture/transfer/transfer.h"

using namespace tessera;
using namespace tessera::texture;

namespace {

double decode(double encoded) {
    return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}
double encode(double linear) { return linear < 0.0031308 ? linear * 12.92 : 1.055 * std::pow(linear, 1 / 2.4) - 0.055; }

uint32_t encodeOne(float linear) { return linearToSrgb(splat(linear))[0]; }

}  // namespace

TEST_CASE("decoding is the formula to the last bit but one") {
    for (uint32_t code = 0; code < 256; ++code) {
        const float value = srgbToLinear(splat(code))[3];
        CHECK(std::abs(value - 255 * decode(code / 255.0)) <= 255 * decode(code / 255.0) * 0x1p-23);
    }
    CHECK(srgbToLinear(splat(0u))[0] == 0.0f);
    CHECK(srgbToLinear(splat(255u))[0] == 255.0f);
}

TEST_CASE("encoding a decoded code gives the code, and in between the nearest one") {
    uint32_t last = 0;
    for (uint32_t code = 0; code < 256; ++code) CHECK(encodeOne(srgbToLinear(splat(code))[0]) == code);
    for (int i = 0; i <= 20000; ++i) {
        const float linear = 255.0f * static_cast<float>(i) / 20000;
        const uint32_t code = encodeOne(linear);
        CHECK(std::abs(code - 255 * encode(linear / 255.0)) <= 0.5 + 1e-3);  // the two branches do not quite meet
        CHECK(code >= last);
        last = code;
    }
}

TEST_CASE("what is no colour encodes to an end") {
    CHECK(encodeOne(-1) == 0);
    CHECK(encodeOne(std::numeric_limits<float>::quiet_NaN()) == 0);
    CHECK(encodeOne(300) == 255);
    CHECK(encodeOne(std::numeric_limits<float>::infinity()) == 255);
}

TEST_CASE("samples of an encoded image are averaged as light, alpha as it is") {
    Image samples(PixelFormat::Srgb8Alpha8, 4, 4, kMaxSamples);
    for (int sample = 0; sample < kMaxSamples; ++sample) {
        auto* block = reinterpret_cast<uint32_t*>(samples.sampleBlock(sample, 0, 0));
        for (int i = 0; i < 16; ++i) block[i] = sample < 2 ? 0xFFFFFFFFu : 0u;
    }
    Image mean(PixelFormat::Srgb8Alpha8, 4, 4);
    resolve(samples, mean);
    CHECK(mean.texel32(1, 2) == 0x80BCBCBCu);  // 188 is the code of half the light
    uint32_t read = 0;
    readBack(samples, {3, 3, 1, 1}, reinterpret_cast<std::byte*>(&read), {ClientFormat::Rgba, ClientType::U8, 4});
    CHECK(read == 0x80BCBCBCu);
}
