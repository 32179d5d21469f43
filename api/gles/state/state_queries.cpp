#include "api/gles/state/state_queries.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "api/gles/entry_points.h"
#include "api/gles/extensions.h"

namespace tessera::gles {

namespace {

using Kind = StateValue::Kind;

StateValue boolean(bool value) { return {Kind::Boolean, 1, {value ? 1.0 : 0.0}}; }
StateValue integer(double value) { return {Kind::Integer, 1, {value}}; }
StateValue wide(int64_t value) { return {Kind::Wide, 1, {static_cast<double>(value)}}; }
StateValue number(size_t value) { return integer(static_cast<double>(value)); }
StateValue real(double value) { return {Kind::Float, 1, {value}}; }
StateValue normalized(double value) { return {Kind::Normalized, 1, {value}}; }
StateValue list(std::span<const GLenum> values) { return {Kind::Integer, static_cast<int>(values.size()), {}, values}; }

template <class T, size_t n>
StateValue several(Kind kind, const T (&values)[n]) {
    StateValue out{kind, n, {}};
    std::transform(values, values + n, out.value.begin(), [](T value) { return static_cast<double>(value); });
    return out;
}

template <class Object>
StateValue nameOf(const std::shared_ptr<Object>& object) {
    return integer(object ? object->name : 0);
}

/// Samples of a pixel of the framebuffer drawn to, 0 without multisampling.
int samples(Context& c) { return c.framebufferStatus() == GL_FRAMEBUFFER_COMPLETE ? c.drawSamples() : 0; }

/// Format and type that glReadPixels takes besides RGBA and bytes.
const PixelTransfer& readPair(Context& c) {
    if (c.readFramebufferStatus() == GL_FRAMEBUFFER_COMPLETE)
        if (const AttachableImage color = c.readBuffers().color) return *implementationRead(c.isEs3(), color.format());
    return *implementationRead(c.isEs3(), texture::PixelFormat::Rgba8);
}

/// A draw buffer of the framebuffer that is drawn to (EXT_draw_buffers).
GLenum drawBuffer(const Context& c, size_t i) {
    if (c.framebuffer()) return c.framebuffer()->drawBuffers[i];
    return i == 0 && c.hasDefaultFramebuffer() ? c.drawBuffer : GLenum{GL_NONE};
}

/// The read buffer of the framebuffer that is read from (NV_read_buffer).
GLenum readBuffer(const Context& c) {
    if (c.readFramebuffer()) return c.readFramebuffer()->readBuffer;
    return c.hasDefaultFramebuffer() ? c.readBuffer : GLenum{GL_NONE};
}

/// Clamped to what the stencil buffer can hold (section 4.1.4).
StateValue stencilReference(const Context& c, const StencilState& face) {
    return integer(std::clamp(face.ref, 0, (1 << c.channelBits().stencil) - 1));
}

/// With its terminator.
StateValue nextMessageLength(const Context& c) {
    return c.debug.log().empty() ? integer(0) : number(c.debug.log().front().text.size() + 1);
}

pipeline::Counters gpuCounters() { return Driver::instance().gpu().counters(); }
StateValue counter(uint64_t value) { return integer(static_cast<uint32_t>(value)); }

StateValue textureCache(GLenum pname) {
    const pipeline::TextureProbe* probe = Driver::instance().gpu().textureProbe();
    return integer(textureCacheCounter(pname, probe ? probe->total() : pipeline::TextureCacheCounters{}));
}

/// Uniform components of a stage, those in blocks included.
constexpr int combinedComponents(int blocks, int vectors) { return blocks * kMaxUniformBlockSize / 4 + 4 * vectors; }

/// The sections are those of the state tables (section 6.2).
// clang-format off
constexpr StateRow kTable[] = {
    // Transformation
    {GL_VIEWPORT, kCore, [](Context& c) { return several(Kind::Integer, c.state.viewport); }},
    {GL_DEPTH_RANGE, kCore, [](Context& c) { return several(Kind::Normalized, c.state.depthRange); }},
    {GL_CLIP_ORIGIN_EXT, "EXT_clip_control", [](Context& c) { return integer(c.state.clipOrigin); }},
    {GL_CLIP_DEPTH_MODE_EXT, "EXT_clip_control", [](Context& c) { return integer(c.state.clipDepthMode); }},

    // Rasterization
    {GL_LINE_WIDTH, kCore, [](Context& c) { return real(c.state.lineWidth); }},
    {GL_CULL_FACE_MODE, kCore, [](Context& c) { return integer(c.state.cullFaceMode); }},
    {GL_FRONT_FACE, kCore, [](Context& c) { return integer(c.state.frontFace); }},
    {GL_POLYGON_OFFSET_FACTOR, kCore, [](Context& c) { return real(c.state.polygonOffsetFactor); }},
    {GL_POLYGON_OFFSET_UNITS, kCore, [](Context& c) { return real(c.state.polygonOffsetUnits); }},
    {GL_POLYGON_OFFSET_CLAMP_EXT, "EXT_polygon_offset_clamp",
     [](Context& c) { return real(c.state.polygonOffsetClamp); }},
    {GL_SAMPLE_COVERAGE_VALUE, kCore, [](Context& c) { return real(c.state.sampleCoverageValue); }},
    {GL_SAMPLE_COVERAGE_INVERT, kCore, [](Context& c) { return boolean(c.state.sampleCoverageInvert); }},
    {GL_MIN_SAMPLE_SHADING_VALUE_OES, kCore3, [](Context& c) { return real(c.state.minSampleShading); }},

    // Pixel operations
    {GL_SCISSOR_BOX, kCore, [](Context& c) { return several(Kind::Integer, c.state.scissorBox); }},
    {GL_STENCIL_FUNC, kCore, [](Context& c) { return integer(c.state.stencilFront.func); }},
    {GL_STENCIL_REF, kCore, [](Context& c) { return stencilReference(c, c.state.stencilFront); }},
    {GL_STENCIL_VALUE_MASK, kCore, [](Context& c) { return integer(c.state.stencilFront.valueMask); }},
    {GL_STENCIL_FAIL, kCore, [](Context& c) { return integer(c.state.stencilFront.fail); }},
    {GL_STENCIL_PASS_DEPTH_FAIL, kCore, [](Context& c) { return integer(c.state.stencilFront.depthFail); }},
    {GL_STENCIL_PASS_DEPTH_PASS, kCore, [](Context& c) { return integer(c.state.stencilFront.depthPass); }},
    {GL_STENCIL_BACK_FUNC, kCore, [](Context& c) { return integer(c.state.stencilBack.func); }},
    {GL_STENCIL_BACK_REF, kCore, [](Context& c) { return stencilReference(c, c.state.stencilBack); }},
    {GL_STENCIL_BACK_VALUE_MASK, kCore, [](Context& c) { return integer(c.state.stencilBack.valueMask); }},
    {GL_STENCIL_BACK_FAIL, kCore, [](Context& c) { return integer(c.state.stencilBack.fail); }},
    {GL_STENCIL_BACK_PASS_DEPTH_FAIL, kCore, [](Context& c) { return integer(c.state.stencilBack.depthFail); }},
    {GL_STENCIL_BACK_PASS_DEPTH_PASS, kCore, [](Context& c) { return integer(c.state.stencilBack.depthPass); }},
    {GL_DEPTH_FUNC, kCore, [](Context& c) { return integer(c.state.depthFunc); }},
    {GL_BLEND_SRC_RGB, kCore, [](Context& c) { return integer(c.state.drawBuffers[0].srcRgb); }},
    {GL_BLEND_SRC_ALPHA, kCore, [](Context& c) { return integer(c.state.drawBuffers[0].srcAlpha); }},
    {GL_BLEND_DST_RGB, kCore, [](Context& c) { return integer(c.state.drawBuffers[0].dstRgb); }},
    {GL_BLEND_DST_ALPHA, kCore, [](Context& c) { return integer(c.state.drawBuffers[0].dstAlpha); }},
    {GL_BLEND_EQUATION_RGB, kCore, [](Context& c) { return integer(c.state.drawBuffers[0].equationRgb); }},
    {GL_BLEND_EQUATION_ALPHA, kCore, [](Context& c) { return integer(c.state.drawBuffers[0].equationAlpha); }},
    {GL_BLEND_COLOR, kCore, [](Context& c) { return several(Kind::Normalized, c.state.blendColor); }},

    // Framebuffer control
    {GL_COLOR_WRITEMASK, kCore, [](Context& c) { return several(Kind::Boolean, c.state.drawBuffers[0].colorMask); }},
    {GL_DEPTH_WRITEMASK, kCore, [](Context& c) { return boolean(c.state.depthMask); }},
    {GL_STENCIL_WRITEMASK, kCore, [](Context& c) { return integer(c.state.stencilFront.writeMask); }},
    {GL_STENCIL_BACK_WRITEMASK, kCore, [](Context& c) { return integer(c.state.stencilBack.writeMask); }},
    {GL_COLOR_CLEAR_VALUE, kCore, [](Context& c) { return several(Kind::Normalized, c.state.clearColor); }},
    {GL_DEPTH_CLEAR_VALUE, kCore, [](Context& c) { return normalized(c.state.clearDepth); }},
    {GL_STENCIL_CLEAR_VALUE, kCore, [](Context& c) { return integer(c.state.clearStencil); }},
    {GL_DRAW_BUFFER0_EXT, "EXT_draw_buffers", [](Context& c) { return integer(drawBuffer(c, 0)); }},
    {GL_DRAW_BUFFER1_EXT, "EXT_draw_buffers", [](Context& c) { return integer(drawBuffer(c, 1)); }},
    {GL_DRAW_BUFFER2_EXT, "EXT_draw_buffers", [](Context& c) { return integer(drawBuffer(c, 2)); }},
    {GL_DRAW_BUFFER3_EXT, "EXT_draw_buffers", [](Context& c) { return integer(drawBuffer(c, 3)); }},
    {GL_MIN_FRAGMENT_INTERPOLATION_OFFSET_OES, kCore3, [](Context&) { return real(-0.5f); }},
    {GL_MAX_FRAGMENT_INTERPOLATION_OFFSET_OES, kCore3, [](Context&) { return real(0.5f); }},
    {GL_FRAGMENT_INTERPOLATION_OFFSET_BITS_OES, kCore3, [](Context&) { return integer(kInterpolationOffsetBits); }},
    {GL_DRAW_BUFFER4, kCore3, [](Context& c) { return integer(drawBuffer(c, 4)); }},
    {GL_DRAW_BUFFER5, kCore3, [](Context& c) { return integer(drawBuffer(c, 5)); }},
    {GL_DRAW_BUFFER6, kCore3, [](Context& c) { return integer(drawBuffer(c, 6)); }},
    {GL_DRAW_BUFFER7, kCore3, [](Context& c) { return integer(drawBuffer(c, 7)); }},
    {GL_READ_BUFFER_NV, "NV_read_buffer", [](Context& c) { return integer(readBuffer(c)); }},

    // Framebuffer
    {GL_RED_BITS, kCore, [](Context& c) { return integer(c.channelBits().red); }},
    {GL_GREEN_BITS, kCore, [](Context& c) { return integer(c.channelBits().green); }},
    {GL_BLUE_BITS, kCore, [](Context& c) { return integer(c.channelBits().blue); }},
    {GL_ALPHA_BITS, kCore, [](Context& c) { return integer(c.channelBits().alpha); }},
    {GL_DEPTH_BITS, kCore, [](Context& c) { return integer(c.channelBits().depth); }},
    {GL_STENCIL_BITS, kCore, [](Context& c) { return integer(c.channelBits().stencil); }},
    {GL_SAMPLE_BUFFERS, kCore, [](Context& c) { return integer(samples(c) != 0); }},
    {GL_SAMPLES, kCore, [](Context& c) { return integer(samples(c)); }},
    {GL_IMPLEMENTATION_COLOR_READ_FORMAT, kCore, [](Context& c) { return integer(readPair(c).format); }},
    {GL_IMPLEMENTATION_COLOR_READ_TYPE, kCore, [](Context& c) { return integer(readPair(c).type); }},

    // Hints
    {GL_GENERATE_MIPMAP_HINT, kCore, [](Context& c) { return integer(c.state.generateMipmapHint); }},
    {GL_FRAGMENT_SHADER_DERIVATIVE_HINT_OES, "OES_standard_derivatives",
     [](Context& c) { return integer(c.state.derivativeHint); }},
    {GL_MAX_SHADER_COMPILER_THREADS_KHR, "KHR_parallel_shader_compile",
     [](Context& c) { return integer(c.state.compilerThreads); }},

    // Bindings
    {GL_ARRAY_BUFFER_BINDING, kCore, [](Context& c) { return nameOf(c.arrayBuffer); }},
    {GL_ELEMENT_ARRAY_BUFFER_BINDING, kCore, [](Context& c) { return nameOf(c.vertexArray->elementBuffer); }},
    {GL_PIXEL_PACK_BUFFER_BINDING_NV, "NV_pixel_buffer_object", [](Context& c) { return nameOf(c.packBuffer); }},
    {GL_PIXEL_UNPACK_BUFFER_BINDING_NV, "NV_pixel_buffer_object", [](Context& c) { return nameOf(c.unpackBuffer); }},
    {GL_COPY_READ_BUFFER_BINDING, kCore3, [](Context& c) { return nameOf(c.copyReadBuffer); }},
    {GL_COPY_WRITE_BUFFER_BINDING, kCore3, [](Context& c) { return nameOf(c.copyWriteBuffer); }},
    {GL_UNIFORM_BUFFER_BINDING, kCore3, [](Context& c) { return nameOf(c.uniformBuffer); }},
    {GL_VERTEX_ARRAY_BINDING_OES, "OES_vertex_array_object", [](Context& c) { return nameOf(c.vertexArray); }},
    {GL_ACTIVE_TEXTURE, kCore, [](Context& c) { return integer(GL_TEXTURE0 + static_cast<GLenum>(c.activeTexture)); }},
    {GL_TEXTURE_BINDING_2D, kCore, [](Context& c) { return nameOf(*c.textureBinding(GL_TEXTURE_2D)); }},
    {GL_TEXTURE_BINDING_CUBE_MAP, kCore, [](Context& c) { return nameOf(*c.textureBinding(GL_TEXTURE_CUBE_MAP)); }},
    {GL_TEXTURE_BINDING_3D_OES, "OES_texture_3D",
     [](Context& c) { return nameOf(*c.textureBinding(GL_TEXTURE_3D_OES)); }},
    {GL_TEXTURE_BINDING_2D_ARRAY, kCore3,
     [](Context& c) { return nameOf(*c.textureBinding(GL_TEXTURE_2D_ARRAY)); }},
    {GL_SAMPLER_BINDING, kCore3,
     [](Context& c) { return nameOf(c.textureImageUnits[static_cast<size_t>(c.activeTexture)].sampler); }},
    {GL_TEXTURE_BINDING_EXTERNAL_OES, "OES_EGL_image_external",
     [](Context& c) { return nameOf(*c.textureBinding(GL_TEXTURE_EXTERNAL_OES)); }},
    {GL_CURRENT_PROGRAM, kCore, [](Context& c) { return nameOf(c.program); }},
    {GL_PROGRAM_PIPELINE_BINDING_EXT, "EXT_separate_shader_objects", [](Context& c) { return nameOf(c.pipeline); }},
    {GL_FRAMEBUFFER_BINDING, kCore, [](Context& c) { return nameOf(c.framebuffer()); }},
    {GL_READ_FRAMEBUFFER_BINDING_NV, "NV_framebuffer_blit", [](Context& c) { return nameOf(c.readFramebuffer()); }},
    {GL_RENDERBUFFER_BINDING, kCore, [](Context& c) { return nameOf(c.renderbuffer); }},

    // Limits
    {GL_SUBPIXEL_BITS, kCore, [](Context&) { return integer(kSubpixelBits); }},
    {GL_MAX_TEXTURE_SIZE, kCore, [](Context&) { return integer(kMaxTextureSize); }},
    {GL_MAX_CUBE_MAP_TEXTURE_SIZE, kCore, [](Context&) { return integer(kMaxTextureSize); }},
    {GL_MAX_3D_TEXTURE_SIZE_OES, "OES_texture_3D", [](Context&) { return integer(texture::kMaxDepth); }},
    {GL_MAX_TEXTURE_MAX_ANISOTROPY_EXT, "EXT_texture_filter_anisotropic",
     [](Context&) { return real(kMaxAnisotropy); }},
    {GL_MAX_RENDERBUFFER_SIZE, kCore, [](Context&) { return integer(kMaxRenderbufferSize); }},
    {GL_MAX_SAMPLES_EXT, "EXT_multisampled_render_to_texture", [](Context&) { return integer(kMaxSamples); }},
    {GL_MAX_VIEWPORT_DIMS, kCore,
     [](Context&) { return several(Kind::Integer, {kMaxViewportSize, kMaxViewportSize}); }},
    {GL_ALIASED_POINT_SIZE_RANGE, kCore, [](Context&) { return several(Kind::Float, {kMinPointSize, kMaxPointSize}); }},
    {GL_ALIASED_LINE_WIDTH_RANGE, kCore, [](Context&) { return several(Kind::Float, {kMinLineWidth, kMaxLineWidth}); }},
    {GL_MAX_VERTEX_ATTRIBS, kCore, [](Context&) { return integer(kMaxVertexAttribs); }},
    {GL_MAX_VERTEX_UNIFORM_VECTORS, kCore, [](Context&) { return integer(kMaxVertexUniformVectors); }},
    {GL_MAX_VARYING_VECTORS, kCore, [](Context&) { return integer(kMaxVaryingVectors); }},
    {GL_MAX_FRAGMENT_UNIFORM_VECTORS, kCore, [](Context&) { return integer(kMaxFragmentUniformVectors); }},
    {GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, kCore, [](Context&) { return integer(kMaxCombinedTextureUnits); }},
    {GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, kCore, [](Context&) { return integer(kMaxVertexTextureUnits); }},
    {GL_MAX_TEXTURE_IMAGE_UNITS, kCore, [](Context&) { return integer(kMaxTextureUnits); }},
    {GL_MAX_COLOR_ATTACHMENTS_EXT, "EXT_draw_buffers", [](Context& c) { return integer(c.maxColorAttachments()); }},
    {GL_MAX_DRAW_BUFFERS_EXT, "EXT_draw_buffers", [](Context& c) { return integer(c.maxDrawBuffers()); }},
    {GL_MAX_ARRAY_TEXTURE_LAYERS, kCore3, [](Context&) { return integer(texture::kMaxLayers); }},
    {GL_MAX_TEXTURE_LOD_BIAS, kCore3, [](Context&) { return real(texture::kMaxLodBias); }},
    {GL_MAX_ELEMENT_INDEX, kCore3, [](Context&) { return wide(kMaxElementIndex); }},
    {GL_MAX_ELEMENTS_INDICES, kCore3, [](Context&) { return integer(kMaxRangeElements); }},
    {GL_MAX_ELEMENTS_VERTICES, kCore3, [](Context&) { return integer(kMaxRangeElements); }},
    {GL_MAX_VARYING_COMPONENTS, kCore3, [](Context&) { return integer(4 * kMaxVaryingVectors); }},
    {GL_MAX_VERTEX_OUTPUT_COMPONENTS, kCore3, [](Context&) { return integer(4 * kMaxVaryingVectors); }},
    {GL_MAX_FRAGMENT_INPUT_COMPONENTS, kCore3, [](Context&) { return integer(4 * kMaxVaryingVectors); }},
    {GL_MAX_VERTEX_UNIFORM_COMPONENTS, kCore3, [](Context&) { return integer(4 * kMaxVertexUniformVectors); }},
    {GL_MAX_FRAGMENT_UNIFORM_COMPONENTS, kCore3, [](Context&) { return integer(4 * kMaxFragmentUniformVectors); }},
    {GL_MAX_VERTEX_UNIFORM_BLOCKS, kCore3, [](Context&) { return integer(kMaxVertexUniformBlocks); }},
    {GL_MAX_FRAGMENT_UNIFORM_BLOCKS, kCore3, [](Context&) { return integer(kMaxFragmentUniformBlocks); }},
    {GL_MAX_COMBINED_UNIFORM_BLOCKS, kCore3, [](Context&) { return integer(kMaxCombinedUniformBlocks); }},
    {GL_MAX_UNIFORM_BUFFER_BINDINGS, kCore3, [](Context&) { return integer(kMaxUniformBufferBindings); }},
    {GL_MAX_UNIFORM_BLOCK_SIZE, kCore3, [](Context&) { return integer(kMaxUniformBlockSize); }},
    {GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, kCore3, [](Context&) { return integer(kUniformBufferOffsetAlignment); }},
    {GL_MAX_COMBINED_VERTEX_UNIFORM_COMPONENTS, kCore3,
     [](Context&) { return integer(combinedComponents(kMaxVertexUniformBlocks, kMaxVertexUniformVectors)); }},
    {GL_MAX_COMBINED_FRAGMENT_UNIFORM_COMPONENTS, kCore3,
     [](Context&) { return integer(combinedComponents(kMaxFragmentUniformBlocks, kMaxFragmentUniformVectors)); }},
    {GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, kCore3,
     [](Context&) { return integer(kMaxFeedbackInterleavedComponents); }},
    {GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, kCore3, [](Context&) { return integer(kMaxFeedbackBuffers); }},
    {GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS, kCore3, [](Context&) { return integer(kMaxFeedbackSeparateComponents); }},
    {GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, kCore3, [](Context& c) { return nameOf(c.feedbackBuffer); }},
    {GL_TRANSFORM_FEEDBACK_BINDING, kCore3, [](Context& c) { return nameOf(c.transformFeedback); }},
    {GL_TRANSFORM_FEEDBACK_ACTIVE, kCore3, [](Context& c) { return boolean(c.transformFeedback->isActive); }},
    {GL_TRANSFORM_FEEDBACK_PAUSED, kCore3, [](Context& c) { return boolean(c.transformFeedback->isPaused); }},
    {GL_MIN_PROGRAM_TEXEL_OFFSET, kCore3, [](Context& c) { return integer(c.glslLimits().minTexelOffset); }},
    {GL_MAX_PROGRAM_TEXEL_OFFSET, kCore3, [](Context& c) { return integer(c.glslLimits().maxTexelOffset); }},
    {GL_MAX_DUAL_SOURCE_DRAW_BUFFERS_EXT, "EXT_blend_func_extended",
     [](Context&) { return integer(kMaxDualSourceDrawBuffers); }},
    {GL_FRAGMENT_SHADER_DISCARDS_SAMPLES_EXT, "EXT_shader_framebuffer_fetch", [](Context&) { return boolean(true); }},
    {GL_SHADER_COMPILER, kCore, [](Context&) { return boolean(true); }},
    {GL_NUM_SHADER_BINARY_FORMATS, kCore, [](Context&) { return integer(1); }},
    {GL_SHADER_BINARY_FORMATS, kCore, [](Context&) { return integer(GL_SHADER_BINARY_TESSERA); }},
    {GL_NUM_PROGRAM_BINARY_FORMATS_OES, "OES_get_program_binary", [](Context&) { return integer(1); }},
    {GL_PROGRAM_BINARY_FORMATS_OES, "OES_get_program_binary",
     [](Context&) { return integer(GL_PROGRAM_BINARY_TESSERA); }},
    {GL_NUM_COMPRESSED_TEXTURE_FORMATS, kCore, [](Context&) { return number(compressedFormats().size()); }},
    {GL_COMPRESSED_TEXTURE_FORMATS, kCore, [](Context&) { return list(compressedFormats()); }},
    // Buffers are executed in order of submission: there is no waiting.
    {GL_MAX_SERVER_WAIT_TIMEOUT_APPLE, "APPLE_sync", [](Context&) { return integer(0); }},
    // Not of ES 2.0, yet programs for any GL ask before they know which one they have, and take the error for one
    // of a later call: "none" is a true answer.
    {GL_MAX_CLIP_DISTANCES_EXT, "APPLE_clip_distance",
     [](Context& c) { return integer(c.isEs3() ? kMaxClipDistances : 0); }},
    {GL_MAX_VIEWS_OVR, kCore3, [](Context&) { return integer(kMaxViews); }},
    {GL_MAX_CULL_DISTANCES_EXT, kCore3, [](Context&) { return integer(kMaxClipDistances); }},
    {GL_MAX_COMBINED_CLIP_AND_CULL_DISTANCES_EXT, kCore3, [](Context&) { return integer(kMaxClipDistances); }},

    // Version
    {GL_MAJOR_VERSION, kCore3, [](Context&) { return integer(3); }},
    {GL_MINOR_VERSION, kCore3, [](Context&) { return integer(0); }},
    {GL_NUM_EXTENSIONS, kCore3, [](Context& c) { return number(extensions(c.isEs3()).size()); }},

    // Debug output, robustness, time
    {GL_MAX_DEBUG_MESSAGE_LENGTH_KHR, "KHR_debug", [](Context&) { return integer(kMaxDebugMessageLength); }},
    {GL_MAX_DEBUG_LOGGED_MESSAGES_KHR, "KHR_debug", [](Context&) { return integer(kMaxDebugLoggedMessages); }},
    {GL_MAX_DEBUG_GROUP_STACK_DEPTH_KHR, "KHR_debug", [](Context&) { return integer(kMaxDebugGroupDepth); }},
    {GL_MAX_LABEL_LENGTH_KHR, "KHR_debug", [](Context&) { return integer(kMaxLabelLength); }},
    {GL_DEBUG_LOGGED_MESSAGES_KHR, "KHR_debug", [](Context& c) { return number(c.debug.log().size()); }},
    {GL_DEBUG_NEXT_LOGGED_MESSAGE_LENGTH_KHR, "KHR_debug", [](Context& c) { return nextMessageLength(c); }},
    {GL_DEBUG_GROUP_STACK_DEPTH_KHR, "KHR_debug", [](Context& c) { return number(c.debug.groupDepth()); }},
    {GL_CONTEXT_ROBUST_ACCESS_KHR, "KHR_robustness", [](Context& c) { return boolean(c.hasRobustAccess()); }},
    {GL_RESET_NOTIFICATION_STRATEGY_KHR, "KHR_robustness",
     [](Context& c) {
         return integer(c.notifiesReset() ? GL_LOSE_CONTEXT_ON_RESET_KHR : GL_NO_RESET_NOTIFICATION_KHR);
     }},
    {GL_CONTEXT_RELEASE_BEHAVIOR_KHR, "KHR_context_flush_control",
     [](Context& c) { return integer(c.flushesOnRelease() ? GL_CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR : GL_NONE); }},
    {GL_TIMESTAMP_EXT, "EXT_disjoint_timer_query", [](Context&) { return integer(static_cast<double>(pipeline::timestamp())); }},
    // One steady clock for everything.
    {GL_GPU_DISJOINT_EXT, "EXT_disjoint_timer_query", [](Context&) { return boolean(false); }},

    // Tessera's own
    {GL_DRAWS_TESSERA, "TESSERA_counters", [](Context&) { return counter(gpuCounters().draws); }},
    {GL_FRAGMENTS_TESSERA, "TESSERA_counters", [](Context&) { return counter(gpuCounters().fragments); }},
    {GL_VERTICES_TESSERA, "TESSERA_counters", [](Context&) { return counter(gpuCounters().vertices); }},
    {GL_PRIMITIVES_TESSERA, "TESSERA_counters", [](Context&) { return counter(gpuCounters().primitives); }},
    {GL_TEXTURE_CACHE_HITS_TESSERA, "TESSERA_texture_cache",
     [](Context&) { return textureCache(GL_TEXTURE_CACHE_HITS_TESSERA); }},
    {GL_TEXTURE_CACHE_MISSES_TESSERA, "TESSERA_texture_cache",
     [](Context&) { return textureCache(GL_TEXTURE_CACHE_MISSES_TESSERA); }},
    {GL_TEXTURE_CACHE_CONFLICTS_TESSERA, "TESSERA_texture_cache",
     [](Context&) { return textureCache(GL_TEXTURE_CACHE_CONFLICTS_TESSERA); }},
    {GL_TEXTURE_CACHE_BYTES_TESSERA, "TESSERA_texture_cache",
     [](Context&) { return textureCache(GL_TEXTURE_CACHE_BYTES_TESSERA); }},
};
// clang-format on

/// The table's rows in the order of their names.
constexpr auto kRows = [] {
    auto rows = std::to_array(kTable);
    std::ranges::sort(rows, {}, &StateRow::name);
    return rows;
}();
static_assert(kMaxDrawBuffers == 8);
static_assert(std::ranges::adjacent_find(kRows, {}, &StateRow::name) == kRows.end());

struct Capability {
    GLenum name;
    bool State::* state;
    bool es3 = false;  ///< of OpenGL ES 3.0 alone
};
constexpr Capability kCapabilities[] = {
    {GL_BLEND_ADVANCED_COHERENT_KHR, &State::advancedBlendCoherent, true},
    {GL_CULL_FACE, &State::cullFace},
    {GL_DEPTH_CLAMP_EXT, &State::depthClamp, true},
    {GL_DEPTH_TEST, &State::depthTest},
    {GL_DITHER, &State::dither},
    {GL_FRAMEBUFFER_SRGB_EXT, &State::framebufferSrgb, true},
    {GL_POLYGON_OFFSET_FILL, &State::polygonOffsetFill},
    {GL_PRIMITIVE_RESTART_FIXED_INDEX, &State::primitiveRestart, true},
    {GL_RASTERIZER_DISCARD, &State::rasterizerDiscard, true},
    {GL_SAMPLE_ALPHA_TO_COVERAGE, &State::sampleAlphaToCoverage},
    {GL_SAMPLE_COVERAGE, &State::sampleCoverage},
    {GL_SAMPLE_SHADING_OES, &State::sampleShading, true},
    {GL_SCISSOR_TEST, &State::scissorTest},
    {GL_STENCIL_TEST, &State::stencilTest},
};

}  // namespace

uint32_t textureCacheCounter(GLenum pname, const pipeline::TextureCacheCounters& counters) {
    const uint64_t values[] = {counters.hits, counters.misses, counters.bankConflicts, counters.bytes};
    return static_cast<uint32_t>(values[pname - GL_TEXTURE_CACHE_HITS_TESSERA]);
}

bool* capability(Context& c, GLenum cap) {
    bool* const own = c.fixedFunction ? c.fixedFunction->capability(c, cap) : nullptr;
    if (own != nullptr) return own;
    if (cap == GL_DEBUG_OUTPUT_KHR) return &c.debug.enabled;
    if (cap == GL_DEBUG_OUTPUT_SYNCHRONOUS_KHR) return &c.debug.synchronous;
    if (cap == GL_BLEND) return &c.state.drawBuffers[0].blend;
    if (c.isEs3() && cap >= GL_CLIP_DISTANCE0_EXT && cap - GL_CLIP_DISTANCE0_EXT < c.state.clipDistance.size())
        return &c.state.clipDistance[cap - GL_CLIP_DISTANCE0_EXT];
    const auto* row = std::ranges::find(kCapabilities, cap, &Capability::name);
    return row != std::end(kCapabilities) && (!row->es3 || c.isEs3()) ? &(c.state.*row->state) : nullptr;
}

std::span<const StateRow> stateRows() { return kRows; }

bool queryState(Context& c, GLenum pname, StateValue& out) {
    if (c.fixedFunction && c.fixedFunction->queryState(c, pname, out)) return true;
    if (const GLint* parameter = pixelStoreParameter(c.state, c.isEs3(), pname)) {
        out = integer(*parameter);
        return true;
    }
    if (const bool* enabled = capability(c, pname)) {
        out = boolean(*enabled);
        return true;
    }
    const auto* row = std::ranges::lower_bound(kRows, pname, {}, &StateRow::name);
    if (row == kRows.end() || row->name != pname || (row->since == kCore3 && !c.isEs3()))
        return c.error(GL_INVALID_ENUM);
    out = row->read(c);
    return true;
}

namespace {

/// What draw buffer `index` has of a name; false for other names.
bool queryDrawBuffer(Context& c, GLenum name, GLuint index, StateValue& out) {
    struct Row {
        GLenum name;
        GLenum DrawBufferState::* value;
    };
    static constexpr Row kRows[] = {
        {GL_BLEND_SRC_RGB, &DrawBufferState::srcRgb},
        {GL_BLEND_SRC_ALPHA, &DrawBufferState::srcAlpha},
        {GL_BLEND_DST_RGB, &DrawBufferState::dstRgb},
        {GL_BLEND_DST_ALPHA, &DrawBufferState::dstAlpha},
        {GL_BLEND_EQUATION_RGB, &DrawBufferState::equationRgb},
        {GL_BLEND_EQUATION_ALPHA, &DrawBufferState::equationAlpha},
    };
    const DrawBufferState& buffer = c.state.drawBuffers[index < c.state.drawBuffers.size() ? index : 0];
    if (const Row* row = std::ranges::find(kRows, name, &Row::name); row != std::end(kRows))
        out = integer(buffer.*row->value);
    else if (name == GL_COLOR_WRITEMASK)
        out = several(Kind::Boolean, buffer.colorMask);
    else
        return false;
    return true;
}

}  // namespace

bool queryIndexedState(Context& c, GLenum name, GLuint index, StateValue& out) {
    struct Row {
        GLenum name, target;
        int64_t (*read)(const IndexedBinding& binding);
    };
    constexpr auto kName = [](const IndexedBinding& binding) -> int64_t {
        return binding.buffer ? binding.buffer->name : 0;
    };
    constexpr auto kStart = [](const IndexedBinding& binding) -> int64_t { return binding.offset; };
    constexpr auto kSize = [](const IndexedBinding& binding) -> int64_t { return binding.size; };
    static constexpr Row kRows[] = {
        {GL_UNIFORM_BUFFER_BINDING, GL_UNIFORM_BUFFER, kName},
        {GL_UNIFORM_BUFFER_START, GL_UNIFORM_BUFFER, kStart},
        {GL_UNIFORM_BUFFER_SIZE, GL_UNIFORM_BUFFER, kSize},
        {GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, GL_TRANSFORM_FEEDBACK_BUFFER, kName},
        {GL_TRANSFORM_FEEDBACK_BUFFER_START, GL_TRANSFORM_FEEDBACK_BUFFER, kStart},
        {GL_TRANSFORM_FEEDBACK_BUFFER_SIZE, GL_TRANSFORM_FEEDBACK_BUFFER, kSize},
    };
    if (queryDrawBuffer(c, name, index, out)) return index < c.state.drawBuffers.size() || c.error(GL_INVALID_VALUE);
    const Row* row = std::ranges::find(kRows, name, &Row::name);
    if (row == std::end(kRows)) return c.error(GL_INVALID_ENUM);
    const IndexedBinding* binding = c.indexedBinding(row->target, index);
    if (!binding) return c.error(GL_INVALID_VALUE);
    out = wide(row->read(*binding));
    return true;
}

GLboolean toBoolean(const StateValue& state, int i) { return state.at(i) != 0 ? GL_TRUE : GL_FALSE; }

GLint roundToInt(double value) {
    if (!(value > -2147483648.0)) return value < 0 ? INT32_MIN : 0;
    return value >= 2147483647.0 ? INT32_MAX : static_cast<GLint>(std::floor(value + 0.5));
}

GLint toInt(const StateValue& state, int i) {
    double value = state.at(i);
    switch (state.kind) {
        case Kind::Boolean:
        case Kind::Integer:
            return static_cast<GLint>(static_cast<uint32_t>(static_cast<int64_t>(value)));  // masks keep their bits
        case Kind::Float:
        case Kind::Wide:
            return roundToInt(value);
        case Kind::Normalized:
            if (std::isnan(value)) return 0;  // colours of float buffers are kept as they were given
            return static_cast<GLint>((4294967295.0 * std::clamp(value, -1.0, 1.0) - 1.0) / 2.0);
    }
    return 0;
}

GLint64 toInt64(const StateValue& state, int i) {
    return state.kind == Kind::Wide ? static_cast<GLint64>(state.at(i)) : toInt(state, i);
}

GLfloat toFloat(const StateValue& state, int i) { return static_cast<GLfloat>(state.at(i)); }

const GLubyte* queryString(Context& c, GLenum name) {
    const char* text = nullptr;
    switch (name) {
        case GL_VENDOR:
            text = "Tessera";
            break;
        case GL_RENDERER:
            text = Driver::instance().rendererString();
            break;
        case GL_VERSION:
            text = c.fixedFunction ? c.fixedFunction->versionString()
                   : c.isEs3()     ? "OpenGL ES 3.0 Tessera " TESSERA_VERSION
                                   : "OpenGL ES 2.0 Tessera " TESSERA_VERSION;
            break;
        case GL_SHADING_LANGUAGE_VERSION:
            if (c.fixedFunction) {
                c.error(GL_INVALID_ENUM);
                break;
            }
            text = c.isEs3() ? "OpenGL ES GLSL ES 3.00" : "OpenGL ES GLSL ES 1.00";
            break;
        case GL_EXTENSIONS:
            text = c.fixedFunction ? c.fixedFunction->extensionString() : extensionString(c.isEs3());
            break;
        default:
            c.error(GL_INVALID_ENUM);
    }
    return reinterpret_cast<const GLubyte*>(text);
}

void copyString(std::string_view text, GLsizei bufSize, GLsizei* length, GLchar* out) {
    size_t n = bufSize > 0 && out ? std::min(text.size(), static_cast<size_t>(bufSize) - 1) : 0;
    if (bufSize > 0 && out) {
        std::memcpy(out, text.data(), n);
        out[n] = '\0';
    }
    if (length) *length = static_cast<GLsizei>(n);
}

GLint lengthWithTerminator(std::string_view text) { return text.empty() ? 0 : static_cast<GLint>(text.size()) + 1; }

}  // namespace tessera::gles
