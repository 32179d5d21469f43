#include "model/trim/instructions.h"

#include "base/check.h"

namespace tessera::model {

using isa::Op;
using isa::Type;

uint64_t InstructionCounts::count(Op op) const {
    uint64_t sum = 0;
    for (const uint64_t n : of[static_cast<size_t>(op)]) sum += n;
    return sum;
}

uint64_t InstructionCounts::total() const {
    uint64_t sum = 0;
    for (int i = 0; i < isa::kOpCount; ++i) sum += count(static_cast<Op>(i));
    return sum;
}

void InstructionCounts::add(const InstructionCounts& other) {
    for (size_t op = 0; op < of.size(); ++op)
        for (size_t type = 0; type < kTypes; ++type) of[op][type] += other.of[op][type];
}

InstructionCounts countsOf(const isa::Program& program) {
    const std::vector<uint64_t> once(program.code.size(), 1);
    return countsOf(program, once);
}

InstructionCounts countsOf(const isa::Program& program, std::span<const uint64_t> executed) {
    CHECK(executed.size() == program.code.size());
    InstructionCounts counts;
    for (size_t i = 0; i < program.code.size(); ++i) {
        const isa::Instruction instruction = *isa::decode(program.code[i]);
        counts.of[static_cast<size_t>(instruction.op)][static_cast<size_t>(instruction.type)] += executed[i];
    }
    return counts;
}

MixClass mixClass(Op op) {
    static_assert(isa::kOpCount == 83, "a new instruction: a case below, unless its unit says what it counts as");
    switch (op) {
        case Op::Mov:
        case Op::Sel:
            return MixClass::Mov;
        case Op::And:
        case Op::Or:
        case Op::Xor:
        case Op::Not:
            return MixClass::Logic;
        case Op::Shl:
        case Op::Shr:
            return MixClass::Shift;
        case Op::Popc:
        case Op::Clz:
        case Op::Brev:
            return MixClass::Bitwise;
        case Op::F2i:
        case Op::I2f:
        case Op::F2h:
        case Op::H2f:
        case Op::Flr:
        case Op::Frc:
        case Op::Trc:
        case Op::Rne:
            return MixClass::Convert;
        case Op::Mul:
        case Op::Mad:
        case Op::Mulh:
        case Op::Madx:
        case Op::Dp3:
        case Op::Dp4:
        case Op::Dot:
            return MixClass::Mul;
        case Op::Div:
        case Op::Mod:
        case Op::Rcp:
            return MixClass::Div;
        case Op::Sum:
            return MixClass::Add;
        default:
            break;
    }
    switch (isa::opInfo(op).unit) {
        case isa::Unit::Alu:
            return MixClass::Add;  // add, min, max, comparisons, ddx, ddy
        case isa::Unit::Tfu:
        case isa::Unit::Light:
            return MixClass::Trans;
        case isa::Unit::Texture:
            return MixClass::Texture;
        case isa::Unit::Memory:
            return MixClass::Memory;
        case isa::Unit::Control:
        case isa::Unit::Lane:
            return MixClass::Control;
    }
    UNREACHABLE("a unit without a class");
}

std::string_view mixClassName(MixClass mix) {
    static constexpr std::string_view kNames[kMixClasses] = {"mov", "logic", "shift", "bitwise", "convert", "control",
                                                             "add", "mul",   "div",   "trans",   "memory",  "texture"};
    return kNames[static_cast<size_t>(mix)];
}

bool hasIntegerKind(MixClass mix) { return mix == MixClass::Add || mix == MixClass::Mul || mix == MixClass::Div; }

uint64_t InstructionMix::total() const {
    uint64_t sum = 0;
    for (const auto& [integer, other] : of) sum += integer + other;
    return sum;
}

InstructionMix mixOf(const InstructionCounts& counts) {
    InstructionMix mix;
    for (int i = 0; i < isa::kOpCount; ++i) {
        const MixClass at = mixClass(static_cast<Op>(i));
        for (int type = 0; type < kTypes; ++type) {
            const bool integer = hasIntegerKind(at) && static_cast<Type>(type) != Type::F32;
            mix.of[static_cast<size_t>(at)][integer ? 0 : 1] +=
                counts.of[static_cast<size_t>(i)][static_cast<size_t>(type)];
        }
    }
    return mix;
}

}  // namespace tessera::model
