// tessera info
#include <array>
#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/process/env.h"
#include "shader-core/asm/analysis/cost.h"
#include "shader-core/asm/spelling.h"
#include "shader-core/debug/replay/block_variable.h"
#include "shader-core/glsl/glsl.h"
#include "tools/files.h"
#include "tools/run/group_input.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

std::string maskList(char letter, isa::RegisterMask mask) {
    std::string text;
    for (const int number : mask) text += fmt::format(" {}{}", letter, number);
    return text.empty() ? " none" : text;
}

std::string typeText(isa::VarType type, int arraySize, isa::Precision precision) {
    std::string text(assembly::variableTypeNames()[static_cast<int>(type)]);
    if (isa::isSampler(type)) text = "sampler " + text;
    if (arraySize != 0) text += fmt::format("[{}]", arraySize);
    return precision == isa::Precision::None
               ? text
               : fmt::format("{} {}", assembly::precisionNames()[static_cast<int>(precision)], text);
}

std::string rangeText(char letter, int first, int count) {
    return count == 1 ? fmt::format("{}{}", letter, first)
                      : fmt::format("{}{}..{}{}", letter, first, letter, first + count - 1);
}

std::string variableLine(std::string_view what, char letter, int index, const isa::Variable& v) {
    return fmt::format("  {:<10} {:<10} {} ({})\n", what, rangeText(letter, index, isa::registerCount(v)), v.name,
                       typeText(v.type, v.arraySize, v.precision));
}

std::string uniformBlockText(const isa::Program& program) {
    std::string text;
    const isa::UniformBlock* block = nullptr;
    for (const debug::BlockVariable& one : debug::blockVariables(program)) {
        if (one.block != block) {
            block = one.block;
            text += fmt::format("  {:<10} {:<10} {} ({} bytes)\n", "block",
                                rangeText('c', block->reg, block->registers), block->name, block->byteSize);
        }
        text += fmt::format("  {:<10} {:<10} {} ({})\n", "  member", fmt::format("byte {}", one.member->offset),
                            one.name, typeText(one.member->type, one.member->arraySize, one.member->precision));
    }
    return text;
}

std::string interfaceText(const isa::Program& program) {
    const bool vertex = program.stage == isa::Stage::Vertex;
    std::string text;
    for (const isa::Variable& v : program.attributes) text += variableLine("attribute", 'v', v.reg, v);
    for (const isa::Variable& v : program.varyings)
        text += variableLine("varying", vertex ? 'o' : 'v', v.reg + (vertex ? isa::kOutVarying0 : 0), v);
    for (const isa::Variable& v : program.outputs) text += variableLine("output", 'o', v.reg + isa::kOutColor0, v);
    for (const isa::Buffer& b : program.buffers)
        text += fmt::format("  {:<10} {:<10} {}{}\n", "buffer", fmt::format("b{}", b.slot), b.name,
                            b.constant ? " (loaded from only)" : "");
    for (const isa::Variable& v : program.uniforms)
        text +=
            isa::isSampler(v.type) ? variableLine("sampler", 't', v.reg, v) : variableLine("uniform", 'c', v.reg, v);
    text += uniformBlockText(program);
    return text.empty() ? "  none declared\n" : text;
}

/// What a compute program is launched with.
std::string blockText(const isa::Program& program) {
    const auto [x, y, z] = program.blockSize;
    const int threads = int{x} * y * z, groups = (threads + isa::kGroupSize - 1) / isa::kGroupSize;
    return fmt::format(
        "block\n  {} x {} x {} = {} threads in {} group{} (--block changes it); barriers: {}\n"
        "  shared memory {} of {} bytes\n",
        x, y, z, threads, groups, groups == 1 ? "" : "s", program.usesBarriers ? "yes" : "no", program.sharedBytes,
        isa::kMaxSharedBytes);
}

