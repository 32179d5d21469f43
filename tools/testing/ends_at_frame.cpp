// For tests, by LD_PRELOAD: ends the program behind the end of frame ENDS_AT_FRAME, by the signal ENDS_BY, or by
// _exit() when that is 0.
#include <dlfcn.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

extern "C" [[gnu::visibility("default")]] unsigned eglSwapBuffers(void* display, void* surface) {
    using Swap = unsigned (*)(void*, void*);
    static const auto swap = reinterpret_cast<Swap>(dlsym(RTLD_NEXT, "eglSwapBuffers"));
    static int frames = 0;
    const unsigned result = swap(display, surface);
    if (++frames != std::atoi(std::getenv("ENDS_AT_FRAME"))) return result;
    reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "glFinish"))();  // the GPU may be frames behind
    const int by = std::atoi(std::getenv("ENDS_BY"));
    if (by == 0) _exit(0);
    std::signal(by, SIG_DFL);  // a sanitizer would make an exit of it
    raise(by);
    return result;
}
