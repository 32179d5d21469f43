// Where two executors, or two builds, draw a frame differently: pictures, then the first pixel that differs, then the
// draw, the group that drew it, and the instruction.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "shader-core/debug/replay/value.h"
#include "tools/debugger/tiers.h"
#include "tools/pixel/probe_run.h"

namespace tessera::tools {

/// "0.5 (0x3f000000)"
[[nodiscard]] std::string bitsText(uint32_t bits, debug::Format format);

/// Runs the group on both sides and prints what differs; kDone when nothing does.
[[nodiscard]] int compareGroup(const debug::Group& group, const std::vector<debug::CapturedTexture>& textures,
                               const std::array<Side, 2>& sides);

/// Runs the program on both sides and prints where they differ first; kDone when they agree, kWrongInput when not.
[[nodiscard]] int compareFrame(const FrameOptions& frame, const std::array<Side, 2>& sides);

/// Of two pictures that differ: which executors of the program draw them at the first pixel that differs, and where
/// those differ; of a picture that none of them draws, which draw left the pixel as it is in the other one. kDone when
/// they are the same. `otherBuild`: another build tree whose JIT is asked too; empty: none.
[[nodiscard]] int explainDifference(const FrameOptions& frame, const std::array<std::string, 2>& pictures,
                                    const std::string& otherBuild);

}  // namespace tessera::tools
