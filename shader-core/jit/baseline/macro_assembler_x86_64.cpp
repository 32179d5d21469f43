// The macro-assembler on x86-64: SSE4.2 at the lowest level, AVX2 and FMA above it (AVX-512 takes the code of AVX2).
#include "shader-core/jit/baseline/assembler_x86_64.h"
#include "shader-core/jit/baseline/macro_assembler.h"

namespace tessera::jit {

namespace {

using namespace x86;

// Registers that calls keep: the bases, and the count of instructions.
constexpr Reg kRows = Reg::rbp, kFrame = Reg::rbx, kInputs = Reg::r12, kConstants = Reg::r13, kSpecials = Reg::r14,
              kCount = Reg::r15;
constexpr Reg kSaved[] = {Reg::rbx, Reg::rbp, Reg::r12, Reg::r13, Reg::r14, Reg::r15};
// Those that calls lose. Bits::C and D are registers of arguments.
constexpr Reg kBits[] = {Reg::rax, Reg::r9, Reg::rdx, Reg::rdi};
constexpr Reg kLoaded = Reg::r10, kElement = Reg::r11, kAnother = Reg::rcx, kFunction = Reg::rax;
constexpr Reg kArguments[] = {Reg::rdi, Reg::rsi, Reg::rdx, Reg::rcx, Reg::r8, Reg::r9};
constexpr uint32_t kRowBytes = 64, kReturnBytes = 8;

Reg registerOf(Bits bits) { return kBits[static_cast<size_t>(bits)]; }
constexpr bool isWide(SimdLevel level) { return level != kLeastSimdLevel; }

Memory memoryOf(Place place) {
    constexpr Reg kBases[] = {kRows, kFrame, kInputs, kConstants, kSpecials, kLoaded, kElement};
    return {kBases[static_cast<size_t>(place.base)], place.offset};
}

Operand operandOf(const VectorOperand& operand) {
    switch (operand.kind) {
        case VectorOperand::Register:
            return operand.reg;
        case VectorOperand::InMemory:
            return memoryOf(operand.place);
        case VectorOperand::Constant:
            break;
    }
    return Operand::inPool(operand.constant);
}

}  // namespace

class MacroAssembler::Host {
public:
    explicit Host(SimdLevel level) : a(isWide(level)) {}
    [[nodiscard]] VectorOperand constant(uint32_t first, uint32_t step, bool shifts) {
        std::vector<uint32_t> lanes;
        for (uint32_t lane = 0; lane < a.vectorBytes() / 4; ++lane)
            lanes.push_back(shifts ? 1u << (first + lane) : first + step * lane);
        return VectorOperand::ofConstant(a.constant(lanes));
    }
    void pass(std::initializer_list<Argument> arguments);

