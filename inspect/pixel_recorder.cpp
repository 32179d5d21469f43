#include "inspect/pixel_recorder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/process/env.h"
#include "base/process/read_file.h"
#include "base/process/recording_file.h"
#include "inspect/pixel_report.h"
#include "pipeline/command/command_buffer.h"
#include "pipeline/command/gpu.h"
#include "texture/transfer/transfer.h"

namespace tessera::inspect {

namespace {

using pipeline::PixelEvent;
using pipeline::RenderTarget;
using pipeline::WatchedPixel;

/// A request that a file holds, with the files to write.
struct RequestFile {
    PixelRequest request;
    std::string report, capture, vertices, picture, progress;
};

std::optional<RequestFile> readRequest(const std::string& path) {
    std::string why;
    const std::optional<std::string> text = readWholeFile(path, why);
    const nlohmann::json json = nlohmann::json::parse(text.value_or(""), nullptr, false);
    if (!json.is_object()) return std::nullopt;
    try {
        RequestFile file;
        file.report = json.at("report").get<std::string>();
        file.capture = json.value("capture", "");
        file.vertices = json.value("vertices", "");
        file.picture = json.value("picture", "");
        file.progress = json.value("progress", "");
        PixelRequest& request = file.request;
        request.frame = json.at("frame").get<uint64_t>();
        request.pixels = json.at("pixels").get<std::vector<std::array<int, 2>>>();
        request.bottomUp = json.value("bottomUp", false);
        request.capture = !file.capture.empty();
        request.vertices = !file.vertices.empty();
        request.picture = !file.picture.empty();
        request.draw = json.value("draw", int64_t{-1});
        request.primitive = json.value("primitive", int64_t{-1});
        return file;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

/// The right to write the report and what belongs to it. The first process that reaches the end of the frame has it,
/// and loses it by its own end alone.
class ReportClaim {
public:
    explicit ReportClaim(const std::string& report) : path_(report + ".claim") {
        file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        struct flock lock{};
        lock.l_type = F_WRLCK;
        lock.l_whence = SEEK_SET;
        const bool isTaken = file_ >= 0 && fcntl(file_, F_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN);
        struct stat there{};
        const bool isReported = stat(report.c_str(), &there) == 0 && S_ISREG(there.st_mode);
        isHeld_ = !isTaken && !isReported;
        if (file_ >= 0 && isTaken) close(std::exchange(file_, -1));
    }
    ~ReportClaim() {
        if (file_ < 0) return;
        (void)unlink(path_.c_str());
        close(file_);
    }
    ReportClaim(const ReportClaim&) = delete;
    ReportClaim& operator=(const ReportClaim&) = delete;

    [[nodiscard]] bool isHeld() const { return isHeld_; }

private:
    const std::string path_;
    int file_ = -1;
    bool isHeld_ = false;
};

class PixelRecorder final : public PixelRecording {
public:
    using Done = std::function<void(PixelRecord&&)>;
    using Progress = std::function<void(uint64_t frames)>;
    /// `progress`, unless null, hears how many frames have ended, from 0 on, until the one to record has.
    PixelRecorder(PixelRequest request, Done done, Progress progress)
        : request_(std::move(request)),
          done_(std::move(done)),
          progress_(std::move(progress)),
          histories_(request_.pixels.size()),
          origins_(request_.pixels.size()) {
        tellProgress();
    }

    bool isRecording() const override { return recording_ && !request_.pixels.empty(); }

    void draw(const pipeline::Draw& draw) override { add(&draw, describe(draw)); }
    void clear(const pipeline::Clear& clear) override { add(&clear, describe(clear)); }
    uint32_t number(const void* command) const override { return numbers_.at(command); }

    std::vector<WatchedPixel> pixels(const RenderTarget& target) const override {
        std::vector<WatchedPixel> pixels;
        if (request_.image && !drawsTo(target, *request_.image)) return pixels;
        for (size_t i = 0; i < request_.pixels.size(); ++i) {
            const auto [x, y] = request_.pixels[i];
            if (x < 0 || y < 0 || x >= target.width || y >= target.height) continue;
            pixels.push_back({x, request_.bottomUp ? y : target.height - 1 - y, i});
        }
        return pixels;
    }

    void event(const RenderTarget& target, const WatchedPixel& pixel, const PixelEvent& event) override {
        History& history = histories_[pixel.id][target.color[0].get()];
        if (history.events.empty()) history.target = describe(target);
        history.events.push_back(describe(event));
        if (Json& origin = origins_[pixel.id]; !origin.is_null())
            history.events.back()["origin"] = std::exchange(origin, Json());
        Json& command = commands_[event.command];
        if (event.kind == PixelEvent::Kind::Draw) {
            const std::scoped_lock lock(mutex_);  // pixels of other tiles may name the same draw
            if (command.contains("state")) return;
            command["state"] = describeState(event.key, event.values);
            command["way"] = describe(event.way);
        }
    }

    void shaded(const WatchedPixel& pixel, const pipeline::ProbedGroup& group) override {
        if (request_.origins) origins_[pixel.id] = colorOrigin(group, request_.numberOf);
        if (!request_.capture || pixel.id != 0) return;
        const uint32_t draw = number(group.draw);
        if (request_.draw >= 0 && draw != request_.draw) return;
        if (request_.primitive >= 0 && group.primitive != static_cast<uint64_t>(request_.primitive)) return;
        captured_ = {draw, group.primitive};
        capture_ = captureOf(group, request_.bottomUp, request_.frame, draw);
    }

    void shaded(const pipeline::ProbedVertices& vertices) override {
        if (!request_.vertices || vertices.primitive != static_cast<uint64_t>(request_.primitive)) return;
        const uint32_t draw = number(vertices.draw);
        if (draw != request_.draw) return;
        const std::scoped_lock lock(mutex_);
        vertices_ = captureOf(vertices, request_.frame, draw);
    }

    void endFrame(const texture::ImagePtr& color) override {
        if (recording_) finish(color, true);
        ++frame_;
        if (!isDone_) tellProgress();
        recording_ = !isDone_ && frame_ == request_.frame;
    }

    void end() override {
        if (recording_) finish(nullptr, false);
    }

private:
    struct History {
        Json target;
        std::vector<Json> events;
    };

    void tellProgress() const {
        if (progress_) progress_(frame_);
    }

    void add(const void* command, Json description) {
        const auto number = static_cast<uint32_t>(commands_.size());
        numbers_[command] = number;
        description["number"] = number;
        commands_.push_back(std::move(description));
    }

    /// Everything drawn is in memory. `surface` null: there is none.
    void finish(const texture::ImagePtr& surface, bool complete) {
        recording_ = false;
        isDone_ = true;
        Json report;
        report["frame"] = request_.frame;
        report["complete"] = complete;
        report["commands"] = commands_;
        if (surface != nullptr) report["surface"] = describeSurface(*surface);
        report["pixels"] = Json::array();
        for (size_t i = 0; i < request_.pixels.size(); ++i) report["pixels"].push_back(pixelReport(i, surface.get()));
        if (capture_) report["captured"] = {{"draw", captured_.first}, {"primitive", captured_.second}};
        PixelRecord record;
        record.report = report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        if (capture_) record.capture = debug::serialize(*capture_);
        if (vertices_) record.vertices = debug::serialize(*vertices_);
        if (surface != nullptr && request_.picture) record.picture = pictureOf(*surface);
        done_(std::move(record));
    }

    Json pixelReport(size_t index, const texture::Image* surface) const {
        const auto [x, y] = request_.pixels[index];
        Json json = {{"x", x}, {"y", y}};
        json["histories"] = Json::array();
        for (const auto& [image, history] : histories_[index]) {
            Json one = history.target;
            one["surface"] = image == surface;
            one["events"] = history.events;
            json["histories"].push_back(std::move(one));
        }
        if (surface != nullptr && x >= 0 && y >= 0 && x < surface->width() && y < surface->height())
            json["framebuffer"] = resolvedPixel(*surface, x, request_.bottomUp ? y : surface->height() - 1 - y);
        return json;
    }

    const PixelRequest request_;
    const Done done_;
    const Progress progress_;
    uint64_t frame_ = 0;
    std::atomic<bool> recording_ = request_.frame == 0;
    bool isDone_ = false;
    std::vector<Json> commands_;
    std::unordered_map<const void*, uint32_t> numbers_;  ///< of the commands of the scene
    std::mutex mutex_;
    std::vector<std::map<const texture::Image*, History>> histories_;  ///< by pixel
    std::vector<Json> origins_;  ///< by pixel, of the fragment whose event is about to come
    std::optional<debug::Capture> capture_, vertices_;
    std::pair<uint32_t, uint64_t> captured_;  ///< draw and primitive of capture_
};

void writeWhole(const std::string& path, const void* data, size_t size) {
    RecordingFile file("TESSERA_PROBE", path, RecordingFile::Devices::Written);
    file.write({static_cast<const char*>(data), size});
    file.finish();
}

/// Of several processes the first one writes, the report last.
void writeRecord(const PixelRecord& record, const RequestFile& file) {
    const ReportClaim claim(file.report);
    if (!claim.isHeld()) return;
    if (record.capture) writeWhole(file.capture, record.capture->data(), record.capture->size());
    if (record.vertices) writeWhole(file.vertices, record.vertices->data(), record.vertices->size());
    if (!record.picture.empty()) writeWhole(file.picture, record.picture.data(), record.picture.size());
    writeWhole(file.report, record.report.data(), record.report.size());
}

std::shared_ptr<PixelRecording>& recorder() {
    static auto* one = new std::shared_ptr<PixelRecording>;  // outlives static objects, as the driver does
    return *one;
}

class EndProcess final : public pipeline::Task {
    [[nodiscard]] const char* name() const override { return "end of the pixel recorder's process"; }
    void run() override { recorder()->end(); }
};

}  // namespace

std::shared_ptr<PixelRecording> recordPixels(PixelRequest request, std::function<void(PixelRecord&&)> done) {
    return std::make_shared<PixelRecorder>(std::move(request), std::move(done), nullptr);
}

std::shared_ptr<pipeline::PixelProbe> makePixelRecorder(pipeline::Gpu& (*gpu)()) {
    const std::string path = envString("TESSERA_PROBE", "");
    if (path.empty()) return nullptr;
    std::optional<RequestFile> read = readRequest(path);
    if (!read) {
        if (logLevel() >= 1) std::fprintf(stderr, "tessera: TESSERA_PROBE: %s holds no request\n", path.c_str());
        return nullptr;
    }
    // A fork() of the process that was asked has no part in it.
    const auto file = std::make_shared<const RequestFile>(std::move(*read));
    const auto done = [file, process = getpid()](PixelRecord&& record) {
        if (process == getpid()) writeRecord(record, *file);
    };
    const auto progress = [file, process = getpid()](uint64_t frames) {
        const std::string text = std::to_string(frames);
        if (!file->progress.empty() && process == getpid()) writeWhole(file->progress, text.data(), text.size());
    };
    recorder() = std::make_shared<PixelRecorder>(file->request, done, progress);
    // A frame that is not swapped ends with the process; the command processor's thread is still there.
    static pipeline::Gpu& (*const kGpu)() = gpu;
    std::atexit([] {
        pipeline::CommandBuffer last;
        last.commands.emplace_back(pipeline::RunTask{std::make_shared<EndProcess>()});
        kGpu().wait(kGpu().submit(std::move(last)));
    });
    return recorder();
}

}  // namespace tessera::inspect
