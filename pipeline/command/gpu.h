// The GPU: command processors fed with command buffers.
//
// The front end records commands (plain data, see commands.h) and submits them in streams. The buffers of a stream
// are executed strictly in order, each by a command processor thread with the worker pool behind it; streams have
// nothing in common and run side by side, so that one waits for no other (docs/adr/0018-streams.md). So images and
// buffers need no locks of their own: between submission and completion they belong to their stream, and a wait hands
// them back.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "pipeline/counters.h"

namespace tessera::isa {
class Executor;
}  // namespace tessera::isa

namespace tessera::pipeline {

/// What went wrong with the buffers of a context, told by the command processor. The context looks when it is called
/// next.
class Faults {
public:
    /// A draw was left out, as it overran (undo.h).
    void overran(std::string message) { tell(std::move(message)); }
    /// A buffer was given up, as the watchdog found it to take too long. Of later ones only the commands that tell
    /// somebody something run.
    void ranOutOfTime(std::string message);
    [[nodiscard]] bool isOutOfTime() const { return isOutOfTime_.load(std::memory_order_acquire); }
    /// A command was not carried out, or in part, as there was no memory for it.
    void ranOutOfMemory() {
        isOutOfMemory_.store(true, std::memory_order_release);
        hasNews_.store(true, std::memory_order_release);
    }
    /// Since the last call.
    [[nodiscard]] bool takeOutOfMemory() { return isOutOfMemory_.exchange(false, std::memory_order_acq_rel); }

    [[nodiscard]] bool any() const { return any_.load(std::memory_order_acquire); }
    [[nodiscard]] bool hasNews() const { return hasNews_.load(std::memory_order_acquire); }
    /// What has been told since the last call.
    [[nodiscard]] std::vector<std::string> takeNews();

private:
    void tell(std::string message);

    std::atomic<bool> any_{false}, hasNews_{false}, isOutOfTime_{false}, isOutOfMemory_{false};
    std::mutex mutex_;
    std::vector<std::string> news_;
};

/// Command buffers that are executed in order of submission. What is behind it is the GPU's own.
struct Stream;
[[nodiscard]] std::shared_ptr<Stream> makeStream();

struct CommandBuffer;  // command_buffer.h

/// Nanoseconds of the steady clock.
[[nodiscard]] int64_t timestamp();

class TextureProbe;
class PixelProbe;
class MachineProbe;
class CommandProbe;

class Gpu {
public:
    /// `executor` is the tier; `threads` raster and vertex workers, the command processor among them (1: it does all).
    /// With a `probe`, which hears what the texture units read and must outlive the GPU, `threads` is 1, and all
    /// streams are one.
    Gpu(std::shared_ptr<isa::Executor> executor, int threads, TextureProbe* probe = nullptr);
    ~Gpu();
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;

    /// Lets a probe watch pixels (pipeline/probe/pixel_probe.h); all streams are one. Before the first submission.
    void setPixelProbe(std::shared_ptr<PixelProbe> probe);

    /// Lets a probe hear of everything (pipeline/probe/machine_probe.h), in the place of a texture probe; `threads` is
    /// 1, and all streams are one. It must outlive the GPU. Before the first submission.
    void setMachineProbe(MachineProbe& probe);

    /// Lets a probe watch command buffers (pipeline/probe/command_probe.h), from now on, or none any more: all that was
    /// submitted is executed first. While there is one all streams are one.
    void setCommandProbe(std::shared_ptr<CommandProbe> probe);
    /// Whether one does.
    [[nodiscard]] bool hasCommandProbe() const;

    /// From now on each command is executed by itself, and nothing of it is kept for the next one: no clear drops
    /// draws, no tile is known to hold anything, no memory serves again. With a texture probe, for whom every block
    /// goes the general way and every lookup to the general sampler, that is the plain way to the bytes that all others
    /// give: a second opinion for tests. The front end asks for it too. Before the first submission.
    void setPlain();
    [[nodiscard]] bool isPlain() const;

    /// What one command may take, with the scene that it finishes; 0: any. At first timeLimit(). Before the first
    /// submission.
    void setTimeLimit(std::chrono::milliseconds limit);

    /// Starts a command processor now, not with the first submission. It calls `first` before it executes anything;
    /// where there is no thread for it nobody does.
    void start(std::function<void()> first);

    /// What the calling thread does next: something, or wait() for the buffer, and nothing before that which may not
    /// end or return. Then wait() executes the buffer, when nothing of its stream is before it: what is short is done
    /// sooner than another thread would begin (docs/adr/0053-who-waits-draws.md).
    enum class Submitter { GoesOn, Waits };
    /// Hands over a command buffer; returns its serial number. Thread safe. Blocks only when its stream is far ahead,
    /// and where the process may start no thread: there it executes the buffer. `commands` is then an empty buffer,
    /// with the memory of an executed one when there is such a one.
    uint64_t submit(CommandBuffer&& commands, Submitter submitter = Submitter::GoesOn);
    /// Submits the buffer and waits for it.
    void execute(CommandBuffer&& commands);
    /// From now on the two streams are one: what is submitted to either comes after all that was submitted to both.
    /// Thread safe.
    void join(const std::shared_ptr<Stream>& one, const std::shared_ptr<Stream>& other);
    /// Waits until the buffer with that serial number, and all before it in its stream, are executed. Thread safe.
    void wait(uint64_t serial);
    [[nodiscard]] bool isDone(uint64_t serial) const;
    /// The serial number of the last buffer that anyone handed over in the stream (null: as in CommandBuffer): waiting
    /// for it waits for all of them. Thread safe.
    [[nodiscard]] uint64_t submitted(const std::shared_ptr<Stream>& stream) const;

    /// Calls body(0) .. body(count - 1), on the workers too when they have nothing else to do. For work of the front
    /// end that needs no order with the commands. Thread safe.
    void parallel(size_t count, const std::function<void(size_t)>& body);

    /// Around a fork() by a thread that is in none of the calls above: before it everything submitted is executed, and
    /// nothing more is until one of the others. The child's first submission starts threads of its own.
    void beforeFork();
    void afterForkInParent();
    void afterForkInChild();

    [[nodiscard]] isa::Executor& executor() const;
    [[nodiscard]] int threads() const;
    [[nodiscard]] Counters counters() const;
    [[nodiscard]] TextureProbe* textureProbe() const;  ///< null: none
    /// Whether somebody wants to hear of ends of frames: without, the command need not be recorded.
    [[nodiscard]] bool hearsFrames() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tessera::pipeline
