#include "tools/tex/cache_plots.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/export/svg.h"

namespace tessera::tools {

namespace {

using model::TextureCacheShape;

CachePoint simulated(const model::TexelStream& stream, const TextureCacheShape& shape, std::string label) {
    CachePoint point{shape, std::move(label), {}};
    model::EngineCaches caches(shape);
    for (const model::TexelBlock& block : stream.blocks) point.counters.add(caches.read(block));
    return point;
}

std::string bytesText(uint64_t bytes) {
    if (bytes < 1u << 20) return fmt::format("{:.1f} KB", static_cast<double>(bytes) / 1024);
    return fmt::format("{:.2f} MB", static_cast<double>(bytes) / (1 << 20));
}

bool isPaper(const TextureCacheShape& s) {
    const TextureCacheShape paper;
    return s.lines == paper.lines && s.ways == paper.ways && s.tileWidth == paper.tileWidth &&
           s.tileHeight == paper.tileHeight;
}

// --- SVG ---

constexpr int kPanel = 300, kMargin = 60, kPlotHeight = 220, kTop = 70;

struct Axis {
    double low, high;  ///< hit rates
    [[nodiscard]] double y(double rate) const { return kTop + kPlotHeight * (high - rate) / (high - low); }
};

/// From a round number below the smallest hit rate to 1.
Axis axisOf(const std::vector<CacheSweep>& sweeps) {
    double least = 1;
    for (const CacheSweep& sweep : sweeps)
        for (const CachePoint& point : sweep.points) least = std::min(least, point.hitRate());
    const double step = 1 - least > 0.3 ? 0.1 : 1 - least > 0.06 ? 0.02 : 0.01;
    return {std::max(0.0, std::floor((least - 1e-9) / step) * step), 1};
}

std::string gridLines(const Axis& axis, double left) {
    std::string out;
    const double range = axis.high - axis.low;
    const double step = range > 0.45 ? 0.1 : range > 0.2 ? 0.05 : range > 0.08 ? 0.02 : 0.01;
    for (int i = 0; axis.high - i * step > axis.low - 1e-9; ++i) {
        const double rate = axis.high - i * step, y = axis.y(rate);
        out += fmt::format("<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", left,
                           left + kPanel, y, y);
        out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.0f} %</text>\n", left - 6, y + 4,
                           100 * rate);
    }
    return out;
}

std::string panel(const CacheSweep& sweep, const Axis& axis, double left) {
    std::string out =
        fmt::format("<text class=\"title\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", left, kTop - 14, sweep.title);
    out += gridLines(axis, left);
    const double gap = static_cast<double>(kPanel) / static_cast<double>(sweep.points.size());
    std::string line, marks;
    for (size_t i = 0; i < sweep.points.size(); ++i) {
        const CachePoint& point = sweep.points[i];
        const double x = left + gap * (static_cast<double>(i) + 0.5), y = axis.y(point.hitRate());
        line += fmt::format("{:.1f},{:.1f} ", x, y);
        marks += fmt::format(
            "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"><title>{}: {:.2f} % hits, {} fetched</title>"
            "</circle>\n",
            isPaper(point.shape) ? "paper" : "point", x, y, point.shape.name(), 100 * point.hitRate(),
            bytesText(point.counters.bytes));
        const int below = kTop + kPlotHeight;
        marks +=
            fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x, below + 18, point.label);
        marks += fmt::format(
            "<text class=\"small\" transform=\"translate({:.1f},{}) rotate(-40)\" "
            "text-anchor=\"end\">{}</text>\n",
            x + 6, below + 34, bytesText(point.counters.bytes));
    }
    return out + fmt::format("<polyline points=\"{}\"/>\n", line) + marks;
}

// --- False colour ---

constexpr std::array<std::array<uint8_t, 3>, 6> kRamp = {
    {{16, 22, 70}, {40, 60, 190}, {130, 40, 170}, {220, 70, 60}, {250, 170, 40}, {255, 255, 255}}};

std::array<uint8_t, 4> missColor(uint32_t misses) {
    const double place = std::min(1.0, static_cast<double>(misses) / kMissesWhite) * (kRamp.size() - 1);
    const size_t first = std::min(static_cast<size_t>(place), kRamp.size() - 2);
    const double part = place - static_cast<double>(first);
    std::array<uint8_t, 4> color{0, 0, 0, 255};
    for (int c = 0; c < 3; ++c)
        color[c] = static_cast<uint8_t>(std::lround(kRamp[first][c] + (kRamp[first + 1][c] - kRamp[first][c]) * part));
    return color;
}

}  // namespace

