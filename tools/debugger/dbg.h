// What a debugging session is about, and how to make it.
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>

#include "shader-core/debug/session.h"
#include "tools/pixel/probe_run.h"
#include "tools/run/group_input.h"
#include "tools/run/kernel_input.h"

namespace tessera::tools {

/// A shader file with its inputs; or, with `pixel`, a GLES program with its arguments; or a capture.
struct DebugTarget {
    GroupOptions group;    ///< the shader is frame.program[0]
    KernelOptions kernel;  ///< of a compute program
    FrameOptions frame;
    RecordedOptions recorded;  ///< of a pixel of a recording
    std::string pixel, captureFile, saveFile;
    int64_t draw = -1, primitive = -1;
    bool vertices = false;  ///< not the pixel's fragments, but the vertices of their primitive
};

struct DebugSession {
    std::unique_ptr<debug::Session> session;
    std::string title;       ///< what is looked at
    std::string sourcePath;  ///< file of the shader; empty: only the program's own text is there
};

/// Nothing, with messages printed on standard error.
[[nodiscard]] std::optional<DebugSession> makeSession(const DebugTarget& target, int& status);

/// Serves the Debug Adapter Protocol until the client leaves.
[[nodiscard]] int serveDebugAdapter(std::istream& in, std::ostream& out);

}  // namespace tessera::tools
