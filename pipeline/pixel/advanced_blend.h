// The blend equations of KHR_blend_equation_advanced: a function of the colours of source and destination, which are
// premultiplied, weighed with how much of the pixel both cover, as if their coverages were independent.
//
// Colours are fractions. Every operation is one of singles, rounded to nearest even, in the order that stands here.
#pragma once

#include "base/simd.h"
#include "pipeline/pixel_state.h"
#include "texture/element_lanes.h"

namespace tessera::pipeline {

constexpr bool isAdvanced(BlendEquation equation) { return equation >= BlendEquation::Multiply; }

inline namespace TESSERA_SIMD {

namespace advanced {

/// Red, green and blue.
struct Color {
    F32x16 channel[3];
};

template <class Function>
inline Color each(const Color& a, const Color& b, const Function& function) {
    Color result;
    for (int c = 0; c < 3; ++c) result.channel[c] = function(a.channel[c], b.channel[c]);
    return result;
}

inline F32x16 least(const Color& color) { return minPs(minPs(color.channel[0], color.channel[1]), color.channel[2]); }
inline F32x16 most(const Color& color) { return maxPs(maxPs(color.channel[0], color.channel[1]), color.channel[2]); }
inline F32x16 luminosity(const Color& color) {
    return (color.channel[0] * 0.30f + color.channel[1] * 0.59f) + color.channel[2] * 0.11f;
}
inline F32x16 saturation(const Color& color) { return most(color) - least(color); }

/// `base` with the luminosity of `of`, brought to 0..1 along the line to grey.
inline Color withLuminosity(Color base, const Color& of) {
    const F32x16 difference = luminosity(of) - luminosity(base);
    for (F32x16& channel : base.channel) channel += difference;
    const F32x16 grey = luminosity(base), low = least(base), high = most(base);
    for (F32x16& channel : base.channel)
        channel = select(low < 0.0f, grey + ((channel - grey) * grey) / (grey - low), channel);
    for (F32x16& channel : base.channel)
        channel = select(high > 1.0f, grey + ((channel - grey) * (1.0f - grey)) / (high - grey), channel);
    return base;
}

/// `base` with the saturation of `saturated` and the luminosity of `of`.
inline Color withSaturation(const Color& base, const Color& saturated, const Color& of) {
    const F32x16 low = least(base), own = saturation(base), wanted = saturation(saturated);
    Color color;
    for (int c = 0; c < 3; ++c)
        color.channel[c] = select(own > 0.0f, ((base.channel[c] - low) * wanted) / own, splat(0.0f));
    return withLuminosity(color, of);
}

inline F32x16 hardLight(F32x16 s, F32x16 d) {
    return select(s <= 0.5f, 2.0f * s * d, 1.0f - 2.0f * (1.0f - s) * (1.0f - d));
}

inline F32x16 softLight(F32x16 s, F32x16 d) {
    const F32x16 darker = d - (1.0f - 2.0f * s) * d * (1.0f - d);
    const F32x16 dark = d + (2.0f * s - 1.0f) * d * ((16.0f * d - 12.0f) * d + 3.0f);
    const F32x16 light = d + (2.0f * s - 1.0f) * (sqrt(maxPs(d, splat(0.0f))) - d);
    return select(s <= 0.5f, darker, select(d <= 0.25f, dark, light));
}

inline F32x16 colorDodge(F32x16 s, F32x16 d) {
    const F32x16 bright = select(s < 1.0f, minPs(splat(1.0f), d / (1.0f - s)), splat(1.0f));
    return select(d > 0.0f, bright, splat(0.0f));
}

inline F32x16 colorBurn(F32x16 s, F32x16 d) {
    const F32x16 burnt = select(s > 0.0f, 1.0f - minPs(splat(1.0f), (1.0f - d) / s), splat(0.0f));
    return select(d < 1.0f, burnt, splat(1.0f));
}

/// f of the extension's tables X.1 and X.2.
inline Color function(BlendEquation equation, const Color& s, const Color& d) {
    switch (equation) {
        case BlendEquation::Multiply:
            return each(s, d, [](F32x16 a, F32x16 b) { return a * b; });
        case BlendEquation::Screen:
            return each(s, d, [](F32x16 a, F32x16 b) { return a + b - a * b; });
        case BlendEquation::Overlay:
            return each(d, s, hardLight);
        case BlendEquation::Darken:
            return each(s, d, [](F32x16 a, F32x16 b) { return minPs(a, b); });
        case BlendEquation::Lighten:
            return each(s, d, [](F32x16 a, F32x16 b) { return maxPs(a, b); });
        case BlendEquation::ColorDodge:
            return each(s, d, colorDodge);
        case BlendEquation::ColorBurn:
            return each(s, d, colorBurn);
        case BlendEquation::HardLight:
            return each(s, d, hardLight);
        case BlendEquation::SoftLight:
            return each(s, d, softLight);
        case BlendEquation::Difference:
            return each(s, d, [](F32x16 a, F32x16 b) { return maxPs(a, b) - minPs(a, b); });
        case BlendEquation::Exclusion:
            return each(s, d, [](F32x16 a, F32x16 b) { return a + b - 2.0f * a * b; });
        case BlendEquation::HslHue:
            return withSaturation(s, d, d);
        case BlendEquation::HslSaturation:
            return withSaturation(d, s, d);
        case BlendEquation::HslColor:
            return withLuminosity(s, d);
        case BlendEquation::HslLuminosity:
            return withLuminosity(d, s);
        default:
            return s;
    }
}

/// Without its alpha; black where that is 0.
inline Color unmultiplied(const texture::Texels& color) {
    const F32x16 alpha = color.channel[3];
    Color result;
    for (int c = 0; c < 3; ++c) result.channel[c] = select(alpha == 0.0f, splat(0.0f), color.channel[c] / alpha);
    return result;
}

}  // namespace advanced

/// Of colours that are premultiplied; so is the result.
inline texture::Texels advancedBlend(BlendEquation equation, const texture::Texels& source,
                                     const texture::Texels& destination) {
    const advanced::Color s = advanced::unmultiplied(source), d = advanced::unmultiplied(destination);
    const advanced::Color f = advanced::function(equation, s, d);
    const F32x16 as = source.channel[3], ad = destination.channel[3];
    const F32x16 both = as * ad, sourceAlone = as * (1.0f - ad), destinationAlone = ad * (1.0f - as);
    texture::Texels result;
    for (int c = 0; c < 3; ++c)
        result.channel[c] = (f.channel[c] * both + s.channel[c] * sourceAlone) + d.channel[c] * destinationAlone;
    result.channel[3] = (both + sourceAlone) + destinationAlone;
    return result;
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
