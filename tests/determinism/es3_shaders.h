// Random shaders of GLSL ES 3.00, always valid: integers of both kinds, all lookups, blocks, arrays, switches.
#pragma once

#include <string>
#include <vector>

#include "tests/determinism/chooser.h"

namespace determinism {

/// What a colour target holds, and so what writes it: vec4, ivec4, uvec4.
enum class TargetKind { Float, Int, Uint };

struct Es3Shaders {
    std::string vertex, fragment;
};

/// What a pair of shaders has of extensions.
struct Es3Extras {
    bool samples = false;    ///< OES_sample_variables, OES_shader_multisample_interpolation
    bool reads = false;      ///< EXT_shader_framebuffer_fetch
    bool twoColors = false;  ///< EXT_blend_func_extended; of one target of floats
    bool blends = false;     ///< KHR_blend_equation_advanced; likewise
    bool distances = false;  ///< EXT_clip_cull_distance: two to clip by, one to cull by
    bool depths = false;     ///< EXT_conservative_depth
};

/// One output of the right type for each target. Attributes are at the locations 0 to 4: a_position, a_color,
/// a_instance, a_ints, a_uints; es3_scene.cpp knows the uniforms' names.
[[nodiscard]] Es3Shaders writeEs3Shaders(Chooser& choose, const std::vector<TargetKind>& targets,
                                         const Es3Extras& extras = {});

}  // namespace determinism
