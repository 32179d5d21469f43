#include "tools/debugger/dap_launch.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

namespace tessera::tools::dap {

namespace {

constexpr int kMaxLanes = 2048;

enum class Kind : uint8_t { Text, Texts, Flag, Sizes };
struct Argument {
    const char* name;
    Kind kind;
};
constexpr Argument kArguments[] = {
    {"program", Kind::Text}, {"stage", Kind::Text},    {"capture", Kind::Text},   {"pixel", Kind::Text},
    {"args", Kind::Texts},   {"set", Kind::Texts},     {"uniforms", Kind::Texts}, {"textures", Kind::Texts},
    {"in", Kind::Texts},     {"buffers", Kind::Texts}, {"grid", Kind::Sizes},     {"block", Kind::Sizes},
    {"at", Kind::Sizes},     {"gl", Kind::Flag},       {"vertices", Kind::Flag},  {"stopOnEntry", Kind::Flag}};
struct NumberArgument {
    const char* name;
    int64_t least, most;
};
constexpr NumberArgument kNumberArguments[] = {
    {"lanes", 1, kMaxLanes}, {"frame", 0, INT32_MAX}, {"draw", -1, INT32_MAX}, {"primitive", -1, INT32_MAX}};

bool isSize(const Json& value) { return value.is_number_unsigned() && value <= UINT32_MAX; }

/// What is to be written instead; empty when the value is of the kind.
std::string_view wantedInstead(Kind kind, const Json& value) {
    const auto allAre = [&](const auto& holds) { return value.is_array() && std::ranges::all_of(value, holds); };
    switch (kind) {
        case Kind::Text:
            return value.is_string() ? "" : "a text";
        case Kind::Texts:
            return allAre([](const Json& one) { return one.is_string(); }) ? "" : "a list of texts";
        case Kind::Flag:
            return value.is_boolean() ? "" : "true or false";
        case Kind::Sizes:
            return isSize(value) || (allAre(isSize) && value.size() <= 3) ? "" : "a whole number, or a list of up to 3";
    }
    return "";
}

/// Editors add arguments of their own; of those that are known here the first that is wrong. Empty when none is.
std::string launchProblem(const Json& arguments) {
    const auto shown = [](const Json& value) {
        return value.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, kMaxQuoted);
    };
    for (const Argument& one : kArguments) {
        const Json& value = at(arguments, one.name);
        const std::string_view wanted = value.is_null() ? "" : wantedInstead(one.kind, value);
        if (!wanted.empty()) return fmt::format("launch: \"{}\" is {}; give {}", one.name, shown(value), wanted);
    }
    for (const NumberArgument& one : kNumberArguments) {
        const Json& value = at(arguments, one.name);
        const bool fits = value.is_number_integer() && value >= one.least && value <= one.most;
        if (!value.is_null() && !fits)
            return fmt::format("launch: \"{}\" is {}; give a whole number from {} to {}", one.name, shown(value),
                               one.least, one.most);
    }
    return {};
}

}  // namespace

std::string readLaunch(const Json& arguments, DebugTarget& target) {
    if (std::string problem = launchProblem(arguments); !problem.empty()) return problem;
    target.group.set = listAt(arguments, "set");
    target.group.uniforms = listAt(arguments, "uniforms");
    target.group.textures = listAt(arguments, "textures");
    target.group.stage = textAt(arguments, "stage");
    target.group.lanes = static_cast<int>(integerAt(arguments, "lanes", 1));
    target.kernel.in = listAt(arguments, "in");
    target.kernel.buffers = listAt(arguments, "buffers");
    target.kernel.grid = sizeAt(arguments, "grid");
    target.kernel.block = sizeAt(arguments, "block");
    target.kernel.at = sizeAt(arguments, "at");
    target.captureFile = textAt(arguments, "capture");
    target.pixel = textAt(arguments, "pixel");
    target.frame.frame = static_cast<uint64_t>(integerAt(arguments, "frame", 0));
    target.frame.bottomUp = at(arguments, "gl") == true;
    target.draw = integerAt(arguments, "draw", -1), target.primitive = integerAt(arguments, "primitive", -1);
    target.vertices = at(arguments, "vertices") == true;
    const std::string program = textAt(arguments, "program");
    if (!program.empty()) target.frame.program = {program};
    for (const std::string& word : listAt(arguments, "args")) target.frame.program.push_back(word);
    return {};
}

}  // namespace tessera::tools::dap
