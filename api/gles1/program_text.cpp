#include "api/gles1/program_text.h"

#include <fmt/format.h>

#include <bit>

namespace tessera::gles1 {

namespace {

/// Declarations and the body of main() of one shader. A declaration may be asked for again and again.
class Text {
public:
    void declare(std::string_view what) {
        const std::string line = fmt::format("{};\n", what);
        if (declarations_.find(line) == std::string::npos) declarations_ += line;
    }
    template <class... T>
    void add(fmt::format_string<T...> format, T&&... arguments) {
        body_ += "    " + fmt::format(format, std::forward<T>(arguments)...) + "\n";
    }
    [[nodiscard]] std::string shader(std::string_view head, std::string_view functions = {}) const {
        return fmt::format("{}{}{}void main() {{\n{}}}\n", head, declarations_, functions, body_);
    }

private:
    std::string declarations_, body_;
};

/// Scalars on their way to the fragment program, four to a varying.
struct Scalars {
    explicit Scalars(const ProgramKey& key) {
        int next = 0;
        const auto take = [&](bool wanted) {
            const int place = wanted ? next++ : -1;
            return wanted ? fmt::format("scalars{}.{}", place / 4, "xyzw"[place % 4]) : std::string();
        };
        fogDistance = take(key.fogMode != 0);
        pointSize = take(key.pointSmooth != 0);
        pointFade = take(key.pointFade != 0);
        for (int i = 0; i < kMaxClipPlanes; ++i) clipDistance[i] = take((key.clipPlanes >> i & 1) != 0);
        varyings = (next + 3) / 4;
    }
    std::string fogDistance, pointSize, pointFade, clipDistance[kMaxClipPlanes];  ///< empty: not wanted
    int varyings;
};

void declareVaryings(const ProgramKey& key, Text& text) {
    text.declare("varying vec4 frontColor");
    if (key.twoSided) text.declare("varying vec4 backColor");
    for (int i = 0; i < Scalars(key).varyings; ++i) text.declare(fmt::format("varying vec4 scalars{}", i));
    for (int i = 0; i < kMaxTextureUnits; ++i) {
        const UnitKey& unit = key.unit[i];
        if (unit.sampler == Sampler::None || unit.pointCoord) continue;
        const char* type = unit.sampler == Sampler::Cube ? "vec3" : unit.projective ? "vec4" : "vec2";
        text.declare(fmt::format("varying {} textureCoord{}", type, i));
    }
}

constexpr const char* kLightStructs = R"(struct Light {
    vec4 ambient, diffuse, specular;
    vec3 position, halfVector, spotDirection, attenuation;
    float spotExponent, spotCosine;
};
struct Material {
    vec4 ambient, diffuse, specular, emission;
    float shininess;
};
)";

