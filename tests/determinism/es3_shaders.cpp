#include "tests/determinism/es3_shaders.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace determinism {

namespace {

/// What both stages begin with, behind the version and the extensions.
constexpr const char* kHead = R"(precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
precision highp isampler2DArray;
precision highp sampler2DArray;
precision highp sampler3D;
precision highp samplerCube;
precision highp sampler2DShadow;
precision highp sampler2DArrayShadow;
precision highp samplerCubeShadow;
uniform sampler2D u_image;
uniform usampler2D u_uints;
uniform isampler2DArray u_ints;
uniform sampler2DArray u_layers;
uniform sampler3D u_volume;
uniform samplerCube u_cube;
uniform sampler2DShadow u_shadow;
uniform sampler2DArrayShadow u_shadows;
uniform samplerCubeShadow u_cubeShadow;
uniform vec4 u_vectors[4];
uniform ivec4 u_whole;
uniform uvec4 u_bits;
uniform mat3x4 u_matrix;
layout(std140) uniform Values { vec4 values[8]; ivec4 whole; mat4 turn; uint bits; };
layout(std140, row_major) uniform Pair { mat3 m; vec4 v[2]; } pairs[2];
struct Both { vec4 first; ivec2 second[2]; };
vec4 looped(vec4 v, int n) {
    vec4 sum = v;
    int spent = 0;
    for (int i = 0; i < (n & 7); ++i) {
        if (i == 3) continue;
        sum = fract(sum * 1.5 + values[i]);
        if (sum.x > 0.9) break;
        while (++spent < (n & 3)) sum += 0.125;
    }
    return sum;
}
vec4 switched(vec4 v, int n) {
    switch (n & 7) {
        case 0: return v.wzyx;
        case 1: v.x += 1.0;
        case 2: v *= u_vectors[n & 3]; break;
        case 5: v = -v; break;
        default: v = v * 0.5 + (whole.x > 0 ? v : v.yxzw);
    }
    return v;
}
vec4 listed(vec4 v, int n) {
    vec4 list[5] = vec4[](v, v.yzwx, values[n & 7], turn[n & 3], pairs[1].v[n & 1]);
    list[n & 3][(n >> 2) & 3] += 0.5;
    Both both = Both(list[(n + 1) & 3], ivec2[2](ivec2(n), ivec2(list.length())));
    both.second[n & 1].x += 3;
    return both.first + vec4(both.second[0], both.second[1]) * 0.125;
}
uvec4 mixed(uvec4 v) {
    for (uint i = 0u; i < (v.x & 3u) + 1u; ++i) v = (v << (i + 3u) ^ v >> 5u) * 2654435761u + u_bits;
    return v;
}
bvec4 less(vec4 a, vec4 b) { return lessThan(a, b); }
)";
constexpr const char* kVertexHead = R"(
layout(location = 0) in vec4 a_position;
layout(location = 1) in vec4 a_color;
layout(location = 2) in vec4 a_instance;
layout(location = 3) in ivec4 a_ints;
layout(location = 4) in uvec4 a_uints;
out vec4 v_color;
out vec3 v_place;
centroid out vec2 v_centroid;
flat out ivec4 v_ints;
flat out uvec4 v_uints;
)";
std::string headOf(const Es3Extras& extras) {
    std::string text = "#version 300 es\n";
    const auto use = [&](bool is, const char* extension) {
        if (is) text += fmt::format("#extension {} : require\n", extension);
    };
    use(extras.samples, "GL_OES_sample_variables");
    use(extras.samples, "GL_OES_shader_multisample_interpolation");
    use(extras.reads, "GL_EXT_shader_framebuffer_fetch");
    use(extras.twoColors, "GL_EXT_blend_func_extended");
    use(extras.blends, "GL_KHR_blend_equation_advanced");
    use(extras.distances, "GL_EXT_clip_cull_distance");
    use(extras.depths, "GL_EXT_conservative_depth");
    return text + kHead;
}
/// The declarations of a stage; centroids are at the sample where shaders know of samples.
std::string varyingsOf(std::string declared, const Es3Extras& extras) {
    constexpr std::string_view kCentroid = "centroid";
    if (extras.samples) declared.replace(declared.find(kCentroid), kCentroid.size(), "sample");
    return declared;
}

