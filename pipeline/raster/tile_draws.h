// The draws of one tile, made ready for the functions of raster_functions.h, and the pixels that wait for their colour.
//
// Pixels of large primitives wait (block_deferral.h) for as long as nothing looks at colours: across draws, too, when
// each draw overwrites all that those before it write. So of opaque layers, each in a draw of its own, one is shaded.
#pragma once

#include <array>
#include <optional>

#include "pipeline/raster/raster_functions.h"
#include "pipeline/raster/tile_place.h"
#include "pipeline/units/texture_units.h"

namespace tessera::pipeline {

struct DrawState;
struct RenderTarget;

/// A state of draws, made ready.
struct PreparedDraw {
    /// With what the pixel engine knows of the state; TileDraws fills in the rest.
    PreparedDraw(const DrawState& state, const RenderTarget& target);
    TileDraw draw;
    DrawProbe probe;
    std::optional<DrawTextureUnits> textures;
    InputComponents components;
    uint32_t written = 0;  ///< of the colour targets: bit 4 * target + channel
};

class TileDraws {
public:
    /// Who looks at the tile's blocks.
    struct Audience {
        bool watches;             ///< pixels
        BlockListener* listener;  ///< hears of the blocks; null: nobody does
    };
    /// `group` takes the blocks of programs without code for single blocks; shaded fragments are counted in `stats`
    /// when they have waited.
    TileDraws(const RasterFunctions& functions, const Scene& scene, const TilePlace& tile, const Audience& audience,
              FragmentGroup& group, RasterStats& stats);

    /// Makes the draw ready, until the next one is begun. What waits is shaded first, where it cannot wait on.
    TileDraw& begin(const RasterDraw& source);

    /// Before drawBlocks takes so many primitives of the current draw.
    void makeRoom(int primitives) {
        if (deferred_.count + primitives > DeferredPixels::kMaxPrimitives) shadeWaiting();
    }
    /// After it.
    void noteWaiting() {
        if (deferred_.count > numbered_) numberWaiting();
    }

    [[nodiscard]] bool areWaiting() const { return deferred_.count != 0; }
    void shadeWaiting();
    void dropWaiting();
    void dropBlocks() { deferredBlocks_.drop(); }

    TileDepth& depth() { return tileDepth_; }

private:
    struct WaitingDraw {
        const RasterDraw* source;
        PreparedDraw* prepared;
        int last;  ///< of its primitives in `deferred_`, which follow those of the draw before
    };
    /// States that stay prepared.
    static constexpr int kPrepared = 16;

    PreparedDraw& find(const DrawState& state, uint64_t number);
    [[nodiscard]] bool isCurrent(const PreparedDraw& prepared) const;
    void prepare(const DrawState& state, uint64_t number, PreparedDraw& prepared);
    [[nodiscard]] WayCase wayCase(const Program& linked, const PreparedDraw& prepared) const;
    void prepareProgram(const isa::Program& program, bool encodesSrgb, TileDraw& draw) const;
    void prepareGroups(const Program& linked, PreparedDraw& prepared);
    void prepareBlocks(const Program& linked, PreparedDraw& prepared);
    void useConstants(const RasterDraw& source, TileDraw& draw);
    void numberWaiting();
    void forgetWaiting();

    const RasterFunctions& functions_;
    const Scene& scene_;
    const TilePlace& tile_;
    const Audience audience_;
    FragmentGroup& group_;
    RasterStats& stats_;

    const RasterDraw* source_ = nullptr;
    PreparedDraw* current_ = nullptr;  ///< of `source_`; null: none has been begun yet
    std::array<std::optional<PreparedDraw>, kPrepared> prepared_;
    std::array<const DrawState*, kPrepared> states_{};  ///< of `prepared_`
    size_t oldest_ = 0;                                 ///< of them: the next to be replaced

    TileDepth tileDepth_;
    BlockBatch batch_;
    DeferredPixels deferred_;
    DeferredBlocks deferredBlocks_;                        ///< of the current draw
    int numbered_ = 0;                                     ///< primitives of `deferred_` whose draws are known
    int waitingCount_ = 0;                                 ///< of waiting_
    WaitingDraw waiting_[DeferredPixels::kMaxPrimitives];  ///< in order
    uint32_t waitingChannels_ = 0;                         ///< that they write, as PreparedDraw::written
    isa::RegisterMask clearedInputs_, clearedSpecials_;    ///< registers of the group
    isa::RegisterMask clearedBatchSpecials_;
};

}  // namespace tessera::pipeline
