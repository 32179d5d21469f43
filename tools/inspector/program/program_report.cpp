#include "tools/inspector/program/program_report.h"

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/export/svg.h"
#include "shader-core/debug/trace/trace.h"
#include "tools/inspector/report/report_parts.h"
#include "tools/run/places.h"

namespace tessera::tools {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostElements = 256;    ///< of a buffer that are listed, of those that changed
constexpr size_t kMostBlocks = 1 << 12;  ///< that are listed
constexpr uint64_t kElementsOfRow = 8;
constexpr size_t kMostRows = 64;  ///< of a buffer on a page

std::array<uint32_t, 3> placeOf(const ProgramSubject& subject, uint64_t block) {
    const uint64_t x = subject.launch->grid[0], y = subject.launch->grid[1];
    return {static_cast<uint32_t>(block % x), static_cast<uint32_t>(block / x % y),
            static_cast<uint32_t>(block / x / y)};
}

Json bufferJson(const ProgramReport& report, const isa::Buffer& buffer) {
    const std::vector<std::byte>& before = report.subject.launch->buffers[buffer.slot];
    const std::vector<std::byte>& after = report.run.after[buffer.slot];
    const Element element = report.subject.usualElement(buffer.slot);
    const std::vector<uint64_t> changed = changedElements(before, after, element);
    Json json = {{"name", buffer.name},
                 {"bytes", before.size()},
                 {"elements", kElementWords[static_cast<size_t>(element)]},
                 {"changed", changed.size()},
                 {"values", Json::array()}};
    for (size_t i = 0; i < std::min(changed.size(), kMostElements); ++i)
        json["values"].push_back({{"index", changed[i]},
                                  {"before", elementText(before, changed[i], element)},
                                  {"after", elementText(after, changed[i], element)}});
    return json;
}

Json blockJson(const ProgramReport& report) {
    Json json;
    if (report.subject.isKernel()) json["block"] = placeOf(report.subject, report.block.block);
    json["groups"] = Json::array();
    for (size_t g = 0; g < report.block.groups.size(); ++g) {
        const GroupCount& group = report.block.groups[g];
        Json one = {
            {"group", g}, {"instructions", group.instructions}, {"lanes", group.lanes}, {"byLane", group.byLane}};
        if (!report.subject.isKernel() && g < report.run.groups.size()) {
            const debug::Group& of = report.subject.groups[g];
            one["outputs"] = Json::array();
            for (uint32_t left = of.activeMask & ~of.helperMask; left != 0; left &= left - 1) {
                const int lane = std::countr_zero(left);
                Json outputs = {{"lane", lane},
                                {"name", of.laneNames[static_cast<size_t>(lane)]},
                                {"discarded", (report.run.groups[g].killMask >> lane & 1) != 0}};
                for (const int output : report.subject.program->outputMask)
                    outputs[outputName(*report.subject.program, output)] = outputText(report.run, g, lane, output);
                one["outputs"].push_back(std::move(outputs));
            }
        }
        json["groups"].push_back(std::move(one));
    }
    if (!report.subject.isKernel()) return json;
    json["barriers"] = Json::array();
    for (const Arrival& arrival : report.block.arrivals)
        json["barriers"].push_back({{"pc", arrival.pc},
                                    {"line", debug::lineOf(*report.subject.program, arrival.pc)},
                                    {"barrier", arrival.barrier},
                                    {"group", arrival.group},
                                    {"lanes", std::popcount(arrival.lanes)},
                                    {"instructions", arrival.instructions}});
    return json;
}

// --- The page ---

std::string row(std::initializer_list<std::string> cells, const char* tag = "td") {
    std::string text = "<tr>";
    for (const std::string& cell : cells) text += fmt::format("<{0} class=\"n\">{1}</{0}>", tag, cell);
    return text + "</tr>\n";
}

/// The rows of a buffer in which something changed, as it was before in smaller letters.
std::string bufferSection(const ProgramReport& report, const isa::Buffer& buffer) {
    const std::vector<std::byte>& before = report.subject.launch->buffers[buffer.slot];
    const std::vector<std::byte>& after = report.run.after[buffer.slot];
    const Element element = report.subject.usualElement(buffer.slot);
    const std::vector<uint64_t> changed = changedElements(before, after, element);
    std::string page = fmt::format("<h3>{}</h3>\n<p>{} bytes, {}; {} elements changed</p>\n", svgText(buffer.name),
                                   before.size(), kElementWords[static_cast<size_t>(element)], changed.size());
    if (changed.empty()) return page;
    page += "<table>\n";
    size_t rows = 0;
    for (size_t i = 0; i < changed.size() && rows < kMostRows; ++rows) {
        const uint64_t first = changed[i] / kElementsOfRow * kElementsOfRow;
        page += fmt::format("<tr><td class=\"n\">[{}]</td>", first);
        for (uint64_t e = first; e < first + kElementsOfRow; ++e) {
            const bool isChanged = i < changed.size() && changed[i] == e;
            const std::string now = elementText(after, e, element);
            page += isChanged ? fmt::format("<td class=\"c changed\" title=\"was {}\">{}</td>",
                                            elementText(before, e, element), now)
                              : fmt::format("<td class=\"c\">{}</td>", now);
            i += isChanged;
        }
        page += "</tr>\n";
    }
    page += "</table>\n";
    if (rows == kMostRows) page += "<p>and so on</p>\n";
    return page;
}

std::string blockSection(const ProgramReport& report) {
    std::string page =
        "<h2>" +
        (report.subject.isKernel() ? fmt::format("groups of block {}", report.subject.blockText(report.block.block))
                                   : std::string("groups")) +
        "</h2>\n<table>" + row({"group", "instructions", "lanes that took part"}, "th");
    for (size_t g = 0; g < report.block.groups.size(); ++g)
        page += row({std::to_string(g), std::to_string(report.block.groups[g].instructions),
                     occupancyText(report.block.groups[g])});
    page += "</table>\n";
    if (!report.block.groups.empty())
        page += figure(pictureOf(laneHeat(report.block)), "instructions of each lane (to the right) of each group");
    if (!report.block.arrivals.empty()) {
        page +=
            "<h3>barriers</h3>\n<table>" + row({"barrier", "at", "group", "lanes", "after so many instructions"}, "th");
        for (const Arrival& arrival : report.block.arrivals)
            page += row({std::to_string(arrival.barrier), placeText(*report.subject.program, arrival.pc),
                         std::to_string(arrival.group), std::to_string(std::popcount(arrival.lanes)),
                         std::to_string(arrival.instructions)});
        page += "</table>\n";
    }
    return page;
}

std::string outputSection(const ProgramReport& report) {
    std::string page = "<h2>outputs</h2>\n<table><tr><th>lane</th>";
    const isa::Program& program = *report.subject.program;
    for (const int output : program.outputMask) page += "<th>" + svgText(outputName(program, output)) + "</th>";
    page += "</tr>\n";
    for (size_t g = 0; g < report.run.groups.size(); ++g) {
        const debug::Group& group = report.subject.groups[g];
        for (uint32_t left = group.activeMask & ~group.helperMask; left != 0; left &= left - 1) {
            const int lane = std::countr_zero(left);
            page += "<tr><td>" + svgText(group.laneNames[static_cast<size_t>(lane)]) + "</td>";
            const bool isDiscarded = (report.run.groups[g].killMask >> lane & 1) != 0;
            for (const int output : program.outputMask)
                page += "<td class=\"c\">" + (isDiscarded ? "discarded" : outputText(report.run, g, lane, output)) +
                        "</td>";
            page += "</tr>\n";
        }
    }
    return page + "</table>\n";
}

}  // namespace

