// Which short form a state has, if any, in place of the stages one by one. The forms are in short_forms.h; this is the
// one place that chooses. A stage that a form does not know rules it out.
#pragma once

#include <array>

#include "pipeline/pixel/pixel_key.h"

namespace tessera::pipeline {

/// How the tests of a state are done.
enum class TestForm : uint8_t {
    General,    ///< the stages
    None,       ///< nothing is tested
    DepthOnly,  ///< testDepthOnly(): depth is tested, and perhaps written
};

/// How colour is finished for one target. Short forms are there for targets of eight bits a channel, of 5, 6 and 5, or
/// of 10, 10, 10 and 2 bits, all of whose channels are written.
enum class FinishForm : uint8_t {
    General,         ///< the stages
    Opaque,          ///< no blending
    AlphaBlend,      ///< source * alpha + destination * (1 - alpha)
    AlphaBlendKeep,  ///< the same for colour; alpha stays what it is
    AlphaBlendOver,  ///< the same for colour; alpha + destination * (1 - alpha) for alpha
    Premultiplied,   ///< source + destination * (1 - alpha)
    Additive,        ///< source + destination
    AlphaAdditive,   ///< source * alpha + destination
    Factors,         ///< sums and differences whose factors are of constants and the source's alpha, all that is left
    Rgb565,          ///< no blending, a target of 5, 6 and 5 bits
    Rgb10A2,         ///< Factors, or no blending, of a target of 10, 10, 10 and 2 bits
};

/// Why a state has no short form for its colours.
enum class FinishReason : uint8_t {
    None,            ///< it has one, or writes no colour
    SeveralTargets,  ///< it writes several
    Format,          ///< of its target
    Blending,        ///< its functions or equations
    State,           ///< its colour mask, dithering or logic operation
};

struct PixelForms {
    TestForm tests = TestForm::General;
    FinishForm finish = FinishForm::General;  ///< of a single target, target 0
    FinishReason reason = FinishReason::None;
    std::array<FinishForm, kMaxColorTargets> ofTarget{};  ///< of several, or of another one

    /// Without short forms.
    [[nodiscard]] PixelForms general() const { return {.tests = tests == TestForm::None ? tests : TestForm::General}; }
    bool operator==(const PixelForms&) const = default;
};
[[nodiscard]] PixelForms pixelForms(const PixelKey& key);

}  // namespace tessera::pipeline
