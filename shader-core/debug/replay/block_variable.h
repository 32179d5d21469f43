// Members of uniform blocks as variables: what a shader calls them, and the constant registers that hold them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shader-core/isa/program.h"

namespace tessera::debug {

/// A member of a block that a program reads.
struct BlockVariable {
    /// As the source names it: "colour", or behind the block's instance "lights.lamp[1].colour". Where no source says
    /// what the instance is called, behind the block's own name.
    std::string name;
    const isa::UniformBlock* block;
    const isa::BlockMember* member;
};
[[nodiscard]] std::vector<BlockVariable> blockVariables(const isa::Program& program);
/// The member of a name: the source's, or with the block's name as OpenGL has it ("Lights.colour", "Lights[1].colour").
[[nodiscard]] std::optional<BlockVariable> findBlockVariable(const isa::Program& program, std::string_view name);

struct ConstantWord {
    int reg = 0, component = 0;
};
/// Where its components are, element by element, column by column. A block says where; registers that the program does
/// not have are none of them.
[[nodiscard]] std::vector<ConstantWord> wordsOf(const BlockVariable& variable);

}  // namespace tessera::debug
