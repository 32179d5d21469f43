#include "tools/inspector/frame/program_edit.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "api/gles/objects/program.h"
#include "shader-core/analysis/stage_facts.h"
#include "shader-core/asm/assembler.h"
#include "shader-core/asm/disassembler.h"
#include "shader-core/glsl/glsl.h"
#include "shader-core/isa/program.h"

namespace tessera::tools {

namespace {

using pipeline::Command, pipeline::CommandStream, pipeline::ConstantRegister, pipeline::kDrawStages;
using ProgramPtr = std::shared_ptr<const isa::Program>;

/// The number behind `at`, which moves behind it.
int numberAt(std::string_view text, size_t& at) {
    int number = 0;
    const auto [end, problem] =
        std::from_chars(text.data() + std::min(at, text.size()), text.data() + text.size(), number);
    at = static_cast<size_t>(end - text.data());
    return problem == std::errc() ? number : 0;
}

/// A line of a link's log. The place in front is that of a declaration in the fragment shader, or of an attribute; that
/// in the vertex shader stands behind "at".
EditMessage linkMessage(std::string_view line, isa::Stage stage) {
    EditMessage message;
    message.isError = !line.starts_with("WARNING: ");
    line.remove_prefix(std::min(line.size(), line.find(": ") + 2));
    message.text = line;
    const bool isOfVertex = line.find("attribute") != std::string_view::npos;
    size_t at = std::string_view::npos;
    if (isOfVertex == (stage == isa::Stage::Vertex))
        at = line.starts_with("0:") ? 2 : at;
    else if (stage == isa::Stage::Vertex && line.find(" at 0:") != std::string_view::npos)
        at = line.find(" at 0:") + 6;
    if (at == std::string_view::npos) return message;
    message.line = numberAt(line, at);
    if (at < line.size() && line[at] == ':') message.column = numberAt(line, ++at);
    return message;
}

const isa::Variable* find(const std::vector<isa::Variable>& variables, const std::string& name) {
    const auto at = std::ranges::find(variables, name, &isa::Variable::name);
    return at != variables.end() ? &*at : nullptr;
}

/// A program of the stream with texts in the place of its stages.
class Replacement {
public:
    Replacement(CommandStream& stream, uint32_t number, EditResult& result)
        : stream_(stream), recorded_(stream.programs[number - 1]), result_(result) {}

    void edit(size_t number, const ProgramEdit& edit) {
        edits_[edit.stage] = &edit;
        numbers_[edit.stage] = number;
    }
    /// With an error in the result it could not be made.
    void make() {
        const bool isGlsl = std::ranges::all_of(kDrawStages, [&](isa::Stage stage) { return isGlslStage(stage); });
        const size_t before = result_.messages.size();
        isGlsl ? compileBoth() : makeApart();
        const auto isError = [](const EditMessage& message) { return message.isError; };
        if (std::none_of(result_.messages.begin() + static_cast<ptrdiff_t>(before), result_.messages.end(), isError))
            finish(isGlsl);
    }
    /// Puts it in the place of the recorded one.
    void apply() {
        std::unordered_map<const pipeline::DrawState*, std::shared_ptr<pipeline::DrawState>> states;
        for (std::shared_ptr<pipeline::DrawState>& state : stream_.states)
            if (state->program == recorded_) state = states[state.get()] = stateFor(*state);
        std::unordered_map<const ConstantRegister*, std::span<const ConstantRegister>> constants;
        for (CommandStream::Step& step : stream_.steps) {
            auto* const command = std::get_if<Command>(&step);
            auto* const draw = command != nullptr ? std::get_if<pipeline::Draw>(command) : nullptr;
            if (draw == nullptr || draw->state->program != recorded_) continue;
            draw->state = states.at(draw->state.get());
            if (draw->streamOut) draw->streamOut = streamOutFor(*draw->streamOut);
            const pipeline::PerStage<std::span<const ConstantRegister>> recorded = draw->constants;
            for (const isa::Stage stage : kDrawStages)
                if (edits_[stage] != nullptr || isRelinked_) draw->constants[stage] = constantsFor(stage, recorded);
        }
        *std::ranges::find(stream_.programs, recorded_) = made_;
        for (const isa::Stage stage : kDrawStages) noteWhatIsNew(stage);
    }

private:
    [[nodiscard]] const isa::Program& old(isa::Stage stage) const { return *recorded_->stages[stage].program; }
    [[nodiscard]] const isa::Program& made(isa::Stage stage) const { return *made_->stages[stage].program; }
    [[nodiscard]] const std::string& textOf(isa::Stage stage) const {
        return edits_[stage] != nullptr ? edits_[stage]->text : old(stage).source;
    }
    [[nodiscard]] bool isGlslStage(isa::Stage stage) const {
        return edits_[stage] != nullptr ? !assemblyStage(edits_[stage]->text)
                                        : !old(stage).source.empty() && !assemblyStage(old(stage).source);
    }
    /// What is said of a stage whose text is as recorded is said of the other one's.
    [[nodiscard]] isa::Stage editedStage(isa::Stage stage) const {
        if (edits_[stage] != nullptr) return stage;
        return stage == isa::Stage::Vertex ? isa::Stage::Fragment : isa::Stage::Vertex;
    }
    void say(isa::Stage stage, EditMessage message) {
        if (edits_[stage] == nullptr) message.line = message.column = 0;
        const isa::Stage edited = editedStage(stage);
        message.edit = numbers_[edited];
        result_.messages.push_back(std::move(message));
    }
    void fail(isa::Stage stage, const std::string& text) {
        result_.log += fmt::format("{}: error: {}\n", edits_[editedStage(stage)]->name, text);
        say(stage, {.text = text});
    }

