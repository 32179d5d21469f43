// A program as the tests of trust want one: `guest [FOLDER]` makes a context, goes to FOLDER, draws a textured triangle
// and says whether it is privileged and where libEGL is. Without a display it says why there is none. Both times it
// says whether there are compute devices.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <dlfcn.h>
#include <sys/auxv.h>
#include <tessera_compute.h>
#include <unistd.h>

#include <cstdio>

namespace {

constexpr const char* kVertex =
    "attribute vec2 position; varying vec2 at; void main() { at = position; gl_Position = vec4(position, 0.0, 1.0); }";
constexpr const char* kFragment =
    "precision mediump float; varying vec2 at; uniform sampler2D image;"
    "void main() { gl_FragColor = texture2D(image, at); }";

void attach(GLuint program, GLenum type, const char* source) {
    const GLuint shader = glCreateShader(type);
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
    glAttachShader(program, shader);
}

void sayDevice() {
    TesseraDevice* device = tesseraOpenDevice("interp", 1);
    std::printf("device %d%s%s\n", device != nullptr, device != nullptr ? "" : ": ",
                device != nullptr ? "" : tesseraComputeError());
    if (device == nullptr && tesseraLaunch(nullptr, nullptr, nullptr) != 0) std::puts("a launch of nothing");
    tesseraCloseDevice(device);
}

}  // namespace

int main(int argc, char** argv) {
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    if (eglInitialize(display, nullptr, nullptr) != EGL_TRUE) {
        // A program that can do without: calls that nobody needs to make do no harm.
        const EGLint error = eglGetError();
        eglTerminate(display);
        glFlush();
        std::printf("display %d\nerror %x\nname %d\n", display != EGL_NO_DISPLAY, static_cast<unsigned>(error),
                    glGetString(GL_RENDERER) != nullptr);
        sayDevice();
        return 3;
    }
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint configs = 0;
    eglChooseConfig(display, wanted, &config, 1, &configs);
    EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (eglMakeCurrent(display, surface, surface, context) != EGL_TRUE) return 1;
    if (argc > 1 && chdir(argv[1]) != 0) return 1;

    const GLuint program = glCreateProgram();
    attach(program, GL_VERTEX_SHADER, kVertex);
    attach(program, GL_FRAGMENT_SHADER, kFragment);
    glBindAttribLocation(program, 0, "position");
    glLinkProgram(program);
    glUseProgram(program);
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    const GLubyte white[4] = {255, 255, 255, 255};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, white);
    const GLfloat corners[6] = {-1, -1, 3, -1, -1, 3};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    GLubyte pixel[4] = {};
    glReadPixels(8, 8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);

    Dl_info library{};
    dladdr(dlsym(RTLD_DEFAULT, "eglInitialize"), &library);
    std::printf("privileged %d\nlibrary %s\npixel %d\n", getauxval(AT_SECURE) != 0, library.dli_fname, pixel[0]);
    sayDevice();
    return pixel[0] == 255 ? 0 : 1;
}
