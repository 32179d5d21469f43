#include "tools/inspector/program/program_window.h"

#include <SDL_scancode.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "shader-core/debug/trace/trace.h"
#include "tools/inspector/program/program_report.h"
#include "tools/inspector/window/panel_parts.h"
#include "tools/run/places.h"

namespace tessera::tools {

namespace {

constexpr uint64_t kElementsOfRow = 8;
constexpr uint64_t kCopied = 1 << 12;  ///< elements of memory that are copied as text

bool isPressed(SDL_Scancode code, bool repeats = false) { return ImGui::IsKeyPressed(code, repeats); }

/// From the ground to orange, by how much of the most there is.
ImU32 heatColor(uint64_t count, uint64_t most) {
    const float part = most == 0 ? 0 : static_cast<float>(count) / static_cast<float>(most);
    return ImGui::GetColorU32(ImVec4(0.13f + 0.80f * part, 0.16f + 0.45f * part, 0.24f - 0.06f * part, 1));
}

}  // namespace

ProgramInspector::ProgramInspector(std::shared_ptr<const ProgramSubject> subject, ProgramWindowOptions options)
    : subject_(std::move(subject)), options_(std::move(options)), tab_(options_.tab.value_or(tabs().front())) {
    if (!subject_->program->buffers.empty()) {
        slot_ = subject_->program->buffers.front().slot;
        // What it writes is what one looks for.
        for (const isa::Buffer& buffer : subject_->program->buffers)
            if (!buffer.constant) {
                slot_ = buffer.slot;
                break;
            }
    }
    slowWorker_.post("run", "running the program", [this, subject = subject_](const Worker::IsCancelled& isCancelled) {
        auto run = std::make_shared<const ProgramRun>(runOnce(*subject, isCancelled));
        if (!isCancelled()) give([&](Answers& answers) { answers.run = std::move(run); });
    });
    slowWorker_.post("costs", "going through it with the chip",
                     [this, subject = subject_, preset = options_.preset](const Worker::IsCancelled& isCancelled) {
                         if (isCancelled()) return;
                         std::string why;
                         std::optional<ProgramCosts> costs = costsOf(*subject, preset, why);
                         if (isCancelled()) return;
                         give([&](Answers& answers) {
                             if (costs)
                                 answers.costs = std::make_shared<const ProgramCosts>(std::move(*costs));
                             else
                                 answers.notes.push_back("no costs: " + why);
                         });
                     });
    selectBlock(subject_->block);
}

ProgramInspector::~ProgramInspector() = default;

// --- Questions and answers ---

void ProgramInspector::give(const std::function<void(Answers&)>& put) {
    const std::scoped_lock lock(mutex_);
    put(answers_);
    hasNews_ = true;
}

std::string ProgramInspector::working() const {
    const std::string label = worker_.label();
    return label.empty() ? slowWorker_.label() : label;
}

void ProgramInspector::takeAnswers() {
    Answers answers;
    {
        const std::scoped_lock lock(mutex_);
        answers = std::exchange(answers_, {});
        hasNews_ = false;
    }
    for (const std::string& note : answers.notes) notes_ += (notes_.empty() ? "" : "\n") + note;
    if (answers.run || answers.costs) text_.reset();
    if (answers.run) {
        run_ = std::move(answers.run);
        if (!run_->problem.empty()) notes_ += (notes_.empty() ? "" : "\n") + run_->problem;
    }
    if (answers.costs) costs_ = std::move(answers.costs), chip_ = {};
    if (answers.block && answers.block->block == block_) blockRun_ = std::move(answers.block);
    if (answers.debug && answers.debug->block == block_) {
        debuggedBlock_ = block_;
        if (answers.debug->session) {
            answers.debug->session->select(static_cast<int>(group_), lane_);
            debugger_.open(std::move(answers.debug->session),
                           subject_->isKernel()
                               ? fmt::format("{}, block {}", subject_->name(), subject_->blockText(block_))
                               : subject_->name());
        } else {
            debugger_.close(answers.debug->problem);
        }
    }
    if (debugger_.takeMoved()) {
        const debug::Session& session = debugger_.session();
        group_ = static_cast<uint32_t>(session.group()), lane_ = session.lane();
        line_ = session.line(), pc_ = session.state().pc;
        isScrolled_ = true;
    }
}

void ProgramInspector::selectBlock(uint64_t block) {
    block_ = block;
    isScrolled_ = true;
    blockRun_.reset();
    pc_.reset();
    debuggedBlock_.reset(), askedBlock_.reset();
    debugger_.close();
    worker_.post("block", "running the block",
                 [this, subject = subject_, block](const Worker::IsCancelled& isCancelled) {
                     auto run = std::make_shared<const BlockRun>(runBlock(*subject, block, isCancelled));
                     if (!isCancelled()) give([&](Answers& answers) { answers.block = std::move(run); });
                 });
}

void ProgramInspector::selectLane(uint32_t group, int lane) {
    group_ = group, lane_ = lane;
    if (debugger_.isOpen()) debugger_.select(static_cast<int>(group), lane);
}

void ProgramInspector::askDebugger() {
    if (askedBlock_ == block_) return;
    askedBlock_ = block_;
    worker_.post("debugger", "taking the block to the debugger",
                 [this, subject = subject_, block = block_](const Worker::IsCancelled& isCancelled) {
                     DebugAnswer answer{.block = block, .problem = {}, .session = nullptr};
                     std::vector<debug::Group> groups = groupsAt(*subject, block, isCancelled, answer.problem);
                     if (isCancelled()) return;
                     if (!groups.empty()) answer.session = std::make_unique<debug::Session>(std::move(groups));
                     give([&](Answers& answers) { answers.debug = std::move(answer); });
                 });
}

std::vector<ProgramTab> ProgramInspector::tabs() const {
    if (subject_->isKernel()) return {ProgramTab::Memory, ProgramTab::Barriers, ProgramTab::Debugger, ProgramTab::Chip};
    return {ProgramTab::Outputs, ProgramTab::Debugger, ProgramTab::Chip};
}

uint32_t ProgramInspector::groupCount() const {
    return subject_->isKernel() ? debug::groupCount(*subject_->launch) : static_cast<uint32_t>(subject_->groups.size());
}

uint32_t ProgramInspector::activeLanes(uint32_t group) const {
    if (!subject_->isKernel()) return subject_->groups[group].activeMask;
    const std::array<uint32_t, 3>& block = subject_->launch->block;
    const uint32_t left = block[0] * block[1] * block[2] - group * isa::kGroupSize;
    return left >= isa::kGroupSize ? ~0u : (1u << left) - 1;
}

std::string ProgramInspector::title() const {
    const std::string where =
        subject_->isKernel() ? fmt::format("block {}, ", subject_->blockText(block_)) : std::string();
    return fmt::format("{}, {}group {}, lane {}, {} - Tessera", subject_->name(), where, group_, lane_,
                       kProgramTabWords[static_cast<size_t>(tab_)]);
}

std::span<const std::byte> ProgramInspector::memory(int slot) const {
    if (moment_ == Moment::Debugger)
        return debugger_.isOpen() ? debugger_.session().replay().memory(slot) : std::span<const std::byte>();
    if (slot >= isa::kMaxBuffers) return {};
    if (moment_ == Moment::After && !run_) return {};
    return moment_ == Moment::After ? run_->after[static_cast<size_t>(slot)]
                                    : subject_->launch->buffers[static_cast<size_t>(slot)];
}

WindowContents ProgramInspector::contents() {
    return {.show = [this](Window& window) { show(window); },
            .isWorking = [this] { return !working().empty(); },
            .hasNews = [this] { return hasNews_.load(); }};
}

void ProgramInspector::run(Window& window) {
    scale_ = window.scale();
    applyLook(options_.isLight, scale_);
    showUntilClosed(window, contents());
}

inspect::Picture ProgramInspector::pictureWhenDone(Window& window) {
    scale_ = window.scale();
    applyLook(options_.isLight, scale_);
    return pictureAtRest(window, contents());
}

// --- The window ---

void ProgramInspector::takeKeys() {
    const ImGuiIO& io = ImGui::GetIO();
    if (isPressed(SDL_SCANCODE_F1)) isHelpShown_ = !isHelpShown_;
    if (isPressed(SDL_SCANCODE_ESCAPE)) isHelpShown_ = false;
    if (io.KeyCtrl && isPressed(SDL_SCANCODE_F)) isSearchFocused_ = true;
    if (tab_ == ProgramTab::Debugger) debugger_.takeKeys();
    if (io.WantTextInput) return;
    if (io.KeyCtrl && isPressed(SDL_SCANCODE_C)) {
        std::string words = title() + "\n";
        const Element element = elements_[static_cast<size_t>(slot_)].value_or(subject_->usualElement(slot_));
        if (subject_->isKernel()) {
            const std::span<const std::byte> bytes = memory(slot_);
            for (uint64_t i = 0; i < std::min<uint64_t>(bytes.size() / bytesOf(element), kCopied); ++i)
                words += elementText(bytes, i, element) + (i % kElementsOfRow == kElementsOfRow - 1 ? "\n" : " ");
        }
        ImGui::SetClipboardText(words.c_str());
    }
    if (io.KeyCtrl) return;
    const bool isDown = isPressed(SDL_SCANCODE_DOWN, true), isUp = isPressed(SDL_SCANCODE_UP, true);
    if (io.KeyShift || !subject_->isKernel()) {
        if (isDown && group_ + 1 < groupCount()) selectLane(group_ + 1, 0);
        if (isUp && group_ > 0) selectLane(group_ - 1, 0);
    } else {
        if (isDown && block_ + 1 < subject_->blockCount()) selectBlock(block_ + 1);
        if (isUp && block_ > 0) selectBlock(block_ - 1);
        if (isPressed(SDL_SCANCODE_HOME)) selectBlock(0);
        if (isPressed(SDL_SCANCODE_END)) selectBlock(subject_->blockCount() - 1);
    }
    const uint32_t lanes = activeLanes(group_);
    for (int to = lane_ + 1; isPressed(SDL_SCANCODE_RIGHT, true) && to < isa::kGroupSize; ++to)
        if ((lanes >> to & 1) != 0) {
            selectLane(group_, to);
            break;
        }
    for (int to = lane_ - 1; isPressed(SDL_SCANCODE_LEFT, true) && to >= 0; --to)
        if ((lanes >> to & 1) != 0) {
            selectLane(group_, to);
            break;
        }
    const std::vector<ProgramTab> all = tabs();
    for (size_t i = 0; i < all.size(); ++i)
        if (ImGui::IsKeyPressed(SDL_SCANCODE_1 + static_cast<int>(i), false)) tab_ = all[i], isTabForced_ = true;
    if (isPressed(SDL_SCANCODE_B)) moment_ = moment_ == Moment::Before ? Moment::After : Moment::Before;
    if (isPressed(SDL_SCANCODE_D)) tab_ = ProgramTab::Debugger, isTabForced_ = true;
    if (isPressed(SDL_SCANCODE_T)) options_.isLight = !options_.isLight, applyLook(options_.isLight, scale_);
}

void ProgramInspector::show(Window& window) {
    takeAnswers();
    window.setTitle(title());
    window.begin();
    takeKeys();
    if (!text_) text_ = textOf(*subject_, run_.get(), costs_.get());
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("Tessera", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoSavedSettings);
    showToolbar();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float left = std::floor(room.x * 0.32f), top = std::floor(room.y * 0.5f),
                gap = ImGui::GetStyle().ItemSpacing.y;
    ImGui::BeginChild("left", ImVec2(left, 0));
    if (subject_->isKernel()) showBlocks(top);
    showGroups(subject_->isKernel() ? room.y - top - gap : room.y);
    ImGui::EndChild();
    ImGui::SameLine();
    ImGui::BeginChild("right", ImVec2(0, 0));
    showTabs(top);
    showProgram(room.y - top - gap);
    ImGui::EndChild();
    ImGui::End();
    if (isHelpShown_) showHelp();
    isScrolled_ = false;
    window.end();
}

void ProgramInspector::showToolbar() {
    std::string launch = fmt::format("{} program, {} groups", stageText(subject_->program->stage), groupCount());
    if (subject_->isKernel())
        launch = fmt::format("grid {} of blocks {}, {} groups each", fmt::join(subject_->launch->grid, " x "),
                             fmt::join(subject_->launch->block, " x "), groupCount());
    ImGui::AlignTextToFramePadding();
    text(launch);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 14);
    if (std::exchange(isSearchFocused_, false)) ImGui::SetKeyboardFocusHere();
    ImGui::InputTextWithHint("##search", "search (Ctrl+F)", search_, sizeof search_);
    ImGui::SameLine();
    if (ImGui::Button(options_.isLight ? "dark" : "light"))
        options_.isLight = !options_.isLight, applyLook(options_.isLight, scale_);
    ImGui::SameLine();
    if (ImGui::Button("keys")) isHelpShown_ = !isHelpShown_;
    ImGui::SameLine();
    const std::string label = working();
    std::string words;
    if (!label.empty())
        words = label + " ...";
    else if (run_)
        words = fmt::format(
            "{} instructions{}{}", shortNumber(run_->counters.instructions),
            costs_ ? fmt::format(", {} cycles on {}", shortNumber(costs_->result.cycles), costs_->result.preset)
                   : std::string(),
            run_->counters.outOfRange != 0 ? fmt::format(", {} accesses outside the buffers", run_->counters.outOfRange)
                                           : std::string());
    coloredText(kDim, words);
    if (!notes_.empty()) coloredText(kMark, notes_);
}

