// Runs cases on an executor and compares.
#pragma once

#include <string>
#include <vector>

#include "shader-core/isa/executor.h"
#include "tests/shaders/shader_case.h"

namespace tessera::shadertest {

/// What went wrong, one line each: "file:line: case NAME: ...". Empty when the case passed.
[[nodiscard]] std::vector<std::string> runCase(const Case& test, isa::Executor& executor);

struct Totals {
    int passed = 0, failed = 0;
};

/// Every case of the files on every executor. Prints failures as they come.
[[nodiscard]] Totals runFiles(const std::vector<std::string>& files,
                              const std::vector<std::shared_ptr<isa::Executor>>& executors, const std::string& only);

}  // namespace tessera::shadertest
