#include "tools/dbg_console.h"

#include <algorithm>
#include <charconv>
#include <ostream>
#include <sstream>

#include <fmt/format.h>

#include "shader-core/debug/trace.h"
#include "tools/group_values.h"

namespace tessera::tools {

using debug::Breakpoint;
using debug::Named;

namespace {

constexpr uint64_t kMaxSteps = UINT64_C(1) << 40;

std::vector<std::string> splitLines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::optional<uint64_t> parseCount(const std::string& text) {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value > kMaxSteps) return std::nullopt;
    return value;
}

}  // namespace

struct DebugConsole::Command {
    const char* name;
    const char* shortName;
    const char* arguments;
    const char* what;
    void (*run)(DebugConsole&, const Words&);
};

const std::vector<DebugConsole::Command>& DebugConsole::commands() {
    using C = DebugConsole;
    using W = const Words&;
    static const std::vector<Command> table = {
        {"step", "s", "", "to the next source line, into calls",
         [](C& c, W) { c.stopped(c.session_.stepLine(false)); }},
        {"next", "n", "", "to the next source line, over calls", [](C& c, W) { c.stopped(c.session_.stepLine(true)); }},
        {"stepi", "si", "[COUNT]", "instructions forward", [](C& c, W w) { c.stepInstruction(w); }},
        {"reverse-step", "rs", "", "to the source line before, into calls",
         [](C& c, W) { c.stopped(c.session_.reverseLine(false)); }},
        {"reverse-next", "rn", "", "to the source line before, over calls",
         [](C& c, W) { c.stopped(c.session_.reverseLine(true)); }},
        {"reverse-stepi", "rsi", "[COUNT]", "instructions back", [](C& c, W w) { c.reverseInstruction(w); }},
        {"continue", "c", "", "to the next breakpoint or the end", [](C& c, W) { c.stopped(c.session_.run()); }},
        {"reverse-continue", "rc", "", "to the breakpoint before, or the start",
         [](C& c, W) { c.stopped(c.session_.reverseRun()); }},
        {"goto", "g", "COUNT", "to before instruction number COUNT of the execution", [](C& c, W w) { c.goTo(w); }},
        {"break", "b", "LINE | @PC | pixel X,Y | vertex N | lane N [lane N]",
         "stop at a line, an instruction, or when a lane starts to execute", [](C& c, W w) { c.breakAt(w); }},
        {"watch", "w", "REGISTER [lane N]", "stop after r, o, a or p changes", [](C& c, W w) { c.watch(w); }},
        {"delete", "d", "[ID]", "remove a breakpoint, or all", [](C& c, W w) { c.deleteBreakpoint(w); }},
        {"breakpoints", "bl", "", "list them", [](C& c, W w) { c.listBreakpoints(w); }},
        {"print", "p", "NAME[/f|/i|/u|/x]", "a register or variable in the lane looked at",
         [](C& c, W w) { c.print(w); }},
        {"lanes", "l", "[NAME[/f|/i|/u|/x]]", "all lanes side by side: what they do, or one component of a register",
         [](C& c, W w) { c.lanes(w); }},
        {"registers", "r", "[v|o|r|c|p|a|s]", "the registers of a file, or of all, in the lane looked at",
         [](C& c, W w) { c.registers(w); }},
        {"set", "", "NAME VALUE", "change a register of the lane looked at; the group goes on with it",
         [](C& c, W w) { c.set(w); }},
        {"stack", "bt", "", "the reconvergence stack: open ifs, loops and calls, and who waits where",
         [](C& c, W w) { c.stack(w); }},
        {"where", "", "", "where the group stands", [](C& c, W) { c.showPosition(); }},
        {"list", "ls", "[LINE]", "source with the instructions of each line", [](C& c, W w) { c.list(w); }},
        {"disassemble", "dis", "", "the instructions around this one", [](C& c, W w) { c.disassemble(w); }},
        {"lane", "", "[N | pixel X,Y | vertex N]", "look at another lane", [](C& c, W w) { c.selectLane(w); }},
        {"group", "", "[N]", "look at another group", [](C& c, W w) { c.selectGroup(w); }},
        {"help", "h", "", "this list", [](C& c, W w) { c.help(w); }},
        {"quit", "q", "", "end the session", [](C&, W) {}},
    };
    return table;
}

