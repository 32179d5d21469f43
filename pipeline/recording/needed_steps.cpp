#include "pipeline/recording/needed_steps.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace tessera::pipeline {

namespace {

/// Parts of an image; of one that has no stencil, and of a buffer, both are all of it.
enum Parts : uint8_t { kNone = 0, kDepth = 1, kStencil = 2, kAll = 3 };

/// What is read and written, by its memory.
struct Use {
    const void* what = nullptr;
    uint8_t parts = kAll;
};
struct Uses {
    std::vector<Use> reads, writes;
    std::vector<Use> overwrites;  ///< whole, without a look at what was there
};

bool isWhole(const texture::Image& image) {
    return &image.whole() == &image && image.samples() == 1 && image.depth() == 1;
}
bool covers(const Rect& rect, const texture::Image& image) {
    return isWhole(image) && rect.x <= 0 && rect.y <= 0 && int64_t{rect.x} + rect.width >= image.width() &&
           int64_t{rect.y} + rect.height >= image.height();
}

/// Says what a step does.
class Teller {
public:
    Uses uses;

    void operator()(const Command& command) { std::visit(*this, command); }
    void operator()(const CommandStream::Contents& contents) {
        if (contents.buffer) return buffer(uses.overwrites, contents.buffer);
        // The bytes are those of all planes of the image, which may be a plane itself.
        image(&contents.image->whole() == contents.image.get() ? uses.overwrites : uses.writes, contents.image);
    }
    void operator()(const CommandStream::Expectation& expectation) {
        buffer(uses.reads, expectation.buffer);
        image(uses.reads, expectation.image);
    }
    void operator()(const CommandStream::EndBuffer&) {}

    void operator()(const Draw& draw) {
        const DrawState& state = *draw.state;
        for (const auto& stage : {state.textures[isa::Stage::Vertex], state.textures[isa::Stage::Fragment]})
            for (const auto& binding : stage) {
                if (!binding.view) continue;
                for (const auto& face : binding.view->image)
                    for (const texture::ImagePtr& level : face) image(uses.reads, level);
            }
        for (const VertexAttribute& attribute : state.attributes) buffer(uses.reads, attribute.data);
        buffer(uses.reads, draw.indices);
        if (draw.streamOut) streamOut(*draw.streamOut);
        if (state.raster.discard) return;
        for (size_t i = 0; i < state.target.color.size(); ++i) {
            if (state.pixel.target[i].colorMask == 0) continue;
            image(uses.writes, state.target.color[i]);
            // Blending, logic operations and what is not covered leave something of it.
            image(uses.reads, state.target.color[i]);
        }
        const auto test = [this](bool isOn, const texture::ImagePtr& of, Parts parts) {
            if (!isOn) return;
            image(uses.reads, of, parts);
            image(uses.writes, of, parts);
        };
        test(state.pixel.depthTest, state.target.depth, kDepth);
        test(state.pixel.stencilTest, state.target.stencil, kStencil);
    }
    void operator()(const Clear& clear) {
        const RenderTarget& target = *clear.target;
        const Rect area{0, 0, target.width, target.height};
        const auto clears = [&](bool isOn, bool isMasked, const texture::ImagePtr& of, Parts parts) {
            if (!isOn || !of) return;
            // A clear fills every sample.
            const Rect all{0, 0, of->width(), of->height()};
            const bool isFull = !isMasked && !clear.scissorTest && &of->whole() == of.get() && of->depth() == 1 &&
                                area.width >= all.width && area.height >= all.height;
            image(isFull ? uses.overwrites : uses.writes, of, parts);
        };
        for (size_t i = 0; i < target.color.size(); ++i)
            clears(clear.clearColor, clear.colorMask[i] != 0xF, target.color[i], kAll);
        clears(clear.clearDepth && clear.depthMask, false, target.depth, kDepth);
        clears(clear.clearStencil, clear.stencilMask != 0xFF, target.stencil, kStencil);
    }

    void operator()(const Upload& upload) {
        buffer(uses.reads, upload.pixels);
        image(written(upload.rect, *upload.image), upload.image);
    }
    void operator()(const Decode& decode) {
        buffer(uses.reads, decode.blocks);
        image(written(decode.rect, *decode.image), decode.image);
    }
    void operator()(const CopyImage& copy) {
        image(uses.reads, copy.from);
        image(uses.writes, copy.to);
    }
    void operator()(const Blit& blit) {
        image(uses.reads, blit.from);
        image(uses.writes, blit.to);
    }
    void operator()(const Resolve& resolve) { transfer(resolve.from, resolve.to); }
    void operator()(const FillSamples& fill) { transfer(fill.from, fill.to); }
    void operator()(const GenerateMipmap& mipmap) {
        for (const auto& face : mipmap.faces)
            for (size_t level = 0; level < face.size(); ++level)
                image(level == 0 ? uses.reads : uses.writes, face[level]);
    }
    void operator()(const EndFrame& end) { image(uses.reads, end.color); }
    // They tell somebody something who is not there.
    void operator()(const ReadBack&) {}
    void operator()(const Timestamp&) {}
    void operator()(const RunTask&) {}

