// `certify_errors`: how far the transcendental functions, as they are defined, are from the true values; prints the
// table of docs/certificate.md. Every single-precision number is tried. The true values are glibc's in double
// precision, which are good to one unit of the 53rd bit; MPFR decides where that leaves open how to round, and confirms
// each worst case.
#include <fmt/format.h>
#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <mutex>
#include <vector>

#include "base/process/env.h"
#include "base/thread/thread_pool.h"
#include "tests/certify/certificate.h"
#include "tests/certify/definition.h"

namespace {

using namespace tessera;
using namespace tessera::certify;

struct Row {
    const char* function;
    const char* range;  ///< as the table has it
    float low, high;
    double (*exact)(double);
    int (*exactly)(mpfr_t, const mpfr_t, mpfr_rnd_t);
};

constexpr float kMax = 0x1.fffffep127f;
// rcp and sqt are IEEE-754 operations, and nearest as such. sin and cos are symmetric by their definition.
const Row kRows[] = {
    {"rsq.f32", "all above 0", 0x1p-149f, kMax, [](double x) { return 1 / std::sqrt(x); }, mpfr_rec_sqrt},
    {"ex2.f32", "-150 to 128", -150, 0x1.fffffep6f, [](double x) { return std::exp2(x); }, mpfr_exp2},
    {"lg2.f32", "all above 0", 0x1p-149f, kMax, [](double x) { return std::log2(x); }, mpfr_log2},
    {"sin.f32", "0 to 32768 pi", 0, 102943.7f, [](double x) { return std::sin(x); }, mpfr_sin},
    {"cos.f32", "0 to 32768 pi", 0, 102943.7f, [](double x) { return std::cos(x); }, mpfr_cos},
};

/// A unit in the last place of the single-precision numbers around a value.
double unitOf(double value) {
    const uint64_t exponent = std::bit_cast<uint64_t>(value) >> 52 & 2047;
    return std::bit_cast<double>((std::max<uint64_t>(exponent, 1023 - 126) - 23) << 52);
}

/// The true value in 200 bits.
class Exact {
public:
    Exact() { mpfr_inits2(200, x_, y_, static_cast<mpfr_ptr>(nullptr)); }
    ~Exact() { mpfr_clears(x_, y_, static_cast<mpfr_ptr>(nullptr)); }
    Exact(const Exact&) = delete;
    Exact& operator=(const Exact&) = delete;

    float rounded(const Row& row, float x) { return mpfr_get_flt(compute(row, x), MPFR_RNDN); }
    /// The distance of a result, in units of the last place.
    double error(const Row& row, float x, float result) {
        mpfr_sub_d(y_, compute(row, x), static_cast<double>(result), MPFR_RNDN);
        const double distance = std::fabs(mpfr_get_d(y_, MPFR_RNDN));
        return distance / unitOf(mpfr_get_d(compute(row, x), MPFR_RNDN));
    }

private:
    mpfr_ptr compute(const Row& row, float x) {
        mpfr_set_flt(x_, x, MPFR_RNDN);
        row.exactly(y_, x_, MPFR_RNDN);
        return y_;
    }
    mpfr_t x_, y_;
};

struct Figures {
    uint64_t inputs = 0, misrounded = 0;
    double worst = 0;  ///< in ulp
    float worstAt = 0;

    void add(const Figures& other) {
        inputs += other.inputs, misrounded += other.misrounded;
        if (other.worst > worst) worst = other.worst, worstAt = other.worstAt;
    }
};

/// Whether double precision is too coarse to say which single-precision number is nearest.
bool isNearMidpoint(double value) {
    const double units = std::fabs(value) / unitOf(value);
    return std::fabs(units - std::floor(units) - 0.5) < 0x1p-20;
}

Figures measure(const Row& row, Slice slice, size_t function) {
    constexpr uint32_t kBatch = 1u << 16;
    std::vector<uint32_t> inputs(kBatch), results(kBatch);
    Figures figures;
    Exact exact;
    for (uint32_t first = 0; first < slice.size(); first += kBatch) {
        for (uint32_t n = 0; n < kBatch; ++n) inputs[n] = slice.element(first + n);
        define(functions()[function], {inputs, inputs, inputs}, results);
        for (uint32_t n = 0; n < kBatch; ++n) {
            const float x = std::bit_cast<float>(inputs[n]), result = std::bit_cast<float>(results[n]);
            if (!(x >= row.low && x <= row.high)) continue;
            ++figures.inputs;
            const double value = row.exact(static_cast<double>(x));
            const float nearest = isNearMidpoint(value) ? exact.rounded(row, x) : static_cast<float>(value);
            if (nearest == result) continue;
            ++figures.misrounded;
            const double error = std::fabs(static_cast<double>(result) - value) / unitOf(value);
            if (error > figures.worst) figures.worst = error, figures.worstAt = x;
        }
    }
    return figures;
}

}  // namespace

int main() {
    ThreadPool pool(threadCount());
    fmt::print(
        "| function | range | inputs | not the nearest number | worst error | at |\n|---|---|---|---|---|---|\n");
    for (const Row& row : kRows) {
        const auto found = std::find_if(functions().begin(), functions().end(),
                                        [&](const Function& f) { return f.name == row.function; });
        const auto function = static_cast<size_t>(found - functions().begin());
        Figures all;
        std::mutex mutex;
        pool.parallelFor("errors", kChunks, [&](size_t chunk, int) {
            const Figures figures = measure(row, {static_cast<uint32_t>(chunk)}, function);
            const std::scoped_lock lock(mutex);
            all.add(figures);
        });
        std::vector<uint32_t> at(kGroupElements, std::bit_cast<uint32_t>(all.worstAt)), result(kGroupElements);
        define(*found, {at, at, at}, result);
        const double worst = Exact().error(row, all.worstAt, std::bit_cast<float>(result[0]));
        fmt::print("| {} | {} | {} | {:.3f} % | {:.4f} ulp | {:a} |\n", row.function, row.range, all.inputs,
                   100.0 * static_cast<double>(all.misrounded) / static_cast<double>(all.inputs), worst, all.worstAt);
        std::fflush(stdout);
    }
    return 0;
}