DebugConsole::DebugConsole(debug::Session& session, std::ostream& out)
    : session_(session), out_(out), source_(splitLines(session.replay().program().source)) {}

bool DebugConsole::execute(const std::string& line) {
    std::istringstream in(line.find_first_not_of(" \t\r") == std::string::npos ? last_ : line);
    Words words;
    for (std::string word; in >> word;) words.push_back(word);
    if (words.empty() || words[0][0] == '#') return true;
    last_ = in.str();
    for (const Command& command : commands())
        if (words[0] == command.name || (command.shortName[0] != '\0' && words[0] == command.shortName)) {
            if (words[0] == "quit" || words[0] == "q") return false;
            command.run(*this, Words(words.begin() + 1, words.end()));
            return true;
        }
    fail(fmt::format("no command '{}'; help lists them", words[0]));
    return true;
}

void DebugConsole::fail(const std::string& what) {
    hadErrors_ = true;
    out_ << "error: " << what << "\n";
}

void DebugConsole::help(const Words&) {
    for (const Command& command : commands()) {
        const std::string names =
            command.shortName[0] != '\0' ? fmt::format("{}, {}", command.name, command.shortName) : command.name;
        out_ << fmt::format("  {:<22} {}{}{}\n", names, command.arguments, command.arguments[0] != '\0' ? ": " : "",
                            command.what);
    }
    out_ << "An empty line repeats the last command.\n";
}

// --- Where it stands ---

std::string DebugConsole::sourceLine(uint32_t line) const {
    return line != 0 && line <= source_.size() ? source_[line - 1] : std::string();
}

std::string DebugConsole::laneText(int lane) const {
    const std::string& name = session_.replay().group().laneNames[static_cast<size_t>(lane)];
    return name.empty() ? fmt::format("lane {}", lane) : fmt::format("lane {} ({})", lane, name);
}

/// '*' executes, 'd' discarded, 'h' helper, '.' waits or has ended, ' ' not launched.
char DebugConsole::laneState(int lane) const {
    const debug::State& state = session_.state();
    const debug::Group& group = session_.replay().group();
    if ((group.activeMask >> lane & 1) == 0) return ' ';
    if ((state.killMask >> lane & 1) != 0) return 'd';
    if ((state.guardedMask >> lane & 1) != 0) return (group.helperMask >> lane & 1) != 0 ? 'h' : '*';
    return '.';
}

std::string DebugConsole::instructionLine(uint32_t pc) const {
    const bool here = pc == session_.state().pc && !session_.state().ended;
    return fmt::format("{} @{:<4} {}\n", here ? "=>" : "  ", pc, debug::instructionText(session_.replay().code()[pc]));
}

void DebugConsole::showPosition() {
    const debug::State& state = session_.state();
    const std::string group = session_.groupCount() > 1 ? fmt::format("group {}, ", session_.group()) : "";
    if (state.ended) {
        out_ << fmt::format("{}at the end, after {} instructions{}; {}\n", group, state.count,
                            state.budgetExceeded ? ": stopped, as the budget ran out" : "", laneText(session_.lane()));
        return;
    }
    out_ << fmt::format("{}instruction #{}, exec {}", group, state.count, debug::maskText(state.execMask));
    if (state.guardedMask != state.execMask) out_ << fmt::format(", guard {}", debug::maskText(state.guardedMask));
    out_ << fmt::format(", {}{}\n", laneText(session_.lane()),
                        (state.execMask >> session_.lane() & 1) != 0 ? "" : ", which waits");
    if (const uint32_t line = session_.line(); line != 0) out_ << fmt::format("{:>6}  {}\n", line, sourceLine(line));
    out_ << instructionLine(state.pc);
}

