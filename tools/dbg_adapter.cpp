// The Debug Adapter Protocol (microsoft.github.io/debug-adapter-protocol, version 1.65) over a debugging session.
//
// Threads of the protocol are lanes: number 32 * group + lane + 1. All lanes of a group move together, so every stop
// stops all threads. Memory references are instruction numbers times the 16 bytes of an instruction. What the user
// types into the debug console are the commands of tessera dbg.
#include <charconv>
#include <iostream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "shader-core/debug/trace.h"
#include "tools/dbg.h"
#include "tools/dbg_console.h"

namespace tessera::tools {

namespace {

using Json = nlohmann::ordered_json;
using debug::Breakpoint;

constexpr size_t kMaxMessage = 16u << 20;
constexpr int kSource = 1;  ///< sourceReference of the program's own text
constexpr int kMaxDisassembled = 65536;
constexpr uint64_t kInstructionBytes = 16;

enum Scope : int { Registers, Inputs, Outputs, Uniforms, Predicates, GroupState, kScopes };
constexpr const char* kScopeNames[] = {"Registers", "Inputs", "Outputs", "Uniforms", "Predicates", "Group"};

/// Messages with a Content-Length header; nothing at the end of the input or when it is no protocol.
std::optional<std::string> readMessage(std::istream& in) {
    size_t length = 0;
    std::string line;
    bool any = false;
    while (std::getline(in, line)) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.empty()) break;
        any = true;
        constexpr std::string_view kLength = "Content-Length:";
        if (!line.starts_with(kLength)) continue;
        const size_t first = line.find_first_not_of(' ', kLength.size());
        if (first == std::string::npos) return std::nullopt;
        std::from_chars(line.data() + first, line.data() + line.size(), length);
    }
    if (!any || length == 0 || length > kMaxMessage) return std::nullopt;
    std::string message(length, '\0');
    in.read(message.data(), static_cast<std::streamsize>(length));
    if (static_cast<size_t>(in.gcount()) != length) return std::nullopt;
    return message;
}

// Arguments of the wrong type count as absent.
const Json& at(const Json& json, const char* name) {
    static const Json nothing;
    if (!json.is_object()) return nothing;
    const auto found = json.find(name);
    return found == json.end() ? nothing : *found;
}
int64_t integerAt(const Json& json, const char* name, int64_t otherwise) {
    const Json& value = at(json, name);
    return value.is_number_integer() ? value.get<int64_t>() : otherwise;
}
std::string textAt(const Json& json, const char* name, const char* otherwise = "") {
    const Json& value = at(json, name);
    return value.is_string() ? value.get<std::string>() : otherwise;
}
std::vector<std::string> listAt(const Json& json, const char* name) {
    std::vector<std::string> list;
    for (const Json& one : at(json, name))
        if (one.is_string()) list.push_back(one.get<std::string>());
    return list;
}

std::string reference(uint64_t pc) { return fmt::format("0x{:x}", pc * kInstructionBytes); }

/// An instruction number from a memory reference and a byte offset; negative for anything else.
int64_t instructionOf(const std::string& text, int64_t offset) {
    uint64_t address = 0;
    if (!text.starts_with("0x")) return -1;
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), address, 16);
    if (error != std::errc() || end != text.data() + text.size() || address > UINT32_MAX) return -1;
    return (static_cast<int64_t>(address) + offset) / static_cast<int64_t>(kInstructionBytes);
}

class Adapter {
public:
    Adapter(std::istream& in, std::ostream& out) : in_(in), out_(out) {}

    int serve() {
        while (!done_) {
            const std::optional<std::string> message = readMessage(in_);
            if (!message) return 0;
            const Json request = Json::parse(*message, nullptr, false);
            if (textAt(request, "type") == "request") handle(request);
        }
        return 0;
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
        respond(request, {{"supportsConfigurationDoneRequest", true},
                          {"supportsStepBack", true},
                          {"supportsInstructionBreakpoints", true},
                          {"supportsSteppingGranularity", true},
                          {"supportsDisassembleRequest", true},
                          {"supportsEvaluateForHovers", true},
                          {"supportsTerminateRequest", true}});
    }

    void launch(const Json& request) {
        const Json& arguments = at(request, "arguments");
        DebugTarget target;
        target.group.set = listAt(arguments, "set");
        target.group.uniforms = listAt(arguments, "uniforms");
        target.group.textures = listAt(arguments, "textures");
        target.group.stage = textAt(arguments, "stage");
        target.group.lanes = static_cast<int>(std::clamp<int64_t>(integerAt(arguments, "lanes", 1), 1, 2048));
        target.captureFile = textAt(arguments, "capture");
        target.pixel = textAt(arguments, "pixel");
        target.frame.frame = static_cast<uint64_t>(std::max<int64_t>(integerAt(arguments, "frame", 0), 0));
        target.frame.bottomUp = at(arguments, "gl") == true;
        target.draw = integerAt(arguments, "draw", -1), target.primitive = integerAt(arguments, "primitive", -1);
        target.vertices = at(arguments, "vertices") == true;
        const std::string program = textAt(arguments, "program");
        if (!program.empty()) target.frame.program = {program};
        for (const std::string& word : listAt(arguments, "args")) target.frame.program.push_back(word);
        int status = 0;
        std::optional<DebugSession> made = makeSession(target, status);
        if (!made)
            return refuse(request, "the session cannot be started; the reason is on the adapter's standard error");
        debug_ = std::move(made);
        console_.emplace(*debug_->session, consoleText_);
        stopOnEntry_ = at(arguments, "stopOnEntry") != false;
        respond(request);
        event("initialized");
    }

