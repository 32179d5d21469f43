// The one shape of an entry point: take the current context or return, lock its share group, set the floating-point
// environment, validate, act. Memory that cannot be had becomes GL_OUT_OF_MEMORY.
#pragma once

#include <new>
#include <stdexcept>

#include "api/gles/context.h"
#include "api/gles/float_environment.h"

namespace tessera::gles {

/// The calling thread's context, null when none is current.
[[nodiscard]] Context* current();

/// Runs `act` on the current context; returns `fallback` without one or when memory is out.
template <class Result, class Act>
Result enterFor(Result fallback, Act&& act) noexcept {
    Context* context = current();
    if (!context) return fallback;
    FloatEnvironment environment;
    std::lock_guard lock(context->group().mutex);
    try {
        return act(*context);
    } catch (const std::bad_alloc&) {
        context->error(GL_OUT_OF_MEMORY);
    } catch (const std::length_error&) {
        context->error(GL_OUT_OF_MEMORY);
    }
    return fallback;
}

template <class Act>
void enter(Act&& act) noexcept {
    enterFor(0, [&](Context& context) {
        act(context);
        return 0;
    });
}

}  // namespace tessera::gles
