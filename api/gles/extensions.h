// The extensions that are listed: each works as its specification says and has a test. Texts of Tessera's own are in
// docs/extensions, their tokens in include/GLES2/gl2tessera.h.
#pragma once

#include <string>
#include <vector>

namespace tessera::gles {

/// Of a context of OpenGL ES 3.0, or of 2.0.
[[nodiscard]] const std::vector<std::string>& extensions(bool isEs3);
/// GL_EXTENSIONS: the same in one text.
[[nodiscard]] const char* extensionString(bool isEs3);

}  // namespace tessera::gles
