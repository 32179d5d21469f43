// Compute programs on the interpreter: blocks, their groups, and barriers.
//
// All groups of a block have registers of their own. The runnable group with the lowest number runs until it stops at a
// barrier or ends; a barrier that has all its groups lets them go at once.
#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <span>

#include "base/check.h"
#include "shader-core/interp/interpreter.h"
#include "shader-core/interp/levels.h"
#include "shader-core/isa/program.h"

namespace tessera::interp {

namespace {

using isa::GroupRegister;
using isa::kGroupSize;
using isa::kMaxThreadBlockGroups;

/// The memory of a thread that runs blocks. It is kept between runs.
struct Arena {
    std::unique_ptr<GroupRegister[]> registers;
    size_t capacity = 0;
    std::unique_ptr<std::byte[]> shared;
    std::vector<Position> positions;
    std::vector<Machine> machines;

    GroupRegister* reserve(size_t count) {
        if (count > capacity) {
            registers = std::make_unique<GroupRegister[]>(count);
            capacity = count;
        }
        return registers.get();
    }
};

template <class T>
std::byte* base(const T* p) {
    return reinterpret_cast<std::byte*>(const_cast<T*>(p));
}

/// Tells an observer which group of the block it sees.
class GroupObserver final : public Observer {
public:
    GroupObserver(Observer& observer, std::span<std::byte> shared) : observer_(observer), shared_(shared) {}
    void select(uint32_t group) { group_ = group; }

    bool before(const Step& step) override {
        Step seen = step;
        seen.outputs = outputs_;
        seen.group = group_;
        seen.shared = shared_;
        return observer_.before(seen);
    }
    void accessed(const ElementAccess& access) override { observer_.accessed(access); }

private:
    Observer& observer_;
    std::span<std::byte> shared_;
    uint32_t group_ = 0;
    GroupRegister outputs_[isa::kMaxOutputs] = {};  ///< compute programs have none; observers may look
};

class InterpreterKernel final : public isa::Kernel {
public:
    InterpreterKernel(Program program, std::array<uint32_t, 3> block, const LevelFunctions& functions)
        : program_(std::move(program)), block_(block), functions_(functions) {
        chooseHandlers(program_, functions_);
        threads_ = block[0] * block[1] * block[2];
        groups_ = (threads_ + kGroupSize - 1) / kGroupSize;
        registersOfGroup_ = size_t{program_.source->tempCount} + kExtraRegisters + isa::kSpecials;
    }

    void run(isa::ComputeRun& run) const override { runBlocks(run, nullptr); }

    void runBlocks(isa::ComputeRun& run, Observer* observer) const {
        thread_local Arena arena;
        arena.reserve(registersOfGroup_ * groups_);
        arena.positions.resize(kMaxThreadBlockGroups);
        arena.machines.resize(kMaxThreadBlockGroups);
        if (arena.shared == nullptr) arena.shared = std::make_unique<std::byte[]>(isa::kMaxSharedBytes);
        ThreadBlockMemory memory;
        for (const isa::Buffer& buffer : program_.source->buffers) {
            memory.data[buffer.slot] = run.buffers[buffer.slot].data;
            memory.size[buffer.slot] = run.buffers[buffer.slot].size;
        }
        memory.data[isa::kSharedSlot] = arena.shared.get();
        memory.size[isa::kSharedSlot] = program_.source->sharedBytes;
        std::optional<GroupObserver> groupObserver;
        if (observer != nullptr)
            memory.observer =
                &groupObserver.emplace(*observer, std::span(arena.shared.get(), program_.source->sharedBytes));
        for (uint64_t n = 0; n < run.blockCount; ++n) {
            if (program_.source->sharedBytes != 0) std::memset(arena.shared.get(), 0, program_.source->sharedBytes);
            ThreadBlockRunner(*this, run, arena, memory, groupObserver ? &*groupObserver : nullptr)
                .run(run.firstBlock + n);
            if (run.fault.kind != isa::FaultKind::None) break;
        }
        run.counters.outOfRange += memory.outOfRange;
    }

private:
    uint32_t launchMask(uint32_t group) const {
        const uint32_t rest = threads_ - group * kGroupSize;
        return rest >= kGroupSize ? ~0u : (1u << rest) - 1;
    }

