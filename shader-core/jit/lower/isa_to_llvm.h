// IsaToLlvm: an ISA program to one LLVM function that runs a block of sixteen lanes, a part or a pair of them, or a
// group of a kernel (run/frame.h).
//
// Every register component is a variable of sixteen lanes; promotion to SSA makes values of them, so a component that
// nobody reads vanishes. Values travel as floats, integers as their bits. `exec` is a mask variable; where facts.h
// proves that all launch lanes execute together it is not consulted, writes are whole and branches are plain. A masked
// write selects between new and old value; an instruction that reads it under the same mask takes the new value itself,
// so the selects of registers that only live under one mask turn out dead.
//
// Divergent control flow keeps the shape of the source: each if, loop and call that lanes can be left in is a Nest with
// the mask to restore, and `meet`, the place where control goes when no lane is left (docs/isa.md, control flow).
//
//   lower/instructions.cpp  a handler for each row of opcodes.def
//   lower/control.cpp       the function, masks, nests, counting
//   lower/operands.cpp      registers, modifiers, relative addressing, write-back
//   lower/vectors.cpp       instructions over the components of a register
//   lower/graphics.cpp      vertex and fragment programs: helpers, discards, outputs, lookups
//   lower/kernel.cpp        kernels: specials, exchange between lanes, barriers
//   lower/memory.cpp        kernels: loads, stores, atomics
//
// In kernels what facts.h finds to be the same in all lanes, or to rise by a constant from lane to lane, is one scalar:
// such a component is lowered with the builder of a single lane, one_, all others with wide_ (lane_builder.h).
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "shader-core/analysis/facts.h"
#include "shader-core/analysis/liveness.h"
#include "shader-core/analysis/nests.h"
#include "shader-core/jit/host/host.h"
#include "shader-core/jit/lower/lane_builder.h"
#include "shader-core/jit/run/frame.h"

namespace tessera::jit {

using analysis::ComponentNumbers;
using analysis::Facts;
using analysis::Liveness;
using analysis::Spread;
using analysis::Webs;

/// What programs of both forms have; GraphicsToLlvm (graphics.h) and KernelToLlvm (kernel.h) are made.
class IsaToLlvm {
public:
    virtual ~IsaToLlvm() = default;
    llvm::Function* run();

protected:
    using Value = llvm::Value;
    using BasicBlock = llvm::BasicBlock;
    using Variable = llvm::AllocaInst;
    using Instruction = isa::Instruction;
    using Components = std::array<Value*, 4>;

    /// Of one component; as floats, integers by their bits.
    struct Operands {
        Value *a = nullptr, *b = nullptr, *c = nullptr;
        bool isSigned = false;  ///< of integers
    };
    /// What lowers an instruction: one of these, or what computes a component of the result, in the types it has.
    struct Handler {
        using Control = void (IsaToLlvm::*)(size_t at);
        using Access = Components (IsaToLlvm::*)(const Instruction& i, size_t at);
        using Across = Components (IsaToLlvm::*)(const LaneBuilder& l, const Instruction& i);
        using Exchange = Value* (IsaToLlvm::*)(const Instruction& i, int component);
        using Form = Value* (*)(const LaneBuilder& l, const Operands& o);
        Control control = nullptr;
        Access access = nullptr;      ///< texture or memory
        Across across = nullptr;      ///< all components
        Exchange exchange = nullptr;  ///< between lanes
        Form floats = nullptr, integers = nullptr;
    };
    struct Rows;
    static const std::array<Handler, isa::kOpCount> kHandlers;
    [[nodiscard]] static const Handler& handlerOf(isa::Op op) { return kHandlers[static_cast<size_t>(op)]; }

    struct Nest {
        enum Kind { If, Loop, Call } kind = If;
        bool plain = false;           ///< analysis::Nest::isPlain
        BasicBlock* meet = nullptr;   ///< where control goes when no lane is left
        BasicBlock* after = nullptr;  ///< behind the nest
        Value* saved = nullptr;       ///< exec before the nest
        Variable* waiting = nullptr;  ///< If: lanes of the other side; Loop: lanes that left by brk
        Variable* continuing = nullptr;
        BasicBlock* header = nullptr;
        Variable* iterations = nullptr;  ///< left, of a loop that has a number of them
    };

    /// Where the frame of the form has what both have (run/frame.h).
    struct FrameFields {
        size_t launch, constants, budget, count, stopped;
    };
    /// `module` holds the lane functions of the level; up to `inlinedSize` instructions of them are inlined.
    IsaToLlvm(llvm::Module& module, const isa::Program& program, const Facts& facts, SimdLevel level, unsigned lanes,
              const FrameFields& fields, int inlinedSize);

