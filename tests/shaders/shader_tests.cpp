// shader_tests [--case PART-OF-NAME] FILE-OR-DIRECTORY...
// Runs every case of the *.shadertest files on every executor, and those in GLSL also with functions that are called.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "shader-core/interp/interpreter.h"
#include "shader-core/jit/codegen/linked_jit.h"
#include "tests/shaders/runner.h"

using namespace tessera;

namespace {

std::vector<std::string> filesUnder(const std::filesystem::path& path) {
    if (!std::filesystem::is_directory(path)) return {path.string()};
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
        if (entry.path().extension() == ".shadertest") files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

int main(int argumentCount, char** arguments) {
    std::vector<std::string> files;
    std::string only;
    for (int i = 1; i < argumentCount; ++i) {
        if (std::string_view(arguments[i]) == "--case" && i + 1 < argumentCount) {
            only = arguments[++i];
            continue;
        }
        for (std::string& file : filesUnder(arguments[i])) files.push_back(std::move(file));
    }
    const auto interpreter = interp::makeInterpreter();
    const auto baseline = jit::makeJit({.level = simdLevel(), .baseline = jit::Baseline::Only});
    const glsl::Limits calls{.version = 300, .callsFunctions = true};
    const shadertest::Totals totals =
        shadertest::runFiles(files,
                             {{interpreter, "interp"},
                              {jit::makeJit(jit::optionsFromEnvironment(simdLevel())), "jit"},
                              {baseline, "baseline"},
                              {interpreter, "interp, functions called", calls},
                              {baseline, "baseline, functions called", calls}},
                             only);
    std::printf("%d passed, %d failed\n", totals.passed, totals.failed);
    return totals.failed == 0 && totals.passed > 0 ? 0 : 1;
}
