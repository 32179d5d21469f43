// EGL entry points: displays, configurations, contexts and what is current (EGL 1.5 sections 3.2 to 3.4, 3.7).
// Surfaces are in surface_entry_points.cpp, syncs in sync_entry_points.cpp.
//
// Every entry point has one shape: lock the library, look up every handle, check, act, set the thread's error.
#include <algorithm>
#include <new>

#include "api/egl/objects.h"

using namespace tessera::egl;
namespace gles = tessera::gles;

namespace {

constexpr const char* kClientExtensions =
    "EGL_EXT_client_extensions EGL_EXT_platform_base EGL_KHR_client_get_all_proc_addresses "
    "EGL_KHR_get_all_proc_addresses EGL_MESA_platform_surfaceless EGL_TESSERA_platform_sdl";
constexpr const char* kDisplayExtensions =
    "EGL_KHR_create_context EGL_KHR_get_all_proc_addresses EGL_KHR_surfaceless_context EGL_KHR_no_config_context "
    "EGL_KHR_fence_sync EGL_KHR_reusable_sync EGL_KHR_wait_sync EGL_KHR_context_flush_control";

using Lock = std::lock_guard<std::recursive_mutex>;

EGLDisplay platformDisplay(EGLenum platform, void* native) {
    switch (platform) {
        case EGL_PLATFORM_SURFACELESS_MESA:
            if (native != nullptr) return fail<EGLDisplay>(EGL_BAD_PARAMETER, EGL_NO_DISPLAY);
            return succeed<EGLDisplay>(Library::instance().display(Platform::Surfaceless, nullptr));
        case EGL_PLATFORM_SDL_TESSERA:
            return succeed<EGLDisplay>(Library::instance().display(Platform::Sdl, nullptr));
        default:
            return fail<EGLDisplay>(EGL_BAD_PARAMETER, EGL_NO_DISPLAY);
    }
}

/// What a context attribute list asks for.
struct ContextRequest {
    EGLint major = 1, minor = 0;
    gles::ContextOptions options;
};

EGLint parseContextAttributes(const EGLint* attributes, ContextRequest* request) {
    for (; attributes != nullptr && *attributes != EGL_NONE; attributes += 2) {
        EGLint value = attributes[1];
        switch (attributes[0]) {
            case EGL_CONTEXT_MAJOR_VERSION:
                request->major = value;
                break;
            case EGL_CONTEXT_MINOR_VERSION:
                request->minor = value;
                break;
            case EGL_CONTEXT_FLAGS_KHR:
                if ((value & ~EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR) != 0) return EGL_BAD_ATTRIBUTE;
                break;
            case EGL_CONTEXT_OPENGL_DEBUG:
                break;
            case EGL_CONTEXT_OPENGL_ROBUST_ACCESS:
                if (value != EGL_FALSE) return EGL_BAD_MATCH;
                break;
            case EGL_CONTEXT_RELEASE_BEHAVIOR_KHR:
                if (value != EGL_CONTEXT_RELEASE_BEHAVIOR_NONE_KHR && value != EGL_CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR)
                    return EGL_BAD_ATTRIBUTE;
                break;
            default:
                return EGL_BAD_ATTRIBUTE;
        }
    }
    return EGL_SUCCESS;
}

EGLint checkMakeCurrent(ThreadState& state, Display* display, EGLSurface drawHandle, EGLSurface readHandle,
                        const std::shared_ptr<Context>& context, std::shared_ptr<Surface>* draw,
                        std::shared_ptr<Surface>* read) {
    *draw = display->findSurface(drawHandle);
    *read = display->findSurface(readHandle);
    if (drawHandle != EGL_NO_SURFACE && !*draw) return EGL_BAD_SURFACE;
    if (readHandle != EGL_NO_SURFACE && !*read) return EGL_BAD_SURFACE;
    if (!*draw != !*read) return EGL_BAD_MATCH;
    if (context->isCurrent && context != state.context) return EGL_BAD_ACCESS;
    for (const auto& surface : {*draw, *read}) {
        if (!surface) continue;
        bool mine = surface == state.draw || surface == state.read;
        if (surface->currentCount > 0 && !mine) return EGL_BAD_ACCESS;
        const Config* want = context->config;
        const Config* have = surface->config;
        if (want != nullptr && (want->red != have->red || want->green != have->green || want->blue != have->blue ||
                                want->alpha != have->alpha || want->depth != have->depth ||
                                want->stencil != have->stencil || want->samples != have->samples))
            return EGL_BAD_MATCH;
    }
    return EGL_SUCCESS;
}

}  // namespace

