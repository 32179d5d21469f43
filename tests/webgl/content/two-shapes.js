// Two.js: shapes as textures by its WebGL renderer.
export default async stage => {
    await loadScript("/npm/two.js/build/two.js");
    const two = new Two({type: Two.Types.webgl, width: 480, height: 360, overdraw: true}).appendTo(stage);
    for (let i = 0; i < 24; ++i) {
        const shape = i % 3 ? two.makePolygon(60 + 70 * (i % 6), 60 + 80 * Math.floor(i / 6), 28, 3 + i % 6) : two.makeStar(60 + 70 * (i % 6), 60 + 80 * Math.floor(i / 6), 12, 30, 5);
        shape.fill = `hsl(${i * 15}, 70%, 60%)`;
        shape.stroke = "#223";
        shape.linewidth = 3;
        shape.rotation = i;
        shape.opacity = 0.8;
    }
    return () => two.update();
};
