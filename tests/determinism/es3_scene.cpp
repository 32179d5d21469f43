// Scenes of OpenGL ES 3.0: up to eight targets of mixed kinds, all kinds of textures, blocks, instances, captured
// vertices that are drawn again, blits and copies of buffers. What is hashed: every target in its own kind, the buffers
// that were captured or copied, and the numbers of queries.
#include <EGL/egl.h>
#include <GLES3/gl3.h>
// After it: the tokens of extensions.
#include <GLES2/gl2ext.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "tests/determinism/chooser.h"
#include "tests/determinism/es3_shaders.h"
#include "tests/determinism/es3_things.h"
#include "tests/determinism/scene.h"

namespace determinism {

namespace {

struct TargetFormat {
    GLenum format;
    TargetKind kind;
    GLenum readFormat, readType;
    int readBytes;  ///< of a pixel
};
constexpr TargetFormat kTargetFormats[] = {
    {GL_RGBA8, TargetKind::Float, GL_RGBA, GL_UNSIGNED_BYTE, 4},
    {GL_SRGB8_ALPHA8, TargetKind::Float, GL_RGBA, GL_UNSIGNED_BYTE, 4},
    {GL_RGB10_A2, TargetKind::Float, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, 4},
    {GL_RGB565, TargetKind::Float, GL_RGBA, GL_UNSIGNED_BYTE, 4},
    {GL_RG8, TargetKind::Float, GL_RGBA, GL_UNSIGNED_BYTE, 4},
    {GL_RGBA16F, TargetKind::Float, GL_RGBA, GL_FLOAT, 16},
    {GL_R11F_G11F_B10F, TargetKind::Float, GL_RGBA, GL_FLOAT, 16},
    {GL_R32F, TargetKind::Float, GL_RGBA, GL_FLOAT, 16},
    {GL_RG16UI, TargetKind::Uint, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16},
    {GL_RGBA32UI, TargetKind::Uint, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16},
    {GL_RGB10_A2UI, TargetKind::Uint, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16},
    {GL_RGBA8I, TargetKind::Int, GL_RGBA_INTEGER, GL_INT, 16},
    {GL_R32I, TargetKind::Int, GL_RGBA_INTEGER, GL_INT, 16},
};

/// Of EXT_texture_norm16 and EXT_render_snorm.
constexpr TargetFormat kMoreFormats[] = {{GL_RGBA16_EXT, TargetKind::Float, GL_RGBA, GL_UNSIGNED_SHORT, 8},
                                         {GL_RG16_SNORM_EXT, TargetKind::Float, GL_RGBA, GL_SHORT, 8},
                                         {GL_RGBA8_SNORM, TargetKind::Float, GL_RGBA, GL_BYTE, 4}};

struct Target {
    TargetFormat format;
    GLsizei width, height;
    GLuint texture = 0, renderbuffer = 0;
    bool isFlat = false;  ///< a whole texture of one image, which a later pass may look at
};

/// Where the attributes of writeEs3Shaders() begin in the buffer of vertices, and of captured ones.
constexpr int kMostVertices = 36, kMostInstances = 5;
constexpr GLintptr kCapturedBytes = GLintptr{kMostVertices} * kMostInstances * 16;

class Es3Scene {
public:
    Es3Scene(uint64_t seed, bool isExtended)
        : things_(seed ^ (isExtended ? 0x3E54 : 0x3E53), isExtended), choose_(things_.choose) {}
    ~Es3Scene() {
        if (things_.isExtended) {
            for (const GLenum one : {GL_SAMPLE_SHADING_OES, GL_DEPTH_CLAMP_EXT, GL_CLIP_DISTANCE0_EXT,
                                     GL_CLIP_DISTANCE1_EXT, GL_RASTERIZER_DISCARD})
                glDisable(one);
            glEnable(GL_FRAMEBUFFER_SRGB_EXT);
        }
        glUseProgram(0);
        glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
        glDeleteTransformFeedbacks(1, &feedback_);
        for (GLuint unit = 0; unit < 9; ++unit) glBindSampler(unit, 0);
    }
    Es3Scene(const Es3Scene&) = delete;
    Es3Scene& operator=(const Es3Scene&) = delete;

    SceneResult draw(std::string* shaders) {
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        makeEs3Textures(things_);
        makeBlocks();
        glGenTransformFeedbacks(1, &feedback_);
        for (int pass = choose_.between(1, 2); pass > 0 && result_.error.empty(); --pass) drawPass(shaders);
        if (result_.error.empty()) hashBuffers();
        if (const GLenum error = glGetError(); error != GL_NO_ERROR && result_.error.empty())
            result_.error = "GL error " + std::to_string(error);
        return result_;
    }

private:
    void hash(std::span<const uint8_t> bytes) {
        for (const uint8_t byte : bytes) result_.hash = (result_.hash ^ byte) * 0x100000001B3u;
    }
    void hash(GLuint value) { result_.hash = (result_.hash ^ value) * 0x100000001B3u; }
    void toggle(GLenum capability, int oneIn) { choose_.oneIn(oneIn) ? glEnable(capability) : glDisable(capability); }

