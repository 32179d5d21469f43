// How many processors a process may keep busy: not those of the machine, where a container or a scheduler gives it
// fewer.
#pragma once

#include <optional>
#include <string>

namespace tessera {

/// The processors of the calling thread's affinity mask (threads that it makes have the same), or the CPU quota of its
/// control groups where that is less; at least 1.
[[nodiscard]] int usableProcessors();

/// Processors' time that control groups grant this process for each unit of time, 2.5 for instance: the least of its
/// group's limit and those of all groups around it. None without a limit, or where it cannot be read. Versions 1
/// (cpu.cfs_quota_us) and 2 (cpu.max), see Linux, Documentation/admin-guide/cgroup-v2.rst and
/// scheduler/sched-bwc.rst. `root`: in front of /proc and /sys, for tests.
[[nodiscard]] std::optional<double> cpuQuota(const std::string& root = "");

}  // namespace tessera
