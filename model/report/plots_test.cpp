// Plots: well-formed, and as long as what they show.
#include "model/report/plots.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <regex>
#include <string>
#include <vector>

#include "model/report/testing/sample.h"

namespace tessera::model {
namespace {

/// Elements close in the order in which they open, and no text has a bare & or <.
void checkWellFormed(const std::string& svg) {
    std::vector<std::string> open;
    for (size_t at = 0; at < svg.size(); ++at) {
        if (svg[at] == '&') {
            const std::string entity = svg.substr(at, svg.find(';', at) + 1 - at);
            CHECK_MESSAGE((entity == "&lt;" || entity == "&amp;"), entity);
        }
        if (svg[at] != '<') continue;
        const size_t end = svg.find('>', at);
        REQUIRE(end != std::string::npos);
        const std::string tag = svg.substr(at + 1, end - at - 1);
        CHECK(tag.find('<') == std::string::npos);
        if (tag[0] == '/') {
            REQUIRE_FALSE(open.empty());
            CHECK(open.back() == tag.substr(1));
            open.pop_back();
        } else if (tag.back() != '/') {
            open.push_back(tag.substr(0, tag.find(' ')));
        }
        at = end;
    }
    CHECK(open.empty());
}

/// Widths of the bars, each of all its parts.
std::vector<double> barWidths(const std::string& svg) {
    std::vector<double> widths;
    const std::regex part("<g>|width=\"([0-9.]+)\" height=\"16\"");
    for (std::sregex_iterator i(svg.begin(), svg.end(), part), end; i != end; ++i) {
        if ((*i)[1].matched)
            widths.back() += std::stod((*i)[1]);
        else
            widths.push_back(0);
    }
    return widths;
}

/// Of a path of horizontal and vertical steps, of one polygon or several.
double areaOf(const std::string& path) {
    double area = 0, x = 0, y = 0;
    const std::regex step("M([0-9.]+),([0-9.]+)|V([0-9.]+)|H([0-9.]+)");
    for (std::sregex_iterator i(path.begin(), path.end(), step), end; i != end; ++i) {
        const std::smatch& found = *i;
        if (found[1].matched) x = std::stod(found[1]), y = std::stod(found[2]);
        if (found[3].matched) y = std::stod(found[3]);
        if (!found[4].matched) continue;
        area += (std::stod(found[4]) - x) * y;
        x = std::stod(found[4]);
    }
    return std::abs(area);
}

TEST_CASE("commands: the longest bar is the dearest one's, others in proportion") {
    const Sample s = sample();
    const std::string svg = drawsPlot(s.result, s.workload);
    checkWellFormed(svg);
    CHECK(svg.find("glDrawArrays &lt;1 &amp; 2>") != std::string::npos);
    const std::vector<double> widths = barWidths(svg);
    REQUIRE(widths.size() == 3);  // the end of the frame is one
    std::vector<double> cycles;
    for (const ItemResult& item : s.result.items) cycles.push_back(static_cast<double>(item.alone));
    std::ranges::sort(cycles, std::greater<>());
    for (size_t i = 1; i < widths.size(); ++i)
        CHECK(widths[i] / widths[0] == doctest::Approx(cycles[i] / cycles[0]).epsilon(0.001));
}

TEST_CASE("lines: cycles of their instructions together") {
    const Sample s = sample();
    const std::string svg = linesPlot(s.result, s.workload);
    checkWellFormed(svg);
    uint64_t cycles = 0;
    for (const size_t pc : {1, 2}) {  // both of line 2
        const PcResult& row = s.result.programs[1][pc];
        cycles += row.cycles;
        for (const uint64_t stall : row.stalls) cycles += stall;
    }
    CHECK(svg.find("line 2: color = texture2D(map, at) * tint;") != std::string::npos);
    CHECK(svg.find(">" + std::to_string(cycles) + " cycles<") != std::string::npos);
}

TEST_CASE("use over time: a unit without times has no strip") {
    Sample s = sample();
    REQUIRE(usePlot(s.result).find(">setup: ") != std::string::npos);
    for (UnitResult& unit : s.result.units)
        if (unit.kind == UnitKind::Setup) unit.overTime.clear();
    const std::string svg = usePlot(s.result);
    checkWellFormed(svg);
    CHECK(svg.find(">setup: ") == std::string::npos);
    CHECK(svg.find(">clip: ") != std::string::npos);
}

TEST_CASE("use over time: a strip for each kind") {
    const Sample s = sample();
    const std::string svg = usePlot(s.result);
    checkWellFormed(svg);
    for (const char* kind : {"block processor, 4: ", "texture engine, 16: ", "SDRAM channel", "pixel engine, 8: "})
        CHECK_MESSAGE(svg.find(kind) != std::string::npos, kind);
    CHECK(svg == usePlot(sample().result));
    CHECK(svg.find("\"/>") != std::string::npos);
    CHECK_FALSE(std::regex_search(svg, std::regex("M[0-9.,]+Z")));  // no cause has an area of nothing
    // Each cause that has an area is named by a square of its colour.
    const std::regex area("<path class=\"(c[0-9]+)\"");
    for (std::sregex_iterator i(svg.begin(), svg.end(), area), end; i != end; ++i)
        CHECK(std::regex_search(svg, std::regex("<rect class=\"" + (*i)[1].str() + "\" [^>]*width=\"12\"")));
    // The causes of a strip fill it, and what was busy takes the share that is written above it.
    struct Shares {
        double said = 0, busy = 0, all = 0;
    };
    std::vector<Shares> strips;
    constexpr double kStrip = 1100.0 * 56;
    const std::regex part("([0-9.]+) % busy|<path class=\"c([0-9]+)\" d=\"([^\"]*)\"");
    for (std::sregex_iterator i(svg.begin(), svg.end(), part), end; i != end; ++i) {
        const std::smatch& found = *i;
        if (found[1].matched) strips.push_back({.said = std::stod(found[1]) / 100});
        if (!found[2].matched) continue;
        REQUIRE_FALSE(strips.empty());
        const double share = areaOf(found[3]) / kStrip;
        strips.back().all += share;
        if (found[2] == "0") strips.back().busy += share;
    }
    CHECK(strips.size() > 4);
    for (const Shares& strip : strips) {
        CHECK(strip.all == doctest::Approx(1).epsilon(0.02));
        CHECK(std::abs(strip.busy - strip.said) < 0.02);
    }
    if (const char* folder = std::getenv("TESSERA_TEST_PLOTS")) {  // to look at
        std::ofstream(std::string(folder) + "/use.svg") << svg;
        std::ofstream(std::string(folder) + "/draws.svg") << drawsPlot(s.result, s.workload);
        std::ofstream(std::string(folder) + "/lines.svg") << linesPlot(s.result, s.workload);
    }
}

}  // namespace
}  // namespace tessera::model
