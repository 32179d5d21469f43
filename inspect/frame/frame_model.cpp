#include "inspect/frame/frame_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "pipeline/command/command_buffer.h"
#include "pipeline/geometry/vertex_fetch.h"
#include "pipeline/recording/fields.h"
#include "pipeline/recording/marks.h"
#include "shader-core/debug/replay/value.h"

namespace tessera::inspect {

namespace {

using pipeline::Command, pipeline::CommandStream;

/// What a command says in a line: of a draw what it draws, of others what is not as it mostly is.
std::string textOf(const Names& names, const Command& command) {
    if (const auto* draw = std::get_if<pipeline::Draw>(&command)) return drawText(*draw, names);
    if (const auto* clear = std::get_if<pipeline::Clear>(&command)) {
        std::string text;
        const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
        if (clear->clearColor)
            add(fmt::format("color {} {} {} {}", clear->color[0], clear->color[1], clear->color[2], clear->color[3]));
        if (clear->clearDepth) add(fmt::format("depth {}", clear->depth));
        if (clear->clearStencil) add(fmt::format("stencil {}", clear->stencil));
        if (clear->scissorTest)
            add(fmt::format("within {},{} {}x{}", clear->scissor.x, clear->scissor.y, clear->scissor.width,
                            clear->scissor.height));
        return text;
    }
    return fieldsText(changed(fieldsOf(names, command), usualFields(names, command)));
}

const pipeline::RenderTarget* targetOf(const Command& command) {
    if (const auto* draw = std::get_if<pipeline::Draw>(&command)) return &draw->state->target;
    if (const auto* clear = std::get_if<pipeline::Clear>(&command)) return clear->target.get();
    return nullptr;
}

/// What a mark of the application says (pipeline/recording/marks.h); nothing: it is none.
std::optional<std::string_view> markOf(const Command* command) {
    const auto* const task = command != nullptr ? std::get_if<pipeline::RunTask>(command) : nullptr;
    if (task == nullptr) return std::nullopt;
    const std::string_view name = task->task->name();
    const bool isMark = name.starts_with(pipeline::kGroupMark) || name.starts_with(pipeline::kMarkerMark) ||
                        name == pipeline::kGroupEndMark;
    return isMark ? std::optional(name) : std::nullopt;
}

std::string targetText(const Names& names, const pipeline::RenderTarget& target) {
    std::string text;
    forEachImage(target,
                 [&](const texture::Image& image) { text += (text.empty() ? "" : ", ") + imageText(names, image); });
    return text.empty() ? "no images" : text;
}

/// What a command that is no draw writes.
texture::ImagePtr writtenImage(const Command& command) {
    return std::visit(
        []<class One>(const One& one) -> texture::ImagePtr {
            if constexpr (requires { one.to->samples(); })
                return one.to;
            else if constexpr (std::is_same_v<One, pipeline::Upload> || std::is_same_v<One, pipeline::Decode> ||
                               std::is_same_v<One, pipeline::PackPixels>)
                return one.image;
            else if constexpr (std::is_same_v<One, pipeline::GenerateMipmap>)
                return one.faces.empty() || one.faces[0].empty() ? nullptr : one.faces[0].back();
            else if constexpr (std::is_same_v<One, pipeline::EndFrame>)
                return one.color;
            else
                return nullptr;
        },
        command);
}

/// The group of a field, by the words that its name begins with.
std::string_view groupOf(const std::string& name) {
    struct Row {
        std::string_view begin, group;
    };
    constexpr Row kRows[] = {
        {"program", "program"},          {"attribute ", "vertices"},
        {"vertex texture ", "textures"}, {"fragment texture ", "textures"},
        {"target width", "target"},      {"target height", "target"},
        {"target color", "target"},      {"target depth", "target"},
        {"target stencil", "target"},    {"viewport", "primitives"},
        {"depth near", "primitives"},    {"depth far", "primitives"},
        {"clip ", "primitives"},         {"scissor", "primitives"},
        {"cull", "primitives"},          {"front is", "primitives"},
        {"polygon", "primitives"},       {"discard", "primitives"},
        {"offset", "primitives"},        {"line width", "primitives"},
    };
    for (const Row& row : kRows)
        if (name.starts_with(row.begin)) return row.group;
    return "pixels";
}

/// The number behind the first words of a name: 3 of "attribute 3 type".
size_t numberIn(const std::string& name, std::string_view begin) {
    size_t number = 0;
    for (size_t i = begin.size(); i < name.size() && name[i] >= '0' && name[i] <= '9'; ++i)
        number = number * 10 + static_cast<size_t>(name[i] - '0');
    return number;
}

/// Whether a field says nothing of the draw, as its program does not look: attributes and textures that it does not
/// read, what constants are of an attribute that has data.
bool isIdle(const std::string& name, const pipeline::DrawState& state) {
    if (!state.program) return false;
    if (name.starts_with("attribute ")) {
        const size_t number = numberIn(name, "attribute ");
        if (number >= state.attributes.size() || !state.program->vertex().inputMask.has(number)) return true;
        return name.find(" constant ") != std::string::npos && state.attributes[number].data != nullptr;
    }
    if (name.starts_with("fragment texture ") && state.program->stages[isa::Stage::Fragment].program)
        return !state.program->fragment().samplerMask.has(numberIn(name, "fragment texture "));
    if (name.starts_with("vertex texture "))
        return !state.program->vertex().samplerMask.has(numberIn(name, "vertex texture "));
    if (name.starts_with("target ") && name.size() > 7 && name[7] >= '0' && name[7] <= '9')
        return state.target.color[numberIn(name, "target ")] == nullptr;
    return false;
}

std::string numberText(uint32_t bits, isa::Scalar scalar) {
    switch (scalar) {
        case isa::Scalar::Int:
            return debug::valueText(bits, debug::Format::I32);
        case isa::Scalar::UInt:
            return debug::valueText(bits, debug::Format::U32);
        case isa::Scalar::Bool:
            return bits != 0 ? "true" : "false";
        case isa::Scalar::Float:
            break;
    }
    return debug::valueText(bits, debug::Format::F32);
}

constexpr int kMostElements = 8;  ///< of an array, that are told

std::string variableText(const isa::Variable& variable, std::span<const pipeline::ConstantRegister> constants) {
    const int registers = isa::registerCount(variable), columns = isa::columnCount(variable.type);
    std::string text;
    for (int i = 0; i < registers; ++i) {
        const bool isElement = variable.arraySize != 0 && i % columns == 0;
        if (isElement && i / columns == kMostElements) return text + " ...";
        if (i != 0) text += isElement ? "; " : columns > 1 ? " | " : " ";
        const size_t at = static_cast<size_t>(variable.reg + i);
        for (int c = 0; c < isa::componentCount(variable.type); ++c) {
            if (c != 0) text += " ";
            if (at >= constants.size()) {
                text += "0";
                continue;
            }
            const float value = constants[at][static_cast<size_t>(variable.component + c) & 3];
            text += numberText(std::bit_cast<uint32_t>(value), isa::scalarOf(variable.type));
        }
    }
    return text;
}

std::string memberText(const isa::BlockMember& member, const isa::UniformBlock& block,
                       std::span<const pipeline::ConstantRegister> constants) {
    const auto wordAt = [&](uint64_t byte) -> uint32_t {
        const uint64_t word = uint64_t{block.reg} * 4 + byte / 4;
        return word / 4 < constants.size() ? std::bit_cast<uint32_t>(constants[word / 4][word % 4]) : 0;
    };
    const int columns = isa::columnCount(member.type), rows = isa::componentCount(member.type);
    std::string text;
    for (int element = 0; element < std::max<int>(1, member.arraySize); ++element) {
        if (element == kMostElements) return text + " ...";
        if (element != 0) text += "; ";
        for (int column = 0; column < columns; ++column) {
            if (column != 0) text += " | ";
            for (int row = 0; row < rows; ++row) {
                const auto major = static_cast<uint64_t>(member.rowMajor ? row : column);
                const auto minor = static_cast<uint64_t>(member.rowMajor ? column : row);
                const uint64_t at = member.offset + uint64_t{member.arrayStride} * static_cast<uint64_t>(element) +
                                    (columns > 1 ? major * member.matrixStride + minor * 4 : minor * 4);
                text += (row != 0 ? " " : "") + numberText(wordAt(at), isa::scalarOf(member.type));
            }
        }
    }
    return text;
}

uint8_t outcodeOf(const std::array<float, 4>& clip, const pipeline::RasterState& raster) {
    const auto [x, y, z, w] = clip;
    const float nearest = raster.clipDepthFromZero ? 0 : -w;
    uint8_t code = 0;
    const bool outside[] = {x<-w, x> w, y<-w, y> w, z<nearest, z> w};
    for (size_t i = 0; i < std::size(outside); ++i) code |= static_cast<uint8_t>(outside[i] << i);
    return code;
}

/// At the end of a frame that no surface ends.
class EndOfFrame final : public pipeline::Task {
public:
    explicit EndOfFrame(std::shared_ptr<PixelRecording> recording) : recording_(std::move(recording)) {}
    [[nodiscard]] const char* name() const override { return "end of the frame"; }
    void run() override { recording_->end(); }

private:
    const std::shared_ptr<PixelRecording> recording_;
};

/// What runs the programs, put back when another GPU has had them.
class KeptRoutines {
public:
    explicit KeptRoutines(CommandStream& stream) : stream_(stream) {
        for (const auto& program : stream.programs) kept_.push_back(program->stages);
    }
    ~KeptRoutines() {
        for (size_t i = 0; i < kept_.size(); ++i)
            for (size_t s = 0; s < kept_[i].each.size(); ++s) {
                stream_.programs[i]->stages.each[s].routine = kept_[i].each[s].routine;
                stream_.programs[i]->stages.each[s].kernel = kept_[i].each[s].kernel;
            }
    }
    KeptRoutines(const KeptRoutines&) = delete;
    KeptRoutines& operator=(const KeptRoutines&) = delete;

private:
    CommandStream& stream_;
    std::vector<pipeline::PerStage<pipeline::ProgramStage, pipeline::kAllStages>> kept_;
};

}  // namespace

FrameModel::FrameModel(CommandStream& stream, std::shared_ptr<isa::Executor> executor, int threads)
    : stream_(stream), names_(stream), gpu_(std::move(executor), threads) {
    gpu_.setTimeLimit({});  // what was drawn is drawn again, however long it takes
    findActions();
    scrubber_ = std::make_unique<Scrubber>(stream_, gpu_);
}

FrameModel::~FrameModel() = default;

void FrameModel::findActions() {
    size_t number = 0;
    bool hasEnded = true;
    std::optional<size_t> group;  // the innermost that is open
    const pipeline::RenderTarget* target = nullptr;
    for (size_t step = 0; step < stream_.steps.size(); ++step) {
        const auto* const command = std::get_if<Command>(&stream_.steps[step]);
        const auto* const contents = std::get_if<CommandStream::Contents>(&stream_.steps[step]);
        if (command == nullptr && contents == nullptr) {
            if (!frames_.empty()) frames_.back().endStep = step + 1;
            continue;
        }
        if (hasEnded) {
            frames_.push_back({actions_.size(), actions_.size(), step, step, nullptr});
            target = nullptr;
            group.reset();
            hasEnded = false;
        }
        number += command != nullptr;
        const pipeline::RenderTarget* const drawnTo = command != nullptr ? targetOf(*command) : nullptr;
        const bool isSame = drawnTo == nullptr ? target == nullptr : target != nullptr && *drawnTo == *target;
        // A mark is of the pass that it stands in; the first ones of a frame are of the pass behind them.
        const std::optional<std::string_view> mark = markOf(command);
        if (frames_.back().first == actions_.size() || (!mark && !isSame && !passes_.back().text.empty()))
            passes_.push_back({{}, actions_.size(), 0});
        if (!mark) {
            target = drawnTo;
            if (passes_.back().text.empty())
                passes_.back().text = drawnTo != nullptr ? targetText(names_, *drawnTo) : "transfers";
        }
        if (mark && mark->starts_with(pipeline::kGroupMark)) {
            groups_.push_back({std::string(mark->substr(pipeline::kGroupMark.size())), actions_.size(), 0, group,
                               group ? groups_[*group].depth + 1 : 0});
            group = groups_.size() - 1;
        }
        Action action{.step = step,
                      .number = number,
                      .frame = frames_.size() - 1,
                      .pass = passes_.size() - 1,
                      .what = "contents",
                      .text = {},
                      .group = group,
                      .command = command};
        if (command != nullptr) {
            action.what = pipeline::kCommandWords[command->index()];
            action.text = mark ? std::string(*mark) : textOf(names_, *command);
        } else {
            action.text = contents->image ? imageText(names_, *contents->image) : bufferText(names_, *contents->buffer);
        }
        actions_.push_back(std::move(action));
        passes_.back().end = frames_.back().end = actions_.size();
        for (std::optional<size_t> open = group; open; open = groups_[*open].parent)
            groups_[*open].end = actions_.size();
        if (mark == pipeline::kGroupEndMark && group) group = groups_[*group].parent;
        frames_.back().endStep = step + 1;
        if (command != nullptr)
            if (const auto* end = std::get_if<pipeline::EndFrame>(command)) {
                frames_.back().surface = end->color;
                hasEnded = true;
            }
    }
    for (Pass& pass : passes_)
        if (pass.text.empty()) pass.text = "marks";
}

std::vector<std::string> FrameModel::groupNames(size_t action) const {
    std::vector<std::string> names;
    for (std::optional<size_t> group = actions_[action].group; group; group = groups_[*group].parent)
        names.insert(names.begin(), groups_[*group].name);
    return names;
}

const Fields& FrameModel::fieldsAt(const pipeline::DrawState& state) const {
    const auto [at, isNew] = fields_.try_emplace(&state);
    if (isNew) at->second = fieldsOf(names_, state);
    return at->second;
}

const pipeline::Draw* FrameModel::drawBefore(size_t action) const {
    while (action-- > 0)
        if (const pipeline::Draw* draw = actions_[action].draw()) return draw;
    return nullptr;
}

std::vector<StateField> FrameModel::stateOf(size_t number) const {
    const Action& action = actions_[number];
    std::vector<StateField> state;
    if (action.command == nullptr) return state;
    const pipeline::Draw* const draw = action.draw();
    const Fields usual = usualFields(names_, *action.command);
    for (const auto& [name, value] : fieldsOf(names_, *action.command)) {
        const auto at = std::ranges::find(usual, name, &Fields::value_type::first);
        state.push_back({"draw", name, valueText(value), at == usual.end() || at->second != value, {}});
    }
    if (draw == nullptr) return state;
    // Of a draw what it is, where it is not as usual; its state beside that of the draw before.
    std::erase_if(state, [](const StateField& field) { return !field.isChanged; });
    for (StateField& field : state) field.isChanged = false;
    const pipeline::Draw* const last = drawBefore(number);
    const Fields before =
        withoutRepeats(last != nullptr ? fieldsAt(*last->state) : fieldsOf(names_, pipeline::DrawState()));
    const std::unordered_map<std::string, Json> old(before.begin(), before.end());
    for (const auto& [name, value] : withoutRepeats(fieldsAt(*draw->state))) {
        if (isIdle(name, *draw->state)) continue;
        const auto at = old.find(name);
        const bool isChanged = at == old.end() || at->second != value;
        state.push_back({groupOf(name), name, valueText(value), isChanged,
                         isChanged && last != nullptr && at != old.end() ? valueText(at->second) : ""});
    }
    return state;
}

std::vector<UniformValue> FrameModel::uniformsOf(size_t number) const {
    std::vector<UniformValue> values;
    const pipeline::Draw* const draw = actions_[number].draw();
    if (draw == nullptr || !draw->state->program) return values;
    for (const isa::Stage stage : pipeline::kDrawStages) {
        const auto& program = draw->state->program->stages[stage].program;
        if (!program) continue;
        for (const isa::Variable& variable : program->uniforms)
            if (!isa::isSampler(variable.type))
                values.push_back({stage, variable.name, variableText(variable, draw->constants[stage])});
        for (const isa::UniformBlock& block : program->blocks)
            if (block.registers != 0)
                for (const isa::BlockMember& member : block.members)
                    values.push_back({stage, member.name, memberText(member, block, draw->constants[stage])});
    }
    return values;
}

std::vector<NamedImage> FrameModel::imagesOf(size_t number) const {
    const size_t first = frames_[actions_[number].frame].first;
    for (size_t i = number + 1; i-- > first;) {
        const Command* const command = actions_[i].command;
        if (command == nullptr) continue;
        std::vector<NamedImage> images;
        if (const pipeline::RenderTarget* target = targetOf(*command)) {
            for (size_t c = 0; c < target->color.size(); ++c)
                if (target->color[c]) images.push_back({fmt::format("color {}", c), target->color[c]});
            if (target->depth) images.push_back({"depth", target->depth});
            if (target->stencil) images.push_back({"stencil", target->stencil});
        } else if (texture::ImagePtr image = writtenImage(*command)) {
            images.push_back({"image", std::move(image)});
        }
        if (!images.empty()) return images;
    }
    return {};
}

std::vector<FrameModel::BoundTexture> FrameModel::texturesOf(size_t number) const {
    std::vector<BoundTexture> bound;
    const pipeline::Draw* const draw = actions_[number].draw();
    if (draw == nullptr || !draw->state->program) return bound;
    for (const isa::Stage stage : pipeline::kDrawStages) {
        const auto& program = draw->state->program->stages[stage].program;
        const std::vector<pipeline::TextureBinding>& bindings = draw->state->textures[stage];
        if (!program) continue;
        for (size_t unit = 0; unit < bindings.size(); ++unit) {
            if (!program->samplerMask.has(unit)) continue;
            BoundTexture texture{stage, unit, fmt::format("unit {}", unit), &bindings[unit]};
            for (const isa::Variable& variable : program->uniforms)
                if (isa::isSampler(variable.type) && unit >= variable.reg &&
                    unit < static_cast<size_t>(variable.reg + isa::registerCount(variable)))
                    texture.name = variable.name;
            bound.push_back(std::move(texture));
        }
    }
    return bound;
}

void FrameModel::show(size_t action, Moment moment, const std::function<bool()>& isCancelled) {
    scrubber_->seek(actions_[action].step + (moment == Moment::After), isCancelled);
}

std::vector<double> FrameModel::measure(size_t number) {
    const Frame& frame = frames_[number];
    scrubber_->seek(frame.firstStep);
    std::vector<double> milliseconds;
    for (size_t i = frame.first; i < frame.end; ++i) {
        scrubber_->seek(actions_[i].step);
        const auto began = std::chrono::steady_clock::now();
        scrubber_->seek(actions_[i].step + 1);
        milliseconds.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count());
    }
    return milliseconds;
}

