// Preloaded into a program: dlopen passes through here, as through a sanitizer's runtime and some tracers. The loader
// takes this library for who calls it.
#include <dlfcn.h>

extern "C" __attribute__((visibility("default"))) void* dlopen(const char* name, int how) noexcept {
    using Function = void*(const char*, int);
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, "dlopen"))(name, how);
}
