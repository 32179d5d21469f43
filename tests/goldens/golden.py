#!/usr/bin/env python3
"""Golden images: renders every demo at a fixed time, and the scenes of scenes/, and compares with the image in the
repository, to the byte of every pixel, for several thread counts, SIMD levels and tiers.

  golden.py --build DIR                  compare; failures leave actual and difference images in DIR/goldens
  golden.py --build DIR --update         write the golden images anew
  golden.py --build DIR --mesa           compare Tessera's pictures with those of Mesa's llvmpipe, with a tolerance; ISA
                                         programs, with their likes in GLSL; exit status 77 (skipped) where Mesa is
                                         not installed
  golden.py --build DIR --computed       compare the compute kernel's Mandelbrot set with one computed here
"""

import argparse
import os
import pathlib
import re
import struct
import subprocess
import sys
import zlib

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import target  # noqa: E402

# Scene -> command. Every one is reproducible: --time fixes what a demo draws.
FIXED = ["--frames", "1", "--time", "1.5"]
SMALL = ["--size", "400x300", *FIXED]
SCENES = {
    "cube": ["cube", *FIXED],
    "gears": ["gears", *FIXED],
    "textured": ["textured", *FIXED],
    "water": ["water", *SMALL],
    "shadow": ["shadow", *SMALL],
    "skinning": ["skinning", *SMALL],
    "bumps": ["bumps", *SMALL],
    "deferred": ["deferred", *SMALL],
    "fixed": ["fixed", *SMALL],
    "formats": ["formats", "--size", "1300x960", *FIXED],
    "mandelbrot": ["mandelbrot", "--size", "400x300", "--frames", "1", "--time", "9"],
    "isa-triangle": ["isa-triangle", *FIXED],
    "isa-cube": ["isa-cube", *FIXED],
    "isa-mandelbrot": ["isa-mandelbrot", *SMALL],
    "isa-plasma": ["isa-plasma", *SMALL],
    "cube-plain": ["cube", "--plain", *FIXED],
    "gears-plain": ["gears", "--plain", *FIXED],
    "textured-plain": ["textured", "--plain", *FIXED],
    "isa-triangle-plain": ["isa-triangle", "--plain", *FIXED],
    "isa-cube-plain": ["isa-cube", "--plain", *FIXED],
    "water-plain": ["water", "--plain", *SMALL],
    "shadow-plain": ["shadow", "--plain", *SMALL],
    "cube-wireframe": ["cube", "--wireframe", *FIXED],
    "gears-overlay": ["gears", "--overlay", *FIXED],
    "msaa": ["msaa-scene"],
    "extensions": ["extensions-scene"],
    "es3": ["es3-scene"],
}

# These go through more of the machine that is written for each level: every level with every thread count.
THOROUGH = ("msaa", "extensions", "es3")

MESA_LIBRARY = pathlib.Path("/usr/lib") / f"{os.uname().machine}-linux-gnu" / "libEGL_mesa.so.0"
# Mean absolute difference per channel allowed against Mesa, in 1/255, and the share of pixels (edges) that may
# differ by more than 8/255.
MESA_MEAN, MESA_EDGE_SHARE = 1.0, 0.02
# Where drivers are free to differ: alpha to coverage and sample coverage, whose patterns are the driver's own;
# anisotropic filtering, and the seams of cube maps, which OpenGL ES 2.0 does not filter across.
# Water's ripples lie between the levels of a texture, and drivers are free in the fraction: without mipmaps the mean
# difference is 0.47 and no more than 0.03 % of the pixels differ by more than 8.
MESA_BOUNDS = {"msaa": (3.0, 0.06), "extensions": (1.0, 0.03), "water": (1.5, 0.02), "water-plain": (1.5, 0.02)}
# Lit colours that exceed 1 are clamped at the vertices (OpenGL ES 1.1.12, section 2.12.6), which Mesa leaves out.
MESA_BOUNDS |= {"fixed": (1.0, 0.03)}
# Two programs of one meaning, an ISA program and its like in GLSL, differ by rounding; in the Mandelbrot set also by
# single points of its border (0.13 %).
MESA_BOUNDS |= {scene: (0.3, 0.005) for scene in SCENES if scene.startswith("isa-")}


