// Test only: random machines and random launches for them, the same for the same seed everywhere. Programs are lists of
// instructions of every kind; what groups execute of them is made up, not computed: the model only listens.
#pragma once

#include <cstdint>

#include "model/chip/preset.h"
#include "model/chip/workload.h"

namespace tessera::model::reference {

/// What random programs and launches may have.
struct Variety {
    bool sharedMemory = true, outsideMemory = true, texture = true, barriers = true;
    bool allPrefetched = false;  ///< memory outside is prefetch memory
    uint32_t launches = 3, groupsPerBlock = 8;
};
struct RandomCase {
    Preset preset;
    Workload workload;  ///< launches only
};
[[nodiscard]] RandomCase randomCase(uint32_t seed, const Variety& variety);

}  // namespace tessera::model::reference
