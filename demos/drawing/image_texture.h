// A texture from one of the images in demos/assets.
#pragma once

#include <GLES2/gl2.h>

namespace demos {

/// Mipmapped and trilinear filtered; bound to the active unit. Ends the process with status 1 when there is no such
/// image.
[[nodiscard]] GLuint loadTexture(const char* name);

}  // namespace demos
