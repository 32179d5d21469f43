#include "demos/host/harness.h"

#include <GLES2/gl2tessera.h>
#include <SDL.h>
#include <stb/stb_image_write.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "base/process/write_file.h"
#include "demos/host/options.h"
#include "demos/host/overlay.h"
#include "demos/host/surface.h"

namespace demos {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Demo time: the clock less pauses, or a function of the frame number when the run is reproducible.
class Timeline {
public:
    explicit Timeline(std::optional<double> fixed, bool steady) : fixed_(fixed), steady_(steady) {}

    double advance(int frame, bool paused) {
        if (fixed_ || steady_) return fixed_.value_or(0) + frame / 60.0;
        double now = secondsSince(start_);
        if (!paused) time_ += now - last_;
        last_ = now;
        return time_;
    }

private:
    std::optional<double> fixed_;
    bool steady_;
    Clock::time_point start_ = Clock::now();
    double last_ = 0, time_ = 0;
};

std::vector<unsigned char> readPixels(int width, int height) {
    std::vector<unsigned char> pixels(static_cast<size_t>(width) * height * 4);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    return pixels;
}

bool writePng(const std::string& path, int width, int height) {
    std::vector<unsigned char> pixels = readPixels(width, height);
    // The picture is what a display would show: opaque.
    for (size_t i = 3; i < pixels.size(); i += 4) pixels[i] = 255;
    stbi_flip_vertically_on_write(1);
    std::string bytes, why;
    const auto append = [](void* all, void* data, int size) {
        static_cast<std::string*>(all)->append(static_cast<const char*>(data), static_cast<size_t>(size));
    };
    // By the library's own hand it would not be seen that a disk is full.
    const int isEncoded = stbi_write_png_to_func(append, &bytes, width, height, 4, pixels.data(), width * 4);
    return isEncoded != 0 && tessera::writeWholeFile(path, bytes, why);
}

/// One line on a terminal that is rewritten; nothing when the output is a file.
void showProgress(const char* name, int frame, int frames, double seconds) {
    if (isatty(STDERR_FILENO) == 0) return;
    std::fprintf(stderr, "\r%s: frame %d of %d, %.1f frames/s ", name, frame, frames,
                 seconds > 0 ? frame / seconds : 0);
    if (frame == frames) std::fprintf(stderr, "\n");
}

/// Counts the fragments that GL shades between start() and stop(), where the driver counts them (GL_TESSERA_counters:
/// totals of finished work since the driver started, as 32-bit integers that wrap).
class FragmentCounter {
public:
    void start() {
        if (counts_) before_ = total();
    }
    /// Negative when the driver does not count.
    [[nodiscard]] int64_t stop() const { return counts_ ? int64_t{total() - before_} : -1; }

private:
    static GLuint total() {
        glFinish();
        GLint total = 0;
        glGetIntegerv(GL_FRAGMENTS_TESSERA, &total);
        return static_cast<GLuint>(total);
    }

    bool counts_ =
        std::strstr(reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS)), "GL_TESSERA_counters") != nullptr;
    GLuint before_ = 0;
};

class Runner {
public:
    Runner(const DemoInfo& info, const Options& options, Surface& surface)
        : info_(info),
          options_(options),
          surface_(surface),
          demo_(info.make(options.plain)),
          timeline_(options.time, options.headless) {
        state_.wireframe = options.wireframe;
        state_.unfolded = options.overlay;
        if (info.version >= 2 && (options.overlay || (surface.window() != nullptr && !options.plain)))
            overlay_ = std::make_unique<Overlay>(info.name, info.controls, surface.window());
    }

    int run() {
        int frames = options_.frames == 0 && options_.headless ? 120 : options_.frames;
        Clock::time_point start = Clock::now();
        double lastReport = 0;
        while (!quit_ && (frames == 0 || frame_ < frames)) {
            if (surface_.window() != nullptr) handleEvents();
            drawFrame(secondsSince(start));
            ++frame_;
            if (options_.hash) printHash();
            bool isLast = frame_ == frames;
            if (isLast && !options_.out.empty() && !writePicture()) return 1;
            if (std::string error; !surface_.swap(&error)) return endAtFailedSwap(error);
            double seconds = secondsSince(start);
            if (options_.headless && frames > 1 && (isLast || seconds - lastReport > 0.25)) {
                showProgress(info_.name, frame_, frames, seconds);
                lastReport = seconds;
            }
        }
        glFinish();
        report(secondsSince(start));
        return 0;
    }

private:
    /// A window that was closed has no frames to show, and that is how a demo ends; anything else is an error.
    int endAtFailedSwap(const std::string& error) {
        if (surface_.window() != nullptr) handleEvents();
        if (quit_) return 0;
        std::fprintf(stderr, "%s: frame %d cannot be shown: %s\n", info_.name, frame_, error.c_str());
        return 1;
    }

