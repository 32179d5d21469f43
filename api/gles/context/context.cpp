#include "api/gles/context/context.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "api/gles/limits.h"
#include "pipeline/draw_state.h"

namespace tessera::gles {

const std::shared_ptr<Texture>* TextureImageUnit::binding(GLenum target) const {
    for (size_t i = 0; i < kTextureTargets.size(); ++i)
        if (kTextureTargets[i] == target) return &textures[i];
    return nullptr;
}

std::shared_ptr<Texture>* TextureImageUnit::binding(GLenum target) {
    return const_cast<std::shared_ptr<Texture>*>(std::as_const(*this).binding(target));
}

const std::shared_ptr<Texture>* TextureImageUnit::sampled(isa::VarType type) const {
    if (!isa::isSampler(type)) return nullptr;
    switch (isa::targetOf(type)) {
        case isa::TextureTarget::Tex2D:
        case isa::TextureTarget::Shadow2D:
            return binding(GL_TEXTURE_2D);
        case isa::TextureTarget::Cube:
        case isa::TextureTarget::ShadowCube:
            return binding(GL_TEXTURE_CUBE_MAP);
        case isa::TextureTarget::Tex3D:
            return binding(GL_TEXTURE_3D);
        case isa::TextureTarget::Array2D:
        case isa::TextureTarget::ShadowArray2D:
            return binding(GL_TEXTURE_2D_ARRAY);
        case isa::TextureTarget::External:
            return binding(GL_TEXTURE_EXTERNAL_OES);
    }
    return nullptr;
}

Context::Context(const ContextOptions& options)
    : fixedFunction(options.makeFixedFunction ? options.makeFixedFunction() : nullptr),
      defaultVertexArray(std::make_shared<VertexArray>(0)),
      vertexArray(defaultVertexArray),
      defaultTransformFeedback(std::make_shared<TransformFeedback>(0)),
      transformFeedback(defaultTransformFeedback),
      debug(options.debug),
      group_(options.share ? options.share->group_ : std::make_shared<ShareGroup>()),
      isEs3_(options.version == 3),
      robustAccess_(options.robustAccess),
      notifiesReset_(options.resetNotification),
      flushesOnRelease_(options.flushOnRelease) {
    recorder.setStream(group_->stream);
    for (size_t i = 0; i < kTextureTargets.size(); ++i) {
        defaultTextures_.textures[i] = std::make_shared<Texture>(0);
        defaultTextures_.textures[i]->setTarget(kTextureTargets[i]);
    }
    textureImageUnits.fill(defaultTextures_);
    currentAttrib.fill({0, 0, 0, 1});
    currentAttribType.fill(GL_FLOAT);
    if (fixedFunction) fixedFunction->initialize(*this);
}

Context::~Context() {
    std::lock_guard lock(group_->mutex);
    useProgram(nullptr);
    pipelines.forEach([&](ProgramPipeline& pipeline) { releasePrograms(pipeline); });
    transformFeedbacks.forEach([&](TransformFeedback& feedback) { endFeedback(feedback); });
    endFeedback(*defaultTransformFeedback);
}

void Context::reportFaults() {
    if (recorder.faults().takeOutOfMemory()) error(GL_OUT_OF_MEMORY);
    for (std::string& message : recorder.faults().takeNews())
        debug.insert({GL_DEBUG_SOURCE_API_KHR, GL_DEBUG_TYPE_ERROR_KHR, GL_CONTEXT_LOST_KHR, GL_DEBUG_SEVERITY_HIGH_KHR,
                      std::move(message)});
}

bool Context::findsLoss() {
    if (recorder.faults().any()) group_->lost = true;
    return group_->lost;
}

GLenum Context::takeResetStatus() {
    if (!isLost() || std::exchange(resetTold_, true)) return GL_NO_ERROR;
    return recorder.faults().any() ? GL_GUILTY_CONTEXT_RESET_KHR : GL_INNOCENT_CONTEXT_RESET_KHR;
}

void Context::reportError(GLenum code) {
    const char* name = "error";
    switch (code) {
        case GL_INVALID_ENUM:
            name = "GL_INVALID_ENUM";
            break;
        case GL_INVALID_VALUE:
            name = "GL_INVALID_VALUE";
            break;
        case GL_INVALID_OPERATION:
            name = "GL_INVALID_OPERATION";
            break;
        case GL_INVALID_FRAMEBUFFER_OPERATION:
            name = "GL_INVALID_FRAMEBUFFER_OPERATION";
            break;
        case GL_OUT_OF_MEMORY:
            name = "GL_OUT_OF_MEMORY";
            break;
        case GL_CONTEXT_LOST_KHR:
            name = "GL_CONTEXT_LOST";
            break;
        case GL_STACK_OVERFLOW_KHR:
            name = "GL_STACK_OVERFLOW";
            break;
        case GL_STACK_UNDERFLOW_KHR:
            name = "GL_STACK_UNDERFLOW";
            break;
    }
    try {
        debug.insert({GL_DEBUG_SOURCE_API_KHR, GL_DEBUG_TYPE_ERROR_KHR, code, GL_DEBUG_SEVERITY_HIGH_KHR,
                      std::string(name) + " in " + call});
    } catch (const std::bad_alloc&) {
        // The error is recorded without a message.
    }
}

std::shared_ptr<Query>* Context::activeQuery(GLenum target) {
    switch (target) {
        case GL_ANY_SAMPLES_PASSED_EXT:
        case GL_ANY_SAMPLES_PASSED_CONSERVATIVE_EXT:
            return &occlusionQuery;
        case GL_TIME_ELAPSED_EXT:
            return &timeQuery;
        case GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN:
            return isEs3_ ? &primitivesQuery : nullptr;
    }
    return nullptr;
}

void Context::setDrawables(std::shared_ptr<Drawable> draw, std::shared_ptr<Drawable> read) {
    for (const std::shared_ptr<Drawable>& drawable : {draw, read})
        if (drawable) orderWith(*this, *drawable);
    draw_ = std::move(draw);
    read_ = std::move(read);
    if (!draw_ || hadDrawable_) return;
    hadDrawable_ = true;
    state.viewport[2] = state.scissorBox[2] = draw_->width;
    state.viewport[3] = state.scissorBox[3] = draw_->height;
}

void Context::showDrawn() const {
    const std::shared_ptr<Drawable> drawable = draw_;
    if (drawable && drawable->flushed) drawable->flushed();
}

std::shared_ptr<Buffer>* Context::bufferBinding(GLenum target) {
    switch (target) {
        case GL_ARRAY_BUFFER:
            return &arrayBuffer;
        case GL_ELEMENT_ARRAY_BUFFER:
            return &vertexArray->elementBuffer;
        case GL_PIXEL_PACK_BUFFER_NV:
            return &packBuffer;
        case GL_PIXEL_UNPACK_BUFFER_NV:
            return &unpackBuffer;
        case GL_UNIFORM_BUFFER:
            return isEs3() ? &uniformBuffer : nullptr;
        case GL_COPY_READ_BUFFER:
            return isEs3_ ? &copyReadBuffer : nullptr;
        case GL_COPY_WRITE_BUFFER:
            return isEs3_ ? &copyWriteBuffer : nullptr;
        case GL_TRANSFORM_FEEDBACK_BUFFER:
            return isEs3() ? &feedbackBuffer : nullptr;
    }
    return nullptr;
}

IndexedBinding* Context::indexedBinding(GLenum target, GLuint index) {
    const auto at = [&](auto& bindings) { return index < bindings.size() ? &bindings[index] : nullptr; };
    if (target == GL_UNIFORM_BUFFER) return at(uniformBuffers);
    return target == GL_TRANSFORM_FEEDBACK_BUFFER ? at(transformFeedback->buffers) : nullptr;
}

void Context::beginFeedback(GLenum primitiveMode) {
    TransformFeedback& feedback = *transformFeedback;
    feedback.place = std::make_shared<pipeline::StreamOutPlace>();
    feedback.vertices = 0;
    feedback.primitiveMode = primitiveMode;
    feedback.isActive = true;
    group_->useProgram(feedback.program, program);
    ++feedback.program->capturing;
}

void Context::endFeedback(TransformFeedback& feedback) {
    if (!feedback.isActive) return;
    feedback.isActive = feedback.isPaused = false;
    feedback.place = nullptr;
    --feedback.program->capturing;
    group_->useProgram(feedback.program, nullptr);
}

void Context::useProgram(std::shared_ptr<Program> next) { group_->useProgram(program, std::move(next)); }

void Context::releasePrograms(ProgramPipeline& pipeline) {
    for (std::shared_ptr<Program>* slot : {&pipeline.vertex, &pipeline.fragment, &pipeline.active})
        group_->useProgram(*slot, nullptr);
}

ProgramStages Context::stages() const {
    if (!program) return pipeline ? pipeline->stages() : ProgramStages{};
    ProgramStages stages;
    for (const isa::Stage stage : pipeline::kDrawStages)
        stages[stage] = program->executable->has(stage) ? program->executable.get() : nullptr;
    return stages;
}

void Context::unbind(const std::shared_ptr<Buffer>& buffer) {
    for (std::shared_ptr<Buffer>* binding :
         {&arrayBuffer, &packBuffer, &unpackBuffer, &uniformBuffer, &copyReadBuffer, &copyWriteBuffer, &feedbackBuffer})
        if (*binding == buffer) *binding = nullptr;
    const auto unbindFrom = [&](auto& bindings) {
        for (IndexedBinding& binding : bindings)
            if (binding.buffer == buffer) binding = {};
    };
    unbindFrom(uniformBuffers);
    unbindFrom(transformFeedback->buffers);
    if (vertexArray->elementBuffer == buffer) vertexArray->elementBuffer = nullptr;
    for (AttribArray& attrib : vertexArray->attribs)
        if (attrib.buffer == buffer) {
            attrib.buffer = nullptr;
            attrib.pointer = nullptr;  // it was an offset: as client memory it would be a wild address
        }
}

void Context::unbind(const std::shared_ptr<Texture>& texture) {
    for (TextureImageUnit& unit : textureImageUnits)
        for (size_t i = 0; i < kTextureTargets.size(); ++i)
            if (unit.textures[i] == texture) unit.textures[i] = defaultTextures_.textures[i];
    const SamplesResolved resolved(*this);  // a deleted texture lives on in other framebuffers
    if (framebuffer_) framebuffer_->detach(resolved, texture.get());
    if (readFramebuffer_) readFramebuffer_->detach(resolved, texture.get());
}

void Context::unbind(const std::shared_ptr<Sampler>& object) {
    for (TextureImageUnit& unit : textureImageUnits)
        if (unit.sampler == object) unit.sampler = nullptr;
}

void Context::unbind(const std::shared_ptr<Renderbuffer>& object) {
    if (renderbuffer == object) renderbuffer = nullptr;
    if (framebuffer_) framebuffer_->detach(object.get());
    if (readFramebuffer_) readFramebuffer_->detach(object.get());
}

void Context::unbind(const std::shared_ptr<Framebuffer>& object) {
    if (framebuffer_ == object) bindFramebuffer(GL_DRAW_FRAMEBUFFER_NV, nullptr);
    if (readFramebuffer_ == object) bindFramebuffer(GL_READ_FRAMEBUFFER_NV, nullptr);
}

void Context::unbind(const std::shared_ptr<VertexArray>& object) {
    if (vertexArray == object) vertexArray = defaultVertexArray;
}

void Context::unbind(const std::shared_ptr<TransformFeedback>& object) {
    if (transformFeedback == object) transformFeedback = defaultTransformFeedback;
}

GLenum Context::framebufferStatus() const {
    if (framebuffer_) return framebuffer_->status(isEs3_);
    return draw_ && draw_->color ? GL_FRAMEBUFFER_COMPLETE : GL_FRAMEBUFFER_UNDEFINED_OES;
}

GLenum Context::readFramebufferStatus() const {
    if (readFramebuffer_) return readFramebuffer_->status(isEs3_);
    return draw_ && draw_->color ? GL_FRAMEBUFFER_COMPLETE : GL_FRAMEBUFFER_UNDEFINED_OES;
}

void Context::bindFramebuffer(GLenum target, const std::shared_ptr<Framebuffer>& object) {
    if (target != GL_DRAW_FRAMEBUFFER_NV) readFramebuffer_ = object;
    if (target == GL_READ_FRAMEBUFFER_NV) return;
    const SamplesResolved resolved(*this);
    framebuffer_ = object;
}

void Context::prepareSamples(const Overwritten& overwritten) {
    if (framebuffer_) framebuffer_->prepareSamples(recorder, overwritten);
}

SamplesResolved::SamplesResolved(Context& c) {
    if (c.framebuffer()) c.framebuffer()->resolveSamples(c.recorder);
}

namespace {

/// Whether a texture image unit that the program looks up has the texture.
bool isSampled(const Context& c, const Executable& executable, const std::shared_ptr<Texture>& texture) {
    return std::ranges::any_of(executable.uniforms, [&](const Uniform& uniform) {
        return std::ranges::any_of(uniform.units, [&](GLint unit) {
            const auto& bound = c.textureImageUnits[static_cast<size_t>(unit)].textures;
            return std::ranges::find(bound, texture) != bound.end();
        });
    });
}

}  // namespace

SamplesResolved::SamplesResolved(Context& c, const ProgramStages& stages) {
    if (!c.framebuffer()) return;
    bool areSampled = false;
    c.framebuffer()->forEachUnresolved([&](const std::shared_ptr<Texture>& texture) {
        stages.forEach([&](const Executable& executable) { areSampled |= isSampled(c, executable, texture); });
    });
    if (areSampled) c.framebuffer()->resolveSamples(c.recorder);
}

namespace {

void begin(Drawable& drawable) {
    if (drawable.begun) std::exchange(drawable.begun, nullptr)();
}

pipeline::RenderTarget defaultTarget(Drawable& drawable) {
    begin(drawable);
    pipeline::RenderTarget out;
    out.width = drawable.width;
    out.height = drawable.height;
    out.color[0] = drawable.color;
    if (drawable.depthBits > 0) out.depth = drawable.depthStencil;
    if (drawable.stencilBits > 0) out.stencil = drawable.depthStencil;
    return out;
}

}  // namespace

bool Context::takesLastDraw() const {
    return isAsLastDrawn() && (framebuffer_ || isDefaultTarget(lastDraw.state->target));
}

bool Context::isDefaultTarget(const pipeline::RenderTarget& target) const {
    if (framebuffer_) return false;
    begin(*draw_);
    const texture::ImagePtr none;
    return target.width == draw_->width && target.height == draw_->height &&
           target.color[0] == (drawBuffer == GL_NONE ? none : draw_->color) &&
           target.depth == (draw_->depthBits > 0 ? draw_->depthStencil : none) &&
           target.stencil == (draw_->stencilBits > 0 ? draw_->depthStencil : none);
}

pipeline::RenderTarget Context::drawTarget() const {
    if (framebuffer_) return framebuffer_->drawTarget();
    pipeline::RenderTarget out = defaultTarget(*draw_);
    if (drawBuffer == GL_NONE) out.color[0] = nullptr;
    return out;
}

ReadBuffers Context::readBuffers() const {
    if (readFramebuffer_) return readFramebuffer_->readBuffers();
    const pipeline::RenderTarget from = defaultTarget(read_ && read_->color ? *read_ : *draw_);
    return {from.width, from.height, readBuffer == GL_NONE ? nullptr : from.color[0], from.depth, from.stencil};
}

bool Context::readsNeedBlit() const { return readFramebuffer_ && readFramebuffer_->needsBlit(); }

int Context::drawSamples() const {
    if (!framebuffer_) return draw_->color->samples() > 1 ? draw_->color->samples() : 0;
    return framebuffer_->samples();
}

int Context::readSamples() const {
    if (readFramebuffer_) return readFramebuffer_->samples();
    const texture::Image& color = read_ && read_->color ? *read_->color : *draw_->color;
    return color.samples() > 1 ? color.samples() : 0;
}

Context::ChannelBits Context::channelBits() const {
    ChannelBits bits;
    if (!framebuffer_) {
        if (!draw_) return bits;
        bits = {draw_->redBits, draw_->greenBits, draw_->blueBits, draw_->alphaBits, 0, 0};
        if (draw_->depthStencil) bits.depth = draw_->depthBits;
        if (draw_->depthStencil) bits.stencil = draw_->stencilBits;
        return bits;
    }
    const auto info = [&](GLenum attachment) {
        const AttachableImage& image = framebuffer_->find(attachment)->image();
        return image ? texture::formatInfo(image.format()) : texture::FormatInfo{};
    };
    const texture::FormatInfo color = info(GL_COLOR_ATTACHMENT0);
    return {color.red,
            color.green,
            color.blue,
            color.alpha,
            info(GL_DEPTH_ATTACHMENT).depth,
            info(GL_STENCIL_ATTACHMENT).stencil};
}

unsigned Context::readChannels() const {
    const AttachableImage color = readBuffers().color;
    return color ? channelsOf(color.format()) : 0;
}

}  // namespace tessera::gles
