// The units' own work: halves, modes, targets and missing textures. Filtering is tested in texture/.
#include "pipeline/units/texture_units.h"

#include <doctest/doctest.h>

#include <array>
#include <memory>

using namespace tessera;
using namespace tessera::pipeline;
using texture::Image;
using texture::PixelFormat;

namespace {

constexpr int kSize = 32;

/// Every level of every face in one colour: red = 10 * level, green = face, blue 50.
texture::TextureViewPtr levelColors(texture::Kind kind, int levels) {
    auto view = std::make_shared<texture::TextureView>();
    view->kind = kind;
    view->levels = levels;
    for (int face = 0; face < (kind == texture::Kind::Cube ? 6 : 1); ++face) {
        for (int level = 0; level < levels; ++level) {
            const int size = kSize >> level;
            auto image = std::make_shared<Image>(PixelFormat::Rgba8, size, size);
            for (int y = 0; y < size; ++y) {
                for (int x = 0; x < size; ++x) {
                    image->setTexel32(
                        x, y,
                        0xFF000000u | 50u << 16 | static_cast<uint32_t>(face) << 8 | static_cast<uint32_t>(10 * level));
                }
            }
            view->image[face][level] = image;
        }
    }
    return view;
}

/// One level, red = x, green = y.
texture::TextureViewPtr coordinates() {
    auto view = std::make_shared<texture::TextureView>();
    view->levels = 1;
    auto image = std::make_shared<Image>(PixelFormat::Rgba8, kSize, kSize);
    for (int y = 0; y < kSize; ++y) {
        for (int x = 0; x < kSize; ++x)
            image->setTexel32(x, y, 0xFF000000u | static_cast<uint32_t>(y) << 8 | static_cast<uint32_t>(x));
    }
    view->image[0][0] = image;
    return view;
}

texture::SamplerState nearest() {
    texture::SamplerState state;
    state.magFilter = state.minFilter = texture::Filter::Nearest;
    state.mipFilter = texture::MipFilter::Nearest;
    return state;
}

/// Coordinates of a request with room for everything it may point at.
struct Lookup {
    std::array<std::array<float, 32>, 3> coord{}, ddx{}, ddy{};
    std::array<float, 32> lod{};
    isa::TextureRequest request;
    isa::GroupRegister result{};

    explicit Lookup(isa::TextureTarget target = isa::TextureTarget::Tex2D) {
        request.target = target;
        request.mask = ~0u;
        request.lod = lod.data();
        for (int c = 0; c < 3; ++c) {
            request.coord[c] = coord[c].data();
            request.ddx[c] = ddx[c].data();
            request.ddy[c] = ddy[c].data();
        }
    }
    /// The value of a channel in eight bits.
    [[nodiscard]] int byte(int lane, int c) const { return static_cast<int>(result.lane[c][lane] * 255 + 0.5f); }
    [[nodiscard]] bool isIncomplete() const {
        for (int lane = 0; lane < 32; ++lane) {
            if (result.lane[0][lane] != 0 || result.lane[1][lane] != 0 || result.lane[2][lane] != 0 ||
                result.lane[3][lane] != 1)
                return false;
        }
        return true;
    }
    /// Moves `texels` per pixel in x of the block, none in y.
    void spread(float texels) {
        for (int lane = 0; lane < 32; ++lane) {
            coord[0][lane] = (0.5f + static_cast<float>(lane % 4) * texels) / kSize;
            coord[1][lane] = 0.5f / kSize;
        }
    }
};

}  // namespace

TEST_CASE("both halves of a group get their own texels") {
    const std::vector<TextureBinding> bindings = {{nullptr, {}}, {coordinates(), nearest()}};
    const DrawTextureUnits units(bindings);
    for (const auto target : {isa::TextureTarget::Tex2D, isa::TextureTarget::External}) {
        Lookup lookup(target);
        for (int lane = 0; lane < 32; ++lane) {
            lookup.coord[0][lane] = (static_cast<float>(lane) + 0.5f) / kSize;
            lookup.coord[1][lane] = (static_cast<float>(31 - lane) + 0.5f) / kSize;
        }
        units.sample(1, lookup.request, lookup.result);
        for (int lane = 0; lane < 32; ++lane) {
            CHECK(lookup.byte(lane, 0) == lane);
            CHECK(lookup.byte(lane, 1) == 31 - lane);
            CHECK(lookup.byte(lane, 3) == 255);
        }
    }
}

TEST_CASE("lookups of a scene that is given up give what incomplete textures give") {
    const std::vector<TextureBinding> bindings = {{levelColors(texture::Kind::Tex2D, 6), nearest()}};
    std::atomic<bool> stop = false;
    const DrawTextureUnits units(bindings, nullptr, &stop);
    Lookup lookup;
    units.sample(0, lookup.request, lookup.result);
    CHECK(!lookup.isIncomplete());
    stop = true;
    units.sample(0, lookup.request, lookup.result);
    CHECK(lookup.isIncomplete());
}

TEST_CASE("lanes of one half only") {
    const std::vector<TextureBinding> bindings = {{coordinates(), nearest()}};
    const DrawTextureUnits units(bindings);
    Lookup lookup;
    lookup.request.mask = 1u << 20;
    lookup.coord[0][20] = 7.5f / kSize, lookup.coord[1][20] = 9.5f / kSize;
    units.sample(0, lookup.request, lookup.result);
    CHECK(lookup.byte(20, 0) == 7);
    CHECK(lookup.byte(20, 1) == 9);
}

