#include "model/chip/preset.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <functional>
#include <initializer_list>
#include <utility>

#include "base/nearest.h"
#include "base/process/read_file.h"
#include "model/chip/preset_files.h"
#include "model/chip/toml.h"

namespace tessera::model {
namespace {

constexpr uint32_t countWords(std::string_view words) {
    return static_cast<uint32_t>(std::count(words.begin(), words.end(), '|')) + 1;
}

constexpr Parameter kRows[] = {
#define SECTION(...)
#define END(...)
#define NUMBER(section, field, unit, least, most, meaning)                  \
    {#section "." #field,                                                   \
     unit,                                                                  \
     least,                                                                 \
     most,                                                                  \
     "",                                                                    \
     meaning,                                                               \
     [](const Preset& preset) -> uint32_t { return preset.section.field; }, \
     [](Preset& preset, uint32_t value) { preset.section.field = value; }},
#define CHOICE(section, field, Type, words, meaning)                                               \
    {#section "." #field,                                                                          \
     "",                                                                                           \
     0,                                                                                            \
     countWords(words) - 1,                                                                        \
     words,                                                                                        \
     meaning,                                                                                      \
     [](const Preset& preset) -> uint32_t { return static_cast<uint32_t>(preset.section.field); }, \
     [](Preset& preset, uint32_t value) { preset.section.field = static_cast<Type>(value); }},
#define TIMING(section, field, part, meaning)                                    \
    {#section "." #field "." #part,                                              \
     "cycles",                                                                   \
     1,                                                                          \
     4096,                                                                       \
     "",                                                                         \
     meaning,                                                                    \
     [](const Preset& preset) -> uint32_t { return preset.section.field.part; }, \
     [](Preset& preset, uint32_t value) { preset.section.field.part = value; }},
#define INSTRUCTIONS(section, field, meaning) \
    TIMING(section, field, latency, meaning) TIMING(section, field, interval, meaning)
#include "model/chip/parameters.def"
#undef SECTION
#undef END
#undef NUMBER
#undef CHOICE
#undef TIMING
#undef INSTRUCTIONS
};
static_assert(std::size(kRows) == kParameters);

size_t indexOf(const Parameter& parameter) { return static_cast<size_t>(&parameter - kRows); }

std::string_view wordAt(std::string_view words, uint32_t number) {
    for (; number > 0; --number) words.remove_prefix(words.find('|') + 1);
    return words.substr(0, words.find('|'));
}

std::string listed(std::string_view words) {
    std::string text;
    for (uint32_t i = 0; i < countWords(words); ++i) text += fmt::format("{}\"{}\"", i ? ", " : "", wordAt(words, i));
    return text;
}

/// ", did you mean NAME?" for a misspelt name, or nothing.
std::string suggestion(std::span<const std::string_view> names, std::string_view misspelt) {
    const std::string_view near = nearest(names, misspelt);
    return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

std::string unknownParameter(std::string_view name) {
    std::vector<std::string_view> names, units;
    for (const Parameter& parameter : kRows) {
        names.push_back(parameter.name);
        const std::string_view unit = parameter.name.substr(0, parameter.name.find('.'));
        if (units.empty() || units.back() != unit) units.push_back(unit);
    }
    const std::string_view unit = name.substr(0, name.find('.'));
    if (std::find(units.begin(), units.end(), unit) == units.end())
        return fmt::format("no unit of the machine is called {}{}", unit, suggestion(units, unit));
    return fmt::format("no parameter is called {}{}", name, suggestion(names, name));
}

/// Why the number is no value of the parameter; empty if it is.
std::string outOfRange(const Parameter& parameter, int64_t value) {
    if (value >= parameter.least && value <= parameter.most) return "";
    return fmt::format("{} = {} is out of range; give {} to {}{}{}", parameter.name, value, parameter.least,
                       parameter.most, parameter.unit.empty() ? "" : " ", parameter.unit);
}

/// Whether `name` is a table that the parameter is in.
bool isWithin(const Parameter& parameter, std::string_view name) {
    return parameter.name.starts_with(name) && parameter.name.substr(name.size()).starts_with('.');
}

/// The number of a choice's word, or -1.
int wordNumber(const Parameter& parameter, std::string_view word) {
    for (uint32_t i = 0; i < countWords(parameter.words); ++i)
        if (wordAt(parameter.words, i) == word) return static_cast<int>(i);
    return -1;
}

std::string noWord(const Parameter& parameter, std::string_view given) {
    return fmt::format("{} is not {}; give one of {}", parameter.name, given, listed(parameter.words));
}

std::string_view fileStem(std::string_view file) {
    if (const size_t slash = file.rfind('/'); slash != std::string_view::npos) file.remove_prefix(slash + 1);
    return file.substr(0, file.rfind(".toml"));
}

/// What a memory gives: all that a preset has of memory outside, and of its clock.
bool isOfMemory(const Parameter& parameter) {
    return parameter.name.starts_with("sdram.") || parameter.name == "clock.memory_khz";
}

constexpr bool kIsMemory = true;

std::optional<Preset> readFrom(std::string_view text, std::string_view file, int depth, std::string* error);

/// Reads one file. Problems are kept as text with their place; the first one counts.
class Reader {
public:
    /// `isMemory`: the file gives what a memory gives, and no more.
    Reader(std::string_view file, int depth, bool isMemory = false) : file_(file), depth_(depth), isMemory_(isMemory) {}

    std::optional<Preset> read(std::string_view text, std::string* error) {
        const std::optional<toml::table> parsed = parseToml(text, file_, error);
        if (!parsed) {
            *error += isMemory_ ? "; memories are TOML files" : "; presets are TOML files";
            return std::nullopt;
        }
        const toml::table& table = *parsed;
        preset_.name = fileStem(file_);
        const toml::node *from = table.get("from"), *memory = table.get("memory");
        if (from && !isMemory_) readBase(*from);
        if (memory && !isMemory_) readMemory(*memory);
        for (const auto& [key, node] : table) {
            if (!isMemory_ && (&node == from || &node == memory)) continue;
            if (key == "title") {
                readTitle(node);
            } else if (key == "without" && !isMemory_) {
                readWithout(node);
            } else if (const toml::table* unit = node.as_table()) {
                readUnit(key.str(), key.source().begin, *unit);
            } else {
                fail(key.source().begin, [name = std::string(key.str())] { return unknownParameter(name); });
            }
        }
        if (!problem_) checkWhole();
        if (!problem_) return std::move(preset_);
        *error = fmt::format("{}:{}:{}: {}", file_, problemAt_.line, problemAt_.column, problem_());
        return std::nullopt;
    }

private:
    /// Says what is wrong. Most of what is found is never said: of 700,000 keys that nobody knows one is.
    using Say = std::function<std::string()>;
    void fail(const toml::source_position& at, Say say) {
        // A table is kept in the order of its keys' names; the first problem is the one that comes first in the file.
        if (problem_ && std::pair(problemAt_.line, problemAt_.column) <= std::pair(at.line, at.column)) return;
        problemAt_ = at;
        problem_ = std::move(say);
    }
    void fail(const toml::source_position& at, const char* what) {
        fail(at, [what] { return std::string(what); });
    }

    void readBase(const toml::node& node) {
        const auto name = node.value_exact<std::string>();
        const toml::source_position at = node.source().begin;
        if (!name) return fail(at, "from names a preset: give a text");
        if (depth_ > 8) return fail(at, "presets that are made from each other; one must stand for itself");
        std::string_view text;
        for (const EmbeddedPreset& embedded : embeddedPresets())
            if (embedded.name == *name) text = embedded.text;
        std::string error;
        if (text.empty()) {
            return fail(at, [name = *name] {
                return fmt::format("no preset is called {}{}", name, suggestion(presetNames(), name));
            });
        }
        std::optional<Preset> base = readFrom(text, *name + ".toml", depth_ + 1, &error);
        if (!base) return fail(at, [error] { return error; });
        const std::string own = preset_.name;
        preset_ = std::move(*base);
        preset_.name = own;
        given_.fill({});
    }

    void readMemory(const toml::node& node) {
        const auto name = node.value_exact<std::string>();
        const toml::source_position at = node.source().begin;
        if (!name) return fail(at, "memory names a file of model/memories: give a text");
        std::string error;
        if (!setMemory(preset_, *name, &error)) return fail(at, [error] { return error; });
    }

    void readTitle(const toml::node& node) {
        if (const auto title = node.value_exact<std::string>())
            preset_.title = *title;
        else
            fail(node.source().begin, "the title is a text");
    }

    void readWithout(const toml::node& node) {
        const toml::array* list = node.as_array();
        if (!list) return fail(node.source().begin, "without is a list of instructions' names");
        preset_.without.fill(0);
        for (const toml::node& item : *list) {
            const std::string name = item.value_exact<std::string>().value_or("");
            const std::optional<NamedForms> forms = formsByName(name);
            if (!forms) return fail(item.source().begin, [name] { return unknownForm(name); });
            preset_.without[static_cast<size_t>(forms->op)] |= forms->types;
        }
    }

    void readUnit(std::string_view prefix, const toml::source_position& at, const toml::table& table) {
        if (table.empty()) {
            return fail(at, [name = std::string(prefix)] {
                return fmt::format("{} has no parameters; leave the table out", name);
            });
        }
        for (const auto& [key, node] : table) {
            const std::string name = fmt::format("{}.{}", prefix, key.str());
            const toml::table* inner = node.as_table();
            if (inner && std::ranges::any_of(kRows, [&](const Parameter& row) { return isWithin(row, name); })) {
                readUnit(name, key.source().begin, *inner);
            } else if (const Parameter* parameter = findParameter(name);
                       parameter && isMemory_ && !isOfMemory(*parameter)) {
                fail(key.source().begin, [name] { return fmt::format("{} is of a preset, not of a memory", name); });
            } else if (parameter) {
                readParameter(*parameter, key.source().begin, node);
            } else {
                fail(key.source().begin, [name] { return unknownParameter(name); });
            }
        }
    }

    void readParameter(const Parameter& parameter, const toml::source_position& at, const toml::node& node) {
        const toml::array* pair = node.as_array();
        if (!pair || pair->size() != 2) {
            return fail(node.source().begin, [&parameter] {
                return fmt::format(
                    "{} is a value and its source; write [value, \"seed ...\"] or [value, \"ours: ...\"]",
                    parameter.name);
            });
        }
        const toml::node &value = *pair->get(0), &source = *pair->get(1);
        if (!parameter.words.empty()) {
            const std::string word = value.value_exact<std::string>().value_or("");
            const int number = wordNumber(parameter, word);
            if (number < 0) {
                return fail(value.source().begin,
                            [&parameter, word] { return noWord(parameter, fmt::format("\"{}\"", word)); });
            }
            parameter.set(preset_, static_cast<uint32_t>(number));
        } else {
            const auto number = value.value_exact<int64_t>();
            if (!number) {
                return fail(value.source().begin,
                            [&parameter] { return fmt::format("{} is a whole number", parameter.name); });
            }
            if (std::string what = outOfRange(parameter, *number); !what.empty())
                return fail(value.source().begin, [what = std::move(what)] { return what; });
            parameter.set(preset_, static_cast<uint32_t>(*number));
        }
        const std::string text = source.value_exact<std::string>().value_or("");
        if (!text.starts_with("seed ") && !text.starts_with("ours: ") && !text.starts_with("datasheet: ")) {
            return fail(source.source().begin, [&parameter] {
                return fmt::format(
                    "where does {} come from? Give \"seed NUMBER, SECTION: ...\", \"datasheet: NAME: ...\" or \"ours: "
                    "REASON\"",
                    parameter.name);
            });
        }
        preset_.sources[indexOf(parameter)] = text;
        given_[indexOf(parameter)] = at;
    }

    void checkWhole() {
        for (const Parameter& parameter : kRows) {
            if (!preset_.sources[indexOf(parameter)].empty() || (isMemory_ && !isOfMemory(parameter))) continue;
            const toml::source_position end{1, 1};
            if (isMemory_) {
                return fail(end, [&parameter] {
                    return fmt::format("{} is not given ({}); a memory gives all of [sdram]", parameter.name,
                                       parameter.meaning);
                });
            }
            return fail(end, [&parameter] {
                return fmt::format("{} is not given ({}); give it, or name a preset to start from: from = \"{}\"",
                                   parameter.name, parameter.meaning, presetNames()[0]);
            });
        }
        if (const auto problem = isMemory_ ? std::nullopt : presetProblem(preset_)) {
            toml::source_position at = given_[indexOf(*problem->parameter)];
            // The parameter is the base's: what this file made of it is its last word.
            for (const toml::source_position& given : given_)
                if (at.line == 0 && given.line > at.line) at = given;
            fail(at.line ? at : toml::source_position{1, 1}, [what = problem->what] { return what; });
        }
    }

    std::string file_;
    int depth_;
    bool isMemory_;
    Preset preset_;
    std::array<toml::source_position, kParameters> given_{};
    Say problem_;  ///< none if there is none
    toml::source_position problemAt_{};
};

std::optional<Preset> readFrom(std::string_view text, std::string_view file, int depth, std::string* error) {
    return Reader(file, depth).read(text, error);
}

std::string inQuotes(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

}  // namespace

InstructionClass instructionClass(isa::Op op) {
    static constexpr InstructionClass kClasses[] = {
#define OP(name, mnemonic, opcode, function, shape, unit, types, cost, set, meaning) InstructionClass::cost,
#include "shader-core/isa/opcodes.def"
#undef OP
    };
    return kClasses[static_cast<size_t>(op)];
}

InstructionClass instructionClass(isa::Op op, isa::Type type) {
    const InstructionClass written = instructionClass(op);
    if (written != InstructionClass::Alu) return written;
    switch (op) {
        case isa::Op::Mov:
        case isa::Op::Sel:
            return InstructionClass::Alu;  // of bits, whatever they mean
        case isa::Op::F2i:
        case isa::Op::I2f:
        case isa::Op::F2h:
        case isa::Op::H2f:
            return InstructionClass::Floating;
        case isa::Op::Mul:
        case isa::Op::Mad:
        case isa::Op::Mulh:
        case isa::Op::Madx:
            return type == isa::Type::F32 ? InstructionClass::Floating : InstructionClass::Multiply;
        default:
            return type == isa::Type::F32 ? InstructionClass::Floating : InstructionClass::Alu;
    }
}

const InstructionTiming& Preset::timing(InstructionClass instructions) const {
    const InstructionTiming* const timings[kInstructionClasses] = {
#define SECTION(...)
#define END(...)
#define NUMBER(...)
#define CHOICE(...)
#define INSTRUCTIONS(section, field, meaning) &section.field,
#include "model/chip/parameters.def"
#undef SECTION
#undef END
#undef NUMBER
#undef CHOICE
#undef INSTRUCTIONS
    };
    return *timings[static_cast<int>(instructions)];
}

bool Preset::has(isa::Op op) const { return (isa::opInfo(op).types & ~without[static_cast<size_t>(op)]) != 0; }

bool Preset::has(isa::Op op, isa::Type type) const {
    return (isa::opInfo(op).types & ~without[static_cast<size_t>(op)] & 1 << static_cast<int>(type)) != 0;
}

std::span<const Parameter> parameters() { return kRows; }

const Parameter* findParameter(std::string_view name) {
    const auto* found =
        std::find_if(std::begin(kRows), std::end(kRows), [&](const Parameter& row) { return row.name == name; });
    return found == std::end(kRows) ? nullptr : found;
}

std::string valueText(const Parameter& parameter, const Preset& preset) {
    const uint32_t value = parameter.get(preset);
    return parameter.words.empty() ? fmt::format("{}", value) : std::string(wordAt(parameter.words, value));
}

std::span<const std::string_view> presetNames() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> list;
        for (const EmbeddedPreset& preset : embeddedPresets()) list.push_back(preset.name);
        return list;
    }();
    return names;
}

std::optional<Preset> loadPreset(std::string_view nameOrFile, std::string* error) {
    for (const EmbeddedPreset& preset : embeddedPresets())
        if (preset.name == nameOrFile) return readPreset(preset.text, fmt::format("{}.toml", preset.name), error);
    if (!nameOrFile.ends_with(".toml") && nameOrFile.find('/') == std::string_view::npos) {
        std::string names;
        for (const std::string_view name : presetNames()) names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
        *error = fmt::format("{}:1:1: no preset has this name{}; there are {}, or give a file that ends in .toml",
                             nameOrFile, suggestion(presetNames(), nameOrFile), names);
        return std::nullopt;
    }
    std::string why;
    const std::optional<std::string> text = readWholeFile(std::string(nameOrFile), why);
    if (!text) {
        *error = fmt::format("{}:1:1: cannot be read: {}", nameOrFile, why);
        return std::nullopt;
    }
    return readPreset(*text, nameOrFile, error);
}

std::optional<Preset> readPreset(std::string_view text, std::string_view file, std::string* error) {
    return readFrom(text, file, 0, error);
}

bool setParameter(Preset& preset, std::string_view assignment, std::string* error) {
    const auto fail = [&](size_t at, std::string_view what) {
        *error = fmt::format("--set {}:1:{}: {}", assignment, at + 1, what);
        return false;
    };
    const size_t equals = assignment.find('=');
    if (equals == std::string_view::npos) return fail(0, "give NAME=VALUE, as block.processors=8");
    const std::string_view name = assignment.substr(0, equals), value = assignment.substr(equals + 1);
    const Parameter* parameter = findParameter(name);
    if (!parameter) return fail(0, unknownParameter(name));
    int64_t number = 0;
    if (!parameter->words.empty()) {
        number = wordNumber(*parameter, value);
        if (number < 0) return fail(equals + 1, noWord(*parameter, value));
    } else {
        const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
        if (problem != std::errc() || end != value.data() + value.size())
            return fail(equals + 1, fmt::format("{} is a whole number", name));
        if (const std::string what = outOfRange(*parameter, number); !what.empty()) return fail(equals + 1, what);
    }
    Preset changed = preset;
    parameter->set(changed, static_cast<uint32_t>(number));
    changed.sources[indexOf(*parameter)] = "ours: given with --set";
    if (const auto unsound = presetProblem(changed)) return fail(equals + 1, unsound->what);
    preset = std::move(changed);
    return true;
}

namespace {

PresetProblem blame(std::string_view name, std::string what) { return {findParameter(name), std::move(what)}; }

std::optional<PresetProblem> noPowerOfTwo(const Preset& preset, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
        const uint32_t value = findParameter(name)->get(preset);
        if (value & (value - 1)) return blame(name, fmt::format("{} = {} is not a power of two", name, value));
    }
    return std::nullopt;
}

/// Why the parameters make no memory.
std::optional<PresetProblem> memoryProblem(const Preset& preset) {
    if (auto problem = noPowerOfTwo(
            preset, {"sdram.channels", "sdram.interleave", "sdram.burst_bytes", "sdram.banks", "sdram.row_bytes"}))
        return problem;
    const auto& sdram = preset.sdram;
    // What is longest between two refreshes: a row that is opened for the longest line, and closed.
    constexpr uint32_t kLongestLine = 1024;
    const uint32_t needed = sdram.refresh_cycles + sdram.activate_cycles +
                            std::max(sdram.read_cycles, sdram.write_cycles) + sdram.four_activates +
                            sdram.activates_apart + kLongestLine / sdram.bytes_per_cycle + 1;
    if (sdram.refresh_every && sdram.refresh_every < needed)
        return blame(
            "sdram.refresh_every",
            fmt::format("sdram.refresh_every = {} leaves no time to read a line between two refreshes; give {} "
                        "or more, or 0",
                        sdram.refresh_every, needed));
    return std::nullopt;
}

}  // namespace

