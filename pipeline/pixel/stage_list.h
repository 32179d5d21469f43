// A chain of stages as a list of types, so that there is one place for their order, and one to ask which of them a
// state needs (in the manner of Skia's raster pipeline). A stage is a structure with
//
//     static constexpr bool isNeeded(const Key& key);   whether it changes anything in this state
//     [[gnu::flatten]] static void run(Lanes& lanes);                    does it to sixteen pixels; Lanes::key is the
//     state
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/simd.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

template <class... Stages>
struct StageList {
    /// Bit i: stage i of the list is needed.
    template <class Key>
    static constexpr uint32_t needed(const Key& key) {
        uint32_t bits = 0, bit = 1;
        ((bits |= Stages::isNeeded(key) ? bit : 0, bit <<= 1), ...);
        return bits;
    }

    /// The bits of some stages.
    template <class... Some>
    static constexpr uint32_t bitsOf() {
        return (bitOf<Some>() | ...);
    }

    /// Runs the stages that the state needs, in order.
    template <class Lanes>
    [[gnu::flatten]] static void run(Lanes& lanes) {
        runInline(lanes);
    }
    /// The same as part of the caller: what passes between short stages stays in registers.
    template <class Lanes>
    [[gnu::always_inline, gnu::flatten]] static void runInline(Lanes& lanes) {
        ((Stages::isNeeded(lanes.key) ? Stages::run(lanes) : void()), ...);
    }

private:
    template <class One>
    static constexpr uint32_t bitOf() {
        static_assert((std::is_same_v<One, Stages> || ...));
        uint32_t bits = 0, bit = 1;
        ((bits |= std::is_same_v<One, Stages> ? bit : 0, bit <<= 1), ...);
        return bits;
    }
};

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