// --- Blocks, groups, lanes ---

void ProgramInspector::showBlocks(float height) {
    if (!ImGui::BeginTable("blocks", 4, kTable, ImVec2(0, height))) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("block");
    for (const char* name : {"instructions", "lanes", "barriers"})
        ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 6.5f);
    ImGui::TableHeadersRow();
    uint64_t most = 1;
    if (run_)
        for (const BlockCount& block : run_->blocks) most = std::max(most, block.instructions);
    const float rowHeight = ImGui::GetTextLineHeightWithSpacing() + 1;
    if (isScrolled_) {
        const float at = static_cast<float>(block_) * rowHeight, from = ImGui::GetScrollY();
        if (at < from || at > from + height - 3 * rowHeight) ImGui::SetScrollY(std::max(0.0f, at - height / 2));
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(std::min<uint64_t>(subject_->blockCount(), INT32_MAX)));
    while (clipper.Step())
        for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
            const auto number = static_cast<uint64_t>(r);
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            if (ImGui::Selectable(subject_->blockText(number).c_str(), number == block_,
                                  ImGuiSelectableFlags_SpanAllColumns))
                selectBlock(number);
            if (!run_) continue;
            if (number >= run_->blocks.size()) {
                ImGui::TableNextColumn();
                coloredText(kDim, "did not run");
                continue;
            }
            const BlockCount& block = run_->blocks[number];
            numberCell(shortNumber(block.instructions));
            const ImVec2 high = ImGui::GetItemRectMax();
            const float width =
                ImGui::GetFontSize() * 6 * static_cast<float>(block.instructions) / static_cast<float>(most);
            ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(high.x - width, high.y), ImVec2(high.x, high.y + 2),
                                                      ImGui::GetColorU32(kMark));
            numberCell(occupancyText(block));
            numberCell(block.barriers == 0 ? "" : std::to_string(block.barriers));
        }
    ImGui::EndTable();
}