std::optional<PresetProblem> presetProblem(const Preset& preset) {
    if (auto problem = noPowerOfTwo(preset, {"texture.engines", "pixel.engines", "global.line_bytes", "second.slices"}))
        return problem;
    if (auto problem = memoryProblem(preset)) return problem;
    const auto& block = preset.block;
    if (block.threads % block.lanes)
        return blame("block.lanes",
                     fmt::format("block.lanes = {} does not divide block.threads = {}", block.lanes, block.threads));
    if (block.threads != isa::kGroupSize && block.threads != 2 * isa::kGroupSize)
        return blame(
            "block.threads",
            fmt::format("block.threads = {}, but work is recorded in groups of {}; give that, or twice as many",
                        block.threads, isa::kGroupSize));
    if (preset.vertex.cache_lines & (preset.vertex.cache_lines - 1))
        return blame("vertex.cache_lines",
                     fmt::format("vertex.cache_lines = {} is not a power of two", preset.vertex.cache_lines));
    if (block.registers < block.threads)
        return blame("block.registers",
                     fmt::format("block.registers = {} leaves no register for each of the {} threads of one group",
                                 block.registers, block.threads));
    if (preset.drawsPictures()) {
        if (block.threads != isa::kGroupSize)
            return blame("block.threads",
                         fmt::format("a machine that draws has groups of {} threads, two blocks of 4x4 fragments; "
                                     "block.threads = {}, or raster.rasterizers = 0",
                                     isa::kGroupSize, block.threads));
        if (!preset.pixel.engines) return blame("pixel.engines", "a machine that draws needs pixel engines");
        if (!preset.texture.engines && preset.texture.units)
            return blame("texture.engines", "a machine that draws needs texture engines, or texture.units = 0");
    }
    // What takes words takes them one after the other.
    for (const std::string_view name : {"prefetch.bytes", "relay.cycles"})
        if (findParameter(name)->get(preset) && !preset.global.word_cycles)
            return blame(name, fmt::format("{} is for words; it needs global.word_cycles of 1 or more", name));
    if (preset.relay.memory_cycles && !preset.relay.cycles)
        return blame("relay.memory_cycles", "relay.memory_cycles needs relay.cycles of 1 or more");
    // A cache is sets of so many ways, and the number of sets a power of two.
    struct Cache {
        std::string_view lines, ways;
        uint32_t lineBytes;
    };
    for (const Cache& cache : {Cache{"texture.cache_lines", "texture.ways", 1},
                               {"early.cache_lines", "early.ways", 1},
                               {"pixel.cache_lines", "pixel.ways", 1},
                               {"global.cache_bytes", "global.cache_ways", preset.global.line_bytes},
                               {"second.cache_bytes", "second.cache_ways", preset.global.line_bytes}}) {
        const uint32_t size = findParameter(cache.lines)->get(preset), ways = findParameter(cache.ways)->get(preset);
        if (size % (ways * cache.lineBytes) || (size && !std::has_single_bit(size / (ways * cache.lineBytes))))
            return blame(cache.lines,
                         fmt::format("{} = {} is no power of two of sets of {} lines", cache.lines, size, ways));
    }
    const auto& shared = preset.shared;
    if (block.shared_bytes && !shared.banks && !(shared.read_ports && shared.write_ports))
        return blame("shared.banks", "shared memory needs banks, or ports to read and to write");
    return std::nullopt;
}

