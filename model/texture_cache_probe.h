// The texture caches of a running GPU: listens to its texture units, counts for each draw, texture and frame, says so
// at the end of a frame, and records the address stream of one frame.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "model/texel_stream.h"

namespace tessera::model {

class TextureCacheProbe final : public pipeline::TextureProbe {
public:
    struct Options {
        /// Gets each frame's summary, lines that end with \n; null: nobody.
        std::function<void(const std::string& text)> report;
        /// Gets the stream of frame `recordedFrame` (the first is 1); null: nobody.
        std::function<void(const std::string& bytes)> recorded;
        uint64_t recordedFrame = 1;
    };
    explicit TextureCacheProbe(Options options) : options_(std::move(options)) {}

    void fetched(const pipeline::TextureFetch& fetch) override;
    void drawsDone() override;
    void endFrame() override;
    /// Whether there were lookups since the last frame ended.
    [[nodiscard]] bool inFrame() const;
    [[nodiscard]] pipeline::TextureCacheCounters total() const override;
    [[nodiscard]] pipeline::TextureCacheCounters ofTexture(uint64_t identity) const override;

private:
    using Counters = pipeline::TextureCacheCounters;

    [[nodiscard]] TexelBlock blockOf(const pipeline::TextureFetch& fetch);
    [[nodiscard]] uint32_t targetNumber(const texture::Image& image);
    [[nodiscard]] std::string summary() const;

    const Options options_;

    // Of the command processor's thread.
    EngineCaches caches_;
    std::map<uint64_t, std::map<const texture::Image*, uint32_t>> images_;  ///< numbers, by draw under way
    std::map<const texture::Image*, uint32_t> targets_;                     ///< numbers, in this frame
    std::map<uint64_t, Counters> drawsUnderWay_, texturesUnderWay_;

    mutable std::mutex mutex_;  ///< guards what follows
    uint64_t frame_ = 1;
    Counters total_;
    std::map<uint64_t, Counters> textures_;                    ///< by identity, since the start
    std::map<uint64_t, Counters> frameDraws_, frameTextures_;  ///< by number and identity
    std::string stream_ = beginStream();
    uint32_t recordedBlocks_ = 0;  ///< in it
};

}  // namespace tessera::model
