// The Debug Adapter Protocol (microsoft.github.io/debug-adapter-protocol, version 1.65) over a debugging session.
//
// Threads of the protocol are lanes: number 32 * group + lane + 1. All lanes of a group move together, so every stop
// stops all threads. Memory references are instruction numbers times the 16 bytes of an instruction. What the user
// types into the debug console are the commands of tessera dbg.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <istream>
#include <ostream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "shader-core/debug/replay/block_variable.h"
#include "shader-core/debug/trace/trace.h"
#include "tools/debugger/dap_launch.h"
#include "tools/debugger/dap_message.h"
#include "tools/debugger/dbg.h"
#include "tools/debugger/dbg_console.h"
#include "tools/debugger/dbg_memory.h"
#include "tools/files.h"

namespace tessera::tools {

namespace {

using namespace dap;
using debug::Breakpoint;

constexpr int kSource = 1;  ///< sourceReference of the program's own text
constexpr int kMaxDisassembled = 65536;
constexpr uint64_t kInstructionBytes = 16;

enum Scope : int { Locals, Inputs, Outputs, Uniforms, Registers, Predicates, GroupState, kScopes };
constexpr const char* kScopeNames[] = {"Locals", "Inputs", "Outputs", "Uniforms", "Registers", "Predicates", "Group"};

std::string reference(uint64_t pc) { return fmt::format("0x{:x}", pc * kInstructionBytes); }

/// An instruction number from a memory reference and a byte offset; negative for anything else.
int64_t instructionOf(const std::string& text, int64_t offset) {
    uint64_t address = 0;
    if (!text.starts_with("0x")) return -1;
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), address, 16);
    if (error != std::errc() || end != text.data() + text.size() || address > UINT32_MAX) return -1;
    return (static_cast<int64_t>(address) + offset) / static_cast<int64_t>(kInstructionBytes);
}

/// "vec2", "int[4]"
std::string typeName(const debug::Value& value) {
    const debug::Format format = value.elements.empty() ? debug::Format::F32 : value.elements[0].format;
    const char* const scalar = format == debug::Format::Bool ? "bool" : format == debug::Format::I32 ? "int" : "float";
    std::string name = format == debug::Format::U32 ? "uint" : scalar;
    const debug::Shape& shape = value.shape;
    const char* const prefix = format == debug::Format::Bool ? "b" : format == debug::Format::F32 ? "" : "i";
    if (shape.columns > 1)
        name = fmt::format("mat{}", shape.columns);
    else if (shape.rows > 1)
        name = fmt::format("{}vec{}", prefix, shape.rows);
    return shape.elements == 0 ? name : fmt::format("{}[{}]", name, shape.elements);
}

/// What is written on standard error meanwhile, kept; it is written there in the end as well.
class CapturedErrors {
public:
    CapturedErrors() : file_(std::tmpfile()), before_(dup(STDERR_FILENO)) {
        std::fflush(stderr);
        if (file_ != nullptr && before_ >= 0) (void)dup2(fileno(file_), STDERR_FILENO);
    }
    ~CapturedErrors() {
        if (!done_) (void)take();
        if (file_ != nullptr) std::fclose(file_);
    }
    CapturedErrors(const CapturedErrors&) = delete;

    /// Ends the capture. Without the line end of the last line.
    std::string take() {
        done_ = true;
        std::fflush(stderr);
        if (before_ >= 0) {
            (void)dup2(before_, STDERR_FILENO);
            close(before_);
        }
        std::string text;
        if (file_ == nullptr) return text;
        if (std::fseek(file_, 0, SEEK_SET) != 0) return text;
        char buffer[4096];
        for (size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, file_)) != 0 && text.size() < kMaxText;)
            text.append(buffer, n);
        (void)std::fwrite(text.data(), 1, text.size(), stderr);
        while (text.ends_with('\n')) text.pop_back();
        return text;
    }

private:
    static constexpr size_t kMaxText = 64 << 10;
    std::FILE* file_;
    int before_;
    bool done_ = false;
};

class Adapter {
public:
    Adapter(std::istream& in, std::ostream& out) : in_(in), out_(out) {}

