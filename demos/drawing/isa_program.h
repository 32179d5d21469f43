// Programs written in the ISA: .tsb files loaded with glShaderBinary. Tessera only; another driver is told so. Programs
// in GLSL can take their places, on any driver.
#pragma once

#include <GLES2/gl2.h>

#include <string>

namespace CLI {
class App;
}

namespace demos {

/// The files of a program's two stages. Names without a folder are those assembled from demos/isa.
struct IsaProgram {
    std::string vertex, fragment;

    /// --vertex FILE and --fragment FILE put other programs in their places: binaries, assembly in .tsa files, or GLSL
    /// in .vert and .frag files.
    void addOptions(CLI::App& app);
    /// Loads and links; ends the process with status 1 and a message when that fails.
    [[nodiscard]] GLuint link() const;
};

}  // namespace demos
