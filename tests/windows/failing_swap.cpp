// Preloaded into a demo: from its third frame on nothing is current when it swaps, so the swap fails.
#include <EGL/egl.h>
#include <dlfcn.h>

extern "C" __attribute__((visibility("default"))) EGLBoolean EGLAPIENTRY eglSwapBuffers(EGLDisplay display,
                                                                                        EGLSurface surface) {
    static int frame = 0;
    static const auto swap = reinterpret_cast<decltype(&eglSwapBuffers)>(dlsym(RTLD_NEXT, "eglSwapBuffers"));
    if (++frame == 3) eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    return swap(display, surface);
}
