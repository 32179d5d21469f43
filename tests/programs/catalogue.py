"""The programs: where each comes from, how it is started so that it draws the same every time, and what may differ."""

import dataclasses
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "bench"))
import glmark  # noqa: E402  (its list of scenes)
from session import debian_python  # noqa: E402

CONTENT = HERE / "content"
PYTHON = debian_python()
SDL_TESTS = "/usr/libexec/installed-tests/SDL2"

GROUPS = ("Toolkits", "Browsers", "Compositors", "Players", "Games and emulators", "Tests and benchmarks", "What refuses")

# What two correct drivers may differ by: edges and lines fall on other pixels, filters round otherwise. Mean absolute
# difference of the worst channel in 1/255, and the share of pixels that differ by more than 8/255.
MEAN, SHARE = 1.0, 0.02


@dataclasses.dataclass
class Program:
    name: str
    group: str
    packages: tuple                  # Debian's, the program's own first
    command: list
    ways: tuple                      # of "output", "picture", "still", "window", "frames", "refuses"
    expect: str = ""                 # output, refuses: a regular expression that its text must match
    refuse: str = ""                 # output: one that it must not match
    seconds: float = 1.0             # windows: before the first screenshot; frames: how long it is recorded
    frames: int = 6                  # frames: how many are compared, spread over the recording
    skip: int = 0                    # frames: that many of the first are not (still loading)
    record_on: str = "mesa"          # frames: the driver under apitrace
    colours: int = 3                 # pictures: fewer of them are an empty picture
    status: tuple = (0,)             # the exit statuses it may have
    quick: bool = False              # takes seconds: part of ./run test
    starts: bool = True              # it makes a context
    moves: bool = False              # still windows: a small part of it does not stand still
    bus: bool = False                # it wants a D-Bus session
    unprivileged: bool = False       # it refuses to be root
    by_name: bool = True             # it also finds Tessera's libraries by name, not through libglvnd alone
    held: bool = True                # llvmpipe is held to ES 3.0
    environment: dict = dataclasses.field(default_factory=dict)
    mean: float = MEAN
    share: float = SHARE
    note: str = ""
    fold: str = ""                   # many like it are one line of the page: that line's name


def python(script, *arguments):
    return [PYTHON, str(CONTENT / script), *map(str, arguments)]


def weston(mode, *client):
    return [sys.executable, str(HERE / "weston.py"), mode, *client]


# Scenes that need more room than MEAN and SHARE, and why.
ROOM = {
    "texture:texture-filter=nearest": dict(share=0.05, note="in the first frame a face lies square to the pixels, texel edges on their centres"),
    "terrain": dict(mean=6.0, share=0.25, note="llvmpipe's glGenerateMipmap is too bright by half of 1/255 a level (Tessera's: within "
                    "0.5 of the average at each texel), and the far hills take their normals from high levels"),
    # Traced by giving Tessera llvmpipe's ways: of 3.7 % of the pixels 2.7 % are left with the derivatives of a quad taken
    # from its upper row (llvmpipe's rows of a window run from the top), 2.6 % with its linear log2 of the level of detail
    # too, 1.1 % when the two steps of its averages round up as well.
    "refract": dict(mean=1.2, share=0.045, note="refraction magnifies the normals it looks up: llvmpipe's levels are too bright, as "
                    "in terrain, and in windows it takes the level of detail from the other row of each quad, which is "
                    "another where triangles are as small as pixels; with both in Tessera 1.1 % are left"),
}


def glmark_scene(scene):
    # High precision: what scenes say with mediump llvmpipe computes in 16 bits, and some (terrain, refract, loop, function)
    # turn a difference of a last bit into another picture.
    options = ":nframes=12:fragment-precision=high,high,default,default:vertex-precision=high,high,default,default"
    return Program(f"glmark2-es2 {glmark.short_name(scene)}", "Tests and benchmarks", ("glmark2-es2-x11",),
                   ["glmark2-es2", "--size", "512x384", "-b", scene.removesuffix(";") + options], ("frames",), seconds=60, frames=3,
                   fold="glmark2-es2", **ROOM.get(scene, {}))


