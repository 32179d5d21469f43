#include "demos/host/overlay.h"

#include <GLES2/gl2.h>
#include <backends/imgui_impl_sdl.h>
#include <imgui.h>

namespace demos {

namespace {

void showMachineFigures(const OverlayFigures& figures) {
    ImGui::Text("%.1f frames/s (%.2f ms)", figures.framesPerSecond,
                figures.framesPerSecond > 0 ? 1000 / figures.framesPerSecond : 0);
    if (figures.fragments >= 0) ImGui::Text("%lld fragments", static_cast<long long>(figures.fragments));
    ImGui::TextUnformatted(reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
}

}  // namespace

Overlay::Context::Context() { ImGui::CreateContext(); }
Overlay::Context::~Context() { ImGui::DestroyContext(); }

Overlay::Overlay(const char* title, const Controls& controls, SDL_Window* window)
    : title_(title), controls_(controls), window_(window) {
    ImGui::GetIO().IniFilename = nullptr;  // demos leave no files behind
    ImGui::StyleColorsDark();
    ImGui::GetStyle().WindowBorderSize = 0;
    ImGui::GetStyle().AntiAliasedFill = false;
    if (window_ != nullptr) ImGui_ImplSDL2_InitForSDLRenderer(window_);
    renderer_ = std::make_unique<ImGuiGles2>();
}

Overlay::~Overlay() {
    renderer_.reset();
    if (window_ != nullptr) ImGui_ImplSDL2_Shutdown();
}

bool Overlay::handle(const SDL_Event& event) {
    ImGui_ImplSDL2_ProcessEvent(&event);
    const bool isMouse = event.type == SDL_MOUSEBUTTONDOWN || event.type == SDL_MOUSEBUTTONUP ||
                         event.type == SDL_MOUSEMOTION || event.type == SDL_MOUSEWHEEL;
    return isMouse && ImGui::GetIO().WantCaptureMouse;
}

void Overlay::build(int width, int height, const OverlayFigures& figures, OverlayState& state) {
    if (window_ != nullptr) ImGui_ImplSDL2_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
    if (window_ == nullptr) io.DeltaTime = 1.0f / 60;
    ImGui::NewFrame();
    ImGui::SetNextWindowPos(ImVec2(10, 10));
    ImGui::SetNextWindowBgAlpha(0.7f);
    constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse |
                                        ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav;
    // Two windows for ImGui, each of which keeps its own size.
    if (state.unfolded) {
        ImGui::Begin(title_, nullptr, kFlags);
        showUnfolded(figures, state);
    } else {
        ImGui::Begin("folded", nullptr, kFlags | ImGuiWindowFlags_NoTitleBar);
        if (ImGui::Selectable("h: keys", false, 0, ImGui::CalcTextSize("h: keys"))) state.unfolded = true;
    }
    if (!state.note.empty()) ImGui::TextUnformatted(state.note.c_str());
    ImGui::End();
    ImGui::Render();
}

void Overlay::showUnfolded(const OverlayFigures& figures, OverlayState& state) const {
    ImGui::Text("time %.2f s", figures.time);
    ImGui::Text("%llu triangles", static_cast<unsigned long long>(figures.triangles));
    if (!figures.reproducible) showMachineFigures(figures);
    ImGui::Spacing();
    showCommands(state);
}

/// A line for each command; those of switches are lit while the switch is on, and can be clicked.
void Overlay::showCommands(OverlayState& state) const {
    for (const Command& command : commandTable()) {
        if (!command.isOf(controls_)) continue;
        const std::string line = lineOf(command);
        if (command.action == Action::Pause)
            ImGui::Selectable(line.c_str(), &state.paused);
        else if (command.action == Action::Wireframe)
            ImGui::Selectable(line.c_str(), &state.wireframe);
        else
            ImGui::TextUnformatted(line.c_str());
    }
}

void Overlay::draw(int width, int height, const OverlayFigures& figures, OverlayState& state) {
    // ImGui hides a self-sizing window in its first frame, while it measures it.
    if (ImGui::GetFrameCount() == 0 || state.unfolded != wasUnfolded_) build(width, height, figures, state);
    wasUnfolded_ = state.unfolded;
    build(width, height, figures, state);
    renderer_->render(*ImGui::GetDrawData());
}

}  // namespace demos
