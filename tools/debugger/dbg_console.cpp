#include "tools/debugger/dbg_console.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <ostream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "shader-core/compute/dispatch.h"
#include "shader-core/debug/replay/block_variable.h"
#include "shader-core/debug/replay/launch.h"
#include "shader-core/debug/trace/trace.h"
#include "tools/debugger/dbg_memory.h"
#include "tools/run/group_values.h"
#include "tools/run/line_costs.h"
#include "tools/run/machine_check.h"

namespace tessera::tools {

using debug::Breakpoint;
using debug::Named;

namespace {

constexpr uint64_t kMemoryElements = 8, kMaxMemoryElements = 4096;  ///< that x shows
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
    void (*run)(DebugConsole&, const Arguments&);
};

const std::vector<DebugConsole::Command>& DebugConsole::commands() {
    using C = DebugConsole;
    using W = const Arguments&;
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
        {"finish", "fin", "", "to behind the innermost call; outside of calls to the end",
         [](C& c, W) { c.stopped(c.session_.finish()); }},
        {"until", "u", "LINE", "until the line is entered, or a breakpoint holds", [](C& c, W w) { c.until(w); }},
        {"restart", "run", "", "to the start of the first group; breakpoints and changes stay",
         [](C& c, W) { c.stopped(c.session_.restart()); }},
        {"goto", "g", "COUNT", "to before instruction number COUNT of the execution", [](C& c, W w) { c.goTo(w); }},
        {"nan", "", "", "to the instruction that makes the first NaN of the lane", [](C& c, W) { c.goToNan(); }},
        {"break", "b", "LINE | @PC | pixel X,Y | vertex N | lane N [lane N] [if EXPRESSION]",
         "stop at a line or an instruction that a lane executes, or when a lane starts to execute",
         [](C& c, W w) { c.breakAt(w); }},
        {"condition", "cond", "ID [EXPRESSION]", "stop at a breakpoint only where it holds; without one always",
         [](C& c, W w) { c.setCondition(w); }},
        {"watch", "w", "NAME [lane N] [if EXPRESSION]", "stop after a variable or register changes",
         [](C& c, W w) { c.watch(w); }},
        {"delete", "d", "[ID]", "remove a breakpoint, or all", [](C& c, W w) { c.deleteBreakpoint(w); }},
        {"breakpoints", "bl", "", "list them", [](C& c, W w) { c.listBreakpoints(w); }},
        {"print", "p", "[/f|/i|/u|/x] EXPRESSION", "variables, registers and what is computed from them, in the lane",
         [](C& c, W w) { c.print(w); }},
        {"locals", "lo", "", "the variables of the scopes around this line, in the lane looked at",
         [](C& c, W) { c.locals(); }},
        {"info", "i", "locals | registers | breakpoints", "the same as those commands", [](C& c, W w) { c.info(w); }},
        {"display", "", "[/f|/i|/u|/x] [EXPRESSION]", "print it at every stop", [](C& c, W w) { c.display(w); }},
        {"undisplay", "", "[ID]", "no longer", [](C& c, W w) { c.undisplay(w); }},
        {"x", "", "[/f|/i|/u|/x] NAME[INDEX] | NAME+BYTES [COUNT]",
         "elements of a buffer or of shared memory; behind the place also /i8 /u8 /i16 /u16",
         [](C& c, W w) { c.memory(w); }},
        {"lanes", "l", "[/f|/i|/u|/x] [EXPRESSION]", "all lanes side by side: what they do, or a value in each",
         [](C& c, W w) { c.lanes(w); }},
        {"registers", "r", "[v|o|r|c|p|a|s]", "the registers of a file, or of all, in the lane looked at",
         [](C& c, W w) { c.registers(w); }},
        {"set", "", "NAME [=] EXPRESSION", "change a variable of the lane looked at; the group goes on with it",
         [](C& c, W w) { c.set(w); }},
        {"stack", "bt", "", "the reconvergence stack: open ifs, loops and calls, and who waits where",
         [](C& c, W w) { c.stack(w); }},
        {"where", "", "", "where the group stands", [](C& c, W) { c.showPosition(); }},
        {"list", "ls", "[LINE]", "source with the instructions of each line", [](C& c, W w) { c.list(w); }},
        {"disassemble", "dis", "", "the instructions around this one", [](C& c, W w) { c.disassemble(w); }},
        {"cost", "", "[json]", "what each line costs: in the code, as it ran, and on the modelled chip, alone",
         [](C& c, W w) { c.cost(w); }},
        {"lane", "", "[N | pixel X,Y | vertex N]", "look at another lane", [](C& c, W w) { c.selectLane(w); }},
        {"group", "", "[N]", "look at another group", [](C& c, W w) { c.selectGroup(w); }},
        {"help", "h", "", "this list", [](C& c, W w) { c.help(w); }},
        {"quit", "q", "", "end the session", [](C&, W) {}},
    };
    return table;
}

