// CNN and network in network (seed 002, section 4). Chosen here: convolutions are 3 x 3, the smallest mask of figure 7,
// activations ReLU, weights random. The perceptron "MLP-010" is read as convolution dense, hidden layer sparse, last
// layer dense; the sparse layer connects each group of four maps to eight of the sixteen. Integers are fixed point:
// maps and biases as they are, weights with eight fraction bits; in eight bits ("shortened 8-bit format") with seven,
// sums and biases have 32 bits, and maps end at 127.
#include "demos/kernels/jobs.h"

#include <algorithm>
#include <cmath>

#include "demos/kernels/reference.h"

namespace tessera::kernels {

namespace {

constexpr int kMaps = 16, kColours = 3, kLayers = 3, kSparseInputs = 8;

/// How maps and weights of a type are kept, and the ranges of a picture's values and of biases.
template <class T>
struct Numbers {
    static constexpr const char* kSuffix = "float";
    using Word = float;  ///< biases and results
    static constexpr int kFraction = 0;
    static constexpr double kRange = 1, kBias = 0.1;
};
template <>
struct Numbers<int32_t> {
    static constexpr const char* kSuffix = "int";
    using Word = int32_t;
    static constexpr int kFraction = 8;
    static constexpr double kRange = 256, kBias = 2000;
};
template <>
struct Numbers<int8_t> {
    static constexpr const char* kSuffix = "int8";
    using Word = int32_t;
    static constexpr int kFraction = 7;
    static constexpr double kRange = 64, kBias = 500;
};

/// Weights by [out][in][row][column], small enough that the maps keep their magnitude.
template <class T>
struct Weights {
    int out = 0, in = 0, size = 0;
    std::vector<T> values = {};
    std::vector<typename Numbers<T>::Word> biases = {};
};

template <class T>
Weights<T> randomWeights(uint64_t seed, int out, int in, int size) {
    Weights<T> weights{out, in, size};
    Random random(seed);
    const int terms = in * size * size;
    const double magnitude = 2 / std::sqrt(static_cast<double>(terms));
    for (int i = 0; i < out * terms; ++i) {
        const double value = random.real() * magnitude;
        const double scaled = std::round(value * (1 << Numbers<T>::kFraction));
        weights.values.push_back(static_cast<T>(std::is_same_v<T, float> ? value : scaled));
    }
    for (int i = 0; i < out; ++i) {
        weights.biases.push_back(static_cast<typename Numbers<T>::Word>(random.real() * Numbers<T>::kBias));
    }
    return weights;
}

/// The hidden layer's sparse weights: those that connect nothing are zero.
template <class T>
void makeSparse(Weights<T>& weights) {
    for (int m = 0; m < weights.out; ++m) {
        for (int c = 0; c < weights.in; ++c) {
            const int distance = (c - m / 4 * 4 + kMaps) % kMaps;
            if (distance >= kSparseInputs) weights.values[static_cast<size_t>(m * weights.in + c)] = 0;
        }
    }
}

/// In the order of parts/layer.tsa: [out / 4][in][column][row][4].
template <class T>
std::vector<T> layerOrder(const Weights<T>& weights) {
    std::vector<T> order;
    for (int group = 0; group < weights.out; group += 4) {
        for (int c = 0; c < weights.in; ++c) {
            for (int column = 0; column < 3; ++column) {
                for (int row = 0; row < 3; ++row) {
                    for (int m = group; m < group + 4; ++m) {
                        order.push_back(
                            weights.values[static_cast<size_t>(((m * weights.in + c) * 3 + row) * 3 + column)]);
                    }
                }
            }
        }
    }
    return order;
}

/// In the order of nin_mlp_*.tsa: [out / 4][inputs][4], the inputs from the group's own map on.
template <class T>
std::vector<T> perceptronOrder(const Weights<T>& weights, int inputs) {
    std::vector<T> order;
    for (int group = 0; group < weights.out; group += 4) {
        for (int i = 0; i < inputs; ++i) {
            for (int m = group; m < group + 4; ++m) {
                order.push_back(weights.values[static_cast<size_t>(m * weights.in + (group + i) % kMaps)]);
            }
        }
    }
    return order;
}

/// The picture to classify: three maps.
template <class T>
reference::Maps<T> randomPicture(int side) {
    reference::Maps<T> maps{kColours, side, side};
    Random random(71);
    for (int i = 0; i < kColours * side * side; ++i) {
        constexpr int kRange = static_cast<int>(Numbers<T>::kRange);
        maps.values.push_back(
            static_cast<T>(std::is_same_v<T, float> ? random.real() : random.integer(-kRange, kRange)));
    }
    return maps;
}

template <class T>
std::vector<T> withBorder(const reference::Maps<T>& maps) {
    std::vector<T> bordered;
    for (int m = 0; m < maps.count; ++m) {
        for (int y = -1; y <= maps.height; ++y) {
            for (int x = -1; x <= maps.width; ++x) bordered.push_back(maps.at(m, y, x));
        }
    }
    return bordered;
}

template <class Wide, class T>
reference::Maps<Wide> widen(const reference::Maps<T>& maps) {
    return {maps.count, maps.width, maps.height, std::vector<Wide>(maps.values.begin(), maps.values.end())};
}

template <class T>
size_t borderedBytes(int maps, int side) {
    return static_cast<size_t>(maps) * static_cast<size_t>(side + 2) * static_cast<size_t>(side + 2) * sizeof(T);
}

/// What a layer of the network makes of the maps.
template <class Wide, class T>
reference::Maps<Wide> referenceLayer(const reference::Maps<Wide>& maps, const Weights<T>& weights) {
    auto result = reference::layer(maps, weights.values, weights.biases, kMaps, weights.size, Numbers<T>::kFraction);
    if constexpr (std::is_same_v<T, int8_t>) {
        for (Wide& value : result.values) value = std::min<Wide>(value, 127);
    }
    return result;
}

/// Integers exactly; floats in units of the largest value.
template <class T, class Wide>
Check compare(std::span<const T> actual, std::span<const Wide> expected) {
    if constexpr (std::is_same_v<T, float>) {
        double largest = 0;
        for (Wide value : expected) largest = std::max(largest, std::abs(value));
        return {largestDifference(actual, expected) / largest, 32 * 0x1p-24};
    } else {
        std::vector<T> narrow(expected.begin(), expected.end());
        return {countWrong<T>(actual, narrow), 0};
    }
}

template <class T>
Step layerStep(const std::string& kernel, int side, int in, int weights, int biases, int from, int to) {
    return {kernel + Numbers<T>::kSuffix,
            {blocksFor(static_cast<size_t>(side), 32), blocksFor(static_cast<size_t>(side), 8), kMaps / 4},
            {},
            {from, weights, biases, to},
            {bitsOf(side, side, in, Numbers<T>::kFraction)}};
}

int pictureSide(Scale scale) { return scale == Scale::Small ? 32 : scale == Scale::Paper ? 128 : 512; }

template <class T, class Wide>
Job makeCnn(Scale scale) {
    const int side = pictureSide(scale);
    const auto picture = randomPicture<T>(side);
    Job job;
    job.size = std::to_string(side) + "x" + std::to_string(side) + " RGB, 3 layers of 16 maps";
    job.unit = std::is_same_v<T, float> ? Work::Flops : Work::Operations;
    int from = job.add(withBorder(picture)), in = kColours, size = side;
    std::vector<Weights<T>> all;
    for (int l = 0; l < kLayers; ++l) {
        all.push_back(randomWeights<T>(72 + static_cast<uint64_t>(l), kMaps, in, 3));
        const int weights = job.add(layerOrder(all.back())), biases = job.add(all.back().biases);
        const int to = job.addOutput(borderedBytes<T>(kMaps, size / 2));
        job.steps.push_back(layerStep<T>("cnn_layer_", size, in, weights, biases, from, to));
        job.work += 18.0 * in * kMaps * size * size;
        from = to;
        in = kMaps;
        size /= 2;
    }
    job.check = [from, picture, all](const Job&, const std::vector<Memory>& results) {
        auto maps = widen<Wide>(picture);
        for (const auto& weights : all) {
            maps = reference::poolMaximum(referenceLayer(maps, weights));
        }
        return compare<T, Wide>(results[static_cast<size_t>(from)].as<T>(), withBorder(maps));
    };
    return job;
}

template <class T, class Wide>
Job makeNin(Scale scale) {
    const int side = pictureSide(scale), plane = (side + 2) * (side + 2);
    const auto picture = randomPicture<T>(side);
    Job job;
    job.size = std::to_string(side) + "x" + std::to_string(side) + " RGB, 3 layers of 16 maps";
    job.unit = std::is_same_v<T, float> ? Work::Flops : Work::Operations;
    int from = job.add(withBorder(picture)), in = kColours;
    const int hidden = job.addOutput(borderedBytes<T>(kMaps, side)),
              other = job.addOutput(borderedBytes<T>(kMaps, side));
    std::vector<Weights<T>> all;
    const auto perceptron = [&](int inputs, int source, int target) {
        const int weights = job.add(perceptronOrder(all.back(), inputs)), biases = job.add(all.back().biases);
        job.steps.push_back(
            {std::string("nin_mlp_") + Numbers<T>::kSuffix,
             {blocksFor(static_cast<size_t>(side), 32), blocksFor(static_cast<size_t>(side), 4), kMaps / 4},
             {},
             {source, weights, biases, target},
             {bitsOf(side, side, inputs, Numbers<T>::kFraction)}});
        job.work += 2.0 * inputs * kMaps * side * side;
    };
    for (int l = 0; l < kLayers; ++l) {
        const auto seed = 80 + 3 * static_cast<uint64_t>(l);
        all.push_back(randomWeights<T>(seed, kMaps, in, 3));
        const int weights = job.add(layerOrder(all.back())), biases = job.add(all.back().biases);
        job.steps.push_back(layerStep<T>("nin_layer_", side, in, weights, biases, from, hidden));
        job.work += 18.0 * in * kMaps * side * side;
        all.push_back(randomWeights<T>(seed + 1, kMaps, kMaps, 1));
        makeSparse(all.back());
        perceptron(kSparseInputs, hidden, other);
        all.push_back(randomWeights<T>(seed + 2, kMaps, kMaps, 1));
        perceptron(kMaps, other, hidden);
        // The result becomes the input of the next layer, so its own place must be another one.
        from = hidden;
        in = kMaps;
        if (l + 1 < kLayers) {
            from = job.addOutput(borderedBytes<T>(kMaps, side));
            job.steps.back().buffers[3] = from;
        }
    }
    const int means = job.addOutput(kMaps * 4);
    job.steps.push_back({std::string("nin_average_") + Numbers<T>::kSuffix,
                         {kMaps, 1, 1},
                         {},
                         {from, means},
                         {bitsOf(plane, side * side)}});
    job.check = [means, side, picture, all](const Job&, const std::vector<Memory>& results) {
        auto maps = widen<Wide>(picture);
        for (const auto& weights : all) {
            maps = referenceLayer(maps, weights);
        }
        std::vector<Wide> expected;
        for (int m = 0; m < kMaps; ++m) {
            Wide sum = 0;
            for (int i = 0; i < side * side; ++i) sum += maps.values[maps.index(m, 0, 0) + static_cast<size_t>(i)];
            expected.push_back(sum / (side * side));
        }
        using Word = typename Numbers<T>::Word;
        return compare<Word, Wide>(results[static_cast<size_t>(means)].as<Word>(), expected);
    };
    return job;
}

}  // namespace

Job makeCnnInt(Scale scale) { return makeCnn<int32_t, int64_t>(scale); }
Job makeCnnFloat(Scale scale) { return makeCnn<float, double>(scale); }
Job makeNinInt(Scale scale) { return makeNin<int32_t, int64_t>(scale); }
Job makeNinInt8(Scale scale) { return makeNin<int8_t, int64_t>(scale); }
Job makeNinFloat(Scale scale) { return makeNin<float, double>(scale); }

}  // namespace tessera::kernels
