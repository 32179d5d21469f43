"""The drivers that peers.py compares: Tessera on each level of this machine, the system's Mesa, Mesa of Debian's sid in a
root of its own, ANGLE on SwiftShader, and any folder with libEGL and libGLESv2."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import time

MACHINE = os.uname().machine
TRIPLET = f"{MACHINE}-linux-gnu"
SYSTEM = pathlib.Path("/usr/lib") / TRIPLET
MESA_LIBRARY = SYSTEM / "libEGL_mesa.so.0"
# Mesa's driver that draws on the processor, without a window system.
MESA = {"LIBGL_ALWAYS_SOFTWARE": "1", "EGL_PLATFORM": "surfaceless"}
# Flags of /proc/cpuinfo that a level needs, least level first (base/simd_levels.h).
LEVELS = {"x86_64": {"v2": {"sse4_2", "popcnt"}, "v3": {"avx2", "bmi2", "fma", "f16c"},
                     "v4": {"avx512bw", "avx512dq", "avx512vl", "avx512cd"}},
          "aarch64": {"neon": set()}}
# The widest vectors of a level in bits; llvmpipe is limited alike (LP_NATIVE_VECTOR_WIDTH).
WIDTHS = {"v2": 128, "v3": 256, "v4": 512, "neon": 128}
SID_PACKAGES = "libegl1,libgles2,libegl-mesa0,libgl1-mesa-dri,libstdc++6"
# The last version that holds ANGLE and SwiftShader; later ones come without them.
ANGLE_PACKAGE = "@sparticuz/chromium@149.0.0"


class Problem(Exception):
    """What the user can do something about."""


class Driver:
    def __init__(self, name, environment, command=(), windows=True, vectors=None):
        self.name = name
        self.environment = environment
        self.command = list(command)  # what a program is started with: another system's loader
        self.windows = windows  # whether it draws in windows
        self.vectors = vectors  # bits, of drivers whose vectors can be narrowed
        self.version = ""  # GL_RENDERER and GL_VERSION

    def run(self, command, environment=None, **options):
        return subprocess.run([*self.command, *command], capture_output=True, text=True,
                              env={**os.environ, **self.environment, **(environment or {})}, **options)

    def narrowed(self, bits):
        return Driver(f"{self.name} {bits} bits", {**self.environment, "LP_NATIVE_VECTOR_WIDTH": str(bits)},
                      self.command, self.windows, bits)


def host_levels(cpuinfo=None):
    """The levels of this machine, least first."""
    text = cpuinfo if cpuinfo is not None else pathlib.Path("/proc/cpuinfo").read_text()
    found = re.search(r"^flags\s*:(.*)$", text, re.MULTILINE)
    flags = set(found.group(1).split()) if found else set()
    levels = []
    for level, needed in LEVELS.get(MACHINE, {}).items():
        if not needed <= flags:
            break
        levels.append(level)
    return levels


def tessera(build, level, threads=None):
    environment = {"LD_LIBRARY_PATH": str(build / "lib"), "TESSERA_SIMD": level}
    if threads:
        return Driver("tessera 1 thread", {**environment, "TESSERA_THREADS": str(threads)})
    return Driver(f"tessera {level}", environment)


def system_mesa():
    if not MESA_LIBRARY.exists():
        raise Problem(f"Mesa is not installed ({MESA_LIBRARY.name} not found): apt-get install libegl-mesa0 libgl1-mesa-dri")
    return Driver("llvmpipe", {**MESA, "LD_LIBRARY_PATH": str(SYSTEM),
                               "__EGL_VENDOR_LIBRARY_FILENAMES": "/usr/share/glvnd/egl_vendor.d/50_mesa.json"})


def start(driver, build):
    """Draws once, so that a driver that does not start is known before hours of measuring. Sets its version."""
    try:
        run = driver.run([str(build / "bin/bench"), "--json", "--filter", "^flat$", "--seconds", "0.01", "--samples", "1",
                          "--size", "64x64"], timeout=120)
    except OSError as error:
        raise Problem(f"driver {driver.name} does not start: {error}") from None
    except subprocess.TimeoutExpired:
        raise Problem(f"driver {driver.name} does not start: no picture within two minutes") from None
    try:
        output = json.loads(run.stdout)
    except json.JSONDecodeError:
        end = f"signal {-run.returncode}" if run.returncode < 0 else f"exit status {run.returncode}"
        raise Problem(f"driver {driver.name} does not start: {end}\n{run.stdout}{run.stderr}".rstrip()) from None
    row = output["rows"][0]
    if row["status"] != "good":
        raise Problem(f"driver {driver.name} does not draw: {row['reason'] or output['driver']}")
    driver.version = output["driver"]
    bits = re.search(r"llvmpipe \(.*?(\d+) bits\)", driver.version)
    driver.vectors = int(bits.group(1)) if bits else None
    return driver


def level_drivers(peers, levels):
    """(all drivers to measure, level -> the peers that it is compared with): where vectors of a level are narrower than
    a peer's own, the peer runs narrowed to them. A level is also compared with peers narrowed for levels below it, as a
    narrow vector is sometimes the faster one."""
    every, of_level = list(peers), {}
    for level in levels:
        for peer in peers:
            name = f"{peer.name} {WIDTHS[level]} bits"
            if peer.vectors and peer.vectors > WIDTHS[level] and name not in (one.name for one in every):
                every.append(peer.narrowed(WIDTHS[level]))
        of_level[level] = [one.name for one in every if not one.vectors or one.vectors <= WIDTHS[level]]
    return [one for one in every if any(one.name in names for names in of_level.values())], of_level


# A folder given by its user.

def parse_folder(text):
    """NAME=FOLDER of --driver."""
    name, equals, folder = text.partition("=")
    if not equals or not folder or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise Problem(f"--driver {text}: not NAME=FOLDER (a name of letters, digits, dots and dashes)")
    if name.startswith("tessera") or name in ("llvmpipe", "mesa-sid", "angle"):
        raise Problem(f"--driver {text}: the name {name} is taken")
    return name, pathlib.Path(folder)


def library(folder, name):
    """The file of a library in a folder: under the name that programs load it by, or the shortest."""
    exact = folder / name
    return exact if exact.exists() else min(folder.glob(name.rsplit(".", 1)[0] + "*"), key=lambda p: len(p.name), default=None)


def folder_driver(name, folder, build):
    folder = folder.expanduser().resolve()
    if not folder.is_dir():
        raise Problem(f"driver {name}: {folder} is no folder")
    names = ("libEGL.so.1", "libGLESv2.so.2")
    missing = [one.rsplit(".", 1)[0] for one in names if library(folder, one) is None]
    if missing:
        raise Problem(f"driver {name}: {folder} has no {' and no '.join(missing)}")
    # Names that the folder lacks, and all of ANGLE, which looks beside itself for its parts.
    links = build / "bench/drivers" / name
    shutil.rmtree(links, ignore_errors=True)
    links.mkdir(parents=True)
    for one in names:
        if not (folder / one).exists():
            (links / one).symlink_to(library(folder, one))
    if not (folder / "libvk_swiftshader.so").exists():
        return Driver(name, {**MESA, "LD_LIBRARY_PATH": f"{folder}:{links}"})
    for file in folder.iterdir():
        if not (links / file.name).exists():
            (links / file.name).symlink_to(file)
    layer = build / "bench/angle_egl/libEGL.so.1"
    if not layer.exists():
        raise Problem(f"driver {name}: {layer} is not built: ./run build angle_egl")
    (links / "libEGL_angle.so").symlink_to(library(folder, "libEGL.so.1"))
    for one in ("libEGL.so.1", "libEGL.so"):
        (links / one).unlink(missing_ok=True)
        (links / one).symlink_to(layer)
    return Driver(name, {"LD_LIBRARY_PATH": str(links)}, windows=False)


# Drivers that are fetched, once, into a folder of the tree's build folder.

def say(text):
    print(f"bench: {text}", flush=True)


def need(tool, package, what):
    found = shutil.which(tool, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if found is None:
        raise Problem(f"{what} needs {tool}: apt-get install {package}")
    return found


def debian_mirror():
    """Where apt takes Debian from."""
    need("apt-get", "apt", "--mesa-sid")
    run = subprocess.run(["apt-get", "indextargets", "--format", "$(ORIGIN)|$(LABEL)|$(REPO_URI)", "Created-By: Packages"],
                         capture_output=True, text=True)
    for line in run.stdout.splitlines():
        origin, label, address = line.split("|", 2)
        if (origin, label) == ("Debian", "Debian"):
            return address.rstrip("/")
    raise Problem("--mesa-sid: apt's sources name no mirror of Debian: --mesa-sid MIRROR")


def proxies():
    """apt's proxies, as variables of the environment that downloaders read."""
    result = {}
    for scheme in ("http", "https"):
        if f"{scheme}_proxy" in os.environ:
            continue
        run = subprocess.run(["apt-config", "shell", "PROXY", f"Acquire::{scheme}::Proxy"], capture_output=True, text=True)
        found = re.search(r"PROXY='(.*)'", run.stdout)
        if found and found.group(1) not in ("", "DIRECT"):
            result[f"{scheme}_proxy"] = found.group(1)
    return result