def variants(levels, thorough):
    """Thread counts, SIMD levels and tiers that must not change a byte. What a jit or tiered run compiles is cached in
    the build tree; the runs with an empty cache directory have no cache."""
    best, others = levels[-1], levels[:-1]

    def some(tier, *pairs):
        return [{"TESSERA_THREADS": threads, "TESSERA_SIMD": simd, "TESSERA_TIER": tier} for threads, simd in pairs]

    if thorough:
        found = some("interp", *((threads, simd) for threads in "128" for simd in levels))
    else:
        found = some("interp", *((threads, best) for threads in "1248"), *(("4", simd) for simd in others))
    found += some("baseline", ("4", best), *(("2", simd) for simd in others))
    found += some("jit", ("1", best), *(("4", simd) for simd in others), ("8", best))
    return found + [{"TESSERA_THREADS": "4", "TESSERA_TIER": "tiered"},
                    {"TESSERA_THREADS": "2", "TESSERA_TIER": "tiered", "TESSERA_CACHE_DIR": ""}]


def render(build, command, out, environment, under=()):
    """Draws a scene, the program run under another one if need be. Returns what it prints."""
    env = dict(os.environ, **environment)
    under = under or target.emulator(build)
    run = subprocess.run([*under, str(build / "bin" / command[0]), *command[1:], "--out", str(out)], env=env,
                         capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit status {run.returncode}\n{run.stdout}{run.stderr}")
    return run.stdout


def tessera_environment(build, variant):
    paths = [str(build / "lib")] + ([os.environ["LD_LIBRARY_PATH"]] if os.environ.get("LD_LIBRARY_PATH") else [])
    return {"LD_LIBRARY_PATH": ":".join(paths), "TESSERA_CACHE_DIR": str(build / "goldens" / "code"), **variant}


def diff(build, a, b, *options):
    return subprocess.run([*target.emulator(build), str(build / "bin/tessera"), "diff", str(a), str(b), *options], capture_output=True, text=True)


def update(build, scenes):
    for scene, command in scenes.items():
        print(render(build, command, HERE / f"{scene}.png", tessera_environment(build, {})), end="")


def compare(build, work, scenes):
    runs = failures = 0
    for scene, command in scenes.items():
        for variant in variants(target.levels(build), scene in THOROUGH):
            runs += 1
            actual = work / f"{scene}.actual.png"
            render(build, command, actual, tessera_environment(build, variant))
            result = diff(build, HERE / f"{scene}.png", actual, "-o", str(work / f"{scene}.difference.png"))
            label = " ".join(f"{k}={v}" for k, v in variant.items())
            print(f"{scene} {label}: {'identical' if result.returncode == 0 else 'DIFFERENT'}")
            if result.returncode != 0:
                failures += 1
                print(result.stdout + result.stderr)
                print(f"  expected {HERE / f'{scene}.png'}\n  actual   {actual}")
    print(f"{runs - failures} passed, {failures} failed")
    return failures


def mesa_figures(build, ours, theirs):
    """(mean absolute difference of the worst channel, share of pixels that differ by more than 8)."""
    text = diff(build, ours, theirs, "--tolerance", "8").stdout
    means = [float(value) for value in re.findall(r"mean[^\n]*", text)[0].replace(",", " ").split() if re.fullmatch(r"[0-9.]+", value)]
    differing = int(re.search(r"(\d+) of (\d+) pixels", text).group(1))
    total = int(re.search(r"(\d+) of (\d+) pixels", text).group(2))
    return max(means), differing / total


def in_glsl(scene):
    """Options that give a scene of ISA programs, which are Tessera's alone, programs in GLSL of the same meaning."""
    if not scene.startswith("isa-"):
        return []
    name = scene.removeprefix("isa-").removesuffix("-plain")
    vertex = HERE / "references" / f"{name}.vert"
    return ["--vertex", str(vertex if vertex.exists() else HERE / "references" / "quad.vert"),
            "--fragment", str(HERE / "references" / f"{name}.frag")]


def write_png(path, width, height, rows):
    """`rows` from the top, each of width * 3 bytes."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    pixels = b"".join(b"\0" + bytes(row) for row in rows)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
                     chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b""))


def read_png(path):
    """Width, height and rows of RGBA bytes, of the files that the demos write."""
    data, place, packed = path.read_bytes(), 8, b""
    while place < len(data):
        size, kind = struct.unpack(">I4s", data[place:place + 8])
        body, place = data[place + 8:place + 8 + size], place + 12 + size
        if kind == b"IHDR":
            width, height = struct.unpack(">II", body[:8])
        packed += body if kind == b"IDAT" else b""
    stream, rows, above = zlib.decompress(packed), [], bytes(width * 4)
    for y in range(height):
        begin = y * (width * 4 + 1)
        kind, row = stream[begin], bytearray(stream[begin + 1:begin + 1 + width * 4])
        for i in range(len(row)) if kind else ():
            left, up = row[i - 4] if i >= 4 else 0, above[i]
            corner = above[i - 4] if i >= 4 else 0
            paeth = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            row[i] = (row[i] + (0, left, up, (left + up) // 2, paeth)[kind]) & 255
        rows.append(row)
        above = row
    return width, height, rows


# The sheet of formats: cells across and down, what part of a cell shows the texture, the background where there is no
# such format, and how many of the formats llvmpipe has.
FORMATS_GRID, FORMATS_INSIDE, FORMATS_EMPTY, FORMATS_AT_MESA = (13, 8), ((0.1, 0.9), (0.08, 0.8)), (28, 31, 38), 80
# What a cell may have: the share of pixels that differ by more than 8/255 (without filtering, columns whose centres are
# on the edge between two texels: 4.9 %), and the mean difference of the others in the worst channel.
FORMATS_EDGE_SHARE, FORMATS_MEAN = 0.06, 0.5


def formats_agree(build, work, mesa):
    """Compares the cells of the sheet, each by itself, where Mesa has the format."""
    pictures = []
    for name, environment in ("formats-ours", tessera_environment(build, {})), ("formats-mesa", mesa):
        render(build, ["formats", "--size", "650x480", *FIXED], work / f"{name}.png", environment)
        pictures.append(read_png(work / f"{name}.png"))
    (width, height, ours), (_, _, theirs) = pictures
    compared, good, worst = 0, True, 0
    for cell in range(FORMATS_GRID[0] * FORMATS_GRID[1]):
        inside = []
        for size, count, index, (first, last) in zip((width, height), FORMATS_GRID,
                                                     (cell % FORMATS_GRID[0], cell // FORMATS_GRID[0]), FORMATS_INSIDE):
            inside.append(range(int(size / count * (index + first)), int(size / count * (index + last))))
        texels = [[bytes(rows[y][x * 4:x * 4 + 3]) for y in inside[1] for x in inside[0]] for rows in (ours, theirs)]
        where = f"formats, row {cell // FORMATS_GRID[0] + 1}, column {cell % FORMATS_GRID[0] + 1}"
        if set(texels[0]) == {bytes(FORMATS_EMPTY)}:
            good = False
            print(f"{where}: Tessera's cell is empty")
        if set(texels[1]) == {bytes(FORMATS_EMPTY)}:
            continue
        compared += 1
        near = [pair for pair in zip(*texels) if max(abs(a - b) for a, b in zip(*pair)) <= 8]
        edges = 1 - len(near) / len(texels[0])
        mean = max(sum(abs(one[c] - other[c]) for one, other in near) / max(len(near), 1) for c in range(3))
        worst = max(worst, mean)
        if mean >= FORMATS_MEAN or edges >= FORMATS_EDGE_SHARE:
            good = False
            print(f"{where}: mean difference {mean:.3f}/255, {100 * edges:.1f} % of pixels by more than 8/255  TOO MUCH")
    good = good and compared >= FORMATS_AT_MESA
    print(f"formats: {compared} formats compared, mean difference {worst:.4f}/255 in the worst cell{'' if good else '  WRONG'}")
    return good


def mandelbrot_rows(width, height, seconds):
    """The picture of demos/mandelbrot in double precision: z -> z^2 + c as the definition says, 126 times. The centre
    and the halving every two seconds are the demo's; sixteen colours by the number of iterations over eight, the
    longer the brighter, and the set itself black."""
    palette = [(max(0, i - 3) * 255 // 11, min(i * 255 // 9, 255), min(48 + i * 207 // 5, 255)) for i in range(15)]
    palette.append((0, 0, 0))
    step = 2.5 / min(width, height) * 2 ** (-seconds / 2)
    corner = complex(-0.563 - step * width / 2, -0.643 - step * height / 2)
    for y in reversed(range(height)):
        row = bytearray()
        for x in range(width):
            c = corner + complex(x * step, y * step)
            z, iterations = c, 0
            while iterations < 126 and abs(z) <= 2:
                z, iterations = z * z + c, iterations + 1
            row.extend(palette[min(iterations >> 3, 15)])
        yield row


# Where points leave late, single precision and double part: single pixels along the border of the set.
MANDELBROT_SHARE = 0.005


def compare_with_computed(build, work):
    size, seconds = "400x300", 9
    ours, computed = work / "mandelbrot.png", work / "mandelbrot.computed.png"
    render(build, SCENES["mandelbrot"], ours, tessera_environment(build, {}))
    width, height = map(int, size.split("x"))
    write_png(computed, width, height, mandelbrot_rows(width, height, seconds))
    _, differing = mesa_figures(build, ours, computed)
    good = differing < MANDELBROT_SHARE
    print(f"mandelbrot: {100 * differing:.3f} % of pixels by more than 8/255{'' if good else '  TOO MUCH'}")
    return 0 if good else 1


def compare_with_mesa(build, work, scenes):
    if not MESA_LIBRARY.exists():
        print(f"skipped: Mesa is not installed ({MESA_LIBRARY.name} not found)")
        return 77
    mesa = {"LD_LIBRARY_PATH": str(MESA_LIBRARY.parent), "LIBGL_ALWAYS_SOFTWARE": "1", "EGL_PLATFORM": "surfaceless",
            "__EGL_VENDOR_LIBRARY_FILENAMES": "/usr/share/glvnd/egl_vendor.d/50_mesa.json",
            # In a sanitized build: what Mesa leaks or races in itself is not ours.
            "ASAN_OPTIONS": "detect_leaks=0", "TSAN_OPTIONS": "report_bugs=0"}
    failures = 0
    failures += "formats" in scenes and not formats_agree(build, work, mesa)
    # The compute kernel's picture would be compared with itself: --computed does better.
    scenes = {scene: command for scene, command in scenes.items() if scene not in ("formats", "mandelbrot")}
    for scene, command in scenes.items():
        # Mesa's pbuffers have one sample, also where their configuration has four. The scene msaa has its own framebuffers.
        if not command[0].endswith("-scene"):
            command = [*command, "--samples", "1"]
        ours, theirs = work / f"{scene}.png", work / f"{scene}.mesa.png"
        render(build, command, ours, tessera_environment(build, {}))
        text = render(build, command + in_glsl(scene), theirs, mesa)
        if "llvmpipe" not in text:
            print(f"skipped: the other driver is not llvmpipe:\n{text}")
            return 77
        mean, edges = mesa_figures(build, ours, theirs)
        mean_bound, edge_bound = MESA_BOUNDS.get(scene, (MESA_MEAN, MESA_EDGE_SHARE))
        good = mean < mean_bound and edges < edge_bound
        failures += not good
        print(f"{scene}: mean difference {mean:.4f}/255 in the worst channel, {100 * edges:.3f} % of pixels by more than 8/255"
              f"{'' if good else '  TOO MUCH'}")
    print("FAILED" if failures else "passed")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--mesa", action="store_true")
    parser.add_argument("--computed", action="store_true")
    parser.add_argument("--scene", choices=SCENES, action="append", help="only this one")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    work = build / "goldens"
    work.mkdir(exist_ok=True)
    scenes = {scene: SCENES[scene] for scene in arguments.scene or SCENES}
    if arguments.update:
        update(build, scenes)
        return 0
    if arguments.computed:
        return compare_with_computed(build, work)
    if arguments.mesa:
        return compare_with_mesa(build, work, scenes)
    return 1 if compare(build, work, scenes) else 0


if __name__ == "__main__":
    sys.exit(main())
