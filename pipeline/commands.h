// Every command of the GPU, as plain data: what a command buffer holds, what `tessera commands` lists, and what the
// encoded form of a stream (pipeline/recording/encode.h) is made of.
//
// A command owns, shares or keeps in its buffer's memory all that it reads. Those that tell somebody something (read
// backs, times, ends of frames, tasks) come after all earlier rendering of their stream has reached memory; they are
// carried out even when the rest of the buffer is given up, as somebody waits for them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "pipeline/buffer.h"
#include "pipeline/command_list.h"
#include "pipeline/draw_state.h"
#include "pipeline/query_counters.h"
#include "pipeline/stream_out.h"
#include "shader-core/compute/dispatch.h"
#include "texture/codec/codec.h"
#include "texture/transfer/blit.h"

namespace tessera::pipeline {

// --- Drawing ---

/// One draw call, complete.
struct Draw {
    /// With a state of its own.
    Draw() : state(std::make_shared<DrawState>()) {}
    explicit Draw(std::shared_ptr<DrawState> shared) : state(std::move(shared)) {}

    std::shared_ptr<DrawState> state;  ///< never null; may own nothing, and the buffer keeps the state
    /// Constant registers of each stage, the command processor fills in literals where they are missing.
    PerStage<std::span<const ConstantRegister>> constants;
    Primitive primitive = Primitive::Triangles;
    uint32_t first = 0, count = 0;  ///< vertices; with indices: index count and `first` = 0
    uint32_t instances = 1;
    IndexType indexType = IndexType::None;
    ConstBufferPtr indices;
    uint64_t indexOffset = 0;  ///< bytes; indices outside `indices` read 0
    int32_t baseVertex = 0;    ///< added to each index, modulo 2^32
    bool restart = false;      ///< the index of all ones ends a strip, fan, loop or list, and begins another
    std::shared_ptr<OcclusionCounter> occlusion;  ///< counts passing samples when set
    std::shared_ptr<PrimitiveCounter> generated;  ///< counts the draw's primitives when set, drawn or not
    std::shared_ptr<const StreamOut> streamOut;   ///< null: none
};

/// That mask for each colour target.
constexpr std::array<uint8_t, kMaxColorTargets> forEachColor(uint8_t mask) {
    std::array<uint8_t, kMaxColorTargets> masks{};
    masks.fill(mask);
    return masks;
}

struct Clear {
    /// With a target of its own.
    Clear() : target(std::make_shared<RenderTarget>()) {}
    explicit Clear(std::shared_ptr<RenderTarget> shared) : target(std::move(shared)) {}

    std::shared_ptr<RenderTarget> target;  ///< never null
    bool scissorTest = false;
    Rect scissor;
    bool clearColor = false, clearDepth = false, clearStencil = false;
    /// Of targets of integers the integers' bits; what is no integer of the target's is not defined. Targets that get
    /// something else are cleared by another command.
    float color[4] = {};
    std::array<uint8_t, kMaxColorTargets> colorMask = forEachColor(0xF);  ///< 0: the target is not cleared
    float depth = 1;
    bool depthMask = true;
    uint8_t stencil = 0, stencilMask = 0xFF;
    bool encodesSrgb = true;  ///< as PixelState's
};

// --- Transfers ---

/// texture::upload of what a buffer holds.
struct Upload {
    texture::ImagePtr image;
    Rect rect;
    texture::ClientLayout layout;
    ConstBufferPtr pixels;  ///< may be longer than the rectangle needs
};

/// texture::decode of what a buffer holds.
struct Decode {
    texture::ImagePtr image;
    Rect rect;
    const texture::BlockFormat* format = nullptr;  ///< of the table
    ConstBufferPtr blocks;                         ///< may be longer than the rectangle needs
};

/// texture::copy, framebuffer to texture.
struct CopyImage {
    texture::ImagePtr from, to;
    int fromX = 0, fromY = 0;
    Rect rect;
};

/// texture::blit, framebuffer to framebuffer.
struct Blit {
    texture::ImagePtr from, to;
    texture::Blit how;
};

/// texture::resolve: a multisample image into an ordinary one. CopyImage and ReadBack from a multisample image resolve
/// what they read; presenting needs this command first.
struct Resolve {
    texture::ImagePtr from, to;
};

/// The reverse: every sample of a multisample image becomes what the ordinary image of its size and format holds.
struct FillSamples {
    texture::ImagePtr from, to;
};

/// Levels base+1 .. of every face by texture::downsample; the images exist. Of volumes that have as many slices in the
/// next level each is a layer for itself.
struct GenerateMipmap {
    std::vector<std::vector<texture::ImagePtr>> faces;  ///< [face][level]
    bool asCodes = false;                               ///< sRGB codes are averaged as numbers
};

// --- Writing buffers: draws and transfers before it have read what was there, those behind it read what it wrote ---
// A draw with a stream-out is one of them.

/// compute::dispatch: a grid of blocks of a compute program. Where there is no memory for it `result` stays as it is.
struct Dispatch {
    std::shared_ptr<const Program> program;           ///< with a compute stage
    std::span<const ConstantRegister> constants;      ///< as of a draw
    std::vector<BufferPtr> buffers;                   ///< by slot; every access to one that is missing is out of range
    std::array<uint32_t, 3> grid{1, 1, 1};            ///< fewer than 2^32 blocks
    uint64_t budget = compute::kUsualGroupBudget;     ///< instructions that a group may execute
    std::shared_ptr<compute::DispatchResult> result;  ///< may be null
};

/// Both ranges are inside their buffers; in one buffer they may overlap.
struct CopyBuffer {
    ConstBufferPtr from;
    BufferPtr to;
    uint64_t fromOffset = 0, toOffset = 0, size = 0;
};

/// texture::readBack into a buffer, which has room for the rectangle.
struct PackPixels {
    texture::ImagePtr image;
    Rect rect;  ///< inside the image
    texture::ClientLayout layout;
    bool reverseRows = false;  ///< the topmost row comes first
    BufferPtr to;
    uint64_t offset = 0;  ///< bytes to the first row
};

// --- Telling somebody ---

/// texture::readBack into memory of somebody who waits for it.
struct ReadBack {
    texture::ImagePtr image;
    Rect rect;  ///< inside the image
    texture::ClientLayout layout;
    bool reverseRows = false;  ///< the topmost row comes first
    std::byte* to = nullptr;
};

/// Writes the time, as timestamp() tells it.
struct Timestamp {
    std::shared_ptr<std::atomic<int64_t>> to;
};

/// A surface's frame has ended: for the probes, and for whoever reads the stream.
struct EndFrame {
    texture::ImagePtr color;  ///< of the surface; null: of none
};

/// Something that must happen in order and is no work of the GPU's.
class Task {
public:
    virtual ~Task() = default;
    [[nodiscard]] virtual const char* name() const = 0;  ///< as a listing shows it
    virtual void run() = 0;
};
struct RunTask {
    std::shared_ptr<Task> task;  ///< never null
};

static_assert(sizeof(Command) <= sizeof(Draw) + alignof(Draw),
              "most commands are draws: what needs more memory than one, and is as rare as a clear, is shared");

}  // namespace tessera::pipeline
