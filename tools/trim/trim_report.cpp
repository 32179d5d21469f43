#include "tools/trim/trim_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/trim/modelled.h"

namespace tessera::tools {

using model::Area;
using model::MachineEstimate;

namespace {

double saved(double before, double after) { return before > 0 ? 1 - after / before : 0; }

std::string percent(double part) { return fmt::format("{:.0f} %", 100 * part); }

double powerOf(const MachineEstimate& now, const Trimming& trimming) {
    return model::relativePower(now, trimming.before, *trimming.table);
}

RefilledMachine fill(const Trimming& trimming, model::Refill how) {
    RefilledMachine machine{.preset = refilled(trimming.trimmed, trimming.before.area, how, *trimming.table)};
    const auto &was = trimming.trimmed.block, &is = machine.preset.block;
    machine.isMore = is.processors > was.processors || is.lanes > was.lanes;
    machine.estimate = estimate(machine.preset, *trimming.table);
    machine.speedup = predictedSpeedup(trimming.full, machine.preset, trimming.subject.counts());
    return machine;
}

/// Number with a blank between thousands.
std::string grouped(double value) {
    std::string digits = fmt::format("{:.0f}", value);
    for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<size_t>(at), ",");
    return digits;
}

std::string areaRow(std::string_view name, const Area& before, const Area& after) {
    std::string row = fmt::format("| {} ", name);
    for (double Area::* of : {&Area::lut, &Area::ff, &Area::dsp, &Area::bram})
        row += fmt::format("| {} | {} ", grouped(before.*of), grouped(after.*of));
    return row + "|\n";
}

/// A machine in the area of the one before: a row, with what the cycle model says where it was asked.
std::string fillRow(const std::string& what, double predicted, const ModelledRun& run, const MachineEstimate& estimate,
                    const Trimming& trimming) {
    const std::string modelled =
        trimming.modelled ? fmt::format(" {:.2f} |", speedup(trimming.modelled->before, run)) : "";
    return fmt::format("| {} | {:.2f} |{} {:.2f} |\n", what, predicted, modelled, powerOf(estimate, trimming));
}

std::string fillRow(const char* what, uint32_t before, uint32_t after, const RefilledMachine& machine,
                    const Trimming& trimming) {
    return fillRow(fmt::format("{} {} instead of {}", after, what, before), machine.speedup, machine.run,
                   machine.estimate, trimming);
}

nlohmann::ordered_json jsonOf(const Area& area) {
    return {{"lut", area.lut}, {"ff", area.ff}, {"dsp", area.dsp}, {"bram", area.bram}};
}

nlohmann::ordered_json jsonOf(const RefilledMachine& machine, const Trimming& trimming) {
    nlohmann::ordered_json json = {{"processors", machine.preset.block.processors},
                                   {"lanes", machine.preset.block.lanes},
                                   {"area", jsonOf(machine.estimate.area)},
                                   {"power", powerOf(machine.estimate, trimming)},
                                   {"speedup", machine.speedup}};
    if (trimming.modelled) json["cycles"] = machine.run.cycles;
    return json;
}

nlohmann::ordered_json jsonOf(const model::InstructionMix& mix) {
    nlohmann::ordered_json json;
    for (int i = 0; i < model::kMixClasses; ++i) {
        const auto at = static_cast<model::MixClass>(i);
        const std::string name(model::mixClassName(at));
        const auto& [integer, rest] = mix.of[static_cast<size_t>(i)];
        if (model::hasIntegerKind(at)) json[name + " int"] = integer;
        json[model::hasIntegerKind(at) ? name + " float" : name] = rest;
    }
    return json;
}

/// Least, mean and most of a figure over the trimmings.
struct Spread {
    double least = 1e9, mean = 0, most = -1e9;
    template <class Figure>
    Spread(const std::vector<const Trimming*>& of, Figure figure) {
        for (const Trimming* trimming : of) {
            const double value = figure(*trimming);
            least = std::min(least, value), most = std::max(most, value);
            mean += value / static_cast<double>(of.size());
        }
    }
};

}  // namespace

double speedup(const ModelledRun& before, const ModelledRun& now) {
    return now.cycles ? static_cast<double>(before.cycles) / static_cast<double>(now.cycles) : 1;
}

Trimming trim(TrimSubject subject, const model::Preset& full, const model::ResourceTable& table) {
    Trimming trimming{.subject = std::move(subject), .table = &table, .full = full};
    trimming.trimmed = trimmed(full, trimming.subject.needs, trimming.subject.name);
    trimming.before = estimate(trimming.full, table);
    trimming.after = estimate(trimming.trimmed, table);
    trimming.cores = fill(trimming, model::Refill::Cores);
    trimming.units = fill(trimming, model::Refill::Units);
    return trimming;
}

