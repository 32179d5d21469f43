// EGL entry points: displays, configurations and what is current (EGL 1.5 sections 3.1 to 3.4, 3.7.3 to 3.7.5).
// Contexts are in context_entry_points.cpp, surfaces in surface_entry_points.cpp and swap_entry_points.cpp, syncs in
// sync_entry_points.cpp, images in image_entry_points.cpp, devices in device_entry_points.cpp.
//
// Every entry point has one shape (entry.h): lock the library, look up every handle, check, act, set the thread's
// error.
#include <algorithm>
#include <cstring>

#include "api/egl/entry.h"
#include "api/egl/platform.h"

using namespace tessera::egl;
namespace gles = tessera::gles;

namespace {

const std::string& clientExtensions() {
    static const std::string text =
        "EGL_EXT_client_extensions EGL_EXT_device_base EGL_EXT_device_enumeration EGL_EXT_device_query "
        "EGL_EXT_explicit_device EGL_EXT_platform_base EGL_KHR_client_get_all_proc_addresses " +
        std::string(platformExtensions());
    return text;
}

constexpr const char* kDisplayExtensions =
    "EGL_EXT_buffer_age EGL_EXT_create_context_robustness EGL_EXT_image_dma_buf_import "
    "EGL_EXT_image_dma_buf_import_modifiers EGL_EXT_pixel_format_float EGL_EXT_swap_buffers_with_damage "
    "EGL_KHR_config_attribs "
    "EGL_KHR_context_flush_control EGL_KHR_create_context EGL_KHR_create_context_no_error EGL_KHR_fence_sync "
    "EGL_KHR_get_all_proc_addresses "
    "EGL_KHR_gl_colorspace EGL_KHR_gl_renderbuffer_image EGL_KHR_gl_texture_2D_image EGL_KHR_gl_texture_cubemap_image "
    "EGL_KHR_image_base "
    "EGL_KHR_mutable_render_buffer EGL_KHR_no_config_context EGL_KHR_partial_update EGL_KHR_reusable_sync "
    "EGL_KHR_surfaceless_context "
    "EGL_KHR_swap_buffers_with_damage EGL_KHR_wait_sync EGL_MESA_configless_context "
    "EGL_MESA_query_driver EGL_TESSERA_image_client_memory EGL_TESSERA_record_commands";

EGLint checkMakeCurrent(ThreadState& state, Display* display, EGLSurface drawHandle, EGLSurface readHandle,
                        const std::shared_ptr<Context>& context, std::shared_ptr<Surface>* draw,
                        std::shared_ptr<Surface>* read) {
    *draw = display->findSurface(drawHandle);
    *read = display->findSurface(readHandle);
    if (drawHandle != EGL_NO_SURFACE && !*draw) return EGL_BAD_SURFACE;
    if (readHandle != EGL_NO_SURFACE && !*read) return EGL_BAD_SURFACE;
    if (!*draw != !*read) return EGL_BAD_MATCH;
    if (context->currentCount > 0 && context != state.context) return EGL_BAD_ACCESS;
    if (gles::isContextLost(*context->gles)) return EGL_CONTEXT_LOST;
    for (const auto& surface : {*draw, *read}) {
        if (!surface) continue;
        bool mine = surface == state.draw || surface == state.read;
        if (surface->currentCount > 0 && !mine) return EGL_BAD_ACCESS;
        if (context->config != nullptr && !context->config->isCompatible(*surface->config)) return EGL_BAD_MATCH;
    }
    return EGL_SUCCESS;
}

EGLBoolean configArray(const std::vector<const Config*>& found, EGLConfig* configs, EGLint size, EGLint* count) {
    *count = static_cast<EGLint>(found.size());
    if (configs != nullptr) {
        *count = std::clamp(size, 0, *count);
        for (EGLint i = 0; i < *count; ++i) configs[i] = const_cast<Config*>(found[static_cast<size_t>(i)]);
    }
    return succeed<EGLBoolean>(EGL_TRUE);
}

EGLBoolean waitClient() {
    return enterUnlocked([] {
        ThreadState& state = threadState();
        if (state.context) gles::finish(*state.context->gles);
        flushDrawn(state);
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}

}  // namespace

extern "C" {

EGLAPI EGLint EGLAPIENTRY eglGetError(void) {
    EGLint error = threadState().error;
    threadState().error = EGL_SUCCESS;
    return error;
}

// --- Displays ---

EGLAPI EGLDisplay EGLAPIENTRY eglGetDisplay(EGLNativeDisplayType native) {
    return enter([&] { return getDisplay(EGL_NONE, reinterpret_cast<void*>(native), nullptr); });
}

EGLAPI EGLDisplay EGLAPIENTRY eglGetPlatformDisplay(EGLenum platform, void* native, const EGLAttrib* attributes) {
    return enter([&] {
        if (platform == EGL_NONE) return fail<EGLDisplay>(EGL_BAD_PARAMETER, EGL_NO_DISPLAY);
        return getDisplay(platform, native, attributes);
    });
}

EGLAPI EGLDisplay EGLAPIENTRY eglGetPlatformDisplayEXT(EGLenum platform, void* native, const EGLint* attributes) {
    return enterUnlocked([&] {
        std::vector<EGLAttrib> wide;
        for (; attributes != nullptr && *attributes != EGL_NONE; attributes += 2)
            wide.insert(wide.end(), {attributes[0], attributes[1]});
        wide.push_back(EGL_NONE);
        return eglGetPlatformDisplay(platform, native, wide.data());
    });
}

EGLAPI EGLBoolean EGLAPIENTRY eglInitialize(EGLDisplay handle, EGLint* major, EGLint* minor) {
    return enter([&] {
        Display* display = Library::instance().find(handle);
        if (display == nullptr) return fail<EGLBoolean>(EGL_BAD_DISPLAY, EGL_FALSE);
        if (!display->initialized) {
            if (!connect(*display)) return fail<EGLBoolean>(EGL_NOT_INITIALIZED, EGL_FALSE);
            makeConfigs(display->windowSystem.get(), &display->configs);
            display->initialized = true;
        }
        if (major != nullptr) *major = 1;
        if (minor != nullptr) *minor = 5;
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}

EGLAPI EGLBoolean EGLAPIENTRY eglTerminate(EGLDisplay handle) {
    return enter([&] {
        Display* display = Library::instance().find(handle);
        if (display == nullptr) return fail<EGLBoolean>(EGL_BAD_DISPLAY, EGL_FALSE);
        // What is current somewhere lives on until it is released; its handles are gone at once.
        for (auto& [key, sync] : display->syncs) sync->signaled = true;
        wakeSyncWaiters();
        display->surfaces.clear();
        display->contexts.clear();
        display->syncs.clear();
        display->images.clear();
        display->windowSystem.reset();
        display->initialized = false;
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}

EGLAPI const char* EGLAPIENTRY eglQueryString(EGLDisplay handle, EGLint name) {
    return enter([&] {
        if (handle == EGL_NO_DISPLAY) {
            if (name == EGL_EXTENSIONS) return succeed(clientExtensions().c_str());
            if (name == EGL_VERSION) return succeed("1.5");
            return fail<const char*>(EGL_BAD_DISPLAY, nullptr);
        }
        if (initializedDisplay(handle) == nullptr) return static_cast<const char*>(nullptr);
        switch (name) {
            case EGL_CLIENT_APIS:
                return succeed("OpenGL_ES");
            case EGL_VENDOR:
                return succeed("Tessera");
            case EGL_VERSION:
                return succeed("1.5");
            case EGL_EXTENSIONS:
                return succeed(kDisplayExtensions);
            default:
                return fail<const char*>(EGL_BAD_PARAMETER, nullptr);
        }
    });
}

// EGL_MESA_query_driver
EGLAPI const char* EGLAPIENTRY eglGetDisplayDriverName(EGLDisplay handle) {
    return enter(handle, [](Display&) { return succeed("tessera"); });
}
EGLAPI char* EGLAPIENTRY eglGetDisplayDriverConfig(EGLDisplay handle) {
    // No options: an empty list in Mesa's format. The caller frees it.
    return enter(handle, [](Display&) {
        return succeed(strdup("<?xml version=\"1.0\" standalone=\"yes\"?>\n<driinfo></driinfo>\n"));
    });
}

// --- Configurations ---

EGLAPI EGLBoolean EGLAPIENTRY eglGetConfigs(EGLDisplay handle, EGLConfig* configs, EGLint size, EGLint* count) {
    return enter(handle, [&](Display& display) {
        if (count == nullptr) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
        std::vector<const Config*> all;
        for (const Config& config : display.configs) all.push_back(&config);
        return configArray(all, configs, size, count);
    });
}

EGLAPI EGLBoolean EGLAPIENTRY eglChooseConfig(EGLDisplay handle, const EGLint* attributes, EGLConfig* configs,
                                              EGLint size, EGLint* count) {
    return enter(handle, [&](Display& display) {
        if (count == nullptr) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
        std::vector<const Config*> matching;
        EGLint error = chooseConfigs(display.configs, display.windowSystem.get(), attributes, &matching);
        if (error != EGL_SUCCESS) return fail<EGLBoolean>(error, EGL_FALSE);
        return configArray(matching, configs, size, count);
    });
}

EGLAPI EGLBoolean EGLAPIENTRY eglGetConfigAttrib(EGLDisplay handle, EGLConfig configHandle, EGLint name,
                                                 EGLint* value) {
    return enter(handle, [&](Display& display) {
        const Config* config = display.findConfig(configHandle);
        if (config == nullptr) return fail<EGLBoolean>(EGL_BAD_CONFIG, EGL_FALSE);
        if (value == nullptr) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
        if (!config->attribute(name, value)) return fail<EGLBoolean>(EGL_BAD_ATTRIBUTE, EGL_FALSE);
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}

// --- What is current ---

EGLAPI EGLBoolean EGLAPIENTRY eglBindAPI(EGLenum api) {
    if (api != EGL_OPENGL_ES_API) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
    threadState().api = api;
    return succeed<EGLBoolean>(EGL_TRUE);
}
EGLAPI EGLenum EGLAPIENTRY eglQueryAPI(void) { return threadState().api; }

EGLAPI EGLBoolean EGLAPIENTRY eglMakeCurrent(EGLDisplay handle, EGLSurface drawHandle, EGLSurface readHandle,
                                             EGLContext contextHandle) {
    return enterUnlocked([&] {
        ThreadState& state = threadState();
        flushDrawn(state);
        Lock lock(Library::instance().mutex);
        Display* display = Library::instance().find(handle);
        if (display == nullptr) return fail<EGLBoolean>(EGL_BAD_DISPLAY, EGL_FALSE);
        bool release = contextHandle == EGL_NO_CONTEXT && drawHandle == EGL_NO_SURFACE && readHandle == EGL_NO_SURFACE;
        if (release) {
            releaseCurrent(state);
            return succeed<EGLBoolean>(EGL_TRUE);
        }
        if (!display->initialized) return fail<EGLBoolean>(EGL_NOT_INITIALIZED, EGL_FALSE);
        if (contextHandle == EGL_NO_CONTEXT) {
            bool known = (drawHandle == EGL_NO_SURFACE || display->findSurface(drawHandle)) &&
                         (readHandle == EGL_NO_SURFACE || display->findSurface(readHandle));
            return fail<EGLBoolean>(known ? EGL_BAD_MATCH : EGL_BAD_SURFACE, EGL_FALSE);
        }
        auto context = display->findContext(contextHandle);
        if (!context) return fail<EGLBoolean>(EGL_BAD_CONTEXT, EGL_FALSE);
        std::shared_ptr<Surface> draw, read;
        EGLint error = checkMakeCurrent(state, display, drawHandle, readHandle, context, &draw, &read);
        if (error != EGL_SUCCESS) return fail<EGLBoolean>(error, EGL_FALSE);
        if (draw && draw->kind == SurfaceKind::Window && !draw->followWindowSize())
            return fail<EGLBoolean>(EGL_BAD_NATIVE_WINDOW, EGL_FALSE);

        makeCurrent(state, {display, std::move(context), std::move(draw), std::move(read)});
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}

EGLAPI EGLContext EGLAPIENTRY eglGetCurrentContext(void) { return succeed<EGLContext>(threadState().context.get()); }
EGLAPI EGLDisplay EGLAPIENTRY eglGetCurrentDisplay(void) { return succeed<EGLDisplay>(threadState().display); }
EGLAPI EGLSurface EGLAPIENTRY eglGetCurrentSurface(EGLint which) {
    return enterUnlocked([&] {
        if (which == EGL_DRAW) return succeed<EGLSurface>(threadState().draw.get());
        if (which == EGL_READ) return succeed<EGLSurface>(threadState().read.get());
        return fail<EGLSurface>(EGL_BAD_PARAMETER, EGL_NO_SURFACE);
    });
}

EGLAPI EGLBoolean EGLAPIENTRY eglReleaseThread(void) {
    return enterUnlocked([&] {
        ThreadState& state = threadState();
        flushDrawn(state);
        releaseCurrent(state);
        state.api = EGL_OPENGL_ES_API;
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}

EGLAPI EGLBoolean EGLAPIENTRY eglWaitClient(void) { return waitClient(); }
EGLAPI EGLBoolean EGLAPIENTRY eglWaitGL(void) { return waitClient(); }

EGLAPI EGLBoolean EGLAPIENTRY eglWaitNative(EGLint engine) {
    return enterUnlocked([&] {
        if (engine != EGL_CORE_NATIVE_ENGINE) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
        ThreadState& state = threadState();
        if (!state.context || !state.draw) return succeed<EGLBoolean>(EGL_TRUE);
        std::shared_ptr<tessera::present::WindowSystem> windowSystem;
        {
            Lock lock(Library::instance().mutex);
            windowSystem = state.display->windowSystem;
        }
        if (windowSystem) windowSystem->wait();
        if (state.draw->kind == SurfaceKind::Pixmap) {
            gles::flush(*state.context->gles);
            state.draw->readPixmap();
        }
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}

}  // extern "C"
