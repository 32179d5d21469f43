"""What players and emulators are given, made here: a still video of colour bars, and an Atari 2600 cartridge."""


def bars(path, width=320, height=240, frames=50):
    """Y4M, 4:2:0, ten frames a second: eight bars of 75 %, below them a ramp of grey. Every frame is the same."""
    colours = [(180, 128, 128), (162, 44, 142), (131, 156, 44), (112, 72, 58), (84, 184, 198), (65, 100, 212), (35, 212, 114), (16, 128, 128)]

    def plane(part, columns, rows):
        bar = bytes(colours[x * 8 // columns][part] for x in range(columns))
        ramp = bytes(16 + x * 219 // columns if part == 0 else 128 for x in range(columns))
        return bar * (rows * 3 // 4) + ramp * (rows - rows * 3 // 4)

    frame = b"FRAME\n" + plane(0, width, height) + plane(1, width // 2, height // 2) + plane(2, width // 2, height // 2)
    path.write_bytes(b"YUV4MPEG2 W%d H%d F10:1 Ip A1:1 C420jpeg\n" % (width, height) + frame * frames)


def cartridge(path):
    """4 KB of 6502 code: each line of the screen in the colour of its number, beside a playfield of its bits."""
    code = bytes([
        0x78, 0xD8,              # SEI, CLD
        0xA2, 0xFF, 0x9A,        # LDX #$FF, TXS
        0xA9, 0x02, 0x85, 0x01,  # frame: VBLANK on
        0x85, 0x00,              # VSYNC on
        0x85, 0x02, 0x85, 0x02, 0x85, 0x02,              # three lines
        0xA9, 0x00, 0x85, 0x00,  # VSYNC off
        0xA2, 37,                # 37 lines above the picture
        0x85, 0x02, 0xCA, 0xD0, 0xFB,
        0xA9, 0x00, 0x85, 0x01,  # VBLANK off
        0xA9, 0x0E, 0x85, 0x08,  # COLUPF white
        0xA2, 192,               # the picture
        0x85, 0x02, 0x86, 0x09, 0x86, 0x0E, 0xCA, 0xD0, 0xF7,  # WSYNC; COLUBK and PF1 are the line's number
        0xA9, 0x02, 0x85, 0x01,
        0xA9, 0x00, 0x85, 0x0E,
        0xA2, 30,                # 30 lines below
        0x85, 0x02, 0xCA, 0xD0, 0xFB,
        0x4C, 0x05, 0xF0,        # JMP frame
    ])
    path.write_bytes(code.ljust(4096 - 6, b"\xEA") + bytes([0x00, 0xF0] * 3))
