#include "api/gles/state/state_queries.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "api/gles/extensions.h"

namespace tessera::gles {

namespace {

using Kind = StateValue::Kind;

StateValue boolean(bool value) { return {Kind::Boolean, 1, {value ? 1.0 : 0.0}}; }
StateValue integer(double value) { return {Kind::Integer, 1, {value}}; }
StateValue integers(double a, double b) { return {Kind::Integer, 2, {a, b}}; }
StateValue real(double value) { return {Kind::Float, 1, {value}}; }
StateValue reals(double a, double b) { return {Kind::Float, 2, {a, b}}; }
StateValue normalized(double value) { return {Kind::Normalized, 1, {value}}; }

template <class T>
StateValue four(Kind kind, const T (&v)[4]) {
    return {
        kind,
        4,
        {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2]), static_cast<double>(v[3])}};
}

template <class Object>
StateValue nameOf(const std::shared_ptr<Object>& object) {
    return integer(object ? object->name : 0);
}

const TextureUnit& activeUnit(const Context& c) { return c.textureUnits[static_cast<size_t>(c.activeTexture)]; }

/// Constants of the implementation (tables 6.17 to 6.20).
bool queryLimit(GLenum pname, StateValue& out) {
    switch (pname) {
        case GL_SUBPIXEL_BITS:
            out = integer(kSubpixelBits);
            return true;
        case GL_MAX_TEXTURE_SIZE:
        case GL_MAX_CUBE_MAP_TEXTURE_SIZE:
            out = integer(kMaxTextureSize);
            return true;
        case GL_MAX_3D_TEXTURE_SIZE_OES:
            out = integer(texture::kMaxDepth);
            return true;
        case GL_MAX_RENDERBUFFER_SIZE:
            out = integer(kMaxRenderbufferSize);
            return true;
        case GL_MAX_VIEWPORT_DIMS:
            out = integers(kMaxViewportSize, kMaxViewportSize);
            return true;
        case GL_MAX_TEXTURE_MAX_ANISOTROPY_EXT:
            out = real(kMaxAnisotropy);
            return true;
        case GL_ALIASED_POINT_SIZE_RANGE:
            out = reals(kMinPointSize, kMaxPointSize);
            return true;
        case GL_ALIASED_LINE_WIDTH_RANGE:
            out = reals(kMinLineWidth, kMaxLineWidth);
            return true;
        case GL_NUM_COMPRESSED_TEXTURE_FORMATS:
            out = integer(static_cast<double>(compressedFormats().size()));
            return true;
        case GL_COMPRESSED_TEXTURE_FORMATS:
            out = {Kind::Integer, static_cast<int>(compressedFormats().size()), {}, compressedFormats()};
            return true;
        case GL_NUM_PROGRAM_BINARY_FORMATS_OES:
            out = integer(1);
            return true;
        case GL_PROGRAM_BINARY_FORMATS_OES:
            out = integer(GL_PROGRAM_BINARY_TESSERA);
            return true;
        case GL_NUM_SHADER_BINARY_FORMATS:
            out = integer(1);
            return true;
        case GL_SHADER_BINARY_FORMATS:
            out = integer(GL_SHADER_BINARY_TESSERA);
            return true;
        case GL_SHADER_COMPILER:
        case GL_FRAGMENT_SHADER_DISCARDS_SAMPLES_EXT:
            out = boolean(true);
            return true;
        case GL_MAX_VERTEX_ATTRIBS:
            out = integer(kMaxVertexAttribs);
            return true;
        case GL_MAX_VERTEX_UNIFORM_VECTORS:
            out = integer(kMaxVertexUniformVectors);
            return true;
        case GL_MAX_VARYING_VECTORS:
            out = integer(kMaxVaryingVectors);
            return true;
        case GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS:
            out = integer(kMaxCombinedTextureUnits);
            return true;
        case GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS:
            out = integer(kMaxVertexTextureUnits);
            return true;
        case GL_MAX_TEXTURE_IMAGE_UNITS:
            out = integer(kMaxTextureUnits);
            return true;
        case GL_MAX_COLOR_ATTACHMENTS_EXT:
            out = integer(kMaxColorAttachments);
            return true;
        case GL_MAX_DRAW_BUFFERS_EXT:
            out = integer(kMaxDrawBuffers);
            return true;
        case GL_MAX_DUAL_SOURCE_DRAW_BUFFERS_EXT:
            out = integer(kMaxDualSourceDrawBuffers);
            return true;
        case GL_MAX_FRAGMENT_UNIFORM_VECTORS:
            out = integer(kMaxFragmentUniformVectors);
            return true;
        case GL_MAX_SAMPLES_EXT:
            out = integer(kMaxSamples);
            return true;
        case GL_MAX_SERVER_WAIT_TIMEOUT_APPLE:  // buffers are executed in order of submission: there is no waiting
        // Not of ES 2.0, yet programs for any GL ask before they know which one they have, and take the error for one
        // of a later call: "none" is a true answer.
        case GL_MAX_CLIP_DISTANCES_APPLE:
            out = integer(0);
            return true;
    }
    return false;
}

