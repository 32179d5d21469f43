#include "tools/probe_run.h"

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

#include "tools/group_values.h"

namespace tessera::tools {

namespace {

using namespace std::chrono_literals;

constexpr auto kLook = 5ms;         ///< between two looks at a running program
constexpr auto kPatience = 2000ms;  ///< until a program that was asked to end is made to

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

void prepend(const char* variable, const std::string& value) {
    const char* old = std::getenv(variable);
    const std::string all = old == nullptr || *old == '\0' ? value : value + ":" + old;
    setenv(variable, all.c_str(), 1);
}

/// In the child: what `./run exec` sets, and the request.
void setEnvironment(const ProbeRequest& request, const std::string& requestFile) {
    const std::string folder = request.libraries.empty() ? ownFolder() + "../lib" : request.libraries;
    prepend("LD_LIBRARY_PATH", folder);
    setenv("__EGL_VENDOR_LIBRARY_FILENAMES", (folder + "/../share/glvnd/egl_vendor.d/50_tessera.json").c_str(), 1);
    setenv("SDL_VIDEO_X11_FORCE_EGL", "1", 1);
    setenv("TESSERA_PROBE", requestFile.c_str(), 1);
    if (!request.tier.empty())
        setenv("TESSERA_TIER", request.tier.c_str(), 1);
    else
        setenv("TESSERA_TIER", "interp", 0);
}

/// The child is the leader of a group of processes, which ends with this one. What it prints goes to standard error.
pid_t start(const FrameOptions& options, const ProbeRequest& request, const std::string& requestFile) {
    std::vector<char*> arguments;
    for (const std::string& argument : options.program) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child != 0) return child;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    setEnvironment(request, requestFile);
    execvp(arguments[0], arguments.data());
    fmt::print(stderr, "{}: error: cannot be started: {}\n", options.program[0], std::strerror(errno));
    _exit(127);
}

/// Waits for the program to end by itself or, with a limit, no longer than that.
bool waitFor(pid_t child, std::optional<std::chrono::milliseconds> limit, int& status) {
    const auto end = std::chrono::steady_clock::now() + limit.value_or(0ms);
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (limit && std::chrono::steady_clock::now() >= end) return false;
        std::this_thread::sleep_for(kLook);
    }
    return true;
}

void endProgram(pid_t child, bool letFinish) {
    int status = 0;
    if (letFinish) return (void)waitFor(child, std::nullopt, status);
    kill(-child, SIGTERM);
    if (waitFor(child, kPatience, status)) return;
    kill(-child, SIGKILL);
    (void)waitFor(child, std::nullopt, status);
}

}  // namespace

std::string ownFolder() {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error).parent_path().string() + "/";
}

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
    verb.add_option("program", options.program, "The program and its arguments, behind --")->required();
}

std::optional<ProbeResult> probe(const FrameOptions& options, const ProbeRequest& request) {
    const TemporaryFolder folder;
    if (!folder.isThere()) {
        fmt::print(stderr, "error: no temporary folder: {}\n", std::strerror(errno));
        return std::nullopt;
    }
    nlohmann::json json = {{"frame", options.frame},       {"pixels", request.pixels},
                           {"bottomUp", options.bottomUp}, {"report", folder.file("report")},
                           {"draw", request.draw},         {"primitive", request.primitive}};
    if (request.capture) json["capture"] = folder.file("capture");
    if (request.vertices) json["vertices"] = folder.file("vertices");
    if (request.picture) json["picture"] = folder.file("picture");
    std::ofstream(folder.file("request")) << json.dump();

    const pid_t child = start(options, request, folder.file("request"));
    int status = 0;
    bool ended = false;
    while (!ended && access(folder.file("report").c_str(), F_OK) != 0) ended = waitFor(child, kLook, status);
    if (!ended) endProgram(child, options.letFinish);
    ProbeResult result;
    result.report = nlohmann::json::parse(contents(folder.file("report")), nullptr, false);
    if (!result.report.is_object()) {
        const std::string how = WIFEXITED(status) ? fmt::format("with status {}", WEXITSTATUS(status))
                                                  : fmt::format("by signal {}", WTERMSIG(status));
        fmt::print(stderr,
                   "{}: error: it ended {} before frame {} was drawn with Tessera; try an earlier --frame, or run it "
                   "with TESSERA_LOG=3 to see which driver it takes\n",
                   options.program[0], how, options.frame);
        return std::nullopt;
    }
    result.capture = contents(folder.file("capture"));
    result.vertices = contents(folder.file("vertices"));
    result.picture = contents(folder.file("picture"));
    return result;
}

}  // namespace tessera::tools
