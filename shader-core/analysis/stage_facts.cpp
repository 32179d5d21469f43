#include "shader-core/analysis/stage_facts.h"

#include <algorithm>

#include "shader-core/analysis/execution_bound.h"
#include "shader-core/analysis/positions.h"
#include "shader-core/analysis/routines.h"
#include "shader-core/isa/isa.h"
#include "shader-core/isa/sample_words.h"

namespace tessera::analysis {

namespace {

bool readsSample(const isa::Program& program) {
    constexpr int kRegister = static_cast<int>(isa::Special::PointCoord);
    if (program.stage != isa::Stage::Fragment || !program.specialMask.has(kRegister)) return false;
    return std::ranges::any_of(program.code, [](const isa::Word& word) {
        const std::optional<isa::Instruction> i = isa::decode(word);
        if (!i) return false;
        for (int s = 0; s < isa::sourceCount(isa::opInfo(i->op).shape); ++s) {
            const isa::Source& source = i->src[s];
            if (source.file != isa::File::S || source.index != kRegister) continue;
            for (int c = 0; c < 4; ++c)
                if ((isa::componentsRead(*i, s) >> c & 1) != 0 &&
                    isa::swizzleAt(source.swizzle, c) == isa::kSampleComponent)
                    return true;
        }
        return false;
    });
}

}  // namespace

StageFacts factsOfStage(const isa::Program& program) {
    StageFacts facts;
    facts.mayOverrun = mayOverrun(program);
    facts.derivesInLoops = program.usesDerivatives && hasLoops(program);
    facts.readsSample = readsSample(program);
    facts.picture = pictureOf(program);
    if (program.stage == isa::Stage::Vertex && !facts.mayOverrun) facts.positions = positionsOf(program);
    return facts;
}

}  // namespace tessera::analysis
