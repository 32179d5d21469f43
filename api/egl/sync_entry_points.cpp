// EGL entry points for syncs (EGL 1.5 section 3.8, EGL_KHR_fence_sync, EGL_KHR_reusable_sync).
//
// A fence remembers the serial number of the command buffer it was put into; waiting waits for that buffer.
#include <algorithm>
#include <chrono>
#include <condition_variable>

#include "api/egl/entry.h"
#include "base/thread/fork.h"

using namespace tessera::egl;
namespace gles = tessera::gles;

namespace {

/// Wakes waiters of reusable syncs; waits on the library's mutex.
std::condition_variable_any& syncChanged() {
    static std::condition_variable_any& condition = *new std::condition_variable_any;
    return condition;
}

bool isSignaled(const Sync& sync) {
    if (sync.type == EGL_SYNC_REUSABLE_KHR) return sync.signaled;
    return gles::Driver::instance().gpu().isDone(sync.serial);
}

/// `badType` is the one error that core EGL and the extension disagree about.
EGLSync createSync(EGLDisplay handle, EGLenum type, bool hasAttributes, EGLint badType) {
    if (type == EGL_SYNC_FENCE) flushCurrent();
    return enter(handle, [&](Display& display) {
        if (hasAttributes) return fail<EGLSync>(EGL_BAD_ATTRIBUTE, EGL_NO_SYNC);
        auto sync = std::make_shared<Sync>();
        sync->type = type;
        if (type == EGL_SYNC_FENCE) {
            ThreadState& state = threadState();
            if (!state.context || state.display != &display) return fail<EGLSync>(EGL_BAD_MATCH, EGL_NO_SYNC);
            sync->serial = gles::flush(*state.context->gles);
            sync->stream = gles::streamOf(*state.context->gles);
        } else if (type != EGL_SYNC_REUSABLE_KHR) {
            return fail<EGLSync>(badType, EGL_NO_SYNC);
        }
        display.syncs[sync.get()] = sync;
        return succeed<EGLSync>(sync.get());
    });
}

EGLint waitReusable(const std::shared_ptr<Sync>& sync, EGLTime timeout) {
    Lock lock(Library::instance().mutex);
    auto signaled = [&] { return sync->signaled; };
    if (timeout == EGL_FOREVER) {
        syncChanged().wait(lock, signaled);
        return EGL_CONDITION_SATISFIED;
    }
    bool done =
        syncChanged().wait_for(lock, std::chrono::nanoseconds(std::min<EGLTime>(timeout, 1ull << 60)), signaled);
    return done ? EGL_CONDITION_SATISFIED : EGL_TIMEOUT_EXPIRED;
}

}  // namespace

void tessera::egl::wakeSyncWaiters() { syncChanged().notify_all(); }
void tessera::egl::forgetSyncWaiters() { tessera::forgetWaiters(syncChanged()); }

