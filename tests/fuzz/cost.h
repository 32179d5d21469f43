// What compiling may cost (docs/SECURITY.md), and how much it does: one source of a program includes this.
#pragma once

#include <ctime>

#include "tests/fuzz/allocated.h"

namespace tessera::fuzz {

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr double kSlower = 4;  ///< what the sanitizers make of our code; LLVM is as it always is
#else
inline constexpr double kSlower = 1;
#endif
inline constexpr double kMostSeconds = 5 * kSlower;
inline constexpr size_t kMostBytes = size_t{300} << 20;

/// From its construction on.
class Cost {
public:
    Cost() { mostAllocatedBytes = bytes_; }

    /// Of processors, for the process.
    [[nodiscard]] double seconds() const { return processorSeconds() - from_; }
    /// At most, more than there were.
    [[nodiscard]] size_t bytes() const { return mostAllocatedBytes - bytes_; }

private:
    static double processorSeconds() {
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    }

    double from_ = processorSeconds();
    size_t bytes_ = allocatedBytes;
};

}  // namespace tessera::fuzz
