// A queue between two units, with valid and ready (docs/model.md, Time).
#pragma once

#include <algorithm>
#include <vector>

#include "model/chip/result.h"
#include "model/chip/unit/clock.h"

namespace tessera::model {

template <typename Entry>
class Queue {
public:
    Queue(Clock& clock, uint32_t depth, uint32_t latency, uint32_t producer, uint32_t consumer)
        : clock_(&clock), slots_(depth), latency_(latency), producer_(producer), consumer_(consumer) {}

    /// Whether an entry can be pushed in this cycle. If not, the producer acts again when there may be a place.
    [[nodiscard]] bool hasPlace() {
        if (pushed_ - taken_ == slots_.size()) {
            producerWaits_ = true;
            return false;
        }
        const Cycle free = slots_[pushed_ % slots_.size()].free;
        if (free <= clock_->now()) return true;
        clock_->wake(producer_, free);
        return false;
    }

    /// `ready`: the entry is seen in that cycle at the earliest.
    void push(const Entry& entry, Cycle ready = 0) {
        lastSeen_ = std::max({clock_->now() + latency_, ready, lastSeen_});
        Slot& slot = slots_[pushed_ % slots_.size()];
        slot.entry = entry;
        slot.seen = lastSeen_;
        if (pushed_++ == taken_) clock_->wake(consumer_, lastSeen_);
        tell();
    }

    /// The oldest entry, if it can be taken in this cycle. If it comes later, the consumer acts then.
    [[nodiscard]] const Entry* front() {
        if (pushed_ == taken_) return nullptr;
        const Slot& slot = slots_[taken_ % slots_.size()];
        if (slot.seen <= clock_->now()) return &slot.entry;
        clock_->wake(consumer_, slot.seen);
        return nullptr;
    }
    /// When front() can be taken.
    [[nodiscard]] Cycle frontSeen() const { return slots_[taken_ % slots_.size()].seen; }

    void pop() {
        slots_[taken_++ % slots_.size()].free = clock_->now() + 1;
        if (producerWaits_) clock_->wake(producer_, clock_->now() + 1);
        producerWaits_ = false;
        tell();
    }

    [[nodiscard]] bool isEmpty() const { return pushed_ == taken_; }

    /// From now on each change of the number of entries is written down. What this queue is called in it.
    QueueResult listen(std::vector<QueueLevel>& levels, uint32_t number) {
        levels_ = &levels;
        number_ = number;
        return {producer_, consumer_, static_cast<uint32_t>(slots_.size())};
    }

private:
    /// Places change between two cycles.
    void tell() {
        if (levels_) levels_->push_back({clock_->now() + 1, number_, static_cast<uint32_t>(pushed_ - taken_)});
    }

    struct Slot {
        Entry entry{};
        Cycle seen = 0, free = 0;
    };
    Clock* clock_;
    std::vector<Slot> slots_;
    uint64_t pushed_ = 0, taken_ = 0;
    Cycle lastSeen_ = 0;
    uint32_t latency_, producer_, consumer_;
    bool producerWaits_ = false;
    std::vector<QueueLevel>* levels_ = nullptr;
    uint32_t number_ = 0;
};

/// So many things on their way at once: the next may begin when the one so many before it is done.
class Window {
public:
    explicit Window(uint32_t size) : done_(size) {}
    [[nodiscard]] Cycle mayBegin() const { return done_[next_]; }
    /// Things end in the order in which they begin: `done` counts from the one before on.
    void begin(Cycle done) {
        last_ = std::max(last_, done);
        done_[next_] = last_;
        if (++next_ == done_.size()) next_ = 0;
    }

private:
    std::vector<Cycle> done_;
    size_t next_ = 0;
    Cycle last_ = 0;
};

}  // namespace tessera::model
