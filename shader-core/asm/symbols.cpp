#include "shader-core/asm/symbols.h"

#include <algorithm>
#include <array>
#include <utility>
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

void Symbols::addForHost(std::string_view name, std::string where) {
    forHost_.emplace(std::string(name.substr(0, name.find_first_of(".["))), std::move(where));
}

const std::string* Symbols::findForHost(std::string_view word) const {
    const auto at = forHost_.find(word);
    return at == forHost_.end() ? nullptr : &at->second;
}

void Symbols::addUnread(std::string_view line) {
    bool isFirst = true;
    for (size_t at = 0; at < line.size();) {
        size_t end = at;
        while (end < line.size() && (isLetter(line[end]) || isDigit(line[end]))) ++end;
        const std::string_view word = line.substr(at, end - at);
        if (isName(word) && !isReserved(word) && !std::exchange(isFirst, false)) unread_.emplace(word);
        at = std::max(end, at + 1);
    }
}

namespace {

/// "v_at v_color", not all of very many.
std::string listed(const std::vector<std::string_view>& names) {
    constexpr size_t kMost = 12;
    std::string text;
    for (size_t i = 0; i < std::min(names.size(), kMost); ++i) text += fmt::format(" {}", names[i].substr(0, 40));
    return names.size() > kMost ? text + " ..." : text;
}

}  // namespace

std::string Symbols::instead(std::string_view misspelt, Wanted wanted) const {
    constexpr std::string_view kKinds[] = {
        "inputs", "uniforms and constants", "outputs", "aliases", "numbers", "samplers", "buffers"};
    std::array<std::vector<std::string_view>, std::size(kKinds)> names;
    for (const auto& [name, symbol] : symbols_) {
        const bool isRegister = symbol.kind == Symbol::Kind::Register;
        const bool isNumber = symbol.kind == Symbol::Kind::Number;
        const bool fits = wanted == Wanted::Operand     ? isRegister || isNumber
                          : wanted == Wanted::Number    ? isNumber
                          : wanted == Wanted::Predicate ? isRegister && symbol.file == isa::File::P
                                                        : wanted == Wanted::Unit && !isRegister && !isNumber;
        if (!fits) continue;
        const size_t kind = isNumber                      ? 4
                            : !isRegister                 ? 5
                            : symbol.file == isa::File::V ? 0
                            : symbol.file == isa::File::C ? 1
                            : symbol.file == isa::File::O ? 2
                                                          : 3;
        names[kind].push_back(name);
    }
    if (wanted == Wanted::Buffer)
        for (const auto& [name, slot] : buffers_) names[6].push_back(name);

    std::vector<std::string_view> all;
    if (wanted == Wanted::Operand) all.assign(specialNames().begin(), specialNames().end());
    for (const auto& kind : names) all.insert(all.end(), kind.begin(), kind.end());
    if (const std::string_view near = nearest(all, misspelt); !near.empty())
        return fmt::format("; did you mean '{}'?", near);
    std::string text;
    for (size_t kind = 0; kind < names.size(); ++kind)
        if (!names[kind].empty())
            text +=
                fmt::format("{}{}{}", text.empty() ? "; the program has " : ", ", kKinds[kind], listed(names[kind]));
    return text;
}

}  // namespace tessera::assembly
