#include "pipeline/recording/command_problems.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "pipeline/recording/fields.h"
#include "shader-core/isa/program.h"
#include "texture/codec/stored.h"

namespace tessera::pipeline {
namespace {

bool isDepth(const texture::Image& image) { return texture::isDepth(image.element()); }

bool contains(const texture::Image& image, const Rect& rect) {
    return rect.x >= 0 && rect.y >= 0 && int64_t{rect.x} + rect.width <= image.width() &&
           int64_t{rect.y} + rect.height <= image.height();
}

/// The last byte of a rectangle in client memory, and one; nothing when it is beyond all memory.
std::optional<size_t> clientBytes(const Rect& rect, const texture::ClientLayout& layout) {
    if (rect.width == 0 || rect.height == 0) return 0;
    const auto pixel = static_cast<size_t>(texture::clientPixelBytes(layout.format, layout.type));
    size_t bytes = 0;
    if (__builtin_mul_overflow(layout.rowStride, static_cast<size_t>(rect.height - 1), &bytes)) return std::nullopt;
    if (__builtin_add_overflow(bytes, static_cast<size_t>(rect.width) * pixel, &bytes)) return std::nullopt;
    return bytes;
}

std::string problemOfPair(const texture::ImagePtr& from, const texture::ImagePtr& to) {
    if (!from || !to) return "an image is missing";
    if (isDepth(*from) != isDepth(*to)) return "one image is of colors and one is not";
    return {};
}

bool areAlike(const texture::Image& a, const texture::Image& b) {
    return a.format() == b.format() && a.width() == b.width() && a.height() == b.height();
}

bool contains(const ConstBufferPtr& buffer, uint64_t offset, uint64_t size) {
    return buffer && size <= buffer->size() && offset <= buffer->size() - size;
}

}  // namespace

std::string problemOf(const RenderTarget& target) {
    std::string problem;
    int samples = 0;
    const auto look = [&](const texture::ImagePtr& image, bool wantsDepth, const char* what) {
        if (!image || !problem.empty()) return;
        if (samples == 0) samples = image->samples();
        if (image->width() < target.width || image->height() < target.height)
            problem = fmt::format("the {} image is smaller than the target", what);
        else if (isDepth(*image) != wantsDepth || !texture::formatInfo(image->format()).renderable)
            problem = fmt::format("the {} image has the format {}", what, texture::formatInfo(image->format()).name);
        else if (image->samples() != samples || image->depth() != 1)
            problem = fmt::format("the {} image has other samples, or slices", what);
    };
    for (const texture::ImagePtr& image : target.color) look(image, false, "color");
    look(target.depth, true, "depth");
    look(target.stencil, true, "stencil");
    return problem;
}

std::string problemOf(const texture::TextureView& view) {
    for (int face = 0; face < (view.kind == texture::Kind::Cube ? 6 : 1); ++face)
        for (int level = 0; level < view.levels; ++level) {
            const auto& levels = view.image[static_cast<size_t>(face)];
            const texture::ImagePtr &image = levels[static_cast<size_t>(level)], &base = view.image[0][0];
            if (!image || !base) return fmt::format("face {} has no level {}", face, level);
            const auto scaled = [&](int size) { return std::max(size >> level, 1); };
            const auto depthOf = [&] {
                if (view.kind == texture::Kind::Tex3D) return scaled(base->depth());
                return view.kind == texture::Kind::Array2D ? base->depth() : 1;
            };
            if (image->format() != base->format() || image->width() != scaled(base->width()) ||
                image->height() != scaled(base->height()) || image->samples() != 1 || image->depth() != depthOf() ||
                (view.kind == texture::Kind::Cube && base->width() != base->height()))
                return fmt::format("level {} of face {} does not follow from level 0", level, face);
        }
    if (view.storedAs != 0 && (!view.image[0][0] || !texture::storedBlock(view.storedAs, view.image[0][0]->format())))
        return fmt::format("its images are not decoded from the format 0x{:X}", view.storedAs);
    return {};
}

std::string problemOf(const DrawState& state) {
    if (!state.program || !state.program->stages[isa::Stage::Vertex].program) return "there is no program to draw with";
    return problemOf(state.target);
}

std::string problemOf(const Draw& draw) {
    if (uint64_t{draw.count} * draw.instances > kMaxVertices)
        return fmt::format("{} vertices in {} instances are more than {}", draw.count, draw.instances, kMaxVertices);
    return draw.streamOut ? problemOf(*draw.streamOut) : std::string();
}

std::string problemOf(const StreamOut& out) {
    for (const StreamOutPart& part : out.layout.parts) {
        if (part.component + part.components > 4) return "a part of a stream-out has components that no output has";
        if (part.offset + 4u * part.components > out.layout.stride[part.buffer])
            return "a part of a stream-out is not inside the vertex's bytes";
    }
    for (size_t i = 0; i < out.ranges.size(); ++i) {
        const auto& [buffer, offset, size] = out.ranges[i];
        if (out.layout.stride[i] != 0 && !contains(buffer, offset, size))
            return fmt::format("the range of a stream-out's buffer {} is not inside it", i);
    }
    return out.place ? "" : "a stream-out has no place";
}

std::string problemOf(const Clear& clear) { return problemOf(*clear.target); }

std::string problemOf(const Upload& upload) {
    if (!upload.image || !upload.pixels) return "the image or the pixels are missing";
    if (upload.image->samples() != 1 || !contains(*upload.image, upload.rect))
        return "the rectangle is not inside the image";
    if (texture::clientPixelBytes(upload.layout.format, upload.layout.type) == 0)
        return "there is no such format with that type";
    const std::optional<size_t> bytes = clientBytes(upload.rect, upload.layout);
    if (!bytes || *bytes > upload.pixels->size()) return "the rectangle needs more bytes than there are";
    return {};
}

std::string problemOf(const Decode& decode) {
    if (!decode.image || !decode.blocks) return "the image or the blocks are missing";
    if (decode.image->format() != decode.format->storage) return "the image has another format than blocks decode to";
    if (decode.image->samples() != 1 || !contains(*decode.image, decode.rect))
        return "the rectangle is not inside the image";
    if (decode.blocks->size() < texture::compressedBytes(*decode.format, decode.rect.width, decode.rect.height))
        return "the rectangle needs more bytes than there are";
    return {};
}

std::string problemOf(const CopyImage& copy) {
    if (std::string problem = problemOfPair(copy.from, copy.to); !problem.empty()) return problem;
    return contains(*copy.to, copy.rect) ? "" : "the rectangle is not inside the image";
}

std::string problemOf(const Blit& blit) { return problemOfPair(blit.from, blit.to); }

std::string problemOf(const Resolve& resolve) {
    if (std::string problem = problemOfPair(resolve.from, resolve.to); !problem.empty()) return problem;
    return resolve.to->samples() == 1 ? "" : "the destination has samples";
}

std::string problemOf(const FillSamples& fill) {
    if (std::string problem = problemOfPair(fill.from, fill.to); !problem.empty()) return problem;
    const bool fits = areAlike(*fill.from, *fill.to) && fill.from->samples() == 1 && fill.from->depth() == 1 &&
                      fill.to->samples() == texture::kMaxSamples;
    return fits ? "" : "the images differ in more than their samples";
}

std::string problemOf(const GenerateMipmap& mipmap) {
    for (const auto& face : mipmap.faces)
        for (size_t level = 0; level < face.size(); ++level) {
            const texture::ImagePtr& image = face[level];
            if (!image || isDepth(*image) || image->samples() != 1)
                return fmt::format("level {} is missing, or no image of colors", level);
            if (level == 0) continue;
            const texture::Image& larger = *face[level - 1];
            const auto half = [](int size) { return std::max(size / 2, 1); };
            const bool areLayers = image->depth() == larger.depth();
            if (image->format() != larger.format() || image->width() != half(larger.width()) ||
                image->height() != half(larger.height()) || (!areLayers && image->depth() != half(larger.depth())))
                return fmt::format("level {} does not follow from the one before", level);
        }
    return {};
}

std::string problemOf(const ReadBack& read) { return read.image ? "" : "the image is missing"; }
std::string problemOf(const Timestamp&) { return {}; }
std::string problemOf(const EndFrame&) { return {}; }
std::string problemOf(const RunTask&) { return {}; }

std::string problemOf(const Dispatch& dispatch) {
    if (!dispatch.program || !dispatch.program->stages[isa::Stage::Compute].program)
        return "there is no compute program";
    compute::LaunchSize size{.grid = dispatch.grid, .block = dispatch.program->block};
    return compute::resolveSize(*dispatch.program->stages[isa::Stage::Compute].program, size);
}

std::string problemOf(const CopyBuffer& copy) {
    const bool areInside =
        contains(copy.from, copy.fromOffset, copy.size) && contains(copy.to, copy.toOffset, copy.size);
    return areInside ? "" : "a range is not inside its buffer";
}

std::string problemOf(const PackPixels& pack) {
    if (!pack.image || !pack.to) return "the image or the buffer is missing";
    if (!contains(*pack.image, pack.rect)) return "the rectangle is not inside the image";
    if (texture::clientPixelBytes(pack.layout.format, pack.layout.type) == 0)
        return "there is no such format with that type";
    const std::optional<size_t> bytes = clientBytes(pack.rect, pack.layout);
    return bytes && contains(pack.to, pack.offset, *bytes) ? "" : "the rectangle needs more bytes than there are";
}

}  // namespace tessera::pipeline
