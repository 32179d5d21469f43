// The inspector's panels of images, textures, meshes and vertices.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tools/inspector/frame/inspector.h"
#include "tools/inspector/window/panel_parts.h"

namespace tessera::tools {

void Inspector::showImage() {
    const ImageChoice old = choice_;
    if (choice_.of == ImageChoice::Of::Texture)
        choice_.of = ImageChoice::Of::Target, choice_.index = 0, choice_.level = choice_.face = 0,
        choice_.hasMisses = false;
    if (shown_)
        for (size_t i = 0; i < shown_->targets.size(); ++i) {
            if (ImGui::RadioButton(shown_->targets[i].name.c_str(),
                                   choice_.of == ImageChoice::Of::Target && choice_.index == i)) {
                choice_.of = ImageChoice::Of::Target, choice_.index = i;
                if (!shown_->targets[i].channels.empty()) {
                    choice_.channels = shown_->targets[i].name == "stencil" ? shown_->targets[i].channels.back()
                                                                            : shown_->targets[i].channels.front();
                    choice_.isFitted = choice_.channels == inspect::Channels::Depth;
                }
            }
            tooltip(shown_->targets[i].text);
            ImGui::SameLine();
        }
    for (size_t i = 0; i < std::size(kHeatWords); ++i) {
        if (ImGui::RadioButton(std::string(kHeatWords[i]).c_str(),
                               choice_.of == ImageChoice::Of::Heat && choice_.index == i))
            choice_.of = ImageChoice::Of::Heat, choice_.index = i;
        ImGui::SameLine();
    }
    if (ImGui::RadioButton("misses", choice_.of == ImageChoice::Of::Misses))
        choice_.of = ImageChoice::Of::Misses, choice_.index = 0;
    tooltip("lines that the lookups of a pixel miss in the modelled texture caches, of all draws of the frame");
    ImGui::SameLine();
    ImGui::Checkbox("before (B)", &choice_.isBefore);
    ImGui::SameLine();
    ImGui::Checkbox("tiles", &choice_.hasTiles);
    tooltip(
        "tiles of 64x64 pixels, and how many primitives of this draw and of all so far cover something of each; "
        "magnified, the blocks of 4x4 pixels, and their quads");
    // What was asked before the costs were there is asked again.
    const bool wantsCosts = choice_.of == ImageChoice::Of::Heat || choice_.hasTiles;
    askAgain(wantsCosts, choice_.of == ImageChoice::Of::Misses);
    if (!(choice_ == old)) askImage();
    showPicture(ImGui::GetContentRegionAvail().y);
}

/// What was asked before the counts were there is asked again.
void Inspector::askAgain(bool wantsCosts, bool wantsMisses) {
    if (wantsMisses) askMisses();
    if (!image_) return;
    const bool isMissing =
        (wantsCosts && costs_ && !image_->hasCosts) || (wantsMisses && misses_ && !image_->hasMisses);
    if (!isMissing) return;
    image_->hasCosts = costs_ != nullptr, image_->hasMisses = misses_ != nullptr;
    askedImage_.reset();
    askImage();
}

void Inspector::showTextures() {
    const ImageChoice old = choice_;
    if (!shown_ || shown_->textures.empty()) {
        coloredText(kDim, shown_ ? "the command reads no textures" : "...");
        return;
    }
    if (choice_.of != ImageChoice::Of::Texture) choice_ = {.of = ImageChoice::Of::Texture};
    for (size_t i = 0; i < shown_->textures.size(); ++i) {
        if (ImGui::RadioButton(fmt::format("{}##{}", shown_->textures[i].name, i).c_str(), choice_.index == i))
            choice_.index = i;
        tooltip(shown_->textures[i].text);
        ImGui::SameLine();
    }
    ImGui::NewLine();
    const ImageName& name = shown_->textures[std::min(choice_.index, shown_->textures.size() - 1)];
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 8);
    if (name.levels > 1) ImGui::SliderInt("level", &choice_.level, 0, name.levels - 1), ImGui::SameLine();
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 8);
    if (name.faces > 1) ImGui::SliderInt("face", &choice_.face, 0, 5), ImGui::SameLine();
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 8);
    if (name.planes > 1) ImGui::SliderInt("slice", &choice_.plane, 0, name.planes - 1), ImGui::SameLine();
    ImGui::Checkbox("cache misses", &choice_.hasMisses);
    tooltip("how often a line of 4x4 texels is missed in the modelled texture caches, by all draws of the frame");
    ImGui::SameLine();
    coloredText(kDim, name.text);
    askAgain(false, choice_.hasMisses);
    if (!(choice_ == old)) askImage();
    showPicture(ImGui::GetContentRegionAvail().y);
}

