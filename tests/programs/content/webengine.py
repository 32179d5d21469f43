#!/usr/bin/env python3
"""Shows a page with Qt WebEngine of Qt 5 or 6 on OpenGL ES: webengine.py 5|6 URL"""

import sys

version, url = sys.argv[1:3]
if version == "5":
    from PyQt5.QtCore import Qt, QCoreApplication, QUrl
    from PyQt5.QtGui import QSurfaceFormat
    from PyQt5.QtWebEngineWidgets import QWebEngineView
    from PyQt5.QtWidgets import QApplication
    kind, shared = QSurfaceFormat.OpenGLES, Qt.AA_ShareOpenGLContexts
else:
    from PyQt6.QtCore import Qt, QCoreApplication, QUrl
    from PyQt6.QtGui import QSurfaceFormat
    from PyQt6.QtWebEngineWidgets import QWebEngineView
    from PyQt6.QtWidgets import QApplication
    kind, shared = QSurfaceFormat.RenderableType.OpenGLES, Qt.ApplicationAttribute.AA_ShareOpenGLContexts

# Where a driver has both, Qt would take OpenGL.
surface = QSurfaceFormat()
surface.setRenderableType(kind)
surface.setVersion(3, 0)
QSurfaceFormat.setDefaultFormat(surface)
QCoreApplication.setAttribute(shared)
application = QApplication(sys.argv[:1] + sys.argv[3:])
view = QWebEngineView()
view.resize(500, 400)
view.load(QUrl(url))
view.show()
sys.exit((application.exec_ if version == "5" else application.exec)())
