// The type with which what a register holds was written last: the one rule by which traces and the debugger print
// values.
//
// An instruction writes what its row gives it: a float, or an integer of its type. A move without modifiers copies
// bits, so it hands on the type of what it reads. What nothing has written has the type of its declaration, and without
// one it is a float.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "shader-core/debug/replay/value.h"
#include "shader-core/interp/interpreter.h"
#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"

namespace tessera::debug {

/// The type of a register's component in each lane: an integer, or (neither) a float.
struct WrittenAs {
    uint32_t signedLanes = 0, unsignedLanes = 0;
    [[nodiscard]] Format in(int lane) const {
        if ((signedLanes >> lane & 1) != 0) return Format::I32;
        return (unsignedLanes >> lane & 1) != 0 ? Format::U32 : Format::F32;
    }
};

/// In all lanes.
[[nodiscard]] WrittenAs writtenAs(isa::Type type);

/// Follows the execution of a group.
class WrittenTypes {
public:
    WrittenTypes() = default;
    explicit WrittenTypes(const isa::Program& program);

    /// Before each instruction of the group, in order; `guardedMask` are the lanes that will write.
    void executes(const isa::Instruction& instruction, const interp::Step& step);

    [[nodiscard]] WrittenAs of(isa::File file, int index, int component) const;

private:
    using Register = std::array<WrittenAs, 4>;
    struct Declared;
    [[nodiscard]] WrittenAs result(const isa::Instruction& instruction, int component, const interp::Step& step) const;

    std::vector<Register> temps_;
    std::array<Register, isa::kMaxOutputs> outputs_{};
    std::shared_ptr<const Declared> declared_;  ///< the same for all moments of a program
};

}  // namespace tessera::debug
