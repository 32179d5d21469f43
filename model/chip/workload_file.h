// Workloads as files (.tsw), so that a frame is recorded once and modelled often.
//
// "TSW1", u32 version, u64 XXH3-64 of what follows, all little endian; then numbers of seven bits a byte, the lowest
// first, the top bit set in all but the last: name, size, and the arrays of a Workload in their order, each with its
// count before it. Numbers that mostly rise from element to element are differences, 2 n where they rise by n, 2 n - 1
// where they fall by it. A text has its length before it, a program is a .tsb.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "model/chip/workload.h"

namespace tessera::model {

inline constexpr uint32_t kWorkloadVersion = 2;

[[nodiscard]] std::string saveWorkload(const Workload& workload);

/// Any bytes may be given. Nothing, and "byte N: what is wrong" in *problem, unless they are a workload that
/// validate() has nothing against.
[[nodiscard]] std::optional<Workload> loadWorkload(std::span<const std::byte> file, std::string* problem);

}  // namespace tessera::model