extern "C" {

EGLAPI EGLint EGLAPIENTRY eglGetError(void) {
    EGLint error = threadState().error;
    threadState().error = EGL_SUCCESS;
    return error;
}

EGLAPI EGLDisplay EGLAPIENTRY eglGetDisplay(EGLNativeDisplayType) {
    Lock lock(Library::instance().mutex);
    return platformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr);
}

EGLAPI EGLDisplay EGLAPIENTRY eglGetPlatformDisplay(EGLenum platform, void* native, const EGLAttrib* attributes) {
    Lock lock(Library::instance().mutex);
    if (attributes != nullptr && *attributes != EGL_NONE) return fail<EGLDisplay>(EGL_BAD_ATTRIBUTE, EGL_NO_DISPLAY);
    return platformDisplay(platform, native);
}

EGLAPI EGLDisplay EGLAPIENTRY eglGetPlatformDisplayEXT(EGLenum platform, void* native, const EGLint* attributes) {
    Lock lock(Library::instance().mutex);
    if (attributes != nullptr && *attributes != EGL_NONE) return fail<EGLDisplay>(EGL_BAD_ATTRIBUTE, EGL_NO_DISPLAY);
    return platformDisplay(platform, native);
}

EGLAPI EGLBoolean EGLAPIENTRY eglInitialize(EGLDisplay handle, EGLint* major, EGLint* minor) {
    Lock lock(Library::instance().mutex);
    Display* display = Library::instance().find(handle);
    if (display == nullptr) return fail<EGLBoolean>(EGL_BAD_DISPLAY, EGL_FALSE);
    if (!display->initialized) {
        // Handles of configurations stay valid over terminate and initialize.
        if (display->configs.empty()) display->configs = makeConfigs(display->platform);
        display->initialized = true;
    }
    if (major != nullptr) *major = 1;
    if (minor != nullptr) *minor = 5;
    return succeed<EGLBoolean>(EGL_TRUE);
}

EGLAPI EGLBoolean EGLAPIENTRY eglTerminate(EGLDisplay handle) {
    Lock lock(Library::instance().mutex);
    Display* display = Library::instance().find(handle);
    if (display == nullptr) return fail<EGLBoolean>(EGL_BAD_DISPLAY, EGL_FALSE);
    // What is current somewhere lives on until it is released; its handles are gone at once.
    display->surfaces.clear();
    display->contexts.clear();
    display->syncs.clear();
    display->initialized = false;
    return succeed<EGLBoolean>(EGL_TRUE);
}

EGLAPI const char* EGLAPIENTRY eglQueryString(EGLDisplay handle, EGLint name) {
    Lock lock(Library::instance().mutex);
    if (handle == EGL_NO_DISPLAY) {
        if (name == EGL_EXTENSIONS) return succeed(kClientExtensions);
        if (name == EGL_VERSION) return succeed("1.5 Tessera");
        return fail<const char*>(EGL_BAD_DISPLAY, nullptr);
    }
    if (initializedDisplay(handle) == nullptr) return nullptr;
    switch (name) {
        case EGL_CLIENT_APIS:
            return succeed("OpenGL_ES");
        case EGL_VENDOR:
            return succeed("Tessera");
        case EGL_VERSION:
            return succeed("1.5 Tessera");
        case EGL_EXTENSIONS:
            return succeed(kDisplayExtensions);
        default:
            return fail<const char*>(EGL_BAD_PARAMETER, nullptr);
    }
}

EGLAPI EGLBoolean EGLAPIENTRY eglGetConfigs(EGLDisplay handle, EGLConfig* configs, EGLint size, EGLint* count) {
    Lock lock(Library::instance().mutex);
    Display* display = initializedDisplay(handle);
    if (display == nullptr) return EGL_FALSE;
    if (count == nullptr) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
    *count = static_cast<EGLint>(display->configs.size());
    if (configs != nullptr) {
        *count = std::clamp(size, 0, *count);
        for (EGLint i = 0; i < *count; ++i) configs[i] = &display->configs[static_cast<size_t>(i)];
    }
    return succeed<EGLBoolean>(EGL_TRUE);
}

