#include "tests/egl/order/turn.h"

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

namespace egltest {

void Turn::makeCurrent(EGLContext context, EGLSurface surface) {
    if (real_.context == context && real_.surface == surface) return;
    check(eglMakeCurrent(w_.display, surface, surface, context), "eglMakeCurrent");
    real_ = {context, surface};
}

void Turn::use(int index, int surface) {
    seat_ = {index, surface};
    StoryContext& part = w_.contexts[static_cast<size_t>(index)];
    if (surface >= 0 && !part.hadSurface) part.last = {}, part.hadSurface = true;
    StoryContext& one = context(index);
    makeCurrent(one.handle, surface < 0 ? EGL_NO_SURFACE : w_.planes[static_cast<size_t>(surface)].surface);
    if (!waited_)
        for (EGLSync fence : w_.fences) check(eglWaitSync(w_.display, fence, 0), "eglWaitSync");
    waited_ = true;
    if (one.framebuffer == 0) glGenFramebuffers(1, &one.framebuffer);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
}

void Turn::leave() {
    seat_ = {};
    makeCurrent(EGL_NO_CONTEXT, EGL_NO_SURFACE);
}

int Turn::anyContext(int wanted) {
    const int index = one(w_.contextOwner, [&](int i) { return wanted < 0 || group(i) == wanted; });
    if (index < 0) return -1;
    int surface = seat_.surface;
    if (choose_.oneIn(3))
        surface =
            one(w_.planeOwner, [&](int i) { return w_.planes[static_cast<size_t>(i)].surface != EGL_NO_SURFACE; });
    use(index, surface);
    w_.contexts[static_cast<size_t>(index)].last = {};
    return index;
}

void Turn::attach(const View& view, bool withSamples) {
    static auto* const withSamplesTo = reinterpret_cast<PFNGLFRAMEBUFFERTEXTURE2DMULTISAMPLEEXTPROC>(
        eglGetProcAddress("glFramebufferTexture2DMultisampleEXT"));
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, context(seat_.context).framebuffer);
    if (!view.isTexture)
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, view.name);
    else if (withSamples)
        withSamplesTo(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, view.name, 0, 4);
    else
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, view.name, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) w_.fail(call_ + ": incomplete");
}

Plane* Turn::bindTarget(bool toDraw) {
    const int index = anyContext();
    if (index < 0) return nullptr;
    Plane* plane = onePlane([&](const Plane& one) {
        if (toDraw && one.isBound) return false;
        return (one.surface != EGL_NO_SURFACE && !one.isBound) || one.viewIn(group(index), false) != nullptr;
    });
    if (plane == nullptr) return nullptr;
    withSamples_ = toDraw && choose_.oneIn(3);
    bind(index, *plane, withSamples_);
    return plane;
}

void Turn::bind(int index, const Plane& plane, bool withSamples) {
    if (plane.surface != EGL_NO_SURFACE && !plane.isBound) {
        use(index, indexOf(plane));
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
    } else {
        attach(*plane.viewIn(group(index), false), withSamples);
    }
    glViewport(0, 0, plane.width, plane.height);
    glDisable(GL_SCISSOR_TEST);
}

// --- Acts ---

void Turn::act() {
    struct Choice {
        int weight;
        void (Turn::*act)();
        const char* name;
    };
    static constexpr Choice kChoices[] = {{20, &Turn::draw, "draw"},
                                          {20, &Turn::drawAgain, "draw again"},
                                          {6, &Turn::clear, "clear"},
                                          {6, &Turn::upload, "upload"},
                                          {2, &Turn::respecify, "respecify"},
                                          {6, &Turn::copy, "copy"},
                                          {3, &Turn::mipmap, "mipmap"},
                                          {4, &Turn::uniforms, "uniforms"},
                                          {3, &Turn::vertices, "vertices"},
                                          {1, &Turn::relink, "relink"},
                                          {8, &Turn::read, "read"},
                                          {6, &Turn::swap, "swap"},
                                          {6, &Turn::bindSurface, "bind surface"},
                                          {8, &Turn::makeSibling, "make sibling"},
                                          {2, &Turn::dropSibling, "drop sibling"},
                                          {2, &Turn::recreate, "recreate"},
                                          {1, &Turn::recreateSurface, "recreate surface"},
                                          {2, &Turn::resize, "resize"},
                                          {2, &Turn::replaceContext, "replace context"},
                                          {3, &Turn::synchronise, "synchronise"}};
    int total = 0;
    for (const Choice& choice : kChoices) total += choice.weight;
    int at = choose_.below(total);
    const Choice* choice = kChoices;
    while (at >= choice->weight) at -= (choice++)->weight;
    call_ = std::string(choice->name) + ", " + std::to_string(acts_) + " from the end";
    (this->*choice->act)();
}

