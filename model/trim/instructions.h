// Instructions by operation and data type: how many a program holds or executed; and the classes of seed 002's figure 4
// that they fall into.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/chip/forms.h"
#include "shader-core/isa/program.h"

namespace tessera::model {

/// How many of each form: in a program's code, or executed by groups.
struct InstructionCounts {
    std::array<std::array<uint64_t, kTypes>, isa::kOpCount> of{};

    [[nodiscard]] uint64_t count(isa::Op op) const;
    [[nodiscard]] uint64_t total() const;
    void add(const InstructionCounts& other);
    bool operator==(const InstructionCounts&) const = default;
};
/// Of the code. `program` must have passed isa::verify(), here and below.
[[nodiscard]] InstructionCounts countsOf(const isa::Program& program);
/// Of a run: `executed` says how often groups executed each instruction, one number for each.
[[nodiscard]] InstructionCounts countsOf(const isa::Program& program, std::span<const uint64_t> executed);

/// Seed 002, 3.1, whose ten classes these are, and two that it does not name. There, "control" has any communication;
/// reads and writes of memory and lookups of textures stand on their own here.
enum class MixClass : uint8_t {
    Mov,      ///< between registers, selection
    Logic,    ///< bit mask
    Shift,    ///< shifts
    Bitwise,  ///< bit search and bit count
    Convert,  ///< number formats, rounding to an integer
    Control,  ///< branches, barriers, exchange between lanes
    Add,      ///< addition, subtraction, comparison
    Mul,      ///< multiplication with and without a subsequent addition
    Div,      ///< division, reciprocal
    Trans,    ///< transcendental functions, square roots, lighting
    Memory,
    Texture,
};
inline constexpr int kMixClasses = 12;
inline constexpr int kPaperMixClasses = 10;  ///< those of seed 002
[[nodiscard]] MixClass mixClass(isa::Op op);
[[nodiscard]] std::string_view mixClassName(MixClass mix);
/// Whether integer and float instructions of the class are told apart: add, mul and div.
[[nodiscard]] bool hasIntegerKind(MixClass mix);

struct InstructionMix {
    /// [class][0]: integer instructions of the classes that tell them apart; [1]: the others.
    std::array<std::array<uint64_t, 2>, kMixClasses> of{};
    [[nodiscard]] uint64_t total() const;
};
[[nodiscard]] InstructionMix mixOf(const InstructionCounts& counts);

}  // namespace tessera::model
