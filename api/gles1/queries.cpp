// glGet* of the state that OpenGL ES 1.1 alone has: one row for each name (OpenGL ES 1.1.12, tables 6.3 to 6.22).
#include <algorithm>
#include <bit>

#include "api/gles1/fixed_context.h"

namespace tessera::gles1 {

namespace {

using gles::StateValue;
using Kind = StateValue::Kind;

/// What a row reads.
struct Source {
    const gles::Context& c;
    const FixedState& state;
    [[nodiscard]] const gles::AttribArray& array(GLuint index) const { return c.vertexArray->attribs[index]; }
    [[nodiscard]] const gles::AttribArray& coords() const {
        return array(kTextureCoord + static_cast<GLuint>(state.clientActiveTexture));
    }
    [[nodiscard]] const FixedTextureUnit& unit() const { return state.unit[static_cast<size_t>(c.activeTexture)]; }
};

struct Row {
    GLenum name;
    Kind kind;
    int count;
    void (*read)(const Source& from, double* out);
};

void put(double* out, std::initializer_list<double> values) { std::ranges::copy(values, out); }
template <size_t N>
void put(double* out, const std::array<float, N>& values) {
    std::ranges::copy(values, out);
}
/// OES_matrix_get: the bits of the floats, as integers.
void putBits(double* out, const Matrix& matrix) {
    std::ranges::transform(matrix, out, [](float value) { return std::bit_cast<int32_t>(value); });
}
double nameOf(const gles::AttribArray& array) { return array.buffer ? array.buffer->name : 0; }

#define READ [](const Source& from, double* out)
const Row kRows[] = {
    // Current values
    {GL_CURRENT_COLOR, Kind::Normalized, 4, READ{put(out, from.c.currentAttrib[kColor]);
}  // namespace
}  // namespace tessera::gles1
, {GL_CURRENT_NORMAL, Kind::Normalized, 3, READ{std::copy_n(from.c.currentAttrib[kNormal].begin(), 3, out);
}
}
, {GL_CURRENT_TEXTURE_COORDS, Kind::Float, 4,
   READ{put(out, from.c.currentAttrib[kTextureCoord + static_cast<size_t>(from.c.activeTexture)]);
}
}
,
    // Vertex arrays
    {GL_CLIENT_ACTIVE_TEXTURE, Kind::Integer, 1, READ{* out = GL_TEXTURE0 + from.state.clientActiveTexture;
}
}
, {GL_VERTEX_ARRAY, Kind::Boolean, 1, READ{* out = from.array(kVertex).enabled;
}
}
, {GL_VERTEX_ARRAY_SIZE, Kind::Integer, 1, READ{* out = from.array(kVertex).size;
}
}
, {GL_VERTEX_ARRAY_TYPE, Kind::Integer, 1, READ{* out = from.array(kVertex).type;
}
}
, {GL_VERTEX_ARRAY_STRIDE, Kind::Integer, 1, READ{* out = from.array(kVertex).stride;
}
}
, {GL_VERTEX_ARRAY_BUFFER_BINDING, Kind::Integer, 1, READ{* out = nameOf(from.array(kVertex));
}
}
, {GL_NORMAL_ARRAY, Kind::Boolean, 1, READ{* out = from.array(kNormal).enabled;
}
}
, {GL_NORMAL_ARRAY_TYPE, Kind::Integer, 1, READ{* out = from.array(kNormal).type;
}
}
, {GL_NORMAL_ARRAY_STRIDE, Kind::Integer, 1, READ{* out = from.array(kNormal).stride;
}
}
, {GL_NORMAL_ARRAY_BUFFER_BINDING, Kind::Integer, 1, READ{* out = nameOf(from.array(kNormal));
}
}
, {GL_COLOR_ARRAY, Kind::Boolean, 1, READ{* out = from.array(kColor).enabled;
}
}
, {GL_COLOR_ARRAY_SIZE, Kind::Integer, 1, READ{* out = from.array(kColor).size;
}
}
, {GL_COLOR_ARRAY_TYPE, Kind::Integer, 1, READ{* out = from.array(kColor).type;
}
}
, {GL_COLOR_ARRAY_STRIDE, Kind::Integer, 1, READ{* out = from.array(kColor).stride;
}
}
, {GL_COLOR_ARRAY_BUFFER_BINDING, Kind::Integer, 1, READ{* out = nameOf(from.array(kColor));
}
}
, {GL_TEXTURE_COORD_ARRAY, Kind::Boolean, 1, READ{* out = from.coords().enabled;
}
}
, {GL_TEXTURE_COORD_ARRAY_SIZE, Kind::Integer, 1, READ{* out = from.coords().size;
}
}
, {GL_TEXTURE_COORD_ARRAY_TYPE, Kind::Integer, 1, READ{* out = from.coords().type;
}
}
, {GL_TEXTURE_COORD_ARRAY_STRIDE, Kind::Integer, 1, READ{* out = from.coords().stride;
}
}
, {GL_TEXTURE_COORD_ARRAY_BUFFER_BINDING, Kind::Integer, 1, READ{* out = nameOf(from.coords());
}
}
, {GL_POINT_SIZE_ARRAY_OES, Kind::Boolean, 1, READ{* out = from.array(kPointSize).enabled;
}
}
, {GL_POINT_SIZE_ARRAY_TYPE_OES, Kind::Integer, 1, READ{* out = from.array(kPointSize).type;
}
}
, {GL_POINT_SIZE_ARRAY_STRIDE_OES, Kind::Integer, 1, READ{* out = from.array(kPointSize).stride;
}
}
, {GL_POINT_SIZE_ARRAY_BUFFER_BINDING_OES, Kind::Integer, 1, READ{* out = nameOf(from.array(kPointSize));
}
}
,
    // Transformation
    {GL_MATRIX_MODE, Kind::Integer, 1, READ{* out = from.state.matrixMode;
}
}
, {GL_MODELVIEW_MATRIX, Kind::Float, 16, READ{put(out, from.state.modelView.top());
}
}
, {GL_PROJECTION_MATRIX, Kind::Float, 16, READ{put(out, from.state.projection.top());
}
}
, {GL_TEXTURE_MATRIX, Kind::Float, 16, READ{put(out, from.unit().matrix.top());
}
}
, {GL_MODELVIEW_MATRIX_FLOAT_AS_INT_BITS_OES, Kind::Integer, 16, READ{putBits(out, from.state.modelView.top());
}
}
, {GL_PROJECTION_MATRIX_FLOAT_AS_INT_BITS_OES, Kind::Integer, 16, READ{putBits(out, from.state.projection.top());
}
}
, {GL_TEXTURE_MATRIX_FLOAT_AS_INT_BITS_OES, Kind::Integer, 16, READ{putBits(out, from.unit().matrix.top());
}
}
, {GL_MODELVIEW_STACK_DEPTH, Kind::Integer, 1, READ{* out = from.state.modelView.depth();
}
}
, {GL_PROJECTION_STACK_DEPTH, Kind::Integer, 1, READ{* out = from.state.projection.depth();
}
}
, {GL_TEXTURE_STACK_DEPTH, Kind::Integer, 1, READ{* out = from.unit().matrix.depth();
}
}
,
    // Colouring, lighting, fog
    {GL_SHADE_MODEL, Kind::Integer, 1, READ{* out = from.state.shadeModel;
}
}
, {GL_LIGHT_MODEL_AMBIENT, Kind::Normalized, 4, READ{put(out, from.state.sceneAmbient);
}
}
, {GL_LIGHT_MODEL_TWO_SIDE, Kind::Boolean, 1, READ{* out = from.state.twoSided;
}
}
, {GL_FOG_MODE, Kind::Integer, 1, READ{* out = from.state.fogMode;
}
}
, {GL_FOG_COLOR, Kind::Normalized, 4, READ{put(out, from.state.fogColor);
}
}
, {GL_FOG_DENSITY, Kind::Float, 1, READ{* out = from.state.fogDensity;
}
}
, {GL_FOG_START, Kind::Float, 1, READ{* out = from.state.fogStart;
}
}
, {GL_FOG_END, Kind::Float, 1, READ{* out = from.state.fogEnd;
}
}
,
    // Points
    {GL_POINT_SIZE, Kind::Float, 1, READ{* out = from.c.currentAttrib[kPointSize][0];
}
}
, {GL_POINT_SIZE_MIN, Kind::Float, 1, READ{* out = from.state.pointSizeMin;
}
}
, {GL_POINT_SIZE_MAX, Kind::Float, 1, READ{* out = from.state.pointSizeMax;
}
}
, {GL_POINT_FADE_THRESHOLD_SIZE, Kind::Float, 1, READ{* out = from.state.pointFadeThreshold;
}
}
, {GL_POINT_DISTANCE_ATTENUATION, Kind::Float, 3, READ{put(out, from.state.pointAttenuation);
}
}
,
    // Pixel operations
    {GL_ALPHA_TEST_FUNC, Kind::Integer, 1, READ{* out = from.state.alphaFunction;
}
}
, {GL_ALPHA_TEST_REF, Kind::Normalized, 1, READ{* out = from.state.alphaReference;
}
}
, {GL_BLEND_SRC, Kind::Integer, 1, READ{* out = from.c.state.drawBuffers[0].srcRgb;
}
}
, {GL_BLEND_DST, Kind::Integer, 1, READ{* out = from.c.state.drawBuffers[0].dstRgb;
}
}
, {GL_LOGIC_OP_MODE, Kind::Integer, 1, READ{* out = from.c.state.logicOperation;
}
}
,
    // Hints
    {GL_PERSPECTIVE_CORRECTION_HINT, Kind::Integer, 1, READ{* out = from.state.perspectiveCorrectionHint;
}
}
, {GL_POINT_SMOOTH_HINT, Kind::Integer, 1, READ{* out = from.state.pointSmoothHint;
}
}
, {GL_LINE_SMOOTH_HINT, Kind::Integer, 1, READ{* out = from.state.lineSmoothHint;
}
}
, {GL_FOG_HINT, Kind::Integer, 1, READ{* out = from.state.fogHint;
}
}
,
    // Limits
    {GL_MAX_LIGHTS, Kind::Integer, 1, [](const Source&, double* out) { *out = kMaxLights; }},
    {GL_MAX_CLIP_PLANES, Kind::Integer, 1, [](const Source&, double* out) { *out = kMaxClipPlanes; }},
    {GL_MAX_TEXTURE_UNITS, Kind::Integer, 1, [](const Source&, double* out) { *out = kMaxTextureUnits; }},
    {GL_MAX_MODELVIEW_STACK_DEPTH, Kind::Integer, 1, [](const Source&, double* out) { *out = kMaxModelViewDepth; }},
    {GL_MAX_PROJECTION_STACK_DEPTH, Kind::Integer, 1, [](const Source&, double* out) { *out = kMaxProjectionDepth; }},
    {GL_MAX_TEXTURE_STACK_DEPTH, Kind::Integer, 1, [](const Source&, double* out) { *out = kMaxTextureDepth; }},
    {GL_SMOOTH_POINT_SIZE_RANGE, Kind::Float, 2,
     [](const Source&, double* out) { put(out, {gles::kMinPointSize, gles::kMaxPointSize}); }},
    {GL_SMOOTH_LINE_WIDTH_RANGE, Kind::Float, 2,
     [](const Source&, double* out) { put(out, {gles::kMinLineWidth, gles::kMaxLineWidth}); }},
}
;
#undef READ

}  // namespace

bool FixedContext::queryState(gles::Context& c, GLenum pname, StateValue& out) {
    const Row* row = std::ranges::find(kRows, pname, &Row::name);
    if (row == std::end(kRows)) return false;
    out = {row->kind, row->count, {}};
    row->read({c, state}, out.value.data());
    return true;
}

}  // namespace tessera::gles1
