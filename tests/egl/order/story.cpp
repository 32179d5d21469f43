#include "tests/egl/order/story.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

#include "tests/egl/order/turn.h"

namespace egltest {

namespace {

/// A thread that does one thing after the other; starts anew after it was told to end.
class Worker {
public:
    ~Worker() { end(); }
    void start(std::function<void()> task) {
        if (!thread_.joinable()) thread_ = std::thread([this] { main(); });
        std::lock_guard lock(mutex_);
        task_ = std::move(task);
        changed_.notify_all();
    }
    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !task_; });
    }
    void end() {
        if (!thread_.joinable()) return;
        start([this] { ending_ = true; });
        thread_.join();
        ending_ = false;
    }

private:
    void main() {
        std::unique_lock lock(mutex_);
        while (!ending_) {
            changed_.wait(lock, [this] { return task_ != nullptr; });
            lock.unlock();
            task_();
            lock.lock();
            task_ = nullptr;
            changed_.notify_all();
        }
    }
    std::mutex mutex_;
    std::condition_variable changed_;
    std::function<void()> task_;
    bool ending_ = false;
    std::thread thread_;
};

EGLConfig pbufferConfig(EGLDisplay display, EGLint red, EGLint alpha, EGLint samples) {
    std::vector<EGLint> wanted = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT};
    wanted.insert(wanted.end(), {EGL_RED_SIZE, red, EGL_ALPHA_SIZE, alpha, EGL_DEPTH_SIZE, 16});
    wanted.insert(wanted.end(), {EGL_SAMPLES, samples, EGL_NONE});
    EGLConfig found[64];
    EGLint count = 0;
    eglChooseConfig(display, wanted.data(), found, 64, &count);
    for (EGLint i = 0; i < count; ++i) {
        EGLint has = 0;
        eglGetConfigAttrib(display, found[i], EGL_RED_SIZE, &has);
        if (has == red) return found[i];
    }
    return nullptr;
}

class Story {
public:
    Story(EGLDisplay display, uint64_t seed, Cast cast, const std::vector<StoryWindow>& windows)
        : seed_(seed), choose_(seed) {
        world_.display = display;
        world_.cast = cast;
        makeContexts();
        for (const auto& [red, alpha, samples] : {std::array{8, 8, 0}, std::array{8, 8, 4}, std::array{5, 0, 0}}) {
            Plane plane;
            plane.config = pbufferConfig(display, red, alpha, samples);
            plane.isRgba8 = red == 8;
            plane.width = choose_.of(kSizes), plane.height = choose_.of(kSizes);
            plane.surface = makePbuffer(display, plane);
            world_.planes.push_back(plane);
        }
        for (const StoryWindow& window : windows) {
            Plane plane;
            plane.surface = window.surface, plane.window = &window, plane.isRgba8 = false;
            plane.width = window.width, plane.height = window.height;
            world_.planes.push_back(plane);
        }
        for (int group = 0; group < kGroups; ++group) makeObjects(group);
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }

    std::vector<Reading> play(std::string& failures) {
        std::vector<Reading> all;
        for (int round = 0; round < kRounds; ++round) {
            deal();
            playRound(round, all);
        }
        finish(all);
        failures += world_.failures;
        return all;
    }

private:
    void makeContexts() {
        const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
        for (EGLContext& anchor : world_.anchors)
            anchor = eglCreateContext(world_.display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
        world_.only.handle = world_.anchors[0];
        for (int i = 0; i < kContexts; ++i) {
            StoryContext context{i % kGroups, EGL_NO_CONTEXT, 0};
            if (world_.cast != Cast::OneContext)
                context.handle =
                    eglCreateContext(world_.display, EGL_NO_CONFIG_KHR, world_.anchors[context.group], version);
            world_.contexts.push_back(context);
        }
    }
    void makeObjects(int group) {
        EGLContext context = world_.cast == Cast::OneContext ? world_.only.handle : world_.anchors[group];
        if (eglMakeCurrent(world_.display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) != EGL_TRUE)
            world_.fail("eglMakeCurrent of the first context");
        for (const char* fragment : kFragments) world_.programs.push_back({group, program(kVertex, fragment)});
        for (int i = 0; i < 2; ++i) {
            static constexpr GLfloat corners[] = {-1, -1, 1, -1, -1, 1, 1, -1, 1, 1, -1, 1};
            GLuint name = 0;
            glGenBuffers(1, &name);
            glBindBuffer(GL_ARRAY_BUFFER, name);
            glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
            world_.buffers.push_back({group, name});
        }
        for (int i = 0; i < 4; ++i) {
            Plane plane;
            plane.width = choose_.of(kSizes), plane.height = choose_.of(kSizes);
            View view{group, true, 0};
            glGenTextures(1, &view.name);
            glBindTexture(GL_TEXTURE_2D, view.name);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
            glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, plane.width, plane.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                         randomPixels(choose_, plane.width, plane.height).data());
            plane.views.push_back(view);
            world_.planes.push_back(plane);
        }
    }

