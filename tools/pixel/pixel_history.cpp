#include "tools/pixel/pixel_history.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tessera::tools {

namespace {

using Json = nlohmann::json;

std::string listText(const Json& values) {
    std::string text;
    for (const Json& value : values) {
        if (!text.empty()) text += ' ';
        if (value.is_number_integer())
            text += fmt::format("{}", value.get<int64_t>());
        else if (value.is_number())
            text += fmt::format("{}", value.get<float>());
        else
            text += value.is_string() ? value.get<std::string>() : "?";
    }
    return text;
}

const Json& at(const Json& json, const char* name) {
    static const Json nothing;
    const auto found = json.is_object() ? json.find(name) : json.end();
    return json.is_object() && found != json.end() ? *found : nothing;
}
bool isTrue(const Json& json, const char* name) { return at(json, name) == true; }
std::string word(const Json& json) { return json.is_string() ? json.get<std::string>() : std::string("?"); }
uint64_t count(const Json& json) { return json.is_number_unsigned() ? json.get<uint64_t>() : 0; }
double real(const Json& json) { return json.is_number() ? json.get<double>() : 0; }

/// "color", "color of sample 1", "color of samples 0 to 3", "color of samples 0, 2".
std::string samplesText(const char* what, const std::vector<size_t>& samples, size_t all) {
    if (all == 1) return what;
    if (samples.size() == 1) return fmt::format("{} of sample {}", what, samples[0]);
    const bool isRow = samples.back() - samples.front() + 1 == samples.size();
    return isRow ? fmt::format("{} of samples {} to {}", what, samples.front(), samples.back())
                 : fmt::format("{} of samples {}", what, fmt::join(samples, ", "));
}

/// What is the same in several samples is said once, of all of them.
std::string changeText(const Json& before, const Json& after, const char* what) {
    const bool there = !before.empty() && before[0].is_object() && before[0].contains(what);
    if (!there) return {};
    const auto valueText = [](const Json& value) { return value.is_array() ? listText(value) : value.dump(); };
    std::vector<std::pair<std::string, std::vector<size_t>>> changes;
    for (size_t i = 0; i < before.size() && i < after.size(); ++i) {
        const Json &from = at(before[i], what), &to = at(after[i], what);
        const std::string change = valueText(from) + (from == to ? " stays" : " -> " + valueText(to));
        auto same = std::ranges::find(changes, change, [](const auto& told) { return told.first; });
        if (same == changes.end()) same = changes.insert(same, {change, {}});
        same->second.push_back(i);
    }
    std::string text;
    for (const auto& [change, samples] : changes)
        text += fmt::format("      {:<10} {}\n", samplesText(what, samples, before.size()), change);
    return text;
}

std::string stencilText(const Json& state, bool front) {
    const Json& face = at(at(state, "stencil"), front ? "front" : "back");
    return fmt::format("{} reference {} mask {} (fail {}, depth fail {}, pass {})", word(at(face, "func")),
                       count(at(face, "reference")), count(at(face, "mask")), word(at(face, "fail")),
                       word(at(face, "depthFail")), word(at(face, "depthPass")));
}

std::string testsText(const Json& event, const Json& state) {
    std::string text;
    const Json &samples = at(event, "samples"), &before = at(event, "before");
    for (size_t i = 0; i < samples.size(); ++i) {
        const Json& sample = samples[i];
        const std::string which = samples.size() == 1 ? "" : fmt::format("sample {}: ", i);
        if (!isTrue(sample, "covered")) {
            text += fmt::format("      {}not covered\n", which);
            continue;
        }
        if (isTrue(state, "stencilTest"))
            text +=
                fmt::format("      stencil    {}{}, stored {}: {}\n", which, stencilText(state, isTrue(event, "front")),
                            at(before[i], "stencil").dump(), isTrue(sample, "stencilPass") ? "passes" : "fails");
        if (isTrue(state, "depthTest"))
            text += fmt::format("      depth test {}{} (z {:.8g}) {} stored {}: {}\n", which,
                                count(at(sample, "depth")), real(at(sample, "z")), word(at(state, "depthFunc")),
                                at(before[i], "depth").dump(), isTrue(sample, "depthPass") ? "passes" : "fails");
        else if (samples.size() > 1)
            text += fmt::format("      {}covered\n", which);
    }
    return text;
}

/// `label`: what begins the line.
std::string blendText(const Json& state, const std::string& label = "blend") {
    const auto side = [&](const char* name, size_t i) { return word(at(state, name)[i]); };
    const auto one = [&](size_t i) {
        return fmt::format("{}({}, {})", side("equation", i), side("source", i), side("destination", i));
    };
    const std::string color = one(0), alpha = one(1);
    return fmt::format("      {:<10} {}{}\n", label, color, color == alpha ? "" : ", alpha " + alpha);
}

std::string drawText(const Json& event, const Json& state) {
    std::string text = testsText(event, state);
    if (!isTrue(event, "shaded")) return text + "      program    not run for this pixel\n";
    text += fmt::format("      program    {} instructions", count(at(event, "instructions")));
    if (isTrue(event, "discarded")) return text + ", discards the fragment\n";
    text += fmt::format(", color {}\n", listText(at(event, "color")));
    if (isTrue(state, "blend")) text += blendText(state);
    // Further targets that are blended otherwise.
    for (const int target : {1, 2, 3})
        if (const Json& other = at(state, fmt::format("color{}", target).c_str()); other.is_object()) {
            const std::string label = fmt::format("blend {}", target);
            text += isTrue(other, "blend") ? blendText(other, label) : fmt::format("      {:<10} off\n", label);
        }
    return text;
}

/// Which instructions wrote the colour, below their lines, and which texels the pixel looked up
/// (inspect/color_origin.h).
std::string originText(const Json& origin) {
    std::string text;
    const Json* before = nullptr;
    for (const Json& write : at(origin, "writes")) {
        if (write.contains("line") && (before == nullptr || at(*before, "line") != at(write, "line")))
            text += fmt::format("      line {:<5} {}\n", count(at(write, "line")), word(at(write, "source")));
        text += fmt::format("                 @{} {}  {}, lane {}\n", count(at(write, "instruction")),
                            word(at(write, "word")), word(at(write, "text")), count(at(origin, "lane")));
        before = &write;
    }
    const Json& lookups = at(origin, "lookups");
    for (const Json& lookup : lookups) {
        const std::string what = lookup.contains("image") ? fmt::format("image {}", count(at(lookup, "image")))
                                                          : fmt::format("texture {}", count(at(lookup, "texture")));
        std::string part = fmt::format("level {}", count(at(lookup, "level")));
        if (lookup.contains("face")) part += fmt::format(", face {}", count(at(lookup, "face")));
        if (lookup.contains("slice")) part += fmt::format(", slice {}", count(at(lookup, "slice")));
        const std::string name = lookup.contains("sampler") ? word(at(lookup, "sampler")) + ", " : std::string();
        text += fmt::format("      {:<10} {},{} of {} ({}unit {}, {}){}", "texel", at(lookup, "x").dump(),
                            at(lookup, "y").dump(), what, name, count(at(lookup, "unit")), part,
                            isTrue(lookup, "filtered") ? ", with its neighbours" : "");
        if (lookup.contains("value")) text += ": " + listText(at(lookup, "value"));
        text += "\n";
    }
    if (const uint64_t all = count(at(origin, "lookupCount")); all > lookups.size())
        text += fmt::format("                 and {} more\n", all - lookups.size());
    return text;
}

/// Which way the draw's blocks go, and why that is not a faster one.
std::string wayText(const Json& way) {
    std::string text;
    const auto say = [&](const std::string& words, const char* part) {
        const Json& why = at(at(way, "why"), part);
        text += (text.empty() ? "" : "\n                 ") + words + (why.is_string() ? ": " + word(why) : "");
    };
    const auto choose = [&](const char* part, std::initializer_list<std::pair<const char*, const char*>> words) {
        for (const auto& [value, said] : words)
            if (at(way, part) == value) say(said, part);
    };
    choose("kind", {{"blocks", "single blocks by machine code"},
                    {"groups", "general way"},
                    {"samples", "general way, sample by sample"}});
    choose("color", {{"program", "the program runs for each block"},
                     {"once", "the program runs for one block of each primitive"},
                     {"copy", "the program copies varyings and does not run"},
                     {"picture", "rectangles get their picture without the program"},
                     {"none", "no colour is seen and the program does not run"}});
    choose("finish", {{"short", "colours in a short form"},
                      {"blocks", "colours in a short form, block by block"},
                      {"stages", "colours stage by stage"}});
    choose("small", {{"shared", "small primitives share blocks"},
                     {"together", "small primitives together, without sharing blocks"},
                     {"one by one", "small primitives one by one"}});
    if (way.contains("waits"))
        say(isTrue(way, "waits") ? "what is covered later is not shaded" : "all that passes is shaded", "waits");
    if (at(at(way, "why"), "hidesSquares").is_string()) say("no squares are left out by their depth", "hidesSquares");
    if (isTrue(way, "hidesSquares")) say("squares behind the stored depth are left out", "hidesSquares");
    return text.empty() ? text : fmt::format("      {:<10} {}\n", "way", text);
}

/// `isFirst`: of the command's in this history.
std::string eventText(const Json& event, const Json& commands, bool isFirst) {
    const uint64_t number = count(at(event, "command"));
    const Json& command = number < commands.size() ? commands[number] : at(Json(), "");
    const bool isDraw = event.contains("primitive");
    std::string text = "  " + commandText(command);
    if (isDraw)
        text += fmt::format(": primitive {} of {}, {}{}", count(at(event, "primitive")),
                            count(at(command, "primitives")), word(at(event, "kind")),
                            word(at(event, "kind")) != "triangle" ? ""
                            : isTrue(event, "front")              ? ", front facing"
                                                                  : ", back facing");
    text += "\n";
    if (isDraw && isFirst) text += wayText(at(command, "way"));
    if (isDraw) text += drawText(event, at(command, "state"));
    if (event.contains("origin")) text += originText(at(event, "origin"));
    for (const char* what : {"color", "color1", "color2", "color3", "depth", "stencil"})
        text += changeText(at(event, "before"), at(event, "after"), what);
    return text;
}

std::string historyOf(const Json& history, const Json& commands) {
    std::string text;
    const Json* before = nullptr;
    for (const Json& event : at(history, "events")) {
        text += eventText(event, commands, before == nullptr || at(*before, "command") != at(event, "command"));
        before = &event;
    }
    return text;
}

/// The colour that the last event left, as a program reads it: 8 bits a channel, the mean of the samples.
std::string finalColor(const Json& history) {
    const Json& events = at(history, "events");
    if (events.empty()) return {};
    const Json& samples = at(events.back(), "after");
    std::vector<int64_t> sums(4, 0);
    for (const Json& sample : samples)
        for (size_t c = 0; c < 4 && c < at(sample, "color").size(); ++c)
            sums[c] += static_cast<int64_t>(real(at(sample, "color")[c]));
    if (samples.size() > 1)
        for (int64_t& sum : sums) sum = (sum + 2) / 4;
    return listText(Json(sums));
}

/// Stored values of these are what a program reads, so that the account can be held against the surface.
bool isByteFormat(const Json& surface) {
    const std::string format = word(at(surface, "format"));
    return format == "Rgba8" || format == "Rgb8" || format == "Bgra8" ||
           (count(at(surface, "samples")) == 1 && !format.ends_with("F"));
}

/// What the last event left, of one image: of several samples the mean.
std::string finalValue(const Json& report) {
    const Json& samples = at(at(report, "events").back(), "after");
    if (isTrue(report, "isDepth")) return "depth " + at(samples[0], "depth").dump();
    if (isByteFormat(report)) return finalColor(report);
    std::vector<double> means(4, 0);
    for (const Json& sample : samples)
        for (size_t c = 0; c < means.size() && c < at(sample, "color").size(); ++c)
            means[c] += real(at(sample, "color")[c]) / static_cast<double>(samples.size());
    return listText(Json(means));
}

bool isMissing(const Json& pixel, const Json& surface) {
    return surface.is_object() && !at(pixel, "framebuffer").is_array();
}

std::string finalText(const Json& pixel, const Json& surface, const Json* onSurface) {
    const Json& framebuffer = at(pixel, "framebuffer");
    if (isMissing(pixel, surface)) return "  the surface has no such pixel\n";
    if (!framebuffer.is_array()) return {};
    const std::string stored = listText(framebuffer);
    if (onSurface == nullptr) return "  no draw or clear of the frame touched it\n  final value: " + stored + "\n";
    const std::string account = isByteFormat(surface) ? finalColor(*onSurface) : stored;
    std::string text = "  final value: " + account + "\n";
    if (account != stored) text += "  but the surface holds " + stored + ": a copy or an upload went over it\n";
    return text;
}

}  // namespace

