// Members of uniform blocks. A block is registers of constants (link/std140.h), so a member is operands of them: where
// its offset is no multiple of sixteen, at a later component; a matrix by rows is taken together component by
// component.
#include <algorithm>

#include "shader-core/glsl/front/lower/ast_to_ir.h"
#include "shader-core/glsl/front/preprocess/preprocess.h"

namespace tessera::glsl::front {

using namespace glslang;

bool AstToIr::isInBlock(TIntermNode* node) {
    TIntermSymbol* root = rootSymbol(node);
    return root && root->getBasicType() == EbtBlock;
}

void AstToIr::declareBlock(TIntermSymbol* symbol) {
    const TType& declared = symbol->getType();
    const TQualifier& qualifier = declared.getQualifier();
    if (qualifier.storage != EvqUniform) fail("'" + restoreNames(declared.getTypeName().c_str()) + "' : not supported");
    InterfaceBlock block;
    block.name = restoreNames(declared.getTypeName().c_str());
    const std::string instance = symbol->getName().c_str();
    if (!instance.starts_with("anon@")) block.instance = restoreNames(instance);
    block.type = convertType(declared);
    block.arraySize = block.type.arraySize;
    block.type.arraySize = 0;
    for (const TTypeLoc& member : *declared.getStruct())
        block.rowMajor.push_back(member.type->getQualifier().layoutMatrix == ElmRowMajor);
    block.packing = qualifier.layoutPacking == ElpStd140   ? InterfaceBlock::Packing::Std140
                    : qualifier.layoutPacking == ElpPacked ? InterfaceBlock::Packing::Packed
                                                           : InterfaceBlock::Packing::Shared;
    block.staticUse = analysis_.used.contains(symbol->getId());
    block.first = uniformSlots_;
    const uint64_t registers = uint64_t{block.registers()} * block.instances();
    if (registers >= kTooLarge - uniformSlots_) fail("'" + block.name + "' : too large");
    uniformSlots_ += static_cast<uint32_t>(registers);
    Reference ref;
    ref.type = block.type;
    ref.type.arraySize = block.arraySize;
    ref.kind = ir::Kind::Uniform;
    ref.first = ref.arrayFirst = block.first;
    ref.arrayCount = static_cast<uint32_t>(registers);
    ref.block = BlockPlace{block.rowMajor, block.registers()};
    globals_[symbol->getId()] = ref;
    shader_.blocks.push_back(std::move(block));
}

/// A member of a structure in a block; of the block itself, which says what is by rows.
Reference AstToIr::blockField(Reference base, int index) {
    const auto i = static_cast<size_t>(index);
    BlockPlace& place = *base.block;
    const std::shared_ptr<const StructType> structure = base.type.structure;
    place.offset += static_cast<uint32_t>(memberOffset(*structure, place.rowMajor, i));
    place.rowMajor = {place.rowMajor[std::min(i, place.rowMajor.size() - 1)]};
    place.instanceRegisters = 0;
    base.type = structure->fields[i].type;
    return base;
}

/// Bytes between the elements of an array in a block, or between instances of one.
uint32_t AstToIr::blockStride(const Reference& base) {
    const BlockPlace& place = *base.block;
    if (place.instanceRegisters > 0) return place.instanceRegisters * kRegisterBytes;
    return static_cast<uint32_t>(arrayStride(base.type, place.rowMajor[0]));
}

AstToIr::Operand AstToIr::blockRegister(const Reference& ref, uint32_t offset, int component, int n, Base base) {
    Operand o = ir::uniformOperand(ref.first + offset / kRegisterBytes);
    const int first = static_cast<int>(offset % kRegisterBytes / 4) + component;
    const auto at = [&](int k) { return first + std::min(k, n - 1); };
    o.swizzle = isa::makeSwizzle(at(0), at(1), at(2), at(3));
    // Relative operands are read once, as those of other uniforms are.
    if (ref.dynamic)
        o = copy(ir::indexed(o, ref.index, ref.arrayFirst, ref.arrayCount), n, base == Base::Bool ? Base::Uint : base);
    if (base == Base::Bool) return emit(n, Op::Sne, o, ir::literalInt(0), {}, isa::Type::U32);  // any bit is true
    return o;
}

void AstToIr::loadFromBlock(const Reference& ref, const Type& type, uint32_t offset, std::vector<Operand>& out) {
    const bool rowMajor = ref.block->rowMajor[0];
    if (type.isArray()) {
        const auto stride = static_cast<uint32_t>(arrayStride(type, rowMajor));
        for (uint32_t i = 0; i < type.arraySize; i++) loadFromBlock(ref, type.element(), offset + i * stride, out);
    } else if (type.isStruct()) {
        for (size_t i = 0; i < type.structure->fields.size(); i++)
            loadFromBlock(ref, type.structure->fields[i].type,
                          offset + static_cast<uint32_t>(memberOffset(*type.structure, {rowMajor}, i)), out);
    } else if (type.isMatrix() && rowMajor) {
        for (int c = 0; c < type.columns; c++) {
            std::vector<Operand> column;
            for (int r = 0; r < type.rows; r++)
                column.push_back(
                    blockRegister(ref, offset + static_cast<uint32_t>(r) * kRegisterBytes, c, 1, Base::Float));
            out.push_back(collect(column));
        }
    } else {
        for (uint32_t c = 0; c < type.columns; c++)
            out.push_back(blockRegister(ref, offset + c * kRegisterBytes, 0, type.rows, type.base));
    }
}

}  // namespace tessera::glsl::front
