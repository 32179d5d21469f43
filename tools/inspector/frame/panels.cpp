// What the inspector's window shows: a list of commands and the chosen one's state at the left, its images, mesh,
// pixels and the chip at the right (image_panels.cpp, pixel_panels.cpp), programs below.
#include <SDL_scancode.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tools/inspector/frame/inspector.h"
#include "tools/inspector/frame/state_words.h"
#include "tools/inspector/window/panel_parts.h"

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

/// The border between two panels, to be dragged: the part of `total` that is before it.
void splitter(const char* name, bool isUpright, float& part, float total) {
    const float gap = isUpright ? ImGui::GetStyle().ItemSpacing.x : ImGui::GetStyle().ItemSpacing.y;
    // It lies in the space between the items, which it does not add to.
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(isUpright ? ImVec2(at.x - gap, at.y) : ImVec2(at.x, at.y - gap));
    ImGui::InvisibleButton(name, isUpright ? ImVec2(gap, ImGui::GetContentRegionAvail().y)
                                           : ImVec2(ImGui::GetContentRegionAvail().x, gap));
    if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
        ImGui::SetMouseCursor(isUpright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
        ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                                  ImGui::GetColorU32(kMark));
    }
    if (ImGui::IsItemActive() && total > 0) {
        const ImVec2 moved = ImGui::GetIO().MouseDelta;
        part = std::clamp(part + (isUpright ? moved.x : moved.y) / total, kLeastPart, kMostPart);
    }
    ImGui::SetCursorScreenPos(at);  // the next item stands where it would without
}

/// Held keys repeat where that is going on; else they would turn things to and fro.
bool isPressed(SDL_Scancode code, bool repeats = false) { return ImGui::IsKeyPressed(code, repeats); }

}  // namespace

void Inspector::applyTheme(float scale) const { applyLook(options_.layout.isLight, scale); }

void Inspector::takeKeys() {
    const ImGuiIO& io = ImGui::GetIO();
    if (isPressed(SDL_SCANCODE_F1)) isHelpShown_ = !isHelpShown_;
    if (isPressed(SDL_SCANCODE_ESCAPE)) {
        if (!isHelpShown_ && !isFoundShown_ && !io.WantTextInput) cancel();
        isHelpShown_ = isFoundShown_ = false;
    }
    if (isPressed(SDL_SCANCODE_F3) && !found_.empty())
        goToFound((foundAt_ + (io.KeyShift ? found_.size() - 1 : 1)) % found_.size());
    if (io.KeyCtrl && isPressed(SDL_SCANCODE_F)) isSearchFocused_ = true;
    if (options_.isEditing && isPressed(SDL_SCANCODE_F9)) io.KeyShift ? forgetEdits() : askRedraw();
    if (tab_ == Tab::Debugger) debugger_.takeKeys();
    if (io.WantTextInput) return;
    if (io.KeyCtrl && isPressed(SDL_SCANCODE_C)) ImGui::SetClipboardText((copied_ ? copied_() : stateWords()).c_str());
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
    if (isPressed(SDL_SCANCODE_LEFT)) closed_.insert(nodesOf(action_).front());
    if (isPressed(SDL_SCANCODE_RIGHT)) closed_.clear();
    if (isPressed(SDL_SCANCODE_BACKSPACE, true)) goBack();
    for (int i = 0; i < static_cast<int>(std::size(kTabWords)); ++i)
        if (ImGui::IsKeyPressed(SDL_SCANCODE_1 + i, false)) tab_ = static_cast<Tab>(i), isTabForced_ = true;
    if (isPressed(SDL_SCANCODE_E)) options_.isEditing = !options_.isEditing;
    if (isPressed(SDL_SCANCODE_F)) askNextFrame();
    if (isPressed(SDL_SCANCODE_T)) options_.layout.isLight = !options_.layout.isLight, applyTheme(scale_);
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
    scale_ = window.scale();
    window.setTitle(title());
    window.begin();
    updateSearch();
    takeKeys();
    copied_ = nullptr;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    Layout& layout = options_.layout;
    layout.width = static_cast<int>(size.x), layout.height = static_cast<int>(size.y);
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(size);
    ImGui::Begin("Tessera", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoSavedSettings);
    showToolbar();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float left = std::floor(room.x * layout.left), top = std::floor(room.y * layout.top),
                gap = ImGui::GetStyle().ItemSpacing.y;
    ImGui::BeginChild("left", ImVec2(left, 0));
    showActions(top);
    splitter("##across left", false, layout.top, room.y);
    showState(room.y - top - gap);
    ImGui::EndChild();
    ImGui::SameLine();
    splitter("##down", true, layout.left, room.x);
    ImGui::BeginChild("right", ImVec2(0, 0));
    showTabs(top);
    splitter("##across right", false, layout.top, room.y);
    showShaders(room.y - top - gap);
    ImGui::EndChild();
    ImGui::End();
    if (isHelpShown_) showHelp();
    window.end();
}

