// Greedy, then oldest: a port stays with its group while that can issue (seed 003, warp scheduler).
#pragma once

#include "model/chip/policies/scheduler_oldest.h"

namespace tessera::model::policies {

struct Greedy {
    template <class Can>
    static uint32_t pick(const ScheduledGroups& groups, Can&& can) {
        if (groups.lastOfPort != kNoPlace && can(groups.lastOfPort)) return groups.lastOfPort;
        return Oldest::pick(groups, can);
    }
};

}  // namespace tessera::model::policies
