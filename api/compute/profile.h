// How often the groups of a launch executed each instruction: what runs are made of, for tools that ask what a machine
// must be good at.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "api/compute/device.h"

namespace tessera::compute {

/// For each program that ran (Kernel::program()) a number for each of its instructions.
using Profile = std::map<const isa::Program*, std::vector<uint64_t>>;

/// A device with one worker that interprets and counts. `profile` has to outlive it.
[[nodiscard]] std::shared_ptr<Device> openProfilingDevice(Profile& profile);

}  // namespace tessera::compute
