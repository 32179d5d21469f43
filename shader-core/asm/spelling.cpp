// Tables of names, and numbers that survive the way to text and back bit for bit.
#include "shader-core/asm/spelling.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/enumeration.h"
#include "shader-core/isa/program.h"

namespace tessera::assembly {

using isa::Swizzle;
using isa::Type;

namespace {

constexpr std::array<std::string_view, 7> kFiles{"r", "v", "c", "o", "a", "p", "s"};
constexpr std::array<std::string_view, isa::kSpecials> kSpecials{
    "frag_coord", "front_facing", "point_coord", "lane",      "instance_id",
    "thread",     "block",        "block_size",  "grid_size", "group"};
constexpr std::array<std::string_view, 3> kTypes{"f32", "i32", "u32"};
constexpr std::array<std::string_view, 8> kTargets{"2d",       "cube",    "3d",         "external",
                                                   "2dshadow", "2darray", "cubeshadow", "2darrayshadow"};
constexpr std::array<std::string_view, 41> kVariableTypes{
    "float",    "vec2",     "vec3",   "vec4",       "int",     "ivec2",         "ivec3",  "ivec4",  "bool",
    "bvec2",    "bvec3",    "bvec4",  "mat2",       "mat3",    "mat4",          "2d",     "cube",   "3d",
    "external", "2dshadow", "uint",   "uvec2",      "uvec3",   "uvec4",         "mat2x3", "mat2x4", "mat3x2",
    "mat3x4",   "mat4x2",   "mat4x3", "cubeshadow", "2darray", "2darrayshadow", "i2d",    "icube",  "i3d",
    "i2darray", "u2d",      "ucube",  "u3d",        "u2darray"};
static_assert(kVariableTypes.size() == enumeratorCount<isa::VarType>());
constexpr std::array<std::string_view, 4> kPrecisions{"", "lowp", "mediump", "highp"};
constexpr std::array<std::string_view, 3> kInterpolations{"", "centroid", "flat"};
constexpr std::array<std::string_view, 3> kStages{"vertex", "fragment", "compute"};
constexpr std::array<std::string_view, 4> kWidths{"", "w2", "w4", "w1"};
constexpr std::array<std::string_view, 4> kDepths{"", "d2", "d4", "d1"};

constexpr std::array<std::string_view, isa::kGroupRows> kSnoopRows{"", "row1", "row2", "row3"};
constexpr std::array<std::string_view, 7> kElementTypes{"f32", "i32", "u32", "i16", "u16", "i8", "u8"};

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWordCharacter(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

/// Length of a decimal number: digits, point, exponent.
size_t decimalLength(std::string_view text) {
    size_t n = 0;
    const auto digits = [&] {
        while (n < text.size() && isDigit(text[n])) ++n;
    };
    digits();
    if (n < text.size() && text[n] == '.') {
        ++n;
        digits();
    }
    if (n < text.size() && (text[n] == 'e' || text[n] == 'E')) {
        size_t e = n + 1;
        if (e < text.size() && (text[e] == '+' || text[e] == '-')) ++e;
        if (e < text.size() && isDigit(text[e])) {
            n = e;
            digits();
        }
    }
    return n;
}

LiteralResult readHexadecimal(std::string_view text, size_t sign) {
    LiteralResult result;
    const std::string_view digits = text.substr(sign + 2);
    uint32_t bits = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
    result.length = sign + 2 + static_cast<size_t>(end - digits.data());
    if (sign)
        result.error = "a hexadecimal number gives bits and takes no sign; set the sign bit instead";
    else if (status == std::errc::result_out_of_range)
        result.error = "more than 32 bits; write at most eight hexadecimal digits";
    else if (status != std::errc{})
        result.error = "hexadecimal digits must follow 0x";
    else
        result.bits = bits;
    return result;
}

LiteralResult readFloat(std::string_view number) {
    LiteralResult result;
    result.length = number.size();
    float value = 0;
    const bool negative = number.front() == '-';
    const auto [end, status] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (status == std::errc::result_out_of_range) {
        // Too small is zero; too large has no value an author could have meant.
        const double wide = std::strtod(std::string(number).c_str(), nullptr);
        if (std::abs(wide) < 1)
            result.bits = negative ? 0x80000000u : 0u;
        else
            result.error = "too large for f32; write the infinity as 0x7f800000";
    } else if (status != std::errc{} || end != number.data() + number.size()) {
        result.error = "not a number";
    } else {
        result.bits = std::bit_cast<uint32_t>(value);
    }
    return result;
}

LiteralResult readInteger(std::string_view number, Type type) {
    LiteralResult result;
    result.length = number.size();
    int64_t value = 0;
    const auto [end, status] = std::from_chars(number.data(), number.data() + number.size(), value);
    const int64_t low = type == Type::I32 ? INT32_MIN : 0;
    const int64_t high = type == Type::I32 ? INT32_MAX : int64_t{UINT32_MAX};
    if (status == std::errc{} && end != number.data() + number.size())
        result.error = fmt::format("{} is not an integer; the type here is {}", number, kTypes[static_cast<int>(type)]);
    else if (status != std::errc{} || value < low || value > high)
        result.error =
            fmt::format("{} is out of range for {} ({} to {})", number, kTypes[static_cast<int>(type)], low, high);
    else
        result.bits = static_cast<uint32_t>(value);
    return result;
}

}  // namespace

std::span<const std::string_view> fileLetters() { return kFiles; }
std::span<const std::string_view> specialNames() { return kSpecials; }
std::span<const std::string_view> typeNames() { return kTypes; }
std::span<const std::string_view> targetNames() { return kTargets; }
std::span<const std::string_view> variableTypeNames() { return kVariableTypes; }
std::span<const std::string_view> precisionNames() { return kPrecisions; }
std::span<const std::string_view> interpolationNames() { return kInterpolations; }
std::span<const std::string_view> stageNames() { return kStages; }
std::span<const std::string_view> widthSuffixes() { return kWidths; }
std::span<const std::string_view> depthSuffixes() { return kDepths; }

std::span<const std::string_view> snoopRowSuffixes() { return kSnoopRows; }
std::span<const std::string_view> elementTypeNames() { return kElementTypes; }

std::optional<int> find(std::span<const std::string_view> names, std::string_view name) {
    if (name.empty()) return std::nullopt;
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) return std::nullopt;
    return static_cast<int>(at - names.begin());
}

std::optional<int> componentNumber(char letter) {
    const size_t at = std::string_view("xyzwrgba").find(letter);
    return at == std::string_view::npos ? std::nullopt : std::optional(static_cast<int>(at & 3));
}

std::string componentsProblem(std::string_view letters) {
    if (letters.find_first_not_of("xyzw") == std::string_view::npos ||
        letters.find_first_not_of("rgba") == std::string_view::npos)
        return {};
    if (letters.find_first_not_of("xyzwrgba") == std::string_view::npos)
        return "take all letters from x y z w, or all from r g b a";
    if (letters.find_first_not_of("stpq") == std::string_view::npos)
        return "components of textures are x y z w as well, not s t p q";
    return "use the components x y z w";
}

std::string swizzleText(Swizzle swizzle) {
    if (swizzle == isa::kSwizzleXYZW) return {};
    std::string text = ".";
    for (int c = 0; c < 4; ++c) text += "xyzw"[isa::swizzleAt(swizzle, c)];
    while (text.size() > 2 && text[text.size() - 1] == text[text.size() - 2]) text.pop_back();
    return text;
}

std::string maskText(uint8_t writeMask) {
    if (writeMask == 0xF) return {};
    std::string text = ".";
    for (int c = 0; c < 4; ++c)
        if (writeMask >> c & 1) text += "xyzw"[c];
    return text;
}

std::string literalText(uint32_t bits, Type type) {
    std::string hexadecimal = fmt::format("0x{:08x}", bits);
    if (type == Type::I32) return fmt::format("{}", static_cast<int32_t>(bits));
    if (type == Type::U32) return fmt::format("{}", bits);
    const float value = std::bit_cast<float>(bits);
    const bool denormal = (bits & 0x7f800000u) == 0 && (bits & 0x007fffffu) != 0;
    if (!std::isfinite(value) || denormal) return hexadecimal;  // most likely not meant as a float
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return readLiteral(text, type).bits == bits ? text : hexadecimal;
}

std::string noNumber(std::string_view number, std::string_view tail) {
    constexpr std::array<std::string_view, 8> kSuffixes{"f", "F", "h", "lf", "u", "U", "ul", "l"};
    const std::string shown = fmt::format("{}{}", number.substr(0, 24), tail.substr(0, 24));
    if (find(kSuffixes, tail))
        return fmt::format("'{}' is no number; leave '{}' out, the type is the operand's", shown, tail);
    return fmt::format("'{}' is no number: '{}' does not belong to it", shown, tail.substr(0, 24));
}

std::optional<uint8_t> bufferSlot(std::string_view text) {
    const std::string_view digits = text.substr(std::min<size_t>(text.size(), 1));
    int slot = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), slot);
    const bool number =
        !digits.empty() && isDigit(digits[0]) && status == std::errc{} && end == digits.data() + digits.size();
    if (!text.starts_with('b') || !number || slot >= isa::kMaxBuffers) return std::nullopt;
    return static_cast<uint8_t>(slot);
}

LiteralResult readLiteral(std::string_view text, Type type) {
    const size_t sign = !text.empty() && text[0] == '-';
    const std::string_view unsignedText = text.substr(sign);
    LiteralResult result;
    if (unsignedText.starts_with("0x") || unsignedText.starts_with("0X")) {
        result = readHexadecimal(text, sign);
    } else {
        const size_t length = decimalLength(unsignedText);
        if (length == 0 || unsignedText.substr(0, length).find_first_of("0123456789") == std::string_view::npos) {
            result.length = sign;
            result.error = "a number must follow";
            return result;
        }
        const std::string_view number = text.substr(0, sign + length);
        result = type == Type::F32 ? readFloat(number) : readInteger(number, type);
    }
    if (result.bits && result.length < text.size() && isWordCharacter(text[result.length])) {
        result.bits.reset();
        size_t end = result.length;
        while (end < text.size() && isWordCharacter(text[end])) ++end;
        result.error = noNumber(text.substr(0, result.length), text.substr(result.length, end - result.length));
    }
    return result;
}

}  // namespace tessera::assembly
