#include "api/egl/objects.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "pipeline/command/command_buffer.h"
#include "pipeline/limits.h"
#include "texture/transfer/transfer.h"

namespace tessera::egl {

namespace {

template <class Map>
auto findIn(const Map& map, typename Map::key_type handle) -> typename Map::mapped_type {
    auto found = map.find(handle);
    return found == map.end() ? nullptr : found->second;
}

/// Once more, or once less, the parts are current. The library is locked.
void count(const Current& current, int change) {
    if (current.context) current.context->currentCount += change;
    if (current.draw) current.draw->currentCount += change;
    if (current.read) current.read->currentCount += change;
}

/// Keeps what a thread has current from others while something else may be current there: it is counted once more.
class Reserved {
public:
    explicit Reserved(const Current& current) : current_(current) { countLocked(1); }
    ~Reserved() { countLocked(-1); }
    Reserved(const Reserved&) = delete;
    Reserved& operator=(const Reserved&) = delete;

private:
    void countLocked(int change) {
        const Lock lock(Library::instance().mutex);
        count(current_, change);
    }

    const Current& current_;
};

}  // namespace

const Config* Display::findConfig(EGLConfig handle) const {
    for (const Config& config : configs)
        if (handle == static_cast<const void*>(&config)) return &config;
    return nullptr;
}
std::shared_ptr<Surface> Display::findSurface(EGLSurface handle) const { return findIn(surfaces, handle); }
std::shared_ptr<Context> Display::findContext(EGLContext handle) const { return findIn(contexts, handle); }
std::shared_ptr<Sync> Display::findSync(EGLSync handle) const { return findIn(syncs, handle); }

texture::PixelFormat Surface::colorFormat() const {
    return colorspace == EGL_GL_COLORSPACE_SRGB ? config->encodedFormat() : config->colorFormat;
}

bool Surface::allocate(int width, int height) try {
    gles::Drawable fresh;
    // A surface of no pixels still has a one-pixel image behind it, so nothing downstream meets an empty one.
    int imageWidth = std::max(width, 1), imageHeight = std::max(height, 1);
    fresh.width = width, fresh.height = height;
    int samples = config->samples > 0 ? config->samples : 1;
    fresh.color = std::make_shared<texture::Image>(colorFormat(), imageWidth, imageHeight, samples);
    texture::ImagePtr outgoing;
    bool isConverted = kind == SurfaceKind::Window && config->isFloat;
    if (samples > 1 || isConverted) {
        auto format = isConverted ? texture::PixelFormat::Rgba8 : colorFormat();
        outgoing = std::make_shared<texture::Image>(format, imageWidth, imageHeight);
    }
    if (config->depth > 0 || config->stencil > 0) {
        auto format = config->depth == 0    ? texture::PixelFormat::Stencil8
                      : config->stencil > 0 ? texture::PixelFormat::Depth24Stencil8
                      : config->depth == 16 ? texture::PixelFormat::Depth16
                                            : texture::PixelFormat::Depth24;
        fresh.depthStencil = std::make_shared<texture::Image>(format, imageWidth, imageHeight, samples);
    }
    fresh.redBits = config->red, fresh.greenBits = config->green, fresh.blueBits = config->blue;
    fresh.alphaBits = config->alpha, fresh.depthBits = config->depth, fresh.stencilBits = config->stencil;
    if (drawable) {
        fresh.begun = drawable->begun;
        fresh.flushed = drawable->flushed;
        fresh.stream = drawable->stream;
        *drawable = fresh;
    } else {
        drawable = std::make_shared<gles::Drawable>(fresh);
    }
    resolved = std::move(outgoing);
    bufferAge = 0;
    return true;
} catch (const std::bad_alloc&) {
    return false;
}

bool Surface::askWindowSize() { return presenter && presenter->size(windowWidth, windowHeight); }

bool Surface::followWindowSize() {
    if (!askWindowSize()) return false;
    fitWindow();
    return true;
}

bool Surface::fitsWindow() const {
    const auto [width, height] = sizeForWindow();
    return width == drawable->width && height == drawable->height;
}

std::pair<int, int> Surface::sizeForWindow() const {
    return {std::clamp(windowWidth, 0, pipeline::kMaxRenderSize),
            std::clamp(windowHeight, 0, pipeline::kMaxRenderSize)};
}

void Surface::fitWindow() {
    if (fitsWindow()) return;
    // What the context that is about to be left has drawn belongs to the old buffers.
    ThreadState& state = threadState();
    if (state.draw.get() == this) gles::flush(*state.context->gles);
    finish();
    fitBuffers();
}

void Surface::followWindowFromNextUse() {
    drawable->begun = [this] {
        if (askWindowSize() && !fitsWindow()) fitBuffers();
    };
}

void Surface::fitBuffers() {
    const auto [width, height] = sizeForWindow();
    bool hasSamples = config->samples > 0;
    texture::ImagePtr old = hasSamples ? resolved : drawable->color;
    // When memory is out the old buffers stay, and the overlap is shown.
    if (!allocate(width, height)) return;
    // What was there keeps its place below the upper left corner, as in the window.
    texture::Image& fresh = hasSamples ? *resolved : *drawable->color;
    int down = fresh.height() - old->height();
    texture::copy(
        *old, 0, std::max(-down, 0), fresh,
        {0, std::max(down, 0), std::min(old->width(), fresh.width()), std::min(old->height(), fresh.height())});
    fillSamples();
}

uint64_t Surface::resolve() {
    auto& gpu = gles::Driver::instance().gpu();
    if (!resolved) return drawable->stream ? gpu.submitted(drawable->stream) : 0;
    pipeline::CommandBuffer commands;
    commands.stream = drawable->stream;
    const texture::ImagePtr& color = drawable->color;
    if (color->samples() > 1)
        commands.commands.emplace_back(pipeline::Resolve{color, resolved});
    else
        commands.commands.emplace_back(
            pipeline::CopyImage{color, resolved, 0, 0, {0, 0, color->width(), color->height()}});
    return gpu.submit(std::move(commands));
}

void Surface::finish() { gles::Driver::instance().gpu().wait(resolve()); }

void Surface::fillSamples() {
    texture::Image& color = *drawable->color;
    if (color.samples() == 1) return;
    for (int sample = 0; sample < color.samples(); ++sample)
        std::memcpy(color.sampleBlock(sample, 0, 0), resolved->block(0, 0), color.planeBytes());
}

void Surface::readPixmap() {
    finish();
    if (pixmap) (void)pixmap->read(config->samples > 0 ? *resolved : *drawable->color);
    fillSamples();
}

void Surface::writePixmap() {
    finish();
    if (pixmap) (void)pixmap->write(*outgoing());
}

void Surface::useRenderBuffer() {
    activeRenderBuffer = renderBuffer;
    drawable->flushed = nullptr;
    if (kind == SurfaceKind::Pixmap) drawable->flushed = [this] { writePixmap(); };
    if (kind == SurfaceKind::Window && activeRenderBuffer == EGL_SINGLE_BUFFER)
        drawable->flushed = [this] {
            finish();
            (void)present({});
        };
}

void Surface::showDrawn() {
    if (drawable->flushed) drawable->flushed();
}

void Surface::preparePresent() {
    if (presenter) presenter->prepare();
}

bool Surface::present(std::span<const Rect> damage) {
    // SDL may show a frame by drawing it with EGL, on this thread, and takes what it made current to stay so until the
    // next frame. The application does not know of that: what it has current is not free for other threads meanwhile.
    ThreadState& state = threadState();
    const Current application = state;
    const Reserved reserved(application);
    if (Lock lock(Library::instance().mutex); presenterCurrent.context && presenterCurrent.context->currentCount == 0)
        makeCurrent(state, presenterCurrent);
    const bool shown =
        presenter && presenter->size(windowWidth, windowHeight) && presenter->present(*outgoing(), damage);
    if (state.context != application.context || state.draw != application.draw || state.read != application.read) {
        presenterCurrent = state;
        makeCurrent(state, application);
    }
    return shown;
}

ThreadState& threadState() {
    static thread_local ThreadState state;
    return state;
}

ThreadState::ThreadState() {
    // A thread's objects go in reverse order: made before this one, GL's current context is still there to be released.
    (void)gles::currentContext();
}

ThreadState::~ThreadState() {
    try {
        flushDrawn(*this);
        releaseCurrent(*this);
    } catch (const std::bad_alloc&) {
        // Nobody is there to be told.
    }
}

void flushDrawn(ThreadState& state) {
    if (!state.context) return;
    gles::flush(*state.context->gles);
    if (state.draw) state.draw->showDrawn();
}

void makeCurrent(ThreadState& state, Current next) {
    std::lock_guard lock(Library::instance().mutex);
    releaseCurrent(state);
    if (!next.context) return;
    static_cast<Current&>(state) = std::move(next);
    count(state, 1);
    if (state.draw) state.context->renderBuffer = state.draw->activeRenderBuffer;
    gles::makeCurrent(state.context->gles, state.draw ? state.draw->drawable : nullptr,
                      state.read ? state.read->drawable : nullptr);
    for (const auto& surface : {state.draw, state.read}) {
        if (surface && surface->kind == SurfaceKind::Pixmap) surface->readPixmap();
    }
}

void releaseCurrent(ThreadState& state) {
    std::lock_guard lock(Library::instance().mutex);
    if (state.context) {
        gles::makeCurrent(nullptr, nullptr, nullptr);
        state.context->renderBuffer = EGL_NONE;
    }
    count(state, -1);
    static_cast<Current&>(state) = {};
}

Library& Library::instance() {
    // Never destroyed: threads may leave their contexts after the process has begun to exit.
    static Library& library = *[] {
        auto* made = new Library;
        gles::setImageLookup([](void* handle) { return instance().findImage(handle); });
        surviveForks();
        return made;
    }();
    return library;
}

Display* Library::display(Platform platform, void* native, int screen) {
    std::lock_guard lock(mutex);
    for (auto& display : displays_)
        if (display->platform == platform && display->native == native && display->screen == screen)
            return display.get();
    displays_.push_back(std::make_unique<Display>());
    displays_.back()->platform = platform;
    displays_.back()->native = native;
    displays_.back()->screen = screen;
    return displays_.back().get();
}

Display* Library::find(EGLDisplay handle) {
    for (auto& display : displays_)
        if (handle == display.get()) return display.get();
    return nullptr;
}

std::shared_ptr<const gles::SharedImage> Library::findImage(EGLImage handle) {
    std::lock_guard lock(mutex);
    for (auto& display : displays_)
        if (auto found = findIn(display->images, handle)) return found;
    return nullptr;
}

Display* initializedDisplay(EGLDisplay handle) {
    Display* display = Library::instance().find(handle);
    if (display == nullptr) return fail<Display*>(EGL_BAD_DISPLAY, nullptr);
    if (!display->initialized) return fail<Display*>(EGL_NOT_INITIALIZED, nullptr);
    return display;
}

}  // namespace tessera::egl
