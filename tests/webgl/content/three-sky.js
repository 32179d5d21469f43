// The sky's light scattered by a long shader, over a mirror on the ground.
import * as THREE from "three";
import {Sky} from "three/addons/objects/Sky.js";
import {Reflector} from "three/addons/objects/Reflector.js";

export default async stage => {
    const renderer = new THREE.WebGLRenderer({antialias: true});
    renderer.setSize(480, 360);
    renderer.toneMapping = THREE.ACESFilmicToneMapping;
    renderer.toneMappingExposure = 0.5;
    stage.append(renderer.domElement);
    const scene = new THREE.Scene();
    const camera = new THREE.PerspectiveCamera(55, 4 / 3, 0.1, 2000);
    camera.position.set(0, 2, 9);
    camera.lookAt(0, 1.4, 0);
    const sky = new Sky();
    sky.scale.setScalar(1000);
    const {uniforms} = sky.material;
    uniforms.turbidity.value = 8;
    uniforms.rayleigh.value = 2;
    uniforms.sunPosition.value.setFromSphericalCoords(1, THREE.MathUtils.degToRad(84), THREE.MathUtils.degToRad(190));
    scene.add(sky, new THREE.HemisphereLight(0xffffff, 0x886644, 2));
    const mirror = new Reflector(new THREE.PlaneGeometry(60, 60), {textureWidth: 480, textureHeight: 360, color: 0xb5b5b5});
    mirror.rotation.x = -Math.PI / 2;
    scene.add(mirror);
    for (let i = 0; i < 7; ++i) {
        const column = new THREE.Mesh(new THREE.CylinderGeometry(0.3, 0.4, 2 + i % 3, 24), new THREE.MeshStandardMaterial({color: 0xddccbb, roughness: 0.6}));
        column.position.set(1.6 * (i - 3), 1 + (i % 3) / 2, -i % 2);
        scene.add(column);
    }
    return () => renderer.render(scene, camera);
};
