// Watching command buffers: what is about to be executed, and what has been.
//
// While a GPU has a probe (Gpu::setCommandProbe) all its streams are one. Without a probe the cost is a branch for each
// buffer.
#pragma once

namespace tessera::pipeline {

struct CommandBuffer;

/// Called by the command processor's thread, around each buffer. All earlier rendering is in memory, and what the
/// buffer refers to is the GPU's between the two calls.
class CommandProbe {
public:
    virtual ~CommandProbe() = default;
    virtual void before(const CommandBuffer& buffer) noexcept = 0;
    virtual void after(const CommandBuffer& buffer) noexcept = 0;
};

}  // namespace tessera::pipeline
