// Runs jobs on a compute device.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/compute/device.h"
#include "demos/kernels/suite.h"

namespace tessera::kernels {

/// The folder into which the build assembles programs/*.tsa.
[[nodiscard]] std::string builtPrograms();

/// The program of programs/NAME.tsa in such a folder.
[[nodiscard]] std::optional<isa::Program> readKernel(const std::string& name, std::string* why,
                                                     const std::string& folder = builtPrograms());

/// What one run of a job left behind.
struct Outcome {
    std::vector<Memory> memories;
    isa::ComputeCounters counters;
    std::string failure;  ///< empty, or why it did not run to its end
};

/// Loads programs and runs jobs on a device of its own.
class Runner {
public:
    Runner(tier::Tier tier, int threads) : Runner(compute::openDevice(tier, threads)) {}
    /// On that device, with the programs in that folder.
    explicit Runner(std::shared_ptr<compute::Device> device, std::string folder = builtPrograms())
        : device_(std::move(device)), folder_(std::move(folder)) {}

    /// Fresh memory, all launches, and what is in memory then.
    [[nodiscard]] Outcome run(const Job& job);

    /// The job's memory and kernels made ready to be launched again and again; empty with a reason when that fails.
    /// After the first launch memory holds what the one before left.
    class Prepared {
    public:
        /// All launches of the job once; false when one failed.
        bool launch();
        [[nodiscard]] const isa::ComputeCounters& counters() const { return counters_; }  ///< of the last time
        [[nodiscard]] const std::string& failure() const { return failure_; }
        /// The first contents again.
        void reset();
        [[nodiscard]] std::vector<Memory> memories() const;
        /// The programs of the launches by their names.
        [[nodiscard]] std::map<std::string, const isa::Program*> programs() const;

    private:
        friend class Runner;
        struct Ready {
            std::shared_ptr<compute::Kernel> kernel;
            compute::LaunchSize size;
            const Step* step;
        };
        const Job* job_ = nullptr;
        compute::Device* device_ = nullptr;
        std::vector<Ready> ready_;
        std::vector<std::shared_ptr<compute::Buffer>> buffers_;
        isa::ComputeCounters counters_;
        std::string failure_;
    };
    [[nodiscard]] Prepared prepare(const Job& job);

    [[nodiscard]] compute::Device& device() { return *device_; }

private:
    std::shared_ptr<compute::Kernel> load(const std::string& name, std::string* why);

    std::shared_ptr<compute::Device> device_;
    std::string folder_;
    std::map<std::string, std::shared_ptr<const isa::Program>> programs_;
};

}  // namespace tessera::kernels