std::string occupancyText(const Executions& executions) {
    if (executions.instructions == 0) return "";
    return fmt::format("{:.0f} %", 100.0 * static_cast<double>(executions.lanes) /
                                       (static_cast<double>(executions.instructions) * isa::kGroupSize));
}

std::string placeText(const isa::Program& program, uint32_t pc) {
    const uint32_t line = debug::lineOf(program, pc);
    return line != 0 ? fmt::format("line {}", line) : fmt::format("@{}", pc);
}

HeatMap blockHeat(const ProgramSubject& subject, const ProgramRun& run) {
    HeatMap map;
    if (!subject.isKernel()) return map;
    const std::array<uint32_t, 3>& grid = subject.launch->grid;
    map.width = static_cast<int>(grid[0]), map.height = static_cast<int>(grid[1] * grid[2]);
    map.counts.resize(subject.blockCount());
    for (size_t block = 0; block < run.blocks.size(); ++block) {
        map.counts[block] = static_cast<uint32_t>(std::min<uint64_t>(run.blocks[block].instructions, UINT32_MAX));
        map.most = std::max(map.most, map.counts[block]);
    }
    return map;
}

HeatMap laneHeat(const BlockRun& block) {
    HeatMap map;
    map.width = isa::kGroupSize, map.height = static_cast<int>(block.groups.size());
    for (const GroupCount& group : block.groups)
        for (const uint64_t count : group.byLane) {
            map.counts.push_back(static_cast<uint32_t>(std::min<uint64_t>(count, UINT32_MAX)));
            map.most = std::max(map.most, map.counts.back());
        }
    return map;
}