constexpr const char* kFragmentHead = R"(
in vec4 v_color;
in vec3 v_place;
centroid in vec2 v_centroid;
flat in ivec4 v_ints;
flat in uvec4 v_uints;
)";

/// Expressions of four components of each kind. In a form's text $F, $I and $U are such expressions, $B is a condition,
/// $C a constant offset of a lookup, and $P the coordinates of a texel that are in the smallest image or near.
class Writer {
public:
    Writer(Chooser& choose, bool isFragment, const Es3Extras& extras)
        : choose_(choose), isFragment_(isFragment), extras_(extras) {}

    /// An output that begins as what the framebuffer holds.
    void addReadable(TargetKind kind, const std::string& name) { readable_[static_cast<size_t>(kind)].push_back(name); }

    std::string floats(int depth) {
        static constexpr const char* kVertexLeaves[] = {"a_position",
                                                        "a_color",
                                                        "a_instance",
                                                        "vec4(a_ints)",
                                                        "vec4(a_uints & 7u)",
                                                        "u_vectors[1]",
                                                        "values[gl_VertexID & 7]",
                                                        "turn[gl_InstanceID & 3]",
                                                        "vec4(gl_VertexID, gl_InstanceID, 1, 2)"};
        static constexpr const char* kFragmentLeaves[] = {"v_color",
                                                          "v_place.zyxz * 3.0",
                                                          "v_place.xyzx",
                                                          "v_place.zxyy",
                                                          "vec4(v_centroid, v_place.xy)",
                                                          "gl_FragCoord * 0.01",
                                                          "vec4(v_ints)",
                                                          "vec4(v_uints & 15u)",
                                                          "u_vectors[v_ints.x & 3]",
                                                          "values[v_uints.y & 7u]",
                                                          "vec4(gl_PointCoord, gl_FrontFacing, 1)"};
        static constexpr const char* kForms[] = {"($F + $F)",
                                                 "($F - $F)",
                                                 "($F * $F)",
                                                 "($F / (abs($F) + 0.5))",
                                                 "mix($F, $F, fract($F))",
                                                 "mix($F, $F, less($F, $F))",
                                                 "min($F, $F)",
                                                 "max($F, $F)",
                                                 "clamp($F, 0.0, 1.0)",
                                                 "(sin($F) * cos($F))",
                                                 "fract($F)",
                                                 "abs($F)",
                                                 "sqrt(abs($F))",
                                                 "normalize($F)",
                                                 "round($F)",
                                                 "roundEven($F)",
                                                 "trunc($F)",
                                                 "mod($F, 1.75)",
                                                 "exp2(clamp($F, -8.0, 8.0))",
                                                 "log2(abs($F))",
                                                 "tanh($F)",
                                                 "atan($F, $F)",
                                                 "vec4(dot($F, $F))",
                                                 "vec4(cross(($F).xyz, ($F).wxy), 1)",
                                                 "(u_matrix * ($F).zxy)",
                                                 "(turn * $F)",
                                                 "($F * transpose(turn))",
                                                 "(inverse(turn) * $F)",
                                                 "vec4(($F).xyz * pairs[0].m, 1)",
                                                 "(outerProduct($F, $F)[1])",
                                                 "vec4($I)",
                                                 "vec4($U)",
                                                 "vec4($I & 15)",
                                                 "vec4($U >> 24u) * 0.00390625",
                                                 "($B ? $F : $F)",
                                                 "looped($F, ($I).x)",
                                                 "switched($F, ($I).y)",
                                                 "listed($F, ($I).z)",
                                                 "vec4(unpackHalf2x16(($U).x), unpackSnorm2x16(($U).y))",
                                                 "vec4(unpackUnorm2x16(($U).x), ($F).xy)",
                                                 "vec4(isnan($F))",
                                                 "vec4(isinf($F))",
                                                 "step($F, $F)",
                                                 "smoothstep(-1.0, 1.5, $F)",
                                                 "($F).wxzy",
                                                 "uintBitsToFloat(($U & 0x807FFFFFu) | 0x3F000000u)",
                                                 "intBitsToFloat($I)",
                                                 "vec4(less($F, $F))",
                                                 "pow(abs($F), $F)",
                                                 "faceforward($F, $F, $F)",
                                                 "refract(normalize($F), $F, 0.7)"};
        static constexpr const char* kLookups[] = {
            "texture(u_image, ($F).xy)",
            "texture(u_image, ($F).xy)",
            "textureLod(u_image, ($F).xy, ($F).z)",
            "textureProj(u_image, ($F).xyz)",
            "textureOffset(u_image, ($F).xy, ivec2($C, $C))",
            "textureLodOffset(u_image, ($F).xy, ($F).x, ivec2($C, $C))",
            "textureGrad(u_image, ($F).xy, ($F).zw, ($F).xy)",
            "textureProjLod(u_image, $F, 1.5)",
            "textureGradOffset(u_image, ($F).xy, ($F).zw, ($F).yx, ivec2($C, $C))",
            "texelFetch(u_image, $P.xy, 0)",
            "texelFetch(u_image, $P.xy, ($I).x & 3)",
            "texelFetchOffset(u_image, $P.yz, 1, ivec2($C, $C))",
            "texture(u_layers, ($F).xyz * vec3(1, 1, 3))",
            "textureLod(u_layers, ($F).xyz, 0.5)",
            "textureOffset(u_layers, ($F).yzx, ivec2($C, $C))",
            "textureGrad(u_layers, ($F).xyz, ($F).xy, ($F).yz)",
            "texelFetch(u_layers, $P, 0)",
            "texture(u_volume, ($F).xyz)",
            "textureLod(u_volume, ($F).xyz, ($F).w)",
            "textureGrad(u_volume, ($F).xyz, ($F).xyz, ($F).yzw)",
            "textureOffset(u_volume, ($F).xyz, ivec3($C, $C, $C))",
            "texelFetch(u_volume, $P, ($I).w & 1)",
            "textureProj(u_volume, $F)",
            "texture(u_cube, ($F).xyz)",
            "textureLod(u_cube, ($F).xyz, ($F).w)",
            "textureGrad(u_cube, ($F).xyz, ($F).xyz, ($F).yzw)",
            "vec4(texture(u_shadow, ($F).xyz))",
            "vec4(textureLod(u_shadow, ($F).xyz, 0.5))",
            "vec4(textureProj(u_shadow, $F))",
            "vec4(textureOffset(u_shadow, ($F).xyz, ivec2($C, $C)))",
            "vec4(textureGrad(u_shadow, ($F).xyz, ($F).xy, ($F).yz))",
            "vec4(texture(u_shadows, $F))",
            "vec4(textureGrad(u_shadows, $F, ($F).xy, ($F).yz))",
            "vec4(texture(u_cubeShadow, $F))",
            "vec4(textureGrad(u_cubeShadow, $F, ($F).xyz, ($F).yzw))"};
        static constexpr const char* kFragmentForms[] = {"dFdx($F)",
                                                         "dFdy($F)",
                                                         "fwidth($F)",
                                                         "texture(u_image, ($F).xy, 0.75)",
                                                         "texture(u_cube, ($F).xyz, ($F).x)",
                                                         "texture(u_layers, ($F).xyz, -1.0)",
                                                         "vec4(texture(u_shadow, ($F).xyz, 1.0))"};
        static constexpr const char* kSampleForms[] = {"vec4(gl_SamplePosition, gl_SampleID, gl_NumSamples)",
                                                       "interpolateAtCentroid(v_color)",
                                                       "interpolateAtSample(v_color, ($I).x & 3)",
                                                       "interpolateAtOffset(v_color, fract(($F).xy) - 0.5)",
                                                       "vec4(interpolateAtOffset(v_place, vec2(0.25, -0.375)), 1)",
                                                       "interpolateAtSample(v_place, gl_SampleID).zxyz"};
        if (const std::string* read = readable(TargetKind::Float)) return *read;
        if (isFragment_ && extras_.samples && choose_.oneIn(6)) return filled(choose_.of(kSampleForms), depth);
        if (isFragment_ && extras_.distances && choose_.oneIn(9))
            return "vec4(gl_ClipDistance[0], gl_ClipDistance[1], gl_CullDistance[0], 1)";
        if (depth <= 0 || choose_.oneIn(8))
            return isFragment_ ? choose_.of(kFragmentLeaves) : choose_.of(kVertexLeaves);
        if (isFragment_ && choose_.oneIn(9)) return filled(choose_.of(kFragmentForms), depth);
        return filled(choose_.oneIn(3) ? choose_.of(kLookups) : choose_.of(kForms), depth);
    }

