// Variables as a user names them (locals, inputs, outputs, uniforms, registers, aliases), and their values in a lane.
#pragma once

#include <span>
#include <vector>

#include "shader-core/debug/replay/replay.h"
#include "shader-core/debug/replay/value.h"
#include "shader-core/isa/debug_info.h"

namespace tessera::debug {

/// The registers of a group before an instruction: at the position of a replay, or at a step on the way.
struct Moment {
    Moment(const Group& group, const State& state);
    Moment(const Group& group, const interp::Step& step, const WrittenTypes& types);

    const Group& group;
    uint32_t pc = 0, execMask = 0;
    bool ended = false;
    std::span<const interp::StackEntry> stack;
    const isa::GroupRegister *temps, *outputs, *address;
    const uint32_t* predicates;
    const WrittenTypes& types;

    /// Nothing where the program has no such register, or nobody knows what it holds.
    [[nodiscard]] std::optional<uint32_t> bits(isa::File file, int index, int component, int lane) const;
    /// How the component was written last (written_types.h).
    [[nodiscard]] Format writtenAs(isa::File file, int index, int component, int lane) const;
    /// The instruction that the lane executes next: this one, or the one where it waits. Nothing after the end.
    [[nodiscard]] std::optional<uint32_t> pcOf(int lane) const;
};

/// Columns of rows, `elements` times (0: no array).
struct Shape {
    int rows = 1, columns = 1, elements = 0;
    [[nodiscard]] int count() const { return rows * columns * (elements == 0 ? 1 : elements); }
    [[nodiscard]] bool isScalar() const { return rows == 1 && columns == 1 && elements == 0; }
    [[nodiscard]] bool isVector() const { return columns == 1 && elements == 0; }
    bool operator==(const Shape&) const = default;
};
[[nodiscard]] Shape shapeOf(isa::VarType type, int arraySize);

/// One component of a value: its bits, or why there are none.
struct Element {
    uint32_t bits = 0;
    Format format = Format::F32;
    std::string_view missing;  ///< empty: there are bits
};

struct Value {
    Shape shape;
    std::vector<Element> elements;  ///< column by column, element by element
};
/// "0.5 1", "(1 0) (0 1)" for a matrix, "[1, 2]" for an array.
[[nodiscard]] std::string valueText(const Value& value);

/// A variable, or chosen components of one.
struct Named {
    /// Where a component is: always in the same register, or where the debug information says.
    struct Component {
        isa::File file = isa::File::R;
        int index = 0, component = 0;
        uint16_t slot = 0;  ///< of `local`
    };
    Shape shape;
    std::vector<Component> components;
    std::optional<Format> format;               ///< nothing: as it was written
    const isa::DebugVariable* local = nullptr;  ///< then slots count, not registers
    bool isOfBlock = false;                     ///< bools are integers there, true where they are not 0

    [[nodiscard]] bool isRegister() const { return local == nullptr; }
    /// Inputs, constants and specials.
    [[nodiscard]] bool neverChanges() const;
};

/// The variable, register or alias with this whole name ("u_lights[1].colour", "r3", "frag_coord") at a line of the
/// source: of several locals of a name the innermost one. Registers are those that the program can have.
[[nodiscard]] std::optional<Named> findVariable(const isa::Program& program, uint32_t line, uint32_t pc,
                                                std::string_view name);
/// Of an array of structures, of which only the members are variables, the elements that the program has at a line:
/// those with N where there is a variable NAME[N].something. In order.
[[nodiscard]] std::vector<uint32_t> elementsOf(const isa::Program& program, uint32_t line, uint32_t pc,
                                               std::string_view name);
/// Whole registers, "r3" or "frag_coord", whatever variables are called.
[[nodiscard]] std::optional<Named> findRegister(std::string_view name);
/// Element or column or component `index`; false when there is none.
[[nodiscard]] bool chooseElement(Named& named, int index);
/// Components by a swizzle (xyzw, rgba, stpq); false when the variable has not all of them.
[[nodiscard]] bool chooseComponents(Named& named, std::string_view swizzle);

/// Where component `i` is for a lane. Nothing for a local of a program that has ended.
[[nodiscard]] std::optional<isa::DebugPlace> placeOf(const Named& named, size_t i, const Moment& moment, int lane);
[[nodiscard]] Value read(const Named& named, const Moment& moment, int lane);
/// "r0.xy", "the constant 64", "in several registers"
[[nodiscard]] std::string placeText(const Named& named, const Moment& moment, int lane);

/// The function of the source that has the instruction, as it is known by its variables; empty: not known. Of functions
/// that are inlined it is the one around.
[[nodiscard]] std::string functionAt(const isa::Program& program, uint32_t pc);

/// Locals and aliases whose scope holds the line, inner ones behind outer ones; a name that an inner scope takes over
/// stands once.
[[nodiscard]] std::vector<const isa::DebugVariable*> localsAt(const isa::Program& program, uint32_t line, uint32_t pc);

}  // namespace tessera::debug
