// The compute kernels of the seed papers as data: which programs run over which memory, and what must come out.
//
// A Row is one kernel of the table that `kernels` prints; it makes a Job for a size. A Job is complete: memory with its
// first contents, launches, and a check of what is in memory afterwards against a formula of its own in double or
// integer arithmetic. Nothing in a job depends on the machine, so its results are the same bytes everywhere.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tessera::kernels {

/// Small: a moment on the interpreter. Paper: as in the seed, or the larger of its sizes. Large: beyond it.
enum class Scale { Small, Paper, Large };

struct Memory {
    std::vector<std::byte> bytes;
    template <class T>
    [[nodiscard]] std::span<const T> as() const {
        return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
};

/// One launch. Buffers are the program's, in the order b0, b1, ...: each entry is a number in Job::memories.
struct Step {
    std::string kernel;  ///< of programs/NAME.tsa
    std::array<uint32_t, 3> grid{1, 1, 1};
    std::array<uint32_t, 3> block{};  ///< zeros: the program's
    std::vector<int> buffers;
    std::vector<std::vector<uint32_t>> uniforms;  ///< bits of each, in the order of declaration
};

/// How far a result is from the reference, and how far it may be. For exact kernels: wrong elements, and none.
struct Check {
    double error = 0, bound = 0;
    [[nodiscard]] bool ok() const { return error <= bound; }  // false for NaN
};

/// The unit of Job::work.
enum class Work { Flops, Operations, Bytes };

struct Job {
    std::string size;
    std::vector<Memory> memories;
    std::vector<Step> steps;
    std::vector<int> outputs;  ///< memories that are compared between tiers
    double work = 0;
    Work unit = Work::Flops;
    /// `results` are the memories after the launches.
    std::function<Check(const Job&, const std::vector<Memory>& results)> check;

    template <class T>
    int add(const std::vector<T>& values) {
        Memory memory;
        memory.bytes.resize(values.size() * sizeof(T));
        if (!values.empty()) std::memcpy(memory.bytes.data(), values.data(), memory.bytes.size());
        memories.push_back(std::move(memory));
        return static_cast<int>(memories.size()) - 1;
    }
    /// Memory of zeros; an output.
    int addOutput(size_t bytes) {
        memories.push_back({std::vector<std::byte>(bytes)});
        outputs.push_back(static_cast<int>(memories.size()) - 1);
        return outputs.back();
    }
};

struct Row {
    std::string_view name;
    std::string_view seed;
    std::string_view paper;  ///< the paper's figure for this kernel, empty when it gives none
    Job (*make)(Scale);
};

/// All rows, by seed.
[[nodiscard]] std::span<const Row> suite();

// What the rows are made with

/// Numbers that are the same everywhere (Steele, Lea, Flood: SplitMix, 2014).
class Random {
public:
    explicit Random(uint64_t seed) : state_(seed) {}
    uint64_t next() {
        uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    /// At least `low`, below `high`.
    int32_t integer(int32_t low, int32_t high) {
        return static_cast<int32_t>(low + static_cast<int64_t>(next() % static_cast<uint64_t>(int64_t{high} - low)));
    }
    /// -1 to 1 in steps of 2^-23.
    float real() { return static_cast<float>(static_cast<int32_t>(next() >> 40) - (1 << 23)) * 0x1p-23f; }

private:
    uint64_t state_;
};

[[nodiscard]] std::vector<float> randomReals(uint64_t seed, size_t count);
[[nodiscard]] std::vector<int32_t> randomIntegers(uint64_t seed, size_t count, int32_t low, int32_t high);

template <class... T>
[[nodiscard]] std::vector<uint32_t> bitsOf(T... values) {
    return {std::bit_cast<uint32_t>(values)...};
}

[[nodiscard]] constexpr uint32_t blocksFor(size_t items, size_t perBlock) {
    return static_cast<uint32_t>((items + perBlock - 1) / perBlock);
}

/// Tiles of four rows that a block of matrix_multiply_*.tsa takes: enough to pay for its copy of B, and blocks enough
/// for all threads.
[[nodiscard]] constexpr int multiplyTiles(size_t rows) { return rows >= 512 ? 32 : 8; }

/// The number of elements that differ.
template <class T>
[[nodiscard]] double countWrong(std::span<const T> actual, std::span<const T> expected) {
    if (actual.size() < expected.size()) return static_cast<double>(expected.size());
    double wrong = 0;
    for (size_t i = 0; i < expected.size(); ++i) wrong += actual[i] != expected[i];
    return wrong;
}

/// The largest absolute difference; infinite where the result is NaN.
[[nodiscard]] double largestDifference(std::span<const float> actual, std::span<const double> expected);

/// The label of an n x n matrix.
[[nodiscard]] inline std::string square(size_t n) { return std::to_string(n) + "x" + std::to_string(n); }

/// The side of seed 002's matrices and images.
[[nodiscard]] constexpr size_t sideFor(Scale scale) {
    return scale == Scale::Small ? 32 : scale == Scale::Paper ? 512 : 2048;
}

template <class T>
[[nodiscard]] std::vector<T> randomMatrix(uint64_t seed, size_t count) {
    if constexpr (std::is_same_v<T, float>) {
        return randomReals(seed, count);
    } else {
        return randomIntegers(seed, count, -1000, 1000);
    }
}

/// Exact for integers; floats: see makeMultiply in matrices.cpp.
template <class T, class Wide>
[[nodiscard]] Check checkProduct(std::span<const T> result, const std::vector<Wide>& expected, double bound) {
    if constexpr (std::is_same_v<T, float>) {
        return {largestDifference(result, expected), bound};
    } else {
        std::vector<T> wrapped;
        for (Wide value : expected) wrapped.push_back(static_cast<T>(value));
        return {countWrong<T>(result, wrapped), 0};
    }
}

/// A job whose result, memory `output`, must be these words.
template <class T>
void expect(Job& job, int output, std::vector<T> expected) {
    job.check = [output, expected = std::move(expected)](const Job&, const std::vector<Memory>& results) {
        return Check{countWrong<T>(results[static_cast<size_t>(output)].as<T>(), expected), 0};
    };
}

}  // namespace tessera::kernels
