// tessera trim
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "tools/files.h"
#include "tools/run/machine_check.h"
#include "tools/trim/mix_plot.h"
#include "tools/trim/modelled.h"
#include "tools/trim/trim_report.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

struct Options {
    SubjectOptions subjects;
    std::string preset = "tessera", device, output, refill, report, plot;
    bool each = false, noModel = false;
    WorkChoice work;
};

/// One machine for all the programs together.
TrimSubject together(const std::vector<TrimSubject>& subjects) {
    if (subjects.size() == 1) return subjects.front();
    TrimSubject all{.name = "", .group = "programs"};
    bool executed = true;
    model::InstructionCounts counts;
    for (const TrimSubject& subject : subjects) {
        all.name += (all.name.empty() ? "" : ", ") + subject.name;
        for (const TrimSubject::Member& member : subject.members) all.add(member);
        executed = executed && subject.executed;
        counts.add(subject.counts());
    }
    if (executed) all.executed = counts;
    return all;
}

/// Takes out the subjects that the machine cannot execute; says why the first of them.
std::string takeExecutable(std::vector<TrimSubject>& subjects, const model::Preset& machine) {
    std::string why;
    std::erase_if(subjects, [&](const TrimSubject& subject) {
        for (const TrimSubject::Member& member : subject.members) {
            const std::optional<model::Refusal> refused = model::refusal(*member.program, machine);
            if (!refused) continue;
            if (why.empty()) why = model::refusalText(*refused, member.file);
            return true;
        }
        return false;
    });
    return why;
}

std::string plotOf(const std::vector<TrimSubject>& subjects) {
    std::vector<MixBar> bars;
    for (const TrimSubject& subject : subjects)
        bars.push_back({subject.name, subject.group, mixOf(subject.counts()), subject.executed.has_value()});
    return mixSvg(bars);
}

/// The machine that -o writes.
const model::Preset& machineOf(const Trimming& trimming, const std::string& refill) {
    if (refill.empty()) return trimming.trimmed;
    return refill == "cores" ? trimming.cores.preset : trimming.units.preset;
}

int run(const Options& options) {
    const std::optional<model::Preset> full = loadMachine(options.preset);
    if (!full) return kWrongInput;
    std::optional<model::ResourceTable> device;
    if (!options.device.empty()) {
        std::string problem;
        device = model::loadDevice(options.device, &problem);
        if (!device) return printLocated(problem), kWrongInput;
    }
    const model::ResourceTable& table = device ? *device : model::resourceTable();
    int status = kDone;
    std::optional<std::vector<TrimSubject>> subjects = readSubjects(options.subjects, status);
    if (!subjects) return status;
    // Of all kernels and demos those that the machine can execute; what was asked for by name it must.
    const std::string refused = takeExecutable(*subjects, *full);
    if (!refused.empty() && (!options.subjects.all || subjects->empty())) {
        fmt::print(stderr, "{}\n", refused);
        return kWrongInput;
    }
    std::vector<Trimming> trimmings;
    if (options.each || options.subjects.all)
        for (const TrimSubject& subject : *subjects) trimmings.push_back(trim(subject, *full, table));
    else
        trimmings.push_back(trim(together(*subjects), *full, table));

    // Many machines are a table, which says what throughput predicts.
    if (trimmings.size() == 1 && !options.noModel && !modelTrimming(trimmings.front(), options.work, status))
        return status;
    for (const std::string& line : differencesOf(trimmings.front())) fmt::print(stderr, "warning: {}\n", line);
    if (!options.output.empty() &&
        !writeFile(options.output, model::presetText(machineOf(trimmings.front(), options.refill))))
        return kTrouble;
    if (!options.plot.empty() && !writeFile(options.plot, plotOf(*subjects))) return kTrouble;
    const std::string text = trimmings.size() == 1 ? describeTrimming(trimmings.front()) : trimmingTable(trimmings);
    if (options.report.empty()) {
        fmt::print("{}", text);
        return kDone;
    }
    const bool json = options.report.ends_with(".json");
    return writeFile(options.report, json ? trimmingJson(trimmings) : text) ? kDone : kTrouble;
}

}  // namespace

void addTrim(CLI::App& app, int& status) {
    const auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("trim", "A machine without what its programs do not need: area, power, speed");
    verb->add_option("program", options->subjects.programs,
                     "Assembly (.tsa), binaries (.tsb), GLSL (.vert, .frag), recordings (.tsc, .tsc.compute-1), or "
                     "names of programs of the "
                     "repository's kernels and demos, as fft and plasma; one machine for all of them");
    verb->add_option("--preset", options->preset,
                     "The machine that is trimmed: a name or a .toml file; default tessera");
    verb->add_option("--device", options->device,
                     fmt::format("The FPGA: {}, or a .toml file; default: the resource table's",
                                 fmt::join(model::deviceNames(), ", ")));
    CLI::Option* output = verb->add_option("-o,--output", options->output, "Write the trimmed machine as a preset");
    verb->add_option("--refill", options->refill,
                     "Write the machine whose free area is filled: with block processors or with lanes of each")
        ->check(CLI::IsMember({"cores", "units"}))
        ->needs(output);
    verb->add_option("--report", options->report, "Write the report to this file: .json, else Markdown");
    verb->add_option("--plot", options->plot, "Write the instruction mix of each program as stacked bars (SVG)");
    verb->add_flag("--each", options->each, "A machine for each program");
    verb->add_flag("--all", options->subjects.all,
                   "Each kernel and demo of the repository that the machine can execute, besides the programs given");
    verb->add_option("--root", options->subjects.root, "The repository's folder, for --all and for names; default .");
    verb->add_option("--profile", options->subjects.profile,
                     "How often instructions were executed, as `kernels --profile FILE` writes it");
    CLI::Option* work = verb->add_option(
        "--work", options->work.what,
        "What the cycle model runs on the machines: a workload (.tsw), a recording, or a kernel of the suite; default: "
        "the recording or the kernel that is trimmed to");
    verb->add_option("--size", options->work.size,
                     "Of that kernel: small, paper or large; default: paper where that takes seconds, else small")
        ->check(CLI::IsMember({"small", "paper", "large"}));
    verb->add_flag("--no-model", options->noModel, "Predict speed by throughput alone")->excludes(work);
    verb->footer(
        "What is counted, and how far to believe it: docs/trim.md. A trimmed machine refuses programs that need more:\n"
        "tessera run --preset trimmed.toml. Exit status 1 when a program or a preset is wrong.\n"
        "Speed is predicted by throughput; the cycle model runs the work on the machines, and a warning tells where "
        "both\n"
        "differ.\n"
        "Example: tessera trim fft.tsa -o fft.toml --refill cores --report fft.md");
    verb->callback([options, verb, output, work, &status] {
        if (options->subjects.programs.empty() && !options->subjects.all)
            throw CLI::ValidationError(verb->get_name(), "name programs, or give --all");
        if (output->count() != 0 && (options->each || options->subjects.all))
            throw CLI::ValidationError(verb->get_name(), "-o is for one machine, not for --each and --all");
        if (work->count() != 0 && (options->each || options->subjects.all))
            throw CLI::ValidationError(verb->get_name(), "--work is for one machine, not for --each and --all");
        status = run(*options);
    });
}

}  // namespace tessera::tools