void ProgramInspector::showGroups(float height) {
    if (!ImGui::BeginTable("groups", 4, kTable, ImVec2(0, height))) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("group", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 3);
    ImGui::TableSetupColumn("instr.", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 4);
    ImGui::TableSetupColumn("lanes", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 3.5f);
    ImGui::TableSetupColumn("0 .. 31");
    ImGui::TableHeadersRow();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float line = ImGui::GetTextLineHeight();
    for (uint32_t g = 0; g < groupCount(); ++g) {
        const GroupCount* const count = blockRun_ && g < blockRun_->groups.size() ? &blockRun_->groups[g] : nullptr;
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::PushID(static_cast<int>(g));
        if (ImGui::Selectable(std::to_string(g).c_str(), g == group_)) selectLane(g, lane_);
        if (count != nullptr) {
            numberCell(shortNumber(count->instructions));
            numberCell(occupancyText(*count));
        } else {
            ImGui::TableNextColumn();
            ImGui::TableNextColumn();
        }
        ImGui::TableNextColumn();
        const float cell = std::max(3.0f, std::floor(ImGui::GetContentRegionAvail().x / isa::kGroupSize));
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::InvisibleButton("lanes", ImVec2(cell * isa::kGroupSize, line));
        const uint32_t active = activeLanes(g);
        for (int lane = 0; lane < isa::kGroupSize; ++lane) {
            const ImVec2 low(at.x + cell * static_cast<float>(lane), at.y), high(low.x + cell - 1, at.y + line - 1);
            if ((active >> lane & 1) == 0) continue;
            list.AddRectFilled(low, high,
                               heatColor(count != nullptr ? count->byLane[static_cast<size_t>(lane)] : 0,
                                         count != nullptr ? count->instructions : 0));
            if (g == group_ && lane == lane_)
                list.AddRect(ImVec2(low.x - 1, low.y - 1), ImVec2(high.x + 1, high.y + 1),
                             ImGui::GetColorU32(ImGuiCol_Text));
        }
        if (ImGui::IsItemHovered()) {
            const int lane =
                std::clamp(static_cast<int>((ImGui::GetIO().MousePos.x - at.x) / cell), 0, isa::kGroupSize - 1);
            if ((active >> lane & 1) != 0) {
                std::string name = subject_->isKernel() ? "" : subject_->groups[g].laneNames[static_cast<size_t>(lane)];
                if (subject_->isKernel()) {
                    const uint32_t thread = g * isa::kGroupSize + static_cast<uint32_t>(lane);
                    const std::array<uint32_t, 3>& size = subject_->launch->block;
                    name = fmt::format("thread {},{},{}", thread % size[0], thread / size[0] % size[1],
                                       thread / size[0] / size[1]);
                }
                tooltip(count != nullptr ? fmt::format("lane {}, {}: took part in {} of {} instructions", lane, name,
                                                       count->byLane[static_cast<size_t>(lane)], count->instructions)
                                         : fmt::format("lane {}, {}", lane, name));
                if (ImGui::IsMouseClicked(0)) selectLane(g, lane);
                if (ImGui::IsMouseDoubleClicked(0)) tab_ = ProgramTab::Debugger, isTabForced_ = true;
            }
        }
        ImGui::PopID();
    }
    ImGui::EndTable();
}

