// What a random story is about: contexts of share groups, planes that these know under names of their own, programs and
// buffers, and which thread has what in a round.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "tests/determinism/chooser.h"
#include "tests/egl/order/story.h"

namespace egltest {

using determinism::Chooser;

inline constexpr int kThreads = 3, kGroups = 2, kContexts = 8, kRounds = 8;
inline constexpr int kSizes[] = {16, 20, 33, 40};

/// A name for a plane in one of the share groups.
struct View {
    int group = 0;
    bool isTexture = true;
    GLuint name = 0;
};

/// Colours: a surface's, a texture's or a renderbuffer's, and those of its siblings.
struct Plane {
    std::vector<View> views;
    EGLSurface surface = EGL_NO_SURFACE;
    EGLConfig config = nullptr;           ///< of pbuffers
    const StoryWindow* window = nullptr;  ///< of windows and pixmaps
    int width = 0, height = 0;
    bool isRgba8 = true;
    bool isBound = false;  ///< the surface's colours are a texture: nobody draws to them
    bool isMipmapped = false;
    int changes = 0;  ///< of the names

    [[nodiscard]] const View* viewIn(int group, bool textureOnly) const {
        for (const View& view : views)
            if (view.group == group && (view.isTexture || !textureOnly)) return &view;
        return nullptr;
    }
};

/// A program or a buffer of a share group.
struct Shared {
    int group = 0;
    GLuint name = 0;
};

/// Everything of a draw that is set in its context. Objects are indices; -1: none.
struct Setup {
    int target = -1, source = -1, program = -1, buffer = -1;
    int targetChanges = 0, sourceChanges = 0;
    int width = 0, height = 0;
    bool blends = false, testsDepth = false;
};

struct StoryContext {
    int group = 0;
    EGLContext handle = EGL_NO_CONTEXT;
    GLuint framebuffer = 0;   ///< 0: none made yet
    bool hadSurface = false;  ///< the first one sets the viewport
    Setup last;               ///< still set, if it has a target
};

/// What a thread of the story has current: indices, or -1.
struct Seat {
    int context = -1, surface = -1;
};

/// What a real thread has current.
struct RealThread {
    EGLContext context = EGL_NO_CONTEXT;
    EGLSurface surface = EGL_NO_SURFACE;
};

/// Everything that a story is about.
struct World {
    EGLDisplay display = EGL_NO_DISPLAY;
    Cast cast = Cast::OneContext;
    std::vector<Plane> planes;
    std::vector<Shared> programs, buffers;
    StoryContext only;  ///< plays all parts with Cast::OneContext
    std::vector<StoryContext> contexts;
    EGLContext anchors[kGroups] = {};                                      ///< keep the groups when other contexts go
    std::vector<int> planeOwner, programOwner, bufferOwner, contextOwner;  ///< threads, in this round
    std::vector<EGLSync> fences;                                           ///< of the round before
    std::mutex mutex;                                                      ///< over what follows
    std::vector<EGLSync> nextFences;
    std::string failures;

    void fail(const std::string& line) {
        std::lock_guard lock(mutex);
        if (failures.size() < 2000) failures += line + "\n";
    }
};

inline constexpr const char* kVertex =
    "attribute vec4 position; uniform float depth; varying mediump vec2 at;"
    "void main() { gl_Position = vec4(position.xy, depth, 1.0); at = position.xy * 0.5 + 0.5; }";
inline constexpr const char* kFragments[] = {
    "precision mediump float; uniform vec4 color; varying vec2 at; uniform sampler2D image;"
    "void main() { gl_FragColor = texture2D(image, at) * color; }",
    "precision mediump float; uniform vec4 color; varying vec2 at;"
    "void main() { gl_FragColor = color + at.xyxy * 0.2; }",
    "precision highp float; uniform vec4 color; varying mediump vec2 at; void main() { float sum = 0.0;"
    "  for (int i = 0; i < 60; ++i) sum += sin(at.x * float(i) + at.y); gl_FragColor = vec4(sum * 0.05) + color; }"};
inline constexpr int kTextured = 0, kKinds = 3;

inline std::vector<unsigned char> randomPixels(Chooser& choose, int width, int height) {
    std::vector<unsigned char> bytes(static_cast<size_t>(width) * static_cast<size_t>(height) * 4);
    const uint64_t first = choose.next();
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>((first >> (i % 5 * 8)) + i * 3);
    return bytes;
}

inline EGLSurface makePbuffer(EGLDisplay display, const Plane& plane) {
    const EGLint attributes[] = {EGL_WIDTH,
                                 plane.width,
                                 EGL_HEIGHT,
                                 plane.height,
                                 EGL_TEXTURE_FORMAT,
                                 plane.isRgba8 ? EGL_TEXTURE_RGBA : EGL_NO_TEXTURE,
                                 EGL_TEXTURE_TARGET,
                                 plane.isRgba8 ? EGL_TEXTURE_2D : EGL_NO_TEXTURE,
                                 EGL_NONE};
    return eglCreatePbufferSurface(display, plane.config, attributes);
}

}  // namespace egltest
