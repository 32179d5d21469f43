// A thread for all that takes long, so that the window never waits.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace tessera::tools {

class Worker {
public:
    using IsCancelled = std::function<bool()>;
    using Job = std::function<void(const IsCancelled&)>;

    Worker();
    /// What waits is dropped, what runs is cancelled and awaited.
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Does the job behind those that wait. One of that name that waits is dropped, and one that runs is cancelled:
    /// nobody wants to know any more. `label`: what is being done, for the user.
    void post(const std::string& name, const std::string& label, Job job);
    /// Drops what waits and cancels what runs.
    void cancelAll();
    /// What runs or waits; empty: nothing.
    [[nodiscard]] std::string label() const;

private:
    struct Task {
        std::string name, label;
        Job job;
    };
    void run();

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> waiting_;
    std::string runningName_, runningLabel_;
    bool isRunning_ = false, isCancelled_ = false, isEnding_ = false;
    std::thread thread_;
};

}  // namespace tessera::tools
