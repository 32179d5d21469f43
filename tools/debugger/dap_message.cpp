#include "tools/debugger/dap_message.h"

#include <algorithm>
#include <charconv>
#include <istream>
#include <string_view>

#include <fmt/format.h>

namespace tessera::tools::dap {

namespace {

/// A whole number without a sign; nothing when there is anything else.
std::optional<size_t> parseLength(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    size_t length = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return length;
}

}  // namespace

std::optional<std::string> readMessage(std::istream& in, std::string& problem) {
    std::optional<size_t> length;
    std::string line;
    bool any = false;
    while (std::getline(in, line)) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.empty()) break;
        any = true;
        constexpr std::string_view kLength = "Content-Length:";
        if (!line.starts_with(kLength)) continue;
        length = parseLength(std::string_view(line).substr(kLength.size()));
        if (length && *length != 0 && *length <= kMaxMessage) continue;
        problem = fmt::format("'{}': a message has 1 to {} bytes", line.substr(0, kMaxQuoted), kMaxMessage);
        return std::nullopt;
    }
    if (!any && !in) return std::nullopt;
    if (!length) problem = "a message does not begin with Content-Length";
    if (!length) return std::nullopt;
    std::string message(*length, '\0');
    in.read(message.data(), static_cast<std::streamsize>(*length));
    if (static_cast<size_t>(in.gcount()) == *length) return message;
    problem = fmt::format("the input ends after {} of the {} bytes of a message", in.gcount(), *length);
    return std::nullopt;
}

const Json& at(const Json& json, const char* name) {
    static const Json nothing;
    if (!json.is_object()) return nothing;
    const auto found = json.find(name);
    return found == json.end() ? nothing : *found;
}
int64_t integerAt(const Json& json, const char* name, int64_t otherwise) {
    constexpr int64_t kLargest = int64_t{1} << 53;
    const Json& value = at(json, name);
    return value.is_number_integer() ? std::clamp(value.get<int64_t>(), -kLargest, kLargest) : otherwise;
}
std::string textAt(const Json& json, const char* name, const char* otherwise) {
    const Json& value = at(json, name);
    return value.is_string() ? value.get<std::string>() : otherwise;
}
std::vector<std::string> listAt(const Json& json, const char* name) {
    std::vector<std::string> list;
    for (const Json& one : at(json, name))
        if (one.is_string()) list.push_back(one.get<std::string>());
    return list;
}

std::vector<uint32_t> sizeAt(const Json& json, const char* name) {
    std::vector<uint32_t> size;
    const Json& value = at(json, name);
    for (const Json& one : value.is_array() ? value : Json::array({value}))
        if (one.is_number_unsigned() && one <= UINT32_MAX && size.size() < 3) size.push_back(one.get<uint32_t>());
    return size;
}

}  // namespace tessera::tools::dap
