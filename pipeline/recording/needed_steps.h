// Which steps of a recorded stream certain frames of it depend on: those alone are executed when a part of the frames
// is wanted.
//
// The stream is gone through from its end to its beginning, as a compiler looks for dead code. Live is what is still
// going to be read: first what the wanted frames show, and what the file says that images and buffers hold in them. A
// step that writes something live is needed; what it reads is live then, and what it writes whole is not any more.
// Depth and stencil of an image that has both are told apart, as most programs clear only one of them.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "pipeline/recording/decode.h"

namespace tessera::pipeline {

/// Ends of frames, and one more when something follows the last one. Frames are numbered from 1.
[[nodiscard]] size_t frameCount(const CommandStream& stream);

/// What a step may write, by its memory: images as Image::whole(), buffers, places of stream-outs.
[[nodiscard]] std::vector<const void*> writtenBy(const CommandStream::Step& step);

/// What a frame begins with on the surface that it shows.
enum class SurfaceStart {
    AsItEnded,  ///< the pixels of the frame before
    Unknown     ///< nothing that matters, as every pixel is drawn anew
};

/// For each step whether it has to be executed, or of an expectation, whether it holds then.
///
/// Whether a draw covers all of the surface cannot be told from the stream. Unknown supposes it where the file says
/// what the surface holds in the wanted frame: what is supposed wrongly is seen in a mismatch of the replay, and then
/// AsItEnded has to be asked.
[[nodiscard]] std::vector<bool> neededSteps(const CommandStream& stream,
                                            const std::function<bool(size_t frame)>& isWanted, SurfaceStart start);

}  // namespace tessera::pipeline
