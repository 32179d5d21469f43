#include "api/gles/framebuffers/contents.h"

#include <algorithm>

#include "api/gles/formats.h"
#include "pipeline/commands.h"

namespace tessera::gles {

void renderbufferStorage(Context& c, GLsizei samples, GLenum internalformat, GLsizei width, GLsizei height) {
    Renderbuffer& renderbuffer = *c.renderbuffer;
    texture::ImagePtr image;
    if (width > 0 && height > 0)
        image =
            makeImage(c.recorder, renderbufferFormat(internalformat), width, height, samples == 0 ? 1 : kMaxSamples);
    renderbuffer.internalformat = internalformat;
    renderbuffer.width = width;
    renderbuffer.height = height;
    renderbuffer.image = std::move(image);
}

void clear(Context& c, GLbitfield mask) {
    const State& state = c.state;
    c.prepareSamples((mask & GL_COLOR_BUFFER_BIT) && !state.scissorTest && colorMaskBits(state) == 0xF);
    pipeline::Clear clear;
    clear.target = c.drawTarget();
    clear.scissorTest = state.scissorTest;
    clear.scissor = {state.scissorBox[0], state.scissorBox[1], state.scissorBox[2], state.scissorBox[3]};
    clear.colorMask.fill(colorMaskBits(state));
    clear.depthMask = state.depthMask;
    clear.stencilMask = static_cast<uint8_t>(state.stencilFront.writeMask);
    const bool anyColor = std::any_of(clear.target.color.begin(), clear.target.color.end(),
                                      [](const texture::ImagePtr& image) { return image != nullptr; });
    clear.clearColor = (mask & GL_COLOR_BUFFER_BIT) && anyColor && colorMaskBits(state) != 0;
    clear.clearDepth = (mask & GL_DEPTH_BUFFER_BIT) && clear.target.depth && clear.depthMask;
    clear.clearStencil = (mask & GL_STENCIL_BUFFER_BIT) && clear.target.stencil && clear.stencilMask != 0;
    if (!clear.clearColor && !clear.clearDepth && !clear.clearStencil) return;
    std::copy_n(state.clearColor, 4, clear.color);
    clear.depth = state.clearDepth;
    clear.stencil = static_cast<uint8_t>(state.clearStencil);
    c.recorder.record(std::move(clear));
}

void blit(Context& c, const validate::BlitCall& call) {
    const SamplesResolved resolved(c);
    c.prepareSamples(false);
    const ReadBuffers from = c.readBuffers();
    const pipeline::RenderTarget to = c.drawTarget();
    texture::Blit how{call.from, call.to, {0, 0, to.width, to.height}, call.filter == GL_LINEAR};
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
