#!/usr/bin/env python3
"""Shows pages in WebKitGTK one by one and tells what became of each, as drive.mjs does in Chromium: webkit.py JOB.json, in an
X display. The job is (browsers.py writes it)
  {address: "http://...", quiet: seconds, patience: seconds, viewport: {width, height}, pages: [{page, version, path}, ...]}
and each page's result is a line of JSON on standard output; the last line is {"done": true}.

A page is a view with a process of its own, which ends with it.
"""

import json
import pathlib
import sys
import time

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import GLib, Gtk, WebKit2  # noqa: E402

HARNESS = (pathlib.Path(__file__).resolve().parent / "harness.js").read_text()
RENDERER = """<!doctype html><script>
const gl = document.createElement("canvas").getContext("webgl"), extension = gl && gl.getExtension("WEBGL_debug_renderer_info");
tellDriver(JSON.stringify({finished: true,
    renderer: gl ? String(extension ? gl.getParameter(extension.UNMASKED_RENDERER_WEBGL) : gl.getParameter(gl.RENDERER)) : "no WebGL"}));
</script>"""


def version():
    return f"{WebKit2.get_major_version()}.{WebKit2.get_minor_version()}.{WebKit2.get_micro_version()}"


def say(line):
    print(json.dumps(line), flush=True)


class Shown:
    """A page in a window, from its loading to its end."""

    def __init__(self, job, load):
        self.job, self.found, self.told = job, {"passed": 0, "failed": 0, "skipped": 0, "messages": []}, {}
        self.end, self.began = None, time.monotonic()
        self.heard = self.began
        manager = WebKit2.UserContentManager()
        manager.connect("script-message-received::tellDriver", self.hear)
        manager.register_script_message_handler("tellDriver")
        manager.add_script(WebKit2.UserScript.new(
            "window.tellDriver = text => window.webkit.messageHandlers.tellDriver.postMessage(text);\n" + HARNESS,
            WebKit2.UserContentInjectedFrames.TOP_FRAME, WebKit2.UserScriptInjectionTime.START, None, None))
        self.view = WebKit2.WebView(user_content_manager=manager, web_context=WebKit2.WebContext.new_ephemeral())
        settings = self.view.get_settings()
        settings.set_enable_webgl(True)
        settings.set_media_playback_requires_user_gesture(False)
        settings.set_hardware_acceleration_policy(WebKit2.HardwareAccelerationPolicy.ALWAYS)
        self.view.connect("web-process-terminated", lambda *_: self.finish("crash"))
        self.view.connect("script-dialog", lambda *_: True)
        self.window = Gtk.Window(default_width=job["viewport"]["width"], default_height=job["viewport"]["height"])
        self.window.add(self.view)
        self.window.show_all()
        load(self.view)

    def hear(self, _, message):
        self.told = json.loads(message.get_js_value().to_string())
        self.found, self.heard = self.told.get("found", self.found), time.monotonic()
        if self.told.get("finished"):
            self.finish("finished")

    def finish(self, how):
        self.end = self.end or how

    def wait(self):
        """How the page ended."""
        tick = GLib.timeout_add(250, lambda: True)
        while self.end is None:
            GLib.MainContext.default().iteration(True)
            now = time.monotonic()
            if now - self.heard > self.job["quiet"] or now - self.began > self.job["patience"]:
                self.finish("timeout")
        GLib.source_remove(tick)
        if self.end == "timeout":
            self.view.terminate_web_process()
        self.window.destroy()
        return self.end


def outcome(how, found):
    if how != "finished":
        return how
    return "fail" if found["failed"] else "pass" if found["passed"] else "skip" if found["skipped"] else "fail"


def main():
    if sys.argv[1] == "--version":
        print(version())
        return
    job = json.loads(pathlib.Path(sys.argv[1]).read_text())
    asked = Shown(job, lambda view: view.load_html(RENDERER, job["address"]))
    say({"renderer": asked.told["renderer"] if asked.wait() == "finished" else "no WebGL", "browser": version()})
    for entry in job["pages"]:
        shown = Shown(job, lambda view: view.load_uri(job["address"] + entry["path"]))
        how = shown.wait()
        say({"page": entry["page"], "version": entry["version"], "result": outcome(how, shown.found),
             "seconds": round(time.monotonic() - shown.began, 3), **shown.found})
    say({"done": True})


if __name__ == "__main__":
    main()
