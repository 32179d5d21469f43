// A random generator of our own (splitmix64): the same scenes from the same seed with every library.
#pragma once

#include <cstddef>
#include <cstdint>

namespace determinism {

class Chooser {
public:
    /// Neighbouring seeds start far apart: a step of the generator adds a constant, so the seed itself must not.
    explicit Chooser(uint64_t seed) : state_(seed) { state_ = next() ^ (seed * 0xD1342543DE82EF95u); }

    uint64_t next() {
        uint64_t z = state_ += 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    /// 0 to count - 1.
    int below(int count) { return static_cast<int>(next() % static_cast<uint64_t>(count)); }
    /// low to high, both included.
    int between(int low, int high) { return low + below(high - low + 1); }
    /// True once in `times`.
    bool oneIn(int times) { return below(times) == 0; }
    /// [low, high), a multiple of 2^-16 of the range.
    float real(float low, float high) { return low + (high - low) * (static_cast<float>(below(65536)) / 65536.0f); }
    template <class Element, size_t count>
    Element of(const Element (&list)[count]) {
        return list[below(static_cast<int>(count))];
    }

private:
    uint64_t state_;
};

}  // namespace determinism
