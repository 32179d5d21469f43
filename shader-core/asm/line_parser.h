// One line of assembly: a cursor with the pieces every statement is made of. The first error of a line is kept and
// ends the work on that line.
#pragma once

#include <string>
#include <string_view>

#include "shader-core/asm/assembler.h"
#include "shader-core/isa/isa.h"

namespace tessera::assembly {

class LineParser {
public:
    /// `line` without its comment.
    explicit LineParser(std::string_view line) : text_(line) {}

    // --- The cursor ---

    /// Column (from 1) of the next character that is not a space.
    [[nodiscard]] int column();
    [[nodiscard]] bool atEnd();
    [[nodiscard]] char peek();
    bool accept(char c);
    bool expect(char c, std::string_view after);
    /// The run of letters, digits and underscores here; may be empty.
    std::string_view word();
    /// The run of characters up to a space or comma; may be empty.
    std::string_view name();
    bool endOfLine();

    // --- Operands; false after an error ---

    bool destination(isa::Destination& dst);
    bool source(isa::Source& src, isa::Type type, uint32_t& immediate);
    bool textureUnit(isa::Instruction& instruction);
    bool textureTarget(isa::TextureTarget& target);
    /// `(p1)` or `(!p1)` when there is one.
    bool guard(isa::Instruction& instruction);
    /// "c20": a register of the file with this letter, for declarations.
    bool plainRegister(std::string_view letters, char& letter, int& index);
    bool literal(isa::Type type, uint32_t& bits);
    bool number(int low, int high, int& value);

    // --- The error ---

    bool fail(int column, std::string message);
    [[nodiscard]] bool failed() const { return !message_.empty(); }
    [[nodiscard]] Diagnostic diagnostic(int line) const { return {line, errorColumn_, message_}; }

private:
    struct Register {
        isa::File file = isa::File::R;
        int index = 0;
        bool relative = false;
    };
    bool registerOperand(Register& reg);
    bool registerNumber(isa::File file, std::string_view digits, int column, int& index);
    bool relativeIndex(int& offset);
    bool swizzle(isa::Swizzle& swizzle);
    bool writeMask(uint8_t& mask);
    bool primary(isa::Source& src, isa::Type type, uint32_t& immediate);
    bool startsNumber();

    std::string_view text_;
    size_t at_ = 0;
    int errorColumn_ = 0;
    std::string message_;
};

}  // namespace tessera::assembly
