#include "api/compute/profile.h"

#include "shader-core/interp/interpreter.h"
#include "shader-core/isa/program.h"

namespace tessera::compute {

namespace {

class Counter : public interp::Observer {
public:
    explicit Counter(std::vector<uint64_t>& executed) : executed_(executed) {}
    bool before(const interp::Step& step) override {
        ++executed_[step.pc];
        return true;
    }

private:
    std::vector<uint64_t>& executed_;
};

class CountingKernel : public isa::Kernel {
public:
    CountingKernel(std::shared_ptr<const isa::Kernel> kernel, std::vector<uint64_t>& executed)
        : kernel_(std::move(kernel)), executed_(executed) {}
    void run(isa::ComputeRun& run) const override {
        Counter counter(executed_);
        interp::runObserved(*kernel_, run, counter);
    }

private:
    std::shared_ptr<const isa::Kernel> kernel_;
    std::vector<uint64_t>& executed_;
};

class CountingExecutor : public isa::Executor {
public:
    explicit CountingExecutor(Profile& profile) : profile_(profile) {}
    std::shared_ptr<const isa::Routine> prepare(std::shared_ptr<const isa::Program> program) override {
        return interpreter_->prepare(std::move(program));
    }
    std::shared_ptr<const isa::Kernel> prepareKernel(std::shared_ptr<const isa::Program> program,
                                                     std::array<uint32_t, 3> block) override {
        std::vector<uint64_t>& executed = profile_[program.get()];
        executed.resize(program->code.size());
        return std::make_shared<CountingKernel>(interpreter_->prepareKernel(std::move(program), block), executed);
    }
    [[nodiscard]] std::string name() const override { return "counting " + interpreter_->name(); }

private:
    Profile& profile_;
    std::shared_ptr<isa::Executor> interpreter_ = interp::makeInterpreter();
};

}  // namespace

std::shared_ptr<Device> openProfilingDevice(Profile& profile) {
    return std::make_shared<Device>(std::make_shared<CountingExecutor>(profile), 1);
}

}  // namespace tessera::compute
