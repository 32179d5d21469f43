// IsaToLlvm: an ISA program to one LLVM function that runs a block of sixteen lanes, a pair of them, or a group of a
// kernel (frame.h).
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
//   lower/texture.cpp       lookups
//   lower/kernel.cpp        kernels: specials, exchange between lanes, barriers
//   lower/memory.cpp        kernels: loads, stores, atomics
//
// In kernels what facts.h finds to be the same in all lanes, or to rise by a constant from lane to lane, is one scalar:
// such a component is lowered with the builder of a single lane, one_, all others with wide_ (lane_builder.h).
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "shader-core/jit/analysis/facts.h"
#include "shader-core/jit/frame.h"
#include "shader-core/jit/host.h"
#include "shader-core/jit/lower/lane_builder.h"

namespace tessera::jit {

class IsaToLlvm {
public:
    /// `module` holds the lane functions of the level. With `pair`, for which facts.pairs must hold, the function is
    /// isa::BlockCode::pair.
    IsaToLlvm(llvm::Module& module, const isa::Program& program, const Facts& facts, SimdLevel level,
              const BlockSize* block = nullptr, bool pair = false);
    llvm::Function* run();

private:
    using Value = llvm::Value;
    using Block = llvm::BasicBlock;
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
        void (IsaToLlvm::*control)(size_t at) = nullptr;
        Components (IsaToLlvm::*access)(const Instruction& i, size_t at) = nullptr;             ///< texture or memory
        Components (IsaToLlvm::*across)(const LaneBuilder& l, const Instruction& i) = nullptr;  ///< all components
        Value* (IsaToLlvm::*exchange)(const Instruction& i, int component) = nullptr;           ///< between lanes
        Value* (*floats)(const LaneBuilder& l, const Operands& o) = nullptr;
        Value* (*integers)(const LaneBuilder& l, const Operands& o) = nullptr;
    };
    struct Rows;
    static const std::array<Handler, isa::kOpCount> kHandlers;
    [[nodiscard]] static const Handler& handlerOf(isa::Op op) { return kHandlers[static_cast<size_t>(op)]; }

    struct Nest {
        enum Kind { If, Loop, Call } kind = If;
        bool plain = false;           ///< an if on a uniform guard that all lanes reach together
        bool lanesLeave = false;      ///< brk, cont or ret inside takes lanes beyond the end of this nest
        Block* meet = nullptr;        ///< where control goes when no lane is left
        Block* after = nullptr;       ///< behind the nest
        Value* saved = nullptr;       ///< exec before the nest
        Variable* waiting = nullptr;  ///< If: lanes of the other side; Loop: lanes that left by brk
        Variable* continuing = nullptr;
        Block* header = nullptr;
    };

    // --- Control ---
    void createFunction();
    void createEpilogue();
    void routine(size_t start);
    void instruction(size_t at);
    void lowerIf(size_t at);
    void lowerElse(size_t at);
    void lowerEndif(size_t at);
    void lowerLoop(size_t at);
    void lowerEndloop(size_t at);
    void retireIdleHelpers(const Nest& loop);
    void lowerJump(size_t at);
    void lowerCall(size_t at);
    void lowerRet(size_t at);
    void lowerKil(size_t at);
    void lowerGbar(size_t) {}  ///< the lanes of a group are one vector
    void storeOutputs();
    void flushCount();
    void branchTo(Block* block);  ///< counts, then jumps; what follows is lowered into a block of its own
    void goOnIfLanesLeft(Value* exec);
    Block* meetingPoint() const;
    Nest* innermostLoop();
    Nest* innermostCall();
    [[nodiscard]] Block* newBlock(const char* name);
    void enter(Block* block);
    [[nodiscard]] bool plainControl(size_t at) const;

