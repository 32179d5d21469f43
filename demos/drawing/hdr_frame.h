// A frame in linear light with values above 1, as demos of today are lit, with tone mapping and the sRGB curve on the
// way to the surface.
//
// That is the end of each program that draws into the frame, and its samples are the surface's: bytes, not floats, are
// what four samples a pixel are stored and averaged in. The plain frame is half floats, four samples a pixel where the
// driver has them, then a pass over it (demos/shaders/tone_mapping.frag).
#pragma once

#include <GLES2/gl2.h>

#include <initializer_list>

namespace demos {

/// Type of texels that hold linear light: GL_HALF_FLOAT_OES where the driver renders to it, else GL_UNSIGNED_BYTE.
[[nodiscard]] GLenum linearLightType();

class HdrFrame {
public:
    HdrFrame(bool plain, float exposure);
    ~HdrFrame();
    HdrFrame(const HdrFrame&) = delete;
    HdrFrame& operator=(const HdrFrame&) = delete;

    /// A program of demos/shaders that draws into the frame: its gl_FragColor is linear light. As demos::loadProgram().
    /// Unless the frame is plain LESS_WORK is defined: the shader leaves out what is hardly seen.
    [[nodiscard]] GLuint loadProgram(const char* vertexFile, const char* fragmentFile,
                                     std::initializer_list<const char*> attributes) const;
    /// Draw calls go to the frame until end(); its colour is undefined, its depth is cleared. The depth
    /// test is on, unless the frame is plain.
    void begin(int width, int height);
    /// Shows the frame on the default framebuffer.
    void end();
    [[nodiscard]] bool isPlain() const { return plain_; }

private:
    enum class Samples { One, Implicit, Blit };  ///< how four samples become one, if there are four

    void allocate();

    bool plain_;
    float exposure_;
    Samples samples_ = Samples::One;
    GLuint program_ = 0, texture_ = 0, depth_ = 0, framebuffer_ = 0;
    GLuint color_ = 0, resolved_ = 0;  ///< of Blit alone: the samples, and the framebuffer of the texture
    int width_ = 0, height_ = 0;
};

}  // namespace demos
