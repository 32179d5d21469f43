// Where the colour of a fragment comes from: the texels that its lane looked up, and the instructions that wrote
// the colour last. The group is executed once more, on the interpreter under observation, with somebody at its texture
// units.
#pragma once

#include <cstdint>
#include <functional>

#include <nlohmann/json.hpp>

#include "pipeline/probe/pixel_probe.h"
#include "pipeline/render_target.h"

namespace tessera::inspect {

/// What an image is called; it is no plane of another one. 0: nothing.
using ImageNumber = std::function<uint32_t(const texture::Image& image)>;

/// Lookups that are told of one fragment, the first ones.
inline constexpr size_t kMostLookups = 16;

/// `lookups`, in order: `unit`, `sampler`, `texture` (GL's name), `image` (its number, if it has one), `level`, `face`
/// of cube maps, `slice` of volumes and arrays, `x` and `y` from the first row, `width`, `height`, `format`, whether it
/// is `filtered` with its neighbours, of which it is then the nearest, and the `value` that is stored, of colours;
/// `lookupCount`: with those that are not told. `writes`: the instructions that wrote components of the first colour
/// last, each its number, `instruction`, with its `word` and `text`, its `line` and the line's `source`. `lane`: the
/// pixel's.
[[nodiscard]] nlohmann::ordered_json colorOrigin(const pipeline::ProbedGroup& group, const ImageNumber& numberOf);

/// Whether the image, a plane of it or the image that it is a plane of is one of the target's.
[[nodiscard]] bool drawsTo(const pipeline::RenderTarget& target, const texture::Image& image);

/// Whether both are the same pixels: one image, one plane, or an image and its first plane.
[[nodiscard]] bool isSameImage(const texture::Image& a, const texture::Image& b);

}  // namespace tessera::inspect
