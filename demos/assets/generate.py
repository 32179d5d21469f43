#!/usr/bin/env python3
"""Draws the images of the demos (256 x 256 PNG) from formulas. Usage: generate.py [directory]"""

import math
import pathlib
import struct
import sys
import zlib

SIZE = 256


def clamp(value):
    return max(0, min(255, round(value)))


def noise(x, y, seed=0):
    """A fixed pseudo-random number in 0..1 for a lattice point."""
    n = (x * 374761393 + y * 668265263 + seed * 974634541) & 0xFFFFFFFF
    n = ((n ^ (n >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((n ^ (n >> 16)) & 0xFFFF) / 65535


def smooth_noise(x, y, period, seed=0):
    """Value noise that repeats after SIZE."""
    cells = SIZE // period
    fx, fy = x / period, y / period
    ix, iy = int(fx), int(fy)
    tx, ty = fx - ix, fy - iy
    tx, ty = tx * tx * (3 - 2 * tx), ty * ty * (3 - 2 * ty)
    corner = lambda dx, dy: noise((ix + dx) % cells, (iy + dy) % cells, seed)
    top = corner(0, 0) * (1 - tx) + corner(1, 0) * tx
    bottom = corner(0, 1) * (1 - tx) + corner(1, 1) * tx
    return top * (1 - ty) + bottom * ty


def turbulence(x, y, seed=0):
    return sum(smooth_noise(x, y, 64 >> i, seed + i) / (1 << i) for i in range(5)) / 1.9375


def bricks(x, y):
    row = y // 32
    bx = (x + (32 if row % 2 else 0)) % 64
    if y % 32 < 3 or bx < 3:
        shade = 165 + 30 * noise(x, y, 5)
        return shade, shade * 0.97, shade * 0.9
    brick = noise((x + (32 if row % 2 else 0)) // 64 % 4, row, 9)
    shade = 0.75 + 0.3 * brick + 0.18 * (turbulence(x, y, 3) - 0.5)
    return 178 * shade, 84 * shade, 62 * shade


def wood(x, y):
    distance = math.hypot(x - 90, (y - 128) * 0.22) + 14 * turbulence(x, y, 11)
    ring = 0.5 + 0.5 * math.sin(distance * 0.55)
    grain = noise(x // 2, y // 40, 2) * 0.08
    shade = 0.72 + 0.25 * ring - grain
    return 196 * shade, 140 * shade, 82 * shade


def tiles(x, y):
    if x % 32 < 2 or y % 32 < 2:
        return 60, 62, 66
    dark = (x // 32 + y // 32) % 2
    shine = 18 * (1 - math.hypot(x % 32 - 10, y % 32 - 10) / 32)
    base = (38, 92, 140) if dark else (226, 230, 232)
    return tuple(c + shine for c in base)


def circuit(x, y):
    cx, cy = x // 16, y // 16
    mx, my = x % 16 - 7.5, y % 16 - 7.5
    kind = noise(cx, cy, 21)
    pad = math.hypot(mx, my)
    if kind > 0.72 and pad < 5:
        return (28, 60, 40) if pad < 2 else (214, 178, 84)
    trace = abs(my) < 1.2 if kind > 0.36 else abs(mx) < 1.2
    if trace:
        return 104, 190, 120
    return 20, 78 + 10 * noise(x, y, 4), 48


def marble(x, y):
    vein = math.sin(2 * math.pi * (x + y) / 128 + 7 * turbulence(x, y, 31))
    shade = 1 - 0.45 * (1 - abs(vein)) ** 3
    return 236 * shade, 232 * shade, 226 * shade


def letter(x, y):
    u, v = x / SIZE, y / SIZE
    bar = 0.18 < u < 0.82 and 0.18 < v < 0.36
    stem = 0.41 < u < 0.59 and 0.18 < v < 0.84
    edge = min(u, v, 1 - u, 1 - v)
    if edge < 0.045:
        return 30, 30, 34
    if bar or stem:
        return 250, 250, 245
    return 235 - 120 * v, 96 + 60 * u, 60 + 130 * v


def slopes(height, x, y, strength):
    """Slopes of a height field that repeats after SIZE, as a normal: components -1..1."""
    dx = (height((x + 1) % SIZE, y) - height((x - 1) % SIZE, y)) * strength
    dy = (height(x, (y + 1) % SIZE) - height(x, (y - 1) % SIZE)) * strength
    length = math.sqrt(dx * dx + dy * dy + 1)
    return -dx / length, -dy / length, 1 / length


def relief(x, y):
    """Red and green: slopes of a rough surface; blue: its height. For ripples, clouds, sand."""
    height = lambda x, y: turbulence(x, y, 51)
    nx, ny, _ = slopes(height, x, y, 8)
    return 127.5 + 127.5 * nx, 127.5 + 127.5 * ny, 255 * height(x, y)


def brick_height(x, y):
    row = y // 32
    bx, by = (x + (32 if row % 2 else 0)) % 64, y % 32
    edge = min(bx - 1.5, 65.5 - bx, by - 1.5, 33.5 - by)  # texels into the brick from the middle of its joint
    rise = max(0.0, min(1.0, (edge - 0.5) / 4))
    tilt = (noise((x + (32 if row % 2 else 0)) // 64 % 4, row, 9) - 0.5) * (bx - 33) / 64
    return rise * (3 - 2 * rise) * rise * (1 + 0.5 * tilt) + 0.25 * turbulence(x, y, 3) + 0.06 * noise(x, y, 5)


def bricks_normal(x, y):
    """The normals of `bricks`, in tangent space: images have y downwards, tangent space upwards."""
    nx, ny, nz = slopes(brick_height, x, y, 1.6)
    return 127.5 + 127.5 * nx, 127.5 - 127.5 * ny, 127.5 + 127.5 * nz


def write_png(path, function):
    rows = bytearray()
    for y in range(SIZE):
        rows.append(0)
        for x in range(SIZE):
            rows.extend(clamp(c) for c in function(x, y))

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))


def main():
    directory = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    for function in (bricks, wood, tiles, circuit, marble, letter, relief, bricks_normal):
        write_png(directory / f"{function.__name__}.png", function)


if __name__ == "__main__":
    main()
