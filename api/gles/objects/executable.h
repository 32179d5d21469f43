// What a successful link makes: routines, active variables, and the values of the uniforms.
//
// Uniform values live in one array of constant registers for each stage, laid out as the programs read them, so that
// recording a draw copies each at most once, and not at all when the last draw's copy is still right. A uniform that
// both stages use is written to both. Registers of uniform blocks are filled when a draw is recorded, with what the
// buffers hold then (docs/adr/0043-uniform-blocks-are-constants.md).
#pragma once

#include <array>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/gles/gles.h"
#include "api/gles/limits.h"
#include "api/gles/objects/buffer.h"
#include "api/gles/objects/feedback.h"
#include "api/gles/recorder.h"
#include "pipeline/program.h"
#include "shader-core/isa/built_in_uniforms.h"
#include "shader-core/isa/program.h"

namespace tessera::gles {

struct Uniform {
    struct Place {
        int first = -1;         ///< register (samplers: unit); -1: not in that stage
        uint8_t component = 0;  ///< of the registers, where the value starts
    };
    isa::Variable variable;           ///< its register is of the stage it was first met in: use `places`
    int columns = 1, components = 1;  ///< of an element: registers, and components of each
    bool isBool = false;
    pipeline::PerStage<Place> places;
    GLint firstLocation = -1;  ///< -1 for the built-in gl_* uniforms and members of blocks
    std::vector<GLint> units;  ///< samplers: texture image unit of each element
    /// Of a member of a uniform block, which has no place of its own; -1: it is none.
    GLint block = -1, offset = -1, arrayStride = -1, matrixStride = -1;
    bool rowMajor = false;

    [[nodiscard]] int elements() const { return variable.arraySize == 0 ? 1 : variable.arraySize; }
    [[nodiscard]] bool isArray() const { return variable.arraySize != 0; }
    [[nodiscard]] bool isSampler() const { return isa::isSampler(variable.type); }
};

/// An active uniform block, or an element of an array of such.
struct UniformBlock {
    struct Place {
        bool isActive = false;
        uint16_t reg = 0, registers = 0;  ///< 0: the stage reads nothing of it
    };
    std::string name;  ///< "Lights", "Lights[1]"
    uint32_t byteSize = 0;
    std::vector<GLuint> members;  ///< of Executable::uniforms; elements of an array have the same
    pipeline::PerStage<Place> places;
    GLuint binding = 0;  ///< glUniformBlockBinding
};

/// The type of sampler that each texture image unit is read with.
class SamplerUnits {
public:
    SamplerUnits() { types_.fill(isa::VarType::Float); }
    /// False when a unit has samplers of two types.
    [[nodiscard]] bool add(const std::vector<Uniform>& uniforms);

private:
    std::array<isa::VarType, kMaxCombinedTextureUnits> types_;  ///< Float: not read
};

/// "lights[2]" to "lights" and 2; false when the name has no index at its end.
[[nodiscard]] bool splitIndex(std::string_view name, std::string_view& base, int& index);

/// A variable's name as glGetActive* spells it: that of an array ends in "[0]".
[[nodiscard]] inline std::string activeName(const isa::Variable& variable) {
    return variable.arraySize == 0 ? variable.name : variable.name + "[0]";
}

inline constexpr const char* kSamplerConflictMessage =
    "ERROR: samplers of different types use the same texture image unit\n";

class Executable {
public:
    /// The programs have passed isa::verify(); one of them may be null. Nothing is made when `*error` is set: variables
    /// out of their register files, or declared differently in the two stages.
    static std::shared_ptr<Executable> make(std::shared_ptr<const isa::Program> vertex,
                                            std::shared_ptr<const isa::Program> fragment, isa::Executor& executor,
                                            uint32_t name, std::string* error);

    /// With one stage the other is empty, and draws take one that is joined of two such (ProgramPipeline).
    std::shared_ptr<const pipeline::Program> program;
    [[nodiscard]] bool has(isa::Stage stage) const { return program->stages[stage].program != nullptr; }
    uint32_t blendSupport = 0;  ///< glsl::LinkResult::blendSupport, of the fragment shader
    int views = 1;              ///< that the vertex shader is for (OVR_multiview)
    bool separable = false;     ///< EXT_separate_shader_objects
    std::vector<isa::Variable> attributes;
    bool readsVertexId = false;  ///< vertices differ by their number alone (gl_VertexID)
    std::vector<Uniform> uniforms;
    std::vector<UniformBlock> blocks;
    CapturedVaryings captured;

