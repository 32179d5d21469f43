// Fences and reusable syncs (EGL 1.5 section 3.8, EGL_KHR_reusable_sync).
#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "tests/egl/fixture.h"

using namespace egltest;
using std::chrono::milliseconds;

namespace {

EGLint status(EGLDisplay display, EGLSync sync) {
    EGLAttrib value = 0;
    CHECK(eglGetSyncAttrib(display, sync, EGL_SYNC_STATUS, &value) == EGL_TRUE);
    return static_cast<EGLint>(value);
}

}  // namespace

TEST_CASE("a fence is signaled when what was drawn before it is done") {
    DisplayFixture egl;
    EGLSurface surface = egl.pbuffer(256, 256);
    eglMakeCurrent(egl.display, surface, surface, egl.context());
    for (int i = 0; i < 50; ++i) clearTo(0.1f, 0.2f, 0.3f);
    EGLSync fence = eglCreateSync(egl.display, EGL_SYNC_FENCE, nullptr);
    REQUIRE(fence != EGL_NO_SYNC);
    CHECK(eglWaitSync(egl.display, fence, 0) == EGL_TRUE);
    CHECK(eglClientWaitSync(egl.display, fence, EGL_SYNC_FLUSH_COMMANDS_BIT, EGL_FOREVER) == EGL_CONDITION_SATISFIED);
    CHECK(status(egl.display, fence) == EGL_SIGNALED);
    CHECK(eglClientWaitSync(egl.display, fence, 0, 0) == EGL_CONDITION_SATISFIED);
    EGLAttrib value = 0;
    CHECK(eglGetSyncAttrib(egl.display, fence, EGL_SYNC_TYPE, &value) == EGL_TRUE);
    CHECK(value == EGL_SYNC_FENCE);
    CHECK(eglGetSyncAttrib(egl.display, fence, EGL_SYNC_CONDITION, &value) == EGL_TRUE);
    CHECK(value == EGL_SYNC_PRIOR_COMMANDS_COMPLETE);
    CHECK(eglDestroySync(egl.display, fence) == EGL_TRUE);
    CHECK(eglDestroySync(egl.display, fence) == EGL_FALSE);
    CHECK(error() == EGL_BAD_PARAMETER);
}

TEST_CASE("a fence needs a current context") {
    DisplayFixture egl;
    CHECK(eglCreateSync(egl.display, EGL_SYNC_FENCE, nullptr) == EGL_NO_SYNC);
    CHECK(error() == EGL_BAD_MATCH);
    CHECK(eglCreateSync(egl.display, EGL_NONE, nullptr) == EGL_NO_SYNC);
    CHECK(error() == EGL_BAD_PARAMETER);
    auto* createSyncKhr = EGL_EXTENSION(eglCreateSyncKHR);
    CHECK(createSyncKhr(egl.display, EGL_NONE, nullptr) == EGL_NO_SYNC_KHR);
    CHECK(error() == EGL_BAD_ATTRIBUTE);
}

TEST_CASE("a reusable sync wakes its waiters, again and again") {
    DisplayFixture egl;
    auto* createSync = EGL_EXTENSION(eglCreateSyncKHR);
    auto* signal = EGL_EXTENSION(eglSignalSyncKHR);
    auto* wait = EGL_EXTENSION(eglClientWaitSyncKHR);
    EGLSyncKHR sync = createSync(egl.display, EGL_SYNC_REUSABLE_KHR, nullptr);
    REQUIRE(sync != EGL_NO_SYNC_KHR);
    CHECK(status(egl.display, sync) == EGL_UNSIGNALED);
    CHECK(wait(egl.display, sync, 0, 1'000'000) == EGL_TIMEOUT_EXPIRED_KHR);
    for (int round = 0; round < 3; ++round) {
        std::thread waiter([&] { CHECK(wait(egl.display, sync, 0, EGL_FOREVER_KHR) == EGL_CONDITION_SATISFIED_KHR); });
        std::this_thread::sleep_for(milliseconds(2));
        CHECK(signal(egl.display, sync, EGL_SIGNALED_KHR) == EGL_TRUE);
        waiter.join();
        CHECK(status(egl.display, sync) == EGL_SIGNALED);
        CHECK(signal(egl.display, sync, EGL_UNSIGNALED_KHR) == EGL_TRUE);
    }
    CHECK(signal(egl.display, sync, 5) == EGL_FALSE);
    CHECK(error() == EGL_BAD_PARAMETER);
    // Destroying it lets a waiter go; on a busy machine it may be gone before the thread gets to wait.
    std::thread waiter([&] {
        const EGLint result = wait(egl.display, sync, 0, EGL_FOREVER_KHR);
        CHECK((result == EGL_CONDITION_SATISFIED_KHR || (result == EGL_FALSE && error() == EGL_BAD_PARAMETER)));
    });
    std::this_thread::sleep_for(milliseconds(5));
    CHECK(eglDestroySync(egl.display, sync) == EGL_TRUE);
    waiter.join();
}

TEST_CASE("terminating a display lets waiters go") {
    DisplayFixture egl;
    EGLSyncKHR sync = EGL_EXTENSION(eglCreateSyncKHR)(egl.display, EGL_SYNC_REUSABLE_KHR, nullptr);
    std::thread waiter([&] { (void)eglClientWaitSync(egl.display, sync, 0, EGL_FOREVER); });
    std::this_thread::sleep_for(milliseconds(5));
    CHECK(eglTerminate(egl.display) == EGL_TRUE);
    waiter.join();
}
