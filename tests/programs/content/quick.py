#!/usr/bin/env python3
"""Shows a QML scene with Qt Quick 5 or 6 on OpenGL ES 3.0: quick.py 5|6 SCENE.qml"""

import sys

version, scene = sys.argv[1:3]
if version == "5":
    from PyQt5.QtCore import QUrl
    from PyQt5.QtGui import QGuiApplication, QSurfaceFormat
    from PyQt5.QtQml import QQmlApplicationEngine
else:
    from PyQt6.QtCore import QUrl
    from PyQt6.QtGui import QGuiApplication, QSurfaceFormat
    from PyQt6.QtQml import QQmlApplicationEngine

# Where a driver has both, Qt would take OpenGL.
surface = QSurfaceFormat()
surface.setRenderableType(QSurfaceFormat.OpenGLES if version == "5" else QSurfaceFormat.RenderableType.OpenGLES)
surface.setVersion(3, 0)
surface.setDepthBufferSize(24)
surface.setStencilBufferSize(8)
QSurfaceFormat.setDefaultFormat(surface)
application = QGuiApplication(sys.argv)
engine = QQmlApplicationEngine()
engine.load(QUrl.fromLocalFile(scene))
sys.exit((application.exec_ if version == "5" else application.exec)())
