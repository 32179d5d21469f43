// What a trace says, against values worked out by hand.
#include "shader-core/debug/trace/trace.h"

#include <bit>
#include <sstream>

#include <nlohmann/json.hpp>

#include "shader-core/debug/replay/launch.h"
#include "shader-core/debug/replay/value.h"
#include "shader-core/debug/testing/groups.h"

namespace tessera::debug {
namespace {

constexpr std::string_view kSmall = R"(.fragment
.input v0 v_value vec4
    mov r0.x, v0.x
    mov.i32 a0.x, 1
    mov r[a0.x + 0].y, 3.0
    slt p1, v0.x, 1.5
    (p1) kil
    mov o0, r0.x
    ret
)";

TEST_CASE("writes, masks, cycles and discards") {
    Replay replay(groupOf(std::string(".fragment\n.temps 2\n") + std::string(kSmall.substr(10))));
    const Trace result = trace(replay, 100);
    REQUIRE(result.steps.size() == 7);
    CHECK(result.outcome.killMask == 0x3);
    CHECK(result.steps[4].killed == 0x3);
    CHECK(result.steps[4].guardedMask == 0x3);
    uint64_t cycle = 0;
    for (const TraceStep& step : result.steps) {
        CHECK(step.cycle == cycle);
        cycle += isa::opInfo(replay.code()[step.pc].op).latency;
    }
    CHECK(result.cycles == cycle);
    REQUIRE(result.steps[0].writes.size() == 1);
    CHECK(result.steps[0].writes[0].components == 1);
    CHECK(result.steps[0].writes[0].value.lane[0][2] == 2.0f);
    REQUIRE(result.steps[2].writes.size() == 1);
    CHECK(result.steps[2].writes[0].index == 1);
    CHECK(result.steps[2].writes[0].value.lane[1][3] == 3.0f);
    CHECK(__builtin_bit_cast(uint32_t, result.steps[3].writes[0].value.lane[0][1]) == 1);
    CHECK(__builtin_bit_cast(uint32_t, result.steps[3].writes[0].value.lane[0][2]) == 0);
}

TEST_CASE("a trace ends at its limit and says so") {
    Replay replay(groupOf(kDiverging));
    const Trace result = trace(replay, 3);
    CHECK(result.steps.size() == 3);
    CHECK(result.cut);
    CHECK(result.cycles == trace(replay, 1000).cycles);
    CHECK(result.steps[2].writes.empty());
    CHECK(result.outcome.outputs[0].lane[1][3] == 4.0f);
}

TEST_CASE("each line of JSON is an object with the values of the lanes") {
    Replay replay(groupOf(kDiverging));
    const Trace result = trace(replay, 100);
    std::ostringstream text;
    const TraceGroup group{7, &replay, &result};
    writeJson(text, std::span(&group, 1));
    std::istringstream lines(text.str());
    std::string line;
    size_t count = 0;
    while (std::getline(lines, line)) {
        const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
        REQUIRE(json.is_object());
        CHECK(json["group"] == 7);
        CHECK(json["pc"] == result.steps[count].pc);
        if (count == 3) {
            CHECK(json["writes"][0]["register"] == "r0");
            CHECK(json["writes"][0]["x"] == nlohmann::json::array({10.0, 11.0}));
            CHECK(json["exec"] == "0x00000003");
        }
        ++count;
    }
    CHECK(count == result.steps.size());
}

/// A reader of VCD of its own: the last value of each variable by its full name.
std::map<std::string, std::string> finalValues(const std::string& text) {
    std::istringstream in(text);
    std::map<std::string, std::string> names, values;
    std::vector<std::string> scope;
    std::string word;
    uint64_t time = 0;
    while (in >> word) {
        std::string skip, name, id;
        if (word == "$comment") {
            while (in >> skip && skip != "$end") continue;
        } else if (word == "$scope") {
            in >> skip >> name >> skip;
            scope.push_back(name);
        } else if (word == "$upscope") {
            in >> skip;
            scope.pop_back();
        } else if (word == "$var") {
            in >> skip >> skip >> id >> name >> skip;
            std::string full;
            for (const std::string& part : scope) full += part + ".";
            CHECK(names.emplace(id, full + name).second);
        } else if (word[0] == '#') {
            const uint64_t next = std::stoull(word.substr(1));
            CHECK((values.empty() || next > time));
            time = next;
        } else if (word[0] == 'b' || word[0] == 'r') {
            in >> id;
            REQUIRE(names.count(id) == 1);
            values[names[id]] = word.substr(1);
        }
    }
    CHECK(scope.empty());
    values["time"] = std::to_string(time);
    return values;
}

TEST_CASE("a waveform ends with the registers' last values") {
    Replay replay(groupOf(kDiverging));
    const Trace result = trace(replay, 1000);
    const TraceGroup groups[] = {{0, &replay, &result}};
    std::ostringstream text;
    writeVcd(text, groups);
    auto values = finalValues(text.str());
    CHECK(values["group0.lane1.o0_x"] == "11.0");
    CHECK(values["group0.lane3.o0_x"] == "6.0");
    CHECK(values["group0.lane3.r1_x"] == "4.0");
    CHECK(values["group0.exec"] == "0");
    CHECK(values["time"] == std::to_string(result.cycles));
}

TEST_CASE("a timeline has one span for each instruction") {
    Replay replay(groupOf(kDiverging));
    const Trace result = trace(replay, 1000);
    const TraceGroup groups[] = {{0, &replay, &result}};
    std::ostringstream text;
    writePerfetto(text, groups);
    const nlohmann::json json = nlohmann::json::parse(text.str(), nullptr, false);
    size_t spans = 0;
    uint64_t length = 0;
    for (const auto& event : json["traceEvents"])
        if (event["ph"] == "X") ++spans, length += event["dur"].get<uint64_t>();
    CHECK(spans == result.steps.size());
    CHECK(length == result.cycles);
}

TEST_CASE("a value has the type of its last write, lane by lane") {
    // Lanes 0 and 1 hold an integer in r0.x, the others the float that a comparison gave.
    Replay replay(groupOf(R"(.vertex
.input v0 a_value vec4
.temps 3
    slt r0.x, v0.x, 9.0
    slt p1, v0.x, 2.0
    (p1) f2i.u32 r0.x, v0.x
    mov.i32 a0.x, 1
    mov r[a0.x + 1].y, r0.x
    mov o0.z, r2.y
    ret
)"));
    const Trace result = trace(replay, 100);
    REQUIRE(result.steps.size() == 7);
    const auto shown = [&](size_t step, size_t component) {
        const Write& write = result.steps[step].writes.at(0);
        std::string text;
        for (int lane = 0; lane < 4; ++lane)
            if ((write.lanes >> lane & 1) != 0)
                text += " " + valueText(write.value.lane[component][lane], write.types[component].in(lane));
        return text;
    };
    CHECK(shown(0, 0) == " 1.0 1.0 1.0 1.0");
    CHECK(shown(1, 0) == " 1 1 0 0");  // a predicate
    CHECK(shown(2, 0) == " 0 1");
    CHECK(shown(3, 0) == " 1 1 1 1");
    CHECK(shown(4, 1) == " 0 1 1.0 1.0");
    CHECK(shown(5, 2) == " 0 1 1.0 1.0");
    CHECK(result.types.of(isa::File::O, 0, 2).in(1) == Format::U32);
    CHECK(result.types.of(isa::File::O, 0, 3).in(1) == Format::F32);

    const TraceGroup groups[] = {{0, &replay, &result}};
    std::ostringstream vcd, timeline;
    writeVcd(vcd, groups);
    auto values = finalValues(vcd.str());
    CHECK(values["group0.lane1.o0_z"] == "1");
    CHECK(values["group0.lane2.o0_z"] == "1.0");
    writePerfetto(timeline, groups);
    CHECK(timeline.str().find(R"("o0.z lane 1":"1","o0.z lane 2":"1.0")") != std::string::npos);
}

TEST_CASE("what is stored is what the instruction reads with its modifiers") {
    assembly::AssembleResult assembled = assembly::assemble(
        ".compute\n.group 32\n.buffer b0 data\n    mov r0.x, 1.5\n    mov.i32 r1.x, -8\n"
        "    st b0[0], r0.x\n    st b0[0], -r0.x\n    st b0[0], |r0.x|\n    st b0[0], -|r0.x|\n"
        "    st.i32 b0[0], r1.x\n    st.i32 b0[0], -|r1.x|\n    ret\n",
        "test.tsa");
    REQUIRE_MESSAGE(assembled.program.has_value(), assembled.log());
    auto launch = std::make_shared<Launch>();
    launch->program = std::make_shared<isa::Program>(std::move(*assembled.program));
    launch->buffers[0].resize(4);
    const Trace result = trace(Replay(groupsOf(launch, 0).at(0)), 100);
    REQUIRE(result.steps.size() == 9);
    const auto stored = [&](size_t step) { return float{result.steps[step].accesses.at(0).value.lane[0][5]}; };
    CHECK(stored(2) == 1.5f);
    CHECK(stored(3) == -1.5f);
    CHECK(stored(4) == 1.5f);
    CHECK(stored(5) == -1.5f);
    CHECK(std::bit_cast<int32_t>(stored(6)) == -8);
    CHECK(std::bit_cast<int32_t>(stored(7)) == -8);
}

TEST_CASE("registers are named as in assembly") {
    CHECK(parseRegister("r12.xz")->components == "xz");
    CHECK(parseRegister("frag_coord")->file == isa::File::S);
    CHECK(parseRegister("p2")->components == "x");
    for (const char* wrong : {"", "r", "q1", "r512", "r-1", "r1.", "r1.q", "p0", "a1", "r1x"})
        CHECK_FALSE_MESSAGE(parseRegister(wrong), wrong);
    CHECK(valueText(0x3dcccccdu, Format::F32) == "0.1");
    CHECK(valueText(0xffffffffu, Format::I32) == "-1");
    CHECK(valueText(1.0f, Format::F32) == "1.0");
    CHECK(valueText(-0.0f, Format::F32) == "-0.0");
    CHECK(valueText(1e20f, Format::F32) == "1e+20");
    CHECK(valueText(0x7f800000u, Format::F32) == "inf");
}

}  // namespace
}  // namespace tessera::debug
