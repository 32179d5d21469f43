#include "model/chip/unit/dram_channel.h"

#include <algorithm>

namespace tessera::model {
namespace {

Cycle divideUp(Cycle a, Cycle b) { return (a + b - 1) / b; }

}  // namespace

DramChannel::DramChannel(const Preset& preset)
    : times_(preset.sdram),
      burst_(divideUp(preset.sdram.burst_bytes, preset.sdram.bytes_per_cycle)),
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
    const Cycle longest = std::max(turn(true, false), turn(false, true));
    size_t i = taken_.size();
    while (i > 0 && taken_[i - 1].end + longest > earliest) --i;
    Slot slot{earliest, i};
    for (; slot.before < taken_.size(); ++slot.before) {
        const Taken& next = taken_[slot.before];
        if (slot.begin + cycles + turn(write, next.beginsWriting) <= next.begin) break;
        slot.begin = std::max(slot.begin, next.end + turn(next.endsWriting, write));
    }
    return slot;
}

void DramChannel::take(const Slot& slot, Cycle cycles, bool write) {
    const auto at = taken_.begin() + static_cast<ptrdiff_t>(slot.before);
    const Cycle end = slot.begin + cycles;
    const bool joinsLast = slot.before > 0 && std::prev(at)->end + burst_ > slot.begin;
    const bool joinsNext = at != taken_.end() && end + burst_ > at->begin;
    if (joinsLast && joinsNext) {
        std::prev(at)->end = at->end;
        std::prev(at)->endsWriting = at->endsWriting;
        taken_.erase(at);
    } else if (joinsLast) {
        std::prev(at)->end = end;
        std::prev(at)->endsWriting = write;
    } else if (joinsNext) {
        at->begin = slot.begin;
        at->beginsWriting = write;
    } else {
        taken_.insert(at, {slot.begin, end, write, write});
    }
}

bool DramChannel::mayActivate(Cycle at) const {
    const auto next = std::upper_bound(activations_.begin(), activations_.end(), at);
    const ptrdiff_t before = next - activations_.begin(), behind = activations_.end() - next;
    if (before > 0 && at - *std::prev(next) < times_.activates_apart) return false;
    if (behind > 0 && *next - at < times_.activates_apart) return false;
    // Five in a row, of which it is one: so many are before it.
    for (ptrdiff_t i = 0; i <= 4; ++i) {
        if (i > before || 4 - i > behind) continue;
        const Cycle first = i > 0 ? *(next - i) : at, last = i < 4 ? *(next + (3 - i)) : at;
        if (last - first < times_.four_activates) return false;
    }
    return true;
}

Cycle DramChannel::activation(Cycle earliest) const {
    while (!mayActivate(earliest)) ++earliest;
    return earliest;
}

void DramChannel::noteAccess(Opening& opening, Cycle begin, Cycle end, bool write) const {
    const Cycle may =
        write ? end + times_.write_precharge_cycles : begin - times_.read_cycles + times_.read_precharge_cycles;
    opening.mayPrecharge = std::max(opening.mayPrecharge, may);
}

Cycle DramChannel::fromOpenRow(Opening& opening, Cycle asked, Cycle cycles, bool write) {
    const Cycle column = write ? times_.write_cycles : times_.read_cycles;
    const Slot slot = freeSlot(std::max(asked, opening.activated + times_.activate_cycles) + column, cycles, write);
    const Cycle end = slot.begin + cycles;
    Opening after = opening;
    noteAccess(after, slot.begin, end, write);
    if (end > opening.precharged || after.mayPrecharge > opening.precharged || end > refreshAfter(opening.activated))
        return kNever;
    opening = after;
    take(slot, cycles, write);
    notePiece(asked + column, slot.begin, end);
    return end;
}

Cycle DramChannel::openRow(std::deque<Opening>& bank, uint64_t row, Cycle asked, Cycle cycles, bool write) {
    const Cycle column = write ? times_.write_cycles : times_.read_cycles;
    Cycle earliest = asked;
    if (!bank.empty()) {
        const Opening& last = bank.back();
        const Cycle refresh = refreshAfter(last.activated);
        const Cycle precharged = std::max(asked, last.mayPrecharge) + times_.precharge_cycles;
        // A refresh closes what is open.
        earliest = precharged < refresh ? precharged : std::max(asked, refresh + times_.refresh_cycles);
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
        Opening opening{row, activated, kNever, activated + times_.open_cycles};
        noteAccess(opening, slot.begin, end, write);
        bank.push_back(opening);
        activations_.insert(std::upper_bound(activations_.begin(), activations_.end(), activated), activated);
        take(slot, cycles, write);
        notePiece(asked + column, slot.begin, end);
        return end;
    }
}

void DramChannel::notePiece(Cycle wanted, Cycle begin, Cycle end) {
    auto at = pieces_.end();
    while (at != pieces_.begin() && std::prev(at)->begin > begin) --at;
    pieces_.insert(at, {wanted, begin, end});
}

Cycle DramChannel::place(Cycle now, Cycle asked, bool write, const DramPlace& place) {
    // What cannot matter any more: whatever comes is behind it.
    const Cycle longest = std::max(turn(true, false), turn(false, true));
    while (taken_.size() > 1 && taken_.front().end + longest <= now) taken_.pop_front();
    while (!activations_.empty() &&
           activations_.front() + std::max(times_.four_activates, times_.activates_apart) <= now)
        activations_.pop_front();
    std::deque<Opening>& bank = banks_[place.bank];
    while (bank.size() > 1 && bank.front().precharged <= now) bank.pop_front();

    const Cycle bursts = divideUp(place.bytes, times_.burst_bytes);
    const Cycle cycles = divideUp(bursts * times_.burst_bytes, times_.bytes_per_cycle);
    for (Opening& opening : bank) {
        if (opening.row != place.row) continue;
        if (const Cycle end = fromOpenRow(opening, asked, cycles, write); end != kNever) return end;
    }
    return openRow(bank, place.row, asked, cycles, write);
}

}  // namespace tessera::model
