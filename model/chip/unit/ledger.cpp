#include "model/chip/unit/ledger.h"

#include <algorithm>

namespace tessera::model {

Ledger::Ledger(std::vector<UnitResult>& units, int pieces, std::vector<Stall>* stalls)
    : units_(units), stalls_(stalls), until_(units.size()), pieces_(static_cast<size_t>(std::max(pieces, 2)) / 2 * 2) {
    for (UnitResult& unit : units_) unit.overTime.resize(pieces_);
}

void Ledger::write(uint32_t unit, Cycle from, Cycle to, Cause cause, const Blame& blame) {
    while (to > pieces_ << pieceBits_) coarsen();
    until_[unit] = to;
    UnitResult& books = units_[unit];
    const auto index = static_cast<size_t>(cause);
    books.cycles[index] += to - from;
    for (Cycle at = from; at < to;) {
        const size_t piece = at >> pieceBits_;
        const Cycle end = std::min(to, (piece + 1) << pieceBits_);
        books.overTime[piece][index] += end - at;
        at = end;
    }
    if (!stalls_ || cause == Cause::Busy) return;
    stalls_->push_back({unit, cause, from, to, blame.on, blame.draw, blame.program, blame.pc});
}

void Ledger::coarsen() {
    ++pieceBits_;
    for (UnitResult& unit : units_) {
        for (size_t piece = 0; piece < pieces_ / 2; ++piece)
            for (size_t cause = 0; cause < kCauses; ++cause)
                unit.overTime[piece][cause] = unit.overTime[2 * piece][cause] + unit.overTime[2 * piece + 1][cause];
        std::fill(unit.overTime.begin() + static_cast<ptrdiff_t>(pieces_ / 2), unit.overTime.end(), CauseCycles{});
    }
}

Cycle Ledger::end() const { return *std::max_element(until_.begin(), until_.end()); }

Cycle Ledger::close() {
    const Cycle last = end();
    for (uint32_t unit = 0; unit < until_.size(); ++unit) spend(unit, last, Cause::NoWork);
    for (UnitResult& unit : units_) unit.overTime.resize((last + pieceCycles() - 1) >> pieceBits_);
    return last;
}

}  // namespace tessera::model
