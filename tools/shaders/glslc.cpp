// tessera glslc
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "shader-core/asm/disassembler.h"
#include "shader-core/glsl/glsl.h"
#include "tools/files.h"
#include "tools/model/workload_costs.h"
#include "tools/run/machine_check.h"
#include "tools/shaders/shader_report.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

/// A file's #version says which language it is.
constexpr glsl::Limits kLimits{.version = 300};

struct Options {
    std::vector<std::string> inputs;
    std::string output, stage, baseline, workload, preset = "tessera";
    bool report = false, update = false, debugInfo = false, json = false;
};

/// One input after compilation.
struct Unit {
    std::string file;
    isa::Stage stage = isa::Stage::Vertex;
    std::shared_ptr<const glsl::Shader> shader;
};

std::optional<isa::Stage> stageOf(const std::string& file, const std::string& option) {
    if (option == "vertex" || (option.empty() && file.ends_with(".vert"))) return isa::Stage::Vertex;
    if (option == "fragment" || (option.empty() && file.ends_with(".frag"))) return isa::Stage::Fragment;
    return std::nullopt;
}

std::optional<Unit> compileFile(const std::string& file, const Options& options, int& status) {
    const std::optional<std::string> source = readFile(file);
    if (!source) {
        status = kTrouble;
        return std::nullopt;
    }
    const std::optional<isa::Stage> stage = stageOf(file, options.stage);
    if (!stage) {
        fmt::print(stderr, "{}: error: the stage does not follow from the name; give --stage vertex or fragment\n",
                   file);
        status = kTrouble;
        return std::nullopt;
    }
    glsl::CompileResult result = glsl::compile(*stage, *source, kLimits, options.debugInfo);
    fmt::print(stderr, "{}", glsl::describe(result.messages, file, *source));
    if (!result.shader) {
        status = kWrongInput;
        return std::nullopt;
    }
    return Unit{file, *stage, std::move(result.shader)};
}

int writeProgram(const isa::Program& program, const std::string& output) {
    return writeFile(output, isa::serialize(program)) ? kDone : kTrouble;
}

/// Listing on standard output, or .tsb; of two stages each goes to its own file, "x.vert.tsb" and "x.frag.tsb".
int emit(const glsl::LinkResult& linked, const Options& options) {
    int status = kDone;
    for (const std::shared_ptr<isa::Program>& program : {linked.vertex, linked.fragment}) {
        if (!program) continue;
        if (options.output.empty()) {
            fmt::print("{}", assembly::disassembleWithSource(*program));
            continue;
        }
        const char* ending = program->stage == isa::Stage::Vertex ? ".vert.tsb" : ".frag.tsb";
        const bool both = linked.vertex && linked.fragment;
        status = std::max(status, writeProgram(*program, both ? withEnding(options.output, ending) : options.output));
    }
    return status;
}

int compileFiles(const Options& options) {
    for (const std::string& output :
         {options.output, withEnding(options.output, ".vert.tsb"), withEnding(options.output, ".frag.tsb")})
        if (!isDistinct(output, options.inputs)) return kTrouble;
    int status = kDone;
    std::vector<Unit> units;
    for (const std::string& file : options.inputs)
        if (std::optional<Unit> unit = compileFile(file, options, status)) units.push_back(std::move(*unit));
    if (status != kDone) return status;
    if (units.size() == 2 && units[0].stage == units[1].stage) {
        fmt::print(stderr, "{}: error: two files are linked as one vertex and one fragment shader\n", units[1].file);
        return kTrouble;
    }
    glsl::LinkResult linked;
    if (units.size() == 2) {
        const bool swapped = units[0].stage == isa::Stage::Fragment;
        linked = glsl::link(*units[swapped].shader, *units[!swapped].shader, {}, kLimits);
    } else {
        linked = glsl::linkSingle(*units[0].shader, kLimits);
    }
    printLinkLog(units.size() == 2 ? "link" : units[0].file, linked.infoLog);
    return linked.ok ? emit(linked, options) : kWrongInput;
}

