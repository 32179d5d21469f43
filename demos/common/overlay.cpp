#include "demos/common/overlay.h"

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
    bool isMouse =
        event.type == SDL_MOUSEBUTTONDOWN || event.type == SDL_MOUSEBUTTONUP || event.type == SDL_MOUSEMOTION;
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
    ImGui::Begin(title_, nullptr,
                 ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoNav);
    ImGui::Text("time %.2f s", figures.time);
    ImGui::Text("%llu triangles", static_cast<unsigned long long>(figures.triangles));
    if (!figures.reproducible) showMachineFigures(figures);
    if (state.keys) showKeys(state);
    ImGui::End();
    ImGui::Render();
}

/// A line for each key; those of switches are lit while the switch is on, and can be clicked.
void Overlay::showKeys(OverlayState& state) const {
    ImGui::Spacing();
    if (controls_.turn) ImGui::TextUnformatted("arrows  turn");
    if (controls_.pause) ImGui::Selectable("space   pause", &state.paused);
    if (controls_.wireframe) ImGui::Selectable("w       wireframe", &state.wireframe);
    ImGui::TextUnformatted("h       hide or show keys");
    ImGui::TextUnformatted("q       quit");
}

void Overlay::draw(int width, int height, const OverlayFigures& figures, OverlayState& state) {
    // ImGui hides a self-sizing window in the first frame, while it measures it.
    if (ImGui::GetFrameCount() == 0) build(width, height, figures, state);
    build(width, height, figures, state);
    renderer_->render(*ImGui::GetDrawData());
}

}  // namespace demos
