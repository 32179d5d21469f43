// What the inspector's window shows: a list of commands and the chosen one's state at the left, its images, mesh,
// pixels and the chip at the right, programs below.
#include <SDL_scancode.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/report/why.h"
#include "tools/inspector/inspector.h"

namespace tessera::tools {

namespace {

const ImVec4 kMark(0.95f, 0.60f, 0.20f, 1), kDim(0.55f, 0.55f, 0.58f, 1);

void text(const std::string& words) { ImGui::TextUnformatted(words.data(), words.data() + words.size()); }
void coloredText(const ImVec4& color, const std::string& words) {
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    text(words);
    ImGui::PopStyleColor();
}
void tooltip(const std::string& words) {
    if (!ImGui::IsItemHovered()) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetFontSize() * 36);
    text(words);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}
void numberCell(const std::string& words) {
    ImGui::TableNextColumn();
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(words.c_str()).x;
    if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
    text(words);
}
/// "1.2 M"
std::string shortNumber(uint64_t number) {
    if (number < 10'000) return fmt::format("{}", number);
    if (number < 10'000'000) return fmt::format("{:.1f} k", static_cast<double>(number) / 1e3);
    return fmt::format("{:.1f} M", static_cast<double>(number) / 1e6);
}
/// Held keys repeat where that is going on; else they would turn things to and fro.
bool isPressed(SDL_Scancode code, bool repeats = false) { return ImGui::IsKeyPressed(code, repeats); }

constexpr ImGuiTableFlags kTable = ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_Resizable |
                                   ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingStretchProp;

/// What became of a pixel in an event of its history.
std::string fateText(const nlohmann::json& event) {
    if (!event.contains("primitive")) return "cleared";
    const nlohmann::json& samples = event["samples"];
    const auto any = [&](const char* what) {
        return std::any_of(samples.begin(), samples.end(),
                           [&](const nlohmann::json& one) { return one.value(what, false); });
    };
    if (!any("covered")) return "not covered, by sample coverage";
    if (event.value("discarded", false)) return "discarded by the program";
    if (!any("stencilPass")) return "fails the stencil test";
    if (!any("depthPass")) return "fails the depth test";
    return event["before"] == event["after"] ? "written, and the same as before" : "written";
}

/// "12 200 30 255", of the first sample.
std::string storedText(const nlohmann::json& samples) {
    if (!samples.is_array() || samples.empty() || !samples[0].contains("color")) return {};
    std::string words;
    for (const nlohmann::json& channel : samples[0]["color"]) words += (words.empty() ? "" : " ") + channel.dump();
    return words;
}

std::string depthText(const nlohmann::json& event) {
    if (!event.contains("primitive") || !event["samples"].is_array() || event["samples"].empty()) return {};
    const nlohmann::json& sample = event["samples"][0];
    const nlohmann::json& before = event["before"];
    const std::string stored = !before.empty() && before[0].contains("depth") ? before[0]["depth"].dump() : "none";
    return fmt::format("{} beside {}", sample.contains("depth") ? sample["depth"].dump() : "?", stored);
}

}  // namespace

void Inspector::applyTheme(float) const {
    if (options_.isLight)
        ImGui::StyleColorsLight();
    else
        ImGui::StyleColorsDark();
    ImGuiStyle& style = ImGui::GetStyle();
    style.WindowRounding = style.FrameRounding = style.TabRounding = 2;
    style.WindowBorderSize = 0;
    style.ItemSpacing.y = 3;
}

void Inspector::takeKeys() {
    const ImGuiIO& io = ImGui::GetIO();
    if (isPressed(SDL_SCANCODE_F1)) isHelpShown_ = !isHelpShown_;
    if (isPressed(SDL_SCANCODE_ESCAPE)) isHelpShown_ = false;
    if (io.KeyCtrl && isPressed(SDL_SCANCODE_F)) isSearchFocused_ = true;
    if (io.WantTextInput) return;
    const auto go = [&](std::optional<size_t> to) {
        if (to) select(*to);
    };
    if (isPressed(SDL_SCANCODE_DOWN, true)) go(neighbour(true, io.KeyShift));
    if (isPressed(SDL_SCANCODE_UP, true)) go(neighbour(false, io.KeyShift));
    const inspect::Frame& frame = model().frames()[frame_];
    if (isPressed(SDL_SCANCODE_HOME)) go(frame.first);
    if (isPressed(SDL_SCANCODE_END)) go(frame.end - 1);
    const inspect::Pass& pass = model().passes()[model().actions()[action_].pass];
    if (isPressed(SDL_SCANCODE_PAGEDOWN, true) && pass.end < frame.end) go(pass.end);
    if (isPressed(SDL_SCANCODE_PAGEUP, true))
        go(pass.first < action_ ? pass.first : std::max(frame.first, pass.first - (pass.first > 0)));
    if (isPressed(SDL_SCANCODE_BACKSPACE, true)) goBack();
    for (int i = 0; i < static_cast<int>(std::size(kTabWords)); ++i)
        if (ImGui::IsKeyPressed(SDL_SCANCODE_1 + i, false)) tab_ = static_cast<Tab>(i), isTabForced_ = true;
    if (isPressed(SDL_SCANCODE_F)) askNextFrame();
    if (isPressed(SDL_SCANCODE_T)) options_.isLight = !options_.isLight, applyTheme(1);
    if (isPressed(SDL_SCANCODE_B)) choice_.isBefore = !choice_.isBefore, askImage();
    if (io.KeyCtrl && isPressed(SDL_SCANCODE_C) && shown_) {
        std::string words = actionText(action_) + "\n";
        for (const inspect::StateField& field : shown_->state)
            words += fmt::format("{}: {}\n", field.name, field.value);
        for (const inspect::UniformValue& uniform : shown_->uniforms)
            words += fmt::format("{}: {}\n", uniform.name, uniform.value);
        ImGui::SetClipboardText(words.c_str());
    }
    if (tab_ != Tab::Debugger || !console_) return;
    if (isPressed(SDL_SCANCODE_F10, true)) runDebugger(io.KeyShift ? "reverse-next" : "next");
    if (isPressed(SDL_SCANCODE_F11, true)) runDebugger(io.KeyShift ? "reverse-stepi" : "stepi");
    if (isPressed(SDL_SCANCODE_F5)) runDebugger(io.KeyShift ? "reverse-continue" : "continue");
}

void Inspector::show(Window& window) {
    takeAnswers();
    if (image_ && isPictureNew_ && image_->picture.width > 0) {
        if (pictureTexture_ == nullptr) pictureTexture_ = window.makeTexture();
        window.fillTexture(pictureTexture_, image_->picture);
        isPictureNew_ = false;
    }
    window.setTitle(title());
    window.begin();
    takeKeys();
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(size);
    ImGui::Begin("Tessera", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoSavedSettings);
    showToolbar();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float left = std::floor(room.x * 0.36f), top = std::floor(room.y * 0.56f),
                gap = ImGui::GetStyle().ItemSpacing.y;
    ImGui::BeginChild("left", ImVec2(left, 0));
    showActions(top);
    showState(room.y - top - gap);
    ImGui::EndChild();
    ImGui::SameLine();
    ImGui::BeginChild("right", ImVec2(0, 0));
    showTabs(top);
    showShaders(room.y - top - gap);
    ImGui::EndChild();
    ImGui::End();
    if (isHelpShown_) showHelp();
    window.end();
}

void Inspector::showToolbar() {
    const std::string frames = options_.recordFrame
                                   ? fmt::format("frame {}", options_.recordedFrame)
                                   : fmt::format("frame {} of {}", frame_ + 1, model().frames().size());
    if (ImGui::Button("<") && !options_.recordFrame && frame_ > 0) selectFrame(frame_ - 1);
    ImGui::SameLine();
    text(frames);
    ImGui::SameLine();
    if (ImGui::Button(">")) askNextFrame();
    tooltip("the next frame (F)");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 16);
    if (std::exchange(isSearchFocused_, false)) ImGui::SetKeyboardFocusHere();
    ImGui::InputTextWithHint("##search", "search (Ctrl+F)", search_, sizeof search_);
    ImGui::SameLine();
    if (ImGui::Button(options_.isLight ? "dark" : "light")) options_.isLight = !options_.isLight, applyTheme(1);
    ImGui::SameLine();
    if (ImGui::Button("keys")) isHelpShown_ = !isHelpShown_;
    ImGui::SameLine();
    const std::string label = working();
    if (!label.empty())
        coloredText(kDim, label + " ...");
    else if (costs_)
        coloredText(kDim, fmt::format("{} cycles on {}", shortNumber(costs_->result.cycles), costs_->result.preset));
    else
        ImGui::NewLine();
    for (const std::string& note : notes_) coloredText(kMark, note);
}

