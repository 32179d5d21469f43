#include <algorithm>

#include <llvm/IR/Intrinsics.h>

#include "base/check.h"
#include "shader-core/jit/lower/isa_to_llvm.h"

namespace tessera::jit {

using isa::File;

namespace {

constexpr uint64_t kComponentBytes = isa::kGroupSize * sizeof(float);
constexpr uint64_t kRegisterBytes = sizeof(isa::GroupRegister);

}  // namespace

// --- Places ---

/// In the entry block, so that it becomes a value; starts at zero as all registers do.
IsaToLlvm::Variable* IsaToLlvm::variable(llvm::Type* type, const char* name) {
    llvm::IRBuilder<> entry(entryEnd_);
    Variable* variable = entry.CreateAlloca(type, nullptr, name);
    entry.CreateStore(llvm::Constant::getNullValue(type), variable);
    return variable;
}

/// Registers that are addressed relatively: component-major rows of sixteen lanes. A last row takes what lanes write
/// that do not run or miss the file, as hosts without scatters would branch for each lane.
IsaToLlvm::Variable* IsaToLlvm::memoryFile(unsigned registers) {
    llvm::IRBuilder<> entry(entryEnd_);
    const uint64_t rows = uint64_t{registers} * 4 + 1;
    Variable* file = entry.CreateAlloca(llvm::ArrayType::get(wide_.floats(), rows), nullptr, "file");
    entry.CreateMemSet(file, entry.getInt8(0), rows * vectorBytes(), llvm::Align(64));
    return file;
}

IsaToLlvm::Variable*& IsaToLlvm::registerVariable(File file, unsigned index, unsigned component) {
    Variable*& found = registers_[{static_cast<unsigned>(file), index, component}];
    if (found == nullptr) found = variable(wide_.floats(), "r");
    return found;
}

IsaToLlvm::Value* IsaToLlvm::byteOffset(Value* base, uint64_t bytes) {
    return bytes == 0 ? base : b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), base, bytes);
}

IsaToLlvm::Value* IsaToLlvm::memoryRegister(Value* base, unsigned index, unsigned component) {
    return byteOffset(base, (uint64_t{index} * 4 + component) * vectorBytes());
}

/// Loaded once, in the entry block.
IsaToLlvm::Value* IsaToLlvm::frameField(size_t offset, llvm::Type* type, const char* name) {
    Value*& field = frameFields_[{offset, type}];
    if (field == nullptr) {
        llvm::IRBuilder<> entry(entryEnd_);
        Value* address = entry.CreateConstInBoundsGEP1_64(entry.getInt8Ty(), frame_, offset);
        field = entry.CreateLoad(type, address, name);
    }
    return field;
}

/// Loads from memory that nothing writes while the block runs.
IsaToLlvm::Value* IsaToLlvm::invariantLoad(llvm::Type* type, Value* address, llvm::Align align) {
    llvm::LoadInst* load = b_.CreateAlignedLoad(type, address, align);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
    return load;
}

IsaToLlvm::Value* IsaToLlvm::constant(const LaneBuilder& l, unsigned index, int component) {
    if (const auto literal = literals_.find(index); literal != literals_.end())
        return l.splatBits(literal->second[static_cast<size_t>(component)]);
    Value* constants = frameField(fields_.constants, pointer_, "constants");
    const uint64_t offset = (uint64_t{index} * 4 + static_cast<uint64_t>(component)) * sizeof(float);
    return l.broadcast(invariantLoad(b_.getFloatTy(), byteOffset(constants, offset), llvm::Align(4)));
}

// --- Sources ---

IsaToLlvm::Value* IsaToLlvm::source(const LaneBuilder& l, const Instruction& i, int s, int component) {
    const isa::Source& operand = i.src[static_cast<size_t>(s)];
    const bool integer = isa::sourceType(i.op, i.type) != isa::Type::F32;
    Value* x = nullptr;
    if (operand.snoopOfBlock) {
        x = fromBlock(operand, static_cast<unsigned>(isa::swizzleAt(operand.swizzle, component)));
    } else {
        x = rawSource(l, i, operand, component, integer);
        if (operand.snoop) x = snooped(l, x, i);
    }
    if (integer) {
        if (operand.absolute) x = l.asFloat(b_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, l.asInt(x), b_.getFalse()));
        if (operand.negate) x = l.asFloat(b_.CreateNeg(l.asInt(x)));
        return x;
    }
    if (operand.absolute) x = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
    if (operand.negate) x = b_.CreateFNeg(x);
    return x;
}

