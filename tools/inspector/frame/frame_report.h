// A frame as a report: data for programs, a page for people, pictures of single views.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "inspect/frame/frame_model.h"
#include "inspect/frame/image_look.h"
#include "tools/inspector/frame/texture_misses.h"
#include "tools/inspector/report/frame_costs.h"

namespace tessera::tools {

/// What a report is about.
struct FrameSubject {
    std::string file;  ///< as it is named
    inspect::FrameModel& model;
    size_t frame = 0;
    std::optional<size_t> action;             ///< alone, with all that there is to say of it
    const FrameCosts* costs = nullptr;        ///< null: none
    const TextureMisses* misses = nullptr;    ///< likewise
    int level = 0;                            ///< of that texture
    std::string sampler;                      ///< whose texture views of textures show; empty: the first one's
    std::optional<std::array<int, 2>> pixel;  ///< whose story is told; from the top
};

[[nodiscard]] nlohmann::ordered_json frameJson(const FrameSubject& subject);

/// One file with everything in it: targets of each pass, actions with costs and states, programs line by line.
[[nodiscard]] std::string framePage(const FrameSubject& subject);

/// Views that are counted by missesOf().
inline constexpr std::string_view kMissesViews[] = {"misses", "texture misses"};
/// What views are called: "color", "color 1", "depth", "stencil", "overdraw", "mesh", ...
[[nodiscard]] std::vector<std::string> viewNames();
/// A view of the action, as it left its images. Nothing, and why, when there is none.
[[nodiscard]] std::optional<inspect::Picture> viewOf(const FrameSubject& subject, size_t action, std::string_view view,
                                                     std::string& why);

/// The triangles, lines or points of a draw, as lines where they lie in the viewport.
[[nodiscard]] inspect::Picture meshPicture(const inspect::Mesh& mesh, int width, int height);

}  // namespace tessera::tools
