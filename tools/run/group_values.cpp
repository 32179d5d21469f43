#include "tools/run/group_values.h"

#include <bit>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace tessera::tools {

namespace {

/// One component: a number, or a range over the lanes.
struct Component {
    double from = 0, to = 0;
    std::optional<uint32_t> bits;
    bool isRange = false;
};

std::optional<double> parseNumber(std::string_view text) {
    if (text == "true") return 1.0;
    if (text == "false") return 0.0;
    double value = 0;
    if (text.starts_with("+")) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

std::optional<Component> parseComponent(std::string_view text) {
    text = trim(text);
    Component component;
    if (text.starts_with("0x")) {
        uint32_t bits = 0;
        const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
        if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
        component.bits = bits;
        return component;
    }
    const size_t dots = text.find("..");
    component.isRange = dots != std::string_view::npos;
    const std::optional<double> from = parseNumber(text.substr(0, dots));
    const std::optional<double> to = component.isRange ? parseNumber(text.substr(dots + 2)) : from;
    if (!from || !to) return std::nullopt;
    component.from = *from, component.to = *to;
    return component;
}

uint32_t bitsOf(const Component& component, int lane, int lanes, bool integers) {
    if (component.bits) return *component.bits;
    double value = component.from;
    if (component.isRange && lanes > 1) value += (component.to - component.from) * lane / (lanes - 1);
    if (!integers) return std::isnan(value) ? 0x7fc00000u : std::bit_cast<uint32_t>(static_cast<float>(value));
    if (!(std::abs(value) < 4294967296.0)) return 0;
    return static_cast<uint32_t>(static_cast<int64_t>(value));
}

}  // namespace

std::optional<int> parseInteger(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<std::vector<std::vector<uint32_t>>> parseLanes(std::string_view text, int lanes, bool integers,
                                                             std::string& problem) {
    std::vector<std::vector<Component>> listed(1);
    bool ranges = false;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find_first_of(",;", at), text.size());
        const std::string_view piece = text.substr(at, end - at);
        const std::optional<Component> component = parseComponent(piece);
        if (!component) {
            problem = fmt::format("column {} of the value: '{}' is no number; write 0.5, 0..1, true or 0x3f800000",
                                  at + 1, piece);
            return std::nullopt;
        }
        ranges |= component->isRange;
        listed.back().push_back(*component);
        if (end < text.size() && text[end] == ';') listed.emplace_back();
        at = end + 1;
    }
    if (ranges && listed.size() > 1) {
        problem = "a value has ranges, or one list for each lane, not both";
        return std::nullopt;
    }
    if (listed.size() > static_cast<size_t>(lanes)) {
        problem = fmt::format("{} lists for {} lane{}; give --lanes {}", listed.size(), lanes, lanes == 1 ? "" : "s",
                              listed.size());
        return std::nullopt;
    }
    std::vector<std::vector<uint32_t>> result(ranges ? static_cast<size_t>(lanes) : listed.size());
    for (size_t lane = 0; lane < result.size(); ++lane)
        for (const Component& component : listed[ranges ? 0 : lane])
            result[lane].push_back(bitsOf(component, static_cast<int>(lane), lanes, integers));
    return result;
}

}  // namespace tessera::tools
