// What panels of the inspector's window are made of.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>
#include <imgui.h>

namespace tessera::tools {

inline const ImVec4 kMark(0.95f, 0.60f, 0.20f, 1), kDim(0.55f, 0.55f, 0.58f, 1);

/// Dark, or light; both alike otherwise, and so much larger than usual.
inline void applyLook(bool isLight, float scale) {
    ImGuiStyle style;
    if (isLight)
        ImGui::StyleColorsLight(&style);
    else
        ImGui::StyleColorsDark(&style);
    style.WindowRounding = style.FrameRounding = style.TabRounding = 2;
    style.WindowBorderSize = 0;
    style.ItemSpacing.y = 3;
    style.ScaleAllSizes(scale);
    ImGui::GetStyle() = style;
}

/// Whether no value in it is NaN or infinite.
inline bool isFinite(const std::string& values) {
    return values.find("nan") == std::string::npos && values.find("inf") == std::string::npos;
}

inline void text(const std::string& words) { ImGui::TextUnformatted(words.data(), words.data() + words.size()); }
inline void coloredText(const ImVec4& color, const std::string& words) {
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    text(words);
    ImGui::PopStyleColor();
}
inline void tooltip(const std::string& words) {
    if (!ImGui::IsItemHovered()) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetFontSize() * 36);
    text(words);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}
inline void numberCell(const std::string& words) {
    ImGui::TableNextColumn();
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(words.c_str()).x;
    if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
    text(words);
}
/// "1.2 M"
inline std::string shortNumber(uint64_t number) {
    if (number < 10'000) return fmt::format("{}", number);
    if (number < 10'000'000) return fmt::format("{:.1f} k", static_cast<double>(number) / 1e3);
    return fmt::format("{:.1f} M", static_cast<double>(number) / 1e6);
}

inline constexpr ImGuiTableFlags kTable = ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerV |
                                          ImGuiTableFlags_Resizable | ImGuiTableFlags_ScrollY |
                                          ImGuiTableFlags_SizingStretchProp;

}  // namespace tessera::tools
