#include "shader-core/compute/compute.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <new>

#include <fmt/format.h>

namespace tessera::compute {

namespace {

constexpr size_t kAlignment = 64;                        ///< a cache line, and the widest vector
constexpr uint64_t kMaxBufferBytes = uint64_t{1} << 32;  ///< addresses have 32 bits
constexpr uint64_t kChunksOfThread = 16;  ///< pieces of a launch for each thread, so that uneven ones balance

}  // namespace

// --- Memory ---

void Buffer::Release::operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{kAlignment}); }

Buffer::Buffer(size_t bytes)
    : own_(static_cast<std::byte*>(::operator new[](std::max<size_t>(bytes, 1), std::align_val_t{kAlignment}))),
      bytes_(own_.get(), bytes) {
    std::memset(own_.get(), 0, bytes);
}

std::shared_ptr<Buffer> Buffer::wrap(std::span<std::byte> bytes) {
    if (reinterpret_cast<uintptr_t>(bytes.data()) % 4 != 0 || bytes.size() > kMaxBufferBytes) return nullptr;
    return std::shared_ptr<Buffer>(new Buffer(bytes));
}

// --- Kernels ---

Kernel::Kernel(std::shared_ptr<const isa::Program> program)
    : program_(std::move(program)), constants_(program_->constantCount) {
    for (const isa::Literal& literal : program_->literals)
        constants_[literal.reg] = std::bit_cast<std::array<float, 4>>(literal.bits);
}

bool Kernel::bind(std::string_view name, std::shared_ptr<Buffer> buffer) {
    for (const isa::Buffer& declared : program_->buffers) {
        if (declared.name != name) continue;
        buffers_[declared.slot] = std::move(buffer);
        return true;
    }
    return false;
}

bool Kernel::setUniform(std::string_view name, std::span<const uint32_t> bits) {
    for (const isa::Variable& v : program_->uniforms) {
        if (v.name != name) continue;
        const size_t width = static_cast<size_t>(isa::componentCount(v.type));
        if (bits.size() > width * static_cast<size_t>(isa::registerCount(v))) return false;
        for (size_t i = 0; i < bits.size(); ++i)
            constants_[v.reg + i / width][v.component + i % width] = std::bit_cast<float>(bits[i]);
        return true;
    }
    return false;
}

bool Kernel::setUniform(std::string_view name, int32_t value) { return setUniform(name, static_cast<uint32_t>(value)); }
bool Kernel::setUniform(std::string_view name, uint32_t value) { return setUniform(name, std::span(&value, 1)); }
bool Kernel::setUniform(std::string_view name, float value) { return setUniform(name, std::bit_cast<uint32_t>(value)); }

// --- Launches ---

Device::Device(std::shared_ptr<isa::Executor> executor, int threads) : executor_(std::move(executor)), pool_(threads) {}

std::shared_ptr<Kernel> Device::load(isa::Program program, std::string* why) {
    const auto fail = [&](std::string reason) {
        if (why != nullptr) *why = std::move(reason);
        return nullptr;
    };
    if (program.stage != isa::Stage::Compute) return fail("not a compute program; it begins with .compute");
    if (std::string reason = isa::verify(program); !reason.empty()) return fail(std::move(reason));
    return std::make_shared<Kernel>(std::make_shared<const isa::Program>(std::move(program)));
}

std::shared_ptr<const isa::Kernel> Device::prepare(Kernel& kernel, std::array<uint32_t, 3> block) {
    std::shared_ptr<const isa::Kernel>& prepared = kernel.prepared_[block];
    if (prepared == nullptr) prepared = executor_->prepareKernel(kernel.program_, block);
    return prepared;
}

std::string resolveSize(const isa::Program& program, LaunchSize& size) {
    if (size.block == std::array<uint32_t, 3>{})
        std::copy(program.blockSize.begin(), program.blockSize.end(), size.block.begin());
    uint64_t threads = 1;
    for (const uint32_t n : size.block) threads = std::min<uint64_t>(threads * n, isa::kMaxBlockThreads + 1);
    bool tooMany = false;
    uint64_t blocks = 1;
    for (const uint32_t n : size.grid) tooMany |= __builtin_mul_overflow(blocks, uint64_t{n}, &blocks);
    if (threads == 0 || threads > isa::kMaxBlockThreads)
        return fmt::format("a block has 1 to {} threads", isa::kMaxBlockThreads);
    if (tooMany || blocks > UINT32_MAX) return "a grid has fewer than 2^32 blocks";
    return {};
}

std::shared_ptr<Launch> Device::launch(Kernel& kernel, const LaunchSize& size) {
    const std::scoped_lock lock(inUse_);
    auto launch = std::make_shared<Launch>();
    LaunchSize actual = size;
    launch->message = resolveSize(*kernel.program_, actual);
    const bool isEmpty = std::find(actual.grid.begin(), actual.grid.end(), 0u) != actual.grid.end();
    if (launch->message.empty() && !isEmpty) {
        pending_.push_back(
            {launch, kernel.program_, prepare(kernel, actual.block), kernel.constants_, kernel.buffers_, actual});
        return launch;
    }
    launch->done = true;
    return launch;
}

