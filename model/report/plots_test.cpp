// Plots: well-formed, and as long as what they show.
#include "model/report/plots.h"

#include <doctest/doctest.h>

#include <algorithm>
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

TEST_CASE("use over time: a strip for each kind") {
    const Sample s = sample();
    const std::string svg = usePlot(s.result);
    checkWellFormed(svg);
    for (const char* kind : {"block processor, 4: ", "texture engine, 16: ", "SDRAM channel", "pixel engine, 8: "})
        CHECK_MESSAGE(svg.find(kind) != std::string::npos, kind);
    CHECK(svg == usePlot(sample().result));
    if (const char* folder = std::getenv("TESSERA_TEST_PLOTS")) {  // to look at
        std::ofstream(std::string(folder) + "/use.svg") << svg;
        std::ofstream(std::string(folder) + "/draws.svg") << drawsPlot(s.result, s.workload);
        std::ofstream(std::string(folder) + "/lines.svg") << linesPlot(s.result, s.workload);
    }
}

}  // namespace
}  // namespace tessera::model
