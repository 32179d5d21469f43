// The 128-bit instruction: enumerations, the decoded form, and the word.
//
// Word layout (bit 0 is bit 0 of `lo`, bit 64 is bit 0 of `hi`); fields never straddle the halves:
//
//   0..4    opcode            5..9    function          10      saturate
//   11..12  guard index       13      guard negate      14..15  data type (0 f32, 1 i32, 2 u32)
//   16..17  subset width      18..19  subset depth      (0 full, 1 half, 2 quarter, 3 one)
//   20..36  destination: file 3, index 9, write mask 4, relative 1
//   37..60  source a: file 3, index 9, swizzle 8, negate, absolute, relative, snoop
//   61..62  snoop row         63      subset of the block
//   64..87  source b          88..111 source c
//   88..119 32-bit immediate, when source a or b names file `i` (then there is no source c)
//   112..116 texture unit     117..120 texture target   121 texture unit relative
//   16..19 texel offset x     122..125 y                60..63 z, of lookups, which have no subset and do not snoop;
//   126..127 reserved for the component of a gather
//   120..126 wavefront of the first source that snoops, 112..118 of the second, if 127, snoop of the block, is set;
//   for shapes DS1, DS1S2 and DS1S2S3
//   112..127 branch target, for shape Branch; 88..103 iterations of a loop
//   120..124 memory slot      125..126 element size (0 word, 1 half, 2 byte); then 88..119 is the byte offset
//   112..115 barrier          116..122 groups that meet at it (0: all), for shape Barrier
//
// Guard index 0 means unguarded (p0 does not exist); 1..3 name p1..p3.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shader-core/isa/core.h"