    // --- Making its stages ---

    std::shared_ptr<const glsl::Shader> compiled(isa::Stage stage) {
        const glsl::CompileResult compiled = glsl::compile(stage, textOf(stage), gles::kGlslLimitsEs3, true);
        result_.log += glsl::describe(
            compiled.messages, edits_[stage] != nullptr ? edits_[stage]->name : "the recorded shader", textOf(stage));
        for (const glsl::Message& message : compiled.messages)
            say(stage,
                {.line = message.sourceLine, .column = message.column, .isError = message.error, .text = message.text});
        if (!compiled.shader && compiled.messages.empty()) fail(stage, "the shader does not compile");
        return compiled.shader;
    }
    void takeLog(const std::string& log, bool isOk) {
        const isa::Stage stage = edits_[isa::Stage::Fragment] != nullptr ? isa::Stage::Fragment : isa::Stage::Vertex;
        for (size_t from = 0; from < log.size();) {
            const size_t end = std::min(log.find('\n', from), log.size());
            if (end > from) {
                EditMessage message = linkMessage(std::string_view(log).substr(from, end - from), stage);
                message.isError = message.isError && !isOk;
                result_.log += fmt::format("{}: {}: {}\n", edits_[stage]->name, message.isError ? "error" : "warning",
                                           message.text);
                say(stage, std::move(message));
            }
            from = end + 1;
        }
        if (!isOk && log.empty()) fail(stage, "the shaders do not link");
    }
    [[nodiscard]] std::map<std::string, int> attributeBindings() const {
        std::map<std::string, int> bindings;
        for (const isa::Variable& attribute : old(isa::Stage::Vertex).attributes)
            bindings[attribute.name] = attribute.reg;
        return bindings;
    }
    [[nodiscard]] glsl::OutputBindings outputBindings() const {
        glsl::OutputBindings bindings;
        for (const isa::Variable& output : old(isa::Stage::Fragment).outputs)
            bindings[output.name] = output.reg >= isa::kOutSecondColor
                                        ? glsl::OutputPlace{output.reg - isa::kOutSecondColor, true}
                                        : glsl::OutputPlace{output.reg - isa::kOutColor0, false};
        return bindings;
    }
    /// Varyings that draws write to buffers.
    [[nodiscard]] std::vector<std::string> captured() const {
        std::set<std::string> names;
        for (const CommandStream::Step& step : stream_.steps) {
            const auto* const command = std::get_if<Command>(&step);
            const auto* const draw = command != nullptr ? std::get_if<pipeline::Draw>(command) : nullptr;
            if (draw == nullptr || !draw->streamOut || draw->state->program != recorded_) continue;
            for (const pipeline::StreamOutPart& part : draw->streamOut->layout.parts)
                if (const isa::Variable* varying = varyingAt(part.output)) names.insert(varying->name);
        }
        return {names.begin(), names.end()};
    }
    [[nodiscard]] const isa::Variable* varyingAt(int output) const {
        for (const isa::Variable& varying : old(isa::Stage::Vertex).varyings)
            if (output >= isa::kOutVarying0 + varying.reg &&
                output < isa::kOutVarying0 + varying.reg + isa::registerCount(varying))
                return &varying;
        return nullptr;
    }

