// Variables with a meaning, by their names: uniforms that the driver sets, varyings that the pipeline reads.
#pragma once

#include <string_view>

namespace tessera::isa {

/// Each is one float. No other variable, but for those below, has a name that starts with "gl_": verify() sees to it.
inline constexpr std::string_view kDepthRangeUniforms[] = {"gl_DepthRange.near", "gl_DepthRange.far",
                                                           "gl_DepthRange.diff"};

/// The number of the view that is drawn to (OVR_multiview), an unsigned integer. glGetActiveUniform does not list it.
inline constexpr std::string_view kViewIdUniform = "gl_ViewID_OVR";

/// Arrays of floats that leave a vertex program: distances from half spaces, by which primitives are clipped and culled
/// (EXT_clip_cull_distance).
inline constexpr std::string_view kClipDistance = "gl_ClipDistance", kCullDistance = "gl_CullDistance";
inline constexpr std::string_view kDistanceVaryings[] = {kClipDistance, kCullDistance};

}  // namespace tessera::isa
