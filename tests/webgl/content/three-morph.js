// A skinned tube with morph targets, textures of data with anisotropy, a clipping plane, and a stencil.
import * as THREE from "three";

export default async stage => {
    const renderer = new THREE.WebGLRenderer({antialias: true, stencil: true});
    renderer.setSize(480, 360);
    renderer.localClippingEnabled = true;
    stage.append(renderer.domElement);
    const scene = new THREE.Scene();
    const camera = new THREE.PerspectiveCamera(45, 4 / 3, 0.1, 100);
    camera.position.set(0, 2, 10);
    camera.lookAt(0, 0, 0);
    scene.add(new THREE.DirectionalLight(0xffffff, 3), new THREE.AmbientLight(0x8899aa, 1));
    const checks = new THREE.DataTexture(new Uint8Array(64 * 64 * 4).map((_, i) => i % 4 === 3 ? 255 :
        ((i >> 5) + (i >> 11)) & 1 ? 230 : 60 + 60 * (i % 4)), 64, 64);
    checks.wrapS = checks.wrapT = THREE.RepeatWrapping;
    checks.repeat.set(8, 8);
    checks.generateMipmaps = true;
    checks.minFilter = THREE.LinearMipmapLinearFilter;
    checks.magFilter = THREE.LinearFilter;
    checks.anisotropy = 8;
    checks.needsUpdate = true;
    const floor = new THREE.Mesh(new THREE.PlaneGeometry(40, 40), new THREE.MeshBasicMaterial({map: checks}));
    floor.rotation.x = -Math.PI / 2;
    floor.position.y = -2;
    scene.add(floor);
    const tube = new THREE.CylinderGeometry(0.5, 0.5, 4, 24, 24), count = tube.attributes.position.count;
    const indices = [], weights = [], fat = [];
    for (let i = 0; i < count; ++i) {
        const y = tube.attributes.position.getY(i) + 2, bone = Math.min(Math.floor(y), 3);
        indices.push(bone, bone + 1, 0, 0);
        weights.push(1 - (y - bone), y - bone, 0, 0);
        const swell = 1 + Math.sin(3 * y);
        fat.push(tube.attributes.position.getX(i) * swell, tube.attributes.position.getY(i), tube.attributes.position.getZ(i) * swell);
    }
    tube.setAttribute("skinIndex", new THREE.Uint16BufferAttribute(indices, 4));
    tube.setAttribute("skinWeight", new THREE.Float32BufferAttribute(weights, 4));
    tube.morphAttributes.position = [new THREE.Float32BufferAttribute(fat, 3)];
    const bones = [new THREE.Bone()];
    bones[0].position.y = -2;
    for (let i = 1; i < 5; ++i) {
        bones.push(new THREE.Bone());
        bones[i].position.y = 1;
        bones[i - 1].add(bones[i]);
    }
    const body = new THREE.SkinnedMesh(tube, new THREE.MeshPhongMaterial({color: 0xcc5533, shininess: 60}));
    body.add(bones[0]);
    body.bind(new THREE.Skeleton(bones));
    bones.slice(1).forEach(bone => { bone.rotation.z = 0.35; });
    body.morphTargetInfluences[0] = 0.4;
    scene.add(body);
    const cut = new THREE.Mesh(new THREE.SphereGeometry(1.3, 32, 24), new THREE.MeshPhongMaterial({color: 0x3388cc, side: THREE.DoubleSide,
        clippingPlanes: [new THREE.Plane(new THREE.Vector3(0, -1, 0.3), 0.4)]}));
    cut.position.x = 3;
    scene.add(cut);
    return () => renderer.render(scene, camera);
};
