// Scenes rich in state, for a second opinion on what all executors share: a few dozen draws, mostly of large rectangles
// over each other, between which anything is changed, cleared in part, counted, copied, respecified or deleted while it
// is bound. What is hashed: all targets, their depths and stencils drawn as colours, and the numbers of queries.
//
// An exact scene keeps to what the specification defines to the bit: rectangles on whole pixels, depths that are equal
// or far apart, colours whose channels are thirds and whose alphas are 0 or 1, blending that needs no rounding. So
// other drivers give the same bytes.
#include <EGL/egl.h>
#include <GLES3/gl3.h>
// after what it extends
#include <GLES2/gl2ext.h>

#include <algorithm>
#include <array>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/determinism/chooser.h"
#include "tests/determinism/scene.h"
#include "tests/determinism/state_shaders.h"

namespace determinism {

namespace {

/// What OpenGL ES 2.0 has by EXT_occlusion_query_boolean.
struct QueryCalls {
    PFNGLGENQUERIESEXTPROC generate;
    PFNGLDELETEQUERIESEXTPROC remove;
    PFNGLBEGINQUERYEXTPROC begin;
    PFNGLENDQUERYEXTPROC end;
    PFNGLGETQUERYOBJECTUIVEXTPROC get;

    explicit QueryCalls(bool isEs3) {
        const std::string suffix = isEs3 ? "" : "EXT";
        const auto find = [&](auto& call, const std::string& name) {
            call =
                reinterpret_cast<std::remove_reference_t<decltype(call)>>(eglGetProcAddress((name + suffix).c_str()));
        };
        find(generate, "glGenQueries"), find(remove, "glDeleteQueries"), find(begin, "glBeginQuery");
        find(end, "glEndQuery"), find(get, "glGetQueryObjectuiv");
    }
};

constexpr int kFramebuffers = 3, kSources = 3, kMostColors = 3;

struct Framebuffer {
    GLuint name = 0;
    int colors = 1;
    GLenum format = GL_RGBA8_OES;
    GLuint texture[kMostColors] = {}, renderbuffer[kMostColors] = {};  ///< of each colour one or the other
    int depth = -1;                                                    ///< whose depth and stencil it has; -1: none
    bool isMultisampled = false;
};

class StateScene {
public:
    StateScene(uint64_t seed, bool isEs3, bool isExact)
        : choose_(seed ^ 0x57A7E), isEs3_(isEs3), isExact_(isExact), query_(isEs3) {}
    ~StateScene() {
        endQuery();
        reset();
        glUseProgram(0);
        for (const GLuint program : programs_) glDeleteProgram(program);
        for (Framebuffer& framebuffer : framebuffers_) remove(framebuffer);
        glDeleteRenderbuffers(kFramebuffers, depths_);
        glDeleteTextures(kSources, sources_);
        glDeleteBuffers(2, buffers_);
    }
    StateScene(const StateScene&) = delete;
    StateScene& operator=(const StateScene&) = delete;

    SceneResult draw(int steps, std::string* shaders) {
        reset();
        static constexpr std::pair<GLsizei, GLsizei> kSizes[] = {{64, 64}, {96, 80}, {130, 70}, {40, 100}};
        std::tie(width_, height_) = choose_.of(kSizes);
        static constexpr GLenum kDepthFormats[] = {GL_DEPTH24_STENCIL8_OES, GL_DEPTH32F_STENCIL8};
        depthFormat_ = isEs3_ && !isExact_ ? choose_.of(kDepthFormats) : GL_DEPTH24_STENCIL8_OES;
        for (bool& isMultisampled : isMultisampled_) isMultisampled = isEs3_ && choose_.oneIn(4);
        glGenRenderbuffers(kFramebuffers, depths_);
        for (int i = 0; i < kFramebuffers; ++i) make(i);
        glGenTextures(kSources, sources_);
        for (int i = 0; i < kSources; ++i) specify(i);
        glGenBuffers(2, buffers_);
        bind(0);
        for (int i = std::min(choose_.between(20, 50), steps); i > 0 && result_.error.empty(); --i) step();
        endQuery();
        if (result_.error.empty()) readAll();
        if (shaders != nullptr) *shaders = texts_;
        const GLenum error = glGetError();
        if (error != GL_NO_ERROR && result_.error.empty()) result_.error = "GL error " + std::to_string(error);
        return result_;
    }

private:
    void hash(std::span<const uint8_t> bytes) {
        for (const uint8_t byte : bytes) result_.hash = (result_.hash ^ byte) * 0x100000001B3u;
    }
    void hash(GLuint value) { result_.hash = (result_.hash ^ value) * 0x100000001B3u; }
    void toggle(GLenum capability, int oneIn) { choose_.oneIn(oneIn) ? glEnable(capability) : glDisable(capability); }

