// Cursor and operand syntax. See docs/isa.md for the grammar.
#include "shader-core/asm/line_parser.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "shader-core/asm/expression.h"
#include "shader-core/asm/hints.h"
#include "shader-core/asm/spelling.h"

namespace tessera::assembly {

using isa::File;

namespace {

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWord(char c) { return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// What the reader sees at a place, for error messages: quoted and short, without control characters.
std::string shown(std::string_view text) {
    std::string out;
    for (char c : text.substr(0, 24)) out += c >= ' ' && c <= '~' ? c : '?';
    return out;
}

}  // namespace

int LineParser::column() {
    while (at_ < text_.size() && isSpace(text_[at_])) ++at_;
    return static_cast<int>(at_) + 1;
}

bool LineParser::atEnd() {
    (void)column();
    return at_ == text_.size();
}

char LineParser::peek() { return atEnd() ? '\0' : text_[at_]; }

bool LineParser::accept(char c) {
    if (peek() != c || atEnd()) return false;
    ++at_;
    return true;
}

bool LineParser::expect(char c, std::string_view after) {
    return accept(c) || fail(column(), fmt::format("'{}' must follow {}", c, after));
}

std::string_view LineParser::rest() { return text_.substr(static_cast<size_t>(column()) - 1); }

std::string_view LineParser::word() {
    (void)column();
    const size_t first = at_;
    while (at_ < text_.size() && isWord(text_[at_])) ++at_;
    return text_.substr(first, at_ - first);
}

std::string_view LineParser::name() {
    (void)column();
    const size_t first = at_;
    while (at_ < text_.size() && !isSpace(text_[at_]) && text_[at_] != ',') ++at_;
    return text_.substr(first, at_ - first);
}

bool LineParser::endOfLine() {
    if (atEnd()) return true;
    return fail(column(), fmt::format("'{}' is too much here; the statement was complete", shown(text_.substr(at_))));
}

bool LineParser::fail(int column, std::string message) {
    if (message_.empty()) {
        errorColumn_ = column;
        message_ = std::move(message);
    }
    return false;
}

bool LineParser::failName(int column, std::string_view name, std::string message) {
    const bool isUnknown = message_.empty() && !symbols_->find(name) && !symbols_->findBuffer(name);
    if (isUnknown) unknownName_ = name;
    told_ |= isUnknown && symbols_->isUnread(name);
    return fail(column, std::move(message));
}

bool LineParser::failAgain(int column) {
    told_ |= message_.empty();
    return fail(column, "this follows from an error above");
}

// --- Registers ---

bool LineParser::registerNumber(File file, std::string_view digits, int column, int& index) {
    const std::string_view letter = fileLetters()[static_cast<int>(file)];
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    const int first = file == File::P ? 1 : 0;
    if (status != std::errc{} || end != digits.data() + digits.size() || !isa::registerExists(file, index))
        return fail(column, fmt::format("there is no register {}{}; use {}{} to {}{}", letter, shown(digits), letter,
                                        first, letter, isa::registerCount(file) - 1));
    return true;
}

/// After '[': false for a register or its name other than a0, which cannot be an index; the cursor stays.
bool LineParser::indexIsNoRegister(int column) {
    LineParser ahead = *this;
    const std::string_view name = ahead.word();
    const Symbol* symbol = symbols_->find(name);
    const bool file = name.size() > 1 && name[0] != 'a' && find(fileLetters(), name.substr(0, 1)) && isReserved(name);
    if (!file && !(symbol && symbol->kind == Symbol::Kind::Register)) return true;
    const std::string component = ahead.accept('.') ? std::string(ahead.word()) : "x";
    return fail(column, fmt::format("'{0}' cannot be an index; move it to the address register, mov.i32 a0.x, {0}.{1}, "
                                    "and write [a0.x]",
                                    shown(name), shown(component)));
}

/// After '[': a0.x, optionally plus an expression, then ']'.
bool LineParser::relativeIndex(int& offset) {
    const int start = column();
    offset = 0;
    if (!indexIsNoRegister(start)) return false;
    if (word() != "a0" || !accept('.') || word() != "x")
        return fail(start, "a relative operand is written [a0.x + number]; only a0.x can address registers");
    if (peek() == '+') {
        ++at_;
        if (!number(0, isa::kMaxConstants - 1, offset)) return false;
    }
    return accept(']') || fail(column(), "']', or '+' and a number, must follow a0.x");
}

/// After '[' behind a register file's letter: relative, or an expression.
bool LineParser::bracketIndex(File file, Register& reg) {
    const int start = column();
    const size_t saved = at_;
    if (const std::string_view index = word(); index.size() == 2 && index[0] == 'a' && isDigit(index[1])) {
        at_ = saved;
        reg.relative = true;
        if (!isa::canBeRelative(file)) return fail(start, "only r, v, c and o registers can be addressed relatively");
        if (!relativeIndex(reg.index)) return false;
        return isa::registerExists(file, reg.index) ||
               fail(start, fmt::format("the number added to a0.x must be below {}", isa::registerCount(file)));
    }
    at_ = saved;
    if (!indexIsNoRegister(start)) return false;
    const int first = file == File::P ? 1 : 0;
    return number(first, isa::registerCount(file) - 1, reg.index) && expect(']', "the number of the register");
}

bool LineParser::registerOperand(Register& reg) {
    const int start = column();
    const std::string_view text = word();
    if (const auto special = find(specialNames(), text)) {
        reg.file = File::S;
        reg.index = *special;
        return true;
    }
    const auto file = find(fileLetters(), text.substr(0, 1));
    const bool plain = text.size() > 1 && isDigit(text[1]);
    if (file && plain && isReserved(text)) {
        reg.file = static_cast<File>(*file);
        return registerNumber(reg.file, text.substr(1), start, reg.index);
    }
    if (file && text.size() == 1 && accept('[')) {
        reg.file = static_cast<File>(*file);
        return bracketIndex(reg.file, reg);
    }
    if (const Symbol* symbol = symbols_->find(text)) return namedRegister(*symbol, text, start, reg);
    if (file && plain) return registerNumber(static_cast<File>(*file), text.substr(1), start, reg.index);
    return isName(text) ? failName(start, text, noOperand(text)) : fail(start, noOperand(text));
}

/// Why there is no operand here: `text` is the word the cursor stands behind.
std::string LineParser::noOperand(std::string_view text) {
    if (text.empty()) {
        const std::string here = shown(rest());
        if (here.empty()) return "an operand is missing";
        if (here[0] == '[' || here[0] == '{') return "four numbers at once are a constant: .const c0 = 1, 0, 0, 1";
        if (here[0] == '#' || here[0] == '$') return fmt::format("a number stands alone, without '{}'", here[0]);
        if (here[0] == '+') return "a number has no plus sign; leave it out";
        return fmt::format("an operand must stand here, not '{}'", here);
    }
    if (text[0] == 't' && isReserved(text))
        return fmt::format(
            "'{}' is a texture unit, no register; it stands behind the operands of a lookup: tex r0, v0, t0, 2d",
            shown(text));
    if (bufferSlot(text) || symbols_->findBuffer(text) || text == "shared")
        return fmt::format("'{0}' is memory, no register; load from it first: ld r0.x, {0}[0]", shown(text));
    std::string lower;
    for (const char c : text) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (lower != text && (isReserved(lower) || symbols_->find(lower)))
        return fmt::format("there is no '{}'; names are case sensitive: write {}", shown(text), lower);
    if (const std::string* where = symbols_->findForHost(text))
        return fmt::format(
            "a name that begins with '{}{}' is for the host only; write its register, {}, or name that "
            "with .alias",
            shown(text), peek() == '[' ? "[" : ".", *where);
    if (const std::string instead = insteadOfOperand(text); !instead.empty())
        return fmt::format("'{}' is no operand; {}", shown(text), instead);
    const std::string instead = symbols_->instead(text, Symbols::Wanted::Operand);
    if (instead.starts_with("; did")) return fmt::format("nothing is named '{}'{}", shown(text), instead);
    std::string specials;
    for (const std::string_view name : specialNames()) specials += fmt::format(" {}", name);
    return fmt::format("nothing is named '{}'{}; registers are r0 v0 c0 o0 a0 p1 s0, specials{}", shown(text), instead,
                       specials);
}

/// One '[...]' behind a name: an element, or a column, of `count`, each of `scale` registers.
bool LineParser::indexInside(std::string_view name, std::string_view what, int count, int scale, Register& reg) {
    const int start = column();
    const size_t saved = at_;
    int offset = 0;
    if (word() == "a0") {
        at_ = saved;
        if (reg.relative || !isa::canBeRelative(reg.file))
            return fail(start, reg.relative ? "one relative index is all an operand has"
                                            : "only r, v, c and o registers can be addressed relatively");
        reg.relative = true;
        if (!relativeIndex(offset)) return false;
        reg.index += offset;  // a0.x counts registers
        return isa::registerExists(reg.file, reg.index) || fail(start, fmt::format("'{}' does not reach so far", name));
    }
    at_ = saved;
    if (!indexIsNoRegister(start)) return false;
    if (!number(0, count - 1, offset, fmt::format("{} has {} {}", shown(name), count, what)) ||
        !expect(']', "the index"))
        return false;
    reg.index += offset * scale;
    return true;
}

bool LineParser::namedRegister(const Symbol& symbol, std::string_view name, int column, Register& reg) {
    if (symbol.kind == Symbol::Kind::Unit)
        return fail(column,
                    fmt::format("'{0}' is a texture unit, no register; it stands behind the operands of a lookup: "
                                "tex r0, v0, {0}",
                                shown(name)));
    if (symbol.kind == Symbol::Kind::Number)
        return fail(column, fmt::format("'{}' is a number, no register", shown(name)));
    reg.file = symbol.file;
    reg.index = symbol.index;
    reg.component = symbol.component;
    reg.components = symbol.components;
    if (symbol.elements > 1 && accept('[') && !indexInside(name, "elements", symbol.elements, symbol.columns, reg))
        return false;
    if (symbol.columns > 1 && accept('[') && !indexInside(name, "columns", symbol.columns, 1, reg)) return false;
    return peek() != '[' || fail(this->column(), fmt::format("'{}' has no such index", shown(name)));
}

bool LineParser::plainRegister(std::string_view letters, char& letter, int& index, std::string_view form) {
    const int start = column();
    const std::string_view text = word();
    std::string expected;
    for (char c : letters) expected += fmt::format("{}{}{}", expected.empty() ? "" : " or ", c, c == 'p' ? 1 : 0);
    if (text.size() < 2 || letters.find(text[0]) == std::string_view::npos || !isDigit(text[1]))
        return fail(start, fmt::format("a register such as {} must stand here: {}", expected, form));
    letter = text[0];
    if (letter != 't')
        return registerNumber(static_cast<File>(*find(fileLetters(), text.substr(0, 1))), text.substr(1), start, index);
    const auto [end, status] = std::from_chars(text.data() + 1, text.data() + text.size(), index);
    if (status != std::errc{} || end != text.data() + text.size() || index >= isa::kMaxTextureUnits)
        return fail(start,
                    fmt::format("there is no texture unit {}; use t0 to t{}", shown(text), isa::kMaxTextureUnits - 1));
    return true;
}

bool LineParser::components(const Register& reg, std::string_view& text, bool& given) {
    const int start = column();
    text = reg.components;
    given = !reg.components.empty();
    if (!accept('.')) return true;
    if (given) return fail(start, "the components are given with the name already");
    given = true;
    text = word();
    return true;
}

bool LineParser::swizzle(std::string_view text, int column, int first, isa::Swizzle& swizzle) {
    swizzleLetters_ = text.size();
    int parts[4] = {};
    if (text.empty() || text.size() > 4) return fail(column, "a swizzle has one to four components of x y z w");
    if (std::string why = componentsProblem(text); !why.empty())
        return fail(column, fmt::format("'{}' is no swizzle; {}", shown(text), why));
    for (size_t c = 0; c < 4; ++c) parts[c] = std::min(first + *componentNumber(text[std::min(c, text.size() - 1)]), 3);
    swizzle = isa::makeSwizzle(parts[0], parts[1], parts[2], parts[3]);
    return true;
}

bool LineParser::writeMask(std::string_view text, int column, uint8_t& mask) {
    int last = -1;
    mask = 0;
    if (std::string why = componentsProblem(text); !why.empty())
        return fail(column, fmt::format("'{}' is no write mask; {}", shown(text), why));
    for (char c : text) {
        const int part = *componentNumber(c);
        if (part <= last)
            return fail(column, fmt::format("'{}' is no write mask; use some of x y z w in this order", shown(text)));
        last = part;
        mask = static_cast<uint8_t>(mask | 1 << part);
    }
    return mask != 0 || fail(column, "a write mask must follow the point: some of x y z w");
}

// --- Operands ---

bool LineParser::destination(isa::Destination& dst) {
    const int start = column();
    Register reg;
    if (!registerOperand(reg)) return false;
    if (reg.file != File::R && reg.file != File::O && reg.file != File::A && reg.file != File::P)
        return fail(start, "a destination is an r, o, a or p register; the others are read only");
    dst.file = reg.file;
    dst.index = static_cast<uint16_t>(reg.index);
    dst.relative = reg.relative;
    dst.writeMask = reg.file == File::P ? 1 : 0xF;
    const int maskColumn = column();
    std::string_view text;
    bool given = false;
    if (!components(reg, text, given)) return false;
    if (!given) return true;
    if (!writeMask(text, maskColumn + 1, dst.writeMask)) return false;
    if (reg.file == File::P && dst.writeMask != 1)
        return fail(maskColumn, "a predicate is one bit, written through component x; leave the write mask out");
    return true;
}

bool LineParser::startsNumber() {
    const char c = peek();
    return isDigit(c) || (c == '.' && at_ + 1 < text_.size() && isDigit(text_[at_ + 1]));
}

bool LineParser::startsExpression() {
    if (startsNumber() || peek() == '-' || peek() == '(') return true;
    LineParser ahead = *this;
    const std::string_view name = ahead.word();
    if (find(expressionNames(), name)) return true;
    const Symbol* symbol = symbols_->find(name);
    return symbol && symbol->kind == Symbol::Kind::Number;
}

bool LineParser::expression(double& value) {
    const int start = column();
    const ExpressionResult result = readExpression(text_.substr(at_), *symbols_);
    at_ += result.length;
    const int errorAt = start + static_cast<int>(result.errorAt);
    if (!result.unknownName.empty()) return failName(errorAt, result.unknownName, result.error);
    if (!result.value) return fail(errorAt, result.error);
    value = *result.value;
    return true;
}

/// A number alone is read as it stands: 0x gives bits, and decimals are rounded once. Everything else is an expression.
bool LineParser::literal(isa::Type type, uint32_t& bits) {
    const int start = column();
    const LiteralResult result = readLiteral(text_.substr(at_), type);
    const bool digits = startsNumber() || (peek() == '-' && result.length > 1);
    if (digits && !startsOperator(text_.substr(std::min(at_ + result.length, text_.size())))) {
        at_ += result.length;
        if (!result.bits) return fail(start, result.error);
        bits = *result.bits;
        return true;
    }
    double value = 0;
    if (!expression(value)) return false;
    if (type == isa::Type::F32) {
        const auto rounded = static_cast<float>(value);
        bits = std::bit_cast<uint32_t>(rounded);
        return std::isfinite(rounded) || fail(start, "too large for f32; write the infinity as 0x7f800000");
    }
    const double low = type == isa::Type::I32 ? INT32_MIN : 0, high = type == isa::Type::I32 ? INT32_MAX : UINT32_MAX;
    if (value != std::floor(value) || value < low || value > high)
        return fail(start,
                    fmt::format("the value is {}; the type here takes whole numbers from {} to {}", value, low, high));
    bits = static_cast<uint32_t>(static_cast<int64_t>(value));
    return true;
}

bool LineParser::number(int low, int high, int& value, const std::string& why) {
    const int start = column();
    double wide = 0;
    const auto wrong = [&] {
        std::string message = fmt::format("a number from {} to {} must stand here", low, high);
        if (!why.empty()) message += ": " + why;
        return fail(start, std::move(message));
    };
    if (!startsExpression()) return wrong();
    if (!expression(wide)) return false;
    if (wide != std::floor(wide) || wide < low || wide > high) return wrong();
    value = static_cast<int>(wide);
    return true;
}

bool LineParser::primary(isa::Source& src, isa::Type type, uint32_t& immediate) {
    if (startsExpression()) {
        src.file = File::I;
        return literal(type, immediate);
    }
    const int start = column();
    src.snoop = accept('&');
    if (src.snoop && accept('[')) {
        int wavefront = 0;
        if (!number(0, isa::kMaxWavefronts - 1, wavefront) || !expect(']', "the wavefront")) return false;
        src.snoopOfBlock = true;
        src.wavefront = static_cast<uint8_t>(wavefront);
    }
    Register reg;
    if (!registerOperand(reg)) return false;
    src.file = reg.file;
    src.index = static_cast<uint16_t>(reg.index);
    src.relative = reg.relative;
    if (src.snoop && reg.file != File::R) return fail(start, "only r registers of another lane can be read with '&'");
    const int swizzleColumn = column();
    std::string_view text;
    bool given = false;
    if (!components(reg, text, given)) return false;
    if (!given) text = std::string_view("xyzw").substr(0, static_cast<size_t>(4 - reg.component));
    if (!swizzle(text, swizzleColumn + given, reg.component, src.swizzle)) return false;
    if (reg.file == File::P && src.swizzle != isa::kSwizzleXYZW)
        return fail(swizzleColumn, "a predicate has the same value in every component; leave the swizzle out");
    return true;
}

bool LineParser::source(isa::Source& src, isa::Type type, uint32_t& immediate) {
    swizzleLetters_ = 0;
    (void)column();
    // A sign directly before digits or the name of a number belongs to the number; elsewhere it is the negate modifier.
    if (peek() == '-') {
        ++at_;
        const bool number =
            at_ < text_.size() && !isSpace(text_[at_]) && peek() != '(' && peek() != '-' && startsExpression();
        if (number) {
            --at_;
            return primary(src, type, immediate);
        }
        src.negate = true;
    }
    if (accept('|')) {
        src.absolute = true;
        return primary(src, type, immediate) && expect('|', "the operand of an absolute value");
    }
    if (src.negate && accept('(')) return primary(src, type, immediate) && expect(')', "the operand");
    if (peek() == '-') return fail(column(), "one sign is enough");
    return primary(src, type, immediate);
}

bool LineParser::memorySlot(uint8_t& slot) {
    const int start = column();
    const std::string_view text = word();
    if (text == "shared") {
        slot = isa::kSharedSlot;
        return true;
    }
    const std::optional<uint8_t> numbered = bufferSlot(text);
    const std::optional<uint8_t> found = numbered ? numbered : symbols_->findBuffer(text);
    if (!found && !text.empty() && isReserved(text))
        return fail(start, fmt::format("'{}' is a register; memory must stand here, as in ld r0.x, b0[r1.x] and "
                                       "st b0[r1.x], r0.x",
                                       shown(text)));
    if (!found)
        return failName(
            start, text,
            fmt::format("memory must stand here: shared[...], b0[...] to b{}[...] or the name of a .buffer{}",
                        isa::kMaxBuffers - 1, symbols_->instead(text, Symbols::Wanted::Buffer)));
    slot = *found;
    return true;
}

/// "+ number" or "- number" behind the address register.
bool LineParser::byteOffset(isa::Instruction& instruction) {
    const int start = column();
    const bool minus = peek() == '-';
    if (!minus && peek() != '+') return true;
    (void)accept(peek());
    if (!isa::hasOffset(isa::opInfo(instruction.op).shape))
        return fail(start, "this instruction has no room for an offset; add it to the register");
    const int number = column();
    if (!minus) return literal(isa::Type::I32, instruction.immediate);
    if (!literal(isa::Type::U32, instruction.immediate)) return false;
    if (instruction.immediate > uint32_t{1} << 31)
        return fail(number, fmt::format("-{} is out of range for an offset (-2147483648 to 2147483647)",
                                        instruction.immediate));
    instruction.immediate = 0u - instruction.immediate;
    return true;
}

bool LineParser::memory(isa::Instruction& instruction) {
    if (!memorySlot(instruction.slot) || !expect('[', "the name of the memory")) return false;
    const int start = column();
    if (!source(instruction.src[0], isa::Type::I32, instruction.immediate)) return false;
    if (instruction.src[0].file == File::I && !isa::hasOffset(isa::opInfo(instruction.op).shape))
        return fail(start, "the address of this instruction must be a register");
    if (instruction.src[0].file != File::I && !byteOffset(instruction)) return false;
    return expect(']', "the address");
}

bool LineParser::storeValue(isa::Instruction& instruction) {
    uint32_t immediate = 0;
    const int start = column();
    isa::Source& value = instruction.src[1];
    if (!source(value, instruction.type, immediate)) return false;
    if (value.file == File::I) return fail(start, "a store has no room for an immediate; put it in a register");
    const size_t count = value.file == File::P ? 1 : swizzleLetters_ == 0 ? 4 : swizzleLetters_;
    instruction.dst.writeMask = static_cast<uint8_t>((1u << count) - 1);
    return true;
}

bool LineParser::textureUnit(isa::Instruction& instruction, bool& hasTarget) {
    const int start = column();
    const size_t saved = at_;
    const std::string_view text = word();
    int index = 0;
    if (text == "t" && accept('[')) {
        instruction.textureRelative = true;
        if (!relativeIndex(index)) return false;
        if (index >= isa::kMaxTextureUnits)
            return fail(start, fmt::format("the number added to a0.x must be below {}", isa::kMaxTextureUnits));
    } else if (const Symbol* symbol = symbols_->find(text); symbol && symbol->kind == Symbol::Kind::Unit) {
        index = symbol->index;
        int element = 0;
        if (accept('[') && (!number(0, symbol->elements - 1, element,
                                    fmt::format("{} has {} elements", shown(text), symbol->elements)) ||
                            !expect(']', "the index")))
            return false;
        index += element;
        instruction.textureTarget = symbol->target;
        hasTarget = true;
    } else {
        if (!isReserved(text) && isName(text))
            return failName(start, text,
                            fmt::format("no texture has the name '{0}'; declare it: .sampler t0 {0} 2d{1}", shown(text),
                                        symbols_->instead(text, Symbols::Wanted::Unit)));
        at_ = saved;
        char letter = 0;
        if (!plainRegister("t", letter, index, "tex r0, v0, t0, 2d")) return false;
    }
    instruction.textureUnit = static_cast<uint8_t>(index);
    return true;
}

bool LineParser::texture(isa::Instruction& instruction) {
    bool hasTarget = false;
    if (!textureUnit(instruction, hasTarget)) return false;
    if (hasTarget && atEnd()) return true;
    const auto targetFollows = [&] {
        LineParser ahead = *this;
        return ahead.accept(',') && find(targetNames(), ahead.word());
    };
    if (hasTarget && !targetFollows()) return texelOffset(instruction);
    if (!accept(',')) return fail(column(), "',' and the texture target must follow the unit: " + targetChoice());
    const int start = column();
    const auto found = find(targetNames(), word());
    if (!found) return fail(start, "the texture target must stand here: " + targetChoice());
    instruction.textureTarget = static_cast<isa::TextureTarget>(*found);
    return atEnd() || texelOffset(instruction);
}

/// , (x, y, z): texels.
bool LineParser::texelOffset(isa::Instruction& instruction) {
    if (!expect(',', "the target, or the end of the line") || !expect('(', "the comma: an offset in texels, (x, y, z)"))
        return false;
    auto& offsets = instruction.texelOffset;
    for (size_t c = 0; c < offsets.size() && (c == 0 || accept(',')); ++c) {
        const bool isNegative = accept('-');
        int magnitude = 0;
        if (!number(0, isNegative ? -isa::kLeastTexelOffset : isa::kGreatestTexelOffset, magnitude)) return false;
        offsets[c] = static_cast<int8_t>(isNegative ? -magnitude : magnitude);
    }
    return expect(')', "the offset, which has at most three numbers");
}

namespace {

std::string noPredicate(std::string_view name) {
    return fmt::format(
        "'{}' is no predicate; a guard is (p1) or (!p1), p1 to p{}, and a comparison writes one: "
        "sne p1, r0.x, 0.0",
        shown(name), isa::kPredicates);
}

}  // namespace

bool LineParser::guard(isa::Instruction& instruction) {
    if (!accept('(')) return true;
    instruction.guardNegate = accept('!');
    char letter = 0;
    int index = 0;
    const int start = column();
    LineParser ahead = *this;
    const std::string_view name = ahead.word();
    if (const Symbol* symbol = isReserved(name) ? nullptr : symbols_->find(name)) {
        if (symbol->kind != Symbol::Kind::Register || symbol->file != File::P) return fail(start, noPredicate(name));
        index = symbol->index;
        (void)word();
    } else if (!isReserved(name) && isName(name)) {
        return failName(start, name, noPredicate(name) + symbols_->instead(name, Symbols::Wanted::Predicate));
    } else if (!name.starts_with('p') || !isReserved(name)) {
        return fail(start, noPredicate(name));
    } else if (!plainRegister("p", letter, index, "(p1)")) {
        return false;
    }
    instruction.guard = static_cast<uint8_t>(index);
    return expect(')', "the guard");
}

}  // namespace tessera::assembly
