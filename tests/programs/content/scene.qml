// What Qt Quick draws with: gradients, text, rotated edges, images, clipping, opacity, shader-backed borders. Nothing moves.
import QtQuick 2.15
import QtQuick.Window 2.15

Window {
    visible: true
    width: 480
    height: 360
    color: "#203040"
    Rectangle {
        x: 20; y: 20; width: 140; height: 100
        radius: 16
        border { width: 3; color: "white" }
        gradient: Gradient {
            GradientStop { position: 0; color: "#ff8030" }
            GradientStop { position: 1; color: "#3080ff" }
        }
    }
    Text { x: 180; y: 30; text: "Quick"; font.pixelSize: 48; color: "#e0e0f0" }
    Text { x: 180; y: 90; text: "outlined"; font.pixelSize: 24; style: Text.Outline; styleColor: "#a03020"; color: "white" }
    Rectangle { x: 60; y: 160; width: 120; height: 120; rotation: 30; color: "#c0ff8040"; antialiasing: true }
    Item {
        x: 240; y: 150; width: 100; height: 100
        clip: true
        rotation: 20
        Rectangle { x: 40; y: 40; width: 100; height: 100; radius: 50; color: "#40c060" }
    }
    Rectangle {
        x: 360; y: 150; width: 100; height: 100
        opacity: 0.5
        layer.enabled: true
        color: "#d0d040"
        Rectangle { x: 20; y: 20; width: 100; height: 100; color: "#d04080" }
    }
    Repeater {
        model: 16
        Rectangle { x: 20 + 28 * index; y: 310; width: 20; height: 30; color: Qt.hsva(index / 16, 0.8, 0.9, 1) }
    }
}
