#include "inspect/color_origin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "inspect/pixel_report.h"
#include "pipeline/commands.h"
#include "pipeline/units/texture_units.h"
#include "shader-core/debug/replay/replay.h"
#include "shader-core/debug/trace/trace.h"
#include "shader-core/isa/program.h"

namespace tessera::inspect {

namespace {

/// What a coordinate is in the part of the texture that the wrap mode mirrors.
double unmirrored(double unit, texture::Wrap wrap) {
    if (wrap == texture::Wrap::MirrorClampToEdge) return std::abs(unit);
    if (wrap != texture::Wrap::MirroredRepeat) return unit;
    const double part = unit - 2 * std::floor(unit / 2);
    return part > 1 ? 2 - part : part;
}

/// Of the two texels that a linear filter reads along an axis that with the greater weight: its centre is the nearer
/// one to the place, which is rounded before it is weighted.
int nearer(int first, int second, double unit, int size, texture::Wrap wrap) {
    const double place = unmirrored(unit, wrap) * size;
    const auto distance = [&](int texel) {
        double away = std::abs(place - (texel + 0.5));
        if (wrap != texture::Wrap::Repeat) return away;
        away -= size * std::floor(away / size);
        return std::min(away, size - away);
    };
    return distance(second) < distance(first) ? second : first;
}

std::string samplerName(const isa::Program& program, int unit) {
    for (const isa::Variable& variable : program.uniforms)
        if (isa::isSampler(variable.type) && unit >= variable.reg && unit < variable.reg + isa::registerCount(variable))
            return variable.name;
    return {};
}

/// The stored colour; nothing of depth and stencil.
Json valueOf(const texture::ImagePtr& image, int x, int y) {
    const texture::FormatInfo& format = texture::formatInfo(image->format());
    if (format.depth != 0 || format.stencil != 0) return nullptr;
    pipeline::RenderTarget target;
    target.width = image->width(), target.height = image->height();
    target.color[0] = image;
    Json value = Json::array();
    for (const float channel : pipeline::readPixel(target, x, y).sample[0].color[0])
        value.push_back(std::isfinite(channel) ? Json(channel) : Json(fmt::format("{}", channel)));
    return value;
}

/// The texture units of a draw, and what one lane reads of them.
class HeardUnits final : public isa::TextureUnits, private pipeline::TextureProbe {
public:
    HeardUnits(const pipeline::ProbedGroup& group, const ImageNumber& numberOf)
        : bindings_(group.draw->state->textures[isa::Stage::Fragment]),
          program_(group.draw->state->program->fragment()),
          numberOf_(numberOf),
          lane_(group.lane),
          probe_{.probe = this},
          units_(bindings_, &probe_) {}

    void sample(int unit, const isa::TextureRequest& request, isa::GroupRegister& result) const override {
        // Of a cube map they are a direction, and no place in a face.
        const bool isPlace =
            request.target != isa::TextureTarget::Cube && request.target != isa::TextureTarget::ShadowCube;
        for (size_t c = 0; c < place_.size(); ++c)
            place_[c] = isPlace && request.coord[c] != nullptr ? request.coord[c][lane_] : 0;
        offset_ = request.offset;
        units_.sample(unit, request, result);
    }