QT = {"QT_XCB_GL_INTEGRATION": "xcb_egl", "QT_QUICK_BACKEND": "", "QSG_INFO": "1"}
QT5 = ("python3-pyqt5.qtquick", "qml-module-qtquick2", "qml-module-qtquick-window2")
QT6 = ("python3-pyqt6.qtquick", "qml6-module-qtquick", "qml6-module-qtquick-window", "qml6-module-qtqml-workerscript")
GTK3 = {"GDK_BACKEND": "wayland", "GDK_GL": "gles"}  # GTK 3 on X11 is for GLX alone
GTK4 = {"GDK_BACKEND": "x11", "GDK_DEBUG": "gl-egl:gl-gles", "GSK_RENDERER": "gl"}


def quick(version, scene, name, mode, **more):
    packages = (QT5 if version == 5 else QT6)
    command = python("quick.py", version, CONTENT / scene)
    environment = dict(QT)
    if mode == "Wayland":
        packages += ("qtwayland5" if version == 5 else "qt6-wayland", "weston")
        command = weston("pixman", *command)
        environment = {"QT_QPA_PLATFORM": "wayland", "QSG_INFO": "1"}
    return Program(f"Qt {version} Quick, {mode}{name}", "Toolkits", packages, command, ("still",), environment=environment, seconds=2,
                   **{"colours": 100, **more})


LAYER_NOTE = "antialiased; through libglvnd alone, as Qt asks libGL.so.1 for the version, which knows no driver that is found by name"
TOOLKITS = [
    quick(5, "scene.qml", "", "X11"), quick(6, "scene.qml", "", "X11"), quick(5, "scene.qml", "", "Wayland"), quick(6, "scene.qml", "", "Wayland"),
    quick(5, "layer.qml", ", layer.samples", "X11", colours=4, by_name=False, note=LAYER_NOTE),
    quick(6, "layer.qml", ", layer.samples", "X11", colours=4, by_name=False, note=LAYER_NOTE),
    Program("GTK 3 GL area, Wayland", "Toolkits", ("gtk-3-examples", "adwaita-icon-theme", "weston"), weston("pixman", "gtk3-demo", "--run=glarea"),
            ("still",), bus=True, seconds=4, colours=200, environment=GTK3, held=False),
    Program("GTK 4 widget factory", "Toolkits", ("gtk-4-examples", "adwaita-icon-theme"), ["gtk4-widget-factory"], ("still",), bus=True, seconds=3,
            environment=GTK4, moves=True, note="a progress bar and a spinner move"),
    Program("GNOME Calculator", "Toolkits", ("gnome-calculator", "adwaita-icon-theme"), ["gnome-calculator"], ("still",), bus=True, seconds=3,
            environment={**GTK4, "GSETTINGS_BACKEND": "memory"}, note="GTK 4 with libadwaita"),
    Program("GNOME Text Editor, Wayland", "Toolkits", ("gnome-text-editor", "adwaita-icon-theme", "weston"), weston("kiosk", "gnome-text-editor"),
            ("still",), bus=True, seconds=3, environment={"GDK_BACKEND": "wayland", "GDK_DEBUG": "gl-gles", "GSETTINGS_BACKEND": "memory"}),
    Program("Clutter", "Toolkits", ("gir1.2-clutter-1.0", "python3-gi"), python("clutter.py"), ("still",),
            environment={"CLUTTER_BACKEND": "x11", "CLUTTER_DRIVER": "gles2", "COGL_RENDERER": "EGL_XLIB"}),
    Program("pygame", "Toolkits", ("python3-pygame",), python("pygame_draw.py"), ("still",),
            environment={"SDL_RENDER_DRIVER": "opengles2", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}),
    Program("vispy", "Toolkits", ("python3-vispy",), python("vispy_draw.py"), ("picture",), environment={"EGL_PLATFORM": "surfaceless"}),
    Program("virglrenderer", "Toolkits", ("virgl-server", "mesa-utils-bin"), ["sh", str(CONTENT / "virgl.sh")], ("still",), seconds=4, colours=100,
            note="what draws for the guests of qemu: virgl_test_server, with Mesa's virgl under es2tri as a guest"),
]

