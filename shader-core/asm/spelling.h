// How registers, types and numbers are spelled: shared by the assembler and the disassembler.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/nearest.h"
#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"

namespace tessera::assembly {

/// Enumerator number = position.
[[nodiscard]] std::span<const std::string_view> fileLetters();         ///< isa::File without I
[[nodiscard]] std::span<const std::string_view> specialNames();        ///< isa::Special
[[nodiscard]] std::span<const std::string_view> typeNames();           ///< isa::Type
[[nodiscard]] std::span<const std::string_view> targetNames();         ///< isa::TextureTarget
[[nodiscard]] std::span<const std::string_view> variableTypeNames();   ///< isa::VarType; samplers as "2d", "cube"...
[[nodiscard]] std::span<const std::string_view> precisionNames();      ///< isa::Precision; None is empty
[[nodiscard]] std::span<const std::string_view> interpolationNames();  ///< isa::Interpolation; Smooth is empty
[[nodiscard]] std::span<const std::string_view> stageNames();          ///< isa::Stage
[[nodiscard]] std::span<const std::string_view> widthSuffixes();       ///< subset width; full is empty
[[nodiscard]] std::span<const std::string_view> depthSuffixes();       ///< subset depth; full is empty
[[nodiscard]] std::span<const std::string_view> snoopRowSuffixes();
/// Types of memory elements: the three of words, then i16 u16 i8 u8.
[[nodiscard]] std::span<const std::string_view> elementTypeNames();

/// Position of `name` in a list, or nothing. The empty name is never found.
[[nodiscard]] std::optional<int> find(std::span<const std::string_view> names, std::string_view name);

/// The slot of `b0` to `b15`, or nothing.
[[nodiscard]] std::optional<uint8_t> bufferSlot(std::string_view text);

/// 0 to 3 for x y z w and for r g b a.
[[nodiscard]] std::optional<int> componentNumber(char letter);
/// Why the letters name no components, or empty: those of one word are all of x y z w or all of r g b a.
[[nodiscard]] std::string componentsProblem(std::string_view letters);

[[nodiscard]] std::string swizzleText(isa::Swizzle swizzle);  ///< "" for xyzw, ".x", ".xyz", ".wzyx"
[[nodiscard]] std::string maskText(uint8_t writeMask);        ///< "" for xyzw, ".xz"

/// Bits as a number that readLiteral reads back to the same bits: decimal where that is exact, else hexadecimal.
[[nodiscard]] std::string literalText(uint32_t bits, isa::Type type);

/// Reads an optional sign and a number at the front of `text`. `length` is what was read, also on failure;
/// hexadecimal numbers are bits, others values of `type`. On failure `error` says why.
struct LiteralResult {
    std::optional<uint32_t> bits;
    size_t length = 0;
    std::string error;
};
/// Why "1.0f", which is the number "1.0" and something, is no number.
[[nodiscard]] std::string noNumber(std::string_view number, std::string_view tail);
[[nodiscard]] LiteralResult readLiteral(std::string_view text, isa::Type type);

}  // namespace tessera::assembly