std::string eventsText(const Json& report) {
    if (at(report, "events").empty()) return {};
    const std::string text = historyOf(report, at(report, "commands"));
    return report.contains("copy") ? text : text + "  final value: " + finalValue(report) + "\n";
}

bool isOnSurface(const Json& report) {
    const Json& pixels = at(report, "pixels");
    return std::none_of(pixels.begin(), pixels.end(),
                        [&](const Json& pixel) { return isMissing(pixel, at(report, "surface")); });
}

std::string commandText(const Json& command) {
    const uint64_t number = count(at(command, "number"));
    const std::string call = word(at(command, "call"));
    if (call == "glClear") return fmt::format("{}: glClear({})", number, word(at(command, "buffers")));
    std::string text = fmt::format("{}: {}({}, ", number, call, word(at(command, "mode")));
    if (call == "glDrawArrays") text += fmt::format("{}, ", count(at(command, "first")));
    text += fmt::format("{})", count(at(command, "count")));
    if (command.contains("instances")) text += fmt::format(" x {} instances", count(at(command, "instances")));
    return text + fmt::format(", program {}", count(at(command, "program")));
}

std::string historyText(const Json& report, HistoryStyle style) {
    std::string text;
    for (const Json& pixel : at(report, "pixels")) {
        const Json& surface = at(report, "surface");
        text += fmt::format("pixel {},{} of frame {}, y from the {}", at(pixel, "x").dump(), at(pixel, "y").dump(),
                            count(at(report, "frame")), style.bottomUp ? "bottom" : "top");
        if (surface.is_object())
            text +=
                fmt::format("; the surface is {} x {}, {}{}", count(at(surface, "width")), count(at(surface, "height")),
                            word(at(surface, "format")), count(at(surface, "samples")) > 1 ? ", 4 samples" : "");
        text += isTrue(report, "complete") ? "\n" : "; the program ended in the middle of it\n";
        const Json* onSurface = nullptr;
        for (const Json& history : at(pixel, "histories")) {
            const bool isSurface = isTrue(history, "surface");
            if (isSurface) onSurface = &history;
            // Without a swap nobody knows which target is the surface.
            if (!isSurface && surface.is_object() && !style.allTargets) continue;
            if (!isSurface)
                text += fmt::format(" a target of {} x {}, {}\n", count(at(history, "width")),
                                    count(at(history, "height")), word(at(history, "format")));
            text += historyOf(history, at(report, "commands"));
        }
        text += finalText(pixel, surface, onSurface);
    }
    return text;
}

}  // namespace tessera::tools
