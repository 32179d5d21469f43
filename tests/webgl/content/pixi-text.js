// PixiJS: text as textures, nine-slice and tiling sprites, gradients, and a render target.
export default async stage => {
    await loadScript("/npm/pixi.js/dist/pixi.js");
    const app = new PIXI.Application();
    await app.init({preference: "webgl", width: 480, height: 360, background: "#fbf7ef", autoStart: false, antialias: true});
    stage.append(app.canvas);
    const text = new PIXI.Text({text: "blocks of sixteen", style: {fontFamily: "DejaVu Sans", fontSize: 42, fill: 0x20405c, stroke: {color: 0xf2b134, width: 4}}});
    text.position.set(30, 30);
    const gradient = new PIXI.FillGradient({type: "linear", start: {x: 0, y: 0}, end: {x: 1, y: 1}, colorStops: [{offset: 0, color: "#4fb477"}, {offset: 1, color: "#345995"}]});
    const panel = new PIXI.Graphics().roundRect(0, 0, 96, 96, 24).fill(gradient).stroke({width: 4, color: 0x222222});
    const texture = app.renderer.generateTexture(panel);
    const nine = new PIXI.NineSliceSprite({texture, leftWidth: 30, rightWidth: 30, topHeight: 30, bottomHeight: 30});
    nine.width = 260;
    nine.height = 120;
    nine.position.set(30, 110);
    const tiles = new PIXI.TilingSprite({texture, width: 420, height: 80});
    tiles.tileScale.set(0.4);
    tiles.position.set(30, 250);
    app.stage.addChild(nine, tiles, text);
    return () => app.render();
};
