// The state that OpenGL ES 1.1 has beyond what it shares with OpenGL ES 2.0 (gles::State), with the initial values of
// the tables of OpenGL ES 1.1.12, section 6.2.
#pragma once

#include <array>

#include "api/gles/context/context.h"
#include "api/gles1/gl1.h"
#include "api/gles1/matrix.h"

namespace tessera::gles1 {

inline constexpr int kMaxLights = 8;
inline constexpr int kMaxClipPlanes = 6;
inline constexpr int kMaxTextureUnits = 8;
inline constexpr int kMaxModelViewDepth = 32, kMaxProjectionDepth = 32, kMaxTextureDepth = 10;

/// The vertex attributes by number: arrays are gles::VertexArray's, current values gles::Context::currentAttrib's.
enum Attribute : GLuint { kVertex = 0, kNormal = 1, kColor = 2, kPointSize = 3, kTextureCoord = 4 };
static_assert(kTextureCoord + kMaxTextureUnits <= gles::kMaxVertexAttribs);

struct Light {
    bool enabled = false;
    Vector4 ambient{0, 0, 0, 1}, diffuse{0, 0, 0, 1}, specular{0, 0, 0, 1};
    Vector4 position{0, 0, 1, 0};                  ///< eye coordinates
    std::array<float, 3> spotDirection{0, 0, -1};  ///< eye coordinates
    float spotExponent = 0, spotCutoff = 180;
    std::array<float, 3> attenuation{1, 0, 0};  ///< constant, linear, quadratic
};

struct Material {
    Vector4 ambient{0.2f, 0.2f, 0.2f, 1}, diffuse{0.8f, 0.8f, 0.8f, 1}, specular{0, 0, 0, 1}, emission{0, 0, 0, 1};
    float shininess = 0;
};

struct ClipPlane {
    bool enabled = false;
    Vector4 equation{0, 0, 0, 0};  ///< eye coordinates
};

/// One half, colour or alpha, of the combine mode of a texture environment.
struct Combine {
    GLenum function = GL_MODULATE;
    std::array<GLenum, 3> source{GL_TEXTURE, GL_PREVIOUS, GL_CONSTANT};
    std::array<GLenum, 3> operand;
    float scale = 1;
};

struct FixedTextureUnit {
    bool texture2D = false, textureCube = false, textureExternal = false;  ///< enabled
    GLenum mode = GL_MODULATE;
    Vector4 environmentColor{0, 0, 0, 0};
    Combine rgb{.operand = {GL_SRC_COLOR, GL_SRC_COLOR, GL_SRC_ALPHA}};
    Combine alpha{.operand = {GL_SRC_ALPHA, GL_SRC_ALPHA, GL_SRC_ALPHA}};
    bool coordReplace = false;    ///< OES_point_sprite
    bool generateCoords = false;  ///< OES_texture_cube_map
    GLenum generateMode = GL_REFLECTION_MAP_OES;
    MatrixStack matrix;
};

struct FixedState {
    // Transformation
    GLenum matrixMode = GL_MODELVIEW;
    MatrixStack modelView, projection;
    bool normalize = false, rescaleNormal = false;
    std::array<ClipPlane, kMaxClipPlanes> clipPlane;

    // Colouring and lighting
    bool lighting = false, colorMaterial = false;
    Material material;
    Vector4 sceneAmbient{0.2f, 0.2f, 0.2f, 1};
    bool twoSided = false;
    std::array<Light, kMaxLights> light;
    GLenum shadeModel = GL_SMOOTH;

    // Fog
    bool fog = false;
    GLenum fogMode = GL_EXP;
    Vector4 fogColor{0, 0, 0, 0};
    float fogDensity = 1, fogStart = 0, fogEnd = 1;

    // Rasterization
    float pointSizeMin = 0, pointSizeMax = gles::kMaxPointSize, pointFadeThreshold = 1;
    std::array<float, 3> pointAttenuation{1, 0, 0};
    bool pointSmooth = false, pointSprite = false, lineSmooth = false;

    // Multisampling
    bool sampleAlphaToOne = false;

    // Texturing
    std::array<FixedTextureUnit, kMaxTextureUnits> unit;
    int clientActiveTexture = 0;

    // Pixel operations; logical operations are in gles::State
    bool alphaTest = false;
    GLenum alphaFunction = GL_ALWAYS;
    float alphaReference = 0;

    // Hints
    GLenum perspectiveCorrectionHint = GL_DONT_CARE, pointSmoothHint = GL_DONT_CARE, lineSmoothHint = GL_DONT_CARE,
           fogHint = GL_DONT_CARE;

    FixedState() { light[0].diffuse = light[0].specular = {1, 1, 1, 1}; }

    /// The stack that matrix operations change now: of the active texture unit in the mode GL_TEXTURE.
    [[nodiscard]] MatrixStack& currentStack(int activeTexture) {
        if (matrixMode == GL_MODELVIEW) return modelView;
        return matrixMode == GL_PROJECTION ? projection : unit[static_cast<size_t>(activeTexture)].matrix;
    }
};

}  // namespace tessera::gles1
