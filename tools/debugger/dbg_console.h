// The debugger's command language: lines of text in, text out.
#pragma once

#include <iosfwd>
#include <optional>
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
    /// An expression as `print` takes it: perhaps with a format behind it ("z.x/x"), which a format given replaces.
    [[nodiscard]] static std::optional<debug::Expression> parse(const debug::Session& session, const std::string& text,
                                                                std::optional<debug::Format>& format,
                                                                std::string& error);
    /// Whole words that could stand where the last word of a line is: commands first, names behind them.
    [[nodiscard]] std::vector<std::string> completions(const std::string& line) const;

private:
    /// What stands behind a command: its words, and "f", "i", "u" or "x" of command/x.
    struct Arguments : std::vector<std::string> {
        std::optional<debug::Format> format;
        [[nodiscard]] std::string text(size_t from = 0) const;  ///< the words again, with single spaces
    };
    struct Command;
    static const std::vector<Command>& commands();

    void fail(const std::string& what);
    void stopped(const debug::Stopped& stopped);
    void help(const Arguments& words);
    void breakAt(const Arguments& words);
    void setCondition(const Arguments& words);
    void watch(const Arguments& words);
    void deleteBreakpoint(const Arguments& words);
    void listBreakpoints(const Arguments& words);
    void stepInstruction(const Arguments& words);
    void reverseInstruction(const Arguments& words);
    void until(const Arguments& words);
    void goTo(const Arguments& words);
    void goToNan();
    void print(const Arguments& words);
    void memory(const Arguments& words);
    void locals();
    void info(const Arguments& words);
    void display(const Arguments& words);
    void undisplay(const Arguments& words);
    void lanes(const Arguments& words);
    void set(const Arguments& words);
    void registers(const Arguments& words);
    void stack(const Arguments& words);
    void list(const Arguments& words);
    void disassemble(const Arguments& words);
    void cost(const Arguments& words);
    void selectLane(const Arguments& words);
    void selectGroup(const Arguments& words);

    /// Nothing when the text is no expression; that was told then.
    struct Asked {
        debug::Expression expression;
        std::optional<debug::Format> format;
    };
    [[nodiscard]] std::optional<Asked> ask(const std::string& text, std::optional<debug::Format> format);
    [[nodiscard]] bool parseExpression(const std::string& text, std::optional<debug::Expression>& expression);
    void show(const std::string& text, std::optional<debug::Format> format);
    /// False, with the reason told, when the text is no condition for the breakpoint.
    [[nodiscard]] bool setCondition(const std::string& text, debug::Breakpoint& breakpoint);
    [[nodiscard]] bool conditionWords(const Arguments& words, size_t from, debug::Breakpoint& breakpoint);
    [[nodiscard]] static std::string describe(const debug::Breakpoint& breakpoint);
    [[nodiscard]] std::string sourceLine(uint32_t line) const;
    [[nodiscard]] std::string laneText(int lane) const;
    [[nodiscard]] char laneState(int lane) const;
    [[nodiscard]] std::string instructionLine(uint32_t pc) const;

    debug::Session& session_;
    std::ostream& out_;
    std::vector<std::string> source_;  ///< lines of the program's text
    struct Displayed {
        int id = 0;
        std::string text;
        std::optional<debug::Format> format;
    };
    std::vector<Displayed> displays_;  ///< told at every stop
    int nextDisplay_ = 1;
    std::string last_;  ///< command that an empty line repeats
    bool hadErrors_ = false;
};

}  // namespace tessera::tools