// --- Commands ---

void Inspector::showActions(float height) {
    if (!ImGui::BeginTable("actions", 5, kTable, ImVec2(0, height))) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("no.", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 2.6f);
    ImGui::TableSetupColumn("command");
    ImGui::TableSetupColumn("pixels", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 4);
    ImGui::TableSetupColumn("cycles", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 4);
    ImGui::TableSetupColumn("ms", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 3);
    ImGui::TableHeadersRow();
    // Rows: passes, and behind each its actions.
    struct Row {
        bool isPass;
        size_t number;
    };
    std::vector<Row> rows;
    const inspect::Frame& frame = model().frames()[frame_];
    size_t chosen = 0;
    for (size_t i = frame.first; i < frame.end; ++i) {
        const size_t pass = model().actions()[i].pass;
        if (!isFound(i)) continue;
        if (rows.empty() || rows.back().isPass || model().actions()[rows.back().number].pass != pass)
            rows.push_back({true, pass});
        if (i == action_) chosen = rows.size();
        rows.push_back({false, i});
    }
    uint64_t most = 1;
    if (costs_)
        for (const auto& cost : costs_->draws)
            if (cost) most = std::max(most, cost->cycles);
    const float rowHeight = ImGui::GetTextLineHeightWithSpacing() + 1;
    if (std::exchange(isScrolled_, false)) {
        const float at = static_cast<float>(chosen) * rowHeight, from = ImGui::GetScrollY();
        if (at < from + rowHeight || at > from + height - 3 * rowHeight)
            ImGui::SetScrollY(std::max(0.0f, at - height / 2));
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()));
    while (clipper.Step())
        for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
            const auto [isPass, number] = rows[static_cast<size_t>(r)];
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            if (isPass) {
                ImGui::TableNextColumn();
                coloredText(kDim, model().passes()[number].text);
                tooltip(model().passes()[number].text);
                continue;
            }
            const inspect::Action& action = model().actions()[number];
            ImGui::PushID(static_cast<int>(number));
            if (ImGui::Selectable(fmt::format("{}", action.number).c_str(), number == action_,
                                  ImGuiSelectableFlags_SpanAllColumns))
                select(number);
            ImGui::PopID();
            ImGui::TableNextColumn();
            const bool isDraw = action.draw() != nullptr;
            if (isDraw)
                text("  " + action.text);
            else
                coloredText(kDim, "  " + action.what + " " + action.text);
            if (const auto* cost = costOf(number)) {
                const DrawCost& of = **cost;
                numberCell(shortNumber(of.written));
                numberCell(shortNumber(of.cycles));
                const ImVec2 high = ImGui::GetItemRectMax();
                const float width = ImGui::GetFontSize() * 4 * static_cast<float>(of.cycles) / static_cast<float>(most);
                ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(high.x - width, high.y), ImVec2(high.x, high.y + 2),
                                                          ImGui::GetColorU32(kMark));
                tooltip(fmt::format(
                    "{} vertices, {} primitives: {} outside, {} culled, {} empty; {} pixels covered, {} shaded, {} "
                    "written; {}",
                    of.vertices, of.primitives, of.outside, of.facing, of.empty, of.covered, of.shaded, of.written,
                    of.boundBy));
            } else {
                ImGui::TableNextColumn();
                ImGui::TableNextColumn();
            }
            if (number - frame.first < times_.size()) numberCell(fmt::format("{:.2f}", times_[number - frame.first]));
        }
    ImGui::EndTable();
}

