#!/usr/bin/env python3
"""A still Clutter stage: colours, text, a rotated actor in perspective, one half transparent."""

import sys

import gi

gi.require_version("Clutter", "1.0")
from gi.repository import Clutter  # noqa: E402


def colour(text):
    return Clutter.Color.from_string(text)[1]


if Clutter.init(sys.argv)[0] != Clutter.InitError.SUCCESS:
    sys.exit("Clutter did not start")
stage = Clutter.Stage()
stage.set_size(480, 360)
stage.set_background_color(colour("#203040"))
for x, y, shade, angle, opacity in ((30, 30, "#ff8030", 0, 255), (180, 60, "#3080ff", 40, 255), (90, 180, "#40c060", 20, 128)):
    actor = Clutter.Actor()
    actor.set_background_color(colour(shade))
    actor.set_position(x, y)
    actor.set_size(160, 120)
    actor.set_pivot_point(0.5, 0.5)
    actor.set_rotation_angle(Clutter.RotateAxis.Y_AXIS, angle)
    actor.set_opacity(opacity)
    stage.add_child(actor)
text = Clutter.Text.new_full("DejaVu Sans 32px", "Clutter", colour("#e0e0f0"))
text.set_position(260, 280)
stage.add_child(text)
stage.connect("destroy", lambda *_: Clutter.main_quit())
stage.show()
Clutter.main()