std::string describeTrimming(const Trimming& t) {
    const model::Needs& needs = t.subject.needs;
    std::string text = fmt::format("# {} trimmed to what {} needs\n\n", t.full.name, t.subject.name);
    for (const TrimSubject::Member& member : t.subject.members)
        text += fmt::format("* {}: {} instructions\n", member.file, member.program->code.size());
    text += "\n## Needed\n\n| | needed | there was |\n|---|---|---|\n";
    const auto line = [&](std::string_view what, uint32_t needed, uint32_t there) {
        text += fmt::format("| {} | {} | {} |\n", what, needed, there);
    };
    model::InstructionForms had = model::allForms();
    for (size_t op = 0; op < had.size(); ++op) had[op] &= static_cast<uint8_t>(~t.full.without[op]);
    line("instructions by type", static_cast<uint32_t>(model::countForms(needs.forms)),
         static_cast<uint32_t>(model::countForms(had)));
    line("instruction memory", needs.instructions, t.full.program.instructions);
    line("r registers of a thread", needs.temporaries, t.full.program.temporaries);
    line("c registers", needs.constants, t.full.program.constants);
    line("predicates", needs.predicates, t.full.program.predicates);
    line("stack of ifs, loops and calls", needs.stack, t.full.program.stack);
    line("shared memory of a block processor, bytes", t.trimmed.block.shared_bytes, t.full.block.shared_bytes);
    line("registers of a block processor", t.trimmed.block.registers, t.full.block.registers);
    line("texture engines", t.trimmed.texture.engines, t.full.texture.engines);
    line("rasterizers", t.trimmed.raster.rasterizers, t.full.raster.rasterizers);
    line("pixel engines", t.trimmed.pixel.engines, t.full.pixel.engines);
    text += fmt::format("\nIfs nest {} deep, loops {}, calls {}. Instructions: {}.\n", needs.branches, needs.loops,
                        needs.calls, fmt::join(model::formNames(needs.forms), " "));
    text +=
        "\n## Area\n\n| unit | LUT | then | FF | then | DSP | then | BRAM | then |\n"
        "|---|---|---|---|---|---|---|---|---|\n";
    for (const model::UnitArea& unit : t.before.units) {
        const auto found = std::ranges::find(t.after.units, unit.unit, &model::UnitArea::unit);
        text += areaRow(unit.unit, unit.area, found == t.after.units.end() ? Area{} : found->area);
    }
    text += areaRow("all", t.before.area, t.after.area);
    text += fmt::format("| saved | | {} | | {} | | {} | | {} |\n", percent(saved(t.before.area.lut, t.after.area.lut)),
                        percent(saved(t.before.area.ff, t.after.area.ff)),
                        percent(saved(t.before.area.dsp, t.after.area.dsp)),
                        percent(saved(t.before.area.bram, t.after.area.bram)));
    if (t.table->holds) {
        const Area& holds = *t.table->holds;
        text += fmt::format("| of {} |", t.table->title);
        for (double Area::* of : {&Area::lut, &Area::ff, &Area::dsp, &Area::bram})
            text += fmt::format(" {} | {} |", percent(t.before.area.*of / holds.*of),
                                percent(t.after.area.*of / holds.*of));
        text += "\n";
    }
    text += fmt::format("\nOne standard deviation: {} LUT, {} FF before; {} LUT, {} FF after.\n",
                        grouped(t.before.deviation.lut), grouped(t.before.deviation.ff), grouped(t.after.deviation.lut),
                        grouped(t.after.deviation.ff));
    text += fmt::format("\n## In the same area\n\n| machine | predicted speed-up |{} power |\n|---|---|{}---|\n",
                        t.modelled ? " by the cycle model |" : "", t.modelled ? "---|" : "");
    text += fillRow("trimmed", 1, t.modelled ? t.modelled->after : ModelledRun{}, t.after, t);
    text += fillRow("block processors", t.full.block.processors, t.cores.preset.block.processors, t.cores, t);
    text += fillRow("lanes", t.full.block.lanes, t.units.preset.block.lanes, t.units, t);
    text += fmt::format("\nPredicted by throughput, from {}, as if memory never made a unit wait. ",
                        t.subject.executed ? "executed instructions" : "the instructions of the code");
    if (!t.modelled) return text + fmt::format("Not modelled: {}.\n", t.notModelled);
    text += fmt::format("The cycle model ran {}.\n", t.work);
    for (const std::string& line : differencesOf(t)) text += fmt::format("\n**Not as predicted.** {}.\n", line);
    return text;
}