// --- Tabs ---

void ProgramInspector::showTabs(float height) {
    ImGui::BeginChild("tabs", ImVec2(0, height));
    if (ImGui::BeginTabBar("views")) {
        const bool isForced = std::exchange(isTabForced_, false);
        int number = 0;
        for (const ProgramTab tab : tabs()) {
            const std::string name = fmt::format("{} {}", ++number, kProgramTabWords[static_cast<size_t>(tab)]);
            if (!ImGui::BeginTabItem(name.c_str(), nullptr,
                                     isForced && tab == tab_ ? ImGuiTabItemFlags_SetSelected : 0))
                continue;
            if (!isForced && !isTabForced_) tab_ = tab;
            if (tab == tab_) switch (tab) {
                    case ProgramTab::Memory:
                        showMemory();
                        break;
                    case ProgramTab::Barriers:
                        showBarriers();
                        break;
                    case ProgramTab::Outputs:
                        showOutputs();
                        break;
                    case ProgramTab::Debugger:
                        askDebugger();
                        debugger_.show("...");
                        break;
                    case ProgramTab::Chip:
                        if (costs_)
                            chip_.show(costs_->result, costs_->workload, options_.preset);
                        else
                            coloredText(kDim, working().empty() ? "there are no costs" : "...");
                        break;
                }
            ImGui::EndTabItem();
        }
        ImGui::EndTabBar();
    }
    ImGui::EndChild();
}

