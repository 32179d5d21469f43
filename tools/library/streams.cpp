// Recorded command streams, and the model of the chip.
#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/process/env.h"
#include "inspect/pixel_recorder.h"
#include "model/chip/unit/machine.h"
#include "model/chip/workload_file.h"
#include "model/report/lines.h"
#include "model/report/plots.h"
#include "model/report/viewers.h"
#include "model/report/why.h"
#include "model/trim/trim.h"
#include "pipeline/command/command_buffer.h"
#include "pipeline/command/gpu.h"
#include "pipeline/recording/needed_steps.h"
#include "pipeline/recording/replay.h"
#include "shader-core/interp/interpreter.h"
#include "tools/commands/listing.h"
#include "tools/library/library.h"
#include "tools/model/stream_workload.h"
#include "tools/pixel/pixel_history.h"

using namespace tessera;
using namespace tessera::tools;
using namespace tessera::tools::library;

struct TesseraModel {
    std::shared_ptr<const model::Workload> workload;
    model::Preset preset;
    model::Result result;
};

namespace {

constexpr const char* kStream = "stream";

/// The stream; nothing, with the error set. What is cut off is warned of.
std::optional<pipeline::CommandStream> decoded(const void* bytes, size_t size) {
    std::optional<pipeline::CommandStream> stream;
    if (bytes == nullptr) {
        (void)fail("there are no bytes");
        return stream;
    }
    std::string problem;
    stream = pipeline::decodeCommands({static_cast<const std::byte*>(bytes), size}, &problem);
    if (!stream) (void)fail(problem, kStream);
    if (stream && stream->cut)
        addProblem({.isError = false, .file = kStream, .message = pipeline::cutText(*stream->cut)});
    return stream;
}

/// The last frame in which something is drawn or cleared; 0 where nothing is.
uint64_t lastDrawnFrame(const pipeline::CommandStream& stream) {
    uint64_t frame = 0, last = 0;
    for (const pipeline::CommandStream::Step& step : stream.steps) {
        const auto* command = std::get_if<pipeline::Command>(&step);
        if (command == nullptr) continue;
        if (std::holds_alternative<pipeline::EndFrame>(*command)) ++frame;
        if (std::holds_alternative<pipeline::Draw>(*command) || std::holds_alternative<pipeline::Clear>(*command))
            last = frame;
    }
    return last;
}

class EndOfStream final : public pipeline::Task {
public:
    explicit EndOfStream(std::shared_ptr<inspect::PixelRecording> recording) : recording_(std::move(recording)) {}
    [[nodiscard]] const char* name() const override { return "end of the stream"; }
    void run() override { recording_->end(); }

private:
    const std::shared_ptr<inspect::PixelRecording> recording_;
};

std::optional<inspect::PixelRecord> recordOf(pipeline::CommandStream& stream, const inspect::PixelRequest& request) {
    std::optional<inspect::PixelRecord> record;
    const auto recording =
        inspect::recordPixels(request, [&record](inspect::PixelRecord&& one) { record = std::move(one); });
    pipeline::Gpu gpu(interp::makeInterpreter(), threadCount());
    gpu.setPixelProbe(recording);
    gpu.setTimeLimit({});  // what was drawn is drawn again, however long the interpreter takes
    const pipeline::ReplayResult result = pipeline::replay(stream, gpu);
    pipeline::CommandBuffer last;
    last.commands.emplace_back(pipeline::RunTask{std::make_shared<EndOfStream>(recording)});
    gpu.wait(gpu.submit(std::move(last)));
    for (const std::string& fault : result.faults) addProblem({.isError = false, .file = kStream, .message = fault});
    for (const std::shared_ptr<pipeline::Program>& program : stream.programs)
        for (pipeline::ProgramStage& stage : program->stages.each) stage.routine = nullptr;
    return record;
}

}  // namespace

TESSERA_EXPORT TesseraText* tesseraExplain(const void* bytes, size_t size, uint64_t frame, uint32_t x, uint32_t y,
                                           const char* form) {
    return call<TesseraText*>([&]() -> TesseraText* {
        const std::string_view kind = form != nullptr ? form : "text";
        if (kind != "text" && kind != "json" && kind != "capture")
            return fail("an explanation is text, json or capture");
        constexpr uint32_t kMost = 1u << 20;
        if (x >= kMost || y >= kMost) return fail(fmt::format("no picture has a pixel {},{}", x, y), kStream);
        auto stream = decoded(bytes, size);
        if (!stream) return nullptr;
        inspect::PixelRequest request;
        request.frame = frame != UINT64_MAX ? frame : lastDrawnFrame(*stream);
        request.pixels = {{static_cast<int>(x), static_cast<int>(y)}};
        request.capture = kind == "capture";
        auto record = recordOf(*stream, request);
        if (!record) return fail(fmt::format("the stream has no frame {}", request.frame), kStream);
        const nlohmann::json report = nlohmann::json::parse(record->report, nullptr, false);
        if (kind == "json") return text(std::move(record->report));
        if (kind == "text") return text(historyText(report, {.allTargets = !report.contains("surface")}));
        if (!record->capture)
            return fail(fmt::format("no program was run for pixel {},{} in frame {}", x, y, request.frame), kStream);
        return text({reinterpret_cast<const char*>(record->capture->data()), record->capture->size()});
    });
}