std::span<const std::string_view> memoryNames() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> list;
        for (const EmbeddedPreset& memory : embeddedMemories()) list.push_back(memory.name);
        return list;
    }();
    return names;
}

bool setMemory(Preset& preset, std::string_view nameOrFile, std::string* error) {
    std::optional<Preset> memory;
    const auto embedded = std::ranges::find(embeddedMemories(), nameOrFile, &EmbeddedPreset::name);
    if (embedded != embeddedMemories().end()) {
        memory = Reader(fmt::format("{}.toml", nameOrFile), 0, kIsMemory).read(embedded->text, error);
    } else if (!nameOrFile.ends_with(".toml") && nameOrFile.find('/') == std::string_view::npos) {
        *error = fmt::format("{}:1:1: no memory has this name{}; there are {}, or give a file that ends in .toml",
                             nameOrFile, suggestion(memoryNames(), nameOrFile), fmt::join(memoryNames(), ", "));
    } else {
        std::string why;
        const std::optional<std::string> text = readWholeFile(std::string(nameOrFile), why);
        if (text)
            memory = Reader(nameOrFile, 0, kIsMemory).read(*text, error);
        else
            *error = fmt::format("{}:1:1: cannot be read: {}", nameOrFile, why);
    }
    if (!memory) return false;
    Preset changed = preset;
    for (const Parameter& parameter : kRows) {
        if (!isOfMemory(parameter)) continue;
        parameter.set(changed, parameter.get(*memory));
        changed.sources[indexOf(parameter)] = memory->sources[indexOf(parameter)];
    }
    if (const auto unsound = memoryProblem(changed)) {
        *error = fmt::format("{}:1:1: {}", nameOrFile, unsound->what);
        return false;
    }
    preset = std::move(changed);
    return true;
}

