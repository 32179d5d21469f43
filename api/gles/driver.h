// What EGL (and the library's start-up) needs of the GLES front end: the driver object, contexts, surfaces.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "pipeline/command/gpu.h"
#include "texture/image.h"

namespace tessera::gles {

/// Makes the tier that the driver runs on.
using ExecutorFactory = std::function<std::shared_ptr<isa::Executor>()>;

/// Installs the tier: by the composition root (api/icd) from a static initialiser, by tests before the first context.
/// No effect once the driver object exists.
void setExecutorFactory(ExecutorFactory factory);

/// Installs a probe of the texture units (pipeline/probe/texture_probe.h), which lives as long as the process. The GPU
/// then has one thread. No effect once the driver object exists.
void setTextureProbe(pipeline::TextureProbe* probe);
/// Called with the GPU when the driver starts, before anything is submitted: gives it the probes that are asked for.
using GpuPreparation = std::function<void(pipeline::Gpu&)>;
/// By the composition root, from a static initialiser.
void setGpuPreparation(GpuPreparation preparation);

/// The one driver object of the process: made on first use, owns the GPU. It lives until the process ends, because
/// contexts of other threads may still be drawing while static objects are destroyed.
class Driver {
public:
    static Driver& instance();
    [[nodiscard]] pipeline::Gpu& gpu() { return *gpu_; }
    [[nodiscard]] const char* rendererString() const { return renderer_.c_str(); }  ///< GL_RENDERER

    /// Starts the GPU with the compiler's tables for the shaders that a context of this version (2 or 3) compiles,
    /// beside whatever the application does before its first one. Only the first call does anything: the tables of the
    /// other version are made by its first shader.
    void start(int contextVersion);

    /// Has fork() wait until no other thread is in a call and the GPU has executed what was submitted, so that the
    /// child's copy of everything is whole; its threads are started when they are needed. Once, and before who locks
    /// what a thread locks before it calls GL (pthread_atfork calls the last first).
    static void surviveForks();

private:
    Driver();
    std::unique_ptr<pipeline::Gpu> gpu_;
    std::string renderer_;
    std::once_flag started_;
};

/// The buffers of an EGL surface as a default framebuffer. EGL owns and resizes it; images are replaced, never
/// changed in place, so recorded commands keep the old ones.
struct Drawable {
    int width = 0, height = 0;
    texture::ImagePtr color;         ///< Rgba8, Rgb8, Rgb565, ...
    texture::ImagePtr depthStencil;  ///< null without depth and stencil
    /// Called once, when the buffers are used for the first time after they were posted: the window may have another
    /// size by now, which they follow. May be null.
    std::function<void()> begun;
    /// Called after glFlush and glFinish with no lock held, to show a front buffer or a pixmap; may be null.
    std::function<void()> flushed;
    /// In which commands draw to the images; null: none has.
    std::shared_ptr<pipeline::Stream> stream;
    int redBits = 8, greenBits = 8, blueBits = 8, alphaBits = 8, depthBits = 24, stencilBits = 8;
};

class Context;
class FixedFunction;

struct ContextOptions {
    std::shared_ptr<Context> share;  ///< object namespace to join
    bool robustAccess = false;       ///< EGL_EXT_create_context_robustness
    bool resetNotification = false;
    bool flushOnRelease = true;  ///< what KHR_context_flush_control tells: leaving it submits in any case
    /// Makes what an OpenGL ES 1.1 context has more than one of OpenGL ES 2.0 (gles1::makeFixedFunction); null:
    /// nothing.
    std::unique_ptr<FixedFunction> (*makeFixedFunction)() = nullptr;
    int version = 2;     ///< of OpenGL ES: 3 is 3.0, 2 is 2.0 (and 1.1, with makeFixedFunction)
    bool debug = false;  ///< a debug context (EGL_CONTEXT_OPENGL_DEBUG): KHR_debug's output starts enabled
};

[[nodiscard]] std::shared_ptr<Context> createContext(const ContextOptions& options);

/// Makes `context` current on the calling thread (null: none), drawing to `draw` and reading from `read`
/// (both null: surfaceless). The first time with a drawable, viewport and scissor become its size.
/// Leaving a context submits what it recorded. The caller guarantees that no other thread has it current.
void makeCurrent(std::shared_ptr<Context> context, std::shared_ptr<Drawable> draw, std::shared_ptr<Drawable> read);
[[nodiscard]] const std::shared_ptr<Context>& currentContext();

/// True once the context is lost (EXT_robustness): eglMakeCurrent and eglSwapBuffers fail with EGL_CONTEXT_LOST.
[[nodiscard]] bool isContextLost(Context& context);

/// Submits what the current context recorded (glFlush); returns the serial to wait for.
uint64_t flush(Context& context);
void finish(Context& context);

/// What the context submits from now on, and those that share with it, is in order with the stream.
void orderWith(Context& context, const std::shared_ptr<pipeline::Stream>& stream);
/// The same with all that draws to the drawable.
void orderWith(Context& context, Drawable& drawable);
[[nodiscard]] const std::shared_ptr<pipeline::Stream>& streamOf(Context& context);

/// Waits until the buffer with that serial number is executed, for so many nanoseconds: false when it is not by then.
[[nodiscard]] bool waitFor(uint64_t serial, uint64_t nanoseconds);

/// What is recorded from here on belongs to the next frame: for the probes, if there are any.
void endFrame(Context& context, const Drawable& drawable);

/// Address of a GLES 2.0 or extension entry point by name, with or without its suffix; null when unknown.
using Proc = void (*)();
[[nodiscard]] Proc procAddress(const char* name);

}  // namespace tessera::gles
