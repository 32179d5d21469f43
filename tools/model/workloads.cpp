#include "tools/model/workloads.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "base/nearest.h"
#include "base/process/own_folder.h"
#include "demos/kernels/runner.h"
#include "model/chip/record.h"
#include "model/chip/workload_file.h"
#include "tools/commands/recording.h"
#include "tools/files.h"
#include "tools/model/stream_workload.h"
#include "tools/running_program.h"

namespace tessera::tools {

namespace {

using namespace std::chrono_literals;

constexpr FrameRange kDefaultFrame{2, 2};  ///< the first one makes what the others draw with

/// One line on a terminal that is written over, a few times a second.
class ProgressLine {
public:
    ~ProgressLine() {
        if (isShown_) fmt::print(stderr, "\r\033[K");
    }
    void show(const model::Workload& workload) {
        const auto now = std::chrono::steady_clock::now();
        if (!isTerminal_ || now - last_ < 200ms) return;
        last_ = now;
        isShown_ = true;
        fmt::print(stderr, "\r\033[Krecording: {} draws, {} instructions", workload.draws.size(),
                   workload.executed.size());
        std::fflush(stderr);
    }

private:
    const bool isTerminal_ = isatty(STDERR_FILENO) != 0;
    bool isShown_ = false;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Executes a command stream with a recorder listening.
std::optional<model::Workload> recordStream(pipeline::CommandStream& stream, const std::string& name, FrameRange frames,
                                            int& status) {
    ProgressLine progress;
    std::vector<std::string> problems;
    auto workload =
        workloadOfStream(stream, name, frames, [&](const model::Workload& soFar) { progress.show(soFar); }, problems);
    for (const std::string& problem : problems) fmt::print(stderr, "{}: error: {}\n", name, problem);
    status = kWrongInput;
    return workload;
}

/// Of a name that is neither a kernel's nor a program's.
void printUnknown(const std::string& name) {
    const auto rows = kernels::suite();
    std::vector<std::string_view> names;
    for (const kernels::Row& row : rows) names.push_back(row.name);
    const std::string_view near = nearest(names, name);
    fmt::print(stderr, "{}: error: no program and no kernel is called so{}\n", name,
               near.empty() ? "; --list has the kernels" : fmt::format("; did you mean the kernel {}?", near));
}

std::optional<model::Workload> workloadOfProgram(const WorkloadOptions& options, int& status) {
    const FrameRange frames = options.frames.value_or(kDefaultFrame);
    status = kNothingGiven;
    if (!isOnPath(options.what[0])) {
        printUnknown(options.what[0]);
        return std::nullopt;
    }
    std::optional<Recording> recording = recordProgram(options.what, frames, options.timeout, "--frames", status);
    if (!recording) return std::nullopt;
    const std::string name = std::filesystem::path(options.what[0]).filename().string();
    const bool isOne = frames.first == frames.last;
    std::optional<model::Workload> workload =
        recordStream(recording->stream,
                     isOne ? fmt::format("{}, frame {}", name, frames.first)
                           : fmt::format("{}, frames {} to {}", name, frames.first, frames.last),
                     {}, status);
    if (!workload) return std::nullopt;
    if (workload->commands.empty()) {
        fmt::print(stderr, "{}: error: it drew nothing from frame {} on; try an earlier one (--frames)\n",
                   options.what[0], frames.first);
        status = kWrongInput;
        return std::nullopt;
    }
    // The stream's first frame is the program's `first`-th.
    for (model::CommandWork& command : workload->commands)
        if (command.kind == model::CommandWork::Kind::EndFrame) command.item += static_cast<uint32_t>(frames.first - 1);
    return workload;
}

// --- Kernels ---

/// What a recorder heard of launches, unless there was too much.
std::optional<model::Workload> launchesOf(model::Recorder& recorder, const std::string& name, int& status) {
    if (recorder.isFull()) {
        fmt::print(stderr, "{}: error: more instructions than a workload holds; give it less to do\n", name);
        status = kWrongInput;
        return std::nullopt;
    }
    model::Workload workload = recorder.take();
    workload.name = name;
    return workload;
}

const kernels::Row* kernelNamed(const std::string& name) {
    const auto rows = kernels::suite();
    const auto row = std::ranges::find(rows, name, &kernels::Row::name);
    return row != rows.end() ? &*row : nullptr;
}

std::optional<model::Workload> recordKernel(const kernels::Row& row, const WorkloadOptions& options, int& status) {
    const kernels::Scale scale = options.size == "small"   ? kernels::Scale::Small
                                 : options.size == "paper" ? kernels::Scale::Paper
                                                           : kernels::Scale::Large;
    const kernels::Job job = row.make(scale);
    const std::string programs = folderOf(reinterpret_cast<const void*>(&recordKernel)) + "../share/tessera/kernels";
    ProgressLine progress;
    model::Recorder recorder({}, [&](const model::Workload& workload) { progress.show(workload); });
    kernels::Runner runner(std::make_shared<compute::Device>(recorder.executor(), 1), programs);
    const kernels::Outcome outcome = runner.run(job);
    if (!outcome.failure.empty()) {
        fmt::print(stderr, "{}: error: {}\n", row.name, outcome.failure);
        status = kTrouble;
        return std::nullopt;
    }
    std::optional<model::Workload> workload = launchesOf(recorder, fmt::format("{}, {}", row.name, job.size), status);
    if (!workload) return std::nullopt;
    for (size_t i = 0; i < workload->launches.size() && i < job.steps.size(); ++i) {
        model::LaunchWork& launch = workload->launches[i];
        launch.name = job.steps[i].kernel;
        workload->programs[launch.program].name = job.steps[i].kernel;
    }
    return workload;
}

std::optional<model::Workload> recordComputeProgram(const WorkloadOptions& options, int& status) {
    const std::string& file = options.what[0];
    std::optional<isa::Program> read = readProgram(file, status);
    if (!read) return std::nullopt;
    const auto program = std::make_shared<const isa::Program>(std::move(*read));
    if (program->stage != isa::Stage::Compute) {
        fmt::print(stderr, "{}: error: it is no compute program; shaders are modelled in a GLES program's frame\n",
                   file);
        status = kWrongInput;
        return std::nullopt;
    }
    const std::optional<KernelInput> input = makeKernelInput(program, file, options.uniforms, options.kernel, status);
    if (!input) return std::nullopt;
    ProgressLine progress;
    model::Recorder recorder({}, [&](const model::Workload& workload) { progress.show(workload); });
    compute::Device device(recorder.executor(), 1);
    const auto launch = device.launch(*input->kernel, input->size);
    device.wait();
    if (!launch->ok()) {
        fmt::print(stderr, "{}: error: {}\n", file, launch->message);
        status = kWrongInput;
        return std::nullopt;
    }
    const std::string name = std::filesystem::path(file).stem().string();
    std::optional<model::Workload> workload = launchesOf(recorder, name, status);
    if (!workload) return std::nullopt;
    for (model::LaunchWork& one : workload->launches) one.name = name;
    for (model::ProgramUse& use : workload->programs) use.name = name;
    return workload;
}

}  // namespace

std::string kernelList() {
    std::string text;
    for (const kernels::Row& row : kernels::suite()) text += fmt::format("{:<24} seed {}\n", row.name, row.seed);
    return text;
}

WorkloadKind kindOfWorkload(const std::string& what) {
    if (what.ends_with(".tsa") || what.ends_with(".tsb")) return WorkloadKind::Compute;
    if (what.ends_with(".tsw")) return WorkloadKind::Saved;
    if (kernelNamed(what)) return WorkloadKind::Kernel;
    if (isCommandStream(what)) return WorkloadKind::Stream;
    const std::string magic = magicOf(what);
    return magic == "TSW1" ? WorkloadKind::Saved : magic == "TSB1" ? WorkloadKind::Compute : WorkloadKind::Program;
}

std::optional<model::Workload> makeWorkload(const WorkloadOptions& options, int& status) {
    const std::string& what = options.what[0];
    const WorkloadKind kind = kindOfWorkload(what);
    if (options.what.size() > 1 && kind != WorkloadKind::Program) {
        fmt::print(stderr, "{}: error: one is modelled at a time, and {} is another\n", what, options.what[1]);
        status = kWrongInput;
        return std::nullopt;
    }
    if (kind == WorkloadKind::Compute) return recordComputeProgram(options, status);
    if (kind == WorkloadKind::Kernel) return recordKernel(*kernelNamed(what), options, status);
    if (kind == WorkloadKind::Program) return workloadOfProgram(options, status);
    if (kind == WorkloadKind::Stream) {
        std::optional<Recording> recording = readRecording(what, status);
        if (!recording) return std::nullopt;
        return recordStream(recording->stream, what, options.frames.value_or(FrameRange{}), status);
    }
    status = kTrouble;
    const std::optional<std::string> bytes = readFile(what);
    if (!bytes) return std::nullopt;
    std::string problem;
    std::optional<model::Workload> workload = model::loadWorkload(std::as_bytes(std::span(*bytes)), &problem);
    if (!workload) {
        fmt::print(stderr, "{}: error: {}\n", what, problem);
        status = kWrongInput;
    }
    return workload;
}

}  // namespace tessera::tools
