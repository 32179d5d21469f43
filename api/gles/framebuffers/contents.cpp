#include "api/gles/framebuffers/contents.h"

#include <algorithm>
#include <cstring>

#include "api/gles/framebuffers/views.h"
#include "pipeline/commands.h"

namespace tessera::gles {

void renderbufferStorage(Context& c, GLsizei samples, GLenum internalformat, GLsizei width, GLsizei height) {
    Renderbuffer& renderbuffer = *c.renderbuffer;
    texture::ImagePtr image;
    if (width > 0 && height > 0)
        image = makeImage(c.recorder, renderbufferFormat(c.isEs3(), internalformat), width, height,
                          samples == 0 ? 1 : kMaxSamples);
    renderbuffer.internalformat = internalformat;
    renderbuffer.width = width;
    renderbuffer.height = height;
    renderbuffer.image = std::move(image);
}

namespace {

/// A clear of nothing, with the masks and the scissor of the state.
pipeline::Clear beginClear(const Context& c) {
    const State& state = c.state;
    pipeline::Clear clear(std::make_shared<pipeline::RenderTarget>(c.drawTarget()));
    clear.scissorTest = state.scissorTest;
    clear.scissor = {state.scissorBox[0], state.scissorBox[1], state.scissorBox[2], state.scissorBox[3]};
    std::ranges::transform(state.drawBuffers, clear.colorMask.begin(), colorMaskBits);
    clear.depthMask = state.depthMask;
    clear.stencilMask = static_cast<uint8_t>(state.stencilFront.writeMask);
    clear.encodesSrgb = state.framebufferSrgb;
    return clear;
}

/// Colour targets of the kind get the four of `bits`. (What others get is not defined: they keep what they have.)
void setColor(pipeline::Clear& clear, ColorKind kind, const void* bits) {
    for (size_t i = 0; i < clear.target->color.size(); ++i) {
        const texture::ImagePtr& image = clear.target->color[i];
        if (image && colorKind(image->format()) != kind) clear.colorMask[i] = 0;
        clear.clearColor |= image && clear.colorMask[i] != 0;
    }
    std::memcpy(clear.color, bits, sizeof clear.color);
}

void setDepth(pipeline::Clear& clear, float depth) {
    clear.clearDepth = clear.target->depth && clear.depthMask;
    clear.depth = depth > 0 ? std::min(depth, 1.0f) : 0.0f;
}

void setStencil(pipeline::Clear& clear, GLint stencil) {
    clear.clearStencil = clear.target->stencil && clear.stencilMask != 0;
    clear.stencil = static_cast<uint8_t>(stencil);
}

void record(Context& c, pipeline::Clear clear) {
    if (clear.clearColor || clear.clearDepth || clear.clearStencil) c.recorder.record(std::move(clear));
}

}  // namespace

void clear(Context& c, GLbitfield mask) {
    const State& state = c.state;
    const auto isWhole = [&](GLbitfield buffer) { return (mask & buffer) != 0 && !state.scissorTest; };
    c.prepareSamples({.colors = isWhole(GL_COLOR_BUFFER_BIT) && writesAllChannels(state),
                      .depth = isWhole(GL_DEPTH_BUFFER_BIT) && state.depthMask,
                      .stencil = isWhole(GL_STENCIL_BUFFER_BIT) && (state.stencilFront.writeMask & 0xFF) == 0xFF});
    forEachView(c, [&](int) {
        pipeline::Clear clear = beginClear(c);
        setColor(clear, ColorKind::Real, state.clearColor);
        setDepth(clear, state.clearDepth);
        setStencil(clear, state.clearStencil);
        clear.clearColor &= (mask & GL_COLOR_BUFFER_BIT) != 0;
        clear.clearDepth &= (mask & GL_DEPTH_BUFFER_BIT) != 0;
        clear.clearStencil &= (mask & GL_STENCIL_BUFFER_BIT) != 0;
        record(c, std::move(clear));
    });
}

void clearColorBuffer(Context& c, GLint drawBuffer, ColorKind kind, const void* bits) {
    c.prepareSamples({});
    forEachView(c, [&](int) {
        pipeline::Clear clear = beginClear(c);
        for (size_t i = 0; i < clear.colorMask.size(); ++i)
            if (i != static_cast<size_t>(drawBuffer)) clear.colorMask[i] = 0;
        setColor(clear, kind, bits);
        record(c, std::move(clear));
    });
}

void clearDepthStencil(Context& c, const GLfloat* depth, const GLint* stencil) {
    c.prepareSamples({});
    forEachView(c, [&](int) {
        pipeline::Clear clear = beginClear(c);
        if (depth) setDepth(clear, *depth);
        if (stencil) setStencil(clear, *stencil);
        record(c, std::move(clear));
    });
}

void blit(Context& c, const validate::BlitCall& call) {
    const SamplesResolved resolved(c);
    if (c.framebuffer()) c.framebuffer()->setView(0);  // OVR_multiview: to the first view
    c.prepareSamples({});
    const ReadBuffers from = c.readBuffers();
    const pipeline::RenderTarget to = c.drawTarget();
    texture::Blit how{call.from, call.to, {0, 0, to.width, to.height}, call.filter == GL_LINEAR};
    how.asCodes = !c.state.framebufferSrgb;
    if (c.state.scissorTest) {
        const GLint* box = c.state.scissorBox;
        how.within = {box[0], box[1], box[2], box[3]};
    }
    const auto record = [&](const AttachableImage& source, const texture::ImagePtr& target, uint32_t writeMask) {
        if (!source || !target) return;
        how.writeMask = writeMask;
        c.recorder.record(pipeline::Blit{source.contents(resolved), target, how});
    };
    if ((call.mask & GL_COLOR_BUFFER_BIT) != 0)
        for (const texture::ImagePtr& target : to.color) record(from.color, target, ~0u);
    const bool depth = (call.mask & GL_DEPTH_BUFFER_BIT) != 0, stencil = (call.mask & GL_STENCIL_BUFFER_BIT) != 0;
    const bool together = depth && stencil && from.depth == from.stencil && to.depth == to.stencil;
    if (together) return record(from.depth, to.depth, ~0u);
    if (depth) record(from.depth, to.depth, 0xFFFFFF00u);
    if (stencil) record(from.stencil, to.stencil, 0xFFu);
}

}  // namespace tessera::gles