void Turn::clear() {
    const Plane* plane = bindTarget(true);
    if (plane == nullptr) return;
    if (choose_.oneIn(2)) {
        glEnable(GL_SCISSOR_TEST);
        glScissor(choose_.below(20), choose_.below(20), choose_.between(1, 30), choose_.between(1, 30));
    }
    glClearColor(choose_.real(0, 1), choose_.real(0, 1), choose_.real(0, 1), choose_.real(0, 1));
    glClearDepthf(choose_.real(0.5f, 1));
    glDepthMask(GL_TRUE);
    glClear(GL_COLOR_BUFFER_BIT | (choose_.oneIn(2) ? GL_DEPTH_BUFFER_BIT : 0));
}

void Turn::setUp(const Setup& setup) {
    const int inGroup = group(seat_.context);
    glViewport(0, 0, setup.width, setup.height);
    glUseProgram(w_.programs[static_cast<size_t>(setup.program)].name);
    if (setup.source >= 0) bindTexture(w_.planes[static_cast<size_t>(setup.source)].viewIn(inGroup, true)->name);
    setup.blends ? glEnable(GL_BLEND) : glDisable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    setup.testsDepth ? glEnable(GL_DEPTH_TEST) : glDisable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glBindBuffer(GL_ARRAY_BUFFER, setup.buffer < 0 ? 0 : w_.buffers[static_cast<size_t>(setup.buffer)].name);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
}

void Turn::draw() {
    const Plane* target = bindTarget(true);
    if (target == nullptr) return;
    const int index = seat_.context, inGroup = group(index);
    const Plane* source =
        onePlane([&](const Plane& one) { return &one != target && one.viewIn(inGroup, true) != nullptr; });
    Setup setup;
    setup.program = one(w_.programOwner, [&](int i) {
        return w_.programs[static_cast<size_t>(i)].group == inGroup && (source != nullptr || i % kKinds != kTextured);
    });
    if (setup.program < 0) return;
    setup.target = indexOf(*target), setup.targetChanges = target->changes;
    setup.width = target->width, setup.height = target->height;
    setup.blends = choose_.oneIn(2), setup.testsDepth = choose_.oneIn(2);
    if (setup.program % kKinds == kTextured) setup.source = indexOf(*source), setup.sourceChanges = source->changes;
    if (choose_.oneIn(3)) {
        GLfloat corners[12];
        for (GLfloat& corner : corners) corner = choose_.real(-1.5f, 1.5f);
        setUp(setup);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
        glDrawArrays(GL_TRIANGLES, 0, 6);
        return;
    }
    setup.buffer = one(w_.bufferOwner, [&](int i) { return w_.buffers[static_cast<size_t>(i)].group == inGroup; });
    if (setup.buffer < 0) return;
    setUp(setup);
    const GLuint program = w_.programs[static_cast<size_t>(setup.program)].name;
    if (choose_.oneIn(2)) glUniform1f(glGetUniformLocation(program, "depth"), choose_.real(-0.9f, 0.9f));
    if (choose_.oneIn(2)) setColor(program);
    if (setup.source >= 0) {
        const GLint filters[] = {GL_NEAREST, GL_LINEAR, GL_LINEAR_MIPMAP_NEAREST};
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filters[choose_.below(source->isMipmapped ? 3 : 2)]);
    }
    glDrawArrays(GL_TRIANGLES, 0, 6);
    // What samples hold between two draws depends on whether something resolves them meanwhile.
    if (!withSamples_) w_.contexts[static_cast<size_t>(index)].last = setup;
}