void Inspector::showToolbar() {
    const size_t count = model().frames().size();
    const std::string frames =
        options_.recordFrame
            ? fmt::format("frame {}", options_.firstFrame + frame_) +
                  (count > 1 ? fmt::format(" of {} to {}", options_.firstFrame, options_.firstFrame + count - 1) : "")
            : fmt::format("frame {} of {}", frame_ + 1, count);
    if (ImGui::Button("<") && frame_ > 0) selectFrame(frame_ - 1);
    ImGui::SameLine();
    text(frames);
    ImGui::SameLine();
    if (ImGui::Button(">")) askNextFrame();
    tooltip("the next frame (F)");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 16);
    if (std::exchange(isSearchFocused_, false)) ImGui::SetKeyboardFocusHere();
    const ImVec2 below(ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y + ImGui::GetFrameHeight());
    if (ImGui::InputTextWithHint("##search", "search (Ctrl+F)", search_, sizeof search_,
                                 ImGuiInputTextFlags_EnterReturnsTrue) &&
        !found_.empty())
        goToFound(foundAt_), isFoundShown_ = false;
    if (isFoundShown_) showFound(below.x, below.y);
    ImGui::SameLine();
    if (ImGui::Button(options_.layout.isLight ? "dark" : "light"))
        options_.layout.isLight = !options_.layout.isLight, applyTheme(scale_);
    ImGui::SameLine();
    if (ImGui::Button("keys")) isHelpShown_ = !isHelpShown_;
    ImGui::SameLine();
    const std::string label = working();
    if (!label.empty()) {
        if (ImGui::Button("cancel")) cancel();
        tooltip("drop what is being done, as soon as it can be stopped (Esc)");
        ImGui::SameLine();
        coloredText(kDim, label + " ...");
    } else if (costs_) {
        coloredText(kDim, fmt::format("{} cycles on {}", shortNumber(costs_->result.cycles), costs_->result.preset));
    } else {
        ImGui::NewLine();
    }
    for (const std::string& note : notes_) coloredText(kMark, note);
}

/// What is found under the search's words, below its field: a click goes there.
void Inspector::showFound(float x, float y) {
    const float line = ImGui::GetTextLineHeightWithSpacing();
    const float high = line * static_cast<float>(std::clamp<size_t>(found_.size(), 1, 12)) + line;
    ImGui::SetNextWindowPos(ImVec2(x, y));
    ImGui::SetNextWindowBgAlpha(1);
    ImGui::SetNextWindowSize(ImVec2(ImGui::GetFontSize() * 44, high));
    ImGui::Begin("##found", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
    if (found_.empty()) coloredText(kMark, fmt::format("nothing in this frame has \"{}\" in it", searched_));
    for (size_t i = 0; i < found_.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::Selectable(found_[i].text.c_str(), i == foundAt_)) goToFound(i), isFoundShown_ = false;
        ImGui::PopID();
    }
    ImGui::End();
}

void Inspector::offerCopy(std::function<std::string()> words) {
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) copied_ = std::move(words);
}

std::string Inspector::stateWords() const {
    std::string words = actionText(action_) + "\n";
    if (!shown_) return words;
    for (const inspect::StateField& field : shown_->state) words += fmt::format("{}: {}\n", field.name, field.value);
    for (const inspect::UniformValue& uniform : shown_->uniforms)
        words += fmt::format("{}: {}\n", uniform.name, uniform.value);
    return words;
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
    const std::vector<Row> rows = rowsOf(frame_);
    uint64_t most = 1;
    if (costs_)
        for (const auto& cost : costs_->draws)
            if (cost) most = std::max(most, cost->cycles);
    const float rowHeight = ImGui::GetTextLineHeightWithSpacing() + 1;
    if (std::exchange(isScrolled_, false)) {
        const auto chosen = std::ranges::find_if(
            rows, [&](const Row& row) { return row.of == Row::Of::Action && row.number == action_; });
        const float at = static_cast<float>(chosen - rows.begin()) * rowHeight, from = ImGui::GetScrollY();
        if (chosen != rows.end() && (at < from + rowHeight || at > from + height - 3 * rowHeight))
            ImGui::SetScrollY(std::max(0.0f, at - height / 2));
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()));
    while (clipper.Step())
        for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
            const Row& row = rows[static_cast<size_t>(r)];
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            if (row.of != Row::Of::Action) {
                showNode(row);
                continue;
            }
            const inspect::Action& action = model().actions()[row.number];
            ImGui::PushID(static_cast<int>(row.number));
            if (ImGui::Selectable(fmt::format("{}", action.number).c_str(), row.number == action_,
                                  ImGuiSelectableFlags_SpanAllColumns))
                select(row.number);
            ImGui::PopID();
            ImGui::TableNextColumn();
            const std::string indent(row.depth * 2, ' ');
            if (action.draw() != nullptr)
                text(indent + action.text);
            else
                coloredText(kDim, indent + action.what + " " + action.text);
            tooltip(action.text);
            showCosts(row.number, row.number + 1, most);
        }
    offerCopy([this, rows] {
        std::string words;
        for (const Row& row : rows)
            if (row.of == Row::Of::Action) {
                words += actionText(row.number);
                if (const auto* cost = costOf(row.number))
                    words += fmt::format("\t{}\t{}", (**cost).written, (**cost).cycles);
                words += "\n";
            } else {
                words +=
                    (row.of == Row::Of::Group ? model().groups()[row.number].name : model().passes()[row.number].text) +
                    "\n";
            }
        return words;
    });
    ImGui::EndTable();
}

