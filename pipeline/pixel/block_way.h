// Which way the blocks of a draw go in a tile. All ways give the same bytes; this is the one place that chooses, and
// pipeline/raster looks at nothing else. Where a draw misses a faster way, the reason is kept for tools.
#pragma once

#include "pipeline/pixel/pixel_forms.h"

namespace tessera::pipeline {

/// Why a part of a way is not a faster one.
enum class WayReason : uint8_t {
    None,                ///< there is none, or nothing to do
    Watched,             ///< pixels of the tile are watched
    Heard,               ///< a tool hears of blocks or lookups
    NotCompiled,         ///< the program is interpreted, so far or for good
    SeveralSamples,      ///< a pixel of the target has several
    LateTests,           ///< the program, or alpha to coverage, decides what is tested
    ReadsLastColors,     ///< the program does
    ReadsTarget,         ///< blending or a logic operation does
    ReadsSpecials,       ///< the program does: gl_FragCoord, gl_FrontFacing, gl_PointCoord
    EachSample,          ///< the program is run for each
    ReadsNoVaryings,     ///< the program does not, so that nothing is worth sharing
    TakesDerivatives,    ///< the program does
    DerivativesInLoops,  ///< the program takes derivatives and has loops, which helper lanes might leave sooner
    MayOverrun,          ///< the program has no bound that the budget of a block is sure to hold
    GeneralTests,        ///< the tests have no short form
    GeneralFinish,       ///< the colours have no short form (PixelForms::reason)
    DepthGrows,          ///< the depth function lets larger depths pass
};

struct BlockWay {
    /// Who takes covered blocks through tests, program and colours.
    enum class Kind : uint8_t {
        Groups,   ///< two blocks at a time through isa::Routine::run, one sample: the reference, without short forms
        Samples,  ///< the same with several samples of each pixel
        Blocks,   ///< loops over a primitive's blocks, with machine code for single blocks
    };
    /// Tests before the program.
    enum class EarlyTests : uint8_t {
        None,    ///< nothing is tested, or after the program alone
        Reject,  ///< what fails now goes, as it would later
        Final,   ///< test and write
    };
    /// Where colours come from. Those between Program and None are of Blocks.
    enum class Color : uint8_t {
        Program,  ///< it is run for each block
        Once,     ///< it gives all pixels of the draw one colour, and is run for one block of each primitive
        Copy,     ///< it copies varyings and constants, and is not run
        Picture,  ///< it shows a picture: rectangles get theirs without it (block_rectangle.h)
        None,     ///< nothing that it computes is visible: it is not run
    };
    /// Samples: where a program is run in a pixel.
    enum class Place : uint8_t {
        Inside,  ///< at the centre, or where the primitive is
        Center,
        EachSample,  ///< once for each covered sample, at its place
    };
    /// Blocks: how small primitives go through the loops.
    enum class Small : uint8_t {
        OneByOne,
        Together,
        Shared,  ///< together, and those that meet in a block run the program together
    };

    Kind kind = Kind::Groups;
    PixelForms forms;  ///< of tests and colours
    EarlyTests earlyTests = EarlyTests::None;
    Color color = Color::Program;
    Place place = Place::Inside;
    Small small = Small::OneByOne;
    bool writesInLoop =
        false;               ///< Blocks: colours are written in their short form by a loop, as nothing is tested then
    bool runsPairs = false;  ///< Blocks: the program, for two blocks at once
    bool hidesSquares = false;  ///< Blocks: squares behind the hierarchical depth are left out (tile_depth.h)
    /// What a later primitive overwrites is not shaded: pixels (Blocks, block_deferral.h) or whole blocks (Samples)
    /// wait.
    bool waits = false;
    bool inOrder = false;     ///< Groups, Samples: a block does not join the group while the group has it
    uint8_t groupBlocks = 2;  ///< Groups, Samples: that run together

    /// Why it is not Kind::Blocks; Small::Shared; that nothing waits; that no squares are hidden.
    struct Reasons {
        WayReason kind = WayReason::None, small = WayReason::None, waits = WayReason::None, hides = WayReason::None;
        bool operator==(const Reasons&) const = default;
    } why;
    bool operator==(const BlockWay&) const = default;
};

/// What decides the way besides the pixel key.
struct WayCase {
    int samples = 1;
    bool isCompiled = false;  ///< there is machine code for single blocks
    bool hasPairs = false;    ///< and for two at once
    bool isWatched = false, isHeard = false;

    // The fragment program.
    bool readsVaryings = false, readsSpecials = false, readsLastColors = false;
    bool eachSample = false;  ///< it is run for each sample: it asks for it, or the draw does
    bool takesDerivatives = false, hasLoops = false, mayOverrun = false;
    bool copies = false;        ///< Picture::isCopy()
    bool showsPicture = false;  ///< Picture::isLookup(), and its unit answers lookups of blocks
};

[[nodiscard]] BlockWay blockWay(const PixelKey& key, const WayCase& of);

}  // namespace tessera::pipeline
