// The interpreter's own form of a program: operands resolved to byte offsets, one handler per instruction.
//
// Plain data without vector types, so it is the same for all SIMD levels; the handlers differ.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/simd_levels.h"
#include "shader-core/interp/interpreter.h"
#include "shader-core/isa/compute.h"
#include "shader-core/isa/executor.h"
#include "shader-core/isa/isa.h"

namespace tessera::interp {

inline constexpr uint32_t kRegisterBytes = sizeof(isa::GroupRegister);
inline constexpr uint32_t kComponentBytes = kRegisterBytes / 4;
inline constexpr uint32_t kUniformBytes = 4 * sizeof(float);  ///< one constant register

/// Where operands live: the ISA's files, then the interpreter's own.
enum Base : uint8_t {
    kBaseTemp = static_cast<uint8_t>(isa::File::R),
    kBaseInput = static_cast<uint8_t>(isa::File::V),
    kBaseConstant = static_cast<uint8_t>(isa::File::C),
    kBaseOutput = static_cast<uint8_t>(isa::File::O),
    kBaseAddress = static_cast<uint8_t>(isa::File::A),
    kBasePredicate = static_cast<uint8_t>(isa::File::P),  ///< no memory: one bit per lane
    kBaseSpecial = static_cast<uint8_t>(isa::File::S),
    kBaseImmediate = static_cast<uint8_t>(isa::File::I),
    kBaseLane,     ///< s3
    kBaseScratch,  ///< operands gathered for one instruction
    kBaseCount,
};

struct Operand {
    uint32_t offset[4] = {};  ///< bytes from the base, for each component after the swizzle
    uint16_t index = 0;       ///< register number, for relative operands and predicates
    uint8_t base = 0;
    bool uniform = false;   ///< one value for all lanes (constant or immediate)
    bool gathered = false;  ///< relative, predicate or snooping: made in scratch before use
    bool snoop = false, snoopOfBlock = false;
    uint8_t wavefront = 0;  ///< that a source with snoopOfBlock reads
    bool negate = false, absolute = false;
};

struct Machine;
struct Decoded;
/// Executes one instruction for the lanes of `mask` (never empty).
using Handler = void (*)(Machine& machine, const Decoded& instruction, uint32_t mask);

struct Decoded {
    Handler handler = nullptr;  ///< null: control instruction
    isa::Op op = isa::Op::Ret;
    isa::Type type = isa::Type::F32;
    uint8_t guard = 0;  ///< index into Machine::predicate
    uint8_t writeMask = 0;
    uint8_t dstBase = 0;
    bool dstRelative = false;
    bool saturate = false;
    bool gathers = false;       ///< some source is gathered
    bool writesAtOnce = false;  ///< a component's result may be written before the next component's operands are read
    uint32_t guardFlip = 0;     ///< all ones for a negated guard
    uint32_t dstOffset = 0;
    uint16_t dstIndex = 0;
    uint16_t target = 0;
    uint8_t textureUnit = 0;
    isa::TextureTarget textureTarget = isa::TextureTarget::Tex2D;
    std::array<int8_t, 3> texelOffset{};
    bool textureRelative = false;
    bool resultIsFloat = true;
    uint8_t sameAs[4] = {0, 1, 2, 3};  ///< first component that reads the same source components
    Operand src[3];

    // Compute programs
    Handler whole = nullptr;  ///< of an instruction with an active subset: `handler` narrows the mask and calls it
    uint8_t subsetWidth = 0, subsetDepth = 0;
    bool subsetOfBlock = false;
    uint32_t offset = 0;       ///< memory: bytes added to the address
    uint8_t slot = 0;          ///< memory
    uint8_t elementBytes = 4;  ///< memory
    uint8_t snoopRow = 0;
    uint8_t barrier = 0, barrierGroups = 0;
    uint16_t iterations = 0;  ///< of a loop
};

struct Program {
    std::shared_ptr<const isa::Program> source;
    std::vector<Decoded> code;
    std::vector<std::array<uint32_t, 4>> immediates;
    std::vector<uint32_t> zeroTemps;    ///< byte offsets of components that may be read before they are written
    std::vector<uint32_t> zeroOutputs;  ///< byte offsets of components that some lane may leave unwritten
    bool usesAddress = false;
};

/// Decodes everything but the handlers. `program` must have passed isa::verify().
[[nodiscard]] Program decodeProgram(std::shared_ptr<const isa::Program> program);

/// Fills Program::zeroTemps and zeroOutputs.
void findRegistersToZero(Program& program, const std::vector<isa::Instruction>& code);

/// Memory of the running block, for compute programs. Slots that are not bound have no bytes.
struct ThreadBlockMemory {
    std::byte* data[isa::kSharedSlot + 1] = {};
    uint64_t size[isa::kSharedSlot + 1] = {};
    uint64_t outOfRange = 0;
    Observer* observer = nullptr;  ///< is told of accesses; null: nobody
};

/// Where a group of a block is that has stopped at a barrier, or is about to start.
struct Position {
    uint32_t pc = 0;
    uint8_t depth = 0, loop = 0, call = 0;  ///< as in execute_simd.cpp
    bool ended = false;
    uint64_t instructions = 0;  ///< executed so far
    uint32_t arrived = 0;       ///< lanes at the barrier that it stopped at; it is instruction pc - 1
    StackEntry stack[isa::kMaxNesting];
};

/// Registers and masks of the running group. No standard containers: versioned code must not instantiate them.
struct Machine {
    std::byte* base[kBaseCount] = {};
    const Decoded* code = nullptr;
    const isa::Program* program = nullptr;
    isa::GroupRun* run = nullptr;
    ThreadBlockMemory* memory = nullptr;  ///< compute programs
    uint32_t launch = 0;                  ///< lanes the group started with
    uint32_t whole = 0;                   ///< mask of a write that may change all lanes: `launch`, if no other is seen
    uint32_t exec = 0;                    ///< lanes executing
    uint32_t group = 0;                   ///< its number in the block
    uint32_t blockThreads = isa::kGroupSize;
    const std::byte* blockTemps = nullptr;             ///< r0 of group 0; compute programs
    size_t groupBytes = 0;                             ///< from one group's r0 to the next group's
    uint32_t predicate[isa::kPredicates + 1] = {~0u};  ///< [0] is all ones
};

/// Lanes of a group in the instruction's active subset: the first columns of the first rows of the group, or of the
/// first wavefronts of its block (docs/isa.md).
[[nodiscard]] uint32_t subsetLanes(const Decoded& instruction, uint32_t group, uint32_t blockThreads);

/// Registers kept behind the temporaries in the arena: a0, then scratch for three sources and a result.
inline constexpr int kExtraRegisters = 5;

// Each SIMD level has its own copy of these; interpreter.cpp picks one.
#define TESSERA_INTERP_LEVEL(level, ...)                                   \
    namespace level {                                                      \
    Handler handlerFor(const Decoded& instruction);                        \
    Handler subsetHandler();                                               \
    void execute(Machine& machine, Observer* observer);                    \
    void resume(Machine& machine, Position& position, Observer* observer); \
    }
TESSERA_EACH_SIMD_LEVEL(TESSERA_INTERP_LEVEL)
#undef TESSERA_INTERP_LEVEL

}  // namespace tessera::interp
