// What each forwarding library has beside its jumps: it opens the driver and fills in where they lead.
//
// This file is compiled for every processor of the architecture, the driver for x86-64-v2. On an older one, and where
// there is no driver, functions of EGL, OpenGL ES and compute do nothing and return 0; eglInitialize and
// tesseraComputeError say why, and a program that can do without goes on.
#include <EGL/egl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))
#define DRIVER "libtessera.so.0"

// Of the generated forwarders.
extern HIDDEN void* tesseraTargets[];  ///< one for each jump; read-only but for the constructor's time
extern HIDDEN const size_t tesseraTargetCount;
extern HIDDEN const char tesseraNames[];  ///< what the targets are called in the driver, zeros between them

static char problem[256];

static bool isProcessorKnown(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("x86-64-v2");
#else
    return true;
#endif
}

static bool makeWritable(bool writable) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t begin = (uintptr_t)tesseraTargets & ~(page - 1);
    const uintptr_t end = (uintptr_t)(tesseraTargets + tesseraTargetCount);
    return mprotect((void*)begin, end - begin, writable ? PROT_READ | PROT_WRITE : PROT_READ) == 0;
}

/// The driver beside this library. The loader looks there by itself ($ORIGIN), but only for who calls it, and that may
/// be another dlopen in front of it, as a sanitizer's runtime and some tracers have.
static void* openBesideThis(void) {
    Dl_info self;
    char path[4096];
    if (dladdr(tesseraNames, &self) == 0 || self.dli_fname == NULL || self.dli_fname[0] != '/') return NULL;
    const char* slash = strrchr(self.dli_fname, '/');
    const int size = snprintf(path, sizeof path, "%.*s/" DRIVER, (int)(slash - self.dli_fname), self.dli_fname);
    return size < (int)sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

__attribute__((constructor)) static void openDriver(void) {
    if (!isProcessorKnown()) {
        (void)snprintf(problem, sizeof problem,
                       "this processor is older than x86-64-v2 (SSSE3, SSE4.2, POPCNT), "
                       "the least that Tessera runs on");
        return;
    }
    void* driver = dlopen(DRIVER, RTLD_NOW | RTLD_LOCAL);
    if (driver == NULL) driver = openBesideThis();
    if (driver == NULL || !makeWritable(true)) {
        (void)snprintf(problem, sizeof problem, "%s", driver == NULL ? dlerror() : "its table cannot be written");
        return;
    }
    const char* name = tesseraNames;
    for (size_t i = 0; i < tesseraTargetCount; ++i, name += strlen(name) + 1) {
        void* function = dlsym(driver, name);
        if (function != NULL) tesseraTargets[i] = function;  // null: the driver is an older one
    }
    (void)makeWritable(false);
}

// --- Where jumps lead without a driver ---

HIDDEN intptr_t tesseraWithoutDriver(void) { return 0; }

static void report(void) {
    const char* level = secure_getenv("TESSERA_LOG");
    if (level == NULL || strcmp(level, "0") != 0) (void)fprintf(stderr, "tessera: %s\n", problem);
}

/// A display that cannot be initialised: programs ask for the reason then.
HIDDEN EGLDisplay tesseraDisplayWithoutDriver(void) { return problem; }

HIDDEN EGLBoolean tesseraInitializeWithoutDriver(void) {
    report();
    return EGL_FALSE;
}

HIDDEN EGLint tesseraErrorWithoutDriver(void) { return EGL_NOT_INITIALIZED; }

HIDDEN const char* tesseraProblemWithoutDriver(void) { return problem; }

/// libglvnd goes on to the next vendor.
HIDDEN EGLBoolean tesseraVendorWithoutDriver(void) {
    report();
    return EGL_FALSE;
}