EGLAPI EGLBoolean EGLAPIENTRY eglChooseConfig(EGLDisplay handle, const EGLint* attributes, EGLConfig* configs,
                                              EGLint size, EGLint* count) {
    Lock lock(Library::instance().mutex);
    Display* display = initializedDisplay(handle);
    if (display == nullptr) return EGL_FALSE;
    if (count == nullptr) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
    std::vector<const Config*> matching;
    EGLint error = chooseConfigs(display->configs, attributes, &matching);
    if (error != EGL_SUCCESS) return fail<EGLBoolean>(error, EGL_FALSE);
    *count = static_cast<EGLint>(matching.size());
    if (configs != nullptr) {
        *count = std::clamp(size, 0, *count);
        for (EGLint i = 0; i < *count; ++i) configs[i] = const_cast<Config*>(matching[static_cast<size_t>(i)]);
    }
    return succeed<EGLBoolean>(EGL_TRUE);
}

EGLAPI EGLBoolean EGLAPIENTRY eglGetConfigAttrib(EGLDisplay handle, EGLConfig configHandle, EGLint name,
                                                 EGLint* value) {
    Lock lock(Library::instance().mutex);
    Display* display = initializedDisplay(handle);
    if (display == nullptr) return EGL_FALSE;
    const Config* config = display->findConfig(configHandle);
    if (config == nullptr) return fail<EGLBoolean>(EGL_BAD_CONFIG, EGL_FALSE);
    if (value == nullptr) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
    if (!config->attribute(name, value)) return fail<EGLBoolean>(EGL_BAD_ATTRIBUTE, EGL_FALSE);
    return succeed<EGLBoolean>(EGL_TRUE);
}

EGLAPI EGLBoolean EGLAPIENTRY eglBindAPI(EGLenum api) {
    if (api != EGL_OPENGL_ES_API) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
    threadState().api = api;
    return succeed<EGLBoolean>(EGL_TRUE);
}
EGLAPI EGLenum EGLAPIENTRY eglQueryAPI(void) { return threadState().api; }

EGLAPI EGLContext EGLAPIENTRY eglCreateContext(EGLDisplay handle, EGLConfig configHandle, EGLContext shareHandle,
                                               const EGLint* attributes) {
    Lock lock(Library::instance().mutex);
    Display* display = initializedDisplay(handle);
    if (display == nullptr) return EGL_NO_CONTEXT;
    const Config* config = display->findConfig(configHandle);
    if (config == nullptr && configHandle != EGL_NO_CONFIG_KHR) return fail<EGLContext>(EGL_BAD_CONFIG, EGL_NO_CONTEXT);
    ContextRequest request;
    EGLint error = parseContextAttributes(attributes, &request);
    if (error != EGL_SUCCESS) return fail<EGLContext>(error, EGL_NO_CONTEXT);
    if (request.major != 2 || request.minor != 0) return fail<EGLContext>(EGL_BAD_MATCH, EGL_NO_CONTEXT);
    if (shareHandle != EGL_NO_CONTEXT) {
        auto share = display->findContext(shareHandle);
        if (!share) return fail<EGLContext>(EGL_BAD_CONTEXT, EGL_NO_CONTEXT);
        request.options.share = share->gles;
    }
    try {
        auto context = std::make_shared<Context>();
        context->config = config;
        context->gles = gles::createContext(request.options);
        if (!context->gles) return fail<EGLContext>(EGL_BAD_ALLOC, EGL_NO_CONTEXT);
        display->contexts[context.get()] = context;
        return succeed<EGLContext>(context.get());
    } catch (const std::bad_alloc&) {
        return fail<EGLContext>(EGL_BAD_ALLOC, EGL_NO_CONTEXT);
    }
}

EGLAPI EGLBoolean EGLAPIENTRY eglDestroyContext(EGLDisplay handle, EGLContext contextHandle) {
    Lock lock(Library::instance().mutex);
    Display* display = initializedDisplay(handle);
    if (display == nullptr) return EGL_FALSE;
    if (display->contexts.erase(contextHandle) == 0) return fail<EGLBoolean>(EGL_BAD_CONTEXT, EGL_FALSE);
    return succeed<EGLBoolean>(EGL_TRUE);
}

