#include "tools/inspector/program/program_run.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/process/env.h"
#include "model/chip/preset.h"
#include "model/chip/unit/machine.h"
#include "model/trim/trim.h"
#include "shader-core/compute/dispatch.h"
#include "shader-core/debug/replay/replay.h"
#include "shader-core/debug/trace/trace.h"
#include "shader-core/interp/interpreter.h"
#include "shader-core/isa/isa.h"
#include "tools/run/line_costs.h"

namespace tessera::tools {

namespace {

constexpr uint64_t kLook = 4096;  ///< instructions between two questions whether to go on

/// Told of what groups of a kernel execute, block by block.
class BlockObserver : public interp::Observer {
public:
    explicit BlockObserver(const IsCancelled& isCancelled) : isCancelled_(isCancelled) {}
    bool before(const interp::Step& step) override {
        if (++seen_ % kLook == 0 && isCancelled_()) return false;
        executes(step, step.guardedMask & step.subsetMask);
        return true;
    }

protected:
    virtual void executes(const interp::Step& step, uint32_t lanes) = 0;

private:
    const IsCancelled& isCancelled_;
    uint64_t seen_ = 0;
};

void count(Executions& to, uint32_t lanes) {
    ++to.instructions;
    to.lanes += static_cast<uint64_t>(std::popcount(lanes));
}

std::vector<bool> barriersOf(const isa::Program& program) {
    std::vector<bool> barriers;
    for (const isa::Word& word : program.code) {
        const std::optional<isa::Instruction> one = isa::decode(word);
        barriers.push_back(one && one->op == isa::Op::Bar);
    }
    return barriers;
}

class LaunchObserver final : public BlockObserver {
public:
    LaunchObserver(ProgramRun& run, const std::vector<bool>& barriers, const IsCancelled& isCancelled)
        : BlockObserver(isCancelled), run_(run), barriers_(barriers) {}

private:
    void executes(const interp::Step& step, uint32_t lanes) override {
        count(run_.byPc[step.pc], lanes);
        BlockCount& block = run_.blocks.back();
        count(block, lanes);
        if (barriers_[step.pc]) ++block.barriers;
    }
    ProgramRun& run_;
    const std::vector<bool>& barriers_;
};

class GroupObserver final : public BlockObserver {
public:
    GroupObserver(BlockRun& run, const isa::Program& program, const IsCancelled& isCancelled)
        : BlockObserver(isCancelled), run_(run), code_(program.code), barriers_(barriersOf(program)) {}

private:
    void executes(const interp::Step& step, uint32_t lanes) override {
        GroupCount& group = run_.groups[step.group];
        if (barriers_[step.pc])
            run_.arrivals.push_back({.pc = step.pc,
                                     .group = step.group,
                                     .lanes = step.execMask,
                                     .barrier = isa::decode(code_[step.pc])->barrier,
                                     .instructions = step.instructions});
        count(group, lanes);
        for (uint32_t left = lanes; left != 0; left &= left - 1)
            ++group.byLane[static_cast<size_t>(std::countr_zero(left))];
    }
    BlockRun& run_;
    const std::vector<isa::Word>& code_;
    const std::vector<bool> barriers_;
};

std::shared_ptr<const isa::Kernel> kernelOf(const debug::Launch& launch) {
    return interp::makeInterpreter()->prepareKernel(launch.program, launch.block);
}

/// One block, on the buffers; its fault.
isa::ComputeFault runObserved(const debug::Launch& launch, const isa::Kernel& kernel, debug::Buffers& buffers,
                              uint64_t block, interp::Observer& observer, isa::ComputeCounters& counters) {
    isa::ComputeRun run = debug::computeRun(launch, buffers);
    run.firstBlock = block;
    interp::runObserved(kernel, run, observer);
    counters.add(run.counters);
    return run.fault;
}

/// Runs those before `block` on the buffers. What is wrong; empty: nothing.
std::string runBefore(const debug::Launch& launch, const isa::Kernel& kernel, debug::Buffers& buffers, uint64_t block,
                      const IsCancelled& isCancelled) {
    for (uint64_t before = 0; before < block && !isCancelled(); ++before) {
        isa::ComputeRun run = debug::computeRun(launch, buffers);
        run.firstBlock = before;
        kernel.run(run);
        if (run.fault.kind != isa::FaultKind::None)
            return "a block before it fails: " + compute::faultMessage(*launch.program, run.fault, launch.grid);
    }
    return {};
}

/// A shader's group that has ended, unless it has not.
std::string problemOf(const debug::Outcome& outcome, size_t group) {
    return outcome.budgetExceeded ? fmt::format("group {} was stopped after {} instructions: a loop does not end",
                                                group, outcome.instructions)
                                  : std::string();
}

void countShader(const debug::Group& group, const debug::Replay& replay,
                 const std::function<void(const interp::Step&, uint32_t lanes)>& use) {
    (void)replay.visit(
        [&](const interp::Step& step) { use(step, step.guardedMask & step.subsetMask & ~group.helperMask); });
}

}  // namespace

// --- Memory ---

size_t bytesOf(Element element) {
    switch (element) {
        case Element::F32:
        case Element::I32:
        case Element::U32:
        case Element::Hex:
            return 4;
        case Element::I16:
        case Element::U16:
            return 2;
        case Element::I8:
        case Element::U8:
            return 1;
    }
    return 4;
}

std::string elementText(std::span<const std::byte> memory, uint64_t index, Element element) {
    const size_t bytes = bytesOf(element);
    if (index >= memory.size() / bytes) return {};
    uint32_t bits = 0;
    std::memcpy(&bits, memory.data() + index * bytes, bytes);
    switch (element) {
        case Element::F32:
            return debug::valueText(bits, debug::Format::F32);
        case Element::I32:
            return debug::valueText(bits, debug::Format::I32);
        case Element::Hex:
            return debug::valueText(bits, debug::Format::Hex);
        case Element::I16:
            return fmt::format("{}", static_cast<int16_t>(bits));
        case Element::I8:
            return fmt::format("{}", static_cast<int8_t>(bits));
        case Element::U32:
        case Element::U16:
        case Element::U8:
            break;
    }
    return fmt::format("{}", bits);
}

std::vector<uint64_t> changedElements(std::span<const std::byte> before, std::span<const std::byte> after,
                                      Element element) {
    std::vector<uint64_t> changed;
    const size_t bytes = bytesOf(element);
    for (uint64_t i = 0; i < std::min(before.size(), after.size()) / bytes; ++i)
        if (std::memcmp(&before[i * bytes], &after[i * bytes], bytes) != 0) changed.push_back(i);
    return changed;
}

Element ProgramSubject::usualElement(int slot) const {
    if (slot < isa::kMaxBuffers && stored[static_cast<size_t>(slot)]) return *stored[static_cast<size_t>(slot)];
    for (const isa::Word& word : program->code) {
        const std::optional<isa::Instruction> one = isa::decode(word);
        if (!one || isa::opInfo(one->op).unit != isa::Unit::Memory || one->slot != slot) continue;
        const bool isUnsigned = one->type == isa::Type::U32;
        if (one->elementSize == isa::ElementSize::Half) return isUnsigned ? Element::U16 : Element::I16;
        if (one->elementSize == isa::ElementSize::Byte) return isUnsigned ? Element::U8 : Element::I8;
        return one->type == isa::Type::F32 ? Element::F32 : isUnsigned ? Element::U32 : Element::I32;
    }
    return Element::Hex;
}

std::string ProgramSubject::name() const { return std::filesystem::path(file).filename().string(); }

std::string ProgramSubject::blockText(uint64_t number) const {
    const uint64_t x = launch->grid[0], y = launch->grid[1];
    return fmt::format("{},{},{}", number % x, number / x % y, number / x / y);
}

// --- Runs ---

ProgramRun runOnce(const ProgramSubject& subject, const IsCancelled& isCancelled) {
    ProgramRun run;
    run.byPc.resize(subject.program->code.size());
    if (!subject.isKernel()) {
        for (size_t g = 0; g < subject.groups.size() && !isCancelled(); ++g) {
            const debug::Replay replay(subject.groups[g]);
            debug::Trace trace = debug::trace(replay, 0);
            if (run.problem.empty()) run.problem = problemOf(trace.outcome, g);
            run.groups.push_back(trace.outcome);
            run.types.push_back(std::move(trace.types));
            countShader(subject.groups[g], replay,
                        [&](const interp::Step& step, uint32_t lanes) { count(run.byPc[step.pc], lanes); });
            run.counters.groups += 1;
            run.counters.instructions += run.groups.back().instructions;
        }
        return run;
    }
    const debug::Launch& launch = *subject.launch;
    const std::shared_ptr<const isa::Kernel> kernel = kernelOf(launch);
    const std::vector<bool> barriers = barriersOf(*subject.program);
    run.after = launch.buffers;
    for (uint64_t block = 0; block < subject.blockCount() && run.problem.empty() && !isCancelled(); ++block) {
        run.blocks.emplace_back();
        LaunchObserver observer(run, barriers, isCancelled);
        const isa::ComputeFault fault = runObserved(launch, *kernel, run.after, block, observer, run.counters);
        run.problem = compute::faultMessage(*subject.program, fault, launch.grid);
    }
    return run;
}

BlockRun runBlock(const ProgramSubject& subject, uint64_t block, const IsCancelled& isCancelled) {
    BlockRun run;
    run.block = block;
    if (!subject.isKernel()) {
        for (size_t g = 0; g < subject.groups.size() && !isCancelled(); ++g) {
            GroupCount& to = run.groups.emplace_back();
            const debug::Replay replay(subject.groups[g]);
            countShader(subject.groups[g], replay, [&](const interp::Step&, uint32_t lanes) {
                count(to, lanes);
                for (uint32_t left = lanes; left != 0; left &= left - 1)
                    ++to.byLane[static_cast<size_t>(std::countr_zero(left))];
            });
        }
        return run;
    }
    const debug::Launch& launch = *subject.launch;
    const std::shared_ptr<const isa::Kernel> kernel = kernelOf(launch);
    debug::Buffers buffers = launch.buffers;
    run.groups.resize(debug::groupCount(launch));
    run.problem = runBefore(launch, *kernel, buffers, block, isCancelled);
    if (!run.problem.empty() || isCancelled()) return run;
    GroupObserver observer(run, *subject.program, isCancelled);
    isa::ComputeCounters ignored;
    const isa::ComputeFault fault = runObserved(launch, *kernel, buffers, block, observer, ignored);
    run.problem = compute::faultMessage(*subject.program, fault, launch.grid);
    return run;
}

std::vector<debug::Group> groupsAt(const ProgramSubject& subject, uint64_t block, const IsCancelled& isCancelled,
                                   std::string& problem) {
    if (!subject.isKernel()) return subject.groups;
    const auto before = std::make_shared<debug::Launch>(*subject.launch);
    problem = runBefore(*before, *kernelOf(*before), before->buffers, block, isCancelled);
    return problem.empty() ? debug::groupsOf(before, block) : std::vector<debug::Group>();
}

// --- Costs ---

std::optional<ProgramCosts> costsOf(const ProgramSubject& subject, const std::string& preset, std::string& why) {
    const std::optional<model::Preset> machine = model::loadPreset(preset, &why);
    if (!machine) return std::nullopt;
    if (const auto refused = model::refusal(*subject.program, *machine)) {
        why = model::refusalText(*refused, subject.file);
        return std::nullopt;
    }
    std::optional<model::Workload> workload =
        subject.isKernel() ? workloadOfBlocks(*subject.launch, 0, subject.blockCount(), why)
                           : workloadOfGroups(subject.groups.size(), [&](size_t g) { return subject.groups[g]; }, why);
    if (!workload) return std::nullopt;
    why = model::cannotRun(*workload, *machine);
    if (!why.empty() || workload->programs.empty()) return std::nullopt;
    for (model::LaunchWork& launch : workload->launches) launch.name = subject.name();
    for (model::ProgramUse& use : workload->programs) use.name = subject.name();
    ProgramCosts costs{.workload = std::move(*workload), .result = {}, .cost = {}};
    costs.result =
        model::simulate(costs.workload, *machine, {.threads = threadCount(), .keepStalls = true, .keepLevels = true});
    costs.cost = std::move(model::costsOf(costs.workload, costs.result, *machine).front());
    return costs;
}

// --- Text ---

std::string_view stageText(isa::Stage stage) {
    return stage == isa::Stage::Vertex ? "vertex" : stage == isa::Stage::Fragment ? "fragment" : "compute";
}

ShaderText textOf(const ProgramSubject& subject, const ProgramRun* run, const ProgramCosts* costs) {
    const isa::Program& program = *subject.program;
    ShaderText text = shaderText(program, 0, program.stage, nullptr);
    text.title = fmt::format("{} program {}", stageText(program.stage), subject.name());
    text.hasCosts = run != nullptr;
    for (CodeLine& code : text.code) {
        if (run != nullptr) code.issued = run->byPc[code.pc].instructions, code.lanes = run->byPc[code.pc].lanes;
        if (costs != nullptr && code.pc < costs->result.programs.front().size())
            for (const uint64_t stalled : costs->result.programs.front()[code.pc].stalls) code.waited += stalled;
        if (code.line == 0 || code.line > text.source.size()) continue;
        SourceLine& line = text.source[code.line - 1];
        line.executed += code.issued, line.lanes += code.lanes;
    }
    if (costs != nullptr)
        for (const model::LineCost& cost : costs->cost.lines)
            if (cost.line != 0 && cost.line <= text.source.size())
                text.source[cost.line - 1].issued = cost.issued, text.source[cost.line - 1].waited = cost.waits();
    return text;
}

std::string outputText(const ProgramRun& run, size_t group, int lane, int output) {
    std::string values;
    for (int c = 0; c < 4; ++c) {
        const debug::Format written = run.types[group].of(isa::File::O, output, c).in(lane);
        const float value = run.groups[group].outputs[static_cast<size_t>(output)].lane[c][lane];
        values += (c == 0 ? "" : " ") + debug::valueText(value, written);
    }
    return values;
}

}  // namespace tessera::tools
