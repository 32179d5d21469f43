// What work has been done.
#pragma once

#include <cstdint>

namespace tessera::pipeline {

/// What the GPU has done since it was made; also the source of the demos' overlay.
struct Counters {
    uint64_t draws = 0, vertices = 0, primitives = 0, fragments = 0, instructions = 0;

    void add(const Counters& other) {
        draws += other.draws;
        vertices += other.vertices;
        primitives += other.primitives;
        fragments += other.fragments;
        instructions += other.instructions;
    }
};

}  // namespace tessera::pipeline
