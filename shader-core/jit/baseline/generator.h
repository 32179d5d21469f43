// A program to machine code, instruction by instruction.
//
// A value is sixteen lanes: two vectors of eight, or four of four, its parts. Straight code is written for one part
// after the other, so that the values of a part mostly fit the registers (values.h); the processor overlaps the parts.
// What needs all lanes ends such a piece: control, lookups, and operations that are called (steps.h). There all values
// are in their rows, in memory. Registers that an operand reaches relative to a0.x are gathered to rows by a call
// before the instruction, and scattered by one behind it.
//
// A routine of the program is one of the host's. Nothing of it is on the stack but the place to return to, as no
// routine calls itself: each has its own rows for the masks of its nests, and all have the same for the registers.
//
// Nests and where lanes meet are those of analysis/nests.h: lanes that execute are a row of masks, `exec`; a
// write of a component whose other lanes are of use (liveness.h) chooses between new and old value.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "shader-core/analysis/facts.h"
#include "shader-core/analysis/liveness.h"
#include "shader-core/analysis/nests.h"
#include "shader-core/analysis/routines.h"
#include "shader-core/jit/baseline/macro_assembler.h"
#include "shader-core/jit/baseline/steps.h"
#include "shader-core/jit/baseline/values.h"
#include "shader-core/jit/run/frame.h"

namespace tessera::jit {

using analysis::ComponentNumbers;
using analysis::Facts;
using analysis::Liveness;
using analysis::Routine;

class Generator {
public:
    /// `facts` of a program that canGenerate() at the level.
    Generator(const isa::Program& program, const Facts& facts, SimdLevel level);
    [[nodiscard]] static bool canGenerate(const isa::Program& program, const Facts& facts, SimdLevel level);

    void run();
    [[nodiscard]] std::vector<uint8_t> finish(size_t* codeBytes) { return a_.finish(codeBytes); }
    /// isa::BlockCode::inputComponents.
    [[nodiscard]] const isa::ComponentMasks& inputComponents() const { return inputComponents_; }

private:
    using Instruction = isa::Instruction;
    /// What is written for each part.
    using EachPart = std::function<void()>;

    /// An operand: a pinned vector or a constant.
    struct Operand {
        VectorOperand where;
        bool isRaw = false;
        Operand(VectorOperand w, bool raw = false) : where(w), isRaw(raw) {}  // NOLINT(google-explicit-constructor)
    };
    struct Result {
        Vector at = 0;
        bool isRaw = false;
        bool isMask = false;  ///< all bits where a comparison holds, and not 1.0
    };
    /// What is made for one of nests_.
    struct Nest {
        Label meet{0}, after{0}, header{0};
        uint32_t waiting = 0;  ///< rows: lanes of the other side, or that left by brk; this and the next two
        [[nodiscard]] uint32_t continuing() const { return waiting + 1; }
        [[nodiscard]] uint32_t saved() const { return waiting + 2; }
    };

    // --- The function ---
    void prologue();
    void epilogue();
    void routine(const Routine& routine);
    void storeOutputs();  ///< of the part
    void straight(size_t begin, size_t end, size_t live, const EachPart& before);
    void inlined(size_t at);
    /// Whether it is written in place.
    [[nodiscard]] static bool isInline(const Instruction& i, SimdLevel level);

    // --- Rows ---
    [[nodiscard]] Place row(uint32_t number) const;  ///< of the part
    [[nodiscard]] Place wholeRow(uint32_t number) const {
        return {Base::Rows, static_cast<int32_t>(number * kRowBytes)};
    }
    [[nodiscard]] Place ofPart(Base base, size_t offset) const;
    [[nodiscard]] static Place field(size_t offset) { return {Base::Frame, static_cast<int32_t>(offset)}; }
    void eachPart(const EachPart& body);
    void save(Vector v);

    // --- Operands ---
    [[nodiscard]] Operand source(const Instruction& i, int s, int component);
    [[nodiscard]] Operand modified(const Instruction& i, int s, int component);
    [[nodiscard]] Operand rawSource(const isa::Source& s, int component, bool isInteger);
    [[nodiscard]] Operand named(uint32_t name);  ///< a component, or exec
    /// A row of memory that nobody writes: an input, a special, or a constant in all lanes.
    [[nodiscard]] Operand kept(uint32_t name, Place from, bool broadcasts);
    [[nodiscard]] Operand gathered(int s, int component);
    [[nodiscard]] Operand laneNumber(unsigned component);
    [[nodiscard]] Vector inVector(const Operand& operand);
    [[nodiscard]] std::optional<uint32_t> known(const Instruction& i, int s, int component) const;
    void makeCanonical(Vector v);
    void makeCanonical(Operand& operand);  ///< a vector that isRaw

    // --- What is computed ---
    void compute(const Instruction& i, unsigned wanted, std::array<Result, 4>& results);
    [[nodiscard]] Result component(const Instruction& i, int c);
    [[nodiscard]] Result copied(const Result& result);
    [[nodiscard]] Result binary(VectorOp op, const Operand& a, const Operand& b, bool isRaw);
    [[nodiscard]] Vector notZero(const Operand& x, bool isFloat);
    [[nodiscard]] Result comparison(const Instruction& i, const Operand& a, const Operand& b);
    [[nodiscard]] Result extremum(const Instruction& i, int component, const Operand& a, const Operand& b);
    [[nodiscard]] Result dot(const Instruction& i, int components);
    template <class Keep>
    void normalise(const Instruction& i, unsigned wanted, const Keep& keep);

