// Files for viewers, read back by readers of the tests' own: what they say adds up to the result.
#include "model/report/viewers.h"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "model/report/testing/sample.h"

namespace tessera::model {
namespace {

std::string timelineOf(const Sample& s) {
    std::ostringstream out;
    writeTimeline(out, s.result, s.workload);
    return out.str();
}
std::string pipelineOf(const Sample& s) {
    std::ostringstream out;
    writePipeline(out, s.result, s.workload, s.preset);
    return out.str();
}
std::string wavesOf(const Sample& s) {
    std::ostringstream out;
    writeWaves(out, s.result);
    return out.str();
}

TEST_CASE("slices of the timeline add up to the cycles of each cause") {
    const Sample s = sample();
    const nlohmann::json json = nlohmann::json::parse(timelineOf(s));
    std::map<std::pair<uint32_t, std::string>, uint64_t> cycles;
    std::map<uint32_t, uint64_t> ends;
    std::map<std::string, int> phases;
    std::set<std::pair<uint32_t, uint32_t>> named, worked;  // tracks
    for (const auto& event : json["traceEvents"]) {
        ++phases[event["ph"]];
        if (event["name"] == "thread_name") named.emplace(event["pid"], event["tid"]);
        if (event["ph"] != "X") continue;
        worked.emplace(event["pid"], event["tid"]);
        const auto unit = event["tid"].get<uint32_t>();
        const auto begin = event["ts"].get<uint64_t>(), length = event["dur"].get<uint64_t>();
        CHECK(begin >= ends[unit]);  // slices of a track follow each other
        ends[unit] = begin + length;
        cycles[{unit, event["cat"]}] += length;
    }
    CHECK(worked.size() < s.result.units.size());  // units that did nothing have no track
    CHECK(named == worked);
    for (uint32_t unit = 0; unit < s.result.units.size(); ++unit) {
        if (s.result.units[unit].kind == UnitKind::Lanes) continue;
        for (int cause = 0; cause < kCauses; ++cause) {
            if (static_cast<Cause>(cause) == Cause::NoWork) continue;
            const std::string key(causeKey(static_cast<Cause>(cause)));
            CHECK_MESSAGE(cycles[std::pair(unit, key)] == s.result.units[unit].cycles[static_cast<size_t>(cause)],
                          (s.result.units[unit].name() + ": " + key));
        }
    }
    CHECK(phases["b"] == 3);  // two draws and the end of the frame
    CHECK(phases["e"] == 3);
    CHECK(phases["s"] == 2);
    CHECK(phases["f"] == 2);
    CHECK(phases["i"] == 1);
}

/// A value change dump of wires.
struct Dump {
    std::map<std::string, std::string> names;                              ///< by identifier
    std::map<std::string, std::vector<std::pair<uint64_t, uint64_t>>> of;  ///< changes: time and value, by name
    uint64_t end = 0;
};
Dump readDump(const std::string& text) {
    Dump dump;
    std::istringstream words(text);
    uint64_t previous = 0;
    bool defined = false;
    for (std::string word; words >> word;) {
        if (word == "$enddefinitions") defined = true;
        if (word == "$var") {
            CHECK_FALSE(defined);
            std::string type, bits, identifier, name;
            words >> type >> bits >> identifier >> name;
            CHECK(type == "wire");
            CHECK(dump.names.emplace(identifier, name).second);
        }
        if (word[0] == '$') {
            while (word != "$end" && words >> word) {
            }
            REQUIRE(word == "$end");
        } else if (word[0] == '#') {
            dump.end = std::stoull(word.substr(1));
            CHECK(dump.end >= previous);
            previous = dump.end;
        } else {
            REQUIRE(word[0] == 'b');
            std::string identifier;
            words >> identifier;
            REQUIRE(dump.names.contains(identifier));
            dump.of[dump.names[identifier]].emplace_back(dump.end, std::stoull(word.substr(1), nullptr, 2));
        }
    }
    return dump;
}

TEST_CASE("states of the waveforms add up to the cycles of each cause") {
    const Sample s = sample();
    const Dump dump = readDump(wavesOf(s));
    CHECK(dump.end == s.result.cycles);
    for (const UnitResult& unit : s.result.units) {
        if (unit.kind == UnitKind::Lanes) continue;
        std::string name = s.result.unitCount(unit.kind) == 1 ? std::string(unitText(unit.kind)) : unit.name();
        for (char& c : name)
            if (c == ' ') c = '_';
        const auto changes = dump.of.find(name);
        REQUIRE_MESSAGE(changes != dump.of.end(), name);
        CHECK(changes->second.front().first == 0);
        CauseCycles cycles{};
        for (size_t i = 0; i < changes->second.size(); ++i) {
            const uint64_t until = i + 1 < changes->second.size() ? changes->second[i + 1].first : dump.end;
            cycles.at(changes->second[i].second) += until - changes->second[i].first;
        }
        CHECK_MESSAGE(cycles == unit.cycles, name);
    }
    const auto& draws = dump.of.at("draw");
    REQUIRE(draws.size() == 3);
    CHECK(s.result.items[0].begin == 0);
    CHECK(draws[0] == std::pair(uint64_t{0}, uint64_t{0}));
    CHECK(draws[1] == std::pair(s.result.items[0].end + 1, uint64_t{1}));
    CHECK(draws[2] == std::pair(s.result.items[1].end + 1, uint64_t{kNone}));
    CHECK(dump.of.at("frame").back() == std::pair(s.result.frameEnds[0], uint64_t{1}));
}

TEST_CASE("queues of the waveforms: full where somebody waits for a place, never fuller, and empty at the end") {
    Sample s = sample();
    for (const char* setting : {"geometry.fifo=1", "raster.fifo=2", "interpolation.fifo=1", "fragments.fifo=1",
                                "texture.fifo=1", "pixel.fifo=1", "fragments.store=2"}) {
        std::string error;
        REQUIRE(setParameter(s.preset, setting, &error));
    }
    // Two frames: levels of the second one come behind those of the first.
    WorkloadBuilder builder;
    builder.w = s.workload;
    builder.draw(0, 2, {{.blocks = WorkloadBuilder::square(12, 12)}, {.blocks = WorkloadBuilder::square(9, 9)}});
    builder.endFrame();
    s.workload = builder.w;
    s.result = simulate(s.workload, s.preset, {.keepStalls = true, .keepLevels = true});
    const Dump dump = readDump(wavesOf(s));
    const auto wire = [&](uint32_t unit) {
        const UnitResult& one = s.result.units[unit];
        std::string name = s.result.unitCount(one.kind) == 1 ? std::string(unitText(one.kind)) : one.name();
        for (char& c : name)
            if (c == ' ') c = '_';
        return name;
    };
    std::map<uint32_t, std::vector<std::vector<uint64_t>>> filled;  // queues behind a unit: free places by cycle
    for (const QueueResult& queue : s.result.queues) {
        const std::string name = wire(queue.from) + "_to_" + wire(queue.to);
        const auto changes = dump.of.find(name);
        REQUIRE_MESSAGE(changes != dump.of.end(), name);
        CHECK(changes->second.front() == std::pair(uint64_t{0}, uint64_t{0}));
        CHECK(changes->second.back().second == 0);
        std::vector<uint64_t> free;
        for (size_t i = 0; i < changes->second.size(); ++i) {
            const auto& [from, entries] = changes->second[i];
            REQUIRE(entries <= queue.places);
            if (i > 0) CHECK(entries != changes->second[i - 1].second);
            const uint64_t until = i + 1 < changes->second.size() ? changes->second[i + 1].first : dump.end;
            for (uint64_t cycle = from; cycle < until; ++cycle) free.push_back(queue.places - entries);
        }
        CHECK(free.size() == s.result.cycles);
        filled[queue.from].push_back(std::move(free));
    }
    size_t waits = 0;
    std::map<UnitKind, bool> kinds;
    for (const Stall& stall : s.result.stalls) {
        if (stall.cause != Cause::QueueFull) continue;
        kinds[s.result.units[stall.unit].kind] = true;
        for (Cycle cycle = stall.begin; cycle < stall.end; ++cycle, ++waits) {
            bool isFull = false;
            for (const std::vector<uint64_t>& free : filled[stall.unit]) isFull = isFull || free[cycle] == 0;
            CHECK_MESSAGE(isFull, (wire(stall.unit) + " " + std::to_string(cycle)));
        }
    }
    CHECK(waits > 100);
    CHECK(kinds.size() >= 4);
}

TEST_CASE("the pipeline log has every issue in its stages") {
    const Sample s = sample();
    std::istringstream lines(pipelineOf(s));
    std::string line;
    REQUIRE(std::getline(lines, line));
    CHECK(line == "Kanata\t0004");
    struct Logged {
        std::map<std::string, uint64_t> stages;  ///< cycle of entry
        uint64_t entered = 0, left = 0;
        std::string label;
    };
    std::map<uint64_t, Logged> log;
    uint64_t now = 0;
    while (std::getline(lines, line)) {
        std::istringstream fields(line);
        std::string kind, stage;
        uint64_t id = 0, other = 0;
        fields >> kind >> id;
        if (kind == "C=") {
            now = id;
        } else if (kind == "C") {
            CHECK(id > 0);
            now += id;
        } else if (kind == "I") {
            CHECK(log.emplace(id, Logged{.entered = now}).second);
        } else if (kind == "S") {
            fields >> other >> stage;
            log.at(id).stages[stage] = now;
        } else if (kind == "R") {
            log.at(id).left = now;
        } else {
            CHECK(kind == "L");
            if (log.at(id).label.empty()) log.at(id).label = line;
        }
    }
    REQUIRE(log.size() == s.result.issues.size());
    CHECK(log.size() == s.result.instructions);
    int awaited = 0;
    for (size_t i = 0; i < log.size(); ++i) {
        const Issue& issue = s.result.issues[i];
        Logged& instruction = log.at(i);
        CHECK(instruction.entered == issue.cycle);
        CHECK(instruction.stages["IF"] == issue.begin);
        CHECK(instruction.stages["ID"] == issue.begin + 1);
        CHECK(instruction.stages["EX"] == issue.begin + 2);
        CHECK(instruction.stages["WB"] == instruction.left - 1);
        if (issue.result != kNever) CHECK(instruction.left == issue.result + s.preset.block.stages - 1);
        // What the machine did not know then is there when the group issues again.
        const auto next = std::find_if(
            s.result.issues.begin() + static_cast<ptrdiff_t>(i) + 1, s.result.issues.end(), [&](const Issue& other) {
                return other.item == issue.item && other.program == issue.program && other.group == issue.group;
            });
        if (issue.result != kNever || next == s.result.issues.end()) continue;
        CHECK(instruction.left == next->cycle + s.preset.block.stages - 1);
        ++awaited;
    }
    CHECK(awaited > 0);
    CHECK(log.at(0).label == "L\t0\t0\tblock processor 0: group 0, program 0, instruction 0 (mov)");
}

TEST_CASE("files are the same each time") {
    CHECK(timelineOf(sample()) == timelineOf(sample()));
    CHECK(wavesOf(sample()) == wavesOf(sample()));
    CHECK(pipelineOf(sample()) == pipelineOf(sample()));
}

}  // namespace
}  // namespace tessera::model
