import QtQuick 2.0
import QtQuick.Window 2.0

Window {
    width: 400; height: 300; visible: true; color: "#204060"
    Rectangle { anchors.centerIn: parent; width: 150; height: 150; color: "#e0a020"; rotation: 30; antialiasing: true }
    Text { text: "Qt Quick"; color: "white"; font.pixelSize: 40; anchors.horizontalCenter: parent.horizontalCenter }
}