void ProgramInspector::showMemory() {
    const isa::Program& program = *subject_->program;
    if (program.buffers.empty() && program.sharedBytes == 0) return coloredText(kDim, "the program has no memory");
    const auto choose = [&](const std::string& name, int slot) {
        if (ImGui::RadioButton(name.c_str(), slot_ == slot)) slot_ = slot;
        ImGui::SameLine();
    };
    for (const isa::Buffer& buffer : program.buffers) choose(buffer.name, buffer.slot);
    if (program.sharedBytes != 0) choose("shared", isa::kSharedSlot);
    ImGui::NewLine();
    if (slot_ == isa::kSharedSlot) moment_ = Moment::Debugger;
    const struct {
        const char *name, *help;
        Moment moment;
    } kMoments[] = {{"before", "the launch (B)", Moment::Before},
                    {"after", "the launch (B)", Moment::After},
                    {"at the debugger", "where the debugger is in its block", Moment::Debugger}};
    for (const auto& [name, help, moment] : kMoments) {
        if (ImGui::RadioButton(name, moment_ == moment)) moment_ = moment;
        tooltip(help);
        ImGui::SameLine();
    }
    Element element = elements_[static_cast<size_t>(slot_)].value_or(subject_->usualElement(slot_));
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 5);
    if (ImGui::BeginCombo("##element", std::string(kElementWords[static_cast<size_t>(element)]).c_str())) {
        for (size_t i = 0; i < std::size(kElementWords); ++i)
            if (ImGui::Selectable(std::string(kElementWords[i]).c_str(), static_cast<size_t>(element) == i))
                element = static_cast<Element>(i), elements_[static_cast<size_t>(slot_)] = element;
        ImGui::EndCombo();
    }
    ImGui::SameLine();
    ImGui::Checkbox("changed", &isChangedOnly_);
    tooltip("only rows in which the launch changed something");
    ImGui::SameLine();
    if (run_ && slot_ != isa::kSharedSlot) {
        const auto slot = static_cast<size_t>(slot_);
        if (changes_.run != run_.get() || changes_.slot != slot_ || changes_.element != element)
            changes_ = {run_.get(), slot_, element,
                        changedElements(subject_->launch->buffers[slot], run_->after[slot], element)};
        coloredText(kDim, fmt::format("{} bytes, {} changed", run_->after[slot].size(), changes_.elements.size()));
    } else {
        ImGui::NewLine();
    }
    if (moment_ == Moment::Debugger) askDebugger();
    showElements(slot_);
}

