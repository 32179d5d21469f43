// tessera tex info and tessera tex convert.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "tools/files.h"
#include "tools/tex/tex.h"
#include "tools/tex/texture_input.h"

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

namespace tessera::tools {

namespace {

// --- info ---

int info(const std::vector<std::string>& paths) {
    int status = kDone;
    for (const std::string& path : paths) {
        const std::optional<TextureInput> input = TextureInput::open(path, status);
        if (!input) continue;
        const TextureFile& file = input->file();
        const TextureFileLevel& base = input->level(0, 0);
        fmt::print("{}\n  {}, {}\n", path, file.container, file.layout.name);
        if (const texture::BlockFormat* blocks = file.layout.blocks)
            fmt::print("  blocks of {}x{} texels in {} bytes\n", blocks->width, blocks->height, blocks->bytes);
        fmt::print("  {} x {}{}, {}{} level{}, {} bytes\n", base.width, base.height,
                   base.depth > 1 ? fmt::format(" x {}", base.depth) : "", file.faces == 6 ? "6 faces, " : "",
                   input->levelCount(), input->levelCount() == 1 ? "" : "s", input->byteCount());
        for (int i = 0; i < input->levelCount(); ++i) {
            const TextureFileLevel& level = input->level(0, i);
            fmt::print("    level {:<2} {:>5} x {:<5} {:>9} bytes at {}\n", i, level.width, level.height, level.bytes,
                       level.offset);
        }
        for (const std::string& note : file.notes) fmt::print("  {}\n", note);
    }
    return status;
}

// --- convert ---

struct Options {
    std::string in, out;
    int level = 0, face = 0, slice = 0, quality = 90;
    bool mips = false;
};

int fail(const std::string& text) {
    fmt::print(stderr, "tessera tex convert: error: {}\n", text);
    return kTrouble;
}

void appendBytes(void* context, void* data, int size) {
    static_cast<std::string*>(context)->append(static_cast<const char*>(data), static_cast<size_t>(size));
}

int writePicture(const Options& options, const std::string& ending, const TextureInput& input) {
    const Texels texels = input.texels(options.face, options.level, options.slice);
    std::string bytes;
    if (ending == ".png")
        stbi_write_png_to_func(appendBytes, &bytes, texels.width, texels.height, 4, texels.rgba.data(),
                               texels.width * 4);
    else
        stbi_write_jpg_to_func(appendBytes, &bytes, texels.width, texels.height, 4, texels.rgba.data(),
                               options.quality);
    return writeFile(options.out, bytes) ? kDone : kTrouble;
}

int writeTexture(const Options& options, const std::string& ending, const TextureInput& input) {
    TexelChains faces;
    for (int face = 0; face < input.file().faces; ++face) {
        std::vector<Texels>& chain = faces.emplace_back();
        if (options.mips) {
            chain = mipChain(input.texels(face, 0, options.slice));
            continue;
        }
        for (int level = 0; level < input.levelCount(); ++level) {
            const int slices = input.level(face, level).depth;
            chain.push_back(input.texels(face, level, std::min(options.slice, slices - 1)));
        }
    }
    return writeFile(options.out, ending == ".ktx" ? writeKtx(faces) : writeDds(faces)) ? kDone : kTrouble;
}

int convert(const Options& options) {
    std::string ending = std::filesystem::path(options.out).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    const bool isPicture = ending == ".png" || ending == ".jpg" || ending == ".jpeg";
    if (!isPicture && ending != ".ktx" && ending != ".dds")
        return fail(fmt::format("{} ends neither in .png, .jpg, .ktx nor .dds", options.out));
    if (isPicture && options.mips) return fail("--mips needs a file that holds levels: .ktx or .dds");
    int status = kDone;
    const std::optional<TextureInput> input = TextureInput::open(options.in, status);
    if (!input) return status;
    if (options.face >= input->file().faces) return fail(fmt::format("there is no face {}", options.face));
    if (options.level >= input->levelCount()) return fail(fmt::format("there is no level {}", options.level));
    if (options.slice >= input->level(0, isPicture ? options.level : 0).depth)
        return fail(fmt::format("there is no slice {}", options.slice));
    return isPicture ? writePicture(options, ending, *input) : writeTexture(options, ending, *input);
}

}  // namespace

void addTexInfo(CLI::App& tex, int& status) {
    const auto paths = std::make_shared<std::vector<std::string>>();
    CLI::App* verb = tex.add_subcommand("info", "Describe textures: KTX 1, DDS, PNG, JPEG");
    verb->add_option("files", *paths, "Files")->required();
    verb->callback([paths, &status] { status = info(*paths); });
}

void addTexConvert(CLI::App& tex, int& status) {
    const auto options = std::make_shared<Options>();
    CLI::App* verb = tex.add_subcommand("convert", "Convert a texture, or generate its mipmaps");
    verb->add_option("in", options->in, "KTX 1, DDS, PNG or JPEG file")->required();
    verb->add_option("-o,--output", options->out, "File to write: .png, .jpg, .ktx or .dds")->required();
    verb->add_option("--level", options->level, "Which level a picture shows")->check(CLI::Range(0, 14));
    verb->add_option("--face", options->face, "Which face a picture shows, in GL's order")->check(CLI::Range(0, 5));
    verb->add_option("--slice", options->slice, "Which slice of a 3D texture")->check(CLI::Range(0, 2047));
    verb->add_option("--quality", options->quality, "Of JPEG")->check(CLI::Range(1, 100))->capture_default_str();
    verb->add_flag("--mips", options->mips, "Generate all levels from level 0 by box filter");
    verb->footer(
        "KTX and DDS files are written with eight bits for each of R, G, B and A; compressed ones are decoded.");
    verb->callback([options, &status] { status = convert(*options); });
}

}  // namespace tessera::tools
