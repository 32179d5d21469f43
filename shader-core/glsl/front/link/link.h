// Parts of link() that stand alone: interface leaves, use of registers, renumbering, and matching.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "shader-core/glsl/front/link/shader.h"

namespace tessera::glsl::front {

/// The o register of a colour.
[[nodiscard]] constexpr uint32_t colorRegister(int location, bool isSecond) {
    return static_cast<uint32_t>((isSecond ? isa::kOutSecondColor : isa::kOutColor0) + location);
}

/// The variable as glGetActive* lists it: one entry for each leaf of a structure, registers numbered from
/// `v.first` and `v.firstSampler`.
void appendLeaves(const InterfaceVariable& v, std::vector<isa::Variable>& out);

/// Registers one interface variable of the API takes.
[[nodiscard]] uint32_t registersOf(const isa::Variable& v);
[[nodiscard]] uint32_t elementsOf(const isa::Variable& v);

/// Which registers a module references, without the width limits of ir::usage(): before linking, registers are
/// slots in declaration order.
struct SlotUse {
    std::vector<bool> inputs, outputs, uniforms, samplers;
};
[[nodiscard]] SlotUse slotUse(const Shader& shader, const ir::Module& module);

[[nodiscard]] bool anyUsed(const std::vector<bool>& slots, uint32_t first, uint32_t count);

/// Where a slot goes.
struct SlotPlace {
    uint32_t index = ir::kNone;
    uint8_t column = 0;  ///< component that x becomes
};
struct SlotMaps {
    std::vector<SlotPlace> inputs, outputs, uniforms;
    std::vector<uint32_t> samplers;  ///< kNone: not referenced
};
/// Renumbers all operands. Outputs may move to other components because only Mov writes them; an output that
/// has no place becomes a temp.
void renumber(ir::Module& module, const SlotMaps& maps);

/// What a message about a declaration begins with: "0:12:5: 'name' :", with ".member" behind the name if given.
[[nodiscard]] std::string about(const InterfaceVariable& v, std::string_view member = {});
[[nodiscard]] std::string about(const InterfaceBlock& block);

/// What the stages know a varying by: its location, where its shader gives one, else its name.
[[nodiscard]] std::string interfaceName(const InterfaceVariable& varying);
/// The locations of a shader's varyings lie within the limit and apart; appends "ERROR: ..." lines when not.
[[nodiscard]] bool checkLocations(const Shader& shader, int limit, std::string& log);

/// The rules that concern both stages; appends "ERROR: ..." and "WARNING: ..." lines. False on an error.
[[nodiscard]] bool matchStages(const Shader& vertex, const Shader& fragment, std::string& log);

/// Attribute locations (ES 2.0 section 2.10.4) of the shader's active attributes.
[[nodiscard]] bool assignAttributes(const Shader& shader, std::vector<isa::Variable>& active,
                                    const std::map<std::string, int>& bindings, int limit, std::string& log);

/// Places of a fragment shader's outputs, in their order; empty, with "ERROR: ..." lines, when they have no room.
[[nodiscard]] std::vector<OutputPlace> assignOutputs(const Shader& fragment, const OutputBindings& bindings,
                                                     std::string& log);

}  // namespace tessera::glsl::front
