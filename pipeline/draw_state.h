// The state of a draw as plain data. Enumerations are the pipeline's own (no GL headers here); state keys hold
// only what changes code, so viewport, colours and reference values are kept apart from modes.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "base/rectangle.h"
#include "pipeline/raster/picture.h"
#include "shader-core/isa/executor.h"
#include "texture/texture.h"

namespace tessera::pipeline {

inline constexpr int kTileSize = 64;     ///< pixels along one side of a bin
inline constexpr int kSubPixelBits = 8;  ///< fixed-point fraction of window coordinates
inline constexpr int kMaxRenderSize = 4096;
inline constexpr int kMaxColorTargets = 4;

enum class Primitive : uint8_t { Points, Lines, LineLoop, LineStrip, Triangles, TriangleStrip, TriangleFan };
enum class Compare : uint8_t { Never, Less, Equal, LessEqual, Greater, NotEqual, GreaterEqual, Always };
enum class StencilOp : uint8_t { Keep, Zero, Replace, Increment, IncrementWrap, Decrement, DecrementWrap, Invert };
enum class BlendFactor : uint8_t {
    Zero,
    One,
    SrcColor,
    OneMinusSrcColor,
    DstColor,
    OneMinusDstColor,
    SrcAlpha,
    OneMinusSrcAlpha,
    DstAlpha,
    OneMinusDstAlpha,
    ConstantColor,
    OneMinusConstantColor,
    ConstantAlpha,
    OneMinusConstantAlpha,
    SrcAlphaSaturate,
    Src1Color,  ///< of the second colour: this and what follows
    OneMinusSrc1Color,
    Src1Alpha,
    OneMinusSrc1Alpha,
};
enum class BlendEquation : uint8_t { Add, Subtract, ReverseSubtract, Min, Max };
/// In OpenGL's order, as its enumerants are: bit 3 - (2 * source + destination) of the number is the result.
enum class LogicOp : uint8_t {
    Clear,
    And,
    AndReverse,
    Copy,
    AndInverted,
    Noop,
    Xor,
    Or,
    Nor,
    Equiv,
    Invert,
    OrReverse,
    CopyInverted,
    OrInverted,
    Nand,
    Set
};
enum class CullFace : uint8_t { None, Front, Back, Both };

struct StencilFace {
    Compare compare = Compare::Always;
    StencilOp stencilFail = StencilOp::Keep, depthFail = StencilOp::Keep, depthPass = StencilOp::Keep;
    uint8_t reference = 0, compareMask = 0xFF, writeMask = 0xFF;
    bool operator==(const StencilFace&) const = default;
};

struct RasterState {
    float viewport[4] = {};  ///< x, y, width, height in window pixels, y up
    float depthNear = 0, depthFar = 1;
    bool clipUpperLeft = false;      ///< y of clip coordinates counts downwards
    bool clipDepthFromZero = false;  ///< z of clip coordinates is 0..w within the view volume, not -w..w
    bool scissorTest = false;
    Rect scissor;
    CullFace cull = CullFace::None;
    bool frontIsClockwise = false;
    bool polygonOffset = false;
    float offsetFactor = 0, offsetUnits = 0;
    float offsetClamp = 0;  ///< bound of the offset on its side of 0; 0 and NaN: none
    float lineWidth = 1;
    uint16_t flatVaryings = 0;  ///< bit i: varying register i has the value of the primitive's last vertex
};

/// What is done to the colours of one target: what OES_draw_buffers_indexed and OpenGL ES 3.2 have for each buffer.
struct TargetState {
    bool blend = false;
    BlendEquation equationRgb = BlendEquation::Add, equationAlpha = BlendEquation::Add;
    BlendFactor srcRgb = BlendFactor::One, dstRgb = BlendFactor::Zero;
    BlendFactor srcAlpha = BlendFactor::One, dstAlpha = BlendFactor::Zero;
    uint8_t colorMask = 0xF;  ///< bit 0 red .. bit 3 alpha
    bool operator==(const TargetState&) const = default;
};

struct PixelState {
    bool depthTest = false, depthWrite = true;
    Compare depthCompare = Compare::Less;
    bool stencilTest = false;
    StencilFace front, back;
    std::array<TargetState, kMaxColorTargets> target;
    float blendColor[4] = {};         ///< unclamped; clamped to 0..1 for normalised targets
    LogicOp logicOp = LogicOp::Copy;  ///< another one takes blending's place; float and sRGB targets ignore it
    bool dither = true;
    bool alphaToCoverage = false;  ///< this and the next: without multisampling no effect
    bool sampleCoverage = false, sampleCoverageInvert = false;
    float sampleCoverageValue = 1;
};

/// What is drawn to. All images have the framebuffer's size or larger, and the same number of samples.
struct RenderTarget {
    int width = 0, height = 0;  ///< drawable area: the smallest attachment
    std::array<texture::ImagePtr, kMaxColorTargets> color{};
    texture::ImagePtr depth;    ///< D24S8 element; null: no depth test
    texture::ImagePtr stencil;  ///< often the same image as depth; null: no stencil test