/// A context goes on drawing with what it has set, after others may have changed the objects.
void Turn::drawAgain() {
    const auto isMine = [&](const std::vector<int>& owners, int i) {
        return i < 0 || owners[static_cast<size_t>(i)] == thread_;
    };
    const int index = one(w_.contextOwner, [&](int i) {
        const Setup& last = w_.contexts[static_cast<size_t>(i)].last;
        return last.target >= 0 && w_.contexts[static_cast<size_t>(i)].hadSurface &&
               isMine(w_.planeOwner, last.target) && isMine(w_.planeOwner, last.source) &&
               isMine(w_.programOwner, last.program) && isMine(w_.bufferOwner, last.buffer) &&
               w_.planes[static_cast<size_t>(last.target)].changes == last.targetChanges &&
               (last.source < 0 || w_.planes[static_cast<size_t>(last.source)].changes == last.sourceChanges);
    });
    if (index < 0) return;
    const Setup& last = w_.contexts[static_cast<size_t>(index)].last;
    const Plane& target = w_.planes[static_cast<size_t>(last.target)];
    use(index, target.surface != EGL_NO_SURFACE && !target.isBound ? last.target : seat_.surface);
    if (w_.cast == Cast::OneContext) {
        bind(index, target, false);
        setUp(last);
    }
    glDrawArrays(GL_TRIANGLES, 0, 6);
}

void Turn::upload() {
    const int index = anyContext();
    if (index < 0) return;
    Plane* plane =
        onePlane([&](const Plane& one) { return one.isRgba8 && !one.isBound && one.viewIn(group(index), true); });
    if (plane == nullptr) return;
    const bool all = choose_.oneIn(3);
    const int x = all ? 0 : choose_.below(plane->width), y = all ? 0 : choose_.below(plane->height);
    const int width = all ? plane->width : choose_.between(1, plane->width - x);
    const int height = all ? plane->height : choose_.between(1, plane->height - y);
    bindTexture(plane->viewIn(group(index), true)->name);
    glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE,
                    randomPixels(choose_, width, height).data());
}

void Turn::respecify() {
    const int index = anyContext();
    if (index < 0) return;
    Plane* plane = onePlane([&](const Plane& one) {
        return one.views.size() == 1 && !one.isBound && one.isRgba8 && one.viewIn(group(index), true);
    });
    if (plane == nullptr) return;
    plane->width = choose_.of(kSizes), plane->height = choose_.of(kSizes);
    plane->isMipmapped = false;
    bindTexture(plane->views[0].name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    for (int level = 1; level < 6; ++level)
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA, 0, 0, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, plane->width, plane->height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 randomPixels(choose_, plane->width, plane->height).data());
}

void Turn::copy() {
    const Plane* from = bindTarget(false);
    if (from == nullptr || !from->isRgba8) return;
    const Plane* to = onePlane([&](const Plane& one) {
        return &one != from && !one.isBound && one.isRgba8 && one.viewIn(group(seat_.context), true);
    });
    if (to == nullptr) return;
    bindTexture(to->viewIn(group(seat_.context), true)->name);
    const int x = choose_.below(to->width), y = choose_.below(to->height);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, x, y, choose_.below(10), choose_.below(10), choose_.between(1, to->width - x),
                        choose_.between(1, to->height - y));
}

void Turn::mipmap() {
    const int index = anyContext();
    if (index < 0) return;
    Plane* plane = onePlane([&](const Plane& one) {
        return one.views.size() == 1 && !one.isBound && one.isRgba8 && one.viewIn(group(index), true);
    });
    if (plane == nullptr) return;
    bindTexture(plane->views[0].name);
    glGenerateMipmap(GL_TEXTURE_2D);
    plane->isMipmapped = true;
}

