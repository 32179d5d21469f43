// Names that an assembly text gives to numbers (.define), registers (.alias, .const, the interface directives),
// texture units (.sampler) and memory (.buffer).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "shader-core/isa/isa.h"

namespace tessera::assembly {

struct Symbol {
    enum class Kind { Number, Register, Unit } kind = Kind::Number;
    double value = 0;                ///< Number
    isa::File file = isa::File::R;   ///< Register
    int index = 0;                   ///< first register or unit
    int elements = 1, columns = 1;   ///< of an array, and of a matrix: what [n] and [n][m] can reach
    int component = 0;               ///< Register: where its component x lies
    std::string components;          ///< Register: what stands behind the point when nothing is written there
    isa::TextureTarget target = {};  ///< Unit
};

class Symbols {
public:
    /// Empty, or why the name cannot be given.
    [[nodiscard]] std::string add(std::string_view name, Symbol symbol);
    [[nodiscard]] const Symbol* find(std::string_view name) const;
    /// Buffers have names of their own, known where memory stands: no other name gets in their way.
    void addBuffer(std::string_view name, uint8_t slot);
    [[nodiscard]] std::optional<uint8_t> findBuffer(std::string_view name) const;

    /// "; did you mean 'x'?" for a misspelt name, or empty.
    [[nodiscard]] std::string suggestion(std::string_view misspelt) const;
    [[nodiscard]] std::string bufferSuggestion(std::string_view misspelt) const;

private:
    std::map<std::string, Symbol, std::less<>> symbols_;
    std::map<std::string, uint8_t, std::less<>> buffers_;  ///< name to slot
};

/// Whether a text is one name: letters, digits and underscores, no digit first.
[[nodiscard]] bool isName(std::string_view text);
/// Whether the assembler knows the name as a register, special, or constant of its own.
[[nodiscard]] bool isReserved(std::string_view name);

}  // namespace tessera::assembly
