"""A first picture: three spheres above a chequered floor, traced in a fragment shader by OpenGL ES 2.0, as a PNG file.

    PREFIX/bin/tessera exec python3 first_picture.py picture.png      what was installed in PREFIX, or a tarball's
    python -m tessera_gl.first_picture picture.png                    the wheel's

Needs Python's standard library alone. Nothing in it is Tessera's: on any EGL without windows it draws the same scene.
"""

import ctypes
import struct
import sys
import zlib

WIDTH, HEIGHT = 640, 480

VERTEX = """
attribute vec2 a_corner;
void main() { gl_Position = vec4(a_corner, 0.0, 1.0); }
"""

FRAGMENT = """
precision highp float;
uniform vec2 u_size;
const vec3 kSun = vec3(0.48, 0.64, -0.6);

// Distance along a ray to a sphere, or 1e6; both vectors count from its centre, whose radius is w.
float sphere(vec3 eye, vec3 ray, vec4 ball) {
    vec3 to = ball.xyz - eye;
    float along = dot(to, ray), under = along * along - dot(to, to) + ball.w * ball.w;
    float t = under > 0.0 ? along - sqrt(under) : -1.0;
    return t > 0.001 ? t : 1e6;
}

vec4 ball(int i) {
    if (i == 0) return vec4(-1.35, 0.8, 0.6, 0.8);
    if (i == 1) return vec4(0.15, 1.1, 1.6, 1.1);
    return vec4(1.15, 0.5, -0.1, 0.5);
}

vec3 tint(int i) {
    if (i == 0) return vec3(0.9, 0.25, 0.15);
    if (i == 1) return vec3(0.75, 0.8, 0.85);
    return vec3(0.15, 0.45, 0.9);
}

// What a ray meets first: its distance, and whether that is a sphere (0, 1, 2), the floor (3) or the sky (4).
float meet(vec3 eye, vec3 ray, out int what) {
    float nearest = 1e6;
    what = 4;
    if (ray.y < -0.001) { nearest = -eye.y / ray.y; what = 3; }
    for (int i = 0; i < 3; ++i) {
        float t = sphere(eye, ray, ball(i));
        if (t < nearest) { nearest = t; what = i; }
    }
    return nearest;
}

vec3 trace(vec3 eye, vec3 ray) {
    vec3 color = vec3(0.0), weight = vec3(1.0);
    for (int bounce = 0; bounce < 4; ++bounce) {
        int what;
        float t = meet(eye, ray, what);
        float high = clamp(ray.y, 0.0, 1.0), glare = max(dot(ray, kSun), 0.0);
        vec3 sky = mix(vec3(0.85, 0.9, 0.95), vec3(0.25, 0.45, 0.8), sqrt(high)) + pow(glare, 64.0) * vec3(0.5, 0.4, 0.2);
        if (what == 4) { color += weight * sky; break; }
        vec3 at = eye + t * ray, normal = vec3(0.0, 1.0, 0.0), base;
        float mirror;
        if (what == 3) {
            vec2 square = floor(at.xz);
            base = mod(square.x + square.y, 2.0) < 0.5 ? vec3(0.9, 0.88, 0.82) : vec3(0.25, 0.27, 0.3);
            base = mix(base, vec3(0.57), smoothstep(4.0, 24.0, t));
            mirror = 0.12;
        } else {
            normal = (at - ball(what).xyz) / ball(what).w;
            base = tint(what);
            mirror = what == 1 ? 0.75 : 0.25;
        }
        int between;
        meet(at + 0.002 * normal, kSun, between);
        float sun = between == 4 ? max(dot(normal, kSun), 0.0) : 0.0;
        vec3 lit = base * (0.35 + 0.15 * normal.y + 0.75 * sun);
        if (what == 3) lit = mix(lit, sky, smoothstep(6.0, 30.0, t));
        mirror += (1.0 - mirror) * 0.6 * pow(1.0 - clamp(-dot(normal, ray), 0.0, 1.0), 5.0);
        color += weight * (1.0 - mirror) * lit;
        weight *= mirror * (what == 3 ? vec3(1.0) : mix(vec3(1.0), base, 0.4));
        eye = at + 0.002 * normal;
        ray = reflect(ray, normal);
    }
    return color;
}

void main() {
    vec3 sum = vec3(0.0);
    for (int sample = 0; sample < 4; ++sample) {
        vec2 offset = vec2(mod(float(sample), 2.0), floor(float(sample) / 2.0)) * 0.5 - 0.25;
        vec2 at = (2.0 * (gl_FragCoord.xy + offset) - u_size) / u_size.y;
        sum += sqrt(clamp(trace(vec3(0.0, 1.35, -4.2), normalize(vec3(at.x, at.y - 0.25, 2.1))), 0.0, 1.0));
    }
    gl_FragColor = vec4(0.25 * sum, 1.0);
}
"""


