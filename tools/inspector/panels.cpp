// What the inspector's window shows: a list of commands and the chosen one's state at the left, its images, mesh,
// pixels and the chip at the right (image_panels.cpp, pixel_panels.cpp), programs below.
#include <SDL_scancode.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tools/inspector/inspector.h"
#include "tools/inspector/panel_parts.h"

namespace tessera::tools {

namespace {

/// Why nothing came of a draw, first; what it cost.
std::string costText(const DrawCost& of) {
    std::string why;
    if (of.written == 0) {
        if (of.primitives == 0)
            why = "it has no primitives. ";
        else if (of.outside + of.facing + of.empty == of.primitives)
            why = fmt::format("none of its {} primitives is seen. ", of.primitives);
        else if (of.covered == 0)
            why = "its primitives cover no pixel's centre. ";
        else if (of.shaded == 0)
            why = "depth or stencil tests fail for all of its pixels. ";
        else
            why = "its program discards all of its pixels, or later tests do. ";
    }
    return fmt::format(
        "{}{} vertices, {} primitives: {} outside, {} culled, {} empty; {} pixels covered, {} shaded, {} written; {}",
        why, of.vertices, of.primitives, of.outside, of.facing, of.empty, of.covered, of.shaded, of.written,
        of.boundBy);
}

/// Held keys repeat where that is going on; else they would turn things to and fro.
bool isPressed(SDL_Scancode code, bool repeats = false) { return ImGui::IsKeyPressed(code, repeats); }

}  // namespace

void Inspector::applyTheme(float) const { applyLook(options_.isLight); }

void Inspector::takeKeys() {
    const ImGuiIO& io = ImGui::GetIO();
    if (isPressed(SDL_SCANCODE_F1)) isHelpShown_ = !isHelpShown_;
    if (isPressed(SDL_SCANCODE_ESCAPE)) isHelpShown_ = false;
    if (io.KeyCtrl && isPressed(SDL_SCANCODE_F)) isSearchFocused_ = true;
    if (tab_ == Tab::Debugger) debugger_.takeKeys();
    if (io.WantTextInput) return;
    if (io.KeyCtrl && isPressed(SDL_SCANCODE_C) && shown_) {
        std::string words = actionText(action_) + "\n";
        for (const inspect::StateField& field : shown_->state)
            words += fmt::format("{}: {}\n", field.name, field.value);
        for (const inspect::UniformValue& uniform : shown_->uniforms)
            words += fmt::format("{}: {}\n", uniform.name, uniform.value);
        ImGui::SetClipboardText(words.c_str());
    }
    if (io.KeyCtrl) return;
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
}

void Inspector::show(Window& window) {
    takeAnswers();
    if (debugger_.takeMoved()) line_ = debugger_.session().line();
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
            tooltip(action.text);
            if (const auto* cost = costOf(number)) {
                const DrawCost& of = **cost;
                const std::string told = costText(of);
                if (of.written == 0) ImGui::PushStyleColor(ImGuiCol_Text, kMark);
                numberCell(shortNumber(of.written));
                if (of.written == 0) ImGui::PopStyleColor();
                tooltip(told);
                numberCell(shortNumber(of.cycles));
                const ImVec2 high = ImGui::GetItemRectMax();
                const float width = ImGui::GetFontSize() * 4 * static_cast<float>(of.cycles) / static_cast<float>(most);
                ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(high.x - width, high.y), ImVec2(high.x, high.y + 2),
                                                          ImGui::GetColorU32(kMark));
                tooltip(told);
            } else {
                ImGui::TableNextColumn();
                ImGui::TableNextColumn();
            }
            if (number - frame.first < times_.size()) numberCell(fmt::format("{:.2f}", times_[number - frame.first]));
        }
    ImGui::EndTable();
    if (rows.empty()) coloredText(kMark, fmt::format("no command has \"{}\" in its text", search_));
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
        if (hasChanges) heading(isDraw ? "-- changed by this draw" : "-- not as usual");
        for (const inspect::StateField& field : shown_->state)
            if (field.isChanged)
                row(field.name, field.before.empty() ? field.value : field.value + ", was " + field.before, true);
        if (!shown_->uniforms.empty()) heading("-- uniforms");
        for (const inspect::UniformValue& uniform : shown_->uniforms) row(uniform.name, uniform.value, false);
        std::string_view group;
        for (const inspect::StateField& field : shown_->state) {
            if (std::exchange(group, field.group) != field.group) heading("-- " + std::string(field.group));
            row(field.name, field.value, field.isChanged);
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
