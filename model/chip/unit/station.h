// A unit that works on one item at a time, for some cycles, and then hands it on.
#pragma once

#include "model/chip/unit/ledger.h"

namespace tessera::model {

template <typename Item>
struct Station {
    bool holds = false;
    Item item{};
    Cycle done = 0;
    Cause idle = Cause::NoWork;  ///< from where its books end

    /// Takes an item in this cycle, and works on it for so many.
    template <typename Machine>
    void take(Machine& chip, uint32_t self, const Item& what, uint32_t cycles) {
        holds = true;
        item = what;
        done = chip.clock.now() + cycles;
        chip.ledger.spend(self, done, Cause::Busy);
        chip.clock.wake(self, done);
    }

    /// Whether it has worked on what it holds. Books are kept up to this cycle.
    template <typename Machine>
    [[nodiscard]] bool isDone(Machine& chip, uint32_t self) {
        chip.ledger.spend(self, chip.clock.now(), idle);
        return chip.clock.now() >= done;
    }
};

}  // namespace tessera::model
