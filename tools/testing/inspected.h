// For tests of `tessera inspect`: recorded demos, and what it draws and prints.
#pragma once

#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "base/simd_levels.h"
#include "tools/diff/image_diff.h"
#include "tools/testing/command.h"

namespace tessera::tools {

// As TESSERA_SIMD takes them.
#define TESSERA_LEVEL_NAME(level, ...) #level,
inline constexpr const char* kLevelNames[] = {TESSERA_EACH_SIMD_LEVEL(TESSERA_LEVEL_NAME)};
#undef TESSERA_LEVEL_NAME

/// Two frames of a demo, recorded once in the folder; the second one is DEMO.png there.
inline std::string recordedDemo(const TestFolder& work, const std::string& demo) {
    std::string file = work(demo + ".tsc");
    static std::set<std::string> done;
    if (!done.insert(file).second) return file;
    const Result result = run("exec env TESSERA_COMMANDS=" + file + " " + TESSERA_BINARY_DIR "/bin/" + demo +
                              " --plain --frames 2 --time 1.5 --size 200x150 --out " + work(demo + ".png"));
    REQUIRE_MESSAGE(result.status == 0, result.output);
    return file;
}

inline imagediff::Image pictureAt(const std::string& path) {
    std::string error;
    auto image = imagediff::readPng(path, error);
    REQUIRE_MESSAGE(image, error);
    return *image;
}

/// How many colours a picture has.
inline size_t colorsOf(const imagediff::Image& image) {
    std::set<uint32_t> found;
    for (size_t i = 0; i + 4 <= image.rgba.size(); i += 4)
        found.insert(uint32_t{image.rgba[i]} << 16 | uint32_t{image.rgba[i + 1]} << 8 | image.rgba[i + 2]);
    return found.size();
}

/// What was printed, but for messages around it.
inline nlohmann::json jsonIn(const Result& result) {
    const size_t start = result.output.find("{\n"), end = result.output.rfind("\n}");
    REQUIRE_MESSAGE(end != std::string::npos, result.output);
    return nlohmann::json::parse(result.output.substr(start, end + 2 - start));
}

}  // namespace tessera::tools
