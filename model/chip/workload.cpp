// Whether a workload is whole, and the traces of two blocks as one group's.
#include "model/chip/workload.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "shader-core/isa/program.h"

namespace tessera::model {

namespace {

bool isInside(Range range, size_t size) { return range.first <= size && range.count <= size - range.first; }

/// Elements of an array that something refers to: work is done once.
class Taken {
public:
    explicit Taken(size_t size) : taken_(size) {}
    /// Of a range inside: false if something has been taken before.
    bool take(Range range) {
        for (size_t i = range.first; i < size_t{range.first} + range.count; ++i) {
            if (taken_[i]) return false;
            taken_[i] = true;
        }
        return true;
    }

private:
    std::vector<bool> taken_;
};

/// Looks at everything that refers to something, and keeps the first problem.
class Validator {
public:
    explicit Validator(const Workload& workload)
        : w_(workload),
          draws_(w_.draws.size()),
          batches_(w_.batches.size()),
          primitives_(w_.primitives.size()),
          blocks_(w_.blocks.size()),
          launches_(w_.launches.size()),
          threadBlocks_(w_.threadBlocks.size()),
          groups_(w_.groups.size()) {}

    std::string run() {
        for (size_t i = 0; i < w_.programs.size(); ++i)
            check(w_.programs[i].program != nullptr, "program", i, "it is not there");
        for (size_t i = 0; i < w_.commands.size(); ++i) command(i);
        for (size_t i = 0; i < w_.draws.size(); ++i) draw(i);
        for (size_t i = 0; i < w_.launches.size(); ++i) launch(i);
        for (size_t i = 0; i < w_.executed.size(); ++i)
            check(isInside(w_.executed[i].accesses, w_.accesses.size()), "executed instruction", i,
                  "its accesses are not there");
        for (size_t i = 0; i < w_.accesses.size(); ++i) access(i);
        for (size_t i = 0; i < w_.transfers.size(); ++i) transfer(i);
        return std::move(problem_);
    }

private:
    void check(bool holds, const char* what, size_t number, const char* wrong) {
        if (!holds && problem_.empty()) problem_ = fmt::format("{} {}: {}", what, number, wrong);
    }

    void access(size_t i) {
        const Access& access = w_.accesses[i];
        check(access.lane < isa::kGroupSize, "access", i, "its lane is not below 32");
        check(access.bytes >= 1 && access.bytes <= 64, "access", i, "its line takes no bytes, or more than 64");
        check(std::has_single_bit(access.step) && access.step <= 64, "access", i,
              "lines are no power of two apart, or more than 64 bytes");
    }

    void transfer(size_t i) {
        const TransferWork& transfer = w_.transfers[i];
        check(transfer.host <= TransferWork::Host::Written, "transfer", i, "its host has no such part");
        check(transfer.bytesWhole <= transfer.bytesWritten, "transfer", i, "more is cleared than is written");
    }

    const isa::Program* program(uint32_t number) const {
        return number < w_.programs.size() ? w_.programs[number].program.get() : nullptr;
    }

    void command(size_t i) {
        const CommandWork& command = w_.commands[i];
        check(command.kind <= CommandWork::Kind::EndFrame, "command", i, "it is of no kind");
        size_t items = ~uint32_t{0};
        if (command.kind == CommandWork::Kind::Draw) items = w_.draws.size();
        if (command.kind == CommandWork::Kind::Transfer) items = w_.transfers.size();
        if (command.kind == CommandWork::Kind::Launch) items = w_.launches.size();
        check(command.item < items, "command", i, "what it refers to is not there");
        if (!problem_.empty()) return;
        if (command.kind == CommandWork::Kind::Draw)
            check(draws_.take({command.item, 1}), "command", i, "its draw has been submitted before");
        if (command.kind == CommandWork::Kind::Launch)
            check(launches_.take({command.item, 1}), "command", i, "its launch has been submitted before");
    }

    void draw(size_t i) {
        const DrawWork& draw = w_.draws[i];
        const isa::Program* vertex = program(draw.vertexProgram);
        const isa::Program* fragment = program(draw.fragmentProgram);
        check(vertex != nullptr && vertex->stage == isa::Stage::Vertex, "draw", i, "its vertex program is not there");
        check(fragment != nullptr && fragment->stage == isa::Stage::Fragment, "draw", i,
              "its fragment program is not there");
        check(isInside(draw.batches, w_.batches.size()), "draw", i, "its vertex batches are not there");
        check(isInside(draw.primitives, w_.primitives.size()), "draw", i, "its primitives are not there");
        if (!problem_.empty()) return;
        check(batches_.take(draw.batches), "draw", i, "a vertex batch is another draw's");
        check(primitives_.take(draw.primitives), "draw", i, "a primitive is another draw's");
        for (size_t b = draw.batches.first; b < draw.batches.first + draw.batches.count; ++b) {
            const VertexBatch& batch = w_.batches[b];
            check(isInside(batch.fetches, w_.lines.size()), "vertex batch", b, "the lines it fetches are not there");
            trace(batch.trace, *vertex, "vertex batch", b);
        }
        for (size_t p = draw.primitives.first; p < draw.primitives.first + draw.primitives.count; ++p)
            primitive(p, draw, *fragment);
    }

