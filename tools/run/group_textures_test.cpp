// A captured unit gives what the draw's own unit gives: lookups of both, compared to the bit.
#include "tools/run/group_textures.h"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <string>

#include "inspect/pixel_report.h"
#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"

using namespace tessera;
using isa::TextureTarget;
using texture::Kind;
using texture::PixelFormat;

namespace {

/// Texels that all differ from their neighbours, in each slice, face and level.
pipeline::TextureBinding makeBinding(Kind kind, PixelFormat format, int depth) {
    auto view = std::make_shared<texture::TextureView>();
    view->kind = kind;
    view->levels = 4;
    uint32_t next = 1;
    for (size_t face = 0; face < (kind == Kind::Cube ? 6 : 1); ++face)
        for (int level = 0; level < view->levels; ++level) {
            const int slices = kind == Kind::Tex3D ? std::max(depth >> level, 1) : depth;
            auto image = std::make_shared<texture::Image>(format, 8 >> level, 8 >> level, 1, slices);
            const size_t words = image->planeBytes() * static_cast<size_t>(slices) / 4;
            for (size_t i = 0; i < words; ++i) {
                next = next * 1664525 + 1013904223;
                image->block32(0, 0)[i] = format == PixelFormat::Depth32F
                                              ? std::bit_cast<uint32_t>(static_cast<float>(next >> 8) / 0x1p24f)
                                          : format == PixelFormat::Depth24 ? next >> 8
                                                                           : next;
            }
            view->image[face][static_cast<size_t>(level)] = std::move(image);
        }
    return {std::move(view), {}};
}

/// The unit as a capture has it, written to a file's bytes and read.
std::shared_ptr<tools::GroupTextures> captured(const pipeline::TextureBinding& binding) {
    isa::Program program;
    program.stage = isa::Stage::Fragment;
    program.code = {isa::encode({.op = isa::Op::Ret})};
    isa::deriveUsage(program);
    debug::Capture capture;
    capture.group.program = std::make_shared<const isa::Program>(std::move(program));
    capture.textures = {inspect::capturedTexture(1, binding)};
    std::string error;
    const std::optional<debug::Capture> read = debug::deserializeCapture(debug::serialize(capture), error);
    REQUIRE_MESSAGE(read.has_value(), error);
    auto units = std::make_shared<tools::GroupTextures>();
    REQUIRE(units->bind(read->textures.at(0)));
    units->finish();
    return units;
}

/// Lookups in and around the texture, at many levels of detail.
void checkSame(const pipeline::TextureBinding& binding, TextureTarget target) {
    const std::vector<pipeline::TextureBinding> bindings = {{}, binding};
    const pipeline::DrawTextureUnits drawn(bindings);
    const std::shared_ptr<tools::GroupTextures> kept = captured(binding);
    std::array<std::array<float, isa::kGroupSize>, 4> coord{};
    std::array<float, isa::kGroupSize> lod{};
    for (size_t lane = 0; lane < isa::kGroupSize; ++lane) {
        for (size_t c = 0; c < coord.size(); ++c)
            coord[c][lane] = static_cast<float>((lane * (7 + 6 * c) + 3 * c) % 31) / 13.0f - 0.7f;
        lod[lane] = static_cast<float>(lane % 9) / 2 - 1;
    }
    isa::TextureRequest request;
    request.target = target;
    request.lodMode = isa::LodMode::Explicit;
    request.mask = ~0u;
    request.lod = lod.data();
    for (size_t c = 0; c < coord.size(); ++c) request.coord[c] = coord[c].data();
    isa::GroupRegister expected{}, found{};
    drawn.sample(1, request, expected);
    kept->sample(1, request, found);
    bool isTexture = false;
    for (int c = 0; c < 4; ++c)
        for (int lane = 0; lane < isa::kGroupSize; ++lane) {
            const float value = expected.lane[c][lane];
            isTexture |= value != (c == 3 ? 1.0f : 0.0f);
            CHECK(__builtin_bit_cast(uint32_t, value) == __builtin_bit_cast(uint32_t, float{found.lane[c][lane]}));
        }
    CHECK(isTexture);
}

}  // namespace

TEST_CASE("every kind of texture is captured with all its slices and faces") {
    checkSame(makeBinding(Kind::Tex2D, PixelFormat::Rgba8, 1), TextureTarget::Tex2D);
    checkSame(makeBinding(Kind::Cube, PixelFormat::Rgba8, 1), TextureTarget::Cube);
    checkSame(makeBinding(Kind::Tex3D, PixelFormat::Rgba8, 6), TextureTarget::Tex3D);
    checkSame(makeBinding(Kind::Array2D, PixelFormat::Rgba8, 5), TextureTarget::Array2D);
}

