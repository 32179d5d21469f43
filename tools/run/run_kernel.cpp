#include "tools/run/run_kernel.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "api/compute/device.h"
#include "base/process/env.h"
#include "tools/files.h"

namespace tessera::tools {

namespace {

/// What --out asks for, by name of the buffer. Nothing, with a message, when a buffer is not there.
std::optional<std::vector<std::pair<std::string, const KernelArray*>>> outputsOf(const KernelInput& input,
                                                                                 const LaunchOptions& options) {
    std::vector<std::pair<std::string, const KernelArray*>> outputs;
    for (const std::string& text : options.out) {
        const size_t equals = text.find('=');
        const std::string name = text.substr(0, equals);
        const auto array = input.arrays.find(name);
        if (equals == std::string::npos) {
            fmt::print(stderr, "--out {}: error: write it as NAME=FILE\n", text);
            return std::nullopt;
        }
        if (!debug::memorySlot(*input.program, name)) {
            complainAboutBuffer(input, name);
            return std::nullopt;
        }
        if (array == input.arrays.end()) {
            fmt::print(stderr, "error: {}: buffer '{}' has no size; give it with --in or --buffer {}=f32[...]\n",
                       input.name, name, name);
            return std::nullopt;
        }
        outputs.emplace_back(text.substr(equals + 1), &array->second);
    }
    return outputs;
}

}  // namespace

void addLaunchOptions(CLI::App& verb, LaunchOptions& options) {
    verb.add_option("--out", options.out, "Compute: a buffer to a file when it has run: NAME=FILE (repeatable)")
        ->take_all()
        ->allow_extra_args(false);
    verb.add_option("--tier", options.tier, "Compute: interp, baseline, jit (default) or tiered")
        ->check(CLI::IsMember(std::vector<std::string>(std::begin(tier::kTierNames), std::end(tier::kTierNames))));
    verb.add_flag("--counters", options.counters, "Compute: print what was counted");
}

int launchKernel(const KernelInput& input, const LaunchOptions& options) {
    const auto outputs = outputsOf(input, options);
    if (!outputs) return kWrongInput;
    const std::shared_ptr<compute::Device> device = compute::openDevice(*tier::tierByName(options.tier), threadCount());
    const auto launch = device->launch(*input.kernel, input.size);
    device->wait();
    if (options.counters) {
        const isa::ComputeCounters& c = launch->counters;
        fmt::print("blocks {}\ngroups {}\ninstructions {}\nbarriers {}\nout of range {}\n", c.blocks, c.groups,
                   c.instructions, c.barriers, c.outOfRange);
    } else if (launch->counters.outOfRange != 0) {
        fmt::print(stderr, "{}: warning: {} access{} outside the buffers\n", input.name, launch->counters.outOfRange,
                   launch->counters.outOfRange == 1 ? "" : "es");
    }
    if (!launch->ok()) {
        fmt::print(stderr, "{}: error: {}\n", input.name, launch->message);
        return kWrongInput;
    }
    for (const auto& [path, array] : *outputs)
        if (!writeArray(path, *array)) return kTrouble;
    return kDone;
}

}  // namespace tessera::tools
