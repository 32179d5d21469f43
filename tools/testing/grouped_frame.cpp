// A frame of 32 x 32 pixels whose calls are in debug groups of both extensions, with a marker: two draws, one of which
// covers nothing, within one group, and one behind it.
#include <EGL/egl.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

namespace {

GLuint shaderOf(GLenum kind, const char* text) {
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    return shader;
}

template <class Function>
Function find(const char* name) {
    return reinterpret_cast<Function>(eglGetProcAddress(name));
}

}  // namespace

int main() {
    const EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    constexpr EGLint kWanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_NONE},
                     kSize[] = {EGL_WIDTH, 32, EGL_HEIGHT, 32, EGL_NONE},
                     kVersion[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint found = 0;
    if (!eglInitialize(display, nullptr, nullptr) || !eglChooseConfig(display, kWanted, &config, 1, &found)) return 1;
    const EGLSurface surface = eglCreatePbufferSurface(display, config, kSize);
    if (!eglMakeCurrent(display, surface, surface, eglCreateContext(display, config, EGL_NO_CONTEXT, kVersion)))
        return 1;
    const auto pushGroup = find<PFNGLPUSHDEBUGGROUPKHRPROC>("glPushDebugGroupKHR");
    const auto popGroup = find<PFNGLPOPDEBUGGROUPKHRPROC>("glPopDebugGroupKHR");
    const auto pushMarker = find<PFNGLPUSHGROUPMARKEREXTPROC>("glPushGroupMarkerEXT");
    const auto popMarker = find<PFNGLPOPGROUPMARKEREXTPROC>("glPopGroupMarkerEXT");
    const auto insertMarker = find<PFNGLINSERTEVENTMARKEREXTPROC>("glInsertEventMarkerEXT");
    const GLuint program = glCreateProgram();
    glAttachShader(program, shaderOf(GL_VERTEX_SHADER, "attribute vec4 place; void main() { gl_Position = place; }"));
    glAttachShader(program, shaderOf(GL_FRAGMENT_SHADER, "void main() { gl_FragColor = vec4(0.8, 0.3, 0.1, 1.0); }"));
    glBindAttribLocation(program, 0, "place");
    glLinkProgram(program);
    glUseProgram(program);
    constexpr GLfloat kCorners[] = {-0.5f, -0.5f, 0.5f, -0.5f, -0.5f, 0.5f, 0.5f, 0.5f};
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kCorners);
    glEnable(GL_SCISSOR_TEST);

    pushGroup(GL_DEBUG_SOURCE_APPLICATION_KHR, 1, -1, "scene");
    glScissor(0, 0, 32, 32);
    glClear(GL_COLOR_BUFFER_BIT);
    pushMarker(0, "left half");
    glScissor(0, 0, 16, 32);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    insertMarker(0, "nothing follows");
    glScissor(0, 0, 0, 0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    popMarker();
    popGroup();
    glScissor(16, 0, 16, 32);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    eglSwapBuffers(display, surface);
    return glGetError() == GL_NO_ERROR ? 0 : 1;
}
