// Libraries of the system, opened when something first asks for what is in them: what is built depends on none of them,
// and only their headers are compiled with.
#pragma once

#include <dlfcn.h>

#include <string>

namespace tessera {

/// Never unloaded: the application, and callbacks of the window system, may hold on to what is in it.
class SharedLibrary {
public:
    explicit SharedLibrary(const char* name) : handle_(dlopen(name, RTLD_LAZY | RTLD_LOCAL)) {
        if (handle_ == nullptr) trouble_ = said();
    }
    /// The library itself, or RTLD_DEFAULT for what the process already has.
    explicit SharedLibrary(void* handle) : handle_(handle) {}

    template <class Pointer>
    void get(Pointer& pointer, const char* symbol) {
        if (!complete()) return;
        pointer = reinterpret_cast<Pointer>(dlsym(handle_, symbol));
        if (pointer == nullptr) trouble_ = said();
    }
    /// All symbols asked for so far were found.
    [[nodiscard]] bool complete() const { return trouble_.empty(); }
    /// Which file or symbol is missing, in the loader's words; empty while it is complete.
    [[nodiscard]] const std::string& trouble() const { return trouble_; }

private:
    [[nodiscard]] static std::string said() {
        const char* text = dlerror();
        return text != nullptr ? text : "the loader does not say why";
    }

    void* handle_;
    std::string trouble_;
};

}  // namespace tessera
