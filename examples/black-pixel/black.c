/* A ground, a crate and a ball of OpenGL ES 2.0, without a window. Named on the command line, one of three mistakes makes
 * a part of the picture black, as they do in real programs: `tessera inspect -- ./black depth` finds out why.
 *
 *   depth   the depth buffer is never cleared
 *   cull    a triangle of the crate is wound the other way
 *   nan     the ball's highlight takes a power of a negative number */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kWidth = 320, kHeight = 240, kFrames = 3 };

static const char kVertex[] =
    "attribute vec3 a_place;\n"
    "attribute vec2 a_onBall;\n"
    "varying vec2 v_onBall;\n"
    "void main() {\n"
    "    v_onBall = a_onBall;\n"
    "    gl_Position = vec4(a_place, 1.0);\n"
    "}\n";
static const char kPlain[] =
    "precision mediump float;\n"
    "uniform vec3 u_color;\n"
    "void main() { gl_FragColor = vec4(u_color, 1.0); }\n";
static const char kBall[] =
    "precision highp float;\n"
    "uniform vec3 u_color;\n"
    "uniform vec3 u_lamp;\n"
    "uniform float u_least;\n"
    "uniform float u_sharpness;\n"
    "varying vec2 v_onBall;\n"
    "void main() {\n"
    "    float rim = dot(v_onBall, v_onBall);\n"
    "    if (rim > 1.0) discard;\n"
    "    vec3 normal = vec3(v_onBall, sqrt(1.0 - rim));\n"
    "    float facing = dot(normal, normalize(u_lamp));\n"
    "    float light = max(facing, 0.0);\n"
    "    float highlight = pow(max(facing, u_least), u_sharpness);\n"
    "    gl_FragColor = vec4(u_color * (0.3 + 0.6 * light) + highlight, 1.0);\n"
    "}\n";

static void fail(const char* what) {
    fprintf(stderr, "black: %s\n", what);
    exit(1);
}

static EGLDisplay display;
static EGLSurface surface;

static void makeContext(void) {
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT,
                             EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_DEPTH_SIZE, 24, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, kWidth, EGL_HEIGHT, kHeight, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!eglInitialize(display, NULL, NULL)) fail("EGL has no display that needs no window system");
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0) fail("there is no such configuration");
    surface = eglCreatePbufferSurface(display, config, size);
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

static GLuint programOf(const char* fragment) {
    GLuint program = glCreateProgram();
    glAttachShader(program, shader(GL_VERTEX_SHADER, kVertex));
    glAttachShader(program, shader(GL_FRAGMENT_SHADER, fragment));
    glBindAttribLocation(program, 0, "a_place");
    glBindAttribLocation(program, 1, "a_onBall");
    glLinkProgram(program);
    return program;
}

/* A rectangle at a depth, its corners counterclockwise from the lower left. */
static void rectangle(float left, float bottom, float right, float top, float depth, const GLubyte* triangles) {
    const GLfloat corners[] = {left,  bottom, depth, -1, -1, right, bottom, depth, 1,  -1,
                               right, top,    depth, 1,  1,  left,  top,    depth, -1, 1};
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STREAM_DRAW);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 5 * sizeof(GLfloat), (const void*)0);
    glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, 5 * sizeof(GLfloat), (const void*)(3 * sizeof(GLfloat)));
    glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_BYTE, triangles);
}

static void draw(GLuint plain, GLuint ball, const char* mistake) {
    static const GLubyte kTriangles[] = {0, 1, 2, 0, 2, 3}, kTurned[] = {0, 1, 2, 0, 3, 2};
    glClear(strcmp(mistake, "depth") == 0 ? GL_COLOR_BUFFER_BIT : GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glUseProgram(plain);
    glUniform3f(glGetUniformLocation(plain, "u_color"), 0.25f, 0.45f, 0.2f);
    rectangle(-1, -1, 1, 0, 0.5f, kTriangles);
    glUniform3f(glGetUniformLocation(plain, "u_color"), 0.7f, 0.4f, 0.15f);
    rectangle(-0.7f, -0.6f, -0.1f, 0.2f, 0.2f, strcmp(mistake, "cull") == 0 ? kTurned : kTriangles);
    glUseProgram(ball);
    glUniform3f(glGetUniformLocation(ball, "u_color"), 0.2f, 0.4f, 0.8f);
    glUniform3f(glGetUniformLocation(ball, "u_lamp"), 0.6f, 0.5f, 0.6f);
    glUniform1f(glGetUniformLocation(ball, "u_least"), strcmp(mistake, "nan") == 0 ? -1.0f : 0.0f);
    glUniform1f(glGetUniformLocation(ball, "u_sharpness"), 20);
    rectangle(0, -0.5f, 0.9f, 0.7f, 0, kTriangles);
}

int main(int argc, char** argv) {
    static unsigned char pixels[kWidth * kHeight * 4];
    GLuint buffer;
    if (argc < 2) fail("usage: black none|depth|cull|nan [FILE.ppm]");
    makeContext();
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
    glClearColor(0, 0, 0, 1);
    GLuint plain = programOf(kPlain), ball = programOf(kBall);
    for (int frame = 0; frame < kFrames; ++frame) {
        draw(plain, ball, argv[1]);
        if (frame + 1 < kFrames) eglSwapBuffers(display, surface);
    }
    glReadPixels(0, 0, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    if (glGetError() != GL_NO_ERROR) fail("OpenGL ES has an error");
    eglSwapBuffers(display, surface);
    if (argc < 3) return 0;

    FILE* file = fopen(argv[2], "wb");
    if (file == NULL) fail("the file cannot be written");
    fprintf(file, "P6\n%d %d\n255\n", kWidth, kHeight);
    for (int y = kHeight - 1; y >= 0; --y)
        for (int x = 0; x < kWidth; ++x) fwrite(&pixels[(y * kWidth + x) * 4], 1, 3, file);
    if (fclose(file) != 0) fail("the file cannot be written");
    printf("%s: %d x %d, drawn by %s\n", argv[2], kWidth, kHeight, (const char*)glGetString(GL_VENDOR));
    return 0;
}
