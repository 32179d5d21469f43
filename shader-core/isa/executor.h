// The executor interface: what the pipeline asks of a shader core, for groups that draw (here) and for kernels
// (shader-core/isa/compute.h), and what the core asks back (textures).
// Implemented by the interpreter (shader-core/interp) and the JIT (shader-core/jit).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "shader-core/isa/core.h"

namespace tessera::isa {

/// One register of a group in structure-of-arrays form: component-major, 32 lanes each. 512 bytes.
struct alignas(64) GroupRegister {
    float lane[4][kGroupSize];
};

/// A texture lookup of a group, as the executor hands it to the texture units. A NaN may have any bits.
struct TextureRequest {
    TextureTarget target = TextureTarget::Tex2D;
    LodMode lodMode = LodMode::Implicit;
    uint32_t mask = 0;  ///< lanes that want a result; lanes of the same quad are all readable
    /// s, t, r or layer, reference: 32 lanes each, as many as the target has; helper lanes hold valid coordinates.
    /// Texel: integers. Size: the level, an integer, is the first.
    const float* coord[4] = {};
    const float* lod = nullptr;  ///< Bias or Explicit, 32 lanes; Texel: the level, an integer
    const float* ddx[3] = {};    ///< Gradient: 32 lanes each
    const float* ddy[3] = {};
    std::array<int8_t, 3> offset{};  ///< texels added to the position
    Type type = Type::F32;           ///< what the texels are taken as; a size has integers
    bool hasQuads = true;            ///< false in vertex programs: Implicit then means level of detail 0
};

/// What a unit without a complete texture gives: (0, 0, 0, 1) of the lookup's type, and sizes of 0.
void answerIncomplete(const TextureRequest& request, GroupRegister& result);

/// The texture units of a draw.
class TextureUnits {
public:
    virtual ~TextureUnits() = default;
    /// Writes lanes of `request.mask` of `result`; others may be overwritten too.
    virtual void sample(int unit, const TextureRequest& request, GroupRegister& result) const = 0;
};

/// Adds the other lanes of every 2x2 quad that has a lane.
[[nodiscard]] constexpr uint32_t wholeQuads(uint32_t lanes) {
    lanes |= (lanes >> 1 & 0x55555555u) | (lanes << 1 & 0xAAAAAAAAu);
    return lanes | (lanes >> 4 & 0x0F0F0F0Fu) | (lanes << 4 & 0xF0F0F0F0u);
}

struct DrawValues;

/// Everything one group run reads and writes. All pointers are the caller's.
struct GroupRun {
    uint32_t activeMask = 0;                ///< lanes to execute, helper lanes included
    uint32_t helperMask = 0;                ///< of those, lanes that only serve derivatives: their outputs are ignored
    const GroupRegister* inputs = nullptr;  ///< v0.. (those in Program::inputMask must be valid)
    GroupRegister* outputs = nullptr;       ///< o0.. (those in Program::outputMask are written)
    const GroupRegister* specials = nullptr;  ///< s0..s4, those in Program::specialMask; s3 is the executor's
    const float (*constants)[4] = nullptr;    ///< c0.., literals filled in, Program::constantCount registers
    DrawValues* values = nullptr;             ///< shader-core/isa/block.h; null: nothing is kept for other groups
    const TextureUnits* textures = nullptr;
    uint64_t budget = 0;  ///< instructions a block of the group may execute; 0 means no limit