class Library:
    """Functions of a library of the system. Those whose result is an address say so: ctypes takes it for an int."""

    def __init__(self, name, pointers=()):
        self.library = ctypes.CDLL(name)
        for function in pointers:
            getattr(self.library, function).restype = ctypes.c_void_p

    def __getattr__(self, name):
        return getattr(self.library, name)


def ints(*values):
    return (ctypes.c_int * len(values))(*values)


def fail(what):
    sys.exit(f"first_picture: {what}")


def shader(gl, kind, text):
    name, source = gl.glCreateShader(kind), ctypes.c_char_p(text.encode())
    gl.glShaderSource(name, 1, ctypes.byref(source), None)
    gl.glCompileShader(name)
    done, log = ctypes.c_int(), ctypes.create_string_buffer(4096)
    gl.glGetShaderiv(name, 0x8B81, ctypes.byref(done))  # GL_COMPILE_STATUS
    if not done.value:
        gl.glGetShaderInfoLog(name, len(log), None, log)
        fail(log.value.decode())
    return name


def draw():
    """Rows of RGBA bytes, the upper one first, and the name of what drew them."""
    egl = Library("libEGL.so.1", ["eglGetPlatformDisplay", "eglCreatePbufferSurface", "eglCreateContext"])
    gl = Library("libGLESv2.so.2", ["glGetString"])
    display = ctypes.c_void_p(egl.eglGetPlatformDisplay(0x31DD, None, None))  # EGL_PLATFORM_SURFACELESS_MESA
    if not egl.eglInitialize(display, None, None):
        fail("EGL has no display that needs no window system")
    config, count = ctypes.c_void_p(), ctypes.c_int()
    # EGL_SURFACE_TYPE: a pbuffer; EGL_RENDERABLE_TYPE: OpenGL ES 2.0; eight bits of each channel; EGL_NONE.
    wanted = ints(0x3033, 1, 0x3040, 4, 0x3024, 8, 0x3023, 8, 0x3022, 8, 0x3021, 8, 0x3038)
    egl.eglChooseConfig(display, wanted, ctypes.byref(config), 1, ctypes.byref(count))
    size = ints(0x3057, WIDTH, 0x3056, HEIGHT, 0x3038)
    surface = ctypes.c_void_p(egl.eglCreatePbufferSurface(display, config, size))
    context = ctypes.c_void_p(egl.eglCreateContext(display, config, None, ints(0x3098, 2, 0x3038)))
    if not count.value or not egl.eglMakeCurrent(display, surface, surface, context):
        fail("EGL makes no context of OpenGL ES 2.0")

    program = gl.glCreateProgram()
    gl.glAttachShader(program, shader(gl, 0x8B31, VERTEX))
    gl.glAttachShader(program, shader(gl, 0x8B30, FRAGMENT))
    gl.glBindAttribLocation(program, 0, b"a_corner")
    gl.glLinkProgram(program)
    gl.glUseProgram(program)
    gl.glUniform2f(gl.glGetUniformLocation(program, b"u_size"), ctypes.c_float(WIDTH), ctypes.c_float(HEIGHT))
    corners = (ctypes.c_float * 6)(-1, -1, 3, -1, -1, 3)  # one triangle covers the picture
    gl.glEnableVertexAttribArray(0)
    gl.glVertexAttribPointer(0, 2, 0x1406, 0, 0, corners)
    gl.glDrawArrays(4, 0, 3)
    pixels = ctypes.create_string_buffer(4 * WIDTH * HEIGHT)
    gl.glReadPixels(0, 0, WIDTH, HEIGHT, 0x1908, 0x1401, pixels)
    error = gl.glGetError()
    if error:
        fail(f"OpenGL ES says {error:#x}")
    renderer = ctypes.string_at(gl.glGetString(0x1F01)).decode()
    egl.eglTerminate(display)
    stride = 4 * WIDTH
    return [pixels.raw[start:start + stride] for start in range(stride * (HEIGHT - 1), -1, -stride)], renderer


def png(rows):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 6, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2
    if __package__:  # of the wheel: nobody else has chosen the driver
        from . import enable
        enable()
    rows, renderer = draw()
    with open(sys.argv[1], "wb") as file:
        file.write(png(rows))
    print(f"{sys.argv[1]}: {WIDTH} x {HEIGHT}, drawn by {renderer}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
