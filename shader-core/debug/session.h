// A debugging session: groups, a lane to look at, breakpoints, and the moves between them. The console and the Debug
// Adapter Protocol server of tools/ are two ways to drive it.
//
// All lanes of a group move together. A line is entered at the first instruction of a run of instructions of that line;
// moving back stops at the same places as moving forward.
#pragma once

#include <bit>
#include <deque>
#include <optional>

#include "shader-core/debug/replay.h"
#include "shader-core/debug/value.h"

namespace tessera::debug {

struct Breakpoint {
    enum class Kind : uint8_t {
        Line,         ///< a line is entered
        Instruction,  ///< before an instruction
        Lane,         ///< a lane starts to execute, at its first instruction and wherever it joins the others again
        Watch,        ///< after an instruction that changed a register
    };
    int id = 0;
    Kind kind = Kind::Line;
    uint32_t where = 0;        ///< line, or number of the instruction
    std::optional<int> lane;   ///< only while this lane executes; Watch: only this lane's register
    std::optional<int> group;  ///< only in this group
    RegisterName watched;
};

enum class Stop : uint8_t { Moved, Breakpoint, Start, End };
struct Stopped {
    Stop why = Stop::Moved;
    int breakpoint = 0;  ///< its id
};

/// A value that has a name: a register, or a variable of the program.
struct Named {
    isa::File file = isa::File::R;
    int index = 0;
    std::string components = "xyzw";
    Format format = Format::F32;
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
    Stopped stepOut();     ///< to behind the innermost call
    Stopped run();         ///< to the next breakpoint, through the groups that follow
    Stopped reverseRun();  ///< to the one before, through the groups before
    void goTo(uint64_t count) { current().goTo(count); }

    // --- Breakpoints ---

    int add(Breakpoint breakpoint);  ///< its new id
    bool remove(int id);
    [[nodiscard]] const std::vector<Breakpoint>& breakpoints() const { return breakpoints_; }
    /// The first line from `line` on that has instructions; nothing when there is none.
    [[nodiscard]] std::optional<uint32_t> lineWithCode(uint32_t line) const;

    // --- Values ---

    /// A register ("r0.xy", "p1", "frag_coord"), an input, output or uniform by its name ("u_light.xyz", "m[2]"), with
    /// an optional format ("r1/x").
    [[nodiscard]] std::optional<Named> name(std::string_view text) const;
    /// Nothing where the program has no such register.
    [[nodiscard]] std::optional<uint32_t> value(isa::File file, int index, int component, int lane) const;
    /// The named components in a lane: "0.5 1 0 1".
    [[nodiscard]] std::string valuesText(const Named& named, int lane) const;
    /// False when the register cannot be changed (r, o, a and p can).
    bool set(const Named& named, int lane, uint32_t bits);
    /// Registers of a file that the program has, in order.
    [[nodiscard]] std::vector<int> registers(isa::File file) const;

private:
    class Watcher;
    Replay& current() { return groups_[static_cast<size_t>(group_)]; }
    [[nodiscard]] int callDepth() const;
    Stopped ended() const;
    void enter(int group, bool atEnd);

    std::deque<Replay> groups_;
    int group_ = 0, lane_ = 0;
    std::vector<Breakpoint> breakpoints_;
    int nextId_ = 1;
};

}  // namespace tessera::debug
