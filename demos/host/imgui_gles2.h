// A Dear ImGui renderer for OpenGL ES 2.0 (Debian's libimgui carries the desktop GL build of its own).
#pragma once

#include <GLES2/gl2.h>
#include <imgui.h>

namespace demos {

class ImGuiGles2 {
public:
    /// Makes the program, buffers and font texture; ImGui has a context and GL is current.
    ImGuiGles2();
    ~ImGuiGles2();
    ImGuiGles2(const ImGuiGles2&) = delete;
    ImGuiGles2& operator=(const ImGuiGles2&) = delete;

    /// Draws over the current framebuffer; leaves blending, depth and scissor tests off.
    void render(const ImDrawData& data);

private:
    GLuint program_ = 0, vertices_ = 0, indices_ = 0, font_ = 0;
    GLint projection_ = -1;
};

}  // namespace demos
