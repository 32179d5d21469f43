// What the program of a draw depends on: all of the fixed-function state that changes code, and nothing that is only a
// value. Equal keys have equal programs, so fields that have no effect are zero.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>
#include <type_traits>

#include "api/gles1/fixed_state.h"

namespace tessera::gles1 {

enum class Sampler : uint16_t { None, Texture2D, Cube, External };
enum class PrimitiveClass : uint16_t { Points, Lines, Triangles };

/// Enumerants of GL are kept as they are; all of them fit 16 bits.
using Enumerant = uint16_t;

struct CombineKey {
    Enumerant function, source[3], operand[3];
    uint16_t scale;
    bool operator==(const CombineKey&) const = default;
};

struct UnitKey {
    Sampler sampler;
    uint16_t hasColor, hasAlpha;  ///< of the texture's base format
    Enumerant mode;
    CombineKey rgb, alpha;  ///< of the mode GL_COMBINE
    uint16_t transformed;   ///< the texture matrix is not the identity
    uint16_t projective;    ///< q may differ from 1
    Enumerant generateMode;
    uint16_t pointCoord;  ///< coordinates are those of the point sprite
    bool operator==(const UnitKey&) const = default;
};

struct LightKey {
    uint16_t positional, spot, attenuated;
    bool operator==(const LightKey&) const = default;
};

struct ProgramKey {
    PrimitiveClass primitive;
    uint16_t drawTexture;  ///< glDrawTex: vertices are in clip coordinates, nothing is lit
    uint16_t lightCount;   ///< enabled lights
    uint16_t lighting, twoSided, colorMaterial, normalize;
    uint16_t flatColors;         ///< GL_FLAT
    LightKey light[kMaxLights];  ///< the enabled ones, in order
    Enumerant fogMode;           ///< 0: none
    Enumerant alphaFunction;     ///< 0: no test
    uint16_t clipPlanes;         ///< bit i: plane i is enabled
    uint16_t pointAttenuated, pointSmooth, pointFade, pointRounded;
    UnitKey unit[kMaxTextureUnits];
    bool operator==(const ProgramKey&) const = default;
};
static_assert(std::has_unique_object_representations_v<ProgramKey>);

struct ProgramKeyHash {
    size_t operator()(const ProgramKey& key) const {
        return std::hash<std::string_view>{}({reinterpret_cast<const char*>(&key), sizeof key});
    }
};

/// `primitive`: mode of the draw. glDrawTex passes GL_TRIANGLE_FAN.
[[nodiscard]] ProgramKey programKey(const gles::Context& c, const FixedState& state, GLenum mode, bool drawTexture);

}  // namespace tessera::gles1