    /// Objects and contexts to threads; what a thread kept current stays with it.
    void deal() {
        threads_ = choose_.between(1, kThreads);
        for (const Seat& seat : seats_)
            if (seat.context >= 0) threads_ = std::max(threads_, static_cast<int>(&seat - seats_) + 1);
        const auto dealOut = [&](std::vector<int>& owners, size_t count) {
            owners.resize(count);
            for (int& owner : owners) owner = choose_.below(threads_);
        };
        dealOut(world_.planeOwner, world_.planes.size());
        dealOut(world_.programOwner, world_.programs.size());
        dealOut(world_.bufferOwner, world_.buffers.size());
        dealOut(world_.contextOwner, world_.contexts.size());
        for (int thread = 0; thread < kThreads; ++thread) {
            if (seats_[thread].context >= 0) world_.contextOwner[static_cast<size_t>(seats_[thread].context)] = thread;
            if (seats_[thread].surface >= 0) world_.planeOwner[static_cast<size_t>(seats_[thread].surface)] = thread;
        }
    }

    void playRound(int round, std::vector<Reading>& all) {
        std::vector<Reading> readings[kThreads];
        bool ends[kThreads] = {};
        everyThread([&](int thread) {
            const uint64_t seed =
                (seed_ * kRounds + static_cast<uint64_t>(round)) * kThreads + static_cast<uint64_t>(thread);
            Turn turn(world_, seed, thread, seats_[thread], world_.cast == Cast::Threads ? real_[thread] : real_[0],
                      readings[thread]);
            turn.play();
            ends[thread] = turn.handOver();
        });
        for (EGLSync fence : std::exchange(world_.fences, std::exchange(world_.nextFences, {})))
            eglDestroySync(world_.display, fence);
        for (int thread = 0; thread < kThreads; ++thread) {
            for (Reading& reading : readings[thread]) {
                reading.what =
                    "round " + std::to_string(round) + ", thread " + std::to_string(thread) + ", " + reading.what;
                all.push_back(std::move(reading));
            }
            if (!ends[thread] || world_.cast != Cast::Threads) continue;
            workers_[thread].end();
            real_[thread] = {};
        }
    }

    void everyThread(const std::function<void(int)>& part) {
        if (world_.cast != Cast::Threads) {
            for (int thread = 0; thread < threads_; ++thread) part(thread);
            return;
        }
        for (int thread = 0; thread < threads_; ++thread) workers_[thread].start([&, thread] { part(thread); });
        for (int thread = 0; thread < threads_; ++thread) workers_[thread].wait();
    }

    void finish(std::vector<Reading>& all) {
        if (world_.cast == Cast::Threads)
            for (int thread = 0; thread < kThreads; ++thread) {
                workers_[thread].end();
                real_[thread] = {};
            }
        Seat seat;
        Turn(world_, 0, 0, seat, real_[0], all).readAll();
        eglMakeCurrent(world_.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        for (const Plane& plane : world_.planes)
            if (plane.surface != EGL_NO_SURFACE) eglDestroySurface(world_.display, plane.surface);
        for (const StoryContext& context : world_.contexts)
            if (context.handle != EGL_NO_CONTEXT) eglDestroyContext(world_.display, context.handle);
        for (EGLContext anchor : world_.anchors) eglDestroyContext(world_.display, anchor);
    }

    const uint64_t seed_;
    Chooser choose_;
    World world_;
    int threads_ = 1;
    Seat seats_[kThreads];
    RealThread real_[kThreads];
    Worker workers_[kThreads];
};

int number(const char* variable, int otherwise) {
    const char* text = std::getenv(variable);
    return text != nullptr ? std::atoi(text) : otherwise;
}

}  // namespace

uint64_t hashOf(const void* bytes, size_t size) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001B3u;
    return hash;
}

std::vector<Reading> playStory(EGLDisplay display, uint64_t seed, Cast cast, const std::vector<StoryWindow>& windows,
                               std::string& failures) {
    return Story(display, seed, cast, windows).play(failures);
}

void checkStories(EGLDisplay display, int count, const std::function<std::vector<StoryWindow>()>& windows) {
    const int first = number("EGL_TEST_FIRST_SEED", 1);
    size_t readings = 0;
    for (int seed = first; seed < first + number("EGL_TEST_SEEDS", count); ++seed) {
        std::string failures;
        const std::vector<Reading> wanted =
            playStory(display, static_cast<uint64_t>(seed), Cast::OneContext, windows(), failures);
        for (const Cast cast : {Cast::Contexts, Cast::Threads}) {
            const std::vector<Reading> got = playStory(display, static_cast<uint64_t>(seed), cast, windows(), failures);
            const auto [want, have] = std::mismatch(wanted.begin(), wanted.end(), got.begin(), got.end());
            if (want == wanted.end() && have == got.end()) continue;
            failures += std::string(cast == Cast::Contexts ? "contexts" : "threads") +
                        " differ first at: " + (want == wanted.end() ? "the end" : want->what) + "\n";
        }
        readings += wanted.size();
        CHECK_MESSAGE(failures.empty(), "seed " << seed << ":\n" << failures);
    }
    CHECK(readings > 0);
}

}  // namespace egltest
