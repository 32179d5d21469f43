// The command processor: executes the commands of a buffer in order.
#pragma once

#include <optional>

#include "pipeline/command/command_buffer.h"
#include "pipeline/scene/scene.h"

namespace tessera::pipeline {

class CommandProcessor {
public:
    /// With a texture probe the pool must have one thread; a machine probe must be that too. `isPlain`:
    /// Gpu::setPlain().
    CommandProcessor(ThreadPool& pool, Watch& watch, TextureProbe* textures = nullptr, PixelProbe* pixels = nullptr,
                     MachineProbe* machine = nullptr, bool isPlain = false);

    /// Executes every command; what is drawn may wait in the scene, which refers to the buffer, until finish(). When it
    /// takes too long, and for contexts of which a buffer did, only the commands that tell somebody something are.
    /// Where memory is out the scene is dropped, and later commands find what it left behind.
    void execute(const CommandBuffer& buffer) noexcept;
    /// Afterwards all rendering is in memory, and nothing refers to the buffers since the last call any more, which all
    /// have the same `faults`.
    void finish(Faults* faults) noexcept;

    [[nodiscard]] Counters counters() const { return scene_ ? scene_->counters() : Counters{}; }

private:
    void run(const Draw& draw);
    void run(const Clear& clear);
    void run(const Upload& upload);
    void run(const Decode& decode);
    void run(const CopyImage& copy);
    void run(const Blit& blit);
    void run(const Resolve& resolve);
    void run(const FillSamples& fill);
    void run(const GenerateMipmap& mipmap);
    void run(const Dispatch& dispatch);
    void run(const CopyBuffer& copy);
    void run(const PackPixels& pack);
    void tell(const ReadBack& read);
    void tell(const Timestamp& time);
    void tell(const EndFrame& end);
    void tell(const RunTask& task);
    [[nodiscard]] SceneBuilder& scene();
    void flush();
    /// Draws that have yet to fetch from the buffer do so.
    void beforeWriting(const Buffer& buffer);
    /// A read back or a packing of pixels, to where its first row is.
    template <class Read>
    void readPixels(const Read& read, std::byte* to);
    template <class Act>
    void unlessOutOfMemory(Faults* faults, Act&& act) noexcept;
    void reportOverruns(Faults* faults);
    void reportTime(Faults* faults);
    void downsample(const texture::ImagePtr& larger, const texture::ImagePtr& smaller, texture::Averaged how);
    void downsampleLayers(const texture::ImagePtr& larger, const texture::ImagePtr& smaller, texture::Averaged how);

    ThreadPool& pool_;
    Watch& watch_;
    TextureProbe* const textures_;
    PixelProbe* const pixels_;
    MachineProbe* const machine_;
    const bool isPlain_;
    std::optional<SceneBuilder> scene_;  ///< made by the first command that needs it
};

}  // namespace tessera::pipeline
