#include "base/portable_math.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace portable = tessera::portable;

namespace {

/// Units in the last place between a result and the C library's in more precision.
double ulps(double actual, long double expected) {
    const double size = std::abs(static_cast<double>(expected));
    return std::abs(static_cast<double>((actual - expected) / (std::nextafter(size, INFINITY) - size)));
}

template <class Function, class Reference>
double worstUlps(double low, double high, Function function, Reference reference) {
    std::mt19937_64 bits(1);
    double worst = 0;
    for (int i = 0; i < 100000; ++i) {
        const double x = low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53;
        worst = std::max(worst, ulps(function(x), reference(static_cast<long double>(x))));
    }
    return worst;
}

/// Both NaN, or equal to 12 digits with the same sign, that of zero too.
bool agree(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return std::signbit(a) == std::signbit(b) && (a == b || std::abs(a - b) <= 1e-12 * std::abs(b));
}

}  // namespace

TEST_CASE("Portable functions are within 6 units in the last place of the C library's in long double") {
    const auto within = [](double low, double high, auto function, auto reference) {
        return worstUlps(low, high, function, reference) < 6;
    };
    CHECK(within(-1e6, 1e6, portable::sin, sinl));
    CHECK(within(-1e6, 1e6, portable::cos, cosl));
    CHECK(within(-100, 100, portable::tan, tanl));
    CHECK(within(-1, 1, portable::asin, asinl));
    CHECK(within(-1, 1, portable::acos, acosl));
    CHECK(within(-50, 50, portable::atan, atanl));
    CHECK(within(-700, 700, portable::exp, expl));
    CHECK(within(-1000, 1000, portable::exp2, exp2l));
    CHECK(within(0, 2, portable::log, logl));
    CHECK(within(0, 1e30, portable::log2, log2l));
    double worst = 0;
    for (int x = 1; x < 300; ++x)
        for (int y = -300; y < 300; ++y) {
            const long double power = powl(x / 8.0L, y / 8.0L);
            worst = std::max(worst, std::abs(static_cast<double>((portable::pow(x / 8.0, y / 8.0) - power) / power)));
        }
    CHECK(worst < 0x1p-43);
}

TEST_CASE("Portable functions have the C library's special values") {
    constexpr double kValues[] = {0,   -0.0, 1,        -1,        2,   -2,    3,      -3,
                                  0.5, -0.5, INFINITY, -INFINITY, NAN, 1e308, -1e308, 1e-310};
    for (const double x : kValues) {
        CAPTURE(x);
        if (std::abs(x) < 1e300 || std::isinf(x)) {
            CHECK(agree(portable::sin(x), std::sin(x)));
            CHECK(agree(portable::cos(x), std::cos(x)));
            CHECK(agree(portable::tan(x), std::tan(x)));
        }
        CHECK(agree(portable::asin(x), std::asin(x)));
        CHECK(agree(portable::acos(x), std::acos(x)));
        CHECK(agree(portable::atan(x), std::atan(x)));
        CHECK(agree(portable::exp(x), std::exp(x)));
        CHECK(agree(portable::exp2(x), std::exp2(x)));
        CHECK(agree(portable::log(x), std::log(x)));
        CHECK(agree(portable::log2(x), std::log2(x)));
        for (const double y : kValues) {
            CAPTURE(y);
            CHECK(agree(portable::pow(x, y), std::pow(x, y)));
            CHECK(agree(portable::atan2(x, y), std::atan2(x, y)));
        }
    }
}