    class ThreadBlockRunner {
    public:
        ThreadBlockRunner(const InterpreterKernel& kernel, isa::ComputeRun& run, Arena& arena,
                          ThreadBlockMemory& memory, GroupObserver* observer)
            : kernel_(kernel), run_(run), arena_(arena), memory_(memory), observer_(observer) {}

        void run(uint64_t block) {
            block_ = block;
            for (uint32_t g = 0; g < kernel_.groups_; ++g) start(g);
            while (runnable_ != 0) {
                const uint32_t g = static_cast<uint32_t>(std::countr_zero(runnable_));
                if (!step(g)) break;
            }
            if (waiting_ != 0 && run_.fault.kind == isa::FaultKind::None) missingGroups();
            ++run_.counters.blocks;
            run_.counters.groups += kernel_.groups_;
            for (uint32_t g = 0; g < kernel_.groups_; ++g)
                run_.counters.instructions += arena_.positions[g].instructions;
        }

    private:
        void start(uint32_t g) {
            const Program& program = kernel_.program_;
            GroupRegister* registers = arena_.registers.get() + kernel_.registersOfGroup_ * g;
            GroupRegister* address = registers + program.source->tempCount;
            GroupRegister* specials = address + kExtraRegisters;
            Machine& machine = arena_.machines[g] = Machine{};
            machine.base[kBaseTemp] = base(registers);
            machine.base[kBaseConstant] = base(run_.constants);
            machine.base[kBaseAddress] = base(address);
            machine.base[kBaseSpecial] = base(specials);
            machine.base[kBaseImmediate] = base(program.immediates.data());
            machine.base[kBaseLane] = laneRegister();
            machine.base[kBaseScratch] = base(address + 1);
            machine.code = program.code.data();
            machine.program = program.source.get();
            machine.memory = &memory_;
            machine.launch = machine.whole = machine.exec = kernel_.launchMask(g);
            machine.group = g;
            machine.blockThreads = kernel_.threads_;
            machine.blockTemps = base(arena_.registers.get());
            machine.groupBytes = kernel_.registersOfGroup_ * sizeof(GroupRegister);
            for (const uint32_t offset : program.zeroTemps) std::memset(base(registers) + offset, 0, kComponentBytes);
            if (program.usesAddress) std::memset(address, 0, sizeof *address);
            fillSpecials(g, specials);
            Position& position = arena_.positions[g];
            position.pc = position.depth = position.loop = position.call = 0;
            position.ended = false;
            position.instructions = 0;
            position.arrived = 0;
            runnable_ |= uint64_t{1} << g;
        }

        static void fill(GroupRegister& reg, const std::array<uint64_t, 4>& values) {
            for (size_t c = 0; c < 4; ++c)
                for (float& lane : reg.lane[c]) lane = std::bit_cast<float>(static_cast<uint32_t>(values[c]));
        }

        void fillSpecials(uint32_t g, GroupRegister* specials) const {
            const auto [x, y, z] = kernel_.block_;
            const auto [gx, gy, gz] = run_.grid;
            const auto uses = [&](isa::Special s) {
                return kernel_.program_.source->specialMask.has(static_cast<int>(s));
            };
            const auto at = [&](isa::Special s) -> GroupRegister& { return specials[static_cast<int>(s)]; };
            if (uses(isa::Special::Thread)) {
                for (uint32_t lane = 0; lane < kGroupSize; ++lane) {
                    const uint32_t t = g * kGroupSize + lane;
                    const uint32_t values[4] = {t % x, t / x % y, t / x / y, t};
                    for (int c = 0; c < 4; ++c)
                        at(isa::Special::Thread).lane[c][lane] = std::bit_cast<float>(values[c]);
                }
            }
            if (uses(isa::Special::Block))
                fill(at(isa::Special::Block), {block_ % gx, block_ / gx % gy, block_ / gx / gy, block_});
            if (uses(isa::Special::ThreadBlockSize))
                fill(at(isa::Special::ThreadBlockSize), {x, y, z, kernel_.threads_});
            if (uses(isa::Special::GridSize)) fill(at(isa::Special::GridSize), {gx, gy, gz, uint64_t{gx} * gy * gz});
            if (uses(isa::Special::Group)) fill(at(isa::Special::Group), {g, kernel_.groups_, 0, 0});
        }

