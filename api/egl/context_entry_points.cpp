// EGL entry points for contexts (EGL 1.5 section 3.7, EGL_KHR_create_context, EGL_EXT_create_context_robustness,
// EGL_KHR_create_context_no_error, EGL_KHR_no_config_context, EGL_KHR_context_flush_control).
#include <algorithm>

#include "api/egl/entry.h"
#include "api/gles1/gles1.h"

using namespace tessera::egl;
namespace gles = tessera::gles;

namespace {

/// What a context attribute list asks for.
struct ContextRequest {
    EGLint major = 1, minor = 0;
    bool robustAccess = false, debug = false, noError = false;
    EGLint resetStrategy = EGL_NO_RESET_NOTIFICATION;
    EGLint releaseBehavior = EGL_CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR;
};

bool isBoolean(EGLint value) { return value == EGL_TRUE || value == EGL_FALSE; }

EGLint parseAttribute(EGLint name, EGLint value, ContextRequest* request) {
    switch (name) {
        case EGL_CONTEXT_MAJOR_VERSION:
            request->major = value;
            return EGL_SUCCESS;
        case EGL_CONTEXT_MINOR_VERSION:
            request->minor = value;
            return EGL_SUCCESS;
        case EGL_CONTEXT_FLAGS_KHR:
            // The others are of desktop OpenGL.
            if ((value & ~EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR) != 0) return EGL_BAD_ATTRIBUTE;
            request->debug |= (value & EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR) != 0;
            return EGL_SUCCESS;
        case EGL_CONTEXT_OPENGL_DEBUG:
            if (!isBoolean(value)) return EGL_BAD_ATTRIBUTE;
            request->debug = value == EGL_TRUE;
            return EGL_SUCCESS;
        case EGL_CONTEXT_OPENGL_ROBUST_ACCESS:
        case EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT:
            if (!isBoolean(value)) return EGL_BAD_ATTRIBUTE;
            request->robustAccess = value == EGL_TRUE;
            return EGL_SUCCESS;
        case EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY:
        case EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT:
            if (value != EGL_NO_RESET_NOTIFICATION && value != EGL_LOSE_CONTEXT_ON_RESET) return EGL_BAD_ATTRIBUTE;
            request->resetStrategy = value;
            return EGL_SUCCESS;
        case EGL_CONTEXT_OPENGL_NO_ERROR_KHR:
            // Leave is given not to check for errors, and not taken.
            if (!isBoolean(value)) return EGL_BAD_ATTRIBUTE;
            request->noError = value == EGL_TRUE;
            return EGL_SUCCESS;
        case EGL_CONTEXT_RELEASE_BEHAVIOR_KHR:
            if (value != EGL_CONTEXT_RELEASE_BEHAVIOR_NONE_KHR && value != EGL_CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR)
                return EGL_BAD_ATTRIBUTE;
            request->releaseBehavior = value;
            return EGL_SUCCESS;
        default:
            return EGL_BAD_ATTRIBUTE;
    }
}

/// Whether there are contexts of the version, on every configuration. Programs that want the latest ask for 3.2, 3.1
/// and 3.0 until one is there.
bool isSupported(EGLint major, EGLint minor) {
    return (major == 1 && (minor == 0 || minor == 1)) || (major == 2 && minor == 0) || (major == 3 && minor == 0);
}

}  // namespace

extern "C" {

EGLAPI EGLContext EGLAPIENTRY eglCreateContext(EGLDisplay handle, EGLConfig configHandle, EGLContext shareHandle,
                                               const EGLint* attributes) {
    return enter(handle, [&](Display& display) {
        const Config* config = display.findConfig(configHandle);
        if (config == nullptr && configHandle != EGL_NO_CONFIG_KHR)
            return fail<EGLContext>(EGL_BAD_CONFIG, EGL_NO_CONTEXT);
        if (threadState().api != EGL_OPENGL_ES_API)
            return fail<EGLContext>(config == nullptr ? EGL_BAD_MATCH : EGL_BAD_CONFIG, EGL_NO_CONTEXT);
        auto share = display.findContext(shareHandle);
        if (!share && shareHandle != EGL_NO_CONTEXT) return fail<EGLContext>(EGL_BAD_CONTEXT, EGL_NO_CONTEXT);
        ContextRequest request;
        for (; attributes != nullptr && *attributes != EGL_NONE; attributes += 2) {
            EGLint error = parseAttribute(attributes[0], attributes[1], &request);
            if (error != EGL_SUCCESS) return fail<EGLContext>(error, EGL_NO_CONTEXT);
        }
        if (!isSupported(request.major, request.minor)) return fail<EGLContext>(EGL_BAD_MATCH, EGL_NO_CONTEXT);
        if (request.noError && (request.debug || request.robustAccess))
            return fail<EGLContext>(EGL_BAD_MATCH, EGL_NO_CONTEXT);
        gles::ContextOptions options;
        options.robustAccess = request.robustAccess;
        options.debug = request.debug;
        options.version = std::max(request.major, 2);
        if (request.major == 1) options.makeFixedFunction = tessera::gles1::makeFixedFunction;
        options.flushOnRelease = request.releaseBehavior == EGL_CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR;
        options.resetNotification = request.resetStrategy == EGL_LOSE_CONTEXT_ON_RESET;
        if (share) {
            if (share->resetStrategy != request.resetStrategy || share->noError != request.noError)
                return fail<EGLContext>(EGL_BAD_MATCH, EGL_NO_CONTEXT);
            options.share = share->gles;
        }
        auto context = std::make_shared<Context>();
        context->config = config;
        context->clientVersion = request.major;
        context->resetStrategy = request.resetStrategy;
        context->noError = request.noError;
        context->releaseBehavior = request.releaseBehavior;
        context->gles = gles::createContext(options);
        if (!context->gles) return fail<EGLContext>(EGL_BAD_ALLOC, EGL_NO_CONTEXT);
        display.contexts[context.get()] = context;
        return succeed<EGLContext>(context.get());
    });
}

EGLAPI EGLBoolean EGLAPIENTRY eglDestroyContext(EGLDisplay handle, EGLContext contextHandle) {
    return enter(handle, [&](Display& display) {
        if (display.contexts.erase(contextHandle) == 0) return fail<EGLBoolean>(EGL_BAD_CONTEXT, EGL_FALSE);
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}

EGLAPI EGLBoolean EGLAPIENTRY eglQueryContext(EGLDisplay handle, EGLContext contextHandle, EGLint name, EGLint* value) {
    return enter(handle, [&](Display& display) {
        auto context = display.findContext(contextHandle);
        if (!context) return fail<EGLBoolean>(EGL_BAD_CONTEXT, EGL_FALSE);
        if (value == nullptr) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
        switch (name) {
            case EGL_CONFIG_ID:
                *value = context->config == nullptr ? 0 : context->config->id;
                break;
            case EGL_CONTEXT_CLIENT_TYPE:
                *value = EGL_OPENGL_ES_API;
                break;
            case EGL_CONTEXT_CLIENT_VERSION:
                *value = context->clientVersion;
                break;
            case EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT:
                *value = context->resetStrategy;
                break;
            case EGL_CONTEXT_RELEASE_BEHAVIOR_KHR:
                *value = context->releaseBehavior;
                break;
            case EGL_RENDER_BUFFER:
                *value = context->renderBuffer;
                break;
            default:
                return fail<EGLBoolean>(EGL_BAD_ATTRIBUTE, EGL_FALSE);
        }
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}

}  // extern "C"