void Inspector::showState(float height) {
    if (!ImGui::BeginTable("state", 2, kTable, ImVec2(0, height))) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("state", ImGuiTableColumnFlags_None, 2);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_None, 3);
    ImGui::TableHeadersRow();
    const auto row = [](const std::string& name, const std::string& value, bool isMarked) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        if (isMarked)
            coloredText(kMark, name);
        else
            text(name);
        ImGui::TableNextColumn();
        text(value);
        tooltip(value);
    };
    const auto heading = [](const std::string& words) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        coloredText(kDim, words);
    };
    if (shown_) {
        const bool isDraw = model().actions()[action_].draw() != nullptr;
        const bool hasChanges = std::ranges::any_of(shown_->state, &inspect::StateField::isChanged);
        if (hasChanges) heading(isDraw ? "-- other than at the draw before" : "-- not as usual");
        for (const inspect::StateField& field : shown_->state)
            if (field.isChanged) row(field.name, field.value, true);
        if (!shown_->uniforms.empty()) heading("-- uniforms");
        for (const inspect::UniformValue& uniform : shown_->uniforms) row(uniform.name, uniform.value, false);
        std::string_view group;
        for (const inspect::StateField& field : shown_->state) {
            if (field.isChanged) continue;
            if (std::exchange(group, field.group) != field.group) heading("-- " + std::string(field.group));
            row(field.name, field.value, false);
        }
    }
    ImGui::EndTable();
}

