// What makes a context one of OpenGL ES 1.1: state of its own and programs made from it (api/gles1). The entry points
// that both versions have ask it; contexts of OpenGL ES 2.0 have none.
#pragma once

#include "api/gles/gles.h"

namespace tessera::gles {

class Context;
struct StateValue;

class FixedFunction {
public:
    virtual ~FixedFunction() = default;
    /// Once, when the context is made: initial values that differ from those of OpenGL ES 2.0.
    virtual void initialize(Context& c) = 0;

    [[nodiscard]] virtual const char* versionString() const = 0;
    [[nodiscard]] virtual const char* extensionString() const = 0;
    [[nodiscard]] virtual int textureUnits() const = 0;  ///< glActiveTexture's
    /// A capability of glEnable that OpenGL ES 2.0 lacks; null: it is none.
    [[nodiscard]] virtual bool* capability(Context& c, GLenum cap) = 0;
    virtual void capabilityChanged(Context& c, GLenum cap) = 0;
    /// A client array, for glIsEnabled; null: it is none.
    [[nodiscard]] virtual const bool* clientArray(const Context& c, GLenum array) = 0;
    [[nodiscard]] virtual GLenum* hint(GLenum target) = 0;  ///< the same for glHint
    /// False when the name is none of OpenGL ES 1.1's own.
    [[nodiscard]] virtual bool queryState(Context& c, GLenum pname, StateValue& out) = 0;
    /// Makes the program for the state as it is the context's, with its uniforms. False: nothing is to be drawn.
    [[nodiscard]] virtual bool prepareDraw(Context& c, GLenum mode) = 0;
};

}  // namespace tessera::gles
