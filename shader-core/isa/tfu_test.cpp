// The transcendental unit against double precision, its exact cases, and its special values.
#include "shader-core/isa/tfu.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>

using namespace tessera;
namespace tfu = tessera::isa::tfu;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNanValue = std::numeric_limits<float>::quiet_NaN();

float fromBits32(uint32_t bits) { return __builtin_bit_cast(float, bits); }
uint32_t toBits32(float x) { return __builtin_bit_cast(uint32_t, x); }

/// Distance in units of the last place of the true value, down to the denormal unit.
double ulps(float got, double want) {
    if (std::isnan(want)) return toBits32(got) == tfu::kNan ? 0 : 1e9;
    if (std::isnan(got)) return 1e9;
    if (std::isinf(want)) return got == want ? 0 : 1e9;
    if (std::isinf(got)) return std::fabs(want) >= 0x1.ffffffp127 ? 0 : 1e9;
    int exponent = 0;
    std::frexp(want, &exponent);
    return std::fabs(got - want) / std::ldexp(1.0, std::max(exponent - 24, -149));
}

using Function = F32x16 (*)(F32x16);

/// Largest error in ulp (or absolute) over about `samples` numbers of [lo, hi], spread over all exponents.
double worst(Function function, double (*exact)(double), float lo, float hi, bool absolute, uint32_t stride = 4099) {
    double largest = 0;
    for (uint64_t base = 0; base < (uint64_t{1} << 32); base += uint64_t{16} * stride) {
        F32x16 x;
        for (int i = 0; i < 16; ++i) {
            const float value = fromBits32(static_cast<uint32_t>(base + uint64_t{stride} * i));
            x[i] = value >= lo && value <= hi ? value : lo;
        }
        const F32x16 y = function(x);
        for (int i = 0; i < 16; ++i) {
            const double want = exact(x[i]);
            const double error = absolute ? std::fabs(y[i] - want) : ulps(y[i], want);
            if (!(error <= largest)) largest = error;
        }
    }
    return largest;
}

double exactRcp(double x) { return 1 / x; }
double exactExp2(double x) { return std::exp2(x); }
double exactLog2(double x) { return std::log2(x); }
double exactRsq(double x) { return 1 / std::sqrt(x); }

uint32_t bitsOf(Function function, float x) { return toBits32(tfu::scalar(function, x)); }
uint32_t powBits(float x, float y) { return toBits32(tfu::scalar(tfu::pow, x, y)); }

/// sin or cos as docs/isa.md defines them.
float sineByDefinition(float x, int turn) {
    const auto poly = [](const float(&c)[3], float z) { return std::fma(std::fma(c[2], z, c[1]), z, c[0]); };
    const float a = std::fabs(x), k = std::fma(a, tfu::kTwoOverPi, 0x1.8p23f), n = k - 0x1.8p23f;
    const uint32_t q = toBits32(k) + static_cast<uint32_t>(turn);
    float r = std::fma(-n, tfu::kHalfPi[0], a);
    r = std::fma(-n, tfu::kHalfPi[1], r);
    r = std::fma(-n, tfu::kHalfPi[2], r);
    r = r > -1.2f ? r : -1.2f;
    r = r < 1.2f ? r : 1.2f;
    const float z = r * r;
    const float s = std::fma(poly(tfu::kSin, z), r * z, r);
    const float c = std::fma(poly(tfu::kCos, z), z * z, std::fma(z, -0.5f, 1.0f));
    const float v = (q & 1) != 0 ? c : s;
    return ((q & 2) != 0) != (turn == 0 && std::signbit(x)) ? -v : v;
}

/// How many results of a polynomial over -1..1 are not those of Horner's rule with fma().
template <int N>
int wrongResults(const float (&c)[N]) {
    int wrong = 0;
    for (uint64_t b = 0; b <= 0x3f800000; b += 1021) {
        for (const uint64_t sign : {uint64_t{0}, uint64_t{0x80000000}}) {
            const float x = fromBits32(static_cast<uint32_t>(b | sign));
            float sum = c[N - 1];
            for (int i = N - 2; i >= 0; --i) sum = std::fma(sum, x, c[i]);
            wrong += toBits32(tfu::polynomial(c, splat(x))[0]) != toBits32(sum);
        }
    }
    return wrong;
}

}  // namespace

// Hosts without fma() round these to double first. The certificate has every operand (docs/certificate.md).
TEST_CASE("polynomials are those of fma()") {
    CHECK(wrongResults(tfu::kLog2) == 0);
    CHECK(wrongResults(tfu::kExp2) == 0);
    CHECK(wrongResults(tfu::kSin) == 0);
    CHECK(wrongResults(tfu::kCos) == 0);
}

