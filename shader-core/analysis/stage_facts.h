// What the pipeline wants to know of a vertex or fragment program. Found out once, when the program is linked, and kept
// with it.
#pragma once

#include <memory>

#include "shader-core/analysis/picture.h"
#include "shader-core/isa/core.h"

namespace tessera::analysis {

/// The defaults are what nothing is concluded from.
struct StageFacts {
    bool mayOverrun = true;      ///< see mayOverrun() in execution_bound.h
    bool derivesInLoops = true;  ///< has loops and reads other lanes of its quads, so that it matters who is in a loop
    bool readsSample = false;    ///< a fragment program that is run for each sample (isa/sample_words.h)
    Picture picture;             ///< see picture.h
    /// See positions.h; null: none is known.
    std::shared_ptr<const isa::Program> positions;
};

[[nodiscard]] StageFacts factsOfStage(const isa::Program& program);

}  // namespace tessera::analysis
