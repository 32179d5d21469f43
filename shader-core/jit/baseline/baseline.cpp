#include "shader-core/jit/baseline/baseline.h"

#include <cstring>

#include "shader-core/jit/baseline/generator.h"
#include "shader-core/jit/run/image.h"

namespace tessera::jit {

namespace {

/// Larger programs are left to LLVM: the time to make code grows with instructions times components.
constexpr size_t kMaxInstructions = 4000;

}  // namespace

std::vector<char> baselineImage(const isa::Program& program, SimdLevel level) {
    // Before anything is found out about it: somebody waits.
    if (program.code.size() > kMaxInstructions) return {};
    const Facts facts = analysis::findFacts(program);
    if (!Generator::canGenerate(program, facts, level)) return {};
    Generator generator(program, facts, level);
    generator.run();
    size_t codeBytes = 0;
    const std::vector<uint8_t> code = generator.finish(&codeBytes);
    ImageHeader header{};
    header.inputComponents = generator.inputComponents();
    header.bytes = static_cast<uint32_t>(code.size());
    header.functionBytes = static_cast<uint32_t>(codeBytes);
    std::vector<char> image(sizeof header + code.size());
    std::memcpy(image.data(), &header, sizeof header);
    std::memcpy(image.data() + sizeof header, code.data(), code.size());
    return image;
}

}  // namespace tessera::jit
