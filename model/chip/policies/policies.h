// All policies, and the one that a preset chose: the words of policies.def lead to their classes.
#pragma once

#include "base/check.h"
#include "model/chip/policies/prefetcher_next_line.h"
#include "model/chip/policies/prefetcher_none.h"
#include "model/chip/policies/replacement_first_in_first_out.h"
#include "model/chip/policies/replacement_least_recently_used.h"
#include "model/chip/policies/scheduler_greedy.h"
#include "model/chip/policies/scheduler_oldest.h"
#include "model/chip/policies/scheduler_turns.h"
#include "model/chip/policies/words.h"

namespace tessera::model::policies {

/// use(P()) for the class P of a policy.
template <class Use>
decltype(auto) withScheduler(Policy policy, Use&& use) {
    switch (policy) {
#define SCHEDULER(Name, word, meaning) \
    case Policy::Name:                 \
        return use(Name());
#include "model/chip/policies/policies.def"
    }
    UNREACHABLE("a scheduler that is none");
}
template <class Use>
decltype(auto) withReplacement(Replacement replacement, Use&& use) {
    switch (replacement) {
#define REPLACEMENT(Name, word, meaning) \
    case Replacement::Name:              \
        return use(Name());
#include "model/chip/policies/policies.def"
    }
    UNREACHABLE("a replacement that is none");
}
template <class Use>
decltype(auto) withPrefetcher(Prefetcher prefetcher, Use&& use) {
    switch (prefetcher) {
#define PREFETCHER(Name, word, meaning) \
    case Prefetcher::Name:              \
        return use(Name());
#include "model/chip/policies/policies.def"
    }
    UNREACHABLE("a prefetcher that is none");
}

}  // namespace tessera::model::policies
