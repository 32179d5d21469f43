// EGL objects: displays, configurations, surfaces, contexts, images and syncs. Handles given to the application are
// addresses of these objects, looked up in their display before use, so a stale or made-up handle is an error
// and never a dereference.
//
// Specification: EGL 1.5 (August 2014), sections named at each function.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/egl/egl.h"
#include "api/gles/driver.h"
#include "api/gles/textures/sharing.h"
#include "present/present.h"

namespace tessera::pipeline {
class CommandRecorder;
}

namespace tessera::egl {

enum class Platform { Surfaceless, Device, X11, Xcb, Wayland, Sdl };

/// One frame buffer configuration (section 3.4). Configurations are values of the display, in EGL's sort order.
struct Config {
    EGLint id = 0;
    EGLint red = 0, green = 0, blue = 0, alpha = 0;
    EGLint depth = 0, stencil = 0, samples = 0;
    bool isFloat = false;  ///< EGL_EXT_pixel_format_float
    bool isSlow = false;   ///< windows take their frames in another format
    EGLint surfaceType = 0;
    EGLint nativeVisualId = 0, nativeVisualType = EGL_NONE;
    bool nativeRenderable = false;
    texture::PixelFormat colorFormat = texture::PixelFormat::Rgba8;

    /// What colours are stored as in a surface of the sRGB colour space; None: it cannot have that.
    [[nodiscard]] texture::PixelFormat encodedFormat() const;
    [[nodiscard]] EGLint bufferSize() const { return red + green + blue + alpha; }
    [[nodiscard]] present::ColorBits colorBits() const { return {red, green, blue, alpha}; }
    /// Of the windows that frames are shown in: what window systems have visuals for.
    [[nodiscard]] present::ColorBits windowBits() const {
        return isSlow ? present::ColorBits{8, 8, 8, alpha > 0 ? 8 : 0} : colorBits();
    }
    /// False for an attribute that configurations do not have.
    [[nodiscard]] bool attribute(EGLint name, EGLint* value) const;
    /// A context of one and a surface of the other fit together (section 2.2).
    [[nodiscard]] bool isCompatible(const Config& other) const;
};

/// Makes all configurations of a display, or renews what the window system (null: none) has to say about them; their
/// addresses stay. The first of a kind is the one that costs least.
void makeConfigs(const present::WindowSystem* windowSystem, std::vector<Config>* configs);

/// eglChooseConfig (section 3.4.1): the matching configurations in the specified order, or an EGL error.
[[nodiscard]] EGLint chooseConfigs(const std::vector<Config>& all, present::WindowSystem* windowSystem,
                                   const EGLint* attributes, std::vector<const Config*>* result);

struct Context;
struct Display;
struct Surface;

/// What a thread has current (sections 3.1 and 3.7): all of it null, or at least display and context not.
struct Current {
    Display* display = nullptr;
    std::shared_ptr<Context> context;
    std::shared_ptr<Surface> draw, read;
};

enum class SurfaceKind { Pbuffer, Window, Pixmap };

struct Surface {
    SurfaceKind kind = SurfaceKind::Pbuffer;
    const Config* config = nullptr;
    std::shared_ptr<gles::Drawable> drawable;
    /// The colour image as it leaves the surface: one sample for each pixel, and windows have 8 bits for each channel.
    /// Up to date after resolve(). Null when the colour image is like that itself.
    texture::ImagePtr resolved;

    // The native window or pixmap: used by the thread that has the surface current, and where none has it with the
    // library locked.
    std::unique_ptr<present::Presenter> presenter;  ///< windows; null in the child of a fork
    std::unique_ptr<present::NativePixmap> pixmap;  ///< pixmaps; so too
    uint64_t native = 0;                            ///< the window's or pixmap's handle
    int windowWidth = 0, windowHeight = 0;          ///< as the presenter said last
    Current presenterCurrent;  ///< what the presenter, drawing with EGL itself, had current when it last returned