/// Section 2.12.1: the colour of a vertex seen from the side that `normal` points to.
std::string illuminate(const ProgramKey& key) {
    const char* ambient = key.colorMaterial ? "color" : "material.ambient";
    const char* diffuse = key.colorMaterial ? "color" : "material.diffuse";
    std::string out = "vec4 illuminate(vec3 normal, vec3 eye) {\n";
    const auto add = [&]<class... T>(fmt::format_string<T...> format, T&&... arguments) {
        out += "    " + fmt::format(format, std::forward<T>(arguments)...) + "\n";
    };
    add("vec3 sum = material.emission.rgb + {}.rgb * sceneAmbient.rgb;", ambient);
    if (key.lightCount != 0) add("vec3 toLight, halfway; float range, strength, lambert, spot, shine;");
    for (int i = 0; i < key.lightCount; ++i) {
        const LightKey& light = key.light[i];
        add("strength = 1.0;");
        if (light.positional) {
            add("toLight = light[{}].position - eye;", i);
            add("range = length(toLight);");
            add("toLight = range > 0.0 ? toLight / range : vec3(0.0);");
            add("halfway = normalize(toLight + vec3(0.0, 0.0, 1.0));");
        } else {
            add("toLight = light[{}].position;", i);
            add("halfway = light[{}].halfVector;", i);
        }
        if (light.attenuated) add("strength /= dot(light[{}].attenuation, vec3(1.0, range, range * range));", i);
        if (light.spot) {
            add("spot = -dot(toLight, light[{}].spotDirection);", i);
            add("strength *= spot >= light[{0}].spotCosine ? pow(max(spot, 0.0), light[{0}].spotExponent) : 0.0;", i);
        }
        add("lambert = max(dot(normal, toLight), 0.0);");
        add("shine = lambert > 0.0 ? pow(max(dot(normal, halfway), 0.0), material.shininess) : 0.0;");
        add("sum += strength * ({1}.rgb * light[{0}].ambient.rgb + lambert * {2}.rgb * light[{0}].diffuse.rgb"
            " + shine * material.specular.rgb * light[{0}].specular.rgb);",
            i, ambient, diffuse);
    }
    add("return clamp(vec4(sum, {}.a), 0.0, 1.0);", diffuse);
    return out + "}\n";
}

/// Coordinates of a texture unit as the fragment program gets them (section 2.10.2, OES_texture_cube_map).
void addTextureCoord(const UnitKey& unit, int i, Text& text) {
    std::string coord = fmt::format("textureCoordinate{}", i);
    if (unit.generateMode != 0) {
        // Generated coordinates take the place of s, t and r; of those that are given, q alone remains.
        const bool reflects = unit.generateMode == GL_REFLECTION_MAP_OES;
        coord = fmt::format("vec4({}, {})", reflects ? "reflect(normalize(eye), normal)" : "normal",
                            unit.projective ? coord + ".q" : "1.0");
    }
    if (unit.generateMode == 0 || unit.projective) text.declare(fmt::format("attribute vec4 textureCoordinate{}", i));
    if (unit.transformed) {
        text.declare(fmt::format("uniform mat4 textureMatrix{}", i));
        coord = fmt::format("(textureMatrix{} * {})", i, coord);
    }
    const char* part = unit.sampler == Sampler::Cube ? ".xyz" : unit.projective ? "" : ".xy";
    text.add("textureCoord{} = {}{};", i, coord, part);
}

/// Section 3.3: the size of a point, and what of it depends on multisampling.
void addPointSize(const ProgramKey& key, const Scalars& scalars, Text& text) {
    text.declare("attribute float pointSize");
    text.declare("uniform vec3 pointSizeLimits");  // minimum, maximum, fade threshold
    std::string size = "pointSize";
    if (key.pointAttenuated) {
        text.declare("uniform vec3 pointAttenuation");
        text.add("float range = length(eye);");
        size += " * inversesqrt(dot(pointAttenuation, vec3(1.0, range, range * range)))";
    }
    text.add("float size = clamp({}, pointSizeLimits.x, pointSizeLimits.y);", size);
    if (key.pointFade) {
        text.add("float fade = size >= pointSizeLimits.z ? 1.0 : size / pointSizeLimits.z;");
        text.add("size = max(size, pointSizeLimits.z);");
        text.add("{} = fade * fade;", scalars.pointFade);
    }
    text.add("size = max({}, 1.0);", key.pointRounded ? "floor(size + 0.5)" : "size");
    if (key.pointSmooth) {
        text.add("{} = size;", scalars.pointSize);
        text.add("size += 1.0;");  // a soft edge around the disk
    }
    text.add("gl_PointSize = size;");
}

}  // namespace