    void operator()(const Dispatch& dispatch) {
        for (const BufferPtr& each : dispatch.buffers) {
            buffer(uses.reads, each);
            buffer(uses.writes, each);
        }
    }
    void operator()(const CopyBuffer& copy) {
        buffer(uses.reads, copy.from);
        const bool isWhole = copy.toOffset == 0 && copy.size == copy.to->size();
        buffer(isWhole ? uses.overwrites : uses.writes, copy.to);
    }
    void operator()(const PackPixels& pack) {
        image(uses.reads, pack.image);
        buffer(uses.writes, pack.to);
    }

private:
    static void image(std::vector<Use>& uses, const texture::ImagePtr& image, uint8_t parts = kAll) {
        if (image) uses.push_back({&image->whole(), parts});
    }
    static void buffer(std::vector<Use>& uses, const ConstBufferPtr& buffer) {
        if (buffer) uses.push_back({buffer.get(), kAll});
    }
    /// Where it goes on follows from the draws before.
    void streamOut(const StreamOut& out) {
        for (std::vector<Use>* const how : {&uses.reads, &uses.writes}) {
            for (const StreamOutRange& range : out.ranges) buffer(*how, range.buffer);
            how->push_back({out.place.get(), kAll});
        }
    }
    std::vector<Use>& written(const Rect& rect, const texture::Image& image) {
        return covers(rect, image) ? uses.overwrites : uses.writes;
    }
    /// Between images of one size.
    void transfer(const texture::ImagePtr& from, const texture::ImagePtr& to) {
        image(uses.reads, from);
        image(&to->whole() == to.get() ? uses.overwrites : uses.writes, to);
    }
};

/// The frame of each step. What the file says behind an end of a frame is of that frame.
std::vector<size_t> framesOf(const CommandStream& stream) {
    std::vector<size_t> frames;
    size_t frame = 1;
    bool hasEnded = false;
    for (const CommandStream::Step& step : stream.steps) {
        const auto* const command = std::get_if<Command>(&step);
        if (hasEnded && (command != nullptr || std::holds_alternative<CommandStream::Contents>(step))) {
            ++frame;
            hasEnded = false;
        }
        frames.push_back(frame);
        hasEnded |= command != nullptr && std::holds_alternative<EndFrame>(*command);
    }
    return frames;
}

}  // namespace

size_t frameCount(const CommandStream& stream) {
    const std::vector<size_t> frames = framesOf(stream);
    return frames.empty() ? 0 : frames.back();
}

std::vector<const void*> writtenBy(const CommandStream::Step& step) {
    Teller teller;
    std::visit(teller, step);
    std::vector<const void*> written;
    for (const std::vector<Use>& uses : {teller.uses.writes, teller.uses.overwrites})
        for (const Use& use : uses) written.push_back(use.what);
    return written;
}

std::vector<bool> neededSteps(const CommandStream& stream, const std::function<bool(size_t frame)>& isWanted,
                              SurfaceStart start) {
    const std::vector<size_t> frames = framesOf(stream);
    std::vector<bool> needed(stream.steps.size());
    std::unordered_map<const void*, uint8_t> live;
    std::unordered_map<const void*, size_t> compared;  // images, in which wanted frame
    for (size_t i = stream.steps.size(); i-- > 0;) {
        const CommandStream::Step& step = stream.steps[i];
        Teller teller;
        std::visit(teller, step);
        const auto isLive = [&](const Use& use) {
            const auto at = live.find(use.what);
            return at != live.end() && (at->second & use.parts) != 0;
        };
        const auto* const command = std::get_if<Command>(&step);
        const bool isRoot = std::holds_alternative<CommandStream::Expectation>(step) ||
                            (command != nullptr && std::holds_alternative<EndFrame>(*command));
        needed[i] = std::holds_alternative<CommandStream::EndBuffer>(step) ||
                    (isRoot ? isWanted(frames[i])
                            : std::ranges::any_of(teller.uses.writes, isLive) ||
                                  std::ranges::any_of(teller.uses.overwrites, isLive));
        if (start == SurfaceStart::Unknown) {
            if (const auto* const expectation = std::get_if<CommandStream::Expectation>(&step);
                expectation != nullptr && expectation->image && needed[i])
                compared[&expectation->image->whole()] = frames[i];
            // The frame before one that is compared.
            if (const auto* const end = command != nullptr ? std::get_if<EndFrame>(command) : nullptr;
                end != nullptr && end->color)
                if (const auto at = compared.find(&end->color->whole());
                    at != compared.end() && frames[i] < at->second) {
                    live.erase(at->first);
                    compared.erase(at);
                }
        }
        if (!needed[i]) continue;
        for (const Use& use : teller.uses.overwrites) live[use.what] &= static_cast<uint8_t>(~use.parts);
        for (const Use& use : teller.uses.reads) live[use.what] |= use.parts;
    }
    return needed;
}

}  // namespace tessera::pipeline
