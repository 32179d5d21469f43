#include "tools/inspector/frame/condition.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>

#include "inspect/frame/image_look.h"

namespace tessera::tools {

namespace {

struct NamedColor {
    std::string_view name;
    std::array<uint8_t, 3> color;
};
constexpr NamedColor kColors[] = {{"black", {0, 0, 0}},       {"white", {255, 255, 255}}, {"red", {255, 0, 0}},
                                  {"green", {0, 255, 0}},     {"blue", {0, 0, 255}},      {"yellow", {255, 255, 0}},
                                  {"magenta", {255, 0, 255}}, {"cyan", {0, 255, 255}}};

template <class Number>
bool readNumber(std::string_view text, Number& number, int base) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return problem == std::errc() && end == text.data() + text.size();
}

std::optional<std::array<uint8_t, 3>> readColor(std::string_view text) {
    for (const auto& [name, color] : kColors)
        if (text == name) return color;
    uint32_t bits = 0;
    if (text.size() != 7 || text[0] != '#' || !readNumber(text.substr(1), bits, 16)) return std::nullopt;
    return std::array{static_cast<uint8_t>(bits >> 16), static_cast<uint8_t>(bits >> 8), static_cast<uint8_t>(bits)};
}

}  // namespace

std::optional<PixelCondition> readCondition(std::string_view given, std::string& why) {
    std::string text;
    std::ranges::copy_if(given, std::back_inserter(text),
                         [](char c) { return std::isspace(static_cast<unsigned char>(c)) == 0; });
    PixelCondition condition;
    const size_t comma = text.find(','), equals = text.find('=');
    if (comma == std::string::npos || equals == std::string::npos || equals < comma) {
        why = "write X,Y=COLOR or X,Y!=COLOR";
        return std::nullopt;
    }
    condition.isEqual = text[equals - 1] != '!';
    const std::string_view all = text;
    const size_t end = equals - (condition.isEqual ? 0 : 1);
    if (!readNumber(all.substr(0, comma), condition.x, 10) || condition.x < 0 || end <= comma ||
        !readNumber(all.substr(comma + 1, end - comma - 1), condition.y, 10) || condition.y < 0) {
        why = "this is no pixel; write X,Y from the upper left corner";
        return std::nullopt;
    }
    const std::optional<std::array<uint8_t, 3>> color = readColor(all.substr(equals + 1));
    if (!color) {
        why = "this is no color; write #rrggbb, or black, white, red, green, blue, yellow, magenta, cyan";
        return std::nullopt;
    }
    condition.color = *color;
    return condition;
}

std::optional<size_t> firstFrame(inspect::FrameModel& model, const PixelCondition& condition) {
    for (size_t i = 0; i < model.frames().size(); ++i) {
        const inspect::Frame& frame = model.frames()[i];
        if (!frame.surface || condition.x >= frame.surface->width() || condition.y >= frame.surface->height()) continue;
        model.show(frame.end - 1, inspect::FrameModel::Moment::After);
        const inspect::Picture picture =
            inspect::pictureOf(frame.surface, inspect::usualLook(*frame.surface, inspect::Channels::Color));
        const size_t at =
            (static_cast<size_t>(condition.y) * static_cast<size_t>(picture.width) + static_cast<size_t>(condition.x)) *
            4;
        const bool isEqual = std::equal(condition.color.begin(), condition.color.end(),
                                        picture.rgba.begin() + static_cast<ptrdiff_t>(at));
        if (isEqual == condition.isEqual) return i;
    }
    return std::nullopt;
}

}  // namespace tessera::tools
