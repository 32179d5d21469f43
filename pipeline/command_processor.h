// The command processor: executes the commands of a buffer in order.
#pragma once

#include "pipeline/gpu.h"
#include "pipeline/scene.h"

namespace tessera::pipeline {

class CommandProcessor {
public:
    /// With a texture probe the pool must have one thread.
    CommandProcessor(ThreadPool& pool, Watch& watch, TextureProbe* textures = nullptr, PixelProbe* pixels = nullptr);

    /// Executes every command; afterwards all rendering is in memory and nothing refers to the buffer any more. When it
    /// takes too long, and for contexts of which a buffer did, only the callbacks run.
    void execute(const CommandBuffer& buffer);

    [[nodiscard]] const Counters& counters() const { return scene_.counters(); }

private:
    void run(const Draw& draw);
    void run(const Clear& clear);
    void run(const Upload& upload);
    void run(const CopyImage& copy);
    void run(const Blit& blit);
    void run(const Resolve& resolve);
    void run(const GenerateMipmap& mipmap);
    void run(const Callback& callback);
    void reportOverruns(Faults* faults);
    void reportTime(Faults* faults);
    void downsample(const texture::ImagePtr& larger, const texture::ImagePtr& smaller);

    ThreadPool& pool_;
    Watch& watch_;
    SceneBuilder scene_;
};

}  // namespace tessera::pipeline