    void drawFrame(double elapsed) {
        Frame frame;
        frame.time = timeline_.advance(frame_, state_.paused);
        frame.turn = turn_;
        frame.zoom = zoom_;
        frame.wireframe = state_.wireframe;
        surface_.size(frame.width, frame.height);
        glViewport(0, 0, frame.width, frame.height);
        // What the machine decides is not shown in a reproducible run, and so not measured.
        const bool isMeasured = overlay_ && state_.unfolded && !options_.isReproducible();
        if (isMeasured) fragments_.start();
        demo_->draw(frame);
        const int64_t fragments = isMeasured ? fragments_.stop() : -1;
        elapsed_ = elapsed;
        if (isScreenshotWanted_) saveScreenshot();
        if (!overlay_) return;
        if (elapsed > noteEnd_) state_.note.clear();
        if (elapsed - rateStart_ > 0.5) {
            rate_ = (frame_ - rateFrame_) / (elapsed - rateStart_);
            rateStart_ = elapsed, rateFrame_ = frame_;
        }
        overlay_->draw(frame.width, frame.height,
                       {.framesPerSecond = rate_,
                        .time = frame.time,
                        .triangles = demo_->triangles(),
                        .fragments = fragments,
                        .reproducible = options_.isReproducible()},
                       state_);
    }

    void handleEvents() {
        SDL_Event event;
        while (SDL_PollEvent(&event) != 0) {
            if (overlay_ && overlay_->handle(event)) continue;
            if (event.type == SDL_QUIT) quit_ = true;
            if (event.type == SDL_KEYDOWN) handleKey(event.key.keysym.sym);
            if (event.type == SDL_MOUSEMOTION && (event.motion.state & SDL_BUTTON_LMASK) != 0 && info_.controls.turn)
                turn_ += glm::vec2(event.motion.xrel, event.motion.yrel) * kTurnOfPixel;
            if (event.type == SDL_MOUSEWHEEL && info_.controls.zoom) zoomBy(event.wheel.y);
        }
    }

    void handleKey(SDL_Keycode key) {
        const Command* command = commandOfKey(key, info_.controls);
        if (command == nullptr) return;
        switch (command->action) {
            case Action::Turn:
                turn_.x += kTurnOfKey * static_cast<float>((key == SDLK_LEFT) - (key == SDLK_RIGHT));
                turn_.y += kTurnOfKey * static_cast<float>((key == SDLK_UP) - (key == SDLK_DOWN));
                break;
            case Action::Zoom:
                zoomBy(key == SDLK_MINUS || key == SDLK_KP_MINUS ? -1 : 1);
                break;
            case Action::Pause:
                state_.paused = !state_.paused;
                break;
            case Action::Wireframe:
                state_.wireframe = !state_.wireframe;
                break;
            case Action::FullScreen:
                toggleFullScreen();
                break;
            case Action::Screenshot:
                isScreenshotWanted_ = true;
                break;
            case Action::Help:
                state_.unfolded = !state_.unfolded;
                break;
            case Action::Quit:
                quit_ = true;
                break;
        }
    }

    /// Nearer with steps above 0.
    void zoomBy(int steps) {
        for (; steps > 0; --steps) zoom_ *= kZoomOfStep;
        for (; steps < 0; ++steps) zoom_ /= kZoomOfStep;
        zoom_ = std::clamp(zoom_, kNearest, 1 / kNearest);
    }

    /// The window becomes as large as the screen before SDL asks the window manager to put it above all else: where
    /// there is no window manager, nobody else makes it so.
    void toggleFullScreen() {
        SDL_Window* window = surface_.window();
        const bool isFull = windowed_.has_value();
        SDL_Rect place{};
        if (isFull) {
            place = *std::exchange(windowed_, std::nullopt);
            SDL_SetWindowFullscreen(window, 0);
        } else if (SDL_GetDisplayBounds(std::max(SDL_GetWindowDisplayIndex(window), 0), &place) == 0) {
            SDL_Rect& old = windowed_.emplace();
            SDL_GetWindowPosition(window, &old.x, &old.y);
            SDL_GetWindowSize(window, &old.w, &old.h);
        } else {
            return say(std::string("no full screen: ") + SDL_GetError());
        }
        SDL_SetWindowPosition(window, place.x, place.y);
        SDL_SetWindowSize(window, place.w, place.h);
        if (!isFull) SDL_SetWindowFullscreen(window, SDL_WINDOW_FULLSCREEN_DESKTOP);
    }

    /// The picture without the panel, into the first file of the folder that is not there yet.
    void saveScreenshot() {
        isScreenshotWanted_ = false;
        std::filesystem::path path;
        for (int number = 1; path.empty() || std::filesystem::exists(path); ++number)
            path = std::filesystem::current_path() / (std::string(info_.name) + "-" + std::to_string(number) + ".png");
        int width = 0, height = 0;
        surface_.size(width, height);
        say((writePng(path, width, height) ? "wrote " : "cannot write ") + path.string());
    }

