// Targets whose elements are no bytes: what a program writes, a clear and an upload give the same bits, at every SIMD
// level; blending where there is some. Which bits a number becomes is in texture/element_test.cpp.
#include <bit>
#include <cstring>

#include "pipeline/pixel/color_block.h"
#include "pipeline/probe/pixel_probe.h"
#include "pipeline/testing/raster.h"
#include "texture/transfer/transfer.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;

namespace {

using texture::ClientFormat;
using texture::ClientType;
using texture::Element;

/// All that can be drawn to and are no bytes.
std::vector<PixelFormat> numberFormats() {
    std::vector<PixelFormat> formats;
    for (int i = 1; i < texture::kPixelFormats; ++i) {
        const texture::FormatInfo& info = texture::formatInfo(static_cast<PixelFormat>(i));
        if (info.renderable && !texture::holdsBytes(info.element) && !texture::isDepth(info.element))
            formats.push_back(info.format);
    }
    return formats;
}

bool isInteger(PixelFormat format) { return texture::isInteger(texture::formatInfo(format).element); }
bool isSigned(PixelFormat format) {
    return texture::elementInfo(texture::formatInfo(format).element).number == texture::Number::Sint;
}

/// Four numbers as a program writes them: floats, or the bits of integers, some of which the format cannot hold.
using Numbers = std::array<uint32_t, 4>;
Numbers randomNumbers(Random& random, PixelFormat format) {
    Numbers numbers{};
    const float wild[] = {NAN, INFINITY, -INFINITY, -1, 1e30f, 65519.996f, 65520, 0.5f / 1023, 1.5f / 1023, 1e-7f};
    for (uint32_t& number : numbers) {
        const auto bits = static_cast<uint32_t>(random());
        if (isInteger(format))
            number = isSigned(format) ? static_cast<uint32_t>(static_cast<int32_t>(bits) >> random() % 32)
                                      : bits >> random() % 32;
        else if (random() % 4 == 0)
            number = std::bit_cast<uint32_t>(wild[random() % std::size(wild)]);
        else
            number =
                std::bit_cast<uint32_t>(static_cast<float>(bits >> 8) * 0x1p-24f * (random() % 2 == 0 ? 1.0f : 300.0f));
    }
    return numbers;
}

/// An image of 64 x 64 with those numbers everywhere, uploaded.
ImagePtr uploaded(PixelFormat format, const Numbers& numbers) {
    auto image = std::make_shared<Image>(format, 64, 64);
    std::vector<Numbers> pixels(size_t{64} * 64, numbers);
    const ClientFormat clientFormat = isInteger(format) ? ClientFormat::RgbaInteger : ClientFormat::Rgba;
    const ClientType type = !isInteger(format) ? ClientType::F32 : isSigned(format) ? ClientType::I32 : ClientType::U32;
    texture::upload(*image, {0, 0, 64, 64}, reinterpret_cast<const std::byte*>(pixels.data()),
                    {clientFormat, type, sizeof(Numbers) * 64});
    return image;
}

bool holdSameBytes(const Image& a, const Image& b) {
    return a.byteCount() == b.byteCount() && std::memcmp(a.block(0, 0), b.block(0, 0), a.byteCount()) == 0;
}

isa::Program plainProgram() {
    isa::Program program;
    program.stage = isa::Stage::Fragment;
    program.outputMask = 1;
    return program;
}

void add(World& world, PixelState state, const Numbers& numbers, PrimitiveChunk chunk) {
    Draw draw;
    draw.state->pixel = state;
    draw.state->program = programOf(plainProgram(), [numbers](isa::GroupRun& run) {
        for (size_t c = 0; c < 4; ++c)
            for (float& lane : run.outputs[isa::kOutColor0].lane[c]) lane = std::bit_cast<float>(numbers[c]);
    });
    world.add(std::move(draw), std::move(chunk));
}

PrimitiveChunk wholeTarget() {
    PrimitiveChunk chunk;
    chunk.primitives = {rectangle(0, 0, 63, 63)};
    return chunk;
}

}  // namespace

