// Runs a GLES program on Tessera with the driver recording pixels of one frame (inspect/pixel_recorder.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace CLI {
class App;
}

namespace tessera::tools {

/// A program with its arguments and the frame to look at.
struct FrameOptions {
    std::vector<std::string> program;
    uint64_t frame = 0;
    bool bottomUp = false;
    bool letFinish = false;
    int timeout = 30;  ///< seconds until Tessera must have been loaded
};
/// Of a recording, which pixel is meant, and how far what it comes from is followed (tools/pixel/recorded_run.h).
struct RecordedOptions {
    uint64_t command = 0;
    uint32_t image = 0;
    std::string picture, kept;
    std::optional<int> follow;
};
/// --frame, --gl, --let-finish, --timeout and PROGRAM ARGS behind "--".
void addFrameOptions(CLI::App& verb, FrameOptions& options);

struct ProbeRequest {
    std::vector<std::array<int, 2>> pixels;
    bool capture = false, picture = false;
    bool vertices = false;  ///< with draw and primitive
    int64_t draw = -1, primitive = -1;
    std::string tier;       ///< TESSERA_TIER; empty: as the environment says, else interp
    std::string libraries;  ///< folder of the driver; empty: the one beside this tool
};

struct ProbeResult {
    nlohmann::json report;
    std::string vertices;  ///< of that of the primitive's vertices
    std::string capture;   ///< bytes of the capture, if there is one
    std::string picture;   ///< RGBA rows from the top
};

/// Starts the program, waits for the report, and ends the program with all that it started unless it is to finish.
/// Nothing, with a message printed, when it cannot be started, does not load Tessera in time, or ends before the frame:
/// the verb's status is kNothingGiven then (tools/running_program.h).
/// Interrupted (Ctrl-C), it ends the program first, then this one.
[[nodiscard]] std::optional<ProbeResult> probe(const FrameOptions& options, const ProbeRequest& request);

/// "12,34" as two numbers.
[[nodiscard]] std::optional<std::array<int, 2>> parsePixel(const std::string& text);

}  // namespace tessera::tools
