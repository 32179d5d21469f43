// What everybody who works with programs knows of the shader core, without knowing its instructions (isa.h): its limits,
// its registers and their places, stages, texture targets, and the word as bits.
#pragma once

#include <cstdint>

namespace tessera::isa {

inline constexpr int kGroupSize = 32;      ///< threads in a group (paper 2.1)
inline constexpr int kMaxTemps = 512;      ///< r0..r511
inline constexpr int kMaxConstants = 512;  ///< c0..c511
inline constexpr int kMaxInputs = 16;      ///< v0..v15
inline constexpr int kMaxOutputs = 16;     ///< o0..o15
inline constexpr int kPredicates = 3;      ///< p1..p3, one bit per lane
inline constexpr int kMaxTextureUnits = 16;
inline constexpr int kMaxInstructions = 65536;
inline constexpr int kMaxVaryings = 12;  ///< attributes per fragment (paper 2.2)
inline constexpr int kMaxNesting = 64;   ///< if + loop + call entries on the reconvergence stack
inline constexpr int kGroupColumns = 8;  ///< lanes of a group that execute in one cycle: lane = row * 8 + column
inline constexpr int kGroupRows = kGroupSize / kGroupColumns;
inline constexpr int kWavefrontSize = 16;            ///< threads of a row of a subset of the block (seed 000)
inline constexpr int kMaxThreadBlockThreads = 2048;  ///< threads of a block processor (paper 2.1)
inline constexpr int kMaxThreadBlockGroups = kMaxThreadBlockThreads / kGroupSize;
inline constexpr int kMaxWavefronts = kMaxThreadBlockThreads / kWavefrontSize;
inline constexpr int kMaxBuffers = 16;         ///< global memory: slots b0..b15
inline constexpr int kSharedSlot = 16;         ///< the slot of shared memory
inline constexpr int kMaxSharedBytes = 65536;  ///< of a block
inline constexpr int kBarriers = 16;
inline constexpr int kFixedPointBits = 10;  ///< fraction bits of madx

enum class Stage : uint8_t { Vertex, Fragment, Compute };

enum class Type : uint8_t { F32, I32, U32 };

/// Register files, in encoding order. `I` is the 32-bit immediate, broadcast to four components.
enum class File : uint8_t { R, V, C, O, A, P, S, I };

/// Special registers s0..: read only.
enum class Special : uint8_t {
    FragCoord,        ///< s0: window x, y, z, 1/w of the fragment
    FrontFacing,      ///< s1: 1.0 for a front-facing primitive, else 0.0, in every component
    PointCoord,       ///< s2.xy: 0..1 across a point sprite, y downwards
    Lane,             ///< s3.x: lane number in the group, integer
    InstanceId,       ///< s4.x: number of the instance the vertex belongs to, y: of the vertex; integers
    Thread,           ///< s5.xyz: thread in its block, w: x + size.x * (y + size.y * z); this and the next: integers
    Block,            ///< s6.xyz: block in the grid, w: the same as one number
    ThreadBlockSize,  ///< s7.xyz: threads of a block, w: all of them
    GridSize,         ///< s8.xyz: blocks of the grid, w: all of them
    Group,            ///< s9.x: group in its block, y: groups of the block
};
inline constexpr int kSpecials = 10;
inline constexpr int kGraphicsSpecials = 5;  ///< those that vertex and fragment programs have

/// Vertex outputs: o0 position, o1.x point size, o2..o13 varying 0..11 (read by the fragment program as v0..v11).
/// Fragment outputs: o0..o3 colours, o4.x depth, o5 the second colour that blending may take factors from.
inline constexpr int kOutPosition = 0, kOutPointSize = 1, kOutVarying0 = 2, kOutColor0 = 0, kOutDepth = 4;
inline constexpr int kOutSecondColor = 5;
/// Fragment inputs: v0..v11 varyings, v12..v15 the last colours: what colour targets 0..3 hold at the pixel.
inline constexpr int kInLastColor0 = kMaxVaryings;

enum class TextureTarget : uint8_t { Tex2D, Cube, Tex3D, External, Shadow2D };
/// Components of the coordinate that a lookup takes: s, t; with r; with the reference of a comparison.
[[nodiscard]] constexpr int coordinateCount(TextureTarget target) {
    return target == TextureTarget::Tex2D || target == TextureTarget::External ? 2 : 3;
}

/// Level-of-detail source of a lookup.
enum class LodMode : uint8_t { Implicit, Bias, Explicit, Gradient };

struct Word {
    uint64_t lo = 0, hi = 0;
    bool operator==(const Word&) const = default;
};
static_assert(sizeof(Word) == 16);

struct Program;        // program.h
struct GroupRegister;  // executor.h, and what follows
struct GroupRun;
class Routine;
class Executor;
class Kernel;  // compute.h

}  // namespace tessera::isa
