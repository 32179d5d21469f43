#include "api/gles1/uniforms.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/portable_math.h"

namespace tessera::gles1 {

namespace {

constexpr double kLog2E = 0x1.71547652b82fep0, kSqrtLog2E = 0x1.337cc2183b05p0;

template <size_t N>
void put(const std::array<float, N>& from, float* out) {
    std::copy(from.begin(), from.end(), out);
}

std::array<float, 3> normalized(double x, double y, double z) {
    const double length = std::sqrt(x * x + y * y + z * z);
    const double scale = length > 0 ? 1 / length : 0;
    return {static_cast<float>(x * scale), static_cast<float>(y * scale), static_cast<float>(z * scale)};
}

/// Positional lights: where they are. Directional ones: the unit vector to them.
std::array<float, 3> lightPosition(const Light& light) {
    const auto [x, y, z, w] = light.position;
    if (w == 0) return normalized(x, y, z);
    return {x / w, y / w, z / w};
}

/// Between the vectors to a directional light and to the viewer, who is at (0, 0, infinity) (section 2.12.1).
std::array<float, 3> halfVector(const Light& light) {
    const auto [x, y, z] = lightPosition(light);
    return normalized(x, y, double{z} + 1);
}

/// Section 2.10.3: the inverse transposed, rescaled so that unit normals stay that under a uniform scale.
void normalMatrix(const UniformInputs& in, float* out) {
    const Matrix& inverse = in.modelViewInverse;
    double scale = 1;
    if (in.state.rescaleNormal) {
        const double row =
            double{inverse[2]} * inverse[2] + double{inverse[6]} * inverse[6] + double{inverse[10]} * inverse[10];
        if (row > 0) scale = 1 / std::sqrt(row);
    }
    for (size_t column = 0; column < 3; ++column)
        for (size_t row = 0; row < 3; ++row)
            out[3 * column + row] = static_cast<float>(inverse[4 * row + column] * scale);
}

struct Row {
    std::string_view name;
    UniformValue value;
};

#define VALUE [](const UniformInputs& in, [[maybe_unused]] size_t i, float* out)
const Row kRows[] = {{"modelView", VALUE{put(in.state.modelView.top(), out);
}  // namespace
}  // namespace tessera::gles1
, {"modelViewProjection", VALUE{put(in.state.projection.top() * in.state.modelView.top(), out);
}
}
, {"normalMatrix", VALUE{normalMatrix(in, out);
}
}
, {"textureMatrix", VALUE{put(in.state.unit[i].matrix.top(), out);
}
}
, {"environmentColor", VALUE{put(in.state.unit[i].environmentColor, out);
}
}
, {"clipPlane", VALUE{put(in.state.clipPlane[i].equation, out);
}
}
, {"sceneAmbient", VALUE{put(in.state.sceneAmbient, out);
}
}
, {"material.ambient", VALUE{put(in.state.material.ambient, out);
}
}
, {"material.diffuse", VALUE{put(in.state.material.diffuse, out);
}
}
, {"material.specular", VALUE{put(in.state.material.specular, out);
}
}
, {"material.emission", VALUE{put(in.state.material.emission, out);
}
}
, {"material.shininess", VALUE{* out = in.state.material.shininess;
}
}
, {"light.ambient", VALUE{put(in.enabledLights[i]->ambient, out);
}
}
, {"light.diffuse", VALUE{put(in.enabledLights[i]->diffuse, out);
}
}
, {"light.specular", VALUE{put(in.enabledLights[i]->specular, out);
}
}
, {"light.position", VALUE{put(lightPosition(*in.enabledLights[i]), out);
}
}
, {"light.halfVector", VALUE{put(halfVector(*in.enabledLights[i]), out);
}
}
, {"light.attenuation", VALUE{put(in.enabledLights[i]->attenuation, out);
}
}
, {"light.spotDirection", VALUE{const auto& direction = in.enabledLights[i]->spotDirection;
put(normalized(direction[0], direction[1], direction[2]), out);
}
}
, {"light.spotExponent", VALUE{* out = in.enabledLights[i]->spotExponent;
}
}
, {"light.spotCosine",
   VALUE{* out = static_cast<float>(portable::cos(in.enabledLights[i]->spotCutoff * 0x1.1df46a2529d39p-6));
}
}
, {"fogColor", VALUE{put(in.state.fogColor, out);
}
}
, {"fogRange", VALUE{const FixedState& state = in.state;
if (state.fogMode == GL_LINEAR) {
    const double range = double{state.fogEnd} - state.fogStart;
    put(std::array{state.fogEnd, range != 0 ? static_cast<float>(1 / range) : 1.0f}, out);
} else {
    put(std::array{static_cast<float>(state.fogDensity * kLog2E), static_cast<float>(state.fogDensity * kSqrtLog2E)},
        out);
}
}
}
, {"alphaReference", VALUE{* out = std::floor(in.state.alphaReference * 4096 + 0.5f);
}
}
, {"pointAttenuation", VALUE{put(in.state.pointAttenuation, out);
}
}
, {"pointSizeLimits", VALUE{const FixedState& state = in.state;
put(std::array{state.pointSizeMin, std::max(state.pointSizeMin, state.pointSizeMax), state.pointFadeThreshold}, out);
}
}
,
}
;
#undef VALUE

}  // namespace

UniformInputs::UniformInputs(const FixedState& s) : state(s), modelViewInverse(inverse(s.modelView.top())) {
    auto next = enabledLights.begin();
    for (const Light& light : s.light)
        if (light.enabled) *next++ = &light;
}

UniformSource uniformSource(std::string_view name) {
    std::string base;
    size_t index = 0;
    for (const char character : name) {
        if (character >= '0' && character <= '9')
            index = static_cast<size_t>(character - '0');
        else if (character != '[' && character != ']')
            base += character;
    }
    const auto* row = std::ranges::find(kRows, std::string_view(base), &Row::name);
    return row == std::end(kRows) ? UniformSource{} : UniformSource{row->value, index};
}

}  // namespace tessera::gles1
