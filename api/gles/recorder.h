// A context's command buffer: commands are recorded here and handed to the GPU in batches.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "pipeline/command/gpu.h"
#include "pipeline/command_list.h"
#include "pipeline/program.h"

namespace tessera::pipeline {
struct DrawState;
}  // namespace tessera::pipeline

namespace tessera::gles {

class SamplesResolved;

class Recorder {
public:
    Recorder();
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// That of what is submitted. Before anything is recorded.
    void setStream(std::shared_ptr<pipeline::Stream> stream) { stream_ = std::move(stream); }
    /// `bytes` is the client memory the command carries along; a large backlog is submitted at once.
    void record(pipeline::Command&& command, size_t bytes = 0);
    /// Records a draw with that state that `fill(draw)` completes where it stands, as moving one costs as much as the
    /// rest of a small draw call. It returns the bytes of client memory the draw carries along and records nothing
    /// itself; when it throws, the draw is taken back.
    template <class Fill>
    void recordDraw(const std::shared_ptr<pipeline::DrawState>& state, Fill&& fill);
    /// A state for draws of the buffer that is being recorded; its memory goes when the last such state is released.
    [[nodiscard]] std::shared_ptr<pipeline::DrawState> newDrawState();
    /// A copy of the registers for draws of the buffer that is being recorded, whose bufferNumber() no other has.
    [[nodiscard]] std::span<const pipeline::ConstantRegister> keep(
        std::span<const pipeline::ConstantRegister> registers);
    /// Registers for such draws, to be filled in.
    [[nodiscard]] std::span<pipeline::ConstantRegister> newRegisters(size_t count);
    [[nodiscard]] uint64_t bufferNumber() const { return bufferNumber_; }
    /// Each command is executed before the next one is recorded, and what it was recorded with serves it alone
    /// (pipeline::Gpu::setPlain()).
    [[nodiscard]] static bool isPlain();
    /// Memory was made for an image or a buffer: what it replaces lives on as long as recorded commands need it.
    void allocated(size_t bytes) { bytes_ += bytes; }
    using Submitter = pipeline::Gpu::Submitter;
    /// Submits what is recorded; returns the serial number to wait for, 0 when nothing was ever submitted.
    uint64_t submit(Submitter submitter = Submitter::GoesOn);
    /// The same, and what the images hold then is what was drawn: others may look.
    uint64_t flush(const SamplesResolved&, Submitter submitter = Submitter::GoesOn) { return submit(submitter); }
    /// The serial number that what is recorded so far will have: 0 until it is submitted.
    [[nodiscard]] std::shared_ptr<const std::atomic<uint64_t>> pendingSerial();
    /// What went wrong with the buffers that are finished.
    [[nodiscard]] pipeline::Faults& faults() const { return *faults_; }

private:
    static uint64_t nextBufferNumber();
    void reserve();
    pipeline::Draw& beginDraw(const std::shared_ptr<pipeline::DrawState>& state);
    void takeDrawBack();
    void recorded(size_t bytes);

    static constexpr size_t kStateBlock = 8, kConstantBlock = 2048;  ///< states and registers allocated together
    static constexpr size_t kMaxBytes = size_t{16} << 20;  ///< that go when the buffer is executed, more or less

    const std::unique_ptr<pipeline::CommandBuffer> buffer_;
    uint64_t bufferNumber_ = nextBufferNumber();
    std::shared_ptr<std::vector<pipeline::DrawState>> states_;  ///< grows within its capacity
    std::span<pipeline::ConstantRegister> freeConstants_;       ///< of the buffer's last block
    size_t bytes_ = 0;
    size_t mostCommands_ = 0;  ///< that a buffer takes; set when the first one is begun
    uint64_t lastSerial_ = 0;
    std::shared_ptr<std::atomic<uint64_t>> pending_;  ///< handed out for the buffer being recorded
    std::shared_ptr<pipeline::Stream> stream_;
    const std::shared_ptr<pipeline::Faults> faults_ = std::make_shared<pipeline::Faults>();
};

template <class Fill>
void Recorder::recordDraw(const std::shared_ptr<pipeline::DrawState>& state, Fill&& fill) {
    pipeline::Draw& draw = beginDraw(state);
    size_t bytes = 0;
    try {
        bytes = fill(draw);
    } catch (...) {
        takeDrawBack();
        throw;
    }
    recorded(bytes);
}

}  // namespace tessera::gles
