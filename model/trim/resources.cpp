#include "model/trim/resources.h"

#include <algorithm>
#include <cmath>

namespace tessera::model {

namespace {

constexpr uint32_t kRegisterBits = 128, kComponentBits = 32;
/// An entry of the reconvergence stack: kind, two links, an address, and two masks of a group of 32.
constexpr uint32_t kStackBits = 2 + 6 + 6 + 16 + 32 + 32;
constexpr uint32_t kLineBits = 512;

bool targetIsThere(const Preset& preset, isa::TextureTarget target) {
    switch (target) {
        case isa::TextureTarget::Tex2D:
            return true;
        case isa::TextureTarget::Cube:
            return preset.texture.cube != 0;
        case isa::TextureTarget::Tex3D:
            return preset.texture.volume != 0;
        case isa::TextureTarget::External:
            return preset.texture.external != 0;
        case isa::TextureTarget::Shadow2D:
        case isa::TextureTarget::ShadowArray2D:
            return preset.texture.shadow != 0;
        case isa::TextureTarget::ShadowCube:
            return preset.texture.shadow != 0 && preset.texture.cube != 0;
        case isa::TextureTarget::Array2D:
            return true;
    }
    return false;
}

uint32_t divideUp(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

/// The registers that one instruction of the machine reads side by side.
uint32_t sourcesReadAtOnce(const Preset& preset) {
    int sources = 0;
    for (int i = 0; i < isa::kOpCount; ++i)
        if (const auto op = static_cast<isa::Op>(i); preset.has(op))
            sources = std::max(sources, isa::sourceCount(isa::opInfo(op).shape));
    return static_cast<uint32_t>(std::max(sources, 1));
}

/// Shared memory is reached by ports, not by banks.
bool hasPorts(const Preset& preset) { return preset.shared.banks == 0 && preset.block.shared_bytes > 0; }

/// Sums of parts, and the squares of their deviations.
class Sum {
public:
    void add(std::string_view unit, const Area& area, double uncertainty) {
        auto found = std::ranges::find(estimate_.units, unit, &UnitArea::unit);
        if (found == estimate_.units.end()) found = estimate_.units.insert(found, {std::string(unit), {}});
        found->area += area;
        estimate_.area += area;
        const auto square = [&](double x) { return (uncertainty * x) * (uncertainty * x); };
        estimate_.deviation += {square(area.lut), square(area.ff), square(area.dsp), square(area.bram)};
    }
    MachineEstimate finish(const ResourceTable& table) {
        Area& d = estimate_.deviation;
        d = {std::sqrt(d.lut), std::sqrt(d.ff), std::sqrt(d.dsp), std::sqrt(d.bram)};
        const Area &a = estimate_.area, &w = table.power.weights;
        estimate_.power = w.lut * a.lut + w.ff * a.ff + w.dsp * a.dsp + w.bram * a.bram;
        return std::move(estimate_);
    }

private:
    MachineEstimate estimate_;
};

}  // namespace

uint32_t countOf(Per per, const Preset& preset) {
    const auto& block = preset.block;
    switch (per) {
        case Per::Element:
            return block.processors * block.lanes * block.components;
        case Per::Lane:
            return block.processors * block.lanes;
        case Per::Processor:
            return block.processors;
        case Per::Group:
            return block.processors * block.groups;
        case Per::Rasterizer:
            return preset.raster.rasterizers;
        case Per::TextureEngine:
            return preset.texture.engines;
        case Per::PixelEngine:
            return preset.drawsPictures() ? preset.pixel.engines : 0;
        case Per::Graphics:
            return preset.drawsPictures() ? 1 : 0;
        case Per::Chip:
            return 1;
        case Per::ReadPort:
            return hasPorts(preset) ? block.processors * preset.shared.read_ports : 0;
        case Per::WritePort:
            return hasPorts(preset) ? block.processors * preset.shared.write_ports : 0;
    }
    return 0;
}

bool hasPart(const Preset& preset, const Part& part) {
    if (part.target && !targetIsThere(preset, *part.target)) return false;
    if (part.always) return true;
    for (int i = 0; i < isa::kOpCount; ++i)
        for (int type = 0; type < kTypes; ++type)
            if (part.forms[static_cast<size_t>(i)] >> type & 1 &&
                preset.has(static_cast<isa::Op>(i), static_cast<isa::Type>(type)))
                return true;
    return false;
}

std::vector<Memory> memoriesOf(const Preset& p) {
    const auto& block = p.block;
    const uint32_t copies = sourcesReadAtOnce(p);
    std::vector<Memory> memories = {
        {"instructions", "memory", p.program.instructions, kRegisterBits, block.processors},
        {"constants", "memory", p.program.constants, kRegisterBits, block.processors},
        {"registers", "memory", divideUp(block.registers, block.lanes), kComponentBits,
         block.processors * block.lanes * block.components * copies},
        {"predicates", "memory", block.groups, p.program.predicates * block.threads, block.processors},
        {"reconvergence stack", "memory",
         p.has(isa::Op::If) || p.has(isa::Op::Loop) || p.has(isa::Op::Call) ? block.groups * p.program.stack : 0,
         kStackBits, block.processors},
    };
    // Banks are memories of their own; ports are copies, all of which are written (seed 000, II-A).
    const uint32_t words = block.shared_bytes / 4;
    if (p.shared.banks)
        memories.push_back({"shared memory", "memory", divideUp(words, p.shared.banks), kComponentBits,
                            block.processors * p.shared.banks});
    else
        memories.push_back({"shared memory", "memory", words, kComponentBits, block.processors * p.shared.read_ports});
    memories.push_back({"first cache", "memory", p.global.cache_bytes * 8 / kLineBits, kLineBits, block.processors});
    memories.push_back({"prefetch memory", "memory", p.prefetch.bytes * 8 / kLineBits, kLineBits, block.processors});
    memories.push_back(
        {"second cache", "memory", p.second.cache_bytes * 8 / kLineBits / p.second.slices, kLineBits, p.second.slices});
    memories.push_back({"texture caches", "memory", p.texture.cache_lines, kLineBits, p.texture.engines});
    if (p.drawsPictures()) {
        memories.push_back({"vertex cache", "memory", p.vertex.cache_lines, kLineBits, 1});
        memories.push_back({"shaded vertices", "memory", p.vertex.store * isa::kGroupSize,
                            (p.interpolation.attributes + 2) * kRegisterBits, 1});
        memories.push_back({"fragments", "memory", p.fragments.store * isa::kGroupSize, kRegisterBits, 1});
        memories.push_back({"depth caches", "memory", p.early.cache_lines, kLineBits, p.raster.rasterizers});
        memories.push_back({"pixel caches", "memory", p.pixel.cache_lines, kLineBits, p.pixel.engines});
    }
    return memories;
}

Area areaOf(const Memory& memory, const ResourceTable& table) {
    if (memory.words == 0 || memory.bits == 0) return {};
    const double copies = memory.copies;
    if (memory.words <= table.memory.tableWords) return {.lut = copies * memory.bits};
    return {.bram = copies * divideUp(memory.bits, table.memory.blockBits) *
                    divideUp(memory.words, table.memory.blockWords)};
}

std::vector<PartArea> partsOf(const Preset& preset, const ResourceTable& table) {
    std::vector<PartArea> parts;
    const auto add = [&](const Part& part, uint32_t count) {
        parts.push_back({part.name, part.unit, count, static_cast<double>(count) * part.area, part.uncertainty});
    };
    for (const Part& part : table.parts)
        if (const uint32_t count = countOf(part.per, preset); count > 0 && hasPart(preset, part)) add(part, count);
    InstructionForms forms = allForms();
    for (size_t op = 0; op < forms.size(); ++op) forms[op] &= static_cast<uint8_t>(~preset.without[op]);
    add(table.decode, static_cast<uint32_t>(countForms(forms)) * countOf(table.decode.per, preset));
    for (const Memory& memory : memoriesOf(preset))
        if (const Area area = areaOf(memory, table); area != Area{})
            parts.push_back({memory.name, memory.unit, memory.copies, area, 0});
    return parts;
}

MachineEstimate estimate(const Preset& preset, const ResourceTable& table) {
    Sum sum;
    for (const PartArea& part : partsOf(preset, table)) sum.add(part.unit, part.area, part.uncertainty);
    return sum.finish(table);
}

double relativePower(const MachineEstimate& now, const MachineEstimate& before, const ResourceTable& table) {
    const double board = table.power.board * before.power;
    return (board + now.power) / (board + before.power);
}

}  // namespace tessera::model
