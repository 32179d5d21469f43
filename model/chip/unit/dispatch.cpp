#include "model/chip/unit/dispatch.h"

#include "model/chip/unit/chip.h"

namespace tessera::model {

void Dispatch::step(Chip& chip) {
    const Cycle now = chip.clock.now();
    chip.ledger.spend(chip.at.dispatch, now, idle_);
    if (now < free_) return;
    idle_ = Cause::NoWork;
    const bool fragmentsFirst = preset_.dispatch.prefer == Prefer::Fragments;
    const bool dispatched = launch_ != kNone ? dispatchKernel(chip)
                            : fragmentsFirst ? dispatchFragments(chip) || dispatchVertices(chip)
                                             : dispatchVertices(chip) || dispatchFragments(chip);
    if (!dispatched) return;
    free_ = now + preset_.dispatch.cycles;
    chip.ledger.spend(chip.at.dispatch, free_, Cause::Busy);
    chip.clock.wake(chip.at.dispatch, free_);
}

void Dispatch::launch(Chip& chip, uint32_t launch) {
    launch_ = launch;
    block_ = group_ = 0;
    const LaunchWork& work = chip.workload.launches[launch];
    const uint32_t item = chip.workload.launchItem(launch);
    uint32_t groups = 0;
    for (uint32_t block = 0; block < work.blocks.count; ++block)
        groups += groupsOf(chip.workload.threadBlocks[work.blocks.first + block]);
    chip.progress.add(item, groups);
    chip.progress.finish(item, chip.clock.now());  // all are known
    if (!groups) launch_ = kNone;
    chip.clock.wake(chip.at.dispatch, chip.clock.now() + 1);
}

void Dispatch::releaseVertices(Chip& chip) {
    --verticesStored_;
    chip.clock.wake(chip.at.dispatch, chip.clock.now() + 1);
}

void Dispatch::hurry(Chip& chip, uint32_t batch) {
    if (needed_ == batch) return;
    needed_ = batch;
    chip.clock.wake(chip.at.dispatch, chip.clock.now() + 1);
}

void Dispatch::placeBecameFree(Chip& chip) { chip.clock.wake(chip.at.dispatch, chip.clock.now() + 1); }

uint32_t Dispatch::choose(Chip& chip, uint32_t groups, uint32_t registers, uint32_t sharedBytes) {
    uint32_t best = kNone;
    bool place = false;
    for (uint32_t i = 0; i < chip.blockProcessors.size(); ++i) {
        const BlockProcessor& processor = chip.blockProcessors[i];
        if (processor.residents() + groups > preset_.block.groups) continue;
        place = true;
        if (!processor.hasRoom(registers, sharedBytes)) continue;
        if (best == kNone || processor.residents() < chip.blockProcessors[best].residents()) best = i;
    }
    if (best == kNone) idle_ = place ? Cause::RegistersFull : Cause::PlacesFull;
    return best;
}

bool Dispatch::dispatchVertices(Chip& chip) {
    const VertexFetch::Group* group = chip.vertexFetch.groups.front();
    if (!group) return false;
    const bool needed = needed_ != kNone && group->batch <= needed_;
    if (verticesStored_ >= preset_.vertex.store && !needed) {
        idle_ = Cause::StoreFull;
        return false;
    }
    const DrawWork& draw = chip.workload.draws[group->draw];
    const uint32_t registers = chip.programs.registers(draw.vertexProgram);
    const uint32_t processor = choose(chip, 1, registers, 0);
    if (processor == kNone) return false;
    const VertexBatch& batch = chip.workload.batches[group->batch];
    GroupWork work;
    work.kind = GroupWork::Kind::Vertices;
    work.item = group->draw;
    work.program = draw.vertexProgram;
    work.index = work.group = group->batch;
    work.trace[0] = chip.workload.trace(batch.trace);
    work.registers = registers;
    work.threads = batch.vertices();
    ++verticesStored_;
    chip.vertexFetch.groups.pop();
    chip.result.vertices += batch.vertices();
    ++chip.result.vertexGroups;
    chip.blockProcessors[processor].arrive(chip, work);
    return true;
}

bool Dispatch::dispatchFragments(Chip& chip) {
    const FragmentGroup* group = chip.groupFormer.groups.front();
    if (!group) return false;
    if (!chip.fragmentStore.hasPlace()) {
        idle_ = Cause::StoreFull;
        return false;
    }
    const DrawWork& draw = chip.workload.draws[group->draw];
    const uint32_t registers = chip.programs.registers(draw.fragmentProgram);
    const uint32_t processor = choose(chip, 1, registers, 0);
    if (processor == kNone) return false;
    GroupWork work;
    work.kind = GroupWork::Kind::Fragments;
    work.item = group->draw;
    work.program = draw.fragmentProgram;
    work.registers = registers;
    for (uint32_t i = 0; i < group->blocks; ++i) {
        const Block& block = chip.workload.blocks[group->block[i]];
        work.trace[i] = chip.workload.trace(block.trace);
        work.x[i] = block.x;
        work.y[i] = block.y;
        if (!work.trace[i].empty()) work.threads += static_cast<uint32_t>(std::popcount(work.trace[i][0].lanes));
        chip.result.fragments += static_cast<uint32_t>(std::popcount(block.early));
    }
    work.index = chip.fragmentStore.reserve(*group);
    work.group = group->block[0];
    chip.groupFormer.groups.pop();
    ++chip.result.fragmentGroups;
    chip.blockProcessors[processor].arrive(chip, work);
    return true;
}

uint32_t Dispatch::groupsOf(const ThreadBlock& block) const {
    const uint32_t together = preset_.block.threads / isa::kGroupSize;
    return (block.groups.count + together - 1) / together;
}

bool Dispatch::dispatchKernel(Chip& chip) {
    const LaunchWork& launch = chip.workload.launches[launch_];
    const uint32_t together = preset_.block.threads / isa::kGroupSize;
    const ThreadBlock& block = chip.workload.threadBlocks[launch.blocks.first + block_];
    const uint32_t groups = groupsOf(block);
    const uint32_t registers = chip.programs.registers(launch.program);
    if (group_ == 0) {
        processor_ = choose(chip, groups, groups * registers, launch.sharedBytes);
        if (processor_ == kNone) return false;
        chip.blockProcessors[processor_].reserve(launch.sharedBytes, groups, groups * registers);
    }
    GroupWork work;
    work.kind = GroupWork::Kind::Kernel;
    work.item = chip.workload.launchItem(launch_);
    work.program = launch.program;
    work.index = launch.blocks.first + block_;
    work.group = block.groups.first + group_ * together;
    work.registers = registers;
    work.blockGroups = groups;
    work.sharedBytes = launch.sharedBytes;
    for (uint32_t i = 0; i < together && group_ * together + i < block.groups.count; ++i) {
        const KernelGroup& group = chip.workload.groups[block.groups.first + group_ * together + i];
        work.trace[i] = chip.workload.trace(group.trace);
        work.threads += static_cast<uint32_t>(std::popcount(group.lanes));
    }
    ++chip.result.kernelGroups;
    chip.blockProcessors[processor_].arrive(chip, work);
    if (++group_ == groups) {
        group_ = 0;
        if (++block_ == launch.blocks.count) launch_ = kNone;
    }
    return true;
}

}  // namespace tessera::model
