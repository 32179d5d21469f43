#include "model/report/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <tuple>
#include <utility>

#include "base/export/svg.h"
#include "base/thread/thread_pool.h"
#include "model/chip/unit/machine.h"

namespace tessera::model {
namespace {

/// The value that is asked for, or the nearest that the parameter takes.
std::optional<uint32_t> within(const Parameter& parameter, uint32_t value, uint64_t wanted) {
    const uint64_t taken = std::clamp<uint64_t>(wanted, parameter.least, parameter.most);
    return taken == value ? std::nullopt : std::optional(static_cast<uint32_t>(taken));
}

std::optional<OtherValue> tried(const Workload& workload, Preset preset, const Parameter& parameter,
                                std::optional<uint32_t> value) {
    if (!value) return std::nullopt;
    parameter.set(preset, *value);
    if (presetProblem(preset) || !cannotRun(workload, preset).empty()) return std::nullopt;
    return OtherValue{*value, simulate(workload, preset).cycles};
}

/// Per cent more cycles than the machine as it is takes.
double percent(Cycle cycles, Cycle of) {
    return of ? 100 * (static_cast<double>(cycles) / static_cast<double>(of) - 1) : 0;
}

std::string column(const std::optional<OtherValue>& other, Cycle of) {
    return other ? fmt::format("{:>9} {:>+8.2f} %", other->value, percent(other->cycles, of))
                 : fmt::format("{:>20}", "-");
}

}  // namespace

Cycle Influence::spread(Cycle cycles) const {
    Cycle least = cycles, most = cycles;
    for (const std::optional<OtherValue>& other : {half, twice}) {
        if (!other) continue;
        least = std::min(least, other->cycles);
        most = std::max(most, other->cycles);
    }
    return most - least;
}

Sensitivity sensitivityOf(const Workload& workload, const Preset& preset, int threads) {
    Sensitivity result{workload.name, preset.name, simulate(workload, preset).cycles, {}};
    const std::span<const Parameter> all = parameters();
    for (size_t i = 0; i < all.size(); ++i)
        if (all[i].words.empty() && all[i].most > 1 && preset.sources[i].starts_with("ours:") && all[i].get(preset))
            result.ours.push_back({&all[i], all[i].get(preset), {}, {}});
    ThreadPool pool(threads);
    pool.parallelFor("sensitivity", 2 * result.ours.size(), [&](size_t index, int) {
        Influence& row = result.ours[index / 2];
        const uint64_t value = row.value;
        if (index % 2)
            row.twice = tried(workload, preset, *row.parameter, within(*row.parameter, row.value, 2 * value));
        else
            row.half = tried(workload, preset, *row.parameter, within(*row.parameter, row.value, value / 2));
    });
    std::ranges::stable_sort(result.ours, std::greater<>(),
                             [&](const Influence& row) { return row.spread(result.cycles); });
    return result;
}

std::string sensitivityText(const Sensitivity& sensitivity) {
    std::string text =
        fmt::format("{} on {}: {} cycles; with another value of what is ours\n\n  {:<30}{:>9} {:>20} {:>20}\n",
                    sensitivity.workload, sensitivity.preset, sensitivity.cycles, "parameter", "value", "half: cycles",
                    "twice: cycles");
    size_t without = 0;
    for (const Influence& row : sensitivity.ours) {
        if (row.spread(sensitivity.cycles) == 0) {
            ++without;
            continue;
        }
        text += fmt::format("  {:<30}{:>9} {} {}\n", row.parameter->name, row.value,
                            column(row.half, sensitivity.cycles), column(row.twice, sensitivity.cycles));
    }
    return text + fmt::format("  {} more change nothing\n", without);
}

std::string sensitivityJson(const Sensitivity& sensitivity) {
    nlohmann::ordered_json json = {
        {"workload", sensitivity.workload}, {"preset", sensitivity.preset}, {"cycles", sensitivity.cycles}};
    json["parameters"] = nlohmann::json::array();
    for (const Influence& row : sensitivity.ours) {
        nlohmann::ordered_json one = {{"name", row.parameter->name}, {"value", row.value}};
        for (const auto& [key, other] : {std::pair("half", row.half), std::pair("twice", row.twice)})
            if (other) one[key] = {{"value", other->value}, {"cycles", other->cycles}};
        json["parameters"].push_back(one);
    }
    return json.dump(1) + '\n';
}

std::string sensitivityPlot(const Sensitivity& sensitivity) {
    constexpr double kLeft = 250, kWidth = 400, kTop = 74, kRow = 20, kRight = 90;
    constexpr size_t kShown = 20;
    std::vector<Influence> rows;
    double most = 0.1;  // per cent, to either side
    for (const Influence& row : sensitivity.ours) {
        if (row.spread(sensitivity.cycles) == 0 || rows.size() == kShown) continue;
        rows.push_back(row);
        for (const std::optional<OtherValue>& other : {row.half, row.twice})
            if (other) most = std::max(most, std::abs(percent(other->cycles, sensitivity.cycles)));
    }
    const double middle = kLeft + kWidth / 2, scale = kWidth / 2 / most;
    const double height = kTop + kRow * static_cast<double>(rows.size()) + 20;
    std::string svg = svgHead(kLeft + kWidth + kRight, height, ".half { fill: #2a78d6; }\n.twice { fill: #e0553b; }\n");
    svg += fmt::format(
        "<text class=\"title\" x=\"20\" y=\"28\">{}</text>\n",
        svgText(fmt::format("{} on {}: what values of ours matter", sensitivity.workload, sensitivity.preset)));
    svg += fmt::format(
        "<text x=\"20\" y=\"52\">cycles, per cent of {}; </text><rect class=\"half\" x=\"{}\" y=\"43\" width=\"10\" "
        "height=\"10\"/><text x=\"{}\" y=\"52\">half of it</text><rect class=\"twice\" x=\"{}\" y=\"43\" width=\"10\" "
        "height=\"10\"/><text x=\"{}\" y=\"52\">twice as much</text>\n",
        sensitivity.cycles, kLeft + 40, kLeft + 56, kLeft + 140, kLeft + 156);
    for (size_t i = 0; i < rows.size(); ++i) {
        const double y = kTop + kRow * static_cast<double>(i);
        svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{} = {}</text>\n", kLeft - 10, y + 13,
                           rows[i].parameter->name, rows[i].value);
        for (const auto& [name, other, at] :
             {std::tuple("half", rows[i].half, 2.0), std::tuple("twice", rows[i].twice, 9.0)}) {
            if (!other) continue;
            const double by = percent(other->cycles, sensitivity.cycles), width = std::abs(by) * scale;
            svg += fmt::format(
                "<rect class=\"{}\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"7\"><title>{} = {}: {} cycles, "
                "{:+.2f} %</title></rect>\n",
                name, by < 0 ? middle - width : middle, y + at, width, rows[i].parameter->name, other->value,
                other->cycles, by);
        }
        svg += fmt::format("<text class=\"small\" x=\"{}\" y=\"{}\">{:.2f} %</text>\n", kLeft + kWidth + 8, y + 13,
                           100 * static_cast<double>(rows[i].spread(sensitivity.cycles)) /
                               static_cast<double>(std::max<Cycle>(sensitivity.cycles, 1)));
    }
    svg += fmt::format("<line class=\"grid\" x1=\"{0}\" y1=\"{1}\" x2=\"{0}\" y2=\"{2}\"/>\n</svg>\n", middle, kTop - 4,
                       height - 16);
    return svg;
}

}  // namespace tessera::model