    // --- Writes ---
    void writeAll(size_t at, unsigned wanted, std::array<Result, 4>& results);
    void write(size_t at, uint32_t name, const Result& result);
    void toPredicate(const Instruction& i, Result& result);
    void saturate(Result& result);
    /// Lanes to write, pinned; nothing: all.
    [[nodiscard]] std::optional<Vector> writeMask(size_t at, uint32_t component);
    [[nodiscard]] Vector guardMask(const Instruction& i);
    [[nodiscard]] uint32_t destination(const Instruction& i, int component) const;
    [[nodiscard]] static unsigned componentsWritten(const Instruction& i) {
        return i.dst.file == isa::File::P ? 1 : i.dst.writeMask;
    }
    /// Components of the result that somebody reads.
    [[nodiscard]] unsigned wantedOf(size_t at) const;
    /// Where what is needed behind the instruction is live: a relative result is still to be scattered.
    [[nodiscard]] size_t liveBehind(size_t at) const { return facts_.code[at].dst.relative ? at : at + 1; }

    // --- What is called ---
    void callStep(Step step, const std::array<uint32_t, 3>& operands, uint32_t result);
    void steps(size_t begin, size_t at);
    void lighting(size_t begin, size_t at);
    void texture(size_t begin, size_t at);
    void askOwn(size_t begin, size_t at);
    void askUnits(size_t begin, size_t at);
    void storeOperand(const Instruction& i, int s, int component, Place to);
    void storeMoved(const Instruction& i, int component, uint32_t by, Place to);
    void gatherRelative(size_t at);
    void scatter(size_t at);
    [[nodiscard]] Reach reachOf(isa::File file, unsigned index, unsigned components) const;
    void writeRows(size_t at, unsigned wanted, const std::function<VectorOperand(int)>& from);

    // --- Control ---
    void control(size_t at);
    void lowerIf(size_t at);
    void lowerElse(size_t at);
    void lowerEndif(size_t at);
    void lowerLoop(size_t at);
    void lowerEndloop(size_t at);
    void lowerJump(size_t at);
    void lowerRet(size_t at);
    void lowerCall(size_t at);
    void lowerKil(size_t at);
    void retireIdleHelpers(const Nest& loop);
    void flushCount();
    /// Else to where lanes wait, at or around a nest.
    void goOnIfLanesLeft(uint32_t nest);
    [[nodiscard]] bool isPlain(size_t at) const { return analysis::isPlain(facts_, at); }
    /// The row of lanes at an instruction.
    [[nodiscard]] uint32_t lanesAt(size_t at) const { return facts_.at[at].divergent ? exec_ : launch_; }
    [[nodiscard]] Nest& madeOf(size_t at) { return made_[nests_.innermost[at]]; }
    [[nodiscard]] uint32_t newRows() { return nestRows_ + kRowsOfNest * usedRows_++; }
    void bitsOf(uint32_t number, Bits to);
    void lanesFromBits(Bits from, uint32_t to);
    void guardBits(size_t at);
    void takenBits(size_t at);
    void copyRow(uint32_t from, uint32_t to);
    void addRow(uint32_t from, uint32_t to);
    void clearRow(uint32_t number);
    void splitLanes(size_t at, bool keepsHolding, uint32_t others, bool adds);

    static constexpr uint32_t kRowBytes = 64, kRowsOfNest = 3, kNoRow = UINT32_MAX;
    static constexpr uint32_t kOneBits = 0x3f800000, kSignBit = 0x80000000, kAllBits = 0xFFFFFFFF;
    static constexpr size_t kComponentBytes = isa::kGroupSize * sizeof(float);
    static constexpr size_t registerOffset(unsigned index, unsigned component) {
        return index * sizeof(isa::GroupRegister) + component * kComponentBytes;
    }
    const isa::Program& program_;
    const Facts& facts_;
    const SimdLevel level_;
    const ComponentNumbers numbers_;
    const Liveness live_;
    std::vector<std::optional<std::array<uint32_t, 4>>> literals_;
    MacroAssembler a_;
    Values values_;
    uint32_t part_ = 0;
    const uint32_t parts_;
    EachPart after_;  ///< of the call before: its results
    isa::ComponentMasks inputComponents_;

    // Rows behind those of the components
    const uint32_t exec_, launch_, kill_, scratch_, gathered_, lookup_, call_, nestRows_;
    uint32_t usedRows_ = 0;
    const analysis::Nests nests_;
    std::vector<Nest> made_;  ///< of each of nests_
    bool hasControl_ = false;
    uint32_t pendingCount_ = 0;
    const std::vector<Routine> routines_;
    std::vector<Label> starts_;  ///< of routines
    Label finished_{0};          ///< of the routine that is being written
    Label outOfBudget_{0}, discarded_{0}, leave_{0};
};

}  // namespace tessera::jit
