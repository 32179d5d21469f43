// Test only: devices of every tier, SIMD level and a few thread counts, and one call from text to results.
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "api/compute/device.h"
#include "base/process/env.h"
#include "shader-core/asm/assembler.h"

namespace tessera::compute {

struct Machine {
    Device device;

    std::shared_ptr<Kernel> load(const std::string& text) {
        const assembly::AssembleResult assembled = assembly::assemble(text, "test");
        INFO(text << "\n" << assembled.log());
        REQUIRE(assembled.program.has_value());
        std::string why;
        auto kernel = device.load(*assembled.program, &why);
        REQUIRE(why == "");
        return kernel;
    }

    std::shared_ptr<Launch> run(const std::string& text,
                                const std::vector<std::pair<std::string, std::shared_ptr<Buffer>>>& buffers,
                                const LaunchSize& size,
                                const std::vector<std::pair<std::string, int32_t>>& uniforms = {}) {
        const auto kernel = load(text);
        for (const auto& [name, buffer] : buffers) REQUIRE(kernel->bind(name, buffer));
        for (const auto& [name, value] : uniforms) REQUIRE(kernel->setUniform(name, value));
        auto launch = device.launch(*kernel, size);
        device.wait();
        return launch;
    }
};

/// Calls the body with devices of every executor that the test program is linked with.
void forEachTier(const std::function<void(Machine&)>& body);

template <class T>
std::shared_ptr<Buffer> filled(const std::vector<T>& values) {
    auto buffer = std::make_shared<Buffer>(values.size() * sizeof(T));
    std::memcpy(buffer->bytes().data(), values.data(), values.size() * sizeof(T));
    return buffer;
}

}  // namespace tessera::compute