double CachePoint::hitRate() const {
    const uint64_t asked = counters.hits + counters.misses;
    return asked == 0 ? 0 : static_cast<double>(counters.hits) / static_cast<double>(asked);
}

std::vector<CacheSweep> sweepCaches(const model::TexelStream& stream) {
    std::vector<CacheSweep> sweeps(3);
    sweeps[0].title = "Size (lines of 4x4 texels, 4 ways)";
    for (const int lines : {4, 8, 16, 32, 64, 128, 256}) {
        TextureCacheShape shape;
        shape.lines = lines;
        const int bytes = shape.bytes();
        const std::string label = bytes < 1024 ? fmt::format("{} B", bytes) : fmt::format("{} KB", bytes / 1024);
        sweeps[0].points.push_back(simulated(stream, shape, label));
    }
    sweeps[1].title = "Ways (2 KB)";
    for (const int ways : {1, 2, 4, 8, 16, 32}) {
        TextureCacheShape shape;
        shape.ways = ways;
        sweeps[1].points.push_back(simulated(stream, shape, std::to_string(ways)));
    }
    sweeps[2].title = "Texels of a line (2 KB, 4 ways)";
    for (const auto& [width, height] :
         std::vector<std::pair<int, int>>{{16, 1}, {8, 2}, {4, 4}, {2, 8}, {1, 16}, {2, 2}, {8, 8}}) {
        TextureCacheShape shape;
        shape.tileWidth = width, shape.tileHeight = height;
        shape.lines = 32 * 16 / (width * height);
        sweeps[2].points.push_back(simulated(stream, shape, fmt::format("{}x{}", width, height)));
    }
    return sweeps;
}

std::string cacheSvg(const std::vector<CacheSweep>& sweeps, const std::string& title) {
    const int width = kMargin + static_cast<int>(sweeps.size()) * (kPanel + kMargin), height = kTop + kPlotHeight + 90;
    std::string out = svgHead(width, height,
                              "polyline { fill: none; stroke: #2a78d6; stroke-opacity: .5; }\n"
                              ".point { fill: #2a78d6; }\n"
                              ".paper { fill: #e07b39; }\n");
    out += fmt::format(
        "<text class=\"title\" x=\"{}\" y=\"22\">Texture cache: hit rate, and bytes fetched; "
        "orange: the paper's. {}</text>\n",
        kMargin, svgText(title));
    const Axis axis = axisOf(sweeps);
    for (size_t i = 0; i < sweeps.size(); ++i)
        out += panel(sweeps[i], axis, kMargin + static_cast<double>(i) * (kPanel + kMargin));
    return out + "</svg>\n";
}

imagediff::Image missPicture(const model::TexelStream& stream, uint32_t target) {
    imagediff::Image picture;
    const auto size = stream.targets.find(target);
    if (size == stream.targets.end()) return picture;
    picture.width = size->second.width, picture.height = size->second.height;
    const size_t pixels = static_cast<size_t>(picture.width) * picture.height;
    std::vector<uint32_t> missed(pixels), asked(pixels);
    model::EngineCaches caches;
    for (const model::TexelBlock& block : stream.blocks) {
        uint32_t misses[16];
        (void)caches.read(block, misses);
        if (block.isVertex || block.target != target) continue;
        for (int lane = 0; lane < 16; ++lane) {
            const int x = block.pixelX + lane % 4, y = block.pixelY + lane / 4;
            if ((block.lanes >> lane & 1) == 0 || x >= picture.width || y >= picture.height) continue;
            const size_t at = static_cast<size_t>(picture.height - 1 - y) * picture.width + x;
            missed[at] += misses[lane];
            ++asked[at];
        }
    }
    for (size_t i = 0; i < pixels; ++i) {
        const std::array<uint8_t, 4> color =
            asked[i] == 0 ? std::array<uint8_t, 4>{0, 0, 0, 255} : missColor(missed[i]);
        picture.rgba.insert(picture.rgba.end(), color.begin(), color.end());
    }
    return picture;
}

}  // namespace tessera::tools
