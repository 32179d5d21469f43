#include "shader-core/glsl/front/link/std140.h"

#include <algorithm>

namespace tessera::glsl::front {

namespace {

uint64_t roundedUp(uint64_t n, uint64_t multiple) { return (n + multiple - 1) / multiple * multiple; }

bool majorOf(const std::vector<bool>& rowMajor, size_t index) {
    return !rowMajor.empty() && rowMajor[std::min(index, rowMajor.size() - 1)];
}

void appendMembers(const std::string& name, const Type& type, isa::Precision precision, bool rowMajor, uint64_t offset,
                   std::vector<isa::BlockMember>& out) {
    if (type.base == Base::Struct) {
        const Type element = type.isArray() ? type.element() : type;
        const uint64_t stride = type.isArray() ? arrayStride(type, rowMajor) : 0;
        for (uint32_t i = 0; i < std::max(type.arraySize, 1u); i++) {
            const std::string prefix = type.isArray() ? name + "[" + std::to_string(i) + "]." : name + ".";
            for (size_t k = 0; k < element.structure->fields.size(); k++) {
                const Field& field = element.structure->fields[k];
                appendMembers(prefix + field.name, field.type, field.precision, rowMajor,
                              offset + stride * i + memberOffset(*element.structure, {rowMajor}, k), out);
            }
        }
        return;
    }
    const Type element = type.isArray() ? type.element() : type;
    isa::BlockMember member;
    member.name = name;
    member.type = varType(element);
    member.precision = precision;
    member.arraySize = static_cast<uint16_t>(type.arraySize);
    member.offset = static_cast<uint32_t>(offset);
    member.arrayStride = type.isArray() ? static_cast<uint32_t>(arrayStride(type, rowMajor)) : 0;
    member.matrixStride = element.isMatrix() ? kRegisterBytes : 0;
    member.rowMajor = element.isMatrix() && rowMajor;
    out.push_back(std::move(member));
}

}  // namespace

Extent extentOf(const Type& type, bool rowMajor) {
    if (type.isArray()) return {arrayStride(type, rowMajor) * type.arraySize, kRegisterBytes};
    if (type.isStruct()) {
        const size_t count = type.structure->fields.size();
        return {roundedUp(memberOffset(*type.structure, {rowMajor}, count), kRegisterBytes), kRegisterBytes};
    }
    if (type.isMatrix()) return {uint64_t{kRegisterBytes} * (rowMajor ? type.rows : type.columns), kRegisterBytes};
    return {4ull * type.rows, type.rows == 1 ? 4u : type.rows == 2 ? 8u : kRegisterBytes};
}

uint64_t arrayStride(const Type& array, bool rowMajor) {
    return roundedUp(extentOf(array.element(), rowMajor).size, kRegisterBytes);
}

uint64_t memberOffset(const StructType& structure, const std::vector<bool>& rowMajor, size_t index) {
    uint64_t offset = 0;
    for (size_t i = 0; i < structure.fields.size() && i <= index; i++) {
        const Extent extent = extentOf(structure.fields[i].type, majorOf(rowMajor, i));
        offset = roundedUp(offset, extent.alignment);
        if (i < index) offset += extent.size;
    }
    return offset;
}

uint32_t InterfaceBlock::registers() const {
    const uint64_t bytes = memberOffset(*type.structure, rowMajor, type.structure->fields.size());
    return static_cast<uint32_t>(std::min<uint64_t>(roundedUp(bytes, kRegisterBytes) / kRegisterBytes, kTooLarge));
}

std::vector<isa::BlockMember> membersOf(const InterfaceBlock& block) {
    std::vector<isa::BlockMember> members;
    const std::string prefix = block.instance.empty() ? "" : block.name + ".";
    for (size_t i = 0; i < block.type.structure->fields.size(); i++) {
        const Field& field = block.type.structure->fields[i];
        appendMembers(prefix + field.name, field.type, field.precision, block.rowMajor[i],
                      memberOffset(*block.type.structure, block.rowMajor, i), members);
    }
    return members;
}

}  // namespace tessera::glsl::front