    void compileBoth() {
        const auto vertex = compiled(isa::Stage::Vertex), fragment = compiled(isa::Stage::Fragment);
        if (!vertex || !fragment) return;
        const glsl::LinkResult linked =
            glsl::link(*vertex, *fragment, attributeBindings(), gles::kGlslLimitsEs3, captured(), outputBindings());
        takeLog(linked.infoLog, linked.ok);
        stages_[isa::Stage::Vertex] = linked.vertex, stages_[isa::Stage::Fragment] = linked.fragment;
        isRelinked_ = true;
    }
    /// Where a stage is a program of the instruction set the other one is left alone.
    void makeApart() {
        for (const isa::Stage stage : kDrawStages) {
            if (edits_[stage] == nullptr) {
                stages_[stage] = recorded_->stages[stage].program;
            } else if (isGlslStage(stage)) {
                const auto shader = compiled(stage);
                if (!shader) continue;
                const glsl::LinkResult linked =
                    glsl::linkSingle(*shader, gles::kGlslLimitsEs3, attributeBindings(), outputBindings());
                takeLog(linked.infoLog, linked.ok);
                stages_[stage] = stage == isa::Stage::Vertex ? linked.vertex : linked.fragment;
            } else {
                assemble(stage);
            }
        }
    }
    void assemble(isa::Stage stage) {
        const ProgramEdit& edit = *edits_[stage];
        const assembly::AssembleResult assembled = assembly::assemble(edit.text, edit.name);
        result_.log += assembled.log();
        for (const assembly::Diagnostic& error : assembled.errors)
            say(stage, {.line = error.rootLine, .column = error.column, .text = error.message});
        for (const assembly::Diagnostic& warning : assembled.warnings)
            say(stage, {.line = warning.rootLine, .column = warning.column, .isError = false, .text = warning.message});
        if (!assembled.program) return;
        if (assembled.program->stage != stage)
            return fail(stage,
                        stage == isa::Stage::Vertex ? "this is no vertex program" : "this is no fragment program");
        stages_[stage] = std::make_shared<const isa::Program>(*assembled.program);
    }

    void finish(bool isGlsl) {
        auto program = std::make_shared<pipeline::Program>();
        program->name = recorded_->name;
        for (const isa::Stage stage : kDrawStages) {
            program->stages[stage].program = stages_[stage];
            program->stages[stage].facts = analysis::factsOfStage(*stages_[stage]);
        }
        program->distances = pipeline::distancesOf(program->vertex());
        const bool isSame = program->vertex().varyings == old(isa::Stage::Vertex).varyings &&
                            program->fragment().varyings == old(isa::Stage::Fragment).varyings;
        if (isSame) {
            program->varyingSource = recorded_->varyingSource;
            program->interpolation = recorded_->interpolation;
        } else {
            program->interpolateAsDeclared();
            if (!isGlsl) matchVaryings(*program);
        }
        made_ = std::move(program);
    }
    /// By name. What the vertex program does not have, or has elsewhere in its registers, reads 0.
    void matchVaryings(pipeline::Program& program) {
        program.varyingSource.fill(-1);
        for (const isa::Variable& in : program.fragment().varyings) {
            const isa::Variable* const out = find(program.vertex().varyings, in.name);
            if (out == nullptr || out->type != in.type || out->arraySize != in.arraySize || out->component != 0) {
                result_.notes.push_back(
                    fmt::format("varying '{}' has no partner in the vertex program: it is 0", in.name));
                continue;
            }
            for (int i = 0; i < isa::registerCount(in); ++i)
                program.varyingSource[static_cast<size_t>(in.reg + i)] = static_cast<int8_t>(out->reg + i);
        }
    }

    // --- What draws give it ---

