// tessera tex view: a texture in the terminal, two pixels in each character cell, or in a window.
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <SDL.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/process/shared_library.h"
#include "tools/files.h"
#include "tools/tex/tex.h"
#include "tools/tex/texture_input.h"

namespace tessera::tools {

namespace {

struct Options {
    std::string in;
    int level = 0, face = 0, slice = 0, columns = 0, frames = 0;
    bool window = false;
};

/// Over a grey chequer, as transparent pictures are shown.
std::array<int, 3> overChequer(const uint8_t* rgba, int x, int y) {
    const int back = (x + y) % 2 == 0 ? 102 : 153;
    std::array<int, 3> color{};
    for (int c = 0; c < 3; ++c) color[c] = (rgba[c] * rgba[3] + back * (255 - rgba[3]) + 127) / 255;
    return color;
}

int terminalColumns() {
    winsize size{};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// Means of boxes of texels, so that the picture is `columns` wide; a smaller one stays.
Texels shrunk(const Texels& texels, int columns) {
    const int width = std::min(columns, texels.width);
    const int height = std::max(1, static_cast<int>(static_cast<int64_t>(texels.height) * width / texels.width));
    Texels result{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const auto begin = [](int i, int from, int to) {
                return static_cast<int>(static_cast<int64_t>(i) * from / to);
            };
            const int x0 = begin(x, texels.width, width), x1 = std::max(x0 + 1, begin(x + 1, texels.width, width));
            const int y0 = begin(y, texels.height, height), y1 = std::max(y0 + 1, begin(y + 1, texels.height, height));
            uint64_t sum[4] = {};
            for (int j = y0; j < y1; ++j)
                for (int i = x0; i < x1; ++i)
                    for (size_t c = 0; c < 4; ++c)
                        sum[c] += texels.rgba[(static_cast<size_t>(j) * texels.width + i) * 4 + c];
            const auto count = static_cast<uint64_t>(x1 - x0) * static_cast<uint64_t>(y1 - y0);
            for (const uint64_t channel : sum)
                result.rgba.push_back(static_cast<uint8_t>((channel + count / 2) / count));
        }
    return result;
}

/// True-colour escapes: the upper half block has the upper texel's colour, its background the lower one's.
std::string blocksText(const Texels& texels) {
    std::string text;
    for (int y = 0; y < texels.height; y += 2) {
        for (int x = 0; x < texels.width; ++x) {
            const auto at = [&](int row) {
                return overChequer(&texels.rgba[(static_cast<size_t>(row) * texels.width + x) * 4], x, row);
            };
            const auto upper = at(y);
            text += fmt::format("\x1b[38;2;{};{};{}m", upper[0], upper[1], upper[2]);
            if (y + 1 < texels.height) {
                const auto lower = at(y + 1);
                text += fmt::format("\x1b[48;2;{};{};{}m", lower[0], lower[1], lower[2]);
            }
            text += "\u2580";
        }
        text += "\x1b[0m\n";
    }
    return text;
}

// --- Window ---

#define TESSERA_SDL_FUNCTIONS(function)                                                                         \
    function(SDL_Init) function(SDL_Quit) function(SDL_SetHintWithPriority) function(SDL_GetCurrentVideoDriver) \
        function(SDL_GetError) function(SDL_SetError) function(SDL_CreateWindow) function(SDL_DestroyWindow)    \
            function(SDL_SetWindowTitle) function(SDL_CreateRenderer) function(SDL_DestroyRenderer)             \
                function(SDL_CreateTexture) function(SDL_DestroyTexture) function(SDL_UpdateTexture)            \
                    function(SDL_RenderClear) function(SDL_RenderCopy) function(SDL_RenderPresent)              \
                        function(SDL_WaitEventTimeout)

/// SDL, opened for a window: everything else that this command does needs none. Members carry the names of the
/// functions they hold.
struct SdlFunctions {
#define TESSERA_MEMBER(name) decltype(&::name) name = nullptr;
    TESSERA_SDL_FUNCTIONS(TESSERA_MEMBER)
#undef TESSERA_MEMBER
    void load(SharedLibrary& library) {
#define TESSERA_LOAD(name) library.get(name, #name);
        TESSERA_SDL_FUNCTIONS(TESSERA_LOAD)
#undef TESSERA_LOAD
    }
};

int noWindow(std::string_view why) {
    fmt::print(stderr, "tessera tex view: error: no window: {}\n", why);
    return kTrouble;
}

/// Up and down change the level, left and right the face or slice.
class Viewer {
public:
    Viewer(const SdlFunctions& sdl, const TextureInput& input, Options options)
        : sdl_(sdl), input_(input), options_(std::move(options)) {}

    int run() {
        // Where Wayland has no place for its sockets its library complains on standard error.
        if (std::getenv("XDG_RUNTIME_DIR") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr)
            sdl_.SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, "x11", SDL_HINT_DEFAULT);
        if (sdl_.SDL_Init(SDL_INIT_VIDEO) != 0) return trouble();
        const int status = isShown() ? show() : trouble();
        sdl_.SDL_Quit();
        return status;
    }

private:
    template <class T>
    using Owned = std::unique_ptr<T, void (*)(T*)>;

    /// SDL falls back to drivers that show nothing, which nobody asked for.
    [[nodiscard]] bool isShown() const {
        if (std::getenv("SDL_VIDEODRIVER") != nullptr) return true;
        const std::string_view driver = sdl_.SDL_GetCurrentVideoDriver();
        if (driver != "dummy" && driver != "offscreen") return true;
        sdl_.SDL_SetError("no display");
        return false;
    }

    [[nodiscard]] int trouble() const { return noWindow(sdl_.SDL_GetError()); }

    int show() {
        constexpr int kLeast = 256, kMost = 1024;
        const TextureFileLevel& base = input_.level(0, 0);
        const int scale = std::max(1, kLeast / std::max(base.width, base.height));
        const Owned<SDL_Window> window(
            sdl_.SDL_CreateWindow("tessera tex view", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED,
                                  std::min(base.width * scale, kMost), std::min(base.height * scale, kMost),
                                  SDL_WINDOW_RESIZABLE),
            sdl_.SDL_DestroyWindow);
        if (!window) return trouble();
        const Owned<SDL_Renderer> renderer(sdl_.SDL_CreateRenderer(window.get(), -1, SDL_RENDERER_SOFTWARE),
                                           sdl_.SDL_DestroyRenderer);
        if (!renderer) return trouble();
        for (int frame = 0; options_.frames == 0 || frame < options_.frames; ++frame) {
            if (!draw(*window, *renderer)) return trouble();
            SDL_Event event;
            if (sdl_.SDL_WaitEventTimeout(&event, options_.frames == 0 ? 200 : 1) != 0 && !handle(event)) break;
        }
        return kDone;
    }

    bool draw(SDL_Window& window, SDL_Renderer& renderer) {
        Texels texels = input_.texels(options_.face, options_.level, options_.slice);
        for (int y = 0; y < texels.height; ++y)
            for (int x = 0; x < texels.width; ++x) {
                uint8_t* pixel = &texels.rgba[(static_cast<size_t>(y) * texels.width + x) * 4];
                const auto color = overChequer(pixel, x / 8, y / 8);
                for (int c = 0; c < 3; ++c) pixel[c] = static_cast<uint8_t>(color[c]);
                pixel[3] = 255;
            }
        const Owned<SDL_Texture> texture(sdl_.SDL_CreateTexture(&renderer, SDL_PIXELFORMAT_RGBA32,
                                                                SDL_TEXTUREACCESS_STATIC, texels.width, texels.height),
                                         sdl_.SDL_DestroyTexture);
        if (!texture) return false;
        sdl_.SDL_UpdateTexture(texture.get(), nullptr, texels.rgba.data(), texels.width * 4);
        sdl_.SDL_SetWindowTitle(
            &window, fmt::format("{}: level {}, {} x {}, face {}, slice {}", options_.in, options_.level, texels.width,
                                 texels.height, options_.face, options_.slice)
                         .c_str());
        sdl_.SDL_RenderClear(&renderer);
        sdl_.SDL_RenderCopy(&renderer, texture.get(), nullptr, nullptr);
        sdl_.SDL_RenderPresent(&renderer);
        return true;
    }

    /// False: leave.
    bool handle(const SDL_Event& event) {
        if (event.type == SDL_QUIT) return false;
        if (event.type != SDL_KEYDOWN) return true;
        const bool isCube = input_.file().faces == 6;
        int& across = isCube ? options_.face : options_.slice;
        switch (event.key.keysym.sym) {
            case SDLK_q:
            case SDLK_ESCAPE:
                return false;
            case SDLK_UP:
                options_.level = std::max(options_.level - 1, 0);
                break;
            case SDLK_DOWN:
                options_.level = std::min(options_.level + 1, input_.levelCount() - 1);
                break;
            case SDLK_LEFT:
                --across;
                break;
            case SDLK_RIGHT:
                ++across;
                break;
        }
        const int most = (isCube ? 6 : input_.level(0, options_.level).depth) - 1;
        across = std::clamp(across, 0, most);
        return true;
    }

    const SdlFunctions& sdl_;
    const TextureInput& input_;
    Options options_;
};

int showInWindow(const TextureInput& input, const Options& options) {
    SharedLibrary library("libSDL2-2.0.so.0");
    SdlFunctions sdl;
    sdl.load(library);
    if (!library.complete()) return noWindow(fmt::format("{}; Debian's package is libsdl2-2.0-0", library.trouble()));
    return Viewer(sdl, input, options).run();
}

int view(const Options& options) {
    int status = kDone;
    const std::optional<TextureInput> input = TextureInput::open(options.in, status);
    if (!input) return status;
    if (options.face >= input->file().faces || options.level >= input->levelCount() ||
        options.slice >= input->level(0, options.level).depth) {
        fmt::print(stderr, "tessera tex view: error: {} has no such level, face or slice\n", options.in);
        return kTrouble;
    }
    if (options.window) return showInWindow(*input, options);
    const int columns = options.columns != 0 ? options.columns : terminalColumns();
    fmt::print("{}", blocksText(shrunk(input->texels(options.face, options.level, options.slice), columns)));
    return kDone;
}

}  // namespace

void addTexView(CLI::App& tex, int& status) {
    const auto options = std::make_shared<Options>();
    CLI::App* verb = tex.add_subcommand("view", "Show a texture in the terminal or in a window");
    verb->add_option("in", options->in, "KTX 1, DDS, PNG or JPEG file")->required();
    verb->add_option("--level", options->level, "Level")->check(CLI::Range(0, 14));
    verb->add_option("--face", options->face, "Face of a cube map, in GL's order")->check(CLI::Range(0, 5));
    verb->add_option("--slice", options->slice, "Slice of a 3D texture")->check(CLI::Range(0, 2047));
    verb->add_option("--columns", options->columns, "Characters across (default: the terminal's)")
        ->check(CLI::Range(1, 4096));
    verb->add_flag("--window", options->window, "Open a window: up and down: level; left and right: face, slice; q");
    verb->add_option("--frames", options->frames, "Close the window after so many frames")
        ->check(CLI::Range(1, 1000000));
    verb->footer("The terminal needs 24-bit colours. What is transparent shows a grey chequer.");
    verb->callback([options, &status] { status = view(*options); });
}

}  // namespace tessera::tools
