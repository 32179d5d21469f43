#include "base/process/processors.h"

#include <sched.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

using namespace tessera;

namespace {

/// A root with files in /proc and /sys, as kernels write them.
class Root {
public:
    Root() {
        std::string name = (std::filesystem::temp_directory_path() / "tessera-cgroup-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    Root(const Root&) = delete;
    Root& operator=(const Root&) = delete;
    ~Root() { std::filesystem::remove_all(path_); }

    void write(const std::string& file, const std::string& text) const {
        const std::filesystem::path full = path_ / file;
        std::filesystem::create_directories(full.parent_path());
        std::ofstream(full) << text << '\n';
    }
    [[nodiscard]] std::optional<double> quota() const { return cpuQuota(path_.string()); }

private:
    std::filesystem::path path_;
};

}  // namespace

TEST_CASE("no control groups, or none with a limit, are no quota") {
    const Root root;
    CHECK_FALSE(root.quota().has_value());
    root.write("proc/self/cgroup", "0::/user.slice");
    CHECK_FALSE(root.quota().has_value());
    root.write("sys/fs/cgroup/user.slice/cpu.max", "max 100000");
    CHECK_FALSE(root.quota().has_value());
    for (const char* odd : {"", "100000", "-5 100000", "0 100000", "100000 0", "many 100000", "nan nan"}) {
        root.write("sys/fs/cgroup/user.slice/cpu.max", odd);
        CAPTURE(odd);
        CHECK_FALSE(root.quota().has_value());
    }
    for (const char* odd : {"", ":", "0:", "::", "0::", "0::relative", "\n\n:::::"}) {
        root.write("proc/self/cgroup", odd);
        CAPTURE(odd);
        CHECK_FALSE(root.quota().has_value());
    }
}

TEST_CASE("version 2: the least limit of the group and those around it") {
    const Root root;
    root.write("proc/self/cgroup", "0::/system.slice/build.service/job");
    root.write("sys/fs/cgroup/system.slice/cpu.max", "800000 100000");
    CHECK(root.quota() == 8.0);
    root.write("sys/fs/cgroup/system.slice/build.service/cpu.max", "150000 100000");
    root.write("sys/fs/cgroup/system.slice/build.service/job/cpu.max", "max 100000");
    CHECK(root.quota() == 1.5);
    root.write("sys/fs/cgroup/system.slice/build.service/job/cpu.max", "25000 50000");
    CHECK(root.quota() == 0.5);
}

TEST_CASE("a container that sees its group as the root, whatever the group is called outside") {
    const Root two;
    two.write("proc/self/cgroup", "0::/");
    two.write("sys/fs/cgroup/cpu.max", "200000 100000");
    CHECK(two.quota() == 2.0);
    const Root one;
    one.write("proc/self/cgroup",
              "4:cpuset:/docker/0123\n3:cpu,cpuacct:/docker/0123\n1:name=systemd:/docker/0123\n0::/");
    one.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "300000");
    CHECK_FALSE(one.quota().has_value());
    one.write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
    CHECK(one.quota() == 3.0);
    one.write("sys/fs/cgroup/cpu/docker/0123/cpu.cfs_quota_us", "-1");
    one.write("sys/fs/cgroup/cpu/docker/0123/cpu.cfs_period_us", "100000");
    CHECK(one.quota() == 3.0);
}

TEST_CASE("a process on fewer processors uses those") {
    cpu_set_t before, one;
    REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
    const int all = usableProcessors();
    CHECK(all >= 1);
    CHECK(all <= CPU_COUNT(&before));
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i) {
        if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
    }
    REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
    CHECK(usableProcessors() == 1);
    REQUIRE(sched_setaffinity(0, sizeof before, &before) == 0);
    CHECK(usableProcessors() == all);
}