PAGE, PAGE2 = (CONTENT / "page.html").as_uri(), (CONTENT / "webgl2.html").as_uri()
WEBKIT = ("gir1.2-webkit2-4.1", "python3-gi")


def webengine(version):
    return Program(f"Qt {version} WebEngine, WebGL 2", "Browsers", (f"python3-pyqt{version}.qtwebengine",), python("webengine.py", version, PAGE2),
                   ("still",), bus=True, seconds=6, colours=100, note="antialiased",
                   environment={**QT, "QTWEBENGINE_DISABLE_SANDBOX": "1", "QTWEBENGINE_CHROMIUM_FLAGS": "--ignore-gpu-blocklist"})


def chromium(page):
    """Headless, drawing with the system's EGL; without these switches Chromium has no software WebGL, or one of its own."""
    switches = ("--headless=new --no-sandbox --use-gl=angle --use-angle=gles-egl --ignore-gpu-blocklist "
                "--window-size=480,400 --hide-scrollbars --virtual-time-budget=8000")
    return ["sh", "-c", f'exec chromium {switches} --screenshot="$PICTURE" "$0"', page]


BROWSERS = [
    Program("WebKitGTK, X11", "Browsers", WEBKIT, python("webkit.py", PAGE), ("still",), bus=True, seconds=3, colours=100,
            environment={"GDK_BACKEND": "x11"}, note="WebGL; layers are composited in software, as GTK 3 on X11 wants GLX"),
    Program("WebKitGTK, X11, antialias: true", "Browsers", WEBKIT, python("webkit.py", PAGE + "?antialias"), ("still",), bus=True, seconds=3,
            colours=100, environment={"GDK_BACKEND": "x11"}, note="antialiased"),
    Program("Chromium, WebGL 1", "Browsers", ("chromium",), chromium(PAGE + "?antialias"), ("picture",), colours=100, held=False),
    Program("Chromium, WebGL 2", "Browsers", ("chromium",), chromium(PAGE2), ("picture",), colours=100,
            held=False, note="antialiased; instances, a uniform block, texels of integers"),
    webengine(5), webengine(6),
    Program("cog", "Browsers", ("cog", "weston"), weston("pixman", "cog", "--platform=wl", PAGE), ("still",), bus=True, seconds=4,
            colours=100),
]

GST = {"GST_GL_API": "gles2", "GST_GL_PLATFORM": "egl"}
GST_PACKAGES = ("gstreamer1.0-gl", "gstreamer1.0-tools", "gstreamer1.0-plugins-good", "gstreamer1.0-plugins-base")


def gstreamer(form):
    pipeline = (f"videotestsrc num-buffers=1 ! video/x-raw,format={form},width=320,height=240 ! glupload ! glcolorconvert ! "
                "video/x-raw(memory:GLMemory),format=RGBA ! gldownload ! pngenc ! filesink location=$PICTURE")
    pipeline = pipeline.replace("(", "\\(").replace(")", "\\)")
    return Program(f"GStreamer, {form}", "Players", GST_PACKAGES, ["sh", "-c", f"exec gst-launch-1.0 {pipeline}"], ("picture",), environment=GST)


