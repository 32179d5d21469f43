#include "tools/model/stream_workload.h"

#include <chrono>
#include <utility>

#include "pipeline/command/gpu.h"
#include "pipeline/recording/replay.h"

namespace tessera::tools {

std::optional<model::Workload> workloadOfStream(pipeline::CommandStream& stream, const std::string& name,
                                                FrameRange frames, const model::Recorder::Progress& progress,
                                                std::vector<std::string>& problems) {
    model::Recorder recorder(frames, progress);
    pipeline::ReplayResult result;
    {
        pipeline::Gpu gpu(recorder.executor(), 1);
        gpu.setMachineProbe(recorder);
        gpu.setTimeLimit(std::chrono::milliseconds(0));
        result = pipeline::replay(stream, gpu);
        // What runs it is the recorder's.
        for (const std::shared_ptr<pipeline::Program>& program : stream.programs)
            for (pipeline::ProgramStage& stage : program->stages.each) stage.routine = nullptr;
    }
    problems = std::move(result.faults);
    if (!result.mismatches.empty())
        problems.emplace_back(
            "the replay draws other pixels than were recorded; was it recorded by this build, and with this "
            "TESSERA_BUDGET?");
    if (recorder.isFull())
        problems.emplace_back("more instructions than a workload holds; give fewer frames (--frames)");
    if (!problems.empty()) return std::nullopt;
    model::Workload workload = recorder.take();
    workload.name = name;
    return workload;
}

}  // namespace tessera::tools
