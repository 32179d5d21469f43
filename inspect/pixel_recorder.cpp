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

struct Request {
    uint64_t frame = 0;
    std::vector<std::array<int, 2>> pixels;
    bool bottomUp = false;
    std::string report, capture, vertices, picture, progress;
    int64_t draw = -1, primitive = -1;
};

std::optional<Request> readRequest(const std::string& path) {
    std::string why;
    const std::optional<std::string> text = readWholeFile(path, why);
    const nlohmann::json json = nlohmann::json::parse(text.value_or(""), nullptr, false);
    if (!json.is_object()) return std::nullopt;
    try {
        Request request;
        request.frame = json.at("frame").get<uint64_t>();
        request.pixels = json.at("pixels").get<std::vector<std::array<int, 2>>>();
        request.bottomUp = json.value("bottomUp", false);
        request.report = json.at("report").get<std::string>();
        request.capture = json.value("capture", "");
        request.vertices = json.value("vertices", "");
        request.picture = json.value("picture", "");
        request.progress = json.value("progress", "");
        request.draw = json.value("draw", int64_t{-1});
        request.primitive = json.value("primitive", int64_t{-1});
        return request;
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

class PixelRecorder final : public pipeline::PixelProbe {
public:
    explicit PixelRecorder(Request request)
        : request_(std::move(request)), process_(getpid()), histories_(request_.pixels.size()) {
        tellProgress();
    }

    bool isRecording() const override { return recording_ && !request_.pixels.empty(); }

    void draw(const pipeline::Draw& draw) override { add(&draw, describe(draw)); }
    void clear(const pipeline::Clear& clear) override { add(&clear, describe(clear)); }
    uint32_t number(const void* command) const override { return numbers_.at(command); }

    std::vector<WatchedPixel> pixels(const RenderTarget& target) const override {
        std::vector<WatchedPixel> pixels;
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
        Json& command = commands_[event.command];
        if (event.kind == PixelEvent::Kind::Draw) {
            const std::scoped_lock lock(mutex_);  // pixels of other tiles may name the same draw
            if (command.contains("state")) return;
            command["state"] = describeState(event.key, event.values);
            command["way"] = describe(event.way);
        }
    }

    void shaded(const WatchedPixel& pixel, const pipeline::ProbedGroup& group) override {
        if (request_.capture.empty() || pixel.id != 0) return;
        const uint32_t draw = number(group.draw);
        if (request_.draw >= 0 && draw != request_.draw) return;
        if (request_.primitive >= 0 && group.primitive != static_cast<uint64_t>(request_.primitive)) return;
        captured_ = {draw, group.primitive};
        capture_ = captureOf(group, request_.bottomUp, request_.frame, draw);
    }

    void shaded(const pipeline::ProbedVertices& vertices) override {
        if (request_.vertices.empty() || vertices.primitive != static_cast<uint64_t>(request_.primitive)) return;
        const uint32_t draw = number(vertices.draw);
        if (draw != request_.draw) return;
        const std::scoped_lock lock(mutex_);
        vertices_ = captureOf(vertices, request_.frame, draw);
    }

    void endFrame(const texture::ImagePtr& color) override {
        if (recording_) finish(color, true);
        ++frame_;
        if (!done_) tellProgress();
        recording_ = !done_ && frame_ == request_.frame;
    }

    /// The process exits in the middle of the frame.
    void endProcess() {
        if (recording_) finish(nullptr, false);
    }

private:
    struct History {
        Json target;
        std::vector<Json> events;
    };

    void tellProgress() const {
        if (request_.progress.empty() || process_ != getpid()) return;
        const std::string text = std::to_string(frame_);
        writeWhole(request_.progress, text.data(), text.size());
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
        done_ = true;
        if (process_ != getpid()) return;  // a fork() of the process that was asked
        Json report;
        report["frame"] = request_.frame;
        report["complete"] = complete;
        report["commands"] = commands_;
        if (surface != nullptr) report["surface"] = describeSurface(*surface);
        report["pixels"] = Json::array();
        for (size_t i = 0; i < request_.pixels.size(); ++i) report["pixels"].push_back(pixelReport(i, surface.get()));
        if (capture_) report["captured"] = {{"draw", captured_.first}, {"primitive", captured_.second}};
        const std::string text = report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        const ReportClaim claim(request_.report);
        if (!claim.isHeld()) return;
        write(capture_, request_.capture);
        write(vertices_, request_.vertices);
        if (surface != nullptr && !request_.picture.empty()) {
            const std::vector<uint8_t> picture = pictureOf(*surface);
            writeWhole(request_.picture, picture.data(), picture.size());
        }
        writeWhole(request_.report, text.data(), text.size());
    }

    static void write(const std::optional<debug::Capture>& capture, const std::string& path) {
        if (!capture) return;
        const std::vector<std::byte> bytes = debug::serialize(*capture);
        writeWhole(path, bytes.data(), bytes.size());
    }

    static void writeWhole(const std::string& path, const void* data, size_t size) {
        RecordingFile file("TESSERA_PROBE", path, RecordingFile::Devices::Written);
        file.write({static_cast<const char*>(data), size});
        file.finish();
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

    const Request request_;
    const pid_t process_;
    uint64_t frame_ = 0;
    std::atomic<bool> recording_ = request_.frame == 0;
    bool done_ = false;
    std::vector<Json> commands_;
    std::unordered_map<const void*, uint32_t> numbers_;  ///< of the commands of the scene
    std::mutex mutex_;
    std::vector<std::map<const texture::Image*, History>> histories_;  ///< by pixel
    std::optional<debug::Capture> capture_, vertices_;
    std::pair<uint32_t, uint64_t> captured_;  ///< draw and primitive of capture_
};

std::shared_ptr<PixelRecorder>& recorder() {
    static auto* one = new std::shared_ptr<PixelRecorder>;  // outlives static objects, as the driver does
    return *one;
}

class EndProcess final : public pipeline::Task {
    [[nodiscard]] const char* name() const override { return "end of the pixel recorder's process"; }
    void run() override { recorder()->endProcess(); }
};

}  // namespace

std::shared_ptr<pipeline::PixelProbe> makePixelRecorder(pipeline::Gpu& (*gpu)()) {
    const std::string path = envString("TESSERA_PROBE", "");
    if (path.empty()) return nullptr;
    std::optional<Request> request = readRequest(path);
    if (!request) {
        if (logLevel() >= 1) std::fprintf(stderr, "tessera: TESSERA_PROBE: %s holds no request\n", path.c_str());
        return nullptr;
    }
    recorder() = std::make_shared<PixelRecorder>(std::move(*request));
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
