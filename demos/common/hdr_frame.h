// A frame in linear light with values above 1, as demos of today are lit: half floats, four samples a pixel where the
// driver has them, then tone mapping and the sRGB curve on the way to the surface (demos/shaders/tone_mapping.frag).
#pragma once

#include <GLES2/gl2.h>

namespace demos {

/// Type of texels that hold linear light: GL_HALF_FLOAT_OES where the driver renders to it, else GL_UNSIGNED_BYTE.
[[nodiscard]] GLenum linearLightType();

class HdrFrame {
public:
    HdrFrame();
    ~HdrFrame();
    HdrFrame(const HdrFrame&) = delete;
    HdrFrame& operator=(const HdrFrame&) = delete;

    /// Draw calls go to the frame until end(); its colour is undefined, its depth is cleared.
    void begin(int width, int height);
    /// Shows the frame on the default framebuffer.
    void end(float exposure);

private:
    enum class Samples { One, Implicit, Blit };  ///< how four samples become one, if there are four

    void allocate();

    Samples samples_ = Samples::One;
    GLuint program_ = 0, texture_ = 0, depth_ = 0, framebuffer_ = 0;
    GLuint color_ = 0, resolved_ = 0;  ///< of Blit alone: the samples, and the framebuffer of the texture
    GLint exposure_ = -1;
    int width_ = 0, height_ = 0;
};

/// Two triangles over the whole viewport at location 0: vec2 positions -1 .. 1.
void drawScreenQuad();

}  // namespace demos
