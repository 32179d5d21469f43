#include "tools/options.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace tessera::tools {

namespace {

/// Nothing unless all parts are whole numbers of at least `least`, and no more than three.
std::optional<std::vector<uint32_t>> sizeOf(const std::string& text, uint32_t least) {
    std::vector<uint32_t> numbers;
    for (const std::string& part : listOf(text)) {
        const char* const end = part.data() + part.size();
        uint32_t number = 0;
        const auto [stop, error] = std::from_chars(part.data(), end, number);
        if (error != std::errc() || stop != end || number < least) return std::nullopt;
        numbers.push_back(number);
    }
    return numbers.size() <= 3 ? std::optional(numbers) : std::nullopt;
}

}  // namespace

std::vector<std::string> listOf(const std::string& text) {
    std::vector<std::string> parts;
    for (size_t at = 0, comma = 0; comma != std::string::npos; at = comma + 1) {
        comma = text.find(',', at);
        parts.push_back(text.substr(at, comma - at));
    }
    return parts;
}

CLI::Option* addSizeOption(CLI::App& verb, const char* name, std::vector<uint32_t>& numbers, uint32_t least,
                           const char* help) {
    return verb
        .add_option_function<std::string>(
            name, [&numbers, least](const std::string& text) { numbers = *sizeOf(text, least); }, help)
        ->check([least](const std::string& text) {
            return sizeOf(text, least)
                       ? std::string()
                       : fmt::format("write one to three whole numbers from {} on, as X,Y,Z: not '{}'", least, text);
        })
        ->type_name("X,Y,Z")
        ->take_last();
}

bool areAbsent(const CLI::App& verb, std::initializer_list<const char*> names, const std::string& where,
               const std::string& why) {
    for (const char* const name : names) {
        if (verb.get_option(name)->count() == 0) continue;
        fmt::print(stderr, "{}: error: {} {}\n", where, name, why);
        return false;
    }
    return true;
}

}  // namespace tessera::tools
