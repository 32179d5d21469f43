// What a scene draws, as lists of commands of its tiles: draws and clears of one render target are added in the order
// of submission, and the tiles are rasterised from them.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "pipeline/raster/undo.h"
#include "pipeline/scene/geometry_queue.h"
#include "pipeline/scene/spare_draws.h"

namespace tessera::pipeline {

class BinnedScene {
public:
    /// Probes may be null. `stop`: set, the scene is given up. `isPlain`: no memory serves again.
    BinnedScene(const std::atomic<bool>& stop, TextureProbe* textures, MachineProbe* machine, bool isPlain);

    [[nodiscard]] const Scene& scene() const { return scene_; }
    /// Of draws that may overrun; used while the scene has one (Scene::undo).
    [[nodiscard]] SceneUndo& undo() { return undo_; }
    [[nodiscard]] SpareDraws& spare() { return spare_; }
    [[nodiscard]] size_t bytes() const { return bytes_; }  ///< of primitives, planes and tile commands
    [[nodiscard]] size_t maxBytes() const { return maxBytes_; }
    /// The scene is to be rasterised before it grows further.
    [[nodiscard]] bool isFull() const { return bytes_ > maxBytes_; }
    [[nodiscard]] bool countsSamples() const { return countsSamples_; }  ///< a draw has an occlusion counter

    /// Of an empty scene.
    void begin(const RenderTarget& target, PixelProbe* pixels);
    void end() { scene_.target = {}; }

    void add(QueuedChunk& chunk);
    /// The draw of the chunk without what the chunk draws, to be left out.
    void addDraw(QueuedChunk& chunk);
    void add(const Clear& clear, const PixelBounds& bounds);
    /// Forgets all commands.
    void drop();
    /// Leaves the program's draws out, from one of the scene's on.
    void leaveOut(size_t firstDraw, const Program& program);

    // A scene that is a part of a draw, which may overrun in another one: what its tiles held before the draw stays
    // saved.
    struct Part {
        std::unique_ptr<RasterDraw> draw;
        std::vector<std::vector<TileCommand>> commands;  ///< by tile
    };
    [[nodiscard]] const Draw* partOf() const { return partOf_; }  ///< null: of none
    /// Takes the last draw out.
    [[nodiscard]] Part takeLastDraw();
    /// Makes the empty scene a part of that draw.
    void beginPart(Part part);
    void endParts() { partOf_ = nullptr; }

private:
    void append(std::unique_ptr<RasterDraw> draw, bool countsSamples);

    Scene scene_;
    SceneUndo undo_;
    const bool isPlain_;
    SpareDraws spare_;
    bool countsSamples_ = false;
    size_t bytes_ = 0, maxBytes_ = 0;
    const Draw* partOf_ = nullptr;
};

}  // namespace tessera::pipeline
