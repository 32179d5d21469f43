// A program that a verb starts and ends, and where it may put files.
//
// Verbs that take "-- PROGRAM" look at what it draws. When it gives nothing to look at, they end with status
// kNothingGiven, for whatever reason: it cannot be started, it ends, with whatever status or by a signal, before it has
// drawn the frame, or it has not loaded Tessera in time. Once the frame is there, how the program ends is of no
// account: the status says what the verb makes of the frame, and 1 that what was asked for is not in it. `exec` becomes
// the program, and its status is the program's.
#pragma once

#include <sys/types.h>

#include <signal.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/files.h"

namespace tessera::tools {

inline constexpr int kNothingGiven = kTrouble;

/// While it lives, Ctrl-C and its like only leave a note, so that programs can be ended and folders removed.
class Interruptible {
public:
    Interruptible();
    /// Ends this tool as the signal would have.
    ~Interruptible();
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;

    [[nodiscard]] static bool isInterrupted();

private:
    static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction old_[3] = {};
};

/// A folder of its own, removed with everything in it.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    [[nodiscard]] bool isThere() const { return !path_.empty(); }
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string file(const char* name) const { return path_ + "/" + name; }
    /// Whether a file was ever made in it, though it may be gone again.
    [[nodiscard]] bool wasWritten() const;

private:
    std::string path_;
    std::filesystem::file_time_type unwritten_;
};

/// Whether the shell would find a program of this name.
[[nodiscard]] bool isOnPath(const std::string& name);

/// What a verb runs a program for.
struct Awaited {
    const std::string& program;  ///< its name
    std::string what;            ///< "frame 3"
    int timeout;                 ///< seconds until the program must have loaded Tessera
    std::function<bool()> isThere, hasLoaded;
    std::function<std::string()> advice;  ///< behind "it ended before frame 3"
};

/// A program that was started: the leader of a group of processes, which ends with this one.
class RunningProgram {
public:
    /// What it prints goes to standard error; `environment` is called in the new process. Not running, with a message,
    /// when it cannot be started.
    RunningProgram(const std::vector<std::string>& program, const std::function<void()>& environment);
    /// Nothing of the group survives.
    ~RunningProgram();
    RunningProgram(const RunningProgram&) = delete;
    RunningProgram& operator=(const RunningProgram&) = delete;

    [[nodiscard]] bool hasStarted() const { return started_; }
    /// Waits for it to end by itself or, with a limit, no longer than that; an interruption ends the waiting.
    bool waitFor(std::optional<std::chrono::milliseconds> limit);
    /// Waits until that is there, for as long as it takes once Tessera is loaded. False, and a message, when it will
    /// not come, or at an interruption.
    [[nodiscard]] bool waitFor(const Awaited& awaited);
    /// "with status 0", of one that has ended.
    [[nodiscard]] std::string howItEnded() const;

private:
    pid_t id_ = -1;
    int status_ = 0;
    bool started_ = false, ended_ = false;
};

}  // namespace tessera::tools
