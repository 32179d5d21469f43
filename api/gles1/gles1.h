// OpenGL ES 1.1 as EGL sees it: contexts of api/gles with fixed-function state and programs that are made from it.
#pragma once

#include <memory>

#include "api/gles/driver.h"

namespace tessera::gles1 {

/// For gles::ContextOptions: makes the context one of OpenGL ES 1.1.
[[nodiscard]] std::unique_ptr<gles::FixedFunction> makeFixedFunction();

/// Address of an entry point that OpenGL ES 1.1 or one of its extensions has and OpenGL ES 2.0 does not; null when
/// unknown. What both versions have is api/gles's.
[[nodiscard]] gles::Proc procAddress(const char* name);

}  // namespace tessera::gles1
