// The host's side of compute: programs, memory, launches.
//
// A Device has a tier and worker threads. A Kernel is a loaded compute program with the values of its uniforms and the
// memory bound to its buffers. launch() notes a grid of blocks to run; wait() runs what was noted, in order, on the
// calling thread and the workers, and returns when all is done. The blocks of a launch are dealt to the threads.
//
//   Device device(executor, threadCount());
//   auto kernel = device.load(program, &why);
//   kernel->bind("a", input);
//   auto launch = device.launch(*kernel, {.grid = {64, 1, 1}});
//   device.wait();
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

#include "base/thread/thread_pool.h"
#include "shader-core/isa/compute.h"
#include "shader-core/isa/executor.h"

namespace tessera::compute {

/// Global memory: bytes of its own, zero at the start, or the caller's, which must begin at a multiple of four.
class Buffer {
public:
    explicit Buffer(size_t bytes);
    /// The caller's memory, which has to outlive the buffer. Null (by make()) where it is misaligned or beyond 4 GiB.
    [[nodiscard]] static std::shared_ptr<Buffer> wrap(std::span<std::byte> bytes);

    [[nodiscard]] std::span<std::byte> bytes() { return bytes_; }
    /// As elements of T; what is left over at the end does not count.
    template <class T>
    [[nodiscard]] std::span<T> as() {
        return {reinterpret_cast<T*>(bytes_.data()), bytes_.size() / sizeof(T)};
    }

private:
    struct Release {
        void operator()(std::byte* p) const;
    };
    explicit Buffer(std::span<std::byte> bytes) : bytes_(bytes) {}
    std::unique_ptr<std::byte[], Release> own_;
    std::span<std::byte> bytes_;
};

/// A loaded program. Uniforms are zero and buffers empty until they are set.
class Kernel {
public:
    explicit Kernel(std::shared_ptr<const isa::Program> program);

    [[nodiscard]] const isa::Program& program() const { return *program_; }
    /// Constant registers: the uniforms as they are, and the literals.
    [[nodiscard]] const std::vector<std::array<float, 4>>& constants() const { return constants_; }

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
    std::vector<std::array<float, 4>> constants_;
    std::array<std::shared_ptr<Buffer>, isa::kMaxBuffers> buffers_;
    std::map<std::array<uint32_t, 3>, std::shared_ptr<const isa::Kernel>> prepared_;  ///< by block size
};

struct LaunchSize {
    std::array<uint32_t, 3> grid{1, 1, 1};
    std::array<uint32_t, 3> block{};      ///< zeros: what the program says
    uint64_t budget = uint64_t{1} << 28;  ///< instructions a group may execute
};

/// Fills in the block size that the program says where `size` has none. Why it is no launch, empty when it is one.
[[nodiscard]] std::string resolveSize(const isa::Program& program, LaunchSize& size);

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

    /// Null, with a reason, for a program that is not valid or no compute program.
    [[nodiscard]] std::shared_ptr<Kernel> load(isa::Program program, std::string* why);

    /// Notes the launch with the kernel's uniforms and buffers as they are now.
    std::shared_ptr<Launch> launch(Kernel& kernel, const LaunchSize& size);
    /// Runs all that was noted. Launches after one that failed still run.
    void wait();

    [[nodiscard]] const isa::ComputeCounters& counters() const { return counters_; }  ///< of all launches so far
    [[nodiscard]] std::string tier() const { return executor_->name(); }
    [[nodiscard]] int threads() const { return pool_.threads(); }

    /// Around a fork() by any thread: from the first to one of the others no thread is in launch() or wait(). The child
    /// has the device, with what was noted, and starts workers of its own.
    void beforeFork();
    void afterForkInParent();
    void afterForkInChild();

private:
    struct Pending {
        std::shared_ptr<Launch> launch;
        std::shared_ptr<const isa::Program> program;
        std::shared_ptr<const isa::Kernel> kernel;
        std::vector<std::array<float, 4>> constants;
        std::array<std::shared_ptr<Buffer>, isa::kMaxBuffers> buffers;
        LaunchSize size;
    };
    std::shared_ptr<const isa::Kernel> prepare(Kernel& kernel, std::array<uint32_t, 3> block);
    void run(Pending& pending);

    std::shared_ptr<isa::Executor> executor_;
    ThreadPool pool_;
    std::vector<Pending> pending_;
    isa::ComputeCounters counters_;
    std::mutex inUse_;  ///< by the thread that it belongs to, or by one that forks
};

/// A fault as a sentence: which barrier, at which line, which lanes of which groups are missing.
[[nodiscard]] std::string faultMessage(const isa::Program& program, const isa::ComputeFault& fault,
                                       std::array<uint32_t, 3> grid);

}  // namespace tessera::compute
