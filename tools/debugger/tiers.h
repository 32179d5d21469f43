// Executors by name, of this build and of others.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "shader-core/debug/replay/bisect.h"
#include "shader-core/debug/replay/bisect_kernel.h"
#include "shader-core/debug/replay/capture.h"

namespace tessera::tools {

/// One of two executors that are compared: a tier of this build, or of the build in a folder.
struct Side {
    std::string tier;   ///< interp or jit
    std::string build;  ///< empty: this one
    [[nodiscard]] std::string name() const { return build.empty() ? tier : tier + " of " + build; }
};

/// The interpreter, or with any other name the JIT alone, which refuses programs: for comparisons. Null, with a
/// message, when it is not there.
[[nodiscard]] std::shared_ptr<isa::Executor> makeExecutor(const std::string& tier);

/// Runs groups on a side: here, or through the other build's tool. `textures` are those of the groups.
[[nodiscard]] std::optional<debug::RunGroup> runnerOf(const Side& side, std::vector<debug::CapturedTexture> textures);

/// The same for launches of compute programs.
[[nodiscard]] std::optional<debug::RunBlocks> blocksRunnerOf(const Side& side);

/// The other end: runs the group of a file and writes the outcomes to standard output.
[[nodiscard]] int answerRun(const std::string& captureFile, const std::string& tier, const debug::Sweep& sweep);
/// Runs blocks of the launch of a file.
[[nodiscard]] int answerBlocks(const std::string& launchFile, const std::string& tier, uint64_t first, uint64_t count);

}  // namespace tessera::tools
