// What a frame or a launch asks of a chip: everything that was done, in order, without a time. Recorded by listening to
// the pipeline and the interpreter (record.h), or written by hand in tests; read by the machine (unit/machine.h), which
// gives it times. Nothing here holds a colour: the model cannot invent a pixel.
//
// Work is flat arrays that refer to each other by number, so that a machine walks it without chasing pointers:
//
//   draws --first, count--> vertex batches --> bursts: 32 vertices each, with an instruction trace
//     |---------------------> primitives: three batches each, and a range of blocks in the order of scanning
//                                             |--> blocks: 4x4 fragments each, with masks and an instruction trace
//   launches --> thread blocks --> groups of 32 threads, with an instruction trace
//
// Fragments are traced by 4x4 block, sixteen lanes each; which blocks make a group of 32 is the machine's business.
// mergeTraces() gives what the group would execute.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "shader-core/isa/core.h"

namespace tessera::model {

inline constexpr uint32_t kNone = ~0u;

/// Elements first .. first + count - 1 of an array of the workload.
struct Range {
    uint32_t first = 0, count = 0;
    bool operator==(const Range&) const = default;
};

/// What one thread's instruction asks of memory. Texture instructions: one 64-byte line (a 4x4 tile, after conversion)
/// that a lookup reads, in the order of the footprint. Memory instructions: one 32-bit word.
struct Access {
    uint64_t address = 0;      ///< bytes in the chip's address space: of a tile in SDRAM, or of a word in its space
    uint8_t lane = 0;          ///< of the trace: 0..31, or 0..15 of a block
    uint8_t cycles = 1;        ///< texture: that the cache's banks take to deliver, beyond those for the lookup's lines
                               ///< before it: 0 where they do both at once. A lookup's sum is 1 and its bank conflicts
    uint8_t lookup = 0;        ///< texture: number of the lookup in its lane and instruction (mip levels, probes)
    uint8_t filterTexels = 1;  ///< texture: texels that the lookup's filter takes from this line
    uint8_t bytes = 64;        ///< texture: 1..64 that are read of SDRAM for the line, as its format is stored there
    uint8_t step = 64;         ///< texture: of SDRAM from one line to the next; a power of two
    bool operator==(const Access&) const = default;
};

/// One instruction, as the lanes of a trace executed it.
struct Executed {
    uint32_t pc = 0;
    uint32_t lanes = 0;  ///< that executed it: alive, on this side of the branch, guard true
    Range accesses;      ///< in Workload::accesses; none but for texture and memory instructions
    // Where it stands among what the other block of a group executes (mergeTraces).
    uint16_t callDepth = 0;  ///< calls that are open
    uint16_t loopDepth = 0;  ///< loops that are open
    uint32_t iteration = 0;  ///< of the innermost loop, from 1; outside of loops: runs of the program before this one
    bool operator==(const Executed&) const = default;
};

/// A program, with what residency depends on.
struct ProgramUse {
    std::shared_ptr<const isa::Program> program;
    std::string name;          ///< "vertex program 3", "fft"; with a source file where that is known
    uint32_t temporaries = 0;  ///< r registers of a thread
};

/// 32 vertices at most, each of which is shaded once.
struct VertexBatch {
    uint32_t lanes = 0;  ///< of vertices
    Range trace;         ///< in Workload::executed
    Range fetches;       ///< in Workload::lines: the 64-byte lines of attributes (and indices) that it reads, in order
    uint32_t vertices() const { return static_cast<uint32_t>(__builtin_popcount(lanes)); }
};

/// What becomes of a primitive between assembly and the rasteriser.
enum class Fate : uint8_t {
    Drawn,
    Outside,  ///< all outcodes share a bit
    Facing,   ///< culled
    Empty,    ///< covers no pixel of the target
};

struct Primitive {
    uint32_t batch[3] = {kNone, kNone, kNone};  ///< that shade its vertices, by number in Workload::batches
    Fate fate = Fate::Drawn;
    uint8_t outcodes = 0;     ///< planes that cut it
    uint8_t newVertices = 0;  ///< that clipping made
    uint32_t scanned = 0;     ///< 4x4 blocks that the edge equations were asked about
    Range blocks;             ///< covered, in Workload::blocks
};

/// Sixteen fragments of one primitive.
struct Block {
    int16_t x = 0, y = 0;  ///< in blocks of the target
    uint16_t covered = 0;  ///< by the primitive (multisampling: any sample)
    uint16_t early = 0;    ///< left after early tests: these are shaded; without early tests as covered
    uint16_t written = 0;  ///< left after discards and late tests: these are blended and stored
    Range trace;           ///< in Workload::executed; none where nothing was shaded
};

/// What the pixel engines and rasterisers have to do for each fragment of a draw.
struct PixelWork {
    bool depthRead = false, depthWrite = false, stencil = false;
    bool earlyTests = false;  ///< before the program
    bool colorRead = false;   ///< blending, logic operations, a part of the channels
    uint8_t targets = 1, samples = 1;
    uint8_t colorBytes = 4;  ///< of a pixel of one target and sample
    uint32_t target = 0;     ///< number of the render target
};

struct DrawWork {
    std::string name;                                         ///< "draw 12: 220 triangles, program 3"
    std::string call;                                         ///< GL call that made it, where that is known
    uint32_t vertexProgram = kNone, fragmentProgram = kNone;  ///< in Workload::programs
    uint8_t attributes = 0;                                   ///< of a vertex
    uint8_t varyings = 0;                                     ///< of a fragment, vectors of four
    PixelWork pixels;
    Range batches, primitives;
    uint32_t commandBytes = 0;  ///< that the command processor reads: state that changed, constants
};

/// A clear, copy or upload: bytes that go to or come from SDRAM.
struct TransferWork {
    std::string name;
    uint64_t bytesRead = 0, bytesWritten = 0;
    /// Which of both are the host's: they cross its bus, where there is one.
    enum class Host : uint8_t { None, Read, Written } host = Host::None;
    // Of a clear: images of a target that become one value as wholes, and what of bytesWritten is theirs.
    uint32_t target = kNone;
    bool wholeColor = false, wholeDepth = false;
    uint64_t bytesWhole = 0;
};

struct ThreadBlock {
    Range groups;  ///< in Workload::groups
};
/// 32 threads of a kernel. Barriers are instructions of the trace.
struct KernelGroup {
    uint32_t lanes = 0;
    Range trace;
};
struct LaunchWork {
    std::string name;
    uint32_t program = kNone;
    uint32_t threadsPerBlock = 0, sharedBytes = 0;
    Range blocks;  ///< in Workload::threadBlocks
};

/// In order of submission.
struct CommandWork {
    enum class Kind : uint8_t { Draw, Transfer, Launch, EndFrame } kind = Kind::Draw;
    uint32_t item = 0;  ///< in draws, transfers or launches; frame number of an EndFrame
};

struct Workload {
    std::string name;
    int width = 0, height = 0;  ///< of the surface, for display read-out; 0: none
    std::vector<CommandWork> commands;
    std::vector<ProgramUse> programs;
    std::vector<DrawWork> draws;
    std::vector<VertexBatch> batches;
    std::vector<Primitive> primitives;
    std::vector<Block> blocks;
    std::vector<TransferWork> transfers;
    std::vector<LaunchWork> launches;
    std::vector<ThreadBlock> threadBlocks;
    std::vector<KernelGroup> groups;
    std::vector<Executed> executed;
    std::vector<Access> accesses;
    std::vector<uint64_t> lines;  ///< addresses of 64-byte lines

