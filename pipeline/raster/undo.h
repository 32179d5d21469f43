// Draws that overrun are left out as a whole (docs/adr/0016-draws-that-overrun.md). A draw overruns when one of its
// vertices or fragments needs more instructions than the budget, which shows in the middle of it; so tiles keep what
// they held before the first draw that may overrun, and are drawn again without the one that did.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "pipeline/query_counters.h"
#include "pipeline/render_target.h"
#include "shader-core/isa/core.h"

namespace tessera::pipeline {

/// One tile of the scene.
struct TileUndo {
    bool isSaved = false;
    size_t next = 0;                  ///< the tile's first command since it was saved
    std::vector<std::byte> contents;  ///< before that command: of each image and sample, blocks by rows
    /// What draws have counted since; added when the draws stay.
    std::vector<std::pair<std::shared_ptr<OcclusionCounter>, uint64_t>> samples;
};

/// A draw that was left out.
struct Overrun {
    isa::Stage stage;
    uint32_t program = 0;  ///< Program::name
};

struct SceneUndo {
    static constexpr uint32_t kNone = UINT32_MAX;
    /// The number of the first of the scene's draws that have overrun. Tiles need not go beyond it.
    std::atomic<uint32_t> firstOverrun{kNone};
    std::vector<TileUndo> tiles;  ///< [tileY * tilesWide + tileX]

    void note(uint32_t draw);
    /// Before tiles are drawn: those that are saved stay so.
    void begin(size_t tileCount);
    [[nodiscard]] std::vector<uint32_t> savedTiles() const;
    /// What was drawn stays: counts its samples, forgets what was saved.
    void commit();
};

/// Copies the tile's pixels of all images into `undo`.
void saveTile(const RenderTarget& target, int tileX, int tileY, TileUndo& undo);
/// Puts back what saveTile() has kept, and forgets what the tile was known to hold.
void restoreTile(const RenderTarget& target, int tileX, int tileY, TileUndo& undo);

}  // namespace tessera::pipeline
