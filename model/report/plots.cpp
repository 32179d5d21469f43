#include "model/report/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "base/export/svg.h"
#include "model/report/names.h"

namespace tessera::model {
namespace {

constexpr size_t kBarsShown = 40;
constexpr double kLeft = 20, kBars = 520, kTop = 90, kRow = 22;

/// Of an area, by Cause. Work is blue, having none grey, memory warm, what lies in the programs green and violet.
constexpr std::string_view kColors[] = {
    "#2a78d6",  // busy
    "#d0d7de",  // no work
    "#8c6d46",  // queue full
    "#b8a07e",  // order
    "#6fb1a0",  // vertices
    "#8c959f",  // earlier work
    "#57606a",  // places full
    "#7d6b8a",  // registers full
    "#a89bb5",  // store full
    "#b6c2cf",  // no group
    "#3fa35b",  // dependency
    "#9ccb72",  // unit taken
    "#f0b429",  // texture
    "#e0553b",  // SDRAM
    "#c9772f",  // host bus
    "#a33b27",  // relay of memory
    "#f5b8a7",  // prefetch memory
    "#f08a5d",  // shared memory
    "#9657c9",  // barrier
    "#c9a0e8",  // switch
    "#a9c7ea",  // draining
    "#79a6dc",  // filling
    "#b03a5b",  // row change
    "#d65fa0",  // divergence
    "#efc3dc",  // unfilled
};
static_assert(std::size(kColors) == kCauses);

uint64_t sum(const CauseCycles& cycles) {
    uint64_t total = 0;
    for (const uint64_t count : cycles) total += count;
    return total;
}

void add(CauseCycles& to, const CauseCycles& more) {
    for (size_t cause = 0; cause < kCauses; ++cause) to[cause] += more[cause];
}

std::string fillStyle() {
    std::string style;
    for (int cause = 0; cause < kCauses; ++cause) style += fmt::format(".c{} {{ fill: {}; }}\n", cause, kColors[cause]);
    return style;
}

/// A square of each cause that there is, with its name; as many rows as it takes. `rest` is what having no work is
/// called.
std::string legend(const CauseCycles& there, double x, double y, double width, std::string_view rest = {}) {
    constexpr double kLine = 18, kSquare = 17, kLetter = 6.7, kGap = 20;
    std::string out;
    double at = x;
    for (int cause = 0; cause < kCauses; ++cause) {
        if (!there[static_cast<size_t>(cause)]) continue;
        const bool isRest = static_cast<Cause>(cause) == Cause::NoWork && !rest.empty();
        const std::string_view name = isRest ? rest : causeText(static_cast<Cause>(cause));
        const double entry = kSquare + kLetter * static_cast<double>(name.size()) + kGap;
        if (at + entry > x + width) {
            at = x;
            y += kLine;
        }
        out += fmt::format(
            "<rect class=\"c{}\" x=\"{:.0f}\" y=\"{:.0f}\" width=\"12\" height=\"12\"/>"
            "<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n",
            cause, at, y - 10, at + kSquare, y, name);
        at += entry;
    }
    return out;
}

std::string title(std::string_view text) {
    return fmt::format("<text class=\"title\" x=\"{:.0f}\" y=\"24\">{}</text>\n", kLeft, svgText(text));
}

/// So much of a text as fits, from its beginning.
std::string shortened(std::string text, size_t most) {
    if (text.size() <= most) return text;
    // Not in the middle of a character.
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
    return text.substr(0, most) + "\u2026";
}

/// One row: its name, a bar of parts on a scale from 0 to `most`, and a remark.
struct Bar {
    std::string name, remark, tip;
    CauseCycles parts{};
};

/// Where the parts of a plot of bars have room.
struct Layout {
    double names, remarks;        ///< widths left and right of the bars
    size_t nameSize, remarkSize;  ///< letters that fit
    std::string_view rest;        ///< what having no work is called
};

std::string bars(const std::vector<Bar>& rows, std::string_view heading, size_t left, const Layout& layout) {
    CauseCycles all{};
    uint64_t most = 1;
    for (const Bar& row : rows) {
        add(all, row.parts);
        most = std::max(most, sum(row.parts));
    }
    const double height = kTop + kRow * static_cast<double>(rows.size() + 2);
    std::string out = svgHead(kLeft + layout.names + kBars + layout.remarks, height, fillStyle()) + title(heading);
    out += legend(all, kLeft, 48, layout.names + kBars + layout.remarks - kLeft, layout.rest);
    double y = kTop;
    for (const Bar& row : rows) {
        out += fmt::format("<g><title>{}</title>\n<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\">{}</text>\n",
                           svgText(row.tip), kLeft + layout.names - 8, y + 12,
                           svgText(shortened(row.name, layout.nameSize)));
        double x = kLeft + layout.names;
        for (int cause = 0; cause < kCauses; ++cause) {
            const double width =
                kBars * static_cast<double>(row.parts[static_cast<size_t>(cause)]) / static_cast<double>(most);
            if (width > 0)
                out +=
                    fmt::format("<rect class=\"c{}\" x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"{:.0f}\"/>\n",
                                cause, x, y, width, kRow - 6);
            x += width;
        }
        out += fmt::format("<text class=\"small\" x=\"{:.0f}\" y=\"{:.0f}\">{}</text></g>\n", x + 6, y + 12,
                           svgText(shortened(row.remark, layout.remarkSize)));
        y += kRow;
    }
    if (left) out += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\">and {} more</text>\n", kLeft, y + 14, left);
    return out + "</svg>\n";
}

/// The dearest rows, dearest first; the others are counted in *left.
std::vector<Bar> dearest(std::vector<Bar> rows, size_t* left) {
    std::vector<std::pair<uint64_t, size_t>> order;
    for (size_t i = 0; i < rows.size(); ++i) order.emplace_back(sum(rows[i].parts), i);
    std::sort(order.begin(), order.end(),
              [](const auto& a, const auto& b) { return std::pair(b.first, a.second) < std::pair(a.first, b.second); });
    *left = rows.size() - std::min(rows.size(), kBarsShown);
    order.resize(order.size() - *left);
    std::vector<Bar> first;
    for (const auto& [cycles, row] : order) first.push_back(std::move(rows[row]));
    return first;
}

/// Causes of units of a kind together, by piece of time.
std::vector<CauseCycles> overTime(const Result& result, size_t first, size_t last) {
    std::vector<CauseCycles> pieces(result.units[first].overTime.size());
    for (size_t unit = first; unit < last; ++unit)
        for (size_t piece = 0; piece < pieces.size(); ++piece) add(pieces[piece], result.units[unit].overTime[piece]);
    return pieces;
}

/// An edge in steps: from the path's end along `heights`, forward in time or back, without a corner where it goes on.
std::string steps(const std::vector<double>& times, const std::vector<double>& heights, size_t first, size_t last,
                  bool isBack) {
    std::string out;
    for (size_t i = first; i < last; ++i) {
        const size_t piece = isBack ? last - 1 - (i - first) : i;
        const bool isEnd = i + 1 == last;
        const size_t next = isBack ? piece - 1 : piece + 1;
        if (i == first) out += fmt::format("V{:.1f}", heights[piece]);
        if (!isEnd && heights[next] == heights[piece]) continue;
        out += fmt::format("H{:.1f}", times[isBack ? piece : piece + 1]);
        if (!isEnd) out += fmt::format("V{:.1f}", heights[next]);
    }
    return out;
}

/// An area for each cause, on top of those before it, where it is as high as a point's tenth.
std::string areas(const std::vector<CauseCycles>& pieces, const std::vector<Cycle>& ends, double y, double width,
                  double height) {
    const auto rounded = [](double value) { return std::round(10 * value) / 10; };
    std::vector<double> times{kLeft};
    for (const Cycle end : ends)
        times.push_back(kLeft + width * static_cast<double>(end) / static_cast<double>(ends.back()));
    std::vector<double> base(pieces.size()), low(pieces.size(), rounded(y + height)), high;
    std::string out;
    for (size_t cause = 0; cause < kCauses; ++cause, low = high) {
        high.clear();
        for (size_t piece = 0; piece < pieces.size(); ++piece) {
            base[piece] += static_cast<double>(pieces[piece][cause]) /
                           static_cast<double>(std::max<uint64_t>(sum(pieces[piece]), 1));
            high.push_back(rounded(y + height * (1 - base[piece])));
        }
        std::string path;
        for (size_t first = 0, last = 0; first < pieces.size(); first = last + 1) {
            for (last = first; last < pieces.size() && high[last] < low[last];) ++last;
            if (last == first) continue;
            path += fmt::format("M{:.1f},{:.1f}", times[first], low[first]) + steps(times, high, first, last, false) +
                    steps(times, low, first, last, true) + "Z";
        }
        if (!path.empty()) out += fmt::format("<path class=\"c{}\" d=\"{}\"/>\n", cause, path);
    }
    return out;
}

}  // namespace