    struct Element {
        Uniform* uniform = nullptr;
        int index = 0;
    };
    /// Null uniform when no element has that location.
    [[nodiscard]] Element at(GLint location) {
        if (location < 0 || static_cast<size_t>(location) >= locations_.size()) return {};
        const auto [uniform, element] = locations_[static_cast<size_t>(location)];
        return {&uniforms[static_cast<size_t>(uniform)], element};
    }
    [[nodiscard]] GLint uniformLocation(std::string_view name) const;
    [[nodiscard]] GLint attributeLocation(std::string_view name) const;

    /// Writes `count` elements from `index` on (those beyond the array's end are ignored). Each is columnCount x
    /// componentCount values, column by column; booleans become 1.0 and 0.0. Samplers take texture image units.
    void set(const Element& first, int count, const GLfloat* values);
    void set(const Element& first, int count, const GLint* values);
    void set(const Element& first, int count, const GLuint* values);
    /// Reads one element, column by column: floats as they are, the others as numbers.
    void get(const Element& element, std::array<double, 16>& values) const;

    void setDepthRange(const GLfloat (&range)[2]) {
        if (readsDepthRange_) writeDepthRange(range);
    }
    /// gl_ViewID_OVR of what is drawn from now on.
    void setView(GLuint view) {
        if (readsView_ && view != writtenView_) writeView(view);
    }
    /// Two samplers of different type on one texture image unit: such a program must not draw.
    [[nodiscard]] bool hasSamplerConflict() const { return samplerConflict_; }

    /// The registers of a stage as a draw that is recorded now takes them. What commands are still writing to a buffer
    /// of a block is waited for.
    [[nodiscard]] std::span<const pipeline::ConstantRegister> recordConstants(isa::Stage stage, Recorder& recorder,
                                                                              const UniformBuffers& buffers) {
        Stage& from = stages_[stage];
        if (!from.blocks.empty()) findChanges(from, buffers);
        if (from.copiedTo != recorder.bufferNumber()) {
            from.copy = from.blocks.empty() ? recorder.keep(from.registers) : copyWithBlocks(from, recorder, buffers);
            from.copiedTo = recorder.bufferNumber();
        }
        return from.copy;
    }

private:
    bool addUniforms(const isa::Program& program, std::string* error);
    class BlockBuilder;
    template <class Value>
    void writeElements(const Element& first, int count, const Value* values);
    /// The uniform's elements have so many components.
    template <int kComponents, class Value>
    void write(const Uniform& uniform, int element, int count, const Value* values);
    void writeDepthRange(const GLfloat (&range)[2]);
    void writeView(GLuint view);
    void updateSamplerConflict();

    /// What the registers of a block were filled with.
    struct BlockSource {
        uint64_t contents = 0;  ///< of the buffer
        GLintptr offset = 0;
        size_t bytes = 0;
        bool operator==(const BlockSource&) const = default;
    };
    struct StageBlock {
        size_t block = 0;  ///< of `blocks`
        uint16_t reg = 0, registers = 0;
        BlockSource source;
    };
    struct Stage {
        std::vector<pipeline::ConstantRegister> registers;  ///< those of blocks are not looked at
        std::vector<StageBlock> blocks;                     ///< that the stage reads, by register
        uint64_t copiedTo = 0;  ///< the buffer that holds `copy`, made of the registers as they are; 0: none
        std::span<const pipeline::ConstantRegister> copy;
    };
    /// Forgets the copy when it has not what the buffers hold.
    void findChanges(Stage& stage, const UniformBuffers& buffers);
    [[nodiscard]] std::span<const pipeline::ConstantRegister> copyWithBlocks(const Stage& stage, Recorder& recorder,
                                                                             const UniformBuffers& buffers) const;
    pipeline::PerStage<Stage> stages_;
    struct Location {
        int uniform = 0, element = 0;
    };
    std::vector<Location> locations_;
    Uniform* depthRange_[std::size(isa::kDepthRangeUniforms)] = {};  ///< null where the programs have none
    bool readsDepthRange_ = false;                                   ///< they have one
    Uniform view_;                                                   ///< gl_ViewID_OVR
    bool readsView_ = false;
    GLuint writtenView_ = 0;
    bool samplerConflict_ = false;
};

}  // namespace tessera::gles
