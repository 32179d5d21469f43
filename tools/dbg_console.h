// The debugger's command language: lines of text in, text out.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "shader-core/debug/session.h"

namespace tessera::tools {

class DebugConsole {
public:
    DebugConsole(debug::Session& session, std::ostream& out);

    /// Executes one line; false when the session is to end. Nothing that is written can do harm.
    bool execute(const std::string& line);
    /// Where the session stands: lanes, source line, instruction.
    void showPosition();
    /// Whether a command could not be carried out, since the start.
    [[nodiscard]] bool hadErrors() const { return hadErrors_; }

private:
    using Words = std::vector<std::string>;
    struct Command;
    static const std::vector<Command>& commands();

    void fail(const std::string& what);
    void stopped(const debug::Stopped& stopped);
    void help(const Words& words);
    void breakAt(const Words& words);
    void watch(const Words& words);
    void deleteBreakpoint(const Words& words);
    void listBreakpoints(const Words& words);
    void stepInstruction(const Words& words);
    void reverseInstruction(const Words& words);
    void goTo(const Words& words);
    void print(const Words& words);
    void lanes(const Words& words);
    void set(const Words& words);
    void registers(const Words& words);
    void stack(const Words& words);
    void list(const Words& words);
    void disassemble(const Words& words);
    void selectLane(const Words& words);
    void selectGroup(const Words& words);

    [[nodiscard]] bool laneWord(const Words& words, size_t from, debug::Breakpoint& breakpoint);
    [[nodiscard]] std::string sourceLine(uint32_t line) const;
    [[nodiscard]] std::string laneText(int lane) const;
    [[nodiscard]] char laneState(int lane) const;
    [[nodiscard]] std::string instructionLine(uint32_t pc) const;

    debug::Session& session_;
    std::ostream& out_;
    std::vector<std::string> source_;  ///< lines of the program's text
    std::string last_;                 ///< command that an empty line repeats
    bool hadErrors_ = false;
};

}  // namespace tessera::tools
