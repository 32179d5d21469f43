// What compiled code is called with: shader-core/isa/block.h, under the names this room uses, and the frame of kernels.
#pragma once

#include <cstddef>

#include "shader-core/isa/block.h"
#include "shader-core/isa/compute.h"
#include "shader-core/isa/isa.h"

namespace tessera::jit {

using Frame = isa::BlockRun;
using isa::BlockFunction;
using isa::LookupRows;
using isa::SampleFunctions;
using isa::Stop;
using isa::TextureCall;
using isa::TextureDescriptor;

[[nodiscard]] inline TextureDescriptor descriptorOf(const isa::Instruction& lookup) {
    return {lookup.textureUnit,
            static_cast<uint8_t>(lookup.textureTarget),
            static_cast<uint8_t>(isa::lodModeOf(lookup.op)),
            lookup.textureRelative,
            lookup.type,
            lookup.texelOffset};
}

inline constexpr const char* kBlockFunctionName = "tessera_block";
/// Symbol of isa::ComponentMasks in the object: isa::BlockCode::inputComponents.
inline constexpr const char* kInputComponentsName = "tessera_inputs";

// --- Kernels: one function runs a group from its start to its end ---

/// Rows of 32 lanes that a memory instruction hands over when the short ways do not do.
struct alignas(64) MemoryCall {
    uint32_t address[isa::kGroupSize];
    uint32_t value[4][isa::kGroupSize];  ///< of stores; [0] and [1]: operands of atomics
    uint32_t result[4][isa::kGroupSize];
};

/// A memory instruction in 64 bits.
struct MemoryDescriptor {
    isa::Op op = isa::Op::Ld;
    isa::Type type = isa::Type::F32;
    uint8_t slot = 0, bytes = 4, count = 1;
    [[nodiscard]] constexpr uint64_t pack() const {
        return static_cast<uint64_t>(op) | static_cast<uint64_t>(type) << 8 | uint64_t{slot} << 16 |
               uint64_t{bytes} << 24 | uint64_t{count} << 32;
    }
    static constexpr MemoryDescriptor unpack(uint64_t bits) {
        return {static_cast<isa::Op>(bits & 0xff), static_cast<isa::Type>(bits >> 8 & 0xff),
                static_cast<uint8_t>(bits >> 16), static_cast<uint8_t>(bits >> 24), static_cast<uint8_t>(bits >> 32)};
    }
};

struct KernelFrame;
using KernelFunction = void (*)(KernelFrame* frame);
/// Elements of the lanes of `mask`, one by one.
using MemoryFunction = void (*)(KernelFrame* frame, MemoryCall* call, uint64_t descriptor, uint32_t mask);
/// The group's lanes of `mask` are at a barrier: number | groups << 8 | instruction << 16. Not zero: the group has to
/// end.
using BarrierFunction = uint32_t (*)(KernelFrame* frame, uint32_t mask, uint64_t where);

struct KernelFrame {
    const float* constants = nullptr;
    MemoryFunction memory = nullptr;         ///< memory_call_*.S know where it is
    MemoryFunction keepingMemory = nullptr;  ///< the same, with every register kept
    BarrierFunction barrier = nullptr;
    uint64_t budget = 0;
    uint64_t instructions = 0;  ///< result
    uint32_t launch = 0;        ///< lanes to execute; not zero
    uint32_t group = 0;
    uint32_t block[4] = {}, grid[4] = {};
    uint32_t stopped = 0;  ///< result: a Stop; Discarded after a barrier that did not let the group go on
    std::byte* data[isa::kSharedSlot + 1] = {};
    uint64_t size[isa::kSharedSlot + 1] = {};
    uint64_t outOfRange = 0;    ///< result, adds up
    void* scheduler = nullptr;  ///< of the block, for `barrier`
    /// What groups read of each other: for each group of the block, for each of isa::componentsReadInBlock(), a row.
    float* blockRegisters = nullptr;
};

static_assert(offsetof(KernelFrame, memory) == 8);

/// Frames of kernels with more bytes than this are refused, so that groups can have small stacks.
inline constexpr unsigned kMaxKernelFrame = 192 * 1024;
/// The same of programs of the pipeline, which run on threads with 8 MB of stack.
inline constexpr unsigned kMaxGraphicsFrame = 4 * 1024 * 1024;

}  // namespace tessera::jit