// --- Tabs ---

void Inspector::showTabs(float height) {
    ImGui::BeginChild("tabs", ImVec2(0, height));
    if (ImGui::BeginTabBar("views")) {
        const bool isForced = std::exchange(isTabForced_, false);
        for (size_t i = 0; i < std::size(kTabWords); ++i) {
            const auto tab = static_cast<Tab>(i);
            const std::string name = fmt::format("{} {}", i + 1, kTabWords[i]);
            if (!ImGui::BeginTabItem(name.c_str(), nullptr,
                                     isForced && tab == tab_ ? ImGuiTabItemFlags_SetSelected : 0))
                continue;
            if (!isForced && !isTabForced_) tab_ = tab;
            if (tab == tab_) switch (tab) {
                    case Tab::Image:
                        showImage();
                        break;
                    case Tab::Textures:
                        showTextures();
                        break;
                    case Tab::Mesh:
                        showMesh();
                        break;
                    case Tab::Vertices:
                        showVertices();
                        break;
                    case Tab::Pixel:
                        showPixel();
                        break;
                    case Tab::Debugger:
                        showDebugger();
                        break;
                    case Tab::Chip:
                        showChip();
                        break;
                }
            ImGui::EndTabItem();
        }
        ImGui::EndTabBar();
    }
    ImGui::EndChild();
}

void Inspector::showImage() {
    const ImageChoice old = choice_;
    if (choice_.of == ImageChoice::Of::Texture)
        choice_.of = ImageChoice::Of::Target, choice_.index = 0, choice_.level = choice_.face = 0;
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
    ImGui::Checkbox("before (B)", &choice_.isBefore);
    if (!(choice_ == old) || (choice_.of == ImageChoice::Of::Heat && costs_ && image_ && image_->picture.width == 0)) {
        if (choice_.of == ImageChoice::Of::Heat) askedImage_.reset();
        askImage();
    }
    showPicture(ImGui::GetContentRegionAvail().y);
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
    coloredText(kDim, name.text);
    if (!(choice_ == old)) askImage();
    showPicture(ImGui::GetContentRegionAvail().y);
}

void Inspector::showPicture(float height) {
    const ImageChoice old = choice_;
    const bool isTexture = choice_.of == ImageChoice::Of::Texture;
    const std::vector<ImageName>* const names = !shown_ ? nullptr : isTexture ? &shown_->textures : &shown_->targets;
    if (names != nullptr && choice_.of != ImageChoice::Of::Heat && choice_.index < names->size()) {
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
            if (ImGui::GetIO().MouseWheel != 0 && ImGui::GetIO().KeyCtrl)
                zoom_ = std::clamp(scale * (ImGui::GetIO().MouseWheel > 0 ? 1.25f : 0.8f), 0.1f, 64.0f);
            if (ImGui::IsMouseClicked(0) && !isTexture) {
                askHistory(x, y);
                history_.reset();
                tab_ = Tab::Pixel, isTabForced_ = true;
            }
        }
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
    ImGui::EndTable();
}

// --- Pixels ---

