// Sweeps: what they are asked, points, the front, and files that are read back.
#include "model/report/sweep.h"

#include <doctest/doctest.h>

#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/report/testing/sample.h"

namespace tessera::model {
namespace {

std::vector<SweepAxis> axesOf(std::string_view text) {
    std::string error;
    std::vector<SweepAxis> axes = readSweep(text, &error);
    REQUIRE_MESSAGE(error.empty(), error);
    return axes;
}

TEST_CASE("values: doubled, in steps, one by one, words") {
    CHECK(axesOf("block.processors=1..16")[0].values == std::vector<uint32_t>{1, 2, 4, 8, 16});
    CHECK(axesOf("block.processors=3..16")[0].values == std::vector<uint32_t>{3, 6, 12, 16});
    CHECK(axesOf("display.hertz=0..5")[0].values == std::vector<uint32_t>{0, 1, 2, 4, 5});
    CHECK(axesOf("block.processors=2..9+3")[0].values == std::vector<uint32_t>{2, 5, 8});
    CHECK(axesOf("block.processors=7/1..2")[0].values == std::vector<uint32_t>{7, 1, 2});
    CHECK(axesOf("block.processors=1,2,4,8")[0].values == std::vector<uint32_t>{1, 2, 4, 8});
    CHECK(axesOf("block.processors=7,1..2/5")[0].values == std::vector<uint32_t>{7, 1, 2, 5});
    const auto mixed = axesOf("block.policy=turns,oldest,texture.ways=1,2,4,sdram.channels=1..8");
    REQUIRE(mixed.size() == 3);
    CHECK(mixed[0].values == std::vector<uint32_t>{2, 0});
    CHECK(mixed[1].values == std::vector<uint32_t>{1, 2, 4});
    CHECK(mixed[2].values == std::vector<uint32_t>{1, 2, 4, 8});
    const auto axes = axesOf("block.policy=turns/oldest,texture.ways=1..4");
    REQUIRE(axes.size() == 2);
    CHECK(axes[0].values == std::vector<uint32_t>{2, 0});
    CHECK(pointCount(axes) == 6);
}

TEST_CASE("what is no sweep is refused in one line that says where") {
    const std::pair<const char*, int> wrong[] = {{"", 1},
                                                 {"block.processors", 1},
                                                 {"block.processors=", 18},
                                                 {"block.processors=0..4", 18},
                                                 {"block.processors=4..1", 18},
                                                 {"block.processors=1..", 18},
                                                 {"block.processors=1..4+0", 22},
                                                 {"block.processors=1..4+", 22},
                                                 {"block.processors=1..99999999999", 18},
                                                 {"block.processors=1/x", 20},
                                                 {"block.processors=1/1", 18},
                                                 {"texture.ways=2,block.procesors=1", 16},
                                                 {"texture.ways=2,texture.ways=4", 16},
                                                 {"texture.ways=2,", 16},
                                                 {"texture.ways=2,2", 16},
                                                 {"texture.ways=2,,4", 16},
                                                 {"texture.ways=2,block.processors", 16},
                                                 {"block.policy=oldest,newest", 21},
                                                 {"=1", 1},
                                                 {"1,2", 1},
                                                 {"block.policy=newest", 14},
                                                 {"block.policy=oldest..turns", 14},
                                                 {"block.registers=1..1048576+1", 17},
                                                 {"clock.khz=1..10000+1,block.groups=1..2", 22}};
    for (const auto& [text, column] : wrong) {
        std::string error;
        CHECK_MESSAGE(readSweep(text, &error).empty(), text);
        CHECK_MESSAGE(error.starts_with("--sweep:1:" + std::to_string(column) + ": "), error);
        CHECK(error.find('\n') == std::string::npos);
    }
    std::string error;
    (void)readSweep("block.procesors=1", &error);
    CHECK(error.find("did you mean block.processors?") != std::string::npos);
}

TEST_CASE("points: each machine is the preset with its values, and a row is read back as it was") {
    const Sample s = sample();
    const auto axes = axesOf("block.processors=1/4,texture.ways=1/3");
    size_t unsound = 0;
    for (size_t number = 0; number < pointCount(axes); ++number) {
        const SweepPoint point = measurePoint(axes, number, s.workload, s.preset);
        CHECK(pointNumber(axes, point.values) == number);
        const std::string row = sweepRow(axes, point);
        REQUIRE(row.ends_with('\n'));
        CHECK(readSweepRow(axes, std::string_view(row).substr(0, row.size() - 1)) == point);
        for (size_t length = 0; length + 1 < row.size(); ++length)  // cut short
            CHECK_FALSE(readSweepRow(axes, std::string_view(row).substr(0, length)));
        if (!point.problem.empty()) {
            ++unsound;
            CHECK(point.cycles == 0);
            CHECK(point.perSecond == 0);
            continue;
        }
        Preset machine = s.preset;
        machine.block.processors = point.values[0];
        machine.texture.ways = point.values[1];
        CHECK(point.cycles == simulate(s.workload, machine).cycles);
        CHECK(point.area == estimate(machine, resourceTable()).area);
    }
    CHECK(unsound == 2);  // three ways do not divide the lines
    const SweepPoint quoted{.values = {1, 1}, .problem = "a \"word\", and more"};
    const std::string row = sweepRow(axes, quoted);
    CHECK(readSweepRow(axes, std::string_view(row).substr(0, row.size() - 1)) == quoted);
    CHECK_FALSE(readSweepRow(axes, "2,1,0,0,0,0,0,0,\"\""));
}

TEST_CASE("the front: nothing else is as fast with as little of everything") {
    const auto point = [](double speed, double lut, double bram) {
        SweepPoint p;
        p.values = {1};
        p.perSecond = speed;
        p.area.lut = lut;
        p.area.bram = bram;
        return p;
    };
    std::vector<SweepPoint> points = {point(10, 100, 5), point(10, 100, 6), point(9, 100, 4), point(20, 300, 9),
                                      point(19, 300, 9), point(10, 100, 5), point(99, 1, 0)};
    points.back().problem = "no machine";
    CHECK(paretoFront(points) == std::vector<bool>{true, false, true, true, false, true, false});
}

TEST_CASE("tables and the plot have each point") {
    const Sample s = sample();
    const auto axes = axesOf("block.processors=1..4");
    std::vector<SweepPoint> points;
    for (size_t number = 0; number < pointCount(axes); ++number)
        points.push_back(measurePoint(axes, number, s.workload, s.preset));
    const nlohmann::json json = nlohmann::json::parse(sweepJson(axes, points, "a <b>"));
    REQUIRE(json["points"].size() == points.size());
    const std::vector<bool> front = paretoFront(points);
    for (size_t i = 0; i < points.size(); ++i) {
        CHECK(json["points"][i]["cycles"] == points[i].cycles);
        CHECK(json["points"][i]["parameters"]["block.processors"] == points[i].values[0]);
        CHECK(json["points"][i]["front"] == static_cast<bool>(front[i]));
        Preset machine = s.preset;
        axes[0].parameter->set(machine, points[i].values[0]);
        CHECK(points[i].perSecond == simulate(s.workload, machine).framesPerSecond());
    }
    const std::string plot = sweepPlot(axes, points, "a <b>");
    size_t circles = 0;
    for (size_t at = 0; (at = plot.find("<circle", at)) != std::string::npos; ++at) ++circles;
    CHECK(circles == points.size());
    CHECK(plot.find("a &lt;b>") != std::string::npos);
    CHECK(plot.find("text-anchor=\"middle\">100000</text>") != std::string::npos);  // round figures on the axes
    // The figures of an axis go from its one end to the other, equally far apart.
    for (const char* axis : {"x=\"([0-9.]+)\" y=\"[0-9.]+\" text-anchor=\"middle\">([0-9.e+]+)<",
                             "y=\"([0-9.]+)\" text-anchor=\"end\">([0-9.e+]+)<"}) {
        const std::regex figure(axis);
        std::vector<double> places, figures;
        for (std::sregex_iterator i(plot.begin(), plot.end(), figure), end; i != end; ++i) {
            places.push_back(std::stod((*i)[1]));
            figures.push_back(std::stod((*i)[2]));
        }
        REQUIRE(figures.size() > 2);
        const bool isAcross = places.back() > places.front();
        CHECK(figures.front() == 0);
        CHECK(std::abs(places.back() - places.front()) == doctest::Approx(isAcross ? 760 : 420).epsilon(0.001));
        for (size_t i = 2; i < figures.size(); ++i) {
            CHECK(figures[i] - figures[i - 1] == doctest::Approx(figures[1]));
            CHECK(places[i] - places[i - 1] == doctest::Approx(places[1] - places[0]).epsilon(0.01));
        }
    }
    CHECK(sweepText(axes, points, "a").starts_with("a: 3 points; "));
}

}  // namespace
}  // namespace tessera::model