DebugConsole::DebugConsole(debug::Session& session, std::ostream& out)
    : session_(session), out_(out), source_(splitLines(session.replay().program().source)) {}

std::string DebugConsole::Arguments::text(size_t from) const {
    std::string all;
    for (size_t i = from; i < size(); ++i) all += (i > from ? " " : "") + (*this)[i];
    return all;
}

bool DebugConsole::execute(const std::string& line) {
    std::istringstream in(line.find_first_not_of(" \t\r") == std::string::npos ? last_ : line);
    Arguments words;
    for (std::string word; in >> word;) words.push_back(word);
    if (words.empty() || words[0][0] == '#') return true;
    last_ = in.str();
    std::string name = words[0];
    words.erase(words.begin());
    if (const size_t slash = name.find('/'); slash != std::string::npos) {
        words.format = debug::formatByName(std::string_view(name).substr(slash + 1));
        if (words.format) name.resize(slash);
    } else if (!words.empty() && words[0].starts_with('/')) {
        words.format = debug::formatByName(std::string_view(words[0]).substr(1));
        if (words.format) words.erase(words.begin());
    }
    for (const Command& command : commands())
        if (name == command.name || (command.shortName[0] != '\0' && name == command.shortName)) {
            if (name == "quit" || name == "q") return false;
            command.run(*this, words);
            return true;
        }
    fail(fmt::format("no command '{}'; help lists them", name));
    return true;
}

std::vector<std::string> DebugConsole::completions(const std::string& line) const {
    size_t start = line.size();
    const auto isPart = [](char c) {
        return (std::isalnum(static_cast<unsigned char>(c)) != 0) || c == '_' || c == '-';
    };
    while (start > 0 && isPart(line[start - 1])) --start;
    const std::string begun = line.substr(start);
    std::vector<std::string> list;
    const auto offer = [&](const std::string& word) {
        if (word.starts_with(begun) && std::ranges::find(list, word) == list.end()) list.push_back(word);
    };
    const bool first = line.find_first_not_of(" \t") >= start;
    if (first)
        for (const Command& command : commands()) offer(command.name);
    const isa::Program& program = session_.replay().program();
    for (const isa::DebugVariable* local : debug::localsAt(program, session_.line(), session_.state().pc))
        offer(local->name);
    for (const auto* variables : {&program.uniforms, &program.attributes, &program.varyings, &program.outputs})
        for (const isa::Variable& one : *variables) offer(one.name);
    for (const debug::BlockVariable& one : debug::blockVariables(program)) offer(one.name);
    if (!first)
        for (const isa::File file :
             {isa::File::R, isa::File::V, isa::File::C, isa::File::O, isa::File::P, isa::File::A, isa::File::S})
            for (const int index : session_.registers(file)) offer(debug::registerName(file, index));
    return list;
}

void DebugConsole::fail(const std::string& what) {
    hadErrors_ = true;
    out_ << "error: " << what << "\n";
}

void DebugConsole::help(const Arguments&) {
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
        if (const auto& launch = session_.replay().group().launch; launch && state.fault.kind != isa::FaultKind::None)
            out_ << compute::faultMessage(*launch->program, state.fault, launch->grid) << "\n";
        return;
    }
    out_ << fmt::format("{}instruction #{}, exec {}", group, state.count, debug::maskText(state.execMask));
    if (state.guardedMask != state.execMask) out_ << fmt::format(", guard {}", debug::maskText(state.guardedMask));
    const auto isCall = [](const interp::StackEntry& entry) { return entry.kind == interp::EntryKind::Call; };
    const bool isCalled = std::ranges::any_of(state.stack, isCall);
    const std::string function = isCalled ? debug::functionAt(session_.replay().program(), state.pc) : "";
    out_ << fmt::format(", {}{}{}\n", laneText(session_.lane()),
                        (state.execMask >> session_.lane() & 1) != 0 ? "" : ", which waits",
                        function.empty() ? "" : ", in " + function);
    if (const uint32_t line = session_.line(); line != 0) out_ << fmt::format("{:>6}  {}\n", line, sourceLine(line));
    out_ << instructionLine(state.pc);
}

