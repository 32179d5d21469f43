#include "tools/tex/texture_input.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "tools/files.h"

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#include <stb/stb_image.h>

namespace tessera::tools {

namespace {

bool startsWith(const std::string& bytes, std::initializer_list<unsigned char> magic) {
    return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin(), [](auto a, char b) {
               return a == static_cast<unsigned char>(b);
           });
}

}  // namespace

std::optional<TextureInput> TextureInput::open(const std::string& path, int& status) {
    std::optional<std::string> bytes = readFile(path);
    if (!bytes) {
        status = kTrouble;
        return std::nullopt;
    }
    TextureInput input;
    input.bytes_ = std::move(*bytes);
    const bool isPng = startsWith(input.bytes_, {0x89, 'P', 'N', 'G'}), isJpeg = startsWith(input.bytes_, {0xFF, 0xD8});
    std::string error;
    if (isPng || isJpeg) {
        int width = 0, height = 0, channels = 0;
        const bool fits = input.bytes_.size() <= INT_MAX;
        const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
            fits ? stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(input.bytes_.data()),
                                         static_cast<int>(input.bytes_.size()), &width, &height, &channels, 4)
                 : nullptr,
            stbi_image_free);
        if (pixels && width <= 16384 && height <= 16384) {
            input.file_.container = isPng ? "PNG" : "JPEG";
            input.file_.layout.name = fmt::format("{} channels of 8 bits", channels);
            input.file_.levels = {{{width, height, 1, 0, input.bytes_.size()}}};
            input.picture_ = {width, height, {pixels.get(), pixels.get() + static_cast<size_t>(width) * height * 4}};
        } else {
            // Of some failures the library gives no reason.
            const char* reason = fits ? stbi_failure_reason() : "it is too large";
            error = pixels ? fmt::format("{} x {} texels are more than 16384 x 16384", width, height)
                           : fmt::format("it starts as a {} file, but: {}", isPng ? "PNG" : "JPEG",
                                         reason != nullptr ? reason : "it is damaged");
        }
    } else {
        (void)parseTextureFile(std::as_bytes(std::span(input.bytes_)), input.file_, error);
    }
    if (error.empty()) return input;
    fmt::print(stderr, "{}: error: {}\n", path, error);
    status = kWrongInput;
    return std::nullopt;
}

Texels TextureInput::texels(int face, int level, int slice) const {
    if (!picture_.rgba.empty()) return picture_;
    Texels texels = decodeLevel(std::as_bytes(std::span(bytes_)), file_, face, level, slice);
    if (file_.topRowFirst) return texels;
    const size_t row = static_cast<size_t>(texels.width) * 4;
    for (int y = 0; y < texels.height / 2; ++y)
        std::swap_ranges(texels.rgba.begin() + static_cast<ptrdiff_t>(row) * y,
                         texels.rgba.begin() + static_cast<ptrdiff_t>(row) * (y + 1),
                         texels.rgba.begin() + static_cast<ptrdiff_t>(row) * (texels.height - 1 - y));
    return texels;
}

}  // namespace tessera::tools
