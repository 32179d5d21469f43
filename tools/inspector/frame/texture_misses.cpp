#include "tools/inspector/frame/texture_misses.h"

#include <algorithm>

#include "model/texel_stream.h"
#include "pipeline/command/gpu.h"
#include "shader-core/interp/interpreter.h"

namespace tessera::tools {

namespace {

using Counts = TextureMisses::Counts;

/// Counts while a frame is executed.
class MissProbe final : public pipeline::TextureProbe {
public:
    MissProbe(const inspect::Names& names, TextureMisses& misses) : names_(names), misses_(misses) {}

    void fetched(const pipeline::TextureFetch& fetch) override {
        const texture::Image& image = *fetch.texels->image;
        auto& images = images_[fetch.draw];
        const uint32_t number = images.try_emplace(&image, static_cast<uint32_t>(images.size())).first->second;
        const model::TexelBlock block = model::texelBlock(fetch, number, 0);
        uint32_t ofLane[16] = {};
        missed_.clear();
        misses_.all.add(caches_.read(block, ofLane, &missed_));
        const uint32_t whole = names_.of(&image.whole());
        for (const model::LineRead& line : missed_)
            addLine(misses_.textures[{whole, static_cast<int>(line.slice)}], image, line, block.entriesPerTexel);
        if (fetch.isVertex || fetch.target == nullptr) return;
        Counts& target = misses_.targets[names_.of(&fetch.target->whole())];
        begin(target, *fetch.target);
        for (int lane = 0; lane < 16; ++lane)
            add(target, fetch.pixelX + lane % 4, fetch.pixelY + lane / 4, ofLane[lane]);
    }
    void drawsDone() override {
        images_.clear();
        caches_.clear();
    }
    void endFrame() override {}
    [[nodiscard]] pipeline::TextureCacheCounters total() const override { return misses_.all; }
    [[nodiscard]] pipeline::TextureCacheCounters ofTexture(uint64_t) const override { return {}; }

private:
    static void begin(Counts& counts, const texture::Image& image) {
        if (!counts.misses.empty()) return;
        counts.width = image.width(), counts.height = image.height();
        counts.misses.resize(static_cast<size_t>(counts.width) * static_cast<size_t>(counts.height));
    }
    static void add(Counts& counts, int x, int y, uint32_t count) {
        if (x < counts.width && y < counts.height)
            counts.misses[static_cast<size_t>(y) * static_cast<size_t>(counts.width) + static_cast<size_t>(x)] += count;
    }
    /// A line is a tile of 4x4 entries, of which a texel may take more than one.
    static void addLine(Counts& counts, const texture::Image& image, const model::LineRead& line, int entries) {
        begin(counts, image);
        const model::TextureCacheShape shape;
        const int width = std::max(1, shape.tileWidth / entries);
        const int left = static_cast<int>(line.tileX) * shape.tileWidth / entries;
        const int bottom = static_cast<int>(line.tileY) * shape.tileHeight;
        for (int y = bottom; y < bottom + shape.tileHeight; ++y)
            for (int x = left; x < left + width; ++x) add(counts, x, y, 1);
    }

    const inspect::Names& names_;
    TextureMisses& misses_;
    model::EngineCaches caches_;
    std::map<uint64_t, std::map<const texture::Image*, uint32_t>> images_;  ///< numbers, by draw under way
    std::vector<model::LineRead> missed_;
};

HeatMap mapOf(const Counts& counts) {
    HeatMap map{.width = counts.width, .height = counts.height, .counts = {}};
    map.counts.reserve(counts.misses.size());
    for (int y = counts.height - 1; y >= 0; --y)
        for (int x = 0; x < counts.width; ++x) {
            map.counts.push_back(
                counts.misses[static_cast<size_t>(y) * static_cast<size_t>(counts.width) + static_cast<size_t>(x)]);
            map.most = std::max(map.most, map.counts.back());
        }
    return map;
}

}  // namespace

TextureMisses missesOf(inspect::FrameModel& model, size_t frame) {
    TextureMisses misses;
    MissProbe probe(model.names(), misses);
    pipeline::Gpu gpu(interp::makeInterpreter(), 1, &probe);
    gpu.setTimeLimit({});
    (void)model.replayFrame(frame, gpu);
    return misses;
}

HeatMap missesOfTarget(const TextureMisses& misses, const inspect::FrameModel& model, size_t action) {
    for (const inspect::NamedImage& image : model.imagesOf(action))
        if (const auto at = misses.targets.find(model.names().of(&image.image->whole())); at != misses.targets.end())
            return mapOf(at->second);
    return {.counts = {}};
}

HeatMap missesOfTexture(const TextureMisses& misses, const inspect::FrameModel& model, const texture::Image& image,
                        int slice) {
    const auto at = misses.textures.find({model.names().of(&image.whole()), std::max(slice, 0)});
    if (at != misses.textures.end()) return mapOf(at->second);
    // No lookup missed it.
    HeatMap map{.width = image.width(), .height = image.height(), .counts = {}};
    map.counts.resize(static_cast<size_t>(map.width) * static_cast<size_t>(map.height));
    return map;
}

}  // namespace tessera::tools
