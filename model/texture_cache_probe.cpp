#include "model/texture_cache_probe.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tessera::model {

namespace {

using Counters = pipeline::TextureCacheCounters;

/// Lines of a summary: draws and textures beyond these many are left out, those with most misses come first.
constexpr size_t kMostLines = 12;

std::string countersText(const Counters& c) {
    const uint64_t asked = c.hits + c.misses;
    const double rate = asked == 0 ? 0 : 100.0 * static_cast<double>(c.hits) / static_cast<double>(asked);
    return fmt::format("lookups {} hits {} ({:.2f} %) misses {} bytes {} bank-conflicts {}", c.lookups, c.hits, rate,
                       c.misses, c.bytes, c.bankConflicts);
}

std::string listText(const char* what, const std::map<uint64_t, Counters>& counters) {
    std::vector<std::pair<uint64_t, Counters>> order(counters.begin(), counters.end());
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        return a.second.misses != b.second.misses ? a.second.misses > b.second.misses : a.first < b.first;
    });
    std::string text;
    for (size_t i = 0; i < order.size() && i < kMostLines; ++i)
        text += fmt::format("  {} {}: {}\n", what, order[i].first, countersText(order[i].second));
    if (order.size() > kMostLines) text += fmt::format("  and {} more\n", order.size() - kMostLines);
    return text;
}

/// By GL's name, which is what a user knows of a texture.
std::map<uint64_t, Counters> byName(const std::map<uint64_t, Counters>& identities) {
    std::map<uint64_t, Counters> names;
    for (const auto& [identity, counters] : identities) names[identity & 0xFFFFFFFFu].add(counters);
    return names;
}

}  // namespace

uint32_t TextureCacheProbe::targetNumber(const texture::Image& image) {
    const auto [found, isNew] = targets_.try_emplace(&image, static_cast<uint32_t>(targets_.size() + 1));
    if (isNew && options_.recorded && frame_ == options_.recordedFrame)
        appendTarget(stream_, found->second,
                     {static_cast<uint16_t>(image.width()), static_cast<uint16_t>(image.height())});
    return found->second;
}

TexelBlock TextureCacheProbe::blockOf(const pipeline::TextureFetch& fetch) {
    auto& images = images_[fetch.draw];
    const uint32_t image = images.try_emplace(fetch.texels->image, static_cast<uint32_t>(images.size())).first->second;
    return texelBlock(fetch, image, fetch.target != nullptr ? targetNumber(*fetch.target) : 0);
}

void TextureCacheProbe::fetched(const pipeline::TextureFetch& fetch) {
    const TexelBlock block = blockOf(fetch);
    const Counters counters = caches_.read(block);
    drawsUnderWay_[fetch.draw].add(counters);
    texturesUnderWay_[fetch.view->identity].add(counters);
    if (!options_.recorded || frame_ != options_.recordedFrame) return;
    appendBlock(stream_, block);
    ++recordedBlocks_;
}

void TextureCacheProbe::drawsDone() {
    std::lock_guard lock(mutex_);
    for (const auto& [draw, counters] : drawsUnderWay_) {
        frameDraws_[draw].add(counters);
        total_.add(counters);
    }
    for (const auto& [identity, counters] : texturesUnderWay_) {
        frameTextures_[identity].add(counters);
        textures_[identity].add(counters);
    }
    drawsUnderWay_.clear();
    texturesUnderWay_.clear();
    images_.clear();
    caches_.clear();
}

std::string TextureCacheProbe::summary() const {
    Counters all;
    for (const auto& [draw, counters] : frameDraws_) all.add(counters);
    std::string text = fmt::format("tessera: frame {}: texture cache: {}\n", frame_, countersText(all));
    if (frameDraws_.empty()) return text;
    text += listText("draw", frameDraws_);
    return text + listText("texture", byName(frameTextures_));
}

void TextureCacheProbe::endFrame() {
    std::string text, stream;
    const bool isRecorded = options_.recorded && frame_ == options_.recordedFrame;
    {
        std::lock_guard lock(mutex_);
        text = summary();
        if (isRecorded) appendEnd(stream_, recordedBlocks_);
        stream = std::exchange(stream_, beginStream());
        recordedBlocks_ = 0;
        frameDraws_.clear();
        frameTextures_.clear();
        targets_.clear();
        ++frame_;
    }
    if (options_.report) options_.report(text);
    if (isRecorded) options_.recorded(stream);
}

bool TextureCacheProbe::inFrame() const {
    std::lock_guard lock(mutex_);
    return !frameDraws_.empty();
}

pipeline::TextureCacheCounters TextureCacheProbe::total() const {
    std::lock_guard lock(mutex_);
    return total_;
}

pipeline::TextureCacheCounters TextureCacheProbe::ofTexture(uint64_t identity) const {
    std::lock_guard lock(mutex_);
    const auto found = textures_.find(identity);
    return found == textures_.end() ? Counters{} : found->second;
}

}  // namespace tessera::model
