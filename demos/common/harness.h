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

namespace CLI {
class App;
}

namespace demos {

/// What a demo is told about the frame it draws.
struct Frame {
    double time = 0;  ///< seconds since the demo's time 0
    int width = 0, height = 0;
    glm::vec2 turn{0};  ///< radians that the arrow keys turned the view: around y, around x
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

/// What a demo answers to. Keys and options that it does not are not offered.
struct Controls {
    bool pause = true;      ///< the picture is a function of Frame::time
    bool turn = true;       ///< and of Frame::turn
    bool wireframe = true;  ///< and of Frame::wireframe
};

struct DemoInfo {
    const char* name = "";
    const char* description = "";
    std::function<std::unique_ptr<Demo>()> make;     ///< called with GL current
    std::function<void(CLI::App&)> addOptions = {};  ///< options of its own
    Controls controls = {};
    int version = 2;  ///< of OpenGL ES; 1: the fixed function, and no overlay
};

/// Parses the command line and runs the demo. Returns the exit status of the process.
///   --frames N     stop after N frames (headless: 120)
///   --size WxH     size in pixels (800x600)
///   --time T       draw frame i at T + i/60 seconds instead of by the clock: the run is reproducible
///   --out FILE     write the last frame as PNG; implies --headless
///   --headless     no window          --window  a window even with --out
///   --hash         print a hash of every frame's pixels
///   --quiet        do not print how fast it was
///   --overlay      the overlay in a headless run too          --wireframe
/// In a window, as the overlay shows: arrow keys turn, space pauses, w draws edges only, h or F1 hides or shows the
/// keys, q or escape quits. A frame that cannot be shown ends the demo with status 1.
int runDemo(int argc, char** argv, const DemoInfo& info);

/// Compiles and links, with attribute i of the list at location i; on failure prints the info log and ends the
/// program with status 1.
[[nodiscard]] GLuint buildProgram(const char* vertexSource, const char* fragmentSource,
                                  std::initializer_list<const char*> attributes);

/// Absolute path of a file in demos/assets or demos/isa.
[[nodiscard]] std::string assetPath(const std::string& name);

}  // namespace demos
