#include "shader-core/debug/replay/bisect_kernel.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "shader-core/debug/replay/replay.h"
#include "shader-core/debug/replay/rewriting.h"

namespace tessera::debug {

namespace {

using isa::File;
using isa::Instruction;
using isa::Op;

constexpr uint32_t kResultBytes = 4 * sizeof(uint32_t);
constexpr uint64_t kWindowBytes = uint64_t{64} << 20;  ///< of results that one run keeps, about
constexpr uint64_t kGrowth = 16;                       ///< instructions for one, at most
constexpr uint32_t kNowhere = 0xfffffff0;              ///< outside the results, where stores are dropped

bool writesRegister(const Instruction& i) { return isa::hasDestination(isa::opInfo(i.op).shape); }
bool hasResult(const Instruction& i) { return writesRegister(i) || i.op == Op::St; }

// --- Memory ---

bool sameFault(const isa::ComputeFault& a, const isa::ComputeFault& b) {
    return a.kind == b.kind &&
           (a.kind == isa::FaultKind::None || (a.block == b.block && a.group == b.group && a.missing == b.missing));
}
bool same(const BlocksOutcome& a, const BlocksOutcome& b) {
    return sameFault(a.fault, b.fault) && a.buffers == b.buffers;
}

KernelDifference differenceOf(uint64_t block, const BlocksOutcome& a, const BlocksOutcome& b) {
    KernelDifference difference;
    difference.block = block;
    difference.faults = !sameFault(a.fault, b.fault);
    for (size_t slot = a.buffers.size(); slot-- > 0;) {
        const auto &x = a.buffers[slot], &y = b.buffers[slot];
        if (x == y) continue;
        difference.slot = static_cast<int>(slot);
        difference.bytes = 0;
        for (size_t i = x.size(); i-- > 0;)
            if (x[i] != y[i]) difference.byte = i, ++difference.bytes;
    }
    return difference;
}

// --- Results ---

/// The program with every result stored. Of its temporaries, two behind those of the program, the first holds in x
/// the results of the lane so far, in y where the next one goes, in z the lane's place among the threads; the second
/// holds the result. Constants: x the number of the first result that is kept, negative, less one; y how many are kept;
/// z bytes between two results of a lane.
class Rewriter {
public:
    explicit Rewriter(const Launch& launch)
        : launch_(launch), temp_(launch.program->tempCount), constant_(launch.program->constantCount) {}

    /// Nothing when the program needs all registers, buffers or instructions for itself.
    std::optional<Launch> rewrite() {
        const isa::Program& from = *launch_.program;
        uint32_t used = 0;
        for (const isa::Buffer& buffer : from.buffers) used |= 1u << buffer.slot;
        slot_ = std::countr_one(used);
        if (slot_ >= isa::kMaxBuffers || temp_ + 2 > isa::kMaxTemps || constant_ >= isa::kMaxConstants)
            return std::nullopt;
        Instruction place = integer(Op::Mul, temp_, 4, {component(File::S, static_cast<int>(isa::Special::Thread), 3)});
        place.src[1] = source(File::I, 0);
        place.immediate = kResultBytes;
        code_.push_back(place);
        if (!rewriteCode(from, code_, [this](const Instruction& i) { add(i); })) return std::nullopt;
        return launchOf(from);
    }
    [[nodiscard]] int slot() const { return slot_; }
    [[nodiscard]] int constant() const { return constant_; }

private:
    static isa::Source component(File file, int index, int component) {
        return source(file, index, isa::broadcast(component));
    }
    static Instruction integer(Op op, int temp, uint8_t mask, std::initializer_list<isa::Source> sources) {
        return instruction(op, isa::Type::U32, File::R, temp, mask, sources);
    }
    /// For the lanes that execute `like`.
    static Instruction guarded(Instruction i, const Instruction& like) {
        i.guard = like.guard, i.guardNegate = like.guardNegate;
        i.subsetWidth = like.subsetWidth, i.subsetDepth = like.subsetDepth, i.subsetOfBlock = like.subsetOfBlock;
        return i;
    }

