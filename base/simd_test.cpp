// The vectors' arithmetic, at the least level: what hosts without an instruction for it emulate.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <random>

#include "base/simd.h"

using namespace tessera;

namespace {

using Random = std::mt19937;

float ofBits(uint32_t bits) { return std::bit_cast<float>(bits); }

/// Equal bits, or both no numbers.
bool same(float a, float b) { return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b) || (a != a && b != b); }

/// A number of few digits, so that sums lie halfway between two singles more often than by chance.
float shortNumber(Random& random, int exponents) {
    const uint32_t digits = random() % 24, keep = ~0u << digits;
    const uint32_t exponent = 127 + random() % static_cast<uint32_t>(exponents) - static_cast<uint32_t>(exponents) / 2;
    return ofBits((random() & 0x80000000u) | exponent << 23 | (random() & 0x7FFFFF & keep));
}

/// Lanes of fma() that are not std::fma().
int wrongSums(F32x16 a, F32x16 b, F32x16 c) {
    const F32x16 result = fma(a, b, c);
    int wrong = 0;
    for (int lane = 0; lane < 16; ++lane) wrong += same(result[lane], std::fma(a[lane], b[lane], c[lane])) ? 0 : 1;
    return wrong;
}

template <class Number>
F32x16 lanes(const Number& number) {
    F32x16 x;
    for (int lane = 0; lane < 16; ++lane) x[lane] = number();
    return x;
}

}  // namespace

TEST_CASE("fma rounds once: any bits") {
    Random random(1);
    const auto any = [&] { return ofBits(static_cast<uint32_t>(random())); };
    int wrong = 0;
    for (int round = 0; round < 50'000; ++round) wrong += wrongSums(lanes(any), lanes(any), lanes(any));
    CHECK(wrong == 0);
}

TEST_CASE("fma rounds once: sums halfway between two numbers, of ordinary size and among the denormals") {
    Random random(2);
    int wrong = 0;
    for (const float scale : {1.0f, 0x1p-70f}) {
        for (int round = 0; round < 50'000; ++round) {
            const auto number = [&] { return shortNumber(random, 20) * scale; };
            const auto addend = [&] { return shortNumber(random, 60) * scale * scale; };
            wrong += wrongSums(lanes(number), lanes(number), lanes(addend));
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("fma rounds once: a half and a digit that doubles lose") {
    // c + half of its last place, and a product that is that half plus or minus its own last digit.
    int wrong = 0;
    for (int exponent = -149; exponent < 100; ++exponent) {
        for (const uint32_t digits : {0u, 1u, 2u, 0x7FFFFFu, 0x7FFFFEu, 0x400001u}) {
            const float least = std::ldexp(1.0f, exponent);
            const float sizeable = std::ldexp(1.0f + static_cast<float>(digits) * 0x1p-23f, exponent + 23);
            for (const float c : {sizeable, std::ldexp(static_cast<float>(digits), exponent), 0x1p-126f, least}) {
                // (1 + e) (1 - e) is 1 - e^2, (1 + e)^2 is 1 + 2e + e^2.
                const float e = 0x1p-23f, near[] = {1 + e, 1 - e / 2, 1 - e, 1 + 2 * e, 1.0f};
                for (const float x : near) {
                    for (const float y : near) {
                        const float half = std::ldexp(y, exponent / 2 - 1);
                        const float other = std::ldexp(x, exponent - exponent / 2);
                        for (const float sign : {1.0f, -1.0f})
                            wrong += wrongSums(splat(other), splat(sign * half), splat(c));
                    }
                }
            }
        }
    }
    CHECK(wrong == 0);
}
