// The words of a pixel recorder's report: commands, states and events of the pipeline as JSON, groups as captures.
#pragma once

#include <nlohmann/json.hpp>

#include "pipeline/command/gpu.h"
#include "pipeline/probe/pixel_probe.h"
#include "pipeline/texture_binding.h"
#include "shader-core/debug/replay/capture.h"

namespace tessera::inspect {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json describe(const pipeline::Draw& draw);
[[nodiscard]] Json describe(const pipeline::Clear& clear);
[[nodiscard]] Json describe(const pipeline::RenderTarget& target);
[[nodiscard]] Json describe(const pipeline::PixelEvent& event);
/// Tests and blending of a draw, in GL's words.
[[nodiscard]] Json describeState(const pipeline::PixelKey& key, const pipeline::PixelValues& values);
/// The way of its blocks, and why that is not a faster one.
[[nodiscard]] Json describe(const pipeline::BlockWay& way);
[[nodiscard]] Json describeSurface(const texture::Image& image);

/// Stored colour of a pixel as a program reads it: samples resolved. y up.
[[nodiscard]] std::vector<uint8_t> resolvedPixel(const texture::Image& image, int x, int y);
/// All of them, rows from the top.
[[nodiscard]] std::vector<uint8_t> pictureOf(const texture::Image& image);

/// A group of fragments without its textures and the names of its lanes.
[[nodiscard]] debug::Group groupOf(const pipeline::ProbedGroup& group);

/// `binding` has a view.
[[nodiscard]] debug::CapturedTexture capturedTexture(int unit, const pipeline::TextureBinding& binding);
[[nodiscard]] debug::Capture captureOf(const pipeline::ProbedVertices& vertices, uint64_t frame, uint32_t draw);
[[nodiscard]] debug::Capture captureOf(const pipeline::ProbedGroup& group, bool bottomUp, uint64_t frame,
                                       uint32_t draw);

}  // namespace tessera::inspect