bool queryBinding(Context& c, GLenum pname, StateValue& out) {
    switch (pname) {
        case GL_ARRAY_BUFFER_BINDING:
            out = nameOf(c.arrayBuffer);
            return true;
        case GL_ELEMENT_ARRAY_BUFFER_BINDING:
            out = nameOf(c.vertexArray->elementBuffer);
            return true;
        case GL_PIXEL_PACK_BUFFER_BINDING_NV:
            out = nameOf(c.packBuffer);
            return true;
        case GL_PIXEL_UNPACK_BUFFER_BINDING_NV:
            out = nameOf(c.unpackBuffer);
            return true;
        case GL_VERTEX_ARRAY_BINDING_OES:
            out = nameOf(c.vertexArray);
            return true;
        case GL_ACTIVE_TEXTURE:
            out = integer(GL_TEXTURE0 + static_cast<GLenum>(c.activeTexture));
            return true;
        case GL_TEXTURE_BINDING_2D:
            out = nameOf(activeUnit(c).texture2D);
            return true;
        case GL_TEXTURE_BINDING_CUBE_MAP:
            out = nameOf(activeUnit(c).textureCube);
            return true;
        case GL_TEXTURE_BINDING_3D_OES:
            out = nameOf(activeUnit(c).texture3D);
            return true;
        case GL_TEXTURE_BINDING_EXTERNAL_OES:
            out = nameOf(activeUnit(c).textureExternal);
            return true;
        case GL_CURRENT_PROGRAM:
            out = nameOf(c.program);
            return true;
        case GL_PROGRAM_PIPELINE_BINDING_EXT:
            out = nameOf(c.pipeline);
            return true;
        case GL_FRAMEBUFFER_BINDING:
            out = nameOf(c.framebuffer);
            return true;
        case GL_READ_FRAMEBUFFER_BINDING_NV:
            out = nameOf(c.readFramebuffer);
            return true;
        case GL_RENDERBUFFER_BINDING:
            out = nameOf(c.renderbuffer);
            return true;
    }
    return false;
}

/// Format and type that glReadPixels takes besides RGBA and bytes.
bool queryReadFormat(Context& c, GLenum pname, StateValue& out) {
    if (pname != GL_IMPLEMENTATION_COLOR_READ_FORMAT && pname != GL_IMPLEMENTATION_COLOR_READ_TYPE) return false;
    const PixelTransfer* pair = implementationRead(texture::PixelFormat::Rgba8);
    if (c.readFramebufferStatus() == GL_FRAMEBUFFER_COMPLETE)
        if (texture::ImagePtr color = c.readTarget().color[0]) pair = implementationRead(color->format());
    out = integer(pname == GL_IMPLEMENTATION_COLOR_READ_FORMAT ? pair->format : pair->type);
    return true;
}

/// Samples of the bound framebuffer.
bool querySamples(Context& c, GLenum pname, StateValue& out) {
    if (pname != GL_SAMPLES && pname != GL_SAMPLE_BUFFERS) return false;
    const bool complete = c.framebufferStatus() == GL_FRAMEBUFFER_COMPLETE;
    const int samples = complete ? c.drawSamples() : 0;
    out = integer(pname == GL_SAMPLES ? samples : samples != 0);
    return true;
}

bool queryFramebufferBits(Context& c, GLenum pname, StateValue& out) {
    Context::ChannelBits bits = c.channelBits();
    switch (pname) {
        case GL_RED_BITS:
            out = integer(bits.red);
            return true;
        case GL_GREEN_BITS:
            out = integer(bits.green);
            return true;
        case GL_BLUE_BITS:
            out = integer(bits.blue);
            return true;
        case GL_ALPHA_BITS:
            out = integer(bits.alpha);
            return true;
        case GL_DEPTH_BITS:
            out = integer(bits.depth);
            return true;
        case GL_STENCIL_BITS:
            out = integer(bits.stencil);
            return true;
    }
    return false;
}

