#include "tools/inspector/window/debugger_panel.h"

#include <SDL_scancode.h>

#include <algorithm>
#include <utility>

#include "tools/inspector/window/panel_parts.h"

namespace tessera::tools {

namespace {

/// Values behind the name of a line.
std::string valuesOf(const std::string& line) { return line.substr(std::min(line.size(), line.find(' ', 2))); }

}  // namespace

void DebuggerPanel::open(std::unique_ptr<debug::Session> session, const std::string& title) {
    close();
    session_ = std::move(session);
    title_ = title;
    console_ = std::make_unique<DebugConsole>(*session_, output_);
    text_ = title + "\n";
    console_->showPosition();
    update();
}

void DebuggerPanel::close(const std::string& problem) {
    console_.reset();
    session_.reset();
    output_.str("");
    hasMoved_ = false;
    title_.clear(), text_.clear(), locals_.clear();
    problem_ = problem;
}

void DebuggerPanel::execute(const std::string& line) {
    if (!console_ || !console_->execute(line)) return;
    text_ += "(tessera) " + line + "\n";
    update();
}

void DebuggerPanel::select(int group, int lane) {
    if (!console_) return;
    session_->select(group, lane);
    console_->showPosition();
    update();
}

void DebuggerPanel::update() {
    text_ += output_.str();
    output_.str("");
    isOutputNew_ = hasMoved_ = true;
    constexpr size_t kMostText = 100'000;
    if (text_.size() > kMostText) text_.erase(0, text_.size() - kMostText / 2);
    // Programs without variables have registers alone.
    const bool hasVariables = session_->replay().program().debugInfo != nullptr;
    (void)console_->execute(hasVariables ? "locals" : "registers r");
    locals_ = output_.str();
    output_.str("");
}

bool DebuggerPanel::takeMoved() { return std::exchange(hasMoved_, false); }

void DebuggerPanel::takeKeys() {
    const bool isBack = ImGui::GetIO().KeyShift;
    if (ImGui::IsKeyPressed(SDL_SCANCODE_F10, true)) execute(isBack ? "reverse-next" : "next");
    if (ImGui::IsKeyPressed(SDL_SCANCODE_F11, true)) execute(isBack ? "reverse-stepi" : "stepi");
    if (ImGui::IsKeyPressed(SDL_SCANCODE_F5, false)) execute(isBack ? "reverse-continue" : "continue");
    if (ImGui::IsKeyPressed(SDL_SCANCODE_N, false) && !ImGui::GetIO().WantTextInput) execute("nan");
}

void DebuggerPanel::show(const std::string& hint, const std::function<void()>& besideTitle) {
    if (!problem_.empty()) return coloredText(kMark, problem_);
    if (!console_) return coloredText(kDim, hint);
    const struct {
        const char *label, *command, *help;
    } kMoves[] = {{"|<", "reverse-continue", "back to the breakpoint before, or the start (Shift+F5)"},
                  {"<< line", "reverse-next", "a line back (Shift+F10)"},
                  {"< step", "reverse-stepi", "an instruction back (Shift+F11)"},
                  {"step >", "stepi", "an instruction (F11)"},
                  {"line >>", "next", "a line (F10)"},
                  {">|", "continue", "to the next breakpoint, or the end (F5)"},
                  {"nan", "nan", "to the instruction that makes the first NaN of the lane (N)"},
                  {"lanes", "lanes", "what every lane does"},
                  {"stack", "stack", "open ifs, loops and calls"}};
    for (const auto& [label, command, help] : kMoves) {
        if (ImGui::Button(label)) execute(command);
        tooltip(help);
        ImGui::SameLine();
    }
    ImGui::SetNextItemWidth(-1);
    if (ImGui::InputTextWithHint("##command", "a command of tessera dbg: break 12, print x, watch r0.x, lanes x, help",
                                 line_, sizeof line_, ImGuiInputTextFlags_EnterReturnsTrue)) {
        execute(line_);
        line_[0] = 0;
        ImGui::SetKeyboardFocusHere(-1);
    }
    coloredText(kDim, title_);
    if (besideTitle) besideTitle();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    ImGui::BeginChild("output", ImVec2(room.x * 0.66f, 0), false, ImGuiWindowFlags_HorizontalScrollbar);
    tools::text(text_);
    if (std::exchange(isOutputNew_, false)) ImGui::SetScrollHereY(1);
    ImGui::EndChild();
    ImGui::SameLine();
    ImGui::BeginChild("locals", ImVec2(0, 0));
    coloredText(kDim, session_->replay().program().debugInfo != nullptr ? "locals" : "registers");
    ImGui::PushTextWrapPos(0);
    std::istringstream lines(locals_);
    for (std::string line; std::getline(lines, line);)
        coloredText(isFinite(valuesOf(line)) ? ImGui::GetStyleColorVec4(ImGuiCol_Text) : kMark, line);
    ImGui::PopTextWrapPos();
    ImGui::EndChild();
}

}  // namespace tessera::tools
