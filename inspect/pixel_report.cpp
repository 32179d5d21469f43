#include "inspect/pixel_report.h"

#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "base/enumeration.h"
#include "base/limits.h"
#include "pipeline/commands.h"
#include "pipeline/geometry/index_runs.h"
#include "shader-core/isa/program.h"
#include "texture/transfer/transfer.h"

namespace tessera::inspect {

namespace {

using pipeline::PixelEvent;

constexpr const char* kPrimitives[] = {"GL_POINTS",    "GL_LINES",          "GL_LINE_LOOP",   "GL_LINE_STRIP",
                                       "GL_TRIANGLES", "GL_TRIANGLE_STRIP", "GL_TRIANGLE_FAN"};
constexpr const char* kCompares[] = {"GL_NEVER",   "GL_LESS",     "GL_EQUAL",  "GL_LEQUAL",
                                     "GL_GREATER", "GL_NOTEQUAL", "GL_GEQUAL", "GL_ALWAYS"};
constexpr const char* kStencilOps[] = {"GL_KEEP",      "GL_ZERO", "GL_REPLACE",   "GL_INCR",
                                       "GL_INCR_WRAP", "GL_DECR", "GL_DECR_WRAP", "GL_INVERT"};
constexpr const char* kFactors[] = {"GL_ZERO",
                                    "GL_ONE",
                                    "GL_SRC_COLOR",
                                    "GL_ONE_MINUS_SRC_COLOR",
                                    "GL_DST_COLOR",
                                    "GL_ONE_MINUS_DST_COLOR",
                                    "GL_SRC_ALPHA",
                                    "GL_ONE_MINUS_SRC_ALPHA",
                                    "GL_DST_ALPHA",
                                    "GL_ONE_MINUS_DST_ALPHA",
                                    "GL_CONSTANT_COLOR",
                                    "GL_ONE_MINUS_CONSTANT_COLOR",
                                    "GL_CONSTANT_ALPHA",
                                    "GL_ONE_MINUS_CONSTANT_ALPHA",
                                    "GL_SRC_ALPHA_SATURATE",
                                    "GL_SRC1_COLOR_EXT",
                                    "GL_ONE_MINUS_SRC1_COLOR_EXT",
                                    "GL_SRC1_ALPHA_EXT",
                                    "GL_ONE_MINUS_SRC1_ALPHA_EXT"};
constexpr const char* kEquations[] = {
    "GL_FUNC_ADD",       "GL_FUNC_SUBTRACT", "GL_FUNC_REVERSE_SUBTRACT", "GL_MIN_EXT",       "GL_MAX_EXT",
    "GL_MULTIPLY_KHR",   "GL_SCREEN_KHR",    "GL_OVERLAY_KHR",           "GL_DARKEN_KHR",    "GL_LIGHTEN_KHR",
    "GL_COLORDODGE_KHR", "GL_COLORBURN_KHR", "GL_HARDLIGHT_KHR",         "GL_SOFTLIGHT_KHR", "GL_DIFFERENCE_KHR",
    "GL_EXCLUSION_KHR",  "GL_HSL_HUE_KHR",   "GL_HSL_SATURATION_KHR",    "GL_HSL_COLOR_KHR", "GL_HSL_LUMINOSITY_KHR"};
constexpr const char* kWays[] = {"groups", "samples", "blocks"};
constexpr const char* kColors[] = {"program", "once", "copy", "picture", "none"};
constexpr const char* kSmall[] = {"one by one", "together", "shared"};
constexpr const char* kWayReasons[] = {"",
                                       "pixels are watched",
                                       "a tool hears of blocks or lookups",
                                       "the program is interpreted",
                                       "a pixel has several samples",
                                       "the program decides what is tested",
                                       "the program reads last colours",
                                       "blending or a logic operation reads the target",
                                       "the program reads gl_FragCoord, gl_FrontFacing or gl_PointCoord",
                                       "the program is run for each sample",
                                       "the program reads no varyings",
                                       "the program takes derivatives",
                                       "the program takes derivatives and has a loop",
                                       "the program has a loop or a call whose end its text does not show",
                                       "stencil or coverage is tested",
                                       "colours are written stage by stage",
                                       "the depth function lets depths grow"};
constexpr const char* kFinishReasons[] = {"", "several targets are written", "the target's format",
                                          "the blend functions or equations",
                                          "the colour mask, dithering or the logic operation"};
constexpr const char* kKinds[] = {"triangle", "line", "point"};

template <size_t kNames, class Value>
const char* nameOf(const char* const (&names)[kNames], Value value) {
    static_assert(kNames == enumeratorCount<Value>());
    return names[static_cast<size_t>(value)];
}

/// JSON has no NaN and no infinity: those are strings.
Json number(float value) {
    if (std::isfinite(value)) return value;
    return fmt::format("{}", value);
}

Json numbers(const std::array<float, 4>& values) {
    Json json = Json::array();
    for (const float value : values) json.push_back(number(value));
    return json;
}

Json describe(const pipeline::PixelContents& contents) {
    Json samples = Json::array();
    for (int i = 0; i < contents.samples; ++i) {
        const pipeline::SampleContents& sample = contents.sample[static_cast<size_t>(i)];
        Json json;
        json["color"] = numbers(sample.color[0]);
        for (size_t target = 1; target < sample.color.size(); ++target)
            if (sample.color[target] != std::array<float, 4>{})
                json[fmt::format("color{}", target)] = numbers(sample.color[target]);
        if (sample.hasDepth) json["depth"] = sample.depth;
        if (sample.hasStencil) json["stencil"] = sample.stencil;
        samples.push_back(std::move(json));
    }
    return samples;
}

Json describe(const pipeline::TargetKey& target, const pipeline::PixelValues& values) {
    Json json;
    json["blend"] = target.blend;
    if (target.blend) {
        json["equation"] = {nameOf(kEquations, target.equation[0]), nameOf(kEquations, target.equation[1])};
        json["source"] = {nameOf(kFactors, target.source[0]), nameOf(kFactors, target.source[1])};
        json["destination"] = {nameOf(kFactors, target.destination[0]), nameOf(kFactors, target.destination[1])};
        json["blendColor"] = numbers(std::to_array(values.blendColor));
    }
    json["colorMask"] = target.writeMask;
    return json;
}

Json describe(const pipeline::StencilKey& key, const pipeline::StencilValues& values) {
    return {{"func", nameOf(kCompares, key.compare)},
            {"reference", values.reference},
            {"mask", values.compareMask},
            {"fail", nameOf(kStencilOps, key.stencilFail)},
            {"depthFail", nameOf(kStencilOps, key.depthFail)},
            {"depthPass", nameOf(kStencilOps, key.depthPass)},
            {"writeMask", values.writeMask}};
}

debug::CapturedImage imageOf(const texture::Image& image) {
    const std::byte* first = image.block(0, 0);
    const size_t bytes = image.planeBytes() * static_cast<size_t>(image.depth());
    return {static_cast<int>(image.format()), image.width(), image.height(), image.depth(), {first, first + bytes}};
}

}  // namespace

debug::CapturedTexture capturedTexture(int unit, const pipeline::TextureBinding& binding) {
    const texture::TextureView& view = *binding.view;
    debug::CapturedTexture captured;
    captured.unit = unit;
    captured.kind = static_cast<int>(view.kind);
    captured.magFilter = static_cast<int>(binding.state.magFilter);
    captured.minFilter = static_cast<int>(binding.state.minFilter);
    captured.mipFilter = static_cast<int>(binding.state.mipFilter);
    captured.wrapS = static_cast<int>(binding.state.wrapS);
    captured.wrapT = static_cast<int>(binding.state.wrapT);
    captured.wrapR = static_cast<int>(binding.state.wrapR);
    captured.compare = static_cast<int>(binding.state.compare);
    captured.maxAnisotropy = binding.state.maxAnisotropy;
    captured.isEs3 = binding.state.isEs3;
    captured.asCodes = binding.state.asCodes;
    captured.minLod = binding.state.minLod;
    captured.maxLod = binding.state.maxLod;
    captured.border = binding.state.border;
    for (size_t c = 0; c < view.swizzle.size(); ++c) captured.swizzle[c] = static_cast<int>(view.swizzle[c]);
    for (size_t face = 0; face < (view.kind == texture::Kind::Cube ? 6 : 1); ++face) {
        std::vector<debug::CapturedImage>& levels = captured.images.emplace_back();
        for (size_t level = 0; level < static_cast<size_t>(view.levels); ++level)
            levels.push_back(imageOf(*view.image[face][level]));
    }
    return captured;
}

Json describe(const pipeline::Draw& draw) {
    Json json;
    json["call"] = draw.indexType == pipeline::IndexType::None ? "glDrawArrays" : "glDrawElements";
    json["mode"] = nameOf(kPrimitives, draw.primitive);
    json["first"] = draw.first;
    json["count"] = draw.count;
    if (draw.instances != 1) json["instances"] = draw.instances;
    if (draw.baseVertex != 0) json["base vertex"] = draw.baseVertex;
    if (draw.restart) json["restart"] = true;
    if (draw.streamOut) json["streams out"] = true;
    if (draw.state->program) json["program"] = draw.state->program->name;
    json["primitives"] = pipeline::drawnPrimitives(draw);
    return json;
}

Json describe(const pipeline::Clear& clear) {
    Json json;
    json["call"] = "glClear";
    std::string buffers;
    const auto add = [&](bool is, const char* name) {
        if (is) buffers += (buffers.empty() ? "" : " | ") + std::string(name);
    };
    add(clear.clearColor, "GL_COLOR_BUFFER_BIT");
    add(clear.clearDepth, "GL_DEPTH_BUFFER_BIT");
    add(clear.clearStencil, "GL_STENCIL_BUFFER_BIT");
    json["buffers"] = buffers;
    return json;
}

Json describe(const pipeline::RenderTarget& target) {
    Json json;
    json["width"] = target.width;
    json["height"] = target.height;
    json["samples"] = target.samples();
    if (target.color[0]) json["format"] = texture::formatInfo(target.color[0]->format()).name;
    return json;
}

Json describe(const PixelEvent& event) {
    Json json;
    json["command"] = event.command;
    json["before"] = describe(event.before);
    json["after"] = describe(event.after);
    if (event.kind == PixelEvent::Kind::Clear) return json;
    json["primitive"] = event.primitive;
    json["kind"] = nameOf(kKinds, event.primitiveKind);
    json["front"] = event.frontFacing;
    json["samples"] = Json::array();
    for (int i = 0; i < event.before.samples; ++i) {
        const pipeline::SampleFate& fate = event.fate[static_cast<size_t>(i)];
        json["samples"].push_back({{"covered", fate.covered},
                                   {"stencilPass", fate.stencilPass},
                                   {"depthPass", fate.depthPass},
                                   {"z", number(fate.depth)},
                                   {"depth", fate.depthQuantized}});
    }
    json["shaded"] = event.shaded;
    json["discarded"] = event.discarded;
    json["instructions"] = event.instructions;
    json["color"] = numbers(event.color[0]);
    return json;
}

Json describeState(const pipeline::PixelKey& key, const pipeline::PixelValues& values) {
    Json json;
    json["depthTest"] = key.depthTest;
    if (key.depthTest) json["depthFunc"] = nameOf(kCompares, key.depthCompare);
    if (key.depthTest) json["depthWrite"] = key.depthWrite;
    json["stencilTest"] = key.stencilTest;
    if (key.stencilTest)
        json["stencil"] = {{"front", describe(key.stencil[0], values.stencil[0])},
                           {"back", describe(key.stencil[1], values.stencil[1])}};
    const Json first = describe(key.target[0], values);
    json.update(first);
    json["dither"] = key.target[0].dither;
    json["alphaToCoverage"] = key.alphaToCoverage;
    for (size_t i = 1; i < std::size(key.target); ++i)
        if (Json other = describe(key.target[i], values); key.target[i].layout.present && other != first)
            json[fmt::format("color{}", i)] = std::move(other);
    return json;
}

Json describe(const pipeline::BlockWay& way) {
    using pipeline::BlockWay;
    Json json = {{"kind", nameOf(kWays, way.kind)}}, why = Json::object();
    const auto add = [&](const char* part, Json value, const char* reason) {
        json[part] = std::move(value);
        if (*reason != 0) why[part] = reason;
    };
    add("kind", nameOf(kWays, way.kind), nameOf(kWayReasons, way.why.kind));
    json["color"] = nameOf(kColors, way.color);
    if (way.color != BlockWay::Color::None) {
        const bool isShort = way.forms.finish != pipeline::FinishForm::General;
        const bool isLate = isShort && way.kind == BlockWay::Kind::Blocks && !way.writesInLoop;
        add("finish",
            isLate    ? "blocks"
            : isShort ? "short"
                      : "stages",
            isLate ? nameOf(kWayReasons, pipeline::WayReason::LateTests) : nameOf(kFinishReasons, way.forms.reason));
        add("waits", way.waits, nameOf(kWayReasons, way.why.waits));
    }
    if (way.kind == BlockWay::Kind::Blocks) {
        add("small", nameOf(kSmall, way.small), nameOf(kWayReasons, way.why.small));
        add("hidesSquares", way.hidesSquares, nameOf(kWayReasons, way.why.hides));
    }
    json["why"] = std::move(why);
    return json;
}

Json describeSurface(const texture::Image& image) {
    return {{"width", image.width()},
            {"height", image.height()},
            {"samples", image.samples()},
            {"format", texture::formatInfo(image.format()).name}};
}

std::vector<uint8_t> resolvedPixel(const texture::Image& image, int x, int y) {
    std::vector<uint8_t> pixel(4);
    texture::readBack(image, {x, y, 1, 1}, reinterpret_cast<std::byte*>(pixel.data()),
                      {texture::ClientFormat::Rgba, texture::ClientType::U8, 4});
    return pixel;
}

std::vector<uint8_t> pictureOf(const texture::Image& image) {
    const size_t row = static_cast<size_t>(image.width()) * 4, rows = static_cast<size_t>(image.height());
    std::vector<uint8_t> bottomUp(row * rows), picture(row * rows);
    texture::readBack(image, {0, 0, image.width(), image.height()}, reinterpret_cast<std::byte*>(bottomUp.data()),
                      {texture::ClientFormat::Rgba, texture::ClientType::U8, row});
    for (size_t y = 0; y < rows; ++y) std::memcpy(&picture[y * row], &bottomUp[(rows - 1 - y) * row], row);
    return picture;
}

namespace {

void addTextures(const std::vector<pipeline::TextureBinding>& textures, isa::RegisterMask samplers,
                 debug::Capture& capture) {
    for (size_t unit = 0; unit < textures.size(); ++unit)
        if (textures[unit].view != nullptr && samplers.has(unit))
            capture.textures.push_back(capturedTexture(static_cast<int>(unit), textures[unit]));
}

}  // namespace

debug::Capture captureOf(const pipeline::ProbedVertices& vertices, uint64_t frame, uint32_t draw) {
    debug::Capture capture;
    debug::Group& to = capture.group;
    to.program = vertices.draw->state->program->stages[isa::Stage::Vertex].program;
    to.activeMask = (1u << vertices.elements.size()) - 1;
    to.budget = instructionBudget();
    for (const int v : to.program->inputMask) to.inputs[static_cast<size_t>(v)] = vertices.inputs[v];
    constexpr auto kInstance = static_cast<size_t>(isa::Special::InstanceId);
    if (to.program->specialMask.has(kInstance)) to.specials[kInstance] = vertices.specials[kInstance];
    to.constants.assign(vertices.constants.begin(), vertices.constants.begin() + to.program->constantCount);
    for (size_t lane = 0; lane < vertices.elements.size(); ++lane)
        to.laneNames[lane] = fmt::format("vertex {}", vertices.elements[lane]);
    capture.title = fmt::format("vertices of frame {}: draw {}, primitive {}", frame, draw, vertices.primitive);
    addTextures(vertices.draw->state->textures[isa::Stage::Vertex], to.program->samplerMask, capture);
    return capture;
}

debug::Group groupOf(const pipeline::ProbedGroup& group) {
    const isa::GroupRun& run = *group.run;
    debug::Group to;
    to.program = group.draw->state->program->stages[isa::Stage::Fragment].program;
    const isa::Program& program = *to.program;
    to.activeMask = run.activeMask;
    to.helperMask = run.helperMask;
    to.budget = run.budget;
    for (const int v : program.inputMask) to.inputs[static_cast<size_t>(v)] = run.inputs[v];
    constexpr isa::RegisterMask kFromPipeline = 0b111;  // the executor makes the others
    for (const int s : program.specialMask& kFromPipeline) to.specials[static_cast<size_t>(s)] = run.specials[s];
    to.constants.resize(program.constantCount);
    if (!to.constants.empty())
        std::memcpy(to.constants.data(), run.constants, to.constants.size() * sizeof to.constants[0]);
    return to;
}

debug::Capture captureOf(const pipeline::ProbedGroup& group, bool bottomUp, uint64_t frame, uint32_t draw) {
    debug::Capture capture;
    debug::Group& to = capture.group;
    to = groupOf(group);
    const auto pixelName = [&](int lane) {
        const int block = lane / 16, height = group.draw->state->target.height;
        const int x = group.blockX[block] * 4 + lane % 4, y = group.blockY[block] * 4 + lane % 16 / 4;
        return fmt::format("pixel {},{}", x, bottomUp ? y : height - 1 - y);
    };
    for (int lane = 0; lane < isa::kGroupSize; ++lane)
        if ((to.activeMask >> lane & 1) != 0) to.laneNames[static_cast<size_t>(lane)] = pixelName(lane);
    capture.lane = group.lane;
    capture.title =
        fmt::format("{} of frame {}: draw {}, primitive {}", pixelName(group.lane), frame, draw, group.primitive);
    addTextures(group.draw->state->textures[isa::Stage::Fragment], to.program->samplerMask, capture);
    return capture;
}

}  // namespace tessera::inspect
