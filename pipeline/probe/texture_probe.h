// Listening to the texture units: which texels each lookup of a draw reads, in order.
//
// A GPU with a probe runs on one thread and takes every fragment through its program group by group, so that the probe
// hears the same in every run. Draws of a scene are heard tile by tile, in tiles that follow each other in rows from
// the bottom, and in a tile in the order of submission; vertex programs are heard before. Pixels do not change.
#pragma once

#include <cstdint>

#include "texture/sample/texel_fetch.h"
#include "texture/texture.h"

namespace tessera::pipeline {

/// What a probe counts of a draw, a texture, a frame. The texture cache model (model/texture_cache.h) says what each
/// is.
struct TextureCacheCounters {
    uint64_t lookups = 0, hits = 0, misses = 0, bankConflicts = 0, bytes = 0;

    void add(const TextureCacheCounters& other) {
        lookups += other.lookups, hits += other.hits, misses += other.misses;
        bankConflicts += other.bankConflicts, bytes += other.bytes;
    }
    bool operator==(const TextureCacheCounters&) const = default;
};

/// What a texture unit reads of one image for one block of sixteen lookups.
struct TextureFetch {
    uint64_t draw = 0;  ///< number of the draw, from 1
    bool isVertex = false;
    const texture::Image* target = nullptr;  ///< what is drawn to: the first colour image, or depth or stencil
    int pixelX = 0, pixelY = 0;              ///< of lane 0; lane i is i % 4 to the right and i / 4 above. Vertices: 0
    const texture::TextureView* view = nullptr;
    const texture::TexelFetch* texels = nullptr;
    int unit = 0;       ///< texture unit; vertex and fragment programs share the sixteen
    int firstLane = 0;  ///< of the block within its group: 0 or 16
};

/// Called by the command processor's thread, except for the questions.
class TextureProbe {
public:
    virtual ~TextureProbe() = default;
    virtual void fetched(const TextureFetch& fetch) = 0;
    /// No more is heard of the draws so far.
    virtual void drawsDone() = 0;
    virtual void endFrame() = 0;

    /// Questions, from any thread, about finished work.
    [[nodiscard]] virtual TextureCacheCounters total() const = 0;
    [[nodiscard]] virtual TextureCacheCounters ofTexture(uint64_t identity) const = 0;  ///< TextureView::identity
};

class MachineProbe;  // pipeline/probe/machine_probe.h

/// The probes of one draw: of its texture units, and of all that happens to it.
struct DrawProbe {
    TextureProbe* probe = nullptr;
    uint64_t draw = 0;
    bool isVertex = false;
    const texture::Image* target = nullptr;
    int pixelX[2] = {}, pixelY[2] = {};  ///< of the blocks in the group that runs
    MachineProbe* machine = nullptr;     ///< null: none
};

}  // namespace tessera::pipeline
