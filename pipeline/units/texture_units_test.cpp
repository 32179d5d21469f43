// The units' own work: halves, modes, targets and missing textures. Filtering is tested in texture/.
#include "pipeline/units/texture_units.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <vector>

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
    std::array<std::array<float, 32>, 4> coord{};
    std::array<std::array<float, 32>, 3> ddx{}, ddy{};
    std::array<float, 32> lod{};
    isa::TextureRequest request;
    isa::GroupRegister result{};

    explicit Lookup(isa::TextureTarget target = isa::TextureTarget::Tex2D) {
        request.target = target;
        request.mask = ~0u;
        request.lod = lod.data();
        for (size_t c = 0; c < 4; ++c) request.coord[c] = coord[c].data();
        for (int c = 0; c < 3; ++c) {
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

TEST_CASE("a unit has a function of its own where it has a view, and nobody listens") {
    const auto targetsOf = [](const DrawTextureUnits& units) {
        std::vector<uint32_t> targets;
        for (int unit = 0; unit < isa::kMaxTextureUnits; ++unit) targets.push_back(units.lookups()[unit].targets);
        return targets;
    };
    const std::vector<TextureBinding> none, bindings = {{}, {coordinates(), nearest()}, {}};
    const std::vector<uint32_t> nothing(isa::kMaxTextureUnits);
    std::vector<uint32_t> expected = nothing;
    expected[1] = isa::BlockLookup::kUpToOne;
    for (const auto target : {isa::TextureTarget::Tex2D, isa::TextureTarget::External})
        for (const auto mode : {isa::LodMode::Implicit, isa::LodMode::Texel})
            expected[1] |= isa::BlockLookup::bitOf(target, mode);
    DrawProbe probe;
    // Over memory that holds anything.
    alignas(DrawTextureUnits) std::array<std::byte, sizeof(DrawTextureUnits)> memory;
    const auto made = [&](const std::vector<TextureBinding>& of, DrawProbe* heardBy) {
        memory.fill(std::byte{0xFF});
        auto* const units = std::construct_at(reinterpret_cast<DrawTextureUnits*>(memory.data()), of, heardBy);
        const std::vector<uint32_t> targets = targetsOf(*units);
        std::destroy_at(units);
        return targets;
    };
    CHECK(made(none, nullptr) == nothing);
    CHECK(made(none, &probe) == nothing);
    CHECK(made(bindings, nullptr) == expected);
    CHECK(made(bindings, &probe) == nothing);
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

namespace {

/// Two levels of three layers or slices: red = 10 * level + z.
texture::TextureViewPtr volumes(texture::Kind kind, PixelFormat format) {
    auto view = std::make_shared<texture::TextureView>();
    view->kind = kind;
    view->levels = 2;
    for (int level = 0; level < 2; ++level) {
        const int depth = kind == texture::Kind::Array2D ? 3 : 3 >> level;
        auto image = std::make_shared<Image>(format, 8 >> level, 4 >> level, 1, depth);
        for (int z = 0; z < depth; ++z) {
            Image slice(image, z);
            for (int y = 0; y < slice.height(); ++y)
                for (int x = 0; x < slice.width(); ++x)
                    slice.setTexel32(x, y, static_cast<uint32_t>(10 * level + z) | static_cast<uint32_t>(x) << 8);
        }
        view->image[0][static_cast<size_t>(level)] = image;
    }
    return view;
}

int32_t integer(const Lookup& lookup, int component, int lane) {
    return std::bit_cast<int32_t>(lookup.result.lane[component][lane]);
}

}  // namespace

TEST_CASE("single texels are fetched by integers, with an offset, of every layer and level") {
    const std::vector<TextureBinding> bindings = {{volumes(texture::Kind::Array2D, PixelFormat::Rgba8Uint), nearest()},
                                                  {volumes(texture::Kind::Tex3D, PixelFormat::Rgba8Uint), nearest()}};
    const DrawTextureUnits units(bindings);
    for (const int unit : {0, 1}) {
        Lookup lookup(unit == 0 ? isa::TextureTarget::Array2D : isa::TextureTarget::Tex3D);
        lookup.request.lodMode = isa::LodMode::Texel;
        lookup.request.type = isa::Type::U32;
        lookup.request.offset = {2, 0, static_cast<int8_t>(unit == 0 ? 7 : 0)};  // layers are not offset
        for (int lane = 0; lane < 32; ++lane) {
            lookup.coord[0][lane] = std::bit_cast<float>(lane - 3);
            lookup.coord[2][lane] = std::bit_cast<float>(lane % 3);
            lookup.lod[lane] = std::bit_cast<float>(lane / 16);
        }
        units.sample(unit, lookup.request, lookup.result);
        for (int lane = 0; lane < 32; ++lane) {
            const int x = lane - 3 + 2, level = lane / 16, z = lane % 3;
            const bool exists = x >= 0 && x < 8 >> level && (unit == 0 || z < 3 >> level);
            CHECK(integer(lookup, 0, lane) == (exists ? 10 * level + z : 0));
            CHECK(integer(lookup, 1, lane) == (exists ? x : 0));
        }
    }
}

TEST_CASE("sizes are those of a level, with the layers or the depth") {
    const std::vector<TextureBinding> bindings = {{volumes(texture::Kind::Array2D, PixelFormat::Rgba8), nearest()},
                                                  {volumes(texture::Kind::Tex3D, PixelFormat::Rgba8), nearest()},
                                                  {levelColors(texture::Kind::Cube, 2), nearest()},
                                                  {nullptr, {}}};
    const DrawTextureUnits units(bindings);
    struct Case {
        int unit;
        isa::TextureTarget target;
        int level;
        std::array<int, 3> size;
    };
    const Case cases[] = {{0, isa::TextureTarget::Array2D, 0, {8, 4, 3}},
                          {0, isa::TextureTarget::ShadowArray2D, 1, {4, 2, 3}},
                          {0, isa::TextureTarget::Array2D, 2, {0, 0, 0}},
                          {0, isa::TextureTarget::Array2D, -1, {0, 0, 0}},
                          {0, isa::TextureTarget::Tex3D, 0, {0, 0, 0}},
                          {1, isa::TextureTarget::Tex3D, 1, {4, 2, 1}},
                          {2, isa::TextureTarget::Cube, 1, {kSize / 2, kSize / 2, 0}},
                          {2, isa::TextureTarget::ShadowCube, 0, {kSize, kSize, 0}},
                          {3, isa::TextureTarget::Tex2D, 0, {0, 0, 0}}};
    for (const Case& one : cases) {
        Lookup lookup(one.target);
        lookup.request.lodMode = isa::LodMode::Size;
        lookup.request.type = isa::Type::I32;
        lookup.coord[0].fill(std::bit_cast<float>(one.level));
        units.sample(one.unit, lookup.request, lookup.result);
        for (int c = 0; c < 3; ++c) {
            CHECK(integer(lookup, c, 0) == one.size[static_cast<size_t>(c)]);
            CHECK(integer(lookup, c, 31) == one.size[static_cast<size_t>(c)]);
        }
    }
}

TEST_CASE("layers, and depth of layers and faces, are looked up, in every way of a level of detail") {
    texture::SamplerState comparing = nearest();
    comparing.compare = texture::DepthCompare::Less;
    auto depthCube = std::make_shared<texture::TextureView>();
    depthCube->kind = texture::Kind::Cube;
    depthCube->levels = 1;
    for (size_t face = 0; face < 6; ++face) {
        depthCube->image[face][0] = std::make_shared<Image>(PixelFormat::Depth24, 1, 1);
        depthCube->image[face][0]->setTexel32(0, 0, face << 29);
    }
    const std::vector<TextureBinding> bindings = {{volumes(texture::Kind::Array2D, PixelFormat::Rgba8), nearest()},
                                                  {volumes(texture::Kind::Array2D, PixelFormat::Depth24), comparing},
                                                  {depthCube, comparing}};
    const DrawTextureUnits units(bindings);
    for (const auto mode :
         {isa::LodMode::Implicit, isa::LodMode::Bias, isa::LodMode::Explicit, isa::LodMode::Gradient}) {
        Lookup lookup(isa::TextureTarget::Array2D);
        lookup.request.lodMode = mode;
        for (int lane = 0; lane < 32; ++lane) lookup.coord[2][lane] = static_cast<float>(lane % 4);
        const bool isSmaller = mode == isa::LodMode::Explicit || mode == isa::LodMode::Gradient;
        if (mode == isa::LodMode::Explicit) lookup.lod.fill(1);
        lookup.ddx[0].fill(2.0f / 8);
        units.sample(0, lookup.request, lookup.result);
        for (int lane = 0; lane < 32; ++lane)
            CHECK(lookup.byte(lane, 0) == std::min(lane % 4, 2) + (isSmaller ? 10 : 0));

        Lookup shadows(isa::TextureTarget::ShadowArray2D);
        shadows.request.lodMode = mode;
        // A depth of z / 2^24.
        for (int lane = 0; lane < 32; ++lane) {
            shadows.coord[2][lane] = static_cast<float>(lane % 3);
            shadows.coord[3][lane] = 0.5f / (1 << 16);
        }
        units.sample(1, shadows.request, shadows.result);
        for (int lane = 0; lane < 32; ++lane) CHECK(shadows.byte(lane, 0) == 0);

        Lookup faces(isa::TextureTarget::ShadowCube);
        faces.request.lodMode = mode;
        faces.coord[1].fill(-1);  // face 3: a depth of a little more than 3 / 8
        for (int lane = 0; lane < 32; ++lane) faces.coord[3][lane] = static_cast<float>(lane) / 32;
        units.sample(2, faces.request, faces.result);
        for (int lane = 0; lane < 32; ++lane) CHECK(faces.byte(lane, 0) == (lane <= 12 ? 255 : 0));
    }
}

TEST_CASE("an offset moves a lookup by texels of its level") {
    const std::vector<TextureBinding> bindings = {{coordinates(), nearest()}};
    const DrawTextureUnits units(bindings);
    Lookup lookup;
    lookup.request.offset = {3, -1, 0};
    for (int lane = 0; lane < 32; ++lane)
        lookup.coord[0][lane] = 0.5f / kSize, lookup.coord[1][lane] = (static_cast<float>(lane) + 0.5f) / kSize;
    units.sample(0, lookup.request, lookup.result);
    for (int lane = 0; lane < 32; ++lane) {
        CHECK(lookup.byte(lane, 0) == 3);
        CHECK(lookup.byte(lane, 1) == (lane + kSize - 1) % kSize);
    }
}

TEST_CASE("what cannot be sampled is (0, 0, 0, 1) in integers, too") {
    const std::vector<TextureBinding> bindings = {{nullptr, {}}};
    const DrawTextureUnits units(bindings);
    Lookup lookup;
    lookup.request.type = isa::Type::I32;
    lookup.request.lodMode = isa::LodMode::Texel;
    units.sample(0, lookup.request, lookup.result);
    CHECK(integer(lookup, 0, 7) == 0);
    CHECK(integer(lookup, 3, 7) == 1);
}