    std::string ints(int depth) {
        static constexpr const char* kForms[] = {"($I + $I)",
                                                 "($I - $I)",
                                                 "($I * $I)",
                                                 "($I & $I)",
                                                 "($I | $I)",
                                                 "($I ^ $I)",
                                                 "($I << ($I & 31))",
                                                 "($I >> ($I & 31))",
                                                 "($I / ($I | 1))",
                                                 "($I % ($I | 1))",
                                                 "(~$I)",
                                                 "(-$I)",
                                                 "abs($I)",
                                                 "sign($I)",
                                                 "min($I, $I)",
                                                 "max($I, $I)",
                                                 "clamp($I, -1000, 70000)",
                                                 "ivec4($F)",
                                                 "ivec4($U)",
                                                 "ivec4($F * 100.0)",
                                                 "floatBitsToInt($F)",
                                                 "texelFetch(u_ints, $P, 0)",
                                                 "texelFetchOffset(u_ints, $P, 0, ivec2($C, $C))",
                                                 "texture(u_ints, ($F).xyz)",
                                                 "textureLod(u_ints, ($F).xyz, 1.0)",
                                                 "ivec4(textureSize(u_image, ($I).x & 3), textureSize(u_cube, 0))",
                                                 "ivec4(textureSize(u_ints, 0), 1)",
                                                 "ivec4(textureSize(u_volume, 1), textureSize(u_shadow, 0).x)",
                                                 "($B ? $I : $I)",
                                                 "ivec4(equal($I, $I))",
                                                 "($I).wzyx",
                                                 "u_whole",
                                                 "whole",
                                                 "(u_whole * ($I).x)"};
        if (const std::string* read = readable(TargetKind::Int)) return *read;
        if (isFragment_ && extras_.samples && choose_.oneIn(6))
            return "ivec4(gl_SampleMaskIn[0], gl_SampleID, gl_NumSamples, gl_MaxSamples)";
        if (depth <= 0 || choose_.oneIn(6))
            return leaf(isFragment_ ? "v_ints" : "a_ints", "ivec4(gl_VertexID, gl_InstanceID, 7, -9)",
                        "ivec4(gl_FragCoord)");
        return filled(choose_.of(kForms), depth);
    }

