// The vertex stage: unique vertices of a chunk through the vertex program, in groups of 32.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "pipeline/texture_units.h"
#include "pipeline/vertex_fetch.h"

namespace tessera::pipeline {

/// Constant registers as an executor wants them: the recorded values, extended to Program::constantCount with zero,
/// literals filled in. Serves both stages.
[[nodiscard]] std::vector<std::array<float, 4>> shaderConstants(const isa::Program& program,
                                                                const std::vector<std::array<float, 4>>* recorded);

/// Shaded vertices, one record after another: position x y z w, point size, three unused, then four floats for each
/// varying that the fragment program reads, in the order of the set bits of its inputMask.
struct ShadedVertices {
    static constexpr int kPointSize = 4, kAttributes = 8;
    int stride = kAttributes;
    std::vector<float> data;

    [[nodiscard]] const float* position(uint32_t vertex) const { return data.data() + size_t{vertex} * stride; }
    [[nodiscard]] float pointSize(uint32_t vertex) const { return position(vertex)[kPointSize]; }
    [[nodiscard]] const float* attributes(uint32_t vertex) const { return position(vertex) + kAttributes; }
};

/// The post-transform cache: gives every distinct vertex of a chunk a number in order of first use, so that each is
/// shaded once.
class VertexCache {
public:
    void clear();
    uint32_t add(VertexKey key);
    [[nodiscard]] std::span<const VertexKey> keys() const { return keys_; }

private:
    void grow();
    std::vector<VertexKey> keys_;
    std::vector<uint32_t> slots_;  ///< vertex number + 1, or 0; open addressing, a power of two
};

/// Registers of a group of 32 vertices: 19 KB, kept by each worker so that small draws need not clear them. Lanes that
/// are not active hold whatever was there before.
struct VertexRegisters {
    isa::GroupRegister inputs[isa::kMaxInputs] = {};
    isa::GroupRegister outputs[isa::kMaxOutputs] = {};
    isa::GroupRegister specials[isa::kSpecials] = {};
};

/// A draw's vertex program, ready to run from several threads at once. `draw` must outlive it.
class VertexStage {
public:
    explicit VertexStage(const Draw& draw);

    /// Shades keys into `out`; adds the instructions executed to *instructions. False when the program exceeded its
    /// instruction budget: the draw is to be abandoned.
    [[nodiscard]] bool run(std::span<const VertexKey> keys, VertexRegisters& registers, ShadedVertices& out,
                           uint64_t* instructions) const;

    [[nodiscard]] int varyingCount() const { return static_cast<int>(varyingOutput_.size()); }

private:
    void scatter(const isa::GroupRegister* outputs, int lanes, float* to, int stride) const;

    const Draw& draw_;
    const isa::Program& program_;
    std::vector<std::array<float, 4>> constants_;
    DrawTextureUnits textures_;
    std::vector<int> varyingOutput_;  ///< o register of each varying; -1: never written, reads 0
};

}  // namespace tessera::pipeline