    /// Samples of a pixel: 1, or texture::kMaxSamples when all images have them.
    [[nodiscard]] int samples() const {
        bool any = false, all = true;
        const auto look = [&](const texture::ImagePtr& image) {
            any |= image != nullptr;
            all &= image == nullptr || image->samples() == texture::kMaxSamples;
        };
        for (const texture::ImagePtr& image : color) look(image);
        look(depth);
        look(stencil);
        return any && all ? texture::kMaxSamples : 1;
    }
    /// The first image that there is; null: none.
    [[nodiscard]] const texture::Image* anyImage() const {
        for (const texture::ImagePtr& image : color)
            if (image != nullptr) return image.get();
        return depth != nullptr ? depth.get() : stencil.get();
    }
    bool operator==(const RenderTarget&) const = default;
};

/// Calls use(image) for each of the target's images, shared ones once.
template <class Use>
void forEachImage(const RenderTarget& target, const Use& use) {
    for (const texture::ImagePtr& image : target.color)
        if (image != nullptr) use(*image);
    if (target.depth != nullptr) use(*target.depth);
    if (target.stencil != nullptr && target.stencil != target.depth) use(*target.stencil);
}

enum class VertexType : uint8_t { I8, U8, I16, U16, Fixed16_16, F32, F16, I32, U32 };

/// Storage of a buffer object or a copy of client arrays; immutable once a recorded command refers to it
/// (the front end clones before writing).
using Bytes = std::vector<std::byte>;
using BytesPtr = std::shared_ptr<const Bytes>;

struct VertexAttribute {
    BytesPtr data;         ///< null: the constant value below
    int64_t offset = 0;    ///< bytes to element 0; may be negative for copied client arrays
    uint32_t stride = 16;  ///< bytes between elements
    VertexType type = VertexType::F32;
    uint8_t components = 4;  ///< 1..4; missing ones read 0, 0, 0, 1
    bool normalized = false;
    uint32_t divisor = 0;  ///< instanced arrays; 0: per vertex
    float constant[4] = {0, 0, 0, 1};
};

enum class IndexType : uint8_t { None, U8, U16, U32 };

struct TextureBinding {
    texture::TextureViewPtr view;  ///< null: incomplete, samples (0,0,0,1)
    texture::SamplerState state;
};

/// The stages that a draw runs through.
inline constexpr isa::Stage kDrawStages[] = {isa::Stage::Vertex, isa::Stage::Fragment};
inline constexpr size_t kAllStages = static_cast<size_t>(isa::Stage::Compute) + 1;

/// One thing for each stage of a draw, or for each that there is.
template <class T, size_t kStages = std::size(kDrawStages)>
struct PerStage {
    std::array<T, kStages> each{};
    [[nodiscard]] T& operator[](isa::Stage stage) { return each[static_cast<size_t>(stage)]; }
    [[nodiscard]] const T& operator[](isa::Stage stage) const { return each[static_cast<size_t>(stage)]; }
};

/// The part of a vertex program that computes positions (geometry/positions.h); null: none is known.
struct PositionPart {
    std::shared_ptr<const isa::Program> program;
    std::shared_ptr<const isa::Routine> routine;
};

/// A stage of a program; all null where it has none.
struct ProgramStage {
    std::shared_ptr<const isa::Program> program;
    std::shared_ptr<const isa::Routine> routine;  ///< of kDrawStages
    std::shared_ptr<const isa::Kernel> kernel;    ///< of the compute stage, for blocks of Program::block
    bool mayOverrun = true;                       ///< of kDrawStages: see mayOverrun() in undo.h
    Picture picture;                              ///< of the fragment stage: see pictureOf() in picture.h
    PositionPart positions;                       ///< of the vertex stage
};

/// What is linked and drawn with, or dispatched: stages with their routines or kernel. Made once per link.
struct Program {
    PerStage<ProgramStage, kAllStages> stages;
    std::array<uint32_t, 3> block{};  ///< threads of the compute stage's blocks
    uint32_t name = 0;                ///< the application's name for the program, for tools
    /// The vertex program's varying that each varying register of the fragment program takes; -1: none, it reads 0.
    /// Programs that were linked together number them alike.
    std::array<int8_t, isa::kMaxInputs> varyingSource = sameVaryings();
    /// A draw of it overran: later ones do nothing, so that a shader that never ends costs a moment once and not in
    /// every frame. The command processor's.
    mutable bool isBanned = false;

    [[nodiscard]] const isa::Program& vertex() const { return *stages[isa::Stage::Vertex].program; }
    [[nodiscard]] const isa::Program& fragment() const { return *stages[isa::Stage::Fragment].program; }

private:
    static constexpr std::array<int8_t, isa::kMaxInputs> sameVaryings() {
        std::array<int8_t, isa::kMaxInputs> same{};
        std::iota(same.begin(), same.end(), int8_t{0});
        return same;
    }
};

using ConstantRegister = std::array<float, 4>;

/// What draw calls seldom change from one to the next: those that follow each other share it. Immutable once a recorded
/// command refers to it.
struct DrawState {
    std::shared_ptr<const Program> program;
    RenderTarget target;
    RasterState raster;
    PixelState pixel;
    std::array<VertexAttribute, isa::kMaxInputs> attributes;  ///< by v register
    PerStage<std::vector<TextureBinding>> textures;           ///< by texture unit of the stage's program
};

}  // namespace tessera::pipeline
