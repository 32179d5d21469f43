// Forms of instructions: an operation with a data type, "mad.f32". What machines have and lack is named by them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shader-core/isa/isa.h"

namespace tessera::model {

inline constexpr int kTypes = 3;  ///< isa::Type

/// Of each operation some types: bit 1 << isa::Type.
using InstructionForms = std::array<uint8_t, isa::kOpCount>;
/// All that opcodes.def has.
[[nodiscard]] InstructionForms allForms();
[[nodiscard]] int countForms(const InstructionForms& forms);

/// "mad.f32"; without the type where the operation has only one: "sin".
[[nodiscard]] std::string formName(isa::Op op, isa::Type type);

/// What a name means: "mul" all types of the operation, "mul.i32" one.
struct NamedForms {
    isa::Op op;
    uint8_t types;
};
[[nodiscard]] std::optional<NamedForms> formsByName(std::string_view name);
/// What is said of a name that is none: "no instruction is called "madd"; did you mean mad?".
[[nodiscard]] std::string unknownForm(std::string_view name);
/// Names that mean these forms together, in the order of opcodes.def: "sin", "mul.i32"; "mad" for all its types.
[[nodiscard]] std::vector<std::string> formNames(const InstructionForms& forms);

}  // namespace tessera::model
