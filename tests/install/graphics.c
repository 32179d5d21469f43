/* What a program that never heard of Tessera does: an offscreen OpenGL ES 2.0 frame, one pixel of it printed. With an
 * argument what GL says of itself, too. */
#include <EGL/egl.h>
#include <GLES2/gl2.h>
#include <stdio.h>

int main(int argumentCount, char** arguments) {
    (void)arguments;
    static const EGLint wanted[] = {EGL_SURFACE_TYPE,    EGL_PBUFFER_BIT, EGL_RED_SIZE,   8, EGL_GREEN_SIZE, 8,
                                    EGL_BLUE_SIZE,       8,               EGL_ALPHA_SIZE, 8, EGL_RENDERABLE_TYPE,
                                    EGL_OPENGL_ES2_BIT, EGL_NONE};
    static const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    static const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    EGLConfig config;
    EGLint count = 0;
    unsigned char pixel[4];
    if (!eglInitialize(display, NULL, NULL) || !eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
        return 1;
    eglBindAPI(EGL_OPENGL_ES_API);
    EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (!eglMakeCurrent(display, surface, surface, context)) return 2;
    glClearColor(1, 0, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glReadPixels(8, 8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    printf("%s|%d %d %d %d|%s\n", (const char*)glGetString(GL_VENDOR), pixel[0], pixel[1], pixel[2], pixel[3],
           eglQueryString(display, EGL_VENDOR));
    if (argumentCount > 1)
        printf("%s\n%s\n", (const char*)glGetString(GL_VERSION), (const char*)glGetString(GL_RENDERER));
    return eglTerminate(display) ? 0 : 3;
}