EGLAPI EGLBoolean EGLAPIENTRY eglQueryContext(EGLDisplay handle, EGLContext contextHandle, EGLint name, EGLint* value) {
    Lock lock(Library::instance().mutex);
    Display* display = initializedDisplay(handle);
    if (display == nullptr) return EGL_FALSE;
    auto context = display->findContext(contextHandle);
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
        case EGL_RENDER_BUFFER: {
            ThreadState& state = threadState();
            *value = state.context == context && state.draw ? EGL_BACK_BUFFER : EGL_NONE;
            break;
        }
        default:
            return fail<EGLBoolean>(EGL_BAD_ATTRIBUTE, EGL_FALSE);
    }
    return succeed<EGLBoolean>(EGL_TRUE);
}

EGLAPI EGLBoolean EGLAPIENTRY eglMakeCurrent(EGLDisplay handle, EGLSurface drawHandle, EGLSurface readHandle,
                                             EGLContext contextHandle) {
    Lock lock(Library::instance().mutex);
    ThreadState& state = threadState();
    Display* display = Library::instance().find(handle);
    if (display == nullptr) return fail<EGLBoolean>(EGL_BAD_DISPLAY, EGL_FALSE);
    bool release = contextHandle == EGL_NO_CONTEXT && drawHandle == EGL_NO_SURFACE && readHandle == EGL_NO_SURFACE;
    if (release) {
        releaseCurrent(state);
        return succeed<EGLBoolean>(EGL_TRUE);
    }
    if (!display->initialized) return fail<EGLBoolean>(EGL_NOT_INITIALIZED, EGL_FALSE);
    if (contextHandle == EGL_NO_CONTEXT) return fail<EGLBoolean>(EGL_BAD_MATCH, EGL_FALSE);
    auto context = display->findContext(contextHandle);
    if (!context) return fail<EGLBoolean>(EGL_BAD_CONTEXT, EGL_FALSE);
    std::shared_ptr<Surface> draw, read;
    EGLint error = checkMakeCurrent(state, display, drawHandle, readHandle, context, &draw, &read);
    if (error != EGL_SUCCESS) return fail<EGLBoolean>(error, EGL_FALSE);

    releaseCurrent(state);
    state.display = display, state.context = context, state.draw = draw, state.read = read;
    context->isCurrent = true;
    if (draw) ++draw->currentCount;
    if (read) ++read->currentCount;
    gles::makeCurrent(context->gles, draw ? draw->drawable : nullptr, read ? read->drawable : nullptr);
    return succeed<EGLBoolean>(EGL_TRUE);
}

EGLAPI EGLContext EGLAPIENTRY eglGetCurrentContext(void) { return succeed<EGLContext>(threadState().context.get()); }
EGLAPI EGLDisplay EGLAPIENTRY eglGetCurrentDisplay(void) { return succeed<EGLDisplay>(threadState().display); }
EGLAPI EGLSurface EGLAPIENTRY eglGetCurrentSurface(EGLint which) {
    if (which == EGL_DRAW) return succeed<EGLSurface>(threadState().draw.get());
    if (which == EGL_READ) return succeed<EGLSurface>(threadState().read.get());
    return fail<EGLSurface>(EGL_BAD_PARAMETER, EGL_NO_SURFACE);
}

EGLAPI EGLBoolean EGLAPIENTRY eglReleaseThread(void) {
    ThreadState& state = threadState();
    releaseCurrent(state);
    state.api = EGL_OPENGL_ES_API;
    return succeed<EGLBoolean>(EGL_TRUE);
}

EGLAPI EGLBoolean EGLAPIENTRY eglWaitClient(void) {
    ThreadState& state = threadState();
    if (state.context) gles::finish(*state.context->gles);
    return succeed<EGLBoolean>(EGL_TRUE);
}
EGLAPI EGLBoolean EGLAPIENTRY eglWaitGL(void) { return eglWaitClient(); }
EGLAPI EGLBoolean EGLAPIENTRY eglWaitNative(EGLint engine) {
    if (engine != EGL_CORE_NATIVE_ENGINE) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
    return succeed<EGLBoolean>(EGL_TRUE);
}

}  // extern "C"
