#include "demos/common/overlay.h"

#include <GLES2/gl2.h>
#include <backends/imgui_impl_sdl.h>
#include <imgui.h>

#include <cstring>

namespace demos {

namespace {

// GL_TESSERA_counters: totals since the driver started, as 32-bit integers that wrap.
constexpr GLenum kFragmentsTessera = 0x9F11;

/// Fragments shaded since the last call; negative when the driver does not count.
int64_t fragmentsSinceLastCall() {
    static const bool counts =
        std::strstr(reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS)), "GL_TESSERA_counters") != nullptr;
    static GLuint before = 0;
    if (!counts) return -1;
    GLint total = 0;
    glGetIntegerv(kFragmentsTessera, &total);
    GLuint since = static_cast<GLuint>(total) - before;
    before = static_cast<GLuint>(total);
    return since;
}

void showMachineFigures(const OverlayFigures& figures) {
    ImGui::Text("%.1f frames/s (%.2f ms)", figures.framesPerSecond,
                figures.framesPerSecond > 0 ? 1000 / figures.framesPerSecond : 0);
    int64_t fragments = fragmentsSinceLastCall();
    if (fragments >= 0) ImGui::Text("%lld fragments", static_cast<long long>(fragments));
    ImGui::TextUnformatted(reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
}

}  // namespace

Overlay::Context::Context() { ImGui::CreateContext(); }
Overlay::Context::~Context() { ImGui::DestroyContext(); }

Overlay::Overlay(const char* title, SDL_Window* window) : title_(title), window_(window) {
    ImGui::GetIO().IniFilename = nullptr;  // demos leave no files behind
    ImGui::StyleColorsDark();
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
    ImGui::Begin(title_, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav);
    ImGui::Text("time %.2f s", figures.time);
    ImGui::Text("%llu triangles", static_cast<unsigned long long>(figures.triangles));
    if (!figures.reproducible) showMachineFigures(figures);
    ImGui::Checkbox("pause", &state.paused);
    ImGui::SameLine();
    ImGui::Checkbox("wireframe", &state.wireframe);
    ImGui::End();
    ImGui::Render();
}

void Overlay::draw(int width, int height, const OverlayFigures& figures, OverlayState& state) {
    // ImGui hides a self-sizing window in the first frame, while it measures it.
    if (ImGui::GetFrameCount() == 0) build(width, height, figures, state);
    build(width, height, figures, state);
    renderer_->render(*ImGui::GetDrawData());
}

}  // namespace demos
