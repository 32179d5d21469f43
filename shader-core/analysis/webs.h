// Splits the temporaries and predicates of a program into webs: what is written for one purpose and what reads it, as
// if the program used another register for every purpose (Muchnick, Advanced Compiler Design and Implementation,
// section 16.3.3).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "shader-core/isa/isa.h"

namespace tessera::analysis {

class Webs {
public:
    /// Stands for a register number: component n of it is predicate p`n`.
    static constexpr unsigned kPredicates = isa::kMaxTemps;

    /// One web for each component of a register.
    Webs() = default;
    /// `whole`: nothing is split, as in programs with subroutines.
    Webs(const std::vector<isa::Instruction>& code, unsigned temps, bool whole);

    /// Of component c of r`reg` as instruction `at` reads or writes it.
    [[nodiscard]] uint32_t of(size_t at, unsigned reg, unsigned component, bool write) const;
    [[nodiscard]] uint32_t count() const { return count_; }
    /// Some lane may read the zero that registers start with.
    [[nodiscard]] bool startsAsZero(uint32_t web) const { return startsAsZero_[web]; }

private:
    static uint64_t key(size_t at, unsigned reg, unsigned component, bool write) {
        return uint64_t{at} << 13 | reg << 3 | component << 1 | unsigned{write};
    }
    std::unordered_map<uint64_t, uint32_t> webs_;
    std::vector<bool> startsAsZero_;
    uint32_t count_ = 0;
    friend class WebFinder;
};

}  // namespace tessera::analysis
