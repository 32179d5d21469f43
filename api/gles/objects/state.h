// Per-context state in GL's own terms, with the initial values of the tables of OpenGL ES 2.0.25, section 6.2.
#pragma once

#include <array>
#include <cstdint>

#include "api/gles/gles.h"
#include "api/gles/limits.h"

namespace tessera::pipeline {
struct PixelState;
struct RasterState;
}  // namespace tessera::pipeline

namespace tessera::gles {

struct StencilState {
    GLenum func = GL_ALWAYS;
    GLint ref = 0;
    GLuint valueMask = ~0u;
    GLenum fail = GL_KEEP, depthFail = GL_KEEP, depthPass = GL_KEEP;
    GLuint writeMask = ~0u;
};

/// How rows of pixels lie in client memory: the alignment of ES 2.0, the rest by EXT_unpack_subimage and
/// NV_pack_subimage.
struct PixelStore {
    GLint alignment = 4;
    GLint rowLength = 0;  ///< pixels from one row to the next; 0: the transfer's width
    GLint skipRows = 0, skipPixels = 0;
    GLint imageHeight = 0, skipImages = 0;  ///< of images of three dimensions: rows of each (0: as it has), and first
    GLint reverseRows = GL_FALSE;           ///< ANGLE_pack_reverse_row_order: the last row comes first
};

/// How colours go to a draw buffer (tables 6.10, 6.11).
struct DrawBufferState {
    bool blend = false;
    GLenum srcRgb = GL_ONE, srcAlpha = GL_ONE, dstRgb = GL_ZERO, dstAlpha = GL_ZERO;
    GLenum equationRgb = GL_FUNC_ADD, equationAlpha = GL_FUNC_ADD;
    bool colorMask[4] = {true, true, true, true};
};

/// GL_CLEAR and GL_COPY of OpenGL ES 1.1.
inline constexpr GLenum kClearLogicOperation = 0x1500, kCopyLogicOperation = 0x1503;

struct State {
    // Vertices (OpenGL ES 3.0.6, table 6.2)
    bool primitiveRestart = false;  ///< GL_PRIMITIVE_RESTART_FIXED_INDEX

    // Transformation (table 6.4)
    GLint viewport[4] = {0, 0, 0, 0};
    GLfloat depthRange[2] = {0, 1};
    bool depthClamp = false;                                                            ///< EXT_depth_clamp
    std::array<bool, kMaxClipDistances> clipDistance{};                                 ///< EXT_clip_cull_distance
    GLenum clipOrigin = GL_LOWER_LEFT_EXT, clipDepthMode = GL_NEGATIVE_ONE_TO_ONE_EXT;  ///< EXT_clip_control

    // Rasterization (table 6.5)
    GLfloat lineWidth = 1;
    bool cullFace = false;
    GLenum cullFaceMode = GL_BACK;
    GLenum frontFace = GL_CCW;
    GLfloat polygonOffsetFactor = 0, polygonOffsetUnits = 0, polygonOffsetClamp = 0;
    bool polygonOffsetFill = false;
    bool rasterizerDiscard = false;

    // Multisampling (table 6.6)
    bool multisample = true;  ///< false: no operations on coverage (OpenGL ES 1.1)
    bool sampleAlphaToCoverage = false, sampleCoverage = false;
    GLfloat sampleCoverageValue = 1;
    bool sampleCoverageInvert = false;
    bool sampleShading = false;  ///< OES_sample_shading
    GLfloat minSampleShading = 0;

    // Pixel operations (tables 6.9, 6.10)
    bool scissorTest = false;
    GLint scissorBox[4] = {0, 0, 0, 0};
    bool stencilTest = false;
    StencilState stencilFront, stencilBack;
    bool depthTest = false;
    GLenum depthFunc = GL_LESS;
    GLfloat blendColor[4] = {0, 0, 0, 0};
    bool dither = true;
    bool advancedBlendCoherent = true;   ///< KHR_blend_equation_advanced_coherent
    bool framebufferSrgb = true;         ///< EXT_sRGB_write_control
    bool logicOperationEnabled = false;  ///< OpenGL ES 1.1
    GLenum logicOperation = kCopyLogicOperation;

    /// Of each draw buffer.
    std::array<DrawBufferState, kMaxDrawBuffers> drawBuffers;
    bool drawBuffersDiffer = false;  ///< they have been set one by one (OES_draw_buffers_indexed)

    // Framebuffer control (table 6.11)
    bool depthMask = true;
    GLfloat clearColor[4] = {0, 0, 0, 0};
    GLfloat clearDepth = 1;
    GLint clearStencil = 0;

    // Pixels (table 6.12)
    PixelStore unpack, pack;

    // Hints (table 6.16)
    GLenum generateMipmapHint = GL_DONT_CARE;
    GLenum derivativeHint = GL_DONT_CARE;
    GLuint compilerThreads = ~0u;  ///< KHR_parallel_shader_compile
};

/// The place of an equation in table X.3 of KHR_blend_equation_advanced, as in glsl::LinkResult::blendSupport; -1: it
/// is none of them.
[[nodiscard]] int advancedBlendEquation(GLenum mode);

/// The glPixelStorei parameter of that name; null when there is none, or none in contexts of that version
/// (Context::isEs3).
[[nodiscard]] GLint* pixelStoreParameter(State& state, bool isEs3, GLenum pname);

/// The state as the pipeline wants it. Every enum has been validated when it was set.
[[nodiscard]] pipeline::RasterState rasterState(const State& state);
[[nodiscard]] pipeline::PixelState pixelState(const State& state);
[[nodiscard]] uint8_t colorMaskBits(const DrawBufferState& buffer);
/// Of all draw buffers.
[[nodiscard]] bool writesAllChannels(const State& state);

}  // namespace tessera::gles
