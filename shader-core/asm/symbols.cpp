#include "shader-core/asm/symbols.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "shader-core/asm/expression.h"
#include "shader-core/asm/spelling.h"

namespace tessera::assembly {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace

bool isName(std::string_view text) {
    return !text.empty() && isLetter(text[0]) &&
           std::all_of(text.begin(), text.end(), [](char c) { return isLetter(c) || isDigit(c); });
}

bool isReserved(std::string_view name) {
    if (find(specialNames(), name) || find(expressionNames(), name)) return true;
    const bool file = find(fileLetters(), name.substr(0, 1)).has_value() || name.starts_with('t');
    return file && (name.size() == 1 || std::all_of(name.begin() + 1, name.end(), isDigit));
}

std::string Symbols::add(std::string_view name, Symbol symbol) {
    if (!isName(name)) return "a name of letters, digits and underscores must stand here";
    if (isReserved(name))
        return fmt::format(
            "'{}' is the assembler's own: a register, a file of registers or a function; choose another name", name);
    if (symbols_.emplace(std::string(name), std::move(symbol)).second) return {};
    return fmt::format("'{}' is named already; choose another name", name);
}

const Symbol* Symbols::find(std::string_view name) const {
    const auto at = symbols_.find(name);
    return at == symbols_.end() ? nullptr : &at->second;
}

void Symbols::addBuffer(std::string_view name, uint8_t slot) { buffers_.emplace(std::string(name), slot); }

std::optional<uint8_t> Symbols::findBuffer(std::string_view name) const {
    const auto at = buffers_.find(name);
    if (at == buffers_.end()) return std::nullopt;
    return at->second;
}

std::string Symbols::bufferSuggestion(std::string_view misspelt) const {
    std::vector<std::string_view> names;
    for (const auto& [name, slot] : buffers_) names.push_back(name);
    const std::string_view near = nearest(names, misspelt);
    return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

std::string Symbols::suggestion(std::string_view misspelt) const {
    std::vector<std::string_view> names(specialNames().begin(), specialNames().end());
    for (const auto& [name, symbol] : symbols_) names.push_back(name);
    const std::string_view near = nearest(names, misspelt);
    return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

}  // namespace tessera::assembly
