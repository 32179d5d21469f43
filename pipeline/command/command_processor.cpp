// Draws and clears collect in the scene; transfers flush it when they touch an image that it uses, so that streaming
// unrelated textures does not split a frame; what writes a buffer has the draws fetch from it that have yet to, and
// leaves the scene as it is; commands that tell somebody something and the end of the buffers that are executed
// together always flush it.
#include "pipeline/command/command_processor.h"

#include <chrono>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/limits.h"
#include "base/process/report.h"
#include "pipeline/command/gpu.h"
#include "pipeline/probe/machine_probe.h"
#include "pipeline/probe/pixel_probe.h"

namespace tessera::pipeline {
namespace {

constexpr int kBlitRows = 32;         ///< rows of pixels that one worker blits at a time
constexpr int kResolveRows = 8;       ///< rows of blocks that one worker resolves at a time
constexpr int kDownsampleRows = 16;   ///< and downsamples
constexpr int kReadPixels = 1 << 15;  ///< pixels that one worker reads back at a time: 20 us or more

}  // namespace

int64_t timestamp() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

CommandProcessor::CommandProcessor(ThreadPool& pool, Watch& watch, TextureProbe* textures, PixelProbe* pixels,
                                   MachineProbe* machine, bool isPlain)
    : pool_(pool), watch_(watch), textures_(textures), pixels_(pixels), machine_(machine), isPlain_(isPlain) {}

SceneBuilder& CommandProcessor::scene() {
    return scene_ ? *scene_ : scene_.emplace(pool_, watch_, textures_, pixels_, machine_, isPlain_);
}

void CommandProcessor::flush() {
    if (scene_) scene_->flush();
}

void CommandProcessor::beforeWriting(const Buffer& buffer) {
    if (scene_ && scene_->fetches(buffer)) scene_->runGeometry();
}

template <class Act>
void CommandProcessor::unlessOutOfMemory(Faults* faults, Act&& act) noexcept {
    try {
        act();
        return;
    } catch (const std::bad_alloc&) {
    } catch (const std::length_error&) {
    }
    scene_.reset();
    if (faults != nullptr) faults->ranOutOfMemory();
}

void CommandProcessor::execute(const CommandBuffer& buffer) noexcept {
    Faults* const faults = buffer.faults.get();
    const bool isOutOfTime = faults != nullptr && faults->isOutOfTime();
    for (const Command& command : buffer.commands) {
        watch_.step();
        if (machine_ != nullptr) machine_->command(command);
        const auto execute = [&](const auto& one) {
            if constexpr (requires { tell(one); }) {
                unlessOutOfMemory(faults, [&] { flush(); });
                watch_.isWaiting = true;
                unlessOutOfMemory(faults, [&] { tell(one); });
                watch_.isWaiting = false;
            } else if (!isOutOfTime && !watch_.stop) {
                unlessOutOfMemory(faults, [&] { run(one); });
                if (isPlain_) unlessOutOfMemory(faults, [&] { flush(); });
            }
        };
        std::visit(execute, command);
    }
}

void CommandProcessor::finish(Faults* faults) noexcept {
    watch_.step();
    unlessOutOfMemory(faults, [&] {
        flush();
        reportOverruns(faults);
    });
    if (watch_.stop) unlessOutOfMemory(faults, [&] { reportTime(faults); });
}

void CommandProcessor::reportTime(Faults* faults) {
    std::string message =
        "a scene took longer than TESSERA_TIME_LIMIT allows and was given up; its context draws "
        "nothing any more";
    report(Severity::Error, "%s", message.c_str());
    if (faults != nullptr) faults->ranOutOfTime(std::move(message));
}

void CommandProcessor::reportOverruns(Faults* faults) {
    if (!scene_) return;
    for (const Overrun& overrun : scene_->takeOverruns()) {
        std::string message = "a draw was left out, and later ones of its program will be: a " +
                              std::string(overrun.stage == isa::Stage::Vertex ? "vertex" : "fragment") +
                              " of program " + std::to_string(overrun.program) + " needs more than " +
                              std::to_string(instructionBudget()) + " instructions; does every loop end?";
        report(Severity::Error, "%s", message.c_str());
        if (faults != nullptr) faults->overran(std::move(message));
    }
}

void CommandProcessor::run(const Draw& draw) { scene().draw(draw); }

void CommandProcessor::run(const Clear& clear) { scene().clear(clear); }

void CommandProcessor::run(const Upload& upload) {
    if (!upload.image || !upload.pixels) return;
    if (scene().uses(upload.image)) scene().flush();
    texture::upload(*upload.image, upload.rect, upload.pixels->data(), upload.layout);
}

void CommandProcessor::run(const Decode& decode) {
    if (!decode.image || !decode.blocks) return;
    if (scene().uses(decode.image)) scene().flush();
    texture::decode(*decode.format, decode.blocks->data(), *decode.image, decode.rect);
}

void CommandProcessor::run(const CopyImage& copy) {
    if (!copy.from || !copy.to) return;
    if (scene().writes(copy.from) || scene().uses(copy.to)) scene().flush();
    texture::copy(*copy.from, copy.fromX, copy.fromY, *copy.to, copy.rect);
}

void CommandProcessor::run(const Blit& blit) {
    if (!blit.from || !blit.to) return;
    if (scene().writes(blit.from) || scene().uses(blit.to)) scene().flush();
    // Within one image what is read may have been written by the same blit: in the order of rows, then.
    const int height = blit.to->height();
    if (&blit.from->whole() == &blit.to->whole()) return texture::blit(blit.from, blit.to, blit.how, 0, height);
    pool_.parallelFor((height + kBlitRows - 1) / kBlitRows, [&](size_t i, int) {
        texture::blit(blit.from, blit.to, blit.how, static_cast<int>(i) * kBlitRows, kBlitRows);
    });
}

void CommandProcessor::run(const Resolve& resolve) {
    if (!resolve.from || !resolve.to || resolve.from == resolve.to) return;
    if (scene().writes(resolve.from) || scene().uses(resolve.to)) scene().flush();
    pool_.parallelFor((resolve.from->blocksHigh() + kResolveRows - 1) / kResolveRows, [&](size_t i, int) {
        texture::resolveRows(*resolve.from, *resolve.to, static_cast<int>(i) * kResolveRows, kResolveRows);
    });
}

void CommandProcessor::run(const FillSamples& fill) {
    if (!fill.from || !fill.to) return;
    if (scene().writes(fill.from) || scene().uses(fill.to)) scene().flush();
    const texture::Image& from = *fill.from;
    for (int sample = 0; sample < fill.to->samples(); ++sample)
        std::memcpy(fill.to->sampleBlock(sample, 0, 0), from.block(0, 0), from.planeBytes());
}

void CommandProcessor::run(const GenerateMipmap& mipmap) {
    for (const auto& face : mipmap.faces)
        for (size_t level = 0; level < face.size(); ++level)
            if (level == 0 ? scene().writes(face[level]) : scene().uses(face[level])) scene().flush();
    const auto exists = [](const auto& face, size_t level) { return face[level - 1] && face[level]; };
    const auto how = mipmap.asCodes ? texture::Averaged::AsCodes : texture::Averaged::AsLight;
    if (mipmap.faces.size() > 1) {
        pool_.parallelFor(mipmap.faces.size(), [&](size_t i, int) {
            const auto& face = mipmap.faces[i];
            for (size_t level = 1; level < face.size(); ++level)
                if (exists(face, level)) texture::downsample(*face[level - 1], *face[level], how);
        });
        return;
    }
    for (const auto& face : mipmap.faces)
        for (size_t level = 1; level < face.size(); ++level)
            if (exists(face, level)) downsample(face[level - 1], face[level], how);
}

void CommandProcessor::downsample(const texture::ImagePtr& larger, const texture::ImagePtr& smaller,
                                  texture::Averaged how) {
    if (smaller->depth() != larger->depth()) return texture::downsampleVolume(larger, smaller, how);
    if (larger->depth() > 1) return downsampleLayers(larger, smaller, how);
    const texture::Image& from = *larger;
    texture::Image& to = *smaller;
    const int parts = to.blocksHigh() / kDownsampleRows;
    if (parts < 2 || !texture::downsamplesByBlocks(from, how)) return texture::downsample(from, to, how);
    pool_.parallelFor("mipmap", parts + 1, [&](size_t i, int) {
        const int first = static_cast<int>(i) * kDownsampleRows;
        if (first < to.blocksHigh()) texture::downsampleRows(from, to, first, kDownsampleRows, how);
    });
}

void CommandProcessor::downsampleLayers(const texture::ImagePtr& larger, const texture::ImagePtr& smaller,
                                        texture::Averaged how) {
    std::vector<texture::Image> from, to;
    for (int layer = 0; layer < larger->depth(); ++layer) {
        from.emplace_back(larger, layer);
        to.emplace_back(smaller, layer);
    }
    pool_.parallelFor("mipmap", from.size(), [&](size_t i, int) { texture::downsample(from[i], to[i], how); });
}

void CommandProcessor::run(const Dispatch& dispatch) {
    const ProgramStage& stage = dispatch.program->stages[isa::Stage::Compute];
    for (const BufferPtr& buffer : dispatch.buffers)
        if (buffer) beforeWriting(*buffer);
    std::vector<ConstantRegister> memory;
    isa::ComputeRun whole;
    whole.constants =
        reinterpret_cast<const float(*)[4]>(filledConstants(*stage.program, dispatch.constants, memory).data());
    for (size_t slot = 0; slot < dispatch.buffers.size(); ++slot)
        if (const BufferPtr& buffer = dispatch.buffers[slot]) whole.buffers[slot] = {buffer->data(), buffer->size()};
    whole.grid = dispatch.grid;
    whole.budget = dispatch.budget;
    const compute::DispatchResult result = compute::dispatch(pool_, *stage.kernel, whole, watch_.stop);
    if (dispatch.result) *dispatch.result = result;
}

void CommandProcessor::run(const CopyBuffer& copy) {
    if (copy.size == 0) return;
    beforeWriting(*copy.to);
    std::memmove(copy.to->data() + copy.toOffset, copy.from->data() + copy.fromOffset, copy.size);
}

void CommandProcessor::run(const PackPixels& pack) {
    if (!pack.image || !pack.to) return;
    if (scene().writes(pack.image)) scene().flush();
    beforeWriting(*pack.to);
    readPixels(pack, pack.to->data() + pack.offset);
}

template <class Read>
void CommandProcessor::readPixels(const Read& read, std::byte* to) {
    const auto& [x, y, width, height] = read.rect;
    if (width <= 0 || height <= 0) return;
    const size_t rowBytes =
        static_cast<size_t>(width) * texture::clientPixelBytes(read.layout.format, read.layout.type);
    // Rows that overlap in memory are written in their order. Parts end where rows of blocks end.
    const int rows = read.layout.rowStride < rowBytes ? height + kBlockSize
                                                      : std::max(kBlockSize, kReadPixels / width & ~(kBlockSize - 1));
    const int lead = y & (kBlockSize - 1);
    pool_.parallelFor("read_back", (static_cast<size_t>(height) + lead + rows - 1) / rows, [&](size_t i, int) {
        const int start = static_cast<int>(i) * rows - lead;
        const int first = std::max(start, 0), end = std::min(start + rows, height);
        const auto client = [&](int row) { return to + static_cast<size_t>(row) * read.layout.rowStride; };
        if (!read.reverseRows)
            return texture::readBack(*read.image, {x, y + first, width, end - first}, client(first), read.layout);
        for (int row = first; row < end; ++row)
            texture::readBack(*read.image, {x, y + height - 1 - row, width, 1}, client(row), read.layout);
    });
}

// --- Telling somebody: the scene is flushed ---

void CommandProcessor::tell(const ReadBack& read) { readPixels(read, read.to); }

void CommandProcessor::tell(const Timestamp& time) { time.to->store(timestamp()); }

void CommandProcessor::tell(const EndFrame& end) {
    if (textures_ != nullptr) textures_->endFrame();
    if (pixels_ != nullptr) pixels_->endFrame(end.color);
}

void CommandProcessor::tell(const RunTask& task) {
    task.task->run();
    setComputeFloatEnvironment();  // the task may run code of other people's libraries
}

}  // namespace tessera::pipeline