extern "C" {

EGLAPI EGLSync EGLAPIENTRY eglCreateSync(EGLDisplay display, EGLenum type, const EGLAttrib* attributes) {
    return createSync(display, type, attributes != nullptr && *attributes != EGL_NONE, EGL_BAD_PARAMETER);
}
EGLAPI EGLSyncKHR EGLAPIENTRY eglCreateSyncKHR(EGLDisplay display, EGLenum type, const EGLint* attributes) {
    return createSync(display, type, attributes != nullptr && *attributes != EGL_NONE, EGL_BAD_ATTRIBUTE);
}

EGLAPI EGLBoolean EGLAPIENTRY eglDestroySync(EGLDisplay handle, EGLSync syncHandle) {
    return enter(handle, [&](Display& display) {
        auto sync = display.findSync(syncHandle);
        if (!sync) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
        sync->signaled = true;  // whoever waits on it goes on
        wakeSyncWaiters();
        display.syncs.erase(syncHandle);
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}
EGLAPI EGLBoolean EGLAPIENTRY eglDestroySyncKHR(EGLDisplay display, EGLSyncKHR sync) {
    return eglDestroySync(display, sync);
}

EGLAPI EGLint EGLAPIENTRY eglClientWaitSync(EGLDisplay handle, EGLSync syncHandle, EGLint flags, EGLTime timeout) {
    const auto sync = enter(handle, [&](Display& display) {
        auto found = display.findSync(syncHandle);
        return found ? found : fail<std::shared_ptr<Sync>>(EGL_BAD_PARAMETER, nullptr);
    });
    if (!sync) return EGL_FALSE;
    if ((flags & EGL_SYNC_FLUSH_COMMANDS_BIT) != 0) flushCurrent();
    return enterUnlocked([&] {
        if (sync->type == EGL_SYNC_REUSABLE_KHR) return succeed(waitReusable(sync, timeout));
        return succeed(gles::waitFor(sync->serial, timeout) ? EGL_CONDITION_SATISFIED : EGL_TIMEOUT_EXPIRED);
    });
}
EGLAPI EGLint EGLAPIENTRY eglClientWaitSyncKHR(EGLDisplay display, EGLSyncKHR sync, EGLint flags, EGLTimeKHR timeout) {
    return eglClientWaitSync(display, sync, flags, timeout);
}

EGLAPI EGLBoolean EGLAPIENTRY eglWaitSync(EGLDisplay handle, EGLSync syncHandle, EGLint flags) {
    return enter(handle, [&](Display& display) {
        auto sync = display.findSync(syncHandle);
        if (!sync || flags != 0) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
        if (!threadState().context) return fail<EGLBoolean>(EGL_BAD_MATCH, EGL_FALSE);
        gles::orderWith(*threadState().context->gles, sync->stream);
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}
EGLAPI EGLint EGLAPIENTRY eglWaitSyncKHR(EGLDisplay display, EGLSyncKHR sync, EGLint flags) {
    return static_cast<EGLint>(eglWaitSync(display, sync, flags));
}

EGLAPI EGLBoolean EGLAPIENTRY eglSignalSyncKHR(EGLDisplay handle, EGLSyncKHR syncHandle, EGLenum mode) {
    return enter(handle, [&](Display& display) {
        auto sync = display.findSync(syncHandle);
        if (!sync || (mode != EGL_SIGNALED && mode != EGL_UNSIGNALED))
            return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
        if (sync->type != EGL_SYNC_REUSABLE_KHR) return fail<EGLBoolean>(EGL_BAD_MATCH, EGL_FALSE);
        sync->signaled = mode == EGL_SIGNALED;
        wakeSyncWaiters();
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}

EGLAPI EGLBoolean EGLAPIENTRY eglGetSyncAttrib(EGLDisplay handle, EGLSync syncHandle, EGLint name, EGLAttrib* value) {
    return enter(handle, [&](Display& display) {
        auto sync = display.findSync(syncHandle);
        if (!sync || value == nullptr) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
        switch (name) {
            case EGL_SYNC_TYPE:
                *value = sync->type;
                break;
            case EGL_SYNC_STATUS:
                *value = isSignaled(*sync) ? EGL_SIGNALED : EGL_UNSIGNALED;
                break;
            case EGL_SYNC_CONDITION:
                if (sync->type != EGL_SYNC_FENCE) return fail<EGLBoolean>(EGL_BAD_ATTRIBUTE, EGL_FALSE);
                *value = EGL_SYNC_PRIOR_COMMANDS_COMPLETE;
                break;
            default:
                return fail<EGLBoolean>(EGL_BAD_ATTRIBUTE, EGL_FALSE);
        }
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}
EGLAPI EGLBoolean EGLAPIENTRY eglGetSyncAttribKHR(EGLDisplay display, EGLSyncKHR sync, EGLint name, EGLint* value) {
    EGLAttrib wide = 0;
    EGLBoolean result = eglGetSyncAttrib(display, sync, name, value == nullptr ? nullptr : &wide);
    if (result == EGL_TRUE) *value = static_cast<EGLint>(wide);
    return result;
}

}  // extern "C"