std::string programText(const isa::Program& program) {
    std::array<int, assembly::kUnits> perUnit{};
    int graphics = 0, latency = 0;
    for (const isa::Word& word : program.code) {
        const isa::OpInfo& info = isa::opInfo(isa::decode(word)->op);
        ++perUnit[static_cast<int>(info.unit)];
        graphics += info.set == isa::InstructionSet::Graphics;
        latency += info.latency;
    }
    const int total = static_cast<int>(program.code.size());
    std::string text =
        fmt::format("{} program, {} instructions\n", assembly::stageNames()[static_cast<int>(program.stage)], total);
    for (int u = 0; u < assembly::kUnits; ++u) {
        const auto unit = static_cast<isa::Unit>(u);
        const bool compute = unit == isa::Unit::Memory || unit == isa::Unit::Lane;
        if (!compute || program.stage == isa::Stage::Compute)
            text += fmt::format("  {:<16}{:>5}\n", assembly::unitName(unit), perUnit[u]);
    }
    text += fmt::format("  graphics set {}, extended set {}; {} cycles of latency, each instruction counted once\n",
                        graphics, total - graphics, latency);
    text += fmt::format("registers\n  temporaries {} of {}, constants {} of {} ({} literals)\n", program.tempCount,
                        isa::kMaxTemps, program.constantCount, isa::kMaxConstants, program.literals.size());
    if (program.stage == isa::Stage::Compute) {
        text += fmt::format("  specials{}\n", maskList('s', program.specialMask)) + blockText(program);
        return text + "interface\n" + interfaceText(program);
    }
    text += fmt::format("  inputs{}; outputs{}; texture units{}; specials{}\n", maskList('v', program.inputMask),
                        maskList('o', program.outputMask), maskList('t', program.samplerMask),
                        maskList('s', program.specialMask));
    text += fmt::format("  discards: {}; derivatives: {}; writes depth: {}; writes point size: {}\n",
                        program.usesKill ? "yes" : "no", program.usesDerivatives ? "yes" : "no",
                        program.writesDepth ? "yes" : "no", program.writesPointSize ? "yes" : "no");
    return text + "interface\n" + interfaceText(program);
}

std::string machineText() {
    const glsl::Limits limits;
    std::string text = fmt::format("Tessera {}\n", TESSERA_VERSION);
    text += fmt::format("  vector level        {} (TESSERA_SIMD)\n", simdLevelName(simdLevel()));
    text += fmt::format("  worker threads      {} (TESSERA_THREADS)\n", threadCount());
    text += "environment\n";
    for (const EnvVariable& v : envVariables()) {
        const std::string value = envString(std::string(v.name).c_str(), "");
        text += fmt::format("  {:<23} {}; {}; {}\n", v.name, v.accepted,
                            value.empty() ? fmt::format("default {}", v.byDefault) : fmt::format("now {}", value),
                            v.meaning);
    }
    text += "shading language limits\n";
    text += fmt::format("  vertex attributes   {}\n", limits.vertexAttribs);
    text += fmt::format("  varying vectors     {}\n", limits.varyingVectors);
    text += fmt::format("  uniform vectors     {} vertex, {} fragment\n", limits.vertexUniformVectors,
                        limits.fragmentUniformVectors);
    text += fmt::format("  texture units       {} vertex, {} fragment, {} combined\n", limits.vertexTextureUnits,
                        limits.fragmentTextureUnits, limits.combinedTextureUnits);
    text += "shader core\n";
    text += fmt::format("  instructions        {} in the set, {} bits each, {} in a program at most\n", isa::kOpCount,
                        8 * sizeof(isa::Word), isa::kMaxInstructions);
    text += fmt::format("  thread group        {} threads\n", isa::kGroupSize);
    text += fmt::format("  registers           {} temporaries, {} constants, {} predicates\n", isa::kMaxTemps,
                        isa::kMaxConstants, isa::kPredicates);
    text += fmt::format("  nesting             {} ifs, loops and calls\n", isa::kMaxNesting);
    return text;
}

int info(const std::string& file, const std::string& stage) {
    if (file.empty() && !stage.empty()) {
        fmt::print(stderr, "error: --stage needs a file\n");
        return kTrouble;
    }
    if (file.empty()) {
        fmt::print("{}", machineText());
        return kDone;
    }
    int status = kDone;
    if (const auto program = loadProgram(file, stage, status)) fmt::print("{}", programText(*program));
    return status;
}

}  // namespace

void addInfo(CLI::App& app, int& status) {
    struct Options {
        std::string file, stage;
    };
    const auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("info", "Describe this Tessera, or a program");
    verb->add_option("file", options->file, "Assembly (.tsa), binary (.tsb) or GLSL (.vert, .frag)");
    addStageOption(*verb, options->stage);
    verb->footer(
        "Without a file: version, vector level, worker threads and limits.\n"
        "With a file: stage, instructions for each unit, registers and interface; of a compute program its block,\n"
        "shared memory and buffers. GLSL is compiled. Files with other endings are taken for what they contain.");
    verb->callback([options, &status] { status = info(options->file, options->stage); });
}

}  // namespace tessera::tools
