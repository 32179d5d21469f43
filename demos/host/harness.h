// The demo harness: opens a window or renders headless, keeps time, draws the overlay, writes pictures.
//
// Demos are plain OpenGL ES programs and run on any driver. On Tessera the SDL window is handed to EGL
// (EGL_TESSERA_platform_sdl); on another driver SDL's own GL path is taken. Headless runs use a pbuffer of the
// surfaceless platform on every driver.
#pragma once

#include <GLES2/gl2.h>

#include <cstdint>
#include <functional>
#include <glm/glm.hpp>
#include <initializer_list>
#include <memory>
#include <string>

#include "demos/host/controls.h"

namespace CLI {
class App;
}

namespace demos {

/// What a demo is told about the frame it draws.
struct Frame {
    double time = 0;  ///< seconds since the demo's time 0
    int width = 0, height = 0;
    glm::vec2 turn{0};  ///< radians that mouse and arrow keys turned the view: around y, around x
    float zoom = 1;     ///< what the wheel did to the distance: less than 1 is nearer
    bool wireframe = false;
};

/// One demo. GL is current in every call.
class Demo {
public:
    virtual ~Demo() = default;
    /// Draws one frame over whatever is in the framebuffer; the harness sets the viewport.
    virtual void draw(const Frame& frame) = 0;
    /// Triangles drawn by the last frame.
    [[nodiscard]] virtual uint64_t triangles() const = 0;
};

struct DemoInfo {
    const char* name = "";  ///< as in demos/list.txt, which says what it shows
    /// Called with GL current. Plain: the picture that pages and tests count the work of (--plain).
    std::function<std::unique_ptr<Demo>(bool plain)> make;
    std::function<void(CLI::App&)> addOptions = {};  ///< options of its own
    Controls controls = {};
    int version = 2;  ///< of OpenGL ES; 1: the fixed function, and no panel
    int samples = 4;  ///< of a pixel, if not plain; 1: the picture has no edges of triangles
};

/// Parses the command line and runs the demo. Returns the exit status of the process.
///   --frames N     stop after N frames (headless: 120)
///   --size WxH     size in pixels (800x600)
///   --time T       draw frame i at T + i/60 seconds instead of by the clock: the run is reproducible
///   --out FILE     write the last frame as PNG; implies --headless
///   --headless     no window          --window  a window even with --out
///   --hash         print a hash of every frame's pixels
///   --quiet        do not print how fast it was
///   --overlay      the panel, unfolded, in a headless run too          --wireframe
///   --samples N    1 or 4 samples a pixel
///   --plain        one sample a pixel, and nothing but the bodies: what docs/ counts the work of
/// In a window it answers to what controls.h lists. A frame that cannot be shown ends the demo with status 1.
int runDemo(int argc, char** argv, const DemoInfo& info);

/// Compiles and links, with attribute i of the list at location i; on failure prints the info log and ends the
/// program with status 1.
[[nodiscard]] GLuint buildProgram(const char* vertexSource, const char* fragmentSource,
                                  std::initializer_list<const char*> attributes);

/// Absolute path of a file in demos/assets or demos/isa.
[[nodiscard]] std::string assetPath(const std::string& name);

}  // namespace demos