/// A pass or a group, which a click closes or opens, with what all of it costs.
void Inspector::showNode(const Row& row) {
    const bool isGroup = row.of == Row::Of::Group;
    const std::string& name = isGroup ? model().groups()[row.number].name : model().passes()[row.number].text;
    ImGui::PushID(static_cast<int>(row.number * 2 + isGroup));
    if (ImGui::Selectable("##node", false, ImGuiSelectableFlags_SpanAllColumns)) {
        const size_t node = row.number * 2 + isGroup;
        if (!closed_.erase(node)) closed_.insert(node);
    }
    ImGui::PopID();
    ImGui::TableNextColumn();
    const std::string words = std::string(row.depth * 2, ' ') + (row.isClosed ? "+ " : "- ") + name;
    if (isGroup)
        text(words);
    else
        coloredText(kDim, words);
    tooltip(name);
    if (!isGroup && !row.isClosed) return;
    const size_t first = isGroup ? model().groups()[row.number].first : model().passes()[row.number].first;
    const size_t end = isGroup ? model().groups()[row.number].end : model().passes()[row.number].end;
    showCosts(first, end, 0);
}

/// Of all these actions together. `mostCycles` is what a bar as wide as the column stands for; 0: no bar.
void Inspector::showCosts(size_t first, size_t end, uint64_t mostCycles) {
    uint64_t written = 0, cycles = 0;
    double milliseconds = 0;
    size_t counted = 0;
    const size_t begin = model().frames()[frame_].first;
    for (size_t i = first; i < end; ++i) {
        if (const auto* cost = costOf(i)) written += (**cost).written, cycles += (**cost).cycles, ++counted;
        if (i - begin < times_.size()) milliseconds += times_[i - begin];
    }
    if (counted != 0) {
        const std::string told = end - first == 1 ? costText(**costOf(first)) : fmt::format("{} draws", counted);
        if (written == 0) ImGui::PushStyleColor(ImGuiCol_Text, kMark);
        numberCell(shortNumber(written));
        if (written == 0) ImGui::PopStyleColor();
        tooltip(told);
        numberCell(shortNumber(cycles));
        if (mostCycles != 0) {
            const ImVec2 high = ImGui::GetItemRectMax();
            const float width = ImGui::GetFontSize() * 4 * static_cast<float>(cycles) / static_cast<float>(mostCycles);
            ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(high.x - width, high.y), ImVec2(high.x, high.y + 2),
                                                      ImGui::GetColorU32(kMark));
        }
        tooltip(told);
    } else {
        ImGui::TableNextColumn();
        ImGui::TableNextColumn();
    }
    if (!times_.empty()) numberCell(fmt::format("{:.2f}", milliseconds));
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
        const std::string_view meaning = meaningOf(name);
        if (!meaning.empty()) tooltip(std::string(meaning));
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
    offerCopy([this] { return stateWords(); });
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
    ImGui::SetNextWindowSize(ImVec2(ImGui::GetFontSize() * 54, 0), ImGuiCond_Always);
    ImGui::Begin("keys", &isHelpShown_, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings);
    for (const char* words :
         {"Up, Down            the command before, the next one; with Shift: the draw",
          "Page up, down       the pass before, the next one", "Home, End           the first and the last command",
          "Left, Right         close the group or pass of the command, open all",
          "Backspace           the command that was chosen before",
          "1 .. 7              image, textures, mesh, vertices, pixel, debugger, chip",
          "B                   targets before the command, or as it left them", "F                   the next frame",
          "E                   edit the program's text, or look at what it costs",
          "F9, Shift+F9        draw the frame with the edited text; with the recorded program again",
          "Ctrl+F, F3          search commands, groups, images, buffers, lines; the next found, with Shift back",
          "Ctrl+C              copy the table under the pointer as text, else the command with its state",
          "Esc                 cancel what is being done", "Ctrl+wheel          zoom",
          "click               in a target: the history of the pixel",
          "F5, F10, F11        continue, line, instruction; with Shift: back",
          "N                   in the debugger: to the instruction that makes the first NaN",
          "T                   dark, light", "F1                  these keys"})
        ImGui::TextUnformatted(words);
    ImGui::End();
}

}  // namespace tessera::tools
