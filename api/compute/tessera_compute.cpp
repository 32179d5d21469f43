// The C functions over shader-core/compute.
#include <tessera_compute.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include "api/compute/device.h"
#include "base/process/env.h"
#include "base/thread/thread.h"
#include "shader-core/asm/assembler.h"

#define TESSERA_EXPORT extern "C" [[gnu::visibility("default")]]

struct TesseraDevice {
    std::shared_ptr<tessera::compute::Device> device;
    struct Noted {
        std::shared_ptr<tessera::compute::Launch> launch;
        std::shared_ptr<const tessera::isa::Program> program;
    };
    std::vector<Noted> launches;
    TesseraFault fault{};  ///< of the last wait
};

struct TesseraKernel {
    TesseraDevice* owner;
    std::shared_ptr<tessera::compute::Kernel> kernel;
};

namespace {

using tessera::isa::Program;

thread_local std::string error;

int fail(std::string why) {
    error = std::move(why);
    return 0;
}
int succeed() {
    error.clear();
    return 1;
}

/// Does `work`; null or 0 when there is no memory for it.
template <class Work>
auto withMemory(Work work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        error = "memory ran out";  // short enough to need none
        return {};
    }
}

TesseraFault faultOf(const tessera::compute::Launch& launch, const Program& program) {
    const tessera::isa::ComputeFault& fault = launch.fault;
    TesseraFault told{};
    told.kind = static_cast<uint32_t>(fault.kind);
    told.group = fault.group;
    told.instruction = fault.instruction;
    // Where the budget ran out nobody knows on every tier.
    const bool isAtBarrier = fault.kind != tessera::isa::FaultKind::OutOfBudget;
    if (isAtBarrier && fault.instruction < program.lines.size()) told.line = program.lines[fault.instruction];
    told.block = fault.block;
    told.missing = fault.missing[std::min<size_t>(fault.group, fault.missing.size() - 1)];
    for (const uint32_t lanes : fault.missing)
        if (told.missing == 0) told.missing = lanes;
    return told;
}

/// Makes a program of a .tsb file or of assembly text.
std::optional<Program> parse(std::string_view bytes) {
    if (bytes.starts_with("TSB1")) return tessera::isa::deserialize(std::as_bytes(std::span(bytes)), &error);
    constexpr size_t kParserStack = size_t{1} << 20;  // expressions nest
    tessera::assembly::AssembleResult result;
    tessera::runWithStack(kParserStack, [&] { result = tessera::assembly::assemble(bytes, "kernel"); });
    if (!result.program) error = result.log();
    return std::move(result.program);
}

}  // namespace

TESSERA_EXPORT TesseraDevice* tesseraOpenDevice(const char* tier, int threads) {
    const auto named = tier != nullptr
                           ? tessera::tier::tierByName(tier)
                           : std::optional(tessera::tier::tierFromEnvironment(tessera::compute::kUsualTier));
    if (!named || threads < 0 || threads > 64) {
        fail("a device has the tier interp, baseline, jit or tiered, and 1 to 64 threads");
        return nullptr;
    }
    succeed();
    return withMemory([&] {
        return new TesseraDevice{tessera::compute::openDevice(*named, threads != 0 ? threads : tessera::threadCount()),
                                 {}};
    });
}

TESSERA_EXPORT void tesseraCloseDevice(TesseraDevice* device) { delete device; }

TESSERA_EXPORT TesseraKernel* tesseraLoadKernel(TesseraDevice* device, const void* program, size_t bytes) {
    if (device == nullptr || program == nullptr) {
        fail("there is no device or no program");
        return nullptr;
    }
    succeed();
    return withMemory([&]() -> TesseraKernel* {
        std::optional<Program> parsed = parse({static_cast<const char*>(program), bytes});
        if (!parsed) return nullptr;
        auto kernel = device->device->load(std::move(*parsed), &error);
        return kernel != nullptr ? new TesseraKernel{device, std::move(kernel)} : nullptr;
    });
}

TESSERA_EXPORT void tesseraFreeKernel(TesseraKernel* kernel) { delete kernel; }

TESSERA_EXPORT int tesseraBindMemory(TesseraKernel* kernel, const char* name, void* memory, size_t bytes) {
    if (kernel == nullptr || name == nullptr || (memory == nullptr && bytes != 0))
        return fail("there is no kernel, name or memory");
    return withMemory([&] {
        const auto buffer = tessera::compute::Buffer::wrap({static_cast<std::byte*>(memory), bytes});
        if (buffer == nullptr) return fail("memory begins at a multiple of four bytes and has at most 4 GiB");
        if (!kernel->kernel->bind(name, buffer)) return fail(std::string("there is no buffer ") + name);
        return succeed();
    });
}

TESSERA_EXPORT int tesseraSetUniform(TesseraKernel* kernel, const char* name, const void* words, size_t count) {
    if (kernel == nullptr || name == nullptr || (words == nullptr && count != 0))
        return fail("there is no kernel, name or value");
    if (count > size_t{4} * tessera::isa::kMaxConstants) return fail("no uniform has so many components");
    return withMemory([&] {
        std::vector<uint32_t> bits(count);
        if (count != 0) std::memcpy(bits.data(), words, count * sizeof(uint32_t));
        if (!kernel->kernel->setUniform(name, bits))
            return fail(std::string("there is no uniform ") + name + " with so many components");
        return succeed();
    });
}

TESSERA_EXPORT int tesseraLaunch(TesseraKernel* kernel, const uint32_t* grid, const uint32_t* block) {
    if (kernel == nullptr || grid == nullptr) return fail("there is no kernel or no grid");
    tessera::compute::LaunchSize size;
    std::copy_n(grid, 3, size.grid.begin());
    if (block != nullptr) {
        std::copy_n(block, 3, size.block.begin());
        if (block[0] == 0 && block[1] == 0 && block[2] == 0) return fail("a block has at least one thread");
    }
    return withMemory([&] {
        const auto launch = kernel->owner->device->launch(*kernel->kernel, size);
        if (launch->done && !launch->message.empty()) return fail(launch->message);
        kernel->owner->launches.push_back({launch, kernel->kernel->sharedProgram()});
        return succeed();
    });
}

TESSERA_EXPORT int tesseraWait(TesseraDevice* device) {
    if (device == nullptr) return fail("there is no device");
    device->device->wait();
    std::string first;
    device->fault = {};
    for (const auto& [launch, program] : device->launches) {
        if (!first.empty() || launch->message.empty()) continue;
        first = std::move(launch->message);
        device->fault = faultOf(*launch, *program);
    }
    device->launches.clear();
    return first.empty() ? succeed() : fail(std::move(first));
}

TESSERA_EXPORT int tesseraGetCounters(TesseraDevice* device, TesseraCounters* counters) {
    if (device == nullptr || counters == nullptr) return fail("there is no device or no place for the counters");
    const tessera::isa::ComputeCounters& c = device->device->counters();
    *counters = {c.blocks, c.groups, c.instructions, c.barriers, c.outOfRange};
    return succeed();
}

TESSERA_EXPORT int tesseraGetFault(TesseraDevice* device, TesseraFault* fault) {
    if (device == nullptr || fault == nullptr) return fail("there is no device or no place for the fault");
    *fault = device->fault;
    return succeed();
}

TESSERA_EXPORT const char* tesseraComputeError() { return error.c_str(); }
