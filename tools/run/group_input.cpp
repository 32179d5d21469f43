// Options to groups: names to registers, values to lanes, pictures to textures.
#include "tools/run/group_input.h"

#include <bit>
#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "shader-core/glsl/glsl.h"
#include "tools/files.h"
#include "tools/run/group_textures.h"
#include "tools/run/group_values.h"
#include "tools/run/places.h"

namespace tessera::tools {

namespace {

constexpr int kMaxLanes = 64 * isa::kGroupSize;  ///< a block processor's

/// The groups of one launch, while the options are put into them.
class Launch {
public:
    Launch(std::shared_ptr<const isa::Program> program, const GroupOptions& options)
        : program_(std::move(program)), options_(options), lanes_(options.lanes) {}

    std::optional<std::vector<debug::Group>> make() {
        const int groups = (lanes_ + isa::kGroupSize - 1) / isa::kGroupSize;
        for (int i = 0; i < groups; ++i) groups_.push_back(groupNumber(i));
        for (const std::string& text : options_.set)
            if (!set(text)) return std::nullopt;
        for (const std::string& text : options_.uniforms)
            if (!uniform(text)) return std::nullopt;
        if (!textures()) return std::nullopt;
        return std::move(groups_);
    }

private:
    [[nodiscard]] debug::Group groupNumber(int number) const {
        const int count = std::min(lanes_ - number * isa::kGroupSize, isa::kGroupSize);
        const bool vertex = program_->stage == isa::Stage::Vertex;
        debug::Group group = groupAt(program_, count == isa::kGroupSize ? ~0u : (1u << count) - 1,
                                     number * (vertex ? isa::kGroupSize : 8), 0);
        for (int lane = 0; lane < isa::kGroupSize; ++lane)
            group.laneNames[static_cast<size_t>(lane)] =
                vertex ? fmt::format("vertex {}", number * isa::kGroupSize + lane)
                       : fmt::format("pixel {},{}", debug::laneX(lane) + number * 8, debug::laneY(lane));
        return group;
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

    bool set(const std::string& text) {
        const std::string option = "--set " + text;
        std::string name, value;
        if (!split(option, text, name, value)) return false;
        std::string problem;
        const std::optional<Place> place = inputPlace(*program_, name, problem);
        if (!place) return fail(option, problem);
        const auto lanes = parseLanes(value, lanes_, place->holdsIntegers(), problem);
        if (!lanes) return fail(option, problem);
        for (size_t g = 0; g < groups_.size(); ++g)
            for (int lane = 0; lane < isa::kGroupSize; ++lane) {
                const size_t index = g * isa::kGroupSize + static_cast<size_t>(lane);
                const std::vector<uint32_t>& values = (*lanes)[std::min(index, lanes->size() - 1)];
                if (!place->takes(values.size())) return fail(option, place->countProblem(values.size()));
                place->store(values, [&](int reg, int component, uint32_t bits) {
                    const auto r = static_cast<size_t>(reg);
                    (place->file == isa::File::S ? groups_[g].specials[r] : groups_[g].inputs[r])
                        .lane[component][lane] = std::bit_cast<float>(bits);
                });
            }
        return true;
    }

    bool uniform(const std::string& text) {
        const std::string option = "--uniform " + text;
        std::string name, value;
        if (!split(option, text, name, value)) return false;
        std::string problem;
        const std::optional<Place> place = uniformPlace(*program_, name, problem);
        if (!place) return fail(option, problem);
        const auto lanes = parseLanes(value, 1, place->holdsIntegers(), problem);
        if (!lanes) return fail(option, problem);
        if (lanes->size() != 1) return fail(option, "a uniform has one value for all lanes");
        if (!place->takes(lanes->front().size())) return fail(option, place->countProblem(lanes->front().size()));
        for (debug::Group& group : groups_)
            place->store(lanes->front(), [&](int reg, int component, uint32_t bits) {
                if (static_cast<size_t>(reg) < group.constants.size())
                    group.constants[static_cast<size_t>(reg)][static_cast<size_t>(component)] =
                        std::bit_cast<float>(bits);
            });
        return true;
    }

    bool textures() {
        if (options_.textures.empty()) return true;
        const auto units = std::make_shared<GroupTextures>();
        for (const std::string& text : options_.textures) {
            const std::string option = "--texture " + text;
            std::string name, file;
            if (!split(option, text, name, file)) return false;
            std::string problem;
            const std::optional<int> unit = samplerUnit(*program_, name, problem);
            if (!unit) return fail(option, problem);
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

/// A file's #version says which language it is.
constexpr glsl::Limits kLimits{.version = 300};

std::shared_ptr<const isa::Program> compile(const std::string& path, const std::string& source, isa::Stage stage,
                                            int& status) {
    status = kWrongInput;
    const glsl::CompileResult compiled = glsl::compile(stage, source, kLimits, true);
    fmt::print(stderr, "{}", glsl::describe(compiled.messages, path, source));
    if (!compiled.shader) return nullptr;
    const glsl::LinkResult linked = glsl::linkSingle(*compiled.shader, kLimits);
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

}  // namespace tessera::tools
