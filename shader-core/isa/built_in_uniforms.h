// Uniforms with a meaning: the driver sets them, by their names.
#pragma once

#include <string_view>

namespace tessera::isa {

/// Each is one float. No other variable has a name that starts with "gl_": verify() sees to it.
inline constexpr std::string_view kDepthRangeUniforms[] = {"gl_DepthRange.near", "gl_DepthRange.far",
                                                           "gl_DepthRange.diff"};

}  // namespace tessera::isa