/// KHR_debug, EXT_robustness, KHR_context_flush_control, EXT_disjoint_timer_query.
bool queryServices(const Context& c, GLenum pname, StateValue& out) {
    switch (pname) {
        case GL_MAX_DEBUG_MESSAGE_LENGTH_KHR:
            out = integer(kMaxDebugMessageLength);
            return true;
        case GL_MAX_DEBUG_LOGGED_MESSAGES_KHR:
            out = integer(kMaxDebugLoggedMessages);
            return true;
        case GL_MAX_DEBUG_GROUP_STACK_DEPTH_KHR:
            out = integer(kMaxDebugGroupDepth);
            return true;
        case GL_MAX_LABEL_LENGTH_KHR:
            out = integer(kMaxLabelLength);
            return true;
        case GL_DEBUG_LOGGED_MESSAGES_KHR:
            out = integer(static_cast<double>(c.debug.log().size()));
            return true;
        case GL_DEBUG_NEXT_LOGGED_MESSAGE_LENGTH_KHR:
            out = integer(c.debug.log().empty() ? 0 : static_cast<double>(c.debug.log().front().text.size() + 1));
            return true;
        case GL_DEBUG_GROUP_STACK_DEPTH_KHR:
            out = integer(static_cast<double>(c.debug.groupDepth()));
            return true;
        case GL_CONTEXT_ROBUST_ACCESS_KHR:
            out = boolean(c.hasRobustAccess());
            return true;
        case GL_RESET_NOTIFICATION_STRATEGY_KHR:
            out = integer(c.notifiesReset() ? GL_LOSE_CONTEXT_ON_RESET_KHR : GL_NO_RESET_NOTIFICATION_KHR);
            return true;
        case GL_CONTEXT_RELEASE_BEHAVIOR_KHR:
            out = integer(c.flushesOnRelease() ? GL_CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR : GL_NONE);
            return true;
        case GL_TIMESTAMP_EXT:
            out = integer(static_cast<double>(pipeline::timestamp()));
            return true;
        case GL_GPU_DISJOINT_EXT:  // one steady clock for everything
            out = boolean(false);
            return true;
    }
    return false;
}

/// GL_TESSERA_counters.
bool queryCounters(GLenum pname, StateValue& out) {
    if (pname < GL_DRAWS_TESSERA || pname > GL_PRIMITIVES_TESSERA) return false;
    const pipeline::Counters counters = Driver::instance().gpu().counters();
    const uint64_t values[] = {counters.draws, counters.fragments, counters.vertices, counters.primitives};
    out = integer(static_cast<uint32_t>(values[pname - GL_DRAWS_TESSERA]));
    return true;
}

/// GL_TESSERA_texture_cache.
bool queryTextureCache(GLenum pname, StateValue& out) {
    if (!isTextureCacheCounter(pname)) return false;
    const pipeline::TextureProbe* probe = Driver::instance().gpu().textureProbe();
    out = integer(textureCacheCounter(pname, probe ? probe->total() : pipeline::TextureCacheCounters{}));
    return true;
}

/// Draw buffers of the framebuffer drawn to, read buffer of the one read from (EXT_draw_buffers, NV_read_buffer).
bool queryBuffers(const Context& c, GLenum pname, StateValue& out) {
    const bool surface = c.hasDefaultFramebuffer();
    if (pname == GL_READ_BUFFER_NV) {
        out = integer(c.readFramebuffer ? c.readFramebuffer->readBuffer : surface ? c.readBuffer : GL_NONE);
        return true;
    }
    if (pname < GL_DRAW_BUFFER0_EXT || pname >= GL_DRAW_BUFFER0_EXT + kMaxDrawBuffers) return false;
    const size_t i = pname - GL_DRAW_BUFFER0_EXT;
    const GLenum ofDefault = i == 0 && surface ? c.drawBuffer : GLenum{GL_NONE};
    out = integer(c.framebuffer ? c.framebuffer->drawBuffers[i] : ofDefault);
    return true;
}

