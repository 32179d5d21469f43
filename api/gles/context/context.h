// A rendering context: its state, what is bound to it, and the commands it has recorded.
#pragma once

#include <array>
#include <memory>
#include <utility>

#include "api/gles/context/fixed_function.h"
#include "api/gles/context/share_group.h"
#include "api/gles/driver.h"
#include "api/gles/objects/debug_output.h"
#include "api/gles/objects/program_pipeline.h"
#include "api/gles/objects/query_object.h"
#include "api/gles/objects/state.h"
#include "api/gles/recorder.h"
#include "api/gles/recycler.h"

namespace tessera::pipeline {
struct RenderTarget;
}  // namespace tessera::pipeline

namespace tessera::gles {

[[nodiscard]] constexpr bool isIndexedTarget(GLenum target) {
    return target == GL_UNIFORM_BUFFER || target == GL_TRANSFORM_FEEDBACK_BUFFER;
}

/// Of the context: what is bound to a unit.
struct TextureImageUnit {
    /// In the order of kTextureTargets. Never null: name 0 is the context's default texture.
    std::array<std::shared_ptr<Texture>, kTextureTargets.size()> textures;
    std::shared_ptr<Sampler> sampler;  ///< whose parameters take the place of the texture's; null: none
    /// Null for an enum that is no target.
    [[nodiscard]] std::shared_ptr<Texture>* binding(GLenum target);
    [[nodiscard]] const std::shared_ptr<Texture>* binding(GLenum target) const;
    /// What a sampler of that type reads; null for types that are no samplers.
    [[nodiscard]] const std::shared_ptr<Texture>* sampled(isa::VarType type) const;
};

class Context {
public:
    explicit Context(const ContextOptions& options);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    /// Records the first error until glGetError takes it. Returns false, so that validation can return it.
    bool error(GLenum code) {
        if (error_ == GL_NO_ERROR) error_ = code;
        if (debug.enabled) reportError(code);
        return false;
    }
    [[nodiscard]] GLenum takeError() { return std::exchange(error_, GLenum{GL_NO_ERROR}); }

    [[nodiscard]] ShareGroup& group() { return *group_; }

    /// A context of OpenGL ES 3.0, whose rules then hold where they are others than those of 2.0 and its extensions.
    [[nodiscard]] bool isEs3() const { return isEs3_; }
    [[nodiscard]] int maxDrawBuffers() const { return isEs3_ ? kMaxDrawBuffers : kMaxDrawBuffersEs2; }
    [[nodiscard]] int maxColorAttachments() const { return isEs3_ ? kMaxColorAttachments : kMaxDrawBuffersEs2; }
    /// Clears do nothing: a condition of rendering does not hold, or what is drawn has no pixels.
    [[nodiscard]] bool ignoresClears() const { return discardsRendering || state.rasterizerDiscard; }
    /// What its shaders are compiled and linked with.
    [[nodiscard]] const glsl::Limits& glslLimits() const { return isEs3_ ? kGlslLimitsEs3 : kGlslLimits; }

    /// Tells the application what went wrong on the GPU since the last call (KHR_debug).
    void noticeFaults() {
        if (recorder.faults().hasNews()) reportFaults();
    }
    /// With reset notification (EXT_robustness): true once a shader of this context, or of one that shares with it,
    /// exceeded its instruction budget. Then commands do nothing; contexts of other share groups go on.
    [[nodiscard]] bool isLost() { return notifiesReset_ && findsLoss(); }
    /// glGetGraphicsResetStatus: the loss is told once.
    [[nodiscard]] GLenum takeResetStatus();
    [[nodiscard]] bool hasRobustAccess() const { return robustAccess_; }
    [[nodiscard]] bool notifiesReset() const { return notifiesReset_; }
    [[nodiscard]] bool flushesOnRelease() const { return flushesOnRelease_; }

    void setDrawables(std::shared_ptr<Drawable> draw, std::shared_ptr<Drawable> read);
    [[nodiscard]] bool hasDefaultFramebuffer() const { return draw_ != nullptr; }
    /// The default framebuffer that is drawn to or, for GL_READ_FRAMEBUFFER, read from; null: surfaceless.
    [[nodiscard]] const Drawable* defaultFramebuffer(GLenum target) const {
        return target == GL_READ_FRAMEBUFFER && read_ ? read_.get() : draw_.get();
    }
    /// After glFlush and glFinish: the default framebuffer becomes visible if it is a front buffer or a pixmap. No lock
    /// is held.
    void showDrawn() const;

    /// Who submits, at the end of a call that then waits for what it submitted: the thread executes it itself, unless
    /// messages are handed to the application before, which may do anything.
    [[nodiscard]] Recorder::Submitter whenAwaited() const {
        return debug.hasPending() ? Recorder::Submitter::GoesOn : Recorder::Submitter::Waits;
    }