std::string presetText(const Preset& preset) {
    std::string text = fmt::format("title = {}\n", inQuotes(preset.title));
    std::string without;
    for (const std::string& name : formNames(preset.without))
        without += fmt::format("{}{}", without.empty() ? "" : ", ", inQuotes(name));
    if (!without.empty()) text += fmt::format("without = [{}]\n", without);
    std::string_view unit;
    for (const Parameter& parameter : kRows) {
        const size_t dot = parameter.name.find('.');
        if (unit != parameter.name.substr(0, dot)) {
            unit = parameter.name.substr(0, dot);
            text += fmt::format("\n[{}]\n", unit);
        }
        const std::string value = valueText(parameter, preset);
        text += fmt::format("{} = [{}, {}]\n", parameter.name.substr(dot + 1),
                            parameter.words.empty() ? value : inQuotes(value),
                            inQuotes(preset.sources[indexOf(parameter)]));
    }
    return text;
}

std::string parameterTable() {
    std::string text = "| parameter | unit | from | to | meaning |\n|---|---|---|---|---|\n";
    for (const Parameter& parameter : kRows) {
        if (parameter.words.empty()) {
            text += fmt::format("| `{}` | {} | {} | {} | {} |\n", parameter.name, parameter.unit, parameter.least,
                                parameter.most, parameter.meaning);
        } else {
            text += fmt::format("| `{}` | | {} | | {} |\n", parameter.name, listed(parameter.words), parameter.meaning);
        }
    }
    return text;
}

}  // namespace tessera::model