// --- The report ---

/// The shaders among the inputs; those of a folder in the order of their names.
std::vector<std::string> shaderFiles(const std::vector<std::string>& inputs) {
    std::vector<std::string> files;
    for (const std::string& input : inputs) {
        std::error_code ignored;
        if (!std::filesystem::is_directory(input, ignored)) {
            files.push_back(input);
            continue;
        }
        std::vector<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(input, ignored))
            if (stageOf(entry.path().string(), "")) found.push_back(entry.path().string());
        std::sort(found.begin(), found.end());
        files.insert(files.end(), found.begin(), found.end());
    }
    return files;
}

/// "corpus/blur.frag", wherever the tree lies.
std::string shortName(const std::string& file) {
    const std::filesystem::path path = std::filesystem::absolute(file).lexically_normal();
    return (path.parent_path().filename() / path.filename()).string();
}

int compare(const Options& options, const std::vector<ReportRow>& rows) {
    if (options.update) return writeFile(options.baseline, reportTable(rows)) ? kDone : kTrouble;
    const std::optional<std::string> before = readFile(options.baseline);
    if (!before) return kTrouble;
    const std::string changes = compareReports(*before, rows);
    const std::string table = reportTable(rows);
    const std::string_view totals = std::string_view(table).substr(table.rfind("total("));
    if (changes.empty()) {
        fmt::print("{} shaders cost what {} says\n{}", rows.size(), options.baseline, totals);
        return kDone;
    }
    const size_t earlier = before->rfind("total(");
    fmt::print("{}before  {}now     {}", changes, earlier == std::string::npos ? "\n" : before->substr(earlier),
               totals);
    fmt::print("--update makes this the report to compare with\n");
    return kWrongInput;
}

assembly::Latencies latenciesOf(const model::Preset& machine) {
    assembly::Latencies latencies{};
    for (int i = 0; i < isa::kOpCount; ++i)
        latencies[static_cast<size_t>(i)] = machine.timing(model::instructionClass(static_cast<isa::Op>(i))).latency;
    return latencies;
}

/// The lines of each shader; with a workload also what they cost there.
std::optional<std::vector<model::ProgramCost>> lineCosts(
    const std::vector<std::pair<std::string, std::shared_ptr<const isa::Program>>>& programs,
    const model::Preset& machine, const Options& options, int& status) {
    std::vector<model::ProgramCost> costs;
    for (const auto& [file, program] : programs) costs.push_back(model::costInCode(shortName(file), program, machine));
    if (options.workload.empty()) return costs;
    const auto runs = costsOfWorkload(options.workload, machine, status);
    if (!runs) return std::nullopt;
    bool found = false;
    for (model::ProgramCost& cost : costs) {
        model::addRuns(cost, *runs);
        found |= cost.hasRun;
    }
    if (found) return costs;
    fmt::print(stderr, "{}: error: none of its programs was compiled from the text of {}\n", options.workload,
               programs.size() == 1 ? programs[0].first : "these files");
    status = kWrongInput;
    return std::nullopt;
}

void printReport(const std::vector<ReportRow>& rows, const std::vector<model::ProgramCost>& costs, bool json) {
    if (json) {
        nlohmann::ordered_json all = nlohmann::ordered_json::array();
        for (size_t i = 0; i < rows.size(); ++i) {
            nlohmann::ordered_json shader = model::costJson(costs[i]);
            shader["instructions"] = rows[i].cost.instructions;
            shader["shortest"] = rows[i].cost.shortest;
            shader["longest"] = rows[i].cost.longest;
            shader["bound_by"] = assembly::unitName(rows[i].cost.bound);
            all.push_back(std::move(shader));
        }
        fmt::print("{}\n", all.dump(1));
        return;
    }
    fmt::print("{}", rows.size() == 1 ? describeCost(rows[0].name, rows[0].cost) : reportTable(rows));
    for (const model::ProgramCost& cost : costs)
        if (rows.size() == 1 || cost.hasRun) fmt::print("\n{}", model::costText(cost));
}

