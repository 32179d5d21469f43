// A group taken out of a running program, with its textures, as one file: what the driver writes when it is asked for
// the group of a pixel or vertex, and what the debugger reads.
//
// The file is a map in CBOR (RFC 8949): registers and images as byte strings in the machine's own layout, the program
// as .tsb with its source and lines.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shader-core/debug/replay/bisect_kernel.h"
#include "shader-core/debug/replay/group.h"

namespace tessera::debug {

/// An image as 4x4 blocks (texture/image.h), those of a volume slice after slice; format is the number of a
/// texture::PixelFormat.
struct CapturedImage {
    int format = 0, width = 0, height = 0, depth = 1;
    std::vector<std::byte> blocks;
};

/// A texture unit: a texture::TextureView with its texture::SamplerState, whose enumerations the numbers are of.
/// images[face][level].
struct CapturedTexture {
    int unit = 0, kind = 0;
    int magFilter = 0, minFilter = 0, mipFilter = 0, wrapS = 0, wrapT = 0, wrapR = 0, compare = 0, maxAnisotropy = 1;
    bool isEs3 = false, asCodes = false;
    float minLod = -1000, maxLod = 1000;
    std::array<float, 4> border{};
    std::array<int, 4> swizzle = {0, 1, 2, 3};
    std::vector<std::vector<CapturedImage>> images;
};

struct Capture {
    Group group;        ///< without its textures
    int lane = 0;       ///< that of the pixel or vertex that was asked for
    std::string title;  ///< "pixel 12,34 of frame 0: draw 3, primitive 17"
    std::vector<CapturedTexture> textures;
};

[[nodiscard]] std::vector<std::byte> serialize(const Capture& capture);
/// Arbitrary bytes are safe: nothing, and why. The program has been verified; images have the sizes that they say.
[[nodiscard]] std::optional<Capture> deserializeCapture(std::span<const std::byte> bytes, std::string& error);

/// A launch, and what it leaves behind, on their way between two builds of the tool.
[[nodiscard]] std::vector<std::byte> serialize(const Launch& launch);
[[nodiscard]] std::optional<Launch> deserializeLaunch(std::span<const std::byte> bytes, std::string& error);
[[nodiscard]] std::vector<std::byte> serialize(const BlocksOutcome& outcome);
[[nodiscard]] std::optional<BlocksOutcome> deserializeOutcome(std::span<const std::byte> bytes);

}  // namespace tessera::debug