    void add(const Instruction& i) {
        if (!hasResult(i)) {
            code_.push_back(i);
            return;
        }
        // The guard is looked at before the instruction, which may overwrite it.
        const isa::Source count = component(File::R, temp_, 0), place = component(File::R, temp_, 1);
        Instruction nowhere = integer(Op::Mov, temp_, 2, {source(File::I, 0)});
        nowhere.immediate = kNowhere;
        Instruction next = integer(Op::Add, temp_, 1, {count, source(File::I, 0)});
        next.immediate = 1;
        code_.push_back(nowhere);
        code_.push_back(integer(Op::Mov, temp_ + 1, 0xF, {source(File::I, 0)}));
        code_.push_back(guarded(next, i));
        code_.push_back(guarded(integer(Op::Add, temp_, 2, {count, component(File::C, constant_, 0)}), i));
        code_.push_back(guarded(integer(Op::Min, temp_, 2, {place, component(File::C, constant_, 1)}), i));
        code_.push_back(guarded(
            integer(Op::Mad, temp_, 2, {place, component(File::C, constant_, 2), component(File::R, temp_, 2)}), i));
        code_.push_back(i);
        const uint8_t mask = i.dst.file == File::P ? 1 : i.dst.writeMask;
        if (writesRegister(i)) {
            isa::Source result = source(i.dst.file, i.dst.index);
            result.relative = i.dst.relative;
            code_.push_back(integer(Op::Mov, temp_ + 1, mask, {result}));
        } else {
            Instruction again = i;
            again.op = Op::Ld;
            again.dst.file = File::R;
            again.dst.index = static_cast<uint16_t>(temp_ + 1);
            again.src[1] = again.src[2] = isa::Source{};
            code_.push_back(again);
        }
        Instruction keep;
        keep.op = Op::St;
        keep.type = isa::Type::U32;
        keep.dst.writeMask = 0xF;
        keep.src[0] = place;
        keep.src[1] = source(File::R, temp_ + 1);
        keep.slot = static_cast<uint8_t>(slot_);
        code_.push_back(keep);
    }

    std::optional<Launch> launchOf(const isa::Program& from) const {
        auto program = std::make_shared<isa::Program>(from);
        program->code.clear();
        for (const Instruction& i : code_) program->code.push_back(isa::encode(i));
        program->lines.clear();
        program->source.clear();
        program->buffers.push_back({"results_of_the_comparison", static_cast<uint8_t>(slot_), false});
        isa::deriveUsage(*program);
        program->constantCount = static_cast<uint16_t>(constant_ + 1);
        if (!isa::verify(*program).empty()) return std::nullopt;
        Launch launch = launch_;
        launch.program = std::move(program);
        launch.budget = std::min(launch.budget, UINT64_MAX / kGrowth) * kGrowth;
        launch.constants.resize(static_cast<size_t>(constant_) + 1);
        return launch;
    }

