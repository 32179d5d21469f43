// Pictures of a recorded address stream: how the hit rate depends on the cache, and where in the picture lines are
// missed.
#pragma once

#include <string>
#include <vector>

#include "model/texel_stream.h"
#include "tools/diff/image_diff.h"

namespace tessera::tools {

/// One cache that the stream was put through.
struct CachePoint {
    model::TextureCacheShape shape;
    std::string label;  ///< on the axis
    pipeline::TextureCacheCounters counters;
    [[nodiscard]] double hitRate() const;  ///< 0..1; of no requests: 0
};
/// Caches that differ in one respect; the paper's is among them.
struct CacheSweep {
    std::string title;
    std::vector<CachePoint> points;
};
/// By size, associativity and the shape of a line, in this order.
[[nodiscard]] std::vector<CacheSweep> sweepCaches(const model::TexelStream& stream);

/// One panel for each sweep: hit rates as points, bytes fetched in words.
[[nodiscard]] std::string cacheSvg(const std::vector<CacheSweep>& sweeps, const std::string& title);

/// Lines missed by the lookups of each pixel of a target in the paper's cache, all draws together. Black: no lookup;
/// dark blue: none missed; then blue, violet, orange to white for kMissesWhite and more.
inline constexpr uint32_t kMissesWhite = 5;
[[nodiscard]] imagediff::Image missPicture(const model::TexelStream& stream, uint32_t target);

}  // namespace tessera::tools