PLAYERS = [
    gstreamer("RGBA"), gstreamer("I420"), gstreamer("NV12"),
    Program("GStreamer, glimagesink", "Players", GST_PACKAGES,
            ["sh", "-c", "exec gst-launch-1.0 videotestsrc pattern=smpte100 ! video/x-raw,format=NV12,width=320,height=240 ! glimagesink"],
            ("still",), environment=GST),
    Program("mpv", "Players", ("mpv",), ["mpv", "--no-config", "--vo=gpu", "--gpu-api=opengl", "--gpu-context=x11egl", "--opengl-es=yes", "--pause",
                                        "--osc=no", "--geometry=320x240+0+0", "bars.y4m"], ("still",)),
    Program("mpv, gpu-next", "Players", ("mpv",), ["mpv", "--no-config", "--vo=gpu-next", "--gpu-sw", "--gpu-api=opengl", "--gpu-context=x11egl",
                                                  "--opengl-es=yes", "--loop-file=inf", "--osc=no", "--geometry=320x240+0+0", "bars.y4m"], ("still",),
            note="libplacebo; played, as llvmpipe's first frame is of the window's size before it was asked for"),
    Program("ffplay", "Players", ("ffmpeg",), ["ffplay", "-v", "error", "-loop", "0", "bars.y4m"], ("still",),
            environment={"SDL_RENDER_DRIVER": "opengles2", "SDL_VIDEO_WINDOW_POS": "0,0", "SDL_AUDIODRIVER": "dummy"}),
    Program("VLC", "Players", ("vlc-bin", "vlc-plugin-base", "vlc-plugin-video-output"),
            ["cvlc", "--intf=dummy", "--vout=gles2", "--no-video-title-show", "--no-osd", "--no-audio", "--rawvid-fps=1", "bars.y4m"], ("still",),
            unprivileged=True),
    Program("Celluloid, Wayland", "Players", ("celluloid", "weston"),
            weston("kiosk", "sh", "-c", "exec celluloid --no-existing-session --mpv-keep-open=yes $HOME/bars.y4m"), ("still",),
            bus=True, seconds=4, colours=400, environment=GTK3, held=False, note="libmpv in a GTK 3 GL area"),
]

GAMES = [
    Program("Stella", "Games and emulators", ("stella",), ["stella", "-video", "opengles2", "-audio.enabled", "0", "-center", "0", "cartridge.a26"],
            ("still",), seconds=3, environment={"SDL_RENDER_DRIVER": "opengles2", "SDL_AUDIODRIVER": "dummy"}),
    Program("SuperTux", "Games and emulators", ("supertux",), ["supertux2", "--renderer", "sdl", "--window", "--geometry", "640x480", "--disable-sound",
                                                              "--disable-music"], ("window", "frames"), seconds=10,
            environment={"SDL_RENDER_DRIVER": "opengles2", "SDL_AUDIODRIVER": "dummy"}, note="SDL's opengles2 renderer: the title's level, which moves"),
    Program("RetroArch", "Games and emulators", ("retroarch",),
            ["sh", "-c", "printf 'video_driver = sdl2\\nvideo_fullscreen = false\\nmenu_driver = rgui\\naudio_driver = null\\n"
             "menu_timedate_enable = false\\n' > retroarch.cfg; exec retroarch -v -c retroarch.cfg --menu"], ("still",), seconds=3, colours=50,
            environment={"SDL_RENDER_DRIVER": "opengles2"}, note="its sdl2 video driver; its gl driver is desktop GL"),
    Program("LÖVE", "Games and emulators", ("love",), ["love", str(CONTENT / "love")], ("still",), seconds=2, colours=50,
            environment={"LOVE_GRAPHICS_USE_OPENGLES": "1", "SDL_AUDIODRIVER": "dummy"}),
    Program("ScummVM", "Games and emulators", ("scummvm",), ["scummvm", "--gfx-mode=surfacesdl"], ("still",), seconds=3, colours=50,
            environment={"SDL_RENDER_DRIVER": "opengles2", "SDL_AUDIODRIVER": "dummy"}, note="its opengl mode is desktop GL"),
]

# What Tessera cannot serve, and what each of them says of it: `expect`.
GL, ES3, DRM = "desktop OpenGL", "OpenGL ES 3", "a DRM device"


def refuses(name, packages, command, expect, wants, note="", **more):
    return Program(name, "What refuses", packages, command, ("refuses",), expect, starts=False, note=f"wants {wants}" + (f": {note}" if note else ""),
                   **more)