void Turn::uniforms() {
    const int index = anyContext();
    if (index < 0) return;
    const int program =
        one(w_.programOwner, [&](int i) { return w_.programs[static_cast<size_t>(i)].group == group(index); });
    if (program < 0) return;
    const GLuint name = w_.programs[static_cast<size_t>(program)].name;
    glUseProgram(name);
    setColor(name);
}

void Turn::vertices() {
    const int index = anyContext();
    if (index < 0) return;
    const int buffer =
        one(w_.bufferOwner, [&](int i) { return w_.buffers[static_cast<size_t>(i)].group == group(index); });
    if (buffer < 0) return;
    GLfloat corners[12];
    for (GLfloat& corner : corners) corner = choose_.real(-1.5f, 1.5f);
    glBindBuffer(GL_ARRAY_BUFFER, w_.buffers[static_cast<size_t>(buffer)].name);
    if (choose_.oneIn(2))
        glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_DYNAMIC_DRAW);
    else
        glBufferSubData(GL_ARRAY_BUFFER, 8, 16, corners);
}

void Turn::relink() {
    const int index = anyContext();
    if (index < 0) return;
    const int program =
        one(w_.programOwner, [&](int i) { return w_.programs[static_cast<size_t>(i)].group == group(index); });
    if (program >= 0) glLinkProgram(w_.programs[static_cast<size_t>(program)].name);
}

void Turn::read() {
    const Plane* plane = bindTarget(false);
    if (plane == nullptr) return;
    std::vector<unsigned char> bytes(static_cast<size_t>(plane->width) * static_cast<size_t>(plane->height) * 4);
    glReadPixels(0, 0, plane->width, plane->height, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());
    log(hashOf(bytes.data(), bytes.size()));
}

void Turn::swap() {
    const int index = anyContext();
    if (index < 0) return;
    const Plane* plane = onePlane([](const Plane& one) { return one.surface != EGL_NO_SURFACE && !one.isBound; });
    if (plane == nullptr) return;
    use(index, indexOf(*plane));
    check(eglSwapBuffers(w_.display, plane->surface), "eglSwapBuffers");
    if (plane->window != nullptr && !plane->window->resize) check(eglWaitClient(), "eglWaitClient");
    if (plane->window != nullptr) log(plane->window->shown());
}

/// A surface becomes a texture, or none again.
void Turn::bindSurface() {
    const int index = anyContext();
    if (index < 0) return;
    Plane* plane = onePlane([&](const Plane& one) {
        return one.config != nullptr && one.isRgba8 && (!one.isBound || one.viewIn(group(index), true) != nullptr);
    });
    if (plane == nullptr) return;
    if (!plane->isBound) {
        plane->views = {{group(index), true, newTexture()}};
        check(eglBindTexImage(w_.display, plane->surface, EGL_BACK_BUFFER), "eglBindTexImage");
        plane->isBound = true;
        ++plane->changes;
        return;
    }
    const bool deleteFirst = choose_.oneIn(2);
    if (deleteFirst) remove(plane->views[0]);
    check(eglReleaseTexImage(w_.display, plane->surface, EGL_BACK_BUFFER), "eglReleaseTexImage");
    if (!deleteFirst) remove(plane->views[0]);
    plane->views.clear();
    plane->isBound = false;
    ++plane->changes;
}

