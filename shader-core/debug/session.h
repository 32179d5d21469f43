// A debugging session: groups, a lane to look at, breakpoints, and the moves between them. The console and the Debug
// Adapter Protocol server of tools/ are two ways to drive it.
//
// All lanes of a group move together. A line is entered at the first instruction of a run of instructions of that line;
// moving back stops at the same places as moving forward.
#pragma once

#include <atomic>
#include <bit>
#include <deque>
#include <optional>
#include <utility>

#include "shader-core/debug/expression.h"
#include "shader-core/debug/replay/replay.h"
#include "shader-core/debug/replay/value.h"
#include "shader-core/debug/variable.h"

namespace tessera::debug {

struct Breakpoint {
    enum class Kind : uint8_t {
        Line,         ///< a line is entered
        Instruction,  ///< before an instruction
        Lane,         ///< a lane starts to execute, at its first instruction and wherever it joins the others again
        Watch,        ///< after an instruction that changed a variable
    };
    int id = 0;
    Kind kind = Kind::Line;
    uint32_t where = 0;        ///< line, or number of the instruction
    std::optional<int> lane;   ///< only while this lane executes; Watch: only this lane's value
    std::optional<int> group;  ///< only in this group
    Named watched;
    std::string watchedText;              ///< as the user wrote it
    std::optional<Expression> condition;  ///< only where it holds, in a lane that executes there
    std::string hits;                     ///< which of its hits count: "3", ">= 3", "% 2"; empty: all
    std::string log;                      ///< not a stop: its text is told, with {expressions} filled in
};
/// Whether a text says which hits count.
[[nodiscard]] bool isHitCondition(std::string_view text);

enum class Stop : uint8_t { Moved, Breakpoint, Start, End, Interrupted };
struct Stopped {
    Stop why = Stop::Moved;
    int breakpoint = 0;   ///< its id
    std::string problem;  ///< why its condition has no value there, as in gdb a stop too; empty: it holds
};

class Session {
public:
    /// At least one group.
    explicit Session(std::vector<Group> groups);

    [[nodiscard]] int groupCount() const { return static_cast<int>(groups_.size()); }
    [[nodiscard]] int group() const { return group_; }
    [[nodiscard]] int lane() const { return lane_; }
    [[nodiscard]] const Replay& replay() const { return groups_[static_cast<size_t>(group_)]; }
    [[nodiscard]] const Replay& replay(int group) const { return groups_[static_cast<size_t>(group)]; }
    [[nodiscard]] const State& state() const { return replay().state(); }
    [[nodiscard]] uint32_t line() const;  ///< of the next instruction; 0: not known
    void select(int group, int lane);     ///< both exist
    /// The group and lane with that name ("pixel 3,4", "vertex 7").
    [[nodiscard]] std::optional<std::pair<int, int>> find(const std::string& laneName) const;

    // --- Moves ---

    Stopped stepInstruction(uint64_t count);
    Stopped reverseInstruction(uint64_t count);
    Stopped stepLine(bool overCalls);
    Stopped reverseLine(bool overCalls);
    Stopped finish();              ///< to behind the innermost call; outside of calls to the end
    Stopped runTo(uint32_t line);  ///< until it is entered, or a breakpoint holds, or the end
    Stopped restart();             ///< to the start of the first group
    Stopped run();                 ///< to the next breakpoint, through the groups that follow
    Stopped reverseRun();          ///< to the one before, through the groups before
    Stopped goTo(uint64_t count);
    /// Where to go for the instruction that makes the first NaN in a register of the lane looked at; nothing: none
    /// does.
    [[nodiscard]] std::optional<uint64_t> firstNan() const;
    /// Moves end where they are when it is set (replay.h).
    void setInterrupt(const std::atomic<bool>* interrupt);

    // --- Breakpoints ---

    int add(Breakpoint breakpoint);  ///< its new id
    bool remove(int id);
    [[nodiscard]] const std::vector<Breakpoint>& breakpoints() const { return breakpoints_; }
    [[nodiscard]] Breakpoint* find(int id);
    /// Why the condition can hold nowhere in the program, as seen from where the breakpoint stops; empty when it can.
    /// What fails in some lanes only, or in another scope, is a stop when it comes to that.
    [[nodiscard]] std::string conditionProblem(const Breakpoint& breakpoint) const;
    /// Texts of breakpoints that log, since this was asked last.
    [[nodiscard]] std::vector<std::string> takeLog() { return std::exchange(log_, {}); }
    /// The first line from `line` on that has instructions; nothing when there is none.
    [[nodiscard]] std::optional<uint32_t> lineWithCode(uint32_t line) const;

    // --- Values ---

    [[nodiscard]] Moment moment() const { return {replay().group(), state()}; }
    /// Changes what `target` names, in the lane looked at, to a value computed there; one value goes to all its
    /// components. With a format the target is read as that. Empty when it worked, else why not.
    std::string assign(const Expression& target, std::optional<Format> format, const Expression& value);
    /// Registers of a file that the program has, in order.
    [[nodiscard]] std::vector<int> registers(isa::File file) const;

private:
    class Watcher;
    Replay& current() { return groups_[static_cast<size_t>(group_)]; }
    [[nodiscard]] int callDepth() const;
    Stopped arrived() const;
    Stopped ended() const;
    void enter(int group, bool atEnd);
    struct Hit {
        int breakpoint = 0;   ///< its id; 0: a line that was awaited
        uint32_t lanes = 0;   ///< where it holds
        std::string problem;  ///< or why its condition has no value in them
    };
    Stopped stoppedAt(const Hit& hit);
    Stopped runUntil(std::optional<uint32_t> line);

    std::deque<Replay> groups_;
    int group_ = 0, lane_ = 0;
    std::vector<Breakpoint> breakpoints_;
    std::vector<std::string> log_;
    int nextId_ = 1;
};

}  // namespace tessera::debug
