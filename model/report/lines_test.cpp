// Lines: the three costs of one line stand in one row, and add up to those of the whole.
#include "model/report/lines.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "model/report/testing/sample.h"

namespace tessera::model {
namespace {

const LineCost& lineOf(const ProgramCost& cost, uint32_t line) {
    for (const LineCost& row : cost.lines)
        if (row.line == line) return row;
    FAIL("no line ", line);
    return cost.lines[0];
}

TEST_CASE("in the code, as it ran, on the machine") {
    const Sample s = sample();
    const std::vector<ProgramCost> costs = costsOf(s.workload, s.result, s.preset);
    REQUIRE(costs.size() == 3);
    REQUIRE(costs[1].lines.size() == 3);
    const LineCost& lookup = lineOf(costs[1], 2);  // tex, mul
    CHECK(lookup.instructions == 2);
    CHECK(lookup.latency == s.preset.instruction.texture.latency + s.preset.instruction.alu.latency);
    // 64 blocks of 4x4, whose sixteen fragments execute both.
    CHECK(lookup.executed == 2 * 64);
    CHECK(lookup.lanes == 2 * 64 * 16);
    const std::vector<PcResult>& modelled = s.result.programs[1];
    CHECK(lookup.issued == modelled[1].cycles + modelled[2].cycles);
    CHECK(lookup.waited[static_cast<size_t>(Cause::Texture)] > 0);
}

TEST_CASE("what lines took is what the block processors did") {
    const Sample s = sample();
    CauseCycles lines{}, units{};
    for (const ProgramCost& cost : costsOf(s.workload, s.result, s.preset))
        for (const LineCost& row : cost.lines) {
            lines[0] += row.issued;
            for (size_t cause = 0; cause < kCauses; ++cause) lines[cause] += row.waited[cause];
        }
    for (const UnitResult& unit : s.result.units)
        if (unit.kind == UnitKind::BlockProcessor)
            for (size_t cause = 0; cause < kCauses; ++cause) units[cause] += unit.cycles[cause];
    CHECK(lines[0] == units[0]);
    for (const Cause cause : {Cause::Texture, Cause::Dependency, Cause::UnitTaken, Cause::QueueFull})
        CHECK(lines[static_cast<size_t>(cause)] == units[static_cast<size_t>(cause)]);
    // Where no group is, none of its instructions is to blame.
    CHECK(lines[static_cast<size_t>(Cause::NoGroup)] == 0);
}

TEST_CASE("runs of a frame are added to a program of the same text, not to others") {
    const Sample s = sample();
    const std::vector<ProgramCost> costs = costsOf(s.workload, s.result, s.preset);
    auto moved = std::make_shared<isa::Program>(*s.workload.programs[1].program);
    moved->tempCount += 3;
    ProgramCost cost = costInCode("again", moved, s.preset);
    CHECK_FALSE(cost.hasRun);
    CHECK(costText(cost).find(" - ") != std::string::npos);
    addRuns(cost, costs);
    CHECK(cost.hasRun);
    CHECK(cost.isModelled);
    CHECK(lineOf(cost, 2).lanes == lineOf(costs[1], 2).lanes);
    CHECK(lineOf(cost, 2).cycles() == lineOf(costs[1], 2).cycles());
    moved->source += " ";
    ProgramCost other = costInCode("other", moved, s.preset);
    addRuns(other, costs);
    CHECK_FALSE(other.hasRun);
}

TEST_CASE("text and JSON have the same figures") {
    const Sample s = sample();
    const std::vector<ProgramCost> costs = costsOf(s.workload, s.result, s.preset);
    const std::string text = costText(costs[1]), all = dearestLinesText(costs, 2);
    const LineCost& lookup = lineOf(costs[1], 2);
    CHECK(text.find("color = texture2D(map, at) * tint;") != std::string::npos);
    CHECK(text.find("waiting for texture engines") != std::string::npos);
    CHECK(text.find(" " + std::to_string(lookup.waits()) + " ") != std::string::npos);
    CHECK(all.find(" " + std::to_string(lookup.waits()) + " ") != std::string::npos);
    CHECK(all.find("lines more") != std::string::npos);
    const auto json = costJson(costs[1])["lines"][1];
    CHECK(json["line"] == 2);
    CHECK(json["static"]["instructions"] == lookup.instructions);
    CHECK(json["measured"]["lanes"] == lookup.lanes);
    CHECK(json["modelled"]["issued"] == lookup.issued);
    CHECK(json["modelled"]["waited"]["texture"] == lookup.waited[static_cast<size_t>(Cause::Texture)]);
}

}  // namespace
}  // namespace tessera::model
