"""A WebKitGTK window with a page that draws with WebGL."""

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

PAGE = """
<body style="background: #306030; color: white"><h1>WebKit</h1><canvas id="canvas" width="300" height="200"></canvas>
<script>
  const gl = canvas.getContext("webgl");
  gl.clearColor(0.8, 0.2, 0.1, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
</script>
"""

window = Gtk.Window()
window.set_default_size(500, 400)
view = WebKit2.WebView()
view.get_settings().set_enable_webgl(True)
view.get_settings().set_hardware_acceleration_policy(WebKit2.HardwareAccelerationPolicy.ALWAYS)
view.load_html(PAGE, "about:blank")
window.add(view)
window.show_all()
Gtk.main()
