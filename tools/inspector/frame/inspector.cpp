#include "tools/inspector/frame/inspector.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/process/env.h"
#include "pipeline/recording/marks.h"
#include "shader-core/debug/replay/capture.h"
#include "shader-core/interp/interpreter.h"
#include "shader-core/tier/tier.h"
#include "tools/inspector/frame/pixel_story.h"
#include "tools/run/group_textures.h"

namespace tessera::tools {

using inspect::FrameModel;

OpenedRecording::OpenedRecording(Recording opened, std::string called, std::vector<ProgramEdit> edits)
    : recording(std::move(opened)),
      name(std::move(called)),
      edits(std::move(edits)),
      model(recording.stream, tier::makeExecutor(tier::tierFromEnvironment(tier::Tier::Tiered)), threadCount()) {}

std::shared_ptr<OpenedRecording> OpenedRecording::edited(const OpenedRecording& from, std::vector<ProgramEdit> edits,
                                                         EditResult& result) {
    Recording again{.bytes = from.recording.bytes, .stream = {}};
    std::string problem;  // there was none the first time
    if (auto stream = pipeline::decodeCommands(std::as_bytes(std::span(again.bytes)), &problem))
        again.stream = std::move(*stream);
    result = replacePrograms(again.stream, edits);
    if (!result.isDone()) return nullptr;
    return std::make_shared<OpenedRecording>(std::move(again), from.name, std::move(edits));
}

OpenedRecording& OpenedRecording::other() {
    EditResult ignored;  // what was done once is done again
    if (!other_) other_ = edited(*this, edits, ignored);
    return *other_;
}

/// The command whose program ran last for the pixel of a report, or `command` where that is one.
static size_t shadedLast(const std::string& report, int64_t command) {
    if (command >= 0) return static_cast<size_t>(command);
    size_t last = 0;
    const nlohmann::json all = nlohmann::json::parse(report, nullptr, false);
    for (const nlohmann::json& history : all["pixels"][0]["histories"])
        for (const nlohmann::json& event : history["events"])
            if (event.value("shaded", false)) last = std::max(last, event["command"].get<size_t>());
    return last;
}

static Tab tabOf(const std::string& word) {
    return static_cast<Tab>(std::ranges::find(kTabWords, word) - std::begin(kTabWords));
}

Inspector::Inspector(std::shared_ptr<OpenedRecording> opened, InspectorOptions options)
    : opened_(std::move(opened)), options_(std::move(options)), tab_(tabOf(options_.layout.tab)) {
    for (const ProgramEdit& edit : opened_->edits)
        drafts_[{edit.program, edit.stage}] = {.text = edit.text, .isChanged = true, .messages = {}};
    selectFrame(options_.frame);
    if (options_.action) select(*options_.action, false);
    if (options_.pixel && tab_ == Tab::Debugger) askDebugger(-1, -1);
}

Inspector::~Inspector() = default;

// --- Questions and answers ---

void Inspector::ask(const char* name, const std::string& label,
                    std::function<void(OpenedRecording&, const Worker::IsCancelled&)> job) {
    worker_.post(name, label, [opened = opened_, job = std::move(job)](const Worker::IsCancelled& isCancelled) {
        job(*opened, isCancelled);
    });
}

void Inspector::askSlowly(const char* name, const std::string& label,
                          std::function<void(OpenedRecording&, const Worker::IsCancelled&)> job) {
    slowWorker_.post(name, label, [opened = opened_, job = std::move(job)](const Worker::IsCancelled& isCancelled) {
        if (!isCancelled()) job(opened->other(), isCancelled);
    });
}

std::string Inspector::working() const {
    const std::string label = worker_.label();
    return label.empty() ? slowWorker_.label() : label;
}

void Inspector::give(const std::function<void(Answers&)>& put) {
    const std::scoped_lock lock(mutex_);
    put(answers_);
    hasNews_ = true;
}

void Inspector::takeAnswers() {
    Answers answers;
    {
        const std::scoped_lock lock(mutex_);
        answers = std::exchange(answers_, {});
        hasNews_ = false;
    }
    for (std::string& note : answers.notes)
        if (std::ranges::find(notes_, note) == notes_.end()) notes_.push_back(std::move(note));
    if (answers.opened) {
        reopen(std::move(answers.opened));
        ++options_.recordedFrame;
        options_.firstFrame = options_.recordedFrame - (opened_->model.frames().size() - 1);
        shown_.reset();
        before_.clear(), chosenBefore_.clear(), closed_.clear(), drafts_.clear(), editNotes_.clear();
        selectFrame(opened_->model.frames().size() - 1);
        return;
    }
    if (answers.edit) return takeEdit(std::move(*answers.edit));
    if (answers.action && answers.action->action == action_) {
        shown_ = std::move(answers.action);
        askImage();
    }
    if (answers.image && askedImage_ && answers.image->question == *askedImage_) {
        image_ = std::move(answers.image);
        isPictureNew_ = true;
    }
    if (answers.texel) texel_ = std::move(*answers.texel);
    if (answers.mesh && answers.mesh->action == action_) mesh_ = std::move(answers.mesh);
    if (answers.costs) costs_ = std::move(answers.costs), chip_ = {};
    if (answers.presets) presets_ = std::move(*answers.presets);
    if (answers.misses) misses_ = std::move(answers.misses);
    if (answers.times) times_ = std::move(*answers.times);
    if (answers.history && answers.history->frame == frame_) history_ = std::move(answers.history);
    if (answers.debug) {
        debugAction_ = answers.debug->action;
        if (answers.debug->session)
            debugger_.open(std::move(answers.debug->session), answers.debug->title);
        else
            debugger_.close(answers.debug->problem);
        if (tab_ != Tab::Debugger) tab_ = Tab::Debugger, isTabForced_ = true;
    }
}

void Inspector::reopen(std::shared_ptr<OpenedRecording> opened) {
    worker_.cancelAll();
    slowWorker_.cancelAll();
    opened_ = std::move(opened);
    costs_.reset(), misses_.reset(), history_.reset();
    debugger_.close();
    presets_.clear();
    areMissesAsked_ = false;
    askedImage_.reset();
    copied_ = nullptr;
}

void Inspector::selectFrame(size_t frame) {
    if (shown_) chosenBefore_[frame_] = action_;
    frame_ = frame;
    costs_.reset(), misses_.reset();
    areMissesAsked_ = false;
    times_.clear(), presets_.clear();
    history_.reset();
    const inspect::Frame& of = model().frames()[frame];
    size_t last = of.end - 1;
    while (last > of.first && model().actions()[last].draw() == nullptr) --last;
    const auto before = chosenBefore_.find(frame);
    const size_t usual = model().actions()[last].draw() != nullptr ? last : of.end - 1;
    select(before != chosenBefore_.end() ? before->second : usual, false);
    if (options_.pixel) askHistory((*options_.pixel)[0], (*options_.pixel)[1]);
    // What takes longest comes last.
    ask("times", "executing the frame draw by draw", [this, frame](OpenedRecording& opened, const auto& isCancelled) {
        if (isCancelled()) return;
        std::vector<double> times = opened.model.measure(frame);
        if (isCancelled()) return;
        give([&](Answers& answers) { answers.times = std::move(times); });
    });
    askSlowly("costs", "counting what the frame does, and going through it with the chip",
              [this, frame, preset = options_.preset](OpenedRecording& opened, const auto& isCancelled) {
                  if (isCancelled()) return;
                  std::string why;
                  std::optional<FrameCosts> costs = costsOf(opened.model, frame, preset, why, isCancelled);
                  if (isCancelled()) return;
                  give([&](Answers& answers) {
                      if (costs)
                          answers.costs = std::make_shared<const FrameCosts>(std::move(*costs));
                      else
                          answers.notes.push_back("no costs: " + why);
                  });
              });
}

void Inspector::select(size_t action, bool isRemembered) {
    if (isRemembered && action != action_) before_.push_back(action_);
    action_ = action;
    for (const size_t node : nodesOf(action)) closed_.erase(node);
    isScrolled_ = true;
    shown_.reset();
    askedMesh_.reset();
    ask("action", "reading the command", [this, action](OpenedRecording& opened, const auto& isCancelled) {
        if (isCancelled()) return;
        FrameModel& model = opened.model;
        ActionAnswer answer{.action = action,
                            .state = model.stateOf(action),
                            .uniforms = model.uniformsOf(action),
                            .targets = {},
                            .textures = {},
                            .programs = {}};
        for (const inspect::NamedImage& image : model.imagesOf(action))
            answer.targets.push_back({.name = image.name,
                                      .text = inspect::imageText(model.names(), *image.image),
                                      .channels = inspect::channelsOf(*image.image),
                                      .planes = image.image->samples() * image.image->depth()});
        for (const FrameModel::BoundTexture& texture : model.texturesOf(action)) {
            ImageName name{.name = texture.name, .text = "incomplete", .channels = {}};
            if (const auto& view = texture.binding->view; view && view->levels > 0) {
                const texture::Image& image = *view->image[0][0];
                name.text = inspect::imageText(model.names(), image);
                name.channels = inspect::channelsOf(image);
                name.levels = view->levels;
                name.faces = view->kind == texture::Kind::Cube ? 6 : 1;
                name.planes = image.depth();
            }
            answer.textures.push_back(std::move(name));
        }
        if (const pipeline::Draw* draw = model.actions()[action].draw(); draw != nullptr && draw->state->program) {
            for (const isa::Stage stage : pipeline::kDrawStages)
                answer.programs[static_cast<size_t>(stage)] = draw->state->program->stages[stage].program;
            answer.program = model.names().of(draw->state->program.get());
        }
        give([&](Answers& answers) { answers.action = std::move(answer); });
    });
}

void Inspector::goBack() {
    if (before_.empty()) return;
    const size_t action = before_.back();
    before_.pop_back();
    select(action, false);
}

texture::ImagePtr Inspector::imageOf(FrameModel& model, const ImageQuestion& question) {
    const auto& [action, choice] = question;
    if (choice.of == ImageChoice::Of::Target) {
        const std::vector<inspect::NamedImage> images = model.imagesOf(action);
        return choice.index < images.size() ? images[choice.index].image : nullptr;
    }
    const auto textures = model.texturesOf(action);
    if (choice.of != ImageChoice::Of::Texture || choice.index >= textures.size()) return nullptr;
    const auto& view = textures[choice.index].binding->view;
    if (!view || choice.level >= view->levels) return nullptr;
    return view->image[static_cast<size_t>(choice.face)][static_cast<size_t>(choice.level)];
}

std::optional<HeatMap> Inspector::countsOf(const FrameModel& model, const ImageQuestion& question,
                                           const FrameCosts* costs, const TextureMisses* misses) {
    const auto& [action, choice] = question;
    if (choice.of == ImageChoice::Of::Heat)
        return costs != nullptr ? std::optional(heatOf(*costs, model, action, static_cast<Heat>(choice.index)))
                                : std::nullopt;
    if (misses == nullptr) return std::nullopt;
    if (choice.of == ImageChoice::Of::Misses) return missesOfTarget(*misses, model, action);
    const auto textures = model.texturesOf(action);
    if (choice.index >= textures.size() || !textures[choice.index].binding->view) return std::nullopt;
    const auto& view = textures[choice.index].binding->view;
    if (choice.level >= view->levels) return std::nullopt;
    const texture::ImagePtr& image = view->image[static_cast<size_t>(choice.face)][static_cast<size_t>(choice.level)];
    return missesOfTexture(*misses, model, *image, choice.plane);
}

void Inspector::askMisses() {
    if (misses_ || std::exchange(areMissesAsked_, true)) return;
    askSlowly("misses", "listening to the texture units",
              [this, frame = frame_](OpenedRecording& opened, const auto& isCancelled) {
                  if (isCancelled()) return;
                  auto misses = std::make_shared<const TextureMisses>(missesOf(opened.model, frame));
                  if (isCancelled()) return;
                  give([&](Answers& answers) { answers.misses = std::move(misses); });
              });
}

void Inspector::askPresets() {
    if (!costs_) return;
    askSlowly("presets", "going through the frame with every chip",
              [this, costs = costs_](OpenedRecording&, const auto& isCancelled) {
                  std::vector<PresetCost> presets = presetCosts(*costs, isCancelled);
                  if (isCancelled()) return;
                  give([&](Answers& answers) { answers.presets = std::move(presets); });
              });
}

void Inspector::askImage() {
    if (!shown_) return;
    const std::vector<ImageName>& names = choice_.of == ImageChoice::Of::Texture ? shown_->textures : shown_->targets;
    // Another action may have fewer images, of other channels.
    const bool isOfImage = choice_.of == ImageChoice::Of::Target || choice_.of == ImageChoice::Of::Texture;
    if (isOfImage && !names.empty()) {
        choice_.index = std::min(choice_.index, names.size() - 1);
        const ImageName& name = names[choice_.index];
        choice_.level = std::clamp(choice_.level, 0, name.levels - 1);
        choice_.face = std::clamp(choice_.face, 0, name.faces - 1);
        choice_.plane = std::clamp(choice_.plane, -1, name.planes - 1);
        if (!name.channels.empty() && std::ranges::find(name.channels, choice_.channels) == name.channels.end()) {
            choice_.channels = name.name == "stencil" ? name.channels.back() : name.channels.front();
            choice_.isFitted = choice_.channels == inspect::Channels::Depth;
        }
    }
    const ImageQuestion question{action_, choice_};
    if (askedImage_ && *askedImage_ == question && image_ && image_->question == question) return;
    askedImage_ = question;
    pointer_ = {-1, -1};
    texel_.clear();
    ask("image", "going to the command",
        [this, question, costs = costs_, misses = misses_](OpenedRecording& opened, const auto& isCancelled) {
            FrameModel& model = opened.model;
            const auto& [action, choice] = question;
            ImageAnswer answer{.question = question,
                               .picture = {},
                               .range = {},
                               .tiles = {},
                               .hasCosts = costs != nullptr,
                               .hasMisses = misses != nullptr};
            if (question.isCounted()) {
                if (const std::optional<HeatMap> map = countsOf(model, question, costs.get(), misses.get())) {
                    answer.picture = pictureOf(*map);
                    answer.range = map->summary();
                }
            } else {
                const bool isBefore = choice.isBefore || choice.of == ImageChoice::Of::Texture;
                model.show(action, isBefore ? FrameModel::Moment::Before : FrameModel::Moment::After, isCancelled);
                if (isCancelled()) return;
                if (const texture::ImagePtr image = imageOf(model, question)) {
                    inspect::Look look = inspect::usualLook(*image, choice.channels);
                    look.plane = choice.plane;
                    if (const auto range = inspect::rangeOf(image, look)) {
                        answer.range = fmt::format("{:.6g} to {:.6g}", (*range)[0], (*range)[1]);
                        if (choice.isFitted && (*range)[0] < (*range)[1])
                            look.low = (*range)[0], look.high = (*range)[1];
                    }
                    answer.picture = inspect::pictureOf(image, look);
                }
            }
            if (choice.hasTiles && costs) answer.tiles = tilesOf(*costs, model, action);
            give([&](Answers& answers) {
                answers.image = std::move(answer);
                for (std::string& problem : model.takeProblems()) answers.notes.push_back(std::move(problem));
            });
        });
}

void Inspector::askTexel(int x, int y) {
    if (pointer_ == std::array<int, 2>{x, y} || !image_) return;
    pointer_ = {x, y};
    texel_.clear();
    ask("texel", "reading a texel",
        [this, question = image_->question, x, y, costs = costs_, misses = misses_](OpenedRecording& opened,
                                                                                    const auto& isCancelled) {
            std::string text;
            if (question.isCounted()) {
                const std::optional<HeatMap> map = countsOf(opened.model, question, costs.get(), misses.get());
                if (!map) return;
                text = map->text(x, y);
            } else {
                const bool isBefore = question.choice.isBefore || question.choice.of == ImageChoice::Of::Texture;
                opened.model.show(question.action, isBefore ? FrameModel::Moment::Before : FrameModel::Moment::After,
                                  isCancelled);
                const texture::ImagePtr image = imageOf(opened.model, question);
                if (isCancelled() || !image || x >= image->width() || y >= image->height()) return;
                text = inspect::texelText(image, question.choice.plane, x, image->height() - 1 - y);
            }
            give([&](Answers& answers) { answers.texel = std::move(text); });
        });
}

void Inspector::askMesh() {
    if (askedMesh_ == action_) return;
    askedMesh_ = action_;
    mesh_.reset();
    ask("mesh", "running the vertex program",
        [this, action = action_](OpenedRecording& opened, const auto& isCancelled) {
            if (isCancelled()) return;
            constexpr uint32_t kMostRows = 1u << 14;
            MeshAnswer answer{.action = action,
                              .mesh = opened.model.meshOf(action),
                              .vertices = opened.model.verticesOf(action, 0, kMostRows)};
            give([&](Answers& answers) { answers.mesh = std::move(answer); });
        });
}

void Inspector::askHistory(int x, int y) {
    askSlowly("history", "asking every draw about the pixel",
              [this, frame = frame_, x, y](OpenedRecording& opened, const auto& isCancelled) {
                  if (isCancelled()) return;
                  std::optional<nlohmann::ordered_json> story = pixelStory(opened.model, frame, {x, y}, isCancelled);
                  if (!story) return;
                  give([&](Answers& answers) {
                      answers.history = HistoryAnswer{.frame = frame, .pixel = {x, y}, .story = std::move(*story)};
                  });
              });
    options_.pixel = {x, y};
}

void Inspector::askDebugger(int64_t command, int64_t primitive) {
    if (!options_.pixel) return;
    const uint64_t shownFrame = options_.recordFrame ? options_.recordedFrame : frame_ + 1;
    askSlowly("debugger", "taking the group of the pixel",
              [this, frame = frame_, shownFrame, pixel = *options_.pixel, command, primitive](OpenedRecording& opened,
                                                                                              const auto& isCancelled) {
                  if (isCancelled()) return;
                  inspect::PixelRequest request;
                  request.pixels = {pixel};
                  request.capture = true;
                  request.draw = command, request.primitive = primitive;
                  const auto record = opened.model.historyOf(frame, request, interp::makeInterpreter());
                  const std::vector<size_t> commands = opened.model.commandsOf(frame);
                  DebugAnswer answer;
                  if (!record || !record->capture) {
                      answer.problem = "no program was run for this pixel there";
                  } else {
                      const std::string bytes(reinterpret_cast<const char*>(record->capture->data()),
                                              record->capture->size());
                      int lane = 0;
                      std::optional<debug::Group> group = groupOf(bytes, answer.title, lane, answer.problem);
                      const size_t shaded = shadedLast(record->report, command);
                      answer.action = commands[std::min(shaded, commands.size() - 1)];
                      if (group) {
                          answer.title =
                              fmt::format("pixel {},{} of command {} in frame {}, lane {}", pixel[0], pixel[1],
                                          opened.model.actions()[answer.action].number, shownFrame, lane);
                          std::vector<debug::Group> groups;
                          groups.push_back(std::move(*group));
                          answer.session = std::make_unique<debug::Session>(std::move(groups));
                          answer.session->select(0, lane);
                      }
                  }
                  if (isCancelled()) return;
                  give([&](Answers& answers) { answers.debug = std::move(answer); });
              });
}

void Inspector::askNextFrame() {
    // What is recorded already comes first; of a program's recording, where something is drawn.
    if (frame_ + 1 < model().frames().size() && (!options_.recordFrame || !model().commandsOf(frame_ + 1).empty()))
        return selectFrame(frame_ + 1);
    if (!options_.recordFrame) return;
    ask("record", "recording the next frame",
        [this, record = options_.recordFrame, next = options_.recordedFrame + 1](OpenedRecording& opened, const auto&) {
            std::optional<Recording> recording = record(next);
            if (!recording) {
                give([&](Answers& answers) {
                    answers.notes.push_back(fmt::format("the program gives no frame {}", next));
                });
                return;
            }
            auto made = std::make_shared<OpenedRecording>(std::move(*recording), opened.name);
            if (made->model.frames().empty()) return;
            give([&](Answers& answers) { answers.opened = std::move(made); });
        });
}

void Inspector::askRedraw() {
    std::vector<ProgramEdit> edits;
    for (const auto& [place, draft] : drafts_)
        if (draft.isChanged)
            edits.push_back({place.first, place.second, draft.text,
                             fmt::format("{} program {}", place.second == isa::Stage::Vertex ? "vertex" : "fragment",
                                         place.first)});
    worker_.cancelAll();
    ask("edit", "compiling, and drawing again", [this, edits](OpenedRecording& opened, const auto& isCancelled) {
        if (isCancelled()) return;
        EditAnswer answer{.edits = edits, .result = {}, .opened = nullptr};
        answer.opened = OpenedRecording::edited(opened, edits, answer.result);
        give([&](Answers& answers) { answers.edit = std::move(answer); });
    });
}

void Inspector::takeEdit(EditAnswer answer) {
    for (auto& [place, draft] : drafts_) draft.messages.clear();
    for (EditMessage& message : answer.result.messages) {
        const ProgramEdit& edit = answer.edits[message.edit];
        if (const auto draft = drafts_.find({edit.program, edit.stage}); draft != drafts_.end()) {
            if (draft->second.messages.empty()) draft->second.goTo = message.line;
            draft->second.messages.push_back(std::move(message));
        }
    }
    editNotes_ = std::move(answer.result.notes);
    if (!answer.opened) return;
    reopen(std::move(answer.opened));
    // What is as recorded is read from the recording again.
    std::erase_if(drafts_, [](const auto& draft) { return !draft.second.isChanged; });
    isEditorFocused_ = wasEditorFocused_;
    selectFrame(frame_);
}

void Inspector::forgetEdits() {
    if (!shown_) return;
    const size_t before = drafts_.size();
    for (const isa::Stage stage : pipeline::kDrawStages) drafts_.erase(DraftPlace{shown_->program, stage});
    const bool isEdited =
        std::ranges::any_of(opened_->edits, [&](const ProgramEdit& edit) { return edit.program == shown_->program; });
    if (isEdited || drafts_.size() != before) askRedraw();
}

// --- The window ---

WindowContents Inspector::contents() {
    return {.show = [this](Window& window) { show(window); },
            .isWorking = [this] { return !working().empty(); },
            .hasNews = [this] { return hasNews_.load(); }};
}

void Inspector::run(Window& window) {
    applyTheme(window.scale());
    showUntilClosed(window, contents());
}

inspect::Picture Inspector::pictureWhenDone(Window& window) {
    applyTheme(window.scale());
    return pictureAtRest(window, contents());
}

std::string Inspector::actionText(size_t number) const {
    const inspect::Action& action = model().actions()[number];
    return fmt::format("{} {} {}", action.number, action.what, action.text);
}

std::string Inspector::title() const {
    return fmt::format("{}, frame {}, {}, {} - Tessera", opened_->name, options_.firstFrame + frame_,
                       actionText(action_), kTabWords[static_cast<size_t>(tab_)]);
}

bool Inspector::isFound(size_t action) const {
    if (filter_.empty() || hasWords(actionText(action), filter_)) return true;
    const std::vector<std::string> groups = model().groupNames(action);
    return std::ranges::any_of(groups, [&](const std::string& name) { return hasWords(name, filter_); });
}

std::vector<size_t> Inspector::nodesOf(size_t action) const {
    // Passes have even keys, groups odd ones.
    std::vector<size_t> nodes;
    for (std::optional<size_t> group = model().actions()[action].group; group; group = model().groups()[*group].parent)
        nodes.push_back(*group * 2 + 1);
    if (nodes.empty()) nodes.push_back(model().actions()[action].pass * 2);
    return nodes;
}

std::vector<Inspector::Row> Inspector::rowsOf(size_t number) const {
    std::vector<Row> rows;
    const inspect::Frame& frame = model().frames()[number];
    const bool hasGroups = std::any_of(model().actions().begin() + static_cast<ptrdiff_t>(frame.first),
                                       model().actions().begin() + static_cast<ptrdiff_t>(frame.end),
                                       [](const inspect::Action& action) { return action.group.has_value(); });
    std::set<size_t> listed;
    for (size_t i = frame.first; i < frame.end; ++i) {
        const inspect::Action& action = model().actions()[i];
        if (!isFound(i)) continue;
        std::vector<size_t> nodes = nodesOf(i);
        if (hasGroups && !action.group) nodes.clear();
        bool isHidden = false;
        size_t depth = 0;
        for (auto node = nodes.rbegin(); node != nodes.rend() && !isHidden; ++node, ++depth) {
            isHidden = closed_.contains(*node);
            if (listed.insert(*node).second)
                rows.push_back({*node % 2 != 0 ? Row::Of::Group : Row::Of::Pass, *node / 2, depth, isHidden});
        }
        // A group's row stands for the marks that begin and end it.
        const bool isBound =
            action.group && (model().groups()[*action.group].first == i || action.text == pipeline::kGroupEndMark);
        if (!isHidden && !isBound) rows.push_back({Row::Of::Action, i, depth, false});
    }
    return rows;
}

void Inspector::updateSearch() {
    if (searched_ == search_ && searchedFrame_ == frame_) return;
    isFoundShown_ = searched_ != search_ && search_[0] != 0;
    searched_ = filter_ = search_;
    searchedFrame_ = frame_;
    found_ = searchFrame(model(), frame_, searched_);
    foundAt_ = 0;
    isScrolled_ = true;
    const inspect::Frame& frame = model().frames()[frame_];
    bool hasCommand = false;
    for (size_t i = frame.first; i < frame.end && !hasCommand; ++i) hasCommand = isFound(i);
    if (!hasCommand) filter_.clear();
}

void Inspector::goToFound(size_t number) {
    foundAt_ = number;
    const Found& found = found_[number];
    select(found.action);
    if (found.line == 0) return;
    stage_ = found.stage, line_ = found.line;
    isLineWanted_ = true;
}

void Inspector::cancel() {
    worker_.cancelAll();
    slowWorker_.cancelAll();
    askedImage_.reset();
    askedMesh_.reset();
    areMissesAsked_ = misses_ != nullptr;
}

Layout Inspector::layout() const {
    Layout layout = options_.layout;
    layout.tab = kTabWords[static_cast<size_t>(tab_)];
    return layout;
}

std::optional<size_t> Inspector::neighbour(bool isNext, bool isDraw) const {
    const inspect::Frame& frame = model().frames()[frame_];
    for (size_t i = action_; isNext ? i + 1 < frame.end : i > frame.first;) {
        i = isNext ? i + 1 : i - 1;
        if (isFound(i) && (!isDraw || model().actions()[i].draw() != nullptr)) return i;
    }
    return std::nullopt;
}

const std::optional<DrawCost>* Inspector::costOf(size_t action) const {
    const size_t first = model().frames()[frame_].first;
    if (!costs_ || action < first || action - first >= costs_->draws.size() || !costs_->draws[action - first])
        return nullptr;
    return &costs_->draws[action - first];
}

}  // namespace tessera::tools
