#include "demos/host/options.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "demo_list.h"

namespace demos {

namespace {

std::string descriptionOf(std::string_view name) {
    for (const auto& [listed, description] : kDemoList)
        if (name == listed) return description;
    return "a demo";
}

std::string keysOf(const Controls& controls) {
    std::string text = "In a window:\n";
    for (const Command& command : commandTable())
        if (command.isOf(controls)) text += "  " + lineOf(command) + "\n";
    return text;
}

std::string checkSize(const std::string& text) {
    int width = 0, height = 0, used = 0;
    bool parsed = std::sscanf(text.c_str(), "%dx%d%n", &width, &height, &used) == 2;
    if (parsed && used == static_cast<int>(text.size()) && width >= 1 && height >= 1 && width <= 4096 && height <= 4096)
        return {};
    return "'" + text + "' is not a size such as 800x600 (1 to 4096 each way)";
}

}  // namespace

std::optional<int> parseOptions(int argc, char** argv, const DemoInfo& info, Options& options) {
    CLI::App app(std::string(info.name) + ": " + descriptionOf(info.name));
    std::string size = "800x600";
    double time = 0;
    app.add_option("--frames", options.frames, "Stop after so many frames (headless: 120)")
        ->check(CLI::Range(1, 1000000));
    app.add_option("--size", size, "Size in pixels")->check(CLI::Validator(checkSize, "WxH"))->capture_default_str();
    auto* timeOption = app.add_option("--time", time, "Draw frame i at T + i/60 seconds, not by the clock");
    timeOption->check([](const std::string& text) {
        return std::abs(std::strtod(text.c_str(), nullptr)) < 1e9 ? "" : "'" + text + "' is no time";
    });
    app.add_option("--out", options.out, "Write the last frame as PNG; implies --headless");
    app.add_flag("--headless", options.headless, "Render without a window");
    app.add_flag("--window", options.window, "Open a window even with --out");
    app.add_flag("--overlay", options.overlay, "Draw the panel of keys and figures in a headless run too");
    if (info.controls.wireframe) app.add_flag("--wireframe", options.wireframe, "Draw edges only");
    app.add_flag("--quiet", options.quiet, "Do not print how fast it was");
    app.add_flag("--hash", options.hash, "Print a hash of every frame's pixels");
    app.add_option("--samples", options.samples, "Samples of a pixel (4 where the picture has edges; plain: 1)")
        ->check(CLI::IsMember({1, 4}));
    app.add_flag("--plain", options.plain,
                 "One sample a pixel, nothing around the bodies, no panel: the picture whose work docs/ counts");
    app.footer(keysOf(info.controls));
    if (info.addOptions) info.addOptions(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    std::sscanf(size.c_str(), "%dx%d", &options.width, &options.height);
    if (timeOption->count() > 0) options.time = time;
    if (!options.out.empty() && !options.window) options.headless = true;
    return std::nullopt;
}

}  // namespace demos
