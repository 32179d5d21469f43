// The inspector's panels of a pixel's history, the debugger, the chip and programs.
#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "model/report/why.h"
#include "tools/inspector/inspector.h"
#include "tools/inspector/panel_parts.h"

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

/// Whether no value in it is NaN or infinite.
bool isFinite(const std::string& values) {
    return values.find("nan") == std::string::npos && values.find("inf") == std::string::npos;
}

}  // namespace

// --- Pixels ---

void Inspector::showPixel() {
    if (!options_.pixel) return coloredText(kDim, "click a pixel of a target: here is what every draw did to it");
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
            if (fate.starts_with("written") || fate == "cleared")
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
    }
    showAbsent(pixel["absent"], commands);
}

/// Those that a primitive is missing of first: among them is what somebody looks for.
void Inspector::showAbsent(const nlohmann::ordered_json& absent, const std::vector<size_t>& commands) {
    if (absent.empty()) return;
    coloredText(kDim, fmt::format("{} draws have nothing here", absent.size()));
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
    coloredText(kDim, debugTitle_);
    if (debugAction_ != action_) {
        ImGui::SameLine();
        if (ImGui::SmallButton("the other panels show another command: go to this one")) select(debugAction_);
    }
    const ImVec2 room = ImGui::GetContentRegionAvail();
    ImGui::BeginChild("output", ImVec2(room.x * 0.62f, 0));
    ImGui::PushTextWrapPos(0);
    text(debugText_);
    ImGui::PopTextWrapPos();
    if (std::exchange(isOutputNew_, false)) ImGui::SetScrollHereY(1);
    ImGui::EndChild();
    ImGui::SameLine();
    ImGui::BeginChild("locals", ImVec2(0, 0));
    coloredText(kDim, "locals");
    ImGui::PushTextWrapPos(0);
    std::istringstream lines(debugLocals_);
    for (std::string line; std::getline(lines, line);)
        coloredText(isFinite(line.substr(std::min(line.size(), line.find(' ', 2))))
                        ? ImGui::GetStyleColorVec4(ImGuiCol_Text)
                        : kMark,
                    line);
    ImGui::PopTextWrapPos();
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
    coloredText(kDim, fmt::format("program {}: {} instructions{}", shown_->program, shader_->code.size(),
                                  shader_->hasCosts ? "; lanes and cycles are of all draws with it in the frame" : ""));
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

}  // namespace tessera::tools