    /// The recorded program's uniform of that name and type, and the stage that has it: `first`, if that does.
    [[nodiscard]] std::pair<const isa::Variable*, isa::Stage> recordedUniform(const isa::Variable& uniform,
                                                                              isa::Stage first) const {
        for (const isa::Stage stage : {first, first == isa::Stage::Vertex ? isa::Stage::Fragment : isa::Stage::Vertex})
            if (const isa::Variable* found = find(old(stage).uniforms, uniform.name);
                found != nullptr && found->type == uniform.type)
                return {found, stage};
        return {nullptr, first};
    }
    [[nodiscard]] std::pair<const isa::UniformBlock*, isa::Stage> recordedBlock(const isa::UniformBlock& block,
                                                                                isa::Stage first) const {
        for (const isa::Stage stage : {first, first == isa::Stage::Vertex ? isa::Stage::Fragment : isa::Stage::Vertex})
            for (const isa::UniformBlock& one : old(stage).blocks)
                if (one.name == block.name && one.registers != 0) return {&one, stage};
        return {nullptr, first};
    }

    std::span<const ConstantRegister> constantsFor(
        isa::Stage stage, const pipeline::PerStage<std::span<const ConstantRegister>>& recorded) {
        const isa::Program& program = made(stage);
        size_t count = program.constantCount;
        for (const isa::Variable& uniform : program.uniforms)
            if (!isa::isSampler(uniform.type))
                count = std::max(count, static_cast<size_t>(uniform.reg + isa::registerCount(uniform)));
        for (const isa::UniformBlock& block : program.blocks)
            count = std::max<size_t>(count, block.reg + block.registers);
        auto registers = std::make_unique<ConstantRegister[]>(std::max<size_t>(count, 1));
        const auto at = [](std::span<const ConstantRegister> from, size_t reg) {
            return reg < from.size() ? from[reg] : ConstantRegister{};
        };
        // Assembly may read registers that it has no names for.
        if (!isRelinked_)
            for (size_t i = 0; i < count; ++i) registers[i] = at(recorded[stage], i);
        for (const isa::Literal& literal : program.literals)
            if (literal.reg < count)
                std::memcpy(registers[literal.reg].data(), literal.bits.data(), sizeof literal.bits);
        for (const isa::Variable& uniform : program.uniforms) {
            if (isa::isSampler(uniform.type)) continue;
            const auto [from, its] = recordedUniform(uniform, stage);
            const int shared = from != nullptr ? isa::registerCount(*from) : 0;
            for (int i = 0; i < isa::registerCount(uniform); ++i) {
                const ConstantRegister value =
                    i < shared ? at(recorded[its], static_cast<size_t>(from->reg + i)) : ConstantRegister{};
                for (int c = 0; c < isa::componentCount(uniform.type); ++c)
                    registers[static_cast<size_t>(uniform.reg + i)][static_cast<size_t>(uniform.component + c) & 3] =
                        i < shared ? value[static_cast<size_t>(from->component + c) & 3] : 0;
            }
        }
        for (const isa::UniformBlock& block : program.blocks) {
            const auto [from, its] = recordedBlock(block, stage);
            for (size_t i = 0; i < block.registers; ++i)
                registers[block.reg + i] =
                    from != nullptr && i < from->registers ? at(recorded[its], from->reg + i) : ConstantRegister{};
        }
        const std::span<const ConstantRegister> all(registers.get(), count);
        stream_.constants.push_back(std::move(registers));
        return all;
    }

    std::shared_ptr<pipeline::DrawState> stateFor(const pipeline::DrawState& recorded) const {
        auto state = std::make_shared<pipeline::DrawState>(recorded);
        state->program = made_;
        for (const isa::Stage stage : kDrawStages) {
            std::vector<pipeline::TextureBinding>& textures = state->textures[stage];
            for (const isa::Variable& sampler : made(stage).uniforms) {
                if (!isa::isSampler(sampler.type)) continue;
                const size_t count = static_cast<size_t>(isa::registerCount(sampler));
                if (textures.size() < sampler.reg + count) textures.resize(sampler.reg + count);
                const auto [from, its] = recordedUniform(sampler, stage);
                const std::vector<pipeline::TextureBinding>& had = recorded.textures[its];
                for (size_t i = 0; i < count; ++i) {
                    const bool isThere = from != nullptr && i < static_cast<size_t>(isa::registerCount(*from)) &&
                                         from->reg + i < had.size();
                    textures[sampler.reg + i] = isThere ? had[from->reg + i] : pipeline::TextureBinding{};
                }
            }
        }
        return state;
    }

