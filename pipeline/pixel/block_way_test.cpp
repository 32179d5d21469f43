// Which way a draw goes, case by case: each row changes one thing of a draw that goes the fastest way.
#include "pipeline/pixel/block_way.h"

#include <doctest/doctest.h>

#include <functional>

#include "pipeline/testing/pixel_model.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;

namespace {

using Kind = BlockWay::Kind;
using Color = BlockWay::Color;
using Small = BlockWay::Small;
using Place = BlockWay::Place;
using Early = BlockWay::EarlyTests;
using Why = WayReason;

struct Case {
    PixelKey key;
    WayCase of;

    /// A compiled program of varyings, one target of eight bits, and depth as most draws have it.
    Case() {
        key.target[0].layout = layoutOf(kFormats[0]);
        key.depthTest = key.depthWrite = true;
        key.depthCompare = Compare::Less;
        of.isCompiled = of.readsVaryings = true;
    }
    [[nodiscard]] BlockWay way() const { return blockWay(key, of); }

    void blend(BlendFactor destination) {
        TargetKey& target = key.target[0];
        target.blend = true;
        target.source[0] = target.source[1] = BlendFactor::One;
        target.destination[0] = target.destination[1] = destination;
    }
};

/// The parts that the rows name.
struct Parts {
    Kind kind = Kind::Blocks;
    Color color = Color::Program;
    Small small = Small::Shared;
    bool waits = true, hidesSquares = true, writesInLoop = true;
    bool operator==(const Parts&) const = default;
};
Parts partsOf(const BlockWay& way) {
    return {way.kind, way.color, way.small, way.waits, way.hidesSquares, way.writesInLoop};
}

struct Row {
    const char* what;
    std::function<void(Case&)> change;
    Parts parts;
    BlockWay::Reasons why;
};

const Row kRows[] = {
    {"nothing", [](Case&) {}, {}, {}},

    // Who takes the blocks.
    {"the program is interpreted",
     [](Case& c) { c.of.isCompiled = false; },
     {Kind::Groups, Color::Program, Small::OneByOne, false, false, false},
     {Why::NotCompiled, Why::NotCompiled, Why::NotCompiled, Why::NotCompiled}},
    {"pixels are watched",
     [](Case& c) { c.of.isWatched = true; },
     {Kind::Groups, Color::Program, Small::OneByOne, false, false, false},
     {Why::Watched, Why::Watched, Why::Watched, Why::Watched}},
    {"a tool hears of it",
     [](Case& c) { c.of.isHeard = true; },
     {Kind::Groups, Color::Program, Small::OneByOne, false, false, false},
     {Why::Heard, Why::Heard, Why::Heard, Why::Heard}},
    {"four samples",
     [](Case& c) { c.of.samples = 4; },
     {Kind::Samples, Color::Program, Small::OneByOne, true, false, false},
     {Why::SeveralSamples, Why::SeveralSamples, Why::None, Why::SeveralSamples}},
    {"four samples, and a tool hears of it",
     [](Case& c) { c.of.samples = 4, c.of.isHeard = true; },
     {Kind::Samples, Color::Program, Small::OneByOne, false, false, false},
     {Why::SeveralSamples, Why::SeveralSamples, Why::Heard, Why::SeveralSamples}},

    // Where colours come from.
    {"no target",
     [](Case& c) { c.key.target[0] = {}; },
     {Kind::Blocks, Color::None, Small::Together, false, true, false},
     {Why::None, Why::GeneralFinish, Why::None, Why::None}},
    {"no target, and the program discards",
     [](Case& c) { c.key.target[0] = {}, c.key.order = TestOrder::LateWithReject; },
     {Kind::Blocks, Color::Program, Small::OneByOne, false, true, false},
     {Why::None, Why::LateTests, Why::LateTests, Why::None}},
    {"the program reads nothing",
     [](Case& c) { c.of.readsVaryings = false; },
     {Kind::Blocks, Color::Once, Small::Together, true, true, true},
     {Why::None, Why::ReadsNoVaryings, Why::None, Why::None}},
    {"the program reads nothing, and colours are written stage by stage",
     [](Case& c) { c.of.readsVaryings = false, c.key.target[0].dither = true, c.key.target[0].layout.bits[0] = 5; },
     {Kind::Blocks, Color::Program, Small::Together, true, true, false},
     {Why::None, Why::ReadsNoVaryings, Why::None, Why::None}},
    {"the program copies", [](Case& c) { c.of.copies = true; }, {.color = Color::Copy}, {}},
    {"the program copies in four samples",
     [](Case& c) { c.of.copies = true, c.of.samples = 4; },
     {Kind::Samples, Color::Program, Small::OneByOne, true, false, false},
     {Why::SeveralSamples, Why::SeveralSamples, Why::None, Why::SeveralSamples}},
    {"the program shows a picture",
     [](Case& c) { c.of.showsPicture = c.of.takesDerivatives = true; },
     {.color = Color::Picture, .small = Small::Together},
     {.small = Why::TakesDerivatives}},
    {"the program shows a picture in two targets",
     [](Case& c) { c.of.showsPicture = c.of.takesDerivatives = true, c.key.target[1] = c.key.target[0]; },
     {.small = Small::Together, .writesInLoop = false},
     {.small = Why::TakesDerivatives}},
    {"the program writes two targets", [](Case& c) { c.key.target[1] = c.key.target[0]; }, {.writesInLoop = false}, {}},
    {"the target is of halves",
     [](Case& c) { c.key.target[0].layout = colorLayout(texture::PixelFormat::Rgba16F, true); },
     {.writesInLoop = false},
     {}},

    // How small primitives go.
    {"the program discards",
     [](Case& c) { c.key.order = TestOrder::LateWithReject; },
     {.small = Small::OneByOne, .waits = false, .writesInLoop = false},
     {.small = Why::LateTests, .waits = Why::LateTests}},
    {"the program writes depth",
     [](Case& c) { c.key.order = TestOrder::Late; },
     {.small = Small::OneByOne, .waits = false, .hidesSquares = false, .writesInLoop = false},
     {.small = Why::LateTests, .waits = Why::LateTests, .hides = Why::LateTests}},
    {"the program reads last colours",
     [](Case& c) { c.of.readsLastColors = true; },
     {.small = Small::OneByOne, .waits = false},
     {.small = Why::ReadsLastColors, .waits = Why::ReadsLastColors}},
    {"the program reads its place",
     [](Case& c) { c.of.readsSpecials = true; },
     {.small = Small::Together},
     {.small = Why::ReadsSpecials}},
    {"the program takes derivatives",
     [](Case& c) { c.of.takesDerivatives = true; },
     {.small = Small::Together},
     {.small = Why::TakesDerivatives}},
    {"the program may overrun",
     [](Case& c) { c.of.mayOverrun = true; },
     {.small = Small::Together, .waits = false},
     {.small = Why::MayOverrun, .waits = Why::MayOverrun}},
    {"stencil is tested",
     [](Case& c) { c.key.stencilTest = true; },
     {.small = Small::Together, .hidesSquares = false},
     {.small = Why::GeneralTests, .hides = Why::GeneralTests}},

    // What waits.
    {"it adds to the target",
     [](Case& c) { c.blend(BlendFactor::One); },
     {.waits = false},
     {.waits = Why::ReadsTarget}},
    {"it blends, but takes nothing of the target", [](Case& c) { c.blend(BlendFactor::Zero); }, {}, {}},
    {"it combines bits",
     [](Case& c) { c.key.target[0].logicOp = LogicOp::Xor; },
     {.small = Small::Together, .waits = false, .writesInLoop = false},
     {.small = Why::GeneralFinish, .waits = Why::ReadsTarget}},
    {"the program has loops", [](Case& c) { c.of.hasLoops = true; }, {}, {}},
    {"the program takes derivatives and has loops",
     [](Case& c) { c.of.hasLoops = c.of.takesDerivatives = true; },
     {.small = Small::Together, .waits = false},
     {.small = Why::TakesDerivatives, .waits = Why::DerivativesInLoops}},
    {"the same in four samples, where whole blocks wait",
     [](Case& c) { c.of.hasLoops = c.of.takesDerivatives = true, c.of.samples = 4; },
     {Kind::Samples, Color::Program, Small::OneByOne, true, false, false},
     {Why::SeveralSamples, Why::SeveralSamples, Why::None, Why::SeveralSamples}},

    // What is hidden.
    {"no depth test", [](Case& c) { c.key.depthTest = c.key.depthWrite = false; }, {.hidesSquares = false}, {}},
    {"larger depths pass",
     [](Case& c) { c.key.depthCompare = Compare::Greater; },
     {.hidesSquares = false},
     {.hides = Why::DepthGrows}},
};

}  // namespace