    /// On the terminal, and in the panel for a while.
    void say(const std::string& what) {
        std::printf("%s: %s\n", info_.name, what.c_str());
        std::fflush(stdout);
        state_.note = what;
        noteEnd_ = elapsed_ + kNoteSeconds;
    }

    /// FNV-1a of the picture.
    void printHash() const {
        int width = 0, height = 0;
        surface_.size(width, height);
        uint64_t hash = 0xCBF29CE484222325u;
        for (const unsigned char byte : readPixels(width, height)) hash = (hash ^ byte) * 0x100000001B3u;
        std::printf("frame %d %016" PRIx64 "\n", frame_, hash);
    }

    bool writePicture() {
        int width = 0, height = 0;
        surface_.size(width, height);
        if (writePng(options_.out, width, height)) return true;
        std::fprintf(stderr, "%s: cannot write %s\n", info_.name, options_.out.c_str());
        return false;
    }

    void report(double seconds) const {
        if (!options_.quiet)
            std::printf("%s: %d frame%s in %.2f s, %.1f frames/s on %s\n", info_.name, frame_, frame_ == 1 ? "" : "s",
                        seconds, frame_ / seconds, reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
        if (!options_.out.empty()) std::printf("%s: wrote %s\n", info_.name, options_.out.c_str());
    }

    const DemoInfo& info_;
    const Options& options_;
    Surface& surface_;
    std::unique_ptr<Demo> demo_;
    std::unique_ptr<Overlay> overlay_;
    Timeline timeline_;
    FragmentCounter fragments_;
    OverlayState state_;
    // Of the view: a pixel that the mouse is dragged, a press of a key, a step of the wheel.
    static constexpr float kTurnOfPixel = 0.01f, kTurnOfKey = 0.0873f, kZoomOfStep = 0.9f, kNearest = 0.2f;
    static constexpr double kNoteSeconds = 4;

    glm::vec2 turn_{0};
    float zoom_ = 1;
    bool isScreenshotWanted_ = false;
    std::optional<SDL_Rect> windowed_;  ///< where the window was before it became the screen
    double elapsed_ = 0, noteEnd_ = 0;
    int frame_ = 0, rateFrame_ = 0;
    double rateStart_ = 0, rate_ = 0;
    bool quit_ = false;
};

GLuint compileShader(GLenum type, const char* source) {
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
    GLint ok = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok != 0) return shader;
    char log[4096] = "";
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    std::fprintf(stderr, "%s shader:\n%s\n", type == GL_VERTEX_SHADER ? "vertex" : "fragment", log);
    std::exit(1);
}

}  // namespace

int runDemo(int argc, char** argv, const DemoInfo& info) {
    Options options;
    if (auto status = parseOptions(argc, argv, info, options)) return *status;
    std::string error;
    std::unique_ptr<Surface> surface;
    const int usual = options.plain ? 1 : info.samples;
    const SurfaceWish wish{options.width, options.height, info.version, options.samples > 0 ? options.samples : usual};
    if (!options.headless) {
        surface = makeWindowSurface(info.name, wish, &error);
        if (!surface && options.window) {
            std::fprintf(stderr, "%s: no window: %s\n", info.name, error.c_str());
            return 1;
        }
        if (!surface) {
            std::printf("%s: no window (%s); rendering headless\n", info.name, error.c_str());
            options.headless = true;
        }
    }
    if (options.headless) {
        if (options.out.empty()) options.out = std::string(TESSERA_PICTURE_DIR "/") + info.name + ".png";
        surface = makeHeadlessSurface(wish, &error);
        if (!surface) {
            std::fprintf(stderr, "%s: cannot render headless: %s\n", info.name, error.c_str());
            return 1;
        }
    }
    return Runner(info, options, *surface).run();
}

GLuint buildProgram(const char* vertexSource, const char* fragmentSource,
                    std::initializer_list<const char*> attributes) {
    GLuint program = glCreateProgram();
    for (auto [type, source] :
         {std::pair{GL_VERTEX_SHADER, vertexSource}, std::pair{GL_FRAGMENT_SHADER, fragmentSource}}) {
        GLuint shader = compileShader(static_cast<GLenum>(type), source);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    GLuint location = 0;
    for (const char* name : attributes) glBindAttribLocation(program, location++, name);
    glLinkProgram(program);
    GLint ok = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (ok != 0) return program;
    char log[4096] = "";
    glGetProgramInfoLog(program, sizeof log, nullptr, log);
    std::fprintf(stderr, "program:\n%s\n", log);
    std::exit(1);
}

std::string assetPath(const std::string& name) { return std::string(TESSERA_DEMO_DIR "/") + name; }

}  // namespace demos