    int serve() {
        while (!done_) {
            std::string problem;
            const std::optional<std::string> message = readMessage(in_, problem);
            if (!message && problem.empty()) return kDone;
            if (!message) {
                fmt::print(stderr, "error: this is no Debug Adapter Protocol: {}\n", problem);
                return kWrongInput;
            }
            const Json request = Json::parse(*message, nullptr, false);
            if (textAt(request, "type") == "request") handle(request);
        }
        return kDone;
    }

private:
    struct Request;
    static const std::vector<Request>& requests();

    // --- Messages out ---

    void send(Json json) {
        json["seq"] = ++sequence_;
        const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
        out_ << "Content-Length: " << text.size() << "\r\n\r\n" << text << std::flush;
    }
    void event(const char* name, Json body = Json::object()) {
        send({{"type", "event"}, {"event", name}, {"body", std::move(body)}});
    }
    void respond(const Json& request, Json body = Json::object()) {
        send({{"type", "response"},
              {"request_seq", integerAt(request, "seq", 0)},
              {"success", true},
              {"command", textAt(request, "command")},
              {"body", std::move(body)}});
    }
    void refuse(const Json& request, const std::string& why) {
        send({{"type", "response"},
              {"request_seq", integerAt(request, "seq", 0)},
              {"success", false},
              {"command", textAt(request, "command")},
              {"message", why},
              {"body", {{"error", {{"id", 1}, {"format", why}, {"showUser", true}}}}}});
    }

    void handle(const Json& request);

    // --- Life ---

    void initialize(const Json& request) {
        const Json& arguments = at(request, "arguments");
        firstLine_ = at(arguments, "linesStartAt1") == false ? 0 : 1;
        firstColumn_ = at(arguments, "columnsStartAt1") == false ? 0 : 1;
        respond(request, {{"supportsConfigurationDoneRequest", true},
                          {"supportsStepBack", true},
                          {"supportsInstructionBreakpoints", true},
                          {"supportsSteppingGranularity", true},
                          {"supportsDisassembleRequest", true},
                          {"supportsEvaluateForHovers", true},
                          {"supportsConditionalBreakpoints", true},
                          {"supportsHitConditionalBreakpoints", true},
                          {"supportsLogPoints", true},
                          {"supportsDataBreakpoints", true},
                          {"supportsSetVariable", true},
                          {"supportsSetExpression", true},
                          {"supportsCompletionsRequest", true},
                          {"supportsRestartRequest", true},
                          {"supportsTerminateRequest", true}});
    }

    void launch(const Json& request) {
        const Json& arguments = at(request, "arguments");
        DebugTarget target;
        if (const std::string problem = readLaunch(arguments, target); !problem.empty())
            return refuse(request, problem);
        int status = 0;
        CapturedErrors errors;
        std::optional<DebugSession> made = makeSession(target, status);
        const std::string why = errors.take();
        if (!made) return refuse(request, why.empty() ? "the session cannot be started" : why);
        debug_ = std::move(made);
        console_.emplace(*debug_->session, consoleText_);
        stopOnEntry_ = at(arguments, "stopOnEntry") != false;
        respond(request);
        event("initialized");
    }

    void configurationDone(const Json& request) {
        respond(request);
        enter();
    }

    void enter() {
        if (stopOnEntry_) return stopped({debug::Stop::Start, 0}, "entry");
        stopped(session().run(), "pause");
    }

    void restart(const Json& request) {
        respond(request);
        (void)session().restart();
        enter();
    }

    void leave(const Json& request) {
        respond(request);
        event("terminated");
        done_ = true;
    }

    // --- Breakpoints ---

    void removeAll(Breakpoint::Kind kind) {
        std::vector<int> ids;
        for (const Breakpoint& one : session().breakpoints())
            if (one.kind == kind) ids.push_back(one.id);
        for (const int id : ids) session().remove(id);
    }

