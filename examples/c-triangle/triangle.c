/* A triangle of OpenGL ES 2.0 without a window, written as a PPM file. Nothing in it is Tessera's: it draws the same
 * with any driver of EGL that needs no window system. */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <stdio.h>
#include <stdlib.h>

enum { kWidth = 320, kHeight = 240 };

static const char kVertex[] =
    "attribute vec2 a_place;\n"
    "attribute vec3 a_color;\n"
    "varying vec3 v_color;\n"
    "void main() { v_color = a_color; gl_Position = vec4(a_place, 0.0, 1.0); }\n";
static const char kFragment[] =
    "precision mediump float;\n"
    "varying vec3 v_color;\n"
    "void main() { gl_FragColor = vec4(v_color, 1.0); }\n";

static void fail(const char* what) {
    fprintf(stderr, "triangle: %s\n", what);
    exit(1);
}

static void makeContext(void) {
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT,
                             EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, kWidth, EGL_HEIGHT, kHeight, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!eglInitialize(display, NULL, NULL)) fail("EGL has no display that needs no window system");
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0) fail("there is no such configuration");
    EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (!eglMakeCurrent(display, surface, surface, context)) fail("EGL makes no context of OpenGL ES 2.0");
}

static GLuint shader(GLenum kind, const char* text) {
    GLuint name = glCreateShader(kind);
    GLint done = 0;
    glShaderSource(name, 1, &text, NULL);
    glCompileShader(name);
    glGetShaderiv(name, GL_COMPILE_STATUS, &done);
    if (!done) {
        char log[1024];
        glGetShaderInfoLog(name, sizeof log, NULL, log);
        fail(log);
    }
    return name;
}

int main(int argc, char** argv) {
    static const GLfloat kVertices[] = {/* place, color */ -0.8f, -0.7f, 1, 0, 0, /* */ 0.8f, -0.7f, 0, 1, 0,
                                        /* */ 0, 0.8f, 0, 0, 1};
    static unsigned char pixels[kWidth * kHeight * 4];
    if (argc != 2) fail("usage: triangle FILE.ppm");
    makeContext();

    GLuint program = glCreateProgram();
    glAttachShader(program, shader(GL_VERTEX_SHADER, kVertex));
    glAttachShader(program, shader(GL_FRAGMENT_SHADER, kFragment));
    glBindAttribLocation(program, 0, "a_place");
    glBindAttribLocation(program, 1, "a_color");
    glLinkProgram(program);
    glUseProgram(program);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 5 * sizeof(GLfloat), kVertices);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 5 * sizeof(GLfloat), kVertices + 2);
    glClearColor(0.1f, 0.1f, 0.15f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glReadPixels(0, 0, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    if (glGetError() != GL_NO_ERROR) fail("OpenGL ES has an error");

    FILE* file = fopen(argv[1], "wb");
    if (file == NULL) fail("the file cannot be written");
    fprintf(file, "P6\n%d %d\n255\n", kWidth, kHeight);
    for (int y = kHeight - 1; y >= 0; --y)
        for (int x = 0; x < kWidth; ++x) fwrite(&pixels[(y * kWidth + x) * 4], 1, 3, file);
    if (fclose(file) != 0) fail("the file cannot be written");
    printf("%s: %d x %d, drawn by %s\n", argv[1], kWidth, kHeight, (const char*)glGetString(GL_VENDOR));
    return 0;
}
