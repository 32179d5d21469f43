// The front of the machine: display read-out, command processor, vertex fetch.
#pragma once

#include <vector>

#include "model/chip/unit/memory.h"
#include "model/chip/unit/queue.h"

namespace tessera::model {

struct Chip;

/// Reads the picture that is shown, a line of 64 bytes at a time, evenly over the time that the picture is shown.
class DisplayReadOut {
public:
    DisplayReadOut(const Workload& workload, const Preset& preset);
    /// Before the first cycle.
    void start(Chip& chip) const;
    void step(Chip& chip);

private:
    uint64_t lines_ = 0;      ///< of a picture
    uint64_t cycles_ = 0;     ///< of a second
    uint64_t perSecond_ = 0;  ///< lines
    uint64_t remainder_ = 0;  ///< of the division that spreads them
    uint64_t next_ = 0;
};

/// Reads commands and hands draws on. What needs the work before to be finished waits for it.
class CommandProcessor {
public:
    CommandProcessor(Clock& clock, const Preset& preset, Range commands, uint32_t self, uint32_t vertexFetch,
                     uint32_t assembly);
    void step(Chip& chip);
    [[nodiscard]] bool isFinished() const { return finished_; }

    Queue<uint32_t> drawsToFetch, drawsToAssemble;

private:
    enum class Phase : uint8_t { Idle, Reading, Finishing, Flushing, Acting, Transferring, Launched, Leaving };
    /// One step within a cycle; false: it waits.
    bool act(Chip& chip, Cycle now);

    Phase phase_ = Phase::Idle;
    Cause idle_ = Cause::NoWork;
    size_t next_, end_;  ///< commands
    Cycle begun_ = 0, done_ = 0;
    uint32_t target_ = kNone;
    /// Lines of a transfer that SDRAM reads, and all of them, with those that it writes.
    struct TransferLines {
        uint64_t reads = 0, all = 0;
    };
    [[nodiscard]] TransferLines linesOf(const Chip& chip, const TransferWork& transfer) const;
    void beginTransfer(Chip& chip, const TransferWork& transfer, Cycle now);
    /// When the next line may be asked for, as far as the host's bus goes.
    [[nodiscard]] Cycle hostAllows(const TransferWork& transfer, const TransferLines& lines) const;

    Window transfers_;         ///< lines of a transfer
    uint64_t transferAt_ = 0;  ///< line
    Cycle transferDone_ = 0;   ///< all lines are there, and those to be written are written
    HostBus::Crossing host_;   ///< of what comes from the host
    Cycle hostDone_ = 0;       ///< all that crosses the host's bus has
    bool finished_ = false;
};

/// Brings the lines that vertex batches read; batches leave in order.
class VertexFetch {
public:
    VertexFetch(Clock& clock, const Preset& preset, uint32_t self, uint32_t dispatch);
    void step(Chip& chip);
    void forget() { cache_.clear(); }

    struct Group {
        uint32_t draw = 0, batch = 0;
    };
    Queue<Group> groups;

private:
    LineCache cache_;
    bool cached_;
    Window misses_;
    Cause idle_ = Cause::NoWork;
    uint32_t draw_ = kNone, batch_ = 0, line_ = 0;
    bool begun_ = false;  ///< the batch has had a cycle
    Cycle free_ = 0;      ///< first cycle that it has nothing to do in
    Cycle ready_ = 0;     ///< lines of the batch are there
};

}  // namespace tessera::model
