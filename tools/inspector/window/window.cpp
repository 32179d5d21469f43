#include "tools/inspector/window/window.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <EGL/egltessera.h>
#include <GLES2/gl2.h>
#include <SDL.h>

#include <algorithm>
#include <cfloat>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "base/process/shared_library.h"
#include "tools/driver.h"

namespace tessera::tools {

namespace {

// --- Functions of libraries that are opened here; members carry the names of the functions they hold ---

#define TESSERA_SDL_FUNCTIONS(function)                                                                            \
    function(SDL_Init) function(SDL_Quit) function(SDL_SetHintWithPriority) function(SDL_GetCurrentVideoDriver)    \
        function(SDL_GetError) function(SDL_CreateWindow) function(SDL_DestroyWindow) function(SDL_SetWindowTitle) \
            function(SDL_WaitEventTimeout) function(SDL_PollEvent) function(SDL_SetClipboardText)                  \
                function(SDL_GetClipboardText) function(SDL_free) function(SDL_StartTextInput)                     \
                    function(SDL_GetDisplayDPI) function(SDL_GetWindowDisplayIndex)

#define TESSERA_EGL_FUNCTIONS(function)                                                                             \
    function(eglInitialize) function(eglTerminate) function(eglBindAPI) function(eglChooseConfig)                   \
        function(eglCreateContext) function(eglDestroyContext) function(eglCreatePbufferSurface)                    \
            function(eglDestroySurface) function(eglMakeCurrent) function(eglSwapBuffers) function(eglQuerySurface) \
                function(eglGetPlatformDisplay) function(eglCreatePlatformWindowSurface)

#define TESSERA_GL_FUNCTIONS(function)                                                                             \
    function(glGenTextures) function(glBindTexture) function(glTexParameteri) function(glTexImage2D)               \
        function(glCreateShader) function(glShaderSource) function(glCompileShader) function(glCreateProgram)      \
            function(glAttachShader) function(glBindAttribLocation) function(glLinkProgram) function(glUseProgram) \
                function(glGetUniformLocation) function(glUniform4f) function(glGenBuffers) function(glBindBuffer) \
                    function(glBufferData) function(glEnableVertexAttribArray) function(glVertexAttribPointer)     \
                        function(glEnable) function(glBlendFuncSeparate) function(glScissor) function(glViewport)  \
                            function(glClearColor) function(glClear) function(glDisable) function(glDrawElements)  \
                                function(glReadPixels) function(glPixelStorei)

struct SdlFunctions {
#define TESSERA_MEMBER(name) decltype(&::name) name = nullptr;
    TESSERA_SDL_FUNCTIONS(TESSERA_MEMBER)
#undef TESSERA_MEMBER
    void load(SharedLibrary& library) {
#define TESSERA_LOAD(name) library.get(name, #name);
        TESSERA_SDL_FUNCTIONS(TESSERA_LOAD)
#undef TESSERA_LOAD
    }
};

struct GlFunctions {
#define TESSERA_MEMBER(name) decltype(&::name) name = nullptr;
    TESSERA_EGL_FUNCTIONS(TESSERA_MEMBER)
    TESSERA_GL_FUNCTIONS(TESSERA_MEMBER)
#undef TESSERA_MEMBER
    /// The name of a function that is not there; null: all are.
    const char* load(decltype(&::eglGetProcAddress) find) {
#define TESSERA_LOAD(name)                                \
    name = reinterpret_cast<decltype(name)>(find(#name)); \
    if (name == nullptr) return #name;
        TESSERA_EGL_FUNCTIONS(TESSERA_LOAD)
        TESSERA_GL_FUNCTIONS(TESSERA_LOAD)
#undef TESSERA_LOAD
        return nullptr;
    }
};

// --- Drawing ---

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

ImTextureID idOf(GLuint texture) { return reinterpret_cast<ImTextureID>(static_cast<intptr_t>(texture)); }
GLuint textureOf(ImTextureID id) { return static_cast<GLuint>(reinterpret_cast<intptr_t>(id)); }

/// An EGL surface of the driver with a context of OpenGL ES 2.0, and ImGui drawn to it.
class Canvas {
public:
    Canvas() = default;
    ~Canvas() { close(); }
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    void close() {
        if (display_ == EGL_NO_DISPLAY) return;
        gl_.eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (surface_ != EGL_NO_SURFACE) gl_.eglDestroySurface(display_, surface_);
        if (context_ != EGL_NO_CONTEXT) gl_.eglDestroyContext(display_, context_);
        gl_.eglTerminate(display_);
        display_ = EGL_NO_DISPLAY;
    }

    /// In the SDL window, or null: in memory. Empty, or why not.
    std::string open(SDL_Window* window, int width, int height) {
        const Driver driver = installedDriver();
        if (driver.libraries.empty()) return "libtessera.so.0 is not installed beside this command";
        SharedLibrary library((driver.libraries + "/libtessera.so.0").c_str());
        decltype(&::eglGetProcAddress) find = nullptr;
        library.get(find, "tessera_eglGetProcAddress");
        if (!library.complete()) return library.trouble();
        if (const char* missing = gl_.load(find)) return fmt::format("the driver has no {}", missing);
        display_ = gl_.eglGetPlatformDisplay(
            window != nullptr ? EGL_PLATFORM_SDL_TESSERA : EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
        if (display_ == EGL_NO_DISPLAY || gl_.eglInitialize(display_, nullptr, nullptr) != EGL_TRUE)
            return "the driver has no such display";
        gl_.eglBindAPI(EGL_OPENGL_ES_API);
        const EGLint wanted[] = {EGL_SURFACE_TYPE,
                                 window != nullptr ? EGL_WINDOW_BIT : EGL_PBUFFER_BIT,
                                 EGL_RENDERABLE_TYPE,
                                 EGL_OPENGL_ES2_BIT,
                                 EGL_RED_SIZE,
                                 8,
                                 EGL_GREEN_SIZE,
                                 8,
                                 EGL_BLUE_SIZE,
                                 8,
                                 EGL_NONE};
        const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
        const EGLint size[] = {EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE};
        EGLConfig config = nullptr;
        EGLint count = 0;
        if (gl_.eglChooseConfig(display_, wanted, &config, 1, &count) != EGL_TRUE || count == 0)
            return "the driver has no such configuration";
        context_ = gl_.eglCreateContext(display_, config, EGL_NO_CONTEXT, version);
        surface_ = window != nullptr ? gl_.eglCreatePlatformWindowSurface(display_, config, window, nullptr)
                                     : gl_.eglCreatePbufferSurface(display_, config, size);
        if (context_ == EGL_NO_CONTEXT || surface_ == EGL_NO_SURFACE ||
            gl_.eglMakeCurrent(display_, surface_, surface_, context_) != EGL_TRUE)
            return "the driver can make no context for it";
        prepare();
        return {};
    }

    void size(int& width, int& height) const {
        gl_.eglQuerySurface(display_, surface_, EGL_WIDTH, &width);
        gl_.eglQuerySurface(display_, surface_, EGL_HEIGHT, &height);
    }

    ImTextureID makeTexture(GLint filter) const {
        GLuint texture = 0;
        gl_.glGenTextures(1, &texture);
        gl_.glBindTexture(GL_TEXTURE_2D, texture);
        gl_.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        gl_.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
        gl_.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        gl_.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        return idOf(texture);
    }
    void fill(ImTextureID texture, int width, int height, const void* rgba) const {
        gl_.glBindTexture(GL_TEXTURE_2D, textureOf(texture));
        gl_.glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    }

    void render(const ImDrawData& data) const {
        int width = 0, height = 0;
        size(width, height);
        gl_.glViewport(0, 0, width, height);
        gl_.glDisable(GL_SCISSOR_TEST);
        gl_.glClear(GL_COLOR_BUFFER_BIT);
        if (data.DisplaySize.x <= 0 || data.DisplaySize.y <= 0) return;
        gl_.glEnable(GL_SCISSOR_TEST);
        const float scaleX = 2 / data.DisplaySize.x, scaleY = -2 / data.DisplaySize.y;
        gl_.glUniform4f(projection_, scaleX, scaleY, -1 - data.DisplayPos.x * scaleX, 1 - data.DisplayPos.y * scaleY);
        for (int n = 0; n < data.CmdListsCount; ++n) {
            const ImDrawList& list = *data.CmdLists[n];
            gl_.glBufferData(GL_ARRAY_BUFFER, list.VtxBuffer.size_in_bytes(), list.VtxBuffer.Data, GL_STREAM_DRAW);
            gl_.glBufferData(GL_ELEMENT_ARRAY_BUFFER, list.IdxBuffer.size_in_bytes(), list.IdxBuffer.Data,
                             GL_STREAM_DRAW);
            for (const ImDrawCmd& command : list.CmdBuffer) {
                const auto left = static_cast<int>(std::max(command.ClipRect.x, 0.0f));
                const auto top = static_cast<int>(std::max(command.ClipRect.y, 0.0f));
                const auto right = static_cast<int>(command.ClipRect.z), bottom = static_cast<int>(command.ClipRect.w);
                if (right <= left || bottom <= top) continue;
                gl_.glScissor(left, height - bottom, right - left, bottom - top);
                gl_.glBindTexture(GL_TEXTURE_2D, textureOf(command.GetTexID()));
                bindVertices(command.VtxOffset);
                gl_.glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(command.ElemCount), GL_UNSIGNED_SHORT,
                                   reinterpret_cast<const void*>(command.IdxOffset * sizeof(ImDrawIdx)));
            }
        }
    }
    void swap() const { gl_.eglSwapBuffers(display_, surface_); }

    [[nodiscard]] inspect::Picture read() const {
        inspect::Picture picture;
        size(picture.width, picture.height);
        const size_t row = static_cast<size_t>(picture.width) * 4, rows = static_cast<size_t>(picture.height);
        std::vector<uint8_t> bottomUp(row * rows);
        gl_.glReadPixels(0, 0, picture.width, picture.height, GL_RGBA, GL_UNSIGNED_BYTE, bottomUp.data());
        picture.rgba.resize(row * rows);
        for (size_t y = 0; y < rows; ++y) std::memcpy(&picture.rgba[y * row], &bottomUp[(rows - 1 - y) * row], row);
        for (size_t i = 3; i < picture.rgba.size(); i += 4) picture.rgba[i] = 255;
        return picture;
    }

private:
    void bindVertices(size_t first) const {
        const auto pointer = [&](GLuint index, GLint count, GLenum type, GLboolean normalized, size_t offset) {
            gl_.glVertexAttribPointer(index, count, type, normalized, sizeof(ImDrawVert),
                                      reinterpret_cast<const void*>(first * sizeof(ImDrawVert) + offset));
        };
        pointer(kPosition, 2, GL_FLOAT, GL_FALSE, offsetof(ImDrawVert, pos));
        pointer(kTexCoord, 2, GL_FLOAT, GL_FALSE, offsetof(ImDrawVert, uv));
        pointer(kColor, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(ImDrawVert, col));
    }
    void prepare() {
        const GLuint program = gl_.glCreateProgram();
        const auto attach = [&](GLenum type, const char* text) {
            const GLuint shader = gl_.glCreateShader(type);
            gl_.glShaderSource(shader, 1, &text, nullptr);
            gl_.glCompileShader(shader);
            gl_.glAttachShader(program, shader);
        };
        attach(GL_VERTEX_SHADER, kVertexShader);
        attach(GL_FRAGMENT_SHADER, kFragmentShader);
        gl_.glBindAttribLocation(program, kPosition, "a_position");
        gl_.glBindAttribLocation(program, kTexCoord, "a_texCoord");
        gl_.glBindAttribLocation(program, kColor, "a_color");
        gl_.glLinkProgram(program);
        gl_.glUseProgram(program);
        projection_ = gl_.glGetUniformLocation(program, "u_projection");
        GLuint buffers[2] = {};
        gl_.glGenBuffers(2, buffers);
        gl_.glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
        gl_.glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
        for (const GLuint index : {kPosition, kTexCoord, kColor}) gl_.glEnableVertexAttribArray(index);
        gl_.glEnable(GL_BLEND);
        gl_.glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
        gl_.glClearColor(0.1f, 0.1f, 0.1f, 1);
        gl_.glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    }

    GlFunctions gl_;
    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
    EGLSurface surface_ = EGL_NO_SURFACE;
    GLint projection_ = -1;
};

/// What both windows do: ImGui with its font on a canvas.
class CanvasWindow : public Window {
public:
    CanvasWindow() {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    }
    ~CanvasWindow() override { ImGui::DestroyContext(); }

    void begin() override {
        ImGuiIO& io = ImGui::GetIO();
        int width = 0, height = 0;
        canvas_.size(width, height);
        io.DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
        const auto now = std::chrono::steady_clock::now();
        io.DeltaTime = std::clamp(std::chrono::duration<float>(now - last_).count(), 1e-4f, 0.1f);
        last_ = now;
        ImGui::NewFrame();
    }
    void end() override {
        ImGui::Render();
        canvas_.render(*ImGui::GetDrawData());
    }
    [[nodiscard]] inspect::Picture picture() override { return canvas_.read(); }
    [[nodiscard]] float scale() const override { return scale_; }
    ImTextureID makeTexture() override { return canvas_.makeTexture(GL_NEAREST); }
    void fillTexture(ImTextureID texture, const inspect::Picture& picture) override {
        canvas_.fill(texture, picture.width, picture.height, picture.rgba.data());
    }

protected:
    void makeFont() {
        ImFontConfig font;
        font.SizePixels = std::floor(13 * scale());
        ImGui::GetIO().Fonts->AddFontDefault(&font);
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
        const ImTextureID texture = canvas_.makeTexture(GL_LINEAR);
        canvas_.fill(texture, width, height, pixels);
        ImGui::GetIO().Fonts->SetTexID(texture);
    }

    Canvas canvas_;
    float scale_ = 1;

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

class HiddenWindow final : public CanvasWindow {
public:
    std::string open(int width, int height, float scale) {
        std::string why = canvas_.open(nullptr, width, height);
        if (scale > 0) scale_ = scale;
        if (why.empty()) makeFont();
        return why;
    }
    [[nodiscard]] Events takeEvents(int) override { return Events::None; }
    void setTitle(const std::string&) override {}
};

class SdlWindow final : public CanvasWindow {
public:
    ~SdlWindow() override {
        if (window_ == nullptr) return;
        canvas_.close();
        sdl_.SDL_DestroyWindow(window_);
        sdl_.SDL_Quit();
    }

    std::string open(const std::string& title, int width, int height, float scale) {
        SharedLibrary library("libSDL2-2.0.so.0");
        sdl_.load(library);
        if (!library.complete()) return library.trouble();
        // Where Wayland has no place for its sockets its library complains on standard error.
        if (std::getenv("XDG_RUNTIME_DIR") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr)
            sdl_.SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, "x11", SDL_HINT_DEFAULT);
        // The click that brings the window to the front is one in it.
        sdl_.SDL_SetHintWithPriority(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1", SDL_HINT_DEFAULT);
        if (sdl_.SDL_Init(SDL_INIT_VIDEO) != 0) return sdl_.SDL_GetError();
        // SDL falls back to drivers that show nothing, which nobody asked for.
        const std::string_view driver = sdl_.SDL_GetCurrentVideoDriver();
        if (driver == "dummy" || driver == "offscreen") {
            sdl_.SDL_Quit();
            return "no display";
        }
        window_ = sdl_.SDL_CreateWindow(title.c_str(), SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height,
                                        SDL_WINDOW_RESIZABLE);
        if (window_ == nullptr) return sdl_.SDL_GetError();
        std::string why = canvas_.open(window_, width, height);
        if (!why.empty()) return why;
        float dpi = 0;
        if (scale > 0)
            scale_ = scale;
        else if (sdl_.SDL_GetDisplayDPI(sdl_.SDL_GetWindowDisplayIndex(window_), &dpi, nullptr, nullptr) == 0 &&
                 dpi > 0)
            scale_ = std::clamp(std::round(dpi / 96 * 2) / 2, 1.0f, 3.0f);
        makeFont();
        mapKeys();
        sdl_.SDL_StartTextInput();
        return why;
    }

    [[nodiscard]] Events takeEvents(int mostMilliseconds) override {
        SDL_Event event;
        if (sdl_.SDL_WaitEventTimeout(&event, mostMilliseconds) == 0) return Events::None;
        do {
            if (event.type == SDL_QUIT) return Events::Close;
            take(event);
            // ImGui looks at keys and buttons once in a frame: what is pressed and released between two would be lost.
            if (event.type == SDL_KEYDOWN || event.type == SDL_KEYUP || event.type == SDL_MOUSEBUTTONDOWN ||
                event.type == SDL_MOUSEBUTTONUP)
                break;
        } while (sdl_.SDL_PollEvent(&event) != 0);
        return Events::Some;
    }
    void end() override {
        CanvasWindow::end();
        canvas_.swap();
    }
    void setTitle(const std::string& title) override { sdl_.SDL_SetWindowTitle(window_, title.c_str()); }

private:
    void take(const SDL_Event& event) {
        ImGuiIO& io = ImGui::GetIO();
        switch (event.type) {
            case SDL_MOUSEMOTION:
                io.MousePos = ImVec2(static_cast<float>(event.motion.x), static_cast<float>(event.motion.y));
                break;
            case SDL_MOUSEBUTTONDOWN:
            case SDL_MOUSEBUTTONUP: {
                const int button = event.button.button == SDL_BUTTON_LEFT    ? 0
                                   : event.button.button == SDL_BUTTON_RIGHT ? 1
                                                                             : 2;
                io.MousePos = ImVec2(static_cast<float>(event.button.x), static_cast<float>(event.button.y));
                io.MouseDown[button] = event.type == SDL_MOUSEBUTTONDOWN;
                break;
            }
            case SDL_MOUSEWHEEL:
                io.MouseWheel += static_cast<float>(event.wheel.y);
                io.MouseWheelH += static_cast<float>(event.wheel.x);
                break;
            case SDL_TEXTINPUT:
                io.AddInputCharactersUTF8(event.text.text);
                break;
            case SDL_KEYDOWN:
            case SDL_KEYUP: {
                // Of the event: what is pressed now may be released behind it already.
                const Uint16 modifiers = event.key.keysym.mod;
                if (const auto key = static_cast<size_t>(event.key.keysym.scancode); key < std::size(io.KeysDown))
                    io.KeysDown[key] = event.type == SDL_KEYDOWN;
                io.KeyShift = (modifiers & KMOD_SHIFT) != 0;
                io.KeyCtrl = (modifiers & KMOD_CTRL) != 0;
                io.KeyAlt = (modifiers & KMOD_ALT) != 0;
                break;
            }
            case SDL_WINDOWEVENT:
                if (event.window.event == SDL_WINDOWEVENT_LEAVE) io.MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
                break;
            default:
                break;
        }
    }

    void mapKeys() {
        ImGuiIO& io = ImGui::GetIO();
        const struct {
            ImGuiKey_ key;
            SDL_Scancode code;
        } keys[] = {{ImGuiKey_Tab, SDL_SCANCODE_TAB},
                    {ImGuiKey_LeftArrow, SDL_SCANCODE_LEFT},
                    {ImGuiKey_RightArrow, SDL_SCANCODE_RIGHT},
                    {ImGuiKey_UpArrow, SDL_SCANCODE_UP},
                    {ImGuiKey_DownArrow, SDL_SCANCODE_DOWN},
                    {ImGuiKey_PageUp, SDL_SCANCODE_PAGEUP},
                    {ImGuiKey_PageDown, SDL_SCANCODE_PAGEDOWN},
                    {ImGuiKey_Home, SDL_SCANCODE_HOME},
                    {ImGuiKey_End, SDL_SCANCODE_END},
                    {ImGuiKey_Delete, SDL_SCANCODE_DELETE},
                    {ImGuiKey_Backspace, SDL_SCANCODE_BACKSPACE},
                    {ImGuiKey_Space, SDL_SCANCODE_SPACE},
                    {ImGuiKey_Enter, SDL_SCANCODE_RETURN},
                    {ImGuiKey_Escape, SDL_SCANCODE_ESCAPE},
                    {ImGuiKey_A, SDL_SCANCODE_A},
                    {ImGuiKey_C, SDL_SCANCODE_C},
                    {ImGuiKey_V, SDL_SCANCODE_V},
                    {ImGuiKey_X, SDL_SCANCODE_X},
                    {ImGuiKey_Y, SDL_SCANCODE_Y},
                    {ImGuiKey_Z, SDL_SCANCODE_Z}};
        for (const auto& [key, code] : keys) io.KeyMap[key] = code;
        io.ClipboardUserData = this;
        io.SetClipboardTextFn = [](void* self, const char* text) {
            static_cast<SdlWindow*>(self)->sdl_.SDL_SetClipboardText(text);
        };
        io.GetClipboardTextFn = [](void* self) {
            auto& window = *static_cast<SdlWindow*>(self);
            char* const text = window.sdl_.SDL_GetClipboardText();
            window.clipboard_ = text != nullptr ? text : "";
            window.sdl_.SDL_free(text);
            return window.clipboard_.c_str();
        };
    }

    SdlFunctions sdl_;
    SDL_Window* window_ = nullptr;
    std::string clipboard_;
};

}  // namespace

std::unique_ptr<Window> Window::open(const std::string& title, int width, int height, float scale, std::string& why) {
    auto window = std::make_unique<SdlWindow>();
    why = window->open(title, width, height, scale);
    if (!why.empty()) return nullptr;
    return window;
}

std::unique_ptr<Window> Window::openHidden(int width, int height, float scale, std::string& why) {
    auto window = std::make_unique<HiddenWindow>();
    why = window->open(width, height, scale);
    if (!why.empty()) return nullptr;
    return window;
}

}  // namespace tessera::tools
