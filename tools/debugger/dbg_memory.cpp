#include "tools/debugger/dbg_memory.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "shader-core/debug/replay/launch.h"
#include "shader-core/debug/replay/value.h"

namespace tessera::tools {

namespace {

constexpr uint64_t kElementsOfLine = 8;

struct ElementFormat {
    std::string_view name;
    int bytes;
};
/// The first ones in the order of debug::Format.
constexpr ElementFormat kFormats[] = {{"f", 4},   {"i", 4},  {"u", 4},  {"x", 4},   {"f32", 4}, {"i32", 4},
                                      {"u32", 4}, {"i8", 1}, {"u8", 1}, {"i16", 2}, {"u16", 2}};

/// The name, and what stands behind it.
std::pair<std::string_view, std::string_view> split(std::string_view text) {
    const size_t end = std::min(text.find_first_of("[+/"), text.size());
    return {text.substr(0, end), text.substr(end)};
}

std::optional<uint64_t> numberOf(std::string_view text) {
    const int base = text.starts_with("0x") ? 16 : 10;
    if (base == 16) text.remove_prefix(2);
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size() || value > UINT32_MAX) return std::nullopt;
    return value;
}

}  // namespace

bool namesMemory(const isa::Program& program, std::string_view text) {
    return debug::memorySlot(program, split(text).first).has_value();
}

std::optional<MemoryPlace> parseMemoryPlace(const isa::Program& program, std::string_view text,
                                            std::optional<debug::Format> format) {
    auto [name, rest] = split(text);
    const std::optional<int> slot = debug::memorySlot(program, name);
    if (!slot) return std::nullopt;
    MemoryPlace place;
    place.slot = *slot;
    if (format) place.format = kFormats[static_cast<size_t>(*format)].name;
    if (const size_t slash = rest.rfind('/'); slash != std::string_view::npos) {
        const auto* named = std::ranges::find(kFormats, rest.substr(slash + 1), &ElementFormat::name);
        if (named == std::end(kFormats)) return std::nullopt;
        place.bytes = named->bytes;
        place.format = named->name;
        rest = rest.substr(0, slash);
    }
    if (rest.empty()) return place;
    const bool isIndex = rest.starts_with("[");
    if (isIndex != rest.ends_with("]")) return std::nullopt;
    const std::optional<uint64_t> number = numberOf(isIndex ? rest.substr(1, rest.size() - 2) : rest.substr(1));
    if (!number) return std::nullopt;
    const auto bytes = static_cast<uint64_t>(place.bytes);
    place.byte = isIndex ? *number * bytes : *number;
    place.index = place.byte / bytes;
    return place;
}

std::optional<std::string> elementText(const debug::Replay& replay, const MemoryPlace& place) {
    const std::span<const std::byte> memory = replay.memory(place.slot);
    const auto bytes = static_cast<size_t>(place.bytes);
    if (place.byte + bytes > memory.size()) return std::nullopt;
    uint32_t bits = 0;
    std::memcpy(&bits, memory.data() + place.byte, bytes);
    const bool isSigned = place.format[0] == 'i';
    if (isSigned && bytes == 1) bits = static_cast<uint32_t>(int32_t{static_cast<int8_t>(bits)});
    if (isSigned && bytes == 2) bits = static_cast<uint32_t>(int32_t{static_cast<int16_t>(bits)});
    return debug::valueText(bits, *debug::formatByName(place.format.substr(0, 1)));
}

std::optional<std::string> elementText(const debug::Replay& replay, std::string_view text,
                                       std::optional<debug::Format> format, std::string& error) {
    const std::optional<MemoryPlace> place = parseMemoryPlace(replay.program(), text, format);
    const std::optional<std::string> element = place ? elementText(replay, *place) : std::nullopt;
    if (!element) error = fmt::format("{} is no element of that memory", text);
    return element;
}

std::string memoryText(const debug::Replay& replay, const MemoryPlace& place, uint64_t count) {
    std::string text;
    MemoryPlace one = place;
    for (uint64_t i = 0; i < count; ++i) {
        const std::optional<std::string> element = elementText(replay, one);
        if (!element) break;
        if (i % kElementsOfLine == 0)
            text +=
                fmt::format("{}{}[{}]:", i == 0 ? "" : "\n", debug::memoryName(replay.program(), one.slot), one.index);
        text += " " + *element;
        one.byte += static_cast<uint64_t>(one.bytes);
        ++one.index;
    }
    return text;
}

}  // namespace tessera::tools
