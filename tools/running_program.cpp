#include "tools/running_program.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "tools/files.h"

namespace tessera::tools {

namespace {

using namespace std::chrono_literals;

constexpr auto kLook = 5ms;         ///< between two looks at a running program
constexpr auto kPatience = 2000ms;  ///< until a program that was asked to end is made to

/// The signal that asked this tool to end while a program runs; 0: none.
volatile sig_atomic_t interruption = 0;

}  // namespace

Interruptible::Interruptible() {
    struct sigaction note{};
    note.sa_handler = [](int signal) { interruption = signal; };
    note.sa_flags = SA_RESTART;
    for (size_t i = 0; i < std::size(kSignals); ++i) {
        sigaction(kSignals[i], nullptr, &old_[i]);
        if (old_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &note, nullptr);
    }
}

Interruptible::~Interruptible() {
    for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &old_[i], nullptr);
    if (interruption != 0) raise(interruption);
}

bool Interruptible::isInterrupted() { return interruption != 0; }

TemporaryFolder::TemporaryFolder() {
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "tessera-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) return;
    path_ = name;
    // A time that no later change gives. Read back: file systems round it.
    std::filesystem::last_write_time(path_, std::filesystem::file_time_type::clock::now() - 24h, error);
    unwritten_ = std::filesystem::last_write_time(path_, error);
}

bool isOnPath(const std::string& name) {
    if (name.find('/') != std::string::npos) return true;
    const char* const path = std::getenv("PATH");
    std::string_view folders = path ? path : "";
    while (!folders.empty()) {
        const std::string_view folder = folders.substr(0, folders.find(':'));
        if (access(fmt::format("{}/{}", folder, name).c_str(), X_OK) == 0) return true;
        folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
    }
    return false;
}

bool TemporaryFolder::wasWritten() const {
    std::error_code ignored;
    return std::filesystem::last_write_time(path_, ignored) != unwritten_;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

RunningProgram::RunningProgram(const std::vector<std::string>& program, const std::function<void()>& environment) {
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
        environment();
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
    if (isCommandStream(program[0]))
        fmt::print(
            stderr,
            "it is a recorded command stream: tessera inspect {0} opens it, and with --json --pixel X,Y tells what "
            "became of a pixel\n",
            program[0]);
    if (id_ > 0) (void)waitFor(std::nullopt);
}

RunningProgram::~RunningProgram() {
    if (!started_) return;
    if (!ended_) {
        kill(-id_, SIGTERM);
        (void)waitFor(kPatience);
    }
    kill(-id_, SIGKILL);
    if (!ended_) waitpid(id_, &status_, 0);
}

bool RunningProgram::waitFor(std::optional<std::chrono::milliseconds> limit) {
    const auto end = std::chrono::steady_clock::now() + limit.value_or(0ms);
    while (!ended_ && !(ended_ = waitpid(id_, &status_, WNOHANG) != 0)) {
        if (limit ? std::chrono::steady_clock::now() >= end : interruption != 0) return false;
        std::this_thread::sleep_for(kLook);
    }
    return true;
}

bool RunningProgram::waitFor(const Awaited& awaited) {
    constexpr const char* kOtherDriver = "it draws nothing with EGL and OpenGL ES, or is linked with another driver";
    const auto fail = [&](const std::string& why) {
        fmt::print(stderr, "{}: error: {}\n", awaited.program, why);
        return false;
    };
    const auto start = std::chrono::steady_clock::now();
    bool patient = true;
    while (!awaited.isThere()) {
        if (Interruptible::isInterrupted()) return fail("interrupted");
        const bool ended = waitFor(kLook);
        if (awaited.isThere()) break;
        const bool loaded = awaited.hasLoaded();
        if (ended && !loaded)
            return fail(fmt::format("it ended {} without loading Tessera: {}", howItEnded(), kOtherDriver));
        if (ended) return fail(fmt::format("it ended {} before {}{}", howItEnded(), awaited.what, awaited.advice()));
        if (!patient || std::chrono::steady_clock::now() - start < std::chrono::seconds(awaited.timeout)) continue;
        if (!loaded)
            return fail(fmt::format("it has not loaded Tessera within {} s (--timeout), and was ended: {}",
                                    awaited.timeout, kOtherDriver));
        patient = false;
        fmt::print(stderr, "{}: {} has not come within {} s; still waiting (Ctrl-C ends it)\n", awaited.program,
                   awaited.what, awaited.timeout);
    }
    return true;
}

std::string RunningProgram::howItEnded() const {
    return WIFEXITED(status_) ? fmt::format("with status {}", WEXITSTATUS(status_))
                              : fmt::format("by signal {}", WTERMSIG(status_));
}

}  // namespace tessera::tools
