// Runs cases on an executor and compares.
#pragma once

#include <string>
#include <vector>

#include "shader-core/glsl/glsl.h"
#include "shader-core/isa/executor.h"
#include "tests/shaders/shader_case.h"

namespace tessera::shadertest {

/// How cases are run.
struct Way {
    std::shared_ptr<isa::Executor> executor;
    std::string name;
    glsl::Limits limits{.version = 300};  ///< a shader's #version says which language it is
};

/// What went wrong, one line each: "file:line: case NAME: ...". Empty when the case passed, or the executor leaves the
/// program to others.
[[nodiscard]] std::vector<std::string> runCase(const Case& test, const Way& way);

struct Totals {
    int passed = 0, failed = 0;
};

/// Every case of the files in every way. Prints failures as they come.
[[nodiscard]] Totals runFiles(const std::vector<std::string>& files, const std::vector<Way>& ways,
                              const std::string& only);

}  // namespace tessera::shadertest
