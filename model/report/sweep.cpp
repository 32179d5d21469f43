#include "model/report/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/export/svg.h"
#include "base/nearest.h"
#include "model/chip/unit/machine.h"

namespace tessera::model {
namespace {

template <typename Number>
std::optional<Number> numberOf(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// Parts of a text between separators; of an empty one, one empty part.
std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

/// A value as presets spell it, and back.
std::string valueOf(const Parameter& parameter, uint32_t value) {
    Preset preset;
    parameter.set(preset, value);
    return valueText(parameter, preset);
}
std::optional<uint32_t> valueOf(const Parameter& parameter, std::string_view text) {
    if (parameter.words.empty()) return numberOf<uint32_t>(text);
    for (uint32_t word = 0; word <= parameter.most; ++word)
        if (valueOf(parameter, word) == text) return word;
    return std::nullopt;
}

/// Reads the axes; the first fault ends it.
class SweepReader {
public:
    SweepReader(std::string_view text, std::string* error) : text_(text), error_(error) {}

    std::vector<SweepAxis> read() {
        std::vector<SweepAxis> axes;
        for (const std::string_view part : split(text_, ','))
            if (!readPart(part, axes)) return {};
        return axes;
    }

private:
    /// `at` is a part of the text.
    bool fail(std::string_view at, std::string_view what) {
        *error_ = fmt::format("--sweep:1:{}: {}", at.data() - text_.data() + 1, what);
        return false;
    }

    /// NAME=VALUES, or further values of the parameter before it.
    bool readPart(std::string_view part, std::vector<SweepAxis>& axes) {
        std::string_view values = part;
        if (axes.empty() || part.find('=') != std::string_view::npos) {
            if (!readName(part, axes)) return false;
            values = part.substr(part.find('=') + 1);
        }
        SweepAxis& axis = axes.back();
        for (const std::string_view value : split(values, '/'))
            if (!readValues(value, axis)) return false;
        std::vector<uint32_t> sorted = axis.values;
        std::sort(sorted.begin(), sorted.end());
        if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
            return fail(values, fmt::format("{} has a value twice", axis.parameter->name));
        if (pointCount(axes) > kMostSweepPoints)
            return fail(part, fmt::format("more than {} points; take fewer values", kMostSweepPoints));
        return true;
    }

    bool readName(std::string_view part, std::vector<SweepAxis>& axes) {
        const size_t equals = part.find('=');
        if (equals == std::string_view::npos) return fail(part, "give NAME=VALUES, as block.processors=1..16");
        const std::string_view name = part.substr(0, equals);
        const Parameter* parameter = findParameter(name);
        if (!parameter) {
            std::vector<std::string_view> names;
            for (const Parameter& known : parameters()) names.push_back(known.name);
            const std::string_view near = nearest(names, name);
            return fail(part, fmt::format("no parameter is called {}{}", name,
                                          near.empty() ? "; docs/model.md lists them"
                                                       : fmt::format("; did you mean {}?", near)));
        }
        for (const SweepAxis& other : axes)
            if (other.parameter == parameter) return fail(part, fmt::format("{} is given twice", name));
        axes.push_back({parameter, {}});
        return true;
    }

    bool readValues(std::string_view text, SweepAxis& axis) {
        const Parameter& parameter = *axis.parameter;
        const size_t dots = text.find("..");
        if (dots == std::string_view::npos) {
            const auto value = valueOf(parameter, text);
            return value ? add(text, axis, *value) : wrongValue(text, parameter);
        }
        if (!parameter.words.empty()) return wrongValue(text, parameter);
        const std::string_view last = text.substr(dots + 2);
        const size_t plus = last.find('+');
        const auto begin = numberOf<uint32_t>(text.substr(0, dots)), end = numberOf<uint32_t>(last.substr(0, plus));
        if (!begin || !end) return wrongValue(text, parameter);
        if (*begin > *end) return fail(text, "the range ends below its beginning");
        std::optional<uint32_t> step;
        if (plus != std::string_view::npos) {
            step = numberOf<uint32_t>(last.substr(plus + 1));
            if (!step || *step == 0) return fail(last.substr(plus), "the step is a whole number from 1");
        }
        uint64_t value = *begin;
        for (; value <= *end; value = step ? value + *step : std::max<uint64_t>(2 * value, 1))
            if (!add(text, axis, static_cast<uint32_t>(value))) return false;
        return axis.values.back() == *end || step || add(text, axis, *end);
    }

    bool add(std::string_view at, SweepAxis& axis, uint32_t value) {
        const Parameter& parameter = *axis.parameter;
        if (parameter.words.empty() && (value < parameter.least || value > parameter.most))
            return fail(at, fmt::format("{} is {} to {}", parameter.name, parameter.least, parameter.most));
        if (axis.values.size() == kMostSweepPoints)
            return fail(at, fmt::format("more than {} values; take a larger step", kMostSweepPoints));
        axis.values.push_back(value);
        return true;
    }

    bool wrongValue(std::string_view at, const Parameter& parameter) {
        if (parameter.words.empty())
            return fail(at, fmt::format("values of {} are A..B, A..B+STEP, or A,B,C; another parameter is NAME=VALUES",
                                        parameter.name));
        return fail(at,
                    fmt::format("{} is one of {}; another parameter is NAME=VALUES", parameter.name, parameter.words));
    }

    std::string_view text_;
    std::string* error_;
};

std::vector<uint32_t> valuesOf(std::span<const SweepAxis> axes, size_t number) {
    std::vector<uint32_t> values(axes.size());
    for (size_t axis = axes.size(); axis-- > 0;) {
        values[axis] = axes[axis].values[number % axes[axis].values.size()];
        number /= axes[axis].values.size();
    }
    return values;
}

/// "processors 4, cache_lines 32"
std::string parametersText(std::span<const SweepAxis> axes, const SweepPoint& point) {
    std::string text;
    for (size_t axis = 0; axis < axes.size(); ++axis) {
        const std::string_view name = axes[axis].parameter->name;
        text += fmt::format("{}{} {}", axis ? ", " : "", name.substr(name.find('.') + 1),
                            valueOf(*axes[axis].parameter, point.values[axis]));
    }
    return text;
}

/// Points of the front by area.
std::vector<const SweepPoint*> frontOf(std::span<const SweepPoint> points) {
    const std::vector<bool> front = paretoFront(points);
    std::vector<const SweepPoint*> list;
    for (size_t i = 0; i < points.size(); ++i)
        if (front[i]) list.push_back(&points[i]);
    std::sort(list.begin(), list.end(), [](const SweepPoint* a, const SweepPoint* b) {
        return std::tuple(a->area.lut, a->perSecond, a->values) < std::tuple(b->area.lut, b->perSecond, b->values);
    });
    return list;
}

constexpr std::string_view kColumns = "cycles,per_second,lut,ff,dsp,bram,problem";

}  // namespace

std::vector<SweepAxis> readSweep(std::string_view text, std::string* error) { return SweepReader(text, error).read(); }

size_t pointCount(std::span<const SweepAxis> axes) {
    size_t count = 1;
    for (const SweepAxis& axis : axes) count *= axis.values.size();
    return count;
}

SweepPoint measurePoint(std::span<const SweepAxis> axes, size_t number, const Workload& workload,
                        const Preset& preset) {
    SweepPoint point;
    point.values = valuesOf(axes, number);
    Preset machine = preset;
    for (size_t axis = 0; axis < axes.size(); ++axis) axes[axis].parameter->set(machine, point.values[axis]);
    if (const auto problem = presetProblem(machine)) {
        point.problem = problem->what;
        return point;
    }
    point.problem = cannotRun(workload, machine);
    if (!point.problem.empty()) return point;
    const Result result = simulate(workload, machine);
    point.cycles = result.cycles;
    point.perSecond = result.framesPerSecond();
    if (result.frames == 0 && result.cycles != 0)
        point.perSecond = 1000.0 * result.clockKhz / static_cast<double>(result.cycles);
    point.area = estimate(machine, resourceTable()).area;
    return point;
}

std::vector<bool> paretoFront(std::span<const SweepPoint> points) {
    const auto beats = [](const SweepPoint& a, const SweepPoint& b) {
        if (!a.problem.empty() || a.perSecond < b.perSecond || !a.area.fits(b.area)) return false;
        return a.perSecond > b.perSecond || !(a.area == b.area);
    };
    std::vector<bool> front(points.size());
    for (size_t i = 0; i < points.size(); ++i) {
        front[i] =
            points[i].problem.empty() && std::none_of(points.begin(), points.end(),
                                                      [&](const SweepPoint& other) { return beats(other, points[i]); });
    }
    return front;
}

std::string sweepColumns(std::span<const SweepAxis> axes) {
    std::string text;
    for (const SweepAxis& axis : axes) text += fmt::format("{},", axis.parameter->name);
    return fmt::format("{}{}\n", text, kColumns);
}

std::string sweepRow(std::span<const SweepAxis> axes, const SweepPoint& point) {
    std::string text;
    for (size_t axis = 0; axis < axes.size(); ++axis)
        text += fmt::format("{},", valueOf(*axes[axis].parameter, point.values[axis]));
    std::string problem;
    for (const char c : point.problem) problem += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + fmt::format("{},{},{},{},{},{},\"{}\"\n", point.cycles, point.perSecond, point.area.lut,
                              point.area.ff, point.area.dsp, point.area.bram, problem);
}

std::optional<SweepPoint> readSweepRow(std::span<const SweepAxis> axes, std::string_view row) {
    constexpr size_t kNumbers = 6;
    const std::vector<std::string_view> fields = split(row, ',');
    if (fields.size() < axes.size() + kNumbers + 1) return std::nullopt;
    SweepPoint point;
    for (size_t axis = 0; axis < axes.size(); ++axis) {
        const auto value = valueOf(*axes[axis].parameter, fields[axis]);
        if (!value) return std::nullopt;
        point.values.push_back(*value);
    }
    const auto cycles = numberOf<Cycle>(fields[axes.size()]);
    if (!cycles) return std::nullopt;
    point.cycles = *cycles;
    double* const numbers[] = {&point.perSecond, &point.area.lut, &point.area.ff, &point.area.dsp, &point.area.bram};
    for (size_t i = 0; i < std::size(numbers); ++i) {
        const auto number = numberOf<double>(fields[axes.size() + 1 + i]);
        if (!number) return std::nullopt;
        *numbers[i] = *number;
    }
    // The last field may have commas.
    const auto at = static_cast<size_t>(fields[axes.size() + kNumbers].data() - row.data());
    const std::string_view quoted = row.substr(at);
    if (quoted.size() < 2 || quoted.front() != '"' || quoted.back() != '"') return std::nullopt;
    for (size_t i = 1; i + 1 < quoted.size(); ++i) {
        if (quoted[i] == '"') {
            ++i;
            if (quoted[i] != '"') return std::nullopt;
        }
        point.problem += quoted[i];
    }
    if (!pointNumber(axes, point.values)) return std::nullopt;
    return point;
}

std::optional<size_t> pointNumber(std::span<const SweepAxis> axes, std::span<const uint32_t> values) {
    size_t number = 0;
    for (size_t axis = 0; axis < axes.size(); ++axis) {
        const std::vector<uint32_t>& all = axes[axis].values;
        const auto value = std::find(all.begin(), all.end(), values[axis]);
        if (value == all.end()) return std::nullopt;
        number = number * all.size() + static_cast<size_t>(value - all.begin());
    }
    return number;
}

std::string sweepText(std::span<const SweepAxis> axes, std::span<const SweepPoint> points, std::string_view title) {
    const auto unsound = static_cast<size_t>(
        std::count_if(points.begin(), points.end(), [](const SweepPoint& point) { return !point.problem.empty(); }));
    const std::vector<const SweepPoint*> front = frontOf(points);
    std::string text = fmt::format("{}: {} points", title, points.size());
    if (unsound) text += fmt::format(", {} of them no machine for it", unsound);
    text += fmt::format("; {} on the front\n{:>12} {:>12} {:>10} {:>10} {:>8} {:>8}  {}\n", front.size(), "a second",
                        "cycles", "LUT", "FF", "DSP", "BRAM", "machine");
    for (const SweepPoint* point : front) {
        text += fmt::format("{:>12.1f} {:>12} {:>10.0f} {:>10.0f} {:>8.0f} {:>8.1f}  {}\n", point->perSecond,
                            point->cycles, point->area.lut, point->area.ff, point->area.dsp, point->area.bram,
                            parametersText(axes, *point));
    }
    return text;
}

std::string sweepJson(std::span<const SweepAxis> axes, std::span<const SweepPoint> points, std::string_view title) {
    nlohmann::ordered_json json;
    json["title"] = title;
    json["points"] = nlohmann::ordered_json::array();
    const std::vector<bool> front = paretoFront(points);
    for (size_t i = 0; i < points.size(); ++i) {
        const SweepPoint& point = points[i];
        nlohmann::ordered_json row;
        for (size_t axis = 0; axis < axes.size(); ++axis) {
            const Parameter& parameter = *axes[axis].parameter;
            if (parameter.words.empty())
                row["parameters"][std::string(parameter.name)] = point.values[axis];
            else
                row["parameters"][std::string(parameter.name)] = valueOf(parameter, point.values[axis]);
        }
        if (point.problem.empty()) {
            row["cycles"] = point.cycles;
            row["per_second"] = point.perSecond;
            row["area"] = {
                {"lut", point.area.lut}, {"ff", point.area.ff}, {"dsp", point.area.dsp}, {"bram", point.area.bram}};
            row["front"] = static_cast<bool>(front[i]);
        } else {
            row["problem"] = point.problem;
        }
        json["points"].push_back(std::move(row));
    }
    return json.dump(1) + '\n';
}

namespace {

/// A round distance, so that from 0 on up to eight of them reach beyond a value above 0.
double roundStep(double most) {
    double step = std::pow(10.0, std::floor(std::log10(most)) - 1);
    while (most / step > 8)
        for (const double factor : {2.0, 2.5, 2.0})
            if (most / step > 8) step *= factor;
    return step;
}

}  // namespace

std::string sweepPlot(std::span<const SweepAxis> axes, std::span<const SweepPoint> points, std::string_view title) {
    constexpr double kLeft = 80, kTop = 50, kWidth = 760, kHeight = 420, kRight = 240, kBottom = 60;
    double lut = 1, speed = 1;
    for (const SweepPoint& point : points) {
        lut = std::max(lut, point.area.lut);
        speed = std::max(speed, point.perSecond);
    }
    const double lutStep = roundStep(lut), speedStep = roundStep(speed);
    const double lutEnd = std::ceil(lut / lutStep) * lutStep, speedEnd = std::ceil(speed / speedStep) * speedStep;
    const auto x = [&](double area) { return kLeft + kWidth * area / lutEnd; };
    const auto y = [&](double perSecond) { return kTop + kHeight * (1 - perSecond / speedEnd); };
    std::string out = svgHead(kLeft + kWidth + kRight, kTop + kHeight + kBottom,
                              ".point { fill: #2a78d6; fill-opacity: .45; }\n"
                              ".front { fill: #e07b39; }\n");
    out += fmt::format("<text class=\"title\" x=\"20\" y=\"24\">{}: area against speed; orange: the front</text>\n",
                       svgText(title));
    for (int i = 0; i <= std::lround(speedEnd / speedStep); ++i) {
        const double speedHere = i * speedStep;
        out += fmt::format("<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kLeft,
                           kLeft + kWidth, y(speedHere), y(speedHere));
        out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.6g}</text>\n", kLeft - 8,
                           y(speedHere) + 4, speedHere);
    }
    for (int i = 0; i <= std::lround(lutEnd / lutStep); ++i)
        out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:.0f}</text>\n", x(i * lutStep),
                           kTop + kHeight + 20, i * lutStep);
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">look-up tables</text>\n",
                       kLeft + kWidth / 2, kTop + kHeight + 44);
    out += fmt::format(
        "<text transform=\"translate(20,{:.1f}) rotate(-90)\" text-anchor=\"middle\">frames or runs a second</text>\n",
        kTop + kHeight / 2);
    const std::vector<bool> front = paretoFront(points);
    for (const bool inFront : {false, true}) {  // those of the front on top
        for (size_t i = 0; i < points.size(); ++i) {
            const SweepPoint& point = points[i];
            if (!point.problem.empty() || front[i] != inFront) continue;
            const std::string name = svgText(parametersText(axes, point));
            out += fmt::format(
                "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}: {:.1f} a second, {:.0f} look-up "
                "tables</title></circle>\n",
                inFront ? "front" : "point", x(point.area.lut), y(point.perSecond), inFront ? 5 : 4, name,
                point.perSecond, point.area.lut);
        }
    }
    // Names above their points where there is room, the fastest first.
    double free = 0;
    std::vector<const SweepPoint*> named = frontOf(points);
    std::sort(named.begin(), named.end(), [](const SweepPoint* a, const SweepPoint* b) {
        return std::tuple(b->perSecond, a->area.lut, a->values) < std::tuple(a->perSecond, b->area.lut, b->values);
    });
    for (const SweepPoint* point : named) {
        if (y(point->perSecond) < free) continue;
        out += fmt::format("<text class=\"small\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x(point->area.lut) - 4,
                           y(point->perSecond) - 9, svgText(parametersText(axes, *point)));
        free = y(point->perSecond) + 14;
    }
    return out + "</svg>\n";
}

}  // namespace tessera::model
