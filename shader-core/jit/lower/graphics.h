// Vertex and fragment programs to a function that runs a block, or both blocks of a group.
#pragma once

#include <optional>

#include "shader-core/analysis/draw_steps.h"
#include "shader-core/jit/lower/isa_to_llvm.h"

namespace tessera::jit {

class GraphicsToLlvm final : public IsaToLlvm {
public:
    /// Of a block's lanes. Of twice as many, for which facts.pairs must hold, the function is isa::BlockCode::pair; of
    /// fewer it runs as many from the first one of the frame on (codegen/parts.h). `inlinedSize`: LaneCalls.
    GraphicsToLlvm(llvm::Module& module, const isa::Program& program, const Facts& facts, SimdLevel level,
                   unsigned lanes, int inlinedSize);

private:
    friend Rows;

    void start() override;
    void storeResults() override;
    void storeDiscarded() override;
    void retireIdleHelpers(const Nest& loop) override;
    void countBlocks() override;
    void storeCount() override;
    [[nodiscard]] Variable* predicateVariable(unsigned index, bool write) override;
    [[nodiscard]] Value* uniformGuard(const Instruction& i) override;
    [[nodiscard]] Variable* temporary(unsigned index, unsigned component, bool write) override;
    [[nodiscard]] Value* special(const LaneBuilder& l, const isa::Source& s, unsigned component) override;

    void instruction(size_t at) override;
    void computeDrawValues();
    [[nodiscard]] Value* drawValue(unsigned place);
    void lowerKil(size_t at);
    [[nodiscard]] Components texture(const Instruction& i, size_t at);

    const bool pair_, forks_;
    const analysis::DrawSteps steps_;
    std::map<uint32_t, Variable*> ofDraw_;   ///< by webs, while draw values are computed
    std::map<unsigned, Value*> drawValues_;  ///< by their places
    std::optional<ComponentNumbers> ownNumbers_;
    std::optional<Liveness> ownLive_;
    Value* wanted_ = nullptr;   ///< launch lanes that are no helpers, a bit each
    Variable* counts_[2] = {};  ///< of each block of a pair that forks
    Variable* kill_ = nullptr;
    Variable* predicates_[isa::kPredicates + 1] = {};
    Variable* textureCall_ = nullptr;
};

}  // namespace tessera::jit