    /// All of them.
    [[nodiscard]] size_t count() const { return count_; }
    [[nodiscard]] Json take() { return std::move(lookups_); }

private:
    void fetched(const pipeline::TextureFetch& fetch) override {
        const texture::TexelFetch& texels = *fetch.texels;
        const auto i = static_cast<size_t>(lane_ - fetch.firstLane);
        if (i >= 16 || (texels.lanes >> i & 1) == 0) return;
        if (++count_ > kMostLookups) return;
        const texture::SamplerState& state = bindings_[static_cast<size_t>(fetch.unit)].state;
        const texture::Image& image = *texels.image;
        const auto at = [&](const int32_t(&both)[2][16], size_t axis, int size, texture::Wrap wrap) {
            if (!texels.linear) return both[0][i];
            const double unit = place_[axis] + double{1} * offset_[axis] / size;
            return nearer(both[0][i], both[1][i], unit, size, wrap);
        };
        const int x = at(texels.x, 0, image.width(), state.wrapS), y = at(texels.y, 1, image.height(), state.wrapT);
        // The filter of an array is within a layer.
        const int slice = fetch.view->kind == texture::Kind::Tex3D     ? at(texels.z, 2, image.depth(), state.wrapR)
                          : fetch.view->kind == texture::Kind::Array2D ? texels.z[0][i]
                                                                       : 0;
        Json lookup = {{"unit", fetch.unit}};
        if (std::string name = samplerName(program_, fetch.unit); !name.empty()) lookup["sampler"] = std::move(name);
        lookup["texture"] = static_cast<uint32_t>(fetch.view->identity);
        if (const uint32_t number = numberOf_ ? numberOf_(image.whole()) : 0; number != 0) lookup["image"] = number;
        lookup["level"] = texels.level;
        if (fetch.view->kind == texture::Kind::Cube) lookup["face"] = texels.face;
        if (image.depth() > 1) lookup["slice"] = slice;
        lookup["x"] = x, lookup["y"] = y;
        lookup["width"] = image.width(), lookup["height"] = image.height();
        lookup["format"] = texture::formatInfo(image.format()).name;
        lookup["filtered"] = texels.linear;
        const texture::ImagePtr& whole =
            fetch.view->image[static_cast<size_t>(texels.face)][static_cast<size_t>(texels.level)];
        if (whole && x >= 0 && y >= 0 && x < image.width() && y < image.height() && slice >= 0 && slice < image.depth())
            if (Json value = valueOf(image.depth() > 1 ? std::make_shared<texture::Image>(whole, slice) : whole, x, y);
                !value.is_null())
                lookup["value"] = std::move(value);
        lookups_.push_back(std::move(lookup));
    }
    void drawsDone() override {}
    void endFrame() override {}
    [[nodiscard]] pipeline::TextureCacheCounters total() const override { return {}; }
    [[nodiscard]] pipeline::TextureCacheCounters ofTexture(uint64_t) const override { return {}; }

    const std::vector<pipeline::TextureBinding>& bindings_;
    const isa::Program& program_;
    const ImageNumber& numberOf_;
    const int lane_;
    mutable std::array<float, 3> place_{};  ///< of the lane, in the lookup that is under way
    mutable std::array<int8_t, 3> offset_{};
    pipeline::DrawProbe probe_;
    pipeline::DrawTextureUnits units_;
    Json lookups_ = Json::array();
    size_t count_ = 0;
};

std::string_view lineOf(std::string_view text, uint32_t number) {
    for (uint32_t line = 1; line < number && !text.empty(); ++line)
        text.remove_prefix(std::min(text.size(), text.find('\n') + 1));
    text = text.substr(0, text.find('\n'));
    const size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t\r");
    return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

bool writesColor(const isa::Instruction& instruction) {
    return isa::hasDestination(isa::opInfo(instruction.op).shape) && instruction.dst.file == isa::File::O &&
           !instruction.dst.relative && instruction.dst.index == isa::kOutColor0;
}

}  // namespace

Json colorOrigin(const pipeline::ProbedGroup& group, const ImageNumber& numberOf) {
    debug::Group once = groupOf(group);
    const std::shared_ptr<const isa::Program> program = once.program;
    const auto units = std::make_shared<HeardUnits>(group, numberOf);
    once.textures = units;
    const debug::Replay replay(std::move(once));
    std::array<std::optional<uint32_t>, 4> last;  ///< by component
    (void)replay.visit([&](const interp::Step& step) {
        const isa::Instruction& instruction = replay.code()[step.pc];
        if ((step.guardedMask >> group.lane & 1) == 0 || !writesColor(instruction)) return;
        for (size_t c = 0; c < last.size(); ++c)
            if ((instruction.dst.writeMask >> c & 1) != 0) last[c] = step.pc;
    });
    std::set<uint32_t> writers;
    for (const std::optional<uint32_t>& pc : last)
        if (pc) writers.insert(*pc);
    Json origin;
    origin["lookups"] = units->take();
    origin["lookupCount"] = units->count();
    origin["writes"] = Json::array();
    for (const uint32_t pc : writers) {
        const isa::Word& word = program->code[pc];
        Json json = {{"instruction", pc},
                     {"word", fmt::format("{:016x}{:016x}", word.hi, word.lo)},
                     {"text", debug::instructionText(replay.code()[pc])}};
        if (const uint32_t line = debug::lineOf(*program, pc); line != 0) {
            json["line"] = line;
            json["source"] = lineOf(program->source, line);
        }
        origin["writes"].push_back(std::move(json));
    }
    origin["lane"] = group.lane;
    return origin;
}

bool isSameImage(const texture::Image& a, const texture::Image& b) { return a.block(0, 0) == b.block(0, 0); }

bool drawsTo(const pipeline::RenderTarget& target, const texture::Image& image) {
    const auto isIt = [&](const texture::ImagePtr& one) { return one && isSameImage(*one, image); };
    return std::ranges::any_of(target.color, isIt) || isIt(target.depth) || isIt(target.stencil);
}

}  // namespace tessera::inspect