    // Results
    uint32_t killMask = 0;        ///< lanes discarded
    bool budgetExceeded = false;  ///< the group was stopped; outputs are undefined but initialised
    uint64_t instructions = 0;    ///< instructions executed by the group
};

struct BlockRun;     // shader-core/isa/block.h
struct TextureCall;  // likewise
struct LookupRows;   // likewise
using BlockFunction = void (*)(BlockRun* run);
/// Write the results of a call, or of `count` lookups with a derived level of detail, for the block's `lanes`. In pairs
/// there are rows for each of the two blocks, alternating, and 32 lanes.
struct SampleFunctions {
    void (*call)(const BlockRun* block, TextureCall* call, uint32_t descriptor, uint32_t lanes) = nullptr;
    void (*rows)(const BlockRun* block, LookupRows* lookups, int32_t count, uint32_t descriptor,
                 uint32_t lanes) = nullptr;
};

/// What a routine offers to callers that run blocks of sixteen lanes themselves.
struct BlockCode {
    BlockFunction function = nullptr;  ///< null: none, or not yet
    SampleFunctions sample;            ///< for BlockRun::sample: ask BlockRun::textures
    ComponentMasks inputComponents;    ///< of the inputs, those that are read
    bool hasLoops = false;
    /// Null: none, or not yet. Runs both blocks of a group at once: registers are those of the group, no lane is
    /// discarded, and lanes that are not launched may be executed. Where it stops for want of budget, of which it may
    /// use twice as much, nothing is written; whether a block has used more than its own is left to the caller.
    BlockFunction pair = nullptr;
};

/// A program made ready to run by one tier. Immutable and shared between threads.
class Routine {
public:
    virtual ~Routine() = default;
    /// Runs one group. Outputs not written by an active lane read 0. Thread safe.
    virtual void run(GroupRun& run) const = 0;
    /// Code for single blocks (shader-core/isa/block.h), which lives as long as the routine. What it says may change
    /// from none to some at any time.
    [[nodiscard]] virtual BlockCode blockCode() const { return {}; }
    /// The caller ran blocks with that code, so many instructions in all. Who makes other code of what is run much
    /// counts them.
    virtual void ranBlocks(uint64_t /*instructions*/) const {}
};

/// What an executor has of a program without compiling it.
struct KeptRoutine {
    std::shared_ptr<const Routine> routine;  ///< null: nothing, or that it refuses the program
    bool isWhole = false;                    ///< no other call would give anything better
};

/// A tier. `program` must have passed verify(). Null when the tier leaves the program to others.
class Executor {
public:
    virtual ~Executor() = default;
    [[nodiscard]] virtual std::shared_ptr<const Routine> prepare(std::shared_ptr<const Program> program) = 0;
    /// As prepare(), but as soon as possible: the routine may be slower until refine().
    [[nodiscard]] virtual std::shared_ptr<const Routine> prepareFirst(std::shared_ptr<const Program> program) {
        return prepare(std::move(program));
    }
    /// Of a compute program, for blocks of a size that has at most kMaxThreadBlockThreads threads.
    [[nodiscard]] virtual std::shared_ptr<const Kernel> prepareKernel(std::shared_ptr<const Program> program,
                                                                      std::array<uint32_t, 3> block) = 0;
    /// What prepareFirst() and refine() made of the program in an earlier process, as far as they came, or
    /// prepareKernel(), and the executor has kept; else what it can make at once. In less time than the program takes
    /// for some dozens of groups.
    [[nodiscard]] virtual KeptRoutine prepareKept(const Program&) { return {}; }
    [[nodiscard]] virtual std::shared_ptr<const Kernel> prepareKeptKernel(std::shared_ptr<const Program>,
                                                                          std::array<uint32_t, 3>) {
        return nullptr;
    }
    /// Loads what the calls above take for programs that nothing is kept of, which the first of them does otherwise.
    virtual void getReady() {}
    /// Work on a routine made by prepare(), prepareFirst() or prepareKept() from `program` that need not be done before
    /// its first use. Once for each routine, which may be running.
    virtual void refine(const Routine&, const Program&) {}
    [[nodiscard]] virtual std::string name() const = 0;
    /// Around a fork() by a thread that is in none of the calls above: before it the executor's own threads, if it has
    /// any, come to rest, and they do nothing more until one of the others.
    virtual void beforeFork() {}
    virtual void afterForkInParent() {}
    virtual void afterForkInChild() {}
};

}  // namespace tessera::isa