    EGLint renderBuffer = EGL_BACK_BUFFER;        ///< asked for
    EGLint activeRenderBuffer = EGL_BACK_BUFFER;  ///< since the last swap (EGL_KHR_mutable_render_buffer)
    EGLint swapBehavior = EGL_BUFFER_PRESERVED;
    EGLint multisampleResolve = EGL_MULTISAMPLE_RESOLVE_DEFAULT;
    EGLint colorspace = EGL_GL_COLORSPACE_LINEAR;
    EGLint vgColorspace = EGL_VG_COLORSPACE_sRGB, vgAlphaFormat = EGL_VG_ALPHA_FORMAT_NONPRE;
    EGLint bufferAge = 0;          ///< EGL_EXT_buffer_age
    bool ageQueried = false;       ///< in this frame; EGL_KHR_partial_update demands it before a damage region
    bool damageRegionSet = false;  ///< in this frame
    EGLint mipmapLevel = 0;
    EGLint textureFormat = EGL_NO_TEXTURE, textureTarget = EGL_NO_TEXTURE;
    bool largestPbuffer = false, mipmapTexture = false;
    gles::TextureAttachment boundTexture;  ///< eglBindTexImage
    int currentCount = 0;                  ///< how often a thread has it current, as draw and read

    /// Of the colour image: the configuration's, encoded or not.
    [[nodiscard]] texture::PixelFormat colorFormat() const;
    /// Gives the drawable fresh, zeroed images of that size. False when memory is out.
    [[nodiscard]] bool allocate(int width, int height);
    /// A window that changed size gets fresh buffers (section 3.10.1.1). False when the window is gone. No other thread
    /// than the calling one has the surface current.
    [[nodiscard]] bool followWindowSize();
    /// The same for the size that the window had when a frame was last shown.
    void fitWindow();
    /// A frame was posted: the size is looked at once more when the next one begins, as programs resize their windows
    /// between the two (section 3.10.1.1 leaves the moment open).
    void followWindowFromNextUse();
    /// The colour image as it leaves the surface: for commands after resolve(), and for the CPU after finish().
    [[nodiscard]] const texture::ImagePtr& outgoing() const { return resolved ? resolved : drawable->color; }
    /// Submits what it takes to bring outgoing() up to date. Returns the serial number of the last buffer of the
    /// surface's stream: any context of that may have drawn to the surface, so only then the GPU is done with it
    /// (docs/adr/0001, 0018).
    uint64_t resolve();
    /// Waits until outgoing() holds what all contexts submitted, and the GPU is done with the surface.
    void finish();
    /// Between a pixmap and the image that stands for it while GL draws.
    void readPixmap();
    void writePixmap();
    /// The samples of each pixel, if it has several, become what `resolved` holds. The GPU is done with the images.
    void fillSamples();
    /// Takes the render buffer asked for into use; drawing to the front buffer, frames are shown by glFlush.
    void useRenderBuffer();
    /// What was submitted becomes visible to the window system, if the surface is a pixmap or a front buffer.
    void showDrawn();
    /// Says that present() comes when the GPU has finished the frame.
    void preparePresent();
    /// Shows outgoing(). The GPU is done with it. False when the window is gone.
    [[nodiscard]] bool present(std::span<const Rect> damage);

private:
    [[nodiscard]] bool askWindowSize();
    [[nodiscard]] std::pair<int, int> sizeForWindow() const;
    [[nodiscard]] bool fitsWindow() const;
    /// Buffers of the window's size, with what was in the old ones. The GPU is done with these.
    void fitBuffers();
};

struct Context {
    const Config* config = nullptr;  ///< null: EGL_KHR_no_config_context
    std::shared_ptr<gles::Context> gles;
    EGLint clientVersion = 2;
    EGLint resetStrategy = EGL_NO_RESET_NOTIFICATION;
    bool noError = false;  ///< EGL_KHR_create_context_no_error
    EGLint releaseBehavior = EGL_CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR;
    EGLint renderBuffer = EGL_NONE;  ///< what it draws to while it is current
    int currentCount = 0;            ///< how often a thread has it current
};

struct Sync {
    EGLenum type = EGL_SYNC_FENCE;
    uint64_t serial = 0;                       ///< command buffer to wait for
    std::shared_ptr<pipeline::Stream> stream;  ///< the buffer's
    bool signaled = false;                     ///< reusable syncs
};

struct Display {
    Platform platform = Platform::Surfaceless;
    void* native = nullptr;
    int screen = -1;  ///< X11: EGL_PLATFORM_X11_SCREEN_KHR
    bool initialized = false;
    std::shared_ptr<present::WindowSystem> windowSystem;  ///< null: headless, or not initialized
    std::vector<Config> configs;
    std::map<EGLSurface, std::shared_ptr<Surface>> surfaces;
    std::map<EGLContext, std::shared_ptr<Context>> contexts;
    std::map<EGLSync, std::shared_ptr<Sync>> syncs;
    std::map<EGLImage, std::shared_ptr<const gles::SharedImage>> images;