        /// Runs a group to its next stop. False when the block ends here.
        bool step(uint32_t g) {
            Position& position = arena_.positions[g];
            Machine& machine = arena_.machines[g];
            isa::GroupRun group;
            group.activeMask = machine.launch;
            group.budget = run_.budget;
            machine.run = &group;
            bool outOfBudget = position.instructions >= run_.budget;
            if (!outOfBudget) {
                if (observer_ != nullptr) observer_->select(g);
                kernel_.functions_.resume(machine, position, observer_);
                outOfBudget = group.budgetExceeded;
            }
            if (outOfBudget) return fault(isa::FaultKind::OutOfBudget, g, position.pc);
            if (position.ended) {
                runnable_ &= ~(uint64_t{1} << g);
                return true;
            }
            ++run_.counters.barriers;
            const Decoded& barrier = machine.code[position.pc - 1];
            if (position.arrived != machine.launch) {
                fault(isa::FaultKind::DivergentLanes, g, position.pc - 1);
                run_.fault.barrier = barrier.barrier;
                run_.fault.missing[g] = machine.launch & ~position.arrived;
                return false;
            }
            arrive(g, barrier);
            return true;
        }

        void arrive(uint32_t g, const Decoded& barrier) {
            runnable_ &= ~(uint64_t{1} << g);
            waiting_ |= uint64_t{1} << g;
            uint64_t& there = arrived_[barrier.barrier];
            there |= uint64_t{1} << g;
            const uint32_t needed = barrier.barrierGroups != 0 ? barrier.barrierGroups : kernel_.groups_;
            if (static_cast<uint32_t>(std::popcount(there)) < needed) return;
            runnable_ |= there;
            waiting_ &= ~there;
            there = 0;
        }

        bool fault(isa::FaultKind kind, uint32_t g, uint32_t instruction) {
            run_.fault.kind = kind;
            run_.fault.block = block_;
            run_.fault.group = g;
            run_.fault.instruction = instruction;
            return false;
        }

        /// Every group waits or has ended: names the first one that waits, and who is not where it is.
        void missingGroups() {
            const uint32_t g = static_cast<uint32_t>(std::countr_zero(waiting_));
            const uint32_t at = arena_.positions[g].pc - 1;
            fault(isa::FaultKind::MissingGroups, g, at);
            run_.fault.barrier = arena_.machines[g].code[at].barrier;
            for (uint32_t other = 0; other < kernel_.groups_; ++other)
                if (!(arrived_[run_.fault.barrier] >> other & 1)) run_.fault.missing[other] = kernel_.launchMask(other);
        }

        const InterpreterKernel& kernel_;
        isa::ComputeRun& run_;
        Arena& arena_;
        ThreadBlockMemory& memory_;
        GroupObserver* observer_;
        uint64_t block_ = 0;
        uint64_t runnable_ = 0, waiting_ = 0;  ///< one bit for each group
        uint64_t arrived_[isa::kBarriers] = {};
    };

    Program program_;
    std::array<uint32_t, 3> block_;
    LevelFunctions functions_;
    uint32_t threads_ = 0, groups_ = 0;
    size_t registersOfGroup_ = 0;
};

}  // namespace

void runObserved(const isa::Kernel& kernel, isa::ComputeRun& run, Observer& observer) {
    const auto* own = dynamic_cast<const InterpreterKernel*>(&kernel);
    CHECK(own != nullptr);
    own->runBlocks(run, &observer);
}

std::shared_ptr<const isa::Kernel> makeKernel(Program program, std::array<uint32_t, 3> block,
                                              const LevelFunctions& functions) {
    CHECK(program.source->stage == isa::Stage::Compute);
    return std::make_shared<InterpreterKernel>(std::move(program), block, functions);
}

}  // namespace tessera::interp