/// Clamped to what the stencil buffer can hold (section 4.1.4).
StateValue stencilReference(const Context& c, const StencilState& face) {
    return integer(std::clamp(face.ref, 0, (1 << c.channelBits().stencil) - 1));
}

bool queryStencil(Context& c, GLenum pname, StateValue& out) {
    const State& s = c.state;
    switch (pname) {
        case GL_STENCIL_FUNC:
            out = integer(s.stencilFront.func);
            return true;
        case GL_STENCIL_REF:
            out = stencilReference(c, s.stencilFront);
            return true;
        case GL_STENCIL_VALUE_MASK:
            out = integer(s.stencilFront.valueMask);
            return true;
        case GL_STENCIL_FAIL:
            out = integer(s.stencilFront.fail);
            return true;
        case GL_STENCIL_PASS_DEPTH_FAIL:
            out = integer(s.stencilFront.depthFail);
            return true;
        case GL_STENCIL_PASS_DEPTH_PASS:
            out = integer(s.stencilFront.depthPass);
            return true;
        case GL_STENCIL_WRITEMASK:
            out = integer(s.stencilFront.writeMask);
            return true;
        case GL_STENCIL_BACK_FUNC:
            out = integer(s.stencilBack.func);
            return true;
        case GL_STENCIL_BACK_REF:
            out = stencilReference(c, s.stencilBack);
            return true;
        case GL_STENCIL_BACK_VALUE_MASK:
            out = integer(s.stencilBack.valueMask);
            return true;
        case GL_STENCIL_BACK_FAIL:
            out = integer(s.stencilBack.fail);
            return true;
        case GL_STENCIL_BACK_PASS_DEPTH_FAIL:
            out = integer(s.stencilBack.depthFail);
            return true;
        case GL_STENCIL_BACK_PASS_DEPTH_PASS:
            out = integer(s.stencilBack.depthPass);
            return true;
        case GL_STENCIL_BACK_WRITEMASK:
            out = integer(s.stencilBack.writeMask);
            return true;
        case GL_STENCIL_CLEAR_VALUE:
            out = integer(s.clearStencil);
            return true;
    }
    return false;
}

bool queryFixedFunction(const State& s, GLenum pname, StateValue& out) {
    switch (pname) {
        case GL_VIEWPORT:
            out = four(Kind::Integer, s.viewport);
            return true;
        case GL_DEPTH_RANGE:
            out = {Kind::Normalized, 2, {s.depthRange[0], s.depthRange[1]}};
            return true;
        case GL_CLIP_ORIGIN_EXT:
            out = integer(s.clipOrigin);
            return true;
        case GL_CLIP_DEPTH_MODE_EXT:
            out = integer(s.clipDepthMode);
            return true;
        case GL_LINE_WIDTH:
            out = real(s.lineWidth);
            return true;
        case GL_CULL_FACE_MODE:
            out = integer(s.cullFaceMode);
            return true;
        case GL_FRONT_FACE:
            out = integer(s.frontFace);
            return true;
        case GL_POLYGON_OFFSET_FACTOR:
            out = real(s.polygonOffsetFactor);
            return true;
        case GL_POLYGON_OFFSET_UNITS:
            out = real(s.polygonOffsetUnits);
            return true;
        case GL_POLYGON_OFFSET_CLAMP_EXT:
            out = real(s.polygonOffsetClamp);
            return true;
        case GL_SAMPLE_COVERAGE_VALUE:
            out = real(s.sampleCoverageValue);
            return true;
        case GL_SAMPLE_COVERAGE_INVERT:
            out = boolean(s.sampleCoverageInvert);
            return true;
        case GL_SCISSOR_BOX:
            out = four(Kind::Integer, s.scissorBox);
            return true;
        case GL_DEPTH_FUNC:
            out = integer(s.depthFunc);
            return true;
        case GL_BLEND_SRC_RGB:
            out = integer(s.blendSrcRgb);
            return true;
        case GL_BLEND_SRC_ALPHA:
            out = integer(s.blendSrcAlpha);
            return true;
        case GL_BLEND_DST_RGB:
            out = integer(s.blendDstRgb);
            return true;
        case GL_BLEND_DST_ALPHA:
            out = integer(s.blendDstAlpha);
            return true;
        case GL_BLEND_EQUATION_RGB:
            out = integer(s.blendEquationRgb);
            return true;
        case GL_BLEND_EQUATION_ALPHA:
            out = integer(s.blendEquationAlpha);
            return true;
        case GL_BLEND_COLOR:
            out = four(Kind::Normalized, s.blendColor);
            return true;
        case GL_COLOR_WRITEMASK:
            out = four(Kind::Boolean, s.colorMask);
            return true;
        case GL_DEPTH_WRITEMASK:
            out = boolean(s.depthMask);
            return true;
        case GL_COLOR_CLEAR_VALUE:
            out = four(Kind::Normalized, s.clearColor);
            return true;
        case GL_DEPTH_CLEAR_VALUE:
            out = normalized(s.clearDepth);
            return true;
        case GL_GENERATE_MIPMAP_HINT:
            out = integer(s.generateMipmapHint);
            return true;
        case GL_MAX_SHADER_COMPILER_THREADS_KHR:
            out = integer(s.compilerThreads);
            return true;
        case GL_FRAGMENT_SHADER_DERIVATIVE_HINT_OES:
            out = integer(s.derivativeHint);
            return true;
    }
    return false;
}

}  // namespace