void Inspector::showPicture(float height) {
    const ImageChoice old = choice_;
    const bool isTexture = choice_.of == ImageChoice::Of::Texture;
    const std::vector<ImageName>* const names = !shown_ ? nullptr : isTexture ? &shown_->textures : &shown_->targets;
    const bool isOfImage = choice_.of == ImageChoice::Of::Target || (isTexture && !choice_.hasMisses);
    if (names != nullptr && isOfImage && choice_.index < names->size()) {
        const ImageName& name = (*names)[choice_.index];
        for (const inspect::Channels channels : name.channels) {
            const std::string word(inspect::kChannelsWords[static_cast<size_t>(channels)]);
            if (ImGui::RadioButton(fmt::format("{}##channels", word).c_str(), choice_.channels == channels))
                choice_.channels = channels;
            ImGui::SameLine();
        }
        ImGui::Checkbox("fit range", &choice_.isFitted);
        if (!isTexture && name.planes > 1) {
            ImGui::SameLine();
            ImGui::SetNextItemWidth(ImGui::GetFontSize() * 8);
            ImGui::SliderInt("sample", &choice_.plane, -1, name.planes - 1);
        }
    } else {
        ImGui::NewLine();
    }
    if (!(choice_ == old)) askImage();
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float line = ImGui::GetTextLineHeightWithSpacing();
    const ImVec2 room(ImGui::GetContentRegionAvail().x,
                      std::max(line, std::min(height, ImGui::GetContentRegionAvail().y) - line));
    const bool isThere = image_ && askedImage_ && image_->question == *askedImage_ && image_->picture.width > 0;
    ImGui::BeginChild("picture", room, false, ImGuiWindowFlags_HorizontalScrollbar);
    if (isThere || (image_ && image_->picture.width > 0)) {
        const inspect::Picture& picture = image_->picture;
        const auto width = static_cast<float>(picture.width), high = static_cast<float>(picture.height);
        const float fits = std::min(room.x / width, room.y / high);
        const float scale = zoom_ > 0 ? zoom_ : fits >= 1 ? std::floor(fits) : fits;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::Image(pictureTexture_, ImVec2(width * scale, high * scale));
        if (ImGui::IsItemHovered()) {
            const ImVec2 mouse = ImGui::GetIO().MousePos;
            const int x = std::clamp(static_cast<int>((mouse.x - at.x) / scale), 0, picture.width - 1);
            const int y = std::clamp(static_cast<int>((mouse.y - at.y) / scale), 0, picture.height - 1);
            askTexel(x, y);
            if (ImGui::GetIO().MouseWheel != 0 && ImGui::GetIO().KeyCtrl) {
                zoom_ = std::clamp(scale * (ImGui::GetIO().MouseWheel > 0 ? 1.25f : 0.8f), 0.1f, 64.0f);
                // The pixel under the pointer stays there.
                ImGui::SetScrollX((mouse.x - at.x) / scale * zoom_ - (mouse.x - ImGui::GetWindowPos().x));
                ImGui::SetScrollY((mouse.y - at.y) / scale * zoom_ - (mouse.y - ImGui::GetWindowPos().y));
            }
            if (ImGui::IsMouseClicked(0) && !isTexture) {
                askHistory(x, y);
                history_.reset();
                tab_ = Tab::Pixel, isTabForced_ = true;
            }
        }
        if (choice_.hasTiles && !isTexture) showGrid(at.x, at.y, scale);
        if (options_.pixel && !isTexture) {
            const ImVec2 corner(at.x + static_cast<float>((*options_.pixel)[0]) * scale,
                                at.y + static_cast<float>((*options_.pixel)[1]) * scale);
            const float side = std::max(scale, 5.0f);
            ImGui::GetWindowDrawList()->AddRect(ImVec2(corner.x - 1, corner.y - 1),
                                                ImVec2(corner.x + side + 1, corner.y + side + 1),
                                                ImGui::GetColorU32(kMark));
        }
    }
    ImGui::EndChild();
    ImGui::SetCursorScreenPos(ImVec2(from.x, from.y + room.y));
    std::string words;
    if (image_ && image_->picture.width > 0)
        words = fmt::format("{}x{}, {}", image_->picture.width, image_->picture.height, image_->range);
    if (pointer_[0] >= 0) words += fmt::format("   {},{}: {}", pointer_[0], pointer_[1], texel_);
    coloredText(kDim, words);
}

