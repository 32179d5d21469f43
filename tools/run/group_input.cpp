// Options to groups: names to registers, values to lanes, pictures to textures.
#include "tools/run/group_input.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "shader-core/debug/replay/value.h"
#include "shader-core/glsl/glsl.h"
#include "shader-core/isa/built_in_uniforms.h"
#include "tools/files.h"
#include "tools/run/group_textures.h"
#include "tools/run/group_values.h"

namespace tessera::tools {

namespace {

constexpr int kMaxLanes = 64 * isa::kGroupSize;  ///< a block processor's

/// A variable or register that values go to.
struct Place {
    isa::File file = isa::File::V;
    int reg = 0, component = 0;
    int rows = 4;     ///< components of a register
    int columns = 1;  ///< registers
    isa::VarType type = isa::VarType::Vec4;
    std::string order;  ///< components named one by one ("xz"); empty: from `component` on
};

std::optional<Place> placeOf(const std::vector<isa::Variable>& variables, isa::File file, std::string_view name) {
    for (const isa::Variable& v : variables) {
        if (isa::isSampler(v.type)) continue;
        const std::string_view full = v.name;
        Place place{file, v.reg, v.component, isa::componentCount(v.type), isa::columnCount(v.type), v.type, {}};
        if (full == name) {
            place.columns = isa::registerCount(v);
            return place;
        }
        if (v.arraySize == 0 || !name.starts_with(v.name + "[") || !name.ends_with("]")) continue;
        const std::string index(name.substr(full.size() + 1, name.size() - full.size() - 2));
        const std::optional<int> element = parseInteger(index);
        if (!element || *element < 0 || *element >= v.arraySize) return std::nullopt;
        place.reg += *element * place.columns;
        return place;
    }
    return std::nullopt;
}

std::optional<Place> registerPlace(std::string_view name, std::string_view files) {
    if (name == "gl_FragCoord") name = "frag_coord";
    if (name == "gl_FrontFacing") name = "front_facing";
    if (name == "gl_PointCoord") name = "point_coord";
    if (name == "gl_InstanceIDEXT") name = "instance_id";
    const std::optional<debug::RegisterName> reg = debug::parseRegister(name);
    if (!reg) return std::nullopt;
    const char letter = debug::registerName(reg->file == isa::File::S ? isa::File::V : reg->file, 0)[0];
    if (files.find(reg->file == isa::File::S ? 's' : letter) == std::string_view::npos) return std::nullopt;
    Place place{reg->file, reg->index, 0, static_cast<int>(reg->components.size()), 1, isa::VarType::Vec4, {}};
    if (name.find('.') != std::string_view::npos) place.order = reg->components;
    if (reg->file == isa::File::S && reg->index == static_cast<int>(isa::Special::InstanceId))
        place.type = isa::VarType::Int, place.rows = 1;
    return place;
}

std::string known(const std::vector<isa::Variable>& variables, bool samplers) {
    std::string names;
    for (const isa::Variable& v : variables)
        if (isa::isSampler(v.type) == samplers) names += (names.empty() ? "" : ", ") + v.name;
    return names.empty() ? "none" : names;
}

/// The groups of one launch, while the options are put into them.
class Launch {
public:
    Launch(std::shared_ptr<const isa::Program> program, const GroupOptions& options)
        : program_(std::move(program)), options_(options), lanes_(options.lanes) {}

