// A 3D texture of one channel, marched through.
import * as THREE from "three";

export default async stage => {
    const renderer = new THREE.WebGLRenderer({antialias: true});
    renderer.setSize(480, 360);
    stage.append(renderer.domElement);
    const size = 64, data = new Uint8Array(size ** 3);
    for (let i = 0; i < data.length; ++i) {
        const [x, y, z] = [i % size, Math.floor(i / size) % size, Math.floor(i / size / size)].map(n => 6 * (n / size - 0.5));
        data[i] = 128 + 127 * Math.sin(x * y) * Math.cos(y + 2 * z);
    }
    const volume = new THREE.Data3DTexture(data, size, size, size);
    volume.format = THREE.RedFormat;
    volume.minFilter = volume.magFilter = THREE.LinearFilter;
    volume.unpackAlignment = 1;
    volume.needsUpdate = true;
    const scene = new THREE.Scene();
    const camera = new THREE.PerspectiveCamera(45, 4 / 3, 0.1, 10);
    camera.position.set(1.2, 0.9, 1.4);
    camera.lookAt(0, 0, 0);
    scene.add(new THREE.Mesh(new THREE.BoxGeometry(1, 1, 1), new THREE.ShaderMaterial({
        glslVersion: THREE.GLSL3, side: THREE.BackSide, uniforms: {volume: {value: volume}, eye: {value: camera.position}},
        vertexShader: "out vec3 at; void main() { at = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
        fragmentShader: `precision highp sampler3D;
uniform sampler3D volume; uniform vec3 eye; in vec3 at; out vec4 color;
void main() {
    vec3 way = (at - eye) / 128.0;
    color = vec4(0.0);
    for (int i = 0; i < 128; ++i) {
        vec3 p = eye + way * float(i);
        if (any(greaterThan(abs(p), vec3(0.5)))) continue;
        float density = smoothstep(0.55, 0.8, texture(volume, p + 0.5).r) * 0.15;
        color += (1.0 - color.a) * density * vec4(p + 0.6, 1.0);
    }
    color = vec4(color.rgb + (1.0 - color.a) * 0.1, 1.0);
}`,
    })));
    return () => renderer.render(scene, camera);
};
