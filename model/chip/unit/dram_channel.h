// A channel of memory outside: a data bus, banks with a row open each, and the times that data sheets give between
// commands (docs/model.md, SDRAM). A request is given its place when it is made: the first time that the bus has free
// at which its bank has the row. So banks work beside each other, and what finds its row open passes what has to wait
// for one, as with a scheduler that takes the first that is ready; but what has a place keeps it, so that the time of
// each request is known at once. All times are memory cycles.
#pragma once

#include <cstddef>
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

/// Items in the order of their times: the first of them are over and go, and what comes belongs near the end.
template <typename T>
class Schedule {
public:
    [[nodiscard]] bool empty() const { return first_ == items_.size(); }
    [[nodiscard]] size_t size() const { return items_.size() - first_; }
    T& operator[](size_t index) { return items_[first_ + index]; }
    const T& operator[](size_t index) const { return items_[first_ + index]; }
    T& front() { return items_[first_]; }
    T& back() { return items_.back(); }
    T* begin() { return items_.data() + first_; }
    T* end() { return items_.data() + items_.size(); }

    template <typename... Parts>
    void insert(size_t at, const Parts&... parts) {
        if (at == size())
            items_.emplace_back(parts...);
        else
            items_.emplace(place(at), parts...);
    }
    void erase(size_t at) { items_.erase(place(at)); }
    void popFront() {
        // What is over is thrown away when it is the most of it.
        ++first_;
        if (first_ < kKept || 2 * first_ < items_.size()) return;
        items_.erase(items_.begin(), place(0));
        first_ = 0;
    }

private:
    static constexpr size_t kKept = 64;
    [[nodiscard]] auto place(size_t index) { return items_.begin() + static_cast<ptrdiff_t>(first_ + index); }
    std::vector<T> items_;
    size_t first_ = 0;
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
    /// Those that end until then, in order, each once: nothing can come between them any more. Those that follow each
    /// other without a gap are one.
    template <typename Visit>
    void settle(Cycle until, Visit&& visit) {
        while (!pieces_.empty() && pieces_.front().end <= until) {
            Piece piece = pieces_.front();
            for (pieces_.popFront();
                 !pieces_.empty() && pieces_.front().begin == piece.end && pieces_.front().end <= until;
                 pieces_.popFront())
                piece.end = pieces_.front().end;
            visit(piece);
        }
    }
    /// Pieces that are not settled.
    [[nodiscard]] size_t pieces() const { return pieces_.size(); }

private:
    /// Time that a bank has a row open, or will have.
    struct Opening {
        uint64_t row = 0;
        Cycle activated = 0;
        Cycle refresh = kNever;     ///< the first one behind that
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
    /// The first cycle from this one on in which a row can be activated, as far as other rows go.
    [[nodiscard]] Cycle activation(Cycle earliest) const;
    /// Not before then a row may be closed whose bytes are on the bus from `begin` to `end`.
    [[nodiscard]] Cycle mayPrecharge(Cycle begin, Cycle end, bool write) const;
    /// The end of a transfer that an open row takes; kNever: it is closed before.
    Cycle fromOpenRow(Opening& opening, Cycle asked, Cycle cycles, bool write);
    Cycle openRow(Schedule<Opening>& bank, uint64_t row, Cycle asked, Cycle cycles, bool write);
    void notePiece(Cycle wanted, Cycle begin, Cycle end);

    const decltype(Preset::sdram) times_;
    Cycle burst_;                           ///< cycles of the shortest transfer
    Cycle longestTurn_;                     ///< of the bus
    uint32_t bytes_ = 0;                    ///< that were asked for last,
    Cycle cycles_ = 0;                      ///< and what they take of the bus
    Cycle activationsMatter_;               ///< for so long
    std::vector<Schedule<Opening>> banks_;  ///< openings
    Schedule<Taken> taken_;
    Schedule<Cycle> activations_;
    Schedule<Piece> pieces_;
};

}  // namespace tessera::model
