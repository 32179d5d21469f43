// One line ahead (Smith, Cache Memories, 1982: prefetch on a miss).
#pragma once

#include <cstdint>

namespace tessera::model::policies {

struct NextLine {
    template <class Bring>
    static void missed(uint64_t number, Bring&& bring) {
        bring(number + 1);
    }
};

}  // namespace tessera::model::policies
