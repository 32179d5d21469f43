// A context's command buffer: commands are recorded here and handed to the GPU in batches.
#pragma once

#include <atomic>
#include <memory>

#include "pipeline/gpu.h"

namespace tessera::gles {

class Recorder {
public:
    /// `bytes` is the client memory the command carries along; a large backlog is submitted at once.
    void record(pipeline::Command&& command, size_t bytes = 0);
    /// Submits what is recorded; returns the serial number to wait for, 0 when nothing was ever submitted.
    uint64_t flush();
    /// Submits and waits.
    void finish();
    /// The serial number that what is recorded so far will have: 0 until it is submitted.
    [[nodiscard]] std::shared_ptr<const std::atomic<uint64_t>> pendingSerial();
    /// A shader of a finished buffer exceeded its instruction budget.
    [[nodiscard]] bool ranAway() const { return ranAway_->load(std::memory_order_acquire); }

private:
    static constexpr size_t kMaxCommands = 256;
    static constexpr size_t kMaxBytes = size_t{16} << 20;

    pipeline::CommandBuffer buffer_;
    size_t bytes_ = 0;
    uint64_t lastSerial_ = 0;
    std::shared_ptr<std::atomic<uint64_t>> pending_;  ///< handed out for the buffer being recorded
    std::shared_ptr<std::atomic<bool>> ranAway_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace tessera::gles
