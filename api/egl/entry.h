// The one shape of an EGL entry point: lock the library, look the display up, act. Whatever the calls between them do
// sets the thread's error (fail, succeed); memory that cannot be had becomes EGL_BAD_ALLOC.
#pragma once

#include <new>
#include <type_traits>

#include "api/egl/objects.h"
#include "api/gles/context/call_lock.h"

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

/// Hands over what the calling thread's context has recorded. That may wait for the GPU, and so is not done with the
/// library locked: what is handed over then is nothing.
inline void flushCurrent() noexcept {
    const ThreadState& state = threadState();
    if (state.context) (void)enterUnlocked([&] { return gles::flush(*state.context->gles); });
}

/// Likewise, and waits until it is drawn.
inline void finishCurrent() noexcept {
    const ThreadState& state = threadState();
    if (!state.context) return;
    (void)enterUnlocked([&] {
        gles::finish(*state.context->gles);
        return EGL_TRUE;
    });
}

/// Runs `act` with the library locked.
template <class Act>
std::invoke_result_t<Act> enter(Act&& act) noexcept {
    return enterUnlocked([&] {
        std::recursive_mutex& mutex = Library::instance().mutex;
        const Lock lock(mutex);
        const gles::WhenLeft left([](void* locked) { static_cast<std::recursive_mutex*>(locked)->unlock(); }, &mutex);
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
