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

/// Where a key begins to have more than kMostKeyParts parts: toml++ makes a table within a table of each, and goes
/// through them by recursion.
struct Place {
    size_t line = 1, column = 1;
};
constexpr int kMostKeyParts = 16;

/// Looks at dots alone that are no part of a text or a comment: what is broken otherwise toml++ says.
std::optional<Place> deepKey(std::string_view text) {
    size_t lineBegin = 0, at = 0;
    Place place;
    int dots = 0;
    const auto startsWith = [&](std::string_view what) { return text.substr(at).starts_with(what); };
    const auto newLine = [&] {
        ++place.line;
        lineBegin = at + 1;
        dots = 0;
    };
    while (at < text.size()) {
        const char c = text[at];
        if (c == '\n') {
            newLine();
        } else if (c == '#') {
            at = std::min(text.find('\n', at), text.size());
            continue;
        } else if (startsWith("\"\"\"") || startsWith("'''")) {
            for (at += 3; at < text.size() && !(text[at] == c && text.substr(at + 1).starts_with(std::string(2, c)));
                 ++at) {
                if (c == '"' && text[at] == '\\') ++at;
                if (at < text.size() && text[at] == '\n') newLine();
            }
            at += 3;
            continue;
        } else if (c == '"' || c == '\'') {
            for (++at; at < text.size() && text[at] != c && text[at] != '\n'; ++at)
                if (c == '"' && text[at] == '\\' && text.substr(at + 1, 1) != "\n") ++at;
            if (at < text.size() && text[at] == '\n') continue;
        } else if (c == '.') {
            place.column = at - lineBegin + 1;
            if (++dots >= kMostKeyParts) return place;
        } else if (std::string_view("=,[]{}").find(c) != std::string_view::npos) {
            dots = 0;
        }
        ++at;
    }
    return std::nullopt;
}

}  // namespace

std::optional<toml::table> parseToml(std::string_view text, std::string_view file, std::string* error) {
    if (const std::optional<Place> place = deepKey(text)) {
        *error = fmt::format("{}:{}:{}: a key has more than {} parts", file, place->line, place->column, kMostKeyParts);
        return std::nullopt;
    }
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