    std::optional<std::vector<debug::Group>> make() {
        groups_.resize(static_cast<size_t>((lanes_ + isa::kGroupSize - 1) / isa::kGroupSize));
        for (size_t i = 0; i < groups_.size(); ++i) prepare(groups_[i], static_cast<int>(i));
        for (const std::string& text : options_.set)
            if (!set(text)) return std::nullopt;
        for (const std::string& text : options_.uniforms)
            if (!uniform(text)) return std::nullopt;
        if (!textures()) return std::nullopt;
        return std::move(groups_);
    }

private:
    /// What a program reads that no option sets.
    void prepare(debug::Group& group, int number) const {
        const int count = std::min(lanes_ - number * isa::kGroupSize, isa::kGroupSize);
        const uint32_t wanted = count == isa::kGroupSize ? ~0u : (1u << count) - 1;
        group.program = program_;
        group.activeMask = program_->usesDerivatives ? isa::wholeQuads(wanted) : wanted;
        group.helperMask = group.activeMask & ~wanted;
        group.constants.resize(program_->constantCount);
        const bool vertex = program_->stage == isa::Stage::Vertex;
        for (int lane = 0; lane < isa::kGroupSize; ++lane) {
            for (isa::GroupRegister& input : group.inputs) input.lane[3][lane] = 1.0f;
            auto& fragCoord = group.specials[static_cast<size_t>(isa::Special::FragCoord)].lane;
            const int x = debug::laneX(lane) + number * 8, y = debug::laneY(lane);
            fragCoord[0][lane] = static_cast<float>(x) + 0.5f, fragCoord[1][lane] = static_cast<float>(y) + 0.5f;
            fragCoord[2][lane] = 0.5f, fragCoord[3][lane] = 1.0f;
            for (auto& c : group.specials[static_cast<size_t>(isa::Special::FrontFacing)].lane) c[lane] = 1.0f;
            auto& pointCoord = group.specials[static_cast<size_t>(isa::Special::PointCoord)].lane;
            pointCoord[0][lane] = pointCoord[1][lane] = 0.5f;
            group.laneNames[static_cast<size_t>(lane)] =
                vertex ? fmt::format("vertex {}", number * isa::kGroupSize + lane) : fmt::format("pixel {},{}", x, y);
        }
        for (const isa::Variable& v : program_->uniforms)
            if (v.name == isa::kDepthRangeUniforms[1] || v.name == isa::kDepthRangeUniforms[2])  // far - near = 1
                group.constants[v.reg][v.component] = 1.0f;
    }

    bool fail(const std::string& option, const std::string& what) const {
        fmt::print(stderr, "{}: error: {}\n", option, what);
        return false;
    }

    /// Splits NAME=VALUE; `column` of a message counts in the whole.
    bool split(const std::string& option, const std::string& text, std::string& name, std::string& value) const {
        const size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0) return fail(option, "write it as NAME=VALUE");
        name = text.substr(0, equals), value = text.substr(equals + 1);
        return true;
    }

    [[nodiscard]] static bool isInteger(isa::VarType type) {
        return type >= isa::VarType::Int && type <= isa::VarType::IVec4;
    }

    bool set(const std::string& text) {
        const std::string option = "--set " + text;
        std::string name, value;
        if (!split(option, text, name, value)) return false;
        const auto& variables = program_->stage == isa::Stage::Vertex ? program_->attributes : program_->varyings;
        std::optional<Place> place = placeOf(variables, isa::File::V, name);
        if (!place) place = registerPlace(name, "vs");
        if (!place)
            return fail(option, fmt::format("the program has no input '{}'; its inputs are {}, and registers v0..v15",
                                            name, known(variables, false)));
        std::string problem;
        const auto lanes = parseLanes(value, lanes_, isInteger(place->type), problem);
        if (!lanes) return fail(option, problem);
        for (size_t g = 0; g < groups_.size(); ++g)
            for (int lane = 0; lane < isa::kGroupSize; ++lane) {
                const size_t index = g * isa::kGroupSize + static_cast<size_t>(lane);
                const std::vector<uint32_t>& values = (*lanes)[std::min(index, lanes->size() - 1)];
                if (!store(*place, values, [&](int reg, int component, uint32_t bits) {
                        const auto r = static_cast<size_t>(reg);
                        (place->file == isa::File::S ? groups_[g].specials[r] : groups_[g].inputs[r])
                            .lane[component][lane] = std::bit_cast<float>(bits);
                    }))
                    return fail(option, countProblem(*place, values.size()));
            }
        return true;
    }

    bool uniform(const std::string& text) {
        const std::string option = "--uniform " + text;
        std::string name, value;
        if (!split(option, text, name, value)) return false;
        std::optional<Place> place = placeOf(program_->uniforms, isa::File::C, name);
        if (!place) place = registerPlace(name, "c");
        if (!place || place->reg >= program_->constantCount)
            return fail(option,
                        fmt::format("the program has no uniform '{}'; its uniforms are {}, and registers below c{}",
                                    name, known(program_->uniforms, false), program_->constantCount));
        std::string problem;
        const auto lanes = parseLanes(value, 1, isInteger(place->type), problem);
        if (!lanes) return fail(option, problem);
        if (lanes->size() != 1) return fail(option, "a uniform has one value for all lanes");
        for (debug::Group& group : groups_)
            if (!store(*place, lanes->front(), [&](int reg, int component, uint32_t bits) {
                    if (static_cast<size_t>(reg) < group.constants.size())
                        group.constants[static_cast<size_t>(reg)][static_cast<size_t>(component)] =
                            std::bit_cast<float>(bits);
                }))
                return fail(option, countProblem(*place, lanes->front().size()));
        return true;
    }

