// Use changes nothing: lines go as they came.
#pragma once

#include "model/chip/policies/replacement_least_recently_used.h"

namespace tessera::model::policies {

struct FirstInFirstOut {
    template <class Line>
    static void used(Line&, uint64_t) {}
    template <class Line>
    static Line& victim(std::span<Line> set) {
        return LeastRecentlyUsed::victim(set);  // of lines whose ages are those of their coming
    }
};

}  // namespace tessera::model::policies