    std::string uints(int depth) {
        static constexpr const char* kForms[] = {
            "($U + $U)",
            "($U - $U)",
            "($U * $U)",
            "($U & $U)",
            "($U | $U)",
            "($U ^ $U)",
            "($U << ($U & 31u))",
            "($U >> ($U & 31u))",
            "($U / ($U | 1u))",
            "($U % ($U | 1u))",
            "(~$U)",
            "(-$U)",
            "min($U, $U)",
            "max($U, $U)",
            "uvec4(abs($F))",
            "uvec4($I)",
            "uvec4(abs($F) * 100.0)",
            "floatBitsToUint($F)",
            "texelFetch(u_uints, $P.xy, 0)",
            "texelFetch(u_uints, $P.zy, 1)",
            "texture(u_uints, ($F).xy)",
            "textureOffset(u_uints, ($F).xy, ivec2($C, $C))",
            "textureLod(u_uints, ($F).xy, ($F).z)",
            "textureGrad(u_uints, ($F).xy, ($F).zw, ($F).xy)",
            "uvec4(packHalf2x16(($F).xy), packSnorm2x16(($F).zw), packUnorm2x16(($F).xw), bits)",
            "($B ? $U : $U)",
            "mixed($U)",
            "uvec4(greaterThan($U, $U))",
            "($U).yxwz",
            "u_bits",
            "($U ^ u_bits)"};
        if (const std::string* read = readable(TargetKind::Uint)) return *read;
        if (depth <= 0 || choose_.oneIn(6))
            return leaf(isFragment_ ? "v_uints" : "a_uints", "uvec4(gl_VertexID, gl_InstanceID, 5, bits)",
                        "uvec4(gl_FragCoord)");
        return filled(choose_.of(kForms), depth);
    }

private:
    /// Null mostly.
    const std::string* readable(TargetKind kind) {
        const std::vector<std::string>& names = readable_[static_cast<size_t>(kind)];
        return names.empty() || !choose_.oneIn(4)
                   ? nullptr
                   : &names[static_cast<size_t>(choose_.below(static_cast<int>(names.size())))];
    }

