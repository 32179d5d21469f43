// The debugger: a session over the groups of a job or of a capture.
#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/thread/thread.h"
#include "shader-core/asm/spelling.h"
#include "shader-core/debug/replay/block_variable.h"
#include "shader-core/debug/session.h"
#include "shader-core/debug/trace/trace.h"
#include "tools/library/library.h"
#include "tools/run/group_textures.h"

using namespace tessera;
using namespace tessera::tools;
using namespace tessera::tools::library;

struct TesseraDebugger {
    debug::Session session;
    std::string title;
    debug::Stopped stopped;  ///< how the last move ended
};

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kParserStack = size_t{1} << 20;

TesseraDebugger* debuggerOf(std::vector<debug::Group> groups, std::string title) {
    return new TesseraDebugger{debug::Session(std::move(groups)), std::move(title), {debug::Stop::Start, 0, {}}};
}

debug::Stopped move(debug::Session& session, TesseraMove how, uint64_t count) {
    const uint64_t least = std::min(count, std::numeric_limits<uint64_t>::max() - session.state().count);
    switch (how) {
        case TESSERA_STEP:
            return session.stepInstruction(least);
        case TESSERA_STEP_BACK:
            return session.reverseInstruction(count);
        case TESSERA_NEXT_LINE:
        case TESSERA_INTO_LINE:
            return session.stepLine(how == TESSERA_NEXT_LINE);
        case TESSERA_PREVIOUS_LINE:
        case TESSERA_BACK_INTO_LINE:
            return session.reverseLine(how == TESSERA_PREVIOUS_LINE);
        case TESSERA_FINISH:
            return session.finish();
        case TESSERA_RUN:
            return session.run();
        case TESSERA_RUN_BACK:
            return session.reverseRun();
        case TESSERA_RUN_TO_LINE:
            return session.runTo(static_cast<uint32_t>(std::min<uint64_t>(count, UINT32_MAX)));
        case TESSERA_RESTART:
            return session.restart();
        case TESSERA_GO_TO:
            return session.goTo(count);
    }
    return {};
}

TesseraPosition positionOf(const TesseraDebugger& debugger) {
    const debug::Session& session = debugger.session;
    const debug::State& state = session.state();
    TesseraPosition position{};
    position.count = state.count;
    position.group = static_cast<uint32_t>(session.group());
    position.lane = static_cast<uint32_t>(session.lane());
    position.groups = static_cast<uint32_t>(session.groupCount());
    position.instruction = state.pc;
    position.line = session.line();
    position.activeMask = state.ended ? 0 : state.execMask;
    position.guardedMask = state.ended ? 0 : state.guardedMask;
    position.discardedMask = state.killMask;
    position.hasEnded = static_cast<int32_t>(state.ended);
    position.stop = static_cast<int32_t>(debugger.stopped.why);
    position.breakpoint = debugger.stopped.breakpoint;
    return position;
}

/// The line of a program's text, from 1; lines end as GLSL's and the assembler's do.
std::string sourceLine(const std::string& source, uint32_t number) {
    size_t at = 0;
    for (uint32_t line = 1; line < number && at < source.size(); ++line)
        at = std::min(source.find('\n', at), source.size()) + 1;
    if (number == 0 || at >= source.size()) return {};
    std::string line = source.substr(at, source.find('\n', at) - at);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    return line;
}

Json look(const TesseraDebugger& debugger) {
    const debug::Session& session = debugger.session;
    const debug::Replay& replay = session.replay();
    const debug::Group& group = replay.group();
    const isa::Program& program = replay.program();
    const debug::State& state = session.state();
    Json json = {{"title", debugger.title},
                 {"stage", assembly::stageNames()[static_cast<size_t>(program.stage)]},
                 {"instructions", replay.code().size()},
                 {"text", state.pc < replay.code().size() ? debug::instructionText(replay.code()[state.pc]) : ""},
                 {"source", sourceLine(program.source, session.line())},
                 {"active", group.activeMask},
                 {"helpers", group.helperMask}};
    json["lanes"] = group.laneNames;
    json["registers"] = Json::array();
    using isa::File;
    for (const File file : {File::V, File::R, File::O, File::C, File::P, File::A, File::S})
        for (const int index : session.registers(file)) json["registers"].push_back(debug::registerName(file, index));
    json["variables"] = Json::array();
    for (const isa::DebugVariable* local : debug::localsAt(program, session.line(), state.pc))
        json["variables"].push_back(local->name);
    for (const auto* list : {&program.attributes, &program.varyings, &program.uniforms})
        for (const isa::Variable& v : *list)
            if (!isa::isSampler(v.type)) json["variables"].push_back(v.name);
    for (const isa::Variable& v : program.outputs) json["variables"].push_back(v.name);
    for (const debug::BlockVariable& one : debug::blockVariables(program)) json["variables"].push_back(one.name);
    if (!debugger.stopped.problem.empty()) json["problem"] = debugger.stopped.problem;
    return json;
}