    /// Binding points by target enum; null for an enum that is no target.
    [[nodiscard]] std::shared_ptr<Buffer>* bufferBinding(GLenum target);
    /// Null for a target without such binding points, or one that has fewer.
    [[nodiscard]] IndexedBinding* indexedBinding(GLenum target, GLuint index);
    [[nodiscard]] std::shared_ptr<Texture>* textureBinding(GLenum target) {
        return textureImageUnits[static_cast<size_t>(activeTexture)].binding(target);
    }
    /// The active query of that kind; the two occlusion targets are one kind. Null for an enum that is no target.
    [[nodiscard]] std::shared_ptr<Query>* activeQuery(GLenum target);
    /// The context's texture of name 0.
    [[nodiscard]] const std::shared_ptr<Texture>& defaultTexture(GLenum target) const {
        return *defaultTextures_.binding(target);
    }
    /// The texture that a target of glTexImage2D or glTexImage3DOES means on the active unit.
    [[nodiscard]] Texture& textureForImage(GLenum target) { return **textureBinding(bindTargetOf(target)); }

    void useProgram(std::shared_ptr<Program> program);
    /// The current transform feedback object becomes active, with the program in use, or stops being so.
    void beginFeedback(GLenum primitiveMode);
    void endFeedback(TransformFeedback& feedback);
    /// Leaves a pipeline that is deleted without programs.
    void releasePrograms(ProgramPipeline& pipeline);
    /// What draws run: the program in use, or else what the pipeline that is bound has.
    [[nodiscard]] ProgramStages stages() const;
    /// Whose uniforms glUniform* sets; null: none.
    [[nodiscard]] const std::shared_ptr<Program>& activeProgram() const {
        return program || !pipeline ? program : pipeline->active;
    }

    // Deletion undoes the bindings of this context only (appendix C).
    void unbind(const std::shared_ptr<Buffer>& buffer);
    void unbind(const std::shared_ptr<Texture>& texture);
    void unbind(const std::shared_ptr<Sampler>& sampler);
    void unbind(const std::shared_ptr<Renderbuffer>& renderbuffer);
    void unbind(const std::shared_ptr<Framebuffer>& framebuffer);
    void unbind(const std::shared_ptr<VertexArray>& vertexArray);
    void unbind(const std::shared_ptr<TransformFeedback>& feedback);

    /// What is drawn to, and what is read and copied from; null: the default framebuffer.
    [[nodiscard]] const std::shared_ptr<Framebuffer>& framebuffer() const { return framebuffer_; }
    [[nodiscard]] const std::shared_ptr<Framebuffer>& readFramebuffer() const { return readFramebuffer_; }
    /// GL_FRAMEBUFFER and GL_DRAW_FRAMEBUFFER_NV mean the one that is drawn to.
    [[nodiscard]] const std::shared_ptr<Framebuffer>& framebufferBinding(GLenum target) const {
        return target == GL_READ_FRAMEBUFFER_NV ? readFramebuffer_ : framebuffer_;
    }
    /// GL_FRAMEBUFFER: both.
    void bindFramebuffer(GLenum target, const std::shared_ptr<Framebuffer>& object);
    [[nodiscard]] GLenum framebufferStatus() const;      ///< of the one that is drawn to
    [[nodiscard]] GLenum readFramebufferStatus() const;  ///< of the one that is read from

    /// Before a draw or clear: the samples of textures come to hold what these hold, unless the clear leaves nothing
    /// of it.
    void prepareSamples(const Overwritten& overwritten);
    /// What draws and clears write; the framebuffer is complete.
    [[nodiscard]] pipeline::RenderTarget drawTarget() const;
    /// What reads and copies read; the framebuffer is complete.
    [[nodiscard]] ReadBuffers readBuffers() const;
    /// Whether draws go to the default framebuffer with the images that it has now.
    [[nodiscard]] bool isDefaultTarget(const pipeline::RenderTarget& target) const;

