#include "tools/shaders/shader_report.h"

#include <array>
#include <map>
#include <sstream>

#include <fmt/format.h>

namespace tessera::tools {

using assembly::Cost;

namespace {

/// The figures that a report keeps: less is better in all of them.
constexpr std::array<std::string_view, 10> kColumns{"instructions", "arith", "transc", "light",    "texture",
                                                    "control",      "temps", "consts", "shortest", "longest"};
using Figures = std::array<int64_t, kColumns.size()>;
constexpr int kGraphicsUnits = 5;  ///< GLSL uses no others
constexpr size_t kInstructions = 0, kTemps = 6, kLongest = 9;

Figures figuresOf(const Cost& c) {
    return {c.instructions, c.perUnit[0],  c.perUnit[1], c.perUnit[2], c.perUnit[3],
            c.perUnit[4],   c.temporaries, c.constants,  c.shortest,   c.longest};
}

std::string line(const std::string& name, const Figures& figures, std::string_view bound) {
    std::string text = fmt::format("{:<32}", name);
    for (size_t c = 0; c < figures.size(); ++c) text += fmt::format(" {:>{}}", figures[c], kColumns[c].size());
    return text + fmt::format("  {}\n", bound);
}

/// Name to figures of a report's lines; what is no such line is left out.
std::map<std::string, Figures> read(const std::string& report) {
    std::map<std::string, Figures> rows;
    std::istringstream lines(report);
    for (std::string text; std::getline(lines, text);) {
        std::istringstream words(text);
        std::string name;
        Figures figures{};
        words >> name;
        bool good = !name.empty();
        for (int64_t& figure : figures) good = good && words >> figure;
        if (good) rows[name] = figures;
    }
    return rows;
}

std::string change(const Figures& before, const Figures& after) {
    std::string text;
    for (size_t c = 0; c < kColumns.size(); ++c)
        if (before[c] != after[c]) text += fmt::format(", {} {} -> {}", kColumns[c], before[c], after[c]);
    return text.substr(2);
}

/// Below zero: helped. The longest path decides, then instructions, then registers.
int64_t verdict(const Figures& before, const Figures& after) {
    for (const size_t c : {kLongest, kInstructions, kTemps})
        if (before[c] != after[c]) return after[c] - before[c];
    return 0;
}

}  // namespace

std::string describeCost(const std::string& name, const Cost& c) {
    std::string text = fmt::format("{}: {} instructions\n", name, c.instructions);
    for (int u = 0; u < kGraphicsUnits; ++u)
        text += fmt::format("  {:<15} {:>5} instructions, {:>6} cycles of the longest path\n",
                            assembly::unitName(static_cast<isa::Unit>(u)), c.perUnit[u], c.unitCycles[u]);
    text += fmt::format("  registers       {} temporaries, {} constants, {} inputs, {} outputs\n", c.temporaries,
                        c.constants, c.inputs, c.outputs);
    text += fmt::format("  shortest path   {} cycles\n  longest path    {} cycles{}\n", c.shortest, c.longest,
                        c.loops != 0 ? fmt::format(", {} loop{} counted once; `tessera run` counts every iteration",
                                                   c.loops, c.loops == 1 ? "" : "s")
                                     : "");
    text += fmt::format("  texture lookups {}\n  bound by        {}\n", c.lookups, assembly::unitName(c.bound));
    return text;
}

std::string reportTable(const std::vector<ReportRow>& rows) {
    std::string text = fmt::format(
        "shortest and longest are cycles of a path through the code, by the instruction table, each loop counted once\n"
        "{:<32}",
        "shader");
    for (const std::string_view column : kColumns) text += fmt::format(" {}", column);
    text += "  bound by\n";
    Figures sums{};
    for (const ReportRow& row : rows) {
        const Figures figures = figuresOf(row.cost);
        for (size_t c = 0; c < figures.size(); ++c) sums[c] += figures[c];
        text += line(row.name, figures, assembly::unitName(row.cost.bound));
    }
    return text + line(fmt::format("total({})", rows.size()), sums, "");
}

std::string compareReports(const std::string& before, const std::vector<ReportRow>& rows) {
    const std::map<std::string, Figures> old = read(before), now = read(reportTable(rows));
    std::string helped, hurt, other;
    for (const auto& [name, figures] : now) {
        const auto earlier = old.find(name);
        if (earlier == old.end()) {
            other += fmt::format("new      {}\n", name);
        } else if (earlier->second != figures) {
            const int64_t worse = verdict(earlier->second, figures);
            std::string& list = worse < 0 ? helped : worse > 0 ? hurt : other;
            list += fmt::format("{} {}: {}\n",
                                worse < 0   ? "helped  "
                                : worse > 0 ? "hurt    "
                                            : "changed ",
                                name, change(earlier->second, figures));
        }
    }
    for (const auto& [name, figures] : old)
        if (!now.contains(name)) other += fmt::format("gone     {}\n", name);
    return hurt + helped + other;
}

}  // namespace tessera::tools
