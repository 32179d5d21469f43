// Who acts when: a calendar of the next 1,024 cycles with one bit for each unit, and a heap for what lies beyond. Units
// that act in one cycle do so in the order of their numbers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/check.h"
#include "model/chip/result.h"

namespace tessera::model {

class Clock {
public:
    explicit Clock(uint32_t units) : words_((units + 63) / 64), slots_(kSlots * words_), due_(words_) {}

    [[nodiscard]] Cycle now() const { return now_; }

    /// The unit acts in that cycle, which is not yet there. Waking it twice is waking it once.
    void wake(uint32_t unit, Cycle at) {
        CHECK(at > now_ || !begun_);
        if (at - now_ < kSlots) {
            place(unit, at);
        } else {
            later_.emplace_back(at, unit);
            std::push_heap(later_.begin(), later_.end(), std::greater<>());
        }
    }

    /// Goes to the next cycle in which somebody acts; false if there is none.
    [[nodiscard]] bool advance() {
        Cycle next = nextSlot();
        if (!later_.empty()) next = std::min(next, later_.front().first);
        if (next == kNever) return false;
        now_ = next;
        begun_ = true;
        while (!later_.empty() && later_.front().first - now_ < kSlots) {
            place(later_.front().second, later_.front().first);
            std::pop_heap(later_.begin(), later_.end(), std::greater<>());
            later_.pop_back();
        }
        const size_t slot = now_ % kSlots;
        for (size_t word = 0; word < words_; ++word) due_[word] = std::exchange(slots_[slot * words_ + word], 0);
        filled_[slot / 64] &= ~(uint64_t{1} << slot % 64);
        return true;
    }

    /// Calls act(unit) for each unit that acts in this cycle.
    template <typename Act>
    void forDue(Act&& act) {
        for (size_t word = 0; word < words_; ++word)
            for (uint64_t bits = due_[word]; bits; bits &= bits - 1)
                act(static_cast<uint32_t>(word * 64 + static_cast<size_t>(std::countr_zero(bits))));
    }

    /// Of those that act now or later the unit is the only one.
    [[nodiscard]] bool isAlone(uint32_t unit) const {
        for (size_t word = 0; word < words_; ++word)
            if (due_[word] != (word == unit / 64 ? uint64_t{1} << unit % 64 : 0)) return false;
        return isEmpty();
    }
    /// The first cycle behind this one in which another unit may act, as things are when this one acts.
    [[nodiscard]] Cycle othersAct(uint32_t unit) const {
        for (size_t word = 0; word < words_; ++word)
            if (due_[word] & ~(word == unit / 64 ? uint64_t{1} << unit % 64 : 0)) return now_ + 1;
        return later_.empty() ? nextSlot() : std::min(nextSlot(), later_.front().first);
    }
    /// The unit that acts goes on in that cycle, before which nobody else acts.
    void passTo(Cycle at) { now_ = at; }
    /// Nobody acts any more.
    [[nodiscard]] bool isEmpty() const { return later_.empty() && nextSlot() == kNever; }

private:
    static constexpr size_t kSlots = 1024;

    void place(uint32_t unit, Cycle at) {
        const size_t slot = at % kSlots;
        slots_[slot * words_ + unit / 64] |= uint64_t{1} << unit % 64;
        filled_[slot / 64] |= uint64_t{1} << slot % 64;
    }

    /// The first cycle of this one and the next 1,023 in which somebody acts.
    [[nodiscard]] Cycle nextSlot() const {
        const size_t from = now_ % kSlots, words = filled_.size();
        for (size_t i = 0; i <= words; ++i) {
            const size_t word = (from / 64 + i) % words;
            uint64_t bits = filled_[word];
            if (i == 0) bits &= ~uint64_t{0} << from % 64;
            if (i == words) bits &= ~(~uint64_t{0} << from % 64);
            if (!bits) continue;
            const size_t slot = word * 64 + static_cast<size_t>(std::countr_zero(bits));
            return now_ + (slot - from) % kSlots;
        }
        return kNever;
    }

    size_t words_;
    std::vector<uint64_t> slots_;  ///< a bit for each unit, by slot
    std::array<uint64_t, kSlots / 64> filled_{};
    std::vector<uint64_t> due_;
    std::vector<std::pair<Cycle, uint32_t>> later_;
    Cycle now_ = 0;
    bool begun_ = false;
};

}  // namespace tessera::model
