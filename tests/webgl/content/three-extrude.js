// Extruded shapes with holes and bevels, and a matcap.
import * as THREE from "three";

export default async stage => {
    const renderer = new THREE.WebGLRenderer({antialias: true});
    renderer.setSize(480, 360);
    renderer.setClearColor(0x20252b);
    stage.append(renderer.domElement);
    const ball = document.createElement("canvas");
    ball.width = ball.height = 128;
    const context = ball.getContext("2d"), light = context.createRadialGradient(45, 40, 5, 64, 64, 64);
    light.addColorStop(0, "#fff4d0");
    light.addColorStop(0.5, "#d08030");
    light.addColorStop(1, "#301008");
    context.fillStyle = light;
    context.fillRect(0, 0, 128, 128);
    const scene = new THREE.Scene();
    const camera = new THREE.PerspectiveCamera(40, 4 / 3, 0.1, 100);
    camera.position.set(2, 3, 11);
    camera.lookAt(0, 0, 0);
    const material = new THREE.MeshMatcapMaterial({matcap: new THREE.CanvasTexture(ball)});
    for (let i = 0; i < 4; ++i) {
        const shape = new THREE.Shape();
        for (let k = 0; k <= 2 * (i + 3); ++k) {
            const a = Math.PI * k / (i + 3), r = k % 2 ? 0.6 : 1.1;
            shape[k ? "lineTo" : "moveTo"](r * Math.cos(a), r * Math.sin(a));
        }
        shape.holes.push(new THREE.Path().absarc(0, 0, 0.3, 0, 2 * Math.PI, true));
        const star = new THREE.Mesh(new THREE.ExtrudeGeometry(shape, {depth: 0.5, bevelSize: 0.06, bevelThickness: 0.08, curveSegments: 12}), material);
        star.position.x = 2.3 * (i - 1.5);
        star.rotation.y = 0.3 * i;
        scene.add(star);
    }
    return () => renderer.render(scene, camera);
};
