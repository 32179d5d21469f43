// Kernels: a compute program and the size of its blocks to a function that runs a group.
#pragma once

#include <functional>

#include "shader-core/jit/lower/isa_to_llvm.h"
#include "shader-core/jit/run/compile.h"

namespace tessera::jit {

class KernelToLlvm final : public IsaToLlvm {
public:
    KernelToLlvm(llvm::Module& module, const isa::Program& program, const Facts& facts, SimdLevel level,
                 const ThreadBlockSize& block);

private:
    friend Rows;

    void start() override;
    [[nodiscard]] Variable* predicateVariable(unsigned index, bool write) override;
    [[nodiscard]] Value* uniformGuard(const Instruction& i) override;
    [[nodiscard]] Variable* temporary(unsigned index, unsigned component, bool write) override;
    [[nodiscard]] Value* special(const LaneBuilder& l, const isa::Source& s, unsigned component) override;

    void subset(const Instruction& i) override;
    [[nodiscard]] Value* fromBlock(const isa::Source& s, unsigned component) override;
    void toBlock(const Instruction& i, unsigned component, Value* result) override;
    [[nodiscard]] Value* blockRow(size_t number, Value* group);
    void lowerBarrier(size_t at);
    [[nodiscard]] Value* kernelField(size_t offset);  ///< 32 bits
    [[nodiscard]] Value* executing();                 ///< mask of the lanes of the instruction being lowered
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
    void uniformStore(const Access& access, BasicBlock* slow, BasicBlock* done);
    [[nodiscard]] Value* inRange(const Access& access, Value* base, uint64_t bytes);
    [[nodiscard]] Value* extended(const Access& access, Value* element);
    [[nodiscard]] Value* narrowed(const Access& access, Value* value);

    const ThreadBlockSize& block_;
    const std::vector<uint32_t> readInBlock_;  ///< components, isa::componentsReadInBlock()
    Variable *memoryCall_ = nullptr, *shuffleRow_ = nullptr;
};

}  // namespace tessera::jit