def follow(command, environment, what, step):
    """Runs the command; a line every few seconds counts the lines of its output that match `step`."""
    process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
    steps, said, lines = 0, time.monotonic(), []
    for line in process.stdout:
        lines.append(line)
        steps += bool(re.match(step, line))
        if time.monotonic() - said > 5:
            said = time.monotonic()
            say(f"{what}: {steps} packages")
    if process.wait() != 0:
        raise Problem(f"{what} failed:\n{''.join(lines[-15:])}".rstrip())


def make_sid(root, mirror):
    """Debian's sid with Mesa in `root`: debootstrap chooses, downloads and verifies the packages, which are then only
    unpacked, so it needs no rights of the superuser. debootstrap does not look how old the package lists are, and no apt
    that would is set up in the root; the system's own stays as it is."""
    debootstrap = need("debootstrap", "debootstrap", "--mesa-sid")
    need("dpkg-deb", "dpkg", "--mesa-sid")
    mirror = mirror or debian_mirror()
    working = root.with_name(root.name + ".part")
    shutil.rmtree(working, ignore_errors=True)
    (working / "root").mkdir(parents=True)
    say(f"Debian sid with Mesa, once: some 100 packages, 150 MB, into {root}")
    try:
        follow([debootstrap, "--variant=minbase", f"--include={SID_PACKAGES}", "--download-only", "sid",
                str(working / "packages"), mirror], proxies(), "downloading", "I: Retrieving ")
        packages = sorted(working.glob("packages/var/cache/apt/archives/*.deb"))
        for number, package in enumerate(packages):
            if number % 25 == 0:
                say(f"unpacking: {number} of {len(packages)} packages")
            subprocess.run(["dpkg-deb", "--extract", package, working / "root"], check=True)
        shutil.rmtree(root, ignore_errors=True)
        (working / "root").rename(root)
    finally:
        shutil.rmtree(working, ignore_errors=True)


