// Image-based light: a room rendered to a prefiltered environment, on metals, glass with transmission and cloth.
import * as THREE from "three";
import {RoomEnvironment} from "three/addons/environments/RoomEnvironment.js";

export default async stage => {
    const renderer = new THREE.WebGLRenderer({antialias: true});
    renderer.setSize(480, 360);
    renderer.toneMapping = THREE.ACESFilmicToneMapping;
    stage.append(renderer.domElement);
    const scene = new THREE.Scene();
    scene.environment = new THREE.PMREMGenerator(renderer).fromScene(new RoomEnvironment(), 0.04).texture;
    scene.background = scene.environment;
    scene.backgroundBlurriness = 0.4;
    const camera = new THREE.PerspectiveCamera(40, 4 / 3, 0.1, 50);
    camera.position.set(0, 0.6, 7);
    for (let i = 0; i < 4; ++i)
        for (let j = 0; j < 3; ++j) {
            const material = new THREE.MeshPhysicalMaterial({color: [0xffffff, 0xcc8844, 0x4488cc][j], metalness: j === 1 ? 1 : 0,
                roughness: i / 3, transmission: j === 0 ? 1 : 0, thickness: 0.5, sheen: j === 2 ? 1 : 0, sheenColor: new THREE.Color(0xff88aa)});
            const ball = new THREE.Mesh(new THREE.SphereGeometry(0.55, 48, 32), material);
            ball.position.set(1.3 * (i - 1.5), 1.3 * (1 - j), 0);
            scene.add(ball);
        }
    return () => renderer.render(scene, camera);
};
