// The buffers that are submitted and not executed, and which of them is next: a stream's buffers one after the other,
// in order of submission; those of different streams side by side (docs/adr/0018-streams.md).
//
// Not thread safe, streams included: the GPU's lock guards it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>

#include "pipeline/command/command_buffer.h"

namespace tessera::pipeline {

struct Stream {
    std::shared_ptr<Stream> joined;  ///< stands for this one; null: it stands for itself, and has what follows
    size_t queued = 0;               ///< buffers that no processor has taken
    size_t taken = 0;                ///< buffers that processors execute: of two when the stream is joined of two
    size_t cost = 0;                 ///< of the queued
    uint64_t last = 0;               ///< serial number of the last buffer
};

class SubmissionQueue {
public:
    struct Entry {
        uint64_t serial;
        std::shared_ptr<Stream> stream;
        CommandBuffer buffer;
        bool isTaken = false;
    };
    /// Stays valid until done().
    using Taken = std::list<Entry>::iterator;

    /// About how much memory and work a buffer stands for. The sum bounds what may wait in a stream.
    [[nodiscard]] static size_t costOf(const CommandBuffer& buffer);

    /// Gives the buffer the next serial number. True when it may be executed at once.
    bool push(CommandBuffer&& buffer);
    /// Makes one stream of two: what is submitted later is executed after all that was submitted to either.
    void join(const std::shared_ptr<Stream>& one, const std::shared_ptr<Stream>& other);

    /// Streams of which a buffer may be executed.
    [[nodiscard]] size_t ready() const { return ready_; }
    /// Takes, of all buffers that may be executed, the one that was submitted first. There must be one.
    [[nodiscard]] Taken take();
    /// The buffer with that serial number, which may be executed.
    [[nodiscard]] Taken take(uint64_t serial);
    /// The buffer that follows the taken one in its stream and belongs to the same context, for who executes `own`
    /// buffers of the stream; none where somebody else executes one, too. When the taken one is full, more of what it
    /// is part of is to come: executed together they are one scene.
    [[nodiscard]] std::optional<Taken> takeRest(Taken taken, size_t own);
    /// Says that the buffer has been executed.
    void done(Taken taken);

    [[nodiscard]] bool isEmpty() const { return entries_.empty(); }
    [[nodiscard]] uint64_t submitted() const { return submitted_; }  ///< serial number of the last buffer
    /// All buffers with that serial number or a lower one are executed.
    [[nodiscard]] uint64_t allDone() const { return entries_.empty() ? submitted_ : entries_.front().serial - 1; }
    [[nodiscard]] bool isDone(uint64_t serial) const;

    [[nodiscard]] static size_t queuedCost(const std::shared_ptr<Stream>& stream) { return whole(stream)->cost; }
    /// Serial number of the stream's last buffer; 0: there was none.
    [[nodiscard]] static uint64_t last(const std::shared_ptr<Stream>& stream) { return whole(stream)->last; }

private:
    /// The stream that stands for it.
    static const std::shared_ptr<Stream>& whole(const std::shared_ptr<Stream>& stream);
    Taken take(Taken entry);
    Taken leaveQueue(Taken entry);
    static bool isReady(const Stream& stream) { return stream.taken == 0 && stream.queued != 0; }

    std::list<Entry> entries_;  ///< by serial number
    uint64_t submitted_ = 0;
    size_t ready_ = 0;
};

}  // namespace tessera::pipeline
