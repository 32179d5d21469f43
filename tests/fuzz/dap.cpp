// Messages to the debug adapter: requests of the protocol with arguments likely, odd and of the wrong kind, text that
// is no request, and headers that lie. Demands: it answers in whole messages, one for each request that it read.
//
// What is launched is a group at hand: no file is read and no program started, whatever a request names.
#include <climits>
#include <sstream>

#include <nlohmann/json.hpp>

#include "tests/fuzz/debug_groups.h"
#include "tests/fuzz/input.h"
#include "tools/debugger/dbg.h"

namespace tessera::tools {

/// In place of that of tools/debugger/dbg.cpp.
std::optional<DebugSession> makeSession(const DebugTarget& target, int& status) {
    static const std::vector<std::vector<debug::Group>> kGroups = {
        {fuzz::shaderGroup(isa::Stage::Vertex)}, {fuzz::shaderGroup(isa::Stage::Fragment)}, fuzz::kernelGroups()};
    status = 0;
    if (target.group.lanes > 3) return std::nullopt;
    std::vector<debug::Group> groups = kGroups[static_cast<size_t>(target.group.lanes) - 1];
    if (groups[0].memory) groups = debug::groupsOf(groups[0].launch, 0);  // memory of its own
    return DebugSession{std::make_unique<debug::Session>(std::move(groups)), "a group", "shader.vert"};
}

}  // namespace tessera::tools

