// A channel of memory outside: a data bus, banks with a row open each, and the times that data sheets give between
// commands (docs/model.md, SDRAM). A request is given its place when it is made: the first time that the bus has free
// at which its bank has the row. So banks work beside each other, and what finds its row open passes what has to wait
// for one, as with a scheduler that takes the first that is ready; but what has a place keeps it, so that the time of
// each request is known at once. All times are memory cycles.
#pragma once

#include <deque>
#include <vector>

#include "model/chip/preset.h"
#include "model/chip/result.h"

namespace tessera::model {

/// Where a request's bytes lie in their channel.
struct DramPlace {
    uint32_t bank = 0;
    uint64_t row = 0;
    uint32_t bytes = 0;
};

class DramChannel {
public:
    explicit DramChannel(const Preset& preset);

    /// The end of its bytes on the bus. It is asked for in cycle `asked`, which is `now` or later; `now` never goes
    /// back.
    Cycle place(Cycle now, Cycle asked, bool write, const DramPlace& place);

    /// A transfer, with what the bus did before it since the one before ended: nothing until `wanted`, then it waited
    /// for a row, a turn of the bus or a refresh.
    struct Piece {
        Cycle wanted = 0, begin = 0, end = 0;
    };
    /// Those that end until then, in order, each once: nothing can come between them any more.
    template <typename Visit>
    void settle(Cycle until, Visit&& visit) {
        while (!pieces_.empty() && pieces_.front().end <= until) {
            visit(pieces_.front());
            pieces_.pop_front();
        }
    }

private:
    /// Time that a bank has a row open, or will have.
    struct Opening {
        uint64_t row = 0;
        Cycle activated = 0;
        Cycle precharged = kNever;  ///< the row is closed from then on: for the next one, or for a refresh
        Cycle mayPrecharge = 0;     ///< not before, by what has been read and written
    };
    /// Transfers without a gap that another one would fit into.
    struct Taken {
        Cycle begin = 0, end = 0;
        bool beginsWriting = false, endsWriting = false;
    };

    struct Slot {
        Cycle begin = 0;
        size_t before = 0;  ///< index in taken_
    };
    /// The first time on the bus, not before `earliest`.
    [[nodiscard]] Slot freeSlot(Cycle earliest, Cycle cycles, bool write) const;
    void take(const Slot& slot, Cycle cycles, bool write);
    [[nodiscard]] Cycle turn(bool write, bool next) const;
    /// The first refresh that begins after this cycle; kNever: none does.
    [[nodiscard]] Cycle refreshAfter(Cycle cycle) const;
    /// The cycle itself, or if all banks are being refreshed then, the end of that.
    [[nodiscard]] Cycle outsideRefresh(Cycle cycle) const;
    /// Whether a row can be activated in that cycle, as far as other rows go.
    [[nodiscard]] bool mayActivate(Cycle at) const;
    /// The first such cycle from this one on.
    [[nodiscard]] Cycle activation(Cycle earliest) const;
    void noteAccess(Opening& opening, Cycle begin, Cycle end, bool write) const;
    /// The end of a transfer that an open row takes; kNever: it is closed before.
    Cycle fromOpenRow(Opening& opening, Cycle asked, Cycle cycles, bool write);
    Cycle openRow(std::deque<Opening>& bank, uint64_t row, Cycle asked, Cycle cycles, bool write);
    void notePiece(Cycle wanted, Cycle begin, Cycle end);

    const decltype(Preset::sdram) times_;
    Cycle burst_;                             ///< cycles of the shortest transfer
    std::vector<std::deque<Opening>> banks_;  ///< openings in order
    std::deque<Taken> taken_;                 ///< in order
    std::deque<Cycle> activations_;           ///< in order
    std::deque<Piece> pieces_;                ///< in order
};

}  // namespace tessera::model