std::string vertexText(const ProgramKey& key) {
    Text text;
    const Scalars scalars(key);
    declareVaryings(key, text);
    text.declare("attribute vec4 vertex");
    text.declare("attribute vec4 color");
    if (key.drawTexture) {
        text.add("gl_Position = vertex;");
    } else {
        text.declare("uniform mat4 modelViewProjection");
        text.add("gl_Position = modelViewProjection * vertex;");
    }

    bool usesNormal = key.lighting && key.lightCount != 0;
    for (const UnitKey& unit : key.unit) usesNormal |= unit.generateMode != 0;
    if (usesNormal || key.clipPlanes || (key.fogMode && !key.drawTexture) || key.pointAttenuated) {
        text.declare("uniform mat4 modelView");
        text.add("vec4 eyePosition = modelView * vertex;");
        text.add("vec3 eye = eyePosition.xyz / eyePosition.w;");
    }
    if (usesNormal) {
        text.declare("attribute vec3 objectNormal");
        text.declare("uniform mat3 normalMatrix");
        text.add("vec3 normal = normalMatrix * objectNormal;");
        if (key.normalize) text.add("normal = normalize(normal);");
    }

    std::string functions;
    if (key.lighting) {
        functions = kLightStructs;
        functions += "uniform Material material;\nuniform vec4 sceneAmbient;\n";
        if (key.lightCount != 0) functions += fmt::format("uniform Light light[{}];\n", key.lightCount);
        functions += illuminate(key);
        const char* seen = usesNormal ? "normal, eye" : "vec3(0.0), vec3(0.0)";
        text.add("frontColor = illuminate({});", seen);
        if (key.twoSided) text.add("backColor = illuminate({}{});", usesNormal ? "-" : "", seen);
    } else {
        text.add("frontColor = clamp(color, 0.0, 1.0);");
    }

    if (key.fogMode) text.add("{} = {};", scalars.fogDistance, key.drawTexture ? "0.0" : "abs(eye.z)");
    for (int i = 0; i < kMaxClipPlanes; ++i) {
        if ((key.clipPlanes >> i & 1) == 0) continue;
        text.declare(fmt::format("uniform vec4 clipPlane{}", i));
        text.add("{} = dot(clipPlane{}, eyePosition);", scalars.clipDistance[i], i);
    }
    if (key.primitive == PrimitiveClass::Points) addPointSize(key, scalars, text);
    for (int i = 0; i < kMaxTextureUnits; ++i)
        if (key.unit[i].sampler != Sampler::None && !key.unit[i].pointCoord) addTextureCoord(key.unit[i], i, text);
    return text.shader("", functions);
}

namespace {

/// The colour of a texture unit.
void addTexel(const UnitKey& unit, int i, Text& text) {
    const std::string coord = unit.pointCoord ? "gl_PointCoord" : fmt::format("textureCoord{}", i);
    const char* type = unit.sampler == Sampler::Cube       ? "samplerCube"
                       : unit.sampler == Sampler::External ? "samplerExternalOES"
                                                           : "sampler2D";
    text.declare(fmt::format("uniform {} texture{}", type, i));
    if (unit.sampler == Sampler::Cube) {
        text.add("vec4 texel{0} = textureCube(texture{0}, {1});", i,
                 unit.pointCoord ? "vec3(gl_PointCoord, 0.0)" : coord);
    } else {
        text.add("vec4 texel{0} = texture2D{1}(texture{0}, {2});", i, unit.projective ? "Proj" : "", coord);
    }
}

/// Arguments of a combine function (tables 3.19 and 3.20).
class Arguments {
public:
    Arguments(const CombineKey& combine, int unit, bool isAlpha, Text& text)
        : combine_(combine), unit_(unit), isAlpha_(isAlpha), text_(text) {}