    void configurationDone(const Json& request) {
        respond(request);
        if (stopOnEntry_) return stopped({debug::Stop::Start, 0}, "entry");
        stopped(session().run(), "pause");
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

    void setBreakpoints(const Json& request) {
        removeAll(Breakpoint::Kind::Line);
        Json list = Json::array();
        for (const Json& one : at(at(request, "arguments"), "breakpoints")) {
            const int64_t line = integerAt(one, "line", 0);
            const auto place =
                line > 0 && line < INT32_MAX ? session().lineWithCode(static_cast<uint32_t>(line)) : std::nullopt;
            if (!place) {
                list.push_back({{"verified", false}, {"message", "no instruction comes from here"}});
                continue;
            }
            Breakpoint breakpoint;
            breakpoint.where = *place;
            list.push_back({{"id", session().add(breakpoint)}, {"verified", true}, {"line", *place}});
        }
        respond(request, {{"breakpoints", std::move(list)}});
    }

    void setInstructionBreakpoints(const Json& request) {
        removeAll(Breakpoint::Kind::Instruction);
        Json list = Json::array();
        for (const Json& one : at(at(request, "arguments"), "breakpoints")) {
            const int64_t pc = instructionOf(textAt(one, "instructionReference"), integerAt(one, "offset", 0));
            const bool exists = pc >= 0 && pc < static_cast<int64_t>(session().replay().code().size());
            Json answer = {{"verified", exists}};
            if (exists) {
                Breakpoint breakpoint;
                breakpoint.kind = Breakpoint::Kind::Instruction;
                breakpoint.where = static_cast<uint32_t>(pc);
                answer["id"] = session().add(breakpoint);
                answer["instructionReference"] = reference(static_cast<uint64_t>(pc));
            }
            list.push_back(std::move(answer));
        }
        respond(request, {{"breakpoints", std::move(list)}});
    }

    // --- Moves ---

    void stopped(const debug::Stopped& how, const char* otherwise) {
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

    Json frame(int64_t id, const std::string& name, uint32_t pc) const {
        const uint32_t line = debug::lineOf(session().replay().program(), pc);
        Json json = {{"id", id},
                     {"name", name},
                     {"line", line},
                     {"column", line == 0 ? 0 : 1},
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

    static Json variable(const std::string& name, const std::string& value, const char* type) {
        return {{"name", name}, {"value", value}, {"type", type}, {"evaluateName", name}, {"variablesReference", 0}};
    }

    void addRegisters(isa::File file, Json& list) const {
        const bool single = file == isa::File::P || file == isa::File::A;
        for (const int index : session().registers(file)) {
            const std::string name = debug::registerName(file, index);
            const auto named = session().name(single && file == isa::File::A ? name + ".x" : name);
            if (named) list.push_back(variable(name, session().valuesText(*named, session().lane()), "register"));
        }
    }

    void addVariables(const std::vector<isa::Variable>& variables, Json& list) const {
        for (const isa::Variable& one : variables) {
            const int elements = one.arraySize == 0 ? isa::columnCount(one.type) : one.arraySize;
            for (int i = 0; i < elements; ++i) {
                const std::string name = elements == 1 ? one.name : fmt::format("{}[{}]", one.name, i);
                if (const auto named = session().name(name))
                    list.push_back(variable(name, session().valuesText(*named, session().lane()), "variable"));
            }
        }
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
                if (program.stage == isa::Stage::Vertex) addVariables(program.varyings, list);
                addRegisters(isa::File::O, list);
                break;
            case Uniforms:
                addVariables(program.uniforms, list);
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

    void evaluate(const Json& request) {
        const Json& arguments = at(request, "arguments");
        if (const int64_t id = integerAt(arguments, "frameId", 0); id != 0) (void)selectThread(id / kFrames);
        const std::string expression = textAt(arguments, "expression");
        if (const auto named = session().name(expression))
            return respond(request,
                           {{"result", session().valuesText(*named, session().lane())}, {"variablesReference", 0}});
        if (textAt(arguments, "context") != "repl")
            return refuse(request, fmt::format("'{}' is no register or variable of this program", expression));
        consoleText_.str({});
        const uint64_t count = session().state().count;
        const int group = session().group();
        (void)console_->execute(expression);
        std::string text = consoleText_.str();
        if (text.ends_with('\n')) text.pop_back();
        respond(request, {{"result", text}, {"variablesReference", 0}});
        if (session().state().count != count || session().group() != group) stopped({debug::Stop::Moved, 0}, "step");
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
                one["line"] = line, one["location"] = source();
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
        {"stepOut", true, [](A& a, J r) { a.resume(r, &S::stepOut, "step"); }},
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

int serveDebugAdapter() { return Adapter(std::cin, std::cout).serve(); }

}  // namespace tessera::tools
