#include "model/chip/unit/progress.h"

namespace tessera::model {

Progress::Progress(Clock& clock, Result& result, size_t items, uint32_t command)
    : clock_(clock), result_(result), command_(command), left_(items), busyBefore_(result.units.size()) {
    result.draws.resize(items);
}

void Progress::begin(uint32_t item, Cycle read) {
    result_.draws[item].begin = read;
    order_.push_back(item);
    left_[item] = 1;
    ++unfinished_;
}

void Progress::finish(uint32_t item, Cycle done) {
    DrawResult& draw = result_.draws[item];
    draw.end = std::max(draw.end, done);
    lastDone_ = std::max(lastDone_, done);
    if (--left_[item]) return;
    while (closed_ < order_.size() && !left_[order_[closed_]]) close(order_[closed_++]);
    if (--unfinished_ == 0) clock_.wake(command_, lastDone_ + 1);
}

void Progress::close(uint32_t item) {
    DrawResult& draw = result_.draws[item];
    draw.alone = draw.end > lastEnd_ ? draw.end - lastEnd_ : 0;
    lastEnd_ = std::max(lastEnd_, draw.end);
    std::vector<UnitResult>& units = result_.units;
    for (uint32_t first = 0; first < units.size();) {
        uint64_t busy = 0;
        uint32_t end = first;
        for (; end < units.size() && units[end].kind == units[first].kind; ++end) {
            busy += units[end].busy() - busyBefore_[end];
            busyBefore_[end] = units[end].busy();
        }
        // Books of some units run ahead by what is already certain.
        const double use = std::min(
            1.0, static_cast<double>(busy) / static_cast<double>((end - first) * std::max<uint64_t>(draw.alone, 1)));
        if (draw.alone && units[first].kind != UnitKind::Lanes && use > draw.boundUse) {
            draw.boundUse = use;
            draw.boundBy = first;
        }
        first = end;
    }
}

}  // namespace tessera::model
