// Passes over half-float targets: bloom, then tone mapping.
import * as THREE from "three";
import {EffectComposer} from "three/addons/postprocessing/EffectComposer.js";
import {RenderPass} from "three/addons/postprocessing/RenderPass.js";
import {UnrealBloomPass} from "three/addons/postprocessing/UnrealBloomPass.js";
import {OutputPass} from "three/addons/postprocessing/OutputPass.js";

export default async stage => {
    const renderer = new THREE.WebGLRenderer();
    renderer.setSize(480, 360);
    renderer.toneMapping = THREE.ReinhardToneMapping;
    stage.append(renderer.domElement);
    const scene = new THREE.Scene();
    const camera = new THREE.PerspectiveCamera(50, 4 / 3, 0.1, 100);
    camera.position.z = 8;
    for (let i = 0; i < 40; ++i) {
        const color = new THREE.Color().setHSL(Math.random(), 0.7, 0.3 + 0.5 * Math.random()).multiplyScalar(i % 4 ? 0.6 : 6);
        const ball = new THREE.Mesh(new THREE.IcosahedronGeometry(0.4, 4), new THREE.MeshBasicMaterial({color}));
        ball.position.set(9 * (Math.random() - 0.5), 6 * (Math.random() - 0.5), 4 * (Math.random() - 0.5));
        scene.add(ball);
    }
    const composer = new EffectComposer(renderer);
    composer.addPass(new RenderPass(scene, camera));
    composer.addPass(new UnrealBloomPass(new THREE.Vector2(480, 360), 1.2, 0.6, 0.7));
    composer.addPass(new OutputPass());
    return () => composer.render();
};
