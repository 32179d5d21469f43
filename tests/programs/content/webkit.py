#!/usr/bin/env python3
"""Shows a page with WebKitGTK, all of it composited by the GPU: webkit.py URL"""

import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

window = Gtk.Window(default_width=500, default_height=400)
view = WebKit2.WebView()
settings = view.get_settings()
settings.set_enable_webgl(True)
settings.set_enable_write_console_messages_to_stdout(True)
settings.set_hardware_acceleration_policy(WebKit2.HardwareAccelerationPolicy.ALWAYS)
window.add(view)
view.load_uri(sys.argv[1])
window.show_all()
Gtk.main()