/// Tiles, blocks and quads over the picture whose upper left corner is there, counted from its lower left one.
void Inspector::showGrid(float left, float top, float scale) {
    const inspect::Picture& picture = image_->picture;
    const TileCounts& tiles = image_->tiles;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto width = static_cast<float>(picture.width) * scale,
               bottom = top + static_cast<float>(picture.height) * scale;
    const ImVec2 seen = ImGui::GetWindowPos(), room = ImGui::GetWindowSize();
    const auto lines = [&](int step, float alpha) {
        // Nothing is seen of lines that lie closer.
        if (static_cast<float>(step) * scale < 5) return;
        const ImU32 color = ImGui::GetColorU32(ImVec4(1, 1, 1, alpha));
        for (int x = 0; x <= picture.width; x += step)
            if (const float at = left + static_cast<float>(x) * scale; at >= seen.x && at <= seen.x + room.x)
                list.AddLine(ImVec2(at, top), ImVec2(at, bottom), color);
        for (int y = 0; y <= picture.height; y += step)
            if (const float at = bottom - static_cast<float>(y) * scale; at >= seen.y && at <= seen.y + room.y)
                list.AddLine(ImVec2(left, at), ImVec2(left + width, at), color);
    };
    if (scale >= 4) lines(2, 0.10f), lines(4, 0.25f);
    lines(TileCounts::kSize, 0.55f);
    for (int row = 0; row < tiles.rows; ++row)
        for (int column = 0; column < tiles.columns; ++column) {
            const size_t tile =
                static_cast<size_t>(row) * static_cast<size_t>(tiles.columns) + static_cast<size_t>(column);
            const std::string words = fmt::format("{}/{}", tiles.own[tile], tiles.all[tile]);
            if (ImGui::CalcTextSize(words.c_str()).x + 4 > TileCounts::kSize * scale) continue;
            list.AddText(
                ImVec2(left + static_cast<float>(column * TileCounts::kSize) * scale + 3,
                       bottom - static_cast<float>(row * TileCounts::kSize) * scale - ImGui::GetTextLineHeight() - 2),
                ImGui::GetColorU32(tiles.own[tile] != 0 ? kMark : ImVec4(1, 1, 1, 0.8f)), words.c_str());
        }
}

// --- Vertices ---

