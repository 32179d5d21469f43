// Qt Quick's layer.samples: the same rotated square without and with four samples a pixel.
import QtQuick 2.15
import QtQuick.Window 2.15

Window {
    visible: true
    width: 480
    height: 240
    color: "#203040"
    Repeater {
        model: [1, 4]
        Item {
            x: 20 + 230 * index; y: 10; width: 220; height: 220
            layer.enabled: true
            layer.samples: modelData
            Rectangle { anchors.centerIn: parent; width: 140; height: 140; rotation: 12; color: "#40c060"; antialiasing: false }
        }
    }
}
