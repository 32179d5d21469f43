// Names that an assembly text gives to numbers (.define), registers (.alias, .const, the interface directives),
// texture units (.sampler) and memory (.buffer).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "shader-core/isa/core.h"

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

    /// Names for the host alone, such as "lights[2].color": the register of the first that begins with this word.
    void addForHost(std::string_view name, std::string where);
    [[nodiscard]] const std::string* findForHost(std::string_view word) const;

    /// What a name was wanted for.
    enum class Wanted { Operand, Number, Predicate, Unit, Buffer };
    /// The end of a diagnostic about a name that nothing has: "; did you mean 'x'?", or else the names that there are:
    /// "; the program has inputs v_at, uniforms and constants u_tint". May be empty.
    [[nodiscard]] std::string instead(std::string_view misspelt, Wanted wanted) const;

    // A name may be missing because of an error that has been told: that is no error of its own.

    /// The declaration could not be read; what it should have given is one of its words behind the first.
    void addUnread(std::string_view line);
    /// An included file could not be read; any name may stand in it.
    void setFileUnread() { fileUnread_ = true; }
    [[nodiscard]] bool isUnread(std::string_view name) const { return fileUnread_ || unread_.contains(name); }

private:
    std::map<std::string, Symbol, std::less<>> symbols_;
    std::map<std::string, uint8_t, std::less<>> buffers_;  ///< name to slot
    std::map<std::string, std::string, std::less<>> forHost_;
    std::set<std::string, std::less<>> unread_;
    bool fileUnread_ = false;
};

/// Whether a text is one name: letters, digits and underscores, no digit first.
[[nodiscard]] bool isName(std::string_view text);
/// Whether the assembler knows the name as a register, special, or constant of its own.
[[nodiscard]] bool isReserved(std::string_view name);

}  // namespace tessera::assembly
