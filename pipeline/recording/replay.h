// Executes a recording, and compares what it leaves with what it left where it was recorded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "pipeline/recording/decode.h"

namespace tessera::pipeline {

class Gpu;

/// What an image or a buffer held that should have held something else.
struct Mismatch {
    uint32_t image = 0, buffer = 0;  ///< its number; the other one is 0
    uint64_t step = 0;               ///< number of the expectation among the steps
    uint64_t expected = 0, found = 0;
};

struct ReplayResult {
    size_t commands = 0, expectations = 0;  ///< executed, compared
    std::vector<Mismatch> mismatches;
    std::vector<std::string> faults;  ///< what the command processor told, and dispatches that failed
    texture::ImagePtr last;           ///< the surface of the last end of a frame, else what was drawn to last
};

/// Images hold nothing again, buffers what they held at first, and stream-outs begin where they did, as before a
/// replay.
void forgetContents(CommandStream& stream);

struct ReplayOptions {
    std::vector<bool> steps;  ///< those to execute, of neededSteps(); empty: all
    /// Called where a frame of a surface has ended that is executed; frames are numbered from 1.
    std::function<void(size_t frame, const texture::Image&)> frameEnded;
};

/// Executes the stream, whose images hold nothing yet, and compares. Programs are prepared by the GPU's executor.
[[nodiscard]] ReplayResult replay(CommandStream& stream, Gpu& gpu, const ReplayOptions& options = {});

}  // namespace tessera::pipeline
