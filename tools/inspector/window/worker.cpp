#include "tools/inspector/window/worker.h"

#include <algorithm>

namespace tessera::tools {

Worker::Worker() : thread_([this] { run(); }) {}

Worker::~Worker() {
    cancelAll();
    {
        const std::scoped_lock lock(mutex_);
        isEnding_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void Worker::post(const std::string& name, const std::string& label, Job job) {
    {
        const std::scoped_lock lock(mutex_);
        std::erase_if(waiting_, [&](const Task& task) { return task.name == name; });
        if (isRunning_ && runningName_ == name) isCancelled_ = true;
        waiting_.push_back({name, label, std::move(job)});
    }
    changed_.notify_all();
}

void Worker::cancelAll() {
    const std::scoped_lock lock(mutex_);
    waiting_.clear();
    isCancelled_ = isRunning_;
}

std::string Worker::label() const {
    const std::scoped_lock lock(mutex_);
    if (isRunning_) return runningLabel_;
    return waiting_.empty() ? std::string() : waiting_.front().label;
}

void Worker::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return isEnding_ || !waiting_.empty(); });
        if (isEnding_) return;
        const Task task = std::move(waiting_.front());
        waiting_.pop_front();
        runningName_ = task.name, runningLabel_ = task.label;
        isRunning_ = true, isCancelled_ = false;
        lock.unlock();
        task.job([this] {
            const std::scoped_lock inner(mutex_);
            return isCancelled_;
        });
        lock.lock();
        isRunning_ = false;
    }
}

}  // namespace tessera::tools