    std::string operator[](int i) const {
        const std::string source = sourceText(combine_.source[i]);
        switch (combine_.operand[i]) {
            case GL_SRC_COLOR:
                return source + ".rgb";
            case GL_ONE_MINUS_SRC_COLOR:
                return "(1.0 - " + source + ".rgb)";
            case GL_ONE_MINUS_SRC_ALPHA:
                return isAlpha_ ? "(1.0 - " + source + ".a)" : "vec3(1.0 - " + source + ".a)";
            default:
                return isAlpha_ ? source + ".a" : "vec3(" + source + ".a)";
        }
    }

private:
    std::string sourceText(Enumerant source) const {
        switch (source) {
            case GL_TEXTURE:
                return fmt::format("texel{}", unit_);
            case GL_CONSTANT:
                text_.declare(fmt::format("uniform vec4 environmentColor{}", unit_));
                return fmt::format("environmentColor{}", unit_);
            case GL_PRIMARY_COLOR:
                return "primary";
            case GL_PREVIOUS:
                return "current";
            default:
                return fmt::format("texel{}", source - GL_TEXTURE0);
        }
    }

    const CombineKey& combine_;
    const int unit_;
    const bool isAlpha_;
    Text& text_;
};

/// A combine function (table 3.18), of colour or of alpha, before it is scaled.
std::string combineText(const CombineKey& combine, int unit, bool isAlpha, Text& text) {
    const Arguments argument(combine, unit, isAlpha, text);
    std::string value;
    switch (combine.function) {
        case GL_REPLACE:
            value = argument[0];
            break;
        case GL_MODULATE:
            value = argument[0] + " * " + argument[1];
            break;
        case GL_ADD:
            value = argument[0] + " + " + argument[1];
            break;
        case GL_ADD_SIGNED:
            value = argument[0] + " + " + argument[1] + " - 0.5";
            break;
        case GL_INTERPOLATE:
            value = fmt::format("mix({1}, {0}, {2})", argument[0], argument[1], argument[2]);
            break;
        case GL_SUBTRACT:
            value = argument[0] + " - " + argument[1];
            break;
        default:  // GL_DOT3_RGB, GL_DOT3_RGBA
            value = fmt::format("vec3(4.0 * dot({} - 0.5, {} - 0.5))", argument[0], argument[1]);
    }
    return value;
}

std::string scaled(const std::string& value, const CombineKey& combine) {
    return combine.scale == 1 ? value : fmt::format("({}) * {}.0", value, combine.scale);
}

/// One texture environment: `current` is what the units before gave (tables 3.16 to 3.20).
void addEnvironment(const UnitKey& unit, int i, Text& text) {
    const std::string texel = fmt::format("texel{}", i);
    switch (unit.mode) {
        case GL_REPLACE:
            if (unit.hasColor) text.add("current.rgb = {}.rgb;", texel);
            if (unit.hasAlpha) text.add("current.a = {}.a;", texel);
            return;
        case GL_MODULATE:
            if (unit.hasColor) text.add("current.rgb *= {}.rgb;", texel);
            if (unit.hasAlpha) text.add("current.a *= {}.a;", texel);
            return;
        case GL_DECAL:
            if (unit.hasColor && unit.hasAlpha) text.add("current.rgb = mix(current.rgb, {0}.rgb, {0}.a);", texel);
            if (unit.hasColor && !unit.hasAlpha) text.add("current.rgb = {}.rgb;", texel);
            return;
        case GL_BLEND:
            text.declare(fmt::format("uniform vec4 environmentColor{}", i));
            if (unit.hasColor) text.add("current.rgb = mix(current.rgb, environmentColor{}.rgb, {}.rgb);", i, texel);
            if (unit.hasAlpha) text.add("current.a *= {}.a;", texel);
            return;
        case GL_ADD:
            if (unit.hasColor) text.add("current.rgb = min(current.rgb + {}.rgb, 1.0);", texel);
            if (unit.hasAlpha) text.add("current.a *= {}.a;", texel);
            return;
        case GL_COMBINE: {
            const std::string rgb = fmt::format("rgb{}", i);
            text.add("vec3 {} = {};", rgb, combineText(unit.rgb, i, false, text));
            const bool isDotAlpha = unit.rgb.function == GL_DOT3_RGBA;
            const std::string alpha = isDotAlpha ? rgb + ".r" : combineText(unit.alpha, i, true, text);
            text.add("current = clamp(vec4({}, {}), 0.0, 1.0);", scaled(rgb, unit.rgb), scaled(alpha, unit.alpha));
            return;
        }
    }
}

/// Section 3.8: the factor is 1 where there is no fog.
void addFog(const ProgramKey& key, const Scalars& scalars, Text& text) {
    text.declare("uniform vec4 fogColor");
    text.declare(
        "uniform vec2 fogRange");  // linear: end and scale; else the density in units of ln 2 and its like squared
    const std::string& distance = scalars.fogDistance;
    switch (key.fogMode) {
        case GL_LINEAR:
            text.add("float clear = clamp((fogRange.x - {}) * fogRange.y, 0.0, 1.0);", distance);
            break;
        case GL_EXP:
            text.add("float clear = clamp(exp2(-fogRange.x * {}), 0.0, 1.0);", distance);
            break;
        default:  // GL_EXP2
            text.add("float thickness = fogRange.y * {};", distance);
            text.add("float clear = clamp(exp2(-thickness * thickness), 0.0, 1.0);");
    }
    text.add("current.rgb = mix(fogColor.rgb, current.rgb, clear);");
}

const char* comparison(Enumerant function) {
    switch (function) {
        case GL_LESS:
            return "<";
        case GL_EQUAL:
            return "==";
        case GL_LEQUAL:
            return "<=";
        case GL_GREATER:
            return ">";
        case GL_NOTEQUAL:
            return "!=";
        default:
            return ">=";
    }
}

}  // namespace