void ProgramInspector::showElements(int slot) {
    const Element element = elements_[static_cast<size_t>(slot)].value_or(subject_->usualElement(slot));
    const std::span<const std::byte> bytes = memory(slot);
    const std::span<const std::byte> before =
        slot < isa::kMaxBuffers ? subject_->launch->buffers[static_cast<size_t>(slot)] : bytes;
    const uint64_t count = bytes.size() / bytesOf(element);
    if (count == 0)
        return coloredText(kDim, bytes.empty() && (run_ == nullptr || moment_ == Moment::Debugger) && !working().empty()
                                     ? "..."
                                     : "there is nothing in it; --in and --buffer give a buffer its size");
    std::vector<uint64_t> rows;  // those that are seen; empty: all
    const bool isFiltered = isChangedOnly_ && changes_.run != nullptr && changes_.slot == slot;
    if (isFiltered)
        for (const uint64_t one : changes_.elements)
            if (rows.empty() || rows.back() != one / kElementsOfRow) rows.push_back(one / kElementsOfRow);
    const uint64_t most = isFiltered ? rows.size() : (count + kElementsOfRow - 1) / kElementsOfRow;
    constexpr ImGuiTableFlags kAlike = (kTable & ~ImGuiTableFlags_SizingMask_) | ImGuiTableFlags_SizingStretchSame;
    if (!ImGui::BeginTable("elements", 1 + static_cast<int>(kElementsOfRow), kAlike)) return;
    ImGui::TableSetupScrollFreeze(1, 1);
    ImGui::TableSetupColumn("element", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 5);
    for (uint64_t i = 0; i < kElementsOfRow; ++i) ImGui::TableSetupColumn(fmt::format("+{}", i).c_str());
    ImGui::TableHeadersRow();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(std::min<uint64_t>(most, INT32_MAX)));
    const size_t width = bytesOf(element);
    while (clipper.Step())
        for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
            const uint64_t first =
                (isFiltered ? rows[static_cast<size_t>(r)] : static_cast<uint64_t>(r)) * kElementsOfRow;
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            coloredText(kDim, fmt::format("[{}]", first));
            for (uint64_t i = first; i < std::min(first + kElementsOfRow, count); ++i) {
                const bool isChanged =
                    (i + 1) * width <= before.size() && std::memcmp(&bytes[i * width], &before[i * width], width) != 0;
                const std::string words = elementText(bytes, i, element);
                if (isChanged) ImGui::PushStyleColor(ImGuiCol_Text, kMark);
                numberCell(words);
                if (isChanged) ImGui::PopStyleColor();
                if (ImGui::IsItemHovered()) {
                    std::string told = fmt::format("[{}], byte {}: {}", i, i * width, words);
                    if (width == 4)
                        told += fmt::format(", {}, {}", elementText(bytes, i, Element::I32),
                                            elementText(bytes, i, Element::Hex));
                    if (isChanged) told += "; was " + elementText(before, i, element);
                    tooltip(told);
                }
            }
        }
    ImGui::EndTable();
}