void Inspector::showPixel() {
    if (!options_.pixel) return coloredText(kDim, "click a pixel of a target: here is what every draw did to it");
    text(fmt::format(
        "pixel {},{}, from the top; draws that do not cover it are not listed: culled, clipped or scissored away",
        (*options_.pixel)[0], (*options_.pixel)[1]));
    if (!history_) return coloredText(kDim, "...");
    const std::vector<size_t> commands = model().commandsOf(frame_);
    const nlohmann::json& pixel = history_->report["pixels"][0];
    if (pixel["histories"].empty()) return text("nothing in this frame touched it");
    for (size_t h = 0; h < pixel["histories"].size(); ++h) {
        const nlohmann::json& history = pixel["histories"][h];
        coloredText(kDim, fmt::format("target of {} x {}{}", history["width"].dump(), history["height"].dump(),
                                      history["surface"] == true ? ", which the frame shows" : ""));
        if (!ImGui::BeginTable(
                fmt::format("events{}", h).c_str(), 7,
                ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_SizingStretchProp))
            continue;
        for (const char* name : {"no.", "primitive", "what became of it", "depth", "program gave", "color after", ""})
            ImGui::TableSetupColumn(name);
        ImGui::TableHeadersRow();
        int id = 0;
        for (const nlohmann::json& event : history["events"]) {
            ImGui::PushID(static_cast<int>(h) * 10'000 + id++);
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            const auto command = event["command"].get<size_t>();
            const size_t action = command < commands.size() ? commands[command] : action_;
            if (ImGui::Selectable(fmt::format("{}", model().actions()[action].number).c_str(), action == action_))
                select(action);
            ImGui::TableNextColumn();
            const bool isDraw = event.contains("primitive");
            text(isDraw ? event["primitive"].dump() : "clear");
            ImGui::TableNextColumn();
            const std::string fate = fateText(event);
            if (fate.starts_with("written") || fate == "cleared")
                text(fate);
            else
                coloredText(kMark, fate);
            ImGui::TableNextColumn();
            text(depthText(event));
            ImGui::TableNextColumn();
            if (event.value("shaded", false) && event.contains("color")) {
                std::string color;
                for (const nlohmann::json& channel : event["color"])
                    color +=
                        (color.empty() ? "" : " ") + (channel.is_number() ? fmt::format("{:.4g}", channel.get<double>())
                                                      : channel.is_string() ? channel.get<std::string>()
                                                                            : channel.dump());
                text(color);
            } else if (isDraw) {
                coloredText(kDim, "not run");
            }
            ImGui::TableNextColumn();
            text(storedText(event["after"]));
            ImGui::TableNextColumn();
            if (event.value("shaded", false) && ImGui::SmallButton("debug")) {
                select(action);
                askDebugger(static_cast<int64_t>(command), event["primitive"].get<int64_t>());
            }
            ImGui::PopID();
        }
        ImGui::EndTable();
    }
}

void Inspector::showDebugger() {
    if (!debugProblem_.empty()) return coloredText(kMark, debugProblem_);
    if (!console_) return coloredText(kDim, "\"debug\" in the history of a pixel takes its invocation here");
    const struct {
        const char *label, *command, *help;
    } kMoves[] = {{"|<", "reverse-continue", "back to the breakpoint before, or the start (Shift+F5)"},
                  {"<< line", "reverse-next", "a line back (Shift+F10)"},
                  {"< step", "reverse-stepi", "an instruction back (Shift+F11)"},
                  {"step >", "stepi", "an instruction (F11)"},
                  {"line >>", "next", "a line (F10)"},
                  {">|", "continue", "to the next breakpoint, or the end (F5)"},
                  {"lanes", "lanes", "what every lane does"},
                  {"stack", "stack", "open ifs, loops and calls"}};
    for (const auto& [label, command, help] : kMoves) {
        if (ImGui::Button(label)) runDebugger(command);
        tooltip(help);
        ImGui::SameLine();
    }
    ImGui::SetNextItemWidth(-1);
    if (ImGui::InputTextWithHint("##command", "a command of tessera dbg: break 12, print x, watch r0.x, lanes x, help",
                                 debugLine_, sizeof debugLine_, ImGuiInputTextFlags_EnterReturnsTrue)) {
        runDebugger(debugLine_);
        debugLine_[0] = 0;
        ImGui::SetKeyboardFocusHere(-1);
    }
    const ImVec2 room = ImGui::GetContentRegionAvail();
    ImGui::BeginChild("output", ImVec2(room.x * 0.62f, 0));
    text(debugText_);
    if (std::exchange(isOutputNew_, false)) ImGui::SetScrollHereY(1);
    ImGui::EndChild();
    ImGui::SameLine();
    ImGui::BeginChild("locals", ImVec2(0, 0));
    coloredText(kDim, "locals");
    text(debugLocals_);
    ImGui::EndChild();
}

// --- The chip ---

void Inspector::showChip() {
    if (!costs_) return coloredText(kDim, "...");
    const model::Result& result = costs_->result;
    text(fmt::format(
        "{} cycles on {}; a row is a unit, time goes to the right, bright is busy; a click asks why it was not",
        result.cycles, result.preset));
    const ImVec2 room = ImGui::GetContentRegionAvail();
    ImGui::BeginChild("units", ImVec2(room.x * 0.6f, 0));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float line = ImGui::GetTextLineHeightWithSpacing(), label = ImGui::GetFontSize() * 12;
    const float width = std::max(32.0f, ImGui::GetContentRegionAvail().x - label);
    for (size_t u = 0; u < result.units.size(); ++u) {
        const model::UnitResult& unit = result.units[u];
        if (unit.overTime.empty() || unit.kind == model::UnitKind::Lanes) continue;
        ImGui::PushID(static_cast<int>(u));
        text(unit.name());
        ImGui::SameLine(label);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::InvisibleButton("unit", ImVec2(width, line - 3));
        model::Cycle begin = 0;
        for (size_t piece = 0; piece < std::min(unit.overTime.size(), result.pieceEnds.size()); ++piece) {
            const model::Cycle end = result.pieceEnds[piece];
            const auto place = [&](model::Cycle cycle) {
                return at.x +
                       width * static_cast<float>(cycle) / static_cast<float>(std::max<model::Cycle>(result.cycles, 1));
            };
            const float busy =
                end > begin ? static_cast<float>(unit.overTime[piece][0]) / static_cast<float>(end - begin) : 0;
            const ImVec4 color(0.15f + 0.75f * busy, 0.20f + 0.45f * busy, 0.28f - 0.08f * busy, 1);
            list.AddRectFilled(ImVec2(place(begin), at.y), ImVec2(place(end), at.y + line - 4),
                               ImGui::GetColorU32(color));
            begin = end;
        }
        if (ImGui::IsItemHovered() && result.cycles > 0) {
            const auto cycle =
                static_cast<model::Cycle>(std::clamp((ImGui::GetIO().MousePos.x - at.x) / width, 0.0f, 0.9999f) *
                                          static_cast<float>(result.cycles));
            std::string causes;
            for (size_t cause = 0; cause < unit.cycles.size(); ++cause)
                if (unit.cycles[cause] * 20 > result.cycles)
                    causes += fmt::format(
                        "\n{:3.0f} %  {}",
                        100.0 * static_cast<double>(unit.cycles[cause]) / static_cast<double>(result.cycles),
                        model::causeText(static_cast<model::Cause>(cause)));
            tooltip(fmt::format("{}, cycle {}{}", unit.name(), cycle, causes));
            if (ImGui::IsMouseClicked(0)) {
                std::string problem;
                const auto question = model::readQuestion(fmt::format("{}:{}", unit.name(), cycle), result, &problem);
                const auto preset = model::loadPreset(options_.preset, &problem);
                why_ = question && preset ? model::whyText(*question, result, costs_->workload, *preset) : problem;
            }
        }
        ImGui::PopID();
    }
    ImGui::EndChild();
    ImGui::SameLine();
    ImGui::BeginChild("why", ImVec2(0, 0), false, ImGuiWindowFlags_HorizontalScrollbar);
    if (why_.empty()) {
        std::string problem;
        const auto question = model::readQuestion("top", result, &problem);
        const auto preset = model::loadPreset(options_.preset, &problem);
        why_ = question && preset ? model::whyText(*question, result, costs_->workload, *preset) : problem;
    }
    text(why_);
    ImGui::EndChild();
}

// --- Programs ---

void Inspector::showShaders(float height) {
    ImGui::BeginChild("shaders", ImVec2(0, height));
    const auto& program = shown_ ? shown_->programs[static_cast<size_t>(stage_)] : nullptr;
    if (!program) {
        coloredText(kDim, "the command runs no program");
        ImGui::EndChild();
        return;
    }
    for (const isa::Stage stage : pipeline::kDrawStages) {
        if (ImGui::RadioButton(stage == isa::Stage::Vertex ? "vertex" : "fragment", stage_ == stage))
            stage_ = stage, line_ = 0;
        ImGui::SameLine();
    }
    if (!shader_ || shaderOf_ != program.get() || shaderCosts_ != costs_.get()) {
        shader_ = shaderText(*program, shown_->program, stage_, costs_.get());
        shaderOf_ = program.get(), shaderCosts_ = costs_.get();
    }
    coloredText(kDim, fmt::format("program {}: {} instructions, {} lines", shown_->program, shader_->code.size(),
                                  shader_->source.size()));
    const ImVec2 room = ImGui::GetContentRegionAvail();
    ImGui::BeginChild("source", ImVec2(room.x * 0.55f, 0));
    showSource(*shader_);
    ImGui::EndChild();
    ImGui::SameLine();
    ImGui::BeginChild("code", ImVec2(0, 0));
    showCode(*shader_);
    ImGui::EndChild();
    ImGui::EndChild();
}

void Inspector::showSource(const ShaderText& shader) {
    if (!ImGui::BeginTable("source", shader.hasCosts ? 4 : 2, kTable)) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("line", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 2.5f);
    ImGui::TableSetupColumn("source", ImGuiTableColumnFlags_None, 5);
    if (shader.hasCosts) ImGui::TableSetupColumn("lanes", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 4);
    if (shader.hasCosts) ImGui::TableSetupColumn("cycles", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 4);
    ImGui::TableHeadersRow();
    for (const SourceLine& line : shader.source) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::PushID(static_cast<int>(line.line));
        if (ImGui::Selectable(fmt::format("{}", line.line).c_str(), line.line == line_,
                              ImGuiSelectableFlags_SpanAllColumns))
            line_ = line.line;
        ImGui::PopID();
        ImGui::TableNextColumn();
        if (search_[0] != 0 && line.text.find(search_) != std::string::npos)
            coloredText(kMark, line.text);
        else
            text(line.text);
        if (!shader.hasCosts || line.instructions == 0) continue;
        numberCell(shortNumber(line.lanes));
        numberCell(shortNumber(line.issued + line.waited));
        tooltip(
            fmt::format("{} instructions in the code; {} executed by groups, {} lanes of them took part; {} cycles "
                        "issued, {} waited",
                        line.instructions, line.executed, line.lanes, line.issued, line.waited));
    }
    ImGui::EndTable();
}