    // Items: what is counted by itself. Draws, behind them launches, transfers and ends of frames, each in order.
    [[nodiscard]] uint32_t launchItem(uint32_t launch) const { return static_cast<uint32_t>(draws.size()) + launch; }
    [[nodiscard]] uint32_t transferItem(uint32_t transfer) const {
        return launchItem(static_cast<uint32_t>(launches.size())) + transfer;
    }
    /// Of the end of a frame, counted from 0.
    [[nodiscard]] uint32_t frameItem(uint32_t end) const {
        return transferItem(static_cast<uint32_t>(transfers.size())) + end;
    }

    [[nodiscard]] std::span<const Executed> trace(Range range) const {
        return std::span(executed).subspan(range.first, range.count);
    }
    [[nodiscard]] std::span<const Access> of(const Executed& instruction) const {
        return std::span(accesses).subspan(instruction.accesses.first, instruction.accesses.count);
    }
};

/// Of two instructions of one program, executed by two blocks of a group: whether the group executes `a` before `b`.
/// The deeper call goes first, then the deeper loop, the earlier iteration, the lower pc, as the reconvergence stack of
/// structured code has it.
[[nodiscard]] inline bool goesFirst(const Executed& a, const Executed& b) {
    if (a.callDepth != b.callDepth) return a.callDepth > b.callDepth;
    if (a.loopDepth != b.loopDepth) return a.loopDepth > b.loopDepth;
    if (a.iteration != b.iteration) return a.iteration < b.iteration;
    return a.pc < b.pc;
}

/// One instruction of a group of two blocks: `accesses` of either, with lanes of the second moved up by sixteen.
struct MergedExecuted {
    uint32_t pc = 0;
    uint32_t lanes = 0;
    const Executed* half[2] = {};  ///< null: the block has no lane there
};
/// What a group of 32 lanes executes that is made of two blocks: instructions that both execute are one; where they
/// part, goesFirst() says in which order.
[[nodiscard]] std::vector<MergedExecuted> mergeTraces(std::span<const Executed> first,
                                                      std::span<const Executed> second);

/// Empty, or what refers to something that is not there, or to what something else refers to: only programs, traces,
/// lines and transfers may be named again. A machine runs valid workloads only.
[[nodiscard]] std::string validate(const Workload& workload);

}  // namespace tessera::model
