#include "tools/debugger/frame_difference.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/thread/thread_pool.h"
#include "shader-core/debug/replay/bisect.h"
#include "shader-core/debug/trace/trace.h"
#include "tools/debugger/other_state.h"
#include "tools/diff/image_diff.h"
#include "tools/files.h"
#include "tools/pixel/pixel_history.h"
#include "tools/run/group_textures.h"
#include "tools/run/places.h"
#include "tools/running_program.h"

namespace tessera::tools {

namespace {

using Json = nlohmann::json;

void printDifference(const debug::Group& group, const debug::Difference& difference, const std::array<Side, 2>& sides) {
    const std::string& laneName = group.laneNames[static_cast<size_t>(difference.lane)];
    fmt::print("first difference: lane {}{}{}", difference.lane, laneName.empty() ? "" : ", ", laneName);
    debug::Format format = debug::Format::F32;
    if (difference.pc) {
        const isa::Instruction i = *isa::decode(group.program->code[*difference.pc]);
        const uint32_t line = debug::lineOf(*group.program, *difference.pc);
        fmt::print(", instruction @{}{}: {}\n", *difference.pc, line == 0 ? "" : fmt::format(", line {}", line),
                   debug::instructionText(i));
        fmt::print("  it is instruction #{} of the group's execution\n", difference.count);
        format = debug::formatOf(isa::resultType(i.op, i.type));
        if (difference.discards) {
            fmt::print("  it discards the lane on one of them only\n");
            return;
        }
        fmt::print("  component {}: ", debug::kComponents[static_cast<size_t>(difference.component)]);
    } else if (difference.discards) {
        fmt::print(", which is discarded on one of them only");
    } else {
        fmt::print(", {}.{}: ", outputName(*group.program, difference.output),
                   debug::kComponents[static_cast<size_t>(difference.component)]);
    }
    fmt::print("{} on {}, {} on {}\n", bitsText(difference.first, format), sides[0].name(),
               bitsText(difference.second, format), sides[1].name());
    if (!difference.pc)
        fmt::print("  no single instruction: rewritten so that every result can be seen, the program agrees\n");
}

std::optional<ProbeResult> probeSide(const FrameOptions& frame, const Side& side, ProbeRequest request) {
    request.tier = side.tier;
    if (!side.build.empty()) request.libraries = side.build + "/lib";
    return probe(frame, request);
}

struct Pictures {
    int width = 0, height = 0;
    size_t differing = 0;
    std::array<int, 2> first{};
    std::array<std::array<uint8_t, 4>, 2> values{};
};

std::optional<Pictures> comparePictures(const ProbeResult& a, const ProbeResult& b) {
    if (!a.report.contains("surface") || !b.report.contains("surface")) return std::nullopt;
    Pictures result;
    result.width = a.report["surface"]["width"].get<int>(), result.height = a.report["surface"]["height"].get<int>();
    if (a.picture.size() != b.picture.size() || a.picture.empty()) return std::nullopt;
    for (size_t at = 0; at < a.picture.size(); at += 4) {
        if (std::memcmp(&a.picture[at], &b.picture[at], 4) == 0) continue;
        if (result.differing++ != 0) continue;
        const auto pixel = static_cast<int>(at / 4);
        result.first = {pixel % result.width, pixel / result.width};
        std::memcpy(result.values[0].data(), &a.picture[at], 4);
        std::memcpy(result.values[1].data(), &b.picture[at], 4);
    }
    return result;
}

/// The events of the first pixel on the surface, without what tiers count in their own ways.
std::vector<Json> eventsOf(const Json& report) {
    std::vector<Json> events;
    for (const Json& history : report["pixels"][0]["histories"])
        if (history["surface"] == true)
            for (Json event : history["events"]) {
                event.erase("instructions");
                events.push_back(std::move(event));
            }
    return events;
}

/// The inputs of both groups: where they differ, it happened before the fragment program.
bool sameInputs(const debug::Group& a, const debug::Group& b) {
    for (uint32_t left = a.activeMask & b.activeMask; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        for (const int v : a.program->inputMask) {
            for (int c = 0; c < 4; ++c) {
                const float x = a.inputs[static_cast<size_t>(v)].lane[c][lane];
                const float y = b.inputs[static_cast<size_t>(v)].lane[c][lane];
                if (std::memcmp(&x, &y, sizeof x) == 0) continue;
                fmt::print("the inputs of its fragments differ already, v{}.{} of lane {}: {} and {}\n", v,
                           debug::kComponents[static_cast<size_t>(c)], lane, x, y);
                return false;
            }
        }
    }
    return true;
}

/// The vertices of the primitive, where the inputs of its fragments differ.
int compareVertices(const FrameOptions& frame, const std::array<Side, 2>& sides, ProbeRequest request) {
    request.capture = false, request.vertices = true;
    const auto probed = probeSide(frame, sides[0], request);
    if (!probed) return kNothingGiven;
    std::string title, error;
    int lane = 0;
    const auto group = groupOf(probed->vertices, title, lane, error);
    if (!group) {
        fmt::print(stderr, "error: {}\n", error);
        return kTrouble;
    }
    const auto* textures = dynamic_cast<const GroupTextures*>(group->textures.get());
    const int status = compareGroup(*group, textures->captured(), sides);
    if (status == kDone) fmt::print("its vertex program computes the same on both: setup or interpolation differ\n");
    return status == kTrouble ? kTrouble : kWrongInput;
}

/// The group of the first primitive after which the pixel differs.
int compareEvent(const FrameOptions& frame, const std::array<Side, 2>& sides, const Json& event, ProbeRequest request) {
    request.capture = true;
    request.draw = event["command"].get<int64_t>();
    request.primitive = event["primitive"].get<int64_t>();
    const auto a = probeSide(frame, sides[0], request), b = probeSide(frame, sides[1], request);
    if (!a || !b) return kNothingGiven;
    if (a->capture.empty() || b->capture.empty()) {
        fmt::print("its fragment program does not run for the pixel on both: coverage or the tests before it differ\n");
        return kWrongInput;
    }
    std::string title, error;
    int lane = 0;
    const auto groupA = groupOf(a->capture, title, lane, error), groupB = groupOf(b->capture, title, lane, error);
    if (!groupA || !groupB) {
        fmt::print(stderr, "error: {}\n", error);
        return kTrouble;
    }
    if (!sameInputs(*groupA, *groupB)) return compareVertices(frame, sides, request);
    const auto* textures = dynamic_cast<const GroupTextures*>(groupA->textures.get());
    const int status = compareGroup(*groupA, textures->captured(), sides);
    if (status == kDone)
        fmt::print(
            "its fragment program computes the same on both: the difference is behind it, in tests or blending\n");
    return status == kTrouble ? kTrouble : kWrongInput;
}

/// The accounts of a pixel on both sides, and what made the first entry that differs.
int compareHistories(const FrameOptions& frame, const std::array<Side, 2>& sides, std::array<int, 2> pixel) {
    ProbeRequest request;
    request.pixels = {pixel};
    const auto toldA = probeSide(frame, sides[0], request), toldB = probeSide(frame, sides[1], request);
    if (!toldA || !toldB) return kNothingGiven;
    const std::vector<Json> eventsA = eventsOf(toldA->report), eventsB = eventsOf(toldB->report);
    const auto [differs, ignored] = std::mismatch(eventsA.begin(), eventsA.end(), eventsB.begin(), eventsB.end());
    if (differs == eventsA.end()) {
        const bool same = eventsA.size() == eventsB.size();
        fmt::print("{}\n",
                   same ? "their accounts of the pixel agree: it depends on what runs together, or is in the code for "
                          "single blocks (pipeline/README.md)"
                        : "the second draws more to the pixel; tessera explain shows both accounts");
        return kWrongInput;
    }
    const Json& command = toldA->report["commands"][(*differs)["command"].get<size_t>()];
    fmt::print("it differs from {} on", commandText(command));
    if (!differs->contains("primitive")) {
        fmt::print("\n");
        return kWrongInput;
    }
    fmt::print(", primitive {}\n", (*differs)["primitive"].get<uint64_t>());
    return compareEvent(frame, sides, *differs, request);
}

}  // namespace

std::string bitsText(uint32_t bits, debug::Format format) {
    return fmt::format("{} ({})", debug::valueText(bits, format), debug::valueText(bits, debug::Format::Hex));
}

int compareGroup(const debug::Group& group, const std::vector<debug::CapturedTexture>& textures,
                 const std::array<Side, 2>& sides) {
    const auto first = runnerOf(sides[0], textures), second = runnerOf(sides[1], textures);
    if (!first || !second) return kTrouble;
    const debug::Comparison comparison = debug::compareRuns(group, *first, *second);
    if (comparison.failed) {
        fmt::print(stderr, "error: {} or {} cannot run the program\n", sides[0].name(), sides[1].name());
        return kTrouble;
    }
    if (!comparison.difference) return kDone;
    printDifference(group, *comparison.difference, sides);
    return kWrongInput;
}

int compareFrame(const FrameOptions& frame, const std::array<Side, 2>& sides) {
    ProbeRequest request;
    request.picture = true;
    const auto a = probeSide(frame, sides[0], request), b = probeSide(frame, sides[1], request);
    if (!a || !b) return kNothingGiven;
    const std::optional<Pictures> pictures = comparePictures(*a, *b);
    if (!pictures) {
        fmt::print(stderr, "{}: error: frame {} has no surface, or one of another size on {}\n", frame.program[0],
                   frame.frame, sides[1].name());
        return kWrongInput;
    }
    fmt::print("frame {}, {} x {}: ", frame.frame, pictures->width, pictures->height);
    if (pictures->differing == 0) {
        fmt::print("{} and {} agree\n", sides[0].name(), sides[1].name());
        return kDone;
    }
    const auto [x, y] = pictures->first;
    const auto& [one, other] = pictures->values;
    fmt::print("{} pixels differ; the first is {},{}: {} on {}, {} on {}\n", pictures->differing, x, y,
               fmt::join(one, " "), sides[0].name(), fmt::join(other, " "), sides[1].name());
    return compareHistories(frame, sides, {x, frame.bottomUp ? pictures->height - 1 - y : y});
}

int explainDifference(const FrameOptions& frame, const std::array<std::string, 2>& files,
                      const std::string& otherBuild) {
    setComputeFloatEnvironment();
    std::array<imagediff::Image, 2> pictures;
    for (size_t i = 0; i < 2; ++i) {
        std::string error;
        auto picture = imagediff::readPng(files[i], error);
        if (!picture) {
            fmt::print(stderr, "error: {}\n", error);
            return kTrouble;
        }
        pictures[i] = std::move(*picture);
    }
    const auto& [a, b] = pictures;
    if (a.width != b.width || a.height != b.height) {
        fmt::print(stderr, "{}: error: it is {} x {}, and {} is {} x {}\n", files[1], b.width, b.height, files[0],
                   a.width, a.height);
        return kWrongInput;
    }
    const auto [differs, end] = std::ranges::mismatch(a.rgba, b.rgba);
    if (differs == a.rgba.end()) {
        fmt::print("{} and {} are the same\n", files[0], files[1]);
        return kDone;
    }
    const auto number = static_cast<int>((differs - a.rgba.begin()) / 4);
    const int x = number % a.width, y = number / a.width;
    const auto colorIn = [&](const imagediff::Image& picture) {
        return std::array<uint8_t, 4>{picture.pixel(x, y)[0], picture.pixel(x, y)[1], picture.pixel(x, y)[2],
                                      picture.pixel(x, y)[3]};
    };
    fmt::print("the first pixel that differs is {},{}: {} in {}, {} in {}\n", x, y, fmt::join(colorIn(a), " "),
               files[0], fmt::join(colorIn(b), " "), files[1]);

    // Who draws which of them.
    std::vector<Side> sides = {Side{"interp", {}}, Side{"jit", {}}};
    if (!otherBuild.empty()) sides.push_back(Side{"jit", otherBuild});
    ProbeRequest request;
    request.pixels = {{x, frame.bottomUp ? a.height - 1 - y : y}};
    std::array<std::optional<Side>, 2> drawnBy;
    std::optional<ProbeResult> told;  // of who draws one of them
    for (const Side& side : sides) {
        const auto result = probeSide(frame, side, request);
        if (!result) return kNothingGiven;
        const Json& report = result->report;
        if (!report.contains("surface") || report["surface"]["width"] != a.width ||
            report["surface"]["height"] != a.height) {
            fmt::print(stderr, "{}: error: what it draws in frame {} has another size than the pictures\n",
                       frame.program[0], frame.frame);
            return kWrongInput;
        }
        // Pictures in files are mostly opaque, whatever alpha the surface holds.
        const auto isColor = [&](const std::array<uint8_t, 4>& color) {
            const Json& stored = report["pixels"][0]["framebuffer"];
            return stored.is_array() && stored[0] == color[0] && stored[1] == color[1] && stored[2] == color[2];
        };
        for (size_t i = 0; i < 2; ++i)
            if (!drawnBy[i] && isColor(colorIn(pictures[i]))) {
                drawnBy[i] = side;
                if (!told) told = *result;
            }
    }
    for (size_t i = 0; i < 2; ++i)
        fmt::print("{} is what {} draws there\n", files[i],
                   drawnBy[i] ? drawnBy[i]->name() : std::string("none of them"));
    if (drawnBy[0] && drawnBy[1]) return compareHistories(frame, {*drawnBy[0], *drawnBy[1]}, request.pixels[0]);
    if (!told) {
        fmt::print("the program draws neither of them now; is it the frame (--frame) that they are of?\n");
        return kWrongInput;
    }
    // What the unknown one has may be what a draw found there.
    const Json unknown(colorIn(drawnBy[0] ? b : a));
    const std::string& file = files[drawnBy[0] ? 1 : 0];
    const std::vector<Json> events = eventsOf(told->report);
    const auto colorOf = [](const Json& samples) {
        Json color = Json::array();
        if (samples.size() == 1)
            for (const Json& channel : samples[0]["color"]) color.push_back(channel);
        return color;
    };
    const auto isUnknown = [&](const Json& color) {
        bool isSame = color.size() == unknown.size();
        for (size_t c = 0; isSame && c < 3; ++c) isSame = color[c].get<double>() == unknown[c].get<double>();
        return isSame;
    };
    const auto nameOf = [&](const Json& event) {
        const std::string primitive =
            event.contains("primitive") ? fmt::format(", primitive {}", event["primitive"].get<uint64_t>()) : "";
        return commandText(told->report["commands"][event["command"].get<size_t>()]) + primitive;
    };
    // The last one that changed it counts: what is cleared may be any color.
    const Json *last = nullptr, *missing = nullptr;
    for (const Json& event : events) {
        if (event["before"] == event["after"]) continue;
        last = &event;
        if (isUnknown(colorOf(event["before"]))) missing = &event;
    }
    std::string otherwise;
    if (last != nullptr && last->contains("primitive")) {
        const Json& command = told->report["commands"][(*last)["command"].get<size_t>()];
        if (command.contains("state")) otherwise = stateThatGives(*last, command["state"], colorIn(drawnBy[0] ? b : a));
    }
    if (missing != nullptr)
        fmt::print("{} has what was there before {}: as if that had not drawn to the pixel\n", file, nameOf(*missing));
    else if (last != nullptr)
        fmt::print("in the other one the pixel is of {}\n", nameOf(*last));
    if (!otherwise.empty()) fmt::print("{} has what that draw gives {}\n", file, otherwise);
    return kWrongInput;
}

}  // namespace tessera::tools
