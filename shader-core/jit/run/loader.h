// Images in memory that may be executed.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "base/simd_levels.h"
#include "shader-core/jit/run/frame.h"

namespace tessera::jit {

/// Code of a program; its memory goes with the object.
class MachineCode {
public:
    /// Null when the bytes are no image (image.h), or the process cannot have executable memory. Thread safe.
    [[nodiscard]] static std::unique_ptr<const MachineCode> load(std::span<const char> image, SimdLevel level);
    ~MachineCode();
    MachineCode(const MachineCode&) = delete;
    MachineCode& operator=(const MachineCode&) = delete;

    [[nodiscard]] BlockFunction function() const { return function_; }
    [[nodiscard]] const isa::ComponentMasks& inputComponents() const { return inputComponents_; }
    [[nodiscard]] size_t functionBytes() const { return functionBytes_; }

private:
    MachineCode() = default;

    std::byte* memory_ = nullptr;
    size_t bytes_ = 0;
    BlockFunction function_ = nullptr;
    isa::ComponentMasks inputComponents_;
    size_t functionBytes_ = 0;
};
using CodePointer = std::unique_ptr<const MachineCode>;

}  // namespace tessera::jit
