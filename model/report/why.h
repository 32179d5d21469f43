// Why a unit was idle: the chain of causes, backwards in time, to its root.
//
// A unit that waited did so for another one: the unit in front that had nothing for it, the one behind that took
// nothing, the texture engine that its lookup was in. What that one did until it let the first go on explains the time
// before: it worked, or waited itself, for a third. So each cycle of the wait gets one explanation: work of a unit, a
// latency, or a cause that lies in the unit (the result of an instruction, a barrier, memory).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/chip/result.h"
#include "model/report/timeline.h"

namespace tessera::model {

/// A step of a chain. Later ones are earlier in time, or explain the one before.
struct Link {
    uint32_t unit = 0;        ///< in Result::units
    Segment what;             ///< that the unit did; cut to the time of the chain. `on`: whom the next link is about
    bool isOnItsWay = false;  ///< the unit had done it, and what it handed on had not arrived
    Cycle explained = 0;      ///< cycles of the chain; 0: the next link explains them
};
struct Chain {
    Cycle begin = 0, end = 0;
    std::vector<Link> links;  ///< what they explain adds up to end - begin
};
/// Why `unit` did what it did in begin .. end - 1, which is not empty and not beyond the result.
[[nodiscard]] Chain follow(const Result& result, const Timeline& timeline, const Preset& preset, uint32_t unit,
                           Cycle begin, Cycle end);

/// The cycles that a command adds (ItemResult::alone): first, and behind the last. Those of all tile the run.
[[nodiscard]] std::pair<Cycle, Cycle> addedBy(const Result& result, uint32_t item);

/// What `--why` asks for: "1234", "pixel engine 2:1234", "rasterizer:1234", "draw 3" (from 1; or
/// launch, transfer, frame), "run", "top".
struct Question {
    enum class Kind : uint8_t { Cycle, Unit, Item, Run, Top } kind = Kind::Top;
    Cycle cycle = 0;
    UnitKind unit = UnitKind::BlockProcessor;
    std::optional<uint32_t> number;  ///< of its kind; none: whichever waited longest
    uint32_t item = 0;               ///< in Result::items
};
/// Nothing: *error says why, and what would do.
[[nodiscard]] std::optional<Question> readQuestion(std::string_view text, const Result& result, std::string* error);

/// The answer, for a person. The result has its stalls.
[[nodiscard]] std::string whyText(const Question& question, const Result& result, const Workload& workload,
                                  const Preset& preset);

}  // namespace tessera::model