TEST_CASE("all of a sampler's state is captured") {
    pipeline::TextureBinding binding = makeBinding(Kind::Tex3D, PixelFormat::Rgba8, 8);
    binding.state.minFilter = texture::Filter::Linear;
    binding.state.wrapS = texture::Wrap::MirroredRepeat;
    binding.state.wrapT = texture::Wrap::ClampToBorder;
    binding.state.wrapR = texture::Wrap::ClampToEdge;
    binding.state.border = {0.25f, 0.5f, 0.75f, 0.125f};
    binding.state.minLod = 0.5f;
    binding.state.maxLod = 1.75f;
    checkSame(binding, TextureTarget::Tex3D);

    binding = makeBinding(Kind::Cube, PixelFormat::Rgba8, 1);
    binding.state.minFilter = texture::Filter::Linear;
    binding.state.wrapS = binding.state.wrapT = texture::Wrap::ClampToEdge;
    binding.state.isEs3 = true;
    checkSame(binding, TextureTarget::Cube);
}

TEST_CASE("a swizzle and a comparison are captured") {
    pipeline::TextureBinding binding = makeBinding(Kind::Tex2D, PixelFormat::Rgba8, 1);
    auto swizzled = std::make_shared<texture::TextureView>(*binding.view);
    swizzled->swizzle = {texture::Channel::Blue, texture::Channel::One, texture::Channel::Red, texture::Channel::Zero};
    binding.view = swizzled;
    checkSame(binding, TextureTarget::Tex2D);

    binding = makeBinding(Kind::Array2D, PixelFormat::Depth32F, 3);
    binding.state.compare = texture::DepthCompare::LessEqual;
    checkSame(binding, TextureTarget::ShadowArray2D);
}

TEST_CASE("a level that is none of its texture is refused") {
    const debug::CapturedTexture good = inspect::capturedTexture(0, makeBinding(Kind::Tex3D, PixelFormat::Rgba8, 8));
    tools::GroupTextures units;
    CHECK(units.bind(good));
    // Widths and heights of 1 to 4 have the same blocks: the bytes alone do not tell a level of another size.
    const struct {
        const char* what;
        void (*damage)(debug::CapturedTexture&);
    } damages[] = {
        {"width", [](debug::CapturedTexture& bad) { bad.images[0][1].width = 3; }},
        {"height", [](debug::CapturedTexture& bad) { bad.images[0][1].height = 3; }},
        {"depth", [](debug::CapturedTexture& bad) { bad.images[0][1].depth = 8; }},
        {"the last level's size", [](debug::CapturedTexture& bad) { bad.images[0][3].width = 0; }},
        {"no format",
         [](debug::CapturedTexture& bad) {
             for (debug::CapturedImage& image : bad.images[0]) image.format = 0;
         }},
        {"a format that there is not",
         [](debug::CapturedTexture& bad) {
             for (debug::CapturedImage& image : bad.images[0]) image.format = texture::kPixelFormats;
         }},
        {"a format of its own",
         [](debug::CapturedTexture& bad) { bad.images[0][2].format = static_cast<int>(PixelFormat::Rgb8); }},
        {"a byte too few", [](debug::CapturedTexture& bad) { bad.images[0][0].blocks.pop_back(); }},
        {"a byte too many", [](debug::CapturedTexture& bad) { bad.images[0][0].blocks.emplace_back(); }},
        {"another kind", [](debug::CapturedTexture& bad) { bad.kind = static_cast<int>(Kind::Tex2D); }},
        {"faces of no cube", [](debug::CapturedTexture& bad) { bad.images.resize(6, bad.images[0]); }},
        {"a cube without its faces", [](debug::CapturedTexture& bad) { bad.kind = static_cast<int>(Kind::Cube); }},
        {"more than any memory has, without its bytes",
         [](debug::CapturedTexture& bad) {
             bad.images[0].resize(1);
             bad.images[0][0].width = bad.images[0][0].height = 4096, bad.images[0][0].depth = 512;
         }},
    };
    for (const auto& each : damages) {
        CAPTURE(std::string(each.what));
        debug::CapturedTexture bad = good;
        each.damage(bad);
        CHECK(!units.bind(bad));
    }
}
