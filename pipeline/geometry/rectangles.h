// Rectangles: two triangles with sides parallel to the target's that together fill one, as user interfaces draw every
// picture and glyph, become one primitive whose bounds are its coverage (SetupPrimitive::edgeCount 0).
//
// They do when no pixel can tell. What a pixel gets is a function of the pixel, the planes and the facing, so these
// must be the same, bit for bit; setup, which computes planes in double precision and rounds once, mostly makes them so
// where the fourth vertex has what the other three imply. And a pixel must be covered by exactly one triangle where the
// rectangle covers it. Each triangle is a half plane D of the diagonal, one V of a vertical side and one H of a
// horizontal side. The diagonals' half planes complement each other when their coefficients are opposite and c + c' =
// -1: a*x + b*y + c >= 0 exactly when not -a*x - b*y - c - 1 >= 0. The sides are those of one rectangle of w * h
// sub-pixels when the coefficients of either pair are opposite and c + c' = w * h - 1: for the left side at x0 and the
// right one at x1 (setup's makeEdge, which lowers c by one for right and bottom sides) the sum is h * (x1 - x0) - 1. A
// triangle then lies within the other one's V' and H', but for a corner that is on V' and on H; the top-left rule,
// which is one rule for all edges, gives that corner to the rectangle exactly when it gives it to one of the triangles.
//
// What is saved: blocks on the diagonal run once, not twice; half of the primitives to bin, test and list; edges.
#pragma once

#include "pipeline/geometry/primitive.h"
#include "shader-core/analysis/stage_facts.h"

namespace tessera::pipeline {

/// Makes the second of two primitives part of the first, if they are such triangles of a target of one sample; false:
/// nothing was changed. `planes` are the chunk's, of which both have as many.
[[nodiscard]] bool mergeTriangles(SetupPrimitive& first, const SetupPrimitive& second, const Plane* planes,
                                  int planesOfEach);

/// Whether a fragment program does the same where lanes that were helpers, or in a block of their own, are covered: it
/// does unless it may overrun its budget, which is a block's, or leaves loops in which it derives.
[[nodiscard]] constexpr bool allowsRectangles(const analysis::StageFacts& fragment) {
    return !fragment.mayOverrun && !fragment.derivesInLoops;
}

/// Finds the rectangles in a chunk of a draw.
class RectangleMerger {
public:
    RectangleMerger(const Draw& draw, int planesOfEach);
    /// Merges neighbours among chunk.primitives[first ..], which are in order, and says how many became part of another
    /// one. Planes stay where they are. A chunk whose neighbours are no rectangles again and again is soon left alone:
    /// it is a mesh.
    size_t merge(PrimitiveChunk& chunk, size_t first);

private:
    const int planesOfEach_;
    const bool isAllowed_;
    size_t kept_ = 0, merged_ = 0;  ///< of the chunk so far
};

}  // namespace tessera::pipeline