TEST_CASE("a program, a clear and an upload give the same bits in every format") {
    Random random(1);
    for (const PixelFormat format : numberFormats()) {
        INFO(texture::formatInfo(format).name);
        for (int round = 0; round < 20; ++round) {
            const Numbers numbers = randomNumbers(random, format);
            const ImagePtr expected = uploaded(format, numbers);
            PixelState state;
            state.dither = false;
            state.target[0].blend = isInteger(format);  // which integers take no part in
            state.target[0].srcRgb = state.target[0].srcAlpha = BlendFactor::Zero;
            for (const RasterFunctions& level : hostLevels()) {
                World drawn(64, 64), cleared(64, 64);
                drawn.scene.target.color[0] = std::make_shared<Image>(format, 64, 64);
                add(drawn, state, numbers, wholeTarget());
                drawn.render(level);
                // A float that is no number is the canonical one when it is drawn.
                const bool keepsNan = texture::isSingle(texture::formatInfo(format).element);
                bool hasNan = false;
                for (const uint32_t number : numbers) hasNan |= (number & 0x7FFFFFFF) > 0x7F800000;
                if (!keepsNan || !hasNan) CHECK(holdSameBytes(*drawn.scene.target.color[0], *expected));

                cleared.scene.target.color[0] = std::make_shared<Image>(format, 64, 64);
                Clear clear;
                clear.clearColor = true;
                for (size_t c = 0; c < 4; ++c) clear.color[c] = std::bit_cast<float>(numbers[c]);
                cleared.add(clear);
                cleared.render(level);
                CHECK(holdSameBytes(*cleared.scene.target.color[0], *drawn.scene.target.color[0]));
            }
        }
    }
}

TEST_CASE("draws and clears leave masked channels and other pixels alone") {
    Random random(2);
    for (const PixelFormat format : numberFormats()) {
        INFO(texture::formatInfo(format).name);
        const texture::FormatInfo& info = texture::formatInfo(format);
        const std::array<uint8_t, 4> bits = {info.red, info.green, info.blue, info.alpha};
        for (int round = 0; round < 10; ++round) {
            const Numbers before = randomNumbers(random, format), after = randomNumbers(random, format);
            const auto mask = static_cast<uint8_t>(1 + random() % 15);
            Numbers mixed = before;
            for (size_t c = 0; c < 4; ++c)
                if ((mask >> c & 1) != 0 && bits[c] != 0) mixed[c] = after[c];
            const ImagePtr outside = uploaded(format, before), inside = uploaded(format, mixed);
            PixelState state;
            state.dither = false;
            state.target[0].colorMask = mask;
            for (const bool clears : {false, true}) {
                World world(64, 64);
                world.scene.target.color[0] = copyOf(outside);
                PrimitiveChunk chunk;
                chunk.primitives = {rectangle(5, 6, 20, 9)};
                Clear clear;
                clear.clearColor = true, clear.scissorTest = true, clear.scissor = {5, 6, 16, 4};
                clear.colorMask[0] = mask;
                for (size_t c = 0; c < 4; ++c) clear.color[c] = std::bit_cast<float>(after[c]);
                if (clears)
                    world.add(clear);
                else
                    add(world, state, after, std::move(chunk));
                const std::vector<RasterFunctions> levels = hostLevels();
                world.render(levels[static_cast<size_t>(round) % levels.size()]);
                const Image& result = *world.scene.target.color[0];
                const auto bytes = static_cast<size_t>(texture::elementBytes(info.element));
                int wrong = 0;
                for (int y = 0; y < 64; ++y)
                    for (int x = 0; x < 64; ++x) {
                        const bool isInside = x >= 5 && x < 21 && y >= 6 && y < 10;
                        const auto at = static_cast<size_t>(y % 4 * 4 + x % 4) * bytes;
                        const Image& expected = isInside ? *inside : *outside;
                        wrong +=
                            std::memcmp(result.block(x / 4, y / 4) + at, expected.block(x / 4, y / 4) + at, bytes) != 0;
                    }
                bool hasNan = false;
                for (const Numbers& numbers : {before, after})
                    for (const uint32_t number : numbers) hasNan |= (number & 0x7FFFFFFF) > 0x7F800000;
                if (!texture::isSingle(info.element) || !hasNan) CHECK(wrong == 0);
            }
        }
    }
}