IsaToLlvm::Value* IsaToLlvm::rawSource(const LaneBuilder& l, const Instruction& i, const isa::Source& s, int component,
                                       bool integer) {
    const unsigned c = static_cast<unsigned>(isa::swizzleAt(s.swizzle, component));
    if (s.relative) return relativeSource(l, s, c);
    switch (s.file) {
        case File::R:
            if (facts_.relativeTemps)
                return b_.CreateAlignedLoad(l.floats(), memoryRegister(temps_, s.index, c), llvm::Align(64));
            return loadRegister(l, temporary(s.index, c, false));
        case File::O:
            if (facts_.relativeOutputs)
                return b_.CreateAlignedLoad(l.floats(), memoryRegister(outputs_, s.index, c), llvm::Align(64));
            return loadRegister(l, registerVariable(File::O, s.index, c));
        case File::A:
            return loadRegister(l, registerVariable(File::A, 0, c));
        case File::V:
            return blockRegister(offsetof(Frame, inputs), s.index, c);
        case File::C:
            return constant(l, s.index, static_cast<int>(c));
        case File::I:
            return l.splatBits(i.immediate);
        case File::P:
            return b_.CreateSelect(predicate(l, s.index), integer ? l.splatBits(1) : l.splat(1.0f), l.splatBits(0));
        case File::S:
            return special(l, s, c);
    }
    UNREACHABLE("register file");
}

IsaToLlvm::Value* IsaToLlvm::blockRegister(size_t field, unsigned index, unsigned component) {
    Value* base = frameField(field, pointer_, "registers");
    const uint64_t offset = index * kRegisterBytes + component * kComponentBytes;
    return invariantLoad(wide_.floats(), byteOffset(base, offset), rowAlignment());
}

// --- Relative addressing ---

/// Register number of each lane: index + a0.x, wrapping.
IsaToLlvm::Value* IsaToLlvm::relativeIndex(const LaneBuilder& l, unsigned index) {
    return b_.CreateAdd(l.asInt(loadRegister(l, registerVariable(File::A, 0, 0))), l.splatInt(index));
}

/// Mask of lanes whose register exists.
IsaToLlvm::Value* IsaToLlvm::declared(const LaneBuilder& l, Value* index, File file) {
    const auto below = [&](uint32_t count) { return b_.CreateICmpULT(index, l.splatInt(count)); };
    if (file == File::R) return below(program_.tempCount);
    if (file == File::C) return below(program_.constantCount);
    // 64 bits in two words; the upper one seldom has any.
    const uint64_t mask = (file == File::V ? program_.inputMask : program_.outputMask).bits();
    const auto low = static_cast<uint32_t>(mask), high = static_cast<uint32_t>(mask >> 32);
    Value* word = l.splatInt(low);
    if (high != 0) word = b_.CreateSelect(below(32), word, l.splatInt(high));
    Value* bit = b_.CreateAnd(b_.CreateLShr(word, b_.CreateAnd(index, l.splatInt(31))), l.splatInt(1));
    return b_.CreateAnd(below(high != 0 ? 64 : 32), b_.CreateICmpNE(bit, l.splatInt(0)));
}

/// All lanes name the same constant: it is read once.
IsaToLlvm::Value* IsaToLlvm::oneConstant(const LaneBuilder& l, const isa::Source& s, unsigned component) {
    Value* index = relativeIndex(l, s.index);
    if (index->getType()->isVectorTy()) index = b_.CreateExtractElement(index, uint64_t{0});
    Value* exists = b_.CreateICmpULT(index, b_.getInt32(program_.constantCount));
    Value* element = b_.CreateAdd(b_.CreateShl(b_.CreateSelect(exists, index, b_.getInt32(0)), b_.getInt32(2)),
                                  b_.getInt32(component));
    Value* constants = frameField(fields_.constants, pointer_, "constants");
    Value* address = b_.CreateGEP(b_.getFloatTy(), constants, b_.CreateZExt(element, i64_));
    Value* value = invariantLoad(b_.getFloatTy(), address, llvm::Align(4));
    return l.broadcast(b_.CreateSelect(exists, value, llvm::ConstantFP::get(b_.getFloatTy(), 0)));
}

