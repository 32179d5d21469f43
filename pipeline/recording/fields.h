// The fields of every command and state, in one table: what is written to a file, what is read from it and within which
// bounds, and what a listing shows, by which name.
//
// fields(archive, value) hands each field to the archive, which is one of three: the encoder (encode.cpp), which takes
// the values as they are, the decoder (decode.cpp), which sets them and refuses what is out of bounds, and whoever
// describes them in words. An archive has
//
//   flag(name, bool&)                    number(name, integer&, low, high)      real(name, float&, low, high)
//   choice(name, enumeration&, words)    list(name, vector&, most, use)         within(name, use)
//   image, buffer, view, program, state, counter, place, constants, blockFormat, task (name, pointer or span&)
//   optional(name, pointer&, use)
//
// and may take references to constants. Bounds are those that the front end keeps to and the pipeline relies on; what
// fields have to do with each other is checked by the decoder.
#pragma once

#include <climits>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/enumeration.h"
#include "pipeline/commands.h"

namespace tessera::pipeline {

using Words = std::span<const std::string_view>;

// --- The words of enumerations, in their order, which is the file's: another one is another kCommandVersion ---

inline constexpr std::string_view kPrimitiveWords[] = {"points",    "lines",          "line loop",   "line strip",
                                                       "triangles", "triangle strip", "triangle fan"};
inline constexpr std::string_view kCompareWords[] = {
    "never", "less", "equal", "less or equal", "greater", "not equal", "greater or equal", "always"};
inline constexpr std::string_view kStencilOpWords[] = {"keep",           "zero",      "replace",        "increment",
                                                       "increment wrap", "decrement", "decrement wrap", "invert"};
inline constexpr std::string_view kBlendFactorWords[] = {"zero",
                                                         "one",
                                                         "source color",
                                                         "1 - source color",
                                                         "color",
                                                         "1 - color",
                                                         "source alpha",
                                                         "1 - source alpha",
                                                         "alpha",
                                                         "1 - alpha",
                                                         "constant color",
                                                         "1 - constant color",
                                                         "constant alpha",
                                                         "1 - constant alpha",
                                                         "saturate",
                                                         "second color",
                                                         "1 - second color",
                                                         "second alpha",
                                                         "1 - second alpha"};
inline constexpr std::string_view kBlendEquationWords[] = {
    "add",         "subtract",   "reverse subtract", "min",        "max",
    "multiply",    "screen",     "overlay",          "darken",     "lighten",
    "color dodge", "color burn", "hard light",       "soft light", "difference",
    "exclusion",   "hsl hue",    "hsl saturation",   "hsl color",  "hsl luminosity"};
inline constexpr std::string_view kLogicOpWords[] = {
    "clear", "and",        "and reverse", "copy",       "and inverted",  "noop",        "xor",  "or",
    "nor",   "equivalent", "invert",      "or reverse", "copy inverted", "or inverted", "nand", "set"};
inline constexpr std::string_view kCullFaceWords[] = {"none", "front", "back", "both"};
inline constexpr std::string_view kVertexTypeWords[] = {"int8",       "uint8",         "int16",         "uint16",
                                                        "fixed16.16", "float32",       "float16",       "int32",
                                                        "uint32",     "int2.10.10.10", "uint2.10.10.10"};
inline constexpr std::string_view kVertexConversionWords[] = {"number", "normalized", "normalized symmetric",
                                                              "integer"};
inline constexpr std::string_view kInterpolationWords[] = {"smooth", "centroid", "flat"};
inline constexpr std::string_view kIndexTypeWords[] = {"none", "uint8", "uint16", "uint32"};
inline constexpr std::string_view kFilterWords[] = {"nearest", "linear"};
inline constexpr std::string_view kMipFilterWords[] = {"none", "nearest", "linear"};
inline constexpr std::string_view kWrapWords[] = {"repeat", "clamp to edge", "mirrored repeat", "mirror clamp to edge",
                                                  "clamp to border"};
inline constexpr std::string_view kDepthCompareWords[] = {
    "none", "never", "less", "equal", "less or equal", "greater", "not equal", "greater or equal", "always"};
inline constexpr std::string_view kKindWords[] = {"2D", "cube", "3D", "2D array"};
inline constexpr std::string_view kChannelWords[] = {"red", "green", "blue", "alpha", "zero", "one"};
inline constexpr std::string_view kClientFormatWords[] = {
    "alpha", "rgb", "rgba",        "luminance",  "luminance alpha", "bgra",         "depth",  "depth stencil",
    "red",   "rg",  "red integer", "rg integer", "rgb integer",     "rgba integer", "stencil"};
inline constexpr std::string_view kClientTypeWords[] = {
    "8",        "565",      "4444",     "5551", "16",    "32",    "24+8",        "float16",
    "float32",  "4444 rev", "1555 rev", "int8", "int16", "int32", "2101010 rev", "101111 float rev",
    "9995 rev", "float32+8"};

/// Whether each of the enumeration has its word.
template <class Enumeration>
consteval bool isNamed(Words words) {
    return words.size() == enumeratorCount<Enumeration>();
}
static_assert(isNamed<Primitive>(kPrimitiveWords) && isNamed<Compare>(kCompareWords) &&
              isNamed<StencilOp>(kStencilOpWords) && isNamed<BlendFactor>(kBlendFactorWords) &&
              isNamed<BlendEquation>(kBlendEquationWords) && isNamed<LogicOp>(kLogicOpWords) &&
              isNamed<CullFace>(kCullFaceWords) && isNamed<VertexType>(kVertexTypeWords) &&
              isNamed<VertexConversion>(kVertexConversionWords) && isNamed<Interpolation>(kInterpolationWords) &&
              isNamed<IndexType>(kIndexTypeWords) && isNamed<texture::Filter>(kFilterWords) &&
              isNamed<texture::MipFilter>(kMipFilterWords) && isNamed<texture::Wrap>(kWrapWords) &&
              isNamed<texture::DepthCompare>(kDepthCompareWords) && isNamed<texture::Kind>(kKindWords) &&
              isNamed<texture::Channel>(kChannelWords) && isNamed<texture::ClientFormat>(kClientFormatWords) &&
              isNamed<texture::ClientType>(kClientTypeWords));

/// What a command is called; in the variant's order.
inline constexpr std::string_view kCommandWords[] = {
    "draw",    "clear",        "upload",          "decode",     "copy",      "blit",
    "resolve", "fill samples", "generate mipmap", "read back",  "timestamp", "end frame",
    "task",    "dispatch",     "copy buffer",     "pack pixels"};
static_assert(std::size(kCommandWords) == std::variant_size_v<Command>);
inline constexpr std::string_view kStageWords[] = {"vertex", "fragment"};

/// `T` is `Plain`, or a constant one.
template <class T, class Plain>
concept Is = std::same_as<std::remove_const_t<T>, Plain>;

inline constexpr float kAnyReal = std::numeric_limits<float>::infinity();  ///< as the high bound: any, NaN too
/// Vertices of a draw over all its instances, at most.
inline constexpr uint32_t kMaxVertices = 1u << 27;

// --- States ---

template <class A, Is<Rect> S>
void fields(A& a, S& rect) {
    a.number("x", rect.x, INT_MIN, INT_MAX);
    a.number("y", rect.y, INT_MIN, INT_MAX);
    a.number("width", rect.width, 0, INT_MAX);
    a.number("height", rect.height, 0, INT_MAX);
}

template <class A, Is<RenderTarget> S>
void fields(A& a, S& target) {
    a.number("width", target.width, 0, kMaxRenderSize);
    a.number("height", target.height, 0, kMaxRenderSize);
    for (int i = 0; i < kMaxColorTargets; ++i)
        a.image("color " + std::to_string(i), target.color[static_cast<size_t>(i)]);
    a.image("depth", target.depth);
    a.image("stencil", target.stencil);
}

template <class A, Is<RasterState> S>
void fields(A& a, S& raster) {
    a.real("viewport x", raster.viewport[0], -0x1p31f, 0x1p31f);
    a.real("viewport y", raster.viewport[1], -0x1p31f, 0x1p31f);
    a.real("viewport width", raster.viewport[2], 0, kMaxRenderSize);
    a.real("viewport height", raster.viewport[3], 0, kMaxRenderSize);
    a.real("depth near", raster.depthNear, 0, 1);
    a.real("depth far", raster.depthFar, 0, 1);
    a.flag("clip origin upper left", raster.clipUpperLeft);
    a.flag("clip depth from zero", raster.clipDepthFromZero);
    a.flag("depth clamp", raster.depthClamp);
    a.number("clip distances", raster.clipDistances, 0, UINT8_MAX);
    a.flag("scissor test", raster.scissorTest);
    a.within("scissor", [&] { fields(a, raster.scissor); });
    a.choice("cull face", raster.cull, kCullFaceWords);
    a.flag("front is clockwise", raster.frontIsClockwise);
    a.flag("polygon offset", raster.polygonOffset);
    a.flag("discard", raster.discard);
    a.real("offset factor", raster.offsetFactor, 0, kAnyReal);
    a.real("offset units", raster.offsetUnits, 0, kAnyReal);
    a.real("offset clamp", raster.offsetClamp, 0, kAnyReal);
    a.real("line width", raster.lineWidth, 1, 64);
}

template <class A, Is<StencilFace> S>
void fields(A& a, S& face) {
    a.choice("compare", face.compare, kCompareWords);
    a.choice("stencil fail", face.stencilFail, kStencilOpWords);
    a.choice("depth fail", face.depthFail, kStencilOpWords);
    a.choice("depth pass", face.depthPass, kStencilOpWords);
    a.number("reference", face.reference, 0, UINT8_MAX);
    a.number("compare mask", face.compareMask, 0, UINT8_MAX);
    a.number("write mask", face.writeMask, 0, UINT8_MAX);
}

/// What colour targets have each, in their order: the fields of target i are called "target i ...".
template <class A, class Use>
void forEachTarget(A& a, const Use& use) {
    for (size_t i = 0; i < kMaxColorTargets; ++i) a.within("target " + std::to_string(i), [&] { use(i); });
}

template <class A, Is<TargetState> S>
void fields(A& a, S& target) {
    a.flag("blend", target.blend);
    a.choice("blend equation color", target.equationRgb, kBlendEquationWords);
    a.choice("blend equation alpha", target.equationAlpha, kBlendEquationWords);
    a.choice("blend source color", target.srcRgb, kBlendFactorWords);
    a.choice("blend destination color", target.dstRgb, kBlendFactorWords);
    a.choice("blend source alpha", target.srcAlpha, kBlendFactorWords);
    a.choice("blend destination alpha", target.dstAlpha, kBlendFactorWords);
    a.number("color mask", target.colorMask, 0, 15);
}

template <class A, Is<PixelState> S>
void fields(A& a, S& pixel) {
    a.flag("depth test", pixel.depthTest);
    a.flag("depth write", pixel.depthWrite);
    a.choice("depth compare", pixel.depthCompare, kCompareWords);
    a.flag("depth clamp", pixel.depthClamp);
    a.real("depth low", pixel.depthLow, 0, 1);
    a.real("depth high", pixel.depthHigh, 0, 1);
    a.flag("stencil test", pixel.stencilTest);
    a.within("stencil front", [&] { fields(a, pixel.front); });
    a.within("stencil back", [&] { fields(a, pixel.back); });
    forEachTarget(a, [&](size_t i) { fields(a, pixel.target[i]); });
    for (int i = 0; i < 4; ++i) a.real("blend constant " + std::to_string(i), pixel.blendColor[i], 0, kAnyReal);
    a.choice("logic operation", pixel.logicOp, kLogicOpWords);
    a.flag("dither", pixel.dither);
    a.flag("encodes sRGB", pixel.encodesSrgb);
    a.flag("each sample", pixel.eachSample);
    a.flag("alpha to coverage", pixel.alphaToCoverage);
    a.flag("sample coverage", pixel.sampleCoverage);
    a.flag("sample coverage invert", pixel.sampleCoverageInvert);
    a.real("sample coverage value", pixel.sampleCoverageValue, 0, 1);
}

template <class A, Is<VertexAttribute> S>
void fields(A& a, S& attribute) {
    a.buffer("data", attribute.data);
    a.number("offset", attribute.offset, INT64_MIN, INT64_MAX);
    a.number("stride", attribute.stride, 0, UINT32_MAX);
    a.choice("type", attribute.type, kVertexTypeWords);
    a.number("components", attribute.components, 1, 4);
    a.choice("conversion", attribute.conversion, kVertexConversionWords);
    a.number("divisor", attribute.divisor, 0, UINT32_MAX);
    for (int i = 0; i < 4; ++i) a.real("constant " + std::to_string(i), attribute.constant[i], 0, kAnyReal);
}

template <class A, Is<texture::SamplerState> S>
void fields(A& a, S& sampler) {
    a.choice("magnification", sampler.magFilter, kFilterWords);
    a.choice("minification", sampler.minFilter, kFilterWords);
    a.choice("mip filter", sampler.mipFilter, kMipFilterWords);
    a.choice("wrap s", sampler.wrapS, kWrapWords);
    a.choice("wrap t", sampler.wrapT, kWrapWords);
    a.choice("wrap r", sampler.wrapR, kWrapWords);
    a.choice("compare", sampler.compare, kDepthCompareWords);
    a.number("anisotropy", sampler.maxAnisotropy, 1, texture::kMaxAnisotropy);
    for (size_t i = 0; i < 4; ++i) a.real("border " + std::to_string(i), sampler.border[i], 0, kAnyReal);
    a.real("least level of detail", sampler.minLod, 0, kAnyReal);
    a.real("greatest level of detail", sampler.maxLod, 0, kAnyReal);
    a.flag("filters of ES 3", sampler.isEs3);
    a.flag("as codes", sampler.asCodes);
}

template <class A, Is<DrawState> S>
void fields(A& a, S& state) {
    a.program("program", state.program);
    a.within("target", [&] { fields(a, state.target); });
    fields(a, state.raster);
    fields(a, state.pixel);
    for (size_t i = 0; i < state.attributes.size(); ++i)
        a.within("attribute " + std::to_string(i), [&] { fields(a, state.attributes[i]); });
    for (const isa::Stage stage : kDrawStages)
        a.list(std::string(kStageWords[static_cast<size_t>(stage)]) + " texture", state.textures[stage],
               isa::kMaxTextureUnits, [&](auto& binding) {
                   a.view("view", binding.view);
                   fields(a, binding.state);
               });
}

/// Converts to a field of any type.
struct AnyField {
    template <class T>
    operator T() const;  // NOLINT(google-explicit-constructor)
};
/// How many values it takes to initialise a structure: those of its fields, and of those that are C arrays.
template <class T, class... Fields>
consteval size_t fieldCount() {
    if constexpr (requires { T{Fields{}..., AnyField{}}; })
        return fieldCount<T, Fields..., AnyField>();
    else
        return sizeof...(Fields);
}

template <class T>
consteval bool has(size_t fields, size_t bytes) {
    return fieldCount<T>() == fields && sizeof(T) == bytes;
}
static_assert(has<RasterState>(20, 68) && has<PixelState>(22, 120) && has<TargetState>(8, 8) &&
                  has<StencilFace>(7, 7) && has<VertexAttribute>(11, 56) && has<texture::SamplerState>(13, 36),
              "a state has another field: it belongs into the table above, and kCommandVersion is one more");

// --- Commands ---

template <class A, Is<texture::ClientLayout> S>
void fields(A& a, S& layout) {
    a.choice("format", layout.format, kClientFormatWords);
    a.choice("type", layout.type, kClientTypeWords);
    a.number("row stride", layout.rowStride, 0, SIZE_MAX);
}

template <class A, Is<StreamOutPart> S>
void fields(A& a, S& part) {
    a.number("output", part.output, 0, isa::kMaxOutputs - 1);
    a.number("component", part.component, 0, 3);
    a.number("components", part.components, 1, 4);
    a.number("buffer", part.buffer, 0, kMaxStreamOutBuffers - 1);
    a.number("offset", part.offset, 0, kMaxStreamOutStride);
}

template <class A, Is<StreamOut> S>
void fields(A& a, S& out) {
    a.list("part", out.layout.parts, kMaxStreamOutParts, [&](auto& part) { fields(a, part); });
    for (size_t i = 0; i < kMaxStreamOutBuffers; ++i)
        a.within("buffer " + std::to_string(i), [&] {
            a.number("stride", out.layout.stride[i], 0, kMaxStreamOutStride);
            a.buffer("buffer", out.ranges[i].buffer);
            a.number("offset", out.ranges[i].offset, 0, UINT64_MAX);
            a.number("size", out.ranges[i].size, 0, UINT64_MAX);
        });
    a.place("place", out.place);
    a.counter("counts written", out.written);
}
static_assert(has<StreamOutPart>(5, 8) && has<StreamOutLayout>(2, 40) && has<StreamOutRange>(3, 32) &&
                  has<StreamOut>(4, 200),
              "another field belongs into the table above, and kCommandVersion is one more");

template <class A, Is<Draw> S>
void fields(A& a, S& draw) {
    a.state("state", draw.state);
    for (const isa::Stage stage : kDrawStages)
        a.constants(std::string(kStageWords[static_cast<size_t>(stage)]) + " constants", draw.constants[stage]);
    a.choice("primitive", draw.primitive, kPrimitiveWords);
    a.number("first", draw.first, 0, INT_MAX);
    a.number("count", draw.count, 0, kMaxVertices);
    a.number("instances", draw.instances, 0, kMaxVertices);
    a.choice("index type", draw.indexType, kIndexTypeWords);
    a.buffer("indices", draw.indices);
    a.number("index offset", draw.indexOffset, 0, UINT64_MAX);
    a.number("base vertex", draw.baseVertex, INT_MIN, INT_MAX);
    a.flag("restart", draw.restart);
    a.counter("occlusion counter", draw.occlusion);
    a.counter("counts generated", draw.generated);
    a.optional("stream-out", draw.streamOut, [&](auto& out) { fields(a, out); });
}

template <class A, Is<Clear> S>
void fields(A& a, S& clear) {
    a.within("target", [&] { fields(a, *clear.target); });
    a.flag("scissor test", clear.scissorTest);
    a.within("scissor", [&] { fields(a, clear.scissor); });
    a.flag("clear color", clear.clearColor);
    a.flag("clear depth", clear.clearDepth);
    a.flag("clear stencil", clear.clearStencil);
    for (int i = 0; i < 4; ++i) a.real("color value " + std::to_string(i), clear.color[i], 0, kAnyReal);
    forEachTarget(a, [&](size_t i) { a.number("color mask", clear.colorMask[i], 0, 15); });
    a.real("depth value", clear.depth, 0, 1);
    a.flag("depth write", clear.depthMask);
    a.number("stencil value", clear.stencil, 0, UINT8_MAX);
    a.number("stencil mask", clear.stencilMask, 0, UINT8_MAX);
    a.flag("encodes sRGB", clear.encodesSrgb);
}

template <class A, Is<Upload> S>
void fields(A& a, S& upload) {
    a.image("image", upload.image);
    fields(a, upload.rect);
    fields(a, upload.layout);
    a.buffer("pixels", upload.pixels);
}

template <class A, Is<Decode> S>
void fields(A& a, S& decode) {
    a.image("image", decode.image);
    fields(a, decode.rect);
    a.blockFormat("format", decode.format);
    a.buffer("blocks", decode.blocks);
}

template <class A, Is<CopyImage> S>
void fields(A& a, S& copy) {
    a.image("from", copy.from);
    a.number("from x", copy.fromX, INT_MIN, INT_MAX);
    a.number("from y", copy.fromY, INT_MIN, INT_MAX);
    a.image("to", copy.to);
    fields(a, copy.rect);
}

template <class A, Is<texture::Corners> S>
void fields(A& a, S& corners) {
    a.number("x0", corners.x0, INT_MIN, INT_MAX);
    a.number("y0", corners.y0, INT_MIN, INT_MAX);
    a.number("x1", corners.x1, INT_MIN, INT_MAX);
    a.number("y1", corners.y1, INT_MIN, INT_MAX);
}

template <class A, Is<Blit> S>
void fields(A& a, S& blit) {
    a.image("from", blit.from);
    a.within("from", [&] { fields(a, blit.how.from); });
    a.image("to", blit.to);
    a.within("to", [&] { fields(a, blit.how.to); });
    a.within("within", [&] {
        a.number("x", blit.how.within.x, INT_MIN, INT_MAX);
        a.number("y", blit.how.within.y, INT_MIN, INT_MAX);
        a.number("width", blit.how.within.width, 0, INT_MAX);
        a.number("height", blit.how.within.height, 0, INT_MAX);
    });
    a.flag("linear", blit.how.linear);
    a.number("write mask", blit.how.writeMask, 0, UINT32_MAX);
    a.flag("as codes", blit.how.asCodes);
}

template <class A, class S>
    requires(Is<S, Resolve> || Is<S, FillSamples>)
void fields(A& a, S& transfer) {
    a.image("from", transfer.from);
    a.image("to", transfer.to);
}

template <class A, Is<GenerateMipmap> S>
void fields(A& a, S& mipmap) {
    a.list("face", mipmap.faces, 6, [&](auto& face) {
        a.list("level", face, texture::kMaxLevels, [&](auto& level) { a.image("image", level); });
    });
    a.flag("as codes", mipmap.asCodes);
}

/// Where the pixels go is not part of the stream.
template <class A, Is<ReadBack> S>
void fields(A& a, S& read) {
    a.image("image", read.image);
    fields(a, read.rect);
    fields(a, read.layout);
    a.flag("reverse rows", read.reverseRows);
}

template <class A, Is<Timestamp> S>
void fields(A&, S&) {}

template <class A, Is<EndFrame> S>
void fields(A& a, S& end) {
    a.image("color", end.color);
}

template <class A, Is<RunTask> S>
void fields(A& a, S& run) {
    a.task("name", run.task);
}

/// How it went is not part of the stream.
template <class A, Is<Dispatch> S>
void fields(A& a, S& dispatch) {
    a.program("program", dispatch.program);
    a.constants("constants", dispatch.constants);
    a.list("slot", dispatch.buffers, isa::kMaxBuffers, [&](auto& buffer) { a.buffer("buffer", buffer); });
    a.number("grid x", dispatch.grid[0], 0, UINT32_MAX);
    a.number("grid y", dispatch.grid[1], 0, UINT32_MAX);
    a.number("grid z", dispatch.grid[2], 0, UINT32_MAX);
    a.number("budget", dispatch.budget, 0, compute::kUsualGroupBudget);
}

template <class A, Is<CopyBuffer> S>
void fields(A& a, S& copy) {
    a.buffer("from", copy.from);
    a.number("from offset", copy.fromOffset, 0, UINT64_MAX);
    a.buffer("to", copy.to);
    a.number("to offset", copy.toOffset, 0, UINT64_MAX);
    a.number("size", copy.size, 0, UINT64_MAX);
}

template <class A, Is<PackPixels> S>
void fields(A& a, S& pack) {
    a.image("image", pack.image);
    fields(a, pack.rect);
    fields(a, pack.layout);
    a.flag("reverse rows", pack.reverseRows);
    a.buffer("to", pack.to);
    a.number("offset", pack.offset, 0, UINT64_MAX);
}

}  // namespace tessera::pipeline