    /// Before anything that may change what pipeline::DrawState holds, in this context or in one that shares with it:
    /// the next draw makes a new one. Between calls that do not, the last draw's is kept here and shared.
    void changeDrawState() {
        ++group_->changes;
        lastDraw.state = nullptr;
    }
    struct LastDraw {
        std::shared_ptr<pipeline::DrawState> state;  ///< null: none that later draws may share
        uint64_t changes = 0;                        ///< the group's, when it was made
        uint64_t equalVertex = 0;                    ///< see draw.cpp's firstEqualVertex() and instancesWithData()
        uint64_t instancesWithData = 0;
    };
    LastDraw lastDraw;
    /// Whether nothing has changed since the last draw that its validation asked about: what held then holds now.
    [[nodiscard]] bool isAsLastDrawn() const {
        return lastDraw.state && lastDraw.changes == group_->changes &&
               (framebuffer_ || framebufferStatus() == GL_FRAMEBUFFER_COMPLETE);
    }
    /// Whether that is what a valid draw now takes: the images of the default framebuffer, which begins, are the same,
    /// too.
    [[nodiscard]] bool takesLastDraw() const;
    /// Reads and copies do not resolve: the read framebuffer has renderbuffers made for glBlitFramebufferNV.
    [[nodiscard]] bool readsNeedBlit() const;

    /// Samples of a pixel of the complete framebuffer, 0 without multisampling.
    [[nodiscard]] int drawSamples() const;
    [[nodiscard]] int readSamples() const;  ///< the same of the one that is read from

    struct ChannelBits {
        int red = 0, green = 0, blue = 0, alpha = 0, depth = 0, stencil = 0;
    };
    /// Of the bound framebuffer, for GL_RED_BITS and friends.
    [[nodiscard]] ChannelBits channelBits() const;
    /// Channels of the colour buffer that reads and copies read.
    [[nodiscard]] unsigned readChannels() const;

    State state;
    const std::unique_ptr<FixedFunction> fixedFunction;  ///< null: OpenGL ES 2.0
    Recorder recorder;
    Recycler recycler{recorder};

    std::shared_ptr<Buffer> arrayBuffer;
    std::shared_ptr<Buffer> packBuffer, unpackBuffer;  ///< NV_pixel_buffer_object; null: pixels are client memory
    std::shared_ptr<Buffer> uniformBuffer;             ///< of GL_UNIFORM_BUFFER, beside its indexed bindings
    UniformBuffers uniformBuffers;
    std::shared_ptr<Buffer> feedbackBuffer;  ///< of GL_TRANSFORM_FEEDBACK_BUFFER, likewise
    std::shared_ptr<Buffer> copyReadBuffer, copyWriteBuffer;
    std::shared_ptr<VertexArray> defaultVertexArray, vertexArray;                    ///< never null
    std::shared_ptr<TransformFeedback> defaultTransformFeedback, transformFeedback;  ///< likewise
    /// What vertices get of attributes without arrays; of integers the bits.
    std::array<std::array<GLfloat, 4>, kMaxVertexAttribs> currentAttrib;
    std::array<GLenum, kMaxVertexAttribs> currentAttribType;  ///< GL_FLOAT, GL_INT or GL_UNSIGNED_INT
    std::array<TextureImageUnit, kMaxCombinedTextureUnits> textureImageUnits;
    int activeTexture = 0;
    GLenum drawBuffer = GL_BACK, readBuffer = GL_BACK;  ///< of the default framebuffer: GL_BACK or GL_NONE
    std::shared_ptr<Renderbuffer> renderbuffer;         ///< null: none
    std::shared_ptr<Program> program;                   ///< null: none
    std::shared_ptr<ProgramPipeline> pipeline;          ///< null: none; without effect while there is a program

    NameTable<Framebuffer> framebuffers;
    NameTable<VertexArray> vertexArrays;
    NameTable<TransformFeedback> transformFeedbacks;
    NameTable<ProgramPipeline> pipelines;

    NameTable<Query> queries;
    std::shared_ptr<Query> occlusionQuery, timeQuery, primitivesQuery;  ///< active; null: none
    /// What counts the primitives that draws write to buffers; null: nothing.
    [[nodiscard]] std::shared_ptr<pipeline::PrimitiveCounter> writtenPrimitives() const {
        if (!primitivesQuery) return nullptr;
        return {primitivesQuery->result, &primitivesQuery->result->primitives};
    }
    std::shared_ptr<Query> conditionalQuery;  ///< that rendering depends on (NV_conditional_render); null: none
    bool discardsRendering = false;           ///< its result is 0

    DebugOutput debug;
    const char* call = "";  ///< the entry point that runs
    int groupMarkers = 0;   ///< depth of glPushGroupMarkerEXT

private:
    std::shared_ptr<ShareGroup> group_;
    TextureImageUnit defaultTextures_;
    std::shared_ptr<Drawable> draw_, read_;
    std::shared_ptr<Framebuffer> framebuffer_, readFramebuffer_;
    void reportError(GLenum code);
    void reportFaults();
    [[nodiscard]] bool findsLoss();

    bool hadDrawable_ = false;
    bool isEs3_, robustAccess_, notifiesReset_, flushesOnRelease_;
    bool resetTold_ = false;
    GLenum error_ = GL_NO_ERROR;
};

}  // namespace tessera::gles
