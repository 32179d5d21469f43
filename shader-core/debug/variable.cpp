#include "shader-core/debug/variable.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include <fmt/format.h>

#include "shader-core/debug/replay/block_variable.h"
#include "shader-core/isa/scalar.h"
#include "shader-core/isa/stage_registers.h"

namespace tessera::debug {

using isa::DebugPlace;
using isa::DebugVariable;

// --- Registers at a moment ---

Moment::Moment(const Group& g, const State& state)
    : group(g),
      pc(state.pc),
      execMask(state.execMask),
      ended(state.ended),
      stack(state.stack),
      temps(state.temps.data()),
      outputs(state.outputs.data()),
      address(&state.address),
      predicates(state.predicates.data()),
      types(state.types) {}

Moment::Moment(const Group& g, const interp::Step& step, const WrittenTypes& writtenTypes)
    : group(g),
      pc(step.pc),
      execMask(step.execMask),
      stack(step.stack, static_cast<size_t>(step.stackDepth)),
      temps(step.temps),
      outputs(step.outputs),
      address(step.address),
      predicates(step.predicates),
      types(writtenTypes) {}

std::optional<uint32_t> Moment::bits(isa::File file, int index, int component, int lane) const {
    const auto i = static_cast<size_t>(index);
    const auto of = [&](const isa::GroupRegister& reg) {
        return __builtin_bit_cast(uint32_t, reg.lane[component][lane]);
    };
    if (!isa::registerExists(file, index)) return std::nullopt;
    switch (file) {
        case isa::File::R:
            return i < group.program->tempCount ? std::optional(of(temps[i])) : std::nullopt;
        case isa::File::V:
            return i < group.inputs.size() ? std::optional(of(group.inputs[i])) : std::nullopt;
        case isa::File::C:
            if (i >= group.constants.size()) return std::nullopt;
            return __builtin_bit_cast(uint32_t, group.constants[i][static_cast<size_t>(component)]);
        case isa::File::O:
            return i < isa::kMaxOutputs ? std::optional(of(outputs[i])) : std::nullopt;
        case isa::File::A:
            return of(*address);
        case isa::File::P:
            return predicates[i] >> lane & 1;
        case isa::File::S:
            if (index == static_cast<int>(isa::Special::Lane)) return component == 0 ? static_cast<uint32_t>(lane) : 0u;
            return group.knownSpecials.has(index) ? std::optional(of(group.specials[i])) : std::nullopt;
        case isa::File::I:
            break;
    }
    return std::nullopt;
}

Format Moment::writtenAs(isa::File file, int index, int component, int lane) const {
    return types.of(file, index, component).in(lane);
}

std::optional<uint32_t> Moment::pcOf(int lane) const {
    if (ended) return std::nullopt;
    if ((execMask >> lane & 1) != 0) return pc;
    for (size_t i = stack.size(); i-- > 0;) {
        if ((stack[i].waiting >> lane & 1) != 0) return stack[i].target;
        if ((stack[i].continuing >> lane & 1) != 0) return stack[i].target;  // endloop, as the lanes that broke
    }
    return std::nullopt;  // returned for good
}

// --- Values ---

Shape shapeOf(isa::VarType type, int arraySize) {
    return {isa::componentCount(type), isa::columnCount(type), arraySize};
}

std::string valueText(const Value& value) {
    const Shape& shape = value.shape;
    size_t next = 0;
    std::string text = shape.elements != 0 ? "[" : "";
    for (int element = 0; element < std::max(shape.elements, 1); ++element) {
        if (element != 0) text += ", ";
        for (int column = 0; column < shape.columns; ++column) {
            text += column != 0 ? " (" : shape.columns > 1 ? "(" : "";
            for (int row = 0; row < shape.rows; ++row) {
                const Element& one = value.elements[next++];
                if (row != 0) text += ' ';
                text += one.missing.empty() ? valueText(one.bits, one.format) : fmt::format("<{}>", one.missing);
            }
            if (shape.columns > 1) text += ')';
        }
    }
    if (shape.elements != 0) text += ']';
    return text;
}

// --- Names ---

namespace {

Named inRegisters(isa::File file, int first, int component, const Shape& shape, std::optional<Format> format) {
    Named named{shape, {}, format, nullptr};
    const int columns = shape.columns * std::max(shape.elements, 1);
    for (int column = 0; column < columns; ++column)
        for (int row = 0; row < shape.rows; ++row)
            named.components.push_back({file, first + column, component + row, 0});
    return named;
}

std::optional<Named> interfaceVariable(const std::vector<isa::Variable>& list, isa::File file, int base,
                                       std::string_view name) {
    for (const isa::Variable& v : list)
        if (v.name == name && !isa::isSampler(v.type))
            return inRegisters(file, base + v.reg, v.component, shapeOf(v.type, v.arraySize), formatOf(v.type));
    return std::nullopt;
}

/// A member of a uniform block.
std::optional<Named> blockMember(const isa::Program& program, std::string_view name) {
    const std::optional<BlockVariable> found = findBlockVariable(program, name);
    if (!found) return std::nullopt;
    const isa::BlockMember& member = *found->member;
    Named named{shapeOf(member.type, member.arraySize), {}, formatOf(member.type), nullptr, true};
    for (const ConstantWord& word : wordsOf(*found))
        named.components.push_back({isa::File::C, word.reg, word.component, 0});
    if (named.components.size() != static_cast<size_t>(named.shape.count())) return std::nullopt;
    return named;
}

std::optional<Named> builtIn(bool vertex, std::string_view name) {
    struct BuiltIn {
        bool vertex;
        std::string_view name;
        isa::File file;
        int index, rows;
        Format format = Format::F32;
        int component = 0;
    };
    static constexpr BuiltIn kBuiltIns[] = {
        {true, "gl_Position", isa::File::O, isa::kOutPosition, 4},
        {true, "gl_PointSize", isa::File::O, isa::kOutPointSize, 1},
        {false, "gl_FragColor", isa::File::O, isa::kOutColor0, 4},
        {true, "gl_VertexID", isa::File::S, static_cast<int>(isa::Special::InstanceId), 1, Format::I32, 1},
        {true, "gl_InstanceID", isa::File::S, static_cast<int>(isa::Special::InstanceId), 1, Format::I32},
        {false, "gl_FragDepth", isa::File::O, isa::kOutDepth, 1},
        {false, "gl_FragDepthEXT", isa::File::O, isa::kOutDepth, 1},
        {false, "gl_SecondaryFragColorEXT", isa::File::O, isa::kOutSecondColor, 4},
        {false, "gl_FragCoord", isa::File::S, static_cast<int>(isa::Special::FragCoord), 4},
        {false, "gl_FrontFacing", isa::File::S, static_cast<int>(isa::Special::FrontFacing), 1, Format::Bool},
        {false, "gl_PointCoord", isa::File::S, static_cast<int>(isa::Special::PointCoord), 2},
    };
    if (!vertex && name == "gl_LastFragData")
        return inRegisters(isa::File::V, isa::kInLastColor0, 0, {4, 1, isa::kColors}, Format::F32);
    for (const BuiltIn& one : kBuiltIns)
        if (one.vertex == vertex && one.name == name)
            return inRegisters(one.file, one.index, one.component, {one.rows, 1, 0}, one.format);
    return std::nullopt;
}

Named namedLocal(const DebugVariable& variable) {
    Named named{shapeOf(variable.type, variable.arraySize), {}, formatOf(variable.type), &variable};
    if (!variable.typed) named.format.reset();
    const int columns = named.shape.columns * std::max(named.shape.elements, 1);
    for (int column = 0; column < columns; ++column)
        for (int row = 0; row < named.shape.rows; ++row)
            named.components.push_back({isa::File::R, 0, 0, static_cast<uint16_t>(4 * column + row)});
    return named;
}

/// Other registers than these are no registers of the program, whatever the machine has.
bool canHave(const isa::Program& program, isa::File file, int index) {
    if (file == isa::File::R) return index < program.tempCount;
    if (file == isa::File::S) return isa::specialExists(program.stage, index);
    return true;
}

const DebugPlace* placeAt(const DebugVariable& variable, uint16_t slot, uint32_t pc) {
    const auto after = std::ranges::upper_bound(variable.ranges, std::pair(slot, pc), {}, [](const isa::DebugRange& r) {
        return std::pair(r.component, r.begin);
    });
    if (after == variable.ranges.begin()) return nullptr;
    const isa::DebugRange& range = *std::prev(after);
    return range.component == slot && pc < range.end ? &range.place : nullptr;
}

/// A function may be inlined at several places: only one of its instances has values at an instruction.
bool isAssigned(const DebugVariable& variable, uint32_t pc) {
    return std::ranges::any_of(variable.ranges,
                               [&](const isa::DebugRange& range) { return range.begin <= pc && pc < range.end; });
}

constexpr std::string_view whyMissing(DebugPlace::Kind kind) {
    switch (kind) {
        case DebugPlace::Kind::NotAssigned:
            return "not assigned yet";
        case DebugPlace::Kind::NotComputed:
            return "optimised away: no instruction computes it";
        case DebugPlace::Kind::Overwritten:
            return "optimised away: nothing needs it any more, and its register holds something else";
        case DebugPlace::Kind::Ambiguous:
            return "optimised away: the ways that lead here left it in different places";
        default:
            return {};
    }
}

}  // namespace

std::vector<const DebugVariable*> localsAt(const isa::Program& program, uint32_t line, uint32_t pc) {
    std::vector<const DebugVariable*> list;
    if (!program.debugInfo) return list;
    for (const DebugVariable& variable : program.debugInfo->variables) {
        if (line < variable.firstLine || line > variable.lastLine) continue;
        const auto same =
            std::ranges::find_if(list, [&](const DebugVariable* other) { return other->name == variable.name; });
        if (same == list.end()) {
            list.push_back(&variable);
            continue;
        }
        const bool inner = variable.firstLine > (*same)->firstLine ||
                           (variable.firstLine == (*same)->firstLine && variable.lastLine < (*same)->lastLine);
        const bool sameScope = variable.firstLine == (*same)->firstLine && variable.lastLine == (*same)->lastLine;
        if (inner || (sameScope && !isAssigned(**same, pc))) *same = &variable;
    }
    return list;
}

std::string functionAt(const isa::Program& program, uint32_t pc) {
    if (!program.debugInfo) return {};
    const auto& all = program.debugInfo->variables;
    const auto found = std::ranges::find_if(
        all, [&](const DebugVariable& variable) { return !variable.function.empty() && isAssigned(variable, pc); });
    return found != all.end() ? found->function : std::string();
}

std::optional<Named> findVariable(const isa::Program& program, uint32_t line, uint32_t pc, std::string_view name) {
    for (const DebugVariable* variable : localsAt(program, line, pc))
        if (variable->name == name) return namedLocal(*variable);
    const bool vertex = program.stage == isa::Stage::Vertex;
    if (auto found = interfaceVariable(program.uniforms, isa::File::C, 0, name)) return found;
    if (auto found = interfaceVariable(program.attributes, isa::File::V, 0, name)) return found;
    if (auto found = interfaceVariable(program.varyings, vertex ? isa::File::O : isa::File::V,
                                       vertex ? isa::kOutVarying0 : 0, name))
        return found;
    if (auto found = interfaceVariable(program.outputs, isa::File::O, isa::kOutColor0, name)) return found;
    if (auto found = builtIn(vertex, name)) return found;
    if (auto found = blockMember(program, name)) return found;
    std::optional<Named> reg = findRegister(name);
    if (reg && !canHave(program, reg->components[0].file, reg->components[0].index)) return std::nullopt;
    return reg;
}

std::vector<uint32_t> elementsOf(const isa::Program& program, uint32_t line, uint32_t pc, std::string_view name) {
    std::vector<uint32_t> list;
    const auto look = [&](std::string_view variable) {
        if (!variable.starts_with(name) || !variable.substr(name.size()).starts_with('[')) return;
        variable.remove_prefix(name.size() + 1);
        uint32_t index = 0;
        const auto [end, error] = std::from_chars(variable.data(), variable.data() + variable.size(), index);
        if (error == std::errc()) list.push_back(index);
    };
    for (const DebugVariable* variable : localsAt(program, line, pc)) look(variable->name);
    for (const auto* variables : {&program.uniforms, &program.attributes, &program.varyings})
        for (const isa::Variable& one : *variables) look(one.name);
    for (const BlockVariable& one : blockVariables(program)) look(one.name);
    std::ranges::sort(list);
    const auto again = std::ranges::unique(list);
    list.erase(again.begin(), again.end());
    return list;
}

std::optional<Named> findRegister(std::string_view name) {
    const std::optional<RegisterName> reg = parseRegister(name);
    if (!reg || name.find('.') != std::string_view::npos) return std::nullopt;
    return inRegisters(reg->file, reg->index, 0, {reg->file == isa::File::P ? 1 : 4, 1, 0}, std::nullopt);
}

bool Named::neverChanges() const {
    return isRegister() && std::ranges::all_of(components, [](const Component& one) {
               return one.file == isa::File::V || one.file == isa::File::C || one.file == isa::File::S;
           });
}

bool chooseElement(Named& named, int index) {
    Shape& shape = named.shape;
    const bool element = shape.elements != 0, column = !element && shape.columns > 1;
    const int limit = element ? shape.elements : column ? shape.columns : shape.rows;
    if (index < 0 || index >= limit || (!element && !column && shape.rows == 1)) return false;
    (element ? shape.elements : column ? shape.columns : shape.rows) = element ? 0 : 1;
    const int size = shape.count();
    const auto first = named.components.begin() + static_cast<std::ptrdiff_t>(index) * size;
    named.components = std::vector(first, first + size);
    return true;
}

bool chooseComponents(Named& named, std::string_view swizzle) {
    if (!named.shape.isVector() || swizzle.empty() || swizzle.size() > 4) return false;
    std::vector<Named::Component> chosen;
    std::string_view letters = kComponents;  // all of one set
    for (const std::string_view set : {std::string_view("rgba"), std::string_view("stpq")})
        if (set.find(swizzle[0]) != std::string_view::npos) letters = set;
    for (const char c : swizzle) {
        const size_t at = letters.find(c);
        if (at >= named.components.size()) return false;
        chosen.push_back(named.components[at]);
    }
    named.components = std::move(chosen);
    named.shape.rows = static_cast<int>(swizzle.size());
    return true;
}

std::optional<DebugPlace> placeOf(const Named& named, size_t i, const Moment& moment, int lane) {
    const Named::Component& component = named.components[i];
    if (named.isRegister()) {
        DebugPlace place;
        place.kind = DebugPlace::Kind::Register;
        place.file = component.file;
        place.index = static_cast<uint16_t>(component.index);
        place.component = static_cast<uint8_t>(component.component);
        return place;
    }
    // An alias is its register wherever the lane is.
    const std::optional<uint32_t> pc = named.local->typed ? moment.pcOf(lane) : moment.pc;
    if (!pc) return std::nullopt;
    const DebugPlace* place = placeAt(*named.local, component.slot, *pc);
    return place != nullptr ? *place : DebugPlace{};
}

Value read(const Named& named, const Moment& moment, int lane) {
    Value value{named.shape, {}};
    for (size_t i = 0; i < named.components.size(); ++i) {
        const std::optional<DebugPlace> place = placeOf(named, i, moment, lane);
        Element one;
        if (!place) {
            one.missing = "out of scope: the lane has ended";
        } else if (place->kind == DebugPlace::Kind::Constant) {
            one.bits = place->bits;
        } else if (place->kind == DebugPlace::Kind::Register) {
            const std::optional<uint32_t> bits = moment.bits(place->file, place->index, place->component, lane);
            one.bits = isa::scalar::modified(isa::Type::F32, bits.value_or(0), place->absolute, place->negate);
            if (!bits)
                one.missing = place->file == isa::File::S ? "not available: the program does not read it"
                                                          : "the program has no such register";
            if (named.isOfBlock && named.format == Format::Bool && one.bits != 0) one.bits = isa::scalar::kOne;
            if (!named.format) one.format = moment.writtenAs(place->file, place->index, place->component, lane);
        } else {
            one.missing = whyMissing(place->kind);
        }
        if (named.format) one.format = *named.format;
        value.elements.push_back(one);
    }
    return value;
}

std::string placeText(const Named& named, const Moment& moment, int lane) {
    std::string text, last;
    bool constant = false;
    for (size_t i = 0; i < named.components.size(); ++i) {
        const std::optional<DebugPlace> place = placeOf(named, i, moment, lane);
        if (!place) return "";
        constant |= place->kind == DebugPlace::Kind::Constant;
        if (place->kind != DebugPlace::Kind::Register) continue;
        const std::string name =
            (place->absolute || place->negate ? "of " : "") + registerName(place->file, place->index);
        if (name != last) text += fmt::format("{}{}.", text.empty() ? "" : ", ", name);
        text += kComponents[place->component];
        last = name;
    }
    if (constant) text += text.empty() ? "constant" : ", constants";
    return text;
}

}  // namespace tessera::debug
