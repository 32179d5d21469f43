// Why a draw has no entry in the history of a pixel.
#pragma once

#include <array>
#include <string>

#include "inspect/frame/frame_model.h"

namespace tessera::inspect {

/// Of a draw whose target has the pixel, x and y from the target's top left: "primitive 345 would cover it: culled, as
/// its back is seen (...)". Empty: none is known that would; lines
/// and points are not looked at. Moves the model to before the draw.
[[nodiscard]] std::string whyAbsent(FrameModel& model, size_t action, std::array<int, 2> pixel);

}  // namespace tessera::inspect
