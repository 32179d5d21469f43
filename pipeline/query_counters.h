// What queries count.
#pragma once

#include <atomic>
#include <cstdint>

namespace tessera::pipeline {

struct OcclusionCounter {
    std::atomic<uint64_t> samples{0};
};

struct PrimitiveCounter {
    std::atomic<uint64_t> primitives{0};
};

}  // namespace tessera::pipeline
