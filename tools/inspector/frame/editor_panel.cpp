// The inspector's editor of programs: the text, and what the compiler says of it at its lines.
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "shader-core/asm/disassembler.h"
#include "tools/inspector/frame/inspector.h"
#include "tools/inspector/window/panel_parts.h"

namespace tessera::tools {

namespace {

/// What ImGui tells while a text is edited.
struct Edited {
    std::string& text;
    int& caret;
};

int onEdit(ImGuiInputTextCallbackData* data) {
    auto& edited = *static_cast<Edited*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
        edited.text.resize(static_cast<size_t>(data->BufTextLen));
        data->Buf = edited.text.data();
    } else {
        edited.caret = data->CursorPos;
    }
    return 0;
}

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    for (size_t from = 0; from <= text.size();) {
        const size_t end = std::min(text.find('\n', from), text.size());
        lines.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return lines;
}

ImVec2 sizeOf(std::string_view words) { return ImGui::CalcTextSize(words.data(), words.data() + words.size()); }

}  // namespace

Inspector::Draft& Inspector::draftOf(const isa::Program& program) {
    const auto [at, isNew] = drafts_.try_emplace({shown_->program, program.stage});
    if (isNew) at->second.text = editableText(program);
    return at->second;
}

void Inspector::showEditorBar(const isa::Program& program) {
    ImGui::Checkbox("edit (E)", &options_.isEditing);
    tooltip("change the program's text, and draw the frame with it");
    ImGui::SameLine();
    if (!options_.isEditing) return;
    if (ImGui::Button("draw again (F9)")) askRedraw();
    tooltip("compile the text, and draw the frame with it");
    ImGui::SameLine();
    if (ImGui::Button("as recorded (Shift+F9)")) forgetEdits();
    tooltip("drop what is edited of this program");
    ImGui::SameLine();
    if (Draft& draft = draftOf(program); !assemblyStage(draft.text)) {
        if (ImGui::Button("instructions")) draft.text = assembly::disassemble(program), draft.isChanged = false;
        tooltip("edit the instructions that the source was compiled to");
        ImGui::SameLine();
    }
}

void Inspector::showEditor(const isa::Program& program) {
    Draft& draft = draftOf(program);
    for (const std::string& note : editNotes_) coloredText(kMark, note);
    const float high = ImGui::GetTextLineHeight(), room = ImGui::GetContentRegionAvail().y;
    const size_t listed = std::min<size_t>(draft.messages.size(), 4);
    const float list = static_cast<float>(listed) * ImGui::GetTextLineHeightWithSpacing();
    ImGui::BeginChild("text", ImVec2(0, std::max(4 * high, room - list)), false, ImGuiWindowFlags_HorizontalScrollbar);
    const std::vector<std::string_view> lines = linesOf(draft.text);
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    const float gutter = ImGui::CalcTextSize("00000").x;
    float widest = 0;
    for (const std::string_view line : lines) widest = std::max(widest, sizeOf(line).x);
    // All of the text has room in the widget, so that the window around it scrolls, with numbers and messages.
    const ImVec2 size(
        std::max(ImGui::GetContentRegionAvail().x - gutter, widest + 8 * high),
        std::max(static_cast<float>(lines.size() + 1) * high + 2 * padding.y, ImGui::GetContentRegionAvail().y));
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const auto top = [&](size_t line) { return from.y + padding.y + static_cast<float>(line) * high; };
    ImDrawList& canvas = *ImGui::GetWindowDrawList();
    const float seen = ImGui::GetScrollY();
    const auto first = static_cast<size_t>(seen / high);
    const size_t last = std::min(lines.size(), first + static_cast<size_t>(ImGui::GetWindowHeight() / high) + 2);
    for (size_t i = first; i < last; ++i) {
        const std::string number = std::to_string(i + 1);
        canvas.AddText(ImVec2(from.x + gutter - high - sizeOf(number).x, top(i)), ImGui::GetColorU32(kDim),
                       number.c_str());
    }
    for (const EditMessage& message : draft.messages) {
        if (message.line <= 0 || static_cast<size_t>(message.line) > lines.size()) continue;
        const auto line = static_cast<size_t>(message.line) - 1;
        ImVec4 ground = kMark;
        ground.w = 0.18f;
        canvas.AddRectFilled(ImVec2(from.x, top(line)), ImVec2(from.x + gutter + size.x, top(line + 1)),
                             ImGui::GetColorU32(ground));
        canvas.AddText(ImVec2(from.x + gutter + padding.x + sizeOf(lines[line]).x + 2 * high, top(line)),
                       ImGui::GetColorU32(kMark), message.text.c_str());
    }
    ImGui::SetCursorScreenPos(ImVec2(from.x + gutter, from.y));
    const std::string before = draft.text;
    int caret = draft.caret;
    Edited edited{draft.text, caret};
    if (std::exchange(isEditorFocused_, false)) ImGui::SetKeyboardFocusHere();
    ImGui::PushStyleColor(ImGuiCol_FrameBg, ImVec4(0, 0, 0, 0));
    const bool isEdited = ImGui::InputTextMultiline(
        fmt::format("##{} {}", shown_->program, static_cast<int>(program.stage)).c_str(), draft.text.data(),
        draft.text.capacity() + 1, size,
        ImGuiInputTextFlags_AllowTabInput | ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_CallbackAlways,
        onEdit, &edited);
    ImGui::PopStyleColor();
    wasEditorFocused_ = ImGui::IsItemActive();
    // ImGui takes back all that was typed at Escape.
    if (isEdited && ImGui::IsKeyPressed(ImGui::GetIO().KeyMap[ImGuiKey_Escape], false)) draft.text = before;
    if (isEdited) draft.isChanged = true;
    if (std::exchange(draft.caret, caret) != caret)
        draft.goTo =
            1 + static_cast<int>(std::count(
                    draft.text.begin(),
                    draft.text.begin() + std::min<ptrdiff_t>(caret, static_cast<ptrdiff_t>(draft.text.size())), '\n'));
    if (const int line = std::exchange(draft.goTo, 0); line > 0) {
        const float at = static_cast<float>(line - 1) * high, window = ImGui::GetWindowHeight();
        if (at < seen || at + 3 * high > seen + window) ImGui::SetScrollY(std::max(0.0f, at - window / 2));
    }
    ImGui::EndChild();
    if (listed == 0) return;
    ImGui::BeginChild("messages", ImVec2(0, 0));
    for (size_t i = 0; i < draft.messages.size(); ++i) {
        const EditMessage& message = draft.messages[i];
        const std::string place = message.line == 0     ? ""
                                  : message.column == 0 ? fmt::format("{}: ", message.line)
                                                        : fmt::format("{}:{}: ", message.line, message.column);
        ImGui::PushID(static_cast<int>(i));
        ImGui::PushStyleColor(ImGuiCol_Text, kMark);
        if (ImGui::Selectable((place + (message.isError ? "error: " : "warning: ") + message.text).c_str()))
            draft.goTo = message.line;
        ImGui::PopStyleColor();
        ImGui::PopID();
    }
    ImGui::EndChild();
}

}  // namespace tessera::tools