/// Parses with the room that nested expressions need.
std::optional<debug::Expression> parsed(const char* text, std::string& error) {
    std::optional<debug::Expression> expression;
    runWithStack(kParserStack, [&] { expression = debug::Expression::parse(text, error); });
    return expression;
}

char letterOf(debug::Format format) {
    switch (format) {
        case debug::Format::I32:
            return 'i';
        case debug::Format::U32:
        case debug::Format::Hex:
            return 'u';
        case debug::Format::Bool:
            return 'b';
        case debug::Format::F32:
            break;
    }
    return 'f';
}

}  // namespace

TESSERA_EXPORT TesseraDebugger* tesseraDebugJob(const TesseraJob* job, uint64_t group) {
    return call<TesseraDebugger*>([&]() -> TesseraDebugger* {
        if (job == nullptr) return fail("there is no job");
        auto groups = job->together(group);
        if (!groups) return nullptr;
        std::string title = fmt::format("{}, {} instructions", job->name, job->program->code.size());
        if (job->isKernel()) title += fmt::format(", block {} of {}", group, job->groups());
        return debuggerOf(std::move(*groups), std::move(title));
    });
}

TESSERA_EXPORT TesseraDebugger* tesseraDebugCapture(const void* bytes, size_t size) {
    return call<TesseraDebugger*>([&]() -> TesseraDebugger* {
        if (bytes == nullptr) return fail("there are no bytes");
        std::string title, error;
        int lane = 0;
        std::optional<debug::Group> group =
            groupOf(std::string(static_cast<const char*>(bytes), size), title, lane, error);
        if (!group) return fail(error);
        std::vector<debug::Group> groups;
        groups.push_back(std::move(*group));
        TesseraDebugger* const debugger = debuggerOf(std::move(groups), std::move(title));
        debugger->session.select(0, lane);
        return debugger;
    });
}

TESSERA_EXPORT void tesseraFreeDebugger(TesseraDebugger* debugger) { delete debugger; }

TESSERA_EXPORT int tesseraDebugMove(TesseraDebugger* debugger, TesseraMove how, uint64_t count,
                                    TesseraPosition* position) {
    return call<int>([&]() -> int {
        if (debugger == nullptr) return fail("there is no debugger");
        if (how < TESSERA_STEP || how > TESSERA_GO_TO) return fail("there is no such move");
        debugger->stopped = move(debugger->session, how, count);
        if (position != nullptr) *position = positionOf(*debugger);
        return 1;
    });
}

TESSERA_EXPORT int tesseraDebugSelect(TesseraDebugger* debugger, uint32_t group, uint32_t lane) {
    return call<int>([&]() -> int {
        if (debugger == nullptr) return fail("there is no debugger");
        const auto groups = static_cast<uint32_t>(debugger->session.groupCount());
        if (group >= groups || lane >= isa::kGroupSize)
            return fail(fmt::format("there is no lane {} of group {}; there are {} group{} of 32", lane, group, groups,
                                    groups == 1 ? "" : "s"));
        debugger->session.select(static_cast<int>(group), static_cast<int>(lane));
        return 1;
    });
}

TESSERA_EXPORT int tesseraDebugPosition(const TesseraDebugger* debugger, TesseraPosition* position) {
    return call<int>([&]() -> int {
        if (debugger == nullptr || position == nullptr) return fail("there is no debugger, or no place");
        *position = positionOf(*debugger);
        return 1;
    });
}