namespace tessera::isa {

enum class Op : uint8_t {
#define OP(name, ...) name,
#include "shader-core/isa/opcodes.def"
#undef OP
};
inline constexpr int kOpCount = 0
#define OP(...) +1
#include "shader-core/isa/opcodes.def"
#undef OP
    ;

/// From DS1 on a shape has a destination; from DT1 on it is a texture lookup.
enum class Shape : uint8_t { None, Branch, Barrier, MS, DS1, DS1S2, DS1S2S3, DM, DMS1, DMS2, DT1, DT2, DT3 };
enum class Unit : uint8_t { Alu, Tfu, Light, Texture, Control, Memory, Lane };
enum class InstructionSet : uint8_t { Graphics, Extended, Compute };

/// Memory elements; the type says how halves and bytes are extended.
enum class ElementSize : uint8_t { Word, Half, Byte };
constexpr uint32_t byteCount(ElementSize size) { return 4u >> static_cast<int>(size); }

/// Two bits per component, x lowest: 0 x, 1 y, 2 z, 3 w.
using Swizzle = uint8_t;
inline constexpr Swizzle kSwizzleXYZW = 0xE4;
constexpr int swizzleAt(Swizzle s, int component) { return s >> (2 * component) & 3; }
constexpr Swizzle makeSwizzle(int x, int y, int z, int w) { return static_cast<Swizzle>(x | y << 2 | z << 4 | w << 6); }
constexpr Swizzle broadcast(int c) { return makeSwizzle(c, c, c, c); }

struct Source {
    File file = File::R;
    uint16_t index = 0;  ///< register number; with `relative`, added to a0.x
    Swizzle swizzle = kSwizzleXYZW;
    bool negate = false;  ///< after absolute
    bool absolute = false;
    bool relative = false;
    bool snoop = false;         ///< read the register of another lane (compute)
    bool snoopOfBlock = false;  ///< with `snoop`: of a wavefront of the block, not of a row of the group
    uint8_t wavefront = 0;      ///< with `snoopOfBlock`
    bool operator==(const Source&) const = default;
};

struct Destination {
    File file = File::R;  ///< R, O, A or P (P: index 1..3, only component x counts)
    uint16_t index = 0;
    uint8_t writeMask = 0xF;  ///< bit 0 x .. bit 3 w
    bool relative = false;
    bool operator==(const Destination&) const = default;
};

/// The decoded form. Fields that the shape does not use are at their defaults.
struct Instruction {
    Op op = Op::Ret;
    Type type = Type::F32;
    bool saturate = false;  ///< clamp the f32 result to 0..1; NaN gives 0
    uint8_t guard = 0;      ///< 0 none, else p1..p3
    bool guardNegate = false;
    uint8_t subsetWidth = 0;  ///< compute: 0 full, 1 half, 2 quarter, 3 one
    uint8_t subsetDepth = 0;
    bool subsetOfBlock = false;  ///< compute: of the block's wavefronts, not of the group's rows
    uint8_t snoopRow = 0;        ///< compute: row of the lanes that snooping sources read
    Destination dst;
    std::array<Source, 3> src;
    uint32_t immediate =
        0;  ///< bits, when a source names File::I; shapes DM, MS, DMS1: byte offset, added to the address
    uint8_t textureUnit = 0;
    TextureTarget textureTarget = TextureTarget::Tex2D;
    bool textureRelative = false;         ///< unit + a0.x, clamped to the last unit
    std::array<int8_t, 3> texelOffset{};  ///< texels added to the position in x, y and z: -8 to 7
    uint16_t target = 0;                  ///< instruction index, for shape Branch
    uint16_t iterations = 0;              ///< compute: of a loop; 0: until no lane is left
    uint8_t slot = 0;                     ///< memory: buffer b0..b15, or kSharedSlot
    ElementSize elementSize = ElementSize::Word;
    uint8_t barrier = 0;        ///< 0..15
    uint8_t barrierGroups = 0;  ///< groups that meet there; 0: all of the block
    bool operator==(const Instruction&) const = default;
};

/// Of a lookup instruction.
[[nodiscard]] constexpr LodMode lodModeOf(Op op) {
    if (op == Op::Txb) return LodMode::Bias;
    if (op == Op::Txl) return LodMode::Explicit;
    if (op == Op::Txf) return LodMode::Texel;
    if (op == Op::Txs) return LodMode::Size;
    return op == Op::Txd ? LodMode::Gradient : LodMode::Implicit;
}

/// What BlockLookup (shader-core/isa/block.h) may answer of a fragment program: a derived level of detail, floats at
/// the position that is given.
[[nodiscard]] inline bool mayBeBlockLookup(const Instruction& i) {
    return lodModeOf(i.op) == LodMode::Implicit && !i.textureRelative && i.type == Type::F32 &&
           i.texelOffset == std::array<int8_t, 3>{} && coordinateCount(i.textureTarget) <= 3;
}
/// The same at an offset (BlockLookup::moved).
[[nodiscard]] inline bool mayBeMovedLookup(const Instruction& i) {
    Instruction atPosition = i;
    atPosition.texelOffset = {};
    return i.texelOffset != atPosition.texelOffset && mayBeBlockLookup(atPosition);
}
/// The same of single texels, at the position and the offset.
[[nodiscard]] inline bool mayBeBlockFetch(const Instruction& i) {
    return lodModeOf(i.op) == LodMode::Texel && !i.textureRelative && coordinateCount(i.textureTarget) <= 3;
}

/// One row of opcodes.def.
struct OpInfo {
    Op op;
    std::string_view name, mnemonic;
    uint8_t opcode, function;
    Shape shape;
    Unit unit;
    uint8_t types;    ///< bit (1 << Type)
    uint8_t latency;  ///< cycles
    InstructionSet set;
    std::string_view meaning;
};
[[nodiscard]] const OpInfo& opInfo(Op op);

/// How the instruction is written: "add d, a, b".
[[nodiscard]] std::string writtenForm(Op op);

/// Number of sources of a shape (0..3) and whether it writes a destination.
[[nodiscard]] int sourceCount(Shape shape);
[[nodiscard]] bool hasDestination(Shape shape);
[[nodiscard]] bool isTexture(Shape shape);
[[nodiscard]] bool isMemory(Shape shape);
/// The shape has a byte offset in `immediate`: all memory shapes but DMS2.
[[nodiscard]] bool hasOffset(Shape shape);
/// Elements that a load or store moves: one for each bit of the write mask. Element n goes to the n-th component of the
/// mask; a store has its value n in component n of its source and a mask of 1, 3, 7 or 15.
[[nodiscard]] int elementCount(const Instruction& instruction);

/// Everything but else, endif, loop and endloop may carry a guard.
[[nodiscard]] bool canBeGuarded(Op op);
/// Files r, v, c and o may be addressed relative to a0.x (as a destination: r and o).
[[nodiscard]] bool canBeRelative(File file);
/// Registers of a file (p counts the absent p0), and whether this one exists.
[[nodiscard]] int registerCount(File file);
[[nodiscard]] bool registerExists(File file, int index);

/// How the sources are read and what the result is. f2i and f2h read floats; i2f, h2f, comparisons and votes make
/// floats.
[[nodiscard]] Type sourceType(Op op, Type type);
/// The same of one source: an address, and the lane of a shuffle, are integers in any case.
[[nodiscard]] Type sourceType(Op op, Type type, int source);
[[nodiscard]] Type resultType(Op op, Type type);

/// Components of a source that the instruction reads, before its swizzle.
[[nodiscard]] uint8_t componentsRead(const Instruction& instruction, int source);

/// Components of r registers that instructions read in other wavefronts of the block: index * 4 + component, ascending.
[[nodiscard]] std::vector<uint32_t> componentsReadInBlock(std::span<const Instruction> code);

/// Why encode() would refuse the instruction; empty when it is sound.
[[nodiscard]] std::string_view instructionProblem(const Instruction& instruction);

/// Encoding is total over instructions whose fields are in range (CHECKed); decoding rejects unknown
/// opcode/function pairs, reserved bits, unused fields that are not zero, types the row does not allow,
/// files a field may not name, and registers out of range. decode(encode(i)) == i, but for two things that
/// carry no information and that encode makes canonical: the swizzle of an immediate or predicate source
/// (xyzw) and the write mask of a predicate destination (x).
///
/// Sources may name every file: o reads what was written so far, a the integers of a0, p 1.0 or 0.0 (read as an
/// integer 1 or 0) in every component. An instruction holds at most one immediate, and only in shapes DS1 and DS1S2.
[[nodiscard]] Word encode(const Instruction& instruction);
[[nodiscard]] std::optional<Instruction> decode(Word word);

}  // namespace tessera::isa
