// The modelled chip's units over time: what each did in every cycle, and why it was idle.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/chip/result.h"
#include "model/report/timeline.h"

namespace tessera::tools {

class ChipPanel {
public:
    /// The result, which has its stalls, is always the same one: another one has a panel of its own.
    /// `aboveWhy` is called above the answer.
    void show(const model::Result& result, const model::Workload& workload, const std::string& preset,
              const std::function<void()>& aboveWhy = {});
    /// The answer to what was asked last.
    [[nodiscard]] const std::string& why() const { return why_; }

private:
    /// What a unit did in the cycles under a column of pixels.
    struct Column {
        float busy = 0;
        model::Cause most = model::Cause::NoWork;  ///< of the idle ones
    };
    void follow(const model::Result& result, int columns);
    [[nodiscard]] double cycleAt(float part) const { return first_ + (last_ - first_) * static_cast<double>(part); }
    void showUnits(const model::Result& result, const model::Workload& workload, const std::string& preset);
    void askWhy(const std::string& question, const model::Result& result, const model::Workload& workload,
                const std::string& preset);

    std::optional<model::Timeline> timeline_;
    double first_ = 0, last_ = 0;  ///< cycles that are seen
    std::vector<std::vector<Column>> units_;
    double drawnFirst_ = -1, drawnLast_ = -1;  ///< of which units_ are
    std::string why_;
};

}  // namespace tessera::tools
