// Where a pixel of a recorded stream comes from: the draws that made it; of a draw that looked up a texture which was
// drawn too, the draws that made the texel that it read; and so on. Copies between images are gone through.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "inspect/frame/frame_model.h"

namespace tessera::tools {

/// Which pixel. Of a `picture` that the program read back, of what a command draws to, reads or writes, of an image, or
/// of what the frame shows: its surface; without one what is read back last, or else drawn to last.
struct PixelChoice {
    std::array<int, 2> pixel{};
    bool bottomUp = false;  ///< y counts from the first row, as GL does
    uint64_t frame = 0;     ///< from 0
    uint64_t command = 0;   ///< from 1, as `tessera commands` counts; 0: not given
    uint32_t image = 0;     ///< from 1, likewise; after the command, if there is one
    std::string picture;    ///< a PNG file
};

/// A pixel of an image when an action, and all before it, have been executed.
struct PixelPlace {
    size_t action = 0;
    texture::ImagePtr image;
    int x = 0, y = 0;  ///< y from the first row, as in GL
    std::string words;
};
/// Nothing, and why, when there is no such pixel.
[[nodiscard]] std::optional<PixelPlace> placeOf(inspect::FrameModel& model, const PixelChoice& choice,
                                                std::string& why);

/// What made a pixel.
struct PixelStep {
    PixelPlace place;
    /// `image` with its `format` and `samples`, whether it `isDepth`; `x`, `y`, `frame`; `events` and `commands` as in
    /// a pixel recorder's report, commands numbered as `tessera commands` does, from the last clear before the writer
    /// on; or `copy`: the command that copied the pixel there, and its `text`.
    nlohmann::json report;
    std::optional<size_t> writer;    ///< in the events: the one that the pixel has its colour from
    std::optional<PixelPlace> from;  ///< what the writer looked up, or what was copied
};
[[nodiscard]] PixelStep stepOf(inspect::FrameModel& model, const PixelPlace& place);

/// The pixel, and what it comes from, as many times.
[[nodiscard]] std::vector<PixelStep> stepsOf(inspect::FrameModel& model, const PixelPlace& place, int follow);

struct PixelCapture {
    std::string bytes;  ///< shader-core/debug/replay/capture.h
    std::string title;  ///< "pixel 3,4 of image 2 (64x64 Rgba8): command 5, primitive 0"
};
/// The group that shaded what the step has its colour from, or of that draw, as commands are numbered, and primitive.
/// Nothing where no program was run.
[[nodiscard]] std::optional<PixelCapture> captureOf(inspect::FrameModel& model, const PixelStep& step,
                                                    std::optional<size_t> draw, std::optional<uint64_t> primitive);

/// The steps for people. `debugged`: a command line that debugs the first one, to which --follow is added for others;
/// empty: none is told.
[[nodiscard]] std::string stepsText(const inspect::FrameModel& model, const std::vector<PixelStep>& steps,
                                    const std::string& debugged);

}  // namespace tessera::tools