    void primitive(size_t p, const DrawWork& draw, const isa::Program& fragment) {
        const Primitive& primitive = w_.primitives[p];
        for (const uint32_t batch : primitive.batch)
            check(batch == kNone || (batch >= draw.batches.first && batch - draw.batches.first < draw.batches.count),
                  "primitive", p, "a vertex batch is not one of its draw's");
        check(isInside(primitive.blocks, w_.blocks.size()), "primitive", p, "its blocks are not there");
        check(primitive.fate <= Fate::Empty, "primitive", p, "it has no fate");
        check(primitive.fate == Fate::Drawn || primitive.blocks.count == 0, "primitive", p,
              "it is not drawn but covers blocks");
        if (!problem_.empty()) return;
        check(blocks_.take(primitive.blocks), "primitive", p, "a block is another primitive's");
        for (size_t b = primitive.blocks.first; b < primitive.blocks.first + primitive.blocks.count; ++b) {
            const Block& block = w_.blocks[b];
            check(block.x >= 0 && block.y >= 0, "block", b, "it lies outside of the target");
            check((block.early & ~block.covered) == 0 && (block.written & ~block.early) == 0, "block", b,
                  "more passes a test than came to it");
            trace(block.trace, fragment, "block", b);
        }
    }

    void launch(size_t i) {
        const LaunchWork& launch = w_.launches[i];
        const isa::Program* kernel = program(launch.program);
        check(kernel != nullptr, "launch", i, "its program is not there");  // or a shader that ran alone
        check(isInside(launch.blocks, w_.threadBlocks.size()), "launch", i, "its blocks are not there");
        if (!problem_.empty()) return;
        check(threadBlocks_.take(launch.blocks), "launch", i, "a block is another launch's");
        for (size_t b = launch.blocks.first; b < launch.blocks.first + launch.blocks.count; ++b) {
            const Range groups = w_.threadBlocks[b].groups;
            check(isInside(groups, w_.groups.size()), "thread block", b, "its groups are not there");
            check(groups.count != 0, "thread block", b, "it has no groups");
            check(groups.count <= isa::kMaxThreadBlockGroups, "thread block", b, "it has more groups than a block may");
            if (!problem_.empty()) return;
            check(groups_.take(groups), "thread block", b, "a group is another block's");
            for (size_t g = groups.first; g < groups.first + groups.count; ++g)
                trace(w_.groups[g].trace, *kernel, "group", g);
        }
    }

    void trace(Range range, const isa::Program& program, const char* what, size_t number) {
        check(isInside(range, w_.executed.size()), what, number, "its trace is not there");
        if (!problem_.empty()) return;
        for (const Executed& executed : w_.trace(range))
            check(executed.pc < program.code.size(), what, number, "it executes what its program does not have");
    }

    const Workload& w_;
    std::string problem_;
    Taken draws_, batches_, primitives_, blocks_, launches_, threadBlocks_, groups_;
};

constexpr int kBlockLanes = 16;

}  // namespace

std::vector<MergedExecuted> mergeTraces(std::span<const Executed> first, std::span<const Executed> second) {
    std::vector<MergedExecuted> merged;
    merged.reserve(std::max(first.size(), second.size()));
    size_t i = 0, j = 0;
    while (i < first.size() || j < second.size()) {
        const bool hasFirst = i < first.size() && (j == second.size() || !goesFirst(second[j], first[i]));
        const bool hasSecond = j < second.size() && (i == first.size() || !goesFirst(first[i], second[j]));
        MergedExecuted one;
        if (hasFirst) {
            one.half[0] = &first[i++];
            one.pc = one.half[0]->pc;
            one.lanes = one.half[0]->lanes;
        }
        if (hasSecond) {
            one.half[1] = &second[j++];
            one.pc = one.half[1]->pc;
            one.lanes |= one.half[1]->lanes << kBlockLanes;
        }
        merged.push_back(one);
    }
    return merged;
}

std::string validate(const Workload& workload) { return Validator(workload).run(); }

}  // namespace tessera::model
