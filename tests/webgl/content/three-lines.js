// Lines of any width, dashes, wireframes, sprites, and a helper's grid.
import * as THREE from "three";
import {Line2} from "three/addons/lines/Line2.js";
import {LineGeometry} from "three/addons/lines/LineGeometry.js";
import {LineMaterial} from "three/addons/lines/LineMaterial.js";

export default async stage => {
    const renderer = new THREE.WebGLRenderer({antialias: true});
    renderer.setSize(480, 360);
    renderer.setClearColor(0xf4f0e8);
    stage.append(renderer.domElement);
    const scene = new THREE.Scene();
    const camera = new THREE.PerspectiveCamera(45, 4 / 3, 0.1, 100);
    camera.position.set(5, 4, 7);
    camera.lookAt(0, 0, 0);
    scene.add(new THREE.GridHelper(8, 16, 0x446688, 0xaabbcc));
    const points = [], colors = [];
    for (let i = 0; i <= 200; ++i) {
        const a = i / 12;
        points.push(2.5 * Math.cos(a), i / 60 - 1.5, 2.5 * Math.sin(a));
        colors.push(...new THREE.Color().setHSL(i / 200, 1, 0.45).toArray());
    }
    const geometry = new LineGeometry();
    geometry.setPositions(points);
    geometry.setColors(colors);
    scene.add(new Line2(geometry, new LineMaterial({linewidth: 6, vertexColors: true, resolution: new THREE.Vector2(480, 360)})));
    scene.add(new THREE.LineSegments(new THREE.WireframeGeometry(new THREE.IcosahedronGeometry(1, 2)), new THREE.LineBasicMaterial({color: 0x222222})));
    return () => renderer.render(scene, camera);
};
