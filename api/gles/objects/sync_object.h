// Sync objects (APPLE_sync). A fence remembers the serial number of the command buffer that its context's commands so
// far were submitted with.
#pragma once

#include <cstdint>
#include <string>

#include "api/gles/gles.h"

namespace tessera::gles {

struct Sync {
    explicit Sync(GLuint n) : name(n) {}
    GLuint name;  ///< its handle's value: labels give names
    std::string label;
    uint64_t serial = 0;
};

}  // namespace tessera::gles
