// Programs: from text and bytes, and what can be said of them without running them.
#include <span>

#include <nlohmann/json.hpp>

#include "base/excerpt.h"
#include "base/thread/thread.h"
#include "model/chip/preset.h"
#include "model/report/lines.h"
#include "shader-core/asm/analysis/cost.h"
#include "shader-core/asm/assembler.h"
#include "shader-core/asm/disassembler.h"
#include "shader-core/asm/spelling.h"
#include "shader-core/glsl/glsl.h"
#include "tools/files.h"
#include "tools/library/library.h"
#include "tools/run/places.h"

using namespace tessera;
using namespace tessera::tools;
using namespace tessera::tools::library;

namespace {

using Json = nlohmann::ordered_json;

/// A text's #version says which language it is.
constexpr glsl::Limits kLimits{.version = 300};
constexpr size_t kParserStack = size_t{1} << 20;  ///< expressions nest

std::string nameOr(const char* name, const char* usual) { return name != nullptr ? name : usual; }

TesseraProgram* made(isa::Program program, std::string name) {
    return new TesseraProgram{std::make_shared<const isa::Program>(std::move(program)), std::move(name)};
}

void tell(const assembly::Diagnostic& d, bool isError) {
    Diagnostic problem{isError, d.line, d.column, d.file, d.message, excerpt(d.text, d.column)};
    for (const std::string& via : d.via) problem.snippet += "  " + via + "\n";
    addProblem(std::move(problem));
}

/// A compiler's messages; null when the shader is wrong.
std::shared_ptr<const glsl::Shader> compiled(isa::Stage stage, std::string_view source, const std::string& name) {
    glsl::CompileResult result = glsl::compile(stage, source, kLimits, true);
    for (const glsl::Message& m : result.messages) {
        // Behind the line that says what is wrong: the source's line.
        const std::string told = glsl::describe({m}, name, source);
        const size_t end = told.find('\n', name.size() + m.text.size());
        addProblem(
            {m.error, m.line, m.column, name, m.text, end == std::string::npos ? std::string() : told.substr(end + 1)});
    }
    return result.shader;
}

void tellLink(std::string_view log, const std::string& name) {
    constexpr std::string_view kError = "ERROR: ";
    while (!log.empty()) {
        const size_t end = std::min(log.find('\n'), log.size());
        std::string_view line = log.substr(0, end);
        log.remove_prefix(std::min(end + 1, log.size()));
        const bool isError = line.starts_with(kError);
        if (isError) line.remove_prefix(kError.size());
        if (!line.empty()) addProblem({.isError = isError, .file = name, .message = std::string(line)});
    }
}

TesseraProgram* programOf(const std::shared_ptr<isa::Program>& program, std::string name) {
    return new TesseraProgram{program, std::move(name)};
}

// --- Descriptions ---

Json describe(const isa::Variable& v, char letter, int index) {
    Json json = {{"name", v.name},
                 {"type", assembly::variableTypeNames()[static_cast<size_t>(v.type)]},
                 {"register", std::string(1, letter) + std::to_string(index)},
                 {"registers", isa::registerCount(v)}};
    if (v.precision != isa::Precision::None)
        json["precision"] = assembly::precisionNames()[static_cast<size_t>(v.precision)];
    if (v.arraySize != 0) json["elements"] = v.arraySize;
    if (!isa::isSampler(v.type)) {
        json["components"] = isa::componentCount(v.type) * isa::registerCount(v);
        json["integer"] = isInteger(v.type);
    }
    return json;
}

/// A member of a uniform block as a uniform by itself.
isa::Variable variableOf(const debug::BlockVariable& one) {
    isa::Variable variable;
    variable.name = one.name;
    variable.type = one.member->type, variable.precision = one.member->precision;
    variable.arraySize = one.member->arraySize;
    return variable;
}

Json registersOf(char letter, isa::RegisterMask mask) {
    Json list = Json::array();
    for (const int number : mask) list.push_back(std::string(1, letter) + std::to_string(number));
    return list;
}

Json describe(const isa::Program& program) {
    std::array<int, assembly::kUnits> units{};
    int graphics = 0;
    for (const isa::Word& word : program.code) {
        const isa::OpInfo& info = isa::opInfo(isa::decode(word)->op);
        ++units[static_cast<size_t>(info.unit)];
        graphics += info.set == isa::InstructionSet::Graphics;
    }
    const int total = static_cast<int>(program.code.size());
    Json json = {{"stage", assembly::stageNames()[static_cast<size_t>(program.stage)]},
                 {"instructions", total},
                 {"graphics_set", graphics},
                 {"extended_set", total - graphics},
                 {"temporaries", program.tempCount},
                 {"constants", program.constantCount},
                 {"literals", program.literals.size()}};
    for (int u = 0; u < assembly::kUnits; ++u)
        json["units"][std::string(assembly::unitName(static_cast<isa::Unit>(u)))] = units[static_cast<size_t>(u)];
    json["registers"] = {{"inputs", registersOf('v', program.inputMask)},
                         {"outputs", registersOf('o', program.outputMask)},
                         {"specials", registersOf('s', program.specialMask)},
                         {"textures", registersOf('t', program.samplerMask)}};
    json["discards"] = program.usesKill;
    json["derivatives"] = program.usesDerivatives;
    json["writes_depth"] = program.writesDepth;
    json["writes_point_size"] = program.writesPointSize;
    for (const char* list : {"inputs", "outputs", "uniforms", "samplers", "buffers"}) json[list] = Json::array();
    const bool isVertex = program.stage == isa::Stage::Vertex;
    for (const isa::Variable& v : program.attributes) json["inputs"].push_back(describe(v, 'v', v.reg));
    for (const isa::Variable& v : program.varyings)
        json[isVertex ? "outputs" : "inputs"].push_back(
            describe(v, isVertex ? 'o' : 'v', v.reg + (isVertex ? isa::kOutVarying0 : 0)));
    for (const int output : program.outputMask) {
        const isa::VarType type = outputType(program, output);
        json["results"].push_back({{"register", "o" + std::to_string(output)},
                                   {"name", outputName(program, output)},
                                   {"type", assembly::variableTypeNames()[static_cast<size_t>(type)]},
                                   {"components", isa::componentCount(type)},
                                   {"integer", isInteger(type)}});
    }
    for (const isa::Variable& v : program.uniforms) {
        const bool isSampler = isa::isSampler(v.type);
        json[isSampler ? "samplers" : "uniforms"].push_back(describe(v, isSampler ? 't' : 'c', v.reg));
    }
    for (const debug::BlockVariable& one : debug::blockVariables(program)) {
        Json member = describe(variableOf(one), 'c', one.block->reg + static_cast<int>(one.member->offset / 16));
        member["integer"] = isa::scalarOf(one.member->type) != isa::Scalar::Float;  // bools are
        member["block"] = one.block->name;
        json["uniforms"].push_back(std::move(member));
    }
    for (const isa::Buffer& b : program.buffers)
        json["buffers"].push_back({{"name", b.name}, {"slot", b.slot}, {"constant", b.constant}});
    if (program.stage == isa::Stage::Compute) {
        json["block"] = program.blockSize;
        json["shared_bytes"] = program.sharedBytes;
        json["barriers"] = program.usesBarriers;
    }
    json["source"] = program.source;
    json["lines"] = program.lines;
    return json;
}

}  // namespace

