// The composition root of plain_scenes: a driver in which each command is executed by itself, every block goes the
// general way and every lookup to the general sampler, and nothing is believed, kept or used again
// (pipeline::Gpu::setPlain()). No variable of the environment makes such a driver.
#include "api/gles/driver.h"
#include "pipeline/probe/texture_probe.h"
#include "shader-core/interp/interpreter.h"

namespace {

using namespace tessera;

/// For whom everything is looked up as if it mattered.
class HearsNothing final : public pipeline::TextureProbe {
    void fetched(const pipeline::TextureFetch&) override {}
    void drawsDone() override {}
    void endFrame() override {}
    [[nodiscard]] pipeline::TextureCacheCounters total() const override { return {}; }
    [[nodiscard]] pipeline::TextureCacheCounters ofTexture(uint64_t) const override { return {}; }
};

[[maybe_unused]] const bool kInstalled = [] {
    static HearsNothing nobody;
    gles::setTextureProbe(&nobody);
    gles::setExecutorFactory([] { return interp::makeInterpreter(); });
    gles::setGpuPreparation([](pipeline::Gpu& made) { made.setPlain(); });
    return true;
}();

}  // namespace
