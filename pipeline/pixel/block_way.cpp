#include "pipeline/pixel/block_way.h"

#include <algorithm>

namespace tessera::pipeline {

namespace {

using Kind = BlockWay::Kind;
using Color = BlockWay::Color;

/// Why machine code for single blocks is not used.
WayReason whyNotBlocks(const WayCase& of) {
    if (of.samples != 1) return WayReason::SeveralSamples;
    if (of.isHeard) return WayReason::Heard;
    if (of.isWatched) return WayReason::Watched;
    return of.isCompiled ? WayReason::None : WayReason::NotCompiled;
}

Kind kindOf(WayReason why) {
    if (why == WayReason::None) return Kind::Blocks;
    return why == WayReason::SeveralSamples ? Kind::Samples : Kind::Groups;
}

BlockWay::EarlyTests earlyTests(const PixelKey& key, const PixelForms& forms) {
    if (forms.tests == TestForm::None || key.order == TestOrder::Late) return BlockWay::EarlyTests::None;
    return key.order == TestOrder::Early ? BlockWay::EarlyTests::Final : BlockWay::EarlyTests::Reject;
}

Color colorOf(const PixelKey& key, const WayCase& of, const BlockWay& way) {
    const bool writesColor = std::ranges::any_of(key.target, [](const TargetKey& to) { return to.layout.present; });
    if (!writesColor && key.order == TestOrder::Early) return Color::None;
    if (way.kind != Kind::Blocks) return Color::Program;
    if (of.copies) return Color::Copy;
    if (!way.writesInLoop) return Color::Program;
    if (of.showsPicture) return Color::Picture;
    return of.readsVaryings || of.readsSpecials || of.readsLastColors ? Color::Program : Color::Once;
}

BlockWay::Place placeOf(const WayCase& of) {
    if (of.readsLastColors || of.eachSample) return BlockWay::Place::EachSample;
    return of.takesDerivatives ? BlockWay::Place::Center : BlockWay::Place::Inside;
}

/// Small primitives go together where all tests come before the colour and the program does not see colours.
WayReason whyNotTogether(const PixelKey& key, const WayCase& of) {
    if (key.order != TestOrder::Early) return WayReason::LateTests;
    return of.readsLastColors ? WayReason::ReadsLastColors : WayReason::None;
}

/// Pixels of several primitives may be lanes of one block where they tell the program apart by their varyings alone,
/// and tests by their depths, do not look at each other, and need not be coloured one primitive after the other.
/// Programs that may overrun are left alone, as their budget is a block's. What is left of a block costs several
/// targets, and those of other formats, more than looking for its guests does.
WayReason whyNotShared(const WayCase& of, const PixelForms& forms) {
    if (forms.tests == TestForm::General) return WayReason::GeneralTests;
    const bool isOfItsTargets = forms.reason == FinishReason::SeveralTargets || forms.reason == FinishReason::Format;
    if (forms.finish == FinishForm::General && !isOfItsTargets) return WayReason::GeneralFinish;
    if (of.readsSpecials) return WayReason::ReadsSpecials;
    if (of.takesDerivatives) return WayReason::TakesDerivatives;
    if (!of.readsVaryings) return WayReason::ReadsNoVaryings;
    return of.mayOverrun ? WayReason::MayOverrun : WayReason::None;
}

/// What later primitives cover need not be shaded where they overwrite it, whatever it is, and do not read it. Programs
/// that may overrun are left alone, as a hidden pixel may be the one that does. Lanes that are hidden become helpers of
/// their quads, which may leave loops sooner: so are programs that would see that in a derivative. Of several samples
/// whole blocks wait, whose lanes stay what they are.
WayReason whyNotWaiting(const PixelKey& key, const WayCase& of, const PixelForms& forms) {
    if (key.order != TestOrder::Early) return WayReason::LateTests;
    if (of.readsLastColors) return WayReason::ReadsLastColors;
    const bool readsTarget =
        std::ranges::any_of(key.target, [](const TargetKey& to) { return to.layout.present && to.readsColor(); });
    if (readsTarget && forms.finish != FinishForm::Opaque && forms.finish != FinishForm::Rgb565)
        return WayReason::ReadsTarget;
    if (of.mayOverrun) return WayReason::MayOverrun;
    if (of.eachSample && of.samples != 1) return WayReason::EachSample;
    const bool endsSooner = of.takesDerivatives && of.hasLoops && of.samples == 1;
    return endsSooner ? WayReason::DerivativesInLoops : WayReason::None;
}

/// Squares are hidden where the largest depth that is stored falls alone.
WayReason whyNotHiding(const PixelKey& key, const PixelForms& forms) {
    if (forms.tests == TestForm::General) return WayReason::GeneralTests;
    if (key.order == TestOrder::Late) return WayReason::LateTests;
    const bool falls = key.depthCompare == Compare::Less || key.depthCompare == Compare::LessEqual;
    return falls || forms.tests == TestForm::None ? WayReason::None : WayReason::DepthGrows;
}

}  // namespace

BlockWay blockWay(const PixelKey& key, const WayCase& of) {
    BlockWay way;
    way.why.kind = whyNotBlocks(of);
    way.kind = kindOf(way.why.kind);
    way.forms = pixelForms(key);
    if (way.kind == Kind::Groups || of.isHeard) way.forms = way.forms.general();
    way.earlyTests = earlyTests(key, way.forms);
    way.writesInLoop =
        way.kind == Kind::Blocks && key.order == TestOrder::Early && way.forms.finish != FinishForm::General;
    way.color = colorOf(key, of, way);
    way.place = placeOf(of);
    way.inOrder = key.order == TestOrder::LateWithReject || of.readsLastColors;
    way.groupBlocks = of.isHeard ? 1 : 2;
    if (way.kind != Kind::Blocks) way.why.small = way.why.waits = way.why.hides = way.why.kind;
    if (way.kind == Kind::Groups) return way;
    if (way.color != Color::None) {
        way.why.waits = of.isHeard ? WayReason::Heard : whyNotWaiting(key, of, way.forms);
        way.waits = way.why.waits == WayReason::None;
    }
    if (way.kind == Kind::Samples) return way;
    way.runsPairs = of.hasPairs && !of.mayOverrun;  // nobody asks for its budget there
    way.why.hides = whyNotHiding(key, way.forms);
    way.hidesSquares = way.why.hides == WayReason::None && way.forms.tests == TestForm::DepthOnly;
    way.why.small = whyNotTogether(key, of);
    if (way.why.small != WayReason::None) return way;
    way.why.small = whyNotShared(of, way.forms);
    way.small = way.why.small == WayReason::None ? BlockWay::Small::Shared : BlockWay::Small::Together;
    return way;
}

}  // namespace tessera::pipeline
