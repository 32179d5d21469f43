#include "tools/model/outputs.h"

#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "model/report/plots.h"
#include "model/report/viewers.h"
#include "model/report/why.h"
#include "tools/files.h"

namespace tessera::tools {

namespace {

/// Text for a file, or nothing when no file is wanted.
template <typename Write>
bool exportTo(const std::string& file, const Write& write) {
    if (file.empty()) return true;
    std::ostringstream text;
    write(text);
    return writeFile(file, text.str());
}

}  // namespace

void addOutputOptions(CLI::App& verb, OutputOptions& options) {
    verb.add_option(
        "--why", options.why,
        "Instead of the report: why block processors were idle in a CYCLE, a unit was (\"pixel engine "
        "2:CYCLE\"), what a command's cycles went to (\"draw 3\", \"transfer 1\"), what all of the run's did "
        "(run), or the longest waits (top); back to a GL call and a line");
    verb.add_option("--perfetto", options.timeline, "Write a timeline (ui.perfetto.dev); one cycle is a microsecond");
    verb.add_option(
        "--vcd", options.waves,
        "Write the units' states and how full queues are as a waveform (GTKWave); one cycle is a nanosecond");
    verb.add_option("--konata", options.pipeline, "Write each issue's way through the pipeline (Konata)");
    verb.add_option(
        "--requests", options.requests,
        "Write what is asked of memory outside, a line each: address, READ or WRITE, memory cycle (DRAMsim3, "
        "Ramulator)");
    verb.add_option("--plots", options.plots,
                    "Write plots: PREFIX-use.svg, what units did over time; PREFIX-draws.svg, what bounds each draw; "
                    "PREFIX-lines.svg, what each line costs")
        ->option_text("PREFIX");
}

model::MachineOptions machineOptions(const OutputOptions& options) {
    return {.keepStalls = !options.why.empty() || !options.timeline.empty() || !options.waves.empty(),
            .keepIssues = !options.pipeline.empty(),
            .keepLevels = !options.waves.empty(),
            .keepRequests = !options.requests.empty()};
}

int writeOutputs(const OutputOptions& options, const model::Result& result, const model::Workload& workload,
                 const model::Preset& preset) {
    std::optional<model::Question> question;
    if (!options.why.empty()) {
        std::string problem;
        question = model::readQuestion(options.why, result, &problem);
        if (!question) {
            fmt::print(stderr, "error: {}\n", problem);
            return kWrongInput;
        }
    }
    const bool written =
        exportTo(options.timeline, [&](std::ostream& out) { model::writeTimeline(out, result, workload); }) &&
        exportTo(options.waves, [&](std::ostream& out) { model::writeWaves(out, result); }) &&
        exportTo(options.requests, [&](std::ostream& out) { model::writeRequests(out, result, preset); }) &&
        exportTo(options.pipeline, [&](std::ostream& out) { model::writePipeline(out, result, workload, preset); });
    if (!written) return kTrouble;
    if (!options.plots.empty() && !(writeFile(options.plots + "-use.svg", model::usePlot(result)) &&
                                    writeFile(options.plots + "-draws.svg", model::drawsPlot(result, workload)) &&
                                    writeFile(options.plots + "-lines.svg", model::linesPlot(result, workload))))
        return kTrouble;
    if (question) fmt::print("{}", model::whyText(*question, result, workload, preset));
    return kDone;
}

}  // namespace tessera::tools