def mesa_sid(cache, mirror=None):
    """Programs run with the root's own loader, C library and LLVM, which are newer than the system's."""
    root = cache / "mesa-sid"
    libraries = root / "usr/lib" / TRIPLET
    if not root.exists():
        make_sid(root, mirror)
    loader = next(libraries.glob("ld-linux-*.so.*"), None)
    if loader is None:
        raise Problem(f"--mesa-sid: {libraries} has no loader; remove {root} and try again")
    vendor = root / "usr/share/glvnd/egl_vendor.d/50_mesa.json"
    return Driver("mesa-sid", {**MESA, "__EGL_VENDOR_LIBRARY_FILENAMES": str(vendor)},
                  [str(loader), "--library-path", str(libraries)])


# In a folder of its own: the package is unpacked and its archive of SwiftShader, which brotli packed.
UNPACK_ANGLE = """
const fs = require('fs'), zlib = require('zlib');
fs.writeFileSync('swiftshader.tar', zlib.brotliDecompressSync(fs.readFileSync('package/bin/swiftshader.tar.br')));
"""


def angle(cache, build):
    folder = cache / "angle"
    if not folder.exists():
        npm, node = (need(tool, "npm", "--angle") for tool in ("npm", "node"))
        working = folder.with_name("angle.part")
        shutil.rmtree(working, ignore_errors=True)
        (working / "libraries").mkdir(parents=True)
        say(f"ANGLE on SwiftShader, once: npm's {ANGLE_PACKAGE}, 70 MB, into {folder}")
        try:
            for command in ([npm, "pack", "--silent", ANGLE_PACKAGE],
                            ["sh", "-c", "tar xzf ./*.tgz package/bin/swiftshader.tar.br package/LICENSE"],
                            [node, "-e", UNPACK_ANGLE], ["tar", "xf", "swiftshader.tar", "-C", "libraries"]):
                run = subprocess.run(command, cwd=working, capture_output=True, text=True)
                if run.returncode != 0:
                    raise Problem(f"--angle: {' '.join(command[:2])} failed:\n{run.stderr[-1000:]}")
            (working / "libraries").rename(folder)
        finally:
            shutil.rmtree(working, ignore_errors=True)
    return folder_driver("angle", folder, build)