    const Launch& launch_;
    const int temp_, constant_;
    int slot_ = 0;
    std::vector<Instruction> code_;
};

/// The results of each thread of a block, in the order of execution.
struct Results {
    struct One {
        uint64_t order, count;  ///< instructions before it: of the block, of its group
        uint32_t pc;
    };
    std::vector<std::vector<One>> ofThread;
    [[nodiscard]] size_t most(uint64_t before = UINT64_MAX) const {
        size_t most = 0;
        for (const auto& list : ofThread)
            most = std::max(
                most, static_cast<size_t>(std::ranges::lower_bound(list, before, {}, &One::order) - list.begin()));
        return most;
    }
};

Results resultsOf(const std::shared_ptr<const Launch>& launch, uint64_t block) {
    Results results;
    results.ofThread.resize(size_t{groupCount(*launch)} * isa::kGroupSize);
    const Replay replay(std::move(groupsOf(launch, block).front()));
    uint64_t order = 0;
    (void)replay.visitBlock([&](const interp::Step& step) {
        if (hasResult(replay.code()[step.pc]))
            for (uint32_t left = step.guardedMask; left != 0; left &= left - 1)
                results.ofThread[step.group * size_t{isa::kGroupSize} + static_cast<size_t>(std::countr_zero(left))]
                    .push_back({order, step.instructions, step.pc});
        ++order;
    });
    return results;
}

/// The first result of the block, in the order of execution, that differs.
std::optional<KernelDifference::Result> firstResult(const std::shared_ptr<const Launch>& launch, uint64_t block,
                                                    const RunBlocks& first, const RunBlocks& second) {
    Rewriter rewriter(*launch);
    std::optional<Launch> keeping = rewriter.rewrite();
    if (!keeping) return std::nullopt;
    const Results results = resultsOf(launch, block);
    const size_t threads = results.ofThread.size(), stride = threads * kResultBytes;
    const size_t window = std::max<size_t>(kWindowBytes / stride, 1);
    const auto slot = static_cast<size_t>(rewriter.slot());
    const Results::One* best = nullptr;
    KernelDifference::Result result;
    size_t end = results.most();
    for (size_t from = 0; from < end; from += window) {
        const std::array<uint32_t, 4> constant = {static_cast<uint32_t>(-static_cast<int64_t>(from) - 1),
                                                  static_cast<uint32_t>(window), static_cast<uint32_t>(stride), 0};
        keeping->constants.back() = std::bit_cast<std::array<float, 4>>(constant);
        keeping->buffers[slot].assign(std::min(window, end - from) * stride, std::byte{0});
        const auto a = first(*keeping, block, 1), b = second(*keeping, block, 1);
        if (!a || !b) return std::nullopt;
        const auto *x = a->buffers[slot].data(), *y = b->buffers[slot].data();
        for (size_t n = from; n < std::min(from + window, end); ++n)
            for (size_t thread = 0; thread < threads; ++thread) {
                const size_t at = (n - from) * stride + thread * kResultBytes;
                if (n >= results.ofThread[thread].size() || std::memcmp(x + at, y + at, kResultBytes) == 0) continue;
                const Results::One& one = results.ofThread[thread][n];
                if (best != nullptr && best->order <= one.order) continue;
                best = &one;
                std::array<uint32_t, 4> mine, other;
                std::memcpy(mine.data(), x + at, kResultBytes);
                std::memcpy(other.data(), y + at, kResultBytes);
                const auto c = static_cast<size_t>(std::ranges::mismatch(mine, other).in1 - mine.begin());
                const Instruction i = *isa::decode(launch->program->code[one.pc]);
                result = {static_cast<uint32_t>(thread / isa::kGroupSize),
                          static_cast<int>(thread % isa::kGroupSize),
                          one.pc,
                          one.count,
                          i.op == Op::St,
                          static_cast<int>(c),
                          mine[c],
                          other[c]};
            }
        if (best != nullptr) end = std::min(end, results.most(best->order));
    }
    return best != nullptr ? std::optional(result) : std::nullopt;
}

}  // namespace

RunBlocks blocksRunnerOf(std::shared_ptr<isa::Executor> executor) {
    return [executor = std::move(executor)](const Launch& given, uint64_t first,
                                            uint64_t count) -> std::optional<BlocksOutcome> {
        const std::shared_ptr<const isa::Kernel> kernel = executor->prepareKernel(given.program, given.block);
        if (kernel == nullptr) return std::nullopt;
        Launch launch = given;
        const isa::ComputeFault fault = runBlocks(launch, *kernel, first, count);
        return BlocksOutcome{std::move(launch.buffers), fault};
    };
}

KernelComparison compareLaunches(const Launch& launch, const RunBlocks& first, const RunBlocks& second) {
    const uint64_t blocks = blockCount(launch);
    const auto a = first(launch, 0, blocks), b = second(launch, 0, blocks);
    if (!a || !b) return {true, std::nullopt};
    if (same(*a, *b)) return {};
    uint64_t agree = 0, differ = blocks;  // so many blocks leave the same behind, so many do not
    while (differ - agree > 1) {
        const uint64_t middle = agree + (differ - agree) / 2;
        const auto x = first(launch, 0, middle), y = second(launch, 0, middle);
        if (!x || !y) return {true, std::nullopt};
        (same(*x, *y) ? agree : differ) = middle;
    }
    const auto before = std::make_shared<Launch>(launch);
    if (agree != 0) {
        const auto found = first(launch, 0, agree);
        if (!found) return {true, std::nullopt};
        before->buffers = found->buffers;
    }
    const auto x = first(*before, agree, 1), y = second(*before, agree, 1);
    if (!x || !y) return {true, std::nullopt};
    KernelDifference difference = differenceOf(agree, *x, *y);
    difference.result = firstResult(before, agree, first, second);
    return {false, difference};
}

}  // namespace tessera::debug
