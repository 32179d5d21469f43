// Keeping track of where the source's variables are while the passes change the code.
//
// AstToIr notes each assignment of a variable before the instruction that follows it (Assignment). A pass that
// redirects, removes or moves what an assignment names, corrects it here, or gives it up: a debugger may say that a
// value is not known, never a wrong one. None of this changes an instruction.
#pragma once

#include <vector>

#include "shader-core/glsl/ir/ir.h"

namespace tessera::glsl::ir {

using Lost = isa::DebugPlace::Kind;

/// Calls f for each assignment in front of an instruction.
template <class Function>
void forEachAssignment(Module& module, uint32_t list, Function&& f) {
    for (; list != kNone; list = module.debug.assignments[list].next) f(module.debug.assignments[list]);
}
inline void lose(Assignment& a, Lost why) { a.kind = Kind::None, a.lost = why; }
/// All of a list.
void loseAssignments(Module& module, uint32_t list, Lost why);
/// `first`, then `second`, as one list.
[[nodiscard]] uint32_t joinAssignments(Module& module, uint32_t first, uint32_t second);
/// Another list of the same assignments.
[[nodiscard]] uint32_t copyAssignments(Module& module, uint32_t list);

/// A result that an instruction no longer leaves in a place.
struct LostResult {
    uint32_t instruction = 0, place = 0;  ///< of Places
    uint8_t mask = 0;
};
/// Gives up the assignments that such a result reaches. Before the instructions are erased; by instruction.
void loseResults(Module& module, const std::vector<LostResult>& results);

}  // namespace tessera::glsl::ir
