// The watchdog: gives up what takes too long on the GPU, by the clock. What it does is the one thing whose outcome
// depends on time; below the limit nothing does.
#pragma once

#include <atomic>
#include <cstdint>

namespace tessera::pipeline {

/// What the watchdog sees of a command processor, and how it ends what the processor does.
struct Watch {
    std::atomic<uint64_t> steps{0};      ///< begun: commands, with the scenes that they flush, and ends of buffers
    std::atomic<bool> isWaiting{false};  ///< in a command for others than the GPU
    std::atomic<bool> stop{false};       ///< the buffer is given up

    void step() { steps.fetch_add(1, std::memory_order_relaxed); }
};

/// Tells from looks at equal distances whether a processor is stuck in one step. Time in which the process does not run
/// (stopped, or the machine asleep) is one look at most; time that other processors had does not count.
class StepClock {
public:
    /// True when the step has had the time of `limit` looks. `busy`: processors that share the time, this one included.
    bool look(bool isBusy, const Watch& watch, size_t busy, uint64_t limit) {
        const uint64_t step = watch.steps.load(std::memory_order_relaxed);
        looks_ = isBusy && step == step_ && !watch.isWaiting ? looks_ + 1.0 / static_cast<double>(busy) : 0;
        step_ = step;
        return looks_ >= static_cast<double>(limit);
    }

private:
    uint64_t step_ = 0;
    double looks_ = 0;
};

}  // namespace tessera::pipeline
