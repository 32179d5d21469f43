// CNN and network in network (seed 002, section 4). What the paper leaves open is chosen here: convolutions are 3 x 3,
// activations ReLU, weights random. The perceptron "MLP-010" is read as convolution dense, hidden layer sparse, last
// layer dense; the sparse layer connects each group of four maps to eight of the sixteen. Integers are fixed point:
// maps and biases as they are, weights with eight fraction bits.
#include "demos/kernels/networks.h"

#include <algorithm>
#include <cmath>

#include "demos/kernels/reference.h"

namespace tessera::kernels {

namespace {

constexpr int kMaps = 16, kColours = 3, kLayers = 3, kFraction = 8, kSparseInputs = 8;

/// Weights by [out][in][row][column], small enough that the maps keep their magnitude.
template <class T>
struct Weights {
    int out = 0, in = 0, size = 0;
    std::vector<T> values = {}, biases = {};
};

template <class T>
Weights<T> randomWeights(uint64_t seed, int out, int in, int size) {
    Weights<T> weights{out, in, size};
    Random random(seed);
    const int terms = in * size * size;
    const double magnitude = 2 / std::sqrt(static_cast<double>(terms));
    for (int i = 0; i < out * terms; ++i) {
        const double value = random.real() * magnitude;
        weights.values.push_back(static_cast<T>(std::is_same_v<T, float> ? value : std::round(value * 256)));
    }
    for (int i = 0; i < out; ++i) {
        weights.biases.push_back(static_cast<T>(random.real() * (std::is_same_v<T, float> ? 0.1 : 2000.0)));
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
        maps.values.push_back(static_cast<T>(std::is_same_v<T, float> ? random.real() : random.integer(-256, 256)));
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

size_t borderedBytes(int maps, int side) {
    return static_cast<size_t>(maps) * static_cast<size_t>(side + 2) * static_cast<size_t>(side + 2) * 4;
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
constexpr const char* kSuffix = std::is_same_v<T, float> ? "float" : "int";

Step layerStep(const std::string& kernel, int side, int in, int weights, int biases, int from, int to) {
    return {kernel,
            {blocksFor(static_cast<size_t>(side), 32), blocksFor(static_cast<size_t>(side), 8), kMaps / 4},
            {},
            {from, weights, biases, to},
            {bitsOf(side, side, in, kFraction)}};
}

int sideFor(Scale scale) { return scale == Scale::Small ? 32 : scale == Scale::Paper ? 128 : 512; }

template <class T, class Wide>
Job makeCnn(Scale scale) {
    const int side = sideFor(scale);
    const auto picture = randomPicture<T>(side);
    Job job;
    job.size = std::to_string(side) + "x" + std::to_string(side) + " RGB, 3 layers of 16 maps";
    job.unit = std::is_same_v<T, float> ? Work::Flops : Work::Operations;
    int from = job.add(withBorder(picture)), in = kColours, size = side;
    std::vector<Weights<T>> all;
    for (int l = 0; l < kLayers; ++l) {
        all.push_back(randomWeights<T>(72 + static_cast<uint64_t>(l), kMaps, in, 3));
        const int weights = job.add(layerOrder(all.back())), biases = job.add(all.back().biases);
        const int to = job.addOutput(borderedBytes(kMaps, size / 2));
        job.steps.push_back(layerStep(std::string("cnn_layer_") + kSuffix<T>, size, in, weights, biases, from, to));
        job.work += 18.0 * in * kMaps * size * size;
        from = to;
        in = kMaps;
        size /= 2;
    }
    job.check = [from, picture, all](const Job&, const std::vector<Memory>& results) {
        auto maps = widen<Wide>(picture);
        for (const auto& weights : all) {
            maps = reference::poolMaximum(
                reference::layer<Wide, T>(maps, weights.values, weights.biases, kMaps, 3, kFraction));
        }
        return compare<T, Wide>(results[static_cast<size_t>(from)].as<T>(), withBorder(maps));
    };
    return job;
}

template <class T, class Wide>
Job makeNin(Scale scale) {
    const int side = sideFor(scale), plane = (side + 2) * (side + 2);
    const auto picture = randomPicture<T>(side);
    Job job;
    job.size = std::to_string(side) + "x" + std::to_string(side) + " RGB, 3 layers of 16 maps";
    job.unit = std::is_same_v<T, float> ? Work::Flops : Work::Operations;
    int from = job.add(withBorder(picture)), in = kColours;
    const int hidden = job.addOutput(borderedBytes(kMaps, side)), other = job.addOutput(borderedBytes(kMaps, side));
    std::vector<Weights<T>> all;
    const auto perceptron = [&](int inputs, int source, int target) {
        const int weights = job.add(perceptronOrder(all.back(), inputs)), biases = job.add(all.back().biases);
        job.steps.push_back(
            {std::string("nin_mlp_") + kSuffix<T>,
             {blocksFor(static_cast<size_t>(side), 32), blocksFor(static_cast<size_t>(side), 4), kMaps / 4},
             {},
             {source, weights, biases, target},
             {bitsOf(side, side, inputs, kFraction)}});
        job.work += 2.0 * inputs * kMaps * side * side;
    };
    for (int l = 0; l < kLayers; ++l) {
        const auto seed = 80 + 3 * static_cast<uint64_t>(l);
        all.push_back(randomWeights<T>(seed, kMaps, in, 3));
        const int weights = job.add(layerOrder(all.back())), biases = job.add(all.back().biases);
        job.steps.push_back(layerStep(std::string("nin_layer_") + kSuffix<T>, side, in, weights, biases, from, hidden));
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
            from = job.addOutput(borderedBytes(kMaps, side));
            job.steps.back().buffers[3] = from;
        }
    }
    const int means = job.addOutput(kMaps * 4);
    job.steps.push_back(
        {std::string("nin_average_") + kSuffix<T>, {kMaps, 1, 1}, {}, {from, means}, {bitsOf(plane, side * side)}});
    job.check = [means, side, picture, all](const Job&, const std::vector<Memory>& results) {
        auto maps = widen<Wide>(picture);
        for (const auto& weights : all) {
            maps = reference::layer<Wide, T>(maps, weights.values, weights.biases, kMaps, weights.size, kFraction);
        }
        std::vector<Wide> expected;
        for (int m = 0; m < kMaps; ++m) {
            Wide sum = 0;
            for (int i = 0; i < side * side; ++i) sum += maps.values[maps.index(m, 0, 0) + static_cast<size_t>(i)];
            expected.push_back(sum / (side * side));
        }
        return compare<T, Wide>(results[static_cast<size_t>(means)].as<T>(), expected);
    };
    return job;
}

}  // namespace

Job makeCnnInt(Scale scale) { return makeCnn<int32_t, int64_t>(scale); }
Job makeCnnFloat(Scale scale) { return makeCnn<float, double>(scale); }
Job makeNinInt(Scale scale) { return makeNin<int32_t, int64_t>(scale); }
Job makeNinFloat(Scale scale) { return makeNin<float, double>(scale); }

}  // namespace tessera::kernels