void DebugConsole::stopped(const debug::Stopped& stopped) {
    if (stopped.why == debug::Stop::Breakpoint) out_ << fmt::format("breakpoint {}: ", stopped.breakpoint);
    if (stopped.why == debug::Stop::Start) out_ << "at the start: ";
    showPosition();
}

void DebugConsole::stack(const Words&) {
    const auto& stack = session_.state().stack;
    if (stack.empty()) out_ << "no if, loop or call is open\n";
    for (size_t i = stack.size(); i-- > 0;) {
        const interp::StackEntry& entry = stack[i];
        constexpr const char* kWhat[] = {"if", "loop", "call"};
        constexpr const char* kWaiting[] = {"lanes of the other side", "lanes that left", "lanes that returned"};
        const auto kind = static_cast<size_t>(entry.kind);
        out_ << fmt::format("{:>2}  {:<4} {} {} wait at @{}", i, kWhat[kind], kWaiting[kind],
                            debug::maskText(entry.waiting), entry.target);
        if (entry.kind == interp::EntryKind::Loop)
            out_ << fmt::format(", {} for the next round", debug::maskText(entry.continuing));
        out_ << "\n";
    }
}

void DebugConsole::list(const Words& words) {
    const std::optional<uint64_t> wanted = words.empty() ? session_.line() : parseCount(words[0]);
    if (!wanted || source_.empty()) return fail("there is no such line, or the program has no source");
    const debug::Replay& replay = session_.replay();
    const uint64_t middle = std::clamp<uint64_t>(*wanted, 1, source_.size());
    const uint64_t first = middle > 5 ? middle - 5 : 1, last = std::min<uint64_t>(middle + 5, source_.size());
    for (auto line = static_cast<uint32_t>(first); line <= last; ++line) {
        out_ << fmt::format("{:>6}  {}\n", line, sourceLine(line));
        for (uint32_t pc = 0; pc < replay.code().size(); ++pc)
            if (debug::lineOf(replay.program(), pc) == line) out_ << "        " << instructionLine(pc);
    }
}

void DebugConsole::disassemble(const Words&) {
    const auto size = static_cast<uint32_t>(session_.replay().code().size());
    const uint32_t pc = session_.state().pc, first = pc > 5 ? pc - 5 : 0;
    for (uint32_t i = first; i < std::min(first + 12, size); ++i) out_ << instructionLine(i);
}

// --- Moves ---

void DebugConsole::stepInstruction(const Words& words) {
    const std::optional<uint64_t> count = words.empty() ? 1 : parseCount(words[0]);
    if (!count) return fail("write: stepi [COUNT]");
    stopped(session_.stepInstruction(*count));
}

void DebugConsole::reverseInstruction(const Words& words) {
    const std::optional<uint64_t> count = words.empty() ? 1 : parseCount(words[0]);
    if (!count) return fail("write: reverse-stepi [COUNT]");
    stopped(session_.reverseInstruction(*count));
}

void DebugConsole::goTo(const Words& words) {
    const std::optional<uint64_t> count = words.size() == 1 ? parseCount(words[0]) : std::nullopt;
    if (!count) return fail("write: goto COUNT");
    session_.goTo(*count);
    showPosition();
}

// --- Breakpoints ---

/// "lane N" at the end of a command, if it is there.
bool DebugConsole::laneWord(const Words& words, size_t from, Breakpoint& breakpoint) {
    if (words.size() == from) return true;
    const std::optional<int> lane =
        words.size() == from + 2 && words[from] == "lane" ? parseInteger(words[from + 1]) : std::nullopt;
    if (!lane || *lane < 0 || *lane >= isa::kGroupSize) return false;
    breakpoint.lane = *lane;
    return true;
}

