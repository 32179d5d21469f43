// Chains of causes: by hand, and of a machine's run.
#include "model/report/why.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "model/report/testing/sample.h"

namespace tessera::model {
namespace {

Cycle explained(const Chain& chain) {
    Cycle cycles = 0;
    for (const Link& link : chain.links) cycles += link.explained;
    return cycles;
}

/// Setup, rasterizer, early tests. In cycles 0 .. 9 setup works; 2 later the rasterizer begins, works for 10 cycles and
/// waits for the early tests, which wait for memory in 20 .. 49.
struct Hand {
    Result result;
    Preset preset;
    Hand() {
        result.cycles = 60;
        for (const UnitKind kind : {UnitKind::Setup, UnitKind::Rasterizer, UnitKind::EarlyTests})
            result.units.push_back({kind, 0, {}, {}});
        preset.fifo.latency = 2;
        preset.sdram.latency = 49;
        preset.sdram.read_cycles = 11;
        result.stalls = {
            {.unit = 0, .cause = Cause::NoWork, .begin = 10, .end = 60},
            {.unit = 1, .cause = Cause::NoWork, .begin = 0, .end = 12},
            {.unit = 1, .cause = Cause::QueueFull, .begin = 22, .end = 50},
            {.unit = 1, .cause = Cause::NoWork, .begin = 55, .end = 60},
            {.unit = 2, .cause = Cause::Sdram, .begin = 20, .end = 50},
        };
    }
};

TEST_CASE("segments are stalls, and work in between") {
    const Hand hand;
    const Timeline timeline(hand.result);
    REQUIRE(timeline.of(1).size() == 5);
    CHECK(timeline.at(1, 11).cause == Cause::NoWork);
    CHECK(timeline.at(1, 12).isBusy());
    CHECK(timeline.at(1, 12).end == 22);
    CHECK(timeline.at(1, 59).begin == 55);
    CHECK(timeline.lastBusy(1, 12) == nullptr);
    CHECK(timeline.lastBusy(1, 13)->begin == 12);
    CHECK(timeline.spent(1, Cause::Busy, 20, 52) == 4);
    CHECK(timeline.spent(1, Cause::QueueFull, 20, 52) == 28);
}

TEST_CASE("neighbours that differ in anything are two segments, and one where they do not") {
    const Stall first = {
        .unit = 0, .cause = Cause::Sdram, .begin = 0, .end = 10, .on = 1, .draw = 2, .program = 3, .pc = 4};
    const auto segmentsOf = [&](auto change) {
        Hand hand;
        Stall next = first;
        next.begin = 10, next.end = 60;
        change(next);
        hand.result.stalls = {first, next};
        return Timeline(hand.result).of(0).size();
    };
    CHECK(segmentsOf([](Stall&) {}) == 1);
    CHECK(segmentsOf([](Stall& next) { next.cause = Cause::QueueFull; }) == 2);
    CHECK(segmentsOf([](Stall& next) { next.on = 2; }) == 2);
    CHECK(segmentsOf([](Stall& next) { next.draw = 3; }) == 2);
    CHECK(segmentsOf([](Stall& next) { next.program = 4; }) == 2);
    CHECK(segmentsOf([](Stall& next) { next.pc = 5; }) == 2);
    // Nor where only one thing is the same.
    CHECK(segmentsOf([](Stall& next) { next = {.unit = 0, .cause = Cause::Sdram, .begin = 10, .end = 60}; }) == 2);
}

TEST_CASE("what comes from in front: the way here, then the work of who sent it") {
    const Hand hand;
    const Chain chain = follow(hand.result, Timeline(hand.result), hand.preset, 1, 0, 12);
    REQUIRE(chain.links.size() == 3);
    CHECK(chain.links[0].what.on == 0);
    CHECK(chain.links[0].explained == 0);
    CHECK(chain.links[1].isOnItsWay);
    CHECK(chain.links[1].explained == 2);
    CHECK(chain.links[2].unit == 0);
    CHECK(chain.links[2].what.isBusy());
    CHECK(chain.links[2].explained == 10);
}

TEST_CASE("a full queue: what the unit behind it waited for") {
    const Hand hand;
    const Chain chain = follow(hand.result, Timeline(hand.result), hand.preset, 1, 22, 50);
    REQUIRE(chain.links.size() == 2);
    CHECK(chain.links[1].unit == 2);
    CHECK(chain.links[1].what.cause == Cause::Sdram);
    CHECK(chain.links[1].what.begin == 22);
    CHECK(chain.links[1].explained == 28);
}

TEST_CASE("a chain to read") {
    const Hand hand;
    std::string error;
    const auto question = readQuestion("rasterizer:30", hand.result, &error);
    REQUIRE_MESSAGE(question, error);
    CHECK(whyText(*question, hand.result, {}, hand.preset) ==
          R"(Why rasterizer was idle in cycle 30: what waited, backwards in time
         22 .. 49        rasterizer         queue behind it full; on early tests
         22 .. 49        early tests        waiting for SDRAM
      its channels were 0 % busy in that time: its latency of 60 cycles
  Of these 28 cycles
         28 100.0 %  early tests: waiting for SDRAM
  Root: early tests, waiting for SDRAM
      its channels were 0 % busy in that time: its latency of 60 cycles
)");
}

TEST_CASE("memory: its bandwidth, its rows or its latency") {
    Hand hand;
    hand.result.units.push_back({UnitKind::Sdram, 0, {}, {}});
    const auto answer = [&](std::vector<Stall> channel) {
        Hand other = hand;
        for (Stall& stall : channel) stall.unit = 3;
        other.result.stalls.insert(other.result.stalls.end(), channel.begin(), channel.end());
        std::string error;
        return whyText(*readQuestion("early tests:30", other.result, &error), other.result, {}, other.preset);
    };
    CHECK(answer({}).find("its channels were 100 % busy in that time: its bandwidth\n") != std::string::npos);
    // Of the wait in 20 .. 49
    CHECK(
        answer({{.cause = Cause::RowChange, .begin = 20, .end = 41}, {.cause = Cause::NoWork, .begin = 47, .end = 60}})
            .find("were 20 % busy and 70 % opening rows in that time: its rows, turns of its bus and refreshes\n") !=
        std::string::npos);
    CHECK(
        answer({{.cause = Cause::RowChange, .begin = 20, .end = 23}, {.cause = Cause::NoWork, .begin = 23, .end = 47}})
            .find("were 10 % busy and 10 % opening rows in that time: its latency of 60 cycles\n") !=
        std::string::npos);
}

TEST_CASE("what commands add lies side by side, in runs of several frames too") {
    Workload workload = sample().workload;
    const Preset preset = sample().preset;
    for (const bool twice : {false, true}) {
        // Another frame, of nothing.
        if (twice) workload.commands.push_back({.kind = CommandWork::Kind::EndFrame, .item = 1});
        const Result result = simulate(workload, preset, {.keepStalls = true});
        std::vector<std::pair<Cycle, Cycle>> spans;
        for (uint32_t item = 0; item < result.items.size(); ++item) {
            spans.push_back(addedBy(result, item));
            CHECK(spans.back().second - spans.back().first == result.items[item].alone);
        }
        std::ranges::sort(spans);
        Cycle at = 0;
        for (const auto& [begin, end] : spans) {
            CHECK(begin == at);
            at = end;
        }
        CHECK(at == result.cycles);
    }
}

TEST_CASE("early tests hand a block on when its line has come, however long that takes") {
    Hand hand;
    hand.result.cycles = 300;
    hand.result.units[0].kind = UnitKind::Rasterizer;
    hand.result.units[1].kind = UnitKind::EarlyTests;
    hand.result.units[2].kind = UnitKind::Interpolator;
    hand.result.stalls = {
        {.unit = 0, .cause = Cause::NoWork, .begin = 5, .end = 300},
        {.unit = 1, .cause = Cause::NoWork, .begin = 0, .end = 8},
        {.unit = 1, .cause = Cause::NoWork, .begin = 10, .end = 300},
        {.unit = 2, .cause = Cause::NoWork, .begin = 0, .end = 200},
    };
    const Chain chain = follow(hand.result, Timeline(hand.result), hand.preset, 2, 9, 200);
    REQUIRE(chain.links.size() == 3);
    CHECK(chain.links[1].unit == 1);
    CHECK(chain.links[1].what.cause == Cause::Sdram);
    CHECK(chain.links[1].explained == 190);
    CHECK(chain.links[2].what.isBusy());
    CHECK(explained(chain) == 191);
}

TEST_CASE("units that wait for each other end the chain") {
    Hand hand;
    hand.result.stalls = {
        {.unit = 0, .cause = Cause::QueueFull, .begin = 0, .end = 60, .on = 1},
        {.unit = 1, .cause = Cause::NoWork, .begin = 0, .end = 60, .on = 0},
    };
    const Chain chain = follow(hand.result, Timeline(hand.result), hand.preset, 0, 0, 60);
    CHECK(chain.links.size() == 2);
    CHECK(explained(chain) == 60);
}

TEST_CASE("of every wait of a run, each cycle is explained once") {
    const Sample s = sample();
    const Timeline timeline(s.result);
    size_t waits = 0;
    for (uint32_t unit = 0; unit < timeline.units(); ++unit) {
        for (const Segment& what : timeline.of(unit)) {
            if (what.isBusy()) continue;
            const Chain chain = follow(s.result, timeline, s.preset, unit, what.begin, what.end);
            CHECK(explained(chain) == what.cycles());
            CHECK(chain.links.front().unit == unit);
            ++waits;
        }
    }
    CHECK(waits > 100);
}

TEST_CASE("a wait for lookups goes back to memory and names the draw and the line") {
    const Sample s = sample();
    const Timeline timeline(s.result);
    for (uint32_t unit = 0; unit < timeline.units(); ++unit) {
        if (s.result.units[unit].kind != UnitKind::BlockProcessor) continue;
        for (const Segment& what : timeline.of(unit)) {
            if (what.cause != Cause::Texture && what.cause != Cause::Sdram) continue;
            std::string error;
            const auto question =
                readQuestion(s.result.units[unit].name() + ":" + std::to_string(what.begin), s.result, &error);
            REQUIRE(question);
            const std::string text = whyText(*question, s.result, s.workload, s.preset);
            CHECK(text.find("color = texture2D(map, at) * tint;") != std::string::npos);
            CHECK(text.find("line 2, instruction 1 (tex)") != std::string::npos);
            CHECK(text.find("\n      of draw 0, glDrawArrays") != std::string::npos);  // behind the line that waited
            CHECK_MESSAGE(text.find(" in that time: its ") != std::string::npos, text);
            return;
        }
    }
    FAIL("no wait for lookups");
}

TEST_CASE("questions") {
    const Sample s = sample();
    std::string error;
    CHECK(readQuestion("0", s.result, &error)->kind == Question::Kind::Cycle);
    CHECK(readQuestion("top", s.result, &error)->kind == Question::Kind::Top);
    CHECK(readQuestion("draw 2", s.result, &error)->item == 1);
    CHECK(readQuestion("run", s.result, &error)->kind == Question::Kind::Run);
    CHECK(readQuestion("frame 1", s.result, &error)->item == 2);
    const auto unit = readQuestion("pixel engine 7:12", s.result, &error);
    REQUIRE(unit);
    CHECK(unit->unit == UnitKind::PixelEngine);
    CHECK(unit->number == 7u);
    CHECK(unit->cycle == 12);
    CHECK_FALSE(readQuestion("pixel engine:12", s.result, &error)->number);
    CHECK(error.empty());
    const std::string end = std::to_string(s.result.cycles);
    for (const std::string& wrong :
         {std::string(), std::string("-1"), end, std::string("99999999999999999999999"), std::string("draw 0"),
          std::string("draw 3"), std::string("frame 2"), std::string("launch 1"), std::string("draw "),
          std::string("draw -1"), std::string("pixel engine 8:1"), "setup:" + end, std::string("setup:"),
          std::string(":"), std::string("lanes of block processor 0:1"), std::string("1 "),
          std::string("pixel engine 4294967296:1"), std::string("\xFF:1"), std::string("TOP")}) {
        error.clear();
        CHECK_FALSE_MESSAGE(readQuestion(wrong, s.result, &error), wrong);
        CHECK_MESSAGE(error.starts_with("--why " + wrong + ": "), error);
        CHECK_MESSAGE(error.find('\n') == std::string::npos, error);
    }
    CHECK_FALSE(readQuestion("rasteriser:1", s.result, &error));
    CHECK(error.find("did you mean \"rasterizer\"?") != std::string::npos);
}

TEST_CASE("a run: every cycle of it once") {
    const Sample s = sample();
    std::string error;
    const std::string text = whyText(*readQuestion("run", s.result, &error), s.result, s.workload, s.preset);
    const std::string heading = "  Of these " + std::to_string(s.result.cycles) + " cycles\n";
    REQUIRE_MESSAGE(text.find(heading) != std::string::npos, text);
    std::istringstream rows(text.substr(text.find(heading) + heading.size()));
    uint64_t sum = 0;
    size_t count = 0;
    for (std::string line; std::getline(rows, line) && line.find(" %  ") != std::string::npos; ++count)
        sum += std::stoull(line);
    CHECK(count > 3);
    CHECK(sum == s.result.cycles);
    // That the next command waits explains nothing.
    CHECK_MESSAGE(text.find("waiting for earlier work") == std::string::npos, text);
}

TEST_CASE("every question has an answer, the same each time") {
    const Sample s = sample(), again = sample();
    std::string error;
    for (const std::string text : {"0", "100", "dispatch:50", "texture engine:200", "SDRAM channel 0:7", "draw 2",
                                   "draw 1", "frame 1", "run", "top", "display read-out:0"}) {
        const auto question = readQuestion(text, s.result, &error);
        REQUIRE_MESSAGE(question, error);
        const std::string answer = whyText(*question, s.result, s.workload, s.preset);
        CHECK_MESSAGE(answer.ends_with('\n'), text);
        CHECK(answer == whyText(*question, again.result, again.workload, again.preset));
    }
}

}  // namespace
}  // namespace tessera::model
