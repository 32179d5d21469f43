/* Tokens of Tessera's OpenGL ES extensions, beside <GLES2/gl2ext.h>. Their texts are in docs/extensions. */
#ifndef GLES2_GL2TESSERA_H
#define GLES2_GL2TESSERA_H

#ifndef GL_TESSERA_counters
#define GL_TESSERA_counters 1
#define GL_DRAWS_TESSERA 0x9F10
#define GL_FRAGMENTS_TESSERA 0x9F11
#define GL_VERTICES_TESSERA 0x9F12
#define GL_PRIMITIVES_TESSERA 0x9F13
#endif

#ifndef GL_TESSERA_shader_binary
#define GL_TESSERA_shader_binary 1
#define GL_SHADER_BINARY_TESSERA 0x9F01
#define GL_PROGRAM_BINARY_TESSERA 0x9F02
#endif

#ifndef GL_TESSERA_texture_cache
#define GL_TESSERA_texture_cache 1
#define GL_TEXTURE_CACHE_HITS_TESSERA 0x9F18
#define GL_TEXTURE_CACHE_MISSES_TESSERA 0x9F19
#define GL_TEXTURE_CACHE_CONFLICTS_TESSERA 0x9F1A
#define GL_TEXTURE_CACHE_BYTES_TESSERA 0x9F1B
#endif

/* Its types are tokens of EXT_read_format_bgra. */
#ifndef GL_TESSERA_texture_packed_bgra
#define GL_TESSERA_texture_packed_bgra 1
#endif

#endif
