// model_alone: the chip, with a workload that was recorded before. What `tessera model FILE.tsw` prints, from a program
// that needs neither the driver nor LLVM: for lectures that change the machine (docs/model-exercises.md).
//
//   model_alone [--preset NAME] [--memory NAME] [--set NAME=VALUE]... [--why QUESTION | --json] FILE.tsw
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

#include "base/process/read_file.h"
#include "model/chip/unit/machine.h"
#include "model/chip/workload_file.h"
#include "model/report/why.h"

namespace {

using namespace tessera;

constexpr int kWrongInput = 1;

struct Options {
    std::string file, preset = "tessera", memory, why;
    std::vector<std::string> parameters;
    bool json = false;
};

int fail(const std::string& what) {
    fmt::print(stderr, "{}\n", what);
    return kWrongInput;
}

int run(const Options& options) {
    std::string problem;
    std::optional<model::Preset> preset = model::loadPreset(options.preset, &problem);
    if (!preset || (!options.memory.empty() && !model::setMemory(*preset, options.memory, &problem)))
        return fail(problem);
    for (const std::string& parameter : options.parameters)
        if (!model::setParameter(*preset, parameter, &problem)) return fail(problem);

    const std::optional<std::string> bytes = readWholeFile(options.file, problem);
    const std::optional<model::Workload> workload =
        bytes ? model::loadWorkload(std::as_bytes(std::span(*bytes)), &problem) : std::nullopt;
    if (!workload) return fail(fmt::format("{}: error: {}", options.file, problem));
    if (const std::string reason = model::cannotRun(*workload, *preset); !reason.empty())
        return fail(fmt::format("{}: error: {}", options.file, reason));

    model::MachineOptions machine;
    machine.keepStalls = !options.why.empty();
    const model::Result result = model::simulate(*workload, *preset, machine);
    if (options.why.empty()) {
        fmt::print("{}", options.json ? model::reportJson(result, *workload) : model::reportText(result, *workload));
        return 0;
    }
    const auto question = model::readQuestion(options.why, result, &problem);
    if (!question) return fail(fmt::format("--why: error: {}", problem));
    fmt::print("{}", model::whyText(*question, result, *workload, *preset));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("The cycle model alone: what a machine does with a recorded workload");
    app.add_option("file", options.file, "A workload, as tessera model --save writes it")->required();
    app.add_option("--preset", options.preset, "The machine: a preset's name or file; default tessera");
    app.add_option("--memory", options.memory, "Its memory: a name or a file; default: the preset's");
    app.add_option("--set", options.parameters, "Another value of a parameter: NAME=VALUE (repeatable)")
        ->take_all()
        ->allow_extra_args(false);
    CLI::Option* why =
        app.add_option("--why", options.why, "Instead of the report: what a cycle waited for, or run, top");
    app.add_flag("--json", options.json, "Print the report as JSON")->excludes(why);
    CLI11_PARSE(app, argc, argv);
    return run(options);
}
