// Babylon.js: metals and dielectrics, a shadow generator, fog, glow, on WebGL 2.
export default async stage => {
    await loadScript("/npm/babylonjs/babylon.js");
    const canvas = document.createElement("canvas");
    canvas.width = 480;
    canvas.height = 360;
    stage.append(canvas);
    const engine = new BABYLON.Engine(canvas, true, {preserveDrawingBuffer: true});
    const scene = new BABYLON.Scene(engine);
    scene.clearColor = new BABYLON.Color4(0.1, 0.12, 0.2, 1);
    const camera = new BABYLON.ArcRotateCamera("camera", -1.2, 1.1, 12, BABYLON.Vector3.Zero(), scene);
    camera.fov = 0.7;
    new BABYLON.HemisphericLight("sky", new BABYLON.Vector3(0, 1, 0), scene).intensity = 0.5;
    const sun = new BABYLON.DirectionalLight("sun", new BABYLON.Vector3(-1, -2, 1), scene);
    sun.position = new BABYLON.Vector3(5, 10, -5);
    const shadows = new BABYLON.ShadowGenerator(1024, sun);
    shadows.usePercentageCloserFiltering = true;
    const floor = BABYLON.MeshBuilder.CreateGround("floor", {width: 20, height: 20}, scene);
    floor.receiveShadows = true;
    floor.position.y = -1.5;
    for (let i = 0; i < 5; ++i) {
        const mesh = i % 2 ? BABYLON.MeshBuilder.CreateTorusKnot(`m${i}`, {radius: 0.6, tube: 0.22, radialSegments: 96}, scene)
            : BABYLON.MeshBuilder.CreateSphere(`m${i}`, {diameter: 1.6, segments: 24}, scene);
        mesh.position.x = 2.1 * (i - 2);
        const material = new BABYLON.PBRMaterial(`p${i}`, scene);
        material.albedoColor = BABYLON.Color3.FromHSV(70 * i, 0.7, 0.9);
        material.metallic = i / 5;
        material.roughness = 0.3;
        mesh.material = material;
        shadows.addShadowCaster(mesh);
    }
    await scene.whenReadyAsync();
    return () => scene.render();
};