    /// What all kinds of breakpoints may carry. Empty, or what is wrong with it.
    [[nodiscard]] std::string addConditions(const Json& json, Breakpoint& breakpoint) const {
        std::string error;
        if (const std::string condition = textAt(json, "condition"); !condition.empty()) {
            breakpoint.condition = debug::Expression::parse(condition, error);
            if (breakpoint.condition) error = session().conditionProblem(breakpoint);
            if (!error.empty()) return "condition: " + error;
        }
        breakpoint.hits = textAt(json, "hitCondition");
        if (!breakpoint.hits.empty() && !debug::isHitCondition(breakpoint.hits))
            return "a hit condition is a number, or one behind =, >, >=, <, <= or %";
        breakpoint.log = textAt(json, "logMessage");
        return {};
    }

    /// Sets those that `place` finds a place for; it returns what is wrong, or nothing.
    template <class Place>
    void setAll(const Json& request, Breakpoint::Kind kind, Place&& place) {
        removeAll(kind);
        Json list = Json::array();
        for (const Json& one : at(at(request, "arguments"), "breakpoints")) {
            Breakpoint breakpoint;
            breakpoint.kind = kind;
            Json answer = {{"verified", true}};
            std::string problem = place(one, breakpoint, answer);
            if (problem.empty()) problem = addConditions(one, breakpoint);
            if (problem.empty())
                answer["id"] = session().add(std::move(breakpoint));
            else
                answer = {{"verified", false}, {"message", problem}};
            list.push_back(std::move(answer));
        }
        respond(request, {{"breakpoints", std::move(list)}});
    }

    /// Whether a source of the protocol is the file that was launched, however the path is written, or the text that
    /// source() gives a number to. A source that says neither can be no other one.
    [[nodiscard]] bool isSourceOfProgram(const Json& source) const {
        const int64_t number = integerAt(source, "sourceReference", 0);
        const std::string path = textAt(source, "path");
        if (number != 0) return number == kSource && debug_->sourcePath.empty();
        std::error_code ignored;
        return path.empty() ||
               (!debug_->sourcePath.empty() && std::filesystem::weakly_canonical(path, ignored) ==
                                                   std::filesystem::weakly_canonical(debug_->sourcePath, ignored));
    }

    /// Those of the program stay.
    void refuseBreakpoints(const Json& request, const char* why) {
        Json list = Json::array();
        for (size_t i = 0; i < at(at(request, "arguments"), "breakpoints").size(); ++i)
            list.push_back({{"verified", false}, {"message", why}});
        respond(request, {{"breakpoints", std::move(list)}});
    }

    void setBreakpoints(const Json& request) {
        if (!isSourceOfProgram(at(at(request, "arguments"), "source")))
            return refuseBreakpoints(request, "not a source of this program");
        setAll(request, Breakpoint::Kind::Line, [this](const Json& one, Breakpoint& breakpoint, Json& answer) {
            const int64_t line = integerAt(one, "line", -1) + 1 - firstLine_;
            const auto place =
                line > 0 && line < INT32_MAX ? session().lineWithCode(static_cast<uint32_t>(line)) : std::nullopt;
            if (!place) return "no instruction comes from here";
            breakpoint.where = *place;
            answer["line"] = shownLine(*place);
            return "";
        });
    }

    void setInstructionBreakpoints(const Json& request) {
        setAll(request, Breakpoint::Kind::Instruction, [this](const Json& one, Breakpoint& breakpoint, Json& answer) {
            const int64_t pc = instructionOf(textAt(one, "instructionReference"), integerAt(one, "offset", 0));
            if (pc < 0 || pc >= static_cast<int64_t>(session().replay().code().size()))
                return "no instruction is there";
            breakpoint.where = static_cast<uint32_t>(pc);
            answer["instructionReference"] = reference(static_cast<uint64_t>(pc));
            return "";
        });
    }

    /// A variable in the lane that was asked about; its id is "THREAD NAME".
    void dataBreakpointInfo(const Json& request) {
        const Json& arguments = at(request, "arguments");
        const int64_t number = integerAt(arguments, "variablesReference", integerAt(arguments, "frameId", 0));
        (void)selectThread(number / kFrames);
        const std::string name = textAt(arguments, "name");
        std::string error;
        const auto named = variableOf(name, error);
        if (named && named->neverChanges()) error = fmt::format("{} never changes", name);
        if (!error.empty()) return respond(request, {{"dataId", nullptr}, {"description", error}});
        respond(request, {{"dataId", fmt::format("{} {}", threadOf(session().group(), session().lane()), name)},
                          {"description", fmt::format("{} in lane {}", name, session().lane())},
                          {"accessTypes", {"write"}}});
    }

