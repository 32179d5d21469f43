// The extensions that are listed: each works as its specification says and has a test. Texts of Tessera's own are in
// docs/extensions, their tokens in include/GLES2/gl2tessera.h.
#pragma once

namespace tessera::gles {

/// GL_EXTENSIONS.
[[nodiscard]] const char* extensionString();

}  // namespace tessera::gles
