#include "demos/host/imgui_gles2.h"

#include <algorithm>
#include <cstddef>

#include "demos/host/harness.h"

namespace demos {

namespace {

enum Attribute : GLuint { kPosition, kTexCoord, kColor };

constexpr const char* kVertexShader = R"(
attribute vec2 a_position;
attribute vec2 a_texCoord;
attribute vec4 a_color;
uniform vec4 u_projection;  // scale xy, offset zw
varying vec2 v_texCoord;
varying vec4 v_color;
void main() {
    v_texCoord = a_texCoord;
    v_color = a_color;
    gl_Position = vec4(a_position * u_projection.xy + u_projection.zw, 0.0, 1.0);
}
)";

constexpr const char* kFragmentShader = R"(
precision mediump float;
uniform sampler2D u_texture;
varying vec2 v_texCoord;
varying vec4 v_color;
void main() { gl_FragColor = v_color * texture2D(u_texture, v_texCoord); }
)";

GLuint makeFontTexture() {
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    ImGui::GetIO().Fonts->SetTexID(reinterpret_cast<ImTextureID>(static_cast<intptr_t>(texture)));
    return texture;
}

void bindVertexLayout() {
    auto pointer = [](GLuint index, GLint size, GLenum type, GLboolean normalized, size_t offset) {
        glEnableVertexAttribArray(index);
        glVertexAttribPointer(index, size, type, normalized, sizeof(ImDrawVert), reinterpret_cast<const void*>(offset));
    };
    pointer(kPosition, 2, GL_FLOAT, GL_FALSE, offsetof(ImDrawVert, pos));
    pointer(kTexCoord, 2, GL_FLOAT, GL_FALSE, offsetof(ImDrawVert, uv));
    pointer(kColor, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(ImDrawVert, col));
}

}  // namespace

ImGuiGles2::ImGuiGles2() {
    program_ = buildProgram(kVertexShader, kFragmentShader, {"a_position", "a_texCoord", "a_color"});
    projection_ = glGetUniformLocation(program_, "u_projection");
    glGenBuffers(1, &vertices_);
    glGenBuffers(1, &indices_);
    font_ = makeFontTexture();
}

ImGuiGles2::~ImGuiGles2() {
    glDeleteTextures(1, &font_);
    glDeleteBuffers(1, &indices_);
    glDeleteBuffers(1, &vertices_);
    glDeleteProgram(program_);
}

void ImGuiGles2::render(const ImDrawData& data) {
    if (data.DisplaySize.x <= 0 || data.DisplaySize.y <= 0) return;
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDisable(GL_CULL_FACE);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_SCISSOR_TEST);
    glUseProgram(program_);
    ImVec2 scale(2.0f / data.DisplaySize.x, -2.0f / data.DisplaySize.y);
    glUniform4f(projection_, scale.x, scale.y, -1.0f - data.DisplayPos.x * scale.x, 1.0f - data.DisplayPos.y * scale.y);
    glActiveTexture(GL_TEXTURE0);
    glBindBuffer(GL_ARRAY_BUFFER, vertices_);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_);
    bindVertexLayout();
    for (int n = 0; n < data.CmdListsCount; ++n) {
        const ImDrawList& list = *data.CmdLists[n];
        glBufferData(GL_ARRAY_BUFFER, list.VtxBuffer.size_in_bytes(), list.VtxBuffer.Data, GL_STREAM_DRAW);
        glBufferData(GL_ELEMENT_ARRAY_BUFFER, list.IdxBuffer.size_in_bytes(), list.IdxBuffer.Data, GL_STREAM_DRAW);
        for (const ImDrawCmd& command : list.CmdBuffer) {
            ImVec4 clip = command.ClipRect;
            int left = static_cast<int>(clip.x - data.DisplayPos.x), top = static_cast<int>(clip.y - data.DisplayPos.y);
            int right = static_cast<int>(clip.z - data.DisplayPos.x);
            int bottom = static_cast<int>(clip.w - data.DisplayPos.y);
            if (right <= left || bottom <= top) continue;
            glScissor(left, static_cast<int>(data.DisplaySize.y) - bottom, right - left, bottom - top);
            glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(reinterpret_cast<intptr_t>(command.GetTexID())));
            glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(command.ElemCount), GL_UNSIGNED_SHORT,
                           reinterpret_cast<const void*>(command.IdxOffset * sizeof(ImDrawIdx)));
        }
    }
    for (GLuint attribute : {kPosition, kTexCoord, kColor}) glDisableVertexAttribArray(attribute);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_BLEND);
}

}  // namespace demos
