#include "model/chip/unit/dram_channel.h"

#include <algorithm>

namespace tessera::model {

DramChannel::DramChannel(const Preset& preset)
    : times_(preset.sdram),
      burst_((preset.sdram.burst_bytes + preset.sdram.bytes_per_cycle - 1) / preset.sdram.bytes_per_cycle),
      longestTurn_(std::max(turn(true, false), turn(false, true))),
      activationsMatter_(std::max(times_.four_activates, times_.activates_apart)),
      banks_(preset.sdram.banks) {}

Cycle DramChannel::turn(bool write, bool next) const {
    if (write == next) return 0;
    // A read's command waits for the end of what is written, and its bytes come so much later.
    return write ? times_.write_read_cycles + times_.read_cycles : times_.read_write_cycles;
}

Cycle DramChannel::refreshAfter(Cycle cycle) const {
    return times_.refresh_every ? (cycle / times_.refresh_every + 1) * times_.refresh_every : kNever;
}

Cycle DramChannel::outsideRefresh(Cycle cycle) const {
    if (!times_.refresh_every || cycle < times_.refresh_every) return cycle;
    const Cycle begun = cycle / times_.refresh_every * times_.refresh_every;
    return std::max(cycle, begun + times_.refresh_cycles);
}

DramChannel::Slot DramChannel::freeSlot(Cycle earliest, Cycle cycles, bool write) const {
    size_t i = taken_.size();
    while (i > 0 && taken_[i - 1].end + longestTurn_ > earliest) --i;
    Slot slot{earliest, i};
    for (; slot.before < taken_.size(); ++slot.before) {
        const Taken& next = taken_[slot.before];
        if (slot.begin + cycles + turn(write, next.beginsWriting) <= next.begin) break;
        slot.begin = std::max(slot.begin, next.end + turn(next.endsWriting, write));
    }
    return slot;
}

void DramChannel::take(const Slot& slot, Cycle cycles, bool write) {
    const size_t at = slot.before;
    const Cycle end = slot.begin + cycles;
    Taken* const last = at > 0 && taken_[at - 1].end + burst_ > slot.begin ? &taken_[at - 1] : nullptr;
    Taken* const next = at < taken_.size() && end + burst_ > taken_[at].begin ? &taken_[at] : nullptr;
    if (last && next) {
        last->end = next->end;
        last->endsWriting = next->endsWriting;
        taken_.erase(at);
    } else if (last) {
        last->end = end;
        last->endsWriting = write;
    } else if (next) {
        next->begin = slot.begin;
        next->beginsWriting = write;
    } else {
        taken_.insert(at, slot.begin, end, write, write);
    }
}

Cycle DramChannel::activation(Cycle earliest) const {
    const Cycle apart = times_.activates_apart, four = times_.four_activates;
    Cycle at = earliest;
    // The constraint that is not met says which cycles are out of the question.
    for (;;) {
        size_t before = activations_.size();
        while (before > 0 && activations_[before - 1] > at) --before;
        const size_t behind = activations_.size() - before;
        if (before > 0 && at < activations_[before - 1] + apart) {
            at = activations_[before - 1] + apart;
            continue;
        }
        if (behind > 0 && activations_[before] < at + apart) {
            at = activations_[before] + apart;
            continue;
        }
        // Five in a row, of which it is one: so many are before it.
        size_t among = 0;
        for (; among <= 4; ++among) {
            if (among > before || 4 - among > behind) continue;
            const Cycle first = among > 0 ? activations_[before - among] : at;
            const Cycle last = among < 4 ? activations_[before + 3 - among] : at;
            if (last - first < four) break;
        }
        if (among > 4) return at;
        at = among == 4 ? activations_[before - 4] + four : activations_[before];
    }
}

Cycle DramChannel::mayPrecharge(Cycle begin, Cycle end, bool write) const {
    return write ? end + times_.write_precharge_cycles : begin - times_.read_cycles + times_.read_precharge_cycles;
}

Cycle DramChannel::fromOpenRow(Opening& opening, Cycle asked, Cycle cycles, bool write) {
    const Cycle column = write ? times_.write_cycles : times_.read_cycles;
    const Slot slot = freeSlot(std::max(asked, opening.activated + times_.activate_cycles) + column, cycles, write);
    const Cycle end = slot.begin + cycles;
    const Cycle closes = std::max(opening.mayPrecharge, mayPrecharge(slot.begin, end, write));
    if (std::max(end, closes) > opening.precharged || end > opening.refresh) return kNever;
    opening.mayPrecharge = closes;
    take(slot, cycles, write);
    notePiece(asked + column, slot.begin, end);
    return end;
}

Cycle DramChannel::openRow(Schedule<Opening>& bank, uint64_t row, Cycle asked, Cycle cycles, bool write) {
    const Cycle column = write ? times_.write_cycles : times_.read_cycles;
    Cycle earliest = asked;
    if (!bank.empty()) {
        const Opening& last = bank.back();
        const Cycle precharged = std::max(asked, last.mayPrecharge) + times_.precharge_cycles;
        // A refresh closes what is open.
        earliest = precharged < last.refresh ? precharged : std::max(asked, last.refresh + times_.refresh_cycles);
    }
    for (;;) {
        const Cycle from = outsideRefresh(earliest), activated = activation(from);
        if (activated != from && outsideRefresh(activated) != activated) {
            earliest = activated;
            continue;
        }
        const Slot slot = freeSlot(activated + times_.activate_cycles + column, cycles, write);
        const Cycle end = slot.begin + cycles, refresh = refreshAfter(activated);
        if (end > refresh) {
            earliest = refresh;
            continue;
        }
        if (!bank.empty()) {
            Opening& last = bank.back();
            last.precharged =
                std::min(last.precharged, activated - std::min<Cycle>(activated, times_.precharge_cycles));
        }
        bank.insert(bank.size(), row, activated, refresh, kNever,
                    std::max(activated + times_.open_cycles, mayPrecharge(slot.begin, end, write)));
        size_t place = activations_.size();
        while (place > 0 && activations_[place - 1] > activated) --place;
        activations_.insert(place, activated);
        take(slot, cycles, write);
        notePiece(asked + column, slot.begin, end);
        return end;
    }
}

void DramChannel::notePiece(Cycle wanted, Cycle begin, Cycle end) {
    size_t place = pieces_.size();
    while (place > 0 && pieces_[place - 1].begin > begin) --place;
    pieces_.insert(place, wanted, begin, end);
}

Cycle DramChannel::place(Cycle now, Cycle asked, bool write, const DramPlace& place) {
    // What cannot matter any more: whatever comes is behind it.
    while (taken_.size() > 1 && taken_.front().end + longestTurn_ <= now) taken_.popFront();
    while (!activations_.empty() && activations_.front() + activationsMatter_ <= now) activations_.popFront();
    Schedule<Opening>& bank = banks_[place.bank];
    while (bank.size() > 1 && bank.front().precharged <= now) bank.popFront();

    if (place.bytes != bytes_) {
        const uint32_t inBursts = (place.bytes + times_.burst_bytes - 1) & ~(times_.burst_bytes - 1);
        bytes_ = place.bytes;
        cycles_ = (inBursts + times_.bytes_per_cycle - 1) / times_.bytes_per_cycle;
    }
    for (Opening& opening : bank) {
        if (opening.row != place.row) continue;
        if (const Cycle end = fromOpenRow(opening, asked, cycles_, write); end != kNever) return end;
    }
    return openRow(bank, place.row, asked, cycles_, write);
}

}  // namespace tessera::model