    // --- What the forms differ in ---
    virtual void start() = 0;         ///< sets launch_
    virtual void storeResults() {}    ///< of a block that came to its end
    virtual void storeDiscarded() {}  ///< of every block
    virtual void retireIdleHelpers(const Nest&) {}
    virtual void countBlocks() {}  ///< what is about to be counted, where that is not the same for all lanes
    virtual void storeCount() { b_.CreateStore(b_.CreateLoad(i64_, count_), byteOffset(frame_, fields_.count)); }
    [[nodiscard]] virtual Variable* predicateVariable(unsigned index, bool write) = 0;
    [[nodiscard]] virtual Value* uniformGuard(const Instruction& i) = 0;  ///< of control that is plain
    /// As the instruction being lowered reads or writes it.
    [[nodiscard]] virtual Variable* temporary(unsigned index, unsigned component, bool write) = 0;
    [[nodiscard]] virtual Value* special(const LaneBuilder& l, const isa::Source& s, unsigned component) = 0;

    // --- Control ---
    void createFunction();
    void createEpilogue();
    void routine(size_t start);
    virtual void instruction(size_t at);
    void selectLanes(const Instruction& i, size_t at);
    void jumpOver(size_t at);
    void join();
    void lowerIf(size_t at);
    void lowerElse(size_t at);
    void lowerEndif(size_t at);
    void lowerLoop(size_t at);
    void lowerEndloop(size_t at);
    void lowerJump(size_t at);
    void lowerCall(size_t at);
    void lowerRet(size_t at);
    void lowerGbar(size_t) {}  ///< the lanes of a group are one vector
    void flushCount();
    void branchTo(BasicBlock* block);  ///< counts, then jumps; what follows is lowered into a basic block of its own
    void goOnIfLanesLeft(Value* exec);
    [[nodiscard]] const analysis::Nest& foundAt(size_t at) const { return found_.all[found_.innermost[at]]; }
    BasicBlock* meetingPoint() const;
    Nest* innermostLoop();
    Nest* innermostCall();
    [[nodiscard]] BasicBlock* newBasicBlock(const char* name);
    void enter(BasicBlock* block);
    void likely(Value* condition, BasicBlock* often, BasicBlock* seldom);
    [[nodiscard]] bool plainControl(size_t at) const { return analysis::isPlain(facts_, at); }

    // --- Masks ---
    [[nodiscard]] Value* loadMask(Variable* variable);
    void storeMask(Value* mask, Variable* variable);
    [[nodiscard]] Value* exec(size_t at);                         ///< lanes at this instruction
    [[nodiscard]] Value* taken(const Instruction& i, size_t at);  ///< of those, lanes whose guard holds
    [[nodiscard]] Value* notTaken(const Instruction& i, size_t at);
    [[nodiscard]] Value* guardMask(const LaneBuilder& l, const Instruction& i);
    [[nodiscard]] Value* guarded(const Instruction& i, Value* exec, bool holds);
    [[nodiscard]] Value* predicate(const LaneBuilder& l, unsigned index, bool write = false);
    [[nodiscard]] Value* uniformBit(Value* mask);  ///< of a mask whose launched lanes are all alike
    [[nodiscard]] Value* any(Value* mask);
    [[nodiscard]] Value* allLanes(Value* mask);
    [[nodiscard]] Value* bits(Value* mask);
    [[nodiscard]] Value* fromBits(Value* bits);

    // --- Operands ---
    [[nodiscard]] Variable* variable(llvm::Type* type, const char* name);  ///< zero at the start
    [[nodiscard]] Variable*& registerVariable(isa::File file, unsigned index, unsigned component);
    [[nodiscard]] uint64_t vectorBytes() const { return lanes_ * sizeof(float); }
    /// Of the caller's rows: blocks begin at 64 bytes, parts of them where they do.
    [[nodiscard]] llvm::Align rowAlignment() const { return llvm::Align(std::min<uint64_t>(64, vectorBytes())); }
    [[nodiscard]] Value* memoryRegister(Value* base, unsigned index, unsigned component);
    [[nodiscard]] Variable* memoryFile(unsigned registers);
    [[nodiscard]] const LaneBuilder& widthOf(Value* x) const { return x->getType()->isVectorTy() ? wide_ : one_; }
    [[nodiscard]] Value* source(const LaneBuilder& l, const Instruction& i, int s, int component);
    [[nodiscard]] Value* rawSource(const LaneBuilder& l, const Instruction& i, const isa::Source& s, int component,
                                   bool integer);
    [[nodiscard]] Value* constant(const LaneBuilder& l, unsigned index, int component);
    [[nodiscard]] Value* oneConstant(const LaneBuilder& l, const isa::Source& s, unsigned component);
    [[nodiscard]] Value* relativeSource(const LaneBuilder& l, const isa::Source& s, unsigned component);
    [[nodiscard]] Value* relativeIndex(const LaneBuilder& l, unsigned index);
    [[nodiscard]] Value* declared(const LaneBuilder& l, Value* index, isa::File file);
    [[nodiscard]] Value* frameField(size_t offset, llvm::Type* type, const char* name);
    [[nodiscard]] Value* invariantLoad(llvm::Type* type, Value* address, llvm::Align align);
    [[nodiscard]] Value* byteOffset(Value* base, uint64_t bytes);
    /// Of the rows of a file that the caller filled.
    [[nodiscard]] Value* blockRegister(size_t field, unsigned index, unsigned component);
    [[nodiscard]] Value* loadRegister(const LaneBuilder& l, Variable* variable);
    /// Lanes whose component is written, null: all may be, as nobody asks for what the others had.
    [[nodiscard]] Value* lanesWritten(const Instruction& i, unsigned component) const;
    void write(const Instruction& i, Components result);
    void writePredicate(const Instruction& i, Value* result);
    void writeRelative(const Instruction& i, unsigned component, Value* result);
    [[nodiscard]] Value* expand(Value* scalar, uint32_t stride);  ///< to all lanes
    [[nodiscard]] Value* snooped(const LaneBuilder& l, Value* x, const Instruction& i);
    virtual void subset(const Instruction&) {}  ///< narrows writeMask_; kernels only
    /// Of another wavefront of the block, and a component that was written, for others to read; kernels only.
    [[nodiscard]] virtual Value* fromBlock(const isa::Source& s, unsigned component);
    virtual void toBlock(const Instruction&, unsigned, Value*) {}

