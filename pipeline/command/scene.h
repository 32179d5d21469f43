// The scene: draws and clears of one render target, collected, set up, binned, and rasterised at once.
//
// Draws are first queued as chunks of primitives; queued chunks of several draws run through the geometry path in
// parallel, then their results are merged in submission order into the tiles' command lists. So a frame of many small
// draws is as parallel as one large draw. The scene is flushed when it grows beyond a memory bound, in the middle of
// a draw if need be.
#pragma once

#include <deque>
#include <memory_resource>

#include "base/thread/thread_pool.h"
#include "pipeline/command/gpu.h"
#include "pipeline/command/row_copies.h"
#include "pipeline/command/watchdog.h"
#include "pipeline/geometry/geometry.h"
#include "pipeline/raster/undo.h"
#include "pipeline/texture_binding.h"

namespace tessera::pipeline {

struct DrawState;

class SceneBuilder {
public:
    /// With a texture probe the pool must have one thread; a machine probe must be that too. All may be null.
    explicit SceneBuilder(ThreadPool& pool, Watch& watch, TextureProbe* textures = nullptr,
                          PixelProbe* pixels = nullptr, MachineProbe* machine = nullptr);
    ~SceneBuilder();

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

    /// Totals since construction; only the thread that calls flush() may ask.
    [[nodiscard]] const Counters& counters() const { return counters_; }
    /// The draws that overran since the last call: one of each program, in order.
    [[nodiscard]] std::vector<Overrun> takeOverruns() { return std::exchange(overruns_, {}); }

private:
    /// A chunk of a draw's primitives on its way through the geometry path. Of one that is the whole draw the worker
    /// makes all that the scene keeps, so that small draws cost the command processor's thread little.
    struct QueuedChunk {
        const Draw* draw = nullptr;
        const Program* program = nullptr;        ///< of the draw
        uint64_t number = 0;                     ///< of the draw
        const DrawGeometry* geometry = nullptr;  ///< null: the chunk is the whole draw, and its worker makes it
        uint64_t first = 0;
        uint32_t count = 0;
        bool countsSamples = false;        ///< the draw has an occlusion counter
        bool abandoned = false;            ///< the draw's vertex program exceeded its budget
        size_t primitives = 0, bytes = 0;  ///< of the result, before any were merged; what it takes in the scene
        ChunkGeometry result;
        /// What the raster needs of the whole draw. The chunk's worker makes it, with the primitives in it, when
        /// `result` has segments.
        std::unique_ptr<RasterDraw> raster;
    };

    void begin(const RenderTarget& target);
    /// Makes the scene one for draws with that state; false: they do nothing. `feedback`: they read what they write.
    bool accept(const DrawState& state, bool& feedback);
    [[nodiscard]] bool readsTarget(const std::vector<TextureBinding>& bindings) const;
    void noteTextures(const std::vector<TextureBinding>& bindings);
    QueuedChunk& enqueue(const Draw& draw, uint64_t first, uint64_t count);
    void enqueueChunks(const Draw& draw);
    void process(QueuedChunk& chunk, GeometryScratch& scratch) const;
    static void makeRasterDraw(const QueuedChunk& chunk, RasterDraw& raster);
    [[nodiscard]] PrimitiveChunk spareChunk();
    [[nodiscard]] std::unique_ptr<RasterDraw> spareDraw();
    void runGeometry();
    void merge(QueuedChunk& chunk);
    void addDraw(std::unique_ptr<RasterDraw> raster, bool countsSamples);
    void addChunk(QueuedChunk& chunk);
    void boundMemory();
    void rasterize();
    void rasterizeTiles();
    /// `count` tiles from `first` to the right.
    struct TileRun {
        uint32_t first;
        int count;
    };
    [[nodiscard]] std::vector<TileRun> tileRuns(const std::vector<uint32_t>& tiles) const;
    void dropCommands();
    void keep(std::unique_ptr<RasterDraw> draw);

    // Draws that overrun
    void beginParts();
    void endParts();
    void leaveOut(size_t number, isa::Stage stage);

    ThreadPool& pool_;
    Watch& watch_;
    PixelProbe* const pixelProbe_;
    Scene scene_;
    bool open_ = false;                    ///< the scene has a target
    const DrawState* accepted_ = nullptr;  ///< the last draw's, if the next one may go without asking again
    bool countsSamples_ = false;           ///< a draw of the scene has an occlusion counter
    size_t bytes_ = 0;                     ///< of primitives, planes and tile commands
    size_t maxBytes_ = 0;                  ///< the scene is flushed when there are more
    std::pmr::unsynchronized_pool_resource geometryMemory_;
    std::pmr::deque<DrawGeometry> geometries_{&geometryMemory_};  ///< of draws of several chunks; addresses stay
    std::vector<QueuedChunk> queue_;  ///< the first queued_ are in use, the rest keeps memory
    size_t queued_ = 0;
    size_t maxQueued_;                                     ///< the queue is run when it has as many chunks
    std::vector<PrimitiveChunk> spare_;                    ///< empty, but with memory
    size_t spareBytes_ = 0;                                ///< of spare_
    std::vector<std::unique_ptr<RasterDraw>> spareDraws_;  ///< each with up to one chunk, which is to be emptied
    std::vector<const texture::TextureView*> views_;       ///< sampled by the scene
    RowCopies rowCopies_;
    std::vector<GeometryScratch> scratch_;  ///< by worker
    Counters counters_;
    SceneUndo undo_;
    /// The scene is a part of this draw, which may overrun in another one: what its tiles held before it stays saved.
    const Draw* inParts_ = nullptr;
    std::vector<Overrun> overruns_;
};

}  // namespace tessera::pipeline
