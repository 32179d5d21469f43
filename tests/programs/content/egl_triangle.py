#!/usr/bin/env python3
"""A Python program over EGL and OpenGL ES 2.0, by ctypes alone: a pbuffer without a window system, one triangle over
its middle, two pixels read back. It names no driver: whichever libEGL.so.1 the loader finds draws."""

import ctypes
import sys

egl, gl = ctypes.CDLL("libEGL.so.1"), ctypes.CDLL("libGLESv2.so.2")
egl.eglGetPlatformDisplay.restype = egl.eglCreateContext.restype = egl.eglCreatePbufferSurface.restype = ctypes.c_void_p
gl.glGetString.restype = ctypes.c_char_p

PLATFORM_SURFACELESS, NONE, RENDERABLE, ES2_BIT, SURFACE_TYPE, PBUFFER_BIT = 0x31DD, 0x3038, 0x3040, 4, 0x3033, 1
RED_SIZE, GREEN_SIZE, BLUE_SIZE, ALPHA_SIZE, WIDTH, HEIGHT, CLIENT_VERSION = 0x3024, 0x3023, 0x3022, 0x3021, 0x3057, 0x3056, 0x3098
VERTEX, FRAGMENT, COMPILED, LINKED, FLOAT, TRIANGLES, COLOR, RGBA, BYTES = 0x8B31, 0x8B30, 0x8B81, 0x8B82, 0x1406, 4, 0x4000, 0x1908, 0x1401

VERTEX_SOURCE = b"""attribute vec2 position; attribute vec3 colour; varying vec3 shade;
void main() { shade = colour; gl_Position = vec4(position, 0.0, 1.0); }"""
FRAGMENT_SOURCE = b"precision highp float; varying vec3 shade; void main() { gl_FragColor = vec4(shade, 1.0); }"


def integers(*values):
    return (ctypes.c_int32 * len(values))(*values)


def shader(kind, source):
    name = gl.glCreateShader(kind)
    gl.glShaderSource(name, 1, ctypes.byref(ctypes.c_char_p(source)), None)
    gl.glCompileShader(name)
    good = ctypes.c_int32()
    gl.glGetShaderiv(name, COMPILED, ctypes.byref(good))
    if not good.value:
        log = ctypes.create_string_buffer(4096)
        gl.glGetShaderInfoLog(name, 4096, None, log)
        sys.exit(log.value.decode())
    return name


def make_current(size):
    display = ctypes.c_void_p(egl.eglGetPlatformDisplay(PLATFORM_SURFACELESS, None, None))
    major, minor, config, count = ctypes.c_int32(), ctypes.c_int32(), ctypes.c_void_p(), ctypes.c_int32()
    if not egl.eglInitialize(display, ctypes.byref(major), ctypes.byref(minor)):
        sys.exit("eglInitialize failed")
    wanted = integers(RENDERABLE, ES2_BIT, SURFACE_TYPE, PBUFFER_BIT, RED_SIZE, 8, GREEN_SIZE, 8, BLUE_SIZE, 8, ALPHA_SIZE, 8, NONE)
    egl.eglChooseConfig(display, wanted, ctypes.byref(config), 1, ctypes.byref(count))
    surface = ctypes.c_void_p(egl.eglCreatePbufferSurface(display, config, integers(WIDTH, size, HEIGHT, size, NONE)))
    context = ctypes.c_void_p(egl.eglCreateContext(display, config, None, integers(CLIENT_VERSION, 2, NONE)))
    if not egl.eglMakeCurrent(display, surface, surface, context):
        sys.exit(f"eglMakeCurrent failed: {egl.eglGetError():#x}")
    print(f"EGL {major.value}.{minor.value}, {gl.glGetString(0x1F01).decode()}, {gl.glGetString(0x1F02).decode()}")


def pixel(x, y):
    read = (ctypes.c_uint8 * 4)()
    gl.glReadPixels(x, y, 1, 1, RGBA, BYTES, read)
    return " ".join(map(str, read))


def main():
    size = 99
    make_current(size)
    program = gl.glCreateProgram()
    for kind, source in ((VERTEX, VERTEX_SOURCE), (FRAGMENT, FRAGMENT_SOURCE)):
        gl.glAttachShader(program, shader(kind, source))
    gl.glBindAttribLocation(program, 0, b"position")
    gl.glBindAttribLocation(program, 1, b"colour")
    gl.glLinkProgram(program)
    gl.glUseProgram(program)
    # Its centroid lies on the centre of the middle pixel, where each corner counts a third: 255 / 3.
    positions = (ctypes.c_float * 6)(-0.75, -0.5, 0.75, -0.5, 0.0, 1.0)
    shades = (ctypes.c_float * 9)(1, 0, 0, 0, 1, 0, 0, 0, 1)
    for location, components, data in ((0, 2, positions), (1, 3, shades)):
        gl.glVertexAttribPointer(location, components, FLOAT, 0, 0, data)
        gl.glEnableVertexAttribArray(location)
    gl.glClearColor(*(ctypes.c_float(value / 255) for value in (20, 40, 60, 255)))
    gl.glClear(COLOR)
    gl.glDrawArrays(TRIANGLES, 0, 3)
    print("corner", pixel(0, 0))
    print("centre", pixel(size // 2, size // 2))
    if gl.glGetError():
        sys.exit("a GL error")


if __name__ == "__main__":
    main()
