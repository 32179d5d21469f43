// What of the workload is finished, by item. Draws overlap; their cycles are told apart by their ends.
#pragma once

#include <vector>

#include "model/chip/unit/clock.h"
#include "model/chip/unit/memory.h"

namespace tessera::model {

class Progress {
public:
    Progress(Clock& clock, Result& result, const Workload& workload, Sdram& sdram, uint32_t command);

    /// It is handed on; the command processor began to read it in cycle `read`.
    void begin(uint32_t item, Cycle read);
    /// Pieces of it are on their way (blocks, groups).
    void add(uint32_t item, uint32_t pieces = 1) { left_[item] += pieces; }
    /// A piece of it ends in cycle `done`, this one or a later one.
    void finish(uint32_t item, Cycle done);
    /// What the command processor did by itself from `read` until `done`, when everything before had ended.
    void record(uint32_t item, Cycle read, Cycle done);
    /// The run ends: until then the last item takes what was still on its way.
    void end(Cycle cycles);
    /// Everything that began has ended before this cycle. If not, the command processor acts again when it has.
    [[nodiscard]] bool isFinished() const { return unfinished_ == 0 && lastDone_ < clock_.now(); }

private:
    void close(uint32_t item);

    Clock& clock_;
    Result& result_;
    Sdram& sdram_;
    uint32_t command_;
    std::vector<uint32_t> left_;   ///< pieces; one more until all are known
    std::vector<uint32_t> order_;  ///< items, as they began
    size_t closed_ = 0;            ///< of order_
    uint32_t unfinished_ = 0;
    Cycle lastDone_ = 0, lastEnd_ = 0;
    uint32_t lastClosed_ = kNone;                       ///< item
    std::vector<uint64_t> busyBefore_, openingBefore_;  ///< cycles of each unit, when the last item ended
};

}  // namespace tessera::model
