// The C++ interface: results on both tiers, what is thrown, and who outlives whom.
#include <doctest/doctest.h>

#include <array>
#include <optional>
#include <string>
#include <tessera/compute.hpp>
#include <vector>

namespace {

constexpr const char* kScaleAndAdd = R"(
.compute
.group 64
.buffer b0 data
.uniform c0 line vec2
    mad.u32 r0.x, block.x, block_size.x, thread.x
    shl.u32 r0.x, r0.x, 2
    ld r1.x, b0[r0.x]
    mad r1.x, r1.x, c0.x, c0.y
    st b0[r0.x], r1.x
    ret
)";

template <class Action>
std::string thrown(Action action) {
    try {
        action();
    } catch (const tessera::ComputeError& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("a kernel's results, on both tiers") {
    for (const char* tier : {"interp", "jit"}) {
        CAPTURE(tier);
        tessera::Device device(tier, 2);
        tessera::Kernel kernel = device.load(kScaleAndAdd);
        std::vector<float> data(256);
        for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i);
        kernel.bind("data", data);
        kernel.set("line", {3.0f, 0.5f});
        kernel.launch({4});
        device.wait();
        for (size_t i = 0; i < data.size(); ++i) CHECK(data[i] == 3.0f * static_cast<float>(i) + 0.5f);
        // Half the threads a block: the second half of the data stays.
        std::array<float, 256> ones;
        ones.fill(1);
        kernel.bind("data", ones);
        kernel.launch({4}, {32});
        device.wait();
        CHECK(ones[127] == 3.5f);
        CHECK(ones[128] == 1.0f);
        CHECK(device.counters().blocks == 8);
    }
}

TEST_CASE("what is refused is thrown with its reason") {
    CHECK(thrown([] { tessera::Device("vulkan"); }).find("tier") != std::string::npos);
    tessera::Device device("interp", 1);
    CHECK(thrown([&] { (void)device.load("nonsense"); }) != "");
    tessera::Kernel kernel = device.load(kScaleAndAdd);
    std::vector<float> data(64);
    CHECK(thrown([&] { kernel.bind("other", data); }).find("other") != std::string::npos);
    CHECK(thrown([&] { kernel.set("line", {1.0f, 2.0f, 3.0f}); }).find("line") != std::string::npos);
    tessera::Kernel endless = device.load(".compute\n    loop\n    endloop\n    ret\n");
    endless.launch({1});
    CHECK(thrown([&] { device.wait(); }).find("budget") != std::string::npos);
    CHECK(thrown([&] { device.wait(); }) == "");
}

TEST_CASE("a device stays open while there is a kernel of it, wherever the kernel was moved") {
    std::optional<tessera::Kernel> kernel;
    {
        tessera::Device device("interp", 1);
        kernel = device.load(kScaleAndAdd);
    }
    std::vector<float> data(64);
    kernel->bind("data", data);
    kernel->set("line", {1.0f, 2.0f});
}
