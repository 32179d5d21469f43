// A random scene: a framebuffer of some format, a texture and a cube map, random shaders, vertices and fixed-function
// state, a few draws; summed up as one number.
#pragma once

#include <cstdint>
#include <string>

namespace determinism {

struct SceneResult {
    uint64_t hash = 0;  ///< FNV-1a of all pixels read back
    std::string error;  ///< what went wrong; empty: nothing
};

/// Draws scene `seed` with the current context and reads it back. `nearBudget` as of writeShaders(). `shaders`, if
/// given, takes the shaders' text.
[[nodiscard]] SceneResult drawScene(uint64_t seed, bool nearBudget, std::string* shaders = nullptr);

/// The same of scene `seed` of a user interface (interface_scene.cpp).
[[nodiscard]] SceneResult drawInterface(uint64_t seed, std::string* shaders = nullptr);

/// The same of scene `seed` of OpenGL ES 3.0 (es3_scene.cpp), with a context of that version.
/// Extended ones use what extensions bring besides: to shaders, to blending and to draws, and formats and states.
[[nodiscard]] SceneResult drawEs3(uint64_t seed, bool isExtended, std::string* shaders = nullptr);

/// The same of scene `seed` with much state (state_scene.cpp), with a context of that version of OpenGL ES. Programs of
/// scenes that are not exact take more than 65536 instructions at times. After `steps` steps it ends, if not before.
[[nodiscard]] SceneResult drawState(uint64_t seed, bool isEs3, bool isExact, int steps, std::string* shaders = nullptr);

}  // namespace determinism