    void setDataBreakpoints(const Json& request) {
        setAll(request, Breakpoint::Kind::Watch, [this](const Json& one, Breakpoint& breakpoint, Json&) -> std::string {
            const std::string id = textAt(one, "dataId");
            int64_t thread = 0;
            const auto [end, status] = std::from_chars(id.data(), id.data() + id.size(), thread);
            if (status != std::errc() || end == id.data() + id.size() || !selectThread(thread))
                return "no such variable";
            breakpoint.watchedText = id.substr(static_cast<size_t>(end - id.data()) + 1);
            breakpoint.lane = session().lane(), breakpoint.group = session().group();
            std::string error;
            const auto named = variableOf(breakpoint.watchedText, error);
            if (named) breakpoint.watched = *named;
            return named ? "" : error;
        });
    }

    // --- Moves ---

    void stopped(const debug::Stopped& how, const char* otherwise) {
        for (const std::string& text : session().takeLog())
            event("output", {{"category", "console"}, {"output", text + "\n"}});
        Json body = {{"reason", otherwise},
                     {"threadId", threadOf(session().group(), session().lane())},
                     {"allThreadsStopped", true}};
        if (how.why == debug::Stop::Breakpoint) {
            body["reason"] = "breakpoint";
            for (const Breakpoint& one : session().breakpoints()) {
                if (one.id != how.breakpoint) continue;
                if (one.kind == Breakpoint::Kind::Instruction) body["reason"] = "instruction breakpoint";
                if (one.kind == Breakpoint::Kind::Watch) body["reason"] = "data breakpoint";
            }
            body["hitBreakpointIds"] = Json::array({how.breakpoint});
        }
        if (!how.problem.empty()) {
            body["description"] = how.problem;
            event("output", {{"category", "console"}, {"output", how.problem + "\n"}});
        }
        if (how.why == debug::Stop::End) body["description"] = "at the end of the group";
        if (how.why == debug::Stop::Start && std::string_view(otherwise) != "entry")
            body["description"] = "at the start of the group";
        event("stopped", std::move(body));
    }

    void move(const Json& request, debug::Stopped (debug::Session::*instructions)(uint64_t),
              debug::Stopped (debug::Session::*lines)(bool), bool overCalls) {
        selectThread(integerAt(at(request, "arguments"), "threadId", 0));
        respond(request);
        const bool single = textAt(at(request, "arguments"), "granularity") == "instruction";
        stopped(single ? (session().*instructions)(1) : (session().*lines)(overCalls), "step");
    }

    void resume(const Json& request, debug::Stopped (debug::Session::*run)(), const char* otherwise) {
        selectThread(integerAt(at(request, "arguments"), "threadId", 0));
        respond(request, {{"allThreadsContinued", true}});
        stopped((session().*run)(), otherwise);
    }

    // --- What there is to see ---

    static int threadOf(int group, int lane) { return group * isa::kGroupSize + lane + 1; }

    bool selectThread(int64_t thread) {
        if (thread < 1 || thread > int64_t{session().groupCount()} * isa::kGroupSize) return false;
        const int group = static_cast<int>(thread - 1) / isa::kGroupSize;
        const int lane = static_cast<int>(thread - 1) % isa::kGroupSize;
        if ((session().replay(group).group().activeMask >> lane & 1) == 0) return false;
        session().select(group, lane);
        return true;
    }

    void threads(const Json& request) {
        Json list = Json::array();
        for (int g = 0; g < session().groupCount(); ++g) {
            const debug::Group& group = session().replay(g).group();
            for (uint32_t left = group.activeMask; left != 0; left &= left - 1) {
                const int lane = std::countr_zero(left);
                const std::string& name = group.laneNames[static_cast<size_t>(lane)];
                std::string text = fmt::format("lane {}{}{}", lane, name.empty() ? "" : ", ", name);
                if ((group.helperMask >> lane & 1) != 0) text += " (helper)";
                list.push_back({{"id", threadOf(g, lane)}, {"name", text}});
            }
        }
        respond(request, {{"threads", std::move(list)}});
    }