void DebugConsole::stopped(const debug::Stopped& stopped) {
    for (const std::string& text : session_.takeLog()) out_ << text << "\n";
    if (!stopped.problem.empty()) out_ << stopped.problem << "\n";
    if (stopped.why == debug::Stop::Interrupted) out_ << "interrupted: ";
    if (stopped.why == debug::Stop::Breakpoint) out_ << fmt::format("breakpoint {}: ", stopped.breakpoint);
    if (stopped.why == debug::Stop::Start) out_ << "at the start: ";
    showPosition();
    for (const Displayed& one : displays_) {
        out_ << fmt::format("{:>2}: ", one.id);
        show(one.text, one.format);
    }
}

void DebugConsole::stack(const Arguments&) {
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

void DebugConsole::list(const Arguments& words) {
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

void DebugConsole::disassemble(const Arguments&) {
    const auto size = static_cast<uint32_t>(session_.replay().code().size());
    const uint32_t pc = session_.state().pc, first = pc > 5 ? pc - 5 : 0;
    for (uint32_t i = first; i < std::min(first + 12, size); ++i) out_ << instructionLine(i);
}

// --- Moves ---

void DebugConsole::stepInstruction(const Arguments& words) {
    const std::optional<uint64_t> count = words.empty() ? 1 : parseCount(words[0]);
    if (!count) return fail("write: stepi [COUNT]");
    stopped(session_.stepInstruction(*count));
}

void DebugConsole::reverseInstruction(const Arguments& words) {
    const std::optional<uint64_t> count = words.empty() ? 1 : parseCount(words[0]);
    if (!count) return fail("write: reverse-stepi [COUNT]");
    stopped(session_.reverseInstruction(*count));
}

void DebugConsole::until(const Arguments& words) {
    const std::optional<uint64_t> line = words.size() == 1 ? parseCount(words[0]) : std::nullopt;
    if (!line || *line > UINT32_MAX) return fail("write: until LINE");
    const std::optional<uint32_t> place = session_.lineWithCode(static_cast<uint32_t>(*line));
    if (!place) return fail(fmt::format("no instruction comes from line {} or one behind it", *line));
    stopped(session_.runTo(*place));
}

void DebugConsole::goTo(const Arguments& words) {
    const std::optional<uint64_t> count = words.size() == 1 ? parseCount(words[0]) : std::nullopt;
    if (!count) return fail("write: goto COUNT");
    stopped(session_.goTo(*count));
}

void DebugConsole::goToNan() {
    const std::optional<uint64_t> count = session_.firstNan();
    if (!count) {
        out_ << "no register of the lane is ever NaN\n";
        return;
    }
    stopped(session_.goTo(*count));
}

// --- Breakpoints ---

/// "lane N" and "if EXPRESSION" at the end of a command, if they are there.
bool DebugConsole::conditionWords(const Arguments& words, size_t from, Breakpoint& breakpoint) {
    if (from + 1 < words.size() && words[from] == "lane") {
        const std::optional<int> lane = parseInteger(words[from + 1]);
        if (!lane || *lane < 0 || *lane >= isa::kGroupSize) {
            fail("lanes are 0 to 31");
            return false;
        }
        breakpoint.lane = lane;
        from += 2;
    }
    if (from == words.size()) return true;
    if (words[from] != "if") {
        fail(fmt::format("'{}' is not expected here; lane N and if EXPRESSION may follow", words[from]));
        return false;
    }
    return setCondition(words.text(from + 1), breakpoint);
}

bool DebugConsole::setCondition(const std::string& text, Breakpoint& breakpoint) {
    if (!parseExpression(text, breakpoint.condition)) return false;
    const std::string problem = session_.conditionProblem(breakpoint);
    if (!problem.empty()) fail(problem);
    return problem.empty();
}

bool DebugConsole::parseExpression(const std::string& text, std::optional<debug::Expression>& expression) {
    std::string error;
    expression = debug::Expression::parse(text, error);
    if (!expression) fail(error);
    return expression.has_value();
}

void DebugConsole::breakAt(const Arguments& words) {
    const char* const usage =
        "write: break LINE, @PC, pixel X,Y, vertex N or lane N; then lane N, and if EXPRESSION, to stop for those only";
    if (words.empty()) return fail(usage);
    Breakpoint breakpoint;
    size_t next = 1;
    if (words.size() >= 2 && (words[0] == "pixel" || words[0] == "vertex" || words[0] == "lane")) {
        breakpoint.kind = Breakpoint::Kind::Lane;
        if (words[0] == "lane") {
            next = 0;
        } else if (const auto found = session_.find(words[0] + " " + words[1])) {
            next = 2;
            breakpoint.group = found->first, breakpoint.lane = found->second;
            session_.select(session_.group(), found->second);
        } else {
            return fail(fmt::format("no lane is {} {}", words[0], words[1]));
        }
    } else if (words[0].starts_with("@")) {
        const std::optional<uint64_t> pc = parseCount(words[0].substr(1));
        if (!pc || *pc >= session_.replay().code().size()) return fail("the program has no such instruction");
        breakpoint.kind = Breakpoint::Kind::Instruction;
        breakpoint.where = static_cast<uint32_t>(*pc);
    } else {
        const std::optional<uint64_t> line = parseCount(words[0]);
        if (!line || *line > UINT32_MAX) return fail(usage);
        const std::optional<uint32_t> place = session_.lineWithCode(static_cast<uint32_t>(*line));
        if (!place) return fail(fmt::format("no instruction comes from line {} or one behind it", *line));
        breakpoint.where = *place;
    }
    if (!conditionWords(words, next, breakpoint)) return;
    const std::string text = describe(breakpoint);
    out_ << fmt::format("breakpoint {}: {}\n", session_.add(std::move(breakpoint)), text);
}

void DebugConsole::setCondition(const Arguments& words) {
    const std::optional<int> id = words.empty() ? std::nullopt : parseInteger(words[0]);
    Breakpoint* breakpoint = id ? session_.find(*id) : nullptr;
    if (breakpoint == nullptr) return fail("write: condition ID EXPRESSION; breakpoints lists the numbers");
    Breakpoint changed = *breakpoint;
    changed.condition.reset();
    if (words.size() > 1 && !setCondition(words.text(1), changed)) return;
    *breakpoint = std::move(changed);
    out_ << fmt::format("breakpoint {}: {}\n", *id, describe(*breakpoint));
}

void DebugConsole::watch(const Arguments& words) {
    if (words.empty()) return fail("write: watch NAME [lane N] [if EXPRESSION]");
    const std::optional<Asked> asked = ask(words[0], std::nullopt);
    if (!asked) return;
    std::string error;
    const std::optional<Named> named = asked->expression.variable(session_.moment(), session_.lane(), error);
    if (!named) return fail(error);
    Breakpoint breakpoint;
    breakpoint.kind = Breakpoint::Kind::Watch;
    breakpoint.watched = *named;
    breakpoint.watchedText = words[0];
    if (named->neverChanges()) return fail(fmt::format("{} never changes", words[0]));
    if (!conditionWords(words, 1, breakpoint)) return;
    const std::string text = describe(breakpoint);
    out_ << fmt::format("breakpoint {}: {}\n", session_.add(std::move(breakpoint)), text);
}

void DebugConsole::deleteBreakpoint(const Arguments& words) {
    if (words.empty()) {
        while (!session_.breakpoints().empty()) session_.remove(session_.breakpoints().front().id);
        return;
    }
    const std::optional<int> id = parseInteger(words[0]);
    if (!id || !session_.remove(*id)) fail("there is no such breakpoint");
}

std::string DebugConsole::describe(const Breakpoint& one) {
    std::string text;
    if (one.kind == Breakpoint::Kind::Line) text = fmt::format("line {}", one.where);
    if (one.kind == Breakpoint::Kind::Instruction) text = fmt::format("@{}", one.where);
    if (one.kind == Breakpoint::Kind::Lane) text = "start of";
    if (one.kind == Breakpoint::Kind::Watch) text = "watch " + one.watchedText;
    if (one.lane) text += fmt::format(" lane {}", *one.lane);
    if (one.condition) text += " if " + one.condition->text();
    return text;
}

void DebugConsole::listBreakpoints(const Arguments&) {
    if (session_.breakpoints().empty()) out_ << "none\n";
    for (const Breakpoint& one : session_.breakpoints()) out_ << fmt::format("{:>2}  {}\n", one.id, describe(one));
}

// --- Values ---

std::optional<debug::Expression> DebugConsole::parse(const debug::Session& session, const std::string& text,
                                                     std::optional<debug::Format>& format, std::string& error) {
    std::string expression = text;
    // "r0.x/x": a format, unless there is a variable of that name to divide by.
    if (const size_t slash = text.rfind('/'); slash != std::string::npos && !format) {
        const std::string divisor = text.substr(slash + 1);
        const bool variable =
            debug::findVariable(session.replay().program(), session.line(), session.state().pc, divisor).has_value();
        if (!variable) format = debug::formatByName(divisor);
        if (format) expression.resize(slash);
    }
    return debug::Expression::parse(expression, error);
}

std::optional<DebugConsole::Asked> DebugConsole::ask(const std::string& text, std::optional<debug::Format> format) {
    std::string error;
    const auto parsed = parse(session_, text, format, error);
    if (!parsed) {
        fail(error);
        return std::nullopt;
    }
    return Asked{*parsed, format};
}

void DebugConsole::show(const std::string& text, std::optional<debug::Format> format) {
    if (namesMemory(session_.replay().program(), text)) {
        std::string error;
        const auto element = elementText(session_.replay(), text, format, error);
        if (!element) return fail(error);
        out_ << fmt::format("{} = {}\n", text, *element);
        return;
    }
    const std::optional<Asked> asked = ask(text, format);
    if (!asked) return;
    std::string error;
    std::optional<debug::Value> value = asked->expression.evaluate(session_.moment(), session_.lane(), error);
    if (!value) return fail(error);
    if (asked->format)
        for (debug::Element& one : value->elements) one.format = *asked->format;
    const auto named = asked->expression.variable(session_.moment(), session_.lane(), error);
    const std::string place = named ? debug::placeText(*named, session_.moment(), session_.lane()) : "";
    out_ << fmt::format("{} = {}   ({}{}{})\n", text, debug::valueText(*value), place, place.empty() ? "" : ", ",
                        laneText(session_.lane()));
}

void DebugConsole::print(const Arguments& words) {
    if (words.empty()) return fail("write: print EXPRESSION");
    show(words.text(), words.format);
}

void DebugConsole::display(const Arguments& words) {
    if (!words.empty()) {
        if (!ask(words.text(), words.format)) return;
        displays_.push_back({nextDisplay_++, words.text(), words.format});
    }
    for (const Displayed& one : displays_) {
        out_ << fmt::format("{:>2}: ", one.id);
        show(one.text, one.format);
    }
}

void DebugConsole::undisplay(const Arguments& words) {
    if (words.empty()) return displays_.clear();
    const std::optional<int> id = parseInteger(words[0]);
    if (std::erase_if(displays_, [&](const Displayed& one) { return id && one.id == *id; }) == 0)
        fail("nothing with that number is displayed");
}

void DebugConsole::locals() {
    const isa::Program& program = session_.replay().program();
    const uint32_t pc = session_.state().pc;
    const auto list = debug::localsAt(program, session_.line(), pc);
    if (list.empty()) out_ << "no variable is in scope here\n";
    for (const isa::DebugVariable* local : list) {
        const debug::Named named = *debug::findVariable(program, session_.line(), pc, local->name);
        out_ << fmt::format("  {:<12} {}\n", local->name,
                            debug::valueText(debug::read(named, session_.moment(), session_.lane())));
    }
}

void DebugConsole::info(const Arguments& words) {
    const std::string what = words.empty() ? "" : words[0];
    if (what == "locals") return locals();
    if (what == "registers") return registers({});
    if (what == "breakpoints") return listBreakpoints({});
    fail("write: info locals, info registers or info breakpoints");
}

void DebugConsole::memory(const Arguments& words) {
    const isa::Program& program = session_.replay().program();
    const auto place = words.empty() ? std::nullopt : parseMemoryPlace(program, words[0], words.format);
    const std::optional<uint64_t> count = words.size() < 2 ? kMemoryElements : parseCount(words[1]);
    if (!place || !count || words.size() > 2)
        return fail("write: x NAME[INDEX] [COUNT], NAME a buffer or shared, as in x data[8]/i 16");
    const std::string text = memoryText(session_.replay(), *place, std::min(*count, kMaxMemoryElements));
    if (text.empty()) return fail(fmt::format("{} lies outside the memory", words[0]));
    out_ << text << "\n";
}

/// Fragments as the two blocks of 4x4 pixels that they are, rows from the top; vertices eight in a row.
void DebugConsole::lanes(const Arguments& words) {
    std::optional<Asked> asked;
    const debug::Moment moment = session_.moment();
    std::string error;
    if (!words.empty()) {
        asked = ask(words.text(), words.format);
        if (!asked) return;
        if (!asked->expression.evaluate(moment, session_.lane(), error)) return fail(error);
    }
    const auto cellOf = [&](int lane) -> std::string {
        if (!asked) return fmt::format("{}", lane);
        std::optional<debug::Value> value = asked->expression.evaluate(moment, lane, error);
        if (!value) return "?";
        value->elements.resize(1);
        value->shape = {};
        debug::Element& one = value->elements[0];
        if (asked->format) one.format = *asked->format;
        return one.missing.empty() ? debug::valueText(*value) : "-";
    };
    const bool fragment = session_.replay().program().stage == isa::Stage::Fragment;
    for (int row = 0; row < 4; ++row) {
        std::string text;
        for (int column = 0; column < 8; ++column) {
            const int lane = fragment ? column / 4 * 16 + (3 - row) * 4 + column % 4 : row * 8 + column;
            const char state = laneState(lane);
            text += (column == 4 ? "  " : "") + std::string(1, state) +
                    fmt::format("{:<{}}", state == ' ' ? "" : cellOf(lane), asked ? 13 : 3);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        if (!text.empty()) out_ << "  " << text << "\n";
    }
    if (words.empty())
        out_ << "  * executes, h as a helper for derivatives, d discarded, . waits or has a guard that is false; rows "
                "of pixels as on the screen\n";
}

void DebugConsole::set(const Arguments& words) {
    // NAME = EXPRESSION or NAME EXPRESSION
    std::string name = words.empty() ? "" : words[0], text = words.text(1);
    if (const size_t equals = name.find('='); equals != std::string::npos) {
        text = name.substr(equals + 1) + text;
        name.resize(equals);
    } else if (text.starts_with("=")) {
        text.erase(0, 1);
    }
    if (name.empty() || text.empty()) return fail("write: set NAME EXPRESSION, as in set r0.x 0.5");
    const std::optional<Asked> asked = ask(name, words.format);
    std::optional<debug::Expression> expression;
    if (!asked || !parseExpression(text, expression)) return;
    if (const std::string error = session_.assign(asked->expression, asked->format, *expression); !error.empty())
        return fail(error);
    show(name, words.format);
}

void DebugConsole::registers(const Arguments& words) {
    constexpr std::pair<char, isa::File> kFiles[] = {{'v', isa::File::V}, {'s', isa::File::S}, {'c', isa::File::C},
                                                     {'r', isa::File::R}, {'p', isa::File::P}, {'a', isa::File::A},
                                                     {'o', isa::File::O}};
    bool any = false;
    for (const auto& [letter, file] : kFiles) {
        if (!words.empty() && words[0] != std::string(1, letter)) continue;
        any = true;
        for (const int index : session_.registers(file)) {
            const std::string name = debug::registerName(file, index);
            std::optional<Named> named = debug::findRegister(name);
            if (file == isa::File::A) (void)debug::chooseComponents(*named, "x");
            out_ << fmt::format("  {:<12} {}\n", name,
                                debug::valueText(debug::read(*named, session_.moment(), session_.lane())));
        }
    }
    if (!any) fail("files are v, s, c, r, p, a and o");
}

// --- Costs ---

/// Of all groups of the session, or their block, from the start to the end and without changes.
void DebugConsole::cost(const Arguments& words) {
    const bool json = words.size() == 1 && words[0] == "json";
    if (!words.empty() && !json) return fail("write: cost, or cost json");
    const std::optional<model::Preset> machine = loadMachine("tessera");
    if (!machine) return fail("there is no machine");
    const debug::Group& first = session_.replay(0).group();
    std::optional<model::ProgramCost> cost;
    if (first.launch != nullptr) {
        cost = costOfBlocks("the block", *first.launch, first.block, 1, *machine);
    } else {
        std::vector<const debug::Group*> groups;
        for (int group = 0; group < session_.groupCount(); ++group) groups.push_back(&session_.replay(group).group());
        cost = costOfGroups(groups.size() == 1 ? "the group" : "the groups", groups, *machine);
    }
    if (!cost) return fail("the chip model cannot run it");
    out_ << (json ? model::costJson(*cost).dump(1) + "\n" : model::costText(*cost));
}

// --- What is looked at ---

void DebugConsole::selectLane(const Arguments& words) {
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

void DebugConsole::selectGroup(const Arguments& words) {
    if (words.size() == 1) {
        const std::optional<int> group = parseInteger(words[0]);
        if (!group || *group < 0 || *group >= session_.groupCount()) return fail("there is no such group");
        session_.select(*group, std::countr_zero(session_.replay(*group).group().activeMask));
    }
    showPosition();
}

}  // namespace tessera::tools
