// GL_TESSERA_shader_binary: assembled ISA programs as shaders.
//
// glShaderBinary accepts binaryformat GL_SHADER_BINARY_TESSERA: the bytes of one .tsb file (shader-core/isa/program.h),
// as written by `tessera as`. `count` is one, and the shader's type is the program's stage. Bytes that do not parse or
// do not pass the verifier give GL_INVALID_VALUE; the reason is the shader's info log. A program object links two
// binaries, or two GLSL shaders, never one of each: binaries agree by the names and registers they declare.
#pragma once

#ifndef GL_SHADER_BINARY_TESSERA
#define GL_SHADER_BINARY_TESSERA 0x9F01
#endif