    std::string leaf(const char* given, const char* ofVertex, const char* ofFragment) {
        return choose_.oneIn(3) ? isFragment_ ? ofFragment : ofVertex : given;
    }

    std::string condition(int depth) {
        static constexpr const char* kForms[] = {"(($F).x < ($F).y)",
                                                 "(($I).x > ($I).y)",
                                                 "(($U).z <= ($U).w)",
                                                 "any(lessThan($F, $F))",
                                                 "all(notEqual($I, $I))",
                                                 "any(isnan($F))",
                                                 "(($I).x == 3 || ($F).y > 0.5 && ($U).x != 0u)",
                                                 "($I == $I)"};
        return filled(choose_.of(kForms), depth);
    }

    std::string filled(const char* form, int depth) {
        std::string result;
        for (; *form != '\0'; ++form) {
            if (*form != '$') {
                result += *form;
                continue;
            }
            switch (*++form) {
                case 'F':
                    result += floats(depth - 1);
                    break;
                case 'I':
                    result += ints(depth - 1);
                    break;
                case 'U':
                    result += uints(depth - 1);
                    break;
                case 'B':
                    result += condition(depth - 1);
                    break;
                case 'C':
                    result += std::to_string(choose_.between(-8, 7));
                    break;
                default:
                    result += "((" + ints(depth - 1) + ").xyz & 7)";
                    break;
            }
        }
        return result;
    }

    Chooser& choose_;
    bool isFragment_;
    const Es3Extras& extras_;
    std::array<std::vector<std::string>, 3> readable_;  ///< by kind
};

std::string writeVertex(Chooser& choose, const Es3Extras& extras) {
    Writer writer(choose, false, extras);
    std::string text = headOf(extras) + varyingsOf(kVertexHead, extras);
    if (extras.distances) text += "out highp float gl_ClipDistance[2];\nout highp float gl_CullDistance[1];\n";
    text += "void main() {\n";
    const auto line = [&](const char* name, const std::string& value) {
        text += fmt::format("    {} = {};\n", name, value);
    };
    line("v_color", choose.oneIn(3) ? "a_color" : writer.floats(2));
    line("v_place", "a_position.xyz + (" + writer.floats(2) + ").xyz * 0.25");
    line("v_centroid", "(" + writer.floats(1) + ").xy");
    line("v_ints", choose.oneIn(3) ? "a_ints + gl_InstanceID" : writer.ints(2));
    line("v_uints", choose.oneIn(3) ? "a_uints + uint(gl_VertexID)" : writer.uints(2));
    line("gl_Position", "a_position + vec4(a_instance.xy * float(gl_InstanceID) * 0.25, 0, 0)");
    line("gl_PointSize", "1.0 + fract(a_color.x) * 7.0");
    if (extras.distances) {
        line("gl_ClipDistance[0]", "(" + writer.floats(1) + ").x + 0.5");
        line("gl_ClipDistance[1]", "dot(a_position.xyw, vec3(0.5, -0.75, 0.5))");
        line("gl_CullDistance[0]", "a_position.y + (" + writer.floats(1) + ").z * 0.25 + 0.5");
    }
    return text + "}\n";
}