/// Every lane gathers its own register; what is not there reads zero. All lanes load, from the first element if need
/// be: hosts without gathers would branch for each lane.
IsaToLlvm::Value* IsaToLlvm::relativeSource(const LaneBuilder& l, const isa::Source& s, unsigned component) {
    if ((s.file == File::C && program_.constantCount == 0) || (s.file == File::V && program_.inputMask.none()))
        return l.splatBits(0);
    if (s.file == File::C && facts_.at[at_].uniformAddress) return oneConstant(l, s, component);
    Value* index = relativeIndex(l, s.index);
    Value* exists = declared(l, index, s.file);
    Value *base = nullptr, *elements = nullptr;  // float elements from the base, for each lane
    const auto scaled = [&](uint32_t stride, uint32_t offset) {
        return b_.CreateAdd(b_.CreateMul(index, l.splatInt(stride)), l.splatInt(offset));
    };
    switch (s.file) {
        case File::C:
            base = frameField(fields_.constants, pointer_, "constants");
            elements = scaled(4, component);
            break;
        case File::V:
            base = frameField(offsetof(Frame, inputs), pointer_, "registers");
            elements = b_.CreateAdd(scaled(4 * isa::kGroupSize, component * isa::kGroupSize), wide_.laneNumbers());
            break;
        default:
            if (s.file == File::O) CHECK(outputs_ != nullptr);
            base = s.file == File::R ? temps_ : outputs_;
            elements = b_.CreateAdd(scaled(4 * lanes_, component * lanes_), wide_.laneNumbers());
            break;
    }
    elements = b_.CreateSelect(exists, elements, l.splatInt(0));
    Value* pointers =
        b_.CreateGEP(b_.getFloatTy(), base, b_.CreateZExt(elements, llvm::VectorType::get(i64_, lanes_, false)));
    return b_.CreateSelect(exists, b_.CreateMaskedGather(l.floats(), pointers, llvm::Align(4)), l.splatBits(0));
}

// --- Lanes ---

/// Each lane reads the lane of its column in the row; lanes outside the launch hold zero.
IsaToLlvm::Value* IsaToLlvm::snooped(const LaneBuilder& l, Value* x, const Instruction& i) {
    llvm::SmallVector<int, isa::kGroupSize> from;
    for (int lane = 0; lane < isa::kGroupSize; ++lane)
        from.push_back(i.snoopRow * isa::kGroupColumns + lane % isa::kGroupColumns);
    Value* launched = b_.CreateSelect(launch_, x, l.splatBits(0));
    return b_.CreateShuffleVector(launched, from);
}

IsaToLlvm::Value* IsaToLlvm::fromBlock(const isa::Source&, unsigned) { UNREACHABLE("a kernel's"); }

IsaToLlvm::Value* IsaToLlvm::expand(Value* scalar, uint32_t stride) {
    if (stride == 0) {
        if (scalar->getType()->isIntegerTy()) scalar = b_.CreateBitCast(scalar, b_.getFloatTy());
        return wide_.broadcast(scalar);
    }
    Value* base = wide_.broadcast(b_.CreateBitCast(scalar, i32_));
    return wide_.asFloat(b_.CreateAdd(base, wide_.laneNumbers(stride)));
}

// --- Write-back ---

/// The value of a register component for the lanes the instruction reads.
IsaToLlvm::Value* IsaToLlvm::loadRegister(const LaneBuilder& l, Variable* variable) {
    if (!variable->getAllocatedType()->isVectorTy()) {
        Value* scalar = b_.CreateLoad(variable->getAllocatedType(), variable);
        if (l.width() != 1) return expand(scalar, strides_[variable]);
        return b_.CreateBitCast(scalar, b_.getFloatTy());
    }
    const auto known = knownWrites_.find(variable);
    if (known != knownWrites_.end() && readMask_ != nullptr && known->second.where == b_.GetInsertBlock() &&
        (known->second.mask == readMask_ || known->second.mask == readExec_))
        return known->second.value;
    return b_.CreateLoad(l.floats(), variable);
}

IsaToLlvm::Value* IsaToLlvm::lanesWritten(const Instruction& i, unsigned component) const {
    if (writeMask_ == nullptr || i.guard != 0 || live_ == nullptr) return writeMask_;
    return live_->keepsOthers(at_, numbers_->of(i.dst.file, i.dst.index, component)) ? writeMask_ : nullptr;
}