    /// Parts of outputs that the new program does not have are written as 0 by one that it does not write.
    std::shared_ptr<const pipeline::StreamOut> streamOutFor(const pipeline::StreamOut& recorded) const {
        auto out = std::make_shared<pipeline::StreamOut>(recorded);
        for (pipeline::StreamOutPart& part : out->layout.parts) {
            const isa::Variable* const before = varyingAt(part.output);
            const isa::Variable* const now =
                before != nullptr ? find(made(isa::Stage::Vertex).varyings, before->name) : nullptr;
            if (now == nullptr) continue;
            part.output = static_cast<uint8_t>(part.output - before->reg + now->reg);
            part.component = static_cast<uint8_t>((part.component - before->component + now->component) & 3);
        }
        return out;
    }

    void noteWhatIsNew(isa::Stage stage) {
        for (const isa::Variable& uniform : made(stage).uniforms)
            if (recordedUniform(uniform, stage).first == nullptr)
                result_.notes.push_back(isa::isSampler(uniform.type)
                                            ? fmt::format("sampler '{}' is new: it has no texture", uniform.name)
                                            : fmt::format("uniform '{}' is new: it is 0", uniform.name));
        for (const isa::UniformBlock& block : made(stage).blocks)
            if (block.registers != 0 && recordedBlock(block, stage).first == nullptr)
                result_.notes.push_back(
                    fmt::format("what block '{}' holds is not in the recording: it is 0", block.name));
        if (stage == isa::Stage::Vertex)
            for (const isa::Variable& attribute : made(stage).attributes)
                if (find(old(stage).attributes, attribute.name) == nullptr)
                    result_.notes.push_back(fmt::format("attribute '{}' is new: it has what is at location {}",
                                                        attribute.name, attribute.reg));
    }

    CommandStream& stream_;
    const std::shared_ptr<pipeline::Program> recorded_;
    EditResult& result_;
    pipeline::PerStage<const ProgramEdit*> edits_;
    pipeline::PerStage<size_t> numbers_;
    pipeline::PerStage<ProgramPtr> stages_;
    std::shared_ptr<pipeline::Program> made_;
    bool isRelinked_ = false;
};

}  // namespace

bool EditResult::isDone() const {
    return std::ranges::none_of(messages, [](const EditMessage& message) { return message.isError; });
}

std::optional<isa::Stage> assemblyStage(std::string_view text) {
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        const std::string_view word = line.substr(0, line.find_first_of(" \t\r;"));
        if (word == ".vertex") return isa::Stage::Vertex;
        if (word == ".fragment") return isa::Stage::Fragment;
        if (word == ".compute") return isa::Stage::Compute;
    }
    return std::nullopt;
}

std::string editableText(const isa::Program& program) {
    return program.source.empty() ? assembly::disassemble(program) : program.source;
}

EditResult replacePrograms(CommandStream& stream, std::span<const ProgramEdit> edits) {
    EditResult result;
    std::map<uint32_t, Replacement> replacements;
    for (size_t i = 0; i < edits.size(); ++i) {
        const ProgramEdit& edit = edits[i];
        const auto fail = [&](const std::string& text) {
            result.messages.push_back({.edit = i, .text = text});
            result.log += fmt::format("{}: error: {}\n", edit.name, text);
        };
        if (edit.program == 0 || edit.program > stream.programs.size())
            fail(fmt::format("there is no program {}; the recording has {}", edit.program, stream.programs.size()));
        else if (!stream.programs[edit.program - 1]->stages[isa::Stage::Vertex].program)
            fail(fmt::format("program {} is a kernel", edit.program));
        else if (edit.stage != isa::Stage::Vertex && edit.stage != isa::Stage::Fragment)
            fail("this is no program that draws");
        else
            replacements.try_emplace(edit.program, stream, edit.program, result).first->second.edit(i, edit);
    }
    for (auto& [number, replacement] : replacements) replacement.make();
    if (!result.isDone() || replacements.empty()) return result;
    for (auto& [number, replacement] : replacements) replacement.apply();
    std::erase_if(stream.steps, [](const CommandStream::Step& step) {
        return std::holds_alternative<CommandStream::Expectation>(step);
    });
    return result;
}

}  // namespace tessera::tools
