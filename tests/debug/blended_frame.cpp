// A frame of 32 x 32 pixels with one rectangle over a background, blended as the two factors say that are given as
// numbers of GL, or not where there are none; with a third number its color mask, red in bit 0, and with a fourth one
// the equation.
#include <EGL/egl.h>
#include <GLES2/gl2.h>

#include <cstdlib>

namespace {

GLuint shaderOf(GLenum kind, const char* text) {
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    return shader;
}

}  // namespace

int main(int count, char** arguments) {
    const EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    constexpr EGLint kWanted[] =
        {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8,
         EGL_NONE},
                     kSize[] = {EGL_WIDTH, 32, EGL_HEIGHT, 32, EGL_NONE},
                     kVersion[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint found = 0;
    if (!eglInitialize(display, nullptr, nullptr) || !eglChooseConfig(display, kWanted, &config, 1, &found)) return 1;
    const EGLSurface surface = eglCreatePbufferSurface(display, config, kSize);
    if (!eglMakeCurrent(display, surface, surface, eglCreateContext(display, config, EGL_NO_CONTEXT, kVersion)))
        return 1;
    const GLuint program = glCreateProgram();
    glAttachShader(program, shaderOf(GL_VERTEX_SHADER, "attribute vec4 place; void main() { gl_Position = place; }"));
    glAttachShader(program, shaderOf(GL_FRAGMENT_SHADER, "void main() { gl_FragColor = vec4(0.8, 0.3, 0.1, 0.4); }"));
    glBindAttribLocation(program, 0, "place");
    glLinkProgram(program);
    glUseProgram(program);
    glClearColor(0.25f, 0.5f, 0.75f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    if (count > 2) {
        glEnable(GL_BLEND);
        glBlendFunc(static_cast<GLenum>(std::atoi(arguments[1])), static_cast<GLenum>(std::atoi(arguments[2])));
    }
    if (count > 4) glBlendEquation(static_cast<GLenum>(std::atoi(arguments[4])));
    const int mask = count > 3 ? std::atoi(arguments[3]) : 15;
    glColorMask((mask & 1) != 0, (mask & 2) != 0, (mask & 4) != 0, (mask & 8) != 0);
    constexpr GLfloat kCorners[] = {-0.5f, -0.5f, 0.5f, -0.5f, -0.5f, 0.5f, 0.5f, 0.5f};
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kCorners);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    eglSwapBuffers(display, surface);
    return glGetError() == GL_NO_ERROR ? 0 : 1;
}