TEST_CASE("targets of any formats and sizes, drawn to together, each hold what they hold alone") {
    Random random(4);
    std::vector<PixelFormat> formats = numberFormats();
    for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::R8, PixelFormat::Rg8, PixelFormat::Rgb565,
                                     PixelFormat::Rgba4, PixelFormat::Rgb5A1, PixelFormat::Srgb8Alpha8})
        formats.push_back(format);
    int wrong = 0;
    for (int round = 0; round < 120; ++round) {
        const int samples = round % 2 == 0 ? 1 : texture::kMaxSamples;
        RenderTarget target{60, 50, {}, nullptr, nullptr};
        isa::Program program;
        program.stage = isa::Stage::Fragment;
        std::array<Numbers, kMaxColorTargets> numbers{};
        Draw draw;
        Clear clear;
        clear.clearColor = true, clear.scissorTest = true, clear.scissor = {20, 20, 9, 9};
        for (size_t i = 0; i < kMaxColorTargets; ++i) {
            numbers[i] = randomNumbers(random, formats[random() % formats.size()]);
            TargetState& state = draw.state->pixel.target[i];
            state.blend = random() % 2 == 0;
            state.srcRgb = state.dstAlpha = BlendFactor::DstAlpha;
            state.dstRgb = state.srcAlpha = BlendFactor::One;
            state.colorMask = random() % 2 == 0 ? 0xF : static_cast<uint8_t>(random() % 16);
            clear.colorMask[i] = random() % 2 == 0 ? 0xF : static_cast<uint8_t>(random() % 16);
            if (random() % 4 != 0)
                program.outputMask |= isa::RegisterMask::range(isa::kOutColor0 + static_cast<int>(i), 1);
            if (random() % 4 == 0) continue;
            target.color[i] =
                std::make_shared<Image>(formats[random() % formats.size()], 60 + static_cast<int>(random() % 9),
                                        50 + static_cast<int>(random() % 9), samples);
            std::byte* const bytes = target.color[i]->block(0, 0);
            for (size_t at = 0; at < target.color[i]->byteCount(); ++at) bytes[at] = static_cast<std::byte>(random());
        }
        for (size_t c = 0; c < 4; ++c) clear.color[c] = std::bit_cast<float>(static_cast<uint32_t>(random() % 300));
        draw.state->program = programOf(program, [numbers](isa::GroupRun& run) {
            for (size_t i = 0; i < kMaxColorTargets; ++i)
                for (size_t c = 0; c < 4; ++c)
                    for (float& lane : run.outputs[isa::kOutColor0 + i].lane[c])
                        lane = std::bit_cast<float>(numbers[i][c]);
        });
        const std::vector<RasterFunctions> levels = hostLevels();
        const auto rendered = [&](const RenderTarget& to) {
            World world(to.width, to.height);
            world.scene.target = copyOf(to);
            PrimitiveChunk chunk;
            chunk.primitives = {rectangle(5, 6, 40, 30)};
            world.add(draw, std::move(chunk));
            *clear.target = world.scene.target;
            world.add(clear);
            world.render(levels[static_cast<size_t>(round) % levels.size()]);
            return world.scene.target;
        };
        const RenderTarget together = rendered(target);
        for (size_t i = 0; i < kMaxColorTargets; ++i) {
            if (target.color[i] == nullptr) continue;
            RenderTarget alone{60, 50, {}, nullptr, nullptr};
            alone.color[i] = target.color[i];
            alone = rendered(alone);
            for (int sample = 0; sample < samples; ++sample)
                wrong += same(planeOf(together.color[i], sample), planeOf(alone.color[i], sample)) ? 0 : 1;
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("alpha becomes coverage unless colour 0 is of integers") {
    for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::Rgba8Uint, PixelFormat::R32Sint}) {
        World world(64, 64);
        world.scene.target.color[0] = std::make_shared<Image>(format, 64, 64, texture::kMaxSamples);
        PixelState state;
        state.alphaToCoverage = true;
        const uint32_t one = format == PixelFormat::Rgba8 ? 0x3F800000 : 1;
        add(world, state, {one, one, one, 0}, wholeTarget());
        world.render(hostLevels().back());
        const bool isCovered = world.scene.target.color[0]->texel32(9, 9) != 0;
        CHECK(isCovered == (format != PixelFormat::Rgba8));
    }
}

TEST_CASE("ten bits are blended in units of 1/1023, alpha of 1/3, rounded once") {
    Random random(3);
    const ColorLayout layout = colorLayout(PixelFormat::Rgb10A2, true);
    CHECK(layout.scale[0] == 1023);
    CHECK(layout.scale[3] == 3);
    for (int round = 0; round < 300; ++round) {
        const auto word = static_cast<uint32_t>(random());
        std::array<float, 4> source{};
        for (float& channel : source) channel = static_cast<float>(random() >> 8) * 0x1p-24f;
        World world(64, 64);
        world.scene.target.color[0] = std::make_shared<Image>(PixelFormat::Rgb10A2, 64, 64);
        world.scene.target.color[0]->setTexel32(9, 9, word);
        PixelState state;
        state.dither = false;
        state.target[0].blend = true;
        state.target[0].srcRgb = state.target[0].srcAlpha = BlendFactor::SrcAlpha;
        state.target[0].dstRgb = state.target[0].dstAlpha = BlendFactor::OneMinusSrcAlpha;
        Numbers numbers{};
        for (size_t c = 0; c < 4; ++c) numbers[c] = std::bit_cast<uint32_t>(source[c]);
        add(world, state, numbers, wholeTarget());
        world.render(hostLevels().back());
        const uint32_t result = world.scene.target.color[0]->texel32(9, 9);
        for (uint32_t c = 0; c < 4; ++c) {
            const double most = c == 3 ? 3 : 1023;
            const auto field = [&](uint32_t from) { return from >> (10 * c) & static_cast<uint32_t>(most); };
            const double exact = source[c] * most * source[3] + field(word) * (1.0 - source[3]);
            CHECK(std::abs(field(result) - exact) < 0.5001);
        }
    }
}