void Turn::makeSibling() {
    Plane* plane = onePlane(
        [](const Plane& one) { return one.views.size() == 1 && one.surface == EGL_NO_SURFACE && !one.isMipmapped; });
    if (plane == nullptr) return;
    const View source = plane->views[0];
    const int from = anyContext(source.group);
    if (from < 0) return;
    EGLImage image =
        eglCreateImage(w_.display, context(from).handle, source.isTexture ? EGL_GL_TEXTURE_2D : EGL_GL_RENDERBUFFER,
                       reinterpret_cast<EGLClientBuffer>(static_cast<uintptr_t>(source.name)), nullptr);
    if (image == EGL_NO_IMAGE) return w_.fail("eglCreateImage: EGL error " + std::to_string(eglGetError()));
    if (anyContext(1 - source.group) >= 0) {
        static auto* const toTexture =
            reinterpret_cast<PFNGLEGLIMAGETARGETTEXTURE2DOESPROC>(eglGetProcAddress("glEGLImageTargetTexture2DOES"));
        static auto* const toRenderbuffer = reinterpret_cast<PFNGLEGLIMAGETARGETRENDERBUFFERSTORAGEOESPROC>(
            eglGetProcAddress("glEGLImageTargetRenderbufferStorageOES"));
        View sibling{1 - source.group, choose_.oneIn(2), 0};
        if (sibling.isTexture) {
            sibling.name = newTexture();
            toTexture(GL_TEXTURE_2D, image);
        } else {
            glGenRenderbuffers(1, &sibling.name);
            glBindRenderbuffer(GL_RENDERBUFFER, sibling.name);
            toRenderbuffer(GL_RENDERBUFFER, image);
        }
        plane->views.push_back(sibling);
        ++plane->changes;
    }
    check(eglDestroyImage(w_.display, image), "eglDestroyImage");
}

void Turn::dropSibling() {
    const int index = anyContext();
    if (index < 0) return;
    Plane* plane =
        onePlane([&](const Plane& one) { return one.views.size() == 2 && one.viewIn(group(index), false) != nullptr; });
    if (plane == nullptr) return;
    const auto view = std::find_if(plane->views.begin(), plane->views.end(),
                                   [&](const View& one) { return one.group == group(index); });
    remove(*view);
    plane->views.erase(view);
    ++plane->changes;
}

/// Another texture or renderbuffer takes the place of one that is deleted.
void Turn::recreate() {
    const int index = anyContext();
    if (index < 0) return;
    Plane* plane = onePlane([&](const Plane& one) {
        return one.surface == EGL_NO_SURFACE && one.views.size() == 1 && one.viewIn(group(index), false) != nullptr;
    });
    if (plane == nullptr) return;
    View& view = plane->views[0];
    remove(view);
    ++plane->changes;
    plane->width = choose_.of(kSizes), plane->height = choose_.of(kSizes);
    plane->isMipmapped = false;
    view.isTexture = choose_.oneIn(2);
    plane->isRgba8 = view.isTexture || choose_.oneIn(2);
    if (view.isTexture) {
        view.name = newTexture();
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, plane->width, plane->height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     randomPixels(choose_, plane->width, plane->height).data());
        return;
    }
    glGenRenderbuffers(1, &view.name);
    glBindRenderbuffer(GL_RENDERBUFFER, view.name);
    glRenderbufferStorage(GL_RENDERBUFFER, plane->isRgba8 ? GL_RGBA8_OES : GL_RGB565, plane->width, plane->height);
    attach(view, false);
    glDisable(GL_SCISSOR_TEST);
    clearTo(0, 0.5f, 1);
}

void Turn::recreateSurface() {
    Plane* plane = onePlane([](const Plane& one) { return one.config != nullptr && !one.isBound; });
    if (plane == nullptr) return;
    const bool leaveFirst = choose_.oneIn(2);
    if (leaveFirst && seat_.surface == indexOf(*plane)) leave();
    check(eglDestroySurface(w_.display, plane->surface), "eglDestroySurface");
    if (real_.surface == plane->surface || seat_.surface == indexOf(*plane)) leave();
    plane->width = choose_.of(kSizes), plane->height = choose_.of(kSizes);
    plane->surface = makePbuffer(w_.display, *plane);
    ++plane->changes;
}

