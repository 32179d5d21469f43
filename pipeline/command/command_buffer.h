// Commands on their way from the front end to the GPU, with what they refer to.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "pipeline/commands.h"

namespace tessera::pipeline {

class Faults;
struct Stream;

/// Commands at which a buffer is full and handed over.
inline constexpr size_t kFullBuffer = 256;

struct CommandBuffer {
    // Not here, as that takes the compiler a third of a second for each source that includes this.
    CommandBuffer() noexcept;
    CommandBuffer(CommandBuffer&& other) noexcept;
    CommandBuffer& operator=(CommandBuffer&& other) noexcept;
    ~CommandBuffer();

    /// Memory that constant registers are in.
    struct ConstantBlock {
        explicit ConstantBlock(size_t count)
            : registers(std::make_unique_for_overwrite<ConstantRegister[]>(count)), size(count) {}
        std::unique_ptr<ConstantRegister[]> registers;
        size_t size;
    };
    std::vector<ConstantBlock> constants;
    /// Owners of states that draws refer to without owning them.
    std::vector<std::shared_ptr<DrawState>> states;
    std::vector<Command> commands;
    std::shared_ptr<Faults> faults;  ///< told before the buffer counts as done; may be null
    std::shared_ptr<Stream> stream;  ///< null: one that the GPU has for all such buffers
    size_t bytes = 0;                ///< of memory that goes, or may go, when it is executed

    /// Lets go of everything but the memory of the commands and of one block of constants.
    void clear();
};

}  // namespace tessera::pipeline