    // --- Buffers ---

    /// Ranges for three binding points; each draw chooses where they begin.
    void makeBlocks() {
        const std::vector<float> values = things_.randomFloats(512, -2, 2);
        blocks_ =
            things_.makeBuffer(GL_UNIFORM_BUFFER, {reinterpret_cast<const uint8_t*>(values.data()), values.size() * 4});
    }
    void bindBlocks() {
        for (GLuint binding = 0; binding < 3; ++binding)
            glBindBufferRange(GL_UNIFORM_BUFFER, binding, blocks_, 256 * choose_.below(6), binding == 0 ? 256 : 80);
    }

    void hashBuffers() {
        for (const GLuint buffer : read_) {
            glBindBuffer(GL_COPY_READ_BUFFER, buffer);
            GLint size = 0;
            glGetBufferParameteriv(GL_COPY_READ_BUFFER, GL_BUFFER_SIZE, &size);
            if (const void* mapped = glMapBufferRange(GL_COPY_READ_BUFFER, 0, size, GL_MAP_READ_BIT))
                hash({static_cast<const uint8_t*>(mapped), static_cast<size_t>(size)});
            glUnmapBuffer(GL_COPY_READ_BUFFER);
        }
    }

    // --- Targets ---

    /// A framebuffer with `targets_` and a depth buffer, all cleared.
    void makeTargets() {
        samples_ = choose_.oneIn(4) ? 4 : 0;
        const int count = choose_.oneIn(3) ? 1 : choose_.between(1, 8);
        const bool isUnequal = choose_.oneIn(4);
        const GLsizei width = choose_.between(40, 80), height = choose_.between(30, 72);
        framebuffer_ = things_.made(glGenFramebuffers, things_.framebuffers);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        targets_.clear();
        const bool isMixed = choose_.oneIn(2);
        const auto chooseFormat = [&] {
            if (things_.isExtended && choose_.oneIn(4)) return choose_.of(kMoreFormats);
            // OpenGL ES 3.0 has integers of one sample alone.
            TargetFormat format = choose_.of(kTargetFormats);
            while (samples_ > 0 && format.kind != TargetKind::Float) format = choose_.of(kTargetFormats);
            return format;
        };
        const TargetFormat one = chooseFormat();
        for (int i = 0; i < count; ++i) {
            Target target{isMixed ? chooseFormat() : one, width, height};
            if (isUnequal) target.width += choose_.between(-8, 8), target.height += choose_.between(-8, 8);
            attach(GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(i), target);
            targets_.push_back(target);
        }
        static constexpr std::pair<GLenum, GLenum> kDepths[] = {{GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL_ATTACHMENT},
                                                                {GL_DEPTH32F_STENCIL8, GL_DEPTH_STENCIL_ATTACHMENT},
                                                                {GL_DEPTH_COMPONENT16, GL_DEPTH_ATTACHMENT},
                                                                {GL_DEPTH_COMPONENT32F, GL_DEPTH_ATTACHMENT}};
        const auto [depth, attachment] = choose_.of(kDepths);
        hasStencil_ = attachment == GL_DEPTH_STENCIL_ATTACHMENT;
        depth_ = 0;
        if (samples_ == 0 && choose_.oneIn(2)) {
            depth_ = things_.made(glGenTextures, things_.textures);
            glActiveTexture(GL_TEXTURE15);
            glBindTexture(GL_TEXTURE_2D, depth_);
            glTexStorage2D(GL_TEXTURE_2D, 1, depth, width, height);
            glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, depth_, 0);
        } else {
            const GLuint renderbuffer = things_.made(glGenRenderbuffers, things_.renderbuffers);
            glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
            glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples_, depth, width, height);
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, renderbuffer);
        }
        viewport_ = {width, height};
        glViewport(0, 0, width, height);
        chooseDrawBuffers(false);
        glDisable(GL_SCISSOR_TEST);
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        glDepthMask(GL_TRUE);
        glStencilMask(~0u);
        for (int i = 0; i < count; ++i) clearTarget(i);
        hasStencil_ ? glClearBufferfi(GL_DEPTH_STENCIL, 0, choose_.real(0.5f, 1), choose_.below(4)) : clearDepth();
        if (const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER); status != GL_FRAMEBUFFER_COMPLETE)
            result_.error = "framebuffer status " + std::to_string(status);
    }

    void attach(GLenum attachment, Target& target) {
        const GLenum format = target.format.format;
        if (samples_ > 0 || choose_.oneIn(3)) {
            target.renderbuffer = things_.made(glGenRenderbuffers, things_.renderbuffers);
            glBindRenderbuffer(GL_RENDERBUFFER, target.renderbuffer);
            glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples_, format, target.width, target.height);
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, target.renderbuffer);
            return;
        }
        glActiveTexture(GL_TEXTURE15);
        target.texture = things_.made(glGenTextures, things_.textures);
        const GLsizei w = target.width, h = target.height;
        switch (choose_.below(6)) {
            case 0:  // a layer
                glBindTexture(GL_TEXTURE_2D_ARRAY, target.texture);
                glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, format, w, h, 3);
                glFramebufferTextureLayer(GL_FRAMEBUFFER, attachment, target.texture, 0, choose_.below(3));
                break;
            case 1:  // a level
                glBindTexture(GL_TEXTURE_2D, target.texture);
                glTexStorage2D(GL_TEXTURE_2D, 2, format, 2 * w, 2 * h);
                glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, target.texture, 1);
                break;
            case 2:  // a slice
                glBindTexture(GL_TEXTURE_3D, target.texture);
                glTexStorage3D(GL_TEXTURE_3D, 2, format, w, h, 4);
                glFramebufferTextureLayer(GL_FRAMEBUFFER, attachment, target.texture, 0, choose_.below(4));
                break;
            case 3:  // a face
                target.width = target.height = std::max(w, h);
                glBindTexture(GL_TEXTURE_CUBE_MAP, target.texture);
                glTexStorage2D(GL_TEXTURE_CUBE_MAP, 1, format, target.width, target.width);
                glFramebufferTexture2D(GL_FRAMEBUFFER, attachment,
                                       GL_TEXTURE_CUBE_MAP_POSITIVE_X + static_cast<GLenum>(choose_.below(6)),
                                       target.texture, 0);
                break;
            default:
                glBindTexture(GL_TEXTURE_2D, target.texture);
                glTexStorage2D(GL_TEXTURE_2D, 1, format, w, h);
                glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, target.texture, 0);
                target.isFlat = true;
        }
    }

    void chooseDrawBuffers(bool withNone) {
        std::vector<GLenum> buffers;
        for (size_t i = 0; i < targets_.size(); ++i)
            buffers.push_back(withNone && choose_.oneIn(8) ? GL_NONE : GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(i));
        glDrawBuffers(static_cast<GLsizei>(buffers.size()), buffers.data());
    }

    void clearTarget(int number) {
        switch (targets_[static_cast<size_t>(number)].format.kind) {
            case TargetKind::Float:
                glClearBufferfv(GL_COLOR, number, things_.randomFloats(4, -0.5f, 1.5f).data());
                break;
            case TargetKind::Int: {
                const GLint values[] = {choose_.between(-200, 200), choose_.between(-200, 200), -1, 1};
                glClearBufferiv(GL_COLOR, number, values);
                break;
            }
            case TargetKind::Uint: {
                const auto value = static_cast<GLuint>(choose_.next());
                const GLuint values[] = {value, value >> 8, value >> 20, 1};
                glClearBufferuiv(GL_COLOR, number, values);
                break;
            }
        }
    }
    void clearDepth() {
        const GLfloat depth = choose_.real(0.5f, 1);
        glClearBufferfv(GL_DEPTH, 0, &depth);
    }

    /// Hashes every target; one of several samples after a blit to one sample, others after one that scales at times.
    void readTargets() {
        glDisable(GL_SCISSOR_TEST);
        for (size_t i = 0; i < targets_.size(); ++i) {
            const Target& target = targets_[i];
            glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
            glReadBuffer(GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(i));
            if (samples_ == 0) readPixels(target);
            if (samples_ == 0 && !choose_.oneIn(4)) continue;
            glBindFramebuffer(GL_DRAW_FRAMEBUFFER, things_.made(glGenFramebuffers, things_.framebuffers));
            glBindRenderbuffer(GL_RENDERBUFFER, things_.made(glGenRenderbuffers, things_.renderbuffers));
            const GLsizei w = target.width, h = target.height;
            glRenderbufferStorage(GL_RENDERBUFFER, target.format.format, w, h);
            glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                      things_.renderbuffers.back());
            glClear(GL_COLOR_BUFFER_BIT);
            if (samples_ > 0) {
                glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
            } else {
                const bool isSmooth = target.format.kind == TargetKind::Float && choose_.oneIn(2);
                const auto across = [&](GLsizei size) { return choose_.between(-4, size + 4); };
                const GLint left = across(w), bottom = across(h), right = across(w), top = across(h);
                glBlitFramebuffer(choose_.below(9), 1, w - 3, h - choose_.below(9), left, bottom, right, top,
                                  GL_COLOR_BUFFER_BIT, isSmooth ? GL_LINEAR : GL_NEAREST);
            }
            glBindFramebuffer(GL_READ_FRAMEBUFFER, things_.framebuffers.back());
            readPixels(target);
        }
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        if (things_.isExtended && samples_ == 0) {
            readAs(GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, 4);
            if (hasStencil_) readAs(GL_STENCIL_INDEX_OES, GL_UNSIGNED_BYTE, 1);
        }
    }

    /// What all targets have.
    void readAs(GLenum format, GLenum type, size_t bytes) {
        auto [width, height] = viewport_;
        for (const Target& target : targets_)
            width = std::min(width, target.width), height = std::min(height, target.height);
        std::vector<uint8_t> pixels(static_cast<size_t>(width * height) * bytes);
        glReadPixels(0, 0, width, height, format, type, pixels.data());
        hash(pixels);
    }

    void readPixels(const Target& target) {
        const auto [format, kind, readFormat, readType, bytes] = target.format;
        const auto size = static_cast<size_t>(target.width * target.height * bytes);
        if (choose_.oneIn(4)) {
            glBindBuffer(GL_PIXEL_PACK_BUFFER, things_.made(glGenBuffers, things_.buffers));
            glBufferData(GL_PIXEL_PACK_BUFFER, static_cast<GLsizeiptr>(size), nullptr, GL_STREAM_READ);
            glReadPixels(0, 0, target.width, target.height, readFormat, readType, nullptr);
            glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
            read_.push_back(things_.buffers.back());
            return;
        }
        std::vector<uint8_t> pixels(size);
        glReadPixels(0, 0, target.width, target.height, readFormat, readType, pixels.data());
        hash(pixels);
    }

    // --- A pass ---

    void drawPass(std::string* shaders) {
        lookAtLastPass();
        makeTargets();
        if (!result_.error.empty()) return;
        std::vector<TargetKind> kinds;
        for (const Target& target : targets_) kinds.push_back(target.format.kind);
        if (things_.isExtended) chooseExtras(kinds);
        const Es3Shaders pair = writeEs3Shaders(choose_, kinds, extras_);
        if (shaders != nullptr) *shaders += pair.vertex + "---\n" + pair.fragment;
        isInterleaved_ = choose_.oneIn(2);
        link(pair);
        if (!result_.error.empty()) return;
        setUniforms();
        for (int i = choose_.between(1, 3); i > 0; --i) {
            setState();
            bindBlocks();
            chooseDrawBuffers(choose_.oneIn(6));
            makeVertices();
            choose_.oneIn(3) ? capture() : drawPrimitives(choose_.oneIn(4));
            if (choose_.oneIn(5)) {
                chooseDrawBuffers(false);
                clearTarget(choose_.below(static_cast<int>(targets_.size())));
            }
        }
        readTargets();
    }

    void chooseExtras(const std::vector<TargetKind>& kinds) {
        extras_ = {};
        extras_.samples = choose_.oneIn(2);
        extras_.reads = choose_.oneIn(3);
        extras_.distances = choose_.oneIn(3);
        extras_.depths = choose_.oneIn(3);
        if (kinds.size() > 1 || kinds[0] != TargetKind::Float || choose_.oneIn(4)) return;
        extras_.blends = choose_.oneIn(2);
        extras_.twoColors = !extras_.blends;
        extras_.reads &= extras_.blends;
    }

    /// The shadow map is the depth of the pass before, and the image its first target that is one, where they are
    /// textures.
    void lookAtLastPass() {
        const auto set = [](GLenum name, GLint value) { glTexParameteri(GL_TEXTURE_2D, name, value); };
        if (depth_ != 0) {
            glActiveTexture(GL_TEXTURE6);
            glBindTexture(GL_TEXTURE_2D, depth_);
            sampleEs3(things_, set, false, true);
        }
        const auto isImage = [](const Target& target) {
            return target.isFlat && target.format.kind == TargetKind::Float;
        };
        const auto found = std::find_if(targets_.begin(), targets_.end(), isImage);
        if (found == targets_.end()) return;
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_2D, found->texture);
        sampleEs3(things_, set, false, false);
    }

    void link(const Es3Shaders& pair) {
        program_ = glCreateProgram();
        things_.programs.push_back(program_);
        for (const auto& [type, text] :
             {std::pair{GL_VERTEX_SHADER, &pair.vertex}, std::pair{GL_FRAGMENT_SHADER, &pair.fragment}}) {
            const GLuint shader = glCreateShader(static_cast<GLenum>(type));
            const char* source = text->c_str();
            glShaderSource(shader, 1, &source, nullptr);
            glCompileShader(shader);
            GLint good = 0;
            glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
            char log[2048] = "";
            if (good == 0) glGetShaderInfoLog(shader, sizeof log, nullptr, log);
            result_.error += log;
            glAttachShader(program_, shader);
            glDeleteShader(shader);
        }
        constexpr const char* kCaptured[] = {"gl_Position", "v_color", "v_ints", "v_uints"};
        glTransformFeedbackVaryings(program_, 4, kCaptured,
                                    isInterleaved_ ? GL_INTERLEAVED_ATTRIBS : GL_SEPARATE_ATTRIBS);
        glLinkProgram(program_);
        GLint good = 0;
        glGetProgramiv(program_, GL_LINK_STATUS, &good);
        char log[2048] = "";
        if (good == 0) glGetProgramInfoLog(program_, sizeof log, nullptr, log);
        result_.error += log;
        if (good != 0) glUseProgram(program_);
    }

    void setUniforms() {
        const auto at = [&](const char* name) { return glGetUniformLocation(program_, name); };
        constexpr const char* kSamplers[] = {"u_image", "u_uints",  "u_ints",    "u_layers",    "u_volume",
                                             "u_cube",  "u_shadow", "u_shadows", "u_cubeShadow"};
        for (GLint unit = 0; unit < 9; ++unit) glUniform1i(at(kSamplers[unit]), unit);
        glUniform4fv(at("u_vectors"), 4, things_.randomFloats(16, -2, 2).data());
        glUniformMatrix3x4fv(at("u_matrix"), 1, choose_.oneIn(2) ? GL_TRUE : GL_FALSE,
                             things_.randomFloats(12, -2, 2).data());
        glUniform4i(at("u_whole"), choose_.between(-9, 9), choose_.between(-300, 300), choose_.below(1 << 30), -1);
        glUniform4ui(at("u_bits"), static_cast<GLuint>(choose_.next()), static_cast<GLuint>(choose_.below(32)), 3, 1);
        const char* const kBlocks[] = {"Values", "Pair[0]", "Pair[1]"};
        for (GLuint binding = 0; binding < 3; ++binding) {
            const GLuint index = glGetUniformBlockIndex(program_, kBlocks[binding]);
            if (index != GL_INVALID_INDEX) glUniformBlockBinding(program_, index, binding);
        }
    }

    void setState() {
        static constexpr GLenum kTests[] = {GL_ALWAYS, GL_LEQUAL, GL_GREATER, GL_NOTEQUAL, GL_LESS, GL_EQUAL};
        static constexpr GLenum kActions[] = {GL_KEEP, GL_ZERO, GL_REPLACE, GL_INVERT, GL_INCR_WRAP, GL_DECR};
        static constexpr GLenum kFactors[] = {
            GL_ONE,       GL_ZERO,      GL_SRC_ALPHA,     GL_ONE_MINUS_SRC_ALPHA, GL_DST_COLOR, GL_SRC_ALPHA_SATURATE,
            GL_DST_ALPHA, GL_SRC_COLOR, GL_CONSTANT_COLOR};
        static constexpr GLenum kEquations[] = {GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MIN,
                                                GL_MAX};
        toggle(GL_DEPTH_TEST, 2);
        glDepthFunc(choose_.of(kTests));
        glDepthMask(choose_.oneIn(4) ? GL_FALSE : GL_TRUE);
        toggle(GL_STENCIL_TEST, 4);
        glStencilFunc(choose_.of(kTests), choose_.below(4), static_cast<GLuint>(choose_.below(256)));
        const GLenum onFail = choose_.of(kActions), onDepth = choose_.of(kActions);
        glStencilOp(onFail, onDepth, choose_.of(kActions));
        toggle(GL_BLEND, 3);
        const GLenum source = choose_.of(kFactors), destination = choose_.of(kFactors);
        glBlendFuncSeparate(source, destination, choose_.of(kFactors), GL_ONE);
        glBlendEquation(choose_.of(kEquations));
        glBlendColor(0.5f, 0.25f, choose_.real(0, 1), choose_.real(0, 1));
        const bool isMasked = choose_.oneIn(5);
        const auto mask = [&](int bit) { return static_cast<GLboolean>(isMasked && bit == 0 ? GL_FALSE : GL_TRUE); };
        glColorMask(mask(choose_.below(2)), mask(choose_.below(2)), GL_TRUE, mask(choose_.below(2)));
        toggle(GL_CULL_FACE, 5);
        toggle(GL_SCISSOR_TEST, 4);
        glScissor(choose_.below(20), choose_.below(20), choose_.between(10, 60), choose_.between(10, 60));
        toggle(GL_POLYGON_OFFSET_FILL, 4);
        glPolygonOffset(choose_.real(-2, 2), choose_.real(-8, 8));
        toggle(GL_SAMPLE_ALPHA_TO_COVERAGE, 6);
        toggle(GL_SAMPLE_COVERAGE, 6);
        glSampleCoverage(choose_.real(0, 1), choose_.oneIn(2) ? GL_TRUE : GL_FALSE);
        toggle(GL_RASTERIZER_DISCARD, 20);
        toggle(GL_DITHER, 2);
        choose_.oneIn(4) ? glViewport(choose_.between(-10, 20), choose_.between(-10, 20), choose_.between(20, 90),
                                      choose_.between(20, 90))
                         : glViewport(0, 0, viewport_.first, viewport_.second);
        glLineWidth(choose_.real(0.5f, 5));
        if (things_.isExtended) setExtendedState();
    }

    void setExtendedState() {
        static constexpr GLenum kFactors[] = {
            GL_SRC1_COLOR_EXT, GL_SRC1_ALPHA_EXT, GL_ONE_MINUS_SRC1_COLOR_EXT, GL_ONE_MINUS_SRC1_ALPHA_EXT, GL_ONE,
            GL_DST_COLOR};
        static constexpr GLenum kAdvanced[] = {GL_MULTIPLY_KHR,  GL_SCREEN_KHR,     GL_OVERLAY_KHR,
                                               GL_DARKEN_KHR,    GL_COLORDODGE_KHR, GL_SOFTLIGHT_KHR,
                                               GL_EXCLUSION_KHR, GL_HSL_HUE_KHR,    GL_HSL_LUMINOSITY_KHR};
        toggle(GL_SAMPLE_SHADING_OES, 3);
        function<PFNGLMINSAMPLESHADINGOESPROC>("glMinSampleShadingOES")(choose_.real(0, 1));
        toggle(GL_DEPTH_CLAMP_EXT, 4);
        choose_.oneIn(4) ? glDisable(GL_FRAMEBUFFER_SRGB_EXT) : glEnable(GL_FRAMEBUFFER_SRGB_EXT);
        for (const GLenum distance : {GL_CLIP_DISTANCE0_EXT, GL_CLIP_DISTANCE1_EXT})
            (extras_.distances && choose_.oneIn(2) ? glEnable : glDisable)(distance);
        if (extras_.twoColors || extras_.blends) glEnable(GL_BLEND);
        if (extras_.twoColors) {
            const GLenum source = choose_.of(kFactors), destination = choose_.of(kFactors);
            glBlendFuncSeparate(source, destination, choose_.of(kFactors), choose_.of(kFactors));
        }
        if (extras_.blends) glBlendEquation(choose_.of(kAdvanced));
    }

    /// Of an extension.
    template <class Function>
    static Function function(const char* name) {
        return reinterpret_cast<Function>(eglGetProcAddress(name));
    }

    // --- Vertices ---

    /// A vertex array of `count_` vertices and `kMostInstances` instances at least, all attributes in one buffer.
    void makeVertices() {
        count_ = 3 * choose_.between(1, kMostVertices / 3);
        instances_ = choose_.oneIn(2) ? 1 : choose_.between(1, kMostInstances);
        constexpr size_t kColors = kMostVertices * 16, kInstances = kColors + kMostVertices * 16,
                         kInts = kInstances + kMostInstances * 16, kUints = kInts + kMostVertices * 16;
        std::vector<uint8_t> bytes = things_.randomBytes(kUints + kMostVertices * 16);
        std::vector<float> positions, instances = things_.randomFloats(kMostInstances * 4, -1, 1);
        for (int i = 0; i < kMostVertices; ++i) {
            const float w = choose_.oneIn(3) ? choose_.real(0.2f, 3) : 1;
            for (const float high : {1.3f, 1.3f, 1.05f}) positions.push_back(choose_.real(-high, high) * w);
            positions.push_back(choose_.oneIn(20) ? -w : w);
        }
        std::memcpy(bytes.data(), positions.data(), positions.size() * 4);
        std::memcpy(bytes.data() + kInstances, instances.data(), instances.size() * 4);
        glBindVertexArray(things_.made(glGenVertexArrays, things_.arrays));
        vertices_ = things_.makeBuffer(GL_ARRAY_BUFFER, bytes);
        struct Packed {
            GLint size;
            GLenum type;
            GLboolean isNormalized;
        };
        static constexpr Packed kPacked[] = {{4, GL_UNSIGNED_BYTE, GL_TRUE},
                                             {4, GL_BYTE, GL_TRUE},
                                             {4, GL_INT_2_10_10_10_REV, GL_TRUE},
                                             {4, GL_UNSIGNED_INT_2_10_10_10_REV, GL_FALSE},
                                             {4, GL_UNSIGNED_INT_2_10_10_10_REV, GL_TRUE},
                                             {4, GL_HALF_FLOAT, GL_FALSE},
                                             {3, GL_SHORT, GL_TRUE},
                                             {2, GL_UNSIGNED_SHORT, GL_FALSE},
                                             {2, GL_INT, GL_TRUE},
                                             {4, GL_FIXED, GL_FALSE},
                                             {1, GL_UNSIGNED_INT, GL_FALSE}};
        static constexpr GLenum kIntTypes[] = {GL_BYTE, GL_SHORT, GL_INT},
                                kUintTypes[] = {GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT, GL_UNSIGNED_INT};
        const auto [size, type, isNormalized] = choose_.of(kPacked);
        const auto at = [](size_t offset) { return reinterpret_cast<const void*>(offset); };
        glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
        glVertexAttribPointer(1, size, type, isNormalized, 16, at(kColors));
        glVertexAttribPointer(2, 4, GL_FLOAT, GL_FALSE, 16, at(kInstances));
        glVertexAttribIPointer(3, choose_.between(1, 4), choose_.of(kIntTypes), 16, at(kInts));
        glVertexAttribIPointer(4, choose_.between(1, 4), choose_.of(kUintTypes), 16, at(kUints));
        glVertexAttribDivisor(2, static_cast<GLuint>(choose_.between(1, 2)));
        glVertexAttribDivisor(3, choose_.oneIn(4) ? 1 : 0);
        glVertexAttribI4i(3, choose_.between(-9, 9), 1 << 30, -1, 2);
        glVertexAttribI4ui(4, ~0u, static_cast<GLuint>(choose_.below(99)), 0, 1);
        for (GLuint i = 0; i < 5; ++i)
            if (i < 3 || !choose_.oneIn(6)) glEnableVertexAttribArray(i);
        if (choose_.oneIn(5)) {  // another vertex's position
            glBindBuffer(GL_COPY_READ_BUFFER, vertices_);
            glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_ARRAY_BUFFER, 16 * choose_.below(8),
                                16 * choose_.between(10, 20), 48);
            read_.push_back(vertices_);
        }
    }

    void drawPrimitives(bool isCounted) {
        static constexpr GLenum kPrimitives[] = {GL_TRIANGLES,      GL_TRIANGLES,    GL_TRIANGLE_STRIP,
                                                 GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN, GL_LINES,
                                                 GL_LINE_STRIP,     GL_LINE_LOOP,    GL_POINTS};
        static constexpr GLenum kCounters[] = {GL_ANY_SAMPLES_PASSED, GL_ANY_SAMPLES_PASSED_CONSERVATIVE};
        const GLenum primitive = choose_.of(kPrimitives), counter = choose_.of(kCounters);
        GLuint query = 0;
        if (isCounted) glGenQueries(1, &query), glBeginQuery(counter, query);
        if (things_.isExtended && choose_.oneIn(3))
            drawFromInstance(primitive);
        else
            drawInstances(primitive);
        if (!isCounted) return;
        glEndQuery(counter);
        hashQuery(query);
    }

    void drawFromInstance(GLenum primitive) {
        const auto base = static_cast<GLuint>(choose_.below(4));
        if (choose_.oneIn(2))
            return function<PFNGLDRAWARRAYSINSTANCEDBASEINSTANCEEXTPROC>("glDrawArraysInstancedBaseInstanceEXT")(
                primitive, 0, count_, instances_, base);
        std::vector<uint8_t> indices;
        for (int i = choose_.between(3, 60); i > 0; --i) indices.push_back(static_cast<uint8_t>(choose_.below(count_)));
        things_.makeBuffer(GL_ELEMENT_ARRAY_BUFFER, indices);
        function<PFNGLDRAWELEMENTSINSTANCEDBASEVERTEXBASEINSTANCEEXTPROC>(
            "glDrawElementsInstancedBaseVertexBaseInstanceEXT")(primitive, static_cast<GLsizei>(indices.size()),
                                                                GL_UNSIGNED_BYTE, nullptr, instances_,
                                                                choose_.between(-2, 4), base);
    }

    void drawInstances(GLenum primitive) {
        switch (choose_.below(4)) {
            case 0:
                glDrawArrays(primitive, count_ / 4, count_ - count_ / 4);
                break;
            case 1:
                glDrawArraysInstanced(primitive, 0, count_, instances_);
                break;
            default:
                drawElements(primitive);
        }
    }

    void drawElements(GLenum primitive) {
        static constexpr std::pair<GLenum, int> kTypes[] = {
            {GL_UNSIGNED_BYTE, 1}, {GL_UNSIGNED_SHORT, 2}, {GL_UNSIGNED_INT, 4}};
        const auto [type, size] = choose_.of(kTypes);
        const bool restarts = choose_.oneIn(2);
        restarts ? glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX) : glDisable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
        const GLsizei count = choose_.between(3, 60);
        std::vector<uint8_t> indices;
        for (int i = 0; i < count; ++i) {
            const bool isRestart = restarts && choose_.oneIn(6);
            const int index = choose_.below(count_);
            for (int byte = 0; byte < size; ++byte)
                indices.push_back(static_cast<uint8_t>(isRestart ? 0xFF : byte == 0 ? index : 0));
        }
        things_.makeBuffer(GL_ELEMENT_ARRAY_BUFFER, indices);
        if (choose_.oneIn(3))
            glDrawRangeElements(primitive, 0, static_cast<GLuint>(count_ - 1), count, type, nullptr);
        else
            glDrawElementsInstanced(primitive, count, type, nullptr, instances_);
        glDisable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    }

    /// Draws while it captures, then draws what was captured.
    void capture() {
        static constexpr GLenum kPrimitives[] = {GL_TRIANGLES, GL_TRIANGLES, GL_LINES, GL_POINTS};
        const GLenum primitive = choose_.of(kPrimitives);
        const std::vector<uint8_t> nothing(static_cast<size_t>(4 * kCapturedBytes));
        const GLuint captured = things_.makeBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, nothing);
        read_.push_back(captured);
        glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedback_);
        for (GLuint i = 0; i < (isInterleaved_ ? 1u : 4u); ++i)
            glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, i, captured, i * kCapturedBytes,
                              isInterleaved_ ? 4 * kCapturedBytes : kCapturedBytes);
        GLuint query = 0;
        glGenQueries(1, &query);
        glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
        glBeginTransformFeedback(primitive);
        glDrawArraysInstanced(primitive, 0, count_, instances_);
        if (choose_.oneIn(3)) {
            glPauseTransformFeedback();
            glDrawArrays(GL_TRIANGLE_STRIP, 0, count_);
            glResumeTransformFeedback();
        }
        glEndTransformFeedback();
        glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
        for (GLuint i = 0; i < 4; ++i) glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, 0);
        glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
        const GLuint primitives = hashQuery(query);
        glBindVertexArray(things_.made(glGenVertexArrays, things_.arrays));
        glBindBuffer(GL_ARRAY_BUFFER, captured);
        const GLsizei stride = isInterleaved_ ? 64 : 16;
        const auto at = [&](GLintptr number) {
            return reinterpret_cast<const void*>(number * (isInterleaved_ ? 16 : kCapturedBytes));
        };
        glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, stride, at(0));
        glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, stride, at(1));
        glVertexAttribIPointer(3, 4, GL_INT, stride, at(2));
        glVertexAttribIPointer(4, 4, GL_UNSIGNED_INT, stride, at(3));
        glVertexAttrib4f(2, choose_.real(-1, 1), choose_.real(-1, 1), 0, 1);
        for (const GLuint i : {0, 1, 3, 4}) glEnableVertexAttribArray(i);
        const GLuint corners = primitive == GL_TRIANGLES ? 3 : primitive == GL_LINES ? 2 : 1;
        setState();
        glDrawArrays(primitive, 0, static_cast<GLsizei>(primitives * corners));
    }

    GLuint hashQuery(GLuint query) {
        GLuint value = 0;
        glGetQueryObjectuiv(query, GL_QUERY_RESULT, &value);
        glDeleteQueries(1, &query);
        hash(value);
        return value;
    }

    Es3Things things_;
    Chooser& choose_;  ///< of things_
    SceneResult result_{.hash = 0xCBF29CE484222325u, .error = {}};
    std::vector<GLuint> read_;  ///< the buffers that are hashed at the end
    std::vector<Target> targets_;
    std::pair<GLsizei, GLsizei> viewport_;
    GLuint feedback_ = 0, framebuffer_ = 0, program_ = 0, blocks_ = 0, vertices_ = 0, depth_ = 0;
    GLsizei samples_ = 0, count_ = 0, instances_ = 1;
    bool isInterleaved_ = false, hasStencil_ = false;
    Es3Extras extras_;
};

}  // namespace

SceneResult drawEs3(uint64_t seed, bool isExtended, std::string* shaders) {
    return Es3Scene(seed, isExtended).draw(shaders);
}

}  // namespace determinism