void Turn::resize() {
    const int index = anyContext();
    if (index < 0) return;
    Plane* plane = onePlane([](const Plane& one) { return one.window != nullptr && one.window->resize; });
    if (plane == nullptr) return;
    use(index, indexOf(*plane));
    const int width = choose_.of(kSizes), height = choose_.of(kSizes);
    plane->window->resize(width, height);
    check(eglQuerySurface(w_.display, plane->surface, EGL_WIDTH, &plane->width), "eglQuerySurface");
    check(eglQuerySurface(w_.display, plane->surface, EGL_HEIGHT, &plane->height), "eglQuerySurface");
    if (plane->width != width || plane->height != height) w_.fail("resize: not the window's size");
}

void Turn::replaceContext() {
    const int index = one(w_.contextOwner, [](int) { return true; });
    if (index < 0) return;
    const bool leaveFirst = choose_.oneIn(2);
    const bool isCurrent = seat_.context == index;
    if (isCurrent && leaveFirst) leave();
    w_.contexts[static_cast<size_t>(index)].last = {};
    w_.contexts[static_cast<size_t>(index)].hadSurface = false;
    if (w_.cast != Cast::OneContext) {
        StoryContext& old = w_.contexts[static_cast<size_t>(index)];
        const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
        const bool isReal = real_.context == old.handle;
        check(eglDestroyContext(w_.display, old.handle), "eglDestroyContext");
        if (isReal) makeCurrent(EGL_NO_CONTEXT, EGL_NO_SURFACE);
        old.handle = eglCreateContext(w_.display, EGL_NO_CONFIG_KHR, w_.anchors[old.group], version);
        old.framebuffer = 0;
        if (old.handle == EGL_NO_CONTEXT) w_.fail("eglCreateContext");
    }
    if (isCurrent && !leaveFirst) leave();
}

void Turn::synchronise() {
    if (anyContext() < 0) return;
    switch (choose_.below(5)) {
        case 0:
            return glFlush();
        case 1:
            return glFinish();
        case 2:
            return check(eglWaitClient(), "eglWaitClient");
        case 3:
            return leave();
        default: {
            EGLSync fence = eglCreateSync(w_.display, EGL_SYNC_FENCE, nullptr);
            if (eglClientWaitSync(w_.display, fence, 0, EGL_FOREVER) != EGL_CONDITION_SATISFIED)
                w_.fail("eglClientWaitSync");
            check(eglDestroySync(w_.display, fence), "eglDestroySync");
        }
    }
}

bool Turn::handOver() {
    call_ = "hand over";
    const int how = choose_.below(7);
    if (seat_.context < 0) return how == 6;
    use(seat_.context, seat_.surface);
    if (how < 2) {
        how == 0 ? glFlush() : glFinish();
    } else if (how == 2) {
        check(eglWaitGL(), "eglWaitGL");
    } else if (how == 3) {
        EGLSync fence = eglCreateSync(w_.display, EGL_SYNC_FENCE, nullptr);
        std::lock_guard lock(w_.mutex);
        w_.nextFences.push_back(fence);
    } else if (how == 4) {
        leave();
    } else if (how == 5) {
        seat_ = {};
        check(eglReleaseThread(), "eglReleaseThread");
        real_ = {};
    } else {
        seat_ = {};
        if (w_.cast != Cast::Threads) makeCurrent(EGL_NO_CONTEXT, EGL_NO_SURFACE);
        return true;  // leaves by itself
    }
    return false;
}

void Turn::readAll() {
    for (size_t i = 0; i < w_.planes.size(); ++i) {
        Plane& plane = w_.planes[i];
        call_ = "at the end, plane " + std::to_string(i);
        const bool isSurface = plane.surface != EGL_NO_SURFACE && !plane.isBound;
        use(isSurface || plane.views[0].group == 0 ? 0 : 1, isSurface ? static_cast<int>(i) : -1);
        if (isSurface)
            glBindFramebuffer(GL_FRAMEBUFFER, 0);
        else
            attach(plane.views[0], false);
        std::vector<unsigned char> bytes(static_cast<size_t>(plane.width) * static_cast<size_t>(plane.height) * 4);
        glReadPixels(0, 0, plane.width, plane.height, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());
        log(hashOf(bytes.data(), bytes.size()));
    }
}

}  // namespace egltest
