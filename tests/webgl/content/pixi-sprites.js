// Sprites, graphics, masks, blend modes and filters of PixiJS's WebGL renderer.
export default async stage => {
    await loadScript("/npm/pixi.js/dist/pixi.js");
    const app = new PIXI.Application();
    await app.init({preference: "webgl", width: 480, height: 360, background: "#1b2a41", antialias: true, autoStart: false});
    stage.append(app.canvas);
    const star = new PIXI.Graphics().star(0, 0, 5, 30, 14).fill(0xffd166).stroke({width: 3, color: 0xef476f});
    const texture = app.renderer.generateTexture(star);
    for (let i = 0; i < 150; ++i) {
        const sprite = new PIXI.Sprite(texture);
        sprite.anchor.set(0.5);
        sprite.position.set(480 * Math.random(), 360 * Math.random());
        sprite.rotation = 6 * Math.random();
        sprite.scale.set(0.3 + Math.random());
        sprite.tint = 0xffffff * Math.random();
        sprite.blendMode = ["normal", "add", "multiply", "screen"][i % 4];
        app.stage.addChild(sprite);
    }
    const blurred = new PIXI.Graphics().circle(120, 120, 60).fill(0x06d6a0);
    blurred.filters = [new PIXI.BlurFilter({strength: 8})];
    const hole = new PIXI.Graphics().rect(260, 180, 180, 120).fill(0x118ab2);
    hole.mask = new PIXI.Graphics().circle(350, 240, 70).fill(0xffffff);
    app.stage.addChild(blurred, hole, hole.mask);
    return () => app.render();
};
