// What an occlusion query counts.
#pragma once

#include <atomic>
#include <cstdint>

namespace tessera::pipeline {

struct OcclusionCounter {
    std::atomic<uint64_t> samples{0};
};

}  // namespace tessera::pipeline