TESSERA_EXPORT TesseraProgram* tesseraAssemble(const char* text, size_t bytes, const char* name) {
    return call<TesseraProgram*>([&]() -> TesseraProgram* {
        if (text == nullptr) return fail("there is no text");
        assembly::AssembleOptions options;
        options.include = readIncluded;
        options.warnDeadWrites = options.warnUninitialised = options.warnTruthValues = options.warnUndeclared = true;
        assembly::AssembleResult result;
        const std::string file = nameOr(name, "program.tsa");
        runWithStack(kParserStack, [&] { result = assembly::assemble({text, bytes}, file, options); });
        for (const assembly::Diagnostic& d : result.errors) tell(d, true);
        for (const assembly::Diagnostic& d : result.warnings) tell(d, false);
        return result.program ? made(std::move(*result.program), file) : nullptr;
    });
}

TESSERA_EXPORT TesseraProgram* tesseraCompile(TesseraStage stage, const char* text, size_t bytes, const char* name) {
    return call<TesseraProgram*>([&]() -> TesseraProgram* {
        if (text == nullptr) return fail("there is no text");
        if (stage != TESSERA_VERTEX && stage != TESSERA_FRAGMENT)
            return fail("GLSL ES has vertex and fragment shaders");
        const bool isVertex = stage == TESSERA_VERTEX;
        const std::string file = nameOr(name, isVertex ? "shader.vert" : "shader.frag");
        const auto shader = compiled(isVertex ? isa::Stage::Vertex : isa::Stage::Fragment, {text, bytes}, file);
        if (shader == nullptr) return nullptr;
        const glsl::LinkResult linked = glsl::linkSingle(*shader, kLimits);
        tellLink(linked.infoLog, file);
        return linked.ok ? programOf(isVertex ? linked.vertex : linked.fragment, file) : nullptr;
    });
}