std::string usePlot(const Result& result) {
    constexpr double kStrip = 56, kGap = 26, kWidth = 1100;
    struct Strip {
        size_t first, last;
        std::vector<CauseCycles> pieces;
    };
    std::vector<Strip> strips;
    CauseCycles all{};
    for (size_t first = 0; first < result.units.size();) {
        size_t last = first;
        while (last < result.units.size() && result.units[last].kind == result.units[first].kind) ++last;
        Strip strip{first, last, overTime(result, first, last)};
        first = last;
        // Lanes have no times.
        if (!strip.pieces.empty() && result.units[strip.first].kind != UnitKind::Lanes)
            strips.push_back(std::move(strip));
    }
    for (const Strip& strip : strips)
        for (const CauseCycles& piece : strip.pieces) add(all, piece);
    constexpr double kHead = 140;
    std::string out =
        svgHead(kLeft + kWidth + kLeft, kHead + (kStrip + kGap) * static_cast<double>(strips.size()) + 30, fillStyle());
    out += title(fmt::format("{} on {}: what the units did, {} cycles", result.workload, result.preset, result.cycles));
    out += legend(all, kLeft, 48, kWidth);
    double y = kHead;
    for (const Strip& strip : strips) {
        CauseCycles whole{};
        for (const CauseCycles& piece : strip.pieces) add(whole, piece);
        const size_t count = strip.last - strip.first;
        out +=
            fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\">{}{}: {:.1f} % busy</text>\n", kLeft, y - 6,
                        unitText(result.units[strip.first].kind), count > 1 ? fmt::format(", {}", count) : "",
                        100.0 * static_cast<double>(whole[0]) / static_cast<double>(std::max<uint64_t>(sum(whole), 1)));
        out += areas(strip.pieces, result.pieceEnds, y, kWidth, kStrip);
        for (const Cycle frame : result.frameEnds) {
            const double x =
                kLeft + kWidth * static_cast<double>(frame) / static_cast<double>(std::max<Cycle>(result.cycles, 1));
            out += fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.0f}\" y2=\"{2:.0f}\"/>\n",
                               x, y, y + kStrip);
        }
        y += kStrip + kGap;
    }
    out += fmt::format(
        "<text class=\"small\" x=\"{:.0f}\" y=\"{:.0f}\">cycle 0</text>"
        "<text class=\"small\" x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\">{}</text>\n",
        kLeft, y - 8, kLeft + kWidth, y - 8, result.cycles);
    return out + "</svg>\n";
}