VertexTable FrameModel::verticesOf(size_t number, uint32_t first, uint32_t count) {
    VertexTable table;
    const pipeline::Draw* const draw = actions_[number].draw();
    if (draw == nullptr || !draw->state->program) return table;
    show(number, Moment::Before);
    const isa::Program& program = draw->state->program->vertex();
    const uint32_t end = std::min<uint64_t>(draw->count, uint64_t{first} + count);
    for (uint32_t ordinal = first; ordinal < end; ++ordinal)
        table.rows.push_back({ordinal, pipeline::vertexElement(*draw, ordinal), {}});
    for (const int v : program.inputMask) {
        std::string name = fmt::format("v{}", v);
        for (const isa::Variable& variable : program.attributes)
            if (v >= variable.reg && v < variable.reg + isa::registerCount(variable))
                name = variable.name + (isa::registerCount(variable) > 1 ? fmt::format("[{}]", v - variable.reg) : "");
        table.names.push_back(std::move(name));
        isa::GroupRegister values;
        for (size_t row = 0; row < table.rows.size(); row += isa::kGroupSize) {
            pipeline::VertexKey keys[isa::kGroupSize];
            const auto lanes = static_cast<int>(std::min<size_t>(isa::kGroupSize, table.rows.size() - row));
            for (int i = 0; i < lanes; ++i) keys[i] = {table.rows[row + static_cast<size_t>(i)].element, 0};
            pipeline::fetchAttribute(draw->state->attributes[static_cast<size_t>(v)], keys, lanes, values);
            for (int i = 0; i < lanes; ++i)
                table.rows[row + static_cast<size_t>(i)].values.push_back(
                    {values.lane[0][i], values.lane[1][i], values.lane[2][i], values.lane[3][i]});
        }
    }
    return table;
}

