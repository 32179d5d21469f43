// The vertex stage: unique vertices of a chunk through the vertex program, in groups of 32, and to the window.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "pipeline/geometry/geometry_functions.h"
#include "pipeline/units/texture_units.h"

namespace tessera::pipeline {

/// Constant registers as an executor wants them: the recorded values, extended to Program::constantCount with zero,
/// literals filled in. Serves both stages. What `to` held is lost.
void fillConstants(const isa::Program& program, std::span<const ConstantRegister> recorded,
                   std::vector<std::array<float, 4>>& to);

/// The same where they are recorded so already: `recorded` itself; else they are made in `memory`.
[[nodiscard]] std::span<const ConstantRegister> filledConstants(const isa::Program& program,
                                                                std::span<const ConstantRegister> recorded,
                                                                std::vector<ConstantRegister>& memory);

/// The shaded vertices of a chunk: records of position x y z w and then four floats for each varying that the fragment
/// program reads, in the order of their registers; and what assembly wants of each (VertexArrays).
/// Memory is kept from chunk to chunk.
class ShadedVertices {
public:
    /// Makes room for `count` vertices and up to a group more; registers of distances count as varyings. Contents are
    /// lost.
    void reserve(size_t count, int varyings);

    [[nodiscard]] const VertexArrays& arrays() const { return arrays_; }
    [[nodiscard]] const float* position(uint32_t vertex) const {
        return arrays_.records + size_t{vertex} * arrays_.stride;
    }
    [[nodiscard]] float pointSize(uint32_t vertex) const { return arrays_.pointSize[vertex]; }
    [[nodiscard]] const float* attributes(uint32_t vertex) const { return position(vertex) + 4; }

private:
    VertexArrays arrays_;
    std::vector<float> records_, pointSize_;
    std::vector<uint32_t> code_;
    std::vector<int32_t> x_, y_;
    std::vector<double> z_, inverseW_;
};

/// Registers of a group of 32 vertices, kept by each worker so that small draws need not clear them. Lanes that are not
/// active hold whatever was there before.
struct VertexRegisters {
    isa::GroupRegister inputs[isa::kMaxAttributes] = {};
    isa::GroupRegister specials[isa::kSpecials] = {};
    std::vector<isa::GroupRegister> outputs;               ///< of several groups, those that the program writes
    isa::GroupRegister distances[kMaxDistances / 4] = {};  ///< of the group at hand, four to a register
    isa::DrawValues values, positionValues;                ///< of the vertex program, and of its part for positions
    uint64_t valuesOf = 0;                                 ///< VertexStage::number_ of the draw that they are of
};

/// A draw's vertex program, ready to run from several threads at once. `draw` must outlive it.
class VertexStage {
public:
    /// `probe`: as of DrawTextureUnits.
    explicit VertexStage(const Draw& draw, const DrawProbe& probe = {});

    enum class Result : uint8_t {
        Shaded,
        Rejected,   ///< all vertices have a code of `rejecting` in common: `out` is not valid
        Abandoned,  ///< the program exceeded its instruction budget: the draw is to be abandoned
        Stopped,    ///< `stop` was set: `out` is not valid
    };
    /// Shades keys into `out` and projects them to the window of `setup`; adds the instructions executed to
    /// *instructions. `stop`, which may be null, is looked at before each group.
    [[nodiscard]] Result run(std::span<const VertexKey> keys, const SetupState& setup,
                             const GeometryFunctions& functions, uint32_t rejecting, const std::atomic<bool>* stop,
                             VertexRegisters& registers, ShadedVertices& out, uint64_t* instructions) const;

    /// The program's outputs of all keys, as it writes them: group after group in `registers.outputs`, outputsOfGroup()
    /// registers each. Shaded, Abandoned or Stopped.
    [[nodiscard]] Result outputs(std::span<const VertexKey> keys, const GeometryFunctions& functions,
                                 const std::atomic<bool>* stop, VertexRegisters& registers,
                                 uint64_t* instructions) const;
    [[nodiscard]] size_t outputsOfGroup() const;
    [[nodiscard]] bool writes(int output) const;  ///< the o register

    [[nodiscard]] std::span<const ConstantRegister> constants() const { return constants_; }
    [[nodiscard]] int varyingCount() const { return varyings_; }

private:
    /// The vertex program, or its part for positions.
    struct Part {
        const isa::Program* program;
        const isa::Routine* routine;  ///< null: there is no such part
        isa::DrawValues VertexRegisters::* values;
    };
    /// Fetches and shades a group: lanes beyond `lanes` are not active.
    [[nodiscard]] Result shadeGroup(const Part& part, const VertexKey* keys, int lanes,
                                    const GeometryFunctions& functions, const std::atomic<bool>* stop,
                                    VertexRegisters& registers, isa::GroupRegister* outputs,
                                    uint64_t* instructions) const;
    void fetch(const isa::Program& program, const VertexKey* keys, int lanes, const GeometryFunctions& functions,
               VertexRegisters& registers) const;
    static void fillSpecials(const isa::Program& program, const VertexKey* keys, int lanes, VertexRegisters& registers);
    [[nodiscard]] bool shade(const Part& part, int lanes, VertexRegisters& registers, isa::GroupRegister* outputs,
                             uint64_t* instructions) const;
    [[nodiscard]] ShadedGroup shadedGroup(const isa::GroupRegister* outputs) const;
    /// finishGroup(), and what distances make of the codes.
    void finish(const isa::GroupRegister* outputs, const SetupState& setup, const GeometryFunctions& functions,
                int lanes, uint32_t first, VertexRegisters& registers, ShadedVertices& out) const;

    /// What the registers' values are of is this draw.
    void begin(VertexRegisters& registers) const;

    const Draw& draw_;
    const isa::Program& program_;
    const uint64_t number_;  ///< no other stage of the process has it
    const Part whole_;
    Part positions_ = {};
    std::vector<ConstantRegister> ownConstants_;
    std::span<const ConstantRegister> constants_;  ///< recorded ones or the own
    mutable DrawProbe probe_;
    DrawTextureUnits textures_;
    bool flipsY_ = false, widensDepth_ = false;
    VertexDistances distances_;  ///< that are looked at
    int varyings_ = 0;
    int8_t varyingOutput_[isa::kMaxVaryings];  ///< o register of each varying; -1: never written, reads 0
};

}  // namespace tessera::pipeline
