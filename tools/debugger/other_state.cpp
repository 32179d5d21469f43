#include "tools/debugger/other_state.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace tessera::tools {

namespace {

using Json = nlohmann::json;
using Color = std::array<double, 4>;

std::optional<Color> colorOf(const Json& channels, double scale) {
    if (!channels.is_array() || channels.size() != 4) return std::nullopt;
    Color color{};
    for (size_t c = 0; c < 4; ++c) {
        if (!channels[c].is_number()) return std::nullopt;  // NaN is a word
        color[c] = std::clamp(channels[c].get<double>() / scale, 0.0, 1.0);
    }
    return color;
}

struct Factor {
    std::string_view name;
    double (*of)(const Color& source, const Color& destination, size_t channel);
};
constexpr Factor kFactors[] = {
    {"GL_ZERO", [](const Color&, const Color&, size_t) { return 0.0; }},
    {"GL_ONE", [](const Color&, const Color&, size_t) { return 1.0; }},
    {"GL_SRC_ALPHA", [](const Color& s, const Color&, size_t) { return s[3]; }},
    {"GL_ONE_MINUS_SRC_ALPHA", [](const Color& s, const Color&, size_t) { return 1 - s[3]; }},
    {"GL_SRC_COLOR", [](const Color& s, const Color&, size_t c) { return s[c]; }},
    {"GL_ONE_MINUS_SRC_COLOR", [](const Color& s, const Color&, size_t c) { return 1 - s[c]; }},
    {"GL_DST_COLOR", [](const Color&, const Color& d, size_t c) { return d[c]; }},
    {"GL_ONE_MINUS_DST_COLOR", [](const Color&, const Color& d, size_t c) { return 1 - d[c]; }},
    {"GL_DST_ALPHA", [](const Color&, const Color& d, size_t) { return d[3]; }},
    {"GL_ONE_MINUS_DST_ALPHA", [](const Color&, const Color& d, size_t) { return 1 - d[3]; }},
};
/// Source and destination, as programs mostly have them: on kFactors.
constexpr size_t kUsual[][2] = {{2, 3}, {1, 3}, {1, 1}, {2, 1}, {6, 0}, {1, 5}};

/// Whether two colors are the same but for a step of rounding.
bool isSame(const Color& a, const Color& b) {
    for (size_t c = 0; c < 3; ++c)
        if (std::abs(a[c] - b[c]) > 1.01 / 255) return false;
    return true;
}

std::string blendText(const Json& state) {
    if (!state.value("blend", false)) return "blending off";
    const auto equation = state["equation"][0].get<std::string>();
    return fmt::format("{}{}, {}", equation == "GL_FUNC_ADD" ? "" : equation + ", ",
                       state["source"][0].get<std::string>(), state["destination"][0].get<std::string>());
}

std::string maskText(unsigned channels) {
    std::string text;
    for (size_t c = 0; c < 3; ++c)
        if (channels >> c & 1) text += "rgb"[c];
    return text + " alone";
}

}  // namespace

std::string stateThatGives(const Json& event, const Json& state, const std::array<uint8_t, 4>& wanted) {
    if (event["before"].size() != 1 || event["after"].size() != 1 || !event.contains("color")) return {};
    const auto source = colorOf(event["color"], 1), before = colorOf(event["before"][0]["color"], 255),
               after = colorOf(event["after"][0]["color"], 255);
    if (!source || !before || !after || !event.value("shaded", false)) return {};
    Color goal{};
    for (size_t c = 0; c < 3; ++c) goal[c] = wanted[c] / 255.0;
    if (isSame(*after, goal)) return {};
    // Some channels as they were, the others as the draw left them.
    for (unsigned mask = 1; mask < 7; ++mask) {
        Color masked = *before;
        for (size_t c = 0; c < 3; ++c)
            if (mask >> c & 1) masked[c] = (*after)[c];
        if (isSame(masked, goal) && !isSame(masked, *before))
            return fmt::format("with a color mask that writes {}", maskText(mask));
    }
    const auto blended = [&](const Factor& from, const Factor& to) {
        Color color{};
        for (size_t c = 0; c < 3; ++c)
            color[c] = std::clamp(
                (*source)[c] * from.of(*source, *before, c) + (*before)[c] * to.of(*source, *before, c), 0.0, 1.0);
        return color;
    };
    const std::string now = blendText(state);
    if (isSame(*source, goal) && state.value("blend", false))
        return fmt::format("with blending off, where it has {}", now);
    const auto found = [&](const Factor& from, const Factor& to) {
        return fmt::format("with {}, {}, where it has {}", from.name, to.name, now);
    };
    for (const auto& [from, to] : kUsual)
        if (isSame(blended(kFactors[from], kFactors[to]), goal)) return found(kFactors[from], kFactors[to]);
    for (const Factor& from : kFactors)
        for (const Factor& to : kFactors)
            if (isSame(blended(from, to), goal)) return found(from, to);
    return {};
}

}  // namespace tessera::tools
