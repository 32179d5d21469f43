#include "shader-core/debug/replay/block_variable.h"

#include <algorithm>
#include <cctype>

namespace tessera::debug {

namespace {

bool isPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The word behind "name { ... }": a block's instance. Programs keep what OpenGL calls a block, and that is its own
/// name.
std::string_view instanceOf(std::string_view source, std::string_view name) {
    constexpr std::string_view kSpace = " \t\r\n";
    for (size_t at = source.find(name); at != std::string_view::npos; at = source.find(name, at + 1)) {
        const size_t end = at + name.size();
        if ((at > 0 && isPart(source[at - 1])) || (end < source.size() && isPart(source[end]))) continue;
        const size_t open = source.find_first_not_of(kSpace, end);
        if (open == std::string_view::npos || source[open] != '{') continue;
        const size_t close = source.find('}', open);
        if (close == std::string_view::npos) return {};
        const size_t first = std::min(source.find_first_not_of(kSpace, close + 1), source.size());
        size_t last = first;
        while (last < source.size() && isPart(source[last])) ++last;
        return source.substr(first, last - first);
    }
    return {};
}

/// "Lights" of "Lights[1]".
std::string_view baseOf(std::string_view block) { return block.substr(0, block.find('[')); }

/// What stands behind the block's name in the member's, with its point; the whole name where the block has no instance.
std::string_view behind(const isa::UniformBlock& block, const isa::BlockMember& member) {
    const std::string_view base = baseOf(block.name), name = member.name;
    const bool isQualified = name.size() > base.size() && name.starts_with(base) && name[base.size()] == '.';
    return isQualified ? name.substr(base.size()) : name;
}

/// With `called` in place of the block's name.
std::string nameOf(const isa::UniformBlock& block, const isa::BlockMember& member, std::string_view called) {
    const std::string_view rest = behind(block, member);
    if (!rest.starts_with('.')) return std::string(rest);
    return std::string(called) + block.name.substr(baseOf(block.name).size()) + std::string(rest);
}

}  // namespace

std::vector<BlockVariable> blockVariables(const isa::Program& program) {
    std::vector<BlockVariable> list;
    for (const isa::UniformBlock& block : program.blocks) {
        if (block.registers == 0) continue;
        const std::string_view base = baseOf(block.name), instance = instanceOf(program.source, base);
        for (const isa::BlockMember& member : block.members)
            list.push_back({nameOf(block, member, instance.empty() ? base : instance), &block, &member});
    }
    return list;
}

std::optional<BlockVariable> findBlockVariable(const isa::Program& program, std::string_view name) {
    for (const BlockVariable& one : blockVariables(program))
        if (one.name == name || nameOf(*one.block, *one.member, baseOf(one.block->name)) == name) return one;
    return std::nullopt;
}

std::vector<ConstantWord> wordsOf(const BlockVariable& variable) {
    const isa::BlockMember& member = *variable.member;
    const int columns = isa::columnCount(member.type), rows = isa::componentCount(member.type);
    const int base = variable.block->reg * 16, end = base + variable.block->registers * 16;
    std::vector<ConstantWord> words;
    for (uint32_t element = 0; element < std::max<uint32_t>(member.arraySize, 1); ++element)
        for (int column = 0; column < columns; ++column)
            for (int row = 0; row < rows; ++row) {
                // A column lies together; of a matrix by rows, a row does.
                const int apart = member.rowMajor ? row : column, together = member.rowMajor ? column : row;
                const int64_t byte = int64_t{base} + member.offset + int64_t{element} * member.arrayStride +
                                     int64_t{apart} * member.matrixStride + int64_t{together} * 4;
                if (byte >= end) return words;
                words.push_back({static_cast<int>(byte / 16), static_cast<int>(byte % 16 / 4)});
            }
    return words;
}

}  // namespace tessera::debug