void ProgramInspector::showBarriers() {
    if (!blockRun_) return coloredText(kDim, "...");
    if (!blockRun_->problem.empty()) coloredText(kMark, blockRun_->problem);
    if (blockRun_->arrivals.empty()) return coloredText(kDim, "no group of the block came to a barrier");
    coloredText(kDim,
                fmt::format("groups of block {} as they came; the lowest that may run goes on until it waits or ends",
                            subject_->blockText(block_)));
    if (!ImGui::BeginTable("barriers", 5, kTable)) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    for (const char* name : {"barrier", "at", "group", "lanes", "after instructions"}) ImGui::TableSetupColumn(name);
    ImGui::TableHeadersRow();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(std::min<size_t>(blockRun_->arrivals.size(), INT32_MAX)));
    while (clipper.Step())
        for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
            const Arrival& arrival = blockRun_->arrivals[static_cast<size_t>(r)];
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::PushID(r);
            if (ImGui::Selectable(std::to_string(arrival.barrier).c_str(), false,
                                  ImGuiSelectableFlags_SpanAllColumns)) {
                selectLane(arrival.group, lane_);
                line_ = debug::lineOf(*subject_->program, arrival.pc);
                isScrolled_ = true;
            }
            ImGui::PopID();
            ImGui::TableNextColumn();
            text(placeText(*subject_->program, arrival.pc));
            ImGui::TableNextColumn();
            text(std::to_string(arrival.group));
            ImGui::TableNextColumn();
            const bool isWhole = arrival.lanes == activeLanes(arrival.group);
            coloredText(isWhole ? ImGui::GetStyleColorVec4(ImGuiCol_Text) : kMark,
                        fmt::format("{}", std::popcount(arrival.lanes)));
            ImGui::TableNextColumn();
            text(std::to_string(arrival.instructions));
        }
    ImGui::EndTable();
}

void ProgramInspector::showOutputs() {
    if (!run_) return coloredText(kDim, "...");
    const isa::Program& program = *subject_->program;
    std::vector<int> outputs;
    for (const int output : program.outputMask) outputs.push_back(output);
    if (outputs.empty()) return coloredText(kDim, "the program writes no output");
    if (!ImGui::BeginTable("outputs", 1 + static_cast<int>(outputs.size()), kTable)) return;
    ImGui::TableSetupScrollFreeze(1, 1);
    ImGui::TableSetupColumn("lane");
    for (const int output : outputs) ImGui::TableSetupColumn(outputName(program, output).c_str());
    ImGui::TableHeadersRow();
    for (uint32_t g = 0; g < run_->groups.size(); ++g) {
        const debug::Group& group = subject_->groups[g];
        for (uint32_t left = group.activeMask & ~group.helperMask; left != 0; left &= left - 1) {
            const int lane = std::countr_zero(left);
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::PushID(static_cast<int>(g) * isa::kGroupSize + lane);
            if (ImGui::Selectable(group.laneNames[static_cast<size_t>(lane)].c_str(), g == group_ && lane == lane_,
                                  ImGuiSelectableFlags_SpanAllColumns))
                selectLane(g, lane);
            ImGui::PopID();
            const bool isDiscarded = (run_->groups[g].killMask >> lane & 1) != 0;
            for (const int output : outputs) {
                ImGui::TableNextColumn();
                const std::string words = isDiscarded ? "discarded" : outputText(*run_, g, lane, output);
                coloredText(isDiscarded       ? kDim
                            : isFinite(words) ? ImGui::GetStyleColorVec4(ImGuiCol_Text)
                                              : kMark,
                            words);
            }
        }
    }
    ImGui::EndTable();
}

// --- The program ---

void ProgramInspector::showProgram(float height) {
    ImGui::BeginChild("program", ImVec2(0, height));
    coloredText(kDim, fmt::format("{} instructions; what groups executed, and the lanes that took part, of all {}",
                                  text_->code.size(), subject_->isKernel() ? "blocks" : "groups"));
    const ImVec2 room = ImGui::GetContentRegionAvail();
    ImGui::BeginChild("source", ImVec2(std::floor(room.x * 0.56f), 0));
    showSource();
    ImGui::EndChild();
    ImGui::SameLine();
    ImGui::BeginChild("code", ImVec2(0, 0));
    showCode();
    ImGui::EndChild();
    ImGui::EndChild();
}

