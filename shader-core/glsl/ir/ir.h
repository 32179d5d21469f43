// The compiler's intermediate representation: ISA operations over virtual registers, in structured form.
//
// A Module is one shader: a flat instruction list with If/Else/Endif and Loop/Endloop markers. Most functions are
// inlined; those that are called are modules of their own. A function has its own temps; what it has in common with its
// callers, parameters, results and variables of the whole shader, is in shared registers, and what it does to outputs
// stays. Virtual registers ("temps") have one to four components and may be written several times (write masks); fresh
// temps for expression results make most of them single-assignment, which the passes exploit. Arrays that need dynamic
// indexing are groups of consecutive temps. Booleans are 1.0 / 0.0.
//
// Contract between AstToIr (glsl/front/lower) and the back end (glsl/ir): what verify() accepts.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "shader-core/isa/debug_info.h"
#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"

namespace tessera::glsl::ir {

using isa::Op;
using isa::Swizzle;
using isa::Type;

inline constexpr uint32_t kNone = 0xFFFFFFFF;

enum class Kind : uint8_t {
    None,
    Temp,     ///< index: temp number
    Input,    ///< index: attribute or varying slot: Module::inputs[index]
    Output,   ///< index: o register (isa::kOut*); varyings: isa::kOutVarying0 + slot before linking
    Uniform,  ///< index: vec4 slot in the stage's uniform storage (Module::uniforms[].reg)
    Special,  ///< index: isa::Special
    Shared,   ///< index: register of all functions, up to Module::sharedRegisters
    Table,    ///< index: row of Module::table
    Literal,  ///< `literal`: bits of four components
};

/// Whether registers of the kind are written: others have their values from outside.
[[nodiscard]] constexpr bool isVariable(Kind kind) {
    return kind == Kind::Temp || kind == Kind::Output || kind == Kind::Shared;
}

struct Operand {
    Kind kind = Kind::None;
    uint32_t index = 0;
    Swizzle swizzle = isa::kSwizzleXYZW;
    bool negate = false, absolute = false;
    /// Dynamic index: register index + integer in component `relativeComponent` of temp `relative`. Allowed for
    /// Temp (of an array), Input, Uniform, Output, Shared and Table; `array` then bounds it.
    uint32_t relative = kNone;
    uint8_t relativeComponent = 0;
    uint32_t arrayFirst = 0, arrayCount = 0;  ///< with relative: the registers it may reach (same kind)
    std::array<uint32_t, 4> literal{};
};

struct Dest {
    Kind kind = Kind::None;  ///< None, Temp, Output or Shared
    uint32_t index = 0;
    uint8_t writeMask = 0xF;
    uint32_t relative = kNone;
    uint8_t relativeComponent = 0;
    uint32_t arrayFirst = 0, arrayCount = 0;
};

/// Sources and results are those of the ISA: a component-wise operation reads, for destination component i,
/// component swizzleAt(swizzle, i) of each source; dp3, dp4, nrm, lit and texture lookups read the first
/// components of the swizzled source whatever the write mask. Components read must exist in the temp. A temp read
/// before it is written is zero (but for what the last round of a loop, or the last call, left in it).
/// F2i and relative indices make and use integers (type I32); everything else of GLSL ES 1.00 is F32.
///
/// Control operations use: If (condition), Else, Endif, Loop, Endloop, Brk, Cont, Kil, Ret (condition optional
/// for Brk, Cont, Kil; none means always; Ret ends the function, unconditional), Call (unconditional: of `function`).
/// Targets are the back end's.
struct Instruction {
    Op op = Op::Mov;
    Type type = Type::F32;
    bool saturate = false;
    Dest dst;
    std::array<Operand, 3> src;
    /// Condition: true when component swizzle.x of the operand is not 0.0; `conditionNegate` inverts.
    Operand condition;
    bool conditionNegate = false;
    // Texture lookups: src as in the ISA (coordinate; bias, lod or gradients). `sampler` is the texture unit
    // number given by Module::uniforms of sampler type; with samplerRelative, plus that temp's component.
    uint32_t sampler = 0;
    isa::TextureTarget target = isa::TextureTarget::Tex2D;
    std::array<int8_t, 3> texelOffset{};
    uint32_t samplerRelative = kNone;
    uint8_t samplerRelativeComponent = 0;
    uint32_t function = kNone;  ///< Call: index into the shader's Module::functions
    uint32_t line = 0;          ///< GLSL line, 0 unknown
    uint32_t assigns = kNone;   ///< first of a list in Module::debug.assignments: made before the instruction
};

/// From here on a component of a variable of the source has the value of this place, or none that is known. No pass
/// decides anything by it; a pass that moves or removes what it names says so (assignments.h).
struct Assignment {
    /// The variable's component: DebugVariables::firstSlot + component.
    uint32_t slot = 0;
    bool follows = false;    ///< the place is wherever the passes find the value; else the variable's own temp
    Kind kind = Kind::None;  ///< None: not known, for the reason `lost`
    uint32_t index = 0;      ///< as in Operand
    uint8_t component = 0;
    bool negate = false, absolute = false;
    uint32_t bits = 0;  ///< Literal
    isa::DebugPlace::Kind lost = isa::DebugPlace::Kind::NotAssigned;
    uint32_t next = kNone;  ///< in the list
};

/// The source's variables, for the debugger. Empty when nobody asked for them.
struct DebugVariables {
    std::vector<isa::DebugVariable> variables;  ///< without ranges
    std::vector<uint32_t> firstSlot;            ///< of each
    uint32_t slots = 0;
    std::vector<Assignment> assignments;
};

struct Temp {
    uint8_t components = 4;
    uint32_t array = kNone;  ///< index into Module::arrays
};

struct Array {
    uint32_t firstTemp = 0, count = 0;  ///< consecutive temps; they get consecutive r registers
};

struct Module {
    isa::Stage stage = isa::Stage::Vertex;
    std::vector<Instruction> code;
    std::vector<Temp> temps;
    std::vector<Array> arrays;
    std::vector<std::array<uint32_t, 4>> table;  ///< bits of constants that an index chooses from
    /// reg: attribute location or varying slot (an Input operand's index is the v register, an Output operand's
    /// the o register, kOutVarying0 + slot for varyings), first uniform slot, or first texture unit. link()
    /// assigns the final ones and rewrites the operands with remap().
    std::vector<isa::Variable> attributes, varyings, uniforms;
    std::vector<isa::UniformBlock> blocks;  ///< of link(), with their registers
    std::vector<isa::Variable> outputs;     ///< of fragment shaders that name them; reg: the o register
    DebugVariables debug;
    std::string source;
    uint32_t endLine = 0;  ///< GLSL line of what no statement stands for: the end of the program
    /// Functions that are called: code, temps, arrays, table, endLine and debug. They do not call themselves, and have
    /// none.
    std::vector<Module> functions;
    uint32_t sharedRegisters = 0;
};

/// Empty when the module keeps the contract above, else "instruction 7: ...".
[[nodiscard]] std::string verify(const Module& module);
[[nodiscard]] std::string print(const Module& module);

/// Runs all optimisation passes to a fixed point, verifying after each in debug builds.
void optimize(Module& module);
/// And with the exchanges that change results within what GLSL allows: what programs are made of.
void optimizeFreely(Module& module);

/// Renumbers the registers of all operands: old register n becomes map[n]. An empty map changes nothing. The
/// registers of an array must stay consecutive; a referenced register must have an entry that is not kNone.
/// Inputs and outputs are v and o registers (outputs include isa::kOutVarying0), samplers are texture units.
/// link() calls it before emit(). The variable lists (attributes, varyings, uniforms) are the caller's to change.
void remap(Module& module, const std::vector<uint32_t>& inputMap, const std::vector<uint32_t>& outputMap,
           const std::vector<uint32_t>& uniformMap, const std::vector<uint32_t>& samplerMap);

/// Which uniform vec4 slots, sampler units, input and output registers the module still references.
struct Usage {
    std::vector<bool> uniformSlots;
    uint32_t samplerUnits = 0, inputs = 0, outputs = 0;
};
[[nodiscard]] Usage usage(const Module& module);

struct EmitResult {
    isa::Program program;  ///< code, lines, literals; attributes, varyings and uniforms copied from the module
    std::string error;     ///< "too many temporaries (530, limit 512)"; empty when it worked
};
/// Register allocation and ISA emission. Uniform slot n becomes c register n; literals follow after the
/// highest uniform register; short literals become immediates.
[[nodiscard]] EmitResult emit(const Module& module);

}  // namespace tessera::glsl::ir