    Json source() const {
        if (!debug_->sourcePath.empty())
            return {{"name", debug_->sourcePath.substr(debug_->sourcePath.rfind('/') + 1)},
                    {"path", debug_->sourcePath}};
        return {{"name", debug_->title}, {"sourceReference", kSource}};
    }

    /// As the client counts.
    [[nodiscard]] int64_t shownLine(uint32_t line) const { return int64_t{line} - 1 + firstLine_; }

    Json frame(int64_t id, const std::string& name, uint32_t pc) const {
        const uint32_t line = debug::lineOf(session().replay().program(), pc);
        Json json = {{"id", id},
                     {"name", name},
                     {"line", line == 0 ? 0 : shownLine(line)},
                     {"column", line == 0 ? 0 : firstColumn_},
                     {"instructionPointerReference", reference(pc)}};
        if (line != 0) json["source"] = source();
        return json;
    }

    /// The instruction, then the calls around it, the innermost first. A frame's number is its thread's and its depth.
    void stackTrace(const Json& request) {
        const int64_t thread = integerAt(at(request, "arguments"), "threadId", 0);
        if (!selectThread(thread)) return refuse(request, "there is no such lane");
        const debug::State& state = session().state();
        const bool waits = (state.execMask >> session().lane() & 1) == 0;
        const std::string name = state.ended ? "the end" : fmt::format("@{}{}", state.pc, waits ? " (waits)" : "");
        Json frames = Json::array({frame(thread * kFrames, name, state.pc)});
        for (size_t i = state.stack.size(); i-- > 0;)
            if (state.stack[i].kind == interp::EntryKind::Call)
                frames.push_back(frame(thread * kFrames + static_cast<int64_t>(frames.size()),
                                       fmt::format("call at @{}", state.stack[i].target - 1),
                                       state.stack[i].target - 1));
        const size_t total = frames.size();
        respond(request, {{"stackFrames", std::move(frames)}, {"totalFrames", total}});
    }

    void scopes(const Json& request) {
        const int64_t thread = integerAt(at(request, "arguments"), "frameId", 0) / kFrames;
        if (!selectThread(thread)) return refuse(request, "there is no such frame");
        Json list = Json::array();
        for (int scope = 0; scope < kScopes; ++scope)
            list.push_back({{"name", kScopeNames[scope]},
                            {"variablesReference", thread * kFrames + scope + 1},
                            {"expensive", false}});
        respond(request, {{"scopes", std::move(list)}});
    }

    static Json variable(const std::string& name, const std::string& value, const std::string& type) {
        return {{"name", name}, {"value", value}, {"type", type}, {"evaluateName", name}, {"variablesReference", 0}};
    }
    [[nodiscard]] Json variable(const std::string& name, const debug::Named& named) const {
        const debug::Value value = debug::read(named, session().moment(), session().lane());
        Json json = variable(name, debug::valueText(value), typeName(value));
        if (named.neverChanges()) json["presentationHint"] = {{"attributes", {"readOnly"}}};
        return json;
    }
    [[nodiscard]] std::optional<debug::Named> variableOf(const std::string& text, std::string& error) const {
        const auto expression = debug::Expression::parse(text, error);
        return expression ? expression->variable(session().moment(), session().lane(), error) : std::nullopt;
    }

    void addLocals(Json& list) const {
        const isa::Program& program = session().replay().program();
        const uint32_t pc = session().state().pc;
        for (const isa::DebugVariable* local : debug::localsAt(program, session().line(), pc))
            list.push_back(variable(local->name, *debug::findVariable(program, session().line(), pc, local->name)));
    }

    void addRegisters(isa::File file, Json& list) const {
        for (const int index : session().registers(file)) {
            const std::string name = debug::registerName(file, index);
            std::optional<debug::Named> named = debug::findRegister(name);
            if (file == isa::File::A) (void)debug::chooseComponents(*named, "x");
            if (named) list.push_back(variable(name, *named));
        }
    }

    void addVariables(const std::vector<isa::Variable>& variables, Json& list) const {
        std::string error;
        for (const isa::Variable& one : variables)
            if (const auto named = variableOf(one.name, error)) list.push_back(variable(one.name, *named));
    }

