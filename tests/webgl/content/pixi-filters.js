// PixiJS: colour matrices, displacement and noise over a picture, and a mesh that bends it.
export default async stage => {
    await loadScript("/npm/pixi.js/dist/pixi.js");
    const app = new PIXI.Application();
    await app.init({preference: "webgl", width: 480, height: 360, background: "#eeeeee", autoStart: false});
    stage.append(app.canvas);
    const picture = document.createElement("canvas");
    picture.width = picture.height = 128;
    const context = picture.getContext("2d");
    for (let i = 0; i < 64; ++i) {
        context.fillStyle = `hsl(${i * 40}, 70%, ${30 + i / 2}%)`;
        context.fillRect(16 * (i % 8), 16 * Math.floor(i / 8), 16, 16);
    }
    const texture = PIXI.Texture.from(picture);
    const grey = new PIXI.Sprite(texture);
    const matrix = new PIXI.ColorMatrixFilter();
    matrix.hue(120);
    matrix.contrast(0.5, true);
    grey.filters = [matrix];
    grey.position.set(20, 20);
    const noisy = new PIXI.Sprite(texture);
    noisy.position.set(180, 20);
    noisy.filters = [new PIXI.NoiseFilter({noise: 0.4, seed: 0.3}), new PIXI.AlphaFilter({alpha: 0.8})];
    const waves = new PIXI.Sprite(texture), moved = new PIXI.Sprite(texture);
    waves.position.set(340, 20);
    moved.position.set(340, 20);
    moved.filters = [new PIXI.DisplacementFilter({sprite: waves, scale: 30})];
    const plane = new PIXI.MeshPlane({texture, verticesX: 10, verticesY: 10});
    plane.position.set(60, 180);
    const {buffer} = plane.geometry.getAttribute("aPosition");
    for (let i = 0; i < buffer.data.length; i += 2) buffer.data[i + 1] += 14 * Math.sin(buffer.data[i] / 15);
    buffer.update();
    app.stage.addChild(grey, noisy, waves, moved, plane);
    return () => app.render();
};
