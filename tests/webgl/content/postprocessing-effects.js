// postprocessing: depth of field, bloom over mipmaps and a vignette in one pass.
import * as THREE from "three";
import {BlendFunction, BloomEffect, DepthOfFieldEffect, EffectComposer, EffectPass, RenderPass, VignetteEffect} from "postprocessing";

export default async stage => {
    const renderer = new THREE.WebGLRenderer({powerPreference: "high-performance", antialias: false, stencil: false, depth: false});
    renderer.setSize(480, 360);
    stage.append(renderer.domElement);
    const scene = new THREE.Scene();
    scene.background = new THREE.Color(0x182030);
    const camera = new THREE.PerspectiveCamera(45, 4 / 3, 0.5, 30);
    camera.position.set(0, 1, 8);
    scene.add(new THREE.HemisphereLight(0xffffff, 0x335577, 3));
    for (let i = 0; i < 30; ++i) {
        const mesh = new THREE.Mesh(new THREE.OctahedronGeometry(0.5, i % 3), new THREE.MeshStandardMaterial({color: new THREE.Color().setHSL(i / 30, 0.8, 0.5)}));
        mesh.position.set(1.5 * (i % 6 - 2.5), 1.4 * (Math.floor(i / 6) - 2), -i / 3);
        scene.add(mesh);
    }
    const composer = new EffectComposer(renderer, {frameBufferType: THREE.HalfFloatType});
    composer.addPass(new RenderPass(scene, camera));
    composer.addPass(new EffectPass(camera, new DepthOfFieldEffect(camera, {focusDistance: 0.25, focalLength: 0.1, bokehScale: 3}),
        new BloomEffect({intensity: 1.5, luminanceThreshold: 0.4, mipmapBlur: true}), new VignetteEffect({blendFunction: BlendFunction.NORMAL, darkness: 0.6})));
    return () => composer.render(0);
};
