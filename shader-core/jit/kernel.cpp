// Kernels as machine code: blocks, their groups, barriers, and what the short ways of memory leave over.
//
// The code of a group is one function. Where a program has barriers and a block has several groups, each group runs on
// a stack of its own and switches to the next one where it waits; else groups are called one after the other.
#include "shader-core/jit/kernel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/check.h"
#include "shader-core/jit/run/fiber.h"
#include "shader-core/jit/run/frame.h"
#include "shader-core/jit/run/memory_call.h"

namespace tessera::jit {

namespace {

using isa::kGroupSize;
using isa::kMaxThreadBlockGroups;
using isa::Op;

// --- Memory, element by element (docs/isa.md, compute programs) ---

/// Where an element of a lane lies; null outside the memory, which is counted.
std::byte* place(KernelFrame& frame, const MemoryDescriptor& d, uint32_t address, uint64_t number) {
    const uint64_t first = uint64_t{address} + number * d.bytes;
    if (first + d.bytes > frame.size[d.slot]) {
        ++frame.outOfRange;
        return nullptr;
    }
    return frame.data[d.slot] + first;
}

uint32_t extended(uint32_t bits, const MemoryDescriptor& d) {
    if (d.type != isa::Type::I32) return bits;
    if (d.bytes == 1) return static_cast<uint32_t>(int32_t{static_cast<int8_t>(bits)});
    if (d.bytes == 2) return static_cast<uint32_t>(int32_t{static_cast<int16_t>(bits)});
    return bits;
}

uint32_t swapped(uint32_t* word, const MemoryDescriptor& d, uint32_t b, uint32_t c) {
    const auto changed = [&](uint32_t old) {
        const auto before = static_cast<int32_t>(old), other = static_cast<int32_t>(b);
        const bool isSigned = d.type == isa::Type::I32;
        switch (d.op) {
            case Op::Atmin:
                return isSigned ? static_cast<uint32_t>(std::min(before, other)) : std::min(old, b);
            case Op::Atmax:
                return isSigned ? static_cast<uint32_t>(std::max(before, other)) : std::max(old, b);
            case Op::Atcas:
                return old == b ? c : old;
            default:
                UNREACHABLE("an atomic operation");
        }
    };
    switch (d.op) {
        case Op::Atadd:
            return __atomic_fetch_add(word, b, __ATOMIC_RELAXED);
        case Op::Atand:
            return __atomic_fetch_and(word, b, __ATOMIC_RELAXED);
        case Op::Ator:
            return __atomic_fetch_or(word, b, __ATOMIC_RELAXED);
        case Op::Atxor:
            return __atomic_fetch_xor(word, b, __ATOMIC_RELAXED);
        case Op::Atxch:
            return __atomic_exchange_n(word, b, __ATOMIC_RELAXED);
        default: {
            uint32_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
            while (!__atomic_compare_exchange_n(word, &old, changed(old), true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            }
            return old;
        }
    }
}

void atomics(KernelFrame& frame, MemoryCall& call, const MemoryDescriptor& d, uint32_t mask) {
    for (; mask != 0; mask &= mask - 1) {
        const int lane = std::countr_zero(mask);
        const uint32_t address = call.address[lane];
        call.result[0][lane] = 0;
        if (address % 4 != 0)
            ++frame.outOfRange;
        else if (std::byte* p = place(frame, d, address, 0))
            call.result[0][lane] = swapped(reinterpret_cast<uint32_t*>(p), d, call.value[0][lane], call.value[1][lane]);
    }
}

void memory(KernelFrame* frame, MemoryCall* call, uint64_t descriptor, uint32_t mask) {
    const MemoryDescriptor d = MemoryDescriptor::unpack(descriptor);
    if (d.op != Op::Ld && d.op != Op::St) return atomics(*frame, *call, d, mask);
    for (uint32_t number = 0; number < d.count; ++number) {
        for (uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1) {
            const int lane = std::countr_zero(lanes);
            std::byte* p = place(*frame, d, call->address[lane], number);
            if (d.op == Op::St) {
                if (p != nullptr) std::memcpy(p, &call->value[number][lane], d.bytes);
                continue;
            }
            uint32_t bits = 0;
            if (p != nullptr) std::memcpy(&bits, p, d.bytes);
            call->result[number][lane] = extended(bits, d);
        }
    }
}

// --- Blocks ---

constexpr size_t kStackBytes = kMaxKernelFrame + 64 * 1024;  ///< a group's frame, and what it calls

struct Where {
    uint8_t barrier, groups;
    uint32_t instruction;
    static Where unpack(uint64_t bits) {
        return {static_cast<uint8_t>(bits), static_cast<uint8_t>(bits >> 8), static_cast<uint32_t>(bits >> 16)};
    }
};

/// Runs the groups of one block after another on the thread that owns it.
class Scheduler {
public:
    struct Group {
        Scheduler* scheduler = nullptr;
        KernelFrame frame;
        Fiber fiber;
        Where waits{};
    };

    void prepare(KernelFunction function, SimdLevel level, const isa::Program& program, const ThreadBlockSize& block,
                 size_t readInBlock, isa::ComputeRun& run) {
        function_ = function;
        keepingMemory_ = keepingMemory(level);
        run_ = &run;
        threads_ = block[0] * block[1] * block[2];
        count_ = (threads_ + kGroupSize - 1) / kGroupSize;
        fibers_ = program.usesBarriers && count_ > 1;
        sharedBytes_ = program.sharedBytes;
        if (shared_ == nullptr) shared_ = std::make_unique<std::byte[]>(isa::kMaxSharedBytes);
        registers_.resize(readInBlock * count_);
        if (groups_.empty()) groups_.resize(kMaxThreadBlockGroups);
        if (fibers_ && stacks_ == nullptr) stacks_ = std::make_unique<FiberStacks>(kMaxThreadBlockGroups, kStackBytes);
        for (uint32_t g = 0; g < (fibers_ ? count_ : 1); ++g) prepareFrame(groups_[g], program);
    }

    void runBlock(uint64_t block) {
        block_ = block;
        if (sharedBytes_ != 0) std::memset(shared_.get(), 0, sharedBytes_);
        std::fill(registers_.begin(), registers_.end(), Row{});
        if (fibers_)
            runFibers();
        else
            runInTurn();
        ++run_->counters.blocks;
        run_->counters.groups += count_;
    }

    void finish() {
        for (uint32_t g = 0; g < (fibers_ ? count_ : 1); ++g) run_->counters.outOfRange += groups_[g].frame.outOfRange;
    }

private:
    [[nodiscard]] uint32_t launchMask(uint32_t group) const {
        const uint32_t rest = threads_ - group * kGroupSize;
        return rest >= kGroupSize ? ~0u : (1u << rest) - 1;
    }

    void prepareFrame(Group& group, const isa::Program& program) {
        group.scheduler = this;
        KernelFrame& frame = group.frame;
        frame = {};
        frame.constants = reinterpret_cast<const float*>(run_->constants);
        frame.memory = memory;
        frame.keepingMemory = keepingMemory_;
        frame.barrier = fibers_ ? barrierOfFiber : barrierOfOne;
        frame.budget = run_->budget;
        frame.scheduler = &group;
        frame.blockRegisters = registers_.empty() ? nullptr : registers_[0].lane;
        for (size_t d = 0; d < 3; ++d) frame.grid[d] = run_->grid[d];
        frame.grid[3] = run_->grid[0] * run_->grid[1] * run_->grid[2];
        for (const isa::Buffer& buffer : program.buffers) {
            frame.data[buffer.slot] = run_->buffers[buffer.slot].data;
            frame.size[buffer.slot] = run_->buffers[buffer.slot].size;
        }
        frame.data[isa::kSharedSlot] = shared_.get();
        frame.size[isa::kSharedSlot] = sharedBytes_;
    }

    void placeFrame(KernelFrame& frame, uint32_t g) const {
        frame.group = g;
        frame.launch = launchMask(g);
        frame.instructions = 0;
        const uint64_t x = run_->grid[0], y = run_->grid[1];
        frame.block[0] = static_cast<uint32_t>(block_ % x), frame.block[1] = static_cast<uint32_t>(block_ / x % y);
        frame.block[2] = static_cast<uint32_t>(block_ / x / y), frame.block[3] = static_cast<uint32_t>(block_);
    }

    /// What a group's function left behind. False when the block is over.
    bool ended(const KernelFrame& frame) {
        run_->counters.instructions += std::min(frame.instructions, frame.budget);
        if (frame.stopped == Stop::Finished && frame.instructions <= frame.budget) return true;
        if (frame.stopped != Stop::Discarded) fault(isa::FaultKind::OutOfBudget, frame.group, 0);
        return false;
    }

    void fault(isa::FaultKind kind, uint32_t group, uint32_t instruction) {
        run_->fault.kind = kind;
        run_->fault.block = block_;
        run_->fault.group = group;
        run_->fault.instruction = instruction;
    }

    /// True when all lanes of the group are there.
    bool allLanes(const KernelFrame& frame, uint32_t mask, Where where) {
        ++run_->counters.barriers;
        if (mask == frame.launch) return true;
        fault(isa::FaultKind::DivergentLanes, frame.group, where.instruction);
        run_->fault.barrier = where.barrier;
        run_->fault.missing[frame.group] = frame.launch & ~mask;
        return false;
    }

    void missingGroups(uint32_t group, Where where, uint64_t there) {
        fault(isa::FaultKind::MissingGroups, group, where.instruction);
        run_->fault.barrier = where.barrier;
        for (uint32_t g = 0; g < count_; ++g)
            if (!(there >> g & 1)) run_->fault.missing[g] = launchMask(g);
    }

    // --- Without stacks of their own ---

    void runInTurn() {
        for (uint32_t g = 0; g < count_; ++g) {
            placeFrame(groups_[0].frame, g);
            function_(&groups_[0].frame);
            if (!ended(groups_[0].frame)) return;
        }
    }

    static uint32_t barrierOfOne(KernelFrame* frame, uint32_t mask, uint64_t bits) {
        if (mask == 0) return 0;
        Scheduler& self = *static_cast<Group*>(frame->scheduler)->scheduler;
        const Where where = Where::unpack(bits);
        if (!self.allLanes(*frame, mask, where)) return 1;
        if (where.groups <= 1) return 0;
        self.missingGroups(frame->group, where, 1);
        return 1;
    }

    // --- With them ---

    void runFibers() {
        runnable_ = count_ == kMaxThreadBlockGroups ? ~uint64_t{0} : (uint64_t{1} << count_) - 1;
        waiting_ = 0;
        std::fill(std::begin(arrived_), std::end(arrived_), uint64_t{0});
        for (uint32_t g = 0; g < count_; ++g) {
            Group& group = groups_[g];
            placeFrame(group.frame, g);
            startFiber(group.fiber, *stacks_, g, runGroup, &group);
        }
        previous_ = &host_;
        switchFiber(host_, groups_[0].fiber);
    }

    static void runGroup(void* argument) {
        Group& group = *static_cast<Group*>(argument);
        Scheduler& self = *group.scheduler;
        enteredFiber(self.previous_);
        self.function_(&group.frame);
        const bool goOn = self.ended(group.frame);
        self.runnable_ &= ~(uint64_t{1} << group.frame.group);
        self.leave(group, goOn, true);
        UNREACHABLE("a group that has ended");
    }

    /// Switches to the next group that can run, or to the host. Returns when the group is switched to again.
    void leave(Group& group, bool goOn, bool last) {
        if (goOn && runnable_ == 0 && waiting_ != 0) {
            const uint32_t first = static_cast<uint32_t>(std::countr_zero(waiting_));
            const Where where = groups_[first].waits;
            missingGroups(first, where, arrived_[where.barrier]);
            goOn = false;
        }
        Fiber& to = goOn && runnable_ != 0 ? groups_[static_cast<size_t>(std::countr_zero(runnable_))].fiber : host_;
        if (&to == &group.fiber) return;
        previous_ = &group.fiber;
        switchFiber(group.fiber, to, last);
    }

    static uint32_t barrierOfFiber(KernelFrame* frame, uint32_t mask, uint64_t bits) {
        if (mask == 0) return 0;
        Group& group = *static_cast<Group*>(frame->scheduler);
        Scheduler& self = *group.scheduler;
        group.waits = Where::unpack(bits);
        if (!self.allLanes(*frame, mask, group.waits)) return 1;
        const uint64_t own = uint64_t{1} << frame->group;
        uint64_t& there = self.arrived_[group.waits.barrier];
        there |= own;
        const uint32_t needed = group.waits.groups != 0 ? group.waits.groups : self.count_;
        if (static_cast<uint32_t>(std::popcount(there)) >= needed) {
            self.runnable_ |= there;
            self.waiting_ &= ~there;
            there = 0;
        } else {
            self.runnable_ &= ~own;
            self.waiting_ |= own;
        }
        self.leave(group, true, false);
        return 0;
    }

    KernelFunction function_ = nullptr;
    MemoryFunction keepingMemory_ = nullptr;
    isa::ComputeRun* run_ = nullptr;
    uint32_t threads_ = 0, count_ = 0, sharedBytes_ = 0;
    bool fibers_ = false;
    uint64_t block_ = 0;
    std::unique_ptr<std::byte[]> shared_;
    struct alignas(64) Row {
        float lane[kGroupSize] = {};
    };
    std::vector<Row> registers_;  ///< that groups read of each other
    std::vector<Group> groups_;
    std::unique_ptr<FiberStacks> stacks_;
    Fiber host_;
    Fiber* previous_ = nullptr;
    uint64_t runnable_ = 0, waiting_ = 0;  ///< one bit for each group
    uint64_t arrived_[isa::kBarriers] = {};
};

class JitKernel final : public isa::Kernel {
public:
    JitKernel(CodePointer code, SimdLevel level, std::shared_ptr<const isa::Program> program,
              const ThreadBlockSize& block)
        : code_(std::move(code)), level_(level), program_(std::move(program)), block_(block) {
        std::vector<isa::Instruction> instructions;
        for (const isa::Word& word : program_->code) instructions.push_back(isa::decode(word).value());
        readInBlock_ = isa::componentsReadInBlock(instructions).size();
    }

    void run(isa::ComputeRun& run) const override {
        thread_local Scheduler scheduler;
        scheduler.prepare(reinterpret_cast<KernelFunction>(code_->function()), level_, *program_, block_, readInBlock_,
                          run);
        for (uint64_t n = 0; n < run.blockCount && run.fault.kind == isa::FaultKind::None; ++n)
            scheduler.runBlock(run.firstBlock + n);
        scheduler.finish();
    }

private:
    CodePointer code_;
    SimdLevel level_;
    std::shared_ptr<const isa::Program> program_;
    ThreadBlockSize block_;
    size_t readInBlock_ = 0;  ///< isa::componentsReadInBlock()
};

}  // namespace

std::shared_ptr<const isa::Kernel> makeKernel(CodePointer code, SimdLevel level,
                                              std::shared_ptr<const isa::Program> program,
                                              const ThreadBlockSize& block) {
    return std::make_shared<JitKernel>(std::move(code), level, std::move(program), block);
}

}  // namespace tessera::jit