    void addMembers(const isa::Program& program, Json& list) const {
        std::string error;
        for (const debug::BlockVariable& one : debug::blockVariables(program))
            if (const auto named = variableOf(one.name, error)) list.push_back(variable(one.name, *named));
    }

    void addGroup(Json& list) const {
        const debug::State& state = session().state();
        list.push_back(variable("instructions", fmt::format("{}", state.count), "count"));
        list.push_back(variable("pc", fmt::format("{}", state.pc), "count"));
        list.push_back(variable("exec", debug::maskText(state.execMask), "mask"));
        list.push_back(variable("guarded", debug::maskText(state.guardedMask), "mask"));
        list.push_back(variable("discarded", debug::maskText(state.killMask), "mask"));
        list.push_back(variable("helpers", debug::maskText(session().replay().group().helperMask), "mask"));
        for (size_t i = 0; i < state.stack.size(); ++i) {
            constexpr const char* kWhat[] = {"if", "loop", "call"};
            const interp::StackEntry& entry = state.stack[i];
            list.push_back(variable(fmt::format("stack {}", i),
                                    fmt::format("{}: {} wait at @{}", kWhat[static_cast<size_t>(entry.kind)],
                                                debug::maskText(entry.waiting), entry.target),
                                    "reconvergence"));
        }
    }

    void variables(const Json& request) {
        const int64_t number = integerAt(at(request, "arguments"), "variablesReference", 0);
        const int64_t scope = number % kFrames - 1;
        if (scope < 0 || scope >= kScopes || !selectThread(number / kFrames))
            return refuse(request, "there is nothing behind this");
        const isa::Program& program = session().replay().program();
        Json list = Json::array();
        switch (static_cast<Scope>(scope)) {
            case Locals:
                addLocals(list);
                break;
            case Registers:
                addRegisters(isa::File::R, list);
                break;
            case Inputs:
                addVariables(program.attributes, list);
                if (program.stage == isa::Stage::Fragment) addVariables(program.varyings, list);
                addRegisters(isa::File::V, list);
                addRegisters(isa::File::S, list);
                break;
            case Outputs:
                addVariables(program.stage == isa::Stage::Vertex ? program.varyings : program.outputs, list);
                addRegisters(isa::File::O, list);
                break;
            case Uniforms:
                addVariables(program.uniforms, list);
                addMembers(program, list);
                addRegisters(isa::File::C, list);
                break;
            case Predicates:
                addRegisters(isa::File::P, list);
                addRegisters(isa::File::A, list);
                break;
            default:
                addGroup(list);
        }
        respond(request, {{"variables", std::move(list)}});
    }

    /// As expressions are written, or as values are shown: "1 0.5".
    static std::optional<debug::Expression> parseValue(const std::string& text, std::string& error) {
        std::istringstream words(text);
        std::vector<std::string> parts;
        for (std::string word; words >> word;) parts.push_back(word);
        const bool numbers = parts.size() > 1 && parts.size() <= 4 && text.find_first_of("()+*/,") == std::string::npos;
        if (!numbers) return debug::Expression::parse(text, error);
        const bool bools = parts[0] == "true" || parts[0] == "false";
        const bool floats = text.find_first_of(".e") != std::string::npos;
        return debug::Expression::parse(fmt::format("{}vec{}({})",
                                                    bools    ? "b"
                                                    : floats ? ""
                                                             : "i",
                                                    parts.size(), fmt::join(parts, ", ")),
                                        error);
    }

    /// Both setVariable and setExpression: what is named `target` gets the value in the lane looked at.
    void assign(const Json& request, const std::string& target) {
        std::string error;
        const auto name = debug::Expression::parse(target, error);
        const auto value = name ? parseValue(textAt(at(request, "arguments"), "value"), error) : std::nullopt;
        if (value) error = session().assign(*name, std::nullopt, *value);
        if (!error.empty()) return refuse(request, fmt::format("{}: {}", target, error));
        const auto now = name->evaluate(session().moment(), session().lane(), error);
        respond(request, {{"value", now ? debug::valueText(*now) : error}, {"variablesReference", 0}});
    }
    void setVariable(const Json& request) {
        const Json& arguments = at(request, "arguments");
        if (!selectThread(integerAt(arguments, "variablesReference", 0) / kFrames))
            return refuse(request, "there is nothing behind this");
        assign(request, textAt(arguments, "name"));
    }
    void setExpression(const Json& request) {
        const Json& arguments = at(request, "arguments");
        if (const int64_t id = integerAt(arguments, "frameId", 0); id != 0) (void)selectThread(id / kFrames);
        assign(request, textAt(arguments, "expression"));
    }