TEST_CASE("which way a draw goes, and why not a faster one") {
    for (const Row& row : kRows) {
        Case given;
        row.change(given);
        const BlockWay way = given.way();
        CAPTURE(row.what);
        const Parts got = partsOf(way);
        CHECK(got.kind == row.parts.kind);
        CHECK(got.color == row.parts.color);
        CHECK(got.small == row.parts.small);
        CHECK(got.waits == row.parts.waits);
        CHECK(got.hidesSquares == row.parts.hidesSquares);
        CHECK(got.writesInLoop == row.parts.writesInLoop);
        CHECK(way.why.kind == row.why.kind);
        CHECK(way.why.small == row.why.small);
        CHECK(way.why.waits == row.why.waits);
        CHECK(way.why.hides == row.why.hides);
    }
}

TEST_CASE("groups are the reference of one sample: without short forms; those of several samples take them") {
    Case given;
    CHECK(given.way().forms == pixelForms(given.key));
    given.of.samples = 4;
    CHECK(given.way().forms == pixelForms(given.key));
    given.of.samples = 1, given.of.isCompiled = false;
    CHECK(given.way().forms == pixelForms(given.key).general());
    CHECK(given.way().forms.tests == TestForm::General);
    CHECK(given.way().groupBlocks == 2);
    given.of.isHeard = true;
    CHECK(given.way().groupBlocks == 1);
}

