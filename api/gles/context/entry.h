// The one shape of an entry point: take the current context or return, lock its share group, set the floating-point
// environment, validate, act. Memory that cannot be had becomes GL_OUT_OF_MEMORY.
#pragma once

#include <new>
#include <stdexcept>
#include <utility>

#include "api/gles/context/context.h"
#include "api/gles/context/float_environment.h"
#include "base/thread/thread.h"

namespace tessera::gles {

/// The calling thread's context, null when none is current.
[[nodiscard]] Context* current();

/// What a call does on a lost context (KHR_robustness): almost all give GL_CONTEXT_LOST and nothing else.
enum class WhenLost { Refuse, Enter };

/// Whether a call may change what draws share (Context::changeDrawState).
enum class DrawStateUse { MayChange, Keeps };

/// What compiling and linking may need; most threads have it.
inline constexpr size_t kCompilerStack = size_t{4} << 20;

/// Hands the messages of the call that ends to the application's callback (KHR_debug).
void deliverDebugMessages(Context& context) noexcept;

/// Runs `act` on the current context; returns `fallback` without one or when memory is out. `call` is the name of the
/// entry point, for debug messages.
template <class Lock = CallLock, class Result, class Act>
Result enterFor(Result fallback, Act&& act, const char* call = __builtin_FUNCTION(),
                WhenLost whenLost = WhenLost::Refuse, DrawStateUse use = DrawStateUse::MayChange) noexcept {
    Context* context = current();
    if (!context) return fallback;
    FloatEnvironment environment;
    Result result = fallback;
    {
        const Lock lock(context->group().mutex);
        context->call = call;
        try {
            context->noticeFaults();
            if (use == DrawStateUse::MayChange) context->changeDrawState();
            if (whenLost == WhenLost::Enter || !context->isLost()) {
                result = act(*context);
            } else {
                context->error(GL_CONTEXT_LOST_KHR);
            }
        } catch (const std::bad_alloc&) {
            context->error(GL_OUT_OF_MEMORY);
        } catch (const std::length_error&) {
            context->error(GL_OUT_OF_MEMORY);
        }
    }
    if (context->debug.hasPending()) deliverDebugMessages(*context);
    return result;
}

template <class Act>
void enter(Act&& act, const char* call = __builtin_FUNCTION(), DrawStateUse use = DrawStateUse::MayChange) noexcept {
    enterFor(
        0,
        [&](Context& context) {
            act(context);
            return 0;
        },
        call, WhenLost::Refuse, use);
}

/// For what OpenGL ES 3.0 alone has: in another context the call gives GL_INVALID_OPERATION and does nothing else.
/// (What an extension of OpenGL ES 2.0 has too is one function under two names, with `enter`.)
template <class Result, class Act>
Result enterEs3For(Result fallback, Act&& act, const char* call = __builtin_FUNCTION()) noexcept {
    return enterFor(
        fallback,
        [&](Context& context) -> Result {
            if (context.isEs3()) return act(context);
            context.error(GL_INVALID_OPERATION);
            return fallback;
        },
        call);
}

template <class Act>
void enterEs3(Act&& act, const char* call = __builtin_FUNCTION()) noexcept {
    enter(
        [&](Context& context) {
            if (context.isEs3())
                act(context);
            else
                context.error(GL_INVALID_OPERATION);
        },
        call);
}

/// Part of a call that takes long and much of the stack, and touches nothing that contexts share. False when memory is
/// out.
template <class Act>
bool withoutLock(Act&& act, const char* call = __builtin_FUNCTION()) noexcept {
    FloatEnvironment environment;
    try {
        const std::shared_lock lock(ShareGroup::callsWithoutLock());
        runWithStack(kCompilerStack, act);
        return true;
    } catch (const std::bad_alloc&) {
    } catch (const std::length_error&) {
    }
    enter([](Context& context) { context.error(GL_OUT_OF_MEMORY); }, call);
    return false;
}

/// Waits until the buffer with that serial number, if it is not 0, is executed: outside the lock of the share group, so
/// that other contexts go on meanwhile.
void waitFor(uint64_t serial);

/// For draws and the values of uniforms, which programs call thousands of times a frame and which rarely touch the
/// application's memory: where they do they say so (MayBeLeft).
template <class Act>
void enterKeepingDrawState(Act&& act, const char* call = __builtin_FUNCTION()) noexcept {
    enterFor<std::lock_guard<CallMutex>>(
        0,
        [&](Context& context) {
            act(context);
            return 0;
        },
        call, WhenLost::Refuse, DrawStateUse::Keeps);
}

}  // namespace tessera::gles