std::string fragmentText(const ProgramKey& key) {
    Text text;
    const Scalars scalars(key);
    declareVaryings(key, text);
    // Section 2.11: primitives are clipped where the distance from a plane is negative.
    for (const std::string& distance : scalars.clipDistance)
        if (!distance.empty()) text.add("if ({} < 0.0) discard;", distance);

    bool isExternal = false;
    text.add("vec4 primary = {};", key.twoSided ? "gl_FrontFacing ? frontColor : backColor" : "frontColor");
    for (int i = 0; i < kMaxTextureUnits; ++i) {
        if (key.unit[i].sampler != Sampler::None) addTexel(key.unit[i], i, text);
        isExternal |= key.unit[i].sampler == Sampler::External;
    }
    text.add("vec4 current = primary;");
    for (int i = 0; i < kMaxTextureUnits; ++i)
        if (key.unit[i].sampler != Sampler::None) addEnvironment(key.unit[i], i, text);
    if (key.fogMode) addFog(key, scalars, text);
    if (key.pointSmooth) {
        // Section 3.3: the part of the pixel inside the disk, as if its edge were straight there.
        text.add("float distance = length(gl_PointCoord - 0.5) * ({} + 1.0);", scalars.pointSize);
        text.add("float covered = clamp(0.5 * {} - distance + 0.5, 0.0, 1.0);", scalars.pointSize);
        text.add("if (covered == 0.0) discard;");
        text.add("current.a *= covered;");
    }
    if (key.pointFade) text.add("current.a *= {};", scalars.pointFade);
    if (key.alphaFunction == GL_NEVER) {
        text.add("discard;");
    } else if (key.alphaFunction != 0) {
        text.declare("uniform float alphaReference");
        // Section 4.1.4: both are rounded to as many bits as the framebuffer has, or more. A scale of 255 would put
        // 0.1, 0.3 and 0.7 in the middle between two integers.
        text.add("if (!(floor(current.a * 4096.0 + 0.5) {} alphaReference)) discard;", comparison(key.alphaFunction));
    }
    text.add("gl_FragColor = current;");
    const std::string head = isExternal ? "#extension GL_OES_EGL_image_external : require\n" : "";
    return text.shader(head + "precision highp float;\n");
}

}  // namespace tessera::gles1
