// tessera diff
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "tools/diff/image_diff.h"
#include "tools/files.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

struct Options {
    std::string a, b, output;
    int tolerance = 0;
};

int diffImages(const Options& options) {
    std::string error;
    const auto trouble = [&error] {
        fmt::print(stderr, "{}\n", error);
        return kTrouble;
    };
    const std::optional<imagediff::Image> a = imagediff::readPng(options.a, error);
    if (!a) return trouble();
    const std::optional<imagediff::Image> b = imagediff::readPng(options.b, error);
    if (!b) return trouble();
    const imagediff::Difference difference = imagediff::compare(*a, *b, options.tolerance);
    fmt::print("{}", imagediff::report(*a, *b, difference, options.tolerance));
    if (!options.output.empty() && difference.sameSize &&
        !imagediff::writePng(options.output, imagediff::differencePicture(*a, *b, options.tolerance), error))
        return trouble();
    return difference.equal() ? kDone : kWrongInput;
}

}  // namespace

void addDiff(CLI::App& app, int& status) {
    const auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("diff", "Compare two PNG images");
    verb->add_option("a", options->a, "First image")->required();
    verb->add_option("b", options->b, "Second image")->required();
    verb->add_option("--tolerance", options->tolerance,
                     "Largest difference of a channel, 0 to 255, that does not count")
        ->check(CLI::Range(0, 255));
    verb->add_option("-o,--output", options->output, "Write a picture of the differences (PNG)");
    verb->footer(
        "Prints the size, the number of differing pixels, the worst pixel with both values and the mean absolute\n"
        "difference of each channel. Exit status: 0 equal within the tolerance, 1 different, 2 trouble.");
    verb->callback([options, &status] { status = diffImages(*options); });
}

}  // namespace tessera::tools
