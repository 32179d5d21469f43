// Lines come when they are asked for.
#pragma once

#include <cstdint>

namespace tessera::model::policies {

struct NoPrefetcher {
    /// A load did not find its line. bring(number) asks for another one: nothing if that is there, or if as many lines
    /// are on their way as may be.
    template <class Bring>
    static void missed(uint64_t, Bring&&) {}
};

}  // namespace tessera::model::policies