void DebugConsole::breakAt(const Words& words) {
    const char* const usage =
        "write: break LINE, @PC, pixel X,Y, vertex N or lane N; and lane N to stop for that lane only";
    if (words.empty()) return fail(usage);
    Breakpoint breakpoint;
    std::string text;
    if (words.size() == 2 && (words[0] == "pixel" || words[0] == "vertex" || words[0] == "lane")) {
        breakpoint.kind = Breakpoint::Kind::Lane;
        if (words[0] == "lane") {
            if (!laneWord(words, 0, breakpoint)) return fail("lanes are 0 to 31");
        } else if (const auto found = session_.find(words[0] + " " + words[1])) {
            breakpoint.group = found->first, breakpoint.lane = found->second;
            session_.select(session_.group(), found->second);
        } else {
            return fail(fmt::format("no lane is {} {}", words[0], words[1]));
        }
        text = fmt::format("lane {}", *breakpoint.lane);
    } else if (words[0].starts_with("@")) {
        const std::optional<uint64_t> pc = parseCount(words[0].substr(1));
        if (!pc || *pc >= session_.replay().code().size()) return fail("the program has no such instruction");
        breakpoint.kind = Breakpoint::Kind::Instruction;
        breakpoint.where = static_cast<uint32_t>(*pc);
        if (!laneWord(words, 1, breakpoint)) return fail(usage);
        text = fmt::format("@{}", *pc);
    } else {
        const std::optional<uint64_t> line = parseCount(words[0]);
        if (!line || *line > UINT32_MAX || !laneWord(words, 1, breakpoint)) return fail(usage);
        const std::optional<uint32_t> place = session_.lineWithCode(static_cast<uint32_t>(*line));
        if (!place) return fail(fmt::format("no instruction comes from line {} or one behind it", *line));
        breakpoint.where = *place;
        text = fmt::format("line {}", *place);
    }
    out_ << fmt::format("breakpoint {}: {}\n", session_.add(breakpoint), text);
}

void DebugConsole::watch(const Words& words) {
    const std::optional<Named> named = words.empty() ? std::nullopt : session_.name(words[0]);
    Breakpoint breakpoint;
    breakpoint.kind = Breakpoint::Kind::Watch;
    if (!named || !laneWord(words, 1, breakpoint)) return fail("write: watch REGISTER [lane N]");
    if (named->file == isa::File::V || named->file == isa::File::C || named->file == isa::File::S)
        return fail(fmt::format("{} never changes", words[0]));
    breakpoint.watched = {named->file, named->index, named->components};
    out_ << fmt::format("breakpoint {}: watches {}\n", session_.add(breakpoint), words[0]);
}

void DebugConsole::deleteBreakpoint(const Words& words) {
    if (words.empty()) {
        while (!session_.breakpoints().empty()) session_.remove(session_.breakpoints().front().id);
        return;
    }
    const std::optional<int> id = parseInteger(words[0]);
    if (!id || !session_.remove(*id)) fail("there is no such breakpoint");
}

void DebugConsole::listBreakpoints(const Words&) {
    if (session_.breakpoints().empty()) out_ << "none\n";
    for (const Breakpoint& one : session_.breakpoints()) {
        std::string text;
        if (one.kind == Breakpoint::Kind::Line) text = fmt::format("line {}", one.where);
        if (one.kind == Breakpoint::Kind::Instruction) text = fmt::format("@{}", one.where);
        if (one.kind == Breakpoint::Kind::Lane) text = "start of";
        if (one.kind == Breakpoint::Kind::Watch)
            text = fmt::format("watch {}.{}", debug::registerName(one.watched.file, one.watched.index),
                               one.watched.components);
        if (one.lane) text += fmt::format(" lane {}", *one.lane);
        out_ << fmt::format("{:>2}  {}\n", one.id, text);
    }
}

// --- Values ---

void DebugConsole::print(const Words& words) {
    const std::optional<Named> named = words.size() == 1 ? session_.name(words[0]) : std::nullopt;
    if (!named)
        return fail(fmt::format("'{}' is no register or variable of this program; try registers",
                                words.empty() ? "" : words[0]));
    out_ << fmt::format("{} = {}   ({}.{}, {})\n", words[0], session_.valuesText(*named, session_.lane()),
                        debug::registerName(named->file, named->index), named->components, laneText(session_.lane()));
}

