// Draws random scenes and prints a line each: seed and hash of its pixels. determinism.py compares the lines of runs
// with other executors, thread counts and SIMD levels.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>

#include <CLI/CLI.hpp>
#include <cinttypes>
#include <cstdio>

#include "tests/determinism/scene.h"

namespace {

/// A surfaceless context of OpenGL ES 2.0 or 3.0, current.
bool makeCurrent(bool isEs3) {
    const EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    if (eglInitialize(display, nullptr, nullptr) == EGL_FALSE) return false;
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, isEs3 ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_ES2_BIT, EGL_SURFACE_TYPE,
                             EGL_PBUFFER_BIT, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, isEs3 ? 3 : 2, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (eglChooseConfig(display, wanted, &config, 1, &count) == EGL_FALSE || count == 0) return false;
    const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    return eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Draws random scenes; prints the hash of each one's pixels");
    int first = 1, count = 100, step = 1, steps = 1000;
    bool showShaders = false, nearBudget = false, isInterface = false, isEs3 = false, isState = false, isExact = false,
         isExtended = false;
    app.add_option("--first", first, "Seed of the first scene")->capture_default_str();
    app.add_option("--count", count, "How many")->check(CLI::Range(1, 1000000000))->capture_default_str();
    app.add_option("--step", step, "From one scene's seed to the next one's")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    app.add_flag("--shaders", showShaders, "Print the shaders too");
    app.add_flag("--near-budget", nearBudget, "Shaders need about TESSERA_BUDGET=65536 instructions, or more");
    app.add_flag("--interface", isInterface, "Rectangles with pictures, as user interfaces draw them");
    app.add_flag("--es3", isEs3, "Scenes of OpenGL ES 3.0: targets of all kinds, integers, blocks, captured vertices");
    app.add_flag("--extended", isExtended, "Of those with --es3: such as use extensions");
    app.add_flag("--state", isState, "Scenes with much state, of OpenGL ES 2.0, or of 3.0 with --es3");
    app.add_option("--steps", steps, "Scenes with much state end after so many steps")->capture_default_str();
    app.add_flag("--exact", isExact, "Likewise, which other drivers draw to the same bytes");
    CLI11_PARSE(app, argc, argv);
    if (!makeCurrent(isEs3)) {
        std::fprintf(stderr, "no surfaceless context\n");
        return 1;
    }
    int failures = 0;
    for (int scene = 0; scene < count; ++scene) {
        std::string shaders;
        const int64_t seed = first + int64_t{scene} * step;
        const auto number = static_cast<uint64_t>(seed);
        const determinism::SceneResult result = isState || isExact
                                                    ? determinism::drawState(number, isEs3, isExact, steps, &shaders)
                                                : isEs3       ? determinism::drawEs3(number, isExtended, &shaders)
                                                : isInterface ? determinism::drawInterface(number, &shaders)
                                                              : determinism::drawScene(number, nearBudget, &shaders);
        if (showShaders) std::printf("%s\n", shaders.c_str());
        if (result.error.empty()) {
            std::printf("%" PRId64 " %016" PRIx64 "\n", seed, result.hash);
        } else {
            ++failures;
            std::printf("%" PRId64 " error %s\n%s\n", seed, result.error.c_str(), shaders.c_str());
        }
    }
    return failures == 0 ? 0 : 1;
}
