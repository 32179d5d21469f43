#include "shader-core/analysis/stage_facts.h"

#include <algorithm>

#include "shader-core/analysis/execution_bound.h"
#include "shader-core/analysis/positions.h"
#include "shader-core/analysis/routines.h"

namespace tessera::analysis {

StageFacts factsOfStage(const isa::Program& program) {
    StageFacts facts;
    facts.mayOverrun = mayOverrun(program);
    facts.derivesInLoops = program.usesDerivatives && hasLoops(program);
    facts.picture = pictureOf(program);
    if (program.stage == isa::Stage::Vertex && !facts.mayOverrun) facts.positions = positionsOf(program);
    return facts;
}

}  // namespace tessera::analysis