void Device::run(Pending& pending) {
    const LaunchSize& size = pending.size;
    const uint64_t blocks = uint64_t{size.grid[0]} * size.grid[1] * size.grid[2];
    isa::ComputeRun whole;
    whole.constants = reinterpret_cast<const float(*)[4]>(pending.constants.data());
    whole.grid = size.grid;
    whole.budget = size.budget;
    for (size_t slot = 0; slot < isa::kMaxBuffers; ++slot)
        if (const auto& buffer = pending.buffers[slot])
            whole.buffers[slot] = {buffer->bytes().data(), buffer->bytes().size()};

    const uint64_t pieces = std::min(blocks, static_cast<uint64_t>(pool_.threads()) * kChunksOfThread);
    std::vector<isa::ComputeRun> runs(static_cast<size_t>(pool_.threads()), whole);
    // The fault with the lowest block is the one to tell, so pieces before it still run.
    std::vector<isa::ComputeFault> faults(runs.size());
    std::atomic<uint64_t> lowestFault = UINT64_MAX;
    pool_.parallelFor("compute", pieces, [&](size_t piece, int worker) {
        setComputeFloatEnvironment();
        isa::ComputeRun& run = runs[static_cast<size_t>(worker)];
        run.firstBlock = blocks * piece / pieces;
        run.blockCount = blocks * (piece + 1) / pieces - run.firstBlock;
        if (run.firstBlock > lowestFault.load(std::memory_order_relaxed)) return;
        run.fault = {};
        pending.kernel->run(run);
        if (run.fault.kind == isa::FaultKind::None) return;
        isa::ComputeFault& own = faults[static_cast<size_t>(worker)];
        if (own.kind == isa::FaultKind::None || run.fault.block < own.block) own = run.fault;
        uint64_t lowest = lowestFault.load();
        while (run.fault.block < lowest && !lowestFault.compare_exchange_weak(lowest, run.fault.block)) {
        }
    });

    Launch& launch = *pending.launch;
    for (const isa::ComputeRun& run : runs) launch.counters.add(run.counters);
    for (const isa::ComputeFault& fault : faults)
        if (fault.kind != isa::FaultKind::None &&
            (launch.fault.kind == isa::FaultKind::None || fault.block < launch.fault.block))
            launch.fault = fault;
    if (launch.fault.kind != isa::FaultKind::None)
        launch.message = faultMessage(*pending.program, launch.fault, size.grid);
    launch.done = true;
    counters_.add(launch.counters);
}

void Device::wait() {
    const std::scoped_lock lock(inUse_);
    for (Pending& pending : pending_) {
        try {
            run(pending);
        } catch (const std::bad_alloc&) {
            pending.launch->message = "memory ran out";
            pending.launch->done = true;
        }
    }
    pending_.clear();
}

void Device::beforeFork() {
    inUse_.lock();
    pool_.beforeFork();
    executor_->beforeFork();
}

void Device::afterForkInParent() {
    executor_->afterForkInParent();
    pool_.afterForkInParent();
    inUse_.unlock();
}

void Device::afterForkInChild() {
    executor_->afterForkInChild();
    pool_.afterForkInChild();
    inUse_.unlock();
}

// --- Faults ---

namespace {

std::string laneList(uint32_t lanes) {
    std::string text;
    for (int lane = 0; lane < isa::kGroupSize;) {
        if (!(lanes >> lane & 1)) {
            ++lane;
            continue;
        }
        int last = lane;
        while (last + 1 < isa::kGroupSize && (lanes >> (last + 1) & 1)) ++last;
        text += text.empty() ? "" : ", ";
        text += last == lane ? fmt::format("{}", lane) : fmt::format("{}..{}", lane, last);
        lane = last + 1;
    }
    return text;
}

/// "groups 0..2: all lanes; group 5: lanes 3, 7..9".
std::string missingList(const std::array<uint32_t, isa::kMaxBlockGroups>& missing) {
    std::string text;
    for (size_t g = 0; g < missing.size();) {
        if (missing[g] == 0) {
            ++g;
            continue;
        }
        size_t last = g;
        while (last + 1 < missing.size() && missing[last + 1] == missing[g]) ++last;
        text += text.empty() ? "" : "; ";
        text += last == g ? fmt::format("group {}", g) : fmt::format("groups {}..{}", g, last);
        text += fmt::format(": lanes {}", laneList(missing[g]));
        g = last + 1;
    }
    return text;
}

}  // namespace

std::string faultMessage(const isa::Program& program, const isa::ComputeFault& fault, std::array<uint32_t, 3> grid) {
    const uint64_t x = grid[0], y = grid[1];
    std::string where = fmt::format("block ({}, {}, {})", fault.block % x, fault.block / x % y, fault.block / x / y);
    std::string line;
    if (fault.instruction < program.lines.size() && program.lines[fault.instruction] != 0)
        line = fmt::format(" in line {}", program.lines[fault.instruction]);
    switch (fault.kind) {
        case isa::FaultKind::None:
            return {};
        case isa::FaultKind::OutOfBudget:
            return fmt::format("{}, group {}: the budget of instructions ran out; does every loop end?", where,
                               fault.group);
        case isa::FaultKind::DivergentLanes:
            return fmt::format("{}, group {}: barrier {}{} in divergent code; missing: {}", where, fault.group,
                               fault.barrier, line, missingList(fault.missing));
        case isa::FaultKind::MissingGroups:
            return fmt::format("{}: group {} waits for ever at barrier {}{}; missing: {}", where, fault.group,
                               fault.barrier, line, missingList(fault.missing));
    }
    return {};
}

}  // namespace tessera::compute
