// The overlay: a panel of keys, frame rate, triangles, fragments and tier, drawn with Dear ImGui through the same GLES
// 2.0 driver as the demo. It starts folded, as one line that names the key that unfolds it.
//
// It is drawn with upright rectangles and glyphs alone. Dear ImGui's lines and polygons (borders, arrows, check marks,
// round corners) come from the host's approximate inverse square root, which differs between makers of processors.
#pragma once

#include <SDL.h>

#include <cstdint>
#include <memory>
#include <string>

#include "demos/host/harness.h"
#include "demos/host/imgui_gles2.h"

namespace demos {

struct OverlayState {
    bool paused = false, wireframe = false;
    bool unfolded = false;
    std::string note;  ///< a line for a while: where a picture went; empty: none
};

/// What the overlay shows of the last frame.
struct OverlayFigures {
    double framesPerSecond = 0;
    double time = 0;
    uint64_t triangles = 0;
    int64_t fragments = -1;     ///< of the demo; negative: the driver does not count
    bool reproducible = false;  ///< show nothing that the machine decides
};

class Overlay {
public:
    /// `window` may be null (headless).
    Overlay(const char* title, const Controls& controls, SDL_Window* window);
    ~Overlay();
    Overlay(const Overlay&) = delete;
    Overlay& operator=(const Overlay&) = delete;

    /// True when the overlay wants the event for itself.
    bool handle(const SDL_Event& event);
    void draw(int width, int height, const OverlayFigures& figures, OverlayState& state);

private:
    void build(int width, int height, const OverlayFigures& figures, OverlayState& state);
    void showUnfolded(const OverlayFigures& figures, OverlayState& state) const;
    void showCommands(OverlayState& state) const;

    struct Context {
        Context();
        ~Context();
    } context_;
    const char* title_;
    Controls controls_;
    SDL_Window* window_;
    bool wasUnfolded_ = false;
    std::unique_ptr<ImGuiGles2> renderer_;
};

}  // namespace demos
