// The one shape of an EGL entry point: lock the library, look the display up, act. Whatever the calls between them do
// sets the thread's error (fail, succeed); memory that cannot be had becomes EGL_BAD_ALLOC.
#pragma once

#include <new>
#include <type_traits>

#include "api/egl/objects.h"

namespace tessera::egl {

/// For what waits, or makes what is drawn visible, before it locks the library or without it.
template <class Act>
std::invoke_result_t<Act> enterUnlocked(Act&& act) noexcept {
    try {
        return act();
    } catch (const std::bad_alloc&) {
        return fail(EGL_BAD_ALLOC, std::invoke_result_t<Act>{});
    }
}

/// Runs `act` with the library locked.
template <class Act>
std::invoke_result_t<Act> enter(Act&& act) noexcept {
    return enterUnlocked([&] {
        Lock lock(Library::instance().mutex);
        return act();
    });
}

/// Runs `act` on the initialised display, with the library locked; without one nothing but the error comes of it.
template <class Act>
std::invoke_result_t<Act, Display&> enter(EGLDisplay handle, Act&& act) noexcept {
    return enter([&] {
        Display* display = initializedDisplay(handle);
        return display ? act(*display) : std::invoke_result_t<Act, Display&>{};
    });
}

}  // namespace tessera::egl
