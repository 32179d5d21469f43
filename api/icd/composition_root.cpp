// Where the driver is put together: its tier, and who watches.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "api/gles/driver.h"
#include "base/frame_range.h"
#include "base/process/env.h"
#include "base/process/recording_file.h"
#include "base/process/signals.h"
#include "inspect/pixel_recorder.h"
#include "model/texture_cache_probe.h"
#include "pipeline/command/command_buffer.h"
#include "pipeline/recording/encode.h"
#include "shader-core/interp/interpreter.h"
#include "shader-core/tier/tier.h"

namespace {

using namespace tessera;

pipeline::Gpu& gpu() { return gles::Driver::instance().gpu(); }

std::shared_ptr<isa::Executor> makeExecutor() {
    return tier::makeExecutor(tier::tierFromEnvironment(tier::Tier::Tiered));
}

/// The process whose GPU is listened to: 0 until it is made.
pid_t gpuProcess = 0;

/// The child of a fork() has heard of a part of a frame that is its parent's.
void writeStream(const std::string& path, const std::string& bytes) {
    if (getpid() != gpuProcess) return;
    RecordingFile file("TESSERA_TEXTURE_STREAM", path, RecordingFile::Devices::Written);
    file.write(bytes);
    file.finish();
}

/// TESSERA_STATS: the texture caches' counters after each frame. TESSERA_TEXTURE_STREAM=FILE: the address stream of
/// frame TESSERA_TEXTURE_FRAME (1) as a file, for `tessera tex cache`. Null when neither is asked for.
model::TextureCacheProbe* makeProbe() {
    const std::string file = envString("TESSERA_TEXTURE_STREAM", "");
    model::TextureCacheProbe::Options options;
    if (envFlag("TESSERA_STATS"))
        options.report = [](const std::string& text) {
            const WriteSignalsBlocked noSignal;
            std::fputs(text.c_str(), stderr);
        };
    if (!file.empty()) options.recorded = [file](const std::string& bytes) { writeStream(file, bytes); };
    options.recordedFrame = static_cast<uint64_t>(textureFrame());
    if (!options.report && !options.recorded) return nullptr;
    return new model::TextureCacheProbe(std::move(options));  // lives as long as the process
}

model::TextureCacheProbe* const kProbe = makeProbe();

/// A frame that no swap ended ends with the process.
class EndLastFrame final : public pipeline::Task {
    [[nodiscard]] const char* name() const override { return "end of the texture caches' last frame"; }
    void run() override {
        if (kProbe->inFrame()) kProbe->endFrame();
    }
};

void endLastFrame() {
    pipeline::CommandBuffer end;
    end.commands.emplace_back(pipeline::RunTask{std::make_shared<EndLastFrame>()});
    gpu().wait(gpu().submit(std::move(end)));
}

/// Streams are of the interpreter: it alone makes no secret of the order in which a group's lookups run.
std::shared_ptr<isa::Executor> makeProbedExecutor() {
    reportEnvProblems();
    gpuProcess = getpid();
    std::atexit(endLastFrame);
    return interp::makeInterpreter();
}

/// TESSERA_COMMANDS=FILE: the command stream, of the frames TESSERA_COMMANDS_FRAME or all. A stream that no last frame
/// ends, ends with the process.
class EndRecording final : public pipeline::Task {
public:
    explicit EndRecording(std::shared_ptr<pipeline::CommandRecorder> recorder) : recorder_(std::move(recorder)) {}
    [[nodiscard]] const char* name() const override { return "end of the recording"; }
    void run() override { recorder_->finish(); }

private:
    const std::shared_ptr<pipeline::CommandRecorder> recorder_;
};

void recordCommands(pipeline::Gpu& made) {
    const std::string file = envString("TESSERA_COMMANDS", "");
    if (file.empty()) return;
    const FrameRange frames = frameRange(envString("TESSERA_COMMANDS_FRAME", "")).value_or(FrameRange{});
    static auto& recorder = *new auto(std::make_shared<pipeline::CommandRecorder>(file, frames));
    made.setCommandProbe(recorder);
    std::atexit([] {
        pipeline::CommandBuffer last;
        last.commands.emplace_back(pipeline::RunTask{std::make_shared<EndRecording>(recorder)});
        gpu().wait(gpu().submit(std::move(last)));
    });
}

[[maybe_unused]] const bool kInstalled = [] {
    gles::setExecutorFactory(kProbe != nullptr ? makeProbedExecutor : makeExecutor);
    gles::setTextureProbe(kProbe);
    gles::setGpuPreparation([](pipeline::Gpu& made) {
        made.setPixelProbe(inspect::makePixelRecorder(gpu));
        recordCommands(made);
    });
    return true;
}();

}  // namespace
