// What a machine costs on an FPGA: the parts of model/presets/resources.toml, added up for a preset. Every number of
// the table has a source and an uncertainty; docs/trim.md says what the sums are worth.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/chip/preset.h"

namespace tessera::model {

/// Look-up tables, flip-flops, DSP blocks and memory blocks.
struct Area {
    double lut = 0, ff = 0, dsp = 0, bram = 0;

    Area& operator+=(const Area& other) {
        lut += other.lut, ff += other.ff, dsp += other.dsp, bram += other.bram;
        return *this;
    }
    friend Area operator*(double times, const Area& area) {
        return {times * area.lut, times * area.ff, times * area.dsp, times * area.bram};
    }
    /// Nothing of it is more than what there is of `room`.
    [[nodiscard]] bool fits(const Area& room) const {
        return lut <= room.lut && ff <= room.ff && dsp <= room.dsp && bram <= room.bram;
    }
    bool operator==(const Area&) const = default;
};

/// What a part is there once for.
enum class Per : uint8_t {
    Element,    ///< a component of a lane: four in each
    Lane,       ///< that executes in a cycle
    Processor,  ///< block processor
    Group,      ///< resident in a block processor
    Rasterizer,
    TextureEngine,
    PixelEngine,
    Graphics,  ///< a machine that draws
    Chip,
    ReadPort,   ///< of shared memory, where it has ports instead of banks
    WritePort,  ///< of it
};
/// How many there are in a machine.
[[nodiscard]] uint32_t countOf(Per per, const Preset& preset);

struct Part {
    std::string name, unit, source;
    Per per = Per::Chip;
    Area area;
    double uncertainty = 0;                    ///< one standard deviation, as a part of each number
    InstructionForms forms{};                  ///< that it is for
    bool always = false;                       ///< it is there whatever the instructions
    std::optional<isa::TextureTarget> target;  ///< it is for: cube, 3D, shadow or external; none: all
};

struct ResourceTable {
    std::string title;
    /// Of a device: what one has room for. Nothing of the table alone.
    std::optional<Area> holds;
    std::vector<Part> parts;
    Part decode;  ///< for each instruction and type, in each block processor
    struct {
        uint32_t blockWords = 1, blockBits = 1, tableWords = 0;
        std::string source;
    } memory;
    struct {
        Area weights;      ///< power of each, in that of a LUT
        double board = 0;  ///< what is not the machine's, in parts of the power of the machine before trimming
        double uncertainty = 0;
        std::string source;
    } power;
};

/// The table that is part of the program.
[[nodiscard]] const ResourceTable& resourceTable();
/// Empty: *error says "file:line:column: what, and what to do", once.
[[nodiscard]] std::optional<ResourceTable> readResources(std::string_view text, std::string_view file,
                                                         std::string* error);

/// The table for an FPGA: parts that it makes otherwise, its blocks of RAM, and what it holds.
[[nodiscard]] std::span<const std::string_view> deviceNames();
/// Of a name, or of a TOML file. Empty: *error says where and what, once.
[[nodiscard]] std::optional<ResourceTable> loadDevice(std::string_view nameOrFile, std::string* error);
/// Its text, over resourceTable().
[[nodiscard]] std::optional<ResourceTable> readDevice(std::string_view text, std::string_view file, std::string* error);

/// Whether the machine has the part, once for each countOf().
[[nodiscard]] bool hasPart(const Preset& preset, const Part& part);

/// The memories of a machine, as blocks and tables.
struct Memory {
    std::string_view name;
    std::string_view unit;
    uint32_t words = 0, bits = 0;  ///< of one copy
    uint32_t copies = 0;           ///< for ports, and for all units that have one
};
[[nodiscard]] std::vector<Memory> memoriesOf(const Preset& preset);
[[nodiscard]] Area areaOf(const Memory& memory, const ResourceTable& table);

/// A part of a machine, or one of its memories: all of them together.
struct PartArea {
    std::string_view name, unit;
    uint32_t count = 0;  ///< of it
    Area area;           ///< of all
    double uncertainty = 0;
};
/// In the order of the table, decoding and memories last. `table` outlives them.
[[nodiscard]] std::vector<PartArea> partsOf(const Preset& preset, const ResourceTable& table);

struct UnitArea {
    std::string unit;
    Area area;
};
struct MachineEstimate {
    Area area;
    Area deviation;               ///< one standard deviation of `area`: the parts' taken as independent of each other
    std::vector<UnitArea> units;  ///< in the order of the table, decoding and memory last; they add up to `area`
    double power = 0;             ///< of the machine without its board, in the table's unit
};
[[nodiscard]] MachineEstimate estimate(const Preset& preset, const ResourceTable& table);
/// Power of `now` with its board, in parts of that of `before`.
[[nodiscard]] double relativePower(const MachineEstimate& now, const MachineEstimate& before,
                                   const ResourceTable& table);

}  // namespace tessera::model