    [[nodiscard]] const Config* findConfig(EGLConfig handle) const;
    [[nodiscard]] std::shared_ptr<Surface> findSurface(EGLSurface handle) const;
    [[nodiscard]] std::shared_ptr<Context> findContext(EGLContext handle) const;
    [[nodiscard]] std::shared_ptr<Sync> findSync(EGLSync handle) const;
};

/// The calling thread's state.
struct ThreadState : Current {
    EGLint error = EGL_SUCCESS;
    EGLenum api = EGL_OPENGL_ES_API;  ///< beside other vendors also one that only they have

    ThreadState();
    ~ThreadState();
    ThreadState(const ThreadState&) = delete;
    ThreadState& operator=(const ThreadState&) = delete;
};
[[nodiscard]] ThreadState& threadState();

/// All displays of the process and the lock over them.
class Library {
public:
    static Library& instance();
    std::recursive_mutex mutex;

    /// EGL_TESSERA_record_commands: the recording under way, and whether a call begins or ends one.
    std::shared_ptr<pipeline::CommandRecorder> recorder;
    bool changesRecorder = false;

    /// The display of a platform and native handle, made on first use; it lives as long as the process.
    [[nodiscard]] Display* display(Platform platform, void* native, int screen = -1);
    /// Null unless the handle is a display.
    [[nodiscard]] Display* find(EGLDisplay handle);
    /// The image of any initialised display.
    [[nodiscard]] std::shared_ptr<const gles::SharedImage> findImage(EGLImage handle);
    template <class Visit>
    void eachDisplay(Visit&& visit) {
        for (auto& display : displays_) visit(*display);
    }

private:
    std::vector<std::unique_ptr<Display>> displays_;
};

using Lock = std::unique_lock<std::recursive_mutex>;

/// Sets the thread's error and returns the value: `return fail(EGL_BAD_MATCH, EGL_FALSE);`
template <class Result>
Result fail(EGLint error, Result result) {
    threadState().error = error;
    return result;
}
template <class Result>
Result succeed(Result result) {
    threadState().error = EGL_SUCCESS;
    return result;
}

/// The initialised display, or null with EGL_BAD_DISPLAY / EGL_NOT_INITIALIZED set.
[[nodiscard]] Display* initializedDisplay(EGLDisplay handle);

/// After a reusable sync was signaled: its waiters look again.
void wakeSyncWaiters();
/// In the child of a fork().
void forgetSyncWaiters();

/// Has displays and what belongs to them live on in the child of a fork(). Once.
void surviveForks();

/// Submits what the thread has drawn, as glFlush does, and makes it visible where that takes no swap: in pixmaps and
/// front buffers. Before the thread leaves its context.
void flushDrawn(ThreadState& state);
/// Makes that, whose parts fit together, current on the thread in place of what was.
void makeCurrent(ThreadState& state, Current next);
/// Makes nothing current on the thread.
void releaseCurrent(ThreadState& state);

}  // namespace tessera::egl
