#include "tools/inspector/frame/pixel_story.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "inspect/frame/absent_draw.h"
#include "shader-core/interp/interpreter.h"

namespace tessera::tools {

namespace {

using Json = nlohmann::ordered_json;
using inspect::FrameModel;

/// Draws whose vertices are gone through for those that cull or clip what would cover the pixel.
constexpr size_t kMostAbsent = 256;

bool differs(const Json& event, const char* what) {
    const Json &before = event["before"], &after = event["after"];
    for (size_t i = 0; i < std::min(before.size(), after.size()); ++i)
        if (before[i].value(what, Json()) != after[i].value(what, Json())) return true;
    return false;
}

/// What became of the pixel in an event.
std::string fateText(const Json& event) {
    if (!event.contains("primitive")) return "cleared";
    const Json& samples = event["samples"];
    const auto any = [&](const char* what) {
        return std::any_of(samples.begin(), samples.end(), [&](const Json& one) { return one.value(what, false); });
    };
    if (!any("covered")) return "not covered, by sample coverage";
    if (event.value("discarded", false)) return "discarded by the program";
    if (!any("stencilPass")) return "fails the stencil test";
    if (!any("depthPass")) return "fails the depth test";
    if (event["before"] == event["after"]) return "written, and the same as before";
    if (differs(event, "color")) return "written";
    return differs(event, "depth") ? "written, depth alone" : "written, stencil alone";
}

/// Of the first sample: "0.7702 < 0.2".
std::string depthText(const Json& event, const pipeline::Draw& draw) {
    if (!event["samples"].is_array() || event["samples"].empty()) return {};
    const Json& sample = event["samples"][0];
    if (!sample.contains("depth") || event["before"].empty() || !event["before"][0].contains("depth")) return {};
    const texture::ImagePtr& image = draw.state->target.depth;
    if (!image) return {};
    const auto number = [&](const Json& stored) {
        const auto value = stored.get<double>();
        switch (image->format()) {
            case texture::PixelFormat::Depth16:
                return value / 0xFFFF;
            case texture::PixelFormat::Depth24:
            case texture::PixelFormat::Depth24Stencil8:
                return value / 0xFFFFFF;
            default:
                return value;
        }
    };
    // By pipeline::Compare.
    constexpr std::string_view kSigns[] = {"never", "<", "=", "<=", ">", "!=", ">=", "always"};
    return fmt::format("{:.7g} {} {:.7g}", number(sample["depth"]),
                       kSigns[static_cast<size_t>(draw.state->pixel.depthCompare)],
                       number(event["before"][0]["depth"]));
}

/// "color, depth"
std::string clearedText(const pipeline::Clear& clear) {
    std::string words;
    for (const auto& [is, what] : {std::pair(clear.clearColor, "color"), std::pair(clear.clearDepth, "depth"),
                                   std::pair(clear.clearStencil, "stencil")})
        if (is) words += (words.empty() ? "" : ", ") + std::string(what);
    return words;
}

/// What the fates of a pixel have in common that their entries do not say; empty: nothing.
std::string hintOf(const Json& history) {
    bool hasDepth = false;
    for (const Json& event : history["events"]) {
        hasDepth |= event.value("clears", "").find("depth") != std::string::npos;
        if (!hasDepth && event["fate"] == "fails the depth test")
            return "no clear of the frame comes before that test and clears the depth";
    }
    return {};
}

}  // namespace

std::optional<Json> pixelStory(FrameModel& model, size_t frame, std::array<int, 2> pixel,
                               const std::function<bool()>& isCancelled) {
    inspect::PixelRequest request;
    request.pixels = {pixel};
    const auto record = model.historyOf(frame, request, interp::makeInterpreter());
    if (!record || isCancelled()) return std::nullopt;
    const Json report = Json::parse(record->report, nullptr, false);
    const std::vector<size_t> commands = model.commandsOf(frame);
    Json story = {{"x", pixel[0]}, {"y", pixel[1]}, {"histories", report["pixels"][0]["histories"]}};
    std::set<size_t> present;
    for (Json& history : story["histories"])
        for (Json& event : history["events"]) {
            const auto command = event["command"].get<size_t>();
            if (command >= commands.size()) continue;
            const size_t action = commands[command];
            present.insert(action);
            event["number"] = model.actions()[action].number;
            event["fate"] = fateText(event);
            if (const pipeline::Clear* const clear = model.actions()[action].clear(); clear != nullptr)
                event["clears"] = clearedText(*clear);
            if (const pipeline::Draw* const draw = model.actions()[action].draw(); draw != nullptr)
                if (std::string depth = depthText(event, *draw); !depth.empty()) event["depthTest"] = depth;
        }
    for (Json& history : story["histories"])
        if (std::string hint = hintOf(history); !hint.empty()) history["hint"] = std::move(hint);
    story["absent"] = Json::array();
    for (size_t command = 0; command < commands.size(); ++command) {
        const pipeline::Draw* const draw = model.actions()[commands[command]].draw();
        if (draw == nullptr || !draw->state->program || present.contains(commands[command])) continue;
        if (pixel[0] >= draw->state->target.width || pixel[1] >= draw->state->target.height) continue;
        if (isCancelled()) return std::nullopt;
        Json absent = {{"command", command}, {"number", model.actions()[commands[command]].number}};
        if (story["absent"].size() < kMostAbsent)
            if (std::string why = inspect::whyAbsent(model, commands[command], pixel); !why.empty())
                absent["why"] = why;
        story["absent"].push_back(std::move(absent));
    }
    return story;
}

}  // namespace tessera::tools