    // --- What is computed ---
    [[nodiscard]] Components compute(const Instruction& i, size_t at);
    [[nodiscard]] Value* component(const LaneBuilder& l, const Instruction& i, int c);
    [[nodiscard]] Components dot3(const LaneBuilder& l, const Instruction& i) { return dot(l, i, 3); }
    [[nodiscard]] Components dot4(const LaneBuilder& l, const Instruction& i) { return dot(l, i, 4); }
    [[nodiscard]] Components dot(const LaneBuilder& l, const Instruction& i, int components);
    [[nodiscard]] Components lighting(const LaneBuilder& l, const Instruction& i);
    [[nodiscard]] Components normalise(const LaneBuilder& l, const Instruction& i);

    llvm::Module& module_;
    llvm::LLVMContext& context_;
    llvm::IRBuilder<> b_;
    const isa::Program& program_;
    const Facts& facts_;
    const HostLevel& host_;
    const unsigned lanes_;  ///< of a vector
    const FrameFields fields_;
    LaneCalls calls_;
    const LaneBuilder wide_, one_;  ///< values of all lanes; a value that stands for them
    llvm::Type *laneBits_, *i16_, *i32_, *i64_, *pointer_;

    llvm::Function* function_ = nullptr;
    llvm::Instruction* entryEnd_ = nullptr;  ///< variables and loads of the frame go before it
    Value* frame_ = nullptr;
    Value* launch_ = nullptr;  ///< lanes to execute, a mask
    std::map<std::pair<size_t, llvm::Type*>, Value*> frameFields_;
    Variable *exec_ = nullptr, *count_ = nullptr, *stopped_ = nullptr;
    std::map<std::array<unsigned, 3>, Variable*> registers_;
    Variable *temps_ = nullptr, *outputs_ = nullptr;  ///< memory, where a file is addressed relatively
    std::map<Variable*, uint32_t> strides_;           ///< of scalar registers
    std::map<unsigned, std::array<uint32_t, 4>> literals_;
    const ComponentNumbers* numbers_ = nullptr;
    const Liveness* live_ = nullptr;  ///< where it is known

    /// What is known of a variable within a basic block.
    struct KnownMask {
        BasicBlock* where = nullptr;
        Value* mask = nullptr;
    };
    struct KnownWrite {
        BasicBlock* where = nullptr;
        Value *mask = nullptr, *value = nullptr;  ///< lanes of `mask` hold `value`
    };
    std::map<Variable*, KnownMask> knownMasks_;
    std::map<std::tuple<Value*, Value*, bool>, KnownMask> knownGuards_;
    std::map<Variable*, KnownWrite> knownWrites_;
    // Of the instruction being lowered: lanes to write (null: all), lanes whose operands count, and exec.
    Value *writeMask_ = nullptr, *readMask_ = nullptr, *readExec_ = nullptr;

    const analysis::Nests found_;  ///< by the analysis; nests_ are those that are open, with the calls
    std::vector<Nest> nests_;
    size_t at_ = 0;      ///< the instruction being lowered
    bool once_ = false;  ///< for all lanes: a single value, whatever the facts say
    uint64_t pendingCount_ = 0;
    unsigned blocks_ = 1;  ///< that have counts of their own; a group of a kernel has one
    size_t joinAt_ = 0;    ///< where the lanes that jumped over instructions go on, if some do
    BasicBlock* join_ = nullptr;
    BasicBlock *finished_ = nullptr, *outOfBudget_ = nullptr, *discarded_ = nullptr;
};

}  // namespace tessera::jit
