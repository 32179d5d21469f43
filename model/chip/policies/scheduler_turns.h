// Round robin over the places (seed 002, 2.1.1: the fetch controller works in round-robin mode).
#pragma once

#include "model/chip/policies/scheduled_groups.h"

namespace tessera::model::policies {

struct Turns {
    template <class Can>
    static uint32_t pick(const ScheduledGroups& groups, Can&& can) {
        for (uint32_t i = 0; i < groups.places; ++i) {
            const uint32_t place = (groups.lastIssued + 1 + i) % groups.places;
            if (groups.taken >> place & 1 && can(place)) return place;
        }
        return kNoPlace;
    }
};

}  // namespace tessera::model::policies
