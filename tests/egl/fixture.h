// A surfaceless display, and what most EGL tests need on it.
#pragma once

#define EGL_NO_X11 1
#define EGL_EGLEXT_PROTOTYPES 1
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <EGL/egltessera.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include <array>
#include <cstdint>
#include <vector>

namespace egltest {

/// An extension function by its prototype: extension<decltype(eglCreateSyncKHR)>("eglCreateSyncKHR").
template <class Function>
Function* extension(const char* name) {
    return reinterpret_cast<Function*>(eglGetProcAddress(name));
}
#define EGL_EXTENSION(name) (egltest::extension<decltype(::name)>(#name))

[[nodiscard]] bool contains(const char* extensions, const char* name);

/// An initialised display; terminated, with nothing current, at the end.
class DisplayFixture {
public:
    explicit DisplayFixture(EGLDisplay from = EGL_NO_DISPLAY);
    ~DisplayFixture();
    DisplayFixture(const DisplayFixture&) = delete;
    DisplayFixture& operator=(const DisplayFixture&) = delete;

    /// RGBA8 D24 S8 with the surface type; null when there is none.
    [[nodiscard]] EGLConfig config(EGLint surfaceType = EGL_PBUFFER_BIT, EGLint alpha = 8) const;
    /// The first that eglChooseConfig finds for an OpenGL ES 2 context with these attributes; null when there is none.
    [[nodiscard]] EGLConfig choose(std::vector<EGLint> attributes) const;
    [[nodiscard]] EGLContext context(EGLContext share = EGL_NO_CONTEXT) const;
    [[nodiscard]] EGLSurface pbuffer(int width = 16, int height = 16) const;
    [[nodiscard]] EGLint attribute(EGLConfig config, EGLint name) const;

    EGLDisplay display;
};

/// Takes the thread's EGL error.
[[nodiscard]] inline EGLint error() { return eglGetError(); }

using Color = std::array<int, 4>;
[[nodiscard]] Color pixelAt(int x, int y);
/// A linked program; attribute 0 is `position`, attribute 1 `shade`.
[[nodiscard]] GLuint program(const char* vertex, const char* fragment);
/// One with a uniform `color`.
[[nodiscard]] GLuint plainProgram();
void clearTo(float red, float green, float blue, float alpha = 1);

}  // namespace egltest
