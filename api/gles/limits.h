// Implementation limits, as glGet reports them.
#pragma once

#include <cstdint>

#include "pipeline/limits.h"
#include "shader-core/isa/core.h"
#include "texture/texture.h"

namespace tessera::gles {

inline constexpr int kMaxVertexAttribs = 16;
inline constexpr int kMaxVaryingVectors = 31;
inline constexpr int kMaxVertexUniformVectors = 256;
inline constexpr int kMaxFragmentUniformVectors = 256;
inline constexpr int kMaxVertexTextureUnits = 16;
inline constexpr int kMaxTextureUnits = 16;
inline constexpr int kMaxCombinedTextureUnits = 32;
inline constexpr int kMaxUniformBufferBindings = 72, kUniformBufferOffsetAlignment = 16;
inline constexpr int kMaxUniformBlockSize = 65536;
inline constexpr int kMaxVertexUniformBlocks = 12, kMaxFragmentUniformBlocks = 12, kMaxCombinedUniformBlocks = 24;
inline constexpr int kMaxFeedbackBuffers = 4;  ///< GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS
inline constexpr int kMaxFeedbackSeparateComponents = 128, kMaxFeedbackInterleavedComponents = 128;
inline constexpr int kMaxTextureSize = texture::kMaxTextureSize;
inline constexpr int kMaxRenderbufferSize = pipeline::kMaxRenderSize;
inline constexpr int kMaxSamples = texture::kMaxSamples;
inline constexpr int kInterpolationOffsetBits = 8;  ///< of interpolateAtOffset(); they are not rounded to it
inline constexpr int kMaxColorAttachments = 8, kMaxDrawBuffers = 8, kMaxDualSourceDrawBuffers = 1;
inline constexpr int kMaxDrawBuffersEs2 = 4;  ///< and colour attachments of contexts of OpenGL ES 2.0
inline constexpr int kMaxViewportSize = pipeline::kMaxRenderSize;
inline constexpr int64_t kMaxBufferSize = INT32_MAX;  ///< glGetBufferParameteriv tells the size as a GLint
/// Vertices of one draw call, over all its instances: when every vertex and instance has data of its own in the bound
/// buffers, and when not.
inline constexpr uint64_t kMaxDrawVertices = uint64_t{1} << 27, kMaxRepeatedVertices = uint64_t{1} << 24;
inline constexpr int64_t kMaxElementIndex = UINT32_MAX;
inline constexpr int kMaxRangeElements = 1 << 20;  ///< of glDrawRangeElements, and no more than a recommendation
inline constexpr float kMaxAnisotropy = texture::kMaxAnisotropy;
inline constexpr float kMinPointSize = 1, kMaxPointSize = 256;
inline constexpr float kMinLineWidth = 1, kMaxLineWidth = 64;
inline constexpr int kSubpixelBits = 8;
inline constexpr int kMaxViews = 4;
inline constexpr int kMaxClipDistances = pipeline::kMaxDistances;  ///< cull distances, and both together

static_assert(kMaxDrawBuffers <= pipeline::kMaxColorTargets && kMaxColorAttachments >= kMaxDrawBuffers);
static_assert(kMaxVertexAttribs == isa::kMaxAttributes);
static_assert(kMaxVaryingVectors == isa::kMaxVaryings);
// Shaders that are loaded, not compiled, may use all units that a program of the machine has.
static_assert(kMaxTextureUnits <= isa::kMaxTextureUnits && kMaxVertexTextureUnits <= isa::kMaxTextureUnits);

}  // namespace tessera::gles
