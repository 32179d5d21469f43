// Compute devices: a thin front end over a GPU of their own (pipeline/command/gpu.h).
//
// A Device has a tier and threads. A Kernel is a loaded compute program with the values of its uniforms and the memory
// bound to its buffers. launch() and copy() record commands; wait() has them executed, in order, on the calling thread
// and the GPU's workers, and returns when all is done.
//
//   auto device = openDevice(tier::Tier::Jit, threadCount());
//   auto kernel = device->load(program, &why);
//   kernel->bind("a", input);
//   auto launch = device->launch(*kernel, {.grid = {64, 1, 1}});
//   device->wait();
//   if (!launch->ok()) ... launch->message
//
// A Device and what came from it belong to one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/buffer.h"
#include "pipeline/command/gpu.h"
#include "pipeline/program.h"
#include "shader-core/compute/dispatch.h"
#include "shader-core/isa/program.h"
#include "shader-core/tier/tier.h"

namespace tessera::compute {

using pipeline::Buffer;

/// A loaded program. Uniforms are zero and buffers empty until they are set.
class Kernel {
public:
    explicit Kernel(std::shared_ptr<const isa::Program> program);

    [[nodiscard]] const isa::Program& program() const { return *program_; }
    [[nodiscard]] const std::shared_ptr<const isa::Program>& sharedProgram() const { return program_; }
    /// Constant registers: the uniforms as they are, and the literals.
    [[nodiscard]] const std::vector<pipeline::ConstantRegister>& constants() const { return constants_; }

    /// Binds a declared buffer; false when there is none of that name. Null unbinds: every access is out of range.
    bool bind(std::string_view name, std::shared_ptr<Buffer> buffer);

    /// Sets a uniform from the bits of its components, column by column and element by element: two for a vec2, eight
    /// for a vec4[2], nine for a mat3. Fewer set the first ones. False when there is no such uniform or it is smaller.
    bool setUniform(std::string_view name, std::span<const uint32_t> bits);
    bool setUniform(std::string_view name, int32_t value);
    bool setUniform(std::string_view name, uint32_t value);
    bool setUniform(std::string_view name, float value);

private:
    friend class Device;
    std::shared_ptr<const isa::Program> program_;
    std::vector<pipeline::ConstantRegister> constants_;
    std::vector<pipeline::BufferPtr> buffers_;                                              ///< by slot
    std::map<std::array<uint32_t, 3>, std::shared_ptr<const pipeline::Program>> prepared_;  ///< by block size
};

/// What was launched; its results are there after Device::wait().
struct Launch {
    bool done = false;
    isa::ComputeCounters counters;
    isa::ComputeFault fault;  ///< of the block with the lowest number that has one
    std::string message;      ///< why it failed, empty when it did not

    [[nodiscard]] bool ok() const { return done && message.empty(); }
};

class Device {
public:
    /// `executor` is the tier, which refuses no kernel.
    Device(std::shared_ptr<isa::Executor> executor, int threads);
    ~Device();

    /// Null, with a reason, for a program that is not valid or no compute program.
    [[nodiscard]] std::shared_ptr<Kernel> load(isa::Program program, std::string* why);

    /// Records a launch with the kernel's uniforms and buffers as they are now.
    std::shared_ptr<Launch> launch(Kernel& kernel, const LaunchSize& size);
    /// Records a copy between buffers, or within one. False when a range is not inside its buffer.
    bool copy(const std::shared_ptr<Buffer>& from, uint64_t fromOffset, const std::shared_ptr<Buffer>& to,
              uint64_t toOffset, uint64_t size);
    /// Has all that was recorded executed. Launches after one that failed still run.
    void wait();

    [[nodiscard]] const isa::ComputeCounters& counters() const { return counters_; }  ///< of all launches so far
    [[nodiscard]] std::string tier() const { return gpu_.executor().name(); }
    [[nodiscard]] int threads() const { return gpu_.threads(); }
    /// For probes, before the first wait().
    [[nodiscard]] pipeline::Gpu& gpu() { return gpu_; }

    /// Around a fork() by any thread: from the first to one of the others no thread is in launch(), copy() or wait().
    /// The child has the device, with what was recorded, and starts workers of its own.
    void beforeFork();
    void afterForkInParent();
    void afterForkInChild();

private:
    struct Pending {
        std::shared_ptr<Launch> launch;
        std::shared_ptr<const isa::Program> program;
        std::array<uint32_t, 3> grid;
        std::shared_ptr<DispatchResult> result;
    };
    std::shared_ptr<const pipeline::Program> prepare(Kernel& kernel, const std::array<uint32_t, 3>& block);
    void finish(const Pending& pending);

    pipeline::Gpu gpu_;
    const std::unique_ptr<pipeline::CommandBuffer> commands_;
    std::vector<Pending> pending_;
    isa::ComputeCounters counters_;
    std::mutex inUse_;  ///< by the thread that it belongs to, or by one that forks
};

/// Where TESSERA_TIER says nothing. A kernel runs for long, or often, and has all threads: interpreted blocks beside
/// the compiler are worth little, and slow it down.
inline constexpr tier::Tier kUsualTier = tier::Tier::Jit;

/// A device with `threads` workers, which lives through forks.
[[nodiscard]] std::shared_ptr<Device> openDevice(tier::Tier tier, int threads);

}  // namespace tessera::compute