WLROOTS = {"WLR_BACKENDS": "headless", "WLR_RENDERER": "gles2", "WLR_RENDERER_ALLOW_SOFTWARE": "1"}
WLROOTS_NOTE = "wlroots makes its GL renderer for a DRM device alone, with llvmpipe too; WLR_RENDERER=pixman runs"
REFUSING = [
    refuses("sway", ("sway",), ["sway", "-c", "/dev/null"], "no DRM FD available", DRM, WLROOTS_NOTE, environment=WLROOTS, unprivileged=True),
    refuses("cage", ("cage", "weston"), ["cage", "weston-eventdemo"], "no DRM FD available", DRM, "as sway", environment=WLROOTS, unprivileged=True),
    refuses("wayfire", ("wayfire",), ["wayfire"], "Failed to get DRM file descriptor", DRM, "as sway; its libraries also want names of OpenGL ES 3 in "
            "libGLESv2.so.2, which libglvnd's has", environment=WLROOTS, by_name=False),
    refuses("kwin, nested in X11", ("kwin-wayland", "weston"),
            ["sh", "-c", "cp /usr/bin/kwin_wayland . && exec ./kwin_wayland --x11-display $DISPLAY --no-lockscreen weston-eventdemo"],
            "binding pixmaps to EGLImages not found", "EGL_KHR_image_pixmap", "llvmpipe without a DRM device has none either; kwin composites without "
            "GL",
            environment={"KWIN_COMPOSE": "O2ES"}, bus=True),
    refuses("Firefox, WebGL", ("firefox-esr",), ["/usr/lib/firefox-esr/glxtest", "-f", "1"], "eglBindAPI returned an error", GL + " over EGL",
            "its glxtest decides so before any page is shown; pages themselves are drawn in software"),
    refuses("Falkon", ("falkon",), ["falkon", "--profile=new"], "No suitable graphics backend found", GL + " over EGL", "Debian's Qt 5, unless a "
            "program asks it for OpenGL ES; Qt WebEngine, which it shows pages with, runs", environment={**QT, "QTWEBENGINE_DISABLE_SANDBOX": "1"}, bus=True),
    refuses("Kodi", ("kodi",), ["kodi", "--windowing=x11", "--logging=console"], "GLX Error", GL + " over GLX", "Debian's amd64 build", bus=True),
    refuses("SuperTuxKart", ("supertuxkart",), ["supertuxkart", "--windowed", "--screensize=640x480", "--no-sound"], "Could not initialize display",
            GL, "Debian's amd64 build"),
    refuses("Alacritty", ("alacritty",), ["alacritty"], "'330' : version not supported", GL + " over EGL", "from 0.12 on OpenGL ES 2.0 would do"),
    refuses("OpenSCAD", ("openscad",), ["openscad"], "Cannot find EGLConfig", GL + " over EGL", environment=QT),
    refuses("DarkPlaces", ("darkplaces",), ["darkplaces", "-nosound"], "find matching EGL config", GL + " over EGL"),
    refuses("Neverball", ("neverball",), ["neverball"], "Could not create GLES window surface", GL + " over EGL",
            environment={"SDL_AUDIODRIVER": "dummy"}),
    refuses("kitty", ("kitty",), ["kitty"], "GLX extension not found", GL + " over GLX"),
    refuses("Godot 3", ("godot3",), ["godot3", "--video-driver", "GLES2", "--audio-driver", "Dummy", "-p"], "context_gl_x11", GL + " over GLX",
            "its GLES2 driver on X11 as well"),
    refuses("Minetest", ("minetest",), ["sh", "-c", "touch minetest.conf; exec minetest --config minetest.conf --logfile ''"], "No GLX support", GL + " over GLX"),
]

