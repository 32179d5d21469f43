// PlayCanvas: standard materials, a light with shadows, primitives.
import * as pc from "/npm/playcanvas/build/playcanvas.mjs";

export default async stage => {
    const canvas = document.createElement("canvas");
    stage.append(canvas);
    const app = new pc.Application(canvas, {graphicsDeviceOptions: {preferWebGl2: true, antialias: true, preserveDrawingBuffer: true, deviceTypes: ["webgl2"]}});
    app.setCanvasFillMode(pc.FILLMODE_NONE, 480, 360);
    app.setCanvasResolution(pc.RESOLUTION_FIXED, 480, 360);
    app.autoRender = false;
    app.start();
    const camera = new pc.Entity();
    camera.addComponent("camera", {clearColor: new pc.Color(0.2, 0.25, 0.35)});
    camera.setPosition(3, 4, 8);
    camera.lookAt(0, 0, 0);
    const sun = new pc.Entity();
    sun.addComponent("light", {type: "directional", castShadows: true, shadowDistance: 20, shadowResolution: 1024});
    sun.setEulerAngles(45, 30, 0);
    app.root.addChild(camera);
    app.root.addChild(sun);
    ["box", "sphere", "cone", "cylinder", "capsule", "torus", "plane"].forEach((type, i) => {
        const material = new pc.StandardMaterial();
        material.diffuse = new pc.Color().set((i * 37 % 10) / 10, (i * 53 % 10) / 10, 0.5);
        material.gloss = 0.7;
        material.update();
        const entity = new pc.Entity();
        entity.addComponent("render", {type, material});
        if (type === "plane") {
            entity.setLocalScale(14, 1, 14);
            entity.setPosition(0, -0.6, 0);
        } else entity.setPosition(1.6 * (i % 3 - 1), 0.1, 1.8 * (Math.floor(i / 3) - 0.5));
        app.root.addChild(entity);
    });
    app.renderNextFrame = true;
    await pause(6);
    app.renderNextFrame = true;
    await pause(3);
    return () => { app.renderNextFrame = true; };
};
