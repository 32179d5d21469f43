// Where a value goes that a user names: inputs, uniforms and samplers of a program as registers; and groups as they are
// before anything is set. Shared by the command line (tools/run/group_input.h) and the library (tools/library).
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shader-core/debug/replay/block_variable.h"
#include "shader-core/debug/replay/group.h"
#include "shader-core/debug/replay/value.h"

namespace tessera::tools {

/// A variable or register that values go to.
struct Place {
    isa::File file = isa::File::V;
    int reg = 0, component = 0;
    int rows = 4;     ///< components of a register
    int columns = 1;  ///< registers
    isa::VarType type = isa::VarType::Vec4;
    std::string order;  ///< components named one by one ("xz"); empty: from `component` on
    /// Of a member of a uniform block: where its components are, in their order, and bools are integers.
    std::vector<debug::ConstantWord> words;

    [[nodiscard]] size_t most() const { return static_cast<size_t>(rows) * static_cast<size_t>(columns); }
    /// Fewer values than components are right for a plain register only.
    [[nodiscard]] bool takes(size_t values) const {
        const bool isPlain = file != isa::File::C && columns == 1;
        return values != 0 && values <= most() && (values == most() || isPlain);
    }
    [[nodiscard]] bool holdsIntegers() const;
    /// "5 values given, it takes 4"
    [[nodiscard]] std::string countProblem(size_t given) const;
    /// put(register, component, bits) of each value; the place takes so many.
    template <class Values, class Put>
    void store(const Values& values, const Put& put) const {
        for (size_t i = 0; i < values.size(); ++i) {
            if (!words.empty()) {
                put(words[i].reg, words[i].component, values[i]);
                continue;
            }
            const int at = order.empty() ? component + static_cast<int>(i) % rows
                                         : static_cast<int>(debug::kComponents.find(order[i]));
            put(reg + static_cast<int>(i) / rows, at, values[i]);
        }
    }
};

/// An input of a program for vertices or fragments: a variable, v0.., or gl_FragCoord and its like. Nothing, and which
/// there are in `problem`, when there is no such.
[[nodiscard]] std::optional<Place> inputPlace(const isa::Program& program, std::string_view name, std::string& problem);
/// A uniform: a variable or a member of a uniform block, one of its elements, or a constant register.
[[nodiscard]] std::optional<Place> uniformPlace(const isa::Program& program, std::string_view name,
                                                std::string& problem);
/// The texture unit of a sampler, or of "t0".
[[nodiscard]] std::optional<int> samplerUnit(const isa::Program& program, std::string_view name, std::string& problem);

[[nodiscard]] bool isInteger(isa::VarType type);

/// A group with what a program reads that nobody sets: inputs are (0, 0, 0, 1), uniforms 0, the lanes of a fragment
/// program pixels from x, y (up) on, those of a vertex program vertices from x on. `wanted` are its lanes; quads are
/// made whole where it takes derivatives.
[[nodiscard]] debug::Group groupAt(std::shared_ptr<const isa::Program> program, uint32_t wanted, int x, int y);

/// What an output holds; a vector of four floats where the program does not say.
[[nodiscard]] isa::VarType outputType(const isa::Program& program, int output);
/// The name of an output as its program knows it: "gl_Position", "v_color", "gl_FragColor".
[[nodiscard]] std::string outputName(const isa::Program& program, int output);

}  // namespace tessera::tools
