// The part of a recorder that listens to kernels: launches, their blocks, and the words of memory that lanes access.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "model/chip/record.h"
#include "shader-core/isa/program.h"

namespace tessera::model {

/// The groups of one block, which take turns at barriers.
class Recorder::BlockObserver final : public interp::Observer {
public:
    BlockObserver(Recorder& recorder, const std::vector<isa::Instruction>& code, const isa::ComputeRun& run,
                  uint32_t threads)
        : recorder_(recorder), run_(run), threads_(threads) {
        const uint32_t groups = (threads + isa::kGroupSize - 1) / isa::kGroupSize;
        for (uint32_t group = 0; group < groups; ++group) groups_.push_back({Tracer(code), {}});
    }

    bool before(const interp::Step& step) override {
        // What is for other groups of the block alone goes by this one.
        if (step.subsetMask == 0) return true;
        Group& group = groups_[step.group];
        Executed executed = group.tracer.follow(step);
        executed.accesses.first = static_cast<uint32_t>(recorder_.work_.accesses.size());
        group.executed.push_back(executed);
        current_ = &group;
        return true;
    }

    void accessed(const interp::ElementAccess& element) override {
        const uint64_t word = element.address & ~3u;
        Access access;
        access.address = element.slot == isa::kSharedSlot ? word : base(element.slot) + word;
        access.lane = element.lane;
        recorder_.work_.accesses.push_back(access);
        ++current_->executed.back().accesses.count;
    }

    /// The block has ended: its groups become the workload's.
    void finish() {
        Workload& work = recorder_.work_;
        work.threadBlocks.push_back(
            {{static_cast<uint32_t>(work.groups.size()), static_cast<uint32_t>(groups_.size())}});
        uint32_t threads = threads_;
        for (const Group& group : groups_) {
            const uint32_t lanes = std::min<uint32_t>(threads, isa::kGroupSize);
            threads -= lanes;
            work.groups.push_back(
                {lanes == isa::kGroupSize ? ~0u : (1u << lanes) - 1,
                 {static_cast<uint32_t>(work.executed.size()), static_cast<uint32_t>(group.executed.size())}});
            work.executed.insert(work.executed.end(), group.executed.begin(), group.executed.end());
        }
        ++work.launches.back().blocks.count;
        recorder_.traceStart_ = static_cast<uint32_t>(work.executed.size());
    }

private:
    struct Group {
        Tracer tracer;
        std::vector<Executed> executed;
    };
    [[nodiscard]] uint64_t base(uint8_t slot) {
        return recorder_.memory_.of(run_.buffers[slot].data, run_.buffers[slot].size);
    }

    Recorder& recorder_;
    const isa::ComputeRun& run_;
    const uint32_t threads_;
    std::vector<Group> groups_;
    Group* current_ = nullptr;
};

class Recorder::RecordedKernel final : public isa::Kernel {
public:
    RecordedKernel(Recorder& recorder, std::shared_ptr<const isa::Program> program, std::array<uint32_t, 3> block)
        : recorder_(recorder),
          program_(std::move(program)),
          threads_(block[0] * block[1] * block[2]),
          kernel_(recorder.interpreter_->prepareKernel(program_, block)),
          code_(decodeAll(*program_)) {}

    /// A device with one thread runs the blocks of a launch in order, from the first; the debugger one of them.
    void run(isa::ComputeRun& run) const override {
        if (run.firstBlock == 0 || recorder_.work_.launches.empty()) beginLaunch();
        for (uint64_t block = 0; block < run.blockCount && run.fault.kind == isa::FaultKind::None; ++block) {
            isa::ComputeRun one = run;
            one.firstBlock = run.firstBlock + block;
            one.blockCount = 1;
            if (recorder_.isRecording()) {
                BlockObserver observer(recorder_, code_, run, threads_);
                interp::runObserved(*kernel_, one, observer);
                observer.finish();
                recorder_.noteSize();
                if (recorder_.progress_) recorder_.progress_(recorder_.work_);
            } else {
                kernel_->run(one);
            }
            run.counters = one.counters;
            run.fault = one.fault;
        }
    }

private:
    void beginLaunch() const {
        if (recorder_.isRecording()) recorder_.beginLaunch(program_, threads_);
    }

    Recorder& recorder_;
    const std::shared_ptr<const isa::Program> program_;
    const uint32_t threads_;
    const std::shared_ptr<const isa::Kernel> kernel_;
    const std::vector<isa::Instruction> code_;
};

void Recorder::beginLaunch(const std::shared_ptr<const isa::Program>& program, uint32_t threads) {
    LaunchWork launch;
    launch.program = kernelNumber(program);
    launch.name = fmt::format("launch {}", work_.launches.size() + 1);
    launch.threadsPerBlock = threads;
    launch.sharedBytes = program->sharedBytes;
    launch.blocks.first = static_cast<uint32_t>(work_.threadBlocks.size());
    work_.commands.push_back({CommandWork::Kind::Launch, static_cast<uint32_t>(work_.launches.size())});
    work_.launches.push_back(std::move(launch));
}

void Recorder::ranAlone(const std::shared_ptr<const isa::Program>& program, uint32_t lanes) {
    beginLaunch(program, isa::kGroupSize);
    work_.threadBlocks.push_back({{static_cast<uint32_t>(work_.groups.size()), 1}});
    work_.groups.push_back({lanes, takeTrace()});
    work_.launches.back().blocks.count = 1;
}

std::shared_ptr<const isa::Kernel> Recorder::recordedKernel(Recorder& recorder,
                                                            std::shared_ptr<const isa::Program> program,
                                                            std::array<uint32_t, 3> block) {
    return std::make_shared<RecordedKernel>(recorder, std::move(program), block);
}

uint32_t Recorder::kernelNumber(const std::shared_ptr<const isa::Program>& program) {
    const auto [found, isNew] = programs_.try_emplace(program.get(), static_cast<uint32_t>(work_.programs.size()));
    if (isNew)
        work_.programs.push_back({program, fmt::format("kernel {}", work_.programs.size() + 1), program->tempCount});
    return found->second;
}

}  // namespace tessera::model
