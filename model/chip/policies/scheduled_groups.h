// What a scheduler sees of a block processor when one of its ports is free.
#pragma once

#include <cstdint>
#include <span>

namespace tessera::model::policies {

inline constexpr uint32_t kNoPlace = ~0u;

/// Groups by the places that they have in the block processor, 0 .. places - 1.
struct ScheduledGroups {
    std::span<const uint32_t> oldestFirst;  ///< places that are taken
    uint64_t taken = 0;                     ///< the same, a bit each
    uint32_t places = 0;
    uint32_t lastOfPort = kNoPlace;  ///< the group that this port issued last; none: it has left, or there was none
    uint32_t lastIssued = kNoPlace;  ///< place of the group that any port issued last; it may have left
};

}  // namespace tessera::model::policies
