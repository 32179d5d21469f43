// Directives: stage, interface variables, constants, names.
#pragma once

#include <set>
#include <string>

#include "shader-core/asm/line_parser.h"
#include "shader-core/isa/debug_info.h"

namespace tessera::assembly {

/// Reads directives into a program and remembers what registers are taken.
class Declarations {
public:
    Declarations(isa::Program& program, Symbols& symbols) : program_(program), symbols_(symbols) {}

    /// The cursor stands behind the point.
    bool directive(LineParser& in);
    [[nodiscard]] bool hasStage() const { return hasStage_; }
    /// A line that may have given the stage could not be read.
    void lineFailed() { stageWasAsked_ = true; }
    /// Leaves the aliases with the program, whose code is complete by then, for the debugger.
    void finish();

private:
    bool stage(LineParser& in, isa::Stage stage, int column);
    bool input(LineParser& in);
    bool output(LineParser& in);
    bool varying(LineParser& in);
    bool uniform(LineParser& in);
    bool sampler(LineParser& in);
    bool block(LineParser& in);
    bool member(LineParser& in);
    bool constant(LineParser& in);
    bool temps(LineParser& in);
    bool broadcast(LineParser& in, int column);
    bool define(LineParser& in);
    bool alias(LineParser& in);
    bool buffer(LineParser& in);
    bool shared(LineParser& in);
    bool group(LineParser& in);

    bool needStage(LineParser& in, int column);
    bool needCompute(LineParser& in, int column);
    bool colorOutput(LineParser& in, int index, int column);
    bool interfaceVariable(LineParser& in, char letter, int index, int column);
    bool variable(LineParser& in, isa::Variable& variable, bool sampler, bool isVarying = false);
    bool layout(LineParser& in, isa::BlockMember& member);
    bool useMember(LineParser& in, int column, const isa::UniformBlock& block, const isa::BlockMember& member);
    struct Registers {
        char letter = 'c';
        int first = 0, count = 1, limit = 0;
        int component = 0, width = 4;
    };
    bool take(LineParser& in, int column, const Registers& wanted);
    bool add(LineParser& in, int column, std::vector<isa::Variable>& list, isa::Variable variable, char letter);
    bool name(LineParser& in, int column, std::string_view name, Symbol symbol);
    static void describe(const Symbol& symbol, isa::DebugVariable& variable);

    isa::Program& program_;
    Symbols& symbols_;
    isa::DebugInfo aliases_;
    bool hasStage_ = false, stageWasAsked_ = false;
    std::set<int> constantsTaken_, unitsTaken_;                    ///< 4 * register + component
    std::set<int> inputsTaken_, outputsTaken_;                     ///< registers
    std::set<std::string, std::less<>> blockNames_, memberNames_;  ///< members: of the last block
};

}  // namespace tessera::assembly
