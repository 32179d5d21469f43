// Programs of tests, from their text.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "shader-core/asm/assembler.h"

namespace tessera::pipeline::test {

[[nodiscard]] inline std::shared_ptr<const isa::Program> assembled(const std::string& text) {
    assembly::AssembleResult result = assembly::assemble(text, "test");
    REQUIRE(result.program);
    return std::make_shared<isa::Program>(std::move(*result.program));
}

}  // namespace tessera::pipeline::test
