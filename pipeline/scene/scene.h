// The scene: draws and clears of one render target, collected, set up, binned, and rasterised at once.
//
// Draws are first queued as chunks of primitives (geometry_queue.h); queued chunks of several draws run through the
// geometry path in parallel, then their results are merged in submission order into the tiles' command lists
// (binned_scene.h), from which the tiles are drawn (scene_tiles.h). So a frame of many small draws is as parallel as
// one large draw. The scene is flushed when it grows beyond a memory bound, in the middle of a draw if need be.
#pragma once

#include <utility>
#include <vector>

#include "pipeline/counters.h"
#include "pipeline/scene/binned_scene.h"
#include "pipeline/scene/geometry_queue.h"
#include "pipeline/scene/scene_images.h"
#include "pipeline/scene/stream_outs.h"
#include "pipeline/watchdog.h"

namespace tessera::pipeline {

struct DrawState;

class SceneBuilder {
public:
    /// With a texture probe the pool must have one thread; a machine probe must be that too. All may be null.
    /// `isPlain`: nothing is kept from scene to scene (Gpu::setPlain()).
    explicit SceneBuilder(ThreadPool& pool, Watch& watch, TextureProbe* textures = nullptr,
                          PixelProbe* pixels = nullptr, MachineProbe* machine = nullptr, bool isPlain = false);

    /// Draws and clears are kept by reference until the next flush(). A command whose render target differs from the
    /// scene's, or which reads an image that the scene draws to, flushes first.
    void draw(const Draw& draw);
    void clear(const Clear& clear);

    /// Finishes everything recorded so far: afterwards it is in the images.
    void flush();

    /// Whether the unflushed scene reads or writes the image.
    [[nodiscard]] bool uses(const texture::ImagePtr& image) const;
    /// Whether the unflushed scene writes the image.
    [[nodiscard]] bool writes(const texture::ImagePtr& image) const;

    /// Whether draws that are queued have yet to fetch vertices or indices from the buffer; runGeometry() has them do
    /// it.
    [[nodiscard]] bool fetches(const Buffer& buffer) const { return queue_.fetches(buffer); }
    /// Queued draws go through the geometry path: the scene does not need their vertices any more.
    void runGeometry();

    /// Totals since construction; only the thread that calls flush() may ask.
    [[nodiscard]] const Counters& counters() const { return counters_; }
    /// The draws that overran since the last call: one of each program, in order.
    [[nodiscard]] std::vector<Overrun> takeOverruns() { return std::exchange(overruns_, {}); }

private:
    void begin(const RenderTarget& target);
    /// Makes the scene one for draws with that state; false: they do nothing. `feedback`: they read what they write.
    bool accept(const DrawState& state, bool& feedback);
    bool streamOut(const Draw& draw);
    void enqueue(const Draw& draw);
    void merge(QueuedChunk& chunk);
    void boundMemory();
    void rasterize();
    void rasterizeTiles();

    // Draws that overrun
    void beginParts();
    void endParts();
    void leaveOut(size_t number, isa::Stage stage);
    void ban(const Program& program, isa::Stage stage);

    ThreadPool& pool_;
    Watch& watch_;
    PixelProbe* const pixelProbe_;
    const bool isPlain_;
    bool open_ = false;                    ///< the scene has a target
    const DrawState* accepted_ = nullptr;  ///< the last draw's, if the next one may go without asking again
    SampledViews sampled_;
    BinnedScene binned_;
    GeometryQueue queue_;
    StreamOuts streamOuts_;
    Counters counters_;
    std::vector<Overrun> overruns_;
};

}  // namespace tessera::pipeline