    Assembler a;
    uint32_t rowBytes = 0;
};

MacroAssembler::MacroAssembler(SimdLevel level) : host_(std::make_unique<Host>(level)) {}
MacroAssembler::~MacroAssembler() = default;
bool MacroAssembler::hasMultiplyAdd(SimdLevel level) { return isWide(level); }
uint32_t MacroAssembler::vectorBytes() const { return host_->a.vectorBytes(); }

// --- The function ---

void MacroAssembler::enter(uint32_t rowBytes, const Pointers& pointers) {
    Assembler& a = host_->a;
    host_->rowBytes = rowBytes;
    for (const Reg reg : kSaved) a.push(reg);
    a.moveWide(Reg::rax, Reg::rsp);
    a.aluWide(AluOp::Add, Reg::rsp, 0u - rowBytes - kRowBytes);
    a.aluWide(AluOp::And, Reg::rsp, 0u - kRowBytes);
    a.moveWide(kRows, Reg::rsp);
    a.storeWide({kRows, static_cast<int32_t>(rowBytes)}, Reg::rax);  // the stack of before lies behind the rows
    a.moveWide(kFrame, Reg::rdi);
    a.loadWide(kInputs, {kFrame, pointers.inputs});
    a.loadWide(kConstants, {kFrame, pointers.constants});
    a.loadWide(kSpecials, {kFrame, pointers.specials});
    a.move(kCount, 0);
}

void MacroAssembler::leave() {
    Assembler& a = host_->a;
    a.loadWide(Reg::rsp, {kRows, static_cast<int32_t>(host_->rowBytes)});
    for (auto reg = std::rbegin(kSaved); reg != std::rend(kSaved); ++reg) a.pop(*reg);
    a.clearUpperHalves();
    a.ret();
}

void MacroAssembler::callRoutine(Label routine) { host_->a.call(routine); }
/// What it calls finds the stack aligned to sixteen bytes.
void MacroAssembler::beginRoutine() { host_->a.aluWide(AluOp::Add, Reg::rsp, 0u - kReturnBytes); }
void MacroAssembler::endRoutine() {
    host_->a.aluWide(AluOp::Add, Reg::rsp, kReturnBytes);
    host_->a.ret();
}

// --- Vectors ---

void MacroAssembler::load(Vector to, VectorOperand from) { host_->a.load(to, operandOf(from)); }
void MacroAssembler::store(Place to, Vector from) { host_->a.store(memoryOf(to), from); }
void MacroAssembler::clear(Vector v) { host_->a.binary(vector_op::kXor, v, v, v); }
void MacroAssembler::broadcast(Vector to, Place from) { host_->a.broadcast(to, memoryOf(from)); }
void MacroAssembler::broadcast(Vector to, Bits from) { host_->a.broadcast(to, registerOf(from)); }

void MacroAssembler::binary(VectorOp op, Vector to, Vector a, VectorOperand b) {
    using namespace vector_op;
    constexpr Opcode kOpcodes[] = {kAdd,    kSubtract, kMultiply, kDivide,  kMinimum,      kMaximum,   kAnd,
                                   kAndNot, kOr,       kXor,      kAddInts, kSubtractInts, kEqualInts, kGreaterInts};
    static_assert(std::size(kOpcodes) == static_cast<size_t>(VectorOp::GreaterInts) + 1);
    host_->a.binary(kOpcodes[static_cast<size_t>(op)], to, a, operandOf(b));
}

void MacroAssembler::unary(UnaryOp op, Vector to, VectorOperand from) {
    using namespace vector_op;
    constexpr Opcode kOpcodes[] = {kSquareRoot, kIntsToFloats, kMagnitudesOfInts};
    static_assert(std::size(kOpcodes) == static_cast<size_t>(UnaryOp::MagnitudesOfInts) + 1);
    host_->a.unary(kOpcodes[static_cast<size_t>(op)], to, operandOf(from));
}

void MacroAssembler::compare(Comparison comparison, Vector to, Vector a, VectorOperand b) {
    host_->a.binary(vector_op::kCompare, to, a, operandOf(b), static_cast<int>(comparison));
}

/// Without telling of exceptions.
void MacroAssembler::round(Rounding rounding, Vector to, VectorOperand from) {
    constexpr int kModes[] = {0x8, 0x9, 0xB};
    host_->a.unary(vector_op::kRound, to, operandOf(from), kModes[static_cast<size_t>(rounding)]);
}

void MacroAssembler::multiplyAdd(Vector to, Vector a, VectorOperand b) { host_->a.multiplyAdd(to, a, operandOf(b)); }

void MacroAssembler::choose(Vector to, Vector mask, VectorOperand yes, Vector no) {
    host_->a.choose(to, mask, operandOf(yes), no, mask == kScratch ? kScratch2 : kScratch);
}

VectorOperand MacroAssembler::everywhere(uint32_t bits) { return host_->constant(bits, 0, false); }
VectorOperand MacroAssembler::laneBits(uint32_t first) { return host_->constant(first, 0, true); }
VectorOperand MacroAssembler::laneNumbers(uint32_t first) { return host_->constant(first, 1, false); }

// --- Bits ---

void MacroAssembler::addLanes(Bits to, Vector mask, uint32_t first) {
    Assembler& a = host_->a;
    if (first == 0) return a.signs(registerOf(to), mask);
    a.signs(kAnother, mask);
    a.shiftLeft(kAnother, static_cast<uint8_t>(first));
    a.alu(AluOp::Or, registerOf(to), kAnother);
}

void MacroAssembler::load(Bits to, Place from) { host_->a.load(registerOf(to), memoryOf(from)); }
void MacroAssembler::store(Place to, Bits from) { host_->a.store(memoryOf(to), registerOf(from)); }
void MacroAssembler::storeNumber(Place to, uint32_t value) { host_->a.storeBits(memoryOf(to), value); }
void MacroAssembler::move(Bits to, Bits from) { host_->a.moveWide(registerOf(to), registerOf(from)); }
void MacroAssembler::keep(Bits to, Bits with) { host_->a.alu(AluOp::And, registerOf(to), registerOf(with)); }
void MacroAssembler::keep(Bits to, uint32_t with) { host_->a.alu(AluOp::And, registerOf(to), with); }
void MacroAssembler::add(Bits to, Bits with) { host_->a.alu(AluOp::Or, registerOf(to), registerOf(with)); }
void MacroAssembler::invert(Bits to) { host_->a.invert(registerOf(to)); }
void MacroAssembler::shiftLeft(Bits to, uint8_t by) { host_->a.shiftLeft(registerOf(to), by); }
void MacroAssembler::shiftRight(Bits to, uint8_t by) { host_->a.shiftRight(registerOf(to), by); }

// --- Count and pointer ---

void MacroAssembler::addToCount(uint32_t instructions) { host_->a.aluWide(AluOp::Add, kCount, instructions); }
void MacroAssembler::storeCount(Place to) { host_->a.storeWide(memoryOf(to), kCount); }
void MacroAssembler::setLoaded(Place from) { host_->a.loadWide(kLoaded, memoryOf(from)); }

void MacroAssembler::setElement(Place place, Place index) {
    host_->a.load(kAnother, memoryOf(index));
    host_->a.address(kElement, memoryOf(place));
    host_->a.addressOfElement(kElement, kElement, kAnother);
}

// --- Control ---

Label MacroAssembler::newLabel() { return host_->a.newLabel(); }
void MacroAssembler::bind(Label label) { host_->a.bind(label); }
void MacroAssembler::jump(Label to) { host_->a.jump(to); }

void MacroAssembler::jumpIfNone(Bits bits, Label to) {
    host_->a.test(registerOf(bits), registerOf(bits));
    host_->a.jumpIf(Condition::Zero, to);
}

void MacroAssembler::jumpIfAny(Bits bits, Label to) {
    host_->a.test(registerOf(bits), registerOf(bits));
    host_->a.jumpIf(Condition::NotZero, to);
}

void MacroAssembler::jumpIfClear(Place bits, uint32_t mask, Label to) {
    host_->a.test(memoryOf(bits), mask);
    host_->a.jumpIf(Condition::Zero, to);
}

void MacroAssembler::jumpIfCountAbove(Place budget, Label to) {
    host_->a.compareWide(kCount, memoryOf(budget));
    host_->a.jumpIf(Condition::Above, to);
}

// --- Calls ---

/// No argument is in the register of one before it.
void MacroAssembler::Host::pass(std::initializer_list<Argument> arguments) {
    const Reg* to = kArguments;
    for (const Argument& argument : arguments) {
        switch (argument.kind) {
            case Argument::Frame:
                a.moveWide(*to, kFrame);
                break;
            case Argument::Address:
                a.address(*to, memoryOf(argument.place));
                break;
            case Argument::Pointer:
                a.loadWide(*to, memoryOf(argument.place));
                break;
            case Argument::Value:
                if (argument.value <= UINT32_MAX)
                    a.move(*to, static_cast<uint32_t>(argument.value));
                else
                    a.moveWide(*to, argument.value);
                break;
            case Argument::Mask:
                a.moveWide(*to, registerOf(argument.bits));
                break;
        }
        ++to;
    }
}

void MacroAssembler::call(const void* function, std::initializer_list<Argument> arguments) {
    host_->pass(arguments);
    host_->a.moveWide(kFunction, reinterpret_cast<uintptr_t>(function));
    host_->a.call(kFunction);
}

void MacroAssembler::call(Place function, std::initializer_list<Argument> arguments) {
    host_->pass(arguments);
    host_->a.call(memoryOf(function));
}

std::vector<uint8_t> MacroAssembler::finish(size_t* codeBytes) { return host_->a.finish(codeBytes); }

}  // namespace tessera::jit