TESSERA_EXPORT int tesseraLink(const char* vertex, size_t vertexBytes, const char* vertexName, const char* fragment,
                               size_t fragmentBytes, const char* fragmentName, TesseraProgram** vertexProgram,
                               TesseraProgram** fragmentProgram) {
    return call<int>([&]() -> int {
        if (vertex == nullptr || fragment == nullptr || vertexProgram == nullptr || fragmentProgram == nullptr)
            return fail("there is a text missing, or a place for a program");
        const std::string first = nameOr(vertexName, "shader.vert"), second = nameOr(fragmentName, "shader.frag");
        const auto vertexShader = compiled(isa::Stage::Vertex, {vertex, vertexBytes}, first);
        const auto fragmentShader = compiled(isa::Stage::Fragment, {fragment, fragmentBytes}, second);
        if (vertexShader == nullptr || fragmentShader == nullptr) return 0;
        const glsl::LinkResult linked = glsl::link(*vertexShader, *fragmentShader, {}, kLimits);
        tellLink(linked.infoLog, "link");
        if (!linked.ok) return 0;
        std::unique_ptr<TesseraProgram> one(programOf(linked.vertex, first));
        *fragmentProgram = programOf(linked.fragment, second);
        *vertexProgram = one.release();
        return 1;
    });
}

TESSERA_EXPORT TesseraProgram* tesseraReadProgram(const void* bytes, size_t size, const char* name) {
    return call<TesseraProgram*>([&]() -> TesseraProgram* {
        if (bytes == nullptr) return fail("there are no bytes");
        const std::string file = nameOr(name, "program.tsb");
        std::string error;
        auto program = isa::deserialize({static_cast<const std::byte*>(bytes), size}, &error);
        if (program) error = isa::verify(*program);
        if (!error.empty()) return fail(error, file);
        return made(std::move(*program), file);
    });
}

TESSERA_EXPORT void tesseraFreeProgram(TesseraProgram* program) { delete program; }

TESSERA_EXPORT TesseraText* tesseraProgramBytes(const TesseraProgram* program) {
    return call<TesseraText*>([&]() -> TesseraText* {
        if (program == nullptr) return fail("there is no program");
        const std::vector<std::byte> bytes = isa::serialize(*program->program);
        return text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    });
}

TESSERA_EXPORT TesseraText* tesseraDisassemble(const TesseraProgram* program, int withSource) {
    return call<TesseraText*>([&]() -> TesseraText* {
        if (program == nullptr) return fail("there is no program");
        return text(withSource != 0 ? assembly::disassembleWithSource(*program->program)
                                    : assembly::disassemble(*program->program));
    });
}

TESSERA_EXPORT TesseraText* tesseraDescribe(const TesseraProgram* program) {
    return call<TesseraText*>([&]() -> TesseraText* {
        if (program == nullptr) return fail("there is no program");
        return text(describe(*program->program).dump(-1, ' ', false, Json::error_handler_t::replace));
    });
}

TESSERA_EXPORT TesseraText* tesseraStaticCost(const TesseraProgram* program, const char* preset) {
    return call<TesseraText*>([&]() -> TesseraText* {
        if (program == nullptr) return fail("there is no program");
        std::string problem;
        const auto machine = model::loadPreset(nameOr(preset, "tessera"), &problem);
        if (!machine) return fail(problem);
        assembly::Latencies latencies{};
        for (int i = 0; i < isa::kOpCount; ++i)
            latencies[static_cast<size_t>(i)] =
                machine->timing(model::instructionClass(static_cast<isa::Op>(i))).latency;
        const assembly::Cost cost = assembly::cost(*program->program, latencies);
        Json json = model::costJson(model::costInCode(program->name, program->program, *machine));
        json["instructions"] = cost.instructions;
        json["shortest"] = cost.shortest;
        json["longest"] = cost.longest;
        json["loops"] = cost.loops;
        json["lookups"] = cost.lookups;
        json["bound_by"] = assembly::unitName(cost.bound);
        return text(json.dump(-1, ' ', false, Json::error_handler_t::replace));
    });
}