Json programJson(const ProgramReport& report) {
    const ProgramSubject& subject = report.subject;
    Json json = {{"file", subject.name()}, {"stage", stageText(subject.program->stage)}};
    if (subject.isKernel()) {
        json["grid"] = subject.launch->grid;
        json["threads"] = subject.launch->block;
    }
    const isa::ComputeCounters& counters = report.run.counters;
    json["counters"] = {{"groups", counters.groups}, {"instructions", counters.instructions}};
    if (subject.isKernel())
        json["counters"].update(
            {{"blocks", counters.blocks}, {"barriers", counters.barriers}, {"outOfRange", counters.outOfRange}});
    if (!report.run.problem.empty()) json["problem"] = report.run.problem;
    if (report.costs != nullptr)
        json["chip"] = {{"preset", report.costs->result.preset}, {"cycles", report.costs->result.cycles}};
    if (subject.isKernel()) {
        json["buffers"] = Json::array();
        for (const isa::Buffer& buffer : subject.program->buffers)
            json["buffers"].push_back(bufferJson(report, buffer));
        json["blocks"] = Json::array();
        for (size_t b = 0; b < std::min(report.run.blocks.size(), kMostBlocks); ++b) {
            const BlockCount& block = report.run.blocks[b];
            json["blocks"].push_back({{"block", placeOf(subject, b)},
                                      {"instructions", block.instructions},
                                      {"lanes", block.lanes},
                                      {"barriers", block.barriers}});
        }
    }
    json["at"] = blockJson(report);
    json["program"] = shaderJson(textOf(subject, &report.run, report.costs));
    return json;
}

std::string programPage(const ProgramReport& report) {
    const ProgramSubject& subject = report.subject;
    std::string page = pageHead(fmt::format("{}, {} program", subject.name(), stageText(subject.program->stage)));
    page += "<p>";
    if (subject.isKernel())
        page += fmt::format("{} blocks of {} threads; ", fmt::join(subject.launch->grid, " x "),
                            fmt::join(subject.launch->block, " x "));
    page += fmt::format("{} groups, {} instructions", report.run.counters.groups, report.run.counters.instructions);
    if (report.costs != nullptr)
        page += fmt::format(", {} cycles on the chip ({})", report.costs->result.cycles,
                            svgText(report.costs->result.preset));
    page += ".</p>\n";
    if (!report.run.problem.empty()) page += "<p class=\"changed\">" + svgText(report.run.problem) + "</p>\n";
    if (subject.isKernel()) {
        page += "<h2>memory</h2>\n";
        for (const isa::Buffer& buffer : subject.program->buffers) page += bufferSection(report, buffer);
        if (report.run.blocks.size() > 1)
            page += "<h2>blocks</h2>\n" + figure(pictureOf(blockHeat(subject, report.run)),
                                                 "instructions of each block of the grid, slices below each other");
    } else {
        page += outputSection(report);
    }
    page += blockSection(report);
    page += "<h2>program</h2>\n" + shaderSection(textOf(subject, &report.run, report.costs));
    return page + "</body></html>\n";
}

}  // namespace tessera::tools
