// Setup of polygons, lines and points. See setup.h for the numbers; the planes and edges are those of primitive.h.
#include "pipeline/geometry/setup.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "pipeline/commands.h"
#include "pipeline/geometry/formulas.h"
#include "pipeline/geometry/geometry_functions.h"
#include "shader-core/isa/stage_registers.h"

namespace tessera::pipeline {
namespace {

int64_t areaOf(const WindowVertex& a, const WindowVertex& b, const WindowVertex& c) {
    const int32_t x[3] = {a.x, b.x, c.x}, y[3] = {a.y, b.y, c.y};
    return static_cast<int64_t>(signedArea(x, y));
}

Edge edgeOf(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    const EdgeLanes<int64_t> edge = makeEdge(x0, y0, x1, y1);
    return {edge.a, edge.b, edge.c};
}

Plane planeOf(const Gradients<double>& g, double f0, double f1, double f2, double bias = 0) {
    const PlaneLanes<float> plane = makePlane<float>(g, f0, f1, f2, bias);
    return {plane.base, plane.dx, plane.dy};
}

/// Sets the primitive's pixel bounds and the pixel its planes are relative to. False when no pixel is left.
bool setBounds(const SetupState& state, const BoundsLanes<int32_t>& box, SetupPrimitive& primitive) {
    const BoundsLanes<int32_t> seen = within(box, state.bounds);
    const PixelBounds pixels = {seen.minX, seen.minY, seen.maxX, seen.maxY};
    if (pixels.isEmpty()) return false;
    primitive.setPixels(pixels);
    const OriginLanes<int32_t> origin = originOf(state, box);
    primitive.originX = origin.x, primitive.originY = origin.y;
    return true;
}

void setOrigin(const SetupPrimitive& primitive, const WindowVertex& first, Gradients<double>& gradients) {
    gradients.originX = primitive.originX - static_cast<double>(first.x) / kOne;
    gradients.originY = primitive.originY - static_cast<double>(first.y) / kOne;
}

/// Attribute / w planes of a primitive; `b` or `c` may repeat an earlier vertex (lines, points).
void addAttributePlanes(const SetupState& state, const Gradients<double>& g, const WindowVertex& a,
                        const WindowVertex& b, const WindowVertex& c, const float* provoking, PrimitiveChunk& chunk) {
    for (int i = 0; i < state.attributeFloats; ++i) {
        if ((state.flatVaryings >> (i / 4) & 1) != 0)
            chunk.planes.push_back({provoking[i], 0, 0});
        else
            chunk.planes.push_back(
                planeOf(g, a.attributes[i] * a.inverseW, b.attributes[i] * b.inverseW, c.attributes[i] * c.inverseW));
    }
}

void setupTriangle(const SetupState& state, const WindowVertex& a, const WindowVertex& b, const WindowVertex& c,
                   bool frontFacing, const float* provoking, PrimitiveChunk& chunk) {
    const int32_t x[3] = {a.x, b.x, c.x}, y[3] = {a.y, b.y, c.y};
    const double area = signedArea(x, y);
    SetupPrimitive primitive;
    if (!setBounds(state, pixelsOf<int32_t>(state, {least(x), least(y), most(x), most(y)}), primitive)) return;
    primitive.frontFacing = frontFacing;
    const WindowVertex& second = area > 0 ? b : c;  // counter-clockwise
    const WindowVertex& third = area > 0 ? c : b;
    primitive.edge[0] = edgeOf(a.x, a.y, second.x, second.y);
    primitive.edge[1] = edgeOf(second.x, second.y, third.x, third.y);
    primitive.edge[2] = edgeOf(third.x, third.y, a.x, a.y);

    const Gradients<double> g =
        triangleGradients(x, y, area, OriginLanes<int32_t>{primitive.originX, primitive.originY});
    primitive.depth = planeOf(g, a.z, b.z, c.z, polygonOffset(state, g, a.z, b.z, c.z));
    primitive.inverseW = planeOf(g, a.inverseW, b.inverseW, c.inverseW);
    primitive.firstPlane = static_cast<uint32_t>(chunk.planes.size());
    addAttributePlanes(state, g, a, b, c, provoking, chunk);
    chunk.primitives.push_back(primitive);
}

/// Section 3.5.2's r, the smallest difference in window z that is always resolvable. One step of an n-bit buffer is
/// 2^-n + 2^-2n + ..., and depth below 1 is rounded to multiples of 2^-24 or finer before it gets there: adding a
/// multiple of 2^-23 survives that unchanged, and each of these is more than a step. Of a buffer of floats it is 2^-23
/// at a depth of 1 (OpenGL ES 3.0.6, section 3.6.2; SetupState::offsetFollowsDepth).
double resolvableDepth(const RenderTarget& target) {
    const bool is16 = target.depth && texture::formatInfo(target.depth->format()).depth == 16;
    return is16 ? 0x1p-16 + 0x1p-23 : 0x1p-23;
}

/// Pixels min .. max of one axis of the viewport, limited to what a target can have.
void viewportPixels(float start, float size, int& min, int& max) {
    const double low = std::clamp<double>(std::floor(double{start}), 0, kMaxRenderSize);
    const double high = std::clamp<double>(std::ceil(double{start} + size), 0, kMaxRenderSize);
    min = static_cast<int>(low);
    max = static_cast<int>(high) - 1;
}

}  // namespace

SetupState makeSetupState(const Draw& draw, int varyingCount, uint32_t flatVaryings) {
    const RasterState& raster = draw.state->raster;
    SetupState state;
    state.space.scaleX = raster.viewport[2] * 0.5;
    state.space.offsetX = raster.viewport[0] + state.space.scaleX;
    state.space.scaleY = raster.viewport[3] * 0.5;
    state.space.offsetY = raster.viewport[1] + state.space.scaleY;
    state.scaleZ = (double{raster.depthFar} - raster.depthNear) * 0.5;
    state.offsetZ = (double{raster.depthFar} + raster.depthNear) * 0.5;

    viewportPixels(raster.viewport[0], raster.viewport[2], state.viewport.minX, state.viewport.maxX);
    viewportPixels(raster.viewport[1], raster.viewport[3], state.viewport.minY, state.viewport.maxY);
    state.bounds = state.viewport;
    state.bounds.maxX = std::min(state.bounds.maxX, draw.state->target.width - 1);
    state.bounds.maxY = std::min(state.bounds.maxY, draw.state->target.height - 1);
    if (raster.scissorTest) {
        const Rect& box = raster.scissor;
        state.bounds.minX = std::max(state.bounds.minX, box.x);
        state.bounds.minY = std::max(state.bounds.minY, box.y);
        state.bounds.maxX =
            static_cast<int>(std::clamp<int64_t>(int64_t{box.x} + box.width - 1, -1, state.bounds.maxX));
        state.bounds.maxY =
            static_cast<int>(std::clamp<int64_t>(int64_t{box.y} + box.height - 1, -1, state.bounds.maxY));
    }
    state.cull = raster.cull;
    state.frontIsClockwise = raster.frontIsClockwise;
    if (raster.polygonOffset) {
        state.offsetFactor = raster.offsetFactor;
        const texture::Image* const depth = draw.state->target.depth.get();
        state.offsetUnits = raster.offsetUnits * resolvableDepth(draw.state->target);
        state.offsetFollowsDepth = depth != nullptr && texture::isFloat(depth->element());
        if (raster.offsetClamp < 0) state.leastOffset = raster.offsetClamp;
        if (raster.offsetClamp > 0) state.mostOffset = raster.offsetClamp;
    }
    const float width = raster.lineWidth >= 1 ? std::min<float>(raster.lineWidth, kMaxLineWidth) : 1;
    state.samples = draw.state->target.samples();
    state.lineWidth = static_cast<int>(std::floor(width + 0.5f));
    state.exactLineWidth = width;
    state.attributeFloats = 4 * varyingCount;
    state.flatVaryings = flatVaryings;
    if (raster.depthClamp) state.ignoredCodes = kOutFar | kOutNear | (kOutFar | kOutNear) << kClipShift;
    const VertexDistances distances = draw.state->program == nullptr
                                          ? VertexDistances{}
                                          : draw.state->program->distances.lookedAt(raster.clipDistances);
    state.space.firstDistance = state.attributeFloats;
    state.space.clipDistances = distances.clip;
    state.clippedDistances = ((1u << distances.clip) - 1) << kDistanceShift;
    state.clippedFloats = state.attributeFloats + distances.clip;
    return state;
}

bool toWindow(const SetupState& state, const double position[4], const float* attributes, WindowVertex& vertex) {
    const double w = position[3];
    const double x = windowPosition(state.space.offsetX, state.space.scaleX, position[0] / w);
    const double y = windowPosition(state.space.offsetY, state.space.scaleY, position[1] / w);
    if (!hasPlace(w, x, y)) return false;
    vertex.x = static_cast<int32_t>(__builtin_roundeven(x));
    vertex.y = static_cast<int32_t>(__builtin_roundeven(y));
    vertex.z = state.offsetZ + state.scaleZ * (position[2] / w);
    vertex.inverseW = 1 / w;
    vertex.attributes = attributes;
    return true;
}

void setupPolygon(const SetupState& state, const WindowVertex* vertices, int count, const float* provoking,
                  PrimitiveChunk& chunk) {
    int64_t area = 0;
    for (int i = 1; i + 1 < count; ++i) area += areaOf(vertices[0], vertices[i], vertices[i + 1]);
    if (area == 0) return;
    const bool front = (area > 0) != state.frontIsClockwise;
    if (state.cull == CullFace::Both || state.cull == (front ? CullFace::Front : CullFace::Back)) return;
    for (int i = 1; i + 1 < count; ++i) {
        const int64_t part = areaOf(vertices[0], vertices[i], vertices[i + 1]);
        // Rounding to fixed point can turn a sliver of a clipped polygon around; its pixels belong to the others.
        if (part == 0 || (part > 0) != (area > 0)) continue;
        setupTriangle(state, vertices[0], vertices[i], vertices[i + 1], front, provoking, chunk);
    }
}

namespace {

/// Section 3.4.1: t = (p - a).(b - a) / |b - a|^2.
Gradients<double> lineGradients(int64_t dx, int64_t dy, const SetupPrimitive& line, const WindowVertex& from) {
    const auto lengthSquared = static_cast<double>(dx * dx + dy * dy);
    Gradients<double> g{};
    g.dx1 = static_cast<double>(dx) * kOne / lengthSquared;
    g.dy1 = static_cast<double>(dy) * kOne / lengthSquared;
    setOrigin(line, from, g);
    return g;
}

void addLinePlanes(const SetupState& state, const Gradients<double>& g, const WindowVertex& from,
                   const WindowVertex& to, const float* provoking, SetupPrimitive& line, PrimitiveChunk& chunk) {
    line.firstPlane = static_cast<uint32_t>(chunk.planes.size());
    line.depth = planeOf(g, from.z, to.z, from.z);
    line.inverseW = planeOf(g, from.inverseW, to.inverseW, from.inverseW);
    addAttributePlanes(state, g, from, to, from, provoking, chunk);
}

/// The rectangle of points within half the width of the segment; its corners are rounded alike at both ends, which
/// keeps it a parallelogram.
void setupLineRectangle(const SetupState& state, const WindowVertex& from, const WindowVertex& to,
                        const float* provoking, PrimitiveChunk& chunk) {
    const int64_t dx = int64_t{to.x} - from.x, dy = int64_t{to.y} - from.y;
    const double scale = state.exactLineWidth * kHalf / std::sqrt(static_cast<double>(dx * dx + dy * dy));
    const auto acrossX = static_cast<int32_t>(__builtin_roundeven(-static_cast<double>(dy) * scale));
    const auto acrossY = static_cast<int32_t>(__builtin_roundeven(static_cast<double>(dx) * scale));
    const int32_t x[4] = {from.x - acrossX, to.x - acrossX, to.x + acrossX, from.x + acrossX};
    const int32_t y[4] = {from.y - acrossY, to.y - acrossY, to.y + acrossY, from.y + acrossY};
    const auto [minX, maxX] = std::minmax({x[0], x[1], x[2], x[3]});
    const auto [minY, maxY] = std::minmax({y[0], y[1], y[2], y[3]});
    SetupPrimitive line;
    if (!setBounds(state, pixelsOf<int32_t>(state, {minX, minY, maxX, maxY}), line)) return;
    line.edgeCount = 4;
    for (int i = 0; i < 4; ++i) line.edge[i] = edgeOf(x[i], y[i], x[(i + 1) % 4], y[(i + 1) % 4]);
    addLinePlanes(state, lineGradients(dx, dy, line, from), from, to, provoking, line, chunk);
    chunk.primitives.push_back(line);
}

}  // namespace

void setupLine(const SetupState& state, const WindowVertex& from, const WindowVertex& to, const float* provoking,
               PrimitiveChunk& chunk) {
    const int64_t dx = int64_t{to.x} - from.x, dy = int64_t{to.y} - from.y;
    if (dx == 0 && dy == 0) return;
    if (state.samples != 1) return setupLineRectangle(state, from, to, provoking, chunk);
    const bool xMajor = std::abs(dx) >= std::abs(dy);

    // The first line lies (w - 1) / 2 pixels down the minor axis; the others follow pixel by pixel.
    WindowVertex a = from, b = to;
    const int down = (state.lineWidth - 1) * kHalf;
    (xMajor ? a.y : a.x) -= down;
    (xMajor ? b.y : b.x) -= down;
    const auto [minX, maxX] = std::minmax(a.x, b.x);
    const auto [minY, maxY] = std::minmax(a.y, b.y);
    // A segment that ends on a pixel's corner touches the diamonds of both pixels there.
    const PixelBounds box = {(minX - 1) >> kSubPixelBits, (minY - 1) >> kSubPixelBits, maxX >> kSubPixelBits,
                             maxY >> kSubPixelBits};
    SetupPrimitive first;
    first.kind = PrimitiveKind::ThinLine;
    first.originX = std::clamp((box.minX + box.maxX) >> 1, 0, kMaxRenderSize - 1);
    first.originY = std::clamp((box.minY + box.maxY) >> 1, 0, kMaxRenderSize - 1);

    const Gradients<double> g = lineGradients(dx, dy, first, a);
    bool planesMade = false;
    for (int column = 0; column < state.lineWidth; ++column) {
        SetupPrimitive line = first;
        const int shiftX = xMajor ? 0 : column, shiftY = xMajor ? column : 0;
        const PixelBounds pixels = {
            std::max(box.minX + shiftX, state.bounds.minX), std::max(box.minY + shiftY, state.bounds.minY),
            std::min(box.maxX + shiftX, state.bounds.maxX), std::min(box.maxY + shiftY, state.bounds.maxY)};
        if (pixels.isEmpty()) continue;
        line.setPixels(pixels);
        line.originX += shiftX;
        line.originY += shiftY;
        line.lineX0 = a.x + shiftX * kOne;
        line.lineY0 = a.y + shiftY * kOne;
        line.lineX1 = b.x + shiftX * kOne;
        line.lineY1 = b.y + shiftY * kOne;
        if (!planesMade) {
            addLinePlanes(state, g, a, b, provoking, first, chunk);
            planesMade = true;
        }
        line.firstPlane = first.firstPlane;
        line.depth = first.depth;
        line.inverseW = first.inverseW;
        chunk.primitives.push_back(line);
    }
}

void setupPoint(const SetupState& state, const WindowVertex& center, float size, PrimitiveChunk& chunk) {
    const float clamped = size >= 1 ? std::min<float>(size, kMaxPointSize) : 1;
    const int32_t half = static_cast<int32_t>(__builtin_roundeven(clamped * double{kHalf}));
    const int32_t left = center.x - half, right = center.x + half;
    const int32_t bottom = center.y - half, top = center.y + half;
    SetupPrimitive point;
    point.kind = PrimitiveKind::Point;
    if (!setBounds(state, pixelsOf<int32_t>(state, {left, bottom, right, top}), point)) return;
    point.edgeCount = 4;
    point.edge[0] = edgeOf(left, bottom, right, bottom);
    point.edge[1] = edgeOf(right, bottom, right, top);
    point.edge[2] = edgeOf(right, top, left, top);
    point.edge[3] = edgeOf(left, top, left, bottom);

    // Section 3.3.1: s = 1/2 + (x - xw) / size, t = 1/2 - (y - yw) / size at the pixel's centre.
    const double perPixel = kHalf / static_cast<double>(half);
    Gradients<double> g{};
    setOrigin(point, center, g);
    point.pointCoord[0] = {static_cast<float>(0.5 + g.originX * perPixel), static_cast<float>(perPixel), 0};
    point.pointCoord[1] = {static_cast<float>(0.5 - g.originY * perPixel), 0, static_cast<float>(-perPixel)};
    point.depth = planeOf(g, center.z, center.z, center.z);
    point.inverseW = planeOf(g, center.inverseW, center.inverseW, center.inverseW);
    point.firstPlane = static_cast<uint32_t>(chunk.planes.size());
    addAttributePlanes(state, g, center, center, center, center.attributes, chunk);
    chunk.primitives.push_back(point);
}

}  // namespace tessera::pipeline