TESSERA_EXPORT TesseraText* tesseraDebugLook(const TesseraDebugger* debugger) {
    return call<TesseraText*>([&]() -> TesseraText* {
        if (debugger == nullptr) return fail("there is no debugger");
        return text(look(*debugger).dump(-1, ' ', false, Json::error_handler_t::replace));
    });
}

TESSERA_EXPORT int tesseraDebugBreak(TesseraDebugger* debugger, int isInstruction, uint32_t where,
                                     const char* condition) {
    return call<int>([&]() -> int {
        if (debugger == nullptr) return fail("there is no debugger");
        debug::Session& session = debugger->session;
        debug::Breakpoint one;
        one.where = where;
        if (isInstruction != 0) {
            one.kind = debug::Breakpoint::Kind::Instruction;
            if (where >= session.replay().code().size())
                return fail(fmt::format("there is no instruction {}; the program has {}", where,
                                        session.replay().code().size()));
        } else {
            const std::optional<uint32_t> line = session.lineWithCode(where);
            if (!line) return fail(fmt::format("no instruction is of line {} or one behind it", where));
            one.where = *line;
        }
        if (condition != nullptr) {
            std::string error;
            one.condition = parsed(condition, error);
            if (!one.condition) return fail(error);
            if (const std::string why = session.conditionProblem(one); !why.empty()) return fail(why);
        }
        return session.add(std::move(one));
    });
}

TESSERA_EXPORT int tesseraDebugUnbreak(TesseraDebugger* debugger, int breakpoint) {
    return call<int>([&]() -> int {
        if (debugger == nullptr) return fail("there is no debugger");
        if (!debugger->session.remove(breakpoint)) return fail(fmt::format("there is no breakpoint {}", breakpoint));
        return 1;
    });
}

TESSERA_EXPORT int tesseraDebugRead(const TesseraDebugger* debugger, const char* expression, uint32_t* words,
                                    uint8_t* known, size_t capacity, TesseraValues* values) {
    return call<int>([&]() -> int {
        if (debugger == nullptr || expression == nullptr || values == nullptr)
            return fail("there is no debugger, no expression, or no place");
        std::string error;
        const auto wanted = parsed(expression, error);
        if (!wanted) return fail(error);
        const debug::Moment moment = debugger->session.moment();
        // A lane may have no value where others have one; the lane looked at says why there is none at all.
        std::array<std::optional<debug::Value>, isa::kGroupSize> found;
        const debug::Value* shown = nullptr;
        const int first = debugger->session.lane();
        for (int i = 0; i < isa::kGroupSize; ++i) {
            const int lane = (first + i) % isa::kGroupSize;
            std::string why;
            found[static_cast<size_t>(lane)] = wanted->evaluate(moment, lane, why);
            if (i == 0) error = why;
            if (shown == nullptr && found[static_cast<size_t>(lane)]) shown = &*found[static_cast<size_t>(lane)];
        }
        if (shown == nullptr) return fail(error);
        const size_t count = shown->elements.size();
        char format = 0;
        for (const debug::Element& element : shown->elements)
            if (element.missing.empty())
                format = format == 0 || format == letterOf(element.format) ? letterOf(element.format) : 'u';
        *values = {static_cast<uint32_t>(count), static_cast<uint32_t>(shown->shape.rows),
                   static_cast<uint32_t>(shown->shape.columns), static_cast<uint32_t>(shown->shape.elements),
                   format == 0 ? 'f' : format};
        if (words == nullptr) return 1;
        if (capacity < count * isa::kGroupSize)
            return fail(fmt::format("there is room for {} words, and there are {}", capacity, count * isa::kGroupSize));
        for (size_t lane = 0; lane < isa::kGroupSize; ++lane)
            for (size_t i = 0; i < count; ++i) {
                const bool isThere =
                    found[lane] && i < found[lane]->elements.size() && found[lane]->elements[i].missing.empty();
                words[lane * count + i] = isThere ? found[lane]->elements[i].bits : 0;
                if (known != nullptr) known[lane * count + i] = static_cast<uint8_t>(isThere);
            }
        return 1;
    });
}