Mesh FrameModel::meshOf(size_t number) {
    Mesh mesh;
    const pipeline::Draw* const recorded = actions_[number].draw();
    if (recorded == nullptr || !recorded->state->program) return mesh;
    show(number, Moment::Before);
    // The vertices go to a buffer instead of becoming pixels.
    pipeline::Draw draw(std::make_shared<pipeline::DrawState>(*recorded->state));
    const std::shared_ptr<pipeline::DrawState> state = draw.state;
    draw = *recorded;
    draw.state = state;
    state->raster.discard = true;
    draw.occlusion = nullptr, draw.generated = nullptr;
    using pipeline::Primitive;
    mesh.corners = draw.primitive == Primitive::Points ? 1
                   : draw.primitive == Primitive::Lines || draw.primitive == Primitive::LineLoop ||
                           draw.primitive == Primitive::LineStrip
                       ? 2
                       : 3;
    const uint64_t corners = uint64_t{draw.count} * draw.instances * static_cast<uint64_t>(mesh.corners);
    const uint64_t most = Mesh::kMostCorners - Mesh::kMostCorners % static_cast<uint64_t>(mesh.corners);
    constexpr uint32_t kStride = sizeof(mesh.clip[0]);
    const auto buffer = std::make_shared<pipeline::Buffer>(std::min(corners, most) * kStride);
    auto out = std::make_shared<pipeline::StreamOut>();
    out->layout.parts = {{isa::kOutPosition, 0, 4, 0, 0}};
    out->layout.stride[0] = kStride;
    out->ranges[0] = {buffer, 0, buffer->size()};
    out->place = std::make_shared<pipeline::StreamOutPlace>();
    draw.streamOut = out;
    pipeline::CommandBuffer commands;
    commands.commands.emplace_back(std::move(draw));
    gpu_.wait(gpu_.submit(std::move(commands)));
    mesh.clip.resize(std::min<uint64_t>(out->place->vertices, buffer->size() / kStride));
    std::memcpy(mesh.clip.data(), buffer->data(), mesh.clip.size() * kStride);
    for (const auto& clip : mesh.clip) mesh.outcodes.push_back(outcodeOf(clip, state->raster));
    mesh.isCut = corners > most && mesh.clip.size() + 3 > most;
    return mesh;
}

