// tessera browser: what browsers, and what drives them, are told to draw with this driver.
#include <memory>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "tools/browsers.h"
#include "tools/driver.h"
#include "tools/files.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

/// The launch options of Playwright and Puppeteer: the same names in both.
std::string launchOptions(const Driver& driver) {
    nlohmann::ordered_json options;
    options["args"] = chromiumSwitches();
    options["env"] = nlohmann::ordered_json::object();
    for (const auto& [name, value] : driverVariables(driver)) options["env"][name] = value;
    return options.dump();
}

int printFlags(const std::string& what) {
    if (what == "firefox") {
        fmt::print(stderr, "error: nothing makes Firefox draw WebGL with Tessera: {}\n",
                   "it asks EGL for desktop OpenGL before it shows a page, and Tessera is OpenGL ES");
        return kWrongInput;
    }
    const Driver driver = installedDriver();
    if (driver.libraries.empty()) {
        fmt::print(stderr, "error: {}\n", kNoDriver);
        return kTrouble;
    }
    if (what == "chromium")
        fmt::print("{}\n", fmt::join(chromiumSwitches(), " "));
    else
        fmt::print("{}\n", launchOptions(driver));
    return kDone;
}

}  // namespace

void addBrowser(CLI::App& app, int& status) {
    struct Options {
        std::string what;
    };
    auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("browser", "What browsers are told to draw WebGL with Tessera");
    verb->add_option("--print-flags", options->what, "Print what to give: chromium, firefox, playwright or puppeteer")
        ->required()
        ->check(CLI::IsMember({"chromium", "firefox", "playwright", "puppeteer"}));
    verb->footer(
        "chromium: the switches, in a line; tessera exec chromium gives them by itself, and sets the environment.\n"
        "playwright, puppeteer: launch options as JSON, {\"args\": [...], \"env\": {...}}; the environment is to be\n"
        "added to the one there is: launch({...options, env: {...process.env, ...options.env}}).\n"
        "firefox: there is nothing to give; it asks for desktop OpenGL. The status is 1.\n"
        "WebKit's browsers need no flags: tessera exec is enough.\n"
        "Examples: tessera exec chromium https://get.webgl.org\n"
        "          tessera browser --print-flags playwright > launch.json");
    verb->callback([options, &status] { status = printFlags(options->what); });
}

}  // namespace tessera::tools