    // --- Masks ---
    [[nodiscard]] Value* loadMask(Variable* variable);
    void storeMask(Value* mask, Variable* variable);
    [[nodiscard]] Value* exec(size_t at);                         ///< lanes at this instruction
    [[nodiscard]] Value* taken(const Instruction& i, size_t at);  ///< of those, lanes whose guard holds
    [[nodiscard]] Value* notTaken(const Instruction& i, size_t at);
    [[nodiscard]] Value* guardMask(const LaneBuilder& l, const Instruction& i);
    [[nodiscard]] Value* guarded(const Instruction& i, Value* exec, bool holds);
    [[nodiscard]] Variable* predicateVariable(unsigned index, bool write);
    [[nodiscard]] Value* predicate(const LaneBuilder& l, unsigned index, bool write = false);
    [[nodiscard]] Value* uniformBit(Value* mask);  ///< of a mask whose launched lanes are all alike
    [[nodiscard]] Value* uniformGuard(const Instruction& i);
    [[nodiscard]] Value* any(Value* mask);
    [[nodiscard]] Value* bits(Value* mask);
    [[nodiscard]] Value* fromBits(Value* bits);

    // --- Operands ---
    [[nodiscard]] Variable* variable(llvm::Type* type, const char* name);  ///< zero at the start
    [[nodiscard]] Variable* temporary(unsigned index, unsigned component, bool write);
    [[nodiscard]] Variable*& registerVariable(isa::File file, unsigned index, unsigned component);
    [[nodiscard]] uint64_t vectorBytes() const { return lanes_ * sizeof(float); }
    [[nodiscard]] Value* memoryRegister(Value* base, unsigned index, unsigned component);
    [[nodiscard]] Variable* memoryFile(unsigned registers);
    [[nodiscard]] const LaneBuilder& widthOf(Value* x) const { return x->getType()->isVectorTy() ? wide_ : one_; }
    [[nodiscard]] Value* source(const LaneBuilder& l, const Instruction& i, int s, int component);
    [[nodiscard]] Value* rawSource(const LaneBuilder& l, const Instruction& i, const isa::Source& s, int component,
                                   bool integer);
    [[nodiscard]] Value* constant(const LaneBuilder& l, unsigned index, int component);
    [[nodiscard]] Value* relativeSource(const LaneBuilder& l, const isa::Source& s, unsigned component);
    [[nodiscard]] Value* relativeIndex(const LaneBuilder& l, unsigned index);
    [[nodiscard]] Value* declared(const LaneBuilder& l, Value* index, isa::File file);
    [[nodiscard]] Value* frameField(size_t offset, llvm::Type* type, const char* name);
    [[nodiscard]] Value* invariantLoad(llvm::Type* type, Value* address, llvm::Align align);
    [[nodiscard]] Value* byteOffset(Value* base, uint64_t bytes);
    [[nodiscard]] Value* loadRegister(const LaneBuilder& l, Variable* variable);
    void write(const Instruction& i, Components result);
    void writePredicate(const Instruction& i, Value* result);
    void writeRelative(const Instruction& i, unsigned component, Value* result);

    // --- What is computed ---
    [[nodiscard]] Components compute(const Instruction& i, size_t at);
    [[nodiscard]] Value* component(const LaneBuilder& l, const Instruction& i, int c);
    [[nodiscard]] Components dot3(const LaneBuilder& l, const Instruction& i) { return dot(l, i, 3); }
    [[nodiscard]] Components dot4(const LaneBuilder& l, const Instruction& i) { return dot(l, i, 4); }
    [[nodiscard]] Components dot(const LaneBuilder& l, const Instruction& i, int components);
    [[nodiscard]] Components lighting(const LaneBuilder& l, const Instruction& i);
    [[nodiscard]] Components normalise(const LaneBuilder& l, const Instruction& i);
    void quotients(Value* square, Value* length, Components& vector);
    [[nodiscard]] Components texture(const Instruction& i, size_t at);

    // --- Kernels ---
    void startKernel();
    void lowerBarrier(size_t at);
    [[nodiscard]] Value* special(const LaneBuilder& l, const isa::Source& s, unsigned component);
    [[nodiscard]] Value* kernelField(size_t offset);              ///< 32 bits
    [[nodiscard]] Value* expand(Value* scalar, uint32_t stride);  ///< to all lanes
    [[nodiscard]] Value* snooped(const LaneBuilder& l, Value* x, const Instruction& i);
    [[nodiscard]] Value* executing();  ///< mask of the lanes of the instruction being lowered
    void subset(const Instruction& i);
    [[nodiscard]] Value* vote(const Instruction& i, int component);
    [[nodiscard]] Value* shuffle(const Instruction& i, int component);
    [[nodiscard]] Value* picked(Value* a, Value* from);
    [[nodiscard]] Value* total(const Instruction& i, int component);