    /// A third of a channel; an alpha that blending does not round. Of scenes that are not exact any numbers.
    float channel() { return isExact_ ? static_cast<float>(choose_.below(4)) / 3 : choose_.real(0, 1); }
    float alpha() { return isExact_ ? static_cast<float>(choose_.below(2)) : choose_.real(0, 1); }
    std::array<float, 4> color() {
        const float red = channel(), green = channel(), blue = channel();
        return {red, green, blue, alpha()};
    }

    // --- Targets ---

    void remove(const Framebuffer& framebuffer) {
        glDeleteFramebuffers(1, &framebuffer.name);
        glDeleteTextures(kMostColors, framebuffer.texture);
        glDeleteRenderbuffers(kMostColors, framebuffer.renderbuffer);
    }

    void make(int number) {
        Framebuffer& made = framebuffers_[number] = {};
        static constexpr GLenum kFormats[] = {GL_RGBA8_OES, GL_RGBA8_OES, GL_RGBA8_OES, GL_RGB565, GL_RGBA4};
        // Mesa makes eight bits of five by repeating them, which misses the nearest value of four in 32.
        static constexpr GLenum kExactFormats[] = {GL_RGBA8_OES, GL_RGBA8_OES, GL_RGBA8_OES, GL_RGB8_OES, GL_RGBA4};
        made.format = isExact_ ? choose_.of(kExactFormats) : choose_.of(kFormats);
        if (isEs3_ && choose_.oneIn(2)) made.colors = choose_.between(1, kMostColors);
        made.isMultisampled = isMultisampled_[number];
        glGenFramebuffers(1, &made.name);
        glBindFramebuffer(GL_FRAMEBUFFER, made.name);
        for (int i = 0; i < made.colors; ++i) attachColor(made, i);
        // A framebuffer has a depth of its own, or that of one before it.
        made.depth = choose_.oneIn(5) ? -1 : number;
        if (number > 0 && choose_.oneIn(3) && framebuffers_[number - 1].isMultisampled == made.isMultisampled)
            made.depth = framebuffers_[number - 1].depth;
        if (made.depth == number) storeDepth(number);
        attachDepth(made);
        clearAll(made.colors);
        chooseDrawBuffers(made);
    }