    static std::string countProblem(const Place& place, size_t given) {
        const int most = place.rows * place.columns;
        return fmt::format("{} values given, it takes {}", given,
                           place.columns > 1 ? fmt::format("{} (column by column)", most) : fmt::format("{}", most));
    }

    /// Fewer values than components are right for a plain register only.
    template <class Store>
    static bool store(const Place& place, const std::vector<uint32_t>& values, Store&& put) {
        const size_t most = static_cast<size_t>(place.rows) * static_cast<size_t>(place.columns);
        const bool plain = place.file != isa::File::C && place.columns == 1;
        if (values.empty() || values.size() > most || (values.size() != most && !plain)) return false;
        for (size_t i = 0; i < values.size(); ++i) {
            const int component = place.order.empty() ? place.component + static_cast<int>(i) % place.rows
                                                      : static_cast<int>(debug::kComponents.find(place.order[i]));
            put(place.reg + static_cast<int>(i) / place.rows, component, values[i]);
        }
        return true;
    }

    bool textures() {
        if (options_.textures.empty()) return true;
        const auto units = std::make_shared<GroupTextures>();
        for (const std::string& text : options_.textures) {
            const std::string option = "--texture " + text;
            std::string name, file;
            if (!split(option, text, name, file)) return false;
            std::optional<int> unit = name.starts_with("t") ? parseInteger(name.substr(1)) : std::nullopt;
            for (const isa::Variable& v : program_->uniforms)
                if (isa::isSampler(v.type) && v.name == name) unit = v.reg;
            if (!unit || *unit < 0 || *unit >= isa::kMaxTextureUnits)
                return fail(option,
                            fmt::format("the program has no sampler '{}'; its samplers are {}, and units t0..t15", name,
                                        known(program_->uniforms, true)));
            std::string problem;
            if (!units->load(*unit, file, {options_.filter == "linear", options_.wrap == "repeat"}, problem))
                return fail(option, problem);
        }
        units->finish();
        for (debug::Group& group : groups_) group.textures = units;
        return true;
    }

    std::shared_ptr<const isa::Program> program_;
    const GroupOptions& options_;
    const int lanes_;
    std::vector<debug::Group> groups_;
};

std::shared_ptr<const isa::Program> compile(const std::string& path, const std::string& source, isa::Stage stage,
                                            int& status) {
    status = kWrongInput;
    const glsl::CompileResult compiled = glsl::compile(stage, source, {}, true);
    fmt::print(stderr, "{}", glsl::describe(compiled.messages, path, source));
    if (!compiled.shader) return nullptr;
    const glsl::LinkResult linked = glsl::linkSingle(*compiled.shader);
    printLinkLog(path, linked.infoLog);
    if (!linked.ok) return nullptr;
    status = kDone;
    return stage == isa::Stage::Vertex ? linked.vertex : linked.fragment;
}

/// What a file holds. Glsl: of a stage that does not show.
enum class Kind { Program, Vertex, Fragment, Glsl, Unknown };

/// By the ending; where there is none of ours, by what stands in it: an assembly directive that begins a line, or
/// GLSL's main() and the outputs of its stage.
Kind kindOf(const std::string& path, const std::string& contents) {
    if (path.ends_with(".vert")) return Kind::Vertex;
    if (path.ends_with(".frag")) return Kind::Fragment;
    if (path.ends_with(".tsa") || path.ends_with(".tsb") || contents.starts_with("TSB")) return Kind::Program;
    const auto has = [&](std::string_view text) { return contents.find(text) != std::string::npos; };
    if (has(std::string_view("\0", 1))) return Kind::Unknown;
    std::istringstream lines(contents);
    for (std::string line; std::getline(lines, line);) {
        const size_t first = line.find_first_not_of(" \t");
        if (first == std::string::npos) continue;
        for (const std::string_view directive : {".vertex", ".fragment", ".compute"})
            if (std::string_view(line).substr(first).starts_with(directive)) return Kind::Program;
    }
    if (!has("void") || !has("main")) return Kind::Unknown;
    if (has("gl_Position")) return Kind::Vertex;
    if (has("gl_FragColor") || has("gl_FragData")) return Kind::Fragment;
    return Kind::Glsl;
}

}  // namespace

