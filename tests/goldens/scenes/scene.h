// What the scenes of the determinism test share: a context of EGL's surfaceless platform, no surface at all; programs;
// pictures. A scene is a plain OpenGL ES 2.0 or 3.0 program that runs on any driver and draws the same every time.
#pragma once

#define GL_GLEXT_PROTOTYPES 1
#include <EGL/egl.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include <initializer_list>
#include <string>

namespace scenes {

/// `scene --out FILE`: makes a context current, draws, writes what the bound framebuffer holds, prints GL_RENDERER.
int run(int argc, char** argv, int width, int height, void (*draw)(), int version = 2);

/// Address of an extension's function; ends the program with status 1 when there is none.
[[nodiscard]] void (*procedureAddress(const char* name))();
template <class Function>
Function procedure(const char* name) {
    return reinterpret_cast<Function>(procedureAddress(name));
}

[[nodiscard]] bool hasExtension(const char* name);

/// Compiles, links and uses a program with attribute i of the list at location i; ends the program on failure.
GLuint useProgram(const std::string& vertex, const std::string& fragment,
                  std::initializer_list<const char*> attributes);
[[nodiscard]] GLint uniform(const char* name);  ///< of the program in use

/// Cosine and sine of an angle in turns, by basic operations: the same with every C library.
struct Direction {
    float x, y;
};
[[nodiscard]] Direction direction(double turns);

/// Two triangles over the viewport from client memory, at location 0; other arrays are disabled.
void drawQuad();
extern const char* const kQuadVertex;  ///< varying vec2 at: 0..1 over the quad

/// A new texture, bound, without mipmaps: linear and clamped.
GLuint newTexture(GLenum target = GL_TEXTURE_2D);
/// Level 0 of an RGBA texture of that size: a checkered board of `cells` x `cells` in two colours (0xAABBGGRR).
void boardImage(GLenum target, int size, int cells, unsigned a, unsigned b, GLenum internal = GL_RGBA,
                GLenum format = GL_RGBA);

}  // namespace scenes
