// EGL on both sides of a fork(). Displays, contexts, surfaces and their pictures are the child's too; current to it is
// what was current to the thread that forked, as there is no other. Connections to window systems stay with the parent:
// two processes cannot speak on one, nor the child close it. Windows and pixmaps are gone for the child, and a display
// is connected again when it is terminated and initialised.
#include <pthread.h>

#include <new>

#include "api/egl/objects.h"
#include "base/thread/fork.h"

namespace tessera::egl {

namespace {

void beforeFork() { Library::instance().mutex.lock(); }

void afterForkInParent() { Library::instance().mutex.unlock(); }

/// Keeps it for ever: its destructor would speak to the window system.
template <class Owner>
void leak(Owner& owner) {
    (void)new (std::nothrow) Owner(std::move(owner));
}

void loseNative(Surface& surface) {
    (void)surface.presenter.release();
    (void)surface.pixmap.release();
}

void afterForkInChild() {
    const ThreadState& state = threadState();
    Library::instance().eachDisplay([&](Display& display) {
        for (auto& [handle, context] : display.contexts) context->currentCount = context == state.context ? 1 : 0;
        for (auto& [handle, surface] : display.surfaces) {
            surface->currentCount = (surface == state.draw ? 1 : 0) + (surface == state.read ? 1 : 0);
            loseNative(*surface);
        }
        if (display.windowSystem) leak(display.windowSystem);
    });
    for (const auto& surface : {state.draw, state.read})
        if (surface) loseNative(*surface);  // also after eglDestroySurface
    forgetSyncWaiters();
    forgetWaiters(Library::instance().mutex);
}

}  // namespace

void surviveForks() {
    gles::Driver::surviveForks();
    pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
}

}  // namespace tessera::egl