void addGroupOptions(CLI::App& verb, GroupOptions& options) {
    verb.add_option("--set", options.set, "An input: NAME=VALUE, NAME a variable, v0.. or gl_FragCoord (repeatable)")
        ->take_all()
        ->allow_extra_args(false);
    verb.add_option("--uniform", options.uniforms, "A uniform: NAME=VALUE, NAME a variable or c0.. (repeatable)")
        ->take_all()
        ->allow_extra_args(false);
    verb.add_option("--texture", options.textures, "A texture: NAME=FILE.png, NAME a sampler or t0.. (repeatable)")
        ->take_all()
        ->allow_extra_args(false);
    verb.add_option("--lanes", options.lanes, "Vertices or fragments to run, 32 to a group; default 1")
        ->check(CLI::Range(1, kMaxLanes));
    verb.add_option("--filter", options.filter, "Filter of the textures")->check(CLI::IsMember({"nearest", "linear"}));
    verb.add_option("--wrap", options.wrap, "Wrap mode of the textures")->check(CLI::IsMember({"repeat", "clamp"}));
    addStageOption(verb, options.stage);
}

void addStageOption(CLI::App& verb, std::string& stage) {
    verb.add_option("--stage", stage, "Stage of GLSL in a file that does not end in .vert or .frag")
        ->check(CLI::IsMember({"vertex", "fragment"}));
}

const char* groupOptionsHelp() {
    return "Values: numbers with commas between components (\"1,0.5,0,1\"; matrices column by column); a range "
           "\"0..1\"\n"
           "goes from the first lane to the last; semicolons separate lanes (\"0,0;1,0;0,1\", the last one repeats).\n"
           "0x3f800000 gives bits. What is not set is (0, 0, 0, 1); uniforms are 0. Lanes of a fragment program are\n"
           "pixels, 4x4 for each 16 lanes; gl_FragCoord is set accordingly. A picture's first row is at t = 0.";
}

std::shared_ptr<const isa::Program> loadProgram(const std::string& path, const std::string& stage, int& status) {
    const std::optional<std::string> contents = readFile(path);
    status = contents ? kWrongInput : kTrouble;
    if (!contents) return nullptr;
    Kind kind = kindOf(path, *contents);
    if (kind != Kind::Program && !stage.empty()) kind = stage == "vertex" ? Kind::Vertex : Kind::Fragment;
    switch (kind) {
        case Kind::Vertex:
            return compile(path, *contents, isa::Stage::Vertex, status);
        case Kind::Fragment:
            return compile(path, *contents, isa::Stage::Fragment, status);
        case Kind::Program: {
            std::optional<isa::Program> program = programOf(*contents, path, status);
            return program ? std::make_shared<isa::Program>(std::move(*program)) : nullptr;
        }
        case Kind::Glsl:
            fmt::print(stderr, "{}: error: GLSL of a stage that cannot be told; give --stage vertex or fragment\n",
                       path);
            return nullptr;
        case Kind::Unknown:
            break;
    }
    fmt::print(
        stderr,
        "{}: error: neither assembly (which says .vertex, .fragment or .compute), nor a .tsb program, nor GLSL\n",
        path);
    return nullptr;
}

std::optional<std::vector<debug::Group>> makeGroups(std::shared_ptr<const isa::Program> program,
                                                    const GroupOptions& options, int& status) {
    std::optional<std::vector<debug::Group>> groups = Launch(std::move(program), options).make();
    if (!groups) status = kWrongInput;
    if (groups)
        for (debug::Group& group : *groups) debug::fillLiterals(group);
    return groups;
}

std::string outputName(const isa::Program& program, int output) {
    if (program.stage == isa::Stage::Fragment) {
        if (output == isa::kOutDepth) return "gl_FragDepthEXT";
        if (output == isa::kOutSecondColor) return "gl_SecondaryFragColorEXT";
        return program.broadcastColor ? "gl_FragColor" : fmt::format("gl_FragData[{}]", output);
    }
    if (output == isa::kOutPosition) return "gl_Position";
    if (output == isa::kOutPointSize) return "gl_PointSize";
    for (const isa::Variable& v : program.varyings) {
        const int first = isa::kOutVarying0 + v.reg, count = isa::registerCount(v);
        if (output < first || output >= first + count) continue;
        return count == 1 ? v.name : fmt::format("{} register {}", v.name, output - first);
    }
    return {};
}

}  // namespace tessera::tools