TEST_CASE("sin and cos are what they are defined as, where the quadrant is a tie, too") {
    std::mt19937 random(3);
    const auto check = [](uint32_t bits) {
        const float x = fromBits32(bits);
        CHECK(bitsOf(tfu::sin, x) == toBits32(sineByDefinition(x, 0)));
        CHECK(bitsOf(tfu::cos, x) == toBits32(sineByDefinition(x, 1)));
    };
    // Sums of product and 3 * 2^22 that double holds halfway between two singles: they lost digits.
    for (uint32_t b = 0x66c00000; b <= 0x7f400000; b += 0x00800000) check(b), check(b | 0x80000000);
    for (int i = 0; i < 20000; ++i) check(static_cast<uint32_t>(random()) & 0xbfffffff);
}

TEST_CASE("rcp and sqt are correctly rounded, rsq within one ulp") {
    for (uint64_t b = 0; b < (uint64_t{1} << 32); b += 65521) {
        const float x = fromBits32(static_cast<uint32_t>(b));
        if (std::isnan(x)) continue;
        const float quotient = static_cast<float>(1.0 / static_cast<double>(x));  // exact: 53 >= 2 * 24 + 2 bits
        CHECK(bitsOf(tfu::rcp, x) == toBits32(quotient));
        if (x > 0) CHECK(bitsOf(tfu::sqt, x) == toBits32(static_cast<float>(std::sqrt(static_cast<double>(x)))));
    }
    CHECK(worst(tfu::rcp, exactRcp, 0x1p-126f, 0x1p126f, false) <= 0.5);
    CHECK(worst(tfu::rsq, exactRsq, 0x1p-149f, 0x1.fffffep127f, false) <= 1.0);
}

TEST_CASE("ex2 and lg2 stay inside their bounds") {
    CHECK(worst(tfu::ex2, exactExp2, -152.0f, 0x1.fffffep6f, false) <= 1.0);
    CHECK(worst(tfu::ex2, exactExp2, -1.0f, 1.0f, false) <= 1.0);
    CHECK(worst(tfu::lg2, exactLog2, 0x1p-149f, 0x1.fffffep127f, false) <= 2.0);
    CHECK(worst(tfu::lg2, exactLog2, 0.5f, 2.0f, false, 257) <= 2.0);
}

TEST_CASE("sin and cos stay inside their bounds") {
    const float range = 32768 * 3.14159265f;
    for (Function function : {Function(tfu::sin), Function(tfu::cos)}) {
        double (*exact)(double) = [](double x) { return std::sin(x); };
        if (function == Function(tfu::cos)) exact = [](double x) { return std::cos(x); };
        CHECK(worst(function, exact, -range, range, true, 1021) <= 0x1p-23);
        CHECK(worst(function, exact, -range, range, false) <= 2.0);
        CHECK(worst(function, exact, -0x1p22f, 0x1p22f, true) <= 0x1p-21);
    }
    for (uint64_t b = 0; b < 0x7f800000; b += 9973) {  // bounded and symmetric everywhere
        const float x = fromBits32(static_cast<uint32_t>(b));
        CHECK(std::fabs(tfu::scalar(tfu::sin, x)) <= 1.0f);
        CHECK(std::fabs(tfu::scalar(tfu::cos, x)) <= 1.0f);
        CHECK(bitsOf(tfu::sin, -x) == (bitsOf(tfu::sin, x) ^ 0x80000000u));
        CHECK(bitsOf(tfu::cos, -x) == bitsOf(tfu::cos, x));
    }
}

TEST_CASE("pow stays within the errors of its logarithm, its product and its exponential") {
    std::mt19937_64 random(20);
    double largest = 0;
    for (int k = 0; k < 200000; ++k) {
        F32x16 x, y;
        for (int i = 0; i < 16; ++i) {
            const uint64_t r = random();
            x[i] = k % 2 ? fromBits32(static_cast<uint32_t>(r % 0x7f800000))
                         : 1 + (static_cast<int>(r % 65536) - 32768) * 0x1p-20f;
            const double power = static_cast<double>(static_cast<int64_t>(random()) >> 11) * 0x1p-52 * 152;
            const double log = std::log2(static_cast<double>(x[i]));
            y[i] = k % 3 == 0 ? fromBits32(static_cast<uint32_t>(random() % 0x7f800000))
                              : static_cast<float>(log == 0 ? power : power / log);
            if (!std::isfinite(y[i])) y[i] = 1;
        }
        const F32x16 result = tfu::pow(x, y);
        for (int i = 0; i < 16; ++i) {
            const double power = std::pow(static_cast<double>(x[i]), static_cast<double>(y[i]));
            const double log = std::fabs(static_cast<double>(y[i]) * std::log2(static_cast<double>(x[i])));
            const double error = ulps(result[i], power) / (1 + 2.1 * std::fmin(log, 160));
            if (!(error <= largest)) largest = error;
        }
    }
    CHECK(largest <= 1);
}

