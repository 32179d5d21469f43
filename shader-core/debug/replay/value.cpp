#include "shader-core/debug/replay/value.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "shader-core/asm/spelling.h"

namespace tessera::debug {

Format formatOf(isa::Type type) {
    switch (type) {
        case isa::Type::F32:
            return Format::F32;
        case isa::Type::I32:
            return Format::I32;
        case isa::Type::U32:
            return Format::U32;
    }
    return Format::Hex;
}

Format formatOf(isa::VarType type) {
    switch (isa::scalarOf(type)) {
        case isa::Scalar::Float:
            break;
        case isa::Scalar::Int:
            return Format::I32;
        case isa::Scalar::UInt:
            return Format::U32;
        case isa::Scalar::Bool:
            return Format::Bool;
    }
    return Format::F32;
}

std::optional<Format> formatByName(std::string_view name) {
    if (name == "f" || name == "f32") return Format::F32;
    if (name == "i" || name == "i32") return Format::I32;
    if (name == "u" || name == "u32") return Format::U32;
    if (name == "x" || name == "hex") return Format::Hex;
    return std::nullopt;
}

namespace {

/// A whole number has its point as well, which tells it from an integer.
std::string floatText(float value) {
    std::string text = fmt::format("{}", value);
    if (std::isfinite(value) && text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

}  // namespace

std::string valueText(uint32_t bits, Format format) {
    switch (format) {
        case Format::F32:
            return floatText(__builtin_bit_cast(float, bits));
        case Format::I32:
            return fmt::format("{}", static_cast<int32_t>(bits));
        case Format::U32:
            return fmt::format("{}", bits);
        case Format::Bool:
            return bits != 0 ? "true" : "false";
        case Format::Hex:
            break;
    }
    return fmt::format("0x{:08x}", bits);
}

std::string registerName(isa::File file, int index) {
    if (file == isa::File::S) return std::string(assembly::specialNames()[static_cast<size_t>(index)]);
    return fmt::format("{}{}", assembly::fileLetters()[static_cast<size_t>(file)], index);
}

std::string maskText(uint32_t lanes) { return fmt::format("0x{:08x}", lanes); }

std::optional<RegisterName> parseRegister(std::string_view text) {
    RegisterName result;
    const size_t point = text.find('.');
    if (point != std::string_view::npos) {
        result.components = text.substr(point + 1);
        const bool known = result.components.find_first_not_of(kComponents) == std::string::npos;
        if (result.components.empty() || result.components.size() > 4 || !known) return std::nullopt;
        text = text.substr(0, point);
    }
    if (const std::optional<int> special = assembly::find(assembly::specialNames(), text)) {
        result.file = isa::File::S;
        result.index = *special;
        return result;
    }
    const std::optional<int> file = assembly::find(assembly::fileLetters(), text.substr(0, 1));
    if (!file || text.size() < 2) return std::nullopt;
    const char* end = text.data() + text.size();
    const auto number = std::from_chars(text.data() + 1, end, result.index);
    if (number.ec != std::errc() || number.ptr != end) return std::nullopt;
    result.file = static_cast<isa::File>(*file);
    if (result.index < 0 || !isa::registerExists(result.file, result.index)) return std::nullopt;
    if (result.file == isa::File::P && point == std::string_view::npos) result.components = "x";
    return result;
}

}  // namespace tessera::debug