TEST_CASE("numbers with signs are blended within -1..1, and so are factors; sixteen bits in units of 1/65535") {
    Random random(5);
    const std::array<BlendFactor, 7> factors = {
        BlendFactor::One,      BlendFactor::SrcColor,         BlendFactor::OneMinusSrcColor, BlendFactor::DstColor,
        BlendFactor::DstAlpha, BlendFactor::OneMinusDstAlpha, BlendFactor::ConstantColor};
    for (const PixelFormat format : {PixelFormat::Rgba8Snorm, PixelFormat::Rgba16Snorm, PixelFormat::Rgba16}) {
        const bool isSigned = format != PixelFormat::Rgba16;
        const double least = isSigned ? -1 : 0, unit = format == PixelFormat::Rgba8Snorm ? 127
                                                       : isSigned                        ? 32767
                                                                                         : 65535;
        const auto within = [&](double value) { return std::clamp(value, least, 1.0); };
        for (int round = 0; round < 200; ++round) {
            Numbers source{}, stored{};
            std::array<double, 4> s{}, d{}, k{};
            PixelState state;
            state.dither = false;
            for (size_t c = 0; c < 4; ++c) {
                const auto number = [&] { return static_cast<float>(random() >> 8) * 0x1p-22f - 2; };
                const float from = number(), constant = number();
                const double to = std::nearbyint(within(number()) * unit) / unit;
                source[c] = std::bit_cast<uint32_t>(from);
                stored[c] = std::bit_cast<uint32_t>(static_cast<float>(to));
                s[c] = within(static_cast<double>(from)), d[c] = to, k[c] = within(static_cast<double>(constant));
                state.blendColor[c] = constant;
            }
            TargetState& target = state.target[0];
            target.blend = true;
            target.srcRgb = target.srcAlpha = factors[random() % factors.size()];
            target.dstRgb = target.dstAlpha = factors[random() % factors.size()];
            const auto valueOf = [&](BlendFactor factor, size_t c) {
                switch (factor) {
                    case BlendFactor::SrcColor:
                        return s[c];
                    case BlendFactor::OneMinusSrcColor:
                        return within(1 - s[c]);
                    case BlendFactor::DstColor:
                        return d[c];
                    case BlendFactor::DstAlpha:
                        return d[3];
                    case BlendFactor::OneMinusDstAlpha:
                        return within(1 - d[3]);
                    case BlendFactor::ConstantColor:
                        return k[c];
                    default:
                        return 1.0;
                }
            };
            const ImagePtr image = uploaded(format, stored);
            World world(64, 64);
            world.scene.target.color[0] = image;
            add(world, state, source, wholeTarget());
            const std::vector<RasterFunctions> levels = hostLevels();
            world.render(levels[static_cast<size_t>(round) % levels.size()]);
            std::array<float, 4> result{};
            texture::readBack(*image, {9, 9, 1, 1}, reinterpret_cast<std::byte*>(result.data()),
                              {ClientFormat::Rgba, ClientType::F32, 16});
            for (size_t c = 0; c < 4; ++c) {
                const double exact = within(s[c] * valueOf(target.srcRgb, c) + d[c] * valueOf(target.dstRgb, c));
                CHECK(std::abs(static_cast<double>(result[c]) - exact) * unit < 0.52);
            }
        }
    }
}

TEST_CASE("what a pixel holds is told in the numbers of its element") {
    RenderTarget target;
    target.width = target.height = 4;
    target.color[0] = std::make_shared<Image>(PixelFormat::Rgba8Sint, 4, 4);
    target.color[0]->setTexel32(2, 1, 0x7F80FF05);
    PixelContents contents = readPixel(target, 2, 1);
    CHECK(contents.sample[0].color[0] == std::array<float, 4>{5, -1, -128, 127});
    target.color[0] = std::make_shared<Image>(PixelFormat::Rgb10A2, 4, 4);
    target.color[0]->setTexel32(2, 1, 3u << 30 | 1023u << 10 | 7);
    contents = readPixel(target, 2, 1);
    CHECK(contents.sample[0].color[0] == std::array<float, 4>{7, 1023, 0, 3});
}
