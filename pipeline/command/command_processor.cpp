// Draws and clears collect in the scene; transfers flush it when they touch an image that it uses, so that streaming
// unrelated textures does not split a frame; callbacks and the end of the buffer always flush it.
#include "pipeline/command/command_processor.h"

#include <cstdio>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/env.h"
#include "base/limits.h"

namespace tessera::pipeline {
namespace {

constexpr int kBlitRows = 32;        ///< rows of pixels that one worker blits at a time
constexpr int kResolveRows = 8;      ///< rows of blocks that one worker resolves at a time
constexpr int kDownsampleRows = 16;  ///< and downsamples

}  // namespace

CommandProcessor::CommandProcessor(ThreadPool& pool, Watch& watch, TextureProbe* textures, PixelProbe* pixels)
    : pool_(pool), watch_(watch), textures_(textures), pixels_(pixels) {}

SceneBuilder& CommandProcessor::scene() { return scene_ ? *scene_ : scene_.emplace(pool_, watch_, textures_, pixels_); }

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
        const auto* callback = std::get_if<Callback>(&command);
        if (callback != nullptr) {
            unlessOutOfMemory(faults, [&] { scene().flush(); });
            unlessOutOfMemory(faults, [&] { run(*callback); });
        } else if (!isOutOfTime && !watch_.stop) {
            unlessOutOfMemory(faults, [&] { std::visit([this](const auto& one) { run(one); }, command); });
        }
    }
    watch_.step();
    unlessOutOfMemory(faults, [&] {
        scene().flush();
        reportOverruns(faults);
    });
    if (watch_.stop) unlessOutOfMemory(faults, [&] { reportTime(faults); });
}

void CommandProcessor::reportTime(Faults* faults) {
    std::string message =
        "a scene took longer than TESSERA_TIME_LIMIT allows and was given up; its context draws "
        "nothing any more";
    if (logLevel() >= 1) std::fprintf(stderr, "tessera: %s\n", message.c_str());
    if (faults != nullptr) faults->ranOutOfTime(std::move(message));
}

void CommandProcessor::reportOverruns(Faults* faults) {
    for (const Overrun& overrun : scene().takeOverruns()) {
        std::string message = "a draw was left out, and later ones of its program will be: a " +
                              std::string(overrun.stage == isa::Stage::Vertex ? "vertex" : "fragment") +
                              " of program " + std::to_string(overrun.program) + " needs more than " +
                              std::to_string(instructionBudget()) + " instructions; does every loop end?";
        if (logLevel() >= 1) std::fprintf(stderr, "tessera: %s\n", message.c_str());
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

void CommandProcessor::run(const GenerateMipmap& mipmap) {
    for (const auto& face : mipmap.faces)
        for (size_t level = 0; level < face.size(); ++level)
            if (level == 0 ? scene().writes(face[level]) : scene().uses(face[level])) scene().flush();
    const auto exists = [](const auto& face, size_t level) { return face[level - 1] && face[level]; };
    if (mipmap.faces.size() > 1) {
        pool_.parallelFor(mipmap.faces.size(), [&](size_t i, int) {
            const auto& face = mipmap.faces[i];
            for (size_t level = 1; level < face.size(); ++level)
                if (exists(face, level)) texture::downsample(*face[level - 1], *face[level]);
        });
        return;
    }
    for (const auto& face : mipmap.faces)
        for (size_t level = 1; level < face.size(); ++level)
            if (exists(face, level)) downsample(face[level - 1], face[level]);
}

void CommandProcessor::downsample(const texture::ImagePtr& larger, const texture::ImagePtr& smaller) {
    if (larger->depth() > 1) return texture::downsampleVolume(larger, smaller);
    const texture::Image& from = *larger;
    texture::Image& to = *smaller;
    const int parts = to.blocksHigh() / kDownsampleRows;
    if (parts < 2 || !texture::downsamplesByBlocks(from)) return texture::downsample(from, to);
    pool_.parallelFor("mipmap", parts + 1, [&](size_t i, int) {
        const int first = static_cast<int>(i) * kDownsampleRows;
        if (first < to.blocksHigh()) texture::downsampleRows(from, to, first, kDownsampleRows);
    });
}

/// After the scene was flushed.
void CommandProcessor::run(const Callback& callback) {
    watch_.isWaiting = true;
    if (callback.run) callback.run();
    watch_.isWaiting = false;
    setComputeFloatEnvironment();  // the callback may run code of the application's libraries
}

}  // namespace tessera::pipeline
