// The inspector's panels of a pixel's history, the debugger, the chip and programs.

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tools/inspector/frame/inspector.h"
#include "tools/inspector/window/panel_parts.h"

namespace tessera::tools {

namespace {

/// "12 200 30 255", of the first sample.
std::string storedText(const nlohmann::ordered_json& samples) {
    if (!samples.is_array() || samples.empty() || !samples[0].contains("color")) return {};
    std::string words;
    for (const nlohmann::ordered_json& channel : samples[0]["color"])
        words += (words.empty() ? "" : " ") +
                 (channel.is_number() ? fmt::format("{:.7g}", channel.get<double>()) : channel.dump());
    return words;
}

}  // namespace

// --- Pixels ---

void Inspector::showPixel() {
    if (!options_.pixel) return coloredText(kDim, "click a pixel of a target: here is what every draw did to it");
    offerCopy([this] { return history_ ? history_->story.dump(1) : std::string(); });
    text(fmt::format("pixel {},{}, from the top", (*options_.pixel)[0], (*options_.pixel)[1]));
    if (!history_) return coloredText(kDim, "...");
    const std::vector<size_t> commands = model().commandsOf(frame_);
    const nlohmann::ordered_json& pixel = history_->story;
    if (pixel["histories"].empty()) text("nothing in this frame touched it");
    for (size_t h = 0; h < pixel["histories"].size(); ++h) {
        const nlohmann::ordered_json& history = pixel["histories"][h];
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
        for (const nlohmann::ordered_json& event : history["events"]) {
            ImGui::PushID(static_cast<int>(h) * 10'000 + id++);
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            const auto command = event["command"].get<size_t>();
            const size_t action = command < commands.size() ? commands[command] : action_;
            if (ImGui::Selectable(fmt::format("{}", model().actions()[action].number).c_str(), action == action_,
                                  ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowItemOverlap))
                select(action);
            ImGui::TableNextColumn();
            const bool isDraw = event.contains("primitive");
            text(isDraw ? event["primitive"].dump() : "clear");
            ImGui::TableNextColumn();
            const auto fate = event["fate"].get<std::string>();
            if (fate == "cleared")
                text(event.contains("clears") ? "clears " + event["clears"].get<std::string>() : fate);
            else if (fate.starts_with("written"))
                text(fate);
            else
                coloredText(kMark, fate);
            ImGui::TableNextColumn();
            text(event.value("depthTest", ""));
            ImGui::TableNextColumn();
            if (event.value("shaded", false) && event.contains("color")) {
                std::string color;
                for (const nlohmann::ordered_json& channel : event["color"])
                    color +=
                        (color.empty() ? "" : " ") + (channel.is_number() ? fmt::format("{:.4g}", channel.get<double>())
                                                      : channel.is_string() ? channel.get<std::string>()
                                                                            : channel.dump());
                coloredText(isFinite(color) ? ImGui::GetStyleColorVec4(ImGuiCol_Text) : kMark, color);
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
        if (history.contains("hint")) coloredText(kMark, history["hint"].get<std::string>());
    }
    showAbsent(pixel["absent"], commands);
}

/// Those that a primitive is missing of first: among them is what somebody looks for.
void Inspector::showAbsent(const nlohmann::ordered_json& absent, const std::vector<size_t>& commands) {
    if (absent.empty()) return;
    coloredText(kDim, fmt::format("{} nothing here",
                                  absent.size() == 1 ? "one draw has" : fmt::format("{} draws have", absent.size())));
    std::string others;
    for (const nlohmann::ordered_json& one : absent) {
        const auto command = one["command"].get<size_t>();
        const std::string number = one["number"].dump();
        if (!one.contains("why")) {
            others += (others.empty() ? "of these none is known that would cover it: " : ", ") + number;
            continue;
        }
        ImGui::PushID(static_cast<int>(command));
        if (ImGui::Selectable(number.c_str(), false) && command < commands.size()) select(commands[command]);
        ImGui::SameLine(ImGui::GetFontSize() * 4);
        coloredText(kMark, one["why"].get<std::string>());
        ImGui::PopID();
    }
    ImGui::PushTextWrapPos(0);
    coloredText(kDim, others);
    ImGui::PopTextWrapPos();
}

void Inspector::showDebugger() {
    debugger_.show("\"debug\" in the history of a pixel takes its invocation here", [this] {
        if (debugAction_ == action_) return;
        ImGui::SameLine();
        if (ImGui::SmallButton("the other panels show another command: go to this one")) select(debugAction_);
    });
    offerCopy([this] { return debugger_.text(); });
}

// --- The chip ---

void Inspector::showChip() {
    if (!costs_) return coloredText(kDim, "...");
    chip_.show(costs_->result, costs_->workload, options_.preset, [this] {
        offerCopy([this] { return chip_.why(); });
        showPresets();
    });
}

/// Chips side by side.
void Inspector::showPresets() {
    if (presets_.empty()) {
        if (ImGui::Button("beside other chips")) askPresets();
        tooltip("what the frame takes on every preset that draws pictures, and with every memory");
        return;
    }
    if (!ImGui::BeginTable("presets", 3, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp)) return;
    for (const char* name : {"chip", "cycles", "ms"}) ImGui::TableSetupColumn(name);
    ImGui::TableHeadersRow();
    for (const PresetCost& preset : presets_) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        text(preset.name);
        if (!preset.problem.empty()) {
            tooltip(preset.problem);
            ImGui::TableNextColumn();
            coloredText(kMark, preset.problem);
            continue;
        }
        numberCell(shortNumber(preset.cycles));
        numberCell(fmt::format("{:.3f}", preset.milliseconds));
    }
    ImGui::EndTable();
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
    showEditorBar(*program);
    coloredText(kDim, fmt::format("program {}: {} instructions{}", shown_->program, shader_->code.size(),
                                  shader_->hasCosts ? "; lanes and cycles are of all draws with it in the frame" : ""));
    const ImVec2 room = ImGui::GetContentRegionAvail();
    ImGui::BeginChild("source", ImVec2(std::floor(room.x * options_.layout.source), 0));
    options_.isEditing ? showEditor(*program) : showSource(*shader_);
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
        if (line.line == line_ && std::exchange(isLineWanted_, false)) ImGui::SetScrollHereY(0.5f);
        if (!searched_.empty() && hasWords(line.text, searched_))
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
    offerCopy([this] {
        std::string words;
        if (!shader_) return words;
        for (const SourceLine& line : shader_->source) {
            words += fmt::format("{}\t{}", line.line, line.text);
            if (shader_->hasCosts && line.instructions != 0)
                words += fmt::format("\t{}\t{}", line.lanes, line.issued + line.waited);
            words += "\n";
        }
        return words;
    });
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
        tooltip(code.help + (code.line != 0 ? fmt::format("\nline {}", code.line) : ""));
        if (shader.hasCosts) numberCell(shortNumber(code.issued + code.waited));
    }
    offerCopy([this] {
        std::string words;
        if (!shader_) return words;
        for (const CodeLine& code : shader_->code)
            words += fmt::format("{}\t{}", code.pc, code.text) +
                     (shader_->hasCosts ? fmt::format("\t{}\t{}", code.lanes, code.issued + code.waited) : "") + "\n";
        return words;
    });
    ImGui::EndTable();
}

}  // namespace tessera::tools