TEST_CASE("what is tested before the program, where it is run, and whose blocks meet in a group") {
    Case given;
    CHECK(given.way().earlyTests == Early::Final);
    CHECK(given.way().place == Place::Inside);
    CHECK(!given.way().inOrder);
    given.key.order = TestOrder::LateWithReject;
    CHECK(given.way().earlyTests == Early::Reject);
    CHECK(given.way().inOrder);
    given.key.order = TestOrder::Late;
    CHECK(given.way().earlyTests == Early::None);
    CHECK(!given.way().inOrder);
    given.key.order = TestOrder::Early, given.key.depthTest = given.key.depthWrite = false;
    CHECK(given.way().earlyTests == Early::None);
    given.of.takesDerivatives = true;
    CHECK(given.way().place == Place::Center);
    given.of.eachSample = true;
    CHECK(given.way().place == Place::EachSample);
    CHECK(!given.way().inOrder);
    CHECK(given.way().waits);
    given.of.samples = 4;
    CHECK(!given.way().waits);
    CHECK(given.way().why.waits == Why::EachSample);
    given.of.readsLastColors = true;
    CHECK(given.way().place == Place::EachSample);
    CHECK(given.way().inOrder);
}

TEST_CASE("pairs of blocks run where there is code for them") {
    Case given;
    given.of.hasPairs = true;
    CHECK(given.way().runsPairs);
    given.of.mayOverrun = true;  // a pair does not say which of its blocks used more than it may
    CHECK(!given.way().runsPairs);
    given.of.mayOverrun = false;
    given.of.isWatched = true;
    CHECK(!given.way().runsPairs);
}