    // --- Memory of kernels ---
    struct Access {
        const Instruction& i;
        int count = 0;             ///< elements of a lane
        uint32_t bytes = 4;        ///< of an element
        Spread spread;             ///< of the address
        Value* address = nullptr;  ///< lane 0's, or of all lanes; integers
        Value *data = nullptr, *size = nullptr;
        llvm::Type* element = nullptr;
        Components value{};  ///< stores, as floats, of all lanes
    };
    [[nodiscard]] Components memory(const Instruction& i, size_t at);
    [[nodiscard]] Components atomic(const Instruction& i, size_t at);
    [[nodiscard]] Components slowCall(const Access& access);
    [[nodiscard]] Components uniformLoad(const Access& access, bool scalarResult);
    [[nodiscard]] Components vectorLoad(const Access& access);
    [[nodiscard]] Components rowLoad(const Access& access, Value* base);
    void halvesLoad(const Access& access, const std::function<void(const Components&)>& finish);
    [[nodiscard]] Components gatherLoad(const Access& access);
    [[nodiscard]] Components countingGather(const Access& access);
    void vectorStore(const Access& access);
    void rowStore(const Access& access, Value* base);
    void uniformStore(const Access& access, Block* slow, Block* done);
    [[nodiscard]] Value* inRange(const Access& access, Value* base, uint64_t bytes);
    [[nodiscard]] Value* extended(const Access& access, Value* element);
    [[nodiscard]] Value* narrowed(const Access& access, Value* value);
    [[nodiscard]] Value* allLanes(Value* mask);
    void likely(Value* condition, Block* often, Block* seldom);

    llvm::Module& module_;
    llvm::LLVMContext& context_;
    llvm::IRBuilder<> b_;
    const isa::Program& program_;
    const Facts& facts_;
    const HostLevel& host_;
    const BlockSize* block_ = nullptr;  ///< of a kernel
    const bool pair_;
    const unsigned lanes_;  ///< of a vector
    LaneCalls calls_;
    const LaneBuilder wide_, one_;  ///< values of all lanes; a value that stands for them
    llvm::Type *laneBits_, *i16_, *i32_, *i64_, *pointer_;
    size_t launchField_, constantsField_, budgetField_, countField_, stoppedField_;

    llvm::Function* function_ = nullptr;
    llvm::Instruction* entryEnd_ = nullptr;  ///< variables and loads of the frame go before it
    Value* frame_ = nullptr;
    Value* launch_ = nullptr;  ///< lanes to execute, a mask
    Value* wanted_ = nullptr;  ///< launch lanes that are no helpers, 16 bits
    std::map<std::pair<size_t, llvm::Type*>, Value*> frameFields_;
    Variable *exec_ = nullptr, *kill_ = nullptr, *count_ = nullptr, *stopped_ = nullptr;
    std::map<std::array<unsigned, 3>, Variable*> registers_;
    Variable* predicates_[isa::kPredicates + 1] = {};
    Variable *temps_ = nullptr, *outputs_ = nullptr;  ///< memory, where a file is addressed relatively
    Variable* textureCall_ = nullptr;
    Variable *memoryCall_ = nullptr, *shuffleRow_ = nullptr;
    std::map<Variable*, uint32_t> strides_;  ///< of scalar registers
    std::map<unsigned, std::array<uint32_t, 4>> literals_;

    /// What is known of a variable within a block of code.
    struct KnownMask {
        Block* block = nullptr;
        Value* mask = nullptr;
    };
    struct KnownWrite {
        Block* block = nullptr;
        Value *mask = nullptr, *value = nullptr;  ///< lanes of `mask` hold `value`
    };
    std::map<Variable*, KnownMask> knownMasks_;
    std::map<std::tuple<Value*, Value*, bool>, KnownMask> knownGuards_;
    std::map<Variable*, KnownWrite> knownWrites_;
    // Of the instruction being lowered: lanes to write (null: all), lanes whose operands count, and exec.
    Value *writeMask_ = nullptr, *readMask_ = nullptr, *readExec_ = nullptr;

    std::vector<Nest> nests_;
    size_t at_ = 0;  ///< the instruction being lowered
    uint64_t pendingCount_ = 0;
    Block *finished_ = nullptr, *outOfBudget_ = nullptr, *discarded_ = nullptr;
};

}  // namespace tessera::jit
