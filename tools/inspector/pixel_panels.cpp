// The inspector's panels of a pixel's history, the debugger, the chip and programs.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/report/why.h"
#include "tools/inspector/inspector.h"
#include "tools/inspector/panel_parts.h"

namespace tessera::tools {

namespace {

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

}  // namespace tessera::tools
