"""PyOpenGL on the wheel: an offscreen frame, one pixel of it printed."""

import ctypes

import tessera_gl

tessera_gl.enable()
from OpenGL.EGL import *  # noqa: E402, F403
from OpenGL.GLES2 import *  # noqa: E402, F403

display = eglGetDisplay(EGL_DEFAULT_DISPLAY)
assert eglInitialize(display, ctypes.c_long(), ctypes.c_long())
configs, count = (EGLConfig * 1)(), ctypes.c_long()
wanted = [EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_RED_SIZE, 8, EGL_BLUE_SIZE, 8,
          EGL_ALPHA_SIZE, 8, EGL_NONE]
wanted = (EGLint * len(wanted))(*wanted)
assert eglChooseConfig(display, wanted, configs, 1, count) and count.value == 1
surface = eglCreatePbufferSurface(display, configs[0], (EGLint * 5)(EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE))
eglBindAPI(EGL_OPENGL_ES_API)
version = (EGLint * 3)(EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE)
assert eglMakeCurrent(display, surface, surface, eglCreateContext(display, configs[0], EGL_NO_CONTEXT, version))
glClearColor(1, 0, 0.2, 1)
glClear(GL_COLOR_BUFFER_BIT)
pixel = (ctypes.c_ubyte * 4)()
glReadPixels(8, 8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel)
print(ctypes.cast(glGetString(GL_VENDOR), ctypes.c_char_p).value.decode(), *pixel)