int reportFiles(const Options& options) {
    int status = kDone;
    const std::optional<model::Preset> machine = loadMachine(options.preset);
    if (!machine) return kWrongInput;
    const assembly::Latencies latencies = latenciesOf(*machine);
    std::vector<ReportRow> rows;
    std::vector<std::pair<std::string, std::shared_ptr<const isa::Program>>> programs;
    for (const std::string& file : shaderFiles(options.inputs)) {
        const std::optional<Unit> unit = compileFile(file, options, status);
        if (!unit) continue;
        const glsl::LinkResult linked = glsl::linkSingle(*unit->shader, kLimits);
        printLinkLog(file, linked.infoLog);
        if (!linked.ok) {
            status = kWrongInput;
            continue;
        }
        programs.emplace_back(file, linked.vertex ? linked.vertex : linked.fragment);
        rows.push_back({shortName(file), assembly::cost(*programs.back().second, latencies)});
    }
    if (status != kDone) return status;
    if (rows.empty()) {
        fmt::print(stderr, "{}: error: there are no shaders (.vert, .frag) in it\n", fmt::join(options.inputs, ", "));
        return kWrongInput;
    }
    if (!options.baseline.empty()) return compare(options, rows);
    const auto costs = lineCosts(programs, *machine, options, status);
    if (!costs) return status;
    printReport(rows, *costs, options.json);
    return kDone;
}

}  // namespace

void addGlslCompiler(CLI::App& app, int& status) {
    const auto options = std::make_shared<Options>();
    CLI::App* verb =
        app.add_subcommand("glslc", "Compile GLSL ES 1.00 or 3.00 and print the program, or write it as .tsb");
    verb->add_option("input", options->inputs,
                     "A shader (.vert or .frag), or one of each to be linked; for --report any number, and folders")
        ->required();
    CLI::Option* output =
        verb->add_option("-o,--output", options->output,
                         "Write .tsb instead of the listing; of two stages name.vert.tsb and name.frag.tsb");
    verb->add_flag("-g", options->debugInfo, "Say in the .tsb where the variables are, for tessera dbg")->needs(output);
    verb->add_option("--stage", options->stage, "Stage of a file with another ending")
        ->check(CLI::IsMember({"vertex", "fragment"}));
    CLI::Option* report = verb->add_flag(
        "--report", options->report,
        "Print what each shader costs: instructions for each unit, registers, paths in the instruction table's cycles; "
        "of one shader also its lines");
    report->excludes(output);
    CLI::Option* baseline =
        verb->add_option("--baseline", options->baseline,
                         "An earlier report: print which shaders are helped and hurt; exit status 1 when any changed")
            ->needs(report);
    verb->add_flag("--update", options->update, "Write the report to the baseline")->needs(baseline);
    verb->add_option("--workload", options->workload,
                     "What tessera model --save kept (.tsw), or a command stream (.tsc): also print what ran of each "
                     "line there, and its cycles on the machine")
        ->needs(report)
        ->excludes(baseline);
    verb->add_option("--preset", options->preset, "The machine: a preset's name or file; default tessera")
        ->needs(report)
        ->excludes(baseline);
    verb->add_flag("--json", options->json, "Print the report as JSON")->needs(report)->excludes(baseline);
    verb->footer(
        "The listing shows each source line above its instructions. Exit status 1 when the shader is wrong.\n"
        "Example: tessera glslc shader.vert shader.frag -o shader");
    verb->callback([options, verb, &status] {
        if (!options->report && options->inputs.size() > 2)
            throw CLI::ValidationError(verb->get_name(), "one shader, or one vertex and one fragment shader");
        status = options->report ? reportFiles(*options) : compileFiles(*options);
    });
}

}  // namespace tessera::tools