TESTS = [
    Program("es2_info", "Tests and benchmarks", ("mesa-utils-bin",), ["es2_info.x86_64-linux-gnu"], ("output",),
            r"(?s)GL_VERSION: OpenGL ES 2\.0 Tessera.*GL_RENDERER: Tessera", quick=True),
    Program("eglinfo", "Tests and benchmarks", ("mesa-utils-bin",), ["eglinfo.x86_64-linux-gnu"], ("output",),
            r"EGL vendor string: Tessera", quick=True, status=(0, 1), starts=False, note="status 1 where a platform, such as Wayland, has no server"),
    Program("es2tri", "Tests and benchmarks", ("mesa-utils-bin",), ["es2tri.x86_64-linux-gnu"], ("still", "frames"), seconds=1.5, quick=True),
    Program("es2gears_x11", "Tests and benchmarks", ("mesa-utils-bin",), ["es2gears_x11.x86_64-linux-gnu"], ("window", "frames"), seconds=1.5,
            quick=True),
    Program("python3 (egl_triangle.py)", "Tests and benchmarks", ("python3",), [sys.executable, str(CONTENT / "egl_triangle.py")], ("output",),
            r"(?s)Tessera.*corner 20 40 60 255.*centre 85 85 85 255", quick=True,
            note="EGL and GLES through ctypes: a surfaceless pbuffer, shaders, a triangle, the pixels checked"),
    Program("apitrace", "Tests and benchmarks", ("apitrace", "mesa-utils-bin"), ["es2gears_x11.x86_64-linux-gnu"], ("frames",), seconds=1.5,
            record_on="tessera", note="es2gears recorded on Tessera"),
    Program("testgles2", "Tests and benchmarks", ("libsdl2-tests",), [f"{SDL_TESTS}/testgles2"], ("window", "frames"), seconds=2),
    Program("testdraw2", "Tests and benchmarks", ("libsdl2-tests",), [f"{SDL_TESTS}/testdraw2", "--renderer", "opengles2"], ("window", "frames"),
            seconds=2, environment={"SDL_RENDER_DRIVER": "opengles2"}, note="SDL's opengles2 renderer: points, lines, rectangles"),
    Program("testsprite2", "Tests and benchmarks", ("libsdl2-tests",), [f"{SDL_TESTS}/testsprite2", "--renderer", "opengles2"], ("window", "frames"),
            seconds=2, environment={"SDL_RENDER_DRIVER": "opengles2"}, note="SDL's opengles2 renderer: blended textures"),
    Program("glmark2-es2 --validate", "Tests and benchmarks", ("glmark2-es2-x11",), ["glmark2-es2", "--validate"], ("output",),
            r"(?s)GL_RENDERER: +Tessera.*Validation: Success", r"Validation: Failure|Error",
            note="every scene; glmark2 knows the answer for some and says Unknown for the others"),
] + [glmark_scene(scene) for scene in glmark.SCENES]

COMPOSITORS = [
    Program("weston, nested in X11", "Compositors", ("weston",), weston("x11"), ("still",), seconds=3,
            note="GL renderer; a background and a client's window with its frame (weston-eventdemo)"),
    Program("mutter", "Compositors", ("mutter", "weston"), ["mutter", "--wayland", "--nested", "--no-x11", "--", "weston-eventdemo"], ("still",),
            bus=True, seconds=3, environment={"MUTTER_DEBUG_DUMMY_MODE_SPECS": "640x480"}, note="nested in X11, with weston-eventdemo"),
    Program("Mir", "Compositors", ("mir-test-tools", "mir-graphics-drivers-desktop", "mir-platform-graphics-x", "weston"),
            ["sh", "-c", "mir_demo_server --platform-display-libs mir:x11 --x11-output 640x480 & "
             "until [ -S run/wayland-0 ]; do sleep 0.1; done; WAYLAND_DISPLAY=wayland-0 exec weston-eventdemo"], ("still",), seconds=3, colours=20,
            note="nested in X11, with weston-eventdemo"),
    Program("kwin, --virtual", "Compositors", ("kwin-wayland", "weston", "python3-gi", "gir1.2-gdkpixbuf-2.0"),
            ["sh", "-c", "cp /usr/bin/kwin_wayland . && printf '#!/bin/sh\\nexec %s %s %s\\n' \"$0\" \"$1\" \"$PICTURE\" > session && chmod +x session && "
             "exec ./kwin_wayland --virtual --width 640 --height 480 --no-lockscreen --exit-with-session ./session",
             *python("kwin_picture.py")], ("picture",), bus=True, environment={"KWIN_COMPOSE": "O2ES", "KWIN_SCREENSHOT_NO_PERMISSION_CHECKS": "1"},
            note="with weston-eventdemo; the picture is its own. Its file has capabilities: as any such program it reads no environment that would "
            "choose a driver, hence a copy"),
    Program("weston, headless", "Compositors", ("weston",), weston("headless"), ("output",), r"(?s)GL renderer: Tessera", r"failed to initialize",
            note="GL renderer on the surfaceless platform, with a Wayland EGL client running in it"),
]

PROGRAMS = TOOLKITS + BROWSERS + COMPOSITORS + PLAYERS + GAMES + TESTS + REFUSING
