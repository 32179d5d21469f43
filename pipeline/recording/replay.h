// Executes a recording, and compares what it leaves with what it left where it was recorded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
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

/// Executes a recording piece by piece. Programs are prepared by the GPU's executor.
class Replayer {
public:
    Replayer(CommandStream& stream, Gpu& gpu, ReplayOptions options = {});
    ~Replayer();
    Replayer(const Replayer&) = delete;
    Replayer& operator=(const Replayer&) = delete;

    /// The step that is next.
    [[nodiscard]] size_t step() const;
    /// Executes the steps up to that one, which is not before the next; all that they draw is in memory then.
    void runTo(size_t step);
    /// That step is next. What images and buffers hold there is the caller's to see to.
    void moveTo(size_t step);
    /// What there is to say of all since the last call.
    [[nodiscard]] ReplayResult takeResult();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

/// Executes the stream, whose images hold nothing yet, and compares.
[[nodiscard]] ReplayResult replay(CommandStream& stream, Gpu& gpu, const ReplayOptions& options = {});

}  // namespace tessera::pipeline
