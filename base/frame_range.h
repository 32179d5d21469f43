// A range of frames, as variables and options name one.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

/// From 1.
struct FrameRange {
    uint64_t first = 1, last = UINT64_MAX;
};

/// "3", or "3-5".
[[nodiscard]] inline std::optional<FrameRange> frameRange(std::string_view text) {
    FrameRange range;
    const char *at = text.data(), *const end = at + text.size();
    const auto number = [&](uint64_t& value) {
        const auto [next, status] = std::from_chars(at, end, value);
        at = next;
        return status == std::errc{};
    };
    if (!number(range.first)) return std::nullopt;
    range.last = range.first;
    if (at != end) {
        const char dash = *at++;
        if (dash != '-' || !number(range.last)) return std::nullopt;
    }
    if (at != end || range.first == 0 || range.last < range.first) return std::nullopt;
    return range;
}

}  // namespace tessera