    void completions(const Json& request) {
        const std::string text = textAt(at(request, "arguments"), "text");
        const int64_t before = integerAt(at(request, "arguments"), "column", firstColumn_) - firstColumn_;
        const auto size = static_cast<size_t>(std::clamp<int64_t>(before, 0, static_cast<int64_t>(text.size())));
        Json list = Json::array();
        for (const std::string& word : console_->completions(text.substr(0, size))) list.push_back({{"label", word}});
        respond(request, {{"targets", std::move(list)}});
    }

    void evaluate(const Json& request) {
        const Json& arguments = at(request, "arguments");
        if (const int64_t id = integerAt(arguments, "frameId", 0); id != 0) (void)selectThread(id / kFrames);
        const std::string text = textAt(arguments, "expression");
        std::string error;
        const bool isMemory = namesMemory(session().replay().program(), text);
        if (isMemory) {
            if (const auto element = elementText(session().replay(), text, std::nullopt, error))
                return respond(request, {{"result", *element}, {"variablesReference", 0}});
        } else if (const auto value = evaluated(text, error)) {
            return respond(
                request, {{"result", debug::valueText(*value)}, {"type", typeName(*value)}, {"variablesReference", 0}});
        }
        if (textAt(arguments, "context") != "repl") return refuse(request, error);
        consoleText_.str({});
        const uint64_t count = session().state().count;
        const int group = session().group();
        (void)console_->execute(text);
        std::string told = consoleText_.str();
        if (told.ends_with('\n')) told.pop_back();
        respond(request, {{"result", told}, {"variablesReference", 0}});
        if (session().state().count != count || session().group() != group) stopped({debug::Stop::Moved, 0}, "step");
    }

    /// An expression, with a format behind it perhaps.
    [[nodiscard]] std::optional<debug::Value> evaluated(const std::string& text, std::string& error) const {
        std::optional<debug::Format> format;
        auto expression = DebugConsole::parse(session(), text, format, error);
        auto value = expression ? expression->evaluate(session().moment(), session().lane(), error) : std::nullopt;
        if (value && format)
            for (debug::Element& one : value->elements) one.format = *format;
        return value;
    }

    void disassemble(const Json& request) {
        const Json& arguments = at(request, "arguments");
        const int64_t base = instructionOf(textAt(arguments, "memoryReference"), integerAt(arguments, "offset", 0));
        const int64_t offset =
            std::clamp<int64_t>(integerAt(arguments, "instructionOffset", 0), -kMaxDisassembled, kMaxDisassembled);
        const int64_t count = std::clamp<int64_t>(integerAt(arguments, "instructionCount", 0), 0, kMaxDisassembled);
        if (base < 0) return refuse(request, "there is no such memory");
        const debug::Replay& replay = session().replay();
        Json list = Json::array();
        for (int64_t pc = base + offset; pc < base + offset + count; ++pc) {
            if (pc < 0 || pc >= static_cast<int64_t>(replay.code().size())) {
                const std::string address = pc < 0
                                                ? fmt::format("-0x{:x}", static_cast<uint64_t>(-pc) * kInstructionBytes)
                                                : reference(static_cast<uint64_t>(pc));
                list.push_back({{"address", address}, {"instruction", ""}, {"presentationHint", "invalid"}});
                continue;
            }
            const auto index = static_cast<uint32_t>(pc);
            Json one = {{"address", reference(index)}, {"instruction", debug::instructionText(replay.code()[index])}};
            if (const uint32_t line = debug::lineOf(replay.program(), index); line != 0)
                one["line"] = shownLine(line), one["location"] = source();
            list.push_back(std::move(one));
        }
        respond(request, {{"instructions", std::move(list)}});
    }

