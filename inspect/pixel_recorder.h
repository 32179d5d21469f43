// Records what happens to the pixels of one frame, for the tools (`tessera explain`, `dbg`, `bisect-tiers`).
//
// TESSERA_PROBE names a file with a request, JSON:
//     frame    number of the frame, from 0; a frame ends when a surface is swapped, the last one when the process exits
//     pixels   [[x, y], ...]; y from the top row unless "bottomUp" is true
//     report   file to write: the histories of the pixels, JSON
//     capture  file to write, optional: the group that shaded the first pixel last (shader-core/debug/replay/capture.h)
//     draw, primitive   optional, with capture: only that draw's (and primitive's) group
//     vertices file to write, optional, with draw and primitive: the group of that primitive's vertices
//     progress file to write, optional: the number of frames that have ended, from 0 when the driver is loaded
//     picture  file to write, optional: the surface at the end of the frame, RGBA bytes, rows from the top
// A file appears under its name when it is whole, the report when everything else is written. Of several processes that
// reach the end of that frame the first one writes them; a report that is there already stays, with its files.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inspect/color_origin.h"
#include "pipeline/command/gpu.h"
#include "pipeline/probe/pixel_probe.h"

namespace tessera::inspect {

/// What is to be recorded, as the request's file says it.
struct PixelRequest {
    uint64_t frame = 0;
    std::vector<std::array<int, 2>> pixels;
    bool bottomUp = false;
    bool capture = false, vertices = false, picture = false;
    int64_t draw = -1, primitive = -1;
    // Of a GPU of the caller's
    texture::ImagePtr image;  ///< only what targets with it saw; null: all targets
    bool origins = false;     ///< of each fragment where its colour comes from (color_origin.h)
    ImageNumber numberOf;     ///< of the images that are looked up; null: they have none
};

/// What a frame left.
struct PixelRecord {
    std::string report;                                       ///< JSON
    std::optional<std::vector<std::byte>> capture, vertices;  ///< captures of groups
    std::vector<uint8_t> picture;                             ///< RGBA; empty without a surface
};

/// For a GPU of the caller's.
class PixelRecording : public pipeline::PixelProbe {
public:
    /// The commands are at an end in the middle of the frame; everything drawn is in memory.
    virtual void end() = 0;
};
/// `done` is called once, by a command processor's thread, when the frame is at an end.
[[nodiscard]] std::shared_ptr<PixelRecording> recordPixels(PixelRequest request,
                                                           std::function<void(PixelRecord&&)> done);

/// Null without TESSERA_PROBE, or with a message in the log when the request cannot be read. `gpu` gives the GPU that
/// is listened to, which may be made after the recorder.
[[nodiscard]] std::shared_ptr<pipeline::PixelProbe> makePixelRecorder(pipeline::Gpu& (*gpu)());

}  // namespace tessera::inspect
