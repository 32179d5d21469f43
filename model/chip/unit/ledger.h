// The books: for each unit a line of time without gaps, each piece of it busy or idle for a cause.
#pragma once

#include <vector>

#include "model/chip/result.h"

namespace tessera::model {

/// Whom an idle unit waits for.
struct Blame {
    uint32_t on = kNone, draw = kNone, program = kNone, pc = 0;
};

class Ledger {
public:
    Ledger(std::vector<UnitResult>& units, int pieces, std::vector<Stall>* stalls);

    /// From where its books end until `to` the unit did that. Nothing if they end later.
    void spend(uint32_t unit, Cycle to, Cause cause, const Blame& blame = {}) {
        if (const Cycle from = until_[unit]; to > from) write(unit, from, to, cause, blame);
    }
    /// Where the unit's books end.
    [[nodiscard]] Cycle until(uint32_t unit) const { return until_[unit]; }
    [[nodiscard]] uint64_t busy(uint32_t unit) const { return units_[unit].cycles[0]; }

    /// Where the longest books end.
    [[nodiscard]] Cycle end() const;
    /// Books of all units end together, in the cycle that this returns.
    Cycle close();
    [[nodiscard]] Cycle pieceCycles() const { return Cycle{1} << pieceBits_; }

private:
    void write(uint32_t unit, Cycle from, Cycle to, Cause cause, const Blame& blame);
    /// Pieces twice as long, half as many.
    void coarsen();

    std::vector<UnitResult>& units_;
    std::vector<Stall>* stalls_;
    std::vector<Cycle> until_;
    size_t pieces_;
    int pieceBits_ = 4;  ///< a piece has 2 to the power of them cycles
};

}  // namespace tessera::model