pipeline::ReplayResult FrameModel::replayFrame(size_t number, pipeline::Gpu& gpu, std::optional<size_t> last) {
    const Frame& frame = frames_[number];
    const size_t end = last ? actions_[*last].step + 1 : frame.endStep;
    scrubber_->seek(frame.firstStep);
    pipeline::ReplayResult result;
    {
        const KeptRoutines kept(stream_);
        pipeline::Replayer replayer(stream_, gpu);
        replayer.moveTo(frame.firstStep);
        replayer.runTo(end);
        result = replayer.takeResult();
    }
    scrubber_->moved(end);
    return result;
}

std::optional<PixelRecord> FrameModel::historyOf(size_t frame, PixelRequest request,
                                                 std::shared_ptr<isa::Executor> interpreter,
                                                 std::optional<size_t> last) {
    request.frame = 0;
    request.numberOf = [this](const texture::Image& image) { return names_.of(&image); };
    std::optional<PixelRecord> record;
    const auto recording = recordPixels(std::move(request), [&](PixelRecord&& one) { record = std::move(one); });
    pipeline::Gpu gpu(std::move(interpreter), gpu_.threads());
    gpu.setPixelProbe(recording);
    gpu.setTimeLimit({});
    (void)replayFrame(frame, gpu, last);
    pipeline::CommandBuffer end;
    end.commands.emplace_back(pipeline::RunTask{std::make_shared<EndOfFrame>(recording)});
    gpu.wait(gpu.submit(std::move(end)));
    return record;
}

std::vector<size_t> FrameModel::commandsOf(size_t frame) const {
    std::vector<size_t> commands;
    for (size_t i = frames_[frame].first; i < frames_[frame].end; ++i)
        if (actions_[i].draw() != nullptr || actions_[i].clear() != nullptr) commands.push_back(i);
    return commands;
}

std::vector<std::string> FrameModel::takeProblems() {
    pipeline::ReplayResult result = scrubber_->takeResult();
    std::vector<std::string> problems = std::move(result.faults);
    if (!result.mismatches.empty())
        problems.push_back(
            fmt::format("{} recorded contents are others here: the recording is of another build, or of "
                        "another TESSERA_BUDGET",
                        result.mismatches.size()));
    return problems;
}

}  // namespace tessera::inspect
