// Babylon.js: a texture from a canvas, and two post-processes over the scene.
export default async stage => {
    await loadScript("/npm/babylonjs/babylon.js");
    const canvas = document.createElement("canvas");
    canvas.width = 480;
    canvas.height = 360;
    stage.append(canvas);
    const engine = new BABYLON.Engine(canvas, true, {preserveDrawingBuffer: true, deterministicLockstep: true});
    const scene = new BABYLON.Scene(engine);
    scene.clearColor = new BABYLON.Color4(0, 0, 0.05, 1);
    const camera = new BABYLON.FreeCamera("camera", new BABYLON.Vector3(0, 2, -10), scene);
    camera.setTarget(BABYLON.Vector3.Zero());
    const box = BABYLON.MeshBuilder.CreateBox("box", {size: 2.5}, scene);
    box.rotation.set(0.5, 0.7, 0);
    const material = new BABYLON.StandardMaterial("m", scene);
    const picture = new BABYLON.DynamicTexture("t", 128, scene);
    const context = picture.getContext();
    for (let i = 0; i < 16; ++i) {
        context.fillStyle = `hsl(${i * 50}, 80%, 50%)`;
        context.fillRect(32 * (i % 4), 32 * Math.floor(i / 4), 32, 32);
    }
    picture.update();
    material.emissiveTexture = picture;
    material.disableLighting = true;
    box.material = material;
    new BABYLON.BlackAndWhitePostProcess("grey", 1, camera).degree = 0.4;
    new BABYLON.ConvolutionPostProcess("sharp", BABYLON.ConvolutionPostProcess.EmbossKernel, 1, camera);
    await scene.whenReadyAsync();
    return () => scene.render();
};
