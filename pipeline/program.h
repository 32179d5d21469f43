// Programs as the pipeline runs them: stages with their routines or kernel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <numeric>

#include "pipeline/limits.h"
#include "shader-core/analysis/stage_facts.h"
#include "shader-core/isa/core.h"

namespace tessera::pipeline {

/// The stages that a draw runs through.
inline constexpr isa::Stage kDrawStages[] = {isa::Stage::Vertex, isa::Stage::Fragment};
inline constexpr size_t kAllStages = static_cast<size_t>(isa::Stage::Compute) + 1;

/// One thing for each stage of a draw, or for each that there is.
template <class T, size_t kStages = std::size(kDrawStages)>
struct PerStage {
    std::array<T, kStages> each{};
    [[nodiscard]] T& operator[](isa::Stage stage) { return each[static_cast<size_t>(stage)]; }
    [[nodiscard]] const T& operator[](isa::Stage stage) const { return each[static_cast<size_t>(stage)]; }
};

using analysis::Picture;

/// A stage of a program; all null where it has none.
struct ProgramStage {
    std::shared_ptr<const isa::Program> program;
    std::shared_ptr<const isa::Routine> routine;           ///< of kDrawStages
    std::shared_ptr<const isa::Kernel> kernel;             ///< of the compute stage, for blocks of Program::block
    analysis::StageFacts facts;                            ///< of kDrawStages
    std::shared_ptr<const isa::Routine> positionsRoutine;  ///< of facts.positions
};

using isa::Interpolation;

/// Where a vertex program puts distances (EXT_clip_cull_distance): a component of an output.
struct VertexDistance {
    uint8_t output = 0, component = 0;
};
/// Clip distances, and behind them cull distances.
struct VertexDistances {
    int clip = 0, cull = 0;  ///< how many there are of either
    std::array<VertexDistance, kMaxDistances> place{};

    /// Those that a draw looks at: clip distances whose bit is set in `enabled`, and all cull distances.
    [[nodiscard]] VertexDistances lookedAt(uint32_t enabled) const;
    [[nodiscard]] int count() const { return clip + cull; }
};
/// A vertex program's: its varyings gl_ClipDistance and gl_CullDistance, which are arrays of floats. What is beyond
/// kMaxDistances is left out.
[[nodiscard]] VertexDistances distancesOf(const isa::Program& vertex);

/// What is linked and drawn with, or dispatched: stages with their routines or kernel. Made once per link.
struct Program {
    PerStage<ProgramStage, kAllStages> stages;
    std::array<uint32_t, 3> block{};  ///< threads of the compute stage's blocks
    uint32_t name = 0;                ///< the application's name for the program, for tools
    /// The vertex program's varying that each varying register of the fragment program takes; -1: none, it reads 0.
    /// Programs that were linked together number them alike.
    std::array<int8_t, isa::kMaxVaryings> varyingSource = sameVaryings();
    /// Of each varying register of the fragment program.
    std::array<Interpolation, isa::kMaxVaryings> interpolation{};
    VertexDistances distances;  ///< of the vertex program
    /// A draw of it overran: later ones do nothing, so that a shader that never ends costs a moment once and not in
    /// every frame. The command processor's.
    mutable bool isBanned = false;

    [[nodiscard]] const isa::Program& vertex() const { return *stages[isa::Stage::Vertex].program; }
    [[nodiscard]] const isa::Program& fragment() const { return *stages[isa::Stage::Fragment].program; }
    /// The varyings that the fragment program reads, numbered in the order of their registers, which have the
    /// interpolation: bit k is that of varying k.
    [[nodiscard]] uint32_t varyingsWith(Interpolation one) const;
    /// Sets `interpolation` as the fragment program declares its varyings.
    void interpolateAsDeclared();

private:
    static constexpr std::array<int8_t, isa::kMaxVaryings> sameVaryings() {
        std::array<int8_t, isa::kMaxVaryings> same{};
        std::iota(same.begin(), same.end(), int8_t{0});
        return same;
    }
};

using ConstantRegister = std::array<float, 4>;

}  // namespace tessera::pipeline
