// Cursor and operand syntax. See docs/isa.md for the grammar.
#include "shader-core/asm/line_parser.h"

#include <charconv>

#include <fmt/format.h>

#include "shader-core/asm/spelling.h"

namespace tessera::assembly {

using isa::File;

namespace {

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWord(char c) { return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Component number of x y z w or r g b a, or -1.
int component(char c) {
    const size_t at = std::string_view("xyzwrgba").find(c);
    return at == std::string_view::npos ? -1 : static_cast<int>(at & 3);
}

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

/// After '[': a0.x, optionally "+ number", then ']'; or a plain number.
bool LineParser::relativeIndex(int& offset) {
    const int start = column();
    offset = 0;
    if (word() != "a0" || !accept('.') || word() != "x")
        return fail(start, "a relative operand is written [a0.x + number]; only a0.x can address registers");
    if (accept('+') && !number(0, isa::kMaxConstants - 1, offset)) return false;
    return expect(']', "the relative index");
}

bool LineParser::registerOperand(Register& reg) {
    const int start = column();
    const std::string_view text = word();
    if (text.empty()) {
        const std::string here = shown(text_.substr(at_));
        return fail(start,
                    here.empty() ? "an operand is missing" : fmt::format("an operand must stand here, not '{}'", here));
    }
    if (const auto special = find(specialNames(), text)) {
        reg = {File::S, *special, false};
        return true;
    }
    const auto file = find(fileLetters(), text.substr(0, 1));
    const bool plain = text.size() > 1 && isDigit(text[1]);
    if (!file || (!plain && !(text.size() == 1 && peek() == '['))) {
        const std::string_view near = nearest(specialNames(), text);
        return fail(start, fmt::format("'{}' is no operand; registers are r0 v0 c0 o0 a0 p1 s0, specials {}{}",
                                       shown(text), "frag_coord front_facing point_coord lane",
                                       near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
    }
    reg.file = static_cast<File>(*file);
    if (plain) return registerNumber(reg.file, text.substr(1), start, reg.index);
    (void)accept('[');
    reg.relative = true;
    if (!isa::canBeRelative(reg.file)) return fail(start, "only r, v, c and o registers can be addressed relatively");
    if (!relativeIndex(reg.index)) return false;
    if (!isa::registerExists(reg.file, reg.index))
        return fail(start, fmt::format("the number added to a0.x must be below {}", isa::registerCount(reg.file)));
    return true;
}

bool LineParser::plainRegister(std::string_view letters, char& letter, int& index) {
    const int start = column();
    const std::string_view text = word();
    std::string expected;
    for (char c : letters) expected += fmt::format("{}{}0", expected.empty() ? "" : " or ", c);
    if (text.size() < 2 || letters.find(text[0]) == std::string_view::npos || !isDigit(text[1]))
        return fail(start, fmt::format("a register such as {} must stand here", expected));
    letter = text[0];
    if (letter != 't')
        return registerNumber(static_cast<File>(*find(fileLetters(), text.substr(0, 1))), text.substr(1), start, index);
    const auto [end, status] = std::from_chars(text.data() + 1, text.data() + text.size(), index);
    if (status != std::errc{} || end != text.data() + text.size() || index >= isa::kMaxTextureUnits)
        return fail(start,
                    fmt::format("there is no texture unit {}; use t0 to t{}", shown(text), isa::kMaxTextureUnits - 1));
    return true;
}

bool LineParser::swizzle(isa::Swizzle& swizzle) {
    const int start = column();
    const std::string_view text = word();
    int parts[4] = {};
    if (text.empty() || text.size() > 4) return fail(start, "a swizzle has one to four components of x y z w");
    for (size_t c = 0; c < 4; ++c) {
        parts[c] = component(text[std::min(c, text.size() - 1)]);
        if (parts[c] < 0)
            return fail(start, fmt::format("'{}' is no swizzle; use the components x y z w", shown(text)));
    }
    swizzle = isa::makeSwizzle(parts[0], parts[1], parts[2], parts[3]);
    return true;
}

bool LineParser::writeMask(uint8_t& mask) {
    const int start = column();
    const std::string_view text = word();
    int last = -1;
    mask = 0;
    for (char c : text) {
        const int part = component(c);
        if (part <= last || part < 0)
            return fail(start, fmt::format("'{}' is no write mask; use some of x y z w in this order", shown(text)));
        last = part;
        mask = static_cast<uint8_t>(mask | 1 << part);
    }
    return mask != 0 || fail(start, "a write mask must follow the point: some of x y z w");
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
    if (!accept('.')) return true;
    if (!writeMask(dst.writeMask)) return false;
    if (reg.file == File::P && dst.writeMask != 1)
        return fail(maskColumn, "a predicate is one bit, written through component x; leave the write mask out");
    return true;
}

bool LineParser::startsNumber() {
    const char c = peek();
    return isDigit(c) || (c == '.' && at_ + 1 < text_.size() && isDigit(text_[at_ + 1]));
}

bool LineParser::literal(isa::Type type, uint32_t& bits) {
    const int start = column();
    const LiteralResult result = readLiteral(text_.substr(at_), type);
    at_ += result.length;
    if (!result.bits) return fail(start, result.error);
    bits = *result.bits;
    return true;
}

bool LineParser::number(int low, int high, int& value) {
    const int start = column();
    const auto [end, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    const size_t length = static_cast<size_t>(end - text_.data()) - at_;
    if (status != std::errc{} || value < low || value > high)
        return fail(start, fmt::format("a number from {} to {} must stand here", low, high));
    at_ += length;
    return true;
}

bool LineParser::primary(isa::Source& src, isa::Type type, uint32_t& immediate) {
    if (startsNumber() || peek() == '-') {
        src.file = File::I;
        return literal(type, immediate);
    }
    const int start = column();
    src.snoop = accept('&');
    Register reg;
    if (!registerOperand(reg)) return false;
    src.file = reg.file;
    src.index = static_cast<uint16_t>(reg.index);
    src.relative = reg.relative;
    if (src.snoop && reg.file != File::R) return fail(start, "only r registers of another lane can be read with '&'");
    const int swizzleColumn = column();
    if (!accept('.')) return true;
    if (!swizzle(src.swizzle)) return false;
    if (reg.file == File::P && src.swizzle != isa::kSwizzleXYZW)
        return fail(swizzleColumn, "a predicate has the same value in every component; leave the swizzle out");
    return true;
}

bool LineParser::source(isa::Source& src, isa::Type type, uint32_t& immediate) {
    (void)column();
    // A sign directly before digits belongs to the number; elsewhere it is the negate modifier.
    if (peek() == '-') {
        ++at_;
        const bool number = startsNumber() && !isSpace(text_[at_ - 1]);
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

bool LineParser::textureUnit(isa::Instruction& instruction) {
    const int start = column();
    const size_t saved = at_;
    int index = 0;
    if (word() == "t" && accept('[')) {
        instruction.textureRelative = true;
        if (!relativeIndex(index)) return false;
        if (index >= isa::kMaxTextureUnits)
            return fail(start, fmt::format("the number added to a0.x must be below {}", isa::kMaxTextureUnits));
    } else {
        at_ = saved;
        char letter = 0;
        if (!plainRegister("t", letter, index)) return false;
    }
    instruction.textureUnit = static_cast<uint8_t>(index);
    return true;
}

bool LineParser::textureTarget(isa::TextureTarget& target) {
    const int start = column();
    const auto found = find(targetNames(), word());
    if (!found) return fail(start, "the texture target must stand here: 2d, cube, 3d or external");
    target = static_cast<isa::TextureTarget>(*found);
    return true;
}

bool LineParser::guard(isa::Instruction& instruction) {
    if (!accept('(')) return true;
    instruction.guardNegate = accept('!');
    char letter = 0;
    int index = 0;
    if (!plainRegister("p", letter, index)) return false;
    instruction.guard = static_cast<uint8_t>(index);
    return expect(')', "the guard");
}

}  // namespace tessera::assembly
