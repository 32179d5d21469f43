// Watching single pixels: what every draw and clear does to them, and the groups that shade them.
//
// A probe is given to the GPU before it starts (Gpu::setPixelProbe). While it is recording, tiles with watched pixels
// go the general way one primitive at a time, and geometry runs one primitive to a chunk, so that a primitive's number
// is known; neither changes a byte. Without a probe, or while it does not record, the cost is a branch for each tile
// and for each draw.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pipeline/pixel/block_way.h"
#include "pipeline/pixel/pixel_key.h"
#include "pipeline/program.h"
#include "pipeline/render_target.h"
#include "pipeline/vertex_data.h"

namespace tessera::pipeline {

struct Clear;
struct Draw;

/// A pixel of a render target, y up as in GL.
struct WatchedPixel {
    int x = 0, y = 0;
    size_t id = 0;  ///< the probe's own number for it
};

/// What the images hold for one sample of a pixel.
struct SampleContents {
    bool hasDepth = false, hasStencil = false;
    uint32_t depth = 0;  ///< 24 bits
    uint8_t stencil = 0;
    /// Of each target: what is stored, 0..255 for normalised formats, else the number itself.
    std::array<std::array<float, 4>, kMaxColorTargets> color{};
    bool operator==(const SampleContents&) const = default;
};
struct PixelContents {
    int samples = 1;
    std::array<SampleContents, texture::kMaxSamples> sample{};
    bool operator==(const PixelContents&) const = default;
};
[[nodiscard]] PixelContents readPixel(const RenderTarget& target, int x, int y);

/// How one sample fared. A test that is off, or whose buffer is missing, passes.
struct SampleFate {
    bool covered = false;  ///< by the primitive and the sample coverage
    bool stencilPass = false, depthPass = false;
    float depth = 0;              ///< window z of the fragment, or what the program wrote
    uint32_t depthQuantized = 0;  ///< as compared with the buffer
};

/// A primitive that covers the pixel, or a clear.
struct PixelEvent {
    enum class Kind : uint8_t { Draw, Clear } kind = Kind::Draw;
    uint32_t command = 0;    ///< the number that PixelProbe::draw or clear gave it
    uint64_t primitive = 0;  ///< number in the draw, over all instances
    PrimitiveKind primitiveKind = PrimitiveKind::Polygon;
    bool frontFacing = true;
    PixelKey key;
    PixelValues values;
    BlockWay way;  ///< that the draw goes when nobody watches and its program is compiled
    std::array<SampleFate, texture::kMaxSamples> fate{};
    bool shaded = false;        ///< the program ran for the pixel
    bool discarded = false;     ///< by the program
    uint64_t instructions = 0;  ///< executed for the pixel: by its quad when the program takes derivatives
    std::array<std::array<float, 4>, kMaxColorTargets> color{};  ///< the program's outputs, if it was shaded
    PixelContents before, after;
};

/// The group that shaded a watched pixel, while it is being shaded; everything is the pipeline's.
struct ProbedGroup {
    const Draw* draw = nullptr;
    uint64_t primitive = 0;
    const isa::GroupRun* run = nullptr;  ///< executed: results are there
    int lane = 0;                        ///< the pixel's
    int blockX[2] = {}, blockY[2] = {};  ///< blocks of lanes 0..15 and 16..31; the second may be unused
};

/// The vertices of one primitive, shaded; everything is the pipeline's. Lane n is vertex number n of `elements`.
struct ProbedVertices {
    const Draw* draw = nullptr;
    uint64_t primitive = 0;
    std::vector<uint32_t> elements;  ///< numbers in the attribute arrays
    const isa::GroupRegister* inputs = nullptr;
    const isa::GroupRegister* specials = nullptr;
    std::span<const ConstantRegister> constants;
};

class PixelProbe {
public:
    virtual ~PixelProbe() = default;

    // On the command processor's thread, between scenes or while one collects.
    /// Whether what is drawn from now on is recorded. Asked when a scene begins; changes in the calls below and in
    /// tasks.
    [[nodiscard]] virtual bool isRecording() const = 0;
    /// The next command of the recorded frame, in order.
    virtual void draw(const Draw& draw) = 0;
    virtual void clear(const Clear& clear) = 0;
    /// A surface's frame has ended; everything drawn is in memory.
    virtual void endFrame(const texture::ImagePtr& color) = 0;

    // From any worker; a pixel is one worker's at a time.
    [[nodiscard]] virtual std::vector<WatchedPixel> pixels(const RenderTarget& target) const = 0;
    /// The number of a draw or clear of the scene.
    [[nodiscard]] virtual uint32_t number(const void* command) const = 0;
    virtual void event(const RenderTarget& target, const WatchedPixel& pixel, const PixelEvent& event) = 0;
    virtual void shaded(const WatchedPixel& pixel, const ProbedGroup& group) = 0;
    virtual void shaded(const ProbedVertices& vertices) = 0;
};

}  // namespace tessera::pipeline