    void attachColor(Framebuffer& to, int i) {
        const GLenum attachment = GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(i);
        if (to.isMultisampled || choose_.oneIn(3)) {
            to.texture[i] = 0;
            glGenRenderbuffers(1, &to.renderbuffer[i]);
            glBindRenderbuffer(GL_RENDERBUFFER, to.renderbuffer[i]);
            store(to.format, to.isMultisampled);
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, to.renderbuffer[i]);
            return;
        }
        to.renderbuffer[i] = 0;
        glGenTextures(1, &to.texture[i]);
        glActiveTexture(GL_TEXTURE2);
        glBindTexture(GL_TEXTURE_2D, to.texture[i]);
        const GLenum type = to.format == GL_RGB565  ? GL_UNSIGNED_SHORT_5_6_5
                            : to.format == GL_RGBA4 ? GL_UNSIGNED_SHORT_4_4_4_4
                                                    : GL_UNSIGNED_BYTE;
        const GLenum format = to.format == GL_RGB565 || to.format == GL_RGB8_OES ? GL_RGB : GL_RGBA;
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(isEs3_ ? to.format : format), width_, height_, 0, format,
                     type, nullptr);
        sample(false);
        glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, to.texture[i], 0);
        glBindTexture(GL_TEXTURE_2D, 0);
    }

    void store(GLenum format, bool isMultisampled) {
        if (isMultisampled)
            glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, format, width_, height_);
        else
            glRenderbufferStorage(GL_RENDERBUFFER, format, width_, height_);
    }

    void storeDepth(int number) {
        glBindRenderbuffer(GL_RENDERBUFFER, depths_[number]);
        store(depthFormat_, framebuffers_[number].isMultisampled);
    }

    void attachDepth(const Framebuffer& to) {
        if (to.depth < 0) return;
        for (const GLenum attachment : {GL_DEPTH_ATTACHMENT, GL_STENCIL_ATTACHMENT})
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, depths_[to.depth]);
    }

    void chooseDrawBuffers(const Framebuffer& of) {
        if (!isEs3_) return;
        std::vector<GLenum> buffers;
        for (int i = 0; i < of.colors; ++i)
            buffers.push_back(i != 0 && choose_.oneIn(8) ? GL_NONE : GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(i));
        glDrawBuffers(static_cast<GLsizei>(buffers.size()), buffers.data());
    }

    void bind(int number) {
        bound_ = number;
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffers_[number].name);
    }
    Framebuffer& bound() { return framebuffers_[bound_]; }

    // --- Textures that are only read ---

    void sample(bool hasLevels) {
        static constexpr GLint kWraps[] = {GL_REPEAT, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT};
        static constexpr GLint kSmaller[] = {GL_NEAREST, GL_LINEAR, GL_LINEAR_MIPMAP_NEAREST, GL_NEAREST_MIPMAP_LINEAR};
        const auto set = [](GLenum name, GLint value) { glTexParameteri(GL_TEXTURE_2D, name, value); };
        // OpenGL ES 2.0 repeats those alone whose sides are powers of two.
        set(GL_TEXTURE_WRAP_S, hasLevels ? choose_.of(kWraps) : GL_CLAMP_TO_EDGE);
        set(GL_TEXTURE_WRAP_T, hasLevels ? choose_.of(kWraps) : GL_CLAMP_TO_EDGE);
        set(GL_TEXTURE_MIN_FILTER, isExact_    ? GL_NEAREST
                                   : hasLevels ? choose_.of(kSmaller)
                                               : kSmaller[choose_.below(2)]);
        set(GL_TEXTURE_MAG_FILTER, isExact_ || choose_.oneIn(2) ? GL_NEAREST : GL_LINEAR);
    }

    std::vector<uint8_t> texels(GLsizei count) {
        std::vector<uint8_t> bytes(static_cast<size_t>(count) * 4);
        for (size_t i = 0; i < bytes.size(); ++i) {
            const auto any = static_cast<uint8_t>(choose_.next() >> 20);
            bytes[i] = !isExact_ ? any : static_cast<uint8_t>(i % 4 == 3 ? any % 2 * 255 : any % 4 * 85);
        }
        return bytes;
    }

    /// Anew, of another size.
    void specify(int number) {
        sourceSize_[number] = 8 << choose_.below(3);
        const GLsizei size = sourceSize_[number];
        glActiveTexture(GL_TEXTURE2);
        glBindTexture(GL_TEXTURE_2D, sources_[number]);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels(size * size).data());
        if (!isExact_) glGenerateMipmap(GL_TEXTURE_2D);
        sample(true);
        glBindTexture(GL_TEXTURE_2D, 0);
    }

    void changeTexels(int number) {
        const GLsizei size = sourceSize_[number], wide = choose_.between(1, size), high = choose_.between(1, size);
        const GLint x = choose_.below(size - wide + 1), y = choose_.below(size - high + 1);
        glActiveTexture(GL_TEXTURE2);
        glBindTexture(GL_TEXTURE_2D, sources_[number]);
        if (bound().format == GL_RGBA8_OES && !bound().isMultisampled && choose_.oneIn(3))
            glCopyTexSubImage2D(GL_TEXTURE_2D, 0, x, y, choose_.below(width_ - wide), choose_.below(height_ - high),
                                wide, high);
        else
            glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, wide, high, GL_RGBA, GL_UNSIGNED_BYTE, texels(wide * high).data());
        if (!isExact_ && choose_.oneIn(3)) glGenerateMipmap(GL_TEXTURE_2D);
        glBindTexture(GL_TEXTURE_2D, 0);
    }

    /// A source or what another framebuffer's passes have drawn, never what is drawn to.
    void bindImage() {
        GLuint image = sources_[choose_.below(kSources)];
        const int other = choose_.below(kFramebuffers);
        if (other != bound_ && choose_.oneIn(2)) {
            const Framebuffer& from = framebuffers_[other];
            if (const GLuint texture = from.texture[choose_.below(from.colors)]; texture != 0) image = texture;
        }
        glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(choose_.below(2)));
        glBindTexture(GL_TEXTURE_2D, image);
    }

    /// No unit has a texture of the framebuffer that is about to be drawn to.
    void unbindTargets() {
        for (const GLenum unit : {GL_TEXTURE0, GL_TEXTURE1}) {
            glActiveTexture(unit);
            GLint texture = 0;
            glGetIntegerv(GL_TEXTURE_BINDING_2D, &texture);
            for (const GLuint own : bound().texture)
                if (texture != 0 && static_cast<GLuint>(texture) == own) glBindTexture(GL_TEXTURE_2D, sources_[0]);
        }
    }

    // --- Programs ---

    void use() {
        const auto kind = static_cast<StateProgram>(choose_.below(isExact_ ? kExactStatePrograms : kStatePrograms));
        GLuint& program = programs_[static_cast<size_t>(kind)];
        if (program != 0 && choose_.oneIn(10)) {  // deleted while it may be in use
            glDeleteProgram(program);
            program = 0;
        }
        if (program == 0) program = link(kind);
        if (program == 0) return;
        glUseProgram(program);
        const auto at = [&](const char* name) { return glGetUniformLocation(program, name); };
        glUniform1i(at("u_image"), choose_.below(2));
        glUniform4fv(at("u_color"), 1, color().data());
        // Most do what the budget allows.
        glUniform1i(at("u_count"), choose_.oneIn(4) ? 30000 : choose_.between(1, 20));
    }

    GLuint link(StateProgram kind) { return linkStateProgram(kind, isEs3_, texts_, result_.error); }

    // --- State ---

    void reset() {
        for (const GLenum capability :
             {GL_BLEND, GL_CULL_FACE, GL_DEPTH_TEST, GL_DITHER, GL_POLYGON_OFFSET_FILL, GL_SAMPLE_ALPHA_TO_COVERAGE,
              GL_SAMPLE_COVERAGE, GL_SCISSOR_TEST, GL_STENCIL_TEST})
            glDisable(capability);
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        glDepthMask(GL_TRUE);
        glStencilMask(~0u);
        glStencilFunc(GL_ALWAYS, 0, ~0u);
        glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
        glDepthFunc(GL_LESS);
        glDepthRangef(0, 1);
        glBlendFunc(GL_ONE, GL_ZERO);
        glBlendEquation(GL_FUNC_ADD);
        glFrontFace(GL_CCW);
        glCullFace(GL_BACK);
        glLineWidth(1);
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glBindBuffer(GL_ARRAY_BUFFER, 0);
        for (GLuint i = 0; i < 3; ++i) glDisableVertexAttribArray(i);
    }

    void changeState() {
        switch (choose_.below(isExact_ ? 8 : 11)) {
            case 0:
                toggle(GL_DEPTH_TEST, 2);
                glDepthMask(choose_.oneIn(4) ? GL_FALSE : GL_TRUE);
                break;
            case 1:
                glDepthFunc(choose_.oneIn(2) ? GL_LEQUAL : choose_.of(kTests));
                break;
            case 2:
                toggle(GL_STENCIL_TEST, 2);
                break;
            case 3:
                for (const GLenum face : {GL_FRONT, GL_BACK}) setStencil(face);
                break;
            case 4:
                toggle(GL_BLEND, 2);
                break;
            case 5:
                setBlending();
                break;
            case 6: {
                const auto mask = [&] { return static_cast<GLboolean>(choose_.oneIn(5) ? GL_FALSE : GL_TRUE); };
                const GLboolean red = mask(), green = mask(), blue = mask(), alpha = mask();
                glColorMask(red, green, blue, alpha);
                break;
            }
            case 7:
                toggle(GL_SCISSOR_TEST, 3);
                glScissor(choose_.below(40), choose_.below(40), choose_.between(10, 90), choose_.between(10, 90));
                toggle(GL_CULL_FACE, 4);
                glCullFace(choose_.oneIn(2) ? GL_BACK : GL_FRONT);
                glFrontFace(choose_.oneIn(2) ? GL_CW : GL_CCW);
                break;
            case 8:
                toggle(GL_POLYGON_OFFSET_FILL, 2);
                glPolygonOffset(choose_.real(-2, 2), choose_.real(-8, 8));
                glDepthRangef(choose_.real(0, 0.2f), choose_.real(0.8f, 1));
                break;
            case 9:
                toggle(GL_SAMPLE_ALPHA_TO_COVERAGE, 4);
                toggle(GL_SAMPLE_COVERAGE, 4);
                glSampleCoverage(choose_.real(0, 1), choose_.oneIn(2) ? GL_TRUE : GL_FALSE);
                break;
            default:
                toggle(GL_DITHER, 3);
                glLineWidth(choose_.real(0.5f, 6));
        }
    }

    void setStencil(GLenum face) {
        static constexpr GLenum kActions[] = {GL_KEEP, GL_ZERO,   GL_REPLACE,   GL_INCR,
                                              GL_DECR, GL_INVERT, GL_INCR_WRAP, GL_DECR_WRAP};
        const GLenum test = choose_.of(kTests);
        const GLint reference = choose_.below(16);
        glStencilFuncSeparate(face, test, reference, static_cast<GLuint>(choose_.below(256)));
        const GLenum onFail = choose_.of(kActions), onDepth = choose_.of(kActions);
        glStencilOpSeparate(face, onFail, onDepth, choose_.of(kActions));
        glStencilMaskSeparate(face, choose_.oneIn(2) ? ~0u : static_cast<GLuint>(choose_.below(256)));
    }

    void setBlending() {
        static constexpr GLenum kExact[] = {GL_ZERO,      GL_ONE,       GL_SRC_ALPHA,          GL_ONE_MINUS_SRC_ALPHA,
                                            GL_DST_ALPHA, GL_SRC_ALPHA, GL_ONE_MINUS_DST_ALPHA};
        static constexpr GLenum kAny[] = {GL_SRC_COLOR, GL_ONE_MINUS_DST_COLOR, GL_CONSTANT_COLOR,
                                          GL_SRC_ALPHA_SATURATE};
        static constexpr GLenum kEquations[] = {GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MIN_EXT,
                                                GL_MAX_EXT};
        const auto factor = [&] { return isExact_ || choose_.oneIn(2) ? choose_.of(kExact) : choose_.of(kAny); };
        const auto equation = [&] { return choose_.oneIn(2) ? GL_FUNC_ADD : choose_.of(kEquations); };
        if (choose_.oneIn(2)) {
            glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
        } else {
            const GLenum source = factor(), destination = factor(), sourceAlpha = factor();
            glBlendFuncSeparate(source, destination, sourceAlpha, factor());
        }
        const GLenum colors = equation();
        glBlendEquationSeparate(colors, equation());
        glBlendColor(choose_.real(0, 1), choose_.real(0, 1), choose_.real(0, 1), choose_.real(0, 1));
    }

    // --- Steps ---

    void step() {
        switch (choose_.below(30)) {
            case 0:
            case 1:
            case 2:
                return clear();
            case 3:
                bind(choose_.below(kFramebuffers));
                if (choose_.oneIn(3)) chooseDrawBuffers(bound());
                return;
            case 4:
                return choose_.oneIn(3) ? specify(choose_.below(kSources)) : changeTexels(choose_.below(kSources));
            case 5:
            case 6:
                return isCounting_ ? endQuery() : beginQuery();
            case 7:
                return removeWhileBound();
            case 8:
                return isEs3_ ? blit() : draw();
            case 9:
                return isEs3_ && choose_.oneIn(2) ? invalidate() : look();
            default:
                return draw();
        }
    }

    void clear() {
        const std::array<float, 4> to = color();
        glClearColor(to[0], to[1], to[2], to[3]);
        // Never a depth that a rectangle has.
        glClearDepthf(isExact_ ? static_cast<float>(2 * choose_.below(16) + 1) / 32 : choose_.real(0.3f, 1));
        glClearStencil(choose_.below(16));
        // The state of the draws, or one that clears everything, or nearly.
        const bool isWhole = choose_.oneIn(2);
        if (isWhole) {
            glDisable(GL_SCISSOR_TEST);
            glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
            glDepthMask(GL_TRUE);
            glStencilMask(choose_.oneIn(2) ? ~0u : static_cast<GLuint>(choose_.below(256)));
        }
        keepToDefined();
        constexpr GLbitfield kAll = GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
        GLbitfield buffers = kAll;
        for (const GLbitfield one : {GL_COLOR_BUFFER_BIT, GL_DEPTH_BUFFER_BIT, GL_STENCIL_BUFFER_BIT})
            if (choose_.oneIn(3)) buffers &= ~one;
        glClear(isWhole && choose_.oneIn(2) ? kAll : buffers);
    }

    void clearAll(int colors) {
        constexpr GLenum kAll[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2};
        if (isEs3_) glDrawBuffers(colors, kAll);
        glDisable(GL_SCISSOR_TEST);
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        glDepthMask(GL_TRUE);
        glStencilMask(~0u);
        const std::array<float, 4> to = color();
        glClearColor(to[0], to[1], to[2], to[3]);
        glClearDepthf(31.0f / 32);
        glClearStencil(choose_.below(16));
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    }

    void beginQuery() {
        query_.generate(1, &counted_);
        query_.begin(GL_ANY_SAMPLES_PASSED, counted_);
        isCounting_ = true;
    }
    void endQuery() {
        if (!isCounting_) return;
        isCounting_ = false;
        query_.end(GL_ANY_SAMPLES_PASSED);
        GLuint passed = 0;
        query_.get(counted_, GL_QUERY_RESULT, &passed);
        query_.remove(1, &counted_);
        hash(passed);
    }

    /// Something that is bound, attached or used is deleted, and another one takes its place.
    void removeWhileBound() {
        switch (choose_.below(4)) {
            case 0: {
                const int number = choose_.below(kSources);
                glDeleteTextures(1, &sources_[number]);
                glGenTextures(1, &sources_[number]);
                if (choose_.oneIn(2)) draw();  // where it was bound there is none now
                return specify(number);
            }
            case 1: {
                const int number = bound_;
                remove(framebuffers_[number]);
                make(number);
                return bind(number);
            }
            case 2: {
                Framebuffer& to = bound();
                const int i = choose_.below(to.colors);
                glDeleteTextures(1, &to.texture[i]);
                glDeleteRenderbuffers(1, &to.renderbuffer[i]);
                attachColor(to, i);
                return clearAll(to.colors);  // drivers differ in what fresh memory holds
            }
            default:
                glDeleteBuffers(1, &buffers_[0]);
                glGenBuffers(1, &buffers_[0]);
                hasVertices_ = false;
        }
    }

    void blit() {
        const int from = choose_.below(kFramebuffers), to = choose_.below(kFramebuffers);
        const Framebuffer &source = framebuffers_[from], &destination = framebuffers_[to];
        if (from == to || destination.isMultisampled || source.format != destination.format) return draw();
        GLbitfield buffers = GL_COLOR_BUFFER_BIT;
        const bool hasDepths = source.depth >= 0 && destination.depth >= 0 && source.depth != destination.depth;
        if (hasDepths && !source.isMultisampled) {
            if (choose_.oneIn(2)) buffers |= GL_DEPTH_BUFFER_BIT;
            if (choose_.oneIn(2)) buffers |= GL_STENCIL_BUFFER_BIT;
        }
        glBindFramebuffer(GL_READ_FRAMEBUFFER, source.name);
        glReadBuffer(GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(choose_.below(source.colors)));
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, destination.name);
        const GLint x = source.isMultisampled ? 0 : choose_.below(20),
                    y = source.isMultisampled ? 0 : choose_.below(20);
        const GLint wide = choose_.between(1, width_ - x), high = choose_.between(1, height_ - y);
        const GLint toX = source.isMultisampled ? 0 : choose_.below(width_ - wide + 1),
                    toY = source.isMultisampled ? 0 : choose_.below(height_ - high + 1);
        glBlitFramebuffer(x, y, x + wide, y + high, toX, toY, toX + wide, toY + high, buffers, GL_NEAREST);
        bind(bound_);
    }

    void invalidate() {
        const GLenum buffers[] = {GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT, GL_STENCIL_ATTACHMENT};
        glInvalidateFramebuffer(GL_FRAMEBUFFER, choose_.between(1, 3), buffers);
        if (isExact_ || choose_.oneIn(2)) clearAll(bound().colors);
    }

    // --- Draws ---

    /// Before a draw or a clear of an exact scene.
    void keepToDefined() {
        if (!isExact_) return;
        if (bound().format == GL_RGBA4) glDisable(GL_BLEND);  // thirds of a few bits are no thirds
        // llvmpipe's scissor lets half of the samples in that are left of it.
        if (bound().isMultisampled) glDisable(GL_SCISSOR_TEST);
    }

    void draw() {
        unbindTargets();
        if (choose_.oneIn(2)) use();
        if (choose_.oneIn(3)) bindImage(), unbindTargets();
        for (int i = choose_.below(4); i > 0; --i) changeState();
        keepToDefined();
        glViewport(0, 0, width_, height_);
        if (!hasVertices_ || !choose_.oneIn(4)) makeVertices();
        glDrawArrays(primitive_, 0, count_);
    }

    void corner(float x, float y, float z, float w, const std::array<float, 4>& color, float s, float t) {
        vertices_.insert(vertices_.end(), {x * w, y * w, z * w, w});
        vertices_.insert(vertices_.end(), color.begin(), color.end());
        vertices_.insert(vertices_.end(), {s, t});
    }

    /// From pixel to pixel; no pixel's centre is between two texels.
    void rectangle() {
        const int left = choose_.below(width_), bottom = choose_.below(height_);
        const bool isLarge = choose_.oneIn(2);
        const int right = isLarge ? width_ - choose_.below(width_ - left) : choose_.between(left + 1, width_),
                  top = isLarge ? height_ - choose_.below(height_ - bottom) : choose_.between(bottom + 1, height_);
        const float z = static_cast<float>(choose_.between(1, 15)) / 8 - 1;
        const std::array<float, 4> paint = color();
        const auto across = static_cast<float>(sourceSize_[0]);
        const auto x = [&](int at) { return 2 * static_cast<float>(at) / static_cast<float>(width_) - 1; };
        const auto y = [&](int at) { return 2 * static_cast<float>(at) / static_cast<float>(height_) - 1; };
        const auto put = [&](int atX, int atY) {
            corner(x(atX), y(atY), z, 1, paint, static_cast<float>(atX - left) / across + 1.0f / 128,
                   static_cast<float>(atY - bottom) / across + 1.0f / 128);
        };
        // Both triangles face the same way, whichever has the pixels on the diagonal.
        if (choose_.oneIn(4)) {
            put(left, bottom), put(left, top), put(right, bottom);
            put(left, top), put(right, top), put(right, bottom);
        } else {
            put(left, bottom), put(right, bottom), put(left, top);
            put(left, top), put(right, bottom), put(right, top);
        }
    }

    void anything(int count) {
        for (int i = 0; i < count; ++i) {
            const float x = choose_.real(-1.3f, 1.3f), y = choose_.real(-1.3f, 1.3f), z = choose_.real(-1.1f, 1.1f);
            const std::array<float, 4> paint = color();
            const float s = choose_.real(-1, 2);
            corner(x, y, z, choose_.oneIn(3) ? choose_.real(0.3f, 3) : 1, paint, s, choose_.real(-1, 2));
        }
    }

    void makeVertices() {
        static constexpr GLenum kPrimitives[] = {GL_TRIANGLES, GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN, GL_LINES, GL_POINTS};
        vertices_.clear();
        primitive_ = GL_TRIANGLES;
        if (isExact_ || !choose_.oneIn(4)) {
            for (int i = choose_.between(1, 3); i > 0; --i) rectangle();
        } else {
            primitive_ = choose_.of(kPrimitives);
            anything(3 * choose_.between(1, 8));
        }
        constexpr GLsizei kFloats = 10, kStride = kFloats * sizeof(float);
        count_ = static_cast<GLsizei>(vertices_.size()) / kFloats;
        const auto bytes = static_cast<GLsizeiptr>(vertices_.size() * sizeof(float));
        const auto* from = reinterpret_cast<const char*>(vertices_.data());
        const int buffer = choose_.below(3);
        if (buffer < 2) {  // the same again and again, while draws that use it wait
            glBindBuffer(GL_ARRAY_BUFFER, buffers_[buffer]);
            GLint size = 0;
            glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
            if (size >= bytes && choose_.oneIn(2))
                glBufferSubData(GL_ARRAY_BUFFER, 0, bytes, from);
            else
                glBufferData(GL_ARRAY_BUFFER, bytes, from, GL_DYNAMIC_DRAW);
            from = nullptr;
        } else {
            glBindBuffer(GL_ARRAY_BUFFER, 0);
        }
        constexpr std::pair<GLint, size_t> kArrays[] = {{4, 0}, {4, 16}, {2, 32}};
        for (GLuint i = 0; i < 3; ++i) {
            glVertexAttribPointer(i, kArrays[i].first, GL_FLOAT, GL_FALSE, kStride,
                                  reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(from) + kArrays[i].second));
            glEnableVertexAttribArray(i);
        }
        hasVertices_ = true;
    }

    // --- What is looked at ---

    /// A part of what is drawn so far.
    void look() {
        if (bound().isMultisampled) return draw();
        read(bound(), choose_.below(bound().colors), choose_.between(1, width_), choose_.between(1, height_));
    }

    void read(const Framebuffer& from, int color, GLsizei wide, GLsizei high) {
        std::vector<uint8_t> pixels(static_cast<size_t>(wide) * static_cast<size_t>(high) * 4);
        if (isEs3_) glReadBuffer(GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(color));
        if (from.isMultisampled) {
            GLuint single = 0, pixelsOf = 0;
            glGenFramebuffers(1, &single);
            glGenRenderbuffers(1, &pixelsOf);
            glBindFramebuffer(GL_DRAW_FRAMEBUFFER, single);
            glBindRenderbuffer(GL_RENDERBUFFER, pixelsOf);
            glRenderbufferStorage(GL_RENDERBUFFER, from.format, width_, height_);
            glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, pixelsOf);
            glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
            glBindFramebuffer(GL_READ_FRAMEBUFFER, single);
            glReadPixels(0, 0, wide, high, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
            glDeleteFramebuffers(1, &single);
            glDeleteRenderbuffers(1, &pixelsOf);
            glBindFramebuffer(GL_FRAMEBUFFER, from.name);
        } else {
            glReadPixels(0, 0, wide, high, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
        }
        hash(pixels);
    }

    void readAll() {
        glDisable(GL_SCISSOR_TEST);  // of blits
        for (int i = 0; i < kFramebuffers && result_.error.empty(); ++i) {
            bind(i);
            for (int color = 0; color < bound().colors; ++color) read(bound(), color, width_, height_);
            if (bound().depth >= 0) showDepthAndStencil();
        }
    }

    /// Draws the stencil's bits, then how far away depths are, as sums of colours.
    void showDepthAndStencil() {
        reset();
        const GLuint program = link(StateProgram::Flat);
        if (program == 0) return;
        glUseProgram(program);
        glViewport(0, 0, width_, height_);
        glDepthMask(GL_FALSE);
        glEnable(GL_BLEND);
        glBlendFunc(GL_ONE, GL_ONE);
        const auto all = [&](float value, float z) {
            glUniform4f(glGetUniformLocation(program, "u_color"), value, value, value, value);
            vertices_.clear();
            for (const auto& [x, y] : {std::pair{-1.0f, -1.0f}, {1.0f, -1.0f}, {-1.0f, 1.0f}, {1.0f, 1.0f}})
                corner(x, y, z, 1, {}, 0, 0);
            glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 10 * sizeof(float), vertices_.data());
            glEnableVertexAttribArray(0);
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        };
        glClearColor(0, 0, 0, 0);
        // Formats of few bits tell one at a time.
        const bool areSums = bound().format == GL_RGBA8_OES;
        const auto show = [&](int count, const auto& one) {
            glClear(GL_COLOR_BUFFER_BIT);
            for (int i = 0; i < count; ++i) {
                one(i);
                if (areSums && i + 1 < count) continue;
                read(bound(), 0, width_, height_);
                glClear(GL_COLOR_BUFFER_BIT);
            }
        };
        glEnable(GL_STENCIL_TEST);
        show(8, [&](int bit) {
            glStencilFunc(GL_EQUAL, ~0, 1u << bit);
            all(areSums ? static_cast<float>(1 << bit) / 255 : 1, 0);
        });
        glDisable(GL_STENCIL_TEST);
        glEnable(GL_DEPTH_TEST);
        glDepthFunc(GL_LESS);
        show(15, [&](int step) { all(areSums ? 17.0f / 255 : 1, static_cast<float>(16 * step + 11) / 128 - 1); });
        glDeleteProgram(program);
    }

    static constexpr GLenum kTests[] = {GL_ALWAYS,  GL_LESS,     GL_EQUAL,  GL_LEQUAL,
                                        GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_NEVER};

    Chooser choose_;
    const bool isEs3_, isExact_;
    const QueryCalls query_;
    SceneResult result_{.hash = 0xCBF29CE484222325u, .error = {}};
    std::string texts_;
    GLsizei width_ = 0, height_ = 0;
    GLenum depthFormat_ = 0;
    std::array<Framebuffer, kFramebuffers> framebuffers_;
    bool isMultisampled_[kFramebuffers] = {};
    GLuint depths_[kFramebuffers] = {}, sources_[kSources] = {}, buffers_[2] = {}, counted_ = 0;
    GLsizei sourceSize_[kSources] = {};
    std::array<GLuint, kStatePrograms> programs_{};
    int bound_ = 0;
    bool isCounting_ = false, hasVertices_ = false;
    std::vector<float> vertices_;
    GLenum primitive_ = GL_TRIANGLES;
    GLsizei count_ = 0;
};

}  // namespace

SceneResult drawState(uint64_t seed, bool isEs3, bool isExact, int steps, std::string* shaders) {
    return StateScene(seed, isEs3, isExact).draw(steps, shaders);
}

}  // namespace determinism