TEST_CASE("what cannot be sampled is opaque black") {
    auto incomplete = std::make_shared<texture::TextureView>();
    const std::vector<TextureBinding> bindings = {
        {nullptr, {}}, {incomplete, {}}, {levelColors(texture::Kind::Cube, 1), {}}, {coordinates(), {}}};
    const DrawTextureUnits units(bindings);
    const auto incompleteAt = [&](int unit, isa::TextureTarget target) {
        Lookup lookup(target);
        units.sample(unit, lookup.request, lookup.result);
        return lookup.isIncomplete();
    };
    for (const int unit : {0, 1, 2, 4, 15, 16, 1000, -1}) CHECK(incompleteAt(unit, isa::TextureTarget::Tex2D));
    for (const int unit : {0, 1, 2, 4}) CHECK(incompleteAt(unit, isa::TextureTarget::External));
    for (const int unit : {0, 1, 3, 4}) CHECK(incompleteAt(unit, isa::TextureTarget::Cube));
    for (const int unit : {0, 1, 2, 3, 4}) CHECK(incompleteAt(unit, isa::TextureTarget::Tex3D));
    CHECK(!incompleteAt(3, isa::TextureTarget::Tex2D));
    CHECK(!incompleteAt(2, isa::TextureTarget::Cube));
}

TEST_CASE("depth is compared where the lookup asks for it and the state says how") {
    auto view = std::make_shared<texture::TextureView>();
    view->levels = 1;
    view->image[0][0] = std::make_shared<Image>(PixelFormat::Depth24Stencil8, 1, 1);
    view->image[0][0]->setTexel32(0, 0, 0x40000000);
    texture::SamplerState plain = nearest(), comparing;
    plain.mipFilter = texture::MipFilter::None;
    comparing = plain;
    comparing.compare = texture::DepthCompare::LessEqual;
    const std::vector<TextureBinding> bindings = {{view, plain}, {view, comparing}};
    const DrawTextureUnits units(bindings);
    for (const int unit : {0, 1}) {
        for (const auto target : {isa::TextureTarget::Tex2D, isa::TextureTarget::Shadow2D}) {
            Lookup lookup(target);
            for (int lane = 0; lane < 32; ++lane) lookup.coord[2][lane] = lane % 2 == 0 ? 0.2f : 0.3f;
            units.sample(unit, lookup.request, lookup.result);
            const bool compares = unit == 1 && target == isa::TextureTarget::Shadow2D;
            for (int lane = 0; lane < 32; ++lane) {
                CHECK(lookup.byte(lane, 0) == (compares ? lane % 2 == 0 ? 255 : 0 : 64));
                CHECK(lookup.byte(lane, 3) == 255);
            }
        }
    }
}

TEST_CASE("level of detail in fragment programs") {
    const std::vector<TextureBinding> bindings = {{levelColors(texture::Kind::Tex2D, 6), nearest()}};
    const DrawTextureUnits units(bindings);
    const auto level = [&](Lookup& lookup) {
        units.sample(0, lookup.request, lookup.result);
        CHECK(lookup.byte(0, 0) == lookup.byte(31, 0));
        CHECK(lookup.byte(0, 2) == 50);
        return lookup.byte(0, 0) / 10;
    };
    Lookup lookup;
    lookup.spread(4);
    CHECK(level(lookup) == 2);
    lookup.request.lodMode = isa::LodMode::Bias;
    lookup.lod.fill(1);
    CHECK(level(lookup) == 3);
    lookup.request.lodMode = isa::LodMode::Explicit;
    lookup.lod.fill(4);
    CHECK(level(lookup) == 4);
    lookup.request.lodMode = isa::LodMode::Gradient;
    lookup.ddy[1].fill(8.0f / kSize);
    CHECK(level(lookup) == 3);
    lookup.ddx[0].fill(16.0f / kSize);
    CHECK(level(lookup) == 4);
}

TEST_CASE("level of detail in vertex programs") {
    const std::vector<TextureBinding> bindings = {{levelColors(texture::Kind::Tex2D, 6), nearest()}};
    const DrawTextureUnits units(bindings);
    Lookup lookup;
    lookup.spread(8);
    lookup.request.hasQuads = false;
    units.sample(0, lookup.request, lookup.result);
    CHECK(lookup.byte(3, 0) == 0);
    lookup.request.lodMode = isa::LodMode::Bias;
    lookup.lod.fill(2);
    units.sample(0, lookup.request, lookup.result);
    CHECK(lookup.byte(3, 0) == 20);
    lookup.request.lodMode = isa::LodMode::Explicit;
    lookup.lod.fill(5);
    units.sample(0, lookup.request, lookup.result);
    CHECK(lookup.byte(3, 0) == 50);
}

TEST_CASE("cube maps take all three coordinates") {
    const std::vector<TextureBinding> bindings = {{levelColors(texture::Kind::Cube, 1), nearest()}};
    const DrawTextureUnits units(bindings);
    for (int face = 0; face < 6; ++face) {
        Lookup lookup(isa::TextureTarget::Cube);
        lookup.coord[face / 2].fill(face % 2 == 0 ? 1.0f : -1.0f);
        units.sample(0, lookup.request, lookup.result);
        CHECK(lookup.byte(0, 1) == face);
        CHECK(lookup.byte(17, 1) == face);
    }
}