void Inspector::showMesh() {
    askMesh();
    if (!mesh_) return coloredText(kDim, "...");
    const inspect::Mesh& mesh = mesh_->mesh;
    if (mesh.clip.empty()) return coloredText(kDim, "the command has no vertices");
    size_t outside = 0;
    for (const uint8_t code : mesh.outcodes) outside += code != 0;
    text(fmt::format(
        "{} primitives behind the vertex program; {} of {} corners are outside of the view volume; drag turns",
        mesh.clip.size() / static_cast<size_t>(mesh.corners), outside, mesh.clip.size()));
    const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    ImGui::InvisibleButton("mesh", ImVec2(std::max(room.x, 1.0f), std::max(room.y, 1.0f)));
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0, 0)) {
        turn_ += ImGui::GetIO().MouseDelta.x * 0.01f;
        tilt_ += ImGui::GetIO().MouseDelta.y * 0.01f;
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(from, ImVec2(from.x + room.x, from.y + room.y), true);
    const pipeline::Draw* const draw = model().actions()[action_].draw();
    const float aspect =
        draw != nullptr && draw->state->target.height > 0
            ? static_cast<float>(draw->state->target.width) / static_cast<float>(draw->state->target.height)
            : 1;
    const float half = std::min(room.x / aspect, room.y) * 0.38f;
    const auto place = [&](float x, float y, float z) {
        const float ct = std::cos(turn_), st = std::sin(turn_), cp = std::cos(tilt_), sp = std::sin(tilt_);
        const float x1 = x * aspect * ct + z * st, z1 = z * ct - x * aspect * st;
        const float y1 = y * cp - z1 * sp;
        return ImVec2(from.x + room.x / 2 + x1 * half, from.y + room.y / 2 - y1 * half);
    };
    const ImU32 frame = ImGui::GetColorU32(kDim);
    for (const float z : {-1.0f, 1.0f})
        for (int i = 0; i < 4; ++i) {
            constexpr std::array<std::array<float, 2>, 4> kCorners = {{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
            const auto &a = kCorners[static_cast<size_t>(i)], &b = kCorners[static_cast<size_t>((i + 1) % 4)];
            list.AddLine(place(a[0], a[1], z), place(b[0], b[1], z), frame);
            if (z < 0) list.AddLine(place(a[0], a[1], -1), place(a[0], a[1], 1), frame);
        }
    constexpr size_t kMostLines = 30'000;
    const auto corners = static_cast<size_t>(mesh.corners);
    for (size_t first = 0; first + corners <= std::min(mesh.clip.size(), kMostLines); first += corners)
        for (size_t i = 0; i < corners; ++i) {
            const size_t a = first + i, b = first + (i + 1) % corners;
            const auto &p = mesh.clip[a], &q = mesh.clip[b];
            if (!(p[3] > 0) || !(q[3] > 0)) continue;
            const bool isOutside = (mesh.outcodes[a] | mesh.outcodes[b]) != 0;
            list.AddLine(place(p[0] / p[3], p[1] / p[3], p[2] / p[3]), place(q[0] / q[3], q[1] / q[3], q[2] / q[3]),
                         isOutside ? ImGui::GetColorU32(kMark) : IM_COL32(90, 170, 220, 255));
        }
    list.PopClipRect();
}

void Inspector::showVertices() {
    askMesh();
    if (!mesh_) return coloredText(kDim, "...");
    const inspect::VertexTable& table = mesh_->vertices;
    const int columns = static_cast<int>(table.names.size()) + 2;
    if (table.rows.empty() || !ImGui::BeginTable("vertices", columns, kTable))
        return coloredText(kDim, "the command fetches no vertices");
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("vertex", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 4);
    ImGui::TableSetupColumn("element", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 4);
    for (const std::string& name : table.names) ImGui::TableSetupColumn(name.c_str());
    ImGui::TableHeadersRow();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(table.rows.size()));
    while (clipper.Step())
        for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
            const inspect::VertexTable::Row& row = table.rows[static_cast<size_t>(r)];
            ImGui::TableNextRow();
            numberCell(std::to_string(row.ordinal));
            numberCell(std::to_string(row.element));
            for (const std::array<float, 4>& value : row.values) {
                ImGui::TableNextColumn();
                text(fmt::format("{:.6g} {:.6g} {:.6g} {:.6g}", value[0], value[1], value[2], value[3]));
            }
        }
    offerCopy([this] {
        if (!mesh_) return std::string();
        const inspect::VertexTable& table = mesh_->vertices;
        std::string words = "vertex\telement";
        for (const std::string& name : table.names) words += "\t" + name;
        for (const inspect::VertexTable::Row& row : table.rows) {
            words += fmt::format("\n{}\t{}", row.ordinal, row.element);
            for (const std::array<float, 4>& value : row.values)
                words += fmt::format("\t{:.9g} {:.9g} {:.9g} {:.9g}", value[0], value[1], value[2], value[3]);
        }
        return words + "\n";
    });
    ImGui::EndTable();
}

}  // namespace tessera::tools
