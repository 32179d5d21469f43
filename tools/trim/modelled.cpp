#include "tools/trim/modelled.h"

#include <algorithm>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "demos/kernels/suite.h"
#include "model/chip/unit/machine.h"
#include "tools/files.h"
#include "tools/model/workloads.h"

namespace tessera::tools {

namespace {

/// Operations of a job, or bytes of one that only moves them, up to which it is recorded and modelled in seconds.
constexpr double kSecondsOfWork = 5e6;

const kernels::Row* kernelNamed(const std::string& name) {
    const auto rows = kernels::suite();
    const auto row = std::ranges::find(rows, name, &kernels::Row::name);
    return row == rows.end() ? nullptr : &*row;
}

std::string sizeOf(const std::string& what) {
    const kernels::Row* row = kernelNamed(what);
    return row && row->make(kernels::Scale::Paper).work <= kSecondsOfWork ? "paper" : "small";
}

/// Why one of the machines cannot run the work: empty if all can.
std::string whyNot(const model::Workload& work, const model::Preset& preset) {
    for (const model::ProgramUse& use : work.programs)
        if (const std::optional<model::Refusal> refused = model::refusal(*use.program, preset))
            return model::refusalText(*refused, use.name);
    return model::cannotRun(work, preset);
}

/// What bounds the command that adds most cycles; of block processors that mostly wait, for what.
std::string boundOf(const model::Result& result) {
    const auto dearest = std::ranges::max_element(result.items, {}, &model::ItemResult::alone);
    if (dearest == result.items.end() || dearest->boundBy == model::kNone) return "nothing";
    if (result.units[dearest->boundBy].kind != model::UnitKind::BlockProcessor) return dearest->boundText(result.units);
    uint64_t all = 0, most = 0;
    auto mostly = model::Cause::Busy;
    for (int i = 0; i < model::kCauses; ++i) {
        const auto cause = static_cast<model::Cause>(i);
        const uint64_t cycles = result.total(model::UnitKind::BlockProcessor, cause);
        all += cycles;
        if (cycles <= most) continue;
        most = cycles;
        mostly = cause;
    }
    return fmt::format("block processors, {:.0f} % {}",
                       100 * static_cast<double>(most) / static_cast<double>(std::max<uint64_t>(all, 1)),
                       model::causeText(mostly));
}

ModelledRun runOf(const model::Workload& work, const model::Preset& preset) {
    const model::Result result =
        model::simulate(work, preset, {.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()))});
    return {result.cycles, boundOf(result)};
}

/// "2 block processors instead of 1".
std::string machineText(const Trimming& trimming, const model::Preset& now) {
    const auto &was = trimming.full.block, &is = now.block;
    if (is.processors != was.processors)
        return fmt::format("{} block processors instead of {}", is.processors, was.processors);
    if (is.lanes != was.lanes) return fmt::format("{} lanes instead of {}", is.lanes, was.lanes);
    return "the trimmed machine";
}

}  // namespace

bool modelTrimming(Trimming& trimming, const WorkChoice& choice, int& status) {
    const std::string& what = choice.what.empty() ? trimming.subject.work : choice.what;
    if (what.empty()) {
        trimming.notModelled = "it is not known what the programs are run on; --work WHAT says it";
        return true;
    }
    WorkloadOptions options;
    options.what = {what};
    options.size = choice.size.empty() ? sizeOf(what) : choice.size;
    const std::optional<model::Workload> work = makeWorkload(options, status);
    if (!work) {
        trimming.notModelled = fmt::format("{} cannot be run", what);
        return choice.what.empty();
    }
    const model::Preset* const machines[] = {&trimming.full, &trimming.trimmed, &trimming.cores.preset,
                                             &trimming.units.preset};
    for (const model::Preset* machine : machines) {
        const std::string why = whyNot(*work, *machine);
        if (why.empty()) continue;
        trimming.notModelled = why;
        if (choice.what.empty()) return true;
        fmt::print(stderr, "{}: error: {}\n", what, why);
        status = kWrongInput;
        return false;
    }
    trimming.work = work->name;
    trimming.modelled = {runOf(*work, trimming.full), runOf(*work, trimming.trimmed)};
    for (RefilledMachine* machine : {&trimming.cores, &trimming.units})
        machine->run = machine->isMore ? runOf(*work, machine->preset) : trimming.modelled->after;
    return true;
}

std::vector<std::string> differencesOf(const Trimming& trimming) {
    std::vector<std::string> lines;
    if (!trimming.modelled) return lines;
    const auto compare = [&](const model::Preset& preset, double predicted, const ModelledRun& run) {
        const double modelled = speedup(trimming.modelled->before, run);
        if (predicted <= kAlike * modelled && modelled <= kAlike * predicted) return;
        const std::string line = fmt::format(
            "{}: predicted {:.2f} times as fast, by the cycle model {:.2f} with {}; "
            "bound by: {}",
            machineText(trimming, preset), predicted, modelled, trimming.work, run.bound);
        if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
    };
    compare(trimming.trimmed, 1, trimming.modelled->after);
    compare(trimming.cores.preset, trimming.cores.speedup, trimming.cores.run);
    compare(trimming.units.preset, trimming.units.speedup, trimming.units.run);
    return lines;
}

}  // namespace tessera::tools
