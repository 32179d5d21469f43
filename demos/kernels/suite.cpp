#include "demos/kernels/suite.h"

#include <cmath>
#include <limits>

namespace tessera::kernels {

const std::vector<Row>& suite() {
    static const std::vector<Row> rows = [] {
        std::vector<Row> all;
        for (auto seed : {rowsOfSeed000, rowsOfSeed001, rowsOfSeed002, rowsOfSeed003}) {
            auto of = seed();
            all.insert(all.end(), of.begin(), of.end());
        }
        return all;
    }();
    return rows;
}

std::vector<float> randomReals(uint64_t seed, size_t count) {
    Random random(seed);
    std::vector<float> values(count);
    for (float& value : values) value = random.real();
    return values;
}

std::vector<int32_t> randomIntegers(uint64_t seed, size_t count, int32_t low, int32_t high) {
    Random random(seed);
    std::vector<int32_t> values(count);
    for (int32_t& value : values) value = random.integer(low, high);
    return values;
}

double largestDifference(std::span<const float> actual, std::span<const double> expected) {
    if (actual.size() < expected.size()) return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
        const double difference = std::abs(static_cast<double>(actual[i]) - expected[i]);
        if (!(difference <= largest)) largest = difference;
        if (std::isnan(difference)) return std::numeric_limits<double>::infinity();
    }
    return largest;
}

}  // namespace tessera::kernels