TEST_CASE("exact cases") {
    for (int n = -149; n < 128; ++n) {
        const float power = std::ldexp(1.0f, n);
        CHECK(tfu::scalar(tfu::ex2, static_cast<float>(n)) == power);
        CHECK(tfu::scalar(tfu::lg2, power) == static_cast<float>(n));
        CHECK(tfu::scalar(tfu::pow, 2.0f, static_cast<float>(n)) == power);
    }
    CHECK(bitsOf(tfu::lg2, 1.0f) == 0);
    for (uint64_t b = 0; b <= 0x7f800000; b += 40093) {
        const float x = fromBits32(static_cast<uint32_t>(b));
        CHECK(powBits(x, 0.0f) == toBits32(1.0f));
        CHECK(powBits(-x, -0.0f) == toBits32(1.0f));
        if (x > 0) CHECK(powBits(0.0f, x) == 0);
    }
}

TEST_CASE("special values") {
    const uint32_t inf = toBits32(kInf), negativeInf = toBits32(-kInf), nan = tfu::kNan;
    for (Function function : {Function(tfu::rcp), Function(tfu::rsq), Function(tfu::sqt), Function(tfu::ex2),
                              Function(tfu::lg2), Function(tfu::sin), Function(tfu::cos)}) {
        CHECK(bitsOf(function, kNanValue) == nan);
        CHECK(bitsOf(function, fromBits32(0xffc12345)) == nan);
    }
    for (float negative : {-0x1p-149f, -1.0f, -0x1.fffffep127f, -kInf})
        for (Function function : {Function(tfu::rsq), Function(tfu::sqt), Function(tfu::lg2)})
            CHECK(bitsOf(function, negative) == nan);
    CHECK(bitsOf(tfu::rcp, 0.0f) == inf);
    CHECK(bitsOf(tfu::rcp, -0.0f) == negativeInf);
    CHECK(bitsOf(tfu::rcp, -kInf) == 0x80000000u);
    CHECK(bitsOf(tfu::rsq, 0.0f) == inf);
    CHECK(bitsOf(tfu::rsq, -0.0f) == inf);
    CHECK(bitsOf(tfu::rsq, kInf) == 0);
    CHECK(bitsOf(tfu::sqt, -0.0f) == 0x80000000u);
    CHECK(bitsOf(tfu::sqt, kInf) == inf);
    CHECK(bitsOf(tfu::ex2, kInf) == inf);
    CHECK(bitsOf(tfu::ex2, -kInf) == 0);
    CHECK(bitsOf(tfu::ex2, 128.0f) == inf);
    CHECK(bitsOf(tfu::ex2, -150.0f) == 0);
    CHECK(bitsOf(tfu::lg2, 0.0f) == negativeInf);
    CHECK(bitsOf(tfu::lg2, -0.0f) == negativeInf);
    CHECK(bitsOf(tfu::lg2, kInf) == inf);
    CHECK(bitsOf(tfu::sin, -0.0f) == 0x80000000u);
    CHECK(bitsOf(tfu::cos, -0.0f) == toBits32(1.0f));
    CHECK(bitsOf(tfu::sin, kInf) == nan);
    CHECK(bitsOf(tfu::cos, -kInf) == nan);
    CHECK(powBits(-1.0f, 2.0f) == nan);
    CHECK(powBits(-kInf, 1.0f) == nan);
    CHECK(powBits(kNanValue, 1.0f) == nan);
    CHECK(powBits(2.0f, kNanValue) == nan);
    CHECK(powBits(1.0f, kInf) == nan);
    CHECK(powBits(kNanValue, 0.0f) == toBits32(1.0f));
    CHECK(powBits(0.0f, -1.0f) == inf);
    CHECK(powBits(-0.0f, 3.0f) == 0);
    CHECK(powBits(kInf, 0.5f) == inf);
    CHECK(powBits(kInf, -0.5f) == 0);
    CHECK(powBits(0.5f, kInf) == 0);
    CHECK(powBits(0.5f, -kInf) == inf);
    CHECK(powBits(2.0f, 128.0f) == inf);
    CHECK(powBits(2.0f, -150.0f) == 0);
}
