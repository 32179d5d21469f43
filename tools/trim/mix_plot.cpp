#include "tools/trim/mix_plot.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/export/svg.h"

namespace tessera::tools {

namespace {

using model::MixClass;

constexpr double kBar = 13, kGap = 4, kGroupGap = 22, kLeft = 62, kRight = 20, kTop = 100, kHeight = 300, kNames = 150;

/// A class's colour, and that of its integer instructions. In the order of MixClass, bottom to top.
struct Colors {
    const char *rest, *integer;
};
constexpr std::array<Colors, model::kMixClasses> kColors = {{{"#c9ced6", ""},
                                                             {"#8fb8de", ""},
                                                             {"#5b8fc7", ""},
                                                             {"#2f5f9e", ""},
                                                             {"#b39ddb", ""},
                                                             {"#6b7280", ""},
                                                             {"#4caf6d", "#a8dcb5"},
                                                             {"#e0a030", "#f3d79a"},
                                                             {"#d9694a", "#f0b5a2"},
                                                             {"#a8324a", ""},
                                                             {"#43b0b1", ""},
                                                             {"#d16ba5", ""}}};

struct Entry {
    MixClass mix;
    bool integer;
    const char* color;
    std::string label;
};

/// What a bar is stacked of, bottom to top.
std::vector<Entry> entries() {
    std::vector<Entry> list;
    for (int i = 0; i < model::kMixClasses; ++i) {
        const auto mix = static_cast<MixClass>(i);
        const std::string name(model::mixClassName(mix));
        const Colors& colors = kColors[static_cast<size_t>(i)];
        if (model::hasIntegerKind(mix)) list.push_back({mix, true, colors.integer, name + " int"});
        list.push_back({mix, false, colors.rest, model::hasIntegerKind(mix) ? name + " float" : name});
    }
    return list;
}

std::string bar(const MixBar& bar, double x, const std::vector<Entry>& stack) {
    const auto total = static_cast<double>(std::max<uint64_t>(bar.mix.total(), 1));
    std::string out;
    double y = kTop + kHeight;
    for (const Entry& entry : stack) {
        const uint64_t count = bar.mix.of[static_cast<size_t>(entry.mix)][entry.integer ? 0 : 1];
        if (count == 0) continue;
        const double part = static_cast<double>(count) / total, height = kHeight * part;
        y -= height;
        out += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.2f}\" width=\"{:.1f}\" height=\"{:.2f}\" fill=\"{}\"><title>{}: {} {:.1f} "
            "%</title>"
            "</rect>\n",
            x, y, kBar, height, entry.color, svgText(bar.name), entry.label, 100 * part);
    }
    const double below = kTop + kHeight + 12, middle = x + kBar / 2 + 4;
    return out +
           fmt::format("<text transform=\"translate({:.1f},{:.1f}) rotate(-60)\" text-anchor=\"end\">{}{}</text>\n",
                       middle, below, svgText(bar.name), bar.executed ? "" : "*");
}

}  // namespace

std::string mixSvg(const std::vector<MixBar>& bars) {
    const std::vector<Entry> stack = entries();
    std::string body;
    double x = kLeft + 8, headingEnd = 0;
    for (size_t i = 0; i < bars.size(); ++i) {
        if (i == 0 || bars[i].group != bars[i - 1].group) {
            if (i != 0) x += kGroupGap;
            // Beside the last heading, or above it.
            const bool above = x < headingEnd;
            body += fmt::format("<text class=\"title\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", x, kTop - (above ? 26 : 10),
                                svgText(bars[i].group));
            headingEnd = above ? 0 : x + 8.5 * static_cast<double>(bars[i].group.size());
        }
        body += bar(bars[i], x, stack);
        x += kBar + kGap;
    }
    const double right = std::max(x, 980.0);
    std::string grid;
    for (int percent = 0; percent <= 100; percent += 20) {
        const double y = kTop + kHeight * (1 - percent / 100.0);
        grid += fmt::format("<line class=\"grid\" x1=\"{}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kLeft,
                            right, y, y);
        grid += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{} %</text>\n", kLeft - 6, y + 4, percent);
    }
    std::string legend;
    double at = kLeft;
    for (const Entry& entry : stack) {
        legend +=
            fmt::format("<rect x=\"{:.1f}\" y=\"34\" width=\"12\" height=\"12\" fill=\"{}\"/>\n", at, entry.color);
        legend += fmt::format("<text x=\"{:.1f}\" y=\"44\">{}</text>\n", at + 16, entry.label);
        at += 30 + 6.4 * static_cast<double>(entry.label.size());
    }
    std::string out = svgHead(right + kRight, kTop + kHeight + kNames);
    out += fmt::format(
        "<text class=\"title\" x=\"{}\" y=\"20\">Instruction mix in the classes of seed 002, figure 4, and memory and "
        "texture; executed by groups, * of the code</text>\n",
        kLeft);
    return out + legend + grid + body + "</svg>\n";
}

}  // namespace tessera::tools