TESSERA_EXPORT int tesseraFrames(const void* bytes, size_t size, uint64_t* frames) {
    return call<int>([&]() -> int {
        if (frames == nullptr) return fail("there is no place for the number");
        const auto stream = decoded(bytes, size);
        if (!stream) return 0;
        *frames = pipeline::frameCount(*stream);
        return 1;
    });
}

TESSERA_EXPORT TesseraText* tesseraListCommands(const void* bytes, size_t size, const char* form) {
    return call<TesseraText*>([&]() -> TesseraText* {
        const auto stream = decoded(bytes, size);
        if (!stream) return nullptr;
        return text(form != nullptr && std::string_view(form) == "json" ? listingJson(*stream) : listing(*stream));
    });
}

// --- The model ---

TESSERA_EXPORT TesseraWorkload* tesseraWorkOfStream(const void* bytes, size_t size, const char* name, uint64_t first,
                                                    uint64_t last) {
    return call<TesseraWorkload*>([&]() -> TesseraWorkload* {
        if (last < first) return fail("the last frame is none before the first");
        auto stream = decoded(bytes, size);
        if (!stream) return nullptr;
        const std::string called = name != nullptr ? name : kStream;
        std::vector<std::string> problems;
        auto workload =
            workloadOfStream(*stream, called, {std::min(first, UINT64_MAX - 1) + 1, std::min(last, UINT64_MAX - 1) + 1},
                             nullptr, problems);
        for (const std::string& problem : problems) (void)fail(problem, called);
        if (!workload) return nullptr;
        if (workload->commands.empty()) return fail("nothing is drawn in these frames", called);
        return new TesseraWorkload{std::move(*workload)};
    });
}

TESSERA_EXPORT TesseraWorkload* tesseraReadWork(const void* bytes, size_t size) {
    return call<TesseraWorkload*>([&]() -> TesseraWorkload* {
        if (bytes == nullptr) return fail("there are no bytes");
        std::string problem;
        auto workload = model::loadWorkload({static_cast<const std::byte*>(bytes), size}, &problem);
        if (!workload) return fail(problem, "workload");
        return new TesseraWorkload{std::move(*workload)};
    });
}

TESSERA_EXPORT TesseraText* tesseraWorkBytes(const TesseraWorkload* work) {
    return call<TesseraText*>([&]() -> TesseraText* {
        if (work == nullptr) return fail("there is no workload");
        return text(model::saveWorkload(work->workload));
    });
}

TESSERA_EXPORT void tesseraFreeWork(TesseraWorkload* work) { delete work; }

TESSERA_EXPORT TesseraModel* tesseraModel(const TesseraWorkload* work, const char* preset,
                                          const char* const* parameters, size_t count, int threads) {
    return call<TesseraModel*>([&]() -> TesseraModel* {
        if (work == nullptr || (parameters == nullptr && count != 0))
            return fail("there is no workload, or no parameters");
        if (threads < 0 || threads > 1024) return fail("the model runs on 1 to 1024 threads");
        std::string problem;
        auto machine = model::loadPreset(preset != nullptr ? preset : "tessera", &problem);
        if (!machine) return fail(problem);
        for (size_t i = 0; i < count; ++i) {
            if (parameters[i] == nullptr) return fail("there is a parameter missing");
            if (!model::setParameter(*machine, parameters[i], &problem)) return fail(problem);
        }
        for (const model::ProgramUse& use : work->workload.programs)
            if (const auto refused = model::refusal(*use.program, *machine))
                return fail(model::refusalText(*refused, use.name));
        if (const std::string why = model::cannotRun(work->workload, *machine); !why.empty()) return fail(why);
        auto kept = std::make_shared<const model::Workload>(work->workload);
        const model::MachineOptions options{
            .threads = threads != 0 ? threads : threadCount(), .keepStalls = true, .keepLevels = true};
        model::Result result = model::simulate(*kept, *machine, options);
        return new TesseraModel{std::move(kept), std::move(*machine), std::move(result)};
    });
}

TESSERA_EXPORT void tesseraFreeModel(TesseraModel* model) { delete model; }

TESSERA_EXPORT TesseraText* tesseraReport(const TesseraModel* model, const char* form, const char* question) {
    return call<TesseraText*>([&]() -> TesseraText* {
        if (model == nullptr) return fail("there is no model");
        const std::string_view kind = form != nullptr ? form : "text";
        const auto& [workload, preset, result] = *model;
        if (kind == "text") return text(model::reportText(result, *workload));
        if (kind == "json") return text(model::reportJson(result, *workload));
        if (kind == "use.svg") return text(model::usePlot(result));
        if (kind == "draws.svg") return text(model::drawsPlot(result, *workload));
        if (kind == "lines.svg") return text(model::linesPlot(result, *workload));
        if (kind == "lines") {
            nlohmann::ordered_json programs = nlohmann::ordered_json::array();
            for (const model::ProgramCost& cost : model::costsOf(*workload, result, preset))
                programs.push_back(model::costJson(cost));
            return text(programs.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
        }
        if (kind == "why") {
            std::string problem;
            const auto asked = model::readQuestion(question != nullptr ? question : "top", result, &problem);
            if (!asked) return fail(problem);
            return text(model::whyText(*asked, result, *workload, preset));
        }
        std::ostringstream out;
        if (kind == "perfetto")
            model::writeTimeline(out, result, *workload);
        else if (kind == "vcd")
            model::writeWaves(out, result);
        else
            return fail(
                "a report is text, json, lines, use.svg, draws.svg, lines.svg, perfetto, vcd or an answer to why");
        return text(std::move(out).str());
    });
}