namespace {

using namespace tessera;
using fuzz::Input;
using Json = nlohmann::ordered_json;

constexpr const char* kCommands[] = {"initialize",
                                     "launch",
                                     "configurationDone",
                                     "setBreakpoints",
                                     "setInstructionBreakpoints",
                                     "continue",
                                     "next",
                                     "dataBreakpointInfo",
                                     "setDataBreakpoints",
                                     "setVariable",
                                     "setExpression",
                                     "completions",
                                     "restart",
                                     "threads",
                                     "stackTrace",
                                     "scopes",
                                     "variables",
                                     "evaluate",
                                     "disassemble",
                                     "source",
                                     "stepIn",
                                     "stepBack",
                                     "stepOut",
                                     "reverseContinue",
                                     "pause",
                                     "setExceptionBreakpoints",
                                     "disconnect",
                                     "terminate",
                                     "attach"};

constexpr const char* kNames[] = {"lanes",
                                  "stopOnEntry",
                                  "breakpoints",
                                  "line",
                                  "condition",
                                  "hitCondition",
                                  "logMessage",
                                  "threadId",
                                  "granularity",
                                  "frameId",
                                  "context",
                                  "expression",
                                  "variablesReference",
                                  "name",
                                  "value",
                                  "column",
                                  "text",
                                  "dataId",
                                  "offset",
                                  "instructionReference",
                                  "memoryReference",
                                  "instructionOffset",
                                  "instructionCount",
                                  "program",
                                  "uniforms",
                                  "set",
                                  "grid"};

constexpr const char* kTexts[] = {"a_value",
                                  "scaled.x",
                                  "u_weights[1]",
                                  "u_weights[i]",
                                  "i",
                                  "turned[1][0]",
                                  "r0.x",
                                  "p1",
                                  "o0",
                                  "c1",
                                  "s5.x",
                                  "shared[3]",
                                  "b0[1]",
                                  "data[70000]",
                                  "repl",
                                  "hover",
                                  "instruction",
                                  "0x10",
                                  "0x0",
                                  "0xfffffff0",
                                  "1 2",
                                  ">= 2",
                                  "% 0",
                                  "{scaled.x}",
                                  "true",
                                  "1.5 / 0.0",
                                  "33 scaled",
                                  "1 a_value.x",
                                  "stepi 3",
                                  "rsi 2",
                                  "until 8",
                                  "goto 5",
                                  "print r0/x",
                                  "x/4 shared",
                                  "display i",
                                  "undisplay 1",
                                  "break 8 if i > 0",
                                  "watch scaled",
                                  "delete 1",
                                  "info locals",
                                  "lanes r0",
                                  "set r0.x 0.5",
                                  "set i/i = 2",
                                  "registers r",
                                  "stack",
                                  "list",
                                  "disassemble",
                                  "lane 3",
                                  "lane vertex 3",
                                  "group 1",
                                  "locals",
                                  "run",
                                  "reverse-step",
                                  "finish",
                                  "restart",
                                  "help",
                                  "dot(scaled, scaled)",
                                  "vec2(i)",
                                  "-i",
                                  "(((((((1)))))))",
                                  "",
                                  "step",
                                  "info breakpoints"};

constexpr int64_t kIntegers[] = {0,   1,    2,           3,           8,       33, 64,        128,      129,
                                 255, 1024, 3 * 128 + 1, 4 * 128 + 5, INT_MAX, -1, INT64_MAX, INT64_MIN};

std::string textOf(Input& input) {
    const uint8_t which = input.byte();
    if (which < 200) return kTexts[which % std::size(kTexts)];
    std::string text;
    for (int left = which % 32; left > 0; --left) text += static_cast<char>(input.byte());
    return text;
}

Json valueOf(Input& input, int depth);

/// Some arguments. What a request is for hardly ever stands in more than a few of them.
Json arguments(Input& input, int depth) {
    Json json = Json::object();
    for (int left = input.byte() % 6; left > 0; --left) {
        const char* const name = kNames[input.byte() % std::size(kNames)];
        json[name] = valueOf(input, depth);
    }
    return json;
}

Json valueOf(Input& input, int depth) {
    const uint8_t kind = input.byte() % 12;
    if (kind < 4) return kIntegers[input.byte() % std::size(kIntegers)];
    if (kind < 8) return textOf(input);
    if (kind == 8) return (input.byte() & 1) != 0;
    if (kind == 9 || depth > 3) return input.byte() / 7.0;
    if (kind == 10) return arguments(input, depth + 1);
    Json list = Json::array();
    for (int left = input.byte() % 4; left > 0; --left)
        list.push_back(left % 2 != 0 ? arguments(input, depth + 1) : valueOf(input, depth + 1));
    return list;
}

std::string withLength(const std::string& text) {
    return "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
}

std::string requestOf(const char* command, const Json& arguments) {
    const Json request = {{"seq", 1}, {"type", "request"}, {"command", command}, {"arguments", arguments}};
    return withLength(request.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string messageOf(Input& input) {
    const uint8_t kind = input.byte();
    if (kind >= 16) return requestOf(kCommands[kind % std::size(kCommands)], arguments(input, 0));
    std::string text;
    for (int left = input.byte(); left > 0 && !input.empty(); --left) text += static_cast<char>(input.byte());
    return kind < 12 ? withLength(text) : text;
}

/// Reads the answers, independently of the adapter's reader.
void demandMessages(const std::string& text) {
    for (size_t at = 0; at < text.size();) {
        const std::string_view rest = std::string_view(text).substr(at);
        constexpr std::string_view kHeader = "Content-Length: ", kBreak = "\r\n\r\n";
        const size_t end = rest.find(kBreak);
        fuzz::demand(rest.starts_with(kHeader) && end != std::string_view::npos, "answers have headers", text);
        const size_t length = std::stoul(std::string(rest.substr(kHeader.size(), end - kHeader.size())));
        fuzz::demand(end + kBreak.size() + length <= rest.size(), "answers are whole", text);
        const Json answer = Json::parse(rest.substr(end + kBreak.size(), length), nullptr, false);
        fuzz::demand(answer.is_object() && answer.contains("seq") && answer.contains("type"), "answers are messages",
                     text);
        at += end + kBreak.size() + length;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    std::string text = requestOf("launch", {{"lanes", input.byte() % 3 + 1}}) + requestOf("configurationDone", {});
    for (int messages = 0; !input.empty() && messages < 60; ++messages) text += messageOf(input);
    std::istringstream in(text);
    std::ostringstream out;
    (void)tools::serveDebugAdapter(in, out);
    fuzz::demand(out.str().find("\"stopped\"") != std::string::npos, "what is launched stops", out.str());
    demandMessages(out.str());
    return 0;
}
