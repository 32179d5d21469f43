#!/usr/bin/env python3
"""In a session of KWin: shows weston-eventdemo, asks KWin for a picture of what it composites, and ends the session: kwin_picture.py FILE.png"""

import os
import subprocess
import sys
import time

import gi

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf, Gio, GLib  # noqa: E402


def picture(bus):
    """What org.kde.KWin.ScreenShot2 writes into a pipe: its description and rows of BGRA or BGRX."""
    read, write = os.pipe()
    files = Gio.UnixFDList.new_from_array([write])
    os.set_blocking(read, False)  # it may write before it answers, and more than a pipe holds
    answer, data = [], b""
    bus.call_with_unix_fd_list("org.kde.KWin", "/org/kde/KWin/ScreenShot2", "org.kde.KWin.ScreenShot2", "CaptureWorkspace",
                               GLib.Variant("(a{sv}h)", ({}, 0)), None, Gio.DBusCallFlags.NONE, 20000, files, None,
                               lambda source, result: answer.append(source.call_with_unix_fd_list_finish(result)[0].unpack()[0]))
    del files
    while True:
        GLib.MainContext.default().iteration(False)
        try:
            part = os.read(read, 1 << 20)
            data += part
        except BlockingIOError:
            part = None
        if answer and len(data) >= answer[0]["height"] * answer[0]["stride"]:
            return answer[0], data
        if not part:
            time.sleep(0.02)


def main():
    client = subprocess.Popen(["weston-eventdemo"], stdout=subprocess.DEVNULL)
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    last = None
    for _ in range(40):
        time.sleep(1)
        said, data = picture(bus)
        if data == last:
            break
        last = data
    pixels = bytearray(data)
    pixels[0::4], pixels[2::4] = data[2::4], data[0::4]
    pixels[3::4] = b"\xff" * (len(pixels) // 4)
    GdkPixbuf.Pixbuf.new_from_bytes(GLib.Bytes.new(bytes(pixels)), GdkPixbuf.Colorspace.RGB, True, 8, said["width"], said["height"],
                                    said["stride"]).savev(sys.argv[1], "png", [], [])
    client.terminate()


main()