/// Fragments as the two blocks of 4x4 pixels that they are, rows from the top; vertices eight in a row.
void DebugConsole::lanes(const Words& words) {
    std::optional<Named> named;
    if (!words.empty()) {
        named = session_.name(words[0]);
        if (!named) return fail(fmt::format("'{}' is no register or variable of this program", words[0]));
    }
    const bool fragment = session_.replay().program().stage == isa::Stage::Fragment;
    for (int row = 0; row < 4; ++row) {
        std::string text;
        for (int column = 0; column < 8; ++column) {
            const int lane = fragment ? column / 4 * 16 + (3 - row) * 4 + column % 4 : row * 8 + column;
            const char state = laneState(lane);
            std::string cell(1, state);
            if (named && state != ' ')
                cell += fmt::format(
                    "{:<13}", session_.valuesText(
                                  {named->file, named->index, named->components.substr(0, 1), named->format}, lane));
            else
                cell += fmt::format("{:<{}}", state == ' ' ? "" : fmt::format("{}", lane), named ? 13 : 3);
            text += (column == 4 ? "  " : "") + cell;
        }
        text.erase(text.find_last_not_of(' ') + 1);
        if (!text.empty()) out_ << "  " << text << "\n";
    }
    if (words.empty())
        out_ << "  * executes, h as a helper for derivatives, d discarded, . waits or has a guard that is false; rows "
                "of pixels as on the screen\n";
}

void DebugConsole::set(const Words& words) {
    const std::optional<Named> named = words.size() == 2 ? session_.name(words[0]) : std::nullopt;
    if (!named) return fail("write: set REGISTER VALUE, as in set r0.x 0.5");
    std::string problem;
    const bool integers = named->format != debug::Format::F32;
    const auto values = parseLanes(words[1], 1, integers, problem);
    if (!values || values->size() != 1 || values->front().size() != 1)
        return fail(problem.empty() ? "one value, for every component that is named" : problem);
    if (!session_.set(*named, session_.lane(), values->front()[0]))
        return fail("only r, o, a and p of a group that has not ended can be changed");
    print({words[0]});
}

void DebugConsole::registers(const Words& words) {
    constexpr std::pair<char, isa::File> kFiles[] = {{'v', isa::File::V}, {'s', isa::File::S}, {'c', isa::File::C},
                                                     {'r', isa::File::R}, {'p', isa::File::P}, {'a', isa::File::A},
                                                     {'o', isa::File::O}};
    bool any = false;
    for (const auto& [letter, file] : kFiles) {
        if (!words.empty() && words[0] != std::string(1, letter)) continue;
        any = true;
        for (const int index : session_.registers(file)) {
            Named named{file, index, file == isa::File::P || file == isa::File::A ? "x" : "xyzw", debug::Format::F32};
            if (file == isa::File::P || file == isa::File::A) named.format = debug::Format::I32;
            out_ << fmt::format("  {:<12} {}\n", debug::registerName(file, index),
                                session_.valuesText(named, session_.lane()));
        }
    }
    if (!any) fail("files are v, s, c, r, p, a and o");
}

// --- What is looked at ---

void DebugConsole::selectLane(const Words& words) {
    if (words.size() == 2) {
        const auto found = session_.find(words[0] + " " + words[1]);
        if (!found) return fail(fmt::format("no lane is {} {}", words[0], words[1]));
        session_.select(found->first, found->second);
    } else if (words.size() == 1) {
        const std::optional<int> lane = parseInteger(words[0]);
        const bool exists =
            lane && *lane >= 0 && *lane < isa::kGroupSize && (session_.replay().group().activeMask >> *lane & 1) != 0;
        if (!exists) return fail("the group has no such lane");
        session_.select(session_.group(), *lane);
    }
    showPosition();
}

void DebugConsole::selectGroup(const Words& words) {
    if (words.size() == 1) {
        const std::optional<int> group = parseInteger(words[0]);
        if (!group || *group < 0 || *group >= session_.groupCount()) return fail("there is no such group");
        session_.select(*group, std::countr_zero(session_.replay(*group).group().activeMask));
    }
    showPosition();
}

}  // namespace tessera::tools
