// Compute devices in a process that forks. Every tier runs this.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <tessera_compute.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/testing/process.h"

using tessera::testing::inChild;

namespace {

/// Multiplies elements by 3^`steps`: a program of its own for each number.
std::string tripling(int steps) {
    std::string text =
        ".compute\n.group 64\n.buffer b0 data\n.uniform c0 factor float\n"
        "    mad.u32 r0.x, block.x, block_size.x, thread.x\n    shl.u32 r0.x, r0.x, 2\n    ld r1.x, b0[r0.x]\n";
    for (int i = 0; i < steps; ++i) text += "    mul r1.x, r1.x, c0.x\n";
    return text + "    st b0[r0.x], r1.x\n    ret\n";
}

class Kernel {
public:
    Kernel(TesseraDevice* device, int steps) : device_(device) {
        const std::string text = tripling(steps);
        kernel_ = tesseraLoadKernel(device, text.data(), text.size());
        for (int i = 0; i < steps; ++i) power_ *= 3;
    }
    ~Kernel() { tesseraFreeKernel(kernel_); }
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    bool isRight() {
        std::vector<float> data(64 * 200, 2.0f);
        const float factor = 3;
        const uint32_t grid[3] = {200, 1, 1};
        if (!tesseraBindMemory(kernel_, "data", data.data(), data.size() * sizeof(float)) ||
            !tesseraSetUniform(kernel_, "factor", &factor, 1) || !tesseraLaunch(kernel_, grid, nullptr) ||
            !tesseraWait(device_))
            return false;
        return data == std::vector<float>(data.size(), 2 * power_);
    }

private:
    TesseraDevice* device_;
    TesseraKernel* kernel_;
    float power_ = 1;
};

constexpr int kThreads = 4;

/// Of address space, as it is now.
size_t mappedBytes() {
    std::ifstream file("/proc/self/statm");
    size_t pages = 0;
    file >> pages;
    return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

TEST_CASE("a child of fork() goes on with a device and its kernels, and opens others") {
    TesseraDevice* device = tesseraOpenDevice(nullptr, kThreads);
    REQUIRE(device != nullptr);
    {
        Kernel before(device, 1);
        CHECK(before.isRight());
        CHECK(inChild([&] { return before.isRight() && Kernel(device, 2).isRight(); }));
        CHECK(inChild([&] {
            TesseraDevice* other = tesseraOpenDevice(nullptr, kThreads);
            const bool right = other != nullptr && Kernel(other, 3).isRight();
            tesseraCloseDevice(other);
            return right;
        }));
        CHECK(inChild([&] { return inChild([&] { return before.isRight(); }) && before.isRight(); }));
        CHECK(before.isRight());
    }
    CHECK(inChild([&] {  // the workers that it joins are the parent's
        tesseraCloseDevice(device);
        return true;
    }));
    tesseraCloseDevice(device);
}

TEST_CASE("a child of fork() works while other threads of the parent compile and launch") {
    TesseraDevice* device = tesseraOpenDevice(nullptr, kThreads);
    std::atomic<bool> stop = false;
    std::atomic<int> wrong = 0, runs = 0;
    std::vector<std::thread> threads;
    for (int n = 0; n < 2; ++n)
        threads.emplace_back([&] {
            TesseraDevice* mine = tesseraOpenDevice(nullptr, kThreads);
            for (int i = 0; !stop; ++i) {
                Kernel kernel(mine, 1 + i % 9);
                for (int launch = 0; launch < 3; ++launch) wrong += !kernel.isRight();
                ++runs;
            }
            tesseraCloseDevice(mine);
        });
    constexpr int kForks = 12;
    int right = 0;
    for (int i = 0; i < kForks; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2 * i));
        right += inChild([&] {
            TesseraDevice* other = tesseraOpenDevice(nullptr, kThreads);
            const bool mine = Kernel(device, 2 + i % 5).isRight() && Kernel(other, 3).isRight();
            tesseraCloseDevice(other);
            return mine;
        });
    }
    stop = true;
    for (std::thread& thread : threads) thread.join();
    CHECK(right == kForks);
    CHECK(wrong == 0);
    CHECK(runs > 0);
    tesseraCloseDevice(device);
}

TEST_CASE("programs that differ by their block alone are compiled, and kept, for each") {
    TesseraDevice* device = tesseraOpenDevice(nullptr, kThreads);
    for (const char* group : {"64", "32", "16, 4", "4, 4, 4", "64"}) {
        CAPTURE(group);
        // In each block of 64 threads, or two of 32, the elements in their order.
        const std::string text = std::string(".compute\n.group ") + group +
                                 "\n.buffer b0 data\n"
                                 "    mul.u32 r1.x, block_size.x, block_size.y\n"
                                 "    mul.u32 r1.y, r1.x, block_size.z\n"
                                 "    mad.u32 r0.x, thread.y, block_size.x, thread.x\n"
                                 "    mad.u32 r0.x, thread.z, r1.x, r0.x\n"
                                 "    mad.u32 r0.x, block.x, r1.y, r0.x\n"
                                 "    shl.u32 r0.y, r0.x, 2\n    st b0[r0.y], r0.x\n    ret\n";
        TesseraKernel* kernel = tesseraLoadKernel(device, text.data(), text.size());
        CAPTURE(tesseraComputeError());
        REQUIRE(kernel != nullptr);
        std::vector<uint32_t> data(256, ~0u), expected(256);
        for (uint32_t i = 0; i < 256; ++i) expected[i] = i;
        const uint32_t grid[3] = {std::string(group) == "32" ? 8u : 4u, 1, 1};
        CHECK(tesseraBindMemory(kernel, "data", data.data(), data.size() * 4));
        CHECK(tesseraLaunch(kernel, grid, nullptr));
        CHECK(tesseraWait(device));
        CHECK(data == expected);
        tesseraFreeKernel(kernel);
    }
    tesseraCloseDevice(device);
}

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)  // which map memory themselves
TEST_CASE("a launch without memory is an error, and the device as good as before") {
    CHECK(inChild([] {
        TesseraDevice* device = tesseraOpenDevice(nullptr, 1);
        // The groups of a block wait for each other, on stacks of their own: 16 MB.
        const std::string text =
            ".compute\n.group 128\n.buffer b0 data\n    mad.u32 r0.x, block.x, block_size.x, thread.x\n"
            "    shl.u32 r0.x, r0.x, 2\n    bar 0\n    st b0[r0.x], r0.x\n    ret\n";
        TesseraKernel* kernel = tesseraLoadKernel(device, text.data(), text.size());
        std::vector<uint32_t> data(128);
        const uint32_t grid[3] = {1, 1, 1};
        if (!tesseraBindMemory(kernel, "data", data.data(), data.size() * 4) || !tesseraLaunch(kernel, grid, nullptr))
            return false;
        rlimit before{};
        getrlimit(RLIMIT_AS, &before);
        const rlimit scarce{mappedBytes() + (size_t{4} << 20), before.rlim_max};
        setrlimit(RLIMIT_AS, &scarce);
        const bool isDone = tesseraWait(device) != 0;
        const bool right = isDone || std::string(tesseraComputeError()) == "memory ran out";
        setrlimit(RLIMIT_AS, &before);
        return right && tesseraLaunch(kernel, grid, nullptr) && tesseraWait(device) && data[127] == 4 * 127;
    }));
}
#endif
