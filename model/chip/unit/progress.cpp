#include "model/chip/unit/progress.h"

#include <algorithm>
#include <utility>

namespace tessera::model {

Progress::Progress(Clock& clock, Result& result, const Workload& workload, Sdram& sdram, uint32_t command)
    : clock_(clock),
      result_(result),
      sdram_(sdram),
      command_(command),
      busyBefore_(result.units.size()),
      openingBefore_(result.units.size()) {
    using enum CommandWork::Kind;
    const auto frames = static_cast<size_t>(std::ranges::count(workload.commands, EndFrame, &CommandWork::kind));
    for (const auto& [kind, end] :
         {std::pair(Draw, workload.launchItem(0)), std::pair(Launch, workload.transferItem(0)),
          std::pair(Transfer, workload.frameItem(0))})
        result.items.resize(end, {.kind = kind});
    result.items.resize(result.items.size() + frames, {.kind = EndFrame});
    left_.resize(result.items.size());
}

void Progress::begin(uint32_t item, Cycle read) {
    result_.items[item].begin = read;
    order_.push_back(item);
    left_[item] = 1;
    ++unfinished_;
}

void Progress::finish(uint32_t item, Cycle done) {
    ItemResult& row = result_.items[item];
    row.end = std::max(row.end, done);
    lastDone_ = std::max(lastDone_, done);
    if (--left_[item]) return;
    while (closed_ < order_.size() && !left_[order_[closed_]]) close(order_[closed_++]);
    if (--unfinished_ == 0) clock_.wake(command_, lastDone_ + 1);
}

void Progress::record(uint32_t item, Cycle read, Cycle done) {
    result_.items[item].begin = read;
    result_.items[item].end = done;
    close(item);
}

void Progress::end(Cycle cycles) {
    if (lastClosed_ != kNone) result_.items[lastClosed_].alone += cycles - lastEnd_;
}

void Progress::close(uint32_t item) {
    sdram_.settle();
    ItemResult& row = result_.items[item];
    lastClosed_ = item;
    row.alone = row.end > lastEnd_ ? row.end - lastEnd_ : 0;
    lastEnd_ = std::max(lastEnd_, row.end);
    std::vector<UnitResult>& units = result_.units;
    for (uint32_t first = 0; first < units.size();) {
        uint64_t busy = 0, opening = 0;
        uint32_t end = first;
        for (; end < units.size() && units[end].kind == units[first].kind; ++end) {
            const uint64_t rows = units[end].cycles[static_cast<size_t>(Cause::RowChange)];
            busy += units[end].busy() - busyBefore_[end];
            opening += rows - openingBefore_[end];
            busyBefore_[end] = units[end].busy();
            openingBefore_[end] = rows;
        }
        const auto whole = static_cast<double>((end - first) * std::max<uint64_t>(row.alone, 1));
        // Books of some units run ahead by what is already certain.
        const double use = std::min(1.0, static_cast<double>(busy) / whole);
        const double rows = std::min(1.0 - use, static_cast<double>(opening) / whole);
        if (row.alone && units[first].kind != UnitKind::Lanes && use + rows > row.boundUse + row.boundRows) {
            row.boundUse = use;
            row.boundRows = rows;
            row.boundBy = first;
        }
        first = end;
    }
}

}  // namespace tessera::model
