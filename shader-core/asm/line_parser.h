// One line of assembly: a cursor with the pieces every statement is made of. The first error of a line is kept and
// ends the work on that line.
#pragma once

#include <string>
#include <string_view>

#include "shader-core/asm/symbols.h"
#include "shader-core/isa/isa.h"

namespace tessera::assembly {

class LineParser {
public:
    /// `line` without its comment; `symbols` are the names that may stand for registers and numbers.
    LineParser(std::string_view line, const Symbols& symbols) : text_(line), symbols_(&symbols) {}

    // --- The cursor ---

    /// Column (from 1) of the next character that is not a space.
    [[nodiscard]] int column();
    [[nodiscard]] bool atEnd();
    [[nodiscard]] char peek();
    bool accept(char c);
    bool expect(char c, std::string_view after);
    /// What is left of the line.
    [[nodiscard]] std::string_view rest();
    /// The run of letters, digits and underscores here; may be empty.
    std::string_view word();
    /// The run of characters up to a space or comma; may be empty.
    std::string_view name();
    bool endOfLine();

    // --- Operands; false after an error ---

    bool destination(isa::Destination& dst);
    bool source(isa::Source& src, isa::Type type, uint32_t& immediate);
    /// `b0[r1.x + 16]`, `shared[16]`: the slot, source a and, where the shape has one, the byte offset.
    bool memory(isa::Instruction& instruction);
    /// The value of a store: as many elements as its swizzle has letters, four without one.
    bool storeValue(isa::Instruction& instruction);
    /// The unit and, behind a comma, the target; the name of a sampler brings its target along.
    bool texture(isa::Instruction& instruction);
    bool texelOffset(isa::Instruction& instruction);
    /// `(p1)` or `(!p1)` when there is one.
    bool guard(isa::Instruction& instruction);
    /// "c20": a register of the file with this letter, for declarations.
    /// `form` shows the whole statement to an author whose line goes otherwise.
    bool plainRegister(std::string_view letters, char& letter, int& index, std::string_view form);
    bool literal(isa::Type type, uint32_t& bits);
    /// `why`: "u_lights has 4 elements".
    bool number(int low, int high, int& value, const std::string& why = {});
    bool startsExpression();
    bool expression(double& value);

    // --- The error ---

    bool fail(int column, std::string message);
    /// The same of a name that nothing has.
    bool failName(int column, std::string_view name, std::string message);
    /// What is wrong follows from an error that has been told.
    bool failAgain(int column);
    [[nodiscard]] bool failed() const { return !message_.empty(); }
    [[nodiscard]] bool hasBeenTold() const { return told_; }
    [[nodiscard]] const std::string& unknownName() const { return unknownName_; }
    [[nodiscard]] int errorColumn() const { return errorColumn_; }
    [[nodiscard]] const std::string& message() const { return message_; }

private:
    struct Register {
        isa::File file = isa::File::R;
        int index = 0;
        bool relative = false;
        int component = 0;       ///< where component x lies (uniforms that start further on)
        std::string components;  ///< given with the name
    };
    bool registerOperand(Register& reg);
    [[nodiscard]] std::string noOperand(std::string_view text);
    bool namedRegister(const Symbol& symbol, std::string_view name, int column, Register& reg);
    bool indexInside(std::string_view name, std::string_view what, int count, int scale, Register& reg);
    bool bracketIndex(isa::File file, Register& reg);
    /// The text behind the point of an operand: written there, or given with its name.
    bool components(const Register& reg, std::string_view& text, bool& given);
    bool textureUnit(isa::Instruction& instruction, bool& hasTarget);
    bool registerNumber(isa::File file, std::string_view digits, int column, int& index);
    bool relativeIndex(int& offset);
    bool indexIsNoRegister(int column);
    bool swizzle(std::string_view text, int column, int first, isa::Swizzle& swizzle);
    bool writeMask(std::string_view text, int column, uint8_t& mask);
    bool primary(isa::Source& src, isa::Type type, uint32_t& immediate);
    bool startsNumber();
    bool memorySlot(uint8_t& slot);
    bool byteOffset(isa::Instruction& instruction);

    std::string_view text_;
    const Symbols* symbols_;
    size_t at_ = 0;
    size_t swizzleLetters_ = 0;  ///< of the last source; 0: it had no swizzle
    int errorColumn_ = 0;
    std::string message_, unknownName_;
    bool told_ = false;
};

}  // namespace tessera::assembly
