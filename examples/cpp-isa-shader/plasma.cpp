// A fragment shader of the instruction set, assembled in the program, drawn with by OpenGL ES 2.0 (glShaderBinary), and
// written as a PNG file.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2tessera.h>
#include <tessera_tools.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr int kWidth = 320, kHeight = 240;

const char* const kVertex = R"(.vertex
.input v0 a_corner vec4
.output o2 v_place vec4
    mov o0, v0
    mov o2, v0
    ret
)";

// Two waves across each other; sin of the transcendental unit, in colours a third of a turn apart.
const char* const kFragment = R"(.fragment
.input v0 v_place vec4
.uniform c0 u_waves vec4
.const c1 = 0.5, 0.5, 0.5, 1.0
    mul r0.xy, v0, c0
    sin r0.x, r0.x
    sin r0.y, r0.y
    add r0.x, r0.x, r0.y
    add r1.x, r0.x, 0.0
    add r1.y, r0.x, 2.1
    add r1.z, r0.x, 4.2
    sin r1.x, r1.x
    sin r1.y, r1.y
    sin r1.z, r1.z
    mad o0.xyz, r1, c1, c1
    mov o0.w, c1.w
    ret
)";

[[noreturn]] void fail(const char* what) {
    std::fputs(what, stderr);
    std::exit(1);
}

void makeContext() {
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    const EGLint wanted[] = {EGL_SURFACE_TYPE,
                             EGL_PBUFFER_BIT,
                             EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_ES2_BIT,
                             EGL_RED_SIZE,
                             8,
                             EGL_GREEN_SIZE,
                             8,
                             EGL_BLUE_SIZE,
                             8,
                             EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, kWidth, EGL_HEIGHT, kHeight, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglInitialize(display, nullptr, nullptr) || !eglChooseConfig(display, wanted, &config, 1, &count))
        fail("there is no EGL without windows\n");
    EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (!eglMakeCurrent(display, surface, surface, context)) fail("there is no context of OpenGL ES 2.0\n");
    const std::string driver = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    if (driver.find("Tessera") == std::string::npos)
        fail(("only Tessera takes assembled shaders, and this is " + driver + "; start with tessera exec\n").c_str());
}

/// A shader of assembly text. What is wrong with it is said with line and column.
GLuint shader(GLenum kind, const std::string& text, const char* name) {
    TesseraProgram* program = tesseraAssemble(text.data(), text.size(), name);
    if (program == nullptr) fail(tesseraToolsError());
    TesseraText* bytes = tesseraProgramBytes(program);
    const GLuint made = glCreateShader(kind);
    glShaderBinary(1, &made, GL_SHADER_BINARY_TESSERA, tesseraTextBytes(bytes),
                   static_cast<GLsizei>(tesseraTextSize(bytes)));
    tesseraFreeText(bytes);
    tesseraFreeProgram(program);
    return made;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) fail("usage: plasma FILE.png\n");
    makeContext();
    const GLuint program = glCreateProgram();
    glAttachShader(program, shader(GL_VERTEX_SHADER, kVertex, "quad.tsa"));
    glAttachShader(program, shader(GL_FRAGMENT_SHADER, kFragment, "plasma.tsa"));
    glBindAttribLocation(program, 0, "a_corner");
    glLinkProgram(program);
    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "u_waves"), 9, 7, 0, 0);
    const GLfloat corners[] = {-1, -1, 3, -1, -1, 3};
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glDrawArrays(GL_TRIANGLES, 0, 3);

    std::vector<uint8_t> pixels(size_t{kWidth} * kHeight * 4), rows;
    glReadPixels(0, 0, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    if (glGetError() != GL_NO_ERROR) fail("OpenGL ES has an error\n");
    for (int y = kHeight - 1; y >= 0; --y)
        rows.insert(rows.end(), &pixels[size_t{kWidth} * 4 * y], &pixels[size_t{kWidth} * 4 * y] + kWidth * 4);
    if (!tesseraWritePng(argv[1], rows.data(), kWidth, kHeight)) fail(tesseraToolsError());
    std::printf("%s: %d x %d\n", argv[1], kWidth, kHeight);
    return 0;
}