    debug::Session& session() { return *debug_->session; }
    [[nodiscard]] const debug::Session& session() const { return *debug_->session; }

    static constexpr int64_t kFrames = 128;  ///< frames, or scopes, of a thread

    std::istream& in_;
    std::ostream& out_;
    int64_t sequence_ = 0;
    bool done_ = false, stopOnEntry_ = true;
    int firstLine_ = 1, firstColumn_ = 1;  ///< numbers that the client gives to them
    std::optional<DebugSession> debug_;
    std::ostringstream consoleText_;
    std::optional<DebugConsole> console_;
};

struct Adapter::Request {
    const char* command;
    bool needsSession;
    void (*run)(Adapter&, const Json&);
};

const std::vector<Adapter::Request>& Adapter::requests() {
    using A = Adapter;
    using S = debug::Session;
    using J = const Json&;
    static const std::vector<Request> table = {
        {"initialize", false, [](A& a, J r) { a.initialize(r); }},
        {"launch", false, [](A& a, J r) { a.launch(r); }},
        {"disconnect", false, [](A& a, J r) { a.leave(r); }},
        {"terminate", false, [](A& a, J r) { a.leave(r); }},
        {"configurationDone", true, [](A& a, J r) { a.configurationDone(r); }},
        {"setBreakpoints", true, [](A& a, J r) { a.setBreakpoints(r); }},
        {"setInstructionBreakpoints", true, [](A& a, J r) { a.setInstructionBreakpoints(r); }},
        {"dataBreakpointInfo", true, [](A& a, J r) { a.dataBreakpointInfo(r); }},
        {"setDataBreakpoints", true, [](A& a, J r) { a.setDataBreakpoints(r); }},
        {"setVariable", true, [](A& a, J r) { a.setVariable(r); }},
        {"setExpression", true, [](A& a, J r) { a.setExpression(r); }},
        {"completions", true, [](A& a, J r) { a.completions(r); }},
        {"restart", true, [](A& a, J r) { a.restart(r); }},
        {"setExceptionBreakpoints", true, [](A& a, J r) { a.respond(r, {{"breakpoints", Json::array()}}); }},
        {"threads", true, [](A& a, J r) { a.threads(r); }},
        {"stackTrace", true, [](A& a, J r) { a.stackTrace(r); }},
        {"scopes", true, [](A& a, J r) { a.scopes(r); }},
        {"variables", true, [](A& a, J r) { a.variables(r); }},
        {"evaluate", true, [](A& a, J r) { a.evaluate(r); }},
        {"disassemble", true, [](A& a, J r) { a.disassemble(r); }},
        {"source", true, [](A& a, J r) { a.respond(r, {{"content", a.session().replay().program().source}}); }},
        {"next", true, [](A& a, J r) { a.move(r, &S::stepInstruction, &S::stepLine, true); }},
        {"stepIn", true, [](A& a, J r) { a.move(r, &S::stepInstruction, &S::stepLine, false); }},
        {"stepBack", true, [](A& a, J r) { a.move(r, &S::reverseInstruction, &S::reverseLine, true); }},
        {"stepOut", true, [](A& a, J r) { a.resume(r, &S::finish, "step"); }},
        {"continue", true, [](A& a, J r) { a.resume(r, &S::run, "pause"); }},
        {"reverseContinue", true, [](A& a, J r) { a.resume(r, &S::reverseRun, "pause"); }},
        {"pause", true,
         [](A& a, J r) {
             a.respond(r);
             a.stopped({debug::Stop::Moved, 0}, "pause");
         }},
    };
    return table;
}

void Adapter::handle(const Json& request) {
    const std::string command = textAt(request, "command");
    for (const Request& one : requests()) {
        if (command != one.command) continue;
        if (one.needsSession && !debug_) return refuse(request, "nothing has been launched");
        return one.run(*this, request);
    }
    refuse(request, fmt::format("'{}' is not supported", command));
}

}  // namespace

int serveDebugAdapter(std::istream& in, std::ostream& out) { return Adapter(in, out).serve(); }

}  // namespace tessera::tools
