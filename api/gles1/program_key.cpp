#include "api/gles1/program_key.h"

#include <algorithm>

namespace tessera::gles1 {

namespace {

/// The texture that the unit looks up: the enabled target of highest rank, if its texture is complete.
Sampler enabledSampler(const FixedTextureUnit& unit, const gles::TextureImageUnit& bound, gles::Texture*& texture) {
    Sampler sampler = Sampler::None;
    if (unit.texture2D) sampler = Sampler::Texture2D, texture = bound.binding(GL_TEXTURE_2D)->get();
    if (unit.textureCube) sampler = Sampler::Cube, texture = bound.binding(GL_TEXTURE_CUBE_MAP)->get();
    if (unit.textureExternal) sampler = Sampler::External, texture = bound.binding(GL_TEXTURE_EXTERNAL_OES)->get();
    return sampler != Sampler::None && texture->isComplete() ? sampler : Sampler::None;
}

/// What table 3.15 calls the base internal format: whether the texture says anything about colour and alpha.
void setFormat(const gles::Texture& texture, UnitKey& key) {
    const gles::TextureLevel& level = texture.level(0, 0);
    if (level.isCompressed) {
        key.hasColor = key.hasAlpha = 1;
        key.hasAlpha = texture::formatInfo(level.image.format()).alpha != 0;
        return;
    }
    key.hasColor = level.format != GL_ALPHA;
    key.hasAlpha = level.format == GL_ALPHA || level.format == GL_LUMINANCE_ALPHA || level.format == GL_RGBA ||
                   level.format == GL_BGRA_EXT || level.format == GL_SRGB_ALPHA_EXT;
}

int argumentCount(GLenum function) {
    if (function == GL_REPLACE) return 1;
    return function == GL_INTERPOLATE ? 3 : 2;
}

CombineKey combineKey(const Combine& combine) {
    CombineKey key{};
    key.function = static_cast<Enumerant>(combine.function);
    for (int i = 0; i < argumentCount(combine.function); ++i) {
        key.source[i] = static_cast<Enumerant>(combine.source[static_cast<size_t>(i)]);
        key.operand[i] = static_cast<Enumerant>(combine.operand[static_cast<size_t>(i)]);
    }
    key.scale = static_cast<uint16_t>(combine.scale);
    return key;
}

/// False when the q of some vertex may not be 1 after the texture matrix.
bool hasUnitQ(const gles::Context& c, const Matrix& matrix, size_t unit) {
    const gles::AttribArray& array = c.vertexArray->attribs[kTextureCoord + unit];
    const bool unitQ = array.enabled ? array.size < 4 : c.currentAttrib[kTextureCoord + unit][3] == 1;
    return unitQ && matrix[3] == 0 && matrix[7] == 0 && matrix[11] == 0 && matrix[15] == 1;
}

UnitKey unitKey(const gles::Context& c, const FixedState& state, size_t i, const ProgramKey& program) {
    UnitKey key{};
    const FixedTextureUnit& unit = state.unit[i];
    gles::Texture* texture = nullptr;
    key.sampler = enabledSampler(unit, c.textureImageUnits[i], texture);
    if (key.sampler == Sampler::None) return key;
    setFormat(*texture, key);
    key.mode = static_cast<Enumerant>(unit.mode);
    if (unit.mode == GL_COMBINE) {
        key.rgb = combineKey(unit.rgb);
        key.alpha = combineKey(unit.alpha);
        if (unit.rgb.function == GL_DOT3_RGBA) key.alpha = {.scale = key.alpha.scale};  // the function has no effect
    }
    key.pointCoord = program.primitive == PrimitiveClass::Points && state.pointSprite && unit.coordReplace;
    if (key.pointCoord || program.drawTexture) return key;
    key.transformed = unit.matrix.top() != kIdentity;
    if (unit.generateCoords) key.generateMode = static_cast<Enumerant>(unit.generateMode);
    key.projective = key.sampler != Sampler::Cube && !hasUnitQ(c, unit.matrix.top(), i);
    return key;
}

/// Texture units whose textures a combine function reads.
bool readsMissingTexture(const ProgramKey& key, const CombineKey& combine) {
    return std::ranges::any_of(combine.source, [&](Enumerant source) {
        return source >= GL_TEXTURE0 && source < GL_TEXTURE0 + kMaxTextureUnits &&
               key.unit[source - GL_TEXTURE0].sampler == Sampler::None;
    });
}

}  // namespace

ProgramKey programKey(const gles::Context& c, const FixedState& state, GLenum mode, bool drawTexture) {
    ProgramKey key{};
    key.primitive = mode == GL_POINTS     ? PrimitiveClass::Points
                    : mode < GL_TRIANGLES ? PrimitiveClass::Lines
                                          : PrimitiveClass::Triangles;
    key.drawTexture = drawTexture;
    key.lighting = state.lighting && !drawTexture;
    key.flatColors = state.shadeModel == GL_FLAT && key.primitive != PrimitiveClass::Points && !drawTexture;
    if (key.lighting) {
        key.twoSided = state.twoSided && key.primitive == PrimitiveClass::Triangles;
        key.colorMaterial = state.colorMaterial;
        for (const Light& light : state.light) {
            if (!light.enabled) continue;
            LightKey& out = key.light[key.lightCount++];
            out.positional = light.position[3] != 0;
            out.spot = light.spotCutoff != 180;
            out.attenuated = out.positional && light.attenuation != std::array<float, 3>{1, 0, 0};
        }
    }
    if (state.fog) key.fogMode = static_cast<Enumerant>(state.fogMode);
    if (state.alphaTest && state.alphaFunction != GL_ALWAYS)
        key.alphaFunction = static_cast<Enumerant>(state.alphaFunction);
    if (!drawTexture)
        for (size_t i = 0; i < kMaxClipPlanes; ++i)
            key.clipPlanes |= static_cast<uint16_t>(state.clipPlane[i].enabled << i);
    if (key.primitive == PrimitiveClass::Points) {
        const bool samples = c.state.multisample && c.drawSamples() != 0;
        key.pointAttenuated = state.pointAttenuation != std::array<float, 3>{1, 0, 0};
        key.pointSmooth = state.pointSmooth && !state.pointSprite;
        key.pointFade = samples && state.pointFadeThreshold > 0;
        key.pointRounded = !state.pointSmooth && !state.pointSprite && !samples;
    }
    bool generates = false;
    for (size_t i = 0; i < kMaxTextureUnits; ++i) {
        key.unit[i] = unitKey(c, state, i, key);
        generates |= key.unit[i].generateMode != 0;
    }
    // As with ARB_texture_env_crossbar, a stage that reads a texture that is not there does nothing.
    for (UnitKey& unit : key.unit)
        if (readsMissingTexture(key, unit.rgb) || readsMissingTexture(key, unit.alpha)) unit.mode = 0;
    key.normalize = state.normalize && ((key.lighting && key.lightCount != 0) || generates);
    return key;
}

}  // namespace tessera::gles1
