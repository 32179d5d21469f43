// Random stories of several contexts and threads that draw to the same surfaces, textures, renderbuffers and images,
// with swaps, changes of what is current, reads and deletions in between. A story is a function of its seed; who plays
// it is not part of it: one context, several on one thread, or several on several threads must read the same bytes.
//
// A story is a number of rounds. For each, all objects and contexts are dealt to the threads, which work at once, each
// with its own; at the end each hands over in one of the ways that the specifications name (a flush, a fence, leaving
// its context, ...). So the order of the calls is defined wherever it matters.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/egl/fixture.h"

namespace egltest {

enum class Cast { OneContext, Contexts, Threads };

/// What was read, in the order of rounds and threads.
struct Reading {
    std::string what;
    uint64_t hash = 0;
    bool operator==(const Reading&) const = default;
};

/// Windows and pixmaps, which others look at, too. Functions are called by one thread at a time for each.
struct StoryWindow {
    EGLSurface surface = EGL_NO_SURFACE;
    int width = 0, height = 0;
    std::function<uint64_t()> shown;                    ///< hash of what it shows
    std::function<void(int width, int height)> resize;  ///< null: a pixmap
};

/// Plays the story. Failures of calls are added to `failures`, one line each.
[[nodiscard]] std::vector<Reading> playStory(EGLDisplay display, uint64_t seed, Cast cast,
                                             const std::vector<StoryWindow>& windows, std::string& failures);

/// FNV-1a.
[[nodiscard]] uint64_t hashOf(const void* bytes, size_t size);

/// Plays stories from `EGL_TEST_FIRST_SEED` on, `EGL_TEST_SEEDS` of them or as many as given here, with every cast, and
/// checks that all read the same. `windows` makes those of a story anew, as a story leaves them changed.
void checkStories(EGLDisplay display, int count, const std::function<std::vector<StoryWindow>()>& windows);

}  // namespace egltest
