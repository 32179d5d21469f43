#include "base/portable_math.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace tessera::portable {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = std::numbers::pi;

// --- Series: Taylor's, as far as double precision reaches over the range named, by Horner's scheme ---

/// Up to pi / 4.
double sinSeries(double x) {
    const double square = x * x;
    double sum = 1;
    for (int n = 18; n >= 2; n -= 2) sum = 1 - square / (n * (n + 1)) * sum;
    return x * sum;
}
double cosSeries(double x) {
    const double square = x * x;
    double sum = 1;
    for (int n = 17; n >= 1; n -= 2) sum = 1 - square / (n * (n + 1)) * sum;
    return sum;
}

/// Up to ln 2 / 2.
double expSeries(double x) {
    double sum = 1;
    for (int n = 14; n >= 1; --n) sum = 1 + x / n * sum;
    return sum;
}

/// x + sign x^3 / 3 + x^5 / 5 + sign x^7 / 7 ..., up to 3 - sqrt(8): the area hyperbolic tangent (sign = 1) or the
/// arc tangent (sign = -1).
double oddSeries(double x, double sign) {
    const double square = sign * x * x;
    double sum = 0;
    for (int n = 23; n >= 3; n -= 2) sum = (sum + 1.0 / n) * square;
    return x + x * sum;
}

// --- Reductions ---

struct Angle {
    double rest;   ///< -pi / 4 to pi / 4
    int quadrant;  ///< 0 to 3
};

/// Less multiples of pi / 2, which is taken in three parts: those of 33 bits have exact products with multiples below
/// 2^20, so nothing cancels but what is equal (Cody and Waite).
Angle reduce(double radians) {
    constexpr double kHigh = 0x1.921fb544p+0, kMiddle = 0x1.0b4611a6p-34, kLow = 0x1.3198a2e037073p-69;
    if (std::abs(radians) > 0x1p20) radians = std::fmod(radians, 2 * kPi);
    const double multiple = std::floor(radians * (2 / kPi) + 0.5);
    return {radians - multiple * kHigh - multiple * kMiddle - multiple * kLow, static_cast<int>(multiple) & 3};
}

struct Logarithm {
    double fraction;  ///< natural, of a number between sqrt(1/2) and sqrt(2)
    int exponent;     ///< of two
};

/// Of a finite number above 0.
Logarithm logarithm(double x) {
    int exponent = 0;
    double mantissa = std::frexp(x, &exponent);
    if (mantissa < std::numbers::sqrt2 / 2) mantissa *= 2, --exponent;
    return {2 * oddSeries((mantissa - 1) / (mantissa + 1), 1), exponent};
}

/// What log and log2 are where logarithm() does not reach.
bool isSpecial(double x, double* result) {
    if (x > 0 && x < kInfinity) return false;
    *result = x == 0 ? -kInfinity : x > 0 ? kInfinity : kNaN;
    return true;
}

}  // namespace

double sin(double radians) {
    if (!std::isfinite(radians)) return kNaN;
    const auto [rest, quadrant] = reduce(radians);
    const double value = quadrant % 2 == 0 ? sinSeries(rest) : cosSeries(rest);
    return quadrant < 2 ? value : -value;
}

double cos(double radians) {
    if (!std::isfinite(radians)) return kNaN;
    const auto [rest, quadrant] = reduce(radians);
    const double value = quadrant % 2 == 0 ? cosSeries(rest) : sinSeries(rest);
    return quadrant == 0 || quadrant == 3 ? value : -value;
}

double tan(double radians) { return sin(radians) / cos(radians); }

double asin(double x) { return atan2(x, std::sqrt((1 - x) * (1 + x))); }
double acos(double x) { return atan2(std::sqrt((1 - x) * (1 + x)), x); }

double atan(double x) {
    const double size = std::abs(x);
    // Of the reciprocal, and of half the angle twice: tan(a / 2) = tan a / (1 + sqrt(1 + tan^2 a)).
    const double small = size > 1 ? 1 / size : size;
    const double half = small / (1 + std::sqrt(1 + small * small));
    const double quarter = half / (1 + std::sqrt(1 + half * half));
    const double angle = 4 * oddSeries(quarter, -1);
    return std::copysign(size > 1 ? kPi / 2 - angle : angle, x);
}

double atan2(double y, double x) {
    if (std::isnan(x) || std::isnan(y)) return kNaN;
    const double height = std::abs(y), width = std::abs(x);
    double angle = 0;
    if (height == width)
        angle = height == 0 ? 0 : kPi / 4;
    else
        angle = height > width ? kPi / 2 - atan(width / height) : atan(height / width);
    return std::copysign(std::signbit(x) ? kPi - angle : angle, y);
}

double exp(double x) {
    if (!(std::abs(x) < 800)) return std::isnan(x) ? kNaN : x > 0 ? kInfinity : 0;
    // ln 2 in two parts, the first of 32 bits: its products with exponents are exact.
    constexpr double kHigh = 0x1.62e42fefp-1, kLow = 0x1.473de6af278edp-34;
    const double whole = std::floor(x * (1 / std::numbers::ln2) + 0.5);
    return std::ldexp(expSeries(x - whole * kHigh - whole * kLow), static_cast<int>(whole));
}

double exp2(double x) {
    if (!(std::abs(x) < 1200)) return std::isnan(x) ? kNaN : x > 0 ? kInfinity : 0;
    const double whole = std::floor(x + 0.5);
    return std::ldexp(expSeries((x - whole) * std::numbers::ln2), static_cast<int>(whole));
}

double log(double x) {
    double special = 0;
    if (isSpecial(x, &special)) return special;
    const auto [fraction, exponent] = logarithm(x);
    return exponent * std::numbers::ln2 + fraction;
}

double log2(double x) {
    double special = 0;
    if (isSpecial(x, &special)) return special;
    const auto [fraction, exponent] = logarithm(x);
    return exponent + fraction * (1 / std::numbers::ln2);
}

double pow(double x, double y) {
    if (y == 0 || x == 1) return 1;
    const double size = std::abs(x);
    double value = size == 1 ? 1 : exp2(y * log2(size));
    if (!std::signbit(x) || std::isnan(x)) return value;
    const bool isWhole = std::floor(y) == y;
    const bool isOdd = isWhole && std::abs(std::fmod(y, 2)) == 1;
    if (isOdd) return -value;
    return isWhole || size == 0 || size == kInfinity ? value : kNaN;
}

}  // namespace tessera::portable
