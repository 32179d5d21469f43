#include "tools/inspector/window/chip_panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include "model/report/why.h"
#include "tools/inspector/window/panel_parts.h"

namespace tessera::tools {

namespace {

/// Idle units by what they wait for: memory violet, textures green, other instructions blue, barriers red.
ImVec4 colorOf(model::Cause cause) {
    using enum model::Cause;
    switch (cause) {
        case Busy:
            return {0.95f, 0.68f, 0.25f, 1};
        case NoWork:
        case NoGroup:
        case Draining:
            return {0.14f, 0.15f, 0.18f, 1};
        case Dependency:
        case UnitTaken:
        case Divergence:
        case Unfilled:
            return {0.16f, 0.30f, 0.55f, 1};
        case Texture:
            return {0.13f, 0.42f, 0.32f, 1};
        case Sdram:
        case HostBus:
        case Relay:
        case Prefetch:
        case RowChange:
            return {0.40f, 0.22f, 0.52f, 1};
        case SharedMemory:
            return {0.20f, 0.45f, 0.50f, 1};
        case Barrier:
            return {0.55f, 0.16f, 0.18f, 1};
        default:
            return {0.24f, 0.26f, 0.32f, 1};
    }
}

ImVec4 mixed(const ImVec4& from, const ImVec4& to, float part) {
    return {from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part, from.z + (to.z - from.z) * part, 1};
}

bool isShown(const model::UnitResult& unit, std::span<const model::Segment> segments) {
    return unit.kind != model::UnitKind::Lanes && !segments.empty();
}

}  // namespace

void ChipPanel::follow(const model::Result& result, int columns) {
    const auto wanted = static_cast<size_t>(columns);
    if (drawnFirst_ == first_ && drawnLast_ == last_ && units_.size() == result.units.size() &&
        std::ranges::all_of(units_, [&](const auto& unit) { return unit.empty() || unit.size() == wanted; }))
        return;
    drawnFirst_ = first_, drawnLast_ = last_;
    units_.assign(result.units.size(), {});
    for (size_t u = 0; u < result.units.size(); ++u) {
        const std::span<const model::Segment> segments = timeline_->of(static_cast<uint32_t>(u));
        if (!isShown(result.units[u], segments)) continue;
        units_[u].resize(wanted);
        size_t at = 0;
        for (size_t c = 0; c < wanted; ++c) {
            const double begin = cycleAt(static_cast<float>(c) / static_cast<float>(columns));
            const double end = cycleAt(static_cast<float>(c + 1) / static_cast<float>(columns));
            std::array<double, model::kCauses> spent{};
            while (at < segments.size() && static_cast<double>(segments[at].end) <= begin) ++at;
            for (size_t s = at; s < segments.size() && static_cast<double>(segments[s].begin) < end; ++s)
                spent[static_cast<size_t>(segments[s].cause)] +=
                    std::min(end, static_cast<double>(segments[s].end)) -
                    std::max(begin, static_cast<double>(segments[s].begin));
            Column& column = units_[u][c];
            column.busy = static_cast<float>(spent[0] / std::max(end - begin, 1e-9));
            column.most = static_cast<model::Cause>(
                std::distance(spent.begin(), std::max_element(spent.begin() + 1, spent.end())));
        }
    }
}

void ChipPanel::askWhy(const std::string& question, const model::Result& result, const model::Workload& workload,
                       const std::string& preset) {
    std::string problem;
    const auto asked = model::readQuestion(question, result, &problem);
    const auto machine = model::loadPreset(preset, &problem);
    why_ = asked && machine ? model::whyText(*asked, result, workload, *machine) : problem;
}

void ChipPanel::show(const model::Result& result, const model::Workload& workload, const std::string& preset,
                     const std::function<void()>& aboveWhy) {
    if (!timeline_) {
        timeline_.emplace(result);
        first_ = 0, last_ = static_cast<double>(std::max<model::Cycle>(result.cycles, 1));
        askWhy("top", result, workload, preset);
    }
    text(fmt::format("{} cycles on {}; cycles {:.0f} to {:.0f}", result.cycles, result.preset, first_, last_));
    ImGui::SameLine();
    coloredText(kDim, "wheel: nearer; drag: along; double click: all; click: why");
    const ImVec2 room = ImGui::GetContentRegionAvail();
    ImGui::BeginChild("units", ImVec2(room.x * 0.6f, 0), false, ImGuiWindowFlags_NoScrollWithMouse);
    showUnits(result, workload, preset);
    ImGui::EndChild();
    ImGui::SameLine();
    ImGui::BeginChild("why", ImVec2(0, 0), false, ImGuiWindowFlags_HorizontalScrollbar);
    if (aboveWhy) aboveWhy();
    text(why_);
    ImGui::EndChild();
}

void ChipPanel::showUnits(const model::Result& result, const model::Workload& workload, const std::string& preset) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImGuiIO& io = ImGui::GetIO();
    const float line = ImGui::GetTextLineHeightWithSpacing(), label = ImGui::GetFontSize() * 12;
    const float width = std::max(32.0f, std::floor(ImGui::GetContentRegionAvail().x - label));
    follow(result, static_cast<int>(width));
    const auto all = static_cast<double>(std::max<model::Cycle>(result.cycles, 1));
    for (size_t u = 0; u < result.units.size(); ++u) {
        const model::UnitResult& unit = result.units[u];
        if (units_[u].empty()) continue;
        ImGui::PushID(static_cast<int>(u));
        text(unit.name());
        ImGui::SameLine(label);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::InvisibleButton("unit", ImVec2(width, line - 3));
        // Columns that look the same are one rectangle.
        for (size_t c = 0; c < units_[u].size();) {
            size_t end = c + 1;
            const Column& first = units_[u][c];
            while (end < units_[u].size() && units_[u][end].most == first.most && units_[u][end].busy == first.busy)
                ++end;
            list.AddRectFilled(ImVec2(at.x + static_cast<float>(c), at.y),
                               ImVec2(at.x + static_cast<float>(end), at.y + line - 4),
                               ImGui::GetColorU32(mixed(colorOf(first.most), colorOf(model::Cause::Busy), first.busy)));
            c = end;
        }
        if (ImGui::IsItemHovered() && result.cycles > 0) {
            const float part = std::clamp((io.MousePos.x - at.x) / width, 0.0f, 0.9999f);
            const auto cycle = std::min(static_cast<model::Cycle>(cycleAt(part)), result.cycles - 1);
            const model::Segment& segment = timeline_->at(static_cast<uint32_t>(u), cycle);
            std::string told = fmt::format("{}, cycle {}: {} from {} to {}", unit.name(), cycle,
                                           model::causeText(segment.cause), segment.begin, segment.end);
            if (segment.on != model::kNone) told += fmt::format(", for {}", result.units[segment.on].name());
            if (segment.program != model::kNone) told += fmt::format(", instruction @{}", segment.pc);
            for (size_t cause = 0; cause < unit.cycles.size(); ++cause)
                if (static_cast<double>(unit.cycles[cause]) * 20 > all)
                    told += fmt::format("\n{:3.0f} %  {}", 100.0 * static_cast<double>(unit.cycles[cause]) / all,
                                        model::causeText(static_cast<model::Cause>(cause)));
            tooltip(told);
            if (io.MouseWheel != 0) {
                const double pointed = cycleAt(part);
                const double span = std::clamp((last_ - first_) * std::pow(0.8, static_cast<double>(io.MouseWheel)),
                                               std::min(16.0, all), all);
                first_ = std::clamp(pointed - span * static_cast<double>(part), 0.0, all - span);
                last_ = first_ + span;
            }
            if (ImGui::IsMouseDoubleClicked(0))
                first_ = 0, last_ = all;
            else if (ImGui::IsMouseClicked(0))
                askWhy(fmt::format("{}:{}", unit.name(), cycle), result, workload, preset);
        }
        if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0)) {
            const double span = last_ - first_;
            first_ = std::clamp(first_ - span * static_cast<double>(io.MouseDelta.x / width), 0.0, all - span);
            last_ = first_ + span;
        }
        ImGui::PopID();
    }
}

}  // namespace tessera::tools
