// Image storage and the table of pixel formats.
//
// Small images come from calloc; their start is moved up to a multiple of 64. Large ones are fresh, lazily zeroed
// pages, huge ones where the kernel has them: the first frame of a 1024x1024 target then takes four page faults instead
// of 2,048, and none of the second kind that a page costs when it is read before it is written (a depth buffer cleared
// beside its stencil), each an interrupt to every processor of the program.
#include "texture/image.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/check.h"
#include "base/enumeration.h"

namespace tessera::texture {

namespace {

constexpr size_t kAlignment = 64;

// clang-format off
constexpr FormatInfo kFormats[] = {
    // format                          name                   element               R   G   B   A   L   D  S  renderable
    {PixelFormat::None,                "None",                Element::Rgba8,        0,  0,  0,  0,  0,  0, 0, false},
    {PixelFormat::Rgba8,               "Rgba8",               Element::Rgba8,        8,  8,  8,  8,  0,  0, 0, true},
    {PixelFormat::Rgb8,                "Rgb8",                Element::Rgba8,        8,  8,  8,  0,  0,  0, 0, true},
    {PixelFormat::Rgba4,               "Rgba4",               Element::Rgba8,        4,  4,  4,  4,  0,  0, 0, true},
    {PixelFormat::Rgb5A1,              "Rgb5A1",              Element::Rgba8,        5,  5,  5,  1,  0,  0, 0, true},
    {PixelFormat::Rgb565,              "Rgb565",              Element::Rgba8,        5,  6,  5,  0,  0,  0, 0, true},
    {PixelFormat::Alpha8,              "Alpha8",              Element::Rgba8,        0,  0,  0,  8,  0,  0, 0, false},
    {PixelFormat::Luminance8,          "Luminance8",          Element::Rgba8,        0,  0,  0,  0,  8,  0, 0, false},
    {PixelFormat::LuminanceAlpha8,     "LuminanceAlpha8",     Element::Rgba8,        0,  0,  0,  8,  8,  0, 0, false},
    {PixelFormat::Bgra8,               "Bgra8",               Element::Rgba8,        8,  8,  8,  8,  0,  0, 0, true},
    {PixelFormat::Depth16,             "Depth16",             Element::D24S8,        0,  0,  0,  0,  0, 16, 0, true},
    {PixelFormat::Depth24,             "Depth24",             Element::D24S8,        0,  0,  0,  0,  0, 24, 0, true},
    {PixelFormat::Depth24Stencil8,     "Depth24Stencil8",     Element::D24S8,        0,  0,  0,  0,  0, 24, 8, true},
    {PixelFormat::Stencil8,            "Stencil8",            Element::D24S8,        0,  0,  0,  0,  0,  0, 8, true},
    {PixelFormat::Rgba16F,             "Rgba16F",             Element::Rgba16F,     16, 16, 16, 16,  0,  0, 0, true},
    {PixelFormat::Rgb16F,              "Rgb16F",              Element::Rgba16F,     16, 16, 16,  0,  0,  0, 0, true},
    {PixelFormat::Alpha16F,            "Alpha16F",            Element::Rgba16F,      0,  0,  0, 16,  0,  0, 0, false},
    {PixelFormat::Luminance16F,        "Luminance16F",        Element::Rgba16F,      0,  0,  0,  0, 16,  0, 0, false},
    {PixelFormat::LuminanceAlpha16F,   "LuminanceAlpha16F",   Element::Rgba16F,      0,  0,  0, 16, 16,  0, 0, false},
    {PixelFormat::Rgba32F,             "Rgba32F",             Element::Rgba32F,     32, 32, 32, 32,  0,  0, 0, true},
    {PixelFormat::Rgb32F,              "Rgb32F",              Element::Rgba32F,     32, 32, 32,  0,  0,  0, 0, true},
    {PixelFormat::Alpha32F,            "Alpha32F",            Element::Rgba32F,      0,  0,  0, 32,  0,  0, 0, false},
    {PixelFormat::Luminance32F,        "Luminance32F",        Element::Rgba32F,      0,  0,  0,  0, 32,  0, 0, false},
    {PixelFormat::LuminanceAlpha32F,   "LuminanceAlpha32F",   Element::Rgba32F,      0,  0,  0, 32, 32,  0, 0, false},
    {PixelFormat::R8,                  "R8",                  Element::Rgba8,        8,  0,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rg8,                 "Rg8",                 Element::Rgba8,        8,  8,  0,  0,  0,  0, 0, true},
    {PixelFormat::R16F,                "R16F",                Element::Rgba16F,     16,  0,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rg16F,               "Rg16F",               Element::Rgba16F,     16, 16,  0,  0,  0,  0, 0, true},
    {PixelFormat::R32F,                "R32F",                Element::Rgba32F,     32,  0,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rg32F,               "Rg32F",               Element::Rgba32F,     32, 32,  0,  0,  0,  0, 0, true},
    {PixelFormat::Srgb8,               "Srgb8",               Element::Srgb8,        8,  8,  8,  0,  0,  0, 0, false},
    {PixelFormat::Srgb8Alpha8,         "Srgb8Alpha8",         Element::Srgb8,        8,  8,  8,  8,  0,  0, 0, true},
    {PixelFormat::R8Snorm,             "R8Snorm",             Element::Rgba8Snorm,   8,  0,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rg8Snorm,            "Rg8Snorm",            Element::Rgba8Snorm,   8,  8,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rgb8Snorm,           "Rgb8Snorm",           Element::Rgba8Snorm,   8,  8,  8,  0,  0,  0, 0, false},
    {PixelFormat::Rgba8Snorm,          "Rgba8Snorm",          Element::Rgba8Snorm,   8,  8,  8,  8,  0,  0, 0, true},
    {PixelFormat::R8Uint,              "R8Uint",              Element::Rgba8Uint,    8,  0,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rg8Uint,             "Rg8Uint",             Element::Rgba8Uint,    8,  8,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rgb8Uint,            "Rgb8Uint",            Element::Rgba8Uint,    8,  8,  8,  0,  0,  0, 0, false},
    {PixelFormat::Rgba8Uint,           "Rgba8Uint",           Element::Rgba8Uint,    8,  8,  8,  8,  0,  0, 0, true},
    {PixelFormat::R8Sint,              "R8Sint",              Element::Rgba8Sint,    8,  0,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rg8Sint,             "Rg8Sint",             Element::Rgba8Sint,    8,  8,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rgb8Sint,            "Rgb8Sint",            Element::Rgba8Sint,    8,  8,  8,  0,  0,  0, 0, false},
    {PixelFormat::Rgba8Sint,           "Rgba8Sint",           Element::Rgba8Sint,    8,  8,  8,  8,  0,  0, 0, true},
    {PixelFormat::R16Uint,             "R16Uint",             Element::Rg16Uint,    16,  0,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rg16Uint,            "Rg16Uint",            Element::Rg16Uint,    16, 16,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rgb16Uint,           "Rgb16Uint",           Element::Rgba16Uint,  16, 16, 16,  0,  0,  0, 0, false},
    {PixelFormat::Rgba16Uint,          "Rgba16Uint",          Element::Rgba16Uint,  16, 16, 16, 16,  0,  0, 0, true},
    {PixelFormat::R16Sint,             "R16Sint",             Element::Rg16Sint,    16,  0,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rg16Sint,            "Rg16Sint",            Element::Rg16Sint,    16, 16,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rgb16Sint,           "Rgb16Sint",           Element::Rgba16Sint,  16, 16, 16,  0,  0,  0, 0, false},
    {PixelFormat::Rgba16Sint,          "Rgba16Sint",          Element::Rgba16Sint,  16, 16, 16, 16,  0,  0, 0, true},
    {PixelFormat::R32Uint,             "R32Uint",             Element::R32Uint,     32,  0,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rg32Uint,            "Rg32Uint",            Element::Rg32Uint,    32, 32,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rgb32Uint,           "Rgb32Uint",           Element::Rgba32Uint,  32, 32, 32,  0,  0,  0, 0, false},
    {PixelFormat::Rgba32Uint,          "Rgba32Uint",          Element::Rgba32Uint,  32, 32, 32, 32,  0,  0, 0, true},
    {PixelFormat::R32Sint,             "R32Sint",             Element::R32Sint,     32,  0,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rg32Sint,            "Rg32Sint",            Element::Rg32Sint,    32, 32,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rgb32Sint,           "Rgb32Sint",           Element::Rgba32Sint,  32, 32, 32,  0,  0,  0, 0, false},
    {PixelFormat::Rgba32Sint,          "Rgba32Sint",          Element::Rgba32Sint,  32, 32, 32, 32,  0,  0, 0, true},
    {PixelFormat::Rgb10A2,             "Rgb10A2",             Element::Rgb10A2,     10, 10, 10,  2,  0,  0, 0, true},
    {PixelFormat::Rgb10A2Uint,         "Rgb10A2Uint",         Element::Rgb10A2Uint, 10, 10, 10,  2,  0,  0, 0, true},
    {PixelFormat::R11G11B10F,          "R11G11B10F",          Element::R11G11B10F,  11, 11, 10,  0,  0,  0, 0, true},
    {PixelFormat::Rgb9E5,              "Rgb9E5",              Element::Rgb9E5,       9,  9,  9,  0,  0,  0, 0, false},
    {PixelFormat::Depth32F,            "Depth32F",            Element::D32F,         0,  0,  0,  0,  0, 32, 0, true},
    {PixelFormat::Depth32FStencil8,    "Depth32FStencil8",    Element::D32FS8,       0,  0,  0,  0,  0, 32, 8, true},
    {PixelFormat::R16,                   "R16",                 Element::Rg16,         16,  0,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rg16,                  "Rg16",                Element::Rg16,         16, 16,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rgb16,                 "Rgb16",               Element::Rgba16,       16, 16, 16,  0,  0,  0, 0, false},
    {PixelFormat::Rgba16,                "Rgba16",              Element::Rgba16,       16, 16, 16, 16,  0,  0, 0, true},
    {PixelFormat::R16Snorm,              "R16Snorm",            Element::Rg16Snorm,    16,  0,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rg16Snorm,             "Rg16Snorm",           Element::Rg16Snorm,    16, 16,  0,  0,  0,  0, 0, true},
    {PixelFormat::Rgb16Snorm,            "Rgb16Snorm",          Element::Rgba16Snorm,  16, 16, 16,  0,  0,  0, 0, false},
    {PixelFormat::Rgba16Snorm,           "Rgba16Snorm",         Element::Rgba16Snorm,  16, 16, 16, 16,  0,  0, 0, true},
    {PixelFormat::Sr8,                   "Sr8",                 Element::Srgb8,         8,  0,  0,  0,  0,  0, 0, false},
    {PixelFormat::Srg8,                  "Srg8",                Element::Srgb8,         8,  8,  0,  0,  0,  0, 0, false},
};
// clang-format on

constexpr bool tableFollowsEnumeration() {
    for (size_t i = 0; i < std::size(kFormats); ++i) {
        if (kFormats[i].format != static_cast<PixelFormat>(i)) return false;
    }
    return std::size(kFormats) == kPixelFormats;
}
static_assert(tableFollowsEnumeration());
static_assert(kPixelFormats == enumeratorCount<PixelFormat>());
constexpr size_t kHugePage = size_t{2} << 20;

/// Stands before an image's first byte.
struct alignas(kAlignment) Allocation {
    void* memory = nullptr;
    size_t mappedBytes = 0;  ///< 0: from calloc
};

std::byte* finishAllocation(std::byte* at, Allocation allocation) {
    std::memcpy(at, &allocation, sizeof allocation);
    return at + sizeof allocation;
}

std::byte* allocatePages(size_t byteCount) {
    const size_t mapped = (byteCount + sizeof(Allocation) + kHugePage - 1) & ~(kHugePage - 1);
    const size_t reserved = mapped + kHugePage;
    void* memory = mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    auto* first = static_cast<std::byte*>(memory);
    const size_t skipped = (kHugePage - reinterpret_cast<uintptr_t>(memory) % kHugePage) % kHugePage;
    if (skipped != 0) munmap(first, skipped);
    if (skipped != kHugePage) munmap(first + skipped + mapped, kHugePage - skipped);
    first += skipped;
    madvise(first, byteCount + sizeof(Allocation), MADV_HUGEPAGE);  // a wish: without it pages are small
    return finishAllocation(first, {first, mapped});
}

std::byte* allocateZeroed(size_t byteCount) {
    if (byteCount >= kHugePage) return allocatePages(byteCount);
    void* memory = std::calloc(byteCount + kAlignment + sizeof(Allocation), 1);
    if (memory == nullptr) throw std::bad_alloc();
    const auto address = reinterpret_cast<uintptr_t>(memory);
    return finishAllocation(static_cast<std::byte*>(memory) + (kAlignment - address % kAlignment) % kAlignment,
                            {memory, 0});
}

}  // namespace

const FormatInfo& formatInfo(PixelFormat format) {
    CHECK_LT(static_cast<size_t>(format), std::size(kFormats));
    return kFormats[static_cast<size_t>(format)];
}

Image::Image(PixelFormat format, int width, int height, int samples, int depth)
    : format_(format),
      element_(formatInfo(format).element),
      elementShift_(static_cast<uint8_t>(std::countr_zero(static_cast<unsigned>(elementBytes(element_))))),
      width_(width),
      height_(height),
      blocksWide_((width + 3) / 4),
      blocksHigh_((height + 3) / 4),
      samples_(samples),
      depth_(depth),
      planeBytes_((static_cast<size_t>(blocksWide_) * blocksHigh_ * 16) << elementShift_) {
    CHECK_LT(0, width);
    CHECK_LT(0, height);
    CHECK_LE(width, 16384);
    CHECK_LE(height, 16384);
    CHECK(samples == 1 || samples == kMaxSamples);
    CHECK(depth == 1 || (depth > 1 && depth <= kMaxLayers && samples == 1));
    // Offsets of words within an image have 31 bits.
    if (byteCount() / sizeof(uint32_t) > INT32_MAX) throw std::bad_alloc();
    data_.reset(allocateZeroed(byteCount()));
    first_ = data_.get();
}

Image::Image(std::shared_ptr<Image> whole, int z)
    : format_(whole->format_),
      element_(whole->element_),
      elementShift_(whole->elementShift_),
      width_(whole->width_),
      height_(whole->height_),
      blocksWide_(whole->blocksWide_),
      blocksHigh_(whole->blocksHigh_),
      samples_(1),
      depth_(1),
      planeBytes_(whole->planeBytes_),
      whole_(std::move(whole)),
      first_(whole_->first_ + static_cast<size_t>(z) * planeBytes_) {
    CHECK_LE(0, z);
    CHECK_LT(z, whole_->depth_ * whole_->samples_);
    whole_->tiles_.forget();
}

void Image::Free::operator()(std::byte* p) const {
    Allocation allocation;
    std::memcpy(&allocation, p - sizeof allocation, sizeof allocation);
    if (allocation.mappedBytes != 0)
        munmap(allocation.memory, allocation.mappedBytes);
    else
        std::free(allocation.memory);
}

}  // namespace tessera::texture