bool isTextureCacheCounter(GLenum pname) {
    return pname >= GL_TEXTURE_CACHE_HITS_TESSERA && pname <= GL_TEXTURE_CACHE_BYTES_TESSERA;
}

uint32_t textureCacheCounter(GLenum pname, const pipeline::TextureCacheCounters& counters) {
    const uint64_t values[] = {counters.hits, counters.misses, counters.bankConflicts, counters.bytes};
    return static_cast<uint32_t>(values[pname - GL_TEXTURE_CACHE_HITS_TESSERA]);
}

bool* capability(Context& c, GLenum cap) {
    if (bool* own = c.fixedFunction ? c.fixedFunction->capability(c, cap) : nullptr) return own;
    State& s = c.state;
    switch (cap) {
        case GL_BLEND:
            return &s.blend;
        case GL_CULL_FACE:
            return &s.cullFace;
        case GL_DEPTH_TEST:
            return &s.depthTest;
        case GL_DITHER:
            return &s.dither;
        case GL_POLYGON_OFFSET_FILL:
            return &s.polygonOffsetFill;
        case GL_SAMPLE_ALPHA_TO_COVERAGE:
            return &s.sampleAlphaToCoverage;
        case GL_SAMPLE_COVERAGE:
            return &s.sampleCoverage;
        case GL_SCISSOR_TEST:
            return &s.scissorTest;
        case GL_STENCIL_TEST:
            return &s.stencilTest;
        case GL_DEBUG_OUTPUT_KHR:
            return &c.debug.enabled;
        case GL_DEBUG_OUTPUT_SYNCHRONOUS_KHR:
            return &c.debug.synchronous;
    }
    return nullptr;
}

bool queryState(Context& c, GLenum pname, StateValue& out) {
    if (c.fixedFunction && c.fixedFunction->queryState(c, pname, out)) return true;
    if (const GLint* parameter = pixelStoreParameter(c.state, pname)) {
        out = integer(*parameter);
        return true;
    }
    if (const bool* enabled = capability(c, pname)) {
        out = boolean(*enabled);
        return true;
    }
    bool known = queryFixedFunction(c.state, pname, out) || queryStencil(c, pname, out) ||
                 queryBinding(c, pname, out) || queryLimit(pname, out) || queryFramebufferBits(c, pname, out) ||
                 queryReadFormat(c, pname, out) || queryBuffers(c, pname, out) || queryCounters(pname, out) ||
                 queryTextureCache(pname, out) || queryServices(c, pname, out) || querySamples(c, pname, out);
    return known || c.error(GL_INVALID_ENUM);
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
            return roundToInt(value);
        case Kind::Normalized:
            if (std::isnan(value)) return 0;  // colours of float buffers are kept as they were given
            return static_cast<GLint>((4294967295.0 * std::clamp(value, -1.0, 1.0) - 1.0) / 2.0);
    }
    return 0;
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
            text = c.fixedFunction ? c.fixedFunction->versionString() : "OpenGL ES 2.0 Tessera 0.1.0";
            break;
        case GL_SHADING_LANGUAGE_VERSION:
            if (c.fixedFunction) {
                c.error(GL_INVALID_ENUM);
                break;
            }
            text = "OpenGL ES GLSL ES 1.00";
            break;
        case GL_EXTENSIONS:
            text = c.fixedFunction ? c.fixedFunction->extensionString() : extensionString();
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
