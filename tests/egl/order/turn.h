// One thread's part of a round: calls chosen at random on the objects that it has, and handing over.
#pragma once

#include "tests/egl/order/world.h"

namespace egltest {

class Turn {
public:
    Turn(World& world, uint64_t seed, int thread, Seat& seat, RealThread& real, std::vector<Reading>& readings)
        : w_(world), choose_(seed), thread_(thread), seat_(seat), real_(real), readings_(readings) {}

    void play() {
        for (acts_ = choose_.between(6, 24); acts_ > 0; --acts_) {
            act();
            if (const GLenum error = real_.context == EGL_NO_CONTEXT ? GLenum{GL_NO_ERROR} : glGetError();
                error != GL_NO_ERROR)
                w_.fail(call_ + ": GL error " + std::to_string(error));
        }
    }
    /// Returns whether the thread ends.
    bool handOver();
    void readAll();

private:
    void act();
    void clear();
    void draw();
    void drawAgain();
    void upload();
    void respecify();
    void copy();
    void mipmap();
    void uniforms();
    void vertices();
    void relink();
    void read();
    void swap();
    void bindSurface();
    void makeSibling();
    void dropSibling();
    void recreate();
    void recreateSurface();
    void resize();
    void replaceContext();
    void synchronise();

    // --- What is current ---
    [[nodiscard]] StoryContext& context(int index) {
        return w_.cast == Cast::OneContext ? w_.only : w_.contexts[static_cast<size_t>(index)];
    }
    [[nodiscard]] int group(int index) const { return w_.contexts[static_cast<size_t>(index)].group; }
    void use(int context, int surface);
    void leave();
    void makeCurrent(EGLContext context, EGLSurface surface);
    /// Some context of the thread's, of that group unless -1, current with some surface; -1: it has none.
    int anyContext(int group = -1);
    /// One of those that the thread has now and that suit; -1: none.
    template <class Suits>
    int one(const std::vector<int>& owners, Suits suits) {
        std::vector<int> found;
        for (int i = 0; i < static_cast<int>(owners.size()); ++i)
            if (owners[static_cast<size_t>(i)] == thread_ && suits(i)) found.push_back(i);
        return found.empty() ? -1 : found[static_cast<size_t>(choose_.below(static_cast<int>(found.size())))];
    }
    template <class Suits>
    Plane* onePlane(Suits suits) {
        const int found = one(w_.planeOwner, [&](int i) { return suits(w_.planes[static_cast<size_t>(i)]); });
        return found < 0 ? nullptr : &w_.planes[static_cast<size_t>(found)];
    }
    [[nodiscard]] int indexOf(const Plane& plane) const { return static_cast<int>(&plane - w_.planes.data()); }

    // --- State of the current context ---
    /// A plane that the thread can draw to and read, bound in one of its contexts; null: there is none.
    Plane* bindTarget(bool toDraw);
    void bind(int context, const Plane& plane, bool withSamples);
    void attach(const View& view, bool withSamples);
    void setUp(const Setup& setup);

    // --- Making things ---
    void bindTexture(GLuint name) {
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_2D, name);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    }
    [[nodiscard]] GLuint newTexture() {
        GLuint name = 0;
        glGenTextures(1, &name);
        bindTexture(name);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        return name;
    }
    void setColor(GLuint program) {
        GLfloat color[4];
        for (GLfloat& channel : color) channel = choose_.real(0.3f, 1);
        glUniform4fv(glGetUniformLocation(program, "color"), 1, color);
    }
    static void remove(const View& view) {
        if (view.isTexture)
            glDeleteTextures(1, &view.name);
        else
            glDeleteRenderbuffers(1, &view.name);
    }
    void check(EGLBoolean result, const char* what) {
        if (result != EGL_TRUE) w_.fail(call_ + ": " + what + ": EGL error " + std::to_string(eglGetError()));
    }
    void log(uint64_t hash) { readings_.push_back({call_, hash}); }

    World& w_;
    Chooser choose_;
    const int thread_;
    Seat& seat_;
    RealThread& real_;
    std::vector<Reading>& readings_;
    std::string call_;
    int acts_ = 0;  ///< still to come
    bool waited_ = false;
    bool withSamples_ = false;  ///< what was bound last is drawn to with samples
};

}  // namespace egltest
