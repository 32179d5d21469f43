#include "tools/model/sample.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "model/report/frame_sample.h"
#include "tools/files.h"

namespace tessera::tools {

void addSampleOptions(CLI::App& verb, SampleOptions& options) {
    CLI::Option* size = verb.add_option(
        "--sample", options.size,
        "Model so many frames of the run, chosen by what they ask for, and estimate all with the error to expect; "
        "auto: so many that it is 1 %");
    // These say when something happened, and most frames do not.
    for (const char* other :
         {"--why", "--perfetto", "--vcd", "--konata", "--requests", "--plots", "--sweep", "--summary"})
        size->excludes(verb.get_option(other));
    verb.add_flag("--sample-check", options.check,
                  "With --sample: model all frames too, and print the real error and how much faster it went")
        ->needs(size);
}

int sample(const SampleOptions& options, const model::Workload& workload, const model::Preset& preset,
           const model::MachineOptions& machine, bool json) {
    const auto frames = static_cast<size_t>(
        std::ranges::count(workload.commands, model::CommandWork::Kind::EndFrame, &model::CommandWork::kind));
    std::string problem;
    const std::optional<model::SampleSize> size = model::readSampleSize(*options.size, frames, &problem);
    if (!size) {
        printLocated(problem);
        return kWrongInput;
    }
    using Clock = std::chrono::steady_clock;
    const auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
    const Clock::time_point start = Clock::now();
    const model::FrameSample result = model::sampleFrames(workload, preset, *size, machine);
    const Clock::time_point sampled = Clock::now();
    std::optional<model::SampleCheck> check;
    if (options.check) {
        check.emplace();
        check->frames = model::modelAllFrames(workload, preset, machine);
        check->sampledSeconds = seconds(sampled - start);
        check->wholeSeconds = seconds(Clock::now() - sampled);
    }
    const model::SampleCheck* const checked = check ? &*check : nullptr;
    fmt::print("{}", json ? model::sampleJson(result, checked) : model::sampleText(result, checked));
    return kDone;
}

}  // namespace tessera::tools