std::string writeFragment(Chooser& choose, const std::vector<TargetKind>& targets, const Es3Extras& extras) {
    Writer writer(choose, true, extras);
    std::string text = headOf(extras) + varyingsOf(kFragmentHead, extras), body;
    if (extras.distances) text += "in highp float gl_ClipDistance[2];\nin highp float gl_CullDistance[1];\n";
    if (extras.depths) text += "layout(depth_any) out highp float gl_FragDepth;\n";
    if (extras.blends) text += "layout(blend_support_all_equations) out;\n";
    const char* const storage = extras.reads ? "inout" : "out";
    bool isArray = choose.oneIn(3);
    for (const TargetKind kind : targets) isArray &= kind == TargetKind::Float;
    isArray &= !extras.twoColors;
    if (isArray) text += fmt::format("layout(location = 0) {} vec4 o_all[{}];\n", storage, targets.size());
    const auto nameOf = [&](size_t i) { return isArray ? fmt::format("o_all[{}]", i) : fmt::format("o_{}", i); };
    if (extras.reads)
        for (size_t i = 0; i < targets.size(); ++i) writer.addReadable(targets[i], nameOf(i));
    if (extras.twoColors) text += "layout(location = 0, index = 1) out vec4 o_second;\n";
    if (choose.oneIn(4)) body += fmt::format("    if (({}).x > 1.25) discard;\n", writer.floats(2));
    // Many targets make do with small expressions, so that a shader stays one that compiles in milliseconds.
    const int depth = targets.size() > 4 ? 2 : 3;
    for (size_t i = 0; i < targets.size(); ++i) {
        const TargetKind kind = targets[i];
        const char* type = kind == TargetKind::Float ? "vec4" : kind == TargetKind::Int ? "ivec4" : "uvec4";
        if (!isArray) text += fmt::format("layout(location = {}) {} {} o_{};\n", i, storage, type, i);
        std::string value;
        switch (kind) {
            // Half of the outputs keep what they are within what every format holds: most random numbers are beyond.
            case TargetKind::Float:
                value = writer.floats(depth);
                if (choose.oneIn(2))
                    value = fmt::format("fract({}) * 0.75 + fract({}) * 0.25", value, writer.floats(1));
                break;
            case TargetKind::Int:
                value = writer.ints(depth);
                if (choose.oneIn(2)) value = fmt::format("({}) ^ ivec4(v_place.xyzx * 90.0)", value);
                break;
            case TargetKind::Uint:
                value = writer.uints(depth);
                if (choose.oneIn(2)) value = fmt::format("({}) ^ uvec4(gl_FragCoord.xyxy)", value);
                break;
        }
        body += fmt::format("    {} = {};\n", nameOf(i), value);
    }
    if (extras.twoColors) body += fmt::format("    o_second = {};\n", writer.floats(2));
    if (extras.samples && choose.oneIn(2))
        body += fmt::format("    gl_SampleMask[0] = ({}).x | (1 << gl_SampleID);\n", writer.ints(1));
    if (choose.oneIn(5)) body += fmt::format("    gl_FragDepth = fract(({}).y);\n", writer.floats(1));
    return text + "void main() {\n" + body + "}\n";
}

}  // namespace

Es3Shaders writeEs3Shaders(Chooser& choose, const std::vector<TargetKind>& targets, const Es3Extras& extras) {
    Es3Shaders result;
    result.vertex = writeVertex(choose, extras);
    result.fragment = writeFragment(choose, targets, extras);
    return result;
}

}  // namespace determinism