void ProgramInspector::showSource() {
    if (!ImGui::BeginTable("source", 5, kTable)) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("line", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 2.5f);
    ImGui::TableSetupColumn("source", ImGuiTableColumnFlags_None, 5);
    ImGui::TableSetupColumn("executed", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 4.2f);
    ImGui::TableSetupColumn("lanes", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 3);
    ImGui::TableSetupColumn("cycles", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 3.2f);
    ImGui::TableHeadersRow();
    for (const SourceLine& line : text_->source) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::PushID(static_cast<int>(line.line));
        if (ImGui::Selectable(fmt::format("{}", line.line).c_str(), line.line == line_,
                              ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick)) {
            line_ = line.line;
            if (ImGui::IsMouseDoubleClicked(0) && debugger_.isOpen())
                debugger_.execute(fmt::format("break {}", line.line));
        }
        ImGui::PopID();
        tooltip("double click: the debugger stops here");
        if (isScrolled_ && line.line == line_ && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.4f);
        ImGui::TableNextColumn();
        const bool isFound = search_[0] != 0 && line.text.find(search_) != std::string::npos;
        coloredText(isFound ? kMark : ImGui::GetStyleColorVec4(ImGuiCol_Text), line.text);
        if (line.instructions == 0 || !text_->hasCosts) continue;
        numberCell(shortNumber(line.executed));
        numberCell(occupancyText({line.executed, line.lanes}));
        if (costs_) numberCell(shortNumber(line.issued + line.waited));
        tooltip(
            fmt::format("{} instructions in the code; {} executed by groups, {} lanes of them took part; {} cycles "
                        "issued, {} waited",
                        line.instructions, line.executed, line.lanes, line.issued, line.waited));
    }
    ImGui::EndTable();
}

void ProgramInspector::showCode() {
    if (!ImGui::BeginTable("code", 4, kTable)) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("@", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 2.5f);
    ImGui::TableSetupColumn("instruction", ImGuiTableColumnFlags_None, 5);
    ImGui::TableSetupColumn("executed", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 4.2f);
    ImGui::TableSetupColumn("lanes", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 3);
    ImGui::TableHeadersRow();
    for (const CodeLine& code : text_->code) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        const bool isNext = pc_ == code.pc;
        ImGui::PushID(static_cast<int>(code.pc));
        if (ImGui::Selectable(fmt::format("{}", code.pc).c_str(), code.line != 0 && code.line == line_,
                              ImGuiSelectableFlags_SpanAllColumns))
            line_ = code.line;
        ImGui::PopID();
        if (isScrolled_ && isNext && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.4f);
        ImGui::TableNextColumn();
        coloredText(isNext ? kMark : ImGui::GetStyleColorVec4(ImGuiCol_Text), code.text);
        if (code.line != 0) tooltip(fmt::format("line {}", code.line));
        if (!text_->hasCosts) continue;
        numberCell(shortNumber(code.issued));
        numberCell(occupancyText({code.issued, code.lanes}));
        tooltip(fmt::format("{} executed by groups, {} lanes of them took part; {} cycles waited for it", code.issued,
                            code.lanes, code.waited));
    }
    ImGui::EndTable();
}

void ProgramInspector::showHelp() {
    ImGui::SetNextWindowSize(ImVec2(ImGui::GetFontSize() * 44, 0), ImGuiCond_Always);
    ImGui::Begin("keys", &isHelpShown_, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings);
    for (const char* words :
         {"Up, Down            the block before, the next one; with Shift: the group",
          "Home, End           the first and the last block", "Left, Right         the lane before, the next one",
          "1 .. 4              memory, barriers, debugger, chip; of a shader outputs, debugger, chip",
          "D, double click     the debugger at the lane", "B                   memory before the launch, or after it",
          "F5, F10, F11        continue, line, instruction; with Shift: back",
          "Ctrl+F              search in the source", "Ctrl+C              copy the memory that is shown as text",
          "T                   dark, light", "F1                  these keys"})
        ImGui::TextUnformatted(words);
    ImGui::End();
}

}  // namespace tessera::tools
