// GL_TESSERA_shader_binary: assembled ISA programs as shaders.
//
// glShaderBinary accepts binaryformat GL_SHADER_BINARY_TESSERA: the bytes of one .tsb file (shader-core/isa/program.h),
// as written by `tessera as`. `count` is one, and the shader's type is the program's stage. Bytes that do not parse or
// do not pass the verifier give GL_INVALID_VALUE; the reason is the shader's info log. A program object links two
// binaries, or two GLSL shaders, never one of each: binaries agree by the names and registers they declare.
//
// GL_TESSERA_counters: what the GPU has done since the process started, for overlays and tests. Four names for
// glGetIntegerv (and the other state queries), low 32 bits: GL_DRAWS_TESSERA draw calls, GL_FRAGMENTS_TESSERA runs of a
// fragment shader for a pixel, GL_VERTICES_TESSERA runs of a vertex shader, GL_PRIMITIVES_TESSERA points, lines and
// triangles that reached the rasterizer. All contexts count together. Only finished work is counted, and asking does
// not wait: glFinish first for an exact answer.
//
// GL_TESSERA_texture_cache: what the model of the texture units' caches has counted (model/texture_cache.h), for a
// process that was started with TESSERA_STATS=1; in any other the numbers are 0. Four names, low 32 bits:
// GL_TEXTURE_CACHE_HITS_TESSERA lines that were there when a lookup asked for them, GL_TEXTURE_CACHE_MISSES_TESSERA
// those that were not, GL_TEXTURE_CACHE_CONFLICTS_TESSERA cycles lost to bank conflicts, GL_TEXTURE_CACHE_BYTES_TESSERA
// bytes fetched. glGetIntegerv counts for all units since the process started, glGetTexParameteriv for the bound
// texture. Only finished work is counted: the difference between two answers after glFinish is that of the draws
// between.
#pragma once

#ifndef GL_SHADER_BINARY_TESSERA
#define GL_SHADER_BINARY_TESSERA 0x9F01
#endif
#ifndef GL_PROGRAM_BINARY_TESSERA
#define GL_PROGRAM_BINARY_TESSERA 0x9F02  // see program_binary.h
#endif
#ifndef GL_TEXTURE_CACHE_HITS_TESSERA
#define GL_TEXTURE_CACHE_HITS_TESSERA 0x9F18
#define GL_TEXTURE_CACHE_MISSES_TESSERA 0x9F19
#define GL_TEXTURE_CACHE_CONFLICTS_TESSERA 0x9F1A
#define GL_TEXTURE_CACHE_BYTES_TESSERA 0x9F1B
#endif
#ifndef GL_DRAWS_TESSERA
#define GL_DRAWS_TESSERA 0x9F10
#define GL_FRAGMENTS_TESSERA 0x9F11
#define GL_VERTICES_TESSERA 0x9F12
#define GL_PRIMITIVES_TESSERA 0x9F13
#endif

namespace tessera::gles {

/// GL_EXTENSIONS.
[[nodiscard]] const char* extensionString();

}  // namespace tessera::gles
