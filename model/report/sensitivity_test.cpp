#include "model/report/sensitivity.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "model/chip/testing/workload_builder.h"

namespace tessera::model {
namespace {

using Build = WorkloadBuilder;

Preset flatPreset() {
    std::string error;
    std::optional<Preset> preset = loadPreset("tessera", &error);
    REQUIRE_MESSAGE(preset, error);
    REQUIRE_MESSAGE(setMemory(*preset, "ideal", &error), error);
    REQUIRE(setParameter(*preset, "display.hertz=0", &error));
    return *std::move(preset);
}

/// A thousand reads of a line, of which one is on its way at a time: command.lines and memory's latency are all of it.
Workload reads() {
    Build b;
    b.w.name = "reads";
    b.transfer(64000, 0);
    return b.w;
}

const Influence* find(const Sensitivity& sensitivity, std::string_view name) {
    const auto found =
        std::ranges::find_if(sensitivity.ours, [&](const Influence& row) { return row.parameter->name == name; });
    return found == sensitivity.ours.end() ? nullptr : &*found;
}

TEST_CASE("what bounds a run comes first, and what others' values do is not asked") {
    Preset preset = flatPreset();
    std::string error;
    REQUIRE(setParameter(preset, "command.lines=1", &error));
    REQUIRE(setParameter(preset, "sdram.latency=100", &error));
    for (const int threads : {1, 3}) {
        const Sensitivity all = sensitivityOf(reads(), preset, threads);
        REQUIRE(all.ours.size() > 50);
        CHECK(std::ranges::is_sorted(all.ours, std::greater<>(),
                                     [&](const Influence& row) { return row.spread(all.cycles); }));
        // Crossing 2, latency 100, a cycle of the bus, crossing 2, a thousand times; the command's 16.
        CHECK(all.cycles == 1000 * 105 + 16);
        CHECK(all.ours[0].parameter->name == "sdram.latency");
        REQUIRE(all.ours[0].half);
        CHECK(all.ours[0].half->value == 50);
        CHECK(all.ours[0].half->cycles == 1000 * 55 + 16);
        REQUIRE(all.ours[0].twice);
        CHECK(all.ours[0].twice->cycles == 1000 * 205 + 16);
        CHECK(all.ours[0].spread(all.cycles) == 150 * 1000);
        CHECK(all.ours[1].parameter->name == "command.lines");
        CHECK_FALSE(all.ours[1].half);               // of one line there is no half
        CHECK_FALSE(find(all, "block.processors"));  // the paper's
        REQUIRE(find(all, "texture.ways"));
        CHECK(find(all, "texture.ways")->spread(all.cycles) == 0);
        const std::string text = sensitivityText(all);
        CHECK(text.find("105016 cycles") != std::string::npos);
        CHECK(text.find("sdram.latency") < text.find("command.lines"));
        CHECK(text.find("texture.ways") == std::string::npos);
        const nlohmann::json json = nlohmann::json::parse(sensitivityJson(all));
        CHECK(json["parameters"].size() == all.ours.size());
        CHECK(json["parameters"][0]["twice"]["cycles"] == 205016);
        CHECK_FALSE(json["parameters"][1].contains("half"));
        const std::string plot = sensitivityPlot(all);
        CHECK(plot.find("sdram.latency = 200: 205016 cycles, +95.22 %") != std::string::npos);
        CHECK(plot.ends_with("</svg>\n"));
        // The colours' names stand behind them.
        const std::regex legend(
            "class=\"half\" x=\"(\\d+)\".*?x=\"(\\d+)\" y=\"52\">half of it.*?"
            "class=\"twice\" x=\"(\\d+)\".*?x=\"(\\d+)\" y=\"52\">twice as much");
        std::smatch at;
        REQUIRE(std::regex_search(plot, at, legend));
        for (int i = 1; i < 4; ++i) CHECK(std::stoi(at[i]) + 10 < std::stoi(at[i + 1]));
        // The longest bar reaches one end of the plot, from its middle, and none goes beyond.
        const std::regex bar("<rect class=\"[a-z]+\" x=\"([0-9.-]+)\" y=\"[0-9.]+\" width=\"([0-9.]+)\" height=\"7\"");
        double longest = 0;
        for (std::sregex_iterator i(plot.begin(), plot.end(), bar), end; i != end; ++i) {
            const double from = std::stod((*i)[1]), width = std::stod((*i)[2]);
            CHECK((from == doctest::Approx(450) || from + width == doctest::Approx(450)));
            longest = std::max(longest, width);
        }
        CHECK(longest == doctest::Approx(200));
    }
}

}  // namespace
}  // namespace tessera::model
