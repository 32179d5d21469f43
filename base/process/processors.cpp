#include "base/process/processors.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string_view>

namespace tessera {

namespace {

/// "200000 100000", the limit of version 2: 2. "max 100000": none.
std::optional<double> maximum(const std::string& file) {
    std::ifstream text(file);
    double quota = 0, period = 0;
    if (!(text >> quota >> period) || quota <= 0 || period <= 0) return std::nullopt;
    return quota / period;
}

/// The same in version 1, where -1 is no limit.
std::optional<double> completelyFairQuota(const std::string& folder) {
    std::ifstream quotaText(folder + "cpu.cfs_quota_us"), periodText(folder + "cpu.cfs_period_us");
    double quota = 0, period = 0;
    if (!(quotaText >> quota) || !(periodText >> period) || quota <= 0 || period <= 0) return std::nullopt;
    return quota / period;
}

/// A group's folder and those around it: what `/proc` names as the group may be mounted elsewhere, or as the root.
template <class Limit>
std::optional<double> leastOf(const std::string& mounted, std::string_view group, Limit&& limit) {
    std::optional<double> least;
    for (;;) {
        while (!group.empty() && group.back() == '/') group.remove_suffix(1);
        const std::optional<double> one = limit(mounted + std::string(group) + "/");
        if (one.has_value()) least = std::min(*one, least.value_or(*one));
        if (group.empty()) return least;
        group = group.substr(0, group.rfind('/') + 1);
    }
}

bool hasController(std::string_view controllers, std::string_view wanted) {
    while (!controllers.empty()) {
        const size_t end = std::min(controllers.find(','), controllers.size());
        if (controllers.substr(0, end) == wanted) return true;
        controllers.remove_prefix(std::min(end + 1, controllers.size()));
    }
    return false;
}

int affinity() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));  // more processors than the set has bits
}

}  // namespace

std::optional<double> cpuQuota(const std::string& root) {
    const std::string groups = root + "/sys/fs/cgroup";
    std::optional<double> least;
    // Lines "hierarchy:controllers:/group"; version 2 has no controllers here.
    std::ifstream lines(root + "/proc/self/cgroup");
    for (std::string line; std::getline(lines, line);) {
        const size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos || line.compare(second + 1, 1, "/") != 0)
            continue;
        const std::string_view controllers = std::string_view(line).substr(first + 1, second - first - 1);
        const std::string_view group = std::string_view(line).substr(second + 1);
        std::optional<double> one;
        if (controllers.empty()) {
            one = leastOf(groups, group, [](const std::string& folder) { return maximum(folder + "cpu.max"); });
        } else if (hasController(controllers, "cpu")) {
            one = leastOf(groups + "/cpu", group, completelyFairQuota);
        }
        if (one.has_value()) least = std::min(*one, least.value_or(*one));
    }
    return least;
}

int usableProcessors() {
    const int processors = std::max(affinity(), 1);
    const std::optional<double> quota = cpuQuota();
    if (!quota.has_value() || *quota >= processors) return processors;
    return std::max(static_cast<int>(std::ceil(*quota)), 1);
}

}  // namespace tessera
