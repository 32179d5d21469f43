#include "model/chip/toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera::model {
namespace {

bool isParsed(std::string_view text) {
    try {
        const toml::parse_result parsed = toml::parse(text);
        return true;
    } catch (const TomlAssertion&) {
        return false;
    }
}

/// The line, from 1, that parsing does not come past. What is in front of it is parsed the same without it.
size_t assertedLine(std::string_view text) {
    std::vector<size_t> ends;
    for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
        ends.push_back(at + 1);
    const auto first = std::ranges::partition_point(ends, [&](size_t end) { return isParsed(text.substr(0, end)); });
    return static_cast<size_t>(first - ends.begin()) + 1;
}

}  // namespace

std::optional<toml::table> parseToml(std::string_view text, std::string_view file, std::string* error) {
    try {
        toml::parse_result parsed = toml::parse(text, file);
        if (parsed) return std::move(parsed).table();
        const toml::source_position at = parsed.error().source().begin;
        *error = fmt::format("{}:{}:{}: {}", file, at.line, at.column, parsed.error().description());
    } catch (const TomlAssertion&) {
        *error = fmt::format("{}:{}:1: this line is no TOML", file, assertedLine(text));
    }
    return std::nullopt;
}

}  // namespace tessera::model