void IsaToLlvm::write(const Instruction& i, Components result) {
    if (isa::opInfo(i.op).shape == isa::Shape::MS) return;
    for (Value*& value : result)
        if (i.saturate && value != nullptr) value = widthOf(value).saturate(value);
    if (i.dst.file == File::P) return writePredicate(i, result[0]);
    for (unsigned c = 0; c < 4; ++c) {
        if (!(i.dst.writeMask >> c & 1)) continue;
        if (i.dst.file == File::R) toBlock(i, c, result[c]);
        if (i.dst.relative) {
            if (!result[c]->getType()->isVectorTy()) result[c] = expand(result[c], facts_.at[at_].result[c].stride);
            writeRelative(i, c, result[c]);
            continue;
        }
        if (!result[c]->getType()->isVectorTy()) {
            Variable* variable =
                i.dst.file == File::R && !facts_.relativeTemps ? temporary(i.dst.index, c, true) : nullptr;
            if (variable != nullptr && !variable->getAllocatedType()->isVectorTy()) {
                Value* value = b_.CreateBitCast(result[c], variable->getAllocatedType());
                if (i.guard != 0)
                    value =
                        b_.CreateSelect(uniformGuard(i), value, b_.CreateLoad(variable->getAllocatedType(), variable));
                b_.CreateStore(value, variable);
                continue;
            }
            result[c] = expand(result[c], facts_.at[at_].result[c].stride);
        }
        const auto store = [&](Value* place) {
            Value* value = result[c];
            if (Value* lanes = lanesWritten(i, c); lanes != nullptr)
                value = b_.CreateSelect(lanes, value, b_.CreateAlignedLoad(wide_.floats(), place, llvm::Align(64)));
            b_.CreateAlignedStore(value, place, llvm::Align(64));
        };
        if (i.dst.file == File::R && facts_.relativeTemps) {
            store(memoryRegister(temps_, i.dst.index, c));
        } else if (i.dst.file == File::O && facts_.relativeOutputs) {
            store(memoryRegister(outputs_, i.dst.index, c));
        } else {
            Variable* variable =
                i.dst.file == File::R ? temporary(i.dst.index, c, true) : registerVariable(i.dst.file, i.dst.index, c);
            store(variable);
            knownWrites_[variable] = {b_.GetInsertBlock(), writeMask_, result[c]};
        }
    }
}

/// As floats -0 is zero and NaN is not; as integers all bits count.
void IsaToLlvm::writePredicate(const Instruction& i, Value* result) {
    const LaneBuilder& l = widthOf(result);
    const bool isFloat = isa::resultType(i.op, i.type) == isa::Type::F32;
    Value* set = nullptr;
    // A comparison makes 1.0 and 0.0 of a mask; that is the mask.
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(result);
        select != nullptr && select->getTrueValue() == l.splat(1.0f) && select->getFalseValue() == l.splat(0.0f))
        set = select->getCondition();
    else
        set = isFloat ? b_.CreateFCmpUNE(result, l.splat(0.0f)) : b_.CreateICmpNE(l.asInt(result), l.splatInt(0));
    Variable* variable = predicateVariable(i.dst.index, true);
    if (variable->getAllocatedType()->isIntegerTy(1)) {
        if (i.guard != 0) set = b_.CreateSelect(uniformGuard(i), set, b_.CreateLoad(b_.getInt1Ty(), variable));
        b_.CreateStore(set, variable);
        return;
    }
    if (l.width() == 1) set = wide_.broadcast(set);
    Value* lanes = lanesWritten(i, 0);
    if (lanes != nullptr) set = b_.CreateSelect(lanes, set, predicate(wide_, i.dst.index, true));
    storeMask(set, variable);
}

void IsaToLlvm::writeRelative(const Instruction& i, unsigned component, Value* result) {
    Value* index = relativeIndex(wide_, i.dst.index);
    Value* lanes = b_.CreateAnd(writeMask_, declared(wide_, index, i.dst.file));
    const bool isTemporary = i.dst.file == File::R;
    const uint32_t lastRow = isTemporary ? program_.tempCount * 4u : isa::kMaxOutputs * 4u;
    Value* row = b_.CreateAdd(b_.CreateMul(index, wide_.splatInt(4)), wide_.splatInt(component));
    row = b_.CreateSelect(lanes, row, wide_.splatInt(lastRow));
    Value* elements = b_.CreateAdd(b_.CreateMul(row, wide_.splatInt(lanes_)), wide_.laneNumbers());
    Value* pointers = b_.CreateGEP(b_.getFloatTy(), isTemporary ? temps_ : outputs_,
                                   b_.CreateZExt(elements, llvm::VectorType::get(i64_, lanes_, false)));
    b_.CreateMaskedScatter(result, pointers, llvm::Align(4));
}

}  // namespace tessera::jit
