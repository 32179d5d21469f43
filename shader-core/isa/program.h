// A program: instructions plus what the API must know about it. The same container holds what the GLSL
// compiler makes and what the assembler makes; `.tsb` is its serialised form.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shader-core/isa/core.h"

namespace tessera::isa {

/// Basic types of an interface variable of GLSL ES 1.00, and behind them those of 3.00. Order is part of the .tsb
/// format.
enum class VarType : uint8_t {
    Float,
    Vec2,
    Vec3,
    Vec4,
    Int,
    IVec2,
    IVec3,
    IVec4,
    Bool,
    BVec2,
    BVec3,
    BVec4,
    Mat2,
    Mat3,
    Mat4,
    Sampler2D,
    SamplerCube,
    Sampler3D,
    SamplerExternal,
    Sampler2DShadow,
    UInt,
    UVec2,
    UVec3,
    UVec4,
    Mat2x3,  ///< two columns of three rows
    Mat2x4,
    Mat3x2,
    Mat3x4,
    Mat4x2,
    Mat4x3,
    SamplerCubeShadow,
    Sampler2DArray,
    Sampler2DArrayShadow,
    ISampler2D,
    ISamplerCube,
    ISampler3D,
    ISampler2DArray,
    USampler2D,
    USamplerCube,
    USampler3D,
    USampler2DArray,
};
inline constexpr VarType kLastVarType = VarType::USampler2DArray;
[[nodiscard]] int columnCount(VarType type);     ///< registers per element: 2, 3, 4 for matrices, else 1
[[nodiscard]] int componentCount(VarType type);  ///< components per register, 1..4
[[nodiscard]] bool isSampler(VarType type);
[[nodiscard]] bool isMatrix(VarType type);
/// What the components of a type are.
enum class Scalar : uint8_t { Float, Int, UInt, Bool };
[[nodiscard]] Scalar scalarOf(VarType type);  ///< of a sampler: of what its texels are read as
[[nodiscard]] TextureTarget targetOf(VarType sampler);

enum class Precision : uint8_t { None, Low, Medium, High };

/// An attribute (`reg` = first v register), a varying (vertex: o register, fragment: v register; `reg` counts
/// varyings from 0 in both), or a uniform (`reg` = first c register; sampler: first texture unit).
/// Arrays take arraySize * columnCount consecutive registers; one register per column. A uniform narrower than its
/// register may start at a later component, the same one in all its registers.
struct Variable {
    std::string name;  ///< GL spelling without "[0]": "lights[2].colour", "mvp"
    VarType type = VarType::Vec4;
    Precision precision = Precision::None;
    uint16_t arraySize = 0;  ///< 0: not an array; else element count
    uint16_t reg = 0;
    uint8_t component =
        0;  ///< uniforms, and varyings that leave a vertex program: of the registers, which is the first
    Interpolation interpolation = Interpolation::Smooth;  ///< varyings
    bool operator==(const Variable&) const = default;
};
[[nodiscard]] int registerCount(const Variable& variable);  ///< registers, or texture units, it takes

/// A constant register with a fixed value (a literal): bits of four components.
struct Literal {
    uint16_t reg = 0;
    std::array<uint32_t, 4> bits{};
    bool operator==(const Literal&) const = default;
};

/// A member of a uniform block, as the API lists it.
struct BlockMember {
    std::string name;  ///< GL spelling without "[0]": "Block.lights[2].colour", or "colour" where the block has no name
    VarType type = VarType::Vec4;
    Precision precision = Precision::None;
    uint16_t arraySize = 0;     ///< 0: not an array
    uint32_t offset = 0;        ///< bytes from the beginning of the block
    uint32_t arrayStride = 0;   ///< bytes; 0: not an array
    uint32_t matrixStride = 0;  ///< bytes between columns, or rows; 0: not a matrix
    bool rowMajor = false;
    bool operator==(const BlockMember&) const = default;
};

/// Constant registers that hold the bytes of a buffer, sixteen each: byte n of the block is byte n % 16 of register
/// reg + n / 16.
struct UniformBlock {
    std::string name;        ///< "Lights", "Lights[1]"
    uint16_t reg = 0;        ///< the first
    uint16_t registers = 0;  ///< 0: the program reads nothing of it
    uint32_t byteSize = 0;
    bool isShared = true;  ///< all members count as active, and so does a block that nothing reads: shared, std140
    std::vector<BlockMember> members;
    bool operator==(const UniformBlock&) const = default;
};
/// Registers of constants that a program may have. Those from kMaxConstants on are reached by relative operands alone.
inline constexpr int kMaxConstantRegisters = 0xFFFF;

/// A slot of global memory that a compute program uses. A constant buffer is only loaded from.
struct Buffer {
    std::string name;
    uint8_t slot = 0;
    bool constant = false;
    bool operator==(const Buffer&) const = default;
};

struct DebugInfo;  // debug_info.h

struct Program {
    Stage stage = Stage::Vertex;
    std::vector<Word> code;
    std::vector<uint32_t> lines;  ///< source line of each instruction; empty if unknown
    std::string source;           ///< GLSL or assembly text, for tools; may be empty
    uint16_t tempCount = 0;       ///< r registers used
    uint16_t constantCount = 0;   ///< c registers used: uniforms and literals
    RegisterMask inputMask;       ///< v registers read
    RegisterMask outputMask;      ///< o registers written
    RegisterMask specialMask;     ///< s registers read
    RegisterMask samplerMask;     ///< texture units referenced
    bool usesKill = false;
    bool usesDerivatives = false;  ///< ddx, ddy, or a texture lookup that derives its level of detail
    bool writesDepth = false;
    bool writesPointSize = false;
    bool broadcastColor = false;  ///< fragment: every colour target gets o0 (gl_FragColor)
    std::vector<Literal> literals;
    std::vector<Variable> attributes;  ///< vertex programs
    std::vector<Variable> varyings;
    std::vector<Variable> uniforms;
    std::vector<UniformBlock> blocks;  ///< vertex and fragment programs
    std::vector<Variable> outputs;  ///< fragment programs whose outputs have names: the colours, `reg` the o register

    // Compute programs
    std::array<uint16_t, 3> blockSize{kGroupSize, 1, 1};  ///< threads in x, y, z, unless the launch says otherwise
    uint32_t sharedBytes = 0;                             ///< shared memory of a block
    std::vector<Buffer> buffers;
    bool usesBarriers = false;  ///< derived

    std::shared_ptr<const DebugInfo> debugInfo;  ///< the source's variables, for the debugger; null: not known
};

/// Fills tempCount .. writesPointSize and usesBarriers from the code (and literals, uniforms). Call after changing
/// `code`. Relative operands count for all they may reach: every declared variable's registers for v, o and t, all last
/// colours for a fragment program's v32 and up; for r the previous tempCount is kept when it is larger.
void deriveUsage(Program& program);

/// Proves a program safe to run: words decode, registers are in range, names are unique, built-in ones have their type,
/// control flow nests properly, targets match, calls are bounded and not recursive. Empty when safe, else the reason
/// ("instruction 12: ...").
[[nodiscard]] std::string verify(const Program& program);

/// .tsb: magic "TSB1", little endian, versioned, checksummed. Parsing arbitrary bytes is safe: an empty
/// optional and a reason in *error. What parses has had deriveUsage(), not verify().
[[nodiscard]] std::vector<std::byte> serialize(const Program& program);
[[nodiscard]] std::optional<Program> deserialize(std::span<const std::byte> bytes, std::string* error);

}  // namespace tessera::isa