void Inspector::showCode(const ShaderText& shader) {
    if (!ImGui::BeginTable("code", shader.hasCosts ? 3 : 2, kTable)) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("@", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 2.5f);
    ImGui::TableSetupColumn("instruction", ImGuiTableColumnFlags_None, 5);
    if (shader.hasCosts) ImGui::TableSetupColumn("cycles", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 4);
    ImGui::TableHeadersRow();
    for (const CodeLine& code : shader.code) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        const bool isMarked = code.line != 0 && code.line == line_;
        ImGui::PushID(static_cast<int>(code.pc));
        if (ImGui::Selectable(fmt::format("{}", code.pc).c_str(), isMarked, ImGuiSelectableFlags_SpanAllColumns))
            line_ = code.line;
        ImGui::PopID();
        ImGui::TableNextColumn();
        text(code.text);
        if (code.line != 0) tooltip(fmt::format("line {}", code.line));
        if (shader.hasCosts) numberCell(shortNumber(code.issued + code.waited));
    }
    ImGui::EndTable();
}

void Inspector::showHelp() {
    ImGui::SetNextWindowSize(ImVec2(ImGui::GetFontSize() * 44, 0), ImGuiCond_Always);
    ImGui::Begin("keys", &isHelpShown_, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings);
    for (const char* words :
         {"Up, Down            the command before, the next one; with Shift: the draw",
          "Page up, down       the pass before, the next one", "Home, End           the first and the last command",
          "Backspace           the command that was chosen before",
          "1 .. 7              image, textures, mesh, vertices, pixel, debugger, chip",
          "B                   targets before the command, or as it left them", "F                   the next frame",
          "Ctrl+F              search", "Ctrl+C              copy the command with its state as text",
          "Ctrl+wheel          zoom", "click               in a target: the history of the pixel",
          "F5, F10, F11        continue, line, instruction; with Shift: back", "T                   dark, light",
          "F1                  these keys"})
        ImGui::TextUnformatted(words);
    ImGui::End();
}

}  // namespace tessera::tools
