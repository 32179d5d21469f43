// A thousand boxes by one draw, with colours of their own, and a cloud of points with a shader.
import * as THREE from "three";

export default async stage => {
    const renderer = new THREE.WebGLRenderer({antialias: true});
    renderer.setSize(480, 360);
    stage.append(renderer.domElement);
    const scene = new THREE.Scene();
    const camera = new THREE.PerspectiveCamera(50, 4 / 3, 0.1, 100);
    camera.position.set(9, 8, 12);
    camera.lookAt(0, 0, 0);
    scene.add(new THREE.HemisphereLight(0xffffff, 0x224466, 3));
    const boxes = new THREE.InstancedMesh(new THREE.BoxGeometry(0.7, 0.7, 0.7), new THREE.MeshLambertMaterial(), 1000);
    const place = new THREE.Object3D();
    for (let i = 0; i < 1000; ++i) {
        place.position.set(i % 10 - 4.5, Math.floor(i / 10) % 10 - 4.5, Math.floor(i / 100) - 4.5);
        place.rotation.set(i, 2 * i, 0);
        place.updateMatrix();
        boxes.setMatrixAt(i, place.matrix);
        boxes.setColorAt(i, new THREE.Color().setHSL(i / 1000, 0.8, 0.5));
    }
    scene.add(boxes);
    const places = new Float32Array(6000).map(() => 16 * (Math.random() - 0.5));
    const cloud = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(places, 3));
    scene.add(new THREE.Points(cloud, new THREE.ShaderMaterial({
        transparent: true, depthWrite: false,
        vertexShader: "void main() { vec4 p = modelViewMatrix * vec4(position, 1.0); gl_PointSize = 60.0 / -p.z; gl_Position = projectionMatrix * p; }",
        fragmentShader: "void main() { float d = length(gl_PointCoord - 0.5); if (d > 0.5) discard; gl_FragColor = vec4(1.0, 1.0, 0.6, 1.0 - 2.0 * d); }",
    })));
    return () => renderer.render(scene, camera);
};
