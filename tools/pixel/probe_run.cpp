#include "tools/pixel/probe_run.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "tools/driver.h"
#include "tools/run/group_values.h"

namespace tessera::tools {

namespace {

using namespace std::chrono_literals;

constexpr auto kLook = 5ms;         ///< between two looks at a running program
constexpr auto kPatience = 2000ms;  ///< until a program that was asked to end is made to

/// The signal that asked this tool to end while a program runs; 0: none.
volatile sig_atomic_t g_interrupted = 0;

/// While it lives, Ctrl-C and its like only leave a note, so that the program can be ended and its folder removed.
class Interruptible {
public:
    Interruptible() {
        struct sigaction note{};
        note.sa_handler = [](int signal) { g_interrupted = signal; };
        note.sa_flags = SA_RESTART;
        for (size_t i = 0; i < std::size(kSignals); ++i) {
            sigaction(kSignals[i], nullptr, &old_[i]);
            if (old_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &note, nullptr);
        }
    }
    /// Ends this tool as the signal would have.
    ~Interruptible() {
        for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &old_[i], nullptr);
        if (g_interrupted != 0) raise(g_interrupted);
    }
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;

private:
    static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction old_[std::size(kSignals)] = {};
};

/// A folder of its own, removed with everything in it.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::error_code error;
        std::string name = (std::filesystem::temp_directory_path(error) / "tessera-XXXXXX").string();
        if (mkdtemp(name.data()) != nullptr) path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    [[nodiscard]] bool isThere() const { return !path_.empty(); }
    [[nodiscard]] std::string file(const char* name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

std::string contents(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

/// In the child: the driver, and the request.
void setEnvironment(const ProbeRequest& request, const std::string& requestFile) {
    selectDriver(request.libraries.empty() ? installedDriver() : driverIn(request.libraries));
    setenv("TESSERA_PROBE", requestFile.c_str(), 1);
    if (!request.tier.empty())
        setenv("TESSERA_TIER", request.tier.c_str(), 1);
    else
        setenv("TESSERA_TIER", "interp", 0);
}

/// A program that was started: the leader of a group of processes, which ends with this one.
class Child {
public:
    /// What it prints goes to standard error. Not running, with a message, when it cannot be started.
    Child(const std::vector<std::string>& program, const ProbeRequest& request, const std::string& requestFile) {
        std::vector<char*> arguments;
        for (const std::string& argument : program) arguments.push_back(const_cast<char*>(argument.c_str()));
        arguments.push_back(nullptr);
        int failure[2];  // execvp() closes it, or its errno comes through
        if (pipe2(failure, O_CLOEXEC) != 0) return;
        id_ = fork();
        if (id_ == 0) {
            setpgid(0, 0);
            prctl(PR_SET_PDEATHSIG, SIGTERM);
            dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
            dup2(STDERR_FILENO, STDOUT_FILENO);
            setEnvironment(request, requestFile);
            execvp(arguments[0], arguments.data());
            const int error = errno;
            (void)!write(failure[1], &error, sizeof error);
            _exit(127);
        }
        if (id_ > 0) setpgid(id_, id_);
        close(failure[1]);
        int error = id_ < 0 ? errno : 0;
        started_ = id_ > 0 && read(failure[0], &error, sizeof error) == 0;
        close(failure[0]);
        if (started_) return;
        fmt::print(stderr, "{}: error: cannot be started: {}\n", program[0], std::strerror(error));
        if (id_ > 0) (void)waitFor(std::nullopt);
    }
    /// Nothing of the group survives.
    ~Child() {
        if (!started_) return;
        if (!ended_) {
            kill(-id_, SIGTERM);
            (void)waitFor(kPatience);
        }
        kill(-id_, SIGKILL);
        if (!ended_) waitpid(id_, &status_, 0);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    [[nodiscard]] bool hasStarted() const { return started_; }
    /// Waits for it to end by itself or, with a limit, no longer than that; an interruption ends the waiting.
    bool waitFor(std::optional<std::chrono::milliseconds> limit) {
        const auto end = std::chrono::steady_clock::now() + limit.value_or(0ms);
        while (!ended_ && !(ended_ = waitpid(id_, &status_, WNOHANG) != 0)) {
            if (limit ? std::chrono::steady_clock::now() >= end : g_interrupted != 0) return false;
            std::this_thread::sleep_for(kLook);
        }
        return true;
    }
    /// "with status 0", of one that has ended.
    [[nodiscard]] std::string howItEnded() const {
        return WIFEXITED(status_) ? fmt::format("with status {}", WEXITSTATUS(status_))
                                  : fmt::format("by signal {}", WTERMSIG(status_));
    }

private:
    pid_t id_ = -1;
    int status_ = 0;
    bool started_ = false, ended_ = false;
};

/// Waits until the driver has written its report. Why it has not, when the program ends or takes too long.
std::optional<std::string> waitForReport(Child& child, const FrameOptions& options, const TemporaryFolder& folder) {
    const auto isThere = [&](const char* name) { return access(folder.file(name).c_str(), F_OK) == 0; };
    const auto start = std::chrono::steady_clock::now();
    bool loaded = false, patient = true;
    while (!isThere("report")) {
        if (g_interrupted != 0) return "interrupted";
        const bool ended = child.waitFor(kLook);
        if (isThere("report")) break;
        loaded = loaded || isThere("progress");
        const std::string frames = loaded ? contents(folder.file("progress")) : std::string();
        if (ended && !loaded)
            return fmt::format(
                "it ended {} without loading Tessera: it draws nothing with EGL and OpenGL ES, or is linked with "
                "another driver",
                child.howItEnded());
        if (ended)
            return fmt::format("it ended {} before frame {}: it completed {} frame{}; try an earlier --frame",
                               child.howItEnded(), options.frame, frames, frames == "1" ? "" : "s");
        if (std::chrono::steady_clock::now() - start < std::chrono::seconds(options.timeout) || !patient) continue;
        if (!loaded)
            return fmt::format(
                "it has not loaded Tessera within {} s (--timeout), and was ended: it draws nothing with EGL and "
                "OpenGL ES, or is linked with another driver",
                options.timeout);
        patient = false;
        fmt::print(stderr, "{}: frame {} has not come within {} s; still waiting (Ctrl-C ends it)\n",
                   options.program[0], options.frame, options.timeout);
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::array<int, 2>> parsePixel(const std::string& text) {
    const size_t comma = text.find(',');
    if (comma == std::string::npos) return std::nullopt;
    const std::optional<int> x = parseInteger(std::string_view(text).substr(0, comma));
    const std::optional<int> y = parseInteger(std::string_view(text).substr(comma + 1));
    if (!x || !y || *x < 0 || *y < 0) return std::nullopt;
    return std::array<int, 2>{*x, *y};
}

void addFrameOptions(CLI::App& verb, FrameOptions& options) {
    verb.add_option("--frame", options.frame, "Frame to look at, from 0; a frame ends with eglSwapBuffers; default 0");
    verb.add_flag("--gl", options.bottomUp, "Pixels count y from the bottom row, as GL does, not from the top");
    verb.add_flag("--let-finish", options.letFinish, "Let the program go on to its own end afterwards");
    verb.add_option("--timeout", options.timeout, "Seconds until the program must have loaded Tessera; default 30")
        ->check(CLI::Range(1, 86400));
    verb.add_option("program", options.program, "The program and its arguments, behind --")->required();
}

std::optional<ProbeResult> probe(const FrameOptions& options, const ProbeRequest& request) {
    const Interruptible interruptible;  // outlives what has to be cleaned up
    const TemporaryFolder folder;
    if (!folder.isThere()) {
        fmt::print(stderr, "error: no temporary folder: {}\n", std::strerror(errno));
        return std::nullopt;
    }
    nlohmann::json json = {{"frame", options.frame},
                           {"pixels", request.pixels},
                           {"bottomUp", options.bottomUp},
                           {"report", folder.file("report")},
                           {"progress", folder.file("progress")},
                           {"draw", request.draw},
                           {"primitive", request.primitive}};
    if (request.capture) json["capture"] = folder.file("capture");
    if (request.vertices) json["vertices"] = folder.file("vertices");
    if (request.picture) json["picture"] = folder.file("picture");
    std::ofstream(folder.file("request")) << json.dump();

    Child child(options.program, request, folder.file("request"));
    if (!child.hasStarted()) return std::nullopt;
    const std::optional<std::string> problem = waitForReport(child, options, folder);
    if (problem) {
        fmt::print(stderr, "{}: error: {}\n", options.program[0], *problem);
        return std::nullopt;
    }
    if (options.letFinish) (void)child.waitFor(std::nullopt);
    ProbeResult result;
    result.report = nlohmann::json::parse(contents(folder.file("report")), nullptr, false);
    if (!result.report.is_object()) {
        fmt::print(stderr, "{}: error: its record of the frame cannot be read\n", options.program[0]);
        return std::nullopt;
    }
    result.capture = contents(folder.file("capture"));
    result.vertices = contents(folder.file("vertices"));
    result.picture = contents(folder.file("picture"));
    return result;
}

}  // namespace tessera::tools
