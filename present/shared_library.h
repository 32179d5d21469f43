// A library of the window system, loaded at run time so that the driver does not depend on it.
#pragma once

#include <dlfcn.h>

namespace tessera::present {

/// Never unloaded: the application, and callbacks of the window system, may hold on to what is in it.
class SharedLibrary {
public:
    explicit SharedLibrary(const char* name) : handle_(dlopen(name, RTLD_LAZY | RTLD_LOCAL)), complete_(handle_) {}
    /// The library itself, or RTLD_DEFAULT for what the process already has.
    explicit SharedLibrary(void* handle) : handle_(handle), complete_(true) {}

    template <class Pointer>
    void get(Pointer& pointer, const char* symbol) {
        if (complete_) pointer = reinterpret_cast<Pointer>(dlsym(handle_, symbol));
        complete_ = complete_ && pointer != nullptr;
    }
    /// All symbols asked for so far were found.
    [[nodiscard]] bool complete() const { return complete_; }

private:
    void* handle_;
    bool complete_;
};

}  // namespace tessera::present
