// Clustering by k-means (seed 002).
#include "demos/kernels/jobs.h"
#include "demos/kernels/reference.h"

namespace tessera::kernels {

namespace {

constexpr int kIterations = 5;

}  // namespace

/// Points around as many centres as there are clusters, so that no point is as near to two of them: then the clusters
/// are the same in single and double precision, and wrong ones show as large differences.
template <size_t clusters>
Job makeKMeans(Scale scale) {
    const size_t points = scale == Scale::Large ? 1 << 15 : 512;
    const size_t features = scale == Scale::Small ? 4 : 64;
    std::vector<float> values = randomReals(59, features * points);
    const std::vector<float> centres = randomReals(60, clusters * features);
    for (size_t i = 0; i < values.size(); ++i) {
        values[i] = values[i] / 4 + 2 * centres[i % points % clusters * features + i / points];
    }
    std::vector<float> start(clusters * features);
    for (size_t c = 0; c < clusters; ++c) {
        for (size_t f = 0; f < features; ++f) start[c * features + f] = values[f * points + c];
    }
    Job job;
    job.size = std::to_string(points) + " points, " + std::to_string(features) + " features, " +
               std::to_string(clusters) + " clusters";
    const int input = job.add(values), centroids = job.add(start), membership = job.addOutput(4 * points);
    job.outputs.push_back(centroids);
    const auto size = bitsOf(static_cast<int>(points), static_cast<int>(features), static_cast<int>(clusters), 0);
    for (int i = 0; i < kIterations; ++i) {
        job.steps.push_back(
            {"kmeans_assign", {blocksFor(points, 128), 1, 1}, {}, {input, centroids, membership}, {size}});
        job.steps.push_back({"kmeans_update",
                             {static_cast<uint32_t>(features), static_cast<uint32_t>(clusters), 1},
                             {},
                             {input, centroids, membership},
                             {size}});
    }
    job.work = 3.0 * kIterations * static_cast<double>(points * features * clusters);
    job.check = [points, features](const Job& made, const std::vector<Memory>& results) {
        const auto values = made.memories[0].as<float>(), start = made.memories[1].as<float>();
        std::vector<double> centroids(start.begin(), start.end());
        std::vector<int32_t> membership(points);
        for (int i = 0; i < kIterations; ++i) {
            reference::assign<double>(values, std::span<const double>(centroids), std::span<int32_t>(membership), 0,
                                      points, points, features, clusters);
            reference::update<double>(values, std::span<double>(centroids), std::span<const int32_t>(membership),
                                      points, features, clusters);
        }
        const double wrong = countWrong<int32_t>(results[2].as<int32_t>(), membership);
        return Check{wrong + largestDifference(results[1].as<float>(), centroids), 64 * 0x1p-24};
    };
    return job;
}
template Job makeKMeans<5>(Scale);
template Job makeKMeans<10>(Scale);

}  // namespace tessera::kernels
