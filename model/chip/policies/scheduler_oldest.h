// The group that became resident first (seed 004, 2.1: the thread group assigned earlier has higher priority).
#pragma once

#include "model/chip/policies/scheduled_groups.h"

namespace tessera::model::policies {

struct Oldest {
    /// The place of the group that issues, or kNoPlace; can(place): it can, in this cycle.
    template <class Can>
    static uint32_t pick(const ScheduledGroups& groups, Can&& can) {
        for (const uint32_t place : groups.oldestFirst)
            if (can(place)) return place;
        return kNoPlace;
    }
};

}  // namespace tessera::model::policies
