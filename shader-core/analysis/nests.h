// The ifs and loops of a program, for who makes code of it: where lanes go that have nothing more to do.
//
// Lanes that leave an if or a loop for good wait for those that stay, and when none are left to execute, control goes
// to where the nearest ones wait: an else, an endif or the end of a loop around. Where all lanes do the same, nobody
// waits and control goes as it does for one lane; such a nest is plain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shader-core/analysis/facts.h"

namespace tessera::analysis {

struct Nest {
    size_t begin = 0;     ///< its if or loop
    size_t end = 0;       ///< its endif or endloop
    uint32_t around = 0;  ///< the nest that it is in, or Nests::kNone
    bool isLoop = false;
    bool hasElse = false;
    bool isPlain = false;     ///< an if that all lanes reach together, on a guard that is the same for all
    bool lanesLeave = false;  ///< some brk, cont or ret inside takes some of the lanes beyond its end
};

struct Nests {
    static constexpr uint32_t kNone = UINT32_MAX;
    std::vector<Nest> all;  ///< in the order of their beginnings
    std::vector<uint32_t>
        innermost;  ///< for each instruction; its own for the if, else, endif, loop or endloop of a nest

    /// The nearest at or around a nest where lanes may wait. kNone: the end of the routine.
    [[nodiscard]] uint32_t meeting(uint32_t nest) const {
        while (nest != kNone && all[nest].isPlain) nest = all[nest].around;
        return nest;
    }
    [[nodiscard]] uint32_t loopOf(size_t at) const {
        uint32_t nest = innermost[at];
        while (!all[nest].isLoop) nest = all[nest].around;
        return nest;
    }
};

/// All lanes that the program was launched with are at this control instruction, and its guard is the same for all.
[[nodiscard]] inline bool isPlain(const Facts& facts, size_t at) {
    return !facts.at[at].divergent && facts.at[at].uniformGuard;
}

[[nodiscard]] Nests findNests(const Facts& facts);

}  // namespace tessera::analysis