std::string trimmingTable(const std::vector<Trimming>& trimmings) {
    std::string text;
    std::string_view group;
    const auto head = [&](std::string_view name) {
        text += fmt::format("{}**{}**\n\n", text.empty() ? "" : "\n", name);
        text +=
            "| program | instructions | r | c | stack | LUT saved | FF saved | DSP saved | BRAM saved | power | cores "
            "| "
            "faster | lanes | faster |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    };
    std::vector<const Trimming*> of;
    const auto foot = [&] {
        if (of.size() < 2) return;
        const Spread lut(of, [](const Trimming& t) { return saved(t.before.area.lut, t.after.area.lut); });
        const Spread ff(of, [](const Trimming& t) { return saved(t.before.area.ff, t.after.area.ff); });
        const Spread dsp(of, [](const Trimming& t) { return saved(t.before.area.dsp, t.after.area.dsp); });
        const Spread bram(of, [](const Trimming& t) { return saved(t.before.area.bram, t.after.area.bram); });
        const Spread power(of, [](const Trimming& t) { return powerOf(t.after, t); });
        const Spread cores(of, [](const Trimming& t) { return t.cores.speedup; });
        const Spread units(of, [](const Trimming& t) { return t.units.speedup; });
        const auto row = [&](const char* name, double Spread::* which) {
            text += fmt::format("| {} | | | | | {} | {} | {} | {} | {:.2f} | | {:.2f} | | {:.2f} |\n", name,
                                percent(lut.*which), percent(ff.*which), percent(dsp.*which), percent(bram.*which),
                                power.*which, cores.*which, units.*which);
        };
        row("*least*", &Spread::least);
        row("*mean*", &Spread::mean);
        row("*most*", &Spread::most);
    };
    for (const Trimming& t : trimmings) {
        if (t.subject.group != group || text.empty()) {
            foot();
            of.clear();
            group = t.subject.group;
            head(group);
        }
        of.push_back(&t);
        const model::Needs& needs = t.subject.needs;
        text += fmt::format(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.2f} | {} | {:.2f} | {} | {:.2f} |\n", t.subject.name,
            model::countForms(needs.forms), needs.temporaries, needs.constants, needs.stack,
            percent(saved(t.before.area.lut, t.after.area.lut)), percent(saved(t.before.area.ff, t.after.area.ff)),
            percent(saved(t.before.area.dsp, t.after.area.dsp)), percent(saved(t.before.area.bram, t.after.area.bram)),
            powerOf(t.after, t), t.cores.preset.block.processors, t.cores.speedup, t.units.preset.block.lanes,
            t.units.speedup);
    }
    foot();
    return text;
}

std::string trimmingJson(const std::vector<Trimming>& trimmings) {
    nlohmann::ordered_json json;
    for (const Trimming& t : trimmings) {
        const model::Needs& needs = t.subject.needs;
        nlohmann::ordered_json row;
        row["name"] = t.subject.name;
        row["group"] = t.subject.group;
        row["preset"] = t.full.name;
        for (const TrimSubject::Member& member : t.subject.members) row["programs"].push_back(member.file);
        row["instructions"] = model::formNames(needs.forms);
        row["needs"] = {{"instructions", needs.instructions},
                        {"temporaries", needs.temporaries},
                        {"constants", needs.constants},
                        {"predicates", needs.predicates},
                        {"stack", needs.stack},
                        {"branches", needs.branches},
                        {"loops", needs.loops},
                        {"calls", needs.calls},
                        {"sharedBytes", needs.sharedBytes},
                        {"buffers", needs.buffers},
                        {"barriers", needs.barriers},
                        {"textureUnits", needs.textureUnits},
                        {"textureTargets", needs.textureTargets}};
        row["mix"] = jsonOf(mixOf(t.subject.code));
        if (t.subject.executed) row["executed"] = jsonOf(mixOf(*t.subject.executed));
        row["device"] = t.table->title;
        if (t.table->holds) row["holds"] = jsonOf(*t.table->holds);
        for (const model::PartArea& part : model::partsOf(t.full, *t.table)) {
            nlohmann::ordered_json json = {{"name", part.name}, {"unit", part.unit}, {"count", part.count}};
            json.update(jsonOf(part.area));
            row["parts"].push_back(std::move(json));
        }
        row["before"] = jsonOf(t.before.area);
        row["after"] = jsonOf(t.after.area);
        row["power"] = powerOf(t.after, t);
        if (t.modelled)
            row["modelled"] = {
                {"work", t.work}, {"before", t.modelled->before.cycles}, {"after", t.modelled->after.cycles}};
        row["cores"] = jsonOf(t.cores, t);
        row["units"] = jsonOf(t.units, t);
        json.push_back(std::move(row));
    }
    return json.dump(1) + "\n";
}

}  // namespace tessera::tools
