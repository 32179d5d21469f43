// A machine as data: the parameters of parameters.def, each with the place that its number comes from. Presets are TOML
// files: a table for each unit, an array of value and source for each parameter.
//
//   title = "the GPU of seed 004"
//   from = "tessera"          # parameters that are not given are those of this preset
//   memory = "ddr3-1600-x64"  # those of memory outside are this memory's (model/memories), where they are not given
//   without = ["sin", "mul.i32"]  # instructions that the machine has not, or not for this type
//   [block]
//   processors = [4, "seed 004, 2.1: the GPU with four block processors as an example"]
//
// A source begins with "seed" and the section it is found in, with "datasheet:" and its name, or with "ours:" and the
// reason.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/chip/forms.h"
#include "model/chip/policies/words.h"
#include "shader-core/isa/isa.h"

namespace tessera::model {

/// Kind of group that is dispatched first where both wait.
enum class Prefer : uint8_t { Fragments, Vertices };
/// When the next instruction of a group may issue.
enum class Hazards : uint8_t {
    Complete,    ///< when the one before has its result
    Scoreboard,  ///< when what it reads and writes is not waited for
    None,        ///< at once: the program keeps the distances
};
/// Whether rows of lanes in which no thread executes take their cycle.
enum class Rows : uint8_t { All, Active };
/// At whose end a group of fragments is closed though it is not full.
enum class Close : uint8_t { Draw, Primitive };

/// Instructions that cost the same, in the order of the section `instruction`: a word of opcodes.def for each, but for
/// the second and third, which are Alu there.
enum class InstructionClass : uint8_t {
    Alu,
    Multiply,
    Floating,
    Divide,
    Tfu,
    Lighting,
    Texture,
    Control,
    Load,
    Store,
    Atomic,
    Lane,
    Reduce,
};
inline constexpr int kInstructionClasses = 13;
/// Where the data type is not known arithmetic is Alu.
[[nodiscard]] InstructionClass instructionClass(isa::Op op);
[[nodiscard]] InstructionClass instructionClass(isa::Op op, isa::Type type);

struct InstructionTiming {
    uint32_t latency = 0;   ///< cycles from issue until the group may use the result
    uint32_t interval = 0;  ///< cycles between two issues to the class's unit
    bool operator==(const InstructionTiming&) const = default;
};

inline constexpr int kParameters = 0
#define SECTION(...)
#define NUMBER(...) +1
#define CHOICE(...) +1
#define INSTRUCTIONS(...) +2
#define END(...)
#include "model/chip/parameters.def"
#undef SECTION
#undef NUMBER
#undef CHOICE
#undef INSTRUCTIONS
#undef END
    ;

struct Preset {
    std::string name;                              ///< of the file, without its ending
    std::string title;                             ///< one line
    InstructionForms without{};                    ///< instructions that the machine has not
    std::array<std::string, kParameters> sources;  ///< in the order of parameters()

#define SECTION(section, meaning) struct {
#define NUMBER(section, field, unit, least, most, meaning) uint32_t field = least;
#define CHOICE(section, field, Type, words, meaning) Type field = Type{};
#define INSTRUCTIONS(section, field, meaning) InstructionTiming field;
#define END(section) \
    }                \
    section;
#include "model/chip/parameters.def"
#undef SECTION
#undef NUMBER
#undef CHOICE
#undef INSTRUCTIONS
#undef END

    [[nodiscard]] const InstructionTiming& timing(InstructionClass instructions) const;
    [[nodiscard]] bool drawsPictures() const { return raster.rasterizers > 0; }
    /// In some form, in this one.
    [[nodiscard]] bool has(isa::Op op) const;
    [[nodiscard]] bool has(isa::Op op, isa::Type type) const;
};

/// One row of parameters.def.
struct Parameter {
    std::string_view name;  ///< "block.processors"
    std::string_view unit;  ///< "" for a choice
    uint32_t least = 0, most = 0;
    std::string_view words;  ///< of a choice, with | between them; else empty
    std::string_view meaning;
    uint32_t (*get)(const Preset&) = nullptr;  ///< of a choice the number of its word
    void (*set)(Preset&, uint32_t) = nullptr;
};
[[nodiscard]] std::span<const Parameter> parameters();
[[nodiscard]] const Parameter* findParameter(std::string_view name);
/// A parameter's value as a preset has it: a number, or a word.
[[nodiscard]] std::string valueText(const Parameter& parameter, const Preset& preset);

/// Presets that are part of the program, by name: "tessera" first.
[[nodiscard]] std::span<const std::string_view> presetNames();
/// The preset of a name, or of a TOML file (what ends in .toml or has a slash). Empty: *error says
/// "file:line:column: what, and what to do", once.
[[nodiscard]] std::optional<Preset> loadPreset(std::string_view nameOrFile, std::string* error);
/// The text of a preset; `file` is for messages, and its name without folder and ending that of the preset.
[[nodiscard]] std::optional<Preset> readPreset(std::string_view text, std::string_view file, std::string* error);
/// Memories that are part of the program, by name.
[[nodiscard]] std::span<const std::string_view> memoryNames();
/// Memory outside is that of a name, or of a TOML file: [sdram], and the memory_khz of [clock]. False: *error says
/// where and what.
[[nodiscard]] bool setMemory(Preset& preset, std::string_view nameOrFile, std::string* error);
/// "block.processors=8", as `--set` takes it; the machine is checked as a whole.
[[nodiscard]] bool setParameter(Preset& preset, std::string_view assignment, std::string* error);
/// Why the parameters make no machine, with the parameter that is to blame; nothing if they do.
struct PresetProblem {
    const Parameter* parameter = nullptr;
    std::string what;
};
[[nodiscard]] std::optional<PresetProblem> presetProblem(const Preset& preset);
/// All parameters with their sources, as readPreset() reads them.
[[nodiscard]] std::string presetText(const Preset& preset);
/// The parameters as a table in Markdown, for docs/model.md.
[[nodiscard]] std::string parameterTable();

}  // namespace tessera::model
