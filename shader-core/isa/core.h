// What everybody who works with programs knows of the shader core, without knowing its instructions (isa.h): its
// limits, its registers and their places, stages, texture targets, and the word as bits.
#pragma once

#include <bit>
#include <cstdint>

namespace tessera::isa {

inline constexpr int kGroupSize = 32;      ///< threads in a group (paper 2.1)
inline constexpr int kMaxTemps = 512;      ///< r0..r511
inline constexpr int kMaxConstants = 512;  ///< c0..c511
inline constexpr int kPredicates = 3;      ///< p1..p3, one bit per lane
inline constexpr int kMaxTextureUnits = 32;
inline constexpr int kMaxInstructions = 65536;
inline constexpr int kMaxAttributes = 16;  ///< of a vertex
inline constexpr int kMaxVaryings = 31;
inline constexpr int kColors = 8;        ///< colour targets of a program
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

/// How a varying comes from the vertices: with perspective, at the pixel's centre or where a covered part of it is; or
/// as the provoking vertex has it, bit by bit.
enum class Interpolation : uint8_t { Smooth, Centroid, Flat };

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

/// Vertex outputs: o0 position, o1.x point size, o2..o32 varying 0..30 (read by the fragment program as v0..v30).
/// Fragment outputs: o0..o7 colours, o8.x depth, o9 the second colour that blending may take factors from.
inline constexpr int kOutPosition = 0, kOutPointSize = 1, kOutVarying0 = 2, kOutColor0 = 0;
inline constexpr int kOutDepth = kOutColor0 + kColors, kOutSecondColor = kOutDepth + 1;
/// Vertex inputs: v0..v15 attributes. Fragment inputs: v0..v30 varyings, v32..v39 the last colours: what colour targets
/// 0..7 hold at the pixel.
inline constexpr int kInLastColor0 = 32;
inline constexpr int kMaxInputs = kInLastColor0 + kColors;       ///< v0..v39
inline constexpr int kMaxOutputs = kOutVarying0 + kMaxVaryings;  ///< o0..o32
inline constexpr int kMaxFragmentOutputs = kOutSecondColor + 1;
static_assert(kMaxAttributes <= kInLastColor0 && kMaxVaryings <= kInLastColor0 && kMaxFragmentOutputs <= kMaxOutputs);

/// Some of the registers of a file, or of the texture units: bit i is number i. Numbers become masks by themselves, as
/// in `program.inputMask = 0b101`; a mask becomes a number by bits() alone, so that no bit of it is lost in a smaller
/// type. `for (int v : mask)` goes through what is in it, in ascending order.
class RegisterMask {
public:
    static constexpr int kMost = 64;
    constexpr RegisterMask() = default;
    constexpr RegisterMask(uint64_t bits) : bits_(bits) {}  // NOLINT(google-explicit-constructor): see above
    /// Those of `first` .. `first + count - 1` that a mask can hold.
    [[nodiscard]] static constexpr RegisterMask range(int first, int count) {
        return below(first + count) & ~below(first);
    }

    [[nodiscard]] constexpr bool has(int number) const {
        return number >= 0 && number < kMost && (bits_ >> number & 1) != 0;
    }
    [[nodiscard]] constexpr bool any() const { return bits_ != 0; }
    [[nodiscard]] constexpr bool none() const { return bits_ == 0; }
    [[nodiscard]] constexpr int count() const { return std::popcount(bits_); }
    /// One more than the largest number in it; 0 when it is empty.
    [[nodiscard]] constexpr int width() const { return static_cast<int>(std::bit_width(bits_)); }
    [[nodiscard]] constexpr uint64_t bits() const { return bits_; }
    /// Moved down: what was number n is 0.
    [[nodiscard]] constexpr RegisterMask from(int number) const { return bits_ >> number; }

    constexpr RegisterMask operator~() const { return ~bits_; }
    constexpr RegisterMask& operator|=(RegisterMask other) {
        bits_ |= other.bits_;
        return *this;
    }
    friend constexpr RegisterMask operator|(RegisterMask a, RegisterMask b) { return a.bits_ | b.bits_; }
    friend constexpr RegisterMask operator&(RegisterMask a, RegisterMask b) { return a.bits_ & b.bits_; }
    friend constexpr bool operator==(RegisterMask, RegisterMask) = default;

    class Iterator {
    public:
        constexpr explicit Iterator(uint64_t left) : left_(left) {}
        constexpr int operator*() const { return std::countr_zero(left_); }
        constexpr Iterator& operator++() {
            left_ &= left_ - 1;
            return *this;
        }
        constexpr bool operator==(const Iterator&) const = default;

    private:
        uint64_t left_;
    };
    [[nodiscard]] constexpr Iterator begin() const { return Iterator(bits_); }
    [[nodiscard]] constexpr Iterator end() const { return Iterator(0); }

private:
    static constexpr RegisterMask below(int number) {
        return number <= 0 ? 0 : number >= kMost ? ~uint64_t{0} : (uint64_t{1} << number) - 1;
    }
    uint64_t bits_ = 0;
};
static_assert(kMaxInputs <= RegisterMask::kMost && kMaxOutputs <= RegisterMask::kMost);

/// Of each component the registers of which it is taken, as of inputs that a program reads.
struct ComponentMasks {
    RegisterMask component[4];
    [[nodiscard]] constexpr bool has(int number, int c) const { return component[c].has(number); }
    constexpr void add(int number, int c) { component[c] |= uint64_t{1} << number; }
    constexpr bool operator==(const ComponentMasks&) const = default;
    /// Every component of every register.
    [[nodiscard]] static constexpr ComponentMasks all() {
        const RegisterMask every = ~RegisterMask();
        return {{every, every, every, every}};
    }
};

enum class TextureTarget : uint8_t { Tex2D, Cube, Tex3D, External, Shadow2D, Array2D, ShadowCube, ShadowArray2D };
inline constexpr TextureTarget kLastTextureTarget = TextureTarget::ShadowArray2D;
/// Components of the coordinate that a lookup takes: s, t; with r or the layer; then the reference of a comparison.
[[nodiscard]] constexpr int coordinateCount(TextureTarget target) {
    if (target == TextureTarget::ShadowCube || target == TextureTarget::ShadowArray2D) return 4;
    return target == TextureTarget::Tex2D || target == TextureTarget::External ? 2 : 3;
}
/// Components that derivatives of the coordinate have.
[[nodiscard]] constexpr int gradientCount(TextureTarget target) {
    const bool isVolume =
        target == TextureTarget::Cube || target == TextureTarget::ShadowCube || target == TextureTarget::Tex3D;
    return isVolume ? 3 : 2;
}
/// Directions in which an offset moves a lookup.
[[nodiscard]] constexpr int offsetCount(TextureTarget target) { return target == TextureTarget::Tex3D ? 3 : 2; }
/// Texels that a lookup may be moved by, in each direction.
inline constexpr int kLeastTexelOffset = -8, kGreatestTexelOffset = 7;

/// Level-of-detail source of a lookup; or it is of a single texel, or of a size.
enum class LodMode : uint8_t { Implicit, Bias, Explicit, Gradient, Texel, Size };
/// What the lookup has a level of detail of its own for; a size has its level as the coordinate.
[[nodiscard]] constexpr bool hasLod(LodMode mode) {
    return mode == LodMode::Bias || mode == LodMode::Explicit || mode == LodMode::Texel;
}

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
