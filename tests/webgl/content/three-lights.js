// Standard and physical materials, three kinds of lights, soft shadows, fog.
import * as THREE from "three";

export default async stage => {
    const renderer = new THREE.WebGLRenderer({antialias: true});
    renderer.setSize(480, 360);
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    stage.append(renderer.domElement);
    const scene = new THREE.Scene();
    scene.background = new THREE.Color(0x334455);
    scene.fog = new THREE.Fog(0x334455, 8, 22);
    const camera = new THREE.PerspectiveCamera(45, 4 / 3, 0.1, 50);
    camera.position.set(4, 4, 8);
    camera.lookAt(0, 0.5, 0);
    const sun = new THREE.DirectionalLight(0xffffff, 2);
    sun.position.set(3, 6, 2);
    const spot = new THREE.SpotLight(0xffaa55, 80, 20, 0.5, 0.4);
    spot.position.set(-4, 6, 3);
    for (const light of [sun, spot]) {
        light.castShadow = true;
        light.shadow.mapSize.set(1024, 1024);
        scene.add(light);
    }
    scene.add(new THREE.PointLight(0x5588ff, 20, 10), new THREE.HemisphereLight(0x8899ff, 0x443322, 0.6));
    const floor = new THREE.Mesh(new THREE.PlaneGeometry(30, 30), new THREE.MeshStandardMaterial({color: 0x999999, roughness: 0.9}));
    floor.rotation.x = -Math.PI / 2;
    floor.receiveShadow = true;
    scene.add(floor);
    const shapes = [new THREE.TorusKnotGeometry(0.7, 0.25, 128, 24), new THREE.SphereGeometry(0.8, 48, 24), new THREE.BoxGeometry(1.2, 1.2, 1.2)];
    shapes.forEach((shape, i) => {
        const material = new THREE.MeshPhysicalMaterial({color: [0xdd4433, 0x44bb66, 0x3366dd][i], metalness: 0.5 * i, roughness: 0.25,
            clearcoat: i === 1 ? 1 : 0});
        const mesh = new THREE.Mesh(shape, material);
        mesh.position.set(2.4 * (i - 1), 1.1, 0);
        mesh.castShadow = mesh.receiveShadow = true;
        scene.add(mesh);
    });
    return () => renderer.render(scene, camera);
};