std::string drawsPlot(const Result& result, const Workload& workload) {
    std::vector<Bar> rows;
    for (uint32_t item = 0; item < result.items.size(); ++item) {
        const ItemResult& row = result.items[item];
        Bar bar;
        bar.name = bar.tip = itemText(workload, item);
        // The part in which the unit that bounds it is busy, or opens rows.
        const auto part = [&](double share) {
            return std::min(row.alone, static_cast<uint64_t>(share * static_cast<double>(row.alone)));
        };
        const uint64_t busy = part(row.boundUse), opening = part(row.boundRows);
        bar.parts[static_cast<size_t>(Cause::Busy)] = busy;
        bar.parts[static_cast<size_t>(Cause::RowChange)] = opening;
        bar.parts[static_cast<size_t>(Cause::NoWork)] = row.alone - busy - opening;
        bar.remark = fmt::format("{} cycles", row.alone);
        if (row.boundBy != kNone) bar.remark += fmt::format("; {}", row.boundText(result.units));
        rows.push_back(std::move(bar));
    }
    size_t left = 0;
    rows = dearest(std::move(rows), &left);
    return bars(rows,
                fmt::format("{} on {}: cycles that each command adds, and what the unit that bounds it did",
                            result.workload, result.preset),
                left, {380, 390, 58, 60, "idle"});
}

std::string linesPlot(const Result& result, const Workload& workload) {
    std::vector<Bar> rows;
    for (uint32_t program = 0; program < result.programs.size(); ++program) {
        const ProgramUse& use = workload.programs[program];
        // By line; instructions whose line is not known stand for themselves.
        std::map<std::pair<uint32_t, uint32_t>, Bar> lines;
        for (uint32_t pc = 0; pc < result.programs[program].size(); ++pc) {
            const PcResult& row = result.programs[program][pc];
            const uint32_t line = lineOf(use, pc);
            if (!row.issues) continue;
            Bar& bar = lines[{line, line ? 0 : pc}];
            const std::string text = sourceLine(use, line);
            bar.name = line ? fmt::format("{} line {}{}{}", use.name, line, text.empty() ? "" : ": ", text)
                            : instructionText(workload, program, pc);
            bar.tip = bar.name;
            bar.parts[static_cast<size_t>(Cause::Busy)] += row.cycles;
            add(bar.parts, row.stalls);
        }
        for (auto& [line, bar] : lines) {
            bar.remark = fmt::format("{} cycles", sum(bar.parts));
            rows.push_back(std::move(bar));
        }
    }
    size_t left = 0;
    rows = dearest(std::move(rows), &left);
    return bars(rows,
                fmt::format("{} on {}: cycles of block processors for each line, issued and waited for",
                            result.workload, result.preset),
                left, {660, 110, 104, 20, {}});
}

}  // namespace tessera::model
