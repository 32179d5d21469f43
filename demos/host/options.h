// The command line of a demo.
#pragma once

#include <optional>
#include <string>

#include "demos/host/harness.h"

namespace demos {

struct Options {
    int frames = 0;  ///< 0: no limit in a window, 120 headless
    int width = 800, height = 600;
    int samples = 0;             ///< of a pixel; 0: the demo's own number
    std::optional<double> time;  ///< seconds of frame 0
    std::string out;
    bool headless = false, window = false, overlay = false, wireframe = false, hash = false, quiet = false,
         plain = false;

    /// Everything drawn depends on the command line alone.
    [[nodiscard]] bool isReproducible() const { return time.has_value(); }
};

/// Fills `options`; returns a status when the program should end now (help, bad arguments).
[[nodiscard]] std::optional<int> parseOptions(int argc, char** argv, const DemoInfo& info, Options& options);

}  // namespace demos
